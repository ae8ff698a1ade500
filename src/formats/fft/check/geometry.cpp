// geometry.cpp: the polygons of the nine meshes: their number, orientation and textures.
#include <cmath>

#include "core/elementary.hpp"
#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/light.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_geometry_rules[] = {
    {"fft.poly-count", error,
     "all nine meshes of a map together have at most 360 textured triangles, 710 textured quads, 64 untextured "
     "triangles and "
     "256 "
     "untextured quads",
     "The game's polygon arrays have a fixed size. If a map has too many polygons, the game writes past the ends of "
     "the arrays.",
     "Remove polygons with {edit FILE remove-polygons}.",
     "a decompilation of the game; measured on the game's 1,575 files; the map editor GaneshaDx"},
    {"fft.poly-count-high", warning,
     "all nine meshes of a map together have at most 350 textured triangles, 683 textured quads, 58 untextured "
     "triangles and "
     "241 "
     "untextured quads",
     "No map of the game exceeds these polygon counts. Whether larger maps run well is untested.",
     "Remove polygons from the map, or test the map in the game.", "measured on the game's 1,575 files"},
    {"fft.poly-count-slots", error,
     "the primary mesh has at most 512 textured triangles, 768 textured quads, 64 untextured triangles and 256 "
     "untextured quads",
     "The table of render properties has no slots for polygons beyond these limits.",
     "Remove polygons with {edit FILE remove-polygons}, or move some to an animated mesh.",
     "src/formats/fft/README.md#checks"},
    {"fft.polygon-shape", hint, "polygons have an area, and quads that are not part of a tile are flat",
     "A polygon without an area is never visible. The console draws a quad that is not flat as two triangles, with a "
     "fold from vertex B to vertex C.",
     "Remove polygons without an area. Make quads flat, or split them into triangles along the intended fold.",
     "diorama's own rule"},
    {"fft.winding", warning, "the normals of a lit polygon point to its visible side",
     "If the normals point the other way, the polygon is lit as if it faced backwards: dark in the sun and bright in "
     "the shade.",
     "Reverse the normals of the polygon, or the order of its vertices.",
     "a disassembly of the game; measured on its 1,575 files"},
    {"fft.normal-length", warning, "the normals of a lit polygon have a length of 1 (raw 4096)",
     "The game multiplies the light by the length of the normal, so a wrong length makes the polygon too bright or too "
     "dark. A polygon without a normal gets only ambient light.",
     "Give the normal a raw length of 4096, or turn off the lighting of the polygon with {edit FILE set-polygons "
     "lit=no}.",
     "src/formats/fft/README.md#light", Severities{error}},
    {"fft.clut-row", warning, "polygons use palettes 0 to 15, and the high byte of their CLUT word is 0x78",
     "VRAM holds other data after the 16 palettes of the map. The game sets the high byte itself; it is 0x78 in all "
     "73,888 polygons of the game.",
     "Choose a palette of the map with {edit FILE set-polygons palette=N}.", "a decompilation of the game"},
    {"fft.tpage", warning, "polygons use the texture of the map: image 3, 4 bits per texel",
     "The game passes the texture page word to the GPU unchanged. A polygon with another image number shows interface "
     "graphics, and a polygon with another texel depth shows wrong texels. In the game's files, 182 polygons have "
     "another image number, and 78 have page_y set.",
     "Set the `image` field of the polygon to 3, and choose a page with {edit FILE set-polygons page=N}.",
     "measured on the game's 1,575 files"},
    {"fft.uv-range", hint,
     "the texture coordinates of a polygon are at most 252 (u) and 249 (v), and are not collinear",
     "No polygon of the game has texture coordinates above 252 (u) or 249 (v), and texture animations do not change "
     "the last column of a page. A polygon with collinear texture coordinates shows streaks.",
     "Move the texture coordinates of the polygon into the allowed range. If they are collinear, spread them out.",
     "measured on the game's 1,575 files", Severities{warning}},
    {"fft.untex-record", hint, "the four unread bytes of an untextured polygon are 1, 0, 0, 0",
     "The game does not read these four bytes. In four of the game's files, the bytes look like leftover memory.",
     "No action is needed.", "a decompilation of the game; a Blender plug-in for FFT maps"},
};

constexpr u8 k_last_palette = 15, k_most_u = 252, k_most_v = 249;
constexpr f64 k_unit_length = 4096, k_far = k_unit_length / 8;  // of a normal's length
constexpr f64 k_flat = 1;  // units that the fourth vertex may be off the plane of the others

/// Twice the area of a triangle of texture coordinates.
i64 twice_uv_area(const Uv& a, const Uv& b, const Uv& c) {
  return std::abs(i64(b.u - a.u) * (c.v - a.v) - i64(b.v - a.v) * (c.u - a.u));
}
template <size_t N>
f64 quad_planarity_error(const std::array<Position, N>& p) {
  if constexpr (N == 4) {
    const auto n = unnormalized_face_normal(p);
    const f64 length = elementary::hypot(f64(n[0]), f64(n[1]), f64(n[2]));
    const f64 distance =
        f64(p[3].x - p[0].x) * f64(n[0]) + f64(p[3].y - p[0].y) * f64(n[1]) + f64(p[3].z - p[0].z) * f64(n[2]);
    return length > 0 ? std::abs(distance) / length : 0;
  } else
    return 0;
}

struct Tallies {
  Tally empty, bent, winding, no_normal, dark, length, palette, clut, image, page, far_uv, streak, unread;
};

/// The ground of sloped tiles may be bent.
void check_polygon_shape(Tallies& t, const auto& polygon, bool is_ground, auto path) {
  if (unnormalized_face_normal(polygon.positions) == std::array<i64, 3>{})
    t.empty.add([&] { return path(); }, [] { return "the polygon has no area: its vertices are collinear"; });
  else if (const f64 off = quad_planarity_error(polygon.positions); !is_ground && off > k_flat)
    t.bent.add([&] { return path(); },
               [&] {
                 return text("the quad is not flat: vertex D is ", std::round(off * 10) / 10,
                             " units off the plane of vertices A, B and C");
               });
}

/// `sure`: whether the polygon is known to be lit.
void check_normals(Tallies& t, const auto& polygon, bool sure, auto path) {
  std::array<i64, 3> sum{};
  for (size_t i = 0; i < polygon.normals.size(); ++i) {
    const Normal& n = polygon.normals[i];
    sum = {sum[0] + n.x.raw, sum[1] + n.y.raw, sum[2] + n.z.raw};
    const f64 length = elementary::hypot(f64(n.x.raw), f64(n.y.raw), f64(n.z.raw));
    const auto where = [&] { return path(".normals[", i, "]"); };
    if (length == 0)
      (sure ? t.no_normal : t.dark).add(where, [&] {
        return sure ? "the polygon is lit, but the normal is 0, 0, 0"
                    : "the normal is 0, 0, 0; if the polygon is lit, it gets only ambient light";
      });
    else if (std::abs(length - k_unit_length) > k_far)
      t.length.add(where, [&] {
        return text("the normal has a length of ", std::round(length / k_unit_length * 100) / 100,
                    "; the length must be 1");
      });
  }
  const auto face = unnormalized_face_normal(polygon.positions);
  if (sum[0] * face[0] + sum[1] * face[1] + sum[2] * face[2] < 0)
    t.winding.add([&] { return path(".normals"); }, [] { return "the normals of the polygon point to its back"; });
}

void check_polygon_texture(Tallies& t, const auto& p, auto path) {
  if (p.palette > k_last_palette)
    t.palette.add([&] { return path(".palette"); },
                  [&] { return text("palette is ", p.palette, "; it must be 0 to 15"); });
  if (p.clut_y != k_vram_palettes || p.clut_unk_15)
    t.clut.add([&] { return path(".clut_y"); },
               [&] {
                 return p.clut_y != k_vram_palettes ? text("CLUT row is ", p.clut_y, "; it must be ", k_vram_palettes)
                                                    : std::string("bit 15 of the CLUT word is 1; it must be 0");
               });
  if (p.image != k_map_image)
    t.image.add([&] { return path(".image"); },
                [&] { return text("image is ", p.image, "; it must be 3 (the texture of the map)"); });
  if (p.page_y || p.blend || p.color_depth || p.page_unk_9)
    t.page.add([&] { return path(".page_y"); },
               [&] {
                 std::string set;
                 const auto add = [&](std::string_view name, u8 value) {
                   if (value) set += text(set.empty() ? "" : ", ", name, " is ", value);
                 };
                 add("page_y", p.page_y);
                 add("blend", p.blend);
                 add("color_depth", p.color_depth);
                 add("page_unk_9", p.page_unk_9);
                 return set + (set.find(", ") == set.npos ? "; it must be 0" : "; they must be 0");
               });
  for (size_t i = 0; i < p.uvs.size(); ++i)
    if (p.uvs[i].u > k_most_u || p.uvs[i].v > k_most_v)
      t.far_uv.add([&] { return path(".uvs[", i, "]"); },
                   [&] {
                     return text("UV ", p.uvs[i].u, ", ", p.uvs[i].v, " is out of range (U 0 to ", k_most_u,
                                 ", V 0 to ", k_most_v, ")");
                   });
  i64 area = twice_uv_area(p.uvs[0], p.uvs[1], p.uvs[2]);
  if (p.uvs.size() == 4) area += twice_uv_area(p.uvs[1], p.uvs.back(), p.uvs[2]);
  if (area == 0)
    t.streak.add(
        [&] { return path(".uvs"); },
        [] { return "the texture coordinates of the polygon are collinear, so its texture shows as a streak"; });
}

void check_mesh(MeshCheck& c, const NamedMesh& m) {
  Tallies t;
  const bool has_words = m.is_primary && c.mesh.render_properties;
  const bool has_directions = !c.mesh.lights || !normals_are_colors(*c.mesh.lights);
  size_t triangles = 0, quads = 0;
  for_each_textured_polygon(m, [&](const auto& p, auto path) {
    constexpr bool is_quad = std::tuple_size_v<decltype(p.uvs)> == 4;
    const bool has_word = has_words && (is_quad ? quads++ < k_render_slots[1] : triangles++ < k_render_slots[0]);
    check_polygon_shape(t, p, !p.tile.is_none(), path);
    // Animated meshes have no render words: the game always lights them.
    if (has_directions && (!has_word || p.render.lit)) check_normals(t, p, has_word || !m.is_primary, path);
    check_polygon_texture(t, p, path);
  });
  for_each_untextured_polygon(m, [&](const auto& p, auto path) {
    check_polygon_shape(t, p, false, path);
    if (p.unread != std::array<u8, 4>{1, 0, 0, 0})
      t.unread.add([&] { return path(".unread"); },
                   [&] {
                     return "the four unread bytes of the polygon are " + encode_hex(p.unread) +
                            "; in the game's files they are 01000000";
                   });
  });
  t.empty.report(hint, c, "fft.polygon-shape");
  t.bent.report(hint, c, "fft.polygon-shape");
  t.winding.report(warning, c, "fft.winding",
                   "reverse the normals or the order of the vertices, so that vertices A, B, C run clockwise when seen "
                   "from the front");
  t.no_normal.report(error, c, "fft.normal-length");
  t.dark.report(warning, c, "fft.normal-length");
  t.length.report(warning, c, "fft.normal-length");
  t.palette.report(warning, c, "fft.clut-row");
  t.clut.report(warning, c, "fft.clut-row");
  t.image.report(warning, c, "fft.tpage");
  t.page.report(warning, c, "fft.tpage");
  t.far_uv.report(hint, c, "fft.uv-range");
  t.streak.report(warning, c, "fft.uv-range");
  t.unread.report(hint, c, "fft.untex-record");
}

void check_render_slot_counts(MeshCheck& c) {
  if (!c.mesh.primary) return;
  for_each_polygon_kind([&](std::string_view name, auto kind, size_t, size_t slots, size_t) {
    if (const size_t n = ((*c.mesh.primary).*kind).size(); n > slots)
      c.report("fft.poly-count-slots", text("primary.", name),
               {.message = text("the primary mesh has ", n, " ", polygon_kind_words(name),
                                ", but the table of render properties has only ", slots, " slots for them")});
  });
}

void check_geometry(MeshCheck& c) {
  const auto meshes = list_present_meshes(c.mesh);
  check_polygon_counts(c, meshes);
  check_render_slot_counts(c);
  for (const NamedMesh& m : meshes) check_mesh(c, m);
}

}  // namespace

void check_polygon_counts(Reporter& r, std::span<const NamedMesh> meshes) {
  for_each_polygon_kind([&](std::string_view name, auto kind, size_t room, size_t, size_t high) {
    u64 sum = 0;
    const NamedMesh* last = nullptr;  // the mesh that exceeds the limit
    for (const NamedMesh& m : meshes)
      if (const size_t n = (m.geometry->*kind).size()) sum += n, last = &m;
    if (sum <= high) return;
    r.report(sum > room ? error : warning, sum > room ? "fft.poly-count" : "fft.poly-count-high",
             text(last->name, ".", name),
             {.message = text("all meshes together have ", sum, " ", polygon_kind_words(name), "; ",
                              sum > room ? text("the game has room for ", room)
                                         : text("no map of the game has more than ", high))});
  });
}

constinit const Topic k_geometry_checks{k_geometry_rules, check_geometry};

}  // namespace dio::fft
