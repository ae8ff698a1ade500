#include "operations/apply_scene.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "operations/operations.hpp"
#include "operations/scene_edits/element_edits.hpp"
#include "operations/scene_edits/matched_scenes.hpp"
#include "operations/scene_edits/property_edits.hpp"
#include "operations/scene_edits/triangle_edits.hpp"
#include "operations/scene_edits/unapplied_edits.hpp"

namespace dio {

namespace {

Result<bool> apply_edits(Editing& editing, const MatchedScenes& scenes, Referrers referrers, SceneEdits& result) {
  PropertyEdits properties(editing, scenes, result);
  if (auto done = move_elements(editing, scenes, result); !done) return done;
  if (auto done = properties.apply(); !done) return done;
  const auto removed = remove_elements(editing, scenes, referrers, result);
  if (!removed) return refuse(removed.error());
  if (auto done = copy_elements(editing, scenes, *removed, properties, result); !done) return done;
  if (auto done = add_elements(editing, scenes, *removed, properties, result); !done) return done;
  const auto moved = apply_triangle_edits(editing, scenes, result);
  if (!moved) return refuse(moved.error());
  note_edited_lights(scenes, *moved, properties, result);
  properties.note_not_applied();
  note_renamed_nodes(scenes, result);
  note_moved_roots(scenes, result);
  note_moved_illustrations(scenes, result);
  return true;
}

}  // namespace

Result<SceneEdits> apply_scene_edits(Editing& editing, const ReadAs& as, scene::Scene edited, Referrers referrers,
                                     std::string_view file, std::span<const Companion> companions) {
  const auto scenes = match_scenes(editing, as, std::move(edited), file, companions);
  if (!scenes) return refuse(scenes.error());
  SceneEdits result;
  const auto made = editing.run_as_transaction([&] { return apply_edits(editing, *scenes, referrers, result); });
  const std::string& doubt = scenes->doubt;
  if (!made) {
    Diagnostic why = made.error();
    if (!doubt.empty() && why.id != "scene.source")
      why.hint += (why.hint.empty() ? "" : "; ") + ("was the scene made from this file? " + doubt);
    return refuse(std::move(why));
  }
  if (!doubt.empty() && result.any())
    result.notes.push_back(make_diagnostic(Severity::warning, "scene.other", {},
                                           {.message = doubt + ": was the scene made from this file?"}));
  return result;
}

namespace {

std::string describe_triangles(const SceneImportResult& t, std::string_view noun) {
  std::string out = format_count(t.changed, noun) + " changed, " + std::to_string(t.unchanged) + " unchanged";
  if (t.added) out += ", " + std::to_string(t.added) + " added";
  if (t.removed) out += ", " + std::to_string(t.removed) + " removed";
  return out;
}
std::string describe_scene_edits(const Scenes& scenes, const SceneEdits& e) {
  std::string out;
  if (scenes.place)
    out = std::to_string(e.moved) + " moved, " + std::to_string(e.added) + " added, " + std::to_string(e.removed) +
          " removed";
  else if (e.moved)
    out = format_count(e.moved, "node") + " moved";
  if (e.changed) out += (out.empty() ? "" : ", ") + std::to_string(e.changed) + " with edited properties";
  if (!scenes.write_triangles) return out;
  out += (out.empty() ? "" : "; ") + describe_triangles(e.triangles, scenes.counted);
  if (e.overlays.any()) out += "; " + describe_triangles(e.overlays, scenes.overlays_counted);
  return out;
}

Result<ApplySceneResult> apply_to_file(const OpenedFile& file, scene::Scene edited, SaveOptions options,
                                       Referrers referrers, std::span<const Companion> companions) {
  const ReadAs as{file.format, file.options};
  const auto error_in_file = [&](Diagnostic d) {
    if (d.place.file.empty()) d.place.file = file.name;
    return refuse(std::move(d));
  };
  auto editing = Editing::begin(file, {.lossy = options.lossy});
  if (!editing) return error_in_file(std::move(editing.error()));
  auto taken = apply_scene_edits(*editing, as, std::move(edited), referrers, file.name, companions);
  if (!taken) return refuse(std::move(taken.error()));
  auto bytes = taken->any() ? editing->save(options) : Result<Bytes>(copy_of(file.bytes));
  if (!bytes) return error_in_file(std::move(bytes.error()));
  taken->notes.insert(taken->notes.end(), editing->notes().begin(), editing->notes().end());
  return ApplySceneResult{std::move(*bytes),
                          describe_scene_edits(*file.format->scenes, *taken),
                          taken->any() ? editing->last() : Changes(),
                          taken->deleted,
                          taken->lost,
                          std::move(taken->notes)};
}

/// Whether a scene says that it was made of other bytes.
bool was_made_from_other_bytes(const scene::Scene& s, const OpenedFile& file) {
  const Value* digest = s.extras.find(k_digest_in_scenes);
  return digest && digest->text() != digest_of(file.bytes);
}

}  // namespace

std::optional<Diagnostic> refuse_loss(const ApplySceneResult& result, std::string_view file, AcceptedLoss accepted) {
  constexpr u64 k_few = 3;
  if (result.deleted > k_few && !accepted.deletes)
    return make_diagnostic(
        "scene.deleted", {},
        {.message = std::to_string(result.deleted) + " parts of " + std::string(file) +
                    " are missing from the scene and would be removed",
         .hint = "{--delete} allows the removal; if the parts were omitted by mistake, export the whole scene"});
  if (result.lost && !accepted.partly)
    return make_diagnostic(
        "scene.lost", {},
        {.message = format_count(result.lost, "change") + " in the scene cannot be applied, so nothing is written",
         .hint = "{--partly} applies the other changes"});
  return {};
}

Result<ApplySceneResult> apply_scene(OpenedFile& file, scene::Scene edited, SaveOptions options, Referrers referrers,
                                     std::span<const Companion> companions) {
  const bool is_older = was_made_from_other_bytes(edited, file);
  auto out = apply_to_file(file, std::move(edited), options, referrers, companions);
  if (!out || !is_older || std::ranges::equal(out->bytes, file.bytes)) return out;
  if (std::ranges::find(out->notes, "scene.other", &Diagnostic::id) != out->notes.end()) return out;
  out->notes.insert(out->notes.begin(),
                    make_diagnostic(Severity::warning, "scene.older", {},
                                    {.message = "the scene was made from another file, or from an older version of "
                                                "this file: later changes to this file may be undone",
                                     .hint = "{convert} makes a scene from the current file"}));
  return out;
}

}  // namespace dio
