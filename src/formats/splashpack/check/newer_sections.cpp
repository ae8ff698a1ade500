// newer_sections.cpp: rules about agents, sprites, tile maps, lights and streams, which were added in v21 to v25.
#include <set>

#include "formats/splashpack/check/checks.hpp"
#include "formats/splashpack/companions.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_newer_rule_table[] = {
    {"splashpack.agent-object", error, "each agent belongs to a different object",
     "Scripts find an agent by the number of its object, and 65535 means the player. If two agents have the same "
     "object, scripts never find the second agent.",
     "Set the `object` field of the agent to the number of another object.",
     "psxsplash, splashpack.cpp; SplashEdit, PSXSceneWriter.cs"},
    {"splashpack.agent-patrol", error, "an agent has at most 8 waypoints, and a patrolling agent has at least one",
     "The engine has room for 8 waypoints. A patrolling agent without waypoints does not move.",
     "Add waypoints to the agent, or remove waypoints beyond the eighth. To stop the patrol instead, clear bit 3 of "
     "the agent's `flags` field.",
     "SplashEdit, PSXAgent", Severities{warning}},
    {"splashpack.agent-clip", warning, "the clips of an agent exist in the skin of its object",
     "The engine ignores a clip that the skin does not have. In the clip fields of an agent, SplashEdit stores the "
     "number of a scene animation instead of the number of a skin clip.",
     "Choose a clip of the object's skin, or use 255 for no clip.", "splashedit-ng, list of mismatches (M1)",
     Severities{hint}},
    {"splashpack.sprite-cells", error,
     "the cells of a sprite sheet are inside its texture page, and a sprite animation shows only cells of its sheet",
     "If a cell is outside the texture page or the sprite sheet, the engine shows unrelated contents of video memory.",
     "Correct the size or number of the cells in the sprite sheet, or the cell numbers in the animation.",
     "psxsplash, splashpack.cpp; SplashEdit"},
    {"splashpack.tile", error,
     "each tile of a tile map shows a cell of its sprite sheet, and each tile object is inside the map",
     "If a tile uses a cell that does not exist, the engine shows the wrong texels. If a tile object is outside the "
     "tile map, the engine reads outside the map.",
     "Correct the cell number of the tile, the position of the tile object, or the size of the tile map.",
     "psxsplash, splashpack.cpp; SplashEdit", Severities{warning}},
    {"splashpack.light-value", warning, "each runtime light has a radius and a unique name",
     "A light without a radius lights nothing. If two lights have the same name, scripts find only the first.",
     "Set the radius of the light, or rename the light.", "psxsplash, splashpack.cpp"},
    {"splashpack.light-table", warning, "a pack with objects lit by runtime lights contains runtime lights",
     "If the pack has no runtime lights, the engine draws an object that should be lit as if it were unlit.",
     "Add runtime lights to the pack, or clear bits 16 and 17 of the object's `flags` field.",
     "psxsplash, splashpack.cpp"},
    {"splashpack.track-type", error, "the type of each animation track is known",
     "The engine skips animation tracks of unknown types.",
     "Remove the track with the unknown type, or correct the type.", "psxsplash, cutscene.hh"},
    {"splashpack.stream", error, "the stream matches its .geo file, and streamed objects have no triangles in the pack",
     "The engine does not check the stream. If the stream and the .geo file do not match, the engine reads outside its "
     "buffers or shows the wrong triangles.",
     "Export the scene again to make a matching pack and .geo file.", "psxsplash, scenemanager.cpp",
     Severities{warning}},
    {"splashpack.buffers", error, "the sizes of the ordering table and the primitive buffer in a pack are valid",
     "The engine supports only ordering tables with 256 to 65,536 entries, and primitive buffers whose size is a "
     "multiple of 4 bytes.",
     "Set the invalid size to 0, which selects the default size of the engine.", "splashedit-ng, format document"},
};

void check_agents(Reporter& r, const Pack& p) {
  std::map<u16, size_t> by_object;
  for (size_t i = 0; i < p.agents.size(); ++i) {
    const Agent& a = p.agents[i];
    const std::string path = text("agents[", i, "]");
    if (a.object == k_no_index)
      r.report("splashpack.agent-object", path + ".object",
               {.message = "the agent has no object (65535); the engine treats object number 65535 as the player"});
    else if (const auto [first, is_new] = by_object.emplace(a.object, i); !is_new)
      r.report("splashpack.agent-object", path + ".object",
               {.message = text("object ", a.object, " already belongs to agents[", first->second, "]")});
    if (a.waypoints.size() > Agent::k_most_waypoints)
      r.report(
          "splashpack.agent-patrol", path + ".waypoints",
          {.message = text("the agent has ", a.waypoints.size(), " waypoints (limit: ", Agent::k_most_waypoints, ")")});
    if (a.flags & Agent::k_patrols && a.waypoints.empty())
      r.report(warning, "splashpack.agent-patrol", path + ".flags",
               {.message = "the agent patrols but has no waypoints"});
    const auto skin = std::ranges::find(p.skins, a.object, &Skin::object);
    const size_t clips = skin == p.skins.end() ? 0 : skin->clips.size();
    for (size_t n = 0; n < a.clips.size(); ++n)
      if (a.clips[n] != Agent::k_no_clip && a.clips[n] >= clips)
        r.report(clips ? warning : hint, "splashpack.agent-clip", text(path, ".clips[", n, "]"),
                 {.message = text("the agent plays clip ", a.clips[n], ", but ",
                                  clips ? text("the skin of its object has only ", format_count(clips, "clip"))
                                        : "its object has no skin")});
  }
}

void check_sprites(Reporter& r, const Pack& p) {
  constexpr u32 k_page_texels = 256;  // along each axis, because texture coordinates are u8
  for (size_t i = 0; i < p.sprite_sheets.size(); ++i) {
    const SpriteSheet& s = p.sprite_sheets[i];
    const u32 width = s.origin.u + u32(s.cell_width) * s.columns, height = s.origin.v + u32(s.cell_height) * s.rows;
    if (width > k_page_texels || height > k_page_texels)
      r.report("splashpack.sprite-cells", text("sprite_sheets[", i, "]"),
               {.message = text("the cells reach texel ", width, ", ", height,
                                ", but a texture page has only 256 x 256 texels")});
    else if (!s.cell_count() || !s.cell_width || !s.cell_height)
      r.report("splashpack.sprite-cells", text("sprite_sheets[", i, "]"), {.message = "the sheet has no cells"});
  }
  for (size_t i = 0; i < p.sprite_animations.size(); ++i) {
    const SpriteAnimation& a = p.sprite_animations[i];
    const std::string path = text("sprite_animations[", i, "]");
    if (!a.cell_count)
      r.report("splashpack.sprite-cells", path + ".cell_count", {.message = "the animation has no cells"});
    if (a.sheet >= p.sprite_sheets.size()) continue;  // the check of references reports it
    if (const u32 cells = p.sprite_sheets[a.sheet].cell_count(); u32(a.first_cell) + a.cell_count > cells)
      r.report("splashpack.sprite-cells", path + ".first_cell",
               {.message = text("the animation shows cells ", a.first_cell, " to ", a.first_cell + a.cell_count - 1,
                                ", but its sheet has only ", format_count(cells, "cell"))});
  }
}

void check_tilemap(Reporter& r, const Pack& p) {
  if (!p.tilemap) return;
  constexpr u16 k_longest_side = 256;
  const Tilemap& map = *p.tilemap;
  if (map.width > k_longest_side || map.height > k_longest_side)
    r.report("splashpack.tile", "tilemap.width",
             {.message = text("the map has ", map.width, " x ", map.height, " tiles (limit: 256 x 256)")});
  if (map.sheet < p.sprite_sheets.size()) {
    const SpriteSheet& sheet = p.sprite_sheets[map.sheet];
    for (size_t i = 0; i < map.tiles.size(); ++i)
      if (map.tiles[i].cell != Tile::k_none && map.tiles[i].cell >= sheet.cell_count())
        r.report("splashpack.tile", text("tilemap.tiles[", i, "].cell"),
                 {.message = text("the tile shows cell ", map.tiles[i].cell, ", but its sheet has only ",
                                  format_count(sheet.cell_count(), "cell"))});
    if (map.tile_width != sheet.cell_width || map.tile_height != sheet.cell_height)
      r.report(warning, "splashpack.tile", "tilemap.tile_width",
               {.message =
                    text("tiles are ", map.tile_width, " x ", map.tile_height,
                         " texels, but the cells of the tile sheet are ", sheet.cell_width, " x ", sheet.cell_height)});
  }
  for (size_t i = 0; i < map.tile_objects.size(); ++i)
    if (const TileObject& o = map.tile_objects[i]; o.x >= map.width || o.y >= map.height)
      r.report("splashpack.tile", text("tilemap.tile_objects[", i, "]"),
               {.message = text("the object is on tile ", o.x, ", ", o.y, ", but the map has only ", map.width, " x ",
                                map.height, " tiles")});
}

void check_lights(Reporter& r, const Pack& p) {
  constexpr u32 k_lit = k_lit_triangles | k_lit_vertices;
  if (!p.lights) {
    for (size_t i = 0; i < p.objects.size(); ++i)
      if (p.objects[i].flags & k_lit)
        return r.report("splashpack.light-table", object_path(i, ".flags"),
                        {.message = "the object is lit by runtime lights, but the pack has no runtime lights"});
    return;
  }
  std::map<std::string_view, size_t> seen;
  for (size_t i = 0; i < p.lights->entries.size(); ++i) {
    const PackLight& light = p.lights->entries[i];
    const std::string path = text("lights.entries[", i, "]");
    if (light.radius.raw <= 0)
      r.report("splashpack.light-value", path + ".radius",
               {.message = "the light has no radius, so the light has no effect"});
    if (!light.name || light.name->empty()) continue;
    if (const auto [first, is_new] = seen.emplace(*light.name, i); !is_new)
      r.report("splashpack.light-value", path + ".name",
               {.message = text("the name \"", escape_control_chars(*light.name), "\" is also used by lights.entries[",
                                first->second, "]")});
  }
}

void check_stream(Reporter& r, const Pack& p) {
  if (!p.stream) return;
  const WorldStream& stream = *p.stream;
  const auto report = [&](std::string path, std::string message) {
    r.report("splashpack.stream", std::move(path), {.message = std::move(message)});
  };
  if (stream.unload_radius.raw <= stream.load_radius.raw)
    report("stream.unload_radius", text("the unload radius (", stream.unload_radius.raw,
                                        ") is not larger than the load radius (", stream.load_radius.raw, ")"));
  constexpr u16 k_most_slots = 32;
  if (stream.slot_count > k_most_slots)
    report("stream.slot_count", text("the stream has ", stream.slot_count, " slots (limit: ", k_most_slots, ")"));
  for (size_t i = 0; i < stream.regions.size(); ++i) {
    const StreamRegion& region = stream.regions[i];
    const std::string path = text("stream.regions[", i, "]");
    if (region.size % WorldStream::k_sector)
      report(path + ".size", text("the region has ", region.size, " bytes; the size must be a multiple of 2048"));
    if (region.size > stream.slot_size)
      report("stream.slot_size",
             text("a slot has ", stream.slot_size, " bytes, but regions[", i, "] has ", region.size));
    for (size_t k = region.first_ref; k < size_t(region.first_ref) + region.ref_count && k < stream.refs.size(); ++k)
      if (const StreamRef& ref = stream.refs[k];
          ref.offset + ref.triangle_count * WorldStream::k_triangle > region.size)
        report(text("stream.refs[", k, "].offset"),
               text("the triangles end at ", ref.offset + ref.triangle_count * WorldStream::k_triangle,
                    ", beyond the end of their region at ", region.size));
  }
  for (size_t k = 0; k < stream.refs.size(); ++k)
    if (const u16 object = stream.refs[k].object; object < p.objects.size() && !p.objects[object].triangles.empty())
      report(object_path(object), text("the object is streamed but also has ",
                                       format_count(p.objects[object].triangles.size(), "triangle"), " in the pack"));
}

void check_buffers(Reporter& r, const Pack& p) {
  constexpr u32 k_fewest = 256, k_most = 65536;
  if (const u32 n = p.ordering_table_size; n && (n < k_fewest || n > k_most))
    r.report("splashpack.buffers", "ordering_table_size",
             {.message = text("the ordering table has ", n, " entries; the number must be 256 to 65,536")});
  if (p.primitive_buffer_size % 4)
    r.report("splashpack.buffers", "primitive_buffer_size",
             {.message = text("the primitive buffer has ", p.primitive_buffer_size,
                              " bytes; the size must be a multiple of 4")});
}

void check_track_types(Reporter& r, const char* list, const auto& those) {
  for (size_t i = 0; i < those.size(); ++i)
    for (size_t k = 0; k < those[i].tracks.size(); ++k)
      if (const u8 type = those[i].tracks[k].type; type > Track::k_last)
        r.report("splashpack.track-type", text(list, "[", i, "].tracks[", k, "].type"),
                 {.message = text("type ", type, " is unknown; the highest known type is ", Track::k_last)});
}

}  // namespace
const std::span<const Rule> k_newer_rules = k_newer_rule_table;

void check_newer_sections(Reporter& r, const Pack& p) {
  if (is_old(p)) return;
  check_agents(r, p);
  check_sprites(r, p);
  check_tilemap(r, p);
  check_lights(r, p);
  check_stream(r, p);
  check_buffers(r, p);
  check_track_types(r, "cutscenes", p.cutscenes);
  check_track_types(r, "animations", p.animations);
}

void note_streamed_references(const Pack& p, Findings& findings) {
  const auto counts = streamed_triangle_counts(p);
  if (counts.empty()) return;
  const auto note = [&](const char* list, const std::vector<TriangleRef>& refs) {
    for (size_t i = 0; i < refs.size(); ++i)
      if (const auto known = counts.find(refs[i].object); known != counts.end() && refs[i].triangle < known->second)
        findings.references_elsewhere.insert(text(list, "[", i, "].triangle"));
  };
  note("bvh_refs", p.bvh_refs);
  note("room_refs", p.room_refs);
}

}  // namespace dio::splashpack
