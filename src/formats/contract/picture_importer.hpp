// picture_importer.hpp: imports edited pictures by the manifest of their export.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "formats/contract/pictures.hpp"

namespace dio {

/// The diagnostic of an entry of a manifest, or of its picture, with the line in the manifest.
Diagnostic manifest_error(const Value& entry, std::string_view id, std::string path, DiagnosticText said);

/// Whether a manifest or one of its entries has this member with the value true.
bool is_true_member(const Value& of, std::string_view name);

/// File names for named pictures, unique on every file system.
class PictureNames {
 public:
  /// Letters, digits, _ - and . stay; other bytes become their hexadecimal number.
  static std::string escape_file_name(std::string_view name);
  /// STEM.png, or STEM~2.png and so on if the name is taken. A stem is cut to 120 characters; an empty one becomes "%".
  std::string unique_png_name(std::string stem);

 private:
  std::set<std::string> taken_;        // in lower case
  std::map<std::string, u32> copies_;  // the number of uses of each stem, in lower case
};

/// Imports edited pictures, one by one.
class PictureImporter {
 public:
  virtual ~PictureImporter() = default;
  /// Entries whose picture is not among these files are unchanged.
  Result<PictureImportResult> import_all(const Value& manifest, std::span<const NamedImage> files);

 protected:
  /// `manifest_id`: the id for errors in the manifest.
  explicit PictureImporter(std::string_view manifest_id) : manifest_id_(manifest_id) {}
  /// Imports one picture; `part` names its part of the file. Returns an error if that is not possible.
  virtual std::optional<Diagnostic> put(const Value& entry, const std::string& part, const scene::Image&) = 0;

  /// Adds a new part with this name for an entry with "add".
  virtual std::optional<Diagnostic> add(const Value& entry, const std::string& name, const scene::Image&);

  /// `member`: ".part"; empty for the whole entry.
  Diagnostic manifest_entry_error(const Value& entry, std::string_view id, std::string_view member,
                                  DiagnosticText said) const;
  void count(u64 changed) { ++(changed ? taken_.changed : taken_.unchanged); }
  /// A warning about the picture.
  void add_picture_warning(std::string_view id, DiagnosticText said);

 private:
  std::string_view manifest_id_;
  PictureImportResult taken_;
  std::string path_, file_;  // of the current entry
};

}  // namespace dio
