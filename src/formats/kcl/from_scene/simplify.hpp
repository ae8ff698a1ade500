// simplify.hpp: reduces the triangles of a collision that exceeds the limits of the format.
#pragma once
#include <memory>
#include <span>

#include "formats/kcl/parts.hpp"

namespace dio::kcl {

/// Edge collapse with quadric error metrics (Garland and Heckbert, 1997). Triangles keep their flags, and corners stay
/// corners of the given triangles. Borders between different flags, and edges with one triangle or more than two, keep
/// their ends.
class Simplifier {
 public:
  explicit Simplifier(std::span<const FlaggedTriangle>);
  ~Simplifier();
  /// Collapses edges, those with the smallest error first, until at most `most` triangles are left or none can be
  /// collapsed. May be called again with a smaller number. Triangles without an area are left out.
  std::vector<FlaggedTriangle> run(size_t most);

 private:
  class Mesh;
  std::unique_ptr<Mesh> mesh_;
};

/// The greatest distance, in units, from a corner of `from` to the triangles of `to`.
f64 greatest_distance(std::span<const FlaggedTriangle> from, const Kcl& to);

}  // namespace dio::kcl
