// archives.cpp: archives of diorama.h: their members, and archives as files in a folder and back.
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "formats/contract/format.hpp"
#include "operations/unpacked.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

/// What dio_pack shall make of files.
struct Packing {
  PackOptions options;
  std::string made;  // the id of the format; empty: whatever the files are
};
Result<Packing> packing_of(const MemoryTree& files, const char* const* options, size_t count) {
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return refuse(told.error());
  Packing out;
  const bool is_one = files.files.size() == 1 && !says_what_it_packs_to(files);
  for (const Argument& a : *told) {
    const auto wrong = [&](const std::string& forms) {
      return refuse(wrong_argument({.message = a.name + " must be " + forms + ", not " + in_quotes(a.value)}));
    };
    if (a.name == "named") {
      if (auto problem = set_flag(out.options.named, a)) return refuse(std::move(*problem));
    } else if (a.name == "byte-order") {
      if (a.value != "fe-ff" && a.value != "ff-fe") return wrong("fe-ff or ff-fe");
      out.options.other_order = a.value == "ff-fe";
    } else if (a.name != "as") {
      return refuse(
          wrong_argument({.message = in_quotes(a.name) + " is no option; they are as, named and byte-order"}));
    } else if (a.value == "lz10" || a.value == "lz11") {
      out.options.lz = a.value == "lz11" ? LzKind::lz11 : LzKind::lz10;
      out.options.one_file = is_one;
      out.made = "lz";
    } else if (a.value == "iso" || a.value == "bin") {
      out.options.disc = a.value == "iso" ? SectorForm::plain : SectorForm::mode2;
      out.made = "iso";
    } else if (a.value == "nds" || a.value == "narc" || a.value == "u8" || a.value == "yaz0") {
      out.options.u8 = a.value == "u8";
      out.options.yaz0 = a.value == "yaz0";
      out.options.one_file = a.value == "yaz0" && is_one;
      out.made = a.value;
    } else {
      return wrong("nds, narc, u8, yaz0, lz10, lz11, iso or bin");
    }
  }
  return out;
}

}  // namespace

extern "C" {

dio_buffer* dio_members(const dio_file* file) {
  if (is(file, k_file_tag) && file->parts) return buffer_of(describe_members(*file->parts, {}, true, false));
  return with_opened(file, [&](const Opened& o) {
    auto archive = Archive::open(copy_of(o.bytes), o.name);
    if (!archive) return buffer_of(archive.error(), file);
    return buffer_of(describe_members(ArchiveTree(std::move(*archive), o.name), {}, true));
  });
}

dio_buffer* dio_member(const dio_file* file, const char* path) {
  if (is(file, k_file_tag) && file->parts) return buffer_of(file->parts->read(text_of(path)), file);
  return with_opened(
      file, [&](const Opened& o) { return buffer_of(find_inside(copy_of(o.bytes), o.name, text_of(path)), file); });
}

dio_buffer* dio_check_member(const dio_file* file, const char* path) {
  return with_opened(file, [&](const Opened& o) {
    auto archive = Archive::open(copy_of(o.bytes), o.name);
    if (!archive) return buffer_of(archive.error(), file);
    auto found = check_member(std::make_shared<ArchiveTree>(std::move(*archive), o.name), text_of(path), file->known);
    if (!found) return buffer_of(found.error(), file);
    return findings_buffer(std::move(*found));
  });
}

dio_buffer* dio_replace(const dio_file* file, const char* path, const void* bytes, size_t size) {
  if (auto wrong = wrong_run(bytes, size)) return buffer_of(std::move(*wrong));
  const auto* first = static_cast<const u8*>(bytes);
  return with_opened(file, [&](const Opened& o) {
    return buffer_of(replace_inside(o.bytes, o.name, text_of(path), Bytes(first, first + size)), file);
  });
}

dio_buffer* dio_replace_all(const dio_file* file, const dio_named* members, size_t count) {
  auto tree = tree_of(members, count);
  if (!tree) return buffer_of(tree.error());
  return with_opened(file, [&](const Opened& o) {
    auto archive = Archive::open(copy_of(o.bytes), o.name);
    if (!archive) return buffer_of(archive.error(), file);
    std::vector<FollowingFile> files;
    for (auto& [name, bytes] : tree->files) files.push_back({name, std::move(bytes)});
    return buffer_of(replace_files(ArchiveTree(std::move(*archive), o.name), std::move(files)), file);
  });
}

dio_buffer* dio_unpack(const dio_file* file, const char* folder) {
  return with_opened(file, [&](const Opened& o) {
    auto tree = unpack(o.bytes, o.name, text_of(folder));
    if (!tree) return buffer_of(tree.error(), file);
    std::vector<std::pair<std::string, Bytes>> files;
    for (auto& [name, bytes] : tree->files) files.emplace_back(name, std::move(bytes));
    return buffer_of(std::move(files), {}, *file);
  });
}

dio_buffer* dio_pack(const dio_named* files, size_t files_count, const char* const* options, size_t count) {
  const auto tree = tree_of(files, files_count);
  if (!tree) return buffer_of(tree.error());
  const auto packing = packing_of(*tree, options, count);
  if (!packing) return buffer_of(packing.error());
  const std::string_view becomes = packed_format(*tree, packing->options).id;
  if (!packing->made.empty() && packing->made != becomes)
    return buffer_of(
        wrong_argument({.message = "these files pack to " + std::string(becomes) + ", not to " + packing->made}));
  return buffer_of(pack(*tree, packing->options));
}

}  // extern "C"
