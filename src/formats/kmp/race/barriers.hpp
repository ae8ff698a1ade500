// barriers.hpp: what stands between two places of a course, by its collision file.
#pragma once
#include "formats/kmp/ground/ground.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// Walls and heights.
class Barriers {
 public:
  explicit Barriers(const kcl::Kcl&);
  /// What a kart that jumps from one place to another has to overcome, as the end of a sentence: "; the road there is
  /// 900 units higher, behind a wall"; nothing if it is an easy jump.
  std::string describe_obstacles(Vec2 from, Vec2 to) const;
  bool has_road(Vec2) const;

 private:
  std::optional<f64> road_height_at(Vec2) const;
  bool has_wall(const kcl::Point& from, const kcl::Point& to) const;
  Ground ground_;
  std::vector<kcl::Triangle> walls_;
};

}  // namespace dio::kmp
