// make.cpp: land data from a scene of any origin. Rules: README.md, "From glTF".
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

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
      {"platinum.make-props", Cause::limit, "a map has at most 32 props", "The game ignores the others.",
       "Make some of them part of the model.", "game code"},
      {"platinum.make-prop", stop, "a prop that is called by a name goes into a game",
       "A map has the numbers of its props, and only a game says which model has which.",
       "Use `dio edit GAME make-map scene=FILE`, or give the number as the property prop.", "README.md, From glTF"},
      {"platinum.make-prop-twice", warning, "objects that are the same prop look the same",
       "A prop has one model; the mesh of the first object is used for all.",
       "Give one of them another name as the property prop, or let both share a mesh.", "README.md, From glTF"},
      {"platinum.make-shared", warning, "a new map changes no other one",
       "Maps that share cells, areas or files of events with it change, too.", "Give it its own: matrix=new, area=new.",
       "README.md, From glTF"},
      {"platinum.make-height", hint, "in the sources of the decompilation, objects stand at whole tiles of height",
       "Its converter stops at fractions, so that the height was rounded.", "Move the object to a multiple of a tile.",
       "README.md, The decompilation"},
      {"platinum.make-script", warning, "no script names an object that a scene has removed",
       "The decompilation does not build such a script: the name has no number any more.",
       "Remove what the script does with the object, or give an object its name in the events.",
       "README.md, The decompilation"},
      {"platinum.make-small", hint, "the floors of a map are wider than eight tiles",
       "A tile has 16 units, and a metre of a scene is a unit unless something else is said.",
       "With units-per-metre=16 a metre is a tile.", "README.md, From glTF"},
      {"platinum.make-behavior", stop, "the property behavior names a behaviour",
       "What is misspelt would be a tile like any other.", "Use one of the words of `dio edit LAND set-tiles`.",
       "game code"},
      {"platinum.make-property", hint, "objects that stand for events have the fields of these events as properties",
       "Others are not looked at.", "Correct the name of the property; `dio decode` shows the names of the fields.",
       "README.md, From glTF"},
      {"platinum.make-event", stop, "events are signs, objects, warps or triggers, on a map",
       "The game has lists of these alone, by tiles.", "Correct the property event of the object, or move it.",
       "specification 12"},
      {"platinum.make-events", hint, "events go into a game", "They are in another file than the map.",
       "Use `dio edit GAME make-map scene=FILE`.", "README.md, From glTF"},
      {"platinum.make-maps", Cause::limit, "a scene is at most 900 maps", "A matrix of the game has no more cells.",
       "Scale the scene: --units-per-metre 16 makes a metre a tile.", "specification 5"},
      {"platinum.make-room", Cause::limit, "the model of a map takes at most 61,440 bytes",
       "The game reads it into a buffer of that size, and overwrites what is behind it.",
       "Make the objects simpler, or turn those that are there several times into props.", "specification 17, LND-5"},
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
      return refuse(make_diagnostic("platinum.make-prop", {},
                                    {.message = text("object ", given(s.nodes[p.node].name), " is the prop ",
                                                     given(p.name), ": only a game says which number that is"),
                                     .hint = "use `dio edit GAME make-map`, or give a number as the property prop"}));
    map.land.props.push_back(p.record);
  }
  if (!maps->events.empty())
    maps->notes.push_back(make_diagnostic(Severity::hint, "platinum.make-events", {},
                                          {.message = text(format_count(maps->events.size(), "event"), " left out")}));
  map.land.bdhc = build_heights(map, maps->notes);
  Document<LandData> d;
  d.edit() = std::move(map.land);
  d.edit().settle();
  auto bytes = save(d);
  if (!bytes) return refuse(std::move(bytes.error()));
  Made made;
  made.files.push_back({".bin", std::move(*bytes)});
  if (!map.textures.empty()) made.files.push_back({".nsbtx", std::move(map.textures)});
  made.notes = std::move(maps->notes);
  return made;
}

}  // namespace dio::platinum
