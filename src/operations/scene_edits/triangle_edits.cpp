#include "operations/scene_edits/triangle_edits.hpp"

#include <algorithm>

#include "operations/scene_edits/node_edits.hpp"
#include "operations/scene_edits/triangle_comparison.hpp"
#include "operations/scene_edits/unapplied_edits.hpp"

namespace dio {

using scene::Index;
using scene::k_none;

namespace {

Result<bool> change_document(Editing& editing, const ReadAs& as, SceneEdits& result, auto&& change) {
  auto loaded = as.format->load(editing.view(), as.options);
  if (!loaded) return refuse(std::move(loaded.error()));
  Result<SceneImportResult> taken = change(*loaded->document);
  if (!taken) return refuse(std::move(taken.error()));
  result.notes.insert(result.notes.end(), taken->notes.begin(), taken->notes.end());
  result.lost += taken->lost, result.deleted += taken->removed;
  taken->notes.clear();
  result.triangles = std::move(*taken);
  if (!result.triangles.any() && !result.overlays.any()) return true;
  auto bytes = loaded->document->save({});
  if (!bytes) return refuse(std::move(bytes.error()));
  return editing.replace(std::move(*bytes));
}
/// Triangles with another material, and flipped ones, are removed from one part of the file and added to another.
void discount_reassigned(const scene::TriangleDifferences& differences, SceneEdits& result) {
  result.deleted -= std::min(result.deleted, differences.reassigned);
}
void note_lost_parts(const ComparedScenes& alike, SceneEdits& result) {
  result.lost += alike.lost;
  result.notes.insert(result.notes.end(), alike.notes.begin(), alike.notes.end());
}

// ---- scenes that formats make comparable themselves (Scenes::prepare_comparison) ----

/// Whether each node of the file, or one above it, has a layer that only shows values over the map.
std::vector<bool> find_layers_over_map(const scene::Scene& s, const Scenes& format) {
  std::vector<bool> out;
  for (const scene::Node& n : s.nodes) {
    const Value* kind = n.extras.find("kind");
    const bool is_over = kind && std::ranges::any_of(format.kinds, [&](const NodeKind& k) {
                           return k.kind == kind->text() && !k.layer.empty() && !k.is_content;
                         });
    out.push_back(is_over || (n.parent != k_none && out[n.parent]));
  }
  return out;
}
/// Materials, and overlays that the format does not read.
void note_prepared_parts(const MatchedScenes& s, const ComparedScenes& alike, SceneEdits& result) {
  const std::vector<bool> over = find_layers_over_map(s.original, s.format());
  std::vector<bool> original_overlays(s.original.nodes.size()), edited_overlays(s.edited.nodes.size()),
      original_parts(s.original.nodes.size()), edited_parts(s.edited.nodes.size());
  for (Index i = 0; i < s.original.nodes.size(); ++i) {
    if (s.original.nodes[i].mesh == k_none) continue;
    for (const Index n : s.edited_nodes[i]) {
      if (s.edited.nodes[n].mesh == k_none || !s.is_of_this_file(n)) continue;
      original_parts[i] = edited_parts[n] = true;
      if (over[i] && !alike.edited_overlays[n] && !alike.edited_parts[n])
        original_overlays[i] = edited_overlays[n] = true;
    }
  }
  note_edited_materials(s, original_parts, edited_parts, result);
  note_edited_overlays(
      s, scene::match_triangles(s.original, s.edited, s.original_nodes, original_overlays, edited_overlays), result);
}
Result<bool> apply_prepared(Editing& editing, const MatchedScenes& s, SceneEdits& result) {
  auto alike = s.format().prepare_comparison(s.file, s.edited);
  if (!alike) return refuse(std::move(alike.error()));
  const auto differences = compare_triangles(s, *alike);
  if (auto done = note_differences(s, differences, result); !done) return done;
  note_lost_parts(*alike, result);
  note_prepared_parts(s, *alike, result);
  auto done = change_document(editing, s.as, result, [&](AnyDocument& d) -> Result<SceneImportResult> {
    auto taken = s.format().write_triangles(d, differences);
    if (!taken || !s.format().write_overlays) return taken;
    auto more = s.format().write_overlays(d, s.edited);
    if (!more) return more;
    taken->lost += more->lost;
    taken->notes.insert(taken->notes.end(), more->notes.begin(), more->notes.end());
    more->notes.clear();
    result.overlays = std::move(*more);
    return taken;
  });
  if (done) discount_reassigned(differences, result);
  return done;
}

// ---- other scenes ----

/// Overlays and other meshes that are not compared with the triangles of the file. `drawn`: by node of the file.
void note_undrawn_parts(const MatchedScenes& s, const std::vector<bool>& drawn, const BareNodes& nodes,
                        SceneEdits& result) {
  std::vector<bool> original_parts = drawn, edited_parts = s.find_known_nodes();
  original_parts.flip();
  const auto is_undrawn = [&](Index n) { return s.original_nodes[n] != k_none && original_parts[s.original_nodes[n]]; };
  for (Index n = 0; n < s.edited.nodes.size(); ++n) edited_parts[n] = edited_parts[n] && is_undrawn(n);
  note_edited_materials(s, original_parts, edited_parts, result);
  for (Index n = 0; n < s.edited.nodes.size(); ++n) edited_parts[n] = is_undrawn(n);
  for (const Index i : nodes.named)
    for (const Index n : s.edited_nodes[i]) original_parts[i] = edited_parts[n] = false;
  std::vector<bool> original_moved(s.original.nodes.size()), edited_moved(s.edited.nodes.size());
  for (const Index i : nodes.moved)
    for (const Index n : s.edited_nodes[i])
      original_moved[i] = original_parts[i], edited_moved[n] = edited_parts[n],
      original_parts[i] = edited_parts[n] = false;
  note_edited_overlays(s, scene::match_triangles(s.original, s.edited, s.original_nodes, original_parts, edited_parts),
                       result);
  if (!nodes.scene_after) return;
  scene::Scene rounded = s.edited;
  for (const Index i : nodes.moved) {
    const scene::Node& stored = nodes.scene_after->nodes[i];
    scene::Node& now = rounded.nodes[s.edited_nodes[i].front()];
    now.translation = stored.translation, now.rotation = stored.rotation, now.scale = stored.scale;
  }
  note_edited_overlays(
      s, scene::match_triangles(*nodes.scene_after, rounded, s.original_nodes, original_moved, edited_moved), result);
}
Result<std::set<Index>> apply_compared(Editing& editing, const MatchedScenes& s, SceneEdits& result) {
  const std::vector<bool> original_parts = find_drawn_nodes(s.original, s.format());
  std::vector<bool> edited_parts = find_drawn_nodes(s.edited, s.format());
  for (Index n = 0; n < s.edited.nodes.size(); ++n)  // without extras, overlays are known by their names
    if (const Index own = s.original_nodes[n]; own != k_none) edited_parts[n] = edited_parts[n] && original_parts[own];
  ComparedScenes alike = make_comparable(s, s.original, original_parts, edited_parts);
  auto differences = compare_triangles(s, alike);
  auto nodes = move_nodes(editing, s, alike, differences, result);
  if (!nodes) return refuse(std::move(nodes.error()));
  note_lost_parts(alike, result);
  if (auto done = note_differences(s, differences, result); !done) return refuse(std::move(done.error()));
  note_edited_materials(s, original_parts, edited_parts, result);
  note_undrawn_parts(s, original_parts, *nodes, result);
  result.triangles.unchanged = u32(differences.unchanged);
  const bool adds_materials = s.format().adds_materials && !differences.unplaced.empty();
  if (differences.primitives.empty() && !adds_materials) return std::move(nodes->moved);
  auto done = change_document(editing, s.as, result,
                              [&](AnyDocument& d) { return s.format().write_triangles(d, differences); });
  if (!done) return refuse(std::move(done.error()));
  discount_reassigned(differences, result);
  return std::move(nodes->moved);
}

}  // namespace

Result<std::set<Index>> apply_triangle_edits(Editing& editing, const MatchedScenes& s, SceneEdits& result) {
  if (!s.format().write_triangles) {
    note_edited_materials(s, std::vector<bool>(s.original.nodes.size(), true), s.find_known_nodes(), result);
    note_edited_markers(s, result);
    return std::set<Index>();
  }
  if (!s.format().prepare_comparison) return apply_compared(editing, s, result);
  if (auto done = apply_prepared(editing, s, result); !done) return refuse(std::move(done.error()));
  return std::set<Index>();
}

}  // namespace dio
