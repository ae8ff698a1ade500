// material_animations.hpp: blocks SRT0 (texture SRT), PAT0 (texture patterns), MAT0 (material colours) and VIS0
// (visibility of nodes). Specification: README.md, "Animations of materials", "Visibility".
#pragma once
#include "formats/nitro/layout/dictionary.hpp"
#include "formats/nitro/layout/joints.hpp"
#include "layout/reference.hpp"

namespace dio::nitro {

// ---- SRT0 ----

/// One of the five numbers of a texture matrix. Constants also have a copy in the data, which the games ignore.
struct TextureChannel {
  u16 last, unused_16;
  u8 narrow, constant, step;
  u32 data;                  // constant: the value; otherwise the offset of the samples
  std::vector<i32> samples;  // 1/4096; for a rotation, alternating sines and cosines
  std::optional<u16> narrow_copy;
  std::optional<u32> copy;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u32{}, bit<2>(Key("step").words(k_steps), s.step), bit<1>("constant", s.constant),
           bit<1>(Key("narrow").doc("samples have 16 bits; rotation samples always do"), s.narrow),
           bit<12>("unused_16", s.unused_16),
           bit<16>(Key("last")
                       .doc("last frame that is interpolated between samples; each later frame has its own sample")
                       .unit("frames"),
                   s.last));
    if (s.constant)
      v(Key("value").doc("value in 1/4096; for a rotation, sine in the low half and cosine in the high half"), s.data);
    else
      v(Key("offset").doc("offset of the samples from the start of the animation").placement(), s.data);
  }
};

struct TextureTrack {
  std::string name;  // name of the material
  TextureChannel scale_s, scale_t, rotation, translation_s, translation_t;
  static constexpr u64 k_unit = 40, k_least_size = 40;
  static constexpr void entry(auto& v, auto& s) {
    v("scale_s", s.scale_s);
    v("scale_t", s.scale_t);
    v("rotation", s.rotation);
    v("translation_s", s.translation_s);
    v("translation_t", s.translation_t);
  }
};

struct TextureAnimation {
  u32 offset;
  std::string name;
  u16 frames;
  u8 flag, texture_matrix_mode;
  Dictionary dictionary;
  std::vector<TextureTrack> materials;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("M\0AT");
    v(Key("frames").unit("frames"), s.frames);
    v(Key("flag").doc("like the flags of a joint animation; the games ignore it"), s.flag);
    v(Key("texture_matrix_mode").doc("games ignore it and use the mode of the model"), s.texture_matrix_mode);
    const u64 table = v.here();
    nitro::dictionary_layout<TextureTrack>(v, "dictionary", s.dictionary, "materials", s.materials, k_used_material);
    u64 at = table + s.dictionary.size;  // offset of the next channel's data
    v.each("materials", s.materials, [&](auto& m) {
      channel_layout(v, "scale_s", m.scale_s, s.frames, start, at);
      channel_layout(v, "scale_t", m.scale_t, s.frames, start, at);
      channel_layout(v, "rotation", m.rotation, s.frames, start, at);
      channel_layout(v, "translation_s", m.translation_s, s.frames, start, at);
      channel_layout(v, "translation_t", m.translation_t, s.frames, start, at);
    });
  }

 private:
  static constexpr void channel_layout(auto& v, Key name, auto& c, u32 frames, u64 start, u64& at) {
    const bool rotation = std::string_view(name.name) == "rotation", narrow = c.narrow && !rotation;
    v.inside(name, [&] {
      if (c.constant) {
        const u64 total = v.total();  // 0 in walks that do not know the file size
        v.there(total ? std::min(at, total) : at, [&] {
          if (narrow)
            v.maybe([&] { return at + 4 <= total && v.template peek<u16>() == u16(c.data); }, "narrow_copy",
                    c.narrow_copy);
          else
            v.maybe([&] { return at + 4 <= total && v.template peek<u32>() == c.data; }, "copy", c.copy);
        });
        if (c.copy || c.narrow_copy) at += 4;
      } else {
        const u64 count = sample_count(c.step, c.last, frames) * (rotation ? 2 : 1);
        v.implied(count, c.samples);
        v.at(start, to(c.data).align(4).pad(4), [&] {
          if (narrow || rotation)
            v.as(i16{}, "samples", c.samples);
          else
            v("samples", c.samples);
        });
        at = start + c.data + (count * (narrow || rotation ? 2 : 4) + 3) / 4 * 4;
      }
    });
    v.round(start, 4);
  }
};

/// An NSBTA file.
struct Nsbta {
  static constexpr std::endian k_order = std::endian::little;
  FileHeader header;
  Block block;
  std::vector<TextureAnimation> animations;
  static constexpr void layout(auto& v, auto& s) {
    animation_file_layout<TextureAnimation>(v, s, "BTA0", "SRT0", "animations", s.animations, [](u64) {});
  }
  /// Adds the missing copies of constants.
  void normalise();
};

// ---- PAT0 ----

inline constexpr u8 k_no_palette = 255;
inline constexpr EnumName k_same_palette[] = {{k_no_palette, "unchanged"}};

struct PatternKey {
  u16 frame;
  u8 texture, palette;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("frame").doc("first frame to which the key applies").unit("frames"), s.frame);
    v(Key("texture").doc("index into texture_names").words(k_index_into<"texture_names">), s.texture);
    v(Key("palette")
          .doc("index into palette_names; 255: keep the current palette")
          .words(k_index_or<"palette_names", k_same_palette>),
      s.palette);
  }
};
static_assert(wire_size<PatternKey>() == 4);

struct PatternTrack {
  std::string name;  // name of the material
  u16 flag;
  fx16 ratio;
  u16 offset;
  std::vector<PatternKey> keys;
  static constexpr u64 k_unit = 8, k_least_size = 8;
  static constexpr void entry(auto& v, auto& s) {
    v.count(u16{}, "count", s.keys);
    v("flag", s.flag);
    v(Key("ratio").doc("key count / frame count"), s.ratio);
    v(Key("offset").doc("offset of the keys from the start of the animation").placement(), s.offset);
  }
};

struct ResourceName {
  std::string name;
  static constexpr u64 k_least_size = k_name_size;
};
struct TextureName : ResourceName {
  static constexpr void layout(auto& v, auto& s) { v.text(k_name_size, k_used_texture, s.name); }
};
struct PaletteName : ResourceName {
  static constexpr void layout(auto& v, auto& s) { v.text(k_name_size, k_used_palette, s.name); }
};

struct PatternAnimation {
  u32 offset;
  std::string name;
  u16 frames, textures_offset, palettes_offset;
  Dictionary dictionary;
  std::vector<PatternTrack> materials;
  std::vector<TextureName> texture_names;
  std::vector<PaletteName> palette_names;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("M\0PT");
    v(Key("frames").unit("frames"), s.frames);
    v.count(u8{}, "texture_count", s.texture_names);
    v.count(u8{}, "palette_count", s.palette_names);
    v(Key("textures_offset").placement(), s.textures_offset);
    v(Key("palettes_offset").placement(), s.palettes_offset);
    nitro::dictionary_layout<PatternTrack>(v, "dictionary", s.dictionary, "materials", s.materials, k_used_material);
    v.each("materials", s.materials, [&](auto& m) { v.at(start, m.offset, "keys", m.keys); });
    v.at(start, s.textures_offset, "texture_names", s.texture_names);
    v.at(start, s.palettes_offset, "palette_names", s.palette_names);
  }
};

/// An NSBTP file.
struct Nsbtp {
  static constexpr std::endian k_order = std::endian::little;
  FileHeader header;
  Block block;
  std::vector<PatternAnimation> animations;
  static constexpr void layout(auto& v, auto& s) {
    animation_file_layout<PatternAnimation>(v, s, "BTP0", "PAT0", "animations", s.animations, [](u64) {});
  }
  /// Derives the ratios from the keys.
  void settle();
};

// ---- MAT0 ----

/// An animated colour (RGB555) or alpha (0 to 31).
struct ColorChannel {
  u16 data;  // constant: the value; otherwise the offset of the samples
  u16 last;
  u8 unused_29, constant, step;
  std::vector<u16> samples;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(
        u32{}, bit<2>(Key("step").words(k_steps), s.step), bit<1>("constant", s.constant),
        bit<13>(Key("last")
                    .doc("last frame that is interpolated between samples; each later frame has its own sample")
                    .unit("frames"),
                s.last),
        bit<16>(Key("data").doc("constant value, or offset of the samples from the start of the animation"), s.data));
  }
};

struct ColorTrack {
  std::string name;  // name of the material
  ColorChannel diffuse, ambient, specular, emission, alpha;
  static constexpr u64 k_unit = 20, k_least_size = 20;
  static constexpr void entry(auto& v, auto& s) {
    v("diffuse", s.diffuse);
    v("ambient", s.ambient);
    v("specular", s.specular);
    v("emission", s.emission);
    v("alpha", s.alpha);
  }
};

struct ColorAnimation {
  u32 offset;
  std::string name;
  u16 frames, flag;
  Dictionary dictionary;
  std::vector<ColorTrack> materials;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("M\0AM");
    v(Key("frames").unit("frames"), s.frames);
    v(Key("flag").doc("like the flags of a joint animation; the games ignore it"), s.flag);
    nitro::dictionary_layout<ColorTrack>(v, "dictionary", s.dictionary, "materials", s.materials, k_used_material);
    const auto samples = [&](Key name, auto& c, bool alpha) {
      if (c.constant) return;
      v.inside(name, [&] {
        v.implied(sample_count(c.step, c.last, s.frames), c.samples);
        v.at(start, c.data, [&] {
          if (alpha)
            v.as(u8{}, "samples", c.samples);
          else
            v("samples", c.samples);
        });
      });
    };
    v.each("materials", s.materials, [&](auto& m) {
      samples("diffuse", m.diffuse, false);
      samples("ambient", m.ambient, false);
      samples("specular", m.specular, false);
      samples("emission", m.emission, false);
    });
    v.round(start, 4);
    v.each("materials", s.materials, [&](auto& m) { samples("alpha", m.alpha, true); });
    v.round(start, 4);
  }
};

/// An NSBMA file.
struct Nsbma {
  static constexpr std::endian k_order = std::endian::little;
  FileHeader header;
  Block block;
  std::vector<ColorAnimation> animations;
  static constexpr void layout(auto& v, auto& s) {
    animation_file_layout<ColorAnimation>(v, s, "BMA0", "MAT0", "animations", s.animations, [](u64) {});
  }
};

// ---- VIS0 ----

struct VisibilityAnimation {
  u32 offset;
  std::string name;
  u16 frames, node_count, size, pad_0a;
  std::vector<u32> words;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("V\0AV");
    v(Key("frames").unit("frames"), s.frames);
    v("node_count", s.node_count);
    v(Key("size").unit("bytes").placement(), s.size);
    v("pad_0a", s.pad_0a);
    v.implied((u64(s.frames) * s.node_count + 31) / 32, s.words);
    v(Key("words").doc(
          "bit (frame * node_count + node), counted from the least significant, is 1 if the node is visible"),
      s.words);
    v.derive(s.size, v.end() - start);
  }
  bool visible(u32 frame, u32 node) const {
    const u64 bit = u64(frame) * node_count + node;
    return bit / 32 >= words.size() || (words[size_t(bit / 32)] >> bit % 32 & 1);
  }
};

/// An NSBVA file.
struct Nsbva {
  static constexpr std::endian k_order = std::endian::little;
  FileHeader header;
  Block block;
  std::vector<VisibilityAnimation> animations;
  static constexpr void layout(auto& v, auto& s) {
    animation_file_layout<VisibilityAnimation>(v, s, "BVA0", "VIS0", "animations", s.animations, [](u64) {});
  }
};

}  // namespace dio::nitro
