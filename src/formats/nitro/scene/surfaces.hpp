// surfaces.hpp: the materials of a scene, each with the texture that the game binds to it, as a picture.
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
  const Palette* palette = nullptr;  // null: none is needed, or none was found
  bool operator<(const BoundTexture& o) const { return std::tie(texture, palette) < std::tie(o.texture, o.palette); }
  bool operator==(const BoundTexture&) const = default;
};

/// The names that each material of a model looks up; empty: none.
std::vector<TexturePair> names_by_material(const Model&);
/// Textures and palettes of all materials, each pair once, in the order of the materials.
std::vector<TexturePair> collect_texture_pairs(std::span<const Model>);
/// Textures and palettes of all pattern animation keys.
std::vector<TexturePair> collect_texture_pairs(std::span<const PatternAnimation>);

/// The names that a model looks up but that none of these texture sets contains, each once; palettes as "palette NAME".
std::vector<std::string> missing_names(const Model&, std::span<const Textures* const> sets);

/// The index of the first of `count` items with the fewest missing names; `missing(i)` is that number, or nothing if
/// unknown.
std::optional<u32> find_fewest_missing(u32 count, auto&& missing) {
  std::optional<u32> best;
  std::optional<size_t> fewest;
  for (u32 i = 0; i < count; ++i)
    if (const std::optional<size_t> here = missing(i); here && (!fewest || *here < *fewest)) fewest = here, best = i;
  return best;
}

class Surfaces {
 public:
  /// `sources`: where textures are looked up, in this order. `shared`: models share materials that look the same;
  /// extras that differ are left out.
  Surfaces(std::vector<const Textures*> sources, scene::Scene& scene, Diagnostics& notes, bool shared = false)
      : sources_(std::move(sources)), scene_(scene), notes_(notes), shared_(shared) {}

  /// The textures that the game binds to the materials of a model, by the names of the pairings.
  std::vector<BoundTexture> bind_textures(const Model&, const std::string& path);
  /// Finds a texture by names, as in texture pattern animations; an empty palette name keeps the palette of `before`.
  BoundTexture find(const std::string& texture, const std::string& palette, const BoundTexture& before) const;

  /// The scene material for a binding. `names`: texture and palette names, which may be missing from the files.
  /// `moves`: an animation moves the texture, so its matrix is not applied to the texture coordinates. `own`: the
  /// material will be changed and must not be shared.
  scene::Index material(const Material&, const BoundTexture&, const TexturePair& names, const std::string& name,
                        const std::string& path, bool moves, bool own = false);

  /// Adds a material of the kind `nitro.unshown` for each texture and palette of a set that no material uses, because
  /// animations may show them. Returns the names of the textures.
  std::vector<std::string> add_unshown_textures(const Textures&, std::span<const TexturePair> paired);

 private:
  struct Picture {
    scene::Index image;
    scene::Transparency transparency;
  };
  const Picture& find_or_decode_picture(const BoundTexture&);
  scene::Index find_or_add_texture(const Picture&, const Material&);
  void add_unshown_texture(const BoundTexture&);
  bool has_unused_clear_color(const BoundTexture&);

  std::vector<const Textures*> sources_;
  scene::Scene& scene_;
  Diagnostics& notes_;
  bool shared_;
  std::map<BoundTexture, Picture> pictures_;
  std::map<std::tuple<scene::Index, scene::Texture::Wrap, scene::Texture::Wrap>, scene::Index> textures_;
  std::vector<scene::Index> made_;  // materials that models may share
};

/// Polygon attributes that glTF cannot express; set attributes become material extras with these names.
struct PolygonFlag {
  const char* name;
  u8 Material::* flag;
};
inline constexpr PolygonFlag k_polygon_flags[] = {{"fog", &Material::fog},
                                                  {"wireframe", &Material::wireframe},
                                                  {"translucent_depth", &Material::translucent_depth},
                                                  {"far_plane", &Material::far_plane},
                                                  {"one_dot", &Material::one_dot},
                                                  {"depth_equal", &Material::depth_equal},
                                                  {"shininess_table", &Material::shininess_table}};
/// Material extra: colour 0 of the texture is transparent, although no texel shows it.
inline constexpr const char* k_clear_color_extra = "color0_clear";
/// Wrap modes of a texture, stored in extras if there is no texture that states them.
inline constexpr EnumName k_wrap_word_list[] = {{i64(scene::Texture::Wrap::repeat), "repeat"},
                                                {i64(scene::Texture::Wrap::mirror), "mirror"},
                                                {i64(scene::Texture::Wrap::clamp), "clamp"}};
inline constexpr EnumNames k_wrap_words{k_wrap_word_list};
inline constexpr u32 k_usual_polygon_mask = 0x3F1FF8FF;

/// A DS colour as linear RGB.
scene::Vec4 to_linear_color(u16 rgb555);
/// The colour at full light: the sum of emission, ambient and diffuse, clamped in each channel.
u16 full_light_color(u16 diffuse, u16 ambient, u16 emission);

}  // namespace dio::nitro
