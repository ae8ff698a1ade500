// triangle_match_test.cpp: detects edits in scenes that other programs have saved.
#include "scene/triangle_match.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene/triangle_indices.hpp"

namespace dio::scene {
namespace {

/// A grid of `count` x `count` quads in one material, two triangles each, starting at `west`.
Primitive grid(f32 west, u32 count, Index material) {
  Primitive p{.material = material};
  for (u32 z = 0; z < count; ++z)
    for (u32 x = 0; x < count; ++x) {
      const u32 first = u32(p.positions.size());
      for (const auto& [dx, dz] : {std::pair(0, 0), {0, 1}, {1, 1}, {1, 0}}) {
        p.positions.push_back({west + f32(x) + f32(dx), 0, f32(z) + f32(dz)});
        p.normals.push_back({0, 1, 0});
        p.uvs.push_back({f32(dx), f32(dz)});
      }
      for (const u32 i : {0, 1, 2, 0, 2, 3}) p.indices.push_back(first + i);
    }
  return p;
}

/// Two meshes, the second on a scaled and translated node.
Scene two_meshes() {
  Scene s;
  s.materials = {{.name = "grass"}, {.name = "rock"}};
  s.meshes.push_back({"west", {grid(0, 2, 0)}});
  s.meshes.push_back({"east", {grid(0, 2, 1)}});
  s.nodes.push_back({.name = "west", .mesh = 0});
  s.nodes.push_back({.name = "above", .translation = {10, 1, 0}, .scale = {2, 2, 2}});
  s.nodes.push_back({.name = "east", .parent = 1, .mesh = 1});
  return s;
}

TriangleDifferences match(const Scene& original, const Scene& edited, std::vector<Index> nodes = {0, 1, 2}) {
  nodes.resize(edited.nodes.size(), k_none);
  return match_triangles(original, edited, nodes, std::vector<bool>(original.nodes.size(), true),
                         std::vector<bool>(edited.nodes.size(), true));
}

void expect_same(const Scene& original, const Scene& edited, std::vector<Index> nodes = {0, 1, 2}) {
  const TriangleDifferences d = match(original, edited, std::move(nodes));
  EXPECT_TRUE(d.primitives.empty());
  EXPECT_TRUE(d.unplaced.empty());
  EXPECT_EQ(d.unchanged, 16u);
}

TEST(TriangleMatch, UneditedScenesHaveNoDifferences) { expect_same(two_meshes(), two_meshes()); }

TEST(TriangleMatch, IgnoresVertexAndTriangleOrder) {
  Scene edited = two_meshes();
  for (Mesh& m : edited.meshes) {
    Primitive& p = m.primitives[0];
    Primitive shuffled{.material = p.material};
    for (size_t t = p.indices.size(); t >= 3; t -= 3)  // the last first, each rotated by one vertex
      for (const size_t k : {1, 2, 0}) {
        const Index v = p.indices[t - 3 + k];
        shuffled.positions.push_back(p.positions[v]);
        shuffled.normals.push_back(p.normals[v]);
        shuffled.uvs.push_back(p.uvs[v]);
      }
    p = std::move(shuffled);
  }
  expect_same(two_meshes(), edited);
}

TEST(TriangleMatch, AppliedTransformsChangeNothing) {
  Scene edited = two_meshes();
  for (Vec3& v : edited.meshes[1].primitives[0].positions) v = {10 + 2 * v[0], 1 + 2 * v[1], 2 * v[2]};
  edited.nodes[1].translation = {0, 0, 0}, edited.nodes[1].scale = {1, 1, 1};
  expect_same(two_meshes(), edited);
}

TEST(TriangleMatch, JoinedMeshesMatchTheirOriginalNodes) {
  Scene edited = two_meshes();
  Primitive moved = edited.meshes[1].primitives[0];
  for (Vec3& v : moved.positions) v = {10 + 2 * v[0], 1 + 2 * v[1], 2 * v[2]};
  edited.meshes[0].primitives.push_back(std::move(moved));
  edited.nodes.pop_back();
  expect_same(two_meshes(), edited);
}

TEST(TriangleMatch, MatchesSplitMeshesByPosition) {
  Scene edited = two_meshes();
  Primitive& p = edited.meshes[0].primitives[0];
  Primitive half = p;
  half.indices.assign(p.indices.begin() + 12, p.indices.end());
  p.indices.resize(12);
  edited.meshes.push_back({"west.001", {half}});
  edited.nodes.push_back({.name = "west.001", .mesh = 2});
  expect_same(two_meshes(), edited);
}

TEST(TriangleMatch, MovedVertexChangesAdjacentTriangles) {
  const Scene original = two_meshes();
  Scene edited = original;
  u32 touched = 0;
  Primitive& p = edited.meshes[1].primitives[0];
  for (Vec3& v : p.positions)
    if (v[0] == 1 && v[2] == 1) v[1] += 0.5f, ++touched;
  ASSERT_EQ(touched, 4u);
  const TriangleDifferences d = match(original, edited);
  ASSERT_EQ(d.primitives.size(), 1u);
  const EditedPrimitive& e = d.primitives[0];
  EXPECT_EQ(e.node, 2u);
  EXPECT_EQ(e.changed, 6u);  // four quads of two triangles; two of these do not have the vertex
  EXPECT_EQ(e.added + e.removed, 0u);
  EXPECT_EQ(d.unchanged, 10u);
  for (const EditedTriangle& t : e.triangles)
    for (const EditedVertex& v : t.vertices) {
      const Vec3& was = original.meshes[1].primitives[0].positions[v.vertex];
      ASSERT_EQ(v.position.has_value(), was[0] == 1 && was[2] == 1);
      if (v.position) EXPECT_NEAR((*v.position)[1], 0.5, 1e-5);  // in the space of the mesh
      EXPECT_FALSE(v.uv || v.color || v.normal);
    }
}

TEST(TriangleMatch, MovedObjectsKeepTheirTriangles) {
  Scene edited = two_meshes();
  edited.nodes[2].translation = {0, 3, 0};
  const TriangleDifferences d = match(two_meshes(), edited);
  ASSERT_EQ(d.primitives.size(), 1u);
  EXPECT_EQ(d.primitives[0].changed, 8u);
  EXPECT_NEAR((*d.primitives[0].triangles[0].vertices[0].position)[1], 3, 1e-5);
}

/// All triangles of the first mesh have their numbers, and vertex v is at `position(v)`.
void expect_moved(const Scene& edited, auto&& position) {
  const Scene original = two_meshes();
  const TriangleDifferences d = match(original, edited);
  ASSERT_EQ(d.primitives.size(), 1u);
  const EditedPrimitive& e = d.primitives[0];
  EXPECT_EQ(e.changed, 8u);
  EXPECT_EQ(e.added + e.removed, 0u);
  EXPECT_EQ(d.unchanged, 8u);
  ASSERT_EQ(e.triangles.size(), 8u);
  const Primitive& p = original.meshes[0].primitives[0];
  for (u32 t = 0; t < e.triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const EditedVertex& v = e.triangles[t].vertices[k];
      ASSERT_EQ(v.vertex, p.indices[3 * t + k]);
      const Vec3 expected = position(p.positions[v.vertex]);
      for (size_t axis = 0; axis < 3; ++axis)
        ASSERT_NEAR(v.position ? (*v.position)[axis] : p.positions[v.vertex][axis], expected[axis], 1e-5);
      EXPECT_FALSE(v.uv || v.color || v.normal);
    }
}

TEST(TriangleMatch, MovedMeshesKeepTheirOrder) {
  const auto moves = {+[](const Vec3& v) { return Vec3{v[0] + 1, v[1], v[2]}; },  // where other triangles were
                      +[](const Vec3& v) { return Vec3{v[0], v[1] + 1, v[2] - 1}; },
                      +[](const Vec3& v) { return Vec3{2 - v[2], v[1] + 1, v[0]}; },
                      +[](const Vec3& v) { return Vec3{2 * v[0], v[1], 2 * v[2] + 1}; }};
  for (const auto& move : moves) {
    Scene edited = two_meshes();
    for (Vec3& v : edited.meshes[0].primitives[0].positions) v = move(v);
    expect_moved(edited, move);
  }
}

TEST(TriangleMatch, MovedMeshesInAnotherOrderAreKnownByTheirShape) {
  Scene edited = two_meshes();
  Primitive& p = edited.meshes[0].primitives[0];
  for (Vec3& v : p.positions) v[0] += 1;
  std::rotate(p.indices.begin(), p.indices.begin() + 6, p.indices.end());
  expect_moved(edited, [](const Vec3& v) { return Vec3{v[0] + 1, v[1], v[2]}; });
}

TEST(TriangleMatch, MovedTrianglesAreKnownByTheirSources) {
  Scene original = two_meshes(), edited = original;
  for (Scene* s : {&original, &edited})
    for (Mesh& m : s->meshes)
      for (u32 i = 0; i < m.primitives[0].positions.size(); ++i) m.primitives[0].sources.push_back(i);
  Primitive& p = edited.meshes[0].primitives[0];
  for (Vec3& v : p.positions) v[0] += 1;
  p.positions[3][1] += 5;
  std::rotate(p.indices.begin(), p.indices.begin() + 3, p.indices.end());
  const TriangleDifferences d = match(original, edited);
  ASSERT_EQ(d.primitives.size(), 1u);
  EXPECT_EQ(d.primitives[0].changed, 8u);
  EXPECT_EQ(d.primitives[0].added + d.primitives[0].removed, 0u);
  for (const EditedTriangle& t : d.primitives[0].triangles)
    for (const EditedVertex& v : t.vertices) {
      const Vec3& was = original.meshes[0].primitives[0].positions[v.vertex];
      EXPECT_NEAR((*v.position)[0], was[0] + 1, 1e-5);
      EXPECT_NEAR((*v.position)[1], v.vertex == 3 ? 5 : 0, 1e-5);
    }
}

TEST(TriangleMatch, AnimationPosesAreNotEdits) {
  Scene edited = two_meshes();
  edited.nodes[1].translation = {10, 5, 0};
  Animation& a = edited.animations.emplace_back();
  a.channels.push_back({.node = 1, .times = {0}, .values = {{10, 5, 0, 0}}});
  expect_same(two_meshes(), edited);
}

/// Blender turns the axes of bones, and the meshes below back.
TEST(TriangleMatch, SeesMovementBelowBonesWithOtherAxes) {
  const f32 half = std::sqrt(0.5f);
  Scene original = two_meshes();
  original.nodes = {{.name = "bone", .translation = {1, 2, 3}},
                    {.name = "west", .parent = 0, .mesh = 0},
                    {.name = "east", .parent = 0, .mesh = 1}};
  original.skins.push_back(
      {.name = "", .joints = {0}, .inverse_bind = {Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, -3, 1}}});
  for (Vec3& v : original.meshes[1].primitives[0].positions) v[0] += 20;
  Scene edited = original;
  edited.nodes[0].rotation = {0, half, 0, half};
  for (const size_t mesh : {1, 2}) edited.nodes[mesh].rotation = {0, -half, 0, half};
  expect_same(original, edited);
  Scene copied = edited;  // seven to the east: along Z of the turned bone
  copied.nodes.push_back(copied.nodes[1]);
  copied.nodes.back().name = "west.001", copied.nodes.back().translation = {0, 0, 7};
  for (const Index known_as : {k_none, Index(1)}) {
    const TriangleDifferences d = match(original, copied, {0, 1, 2, known_as});
    EXPECT_TRUE(d.posed.empty());
    ASSERT_EQ(d.primitives.size(), 1u);
    EXPECT_EQ(d.primitives[0].added, 8u);
    EXPECT_EQ(d.primitives[0].changed + d.primitives[0].removed, 0u);
    for (size_t t = 8; t < 16; ++t)
      for (const EditedVertex& v : d.primitives[0].triangles[t].vertices) EXPECT_GE((*v.position)[0], 7 - 1e-4);
  }
  Scene moved = edited;
  moved.nodes[1].translation = {0, 4, 0};
  const TriangleDifferences d = match(original, moved);
  EXPECT_TRUE(d.posed.empty());
  ASSERT_EQ(d.primitives.size(), 1u);
  EXPECT_EQ(d.primitives[0].changed, 8u);
  for (const EditedTriangle& t : d.primitives[0].triangles)
    for (const EditedVertex& v : t.vertices) EXPECT_NEAR((*v.position)[1], 4, 1e-4);
}

TEST(TriangleMatch, SeesSmallMovementsOfRigidMeshesNextToSkins) {
  Scene original = two_meshes();
  original.skins.push_back(
      {.name = "", .joints = {1}, .inverse_bind = {Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}});
  Primitive skinned = grid(1000, 2, 0);
  skinned.joints.resize(skinned.positions.size()), skinned.weights.assign(skinned.positions.size(), {1, 0, 0, 0});
  original.meshes.push_back({"skinned", {skinned}});
  original.nodes.push_back({.name = "skinned", .mesh = 2, .skin = 0});
  Scene edited = original;
  edited.meshes[0].primitives[0].positions[0][1] += 0.02f;  // less than floats keep in skins: 1000 / 16384
  edited.meshes[2].primitives[0].positions[0][1] += 0.02f;
  const TriangleDifferences d = match(original, edited, {0, 1, 2, 3});
  ASSERT_EQ(d.primitives.size(), 1u);
  EXPECT_EQ(d.primitives[0].node, 0u);
  EXPECT_EQ(d.primitives[0].changed, 2u);
}

TEST(TriangleMatch, KeepsHiddenMeshesOmittedByExporters) {
  Scene original = two_meshes(), edited = two_meshes();
  original.nodes[1].visible = false;
  edited.nodes[1].scale = {0, 0, 0};
  expect_same(original, edited);
  edited.nodes.pop_back();
  const TriangleDifferences d = match(original, edited);
  EXPECT_TRUE(d.primitives.empty());
  EXPECT_EQ(d.hidden, 8u);
}

TEST(TriangleMatch, NewTrianglesJoinTheNodeWithTheirMaterial) {
  Scene edited = two_meshes();
  edited.materials.push_back({.name = "lava"});
  edited.meshes.push_back({"new", {grid(20, 1, 1), grid(30, 1, 2)}});
  edited.nodes.push_back({.name = "new", .mesh = 2});
  const TriangleDifferences d = match(two_meshes(), edited);
  ASSERT_EQ(d.primitives.size(), 1u);
  EXPECT_EQ(d.primitives[0].node, 2u);  // the one of rock
  EXPECT_EQ(d.primitives[0].added, 2u);
  const EditedVertex& v = d.primitives[0].triangles.back().vertices[0];
  EXPECT_EQ(v.vertex, k_none);
  EXPECT_NEAR((*v.position)[0], 5, 1e-5);  // 20 is 5 in the space of the mesh
  ASSERT_EQ(d.unplaced.size(), 1u);
  EXPECT_EQ(d.unplaced[0].material, "lava");
  EXPECT_EQ(d.unplaced[0].count, 2u);
}

TEST(TriangleMatch, KnowsMaterialsWithCutNames) {
  Scene original = two_meshes();
  original.materials[0].name = std::string(62, 'x') + "yz";
  Scene edited = original;
  edited.materials[0].name.resize(63);  // as Blender cuts names
  expect_same(original, edited);
  edited.materials[0].name = std::string(59, 'x') + ".001";
  expect_same(original, edited);
  original.materials[1].name = std::string(62, 'x') + "!";  // no longer the only one
  EXPECT_FALSE(match(original, edited).unplaced.empty());
}

/// The models of a file have materials of their own.
TEST(TriangleMatch, NewTrianglesStayInTheirModelIfMaterialsAreAdded) {
  const Scene original = two_meshes();
  Scene edited = original;
  edited.meshes[0].primitives.push_back(grid(20, 1, 1));  // rock in the model of grass
  const std::vector<Index> nodes{0, 1, 2};
  const std::vector<bool> all(3, true);
  const TriangleDifferences d = match_triangles(original, edited, nodes, all, all, {.adds_materials = true});
  EXPECT_TRUE(d.primitives.empty());
  ASSERT_EQ(d.unplaced.size(), 1u);
  EXPECT_EQ(d.unplaced[0].material, "rock");
  EXPECT_EQ(d.unplaced[0].original_root, 0u);
}

TEST(TriangleMatch, RemovesTrianglesOfDeletedFaces) {
  Scene edited = two_meshes();
  edited.meshes[0].primitives[0].indices.resize(18);
  const TriangleDifferences d = match(two_meshes(), edited);
  ASSERT_EQ(d.primitives.size(), 1u);
  EXPECT_EQ(d.primitives[0].removed, 2u);
  EXPECT_EQ(d.primitives[0].triangles.size(), 6u);
}

TEST(TriangleMatch, DetectsTextureCoordinateAndColorEdits) {
  Scene edited = two_meshes();
  Primitive& p = edited.meshes[0].primitives[0];
  p.uvs[0] = {0.25f, 0};
  p.colors.assign(p.positions.size(), {1, 1, 1, 1});  // white is no colour
  p.colors[4] = {1, 0, 0, 1};
  const TriangleDifferences d = match(two_meshes(), edited);
  ASSERT_EQ(d.primitives.size(), 1u);
  EXPECT_EQ(d.primitives[0].changed, 4u);                 // two triangles have each of them
  edited.generator = "Khronos glTF Blender I/O v3.4.50";  // which mixes colours up
  ASSERT_EQ(match(two_meshes(), edited).primitives.size(), 1u);
  EXPECT_EQ(match(two_meshes(), edited).primitives[0].changed, 2u);
}

}  // namespace
}  // namespace dio::scene
