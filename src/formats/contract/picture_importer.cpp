#include "formats/contract/picture_importer.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/pictures.hpp"
#include "formats/contract/reporter.hpp"

namespace dio {

std::string PictureNames::escape_file_name(std::string_view name) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string file;
  for (const char c : name) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       c == '-' || (c == '.' && !file.empty());
    if (stays)
      file += c;
    else
      file += {'%', digits[u8(c) >> 4], digits[u8(c) & 15]};
  }
  return file;
}

std::string PictureNames::unique_png_name(std::string stem) {
  constexpr size_t k_longest = 120;  // file systems allow names of up to 255 bytes
  if (stem.size() > k_longest) stem.resize(k_longest);
  if (stem.empty()) stem = "%";
  std::string file = stem + ".png";
  u32& copies = copies_[lower_case(stem)];
  if (copies) file = text(stem, "~", copies + 1, ".png");
  ++copies;
  while (!taken_.insert(lower_case(file)).second) file = text(stem, "~", ++copies, ".png");
  return file;
}

Diagnostic manifest_error(const Value& entry, std::string_view id, std::string path, DiagnosticText said) {
  if (entry.line) said.hint += text(said.hint.empty() ? "" : "; ", "see line ", entry.line, " of the manifest");
  return make_diagnostic(id, std::move(path), std::move(said));
}

bool is_true_member(const Value& of, std::string_view name) {
  const Value* v = of.find(name);
  return v && v->is(Value::Kind::boolean) && v->boolean();
}

Diagnostic PictureImporter::manifest_entry_error(const Value& entry, std::string_view id, std::string_view member,
                                                 DiagnosticText said) const {
  return manifest_error(entry, id, text(path_, member), std::move(said));
}

void PictureImporter::add_picture_warning(std::string_view id, DiagnosticText said) {
  taken_.notes.push_back(make_diagnostic(Severity::warning, id, Location::in_file(file_, path_), std::move(said)));
}

std::optional<Diagnostic> PictureImporter::add(const Value& entry, const std::string& name, const scene::Image&) {
  return manifest_entry_error(entry, manifest_id_, {},
                              {.message = text("the file has no place for the new texture ", in_quotes(name))});
}

Result<PictureImportResult> PictureImporter::import_all(const Value& manifest, std::span<const NamedImage> files) {
  const Value* list = manifest.find("pictures");
  if (!list || !list->is(Value::Kind::list))
    return refuse(
        manifest_error(manifest, manifest_id_, "pictures", {.message = "the manifest has no list of pictures"}));
  for (size_t i = 0; i < list->size(); ++i) {
    const Value& entry = *list->at(i);
    path_ = text("pictures[", i, "]");
    const bool is_new = is_true_member(entry, "add");
    const Value *file = entry.find("file"), *part = entry.find(is_new ? "texture" : "part");
    if (!file || !part || !file->is(Value::Kind::text) || !part->is(Value::Kind::text))
      return refuse(manifest_entry_error(entry, manifest_id_, {},
                                         {.message = text("the entry must contain \"file\" and \"",
                                                          is_new ? "texture" : "part", "\", and both must be text")}));
    const auto found = std::ranges::find(files, file->text(), &NamedImage::file);
    if (found == files.end()) continue;
    file_ = file->text();
    if (is_new) ++taken_.added;
    if (auto problem = is_new ? add(entry, part->text(), found->image) : put(entry, part->text(), found->image)) {
      if (problem->id != manifest_id_) problem->place.file = file_;
      return refuse(std::move(*problem));
    }
  }
  return std::move(taken_);
}

}  // namespace dio
