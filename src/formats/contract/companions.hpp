// companions.hpp: files that are used together: a model with its textures and animations, a pack with its data files.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/any_document.hpp"

namespace dio {

/// A file used together with another file: textures or animations of a model.
struct Companion {
  std::string name;  // of the file
  const Format* format;
  const AnyDocument* document;
  std::string_view format_id() const;
};

/// The names of a texture and of the palette it is shown with.
struct TexturePair {
  std::string texture, palette;
  bool operator==(const TexturePair&) const = default;
};

/// How the files of a format are used with other files.
struct CompanionOps {
  std::string_view goes_with = {};  // the format of the main files: models, for textures and animations
  /// Whether the contents of both files fit together.
  bool (*fits)(const AnyDocument& companion, const AnyDocument& main) = nullptr;
  /// Names in a file that identify its companions among thousands: two files that both have names but share none do not
  /// match.
  std::vector<std::string> (*names)(const AnyDocument&) = nullptr;
  /// Textures and palettes that the contents of a file show together, without duplicates. Null: none.
  std::vector<TexturePair> (*pairs)(const AnyDocument&) = nullptr;
  bool one_name_is_enough = false;  // one common name makes two files match
  /// Whether it can use a companion of another format: maps use the textures of models.
  bool (*takes)(const AnyDocument& main, const Companion&) = nullptr;
  /// The names of companion files in the same folder: scene.vram for scene.splashpack. The caller looks for them and
  /// passes the existing ones as companions.
  std::vector<std::string> (*beside)(std::string_view name) = nullptr;
  /// More companions, which the contents of a file with this name refer to: the models of a course's objects. Null:
  /// none.
  std::vector<std::string> (*named)(const AnyDocument&, std::string_view name) = nullptr;
};
/// The companion rules of a format; empty for formats without companions.
const CompanionOps& companion_ops_of(const Format&);
/// The names of all companion files in the folder of a document.
std::vector<std::string> companion_file_names(const Format&, const AnyDocument&, std::string_view name);

}  // namespace dio
