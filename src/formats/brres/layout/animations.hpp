// animations.hpp: CHR0, CLR0, PAT0 and VIS0: animations of the bones, colours, textures and visibility of models.
#pragma once
#include "formats/brres/layout/model.hpp"
#include "formats/brres/layout/srt.hpp"

namespace dio::brres {

/// The only versions of these animations that are described: of CLR0, PAT0 and VIS0, and of CHR0.
inline constexpr u32 k_animation_version = 4, k_bone_animation_version = 5;

/// What the kinds have in common.
struct AnimationHeader : Named {
  FileHeader header{0, k_animation_version, 0};
  i32 data_offset = 0, user_data_offset = 0, source_path_offset = 0;
  u16 frame_count = 0, entry_count = 0;
  u32 loop = 1;
  Dictionary dictionary;
  static constexpr void visit_start(auto& v, auto& s, u32 version = k_animation_version) {
    v.require(s.header.version == version, "a known version");
    v(Key("data_offset").doc("offset of the dictionary").placement(), s.data_offset);
  }
  static constexpr void visit_names(auto& v, auto& s, const Key& entry_count) {
    v(k_user_data, s.user_data_offset);
    v(k_name_offset, s.name_offset);
    v(k_source_path, s.source_path_offset);
    v(k_frame_count, s.frame_count);
    v(entry_count, s.entry_count);
  }
  /// Visits the dictionary and the parts that it leads to.
  static constexpr void visit_entries_of(auto& v, u64 start, auto& s, const Key& list, auto& xs, auto visit) {
    visit_name(v, start, s);
    const u64 at = from(start, s.data_offset);
    v.there(at, "dictionary", s.dictionary);
    visit_entries(v, at, s.dictionary, list, xs, visit);
  }
};

// ---- colours ----

struct ClrColor {
  u8 r, g, b, a;
  static constexpr void layout(auto& v, auto& s) {
    v("r", s.r);
    v("g", s.g);
    v("b", s.b);
    v("a", s.a);
  }
  bool operator==(const ClrColor&) const = default;
};
static_assert(FixedSize<ClrColor> && wire_size<ClrColor>() == 4);

struct ClrTrack {
  ClrColor mask{}, color{};
  i32 colors_offset = 0;
  std::vector<ClrColor> colors;
  static constexpr void visit(auto& v, const Key& name, auto& s, bool is_constant, u32 frame_count) {
    v.inside(name, [&] {
      v(Key("mask").doc("bits of the material's colour that stay").unit("RGBA"), s.mask);
      if (is_constant) return v(Key("color").doc("colour in all frames").unit("RGBA"), s.color);
      const u64 start = v.here();
      v(Key("colors_offset").doc("offset of the colours, from this field").placement(), s.colors_offset);
      v.implied(u64(frame_count) + 1, s.colors);
      v.there(from(start, s.colors_offset), Key("colors").doc("a colour for each frame, and one more").unit("RGBA"),
              s.colors);
    });
  }
};
struct ClrMaterial : Named {
  u32 flags = 0;
  std::array<ClrTrack, 11> tracks;
  static constexpr u64 k_least_size = 8;
  static constexpr const char* k_tracks[] = {"material_0", "material_1", "ambient_0",  "ambient_1",
                                             "register_0", "register_1", "register_2", "constant_0",
                                             "constant_1", "constant_2", "constant_3"};
  static constexpr void visit_content(auto& v, auto& s, u32 frame_count) {
    const u64 start = v.here();
    v(k_name_offset, s.name_offset);
    v(Key("flags").doc("two bits for each colour: 1 it is animated, 2 it is constant. Colours of two channels, their "
                       "ambient colours, three registers, four constants"),
      s.flags);
    for (size_t i = 0; i < s.tracks.size(); ++i)
      if (s.flags >> 2 * i & 1) ClrTrack::visit(v, k_tracks[i], s.tracks[i], s.flags >> 2 * i & 2, frame_count);
    visit_name(v, start, s);
  }
};
struct ClrAnimation : AnimationHeader {
  std::vector<ClrMaterial> materials;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "CLR0");
    visit_start(v, s);
    visit_names(v, s, "material_count");
    v(Key("loop").words(k_animation_loops), s.loop);
    visit_entries_of(v, start, s, "materials", s.materials,
                     [&](auto& x) { ClrMaterial::visit_content(v, x, s.frame_count); });
  }
};

// ---- textures ----

struct PatKey {
  f32 frame;
  u16 texture, palette;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("frame").unit("frames"), s.frame);
    v(Key("texture").doc("index into texture_names, from this frame on"), s.texture);
    v(Key("palette").doc("index into palette_names"), s.palette);
  }
  bool operator==(const PatKey&) const = default;
};
static_assert(FixedSize<PatKey> && wire_size<PatKey>() == 8);

struct PatTrack {
  u16 texture = 0, palette = 0;
  i32 keys_offset = 0;
  u16 unused = 0;
  f32 frame_scale = 0;
  std::vector<PatKey> keys;
  static constexpr void visit(auto& v, const Key& name, auto& s, bool is_constant, u64 material) {
    v.inside(name, [&] {
      if (is_constant) {
        v(Key("texture").doc("index into texture_names, in all frames"), s.texture);
        return v(Key("palette").doc("index into palette_names"), s.palette);
      }
      v(Key("keys_offset").doc("offset of the keys, from the material").placement(), s.keys_offset);
      v.there(from(material, s.keys_offset), [&] {
        v.count(u16{}, "key_count", s.keys);
        v("unused", s.unused);
        v(Key("frame_scale").doc("1 divided by the number of frames from the first key to the last"), s.frame_scale);
        v("keys", s.keys);
      });
    });
  }
};
struct PatMaterial : Named {
  u32 flags = 0;
  std::array<PatTrack, 8> tracks;
  static constexpr u64 k_least_size = 8;
  static constexpr const char* k_tracks[] = {"sampler_0", "sampler_1", "sampler_2", "sampler_3",
                                             "sampler_4", "sampler_5", "sampler_6", "sampler_7"};
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(k_name_offset, s.name_offset);
    v(Key("flags").doc("four bits for each sampler: 1 it is animated, 2 it is constant, 4 it changes the texture, 8 it "
                       "changes the palette"),
      s.flags);
    for (size_t i = 0; i < s.tracks.size(); ++i)
      if (s.flags >> 4 * i & 1) PatTrack::visit(v, k_tracks[i], s.tracks[i], s.flags >> 4 * i & 2, start);
    visit_name(v, start, s);
  }
};
/// The name of a texture or palette, by an offset from the start of the list.
struct PatName : Named {
  static constexpr u64 k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) { v(k_name_offset, s.name_offset); }
};
struct PatAnimation : AnimationHeader {
  i32 texture_names_offset = 0, palette_names_offset = 0, textures_offset = 0, palettes_offset = 0;
  std::vector<PatMaterial> materials;
  std::vector<PatName> texture_names, palette_names;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "PAT0");
    visit_start(v, s);
    v(Key("texture_names_offset").placement(), s.texture_names_offset);
    v(Key("palette_names_offset").placement(), s.palette_names_offset);
    v(Key("textures_offset").doc("space for textures, filled in by the game").placement(), s.textures_offset);
    v(Key("palettes_offset").doc("space for palettes, filled in by the game").placement(), s.palettes_offset);
    visit_names(v, s, "material_count");
    v.count(u16{}, "texture_count", s.texture_names);
    v.count(u16{}, "palette_count", s.palette_names);
    v(Key("loop").words(k_animation_loops), s.loop);
    visit_entries_of(v, start, s, "materials", s.materials, [&](auto& x) { PatMaterial::layout(v, x); });
    visit_name_list(v, from(start, s.texture_names_offset), "texture_names", s.texture_names);
    visit_name_list(v, from(start, s.palette_names_offset), "palette_names", s.palette_names);
  }

 private:
  static constexpr void visit_name_list(auto& v, u64 start, const Key& key, auto& names) {
    v.there(start, key, names);
    v.each(key, names, [&](auto& x) { visit_name(v, start, x); });
  }
};

// ---- visibility ----

struct VisBone : Named {
  u32 flags = 0;
  std::vector<u32> visible;
  static constexpr u64 k_least_size = 8;
  static constexpr u32 k_constant = 2;
  static constexpr void visit_content(auto& v, auto& s, u32 frame_count) {
    const u64 start = v.here();
    v(k_name_offset, s.name_offset);
    v(Key("flags").doc("1: visible, if that is constant; 2: it is constant"), s.flags);
    v.implied(s.flags & k_constant ? 0 : frame_count / 32 + 1, s.visible);
    v(Key("visible").doc("a bit for each frame and one more, the highest bit of a word first; none if constant"),
      s.visible);
    visit_name(v, start, s);
  }
};
struct VisAnimation : AnimationHeader {
  std::vector<VisBone> bones;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "VIS0");
    visit_start(v, s);
    visit_names(v, s, "bone_count");
    v(Key("loop").words(k_animation_loops), s.loop);
    visit_entries_of(v, start, s, "bones", s.bones, [&](auto& x) { VisBone::visit_content(v, x, s.frame_count); });
  }
};

// ---- bones ----

namespace curve_format {
inline constexpr u8 constant = 0, keys_32 = 1, keys_48 = 2, keys_96 = 3, samples_8 = 4, samples_16 = 5, samples_32 = 6;
}
inline constexpr EnumName k_curve_format_words[] = {{0, "constant"},
                                                    {1, "keys of 4 bytes"},
                                                    {2, "keys of 6 bytes"},
                                                    {3, "keys of 12 bytes"},
                                                    {4, "a byte for each frame"},
                                                    {5, "2 bytes for each frame"},
                                                    {6, "4 bytes for each frame"}};
inline constexpr EnumNames k_curve_formats{k_curve_format_words};

struct ChrKey32 {
  u8 frame;
  u16 value;
  i16 tangent;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u32{}, bit<8>(Key("frame").unit("frames"), s.frame), bit<12>("value", s.value),
           bit<12>(Key("tangent").unit("1/32").doc("slope of the curve per frame"), s.tangent));
  }
  bool operator==(const ChrKey32&) const = default;
};
struct ChrKey48 {
  FixedPoint<i16, 5> frame;
  u16 value;
  FixedPoint<i16, 8> tangent;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("frame").unit("frames"), s.frame);
    v("value", s.value);
    v(Key("tangent").doc("slope of the curve per frame"), s.tangent);
  }
  bool operator==(const ChrKey48&) const = default;
};
static_assert(FixedSize<ChrKey32> && wire_size<ChrKey32>() == 4);
static_assert(FixedSize<ChrKey48> && wire_size<ChrKey48>() == 6);

struct ChrTrack {
  f32 value = 0;
  i32 curve_offset = 0;
  u16 unused = 0;
  f32 frame_scale = 0, value_scale = 0, value_offset = 0;
  std::vector<ChrKey32> keys_32;
  std::vector<ChrKey48> keys_48;
  std::vector<SrtKey> keys_96;
  Bytes samples_8;
  std::vector<u16> samples_16;
  std::vector<f32> samples_32;
  static constexpr void visit(auto& v, const Key& name, auto& s, u32 format, u64 bone, u32 frame_count) {
    v.inside(name, [&] {
      if (format == curve_format::constant) return v(Key("value").doc("value in all frames"), s.value);
      v(Key("curve_offset").doc("offset of the curve, from the bone").placement(), s.curve_offset);
      v.there(from(bone, s.curve_offset), [&] {
        const u64 samples = u64(frame_count) + 1;
        switch (format) {
          case curve_format::keys_32:
            return visit_keys(v, s, s.keys_32, true);
          case curve_format::keys_48:
            return visit_keys(v, s, s.keys_48, true);
          case curve_format::keys_96:
            return visit_keys(v, s, s.keys_96, false);
          case curve_format::samples_8:
            return visit_samples(v, s, s.samples_8, samples, true);
          case curve_format::samples_16:
            return visit_samples(v, s, s.samples_16, samples, true);
          default:
            return visit_samples(v, s, s.samples_32, samples, false);
        }
      });
    });
  }

  bool operator==(const ChrTrack&) const = default;

 private:
  static constexpr void visit_scale(auto& v, auto& s) {
    v(Key("value_scale").doc("values are multiplied by it"), s.value_scale);
    v(Key("value_offset").doc("added to the multiplied values"), s.value_offset);
  }
  static constexpr void visit_keys(auto& v, auto& s, auto& keys, bool is_scaled) {
    v.count(u16{}, "key_count", keys);
    v("unused", s.unused);
    v(Key("frame_scale").doc("1 divided by the number of frames from the first key to the last"), s.frame_scale);
    if (is_scaled) visit_scale(v, s);
    v(Key("keys").doc("keyframes of a Hermite curve"), keys);
  }
  static constexpr void visit_samples(auto& v, auto& s, auto& values, u64 count, bool is_scaled) {
    if (is_scaled) visit_scale(v, s);
    v.implied(count, values);
    v(Key("samples").doc("a value for each frame, and one more"), values);
  }
};

inline constexpr EnumName k_chr_flag_words[] = {{0x1, "enabled"},
                                                {0x2, "no transform"},
                                                {0x4, "no rotation and translation"},
                                                {0x8, "scale is one"},
                                                {0x10, "uniform scale"},
                                                {0x20, "rotation is zero"},
                                                {0x40, "translation is zero"},
                                                {0x80, "scale of the model"},
                                                {0x100, "rotation of the model"},
                                                {0x200, "translation of the model"},
                                                {0x400, "compensates scale of parent"},
                                                {0x800, "children compensate"},
                                                {0x1000, "no classic scale"},
                                                {0x2000, "scale_x is constant"},
                                                {0x4000, "scale_y is constant"},
                                                {0x8000, "scale_z is constant"},
                                                {0x10000, "rotation_x is constant"},
                                                {0x20000, "rotation_y is constant"},
                                                {0x40000, "rotation_z is constant"},
                                                {0x80000, "translation_x is constant"},
                                                {0x100000, "translation_y is constant"},
                                                {0x200000, "translation_z is constant"},
                                                {0x400000, "has scale"},
                                                {0x800000, "has rotation"},
                                                {0x1000000, "has translation"}};
inline constexpr EnumNames k_chr_flags{k_chr_flag_words, true};

namespace chr_flag {
inline constexpr u32 enabled = 0x1, is_identity = 0x2, no_rotation_and_translation = 0x4, scale_is_one = 0x8,
                     uniform_scale = 0x10, rotation_is_zero = 0x20, translation_is_zero = 0x40, scale_of_model = 0x80,
                     rotation_of_model = 0x100, translation_of_model = 0x200, compensates = 0x400,
                     children_compensate = 0x800, no_classic_scale = 0x1000, first_constant = 0x2000,
                     has_scale = 0x400000, has_rotation = 0x800000, has_translation = 0x1000000;
}

struct ChrBone : Named {
  u32 flags = 0;
  u8 scale_format = 0, rotation_format = 0, translation_format = 0;
  std::array<ChrTrack, 9> tracks;
  static constexpr u64 k_least_size = 8;
  static constexpr const char* k_tracks[] = {"scale_x",       "scale_y",       "scale_z",
                                             "rotation_x",    "rotation_y",    "rotation_z",
                                             "translation_x", "translation_y", "translation_z"};

  /// Calls `visit(number, track, format)` for the numbers that the file contains, in its order.
  static constexpr void for_each_track(auto& s, auto visit) {
    using namespace chr_flag;
    constexpr u32 k_omitted[] = {
        is_identity | scale_is_one | scale_of_model,
        is_identity | no_rotation_and_translation | rotation_is_zero | rotation_of_model,
        is_identity | no_rotation_and_translation | translation_is_zero | translation_of_model};
    const u8 formats[] = {s.scale_format, s.rotation_format, s.translation_format};
    for (u32 i = 0; i < s.tracks.size(); ++i) {
      if (s.flags & k_omitted[i / 3] || ((i == 1 || i == 2) && s.flags & uniform_scale)) continue;
      visit(i, s.tracks[i], s.flags & first_constant << i ? curve_format::constant : formats[i / 3]);
    }
  }
  static constexpr void visit_content(auto& v, auto& s, u32 frame_count) {
    const u64 start = v.here();
    v(k_name_offset, s.name_offset);
    v.bits(u32{}, bit<2>(Key("translation_format").words(k_curve_formats), s.translation_format),
           bit<3>(Key("rotation_format").words(k_curve_formats), s.rotation_format),
           bit<2>(Key("scale_format").words(k_curve_formats), s.scale_format),
           bit<25>(Key("flags")
                       .doc("which of the following numbers there are, and which of these are constant")
                       .words(k_chr_flags),
                   s.flags));
    v.require(s.rotation_format <= curve_format::samples_32, "a format from 0 to 6");
    for_each_track(
        s, [&](u32 i, auto& track, u8 format) { ChrTrack::visit(v, k_tracks[i], track, format, start, frame_count); });
    visit_name(v, start, s);
  }
};
struct ChrAnimation : AnimationHeader {
  u32 scaling_rule = 0;
  std::vector<ChrBone> bones;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "CHR0");
    visit_start(v, s, k_bone_animation_version);
    visit_names(v, s, "bone_count");
    v(Key("loop").words(k_animation_loops), s.loop);
    v(Key("scaling_rule").words(k_scaling_rules), s.scaling_rule);
    visit_entries_of(v, start, s, "bones", s.bones, [&](auto& x) { ChrBone::visit_content(v, x, s.frame_count); });
  }
};

using ChrFile = AnimationFile<ChrAnimation>;
using ClrFile = AnimationFile<ClrAnimation>;
using PatFile = AnimationFile<PatAnimation>;
using VisFile = AnimationFile<VisAnimation>;

}  // namespace dio::brres
