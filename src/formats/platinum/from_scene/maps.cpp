#include "formats/platinum/from_scene/maps.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/printing.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/parts_land.hpp"
#include "scene/corners.hpp"
#include "scene/cutting.hpp"
#include "scene/extras.hpp"
#include "scene/marks.hpp"
#include "scene/placing.hpp"

namespace dio::platinum {

using scene::Index;
using scene::k_none;

namespace {

constexpr size_t k_most_plates = 1000;
constexpr u64 k_model_room = 0xF000, k_heights_room = 0x9000;  // bytes, of the game's buffers
constexpr f64 k_map_units = 2.0 * k_half_map;
constexpr f64 k_lip = k_tile_units;  // what reaches over the edge of a map by no more makes no map of its own
constexpr u32 k_most_maps_made = 900;

constexpr std::pair<std::string_view, SceneEvent::Kind> k_event_kinds[] = {{"sign", SceneEvent::Kind::sign},
                                                                           {"object", SceneEvent::Kind::object},
                                                                           {"warp", SceneEvent::Kind::warp},
                                                                           {"trigger", SceneEvent::Kind::trigger}};

/// What a node says of the event it stands for; empty: it stands for none.
std::string_view event_word(const scene::Node& n) {
  if (const auto word = scene::text_in(n.extras, "event")) return *word;
  return {};
}

Vector vector_of(const Point& p) {
  const auto fixed = [](f64 x) { return fixed_of(std::clamp(x, -k_most_units, k_most_units)).value_or(fx32{0}); };
  return {fixed(p[0]), fixed(p[1]), fixed(p[2])};
}

/// The bytes of heights after their header, for which the game has room.
u64 size_of(const Bdhc& b) {
  return b.points.size() * 8 + b.normals.size() * 12 + b.constants.size() * 4 + b.plates.size() * 8 +
         b.strips.size() * 8 + b.access_list.size() * 2;
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
std::pair<f64, u32> span_of(f64 low, f64 high, f64 phase) {
  const f64 first = std::floor((low + k_lip - phase) / k_map_units);
  const f64 last = std::max(first, std::ceil((high - k_lip - phase) / k_map_units) - 1);
  return {first * k_map_units + phase, u32(std::min(last - first + 1, 1e6))};
}

Grid grid_of(const Surfaces& s, const MapOptions& options) {
  Grid out;
  if (options.is_one) return out;
  for (const size_t axis : {size_t(0), size_t(2)}) {
    f64 low = 1e30, high = -1e30;
    for (const SurfaceTriangle& t : s.floors)
      for (const Point& p : t.corners) low = std::min(low, p[axis]), high = std::max(high, p[axis]);
    if (low > high) low = high = 0;
    std::pair<f64, u32> best;
    if (options.middle) {
      const f64 start = (*options.middle)[axis / 2] - k_half_map;
      best = {start, std::max(1u, u32(std::clamp(std::ceil((high - k_lip - start) / k_map_units), 1.0, 1e6)))};
    } else {
      best = span_of(low, high, -k_half_map);
      if (const auto corner = span_of(low, high, 0); corner.second < best.second) best = corner;
    }
    (axis == 0 ? out.west : out.north) = best.first;
    (axis == 0 ? out.across : out.down) = best.second;
  }
  return out;
}

/// The maps of a grid on which something is: row by row.
std::vector<bool> used_maps(const Surfaces& s, const Grid& g) {
  std::vector<bool> used(size_t(g.across) * g.down);
  for (const auto* list : {&s.floors, &s.walls, &s.ceilings})
    for (const SurfaceTriangle& t : *list) {
      const auto [west, east] = std::minmax({t.corners[0][0], t.corners[1][0], t.corners[2][0]});
      const auto [north, south] = std::minmax({t.corners[0][2], t.corners[1][2], t.corners[2][2]});
      const auto cells = [](f64 low, f64 high, f64 start, u32 count) {
        const auto at = [&](f64 x) { return i64(std::floor((x - start) / k_map_units)); };
        return std::pair(std::max<i64>(at(low + k_lip), 0), std::min<i64>(at(high - k_lip), i64(count) - 1));
      };
      const auto [x0, x1] = cells(west, east, g.west, g.across);
      const auto [z0, z1] = cells(north, south, g.north, g.down);
      for (i64 z = z0; z <= z1; ++z)
        for (i64 x = x0; x <= x1; ++x) used[size_t(z) * g.across + size_t(x)] = true;
      // Small ones have no part that is farther from all borders.
      const auto middle = [](f64 a, f64 b, f64 start) { return std::floor(((a + b) / 2 - start) / k_map_units); };
      const f64 x = middle(west, east, g.west), z = middle(north, south, g.north);
      if (x >= 0 && z >= 0 && x < g.across && z < g.down) used[size_t(z) * g.across + size_t(x)] = true;
    }
  if (std::ranges::none_of(used, [](bool u) { return u; })) used[0] = true;
  return used;
}

/// The objects of a scene with the most triangles, for those who have to make it smaller.
std::string largest_objects(const scene::Scene& s) {
  std::map<std::string, u64> count;
  for (const scene::Node& n : s.nodes)
    if (n.mesh != k_none)
      for (const scene::Primitive& p : s.meshes[n.mesh].primitives) count[n.name] += scene::corners_of(p).size() / 3;
  std::vector<std::pair<u64, std::string>> sorted;
  for (const auto& [name, triangles] : count) sorted.push_back({triangles, name});
  std::ranges::sort(sorted, std::greater());
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(sorted.size(), 3); ++i)
    out += text(i ? ", " : "", sorted[i].second, " (", counted(sorted[i].first, "triangle"), ")");
  return out;
}

SurfaceTriangle moved(SurfaceTriangle t, f64 x, f64 z) {
  for (Point& p : t.corners) p[0] -= x, p[2] -= z;
  return t;
}

class Maker {
 public:
  Maker(const scene::Scene& s, const MapOptions& options)
      : s_(s), options_(options), apart_(apart_from_map(s)), drawn_(s) {}

  Result<MadeMaps> make() {
    for (Index i = 0; i < s_.nodes.size(); ++i)
      if (apart_[i]) drawn_.nodes[i].mesh = k_none, drawn_.nodes[i].skin = k_none;
    surfaces_ = surfaces_of(s_, options_.units, without_ground());
    grid_ = grid_of(surfaces_, options_);
    if (u64(grid_.across) * grid_.down > k_most_maps_made)
      return refuse(make_diagnostic("platinum.make-maps", {},
                                    {.message = text("the floors of the scene reach over ", grid_.across, " x ",
                                                     grid_.down, " maps of 512 x 512 units")}));
    out_.across = grid_.across, out_.down = grid_.down;
    const std::vector<u16> tiles = tiles_of(surfaces_, grid_.area());
    const std::vector<bool> used = used_maps(surfaces_, grid_);
    for (u32 row = 0; row < grid_.down; ++row)
      for (u32 column = 0; column < grid_.across; ++column)
        if (used[size_t(row) * grid_.across + column])
          if (auto stop = add_map(column, row, tiles)) return refuse(std::move(*stop));
    if (auto stop = add_props()) return refuse(std::move(*stop));
    if (auto stop = add_events()) return refuse(std::move(*stop));
    note_ground();
    return std::move(out_);
  }

 private:
  /// Nodes that nobody walks on. Props that the scene has as meshes are in the way like anything else.
  std::vector<bool> without_ground() const {
    std::vector<bool> out = apart_;
    std::vector<bool> in_prop(s_.nodes.size());
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      const auto prop = prop_at(s_, i);
      in_prop[i] = prop ? !prop->number : n.parent != k_none && in_prop[n.parent];
      if (in_prop[i] && n.visible && scene::mark_of(s_, n).empty()) out[i] = false;
    }
    return out;
  }
  void note(Diagnostic d) {
    const auto same = [&](const Diagnostic& o) { return o.id == d.id && o.message == d.message; };
    if (std::ranges::none_of(out_.notes, same)) out_.notes.push_back(std::move(d));
  }
  void note(Severity severity, std::string_view id, std::string message) {
    note(make_diagnostic(severity, id, {}, {.message = std::move(message)}));
  }
  bool is_whole() const {
    return options_.is_one ||
           (grid_.across == 1 && grid_.down == 1 && grid_.west == -k_half_map && grid_.north == -k_half_map);
  }
  /// What of the scene is drawn on a map; with those at the edges of the grid goes all that is farther out.
  scene::Scene part(u32 column, u32 row) const {
    const auto [x, z] = grid_.middle(column, row);
    scene::Ground ground;
    if (column > 0) ground.west = (x - k_half_map) / options_.units;
    if (column + 1 < grid_.across) ground.east = (x + k_half_map) / options_.units;
    if (row > 0) ground.north = (z - k_half_map) / options_.units;
    if (row + 1 < grid_.down) ground.south = (z + k_half_map) / options_.units;
    return scene::cut(drawn_, ground, {f32(x / options_.units), 0, f32(z / options_.units)});
  }
  std::string place_text(u32 column, u32 row) const { return is_whole() ? "" : text(" of the map ", column, ",", row); }

  std::optional<Diagnostic> add_map(u32 column, u32 row, std::span<const u16> tiles) {
    const auto [x, z] = grid_.middle(column, row);
    MadeMap map{column, row, {}, {}, {}};
    scene::Scene cut_out;
    if (!is_whole()) cut_out = part(column, row);
    const scene::Scene& drawn = is_whole() ? drawn_ : cut_out;
    auto made = nitro::make_model(drawn, options_.of_model);
    if (!made) return std::move(made.error());
    for (Diagnostic& d : made->notes) note(std::move(d));
    for (MadeFile& f : made->files)
      if (f.extension == ".nsbtx") map.textures = std::move(f.bytes);
    if (const u64 size = made->files.at(0).bytes.size(); size > k_model_room) {
      Diagnostic d = make_diagnostic("platinum.make-room", {},
                                     {.message = text("the model", place_text(column, row), " takes ", size,
                                                      " bytes; the game has room for ", k_model_room),
                                      .hint = text("its largest objects: ", largest_objects(drawn))});
      if (!options_.is_one) return d;
      // A file of its own may still be made smaller.
      d.severity = Severity::warning;
      note(std::move(d));
    }
    auto model = load<nitro::Nsbmd>(made->files.at(0).bytes);
    if (!model) return std::move(model.error());
    map.land.model = model->document.value();

    std::vector<SurfaceTriangle> floors;
    for (const SurfaceTriangle& t : surfaces_.floors) floors.push_back(moved(t, x, z));
    std::erase_if(floors, [](const SurfaceTriangle& t) {
      const auto is_beyond = [&](size_t axis) {
        return std::ranges::all_of(t.corners, [&](const Point& p) { return p[axis] < -k_half_map; }) ||
               std::ranges::all_of(t.corners, [&](const Point& p) { return p[axis] > k_half_map; });
      };
      return is_beyond(0) || is_beyond(2);
    });
    bool is_by_tile = false;
    for (const size_t most : {k_most_plates, size_t(0)}) {
      const auto plates = plates_of(floors, most);
      map.land.bdhc = Bdhc{};
      map.land.bdhc.magic = fourcc("BDHC");
      const bool fits = add_plates(map.land.bdhc, plates) && size_of(map.land.bdhc) <= k_heights_room;
      is_by_tile = most == 0 || plates.size() == k_tiles * k_tiles;
      if (fits) break;
    }
    if (is_by_tile && !floors.empty())
      note(Severity::hint, "platinum.make-plates",
           text("the floor", place_text(column, row), " has too many slopes: each tile got a plate"));
    map.land.attributes.resize(k_tiles);
    for (u32 r = 0; r < k_tiles; ++r)
      for (u32 c = 0; c < k_tiles; ++c)
        map.land.attributes[r][c] = tiles[size_t(row * k_tiles + r) * grid_.across * k_tiles + column * k_tiles + c];
    out_.maps.push_back(std::move(map));
    return {};
  }

  /// The map at a place, or the one nearest to it.
  MadeMap& map_at(f64 x, f64 z) {
    const auto off = [&](const MadeMap& m) {
      const auto [mx, mz] = grid_.middle(m.column, m.row);
      return std::max({std::fabs(x - mx), std::fabs(z - mz), f64(k_half_map)});
    };
    return *std::ranges::min_element(out_.maps, {}, off);
  }
  std::optional<Diagnostic> add_props() {
    const auto places = scene::places_of(s_);
    std::vector<bool> in_prop(s_.nodes.size()), hidden(s_.nodes.size());
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      hidden[i] = !n.visible || scene::mark_of(s_, n) == "ignore" || (n.parent != k_none && hidden[n.parent]);
      if (n.parent != k_none && in_prop[n.parent]) in_prop[i] = true;
      auto prop = prop_at(s_, i);
      if (!prop || in_prop[i] || hidden[i]) continue;
      in_prop[i] = true;
      Point at = places[i].origin, size;
      for (f64& x : at) x *= options_.units;
      for (size_t c = 0; c < 3; ++c) size[c] = scene::length(places[i].linear.columns[c]);
      MadeMap& map = map_at(at[0], at[2]);
      const auto [x, z] = grid_.middle(map.column, map.row);
      at[0] -= x, at[2] -= z;
      prop->record.model_id = prop->number.value_or(0);
      prop->record.position = vector_of(at), prop->record.scale = vector_of(size);
      map.props.push_back(std::move(*prop));
      if (map.props.size() > k_most_props) {
        return make_diagnostic("platinum.make-props", {},
                               {.message = text("object ", given(n.name), " is the prop ", map.props.size(),
                                                place_text(map.column, map.row), "; a map has 32")});
      }
    }
    return {};
  }

  std::optional<Diagnostic> add_events() {
    const auto places = scene::places_of(s_);
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      const std::string_view word = event_word(n);
      if (word.empty()) continue;
      const auto kind = std::ranges::find(k_event_kinds, word, &std::pair<std::string_view, SceneEvent::Kind>::first);
      if (kind == std::end(k_event_kinds))
        return make_diagnostic("platinum.make-event", {},
                               {.message = text("object ", given(n.name), ": the event ", given(word),
                                                " is none of sign, object, warp, trigger")});
      SceneEvent e{.node = i, .kind = kind->second};
      const TileArea area = grid_.area();
      const Point at = places[i].origin;
      e.x = area.column(at[0] * options_.units), e.z = area.row(at[2] * options_.units);
      e.height = at[1] * options_.units;
      const auto map = std::ranges::find_if(
          out_.maps, [&](const MadeMap& m) { return e.x / k_tiles == m.column && e.z / k_tiles == m.row; });
      if (e.x < 0 || e.z < 0 || map == out_.maps.end())
        return make_diagnostic("platinum.make-event", {},
                               {.message = text("object ", given(n.name), ": the event is not on a map of the scene")});
      if (kind->second == SceneEvent::Kind::trigger) {
        const auto tiles = [&](size_t axis) {
          const f64 size = 2 * scene::length(places[i].linear.columns[axis]) * options_.units / k_tile_units;
          return u32(std::clamp(std::round(size), 1.0, 960.0));
        };
        if (!scene::number_in(n.extras, "width")) e.across = tiles(0);
        if (!scene::number_in(n.extras, "length")) e.down = tiles(2);
        // An empty stands in the middle of what it shows.
        if (e.across > 1) e.x -= e.across / 2;
        if (e.down > 1) e.z -= e.down / 2;
        e.x = std::max<i64>(e.x, 0), e.z = std::max<i64>(e.z, 0);
      }
      u16& tile = map->land.attributes[size_t(e.z % k_tiles)][size_t(e.x % k_tiles)];
      SurfaceKind said = kind_of_node(s_, i);
      if (said.behavior) tile = u16((tile & ~k_behavior_bits) | *said.behavior);
      if (said.collision) tile = u16(*said.collision ? tile | k_collision : tile & ~k_collision);
      out_.events.push_back(e);
    }
    return {};
  }

  void note_ground() {
    if (surfaces_.floors.empty()) note(Severity::warning, "platinum.make-floor", "the scene has no floor");
    if (!options_.is_one && !options_.middle) return;
    u64 outside = 0;
    const TileArea a = grid_.area();
    for (const SurfaceTriangle& t : surfaces_.floors)
      for (const Point& p : t.corners)
        outside += p[0] < a.west - 1 || p[2] < a.north - 1 || p[0] > a.west + a.across * k_tile_units + 1 ||
                   p[2] > a.north + a.down * k_tile_units + 1;
    if (outside)
      note(Severity::hint, "platinum.make-outside",
           text(counted(outside, "corner"), " of floors outside of the ", a.across * u32(k_tile_units), " x ",
                a.down * u32(k_tile_units), " units of the map"));
  }

  const scene::Scene& s_;
  const MapOptions& options_;
  std::vector<bool> apart_;
  scene::Scene drawn_;
  Surfaces surfaces_;
  Grid grid_;
  MadeMaps out_;
};

}  // namespace

MapOptions map_options(const scene::Scene& s, std::span<const Argument> all, Arguments& a) {
  MapOptions out;
  out.units = (a.has("units-per-metre") ? a.number("units-per-metre", 1e-3, 1e6) : 1) * f64(s.metres_per_unit);
  out.of_model = {{"textures", "apart"}};
  for (const Argument& one : all) out.of_model.push_back(one);
  return out;
}

std::optional<SceneProp> prop_at(const scene::Scene& s, Index node) {
  const scene::Node& n = s.nodes[node];
  SceneProp out{.node = node, .number = {}, .name = {}};
  const bool is_shown = scene::text_in(n.extras, "kind") == k_prop_node;
  if (const auto name = scene::text_in(n.extras, "prop"); name && !name->empty()) {
    if (const auto number = whole_of(*name); number && *number >= 0 && *number <= 0xFFFF)
      out.number = u32(*number);
    else
      out.name = *name;
    return out;
  }
  const auto number = scene::number_in(n.extras, is_shown ? "model_id" : "prop");
  if (!number || *number < 0 || *number > 0xFFFF) return {};
  out.number = u32(*number);
  return out;
}

std::vector<bool> apart_from_map(const scene::Scene& s) {
  std::vector<bool> out = scene::left_out_by_marks(s);
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    out[i] = out[i] || (n.parent != k_none && out[n.parent]) || prop_at(s, i) || !event_word(n).empty() || !n.visible;
  }
  return out;
}

Result<MadeMaps> make_maps(const scene::Scene& s, const MapOptions& options) {
  if (const auto faults = scene::verify(s); !faults.empty())
    return refuse(make_diagnostic("platinum.make-scene", {}, {.message = "the scene is invalid: " + faults.front()}));
  return Maker(s, options).make();
}

}  // namespace dio::platinum
