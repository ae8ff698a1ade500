// edited_properties_test.cpp: each kind of property, material, light and mesh of a scene, edited in turn and applied to
// its file: the file changes, or the result names the edit as lost.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "formats/contract/format.hpp"
#include "operations/apply_scene.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

using scene::Index;
using scene::k_none;
using scene::Scene;

scene::Scene through_gltf(const Scene& s) {
  const auto glb = gltf::write_glb(s);
  EXPECT_TRUE(glb);
  auto read = gltf::read(*glb);
  EXPECT_TRUE(read) << format_one_line(read.error());
  return read ? std::move(read->document) : Scene();
}

void change(Value& v) {
  switch (v.kind()) {
    case Value::Kind::null:
      v = Value(1);
      break;
    case Value::Kind::boolean:
      v = Value(!v.boolean());
      break;
    case Value::Kind::integer:
      v = Value(v.bits() ? i64(v.bits()) - 1 : 1);
      break;
    case Value::Kind::real:
      v = Value(v.number() + 1);
      break;
    case Value::Kind::text:
      v = Value(v.text().starts_with("0x") ? "0x0003" : v.text() + " edited");
      break;
    case Value::Kind::list:
      if (v.size())
        change(v.members()[0].second);
      else
        v.push(1);
      break;
    case Value::Kind::object:
      if (v.size())
        change(v.members()[0].second);
      else
        v.add("more", 1);
      break;
  }
}

struct SceneEdit {
  std::string name;
  std::function<void(Scene&)> make;
};
using SceneEditList = std::vector<SceneEdit>;

/// Adds an edit of each property of some extras, once for each kind of owner. Some properties say which node it is.
void add_property_edits(const Value& extras, const std::string& owner, std::set<std::string>& seen, SceneEditList& out,
                        const std::function<Value&(Scene&)>& find) {
  static const std::set<std::string_view> k_names = {"path", "kind", "file", "files", "parts", "digest"};
  for (const auto& [name, value] : extras.members()) {
    if (k_names.contains(name) || !seen.insert(owner + "." + name).second) continue;
    out.push_back({owner + "." + name, [find, name](Scene& s) { change(*find(s).find(name)); }});
  }
}
void add_node_edits(const Scene& s, SceneEditList& out) {
  std::set<std::string> seen;
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Value* kind = s.nodes[i].extras.find("kind");
    const bool is_element = path_from_extras(s.nodes[i].extras).ends_with("]");
    add_property_edits(s.nodes[i].extras,
                       "node " + (kind ? kind->text() : std::string()) + (is_element ? " of an element" : ""), seen,
                       out, [i](Scene& to) -> Value& { return to.nodes[i].extras; });
  }
}
void add_material_edits(const Scene& s, SceneEditList& out) {
  std::set<std::string> seen;
  std::set<Index> used;
  for (const scene::Node& n : s.nodes)
    if (n.mesh != k_none)
      for (const scene::Primitive& p : s.meshes[n.mesh].primitives)
        if (p.material != k_none && p.shape == scene::Primitive::Shape::triangles) used.insert(p.material);
  for (const Index m : used) {
    const scene::Material& material = s.materials[m];
    if (material.extras.find("picture_of")) continue;
    add_property_edits(material.extras, "material", seen, out,
                       [m](Scene& to) -> Value& { return to.materials[m].extras; });
    const std::string name = "material " + material.name;
    out.push_back({name + ", colour", [m](Scene& to) {
                     f32& green = to.materials[m].color[1];
                     green += green > 0.5f ? -0.3f : 0.3f;
                   }});
    out.push_back({name + ", transparency", [m](Scene& to) {
                     using Alpha = scene::Material::Alpha;
                     scene::Material& of = to.materials[m];
                     of.alpha = of.alpha == Alpha::opaque ? Alpha::blend : Alpha::opaque;
                   }});
  }
}
void add_light_edits(const Scene& s, SceneEditList& out) {
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Index light = s.nodes[i].light;
    if (light == k_none) continue;
    const std::string name = "light " + s.nodes[i].name;
    out.push_back({name + ", colour", [light](Scene& to) { to.lights[light].color[0] *= 0.5f; }});
    out.push_back({name + ", brightness", [light](Scene& to) { to.lights[light].intensity *= 2; }});
    out.push_back({name + ", direction", [i](Scene& to) { to.nodes[i].rotation = {0.6f, 0, 0, 0.8f}; }});
    out.push_back({name + ", type", [light](Scene& to) {
                     using Kind = scene::Light::Kind;
                     Kind& kind = to.lights[light].kind;
                     kind = kind == Kind::point ? Kind::directional : Kind::point;
                   }});
  }
}
void add_mesh_edits(const Scene& s, SceneEditList& out) {
  std::set<std::string> seen;
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Value* kind = s.nodes[i].extras.find("kind");
    if (s.nodes[i].mesh == k_none || !seen.insert(kind ? kind->text() : "").second) continue;
    out.push_back({"mesh of node " + s.nodes[i].name, [i](Scene& to) {
                     for (scene::Primitive& p : to.meshes[to.nodes[i].mesh].primitives)
                       for (scene::Vec3& at : p.positions) at[1] += 12;
                   }});
  }
}

void expect_taken_or_named(const Sample& sample, const Format& f, const Scene& scene, const SceneEdit& edit) {
  SCOPED_TRACE(sample.name + ": " + edit.name);
  auto opened = open(sample.bytes, sample.name, &f);
  ASSERT_TRUE(opened);
  Scene edited = scene;
  edit.make(edited);
  if (!scene::verify(edited).empty()) return;
  const auto result = apply_scene(*opened, through_gltf(edited));
  if (!result) return;  // refused with a reason
  EXPECT_TRUE(result->bytes != sample.bytes || result->lost) << result->what;
  EXPECT_EQ(result->lost != 0, refuse_loss(*result, sample.name, {.deletes = true}).has_value());
  EXPECT_TRUE(!result->lost || !result->notes.empty()) << "the loss has no note";
}

class EditedProperties : public testing::TestWithParam<const Format*> {};
std::vector<const Format*> with_scene_import() {
  std::vector<const Format*> out;
  for (const Format* f : formats())
    if (f->scenes && f->scenes->supports_scene_import()) out.push_back(f);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Formats, EditedProperties, testing::ValuesIn(with_scene_import()), [](const auto& p) {
  std::string name(p.param->id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EditedProperties, EachEditReachesTheFileOrIsNamed) {
  const Format& f = *GetParam();
  size_t edits = 0;
  for (const Sample& sample : samples_of(f))
    for (const bool lamps : {false, true}) {
      if (lamps && std::ranges::find(f.scenes->options, "lamps") == f.scenes->options.end()) continue;
      auto opened = open(sample.bytes, sample.name, &f);
      const auto staged = opened ? to_scene(*opened, {.lamps = lamps}) : Result<SceneResult>(SceneResult{});
      if (!staged || staged->scene.nodes.empty()) continue;
      SceneEditList all;
      add_node_edits(staged->scene, all);
      add_material_edits(staged->scene, all);
      add_light_edits(staged->scene, all);
      if (f.scenes->write_triangles) add_mesh_edits(staged->scene, all);
      std::set<std::string> seen;
      add_property_edits(staged->scene.extras, "scene", seen, all, [](Scene& s) -> Value& { return s.extras; });
      for (const SceneEdit& edit : all) expect_taken_or_named(sample, f, staged->scene, edit);
      edits += all.size();
    }
  EXPECT_GT(edits, 10u);
}

TEST_P(EditedProperties, UneditedScenesLoseNothing) {
  const Format& f = *GetParam();
  for (const Sample& sample : samples_of(f))
    for (const bool lamps : {false, true}) {
      SCOPED_TRACE(sample.name);
      auto opened = open(sample.bytes, sample.name, &f);
      const auto staged = opened ? to_scene(*opened, {.lamps = lamps}) : Result<SceneResult>(SceneResult{});
      if (!staged || staged->scene.nodes.empty()) continue;
      const auto result = apply_scene(*opened, through_gltf(staged->scene));
      if (!result) continue;
      EXPECT_EQ(result->lost, 0u) << format_one_line(result->notes.front());
      EXPECT_EQ(result->bytes, sample.bytes);
    }
}

}  // namespace
}  // namespace dio::test
