#include "formats/platinum/from_scene/land_map_builder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/parts_land.hpp"
#include "scene/clipping.hpp"
#include "scene/extras.hpp"
#include "scene/math.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/tile_grid.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::platinum {

using scene::Index;
using scene::k_none;

namespace {

constexpr size_t k_most_plates = 1000;
constexpr f64 k_map_units = 2.0 * k_half_map;
constexpr f64 k_lip = k_tile_units;  // parts that extend over a map edge by less do not create another map
constexpr u32 k_most_maps_made = 900;

/// Overlay nodes in exported worlds.
constexpr std::string_view k_overlay_nodes[] = {"platinum.tiles", "platinum.collision", "platinum.heights",
                                                "platinum.events", "platinum.event"};

constexpr std::pair<std::string_view, SceneEvent::Kind> k_event_kinds[] = {{"sign", SceneEvent::Kind::sign},
                                                                           {"object", SceneEvent::Kind::object},
                                                                           {"warp", SceneEvent::Kind::warp},
                                                                           {"trigger", SceneEvent::Kind::trigger}};

/// The event kind of a node; empty if it is not an event.
std::string_view read_event_kind(const scene::Node& n) {
  if (const auto word = scene::read_text_extra(n.extras, "event")) return *word;
  return {};
}

Vector to_fx32_vector(const Point& p) {
  const auto fixed = [](f64 x) { return to_fx32(std::clamp(x, -k_most_units, k_most_units)).value_or(fx32{0}); };
  return {fixed(p[0]), fixed(p[1]), fixed(p[2])};
}

/// The smallest and largest coordinate of surfaces along an axis: x (0) or z (2); 0 if there are none.
std::pair<f64, f64> axis_extent(std::span<const SurfaceTriangle> all, size_t axis) {
  f64 low = 1e30, high = -1e30;
  for (const SurfaceTriangle& t : all)
    for (const Point& p : t.corners) low = std::min(low, p[axis]), high = std::max(high, p[axis]);
  return low > high ? std::pair(0.0, 0.0) : std::pair(low, high);
}

/// Maps side by side, in units.
struct Grid {
  f64 west = -k_half_map, north = -k_half_map;
  u32 across = 1, down = 1;
  TileArea area() const { return {west, north, across * k_tiles, down * k_tiles}; }
  std::array<f64, 2> middle(u32 column, u32 row) const {
    return {west + (column + 0.5) * k_map_units, north + (row + 0.5) * k_map_units};
  }
};

/// The first border and the number of maps along an axis, for surfaces from `low` to `high` and borders at `phase`.
std::pair<f64, u32> map_range_along_axis(f64 low, f64 high, f64 phase) {
  const f64 first = std::floor((low + k_lip - phase) / k_map_units);
  const f64 last = std::max(first, std::ceil((high - k_lip - phase) / k_map_units) - 1);
  return {first * k_map_units + phase, u32(std::min(last - first + 1, 1e6))};
}

Grid choose_map_grid(const Surfaces& s, const MapOptions& options) {
  Grid out;
  if (options.is_one) return out;
  if (!options.only.empty()) {
    std::array<f64, 2> low = options.only[0], high = low;
    for (const auto& middle : options.only)
      for (size_t k = 0; k < 2; ++k) low[k] = std::min(low[k], middle[k]), high[k] = std::max(high[k], middle[k]);
    const auto count = [&](size_t k) { return u32(std::min(std::round((high[k] - low[k]) / k_map_units) + 1, 1e6)); };
    return {low[0] - k_half_map, low[1] - k_half_map, count(0), count(1)};
  }
  for (const size_t axis : {size_t(0), size_t(2)}) {
    const auto [low, high] = axis_extent(s.floors, axis);
    std::pair<f64, u32> best;
    if (options.middle) {
      const f64 start = (*options.middle)[axis / 2] - k_half_map;
      best = {start, std::max(1u, u32(std::clamp(std::ceil((high - k_lip - start) / k_map_units), 1.0, 1e6)))};
    } else {
      best = map_range_along_axis(low, high, -k_half_map);
      if (const auto corner = map_range_along_axis(low, high, 0); corner.second < best.second) best = corner;
    }
    (axis == 0 ? out.west : out.north) = best.first;
    (axis == 0 ? out.across : out.down) = best.second;
  }
  return out;
}

/// Marks the maps of a grid that contain something, row by row.
std::vector<bool> find_used_maps(const Surfaces& s, const Grid& g) {
  std::vector<bool> used(size_t(g.across) * g.down);
  for (const auto* list : {&s.floors, &s.walls, &s.ceilings})
    for (const SurfaceTriangle& t : *list) {
      const auto [west, east] = std::minmax({t.corners[0][0], t.corners[1][0], t.corners[2][0]});
      const auto [north, south] = std::minmax({t.corners[0][2], t.corners[1][2], t.corners[2][2]});
      const auto cell_range = [](f64 low, f64 high, f64 start, u32 count) {
        const auto at = [&](f64 x) { return i64(std::clamp(std::floor((x - start) / k_map_units), -1e9, 1e9)); };
        return std::pair(std::max<i64>(at(low + k_lip), 0), std::min<i64>(at(high - k_lip), i64(count) - 1));
      };
      const auto [x0, x1] = cell_range(west, east, g.west, g.across);
      const auto [z0, z1] = cell_range(north, south, g.north, g.down);
      for (i64 z = z0; z <= z1; ++z)
        for (i64 x = x0; x <= x1; ++x) used[size_t(z) * g.across + size_t(x)] = true;
      // Small objects have no part farther from all borders.
      const auto middle = [](f64 a, f64 b, f64 start) { return std::floor(((a + b) / 2 - start) / k_map_units); };
      const f64 x = middle(west, east, g.west), z = middle(north, south, g.north);
      if (x >= 0 && z >= 0 && x < g.across && z < g.down) used[size_t(z) * g.across + size_t(x)] = true;
    }
  if (std::ranges::none_of(used, [](bool u) { return u; })) used[0] = true;
  return used;
}

/// The objects of a scene with the most triangles, for error messages.
std::string describe_largest_objects(const scene::Scene& s) {
  std::map<std::string, u64> count;
  for (const scene::Node& n : s.nodes)
    if (n.mesh != k_none)
      for (const scene::Primitive& p : s.meshes[n.mesh].primitives)
        count[n.name] += scene::triangle_indices(p).size() / 3;
  std::vector<std::pair<u64, std::string>> sorted;
  for (const auto& [name, triangles] : count) sorted.push_back({triangles, name});
  sort_stably(sorted, std::greater());
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(sorted.size(), 3); ++i)
    out += text(i ? ", " : "", sorted[i].second, " (", format_count(sorted[i].first, "triangle"), ")");
  return out;
}

/// Clears the extras of nodes with nothing to draw, such as other lands of an exported world, because no model needs
/// them. A model keeps its name.
void prune_empty_nodes(scene::Scene& s) {
  std::vector<bool> draws(s.nodes.size());
  for (const scene::Skin& skin : s.skins)
    for (const Index joint : skin.joints) draws[joint] = true;
  for (size_t i = s.nodes.size(); i-- > 0;) {
    const scene::Node& n = s.nodes[i];
    draws[i] = draws[i] || (n.mesh != k_none && !s.meshes[n.mesh].primitives.empty());
    if (draws[i] && n.parent != k_none) draws[n.parent] = true;
  }
  std::vector<std::string_view> names;
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    scene::Node& n = s.nodes[i];
    if (draws[i] && scene::read_text_extra(n.extras, "kind") == "nitro.model") names.push_back(n.name);
    if (!draws[i]) n.extras = Value();
  }
  if (names.size() == 1) s.name = names[0];
  const auto has_gone = [&](const auto& c) { return !draws[c.node]; };
  for (scene::Animation& a : s.animations) {
    std::erase_if(a.channels, has_gone);
    std::erase_if(a.visibility_channels, has_gone);
  }
}

SurfaceTriangle translate_triangle(SurfaceTriangle t, f64 x, f64 z) {
  for (Point& p : t.corners) p[0] -= x, p[2] -= z;
  return t;
}

class LandMapBuilder {
 public:
  LandMapBuilder(const scene::Scene& s, const MapOptions& options)
      : s_(s), options_(options), apart_(find_nodes_outside_map(s)), drawn_(nitro::without_alternate_pictures(s)) {}

  Result<BuiltLandMaps> build() {
    for (Index i = 0; i < s_.nodes.size(); ++i)
      if (apart_[i]) drawn_.nodes[i].mesh = k_none, drawn_.nodes[i].skin = k_none;
    if (auto stop = unknown_behavior_error()) return refuse(std::move(*stop));
    surfaces_ = collect_surfaces(s_, options_.units, find_nodes_without_ground());
    grid_ = choose_map_grid(surfaces_, options_);
    if (u64(grid_.across) * grid_.down > k_most_maps_made || std::max(grid_.across, grid_.down) > 255)
      return refuse(make_diagnostic(
          "platinum.make-maps", {},
          {.message = text("the floors of the scene would cover ", grid_.across, " x ", grid_.down,
                           " maps of 512 x 512 units (at most 900 maps, and at most 255 on each side)"),
           .hint =
               "with units-per-metre=16, a metre becomes a tile; a scene in centimetres needs units-per-metre=0.16"}));
    out_.across = grid_.across, out_.down = grid_.down, out_.west = grid_.west, out_.north = grid_.north;
    const std::vector<u16> tiles = compute_tile_attributes(surfaces_, grid_.area());
    const std::vector<bool> used = options_.only.empty() ? find_used_maps(surfaces_, grid_) : find_requested_maps();
    places_ = scene::world_transforms(drawn_);
    compute_node_bounds();
    floors_in_ = bin_triangles_by_map(surfaces_.floors), ceilings_in_ = bin_triangles_by_map(surfaces_.ceilings);
    for (u32 row = 0; row < grid_.down; ++row)
      for (u32 column = 0; column < grid_.across; ++column)
        if (used[size_t(row) * grid_.across + column])
          if (auto stop = add_map(column, row, tiles)) return refuse(std::move(*stop));
    if (out_.maps.empty())
      return refuse(make_diagnostic("nitro.make-empty", {}, {.message = "the scene has no triangles"}));
    if (auto stop = add_props()) return refuse(std::move(*stop));
    if (auto stop = add_events()) return refuse(std::move(*stop));
    add_floor_notes();
    return std::move(out_);
  }

 private:
  /// The error for a property with an unknown behaviour.
  std::optional<Diagnostic> unknown_behavior_error() const {
    const auto check_behavior = [](std::string_view what, const std::string& name,
                                   const Value& extras) -> std::optional<Diagnostic> {
      const auto word = scene::read_text_extra(extras, "behavior");
      if (!word || find_behavior_by_name(lower_case(*word))) return {};
      std::vector<std::string> known;
      for (const Behavior& b : behaviors())
        if (!b.name.empty()) known.emplace_back(b.name);
      const std::string likely = closest_match(lower_case(*word), known);
      return make_diagnostic("platinum.make-behavior", {},
                             {.message = text(what, " ", given(name), " has the unknown behaviour ", given(*word)),
                              .hint = likely.empty() ? "" : text("did you mean ", given(likely), "?")});
    };
    for (const scene::Material& m : s_.materials)
      if (auto stop = check_behavior("material", m.name, m.extras)) return stop;
    for (const scene::Node& n : s_.nodes)
      if (auto stop = check_behavior("object", n.name, n.extras)) return stop;
    return {};
  }
  /// Nodes that are not ground. Props with meshes are obstacles like everything else.
  std::vector<bool> find_nodes_without_ground() const {
    std::vector<bool> out = apart_;
    std::vector<bool> in_prop(s_.nodes.size());
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      const auto prop = read_scene_prop(s_, i);
      in_prop[i] = prop ? !prop->number : n.parent != k_none && in_prop[n.parent];
      if (in_prop[i] && n.visible && scene::node_mark_kind(s_, n).empty()) out[i] = false;
    }
    return out;
  }
  void add_note(Diagnostic d) {
    const auto same = [&](const Diagnostic& o) { return o.id == d.id && o.message == d.message; };
    if (std::ranges::none_of(out_.notes, same)) out_.notes.push_back(std::move(d));
  }
  void add_note(Severity severity, std::string_view id, std::string message) {
    add_note(make_diagnostic(severity, id, {}, {.message = std::move(message)}));
  }
  std::vector<bool> find_requested_maps() const {
    std::vector<bool> out(size_t(grid_.across) * grid_.down);
    for (const auto& [x, z] : options_.only) {
      const f64 column = std::floor((x - grid_.west) / k_map_units), row = std::floor((z - grid_.north) / k_map_units);
      if (column >= 0 && row >= 0 && column < grid_.across && row < grid_.down)
        out[size_t(row) * grid_.across + size_t(column)] = true;
    }
    return out;
  }
  /// For each map of the grid, the triangles whose boxes reach it.
  std::vector<std::vector<u32>> bin_triangles_by_map(std::span<const SurfaceTriangle> all) const {
    std::vector<std::vector<u32>> out(size_t(grid_.across) * grid_.down);
    for (u32 i = 0; i < all.size(); ++i) {
      const auto cell_range = [&](size_t axis, f64 start, u32 count) {
        const auto& c = all[i].corners;
        const auto [low, high] = std::minmax({c[0][axis], c[1][axis], c[2][axis]});
        const auto at = [&](f64 x) { return std::floor((x - start) / k_map_units); };
        return std::pair(i64(std::clamp(at(low), 0.0, f64(count))), i64(std::clamp(at(high), -1.0, f64(count) - 1)));
      };
      const auto [x0, x1] = cell_range(0, grid_.west, grid_.across);
      const auto [z0, z1] = cell_range(2, grid_.north, grid_.down);
      for (i64 z = z0; z <= z1; ++z)
        for (i64 x = x0; x <= x1; ++x) out[size_t(z) * grid_.across + size_t(x)].push_back(i);
    }
    return out;
  }
  /// The bounds of node meshes in scene units, so that each map looks only at nearby nodes.
  void compute_node_bounds() {
    for (Index i = 0; i < drawn_.nodes.size(); ++i) {
      scene::Ground& b = bounds_.emplace_back(scene::Ground{1e300, -1e300, 1e300, -1e300});
      const scene::Node& n = drawn_.nodes[i];
      if (n.mesh == k_none) continue;
      if (n.skin != k_none) {
        b = {};  // unbounded
        continue;
      }
      for (const scene::Primitive& p : drawn_.meshes[n.mesh].primitives)
        for (const scene::Vec3& v : p.positions) {
          const Point at = places_[i] * Point{v[0], v[1], v[2]};
          b.west = std::min(b.west, at[0]), b.east = std::max(b.east, at[0]);
          b.north = std::min(b.north, at[2]), b.south = std::max(b.south, at[2]);
        }
    }
  }
  bool is_single_map() const {
    return options_.is_one ||
           (grid_.across == 1 && grid_.down == 1 && grid_.west == -k_half_map && grid_.north == -k_half_map);
  }
  /// The part of the scene on a map; maps at the edges of the grid also get everything farther out.
  scene::Scene clip_scene_to_map(u32 column, u32 row) const {
    const auto [x, z] = grid_.middle(column, row);
    scene::Ground ground;
    if (column > 0) ground.west = (x - k_half_map) / options_.units;
    if (column + 1 < grid_.across) ground.east = (x + k_half_map) / options_.units;
    if (row > 0) ground.north = (z - k_half_map) / options_.units;
    if (row + 1 < grid_.down) ground.south = (z + k_half_map) / options_.units;
    std::vector<bool> near;
    for (const scene::Ground& b : bounds_)
      near.push_back(b.west <= ground.east && b.east >= ground.west && b.north <= ground.south &&
                     b.south >= ground.north);
    return scene::clip_scene_to_area(drawn_, ground, {f32(x / options_.units), 0, f32(z / options_.units)}, near,
                                     places_);
  }
  std::string format_map_position(u32 column, u32 row) const {
    return is_single_map() ? "" : text(" of map ", column, ",", row);
  }

  std::optional<Diagnostic> add_model(BuiltLandMap& map, const scene::Scene& drawn) {
    scene::Scene pruned = drawn;
    prune_empty_nodes(pruned);
    auto made = nitro::make_model(pruned, options_.of_model);
    if (!made) return std::move(made.error());
    for (Diagnostic& d : made->notes) add_note(std::move(d));
    for (BuiltFile& f : made->files)
      if (f.extension == ".nsbtx") map.textures = std::move(f.bytes);
    if (const u64 size = made->files.at(0).bytes.size(); size > k_model_buffer) {
      Diagnostic d = make_diagnostic("platinum.make-room", {},
                                     {.message = text("the model", format_map_position(map.column, map.row), " takes ",
                                                      size, " bytes (at most ", k_model_buffer, ")"),
                                      .hint = text("its largest objects: ", describe_largest_objects(drawn))});
      if (!options_.is_one) return d;
      // A single land file can still be made smaller.
      d.severity = Severity::warning;
      add_note(std::move(d));
    }
    auto model = load<nitro::Nsbmd>(made->files.at(0).bytes);
    if (!model) return std::move(model.error());
    map.land.model = model->document.value();
    return {};
  }

  std::optional<Diagnostic> add_map(u32 column, u32 row, std::span<const u16> tiles) {
    const auto [x, z] = grid_.middle(column, row);
    BuiltLandMap map{.column = column, .row = row, .land = {}, .textures = {}, .props = {}};
    scene::Scene cut_out;
    if (!is_single_map()) cut_out = clip_scene_to_map(column, row);
    const scene::Scene& drawn = is_single_map() ? drawn_ : cut_out;
    const bool is_alone = grid_.across * grid_.down == 1;
    if (!is_alone && options_.only.empty() &&
        std::ranges::all_of(drawn.nodes, [](const scene::Node& n) { return n.mesh == k_none; }))
      return {};  // only the boxes of triangles reach over this map
    map.appearance = TriangleFingerprints(drawn, options_.units);
    if (!options_.wants_model || options_.wants_model(map))
      if (auto stop = add_model(map, drawn)) return stop;

    map.all_open = surfaces_.has_own_floor;
    const auto move_to_map_origin = [&](std::span<const SurfaceTriangle> all, std::span<const u32> numbers) {
      std::vector<SurfaceTriangle> out;
      for (const u32 i : numbers) out.push_back(translate_triangle(all[i], x, z));
      return out;
    };
    const size_t cell = size_t(row) * grid_.across + column;
    map.floors = move_to_map_origin(surfaces_.floors, floors_in_[cell]);
    map.ceilings = move_to_map_origin(surfaces_.ceilings, ceilings_in_[cell]);
    map.land.attributes.resize(k_tiles);
    for (u32 r = 0; r < k_tiles; ++r)
      for (u32 c = 0; c < k_tiles; ++c)
        map.land.attributes[r][c] = tiles[size_t(row * k_tiles + r) * grid_.across * k_tiles + column * k_tiles + c];
    out_.maps.push_back(std::move(map));
    return {};
  }

  /// The map at a position, or the nearest one.
  BuiltLandMap& find_nearest_map(f64 x, f64 z) {
    const auto distance_to_map = [&](const BuiltLandMap& m) {
      const auto [mx, mz] = grid_.middle(m.column, m.row);
      return std::max({std::fabs(x - mx), std::fabs(z - mz), f64(k_half_map)});
    };
    return *std::ranges::min_element(out_.maps, {}, distance_to_map);
  }
  /// The map of a prop: the map at its position, except that a prop of an exported map may be a little outside its map.
  BuiltLandMap& find_map_of_prop(Index node, const Point& at, const std::vector<scene::Affine>& places) {
    constexpr f64 k_outside = 64;  // units: more than any prop of the game
    for (Index up = s_.nodes[node].parent; up != k_none; up = s_.nodes[up].parent) {
      if (scene::read_text_extra(s_.nodes[up].extras, "kind") != "platinum.land") continue;
      const f64 x = places[up].origin[0] * options_.units, z = places[up].origin[2] * options_.units;
      if (std::max(std::fabs(at[0] - x), std::fabs(at[2] - z)) <= k_half_map + k_outside) return find_nearest_map(x, z);
    }
    return find_nearest_map(at[0], at[2]);
  }
  std::optional<Diagnostic> add_props() {
    const auto places = scene::world_transforms(s_);
    std::vector<bool> in_prop(s_.nodes.size()), hidden(s_.nodes.size());
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      hidden[i] = !n.visible || scene::node_mark_kind(s_, n) == "ignore" || (n.parent != k_none && hidden[n.parent]);
      if (n.parent != k_none && in_prop[n.parent]) in_prop[i] = true;
      auto prop = read_scene_prop(s_, i);
      if (!prop || in_prop[i] || hidden[i]) continue;
      in_prop[i] = true;
      Point at = places[i].origin, size;
      for (f64& x : at) x *= options_.units;
      for (size_t c = 0; c < 3; ++c) size[c] = scene::length(places[i].linear.columns[c]);
      BuiltLandMap& map = find_map_of_prop(i, at, places);
      const auto [x, z] = grid_.middle(map.column, map.row);
      at[0] -= x, at[2] -= z;
      prop->record.model_id = prop->number.value_or(0);
      prop->record.position = to_fx32_vector(at), prop->record.scale = to_fx32_vector(size);
      map.props.push_back(std::move(*prop));
      if (map.props.size() > k_most_props) {
        return make_diagnostic(
            "platinum.make-props", {},
            {.message = text("object ", given(n.name), " would be prop ", map.props.size(),
                             format_map_position(map.column, map.row), ", but a map has at most 32 props")});
      }
    }
    return {};
  }

  std::optional<Diagnostic> add_events() {
    const auto places = scene::world_transforms(s_);
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      const std::string_view word = read_event_kind(n);
      if (word.empty()) continue;
      const auto kind = std::ranges::find(k_event_kinds, word, &std::pair<std::string_view, SceneEvent::Kind>::first);
      if (kind == std::end(k_event_kinds))
        return make_diagnostic("platinum.make-event", {},
                               {.message = text("object ", given(n.name), " has the unknown event ", given(word),
                                                "; use sign, object, warp or trigger")});
      SceneEvent e{.node = i, .kind = kind->second};
      const TileArea area = grid_.area();
      const Point at = places[i].origin;
      e.x = area.column(at[0] * options_.units), e.z = area.row(at[2] * options_.units);
      e.height = at[1] * options_.units;
      const bool is_trigger = kind->second == SceneEvent::Kind::trigger;
      // A mesh gives its own size; for an empty, glTF has no display size, so its scale counts.
      if (is_trigger && n.mesh != k_none) {
        const auto read_mesh_extent = [&](size_t axis, u32& tiles) {
          f64 low = 1e30, high = -1e30;
          for (const scene::Primitive& p : s_.meshes[n.mesh].primitives)
            for (const scene::Vec3& v : p.positions) {
              const f64 x = (places[i] * Point{v[0], v[1], v[2]})[axis] * options_.units;
              low = std::min(low, x), high = std::max(high, x);
            }
          if (low > high) low = high = at[axis] * options_.units;
          tiles = u32(std::clamp(std::round((high - low) / k_tile_units), 1.0, 960.0));
          return (low + high) / 2 - (tiles - 1) * k_tile_units / 2.0;  // the middle of the first tile
        };
        e.x = area.column(read_mesh_extent(0, e.across)), e.z = area.row(read_mesh_extent(2, e.down));
      }
      const auto map = std::ranges::find_if(
          out_.maps, [&](const BuiltLandMap& m) { return e.x / k_tiles == m.column && e.z / k_tiles == m.row; });
      if (e.x < 0 || e.z < 0 || map == out_.maps.end())
        return make_diagnostic(
            "platinum.make-event", {},
            {.message = text("object ", given(n.name), " is an event, but is outside every map in the scene")});
      if (is_trigger && n.mesh == k_none) {
        const auto size_in_tiles = [&](size_t axis) {
          const f64 size = scene::length(places[i].linear.columns[axis]) * options_.units / k_tile_units;
          return u32(std::clamp(std::round(size), 1.0, 960.0));
        };
        if (!scene::read_number_extra(n.extras, "width")) e.across = size_in_tiles(0);
        if (!scene::read_number_extra(n.extras, "length")) e.down = size_in_tiles(2);
        // An empty is in the middle of its area.
        if (e.across > 1) e.x -= e.across / 2;
        if (e.down > 1) e.z -= e.down / 2;
        e.x = std::max<i64>(e.x, i64(map->column) * k_tiles), e.z = std::max<i64>(e.z, i64(map->row) * k_tiles);
      }
      u16& tile = map->land.attributes[size_t(e.z % k_tiles)][size_t(e.x % k_tiles)];
      SurfaceKind said = find_node_surface_kind(s_, i);
      if (said.behavior) tile = u16((tile & ~k_behavior_bits) | *said.behavior);
      if (said.collision) tile = u16(*said.collision ? tile | k_collision : tile & ~k_collision);
      out_.events.push_back(e);
    }
    return {};
  }

  void add_floor_notes() {
    if (surfaces_.floors.empty()) add_note(Severity::warning, "platinum.make-floor", "the scene has no floor");
    if (options_.is_in_metres) add_scene_size_note();
    if (options_.of_export && options_.units != *options_.of_export)
      out_.notes.push_back(make_diagnostic(
          Severity::warning, "platinum.make-scale", {},
          {.message = text("the scene is an export, in which a tile is ", f32(k_tile_units / *options_.of_export),
                           " metres wide; units-per-metre makes the map ", f32(options_.units / *options_.of_export),
                           " times its original size"),
           .hint = "without units-per-metre, the map keeps its size"}));
    if (!options_.notes_outside && !options_.is_one) return;
    u64 outside = 0;
    const TileArea a = grid_.area();
    for (const SurfaceTriangle& t : surfaces_.floors)
      for (const Point& p : t.corners)
        outside += p[0] < a.west - 1 || p[2] < a.north - 1 || p[0] > a.west + a.across * k_tile_units + 1 ||
                   p[2] > a.north + a.down * k_tile_units + 1;
    if (outside)
      add_note(Severity::hint, "platinum.make-outside",
               text(format_count(outside, "floor corner"), outside == 1 ? " is" : " are", " outside the ",
                    a.across * u32(k_tile_units), " x ", a.down * u32(k_tile_units), " units of the map"));
  }

  void add_scene_size_note() {
    constexpr f64 k_small = 8 * k_tile_units;
    Point low{1e30, 0, 1e30}, high{-1e30, 0, -1e30};
    for (const SurfaceTriangle& t : surfaces_.floors)
      for (const Point& p : t.corners)
        for (const size_t axis : {0, 2})
          low[axis] = std::min(low[axis], p[axis]), high[axis] = std::max(high[axis], p[axis]);
    const f64 across = high[0] - low[0], down = high[2] - low[2];
    if (surfaces_.floors.empty() || across > k_small || down > k_small) return;
    const auto size_in_tiles = [](f64 units) { return std::round(units / k_tile_units * 10) / 10; };
    out_.notes.push_back(make_diagnostic(
        Severity::hint, "platinum.make-small", {},
        {.message = text("the floors cover only ", size_in_tiles(across), " x ", size_in_tiles(down),
                         " tiles, because a metre of the scene becomes one unit and a tile is 16 units wide"),
         .hint = "with units-per-metre=16, a metre becomes a tile"}));
  }

  const scene::Scene& s_;
  const MapOptions& options_;
  std::vector<bool> apart_;
  scene::Scene drawn_;
  std::vector<scene::Affine> places_;  // transforms of its nodes
  std::vector<scene::Ground> bounds_;  // bounds of its nodes
  Surfaces surfaces_;
  Grid grid_;
  std::vector<std::vector<u32>> floors_in_, ceilings_in_;  // by map of the grid
  BuiltLandMaps out_;
};

}  // namespace

Bdhc build_heights(const BuiltLandMap& map, Diagnostics& notes, HeightForm form) {
  Bdhc out;
  for (const size_t most : {k_most_plates, size_t(0)}) {
    const auto plates = build_plates(map.floors, map.ceilings, map.all_open, map.land.attributes, most);
    out = {};
    if (form == HeightForm::triangles)
      out.dp = make_empty_bdhc_dp();
    else
      out.magic = fourcc("BDHC");
    const bool fits = add_plates(out, plates) && bdhc_arrays_size(out) <= k_bdhc_buffer;
    const bool is_by_tile = most == 0 || plates.size() == size_t(k_tiles) * k_tiles;
    if (!fits && most && form == HeightForm::plates) continue;  // triangles for all tiles would take even more
    if (is_by_tile && !map.floors.empty())
      notes.push_back(make_diagnostic(
          Severity::hint, "platinum.make-plates", {},
          {.message = text("the floor", map.column || map.row ? text(" of map ", map.column, ",", map.row) : "",
                           " has too many slopes, so every tile got one plate")}));
    break;
  }
  return out;
}

TriangleFingerprints::TriangleFingerprints(const scene::Scene& s, f64 units) {
  std::vector<std::string> pictures;
  for (const scene::Image& image : s.images) {
    scene::Image plain = scene::to_rgba(image);
    for (size_t i = 0; i + 3 < plain.pixels.size(); i += 4)  // transparent pixels may have any colour
      if (!plain.pixels[i + 3]) plain.pixels[i] = plain.pixels[i + 1] = plain.pixels[i + 2] = 0;
    pictures.push_back(text(plain.width, "x", plain.height, " ", digest_of(plain.pixels)));
  }
  std::vector<std::string> materials;
  for (const scene::Material& m : s.materials) {
    std::string all = text(int(m.alpha), m.double_sided ? " both" : "", m.unlit ? " unlit" : "");
    for (const f32 c : m.color) all += text(" ", std::lround(c * 255));
    if (m.texture != k_none) {
      const scene::Texture& t = s.textures[m.texture];
      all += text(" ", int(t.wrap_u), int(t.wrap_v), " ", t.image == k_none ? "" : pictures[t.image]);
    }
    materials.push_back(std::move(all));
  }
  // Rounds to steps with borders where no tool puts a vertex.
  const auto step = [](f64 x, f64 per) { return std::to_string(std::lround(x * per + 0.2137)); };
  const auto places = scene::world_transforms(s);
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    if (n.mesh == k_none) continue;
    const bool is_bent = n.skin != k_none;
    for (const scene::Primitive& p : s.meshes[n.mesh].primitives) {
      const std::vector<Index> corners = scene::triangle_indices(p);
      const bool has_picture = p.material != k_none && s.materials[p.material].texture != k_none;
      for (size_t c = 0; c + 2 < corners.size(); c += 3) {
        std::array<std::pair<std::string, std::array<u8, 3>>, 3> of_corner;
        for (size_t k = 0; k < 3; ++k) {
          const Index v = corners[c + k];
          const scene::Affine place =
              is_bent ? scene::skin_matrix(places, s.skins[n.skin], p.joints[v], p.weights[v]) : places[i];
          const Point at = place * Point{p.positions[v][0], p.positions[v][1], p.positions[v][2]};
          auto& [one, color] = of_corner[k];
          for (const f64 x : at) one += step(x * units, 8) + ",";
          if (has_picture)
            for (const f32 x : p.uvs[v]) one += step(x, 64) + ",";
          // A mesh without colours is white; Blender writes white for all meshes of a partly coloured object.
          for (size_t e = 0; e < 3; ++e)
            color[e] = p.colors.empty()
                           ? 255
                           : u8(std::lround(255 * scene::linear_to_srgb(std::clamp(p.colors[v][e], 0.0f, 1.0f))));
        }
        const auto corner = [](const auto& one) { return one.first; };
        std::ranges::rotate(of_corner, std::ranges::min_element(of_corner, {}, corner));
        std::string all = p.material == k_none ? std::string() : materials[p.material];
        Triangle& t = triangles_.emplace_back();
        for (size_t k = 0; k < 3; ++k) {
          all += ";" + of_corner[k].first;
          std::ranges::copy(of_corner[k].second, t.colors.begin() + std::ptrdiff_t(3 * k));
        }
        t.digest = std::hash<std::string>()(all);  // compared only within this run
      }
    }
  }
  sort_stably(triangles_);
}

bool TriangleFingerprints::Triangle::has_same_colors(const Triangle& o) const {
  constexpr int k_rounding = 3;
  return std::ranges::equal(colors, o.colors, [](u8 x, u8 y) { return std::abs(int(x) - int(y)) <= k_rounding; });
}
bool TriangleFingerprints::operator==(const TriangleFingerprints& o) const {
  return std::ranges::equal(triangles_, o.triangles_, [](const Triangle& a, const Triangle& b) {
    return a.digest == b.digest && a.has_same_colors(b);
  });
}
bool TriangleFingerprints::has_same_colors(const TriangleFingerprints& o) const {
  auto other = o.triangles_.begin();
  for (const Triangle& t : triangles_) {
    while (other != o.triangles_.end() && other->digest < t.digest) ++other;
    if (other == o.triangles_.end()) break;
    if (other->digest != t.digest) continue;
    if (!t.has_same_colors(*other)) return false;
    ++other;
  }
  return true;
}

MapOptions parse_map_options(const scene::Scene& s, std::span<const Argument> all, Arguments& a) {
  MapOptions out;
  if (const auto grid = scene::read_tile_grid(s)) out.of_export = k_tile_units / grid->tile;
  const bool is_given = a.has("units-per-metre");
  out.units = (is_given ? a.number("units-per-metre", 1e-3, 1e6) : 1) * f64(s.metres_per_unit);
  if (!is_given) out.units = out.of_export.value_or(out.units);
  out.is_in_metres = !is_given && !out.of_export && s.metres_per_unit == 1;
  out.of_model = {{"textures", "apart"}};
  for (const Argument& one : all) out.of_model.push_back(one);
  return out;
}

std::optional<SceneProp> read_scene_prop(const scene::Scene& s, Index node) {
  const scene::Node& n = s.nodes[node];
  SceneProp out{.node = node, .number = {}, .name = {}, .source = {}};
  const bool is_shown = scene::read_text_extra(n.extras, "kind") == k_prop_node;
  if (const auto path = scene::read_text_extra(n.extras, "path"); is_shown && path && path->starts_with("props["))
    if (const auto place = parse_whole_number(path->substr(6, path->find(']') - 6))) out.source = u32(*place);
  if (const auto name = scene::read_text_extra(n.extras, "prop"); name && !name->empty()) {
    if (const auto number = parse_whole_number(*name); number && *number >= 0 && *number <= 0xFFFF)
      out.number = u32(*number);
    else
      out.name = *name;
    return out;
  }
  auto number = scene::read_number_extra(n.extras, is_shown ? "model_id" : "prop");
  // In a world, the shown model may be a substitute for the original one.
  if (is_shown && !number) number = scene::read_number_extra(n.extras, "instead_of");
  if (is_shown && !number) number = scene::read_number_extra(n.extras, "model");
  if (!number || *number < 0 || *number > 0xFFFF) return {};
  out.number = u32(*number);
  return out;
}

std::vector<bool> find_nodes_outside_map(const scene::Scene& s) {
  std::vector<bool> out = scene::excluded_by_name_suffix(s);
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    const auto kind = scene::read_text_extra(n.extras, "kind");
    const bool is_overlay = kind && std::ranges::find(k_overlay_nodes, *kind) != std::end(k_overlay_nodes);
    out[i] = out[i] || is_overlay || (n.parent != k_none && out[n.parent]) || read_scene_prop(s, i) ||
             !read_event_kind(n).empty() || !n.visible;
  }
  return out;
}

Result<BuiltLandMaps> build_land_maps(const scene::Scene& s, const MapOptions& options) {
  if (auto fault = scene::validation_error(s)) return refuse(std::move(*fault));
  return LandMapBuilder(s, options).build();
}

}  // namespace dio::platinum
