// node_positions.cpp: moves the nodes of a model at rest.
#include <cmath>

#include "formats/contract/node_transform_edit.hpp"
#include "formats/nitro/from_scene/model_box.hpp"
#include "formats/nitro/parts.hpp"
#include "layout/path_steps.hpp"
#include "scene/math.hpp"

namespace dio::nitro {

bool move_node(Nsbmd& file, const NodeTransformChange& change) {
  const NodeTransformEdit edit(change);
  if (edit.turns() || edit.scales()) return false;
  const scene::Vec3 by = scene::sub(change.after.translation, change.before.translation);
  std::string_view path = path_from_extras(change.extras);
  const auto model = take_element(path, "models");
  if (!model || *model >= file.models.size()) return false;
  Model& m = file.models[*model];
  const auto number = take_element(path, "nodes");
  if (!number || *number >= m.nodes.size() || !path.empty()) return false;
  if (m.scaling_rule == 2) return false;  // the scales of all parents apply to the translation
  const std::optional<Extent> before = compute_extent(m);
  Node& node = m.nodes[*number];
  Vec3 to = node.no_translation ? Vec3{} : node.translation;
  fx32* const parts[] = {&to.x, &to.y, &to.z};
  for (size_t i = 0; i < 3; ++i) {
    const f64 raw = parts[i]->raw + std::round(f64(by[i]) * 4096);
    if (!(std::fabs(raw) < 2147483647.0)) return false;
    parts[i]->raw = i32(raw);
  }
  node.no_translation = 0, node.translation = to;
  enlarge_model_box(m, before);
  return true;
}

}  // namespace dio::nitro
