// srt.hpp: SRT0: animations of texture transforms (scale, rotation, translation).
#pragma once
#include <bit>

#include "formats/brres/layout/animation_file.hpp"
#include "formats/brres/layout/geometry.hpp"

namespace dio::brres {

inline constexpr u32 k_oldest_srt = 4, k_newest_srt = 5, k_with_user_data_of_srts = 5;

/// A keyframe of a Hermite curve.
struct SrtKey {
  f32 frame, value, tangent;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("frame").unit("frames"), s.frame);
    v("value", s.value);
    v(Key("tangent").doc("slope of the curve: change of the value per frame"), s.tangent);
  }
  bool operator==(const SrtKey&) const = default;
};
static_assert(FixedSize<SrtKey> && wire_size<SrtKey>() == 12);

/// A number that is constant or follows a curve. Numbers with equal curves often share their keys in the file.
struct SrtTrack {
  f32 value = 0;
  i32 curve_offset = 0;
  u16 unused = 0;
  f32 frame_scale = 0;
  std::vector<SrtKey> keys;
  static constexpr void visit_constant(auto& v, const Key& name, auto& s) {
    v.inside(name, [&] { v(Key("value").doc("value in all frames"), s.value); });
  }
  static constexpr void visit_curve(auto& v, const Key& name, auto& s) {
    v.inside(name, [&] {
      const u64 start = v.here();
      v(Key("curve_offset").doc("offset of the curve, from this field").placement(), s.curve_offset);
      v.there(from(start, s.curve_offset), [&] {
        v.count(u16{}, "key_count", s.keys);
        v("unused", s.unused);
        v(Key("frame_scale").doc("1 divided by the number of frames from the first key to the last"), s.frame_scale);
        v(Key("keys").doc("keyframes of a Hermite curve, in the order of their frames"), s.keys);
      });
    });
  }
};

namespace srt_flag {
inline constexpr u32 enabled = 0x1, scale_is_one = 0x2, rotation_is_zero = 0x4, translation_is_zero = 0x8,
                     uniform_scale = 0x10, first_constant = 0x20;
}
inline constexpr EnumName k_srt_flag_words[] = {{0x1, "enabled"},
                                                {0x2, "scale is one"},
                                                {0x4, "rotation is zero"},
                                                {0x8, "translation is zero"},
                                                {0x10, "uniform scale"},
                                                {0x20, "scale_x is constant"},
                                                {0x40, "scale_y is constant"},
                                                {0x80, "rotation is constant"},
                                                {0x100, "translation_x is constant"},
                                                {0x200, "translation_y is constant"}};
inline constexpr EnumNames k_srt_flags{k_srt_flag_words, true};

/// The animation of one texture transform. The flags decide which numbers the file contains.
struct SrtTexture {
  i32 offset = 0;
  u32 flags = srt_flag::enabled | srt_flag::scale_is_one | srt_flag::rotation_is_zero | srt_flag::translation_is_zero |
              srt_flag::uniform_scale;
  SrtTrack scale_x, scale_y, rotation, translation_x, translation_y;
  static constexpr u64 k_least_size = 4;

  /// Calls `visit(key, track, is_constant)` for the numbers that the file contains, in its order.
  static constexpr void for_each_track(auto& s, auto visit) {
    const auto is_constant = [&](u32 i) { return (s.flags & srt_flag::first_constant << i) != 0; };
    if (!(s.flags & srt_flag::scale_is_one)) {
      visit(Key("scale_x"), s.scale_x, is_constant(0));
      if (!(s.flags & srt_flag::uniform_scale)) visit(Key("scale_y"), s.scale_y, is_constant(1));
    }
    if (!(s.flags & srt_flag::rotation_is_zero))
      visit(Key("rotation").doc("in degrees").unit("degrees"), s.rotation, is_constant(2));
    if (!(s.flags & srt_flag::translation_is_zero)) {
      visit(Key("translation_x"), s.translation_x, is_constant(3));
      visit(Key("translation_y"), s.translation_y, is_constant(4));
    }
  }
  static constexpr void visit_content(auto& v, auto& s) {
    v(Key("flags").doc("which of the following numbers there are, and which of these are constant").words(k_srt_flags),
      s.flags);
    for_each_track(s, [&](const Key& name, auto& track, bool is_constant) {
      is_constant ? SrtTrack::visit_constant(v, name, track) : SrtTrack::visit_curve(v, name, track);
    });
  }
};

/// The animation of a material, found by the name of the material.
struct SrtMaterial : Named {
  u32 texture_bits = 0, indirect_bits = 0;
  std::vector<SrtTexture> textures;
  static constexpr u64 k_least_size = 12;
  static constexpr u32 k_texture_limit = 8, k_indirect_limit = 3;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(k_name_offset, s.name_offset);
    v(Key("texture_bits").doc("a bit for each animated transform among the material's srts"), s.texture_bits);
    v(Key("indirect_bits").doc("a bit for each animated matrix of indirect textures"), s.indirect_bits);
    v.require(s.texture_bits < 1u << k_texture_limit && s.indirect_bits < 1u << k_indirect_limit,
              "bits of 8 textures and 3 indirect matrices");
    v.implied(u64(std::popcount(s.texture_bits) + std::popcount(s.indirect_bits)), s.textures);
    v.each(k_textures, s.textures,
           [&](auto& t) { v(Key("offset").doc("offset from the material").placement(), t.offset); });
    visit_name(v, start, s);
    v.each(k_textures, s.textures,
           [&](auto& t) { v.there(from(start, t.offset), [&] { SrtTexture::visit_content(v, t); }); });
  }

 private:
  static constexpr Key k_textures =
      Key("textures").doc("one for each bit: transforms of textures first, then indirect matrices");
};

struct SrtAnimation : Named {
  FileHeader header{0, k_newest_srt, 0};
  i32 data_offset = 0, user_data_offset = 0, source_path_offset = 0;
  u16 frame_count = 0, material_count = 0;
  u32 texture_matrix_mode = 0, loop = 1;
  Dictionary dictionary;
  std::vector<SrtMaterial> materials;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "SRT0");
    v.require(s.header.version >= k_oldest_srt && s.header.version <= k_newest_srt, "version 4 or 5");
    v(Key("data_offset").doc("offset of the dictionary").placement(), s.data_offset);
    if (s.header.version >= k_with_user_data_of_srts) v(k_user_data, s.user_data_offset);
    v(k_name_offset, s.name_offset);
    v(k_source_path, s.source_path_offset);
    v(k_frame_count, s.frame_count);
    v(Key("material_count").doc("number of animated materials"), s.material_count);
    v(Key("texture_matrix_mode").words(k_texture_matrix_modes), s.texture_matrix_mode);
    v(Key("loop").words(k_animation_loops), s.loop);
    visit_name(v, start, s);
    const u64 dictionary = from(start, s.data_offset);
    v.there(dictionary, Key("dictionary").doc("animated materials, by name"), s.dictionary);
    visit_entries(v, dictionary, s.dictionary, "materials", s.materials, [&](auto& x) { SrtMaterial::layout(v, x); });
  }
};

using SrtFile = AnimationFile<SrtAnimation>;

}  // namespace dio::brres
