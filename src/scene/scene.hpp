// scene.hpp: what a map or a model means, without bytes: what is drawn, what moves, and what the game attaches to it.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "layout/value.hpp"

namespace dio::scene {

using Vec2 = std::array<f32, 2>;
using Vec3 = std::array<f32, 3>;
using Vec4 = std::array<f32, 4>;  // colours are linear RGBA in 0..1, quaternions x y z w
using Index = u32;                // into the Scene's vector of that kind
inline constexpr Index k_none = ~Index(0);

struct Material {
  std::string name;
  Vec4 color{1, 1, 1, 1};  // linear RGBA
  bool unlit = true, double_sided = false;
  enum class Alpha : u8 { opaque, mask, blend } alpha = Alpha::opaque;
};

/// Triangles, lines or points with one material. All attribute vectors are empty or as long as `positions`;
/// triangles have a multiple of three corners, lines of two.
struct Primitive {
  enum class Shape : u8 { points, lines, triangles } shape = Shape::triangles;
  Index material = k_none;
  std::vector<Vec3> positions;  // in the units of the node
  std::vector<Vec3> normals;    // unit length
  std::vector<Vec4> colors;     // linear RGBA
  std::vector<u32> indices;     // empty: the vertices in order
};

struct Mesh {
  std::string name;
  std::vector<Primitive> primitives;
};

struct Camera {
  std::string name;
  f32 vertical_fov = 0.8f;     // radians, in (0, pi)
  f32 near = 1, far = 100000;  // in the units of the scene; 0 < near < far, in metres, too
};

struct Node {
  std::string name;
  Index parent = k_none;
  Vec3 translation{0, 0, 0};
  Vec4 rotation{0, 0, 0, 1};  // unit quaternion
  Vec3 scale{1, 1, 1};
  Index mesh = k_none, camera = k_none;
  Value extras;  // goes to glTF as extras.diorama; null: none. Kind, source path in the file, game values
};

/// One moving quantity of one node. `times` in seconds, from 0 or later on, each later than the one before, at least
/// one; one value each. No two channels of an animation move the same quantity.
struct Channel {
  Index node = k_none;
  enum class Target : u8 { translation, rotation, scale } target = Target::translation;
  enum class Interpolation : u8 { step, linear } interpolation = Interpolation::linear;
  std::vector<f32> times;
  std::vector<Vec4> values;  // translation and scale use the first three
};

/// A number of a camera that moves: vertical field of view in radians (KHR_animation_pointer).
struct FovChannel {
  Index camera = k_none;
  std::vector<f32> times, values;  // as those of Channel
};

struct Animation {
  std::string name;
  std::vector<Channel> channels;
  std::vector<FovChannel> fov_channels;
};

/// Right-handed, Y up, in the game's own units; `metres_per_unit` is the scale node that exporters put on top.
/// Numbers in extras are finite.
struct Scene {
  std::string name;
  f32 metres_per_unit = 1;
  Vec4 background{0, 0, 0, 0};
  std::vector<Material> materials;
  std::vector<Mesh> meshes;
  std::vector<Camera> cameras;
  std::vector<Node> nodes;  // a parent stands before its children
  std::vector<Animation> animations;
  Value extras;  // extras.diorama of the scene
};

/// Every invariant stated above: indices, finite numbers, lengths, unit normals and quaternions, rising times.
/// Empty if all hold, else one sentence per fault.
std::vector<std::string> verify(const Scene&);

}  // namespace dio::scene
