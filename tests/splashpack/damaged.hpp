// damaged.hpp: for each rule a pack that breaks it, by as little as possible. For tests only.
#pragma once
#include "engine/broken_file.hpp"
#include "formats/splashpack/pictures/video_memory.hpp"
#include "samples/splashpack/packs.hpp"

namespace dio::splashpack {

namespace broken {

/// The bytes of the room in layout d, changed where a document cannot be.
struct File {
  Bytes bytes = bytes_of(sample_scene(Layout::d).pack);
  static constexpr size_t k_objects = 40, k_navmesh = 208, k_cluts = 240;  // one script, three objects, two atlases
  u32 get(size_t at) const {
    u32 n = 0;
    for (size_t i = 4; i-- > 0;) n = n << 8 | bytes[at + i];
    return n;
  }
  File& set(size_t at, u32 n) {
    for (size_t i = 0; i < 4; ++i, n >>= 8) bytes[at + i] = u8(n);
    return *this;
  }
  /// So many zeros before the last block, that of palette 2.
  File& push_last(u32 by) {
    const size_t offset = k_cluts + 24;
    bytes.insert(bytes.begin() + get(offset), by, 0);
    return set(offset, get(offset) + by);
  }
};

inline constexpr std::string_view k_unused = "splashpack.vram-unused";

inline Script script(std::string text) { return {0, std::move(text)}; }
inline Atlas atlas(u16 x, u16 y, u16 width, u16 height, u8 first = 0) {
  Atlas a;
  a.x = x, a.y = y, a.width = width, a.height = height;
  a.texels.resize(size_t(width) * height * 2);
  a.texels[0] = first;
  return a;
}
inline Clut clut(u16 x, u16 y, u16 length) {
  Clut c;
  c.x = x, c.y = y, c.length = length;
  for (u16 i = 0; i < length; ++i) c.colors.push_back(u16(i + 1));
  return c;
}

}  // namespace broken

/// One for each rule.
inline std::vector<test::BrokenFile> broken_files() {
  using broken::atlas, broken::clut, broken::File, broken::script, broken::k_unused;
  using Also = std::vector<std::string_view>;
  std::vector<test::BrokenFile> all;
  const auto add = [&](std::string_view id, std::string_view path, Bytes bytes, Also also = {}) {
    all.push_back({id, path, "splashpack", std::move(bytes), std::move(also)});
  };
  const auto with = [&](Pack p, std::string_view id, std::string_view path, auto edit, Also also) {
    edit(p);
    add(id, path, bytes_of(p), std::move(also));
  };
  const auto old = [&](std::string_view id, std::string_view path, auto edit, Also also = {}) {
    with(sample_scene(Layout::d).pack, id, path, edit, std::move(also));
  };
  const auto later = [&](std::string_view id, std::string_view path, auto edit, Also also = {}) {
    with(sample_scene(Layout::v21).pack, id, path, edit, std::move(also));
  };
  const auto full = [&](std::string_view id, std::string_view path, auto edit, Also also = {}) {
    with(sample_scene_with_everything().pack, id, path, edit, std::move(also));
  };
  const auto triangle = [&](std::string_view id, std::string_view path, auto edit, Also also = {}) {
    old(id, path, [&](Pack& p) { edit(p.objects[0].triangles[0]); }, std::move(also));
  };
  const auto floor = [&](std::string_view id, std::string_view path, auto edit, Also also = {}) {
    old(id, path, [&](Pack& p) { edit(p.navmeshes[0].triangles[0].positions); }, std::move(also));
  };
  const auto with_atlas = [&](std::string_view id, Atlas a, Also also = {k_unused}) {
    old(id, "atlases[2]", [&](Pack& p) { p.atlases.push_back(std::move(a)); }, std::move(also));
  };
  const auto with_clut = [&](std::string_view id, std::string_view path, Clut c, Also also = {}) {
    old(id, path, [&](Pack& p) { p.cluts.push_back(std::move(c)); }, std::move(also));
  };

  // ---- the file
  old("splashpack.layout", "version",
      [](Pack& p) {
        p.objects.clear();
        p.scripts.clear();
      },
      {"splashpack.objects-few", k_unused});
  old("splashpack.version-old", "version", [](Pack&) {});
  {
    File f;
    f.bytes[2] = 5;
    add("splashpack.version-range", "version", f.bytes);
  }
  add("splashpack.offset-range", "scripts[0].offset", File().set(32, 0).set(36, 2).bytes, {"splashpack.gap"});
  {
    File f;
    add("splashpack.overlap", "objects[1].offset", f.set(File::k_objects + 56, f.get(File::k_objects) + 52).bytes,
        {"splashpack.gap", "splashpack.uv-bleed"});
  }
  add("splashpack.align4", "cluts[2].offset", File().push_last(2).bytes, {"splashpack.gap"});
  add("splashpack.gap", "", File().push_last(4).bytes);
  {
    File f;
    f.bytes.insert(f.bytes.end(), {1, 2, 3, 4});
    add("splashpack.trailing", "", f.bytes);
    File g;
    g.bytes[g.get(32) + g.get(36)] = 1;
    add("splashpack.pad-nonzero", "", g.bytes);
  }

  // ---- scripts
  old("splashpack.lua-index", "objects[0].script", [](Pack& p) { p.objects[0].script = 7; });
  old("splashpack.lua-length", "scripts[0].text", [](Pack& p) { p.scripts[0] = script("-- caf\xC3"); });
  old("splashpack.lua-syntax", "scripts[0].text",
      [](Pack& p) { p.scripts[0] = script("function f()\n  print(1\nend\n"); });
  old("splashpack.lua-unused", "scripts[1]", [](Pack& p) { p.scripts.push_back(script("-- nothing\n")); });

  // ---- the floor
  old("splashpack.nav-none", "navmeshes", [](Pack& p) { p.navmeshes.clear(); });
  old("splashpack.nav-many", "navmeshes[1]", [](Pack& p) { p.navmeshes.push_back(p.navmeshes[0]); });
  {
    File f;
    f.bytes[File::k_navmesh + 4] = u8(f.bytes[File::k_navmesh + 4] * 2);
    add("splashpack.nav-size", "navmeshes[0].triangles", f.bytes);
  }
  floor("splashpack.nav-overflow", "navmeshes[0].triangles[0]", [](auto& p) { p[0].x.raw -= 2000; });
  floor("splashpack.nav-degenerate", "navmeshes[0].triangles[0]", [](auto& p) { p[0] = p[1]; });
  old("splashpack.nav-cover", "start", [](Pack& p) { p.start.x.raw = 5000; });

  // ---- objects
  old("splashpack.objects-few", "objects", [](Pack& p) {
    for (size_t i = 1; i < 3; ++i)
      p.objects[0].triangles.insert(p.objects[0].triangles.end(), p.objects[i].triangles.begin(),
                                    p.objects[i].triangles.end());
    p.objects[0].script = 0;
    p.objects.resize(1);
  });
  old("splashpack.pos-range", "objects[2].position", [](Pack& p) { p.objects[2].position.x.raw = 40000; },
      {"splashpack.depth-range"});
  old("splashpack.vertex-clamp", "objects[2].triangles",
      [](Pack& p) {
        for (size_t k = 0; k < 2; ++k)
          for (Vec16& v : p.objects[2].triangles[k].positions)
            if (v.x.raw > 0) v.x.raw = 32767;
      },
      {"splashpack.depth-range", "splashpack.tri-large"});
  old("splashpack.rot-matrix", "objects[2].rotation", [](Pack& p) { p.objects[2].rotation[0].raw = 2000; });
  triangle("splashpack.tri-degenerate", "objects[0].triangles[0]",
           [](Triangle& t) { t.positions[1] = t.positions[0]; });
  triangle("splashpack.tri-winding", "objects[0].triangles[0]",
           [](Triangle& t) { std::swap(t.positions[1], t.positions[2]); });
  triangle("splashpack.tri-pad", "objects[0].triangles[0].flags", [](Triangle& t) { t.flags = 1; });
  triangle("splashpack.tri-large", "objects[0].triangles[0]", [](Triangle& t) {
    for (Vec16& v : t.positions) v.x.raw = i16(v.x.raw * 3), v.z.raw = i16(v.z.raw * 3);
  });
  triangle("splashpack.affine", "objects[0].triangles[0]", [](Triangle& t) { t.uvs[0].u = 200; });
  triangle("splashpack.color-bright", "objects[0].triangles[0]", [](Triangle& t) { t.colors[0].red = 255; });
  old("splashpack.depth-range", "objects", [](Pack& p) { p.objects[2].position.x.raw = 10000; });

  // ---- video memory
  triangle("splashpack.tpage-depth", "objects[0].triangles[0].page", [](Triangle& t) { t.page |= 0x180; });
  triangle("splashpack.tpage-missing", "objects[0].triangles[0].page",
           [](Triangle& t) { t.page = TexturePage{832, 0, 0, 0, true}.word(); });
  triangle("splashpack.tpage-fb", "objects[0].triangles[0].page",
           [](Triangle& t) { t.page = TexturePage{0, 0, 0, 0, true}.word(); });
  with_atlas("splashpack.atlas-fb", atlas(256, 0, 64, 256));
  with_clut("splashpack.clut-fb", "cluts[3]", clut(0, 10, 16));
  with_atlas("splashpack.atlas-font", atlas(960, 256, 64, 256));
  with_atlas("splashpack.atlas-bounds", atlas(992, 0, 64, 256), {});
  with_clut("splashpack.clut-bounds", "cluts[3]", clut(63, 300, 32));
  with_atlas("splashpack.atlas-overlap", atlas(480, 0, 64, 256), {});
  with_clut("splashpack.clut-overlap", "cluts[3]", clut(0, 240, 16));
  with_atlas("splashpack.atlas-size", atlas(640, 0, 64, 128));
  with_atlas("splashpack.atlas-dma", atlas(520, 0, 258, 511), {k_unused, "splashpack.atlas-size"});
  with_clut("splashpack.clut-odd", "cluts[3].length", clut(0, 250, 15));
  with_clut("splashpack.clut-count", "cluts[3].length", clut(0, 250, 18));
  triangle("splashpack.clut-missing", "objects[0].triangles[0].clut_x", [](Triangle& t) { t.clut_x = 50; });
  old("splashpack.clut-short", "objects[2].triangles[0]", [](Pack& p) {
    p.cluts[1].colors.resize(8);
    p.cluts[1].length = 8;
  });
  old("splashpack.uv-out", "objects[2].triangles[0].uvs",
      [](Pack& p) {
        p.atlases[0].height = 200;
        p.atlases[0].texels.resize(64 * 200 * 2);
      },
      {"splashpack.atlas-size"});
  old("splashpack.uv-bleed", "atlases[0]", [](Pack&) {});
  old("splashpack.black-hole", "cluts[0]", [](Pack& p) { p.cluts[0].colors[1] = 0; });
  old("splashpack.stp", "cluts[0].colors", [](Pack& p) { p.cluts[0].colors[1] |= 0x8000; });
  with_atlas("splashpack.vram-unused", atlas(640, 0, 64, 256), {});
  old("splashpack.duplicate-texture", "cluts[3]", [](Pack& p) {
    p.cluts.push_back(p.cluts[0]);
    p.cluts[3].y = 250;
  });
  old("splashpack.vram-budget", "atlases",
      [](Pack& p) {
        u8 number = 0;
        for (const Rect& r :
             {Rect{512, 0, 256, 256}, Rect{768, 0, 128, 256}, Rect{320, 256, 256, 256}, Rect{576, 256, 256, 256}})
          p.atlases.push_back(atlas(u16(r.x), u16(r.y), u16(r.width), u16(r.height), ++number));
      },
      {k_unused});

  // ---- budgets
  old("splashpack.tri-budget", "objects",
      [](Pack& p) { p.objects[0].triangles.resize(2001, p.objects[0].triangles[0]); });
  old("splashpack.ram-budget", "version", [](Pack& p) { p.scripts[0].text.resize(1200000, ' '); });
  full("splashpack.spu-budget", "audio_clips", [](Pack& p) { p.audio_clips[0].size = 600000; });

  // ---- v20 and later
  later("splashpack.counts-limit", "colliders[64]", [](Pack& p) { p.colliders.resize(65, p.colliders[0]); });
  later("splashpack.interior-rooms", "scene_type", [](Pack& p) { p.scene_type = 1; });
  later("splashpack.fog-density", "fog_density", [](Pack& p) { p.fog = 1, p.fog_density = 0; });
  later("splashpack.eye-height", "height", [](Pack& p) { p.height.raw = 600; });
  later("splashpack.bvh-tree", "bvh_nodes[0].left", [](Pack& p) { p.bvh_nodes[0].left = 999; });
  later("splashpack.name-dup", "objects[1].name", [](Pack& p) { p.objects[1].name = p.objects[0].name; });
  later("splashpack.name-ascii", "objects[0].name", [](Pack& p) { p.objects[0].name = "B\xC3\xA4r"; });
  later("splashpack.name-long", "objects[0].name", [](Pack& p) { p.objects[0].name = std::string(30, 'x'); });
  later("splashpack.name-end", "objects[0].unk_name_end", [](Pack& p) { p.objects[0].unk_name_end = 'x'; });
  full("splashpack.key-order", "cutscenes[0].tracks[0].keys[0].frame",
       [](Pack& p) { p.cutscenes[0].tracks[0].keys[0].frame = 8000; });
  later("splashpack.m-known", "rotation.y", [](Pack& p) { p.rotation.y.raw = 30000; });
  const auto newest = [&](std::string_view id, std::string_view path, auto edit, Also also = {}) {
    Pack p = sample_scene(k_newest).pack;
    edit(p);
    add(id, path, bytes_of(p), std::move(also));
  };
  newest("splashpack.agent-object", "agents[0].object", [](Pack& p) { p.agents[0].object = 0xFFFF; });
  newest("splashpack.agent-patrol", "agents[0].flags", [](Pack& p) { p.agents[0].waypoints.clear(); });
  newest("splashpack.agent-clip", "agents[0].clips[1]", [](Pack& p) { p.agents[0].clips[1] = 0; });
  newest("splashpack.sprite-cells", "sprite_sheets[0]", [](Pack& p) { p.sprite_sheets[0].cell_width = 100; },
         {"splashpack.tile"});
  newest("splashpack.tile", "tilemap.tiles[0].cell", [](Pack& p) { p.tilemap->tiles[0].cell = 200; });
  newest("splashpack.light-value", "lights.entries[0].radius", [](Pack& p) { p.lights->entries[0].radius.raw = 0; });
  newest("splashpack.light-table", "objects[2].flags", [](Pack& p) { p.lights.reset(); });
  newest("splashpack.track-type", "animations[0].tracks[0].type", [](Pack& p) {
    Animation& a = p.animations.emplace_back();
    a.name = "odd", a.frame_count = 1;
    a.tracks.emplace_back().type = 19;
  });
  newest("splashpack.stream", "stream.regions[0].size", [](Pack& p) { p.stream->regions[0].size -= 100; });
  newest("splashpack.buffers", "ordering_table_size", [](Pack& p) { p.ordering_table_size = 10; });
  later("splashpack.files-missing", "atlases", [](Pack&) {});
  all.back().alone = true;
  return all;
}

}  // namespace dio::splashpack
