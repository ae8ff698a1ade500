// edit_test.cpp: edits of BRRES files that move parts: what was asked for is there, and nothing else has changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "formats/brres/from_scene/vertex_editor.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/semantics.hpp"
#include "formats/registry.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"
#include "samples/brres/files.hpp"
#include "samples/samples.hpp"
#include "scene/triangle_match.hpp"

namespace dio::brres {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Bytes bytes_of_hill() { return *save_new(placed(hill())); }

Editing editing_of(const Bytes& file) {
  auto e = Editing::begin(file, {find_format("brres")});
  EXPECT_TRUE(e) << (e ? "" : format_one_line(e.error()));
  return std::move(*e);
}
Brres read(const Editing& e) {
  auto d = load<Brres>(e.bytes());
  EXPECT_TRUE(d) << (d ? "" : format_one_line(d.error()));
  return d ? d->document.value() : Brres{};
}
template <class T>
std::vector<std::string> names_of(const std::vector<T>& parts) {
  std::vector<std::string> out;
  for (const T& x : parts) out.push_back(x.name);
  return out;
}
std::vector<std::string> names_of(const Dictionary& d) { return names_of(d.entries); }
/// The ids of the errors and warnings that a check finds.
std::vector<std::string> problems_of(const Bytes& file) {
  auto o = open(file, "edited.brres");
  EXPECT_TRUE(o);
  std::vector<std::string> out;
  for (const Diagnostic& d : check(*o))
    if (d.severity != Severity::hint) out.push_back(d.id + " " + d.place.path);
  return out;
}
/// Every shape is drawn with the same material, shader and texture as before.
std::vector<std::string> drawn(const Brres& f) {
  std::vector<std::string> out;
  const Model& m = f.models[0];
  for (const Program& p : m.programs)
    for (const Command& c : p.commands)
      if (c.code == code::draw) {
        const Material& x = m.materials[c.material];
        const Shader* shader = find_shader(m, c.material);
        out.push_back(m.shapes[c.shape].name + " " + x.name + " " + (x.samplers.empty() ? "" : x.samplers[0].texture) +
                      " " + std::to_string(shader ? shader->commands.size() : 0));
      }
  return out;
}

TEST(BrresEdits, RenamesTexturesAndTheirUsers) {
  const Bytes before = bytes_of_hill();
  for (const std::string name : {"field", "a_much_longer_name", "g"}) {
    Editing e = editing_of(before);
    const auto done = e.set({{"textures[0].name", name}});
    ASSERT_TRUE(done) << format_one_line(done.error());
    const Brres f = read(e);
    EXPECT_EQ(f.textures[0].name, name);
    EXPECT_EQ(f.folders[1].dictionary.entries[0].name, name);
    EXPECT_NE(find(f.folders[1].dictionary, name), nullptr);
    EXPECT_EQ(f.models[0].materials[0].samplers[0].texture, name);
    // The name was shared with a material, which keeps its name.
    EXPECT_EQ(f.models[0].materials[0].name, "grass");
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty());
    EXPECT_EQ(f.textures[0].texels, read(editing_of(before)).textures[0].texels);
    e.undo();
    EXPECT_EQ(e.bytes(), before);
  }
}

TEST(BrresEdits, RefusesToRemoveUsedTexturesAndRemovesOthers) {
  Editing e = editing_of(bytes_of_hill());
  const auto refused = e.remove("textures[0]");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "edit.referred");
  ASSERT_TRUE(e.set({{"models[0].materials[0].samplers[0].texture", "road"}}));
  const auto done = e.remove("textures[0]");
  ASSERT_TRUE(done) << format_one_line(done.error());
  const Brres f = read(e);
  EXPECT_THAT(names_of(f.textures), ElementsAre("road", "sign", "water"));
  EXPECT_THAT(names_of(f.folders[1].dictionary), ElementsAre("road", "sign", "water"));
  EXPECT_THAT(names_of(f.models[0].texture_link_dictionary), ElementsAre("road", "sign", "water"));
  EXPECT_EQ(f.models[0].texture_links[0].uses.size(), 2u);
  EXPECT_THAT(problems_of(e.bytes()), IsEmpty());
}

TEST(BrresEdits, DuplicatesAndMovesPartsOfModels) {
  const Bytes before = bytes_of_hill();
  const Brres original = read(editing_of(before));
  const std::vector<std::string> was_drawn = drawn(original);
  for (const std::string list : {"textures", "models[0].materials", "models[0].shapes", "models[0].positions"}) {
    Editing e = editing_of(before);
    auto done = e.duplicate(list + "[0]");
    ASSERT_TRUE(done) << list << ": " << format_one_line(done.error());
    EXPECT_EQ(drawn(read(e)), was_drawn) << list;
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty()) << list;
    done = e.move(list + "[1]", {.before = 0, .after = {}});
    ASSERT_TRUE(done) << list << ": " << format_one_line(done.error());
    EXPECT_EQ(drawn(read(e)), was_drawn) << list;
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty()) << list;
    done = e.remove(list + "[0]");
    ASSERT_TRUE(done) << list << ": " << format_one_line(done.error());
    EXPECT_EQ(drawn(read(e)), was_drawn) << list;
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty()) << list;
  }
}

TEST(BrresEdits, RemovingADuplicateRestoresTheFile) {
  const Bytes before = bytes_of_hill();
  for (const std::string list : {"textures", "models[0].materials", "models[0].shapes", "models[0].colors",
                                 "models[0].texcoords", "models[0].materials[0].samplers"}) {
    Editing e = editing_of(before);
    ASSERT_TRUE(e.duplicate(list + "[0]")) << list;
    ASSERT_TRUE(e.remove(list + "[1]")) << list;
    EXPECT_EQ(e.bytes(), before) << list;
  }
}

TEST(BrresEdits, SwapsTexturesOfOneSizeWithTheirNames) {
  SampleBrres draft = hill();
  draft.file.textures[1] = draft.file.textures[0];
  draft.file.textures[1].name = "road";
  draft.file.textures[1].texels[0] ^= 0xFF;
  const Bytes before = *save_new(placed(std::move(draft)));
  Editing e = editing_of(before);
  ASSERT_TRUE(e.swap("textures[0]", "textures[1]"));
  const Brres was = read(editing_of(before)), is = read(e);
  EXPECT_THAT(names_of(is.folders[1].dictionary), ElementsAre("road", "grass", "sign", "water"));
  EXPECT_EQ(is.textures[0].texels, was.textures[1].texels);
  EXPECT_EQ(is.textures[1].texels, was.textures[0].texels);
  EXPECT_THAT(problems_of(e.bytes()), IsEmpty());
}

TEST(BrresEdits, SaysWhatCannotMove) {
  Editing e = editing_of(bytes_of_hill());
  for (const auto& [path, why] : {std::pair{"models[0].bones[1]", "bones cannot be added or removed"},
                                  std::pair{"folders[1]", "folders cannot be added or removed"}}) {
    const auto done = e.duplicate(path);
    ASSERT_FALSE(done) << path;
    EXPECT_THAT(format_one_line(done.error()), HasSubstr(why)) << path;
  }
  Editing other = editing_of(*save_new(placed(bending())));
  const auto done = other.set({{"textures[0].name", "a_longer_name"}});
  ASSERT_FALSE(done);
  EXPECT_THAT(format_one_line(done.error()), HasSubstr("files of other kinds"));
}

// ---- polygons

/// Adds a copy of the triangles of a primitive, moved up, and removes the first triangle.
void replace_triangles(scene::Primitive& p, f32 up) {
  const size_t vertices = p.positions.size(), corners = p.indices.size();
  const auto repeat = [](auto& xs) {
    const auto copy = xs;
    xs.insert(xs.end(), copy.begin(), copy.end());
  };
  repeat(p.positions), repeat(p.normals), repeat(p.colors), repeat(p.uvs);
  p.sources.clear();
  for (size_t i = vertices; i < p.positions.size(); ++i) p.positions[i][1] += up;
  for (size_t i = 0; i < corners; ++i) p.indices.push_back(p.indices[i] + u32(vertices));
  p.indices.erase(p.indices.begin(), p.indices.begin() + 3);
}
/// The positions and texture coordinates of all triangles, sorted.
std::vector<std::array<f32, 15>> positioned_triangles_of(const scene::Scene& s) {
  std::vector<std::array<f32, 15>> out;
  for (const scene::Mesh& m : s.meshes)
    for (const scene::Primitive& p : m.primitives)
      for (size_t i = 0; i + 2 < p.indices.size(); i += 3) {
        std::array<f32, 15> t{};
        for (size_t k = 0; k < 3; ++k) {
          const u32 v = p.indices[i + k];
          std::copy(p.positions[v].begin(), p.positions[v].end(), t.begin() + i64(5 * k));
          if (!p.uvs.empty()) std::copy(p.uvs[v].begin(), p.uvs[v].end(), t.begin() + i64(5 * k + 3));
        }
        // From the smallest vertex on, in the same direction.
        const std::array<std::array<f32, 5>, 3> v{std::array{t[0], t[1], t[2], t[3], t[4]},
                                                  {t[5], t[6], t[7], t[8], t[9]},
                                                  {t[10], t[11], t[12], t[13], t[14]}};
        const size_t first = size_t(std::ranges::min_element(v) - v.begin());
        for (size_t k = 0; k < 15; ++k) t[k] = v[(first + k / 5) % 3][k % 5];
        out.push_back(t);
      }
  std::ranges::sort(out);
  return out;
}
scene::Scene scene_of_file(const Brres& f) {
  auto made = to_scene(f, true);
  EXPECT_TRUE(made);
  return made ? std::move(made->scene) : scene::Scene{};
}

/// Applies a scene with the same nodes to the file. Returns whether all edits were applied.
bool write_edited_scene(Document<Brres>& d, const scene::Scene& original, const scene::Scene& edited) {
  std::vector<scene::Index> same(original.nodes.size());
  std::iota(same.begin(), same.end(), 0u);
  const std::vector<bool> all(original.nodes.size(), true);
  same.resize(edited.nodes.size(), scene::k_none);
  const std::vector<bool> all_edited(edited.nodes.size(), true);
  const auto differences = scene::match_triangles(original, edited, same, all, all_edited, {.adds_materials = true});
  const auto taken = write_triangles(d.edit(), differences);
  return taken && taken->lost == 0;
}
/// The file with the edits of a scene. Nothing may be lost.
Brres apply_edited_scene(const Brres& before, const scene::Scene& original, const scene::Scene& edited) {
  Document<Brres> d;
  d.edit() = before;
  EXPECT_TRUE(write_edited_scene(d, original, edited));
  const auto bytes = save(d);
  EXPECT_TRUE(bytes) << format_one_line(bytes.error());
  EXPECT_THAT(problems_of(*bytes), IsEmpty());
  auto again = load<Brres>(*bytes);
  EXPECT_TRUE(again);
  return again->document.value();
}

/// The shapes of the hill share a list of positions.
TEST(BrresEdits, MovedVerticesKeepTheirNeighboursInOtherShapes) {
  const Brres before = read(editing_of(bytes_of_hill()));
  const scene::Scene original = scene_of_file(before);
  size_t rewritten = 0;
  for (size_t mesh = 0; mesh < original.meshes.size(); ++mesh) {
    scene::Scene edited = original;
    for (scene::Vec3& p : edited.meshes[mesh].primitives[0].positions) p[1] += 50;
    const Brres after = apply_edited_scene(before, original, edited);
    EXPECT_EQ(positioned_triangles_of(scene_of_file(after)), positioned_triangles_of(edited)) << mesh;
    EXPECT_EQ(drawn(after), drawn(before));
    EXPECT_EQ(after.models[0].info.triangle_count, before.models[0].info.triangle_count);
    rewritten += after.models[0].positions[0].count != before.models[0].positions[0].count;
  }
  EXPECT_GT(rewritten, 0u);
  // All together: each value has one new value, so that all are changed in place.
  scene::Scene edited = original;
  for (scene::Mesh& m : edited.meshes)
    for (scene::Vec3& p : m.primitives[0].positions) p[1] += 50;
  const Brres after = apply_edited_scene(before, original, edited);
  EXPECT_EQ(positioned_triangles_of(scene_of_file(after)), positioned_triangles_of(edited));
  EXPECT_EQ(after.models[0].positions[0].count, before.models[0].positions[0].count);
}

/// Gives each triangle vertices of its own.
void separate_triangles(scene::Primitive& p) {
  const scene::Primitive shared = p;
  const auto spread = [&](auto& to, const auto& from) {
    to.clear();
    if (!from.empty())
      for (const u32 i : shared.indices) to.push_back(from[i]);
  };
  spread(p.positions, shared.positions), spread(p.normals, shared.normals), spread(p.colors, shared.colors);
  spread(p.uvs, shared.uvs), spread(p.sources, shared.sources);
  for (u32 i = 0; i < p.indices.size(); ++i) p.indices[i] = i;
}
/// The triangles of a strip share its vertices in the file, but not what an edit makes of them.
TEST(BrresEdits, TrianglesOfAStripMoveApart) {
  const Brres before = read(editing_of(bytes_of_hill()));
  const scene::Scene original = scene_of_file(before);
  for (size_t mesh = 0; mesh < original.meshes.size(); ++mesh)
    for (const bool has_sources : {true, false})
      for (const size_t step : {1, 2, 3}) {  // all triangles, every other one, every third one
        scene::Scene edited = original;
        scene::Primitive& p = edited.meshes[mesh].primitives[0];
        separate_triangles(p);
        if (!has_sources) p.sources.clear();
        for (size_t t = 0; t < p.indices.size() / 3; t += step)
          for (size_t k = 0; k < 3; ++k) p.positions[3 * t + k][1] += 50, p.positions[3 * t + k][0] += 3 * f32(t);
        const Brres after = apply_edited_scene(before, original, edited);
        EXPECT_EQ(positioned_triangles_of(scene_of_file(after)), positioned_triangles_of(edited))
            << mesh << " " << step;
        EXPECT_EQ(drawn(after), drawn(before));
      }
}

/// The box bends between two bones. Values that vertices of several matrices share cannot move.
TEST(BrresEdits, VerticesOfSkinsMove) {
  Brres before;
  for (Sample& one : samples_of(*find_format("brres")))
    if (one.name == "bending.brres") before = load<Brres>(one.bytes)->document.value();
  const scene::Scene original = scene_of_file(before);
  size_t moved = 0;
  for (const scene::Node& n : original.nodes) {
    if (n.mesh == scene::k_none || n.skin == scene::k_none) continue;
    const std::vector<scene::Vec3>& places = original.meshes[n.mesh].primitives[0].positions;
    for (const scene::Vec3& place : std::set(places.begin(), places.end())) {
      scene::Scene edited = original;
      for (scene::Vec3& p : edited.meshes[n.mesh].primitives[0].positions)
        if (p == place) p[0] += 16, p[1] += 32;
      Document<Brres> d;
      d.edit() = before;
      if (!write_edited_scene(d, original, edited)) continue;
      const scene::Scene after = scene_of_file(d.value());
      for (size_t mesh = 0; mesh < original.meshes.size(); ++mesh) {
        const auto &asked = edited.meshes[mesh].primitives[0], &found = after.meshes[mesh].primitives[0];
        ASSERT_EQ(found.positions.size(), asked.positions.size());
        for (size_t i = 0; i < asked.positions.size(); ++i)
          for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.positions[i][k], asked.positions[i][k], 0.01) << i;
        EXPECT_EQ(found.weights, asked.weights);
      }
      ++moved;
    }
  }
  EXPECT_GT(moved, 0u);
}

TEST(BrresEdits, NewMaterialsComeWithShapesAndTextures) {
  const Brres before = read(editing_of(bytes_of_hill()));
  const scene::Scene original = scene_of_file(before);
  scene::Scene edited = original;
  scene::Image picture;
  picture.name = "bricks.png", picture.width = picture.height = 8;
  for (u32 i = 0; i < 64; ++i) picture.pixels.insert(picture.pixels.end(), {u8(i * 3), 90, u8(255 - i), 255});
  edited.images.push_back(scene::to_rgba(picture));
  edited.textures.push_back({.name = "bricks", .image = scene::Index(edited.images.size() - 1)});
  edited.textures.push_back({.name = "grass", .image = original.textures[original.materials[0].texture].image});
  const scene::Index texture = scene::Index(edited.textures.size() - 2);
  const auto add = [&](scene::Material look, f32 at) {
    look.unlit = true;
    edited.materials.push_back(look);
    scene::Primitive p{.material = scene::Index(edited.materials.size() - 1),
                       .positions = {{at, 0, 0}, {at, 0, 64}, {at + 64, 0, 0}, {at + 64, 32, 64}},
                       .indices = {0, 1, 2, 2, 1, 3}};
    if (look.texture != scene::k_none) p.uvs = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    edited.meshes.push_back({.name = look.name, .primitives = {p}});
    edited.nodes.push_back({.name = look.name, .parent = 0, .mesh = scene::Index(edited.meshes.size() - 1)});
  };
  add({.name = "wall", .texture = texture}, 500);
  add({.name = "more grass", .texture = texture + 1}, 700);
  add({.name = "glass", .color = {0, 1, 0, 0.5f}, .alpha = scene::Material::Alpha::blend}, 900);
  // Faces of the first mesh with a new material.
  scene::Primitive& first = edited.meshes[0].primitives[0];
  scene::Primitive painted = first;
  painted.indices.resize(3);
  first.indices.erase(first.indices.begin(), first.indices.begin() + 3);
  edited.materials.push_back({.name = "paint", .color = {1, 0, 0, 1}});
  painted.material = scene::Index(edited.materials.size() - 1);
  painted.uvs.clear(), painted.colors.clear();
  edited.meshes[0].primitives.push_back(painted);

  const Brres after = apply_edited_scene(before, original, edited);
  EXPECT_EQ(positioned_triangles_of(scene_of_file(after)), positioned_triangles_of(edited));
  const Model &was = before.models[0], &is = after.models[0];
  EXPECT_EQ(is.info.triangle_count, was.info.triangle_count + 6);
  EXPECT_EQ(is.materials.size(), was.materials.size() + 4);
  EXPECT_EQ(after.textures.size(), before.textures.size() + 1);
  for (size_t i = 0; i < was.materials.size(); ++i) EXPECT_EQ(is.materials[i].commands, was.materials[i].commands);
  const scene::Scene shown = scene_of_file(after);
  const auto look = [&](std::string_view name) {
    return *std::ranges::find(shown.materials, name, &scene::Material::name);
  };
  EXPECT_EQ(look("glass").alpha, scene::Material::Alpha::blend);
  EXPECT_NEAR(look("glass").color[3], 0.5, 0.01);
  EXPECT_EQ(shown.textures[look("wall").texture].name, "bricks");
  EXPECT_EQ(shown.textures[look("more grass").texture].name, shown.textures[look(was.materials[0].name).texture].name);
}

TEST(BrresEdits, NewMaterialsAreKnownByTheirNumberNotTheirName) {
  const Brres before = read(editing_of(bytes_of_hill()));
  const scene::Scene original = scene_of_file(before);
  scene::Scene edited = original;
  for (const f32 red : {0.f, 1.f}) {
    edited.materials.push_back({.name = "", .color = {red, 0, 0, 1}});
    edited.meshes.push_back({.name = "new",
                             .primitives = {{.material = scene::Index(edited.materials.size() - 1),
                                             .positions = {{0, 0, 0}, {0, 0, 64}, {64, 0, red}},
                                             .indices = {0, 1, 2}}}});
    edited.nodes.push_back({.name = "new", .mesh = scene::Index(edited.meshes.size() - 1)});
  }
  const Brres after = apply_edited_scene(before, original, edited);
  EXPECT_EQ(positioned_triangles_of(scene_of_file(after)), positioned_triangles_of(edited));
  EXPECT_EQ(after.models[0].materials.size(), before.models[0].materials.size() + 2);
}
/// The material of a skin has no shape that rigid faces could join; programs add a number to copies.
TEST(BrresEdits, RigidFacesWithTheMaterialOfASkinAreAdded) {
  Brres before;
  for (Sample& one : samples_of(*find_format("brres")))
    if (one.name == "bending.brres") before = load<Brres>(one.bytes)->document.value();
  const scene::Scene original = scene_of_file(before);
  scene::Scene edited = original;
  const auto skin = std::ranges::find_if(original.nodes, [](const scene::Node& n) { return n.skin != scene::k_none; });
  ASSERT_NE(skin, original.nodes.end());
  scene::Material copy = original.materials[original.meshes[skin->mesh].primitives[0].material];
  copy.name += ".001", copy.texture = scene::k_none;
  edited.materials.push_back(copy);
  edited.meshes.push_back({.name = "new",
                           .primitives = {{.material = scene::Index(edited.materials.size() - 1),
                                           .positions = {{0, 0, 0}, {0, 0, 64}, {64, 0, 0}},
                                           .indices = {0, 1, 2}}}});
  edited.nodes.push_back({.name = "new", .mesh = scene::Index(edited.meshes.size() - 1)});
  Document<Brres> d;
  d.edit() = before;
  const bool is_whole = write_edited_scene(d, original, edited);
  EXPECT_TRUE(is_whole);
  EXPECT_EQ(positioned_triangles_of(scene_of_file(d.value())), positioned_triangles_of(edited));
}

TEST(BrresEdits, ReplaceTrianglesAndKeepMaterials) {
  for (const f32 up : {50.f, 1e6f}) {  // 1e6: out of the range of the list
    const Brres before = read(editing_of(bytes_of_hill()));
    const scene::Scene original = scene_of_file(before);
    for (size_t mesh = 0; mesh < original.meshes.size(); ++mesh) {
      scene::Scene edited = original;
      replace_triangles(edited.meshes[mesh].primitives[0], up);
      const Brres after = apply_edited_scene(before, original, edited);
      EXPECT_EQ(positioned_triangles_of(scene_of_file(after)), positioned_triangles_of(edited)) << mesh << " " << up;
      EXPECT_EQ(drawn(after), drawn(before));
      const Model &was = before.models[0], &is = after.models[0];
      EXPECT_EQ(is.info.triangle_count - was.info.triangle_count,
                original.meshes[mesh].primitives[0].indices.size() / 3 - 1);
    }
  }
}

}  // namespace
}  // namespace dio::brres
