// info.cpp: a short summary of a pack.
#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

Value info(const Pack& p) {
  Value v = Value::object();
  v.add("layout", k_layouts.of(i64(p.form)));
  v.add("version", u64(p.version));
  u64 triangles = 0, floor = 0;
  for (const Object& o : p.objects) triangles += o.triangles.size();
  for (const Navmesh& n : p.navmeshes) floor += n.triangles.size();
  v.add("objects", u64(p.objects.size()));
  v.add("triangles", triangles);
  v.add("scripts", u64(p.scripts.size()));
  v.add("navmesh_triangles", floor);
  v.add("atlases", u64(p.atlases.size()));
  v.add("palettes", u64(p.cluts.size()));
  if (p.form < Layout::v20) return v;
  v.add("scene_type", enum_name_or_number(k_scene_types, p.scene_type));
  const auto add = [&](const char* name, u64 n) {
    if (n) v.add(name, n);
  };
  add("colliders", p.colliders.size());
  add("triggers", p.triggers.size());
  add("interactables", p.interactables.size());
  add("bvh_nodes", p.bvh_nodes.size());
  add("nav_regions", p.nav ? p.nav->regions.size() : 0);
  add("rooms", p.rooms.size());
  add("audio_clips", p.audio_clips.size());
  add("cutscenes", p.cutscenes.size());
  add("animations", p.animations.size());
  add("skins", p.skins.size());
  add("fonts", p.fonts.size());
  add("canvases", p.canvases.size());
  add("agents", p.agents.size());
  add("sprite_sheets", p.sprite_sheets.size());
  add("sprite_animations", p.sprite_animations.size());
  if (p.tilemap) v.add("tilemap", text(p.tilemap->width, " x ", p.tilemap->height, " tiles"));
  add("lights", p.lights ? p.lights->entries.size() : 0);
  if (p.stream) v.add("streamed", text(p.stream->refs.size(), " objects in ", p.stream->regions.size(), " regions"));
  v.add("memory_card", p.memory_card.has_value());
  return v;
}

Value info(const Vram& vram) {
  Value v = Value::object();
  u64 bytes = 0;
  for (const VramAtlas& a : vram.atlases) bytes += a.texels.size();
  for (const VramClut& c : vram.cluts) bytes += c.colors.size() * 2;
  for (const VramFont& f : vram.fonts) bytes += f.texels.size();
  v.add("atlases", u64(vram.atlases.size()));
  v.add("palettes", u64(vram.cluts.size()));
  v.add("fonts", u64(vram.fonts.size()));
  v.add("video_memory", bytes);
  return v;
}

Value info(const Spu& spu) {
  Value v = Value::object();
  u64 bytes = 0;
  for (const SpuClip& c : spu.clips) bytes += c.samples.size();
  v.add("clips", u64(spu.clips.size()));
  v.add("sound_memory", bytes);
  return v;
}

Value info(const Geo& geo) {
  Value v = Value::object();
  v.add("sectors", u64(geo.sectors.size() / WorldStream::k_sector));
  return v;
}

}  // namespace dio::splashpack
