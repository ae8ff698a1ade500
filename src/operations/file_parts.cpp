#include "operations/file_parts.hpp"

#include <algorithm>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/file_parts.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/registry.hpp"

namespace dio {

namespace {

std::string_view first_word(std::string_view words) { return words.substr(0, words.find(' ')); }

/// In lower case, with its dot; empty if there is none.
std::string extension_of(std::string_view path) {
  const std::string_view name = file_name(path);
  const size_t dot = name.rfind('.');
  return dot == name.npos ? "" : lower_case(name.substr(dot));
}

std::string list_part_names(const FileParts& parts) {
  std::string out;
  for (const FilePart& part : parts.list) out += (out.empty() ? "" : ", ") + std::string(part.name);
  return out;
}

std::string list_extensions(const FileParts& parts) {
  std::string out;
  for (const FilePart& part : parts.list) out += (out.empty() ? "" : ", ") + std::string(first_word(part.extensions));
  return out;
}

Result<const FilePart*> find_part(const Format& format, std::string_view name) {
  const auto found = std::ranges::find(format.parts->list, name, &FilePart::name);
  if (found != format.parts->list.end()) return &*found;
  return refuse(
      "edit.argument", {},
      {.message = text("there is no part ", in_quotes(name), "; the parts are ", list_part_names(*format.parts))});
}

Result<PartContents> split(const Format& format, ByteView file) {
  if (format.parts) return format.parts->split(file);
  return refuse("archive.none", {}, {.message = text("files of the format ", format.id, " have no parts")});
}

}  // namespace

Result<MemoryTree> unpack_parts(const Format& format, ByteView file, std::string_view stem) {
  auto contents = split(format, file);
  if (!contents) return refuse(std::move(contents.error()));
  MemoryTree tree;
  for (size_t i = 0; i < contents->size(); ++i)
    if (auto& content = (*contents)[i])
      tree.files[text(stem, first_word(format.parts->list[i].extensions))] = std::move(*content);
  return tree;
}

Result<Bytes> read_part(const Format& format, ByteView file, std::string_view name) {
  auto contents = split(format, file);
  if (!contents) return refuse(std::move(contents.error()));
  const auto part = find_part(format, name);
  if (!part) return refuse(part.error());
  auto& content = (*contents)[size_t(*part - format.parts->list.data())];
  if (content) return std::move(*content);
  return refuse("edit.argument", {}, {.message = text("the file has no part ", in_quotes(name))});
}

const Format* find_format_of_parts(const FileTree& tree) {
  const std::vector<std::string> paths = tree.list();
  for (const Format* format : formats()) {
    if (!format->parts) continue;
    std::set<const FilePart*> found;
    for (const std::string& path : paths)
      if (const FilePart* part = format->parts->find_by_extension(extension_of(path));
          part && part->is_needed && path.find('/') == path.npos)
        found.insert(part);
    if (found.size() > 1) return format;
  }
  return nullptr;
}

Result<Bytes> pack_parts(const Format& format, const FileTree& tree, Diagnostics* notes) {
  const FileParts& parts = *format.parts;
  PartContents contents(parts.list.size());
  std::vector<std::string> paths(contents.size());
  const auto pack_error = [](const std::string& path, DiagnosticText said) {
    return refuse("archive.pack", dio::Location::in_file(path), std::move(said));
  };
  std::string first;
  for (const std::string& path : tree.list()) {
    const FilePart* part = path.find('/') == path.npos ? parts.find_by_extension(extension_of(path)) : nullptr;
    if (!part)
      return pack_error(path, {.message = text("this file is no part of ", format.title, "; the parts are ",
                                               list_extensions(parts))});
    const std::string stem = path.substr(0, path.rfind('.'));
    if (first.empty()) first = path;
    if (stem != first.substr(0, first.rfind('.')))
      return pack_error(path, {.message = text("this part has another name than ", first,
                                               ": the folder must contain the parts of one file")});
    const size_t i = size_t(part - parts.list.data());
    auto content = tree.read(path);
    if (!content) return content;
    if (contents[i] && extension_of(path) == extension_of(paths[i]))
      return pack_error(path, {.message = text("there is already ", paths[i], " for the part ", part->name)});
    if (auto fault = parts.find_fault(*part, *content)) return pack_error(path, std::move(*fault));
    if (contents[i]) {
      const bool is_larger = content->size() > contents[i]->size();
      if (notes)
        notes->push_back(
            make_diagnostic(Severity::hint, "archive.parts", dio::Location::in_file(is_larger ? paths[i] : path),
                            {.message = text("not packed, because ", is_larger ? path : paths[i], " is larger")}));
      if (!is_larger) continue;
    }
    contents[i] = std::move(*content), paths[i] = path;
  }
  for (size_t i = 0; i < contents.size(); ++i)
    if (!contents[i] && parts.list[i].is_needed)
      return pack_error({}, {.message = text("the part ", parts.list[i].name, " (", parts.list[i].extensions,
                                             ") is missing in the folder")});
  return parts.join(contents);
}

Result<Bytes> replace_parts(const Format& format, ByteView file, std::span<const Argument> arguments) {
  auto contents = split(format, file);
  if (!contents) return refuse(std::move(contents.error()));
  for (const Argument& argument : arguments) {
    const auto part = find_part(format, argument.name);
    if (!part) return refuse(part.error());
    if (!argument.content)
      return refuse("edit.argument", {},
                    {.message = text("the content of the file ", in_quotes(argument.value), " was not passed")});
    auto fault = format.parts->find_fault(**part, *argument.content);
    if (!fault) fault = format.parts->find_size_fault(**part, *argument.content);
    if (fault) return refuse("edit.argument", dio::Location::in_file(argument.value), std::move(*fault));
    (*contents)[size_t(*part - format.parts->list.data())] = *argument.content;
  }
  return format.parts->join(*contents);
}

}  // namespace dio
