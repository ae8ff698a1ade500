// surfaces.cpp: pictures and materials.
#include "formats/fft/scene/surfaces.hpp"

#include <algorithm>

#include "formats/contract/reporter.hpp"
#include "scene/math.hpp"

namespace dio::fft {

using scene::Index;
using scene::k_none;

// ---- texels ----

TexelCounts::TexelCounts(const TexturePage& page) : sums_(k_line * k_line) {
  for (u32 v = 0; v < k_page_texels; ++v) {
    std::array<u32, k_palette_colors> line{};
    for (u32 u = 0; u < k_page_texels; ++u) {
      ++line[page.texel(u, v)];
      auto& sum = sums_[(v + 1) * k_line + u + 1];
      sum = sums_[v * k_line + u + 1];
      for (size_t i = 0; i < line.size(); ++i) sum[i] += line[i];
    }
  }
}

std::array<u32, k_palette_colors> TexelCounts::count_in_rect(u32 u0, u32 v0, u32 u1, u32 v1) const {
  std::array<u32, k_palette_colors> out{};
  const auto &a = sums_[v0 * k_line + u0], &b = sums_[v0 * k_line + u1 + 1], &c = sums_[(v1 + 1) * k_line + u0],
             &d = sums_[(v1 + 1) * k_line + u1 + 1];
  for (size_t i = 0; i < out.size(); ++i) out[i] = d[i] - b[i] - c[i] + a[i];
  return out;
}

// ---- pictures ----

namespace {

std::vector<scene::Rgba> make_image_palette(const Palettes* palettes, size_t row, u8 headroom) {
  std::vector<scene::Rgba> out = palettes ? rgba_of(palettes->rows[row]) : make_gray_palette();
  for (scene::Rgba& c : out)
    for (size_t k = 0; k < 3; ++k) c[k] = u8(lit_texel(c[k], headroom));
  return out;
}

bool have_same_texels(const std::array<const TexturePage*, k_pages>& a,
                      const std::array<const TexturePage*, k_pages>& b) {
  for (size_t i = 0; i < k_pages; ++i)
    if (a[i] != b[i] && (!a[i] || !b[i] || a[i]->texels != b[i]->texels)) return false;
  return true;
}

scene::Vec4 to_linear_color(f32 red, f32 green, f32 blue) {
  return scene::srgb_to_linear(scene::Vec4{red, green, blue, 1});
}

}  // namespace

size_t Surfaces::add_texture_motion(TextureMotion motion) {
  motions_.push_back({std::move(motion), {}});
  return motions_.size() - 1;
}

u32 Surfaces::find_or_add_texels(const Pictures& p) {
  for (u32 i = 0; i < texels_.size(); ++i)
    if (have_same_texels(texels_[i], p.pages)) return i;
  texels_.push_back(p.pages);
  return u32(texels_.size() - 1);
}

Index Surfaces::find_or_add_texture(const FftMaterialKey& look, const Pictures& p, u8 pages,
                                    const std::vector<u8>& frames, const std::string& name, bool& any_clear) {
  const u8 headroom = k_headrooms[look.headroom];
  std::vector<scene::Rgba> colors = make_image_palette(p.palettes, look.palette, headroom);
  std::vector<std::vector<scene::Rgba>> others;
  for (const u8 f : frames) others.push_back(make_image_palette(p.frames, f, headroom));
  if (look.rows) pages = (1 << k_pages) - 1;  // the frames may be anywhere

  std::string key = text(find_or_add_texels(p), " ", pages, " ");  // then bytes
  any_clear = false;
  const auto add = [&](const std::vector<scene::Rgba>& palette) {
    for (const scene::Rgba& c : palette) {
      key.insert(key.end(), c.begin(), c.end());
      any_clear |= c[3] == 0;
    }
  };
  add(colors);
  for (const auto& other : others) add(other);
  const auto [known, fresh] = textures_.try_emplace(std::move(key), Index(s_.textures.size()));
  if (!fresh) return known->second;

  std::array<const TexturePage*, k_pages> shown = p.pages;
  for (size_t i = 0; i < k_pages; ++i)
    if (!(pages >> i & 1)) shown[i] = nullptr;
  scene::Image image = build_pages_image(shown, std::move(colors));
  if (!others.empty()) image = make_palette_cell_image(image, others);
  image.name = name;
  scene::Texture texture;
  texture.name = name;
  texture.image = Index(s_.images.size());
  texture.wrap_u = texture.wrap_v = scene::Texture::Wrap::clamp;  // corners are on texel borders
  s_.images.push_back(std::move(image));
  s_.textures.push_back(std::move(texture));
  return known->second;
}

Index Surfaces::find_or_add_material(const FftMaterialKey& look, const Pictures& p, u8 pages, size_t motion,
                                     const std::string& suffix) {
  scene::Material m;
  m.unlit = !look.lit;
  m.extras = Value::object();
  m.extras.add("kind", "fft.material");
  bool any_clear = false;
  std::vector<u8> frames;
  switch (look.kind) {
    case FftMaterialKey::Kind::untextured:
      m.name = "untextured";
      m.color = to_linear_color(0, 0, 1 / 255.0f);  // as the game sets it
      m.extras.add("note", "the game draws it in front of everything, except during spells");
      break;
    case FftMaterialKey::Kind::foreign:
      m.name = "not in the files of the map";
      m.color = to_linear_color(0.5f, 0.5f, 0.5f);
      break;
    case FftMaterialKey::Kind::textured: {
      m.name = text("palette ", look.palette);
      if (look.headroom) m.name += text(" for light up to ", k_headrooms[look.headroom]);
      m.extras.add("palette", look.palette);
      if (look.headroom) m.extras.add("texels_times", k_headrooms[look.headroom] / f32(k_plain_intensity));
      if (look.rows) {
        m.name += " moving";
        Value& rows = m.extras.add("texture_animations", Value::list());
        for (u32 i = 0; i < 32; ++i)
          if (look.rows >> i & 1) rows.push(i);
        frames = motions_[motion].motion.list_palette_frames(look.rows);
      }
      if (p.palettes) {
        Value half = Value::list();
        for (size_t i = 0; i < k_palette_colors; ++i)
          if (p.palettes->rows[look.palette][i].stp) half.push(u64(i));
        if (half.size()) m.extras.add("stp", std::move(half));
      }
      m.texture = find_or_add_texture(look, p, pages, frames, m.name + suffix, any_clear);
      if (any_clear) m.alpha = scene::Material::Alpha::mask;
      if (!frames.empty()) m.transform = PaletteCells(frames.size() + 1).cell_transform(0);
    }
  }
  m.name += suffix;
  const auto [known, fresh] =
      materials_.try_emplace({look, m.texture, look.rows ? motion : 0}, Index(s_.materials.size()));
  if (!fresh) return known->second;
  if (look.rows) motions_[motion].materials.push_back({known->second, look.rows});
  s_.materials.push_back(std::move(m));
  return known->second;
}

}  // namespace dio::fft
