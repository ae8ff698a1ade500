#include "operations/scene_edits/triangle_comparison.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "operations/scene_nodes.hpp"

namespace dio {

using scene::Index;
using scene::k_none;

namespace {

bool has_colors(const scene::Scene& s) {
  return std::ranges::any_of(s.meshes, [](const scene::Mesh& m) {
    return std::ranges::any_of(m.primitives, [](const scene::Primitive& p) { return !p.colors.empty(); });
  });
}
void note_unplaced(const MatchedScenes& s, const scene::TriangleDifferences& differences, SceneEdits& result) {
  if (s.format().adds_materials) return;
  const std::string owner = s.format().has_separate_nodes ? "object" : "file";
  for (const scene::UnplacedTriangles& u : differences.unplaced) {
    result.lost += u.count;
    const std::string material = u.material.empty() ? "no material" : "the material " + given(u.material);
    result.notes.push_back(make_diagnostic(
        Severity::warning, "scene.new", s.edited.nodes[u.node].name,
        {.message = format_count(u.count, "triangle") + " with " + material + " cannot be added: the " + owner +
                    " draws nothing " + (u.material.empty() ? "without a material" : "with this material"),
         .hint = "assign a material that the " + owner + " uses, or make a new file from the scene"}));
  }
}

}  // namespace

std::vector<bool> find_drawn_nodes(const scene::Scene& s, const Scenes& format) {
  std::vector<bool> out;
  for (const scene::Node& n : s.nodes) {
    const Value* kind = n.extras.find("kind");
    const bool is_overlay = kind && std::ranges::any_of(format.kinds, [&](const NodeKind& k) {
                              return k.kind == kind->text() && (!k.overlay.empty() || k.shows_values);
                            });
    // What is shown below something that can be placed is its own: the model of a prop.
    const bool is_below_placed = n.parent != k_none && is_placed(format, s.nodes[n.parent]);
    out.push_back(!is_overlay && !is_below_placed && !is_auxiliary_node(format, n) &&
                  (n.parent == k_none || out[n.parent]));
  }
  for (Index i = 0; i < s.nodes.size(); ++i) out[i] = out[i] && !is_foreign_node(s, i);
  return out;
}

ComparedScenes make_comparable(const MatchedScenes& s, const scene::Scene& original,
                               const std::vector<bool>& original_parts, const std::vector<bool>& edited_parts) {
  ComparedScenes out{.original = original,
                     .edited = s.format().without_alternates ? s.format().without_alternates(s.edited) : s.edited,
                     .original_nodes = s.original_nodes,
                     .original_parts = original_parts,
                     .edited_parts = edited_parts,
                     .notes = {}};
  if (s.format().encode_triangle_values) s.format().encode_triangle_values(s.file, out);
  return out;
}

scene::TriangleDifferences compare_triangles(const MatchedScenes& s, const ComparedScenes& alike) {
  scene::TriangleDifferences out = scene::match_triangles(
      alike.original, alike.edited, alike.original_nodes, alike.original_parts, alike.edited_parts,
      {s.format().has_separate_nodes, s.format().flips_triangles, s.format().adds_materials});
  out.is_lit_by_game = s.is_part_of_game;
  return out;
}
u64 count_differences(const scene::TriangleDifferences& d) {
  u64 out = 0;
  for (const scene::EditedPrimitive& p : d.primitives) out += p.changed + p.added + p.removed;
  return out;
}

Result<bool> note_differences(const MatchedScenes& s, const scene::TriangleDifferences& differences,
                              SceneEdits& result) {
  if (!s.is_known && !differences.known && !s.original.meshes.empty()) return refuse(foreign_scene_error());
  note_unplaced(s, differences, result);
  if (!differences.posed.empty()) {
    std::vector<std::string> names;
    for (const Index n : differences.posed) names.push_back(s.edited.nodes[n].name);
    result.notes.push_back(make_diagnostic(
        Severity::hint, "scene.kept", {},
        {.message = "new transforms below animated nodes are ignored, because animations may have caused them: " +
                    join_first_few(names),
         .hint = "to move such a mesh, move its vertices"}));
  }
  if (differences.hidden)
    result.notes.push_back(
        make_diagnostic(Severity::hint, "scene.kept", {},
                        {.message = format_count(differences.hidden, "triangle") + " of hidden nodes" +
                                    (differences.hidden == 1 ? " is" : " are") + " missing from the scene and " +
                                    (differences.hidden == 1 ? "stays unchanged" : "stay unchanged")}));
  if (scene::has_shuffled_colors(s.edited) && has_colors(s.original))
    result.notes.push_back(
        make_diagnostic(Severity::hint, "scene.kept", {}, {.message = "vertex colours stay unchanged"}));
  return true;
}

}  // namespace dio
