// questions.cpp: where a kart is in a race: `dio explain course.kmp#lap@-300,9000`.
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kmp/facts.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/race/sectors.hpp"

namespace dio::kmp {

namespace {

Value value_of_sector(const Sectors& s, const Sectors::Found& f) {
  Value v = Value::object();
  const CheckPoint& p = s.point(f.sector);
  v.add("checkpoint", u64(f.sector));
  v.add("part_of_sector", f.ratio);
  v.add("part_of_lap", s.completion(f));
  v.add("respawn", names_respawn(p) ? Value(u64(p.respawn)) : Value());
  return v;
}

Result<Value> lap_at(const AnyDocument& document, std::string_view argument) {
  const auto refused = [](std::string message) {
    return refuse("question.argument", {}, {.message = std::move(message)});
  };
  const auto parts = split(argument, ',');
  std::optional<f64> numbers[3];
  for (size_t i = 0; i < parts.size() && i < 3; ++i) numbers[i] = number_of(parts[i]);
  const bool has_from = parts.size() == 3;
  if ((parts.size() != 2 && !has_from) || !numbers[0] || !numbers[1] || (has_from && !numbers[2]))
    return refused(text(given(argument), " is not X,Z or X,Z,FROM, such as -300,9000 or -300,9000,12"));
  const Sectors s(value_of<Kmp>(document));
  if (!s.size()) return refused("the course has no checkpoints");
  if (has_from && !(*numbers[2] >= 0 && *numbers[2] < f64(s.size())))
    return refused(text(parts[2], " is no checkpoint; there are ", s.size()));
  const Vec2 place{f32(*numbers[0]), f32(*numbers[1])};

  Value v = Value::object();
  v.add("x", place.x);
  v.add("z", place.z);
  Value& around = v.add("sectors", Value::list());
  for (u16 i = 0; i < s.size(); ++i)
    if (s.has(i, place)) around.push(value_of_sector(s, *s.find(place, i)));
  if (!has_from) return v;
  const u16 from = u16(*numbers[2]);
  const auto found = s.find(place, from);
  Value& search = v.add("from", Value::object());
  search.add("checkpoint", u64(from));
  search.add("found", found ? value_of_sector(s, *found) : Value());
  if (!found)
    search.add("note", s.is_endless(place, from) ? "the search never ends: the game hangs"
                                                 : "the game finds no sector, and leaves the kart in its last one");
  return v;
}

}  // namespace

std::span<const Question> questions() {
  static constexpr Question k_questions[] = {
      {"lap", "X,Z[,FROM]",
       "the sectors around a place, from above, and how much of a lap lies before it; FROM is the checkpoint where a "
       "kart "
       "was last: then also what the game finds from there",
       lap_at},
  };
  return k_questions;
}

}  // namespace dio::kmp
