// hidden_faces.hpp: faces that nobody can see.
#pragma once
#include <vector>

#include "formats/fft/make/scene_faces.hpp"

namespace dio::fft {

/// Closed objects, by the sides of their faces that are seen.
class SolidObjects {
 public:
  /// The faces must outlive it. Those with two sides enclose nothing.
  SolidObjects(const std::vector<Face>&, const std::vector<FaceKind>&);
  /// Whether the first face in each direction along both horizontal axes, and upwards if asked for, is seen from
  /// behind.
  bool encloses(const Point&, bool and_above) const;

 private:
  struct Blocker {
    const std::vector<FaceVertex>* corners;
    Point normal, low, high;
    bool has_both_sides;
  };
  static f64 distance_along(const Blocker&, const Point& from, const Point& along);
  bool meets_back(const Point& from, const Point& along) const;
  std::vector<Blocker> all_;
};

/// Removes faces inside closed objects, such as the ground under a house: from several points of their front, the first
/// face in each of five directions (up and along both horizontal axes) is seen from behind. O(n m), with early exits
/// for visible faces.
void remove_hidden_faces(std::vector<Face>& faces, const SolidObjects&);

}  // namespace dio::fft
