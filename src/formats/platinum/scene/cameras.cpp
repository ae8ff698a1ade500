#include "formats/platinum/scene/cameras.hpp"

#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "scene/math.hpp"

namespace dio::platinum {
namespace {

constexpr f64 radians(f64 degrees) { return degrees * std::numbers::pi / 180; }

}  // namespace

std::span<const CameraType> camera_types() {
  static constexpr CameraType k_types[] = {
      {"default", 666.922119140625, 59.051513671875, 8.0914306640625},
      {"pastoria gym", 666.922119140625, 68.367919921875, 8.0914306640625},
      {"zoomed in", 515.4560546875, 54.656982421875, 10.458984375},
      {"canalave gym", 666.922119140625, 59.051513671875, 8.0914306640625},
      {"interior", 1563.537841796875, 50.086669921875, 3.5211181640625, true, 150, 1735},
      {"spear pillar", 316.501220703125, 59.0460205078125, 16.8804931640625, false, 10, 1008},
      {"mt coronet south", 866.554443359375, 73.1085205078125, 6.3336181640625, false, 115, 1221},
      {"mt coronet north", 666.922119140625, 59.0460205078125, 8.0914306640625, false, 153, 1031},
      {"stark mountain", 662.922119140625, 70.4718017578125, 9.8492431640625, false, 150, 1034},
      {"oreburgh gym", 357.6044921875, 40.5889892578125, 15.029296875},
      {"veilstone gym", 1202.355712890625, 60.8038330078125, 4.5758056640625, false, 150, 1746},
      {"slightly zoomed out", 675.833251953125, 57.8155517578125, 8.0914306640625, false, 230, 1127},
      {"cave", 574.577880859375, 63.2647705078125, 9.4976806640625},
      {"iron island", 515.4560546875, 47.7960205078125, 10.458984375},
      {"hall of origin", 169.462158203125, 78.37646484375, 29.5367431640625, false, 10, 1008},
      {"lake acuity", 653.929443359375, 54.656982421875, 8.349609375},
      {"unused", 330.921875, 59.051513671875, 15.4742431640625},
  };
  return k_types;
}

scene::Camera make_camera(const CameraType& t) {
  scene::Camera c;
  c.name = t.name;
  c.near = t.near, c.far = t.far;
  c.vertical_fov = f32(2 * radians(t.half_angle));
  if (t.parallel) c.half_height = f32(t.distance * elementary::tan(radians(t.half_angle)));
  return c;
}

scene::Node make_camera_node(const CameraType& t, const scene::Vec3& target) {
  scene::Node n;
  const f64 pitch = radians(t.pitch);
  n.translation =
      scene::add(target, {0, f32(t.distance * elementary::sin(pitch)), f32(t.distance * elementary::cos(pitch))});
  n.rotation = scene::look_at(n.translation, target);
  return n;
}

}  // namespace dio::platinum
