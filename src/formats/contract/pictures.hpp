// pictures.hpp: formats whose files have pictures that can be taken out and put back.
#pragma once
#include "formats/contract/companions.hpp"
#include "scene/image.hpp"

namespace dio {

/// A picture of a file, under the name it has in a folder of pictures.
struct NamedImage {
  std::string file;
  scene::Image image;
};
struct PictureOptions {
  bool every_palette = false;  // each picture with each palette that has all its colours
  /// Files that have the palettes, for formats that keep them elsewhere, or say which is shown with which texture.
  std::span<const Companion> companions = {};
  /// What the game around the file shows together.
  std::span<const TexturePair> pairs = {};
};
/// The pictures of a file; `manifest` says what each is: for people, and for putting them back.
struct PictureSet {
  std::vector<NamedImage> images;
  Value manifest;
  Diagnostics notes = {};  // what of the pictures is not as the game shows it
};
/// What has become of pictures that were put back.
struct TakenPictures {
  u32 unchanged = 0, changed = 0;
  Diagnostics notes;  // pictures that cannot be shown exactly
};

struct PictureOps {
  Result<PictureSet> (*pictures)(const AnyDocument&, const PictureOptions&);
  /// Puts pictures back into what the manifest says they are from, and edits the document.
  Result<TakenPictures> (*take)(AnyDocument&, const Value& manifest, std::span<const NamedImage>);
};

}  // namespace dio
