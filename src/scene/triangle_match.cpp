#include "scene/triangle_match.hpp"

#include <algorithm>

#include "scene/triangle_match/differences.hpp"
#include "scene/triangle_match/matching_steps.hpp"

namespace dio::scene {

bool has_shuffled_colors(const Scene& s) { return s.generator.starts_with("Khronos glTF Blender I/O v3.4."); }

TriangleDifferences match_triangles(const Scene& original, const Scene& edited, std::span<const Index> original_nodes,
                                    const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts,
                                    TriangleMatching options) {
  const ScenePair scenes{.original = original,
                         .edited = edited,
                         .original_nodes = original_nodes,
                         .original_parts = original_parts,
                         .edited_parts = edited_parts,
                         .options = options};
  OriginalTriangles own(scenes);
  const PosedNodes posed(scenes, own.points.tolerance());
  EditedMeshes meshes = place_edited_meshes(own, posed);
  TrianglePairs pairs{.scenes = scenes, .own = own, .seen = meshes.triangles};
  match_by_sources(pairs);
  match_in_known_order(pairs);
  match_in_place(pairs);
  if (options.pairs_flipped) match_flipped(pairs);
  const auto known = std::ranges::count_if(pairs.seen, [](const SeenTriangle& e) { return e.original != k_none; });
  match_changed(pairs);
  TriangleDifferences out = find_differences(pairs, meshes.collapsed);
  out.known = u64(known);
  out.posed = posed.find_ignored();
  std::erase_if(out.posed, [&](Index node) { return meshes.is_placed_below_bones[node]; });
  return out;
}

}  // namespace dio::scene
