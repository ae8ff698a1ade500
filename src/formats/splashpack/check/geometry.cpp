// Rules of objects and their triangles.
#include <algorithm>
#include <cmath>

#include "formats/splashpack/check/checks.hpp"
#include "formats/splashpack/scene/derived.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_geometry_rule_table[] = {
    {"splashpack.objects-few", warning, "there are two objects or more",
     "The engine of April 2025 hands objects 0 and 1 to a callback, whether they are there or not.",
     "specification 6, objects-few: engine 441acbb to 8699ea7"},
    {"splashpack.pos-range", error, "places of objects fit into 16 bits",
     "The engines send them through registers of the GTE that have no more: 40000 becomes -25536.",
     "specification 6, pos-range: engine b5b0ae4; today's, renderer.cpp, setupObjectTransform"},
    {"splashpack.vertex-clamp", warning, "corners do not lie at the end of the range",
     "The exporter puts what does not fit there: the scene is too large for its scaling, and is flattened at its rim.",
     "specification 6, vertex-clamp: writer, PSXTrig"},
    {"splashpack.rot-matrix", warning, "rows of a rotation have length 1, and it does not mirror",
     "The engine multiplies by it as it is: the object is stretched, or shows its inside.",
     "specification 6, rot-matrix: engine, renderer.cpp; rows of real files are 4,096 +-2"},
    {"splashpack.tri-degenerate", hint, "triangles have an area",
     "Those without are never seen, but take their time. Files of the exporter have some.",
     "specification 6, tri-degenerate: real files have 4 to 72"},
    {"splashpack.tri-winding", warning,
     "the corners of a triangle go round so that its front is where its normal points",
     "The engine leaves out what it sees from behind: this one is seen from the wrong side.",
     "specification 6, tri-winding: engine, renderer.cpp; 21,292 real triangles with 2 exceptions"},
    {"splashpack.tri-pad", warning, "unused fields of a triangle are 0",
     "The exporter writes zeros. Of the flags, v20 and later use bit 0.", "specification 6, tri-pad: real files"},
    {"splashpack.tri-large", warning, "edges are at most 1,023 long (0.25)",
     "The console does not draw a polygon that is wider than 1,023 or higher than 511 pixels. With its eye at a depth "
     "of "
     "120 an edge has as many pixels as it is long; from there on a longer one may make its triangle vanish.",
     "specification 6, tri-large: psx-spx, GPU"},
    {"splashpack.affine", hint, "triangles that are large have few texels",
     "The console does not correct for perspective: texels bend along a triangle that is seen at an angle. Smaller "
     "triangles bend less; `dio convert` can divide them (subdivide).",
     "specification 6, affine, and 4"},
    {"splashpack.color-bright", hint, "vertex colours of textured triangles are at most 204",
     "128 leaves a texel as it is, 255 doubles it; white is seldom meant. The exporter stops at 204.",
     "specification 6, color-bright: psx-spx; the largest byte in real files is 204"},
    {"splashpack.depth-range", warning, "the scene is not larger than the engine draws far",
     "Triangles further away than its table of depths is long are left out.",
     "specification 6, depth-range: engine, renderer.cpp"},
};

constexpr f64 k_most_pixels = 1023;
constexpr int k_most_texels_of_edge = 64;
constexpr u8 k_brightest = 204;
constexpr size_t k_many_clamped = 3;

/// How many triangles of an object break a rule: they are said once.
struct Tally {
  size_t count = 0, first = 0;
  f64 most = 0;
  void see(size_t triangle, f64 value) {
    if (!count++) first = triangle;
    most = std::max(most, value);
  }
};

void check_triangle(Reporter& r, const Pack& p, const Triangle& t, size_t i, size_t k) {
  const auto cross = cross_of(t);
  const i64 along = cross[0] * t.normal.x.raw + cross[1] * t.normal.y.raw + cross[2] * t.normal.z.raw;
  if (cross == std::array<i64, 3>{}) {
    r.report("splashpack.tri-degenerate", triangle_path(i, k), {.expected = "some", .found = "no area"});
  } else if (along > 0 && u32(p.form) >= k_pages_in_triangles) {  // before that, normals were not those of the corners
    r.report("splashpack.tri-winding", triangle_path(i, k),
             {.expected = "two corners the other way round", .found = "the front is where the normal does not point"});
  }
  for (size_t c = 0; c < 3; ++c)
    if (t.colors[c].unk_3)
      r.report("splashpack.tri-pad", triangle_path(i, k, text(".colors[", c, "].unk_3")),
               {.expected = "0", .found = text(t.colors[c].unk_3)});
  if (t.unk_uvs)
    r.report("splashpack.tri-pad", triangle_path(i, k, ".unk_uvs"), {.expected = "0", .found = text(t.unk_uvs)});
  if (u32(p.form) >= k_pages_in_triangles && (is_old(p) ? t.flags : t.flags & ~1))
    r.report("splashpack.tri-pad", triangle_path(i, k, ".flags"),
             {.expected = is_old(p) ? "0" : "0 or 1", .found = hex_number(t.flags)});
}

void check_rotation(Reporter& r, const Object& o, size_t i) {
  const auto& m = o.rotation;
  const auto at = [&](size_t n) { return f64(m[n].raw); };
  for (size_t row = 0; row < 3; ++row) {
    const f64 length = std::hypot(at(3 * row), at(3 * row + 1), at(3 * row + 2));
    if (std::abs(length - 4096) > 8)
      return r.report(
          "splashpack.rot-matrix", object_path(i, ".rotation"),
          {.expected = "1", .found = text("row ", row, " has length ", f32(std::round(length / 4.096) / 1000))});
  }
  const f64 det = at(0) * (at(4) * at(8) - at(5) * at(7)) - at(1) * (at(3) * at(8) - at(5) * at(6)) +
                  at(2) * (at(3) * at(7) - at(4) * at(6));
  if (det < 0)
    r.report("splashpack.rot-matrix", object_path(i, ".rotation"), {.expected = "a rotation", .found = "it mirrors"});
}

void check_object(Reporter& r, const Pack& p, const Object& o, size_t i) {
  const auto fits = [](fx32 n) { return n.raw >= -32768 && n.raw <= 32767; };
  if (!(fits(o.position.x) && fits(o.position.y) && fits(o.position.z)))
    r.report("splashpack.pos-range", object_path(i, ".position"),
             {.expected = "-32768 to 32767",
              .found = text(o.position.x.raw, ", ", o.position.y.raw, ", ", o.position.z.raw, " raw")});
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
      longest = std::max(longest, std::hypot(f64(b.x.raw - a.x.raw), f64(b.y.raw - a.y.raw), f64(b.z.raw - a.z.raw)));
      texels =
          std::max({texels, std::abs(t.uvs[(c + 1) % 3].u - t.uvs[c].u), std::abs(t.uvs[(c + 1) % 3].v - t.uvs[c].v)});
      brightest = std::max({brightest, t.colors[c].red, t.colors[c].green, t.colors[c].blue});
      for (const fx16 n : {a.x, a.y, a.z}) clamped += n.raw == 32767 || n.raw <= -32767;
    }
    if (longest > k_most_pixels) large.see(k, longest);
    if (!texture_of(p, o, t)) continue;
    if (texels > k_most_texels_of_edge) bent.see(k, texels);
    if (brightest > k_brightest) bright.see(k, brightest);
  }
  const auto say = [&](const Tally& n, std::string_view id, std::string_view what, std::string expected) {
    if (n.count)
      r.report(
          id, triangle_path(i, n.first),
          {.expected = std::move(expected),
           .found = text(n.count, n.count == 1 ? " triangle of the object with " : " triangles of the object with ",
                         what, " up to ", i64(n.most))});
  };
  say(large, "splashpack.tri-large", "edges", "1023");
  say(bent, "splashpack.affine", "texels along an edge", text(k_most_texels_of_edge));
  say(bright, "splashpack.color-bright", "colours", text(k_brightest));
  if (clamped >= k_many_clamped)
    r.report("splashpack.vertex-clamp", object_path(i, ".triangles"),
             {.expected = "none",
              .found = text(clamped, " coordinates at the end of the range"),
              .hint = "a larger scaling makes the scene smaller"});
}

void check_extent(Reporter& r, const Pack& p) {
  std::array<i64, 3> low, high;
  low.fill(INT64_MAX), high.fill(INT64_MIN);
  each_triangle(p, [&](const Object& o, const Triangle& t, size_t, size_t) {
    for (const Vec16& v : t.positions) {
      const auto at = placed(o, v);
      for (size_t a = 0; a < 3; ++a) low[a] = std::min(low[a], at[a]), high[a] = std::max(high[a], at[a]);
    }
  });
  if (low[0] > high[0]) return;
  const i64 size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  const i64 range = is_old(p) ? k_old_depth : k_new_depth;
  if (size > range)
    r.report("splashpack.depth-range", "objects",
             {.expected = text("at most ", range), .found = text(size, " from one end to the other")});
}

}  // namespace
const std::span<const Rule> k_geometry_rules = k_geometry_rule_table;

std::array<i64, 3> placed(const Object& o, const Vec16& v) {
  auto at = in_scene(o, v);
  for (i64& n : at) n >>= 12;
  return at;
}

void check_geometry(Reporter& r, const Pack& p) {
  if (p.form == Layout::d && p.objects.size() < 2)
    r.report(
        "splashpack.objects-few", "objects",
        {.expected = "two or more", .found = text(p.objects.size(), p.objects.size() == 1 ? " object" : " objects")});
  for (size_t i = 0; i < p.objects.size(); ++i) check_object(r, p, p.objects[i], i);
  check_extent(r, p);
}

}  // namespace dio::splashpack
