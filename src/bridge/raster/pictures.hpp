// pictures.hpp: what people ask for: a camera by its name, a row of moments, a sheet of many models.
#pragma once
#include "bridge/raster/map_view.hpp"

namespace dio::raster {

struct RenderOptions {
  /// iso (parallel, from the right and above), free (the same with perspective), top (from above, north is up), game
  /// (the scene's first camera), AZIMUTH,ELEVATION in degrees (as free), or the name of a camera or of its node. Empty:
  /// top if there is a scale, else iso.
  std::string camera = {};
  std::optional<Scale> scale = {};             // from above alone; the map then says how large the picture is
  std::string animation = {};                  // which one plays; empty: all that can play together
  std::optional<f32> time = {};                // seconds from its start; none: nothing plays
  std::optional<scene::Rgba> background = {};  // none: that of the scene
  f64 margin = 0.03;                           // of a placed camera: what stays empty on each side
  u32 zoom = 1;                                // each pixel becomes so many by so many
  Options options = {};                        // but for the background
};

/// Takes an option as it is typed: size=640x480, scale=16, samples=3, background=#506070, camera=top, animation=turn,
/// time=1.5, look=ds, zoom=2. Gives what is wrong with the value, without the option's name; nothing if it is good.
std::optional<std::string> set_option(RenderOptions&, std::string_view name, std::string_view value);

/// What a shot is taken of, from where and how large. Its moment is that of the shot, or the start of its animations.
struct Frame {
  Moment moment;
  Pose pose;
  View view;
  Options options;
  std::optional<MapView> map;  // of a shot with a scale
};
/// `plays`: the shot's animation, or all that can play together, count even where it has no time. Ids: as
/// render_picture.
Result<Frame> prepare_frame(const scene::Scene&, const RenderOptions&, bool plays = false);
/// The camera of a shot. One that the scene does not have itself is placed so that all of the scene is seen.
/// Id: render.camera.
Result<View> make_view(const scene::Scene&, const Pose&, const RenderOptions&);
/// What plays, at the time of the shot. Id: render.animation.
Result<Moment> resolve_moment(const scene::Scene&, const RenderOptions&);

/// The frame at this time of what plays in it, in seconds. Id: render.size.
Result<scene::Image> render_picture_at(const scene::Scene&, Frame&, f32 time, u32 zoom);

/// What the shot shows of a scene: `view` and `moment` say where everything is in the picture.
struct RenderedShot {
  scene::Image image;
  View view;
  Moment moment;
  std::optional<MapView> map;  // of a shot with a scale
};
/// Ids: render.camera, render.animation (there is none of that name), render.size, render.scale.
Result<RenderedShot> render_picture(const scene::Scene&, const RenderOptions&);

/// Moments of one shot from the start of its animations, evenly over their length; each seen from where the first is
/// seen. `milliseconds`: how long each is shown. `time` of the shot does not count.
struct Motion {
  std::vector<scene::Image> frames;
  u16 milliseconds = 0;
};
/// `count` moments; 0: 24 a second, at most 240. A scene that does not move gives one, or equal ones. Ids: as
/// render_picture.
Result<Motion> render_animation(const scene::Scene&, const RenderOptions&, u32 count = 0);

/// Side by side.
scene::Image concatenate_horizontally(const std::vector<scene::Image>&);

/// Text of 5 x 7 pixels a character (6 x 8 with the space between), as large as `scale` says, ink over what is there.
/// What is not ASCII becomes '?'. Cut where the picture ends.
void draw_text(scene::Image&, i32 x, i32 y, std::string_view text, scene::Rgba ink, u32 scale = 1);
inline constexpr i32 k_text_width = 6, k_text_height = 8;

/// Pictures in rows, each as large as its cell allows, with its name below it.
struct LabelledImage {
  std::string label;
  scene::Image image;        // RGBA; empty: a grey cross
  bool is_sentence = false;  // where it is too long its end is cut, not its beginning
};
struct SheetOptions {
  u32 columns = 0;  // 0: so many that the sheet is about as wide as high
  u32 cell_width = 128, cell_height = 128;
  bool keeps_size = false;  // pictures are neither enlarged nor reduced: cells are as large as the largest needs
  scene::Rgba background{214, 217, 222, 255}, ink{40, 40, 40, 255};
};
/// How many pictures stand side by side, and how large the sheet gets; `cell_width` and `cell_height` count. Id:
/// render.size.
struct SheetSize {
  u32 columns, width, height;
};
Result<SheetSize> compute_sheet_size(size_t pictures, const SheetOptions&);
/// Id: render.size.
Result<scene::Image> make_contact_sheet(const std::vector<LabelledImage>&, const SheetOptions&);

/// A colour as people write it: #rrggbb, #rrggbbaa, white, black, grey, or transparent. Nothing if it is none.
std::optional<scene::Rgba> parse_color(std::string_view);
/// The same as light.
scene::Vec4 to_linear_light(const scene::Rgba&);

}  // namespace dio::raster
