// scene_parts.hpp: the parts of a scene that animations move.
#pragma once
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "formats/brres/layout/file.hpp"
#include "formats/brres/scene/curves.hpp"
#include "formats/brres/scene/surfaces.hpp"
#include "formats/contract/reporter.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

/// A model of a scene, with the node of each bone.
struct SceneModel {
  const Model* model = nullptr;
  std::vector<scene::Index> bones = {};
};

/// A material of a scene.
struct SceneMaterial {
  const Model* model = nullptr;
  size_t material = 0;
  scene::Index in_scene = scene::k_none;
  const Sampler* sampler = nullptr;  // of its texture; null: it has none
  Surface surface = {};
  bool has_vertex_colors = false;  // its colours are those of the vertices
  const Material& source() const { return model->materials[material]; }
};

/// A node that shows a shape.
struct SceneShape {
  const Model* model = nullptr;
  size_t material = 0;
  size_t bone = 0;  // that shows and hides it
  scene::Index node = scene::k_none;
  bool is_hidden = false;  // whatever its bone says
};

/// The entries of an animation by name; the first if several have one.
template <class T>
class EntriesByName {
 public:
  explicit EntriesByName(const std::vector<T>& all) {
    for (const T& x : all) entries_.try_emplace(x.name, &x);
  }
  const T* find(std::string_view name) const {
    const auto known = entries_.find(name);
    return known == entries_.end() ? nullptr : known->second;
  }

 private:
  std::map<std::string_view, const T*> entries_;
};

/// The game plays an animation on the model of its name, or on the model that a program chooses: in a scene on all.
template <class T>
bool is_played_on(const Brres& file, const T& animation, const Model& m) {
  return m.name == animation.name ||
         std::ranges::none_of(file.models, [&](const Model& x) { return x.name == animation.name; });
}

/// The animation with its properties; `list`: of the file.
template <class T>
scene::Animation start_animation(const T& from, const char* kind, const char* list, size_t i) {
  scene::Animation out{.name = from.name};
  out.extras = Value::object();
  out.extras.add("kind", kind);
  out.extras.add("path", text(list, "[", i, "].animation"));
  out.extras.add("frames", u64(from.frame_count));
  out.extras.add("loop", from.loop != 0);
  return out;
}

}  // namespace dio::brres
