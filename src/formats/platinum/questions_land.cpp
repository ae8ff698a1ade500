// questions_land.cpp: what is at a place of a map: `dio explain land.bin#height@8,24`, `dio explain
// land.bin#tile@8,24`.
#include "formats/platinum/arguments.hpp"
#include "formats/platinum/heights.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

Diagnostic wrong(std::string expected, std::string_view found) {
  Diagnostic d;
  d.id = "question.argument";
  d.expected = std::move(expected);
  d.found = found.empty() ? "nothing" : std::string(found);
  return d;
}

/// A point of the map in units from its middle, and the height of who asks.
struct At {
  f64 x, z, height = 0;
};
/// `8,24`: the middle of a tile, counted from the north-west; `-120u,136u`: units from the middle of the map. A third
/// number is the height of who stands there.
Result<At> point_of(std::string_view argument) {
  const auto refusal = [&] {
    return refuse(
        wrong("X,Z: a tile (8,24) or units from the middle of the map (-120u,136u); a height may follow", argument));
  };
  std::vector<f64> numbers;
  for (const std::string_view part : split(argument, ',')) {
    const bool is_units = part.ends_with('u');
    const auto n = number_of(is_units ? part.substr(0, part.size() - 1) : part);
    if (!n || numbers.size() == 3 || *n < -8192 || *n > 8192) return refusal();
    if (numbers.size() == 2 || is_units)
      numbers.push_back(*n);
    else
      numbers.push_back(*n * k_tile_units + (k_tile_units / 2 - k_half_map));
  }
  if (numbers.size() < 2) return refusal();
  return At{numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0};
}

Result<Value> height_at_point(const Bdhc& b, std::string_view argument) {
  const auto at = point_of(argument);
  if (!at) return refuse(at.error());
  if (b.dp) return refuse(wrong("heights as Platinum has them", "those of Diamond and Pearl"));
  const auto raw = [](f64 x) { return i32(x * 4096); };
  Value v = Value::object();
  v.add("x", at->x);
  v.add("z", at->z);
  const auto height = height_at(b, raw(at->x), raw(at->z), raw(at->height));
  v.add("height", height ? Value(f64(*height) / 4096) : Value("none: the game takes 0"));
  Value& plates = v.add("plates", Value::list());
  for (const Ground& g : candidates_at(b, raw(at->x), raw(at->z))) {
    Value& one = plates.push(Value::object());
    one.add("plate", g.plate);
    one.add("height", f64(g.height) / 4096);
  }
  return v;
}

Result<Value> tile_at(const LandData& land, std::string_view argument) {
  const auto parts = split(argument, ',');
  std::optional<i64> x, z;
  if (parts.size() == 2) x = whole_of(parts[0]), z = whole_of(parts[1]);
  if (!x || !z || *x < 0 || *z < 0 || *x >= k_tiles || u64(*z) >= land.attributes.size())
    return refuse(wrong("X,Z: a tile of the map, 0 to 31 from the west and from the north", argument));
  const u16 tile = land.attributes[size_t(*z)][size_t(*x)];
  Value v = Value::object();
  v.add("x", *x);
  v.add("z", *z);
  v.add("value", tile);
  v.add("behavior", behavior_in(tile));
  v.add("name", behavior_text(behavior_in(tile)));
  v.add("collision", is_blocked(tile));
  const Behavior* known = behavior_of(behavior_in(tile));
  v.add("encounters", known && known->encounters);
  v.add("surfable", known && known->surfable);
  if (const u32 rest = tile & k_unused_bits) v.add("other_bits", rest);
  Value& plates = v.add("plates", Value::list());
  for (const Ground& g : candidates_at(land.bdhc, tile_middle(u32(*x)), tile_middle(u32(*z)))) {
    Value& one = plates.push(Value::object());
    one.add("plate", g.plate);
    one.add("height", f64(g.height) / 4096);
  }
  Value& props = v.add("props", Value::list());
  for (size_t i = 0; i < land.props.size(); ++i) {
    const Vector& at = land.props[i].position;
    const auto tile_of = [](fx32 units) { return (i64(units.raw) + k_half_map * 4096) / (k_tile_units * 4096); };
    if (at.x.raw < -k_half_map * 4096 || at.z.raw < -k_half_map * 4096 || tile_of(at.x) != *x || tile_of(at.z) != *z)
      continue;
    Value& one = props.push(Value::object());
    one.add("prop", u64(i));
    one.add("model_id", land.props[i].model_id);
    one.add("y", at.y.value());
  }
  return v;
}

constexpr std::string_view k_height_usage = "X,Z[,HEIGHT]",
                           k_height_about =
                               "the height of the ground as the game finds it, at a tile (8,24) or in "
                               "units from the middle of the map (-120u,136u); HEIGHT is that of who asks";

}  // namespace

std::span<const Question> land_questions() {
  static constexpr Question k_questions[] = {
      {"height", k_height_usage, k_height_about,
       [](const AnyDocument& d, std::string_view a) { return height_at_point(value_of<LandData>(d).bdhc, a); }},
      {"tile", "X,Z", "what a tile is, its ground, and the props on it",
       [](const AnyDocument& d, std::string_view a) { return tile_at(value_of<LandData>(d), a); }},
  };
  return k_questions;
}

std::span<const Question> bdhc_questions() {
  static constexpr Question k_questions[] = {
      {"height", k_height_usage, k_height_about,
       [](const AnyDocument& d, std::string_view a) { return height_at_point(value_of<Bdhc>(d), a); }},
  };
  return k_questions;
}

}  // namespace dio::platinum
