#include "formats/splashpack/layout/limits.hpp"

#include <algorithm>
#include <set>

namespace dio::splashpack {

namespace {

/// What changed with v22. Sources: README.md, Limits.
struct UiLimits {
  u64 canvases, elements;
};
UiLimits ui_limits_of(Layout l) { return u32(l) < k_agents ? UiLimits{16, 128} : UiLimits{24, 256}; }

void add_newer_limits(const Pack& p, auto add) {
  add("sprite sheets", "", "sprite_sheets", p.sprite_sheets.size(), 16);
  add("sprite animations", "", "sprite_animations", p.sprite_animations.size(), 64);
  if (p.tilemap) add("objects on tiles", "", "tilemap.tile_objects", p.tilemap->tile_objects.size(), 128);
  if (p.lights) add("lights", "", "lights.entries", p.lights->entries.size(), 16);
}

u64 or_default(u32 said, u64 otherwise) { return said ? said : otherwise; }

}  // namespace

u64 memory_of(const Pack& p) {
  if (u32(p.form) < k_sections) return k_old_memory;
  const u64 heap = u32(p.form) < k_agents ? k_heap_until_v21 : k_heap;
  const u64 entries = or_default(p.ordering_table_size, k_ordering_table);
  const u64 buffer = or_default(p.primitive_buffer_size, k_primitive_buffer);
  // From v24 on, the list of visible triangles is as long as the BVH.
  const u64 visible = u32(p.form) < k_lights ? 0 : 4 * p.bvh_refs.size();
  const u64 slots = p.stream ? u64(p.stream->slot_count) * p.stream->slot_size : 0;
  const u64 taken = 2 * (entries * 4) + 2 * buffer + visible + slots;
  return heap > taken ? heap - taken : 0;
}

u64 triangles_of(const Pack& p) {
  if (u32(p.form) < k_sections) return k_old_triangles;
  return or_default(p.primitive_buffer_size, k_primitive_buffer) / k_bytes_per_triangle;
}

std::vector<EngineLimit> collect_engine_limits(const Pack& p) {
  if (u32(p.form) < k_sections) return {};
  std::vector<EngineLimit> all;
  const auto path = [](const std::string& list, u64 used, u64 of) {
    return used > of ? list + "[" + std::to_string(of) + "]" : list;
  };
  const auto add = [&](std::string_view name, std::string_view unit, const std::string& list, u64 used, u64 of) {
    all.push_back({name, unit, path(list, used, of), used, of});
  };
  /// For nested lists, the longest one counts.
  const auto add_longest = [&](std::string_view name, const std::string& outer, const std::string& inner,
                               const auto& list, auto size, u64 of) {
    u64 used = 0;
    size_t where = 0;
    for (size_t i = 0; i < list.size(); ++i)
      if (size(list[i]) > used) used = size(list[where = i]);
    if (!list.empty()) add(name, "", outer + "[" + std::to_string(where) + "]." + inner, used, of);
  };
  add("colliders", "", "colliders", p.colliders.size(), 64);
  add("triggers", "", "triggers", p.triggers.size(), 32);
  add("scripts", "", "scripts", p.scripts.size(), 32);
  add("sounds", "", "audio_clips", p.audio_clips.size(), 32);
  add("cutscenes", "", "cutscenes", p.cutscenes.size(), 16);
  add_longest(
      "tracks of a cutscene", "cutscenes", "tracks", p.cutscenes, [](const Cutscene& c) { return c.tracks.size(); }, 8);
  add("animations", "", "animations", p.animations.size(), 16);
  add_longest(
      "tracks of an animation", "animations", "tracks", p.animations,
      [](const Animation& a) { return a.tracks.size(); }, 8);
  // The engine reads at most this many of these lists (splashpack.cpp).
  const auto skin_events = [](const auto& c) { return c.skin_events.size(); };
  add_longest(
      "sound events of a cutscene", "cutscenes", "audio_events", p.cutscenes,
      [](const Cutscene& c) { return c.audio_events.size(); }, 64);
  add_longest("skin events of a cutscene", "cutscenes", "skin_events", p.cutscenes, skin_events, k_most_skin_events);
  add_longest("skin events of an animation", "animations", "skin_events", p.animations, skin_events,
              k_most_skin_events);
  EngineLimit keys{"keyframes of a track", "", "", 0, 64};
  const auto count_track_keys = [&](const char* list, const auto& those) {
    for (size_t i = 0; i < those.size(); ++i)
      for (size_t k = 0; k < those[i].tracks.size(); ++k)
        if (const u64 n = those[i].tracks[k].keys.size(); n > keys.used) {
          keys.used = n;
          keys.path = path(std::string(list) + "[" + std::to_string(i) + "].tracks[" + std::to_string(k) + "].keys", n,
                           keys.of);
        }
  };
  count_track_keys("cutscenes", p.cutscenes);
  count_track_keys("animations", p.animations);
  if (keys.used) all.push_back(keys);
  add("skins", "", "skins", p.skins.size(), 16);
  u64 bones = 0;
  size_t boniest = 0;
  for (size_t i = 0; i < p.skins.size(); ++i)
    if (p.skins[i].bone_count > bones) bones = p.skins[boniest = i].bone_count;
  if (bones) all.push_back({"bones of a skin", "", "skins[" + std::to_string(boniest) + "].bone_count", bones, 64});
  add_longest("clips of a skin", "skins", "clips", p.skins, [](const Skin& s) { return s.clips.size(); }, 16);
  const UiLimits ui = ui_limits_of(p.form);
  add("canvases", "", "canvases", p.canvases.size(), ui.canvases);
  u64 elements = 0, longest = 0;
  std::string fullest = "canvases", wordiest = "canvases";
  for (size_t i = 0; i < p.canvases.size(); ++i) {
    const auto& c = p.canvases[i];
    if (elements <= ui.elements && elements + c.elements.size() > ui.elements)
      fullest = "canvases[" + std::to_string(i) + "].elements[" + std::to_string(ui.elements - elements) + "]";
    elements += c.elements.size();
    for (size_t k = 0; k < c.elements.size(); ++k)
      if (c.elements[k].text && c.elements[k].text->size() + 1 > longest) {
        longest = c.elements[k].text->size() + 1;
        wordiest = "canvases[" + std::to_string(i) + "].elements[" + std::to_string(k) + "].text";
      }
  }
  if (!p.canvases.empty()) all.push_back({"elements of all canvases", "", fullest, elements, ui.elements});
  if (longest) all.push_back({"longest text, with its final zero", "bytes", wordiest, longest, 64});
  add("fonts", "", "fonts", p.fonts.size(), 3);
  if (u32(p.form) >= k_agents) add_newer_limits(p, add);
  return all;
}

u64 pages_used(const Pack& p) {
  std::set<std::pair<u32, u32>> units;
  for (const Atlas& a : p.atlases)
    for (u32 y = a.y; y < std::min<u32>(a.y + a.height, k_video_height); y = (y / k_page_height + 1) * k_page_height)
      for (u32 x = a.x; x < std::min<u32>(a.x + a.width, k_video_width); x = (x / k_page_width + 1) * k_page_width)
        units.insert({x / k_page_width, y / k_page_height});
  return units.size();
}

u64 clut_rows_used(const Pack& p) {
  std::set<u32> lines;
  for (const Clut& c : p.cluts)
    if (c.length) lines.insert(c.y);
  if (p.form == Layout::a2)
    for (const Object& o : p.objects)
      if (TexturePage::from_word(o.page).depth < 2) lines.insert(o.clut_y);
  return lines.size();
}

}  // namespace dio::splashpack
