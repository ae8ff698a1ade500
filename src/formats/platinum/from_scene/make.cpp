// make.cpp: builds land data from any scene. Rules: README.md, "From glTF".
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

std::span<const Rule> make_land_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"platinum.make-floor", warning, "a map has floors",
       "Without floors, every tile is blocked, so the player cannot walk on the map.",
       "Make the walkable faces point up, or add an object named navmesh that contains the floors.",
       "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-outside", hint,
       "the floors of a map extend at most 256 units to each side of the middle of the map",
       "The game also draws floors outside the map, where they overlap the neighbouring map, but the player cannot "
       "walk on these floors.",
       "Scale or move the scene. With {--units-per-metre 16}, a metre becomes a tile.",
       "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-plates", hint, "the floors of a map need at most 1,000 plates",
       "If a map needs more plates, every tile gets one plate, so heights between tiles are less exact.",
       "Add an object named navmesh with a simple floor.", "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-props", Cause::limit, "a map has at most 32 props", "The game ignores props after the 32nd.",
       "Turn some of the props into parts of the map model.", "pret/pokeplatinum, map_prop.c"},
      {"platinum.make-prop", stop, "a scene refers to props by number, unless it is built into a game",
       "A map stores prop numbers, and only the files of a game show which number a name has.",
       "Use {edit GAME make-map scene=FILE}, or set the property `prop` to the number of the model.",
       "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-prop-twice", warning, "objects that stand for the same prop look the same",
       "A prop has only one model, so all objects that stand for it get the mesh of the first object.",
       "Set the `prop` property of one of the objects to another name, or let both objects share a mesh.",
       "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-shared", warning, "building a map changes no other map",
       "If the map shares cells, an area or an events file with other maps, building the map also changes those maps.",
       "Give the map a matrix and an area of its own with matrix=new and area=new.",
       "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-height", hint,
       "in the sources of the decompilation, the height of an object is a whole number of tiles",
       "The converter of the decompilation rejects fractions, so the height is rounded.",
       "Move the object to a height that is a whole number of tiles.",
       "src/formats/platinum/README.md#the-decompilation"},
      {"platinum.make-script", warning, "no script names an object that the scene no longer has",
       "The decompilation cannot build a script that names a removed object, because the name no longer has a number.",
       "Remove the commands for the object from the script, or give the object's name to another object in the events.",
       "src/formats/platinum/README.md#the-decompilation"},
      {"platinum.make-small", hint, "the floors of a map are wider than eight tiles",
       "A tile has 16 units, but a metre of the scene becomes one unit by default.",
       "Use units-per-metre=16 to turn a metre into a tile.", "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-scale", warning, "an exported scene keeps its scale",
       "An export records the width of its tiles. At another scale, floors and props are not on the tiles they were "
       "on.",
       "Leave out units-per-metre.", "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-elsewhere", warning, "an exported land goes back to its own place",
       "Permissions, behaviours and heights of a land stay only in its own cells. For another place, they are made "
       "from "
       "the floors of the scene.",
       "Leave out header, matrix, at and area to keep them, or set the property `behavior` of the floors.",
       "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-behavior", stop, "the property `behavior` names a known tile behaviour",
       "If the behaviour name is misspelt, the tile gets no special behaviour.",
       "Use one of the names that {edit LAND set-tiles} accepts.", "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-property", hint, "the properties of an object that stands for an event are fields of the event",
       "Properties that are not fields of the event are ignored.",
       "Correct the name of the property; {decode} lists the names of the fields.",
       "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-event", stop, "every event is a sign, object, warp or trigger, and is on a map",
       "The game has lists only for signs, objects, warps and triggers, and stores the tile of each event.",
       "Correct the property `event` of the object, or move the object onto a map.",
       "src/formats/platinum/README.md#events"},
      {"platinum.make-events", hint, "only a scene that is built into a game has events",
       "A game stores events in a separate file, so a map file on its own does not contain them.",
       "Use {edit GAME make-map scene=FILE}.", "src/formats/platinum/README.md#from-gltf"},
      {"platinum.make-maps", Cause::limit, "a scene covers at most 900 maps",
       "A matrix of the game has at most 900 cells.",
       "Scale the scene. With {--units-per-metre 16}, a metre becomes a tile.", "pret/pokeplatinum, map_matrix.c"},
      {"platinum.make-room", Cause::limit, "the model of a map takes at most 61,440 bytes",
       "The game reads the model into a 61,440-byte buffer, so a larger model overwrites the memory after the buffer.",
       "Simplify the objects, or turn repeated objects into props.", "pret/pokeplatinum, land_data.c"},
  };
  return k_rules;
}

std::span<const MakeOption> make_land_options() {
  static constexpr MakeOption k_options[] = {
      {"units-per-metre", "N", "map units per metre of the scene (a tile has 16 units); default 1"},
      {"largest-texture", "N", "maximum width and height of textures, in texels; default 256"},
      {"quads", "yes|no", "merge pairs of coplanar triangles into quads; default yes"},
  };
  return k_options;
}

Result<Made> make_land(const scene::Scene& s, std::span<const Argument> all) {
  Arguments a(all);
  MapOptions options = parse_map_options(s, all, a);
  options.is_one = true;
  if (a.problem) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  auto maps = build_land_maps(s, options);
  if (!maps) return refuse(std::move(maps.error()));
  BuiltLandMap& map = maps->maps.front();
  for (const SceneProp& p : map.props) {
    if (!p.number)
      return refuse(
          make_diagnostic("platinum.make-prop", {},
                          {.message = text("object ", given(s.nodes[p.node].name), " stands for the prop ",
                                           given(p.name), ", but only a game shows which number this name has"),
                           .hint = "use {edit GAME make-map}, or set the property `prop` to a number"}));
    map.land.props.push_back(p.record);
  }
  if (!maps->events.empty())
    maps->notes.push_back(make_diagnostic(Severity::hint, "platinum.make-events", {},
                                          {.message = text("omitted ", format_count(maps->events.size(), "event"),
                                                           ", because a game stores events in a separate file")}));
  map.land.bdhc = build_heights(map, maps->notes);
  map.land.settle();
  auto bytes = save_new(std::move(map.land));
  if (!bytes) return refuse(std::move(bytes.error()));
  Made made;
  made.files.push_back({".bin", std::move(*bytes)});
  if (!map.textures.empty()) made.files.push_back({".nsbtx", std::move(map.textures)});
  made.notes = std::move(maps->notes);
  return made;
}

}  // namespace dio::platinum
