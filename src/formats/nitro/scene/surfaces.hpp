// surfaces.hpp: the materials of a scene: which texture the game binds to each, as pictures.
#pragma once
#include <map>

#include "formats/contract/companions.hpp"
#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/scene/texture_matrix.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

/// A texture and the palette it is shown with.
struct BoundTexture {
  const Textures* from = nullptr;
  const Texture* texture = nullptr;
  const Palette* palette = nullptr;  // null: it needs none, or there is none
  bool operator<(const BoundTexture& o) const { return std::tie(texture, palette) < std::tie(o.texture, o.palette); }
  bool operator==(const BoundTexture&) const = default;
};

/// Textures and palettes of all materials, each pair once, in the order of the materials.
std::vector<TexturePair> pairs_of(std::span<const Model>);
/// Those of all keys of pattern animations.
std::vector<TexturePair> pairs_of(std::span<const PatternAnimation>);

/// Names that a model looks up in textures and does not find in any of these sets, each once; palettes with "palette "
/// before them.
std::vector<std::string> missing_names(const Model&, std::span<const Textures* const> sets);

/// Of `count` things, the first that lacks the fewest: `missing(i)` is how much, or nothing where that cannot be said.
std::optional<u32> least_lacking(u32 count, auto&& missing) {
  std::optional<u32> best;
  std::optional<size_t> fewest;
  for (u32 i = 0; i < count; ++i)
    if (const std::optional<size_t> here = missing(i); here && (!fewest || *here < *fewest)) fewest = here, best = i;
  return best;
}

class Surfaces {
 public:
  /// `sources`: where textures are looked up, the first that has the name wins. `shared`: models share materials that
  /// look the same; what of the extras they do not share is left out.
  Surfaces(std::vector<const Textures*> sources, scene::Scene& scene, Diagnostics& notes, bool shared = false)
      : sources_(std::move(sources)), scene_(scene), notes_(notes), shared_(shared) {}

  /// What the game binds to the materials of a model, by the names of the pairings.
  std::vector<BoundTexture> bind(const Model&, const std::string& path);
  /// By names, as pattern animations have them; an empty palette name leaves the one of `before`.
  BoundTexture find(const std::string& texture, const std::string& palette, const BoundTexture& before) const;

  /// The scene's material; one for each binding. `moves`: an animation moves the texture, so that its matrix is not in
  /// the texture coordinates. `own`: it will be changed, so that nobody may share it.
  scene::Index material(const Material&, const BoundTexture&, const std::string& name, const std::string& path,
                        bool moves, bool own = false);

 private:
  struct Picture {
    scene::Index image;
    scene::Transparency transparency;
  };
  const Picture& picture(const BoundTexture&);
  scene::Index texture(const Picture&, const Material&);

  std::vector<const Textures*> sources_;
  scene::Scene& scene_;
  Diagnostics& notes_;
  bool shared_;
  std::map<BoundTexture, Picture> pictures_;
  std::map<std::tuple<scene::Index, scene::Texture::Wrap, scene::Texture::Wrap>, scene::Index> textures_;
  std::vector<scene::Index> made_;  // materials that models may share
};

/// A DS colour as linear light.
scene::Vec4 linear_color(u16 rgb555);
/// The colour that light of full strength gives: emission, ambient and diffuse, each channel up to its greatest.
u16 fully_lit(u16 diffuse, u16 ambient, u16 emission);

}  // namespace dio::nitro
