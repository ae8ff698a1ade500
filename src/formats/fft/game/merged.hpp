// merged.hpp: a map in one state, combined from several files as in the game: for each part, the last loaded one wins.
// Sources: README.md, "States".
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/fft/layout/mesh.hpp"
#include "formats/fft/layout/states.hpp"

namespace dio::fft {

/// A file of a map that was loaded: a mesh file or texels.
struct MapFile {
  static constexpr u32 k_no_row = ~u32(0);
  std::string path;  // in the tree of the game
  u32 row = k_no_row;
  u8 type = 0;  // of the row: k_resources
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const Texture> texture;
};

/// The source file of a part. Parts are numbered like the slots of a mesh file; a texture supplies pages 0x13 to 0x16.
/// An animated mesh has several suppliers if files without a primary mesh add to it.
struct PartSource {
  u32 slot = 0;
  u32 file = 0;  // into MergedMap::files
  bool operator==(const PartSource&) const = default;
};

/// A part that was loaded and then replaced or removed.
struct ReplacedPart {
  u32 slot = 0;
  u32 file = 0;  // into MergedMap::files: the source of the part
  u32 by = 0;    // into MergedMap::files: the file that replaced it
  /// An animated mesh that was removed without a replacement: `by` has a primary mesh, which clears all nine.
  bool lost = false;
  bool operator==(const ReplacedPart&) const = default;
};

/// A map in a state. Parts missing from all files are null or empty. Pointers refer to the documents in `files`.
struct MergedMap {
  std::string name;  // MAP001
  MapState state;
  std::string state_name;      // as returned by `to_string`, with snow words in maps with snow
  std::vector<MapFile> files;  // in the order in which the game applies them

  std::optional<Geometry> primary;  // with the render words in effect
  /// No file has render properties for the primary mesh, so its drawing is unknown; its words are k_plain_render.
  bool render_unknown = false;
  std::array<std::optional<Geometry>, k_animated_meshes> animated;  // from several files in order
  const Palettes* palettes = nullptr;
  std::array<const TexturePage*, k_pages> pages{};
  const Lights* lights = nullptr;
  const Terrain* terrain = nullptr;
  const TextureAnimations* texture_animations = nullptr;
  const Palettes* palette_frames = nullptr;
  const Palettes* gray_palettes = nullptr;
  const MeshAnimations* mesh_animations = nullptr;

  std::vector<PartSource> supplies;   // sorted by slot, then in the order of `files`
  std::vector<ReplacedPart> dropped;  // in the order in which they were dropped

  /// The source file of a part, the last of several; null if no file has it.
  const MapFile* supplier(size_t slot) const;
};

/// Combines files, in their order.
MergedMap merge_map_files(std::vector<MapFile> files, const MapState& = {}, std::string name = {});

/// A mesh file alone, or with a texture. Both must outlive the result.
MergedMap merge_mesh_and_texture(const Mesh&, const Texture* = nullptr);

/// The slot of the part at the start of a path in a mesh file: 0x19 for `lights.ambient.red`.
std::optional<size_t> find_slot_by_path(std::string_view path);

/// The name of the content of a slot: `palettes`, `animated mesh 3`, `texture page 0`.
std::string part_name(size_t slot);

}  // namespace dio::fft
