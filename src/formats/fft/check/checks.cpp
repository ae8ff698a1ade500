// checks.cpp: what the game, or an author, would trip over. The rules stand in the files of their topics, beside the
// code.
#include "formats/fft/check/checks.hpp"

#include "formats/contract/findings.hpp"

namespace dio::fft {

static constexpr const Topic* k_topics[] = {&k_container_checks,      &k_geometry_checks, &k_place_checks,
                                            &k_color_checks,          &k_terrain_checks,  &k_texture_animation_checks,
                                            &k_mesh_animation_checks, &k_render_checks};

std::span<const Rule> check_rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> v(k_gns_rules.begin(), k_gns_rules.end());
    v.insert(v.end(), k_texture_rules.begin(), k_texture_rules.end());
    for (const Topic* t : k_topics) v.insert(v.end(), t->rules.begin(), t->rules.end());
    return v;
  }();
  return all;
}

std::span<const Rule> rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> v(check_rules().begin(), check_rules().end());
    for (const auto& topic : {scene_rules(), motion_rules(), from_scene_rules(), picture_rules()})
      v.insert(v.end(), topic.begin(), topic.end());
    return v;
  }();
  return all;
}

void check(const Mesh& mesh, Findings& findings) {
  MeshCheck c(mesh, findings);
  for (const Topic* t : k_topics) t->check(c);
}

std::vector<NamedMesh> meshes_of(const std::optional<Geometry>& primary,
                                 const std::array<std::optional<Geometry>, k_animated_meshes>& animated) {
  std::vector<NamedMesh> out;
  if (primary) out.push_back({&*primary, "primary", true});
  for (size_t i = 0; i < k_animated_meshes; ++i)
    if (animated[i]) out.push_back({&*animated[i], Mesh::k_animated_names[i], false});
  return out;
}

}  // namespace dio::fft
