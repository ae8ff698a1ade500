// animations.hpp: CLR0, PAT0 and VIS0: animations of the colours, textures and visibility of models.
#pragma once
#include "formats/brres/layout/animation_file.hpp"

namespace dio::brres {

/// The only version of these animations that is described.
inline constexpr u32 k_animation_version = 4;

/// What the three kinds have in common.
struct AnimationHeader : Named {
  FileHeader header{0, k_animation_version, 0};
  i32 data_offset = 0, user_data_offset = 0, source_path_offset = 0;
  u16 frame_count = 0, entry_count = 0;
  u32 loop = 1;
  Dictionary dictionary;
  static constexpr void visit_start(auto& v, auto& s) {
    v.require(s.header.version == k_animation_version, "version 4");
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

using ClrFile = AnimationFile<ClrAnimation>;
using PatFile = AnimationFile<PatAnimation>;
using VisFile = AnimationFile<VisAnimation>;

}  // namespace dio::brres
