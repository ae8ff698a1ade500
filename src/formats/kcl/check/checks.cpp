// checks.cpp: checks for problems in the game. The rules are in the files of their topics, next to the code.
#include "formats/kcl/check/checks.hpp"

#include <cmath>

#include "core/join_rules.hpp"

namespace dio::kcl {

static constexpr const Topic* k_topics[] = {&k_header_checks, &k_prism_checks, &k_octree_checks};

std::span<const Rule> rules() {
  static const std::vector<Rule> all = concat_rules(k_topics, &Topic::rules);
  return all;
}

Check::Check(const Kcl& k, Findings& f) : Reporter(f), kcl(k) {
  prisms.reserve(k.prisms.size());
  for (const Prism& p : k.prisms) {
    Checked c{resolve_prism_shape(k, p), compute_prism_triangle(k, p)};
    c.thin = c.triangle && is_thin(*c.triangle);
    prisms.push_back(c);
  }
}

void check(const Kcl& k, Findings& findings) {
  Check c(k, findings);
  for (const Topic* t : k_topics) t->check(c);
}

void check(const DsKcl& ds, Findings& findings) { check(to_wii_units(ds), findings); }

std::string format_ranges(const std::vector<u32>& numbers) {
  constexpr size_t k_most = 8;
  std::string s;
  size_t ranges = 0;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (ranges++ == k_most) return text(s, " and ", numbers.size() - i, " more");
    s += text(i ? ", " : "", numbers[i]);
    if (end - i > 1) s += text(end - i > 2 ? "-" : ", ", numbers[end - 1]);
    i = end;
  }
  return s;
}

void Check::report_all(std::string_view id, std::string_view list, const std::vector<u32>& numbers,
                       const FindingText& words, std::string_view hint) {
  if (numbers.empty()) return;
  const bool one = numbers.size() == 1;
  report(
      id, text(list, "[", numbers[0], "]"),
      {.message = text(one ? words.one : words.several, " ", format_ranges(numbers), " ", one ? words.is : words.are),
       .hint = std::string(hint)});
}

}  // namespace dio::kcl
