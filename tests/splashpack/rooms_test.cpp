// rooms_test.cpp: rooms and portals of scenes converted to packs. Expected values are computed by hand from the section
// "From glTF" of the README of the family.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "engine/seeds.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/splashpack/from_scene/motion.hpp"
#include "formats/splashpack/from_scene/splashpack_builder.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"
#include "samples/splashpack/packs.hpp"
#include "scene/shapes.hpp"

namespace dio::splashpack {
namespace {

using scene::Index;
using scene::k_none;
using scene::Primitive;
using scene::Scene;
using scene::Vec3;
using testing::HasSubstr;

/// Scenes in pack units, unless another scaling is set.
struct Interior {
  Scene scene;
  Primitive triangles;  // of the object
  const char* scaling = "4096";

  Interior() { scene.extras = Value::object(); }
  Index mesh(Primitive p) {
    scene.meshes.push_back({"mesh", {std::move(p)}});
    return Index(scene.meshes.size() - 1);
  }
  scene::Node& node(std::string name, Index mesh = k_none) {
    scene.nodes.push_back({.name = std::move(name), .mesh = mesh, .extras = Value::object()});
    return scene.nodes.back();
  }
  scene::Node& room(std::string name, const Vec3& low, const Vec3& high) {
    Primitive box;
    scene::add_box(box, low, high);
    return node(std::move(name), mesh(std::move(box)));
  }
  /// An upright empty facing along Z or X.
  scene::Node& door(std::string name, const Vec3& at, f32 half_width, f32 half_height, bool along_x = true) {
    scene::Node& n = node(std::move(name));
    n.translation = at;
    n.scale = {half_width, half_height, 1};
    if (along_x) n.rotation = {0, std::sqrt(0.5f), 0, std::sqrt(0.5f)};
    return n;
  }
  void triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    for (const Vec3& v : {a, b, c}) triangles.positions.push_back(v);
  }
  /// With two rooms side by side along X.
  static Interior with_two() {
    Interior out;
    out.room("room_left", {-100, 0, -100}, {0, 50, 100});
    out.room("room_right", {0, 0, -100}, {100, 50, 100});
    return out;
  }
  Result<Made> made(const char* layout = "v21") const {
    Scene whole = scene;
    if (!triangles.positions.empty()) {
      whole.meshes.push_back({"things", {triangles}});
      whole.nodes.push_back({.name = "things", .mesh = Index(whole.meshes.size() - 1), .extras = {}});
    }
    return make_pack_from_scene(
        whole, std::array{Argument{"layout", layout}, Argument{"scaling", scaling}, Argument{"subdivide", "none"}});
  }
  Pack pack(std::string* notes = nullptr) const {
    const auto files = made();
    EXPECT_TRUE(files) << (files ? "" : format_one_line(files.error()));
    if (!files) return {};
    if (notes)
      for (const Diagnostic& d : files->notes) *notes += d.id + ": " + format_one_line(d) + "\n";
    auto pack = load<Pack>(files->files.front().bytes);
    EXPECT_TRUE(pack);
    return pack ? pack->document.value() : Pack{};
  }
  std::string notes() const {
    std::string out;
    (void)pack(&out);
    return out;
  }
};

using Triangles = std::set<int>;
/// The triangles of the first object that are drawn in a room.
Triangles in_room(const Pack& p, size_t room) {
  Triangles out;
  const Room& r = p.rooms.at(room);
  for (size_t i = r.first_ref; i < size_t(r.first_ref) + r.ref_count; ++i) {
    EXPECT_EQ(p.room_refs.at(i).object, 0);
    EXPECT_TRUE(out.insert(p.room_refs.at(i).triangle).second) << "twice";
  }
  return out;
}
std::array<int, 3> corner_numbers(const Vec16& v) { return {v.x.raw, v.y.raw, v.z.raw}; }
std::array<int, 3> corner_numbers(const Vec32& v) { return {v.x.raw, v.y.raw, v.z.raw}; }
using Three = std::array<int, 3>;

/// Invariants of the rooms in every pack: breaking one shows holes or makes the engine read outside its lists.
void expect_sound(const Pack& p) {
  ASSERT_FALSE(p.rooms.empty());
  std::set<TriangleRef> drawn;
  size_t ref = 0, cell = 0, door = 0;
  for (const Room& r : p.rooms) {
    ASSERT_EQ(r.first_ref, ref);
    ASSERT_EQ(r.first_cell, cell);
    ASSERT_EQ(r.first_portal_ref, door);
    size_t in_cells = 0;
    for (size_t c = 0; c < r.cell_count; ++c, ++cell) {
      ASSERT_LT(cell, p.room_cells.size());
      const RoomCell& one = p.room_cells[cell];
      ASSERT_EQ(one.first_ref, ref + in_cells);
      ASSERT_GT(one.ref_count, 0);
      in_cells += one.ref_count;
      ASSERT_LE(size_t(one.first_ref) + one.ref_count, p.room_refs.size());
      for (size_t i = one.first_ref; i < size_t(one.first_ref) + one.ref_count; ++i) {
        const TriangleRef& t = p.room_refs[i];
        ASSERT_LT(t.object, p.objects.size());
        ASSERT_LT(t.triangle, p.objects[t.object].triangles.size());
        drawn.insert(t);
        for (const Vec16& v : p.objects[t.object].triangles[t.triangle].positions) {
          const auto at = transform_vertex_exact(p.objects[t.object], v);
          const Three low = corner_numbers(one.box.min), high = corner_numbers(one.box.max);
          for (size_t k = 0; k < 3; ++k) {
            ASSERT_GE(at[k], i64(low[k]) * 4096);
            ASSERT_LE(at[k], i64(high[k]) * 4096);
          }
        }
      }
    }
    ASSERT_EQ(in_cells, r.ref_count);
    ref += r.ref_count;
    door += r.portal_ref_count;
  }
  EXPECT_EQ(ref, p.room_refs.size());
  EXPECT_EQ(cell, p.room_cells.size());
  EXPECT_EQ(door, p.room_portal_refs.size());
  size_t all = 0;  // those with bones are drawn for themselves
  for (const Object& o : p.objects) all += o.flags & k_skinned ? 0 : o.triangles.size();
  EXPECT_EQ(drawn.size(), all);
  for (const TriangleRef& t : drawn) EXPECT_FALSE(p.objects[t.object].flags & k_skinned);
  for (const RoomPortalRef& r : p.room_portal_refs) {
    ASSERT_LT(r.portal, p.room_portals.size());
    ASSERT_LT(r.room, p.rooms.size());
  }
  for (const RoomPortal& d : p.room_portals) {
    ASSERT_LT(d.room_a, p.rooms.size());
    ASSERT_LT(d.room_b, p.rooms.size());
    EXPECT_NE(d.room_a, d.room_b);
  }
}

TEST(SplashpackRooms, AssignsTrianglesByMostCorners) {
  Interior in = Interior::with_two();
  in.triangle({-90, 0, 0}, {-80, 0, 0}, {-80, 0, 10});   // left
  in.triangle({80, 0, 0}, {90, 0, 0}, {90, 0, 10});      // right
  in.triangle({-20, 0, 0}, {20, 0, 0}, {-20, 0, 10});    // two corners left, one right
  in.triangle({0, 200, 0}, {10, 200, 0}, {0, 200, 10});  // in no room
  const Pack apart = in.pack();
  ASSERT_EQ(apart.rooms.size(), 3u);
  EXPECT_EQ(apart.scene_type, 1);
  EXPECT_EQ(corner_numbers(apart.rooms[0].box.min), (Three{-100, -50, -100}));
  EXPECT_EQ(corner_numbers(apart.rooms[0].box.max), (Three{0, 0, 100}));
  EXPECT_EQ(in_room(apart, 0), (Triangles{0, 2}));
  EXPECT_EQ(in_room(apart, 1), (Triangles{1}));
  EXPECT_EQ(in_room(apart, 2), (Triangles{3}));
  EXPECT_EQ(corner_numbers(apart.rooms[2].box.max), (Three{1000, 1000, 1000}));
  expect_sound(apart);
  // With a portal, both rooms show triangles that reach through it.
  in.door("portal", {0, 25, 0}, 30, 25);
  const Pack joined = in.pack();
  EXPECT_EQ(in_room(joined, 0), (Triangles{0, 2}));
  EXPECT_EQ(in_room(joined, 1), (Triangles{1, 2}));
  expect_sound(joined);
}

TEST(SplashpackRooms, WallsBelongToTheRoomsTheyFace) {
  Interior in = Interior::with_two();
  in.triangle({0, 10, 0}, {0, 20, 0}, {0, 10, 10});  // seen from the right
  in.triangle({0, 10, 0}, {0, 10, 10}, {0, 20, 0});  // seen from the left
  const Pack p = in.pack();
  EXPECT_EQ(in_room(p, 0), (Triangles{0, 1}));
  EXPECT_EQ(in_room(p, 1), (Triangles{0}));
  expect_sound(p);
}

TEST(SplashpackRooms, FloorsSpanningRoomsBelongToEachRoom) {
  Interior in = Interior::with_two();
  in.triangle({-90, 0, 90}, {-90, 0, -90}, {90, 0, -90});     // two corners to the left; its back is up
  in.triangle({-90, 0, 90}, {90, 0, -90}, {-90, 0, -90});     // its front is up
  in.triangle({-90, 0, 90}, {0.4f, 0, -90}, {-90, 0, -90});   // to the border and a little farther
  in.triangle({-300, 0, 300}, {300, 0, 0}, {-300, 0, -300});  // under both: two corners in none, one neither
  in.triangle({-90, 20, 0}, {90, 80, 0}, {-90, 80, 0});       // a wall that leaves the left room upwards
  in.triangle({-90, 20, 0}, {90, 20, 0}, {-90, 80, 0});       // and one that goes on
  const Pack p = in.pack();
  EXPECT_EQ(in_room(p, 0), (Triangles{0, 1, 2, 4, 5}));
  EXPECT_EQ(in_room(p, 1), (Triangles{1, 5}));
  EXPECT_EQ(in_room(p, 2), (Triangles{3})) << "what has no corner in a room is always drawn";
  expect_sound(p);
}

TEST(SplashpackRooms, FloorsSpanNarrowRooms) {
  Interior in;
  in.scaling = "1";
  in.room("room_left", {-3, 0, -2}, {-0.45f, 2, 2});
  in.room("room_hall", {-0.45f, 0, -2}, {0.45f, 2, 2});  // narrower than the margins of both sides
  in.room("room_right", {0.45f, 0, -2}, {3, 2, 2});
  in.triangle({-2.9f, 0, 1.9f}, {2.9f, 0, -1.9f}, {-2.9f, 0, -1.9f});
  in.triangle({-2.9f, 0, 1.9f}, {-0.4f, 0, -1.9f}, {-2.9f, 0, -1.9f});  // hardly into the hall
  const Pack p = in.pack();
  EXPECT_EQ(in_room(p, 0), (Triangles{0, 1}));
  EXPECT_EQ(in_room(p, 1), (Triangles{0}));
  EXPECT_EQ(in_room(p, 2), (Triangles{0}));
  expect_sound(p);
}

TEST(SplashpackRooms, CellsMatchTheExportersOrder) {
  Interior in;
  in.room("room", {-80, -80, -80}, {80, 80, 80});
  // One in each octant, starting at the left, bottom, front (Z of the pack points away from the player, -Z of the
  // scene).
  for (int k = 7; k >= 0; --k) {
    const f32 x = k & 1 ? 40 : -40, y = k & 2 ? 40 : -40, z = k & 4 ? -40 : 40;
    in.triangle({x, y, z}, {x + 1, y, z}, {x, y + 1, z});
  }
  const Pack p = in.pack();
  ASSERT_EQ(p.rooms.at(0).cell_count, 8);
  for (size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(p.room_cells[k].ref_count, 1);
    EXPECT_EQ(p.room_refs[k].triangle, 7 - k);
  }
  const int x = p.room_cells[6].box.min.x.raw, y = p.room_cells[6].box.max.y.raw, z = p.room_cells[6].box.min.z.raw;
  EXPECT_EQ((Three{x, y, z}), (Three{-40, -40, 40}));
}

TEST(SplashpackRooms, EmptiesBecomeUprightPortals) {
  Interior in = Interior::with_two();
  in.door("portal", {0, 25, 10}, 30, 25);
  const Pack p = in.pack();
  ASSERT_EQ(p.room_portals.size(), 1u);
  const RoomPortal& d = p.room_portals[0];
  EXPECT_EQ(d.room_a, 0);
  EXPECT_EQ(d.room_b, 1);
  EXPECT_EQ(corner_numbers(d.center), (Three{0, -25, -10}));
  EXPECT_EQ(d.half_width.raw, 30);
  EXPECT_EQ(d.half_height.raw, 25);
  EXPECT_EQ(corner_numbers(d.normal), (Three{4096, 0, 0})) << "from the first room to the second";
  EXPECT_EQ(corner_numbers(d.up), (Three{0, -4096, 0}));
  EXPECT_EQ(corner_numbers(d.right), (Three{0, 0, -4096}));
  ASSERT_EQ(p.room_portal_refs.size(), 2u);
  EXPECT_EQ(p.room_portal_refs[0].room, 1);
  EXPECT_EQ(p.room_portal_refs[1].room, 0);
}

TEST(SplashpackRooms, FlatAndThinMeshesBecomePortals) {
  Interior in = Interior::with_two();
  Primitive plane;
  plane.positions = {{0, 0, -20}, {0, 0, 20}, {0, 40, 20}, {0, 40, -20}};
  plane.indices = {0, 1, 2, 0, 2, 3};
  in.node("Portal.001", in.mesh(plane));
  Primitive board;
  scene::add_box(board, {-2, 0, -20}, {2, 40, 20});
  in.node("portal-board", in.mesh(board));
  const Pack p = in.pack();
  ASSERT_EQ(p.room_portals.size(), 2u);
  for (const RoomPortal& d : p.room_portals) {
    EXPECT_EQ(corner_numbers(d.center), (Three{0, -20, 0}));
    EXPECT_EQ(corner_numbers(d.normal), (Three{4096, 0, 0}));
    EXPECT_EQ(d.half_width.raw, 20);
    EXPECT_EQ(d.half_height.raw, 20);
  }
}

TEST(SplashpackRooms, HorizontalMeshesBecomeFloorPortals) {
  Interior in;
  in.room("room_above", {-100, 0, -100}, {100, 50, 100});
  in.room("room_below", {-100, -50, -100}, {100, 0, 100});
  Primitive hatch;
  hatch.positions = {{-20, 0, -10}, {20, 0, -10}, {20, 0, 10}, {-20, 0, 10}};
  hatch.indices = {0, 1, 2, 0, 2, 3};
  in.node("portal", in.mesh(hatch));
  const Pack p = in.pack();
  ASSERT_EQ(p.room_portals.size(), 1u);
  EXPECT_EQ(corner_numbers(p.room_portals[0].normal), (Three{0, 4096, 0}));
  EXPECT_EQ(p.room_portals[0].half_width.raw, 20);
  EXPECT_EQ(p.room_portals[0].half_height.raw, 10);
}

TEST(SplashpackRooms, PortalPropertiesSelectTheirRooms) {
  Interior in = Interior::with_two();
  in.room("far", {500, 0, 0}, {600, 50, 100}).extras.add("kind", "room");
  scene::Node& named = in.door("portal_a", {0, 25, 0}, 30, 25);
  named.extras.add("room_a", "far");
  named.extras.add("room_b", "room_left");
  scene::Node& numbered = in.door("portal_b", {0, 25, 0}, 30, 25);
  numbered.extras.add("room_a", 1.0);  // Blender's numbers may be so
  numbered.extras.add("room_b", 2);
  const Pack p = in.pack();
  ASSERT_EQ(p.room_portals.size(), 2u);
  EXPECT_EQ(p.room_portals[0].room_a, 2);
  EXPECT_EQ(p.room_portals[0].room_b, 0);
  EXPECT_EQ(corner_numbers(p.room_portals[0].normal), (Three{-4096, 0, 0}));
  EXPECT_EQ(p.room_portals[1].room_a, 1);
  EXPECT_EQ(p.room_portals[1].room_b, 2);
}

TEST(SplashpackRooms, SkipsPortalsWithoutValidRooms) {
  const auto told = [](auto change) {
    Interior in = Interior::with_two();
    change(in, in.door("portal", {0, 25, 0}, 30, 25));
    std::string notes;
    const Pack p = in.pack(&notes);
    EXPECT_TRUE(p.room_portals.empty());
    EXPECT_TRUE(p.room_portal_refs.empty());
    expect_sound(p);
    return notes;
  };
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.extras.add("room_a", "cellar"); }),
              HasSubstr("is neither the number nor the name of a room"));
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.extras.add("room_b", 7); }),
              HasSubstr("is neither the number nor the name of a room"));
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.extras.add("room_b", -1); }),
              HasSubstr("is neither the number nor the name of a room"));
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.extras.add("room_b", 0.5); }),
              HasSubstr("is neither the number nor the name of a room"));
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.extras.add("room_b", Value::list()); }),
              HasSubstr("is neither the number nor the name of a room"));
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.extras.add("room_a", 0), n.extras.add("room_b", 0); }),
              HasSubstr("connects a room to itself"));
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.translation = {-100, 25, 0}; }),
              HasSubstr("a room on one side only"));
  EXPECT_THAT(told([](Interior&, scene::Node& n) { n.translation = {0, 2500, 0}; }),
              HasSubstr("no room on either side"));
  EXPECT_THAT(told([](Interior& in, scene::Node& n) { n.mesh = in.mesh({}); }), HasSubstr("has no area"));
  EXPECT_THAT(told([](Interior& in, scene::Node& n) {
                in.scene.nodes.pop_back();
                (void)n;
              }),
              HasSubstr("no portal connects the rooms"));
  Interior none;
  none.triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  none.door("portal", {0, 0, 0}, 1, 1);
  std::string notes;
  EXPECT_TRUE(none.pack(&notes).rooms.empty());
  EXPECT_THAT(notes, HasSubstr("no room on either side"));
}

TEST(SplashpackRooms, VisibleWallsAreNotRooms) {
  Interior in;
  in.scene.materials.push_back({.name = "wall"});
  in.room("room", {-10, 0, -10}, {10, 10, 10});
  for (Primitive& p : in.scene.meshes[0].primitives) p.material = 0;
  const Pack p = in.pack();
  EXPECT_TRUE(p.rooms.empty());
  EXPECT_EQ(p.objects.size(), 1u);
  EXPECT_EQ(p.scene_type, 0);
  in.scene.nodes[0].extras.add("kind", "room");
  EXPECT_EQ(in.pack().rooms.size(), 2u) << "unless they say so";
}

TEST(SplashpackRooms, SceneTypePropertyOverridesTheDefault) {
  Interior in = Interior::with_two();
  in.scene.extras.add("scene_type", 0);
  EXPECT_EQ(in.pack().scene_type, 0);
}

TEST(SplashpackRooms, OlderLayoutsDropRooms) {
  Interior in = Interior::with_two();
  in.triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const auto files = in.made("d");
  ASSERT_TRUE(files);
  EXPECT_TRUE(std::ranges::any_of(files->notes, [](const Diagnostic& d) {
    return d.id == "splashpack.make-lost" && d.message.find("2 rooms") != std::string::npos;
  }));
}

TEST(SplashpackRooms, NavRegionsStoreTheirRoom) {
  Interior in = Interior::with_two();
  in.room("room_closet", {10, 0, -10}, {40, 50, 30});
  Primitive floor;
  for (const f32 x : {-50.0f, 60.0f, 20.0f, 300.0f})
    for (const Vec3& v : {Vec3{x, 0, 0}, Vec3{x, 0, 10}, Vec3{x + 10, 0, 0}}) floor.positions.push_back(v);
  in.node("navmesh", in.mesh(floor));
  const Pack p = in.pack();
  ASSERT_TRUE(p.nav);
  ASSERT_EQ(p.nav->regions.size(), 4u);
  EXPECT_EQ(p.nav->regions[0].room, 0);
  EXPECT_EQ(p.nav->regions[1].room, 1);
  EXPECT_EQ(p.nav->regions[2].room, 2) << "the smallest of several";
  EXPECT_EQ(p.nav->regions[3].room, k_no_room);
}

TEST(SplashpackRooms, ReportsTooManyRoomsAndPortals) {
  Interior many;
  for (int i = 0; i < 300; ++i) many.room("room", {f32(i), 0, 0}, {f32(i + 1), 1, 1});
  many.triangle({280, 0, 0}, {281, 0, 0}, {280, 1, 0});
  std::string notes;
  const Pack p = many.pack(&notes);
  EXPECT_EQ(p.rooms.size(), 256u);
  expect_sound(p);
  EXPECT_EQ(in_room(p, 255), (Triangles{0})) << "in no room that there is";
  EXPECT_THAT(notes, HasSubstr("(limit: 255)"));
  EXPECT_THAT(notes, HasSubstr("the engine keeps track of only 31"));

  Interior doors = Interior::with_two();
  for (int i = 0; i < 300; ++i) doors.door("portal", {0, 25, 0}, 30, 25);
  EXPECT_EQ(doors.pack().room_portals.size(), 255u);
  EXPECT_THAT(doors.notes(), HasSubstr("more than 255 portals"));
}

TEST(SplashpackRooms, DropsRoomsWithTooManyTriangles) {
  Interior in = Interior::with_two();
  in.door("portal", {0, 25, 0}, 30, 25);
  // All of them reach through the portal: each is in two rooms.
  for (int i = 0; i < 32768; ++i) in.triangle({-20, 0, 0}, {20, 0, 0}, {-20, 0, f32(1 + i % 50)});
  std::string notes;
  const Pack p = in.pack(&notes);
  EXPECT_TRUE(p.rooms.empty() && p.room_portals.empty() && p.room_refs.empty() && p.room_portal_refs.empty());
  EXPECT_THAT(notes, HasSubstr("the rooms have more than 65535 triangles"));
  in.triangles.positions.resize(3 * 32767);
  const Pack most = in.pack();
  EXPECT_EQ(most.room_refs.size(), 65534u);
  expect_sound(most);
}

TEST(SplashpackRooms, RejectsInvalidRoomPositions) {
  for (const f32 bad : {std::numeric_limits<f32>::quiet_NaN(), std::numeric_limits<f32>::infinity(), 1e30f}) {
    for (const size_t node : {0, 2}) {
      Interior in = Interior::with_two();
      in.door("portal", {0, 25, 0}, 30, 25);
      in.scene.nodes[node].translation[1] = bad;
      const auto files = in.made();
      ASSERT_FALSE(files);
      EXPECT_EQ(files.error().id, std::isfinite(bad) ? "splashpack.make-range" : "scene.invalid");
    }
  }
}

TEST(SplashpackRooms, EveryTriangleIsDrawnInSomeRoom) {
  test::each_seed(100, [](u64 seed) {
    std::mt19937_64 random(seed);
    Interior in;
    const auto between = [&](int low, int high) { return low + int(random() % u64(high - low)); };  // high excluded
    const auto place = [&] {
      const f32 x = f32(between(-200, 200)), y = f32(between(-200, 200)), z = f32(between(-200, 200));
      return Vec3{x, y, z};
    };
    const int rooms = between(1, 6), doors = between(0, 6), triangles = between(1, 40);
    for (int i = 0; i < rooms; ++i) {
      const Vec3 a = place(), b = place();
      Vec3 low, high;
      for (size_t k = 0; k < 3; ++k) low[k] = std::min(a[k], b[k]), high[k] = std::max(a[k], b[k]);
      in.room("room", low, high);
    }
    for (int i = 0; i < doors; ++i) {
      const Vec3 at = place();
      const f32 width = f32(between(1, 100)), height = f32(between(1, 100));
      scene::Node& n = in.door("portal", at, width, height, between(0, 2));
      if (between(0, 2)) n.extras.add("room_a", between(-1, 7));
      if (between(0, 2)) n.extras.add("room_b", between(-1, 7));
    }
    for (int i = 0; i < triangles; ++i) {
      const Vec3 a = place(), b = place(), c = place();
      in.triangle(a, b, c);
    }
    expect_sound(in.pack());
  });
}

// ---- what a pack had

/// A pack converted to a scene, optionally changed, and back to a pack.
Pack returned(const Pack& p, const std::function<void(Scene&)>& change = {}) {
  auto staged = to_scene(p, {});
  EXPECT_TRUE(staged);
  if (!staged) return {};
  if (change) change(staged->scene);
  const auto files = make_pack_from_scene(staged->scene, {});
  EXPECT_TRUE(files) << (files ? "" : format_one_line(files.error()));
  if (!files) return {};
  const auto again = load<Pack>(files->files.front().bytes);
  EXPECT_TRUE(again);
  return again ? again->document.value() : Pack{};
}
/// Rooms and their related lists, as stored in the file.
Bytes rooms_of(const Pack& p) {
  Pack only;
  only.form = Layout::v21;
  only.rooms = p.rooms, only.room_portals = p.room_portals, only.room_refs = p.room_refs;
  only.room_cells = p.room_cells, only.room_portal_refs = p.room_portal_refs;
  return bytes_of(only);
}
Pack with_a_door() {
  Interior in = Interior::with_two();
  in.triangle({-90, 0, 0}, {-80, 0, 0}, {-80, 0, 10});
  in.triangle({80, 0, 0}, {90, 0, 0}, {90, 0, 10});
  in.triangle({-20, 0, 0}, {20, 0, 0}, {-20, 0, 10});
  in.triangle({0, 200, 0}, {10, 200, 0}, {0, 200, 10});
  in.door("portal", {0, 25, 0}, 30, 25);
  return in.pack();
}

TEST(SplashpackRooms, PackRoomsRoundTripThroughScenes) {
  Pack before = returned(with_a_door());  // in the scaling that scenes of packs have
  ASSERT_EQ(before.rooms.size(), 3u);
  EXPECT_EQ(rooms_of(returned(before)), rooms_of(before));
  // A tilted portal that faces the other way, as a pack may contain.
  RoomPortal& door = before.room_portals.at(0);
  door.right = {{0}, {2896}, {2896}}, door.up = {{0}, {-2896}, {2896}}, door.normal = {{-4096}, {0}, {0}};
  EXPECT_EQ(rooms_of(returned(before)), rooms_of(before));
}

TEST(SplashpackRooms, RebuildsRotatedPortals) {
  const Pack after = returned(with_a_door(), [](Scene& s) {
    const auto door = std::ranges::find(s.nodes, "portal_0", &scene::Node::name);
    ASSERT_NE(door, s.nodes.end());
    door->rotation = {0, std::sqrt(0.5f), 0, std::sqrt(0.5f)};
  });
  ASSERT_EQ(after.room_portals.size(), 1u);
  EXPECT_EQ(after.room_portals[0].normal.x.raw, 0);
  EXPECT_EQ(std::abs(after.room_portals[0].normal.z.raw), 4096);
}

TEST(SplashpackRooms, RemovingARoomRenumbersTheRest) {
  Pack before = returned(with_a_door());
  Nav nav;
  nav.regions.resize(2);
  for (NavRegion& r : nav.regions) r.xs[1].raw = r.zs[2].raw = 10, r.corner_count = 3;
  nav.regions[0].room = 1, nav.regions[1].room = k_no_room;
  before.nav = nav;
  const Pack same = returned(before);
  EXPECT_EQ(same.nav->regions[0].room, 1);
  EXPECT_EQ(same.nav->regions[1].room, k_no_room);
  const Pack after = returned(before, [](Scene& s) {
    const auto first = std::ranges::find(s.nodes, "room_0", &scene::Node::name);
    ASSERT_NE(first, s.nodes.end());
    first->extras = Value::object(), first->extras.add("kind", "ignore");
  });
  ASSERT_EQ(after.rooms.size(), 2u);
  EXPECT_TRUE(after.room_portals.empty()) << "it led to the room that is gone";
  EXPECT_EQ(after.nav->regions[0].room, 0);
  EXPECT_EQ(in_room(after, 1), (Triangles{0, 3}));
}

TEST(SplashpackRooms, SampleRoomsRoundTripThroughScenes) {
  const Pack before = sample_scene_with_everything().pack, after = returned(before);
  ASSERT_TRUE(std::ranges::any_of(after.objects, [](const Object& o) { return (o.flags & k_skinned) != 0; }));
  expect_sound(after);
  EXPECT_EQ(rooms_of(returned(after)), rooms_of(after)) << "they are made of the same triangles again";
  ASSERT_EQ(after.rooms.size(), before.rooms.size());
  for (size_t i = 0; i < after.rooms.size(); ++i) EXPECT_EQ(after.rooms[i].box, before.rooms[i].box);
  ASSERT_EQ(after.room_portals.size(), before.room_portals.size());
  const RoomPortal &was = before.room_portals[0], &is = after.room_portals[0];
  EXPECT_EQ(std::tie(is.room_a, is.room_b, is.center, is.normal, is.right, is.up),
            std::tie(was.room_a, was.room_b, was.center, was.normal, was.right, was.up));
  for (size_t i = 0; i < before.nav->regions.size(); ++i)
    EXPECT_EQ(after.nav->regions[i].room, before.nav->regions[i].room);
}

}  // namespace
}  // namespace dio::splashpack
