#include "bridge/raster/thumbnail.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scene/scaling.hpp"

namespace dio::raster {

namespace {

constexpr u64 k_most_triangles = 2'000'000;
constexpr size_t k_most_textures = 16;

u64 count_triangles(const scene::Scene& s) {
  std::vector<u64> of_mesh;
  for (const auto& m : s.meshes) {
    u64 n = 0;
    for (const auto& p : m.primitives) n += (p.indices.empty() ? p.positions.size() : p.indices.size()) / 3;
    of_mesh.push_back(n);
  }
  u64 all = 0;
  for (const auto& n : s.nodes)
    if (n.mesh != scene::k_none) all += of_mesh[n.mesh];
  return all;
}

/// As large as possible in a square, with its proportions.
scene::Image scale_to_square(const scene::Image& image, u32 side) {
  const u32 longer = std::max({image.width, image.height, 1u});
  return scene::resize_image(image, std::max(u32(u64(image.width) * side / longer), 1u),
                             std::max(u32(u64(image.height) * side / longer), 1u));
}

}  // namespace

Result<scene::Image> make_thumbnail(const scene::Scene& scene, u32 size) {
  if (count_triangles(scene) > k_most_triangles)
    return refuse("render.size", {},
                  {.message = "too many triangles for a thumbnail; the maximum is 2,000,000",
                   .hint = "{render FILE} has no such limit"});
  if (!compute_bounds(scene, evaluate_pose(scene, {})))
    return refuse("scene.none", {}, {.message = "there is nothing to draw"});
  RenderOptions shot;
  shot.options.width = shot.options.height = size;
  shot.options.samples = 2;
  auto taken = render_picture(scene, shot);
  if (!taken) return refuse(std::move(taken.error()));
  return std::move(taken->image);
}

scene::Image make_thumbnail(std::span<const LabelledImage> textures, u32 size) {
  const u32 across = std::min(u32(std::ceil(std::sqrt(f64(std::min(textures.size(), k_most_textures))))), size);
  const size_t count = std::min({textures.size(), k_most_textures, size_t(across) * across});
  const u32 cell = std::max(size / across, 1u), rows = u32((count + across - 1) / across);
  scene::Image out;
  out.width = cell * across, out.height = cell * rows;
  out.pixels.resize(size_t(out.width) * out.height * 4);
  for (size_t i = 0; i < count; ++i) {
    const scene::Image picture = scale_to_square(textures[i].image, cell > 4 ? cell - 2 : cell);
    const u32 left = u32(i) % across * cell + (cell - picture.width) / 2;
    const u32 top = u32(i) / across * cell + (cell - picture.height) / 2;
    for (u32 y = 0; y < picture.height; ++y)
      std::memcpy(out.pixels.data() + (size_t(top + y) * out.width + left) * 4,
                  picture.pixels.data() + size_t(y) * picture.width * 4, size_t(picture.width) * 4);
  }
  return out;
}

}  // namespace dio::raster
