// light_builder.hpp: the lights of a map from those of a scene, and vertex colours as normals.
#pragma once
#include "core/diagnostic.hpp"
#include "formats/fft/layout/mesh.hpp"
#include "formats/fft/make/scene_faces.hpp"

namespace dio::fft {

struct BuiltLights {
  Lights lights{};
  /// The normals of vertices are their colours: the three lights are red, green and blue and shine along the axes, so
  /// the game computes for each vertex the colour that its normal states (README.md, "Maps from scenes").
  bool normals_are_colors = false;
  bool lit = false;  // whether polygons are drawn with these lights
};

/// Up to three directional lights of the scene, ambient light and background by its properties (`ambient`,
/// `background-top`, `background-bottom`). With vertex colours, which win over lights, `normals_are_colors`. Adds a
/// diagnostic to `losses` for each light or colour that the map does not have.
BuiltLights build_lights(const scene::Scene&, const SceneFaces&, Diagnostics& losses);

/// The normal that makes the game draw a vertex in this colour (linear; 1 draws the texture unchanged, and about 4 is
/// the brightest).
Normal normal_of_color(const Point& color);
/// A normal of a scene, in the axes of the file.
Normal to_file_normal(const Point& unit);

}  // namespace dio::fft
