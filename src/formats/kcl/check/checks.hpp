// checks.hpp: shared by all checks: the file, its triangles, and messages about many prisms at once.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/reporter.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

/// The shape of a prism, as far as it is valid.
struct Checked {
  std::optional<Shape> shape;
  std::optional<Triangle> triangle;
  bool thin = false;  // a triangle, but too small or too thin
  bool is_solid() const { return triangle && !thin; }
};

/// A file under check.
struct Check : Reporter {
  Check(const Kcl&, Findings&);
  const Kcl& kcl;
  std::vector<Checked> prisms;

  /// One finding for many elements of a list, located at the first: `prism 3 is ...`, `prisms 3, 5-9 and 12 more
  /// are ...`.
  struct FindingText {
    std::string_view one, several;  // "prism", "prisms"
    std::string_view is, are;
  };
  void report_all(std::string_view id, std::string_view list, const std::vector<u32>&, const FindingText&,
                  std::string_view hint = {});
};

struct Topic {
  std::span<const Rule> rules;
  void (*check)(Check&);
};
extern const Topic k_header_checks, k_prism_checks, k_octree_checks;

/// Formats increasing numbers: `3, 5-9 and 12 more`.
std::string format_ranges(const std::vector<u32>&);

}  // namespace dio::kcl
