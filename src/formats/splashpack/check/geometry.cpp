// geometry.cpp: rules about objects and their triangles.
#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "formats/splashpack/check/checks.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_geometry_rule_table[] = {
    {"splashpack.objects-few", warning, "the scene has at least two objects",
     "The April 2025 version of the engine uses objects 0 and 1 without checking that they exist.",
     "Add objects until the scene has two objects. The added objects may be small and out of sight.",
     "psxsplash, 441acbb to 8699ea7"},
    {"splashpack.pos-range", error, "the positions of objects fit in 16 bits",
     "The engine reads object positions as 16-bit numbers: for example, 40000 becomes -25536.",
     "Move the object closer to the origin, or choose a larger scaling and export the scene again.",
     "psxsplash at b5b0ae4; for current versions renderer.cpp, setupObjectTransform"},
    {"splashpack.vertex-clamp", warning, "no vertex coordinate is the largest or smallest possible 16-bit number",
     "The exporter clamps coordinates that do not fit in 16 bits. A clamped coordinate means that the scene is too "
     "large for its scaling, and that the outer parts of the scene are flattened.",
     "Export the scene again with a larger scaling.", "SplashEdit, PSXTrig"},
    {"splashpack.rot-matrix", warning,
     "the rows of an object's rotation matrix have a length of 1, and the matrix does not mirror the object",
     "The engine uses the rotation matrix unchanged. If the matrix scales or mirrors, the object is stretched or "
     "turned inside out.",
     "Apply scale and mirroring to the mesh before you export the scene.",
     "psxsplash, renderer.cpp; rows of real packs are 4,096 +-2 long"},
    {"splashpack.tri-degenerate", hint, "the triangles of objects have an area",
     "Triangles without an area are never visible, but the engine still spends time on them. Packs from the exporter "
     "contain some of these triangles.",
     "Merge vertices at the same position, and remove triangles without an area before the export.",
     "measured on real packs, which have 4 to 72 such triangles"},
    {"splashpack.tri-winding", warning, "the winding of a triangle matches its normal",
     "The engine culls back faces, so a triangle with the wrong winding is visible only from the wrong side.",
     "Flip the triangle (in Blender: Recalculate Outside), and export the scene again.",
     "psxsplash, renderer.cpp; measured on 21,292 real triangles, with 2 exceptions"},
    {"splashpack.tri-pad", warning, "unused fields of a triangle are 0",
     "The exporter writes zeros to the unused fields of triangles. In the flags of a triangle, only bit 0 is used, and "
     "only from v20 on.",
     "Set the unused fields of the triangle to 0 with {check FILE --fix -i}.", "measured on real packs"},
    {"splashpack.tri-large", warning, "the edges of triangles are at most 1,023 raw units long (1,023/4,096 = 0.25)",
     "The console does not draw polygons wider than 1,023 or higher than 511 pixels. Close to the camera (depth 120 or "
     "less), a triangle with an edge of more than 1,023 raw units can exceed this size in pixels and vanish.",
     "Split the triangle. {convert} splits large triangles automatically, unless {--subdivide none} is given.",
     "psx-spx, GPU"},
    {"splashpack.affine", hint, "the edges of textured triangles span at most 64 texels",
     "The console has no perspective correction, so textures warp on triangles seen at an angle. Smaller triangles "
     "warp less.",
     "Split the triangle with {convert --subdivide}, or use a smaller texture on the triangle.",
     "src/formats/splashpack/README.md#checks"},
    {"splashpack.color-bright", hint, "vertex colours of textured triangles are at most 204",
     "A vertex colour of 128 leaves a texel unchanged, and 255 doubles the brightness of the texel, which is rarely "
     "intended. The exporter limits vertex colours to 204.",
     "Lower the light of the scene, or brighten the texture instead.",
     "psx-spx; the largest value in real packs is 204"},
    {"splashpack.depth-range", warning, "the scene is no larger than the draw distance of the engine",
     "The engine does not draw triangles whose distance from the camera exceeds the range of its depth table.",
     "Export the scene again with a larger scaling, or split the scene.", "psxsplash, renderer.cpp"},
};

constexpr f64 k_most_pixels = 1023;
constexpr int k_most_texels_of_edge = 64;
constexpr u8 k_brightest = 204;
constexpr size_t k_many_clamped = 3;

/// The number of triangles of an object that break a rule: they become one finding.
struct Tally {
  size_t count = 0, first = 0;
  f64 most = 0;
  void record(size_t triangle, f64 value) {
    if (!count++) first = triangle;
    most = std::max(most, value);
  }
};

void check_triangle(Reporter& r, const Pack& p, const Triangle& t, size_t i, size_t k) {
  const auto cross = triangle_cross_product(t);
  const i64 along = cross[0] * t.normal.x.raw + cross[1] * t.normal.y.raw + cross[2] * t.normal.z.raw;
  if (cross == std::array<i64, 3>{}) {
    r.report("splashpack.tri-degenerate", triangle_path(i, k), {.message = "the triangle has no area"});
  } else if (along > 0 && u32(p.form) >= k_pages_in_triangles) {  // in older layouts, normals did not match the corners
    r.report("splashpack.tri-winding", triangle_path(i, k),
             {.message = "the triangle faces away from its normal", .hint = "swap two vertices of the triangle"});
  }
  for (size_t c = 0; c < 3; ++c)
    if (t.colors[c].unk_3)
      r.report("splashpack.tri-pad", triangle_path(i, k, text(".colors[", c, "].unk_3")),
               {.message = text("the unused byte is ", t.colors[c].unk_3, "; it should be 0")});
  if (t.unk_uvs)
    r.report("splashpack.tri-pad", triangle_path(i, k, ".unk_uvs"),
             {.message = text("the unused field is ", t.unk_uvs, "; it should be 0")});
  if (u32(p.form) >= k_pages_in_triangles && (is_old(p) ? t.flags : t.flags & ~1))
    r.report("splashpack.tri-pad", triangle_path(i, k, ".flags"),
             {.message = text("the flags are ", format_hex(t.flags), "; they should be ", is_old(p) ? "0" : "0 or 1")});
}

void check_rotation(Reporter& r, const Object& o, size_t i) {
  const auto& m = o.rotation;
  const auto at = [&](size_t n) { return f64(m[n].raw); };
  for (size_t row = 0; row < 3; ++row) {
    const f64 length = elementary::hypot(at(3 * row), at(3 * row + 1), at(3 * row + 2));
    if (std::abs(length - 4096) > 8)
      return r.report("splashpack.rot-matrix", object_path(i, ".rotation"),
                      {.message = text("row ", row, " of the matrix has a length of ",
                                       f32(std::round(length / 4.096) / 1000), "; it should be 1")});
  }
  const f64 det = at(0) * (at(4) * at(8) - at(5) * at(7)) - at(1) * (at(3) * at(8) - at(5) * at(6)) +
                  at(2) * (at(3) * at(7) - at(4) * at(6));
  if (det < 0)
    r.report("splashpack.rot-matrix", object_path(i, ".rotation"), {.message = "the matrix mirrors the object"});
}

void check_object(Reporter& r, const Pack& p, const Object& o, size_t i) {
  const auto fits = [](fx32 n) { return n.raw >= -32768 && n.raw <= 32767; };
  if (!(fits(o.position.x) && fits(o.position.y) && fits(o.position.z)))
    r.report("splashpack.pos-range", object_path(i, ".position"),
             {.message = text("the position ", o.position.x.raw, ", ", o.position.y.raw, ", ", o.position.z.raw,
                              " (raw) is out of range (-32768 to 32767)")});
  check_rotation(r, o, i);
  Tally large, bent, bright;
  size_t clamped = 0;
  for (size_t k = 0; k < o.triangles.size(); ++k) {
    const Triangle& t = o.triangles[k];
    check_triangle(r, p, t, i, k);
    f64 longest = 0;
    int texels = 0;
    u8 brightest = 0;
    for (size_t c = 0; c < 3; ++c) {
      const Vec16 &a = t.positions[c], &b = t.positions[(c + 1) % 3];
      longest =
          std::max(longest, elementary::hypot(f64(b.x.raw - a.x.raw), f64(b.y.raw - a.y.raw), f64(b.z.raw - a.z.raw)));
      texels =
          std::max({texels, std::abs(t.uvs[(c + 1) % 3].u - t.uvs[c].u), std::abs(t.uvs[(c + 1) % 3].v - t.uvs[c].v)});
      brightest = std::max({brightest, t.colors[c].red, t.colors[c].green, t.colors[c].blue});
      for (const fx16 n : {a.x, a.y, a.z}) clamped += n.raw == 32767 || n.raw <= -32767;
    }
    if (longest > k_most_pixels) large.record(k, longest);
    if (!texture_of(p, o, t)) continue;
    if (texels > k_most_texels_of_edge) bent.record(k, texels);
    if (brightest > k_brightest) bright.record(k, brightest);
  }
  const auto report_tally = [&](const Tally& n, std::string_view id, std::string_view what, std::string_view unit,
                                i64 limit) {
    if (n.count)
      r.report(id, triangle_path(i, n.first),
               {.message = text(format_count(n.count, "triangle"), " of the object ", n.count == 1 ? "has " : "have ",
                                what, " of up to ", i64(n.most), unit, " (limit: ", limit, ")")});
  };
  report_tally(large, "splashpack.tri-large", "edges", " raw units", i64(k_most_pixels));
  report_tally(bent, "splashpack.affine", "edges", " texels", k_most_texels_of_edge);
  report_tally(bright, "splashpack.color-bright", "vertex colours", "", k_brightest);
  if (clamped >= k_many_clamped)
    r.report("splashpack.vertex-clamp", object_path(i, ".triangles"),
             {.message =
                  text(clamped, " coordinates have the largest or smallest possible value, and were probably clamped"),
              .hint = "export with a larger scaling, which makes the scene smaller"});
}

void check_extent(Reporter& r, const Pack& p) {
  std::array<i64, 3> low, high;
  low.fill(INT64_MAX), high.fill(INT64_MIN);
  for_each_triangle(p, [&](const Object& o, const Triangle& t, size_t, size_t) {
    for (const Vec16& v : t.positions) {
      const auto at = transform_vertex(o, v);
      for (size_t a = 0; a < 3; ++a) low[a] = std::min(low[a], at[a]), high[a] = std::max(high[a], at[a]);
    }
  });
  if (low[0] > high[0]) return;
  const i64 size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  const i64 range = is_old(p) ? k_old_depth : k_new_depth;
  if (size > range)
    r.report("splashpack.depth-range", "objects",
             {.message = text("the scene is ", size, " raw units across, but the draw distance of the engine is only ",
                              range, " raw units")});
}

}  // namespace
const std::span<const Rule> k_geometry_rules = k_geometry_rule_table;

std::array<i64, 3> transform_vertex(const Object& o, const Vec16& v) {
  auto at = transform_vertex_exact(o, v);
  for (i64& n : at) n >>= 12;
  return at;
}

void check_geometry(Reporter& r, const Pack& p) {
  if (p.form == Layout::d && p.objects.size() < 2)
    r.report("splashpack.objects-few", "objects",
             {.message = text("the pack has ", format_count(p.objects.size(), "object"),
                              "; the engine uses the first two objects without checking that they exist")});
  for (size_t i = 0; i < p.objects.size(); ++i) check_object(r, p, p.objects[i], i);
  check_extent(r, p);
}

}  // namespace dio::splashpack
