// scene_of_quads.hpp: scenes from which the tests make maps.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/platinum/parts_land.hpp"
#include "scene/scene.hpp"

namespace dio::platinum {

/// A scene of quads in units of the map, each with a material by its name.
class QuadScene {
 public:
  QuadScene() {
    scene_.name = "town";
    scene::Node n;
    n.name = "ground";
    n.mesh = 0;
    scene_.nodes.push_back(n);
    scene_.meshes.push_back({"ground", {}});
  }
  /// Counterclockwise, seen from the side that is shown.
  void quad(std::string_view material, const std::array<scene::Vec3, 4>& corners) {
    const auto known = std::ranges::find(scene_.materials, material, &scene::Material::name);
    const scene::Index index = scene::Index(known - scene_.materials.begin());
    if (known == scene_.materials.end()) {
      scene::Material m;
      m.name = material;
      scene_.materials.push_back(m);
      scene::Primitive p;
      p.material = index;
      scene_.meshes[0].primitives.push_back(p);
    }
    scene::Primitive& p = scene_.meshes[0].primitives[index];
    const u32 first = u32(p.positions.size());
    p.positions.insert(p.positions.end(), corners.begin(), corners.end());
    for (const u32 i : {0u, 1u, 2u, 0u, 2u, 3u}) p.indices.push_back(first + i);
  }
  /// A floor by its heights in the north-west, the north-east and the south-west.
  void floor(std::string_view material, f32 west, f32 north, f32 east, f32 south, f32 nw, f32 ne, f32 sw) {
    quad(material, {{{west, nw, north}, {west, sw, south}, {east, ne + sw - nw, south}, {east, ne, north}}});
  }
  void floor(std::string_view material, f32 west, f32 north, f32 east, f32 south, f32 y) {
    floor(material, west, north, east, south, y, y, y);
  }
  void ceiling(std::string_view material, f32 west, f32 north, f32 east, f32 south, f32 y) {
    quad(material, {{{west, y, north}, {east, y, north}, {east, y, south}, {west, y, south}}});
  }
  void walls(std::string_view material, f32 west, f32 north, f32 east, f32 south, f32 low, f32 high) {
    quad(material, {{{west, low, south}, {east, low, south}, {east, high, south}, {west, high, south}}});
    quad(material, {{{east, low, north}, {west, low, north}, {west, high, north}, {east, high, north}}});
    quad(material, {{{west, low, north}, {west, low, south}, {west, high, south}, {west, high, north}}});
    quad(material, {{{east, low, south}, {east, low, north}, {east, high, north}, {east, high, south}}});
  }
  scene::Scene& scene() { return scene_; }
  LandData made(std::initializer_list<Argument> told = {}) const {
    const std::vector<Argument> words(told);
    const auto made = make_land(scene_, words);
    EXPECT_TRUE(made) << made.error().message;
    auto land = load<LandData>(made->files.at(0).bytes);
    EXPECT_TRUE(land) << land.error().message;
    return land->document.value();
  }

 private:
  scene::Scene scene_;
};

}  // namespace dio::platinum
