// edited_scenes.hpp: applies edited scenes to map files, as the program does.
#pragma once
#include "formats/contract/format.hpp"
#include "formats/fft/parts.hpp"
#include "operations/apply_scene.hpp"
#include "operations/operations.hpp"
#include "samples/fft/maps.hpp"

namespace dio::test {

/// What a scene changes; the file changes unless the scene is refused.
inline Result<SceneImportResult> apply_edited_scene(fft::Mesh& m, const scene::Scene& s) {
  auto file = open(bytes_of(m), "MAP001.9", find_format("fft-mesh"));
  if (!file) return refuse(std::move(file.error()));
  auto editing = Editing::begin(*file, {});
  if (!editing) return refuse(std::move(editing.error()));
  auto taken = apply_scene_edits(*editing, {file->format, file->options}, s, Referrers::refuse);
  if (!taken) return refuse(std::move(taken.error()));
  SceneImportResult out = std::move(taken->triangles);
  out.lost = taken->lost, out.notes = std::move(taken->notes);
  if (out.any()) m = value_of<fft::Mesh>(editing->document());
  return out;
}

}  // namespace dio::test
