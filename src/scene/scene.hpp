// scene.hpp: the contents of a map or a model, independent of file formats: geometry, animations, and game data
// attached to it.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/value.hpp"
#include "scene/image.hpp"

namespace dio::scene {

using Vec2 = std::array<f32, 2>;
using Vec3 = std::array<f32, 3>;
using Vec4 = std::array<f32, 4>;   // colours are linear RGBA in 0..1, quaternions x y z w
using Mat4 = std::array<f32, 16>;  // column after column; the last row is 0 0 0 1
using Index = u32;                 // index into the vector of that kind in the Scene
inline constexpr Index k_none = ~Index(0);

/// How a picture is mapped to a surface. (0, 0) is its upper left corner, (1, 1) its lower right corner.
struct Texture {
  std::string name;
  Index image = k_none;
  enum class Wrap : u8 { repeat, clamp, mirror } wrap_u = Wrap::repeat, wrap_v = Wrap::repeat;
  bool nearest = true;  // nearest-neighbour filtering; otherwise linear
};

/// Transforms texture coordinates: scales, then rotates by `rotation` (radians, counterclockwise with the v axis
/// pointing down), then translates. As in KHR_texture_transform.
struct TextureTransform {
  Vec2 offset{0, 0};
  f32 rotation = 0;
  Vec2 scale{1, 1};
  bool operator==(const TextureTransform&) const = default;
};

struct Material {
  std::string name;
  Vec4 color{1, 1, 1, 1};  // linear RGBA
  bool unlit = true, double_sided = false;
  enum class Alpha : u8 { opaque, mask, blend } alpha = Alpha::opaque;
  f32 alpha_cutoff = 0.5f;  // for alpha mode `mask`: pixels with a lower alpha are not drawn
  Index texture = k_none;   // multiplied with the colour
  TextureTransform transform = {};
  Value extras = {};  // written to glTF as extras.diorama; null: none
  bool operator==(const Material&) const = default;
};

/// Triangles, lines or points with one material. All attribute vectors are empty or as long as `positions`; triangles
/// have a multiple of three indices, lines a multiple of two. If the material has a texture, there are `uvs`.
struct Primitive {
  enum class Shape : u8 { points, lines, triangles } shape = Shape::triangles;
  Index material = k_none;
  std::vector<Vec3> positions = {};             // in the units of the node
  std::vector<Vec3> normals = {};               // unit length
  std::vector<Vec4> colors = {};                // linear RGBA
  std::vector<Vec2> uvs = {};                   // texture coordinates; 1 is the width or height of the picture
  std::vector<std::array<u16, 4>> joints = {};  // indices into the joints of the node's skin; with `weights`
  std::vector<Vec4> weights = {};               // in 0..1, they sum to 1; a joint of weight 0 is ignored
  /// The source of each vertex in the original file, numbered by its format, below 2^24. Written to glTF as the
  /// attribute _SOURCE, which matches an edited mesh to the file.
  std::vector<u32> sources = {};
  std::vector<u32> indices = {};  // empty: the vertices in order
  /// Other materials in variants of the scene; each variant occurs once.
  struct VariantMapping {
    Index variant = k_none, material = k_none;
    bool operator==(const VariantMapping&) const = default;
  };
  std::vector<VariantMapping> in_variants = {};
};

struct Mesh {
  std::string name;
  std::vector<Primitive> primitives;
};

/// A perspective camera, or an orthographic one if `half_height` is not 0.
struct Camera {
  std::string name;
  f32 vertical_fov = 0.8f;     // radians, in (0, pi)
  f32 near = 1, far = 100000;  // in the units of the scene; 0 < near < far, also in metres
  f32 half_height = 0;         // of the view of an orthographic camera, in the units of the scene; 0: perspective
  f32 aspect = 4.0f / 3;       // width / height of the view of an orthographic camera
};

/// A light for materials that are not unlit (KHR_lights_punctual): directional, along the negative Z axis of its node;
/// a point light; or a spot light, with a cone around that axis.
struct Light {
  std::string name;
  Vec3 color{1, 1, 1};  // linear RGB, 0..1
  f32 intensity = 1;    // at least 0; lux for directional lights, otherwise candela
  enum class Kind : u8 { directional, point, spot } kind = Kind::directional;
  f32 range = 0;                             // in the units of the scene; 0: infinite; not for directional lights
  f32 inner_cone = 0, outer_cone = 0.7854f;  // radians from the axis of a spot light: 0 <= inner < outer <= pi / 2
};

/// The nodes that a skinned mesh follows. A node has a skin if and only if all primitives of its mesh have joints; its
/// own transform does not apply to the mesh.
struct Skin {
  std::string name;
  std::vector<Index> joints;       // nodes: at least one, no duplicates
  std::vector<Mat4> inverse_bind;  // one for each joint: from mesh space to joint space
};

/// The position, rotation and scale of a node in its parent.
struct Pose {
  Vec3 translation{0, 0, 0};
  Vec4 rotation{0, 0, 0, 1};  // unit quaternion
  Vec3 scale{1, 1, 1};
};

struct Node {
  std::string name;
  Index parent = k_none;
  Vec3 translation{0, 0, 0};
  Vec4 rotation{0, 0, 0, 1};  // unit quaternion
  Vec3 scale{1, 1, 1};
  Index mesh = k_none, camera = k_none, skin = k_none, light = k_none;
  bool visible = true;  // initial visibility of the node with its descendants
  Value extras = {};    // written to glTF as extras.diorama; null: none. Kind, source path in the file, game values
};

/// An animated property of a node. `times` are in seconds, at least one, not negative, strictly increasing, with one
/// value each. No two channels of an animation have the same target.
struct Channel {
  Index node = k_none;
  enum class Target : u8 { translation, rotation, scale } target = Target::translation;
  enum class Interpolation : u8 { step, linear } interpolation = Interpolation::linear;
  std::vector<f32> times;
  std::vector<Vec4> values;  // translation and scale use the first three
};

/// The animated vertical field of view of a perspective camera, in radians (KHR_animation_pointer).
struct FovChannel {
  Index camera = k_none;
  std::vector<f32> times, values;  // as those of Channel
};

/// An animated property of a material (KHR_animation_pointer): its colour, or a part of its texture transform. `color`
/// uses all four numbers of a value, offset and scale two, rotation one.
struct MaterialChannel {
  Index material = k_none;
  enum class Target : u8 { color, offset, rotation, scale } target = Target::color;
  Channel::Interpolation interpolation = Channel::Interpolation::linear;
  std::vector<f32> times;  // as those of Channel
  std::vector<Vec4> values;
};

/// The visibility of a node with its descendants over time. For programs without node visibility, exporters also write
/// a scale of 0.
struct VisibilityChannel {
  Index node = k_none;
  std::vector<f32> times;   // as those of Channel
  std::vector<u8> visible;  // 0 or 1 from this time on
};

struct Animation {
  std::string name;
  std::vector<Channel> channels = {};
  std::vector<FovChannel> fov_channels = {};
  std::vector<MaterialChannel> material_channels = {};
  std::vector<VisibilityChannel> visibility_channels = {};  // for nodes whose scale no channel of `channels` animates
  Value extras = {};                                        // written to glTF as extras.diorama; null: none
};

/// Right-handed, Y up, in the game's own units; exporters apply `metres_per_unit` as the scale of a root node. Numbers
/// in extras are finite.
struct Scene {
  std::string name;
  f32 metres_per_unit = 1;
  Vec4 background{0, 0, 0, 0};
  std::vector<Image> images;
  std::vector<Texture> textures;
  std::vector<Material> materials;
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Camera> cameras;
  std::vector<Light> lights;
  /// Names of material variants: night (KHR_materials_variants). Without an active variant, each primitive has its own
  /// material.
  std::vector<std::string> variants;
  std::vector<Node> nodes;  // parents come before their children
  std::vector<Animation> animations;
  Value extras;           // extras.diorama of the scene
  std::string generator;  // the program that wrote the source file; empty: unknown

  // Compiled once, in scene.cpp, because many files move scenes.
  Scene();
  Scene(const Scene&);
  Scene(Scene&&) noexcept;
  Scene& operator=(const Scene&);
  Scene& operator=(Scene&&) noexcept;
  ~Scene();
};

/// Checks every invariant listed above: indices, finite numbers, lengths, unit normals and quaternions, increasing
/// times. Empty if all hold; otherwise one sentence for each fault.
std::vector<std::string> verify(const Scene&);
/// The first fault as an error. Ids: scene.invalid.
std::optional<Diagnostic> validation_error(const Scene&);

}  // namespace dio::scene
