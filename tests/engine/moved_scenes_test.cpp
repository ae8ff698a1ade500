// moved_scenes_test.cpp: the meshes of a scene, moved as a whole or in single vertices, and applied to their file: it
// then draws the moved triangles, with the same texture coordinates and materials, or names what it cannot store.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "engine/corpus.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "operations/apply_scene.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_indices.hpp"

namespace dio::test {
namespace {

using scene::Index;
using scene::k_none;
using Random = std::mt19937_64;

/// A movement of the vertices of a mesh; `vertex` counts through its primitives.
struct Movement {
  std::string name;
  std::function<scene::Vec3(const scene::Vec3&, size_t vertex)> move;
  bool is_of_node = false;  // the node is moved by `by` instead
  scene::Vec3 by{};
};

std::vector<Movement> make_movements(Random& random, f32 step) {
  const auto shift = [](f32 x, f32 y, f32 z) {
    return [=](const scene::Vec3& v, size_t) { return scene::Vec3{v[0] + x, v[1] + y, v[2] + z}; };
  };
  std::vector<Movement> out;
  for (const f32 by : {24, -24, 36, 12, 28, 20})
    out.push_back({"by " + std::to_string(int(by)), shift(by * step, 0, 0)});
  out.push_back({"at random", shift(step * f32(random() % 60), step * f32(random() % 60), step * f32(random() % 60))});
  out.push_back({"turned", [](const scene::Vec3& v, size_t) { return scene::Vec3{v[2], v[1], -v[0]}; }});
  out.push_back({"halved", [](const scene::Vec3& v, size_t) { return scene::Vec3{v[0] / 2, v[1] / 2, v[2] / 2}; }});
  const size_t one = random() % 12;
  out.push_back({"one vertex", [=](const scene::Vec3& v, size_t i) {
                   return i == one ? scene::Vec3{v[0] + 3 * step, v[1], v[2]} : v;
                 }});
  out.push_back({.name = "the node", .move = {}, .is_of_node = true, .by = {20 * step, 0, 0}});
  return out;
}

/// Whether a node shows triangles of the file, and no other values.
bool shows_triangles(const scene::Scene& s, Index node) {
  static constexpr std::string_view k_kinds[] = {"collision", "shape", "fft.mesh", "nitro.inner", "object"};
  const scene::Node& n = s.nodes[node];
  if (n.mesh == k_none || n.skin != k_none) return false;
  for (Index above = n.parent; above != k_none; above = s.nodes[above].parent)
    if (const Value* kind = s.nodes[above].extras.find("kind"); kind && kind->text() == "fft.terrain") return false;
  const Value* kind = n.extras.find("kind");
  return !kind || std::ranges::find(k_kinds, kind->text()) != std::end(k_kinds);
}

struct Drawn {
  std::array<scene::Vec3, 3> at;
  std::array<scene::Vec2, 3> uvs;
};
/// Collision files keep triangles without an area in place, because nothing can hit them.
bool has_area(const Drawn& d) {
  const scene::Vec3 a = scene::sub(d.at[1], d.at[0]), b = scene::sub(d.at[2], d.at[0]);
  const f32 longest = std::max({scene::length(a), scene::length(b), scene::length(scene::sub(a, b))});
  return scene::length(scene::cross(a, b)) > 2e-3f * longest;
}
using DrawnParts = std::map<std::pair<std::string, std::string>, std::vector<Drawn>>;
DrawnParts list_triangles(const scene::Scene& s) {
  DrawnParts out;
  const std::vector<scene::Affine> places = scene::world_transforms(s);
  for (Index i = 0; i < s.nodes.size(); ++i) {
    if (!shows_triangles(s, i)) continue;
    for (const scene::Primitive& p : s.meshes[s.nodes[i].mesh].primitives) {
      const std::string material = p.material == k_none ? "" : s.materials[p.material].name;
      // On the DS, texture coordinates may follow from the positions.
      const bool has_own_uvs = p.material == k_none || !s.materials[p.material].extras.find("texgen");
      const auto indices = scene::triangle_indices(p);
      for (size_t c = 0; c + 2 < indices.size(); c += 3) {
        Drawn d{};
        for (size_t k = 0; k < 3; ++k) {
          const scene::Vec3& v = p.positions[indices[c + k]];
          const scene::Point at = places[i] * scene::Point{v[0], v[1], v[2]};
          d.at[k] = {f32(at[0]), f32(at[1]), f32(at[2])};
          if (has_own_uvs && !p.uvs.empty()) d.uvs[k] = p.uvs[indices[c + k]];
        }
        if (has_area(d)) out[{s.nodes[i].name, material}].push_back(d);
      }
    }
  }
  return out;
}
bool is_near(const Drawn& a, const Drawn& b, f32 step) {
  for (size_t turn = 0; turn < 3; ++turn) {
    bool is_same = true;
    for (size_t k = 0; k < 3; ++k) {
      const size_t other = (k + turn) % 3;
      for (size_t axis = 0; axis < 3; ++axis)
        is_same &= std::fabs(a.at[k][axis] - b.at[other][axis]) <= step + 1e-4f * std::fabs(a.at[k][axis]);
      for (size_t axis = 0; axis < 2; ++axis) is_same &= std::fabs(a.uvs[k][axis] - b.uvs[other][axis]) < 1e-3f;
    }
    if (is_same) return true;
  }
  return false;
}
/// The number of triangles that `now` lacks; the same order is the common case.
size_t count_missing(const std::vector<Drawn>& expected, const std::vector<Drawn>& now, f32 step) {
  std::vector<bool> used(now.size());
  size_t missing = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    size_t found = i;
    if (i >= now.size() || used[i] || !is_near(expected[i], now[i], step))
      for (found = 0; found < now.size(); ++found)
        if (!used[found] && is_near(expected[i], now[found], step)) break;
    if (found < now.size())
      used[found] = true;
    else
      ++missing;
  }
  return missing;
}

bool is_animated(const scene::Scene& s, Index node) {
  return std::ranges::any_of(s.animations, [&](const scene::Animation& a) {
    return std::ranges::any_of(a.channels, [&](const scene::Channel& c) { return c.node == node; });
  });
}
scene::Scene move_meshes(scene::Scene s, const Movement& m) {
  for (Index i = 0; i < s.nodes.size(); ++i) {
    if (!shows_triangles(s, i)) continue;
    scene::Node& n = s.nodes[i];
    if (m.is_of_node && is_animated(s, i)) continue;  // its position is a pose
    if (m.is_of_node) {
      for (size_t axis = 0; axis < 3; ++axis) n.translation[axis] += m.by[axis];
      continue;
    }
    size_t vertex = 0;
    for (scene::Primitive& p : s.meshes[n.mesh].primitives)
      for (scene::Vec3& at : p.positions) at = m.move(at, vertex++);
  }
  return s;
}

/// `step`: how exactly the format stores positions. The number of movements that reached the file.
u64 expect_movements_reach(const Bytes& file, const std::string& name, const Format& f, f32 step, u64 seed) {
  const auto opened = open(file, name, &f);
  if (!opened) return 0;
  const auto staged = to_scene(*opened, {.sources = f.scenes->prepare_comparison != nullptr});
  if (!staged) return 0;
  const auto before = list_triangles(staged->scene);
  Random random(seed);
  u64 reached = 0;
  for (const Movement& m : make_movements(random, std::max(step, 1.0f / 16))) {
    SCOPED_TRACE(name + ", " + m.name);
    const scene::Scene moved = move_meshes(staged->scene, m);
    auto read = gltf::read(*gltf::write_glb(moved));
    if (!read) return reached;  // numbers that no other program takes
    auto target = open(file, name, &f);
    const auto back = apply_scene(*target, std::move(read->document));
    if (!back) continue;  // refused with a reason
    EXPECT_EQ(back->deleted, 0u) << back->what;
    if (back->lost) continue;  // named, and refused by the program
    const auto again = open(back->bytes, name, &f);
    if (!again) {
      ADD_FAILURE() << format_one_line(again.error());
      continue;
    }
    const auto now = to_scene(*again, {.sources = f.scenes->prepare_comparison != nullptr});
    if (!now) continue;
    const auto expected = list_triangles(moved), drawn = list_triangles(now->scene);
    for (const auto& [part, triangles] : expected) {
      const auto found = drawn.find(part);
      const size_t missing =
          found == drawn.end() ? triangles.size() : count_missing(triangles, found->second, 1.1f * step);
      EXPECT_EQ(missing, 0u) << "of " << triangles.size() << " in " << part.first << ", " << part.second << ": "
                             << back->what;
    }
    ++reached;
  }
  return reached;
}

/// How exactly positions are stored, in units of the scene.
f32 step_of(const Format& f) {
  if (f.id == "fft-mesh") return 1;
  if (f.id == "kcl") return 0.1f;
  return f.id == "brres" ? 0.5f : 1.0f / 16;
}

class MovedScenes : public testing::TestWithParam<const Format*> {};
std::vector<const Format*> with_triangles() {
  std::vector<const Format*> out;
  for (const Format* f : formats())
    if (f->scenes && f->scenes->write_triangles) out.push_back(f);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Formats, MovedScenes, testing::ValuesIn(with_triangles()), [](const auto& p) {
  std::string name(p.param->id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(MovedScenes, MovedMeshesReachTheFileOrAreNamed) {
  u64 reached = 0;
  for (const Sample& s : samples_of(*GetParam()))
    each_seed(2, [&](u64 seed) {
      reached += expect_movements_reach(s.bytes, s.name, *GetParam(), step_of(*GetParam()), seed);
    });
  EXPECT_GT(reached, 0u);
}

// Files of games, if available.
TEST_P(MovedScenes, MovedMeshesOfRealFilesReachTheFileOrAreNamed) {
  u64 files = 0;
  for (const char* folder : {"tracks", "wii"})
    for (const auto& path : corpus_files(folder, ("." + std::string(GetParam()->id)).c_str())) {
      const Bytes file = read_file(path);
      if (file.size() > 50000) continue;
      ++files;
      expect_movements_reach(file, path.filename().string(), *GetParam(), step_of(*GetParam()), files);
    }
  if (!files) GTEST_SKIP() << "no corpus";
}

}  // namespace
}  // namespace dio::test
