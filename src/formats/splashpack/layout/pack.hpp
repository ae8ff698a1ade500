// pack.hpp: a scene pack (splashpack) in all layouts of 2025 and 2026.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "formats/splashpack/layout/layouts.hpp"
#include "formats/splashpack/layout/newer_sections.hpp"
#include "formats/splashpack/layout/sections.hpp"

namespace dio::splashpack {

struct Color {
  u8 red, green, blue, unk_3;
  static constexpr void layout(auto& v, auto& s) {
    v("red", s.red);
    v("green", s.green);
    v("blue", s.blue);
    v(Key("unk_3").doc("0"), s.unk_3);
  }
  constexpr bool operator==(const Color&) const = default;
};
/// A triangle of an object. cross(v1 - v0, v2 - v0) points against the normal, away from a viewer in front of it.
struct Triangle {
  static constexpr u64 k_least_size = 44;
  std::array<Vec16, 3> positions;
  Vec16 normal;  // of the first vertex
  std::array<Color, 3> colors;
  std::array<Uv, 3> uvs;
  u16 unk_uvs;
  u16 page, clut_x, clut_y, flags;  // from layout a3 on
  constexpr bool operator==(const Triangle&) const = default;
  static constexpr void layout(auto& v, auto& s) {
    v("positions", s.positions);
    v(Key("normal").doc("normal of the first vertex, length 1"), s.normal);
    if (!v.since(k_pages_in_triangles)) {
      v(Key("uvs").unit("texels").doc("position in the texture page"), s.uvs);
      v(Key("unk_uvs").doc("0"), s.unk_uvs);
      v(Key("colors").doc("vertex colours; 128 leaves the texel unchanged"), s.colors);
      return;
    }
    v(Key("colors").doc("vertex colours; 128 leaves the texel unchanged"), s.colors);
    v(Key("uvs").unit("texels").doc("position in the texture page"), s.uvs);
    v(Key("unk_uvs").doc("0"), s.unk_uvs);
    v(Key("page").doc("texture page: bits 0-3 x / 64, 4 y / 256, 5-6 semi-transparency, 7-8 depth, 9 dithered; from "
                      "v20 on 0xFFFF: no texture"),
      s.page);
    v(Key("clut_x").unit("16 words").doc("x of the palette in VRAM"), s.clut_x);
    v(Key("clut_y").doc("y of the palette in VRAM"), s.clut_y);
    v(Key("flags").doc("from v20 on, bit 0: the texture moves with the object's uv_offset; 0 in older layouts"),
      s.flags);
  }
};

/// A part of the floor that the player walks on.
struct NavTriangle {
  std::array<Vec32, 3> positions;
  static constexpr void layout(auto& v, auto& s) { v("positions", s.positions); }
};
static_assert(wire_size<NavTriangle>() == 36);

/// A Lua file: its text, or the output of luac_psx.
struct Script {
  u32 offset = 0;
  std::string text;  // may be bytecode: any bytes
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v.count(u32{}, "length", s.text);
  }
  bool is_bytecode() const { return text.starts_with('\x1B'); }
  static constexpr u64 k_least_size = 8;
};

struct Object {
  static constexpr u64 k_least_size = 56;
  u32 offset = 0;
  Vec32 position{};
  std::array<fx32, 9> rotation{{{4096}, {0}, {0}, {0}, {4096}, {0}, {0}, {0}, {4096}}};
  u16 page = 0;                // layouts a1 and a2
  u16 clut_x = 0, clut_y = 0;  // layout a2
  std::array<u16, 256> colors{};
  i16 script = -1;                // from layout d on
  u16 unk_54 = 0;                 // layouts b to c
  u32 flags = 1;                  // from layout e on
  u16 interactable = k_no_index;  // from v20 on
  Uv uv_offset{};
  u32 unk_64 = 0;
  Box box{};
  std::string name;
  u8 unk_name_end = 0;
  std::vector<Triangle> triangles;
  static constexpr void layout(auto& v, auto& s) {
    const auto offset = [&] { v(Key("offset").placement().doc("offset of the triangles"), s.offset); };
    const auto layout_transform = [&] {
      v(Key("position").unit("scaling"), s.position);
      v(Key("rotation").doc("row by row"), s.rotation);
    };
    if (!v.since(k_palettes_in_objects)) {
      layout_transform();
      v(Key("page").doc("texture page"), s.page);
      v.count(u16{}, "triangle_count", s.triangles);
      offset();
    } else if (!v.since(k_pages_in_triangles)) {
      layout_transform();
      v.count(u16{}, "triangle_count", s.triangles);
      v(Key("page").doc("texture page"), s.page);
      v(Key("clut_x").unit("16 words"), s.clut_x);
      v("clut_y", s.clut_y);
      v(Key("colors").doc(
            "the palette: from the low end 5 bits each of red, green and blue, and 1 bit of semi-transparency"),
        s.colors);
      offset();
    } else if (!v.since(k_offsets_first)) {
      layout_transform();
      offset();
      v.count(u32{}, "triangle_count", s.triangles);
    } else {
      offset();
      layout_transform();
      v.count(u16{}, "triangle_count", s.triangles);
      if (v.since(k_scripts))
        v(Key("script").words(k_index_or<"scripts", k_minus_one>), s.script);
      else
        v("unk_54", s.unk_54);
    }
    if (!v.since(k_flags)) return;
    v(Key("flags").doc("bit 0: active; from v20 on, bit 4: skinned; v24 bits 16, 17: lit by runtime lights"), s.flags);
    if (!v.since(k_sections)) return;
    v(Key("interactable").words(k_index_or<"interactables", k_no_u16>), s.interactable);
    v(Key("uv_offset").unit("texels").doc("initial offset of the moving texture"), s.uv_offset);
    v(Key("unk_64").doc("0"), s.unk_64);
    v(Key("box").doc("box around the object, in scene coordinates"), s.box);
  }
};

struct Navmesh {
  u32 offset = 0;
  u16 unk_6 = 0;
  std::vector<NavTriangle> triangles;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v.count(u16{}, "triangle_count", s.triangles);
    v(Key("unk_6").doc("0"), s.unk_6);
  }
  static constexpr u64 k_least_size = 8;
};

/// Texels that are loaded into VRAM.
struct Atlas {
  static constexpr u64 k_least_size = 12;
  u32 offset = 0;
  u16 width = 0, height = 0, x = 0, y = 0;
  Bytes texels;  // none from v20 on, where they are in the .vram file
  static constexpr void layout(auto& v, auto& s) {
    v(Key("offset").placement(), s.offset);
    v(Key("width").unit("words of 16 bits"), s.width);
    v("height", s.height);
    v(Key("x").unit("words of 16 bits").doc("x in VRAM"), s.x);
    v(Key("y").doc("y in VRAM"), s.y);
    if (!v.since(k_sections)) v.implied(u64(s.width) * s.height * 2, s.texels);
  }
};

/// A palette that is loaded into VRAM.
struct Clut {
  static constexpr u64 k_least_size = 12;
  u32 offset = 0;
  u16 x = 0, y = 0, length = 0, unk_a = 0;
  std::vector<u16> colors;  // none from v20 on, where they are in the .vram file; in layout a3 always 256
  static constexpr void layout(auto& v, auto& s) {
    const bool is_inside = !v.since(k_offsets_first);
    if (is_inside) {
      v.implied(256, s.colors);
      v(Key("colors").doc("from the low end 5 bits each of red, green and blue, and 1 bit of semi-transparency"),
        s.colors);
    } else {
      v(Key("offset").placement(), s.offset);
    }
    v(Key("x").unit("16 words").doc("x in VRAM"), s.x);
    v(Key("y").doc("y in VRAM"), s.y);
    v(Key("length").doc("number of colours in use"), s.length);
    v(Key("unk_a").doc("0"), s.unk_a);
    if (is_inside || v.since(k_sections)) return;
    v.implied(s.length, s.colors);
    v.derive(s.length, s.colors.size());
  }
};

/// A pack.
struct Pack {
  static constexpr std::endian k_order = std::endian::little;
  Layout form = Layout::d;
  u16 version = 1;
  Vec16 start{}, rotation{};  // of the player; from layout c on
  ufx16 height{};
  u16 unk_a = 0, unk_c = 0, unk_e = 0;  // layouts a3 to b2
  u16 unk_1a = 0;                       // layout c
  u32 unk_1c = 0;                       // layout d
  i16 script = -1;                      // of the scene; from layout e on
  u16 unk_1e = 0;                       // layout e
  std::vector<Script> scripts;
  std::vector<Object> objects;
  std::vector<Navmesh> navmeshes;  // layouts b2 to e
  std::vector<Atlas> atlases;
  std::vector<Clut> cluts;

  // From v20 on.
  u16 scene_type = 0;
  ufx16 move_speed{}, sprint_speed{}, jump_velocity{}, gravity{}, player_radius{};
  u8 fog = 0, fog_red = 0, fog_green = 0, fog_blue = 0, fog_density = 5;
  u16 unk_3a = 0, unk_42 = 0, unk_72 = 0;
  u8 unk_4d = 0, unk_5f = 0;
  u32 pixels_offset = 0, unk_8c = 0;
  std::vector<Collider> colliders;
  std::vector<Trigger> triggers;
  std::vector<BvhNode> bvh_nodes;
  std::vector<TriangleRef> bvh_refs;
  std::vector<Interactable> interactables;
  std::optional<WorldCollision> world_collision;
  std::optional<Nav> nav;
  std::vector<Room> rooms;
  std::vector<RoomPortal> room_portals;
  std::vector<TriangleRef> room_refs;
  std::vector<RoomCell> room_cells;
  std::vector<RoomPortalRef> room_portal_refs;
  std::vector<AudioClip> audio_clips;
  std::vector<Cutscene> cutscenes;
  std::vector<Animation> animations;
  std::vector<Skin> skins;
  std::vector<UiFont> fonts;
  std::vector<UiCanvas> canvases;
  std::optional<MemoryCard> memory_card;  // from v21 on
  std::optional<WorldStream> stream;
  std::vector<Agent> agents;  // from v22 on
  std::vector<SpriteSheet> sprite_sheets;
  std::vector<SpriteAnimation> sprite_animations;
  u32 scene_hash = 0;
  std::optional<Tilemap> tilemap;                          // from v23 on
  std::optional<LightTable> lights;                        // from v24 on
  u32 ordering_table_size = 0, primitive_buffer_size = 0;  // from v25 on

  // Their counts and offsets in the header, which placement computes.
  u16 bvh_ref_count = 0, world_mesh_count = 0, world_triangle_count = 0, nav_region_count = 0, nav_portal_count = 0;
  u16 audio_clip_count = 0, room_portal_count = 0, room_ref_count = 0, room_cell_count = 0, room_portal_ref_count = 0;
  u16 cutscene_count = 0, animation_count = 0, skin_count = 0, canvas_count = 0;
  u16 sprite_sheet_count = 0, sprite_animation_count = 0;
  u8 font_count = 0;
  u32 name_offset = 0, audio_offset = 0, cutscene_offset = 0, ui_offset = 0, animation_offset = 0, skin_offset = 0;
  u32 memory_card_offset = 0, stream_offset = 0, sprite_offset = 0, tilemap_offset = 0, light_offset = 0;

  static constexpr void layout(auto& v, auto& s) {
    v.infer(Key("layout").words(k_layouts).doc(
                "inferred from the sizes of the parts if the version does not determine the layout"),
            s.form, [&] { return detect_layout(v.ahead(), v.options()); });
    v.version(u32(s.form));
    v.magic("SP");
    v(Key("version").doc("1 in all layouts of 2025"), s.version);
    v.derive(s.version, v.since(k_sections) ? u16(s.form) : u16(1));
    v.require(v.since(k_sections) ? s.version == u16(s.form) : true, "the version of the layout");
    if (v.since(k_sections)) {
      layout_header(v, s);
      v("scripts", s.scripts);
      v("objects", s.objects);
      layout_sections(v, s);
      v("atlases", s.atlases);
      v("cluts", s.cluts);
      layout_content(v, s);
      return;
    }
    layout_header_of_2025(v, s);
    v("scripts", s.scripts);
    v("objects", s.objects);
    v("navmeshes", s.navmeshes);
    v("atlases", s.atlases);
    v("cluts", s.cluts);
    v.each("scripts", s.scripts, [&](auto& e) { list_at(v, e.offset, "text", e.text); });
    v.each("objects", s.objects, [&](auto& e) { list_at(v, e.offset, "triangles", e.triangles); });
    v.each("navmeshes", s.navmeshes, [&](auto& e) { list_at(v, e.offset, "triangles", e.triangles); });
    v.each("atlases", s.atlases, [&](auto& e) { list_at(v, e.offset, "texels", e.texels); });
    if (v.since(k_offsets_first)) v.each("cluts", s.cluts, [&](auto& e) { list_at(v, e.offset, "colors", e.colors); });
  }

 private:
  static constexpr void layout_player(auto& v, auto& s) {
    v(Key("start").unit("scaling").doc("start position of the player"), s.start);
    v(Key("rotation").doc("start rotation of the player in radians; from v22 on, in half turns"), s.rotation);
    v(Key("height").unit("scaling").doc("height of the player's eyes above the floor"), s.height);
  }
  static constexpr void layout_header_of_2025(auto& v, auto& s) {
    if (v.since(k_scripts)) v.count(u16{}, "script_count", s.scripts);
    v.count(u16{}, "object_count", s.objects);
    if (v.since(k_navmeshes)) v.count(u16{}, "navmesh_count", s.navmeshes);
    v.count(u16{}, "atlas_count", s.atlases);
    if (v.since(k_pages_in_triangles)) v.count(u16{}, "clut_count", s.cluts);
    if (v.since(k_player)) layout_player(v, s);
    // Fills the rest of the header.
    if (s.form == Layout::a3 || s.form == Layout::b) v("unk_a", s.unk_a);
    if (s.form == Layout::b || s.form == Layout::b2) v("unk_c", s.unk_c), v("unk_e", s.unk_e);
    if (s.form == Layout::c) v("unk_1a", s.unk_1a);
    if (s.form == Layout::d) v("unk_1c", s.unk_1c);
    if (v.since(k_flags)) v(Key("script").doc("script of the scene; -1: none"), s.script);
    if (s.form == Layout::e) v("unk_1e", s.unk_1e);
  }
  /// A count in the header of a list that exists only if another part exists.
  static constexpr void derive_count(auto& v, Key k, auto& n, const auto& list) {
    v(k.placement(), n);
    v.derive(n, list.size());
  }
  static constexpr void layout_header(auto& v, auto& s) {
    v.count(u16{}, "script_count", s.scripts);
    v.count(u16{}, "object_count", s.objects);
    v.count(u16{}, "atlas_count", s.atlases);
    v.count(u16{}, "clut_count", s.cluts);
    v.count(u16{}, "collider_count", s.colliders);
    v.count(u16{}, "interactable_count", s.interactables);
    layout_player(v, s);
    v(Key("script").doc("script of the scene; -1: none"), s.script);
    v.count(u16{}, "bvh_node_count", s.bvh_nodes);
    derive_count(v, "bvh_ref_count", s.bvh_ref_count, s.bvh_refs);
    v(Key("scene_type").words(k_scene_types), s.scene_type);
    v.count(u16{}, "trigger_count", s.triggers);
    v(Key("world_mesh_count").placement(), s.world_mesh_count);
    v(Key("world_triangle_count").placement(), s.world_triangle_count);
    v(Key("nav_region_count").placement(), s.nav_region_count);
    v(Key("nav_portal_count").placement(), s.nav_portal_count);
    if (s.world_collision) v.derive(s.world_mesh_count, s.world_collision->mesh_count);
    v.derive(s.nav_region_count, s.nav ? s.nav->regions.size() : size_t(0));
    v.derive(s.nav_portal_count, s.nav ? s.nav->portals.size() : size_t(0));
    v(Key("move_speed").unit("scaling per frame").doc("walking speed at 30 frames per second"), s.move_speed);
    v(Key("sprint_speed").unit("scaling per frame"), s.sprint_speed);
    v(Key("jump_velocity")
          .doc("the engine moves the player this far in the first frame, although the exporter means per second"),
      s.jump_velocity);
    v(Key("gravity").unit("scaling per second squared"), s.gravity);
    v(Key("player_radius").unit("scaling"), s.player_radius);
    v(Key("unk_3a").doc("0"), s.unk_3a);
    v(Key("name_offset").placement().doc("offset of the object names; 0: none"), s.name_offset);
    derive_count(v, "audio_clip_count", s.audio_clip_count, s.audio_clips);
    v(Key("unk_42").doc("0"), s.unk_42);
    v(Key("audio_offset").placement(), s.audio_offset);
    v(Key("fog").doc("0: none"), s.fog);
    v("fog_red", s.fog_red);
    v("fog_green", s.fog_green);
    v("fog_blue", s.fog_blue);
    v(Key("fog_density").doc("1 to 10"), s.fog_density);
    v(Key("unk_4d").doc("0"), s.unk_4d);
    v.count(u16{}, Key("room_count").doc("the last room holds everything outside the rooms"), s.rooms);
    derive_count(v, "room_portal_count", s.room_portal_count, s.room_portals);
    derive_count(v, "room_ref_count", s.room_ref_count, s.room_refs);
    derive_count(v, "cutscene_count", s.cutscene_count, s.cutscenes);
    derive_count(v, "room_cell_count", s.room_cell_count, s.room_cells);
    v(Key("cutscene_offset").placement(), s.cutscene_offset);
    derive_count(v, "canvas_count", s.canvas_count, s.canvases);
    derive_count(v, "font_count", s.font_count, s.fonts);
    v(Key("unk_5f").doc("0"), s.unk_5f);
    v(Key("ui_offset").placement(), s.ui_offset);
    v(Key("pixels_offset").doc("0: texels, palettes and sounds are in separate files"), s.pixels_offset);
    derive_count(v, "animation_count", s.animation_count, s.animations);
    derive_count(v, "room_portal_ref_count", s.room_portal_ref_count, s.room_portal_refs);
    v(Key("animation_offset").placement(), s.animation_offset);
    derive_count(v, "skin_count", s.skin_count, s.skins);
    if (v.since(k_agents))
      v.count(u16{}, "agent_count", s.agents);
    else
      v(Key("unk_72").doc("0"), s.unk_72);
    v(Key("skin_offset").placement(), s.skin_offset);
    if (v.since(k_memory_card)) {
      v(Key("memory_card_offset").placement(), s.memory_card_offset);
      v(Key("stream_offset").placement(), s.stream_offset);
    }
    if (v.since(k_agents)) {
      v(Key("sprite_offset").placement(), s.sprite_offset);
      derive_count(v, "sprite_sheet_count", s.sprite_sheet_count, s.sprite_sheets);
      derive_count(v, "sprite_animation_count", s.sprite_animation_count, s.sprite_animations);
      v(Key("scene_hash").doc("FNV-1a of the network id of the scene; 0: the engine hashes its content"), s.scene_hash);
      if (v.since(k_tilemap))
        v(Key("tilemap_offset").placement(), s.tilemap_offset);
      else
        v(Key("unk_8c").doc("0"), s.unk_8c);
    }
    if (v.since(k_lights)) v(Key("light_offset").placement(), s.light_offset);
    if (v.since(k_buffers)) {
      v(Key("ordering_table_size").unit("entries").doc("256 to 65,536; 0: default of the engine"),
        s.ordering_table_size);
      v(Key("primitive_buffer_size").unit("bytes").doc("size per frame, a multiple of 4; 0: default of the engine"),
        s.primitive_buffer_size);
    }
    v.implied(s.bvh_nodes.empty() ? 0 : s.bvh_ref_count, s.bvh_refs);
    v.implied(s.rooms.empty() ? 0 : s.room_portal_count, s.room_portals);
    v.implied(s.rooms.empty() ? 0 : s.room_ref_count, s.room_refs);
    v.implied(s.rooms.empty() ? 0 : s.room_cell_count, s.room_cells);
    v.implied(s.rooms.empty() ? 0 : s.room_portal_ref_count, s.room_portal_refs);
    v.implied(s.audio_offset ? s.audio_clip_count : 0, s.audio_clips);
    v.implied(s.cutscene_offset ? s.cutscene_count : 0, s.cutscenes);
    v.implied(s.animation_offset ? s.animation_count : 0, s.animations);
    v.implied(s.skin_offset ? s.skin_count : 0, s.skins);
    v.implied(s.ui_offset ? s.font_count : 0, s.fonts);
    v.implied(s.ui_offset ? s.canvas_count : 0, s.canvases);
    v.implied(s.sprite_offset ? s.sprite_sheet_count : 0, s.sprite_sheets);
    v.implied(s.sprite_offset ? s.sprite_animation_count : 0, s.sprite_animations);
  }
  /// The parts stored one after another between the objects and the atlases.
  static constexpr void layout_sections(auto& v, auto& s) {
    v("colliders", s.colliders);
    v("triggers", s.triggers);
    v("bvh_nodes", s.bvh_nodes);
    v("bvh_refs", s.bvh_refs);
    v("interactables", s.interactables);
    if (v.since(k_agents)) {
      const u64 start = v.here();
      v("agents", s.agents);
      v.each("agents", s.agents, [&](auto& a) {
        v(Key("waypoints").unit("scaling").doc("waypoints of the patrol; unlike elsewhere, Y points up"), a.waypoints);
      });
      if (v.growing() && !s.agents.empty())
        v.require(is_end_of_waypoints(v, s, start),
                  "as many waypoints as the agents state between them and the parts that follow");
    }
    v.maybe(s.world_mesh_count != 0, "world_collision", s.world_collision);
    v.require(s.world_collision.has_value() == (s.world_mesh_count != 0),
              "both world_collision and a world_mesh_count above 0, or neither");
    v.maybe(s.nav_region_count != 0, "nav", s.nav);
    v.require(s.nav.has_value() == (s.nav_region_count != 0), "both nav and a nav_region_count above 0, or neither");
    v("rooms", s.rooms);
    v("room_portals", s.room_portals);
    v("room_refs", s.room_refs);
    v("room_cells", s.room_cells);
    v("room_portal_refs", s.room_portal_refs);
  }
  /// The blocks that offsets point to, in the order of the writer.
  static constexpr void layout_content(auto& v, auto& s) {
    v.each("scripts", s.scripts, [&](auto& e) { list_at(v, e.offset, "text", e.text); });
    v.each("objects", s.objects, [&](auto& e) { list_at(v, e.offset, "triangles", e.triangles); });
    layout_names(v, s);
    table_at(v, s.audio_offset, "audio_clips", s.audio_clips);
    v.each("audio_clips", s.audio_clips, [&](auto& e) { text_at(v, e.name_offset, "name", e.name); });
    table_at(v, s.cutscene_offset, "cutscenes", s.cutscenes);
    v.each("cutscenes", s.cutscenes, [&](auto& e) { e.layout_content(v, e); });
    table_at(v, s.animation_offset, "animations", s.animations);
    v.each("animations", s.animations, [&](auto& e) { e.layout_content(v, e); });
    table_at(v, s.skin_offset, "skins", s.skins);
    v.each("skins", s.skins, [&](auto& e) {
      e.layout_content(v, e, [&](u16 o) { return o < s.objects.size() ? s.objects[o].triangles.size() : size_t(0); });
    });
    layout_ui(v, s);
    if (v.since(k_agents)) layout_sprites(v, s);
    if (v.since(k_tilemap)) {
      v.at(0, to(s.tilemap_offset).align(4), "tilemap", s.tilemap);
      if (s.tilemap) v.inside("tilemap", [&] { s.tilemap->layout_content(v, *s.tilemap); });
    }
    if (v.since(k_lights)) {
      v.at(0, to(s.light_offset).align(4), "lights", s.lights);
      if (s.lights)
        v.inside("lights", [&] {
          v.each("entries", s.lights->entries, [&](auto& e) { text_at(v, e.name_offset, "name", e.name); });
        });
    }
    if (v.since(k_memory_card)) {
      v.at(0, to(s.memory_card_offset).align(4), "memory_card", s.memory_card);
      v.at(0, to(s.stream_offset).align(4), "stream", s.stream);
    }
  }
  static constexpr void layout_sprites(auto& v, auto& s) {
    const bool none = s.sprite_sheets.empty() && s.sprite_animations.empty();
    if (!v.reading() && none) v.derive(s.sprite_offset, 0u);
    if ((!v.reading() || v.growing()) && none)
      return void((v("sprite_sheets", s.sprite_sheets), v("sprite_animations", s.sprite_animations)));
    v.at(0, to(s.sprite_offset).align(4), [&] {
      v("sprite_sheets", s.sprite_sheets);
      v(Key("sprite_animations").doc("the animations for the directions of a figure are consecutive"),
        s.sprite_animations);
    });
    v.each("sprite_sheets", s.sprite_sheets, [&](auto& e) { text_at(v, e.name_offset, "name", e.name); });
    v.each("sprite_animations", s.sprite_animations, [&](auto& e) { text_at(v, e.name_offset, "name", e.name); });
  }
  static constexpr void layout_names(auto& v, auto& s) {
    bool named = s.name_offset != 0;
    if (!v.reading())
      for (const Object& o : s.objects) named |= !o.name.empty();
    if (!named) return;
    v.at(0, to(s.name_offset).align(4), [&] {
      v.each("objects", s.objects, [&](auto& o) {
        v.count(u8{}, Key("name_length").placement(), o.name);
        v("name", o.name);
        v(Key("unk_name_end").doc("0, which ends the name"), o.unk_name_end);
      });
    });
  }
  static constexpr void layout_ui(auto& v, auto& s) {
    const bool none = s.fonts.empty() && s.canvases.empty();
    if (!v.reading() && none) v.derive(s.ui_offset, 0u);
    if ((!v.reading() || v.growing()) && none) return void((v("fonts", s.fonts), v("canvases", s.canvases)));
    v.at(0, to(s.ui_offset).align(4), [&] {
      v("fonts", s.fonts);
      v("canvases", s.canvases);
    });
    v.each("canvases", s.canvases, [&](auto& c) {
      table_at(v, c.offset, "elements", c.elements);
      v.each("elements", c.elements, [&](auto& e) {
        text_at(v, e.text_offset, "text", e.text);
        text_at(v, e.name_offset, "name", e.name);
      });
    });
    v.each("canvases", s.canvases, [&](auto& c) { text_at(v, c.name_offset, "name", c.name); });
  }
  /// The start of the part after `at`, or the end of the file.
  constexpr u64 next_offset_after(u64 at, u64 end) const {
    const auto see = [&](u64 offset) {
      if (offset > at && offset < end) end = offset;
    };
    for (const u32 o : {name_offset, audio_offset, cutscene_offset, ui_offset, animation_offset, skin_offset,
                        memory_card_offset, stream_offset, sprite_offset, tilemap_offset, light_offset})
      see(o);
    for (const Script& e : scripts)
      if (!e.text.empty()) see(e.offset);
    for (const Object& e : objects)
      if (!e.triangles.empty()) see(e.offset);
    return end;
  }
  /// Whether waypoints can end here. A wrong number of waypoints moves all later parts: a floor must follow with the
  /// counts of the header, and the parts before the first block with an offset must have room.
  static constexpr bool is_end_of_waypoints(auto& v, const Pack& s, u64 start) {
    u64 rest = s.atlases.size() * 12 + s.cluts.size() * 12 + s.rooms.size() * 36 + s.room_portals.size() * 40 +
               s.room_refs.size() * 4 + s.room_cells.size() * 28 + s.room_portal_refs.size() * 4;
    if (s.nav_region_count) rest += 8 + u64(s.nav_region_count) * 84 + u64(s.nav_portal_count) * 20;
    if (v.here() + rest > s.next_offset_after(start, v.total())) return false;
    if (s.world_mesh_count || !s.nav_region_count) return true;
    const ByteView ahead = v.ahead();
    const auto number = [&](size_t at) { return at + 2 <= ahead.size() ? ahead[at] | ahead[at + 1] << 8 : -1; };
    return number(0) == s.nav_region_count && number(2) == s.nav_portal_count;
  }
};

}  // namespace dio::splashpack
