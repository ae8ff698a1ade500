// parts.hpp: the steps from a scene to a pack, combined in splashpack_builder.cpp.
#pragma once
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/diagnostic.hpp"
#include "formats/splashpack/from_scene/splashpack_builder.hpp"
#include "formats/splashpack/from_scene/texture_packing.hpp"
#include "scene/affine.hpp"
#include "scene/extras.hpp"
#include "scene/scene.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::splashpack {

using scene::Affine;
using scene::Index;
using scene::k_none;
using scene::Mat3d;
using scene::parse_number_list;
using scene::Point;
using scene::read_flag_extra;
using scene::read_number_extra;
using scene::read_number_list_extra;
using scene::read_text_extra;

// ---- settings.cpp

struct MakeSettings {
  Layout layout = Layout::v21;
  f64 scaling = k_default_scaling;
  bool is_unity = false;
  u8 depth = 0;        // bits; 0: the fewest that keep all colours
  u32 subdivide = 64;  // texels; 0: never
  bool dither = false, bake = true;
  f64 exposure = 1, ambient = 0;
  bool is_of_pack = false;  // the scene was made from a pack

  /// Converts the axes of the scene to those of the pack, and back.
  constexpr Point convert_axes(const Point& p) const {
    return is_unity ? Point{-p[0], -p[1], p[2]} : Point{p[0], -p[1], -p[2]};
  }
  constexpr Mat3d convert_axes(const Mat3d& m) const {
    const Mat3d flip{{convert_axes(Point{1, 0, 0}), convert_axes(Point{0, 1, 0}), convert_axes(Point{0, 0, 1})}};
    return flip * m * flip;
  }
  /// A length in pack numbers.
  constexpr f64 to_pack_units(f64 units) const { return units / scaling * 4096; }
  constexpr Point to_pack_units(const Point& p) const {
    const Point q = convert_axes(p);
    return {to_pack_units(q[0]), to_pack_units(q[1]), to_pack_units(q[2])};
  }
  bool since(u32 layout_number) const { return u32(layout) >= layout_number; }
};
/// The given options, otherwise those in the extras of the scene, otherwise the defaults. Invalid values in the extras
/// are ignored, with a note. Id: make.argument.
Result<MakeSettings> read_settings(const scene::Scene&, std::span<const Argument>, Diagnostics& notes);

// ---- nodes.cpp

enum class Role : u8 {
  nothing,
  object,
  navmesh,
  player_start,
  collider,
  trigger,
  nav_region,
  room,
  portal,
  waypoint,
  ignore
};
/// The role of a node in a pack: by `kind` in its extras, otherwise by its name (for rooms and portals only if they are
/// not drawn), otherwise by whether it has a mesh.
Role classify_node(const scene::Scene&, const scene::Node&);
/// The role of each node; descendants of an ignored node are also ignored.
std::vector<Role> classify_nodes(const scene::Scene&);
/// "node 3 (crate.001)": for messages.
std::string node_label(const scene::Scene&, size_t node);
/// Names that the engine supports: unique, at most 24 ASCII characters.
class Names {
 public:
  std::string make_unique_name(std::string);

 private:
  std::set<std::string> taken_;
  std::map<std::string, u32> last_;  // the last number appended to a shared name
};

/// A note about names that Names had to change: their number and kind ("2 clip names"), and the first, as "old to new".
DiagnosticText describe_changed_names(std::string counted, size_t changed, std::string_view first);

/// Notes unknown custom properties, and those with invalid values. Adds a warning that a part of the scene is not in
/// the pack. Id: splashpack.make-lost.
void note_lost(Diagnostics& notes, std::string path, std::string message, std::string hint);
bool is_color(std::span<const f64>);  // each from 0 to 1
void add_property_notes(const scene::Scene&, Diagnostics& notes);

// ---- lamps.cpp

/// Whether a light moves at run time, by its property `runtime`: it is stored, not baked.
inline bool is_runtime_light(const scene::Node& node) {
  return node.light != k_none && read_flag_extra(node.extras, "runtime").value_or(false);
}

/// The light from the lamps of a scene.
class PackLighting {
 public:
  PackLighting(const scene::Scene&, std::span<const Affine> places, std::span<const Role>, const MakeSettings&);
  bool any() const { return !lamps_.empty(); }
  /// The factor for the colour at a position with this normal: 1 leaves it unchanged.
  Point light_at(const Point& place, const Point& normal) const;

 private:
  struct PackLight {
    scene::Light::Kind kind;
    Point at, direction, light;
    f64 range, inner, outer;  // of the cone: cosines
  };
  std::vector<PackLight> lamps_;
  f64 metres_, ambient_;
};

// ---- surfaces.cpp

/// How triangles of a material are coloured.
struct Surface {
  Point color{1, 1, 1};  // linear
  Point emission{};      // linear; emitted light
  bool is_lit = false;   // lamps shine on it
  bool both_sides = false;
  u16 flags = 0;  // of its triangles
  u8 semi_transparency = 0;
  bool is_dithered = true;  // as SplashEdit has it
  f64 texels_times = 1;     // brightness of the picture relative to the texels
  bool is_textured = false;
  std::array<scene::Texture::Wrap, 2> wraps{};
  scene::TextureTransform transform{};
  PlacedTexture placed{};  // also for untextured triangles, if the layout requires a texture
};
struct BuiltMaterials {
  std::vector<Surface> materials;  // of the scene
  Surface none;                    // for triangles without a material
  PlacedTextures placed;
  std::vector<PlacedTexture> others;  // of each other wish
  const Surface& of(Index material) const { return material == k_none ? none : materials[material]; }
};
/// Other contents of VRAM, and areas to keep free.
struct OtherTextures {
  std::vector<TextureRequest> wishes;
  std::vector<Rect> reserved;
};
/// For the materials used by objects.
Result<BuiltMaterials> build_materials(const scene::Scene&, std::span<const Role>, const MakeSettings&,
                                       const OtherTextures&, Diagnostics& notes);

// ---- triangles.cpp

/// A hint at a scaling `times` as large, at which `thing` fits; empty if no scaling is large enough.
std::string fitting_scaling(const MakeSettings&, f64 times, std::string_view thing);
/// A length in the scene as a pack number of 16 bits. A longer length becomes the longest, with a note.
u16 store_length(const MakeSettings&, f64 length, std::string_view property, const std::string& path,
                 Diagnostics& notes);

/// The ranges of pack numbers with few bits. Numbers out of range are reported at the end, with a scaling that would
/// fit.
class CoordinateRange {
 public:
  explicit CoordinateRange(const MakeSettings& s) : settings_(s) {}
  i16 round_to_i16(f64 raw, const auto& where) { return i16(round_in_range(raw, 32767, where)); }
  i32 round_to_i32(f64 raw, const auto& where) { return i32(round_in_range(raw, 2147483647, where)); }
  bool is_exceeded() const { return !place_.empty(); }
  /// The error, if a number is out of range.
  std::optional<Diagnostic> range_error() const;

 private:
  f64 round_in_range(f64 raw, f64 most, const auto& where) {
    if (-most <= raw && raw <= most) return std::floor(raw + 0.5);
    const f64 times = std::fabs(raw) / most;
    if (!(times <= worst_)) worst_ = times;
    if (place_.empty()) place_ = where(), raw_ = raw, most_ = most;
    return 0;
  }
  const MakeSettings& settings_;
  std::string place_;
  f64 raw_ = 0, most_ = 0, worst_ = 0;
};

/// Counts of triangles, for all objects together.
struct TriangleCounts {
  u64 before = 0, cut = 0, after = 0, degenerate = 0, one_sided = 0;
  u64 lit = 0, cut_off = 0;  // lit vertices, and clamped ones
  u64 cut_bright = 0;        // vertices that were brighter in the original pack, in scenes without sources
  f64 farthest = 0;          // coordinate of a vertex in its object, in pack units
  u64 steps = 0;             // of work, limited for any scene
};

/// A mesh in the scene with the data of its corners and their target.
struct MeshInstance {
  const scene::Mesh* mesh;
  Affine own, object;  // from the mesh to the object, and from there to the scene
  bool is_mirrored = false;
  std::vector<std::vector<Point>> posed = {};  // positions of its primitives, if a skin holds them at rest
  std::vector<std::vector<u8>> bones = {};     // bones of the vertices of its primitives, if they move in the pack
  std::vector<Affine> rest = {};               // for each bone, from the object to the rest position of its corners
};
/// Translation and rotation are applied to the object, the rest to the vertices.
MeshInstance make_mesh_instance(const scene::Scene&, std::span<const Affine> places, size_t node);
/// The translation and rotation of a transform.
Affine extract_rigid_transform(const Affine&);

struct BuiltTriangles {
  std::vector<Triangle> triangles;
  std::vector<std::array<u8, 3>> bones;  // of the corners; none if the mesh is not animated
};
/// The triangles of a node, up to the limit for an object. Id: splashpack.make-*.
Result<BuiltTriangles> build_triangles(const scene::Scene&, size_t node, const MeshInstance&, const BuiltMaterials&,
                                       const PackLighting&, const MakeSettings&, f64 eye_height, CoordinateRange&,
                                       TriangleCounts&);

}  // namespace dio::splashpack
