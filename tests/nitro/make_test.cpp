// make_test.cpp: models made from scenes: polygons, display lists, skins and animations.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "formats/contract/building.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/from_scene/display_list_writer.hpp"
#include "formats/nitro/from_scene/matrix_stack.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/from_scene/skeleton.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/extent.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/shape_facts.hpp"
#include "formats/registry.hpp"
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"
#include "scene/channels.hpp"
#include "scene/image.hpp"
#include "scene/math.hpp"
#include "scene/transforms.hpp"

namespace dio::nitro {
namespace {

using Triangle = std::array<u32, 3>;

/// Rotated so that the lowest vertex comes first.
Triangle turned(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}
/// Triangles that the hardware draws for runs; see GBATEK, "DS 3D Polygon Definitions by Vertices".
std::multiset<Triangle> drawn(std::span<const scene::PrimitiveRun> runs) {
  std::multiset<Triangle> out;
  const auto add = [&](u32 a, u32 b, u32 c) { out.insert(turned({a, b, c})); };
  const auto quad = [&](u32 a, u32 b, u32 c, u32 d) { add(a, b, c), add(a, c, d); };
  for (const scene::PrimitiveRun& r : runs) {
    const auto& v = r.vertices;
    if (r.kind == scene::PrimitiveRun::triangles)
      for (size_t i = 0; i + 2 < v.size(); i += 3) add(v[i], v[i + 1], v[i + 2]);
    if (r.kind == scene::PrimitiveRun::quads)
      for (size_t i = 0; i + 3 < v.size(); i += 4) quad(v[i], v[i + 1], v[i + 2], v[i + 3]);
    if (r.kind == scene::PrimitiveRun::triangle_strip)
      for (size_t i = 0; i + 2 < v.size(); ++i) i % 2 ? add(v[i + 1], v[i], v[i + 2]) : add(v[i], v[i + 1], v[i + 2]);
    if (r.kind == scene::PrimitiveRun::quad_strip)
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
size_t sent(std::span<const scene::PrimitiveRun> runs) {
  size_t n = 0;
  for (const scene::PrimitiveRun& r : runs) n += r.vertices.size();
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

TEST(NitroPrimitiveRuns, RunsWithoutQuadsKeepAllTriangles) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    std::vector<u32> corners(3 * (1 + random() % 60));
    for (u32& c : corners) c = random() % 20;
    EXPECT_EQ(drawn(scene::build_primitive_runs(corners, nullptr)), given(corners));
  }
}

TEST(NitroPrimitiveRuns, QuadsRenderLikeTriangles) {
  std::mt19937 random(22);
  for (int round = 0; round < 100; ++round) {
    const u32 width = 1 + random() % 9, height = 1 + random() % 9;
    std::vector<u32> corners = grid(width, height);
    for (size_t i = corners.size() / 3; i-- > 0;)  // with holes
      if (random() % 5 == 0) corners.erase(corners.begin() + long(3 * i), corners.begin() + long(3 * i + 3));
    // The hardware may split a quad along the other diagonal, so compare vertices instead of triangles.
    const auto runs = scene::build_primitive_runs(corners, [](const auto&) { return true; });
    std::multiset<u32> before, after;
    // The set of vertices and the number of triangles must not change.
    for (const Triangle& t : given(corners)) before.insert(t.begin(), t.end());
    const auto triangles = drawn(runs);
    for (const Triangle& t : triangles) after.insert(t.begin(), t.end());
    EXPECT_EQ(triangles.size(), corners.size() / 3);
    EXPECT_EQ(std::set<u32>(before.begin(), before.end()), std::set<u32>(after.begin(), after.end()));
    EXPECT_LE(sent(runs), corners.size());
  }
}

TEST(NitroPrimitiveRuns, GridBecomesQuadStrips) {
  const auto runs = scene::build_primitive_runs(grid(8, 8), [](const auto&) { return true; });
  EXPECT_EQ(runs.size(), 8u);
  for (const scene::PrimitiveRun& r : runs) EXPECT_EQ(r.kind, scene::PrimitiveRun::quad_strip);
  EXPECT_EQ(sent(runs), 8u * 18);
  EXPECT_EQ(drawn(runs), given(grid(8, 8)));
}

TEST(NitroPrimitiveRuns, ClosedRingBecomesOneQuadStrip) {
  std::vector<u32> corners;
  constexpr u32 n = 12;
  for (u32 i = 0; i < n; ++i) {
    const u32 a = i, b = (i + 1) % n, c = n + (i + 1) % n, d = n + i;
    corners.insert(corners.end(), {a, b, c, a, c, d});
  }
  const auto runs = scene::build_primitive_runs(corners, [](const auto&) { return true; });
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(sent(runs), 2 * n + 2);
}

TEST(NitroLists, WritesOnlyChangedVertexAttributes) {
  std::vector<Vertex> v(4);
  v[1].position = {4096, 64, 0}, v[2].position = {4097, 65, 1}, v[3].position = {-32768, 65, 1};
  v[3].texcoord = {16, -16};
  for (Vertex& one : v) one.color = 0x7FFF;
  const std::vector<scene::PrimitiveRun> runs{{scene::PrimitiveRun::triangle_strip, {0, 1, 2, 3}}};
  std::vector<u8> codes;
  const Bytes list = write_display_list(runs, v, {.texcoords = true, .color = 0x7FFF});
  ASSERT_TRUE(for_each_gx_command(list, [&](u8 code, const u8*) {
    if (code != gx::nop) codes.push_back(code);
  }));
  EXPECT_EQ(codes, (std::vector<u8>{gx::begin, gx::texcoord, gx::vtx_10, gx::vtx_10, gx::vtx_diff, gx::texcoord,
                                    gx::vtx_xy, gx::end}));
}

TEST(NitroLists, CountsGeometryCyclesPerCommand) {
  std::vector<Vertex> v(3);
  v[1].position = {64, 0, 0}, v[2].position = {1, 2, 3};
  for (Vertex& one : v) one.is_lit = one.has_normal = true, one.normal = {0, 0, 511};
  const std::vector<scene::PrimitiveRun> runs{{scene::PrimitiveRun::triangles, {0, 1, 2}}};
  // BEGIN, NORMAL, two VTX_10, VTX_DIFF, END; NOPs take none.
  const Bytes list = write_display_list(runs, v, {});
  EXPECT_EQ(geometry_cycles(list, 1), 1u + 9 + 8 + 8 + 8 + 1);
  EXPECT_EQ(geometry_cycles(list, 4), geometry_cycles(list, 1) + 3);
  // MTX_RESTORE and MTX_SCALE where the matrix changes.
  const Bytes skinned = write_display_list(runs, v, {.slot_of = [](u16) { return u8(3); }});
  EXPECT_EQ(geometry_cycles(skinned, 1), geometry_cycles(list, 1) + 36 + 22);
  EXPECT_EQ(geometry_cycles(Bytes{0xFF, 0xFF, 0xFF, 0xFF}, 1), 0u);  // damaged
}

TEST(NitroMatrixStack, BatchesFitTheMatrixStack) {
  std::mt19937 random(23);
  std::vector<std::vector<u32>> needs(400);
  for (auto& n : needs)
    for (int k = 0; k < 3; ++k) n.push_back(random() % 60);
  std::multiset<u32> all;
  for (const auto& batch : split_into_batches(needs, 12)) {
    std::set<u32> has;
    for (const u32 t : batch) has.insert(needs[t].begin(), needs[t].end()), all.insert(t);
    EXPECT_LE(has.size(), 12u);
  }
  EXPECT_EQ(all.size(), needs.size());
  EXPECT_EQ(std::set<u32>(all.begin(), all.end()).size(), needs.size());
}

TEST(NitroNames, GeneratesUniqueNamesWithinSixteenCharacters) {
  Names names;
  EXPECT_EQ(names("roof", "x"), "roof");
  EXPECT_EQ(names("roof", "x"), "roof_1");
  EXPECT_EQ(names("a very long name of a roof", "x"), "a_very_long_name");
  EXPECT_EQ(names("a very long name of a wall", "x"), "a_very_long_na_1");
  EXPECT_EQ(names("", "node"), "node");
  EXPECT_EQ(names.changed(), 4u);
}

TEST(NitroPivots, PivotEncodingPreservesTheRotation) {
  std::mt19937 random(24);
  int pivots = 0;
  for (int i = 0; i < 2000; ++i) {
    const scene::Vec3 axes[] = {scene::k_axis_x, scene::k_axis_y, scene::k_axis_z};
    scene::Vec4 q = scene::from_axis_degrees(axes[random() % 3], f32(random() % 360));
    q = scene::multiply(scene::from_axis_degrees(axes[random() % 3], f32(90 * (random() % 4))), q);
    scene::Pose pose;
    pose.rotation = q;
    const Node n = build_node("n", pose);
    pivots += n.is_pivot;
    const Mat3d made = rotation_matrix(n);
    const scene::Mat3 wanted = scene::to_matrix(q);
    for (size_t c = 0; c < 3; ++c)
      for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(made.columns[c][k], wanted[c][k], 1.5 / 4096);
  }
  EXPECT_GT(pivots, 1900);
}

// ---- whole models ----

namespace {

/// A tube of six-vertex rings along a chain of `bones` joints, one unit apart; each ring follows the two nearest
/// joints.
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

TEST(NitroMake, LargeSkinsBendLikeTheScene) {
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
    const Program program = run_sbc(m);
    EXPECT_TRUE(program.faults.empty());
    for (const u32 frame : {0u, 17u, 30u}) {
      const auto matrices = compute_matrices(program, m, pose_at(m, a, frame));
      // In the scene, each bone is rotated relative to the previous one.
      std::vector<scene::Affine> joints(bones);
      const f64 degrees = 9.0 * frame / 30;
      for (u32 i = 0; i < bones; ++i) {
        scene::Node n = s.nodes[i];
        if (i) n.rotation = scene::from_axis_degrees(scene::k_axis_z, f32(degrees));
        joints[i] = i ? joints[i - 1] * scene::local_transform(n) : scene::local_transform(n);
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
        run_display_list(d, program, 0, g);
        for (const GxVertex& c : g.corners) {
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
      // Rotations have 12 bits and errors add up along the chain; positions in long chains are coarse.
      EXPECT_LT(worst, 0.01 + bones * bones * 2e-4) << bones << " bones, frame " << frame;
    }
  }
}

namespace {

/// Vertex positions of a model at a frame, and the matrix of each node.
std::vector<Point> corners_at(const Model& m, const JointAnimation& a, u32 frame) {
  const Program program = run_sbc(m);
  const auto matrices = compute_matrices(program, m, pose_at(m, a, frame));
  std::vector<Point> out;
  Geometry g;
  for (const Draw& d : program.draws) {
    run_display_list(d, program, 0, g);
    for (const GxVertex& c : g.corners)
      out.push_back(matrices[c.matrix] *
                    Point{f64(c.position[0]) * c.scale, f64(c.position[1]) * c.scale, f64(c.position[2]) * c.scale});
  }
  return out;
}

}  // namespace

TEST(NitroMake, KeepsNodesThatUndoTheirParentsScale) {
  Nsbmd crane = make::file_of({nitro::crane().models.at(0)});
  const Nsbca joints = crane_joints();
  DocumentOf<Nsbca> document(load<Nsbca>(make::bytes_of(joints))->document);
  const Companion companion{"crane.nsbca", find_format("nsbca"), &document};
  const auto staged = to_scene(crane, {.companions = {&companion, 1}});
  ASSERT_TRUE(staged);
  const auto made = make_model(staged->scene, {});
  ASSERT_TRUE(made) << made.error().message;
  const Nsbmd file = model_in(*made);
  const Model &before = crane.models[0], &after = file.models[0];
  EXPECT_EQ(after.scaling_rule, before.scaling_rule);
  ASSERT_EQ(after.nodes.size(), before.nodes.size());
  const auto flags_of = [](const Model& m) {
    std::vector<std::pair<u8, u8>> out;
    for (const SbcCommand& c : m.sbc)
      if (c.code == sbc::nodedesc) out.emplace_back(c.index, c.flags);
    return out;
  };
  EXPECT_EQ(flags_of(after), flags_of(before));
  const auto motion = load<Nsbca>(made->files.at(1).bytes);
  ASSERT_TRUE(motion);
  const JointAnimation &was = joints.animations.at(0), &is = motion->document.value().animations.at(0);
  ASSERT_EQ(is.frames, was.frames);
  for (u32 f = 0; f < was.frames; ++f) {
    const auto from = corners_at(before, was, f), to = corners_at(after, is, f);
    for (const Point& a : from) {
      f64 nearest = 1e30;
      for (const Point& b : to) nearest = std::min(nearest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      ASSERT_LT(nearest, 0.01) << "frame " << f;
    }
  }
}

TEST(NitroMake, RejectsUnsupportedScenesAndArguments) {
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
  EXPECT_EQ(id_of(make_model(invalid, {})), "scene.invalid");
}

namespace {

/// A square with a single-colour picture, and two more pictures shown by other materials.
scene::Scene pictures(std::string_view listed) {
  scene::Scene s;
  s.name = "sign";
  for (u32 i = 0; i < 3; ++i) {
    scene::Image image;
    image.name = "sign_" + std::to_string(i);
    image.width = image.height = 8;
    for (u32 k = 0; k < 64; ++k) image.pixels.insert(image.pixels.end(), {u8(80 * i), 40, 200, 255});
    s.images.push_back(image);
    scene::Texture t;
    t.image = i;
    s.textures.push_back(t);
    scene::Material m;
    m.name = "m" + std::to_string(i);
    m.texture = i;
    m.extras = Value::object();
    if (!i) m.extras.add("pictures", listed);
    s.materials.push_back(m);
    scene::Primitive p;
    p.positions = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    p.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    p.indices = {0, 1, 2, 0, 2, 3};
    p.material = i;
    s.meshes.push_back({"square", {p}});
    scene::Node n;
    n.name = i ? "ignore." + std::to_string(i) : "sign";
    n.mesh = i;
    s.nodes.push_back(n);
  }
  return s;
}
PatternAnimation pattern_in(const Made& made) {
  const auto file = std::ranges::find(made.files, ".nsbtp", &BuiltFile::extension);
  if (file == made.files.end()) return {};
  return load<Nsbtp>(file->bytes)->document.value().animations.at(0);
}
std::vector<std::tuple<u32, std::string, std::string>> keys_of(const PatternAnimation& a) {
  std::vector<std::tuple<u32, std::string, std::string>> out;
  for (const PatternKey& k : a.materials.at(0).keys)
    out.emplace_back(k.frame, a.texture_names.at(k.texture).name, a.palette_names.at(k.palette).name);
  return out;
}

}  // namespace

TEST(NitroMake, MaterialPictureListBecomesPatternAnimation) {
  const auto made = make_model(pictures("sign_0, sign_2.png 3,  sign_1 , sign_0 5"), {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(std::ranges::none_of(made->notes, [](const auto& n) { return n.id == "nitro.make-pictures"; }));
  const Nsbmd file = model_in(*made);
  ASSERT_EQ(file.models[0].materials.size(), 1u);
  ASSERT_TRUE(file.textures);
  EXPECT_EQ(file.textures->textures.size(), 3u);
  const PatternAnimation a = pattern_in(*made);
  EXPECT_EQ(a.name, "sign");
  EXPECT_EQ(a.frames, 8 + 3 + 8 + 5);
  const std::vector<std::tuple<u32, std::string, std::string>> wanted{
      {0, "sign_0", "sign_0_pl"}, {8, "sign_2", "sign_2_pl"}, {11, "sign_1", "sign_1_pl"}, {19, "sign_0", "sign_0_pl"}};
  EXPECT_EQ(keys_of(a), wanted);
  EXPECT_EQ(a.materials[0].name, file.models[0].materials[0].name);
}

TEST(NitroMake, ReportsUnusableAnimationPictures) {
  scene::Scene s = pictures("sign_0, nothing 4, sign_1");
  s.images[1].width = 16;
  s.images[1].pixels.insert(s.images[1].pixels.end(), s.images[1].pixels.begin(), s.images[1].pixels.end());
  const auto made = make_model(s, {});
  ASSERT_TRUE(made);
  std::vector<std::string> said;
  for (const Diagnostic& n : made->notes)
    if (n.id == "nitro.make-pictures") said.push_back(n.place.path + ": " + n.message);
  EXPECT_EQ(said,
            (std::vector<std::string>{"m0: the scene has no picture named \"nothing\"",
                                      "m0: the texture of the picture \"sign_1\" is 16 x 8, but the material's own "
                                      "texture is 8 x 8, so the game repeats or crops the picture"}));
  EXPECT_EQ(keys_of(pattern_in(*made)).size(), 2u);
  // Without a picture at rest, there is nothing to animate.
  s.materials[0].texture = scene::k_none;
  const auto none = make_model(s, {});
  ASSERT_TRUE(none);
  EXPECT_EQ(pattern_in(*none).frames, 0);
}

TEST(NitroMake, UsesTextureNamesFromMaterialProperties) {
  scene::Scene s = pictures("");
  const auto state = [&](size_t i, const char* texture, const char* palette) {
    s.materials[i].extras.add("texture", texture);
    s.materials[i].extras.add("palette", palette);
    s.nodes[i].name = "sign" + std::to_string(i);
  };
  state(0, "wood", "brown");
  state(1, "wood", "green");  // the same texels in other colours
  state(2, "far_away", "grey");
  s.materials[2].texture = scene::k_none;  // the game has it elsewhere
  Value& size = s.materials[2].extras.add("texture_size", Value::list());
  size.push(32), size.push(16);
  const auto made = make_model(s, {});
  ASSERT_TRUE(made) << made.error().message;
  const Nsbmd file = model_in(*made);
  std::map<std::string, std::string> textures, palettes;
  for (const auto& [list, to] : {std::pair(&file.models[0].textures, &textures), {&file.models[0].palettes, &palettes}})
    for (const Pairing& p : *list)
      for (const u8 m : p.materials) (*to)[file.models[0].materials[m].name] = p.name;
  const std::map<std::string, std::string> wanted{{"m0", "wood"}, {"m1", "wood"}, {"m2", "far_away"}},
      wanted_palettes{{"m0", "brown"}, {"m1", "green"}, {"m2", "grey"}};
  EXPECT_EQ(textures, wanted);
  EXPECT_EQ(palettes, wanted_palettes);
  ASSERT_EQ(file.textures->textures.size(), 1u);
  EXPECT_EQ(file.textures->palettes.size(), 2u);
  const Material& away = file.models[0].materials[2];
  EXPECT_EQ(away.original_width, 32);
  EXPECT_EQ(away.original_height, 16);
  const Geometry g = [&] {
    Geometry out;
    const Program program = run_sbc(file.models[0]);
    for (const Draw& d : program.draws)
      if (d.material == 2) run_display_list(d, program, 0, out);
    return out;
  }();
  i16 widest = 0;
  for (const GxVertex& c : g.corners) widest = std::max(widest, i16(c.texcoord[0]));
  EXPECT_EQ(widest, 32 * 16);
}

namespace {

std::vector<std::string> notes_of(const Made& made, std::string_view id) {
  std::vector<std::string> out;
  for (const Diagnostic& n : made.notes)
    if (n.id == id) out.push_back((n.place.path.empty() ? "" : n.place.path + ": ") + n.message);
  return out;
}

}  // namespace

TEST(NitroMake, NotesNameTheAffectedObject) {
  scene::Scene s = pictures("");
  s.images[0].width = s.images[0].height = 12;  // no power of two
  s.images[0].pixels.assign(12 * 12 * 4, 255);
  scene::Primitive& p = s.meshes[0].primitives[0];
  p.uvs[1] = {9000, 1};  // beyond what a coordinate holds, and not near the others
  scene::Primitive line = p;
  line.shape = scene::Primitive::Shape::lines, line.indices = {0, 1};
  s.meshes[0].primitives.push_back(line);
  const auto made = make_model(s, {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(notes_of(*made, "nitro.make-size"),
            std::vector<std::string>{
                "material m0, picture sign_0: the picture is 12 x 12 pixels, but its texture is 16 x 16"});
  ASSERT_EQ(notes_of(*made, "nitro.make-uvs").size(), 1u);
  EXPECT_NE(notes_of(*made, "nitro.make-uvs")[0].find(": m0 ("), std::string::npos);
  EXPECT_EQ(notes_of(*made, "nitro.make-shapes"),
            std::vector<std::string>{"omitted 1 point or line primitive: sign (1)"});
  // Objects with too many bones, or more polygons than a frame can draw.
  const auto many = make_model(tube(300), {});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().place.path, "mesh");
  const auto heavy = make_model(tube(200), {});
  ASSERT_TRUE(heavy);
  const auto said = notes_of(*heavy, "nitro.make-heavy");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].ends_with("most triangles are in mesh (4788)")) << said[0];
}

TEST(NitroMake, ReportsColorAndMotionErrors) {
  scene::Scene s = pictures("");
  scene::Image& image = s.images[0];
  for (size_t i = 0; i < 64; ++i)
    image.pixels[4 * i] = u8(i * 4), image.pixels[4 * i + 1] = 0, image.pixels[4 * i + 2] = 0;
  const Argument four[] = {{"texture-format", "palette4"}};
  const auto made = make_model(s, four);
  ASSERT_TRUE(made);
  const auto said = notes_of(*made, "nitro.make-colors");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("material m0, picture sign_0: ")) << said[0];
  // Four reds between 0 and 252: each colour is at most an eighth of the range away, plus 5-bit rounding.
  const size_t by = said[0].find("on average and by ");
  ASSERT_NE(by, std::string::npos) << said[0];
  const std::string worst = said[0].substr(by + 18);
  EXPECT_GT(std::stoi(worst), 20) << said[0];
  EXPECT_LT(std::stoi(worst), 60) << said[0];
  EXPECT_TRUE(notes_of(*make_model(s, {}), "nitro.make-colors").empty());
  // A jitter that interpolation loses; then no motion.
  scene::Scene moving = tube(2);
  scene::Channel c;
  c.node = 1, c.target = scene::Channel::Target::translation;
  for (u32 f = 0; f < 9; ++f) c.times.push_back(f32(f) / 60), c.values.push_back({0, 1 + 0.0005f * f32(f % 2), 0, 0});
  moving.animations[0].channels = {c};
  const auto near = make_model(moving, {});
  ASSERT_TRUE(near);
  ASSERT_EQ(notes_of(*near, "nitro.make-motion").size(), 1u);
  EXPECT_NE(notes_of(*near, "nitro.make-motion")[0].find("at most 0.0005 units"), std::string::npos)
      << notes_of(*near, "nitro.make-motion")[0];
  for (auto& value : moving.animations[0].channels[0].values) value = {0, 1, 0, 0};
  EXPECT_TRUE(notes_of(*make_model(moving, {}), "nitro.make-motion").empty());
}

TEST(NitroMake, AppliesUnitAndQuadOptions) {
  const Argument words[] = {{"units-per-metre", "16"}, {"quads", "no"}};
  const auto plain = make_model(tube(3), {}), other = make_model(tube(3), words);
  ASSERT_TRUE(plain && other);
  const auto a = compute_extent(model_in(*plain).models[0]), b = compute_extent(model_in(*other).models[0]);
  ASSERT_TRUE(a && b);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(16 * a->high[i], b->high[i], 0.01);
  EXPECT_EQ(model_in(*other).models[0].quad_count, 0);
}

namespace {

/// A square of two units on its own node.
scene::Scene square_on_a_node() {
  scene::Scene s;
  s.name = "plane";
  scene::Primitive p;
  p.positions = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
  p.indices = {0, 1, 2, 0, 2, 3};
  s.meshes.push_back({"plane", {p}});
  scene::Node n;
  n.name = "plane", n.mesh = 0;
  n.extras = Value::object();
  n.extras.add("bone", true);
  s.nodes.push_back(n);
  return s;
}
/// The greatest distance from an asked point to the nearest point found.
f64 farthest_from(const std::vector<Point>& found, const std::vector<Point>& asked) {
  f64 far = found.empty() ? 1e30 : 0;
  for (const Point& a : asked) {
    f64 nearest = 1e30;
    for (const Point& b : found) nearest = std::min(nearest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    far = std::max(far, nearest);
  }
  return far;
}
std::vector<Point> corners_of(const scene::Scene& s) {
  const auto places = scene::world_transforms(s);
  std::vector<Point> out;
  for (size_t i = 0; i < s.nodes.size(); ++i)
    if (s.nodes[i].mesh != scene::k_none)
      for (const scene::Vec3& at : s.meshes[s.nodes[i].mesh].primitives[0].positions)
        out.push_back(places[i] * Point{at[0], at[1], at[2]});
  return out;
}
JointAnimation still(const Model& m) {
  JointAnimation a{};
  a.frames = 1;
  for (size_t i = 0; i < m.nodes.size(); ++i) {
    Track t{};
    t.node = u8(i);
    t.translation_model = t.rotation_model = t.scale_model = 1;
    a.tracks.push_back(t);
  }
  return a;
}
std::vector<BuiltFile> files_of(const Made& made, std::string_view ending) {
  std::vector<BuiltFile> out;
  for (const BuiltFile& f : made.files)
    if (f.extension.ends_with(ending)) out.push_back(f);
  return out;
}

}  // namespace

TEST(NitroMake, ZeroScaleNodesKeepTheirPosition) {
  for (const scene::Vec3& scale : {scene::Vec3{16, 0, 16}, {0, 3, 4}, {0, 0, 5}, {0, 2, 0}, {0, 0, 0}})
    for (const bool is_below : {false, true}) {
      scene::Scene s = square_on_a_node();
      s.nodes[0].scale = scale;
      s.nodes[0].translation = {1, 2, 3};
      s.nodes[0].rotation = scene::from_axis_degrees(scene::k_axis_x, 90);
      if (is_below) {  // another node draws, which is no bone
        scene::Node below;
        below.name = "below", below.parent = 0, below.mesh = 0;
        below.translation = {0.5f, 0, 0.25f};
        s.nodes[0].mesh = scene::k_none;
        s.nodes.push_back(below);
      }
      // An animation scales it to the normal size.
      scene::Channel c;
      c.node = 0, c.target = scene::Channel::Target::scale;
      c.times = {0, 1.0f / 60};
      c.values = {{scale[0], scale[1], scale[2], 0}, {2, 2, 2, 0}};
      s.animations.push_back({"grow", {c}});
      const auto made = make_model(s, {});
      ASSERT_TRUE(made) << made.error().message;
      const Nsbmd file = model_in(*made);
      const Model& m = file.models[0];
      EXPECT_LT(farthest_from(corners_at(m, still(m), 0), corners_of(s)), 0.01);
      const auto extent = compute_extent(m);
      ASSERT_TRUE(extent);
      const f64 box = m.box_scale.value();
      EXPECT_NEAR(m.box.x.value() * box, extent->low[0], 0.01);
      EXPECT_NEAR((m.box.y.value() + m.box.height.value()) * box, extent->high[1], 0.01);
      ASSERT_EQ(made->files.size(), 2u);
      const auto motion = load<Nsbca>(made->files[1].bytes);
      ASSERT_TRUE(motion);
      scene::Scene grown = s;
      grown.nodes[0].scale = {2, 2, 2};
      const auto found = corners_at(m, motion->document.value().animations.at(0), 1);
      EXPECT_LT(farthest_from(found, corners_of(grown)), 0.01) << scale[0] << ' ' << scale[1] << ' ' << scale[2];
    }
}

TEST(NitroMake, KeepsUnusedTextures) {
  const Nsbmd before = windmill();
  const auto staged = to_scene(before, {});
  ASSERT_TRUE(staged);
  const auto made = make_model(staged->scene, {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(notes_of(*made, "nitro.make-pictures").empty());
  const Nsbmd after = model_in(*made);
  ASSERT_TRUE(after.textures);
  ASSERT_EQ(after.textures->textures.size(), before.textures->textures.size());
  for (size_t i = 0; i < before.textures->textures.size(); ++i) {
    const Texture &was = before.textures->textures[i], &is = after.textures->textures[i];
    EXPECT_EQ(is.name, was.name);
    EXPECT_EQ(is.texels, was.texels);
    EXPECT_EQ(is.format, was.format);
    EXPECT_EQ(is.color0_clear, was.color0_clear);
  }
  ASSERT_EQ(after.textures->palettes.size(), before.textures->palettes.size());
  for (size_t i = 0; i < before.textures->palettes.size(); ++i)
    EXPECT_EQ(after.textures->palettes[i].name, before.textures->palettes[i].name);
  // A program that drops them.
  scene::Scene without = staged->scene;
  std::erase_if(without.materials, [](const scene::Material& m) { return m.name == "sail_torn"; });
  const auto lost = make_model(without, {});
  ASSERT_TRUE(lost);
  EXPECT_EQ(notes_of(*lost, "nitro.make-pictures"),
            std::vector<std::string>{"windmill: the scene lacks the texture \"sail_torn\" of the exported model, so "
                                     "the new model lacks it as well"});
}

TEST(NitroMake, KeepsUnusedTransparentColor) {
  for (const bool is_clear : {false, true}) {
    Nsbmd before = crate();
    Texture& planks = before.textures->textures.at(0);
    planks.color0_clear = is_clear;
    before.textures->palettes.at(0).colors[0] = 0x1234;
    const auto staged = to_scene(before, {});
    ASSERT_TRUE(staged);
    scene::Scene painted = staged->scene;  // as programs without palettes give it back
    painted.images.at(0) = scene::to_rgba(painted.images[0]);
    for (const scene::Scene* s : {&std::as_const(staged->scene), &std::as_const(painted)}) {
      const auto made = make_model(*s, {});
      ASSERT_TRUE(made) << made.error().message;
      const Nsbmd file = model_in(*made);
      const Texture& after = file.textures->textures.at(0);
      EXPECT_EQ(after.color0_clear, is_clear);
      EXPECT_EQ(after.format, planks.format);
      if (s == &painted) continue;
      EXPECT_EQ(after.texels, planks.texels);
      EXPECT_EQ(file.textures->palettes.at(0).colors, before.textures->palettes[0].colors);
    }
  }
}

TEST(NitroMake, KeepsTheOriginalNodeOrder) {
  const auto loaded = load<Nsbmd>(make::bytes_of(windmill()));
  ASSERT_TRUE(loaded);
  const Nsbmd before = loaded->document.value();
  const auto staged = to_scene(before, {});
  ASSERT_TRUE(staged);
  // Reversed children, as other programs sort them.
  const scene::Scene& s = staged->scene;
  std::vector<scene::Index> order;
  const std::function<void(scene::Index)> add = [&](scene::Index parent) {
    for (size_t i = s.nodes.size(); i-- > 0;)
      if (s.nodes[i].parent == parent) order.push_back(scene::Index(i)), add(scene::Index(i));
  };
  add(scene::k_none);
  scene::Scene other = s;
  for (size_t i = 0; i < order.size(); ++i) {
    other.nodes[i] = s.nodes[order[i]];
    if (other.nodes[i].parent != scene::k_none)
      other.nodes[i].parent = scene::Index(std::ranges::find(order, other.nodes[i].parent) - order.begin());
  }
  const auto names_in = [](const Made& made) {
    std::vector<std::string> out;
    const Nsbmd file = model_in(made);
    for (const Node& n : file.models[0].nodes) out.push_back(n.name);
    return out;
  };
  const auto made = make_model(other, {});
  ASSERT_TRUE(made) << made.error().message;
  std::vector<std::string> wanted;
  for (const Node& n : before.models[0].nodes) wanted.push_back(n.name);
  EXPECT_EQ(names_in(*made), wanted);
  EXPECT_TRUE(notes_of(*made, "nitro.make-order").empty());
  const Model& m = before.models[0];
  const Nsbmd again = model_in(*made);
  EXPECT_LT(farthest_from(corners_at(again.models[0], still(m), 0), corners_at(m, still(m), 0)), 0.01);
  // New nodes come last, as do nodes that lost their number.
  scene::Node added;
  added.name = "added", added.extras = Value::object();
  added.parent = scene::Index(std::ranges::find(other.nodes, wanted[0], &scene::Node::name) - other.nodes.begin());
  added.extras.add("bone", true);
  other.nodes.push_back(added);
  wanted.push_back("added");
  EXPECT_EQ(names_in(*make_model(other, {})), wanted);
  for (scene::Node& n : other.nodes)
    if (n.name == wanted[1]) n.extras = Value::object();
  const auto renumbered = make_model(other, {});
  ASSERT_TRUE(renumbered);
  ASSERT_EQ(notes_of(*renumbered, "nitro.make-order").size(), 1u);
  EXPECT_NE(notes_of(*renumbered, "nitro.make-order")[0].find("\"door\" is node 1 instead of node 3"),
            std::string::npos)
      << notes_of(*renumbered, "nitro.make-order")[0];
}

TEST(NitroMake, KeepsFrameNumbersAtAnotherFrameRate) {
  Nsbmd model = windmill();
  const Nsbca joints = windmill_joints();
  DocumentOf<Nsbca> document(load<Nsbca>(make::bytes_of(joints))->document);
  const Companion companion{"windmill.nsbca", find_format("nsbca"), &document};
  const auto staged = to_scene(model, {.companions = {&companion, 1}});
  ASSERT_TRUE(staged);
  const Argument together[] = {{"clips", "together"}};  // without extras, nothing says that they were in one file
  const auto asked = make_model(staged->scene, together);
  ASSERT_TRUE(asked);
  const auto with_rate = [&](f32 rate, bool has_extras) {
    scene::Scene s = staged->scene;
    for (scene::Animation& a : s.animations) {
      if (!has_extras) a.extras = {};
      for (scene::Channel& c : a.channels)
        for (f32& t : c.times) t = t * 60 / rate;
    }
    return s;
  };
  for (const f32 rate : {24.0f, 25.0f, 30.0f})
    for (const bool has_extras : {false, true}) {
      const auto made = make_model(with_rate(rate, has_extras), together);
      ASSERT_TRUE(made) << made.error().message;
      EXPECT_EQ(files_of(*made, ".nsbca").at(0).bytes, files_of(*asked, ".nsbca").at(0).bytes) << rate;
      EXPECT_NE(notes_of(*made, "nitro.make-motion").at(0).find("keep their numbers"), std::string::npos);
    }
  // The original rate is unknown: the times in seconds stay, with a note.
  scene::Scene unknown = with_rate(24, false);
  for (scene::Node& n : unknown.nodes) n.extras = {};
  const auto kept = make_model(unknown, {});
  ASSERT_TRUE(kept);
  EXPECT_EQ(notes_of(*kept, "nitro.make-motion").at(0),
            "animation turn: all keys are on whole frames at 24 frames per second, but not at 60");
  const auto frames_in = [](const Made& made) {
    return load<Nsbca>(files_of(made, ".nsbca").at(0).bytes)->document.value().animations.at(0).frames;
  };
  const u32 frames = joints.animations.at(0).frames;
  EXPECT_NEAR(frames_in(*kept), (frames - 1) * 60 / 24 + 1, 1);
  const Argument stated[] = {{"frames", "24"}};
  EXPECT_EQ(frames_in(*make_model(unknown, stated)), frames);
  // Sampled at 24 frames a second, as by programs that drop everything after their last frame.
  scene::Scene sampled = staged->scene;
  for (scene::Channel& c : sampled.animations.at(0).channels) {
    const scene::Channel was = c;
    c.times.clear(), c.values.clear();
    for (u32 f = 0; f / 24.0 <= (frames - 1) / 60.0; ++f)
      c.times.push_back(f32(f) / 24), c.values.push_back(scene::value_at(was, f / 24.0));
  }
  EXPECT_EQ(frames_in(*make_model(sampled, {})), frames);
}

TEST(NitroMake, WritesEachClipToItsOwnFile) {
  scene::Scene s = tube(3);
  s.animations.push_back(s.animations[0]);
  s.animations[1].name = "open/door";
  scene::Animation nothing;
  nothing.name = "nothing";
  s.animations.push_back(nothing);
  const auto extensions_of = [](const Made& made) {
    std::vector<std::string> out;
    for (const BuiltFile& f : made.files) out.push_back(f.extension);
    return out;
  };
  const auto apart = make_model(s, {});
  ASSERT_TRUE(apart) << apart.error().message;
  EXPECT_EQ(extensions_of(*apart), (std::vector<std::string>{".nsbmd", ".wave.nsbca", ".open_door.nsbca"}));
  for (const BuiltFile& f : files_of(*apart, ".nsbca"))
    EXPECT_EQ(load<Nsbca>(f.bytes)->document.value().animations.size(), 1u);
  EXPECT_EQ(notes_of(*apart, "nitro.make-motion").back(),
            "animation nothing: the animation is omitted because it moves no part of the model");
  const Argument together[] = {{"clips", "together"}};
  const auto one = make_model(s, together);
  ASSERT_TRUE(one);
  EXPECT_EQ(extensions_of(*one), (std::vector<std::string>{".nsbmd", ".nsbca"}));
  EXPECT_EQ(load<Nsbca>(one->files[1].bytes)->document.value().animations.size(), 2u);
  // Animations from one file go back into one file.
  for (scene::Animation& a : s.animations) a.extras = Value::object(), a.extras.add("file", "door.nsbca");
  EXPECT_EQ(extensions_of(*make_model(s, {})), (std::vector<std::string>{".nsbmd", ".nsbca"}));
  s.animations.push_back(s.animations[0]);
  s.animations.back().extras = Value::object();
  s.animations.back().extras.add("file", "other.nsbca");
  s.animations.back().name = "third";
  EXPECT_EQ(extensions_of(*make_model(s, {})), (std::vector<std::string>{".nsbmd", ".door.nsbca", ".third.nsbca"}));
}

}  // namespace dio::nitro
