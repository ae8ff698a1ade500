// scene_edits_test.cpp: random edits of glTF scenes, applied to files of every format with positions. Moved objects
// have their new transforms, copies and deletions are applied, and everything else keeps its bytes.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "core/text_format.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/node_transform_edit.hpp"
#include "kmp/generator.hpp"
#include "operations/apply_scene.hpp"
#include "operations/operations.hpp"
#include "platinum/corpus.hpp"
#include "samples/samples.hpp"
#include "scene/transforms.hpp"

namespace dio::test {
namespace {

using scene::Index;
using scene::k_none;

scene::Scene scene_of(const Bytes& file, const ReadAs& as) {
  const auto opened = open(file, "file", as);
  if (!opened) return {};
  auto staged = to_scene(*opened, {});
  return staged ? std::move(staged->scene) : scene::Scene();
}
/// The scene as another program would return it.
scene::Scene through_gltf(const scene::Scene& s) {
  const auto glb = gltf::write_glb(s);
  EXPECT_TRUE(glb);
  auto read = gltf::read(*glb);
  EXPECT_TRUE(read);
  return std::move(read->document);
}
std::map<std::string, Index> placed_in(const scene::Scene& s, const Scenes& scenes) {
  std::map<std::string, Index> out;
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (is_placed(scenes, s.nodes[i])) out.emplace(path_from_extras(s.nodes[i].extras), i);
  return out;
}
void without_extras(scene::Scene& s) {
  for (scene::Node& n : s.nodes) n.extras = {};
}

/// Removes nodes and their descendants from a scene.
void remove_nodes(scene::Scene& s, const std::function<bool(const scene::Node&, Index)>& goes) {
  std::vector<Index> kept(s.nodes.size(), k_none);
  std::vector<scene::Node> nodes;
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    if (goes(n, i) || (n.parent != k_none && kept[n.parent] == k_none)) continue;
    kept[i] = Index(nodes.size());
    nodes.push_back(n);
    if (n.parent != k_none) nodes.back().parent = kept[n.parent];
  }
  s.nodes = std::move(nodes);
}

/// An unedited scene changes nothing, with or without extras.
bool keeps_file_unedited(const Bytes& file, const ReadAs& as, const scene::Scene& own) {
  for (const bool by_name : {false, true}) {
    scene::Scene same = through_gltf(own);
    if (by_name) without_extras(same);
    auto e = Editing::begin(file, as);
    EXPECT_TRUE(e);
    const auto taken = apply_scene_edits(*e, as, std::move(same), Referrers::refuse);
    EXPECT_TRUE(taken) << format_one_line(taken.error());
    if (!taken) return false;
    EXPECT_FALSE(taken->any()) << (e->done() ? format_one_line(e->last()[0]) : "");
    EXPECT_EQ(e->bytes(), file);
  }
  return true;
}

/// Deletes one node, copies another (with a name as programs give copies) and moves a third.
u64 delete_one_and_copy_another(Editing& e, const Bytes& file, const ReadAs& as, const scene::Scene& own,
                                std::mt19937_64& random) {
  const Scenes& scenes = *as.format->scenes;
  const auto placed = placed_in(own, scenes);
  const auto below = [&](u64 n) { return n ? random() % n : 0; };
  u64 made = 0;
  scene::Scene edited = through_gltf(own);
  auto it = placed.begin();
  std::advance(it, i64(below(placed.size())));
  const std::string gone = it->first;
  it = placed.begin();
  std::advance(it, i64(below(placed.size())));
  const std::string original = it->first;
  if (gone != original) {
    scene::Node copy = edited.nodes[it->second];
    copy.name += ".001";
    copy.translation[0] += 64;
    copy.camera = k_none;
    edited.nodes.push_back(copy);
    const Index deleted = placed.at(gone);
    remove_nodes(edited, [&](const scene::Node&, Index i) { return i == deleted; });
    edited.animations.clear(), edited.skins.clear();
    for (scene::Node& n : edited.nodes) n.skin = k_none, n.mesh = k_none;
    // The last camera of a file is kept, because exporters may omit cameras.
    const bool is_last_camera =
        own.nodes[deleted].camera != k_none &&
        std::ranges::all_of(edited.nodes, [](const scene::Node& n) { return n.camera == k_none; });
    const auto both = apply_scene_edits(e, as, std::move(edited), Referrers::unlink);
    if (both) {
      const auto after = placed_in(scene_of(e.bytes(), as), scenes);
      const bool inside = gone.starts_with(original + ".") || original.starts_with(gone + ".");
      if (!inside) {
        EXPECT_EQ(after.size() + both->removed, placed.size() + both->added) << gone << " " << original;
        EXPECT_GE(both->removed, is_last_camera ? 0u : 1u);
      }
      EXPECT_EQ(both->added, 1u) << original;
      made += 2;
    }
    while (e.can_undo()) e.undo();
    EXPECT_EQ(e.bytes(), file);
  }
  return made;
}

/// Makes every kind of edit that a file allows. Returns the number of edits made.
u64 edit_scene_at_random(const Bytes& file, const ReadAs& as, u64 seed) {
  const scene::Scene own = scene_of(file, as);
  const Scenes& scenes = *as.format->scenes;
  const auto placed = placed_in(own, scenes);
  if (placed.empty()) return 0;
  std::mt19937_64 random(seed);
  const auto below = [&](u64 n) { return n ? random() % n : 0; };

  if (!keeps_file_unedited(file, as, own)) return 0;

  // Moves some nodes; rotates and scales those with a rotation and a scale.
  scene::Scene edited = through_gltf(own);
  std::map<std::string, scene::Pose> wanted;
  const auto opened = open(file, "file", as);
  for (const auto& [path, i] : placed) {
    const scene::Pose before = scene::decompose_trs(own.nodes[i]);
    scene::Pose after = before;
    const f32 step = f32(below(2000)) / 8;
    after.translation[below(3)] += step;
    if (below(2)) {
      scene::Pose turned = after;
      turned.rotation = scene::multiply(scene::from_axis_degrees(scene::k_axis_y, f32(below(360))), after.rotation);
      if (scenes.place(*opened->document, {own.nodes[i].extras, before, turned})) after = turned;
    }
    if (below(4) == 0) {
      scene::Pose scaled = after;
      scaled.scale = scene::mul(after.scale, 2);
      if (scenes.place(*opened->document, {own.nodes[i].extras, before, scaled})) after = scaled;
    }
    const bool is_far = std::ranges::any_of(before.translation, [](f32 x) { return std::fabs(x) > 1e6f; });
    const bool is_left =
        is_far || below(3) == 0 || !scenes.place(*opened->document, {own.nodes[i].extras, before, after});
    if (is_left) after = before;
    wanted[path] = after;
    scene::Node& n = edited.nodes[i];
    n.translation = after.translation, n.rotation = after.rotation, n.scale = after.scale;
  }
  auto e = Editing::begin(file, as);
  const auto taken = apply_scene_edits(*e, as, through_gltf(edited), Referrers::refuse);
  if (!taken) {
    // Formats may reject values that they cannot store; the file must then be unchanged.
    EXPECT_EQ(e->bytes(), file);
    return 0;
  }
  const scene::Scene now = scene_of(e->bytes(), as);
  const auto there = placed_in(now, scenes);
  EXPECT_EQ(there.size(), placed.size());
  u64 made = taken->moved;
  for (const auto& [path, pose] : wanted) {
    const auto found = there.find(path);
    if (found == there.end()) {
      ADD_FAILURE() << path << " is gone";
      continue;
    }
    const scene::Node& n = now.nodes[found->second];
    const scene::Node& was = own.nodes[placed.at(path)];
    if (n.extras.find("kind")->text() == "checkpoint") {
      // Its mesh defines its position, so moving the node has no effect.
      const scene::Affine change = scene::local_transform(pose) * *scene::inverse(scene::local_transform(was));
      for (const char* end : {"left", "right"}) {
        const auto value = [&](const Bytes& bytes, const char* axis) {
          const TraceResult traced = as.format->trace(bytes, as.options);
          const Value v = traced.spans.value(*traced.spans.find(path + "." + end + "." + axis));
          return v.is(Value::Kind::real) ? v.number() : 1e9;  // other values are texts
        };
        const scene::Point from{value(file, "x"), 0, value(file, "z")}, to = change * from;
        if (!(std::fabs(from[0]) < 1e6 && std::fabs(from[2]) < 1e6)) continue;
        EXPECT_NEAR(value(e->bytes(), "x"), to[0], 1e-3 + 1e-5 * std::fabs(to[0])) << path << " " << end;
        EXPECT_NEAR(value(e->bytes(), "z"), to[2], 1e-3 + 1e-5 * std::fabs(to[2])) << path << " " << end;
      }
      continue;
    }
    for (size_t k = 0; k < 3; ++k)
      if (n.camera == k_none)
        EXPECT_NEAR(n.translation[k], pose.translation[k], 1e-3 + 1e-5 * std::fabs(pose.translation[k])) << path;
  }
  // Every change is inside a moved part.
  if (e->done())
    for (const Change& c : e->last()) {
      if (c.path == "sections") continue;  // of a file in which it was wrong
      const bool is_of_moved = std::ranges::any_of(wanted, [&](const auto& w) {
        return c.path.starts_with(w.first + ".") &&
               !is_same_pose(w.second, scene::decompose_trs(own.nodes[placed.at(w.first)]));
      });
      EXPECT_TRUE(is_of_moved) << format_one_line(c);
    }
  while (e->can_undo()) e->undo();
  EXPECT_EQ(e->bytes(), file);

  return made + delete_one_and_copy_another(*e, file, as, own, random);
}

class FormatScenes : public testing::TestWithParam<const Format*> {};
std::vector<const Format*> with_places() {
  std::vector<const Format*> out;
  for (const Format* f : formats())
    if (f->scenes && f->scenes->place) out.push_back(f);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Formats, FormatScenes, testing::ValuesIn(with_places()), [](const auto& p) {
  std::string name(p.param->id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(FormatScenes, RandomSceneEditsReachTheFile) {
  u64 made = 0;
  for (const Sample& s : samples_of(*GetParam()))
    each_seed(2, [&](u64 seed) {
      SCOPED_TRACE(s.name);
      made += edit_scene_at_random(s.bytes, GetParam(), seed);
    });
  EXPECT_GT(made, 0u);
}

TEST(SceneEdits, SceneEditsApplyToGeneratedCourses) {
  const ReadAs kmp = find_format_and_layout("kmp");
  u64 made = 0;
  each_seed(60, [&](u64 seed) {
    const auto opened = open(KmpGenerator(seed).file(), "course.kmp", kmp);
    const auto clean = opened ? opened->document->save({.canonical = true, .lossy = true}) : refuse(opened.error());
    // If two sections have the same name, scenes show one of them and paths mean the other.
    std::set<std::string> names;
    bool is_clear = clean.has_value();
    if (clean) {
      const TraceResult traced = kmp.format->trace(*clean, kmp.options);
      traced.spans.for_each_child(0, [&](u32 i) {
        const char* name = traced.spans[i].key.name;
        if (name && traced.spans[i].kind == Span::Kind::object) is_clear &= names.insert(name).second;
      });
    }
    if (is_clear) made += edit_scene_at_random(*clean, kmp, seed);
  });
  EXPECT_GT(made, 100u);
}

/// A course for editing single nodes.
struct Race {
  const ReadAs kmp = find_format_and_layout("kmp");
  Bytes file;
  scene::Scene scene;
  Race() {
    for (const Sample& s : samples_of(*kmp.format))
      if (s.name == "race.kmp") file = s.bytes;
    scene = scene_of(file, kmp);
  }
  scene::Node& node(std::string_view path, std::string_view kind = {}) {
    for (scene::Node& n : scene.nodes)
      if (path_from_extras(n.extras) == path && (kind.empty() || n.extras.find("kind")->text() == kind)) return n;
    ADD_FAILURE() << path;
    return scene.nodes[0];
  }
  Result<SceneEdits> take(Editing& e, Referrers referrers = Referrers::refuse) {
    return apply_scene_edits(e, kmp, scene, referrers);
  }
  Editing editing() { return std::move(*Editing::begin(file, kmp)); }
};
std::string get(const Editing& e, std::string_view path) {
  const auto spot = e.spans().find(path);
  return spot ? e.spans().show(*spot) : "no such value";
}

TEST(SceneEdits, RotatingANodeChangesOnlyOneAngle) {
  Race race;
  Editing e = race.editing();
  const std::string y = get(e, "GOBJ.entries[0].rotation.y");
  scene::Node& n = race.node("GOBJ.entries[0]");
  n.rotation = scene::multiply(scene::from_axis_degrees(scene::k_axis_y, 30), n.rotation);
  n.translation[1] += 100;
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->moved, 1u);
  const f64 before = parse_real(y), after = parse_real(get(e, "GOBJ.entries[0].rotation.y"));
  EXPECT_NEAR(std::remainder(after - before - 30, 360), 0, 1e-3);
  EXPECT_EQ(e.last().size(), 2u) << format_one_line(e.last()[0]);  // only a height and an angle
}

TEST(SceneEdits, RejectionNamesTheUnsupportedNode) {
  Race race;
  Editing e = race.editing();
  race.node("ENPT.entries[1]").scale = {2, 2, 2};
  const auto taken = race.take(e);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().id, "scene.place");
  EXPECT_EQ(taken.error().place.path, "enemy point 1");
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, RejectsScenesFromOtherFiles) {
  Race race;
  Editing e = race.editing();
  for (scene::Node& n : race.scene.nodes) n.name += " of something else", n.extras = {};
  const auto taken = race.take(e);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().id, "scene.source");
}

TEST(SceneEdits, DeletesReferencedNodesOnlyWithUnlink) {
  Race race;
  Editing e = race.editing();
  // Deletes the route node with its points.
  const auto is_gone = [](const scene::Node& n) { return path_from_extras(n.extras).starts_with("POTI.entries[0]"); };
  std::vector<Index> to;
  std::vector<scene::Node> nodes;
  for (const scene::Node& n : race.scene.nodes) {
    to.push_back(is_gone(n) ? k_none : Index(nodes.size()));
    if (is_gone(n)) continue;
    nodes.push_back(n);
    if (n.parent != k_none) nodes.back().parent = to[n.parent];
  }
  race.scene.nodes = nodes;
  race.scene.animations.clear();
  const auto refused = race.take(e);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "edit.referred");
  EXPECT_EQ(e.bytes(), race.file);
  const u64 routes = e.spans().length(e.spans().find("POTI.entries")->span);
  const auto taken = race.take(e, Referrers::unlink);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(e.spans().length(e.spans().find("POTI.entries")->span), routes - 1);
  e.undo();
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, AppliesOnlyEditedProperties) {
  Race race;
  Editing e = race.editing();
  *race.node("GOBJ.entries[0]").extras.find("presence") = 7;
  Value& settings = *race.node("GOBJ.entries[0]").extras.find("settings");
  settings.members()[0].second = 5.0;  // programs may write whole numbers as reals
  *race.node("ENPT.entries[0]").extras.find("deviation") = 25;
  *race.node("POTI.entries[0]").extras.find("smooth") = 0;  // "no", as Blender writes it
  *race.node("AREA.entries[0]", "area").extras.find("priority") = 3;
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->changed, 3u);
  EXPECT_EQ(taken->moved + taken->added + taken->removed, 0u);
  EXPECT_TRUE(taken->notes.empty());
  EXPECT_EQ(e.last().size(), 4u);
  EXPECT_TRUE(get(e, "GOBJ.entries[0].presence").starts_with("7 ("));
  EXPECT_EQ(get(e, "GOBJ.entries[0].settings[0]"), "5");
  EXPECT_EQ(parse_real(get(e, "ENPT.entries[0].deviation")), 25);
  EXPECT_EQ(get(e, "AREA.entries[0].priority"), "3");
}

TEST(SceneEdits, CopiesTakeTheirOwnProperties) {
  Race race;
  Editing e = race.editing();
  const std::string presence = get(e, "GOBJ.entries[0].presence");
  scene::Node copy = race.node("GOBJ.entries[0]");
  copy.name += ".001";
  copy.translation[0] += 100;
  *copy.extras.find("presence") = 5;
  race.scene.nodes.push_back(std::move(copy));
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->added, 1u);
  EXPECT_EQ(taken->lost, 0u);
  EXPECT_EQ(get(e, "GOBJ.entries[0].presence"), presence);
  EXPECT_TRUE(get(e, "GOBJ.entries[1].presence").starts_with("5 ("));
}

TEST(SceneEdits, ReportsInvalidPropertiesByName) {
  Race race;
  Editing e = race.editing();
  *race.node("GOBJ.entries[0]").extras.find("model") = "something else";
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_FALSE(taken->any());
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.property");
  EXPECT_NE(format_one_line(taken->notes[0]).find("model"), std::string::npos);
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, ReportsNewPropertiesByName) {
  Race race;
  Editing e = race.editing();
  race.node("GOBJ.entries[0]").extras.add("active", 1);
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->lost, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.property");
  EXPECT_NE(format_one_line(taken->notes[0]).find("active"), std::string::npos);
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, ReportsScenePropertiesOfMovedScenes) {
  Race race;
  Editing e = race.editing();
  race.node("GOBJ.entries[0]").translation[0] += 100;
  *race.scene.extras.find("format") = "something else";
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->moved, 1u);
  EXPECT_EQ(taken->lost, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.property");
  EXPECT_NE(format_one_line(taken->notes[0]).find("the scene: format"), std::string::npos);
}

TEST(SceneEdits, ReportsReshapedMarkersByName) {
  Race race;
  Editing e = race.editing();
  scene::Node& node = race.node("GOBJ.entries[0]");
  race.scene.meshes.push_back(race.scene.meshes[node.mesh]);
  node.mesh = Index(race.scene.meshes.size() - 1);
  race.scene.meshes[node.mesh].primitives[0].positions[0][1] += 50;
  node.translation[0] += 100;
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->moved, 1u);
  EXPECT_EQ(taken->lost, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.place");
  EXPECT_NE(format_one_line(taken->notes[0]).find(node.name), std::string::npos);
}

TEST(SceneEdits, NotesNewNames) {
  Race race;
  Editing e = race.editing();
  race.node("GOBJ.entries[0]").name = "my box";
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->lost, 0u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.kept");
  EXPECT_NE(format_one_line(taken->notes[0]).find("my box"), std::string::npos);
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, RejectsValuesOutOfRange) {
  Race race;
  Editing e = race.editing();
  *race.node("GOBJ.entries[0]").extras.find("presence") = 100000;
  EXPECT_FALSE(race.take(e));
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, KeepsCamerasMissingFromTheScene) {
  Race race;
  Editing e = race.editing();
  // Removes cameras and their descendants, as exporters do by default.
  const size_t before = race.scene.nodes.size();
  remove_nodes(race.scene, [](const scene::Node& n, Index) { return n.camera != k_none; });
  ASSERT_LT(race.scene.nodes.size(), before);
  race.scene.animations.clear();
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_FALSE(taken->any());
  EXPECT_EQ(e.bytes(), race.file);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.kept");
  EXPECT_NE(format_one_line(taken->notes[0]).find("cameras"), std::string::npos);
}

// Courses whose cameras are lights, in a scene with neither.
TEST(SceneEdits, NamesLightsThatWereLeftOut) {
  Race race;
  static const Scenes* const k_courses = race.kmp.format->scenes;
  Scenes lit = *k_courses;
  lit.to_scene = [](const AnyDocument& file, const SceneOptions& options) {
    auto staged = k_courses->to_scene(file, options);
    if (!staged) return staged;
    for (scene::Node& n : staged->scene.nodes)
      if (std::exchange(n.camera, k_none) != k_none) n.light = Index(staged->scene.lights.size());
    staged->scene.lights.push_back({.name = "lamp"});
    staged->scene.cameras.clear();
    return staged;
  };
  Format courses = *race.kmp.format;
  courses.scenes = &lit;
  const ReadAs as{&courses, race.kmp.options};
  scene::Scene scene = scene_of(race.file, race.kmp);
  remove_nodes(scene, [](const scene::Node& n, Index) { return n.camera != k_none; });
  scene.animations.clear(), scene.cameras.clear();
  Editing e = std::move(*Editing::begin(race.file, as));
  const auto taken = apply_scene_edits(e, as, std::move(scene), Referrers::refuse);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_FALSE(taken->any());
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.kept");
  EXPECT_NE(taken->notes[0].message.find("no lights"), std::string::npos) << taken->notes[0].message;
  EXPECT_EQ(taken->notes[0].message.find("cameras"), std::string::npos) << taken->notes[0].message;
  EXPECT_EQ(taken->notes[0].hint.find("cameras"), std::string::npos) << taken->notes[0].hint;
}

TEST(SceneEdits, MatchesRenamedNodesByPosition) {
  Race race;
  Editing e = race.editing();
  without_extras(race.scene);
  const auto node = std::ranges::find(race.scene.nodes, "itembox 0", &scene::Node::name);
  ASSERT_NE(node, race.scene.nodes.end());
  node->name = "my box";
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_FALSE(taken->any());
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, ReportsIgnoredEmptiesByName) {
  Race race;
  Editing e = race.editing();
  scene::Node& made = race.scene.nodes.emplace_back();
  made.name = "Empty";
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.new");
  EXPECT_NE(format_one_line(taken->notes[0]).find("Empty"), std::string::npos);
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, KeepsPartsThatWereNotExported) {
  Race race;
  Editing e = race.editing();
  // Keeps only the objects, as if only they were selected for export.
  std::vector<scene::Node> nodes;
  for (const scene::Node& n : race.scene.nodes)
    if (n.extras.find("kind") && n.extras.find("kind")->text() == "object") {
      nodes.push_back(n);
      nodes.back().parent = k_none;
    }
  ASSERT_FALSE(nodes.empty());
  nodes[0].translation[0] += 500;
  race.scene.nodes = nodes;
  race.scene.animations.clear();
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->moved, 1u);
  EXPECT_EQ(taken->removed, 0u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.kept");
}

TEST(SceneEdits, NewNodesInASectionAddElements) {
  Race race;
  Editing e = race.editing();
  const u64 objects = e.spans().length(e.spans().find("GOBJ.entries")->span);
  scene::Node fresh;
  fresh.name = "my item box";
  fresh.extras = Value::object();
  fresh.extras.add("id", 101);
  fresh.translation = {1, 2, 3};
  for (Index i = 0; i < race.scene.nodes.size(); ++i)
    if (race.scene.nodes[i].name == "objects") fresh.parent = i;
  race.scene.nodes.push_back(fresh);
  const auto taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->added, 1u);
  const std::string element = "GOBJ.entries[" + std::to_string(objects) + "]";
  EXPECT_EQ(get(e, element + ".position.z"), "3.0");
  EXPECT_EQ(get(e, element + ".scale.x"), "1.0");
  const auto id = e.spans().find(element + ".id");
  ASSERT_TRUE(id);
  EXPECT_EQ(e.spans()[id->span].raw, 101u);
  e.undo();
  EXPECT_EQ(e.bytes(), race.file);
}

TEST(SceneEdits, NewElementsTakeAllKindsOfProperties) {
  Race race;
  Editing e = race.editing();
  const auto add = [&](std::string_view section, std::string name) -> Value& {
    scene::Node fresh;
    fresh.name = std::move(name);
    fresh.extras = Value::object();
    for (Index i = 0; i < race.scene.nodes.size(); ++i)
      if (race.scene.nodes[i].name == section) fresh.parent = i;
    EXPECT_NE(fresh.parent, k_none) << section;
    return race.scene.nodes.emplace_back(std::move(fresh)).extras;
  };
  const std::string object =
      "GOBJ.entries[" + std::to_string(e.spans().length(e.spans().find("GOBJ.entries")->span)) + "]";
  Value& extras = add("objects", "my item box");
  extras.add("kind", "object");
  extras.add("id", 101.0);       // a real, as programs may write whole numbers
  extras.add("presence", true);  // an integer of the file
  Value& settings = extras.add("settings", Value::list());
  for (int i = 0; i < 8; ++i) settings.push(i * 10);
  extras.add("weight", 3);        // the file has no such value
  extras.add("route", "nobody");  // nor this one in that form
  auto taken = race.take(e);
  EXPECT_FALSE(taken);  // not a number
  *race.scene.nodes.back().extras.find("route") = 1;
  taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->added, 1u);
  const auto raw = [&](const std::string& path) {
    const auto spot = e.spans().find(path);
    return spot ? e.spans().value(*spot) : Value();
  };
  EXPECT_EQ(raw(object + ".id"), Value(101));
  EXPECT_EQ(raw(object + ".presence"), Value(1));
  EXPECT_EQ(raw(object + ".settings[7]"), Value(70));
  EXPECT_EQ(raw(object + ".route"), Value(1));
  EXPECT_EQ(taken->lost, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "scene.property");
  EXPECT_NE(format_one_line(taken->notes[0]).find("my item box: weight"), std::string::npos);

  // Reals and words, and a list of another length.
  while (e.can_undo()) e.undo();
  race.scene.nodes.pop_back();
  const std::string area =
      "AREA.entries[" + std::to_string(e.spans().length(e.spans().find("AREA.entries")->span)) + "]";
  Value& area_extras = add("areas", "my area");
  area_extras.add("shape", "cylinder");
  area_extras.add("priority", 2);
  area_extras.add("settings", Value::list()).push(1);
  taken = race.take(e);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(get(e, area + ".shape"), "1 (cylinder)");
  EXPECT_EQ(get(e, area + ".priority"), "2");
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_NE(format_one_line(taken->notes[0]).find("my area: settings"), std::string::npos);
}

TEST(SceneEdits, OrdersNotesOnShapesAsTheyAreDrawn) {
  const ReadAs as = find_format_and_layout("nsbmd");
  for (const Sample& sample : samples_of(*as.format)) {
    if (sample.name != "meadow.nsbmd") continue;
    scene::Scene s = scene_of(sample.bytes, as);
    for (scene::Mesh& mesh : s.meshes)
      for (scene::Primitive& p : mesh.primitives)
        for (scene::Vec3& position : p.positions) position[0] += 1e6f;  // more than the format stores
    Editing e = std::move(*Editing::begin(sample.bytes, as));
    const auto taken = apply_scene_edits(e, as, std::move(s), Referrers::refuse);
    ASSERT_TRUE(taken) << format_one_line(taken.error());
    std::string nodes;
    for (const Diagnostic& d : taken->notes) nodes += d.place.path + ", ";
    EXPECT_EQ(nodes, "meadow, bush billboard, flower billboard, pine billboard, poplar billboard, sun billboard, ");
    return;
  }
  ADD_FAILURE() << "no meadow.nsbmd";
}

TEST(SceneEdits, WarnsIfTheFileChangedSinceExport) {
  for (const char* format : {"kmp", "land-data", "fft-mesh"}) {
    SCOPED_TRACE(format);
    const Bytes file = samples_of(*find_format(format)).front().bytes;
    auto opened = open(file, "file");
    ASSERT_TRUE(opened);
    auto staged = to_scene(*opened);
    ASSERT_TRUE(staged) << format_one_line(staged.error());
    const scene::Scene scene = through_gltf(staged->scene);
    const auto warns = [](const ApplySceneResult& p) {
      return std::ranges::any_of(p.notes, [](const Diagnostic& d) { return d.id == "scene.older"; });
    };
    const auto same = apply_scene(*opened, scene, {}, Referrers::refuse);
    ASSERT_TRUE(same) << format_one_line(same.error());
    EXPECT_FALSE(warns(*same));
    // The same file after another edit: applying the scene reverts that edit.
    scene::Scene edited = scene;
    bool moved = false;
    for (scene::Node& n : edited.nodes) {
      const bool counts = opened->format->scenes->place ? is_placed(*opened->format->scenes, n) : n.mesh != k_none;
      const Value* kind = n.extras.find("kind");
      if (!counts || moved || (kind && kind->text() == "start point")) continue;  // cameras look at the kart
      n.translation[1] += 64;
      moved = true;
    }
    ASSERT_TRUE(moved);
    auto now = apply_scene(*opened, edited, {}, Referrers::refuse);
    ASSERT_TRUE(now) << format_one_line(now.error());
    EXPECT_FALSE(warns(*now));
    ASSERT_NE(now->bytes, file);
    auto changed = open(now->bytes, "file");
    ASSERT_TRUE(changed);
    const auto back = apply_scene(*changed, scene, {}, Referrers::refuse);
    ASSERT_TRUE(back) << format_one_line(back.error());
    EXPECT_NE(back->bytes, now->bytes);
    EXPECT_TRUE(warns(*back));
  }
}

// The game's land files, if available.
TEST(SceneEdits, SceneEditsApplyToRealLandFiles) {
  const ReadAs land = find_format_and_layout("land-data");
  u64 made = 0, files = 0;
  for (const RealFile& file : real_lands()) {
    if (++files % 40) continue;
    made += edit_scene_at_random(file.bytes, land, files);
  }
  if (!files) GTEST_SKIP() << "no corpus";
  EXPECT_GT(made, 0u);
}

}  // namespace
}  // namespace dio::test
