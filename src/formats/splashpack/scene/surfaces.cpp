// surfaces.cpp: pictures and materials.
#include "formats/splashpack/scene/surfaces.hpp"

#include "formats/contract/reporter.hpp"
#include "scene/math.hpp"

namespace dio::splashpack {

using scene::Index;
using scene::k_none;

namespace {

constexpr u64 k_most_looked_at = u64(1) << 26;  // texels, in the search for transparent ones
constexpr u64 k_most_kept = u64(1) << 22;       // texels, for clamped ones: eight times VRAM

std::string words_in_hex(std::span<const u16> words) {
  std::string out;
  for (const u16 w : words) out += encode_hex(Bytes{u8(w >> 8), u8(w)});
  return out;
}

}  // namespace

SceneMaterialBuilder::SceneMaterialBuilder(const Pack& pack, VideoMemory memory, scene::Scene& s)
    : pack_(pack), memory_(std::move(memory)), s_(s), islands_(pack) {
  for (const TexelRegion& i : islands_.all()) filled_.push_back(is_region_filled(memory_, i));
  any_clear_.resize(filled_.size());
  find_overbright_scales();
}

PackMaterialKey SceneMaterialBuilder::material_key(const Object& o, const Triangle& t) const {
  const auto source = texture_of(pack_, o, t);
  if (!source) return {};
  return {islands_.index_of(*source, t), u16(u32(pack_.form) >= k_pages_in_triangles ? t.flags : 0)};
}

/// For each island, the picture that shows its triangles with the smallest error, estimated from some texels of each.
void SceneMaterialBuilder::find_overbright_scales() {
  constexpr u32 k_steps = 4;
  std::vector<std::array<f64, k_overbright_scales.size()>> squares(islands_.all().size());
  for (const Object& o : pack_.objects)
    for (const Triangle& t : o.triangles) {
      const auto source = texture_of(pack_, o, t);
      if (!source) continue;
      auto& sums = squares[islands_.index_of(*source, t)];
      for (u32 a = 0; a <= k_steps; ++a)
        for (u32 b = 0; a + b <= k_steps; ++b) {
          const std::array<u32, 3> weights = {a, b, k_steps - a - b};
          const auto mixed = [&](auto of_corner) {
            u32 sum = 0;
            for (size_t i = 0; i < 3; ++i) sum += weights[i] * of_corner(i);
            return sum / k_steps;
          };
          const u16 word = texel_at(memory_, *source, u8(mixed([&](size_t i) { return t.uvs[i].u; })),
                                    u8(mixed([&](size_t i) { return t.uvs[i].v; })));
          if (!word) continue;
          const std::array<u32, 3> light = {mixed([&](size_t i) { return t.colors[i].red; }),
                                            mixed([&](size_t i) { return t.colors[i].green; }),
                                            mixed([&](size_t i) { return t.colors[i].blue; })};
          for (size_t k = 0; k < 3; ++k)
            for (size_t h = 0; h < k_overbright_scales.size(); ++h) {
              const u32 texel = rgb555_to_rgba(word)[k];
              // Without rounding, which alone would favour brighter pictures.
              const f64 exact = std::min(255.0, f64(texel) * light[k] / k_neutral);
              const f64 error = exact - psx::shown_texel(texel, light[k], k_overbright_scales[h]);
              sums[h] += error * error;
            }
        }
    }
  for (const auto& sums : squares) headrooms_.push_back(u8(std::ranges::min_element(sums) - sums.begin()));
}

scene::Vec2 SceneMaterialBuilder::to_scene_uv(const PackMaterialKey& look, const Uv& at) const {
  const TexelRegion& i = islands_.all()[look.island];
  return {f32((at.u + 0.5 - i.u) / i.width), f32((at.v + 0.5 - i.v) / i.height)};
}

scene::Vec4 SceneMaterialBuilder::vertex_color(const PackMaterialKey& look, const Color& c) const {
  const u32 most = look.is_textured() ? overbright_scale(look) : 255;
  const auto channel = [&](u32 n) { return f32(std::min(n, most)) / f32(most); };
  return scene::srgb_to_linear(scene::Vec4{channel(c.red), channel(c.green), channel(c.blue), 1});
}

bool SceneMaterialBuilder::is_clamped(const PackMaterialKey& look, const Color& c) const {
  return look.is_textured() && std::max({c.red, c.green, c.blue}) > overbright_scale(look);
}

std::vector<u16> SceneMaterialBuilder::clamp_texels(const PackMaterialKey& look) {
  const TexelRegion& i = islands_.all()[look.island];
  std::vector<u16> out;
  kept_ += u64(i.width) * i.height;
  if (kept_ > k_most_kept) return out;
  for (u32 v = 0; v < i.height; ++v)
    for (u32 u = 0; u < i.width; ++u) {
      const u16 word = texel_at(memory_, i.source, u8(i.u + u), u8(i.v + v));
      const scene::Rgba c = rgb555_to_rgba(word);
      if (psx::lit_texel(std::max({c[0], c[1], c[2]}), overbright_scale(look)) == 255) out.push_back(word);
    }
  return out;
}

Index SceneMaterialBuilder::find_or_add_texture(const PackMaterialKey& look) {
  const auto [known, fresh] = textures_.try_emplace(look.island, Index(s_.textures.size()));
  if (!fresh) return known->second;
  const TexelRegion& island = islands_.all()[look.island];
  texels_ += u64(island.width) * island.height;
  if (texels_ > k_most_texels) {
    ++unpictured_;
    return known->second = k_none;
  }
  scene::Image image = picture_of(memory_, island);
  any_clear_[look.island] = detect_transparency(image).any_clear;
  for (scene::Rgba& c : image.palette)
    for (size_t k = 0; k < 3; ++k) c[k] = u8(psx::lit_texel(c[k], overbright_scale(look)));
  if (image.palette.empty())
    for (size_t i = 0; i < image.pixels.size(); ++i)
      if (i % 4 != 3) image.pixels[i] = u8(psx::lit_texel(image.pixels[i], overbright_scale(look)));
  image.name = text("texture_", look.island);
  scene::Texture t;
  t.name = image.name;
  t.image = Index(s_.images.size());
  t.wrap_u = t.wrap_v = scene::Texture::Wrap::clamp;
  s_.images.push_back(std::move(image));
  s_.textures.push_back(std::move(t));
  return known->second;
}

Index SceneMaterialBuilder::find_or_add_material(const PackMaterialKey& look, const Triangle& triangle) {
  const auto [known, fresh] = materials_.try_emplace(look, Index(s_.materials.size()));
  if (fresh) {
    scene::Material m;
    m.name = "untextured";
    if (look.is_textured()) {
      const TexelRegion& island = islands_.all()[look.island];
      m.name = text("texture_", look.island);
      if (look.flags) m.name += text("_flags_", look.flags);
      if (has_picture(look.island)) m.texture = find_or_add_texture(look);
      const f32 gray = scene::srgb_to_linear(0.5f);
      if (m.texture == k_none) m.color = {gray, gray, gray, 1};
      m.extras = Value::object();
      m.extras.add("page", island.source.page);
      if (bits_of(island.source) < 16) {
        Value& clut = m.extras.add("clut", Value::list());
        clut.push(island.source.clut_x);
        clut.push(island.source.clut_y);
      }
      Value& texels = m.extras.add("texels", Value::list());
      for (const u32 n : {island.u, island.v, island.width, island.height}) texels.push(n);
      if (m.texture != k_none && bits_of(island.source) < 16)
        m.extras.add("colors", words_in_hex(read_clut(memory_, island.source)));
      else if (m.texture != k_none && overbright_scale(look) != k_neutral)
        if (const auto words = clamp_texels(look); !words.empty()) m.extras.add("colors", words_in_hex(words));
      if (overbright_scale(look) != k_neutral) m.extras.add("texels_times", overbright_scale(look) / f32(k_neutral));
      if (look.flags) m.extras.add("flags", look.flags);
    }
    s_.materials.push_back(std::move(m));
  }
  if (!look.is_textured()) return known->second;
  if (!has_picture(look.island)) ++unfilled_;
  scene::Material& m = s_.materials[known->second];
  if (m.texture == k_none || m.alpha == scene::Material::Alpha::mask || !any_clear_[look.island]) return known->second;
  const TexelRegion& island = islands_.all()[look.island];
  looked_at_ += u64(island.width) * island.height;
  if (looked_at_ > k_most_looked_at || has_clear_texel(memory_, island.source, triangle.uvs))
    m.alpha = scene::Material::Alpha::mask;
  return known->second;
}

}  // namespace dio::splashpack
