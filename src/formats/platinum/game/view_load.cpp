#include "formats/platinum/game/view_load.hpp"

#include <algorithm>
#include <cmath>

#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::platinum {

namespace {

constexpr size_t k_most_lands_kept = 900;
// The view of the default camera: distance times the tangent of the half angle; times 4/3 to the sides, divided by the
// sine of the pitch in depth: 126 and 111 units.
constexpr f64 k_half_width = 126, k_half_depth = 111;

}  // namespace

/// A rectangle on the ground, with its polygon and vertex counts.
struct ViewLoads::Patch {
  f32 x0, x1, z0, z1;
  f32 polygons, vertices;
};

/// The patches of a model, in units from its origin. Node matrices are not applied; nearly all models have only the
/// root node.
std::vector<ViewLoads::Patch> ViewLoads::compute_patches(const nitro::Model& model) {
  std::vector<Patch> out;
  const nitro::Program program = nitro::run_sbc(model);
  const f64 scale = model.pos_scale.raw / 4096.0;
  nitro::Geometry g;
  for (const nitro::Draw& d : program.draws) {
    if (d.shape == nitro::k_called || d.shape >= model.shapes.size()) continue;
    nitro::run_display_list(d, program, 0, g);
    const nitro::ShapeFacts facts = nitro::analyze_display_list(model.shapes[d.shape].list);
    const f64 triangles = f64(g.indices.size() / 3);
    if (triangles == 0) continue;
    const f32 polygons = f32(f64(facts.triangles + facts.quads) / triangles);
    const f32 vertices = f32(f64(facts.vertices) / triangles);
    for (size_t i = 0; i + 2 < g.indices.size(); i += 3) {
      Patch p{1e9f, -1e9f, 1e9f, -1e9f, polygons, vertices};
      for (size_t k = 0; k < 3; ++k) {
        const nitro::GxVertex& c = g.corners[g.indices[i + k]];
        const f32 x = f32(c.position[0] * c.scale * scale), z = f32(c.position[2] * c.scale * scale);
        p.x0 = std::min(p.x0, x), p.x1 = std::max(p.x1, x);
        p.z0 = std::min(p.z0, z), p.z1 = std::max(p.z1, z);
      }
      out.push_back(p);
    }
  }
  return out;
}

/// The load of one land for each window position, in tiles. The window may be over the land or a neighbour: from one
/// map before its first tile to one map after its last.
class ViewLoads::Windows {
 public:
  static constexpr i32 k_side = 3 * i32(k_tiles);
  Windows() : loads_(size_t(k_side) * k_side) {}
  void add_patch(const Patch& p, f64 dx, f64 dz) {
    // Clamped, because far away equals just outside, and huge numbers must fit.
    const auto tiles = [](f64 x) {
      return std::fmax(-4.0 * k_side, std::fmin(4.0 * k_side, (x - k_tile_units / 2.0) / k_tile_units));
    };
    const auto first = [&](f64 at, f64 half) { return i32(std::ceil(tiles(at - half))); };
    const auto last = [&](f64 at, f64 half) { return i32(std::floor(tiles(at + half))); };
    constexpr i32 from = -k_side / 2;  // first tile, in tiles from the middle of the land
    const i32 x0 = std::clamp(first(p.x0 + dx, k_half_width) - from, 0, k_side);
    const i32 x1 = std::clamp(last(p.x1 + dx, k_half_width) - from + 1, 0, k_side);
    const i32 z0 = std::clamp(first(p.z0 + dz, k_half_depth) - from, 0, k_side);
    const i32 z1 = std::clamp(last(p.z1 + dz, k_half_depth) - from + 1, 0, k_side);
    if (x0 >= x1 || z0 >= z1) return;
    add_difference(x0, z0, p, 1), add_difference(x1, z0, p, -1), add_difference(x0, z1, p, -1),
        add_difference(x1, z1, p, 1);
  }
  /// Turns the differences into sums.
  void integrate_differences() {
    for (i32 z = 0; z < k_side; ++z)
      for (i32 x = 0; x < k_side; ++x) {
        ViewLoad& l = at(x, z);
        const ViewLoad none, &w = x ? at(x - 1, z) : none, &n = z ? at(x, z - 1) : none,
                             &d = x && z ? at(x - 1, z - 1) : none;
        l.polygons += w.polygons + n.polygons - d.polygons;
        l.vertices += w.vertices + n.vertices - d.vertices;
      }
  }
  ViewLoad& at(i32 x, i32 z) { return loads_[size_t(z) * k_side + size_t(x)]; }

 private:
  void add_difference(i32 x, i32 z, const Patch& p, f32 sign) {
    if (x >= k_side || z >= k_side) return;
    at(x, z).polygons += sign * p.polygons;
    at(x, z).vertices += sign * p.vertices;
  }
  std::vector<ViewLoad> loads_;
};

ViewLoads::ViewLoads(const GameTables& t) : t_(t) {}
ViewLoads::~ViewLoads() = default;

const std::vector<ViewLoads::Patch>& ViewLoads::prop_patches(u32 prop) {
  const auto [entry, is_new] = models_.try_emplace(prop);
  if (is_new)
    if (const auto file = t_.prop(prop); file && !file->models.empty())
      entry->second = compute_patches(file->models[0]);
  return entry->second;
}

ViewLoads::Windows& ViewLoads::land_windows(u32 number) {
  const auto [entry, is_new] = lands_.try_emplace(number);
  if (!is_new) return entry->second;
  const auto land = t_.land(number);
  if (land && !land->model.models.empty())
    for (const Patch& p : compute_patches(land->model.models[0])) entry->second.add_patch(p, 0, 0);
  for (size_t i = 0; land && i < std::min(land->props.size(), k_most_props); ++i) {
    const Prop& prop = land->props[i];
    const f32 sx = f32(prop.scale.x.raw) / 4096, sz = f32(prop.scale.z.raw) / 4096;
    for (Patch p : prop_patches(prop.model_id)) {
      p.x0 *= sx, p.x1 *= sx, p.z0 *= sz, p.z1 *= sz;
      if (p.x0 > p.x1) std::swap(p.x0, p.x1);
      if (p.z0 > p.z1) std::swap(p.z0, p.z1);
      entry->second.add_patch(p, prop.position.x.raw / 4096.0, prop.position.z.raw / 4096.0);
    }
  }
  entry->second.integrate_differences();
  return entry->second;
}

ViewLoad ViewLoads::compute_cell_load(const Matrix& m, size_t cell) {
  ViewLoad worst;
  if (m.lands[cell] == k_no_land) return worst;
  if (lands_.size() > k_most_lands_kept) lands_.clear();  // limits memory use
  const i32 cx = i32(cell % m.width), cz = i32(cell / m.width);
  for (i32 z = 0; z < i32(k_tiles); ++z)
    for (i32 x = 0; x < i32(k_tiles); ++x) {
      // The four loaded lands: this one and the three neighbours nearest to the quadrant of the window.
      const i32 sx = x < i32(k_tiles) / 2 ? -1 : 1, sz = z < i32(k_tiles) / 2 ? -1 : 1;
      ViewLoad sum;
      for (const i32 dx : {0, sx})
        for (const i32 dz : {0, sz}) {
          const i32 nx = cx + dx, nz = cz + dz;
          if (nx < 0 || nz < 0 || nx >= i32(m.width) || nz >= i32(m.height)) continue;
          const u16 land = m.lands[size_t(nz) * m.width + size_t(nx)];
          if (land == k_no_land) continue;
          const ViewLoad& l = land_windows(land).at(x + i32(k_tiles) * (1 - dx), z + i32(k_tiles) * (1 - dz));
          sum.polygons += l.polygons, sum.vertices += l.vertices;
        }
      worst.raise_to_maximum(sum);
    }
  return worst;
}

}  // namespace dio::platinum
