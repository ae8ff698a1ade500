// Node transforms of Nitro models: curves, rotations, poses, and the matrices computed by the SBC. Expected values are
// computed by hand from the rules in src/formats/nitro/README.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/nitro/layout/curves.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "invented/expect_laws.hpp"

namespace {

using namespace dio;
using namespace dio::nitro;
using test::hex;
using testing::ElementsAre;

constexpr u8 k_every = 0, k_every_2nd = 1, k_every_4th = 2;

f64 value(const std::vector<f64>& samples, const CurvePlace& p) {
  const f64 first = samples.at(p.first);
  return p.weight == 0 ? first : first * (1 - p.weight) + samples.at(p.second) * p.weight;
}

// ---- curves ----

std::vector<f64> whole_values(const std::vector<f64>& samples, u8 step, u32 last, u32 frames) {
  std::vector<f64> out;
  for (u32 f = 0; f < frames; ++f) out.push_back(value(samples, locate_whole_frame(step, last, f)));
  return out;
}
TEST(NitroCurveSampling, ReadsOneSamplePerFrame) {
  EXPECT_THAT(whole_values({3, 1, 4, 1}, k_every, 4, 4), ElementsAre(3, 1, 4, 1));
}
TEST(NitroCurveSampling, InterpolatesBetweenEverySecondFrame) {
  // frames 0 2 4 6 8, then 9
  EXPECT_THAT(whole_values({10, 20, 40, 80, 160, 5}, k_every_2nd, 8, 10),
              ElementsAre(10, 15, 20, 30, 40, 60, 80, 120, 160, 5));
  EXPECT_THAT(whole_values({10, 20, 40}, k_every_2nd, 4, 5), ElementsAre(10, 15, 20, 30, 40));  // nothing is left
}
TEST(NitroCurveSampling, InterpolatesBetweenEveryFourthFrame) {
  // frames 0 4 8, then 9 10
  EXPECT_THAT(whole_values({0, 40, -40, 7, 9}, k_every_4th, 8, 11),
              ElementsAre(0, 10, 20, 30, 40, 20, 0, -20, -40, 7, 9));
  EXPECT_THAT(whole_values({0, 40, -40, 7, 9}, 3, 8, 11), ElementsAre(0, 10, 20, 30, 40, 20, 0, -20, -40, 7, 9));
  EXPECT_THAT(whole_values({6, 8, 9, 5}, k_every_4th, 0, 4), ElementsAre(6, 8, 9, 5));  // too short for a second one
}
TEST(NitroCurveSampling, InterpolatesAtFractionalFrames) {
  const auto at = [](const std::vector<f64>& samples, u8 step, u32 last, u32 frames, bool to_first, f64 frame) {
    return value(samples, locate_fractional_frame(step, last, frames, to_first, frame));
  };
  const std::vector<f64> each{0, 10, 30};
  EXPECT_EQ(at(each, k_every, 3, 3, false, 1), 10);
  EXPECT_EQ(at(each, k_every, 3, 3, false, 0.5), 5);
  EXPECT_EQ(at(each, k_every, 3, 3, false, 1.25), 15);
  EXPECT_EQ(at(each, k_every, 3, 3, false, 2.5), 30);  // the last frame holds
  EXPECT_EQ(at(each, k_every, 3, 3, true, 2.5), 15);   // or goes back to the first
  const std::vector<f64> second{0, 20, 60, 100};       // frames 0 2 4 5
  EXPECT_EQ(at(second, k_every_2nd, 4, 6, false, 0.5), 5);
  EXPECT_EQ(at(second, k_every_2nd, 4, 6, false, 1.5), 15);
  EXPECT_EQ(at(second, k_every_2nd, 4, 6, false, 3.5), 50);
  EXPECT_EQ(at(second, k_every_2nd, 4, 6, false, 4.5), 80);  // samples lie a frame apart here
  EXPECT_EQ(at(second, k_every_2nd, 4, 6, false, 5.5), 100);
  EXPECT_EQ(at(second, k_every_2nd, 4, 6, true, 5.5), 50);
  const std::vector<f64> fourth{8, 40, 50, 90};  // frames 0 4 5 6
  EXPECT_EQ(at(fourth, k_every_4th, 4, 7, false, 2.5), 28);
  EXPECT_EQ(at(fourth, k_every_4th, 4, 7, false, 3), 32);
  EXPECT_EQ(at(fourth, k_every_4th, 4, 7, false, 4.25), 42.5);
  EXPECT_EQ(at(fourth, k_every_4th, 4, 7, false, 5.5), 70);
  EXPECT_EQ(at(fourth, k_every_4th, 4, 7, false, 6.25), 90);
  EXPECT_EQ(at(fourth, k_every_4th, 4, 7, true, 6.25), 69.5);
}

// ---- rotations ----

TEST(NitroRotations, DecodesPivotsOfEveryElementAndSign) {
  constexpr size_t k_places[9][4] = {{4, 5, 7, 8}, {3, 5, 6, 8}, {3, 4, 6, 7}, {1, 2, 7, 8}, {0, 2, 6, 8},
                                     {0, 1, 6, 7}, {1, 2, 4, 5}, {0, 2, 3, 5}, {0, 1, 3, 4}};
  constexpr fx16 a{1024}, b{-3072};  // 1/4 and -3/4: which is which shows
  for (u8 p = 0; p < 9; ++p)
    for (u8 signs = 0; signs < 8; ++signs) {
      const bool negative = signs & 1, c_negative = signs & 2, d_negative = signs & 4;
      std::array<f64, 9> expected{};
      expected[p] = negative ? -1 : 1;
      expected[k_places[p][0]] = 0.25;
      expected[k_places[p][1]] = -0.75;
      expected[k_places[p][2]] = c_negative ? 0.75 : -0.75;
      expected[k_places[p][3]] = d_negative ? -0.25 : 0.25;
      const auto check = [&](const Mat3d& m, const char* from) {
        for (size_t i = 0; i < 9; ++i)
          EXPECT_EQ(m.columns[i / 3][i % 3], expected[i])
              << from << ": pivot " << int(p) << ", signs " << int(signs) << ", element " << i;
      };
      check(rotation_matrix(PivotRotation{p, negative, c_negative, d_negative, 0, a, b}), "table");
      Node n{};
      n.is_pivot = 1, n.pivot_index = p, n.pivot = {a, b}, n.m00 = {4096};
      n.pivot_negative = negative, n.c_negative = c_negative, n.d_negative = d_negative;
      check(rotation_matrix(n), "node");
    }
}
TEST(NitroRotations, StoresMatricesColumnByColumn) {
  Node n{};
  n.m00 = {512};
  for (size_t i = 0; i < 8; ++i) n.rotation[i] = {i16(512 * (i + 2))};
  const Mat3d m = rotation_matrix(n);
  EXPECT_THAT(m.columns[0], ElementsAre(0.125, 0.25, 0.375));
  EXPECT_THAT(m.columns[1], ElementsAre(0.5, 0.625, 0.75));
  EXPECT_THAT(m.columns[2], ElementsAre(0.875, 1, 1.125));
  n.no_rotation = 1;
  EXPECT_EQ(rotation_matrix(n), Mat3d());
}
TEST(NitroRotations, DecodesFiveWordBases) {
  // axes (1/2, 3547, 0) and (-3547, 1/2, z), with z = 1234: 15 bits 000 010 011 010 010, for words 4, 0, 1, 2, 3
  const auto third = [](u16 w4, u16 w0, u16 w1, u16 w2, u16 w3) {
    return rotation_matrix(
        BasisRotation{{u16(0x4000 | w0), u16(0x6ED8 | w1), u16(0x0000 | w2), u16(0x9128 | w3), u16(0x4000 | w4)}});
  };
  const Mat3d m = third(0, 2, 3, 2, 2);
  const f64 sine = 3547 / 4096.0, z = 1234 / 4096.0;
  EXPECT_THAT(m.columns[0], ElementsAre(0.5, sine, 0));
  EXPECT_THAT(m.columns[1], ElementsAre(-sine, 0.5, z));
  // the cross product
  EXPECT_THAT(m.columns[2], ElementsAre(sine * z, -0.5 * z, 0.25 + sine * sine));
  // -1234 in 13 bits is 1 101 100 101 110; the two bits above are ignored
  for (const u16 top : {1, 3, 5, 7}) EXPECT_EQ(third(top, 5, 4, 5, 6).columns[1][2], -z) << top;
}

// ---- poses ----

/// A node translated by (1, 2, 3), rotated by 90 degrees about z, and scaled by 2.
Node turned_node() {
  Node n{};
  n.translation = {{4096}, {8192}, {12288}};
  n.is_pivot = 1, n.pivot_index = 8, n.pivot = {fx16{0}, fx16{4096}}, n.c_negative = 1;
  n.scale = {{8192}, {8192}, {8192}};
  n.inverse_scale = {{2048}, {2048}, {2048}};
  return n;
}
const Mat3d k_quarter{{Point{0, 1, 0}, Point{-1, 0, 0}, Point{0, 0, 1}}};

TEST(NitroPoses, RestPoseFollowsTheNodeFlags) {
  Node n = turned_node();
  NodePose p = rest_pose(n);
  EXPECT_THAT(p.translation, ElementsAre(1, 2, 3));
  EXPECT_EQ(p.rotation, k_quarter);
  EXPECT_THAT(p.scale, ElementsAre(2, 2, 2));
  EXPECT_THAT(p.inverse_scale, ElementsAre(0.5, 0.5, 0.5));
  n.no_translation = n.no_rotation = n.no_scale = 1;
  p = rest_pose(n);
  EXPECT_THAT(p.translation, ElementsAre(0, 0, 0));
  EXPECT_EQ(p.rotation, Mat3d());
  EXPECT_THAT(p.scale, ElementsAre(1, 1, 1));
  EXPECT_THAT(p.inverse_scale, ElementsAre(1, 1, 1));
}
TEST(NitroPoses, TwoBitsSelectTheSourceOfMissingValues) {
  const Node n = turned_node();
  JointAnimation a{};
  a.frames = 1;
  const auto pose = [&](auto change) {
    Track t{};
    change(t);
    a.tracks = {t};
    return pose_at(n, a, 0, 0);
  };
  const NodePose identity = pose([](Track& t) { t.translation_identity = t.rotation_identity = t.scale_identity = 1; });
  EXPECT_THAT(identity.translation, ElementsAre(0, 0, 0));
  EXPECT_EQ(identity.rotation, Mat3d());
  EXPECT_THAT(identity.scale, ElementsAre(1, 1, 1));
  EXPECT_THAT(identity.inverse_scale, ElementsAre(1, 1, 1));
  const NodePose model = pose([](Track& t) { t.translation_model = t.rotation_model = t.scale_model = 1; });
  EXPECT_THAT(model.translation, ElementsAre(1, 2, 3));
  EXPECT_EQ(model.rotation, k_quarter);
  EXPECT_THAT(model.scale, ElementsAre(2, 2, 2));
  EXPECT_THAT(model.inverse_scale, ElementsAre(0.5, 0.5, 0.5));
  const NodePose mixed = pose([](Track& t) { t.translation_model = t.rotation_identity = t.scale_model = 1; });
  EXPECT_THAT(mixed.translation, ElementsAre(1, 2, 3));
  EXPECT_EQ(mixed.rotation, Mat3d());
  EXPECT_THAT(mixed.scale, ElementsAre(2, 2, 2));
  // with the whole-node bit, the model's node and the other bits are ignored
  const NodePose nothing =
      pose([](Track& t) { t.identity = t.translation_model = t.rotation_model = t.scale_model = 1; });
  EXPECT_THAT(nothing.translation, ElementsAre(0, 0, 0));
  EXPECT_EQ(nothing.rotation, Mat3d());
  EXPECT_THAT(nothing.scale, ElementsAre(1, 1, 1));
  // a node without a track
  EXPECT_THAT(pose_at(n, a, 1, 0).translation, ElementsAre(1, 2, 3));
}

Curve curve(u8 step, u16 last) {
  Curve c{};
  c.step = step, c.last = last;
  return c;
}

/// An animation of one node: x has a sample for each of three frames, y is always 5, z has one for every second frame.
JointAnimation moving_node() {
  JointAnimation a{};
  a.frames = 3;
  Track& t = a.tracks.emplace_back();
  t.rotation_identity = t.scale_identity = 1;
  t.translation[0].curve = curve(k_every, 3);
  t.translation[0].samples = {0, 4096, 3 * 4096};
  t.translation[1].constant = 1;
  t.translation[1].value = {5 * 4096};
  t.translation[2].curve = curve(k_every_2nd, 2);
  t.translation[2].samples = {4096, 2 * 4096};
  return a;
}
TEST(NitroPoses, InterpolatesFramesOnlyIfFlagged) {
  JointAnimation a = moving_node();
  const auto at = [&](f64 frame) { return pose_at(Node{}, a, 0, frame).translation; };
  EXPECT_THAT(at(0), ElementsAre(0, 5, 1));
  EXPECT_THAT(at(1), ElementsAre(1, 5, 1.5));  // samples of a step always are
  EXPECT_THAT(at(1.75), ElementsAre(1, 5, 1.5));
  EXPECT_THAT(at(2.75), ElementsAre(3, 5, 2));
  a.interpolate = 1;
  EXPECT_THAT(at(1.75), ElementsAre(2.5, 5, 1.875));
  EXPECT_THAT(at(2.75), ElementsAre(3, 5, 2));  // held
  a.interpolate_last = 1;
  EXPECT_THAT(at(2.75), ElementsAre(0.75, 5, 1.25));  // on to the first
}
TEST(NitroPoses, ClampsFramesOutsideTheAnimation) {
  const JointAnimation a = moving_node();
  EXPECT_THAT(pose_at(Node{}, a, 0, -4).translation, ElementsAre(0, 5, 1));
  EXPECT_THAT(pose_at(Node{}, a, 0, 1e9).translation, ElementsAre(3, 5, 2));
}
TEST(NitroPoses, ReadsScalesAndStoredInverses) {
  JointAnimation a{};
  a.frames = 2;
  a.interpolate = 1;
  Track& t = a.tracks.emplace_back();
  t.translation_identity = t.rotation_identity = 1;
  t.scale[0].curve = curve(k_every, 2);
  t.scale[0].samples = {4096, 4096, 16384, 1024};  // 1 and 1, 4 and 1/4
  t.scale[1].constant = t.scale[2].constant = 1;
  t.scale[1].value = {8192}, t.scale[1].inverse = {2048};
  t.scale[2].value = {0}, t.scale[2].inverse = {0};
  EXPECT_THAT(pose_at(Node{}, a, 0, 1).scale, ElementsAre(4, 2, 0));
  EXPECT_THAT(pose_at(Node{}, a, 0, 1).inverse_scale, ElementsAre(0.25, 0.5, 0));
  EXPECT_THAT(pose_at(Node{}, a, 0, 0.5).scale, ElementsAre(2.5, 2, 0));
  EXPECT_THAT(pose_at(Node{}, a, 0, 0.5).inverse_scale, ElementsAre(0.625, 0.5, 0));  // not 1 / 2.5
}
TEST(NitroPoses, InterpolatesRotationsElementByElement) {
  JointAnimation a{};
  a.frames = 2;
  a.interpolate = 1;
  Track& t = a.tracks.emplace_back();
  t.translation_identity = t.scale_identity = 1;
  t.rotation.curve = curve(k_every, 2);
  const PivotRotation none{0, 0, 0, 0, 0, {4096}, {0}}, quarter{8, 0, 1, 0, 0, {0}, {4096}},
      mirror{0, 0, 0, 1, 0, {4096}, {0}};
  a.pivots = {none, quarter, mirror};
  const auto at = [&](u16 first, u16 second, f64 frame) {
    a.tracks[0].rotation.samples = {first, second};
    return pose_at(Node{}, a, 0, frame).rotation;
  };
  EXPECT_EQ(at(0x8000, 0x8001, 1), k_quarter);
  const Mat3d half = at(0x8000, 0x8001, 0.5);
  const f64 r = std::sqrt(0.5);
  EXPECT_THAT(half.columns[0], ElementsAre(testing::DoubleEq(r), testing::DoubleEq(r), 0));
  EXPECT_THAT(half.columns[1], ElementsAre(testing::DoubleEq(-r), testing::DoubleEq(r), 0));
  EXPECT_THAT(half.columns[2], ElementsAre(0, 0, 1));
  // a quarter of the time is not a quarter of the angle: the result is (3/4, 1/4), normalized
  EXPECT_DOUBLE_EQ(at(0x8000, 0x8001, 0.25).columns[0][0], 3 / std::sqrt(10.0));
  // the third axis of pivots is also interpolated: three quarters of the way to a mirror image it points back ...
  EXPECT_THAT(at(0x8000, 0x8002, 0.75).columns[2], ElementsAre(0, 0, -1));
  // ... but next to a basis (here almost the identity), it is the cross product
  a.bases = {{{0x7FF8, 0, 0, 0, 0x7FF8}}};
  EXPECT_THAT(at(0x0000, 0x8002, 0.75).columns[2], ElementsAre(0, 0, 1));
}

// ---- the SBC ----

std::vector<SbcCommand> commands(const std::string& letters) {
  const Bytes bytes = hex(letters);
  Reader r(bytes, std::endian::little);
  std::vector<SbcCommand> all;
  while (r.here() < bytes.size() && !r.failure) SbcCommand::layout(r, all.emplace_back());
  EXPECT_FALSE(r.failure) << letters;
  return all;
}
fx32 number(f64 x) { return {i32(x * 4096)}; }
Node plain_node(Point translation, Point scale = {1, 1, 1}) {
  Node n{};
  n.no_rotation = 1;
  n.translation = {number(translation[0]), number(translation[1]), number(translation[2])};
  n.scale = {number(scale[0]), number(scale[1]), number(scale[2])};
  n.inverse_scale = {number(1 / scale[0]), number(1 / scale[1]), number(1 / scale[2])};
  return n;
}
Model model_of(std::vector<Node> nodes, const std::string& sbc, size_t shapes = 1) {
  Model m{};
  m.pos_scale = m.inverse_pos_scale = {4096};
  m.nodes = std::move(nodes);
  m.sbc = commands(sbc);
  m.shapes.resize(shapes);
  m.materials.resize(2);
  return m;
}
/// The matrix of each draw at rest; there must be no faults.
std::vector<Affine> drawn_with(const Model& m, const Pose& pose) {
  const Program p = run_sbc(m);
  EXPECT_TRUE(p.faults.empty()) << p.faults[0].second;
  const auto all = compute_matrices(p, m, pose);
  std::vector<Affine> out;
  for (const Draw& d : p.draws) out.push_back(all[d.matrix]);
  return out;
}
std::vector<Affine> drawn_with(const Model& m) { return drawn_with(m, rest_pose(m)); }
/// A matrix, given by the images of the three axes and of the origin.
Affine matrix(Point x, Point y, Point z, Point origin) { return {{{x, y, z}}, origin}; }

/// Three nodes, each a child of the previous one: all but the last are scaled, the middle one is rotated by 90 degrees.
Model three_nodes(u8 rule, const std::string& sbc) {
  Node middle = turned_node();
  middle.translation = {{4096}, {4096}, {0}};
  middle.scale = {number(4), number(1), number(1)};
  middle.inverse_scale = {number(0.25), number(1), number(1)};
  Model m = model_of({plain_node({1, 0, 0}, {2, 4, 1}), middle, plain_node({0, 1, 0})}, sbc);
  m.scaling_rule = rule;
  return m;
}
const char* const k_three = "06 000000 05 00  06 010000 05 00  06 020100 05 00  01";
const char* const k_three_undone = "06 000002 05 00  06 010003 05 00  06 020101 05 00  01";

TEST(NitroMatrices, StandardRuleMultipliesAllScales) {
  // (x, y, z) -> (1 + 2x, 4y, z)
  // -> scaled (4x, y, z), turned (-y, 4x, z), moved (1 - y, 1 + 4x, z), then as above
  // -> moved (x, 1 + y, z), then as above
  EXPECT_THAT(drawn_with(three_nodes(0, k_three)), ElementsAre(matrix({2, 0, 0}, {0, 4, 0}, {0, 0, 1}, {1, 0, 0}),
                                                               matrix({0, 16, 0}, {-2, 0, 0}, {0, 0, 1}, {3, 4, 0}),
                                                               matrix({0, 16, 0}, {-2, 0, 0}, {0, 0, 1}, {1, 4, 0})));
  // only the Maya rule uses the flags
  EXPECT_EQ(drawn_with(three_nodes(0, k_three_undone)), drawn_with(three_nodes(0, k_three)));
}
TEST(NitroMatrices, MayaRuleUndoesTheParentsOwnScale) {
  // the second: (-y, 4x, z) undone is (-y/2, x, z), moved (1 - y/2, 1 + x, z), then (3 - y, 4 + 4x, z)
  // the third: undone (x/4, y, z), moved (x/4, 1 + y, z), then (2 - y, 4 + x, z)
  const Model m = three_nodes(1, k_three_undone);
  EXPECT_THAT(drawn_with(m), ElementsAre(matrix({2, 0, 0}, {0, 4, 0}, {0, 0, 1}, {1, 0, 0}),
                                         matrix({0, 4, 0}, {-1, 0, 0}, {0, 0, 1}, {3, 4, 0}),
                                         matrix({0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {2, 4, 0})));
  // only nodes with the flag
  EXPECT_THAT(drawn_with(three_nodes(1, "06 000002 05 00  06 010003 05 00  06 020100 05 00  01"))[2],
              matrix({0, 4, 0}, {-1, 0, 0}, {0, 0, 1}, {2, 4, 0}));
  EXPECT_EQ(drawn_with(three_nodes(1, k_three)), drawn_with(three_nodes(0, k_three)));
  // the stored inverse is used: an inverse of 1 undoes nothing
  Pose pose = rest_pose(m);
  pose[0].inverse_scale = {1, 1, 1};
  EXPECT_THAT(drawn_with(m, pose)[1], matrix({0, 16, 0}, {-2, 0, 0}, {0, 0, 1}, {3, 4, 0}));
}
TEST(NitroMatrices, SoftimageRuleNeverScalesAlongTheParentsAxes) {
  // the second, P = (2, 4, 1): scaled (4x, y, z), by P (8x, 4y, z), turned (-4y, 8x, z), moved by (2, 4, 0),
  // undone (1 - 2y, 1 + 2x, z), then (3 - 4y, 4 + 8x, z)
  // the third, P = (8, 4, 1): (8x, 4y, z), moved by (0, 4, 0), undone (x, 1 + y, z), then (-1 - 4y, 4 + 8x, z)
  const Model m = three_nodes(2, k_three);
  EXPECT_THAT(drawn_with(m), ElementsAre(matrix({2, 0, 0}, {0, 4, 0}, {0, 0, 1}, {1, 0, 0}),
                                         matrix({0, 8, 0}, {-4, 0, 0}, {0, 0, 1}, {3, 4, 0}),
                                         matrix({0, 8, 0}, {-4, 0, 0}, {0, 0, 1}, {-1, 4, 0})));
  EXPECT_THAT(cumulative_scales(m, rest_pose(m), false), ElementsAre(Point{2, 4, 1}, Point{8, 4, 1}, Point{8, 4, 1}));
  EXPECT_THAT(cumulative_scales(m, rest_pose(m), true),
              ElementsAre(Point{0.5, 0.25, 1}, Point{0.125, 0.25, 1}, Point{0.125, 0.25, 1}));
}

Affine at(f64 x, f64 y, f64 z, f64 scale = 1) { return matrix({scale, 0, 0}, {0, scale, 0}, {0, 0, scale}, {x, y, z}); }
TEST(NitroMatrices, LoadsMatricesBeforeStoringThem) {
  const Model m = model_of({plain_node({1, 0, 0}), plain_node({0, 10, 0}), plain_node({0, 0, 100})},
                           "26 000000 05  26 010000 06  66 020000 07 05  05 00"  // node 2 in the matrix of slot 5
                           "03 05 05 00  03 06 05 00  03 07 05 00  01");
  EXPECT_THAT(drawn_with(m), ElementsAre(at(1, 0, 100), at(1, 0, 0), at(1, 10, 0), at(1, 0, 100)));
  // the same slot for both: the matrix is loaded before it is overwritten
  const Model same = model_of({plain_node({1, 0, 0}), plain_node({0, 10, 0}), plain_node({0, 0, 100})},
                              "26 000000 05  06 010000 05 00  66 020000 05 05 05 00  03 05 05 00  01");
  EXPECT_THAT(drawn_with(same), ElementsAre(at(1, 10, 0), at(1, 0, 100), at(1, 0, 100)));
  // only a store, only a load
  const Model one = model_of({plain_node({1, 0, 0}), plain_node({0, 10, 0})},
                             "26 000000 05 05 00  46 010000 05 05 00  03 05 05 00  01");
  EXPECT_THAT(drawn_with(one), ElementsAre(at(1, 0, 0), at(1, 10, 0), at(1, 0, 0)));
}
TEST(NitroMatrices, BlendsMatricesAsWeightedSums) {
  Model m = model_of({plain_node({2, 0, 0}), plain_node({4, 0, 0}, {2, 2, 2})},
                     "26 000000 00  26 010000 01  09 03 02 000040 0101c0 05 00  03 01 05 00  03 03 05 00  01");
  m.envelopes.resize(2);
  const auto fill = [](Envelope& e, std::array<f64, 12> rows) {
    for (size_t i = 0; i < 12; ++i) e.inverse_bind[i] = number(rows[i]);
  };
  // row vectors: x goes to y, y to -x, all by -1 along x: (-y - 1, x, z)
  fill(m.envelopes[0], {0, 1, 0, -1, 0, 0, 0, 0, 1, -1, 0, 0});
  fill(m.envelopes[1], {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, -1, 0});
  // 1/4 of (1 - y, x, z), 3/4 of (6 + x, -2 + y, z)
  const Affine sum = matrix({0.75, 0.25, 0}, {-0.25, 0.75, 0}, {0, 0, 1}, {4.75, -1.5, 0});
  EXPECT_THAT(drawn_with(m), ElementsAre(sum, at(6, 0, 0, 2), sum));  // current, and in its slot
  // weights need not add up to 1: 192 and 63 of 256
  m.sbc = commands("26 000000 00  26 010000 01  09 03 02 01013f 0101c0 05 00 01");
  EXPECT_EQ(drawn_with(m)[0].linear.columns[2][2], 255 / 256.0);
}
TEST(NitroMatrices, AppliesAndRemovesThePositionScale) {
  Model m =
      model_of({plain_node({1, 2, 3}), plain_node({10, 0, 0})}, "06 000000 0b 05 00 2b 05 00  06 010000 0b 05 00  01");
  m.pos_scale = number(4), m.inverse_pos_scale = number(0.25);
  EXPECT_THAT(drawn_with(m), ElementsAre(at(1, 2, 3, 4), at(1, 2, 3), at(11, 2, 3, 4)));
  m.inverse_pos_scale = number(0.5);  // it has a number of its own
  EXPECT_THAT(drawn_with(m), ElementsAre(at(1, 2, 3, 4), at(1, 2, 3, 2), at(21, 2, 3, 8)));
}
TEST(NitroMatrices, BillboardsKeepTheirNodesPosition) {
  const Model m = model_of({plain_node({1, 0, 0}), plain_node({0, 2, 0}, {3, 3, 3})},
                           "26 000000 00  06 010000  27 01 04 05 00  03 00 05 00  48 01 04 05 00  01");
  EXPECT_THAT(drawn_with(m), ElementsAre(at(1, 2, 0, 3), at(1, 0, 0), at(1, 2, 0, 3)));
  const Program p = run_sbc(m);
  EXPECT_EQ(p.matrices[p.draws[0].matrix].kind, MatrixStep::Kind::billboard);
  EXPECT_EQ(p.matrices[p.draws[2].matrix].kind, MatrixStep::Kind::billboard_y);
}

TEST(NitroSbcRun, RecordsMaterialVisibilityAndMappingPerDraw) {
  const Model m = model_of({plain_node({}), plain_node({})},
                           "06 000000 02 00 01 04 01 05 00  02 01 00 05 01  02 01 01 04 00 0c 00 00 05 02 05 00"
                           "04 01 0d 01 00 05 01  01",
                           3);
  const Program p = run_sbc(m);
  EXPECT_TRUE(p.faults.empty());
  std::string said;
  for (const Draw& d : p.draws)
    said += std::to_string(d.shape) + " in " + std::to_string(d.material) + (d.visible ? "" : " hidden") + " by " +
            std::to_string(d.node) +
            (d.texgen == Draw::Texgen::sphere       ? " sphere"
             : d.texgen == Draw::Texgen::projection ? " projection"
                                                    : "") +
            "\n";
  EXPECT_EQ(said,
            "0 in 1 by 0\n"
            "1 in 1 hidden by 1\n"
            "2 in 0 by 1 sphere\n"
            "0 in 0 by 1\n"  // for the next shape alone
            "1 in 1 by 1 projection\n");
}
TEST(NitroSbcRun, SkipsInvalidCommandsWithANote) {
  const Model m = model_of({plain_node({1, 0, 0})}, "06 000000 03 09 04 07 05 08 06 050000 09 03 01 0a0040 05 00 01");
  const Program p = run_sbc(m);
  ASSERT_EQ(p.faults.size(), 5u);
  EXPECT_EQ(p.faults[0], std::pair(1u, std::string("slot 9 was not stored")));
  EXPECT_EQ(p.faults[1], std::pair(2u, std::string("material 7 does not exist")));
  EXPECT_EQ(p.faults[2], std::pair(3u, std::string("shape 8 does not exist")));
  EXPECT_EQ(p.faults[3], std::pair(4u, std::string("node 5 does not exist")));
  EXPECT_EQ(p.faults[4], std::pair(5u, std::string("slot 10 was not stored")));
  EXPECT_EQ(p.draws.size(), 1u);
}

}  // namespace
