#include "formats/fft/make/light_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/scene/light.hpp"
#include "scene/extras.hpp"
#include "scene/math.hpp"
#include "scene/transforms.hpp"

namespace dio::fft {

namespace {

using scene::Index;
using scene::k_none;

constexpr i16 k_once = 2047;  // the strongest light that overexposes no face

/// "#rrggbb", or a list of three numbers from 0 to 255.
std::optional<Rgb8> read_color(const Value& extras, std::string_view name) {
  if (const auto list = scene::read_number_list_extra(extras, name, 3)) {
    const auto part = [&](size_t i) { return u8(std::clamp(std::round((*list)[i]), 0.0, 255.0)); };
    return Rgb8{part(0), part(1), part(2)};
  }
  if (const auto hex = scene::read_text_extra(extras, name); hex && hex->size() == 7 && (*hex)[0] == '#')
    if (const auto bytes = decode_hex(hex->substr(1)); bytes && bytes->size() == 3)
      return Rgb8{(*bytes)[0], (*bytes)[1], (*bytes)[2]};
  return {};
}
/// Of the scene or, if it has none, of the first object that has it: not every program writes those of the scene.
std::optional<Rgb8> find_color(const scene::Scene& s, std::string_view name) {
  if (const auto own = read_color(s.extras, name)) return own;
  for (const scene::Node& n : s.nodes)
    if (const auto of_node = read_color(n.extras, name)) return of_node;
  return {};
}
/// Colours that cannot be read.
void note_invalid_colors(const scene::Scene& s, Diagnostics& losses) {
  const auto check = [&](const Value& extras) {
    for (const std::string_view name : {"ambient", "background-top", "background-bottom"})
      if (extras.find(name) && !read_color(extras, name))
        losses.push_back(
            make_diagnostic(Severity::warning, "fft.make-property", {},
                            {.message = text("the property `", name, "` is not a colour"),
                             .hint = "a colour is a text such as #204060, or three numbers from 0 to 255"}));
  };
  check(s.extras);
  for (const scene::Node& n : s.nodes) check(n.extras);
}
const Value* find_gradient(const scene::Scene& s) {
  if (const Value* own = s.extras.find("gradient")) return own;
  for (const scene::Node& n : s.nodes)
    if (const Value* of_node = n.extras.find("gradient")) return of_node;
  return nullptr;
}

Rgb8 to_rgb8(const scene::Vec4& linear) {
  const auto part = [&](size_t k) {
    return u8(std::lround(std::clamp(scene::linear_to_srgb(linear[k]), 0.0, 1.0) * 255));
  };
  return {part(0), part(1), part(2)};
}

void set_background(const scene::Scene& s, Lights& l) {
  const Rgb8 plain = s.background[3] > 0 ? to_rgb8(s.background) : Rgb8{64, 88, 120};
  const Value* gradient = find_gradient(s);
  const auto color = [&](std::string_view name, std::string_view in_gradient) {
    if (const auto own = find_color(s, name)) return *own;
    if (gradient)
      if (const auto exported = read_color(*gradient, in_gradient)) return *exported;
    return plain;
  };
  l.top = color("background-top", "top");
  l.bottom = color("background-bottom", "bottom");
}

/// A directional light and its light on a face towards it; linear, 1 draws the texture unchanged.
struct SceneLight {
  Index node;
  std::array<f64, 3> strength;
  f64 most;
};

std::vector<SceneLight> find_lights(const scene::Scene& s, Diagnostics& losses) {
  std::vector<SceneLight> out;
  u64 other = 0;
  for (Index i = 0; i < s.nodes.size(); ++i) {
    if (s.nodes[i].light == k_none) continue;
    const scene::Light& light = s.lights[s.nodes[i].light];
    if (light.kind != scene::Light::Kind::directional) {
      ++other;
      continue;
    }
    SceneLight& one = out.emplace_back();
    one.node = i;
    for (size_t k = 0; k < 3; ++k) one.strength[k] = f64(light.color[k]) * light.intensity / std::numbers::pi;
    one.most = *std::ranges::max_element(one.strength);
  }
  sort_stably(out, std::greater(), &SceneLight::most);
  // Blender writes its watts per square metre as lux. What is still brighter than a picture shows becomes full light.
  constexpr f64 k_lux_per_watt = 683;
  if (s.generator.find("Blender") != s.generator.npos)
    for (SceneLight& one : out) {
      one.most /= k_lux_per_watt;
      for (f64& x : one.strength) x /= k_lux_per_watt;
    }
  const f64 over = out.empty() ? 1 : std::max(out[0].most, 1.0);
  for (SceneLight& one : out)
    for (f64& x : one.strength) x /= over;
  const size_t dropped = out.size() > 3 ? out.size() - 3 : 0;
  if (dropped) out.resize(3);
  if (other || dropped)
    losses.push_back(make_diagnostic(
        Severity::warning, "fft.make-lights", {},
        {.message = text("the map does not have ", other ? format_count(other, "point light") : "",
                         other && dropped ? " and " : "", dropped ? format_count(dropped, "sun") : "", " of the scene"),
         .hint = "a map has three directional lights; paint other light as vertex colours"}));
  return out;
}

}  // namespace

BuiltLights build_lights(const scene::Scene& s, const SceneFaces& faces, Diagnostics& losses) {
  BuiltLights out;
  Lights& l = out.lights;
  set_background(s, l);
  note_invalid_colors(s, losses);
  const auto ambient = find_color(s, "ambient");
  if (faces.has_colors) {
    out.normals_are_colors = out.lit = true;
    constexpr fx16 k_one{4096};
    l.red[0] = l.green[1] = l.blue[2] = k_one;
    l.directions[0].x = l.directions[1].y = l.directions[2].z = k_one;
    l.ambient = {0, 0, 0};
    return out;
  }
  const std::vector<SceneLight> lights = find_lights(s, losses);
  const bool any_lit = std::ranges::any_of(faces.kinds, [&](const FaceKind& k) {
    return k.is_drawn && k.material != k_none && !s.materials[k.material].unlit;
  });
  if (!any_lit && !ambient) {
    l.ambient = {128, 128, 128};
    return out;
  }
  out.lit = any_lit;
  if (lights.empty()) {  // an afternoon: from the south-west, and from above
    const Point towards = scene::unit(Point{-0.45, 0.8, 0.4});
    l.red[0] = l.green[0] = l.blue[0] = fx16{1200};
    l.directions[0] = to_file_normal(towards);
    l.ambient = ambient.value_or(Rgb8{72, 72, 72});
    return out;
  }
  const auto places = scene::world_transforms(s);
  for (size_t i = 0; i < lights.size(); ++i) {
    const auto strength = [&](size_t k) {
      return fx16{i16(std::clamp(std::round(scene::linear_to_srgb(lights[i].strength[k]) * 2048), 0.0, f64(k_once)))};
    };
    l.red[i] = strength(0), l.green[i] = strength(1), l.blue[i] = strength(2);
    // A light shines along the negative Z axis of its node.
    const Point towards = scene::unit(places[lights[i].node].linear.columns[2]);
    if (lights[i].most > 0) l.directions[i] = to_file_normal(towards);
  }
  l.ambient = ambient.value_or(Rgb8{64, 64, 64});
  return out;
}

Normal normal_of_color(const Point& color) {
  const auto part = [&](size_t k) {
    // intensity = normal * 4096 >> 12 >> 4; 128 draws the texture unchanged.
    const f64 intensity = std::round(scene::linear_to_srgb(std::max(0.0, color[k])) * k_plain_intensity);
    return fx16{i16(std::clamp(intensity, 0.0, 255.0) * 16)};
  };
  return {part(0), part(1), part(2)};
}

Normal to_file_normal(const Point& unit) {
  const auto part = [](f64 x) { return fx16{i16(std::lround(x * 4096))}; };
  return {part(unit[0]), part(-unit[1]), part(-unit[2])};
}

}  // namespace dio::fft
