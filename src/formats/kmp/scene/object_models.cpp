#include "formats/kmp/scene/object_models.hpp"

#include <map>

#include "core/file_tree.hpp"
#include "formats/brres/parts.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"
#include "scene/append_scene.hpp"

namespace dio::kmp {

namespace {

const Companion* find_model(std::span<const Companion> companions, const std::string& name) {
  for (const Companion& c : companions)
    if (c.format_id() == "brres" && file_name(c.name) == name) return &c;
  return nullptr;
}

scene::Node make_top_node(const Companion& file, scene::Index object) {
  scene::Node top;
  top.name = std::string(file_name(file.name));
  top.parent = object;
  top.extras = Value::object();
  top.extras.add("kind", k_object_model_node);
  top.extras.add("file", file.name);
  return top;
}

/// Nodes of a scene: [first, end).
struct NodeRange {
  scene::Index first, end;
};

}  // namespace

std::vector<scene::Index> add_object_models(scene::Scene& s, std::span<const Object> objects,
                                            std::span<const scene::Index> nodes, const SceneOptions& options) {
  std::vector<scene::Index> with_model;
  std::map<std::string, NodeRange> added;
  for (size_t i = 0; i < objects.size(); ++i) {
    const std::string name = model_file_name(objects[i].id);
    if (name.empty()) continue;
    if (const auto known = added.find(name); known != added.end()) {
      scene::append_copy(s, known->second.first, known->second.end, nodes[i]);
      with_model.push_back(nodes[i]);
      continue;
    }
    const Companion* const file = find_model(options.companions, name);
    if (!file) continue;
    const auto make = [&] { return brres::to_scene(value_of<brres::Brres>(*file->document), options.sources); };
    auto staged = options.companion_scenes ? options.companion_scenes->get(*file->document, make) : make();
    if (!staged) continue;
    staged->scene.animations.clear();  // they would play only for the first object
    const scene::Index top = scene::append_scene(s, std::move(staged->scene), make_top_node(*file, nodes[i]));
    added.emplace(name, NodeRange{top, scene::Index(s.nodes.size())});
    with_model.push_back(nodes[i]);
  }
  return with_model;
}

}  // namespace dio::kmp
