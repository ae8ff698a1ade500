// view.hpp: cameras: those of a scene, and those that are placed so that all of it is seen.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bridge/raster/pose.hpp"

namespace dio::raster {

/// What a picture shows. Right-handed; the eye looks along -Z, +Y is up in the picture.
struct View {
  scene::Affine to_eye;  // from the scene
  bool parallel = false;
  f64 half_height = 1;       // of what is seen: at distance 1, or of a parallel view anywhere
  f64 near = 1, far = 1000;  // distances before the eye, 0 < near < far; of a parallel view, of any sign
  bool is_of_scene = false;  // one of its cameras: fog has its distances
};

/// Each vertex that is drawn, in the scene, with its node.
void for_each_world_position(const scene::Scene&, const Pose&,
                             const std::function<void(size_t node, const scene::Point&)>&);

/// The box around all that is drawn, in the scene.
struct Bounds {
  scene::Point low{0, 0, 0}, high{0, 0, 0};
};
/// None where nothing is drawn.
std::optional<Bounds> compute_bounds(const scene::Scene&, const Pose&);
/// The same, across and along only of what the picture is fitted to (scene::k_framed).
std::optional<Bounds> compute_framed_bounds(const scene::Scene&, const Pose&);

/// Width by height of the picture.
View make_camera_view(const scene::Scene&, const Pose&, scene::Index node, f64 aspect);
/// From above, north (-Z) is up, parallel. Fills the picture but for `margin` of its size.
View make_top_view(const Bounds&, f64 aspect, f64 margin = 0);

/// Where a placed camera stands, seen from the middle of the scene: degrees to the right of its front (+Z), and above
/// the horizon.
struct Angles {
  f64 azimuth = 35, elevation = 30;
};
/// All that is drawn fits in the picture: exactly, for it is fitted to each vertex and not to the box around them.
View make_orbit_view(const scene::Scene&, const Pose&, const Angles&, bool parallel, f64 aspect, f64 margin = 0.03);

}  // namespace dio::raster
