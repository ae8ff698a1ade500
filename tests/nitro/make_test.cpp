// make_test.cpp: models from scenes: polygons, display lists, skins and animations.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "formats/contract/findings.hpp"
#include "formats/contract/making.hpp"
#include "formats/nitro/from_scene/list_writer.hpp"
#include "formats/nitro/from_scene/matrix_stack.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/extent.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "scene/maths.hpp"

namespace dio::nitro {
namespace {

using Triangle = std::array<u32, 3>;

/// With the lowest vertex first.
Triangle turned(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}
/// What the hardware draws of runs, by GBATEK, "DS 3D Polygon Definitions by Vertices".
std::multiset<Triangle> drawn(std::span<const Run> runs) {
  std::multiset<Triangle> out;
  const auto add = [&](u32 a, u32 b, u32 c) { out.insert(turned({a, b, c})); };
  const auto quad = [&](u32 a, u32 b, u32 c, u32 d) { add(a, b, c), add(a, c, d); };
  for (const Run& r : runs) {
    const auto& v = r.vertices;
    if (r.kind == Run::triangles)
      for (size_t i = 0; i + 2 < v.size(); i += 3) add(v[i], v[i + 1], v[i + 2]);
    if (r.kind == Run::quads)
      for (size_t i = 0; i + 3 < v.size(); i += 4) quad(v[i], v[i + 1], v[i + 2], v[i + 3]);
    if (r.kind == Run::triangle_strip)
      for (size_t i = 0; i + 2 < v.size(); ++i) i % 2 ? add(v[i + 1], v[i], v[i + 2]) : add(v[i], v[i + 1], v[i + 2]);
    if (r.kind == Run::quad_strip)
      for (size_t i = 0; i + 3 < v.size(); i += 2) quad(v[i], v[i + 1], v[i + 3], v[i + 2]);
  }
  return out;
}
std::multiset<Triangle> given(std::span<const u32> corners) {
  std::multiset<Triangle> out;
  for (size_t i = 0; i + 2 < corners.size(); i += 3)
    if (corners[i] != corners[i + 1] && corners[i + 1] != corners[i + 2] && corners[i + 2] != corners[i])
      out.insert(turned({corners[i], corners[i + 1], corners[i + 2]}));
  return out;
}
size_t sent(std::span<const Run> runs) {
  size_t n = 0;
  for (const Run& r : runs) n += r.vertices.size();
  return n;
}

/// A grid of squares, each cut into two triangles; vertices are numbered row by row.
std::vector<u32> grid(u32 width, u32 height) {
  std::vector<u32> out;
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x) {
      const u32 a = y * (width + 1) + x, b = a + 1, c = a + width + 2, d = a + width + 1;
      out.insert(out.end(), {a, d, c, a, c, b});
    }
  return out;
}

}  // namespace

TEST(NitroRuns, TrianglesAloneAreDrawnAsTheyAre) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    std::vector<u32> corners(3 * (1 + random() % 60));
    for (u32& c : corners) c = random() % 20;
    EXPECT_EQ(drawn(runs_of(corners, nullptr)), given(corners));
  }
}

TEST(NitroRuns, SurfacesAreDrawnAsTheyAreWithQuads) {
  std::mt19937 random(22);
  for (int round = 0; round < 100; ++round) {
    const u32 width = 1 + random() % 9, height = 1 + random() % 9;
    std::vector<u32> corners = grid(width, height);
    for (size_t i = corners.size() / 3; i-- > 0;)  // with holes
      if (random() % 5 == 0) corners.erase(corners.begin() + long(3 * i), corners.begin() + long(3 * i + 3));
    // Quads may be cut along the other diagonal only if that is no other triangle: count corners, not triangles.
    const auto runs = runs_of(corners, [](const auto&) { return true; });
    std::multiset<u32> before, after;
    // Each corner of a quad lies in one or two of its triangles: the sets of corners stay, and so does their number.
    for (const Triangle& t : given(corners)) before.insert(t.begin(), t.end());
    const auto triangles = drawn(runs);
    for (const Triangle& t : triangles) after.insert(t.begin(), t.end());
    EXPECT_EQ(triangles.size(), corners.size() / 3);
    EXPECT_EQ(std::set<u32>(before.begin(), before.end()), std::set<u32>(after.begin(), after.end()));
    EXPECT_LE(sent(runs), corners.size());
  }
}

TEST(NitroRuns, AGridBecomesStripsOfQuads) {
  const auto runs = runs_of(grid(8, 8), [](const auto&) { return true; });
  EXPECT_EQ(runs.size(), 8u);
  for (const nitro::Run& r : runs) EXPECT_EQ(r.kind, nitro::Run::quad_strip);
  EXPECT_EQ(sent(runs), 8u * 18);
  EXPECT_EQ(drawn(runs), given(grid(8, 8)));
}

TEST(NitroRuns, ARingOfQuadsEnds) {
  std::vector<u32> corners;
  constexpr u32 n = 12;
  for (u32 i = 0; i < n; ++i) {
    const u32 a = i, b = (i + 1) % n, c = n + (i + 1) % n, d = n + i;
    corners.insert(corners.end(), {a, b, c, a, c, d});
  }
  const auto runs = runs_of(corners, [](const auto&) { return true; });
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(sent(runs), 2 * n + 2);
}

TEST(NitroLists, OnlyWhatChangesIsSent) {
  std::vector<Vertex> v(4);
  v[1].position = {4096, 64, 0}, v[2].position = {4097, 65, 1}, v[3].position = {-32768, 65, 1};
  v[3].texcoord = {16, -16};
  for (Vertex& one : v) one.color = 0x7FFF;
  const std::vector<nitro::Run> runs{{nitro::Run::triangle_strip, {0, 1, 2, 3}}};
  std::vector<u8> codes;
  const Bytes list = list_of(runs, v, {.texcoords = true, .color = 0x7FFF});
  ASSERT_TRUE(each_gx_command(list, [&](u8 code, const u8*) {
    if (code != gx::nop) codes.push_back(code);
  }));
  EXPECT_EQ(codes, (std::vector<u8>{gx::begin, gx::texcoord, gx::vtx_10, gx::vtx_10, gx::vtx_diff, gx::texcoord,
                                    gx::vtx_xy, gx::end}));
}

TEST(NitroStack, BatchesHoldNoMoreThanFits) {
  std::mt19937 random(23);
  std::vector<std::vector<u32>> needs(400);
  for (auto& n : needs)
    for (int k = 0; k < 3; ++k) n.push_back(random() % 60);
  std::multiset<u32> all;
  for (const auto& batch : batches_of(needs, 12)) {
    std::set<u32> has;
    for (const u32 t : batch) has.insert(needs[t].begin(), needs[t].end()), all.insert(t);
    EXPECT_LE(has.size(), 12u);
  }
  EXPECT_EQ(all.size(), needs.size());
  EXPECT_EQ(std::set<u32>(all.begin(), all.end()).size(), needs.size());
}

TEST(NitroNames, AreUniqueAndFit) {
  Names names;
  EXPECT_EQ(names("roof", "x"), "roof");
  EXPECT_EQ(names("roof", "x"), "roof_1");
  EXPECT_EQ(names("a very long name of a roof", "x"), "a_very_long_name");
  EXPECT_EQ(names("a very long name of a wall", "x"), "a_very_long_na_1");
  EXPECT_EQ(names("", "node"), "node");
  EXPECT_EQ(names.changed(), 4u);
}

TEST(NitroPivots, AreFoundAndGiveTheRotationBack) {
  std::mt19937 random(24);
  int pivots = 0;
  for (int i = 0; i < 2000; ++i) {
    const scene::Vec3 axes[] = {scene::k_axis_x, scene::k_axis_y, scene::k_axis_z};
    scene::Vec4 q = scene::from_axis_degrees(axes[random() % 3], f32(random() % 360));
    q = scene::multiply(scene::from_axis_degrees(axes[random() % 3], f32(90 * (random() % 4))), q);
    scene::Pose pose;
    pose.rotation = q;
    const Node n = node_of("n", pose);
    pivots += n.is_pivot;
    const Linear made = rotation_of(n);
    const scene::Mat3 wanted = scene::to_matrix(q);
    for (size_t c = 0; c < 3; ++c)
      for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(made.columns[c][k], wanted[c][k], 1.5 / 4096);
  }
  EXPECT_GT(pivots, 1900);
}

// ---- whole models ----

namespace {

/// A tube along a chain of `bones` joints, a unit apart, of rings of six vertices that follow the two nearest.
scene::Scene tube(u32 bones) {
  scene::Scene s;
  s.name = "tube";
  scene::Skin skin;
  for (u32 i = 0; i < bones; ++i) {
    scene::Node n;
    n.name = "bone" + std::to_string(i);
    n.parent = i ? i - 1 : scene::k_none;
    n.translation = {0, i ? 1.0f : 0.0f, 0};
    s.nodes.push_back(n);
    skin.joints.push_back(i);
    skin.inverse_bind.push_back({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -f32(i), 0, 1});
  }
  scene::Primitive p;
  for (u32 ring = 0; ring < 2 * bones; ++ring)
    for (u32 k = 0; k < 6; ++k) {
      const f64 a = k * std::numbers::pi / 3;
      p.positions.push_back({f32(std::cos(a)), ring * 0.5f, f32(std::sin(a))});
      const u16 below = u16(std::min(ring / 2, bones - 1)), above = u16(std::min(below + 1, int(bones) - 1));
      p.joints.push_back({below, above, 0, 0});
      p.weights.push_back(ring % 2 ? scene::Vec4{0.5f, 0.5f, 0, 0} : scene::Vec4{1, 0, 0, 0});
    }
  for (u32 ring = 0; ring + 1 < 2 * bones; ++ring)
    for (u32 k = 0; k < 6; ++k) {
      const u32 a = ring * 6 + k, b = ring * 6 + (k + 1) % 6, c = b + 6, d = a + 6;
      for (const u32 v : {a, d, c, a, c, b}) p.indices.push_back(v);
    }
  s.meshes.push_back({"tube", {p}});
  scene::Node mesh;
  mesh.name = "mesh";
  mesh.mesh = 0, mesh.skin = 0;
  s.nodes.push_back(mesh);
  s.skins.push_back(skin);
  scene::Animation wave;
  wave.name = "wave";
  for (u32 i = 1; i < bones; ++i) {
    scene::Channel c;
    c.node = i, c.target = scene::Channel::Target::rotation;
    c.times = {0, 0.5f, 1};
    c.values = {scene::k_no_rotation, scene::from_axis_degrees(scene::k_axis_z, 9), scene::k_no_rotation};
    wave.channels.push_back(c);
  }
  s.animations.push_back(wave);
  return s;
}

Nsbmd model_in(const Made& made) {
  auto file = load<Nsbmd>(made.files.at(0).bytes);
  EXPECT_TRUE(file) << file.error().message;
  return file->document.value();
}

}  // namespace

TEST(NitroMake, SkinsOfManyBonesBendAsTheSceneDoes) {
  for (const u32 bones : {3u, 20u, 28u, 60u, 200u}) {
    const scene::Scene s = tube(bones);
    const auto made = make_model(s, {});
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(made->files.size(), 2u);
    EXPECT_EQ(made->files[1].extension, ".nsbca");
    const Nsbmd file = model_in(*made);
    const Model& m = file.models.at(0);
    Findings findings(rules());
    check(file, findings);
    for (const Diagnostic& d : findings.list) EXPECT_NE(d.severity, Severity::error) << d.message;
    const auto motion = load<Nsbca>(made->files[1].bytes);
    ASSERT_TRUE(motion);
    const JointAnimation& a = motion->document.value().animations.at(0);
    EXPECT_EQ(a.frames, 61);
    const Program program = run(m);
    EXPECT_TRUE(program.faults.empty());
    for (const u32 frame : {0u, 17u, 30u}) {
      const auto matrices = matrices_of(program, m, pose_at(m, a, frame));
      // What the scene has: each bone turned in the last one.
      std::vector<scene::Affine> joints(bones);
      const f64 degrees = 9.0 * frame / 30;
      for (u32 i = 0; i < bones; ++i) {
        scene::Node n = s.nodes[i];
        if (i) n.rotation = scene::from_axis_degrees(scene::k_axis_z, f32(degrees));
        joints[i] = i ? joints[i - 1] * scene::affine_of(n) : scene::affine_of(n);
      }
      const scene::Primitive& p = s.meshes[0].primitives[0];
      std::vector<Point> wanted;
      for (size_t v = 0; v < p.positions.size(); ++v) {
        Point sum{};
        for (size_t k = 0; k < 2; ++k) {
          const u16 j = p.joints[v][k];
          const Point at = joints[j] * Point{p.positions[v][0], p.positions[v][1] - f64(j), p.positions[v][2]};
          for (size_t i = 0; i < 3; ++i) sum[i] += p.weights[v][k] * at[i];
        }
        wanted.push_back(sum);
      }
      Geometry g;
      size_t corners = 0;
      f64 worst = 0;
      for (const Draw& d : program.draws) {
        run_list(d, program, 0, g);
        for (const Corner& c : g.corners) {
          const Point at = matrices[c.matrix] * Point{f64(c.position[0]) * c.scale, f64(c.position[1]) * c.scale,
                                                      f64(c.position[2]) * c.scale};
          f64 nearest = 1e30;
          for (const Point& w : wanted)
            nearest = std::min(nearest, std::hypot(w[0] - at[0], w[1] - at[1], w[2] - at[2]));
          worst = std::max(worst, nearest);
          ++corners;
        }
      }
      EXPECT_GE(corners, p.positions.size());
      // Rotations have twelve bits and add up along the chain; positions of long ones are coarse.
      EXPECT_LT(worst, 0.01 + bones * bones * 2e-4) << bones << " bones, frame " << frame;
    }
  }
}

TEST(NitroMake, RefusesWhatNoModelCanHold) {
  const auto id_of = [](const Result<Made>& made) { return made ? std::string("made") : made.error().id; };
  scene::Scene empty;
  EXPECT_EQ(id_of(make_model(empty, {})), "nitro.make-empty");
  scene::Scene far = tube(2);
  for (scene::Vec3& p : far.meshes[0].primitives[0].positions) p[0] += 20000;
  EXPECT_EQ(id_of(make_model(far, {})), "nitro.make-far");
  EXPECT_EQ(id_of(make_model(tube(300), {})), "nitro.make-many");
  const Argument wrong[] = {{"quads", "maybe"}};
  EXPECT_EQ(id_of(make_model(tube(2), wrong)), "make.argument");
  scene::Scene invalid = tube(2);
  invalid.nodes[0].mesh = 7;
  EXPECT_EQ(id_of(make_model(invalid, {})), "nitro.make-scene");
}

TEST(NitroMake, UnitsAndQuadsAreOptions) {
  const Argument words[] = {{"units-per-metre", "16"}, {"quads", "no"}};
  const auto plain = make_model(tube(3), {}), other = make_model(tube(3), words);
  ASSERT_TRUE(plain && other);
  const auto a = extent_of(model_in(*plain).models[0]), b = extent_of(model_in(*other).models[0]);
  ASSERT_TRUE(a && b);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(16 * a->high[i], b->high[i], 0.01);
  EXPECT_EQ(model_in(*other).models[0].quad_count, 0);
}

}  // namespace dio::nitro
