// view.hpp: cameras of a scene, and cameras placed so that the whole scene is visible.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bridge/raster/pose.hpp"

namespace dio::raster {

/// The view of a picture. Right-handed; the eye looks along -Z, +Y is up in the picture.
struct View {
  scene::Affine to_eye;  // from the scene
  bool parallel = false;
  f64 half_height = 1;       // of the visible area: at distance 1, or anywhere in a parallel view
  f64 near = 1, far = 1000;  // distances from the eye, 0 < near < far; in a parallel view, of any sign
  bool is_of_scene = false;  // a camera of the scene, to whose distances the fog belongs
};

/// Each drawn vertex, in scene coordinates, with its node.
void for_each_world_position(const scene::Scene&, const Pose&,
                             const std::function<void(size_t node, const scene::Point&)>&);

/// The box around everything that is drawn, in scene coordinates.
struct Bounds {
  scene::Point low{0, 0, 0}, high{0, 0, 0};
};
/// None if nothing is drawn.
std::optional<Bounds> compute_bounds(const scene::Scene&, const Pose&);
/// Same, but horizontally only around the parts that pictures are fitted to (scene::k_framed), if all is more than
/// three times larger.
std::optional<Bounds> compute_framed_bounds(const scene::Scene&, const Pose&);

/// Width divided by height of the picture.
View make_camera_view(const scene::Scene&, const Pose&, scene::Index node, f64 aspect);
/// From above, north (-Z) is up, parallel. Fills the picture except for `margin` of its size.
View make_top_view(const Bounds&, f64 aspect, f64 margin = 0);

/// The direction of a placed camera, seen from the middle of the scene: degrees to the right of its front (+Z), and
/// above the horizon.
struct Angles {
  f64 azimuth = 35, elevation = 30;
};
/// Fits everything that is drawn into the picture: exactly, because it uses each vertex instead of the box around them.
/// If that is more than three times larger than the parts with scene::k_framed, only these.
View make_orbit_view(const scene::Scene&, const Pose&, const Angles&, bool parallel, f64 aspect, f64 margin = 0.03);

}  // namespace dio::raster
