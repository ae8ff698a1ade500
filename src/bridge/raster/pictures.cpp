#include "bridge/raster/pictures.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "bridge/raster/surface.hpp"
#include "scene/srgb_tables.hpp"

namespace dio::raster {

using namespace scene;

namespace {

/// Parses a decimal number. Not std::from_chars: the C++ library of the module lacks it for real numbers.
std::optional<f64> parse_decimal(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != text.npos) return {};
  const std::string ended(text);
  char* end = nullptr;
  const f64 value = std::strtod(ended.c_str(), &end);
  if (end != ended.c_str() + ended.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<Angles> parse_angles(std::string_view text) {
  const size_t comma = text.find(',');
  if (comma == text.npos) return {};
  const auto azimuth = parse_decimal(text.substr(0, comma)), elevation = parse_decimal(text.substr(comma + 1));
  if (!azimuth || !elevation || std::fabs(*elevation) > 90 || std::fabs(*azimuth) > 360) return {};
  return Angles{*azimuth, *elevation};
}

/// The nodes with cameras.
std::vector<Index> find_camera_nodes(const Scene& scene) {
  std::vector<Index> out;
  for (Index i = 0; i < scene.nodes.size(); ++i)
    if (scene.nodes[i].camera != k_none) out.push_back(i);
  return out;
}

/// The common start and end of all labels carry no information: folders up to a slash, an extension.
std::vector<std::string> strip_common_label_parts(const std::vector<LabelledImage>& cells) {
  std::vector<std::string> out;
  for (const LabelledImage& c : cells) out.push_back(c.label);
  if (out.size() < 2) return out;
  const auto all = [&](auto holds) { return std::all_of(out.begin(), out.end(), holds); };
  const size_t slash = out.front().rfind('/') + 1;
  const std::string start = out.front().substr(0, slash);
  if (slash && all([&](const std::string& l) { return l.starts_with(start) && l.rfind('/') + 1 == slash; }))
    for (std::string& l : out) l.erase(0, slash);
  const size_t at = out.front().rfind('.');
  const std::string end = at == std::string::npos ? std::string() : out.front().substr(at);
  if (!end.empty() && all([&](const std::string& l) { return l.ends_with(end) && l.size() > end.size(); }))
    for (std::string& l : out) l.resize(l.size() - end.size());
  return out;
}

void put_pixel(Image& to, i64 x, i64 y, const Rgba& color) {
  if (x < 0 || y < 0 || x >= to.width || y >= to.height) return;
  std::copy(color.begin(), color.end(), to.pixels.begin() + (y * i64(to.width) + x) * 4);
}

Image make_filled_image(u32 width, u32 height, const Rgba& color) {
  Image out;
  out.width = width, out.height = height;
  out.pixels.resize(size_t(width) * height * 4);
  for (size_t i = 0; i < out.pixels.size(); i += 4) std::copy(color.begin(), color.end(), out.pixels.begin() + i64(i));
  return out;
}

/// Draws a picture over another one at a position.
void blend_image_at(Image& to, i64 x, i64 y, const Image& over) {
  for (u32 j = 0; j < over.height; ++j)
    for (u32 i = 0; i < over.width; ++i) {
      const i64 at_x = x + i, at_y = y + j;
      if (at_x < 0 || at_y < 0 || at_x >= to.width || at_y >= to.height) continue;
      const u8* c = over.pixels.data() + (size_t(j) * over.width + i) * 4;
      u8* under = to.pixels.data() + size_t(at_y * to.width + at_x) * 4;
      const u32 alpha = c[3], below = u32(under[3]) * (255 - alpha), all = alpha * 255 + below;
      if (!all) continue;
      for (size_t k = 0; k < 3; ++k) under[k] = u8((c[k] * alpha * 255 + under[k] * below + all / 2) / all);
      under[3] = u8((all + 127) / 255);
    }
}

}  // namespace

Result<View> make_view(const Scene& scene, const Pose& pose, const RenderOptions& shot) {
  const f64 aspect = f64(std::max(shot.options.width, 1u)) / std::max(shot.options.height, 1u);
  const std::string camera = shot.camera.empty() ? "iso" : shot.camera;
  if (camera == "iso") return make_orbit_view(scene, pose, {}, true, aspect, shot.margin);
  if (camera == "free") return make_orbit_view(scene, pose, {}, false, aspect, shot.margin);
  if (camera == "top") return make_top_view(compute_framed_bounds(scene, pose).value_or(Bounds{}), aspect, shot.margin);
  if (const auto angles = parse_angles(camera))
    return make_orbit_view(scene, pose, *angles, false, aspect, shot.margin);
  const std::vector<Index> nodes = find_camera_nodes(scene);
  if (camera == "game" && !nodes.empty()) return make_camera_view(scene, pose, nodes.front(), aspect);
  std::string names;
  for (const Index n : nodes) {
    const Node& node = scene.nodes[n];
    if (camera == node.name || camera == scene.cameras[node.camera].name)
      return make_camera_view(scene, pose, n, aspect);
    names += ", " + node.name;
  }
  return refuse("render.camera", {},
                {.message = camera == "game" ? "the file has no camera" : "there is no camera \"" + camera + '"',
                 .hint = "cameras are iso, free, top, AZIMUTH,ELEVATION in degrees" +
                         (names.empty() ? names : ", game" + names)});
}

namespace {

/// The scene at the start of its animations.
Result<Moment> make_start_moment(const Scene& scene, const RenderOptions& shot, bool plays) {
  Moment out;
  if (shot.animation.empty()) {
    if (plays) out.animations = compatible_animations(scene);
    return out;
  }
  std::string names;
  for (Index i = 0; i < scene.animations.size(); ++i) {
    if (scene.animations[i].name == shot.animation) out.animations = {i};
    names += (names.empty() ? "" : ", ") + scene.animations[i].name;
  }
  if (out.animations.empty())
    return refuse("render.animation", {},
                  {.message = "there is no animation \"" + shot.animation + '"',
                   .hint = names.empty() ? "the file has no animations" : "animations: " + names});
  return out;
}

Options resolve_render_options(const Scene& scene, const RenderOptions& shot) {
  Options out = shot.options;
  out.background = shot.background ? to_linear_light(*shot.background) : scene.background;
  return out;
}

/// Fits a picture into a cell: pixels of a small one become squares, pixels of a large one are averaged.
Image scale_to_fit(const Image& image, u32 width, u32 height) {
  if (image.width <= width && image.height <= height) {
    const u32 times = std::min(width / image.width, height / image.height);
    Image out = make_filled_image(image.width * times, image.height * times, {0, 0, 0, 0});
    for (u32 y = 0; y < out.height; ++y)
      for (u32 x = 0; x < out.width; ++x) put_pixel(out, x, y, color_of(image, x / times, y / times));
    return out;
  }
  const f64 scale = std::min(f64(width) / image.width, f64(height) / image.height);
  Image out =
      make_filled_image(std::max(u32(image.width * scale), 1u), std::max(u32(image.height * scale), 1u), {0, 0, 0, 0});
  for (u32 y = 0; y < out.height; ++y)
    for (u32 x = 0; x < out.width; ++x) {
      const auto from = [](u32 i, u32 all, u32 size) { return u32(u64(i) * size / all); };
      const u32 left = from(x, out.width, image.width), top = from(y, out.height, image.height);
      const u32 right = std::max(from(x + 1, out.width, image.width), left + 1);
      const u32 bottom = std::max(from(y + 1, out.height, image.height), top + 1);
      u64 light[3] = {}, cover = 0;
      for (u32 j = top; j < bottom; ++j)
        for (u32 i = left; i < right; ++i) {
          const Rgba c = color_of(image, i, j);
          for (size_t k = 0; k < 3; ++k) light[k] += u64(srgb_to_light(c[k])) * c[3];
          cover += c[3];
        }
      Rgba c{0, 0, 0, u8(cover / (u64(right - left) * (bottom - top)))};
      for (size_t k = 0; k < 3; ++k) c[k] = cover ? to_display(u32(light[k] / cover)) : 0;
      put_pixel(out, x, y, c);
    }
  return out;
}

/// Each pixel becomes a square.
Result<Image> render_zoomed(const Scene& scene, const Pose& pose, const View& view, const Options& options, u32 zoom) {
  const u64 width = u64(options.width) * zoom, height = u64(options.height) * zoom;
  if (auto fault = check_picture_size(width, height)) return refuse(*std::move(fault));
  auto image = render(scene, pose, view, options);
  if (!image || zoom == 1) return image;
  return scale_to_fit(*image, u32(width), u32(height));
}

}  // namespace

std::optional<std::string> set_option(RenderOptions& shot, std::string_view name, std::string_view value) {
  const auto parse_bounded_number = [&](u32& to, std::string_view text, u32 most) {
    u32 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most) return false;
    to = number;
    return true;
  };
  const std::string given = '"' + std::string(value) + '"';
  if (name == "size") {
    const size_t x = value.find('x');
    const std::string_view width = value.substr(0, x), height = x == value.npos ? width : value.substr(x + 1);
    if (parse_bounded_number(shot.options.width, width, k_most_pixels_across) &&
        parse_bounded_number(shot.options.height, height, k_most_pixels_across))
      return {};
    return "must be WIDTHxHEIGHT, each from 1 to " + std::to_string(k_most_pixels_across) + ", not " + given;
  }
  if (name == "scale") {
    shot.scale = parse_map_scale(value);
    if (shot.scale) return {};
    return "must be a number of pixels per tile (1 to 1024, such as 16), per unit (such as 0.05/unit) or per metre "
           "(such as 20/m), not " +
           given;
  }
  if (name == "samples") {
    if (parse_bounded_number(shot.options.samples, value, 8)) return {};
    return "must be a number from 1 to 8, not " + given;
  }
  if (name == "background") {
    shot.background = parse_color(value);
    if (shot.background) return {};
    return "must be #rrggbb, white, black, grey or transparent, not " + given;
  }
  if (name == "time") {
    const auto seconds = parse_decimal(value);
    if (seconds && *seconds >= 0 && *seconds < 1e6) {
      shot.time = f32(*seconds);
      return {};
    }
    return "must be a number of seconds, such as 1.5, not " + given;
  }
  if (name == "look") {
    const auto look = parse_shading_style(value);
    if (!look) return "must be plain, ds or psx, not " + given;
    shot.options.look = *look;
    return {};
  }
  if (name == "zoom") {
    if (parse_bounded_number(shot.zoom, value, 16)) return {};
    return "must be a number from 1 to 16, not " + given;
  }
  if (name == "camera")
    shot.camera = value;
  else if (name == "animation")
    shot.animation = value;
  else
    return "is unknown; options are size, scale, samples, background, camera, look, zoom, animation, time";
  return {};
}

Result<Moment> resolve_moment(const Scene& scene, const RenderOptions& shot) {
  auto moment = make_start_moment(scene, shot, shot.time.has_value());
  if (moment) moment->time = shot.time.value_or(0);
  return moment;
}

Result<Frame> prepare_frame(const Scene& scene, const RenderOptions& shot, bool plays) {
  auto moment = make_start_moment(scene, shot, plays || shot.time.has_value());
  if (!moment) return refuse(moment.error());
  moment->time = plays ? 0 : shot.time.value_or(0);
  Frame out{std::move(*moment), {}, {}, resolve_render_options(scene, shot), {}};
  out.pose = evaluate_pose(scene, out.moment);
  if (!shot.scale) {
    const auto view = make_view(scene, out.pose, shot);
    if (!view) return refuse(view.error());
    out.view = *view;
    return out;
  }
  if (!shot.camera.empty() && shot.camera != "top")
    return refuse("render.camera", {},
                  {.message = "a scale works only with the camera top, not with " + shot.camera,
                   .hint = "omit either the camera or the scale"});
  auto map = compute_map_view(scene, out.pose, *shot.scale);
  if (!map) return refuse(map.error());
  out.view = map->view;
  out.options.width = map->width, out.options.height = map->height;
  out.map = std::move(*map);
  return out;
}

Result<RenderedShot> render_picture(const Scene& scene, const RenderOptions& shot) {
  auto frame = prepare_frame(scene, shot);
  if (!frame) return refuse(frame.error());
  auto image = render_zoomed(scene, frame->pose, frame->view, frame->options, shot.zoom);
  if (!image) return refuse(image.error());
  if (frame->map) {
    frame->map->width *= shot.zoom, frame->map->height *= shot.zoom;
    frame->map->pixels_per_unit *= shot.zoom, frame->map->pixels_per_tile *= shot.zoom;
  }
  return RenderedShot{std::move(*image), frame->view, std::move(frame->moment), std::move(frame->map)};
}

Result<Image> render_picture_at(const Scene& scene, Frame& frame, f32 time, u32 zoom) {
  frame.moment.time = time;
  frame.pose = evaluate_pose(scene, frame.moment);
  return render_zoomed(scene, frame.pose, frame.view, frame.options, zoom);
}

Result<Motion> render_animation(const Scene& scene, const RenderOptions& shot, u32 count) {
  constexpr f64 k_rate = 24, k_most_frames = 240;
  auto frame = prepare_frame(scene, shot, true);
  if (!frame) return refuse(frame.error());
  const f64 length = animation_duration(scene, frame->moment.animations);
  if (!count) count = u32(std::clamp(std::ceil(length * k_rate), 1.0, k_most_frames));
  // All frames stay in memory until they are written.
  constexpr u64 k_most_pixels = u64(1) << 30;
  const u64 zoom = shot.zoom, pixels = u64(frame->options.width) * zoom * (u64(frame->options.height) * zoom);
  if (pixels * count > k_most_pixels)
    return refuse(
        "render.size", {},
        {.message = std::to_string(count) + " frames of " + std::to_string(frame->options.width * zoom) + " x " +
                    std::to_string(frame->options.height * zoom) + " pixels are too many: the limit is " +
                    std::to_string(k_most_pixels) + " pixels in all frames together",
         .hint = "choose a smaller size"});
  Motion out;
  out.milliseconds = u16(std::clamp(length * 1000 / count + 0.5, 10.0, 60000.0));
  for (u32 i = 0; i < count; ++i) {
    auto image = render_picture_at(scene, *frame, f32(length * i / count), shot.zoom);
    if (!image) return refuse(image.error());
    out.frames.push_back(std::move(*image));
  }
  return out;
}

Image concatenate_horizontally(const std::vector<Image>& images) {
  u32 width = 0, height = 0;
  for (const Image& i : images) width += i.width, height = std::max(height, i.height);
  Image out = make_filled_image(width, height, {0, 0, 0, 0});
  i64 x = 0;
  for (const Image& i : images) {
    blend_image_at(out, x, 0, i);
    x += i.width;
  }
  return out;
}

void draw_text(Image& to, i32 x, i32 y, std::string_view text, Rgba ink, u32 scale) {
  // Seven rows of five pixels for each character from ' ' to '~', with a row as one digit of base 32.
  static constexpr std::string_view k_glyphs[95] = {
      "0000000", "4444004", "aaa0000", "aavavaa", "4fke5u4", "op248j3", "cik8lid", "c480000", "2488842", "8422248",
      "04lel40", "044v440", "0000c48", "000v000", "00000cc", "01248g0", "ehjlphe", "4c4444e", "eh1248v", "v2421he",
      "26aiv22", "vgu11he", "68guhhe", "v124888", "ehhehhe", "ehhf12c", "0cc0cc0", "0cc0c48", "248g842", "00v0v00",
      "8421248", "eh12404", "eh1dlle", "ehhvhhh", "uhhuhhu", "ehggghe", "sihhhis", "vgguggv", "vgguggg", "ehgnhhf",
      "hhhvhhh", "e44444e", "72222ic", "hikokih", "ggggggv", "hrllhhh", "hhpljhh", "ehhhhhe", "uhhuggg", "ehhhlid",
      "uhhukih", "fgge11u", "v444444", "hhhhhhe", "hhhhha4", "hhhllla", "hha4ahh", "hhha444", "v1248gv", "e88888e",
      "0g84210", "e22222e", "4ah0000", "000000v", "8420000", "00e1fhf", "ggmphhu", "00egghe", "11djhhf", "00ehvge",
      "698s888", "0fhhf1e", "ggmphhh", "40c444e", "20622ic", "ggikoki", "c44444e", "00qllhh", "00mphhh", "00ehhhe",
      "00uhugg", "00djf11", "00mpggg", "00ege1u", "88s8896", "00hhhjd", "00hhha4", "00hhlla", "00ha4ah", "00hhf1e",
      "00v248v", "2448442", "4444444", "8442448", "008l200"};
  for (const char c : text) {
    const auto index = size_t(u8(c) - ' ');
    const std::string_view glyph = k_glyphs[index < 95 ? index : size_t('?' - ' ')];
    for (i32 row = 0; row < i32(glyph.size()); ++row) {
      const char digit = glyph[size_t(row)];
      const u32 bits = u32(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
      for (i32 column = 0; column < 5; ++column)
        if (bits >> (4 - column) & 1)
          for (i32 j = 0; j < i32(scale); ++j)
            for (i32 i = 0; i < i32(scale); ++i)
              put_pixel(to, x + column * i32(scale) + i, y + row * i32(scale) + j, ink);
    }
    x += k_text_width * i32(scale);
  }
}

static constexpr u32 k_sheet_gap = 4;
static u32 row_height(const SheetOptions& o) { return o.cell_height + u32(k_text_height) + 2 + k_sheet_gap; }

Result<SheetSize> compute_sheet_size(size_t pictures, const SheetOptions& o) {
  const u32 width = o.cell_width + k_sheet_gap, height = row_height(o);
  const auto square = u32(std::ceil(std::sqrt(f64(pictures) * height / width)));
  const u32 columns = std::clamp(o.columns ? o.columns : square, 1u, u32(std::max<size_t>(pictures, 1)));
  const u64 rows = (pictures + columns - 1) / columns;
  const u64 whole_width = u64(columns) * width + k_sheet_gap, whole_height = rows * height + k_sheet_gap;
  if (whole_width > k_most_pixels_across || whole_height > k_most_pixels_across)
    return refuse("render.size", {},
                  {.message = "a sheet of " + std::to_string(pictures) + " pictures would have " +
                              std::to_string(whole_width) + " x " + std::to_string(whole_height) +
                              " pixels; the limit is " + std::to_string(k_most_pixels_across) + " on each side",
                   .hint = "choose smaller pictures"});
  return SheetSize{columns, u32(whole_width), u32(whole_height)};
}

Result<Image> make_contact_sheet(const std::vector<LabelledImage>& cells, const SheetOptions& given) {
  SheetOptions o = given;
  if (o.keeps_size) {
    o.cell_width = o.cell_height = 1;
    for (const LabelledImage& c : cells) {
      o.cell_width = std::max(o.cell_width, c.image.width);
      o.cell_height = std::max(o.cell_height, c.image.height);
    }
  }
  const auto size = compute_sheet_size(cells.size(), o);
  if (!size) return refuse(size.error());
  const u32 columns = size->columns, width = o.cell_width + k_sheet_gap, height = row_height(o), gap = k_sheet_gap;
  std::vector<std::string> labels = strip_common_label_parts(cells);
  Image out = make_filled_image(size->width, size->height, o.background);
  for (size_t i = 0; i < cells.size(); ++i) {
    const i64 x = i64(i % columns) * width + gap, y = i64(i / columns) * height + gap;
    const Image& image = cells[i].image;
    if (image.pixels.empty()) {
      for (i64 k = 0; k < std::min(o.cell_width, o.cell_height) / 4; ++k) {
        const i64 left = x + o.cell_width * 3 / 8 + k, top = y + o.cell_height * 3 / 8 + k;
        put_pixel(out, left, top, {170, 170, 170, 255});
        put_pixel(out, left, y + o.cell_height * 5 / 8 - k, {170, 170, 170, 255});
      }
    } else {
      const Image shown = o.keeps_size ? image : scale_to_fit(image, o.cell_width, o.cell_height);
      blend_image_at(out, x + (i64(o.cell_width) - shown.width) / 2, y + (i64(o.cell_height) - shown.height) / 2,
                     shown);
    }
    // The end of a long name says more than its start.
    const size_t room = o.cell_width / u32(k_text_width);
    std::string label = std::move(labels[i]);
    if (label.size() > room) label = ".." + label.substr(label.size() - (room > 2 ? room - 2 : 0));
    draw_text(out, i32(x + (i64(o.cell_width) - i64(label.size()) * k_text_width) / 2), i32(y + o.cell_height + 2),
              label, o.ink);
  }
  return out;
}

std::optional<Rgba> parse_color(std::string_view name) {
  if (name == "transparent") return Rgba{0, 0, 0, 0};
  if (name == "white") return Rgba{255, 255, 255, 255};
  if (name == "black") return Rgba{0, 0, 0, 255};
  if (name == "grey" || name == "gray") return Rgba{128, 128, 128, 255};
  if (!name.starts_with('#') || (name.size() != 7 && name.size() != 9)) return {};
  Rgba out{0, 0, 0, 255};
  for (size_t i = 0; i * 2 + 1 < name.size(); ++i) {
    const char* digits = name.data() + 1 + i * 2;
    const auto [end, error] = std::from_chars(digits, digits + 2, out[i], 16);
    if (error != std::errc() || end != digits + 2) return {};
  }
  return out;
}

Vec4 to_linear_light(const Rgba& c) {
  const auto light = [](u8 display) { return f32(srgb_to_light(display)) / 65535; };
  return {light(c[0]), light(c[1]), light(c[2]), f32(c[3]) / 255};
}

}  // namespace dio::raster
