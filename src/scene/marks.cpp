#include <algorithm>

#include "core/text_format.hpp"
#include "scene/extras.hpp"
#include "scene/node_name_suffixes.hpp"

namespace dio::scene {

std::string_view node_mark_kind(const Scene& scene, const Node& node) {
  if (const auto kind = read_text_extra(node.extras, "kind"))
    for (const std::string_view mark : k_marks)
      if (mark == *kind) return mark;
  const std::string name = lower_case(node.name);
  for (const std::string_view mark : k_marks) {
    if (mark == "object" || mark == "nav_region" || !name.starts_with(mark)) continue;
    // A "room" may be visible walls: these have materials, invisible boxes have none.
    const bool is_place = mark == "room" || mark == "portal";
    if (is_place && node.mesh != k_none &&
        std::ranges::any_of(scene.meshes[node.mesh].primitives,
                            [](const Primitive& p) { return p.material != k_none; }))
      continue;
    const char next = name.size() > mark.size() ? name[mark.size()] : '.';
    if (next == '.' || next == '_' || next == '-' || ('0' <= next && next <= '9')) return mark;
  }
  return {};
}

std::vector<bool> excluded_by_name_suffix(const Scene& scene) {
  std::vector<bool> out;
  for (const Node& node : scene.nodes) {
    const std::string_view mark = node_mark_kind(scene, node);
    const bool below = node.parent != k_none && out[node.parent];
    out.push_back(below || (!mark.empty() && mark != "object"));
  }
  return out;
}

}  // namespace dio::scene
