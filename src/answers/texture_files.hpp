// texture_files.hpp: the pictures of a file as a folder of files, and edited ones back into it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "formats/contract/pictures.hpp"
#include "operations/operations.hpp"

namespace dio {

/// The file of the folder that describes the others.
inline constexpr const char* k_texture_manifest = "textures.json";

/// The pictures of a file.
struct TextureFolder {
  std::vector<NamedImage> images;
  /// {"schema": "diorama.textures/1", "file", ..., "pictures": [{"file", ...}]}: an entry for each picture, in their
  /// order.
  Value manifest;
  Diagnostics notes = {};

  /// The picture of all of the video memory; null if there is none.
  const scene::Image* video_memory() const;
  /// The files of the folder: pictures as PNG, palettes as .pal where the manifest names them, and the manifest. False
  /// from `give` ends it.
  void write(const std::function<bool(const std::string& name, ByteView)>& give) const;
};
/// The format has pictures. Ids: those of the format.
Result<TextureFolder> export_textures(const OpenedFile&, const PictureOptions&);

/// A file of such a folder by its name; nothing if it is not there.
using ReadTexture = std::function<std::optional<Result<Bytes>>(const std::string& name)>;
struct TakeOptions {
  bool rescale = false;  // texture coordinates follow pictures of other sizes
  /// Files that become new textures unless the manifest names them: those that end in .png.
  std::vector<std::string> added = {};
};
/// Brings the pictures of a folder into the document of a file: those that the manifest names and that are there, with
/// the colours of their .pal files. Ids: file.missing, json.*, png.*, jasc.syntax, and those of the format; the file of
/// a diagnostic is one of the folder.
Result<PictureImportResult> import_textures(OpenedFile&, const ReadTexture&, const TakeOptions& = {});

/// The pictures (.png) among the files of a folder that its manifest does not name, so that they are not imported. None
/// if there is no manifest.
std::vector<std::string> find_unlisted_pictures(const ReadTexture&, const std::vector<std::string>& files);

}  // namespace dio
