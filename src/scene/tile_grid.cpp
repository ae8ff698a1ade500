#include "scene/tile_grid.hpp"

#include <cmath>

#include "scene/extras.hpp"

namespace dio::scene {

namespace {

Value make_number_list(auto... numbers) {
  Value v = Value::list();
  (v.push(numbers), ...);
  return v;
}

bool is_whole(f64 x, f64 low, f64 high) { return x >= low && x <= high && x == std::floor(x); }

}  // namespace

Value tile_grid_json(const TileGrid& grid) {
  Value v = Value::object();
  v.add("tile", grid.tile);
  v.add("corner", make_number_list(grid.west, grid.north));
  v.add("tiles", make_number_list(grid.across, grid.down));
  v.add("first", make_number_list(grid.first_x, grid.first_z));
  v.add("rows", grid.counts_north ? "north" : "south");
  if (grid.places.empty()) return v;
  Value& places = v.add("places", Value::list());
  for (const TileGrid::NamedMapArea& p : grid.places) {
    Value& place = places.push(Value::object());
    place.add("name", p.name);
    place.add("tiles", make_number_list(p.left, p.top, p.across, p.down));
  }
  return v;
}

void set_tile_grid(Scene& scene, const TileGrid& grid) {
  if (scene.extras.is(Value::Kind::null)) scene.extras = Value::object();
  scene.extras.add("tile_grid", tile_grid_json(grid));
}

std::optional<TileGrid> read_tile_grid(const Scene& scene) {
  const Value* v = scene.extras.find("tile_grid");
  if (!v) return {};
  const auto corner = read_number_list_extra(*v, "corner", 2), tiles = read_number_list_extra(*v, "tiles", 2),
             first = read_number_list_extra(*v, "first", 2);
  const Value *tile = v->find("tile"), *rows = v->find("rows");
  if (!tile || !corner || !tiles || !first || !rows || !rows->is(Value::Kind::text)) return {};
  TileGrid out;
  out.tile = tile->number();
  if (!(out.tile > 0) || !std::isfinite(out.tile)) return {};
  constexpr f64 k_most = k_most_tiles_across, k_most_number = 1 << 30;
  if (!is_whole((*tiles)[0], 1, k_most) || !is_whole((*tiles)[1], 1, k_most)) return {};
  if (!is_whole((*first)[0], -k_most_number, k_most_number) || !is_whole((*first)[1], -k_most_number, k_most_number))
    return {};
  out.west = (*corner)[0], out.north = (*corner)[1];
  out.across = u32((*tiles)[0]), out.down = u32((*tiles)[1]);
  out.first_x = i32((*first)[0]), out.first_z = i32((*first)[1]);
  out.counts_north = rows->text() == "north";
  if (const Value* places = v->find("places"))
    for (const auto& [ignored, place] : places->members()) {
      const auto where = read_number_list_extra(place, "tiles", 4);
      const Value* name = place.find("name");
      if (!where || !name) return {};
      const auto& w = *where;
      if (!is_whole(w[0], 0, out.across) || !is_whole(w[1], 0, out.down) || !is_whole(w[2], 1, out.across - w[0]) ||
          !is_whole(w[3], 1, out.down - w[1]))
        return {};
      out.places.push_back({name->text(), u32(w[0]), u32(w[1]), u32(w[2]), u32(w[3])});
    }
  return out;
}

}  // namespace dio::scene
