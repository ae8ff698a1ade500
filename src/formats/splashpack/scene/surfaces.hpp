// surfaces.hpp: the pictures and materials of a pack's scene, each once. Specification: README.md, "Scenes".
#pragma once
#include <map>
#include <optional>

#include "formats/contract/any_document.hpp"
#include "formats/splashpack/pictures/texels.hpp"
#include "scene/scene.hpp"

namespace dio::splashpack {

/// Vertex colours make texels up to 255/128 as bright; those of a scene cannot make anything brighter. Where that is
/// needed, a picture is made brighter, and its vertex colours darker. What a picture may allow, as a vertex colour:
/// sixth parts of twice as much.
inline constexpr std::array<u8, 7> k_headrooms = {k_neutral, 144, 161, 181, 203, 228, 255};

/// What triangles with the same material have in common.
struct Look {
  size_t island = k_untextured_island;
  u16 flags = 0;  // of the triangles, where they have a texture
  static constexpr size_t k_untextured_island = ~size_t(0);
  bool is_textured() const { return island != k_untextured_island; }
  constexpr auto operator<=>(const Look&) const = default;
};

class Surfaces {
 public:
  Surfaces(const Pack&, VideoMemory, scene::Scene&);

  Look look_of(const Object&, const Triangle&) const;
  /// Of a triangle that looks so; the material is made if it is the first.
  scene::Index material(const Look&, const Triangle&);
  scene::Vec2 uv_of(const Look&, const Uv&) const;
  /// The value of COLOR_0.
  scene::Vec4 color_of(const Look&, const Color&) const;
  /// Whether COLOR_0 has to be clamped.
  bool is_cut_off(const Look&, const Color&) const;

  const VideoMemory& memory() const { return memory_; }
  size_t unfilled() const { return unfilled_; }      // triangles whose texels nothing puts into video memory
  size_t unpictured() const { return unpictured_; }  // materials that would have made pictures too many

 private:
  void find_headrooms();
  u8 headroom(const Look& look) const { return k_headrooms[headrooms_[look.island]]; }
  bool has_picture(size_t island) const { return filled_[island]; }
  /// The texels of a brighter picture that are as bright as can be, row by row: how bright they were, it does not show.
  std::vector<u16> cut_off(const Look&);
  scene::Index texture(const Look&);

  const Pack& pack_;
  const VideoMemory memory_;
  scene::Scene& s_;
  Islands islands_;
  std::vector<bool> filled_;     // of each island
  std::vector<u8> headrooms_;    // of each island: into k_headrooms
  std::vector<bool> any_clear_;  // of each island: its picture has transparent pixels
  std::map<Look, scene::Index> materials_;
  std::map<size_t, scene::Index> textures_;  // by island
  u64 texels_ = 0, looked_at_ = 0, kept_ = 0;
  size_t unfilled_ = 0, unpictured_ = 0;
};

}  // namespace dio::splashpack
