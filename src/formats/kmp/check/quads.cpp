// quads.cpp: the quads between checkpoints, the points that must be inside them, and the start.
#include "core/elementary.hpp"
#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_quad_rules[] = {
    {"kmp.ckpt-convex", warning, "two consecutive checkpoints are opposite sides of a convex quad",
     "The game looks for a kart inside the quad between two checkpoints. If the quad is not convex, the game does not "
     "find karts in parts of the quad, and race positions jump.",
     "If the ends of a checkpoint are swapped, swap them back; otherwise turn or move one of the two checkpoints.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt"},
    {"kmp.ckpt-orient", warning, "a checkpoint's left end is on the left of karts that drive forwards",
     "If the ends are swapped, the game treats karts at the checkpoint as driving backwards.",
     "Swap the left and right ends of the checkpoint.",
     "decompiled game (riidefi/mkw, Kinoko); 308 of 308 real courses"},
    {"kmp.ckpt-near", warning, "checkpoints are at least 10 units wide and at least 10 units apart",
     "Race positions may jump at checkpoints that are too narrow or too close together.",
     "Widen the checkpoint to 10 units, move the two checkpoints 10 units apart, or remove one of them.",
     "Wiimm's wkmpt", Severities{hint}},
    {"kmp.pt-quad", warning, "enemy and item points are between checkpoints",
     "If a point is not between two checkpoints, the race position of a kart that follows the path jumps.",
     "Widen the checkpoints until the point is between them, or move the point.", "Wiimm's wkmpt"},
    {"kmp.ktpt-line", warning, "the start position is close behind the lap line and faces it",
     "The first lap and the LE-CODE minimap are measured from the start position.",
     "Move the start position closer to the lap line, or turn it to the angle that the message gives.",
     "Wiimm's wkmpt; 290 of 307 real courses face the line within 8 degrees", Severities{hint}},
};

/// The road between two checkpoints, seen from above. Corners go around: both ends of the first, then of the second.
struct Quad {
  u16 from, to;
  std::array<Vec2, 4> corners;  // left, right, right of the next, left of the next
  bool convex;
  int turn;  // if convex: -1 if correct; 1 if left and right are swapped; 0 without area
};

f64 cross(const Vec2& a, const Vec2& b, const Vec2& p) {
  return (f64(b.x) - a.x) * (f64(p.z) - a.z) - (f64(p.x) - a.x) * (f64(b.z) - a.z);
}
f64 square(f64 x) { return x * x; }
f64 squared_distance(const Vec2& a, const Vec2& b) { return square(f64(b.x) - a.x) + square(f64(b.z) - a.z); }

Quad make_quad(const std::vector<CheckPoint>& points, size_t from, size_t to) {
  const CheckPoint &a = points[from], &b = points[to];
  Quad q{u16(from), u16(to), {a.left, a.right, b.right, b.left}, true, 0};
  int left = 0, right = 0;
  for (size_t i = 0; i < 4; ++i) {
    const f64 turn = cross(q.corners[i], q.corners[(i + 1) % 4], q.corners[(i + 2) % 4]);
    left += turn > 0;
    right += turn < 0;
  }
  q.convex = !left || !right;
  if (q.convex) q.turn = left ? 1 : right ? -1 : 0;
  return q;
}

/// All quads: within each group, and from its end to each group that follows.
std::vector<Quad> make_quads(const std::vector<CheckPoint>& points, std::span<const Group> groups) {
  constexpr size_t k_most = 2000;  // groups that share the same points could produce many more
  std::vector<Quad> quads;
  quads.reserve(points.size() + groups.size());
  for (const Group& g : groups) {
    const size_t end = size_t(g.first) + g.count;
    if (!g.count || end > points.size() || quads.size() > k_most) continue;
    for (size_t i = g.first; i + 1 < end; ++i) quads.push_back(make_quad(points, i, i + 1));
    for (u8 next : g.next)
      if (next < groups.size() && groups[next].first < points.size())
        quads.push_back(make_quad(points, end - 1, groups[next].first));
  }
  return quads;
}

bool quad_contains(const Quad& q, const Vec2& p) {
  const f64 sign = q.turn ? q.turn : -1;
  for (size_t i = 0; i < 4; ++i)
    if (sign * cross(q.corners[i], q.corners[(i + 1) % 4], p) < 0) return false;
  return true;
}

std::string line(size_t i) { return entry("CKPT", i); }

void report_too_near(Check& c, f64 squared, std::string path, std::string_view what) {
  c.report(squared < 1 ? warning : hint, "kmp.ckpt-near", std::move(path),
           {.message = text(what, " is ", units(std::sqrt(squared)), "; the minimum is 10 units")});
}

void check_shapes(Check& c, const std::vector<CheckPoint>& points, const std::vector<Quad>& quads) {
  constexpr f64 k_near = 10 * 10;
  for (size_t i = 0; i < points.size(); ++i)
    if (const f64 width = squared_distance(points[i].left, points[i].right); width < k_near)
      report_too_near(c, width, line(i), "the distance between the left and right ends");
  for (const Quad& q : quads) {
    const f64 length =
        std::min(squared_distance(q.corners[0], q.corners[3]), squared_distance(q.corners[1], q.corners[2]));
    if (length < k_near) report_too_near(c, length, line(q.to), text("the distance from checkpoint ", q.from));
    if (q.turn > 0)
      c.report("kmp.ckpt-orient", line(q.to),
               {.message = text("left and right are swapped, as seen from checkpoint ", q.from)});
    if (!q.convex)
      c.report("kmp.ckpt-convex", line(q.to),
               {.message = text("the area between checkpoint ", q.from, " and this checkpoint is not convex"),
                .hint = "the left and right ends of one of the two checkpoints may be swapped"});
  }
}

template <class Point>
void check_inside(Check& c, std::string_view section, const std::vector<Point>& points,
                  const std::vector<Quad>& quads) {
  size_t last = 0;  // points follow the road, so the next point is in the same quad or a later one
  const auto is_in_any_quad = [&](const Vec3& p) {
    const Vec2 flat{p.x, p.z};
    for (size_t i = 0, at = last; i < quads.size(); ++i, at = at + 1 < quads.size() ? at + 1 : 0)
      if (quad_contains(quads[at], flat)) {
        last = at;
        return true;
      }
    return false;
  };
  for_each_run(
      0, points.size(), [&](size_t i) { return !is_in_any_quad(points[i].position); },
      [&](size_t first, size_t end) {
        c.report("kmp.pt-quad", entry(section, first),
                 {.message = text(describe_index_range(first, end, "point"), first == end ? " is" : " are",
                                  " not between any two checkpoints")});
      });
}

/// How far `p` is from the line between two points.
f64 distance_to_line(const Vec2& a, const Vec2& b, const Vec2& p) {
  const f64 x = f64(b.x) - a.x, z = f64(b.z) - a.z, length = square(x) + square(z);
  const f64 t = length > 0 ? std::clamp(((f64(p.x) - a.x) * x + (f64(p.z) - a.z) * z) / length, 0.0, 1.0) : 0;
  return std::sqrt(square(a.x + t * x - p.x) + square(a.z + t * z - p.z));
}

void check_start(Check& c, const std::vector<CheckPoint>& points) {
  if (entries(c.course.ktpt).empty()) return;
  constexpr f64 k_radians = 3.14159265358979323846 / 180;
  const StartPoint& start = c.course.ktpt->entries[0];
  const Vec2 at{start.position.x, start.position.z};
  const CheckPoint* lap = nullptr;
  f64 away = 0;
  for (const CheckPoint& p : points) {
    if (p.type) continue;
    const f64 d = distance_to_line(p.left, p.right, at);
    if (!lap || d < away) lap = &p, away = d;
  }
  if (!lap) return;
  if (away > 500)
    c.report(away > 2000 ? warning : hint, "kmp.ktpt-line", entry("KTPT", 0, "position"),
             {.message = text("the start is ", units(away), " from the lap line; the maximum is 500 units")});
  else if (cross(lap->left, lap->right, at) < 0)
    c.report(hint, "kmp.ktpt-line", entry("KTPT", 0, "position"),
             {.message = text("the start is ", units(away), " in front of the lap line; it should be behind it")});

  const f64 rx = start.rotation.x * k_radians, ry = start.rotation.y * k_radians, rz = start.rotation.z * k_radians;
  const f64 facing_x = elementary::cos(rx) * elementary::sin(ry) * elementary::cos(rz) +
                       elementary::sin(rx) * elementary::sin(rz),
            facing_z = elementary::cos(rx) * elementary::cos(ry);
  const f64 ahead_x = f64(lap->right.z) - lap->left.z, ahead_z = f64(lap->left.x) - lap->right.x;
  const f64 off =
      elementary::atan2(facing_z * ahead_x - facing_x * ahead_z, facing_x * ahead_x + facing_z * ahead_z) / k_radians;
  if (std::abs(off) > 1)
    c.report(hint, "kmp.ktpt-line", entry("KTPT", 0, "rotation.y"),
             {.message =
                  text("the start faces ", degrees(std::abs(off)), " away from the lap line; the maximum is 1 degree"),
              .hint = text("to face the lap line, set rotation.y to ",
                           degrees(elementary::atan2(ahead_x, ahead_z) / k_radians))});
}

void check_quads(Check& c) {
  const std::vector<CheckPoint>& points = entries(c.course.ckpt);
  // More points already have a finding, and every point would be compared with every quad.
  if (c.kind.arena || points.size() > k_most_indices) return;
  check_start(c, points);
  const std::vector<Quad> quads = make_quads(points, linkable(entries(c.course.ckph)));
  if (quads.empty()) return;
  check_shapes(c, points, quads);
  if (entries(c.course.enpt).size() <= k_most_indices) check_inside(c, "ENPT", entries(c.course.enpt), quads);
  if (entries(c.course.itpt).size() <= k_most_indices) check_inside(c, "ITPT", entries(c.course.itpt), quads);
}

}  // namespace

constinit const Topic k_quad_checks{k_quad_rules, check_quads};

}  // namespace dio::kmp
