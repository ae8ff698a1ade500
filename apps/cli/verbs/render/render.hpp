// render.hpp: what is shared by the ways to show files as pictures: `dio render` and `dio show`.
#pragma once
#include <functional>

#include "../../input/build_scene.hpp"
#include "../../input/companions.hpp"
#include "bridge/raster/pictures.hpp"

namespace dio::cli {

/// How the options want pictures, before there is a scene.
struct RenderRequest {
  raster::RenderOptions shot;
  u32 strip = 0;           // pictures in a row; 0: one
  bool is_moving = false;  // .apng, .gif
  u32 tiles = 0;           // pixels of a tile, along an axis; 0: no tiles
};
/// Nothing if that cannot be; the report says why. `width`, `height`: where --size does not say.
std::optional<RenderRequest> parse_render_request(const Request&, u32 width, u32 height, Report&);

/// What an input shows: the scene of a file or of a glTF scene; else its textures. The report says why there is
/// nothing; an input found in a folder that has nothing to show is skipped.
struct RenderSubject {
  std::optional<scene::Scene> scene;
  std::vector<raster::LabelledImage> textures;
};
std::optional<RenderSubject> load_render_subject(const Request&, const Input&, const Companions&, Report&);

/// Whether all options have an effect on a picture of textures alone. If not, the report names one that has none.
bool check_texture_options(const Request&, const std::string& name, Report&);

/// One picture of it (milliseconds are 0), with --strip several moments in one row, or a moving one.
std::optional<raster::Motion> render_pictures(const Request&, const std::string& name, const RenderSubject&,
                                              const RenderRequest&, Report&);

/// Work for as many threads as -j says, or as there are processors: raster::Options::each.
std::function<void(size_t, const std::function<void(size_t)>&)> make_parallel_for(const Request&);

/// --tiles: a scene from above as a folder of small pictures. `name`: of its file or game.
void render_tiles(const Request&, const std::string& name, const scene::Scene&, RenderRequest, Report&);

/// Whether so many pictures, as large as they are wanted, fit on a sheet; if not, `report` says so.
bool fits_on_sheet(const Request&, const std::string& name, size_t pictures, const RenderRequest&, Report&,
                   u32 columns = 0);
/// A sheet of pictures as large as they are wanted, or, at a scale, as they are.
std::optional<scene::Image> draw_cell_sheet(const Request&, const std::string& name,
                                            const std::vector<raster::LabelledImage>&, const RenderRequest&, Report&,
                                            u32 columns = 0);

/// --part with wildcards: the parts of a game on one sheet, or with -o FOLDER/ a picture each.
ExitCode render_parts(const Request&, const RenderRequest&, Report);
/// -o x.svg: the plan of one file. In plan.cpp.
ExitCode render_plan(const Request&, Report);
/// What is drawn, and what belongs to it.
struct RenderSelection {
  std::vector<Input> all, shown;
  Companions companions;
};
/// The inputs of a request, with all that is in folders and archives. Nothing if companions have nothing to belong to;
/// the report says so.
std::optional<RenderSelection> select_render_inputs(const Request&, Report&);

/// Small pictures of many inputs with their names, in so many columns (0: about as wide as high). Nothing if there are
/// none; the report says why. `count`: how many there are.
std::optional<scene::Image> draw_input_sheet(const Request&, const RenderSelection&, RenderRequest, u32 columns,
                                             Report&, size_t* count = nullptr);

/// As a file of that name: GIF, else PNG or, if it moves, APNG.
Bytes encode_motion(const raster::Motion&, const std::string& name);

}  // namespace dio::cli
