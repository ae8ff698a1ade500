// materials.hpp: the materials and shaders of a model.
#pragma once
#include <array>

#include "formats/brres/layout/geometry.hpp"

namespace dio::brres {

inline constexpr EnumName k_cull_words[] = {{0, "none"}, {1, "front"}, {2, "back"}, {3, "all"}};
inline constexpr EnumNames k_culls{k_cull_words};
inline constexpr EnumName k_wrap_words[] = {{0, "clamp"}, {1, "repeat"}, {2, "mirror"}};
inline constexpr EnumNames k_wraps{k_wrap_words};
inline constexpr EnumName k_filter_words[] = {{0, "nearest"},
                                              {1, "linear"},
                                              {2, "nearest, nearest mipmap"},
                                              {3, "linear, nearest mipmap"},
                                              {4, "nearest, linear mipmaps"},
                                              {5, "linear, linear mipmaps"}};
inline constexpr EnumNames k_filters{k_filter_words};
inline constexpr EnumName k_map_mode_words[] = {{0, "texture coordinates"},
                                                {1, "environment camera"},
                                                {2, "projection"},
                                                {3, "environment light"},
                                                {4, "environment specular"}};
inline constexpr EnumNames k_map_modes{k_map_mode_words};

/// A texture of a material. Name offsets count from the start of this structure.
struct Sampler {
  static constexpr u64 k_least_size = 0x34;
  i32 texture_offset = 0, palette_offset = 0;
  u32 runtime_texture = 0, runtime_palette = 0, slot = 0, palette_slot = 0, wrap_u = 1, wrap_v = 1, min_filter = 1,
      mag_filter = 1;
  f32 lod_bias = 0;
  u32 anisotropy = 0;
  u8 clamps_bias = 0, edge_lod = 0;
  u16 unused = 0;
  std::string texture, palette;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(Key("texture_offset").placement(), s.texture_offset);
    v(Key("palette_offset").placement(), s.palette_offset);
    v(Key("runtime_texture").doc("filled in by the game"), s.runtime_texture);
    v("runtime_palette", s.runtime_palette);
    v(Key("slot").doc("texture slot in the material"), s.slot);
    v("palette_slot", s.palette_slot);
    v(Key("wrap_u").words(k_wraps), s.wrap_u);
    v(Key("wrap_v").words(k_wraps), s.wrap_v);
    v(Key("min_filter").words(k_filters), s.min_filter);
    v(Key("mag_filter").words(k_filters), s.mag_filter);
    v("lod_bias", s.lod_bias);
    v("anisotropy", s.anisotropy);
    v("clamps_bias", s.clamps_bias);
    v("edge_lod", s.edge_lod);
    v("unused", s.unused);
    if (s.texture_offset)
      v.there(from(start, s.texture_offset), [&] { v.cstring(Key("texture").words(k_named<"textures">), s.texture); });
    if (s.palette_offset)
      v.there(from(start, s.palette_offset), [&] { v.cstring(Key("palette").words(k_named<"palettes">), s.palette); });
  }
};

/// The transform of a texture's coordinates.
struct TextureSrt {
  Vec2 scale;
  f32 rotation;
  Vec2 translation;
  static constexpr void layout(auto& v, auto& s) {
    v("scale", s.scale);
    v(Key("rotation").unit("degrees"), s.rotation);
    v("translation", s.translation);
  }
};
struct TextureEffect {
  i8 camera, light;
  u8 map_mode, is_identity;
  std::array<f32, 12> matrix;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("camera").doc("camera index; -1: none"), s.camera);
    v(Key("light").doc("light index; -1: none"), s.light);
    v(Key("map_mode").doc("source of the texture coordinates").words(k_map_modes), s.map_mode);
    v(Key("is_identity").doc("1: the matrix is the identity"), s.is_identity);
    v("matrix", s.matrix);
  }
};
static_assert(FixedSize<TextureSrt> && wire_size<TextureSrt>() == 20);
static_assert(FixedSize<TextureEffect> && wire_size<TextureEffect>() == 52);

/// A colour channel: the lighting of vertices.
struct Channel {
  u32 flags;
  std::array<u8, 4> material, ambient;
  u32 color_control, alpha_control;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("flags").doc("which of the following fields the game sets"), s.flags);
    v(Key("material").unit("RGBA"), s.material);
    v(Key("ambient").unit("RGBA"), s.ambient);
    v(Key("color_control").doc("XF register: bit 0 colour from vertices, bit 1 lit"), s.color_control);
    v("alpha_control", s.alpha_control);
  }
};
static_assert(FixedSize<Channel> && wire_size<Channel>() == 20);

struct Material : Named {
  u32 size = 0;
  i32 model_offset = 0;
  u32 index = 0, flags = 0;
  u8 texgen_count = 0, channel_count = 0, stage_count = 0, indirect_count = 0;
  u32 cull = 0;
  u8 early_depth = 0;
  i8 light_set = -1, fog = -1;
  u8 unused = 0;
  std::array<u8, 4> indirect_methods{};
  std::array<i8, 4> indirect_lights{};
  i32 shader_offset = 0, samplers_offset = 0, fur_offset = 0, user_data_offset = 0, commands_offset = 0;
  Bytes runtime;
  u32 srt_flags = 0, texture_matrix_mode = 0;
  std::array<TextureSrt, 8> srts{};
  std::array<TextureEffect, 8> effects{};
  std::array<Channel, 2> channels{};
  std::vector<Sampler> samplers;
  Bytes commands;
  static constexpr u64 k_runtime_size = 0x168;
  static constexpr u32 k_translucent = 0x8000'0000;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(k_size, s.size);
    v(k_model_offset, s.model_offset);
    v(k_name_offset, s.name_offset);
    v(Key("index").doc("own index in the list"), s.index);
    v(Key("flags").doc("0x80000000: drawn in the translucent pass"), s.flags);
    v("texgen_count", s.texgen_count);
    v("channel_count", s.channel_count);
    v("stage_count", s.stage_count);
    v("indirect_count", s.indirect_count);
    v(Key("cull").doc("faces that are not drawn").words(k_culls), s.cull);
    v(Key("early_depth").doc("1: tests the depth before texturing"), s.early_depth);
    v(Key("light_set").doc("light set index; -1: none"), s.light_set);
    v(Key("fog").doc("fog index; -1: none"), s.fog);
    v("unused", s.unused);
    v("indirect_methods", s.indirect_methods);
    v("indirect_lights", s.indirect_lights);
    v(Key("shader_offset").placement(), s.shader_offset);
    v.count(u32{}, "sampler_count", s.samplers);
    v(Key("samplers_offset").placement(), s.samplers_offset);
    if (v.since(k_with_fur)) v(Key("fur_offset").placement(), s.fur_offset);
    v(Key("user_data_offset").doc("0: none").placement(), s.user_data_offset);
    v(Key("commands_offset").placement(), s.commands_offset);
    v.implied(k_runtime_size, s.runtime);
    v(Key("runtime").doc("space for texture and palette objects, filled in by the game"), s.runtime);
    v(Key("srt_flags").doc("4 bits for each texture: 1 has a matrix, 2 no scale, 4 no rotation, 8 no translation"),
      s.srt_flags);
    v(Key("texture_matrix_mode").words(k_texture_matrix_modes), s.texture_matrix_mode);
    v("srts", s.srts);
    v("effects", s.effects);
    v("channels", s.channels);
    visit_name(v, start, s);
    if (s.samplers_offset) v.there(from(start, s.samplers_offset), "samplers", s.samplers);
    v.implied(s.commands_offset > 0 && i64(s.size) > s.commands_offset ? s.size - u32(s.commands_offset) : 0,
              s.commands);
    v.there(from(start, s.commands_offset),
            Key("commands").doc("GPU commands: alpha test, depth, blending, colours, texture coordinates"), s.commands);
  }
};

/// A shader: how a material's textures and colours are combined.
struct Shader {
  u32 size = 0;
  i32 model_offset = 0;
  u32 index = 0;
  u8 stage_count = 0;
  std::array<u8, 3> unused_0d{};
  std::array<u8, 8> texture_slots{};
  std::array<u8, 8> unused_18{};
  Bytes commands;
  static constexpr u64 k_least_size = 0x20;
  static constexpr void layout(auto& v, auto& s) {
    v(k_size, s.size);
    v(k_model_offset, s.model_offset);
    v(Key("index").doc("index of the shader; several materials may share one"), s.index);
    v("stage_count", s.stage_count);
    v("unused_0d", s.unused_0d);
    v(Key("texture_slots").doc("the texture of each texture coordinate; 255: none"), s.texture_slots);
    v("unused_18", s.unused_18);
    v.implied(s.size > k_least_size ? s.size - k_least_size : 0, s.commands);
    v(Key("commands").doc("GPU commands"), s.commands);
  }
};

}  // namespace dio::brres
