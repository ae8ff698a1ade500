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
    refuse_argument(a, text("of=", of, " is unknown; must be palettes, gray_palettes or palette_frames"));
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
    return refuse_edit("canvas=..., size=... and frames=... are for texels, palette=... and first=... for palettes",
                       "give those of one kind");
  const auto what = decode_texture_motion(now).what;
  if (is_texels && what == TextureMotionKind::TextureMotionTarget::palette)
    return refuse_edit(text("row ", row, " moves a palette, which has no canvas, size or frames"),
                       "give palette=... and first=..., or a mode=... of texels");
  if (is_palette && what == TextureMotionKind::TextureMotionTarget::texels)
    return refuse_edit(text("row ", row, " moves texels, not a palette"),
                       "give canvas=..., size=... and frames=..., or a mode=... of palettes");
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

/// An edit that is refused leaves the document unchanged.
template <Change change>
Done apply_mesh_edit(AnyDocument& d, std::span<const Argument> arguments) {
  Mesh now = value_of<Mesh>(d);
  Done done = change(now, Arguments(arguments));
  if (done) edit_of<Mesh>(d) = std::move(now);
  return done;
}

}  // namespace

std::span<const Edit> mesh_edits() {
  static constexpr Edit k_edits[] = {
      {"set-tiles",
       "x=FROM..TO z=FROM..TO [level=0|1] [height=N] [depth=N] [slope=NAME|N] [slope-height=N] [surface=NAME|N] "
       "[shading=0..3] [thickness=N] [absent=yes|no] [untargetable=yes|no] [pass-only=yes|no] [cameras=NAME+NAME|N] "
       "[floor=follow] [walls=follow]",
       "changes a rectangle of tiles, counted from the south-west; with floor=follow, vertices at the corners of these "
       "tiles move with the ground or the liquid, if their polygon is bound to the tile, and flat polygons get new "
       "normals; with walls=follow, so do the edges of upright polygons along the borders of the tiles",
       apply_mesh_edit<set_tiles>},
      {"raise-tiles", "x=FROM..TO z=FROM..TO by=STEPS [level=0|1] [floor=follow] [walls=follow]",
       "raises a rectangle of tiles, or lowers it (by=-1); a step is 12 units", apply_mesh_edit<raise_tiles>},
      {"resize-terrain", "x=N z=N",
       "changes the size of the terrain, up to 256 tiles: tiles keep their position, new ones are absent",
       apply_mesh_edit<resize_terrain>},
      {"move-polygons", "of=KIND[FROM..TO] | x=FROM..TO z=FROM..TO [level=0|1], by=X,Y,Z [tiles=follow]",
       "moves polygons, or those bound to tiles, by a number of units (Y points down); with tiles=follow they are "
       "bound "
       "to the tiles at their new position",
       apply_mesh_edit<move_polygons>},
      {"copy-polygons", "of=KIND[FROM..TO] | x=FROM..TO z=FROM..TO [level=0|1], by=X,Y,Z [tiles=follow] [force=yes]",
       "adds copies of polygons after the others of their kind; force=yes also beyond the limits of the game",
       apply_mesh_edit<copy_polygons>},
      {"remove-polygons", "of=KIND[FROM..TO] | x=FROM..TO z=FROM..TO [level=0|1]",
       "removes polygons; later ones move up, with their render properties and tiles",
       apply_mesh_edit<remove_polygons>},
      {"set-polygons",
       "of=KIND[FROM..TO] | x=FROM..TO z=FROM..TO [level=0|1], [palette=N] [page=N] [tile=X,Z[,LEVEL]|none] "
       "[lit=yes|no] [hidden-from=NAME+NAME|N]",
       "changes how polygons are drawn and which tile they are bound to", apply_mesh_edit<set_polygons>},
      {"move-uvs", "of=KIND[FROM..TO] | x=FROM..TO z=FROM..TO [level=0|1], by=U,V",
       "moves the texture coordinates of polygons by a number of texels, within their page", apply_mesh_edit<move_uvs>},
      {"set-normals", "of=KIND[FROM..TO] | x=FROM..TO z=FROM..TO [level=0|1], shape=flat|smooth | normal=X,Y,Z",
       "gives polygons the normals of their faces; smooth ones, means of all faces among them that meet at a position; "
       "or "
       "one direction (Y points down)",
       apply_mesh_edit<set_normals>},
      {"set-light", "[light=1..3 [color=R,G,B] [direction=X,Y,Z]] [ambient=R,G,B] [top=R,G,B] [bottom=R,G,B]",
       "changes a light (color: 1 is full light; direction: towards the light, Y points down), the ambient light, or "
       "the top and bottom of the background (0 to 255)",
       apply_mesh_edit<set_light>},
      {"set-palette",
       "row=FROM..TO index=FROM..TO color=R,G,B|#RRGGBB|clear [stp=0|1] [of=palettes|gray_palettes|palette_frames]",
       "changes colours of palettes: R, G and B are 0 to 31; clear is transparent", apply_mesh_edit<set_palette>},
      {"set-animation",
       "row=N [mode=NAME|N] [canvas=PAGE,U,V] [size=WIDTH,HEIGHT] [frames=PAGE,U,V] [palette=N] [first=N] [count=N] "
       "[duration=TICKS]",
       "changes a row of the texture animation: for texels the canvas, its size and the first frame; for palettes the "
       "palette and its first frame",
       apply_mesh_edit<set_animation>},
  };
  return k_edits;
}

}  // namespace dio::fft
