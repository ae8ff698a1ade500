// combiner.hpp: evaluates how a material combines its textures and vertex colours: the GPU's TEV stages, with one
// colour for each texture.
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
  /// Reads the registers that commands set: first of the material, then of its shader.
  void run_commands(const Bytes&);
  /// Decodes the stages, once the commands of both are read.
  void decode_stages(u32 stages);

  /// A pixel register, if it was set.
  std::optional<u32> bp(u8 address) const { return bp_[address]; }
  /// The source of texture coordinates: 0 positions, 1 normals, 5 to 12 the vertices' texture coordinates.
  u32 source_row(u32 coordinate) const;
  bool is_of_vertices(u32 coordinate) const { return source_row(coordinate) >= 5 && source_row(coordinate) <= 12; }

  /// The main texture: the first that uses the vertices' texture coordinates and affects the colour.
  std::optional<u32> map() const { return map_; }
  u32 coordinate() const { return coordinate_; }
  bool has_raster() const { return has_raster_; }

  /// Sets the displayed colour of a texture that has the same colour everywhere. Textures are white by default.
  void set_texture(u32 map, const scene::Vec4& c) { textures_[map & 7] = c; }

  /// The colour registers (0 is the result of the last stage, 1 to 3 are C0 to C2) and constants; parts may be above 1.
  scene::Vec4& register_color(size_t i) { return colors_[i & 3]; }
  scene::Vec4& constant(size_t i) { return constants_[i & 3]; }

  /// The displayed colour where the main texture is white.
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
