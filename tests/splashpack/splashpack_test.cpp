// Scene packs as in the specification: bytes written by hand, field by field.
#include <gtest/gtest.h>

#include "formats/splashpack/scene/baked_collision.hpp"
#include "operations/operations.hpp"
#include "samples/splashpack/packs.hpp"

namespace dio::splashpack {
namespace {

/// Bytes in the order of the specification.
struct Hand {
  Bytes bytes;
  Hand& chars(std::string_view s) {
    bytes.insert(bytes.end(), s.begin(), s.end());
    return *this;
  }
  Hand& u8s(std::initializer_list<int> all) {
    for (const int n : all) bytes.push_back(u8(n));
    return *this;
  }
  Hand& u16s(std::initializer_list<int> all) {
    for (const int n : all) u8s({n, n >> 8});
    return *this;
  }
  Hand& u32s(std::initializer_list<i64> all) {
    for (const i64 n : all) u16s({int(n & 0xFFFF), int(n >> 16 & 0xFFFF)});
    return *this;
  }
};

// Parts that are the same in several layouts.
void place_and_rotation(Hand& h) {
  h.u32s({4096, -8192, 3});                       // position
  h.u32s({4096, 0, 0, 0, 4095, -1, 0, 1, 4095});  // rotation
}
void corners_and_normal(Hand& h) {
  h.u16s({1, 2, 3, -4, -5, -6, 32767, -32768, 0});  // v0, v1, v2
  h.u16s({0, -4096, 0});                            // normal of v0
}
void colors(Hand& h) { h.u8s({128, 129, 130, 0, 1, 2, 3, 0, 255, 254, 253, 0}); }
void uvs(Hand& h) {
  h.u8s({10, 11, 20, 21, 30, 31});
  h.u16s({0});
}
void old_triangle(Hand& h) {  // 44 bytes, until a2
  corners_and_normal(h);
  uvs(h);
  colors(h);
}
void triangle(Hand& h) {  // 52 bytes
  corners_and_normal(h);
  colors(h);
  uvs(h);
  h.u16s({0x285, 0x2, 241, 0});  // page, palette x / 16 and y, 0
}

/// Fields of the object and its triangle that are common to all layouts.
void expect_common(const Pack& p) {
  ASSERT_EQ(p.objects.size(), 1u);
  const Object& o = p.objects[0];
  EXPECT_EQ(o.position, (Vec32{{4096}, {-8192}, {3}}));
  EXPECT_EQ(o.rotation[4].raw, 4095);
  EXPECT_EQ(o.rotation[5].raw, -1);
  EXPECT_EQ(o.rotation[7].raw, 1);
  ASSERT_EQ(o.triangles.size(), 1u);
  const Triangle& t = o.triangles[0];
  EXPECT_EQ(t.positions[0], (Vec16{{1}, {2}, {3}}));
  EXPECT_EQ(t.positions[1], (Vec16{{-4}, {-5}, {-6}}));
  EXPECT_EQ(t.positions[2], (Vec16{{32767}, {-32768}, {0}}));
  EXPECT_EQ(t.normal, (Vec16{{0}, {-4096}, {0}}));
  EXPECT_EQ(t.colors[0], (Color{128, 129, 130, 0}));
  EXPECT_EQ(t.colors[2], (Color{255, 254, 253, 0}));
  EXPECT_EQ(t.uvs[0], (Uv{10, 11}));
  EXPECT_EQ(t.uvs[2], (Uv{30, 31}));
  if (u32(p.form) < k_pages_in_triangles) return;
  EXPECT_EQ(t.page, 0x285);
  EXPECT_EQ(t.clut_x, 2);
  EXPECT_EQ(t.clut_y, 241);
}

/// Detects the layout, reads the file, and writes it back unchanged.
Pack read(const Hand& h, Layout l) {
  EXPECT_EQ(detect_layout(h.bytes), l) << explain_layout(h.bytes);
  auto d = load<Pack>(h.bytes);
  EXPECT_TRUE(d) << format_one_line(d.error());
  if (!d) return {};
  for (const UnreferencedBytes& r : d->document.residue)  // padding
    EXPECT_EQ(r.bytes, Bytes(r.bytes.size()));
  const auto same = save(d->document);
  EXPECT_TRUE(same && *same == h.bytes);
  const auto placed = save(d->document, {.canonical = true});
  EXPECT_TRUE(placed && *placed == h.bytes);
  expect_common(d->document.value());
  return d->document.value();
}

TEST(Splashpack, ReadsHandWrittenLayoutA1) {
  Hand h;
  h.chars("SP").u16s({1, 1, 0});
  place_and_rotation(h);
  h.u16s({0x105, 1}).u32s({8 + 56});  // page, count, offset
  old_triangle(h);
  EXPECT_EQ(read(h, Layout::a1).objects[0].page, 0x105);
}

TEST(Splashpack, ReadsHandWrittenLayoutA2) {
  Hand h;
  h.chars("SP").u16s({1, 1, 0});
  place_and_rotation(h);
  h.u16s({1, 0x85, 3, 240});  // count, page, palette
  for (int i = 0; i < 256; ++i) h.u16s({i * 3});
  h.u32s({8 + 572});
  old_triangle(h);
  const Pack p = read(h, Layout::a2);
  EXPECT_EQ(p.objects[0].page, 0x85);
  EXPECT_EQ(p.objects[0].clut_x, 3);
  EXPECT_EQ(p.objects[0].clut_y, 240);
  EXPECT_EQ(p.objects[0].colors[255], 765);
}

TEST(Splashpack, ReadsHandWrittenLayoutA3) {
  Hand h;
  h.chars("SP").u16s({1, 1, 0, 1, 0});
  place_and_rotation(h);
  h.u32s({12 + 56 + 520, 1});  // offset, count of 32 bits
  for (int i = 0; i < 256; ++i) h.u16s({i});
  h.u16s({2, 241, 16, 0});
  triangle(h);
  const Pack p = read(h, Layout::a3);
  ASSERT_EQ(p.cluts.size(), 1u);
  EXPECT_EQ(p.cluts[0].length, 16);
  EXPECT_EQ(p.cluts[0].colors[255], 255);
}

/// The object of layouts b to c: offset, position, count and the fields after it.
void object(Hand& h, int offset, int last) {
  h.u32s({offset});
  place_and_rotation(h);
  h.u16s({1, last});
}

TEST(Splashpack, ReadsHandWrittenLayoutsBToC) {
  {
    Hand h;
    h.chars("SP").u16s({1, 1, 1, 1, 0, 0, 0});
    object(h, 16 + 56 + 12 + 12, 0);
    h.u32s({16 + 56 + 12 + 12 + 52}).u16s({1, 2, 320, 256});    // atlas
    h.u32s({16 + 56 + 12 + 12 + 52 + 4}).u16s({2, 241, 2, 0});  // palette
    triangle(h);
    h.u16s({0x1234, 0x5678}).u16s({0x7FFF, 0x8000});
    const Pack p = read(h, Layout::b);
    EXPECT_EQ(p.atlases[0].x, 320);
    EXPECT_EQ(p.atlases[0].y, 256);
    EXPECT_EQ(p.atlases[0].texels, (Bytes{0x34, 0x12, 0x78, 0x56}));
    EXPECT_EQ(p.cluts[0].colors, (std::vector<u16>{0x7FFF, 0x8000}));
  }
  {
    Hand h;
    h.chars("SP").u16s({1, 1, 1, 0, 0, 0, 0});
    object(h, 16 + 56 + 8, 0);
    h.u32s({16 + 56 + 8 + 52}).u16s({1, 0});  // navmesh
    triangle(h);
    h.u32s({-1, 2, 3, 4, 5, 6, 100000, 8, 9});
    const Pack p = read(h, Layout::b2);
    EXPECT_EQ(p.navmeshes[0].triangles[0].positions[0].x.raw, -1);
    EXPECT_EQ(p.navmeshes[0].triangles[0].positions[2].x.raw, 100000);
  }
  {
    Hand h;
    h.chars("SP").u16s({1, 1, 0, 0, 0}).u16s({0xFDB7, 2, 3, 4, 5, 6, 7, 0});
    object(h, 28 + 56, 0);
    triangle(h);
    const Pack p = read(h, Layout::c);
    EXPECT_EQ(p.start, (Vec16{{-585}, {2}, {3}}));
    EXPECT_EQ(p.rotation, (Vec16{{4}, {5}, {6}}));
    EXPECT_EQ(p.height.raw, 7);
  }
}

TEST(Splashpack, ReadsHandWrittenLayoutsDAndE) {
  {
    Hand h;
    h.chars("SP").u16s({1, 1, 1, 0, 0, 0}).u16s({1, 2, 3, 4, 5, 6, 7}).u32s({0});
    h.u32s({32 + 8 + 56, 3});  // script
    object(h, 32 + 8 + 56 + 4, 0);
    h.chars("--x").u8s({0});
    triangle(h);
    EXPECT_EQ(read(h, Layout::d).objects[0].script, 0);
  }
  {
    Hand h;
    h.chars("SP").u16s({1, 1, 1, 0, 0, 0}).u16s({1, 2, 3, 4, 5, 6, 7}).u16s({-1, 0});
    h.u32s({32 + 8 + 60, 3});
    object(h, 32 + 8 + 60 + 4, -1);
    h.u32s({1});
    h.chars("--x").u8s({0});
    triangle(h);
    const Pack p = read(h, Layout::e);
    EXPECT_EQ(p.script, -1);
    EXPECT_EQ(p.objects[0].script, -1);
    EXPECT_EQ(p.objects[0].flags, 1u);
    const std::string reason = explain_layout(h.bytes);
    EXPECT_NE(reason.find("in d, whose header has the same size"), reason.npos) << reason;
  }
}

/// The first 120 header bytes of v20 and later, in the order of the specification.
Hand header(int version, int objects, i64 names) {
  Hand h;
  h.chars("SP").u16s({version, 0, objects, 0, 0, 0, 0});  // 2: scripts, objects, atlases, cluts, colliders...
  h.u16s({1, -2, 3, 4, 5, 6, 7, 0xFFFF});                 // 16: start, rotation, height, script
  h.u16s({0, 0, 1, 0, 0, 0, 0, 0});                       // 32: bvh, scene type, triggers, world, nav
  h.u16s({41, 42, 43, 44, 45, 0});                        // 48: movement
  h.u32s({names}).u16s({0, 0}).u32s({0});                 // 60: names, sounds
  h.u8s({1, 10, 20, 30, 7, 0}).u16s({0, 0, 0, 0, 0});     // 72: fog, rooms
  h.u32s({0}).u16s({0}).u8s({0, 0}).u32s({0, 0});         // 88: cutscenes, canvases, pixels
  h.u16s({0, 0}).u32s({0}).u16s({0, 0}).u32s({0});        // 104: animations, skins
  return h;
}

TEST(Splashpack, ReadsHandWrittenVersions20To25) {
  const std::array sizes = {120, 128, 144, 144, 148, 156};
  for (int version = 20; version <= 25; ++version) {
    SCOPED_TRACE(version);
    const int size = sizes[size_t(version - 20)], mesh = size + 92;
    Hand h = header(version, 1, mesh + 52);
    EXPECT_EQ(h.bytes.size(), 120u);
    h.bytes.resize(size_t(size));
    if (version >= 22) h.bytes[136] = 0xC5;  // the hash of the scene
    if (version >= 25) h.bytes[149] = 0x20;  // entries of the ordering table
    object(h, mesh, -1);
    h.u32s({0x11}).u16s({0xFFFF}).u8s({5, 6}).u32s({0});
    h.u32s({-1, -2, -3, 1, 2, 3});  // box
    EXPECT_EQ(h.bytes.size(), size_t(mesh));
    triangle(h);
    h.u8s({4}).chars("wall").u8s({0});
    const Pack p = read(h, Layout(version));
    EXPECT_EQ(p.start.y.raw, -2);
    EXPECT_EQ(p.script, -1);
    EXPECT_EQ(p.scene_type, 1);
    EXPECT_EQ(p.move_speed.raw, 41);
    EXPECT_EQ(p.player_radius.raw, 45);
    EXPECT_EQ(p.fog_blue, 30);
    EXPECT_EQ(p.fog_density, 7);
    EXPECT_EQ(p.objects[0].name, "wall");
    EXPECT_EQ(p.objects[0].flags, 0x11u);
    EXPECT_EQ(p.objects[0].uv_offset, (Uv{5, 6}));
    EXPECT_EQ(p.objects[0].box.max.z.raw, 3);
    EXPECT_EQ(p.scene_hash, version >= 22 ? 0xC5u : 0u);
  }
}

TEST(Splashpack, DistinguishesPs1GodotPacks) {
  for (const EnumName& w : k_layouts.words) {
    if (w.value < i64(k_sections)) continue;
    const Bytes own = bytes_of(sample_scene(Layout(w.value)).pack);
    EXPECT_FALSE(is_ps1godot_pack(own)) << w.word;
    EXPECT_EQ(probe_header_size(own), record_sizes(Layout(w.value)).header) << w.word;
  }
  // Headers of the fork, with one object and its triangle.
  const std::pair<int, int> headers[] = {{21, 136}, {22, 144}, {23, 152}, {24, 168}, {25, 168}, {28, 200}};
  for (const auto& [version, size] : headers) {
    SCOPED_TRACE(version);
    Hand h = header(version, 1, 0);
    h.bytes.resize(size_t(size));
    if (version == 22) h.bytes[132] = h.bytes[133] = 0xFF;  // no avatar
    object(h, size + 92, -1);
    h.u32s({0x11}).u16s({0xFFFF}).u8s({0, 0}).u32s({0}).u32s({-1, -2, -3, 1, 2, 3});
    for (size_t k = 0; k < 9; ++k) {  // a rotation of length 1
      const u32 n = k % 4 ? 0 : 4096;
      for (size_t b = 0; b < 4; ++b) h.bytes[size_t(size) + 16 + 4 * k + b] = u8(n >> 8 * b);
    }
    triangle(h);
    EXPECT_TRUE(is_ps1godot_pack(h.bytes));
    const auto found = open(h.bytes, "scene.splashpack");
    ASSERT_FALSE(found);
    EXPECT_NE(format_one_line(found.error()).find("PS1Godot"), std::string::npos) << format_one_line(found.error());
  }
}

TEST(Splashpack, StructureSizesMatchTheSpecification) {
  EXPECT_EQ(wire_size<Triangle>(u32(Layout::a2)), 44u);
  EXPECT_EQ(wire_size<Triangle>(u32(Layout::d)), 52u);
  EXPECT_EQ(wire_size<NavTriangle>(), 36u);
  EXPECT_EQ(wire_size<TriangleRef>(), 4u);
  EXPECT_EQ(wire_size<Keyframe>(), 8u);
  EXPECT_EQ(wire_size<RoomPortalRef>(), 4u);
  const auto length = [](Layout l) {
    return bytes_of([&] {
             Pack p;
             p.form = l, p.version = l >= Layout::v20 ? u16(l) : 1;
             return p;
           }())
        .size();
  };
  EXPECT_EQ(length(Layout::a2), 8u);
  EXPECT_EQ(length(Layout::a3), 12u);
  EXPECT_EQ(length(Layout::b2), 16u);
  EXPECT_EQ(length(Layout::c), 28u);
  EXPECT_EQ(length(Layout::e), 32u);
  EXPECT_EQ(length(Layout::v20), 120u);
  EXPECT_EQ(length(Layout::v21), 128u);
  EXPECT_EQ(length(Layout::v23), 144u);
  EXPECT_EQ(length(Layout::v24), 148u);
  EXPECT_EQ(length(Layout::v25), 156u);
}

TEST(Splashpack, ReadsHandWrittenSiblingFiles) {
  Hand h;
  h.chars("VR").u16s({1, 1}).u8s({1, 0});
  h.u16s({320, 256, 1, 3}).u16s({0x3210, 0x7654, 0xBA98}).u16s({0});  // an atlas, to a multiple of 4
  h.u16s({2, 241, 3, 0}).u16s({1, 2, 3}).u16s({0});                   // a palette
  h.u8s({8, 9}).u16s({960, 0, 1}).u32s({2}).u8s({0x21, 0x43, 0, 0});  // a font
  auto vram = load<Vram>(h.bytes);
  ASSERT_TRUE(vram) << format_one_line(vram.error());
  const Vram& v = vram->document.value();
  EXPECT_EQ(v.atlases[0].y, 256);
  EXPECT_EQ(v.atlases[0].texels.size(), 6u);
  EXPECT_EQ(v.cluts[0].colors, (std::vector<u16>{1, 2, 3}));
  EXPECT_EQ(v.fonts[0].x, 960);
  EXPECT_EQ(v.fonts[0].texels, (Bytes{0x21, 0x43}));
  EXPECT_EQ(bytes_of(v), h.bytes);
  Hand s;
  s.chars("SA").u16s({1}).u32s({2}).u16s({22050}).u8s({1, 0, 0xAB, 0xCD, 0, 0});
  auto spu = load<Spu>(s.bytes);
  ASSERT_TRUE(spu) << format_one_line(spu.error());
  EXPECT_EQ(spu->document.value().clips[0].rate, 22050);
  EXPECT_EQ(spu->document.value().clips[0].samples, (Bytes{0xAB, 0xCD}));
  EXPECT_EQ(bytes_of(spu->document.value()), s.bytes);
}

TEST(Splashpack, BoxesEncloseRotatedObjects) {
  Object o;
  o.position = {{100}, {0}, {0}};
  o.rotation = {{{0}, {0}, {4096}, {0}, {4096}, {0}, {-4096}, {0}, {0}}};  // a quarter turn: x becomes -z
  Triangle t{};
  t.positions = {Vec16{{10}, {0}, {0}}, {{0}, {-20}, {0}}, {{0}, {0}, {30}}};
  o.triangles = {t};
  const Box b = compute_object_box(o);
  EXPECT_EQ(b.min, (Vec32{{100}, {-20}, {-10}}));
  EXPECT_EQ(b.max, (Vec32{{130}, {0}, {0}}));
}

TEST(Splashpack, BvhContainsEachUnskinnedTriangleOnce) {
  Pack p = sample_scene_with_everything().pack;
  ASSERT_TRUE(build_bvh(p));
  u64 triangles = 0;
  for (const Object& o : p.objects) triangles += o.flags & k_skinned ? 0 : o.triangles.size();
  std::vector<TriangleRef> refs = p.bvh_refs;
  std::ranges::sort(refs);
  EXPECT_EQ(std::ranges::adjacent_find(refs), refs.end());
  EXPECT_EQ(refs.size(), triangles);
  std::vector<u16> seen(p.bvh_nodes.size());
  for (const BvhNode& n : p.bvh_nodes) {
    if (!n.is_leaf()) {
      ++seen[n.left], ++seen[n.right];
      continue;
    }
    ASSERT_LE(size_t(n.first_ref) + n.ref_count, p.bvh_refs.size());
    for (u32 i = 0; i < n.ref_count; ++i) {
      const TriangleRef r = p.bvh_refs[n.first_ref + i];
      EXPECT_FALSE(p.objects[r.object].flags & k_skinned);
      for (const Vec16& v : p.objects[r.object].triangles[r.triangle].positions) {
        const auto at = transform_vertex_exact(p.objects[r.object], v);
        const std::array low = {n.box.min.x, n.box.min.y, n.box.min.z}, high = {n.box.max.x, n.box.max.y, n.box.max.z};
        for (size_t a = 0; a < 3; ++a) {
          EXPECT_LE(i64(low[a].raw) * 4096, at[a]);
          EXPECT_GE(i64(high[a].raw) * 4096, at[a]);
        }
      }
    }
  }
  EXPECT_EQ(seen[0], 0);
  EXPECT_TRUE(std::all_of(seen.begin() + 1, seen.end(), [](u16 n) { return n == 1; }));
}

Vec32 at(int x, int y, int z) { return {{x}, {y}, {z}}; }

TEST(Splashpack, BuildsConnectedNavRegions) {
  // Two triangles that share an edge, one beyond a T-junction, one a storey above, and two that are not floor.
  const std::vector<NavTriangle> floor = {{{at(0, 0, 0), at(400, 0, 0), at(400, 0, 400)}},
                                          {{at(0, 0, 0), at(400, 0, 400), at(0, 0, 400)}},
                                          {{at(400, 0, 0), at(800, 100, 200), at(400, 0, 200)}},
                                          {{at(0, -900, 0), at(400, -900, 400), at(400, -900, 0)}},
                                          {{at(0, 0, 0), at(1, 0, 1), at(2, 0, 2)}},
                                          {{at(0, 0, 0), at(1, -900, 0), at(0, 0, 1)}}};
  const BuiltNavmesh made = build_nav_regions(floor, at(350, -850, 50));
  ASSERT_TRUE(made.nav);
  EXPECT_EQ(made.degenerate, 1u);
  EXPECT_EQ(made.steep, 1u);
  const Nav& nav = *made.nav;
  ASSERT_EQ(nav.regions.size(), 3u);  // the two that share an edge are one
  EXPECT_EQ(nav.start_region, 2);     // the storey above is nearer
  EXPECT_EQ(nav.regions[2].portal_count, 0);
  ASSERT_EQ(nav.portals.size(), 2u);
  for (size_t r = 0; r < 3; ++r) {
    const NavRegion& region = nav.regions[r];
    EXPECT_EQ(region.corner_count, r ? 3 : 4);
    // Counter-clockwise, as the engine tests it.
    const auto cross = [&](size_t i, size_t j, size_t k) {
      return i64(region.xs[j].raw - region.xs[i].raw) * (region.zs[k].raw - region.zs[i].raw) -
             i64(region.zs[j].raw - region.zs[i].raw) * (region.xs[k].raw - region.xs[i].raw);
    };
    EXPECT_GT(cross(0, 1, 2), 0);
    for (u32 i = 0; i < region.portal_count; ++i) {
      const NavPortal& p = nav.portals[region.first_portal + i];
      EXPECT_NE(p.region, r);
      EXPECT_LT(p.region, 2);
    }
  }
  // The slope rises from 0 at x = 400 by a quarter.
  EXPECT_EQ(nav.regions[1].plane_a.raw, 1024);
  EXPECT_EQ(nav.regions[1].plane_b.raw, 0);
  EXPECT_EQ(nav.regions[1].plane_d.raw, -100);
  EXPECT_EQ(nav.regions[1].surface, 1);
  EXPECT_EQ(nav.regions[0].surface, 0);
  // The portal at the T-junction is as long as the shorter edge.
  const NavPortal& door = nav.portals[nav.regions[1].first_portal];
  EXPECT_EQ(door.region, 0);
  EXPECT_EQ(std::abs(door.az.raw - door.bz.raw), 200);
}

TEST(Splashpack, SampleFilesMatchTheirPacks) {
  for (const EnumName& w : k_layouts.words) {
    if (w.value < i64(k_sections)) continue;
    const SceneFiles f =
        Layout(w.value) == Layout::v21 ? sample_scene_with_everything() : sample_scene(Layout(w.value));
    EXPECT_TRUE(matches_pack(f.vram, f.pack)) << w.word;
    EXPECT_TRUE(matches_pack(f.spu, f.pack)) << w.word;
  }
  const SceneFiles all = sample_scene_with_everything();
  EXPECT_FALSE(matches_pack(all.vram, sample_scene(Layout::v20).pack));
  EXPECT_FALSE(matches_pack(all.spu, sample_scene(Layout::v20).pack));
}

TEST(Splashpack, ErrorsLocateTheDamage) {
  const Bytes whole = bytes_of(sample_scene_with_everything().pack);
  for (size_t n = 0; n < whole.size(); n += n < 400 ? 1 : 97) {
    const Bytes cut(whole.begin(), whole.begin() + std::ptrdiff_t(n));
    const auto d = load<Pack>(cut);
    EXPECT_TRUE(d || !d.error().id.empty());
  }
  Bytes bad = whole;
  bad[60] = bad[61] = bad[62] = 0xFF;  // the offset of the names
  const auto d = load<Pack>(bad);
  ASSERT_FALSE(d);
  EXPECT_EQ(d.error().place.path, "name_offset");
  EXPECT_EQ(d.error().place.offset, 60u);
}

}  // namespace
}  // namespace dio::splashpack
