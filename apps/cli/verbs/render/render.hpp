// render.hpp: what is shared by the ways to show files as pictures: `dio render` and `dio show`.
#pragma once
#include "../../input/companions.hpp"
#include "../../input/stage.hpp"
#include "bridge/raster/pictures.hpp"

namespace dio::cli {

/// How the options want pictures, before there is a scene.
struct Wanted {
  raster::Shot shot;
  u32 strip = 0;           // pictures in a row; 0: one
  bool is_moving = false;  // .apng
};
/// Nothing if that cannot be; the report says why. `width`, `height`: where --size does not say.
std::optional<Wanted> wanted_of(const Request&, u32 width, u32 height, Report&);

/// What an input shows: the scene of a file or of a glTF scene; else its textures. The report says why there is
/// nothing; an input found in a folder that has nothing to show is skipped.
struct Shown {
  std::optional<scene::Scene> scene;
  std::vector<raster::Labelled> textures;
};
std::optional<Shown> shown_of(const Request&, const Input&, const Companions&, Report&);

/// One picture of it (milliseconds are 0), with --strip several moments in one row, or a moving one.
std::optional<raster::Motion> pictures_of(const Request&, const std::string& name, const Shown&, const Wanted&,
                                          Report&);

/// -o x.svg: the plan of one file. In plan.cpp.
Exit render_plan(const Request&, Report);

}  // namespace dio::cli
