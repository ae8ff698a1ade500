#include "formats/fft/make/hidden_faces.hpp"

#include <algorithm>
#include <cmath>

namespace dio::fft {

namespace {

constexpr Point k_sideways[] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
constexpr Point k_up{0, 1, 0};
constexpr f64 k_above = 0.5;      // units between a face and the points of its front
constexpr f64 k_same = 1e-3;      // units: hits at one place
constexpr f64 k_near_edge = 0.9;  // from the middle of a face to its corners

}  // namespace

SolidObjects::SolidObjects(const std::vector<Face>& faces, const std::vector<FaceKind>& kinds) {
  for (const Face& f : faces) {
    Blocker b{&f.corners, face_normal(f.corners), f.corners[0].position, f.corners[0].position,
              kinds[f.kind].has_both_sides};
    for (const FaceVertex& c : f.corners)
      for (size_t k = 0; k < 3; ++k)
        b.low[k] = std::min(b.low[k], c.position[k]), b.high[k] = std::max(b.high[k], c.position[k]);
    all_.push_back(b);
  }
}

/// The distance along an axis at which a ray meets a convex polygon; negative if it does not.
f64 SolidObjects::distance_along(const Blocker& b, const Point& from, const Point& along) {
  for (size_t k = 0; k < 3; ++k)
    if (along[k] == 0  ? from[k] < b.low[k] || from[k] > b.high[k]
        : along[k] > 0 ? b.high[k] < from[k]
                       : b.low[k] > from[k])
      return -1;
  const f64 facing = scene::dot(b.normal, along);
  if (std::fabs(facing) < 1e-6) return -1;
  const f64 t = scene::dot(b.normal, difference((*b.corners)[0].position, from)) / facing;
  if (t < 0) return -1;
  Point hit;
  for (size_t k = 0; k < 3; ++k) hit[k] = from[k] + t * along[k];
  for (size_t i = 0; i < b.corners->size(); ++i) {
    const Point &a = (*b.corners)[i].position, &c = (*b.corners)[(i + 1) % b.corners->size()].position;
    if (scene::dot(b.normal, scene::cross(difference(c, a), difference(hit, a))) < -1e-6) return -1;
  }
  return t;
}

bool SolidObjects::meets_back(const Point& from, const Point& along) const {
  f64 nearest = HUGE_VAL;
  bool is_back = false;
  for (const Blocker& b : all_) {
    const f64 t = distance_along(b, from, along);
    if (t < 0 || t > nearest + k_same) continue;
    const bool from_behind = !b.has_both_sides && scene::dot(b.normal, along) > 0;
    // Where two objects touch, the nearer one is seen from behind.
    is_back = t < nearest - k_same ? from_behind : is_back || from_behind;
    nearest = std::min(nearest, t);
  }
  return is_back;
}

bool SolidObjects::encloses(const Point& p, bool and_above) const {
  return (!and_above || meets_back(p, k_up)) &&
         std::ranges::all_of(k_sideways, [&](const Point& d) { return meets_back(p, d); });
}

static bool is_hidden(const Face& f, const SolidObjects& objects) {
  const Point normal = face_normal(f.corners);
  Point middle{};
  for (const FaceVertex& c : f.corners)
    for (size_t k = 0; k < 3; ++k) middle[k] += c.position[k] / f64(f.corners.size());
  const auto is_inside = [&](f64 share, const Point& towards) {
    Point from;
    for (size_t k = 0; k < 3; ++k) from[k] = middle[k] + share * (towards[k] - middle[k]) + k_above * normal[k];
    return objects.encloses(from, true);
  };
  return is_inside(0, middle) &&
         std::ranges::all_of(f.corners, [&](const FaceVertex& c) { return is_inside(k_near_edge, c.position); });
}

void remove_hidden_faces(std::vector<Face>& faces, const SolidObjects& objects) {
  std::erase_if(faces, [&](const Face& f) { return is_hidden(f, objects); });
}

}  // namespace dio::fft
