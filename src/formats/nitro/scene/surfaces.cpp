#include "formats/nitro/scene/surfaces.hpp"

#include <algorithm>
#include <set>

#include "formats/nitro/pictures/pictures.hpp"
#include "scene/kept_material.hpp"
#include "scene/math.hpp"

namespace dio::nitro {

using scene::Index;
using scene::k_none;

static scene::Texture::Wrap wrap_mode(u8 repeat, u8 flip) {
  using Wrap = scene::Texture::Wrap;
  return !repeat ? Wrap::clamp : flip ? Wrap::mirror : Wrap::repeat;
}

scene::Vec4 to_linear_color(u16 rgb555) {
  static const std::array<f32, 32> k_linear = [] {
    std::array<f32, 32> table{};
    for (u32 i = 0; i < 32; ++i) table[i] = scene::srgb_to_linear(f32(ds::to_8_bits(i)) / 255.0f);
    return table;
  }();
  const auto [red, green, blue] = console::channels_of(rgb555);
  return {k_linear[red], k_linear[green], k_linear[blue], 1};
}

u16 full_light_color(u16 diffuse, u16 ambient, u16 emission) {
  console::Channels sum{};
  for (const u16 color : {diffuse, ambient, emission})
    for (size_t k = 0; k < 3; ++k) sum[k] = u8(std::min<u32>(sum[k] + console::channels_of(color)[k], 31));
  return console::word_of(sum);
}

std::vector<TexturePair> names_by_material(const Model& m) {
  std::vector<TexturePair> out(m.materials.size());
  for (const Pairing& p : m.textures)
    for (const u8 material : p.materials)
      if (material < out.size()) out[material].texture = p.name;
  for (const Pairing& p : m.palettes)
    for (const u8 material : p.materials)
      if (material < out.size()) out[material].palette = p.name;
  return out;
}

std::vector<TexturePair> collect_texture_pairs(std::span<const Model> models) {
  std::vector<TexturePair> pairs;
  for (const Model& m : models)
    for (TexturePair& pair : names_by_material(m))
      if (!pair.texture.empty() && std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
        pairs.push_back(std::move(pair));
  return pairs;
}

std::vector<TexturePair> collect_texture_pairs(std::span<const PatternAnimation> animations) {
  std::vector<TexturePair> pairs;
  for (const PatternAnimation& a : animations)
    for (const PatternTrack& track : a.materials)
      for (const PatternKey& key : track.keys) {
        if (key.texture >= a.texture_names.size() || key.palette >= a.palette_names.size()) continue;
        TexturePair pair{a.texture_names[key.texture].name, a.palette_names[key.palette].name};
        if (std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(std::move(pair));
      }
  return pairs;
}

std::vector<std::string> missing_names(const Model& model, std::span<const Textures* const> sets) {
  std::vector<std::string> out;
  const auto collect_missing = [&](const auto& wanted, auto list, std::string_view word) {
    std::set<std::string_view> there;
    for (const Textures* set : sets)
      for (const auto& x : set->*list) there.insert(x.name);
    for (const auto& w : wanted)
      if (!w.materials.empty() && !there.contains(w.name)) out.push_back(std::string(word) + w.name);
  };
  collect_missing(model.textures, &Textures::textures, "");
  collect_missing(model.palettes, &Textures::palettes, "palette ");
  return out;
}

BoundTexture Surfaces::find(const std::string& texture, const std::string& palette, const BoundTexture& before) const {
  BoundTexture found = before;
  const auto find_by_name = [](const auto& list, const std::string& name) {
    const auto i = std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.name == name; });
    return i == list.end() ? nullptr : &*i;
  };
  for (const Textures* source : sources_)
    if (const Texture* t = find_by_name(source->textures, texture)) {
      found.from = source, found.texture = t;
      break;
    }
  if (palette.empty()) return found;
  // The palette is most likely in the same file as the texture.
  if (found.from)
    if (const Palette* p = find_by_name(found.from->palettes, palette)) {
      found.palette = p;
      return found;
    }
  for (const Textures* source : sources_)
    if (const Palette* p = find_by_name(source->palettes, palette)) {
      found.palette = p;
      break;
    }
  return found;
}

std::vector<BoundTexture> Surfaces::bind_textures(const Model& m, const std::string& path) {
  const std::vector<TexturePair> wanted = names_by_material(m);
  std::vector<BoundTexture> out(m.materials.size());
  std::vector<std::string> textures_missing, palettes_missing,
      unnamed;                  // the last: textures without a palette; each name once
  std::optional<size_t> first;  // material that lacks a texture or palette
  const auto add = [](std::vector<std::string>& list, const std::string& name) {
    if (std::ranges::find(list, name) == list.end()) list.push_back(name);
  };
  for (size_t i = 0; i < out.size(); ++i) {
    const auto& [texture, palette] = wanted[i];
    if (texture.empty()) continue;
    out[i] = find(texture, palette, {});
    const bool needs_palette = out[i].texture && TexelFormat(out[i].texture->format) != TexelFormat::direct;
    if (out[i].texture && (!needs_palette || out[i].palette)) continue;
    if (!out[i].texture)
      add(textures_missing, texture);
    else if (!palette.empty())
      add(palettes_missing, palette);
    else
      add(unnamed, texture);
    if (!first) first = i;
    out[i] = {};
  }
  if (!first) return out;
  const auto format_some_names = [](const char* what, const std::vector<std::string>& names) {
    constexpr size_t k_named = 3;
    std::string text = std::string("the ") + what + (names.size() > 1 ? "s " : " ");
    for (size_t i = 0; i < std::min(names.size(), k_named); ++i) text += (i ? ", \"" : "\"") + names[i] + '"';
    return names.size() > k_named ? text + " and " + std::to_string(names.size() - k_named) + " more" : text;
  };
  std::string message;
  const auto say = [&](const std::string& sentence) { message += (message.empty() ? "" : "; ") + sentence; };
  for (const auto& [what, names] : {std::pair{"texture", &textures_missing}, {"palette", &palettes_missing}})
    if (!names->empty())
      say(format_some_names(what, *names) + (names->size() == 1 ? " is" : " are") + " in none of the files given");
  if (!unnamed.empty()) say("the model names no palette for " + format_some_names("texture", unnamed));
  const bool is_missing = !textures_missing.empty() || !palettes_missing.empty();
  notes_.push_back(
      make_diagnostic(Severity::warning, "nitro.unbound-texture", path + ".materials[" + std::to_string(*first) + "]",
                      {.message = std::move(message),
                       .hint = is_missing ? "add the NSBTX file that contains the textures and palettes" : ""}));
  return out;
}

const Surfaces::Picture& Surfaces::find_or_decode_picture(const BoundTexture& b) {
  const auto [known, fresh] = pictures_.try_emplace(b, Picture{Index(scene_.images.size()), {}});
  if (!fresh) return known->second;
  const Texture& t = *b.texture;
  scene::Image picture =
      decode_texels({.format = TexelFormat(t.format),
                     .width = t.width(),
                     .height = t.height(),
                     .color0_clear = t.color0_clear != 0,
                     .texels = t.texels,
                     .blocks = t.blocks,
                     .palette = b.palette ? std::span<const u16>(b.palette->colors) : std::span<const u16>()});
  picture.name = t.name;
  // Another palette gives another picture.
  for (const auto& [other, made] : pictures_)
    if (other.texture == b.texture && !(other == b) && b.palette) picture.name = t.name + "." + b.palette->name;
  known->second.transparency = scene::detect_transparency(picture);
  scene_.images.push_back(std::move(picture));
  return known->second;
}

/// Whether colour 0 is transparent but used by no texel.
bool Surfaces::has_unused_clear_color(const BoundTexture& b) {
  const TexelFormat format = TexelFormat(b.texture->format);
  const bool indexed =
      format == TexelFormat::palette4 || format == TexelFormat::palette16 || format == TexelFormat::palette256;
  return indexed && b.texture->color0_clear && !find_or_decode_picture(b).transparency.any_clear;
}

void Surfaces::add_unshown_texture(const BoundTexture& b) {
  const Picture& shown = find_or_decode_picture(b);
  Material repeated{};
  repeated.repeat_s = repeated.repeat_t = 1;
  scene::Material out;
  out.name = scene_.images[shown.image].name;
  out.texture = find_or_add_texture(shown, repeated);
  if (shown.transparency.any_partial)
    out.alpha = scene::Material::Alpha::blend;
  else if (shown.transparency.any_clear)
    out.alpha = scene::Material::Alpha::mask;
  out.extras = Value::object();
  out.extras.add("kind", "nitro.unshown");
  out.extras.add(std::string(scene::k_kept_material), true);
  out.extras.add("texture", b.texture->name);
  if (b.palette) out.extras.add("palette", b.palette->name);
  out.extras.add("texture_format", k_texture_formats.of(b.texture->format));
  if (has_unused_clear_color(b)) out.extras.add(k_clear_color_extra, true);
  scene_.materials.push_back(std::move(out));
}

std::vector<std::string> Surfaces::add_unshown_textures(const Textures& set, std::span<const TexturePair> paired) {
  std::set<const Texture*> textures;
  std::set<const Palette*> palettes;
  const auto is_shown = [&](const TexturePicture& p) {
    return textures.contains(&set.textures[p.texture]) && (!p.palette || palettes.contains(&set.palettes[*p.palette]));
  };
  for (const auto& [shown, picture] : pictures_) textures.insert(shown.texture), palettes.insert(shown.palette);
  std::vector<std::string> names;
  const auto add_all = [&](bool every_palette) {
    for (const TexturePicture& p : list_texture_pictures(set, paired, every_palette)) {
      if (is_shown(p) || set.textures[p.texture].format == u8(TexelFormat::none)) continue;
      const Palette* const palette = p.palette ? &set.palettes[*p.palette] : nullptr;
      const Texture& t = set.textures[p.texture];
      textures.insert(&t), palettes.insert(palette);
      add_unshown_texture({.from = &set, .texture = &t, .palette = palette});
      if (std::ranges::find(names, t.name) == names.end()) names.push_back(t.name);
    }
  };
  add_all(false);  // pairs from materials or names come first
  add_all(true);
  return names;
}

Index Surfaces::find_or_add_texture(const Picture& p, const Material& m) {
  scene::Texture t;
  t.image = p.image;
  t.name = scene_.images[t.image].name;
  t.wrap_u = wrap_mode(m.repeat_s, m.flip_s), t.wrap_v = wrap_mode(m.repeat_t, m.flip_t);
  const auto [known, fresh] = textures_.try_emplace({t.image, t.wrap_u, t.wrap_v}, Index(scene_.textures.size()));
  if (fresh) scene_.textures.push_back(std::move(t));
  return known->second;
}

Index Surfaces::material(const Material& m, const BoundTexture& b, const TexturePair& names, const std::string& name,
                         const std::string& path, bool moves, bool own) {
  scene::Material out;
  out.name = name;
  out.color[3] = m.wireframe ? 1 : f32(m.alpha) / 31;
  out.double_sided = m.show_front && m.show_back;
  if (out.color[3] < 1) out.alpha = scene::Material::Alpha::blend;
  if (b.texture) {
    const Picture& shown = find_or_decode_picture(b);
    out.texture = find_or_add_texture(shown, m);
    const scene::Transparency seen = shown.transparency;
    if (seen.any_partial)
      out.alpha = scene::Material::Alpha::blend;
    else if (seen.any_clear && out.alpha == scene::Material::Alpha::opaque)
      out.alpha = scene::Material::Alpha::mask;
  }
  Value extras = Value::object();
  if (!shared_) extras.add("path", path);
  extras.add("diffuse", m.diffuse);
  extras.add("ambient", m.ambient);
  if (m.specular) extras.add("specular", m.specular);
  if (m.emission) extras.add("emission", m.emission);
  extras.add("lights", m.light_0 | m.light_1 << 1 | m.light_2 << 2 | m.light_3 << 3);
  if (m.polygon_mode) extras.add("polygon_mode", k_polygon_modes.of(m.polygon_mode));
  extras.add("polygon_id", m.polygon_id);
  for (const PolygonFlag& f : k_polygon_flags)
    if (m.*f.flag) extras.add(f.name, true);
  if (m.polygon_mask != k_usual_polygon_mask) extras.add("polygon_mask", m.polygon_mask);
  if (m.texgen) extras.add("texgen", k_texgens.of(m.texgen));
  if (m.has_effect) {
    Value& effect = extras.add("effect", Value::list());
    for (const fx32 x : m.effect) effect.push(x.value());
  }
  if (!names.texture.empty()) extras.add("texture", names.texture);
  if (!names.palette.empty()) extras.add("palette", names.palette);
  if (b.texture) extras.add("texture_format", k_texture_formats.of(b.texture->format));
  if (b.texture && has_unused_clear_color(b)) extras.add(k_clear_color_extra, true);
  if (!b.texture && !names.texture.empty()) {
    extras.add("wrap_u", k_wrap_words.of(i64(wrap_mode(m.repeat_s, m.flip_s))));
    extras.add("wrap_v", k_wrap_words.of(i64(wrap_mode(m.repeat_t, m.flip_t))));
  }
  if (!b.texture && m.original_width && m.original_height) {  // the size that texture coordinates refer to
    Value& size = extras.add("texture_size", Value::list());
    size.push(m.original_width);
    size.push(m.original_height);
  }
  if (moves) extras.add("moves", true);
  out.extras = std::move(extras);
  const bool may_share = shared_ && !moves && !own;
  if (may_share)
    for (const Index i : made_)
      if (scene_.materials[i] == out) return i;
  if (may_share) made_.push_back(Index(scene_.materials.size()));
  scene_.materials.push_back(std::move(out));
  return Index(scene_.materials.size() - 1);
}

}  // namespace dio::nitro
