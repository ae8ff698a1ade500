// questions_land.cpp: questions about a position on a map: `dio explain land.bin#height@8,24`, `dio explain
// land.bin#tile@8,24`.
#include <array>
#include <cmath>

#include "formats/contract/arguments.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

/// A point of the map in units from its middle, and the current height of the player.
struct QueryPoint {
  f64 x, z, height = 0;
};
/// `8,24`: the middle of a tile, counted from the north-west; `-120u,136.5u`: units from the middle of the map, which
/// may be outside the map. A third number is the current height of the player, in units.
Result<QueryPoint> parse_query_point(std::string_view argument) {
  const auto parts = split(argument, ',');
  const auto position_error = [&] {
    return refuse(
        "question.argument", {},
        {.message =
             text(given(argument),
                  " is not a position: give a tile, counted from the north-west, as X,Z from 0 to 31 (8,24), or units "
                  "from the middle of the map (-120u,136u); the height of the player may be added as a third number")});
  };
  if (parts.size() != 2 && parts.size() != 3) return position_error();
  std::array<f64, 3> numbers = {};
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool is_units = parts[i].ends_with('u');
    const auto n = parse_number(is_units ? parts[i].substr(0, parts[i].size() - 1) : parts[i]);
    if (i == 2 || is_units) {
      if (!n || std::abs(*n) > k_most_units) return position_error();
      numbers[i] = *n;
    } else {
      if (!n || std::trunc(*n) != *n || *n < 0 || *n >= k_tiles) return position_error();
      numbers[i] = f64(tile_middle(u32(*n))) / 4096;
    }
  }
  return QueryPoint{numbers[0], numbers[1], numbers[2]};
}

/// The plates that the game compares at a point, with the height of each.
Value list_plates_at(const Bdhc& b, i32 x, i32 z) {
  Value plates = Value::list();
  for (const Ground& g : find_listed_grounds(b, x, z)) {
    Value& one = plates.push(Value::object());
    one.add(name_of_plates(b), g.plate);
    one.add("height", f64(g.height) / 4096);
  }
  return plates;
}

/// "ground 12.5 of 2 plates".
std::string describe_ground(const Bdhc& b, std::optional<i32> height, size_t plates) {
  if (!height) return text("no ", name_of_plates(b), " here");
  std::string ground = format_real(std::round(f64(*height) / 4096 * 100) / 100, false);
  if (ground.ends_with(".0")) ground.resize(ground.size() - 2);
  return plates > 1 ? text("ground ", ground, " of ", plates, " ", plural_of_plates(b)) : text("ground ", ground);
}

Result<Value> query_height(const Bdhc& b, std::string_view argument) {
  const auto at = parse_query_point(argument);
  if (!at) return refuse(at.error());
  const i32 x = to_fx32(at->x)->raw, z = to_fx32(at->z)->raw;
  Value v = Value::object();
  v.add("x", at->x);
  v.add("z", at->z);
  const auto height = ground_height_at(b, x, z, to_fx32(at->height)->raw);
  v.add("height", height ? Value(f64(*height) / 4096) : Value());
  if (!height) v.add("note", text("no ", name_of_plates(b), " here: the game uses 0"));
  Value plates = list_plates_at(b, x, z);
  v.add("about", describe_ground(b, height, plates.members().size()));
  v.add(plural_of_plates(b), std::move(plates));
  return v;
}

Result<Value> query_tile(const LandData& land, std::string_view argument) {
  const auto parts = split(argument, ',');
  std::optional<i64> x, z;
  if (parts.size() == 2) x = parse_whole_number(parts[0]), z = parse_whole_number(parts[1]);
  if (!x || !z || *x < 0 || *z < 0 || *x >= k_tiles || u64(*z) >= land.attributes.size())
    return refuse(make_diagnostic(
        "question.argument", {},
        {.message =
             text(given(argument), " is not a tile: give X,Z, each from 0 to 31, counted from the north-west")}));
  const u16 tile = land.attributes[size_t(*z)][size_t(*x)];
  Value v = Value::object();
  v.add("x", *x);
  v.add("z", *z);
  v.add("value", tile);
  v.add("behavior", behavior_in(tile));
  v.add("name", behavior_name(behavior_in(tile)));
  v.add("collision", is_blocked(tile));
  v.add("about", text(behavior_name(behavior_in(tile)), is_blocked(tile) ? ", blocked" : ""));
  const Behavior* known = find_behavior(behavior_in(tile));
  v.add("encounters", known && known->encounters);
  v.add("surfable", known && known->surfable);
  if (const u32 rest = tile & k_unused_bits) v.add("other_bits", rest);
  v.add("path", text("attributes[", *z, "][", *x, "]"));
  v.add(plural_of_plates(land.bdhc), list_plates_at(land.bdhc, tile_middle(u32(*x)), tile_middle(u32(*z))));
  Value& props = v.add("props", Value::list());
  for (size_t i = 0; i < land.props.size(); ++i) {
    const Vector& at = land.props[i].position;
    if (tile_of(at.x) != *x || tile_of(at.z) != *z) continue;
    Value& one = props.push(Value::object());
    one.add("prop", u64(i));
    one.add("model_id", land.props[i].model_id);
    one.add("y", at.y.value());
  }
  return v;
}

constexpr std::string_view k_height_usage = "X,Z[,HEIGHT]",
                           k_height_about =
                               "the ground height that the game finds in the middle of a tile, counted from the "
                               "north-west (8,24), or at a point in units from the middle of the map (-120u,136.5u); "
                               "HEIGHT is the current height of the player (default 0)";

}  // namespace

std::span<const Question> land_questions() {
  static constexpr Question k_questions[] = {
      {"height", k_height_usage, k_height_about,
       [](const AnyDocument& d, std::string_view a) { return query_height(value_of<LandData>(d).bdhc, a); }},
      {"tile", "X,Z", "the behaviour of a tile, its ground, and the props on it",
       [](const AnyDocument& d, std::string_view a) { return query_tile(value_of<LandData>(d), a); }},
  };
  return k_questions;
}

std::span<const Question> bdhc_questions() {
  static constexpr Question k_questions[] = {
      {"height", k_height_usage, k_height_about,
       [](const AnyDocument& d, std::string_view a) { return query_height(value_of<Bdhc>(d), a); }},
  };
  return k_questions;
}

}  // namespace dio::platinum
