#include "operations/scene_edits/node_edits.hpp"

#include "core/text_format.hpp"
#include "formats/contract/node_transform_edit.hpp"
#include "operations/operations.hpp"
#include "operations/scene_edits/triangle_comparison.hpp"
#include "operations/scene_edits/unapplied_edits.hpp"
#include "scene/transforms.hpp"

namespace dio {

using scene::Index;
using scene::k_none;

namespace {

/// How a node was moved, turned or scaled below the same parent; nothing if it was not, or was copied, or is animated.
std::optional<NodeTransformChange> find_transform_change(const MatchedScenes& s, Index i) {
  const scene::Node& own = s.original.nodes[i];
  if (s.edited_nodes[i].size() != 1 || s.path_of(i).empty() || is_placed(s.format(), own)) return {};
  const Index n = s.edited_nodes[i].front();
  const scene::Node& now = s.edited.nodes[n];
  const Index parent = now.parent == k_none ? k_none : s.original_nodes[now.parent];
  NodeTransformChange change{own.extras, scene::decompose_trs(own), scene::decompose_trs(now)};
  if (scene::determinant(scene::local_transform(now).linear) == 0)  // hidden: only its position is left
    change.after.rotation = change.before.rotation, change.after.scale = change.before.scale;
  if (parent != own.parent || is_same_pose(change.before, change.after) || s.is_animated[n] || !s.is_of_this_file(n))
    return {};
  return change;
}
/// By node of the file, whether it or a node below it has a mesh of these parts.
std::vector<bool> find_nodes_with_parts(const scene::Scene& s, const std::vector<bool>& parts) {
  std::vector<bool> out(s.nodes.size());
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (s.nodes[i].mesh != k_none && parts[i])
      for (Index above = i; above != k_none && !out[above]; above = s.nodes[above].parent) out[above] = true;
  return out;
}

/// Drawn nodes are those whose triangles are compared; the others are bare.
class NodeMover {
 public:
  NodeMover(Editing& editing, const MatchedScenes& scenes, SceneEdits& result)
      : e_(editing), s_(scenes), result_(result) {}

  Result<bool> move_drawn(const std::vector<Index>& nodes, ComparedScenes& alike,
                          scene::TriangleDifferences& differences) {
    auto loaded = s_.as.format->load(e_.view(), s_.as.options);
    if (!loaded) return refuse(std::move(loaded.error()));
    std::vector<Index> moved;
    for (const Index i : nodes)
      if (s_.format().move_node(*loaded->document, *find_transform_change(s_, i))) moved.push_back(i);
    if (moved.empty()) return true;
    auto bytes = loaded->document->save({});
    if (!bytes) return true;
    auto staged = s_.format().to_scene(*loaded->document, s_.options());
    if (!staged) return true;
    ComparedScenes after = make_comparable(s_, staged->scene, alike.original_parts, alike.edited_parts);
    for (const Index i : moved) {  // the file rounds
      scene::Node& now = after.edited.nodes[s_.edited_nodes[i].front()];
      const scene::Node& stored = after.original.nodes[i];
      now.translation = stored.translation, now.rotation = stored.rotation, now.scale = stored.scale;
    }
    auto left = compare_triangles(s_, after);
    if (count_differences(left) >= count_differences(differences)) return true;
    if (auto done = e_.replace(std::move(*bytes)); !done) return done;
    alike = std::move(after);
    differences = std::move(left);
    differences.original = &alike.original, differences.edited = &alike.edited;
    result_.moved += moved.size();
    return true;
  }
  Result<BareNodes> move_bare(const std::vector<Index>& candidates) {
    BareNodes out;
    const std::vector<Index> nodes = find_out_of_place(candidates);
    if (nodes.empty()) return out;
    auto loaded = s_.as.format->load(e_.view(), s_.as.options);
    if (!loaded) return refuse(std::move(loaded.error()));
    for (const Index i : nodes)
      (s_.format().move_node(*loaded->document, *find_transform_change(s_, i)) ? out.moved : out.named).insert(i);
    note_unmoved(out.named);
    if (out.moved.empty()) return out;
    auto bytes = loaded->document->save({});
    if (!bytes) return refuse(std::move(bytes.error()));
    auto staged = s_.format().to_scene(*loaded->document, s_.options());
    if (!staged) return refuse(std::move(staged.error()));
    out.scene_after = std::move(staged->scene);
    result_.moved += out.moved.size();
    if (auto done = e_.replace(std::move(*bytes)); !done) return refuse(std::move(done.error()));
    return out;
  }

 private:
  /// The nodes whose meshes show something in another place, and those without meshes.
  std::vector<Index> find_out_of_place(const std::vector<Index>& bare) {
    const auto has_mesh = [&](Index i) { return s_.original.nodes[i].mesh != k_none; };
    std::vector<bool> original_parts(s_.original.nodes.size()), edited_parts(s_.edited.nodes.size());
    for (const Index i : bare) original_parts[i] = edited_parts[s_.edited_nodes[i].front()] = has_mesh(i);
    std::set<Index> differ;
    const auto differences =
        scene::match_triangles(s_.original, s_.edited, s_.original_nodes, original_parts, edited_parts);
    for (const scene::EditedPrimitive& p : differences.primitives) differ.insert(p.node);
    const bool is_applied = s_.has_applied_transforms();
    std::vector<Index> out;
    bool has_kept = false;
    for (const Index i : bare)
      if (has_mesh(i) ? differ.contains(i) : !is_applied)
        out.push_back(i);
      else
        has_kept |= !has_mesh(i);
    if (has_kept) note_applied_transforms(result_);
    return out;
  }
  void note_unmoved(const std::set<Index>& nodes) {
    if (nodes.empty()) return;
    std::vector<std::string> names;
    for (const Index i : nodes) names.push_back(s_.original.nodes[i].name);
    result_.lost += names.size();
    result_.notes.push_back(
        make_diagnostic(Severity::warning, "scene.place", {},
                        {.message = "the file cannot store the new transforms of " + join_first_few(names),
                         .hint = "edit these values in the file"}));
  }

  Editing& e_;
  const MatchedScenes& s_;
  SceneEdits& result_;
};

}  // namespace

Result<BareNodes> move_nodes(Editing& editing, const MatchedScenes& s, ComparedScenes& alike,
                             scene::TriangleDifferences& differences, SceneEdits& result) {
  if (!s.format().move_node) return BareNodes();
  const std::vector<bool> has_parts = find_nodes_with_parts(s.original, alike.original_parts);
  std::vector<Index> bare, drawn;
  for (Index i = 0; i < s.original.nodes.size(); ++i)
    if (find_transform_change(s, i)) (has_parts[i] ? drawn : bare).push_back(i);
  NodeMover mover(editing, s, result);
  if (!differences.primitives.empty() && !drawn.empty())
    if (auto done = mover.move_drawn(drawn, alike, differences); !done) return refuse(std::move(done.error()));
  return mover.move_bare(bare);
}

}  // namespace dio
