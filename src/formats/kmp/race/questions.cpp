// questions.cpp: the sectors and areas at a position, and the lap completion at checkpoints: `dio explain
// course.kmp#lap@-300,9000`, `dio explain course.kmp#completion@all`.
#include <cmath>
#include <set>

#include "core/elementary.hpp"
#include "core/sorting.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/race/sectors.hpp"
#include "formats/kmp/scene/area_volume.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

Value describe_sector(const Sectors& s, const Sectors::Found& f) {
  Value v = Value::object();
  const CheckPoint& p = s.point(f.sector);
  v.add("checkpoint", u64(f.sector));
  v.add("part_of_sector", f.ratio);
  v.add("part_of_lap", s.completion(f));
  v.add("respawn", names_respawn(p) ? Value(u64(p.respawn)) : Value());
  return v;
}

Result<Value> answer_lap_question(const AnyDocument& document, std::string_view argument) {
  const auto refused = [](std::string message) {
    return refuse("question.argument", {}, {.message = std::move(message)});
  };
  const auto parts = split(argument, ',');
  std::optional<f64> numbers[3];
  for (size_t i = 0; i < parts.size() && i < 3; ++i) numbers[i] = parse_number(parts[i]);
  const bool has_from = parts.size() == 3;
  if ((parts.size() != 2 && !has_from) || !numbers[0] || !numbers[1] || (has_from && !numbers[2]))
    return refused(text(given(argument), " is not X,Z or X,Z,FROM, such as -300,9000 or -300,9000,12"));
  const Sectors s(value_of<Kmp>(document));
  if (!s.size()) return refused("the course has no checkpoints");
  if (has_from && !(*numbers[2] >= 0 && *numbers[2] < f64(s.size())))
    return refused(text("checkpoint ", parts[2], " does not exist; the course has ",
                        format_count(s.size(), "checkpoint"), ", counted from 0"));
  const Vec2 place{f32(*numbers[0]), f32(*numbers[1])};

  Value v = Value::object();
  v.add("x", place.x);
  v.add("z", place.z);
  Value& around = v.add("sectors", Value::list());
  for (u16 i = 0; i < s.size(); ++i)
    if (s.has(i, place)) around.push(describe_sector(s, *s.find(place, i)));
  if (!has_from) return v;
  const u16 from = u16(*numbers[2]);
  const auto found = s.find(place, from);
  Value& search = v.add("from", Value::object());
  search.add("checkpoint", u64(from));
  search.add("found", found ? describe_sector(s, *found) : Value());
  if (!found)
    search.add("note", s.is_endless(place, from) ? "the search for the kart never terminates: the game hangs"
                                                 : "the game finds no sector and leaves the kart in its last one");
  return v;
}

Value describe_completion(const Sectors& s, u16 sector) {
  const CheckPoint& p = s.point(sector);
  const LapPart& part = s.part(sector);
  const auto& group = part.group;
  Value v = Value::object();
  v.add("checkpoint", u64(sector));
  v.add("group", group ? Value(u64(*group)) : Value());
  v.add("type", k_check_kind_names[size_t(kind_of(p))]);
  v.add("key", p.type >= 0 ? Value(p.type) : Value());
  v.add("part_of_lap", group ? Value(part.before) : Value());
  v.add("size", group ? Value(part.size) : Value());
  // The shortest way to the middle of a next checkpoint.
  std::optional<f64> length;
  for (const u16 n : s.next(sector)) {
    const Vec2 from = s.middle(sector), to = s.middle(n);
    const f64 way = elementary::hypot(f64(to.x) - from.x, f64(to.z) - from.z);
    if (!length || way < *length) length = way;
  }
  v.add("length", length && *length < 1e9 ? Value(u64(std::llround(*length))) : Value());
  return v;
}

Result<Value> answer_completion_question(const AnyDocument& document, std::string_view argument) {
  const Sectors s(value_of<Kmp>(document));
  const auto number = parse_number(argument);
  if (argument != "all" && !number)
    return refuse("question.argument", {},
                  {.message = text(given(argument), " is neither the number of a checkpoint nor all")});
  if (number && !(*number >= 0 && *number < f64(s.size()) && *number == std::trunc(*number)))
    return refuse("question.argument", {},
                  {.message = text("checkpoint ", argument, " does not exist; the course has ",
                                   format_count(s.size(), "checkpoint"), ", counted from 0")});
  Value v = Value::object();
  Value& all = v.add("checkpoints", Value::list());
  for (size_t i = 0; i < s.size(); ++i)
    if (!number || f64(i) == *number) all.push(describe_completion(s, u16(i)));
  return v;
}

/// Adds the values of an area that its type uses.
void add_area_effect(Value& v, const Kmp& k, const Area& a) {
  const auto name = [&](const char* what, u8 index, size_t count) {
    v.add(what, index < count ? Value(u64(index)) : Value());
  };
  switch (a.type) {
    case 0:
      name("camera", a.camera, entries(k.came).size());
      if (a.camera < entries(k.came).size())
        v.add("camera_type", enum_name_or_number(k_camera_types, entries(k.came)[a.camera].type));
      return;
    case 1:
      return void(v.add("leaves", a.setting_1 == 1 ? "of another object" : "usual"));
    case 2:
      return void(v.add("fog_entry", a.setting_1));
    case 3:
      name("route", a.route, entries(k.poti).size());
      v.add("decay", 0.9 + 0.001 * a.setting_1);
      v.add("greatest_speed", a.setting_2);
      return;
    case 4:
      return name("enemy_point", a.enemy_point, entries(k.enpt).size());
    case 6:
      v.add("bloom_file", a.setting_1 ? text("posteffect.bblm", a.setting_1) : std::string("posteffect.bblm"));
      v.add("fade_frames", a.setting_2);
      return;
    case 10:
      if (const std::string condition = fall_condition(a); !condition.empty())
        v.add("active_with_lecode_or_pulsar", condition);
      return;
    case 8:
    case 9:
      return void(v.add("object_group", a.setting_1));
    default:
      return;
  }
}

Result<Value> answer_areas_question(const AnyDocument& document, std::string_view argument) {
  const auto parts = split(argument, ',');
  std::array<std::optional<f64>, 3> numbers;
  for (size_t i = 0; i < parts.size() && i < 3; ++i) numbers[i] = parse_number(parts[i]);
  if (parts.size() != 3 || !numbers[0] || !numbers[1] || !numbers[2])
    return refuse("question.argument", {}, {.message = text(given(argument), " is not X,Y,Z, such as -300,50,9000")});
  const scene::Vec3 place{f32(*numbers[0]), f32(*numbers[1]), f32(*numbers[2])};
  const Kmp& k = value_of<Kmp>(document);
  std::vector<size_t> around;
  for (size_t i = 0; i < entries(k.area).size(); ++i)
    if (AreaVolume(entries(k.area)[i]).has(place)) around.push_back(i);
  sort_stably(around, std::greater<>(), [&](size_t i) { return entries(k.area)[i].priority; });

  Value v = Value::object();
  v.add("x", place[0]);
  v.add("y", place[1]);
  v.add("z", place[2]);
  Value& areas = v.add("areas", Value::list());
  std::set<u8> types;
  for (const size_t i : around) {
    const Area& a = entries(k.area)[i];
    Value& one = areas.push(Value::object());
    one.add("area", u64(i));
    one.add("type", enum_name_or_number(k_area_types, a.type));
    one.add("priority", a.priority);
    one.add("counts", types.insert(a.type).second);
    add_area_effect(one, k, a);
  }
  return v;
}

}  // namespace

std::span<const Question> questions() {
  static constexpr Question k_questions[] = {
      {"lap", "X,Z[,FROM]",
       "lists the checkpoint sectors at a position (seen from above) and the lap progress at this position; if FROM "
       "(the last checkpoint of the kart) is given, also shows the sector that the game finds from this checkpoint",
       answer_lap_question},
      {"completion", "CHECKPOINT|all",
       "lists, for one checkpoint or all of them, the part of the lap at the checkpoint and the part that its sector "
       "makes up (size), as the game computes them, and the distance to the next checkpoint in game units (length)",
       answer_completion_question},
      {"areas", "X,Y,Z",
       "lists the areas that contain a position, and the effects of these areas; among areas of the same type, only "
       "the area with the highest priority takes effect",
       answer_areas_question},
  };
  return k_questions;
}

}  // namespace dio::kmp
