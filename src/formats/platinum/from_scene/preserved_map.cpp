#include "formats/platinum/from_scene/preserved_map.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/sorting.hpp"

namespace dio::platinum {

namespace {

using TileSet = std::vector<bool>;  // k_tiles x k_tiles

/// The tiles whose floors changed, tested at their middles and near their corners.
TileSet find_changed_floor_tiles(const BuiltLandMap& before, const BuiltLandMap& after) {
  constexpr f64 k_near = 7, k_same = 0.1;  // units
  const FloorIndex was(before.floors, {}), is(after.floors, {});
  TileSet out(size_t(k_tiles) * k_tiles);
  for (u32 row = 0; row < k_tiles; ++row)
    for (u32 column = 0; column < k_tiles; ++column) {
      const f64 x = (column + 0.5) * k_tile_units - k_half_map, z = (row + 0.5) * k_tile_units - k_half_map;
      for (const auto& [dx, dz] :
           {std::pair(0.0, 0.0), {-k_near, -k_near}, {k_near, -k_near}, {-k_near, k_near}, {k_near, k_near}}) {
        const auto floor_heights = [&](const FloorIndex& index) {
          std::vector<f64> all;
          for (const auto& hit : index.find_heights_at(x + dx, z + dz))
            if (all.empty() || hit.height - all.back() > k_same) all.push_back(hit.height);
          return all;
        };
        const auto a = floor_heights(was), b = floor_heights(is);
        const auto is_same = [&](f64 p, f64 q) { return std::fabs(p - q) <= k_same; };
        if (!std::ranges::equal(a, b, is_same)) out[size_t(row) * k_tiles + column] = true;
      }
    }
  return out;
}

/// Clips a triangle to a rectangle; returns triangles.
void clip_triangle_to_rectangle(const PlateShape& triangle, f64 west, f64 north, f64 east, f64 south,
                                std::vector<PlateShape>& out) {
  using PointXz = std::array<f64, 2>;  // x, z
  std::vector<PointXz> outline;
  for (const BdhcPoint& p : *triangle.corners) outline.push_back({p.x.value(), p.z.value()});
  const auto clip_to_half_plane = [&](size_t axis, f64 at, f64 side) {
    std::vector<PointXz> left;
    for (size_t i = 0; i < outline.size(); ++i) {
      const PointXz &a = outline[i], &b = outline[(i + 1) % outline.size()];
      const f64 from = (a[axis] - at) * side, to = (b[axis] - at) * side;
      if (from >= 0) left.push_back(a);
      if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
        const f64 t = from / (from - to);
        left.push_back({a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])});
      }
    }
    outline = std::move(left);
  };
  clip_to_half_plane(0, west, 1), clip_to_half_plane(0, east, -1), clip_to_half_plane(1, north, 1),
      clip_to_half_plane(1, south, -1);
  for (size_t i = 2; i < outline.size(); ++i) {
    PlateShape part = triangle;
    bool fits = true;
    for (size_t k = 0; const size_t corner : {size_t(0), i - 1, i}) {
      const auto x = to_fx32(outline[corner][0]), z = to_fx32(outline[corner][1]);
      fits &= x && z;
      if (fits) (*part.corners)[k++] = {*x, *z};
    }
    if (fits) out.push_back(part);
  }
}

/// The parts of a plate on or off the tiles of a set; a plate that touches none of them stays unchanged.
void clip_plate_to_tiles(const PlateShape& plate, const TileSet& tiles, bool inside, std::vector<PlateShape>& out) {
  const auto tile = [](f64 units) { return i64(std::floor((units + k_half_map) / k_tile_units)); };
  const auto is_set = [&](i64 column, i64 row) {
    return column >= 0 && row >= 0 && column < i64(k_tiles) && row < i64(k_tiles) &&
           tiles[size_t(row) * k_tiles + size_t(column)];
  };
  const f64 west = plate.low.x.value(), east = plate.high.x.value(), north = plate.low.z.value(),
            south = plate.high.z.value();
  const auto list_tile_borders = [&](f64 low, f64 high) {
    std::vector<f64> all{low};
    for (i64 at = tile(low) + 1; f64(at) * k_tile_units - k_half_map < high; ++at)
      all.push_back(f64(at) * k_tile_units - k_half_map);
    all.push_back(high);
    return all;
  };
  const auto xs = list_tile_borders(west, east), zs = list_tile_borders(north, south);
  if (xs.size() > 200 || zs.size() > 200)
    return out.push_back(plate);  // far larger than a map, so it belongs to more than this map
  const size_t width = xs.size() - 1, height = zs.size() - 1;
  TileSet wanted(width * height);
  size_t count = 0;
  for (size_t z = 0; z < height; ++z)
    for (size_t x = 0; x < width; ++x)
      count += wanted[z * width + x] = is_set(tile((xs[x] + xs[x + 1]) / 2), tile((zs[z] + zs[z + 1]) / 2)) == inside;
  if (count == wanted.size()) return out.push_back(plate);
  for (const Rectangle& r : cover_with_rectangles(wanted, width, height)) {
    if (plate.corners) {
      clip_triangle_to_rectangle(plate, xs[r.west], zs[r.north], xs[r.east], zs[r.south], out);
      continue;
    }
    PlateShape part = plate;
    const auto x0 = to_fx32(xs[r.west]), x1 = to_fx32(xs[r.east]), z0 = to_fx32(zs[r.north]), z1 = to_fx32(zs[r.south]);
    if (!x0 || !x1 || !z0 || !z1) continue;
    part.low = {*x0, *z0}, part.high = {*x1, *z1};  // on the same plane
    out.push_back(part);
  }
}

/// The plate that two triangles form, if they form one.
std::optional<PlateShape> merge_into_plate(const PlateShape& a, const PlateShape& b) {
  if (a.normal != b.normal || a.constant != b.constant || a.low != b.low || a.high != b.high) return {};
  PlateShape plate = a;
  plate.corners.reset();
  const std::vector<BdhcPoint> corners = plate_outline(plate);
  const auto find_missing_corner =
      [&](const PlateShape& t) -> size_t {  // index among the four corners; 4: another corner
    size_t out = 4, found = 0;
    for (size_t i = 0; i < 4; ++i)
      if (std::ranges::find(*t.corners, corners[i]) == t.corners->end())
        out = i;
      else
        ++found;
    return found == 3 ? out : 4;
  };
  const size_t one = find_missing_corner(a), two = find_missing_corner(b);
  if (one == 4 || two == 4 || (one + 2) % 4 != two) return {};
  return plate;
}

std::vector<PlateShape> collect_plates(const Bdhc& b) {
  std::vector<PlateShape> out;
  for (size_t i = 0; i < plate_count(b); ++i) {
    auto shape = find_plate_shape(b, i);
    if (!shape) continue;
    if (b.dp) {
      if (shape->normal.y.raw <= 0) continue;  // the game never finds it
      const auto next = find_plate_shape(b, i + 1);
      if (auto plate = next ? merge_into_plate(*shape, *next) : std::nullopt) shape = plate, ++i;
    }
    out.push_back(*shape);
  }
  return out;
}

bool is_same_position(const Vector& a, const Vector& b) {
  constexpr i32 k_same = 41;  // a hundredth of a unit
  return std::abs(a.x.raw - b.x.raw) <= k_same && std::abs(a.y.raw - b.y.raw) <= k_same &&
         std::abs(a.z.raw - b.z.raw) <= k_same;
}

}  // namespace

PreservedLandMap preserve_unedited_parts(const LandData& was, const BuiltLandMap& before, const BuiltLandMap& after,
                                         const nitro::Nsbmd* edited_model, Diagnostics& notes) {
  PreservedLandMap out{was};
  LandData& land = out.land;
  for (size_t row = 0; row < std::min<size_t>(land.attributes.size(), k_tiles); ++row)
    for (size_t column = 0; column < k_tiles; ++column)
      if (before.land.attributes[row][column] != after.land.attributes[row][column]) {
        land.attributes[row][column] = after.land.attributes[row][column];
        out.is_changed = true;
      }

  if (const TileSet changed = find_changed_floor_tiles(before, after);
      std::ranges::find(changed, true) != changed.end()) {
    std::vector<PlateShape> plates;
    for (const PlateShape& p : collect_plates(was.bdhc)) clip_plate_to_tiles(p, changed, false, plates);
    for (const PlateShape& p : collect_plates(build_heights(after, notes)))
      clip_plate_to_tiles(p, changed, true, plates);
    Bdhc now{};
    if (was.bdhc.dp)
      now.dp = make_empty_bdhc_dp();
    else
      now.magic = was.bdhc.magic;
    if (add_plates(now, plates)) land.bdhc = std::move(now), out.is_changed = true;
  }

  // Copies made in another program have the same path; the first one is the original prop.
  land.props.clear();
  std::set<size_t> taken;
  std::vector<std::pair<size_t, Prop>> props;
  for (const SceneProp& p : after.props) {
    Prop record = p.record;
    size_t place = was.props.size();
    if (p.source && *p.source < was.props.size()) {
      const Prop& old = was.props[*p.source];
      const bool is_first = taken.insert(*p.source).second;
      record.rotation = old.rotation, record.dummy = old.dummy;
      if (is_same_position(old.position, record.position)) record.position = old.position;
      if (is_same_position(old.scale, record.scale)) record.scale = old.scale;
      if (is_first) place = *p.source;
    }
    props.push_back({place, record});
  }
  sort_stably(props, {}, &std::pair<size_t, Prop>::first);
  for (auto& [place, record] : props) land.props.push_back(record);
  out.is_changed |= land.props != was.props;

  if (edited_model) {
    land.model = *edited_model, out.is_changed = true;
    return out;
  }
  out.has_new_model = !(before.appearance == after.appearance);
  if (out.has_new_model) land.model = after.land.model, out.is_changed = true;
  return out;
}

}  // namespace dio::platinum
