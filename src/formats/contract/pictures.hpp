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
  bool every_palette = false;  // each picture with each palette that has all its colours
  /// Whether `manifest` names a file for each palette that can be imported (`palette_file`). Pictures that share a
  /// palette have the same one.
  bool palette_files = false;
  /// Files with the palettes, for formats that store them in other files, or that say which palette a texture has.
  std::span<const Companion> companions = {};
  /// What the game around the file shows together.
  std::span<const TexturePair> pairs = {};
};
/// The pictures of a file; `manifest` describes each of them, for people and for importing them.
struct PictureSet {
  std::vector<NamedImage> images;
  Value manifest;
  Diagnostics notes = {};  // differences from what the game shows
};
/// The result of importing pictures.
struct PictureImportResult {
  u32 unchanged = 0, changed = 0, added = 0;
  Diagnostics notes;  // pictures that cannot be represented exactly
};

struct PictureOps {
  Result<PictureSet> (*pictures)(const AnyDocument&, const PictureOptions&);
  /// Edits the document: imports pictures into the parts that the manifest names. If `extends`, an entry with "add":
  /// true is a new texture, and with "rescale": true in the manifest, texture coordinates follow other sizes.
  Result<PictureImportResult> (*take)(AnyDocument&, const Value& manifest, std::span<const NamedImage>);
  bool extends = false;
};

}  // namespace dio
