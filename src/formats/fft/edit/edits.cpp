// edits.cpp: named edits of mesh files: `dio edit MAP001.8 raise-tiles x=0..3 z=2 by=1 floor=follow -o
// NEW`.
#include "formats/fft/edit/edits.hpp"

#include <cmath>

#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/parts.hpp"
#include "formats/fft/pictures/texels.hpp"
#include "formats/fft/scene/texture_animation_player.hpp"
#include "layout/write_value.hpp"

namespace dio::fft {

namespace {

// ---- lights ----

/// Three numbers with 12 fractional bits.
void set_fixed_vector(Arguments& a, std::string_view name, std::array<fx16*, 3> to) {
  const auto numbers = a.list(name, 3, -8, 32767.0 / 4096);
  for (size_t i = 0; i < numbers.size(); ++i) to[i]->raw = i16(std::lround(numbers[i] * 4096));
}
void set_rgb(Arguments& a, std::string_view name, Rgb8& to) {
  if (!a.has(name)) return;
  const auto numbers = a.list(name, 3, 0, 255);
  if (numbers.empty()) return;
  for (const f64 n : numbers)
    if (std::trunc(n) != n) return refuse_argument(a, text(name, "=", a.text(name), " is not three whole numbers"));
  to = {u8(numbers[0]), u8(numbers[1]), u8(numbers[2])};
}

}  // namespace

Done set_light(Mesh& file, Arguments a) {
  if (!file.lights) return refuse_missing_part("lights");
  Lights& now = *file.lights;
  std::string done;
  if (a.has("light") || a.has("color") || a.has("direction")) {
    const size_t i = size_t(a.whole("light", 1, 3)) - 1;
    if (a.problem) return refuse_edit(a);
    if (a.has("color")) set_fixed_vector(a, "color", {&now.red[i], &now.green[i], &now.blue[i]});
    Normal& to = now.directions[i];
    if (a.has("direction")) set_fixed_vector(a, "direction", {&to.x, &to.y, &to.z});
    if (!a.has("color") && !a.has("direction")) refuse_argument(a, "light=... needs color=... or direction=...");
    done = text("light ", i + 1, ": color ", now.red[i].value(), ", ", now.green[i].value(), ", ", now.blue[i].value(),
                ", direction ", to.x.value(), ", ", to.y.value(), ", ", to.z.value());
  }
  for (const auto& [name, color] :
       {std::pair{"ambient", &now.ambient}, std::pair{"top", &now.top}, std::pair{"bottom", &now.bottom}}) {
    if (!a.has(name)) continue;
    set_rgb(a, name, *color);
    done += text(done.empty() ? "" : "; ", name, " ", color->red, ", ", color->green, ", ", color->blue);
  }
  if (!a.done()) return refuse_edit(a);
  if (done.empty())
    return refuse_edit("nothing to set",
                       "give light=... with color=... or direction=..., or ambient=..., top=... or bottom=...");
  return done;
}

// ---- palettes ----

namespace {

/// `31,0,16`: red, green, blue, 0 to 31 each; `#ff8800`; `clear` (transparent).
std::optional<Color> parse_color(std::string_view typed) {
  if (typed == "clear") return Color{};
  if (typed.starts_with('#') && typed.size() == 7) {
    const auto n = parse_whole_number("0x" + std::string(typed.substr(1)));
    if (!n || *n < 0) return {};
    return color_of({u8(*n >> 16), u8(*n >> 8), u8(*n), 255}, 0);
  }
  const auto parts = split(typed, ',');
  if (parts.size() != 3) return {};
  std::array<u8, 3> five{};
  for (size_t i = 0; i < 3; ++i) {
    const auto n = parse_whole_number(parts[i]);
    if (!n || *n < 0 || *n > 31) return {};
    five[i] = u8(*n);
  }
  return Color{0, five[2], five[1], five[0]};
}

}  // namespace

Done set_palette(Mesh& file, Arguments a) {
  std::optional<Palettes>* which = &file.palettes;
  const std::string_view of = a.has("of") ? a.text("of") : "palettes";
  if (of == "palette_frames")
    which = &file.palette_frames;
  else if (of == "gray_palettes")
    which = &file.gray_palettes;
  else if (of != "palettes")
    refuse_argument(a, text("of=", of, " is unknown; use palettes, gray_palettes or palette_frames"));
  const auto rows = a.integer_range("row", 0, 15), indices = a.integer_range("index", 0, 15);
  std::optional<i64> stp;
  if (a.has("stp")) stp = a.whole("stp", 0, 1);
  const std::string_view typed = a.text("color");
  const auto color = parse_color(typed);
  if (!color) refuse_argument(a, text("color=", typed, " is not R,G,B (0 to 31 each), #RRGGBB or clear"));
  if (!a.done()) return refuse_edit(a);
  if (!*which) return refuse_missing_part(of);
  if (typed == "clear" && stp == 1)
    return refuse_edit("color=clear cannot be combined with stp=1: only 0x0000 is transparent");
  for (i64 row = rows.from; row <= rows.to; ++row)
    for (i64 i = indices.from; i <= indices.to; ++i) {
      Color& c = (*which)->rows[size_t(row)][size_t(i)];
      const u8 kept = typed == "clear" ? u8(0) : stp ? u8(*stp) : c.stp;
      c = *color;
      c.stp = kept;
      if (c.is_clear() && typed != "clear")
        return refuse_edit("color=0,0,0 with stp=0 would be transparent",
                           "use stp=1, a dark colour such as 1,1,1, or color=clear");
    }
  return text(format_count(u64((rows.to - rows.from + 1) * (indices.to - indices.from + 1)), "colour"), " of ", of,
              " set");
}

// ---- texture animation ----

namespace {

/// `PAGE,U,V` as coordinates of video memory.
void set_vram_position(Arguments& a, std::string_view name, i16& x, i16& y) {
  if (!a.has(name)) return;
  const auto n = a.list(name, 3, 0, 255);
  if (n.empty()) return;
  if (std::trunc(n[0]) != n[0] || n[0] >= k_pages || std::trunc(n[1] / 4) != n[1] / 4 || std::trunc(n[2]) != n[2])
    return refuse_argument(
        a, text(name, "=", a.text(name), " is not PAGE,U,V: PAGE is 0 to 3, U a multiple of 4 up to 252, V 0 to 255"));
  x = i16(k_vram_pages + 64 * n[0] + n[1] / 4);
  y = i16(n[2]);
}

}  // namespace

Done set_animation(Mesh& file, Arguments a) {
  if (!file.texture_animations) return refuse_missing_part("texture animations");
  auto& rows = file.texture_animations->rows;
  const size_t row = size_t(a.whole("row", 0, i64(rows.size()) - 1));
  if (a.problem) return refuse_edit(a);
  TextureAnimation now = rows[row];
  if (a.has("mode")) now.mode = u8(a.word("mode", k_texture_modes, 255));
  const bool is_texels = a.has("canvas") || a.has("size") || a.has("frames"),
             is_palette = a.has("palette") || a.has("first");
  if (is_texels && is_palette)
    return refuse_edit("canvas=..., size=... and frames=... are for texels; palette=... and first=... are for palettes",
                       "give arguments of only one kind");
  const auto what = decode_texture_motion(now).what;
  if (is_texels && what == TextureMotionKind::TextureMotionTarget::palette)
    return refuse_edit(text("row ", row, " animates a palette, which has no canvas, size or frames"),
                       "give palette=... and first=..., or choose a texel mode with mode=...");
  if (is_palette && what == TextureMotionKind::TextureMotionTarget::texels)
    return refuse_edit(text("row ", row, " animates texels, not a palette"),
                       "give canvas=..., size=... and frames=..., or choose a palette mode with mode=...");
  set_vram_position(a, "canvas", now.canvas_x, now.canvas_y);
  set_vram_position(a, "frames", now.frame_x, now.frame_y);
  if (a.has("size")) {
    const auto n = a.list("size", 2, 1, 256);
    if (!n.empty() && (std::trunc(n[0] / 4) != n[0] / 4 || std::trunc(n[1]) != n[1]))
      refuse_argument(a, text("size=", a.text("size"),
                              " is not WIDTH,HEIGHT in texels: WIDTH is a multiple of 4 up to 256, HEIGHT 1 to 256"));
    else if (!n.empty())
      now.width = i16(n[0] / 4), now.height = i16(n[1]);
  }
  if (a.has("palette")) now.canvas_x = i16(16 * a.whole("palette", 0, 15)), now.canvas_y = i16(k_vram_palettes);
  if (a.has("first")) now.frame_x = i16(a.whole("first", 0, 15));
  if (a.has("count")) now.frame_count = u8(a.whole("count", 0, 255));
  if (a.has("duration")) now.duration = u8(a.whole("duration", 0, 255));
  if (!a.done()) return refuse_edit(a);
  if (now == rows[row]) return text("row ", row, " is unchanged");
  rows[row] = now;
  const std::string mode = format_vocabulary_words(k_texture_modes, now.mode);
  return text("row ", row, ": ", mode.empty() ? text("mode ", now.mode) : mode, ", ",
              format_count(now.frame_count, "frame"), " of ", format_count(now.duration, "tick"));
}

// ---- the list ----

namespace {

/// A rejected edit leaves the document unchanged.
template <Change change>
Done apply_mesh_edit(AnyDocument& d, std::span<const Argument> arguments) {
  Mesh now = value_of<Mesh>(d);
  Done done = change(now, Arguments(arguments));
  if (done) edit_of<Mesh>(d) = std::move(now);
  return done;
}

constexpr Parameter k_set_tiles_parameters[] = {required("x", "FROM..TO", ParameterKind::range),
                                                required("z", "FROM..TO", ParameterKind::range),
                                                optional_one_of("level", {"0", "1"}),
                                                optional("height", "N", ParameterKind::integer),
                                                optional("depth", "N", ParameterKind::integer),
                                                optional("slope", "NAME|N", ParameterKind::text),
                                                optional("slope-height", "N", ParameterKind::integer),
                                                optional("surface", "NAME|N", ParameterKind::text),
                                                optional("shading", "0..3", ParameterKind::integer),
                                                optional("thickness", "N", ParameterKind::integer),
                                                optional_one_of("absent", {"yes", "no"}),
                                                optional_one_of("untargetable", {"yes", "no"}),
                                                optional_one_of("pass-only", {"yes", "no"}),
                                                optional("cameras", "NAME+NAME|N", ParameterKind::text),
                                                optional_one_of("floor", {"follow"}),
                                                optional_one_of("walls", {"follow"})};
constexpr Parameter k_raise_tiles_parameters[] = {required("x", "FROM..TO", ParameterKind::range),
                                                  required("z", "FROM..TO", ParameterKind::range),
                                                  required("by", "STEPS", ParameterKind::number),
                                                  optional_one_of("level", {"0", "1"}),
                                                  optional_one_of("floor", {"follow"}),
                                                  optional_one_of("walls", {"follow"})};
constexpr Parameter k_resize_terrain_parameters[] = {required("x", "N", ParameterKind::integer),
                                                     required("z", "N", ParameterKind::integer)};
constexpr Parameter k_move_polygons_parameters[] = {required("of", "KIND[FROM..TO]", ParameterKind::element).either(1),
                                                    required("x", "FROM..TO", ParameterKind::range).either(2),
                                                    required("z", "FROM..TO", ParameterKind::range).either(2),
                                                    optional_one_of("level", {"0", "1"}).either(2),
                                                    required("by", "X,Y,Z", ParameterKind::vector),
                                                    optional_one_of("tiles", {"follow"})};
constexpr Parameter k_copy_polygons_parameters[] = {required("of", "KIND[FROM..TO]", ParameterKind::element).either(1),
                                                    required("x", "FROM..TO", ParameterKind::range).either(2),
                                                    required("z", "FROM..TO", ParameterKind::range).either(2),
                                                    optional_one_of("level", {"0", "1"}).either(2),
                                                    required("by", "X,Y,Z", ParameterKind::vector),
                                                    optional_one_of("tiles", {"follow"}),
                                                    optional_one_of("force", {"yes"})};
constexpr Parameter k_remove_polygons_parameters[] = {
    required("of", "KIND[FROM..TO]", ParameterKind::element).either(1),
    required("x", "FROM..TO", ParameterKind::range).either(2),
    required("z", "FROM..TO", ParameterKind::range).either(2), optional_one_of("level", {"0", "1"}).either(2)};
constexpr Parameter k_set_polygons_parameters[] = {required("of", "KIND[FROM..TO]", ParameterKind::element).either(1),
                                                   required("x", "FROM..TO", ParameterKind::range).either(2),
                                                   required("z", "FROM..TO", ParameterKind::range).either(2),
                                                   optional_one_of("level", {"0", "1"}).either(2),
                                                   optional("palette", "N", ParameterKind::integer),
                                                   optional("page", "N", ParameterKind::integer),
                                                   optional("tile", "X,Z[,LEVEL]|none", ParameterKind::text),
                                                   optional_one_of("lit", {"yes", "no"}),
                                                   optional("hidden-from", "NAME+NAME|N", ParameterKind::text)};
constexpr Parameter k_move_uvs_parameters[] = {required("of", "KIND[FROM..TO]", ParameterKind::element).either(1),
                                               required("x", "FROM..TO", ParameterKind::range).either(2),
                                               required("z", "FROM..TO", ParameterKind::range).either(2),
                                               optional_one_of("level", {"0", "1"}).either(2),
                                               required("by", "U,V", ParameterKind::vector)};
constexpr Parameter k_set_normals_parameters[] = {required("of", "KIND[FROM..TO]", ParameterKind::element).either(1),
                                                  required("x", "FROM..TO", ParameterKind::range).either(2),
                                                  required("z", "FROM..TO", ParameterKind::range).either(2),
                                                  optional_one_of("level", {"0", "1"}).either(2),
                                                  one_of("shape", {"flat", "smooth"}).either(3),
                                                  required("normal", "X,Y,Z", ParameterKind::vector).either(4)};
constexpr Parameter k_set_light_parameters[] = {
    optional("light", "1..3", ParameterKind::integer),     optional("color", "R,G,B", ParameterKind::color),
    optional("direction", "X,Y,Z", ParameterKind::vector), optional("ambient", "R,G,B", ParameterKind::color),
    optional("top", "R,G,B", ParameterKind::color),        optional("bottom", "R,G,B", ParameterKind::color)};
constexpr Parameter k_set_palette_parameters[] = {
    required("row", "FROM..TO", ParameterKind::range), required("index", "FROM..TO", ParameterKind::range),
    required("color", "R,G,B|#RRGGBB|clear", ParameterKind::color), optional_one_of("stp", {"0", "1"}),
    optional_one_of("of", {"palettes", "gray_palettes", "palette_frames"})};
constexpr Parameter k_set_animation_parameters[] = {
    required("row", "N", ParameterKind::integer),          optional("mode", "NAME|N", ParameterKind::text),
    optional("canvas", "PAGE,U,V", ParameterKind::vector), optional("size", "WIDTH,HEIGHT", ParameterKind::vector),
    optional("frames", "PAGE,U,V", ParameterKind::vector), optional("palette", "N", ParameterKind::integer),
    optional("first", "N", ParameterKind::integer),        optional("count", "N", ParameterKind::integer),
    optional("duration", "TICKS", ParameterKind::integer)};

}  // namespace

std::span<const Edit> mesh_edits() {
  static constexpr Edit k_edits[] = {
      {"set-tiles", k_set_tiles_parameters,
       "changes a rectangle of tiles (X and Z count from the south-west corner); floor=follow moves the corners of "
       "bound polygons with the ground or liquid and updates the normals of flat polygons; walls=follow also moves "
       "upright polygons along the tile borders",
       apply_mesh_edit<set_tiles>},
      {"raise-tiles", k_raise_tiles_parameters,
       "raises a rectangle of tiles by steps of 12 units, or lowers it (by=-1)", apply_mesh_edit<raise_tiles>},
      {"resize-terrain", k_resize_terrain_parameters,
       "resizes the terrain to at most 256 tiles; tiles keep their positions, and new tiles are absent",
       apply_mesh_edit<resize_terrain>},
      {"move-polygons", k_move_polygons_parameters,
       "moves polygons, selected by name or by tile, by a number of units (Y points down); tiles=follow binds them to "
       "the tiles at their new position",
       apply_mesh_edit<move_polygons>},
      {"copy-polygons", k_copy_polygons_parameters,
       "copies polygons and adds the copies after the others of their kind; force=yes ignores the limits of the game",
       apply_mesh_edit<copy_polygons>},
      {"remove-polygons", k_remove_polygons_parameters,
       "removes polygons; later polygons are renumbered and keep their render properties and tiles",
       apply_mesh_edit<remove_polygons>},
      {"set-polygons", k_set_polygons_parameters, "changes how polygons are drawn and to which tile they are bound",
       apply_mesh_edit<set_polygons>},
      {"move-uvs", k_move_uvs_parameters,
       "moves the texture coordinates of polygons by a number of texels, within their page", apply_mesh_edit<move_uvs>},
      {"set-normals", k_set_normals_parameters,
       "sets the normals of polygons: shape=flat uses face normals, shape=smooth averages the selected faces that meet "
       "at each position, and normal=X,Y,Z sets one direction (Y points down)",
       apply_mesh_edit<set_normals>},
      {"set-light", k_set_light_parameters,
       "changes a light (color 1 is full light; direction points towards the light, Y down), the ambient light, or the "
       "top and bottom colours of the background (0 to 255)",
       apply_mesh_edit<set_light>},
      {"set-palette", k_set_palette_parameters, "changes palette colours; R, G and B are 0 to 31, clear is transparent",
       apply_mesh_edit<set_palette>},
      {"set-animation", k_set_animation_parameters,
       "changes a texture animation row: canvas, size and first frame for texels; palette and first frame for palettes",
       apply_mesh_edit<set_animation>},
  };
  return k_edits;
}

}  // namespace dio::fft
