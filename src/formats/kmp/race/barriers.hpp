// barriers.hpp: walls and height differences between two positions of a course, from its collision file.
#pragma once
#include "formats/kmp/ground/ground.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// The walls and road heights of a collision file.
class Barriers {
 public:
  explicit Barriers(const kcl::Kcl&);
  /// The obstacles to a jump between two positions, as the end of a sentence: "; the road there is 900 units higher,
  /// and there is a wall in between"; empty if the jump is easy.
  std::string describe_obstacles(Vec2 from, Vec2 to) const;
  bool has_road(Vec2) const;

 private:
  std::optional<f64> road_height_at(Vec2) const;
  bool has_wall(const kcl::Point& from, const kcl::Point& to) const;
  Ground ground_;
  std::vector<kcl::Triangle> walls_;
};

}  // namespace dio::kmp
