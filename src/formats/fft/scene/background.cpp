// background.cpp: lights, cameras, the background, and the nodes of a stage.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/scene/builder.hpp"
#include "scene/math.hpp"

namespace dio::fft {

using scene::Index;
using scene::k_none;

namespace {

Value make_list_value(const auto& numbers) {
  Value v = Value::list();
  for (const auto& n : numbers) v.push(n);
  return v;
}
Value make_list_value(const Rgb8& c) { return make_list_value(std::array{c.red, c.green, c.blue}); }
std::array<i16, 3> raw_components(const Normal& n) { return {n.x.raw, n.y.raw, n.z.raw}; }
std::array<i16, 3> raw_color(const Lights& l, size_t i) { return {l.red[i].raw, l.green[i].raw, l.blue[i].raw}; }

}  // namespace

FftSceneBuilder::FftSceneBuilder(const FftMapStates& stage, const FftSceneOptions& options, Surfaces& surfaces,
                                 scene::Scene& s, Diagnostics& notes)
    : stage_(stage), options_(options), surfaces_(surfaces), s_(s), notes_(notes) {}

void FftSceneBuilder::build(Index parent) {
  add_meshes(parent);
  add_terrain(parent);
  add_directional_lights(parent);
}

Index FftSceneBuilder::add_node(std::string name, Index parent) {
  scene::Node n;
  n.name = std::move(name);
  n.parent = parent;
  s_.nodes.push_back(std::move(n));
  return Index(s_.nodes.size() - 1);
}

void FftSceneBuilder::add_note(Severity severity, const char* id, std::string path, DiagnosticText said) {
  notes_.push_back(make_diagnostic(severity, id, std::move(path), std::move(said)));
}

void FftSceneBuilder::extend_bounds(const scene::Point& p) {
  for (size_t k = 0; k < 3; ++k) {
    low_[k] = any_ ? std::min(low_[k], p[k]) : p[k];
    high_[k] = any_ ? std::max(high_[k], p[k]) : p[k];
  }
  any_ = true;
}

// ---- light ----

/// One scene light for each light of the map. Not expressible: addition of display values instead of light, clamping at
/// 255/128, negative light, and ambient light.
void FftSceneBuilder::add_directional_lights(Index parent) {
  if (!options_.lamps || !map().lights) return;
  const Lights& l = *map().lights;
  for (size_t i = 0; i < 3; ++i) {
    const Normal& d = l.directions[i];
    const scene::Vec3 towards = to_scene_axes(d.x.value(), d.y.value(), d.z.value());
    const f64 length = scene::length(towards);
    // On a face towards it, in multiples of the displayed brightness of the texel; then as linear light.
    const auto strength = [&](fx16 color) {
      constexpr f64 k_once = 2048;
      const f64 times = std::max(0.0, color.raw * length / k_once);
      return f64(scene::srgb_to_linear(f32(times)));
    };
    const std::array<f64, 3> light{strength(l.red[i]), strength(l.green[i]), strength(l.blue[i])};
    const f64 most = *std::ranges::max_element(light);
    if (most <= 0) continue;
    scene::Light lamp;
    lamp.name = text("light ", i + 1);
    for (size_t k = 0; k < 3; ++k) lamp.color[k] = f32(light[k] / most);
    lamp.intensity = f32(most * std::numbers::pi);  // a white surface reflects 1/pi of it
    const Index node = add_node(lamp.name + stage_.suffix, parent);
    s_.nodes[node].rotation = scene::rotation_facing_z(towards);
    s_.nodes[node].light = Index(s_.lights.size());
    Value& extras = s_.nodes[node].extras = Value::object();
    extras.add("kind", "fft.light");
    extras.add("path", "lights");
    if (const MapFile* file = map().supplier(Mesh::k_lights_slot); options_.sources && file && !file->path.empty())
      extras.add("file", file->path);
    extras.add("color", make_list_value(raw_color(l, i)));
    extras.add("direction", make_list_value(raw_components(d)));
    s_.lights.push_back(std::move(lamp));
  }
}

void add_light_extras(Value& v, const Lights& l) {
  Value& list = v.add("lights", Value::list());
  for (size_t i = 0; i < 3; ++i) {
    Value& light = list.push(Value::object());
    light.add("color", make_list_value(raw_color(l, i)));
    light.add("direction", make_list_value(raw_components(l.directions[i])));
  }
  v.add("ambient", make_list_value(l.ambient));
  Value& gradient = v.add("gradient", Value::object());
  gradient.add("top", make_list_value(l.top));
  gradient.add("bottom", make_list_value(l.bottom));
}

scene::Vec4 mean_background_color(const Lights& l) {
  const auto mixed = [](u8 a, u8 b) { return (f32(a) + f32(b)) / (2 * 255.0f); };
  return scene::srgb_to_linear(scene::Vec4{mixed(l.top.red, l.bottom.red), mixed(l.top.green, l.bottom.green),
                                           mixed(l.top.blue, l.bottom.blue), 1});
}

// ---- cameras ----

/// The four corner views of the game, at its lower pitch, with the whole map visible.
void FftSceneBuilder::add_cameras(Index parent) {
  if (!any_) return;
  constexpr f64 k_pitch = 26.54 * std::numbers::pi / 180, k_margin = 1.05;
  const scene::Vec3 middle =
      to_scene_axes((low_[0] + high_[0]) / 2, (low_[1] + high_[1]) / 2, (low_[2] + high_[2]) / 2);
  const scene::Point size{high_[0] - low_[0], high_[1] - low_[1], high_[2] - low_[2]};
  const f64 radius = std::max(f64(k_tile_units), scene::length(size) / 2);
  struct CompassCorner {
    const char* name;
    f64 east, north;
  };
  constexpr std::array<CompassCorner, 4> k_places{
      CompassCorner{"SW", -1, -1}, {"NW", -1, 1}, {"NE", 1, 1}, {"SE", 1, -1}};
  scene::Camera camera;
  camera.near = f32(radius * 0.01);
  camera.far = f32(radius * 4);
  for (const CompassCorner& c : k_places) {
    const f64 away = 2 * radius, flat = away * elementary::cos(k_pitch) / std::numbers::sqrt2;
    const scene::Vec3 eye =
        scene::add(middle, scene::Vec3{f32(c.east * flat), f32(away * elementary::sin(k_pitch)), f32(-c.north * flat)});
    const scene::Vec4 rotation = scene::look_at(eye, middle);
    const scene::Vec3 right = scene::rotate(rotation, scene::k_axis_x), up = scene::rotate(rotation, scene::k_axis_y);
    f64 half = k_tile_units;
    for (const f64 x : {low_[0], high_[0]})
      for (const f64 y : {low_[1], high_[1]})
        for (const f64 z : {low_[2], high_[2]}) {
          const scene::Vec3 from_middle = scene::sub(to_scene_axes(x, y, z), middle);
          half = std::max({half, std::fabs(scene::dot(from_middle, up)),
                           std::fabs(scene::dot(from_middle, right)) / camera.aspect});
        }
    camera.half_height = f32(half * k_margin);
    const Index node = add_node(text("camera ", c.name), parent);
    s_.nodes[node].translation = eye;
    s_.nodes[node].rotation = rotation;
    camera.name = s_.nodes[node].name;
    s_.nodes[node].camera = Index(s_.cameras.size());
    s_.cameras.push_back(camera);
    Value& extras = s_.nodes[node].extras = Value::object();
    extras.add("kind", "fft.camera");
    extras.add("stands", c.name);
  }
}

}  // namespace dio::fft
