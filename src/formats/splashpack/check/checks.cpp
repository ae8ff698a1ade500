// checks.cpp: the rules of scene packs, by topic.
#include "formats/splashpack/check/checks.hpp"

#include "core/join_rules.hpp"
#include "formats/contract/findings.hpp"
#include "formats/splashpack/companions.hpp"

namespace dio::splashpack {

std::string object_path(size_t object, std::string_view field) { return text("objects[", object, "]", field); }
std::string triangle_path(size_t object, size_t triangle, std::string_view field) {
  return text("objects[", object, "].triangles[", triangle, "]", field);
}

std::span<const Rule> rules() {
  static const std::vector<Rule> all = concat_rules({k_container_rules, k_script_rules, k_floor_rules, k_geometry_rules,
                                                     k_video_rules, k_budget_rules, k_section_rules, k_newer_rules});
  return all;
}

void check(const Document<Pack>& d, const PackCompanions& beside, Findings& findings) {
  Reporter r(findings);
  check_container(r, d);
  check_scripts(r, d);
  check_floor(r, d.value());
  check_geometry(r, d.value());
  check_video(r, d.value(), beside.vram);
  check_budgets(r, d.value());
  check_sections(r, d.value());
  check_newer_sections(r, d.value());
  check_companions(r, d.value(), beside);
  note_streamed_references(d.value(), findings);
}

}  // namespace dio::splashpack
