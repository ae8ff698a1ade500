#include "formats/nitro/from_scene/nsbmd_materials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/from_scene/material_motion.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/pictures/texels.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/nitro/scene/texture_matrix.hpp"
#include "scene/extras.hpp"
#include "scene/math.hpp"
#include "scene/scaling.hpp"

namespace dio::nitro {
namespace {

constexpr u32 k_least_size = 8, k_largest_size = 1024;
constexpr u64 k_most_texel_bytes = 0xFFFF * 8, k_most_color_bytes = 0xFFFF * 8;  // as headers state them
constexpr u16 k_brightest = 0x7FFF;

/// The size of a texture for that of a picture: the nearest power of two.
u32 choose_texture_size(u32 size, u32 largest) {
  size = std::clamp(size, k_least_size, std::bit_floor(largest));
  const u32 above = std::bit_ceil(size);
  return above > k_least_size && above - size > size - above / 2 ? above / 2 : above;
}

u8 to_5_bit_channel(f32 linear) {
  return ds::to_5_bits(u8(std::lround(scene::linear_to_srgb(std::clamp(linear, 0.0f, 1.0f)) * 255)));
}

/// Channel differences between a texture and its picture, where neither is transparent.
struct ChannelErrors {
  f64 mean = 0;
  u32 worst = 0;
};
ChannelErrors measure_channel_errors(const EncodedTexels& texels, TexelFormat format, bool color0_clear,
                                     const scene::Image& picture) {
  const scene::Image made = scene::to_rgba(decode_texels({.format = format,
                                                          .width = picture.width,
                                                          .height = picture.height,
                                                          .color0_clear = color0_clear,
                                                          .texels = texels.texels,
                                                          .blocks = texels.blocks,
                                                          .palette = texels.palette}));
  const scene::Image wanted = scene::to_rgba(picture);
  ChannelErrors out;
  u64 sum = 0, count = 0;
  for (size_t i = 0; i + 3 < wanted.pixels.size() && i + 3 < made.pixels.size(); i += 4) {
    const bool is_seen = wanted.pixels[i + 3] && made.pixels[i + 3];
    for (size_t k = is_seen ? 0 : 3; k < 4; ++k) {  // for transparent pixels, only alpha counts
      const u32 error = u32(std::abs(int(wanted.pixels[i + k]) - int(made.pixels[i + k])));
      sum += error, ++count;
      out.worst = std::max(out.worst, error);
    }
  }
  if (count) out.mean = std::round(f64(sum) / f64(count) * 10) / 10;
  return out;
}

/// Removes the transparency of a picture, for opaque materials.
scene::Image make_opaque(scene::Image picture) {
  for (scene::Rgba& c : picture.palette) c[3] = 255;
  if (picture.palette.empty())
    for (size_t i = 3; i < picture.pixels.size(); i += 4) picture.pixels[i] = 255;
  return picture;
}

/// Writes a texture coordinate transform to a material. False if it rotates, or scales to 0.
bool apply_texture_transform(const scene::TextureTransform& t, u8 mode, f64 aspect, Material& to) {
  if (t == scene::TextureTransform()) return true;
  TextureSrt srt;
  if (t.rotation != 0 || !to_texture_srt(mode, t, aspect, srt)) return false;
  to.use_matrix = 1, to.texgen = 1;
  to.scale = {to_fx32(srt.scale_s), to_fx32(srt.scale_t)};
  to.scale_one = to.scale[0].raw == 4096 && to.scale[1].raw == 4096;
  to.translation = {to_fx32(srt.translation_s), to_fx32(srt.translation_t)};
  to.translation_zero = !to.translation[0].raw && !to.translation[1].raw;
  return true;
}

std::optional<u8> parse_enum_extra(const Value& extras, const char* name, const EnumNames& words) {
  if (const auto said = scene::read_text_extra(extras, name))
    for (const EnumName& w : words.words)
      if (w.word == *said) return u8(w.value);
  return {};
}

}  // namespace

u16 to_ds_color(const scene::Vec4& linear) {
  return console::word_of({to_5_bit_channel(linear[0]), to_5_bit_channel(linear[1]), to_5_bit_channel(linear[2])});
}

NsbmdMaterialBuilder::NsbmdMaterialBuilder(const scene::Scene& s, const NsbmdMaterialOptions& options,
                                           Diagnostics& notes)
    : s_(s), options_(options), notes_(notes) {
  for (const scene::Material& m : s.materials) {
    if (m.texture == scene::k_none || s.textures[m.texture].image == scene::k_none) continue;
    RequestedTexture stated;
    stated.texture = scene::read_text_extra(m.extras, "texture").value_or("");
    stated.palette = scene::read_text_extra(m.extras, "palette").value_or("");
    stated.format = parse_enum_extra(m.extras, "texture_format", k_texture_formats);
    if (stated.format == u8(TexelFormat::none)) stated.format.reset();
    stated.color0_clear = scene::read_flag_extra(m.extras, k_clear_color_extra).value_or(false);
    if (!stated.texture.empty() || !stated.palette.empty() || stated.format || stated.color0_clear)
      stated_.try_emplace(s.textures[m.texture].image, std::move(stated));
  }
}

/// Describes a picture for messages: the first material that shows it, and its own name.
std::string NsbmdMaterialBuilder::describe_image_user(scene::Index image) const {
  const std::string& name = s_.images[image].name;
  const std::string picture = text("picture ", name.empty() ? std::to_string(image) : name);
  for (const scene::Material& m : s_.materials)
    if (m.texture != scene::k_none && s_.textures[m.texture].image == image)
      return text("material ", m.name, ", ", picture);
  return picture;
}

/// Finds an existing palette with these colours and the stated name, or adds a new one.
std::string NsbmdMaterialBuilder::find_or_add_palette(const std::vector<u16>& colors, bool four,
                                                      const std::string& wanted, bool is_stated) {
  const auto same = std::ranges::find_if(made_.palettes, [&](const Palette& p) {
    return p.colors == colors && (p.four_colors != 0) == four && (!is_stated || p.name == wanted);
  });
  if (same != made_.palettes.end()) return same->name;
  Palette p{};
  p.name = palette_names_(wanted, "palette");
  p.four_colors = four;
  p.colors = colors;
  made_.palettes.push_back(std::move(p));
  return made_.palettes.back().name;
}

Result<BuiltTexture> NsbmdMaterialBuilder::encode_texture(scene::Index index, scene::Material::Alpha alpha) {
  if (const auto known = encoded_.find({index, alpha}); known != encoded_.end()) return known->second;
  const auto said = stated_.find(index);
  const RequestedTexture stated = said == stated_.end() ? RequestedTexture() : said->second;
  const bool is_opaque = alpha == scene::Material::Alpha::opaque;
  scene::Image picture = is_opaque ? make_opaque(s_.images[index]) : s_.images[index];
  const u32 width = choose_texture_size(picture.width, options_.largest),
            height = choose_texture_size(picture.height, options_.largest);
  if (width != picture.width || height != picture.height) {
    notes_.push_back(make_diagnostic(Severity::hint, "nitro.make-size", describe_image_user(index),
                                     {.message = text("the picture is ", picture.width, " x ", picture.height,
                                                      " pixels, but its texture is ", width, " x ", height)}));
    std::string name = std::move(picture.name);
    picture = scene::resize_image(picture, width, height);
    picture.name = std::move(name);
  }
  PictureNeeds needs = analyze_picture(picture, alpha == scene::Material::Alpha::mask);
  needs.clear |=
      stated.color0_clear && (!stated.format || ds::max_palette_colors(TexelFormat(*stated.format)) > needs.colors);
  const TexelFormat format = options_.format ? TexelFormat(*options_.format)
                             : stated.format ? TexelFormat(*stated.format)
                                             : smallest_format(needs);
  const bool indexed =
      format == TexelFormat::palette4 || format == TexelFormat::palette16 || format == TexelFormat::palette256;
  if (!picture.palette.empty() && indexed && picture.palette.size() > ds::max_palette_colors(format))
    picture = scene::to_rgba(picture);  // the palette has unused colours
  auto texels = encode_nitro_texels(picture, {.format = format, .color0_clear = indexed && needs.clear});
  if (!texels) return refuse(std::move(texels.error()));
  if (const u64 other = texels->changed_texels) {
    const ChannelErrors errors = measure_channel_errors(*texels, format, indexed && needs.clear, picture);
    notes_.push_back(make_diagnostic(
        Severity::hint, "nitro.make-colors", describe_image_user(index),
        {.message = text("the texture differs from the picture in ", other, " of ", u64(width) * height, " texels, by ",
                         errors.mean, " of 255 on average and by ", errors.worst, " at most; the picture has ",
                         format_count(needs.colors, "distinct DS colour"))}));
  }
  Texture t{};
  t.name = stated.texture.empty() ? picture.name : stated.texture;
  t.width_code = u8(std::countr_zero(width) - 3), t.height_code = u8(std::countr_zero(height) - 3);
  t.format = u8(format);
  t.color0_clear = indexed && needs.clear;
  t.original_width = u16(width), t.original_height = u16(height);
  t.same_size = 1;
  t.texels = std::move(texels->texels), t.blocks = std::move(texels->blocks);
  // With another palette, the same texels are another picture.
  const auto same = std::ranges::find_if(made_.textures, [&](const Texture& x) {
    return !stated.texture.empty() && x.name == t.name && x.format == t.format && x.width_code == t.width_code &&
           x.height_code == t.height_code && x.color0_clear == t.color0_clear && x.texels == t.texels &&
           x.blocks == t.blocks;
  });
  BuiltTexture out{.texture = {}, .palette = {}, .width = width, .height = height};
  if (same != made_.textures.end()) {
    out.texture = same->name;
  } else {
    out.texture = t.name = texture_names_(t.name, "texture");
    made_.textures.push_back(std::move(t));
  }
  if (format != TexelFormat::direct) {
    std::vector<u16> colors = std::move(texels->palette);
    colors.resize(std::max<size_t>(1, (colors.size() + 7) / 8) * 8);
    const bool is_stated = !stated.palette.empty();
    out.palette =
        find_or_add_palette(colors, format == TexelFormat::palette4,
                            is_stated ? stated.palette : out.texture.substr(0, k_name_size - 3) + "_pl", is_stated);
  }
  u64 texels_size = 0, colors_size = 0;
  for (const Texture& all : made_.textures) texels_size += all.texels.size();
  for (const Palette& all : made_.palettes) colors_size += all.colors.size() * 2;
  const auto largest = std::ranges::max_element(made_.textures, {}, [](const Texture& x) { return x.texels.size(); });
  if (texels_size > k_most_texel_bytes || colors_size > k_most_color_bytes)
    return refuse(make_diagnostic(
        "nitro.make-vram", describe_image_user(index),
        {.message = text("with this ", width, " x ", height, " picture, the textures take ",
                         format_with_commas(texels_size), " bytes and the palettes take ",
                         format_with_commas(colors_size), " (at most 524,280 each); the largest texture is \"",
                         largest->name, "\" (", largest->width(), " x ", largest->height(), ")"),
         .hint = "use smaller pictures: {--largest-texture 64}"}));
  return encoded_[{index, alpha}] = std::move(out);
}

Result<NsbmdMaterial> NsbmdMaterialBuilder::find_or_build_material(scene::Index index) {
  static const scene::Material k_plain = [] {
    scene::Material m;
    m.unlit = false;
    return m;
  }();
  const scene::Material& m = index == scene::k_none ? k_plain : s_.materials[index];
  NsbmdMaterial out;
  Material& to = out.material = Material{};
  const auto read_number_extra = [&](const char* name, i64 most) -> std::optional<u16> {
    const auto n = scene::read_number_extra(m.extras, name);
    if (!n || *n < 0 || *n > f64(most)) return {};
    return u16(*n);
  };
  to.vertex_color = 1;
  to.show_front = 1, to.show_back = m.double_sided;
  const auto mask = scene::read_number_extra(m.extras, "polygon_mask");
  to.polygon_mask = mask && *mask >= 0 && *mask <= 0xFFFFFFFF ? u32(*mask) : k_usual_polygon_mask;
  to.texture_mask = ~u32(0);
  to.scale_one = to.rotation_zero = to.translation_zero = 1;
  to.own_diffuse = to.own_ambient = to.own_vertex_color = to.own_specular = to.own_emission = to.own_shininess =
      to.own_palette_base = 1;
  to.mag_width.raw = to.mag_height.raw = 4096;
  const bool translucent = m.alpha == scene::Material::Alpha::blend;
  to.alpha = u8(translucent ? std::lround(std::clamp(m.color[3], 0.0f, 1.0f) * 31) : 31);
  for (const PolygonFlag& f : k_polygon_flags) to.*f.flag = scene::read_flag_extra(m.extras, f.name).value_or(false);
  to.polygon_mode = parse_enum_extra(m.extras, "polygon_mode", k_polygon_modes).value_or(0);
  to.texgen = parse_enum_extra(m.extras, "texgen", k_texgens).value_or(0);
  // Translucent polygons with the same ID are not blended with each other.
  to.polygon_id = u8(read_number_extra("polygon_id", 63).value_or(translucent ? 1 : 0));
  const auto lights = read_number_extra("lights", 15);
  const u16 on = lights.value_or(m.unlit ? 0 : 1);
  to.light_0 = on & 1, to.light_1 = on >> 1 & 1, to.light_2 = on >> 2 & 1, to.light_3 = on >> 3 & 1;
  out.lit = on;
  out.color = m.color;
  out.color_moves = is_material_animated(s_, index, true);
  const u16 own = to_ds_color(m.color);
  const auto dimmed = [](const scene::Vec4& c, f32 by) { return to_ds_color({c[0] * by, c[1] * by, c[2] * by, 1}); };
  out.stated = read_number_extra("diffuse", k_brightest) && read_number_extra("ambient", k_brightest);
  to.diffuse = read_number_extra("diffuse", k_brightest).value_or(own);
  to.ambient = read_number_extra("ambient", k_brightest).value_or(out.lit ? dimmed(m.color, 0.3f) : k_brightest);
  if (out.stated && on)
    out.full = full_light_color(to.diffuse, to.ambient, read_number_extra("emission", k_brightest).value_or(0));
  to.specular = read_number_extra("specular", k_brightest).value_or(0);
  to.emission = read_number_extra("emission", k_brightest).value_or(0);
  if (const auto effect = scene::read_number_list_extra(m.extras, "effect", to.effect.size())) {
    to.has_effect = to.use_matrix = 1;
    std::ranges::transform(*effect, to.effect.begin(), to_fx32);
  }
  using Wrap = scene::Texture::Wrap;
  const auto set_wrap = [&](Wrap u, Wrap v) {
    to.repeat_s = u != Wrap::clamp, to.repeat_t = v != Wrap::clamp;
    to.flip_s = u == Wrap::mirror, to.flip_t = v == Wrap::mirror;
    out.repeats_u = to.repeat_s, out.repeats_v = to.repeat_t;
  };
  if (m.texture == scene::k_none) {  // the game has the texture in another file
    const auto wrap_of = [&](const char* name) {
      return Wrap(parse_enum_extra(m.extras, name, k_wrap_words).value_or(u8(Wrap::repeat)));
    };
    out.texture = truncate_name(scene::read_text_extra(m.extras, "texture").value_or(""));
    out.palette = truncate_name(scene::read_text_extra(m.extras, "palette").value_or(""));
    if (!out.texture.empty()) set_wrap(wrap_of("wrap_u"), wrap_of("wrap_v"));
    if (const auto size = scene::read_number_list_extra(m.extras, "texture_size", 2)) {
      const auto texels = [](f64 x) { return u32(std::clamp(x, 0.0, f64(k_largest_size))); };
      out.width = texels((*size)[0]), out.height = texels((*size)[1]);
    }
    to.original_width = u16(out.width), to.original_height = u16(out.height);
    return out;
  }
  const scene::Texture& t = s_.textures[m.texture];
  set_wrap(t.wrap_u, t.wrap_v);
  if (t.image != scene::k_none) {
    auto encoded = encode_texture(t.image, m.alpha);
    if (!encoded) return refuse(std::move(encoded.error()));
    out.texture = encoded->texture, out.palette = encoded->palette;
    out.width = encoded->width, out.height = encoded->height;
    to.original_width = u16(encoded->width), to.original_height = u16(encoded->height);
  }
  // A texture animation replaces a transform in the material, but not one applied to the coordinates.
  const f64 aspect = out.height ? f64(out.width) / out.height : 1;
  if (!apply_texture_transform(m.transform, options_.matrix_mode, aspect, to) &&
      !is_material_animated(s_, index, false))
    out.transform = m.transform;
  return out;
}

std::optional<Diagnostic> NsbmdMaterialBuilder::encode_unshown_textures() {
  for (const scene::Material& m : s_.materials) {
    if (scene::read_text_extra(m.extras, "kind") != "nitro.unshown" || m.texture == scene::k_none ||
        s_.textures[m.texture].image == scene::k_none)
      continue;
    if (auto encoded = encode_texture(s_.textures[m.texture].image, m.alpha); !encoded) return encoded.error();
  }
  for (const scene::Node& n : s_.nodes) {
    std::string_view rest = scene::read_text_extra(n.extras, k_unshown_textures).value_or("");
    while (!rest.empty()) {
      constexpr std::string_view k_between = ", ";
      const size_t end = rest.find(k_between);
      const std::string name(rest.substr(0, end));
      rest = end == rest.npos ? "" : rest.substr(end + k_between.size());
      const auto is_it = [&](const Texture& t) { return t.name == truncate_name(name); };
      if (std::ranges::none_of(made_.textures, is_it))
        notes_.push_back(
            make_diagnostic(Severity::warning, "nitro.make-pictures", n.name,
                            {.message = text("the scene lacks the texture ", dio::given(name),
                                             " of the exported model, so the new model lacks it as well"),
                             .hint = "other programs drop pictures that no mesh shows; {--onto} keeps them"}));
    }
  }
  return {};
}

Textures NsbmdMaterialBuilder::textures() && {
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  sort_stably(made_.textures, by_name);
  sort_stably(made_.palettes, by_name);
  return std::move(made_);
}

}  // namespace dio::nitro
