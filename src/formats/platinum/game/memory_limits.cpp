#include "formats/platinum/game/memory_limits.hpp"

#include <algorithm>

#include "formats/contract/reporter.hpp"

namespace dio::platinum {

TextureMemory compute_texture_memory(const GameTables& t, const Area& a) {
  TextureMemory out;
  if (const auto x = t.map_textures(a.texture_set)) out.add(x->textures);
  if (const auto x = t.prop_textures(a.prop_set)) out.add(x->textures);
  return out;
}

PropSetLoad compute_prop_set_load(const GameTables& t, u32 prop_set) {
  PropSetLoad out;
  if (prop_set >= t.prop_sets.size() || !t.prop_sets[prop_set]) return out;
  const FileRole role = t.prop_role_of_set(prop_set);
  for (const u16 id : *t.prop_sets[prop_set]) {
    if (const auto model = t.prop(id, role); model && !model->models.empty()) out.bytes += model->header.size;
    const PropMotion* motion = t.motion(id, role);
    if (!motion || motion->deferred_load) continue;
    for (const u32 animation : motion->animations)
      out.animations.push_back(text("animation ", animation, " of prop ", id));
  }
  return out;
}

u64 count_bicycle_slopes(const GameTables& t, const LandData& land) {
  u64 out = 0;
  for (size_t p = 0; p < std::min(land.props.size(), k_most_props); ++p) {
    const u32 id = land.props[p].model_id;
    out += id < t.motions.size() && t.motions[id] && t.motions[id]->bicycle_slope;
  }
  return out;
}

}  // namespace dio::platinum
