// map_scenes.hpp: scenes of which the tests make battle maps. A metre is a tile; x to the east, y up, z to the south.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "scene/scene.hpp"

namespace dio::fft::test {

inline constexpr f64 k_step = 12.0 / 28;  // metres

/// A scene of objects with boxes and quads, each object with its own mesh.
class MapSceneBuilder {
 public:
  using Corners = std::array<scene::Vec3, 4>;

  /// A picture of `side` x `side` pixels: noise around a colour.
  scene::Index material(const std::string& name, const std::array<u8, 3>& color, u32 side = 32) {
    scene::Image image{name, side, side, 8, {}, {}};
    u32 noise = 12345 + u32(name.size()) * 7919;
    for (u32 i = 0; i < side * side; ++i) {
      noise = noise * 1664525 + 1013904223;
      const int lighter = int(noise >> 24) % 5 * 8 - 16;
      for (const u8 c : color) image.pixels.push_back(u8(std::clamp(c + lighter, 0, 255)));
      image.pixels.push_back(255);
    }
    scene_.images.push_back(std::move(image));
    scene_.textures.push_back({name, scene::Index(scene_.images.size() - 1)});
    scene::Material m;
    m.name = name;
    m.unlit = false;
    m.texture = scene::Index(scene_.textures.size() - 1);
    scene_.materials.push_back(m);
    return scene::Index(scene_.materials.size() - 1);
  }

  /// The object that the next quads belong to.
  scene::Node& object(const std::string& name) {
    scene::Node n;
    n.name = name;
    n.mesh = scene::Index(scene_.meshes.size());
    scene_.nodes.push_back(n);
    scene_.meshes.push_back({name, {}});
    return scene_.nodes.back();
  }
  /// Counterclockwise, seen from the side that is shown; a metre shows the picture once.
  void quad(scene::Index material, const Corners& c) {
    auto& primitives = scene_.meshes.back().primitives;
    auto known = std::ranges::find(primitives, material, &scene::Primitive::material);
    if (known == primitives.end()) {
      primitives.emplace_back().material = material;
      known = primitives.end() - 1;
    }
    const u32 first = u32(known->positions.size());
    const auto side = [&](size_t a, size_t b) {
      return std::hypot(c[b][0] - c[a][0], c[b][1] - c[a][1], c[b][2] - c[a][2]);
    };
    const f32 across = side(0, 1), up = side(1, 2);
    known->positions.insert(known->positions.end(), c.begin(), c.end());
    known->uvs.insert(known->uvs.end(), {{0, up}, {across, up}, {across, 0}, {0, 0}});
    for (const u32 i : {0u, 1u, 2u, 0u, 2u, 3u}) known->indices.push_back(first + i);
  }
  void floor(scene::Index material, f32 west, f32 north, f32 east, f32 south, f32 y) {
    slope(material, west, north, east, south, y, y);
  }
  /// A floor that rises to the east.
  void slope(scene::Index material, f32 west, f32 north, f32 east, f32 south, f32 y_west, f32 y_east) {
    quad(material, {{{west, y_west, south}, {east, y_east, south}, {east, y_east, north}, {west, y_west, north}}});
  }
  void walls(scene::Index material, f32 west, f32 north, f32 east, f32 south, f32 low, f32 high) {
    quad(material, {{{west, low, south}, {east, low, south}, {east, high, south}, {west, high, south}}});
    quad(material, {{{east, low, north}, {west, low, north}, {west, high, north}, {east, high, north}}});
    quad(material, {{{west, low, north}, {west, low, south}, {west, high, south}, {west, high, north}}});
    quad(material, {{{east, low, south}, {east, low, north}, {east, high, north}, {east, high, south}}});
  }
  void ceiling(scene::Index material, f32 west, f32 north, f32 east, f32 south, f32 y) {
    quad(material, {{{west, y, north}, {east, y, north}, {east, y, south}, {west, y, south}}});
  }
  void box(scene::Index side, scene::Index top, f32 west, f32 north, f32 east, f32 south, f32 low, f32 high) {
    walls(side, west, north, east, south, low, high);
    floor(top, west, north, east, south, high);
  }
  scene::Scene scene() && {
    for (scene::Mesh& m : scene_.meshes) std::erase_if(m.primitives, [](const auto& p) { return p.indices.empty(); });
    return std::move(scene_);
  }

 private:
  scene::Scene scene_;
};

/// A scene, and the height in metres of its lowest open floor.
struct MapScene {
  std::string name;
  scene::Scene scene;
  std::function<f64(f64 x, f64 z)> height;
  u32 size_x, size_z;
};

/// A hut of 4 x 3 tiles with a flat roof on a lawn of 10 x 10.
inline MapScene hut() {
  MapSceneBuilder b;
  const auto grass = b.material("Grass", {70, 140, 50}), stone = b.material("Stone wall", {130, 120, 110}),
             roof = b.material("Roof.001", {150, 60, 40});
  b.object("Lawn");
  b.floor(grass, 0, 0, 10, 10, 0);
  b.object("Hut");
  b.box(stone, roof, 3, 3, 7, 6, 0, f32(5 * k_step));
  return {"hut", std::move(b).scene(), [](f64 x, f64 z) { return x > 3 && x < 7 && z > 3 && z < 6 ? 5 * k_step : 0.0; },
          10, 10};
}

/// Six stairs of a step each, and a ramp beside them, both to a terrace.
inline MapScene stairs() {
  MapSceneBuilder b;
  const auto ground = b.material("Road", {150, 140, 120}), stone = b.material("Stairs", {120, 120, 130});
  b.object("Ground");
  b.floor(ground, 0, 0, 12, 8, 0);
  b.object("Stairs");
  for (int i = 0; i < 6; ++i) b.box(stone, stone, f32(3 + i), 1, f32(4 + i), 3, 0, f32((i + 1) * k_step));
  b.object("Ramp");
  b.slope(ground, 3, 5, 9, 7, 0, f32(6 * k_step));
  b.object("Terrace");
  b.box(stone, ground, 9, 0, 12, 8, 0, f32(6 * k_step));
  return {"stairs", std::move(b).scene(),
          [](f64 x, f64 z) {
            if (x >= 9) return 6 * k_step;
            if (x > 3 && z > 1 && z < 3) return std::floor(x - 2) * k_step;
            if (x > 3 && z > 5 && z < 7) return (x - 3) * k_step;
            return 0.0;
          },
          12, 8};
}

/// A bridge of 2 x 8 tiles, five steps above a way that leads beneath it.
inline MapScene bridge() {
  MapSceneBuilder b;
  const auto sand = b.material("Sand", {200, 180, 120}), wood = b.material("Bridge", {120, 80, 40});
  b.object("Way");
  b.floor(sand, 0, 0, 8, 8, 0);
  b.object("Bridge");
  const f32 high = f32(5 * k_step), low = f32(4.5 * k_step);
  b.floor(wood, 0, 3, 8, 5, high);
  b.ceiling(wood, 0, 3, 8, 5, low);
  b.walls(wood, 0, 3, 8, 5, low, high);
  return {"bridge", std::move(b).scene(), [](f64, f64) { return 0.0; }, 8, 8};
}

/// A pond of 4 x 4 tiles, two steps deep, whose surface is a step below the lawn.
inline MapScene water() {
  MapSceneBuilder b;
  const auto grass = b.material("Grass", {70, 140, 50}), lake = b.material("Lake", {40, 80, 160}),
             bed = b.material("Sand", {190, 170, 110});
  const f32 deep = f32(-3 * k_step), surface = f32(-1 * k_step);
  b.object("Lawn");
  b.floor(grass, 0, 0, 8, 2, 0);
  b.floor(grass, 0, 6, 8, 8, 0);
  b.floor(grass, 0, 2, 2, 6, 0);
  b.floor(grass, 6, 2, 8, 6, 0);
  b.object("Bed");
  b.floor(bed, 2, 2, 6, 6, deep);
  b.quad(bed, {{{6, deep, 6}, {2, deep, 6}, {2, 0, 6}, {6, 0, 6}}});
  b.quad(bed, {{{2, deep, 2}, {6, deep, 2}, {6, 0, 2}, {2, 0, 2}}});
  b.quad(bed, {{{2, deep, 6}, {2, deep, 2}, {2, 0, 2}, {2, 0, 6}}});
  b.quad(bed, {{{6, deep, 2}, {6, deep, 6}, {6, 0, 6}, {6, 0, 2}}});
  b.object("Pond");
  b.floor(lake, 2, 2, 6, 6, surface);
  return {"water", std::move(b).scene(),
          [](f64 x, f64 z) { return x > 2 && x < 6 && z > 2 && z < 6 ? 0.0 : 3 * k_step; }, 8, 8};
}

/// A castle of about 250 faces: four towers, walls with battlements, a keep and a yard on 16 x 16 tiles.
inline MapScene castle() {
  MapSceneBuilder b;
  const auto grass = b.material("Grass", {70, 140, 50}), stone = b.material("Stone wall", {140, 135, 125}),
             top = b.material("Stone floor", {110, 105, 100}), roof = b.material("Roof", {60, 60, 110});
  b.object("Ground");
  b.floor(grass, 0, 0, 16, 16, 0);
  const f32 wall = f32(6 * k_step), tower = f32(12 * k_step), keep = f32(10 * k_step);
  b.object("Towers");
  for (const f32 x : {2.0f, 12.0f})
    for (const f32 z : {2.0f, 12.0f}) b.box(stone, top, x, z, x + 2, z + 2, 0, tower);
  b.object("Walls");
  b.box(stone, top, 4, 2, 12, 3, 0, wall);
  b.box(stone, top, 2, 4, 3, 12, 0, wall);
  b.box(stone, top, 13, 4, 14, 12, 0, wall);
  b.box(stone, top, 4, 13, 7, 14, 0, wall);
  b.box(stone, top, 9, 13, 12, 14, 0, wall);
  b.object("Battlements");
  for (int i = 0; i < 8; ++i) {
    const f32 x = 4.25f + f32(i);
    b.box(stone, top, x, 2, x + 0.5f, 2.25f, wall, wall + 0.3f);
    b.box(stone, top, 2, x, 2.25f, x + 0.5f, wall, wall + 0.3f);
    b.box(stone, top, 13.75f, x, 14, x + 0.5f, wall, wall + 0.3f);
  }
  b.object("Keep");
  b.box(stone, roof, 6, 5, 10, 9, 0, keep);
  return {"castle", std::move(b).scene(),
          [=](f64 x, f64 z) {
            const auto within = [&](f64 w, f64 n, f64 e, f64 s) { return x > w && x < e && z > n && z < s; };
            for (const f64 a : {2.0, 12.0})
              for (const f64 c : {2.0, 12.0})
                if (within(a, c, a + 2, c + 2)) return f64(tower);
            if (within(6, 5, 10, 9)) return f64(keep);
            if (within(4, 2, 12, 3) || within(2, 4, 3, 12) || within(13, 4, 14, 12) || within(4, 13, 7, 14) ||
                within(9, 13, 12, 14))
              return f64(wall);
            return 0.0;
          },
          16, 16};
}

}  // namespace dio::fft::test
