// expect_by_rule.hpp: what `dio check` reports is what `dio explain` says of the rule.
#pragma once
#include <gtest/gtest.h>

#include "formats/registry.hpp"

namespace dio::test {

inline void expect_by_rule(const Diagnostic& d) {
  const Rule* rule = find_rule(d.id);
  ASSERT_TRUE(rule) << d.id << " is no rule";
  // What stops the reading of a file is an error of the game it belongs to.
  const bool is_stop = rule->severity == Severity::stop && d.severity == Severity::error;
  EXPECT_TRUE(rule->can_be(d.severity) || is_stop) << d.id << " is " << describe_severities(*rule) << ", not "
                                                   << to_string(d.severity) << ": " << format_one_line(d);
}

}  // namespace dio::test
