// surfaces.hpp: the pictures and materials of a map's scene, without duplicates. Specification: README.md, "Scenes".
#pragma once
#include <map>

#include "formats/fft/game/merged.hpp"
#include "formats/fft/pictures/texels.hpp"
#include "formats/fft/scene/light.hpp"
#include "formats/fft/scene/motion.hpp"

namespace dio::fft {

/// The light of the game makes texels up to 255/128 as bright; vertex colours of a scene cannot brighten anything. If
/// needed, the palette of an image is brightened and the vertex colours are darkened. The greatest intensity for each
/// image: unchanged, then another half power of 2 each time.
inline constexpr std::array<u8, 3> k_headrooms = {k_plain_intensity, 181, 255};

/// The properties that polygons, or parts of them, must share to use the same material, in any state.
struct FftMaterialKey {
  enum class Kind : u8 {
    textured,
    foreign,    // its texels or palette are in no file of the map
    untextured  // near black
  } kind = Kind::textured;
  bool lit = false;     // by lights of the scene
  u8 palette = 0;       // 0..15
  u8 headroom = 0;      // into k_headrooms
  MotionRows rows = 0;  // that move it
  constexpr auto operator<=>(const FftMaterialKey&) const = default;
};

/// The texels and palettes of a state.
struct Pictures {
  std::array<const TexturePage*, k_pages> pages{};
  const Palettes* palettes = nullptr;  // null: shades of gray
  const Palettes* frames = nullptr;    // for animated palettes
};
inline Pictures pictures_of(const MergedMap& m) { return {m.pages, m.palettes, m.palette_frames}; }

/// Counts the texels of each index in rectangles of a page in constant time.
class TexelCounts {
 public:
  explicit TexelCounts(const TexturePage&);
  /// In the texels from (u0, v0) to (u1, v1), each 0..255, inclusive.
  std::array<u32, k_palette_colors> count_in_rect(u32 u0, u32 v0, u32 u1, u32 v1) const;

 private:
  static constexpr size_t k_line = k_page_texels + 1;
  std::vector<std::array<u32, k_palette_colors>> sums_;  // of all texels above and to the left
};

class Surfaces {
 public:
  explicit Surfaces(scene::Scene& s) : s_(s) {}

  /// A set of texture animations that materials can belong to.
  size_t add_texture_motion(TextureMotion);
  TextureMotion& motion(size_t i) { return motions_[i].motion; }
  /// The materials of that set that move.
  const std::vector<MovingMaterial>& moving_materials(size_t motion) const { return motions_[motion].materials; }

  /// `pages`: a bit for each page in use; others stay empty in the image, unless it moves. `suffix` is appended to the
  /// name of a new material.
  scene::Index find_or_add_material(const FftMaterialKey&, const Pictures&, u8 pages, size_t motion,
                                    const std::string& suffix);

 private:
  struct MaterialMotions {
    TextureMotion motion;
    std::vector<MovingMaterial> materials;
  };
  scene::Index find_or_add_texture(const FftMaterialKey&, const Pictures&, u8 pages, const std::vector<u8>& frames,
                                   const std::string& name, bool& any_clear);
  u32 find_or_add_texels(const Pictures&);
  scene::Scene& s_;
  std::vector<MaterialMotions> motions_;
  std::vector<std::array<const TexturePage*, k_pages>> texels_;  // that were met
  std::map<std::string, scene::Index> textures_;                 // by index of texels, pages and colours
  std::map<std::tuple<FftMaterialKey, scene::Index, size_t>, scene::Index> materials_;  // by look, texture, motion
};

}  // namespace dio::fft
