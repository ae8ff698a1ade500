// events.cpp: converts res/field/events/events_*.json to and from map events.
#include <algorithm>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/sources/documents.hpp"

namespace dio::platinum {

namespace {

using Kind = Value::Kind;
using Id = SourceText::Id;
using MaybeDiagnostic = std::optional<Diagnostic>;

/// The first scripts of trainers, for battles against one and against two.
constexpr i64 k_trainer_scripts = 3000, k_double_scripts = 5000;
constexpr std::string_view k_second_of_two = "double_battle_id";
constexpr std::string_view k_gfx = "OBJ_EVENT_GFX_", k_local = "LOCALID_";

enum class ScriptNumberForm : u8 {
  whole,
  half,            // two bytes of any sign; the converter accepts none below zero
  named,           // in `space`
  flag,            // a flag or a variable, or "0"
  flag_or_header,  // like `flag`; for clones, the map of the original
  script,          // a number or a trainer
  data,            // up to three numbers
  place,           // the list position, unless the object has a `clone_id`
};
struct Field {
  std::string_view key;
  ScriptNumberForm how = ScriptNumberForm::half;
  Space space = Space::flags;
  i64 most = 65535;
};
/// An event as numbers, in the order of its fields.
using Record = std::vector<i64>;

constexpr Field k_signs[] = {{"script"},
                             {"type"},
                             {"x", ScriptNumberForm::whole, {}, 0xFFFFFFFF},
                             {"z", ScriptNumberForm::whole, {}, 0xFFFFFFFF},
                             {"y", ScriptNumberForm::whole, {}, 0xFFFFFFFF},
                             {"player_facing_dir", ScriptNumberForm::named, Space::facings}};
constexpr Field k_objects[] = {{"clone_id", ScriptNumberForm::place},
                               {"graphics_id", ScriptNumberForm::named, Space::graphics},
                               {"movement_type", ScriptNumberForm::named, Space::movements},
                               {"trainer_type", ScriptNumberForm::named, Space::trainer_types},
                               {"hidden_flag", ScriptNumberForm::flag_or_header},
                               {"script", ScriptNumberForm::script},
                               {"initial_dir"},
                               {"data", ScriptNumberForm::data},
                               {"movement_range_x"},
                               {"movement_range_z"},
                               {"x"},
                               {"z"},
                               {"y", ScriptNumberForm::whole, {}, 0xFFFF}};
constexpr Field k_warps[] = {
    {"x"}, {"z"}, {"dest_header_id", ScriptNumberForm::named, Space::headers}, {"dest_warp_id"}};
constexpr Field k_triggers[] = {{"script"}, {"x"}, {"z"}, {"y"}, {"width"}, {"length"}, {"var", ScriptNumberForm::flag},
                                {"value"}};
constexpr size_t k_graphics_field = 1;

i64 pack_event_data(const std::array<u16, 3>& data) { return i64(data[0]) | i64(data[1]) << 16 | i64(data[2]) << 32; }
std::array<u16, 3> unpack_event_data(i64 n) { return {u16(n), u16(n >> 16), u16(n >> 32)}; }

/// The converter accepts only whole tiles, none below zero.
i64 round_height(const ObjectEvent& e) { return std::clamp<i64>((i64(e.y.raw) + 0x8000) >> 16, 0, 0xFFFF); }
bool has_whole_height(const ObjectEvent& e) { return round_height(e) << 16 == e.y.raw; }

Record to_record(const BgEvent& e) { return {e.script, e.type, u32(e.x), u32(e.z), u32(e.y), e.player_facing_dir}; }
Record to_record(const ObjectEvent& e) {
  return {e.local_id, e.graphics_id, e.movement_type,         e.trainer_type,          e.hidden_flag,
          e.script,   u16(e.dir),    pack_event_data(e.data), u16(e.movement_range_x), u16(e.movement_range_z),
          e.x,        e.z,           round_height(e)};
}
Record to_record(const WarpEvent& e) { return {e.x, e.z, e.dest_header_id, e.dest_warp_id}; }
Record to_record(const CoordEvent& e) { return {e.script, e.x, e.z, e.y, e.width, e.length, e.var, e.value}; }

void assign_from_record(BgEvent& e, const Record& r) {
  e = {u16(r[0]), u16(r[1]), i32(u32(r[2])), i32(u32(r[3])), i32(u32(r[4])), u16(r[5]), 0};
}
void assign_from_record(ObjectEvent& e, const Record& r) {
  e.local_id = u16(r[0]), e.graphics_id = u16(r[1]), e.movement_type = u16(r[2]), e.trainer_type = u16(r[3]);
  e.hidden_flag = u16(r[4]), e.script = u16(r[5]), e.dir = i16(r[6]), e.data = unpack_event_data(r[7]);
  e.movement_range_x = i16(r[8]), e.movement_range_z = i16(r[9]), e.x = u16(r[10]), e.z = u16(r[11]);
  e.y.raw = i32(u32(r[12]) << 16);
}
void assign_from_record(WarpEvent& e, const Record& r) { e = {u16(r[0]), u16(r[1]), u16(r[2]), u16(r[3]), 0}; }
void assign_from_record(CoordEvent& e, const Record& r) {
  e = {u16(r[0]), u16(r[1]), u16(r[2]), u16(r[4]), u16(r[5]), u16(r[3]), u16(r[7]), u16(r[6])};
}

// ---- reading ----

i64 parse_script(const SourceText& s, Id object, Id id, const SourceNames& names) {
  const Dom& d = s.dom();
  if (!d.is(id, Kind::text)) return s.read_integer(id, 0, 65535);
  if (const auto trainer = names.table_of(Space::trainers).number(d.text(id))) {
    const Id second = d.find(object, k_second_of_two);
    const i64 first = second && d.token(second) == "2" ? k_double_scripts : k_trainer_scripts;
    const i64 script = *trainer - 1 + first;
    if (script < 0 || script > 65535) s.report_expected(id, "a trainer with a script");
    return script;
  }
  const std::string_view digits = d.text(id);
  i64 n = 0;
  for (const char c : digits) n = c >= '0' && c <= '9' && n <= 65535 ? n * 10 + (c - '0') : 1 << 20;
  if (digits.empty() || n > 65535)
    s.report_expected(id, text("a number or a name from ", SourceNames::file_of(Space::trainers)));
  return n;
}

i64 parse_flag(const SourceText& s, Id id, const SourceNames& names, bool may_be_header) {
  const std::string_view word = s.dom().text(id);
  if (word == "0") return 0;
  if (const auto flag = names.table_of(Space::flags).number(word)) return *flag;
  if (const auto header = may_be_header ? names.table_of(Space::headers).number(word) : std::nullopt) return *header;
  s.report_expected(id, text("\"0\" or a name from ", SourceNames::file_of(Space::flags),
                             may_be_header ? text(" or ", SourceNames::file_of(Space::headers)) : ""));
  return 0;
}

i64 parse_event_data(const SourceText& s, Id list) {
  std::array<u16, 3> out{};
  if (s.dom().size(list) > out.size()) {
    s.report_expected(list, "at most three numbers");
    return 0;
  }
  size_t i = 0;
  for (Id one = s.dom().first(list); one; one = s.dom().next(one)) out[i++] = u16(s.read_integer(one, 0, 65535));
  return pack_event_data(out);
}

Record parse_record(const SourceText& s, Id event, std::span<const Field> fields, size_t place,
                    const SourceNames& names) {
  Record out;
  for (const Field& f : fields) {
    if (s.problem) return {};
    if (f.how == ScriptNumberForm::place) {
      const Id clone = s.dom().is(event, Kind::object) ? s.dom().find(event, f.key) : 0;
      out.push_back(clone ? s.read_integer(clone, 0, 65535) : i64(std::min<size_t>(place, 65535)));
      continue;
    }
    const Id id =
        f.how == ScriptNumberForm::script && s.dom().find(event, f.key) ? s.dom().find(event, f.key)
        : f.how == ScriptNumberForm::data                               ? s.member(event, f.key, Kind::list)
        : f.how == ScriptNumberForm::whole || f.how == ScriptNumberForm::half || f.how == ScriptNumberForm::script
            ? s.member(event, f.key, Kind::integer)
            : s.member(event, f.key, Kind::text);
    if (!id) return {};
    switch (f.how) {
      case ScriptNumberForm::named:
        out.push_back(s.read_named_number(id, names, f.space));
        break;
      case ScriptNumberForm::flag:
      case ScriptNumberForm::flag_or_header:
        out.push_back(parse_flag(s, id, names, f.how == ScriptNumberForm::flag_or_header));
        break;
      case ScriptNumberForm::script:
        out.push_back(parse_script(s, event, id, names));
        break;
      case ScriptNumberForm::data:
        out.push_back(parse_event_data(s, id));
        break;
      default:
        out.push_back(s.read_integer(id, 0, f.most));
    }
  }
  return out;
}

template <class T>
std::vector<T> parse_event_list(const SourceText& s, std::string_view name, std::span<const Field> fields,
                                const SourceNames& names) {
  std::vector<T> out;
  const Id list = s.member(0, name, Kind::list);
  for (Id one = list ? s.dom().first(list) : 0; one && !s.problem; one = s.dom().next(one)) {
    const Record r = parse_record(s, one, fields, out.size(), names);
    if (!s.problem) assign_from_record(out.emplace_back(), r);
  }
  return out;
}

// ---- writing ----

class EventSetter {
 public:
  EventSetter(SourceText& s, const SourceNames& names, Diagnostics& notes, std::vector<std::string>& gone)
      : s_(s), names_(names), notes_(notes), gone_(gone) {}

  template <class T>
  MaybeDiagnostic update_list(std::string_view name, std::span<const Field> fields, const std::vector<T>& before,
                              const std::vector<T>& after) {
    const Dom& d = s_.dom();
    name_ = name, fields_ = fields;
    std::vector<Record> was, now;
    for (const T& e : before) was.push_back(to_record(e));
    for (const T& e : after) now.push_back(to_record(e));
    if (was == now) return {};
    const Id list = d.find(0, name);
    std::vector<Id> ids;
    for (Id one = d.first(list); one; one = d.next(one)) ids.push_back(one);
    auto from = match_list_elements(to_value_list(was), to_value_list(now));
    // Objects have names; an object with another look, or another clone, is a different object.
    if (has_places())
      for (size_t i = 0; i < now.size(); ++i) {
        if (!from[i]) continue;
        const Record& old = was[*from[i]];
        const bool is_clone = d.find(ids[*from[i]], k_objects[0].key) != 0;
        if (old[k_graphics_field] != now[i][k_graphics_field] || (is_clone && old[0] != now[i][0])) from[i].reset();
      }
    for (const auto& p : from)
      if (p) reserve_local_id(ids[*p]);
    bool is_same_list = was.size() == now.size();
    for (size_t i = 0; i < now.size(); ++i) is_same_list &= from[i] == i;
    std::vector<std::pair<Id, std::string>> elements;
    i64 most_local = -1;
    for (size_t i = 0; i < now.size(); ++i) {
      // A number equal to the list position is the position; any other number belongs to a clone.
      const bool is_numbered = has_places() && now[i][0] != i64(i) && now[i][0] != most_local + 1;
      if constexpr (std::is_same_v<T, ObjectEvent>)
        if (!has_whole_height(after[i])) note_rounded_height(after[i], i);
      if (from[i]) {
        if (auto stop = update_event(ids[*from[i]], was[*from[i]], now[i], i, is_numbered)) return stop;
        elements.emplace_back(ids[*from[i]], std::string());
      } else {
        Value v = Value::object();
        if (auto stop = add_new_event(v, now[i], i, is_numbered)) return stop;
        elements.emplace_back(0, SourceText::format_json_indented(v, s_.line_indent_of(list) + 4));
      }
      if (has_places()) most_local = std::max(most_local, now[i][0]);
    }
    if (!is_same_list) s_.replace_elements(list, elements);
    for (const Id one : ids)
      if (const Id id = has_places() ? d.find(one, "id") : 0; id && !locals_.contains(std::string(d.text(id))))
        gone_.emplace_back(d.text(id));
    return {};
  }

 private:
  void note_rounded_height(const ObjectEvent& e, size_t i) {
    notes_.push_back(make_diagnostic(
        Severity::hint, "platinum.make-height", dio::Location::in_file(s_.path(), text(name_, '[', i, "].y")),
        {.message = text("the height of the object is rounded from ", f64(e.y.raw) / 65536, " to ", round_height(e),
                         " tiles, because the decompilation allows only whole tiles")}));
  }
  bool has_places() const { return fields_[0].how == ScriptNumberForm::place; }
  /// A list for matching elements.
  Value to_value_list(const std::vector<Record>& all) const {
    Value out = Value::list();
    for (const Record& r : all) {
      Value& one = out.push(Value::object());
      for (size_t k = 0; k < fields_.size(); ++k)
        if (fields_[k].how != ScriptNumberForm::place) one.add(std::string(fields_[k].key), r[k]);
    }
    return out;
  }
  std::string field_path(size_t i, const Field& f) const { return text(name_, '[', i, "].", f.key); }

  /// The text of a value; a list of numbers gets its own lines.
  Named format_field(const Field& f, i64 n, size_t i, bool is_header, size_t indent) const {
    switch (f.how) {
      case ScriptNumberForm::named:
        return format_name(s_, field_path(i, f), n, names_, f.space);
      case ScriptNumberForm::flag:
      case ScriptNumberForm::flag_or_header:
        if (is_header) return format_name(s_, field_path(i, f), n, names_, Space::headers);
        if (!n) return {"\"0\"", {}};
        return format_name(s_, field_path(i, f), n, names_, Space::flags, {"FLAG_", "VAR_", ""});
      case ScriptNumberForm::script:
        for (const i64 first : {k_double_scripts, k_trainer_scripts})
          if (n >= first)
            if (const std::string_view name = names_.table_of(Space::trainers).name(n - first + 1); !name.empty())
              return {quote_json(name), {}};
        return {std::to_string(n), {}};
      case ScriptNumberForm::data: {
        Value list = Value::list();
        const auto data = unpack_event_data(n);
        size_t size = data.size();
        while (size && !data[size - 1]) --size;
        for (size_t k = 0; k < size; ++k) list.push(data[k]);
        return {SourceText::format_json_indented(list, indent), {}};
      }
      default:
        return {std::to_string(n), {}};
    }
  }
  bool is_double_battle_script(i64 script) const {
    return script >= k_double_scripts && !names_.table_of(Space::trainers).name(script - k_double_scripts + 1).empty();
  }

  MaybeDiagnostic update_event(Id event, const Record& was, const Record& now, size_t i, bool is_numbered) {
    const Dom& d = s_.dom();
    const bool is_clone = d.find(event, k_objects[0].key) != 0;
    for (size_t k = 0; k < fields_.size(); ++k) {
      const Field& f = fields_[k];
      const Id id = d.find(event, f.key);
      if (was[k] == now[k]) continue;
      if (f.how == ScriptNumberForm::place) {
        if (id)
          s_.replace(id, std::to_string(now[k]));
        else if (is_numbered)
          s_.add_member(d.find(event, "id") ? d.find(event, "id") : d.find(event, "graphics_id"), f.key,
                        std::to_string(now[k]));
        continue;
      }
      Named value =
          format_field(f, now[k], i, is_clone && f.how == ScriptNumberForm::flag_or_header, s_.line_indent_of(id));
      if (value.problem) return std::move(value.problem);
      s_.replace(id, std::move(value.text));
      if (f.how != ScriptNumberForm::script) continue;
      const Id second = d.find(event, k_second_of_two);
      if (second && (d.token(second) == "2") != is_double_battle_script(now[k]))
        s_.replace(second, is_double_battle_script(now[k]) ? "2" : "1");
      else if (!second && is_double_battle_script(now[k]))
        s_.add_member(id, k_second_of_two, "2");
    }
    return {};
  }

  /// Adds a new event.
  MaybeDiagnostic add_new_event(Value& to, const Record& now, size_t i, bool is_clone) {
    for (size_t k = 0; k < fields_.size(); ++k) {
      const Field& f = fields_[k];
      if (f.how == ScriptNumberForm::place) {
        to.add("id", make_local_id(now[k_graphics_field]));
        if (is_clone) to.add(std::string(f.key), now[k]);
        continue;
      }
      // Values are printed as text below, so that all of them are named in the same way.
      Named value = format_field(f, now[k], i, is_clone && f.how == ScriptNumberForm::flag_or_header, 0);
      if (value.problem) return std::move(value.problem);
      const auto read = json::read(value.text);
      to.add(std::string(f.key), read ? *read : Value(now[k]));
      if (f.how == ScriptNumberForm::script && is_double_battle_script(now[k])) to.add(std::string(k_second_of_two), 2);
    }
    return {};
  }

  void reserve_local_id(Id event) {
    if (const Id id = s_.dom().find(event, "id")) locals_.insert(std::string(s_.dom().text(id)));
  }
  /// LOCALID_LASS, LOCALID_LASS_2: what scripts call the object.
  std::string make_local_id(i64 graphics) {
    std::string_view look = names_.table_of(Space::graphics).name(graphics);
    if (look.starts_with(k_gfx)) look.remove_prefix(k_gfx.size());
    const std::string name = std::string(k_local) + std::string(look);
    std::string out = name;
    for (int n = 2; !locals_.insert(out).second; ++n) out = name + '_' + std::to_string(n);
    return out;
  }

  SourceText& s_;
  const SourceNames& names_;
  Diagnostics& notes_;
  std::vector<std::string>& gone_;
  std::string_view name_;
  std::span<const Field> fields_;
  std::set<std::string> locals_;
};

}  // namespace

ZoneEvent parse_events(const SourceText& s, const SourceNames& names) {
  ZoneEvent out;
  out.bg_events = parse_event_list<BgEvent>(s, "bg_events", k_signs, names);
  out.object_events = parse_event_list<ObjectEvent>(s, "object_events", k_objects, names);
  out.warp_events = parse_event_list<WarpEvent>(s, "warp_events", k_warps, names);
  out.coord_events = parse_event_list<CoordEvent>(s, "coord_events", k_triggers, names);
  return out;
}

MaybeDiagnostic update_events_source(SourceText& s, const ZoneEvent& now, const SourceNames& names, Diagnostics& notes,
                                     std::vector<std::string>& gone) {
  const ZoneEvent was = parse_events(s, names);
  if (s.problem) return s.take_problem();
  EventSetter setter(s, names, notes, gone);
  if (auto stop = setter.update_list("bg_events", k_signs, was.bg_events, now.bg_events)) return stop;
  if (auto stop = setter.update_list("object_events", k_objects, was.object_events, now.object_events)) return stop;
  if (auto stop = setter.update_list("warp_events", k_warps, was.warp_events, now.warp_events)) return stop;
  return setter.update_list("coord_events", k_triggers, was.coord_events, now.coord_events);
}

}  // namespace dio::platinum
