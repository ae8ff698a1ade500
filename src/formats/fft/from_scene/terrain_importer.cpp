#include "formats/fft/from_scene/terrain_importer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/scene/slopes.hpp"
#include "scene/node_name_suffixes.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::fft {
namespace {

using scene::Index;
using scene::Point;

/// The heights of the corners of a tile in a scene, in steps, in the order of k_corners.
using Corners = std::array<std::optional<f64>, 4>;
struct TilePosition {
  u32 level, x, z;
  auto operator<=>(const TilePosition&) const = default;
};

class TerrainImporter {
 public:
  TerrainImporter(Terrain& terrain, const scene::Scene& s)
      : terrain_(terrain), s_(s), places_(scene::world_transforms(s)) {}

  SceneImportResult run() {
    for (Index i = 0; i < s_.nodes.size(); ++i)
      if (const auto level = terrain_level_of_node(s_, i)) collect_triangles(i, *level);
    for (const auto& [at, corners] : seen_) update_tile(at, corners);
    if (off_grid_) {
      out_.lost += off_grid_;
      note(Severity::warning,
           text(format_count(off_grid_, "triangle"), " of the terrain", off_grid_ == 1 ? " is" : " are",
                " not imported: tiles can change only in height and slope"));
    }
    if (out_.changed)
      note(Severity::hint,
           text(format_count(out_.changed, "tile"), out_.changed == 1 ? " has" : " have", " a new height or slope"));
    return std::move(out_);
  }

 private:
  void note(Severity severity, std::string message) {
    out_.notes.push_back(make_diagnostic(severity, "fft.scene-terrain", "terrain", {.message = std::move(message)}));
  }
  /// From a node to the file; nodes hidden by a scale of 0 are at the position of the terrain.
  Point to_file(Index node, const scene::Vec3& v) const {
    const bool is_hidden = scene::determinant(places_[node].linear) == 0;
    const Point p{v[0], v[1], v[2]};
    const Point at = is_hidden ? p : places_[node] * p;
    return {at[0], -at[1], -at[2]};
  }

  /// Whether a program without hidden nodes applied the scale of 0 that hid the mesh: it has one point.
  static bool is_collapsed(const scene::Mesh& m) {
    const scene::Vec3* first = nullptr;
    for (const scene::Primitive& p : m.primitives)
      for (const scene::Vec3& v : p.positions) {
        if (!first) first = &v;
        if (v != *first) return false;
      }
    return true;
  }
  void collect_triangles(Index node, u32 level) {
    if (is_collapsed(s_.meshes[s_.nodes[node].mesh])) return;
    for (const scene::Primitive& p : s_.meshes[s_.nodes[node].mesh].primitives) {
      const std::vector<Index> indices = scene::triangle_indices(p);
      for (size_t i = 0; i + 2 < indices.size(); i += 3) {
        std::array<Point, 3> at;
        for (size_t k = 0; k < 3; ++k) at[k] = to_file(node, p.positions[indices[i + k]]);
        off_grid_ += !add_triangle(level, at);
      }
    }
  }
  bool add_triangle(u32 level, const std::array<Point, 3>& at) {
    constexpr f64 k_near = 0.05;  // tiles
    const auto tile_of = [&](size_t axis) {
      return std::floor((at[0][axis] + at[1][axis] + at[2][axis]) / 3 / k_tile_units);
    };
    const f64 x = tile_of(0), z = tile_of(2);
    if (!(x >= 0 && z >= 0 && x < terrain_.size_x && z < terrain_.size_z)) return false;
    Corners& corners = seen_[{level, u32(x), u32(z)}];
    for (const Point& p : at) {
      const f64 east = p[0] / k_tile_units - x, north = p[2] / k_tile_units - z;
      const auto is_whole = [&](f64 n) { return std::fabs(n - std::round(n)) < k_near && n > -0.5 && n < 1.5; };
      if (!is_whole(east) || !is_whole(north)) return false;
      const bool is_east = east > 0.5, is_north = north > 0.5;
      const u8 corner = is_north ? (is_east ? k_northeast : k_northwest) : is_east ? k_southeast : k_southwest;
      corners[size_t(std::ranges::find(k_corners, corner) - k_corners.begin())] = -p[1] / k_step_units;
    }
    return true;
  }

  void update_tile(const TilePosition& at, const Corners& corners) {
    TerrainTile* tile = Terrain::tile(terrain_, at.level, at.x, at.z);
    if (!tile) return void(++off_grid_);
    const std::array<i32, 4> before = corner_steps(*tile);
    std::array<i32, 4> now = before;
    bool is_same = true;
    for (size_t i = 0; i < 4; ++i) {
      if (!corners[i]) continue;
      constexpr f64 k_same = 0.02;  // steps
      is_same = is_same && std::fabs(*corners[i] - before[i]) < k_same;
      now[i] = i32(std::clamp(std::round(*corners[i]), -1e6, 1e6));
    }
    if (is_same || now == before) return void(++out_.unchanged);
    const auto [low, high] = std::ranges::minmax(now);
    u8 raised = 0;
    bool has_two_heights = true;
    for (size_t i = 0; i < 4; ++i) {
      has_two_heights = has_two_heights && (now[i] == low || now[i] == high);
      if (low != high && now[i] == high) raised |= k_corners[i];
    }
    const u8 slope = slope_of_corners(raised);
    if (!has_two_heights || low < 0 || low > 255 || high - low > 31 || raised_corners(slope) != raised) {
      ++out_.lost;
      return note(Severity::warning, text("tile ", at.x, ",", at.z, at.level ? " of level 1" : "",
                                          " is not imported: its corners are at ", now[0], ", ", now[1], ", ", now[2],
                                          " and ", now[3], " steps, which matches no slope of the game"));
    }
    tile->height = u8(low), tile->slope_height = u8(high - low), tile->slope = slope;
    ++out_.changed;
  }

  Terrain& terrain_;
  const scene::Scene& s_;
  const std::vector<scene::Affine> places_;
  std::map<TilePosition, Corners> seen_;
  u64 off_grid_ = 0;  // triangles
  SceneImportResult out_;
};

}  // namespace

std::optional<u32> terrain_level_of_node(const scene::Scene& s, Index i) {
  const scene::Node& n = s.nodes[i];
  if (n.mesh == scene::k_none || n.parent == scene::k_none) return {};
  if (scene::strip_copy_suffix(s.nodes[n.parent].name) != "terrain") return {};
  const std::string_view name = scene::strip_copy_suffix(n.name);
  for (u32 level = 0; level < Terrain::k_levels; ++level)
    if (name == text("level ", level)) return level;
  return {};
}
SceneImportResult import_terrain(Terrain& terrain, const scene::Scene& s) { return TerrainImporter(terrain, s).run(); }

}  // namespace dio::fft
