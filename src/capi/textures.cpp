// textures.cpp: pictures of files, of diorama.h, and edited ones and edited scenes back into them.
#include "answers/texture_files.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "capi/parts.hpp"
#include "formats/contract/format.hpp"
#include "operations/apply_scene.hpp"

using namespace dio;
using namespace dio::capi;

extern "C" {

dio_buffer* dio_textures(const dio_file* file, const char* const* options, size_t count) {
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return make_buffer(told.error());
  return with_opened(file, [&](const OpenedFile& o) {
    if (!o.format->pictures) return make_buffer(unsupported_by_format("textures", o));
    const auto companions = collect_companions(o);
    PictureOptions wanted{.companions = companions};
    for (const Argument& a : *told) {
      if (a.name != "all-palettes" && a.name != "pal")
        return make_buffer(
            argument_error({.message = in_quotes(a.name) + " is no option; they are all-palettes and pal"}));
      if (auto wrong = set_flag(a.name == "pal" ? wanted.palette_files : wanted.every_palette, a))
        return make_buffer(std::move(*wrong));
    }
    auto folder = export_textures(o, wanted);
    if (!folder) return make_buffer(folder.error(), file);
    std::vector<std::pair<std::string, Bytes>> files;
    folder->write([&](const std::string& name, ByteView bytes) {
      files.emplace_back(name, Bytes(bytes.begin(), bytes.end()));
      return true;
    });
    return make_buffer(std::move(files), std::move(folder->notes), *file);
  });
}

dio_buffer* dio_take_textures(const dio_file* file, const dio_named* folder, size_t folder_count,
                              const char* const* options, size_t count, uint32_t flags) {
  if (auto wrong = check_unknown_flags(flags, DIO_LOSSY)) return make_buffer(std::move(*wrong));
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return make_buffer(told.error());
  const auto tree = make_memory_tree(folder, folder_count);
  if (!tree) return make_buffer(tree.error());
  return with_opened(file, [&](const OpenedFile& o) {
    if (!o.format->pictures) return make_buffer(unsupported_by_format("textures", o));
    TakeOptions wanted;
    bool adds = false;
    for (const Argument& a : *told) {
      if (a.name != "add" && a.name != "rescale")
        return make_buffer(argument_error({.message = in_quotes(a.name) + " is no option; they are add and rescale"}));
      if (auto wrong = set_flag(a.name == "add" ? adds : wanted.rescale, a)) return make_buffer(std::move(*wrong));
    }
    if ((adds || wanted.rescale) && !o.format->pictures->extends)
      return make_buffer(
          argument_error({.message = "add and rescale are for models and textures of the DS (nsbmd, nsbtx)"}));
    if (adds) wanted.added = tree->list();
    OpenedFile taking = again(o);
    const auto read = [&](const std::string& name) -> std::optional<Result<Bytes>> {
      if (!tree->has(name)) return {};
      return tree->read(name);
    };
    auto taken = import_textures(taking, read, wanted);
    if (!taken) return make_buffer(taken.error());
    auto saved =
        taken->changed || taken->added ? taking.document->save(save_options(flags)) : Result<Bytes>(copy_of(o.bytes));
    if (!saved) return make_buffer(saved.error(), file);
    std::vector<Value::Member> more;
    more.emplace_back("changed", Value(taken->changed));
    more.emplace_back("unchanged", Value(taken->unchanged));
    more.emplace_back("added", Value(taken->added));
    return make_buffer(std::move(*saved), std::move(taken->notes), *file, std::move(more));
  });
}

dio_buffer* dio_put_back(const dio_file* file, const dio_file* scene, uint32_t flags) {
  if (auto wrong =
          check_unknown_flags(flags, DIO_CANONICAL | DIO_LOSSY | DIO_UNLINK | DIO_CASCADE | DIO_PARTLY | DIO_DELETE))
    return make_buffer(std::move(*wrong));
  if (!has_handle_tag(scene, k_file_tag)) return make_buffer(invalid_file_handle());
  return with_opened(file, [&](const OpenedFile& o) {
    if (!o.format->scenes || !o.format->scenes->supports_scene_import())
      return make_buffer(unsupported_by_format("way back from scenes", o));
    if (!is_scene(*scene))
      return make_buffer(argument_error({.message = scene->name + " is no scene; .glb, .gltf and .obj files are"}));
    Diagnostics notes;
    auto read = read_scene(*scene, notes);
    if (!read) return make_buffer(read.error(), scene);
    OpenedFile onto = again(o);
    auto back = apply_scene(onto, std::move(*read), save_options(flags), referrers(flags), collect_companions(o, {}));
    if (!back) return make_buffer(back.error(), scene);
    notes.insert(notes.end(), back->notes.begin(), back->notes.end());
    const AcceptedLoss accepted{(flags & DIO_PARTLY) != 0, (flags & DIO_DELETE) != 0};
    if (auto loss = refuse_loss(*back, o.name, accepted)) {
      for (const Diagnostic& n : notes)
        if (n.severity != Severity::hint) loss->message += "; " + n.message;
      return make_buffer(std::move(*loss), scene);
    }
    std::vector<Value::Member> more;
    more.emplace_back("what", Value(back->what));
    more.emplace_back("deleted", Value(back->deleted));
    more.emplace_back("lost", Value(back->lost));
    return make_buffer(std::move(back->bytes), std::move(notes), *file, std::move(more));
  });
}

}  // extern "C"
