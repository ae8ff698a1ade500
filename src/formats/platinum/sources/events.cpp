// events.cpp: res/field/events/events_*.json and the events of a map.
#include <algorithm>
#include <set>

#include "core/printing.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/sources/documents.hpp"

namespace dio::platinum {

namespace {

using Kind = Value::Kind;
using Id = SourceText::Id;
using Stop = std::optional<Diagnostic>;

/// The first scripts of trainers, for battles against one and against two.
constexpr i64 k_trainer_scripts = 3000, k_double_scripts = 5000;
constexpr std::string_view k_second_of_two = "double_battle_id";
constexpr std::string_view k_gfx = "OBJ_EVENT_GFX_", k_local = "LOCALID_";

enum class How : u8 {
  whole,
  half,            // two bytes, whatever their sign: the converter takes none below zero
  named,           // in `space`
  flag,            // a flag or a variable, or "0"
  flag_or_header,  // the same; of clones, the map of the original
  script,          // a number or a trainer
  data,            // up to three numbers
  place,           // the place in the list, unless the object has a `clone_id`
};
struct Field {
  std::string_view key;
  How how = How::half;
  Space space = Space::flags;
  i64 most = 65535;
};
/// An event as numbers, in the order of its fields.
using Record = std::vector<i64>;

constexpr Field k_signs[] = {{"script"},
                             {"type"},
                             {"x", How::whole, {}, 0xFFFFFFFF},
                             {"z", How::whole, {}, 0xFFFFFFFF},
                             {"y", How::whole, {}, 0xFFFFFFFF},
                             {"player_facing_dir", How::named, Space::facings}};
constexpr Field k_objects[] = {{"clone_id", How::place},
                               {"graphics_id", How::named, Space::graphics},
                               {"movement_type", How::named, Space::movements},
                               {"trainer_type", How::named, Space::trainer_types},
                               {"hidden_flag", How::flag_or_header},
                               {"script", How::script},
                               {"initial_dir"},
                               {"data", How::data},
                               {"movement_range_x"},
                               {"movement_range_z"},
                               {"x"},
                               {"z"},
                               {"y", How::whole, {}, 0xFFFF}};
constexpr Field k_warps[] = {{"x"}, {"z"}, {"dest_header_id", How::named, Space::headers}, {"dest_warp_id"}};
constexpr Field k_triggers[] = {{"script"}, {"x"}, {"z"}, {"y"}, {"width"}, {"length"}, {"var", How::flag}, {"value"}};
constexpr size_t k_graphics_field = 1;

i64 packed(const std::array<u16, 3>& data) { return i64(data[0]) | i64(data[1]) << 16 | i64(data[2]) << 32; }
std::array<u16, 3> unpacked(i64 n) { return {u16(n), u16(n >> 16), u16(n >> 32)}; }

/// The converter takes whole tiles, none below zero.
i64 whole_height(const ObjectEvent& e) { return std::clamp<i64>((i64(e.y.raw) + 0x8000) >> 16, 0, 0xFFFF); }
bool has_whole_height(const ObjectEvent& e) { return whole_height(e) << 16 == e.y.raw; }

Record record(const BgEvent& e) { return {e.script, e.type, u32(e.x), u32(e.z), u32(e.y), e.player_facing_dir}; }
Record record(const ObjectEvent& e) {
  return {e.local_id, e.graphics_id, e.movement_type, e.trainer_type,          e.hidden_flag,
          e.script,   u16(e.dir),    packed(e.data),  u16(e.movement_range_x), u16(e.movement_range_z),
          e.x,        e.z,           whole_height(e)};
}
Record record(const WarpEvent& e) { return {e.x, e.z, e.dest_header_id, e.dest_warp_id}; }
Record record(const CoordEvent& e) { return {e.script, e.x, e.z, e.y, e.width, e.length, e.var, e.value}; }

void take(BgEvent& e, const Record& r) {
  e = {u16(r[0]), u16(r[1]), i32(u32(r[2])), i32(u32(r[3])), i32(u32(r[4])), u16(r[5]), 0};
}
void take(ObjectEvent& e, const Record& r) {
  e.local_id = u16(r[0]), e.graphics_id = u16(r[1]), e.movement_type = u16(r[2]), e.trainer_type = u16(r[3]);
  e.hidden_flag = u16(r[4]), e.script = u16(r[5]), e.dir = i16(r[6]), e.data = unpacked(r[7]);
  e.movement_range_x = i16(r[8]), e.movement_range_z = i16(r[9]), e.x = u16(r[10]), e.z = u16(r[11]);
  e.y.raw = i32(u32(r[12]) << 16);
}
void take(WarpEvent& e, const Record& r) { e = {u16(r[0]), u16(r[1]), u16(r[2]), u16(r[3]), 0}; }
void take(CoordEvent& e, const Record& r) {
  e = {u16(r[0]), u16(r[1]), u16(r[2]), u16(r[4]), u16(r[5]), u16(r[3]), u16(r[7]), u16(r[6])};
}

// ---- reading ----

i64 script_in(const SourceText& s, Id object, Id id, const SourceNames& names) {
  const Dom& d = s.dom();
  if (!d.is(id, Kind::text)) return s.whole(id, 0, 65535);
  if (const auto trainer = names.of(Space::trainers).number(d.text(id))) {
    const Id second = d.find(object, k_second_of_two);
    const i64 first = second && d.token(second) == "2" ? k_double_scripts : k_trainer_scripts;
    const i64 script = *trainer - 1 + first;
    if (script < 0 || script > 65535) s.stop(id, "a trainer with a script");
    return script;
  }
  const std::string_view digits = d.text(id);
  i64 n = 0;
  for (const char c : digits) n = c >= '0' && c <= '9' && n <= 65535 ? n * 10 + (c - '0') : 1 << 20;
  if (digits.empty() || n > 65535) s.stop(id, text("a number, or a name of ", SourceNames::file_of(Space::trainers)));
  return n;
}

i64 flag_in(const SourceText& s, Id id, const SourceNames& names, bool may_be_header) {
  const std::string_view word = s.dom().text(id);
  if (word == "0") return 0;
  if (const auto flag = names.of(Space::flags).number(word)) return *flag;
  if (const auto header = may_be_header ? names.of(Space::headers).number(word) : std::nullopt) return *header;
  s.stop(id, text("\"0\", or a name of ", SourceNames::file_of(Space::flags),
                  may_be_header ? text(" or ", SourceNames::file_of(Space::headers)) : ""));
  return 0;
}

i64 data_in(const SourceText& s, Id list) {
  std::array<u16, 3> out{};
  if (s.dom().size(list) > out.size()) {
    s.stop(list, "at most three numbers");
    return 0;
  }
  size_t i = 0;
  for (Id one = s.dom().first(list); one; one = s.dom().next(one)) out[i++] = u16(s.whole(one, 0, 65535));
  return packed(out);
}

Record record_in(const SourceText& s, Id event, std::span<const Field> fields, size_t place, const SourceNames& names) {
  Record out;
  for (const Field& f : fields) {
    if (s.problem) return {};
    if (f.how == How::place) {
      const Id clone = s.dom().is(event, Kind::object) ? s.dom().find(event, f.key) : 0;
      out.push_back(clone ? s.whole(clone, 0, 65535) : i64(std::min<size_t>(place, 65535)));
      continue;
    }
    const Id id = f.how == How::script && s.dom().find(event, f.key) ? s.dom().find(event, f.key)
                  : f.how == How::data                               ? s.member(event, f.key, Kind::list)
                  : f.how == How::whole || f.how == How::half || f.how == How::script
                      ? s.member(event, f.key, Kind::integer)
                      : s.member(event, f.key, Kind::text);
    if (!id) return {};
    switch (f.how) {
      case How::named:
        out.push_back(s.named(id, names, f.space));
        break;
      case How::flag:
      case How::flag_or_header:
        out.push_back(flag_in(s, id, names, f.how == How::flag_or_header));
        break;
      case How::script:
        out.push_back(script_in(s, event, id, names));
        break;
      case How::data:
        out.push_back(data_in(s, id));
        break;
      default:
        out.push_back(s.whole(id, 0, f.most));
    }
  }
  return out;
}

template <class T>
std::vector<T> list_in(const SourceText& s, std::string_view name, std::span<const Field> fields,
                       const SourceNames& names) {
  std::vector<T> out;
  const Id list = s.member(0, name, Kind::list);
  for (Id one = list ? s.dom().first(list) : 0; one && !s.problem; one = s.dom().next(one)) {
    const Record r = record_in(s, one, fields, out.size(), names);
    if (!s.problem) take(out.emplace_back(), r);
  }
  return out;
}

// ---- writing ----

class EventSetter {
 public:
  EventSetter(SourceText& s, const SourceNames& names, Diagnostics& notes, std::vector<std::string>& gone)
      : s_(s), names_(names), notes_(notes), gone_(gone) {}

  template <class T>
  Stop set(std::string_view name, std::span<const Field> fields, const std::vector<T>& before,
           const std::vector<T>& after) {
    const Dom& d = s_.dom();
    name_ = name, fields_ = fields;
    std::vector<Record> was, now;
    for (const T& e : before) was.push_back(record(e));
    for (const T& e : after) now.push_back(record(e));
    if (was == now) return {};
    const Id list = d.find(0, name);
    std::vector<Id> ids;
    for (Id one = d.first(list); one; one = d.next(one)) ids.push_back(one);
    auto from = partners(values(was), values(now));
    // Objects have names, and one with another look is another one; so are other clones.
    if (has_places())
      for (size_t i = 0; i < now.size(); ++i) {
        if (!from[i]) continue;
        const Record& old = was[*from[i]];
        const bool is_clone = d.find(ids[*from[i]], k_objects[0].key) != 0;
        if (old[k_graphics_field] != now[i][k_graphics_field] || (is_clone && old[0] != now[i][0])) from[i].reset();
      }
    for (const auto& p : from)
      if (p) take_local(ids[*p]);
    bool is_same_list = was.size() == now.size();
    for (size_t i = 0; i < now.size(); ++i) is_same_list &= from[i] == i;
    std::vector<std::pair<Id, std::string>> elements;
    i64 most_local = -1;
    for (size_t i = 0; i < now.size(); ++i) {
      // A number that follows those before it is the place; any other one is that of a clone.
      const bool is_numbered = has_places() && now[i][0] != i64(i) && now[i][0] != most_local + 1;
      if constexpr (std::is_same_v<T, ObjectEvent>)
        if (!has_whole_height(after[i])) note_height(after[i], i);
      if (from[i]) {
        if (auto stop = edit(ids[*from[i]], was[*from[i]], now[i], i, is_numbered)) return stop;
        elements.emplace_back(ids[*from[i]], std::string());
      } else {
        Value v = Value::object();
        if (auto stop = print(v, now[i], i, is_numbered)) return stop;
        elements.emplace_back(0, SourceText::printed(v, s_.indent_of(list) + 4));
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
  void note_height(const ObjectEvent& e, size_t i) {
    notes_.push_back(make_diagnostic(
        Severity::hint, "platinum.make-height", dio::Place::in_file(s_.path(), text(name_, '[', i, "].y")),
        {.message = text("the height of the object becomes ", whole_height(e), " instead of ", f64(e.y.raw) / 65536,
                         " tiles: the decompilation builds whole ones")}));
  }
  bool has_places() const { return fields_[0].how == How::place; }
  /// For finding out which is which.
  Value values(const std::vector<Record>& all) const {
    Value out = Value::list();
    for (const Record& r : all) {
      Value& one = out.push(Value::object());
      for (size_t k = 0; k < fields_.size(); ++k)
        if (fields_[k].how != How::place) one.add(std::string(fields_[k].key), r[k]);
    }
    return out;
  }
  std::string place_of(size_t i, const Field& f) const { return text(name_, '[', i, "].", f.key); }

  /// The text of a value; that of a list of numbers in the lines of its own.
  Named shown(const Field& f, i64 n, size_t i, bool is_header, size_t indent) const {
    switch (f.how) {
      case How::named:
        return name_text(s_, place_of(i, f), n, names_, f.space);
      case How::flag:
      case How::flag_or_header:
        if (is_header) return name_text(s_, place_of(i, f), n, names_, Space::headers);
        if (!n) return {"\"0\"", {}};
        return name_text(s_, place_of(i, f), n, names_, Space::flags, {"FLAG_", "VAR_", ""});
      case How::script:
        for (const i64 first : {k_double_scripts, k_trainer_scripts})
          if (n >= first)
            if (const std::string_view name = names_.of(Space::trainers).name(n - first + 1); !name.empty())
              return {quoted(name), {}};
        return {std::to_string(n), {}};
      case How::data: {
        Value list = Value::list();
        const auto data = unpacked(n);
        size_t size = data.size();
        while (size && !data[size - 1]) --size;
        for (size_t k = 0; k < size; ++k) list.push(data[k]);
        return {SourceText::printed(list, indent), {}};
      }
      default:
        return {std::to_string(n), {}};
    }
  }
  bool is_of_two(i64 script) const {
    return script >= k_double_scripts && !names_.of(Space::trainers).name(script - k_double_scripts + 1).empty();
  }

  Stop edit(Id event, const Record& was, const Record& now, size_t i, bool is_numbered) {
    const Dom& d = s_.dom();
    const bool is_clone = d.find(event, k_objects[0].key) != 0;
    for (size_t k = 0; k < fields_.size(); ++k) {
      const Field& f = fields_[k];
      const Id id = d.find(event, f.key);
      if (was[k] == now[k]) continue;
      if (f.how == How::place) {
        if (id)
          s_.replace(id, std::to_string(now[k]));
        else if (is_numbered)
          s_.add_member(d.find(event, "id") ? d.find(event, "id") : d.find(event, "graphics_id"), f.key,
                        std::to_string(now[k]));
        continue;
      }
      Named value = shown(f, now[k], i, is_clone && f.how == How::flag_or_header, s_.indent_of(id));
      if (value.problem) return std::move(value.problem);
      s_.replace(id, std::move(value.text));
      if (f.how != How::script) continue;
      const Id second = d.find(event, k_second_of_two);
      if (second && (d.token(second) == "2") != is_of_two(now[k]))
        s_.replace(second, is_of_two(now[k]) ? "2" : "1");
      else if (!second && is_of_two(now[k]))
        s_.add_member(id, k_second_of_two, "2");
    }
    return {};
  }

  /// A new event.
  Stop print(Value& to, const Record& now, size_t i, bool is_clone) {
    for (size_t k = 0; k < fields_.size(); ++k) {
      const Field& f = fields_[k];
      if (f.how == How::place) {
        to.add("id", new_local(now[k_graphics_field]));
        if (is_clone) to.add(std::string(f.key), now[k]);
        continue;
      }
      // Values are printed as text below, so that all have the same way to their names.
      Named value = shown(f, now[k], i, is_clone && f.how == How::flag_or_header, 0);
      if (value.problem) return std::move(value.problem);
      const auto read = json::read(value.text);
      to.add(std::string(f.key), read ? *read : Value(now[k]));
      if (f.how == How::script && is_of_two(now[k])) to.add(std::string(k_second_of_two), 2);
    }
    return {};
  }

  void take_local(Id event) {
    if (const Id id = s_.dom().find(event, "id")) locals_.insert(std::string(s_.dom().text(id)));
  }
  /// LOCALID_LASS, LOCALID_LASS_2: what scripts call the object.
  std::string new_local(i64 graphics) {
    std::string_view look = names_.of(Space::graphics).name(graphics);
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

ZoneEvent events_in(const SourceText& s, const SourceNames& names) {
  ZoneEvent out;
  out.bg_events = list_in<BgEvent>(s, "bg_events", k_signs, names);
  out.object_events = list_in<ObjectEvent>(s, "object_events", k_objects, names);
  out.warp_events = list_in<WarpEvent>(s, "warp_events", k_warps, names);
  out.coord_events = list_in<CoordEvent>(s, "coord_events", k_triggers, names);
  return out;
}

Stop set_events(SourceText& s, const ZoneEvent& now, const SourceNames& names, Diagnostics& notes,
                std::vector<std::string>& gone) {
  const ZoneEvent was = events_in(s, names);
  if (s.problem) return s.take_problem();
  EventSetter setter(s, names, notes, gone);
  if (auto stop = setter.set("bg_events", k_signs, was.bg_events, now.bg_events)) return stop;
  if (auto stop = setter.set("object_events", k_objects, was.object_events, now.object_events)) return stop;
  if (auto stop = setter.set("warp_events", k_warps, was.warp_events, now.warp_events)) return stop;
  return setter.set("coord_events", k_triggers, was.coord_events, now.coord_events);
}

}  // namespace dio::platinum
