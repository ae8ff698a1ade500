// make.cpp: builds a map from any scene. Rules: README.md, "Maps from scenes".
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/make/map_builder.hpp"
#include "formats/fft/parts.hpp"
#include "layout/document.hpp"

namespace dio::fft {

std::span<const Rule> make_rules() {
  using enum Severity;
  static constexpr std::string_view k_source = "src/formats/fft/README.md#maps-from-scenes";
  static constexpr Rule k_rules[] = {
      {"fft.make-empty", stop, "a scene that becomes a map has visible triangles",
       "A map without polygons shows only its background.", "Export meshes, not only curves or empty objects.",
       k_source},
      {"fft.make-tiles", Cause::limit, "the floors of a scene cover at most 256 tiles",
       "Each level of the terrain has room for 256 tiles, such as 16 x 16.",
       "Make the floors smaller, set the property `floor` of distant objects to false, or add an object named terrain.",
       k_source},
      {"fft.make-range", Cause::limit, "all vertices of a scene are within 32,767 units of the corner of the map",
       "The file stores positions as 16-bit numbers.", "Move the object closer, or use a smaller {--units-per-metre}.",
       k_source},
      {"fft.make-limit", Cause::limit,
       "a scene needs at most 360 textured triangles, 710 textured quads, 64 untextured triangles and 256 untextured "
       "quads",
       "The game's polygon arrays have a fixed size. If a map has too many polygons, the game writes past the ends of "
       "the arrays.",
       "Simplify the objects that the message names.", k_source},
      {"fft.make-repeats", Cause::limit, "a face repeats its picture at most 256 times",
       "The console cannot repeat a part of its texture memory, so each repetition becomes a polygon.",
       "Scale the texture coordinates of the face, or use a picture that shows several repetitions.", k_source},
      {"fft.make-scaled", warning, "the pictures of a scene fit into four pages of 256 x 256 texels in their own size",
       "Pictures that are too large are scaled down until all of them fit.",
       "Use smaller pictures, or let more faces show the same part of a picture.", k_source},
      {"fft.make-colors", hint, "the pictures of a scene have at most 16 palettes of 15 colours",
       "Each texel is one of 15 colours of a palette. Colours beyond these palettes are replaced by similar ones.",
       "Use fewer colours in each picture.", k_source},
      {"fft.make-texture", warning, "the list of a map that a scene replaces names a texture file",
       "Without a row for a texture, the game shows the texels of the map before.",
       "Replace another map, or add a texture with {edit GAME add-file}.", k_source},
      {"fft.make-table", warning, "a game that gets a new map has BATTLE.BIN with its table of lists",
       "The game finds the lists of maps by this table, not by their names.",
       "Add the map to a disc image, or a folder, with all files of the game.", k_source},
      {"fft.make-property", warning, "the properties of materials and objects have valid values",
       "A property with an invalid value is ignored.",
       "Correct the value; the table of properties lists the valid ones.", k_source},
      {"fft.make-triangles", warning, "the visible objects of a scene consist of triangles",
       "The game draws no points or lines.", "Convert lines to thin faces.", k_source},
      {"fft.make-sides", hint, "faces of double-sided materials are seen only from the front",
       "The game draws only the front of a polygon. Drawing both sides needs two polygons.",
       "Set the property `both-sides` of the material to true where the back is visible.", k_source},
      {"fft.make-animation", warning, "a scene that becomes a map has no animations",
       "Animated objects are built as they are at rest.", "Add animations to the map with {edit FILE}.", k_source},
      {"fft.make-floor", warning, "a scene that becomes a map has floors",
       "Units can stand only on faces that point up, so without such faces nobody can enter the map.",
       "Check that normals point outwards, or add an object named terrain.", k_source},
      {"fft.make-heights", hint, "tiles are within a step of 12 units of the floors of the scene",
       "A tile has one of 13 slopes, with heights in whole steps.",
       "Align the floors with the grid of tiles, or add an object named terrain.", k_source},
      {"fft.make-levels", warning, "at most two floors lie above each other",
       "A tile has two levels, so units cannot stand on further floors.",
       "Remove a floor, or set its property `floor` to false if it is only scenery.", k_source},
      {"fft.make-cuts", hint, "each tile of a floor is a polygon of its own",
       "The game highlights a tile by its polygons. A polygon that covers several tiles is highlighted with only one "
       "of "
       "them.",
       "Remove other polygons from the scene.", k_source},
      {"fft.make-lights", warning, "a scene has at most three suns and no other lights",
       "A map has three directional lights.", "Paint other light as vertex colours.", k_source},
  };
  return k_rules;
}

std::span<const MakeOption> make_mesh_options() {
  static constexpr MakeOption k_options[] = {
      {"units-per-metre", "N", "map units per metre of the scene (a tile has 28 units); default 28"},
      {"largest-texture", "N", "maximum width and height of a picture, in texels; default 256"},
      {"cut-floors", "yes|no", "cut floors into one polygon for each tile; default yes"},
      {"hide-walls", "yes|no", "do not draw walls for cameras from which they would hide tiles; default yes"},
  };
  return k_options;
}

MapBuildOptions parse_build_options(Arguments& a) {
  MapBuildOptions out;
  if (a.has("units-per-metre")) out.units_per_metre = a.number("units-per-metre", 1e-3, 1e6);
  if (a.has("largest-texture")) out.largest_texture = u32(a.whole("largest-texture", 1, k_page_texels));
  const auto flag = [&](std::string_view name, bool& value) {
    if (!a.has(name)) return;
    const std::string_view typed = a.text(name);
    if (typed != "yes" && typed != "no")
      a.refuse({.message = text(name, " is ", given(typed), "; it must be yes or no")});
    value = typed == "yes";
  };
  flag("cut-floors", out.cuts_floors);
  flag("hide-walls", out.hides_walls);
  a.done();
  return out;
}

Result<Made> make_mesh(const scene::Scene& s, std::span<const Argument> all) {
  Arguments a(all);
  const MapBuildOptions options = parse_build_options(a);
  if (a.problem) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  auto map = build_map(s, options);
  if (!map) return refuse(std::move(map.error()));
  auto mesh = save_new(std::move(map->mesh));
  auto texture = save_new(std::move(map->texture));
  if (!mesh) return refuse(std::move(mesh.error()));
  if (!texture) return refuse(std::move(texture.error()));
  Made made;
  made.files.push_back({".fft-mesh", std::move(*mesh)});
  made.files.push_back({".fft-texture", std::move(*texture)});
  made.notes = std::move(map->notes);
  made.lost = map->lost;
  return made;
}

}  // namespace dio::fft
