#include "formats/platinum/game/scene_events.hpp"

#include <algorithm>

#include "core/printing.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts.hpp"
#include "scene/extras.hpp"

namespace dio::platinum {

namespace {

constexpr std::string_view k_lists[] = {"bg_events", "object_events", "warp_events", "coord_events"};  // by kind

/// The names of the fields of each kind of event.
const std::array<Value, 4>& models_of_events() {
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

std::optional<u32> header_named(const GameTables& t, std::string_view typed) {
  if (typed.starts_with("header/")) typed.remove_prefix(7);
  if (const auto number = whole_of(typed)) {
    if (*number >= 0 && u64(*number) < t.headers.size()) return u32(*number);
    return {};
  }
  for (u32 h = 0; h < t.headers.size(); ++h)
    if (!t.name_of_header(h).empty() && lower_case(t.name_of_header(h)) == lower_case(typed)) return h;
  return {};
}

std::optional<Diagnostic> add_events(ZoneEvent& to, const scene::Scene& s, std::span<const SceneEvent> events,
                                     const GameTables& t, Diagnostics& notes) {
  // Warps are known by their places in the list: those with numbers go there.
  std::vector<SceneEvent> sorted(events.begin(), events.end());
  std::ranges::stable_sort(sorted, {}, [&](const SceneEvent& e) {
    return scene::number_in(s.nodes[e.node].extras, "number").value_or(1e9);
  });
  for (const SceneEvent& e : sorted) {
    const scene::Node& n = s.nodes[e.node];
    for (const auto& [name, value] : n.extras.members()) {
      constexpr std::string_view k_others[] = {"event", "to", "to_warp", "behavior", "collision", "number", "ground"};
      if (!models_of_events()[size_t(e.kind)].find(name) && std::ranges::find(k_others, name) == std::end(k_others))
        notes.push_back(make_diagnostic(Severity::hint, "platinum.make-property", {},
                                        {.message = text("object ", given(n.name), ": the property ", given(name),
                                                         " is no field of the event, and is not used")}));
    }
    const auto stop = [&](std::string why) {
      return make_diagnostic("edit.argument", {}, {.message = text("object ", given(n.name), ": ", why)});
    };
    // One event as a document of its own, so that its fields are read as those of JSON.
    Value one = Value::object();
    const Value& model = models_of_events()[size_t(e.kind)];
    for (const auto& [name, value] : model.members()) {
      if (name == "x")
        one.add(name, e.x);
      else if (name == "z")
        one.add(name, e.z);
      else if (const Value* said = n.extras.find(name))
        one.add(name, *said);
      else if (name == "y" && e.kind == SceneEvent::Kind::object)
        one.add(name, std::round(e.height / k_tile_units * 65536) / 65536);
      else if (name == "local_id" && e.kind == SceneEvent::Kind::object) {
        u64 next = 0;
        for (const ObjectEvent& o : to.object_events) next = std::max<u64>(next, o.local_id + 1u);
        one.add(name, next);
      } else if (name == "width")
        one.add(name, u64(e.across));
      else if (name == "length")
        one.add(name, u64(e.down));
      else if (name == "dest_header_id") {
        const auto word = scene::text_in(n.extras, "to");
        const auto number = scene::number_in(n.extras, "to");
        const std::string typed = word ? std::string(*word) : number ? text(i64(*number)) : "";
        if (typed.empty()) return stop("a warp needs the property to, the name or number of the map it leads to");
        const auto header = header_named(t, typed);
        if (!header) return stop(text("the warp leads to ", given(typed), ", which is no map of the game"));
        one.add(name, u64(*header));
      } else if (name == "dest_warp_id") {
        const auto number = scene::number_in(n.extras, "to_warp");
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
    auto read = from_dom<ZoneEvent>(Dom(file), 0, 0, Missing::any);
    if (!read) {
      const Diagnostic& d = read.error();
      const std::string why = !d.message.empty() ? d.message : text("expected ", d.expected, ", found ", d.found);
      return stop(d.place.path.empty() ? why : text(d.place.path.substr(d.place.path.rfind('.') + 1), ": ", why));
    }
    const auto append = [](auto& list, auto& more) { list.insert(list.end(), more.begin(), more.end()); };
    append(to.bg_events, read->bg_events), append(to.object_events, read->object_events);
    append(to.warp_events, read->warp_events), append(to.coord_events, read->coord_events);
  }
  return {};
}

}  // namespace dio::platinum
