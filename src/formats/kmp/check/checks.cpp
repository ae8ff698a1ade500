// checks.cpp: checks for problems in the game or for authors. The rules are in the files of their topics, next to the
// code.
#include "formats/kmp/check/checks.hpp"

#include "core/join_rules.hpp"
#include "formats/contract/findings.hpp"

namespace dio::kmp {

static constexpr const Topic* k_topics[] = {&k_container_checks, &k_number_checks, &k_path_checks,   &k_lap_checks,
                                            &k_quad_checks,      &k_object_checks, &k_camera_checks, &k_place_checks};

std::span<const Rule> check_rules() {
  static const std::vector<Rule> all = concat_rules(k_topics, &Topic::rules);
  return all;
}

void check(const Kmp& course, Findings& findings, bool ends_in_zeros) {
  Check c(course, findings, ends_in_zeros);
  for (const Topic* t : k_topics) t->check(c);
}

static std::string format_rounded(f64 x, const char* unit) {
  x = std::round(x * 10) / 10;
  // whole numbers without decimals; beyond a million, decimals are noise
  if (x == std::trunc(x) && std::abs(x) < 1e6) return text(i64(x), unit);
  return text(x, unit);
}
std::string units(f64 length) { return format_rounded(length, " units"); }
std::string degrees(f64 angle) { return format_rounded(angle, " degrees"); }

}  // namespace dio::kmp
