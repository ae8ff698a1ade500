// archives.cpp: archives of diorama.h: their members, and archives as files in a folder and back.
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/format.hpp"
#include "operations/archive_folders.hpp"
#include "operations/edited_tree.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

/// What dio_pack shall make of files.
struct Packing {
  PackOptions options;
  std::string made;  // the id of the format; empty: whatever the files are
};
Result<Packing> parse_pack_options(const MemoryTree& files, const char* const* options, size_t count) {
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return refuse(told.error());
  Packing out;
  const bool is_one = files.files.size() == 1 && !is_unpacked_archive(files);
  for (const Argument& a : *told) {
    const auto wrong = [&](const std::string& forms) {
      return refuse(argument_error({.message = a.name + " must be " + forms + ", not " + in_quotes(a.value)}));
    };
    if (a.name == "named") {
      if (auto problem = set_flag(out.options.named, a)) return refuse(std::move(*problem));
    } else if (a.name == "byte-order") {
      if (a.value != "fe-ff" && a.value != "ff-fe") return wrong("fe-ff or ff-fe");
      out.options.other_order = a.value == "ff-fe";
    } else if (a.name != "as") {
      return refuse(
          argument_error({.message = in_quotes(a.name) + " is no option; they are as, named and byte-order"}));
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

/// Whether a path is that of all that a compressed file holds.
bool is_content(const OpenedFile& o, const char* path) {
  return text_of(path).empty() && o.format->archive && o.format->archive->is_wrapping;
}

}  // namespace

extern "C" {

dio_buffer* dio_members(const dio_file* file) {
  if (has_handle_tag(file, k_file_tag) && file->parts)
    return make_buffer(describe_members(*file->parts, {}, true, false));
  return with_opened(file, [&](const OpenedFile& o) {
    auto archive = Archive::open(copy_of(o.bytes), o.name);
    if (!archive) return make_buffer(archive.error(), file);
    const ArchiveTree tree(std::move(*archive), o.name);
    Value out = describe_members(tree, {}, true);
    if (std::string first = first_member_to_show(tree); !first.empty()) out.add("first", std::move(first));
    return make_buffer(out);
  });
}

dio_buffer* dio_member(const dio_file* file, const char* path) {
  if (has_handle_tag(file, k_file_tag) && file->parts) return make_buffer(file->parts->read(text_of(path)), file);
  return with_opened(file, [&](const OpenedFile& o) {
    if (is_content(o, path)) return make_buffer(read_packed_content(o.bytes, o.name), file);
    return make_buffer(read_nested_member(copy_of(o.bytes), o.name, text_of(path)), file);
  });
}

dio_buffer* dio_check_member(const dio_file* file, const char* path, const dio_named* edited, size_t count) {
  auto changes = make_memory_tree(edited, count);
  if (!changes) return make_buffer(changes.error());
  return with_opened(file, [&](const OpenedFile& o) {
    auto archive = Archive::open(copy_of(o.bytes), o.name);
    if (!archive) return make_buffer(archive.error(), file);
    const ArchiveTree members(std::move(*archive), o.name);
    const auto tree = std::make_shared<EditedTree>(members);
    for (auto& [name, bytes] : changes->files)
      if (auto written = tree->write_file(name, std::move(bytes)); !written) return make_buffer(written.error(), file);
    auto found = check_archive_member(tree, text_of(path), file->known);
    if (!found) return make_buffer(found.error(), file);
    return make_findings_buffer(std::move(*found));
  });
}

dio_buffer* dio_replace(const dio_file* file, const char* path, const void* bytes, size_t size) {
  if (auto wrong = check_byte_range(bytes, size)) return make_buffer(std::move(*wrong));
  const auto* first = static_cast<const u8*>(bytes);
  return with_opened(file, [&](const OpenedFile& o) {
    if (is_content(o, path))
      return make_buffer(replace_packed_content(o.bytes, o.name, Bytes(first, first + size)), file);
    return make_buffer(replace_nested_member(o.bytes, o.name, text_of(path), Bytes(first, first + size)), file);
  });
}

dio_buffer* dio_replace_all(const dio_file* file, const dio_named* members, size_t count) {
  auto tree = make_memory_tree(members, count);
  if (!tree) return make_buffer(tree.error());
  return with_opened(file, [&](const OpenedFile& o) {
    auto archive = Archive::open(copy_of(o.bytes), o.name);
    if (!archive) return make_buffer(archive.error(), file);
    std::vector<DependentFile> files;
    for (auto& [name, bytes] : tree->files) files.push_back({name, std::move(bytes)});
    return make_buffer(replace_files(ArchiveTree(std::move(*archive), o.name), std::move(files)), file);
  });
}

dio_buffer* dio_unpack(const dio_file* file, const char* folder) {
  return with_opened(file, [&](const OpenedFile& o) {
    auto tree = unpack(o.bytes, o.name, text_of(folder));
    if (!tree) return make_buffer(tree.error(), file);
    std::vector<std::pair<std::string, Bytes>> files;
    for (auto& [name, bytes] : tree->files) files.emplace_back(name, std::move(bytes));
    return make_buffer(std::move(files), {}, *file);
  });
}

dio_buffer* dio_pack(const dio_named* files, size_t files_count, const char* const* options, size_t count) {
  const auto tree = make_memory_tree(files, files_count);
  if (!tree) return make_buffer(tree.error());
  const auto packing = parse_pack_options(*tree, options, count);
  if (!packing) return make_buffer(packing.error());
  const std::string_view becomes = choose_pack_format(*tree, packing->options).id;
  if (!packing->made.empty() && packing->made != becomes)
    return make_buffer(
        argument_error({.message = "these files pack to " + std::string(becomes) + ", not to " + packing->made}));
  return make_buffer(pack(*tree, packing->options));
}

}  // extern "C"
