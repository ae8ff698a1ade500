#include "operations/make_archive.hpp"

#include "formats/contract/format.hpp"
#include "operations/apply_scene.hpp"
#include "operations/operations.hpp"

namespace dio {

namespace {

Result<UpdatedFile> update_file(std::string_view name, Bytes bytes, const scene::Scene& edited) {
  auto file = open(std::move(bytes), std::string(name));
  if (!file) return refuse(std::move(file.error()));
  if (!file->format->scenes || !file->format->scenes->supports_scene_import())
    return refuse("scene.source", {}, {.message = "files of this format take no edited scenes"});
  auto applied = apply_scene(*file, edited);
  if (!applied) return refuse(std::move(applied.error()));
  if (applied->lost) {
    // Notes that are no hints name the changes.
    for (Diagnostic& d : applied->notes)
      if (d.severity != Severity::hint) return refuse(std::move(d));
    return refuse(*refuse_loss(*applied, name, {.deletes = true}));
  }
  return UpdatedFile{std::move(applied->bytes), applied->deleted, std::move(applied->notes)};
}

}  // namespace

Result<Made> make_archive(const Making& making, const scene::Scene& scene, std::span<const Argument> options,
                          const FileTree& own) {
  return making.make_archive(scene, options, own, update_file);
}

}  // namespace dio
