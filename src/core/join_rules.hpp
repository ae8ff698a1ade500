// join_rules.hpp: joins the rules of several topics into one list.
#pragma once
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/diagnostic.hpp"

namespace dio {

/// The concatenation of `rules_of(topic)` in the order of the topics.
std::vector<Rule> concat_rules(const auto& topics, auto rules_of) {
  std::vector<Rule> all;
  for (const auto& topic : topics) {
    const std::span<const Rule> rules = std::invoke(rules_of, topic);
    all.insert(all.end(), rules.begin(), rules.end());
  }
  return all;
}
inline std::vector<Rule> concat_rules(std::initializer_list<std::span<const Rule>> lists) {
  return concat_rules(lists, std::identity());
}

}  // namespace dio
