// parts.hpp: what the samples are made with: display lists, nodes, models, textures and curves from nothing. For
// samples and tests.
#pragma once
#include <cmath>
#include <functional>

#include "console/rgb555.hpp"
#include "formats/nitro/parts.hpp"
#include "samples/samples.hpp"

namespace dio::nitro::make {

/// Rounded to 1/4096, so that every compiler's sine makes the same bytes.
inline fx32 fixed(f64 x) { return {i32(std::lround(x * 4096))}; }
inline fx16 fixed_16(f64 x) { return {i16(std::lround(x * 4096))}; }

struct Point {
  f64 x, y, z;
};

/// A matrix for column vectors: where the three axes go, and the origin.
struct Frame {
  Point x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{0, 0, 0};
  Point operator()(Point p) const;
};
/// First `b`, then `a`.
Frame operator*(const Frame& a, const Frame& b);
Frame inverse(const Frame&);
Frame moved(Point by);
Frame scaled(Point by);
/// A rotation about an axis (0 to 2).
Frame turned(int axis, f64 degrees);

using console::rgb;

// ---- display lists ----

enum class Primitive : u8 { triangles, quads, triangle_strip, quad_strip };

/// A display list in the making, and the points that it draws.
class Drawing {
 public:
  Drawing& begin(Primitive);
  Drawing& end();
  Drawing& color(u16);
  Drawing& normal(Point);
  Drawing& texcoord(f64 s, f64 t);
  /// By the shortest command of those that set all three coordinates.
  Drawing& vertex(Point);
  Drawing& vtx_16(Point);
  Drawing& vtx_10(Point);
  Drawing& vtx_xy(f64 x, f64 y);
  Drawing& vtx_xz(f64 x, f64 z);
  Drawing& vtx_yz(f64 y, f64 z);
  Drawing& vtx_diff(Point by);
  /// A matrix of the stack for the vertices that follow; `scale` is the model's.
  Drawing& restore(u32 slot, f64 scale);
  /// A rectangle as two edges from a corner, with texture coordinates from 0 to `texels`.
  Drawing& quad(Point corner, Point right, Point up, f64 texels);
  /// A box with normals.
  Drawing& box(Point low, Point high, f64 texels);

  Bytes packed() const { return repack_display_list(list_); }
  static constexpr int k_current = -1;
  struct Drawn {
    int slot;  // of the matrix; k_current: that of the SBC
    Point at;
  };
  const std::vector<Drawn>& drawn() const { return drawn_; }

 private:
  Drawing& command(gx::Code, std::initializer_list<u32> words = {});
  Drawing& reach(Point);
  Bytes list_;
  std::vector<Drawn> drawn_;
  Point last_{};
  int slot_ = k_current;
};

// ---- nodes, materials, models ----

/// A node in its parent: moved, then turned, then scaled.
struct Placement {
  Point position{};
  std::optional<Frame> rotation = {};
  int pivot = -1;  // which element is 1; -1: all of the matrix is kept
  Point scale{1, 1, 1};
};
Node node(std::string name, const Placement& = {});
/// An opaque white material whose front is shown.
Material material(std::string name);

/// A model in the making. SBC commands are run as they are added: so the box around what is drawn is known, and the
/// envelopes.
class SampleModelBuilder {
 public:
  explicit SampleModelBuilder(std::string name, f64 pos_scale = 1);
  u8 add(Node);
  u8 add(Material);
  u8 add(std::string shape, const Drawing&);
  /// Gives a material, the last one added, a texture and a palette.
  void dress(const Texture&, std::string_view palette = {});

  static constexpr int k_none = -1;
  SampleModelBuilder& nodedesc(u8 node, u8 parent, int store = k_none, int load = k_none, u8 flags = 0);
  SampleModelBuilder& visible(u8 node, bool);
  SampleModelBuilder& mtx(u8 slot);
  SampleModelBuilder& mat(u8 material, u8 use = 0);
  SampleModelBuilder& shp(u8 shape);
  SampleModelBuilder& billboard(u8 node, bool upright, int store = k_none, int load = k_none);
  SampleModelBuilder& nodemix(u8 store, std::vector<Mix>);
  SampleModelBuilder& calldl(const Drawing&);
  SampleModelBuilder& posscale(bool inverse = false);
  SampleModelBuilder& envmap(u8 material);
  SampleModelBuilder& prjmap(u8 material);
  SampleModelBuilder& nop();
  /// Material and shape.
  SampleModelBuilder& draw(u8 material, u8 shape) { return mat(material).shp(shape); }
  Model finish();
  Model model{};

 private:
  SbcCommand& command(sbc::Code, u8 index = 0);
  void slots(SbcCommand&, int store, int load);
  void see(const Drawing&);
  Frame local(u8 node, u8 parent, u8 flags) const;
  struct Rest {
    Frame placement, bind;
    Point scale{1, 1, 1}, all_scales{1, 1, 1};  // its own, and with those above
  };
  std::vector<Rest> rest_;
  std::vector<Drawing> drawings_;
  std::array<Frame, 32> stack_{};
  Frame current_{};
  f64 pos_scale_;
  bool mixes_ = false, empty_ = true;
  Point low_{}, high_{};
};

Nsbmd file_of(std::vector<Model>, std::optional<Textures> = {});

// ---- textures ----

/// A texture whose texel at (x, y) is the number `texel` gives: index, index and alpha, or colour. Not for 4x4 blocks.
Texture texture(std::string name, u8 format, u32 width, u32 height, const std::function<u32(u32 x, u32 y)>& texel);
/// One of 4x4 blocks: texels as 32 bits and the palette index with its mode, block after block.
Texture block_texture(std::string name, u32 width, u32 height, const std::function<std::pair<u32, u16>(u32 block)>&);
Palette palette(std::string name, std::vector<u16> colors);
/// From one colour to another.
std::vector<u16> ramp(u16 from, u16 to, u32 count);

// ---- curves ----

/// The frames that samples stand for: each `step`-th, then each of the rest.
std::vector<u32> sampled_frames(u8 step, u32 frames);
u16 last_of(u8 step, u32 frames);

TranslationChannel still(f64);
TranslationChannel moving(u8 step, bool narrow, u32 frames, const std::function<f64(f64)>&);
ScaleChannel still_scale(f64);
ScaleChannel growing(u8 step, bool narrow, u32 frames, const std::function<f64(f64)>&);
/// A track that leaves its node as it is in the model, or without any.
Track track(u8 node);

/// A table of rotations without doubles.
class Rotations {
 public:
  /// The index of a rotation about an axis, kept as a pivot.
  u16 pivot(int axis, f64 degrees);
  /// Of any rotation none of whose elements is 1 or -1, kept as a basis.
  u16 basis(const Frame&);
  std::vector<PivotRotation> pivots;
  std::vector<BasisRotation> bases;
};
RotationChannel still_rotation(u16 index);
RotationChannel turning(u8 step, u32 frames, const std::function<u16(f64 frame)>&);

TextureChannel texture_still(f64, bool narrow = false);
TextureChannel texture_still_angle(f64 degrees);
TextureChannel texture_moving(u8 step, bool narrow, u32 frames, const std::function<f64(f64)>&);
TextureChannel texture_turning(u8 step, u32 frames, const std::function<f64(f64)>& degrees);
ColorChannel color_still(u16);
ColorChannel color_moving(u8 step, u32 frames, const std::function<u16(f64)>&);

/// Placed; empty where the document cannot be.
template <class T>
Bytes bytes_of(const T& file) {
  return dio::bytes_of(file, {.canonical = true});
}

}  // namespace dio::nitro::make
