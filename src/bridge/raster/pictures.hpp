// pictures.hpp: renders what users request: a camera by its name, a series of frames, a sheet of many models.
#pragma once
#include "bridge/raster/map_view.hpp"

namespace dio::raster {

struct RenderOptions {
  /// iso (parallel, from the right and above), free (same with perspective), top (from above, north is up), game (the
  /// scene's first camera), AZIMUTH,ELEVATION in degrees (like free), or the name of a camera or of its node. Empty:
  /// top if there is a scale, otherwise iso.
  std::string camera = {};
  std::optional<Scale> scale = {};             // only from above; the map then determines the size of the picture
  std::string animation = {};                  // the animation to play; empty: all that can play together
  std::optional<f32> time = {};                // seconds from its start; none: nothing plays
  std::optional<scene::Rgba> background = {};  // none: the background of the scene
  f64 margin = 0.03;                           // for a placed camera: the empty border on each side
  u32 zoom = 1;                                // each pixel becomes a square of this size
  Options options = {};                        // except for the background
};

/// Parses a typed option: size=640x480, scale=16, samples=3, background=#506070, camera=top, animation=turn, time=1.5,
/// look=ds, zoom=2. Returns an error about the value, without the name of the option; nothing if it is valid.
std::optional<std::string> set_option(RenderOptions&, std::string_view name, std::string_view value);

/// The view of a shot: camera position and size. Its moment is that of the shot, or the start of its animations.
struct Frame {
  Moment moment;
  Pose pose;
  View view;
  Options options;
  std::optional<MapView> map;  // for a shot with a scale
};
/// `plays`: the animation of the shot, or all that can play together, count even if the shot has no time. Ids: as
/// render_picture.
Result<Frame> prepare_frame(const scene::Scene&, const RenderOptions&, bool plays = false);
/// The camera of a shot. A camera that is not in the scene is placed so that the whole scene is visible. Id:
/// render.camera.
Result<View> make_view(const scene::Scene&, const Pose&, const RenderOptions&);
/// The animations that play, at the time of the shot. Id: render.animation.
Result<Moment> resolve_moment(const scene::Scene&, const RenderOptions&);

/// The frame at this time of the playing animations, in seconds. Id: render.size.
Result<scene::Image> render_picture_at(const scene::Scene&, Frame&, f32 time, u32 zoom);

/// The picture of a shot: `view` and `moment` give the position of everything in it.
struct RenderedShot {
  scene::Image image;
  View view;
  Moment moment;
  std::optional<MapView> map;  // for a shot with a scale
};
/// Ids: render.camera, render.animation (no animation has that name), render.size, render.scale.
Result<RenderedShot> render_picture(const scene::Scene&, const RenderOptions&);

/// Frames of one shot from the start of its animations, evenly over their length, all from the viewpoint of the first.
/// `milliseconds`: the duration of each frame. Ignores the `time` of the shot.
struct Motion {
  std::vector<scene::Image> frames;
  u16 milliseconds = 0;
};
/// `count` frames; 0: 24 per second, at most 240. A static scene gives one frame, or equal ones. Ids: as
/// render_picture.
Result<Motion> render_animation(const scene::Scene&, const RenderOptions&, u32 count = 0);

/// Side by side.
scene::Image concatenate_horizontally(const std::vector<scene::Image>&);

/// Draws text with 5 x 7 pixels per character (6 x 8 including the gap), enlarged by `scale`, over the picture.
/// Characters outside ASCII become '?'. Cut at the edge of the picture.
void draw_text(scene::Image&, i32 x, i32 y, std::string_view text, scene::Rgba ink, u32 scale = 1);
inline constexpr i32 k_text_width = 6, k_text_height = 8;

/// Pictures in rows, each fitted into its cell, with its name below.
struct LabelledImage {
  std::string label;
  scene::Image image;        // RGBA; empty: a grey cross
  bool is_sentence = false;  // if too long, the end is cut instead of the start
};
struct SheetOptions {
  u32 columns = 0;  // 0: chosen so that the sheet is about as wide as high
  u32 cell_width = 128, cell_height = 128;
  bool keeps_size = false;  // pictures are not scaled: cells are as large as the largest picture needs
  scene::Rgba background{214, 217, 222, 255}, ink{40, 40, 40, 255};
};
/// The number of columns and the size of the sheet, from `cell_width` and `cell_height`. Id: render.size.
struct SheetSize {
  u32 columns, width, height;
};
Result<SheetSize> compute_sheet_size(size_t pictures, const SheetOptions&);
/// Id: render.size.
Result<scene::Image> make_contact_sheet(const std::vector<LabelledImage>&, const SheetOptions&);

/// Parses a typed colour: #rrggbb, #rrggbbaa, white, black, grey, or transparent. Nothing if it is invalid.
std::optional<scene::Rgba> parse_color(std::string_view);
/// The same as light.
scene::Vec4 to_linear_light(const scene::Rgba&);

}  // namespace dio::raster
