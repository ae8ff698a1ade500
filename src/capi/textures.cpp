// textures.cpp: pictures of files, of diorama.h, and edited ones and edited scenes back into them.
#include "answers/texture_files.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "capi/parts.hpp"
#include "formats/contract/format.hpp"
#include "operations/scene_edits.hpp"

using namespace dio;
using namespace dio::capi;

extern "C" {

dio_buffer* dio_textures(const dio_file* file, const char* const* options, size_t count) {
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return buffer_of(told.error());
  return with_opened(file, [&](const Opened& o) {
    if (!o.format->pictures) return buffer_of(without("textures", o));
    const auto companions = companions_of(o);
    PictureOptions wanted{.companions = companions};
    for (const Argument& a : *told) {
      if (a.name != "all-palettes" && a.name != "pal")
        return buffer_of(
            wrong_argument({.message = in_quotes(a.name) + " is no option; they are all-palettes and pal"}));
      if (auto wrong = set_flag(a.name == "pal" ? wanted.palette_files : wanted.every_palette, a))
        return buffer_of(std::move(*wrong));
    }
    auto folder = texture_folder(o, wanted);
    if (!folder) return buffer_of(folder.error(), file);
    std::vector<std::pair<std::string, Bytes>> files;
    folder->write([&](const std::string& name, ByteView bytes) {
      files.emplace_back(name, Bytes(bytes.begin(), bytes.end()));
      return true;
    });
    return buffer_of(std::move(files), std::move(folder->notes), *file);
  });
}

dio_buffer* dio_take_textures(const dio_file* file, const dio_named* folder, size_t folder_count,
                              const char* const* options, size_t count, uint32_t flags) {
  if (auto wrong = wrong_flags(flags, DIO_LOSSY)) return buffer_of(std::move(*wrong));
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return buffer_of(told.error());
  const auto tree = tree_of(folder, folder_count);
  if (!tree) return buffer_of(tree.error());
  return with_opened(file, [&](const Opened& o) {
    if (!o.format->pictures) return buffer_of(without("textures", o));
    TakeOptions wanted;
    bool adds = false;
    for (const Argument& a : *told) {
      if (a.name != "add" && a.name != "rescale")
        return buffer_of(wrong_argument({.message = in_quotes(a.name) + " is no option; they are add and rescale"}));
      if (auto wrong = set_flag(a.name == "add" ? adds : wanted.rescale, a)) return buffer_of(std::move(*wrong));
    }
    if ((adds || wanted.rescale) && !o.format->pictures->extends)
      return buffer_of(
          wrong_argument({.message = "add and rescale are for models and textures of the DS (nsbmd, nsbtx)"}));
    if (adds) wanted.added = tree->list();
    Opened taking = again(o);
    const auto read = [&](const std::string& name) -> std::optional<Result<Bytes>> {
      if (!tree->has(name)) return {};
      return tree->read(name);
    };
    auto taken = take_textures(taking, read, wanted);
    if (!taken) return buffer_of(taken.error());
    auto saved =
        taken->changed || taken->added ? taking.document->save(save_options(flags)) : Result<Bytes>(copy_of(o.bytes));
    if (!saved) return buffer_of(saved.error(), file);
    std::vector<Value::Member> more;
    more.emplace_back("changed", Value(taken->changed));
    more.emplace_back("unchanged", Value(taken->unchanged));
    more.emplace_back("added", Value(taken->added));
    return buffer_of(std::move(*saved), std::move(taken->notes), *file, std::move(more));
  });
}

dio_buffer* dio_put_back(const dio_file* file, const dio_file* scene, uint32_t flags) {
  if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY | DIO_UNLINK | DIO_CASCADE))
    return buffer_of(std::move(*wrong));
  if (!is(scene, k_file_tag)) return buffer_of(no_file());
  return with_opened(file, [&](const Opened& o) {
    if (!o.format->scenes || !o.format->scenes->takes_edited()) return buffer_of(without("way back from scenes", o));
    if (!is_scene(*scene))
      return buffer_of(wrong_argument({.message = scene->name + " is no scene; .glb and .gltf files are"}));
    Diagnostics notes;
    auto read = read_scene(*scene, notes);
    if (!read) return buffer_of(read.error(), scene);
    Opened onto = again(o);
    auto back = put_back(onto, std::move(*read), save_options(flags), referrers(flags));
    if (!back) return buffer_of(back.error(), scene);
    notes.insert(notes.end(), back->notes.begin(), back->notes.end());
    std::vector<Value::Member> more;
    more.emplace_back("what", Value(back->what));
    return buffer_of(std::move(back->bytes), std::move(notes), *file, std::move(more));
  });
}

}  // extern "C"
