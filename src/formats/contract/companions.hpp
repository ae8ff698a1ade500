// companions.hpp: files that belong to each other: textures and animations of a model, what lies beside a pack.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/any_document.hpp"

namespace dio {

/// A file that belongs to the one that is shown: textures of a model, its animations.
struct Companion {
  std::string name;  // of the file
  const Format* format;
  const AnyDocument* document;
};

/// A texture and the palette it is shown with, by name.
struct TexturePair {
  std::string texture, palette;
  bool operator==(const TexturePair&) const = default;
};

/// How the files of a format belong to others.
struct Belonging {
  std::string_view goes_with = {};  // the format whose files these belong to: textures and animations go with models
  /// Whether it can be used with that file, judged by what is in them.
  bool (*fits)(const AnyDocument& companion, const AnyDocument& main) = nullptr;
  /// Names by which files of a family find each other among thousands: two that have names, but none in common, do not
  /// fit. Those of the file itself, whether others belong to it or it to them.
  std::vector<std::string> (*names)(const AnyDocument&) = nullptr;
  /// Textures and palettes that what is in a file shows together, each pair once. Null: none.
  std::vector<TexturePair> (*pairs)(const AnyDocument&) = nullptr;
  bool one_name_is_enough = false;  // two that have a name in common fit
  /// Whether it can use a file that goes with another format: a map has the textures of models.
  bool (*takes)(const AnyDocument& main, const Companion&) = nullptr;
  /// The names of files that belong to the one of this name and lie beside it: scene.vram of scene.splashpack. Who
  /// finds them gives them along as companions.
  std::vector<std::string> (*beside)(std::string_view name) = nullptr;
};
/// That of a format; of one that belongs to nothing, an empty one.
const Belonging& belonging_of(const Format&);

}  // namespace dio
