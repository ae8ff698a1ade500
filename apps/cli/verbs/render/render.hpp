// render.hpp: what is shared by the ways to show files as pictures: `dio render` and `dio show`.
#pragma once
#include <functional>

#include "../../input/companions.hpp"
#include "../../input/stage.hpp"
#include "bridge/raster/pictures.hpp"

namespace dio::cli {

/// How the options want pictures, before there is a scene.
struct Wanted {
  raster::Shot shot;
  u32 strip = 0;           // pictures in a row; 0: one
  bool is_moving = false;  // .apng, .gif
  u32 tiles = 0;           // pixels of a tile, along an axis; 0: no tiles
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

/// Whether all options have an effect on a picture of textures alone. If not, the report names one that has none.
bool are_for_textures(const Request&, const std::string& name, Report&);

/// One picture of it (milliseconds are 0), with --strip several moments in one row, or a moving one.
std::optional<raster::Motion> pictures_of(const Request&, const std::string& name, const Shown&, const Wanted&,
                                          Report&);

/// Work for as many threads as -j says, or as there are processors: raster::Options::each.
std::function<void(size_t, const std::function<void(size_t)>&)> on_all_processors(const Request&);

/// --tiles: a scene from above as a folder of small pictures. `name`: of its file or game.
void render_tiles(const Request&, const std::string& name, const scene::Scene&, Wanted, Report&);

/// Whether so many pictures, as large as they are wanted, fit on a sheet; if not, `report` says so.
bool fits_on_sheet(const Request&, const std::string& name, size_t pictures, const Wanted&, Report&, u32 columns = 0);
/// A sheet of pictures as large as they are wanted, or, at a scale, as they are.
std::optional<scene::Image> sheet_of_cells(const Request&, const std::string& name,
                                           const std::vector<raster::Labelled>&, const Wanted&, Report&,
                                           u32 columns = 0);

/// --part with wildcards: the parts of a game on one sheet, or with -o FOLDER/ a picture each.
Exit render_parts(const Request&, const Wanted&, Report);
/// -o x.svg: the plan of one file. In plan.cpp.
Exit render_plan(const Request&, Report);
/// What is drawn, and what belongs to it.
struct Chosen {
  std::vector<Input> all, shown;
  Companions companions;
};
/// The inputs of a request, with all that is in folders and archives. Nothing if companions have nothing to belong to;
/// the report says so.
std::optional<Chosen> chosen_of(const Request&, Report&);

/// Small pictures of many inputs with their names, in so many columns (0: about as wide as high). Nothing if there are
/// none; the report says why. `count`: how many there are.
std::optional<scene::Image> sheet_of_inputs(const Request&, const Chosen&, Wanted, u32 columns, Report&,
                                            size_t* count = nullptr);

/// As a file of that name: GIF, else PNG or, if it moves, APNG.
Bytes file_of(const raster::Motion&, const std::string& name);

}  // namespace dio::cli
