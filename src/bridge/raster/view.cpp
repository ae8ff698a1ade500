#include "bridge/raster/view.hpp"

#include <algorithm>

#include "core/elementary.hpp"
#include "scene/extras.hpp"
#include "scene/math.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// From the scene to an eye at `at` with these axes.
Affine make_eye_transform(const Mat3d& axes, const Point& at) {
  // The axes are perpendicular and of length 1, so the transposed matrix is the inverse.
  Mat3d back;
  for (size_t c = 0; c < 3; ++c) back.columns[c] = {axes.columns[0][c], axes.columns[1][c], axes.columns[2][c]};
  const Point shifted = back * at;
  return {back, {-shifted[0], -shifted[1], -shifted[2]}};
}

constexpr f64 k_fitted_fov = 0.6;  // radians: a lens with little distortion

/// How many times larger than the track everything may be and still decide the size of the picture. Single objects lie
/// so far outside that the track would be a dot.
constexpr f64 k_most_around = 3;

}  // namespace

void for_each_world_position(const Scene& scene, const Pose& pose,
                             const std::function<void(size_t, const Point&)>& give) {
  for (size_t n = 0; n < scene.nodes.size(); ++n) {
    const Node& node = scene.nodes[n];
    if (node.mesh == k_none || !pose.visible[n]) continue;
    for (const Primitive& p : scene.meshes[node.mesh].primitives)
      for (size_t i = 0; i < p.positions.size(); ++i) {
        const Point at{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
        give(n, (node.skin == k_none ? pose.places[n]
                                     : skin_matrix(pose, scene.skins[node.skin], p.joints[i], p.weights[i])) *
                    at);
      }
  }
}

/// Whether the picture is fitted to each node (scene::k_framed).
static std::vector<bool> framed_nodes(const Scene& scene, const Pose& pose) {
  std::vector<bool> out(scene.nodes.size(), false);
  bool is_any = false;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    for (Index at = Index(i); at != k_none && !out[i]; at = scene.nodes[at].parent)
      out[i] = scene::read_flag_extra(scene.nodes[at].extras, scene::k_framed).value_or(false);
    is_any |= out[i] && pose.visible[i] && scene.nodes[i].mesh != k_none;
  }
  if (!is_any) out.assign(scene.nodes.size(), true);
  return out;
}

std::optional<Bounds> compute_bounds(const Scene& scene, const Pose& pose) {
  std::optional<Bounds> out;
  for_each_world_position(scene, pose, [&](size_t, const Point& p) {
    if (!out) out = Bounds{p, p};
    for (size_t i = 0; i < 3; ++i) {
      out->low[i] = std::min(out->low[i], p[i]);
      out->high[i] = std::max(out->high[i], p[i]);
    }
  });
  return out;
}

std::optional<Bounds> compute_framed_bounds(const Scene& scene, const Pose& pose) {
  std::optional<Bounds> out = compute_bounds(scene, pose);
  if (!out) return out;
  const std::vector<bool> framed = framed_nodes(scene, pose);
  std::optional<Bounds> fitted;
  for_each_world_position(scene, pose, [&](size_t node, const Point& p) {
    if (!framed[node]) return;
    if (!fitted) fitted = Bounds{p, p};
    for (size_t i = 0; i < 3; ++i) {
      fitted->low[i] = std::min(fitted->low[i], p[i]);
      fitted->high[i] = std::max(fitted->high[i], p[i]);
    }
  });
  if (!fitted) return out;
  const auto extent = [](const Bounds& b) { return std::max(b.high[0] - b.low[0], b.high[2] - b.low[2]); };
  if (extent(*out) <= k_most_around * extent(*fitted)) return out;
  for (const size_t i : {0, 2}) out->low[i] = fitted->low[i], out->high[i] = fitted->high[i];
  return out;
}

View make_camera_view(const Scene& scene, const Pose& pose, Index node, f64 aspect) {
  const Camera& camera = scene.cameras[scene.nodes[node].camera];
  const Affine& place = pose.places[node];
  const Mat3 turn = to_matrix(quaternion_of(decompose_rotation(place.linear)));
  Mat3d axes;
  for (size_t c = 0; c < 3; ++c) axes.columns[c] = {turn[c][0], turn[c][1], turn[c][2]};
  View out;
  out.is_of_scene = true;
  out.to_eye = make_eye_transform(axes, place.origin);
  out.near = camera.near;
  out.far = camera.far;
  out.parallel = camera.half_height > 0;
  // The view of a parallel camera stays in the picture, whatever its shape.
  if (out.parallel)
    out.half_height = std::max<f64>(camera.half_height, camera.half_height * f64(camera.aspect) / aspect);
  else
    out.half_height = elementary::tan(f64(pose.fovs[scene.nodes[node].camera]) / 2);
  return out;
}

View make_top_view(const Bounds& bounds, f64 aspect, f64 margin) {
  View out;
  out.parallel = true;
  const f64 width = bounds.high[0] - bounds.low[0], depth = bounds.high[2] - bounds.low[2];
  const f64 height = bounds.high[1] - bounds.low[1], size = std::max({width, depth, height, 1e-6});
  out.half_height = std::max({depth, width / aspect, size * 1e-6}) / 2 / (1 - 2 * margin);
  out.near = size * 0.01;
  out.far = out.near * 3 + height;
  // Nothing is exactly on one of the two planes, where rounding could cut it off.
  const Point eye{(bounds.low[0] + bounds.high[0]) / 2, bounds.high[1] + out.near * 2,
                  (bounds.low[2] + bounds.high[2]) / 2};
  out.to_eye = make_eye_transform({{Point{1, 0, 0}, Point{0, 0, -1}, Point{0, 1, 0}}}, eye);
  return out;
}

namespace {

constexpr f64 k_far_away = 1e300;

/// The extent of vertices in the picture, and for a lens: the eye must be so far to the right, up and back that each
/// vertex is between its four planes. `x - z * side` is largest for the vertex that touches the right plane.
struct EyeExtent {
  f64 right = -k_far_away, left = k_far_away, top = -k_far_away, bottom = k_far_away, back = -k_far_away;
  void add(const Point& e, f64 side, f64 up) {
    right = std::max(right, e[0] + e[2] * side);
    left = std::min(left, e[0] - e[2] * side);
    top = std::max(top, e[1] + e[2] * up);
    bottom = std::min(bottom, e[1] - e[2] * up);
    back = std::max(back, e[2]);
  }
  f64 size(f64 aspect) const { return std::max(top - bottom, (right - left) / aspect); }
};

}  // namespace

View make_orbit_view(const Scene& scene, const Pose& pose, const Angles& angles, bool parallel, f64 aspect,
                     f64 margin) {
  const f64 azimuth = angles.azimuth * std::numbers::pi / 180, elevation = angles.elevation * std::numbers::pi / 180;
  const Point z{elementary::sin(azimuth) * elementary::cos(elevation), elementary::sin(elevation),
                elementary::cos(azimuth) * elementary::cos(elevation)};
  const Point x{elementary::cos(azimuth), 0, -elementary::sin(azimuth)};
  const Mat3d axes{{x, cross(z, x), z}};
  const Affine turned = make_eye_transform(axes, {0, 0, 0});
  View out;
  out.parallel = parallel;
  out.half_height = parallel ? 1 : elementary::tan(k_fitted_fov / 2);
  const f64 up = out.half_height * (1 - 2 * margin), side = up * aspect;
  f64 nearest = -k_far_away, front = k_far_away;  // of all that is drawn
  EyeExtent all, framed_only;
  const std::vector<bool> framed = framed_nodes(scene, pose);
  const f64 lens_up = parallel ? 0 : up, lens_side = parallel ? 0 : side;
  for_each_world_position(scene, pose, [&](size_t node, const Point& p) {
    const Point e = turned * p;
    nearest = std::max(nearest, e[2]);
    front = std::min(front, e[2]);
    all.add(e, lens_side, lens_up);
    if (framed[node]) framed_only.add(e, lens_side, lens_up);
  });
  const bool fits_all = all.size(aspect) <= k_most_around * framed_only.size(aspect);
  const auto [right, left, top, bottom, back] = fits_all ? all : framed_only;
  if (right < left && parallel) return out;  // nothing is drawn
  if (back < front) return out;
  Point eye{(right + left) / 2, (top + bottom) / 2, parallel ? nearest : back};
  const f64 depth = eye[2] - front;
  if (parallel) {
    out.half_height = std::max({(top - bottom) / 2, (right - left) / 2 / aspect, 1e-6}) / (1 - 2 * margin);
    out.near = std::max(depth, out.half_height) * 0.01;
    eye[2] += out.near * 2;
  } else {
    // Both pairs of planes meet at their own depth; the eye is at the one farther back.
    eye[2] = std::max({(right - left) / 2 / side, (top - bottom) / 2 / up, back + std::max(depth * 0.01, 1e-6)});
    // Unframed parts may be between the eye and the rest, or behind the eye.
    out.near = std::max(eye[2] - nearest, (eye[2] - back) * 0.05);
    out.near -= out.near * 0.01;
  }
  out.far = eye[2] - front + std::max(depth * 0.01, out.near * 0.1);
  out.to_eye = make_eye_transform(axes, axes * eye);
  return out;
}

}  // namespace dio::raster
