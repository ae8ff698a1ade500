// checks.cpp: checks for problems in games. The rules are in the files of their topics, next to the code.
#include "formats/brres/check/checks.hpp"

#include "core/join_rules.hpp"

namespace dio::brres {

static constexpr const Topic* k_topics[] = {&k_file_checks, &k_model_checks, &k_shape_checks, &k_texture_checks,
                                            &k_animation_checks};

std::span<const Rule> rules() {
  static const std::vector<Rule> all = concat_rules(k_topics, &Topic::rules);
  return all;
}

void check(const Brres& file, Findings& findings) {
  Check c(file, findings);
  for (const Topic* t : k_topics) t->check(c);
}

}  // namespace dio::brres
