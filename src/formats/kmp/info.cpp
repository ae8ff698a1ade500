// info.cpp: summarizes a course in a dozen lines.
#include "core/sorting.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/kmp/course_kind.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"

namespace dio::kmp {

Value info(const Kmp& k) {
  Value v = Value::object();
  const CourseKind kind = guess_course_kind(k);
  v.add("course", kind.dispatch_arena() ? "arena with dispatch points" : kind.arena ? "arena" : "race");
  if (k.version) {
    const auto word = k_versions.of(*k.version);
    v.add("version", *k.version);
    v.add("known_from", word.empty() ? Value("no known file") : Value(word));
  } else
    v.add("version", "none");

  Value& sections = v.add("sections", Value::object());
  std::apply(
      [&](const auto&... x) {
        ((x ? void(sections.add(std::remove_cvref_t<decltype(*x)>::k_name, u64(x->entries.size()))) : void()), ...);
      },
      Kmp::typed(k));
  for (const Slot& s : k.sections) {
    if (!s.raw) continue;
    std::string name = s.name ? std::string(s.name->view()) : "?";
    while (sections.find(name)) name += " again";  // no two members of an object have the same name
    sections.add(std::move(name), std::to_string(s.raw->size()) + " bytes, kept raw");
  }

  if (!entries(k.stgi).empty()) {
    const Stage& s = entries(k.stgi).front();
    v.add("laps", s.laps);
    v.add("pole", enum_name_or_number(k_pole, s.pole));
    v.add("spacing", enum_name_or_number(k_spacing, s.spacing));
  }
  if (!entries(k.ckpt).empty()) {
    u64 laps = 0, keys = 0;
    for (const CheckPoint& c : entries(k.ckpt)) laps += c.type == 0, keys += c.type > 0;
    Value& checks = v.add("checkpoints", Value::object());
    checks.add("lap", laps);
    checks.add("key", keys);
  }
  if (!entries(k.poti).empty()) {
    u64 points = 0;
    for (const Route& r : entries(k.poti)) points += r.points.size();
    v.add("route_points", points);
  }
  if (!entries(k.gobj).empty()) {
    std::vector<std::pair<u16, u64>> counts;
    for (const Object& o : entries(k.gobj)) {
      auto i = std::find_if(counts.begin(), counts.end(), [&](auto& c) { return c.first == o.id; });
      if (i == counts.end())
        counts.push_back({o.id, 1});
      else
        ++i->second;
    }
    sort_stably(counts, [](auto& a, auto& b) { return a.second > b.second; });
    Value& objects = v.add("objects", Value::object());
    for (const auto& [id, n] : counts) {
      const ObjectKind* o = object_kind(id);
      const bool is_named = o || is_lecode_object(id) || is_lecode_definition(id);
      objects.add(is_named ? object_label(id) : "unknown " + std::to_string(id), n);
    }
  }
  const auto add_type_counts = [&](const char* name, const auto& list, const EnumNames& types) {
    if (list.empty()) return;
    Value& counts = v.add(name, Value::object());
    for (const auto& entry : list) {
      const std::string type = enum_name_or_number(types, entry.type);
      if (Value* n = counts.find(type))
        *n = Value(n->bits() + 1);
      else
        counts.add(type, u64(1));
    }
  };
  add_type_counts("areas", entries(k.area), k_area_types);
  add_type_counts("cameras", entries(k.came), k_camera_types);
  return v;
}

}  // namespace dio::kmp
