// parts.hpp: the functions that the files in this folder provide to format.cpp, each other and the tests.
#pragma once
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/kcl/layout.hpp"
#include "layout/document.hpp"

namespace dio {
class Arguments;
}

namespace dio::kcl {

// build.cpp

/// A triangle that can be hit from the side where its corners are counterclockwise. `flags`: a prism's 16 bits.
struct FlaggedTriangle {
  std::array<Vec3, 3> corners;  // finite, below 10^6 units
  u16 flags = 0;
};
/// The rules for splitting octree cells.
struct OctreeOptions {
  u32 most_prisms = 30;       // of a cell that is not split
  u32 smallest_cell = 512;    // units; a power of two, at least 1
  u32 most_root_cells = 512;  // of the first level
  u32 most_nodes = 1 << 20;   // more are refused: 4 MiB
};
struct Built {
  Kcl kcl;
  u64 dropped = 0;  // triangles without an area, or too small for a normal
};
/// Whether a triangle has an area, and is not too small for a normal.
bool has_area(const FlaggedTriangle&);
constexpr size_t k_most_numbers = 0x10000;  // positions, or normals
/// How many positions or normals, whichever are more, the triangles need at least.
size_t count_numbers(std::span<const FlaggedTriangle>);
/// Builds a Mario Kart Wii file, with each position and normal once. Ids: kcl.build-prisms, kcl.build-numbers.
Result<Built> build_collision(std::span<const FlaggedTriangle>, const OctreeOptions& = {});

// build_octree.cpp

/// Builds the octree for the file's prisms, with an area that contains all positions from which a prism can be hit.
/// Prisms that form no triangle are in no list. Ids: kcl.build-area, kcl.build-octree.
Result<void> build_octree(Kcl&, const OctreeOptions& = {});
Result<void> build_octree(DsKcl&, const OctreeOptions& = {});

Diagnostic far_triangle_error();

/// Options from the arguments `triangles` and `cell`, if given.
OctreeOptions parse_octree_options(Arguments&);

std::span<const Rule> build_rules();

// check/checks.cpp
std::span<const Rule> rules();
void check(const Kcl&, Findings&);
void check(const DsKcl&, Findings&);

// sniff.cpp
Sniff sniff(ByteView, std::string_view name);
Sniff sniff_ds(ByteView, std::string_view name);

// info.cpp
Value info(const Kcl&);
Value info(const DsKcl&);

// scene/scene.cpp
std::span<const Rule> scene_rules();
/// The parts of a file to draw: all, or only those visible in the game: no triggers, fall boundaries, invisible walls,
/// item roads or item walls.
enum class Drawn : u8 { all, visible };
Result<SceneResult> to_scene(const Kcl&, bool sources, Drawn = Drawn::all);
Result<SceneResult> to_scene(const DsKcl&, bool sources);
std::optional<ValuePart> value_of_source(const Kcl&, u32 source);
std::vector<SourceRun> sources_of_value(const Kcl&, std::string_view path);

// from_scene/compared_flags.cpp
/// Writes the flags of triangles as texture coordinates into both scenes. In the edited scene, the material, the mesh,
/// the node or a node above states them; a statement that differs from the file counts.
void encode_flags_as_uvs(const Kcl&, ComparedScenes&);
/// The flags that a vertex has after that, if they were edited.
std::optional<u16> decode_flags(const scene::EditedVertex&);

// from_scene/prism_editor.cpp
/// Ids: kcl.build-*.
Result<SceneImportResult> write_triangles(Kcl&, const scene::TriangleDifferences&);

// edit/edits.cpp
std::span<const Edit> edits();
std::span<const Edit> ds_edits();

// edit/questions.cpp
std::span<const Question> questions();

// from_scene/kcl_builder.cpp
Result<Made> make(const scene::Scene&, std::span<const Argument>);
std::span<const MakeOption> make_options();
std::span<const Rule> make_rules();
}  // namespace dio::kcl

// The walks over Kcl are compiled once: fast_walks.cpp for bytes, walks.cpp for the rest.
DIORAMA_WALKS(extern, kcl::Kcl)
DIORAMA_WALKS(extern, kcl::DsKcl)
