// sections.hpp: the parts of a pack that were added in v2 to v24 of the format, in their form of v20 and later. The
// targets of an element are its members. Sources: README.md.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "formats/splashpack/layout/enum_names.hpp"
#include "layout/sizer.hpp"
#include "layout/xyz.hpp"

namespace dio::splashpack {

using ufx16 = FixedPoint<u16, 12>;

/// A position or a direction: 4.12, X to the right, Y down, Z ahead. Positions are in units of the scaling.
using Vec16 = Xyz<fx16>;
/// 20.12.
using Vec32 = Xyz<fx32>;
using psx::Uv;
struct Box {
  Vec32 min, max;
  static constexpr void layout(auto& v, auto& s) {
    v("min", s.min);
    v("max", s.max);
  }
  constexpr bool operator==(const Box&) const = default;
};

inline constexpr u16 k_no_index = 0xFFFF;
inline constexpr u8 k_no_room = 0xFF;

/// A list at an offset, with its length stored elsewhere. The offset of an empty list may have any value.
template <class V>
constexpr void list_at(V& v, u32& offset, Key k, auto& list) {
  if (v.growing() && list.empty()) return void(v(k, list));
  v.at(0, to(offset).align(4), k, list);
}
template <class V>
constexpr void list_at(V& v, const u32& offset, Key k, auto& list) {
  v.at(0, to(offset).align(4), k, list);
}
/// Same; an offset of 0 means that there is no list.
template <class V>
constexpr void table_at(V& v, auto& offset, Key k, auto& list) {
  if (!v.reading() && list.empty()) return v.derive(offset, 0u), v(k, list);
  list_at(v, offset, k, list);
}
/// Whether an offset points to a part; 0 means that there is none.
template <class V>
constexpr bool is_pointed(V& v, auto& offset, Key k, auto& part) {
  if constexpr (requires { v.pointed(offset, k, part); })
    return v.pointed(offset, k, part);
  else
    return part.has_value();
}
/// A text that ends with a NUL; an offset of 0 means that there is none.
constexpr void text_at(auto& v, auto& offset, Key k, auto& text) {
  if (is_pointed(v, offset, k, text)) v.at(0, to(offset), [&] { v.cstring(k, *text); });
}
/// The value of the length field of a text.
constexpr u64 length_of(const std::optional<std::string>& text) { return text ? text->size() : 0; }

/// The collision box of an object. Source: engine, splashpack.hh.
struct Collider {
  Box box;
  u8 type, mask;
  u16 object;
  u32 unk_1c;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("box").unit("scaling").doc("box in scene coordinates, at the initial position of the object"), s.box);
    v(Key("type").words(k_collider_types), s.type);
    v(Key("mask").doc("layers that collide with the collider, one bit each"), s.mask);
    v(Key("object").doc("object that this part belongs to").words(k_index_into<"objects">), s.object);
    v(Key("unk_1c").doc("0"), s.unk_1c);
  }
};
static_assert(wire_size<Collider>() == 32);

/// A box that calls a script when the player enters or leaves it. Source: engine, splashpack.hh.
struct Trigger {
  Box box;
  i16 script;
  u16 unk_1a;
  u32 unk_1c;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("box").unit("scaling"), s.box);
    v(Key("script").words(k_index_or<"scripts", k_minus_one>), s.script);
    v(Key("unk_1a").doc("0"), s.unk_1a);
    v(Key("unk_1c").doc("0"), s.unk_1c);
  }
};
static_assert(wire_size<Trigger>() == 32);

/// A node of the BVH, which the engine searches for visible triangles. Source: engine, bvh.hh.
struct BvhNode {
  Box box;
  u16 left, right, first_ref, ref_count;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("box").unit("scaling"), s.box);
    v(Key("left").doc("left child node").words(k_index_or<"bvh_nodes", k_no_u16>), s.left);
    v(Key("right").doc("right child node; a node without children is a leaf").words(k_index_or<"bvh_nodes", k_no_u16>),
      s.right);
    v(Key("first_ref").doc("index into bvh_refs").words(k_run_of<"bvh_refs", "ref_count">), s.first_ref);
    v("ref_count", s.ref_count);
  }
  constexpr bool is_leaf() const { return left == k_no_index && right == k_no_index; }
};
static_assert(wire_size<BvhNode>() == 32);

struct TriangleRef {
  u16 object, triangle;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("object").words(k_index_into<"objects">), s.object);
    v(Key("triangle").doc("triangle of the object").words(k_index_inside<"objects", "object", "triangles">),
      s.triangle);
  }
  constexpr auto operator<=>(const TriangleRef&) const = default;
};

/// The interaction when the player presses a button near an object. Source: engine, interactable.hh.
struct Interactable {
  fx32 radius_squared{};
  u8 button = 0, flags = 0;
  u16 cooldown = 0, current_cooldown = 0, object = k_no_index;
  std::string prompt_canvas;
  static constexpr u64 k_least_size = 28;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("radius_squared").unit("scaling squared"), s.radius_squared);
    v(Key("button").doc("button of the controller"), s.button);
    v(Key("flags").doc("bit 0: repeatable; bit 1: shows a prompt; bit 2: needs a line of sight; bit 3: disabled"),
      s.flags);
    v(Key("cooldown").unit("frames").doc("time until the object can be used again"), s.cooldown);
    v(Key("current_cooldown").unit("frames").doc("0; the engine counts down in this field"), s.current_cooldown);
    v(Key("object").doc("object that this part belongs to").words(k_index_or<"objects", k_no_u16>), s.object);
    v.text(16, Key("prompt_canvas").doc("canvas shown when the player is near").words(k_named<"canvases">),
           s.prompt_canvas);
  }
};

/// The collision data of engines before v17; later ones skip it. Source: engine, splashpack.cpp.
struct WorldCollision {
  u16 mesh_count = 0, triangle_count = 0, chunks_x = 0, chunks_z = 0;
  std::array<u8, 12> unk_8{};
  Bytes content;
  static constexpr u64 size_of(auto& s) {
    return u64(s.mesh_count) * 32 + u64(s.triangle_count) * 52 +
           (s.chunks_x && s.chunks_z ? u64(s.chunks_x) * s.chunks_z * 4 : 0);
  }
  static constexpr void layout(auto& v, auto& s) {
    v("mesh_count", s.mesh_count);
    v("triangle_count", s.triangle_count);
    v("chunks_x", s.chunks_x);
    v("chunks_z", s.chunks_z);
    v("unk_8", s.unk_8);
    v.implied(size_of(s), s.content);
    v(Key("content").doc("meshes of 32 bytes, triangles of 52, chunks of 4"), s.content);
  }
};

/// A convex part of the floor that the player walks on. Source: engine, navregion.hh.
struct NavRegion {
  std::array<fx32, 8> xs, zs;
  fx32 plane_a, plane_b, plane_d;
  u16 first_portal;
  u8 portal_count, corner_count, surface, room, flags, walk_off;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("xs").unit("scaling").doc("x of the corners, counter-clockwise with X to the right and Z up"), s.xs);
    v(Key("zs").unit("scaling"), s.zs);
    v(Key("plane_a").doc("floor height: y = plane_a * x + plane_b * z + plane_d"), s.plane_a);
    v("plane_b", s.plane_b);
    v(Key("plane_d").unit("scaling"), s.plane_d);
    v(Key("first_portal").doc("index into nav.portals").words(k_run_of<"portals", "portal_count">), s.first_portal);
    v("portal_count", s.portal_count);
    v(Key("corner_count").doc("at most 8"), s.corner_count);
    v(Key("surface").words(k_surfaces), s.surface);
    v(Key("room").words(k_index_or<"rooms", k_no_u8>), s.room);
    v(Key("flags").doc("bit 0: a platform that the player can leave on all sides"), s.flags);
    v(Key("walk_off").doc("bit n: the player can leave over the edge from corner n to the next corner"), s.walk_off);
  }
};
static_assert(wire_size<NavRegion>() == 84);

/// An edge from one region to the next. Source: engine, navregion.hh.
struct NavPortal {
  fx32 ax, az, bx, bz;
  u16 region;
  fx16 step;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("ax").unit("scaling"), s.ax);
    v(Key("az").unit("scaling"), s.az);
    v(Key("bx").unit("scaling"), s.bx);
    v(Key("bz").unit("scaling"), s.bz);
    v(Key("region").doc("region on the other side").words(k_index_into<"regions">), s.region);
    v(Key("step").unit("scaling").doc("height difference to the floor on the other side"), s.step);
  }
};
static_assert(wire_size<NavPortal>() == 20);

struct Nav {
  u16 start_region = 0, unk_6 = 0;
  std::vector<NavRegion> regions;
  std::vector<NavPortal> portals;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u16{}, "region_count", s.regions);
    v.count(u16{}, "portal_count", s.portals);
    v(Key("start_region").doc("the region where the player starts").words(k_index_into<"regions">), s.start_region);
    v(Key("unk_6").doc("0"), s.unk_6);
    v("regions", s.regions);
    v("portals", s.portals);
  }
};

/// A part of an interior scene. The last one holds everything outside the rooms: it is always drawn. Source: engine,
/// bvh.hh.
struct Room {
  Box box;
  u16 first_ref, ref_count, first_cell;
  u8 cell_count, portal_ref_count;
  u16 first_portal_ref, unk_22;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("box").unit("scaling"), s.box);
    v(Key("first_ref").doc("index into room_refs").words(k_run_of<"room_refs", "ref_count">), s.first_ref);
    v("ref_count", s.ref_count);
    v(Key("first_cell").doc("index into room_cells").words(k_run_of<"room_cells", "cell_count">), s.first_cell);
    v("cell_count", s.cell_count);
    v("portal_ref_count", s.portal_ref_count);
    v(Key("first_portal_ref")
          .doc("index into room_portal_refs")
          .words(k_run_of<"room_portal_refs", "portal_ref_count">),
      s.first_portal_ref);
    v(Key("unk_22").doc("0"), s.unk_22);
  }
};
static_assert(wire_size<Room>() == 36);

/// A portal from one room to another: a rectangle. Source: engine, bvh.hh.
struct RoomPortal {
  u16 room_a, room_b;
  Vec32 center;
  fx16 half_width, half_height;
  Vec16 normal;
  u16 unk_1a;
  Vec16 right, up;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("room_a").words(k_index_into<"rooms">), s.room_a);
    v(Key("room_b").words(k_index_into<"rooms">), s.room_b);
    v(Key("center").unit("scaling"), s.center);
    v(Key("half_width").unit("scaling"), s.half_width);
    v(Key("half_height").unit("scaling"), s.half_height);
    v(Key("normal").doc("length 1"), s.normal);
    v(Key("unk_1a").doc("0"), s.unk_1a);
    v(Key("right").doc("length 1"), s.right);
    v(Key("up").doc("length 1"), s.up);
  }
};
static_assert(wire_size<RoomPortal>() == 40);

/// A part of a room, for skipping invisible triangles. Source: engine, bvh.hh.
struct RoomCell {
  Box box;
  u16 first_ref, ref_count;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("box").unit("scaling").doc("box around the triangles"), s.box);
    v(Key("first_ref").doc("index into room_refs").words(k_run_of<"room_refs", "ref_count">), s.first_ref);
    v("ref_count", s.ref_count);
  }
};
static_assert(wire_size<RoomCell>() == 28);

struct RoomPortalRef {
  u16 portal, room;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("portal").words(k_index_into<"room_portals">), s.portal);
    v(Key("room").doc("room on the other side").words(k_index_into<"rooms">), s.room);
  }
};

/// A sound; its samples are in the .spu file. Source: engine, splashpack.cpp.
struct AudioClip {
  u32 offset = 0, size = 0;
  u16 rate = 0;
  u8 loop = 0, name_length = 0;
  u32 name_offset = 0;
  std::optional<std::string> name;
  static constexpr u64 k_least_size = 16;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").doc("0: the samples are in the .spu file"), s.offset);
    v(Key("size").unit("bytes").doc("size of the samples"), s.size);
    v(Key("rate").unit("Hz"), s.rate);
    v(Key("loop").doc("0: plays once"), s.loop);
    v(Key("name_length").placement(), s.name_length);
    v(Key("name_offset").placement(), s.name_offset);
    v.derive(s.name_length, length_of(s.name));
  }
};

/// Source: engine, cutscene.hh.
struct Keyframe {
  u8 interpolation;
  u16 frame;
  std::array<i16, 3> values;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u16{}, bit<3>(Key("interpolation").words(k_interpolations), s.interpolation),
           bit<13>(Key("frame").unit("frames").doc("30 per second"), s.frame));
    v(Key("values").doc("positions are 4.12, angles have 1024 for half a turn, all others are integers"), s.values);
  }
};
static_assert(sizeof(Keyframe) <= 16);

/// The movement of one object, canvas or camera in a cutscene or animation. Source: engine, splashpack.cpp.
struct Track {
  u8 type = 0, target_length = 0, light = 0;
  u32 target_offset = 0, keys_offset = 0;
  std::optional<std::string> target;
  std::vector<Keyframe> keys;
  static constexpr u8 k_first_of_lights = 14, k_last = 18;
  static constexpr u64 k_least_size = 12;
  constexpr bool is_of_light() const { return type >= k_first_of_lights && type <= k_last; }
  static constexpr void layout(auto& v, auto& s) {
    v(Key("type").words(k_track_types), s.type);
    v.count(u8{}, "key_count", s.keys);
    v(Key("target_length").placement(), s.target_length);
    if (s.is_of_light())
      v(Key("light").doc("from v24 on").words(k_index_into<"lights.entries">), s.light);
    else
      v(Key("unk_3").doc("0"), s.light);
    v(Key("target_offset").placement(), s.target_offset);
    v(Key("keys_offset").placement(), s.keys_offset);
    v.derive(s.target_length, length_of(s.target));
  }
};
constexpr void layout_tracks(auto& v, u64, auto& s) {
  list_at(v, s.tracks_offset, "tracks", s.tracks);
  v.each("tracks", s.tracks, [&](auto& t) { list_at(v, t.keys_offset, "keys", t.keys); });
  v.each("tracks", s.tracks, [&](auto& t) {
    text_at(v, t.target_offset, Key("target").doc("an object, a canvas, or canvas/element").words(k_track_target),
            t.target);
  });
}

struct AudioEvent {
  u16 frame;
  u8 clip, volume, pan;
  std::array<u8, 3> unk_5;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("frame").unit("frames"), s.frame);
    v(Key("clip").doc("index into audio_clips").words(k_index_into<"audio_clips">), s.clip);
    v(Key("volume").doc("0 to 128"), s.volume);
    v(Key("pan").doc("0 to 127"), s.pan);
    v(Key("unk_5").doc("0"), s.unk_5);
  }
};
static_assert(wire_size<AudioEvent>() == 8);

struct SkinEvent {
  u16 frame;
  u8 skin, clip, loop;
  std::array<u8, 3> unk_5;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("frame").unit("frames"), s.frame);
    v(Key("skin").doc("index into skins").words(k_index_into<"skins">), s.skin);
    v(Key("clip").doc("clip of the skin").words(k_index_inside<"skins", "skin", "clips">), s.clip);
    v(Key("loop").doc("0: plays once"), s.loop);
    v(Key("unk_5").doc("0"), s.unk_5);
  }
};
static_assert(wire_size<SkinEvent>() == 8);

/// The common start of entries in the tables of cutscenes, animations and skins.
struct Entry {
  u32 offset = 0;
  u8 name_length = 0;
  std::array<u8, 3> unk_5{};
  u32 name_offset = 0;
  std::optional<std::string> name;
  static constexpr u64 k_least_size = 12;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v(Key("name_length").placement(), s.name_length);
    v(Key("unk_5").doc("0"), s.unk_5);
    v(Key("name_offset").placement(), s.name_offset);
    v.derive(s.name_length, length_of(s.name));
  }
};

/// Source: engine, splashpack.cpp and cutscene.hh.
struct Cutscene : Entry {
  u16 frame_count = 0;
  u32 tracks_offset = 0, audio_events_offset = 0, skin_events_offset = 0;
  std::array<u8, 3> unk_d{};
  std::vector<Track> tracks;
  std::vector<AudioEvent> audio_events;
  std::vector<SkinEvent> skin_events;
  static constexpr void layout_content(auto& v, auto& s) {
    v.at(0, to(s.offset).align(4), [&] {
      v(Key("frame_count").unit("frames").doc("30 per second"), s.frame_count);
      v.count(u8{}, "track_count", s.tracks);
      v.count(u8{}, "audio_event_count", s.audio_events);
      v(Key("tracks_offset").placement(), s.tracks_offset);
      v(Key("audio_events_offset").placement(), s.audio_events_offset);
      v.count(u8{}, "skin_event_count", s.skin_events);
      v(Key("unk_d").doc("0"), s.unk_d);
      v(Key("skin_events_offset").placement(), s.skin_events_offset);
      layout_tracks(v, 0, s);
      table_at(v, s.audio_events_offset, "audio_events", s.audio_events);
      table_at(v, s.skin_events_offset, "skin_events", s.skin_events);
      text_at(v, s.name_offset, "name", s.name);
    });
  }
};

/// Source: engine, splashpack.cpp and animation.hh.
struct Animation : Entry {
  u16 frame_count = 0;
  u8 unk_3 = 0;
  u32 tracks_offset = 0, skin_events_offset = 0;
  std::array<u8, 3> unk_9{};
  std::vector<Track> tracks;
  std::vector<SkinEvent> skin_events;
  static constexpr void layout_content(auto& v, auto& s) {
    v.at(0, to(s.offset).align(4), [&] {
      v(Key("frame_count").unit("frames").doc("30 per second"), s.frame_count);
      v.count(u8{}, "track_count", s.tracks);
      v(Key("unk_3").doc("0"), s.unk_3);
      v(Key("tracks_offset").placement(), s.tracks_offset);
      v.count(u8{}, "skin_event_count", s.skin_events);
      v(Key("unk_9").doc("0"), s.unk_9);
      v(Key("skin_events_offset").placement(), s.skin_events_offset);
      layout_tracks(v, 0, s);
      table_at(v, s.skin_events_offset, "skin_events", s.skin_events);
      text_at(v, s.name_offset, "name", s.name);
    });
  }
};

/// The transform of a bone in one frame of a clip. Source: engine, skinmesh.hh.
struct BoneMatrix {
  std::array<fx16, 9> rotation;
  Vec16 translation;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("rotation").doc("row by row"), s.rotation);
    v(Key("translation").unit("scaling"), s.translation);
  }
};
static_assert(wire_size<BoneMatrix>() == 24);

struct SkinClip {
  std::string name;
  u8 unk_end = 0, flags = 0, fps = 0;
  u16 frame_count = 0;
  std::vector<BoneMatrix> frames;  // frame by frame, bone by bone
  static constexpr u64 k_least_size = 6;
};

/// The bones of an object and their clips. Source: engine, splashpack.cpp and skinmesh.hh.
struct Skin : Entry {
  u16 object = 0;
  u8 bone_count = 0;
  std::vector<std::array<u8, 3>> corner_bones;  // for each triangle of the object
  std::vector<SkinClip> clips;
  static constexpr void layout_content(auto& v, auto& s, auto&& triangles_of) {
    v.at(0, to(s.offset).align(4), [&] {
      v(Key("object").words(k_index_into<"objects">), s.object);
      v("bone_count", s.bone_count);
      v.count(u8{}, "clip_count", s.clips);
      v.implied(triangles_of(s.object), s.corner_bones);
      v(Key("corner_bones").doc("the bone of each vertex of each triangle"), s.corner_bones);
      v.align(4);
      v.each("clips", s.clips, [&](auto& c) {
        v.count(u8{}, "name_length", c.name);
        v("name", c.name);
        v(Key("unk_end").doc("0, which ends the name"), c.unk_end);
        v(Key("flags").doc("bit 0: loops"), c.flags);
        v(Key("fps").unit("frames per second"), c.fps);
        v.align(2);
        v(Key("frame_count").placement(), c.frame_count);
        v.derive(c.frame_count, s.bone_count ? c.frames.size() / s.bone_count : u64(c.frame_count));
        v.implied(u64(c.frame_count) * s.bone_count, c.frames);
        v(Key("frames").doc("frame by frame, bone by bone"), c.frames);
      });
      text_at(v, s.name_offset, Key("name").doc("name of the object"), s.name);
    });
  }
};

/// A font for texts; its glyphs are in the .vram file. Source: engine, uisystem.cpp.
struct UiFont {
  u8 glyph_width, glyph_height;
  u16 x, y, height;
  u32 offset, size;
  std::array<u8, 96> advances;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("glyph_width").unit("texels"), s.glyph_width);
    v(Key("glyph_height").unit("texels"), s.glyph_height);
    v(Key("x").unit("words of 16 bits").doc("x in VRAM"), s.x);
    v(Key("y").doc("y in VRAM"), s.y);
    v("height", s.height);
    v(Key("offset").doc("0: the glyphs are in the .vram file"), s.offset);
    v(Key("size").unit("bytes").doc("size of the glyphs"), s.size);
    v(Key("advances").unit("pixels").doc("widths of the characters 0x20 to 0x7F"), s.advances);
  }
};
static_assert(wire_size<UiFont>() == 112);

enum class UiType : u8 { image, box, text, progress, line };

/// Source: engine, uisystem.cpp.
struct UiElement {
  UiType type = UiType::image;
  u8 flags = 1, name_length = 0, unk_3 = 0;
  u32 name_offset = 0;
  i16 x = 0, y = 0, width = 0, height = 0;
  std::array<u8, 4> anchors{};
  u8 red = 0, green = 0, blue = 0, unk_17 = 0;
  u8 page_x = 0, page_y = 0;  // images
  u16 clut_x = 0, clut_y = 0;
  Uv from{}, to_uv{};
  u8 depth = 0, cell_width = 0, cell_height = 0, columns = 0;
  Uv origin{};
  u8 back_red = 0, back_green = 0, back_blue = 0, value = 0;  // progress bars
  u8 font = 0;                                                // texts
  i16 x1 = 0, y1 = 0, x2 = 0, y2 = 0;                         // lines
  std::array<u8, 16> unk_18{};                                // the unused rest of the type-specific bytes
  u32 text_offset = 0, unk_2c = 0;
  std::optional<std::string> name, text;
  static constexpr u64 k_least_size = 48;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("type").words(k_ui_types), s.type);
    v(Key("flags").doc("bit 0: initially visible"), s.flags);
    v(Key("name_length").placement(), s.name_length);
    v(Key("unk_3").doc("0"), s.unk_3);
    v(Key("name_offset").placement(), s.name_offset);
    v(Key("x").unit("pixels"), s.x);
    v(Key("y").unit("pixels"), s.y);
    v(Key("width").unit("pixels"), s.width);
    v(Key("height").unit("pixels"), s.height);
    v(Key("anchors").doc("minimum x and y, maximum x and y, in 256ths of the screen"), s.anchors);
    v("red", s.red);
    v("green", s.green);
    v("blue", s.blue);
    v(Key("unk_17").doc("0"), s.unk_17);
    u64 left = 16;
    switch (s.type) {
      case UiType::image:
        v(Key("page_x").unit("64 words").doc("texture page"), s.page_x);
        v(Key("page_y").unit("256 rows"), s.page_y);
        v(Key("clut_x").unit("16 words"), s.clut_x);
        v("clut_y", s.clut_y);
        v(Key("from").unit("texels"), s.from);
        v(Key("to").unit("texels"), s.to_uv);
        v(Key("depth").words(k_depths), s.depth);
        v(Key("cell_width").unit("texels").doc("frame width in a sheet of frames; 0: a plain picture"), s.cell_width);
        v(Key("cell_height").unit("texels"), s.cell_height);
        v(Key("columns").doc("columns of the sheet"), s.columns);
        v(Key("origin").unit("texels").doc("position of the first frame"), s.origin);
        left = 0;
        break;
      case UiType::text:
        v(Key("font").doc("counted from 1; 0: the system font").words(k_font_of_text), s.font);
        left = 15;
        break;
      case UiType::progress:
        v("back_red", s.back_red);
        v("back_green", s.back_green);
        v("back_blue", s.back_blue);
        v(Key("value").doc("0 to 100"), s.value);
        left = 12;
        break;
      case UiType::line:
        v(Key("x1").unit("pixels"), s.x1);
        v(Key("y1").unit("pixels"), s.y1);
        v(Key("x2").unit("pixels"), s.x2);
        v(Key("y2").unit("pixels"), s.y2);
        left = 8;
        break;
      default:
        break;
    }
    if (left) v(Key("unk_18").doc("0"), std::span(s.unk_18).first(size_t(left)));
    v(Key("text_offset").placement(), s.text_offset);
    v(Key("unk_2c").doc("0"), s.unk_2c);
    v.derive(s.name_length, length_of(s.name));
  }
};

/// A layer of elements drawn over the scene. Source: engine, uisystem.cpp.
struct UiCanvas {
  u32 offset = 0;
  u8 name_length = 0, sort_order = 0, flags = 1;
  u32 name_offset = 0;
  std::vector<UiElement> elements;
  std::optional<std::string> name;
  static constexpr u64 k_least_size = 12;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v(Key("name_length").placement(), s.name_length);
    v(Key("sort_order").doc("canvases with lower numbers are drawn behind the others"), s.sort_order);
    v.count(u8{}, "element_count", s.elements);
    v(Key("flags").doc("bit 0: initially visible"), s.flags);
    v(Key("name_offset").placement(), s.name_offset);
    v.derive(s.name_length, length_of(s.name));
  }
};

/// The memory card data of the game. Source: engine, splashpack.cpp.
struct MemoryCard {
  std::string region, product, title;
  u8 icon_count = 1, unk_2d = 0;
  u16 unk_2e = 0;
  std::array<u16, 16> colors{};
  std::array<std::array<u8, 128>, 3> icons{};
  static constexpr void layout(auto& v, auto& s) {
    v.text(2, Key("region").doc("BA, BE or BI"), s.region);
    v.text(10, Key("product").doc("SLUS-00000"), s.product);
    v.text(32, "title", s.title);
    v(Key("icon_count").doc("1 to 3"), s.icon_count);
    v(Key("unk_2d").doc("0"), s.unk_2d);
    v(Key("unk_2e").doc("0"), s.unk_2e);
    v(Key("colors").doc(
          "colours of the icons: from the low end 5 bits each of red, green and blue, and 1 bit of semi-transparency"),
      s.colors);
    v(Key("icons").doc("16 x 16 texels of 4 bits, the left texel in the low bits"), s.icons);
  }
};

}  // namespace dio::splashpack
