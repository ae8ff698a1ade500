#include "scene/units.hpp"

namespace dio::scene {

void scale_roots(Scene& scene, const std::vector<Index>& roots, f64 factor) {
  std::vector<u8> is_root(scene.nodes.size());
  const auto scale = [&](auto& numbers) {
    for (size_t i = 0; i < 3; ++i) numbers[i] = f32(numbers[i] * factor);
  };
  for (const Index root : roots) {
    is_root[root] = true;
    scale(scene.nodes[root].translation);
    scale(scene.nodes[root].scale);
  }
  for (Animation& animation : scene.animations)
    for (Channel& channel : animation.channels)
      if (is_root[channel.node] && channel.target != Channel::Target::rotation)
        for (Vec4& value : channel.values) scale(value);
}

void raise_roots(Scene& scene, f32 height) {
  for (Node& n : scene.nodes)
    if (n.parent == k_none) n.translation[1] += height;
  for (Animation& animation : scene.animations)
    for (Channel& channel : animation.channels)
      if (scene.nodes[channel.node].parent == k_none && channel.target == Channel::Target::translation)
        for (Vec4& value : channel.values) value[1] += height;
}

void convert_units(Scene& scene, f32 metres_per_unit) {
  if (scene.metres_per_unit == metres_per_unit) return;
  const f64 factor = f64(scene.metres_per_unit) / metres_per_unit;
  std::vector<Index> roots;
  for (Index i = 0; i < scene.nodes.size(); ++i)
    if (scene.nodes[i].parent == k_none) roots.push_back(i);
  scale_roots(scene, roots, factor);
  for (Camera& camera : scene.cameras)
    for (f32* length : {&camera.near, &camera.far, &camera.half_height}) *length = f32(*length * factor);
  for (Light& light : scene.lights) light.range = f32(light.range * factor);
  scene.metres_per_unit = metres_per_unit;
}

}  // namespace dio::scene
