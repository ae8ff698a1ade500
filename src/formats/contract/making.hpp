// making.hpp: formats whose files can be made from a scene of any origin, or from a file in another version.
#pragma once
#include "formats/contract/edits.hpp"
#include "formats/contract/scenes.hpp"

namespace dio {

/// A file that was made, beside others of the same name: scene.splashpack, scene.vram.
struct MadeFile {
  std::string extension;  // with the dot: .vram
  Bytes bytes;
};
/// What was made of a scene, or of a file in another version of its format.
struct Made {
  std::vector<MadeFile> files;  // the first is of the format that was asked for
  Diagnostics notes;            // what is not as it was in the source
};
/// What making a file needs to be told, and may be: `dio convert scene.glb -o scene.splashpack --scaling 50`.
struct MakeOption {
  std::string_view name;   // scaling
  std::string_view usage;  // "UNITS"
  std::string_view about;  // one line
  bool remakes = false;    // `remake` reads it, too
};

struct Making {
  /// Makes files of this format from a scene of any origin. Ids: make.argument, and those of the format.
  Result<Made> (*make)(const scene::Scene&, std::span<const Argument>);
  /// The same file in another version or layout of its format. Null: it cannot. Ids: make.argument, and those of the
  /// format.
  Result<Made> (*remake)(const AnyDocument&, std::span<const Companion>, std::span<const Argument>) = nullptr;
  std::span<const MakeOption> options = {};
};
/// Those of a format; of one that cannot be made, none.
std::span<const MakeOption> make_options_of(const Format&);

}  // namespace dio
