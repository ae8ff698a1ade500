#include "formats/platinum/game/scene_events.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts.hpp"
#include "formats/platinum/parts_land.hpp"
#include "scene/extras.hpp"

namespace dio::platinum {

namespace {

constexpr std::string_view k_lists[] = {"bg_events", "object_events", "warp_events", "coord_events"};  // by kind
/// Node properties that are not fields.
constexpr std::string_view k_others[] = {"event",  "to",     "to_warp", "behavior", "collision",
                                         "number", "ground", "kind",    "file",     "path"};

/// Default records with the field names of each kind of event.
const std::array<Value, 4>& default_event_records() {
  static const std::array<Value, 4> all = [] {
    ZoneEvent one;
    one.bg_events.emplace_back(), one.object_events.emplace_back(), one.warp_events.emplace_back(),
        one.coord_events.emplace_back();
    const Value v = to_value(one);
    std::array<Value, 4> out;
    for (size_t i = 0; i < out.size(); ++i) out[i] = *v.find(k_lists[i])->at(0);
    return out;
  }();
  return all;
}

}  // namespace

namespace {

std::optional<u32> read_events_file_number(const scene::Node& n, const GameFiles& files) {
  const auto file = scene::read_text_extra(n.extras, "file");
  return file ? files.of(FileRole::events).find_number_by_name(*file) : std::nullopt;
}

}  // namespace

std::optional<EventSource> read_event_source(const scene::Node& n, const GameFiles& files) {
  const auto node_kind = scene::read_text_extra(n.extras, "kind");
  if (node_kind != k_event_node && node_kind != k_warp_node) return {};
  const auto file = read_events_file_number(n, files);
  const auto path = scene::read_text_extra(n.extras, "path");
  if (!file || !path) return {};
  for (size_t kind = 0; kind < std::size(k_lists); ++kind) {
    if (!path->starts_with(k_lists[kind]) || !path->ends_with(']')) continue;
    std::string_view index = path->substr(k_lists[kind].size());
    if (!index.starts_with('[')) continue;
    index.remove_prefix(1), index.remove_suffix(1);
    if (const auto number = parse_whole_number(index); number && *number >= 0)
      return EventSource{*file, SceneEvent::Kind(kind), size_t(*number)};
  }
  return {};
}

std::optional<std::array<i64, 2>> find_event_tile(const EventSource& source, const GameTables& t) {
  if (source.file >= t.events.size() || !t.events[source.file]) return {};
  const ZoneEvent& e = *t.events[source.file];
  const auto event_tile_at = [&](const auto& list) -> std::optional<std::array<i64, 2>> {
    if (source.index >= list.size()) return {};
    return std::array<i64, 2>{list[source.index].x, list[source.index].z};
  };
  switch (source.kind) {
    case SceneEvent::Kind::sign:
      return event_tile_at(e.bg_events);
    case SceneEvent::Kind::object:
      return event_tile_at(e.object_events);
    case SceneEvent::Kind::warp:
      return event_tile_at(e.warp_events);
    case SceneEvent::Kind::trigger:
      return event_tile_at(e.coord_events);
  }
  return {};
}

std::vector<ExportedEvents> find_exported_events(const scene::Scene& s, const GameFiles& files) {
  std::vector<ExportedEvents> out;
  for (const scene::Node& n : s.nodes) {
    if (scene::read_text_extra(n.extras, "kind") != "platinum.events") continue;
    const auto file = read_events_file_number(n, files);
    const auto header = scene::read_number_extra(n.extras, "header");
    if (file && header && *header >= 0 && *header < k_no_land)
      out.push_back({*file, u32(*header), scene::read_flag_extra(n.extras, "has_events").value_or(false),
                     scene::read_flag_extra(n.extras, "has_warps").value_or(false)});
  }
  return out;
}

namespace {

/// Reads events from the properties of nodes.
class EventReader {
 public:
  EventReader(const scene::Scene& s, const GameTables& t, Diagnostics& notes) : s_(s), t_(t), notes_(notes) {}

  /// Builds an event: fields from the node, defaults from `others`. `next_id`: the id of an object without one.
  Result<Value> build_event(const SceneEvent& e, const Value& others, u64 next_id) {
    const scene::Node& n = s_.nodes[e.node];
    note_unused_properties(e);
    const auto event_error = [&](std::string why) {
      return refuse("edit.argument", {}, {.message = text("object ", given(n.name), ": ", why)});
    };
    // Makes a document with one event, so that its fields are read like JSON.
    Value one = Value::object();
    for (const auto& [name, value] : others.members()) {
      if (name == "x")
        one.add(name, e.x);
      else if (name == "z")
        one.add(name, e.z);
      else if (const Value* said = n.extras.find(name))
        one.add(name, *said);
      else if (name == "y" && e.kind == SceneEvent::Kind::object)
        one.add(name, std::round(e.height / k_tile_units * 65536) / 65536);
      else if (name == "local_id" && e.kind == SceneEvent::Kind::object)
        one.add(name, next_id);
      else if (name == "width")
        one.add(name, u64(e.across));
      else if (name == "length")
        one.add(name, u64(e.down));
      else if (name == "dest_header_id") {
        const auto word = scene::read_text_extra(n.extras, "to");
        const auto number = scene::read_number_extra(n.extras, "to");
        const std::string typed = word ? std::string(*word) : number ? text(i64(*number)) : "";
        if (typed.empty())
          return event_error("a warp needs the property `to`, with the name or number of the map it leads to");
        const auto header = find_header_by_name(t_, typed);
        if (!header) return event_error(text("the warp leads to ", given(typed), ", which is not a map of the game"));
        one.add(name, u64(*header));
      } else if (name == "dest_warp_id") {
        const auto number = scene::read_number_extra(n.extras, "to_warp");
        one.add(name, u64(std::clamp(number.value_or(0), 0.0, 65535.0)));
      } else {
        one.add(name, value);
      }
    }
    Value file = Value::object();
    for (size_t i = 0; i < std::size(k_lists); ++i) {
      Value& list = file.add(std::string(k_lists[i]), Value::list());
      if (i == size_t(e.kind)) list.push(one);
    }
    const auto read = from_dom<ZoneEvent>(Dom(file), 0, 0, MissingValues::any);
    if (!read) {
      const Diagnostic& d = read.error();
      const std::string why = !d.message.empty() ? d.message : text("expected ", d.expected, ", found ", d.found);
      return event_error(d.place.path.empty() ? why
                                              : text(d.place.path.substr(d.place.path.rfind('.') + 1), ": ", why));
    }
    return *to_value(*read).find(k_lists[size_t(e.kind)])->at(0);
  }

 private:
  void note_unused_properties(const SceneEvent& e) {
    const scene::Node& n = s_.nodes[e.node];
    for (const auto& [name, value] : n.extras.members())
      if (!default_event_records()[size_t(e.kind)].find(name) &&
          std::ranges::find(k_others, name) == std::end(k_others))
        notes_.push_back(make_diagnostic(Severity::hint, "platinum.make-property", {},
                                         {.message = text("object ", given(n.name), ": the property ", given(name),
                                                          " is not a field of the event and is ignored")}));
  }

  const scene::Scene& s_;
  const GameTables& t_;
  Diagnostics& notes_;
};

/// Whether two events are equal, ignoring object numbers.
bool is_same_event(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a.members()[i].first != "local_id" && !(a.members()[i].second == b.members()[i].second)) return false;
  return true;
}

}  // namespace

Result<EventImportCounts> import_scene_events(ZoneEvent& to, u32 file, const scene::Scene& s,
                                              std::span<const SceneEvent> events, const EventImportFilter& wanted,
                                              const GameTables& t, Diagnostics& notes) {
  EventReader reader(s, t, notes);
  EventImportCounts out;
  // Warps are identified by list position, so numbered warps go to their positions.
  std::vector<SceneEvent> sorted(events.begin(), events.end());
  sort_stably(sorted, {}, [&](const SceneEvent& e) {
    return scene::read_number_extra(s.nodes[e.node].extras, "number").value_or(1e9);
  });
  const Value before = to_value(to);
  Value after = Value::object();
  for (size_t kind = 0; kind < std::size(k_lists); ++kind) {
    const Value& was = *before.find(k_lists[kind]);
    std::map<size_t, const SceneEvent*> edited;  // by list position
    std::vector<const SceneEvent*> fresh;
    for (const SceneEvent& e : sorted) {
      if (size_t(e.kind) != kind) continue;
      const auto source = wanted.is_back ? read_event_source(s.nodes[e.node], t.files()) : std::nullopt;
      // A copied node has the same source; it is a new event.
      if (!source || source->file != file || size_t(source->kind) != kind || source->index >= was.size() ||
          !edited.emplace(source->index, &e).second)
        fresh.push_back(&e);
    }
    const bool was_shown =
        wanted.exported &&
        (SceneEvent::Kind(kind) == SceneEvent::Kind::warp ? wanted.exported->has_warps : wanted.exported->has_events);
    Value& list = after.add(std::string(k_lists[kind]), Value::list());
    u64 next_id = 0;
    const auto append_event = [&](Value one) {
      if (const Value* id = one.find("local_id")) next_id = std::max<u64>(next_id, u64(id->number()) + 1);
      list.push(std::move(one));
    };
    bool moves_warps = false;
    for (size_t i = 0; i < was.size(); ++i) {
      const Value& one = *was.at(i);
      if (const auto found = edited.find(i); found != edited.end()) {
        SceneEvent e = *found->second;
        // Size 0 is exported as 1.
        if (e.kind == SceneEvent::Kind::trigger) {
          if (e.across == 1 && one.find("width")->number() == 0) e.across = 0;
          if (e.down == 1 && one.find("length")->number() == 0) e.down = 0;
        }
        auto is = reader.build_event(e, one, u64(0));
        if (!is) return refuse(std::move(is.error()));
        out.changed += !(*is == one);
        append_event(std::move(*is));
      } else if (wanted.is_replaced(i64(one.find("x")->number()), i64(one.find("z")->number())) &&
                 (!wanted.is_back || was_shown)) {
        ++out.removed;
        moves_warps = moves_warps || (wanted.is_back && kind == size_t(SceneEvent::Kind::warp) && i + 1 < was.size());
      } else {
        append_event(one);
      }
    }
    for (const SceneEvent* e : fresh) {
      const scene::Node& n = s.nodes[e->node];
      auto one = reader.build_event(*e, default_event_records()[kind], next_id);
      if (!one) return refuse(std::move(one.error()));
      const auto is_there = [&](const Value::Member& other) { return is_same_event(other.second, *one); };
      // Importing the same scene again adds nothing.
      if (wanted.is_back && std::ranges::any_of(list.members(), is_there)) continue;
      if (Value* id = one->find("local_id"); id && read_event_source(n, t.files())) *id = next_id;
      append_event(std::move(*one));
      ++out.added;
    }
    if (moves_warps)
      notes.push_back(make_diagnostic(Severity::warning, "platinum.make-events", {},
                                      {.message = "a warp was removed, so the warps after it have new numbers",
                                       .hint = "{check --maps GAME} finds warps that lead to missing warps"}));
  }
  auto read = from_dom<ZoneEvent>(Dom(after), 0, 0);
  if (!read) return refuse(std::move(read.error()));
  to = std::move(*read);
  return out;
}

}  // namespace dio::platinum
