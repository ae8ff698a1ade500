// road.hpp: the course as sections of road: from the curves along it and the collision below them.
#pragma once
#include <optional>

#include "formats/kmp/from_scene/curves.hpp"
#include "formats/kmp/ground/ground.hpp"

namespace dio::kmp {

/// A position on the middle of the road. Widths are in units, to either side, seen from above.
struct RoadSample {
  Point position;                // on the road, if there is one
  f64 ahead_x = 0, ahead_z = 0;  // the driving direction, of length 1, seen from above
  bool has_road = false;
  u8 type = 0;                        // of the road
  f64 left = 0, right = 0;            // the width of the road
  f64 most_left = 0, most_right = 0;  // up to the places that are nearer to another part of the course

  /// The position `across` units to the left.
  Point beside(f64 across) const {
    return {position[0] + ahead_z * across, position[1], position[2] - ahead_x * across};
  }
};

/// A part of the course without junctions.
struct RoadSection {
  std::vector<RoadSample> samples;  // at least two, at equal distances
  std::vector<u32> previous, next;  // sections; at least one each
  bool is_on_every_lap = true;      // no other section leads around it
};

/// The first section starts at the lap line; the samples of a section are `step` units apart.
struct Road {
  std::vector<RoadSection> sections;
  f64 step = 0, length = 0;         // `length`: of a lap on the main curve
  std::vector<std::string> unused;  // branches that do not fit, as the reason
};

/// The position and direction of the start, if the scene says so.
struct StartPose {
  Point position;
  std::optional<std::array<f64, 2>> ahead;  // x and z
};

/// Samples of a curve, about `step` units apart, with the road below them; their widths are not measured.
std::vector<RoadSample> sample_curve(const Curve&, f64 step, const Ground&);

/// `main`: a closed curve. `branches`: open curves that leave the main one and come back to it further ahead. The lap
/// line is `line_ahead` units ahead of the start, or else at the first point of the curve.
Road build_road(Curve main, const std::vector<Curve>& branches, const std::optional<StartPose>&, f64 line_ahead,
                const Ground&);

}  // namespace dio::kmp
