// surfaces.cpp: converts materials of a scene to a position in a texture page and a colour.
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

#include "console/psx/color.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/parts.hpp"

namespace dio::splashpack {
namespace {

using scene::Image;
using scene::Material;
using scene::Rgba;

class PackMaterialBuilder {
 public:
  PackMaterialBuilder(const scene::Scene& s, const MakeSettings& settings, Diagnostics& notes)
      : s_(s), settings_(settings), notes_(notes) {}

  Result<BuiltMaterials> build(std::span<const Role> roles, const OtherTextures& others) {
    find_used_materials(roles);
    out_.materials.resize(s_.materials.size());
    for (size_t m = 0; m < s_.materials.size(); ++m)
      if (used_[m]) add_material(Index(m));
    if (!settings_.since(k_sections) && is_any_plain_) add_white_texture();
    PackingOptions options{.reserved = reserved_areas(settings_.layout), .dither = settings_.dither};
    options.reserved.insert(options.reserved.end(), others.reserved.begin(), others.reserved.end());
    const size_t own = wishes_.size();
    wishes_.insert(wishes_.end(), others.wishes.begin(), others.wishes.end());
    auto placed = place_textures(wishes_, options);
    if (!placed) return refuse(std::move(placed.error()));
    out_.placed = *std::move(placed);
    for (const auto& [material, wish] : wished_) surface(material).placed = out_.placed.textures[wish];
    out_.others.assign(out_.placed.textures.begin() + std::ptrdiff_t(own), out_.placed.textures.end());
    return std::move(out_);
  }

 private:
  Surface& surface(Index material) { return material == k_none ? out_.none : out_.materials[material]; }

  void find_used_materials(std::span<const Role> roles) {
    used_.resize(s_.materials.size());
    for (size_t n = 0; n < s_.nodes.size(); ++n) {
      if (roles[n] != Role::object || s_.nodes[n].mesh == k_none) continue;
      for (const scene::Primitive& p : s_.meshes[s_.nodes[n].mesh].primitives) {
        if (p.shape != scene::Primitive::Shape::triangles || p.positions.empty()) continue;
        if (p.material == k_none)
          is_any_plain_ = true;
        else
          used_[p.material] = true;
      }
    }
  }

  void add_material(Index m) {
    const Material& material = s_.materials[m];
    Surface& out = out_.materials[m];
    for (size_t k = 0; k < 3; ++k) out.color[k] = material.color[k];
    out.is_lit = !material.unlit;
    if (const auto emission = read_number_list_extra(material.extras, "emission", 3); emission && out.is_lit)
      for (size_t k = 0; k < 3; ++k) out.emission[k] = std::max((*emission)[k], 0.0);
    out.both_sides = read_flag_extra(material.extras, "both_sides").value_or(false);
    out.flags = u16(std::clamp(read_number_extra(material.extras, "flags").value_or(0), 0.0, 65535.0));
    if (material.alpha == Material::Alpha::blend && material.color[3] < 1)
      notes_.push_back(
          make_diagnostic(Severity::warning, "splashpack.make-blend", text("materials[", m, "]"),
                          {.message = text("the material is partially transparent (alpha ", material.color[3], ")"),
                           .hint = "the engine cannot draw partial transparency, so the material becomes opaque"}));
    const auto page = read_number_extra(material.extras, "page");
    const bool has_page = page && *page >= 0 && *page < k_untextured;
    const TexturePage was = TexturePage::from_word(has_page ? u16(*page) : 0x200);
    out.semi_transparency = was.semi_transparency;
    out.is_dithered = was.dithered;
    const Index image = material.texture == k_none ? k_none : s_.textures[material.texture].image;
    if (image == k_none || s_.images[image].width == 0 || s_.images[image].height == 0) {
      is_any_plain_ = true;
      return;
    }
    const scene::Texture& texture = s_.textures[material.texture];
    out.is_textured = true;
    out.wraps = {texture.wrap_u, texture.wrap_v};
    out.transform = material.transform;
    const f64 times = read_number_extra(material.extras, "texels_times").value_or(1);
    out.texels_times = times >= 1 && times <= 2 ? times : 1;
    u8 depth = settings_.depth;
    if (depth == 0) {
      const f64 wanted = read_number_extra(material.extras, "depth").value_or(0);
      if (wanted == 4 || wanted == 8 || wanted == 16) depth = u8(wanted);
      if (depth == 0 && has_page) depth = u8(4 << std::min<u8>(was.depth, 2));
    }
    wished_.emplace_back(m, wishes_.size());
    wishes_.push_back({prepare_picture(material, image, out.texels_times), depth});
    if (material.alpha == Material::Alpha::blend && detect_transparency(s_.images[image]).any_partial)
      notes_.push_back(
          make_diagnostic(Severity::warning, "splashpack.make-blend", text("materials[", m, "]"),
                          {.message = "the picture has partially transparent pixels",
                           .hint = "pixels with an alpha below one half become fully transparent, all others opaque"}));
  }

  /// The picture with opaque or transparent texels, depending on the material, at the brightness of the pack.
  const Image* prepare_picture(const Material& material, Index index, f64 times) {
    const Image& image = s_.images[index];
    const u8 cutoff = material.alpha == Material::Alpha::opaque ? 0
                      : material.alpha == Material::Alpha::mask ? u8(std::ceil(material.alpha_cutoff * 255.0))
                                                                : 128;
    const std::vector<Rgba> words = restore_palette(material, image, times);
    if (!words.empty()) {
      Image& exact = pictures_.emplace_back(image);
      exact.palette = words;
      return &exact;
    }
    if (times == 1 && (cutoff == 0 ? !has_alpha(image) : cutoff == 128)) return &image;
    const bool is_dimmed = times != 1 && image.palette.empty() && material.extras.find("colors");
    auto& known = known_[std::tuple(index, cutoff, times)];
    if (known && !is_dimmed) return known;
    Image& made = pictures_.emplace_back(image);
    const std::array<u8, 256> darker = inverse_brightness_table(times);
    const auto dim_and_cut_alpha = [&](u8* c) {
      for (size_t k = 0; k < 3; ++k) c[k] = darker[c[k]];
      c[3] = c[3] >= cutoff ? 255 : 0;
    };
    for (Rgba& c : made.palette) dim_and_cut_alpha(c.data());
    if (made.palette.empty())
      for (size_t i = 0; i + 4 <= made.pixels.size(); i += 4) dim_and_cut_alpha(&made.pixels[i]);
    if (!is_dimmed) return known = &made;
    restore_clamped_pixels(material, image, times, made);
    return &made;
  }

  /// For each brightened value, the original: among the 32 values of the console, if it was brightened.
  static std::array<u8, 256> inverse_brightness_table(f64 times) {
    std::array<u8, 256> out{};
    for (u32 shown = 0; shown < 256; ++shown) {
      if (times == 1) {
        out[shown] = u8(shown);
        continue;
      }
      f64 least = HUGE_VAL;
      for (const u8 level : psx::k_levels) {
        const f64 off = std::fabs(std::floor(level * times) - shown);
        if (off < least) least = off, out[shown] = level;
      }
    }
    return out;
  }

  static bool has_alpha(const Image& image) {
    const auto t = detect_transparency(image);
    return t.any_clear || t.any_partial;
  }

  /// The original colour words of the pack: `colors` in the extras.
  static std::vector<Rgba> colors_from_extras(const Material& material) {
    std::vector<Rgba> out;
    for (const u16 word : scene::read_u16_list_extra(material.extras, "colors"))
      out.push_back(psx::rgb555_to_rgba(word));
    return out;
  }

  /// Whether a colour of the pack, brightened, equals the one in the picture.
  static bool matches_shown_color(const Rgba& kept, const Rgba& shown, f64 times) {
    constexpr f64 k_near = 3;  // tolerance for rounding
    for (size_t k = 0; k < 3; ++k)
      if (kept[3] && std::fabs(std::min(kept[k] * times, 255.0) - shown[k]) > k_near) return false;
    return true;
  }

  /// The original palette of the pack, if the picture still uses it.
  static std::vector<Rgba> restore_palette(const Material& material, const Image& image, f64 times) {
    std::vector<Rgba> out = colors_from_extras(material);
    if (image.palette.empty() || out.size() < image.palette.size()) return {};
    out.resize(image.palette.size());
    for (size_t i = 0; i < out.size(); ++i) {
      if (!matches_shown_color(out[i], image.palette[i], times)) return {};
      if ((out[i][3] == 0) != (image.palette[i][3] < 128) && material.alpha != Material::Alpha::opaque) return {};
    }
    return out;
  }

  /// Restores pixels that a brightened picture clamps, if all of them still exist: for a 16-bit picture only these were
  /// kept.
  static void restore_clamped_pixels(const Material& material, const Image& shown, f64 times, Image& out) {
    const std::vector<Rgba> kept = colors_from_extras(material);
    if (kept.empty() || !shown.palette.empty()) return;
    const auto is_cut_off = [](const u8* c) { return std::max({c[0], c[1], c[2]}) == 255; };
    Image exact = out;
    size_t next = 0;
    for (size_t i = 0; i + 4 <= shown.pixels.size(); i += 4) {
      const u8* c = &shown.pixels[i];
      if (!c[3] || !is_cut_off(c)) continue;
      if (next == kept.size() || !matches_shown_color(kept[next], {c[0], c[1], c[2], c[3]}, times)) return;
      std::copy_n(kept[next++].data(), 3, &exact.pixels[i]);
    }
    if (next == kept.size()) out = std::move(exact);
  }

  /// Layouts before v20 have no untextured triangles: these get one white texel.
  void add_white_texture() {
    Image& white = pictures_.emplace_back();
    white.name = "white";
    white.width = white.height = 1;
    white.pixels = {255, 255, 255, 255};
    const size_t wish = wishes_.size();
    wishes_.push_back({&white, 4});
    wished_.emplace_back(k_none, wish);
    for (size_t m = 0; m < used_.size(); ++m)
      if (used_[m] && !out_.materials[m].is_textured) wished_.emplace_back(Index(m), wish);
  }

  const scene::Scene& s_;
  const MakeSettings& settings_;
  Diagnostics& notes_;
  BuiltMaterials out_;
  std::vector<u8> used_;
  bool is_any_plain_ = false;
  std::deque<Image> pictures_;
  std::map<std::tuple<Index, u8, f64>, const Image*> known_;
  std::vector<TextureRequest> wishes_;
  std::vector<std::pair<Index, size_t>> wished_;
};

}  // namespace

Result<BuiltMaterials> build_materials(const scene::Scene& scene, std::span<const Role> roles,
                                       const MakeSettings& settings, const OtherTextures& others, Diagnostics& notes) {
  return PackMaterialBuilder(scene, settings, notes).build(roles, others);
}

}  // namespace dio::splashpack
