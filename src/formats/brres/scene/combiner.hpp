// combiner.hpp: how a material combines its textures and the colours of vertices: the stages of the GPU
// (TEV), with one colour for each texture.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "core/bytes.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

class Combiner {
 public:
  Combiner() { textures_.fill({1, 1, 1, 1}); }
  /// Takes what commands set: of the material, then of its shader.
  void run_commands(const Bytes&);
  /// With the commands of both.
  void decode_stages(u32 stages);

  /// A register of the pixel side, if it was set.
  std::optional<u32> bp(u8 address) const { return bp_[address]; }
  /// Where texture coordinates come from: 5 to 12 are those of the vertices; 0 and 1 positions and normals.
  u32 source_row(u32 coordinate) const;
  bool is_of_vertices(u32 coordinate) const { return source_row(coordinate) >= 5 && source_row(coordinate) <= 12; }

  /// The texture that shows most: the first that has texture coordinates of vertices and gives a colour.
  std::optional<u32> map() const { return map_; }
  u32 coordinate() const { return coordinate_; }
  bool has_raster() const { return has_raster_; }

  /// The colour of a texture wherever it is, as displayed. The others are white.
  void set_texture(u32 map, const scene::Vec4& c) { textures_[map & 7] = c; }

  /// The colour where that texture is white.
  scene::Vec4 color(const scene::Vec4& raster) const;

 private:
  struct TevStage {
    u32 map, coordinate, channel, color, alpha, constant_color, constant_alpha;
    bool has_texture;
  };
  scene::Vec4 stage_constant(const TevStage&) const;
  std::array<std::optional<u32>, 256> bp_;
  std::array<std::optional<u32>, 8> texgens_;
  std::array<scene::Vec4, 4> colors_{}, constants_{};
  std::array<scene::Vec4, 8> textures_;
  std::vector<TevStage> stages_;
  std::optional<u32> map_;
  u32 coordinate_ = 0;
  bool has_raster_ = false;
};

}  // namespace dio::brres
