// info_land.cpp: a summary of a map.
#include <algorithm>

#include "core/sorting.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

/// The lowest and highest ground at tile centres.
Value ground_height_range(const Bdhc& b) {
  std::optional<std::pair<i32, i32>> range;
  for (u32 z = 0; z < k_tiles; ++z)
    for (u32 x = 0; x < k_tiles; ++x)
      for (const Ground& g : find_listed_grounds(b, tile_middle(x), tile_middle(z))) {
        if (!range) range = {g.height, g.height};
        range->first = std::min(range->first, g.height);
        range->second = std::max(range->second, g.height);
      }
  if (!range) return "no ground";
  Value v = Value::list();
  v.push(f64(range->first) / 4096);
  v.push(f64(range->second) / 4096);
  return v;
}

void add_height_info(Value& v, const Bdhc& b) {
  v.add(plural_of_plates(b), u64(plate_count(b)));
  u64 slopes = 0;
  for (size_t i = 0; i < plate_count(b); ++i)
    if (const auto shape = find_plate_shape(b, i)) slopes += shape->normal.x.raw != 0 || shape->normal.z.raw != 0;
  v.add("slopes", slopes);
  if (b.dp) v.add("cells", u64(b.dp->cells.size()));
  v.add("strips", u64(b.dp ? b.dp->strips.size() : b.strips.size()));
  v.add("heights", ground_height_range(b));
  if (b.cameras) v.add("cameras", u64(b.cameras->plates.size()));
}

}  // namespace

Value info(const LandData& land) {
  Value v = Value::object();
  v.add("form", land.sounds ? "HeartGold and SoulSilver" : land.bdhc.dp ? "Diamond and Pearl" : "Platinum");
  v.add("model", land.model.models.empty() ? Value("none") : Value(land.model.models.front().name));
  u64 blocked = 0;
  std::vector<std::pair<u8, u64>> behaviors;
  for (const TileRow& row : land.attributes)
    for (const u16 tile : row) {
      blocked += is_blocked(tile);
      const auto i = std::ranges::find(behaviors, behavior_in(tile), &std::pair<u8, u64>::first);
      if (i == behaviors.end())
        behaviors.push_back({behavior_in(tile), 1});
      else
        ++i->second;
    }
  sort_stably(behaviors, std::greater(), &std::pair<u8, u64>::second);
  Value& tiles = v.add("tiles", Value::object());
  tiles.add("blocked", blocked);
  Value& counts = v.add("behaviors", Value::object());
  for (const auto& [behavior, count] : behaviors) {
    const Behavior* known = find_behavior(behavior);
    counts.add(known ? std::string(known->name) : "unknown " + std::to_string(behavior), count);
  }
  std::vector<u32> models;
  for (const Prop& p : land.props) models.push_back(p.model_id);
  sort_stably(models);
  Value& props = v.add("props", Value::object());
  props.add("count", u64(land.props.size()));
  const auto last = std::ranges::unique(models);
  models.erase(last.begin(), last.end());
  Value& ids = v.add("prop_models", Value::list());
  for (const u32 id : models) ids.push(id);
  add_height_info(v, land.bdhc);
  if (land.sounds) v.add("sounds", u64(land.sounds->plates.size()));
  return v;
}

Value info(const Bdhc& b) {
  Value v = Value::object();
  v.add("form", b.dp ? "Diamond and Pearl" : "Platinum");
  add_height_info(v, b);
  return v;
}

}  // namespace dio::platinum
