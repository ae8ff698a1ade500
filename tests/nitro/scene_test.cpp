// Nitro models as scenes: geometry and positions match the model, at rest and at every animation frame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "formats/contract/companions.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/texture_matrix.hpp"
#include "formats/registry.hpp"
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"
#include "scene/math.hpp"

namespace {

using namespace dio;
using namespace dio::nitro;
using make::rgb;
using scene::Channel;
using scene::Index;
using scene::k_none;
using scene::MaterialChannel;
using scene::Scene;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Alpha = scene::Material::Alpha;
using Wrap = scene::Texture::Wrap;

// ---- files put together ----

template <class T>
std::unique_ptr<AnyDocument> document(const T& value) {
  auto d = load<T>(make::bytes_of(value));
  EXPECT_TRUE(d) << format_one_line(d.error());
  return std::make_unique<DocumentOf<T>>(std::move(d->document));
}

/// A model and its companion files.
class Show {
 public:
  explicit Show(const Nsbmd& model) : model_(document(model)) {}
  Show& with(const Nsbtx& f) { return add(f, "nsbtx"); }
  Show& with(const Nsbca& f) { return add(f, "nsbca"); }
  Show& with(const Nsbtp& f) { return add(f, "nsbtp"); }
  Show& with(const Nsbta& f) { return add(f, "nsbta"); }
  Show& with(const Nsbma& f) { return add(f, "nsbma"); }
  Show& with(const Nsbva& f) { return add(f, "nsbva"); }
  const Nsbmd& model() const { return value_of<Nsbmd>(*model_); }
  SceneResult stage(bool lit = false) const {
    std::vector<Companion> companions;
    for (const auto& [id, d] : others_) companions.push_back({"folder/some." + id, find_format(id), d.get()});
    auto staged = to_scene(model(), {.companions = companions, .lit = lit});
    EXPECT_TRUE(staged) << format_one_line(staged.error());
    for (const std::string& fault : verify(staged->scene)) ADD_FAILURE() << fault;
    return std::move(*staged);
  }

 private:
  template <class T>
  Show& add(const T& f, const char* id) {
    others_.emplace_back(id, document(f));
    return *this;
  }
  std::unique_ptr<AnyDocument> model_;
  std::vector<std::pair<std::string, std::unique_ptr<AnyDocument>>> others_;
};

Show whole_windmill() {
  Show show(windmill());
  show.with(windmill_joints()).with(windmill_patterns()).with(windmill_textures()).with(windmill_colors());
  show.with(windmill_visibility());
  return show;
}
std::vector<std::string> ids(const Diagnostics& notes) {
  std::vector<std::string> all;
  for (const Diagnostic& d : notes) all.push_back(d.id);
  return all;
}
template <class List>
const auto* named(const List& list, std::string_view name) {
  const auto i = std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.name == name; });
  EXPECT_TRUE(i != list.end()) << "nothing is called " << name;
  return i == list.end() ? nullptr : &*i;
}
const scene::Material& material_of(const Scene& s, std::string_view name) {
  static const scene::Material k_other;
  const scene::Material* m = named(s.materials, name);
  return m ? *m : k_other;
}
/// All primitives drawn with materials of that name.
std::vector<const scene::Primitive*> drawn_with(const Scene& s, std::string_view material) {
  std::vector<const scene::Primitive*> all;
  for (const scene::Mesh& m : s.meshes)
    for (const scene::Primitive& p : m.primitives)
      if (p.material != k_none && s.materials[p.material].name == material) all.push_back(&p);
  return all;
}
std::string text(const Value& extras, std::string_view key) {
  const Value* v = extras.find(key);
  return v ? std::string(v->text()) : "";
}

// ---- a scene at a time ----

constexpr f32 time_of(u32 frame) { return f32(frame / 60.0); }

/// The value of a curve at `time`, which must be at a key or between equal keys.
template <class V>
const V& key_at(const std::vector<f32>& times, const std::vector<V>& values, f32 time, bool stepped) {
  size_t i = 0;
  while (i + 1 < times.size() && times[i + 1] <= time) ++i;
  const bool exact =
      stepped || times[i] == time || i + 1 == times.size() || time < times[0] || values[i] == values[i + 1];
  EXPECT_TRUE(exact) << "no key at " << time;
  return values[i];
}

std::vector<Affine> world_of(const Scene& s, const scene::Animation* animation = nullptr, u32 frame = 0) {
  std::vector<scene::Node> nodes = s.nodes;
  if (animation)
    for (const Channel& c : animation->channels) {
      const scene::Vec4& v = key_at(c.times, c.values, time_of(frame), c.interpolation == Channel::Interpolation::step);
      scene::Node& n = nodes[c.node];
      if (c.target == Channel::Target::translation) n.translation = {v[0], v[1], v[2]};
      if (c.target == Channel::Target::rotation) n.rotation = v;
      if (c.target == Channel::Target::scale) n.scale = {v[0], v[1], v[2]};
    }
  std::vector<Affine> world;
  for (const scene::Node& n : nodes) {
    const f64 x = n.rotation[0], y = n.rotation[1], z = n.rotation[2], w = n.rotation[3];
    const Mat3d turn{{Point{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                      Point{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                      Point{2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}}};
    const Affine local{turn * scene::scaling({n.scale[0], n.scale[1], n.scale[2]}),
                       {n.translation[0], n.translation[1], n.translation[2]}};
    world.push_back(n.parent == k_none ? local : world[n.parent] * local);
  }
  return world;
}

/// World positions of the vertices of each primitive, by the rules of glTF.
std::vector<std::vector<Point>> placed(const Scene& s, const std::vector<Affine>& world) {
  std::vector<std::vector<Point>> all;
  for (size_t n = 0; n < s.nodes.size(); ++n) {
    if (s.nodes[n].mesh == k_none) continue;
    for (const scene::Primitive& p : s.meshes[s.nodes[n].mesh].primitives) {
      std::vector<Point>& points = all.emplace_back();
      for (size_t i = 0; i < p.positions.size(); ++i) {
        const Point at{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
        if (s.nodes[n].skin == k_none) {
          points.push_back(world[n] * at);
          continue;
        }
        const scene::Skin& skin = s.skins[s.nodes[n].skin];
        Point sum{};
        for (size_t k = 0; k < 4; ++k) {
          const scene::Mat4& b = skin.inverse_bind[p.joints[i][k]];
          const Affine bind{{{Point{b[0], b[1], b[2]}, Point{b[4], b[5], b[6]}, Point{b[8], b[9], b[10]}}},
                            {b[12], b[13], b[14]}};
          const Point one = world[skin.joints[p.joints[i][k]]] * (bind * at);
          for (size_t axis = 0; axis < 3; ++axis) sum[axis] += one[axis] * p.weights[i][k];
        }
        points.push_back(sum);
      }
    }
  }
  return all;
}

/// Positions at which the game draws them, one entry per display list.
std::vector<std::vector<Point>> drawn_by_the_game(const Model& m, const Pose& pose) {
  const Program p = run_sbc(m);
  EXPECT_THAT(p.faults, IsEmpty());
  const auto matrices = compute_matrices(p, m, pose);
  std::vector<std::vector<Point>> all;
  Geometry g;
  for (const Draw& d : p.draws) {
    if (d.material < m.materials.size() && !m.materials[d.material].alpha) continue;
    run_display_list(d, p, 0x7FFF, g);
    std::vector<Point>& points = all.emplace_back();
    for (const GxVertex& c : g.corners)
      points.push_back(matrices[c.matrix] *
                       Point{f64(c.position[0]) * c.scale, f64(c.position[1]) * c.scale, f64(c.position[2]) * c.scale});
  }
  return all;
}

/// The greatest distance between two vertices; infinite if the counts differ.
f64 apart(const std::vector<Point>& a, const std::vector<Point>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  f64 most = 0;
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t axis = 0; axis < 3; ++axis) most = std::max(most, std::fabs(a[i][axis] - b[i][axis]));
  return most;
}
/// Each display list drawn by the game has a primitive at its position, and the other way round.
void expect_same_places(const std::vector<std::vector<Point>>& shown, const std::vector<std::vector<Point>>& game,
                        f64 tolerance, const std::string& where) {
  std::vector<bool> known(shown.size());
  for (size_t g = 0; g < game.size(); ++g) {
    f64 nearest = HUGE_VAL;
    for (size_t i = 0; i < shown.size(); ++i) {
      const f64 distance = apart(shown[i], game[g]);
      nearest = std::min(nearest, distance);
      if (distance <= tolerance) known[i] = true;
    }
    EXPECT_LE(nearest, tolerance) << where << ", draw " << g;
  }
  for (size_t i = 0; i < shown.size(); ++i) EXPECT_TRUE(known[i]) << where << ": primitive " << i << " is no draw";
}

// Quaternions cannot represent the effect of rounding rotation axes to 1/4096.
constexpr f64 k_rounding = 2.0 / 4096;

TEST(NitroScenePositions, VerticesMatchTheGameAtRest) {
  const Nsbmd models[] = {crate(),    windmill(), eel(),     crane(),       meadow(),
                          fountain(), teapot(),   banners(), shop_window(), swatches()};
  for (const Nsbmd& f : models) {
    const Show show(f);
    const Scene s = show.stage().scene;
    std::vector<std::vector<Point>> game;
    for (const Model& m : show.model().models)
      for (auto& points : drawn_by_the_game(m, rest_pose(m))) game.push_back(std::move(points));
    expect_same_places(placed(s, world_of(s)), game, 8 * k_rounding, show.model().models[0].name);
  }
}
/// The pose in the game, with one exception: between samples, the game interpolates scales and inverse scales
/// separately. With the Softimage rule, a scale and its inverse then differ by some hundredths, unlike in scenes.
Pose pose_of(const Model& m, const JointAnimation& a, u32 frame) {
  Pose pose = pose_at(m, a, frame);
  if (m.scaling_rule == 2)
    for (NodePose& n : pose)
      for (size_t i = 0; i < 3; ++i) n.inverse_scale[i] = 1 / n.scale[i];
  return pose;
}
/// `tolerance`: in model units.
void expect_same_motion(const Nsbmd& file, const Nsbca& motion, f64 tolerance) {
  Show show(file);
  show.with(motion);
  const Scene s = show.stage().scene;
  const auto& models = show.model().models;
  ASSERT_EQ(s.animations.size(), models.size() * motion.animations.size());
  const auto all_at_rest = placed(s, world_of(s));
  for (size_t m = 0; m < models.size(); ++m)
    for (size_t a = 0; a < motion.animations.size(); ++a) {
      const scene::Animation& animation = s.animations[m * motion.animations.size() + a];
      bool moves = false;
      for (u32 f = 0; f < motion.animations[a].frames; ++f) {
        auto shown = placed(s, world_of(s, &animation, f));
        std::vector<std::vector<Point>> game;
        for (size_t other = 0; other < models.size(); ++other) {  // the animation is of one model, the others rest
          const Model& model = models[other];
          const Pose pose = other == m ? pose_of(model, motion.animations[a], f) : rest_pose(model);
          for (auto& points : drawn_by_the_game(model, pose)) game.push_back(std::move(points));
        }
        expect_same_places(shown, game, tolerance, animation.name + ", frame " + std::to_string(f));
        moves |= shown != all_at_rest;
      }
      EXPECT_TRUE(moves) << animation.name;
    }
}
TEST(NitroScenePositions, WindmillAnimationMatchesTheGame) {
  expect_same_motion(windmill(), windmill_joints(), 16 * k_rounding);
}
TEST(NitroScenePositions, SkinnedEelAnimationMatchesTheGame) {
  expect_same_motion(eel(), eel_joints(), 32 * k_rounding);
}
TEST(NitroScenePositions, CraneAnimationFollowsMayaAndSoftimageRules) {
  expect_same_motion(crane(), crane_joints(), 16 * k_rounding);
}

// ---- skins ----

TEST(NitroSkins, ConvertsMatrixBlendsToJointWeights) {
  const Scene s = Show(eel()).stage().scene;
  ASSERT_EQ(s.skins.size(), 1u);
  const std::set<Index> joints(s.skins[0].joints.begin(), s.skins[0].joints.end());
  EXPECT_EQ(joints.size(), s.skins[0].joints.size());
  std::set<std::vector<f32>> seen;
  for (const scene::Mesh& m : s.meshes)
    for (const scene::Primitive& p : m.primitives)
      for (const scene::Vec4& w : p.weights) {
        EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-6);
        seen.insert({w[0], w[1], w[2], w[3]});
      }
  // 1; 1/2 and 1/2; 160 and 96 of 256; 128, 96 and 32 of 256
  EXPECT_THAT(seen,
              UnorderedElementsAre(std::vector<f32>{1, 0, 0, 0}, std::vector<f32>{0.5f, 0.5f, 0, 0},
                                   std::vector<f32>{0.625f, 0.375f, 0, 0}, std::vector<f32>{0.5f, 0.375f, 0.125f, 0}));
}
TEST(NitroSkins, NormalizesVertexWeights) {
  Nsbmd f = eel();
  for (SbcCommand& c : f.models[0].sbc)
    if (c.code == sbc::nodemix && c.mix.size() == 2) c.mix[1].weight -= 1;
  for (const scene::Mesh& m : Show(f).stage().scene.meshes)
    for (const scene::Primitive& p : m.primitives)
      for (const scene::Vec4& w : p.weights) EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-6);
}
TEST(NitroSkins, KeepsTheFourLargestWeights) {
  Nsbmd f = eel();
  for (SbcCommand& c : f.models[0].sbc)
    if (c.code == sbc::nodemix && c.store == 6) c.mix = {{0, 0, 10}, {1, 1, 60}, {2, 2, 60}, {3, 3, 60}, {0, 1, 66}};
  const SceneResult staged = Show(f).stage();
  EXPECT_THAT(ids(staged.notes), ElementsAre("nitro.many-weights"));
  f32 smallest = 1;
  for (const scene::Mesh& m : staged.scene.meshes)
    for (const scene::Primitive& p : m.primitives)
      for (const scene::Vec4& w : p.weights)
        if (w[3] > 0) smallest = std::min(smallest, w[3]);
  EXPECT_FLOAT_EQ(smallest, 60 / 246.0f);
}

// ---- materials ----

TEST(NitroSurfaces, WrapModeFollowsRepeatAndFlip) {
  Nsbmd f = shop_window();
  f.models[0].materials[1].flip_s = 1;  // without repeat it does nothing
  const Scene s = Show(f).stage().scene;
  const auto wrap = [&](std::string_view name) {
    const scene::Texture& t = s.textures.at(material_of(s, name).texture);
    return std::pair(t.wrap_u, t.wrap_v);
  };
  EXPECT_EQ(wrap("back"), std::pair(Wrap::clamp, Wrap::clamp));
  EXPECT_EQ(wrap("both"), std::pair(Wrap::clamp, Wrap::clamp));
  EXPECT_EQ(wrap("repeat"), std::pair(Wrap::repeat, Wrap::clamp));
  EXPECT_EQ(wrap("flip"), std::pair(Wrap::mirror, Wrap::mirror));
  EXPECT_EQ(s.images.size(), 1u);  // one picture for all
  EXPECT_EQ(s.textures.size(), 3u);
}
TEST(NitroSurfaces, MaterialAlphaSetsTheBlendMode) {
  const Scene s = Show(shop_window()).stage().scene;
  EXPECT_EQ(material_of(s, "both").alpha, Alpha::opaque);
  EXPECT_EQ(material_of(s, "both").color[3], 1);
  EXPECT_EQ(material_of(s, "translucent").alpha, Alpha::blend);
  EXPECT_FLOAT_EQ(material_of(s, "translucent").color[3], 16 / 31.0f);
  EXPECT_FLOAT_EQ(material_of(s, "shadow").color[3], 12 / 31.0f);
  EXPECT_THAT(drawn_with(s, "gone"), IsEmpty());
  EXPECT_EQ(drawn_with(s, "both").size(), 1u);
}
TEST(NitroSurfaces, TextureAlphaSetsTheBlendMode) {
  Show show(swatches());
  const Scene s = show.with(swatches_textures()).stage().scene;
  const auto alpha = [&](std::string_view name) { return material_of(s, name).alpha; };
  EXPECT_EQ(alpha("bricks"), Alpha::opaque);
  EXPECT_EQ(alpha("sunset"), Alpha::opaque);
  EXPECT_EQ(alpha("photo"), Alpha::mask);  // some texels without bit 15
  EXPECT_EQ(alpha("stone"), Alpha::mask);  // modes 0 and 1 have a clear colour
  EXPECT_EQ(alpha("smoke"), Alpha::blend);
  EXPECT_EQ(alpha("glow"), Alpha::blend);
  const Scene mill = Show(windmill()).stage().scene;
  EXPECT_EQ(material_of(mill, "sail").alpha, Alpha::mask);    // colour 0 is clear
  EXPECT_EQ(material_of(mill, "wall").alpha, Alpha::opaque);  // colour 0 is one like others
  EXPECT_EQ(material_of(mill, "water").alpha, Alpha::blend);
}
TEST(NitroSurfaces, CullingSetsTheVisibleSides) {
  Nsbmd f = shop_window();
  f.models[0].materials[2].show_front = 0;  // decal: now neither
  const Scene s = Show(f).stage().scene;
  const auto indices = [&](std::string_view name) { return drawn_with(s, name).at(0)->indices; };
  EXPECT_THAT(indices("unlit"), ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_FALSE(material_of(s, "unlit").double_sided);
  EXPECT_THAT(indices("both"), ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_TRUE(material_of(s, "both").double_sided);
  EXPECT_THAT(indices("back"), ElementsAre(0, 2, 1, 0, 3, 2));
  EXPECT_FALSE(material_of(s, "back").double_sided);
  EXPECT_THAT(drawn_with(s, "decal"), IsEmpty());
}
TEST(NitroSurfaces, WireframesBecomeLines) {
  Nsbmd f = shop_window();
  f.models[0].materials[11].alpha = 0;  // wires: the hardware's own sign for them
  const Scene s = Show(f).stage().scene;
  const scene::Primitive& p = *drawn_with(s, "wires").at(0);
  EXPECT_EQ(p.shape, scene::Primitive::Shape::lines);
  EXPECT_THAT(p.indices, ElementsAre(0, 1, 1, 2, 2, 3, 3, 0));  // a quad, without its diagonal
  EXPECT_EQ(material_of(s, "wires").color[3], 1);
}
TEST(NitroSurfaces, NormalizesTextureCoordinates) {
  const Scene s = Show(crate()).stage().scene;  // 16 x 16
  const auto& uvs = drawn_with(s, "wood").at(0)->uvs;
  ASSERT_GE(uvs.size(), 4u);
  EXPECT_THAT(uvs[0], ElementsAre(0, 1));
  EXPECT_THAT(uvs[1], ElementsAre(1, 1));
  EXPECT_THAT(uvs[2], ElementsAre(1, 0));
}
TEST(NitroSurfaces, AppliesTextureMatricesToCoordinates) {
  const Show show(banners());
  const Scene s = show.stage().scene;
  const Nsbmd& f = show.model();
  std::vector<const scene::Primitive*> cloths = drawn_with(s, "cloth");
  ASSERT_EQ(cloths.size(), 4u);
  std::set<std::pair<f32, f32>> first;
  for (u8 mode = 0; mode < 4; ++mode) {
    const TextureMatrix m = texture_matrix(mode, texture_srt(f.models[mode].materials[0]), 1);
    // the corners of an 8-texel texture: (0, 1) (1, 1) (1, 0) (0, 0)
    constexpr f64 k_corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (size_t i = 0; i < 4; ++i) {
      const auto [u, v] = k_corners[i];
      EXPECT_FLOAT_EQ(cloths[mode]->uvs[i][0], f32(m.uu * u + m.uv * v + m.u0)) << int(mode) << ", " << i;
      EXPECT_FLOAT_EQ(cloths[mode]->uvs[i][1], f32(m.vu * u + m.vv * v + m.v0)) << int(mode) << ", " << i;
    }
    first.emplace(cloths[mode]->uvs[0][0], cloths[mode]->uvs[0][1]);
  }
  EXPECT_EQ(first.size(), 4u);  // all differ
}
TEST(NitroSurfaces, ScalesCoordinatesByTheOriginalTextureSize) {
  Nsbmd f = banners();
  f.models.resize(1);
  f.models[0].texture_matrix_mode = 1;  // 2u - 0.5, v - 0.125
  f.models[0].materials[0].original_width = 4;
  const Scene s = Show(f).stage().scene;
  const auto& uvs = drawn_with(s, "cloth").at(0)->uvs;
  EXPECT_THAT(uvs[1], ElementsAre(2 * 1.5f, 0.875f));  // 8 / 4
  EXPECT_THAT(uvs[3], ElementsAre(2 * -0.5f, -0.125f));
}
TEST(NitroSurfaces, BakesLightIntoVertexColors) {
  const auto color = [](bool lit, const char* material, size_t corner) -> scene::Vec4 {
    const Scene s = Show(windmill()).stage(lit).scene;
    const auto& colors = drawn_with(s, material).at(0)->colors;
    return colors.empty() ? scene::Vec4{1, 1, 1, 1} : colors.at(corner);
  };
  // the wall's diffuse 25 and ambient 12 give white without lighting
  EXPECT_THAT(color(false, "wall", 0), ElementsAre(1, 1, 1, 1));
  EXPECT_LT(color(true, "wall", 20)[0], 1);                           // underneath
  EXPECT_NE(color(true, "wall", 20), color(true, "wall", 16));        // and on top
  EXPECT_LT(color(false, "roof", 0)[1], color(false, "roof", 0)[0]);  // red
  EXPECT_THAT(drawn_with(Show(crate()).stage(true).scene, "zinc").at(0)->colors[0],
              ElementsAre(1, testing::Lt(1), testing::Lt(0.1f), 1));  // COLOR came after NORMAL: it stays
}

// ---- nodes ----

TEST(NitroNodes, BillboardNodesRecordHowTheyTurn) {
  const Scene s = Show(meadow()).stage().scene;
  std::vector<std::string> said;
  for (const scene::Node& n : s.nodes)
    if (text(n.extras, "kind") == "nitro.billboard")
      said.push_back(n.name + " " + text(n.extras, "turns") + " on " + s.nodes[n.parent].name);
  EXPECT_THAT(said, ElementsAre("bush billboard fully on bush", "flower billboard fully on flower",
                                "pine billboard about its y axis on pine",
                                "poplar billboard about its y axis on poplar", "sun billboard fully on sun"));
  for (const scene::Node& n : s.nodes) {
    if (text(n.extras, "kind") != "nitro.billboard") continue;
    EXPECT_NE(n.mesh, k_none) << n.name;
  }
}
TEST(NitroNodes, ExportsHiddenNodesAsInvisible) {
  const Scene s = Show(fountain()).stage().scene;
  std::vector<std::string> hidden;
  for (const scene::Node& n : s.nodes)
    if (!n.visible) hidden.push_back(n.name + " on " + s.nodes[n.parent].name);
  EXPECT_THAT(hidden, ElementsAre("scaffold shown on scaffold"));
  const scene::Node* n = named(s.nodes, "scaffold shown");
  ASSERT_TRUE(n);
  EXPECT_NE(n->mesh, k_none);
}
TEST(NitroNodes, CreatesOneSceneNodePerModelNode) {
  const Scene s = Show(windmill()).stage().scene;
  EXPECT_EQ(s.nodes[0].name, "windmill");
  EXPECT_EQ(text(s.nodes[0].extras, "kind"), "nitro.model");
  std::string tree;
  for (const scene::Node& n : s.nodes)
    if (const std::string path = text(n.extras, "path"); path.find("nodes") != path.npos)
      tree += path + " " + n.name + " on " + s.nodes[n.parent].name + "\n";
  EXPECT_EQ(tree,
            "models[0].nodes[0] tower on windmill\n"
            "models[0].nodes[1] cap on tower\n"
            "models[0].nodes[2] wheel on cap\n"
            "models[0].nodes[3] door on tower\n");
}

// ---- animations ----

const scene::Animation& animation(const Scene& s, std::string_view name) {
  static const scene::Animation k_none_such;
  const scene::Animation* a = named(s.animations, name);
  return a ? *a : k_none_such;
}
/// An animated value of a material at a frame; the value at rest if no channel animates it.
scene::Vec4 now(const Scene& s, const scene::Animation& a, Index material, MaterialChannel::Target target, u32 frame) {
  for (const MaterialChannel& c : a.material_channels)
    if (c.material == material && c.target == target)
      return key_at(c.times, c.values, time_of(frame), c.interpolation == Channel::Interpolation::step);
  const scene::Material& m = s.materials[material];
  switch (target) {
    case MaterialChannel::Target::color:
      return m.color;
    case MaterialChannel::Target::offset:
      return {m.transform.offset[0], m.transform.offset[1], 0, 0};
    case MaterialChannel::Target::rotation:
      return {m.transform.rotation, 0, 0, 0};
    case MaterialChannel::Target::scale:
      break;
  }
  return {m.transform.scale[0], m.transform.scale[1], 0, 0};
}
bool seen(const Scene& s, const scene::Animation& a, Index node, u32 frame) {
  for (; node != k_none; node = s.nodes[node].parent) {
    bool visible = s.nodes[node].visible;
    for (const scene::VisibilityChannel& c : a.visibility_channels)
      if (c.node == node) visible = key_at(c.times, c.visible, time_of(frame), true);
    if (!visible) return false;
  }
  return true;
}

TEST(NitroAnimations, RotationKeysTakeTheShortestPath) {
  const Scene s = whole_windmill().stage().scene;
  size_t turns = 0;
  for (const scene::Animation& a : s.animations)
    for (const Channel& c : a.channels) {
      if (c.target != Channel::Target::rotation) continue;
      ++turns;
      EXPECT_EQ(c.interpolation, Channel::Interpolation::linear);
      for (size_t i = 1; i < c.values.size(); ++i) {
        f64 along = 0;
        for (size_t k = 0; k < 4; ++k) along += f64(c.values[i][k]) * c.values[i - 1][k];
        EXPECT_GT(along, 0.5) << a.name << ", key " << i;  // of the two quaternions of a rotation, the nearer
      }
    }
  EXPECT_GE(turns, 4u);
}
TEST(NitroAnimations, WaterTextureScrollsEveryFrame) {
  const Scene s = whole_windmill().stage().scene;
  const scene::Animation& flow = animation(s, "flow");
  const Index water = Index(&material_of(s, "water") - s.materials.data());
  for (u32 f = 0; f < 32; ++f) {  // 1/32 of the texture a frame, in the first 32nd not at all
    const scene::Vec4 offset = now(s, flow, water, MaterialChannel::Target::offset, f);
    EXPECT_FLOAT_EQ(offset[0], -f32(f) / 32) << f;
    EXPECT_EQ(offset[1], 0);
    EXPECT_EQ(now(s, flow, water, MaterialChannel::Target::rotation, f)[0], 0);
    EXPECT_EQ(now(s, flow, water, MaterialChannel::Target::scale, f)[0], 1);
  }
  for (const MaterialChannel& c : flow.material_channels)
    EXPECT_EQ(c.interpolation, Channel::Interpolation::step);  // the game never looks between frames
}
TEST(NitroAnimations, AnimatesTextureTransformsInEveryMode) {
  TextureTrack cloth{};
  cloth.name = "cloth";
  cloth.scale_s = make::texture_moving(0, false, 8, [](f64 f) { return 1 + f / 4; });
  cloth.scale_t = cloth.scale_s;  // or glTF could not hold it
  cloth.rotation = make::texture_turning(0, 8, [](f64 f) { return 20 + 40 * f; });
  cloth.translation_s = make::texture_moving(0, false, 8, [](f64 f) { return f / 8; });
  cloth.translation_t = make::texture_moving(0, false, 8, [](f64 f) { return f * f / 16; });
  TextureAnimation a{};
  a.name = "wave";
  a.frames = 8;
  a.materials = {cloth};
  Nsbta motion{};
  motion.header.version = 1;
  motion.animations = {a};
  Show show(banners());
  const SceneResult staged = show.with(motion).stage();
  EXPECT_THAT(ids(staged.notes), IsEmpty());
  const Scene& s = staged.scene;
  ASSERT_EQ(s.animations.size(), 4u);
  for (u8 mode = 0; mode < 4; ++mode) {
    const scene::Primitive& p = *drawn_with(s, "cloth").at(mode);
    EXPECT_THAT(p.uvs[0], ElementsAre(0, 1));  // the matrix is not in the coordinates
    for (u32 f = 0; f < 8; ++f) {
      const auto at = [&](MaterialChannel::Target t) { return now(s, s.animations[mode], p.material, t, f); };
      const scene::Vec4 offset = at(MaterialChannel::Target::offset), scale = at(MaterialChannel::Target::scale);
      const f64 angle = at(MaterialChannel::Target::rotation)[0], sine = std::sin(angle), cosine = std::cos(angle);
      const TextureMatrix m = texture_matrix(mode, texture_srt(cloth, 8, f), 1);
      for (const scene::Vec2 uv : {scene::Vec2{0, 0}, scene::Vec2{1, 0}, scene::Vec2{0.25f, 1}}) {
        const f64 u = f64(uv[0]) * scale[0], v = f64(uv[1]) * scale[1];  // KHR_texture_transform
        EXPECT_NEAR(cosine * u + sine * v + offset[0], m.uu * uv[0] + m.uv * uv[1] + m.u0, 2e-3)
            << int(mode) << " " << f;
        EXPECT_NEAR(-sine * u + cosine * v + offset[1], m.vu * uv[0] + m.vv * uv[1] + m.v0, 2e-3)
            << int(mode) << " " << f;
      }
    }
  }
}
TEST(NitroAnimations, NotesTextureShearingLostInGltf) {
  Show show(banners());
  const SceneResult staged = show.with(banners_textures()).stage();
  for (const std::string& id : ids(staged.notes)) EXPECT_EQ(id, "nitro.sheared-texture");
  EXPECT_FALSE(staged.notes.empty());
}

TEST(NitroScene, NotesEachOmittedMaterialOnce) {
  EXPECT_THAT(ids(Show(crate()).stage().notes), testing::Not(testing::Contains("nitro.left-out")));
  for (const bool hidden : {false, true}) {
    Nsbmd file = crate();
    for (Material& m : file.models[0].materials)
      if (hidden)
        m.show_front = m.show_back = false;
      else
        m.alpha = 0;
    const SceneResult staged = Show(file).stage();
    std::set<std::string> paths;
    for (const Diagnostic& d : staged.notes)
      if (d.id == "nitro.left-out") {
        EXPECT_TRUE(paths.insert(d.place.path).second) << d.place.path;
        EXPECT_EQ(d.message, hidden ? "the material is omitted because it shows neither side"
                                    : "the material is omitted because its alpha is 0");
      }
    EXPECT_FALSE(paths.empty());
  }
}

/// The pictures shown on the sails of a windmill.
std::vector<std::string> sails(const Scene& s, const scene::Animation& a, u32 frame) {
  std::vector<std::string> all;
  for (Index n = 0; n < s.nodes.size(); ++n)
    if (s.nodes[n].mesh != k_none && seen(s, a, n, frame))
      for (const scene::Primitive& p : s.meshes[s.nodes[n].mesh].primitives)
        if (const scene::Material& m = s.materials[p.material]; m.name.starts_with("sail"))
          all.push_back(s.images[s.textures[m.texture].image].name);
  return all;
}
TEST(NitroAnimations, ShowsOnePatternAtATime) {
  const Scene s = whole_windmill().stage().scene;
  for (u32 f = 0; f < 40; ++f) {
    const char* expected = f < 12 ? "sail" : f < 30 ? "sail_torn" : f < 36 ? "sail_torn.water_pl" : "sail";
    EXPECT_THAT(sails(s, animation(s, "storm"), f), ElementsAre(expected)) << f;
  }
  EXPECT_EQ(drawn_with(s, "sail").size(), 1u);
}
TEST(NitroAnimations, LastKeyUpToTheFrameWins) {
  Nsbtp patterns = windmill_patterns();
  patterns.animations[0].frames = 12;
  // before the first key the rest state applies; of two keys at one frame the second wins; the last one is never
  // reached
  patterns.animations[0].materials[0].keys = {{2, 1, 0}, {5, 0, 0}, {5, 1, 1}, {9, 0, 0}, {12, 1, 0}};
  Show show(windmill());
  const Scene s = show.with(patterns).stage().scene;
  for (u32 f = 0; f < 12; ++f) {
    const char* expected = f < 2 ? "sail" : f < 5 ? "sail_torn" : f < 9 ? "sail_torn.water_pl" : "sail";
    EXPECT_THAT(sails(s, animation(s, "storm"), f), ElementsAre(expected)) << f;
  }
}
TEST(NitroAnimations, UnsortedKeysApplyInListOrder) {
  Nsbtp patterns = windmill_patterns();
  patterns.animations[0].materials[0].keys = {{4, 1, 0}, {2, 1, 1}};
  Show show(windmill());
  const Scene s = show.with(patterns).stage().scene;
  for (u32 f = 0; f < 40; ++f)
    EXPECT_THAT(sails(s, animation(s, "storm"), f), ElementsAre(f < 2 ? "sail" : "sail_torn.water_pl")) << f;
}
TEST(NitroAnimations, AnimatesPatternsWithoutPalettes) {
  Show show(swatches());
  const Scene s = show.with(swatches_textures()).with(swatches_patterns()).stage().scene;
  const scene::Animation& night = animation(s, "nightfall");
  for (const u32 f : {0u, 9u, 10u, 19u}) {
    std::vector<std::string> all;
    for (Index n = 0; n < s.nodes.size(); ++n)
      if (s.nodes[n].name.starts_with("photo as") && seen(s, night, n, f)) all.push_back(s.nodes[n].name);
    EXPECT_THAT(all, ElementsAre(f < 10 ? "photo as photo" : "photo as photo_night")) << f;
  }
}

TEST(NitroAnimations, ColorAnimationsAssumeFullLight) {
  const Scene s = whole_windmill().stage().scene;
  const scene::Animation& dusk = animation(s, "dusk");
  const auto color = [&](std::string_view material, u32 frame) {
    return now(s, dusk, Index(&material_of(s, material) - s.materials.data()), MaterialChannel::Target::color, frame);
  };
  const auto linear = [](int eight_bits) { return scene::srgb_to_linear(f32(eight_bits) / 255); };
  EXPECT_THAT(color("sail", 0), ElementsAre(1, 1, 1, 1));  // 25 and 12
  // frame 20: diffuse (25, 5, 5), ambient (2, 2, 12), emission (5, 0, 0): (31, 7, 17); as 8 bits 60 and 142
  EXPECT_THAT(color("sail", 20), ElementsAre(1, linear(60), linear(142), 1));
  // frame 9: diffuse (25, 16, 16) and ambient between (8, 8, 12) of frame 8 and (6, 6, 12): (7, 7, 12), emission 2:
  // (31, 23, 28), as 8 bits 190 and 231
  EXPECT_THAT(color("sail", 9), ElementsAre(1, linear(190), linear(231), 1));
  for (u32 f = 0; f < 21; ++f) EXPECT_FLOAT_EQ(color("water", f)[3], f32(20 + f / 2) / 31) << f;
  // a fading material is never drawn opaque
  EXPECT_EQ(material_of(s, "water").alpha, Alpha::blend);
}
TEST(NitroAnimations, VisibilityBitsShowAndHideNodes) {
  const Scene s = whole_windmill().stage().scene;
  const scene::Animation& open = animation(s, "open_door");
  size_t doors = 0, others = 0;
  for (Index n = 0; n < s.nodes.size(); ++n) {
    const std::string& parent = s.nodes[n].parent == k_none ? s.nodes[n].name : s.nodes[s.nodes[n].parent].name;
    if (s.nodes[n].mesh == k_none || s.nodes[n].name.find(" as ") != std::string::npos) continue;
    const bool is_door = parent == "door";
    ++(is_door ? doors : others);
    for (u32 f = 0; f < 12; ++f)
      EXPECT_EQ(seen(s, open, n, f), !is_door || f < 4 || f > 8) << parent << ", frame " << f;
  }
  EXPECT_EQ(doors, 1u);
  EXPECT_GE(others, 2u);
}
TEST(NitroAnimations, VisibilityAnimationOverridesTheModel) {
  Nsbva all_seen{};
  all_seen.header.version = 1;
  VisibilityAnimation& a = all_seen.animations.emplace_back();
  a.name = "built";
  a.frames = 2, a.node_count = 2;
  a.words = {0b1101};  // the scaffold, node 1, is seen at frame 1; the fountain always
  Show show(fountain());
  const Scene s = show.with(all_seen).stage().scene;
  for (Index n = 0; n < s.nodes.size(); ++n) {
    if (s.nodes[n].mesh == k_none) continue;
    const bool is_scaffold = s.nodes[s.nodes[n].parent].name == "scaffold";
    for (u32 f = 0; f < 2; ++f)
      EXPECT_EQ(seen(s, animation(s, "built"), n, f), f == 1 || !is_scaffold) << s.nodes[n].name << ", frame " << f;
  }
}

std::vector<std::string> animation_names(const Scene& s) {
  std::vector<std::string> all;
  for (const scene::Animation& a : s.animations) all.push_back(a.name);
  return all;
}
TEST(NitroAnimations, AnimationNamesAreUnique) {
  EXPECT_THAT(animation_names(whole_windmill().stage().scene),
              ElementsAre("turn", "gust", "storm", "flow", "dusk", "open_door"));
  Show twice = whole_windmill();
  Nsbma colors = windmill_colors();
  colors.animations[0].name = "turn";
  twice.with(windmill_joints()).with(windmill_joints()).with(colors);
  EXPECT_THAT(animation_names(twice.stage().scene),
              ElementsAre("turn", "gust", "turn (joints)", "gust (joints)", "turn (joints 2)", "gust (joints 2)",
                          "storm", "flow", "dusk", "turn (colors)", "open_door"));
  Show models(crane());
  EXPECT_THAT(animation_names(models.with(crane_joints()).stage().scene), ElementsAre("lift", "lift (joints)"));
}
TEST(NitroAnimations, AnimationsRecordTheirSourceFile) {
  const Scene s = whole_windmill().stage().scene;
  const Value& extras = animation(s, "dusk").extras;
  EXPECT_EQ(text(extras, "kind"), "nitro.colors");
  EXPECT_EQ(text(extras, "file"), "some.nsbma");
  EXPECT_EQ(text(extras, "name"), "dusk");
}

// ---- what does not fit ----

TEST(NitroNotes, ModelWithoutCompanionsHasNoNotes) {
  const SceneResult staged = Show(crate()).stage();
  EXPECT_THAT(staged.notes, IsEmpty());
  EXPECT_THAT(staged.scene.animations, IsEmpty());
  EXPECT_EQ(staged.scene.images.size(), 1u);
}
TEST(NitroNotes, ReportsMissingTexturesAndPalettes) {
  const SceneResult staged = Show(swatches()).stage();
  ASSERT_THAT(ids(staged.notes), ElementsAre("nitro.unbound-texture")) << "seven in one";
  EXPECT_EQ(staged.notes[0].place.path, "models[0].materials[0]");
  EXPECT_EQ(staged.notes[0].message,
            "the textures \"bricks\", \"cloth\", \"glow\" and 4 more are in none of the files given");
  EXPECT_THAT(staged.scene.images, IsEmpty());
  EXPECT_EQ(drawn_with(staged.scene, "bricks").size(), 1u);  // drawn all the same
  // only a palette
  Nsbtx textures = swatches_textures();
  textures.textures.palettes.erase(textures.textures.palettes.begin());
  Show show(swatches());
  const SceneResult partly = show.with(textures).stage();
  ASSERT_EQ(partly.notes.size(), 1u);
  EXPECT_EQ(partly.notes[0].message, "the palette \"bricks_pl\" is in none of the files given");
}
TEST(NitroNotes, PrefersTexturesInsideTheModel) {
  Nsbtx other{};
  other.header.version = 1;
  other.textures = *crate().textures;
  for (u16& c : other.textures.palettes[0].colors) c = rgb(31, 0, 0);
  Show show(crate());
  EXPECT_EQ(show.with(other).stage().scene.images, Show(crate()).stage().scene.images);
  Nsbmd bare = crate();
  bare.textures.reset();
  Show dressed(bare);
  const Scene s = dressed.with(other).stage().scene;
  ASSERT_EQ(s.images.size(), 1u);
  EXPECT_EQ(color_of(s.images[0], 3, 3), (scene::Rgba{255, 0, 0, 255}));
}
TEST(NitroNotes, ChoosesTheMostCompleteTextureFile) {
  // All names exist, but the pictures differ.
  Nsbtx all = swatches_textures(), part = swatches_textures();
  for (Palette& p : part.textures.palettes)
    for (u16& c : p.colors) c = rgb(31, 0, 0);
  part.textures.textures.erase(part.textures.textures.begin());
  Show show(swatches());
  const SceneResult chosen = show.with(part).with(all).stage();
  EXPECT_EQ(chosen.scene.images, Show(swatches()).with(all).stage().scene.images);
  ASSERT_THAT(ids(chosen.notes), ElementsAre("nitro.chosen-textures"));
  EXPECT_EQ(chosen.notes[0].severity, Severity::hint);
  EXPECT_EQ(chosen.notes[0].message, "2 files contain textures with the names that the model uses");
  // No file has all of them: another file provides the rest, with a warning.
  Nsbtx less = swatches_textures();
  less.textures.textures.resize(2);
  Show mixed(swatches());
  const SceneResult both = mixed.with(less).with(part).stage();
  ASSERT_THAT(ids(both.notes), ElementsAre("nitro.mixed-textures"));
  EXPECT_EQ(both.notes[0].severity, Severity::warning);
  EXPECT_EQ(both.notes[0].message, "folder/some.nsbtx lacks textures of the model: " + all.textures.textures[0].name);
  EXPECT_EQ(both.scene.images.size(), chosen.scene.images.size());
}
TEST(NitroNotes, ReportsAnimationsOfOtherModels) {
  const auto notes = [](const auto& file) {
    Show show(crate());
    std::vector<std::string> found;
    for (const Diagnostic& d : show.with(file).stage().notes) found.push_back(d.id + ": " + d.message);
    return found;
  };
  EXPECT_THAT(notes(windmill_joints()),
              ElementsAre("nitro.unfit-animation: the animation \"turn\" has tracks for 4 nodes, but the model has 1",
                          "nitro.unfit-animation: the animation \"gust\" has tracks for 4 nodes, but the model has 1"));
  EXPECT_THAT(notes(windmill_visibility()),
              ElementsAre("nitro.unfit-animation: the animation \"open_door\" has 4 nodes, but the model has 1"));
  const auto material = [](const char* name, const char* animation) {
    return std::string("nitro.unfit-animation: the animation \"") + animation + "\" animates the material \"" + name +
           "\", which the model does not have";
  };
  EXPECT_THAT(notes(windmill_textures()), ElementsAre(material("water", "flow")));
  EXPECT_THAT(notes(windmill_patterns()), ElementsAre(material("sail", "storm")));
  EXPECT_THAT(notes(windmill_colors()), ElementsAre(material("sail", "dusk"), material("water", "dusk")));
}
TEST(NitroNotes, MatchesCompanionsByTheirContents) {
  // by the node count and the start of a name, since many models have four nodes
  Nsbca joints = windmill_joints();
  EXPECT_FALSE(matches_model(joints, windmill()));
  joints.animations[1].name = "windmill_gust";
  EXPECT_TRUE(matches_model(joints, windmill()));
  EXPECT_FALSE(matches_model(joints, eel()));
  joints.animations[1].name = "wind";
  EXPECT_TRUE(matches_model(joints, windmill()));
  joints.animations[1].tracks.pop_back();
  EXPECT_FALSE(matches_model(joints, windmill()));
  Nsbva visibility = windmill_visibility();
  EXPECT_FALSE(matches_model(visibility, windmill()));
  visibility.animations[0].name = "windmill";
  EXPECT_TRUE(matches_model(visibility, windmill()));
  visibility.animations[0].node_count = 3;
  EXPECT_FALSE(matches_model(visibility, windmill()));
  // by all materials
  EXPECT_TRUE(matches_model(windmill_patterns(), windmill()));
  EXPECT_FALSE(matches_model(windmill_patterns(), swatches()));
  EXPECT_TRUE(matches_model(banners_textures(), banners()));
  EXPECT_FALSE(matches_model(banners_textures(), windmill()));
  Nsbma colors = windmill_colors();
  EXPECT_TRUE(matches_model(colors, windmill()));
  colors.animations[0].materials[1].name = "wine";
  EXPECT_FALSE(matches_model(colors, windmill()));
  colors.animations[0].materials.clear();
  EXPECT_FALSE(matches_model(colors, windmill()));
  // by one texture
  EXPECT_TRUE(matches_model(swatches_textures(), swatches()));
  EXPECT_FALSE(matches_model(posters(), swatches()));
}

}  // namespace
