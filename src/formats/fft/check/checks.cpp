// checks.cpp: checks for problems in the game and for authors. The rules are in the files of their topics, next to the
// code.
#include "formats/fft/check/checks.hpp"

#include "core/join_rules.hpp"
#include "formats/contract/findings.hpp"

namespace dio::fft {

static constexpr const Topic* k_topics[] = {&k_container_checks,      &k_geometry_checks, &k_place_checks,
                                            &k_color_checks,          &k_terrain_checks,  &k_texture_animation_checks,
                                            &k_mesh_animation_checks, &k_render_checks};

std::span<const Rule> check_rules() {
  static const std::vector<Rule> all =
      concat_rules({k_gns_rules, k_texture_rules, concat_rules(k_topics, &Topic::rules)});
  return all;
}

std::span<const Rule> rules() {
  static const std::vector<Rule> all =
      concat_rules({check_rules(), scene_rules(), motion_rules(), from_scene_rules(), make_rules(), picture_rules()});
  return all;
}

void check(const Mesh& mesh, Findings& findings) {
  MeshCheck c(mesh, findings);
  for (const Topic* t : k_topics) t->check(c);
}

std::vector<NamedMesh> list_present_meshes(const std::optional<Geometry>& primary,
                                           const std::array<std::optional<Geometry>, k_animated_meshes>& animated) {
  std::vector<NamedMesh> out;
  if (primary) out.push_back({&*primary, "primary", true});
  for (size_t i = 0; i < k_animated_meshes; ++i)
    if (animated[i]) out.push_back({&*animated[i], Mesh::k_animated_names[i], false});
  return out;
}

}  // namespace dio::fft
