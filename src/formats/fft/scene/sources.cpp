#include "formats/fft/scene/sources.hpp"

#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/parts.hpp"
#include "layout/path_steps.hpp"

namespace dio::fft {

namespace {

constexpr std::string_view k_terrain = "terrain";
constexpr u32 k_all_tiles = u32(Terrain::k_levels * Terrain::k_tiles);

/// The mesh with this name: primary, animated_1.
const Geometry* find_mesh_geometry(const Mesh& file, std::string_view name) {
  if (name == "primary") return file.primary ? &*file.primary : nullptr;
  for (size_t i = 0; i < k_animated_meshes; ++i)
    if (name == Mesh::k_animated_names[i]) return file.animated[i] ? &*file.animated[i] : nullptr;
  return nullptr;
}

}  // namespace

std::optional<ValuePart> value_of_source(const Mesh& file, std::string_view node, u32 source) {
  if (node == k_terrain && file.terrain) {
    if (source >= k_all_tiles) return {};
    return ValuePart{text(k_terrain, ".levels[", source / Terrain::k_tiles, "][", source % Terrain::k_tiles, "]")};
  }
  const Geometry* g = find_mesh_geometry(file, node);
  const auto corner = g ? find_corner(*g, source) : std::nullopt;
  if (!corner) return {};
  return ValuePart{text(node, ".", k_polygon_kinds[size_t(corner->kind)], "[", corner->index, "]")};
}

std::vector<SourceRun> sources_of_value(const Mesh& file, std::string_view node, std::string_view path) {
  if (!take_name(path, node)) return {};
  if (node == k_terrain) {
    if (path == ".levels") return {{0, k_all_tiles}};
    const auto level = take_element(path, "levels");
    if (!level || *level >= Terrain::k_levels) return {};
    const u32 first = u32(*level * Terrain::k_tiles);
    const auto tile = take_index(path);
    if (!tile) return {{first, u32(Terrain::k_tiles)}};
    if (*tile >= Terrain::k_tiles) return {};
    return {{u32(first + *tile), 1}};
  }
  const Geometry* g = find_mesh_geometry(file, node);
  if (!g) return {};
  const auto counts = count_polygons_by_kind(*g);
  for (size_t k = 0; k < counts.size(); ++k) {
    std::string_view rest = path;
    if (!take_name(rest, k_polygon_kinds[k])) continue;
    const auto index = take_index(rest);
    if (index && *index >= counts[k]) return {};
    const u32 first = source_number(*g, {PolygonKind(k), u32(index.value_or(0)), 0});
    if (counts[k]) return {{first, index ? 4 : u32(4 * counts[k])}};
  }
  return {};
}

}  // namespace dio::fft
