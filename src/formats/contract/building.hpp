// building.hpp: formats whose files can be built from any scene, or from a file in another version.
#pragma once
#include <functional>

#include "core/file_tree.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/scenes.hpp"

namespace dio {

/// A new file, one of several with the same name: scene.splashpack, scene.vram.
struct BuiltFile {
  std::string extension;  // with the dot: .vram
  Bytes bytes;
};
/// The files built from a scene, or from a file in another version of the format.
struct Made {
  std::vector<BuiltFile> files;  // the first has the requested format
  Diagnostics notes;             // differences from the source
  u64 lost = 0;                  // the number of notes about parts of the scene that are missing from the files
};
/// An option for building a file: `dio convert scene.glb -o scene.splashpack --scaling 50`.
struct MakeOption {
  std::string_view name;   // scaling
  std::string_view usage;  // "UNITS"
  std::string_view about;  // one line
  bool remakes = false;    // `remake` also uses it
};

/// A given file with the changes of an edited scene.
struct UpdatedFile {
  Bytes bytes;
  u64 removed = 0;  // triangles and other parts that the scene lacks
  Diagnostics notes;
};
/// Applies an edited scene to a given file, by its name. Refused if the scene was not exported from this file, or if
/// not all changes can be applied.
using UpdateFile = std::function<Result<UpdatedFile>(std::string_view name, Bytes, const scene::Scene&)>;

struct Making {
  /// Builds files of this format from any scene. Ids: make.argument, and those of the format.
  Result<Made> (*make)(const scene::Scene&, std::span<const Argument>);
  /// Builds the same file in another version or layout of its format. Null: not supported. Ids: make.argument, and
  /// those of the format.
  Result<Made> (*remake)(const AnyDocument&, std::span<const Companion>, std::span<const Argument>) = nullptr;
  std::span<const MakeOption> options = {};
  /// Builds the archive that contains a file of this format with all others that the game needs, such as a course.
  /// `own`: files of the user that go into the archive, in place of built ones; `update` changes such a file if the
  /// scene was exported from it, and may be empty. Null: not supported. Ids: make.argument, and those of the formats.
  Result<Made> (*make_archive)(const scene::Scene&, std::span<const Argument>, const FileTree& own,
                               const UpdateFile& update) = nullptr;
  std::string_view archive_extension = {};  // .szs
  std::span<const MakeOption> (*archive_options)() = nullptr;
};
/// The options of a format; none if its files cannot be built.
std::span<const MakeOption> make_options_of(const Format&);
/// The options of the archive that `make_archive` builds; none if the format has no such archive.
std::span<const MakeOption> archive_options_of(const Format&);

}  // namespace dio
