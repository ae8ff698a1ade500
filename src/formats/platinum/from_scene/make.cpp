// make.cpp: land data from a scene of any origin. Rules: README.md, "From glTF".
#include <algorithm>
#include <cmath>

#include "core/printing.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/making.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/from_scene/surfaces.hpp"
#include "formats/platinum/parts_land.hpp"
#include "scene/extras.hpp"
#include "scene/marks.hpp"
#include "scene/placing.hpp"

namespace dio::platinum {

using scene::Index;
using scene::k_none;

std::span<const Rule> make_land_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"platinum.make-floor", warning, "a map has floors", "Nobody can walk on it: every tile is blocked.",
       "Faces that are walked on point up; or name an object navmesh, which has them.", "README.md, From glTF"},
      {"platinum.make-outside", hint, "what is drawn is on the map: 256 units to each side of its middle",
       "The game draws it, but nobody can walk there, and it overlaps the next map.",
       "Scale or move the scene: --units-per-metre 16 makes a metre a tile.", "README.md, From glTF"},
      {"platinum.make-plates", hint, "heights need at most 1,000 plates",
       "Each tile got one plate instead: heights between tiles are less exact.",
       "Add an object named navmesh with a simple floor.", "README.md, From glTF"},
      {"platinum.make-props", stop, "a map has at most 32 props", "The game ignores the others.",
       "Make some of them part of the model.", "game code"},
  };
  return k_rules;
}

std::span<const MakeOption> make_land_options() {
  static constexpr MakeOption k_options[] = {
      {"units-per-metre", "N", "units of the map in a metre of the scene; default 1; a tile has 16"},
      {"largest-texture", "N", "the most texels that a texture has in width and height; default 256"},
      {"quads", "yes|no", "draw two triangles that are flat together as one polygon; default yes"},
  };
  return k_options;
}

namespace {

constexpr size_t k_most_plates = 1000;

/// The number of the prop model that a node stands for.
std::optional<u32> prop_of(const scene::Node& n) {
  const auto number = scene::number_in(n.extras, scene::text_in(n.extras, "kind") == k_prop_node ? "model_id" : "prop");
  if (!number || *number < 0 || *number > 0xFFFF) return {};
  return u32(*number);
}

Vector vector_of(const scene::Point& p) {
  const auto fixed = [](f64 x) { return fixed_of(std::clamp(x, -k_most_units, k_most_units)).value_or(fx32{0}); };
  return {fixed(p[0]), fixed(p[1]), fixed(p[2])};
}

}  // namespace

Result<Made> make_land(const scene::Scene& given, std::span<const Argument> all) {
  Arguments a(all);
  const f64 units =
      (a.has("units-per-metre") ? a.number("units-per-metre", 1e-3, 1e6) : 1) * f64(given.metres_per_unit);
  // The rest is for the model.
  std::vector<Argument> told{{"textures", "apart"}};
  for (const Argument& one : all) told.push_back(one);
  if (a.problem) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  if (const auto faults = scene::verify(given); !faults.empty())
    return refuse(make_diagnostic("nitro.make-scene", {}, {.message = "the scene is invalid: " + faults.front()}));

  LandData land{};
  scene::Scene drawn = given;
  std::vector<bool> left_out = scene::left_out_by_marks(given);
  const auto places = scene::places_of(given);
  for (Index i = 0; i < given.nodes.size(); ++i) {
    const scene::Node& n = given.nodes[i];
    const bool below = n.parent != k_none && left_out[n.parent];
    const auto prop = below ? std::nullopt : prop_of(n);
    left_out[i] = left_out[i] || below || prop || !n.visible;
    if (left_out[i]) drawn.nodes[i].mesh = k_none, drawn.nodes[i].skin = k_none;
    if (!prop) continue;
    Prop p{};
    p.model_id = *prop;
    scene::Point at = places[i].origin, size;
    for (f64& x : at) x *= units;
    for (size_t c = 0; c < 3; ++c) size[c] = scene::length(places[i].linear.columns[c]);
    p.position = vector_of(at), p.scale = vector_of(size);
    land.props.push_back(p);
  }
  if (land.props.size() > k_most_props)
    return refuse(make_diagnostic("platinum.make-props", {},
                                  {.message = text(land.props.size(), " props are more than the 32 of a map")}));

  auto made = nitro::make_model(drawn, told);
  if (!made) return made;
  auto model = load<nitro::Nsbmd>(made->files.at(0).bytes);
  if (!model) return refuse(std::move(model.error()));
  land.model = model->document.value();

  const Surfaces surfaces = surfaces_of(given, units, left_out);
  land.bdhc = Bdhc{};
  const auto plates = plates_of(surfaces.floors, k_most_plates);
  for (const PlateShape& p : plates)
    if (!add_plate(land.bdhc, p)) break;
  land.attributes = tiles_of(surfaces);
  const auto note = [&](Severity severity, std::string_view id, std::string message) {
    made->notes.push_back(make_diagnostic(severity, id, {}, {.message = std::move(message)}));
  };
  if (plates.empty()) note(Severity::warning, "platinum.make-floor", "the scene has no floor");
  u64 outside = 0;
  for (const SurfaceTriangle& t : surfaces.floors)
    for (const scene::Point& p : t.corners)
      outside += std::fabs(p[0]) > k_half_map + 1 || std::fabs(p[2]) > k_half_map + 1;
  if (outside)
    note(Severity::hint, "platinum.make-outside",
         text(counted(outside, "corner"), " of floors outside of the 512 x 512 units of the map"));
  if (plates.size() == k_tiles * k_tiles && surfaces.floors.size() > k_most_plates)
    note(Severity::hint, "platinum.make-plates", "the floor has too many slopes: each tile got a plate");

  Document<LandData> d;
  d.edit() = std::move(land);
  d.edit().settle();
  auto bytes = save(d);
  if (!bytes) return refuse(std::move(bytes.error()));
  made->files[0] = {".bin", std::move(*bytes)};
  return made;
}

}  // namespace dio::platinum
