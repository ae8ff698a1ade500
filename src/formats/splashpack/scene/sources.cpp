// sources.cpp: the triangle of a pack that a scene vertex comes from: its source is three times the triangle index,
// plus the corner.
#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/splashpack/parts.hpp"
#include "layout/path_steps.hpp"

namespace dio::splashpack {

namespace {

/// The number of triangles of the object or navmesh at the start of a path, which is removed; 0 for other paths.
u32 consume_mesh_path(const Pack& pack, std::string_view& path) {
  if (const auto i = take_element(path, "objects"))
    return *i < pack.objects.size() ? u32(pack.objects[*i].triangles.size()) : 0;
  if (const auto i = take_element(path, "navmeshes"))
    return *i < pack.navmeshes.size() ? u32(pack.navmeshes[*i].triangles.size()) : 0;
  return 0;
}

}  // namespace

std::optional<ValuePart> value_of_source(const Pack& pack, std::string_view node, u32 source) {
  std::string_view rest = node;
  if (source / 3 >= consume_mesh_path(pack, rest)) return {};
  return ValuePart{text(node, ".triangles[", source / 3, "]")};
}

std::vector<SourceRun> sources_of_value(const Pack& pack, std::string_view node, std::string_view path) {
  std::string_view rest = node;
  const u32 count = consume_mesh_path(pack, rest);
  if (!count || !path.starts_with(node)) return {};
  path.remove_prefix(node.size());
  if (path == ".triangles") return {{0, 3 * count}};
  const auto triangle = take_element(path, "triangles");
  if (!triangle || *triangle >= count) return {};
  return {{u32(3 * *triangle), 3}};
}

}  // namespace dio::splashpack
