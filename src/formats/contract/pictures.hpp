// pictures.hpp: formats whose pictures can be exported and imported.
#pragma once
#include "formats/contract/companions.hpp"
#include "scene/image.hpp"

namespace dio {

/// A picture, with its file name in a folder of pictures.
struct NamedImage {
  std::string file;
  scene::Image image;
};
struct PictureOptions {
  bool every_palette = false;  // each picture with each palette that contains all its colours
  /// Whether `manifest` names a file for each palette that can be imported (`palette_file`). Pictures that share a
  /// palette share the file.
  bool palette_files = false;
  /// Files with the palettes, for formats that store palettes, or the assignment of palettes to textures, in other
  /// files.
  std::span<const Companion> companions = {};
  /// Textures and palettes that the game shows together.
  std::span<const TexturePair> pairs = {};
};
/// The pictures of a file; `manifest` describes each of them, for people and for the import.
struct PictureSet {
  std::vector<NamedImage> images;
  Value manifest;
  Diagnostics notes = {};  // differences from the picture in the game
};
/// The result of importing pictures.
struct PictureImportResult {
  u32 unchanged = 0, changed = 0, added = 0;
  Diagnostics notes;  // pictures that cannot be represented exactly
};

struct PictureOps {
  Result<PictureSet> (*pictures)(const AnyDocument&, const PictureOptions&);
  /// Edits the document: imports pictures into the parts that the manifest names. If `extends`, an entry with "add":
  /// true is a new texture, and with "rescale": true in the manifest, texture coordinates are adjusted to new sizes.
  Result<PictureImportResult> (*take)(AnyDocument&, const Value& manifest, std::span<const NamedImage>);
  bool extends = false;
};

}  // namespace dio
