// course.cpp: named edits of whole courses: they move, turn, scale or mirror everything that has a position.
#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "formats/kmp/edit/edits.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/semantics.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {

namespace {

using Done = Result<std::string>;

constexpr f64 k_largest = 1000;

/// A similarity: scales by a positive factor, mirrors x or not, turns about the y axis, then shifts.
struct Transform {
  f64 size = 1, degrees = 0;
  bool mirrors = false;
  scene::Point around{0, 0, 0}, by{0, 0, 0};

  scene::Point operator()(const scene::Point& p) const {
    const f64 x = (p[0] - around[0]) * size * (mirrors ? -1 : 1), y = (p[1] - around[1]) * size,
              z = (p[2] - around[2]) * size;
    // Numbers that are not finite stay as they are: a product with 0 would spread them.
    if (degrees == 0) return {x + around[0] + by[0], y + around[1] + by[1], z + around[2] + by[2]};
    // Quarter turns are exact, so four of them restore the course.
    const f64 quarters = degrees / 90, angle = degrees * std::numbers::pi / 180;
    const bool is_exact = quarters == std::floor(quarters);
    const f64 c = is_exact ? std::round(elementary::cos(angle)) : elementary::cos(angle),
              s = is_exact ? std::round(elementary::sin(angle)) : elementary::sin(angle);
    return {c * x + s * z + around[0] + by[0], y + around[1] + by[1], -s * x + c * z + around[2] + by[2]};
  }
  bool turns() const { return degrees != 0 || mirrors; }
};

/// Transforms positions and rotations, and counts what it moved.
class CourseTransformer {
 public:
  explicit CourseTransformer(const Transform& t) : t_(t) {}
  u64 moved = 0;

  void operator()(Vec3& p) {
    const scene::Point to = t_({p.x, p.y, p.z});
    set_if_changed(p.x, to[0]), set_if_changed(p.y, to[1]), set_if_changed(p.z, to[2]);
    ++moved;
  }
  void operator()(Vec2& p) {
    const scene::Point to = t_({p.x, 0, p.z});
    set_if_changed(p.x, to[0]), set_if_changed(p.z, to[2]);
    ++moved;
  }
  void rotate_about_y(Vec3& degrees) const {
    const scene::Vec3 now{degrees.x, degrees.y, degrees.z};
    if (!t_.turns() || !scene::is_finite(now)) return;
    scene::Vec4 q = scene::from_euler_degrees(now);
    if (t_.mirrors) q = {q[0], -q[1], -q[2], q[3]};
    q = scene::multiply(scene::from_axis_degrees(scene::k_axis_y, f32(t_.degrees)), q);
    // Of all angles for this rotation, picks those closest to the expected ones.
    const f32 flip = t_.mirrors ? -1.0f : 1.0f;
    const scene::Vec3 likely{now[0], wrap_rotated_angle(now[1] * flip, f32(t_.degrees)), now[2] * flip};
    const bool is_likely = represents_rotation(likely, q);
    const scene::Vec3 to = is_likely ? likely : scene::nearest_euler_degrees(q, likely);
    const auto round = [&](f32 x) { return is_likely ? f64(x) : std::round(f64(x) * 1e4) / 1e4; };
    set_if_changed(degrees.x, round(to[0])), set_if_changed(degrees.y, round(to[1])),
        set_if_changed(degrees.z, round(to[2]));
  }

 private:
  /// An angle turned further; the result is within -180 to 180 degrees if the angle was.
  static f32 wrap_rotated_angle(f32 angle, f32 by) {
    f64 to = f64(angle) + f64(by);
    if (std::fabs(angle) <= 180) to -= 360 * std::ceil((to - 180) / 360);
    return by == 0 ? angle : f32(to);
  }
  /// Whether the angles describe this rotation.
  static bool represents_rotation(const scene::Vec3& degrees, const scene::Vec4& q) {
    const scene::Vec4 p = scene::from_euler_degrees(degrees);
    f64 dot = 0;
    for (size_t i = 0; i < 4; ++i) dot += f64(p[i]) * f64(q[i]);
    return std::fabs(dot) > 1 - 1e-6;
  }
  static void set_if_changed(f32& value, f64 to) {
    // Unchanged values keep their bits, including the sign of a zero.
    if (std::isfinite(value) && std::isfinite(f32(to)) && f32(to) != value) value = f32(to) + 0.0f;  // no negative zero
  }
  const Transform& t_;
};

u64 transform_course(Kmp& k, const Transform& t) {
  CourseTransformer move(t);
  const auto transform_posed_entries = [&](auto& section) {
    if (section)
      for (auto& e : section->entries) move(e.position), move.rotate_about_y(e.rotation);
  };
  transform_posed_entries(k.ktpt), transform_posed_entries(k.gobj), transform_posed_entries(k.area),
      transform_posed_entries(k.jgpt), transform_posed_entries(k.cnpt), transform_posed_entries(k.mspt);
  if (k.enpt)
    for (EnemyPoint& p : k.enpt->entries) move(p.position);
  if (k.itpt)
    for (ItemPoint& p : k.itpt->entries) move(p.position);
  if (k.ckpt)
    for (CheckPoint& c : k.ckpt->entries) {
      move(c.left), move(c.right);
      --move.moved;  // both ends count as one thing
      if (t.mirrors) std::swap(c.left, c.right);
    }
  if (k.poti)
    for (Route& r : k.poti->entries)
      for (RoutePoint& p : r.points) move(p.position);
  if (k.area)
    for (Area& a : k.area->entries)
      for (f32* size : {&a.scale.x, &a.scale.y, &a.scale.z}) *size = f32(f64(*size) * t.size);
  if (k.came)
    for (Camera& c : k.came->entries) {
      move(c.position), move.rotate_about_y(c.rotation);
      if (!has_view(c)) continue;
      move(c.view_begin), move(c.view_end);
      move.moved -= 2;
    }
  if (t.mirrors && k.stgi)
    for (Stage& s : k.stgi->entries)
      if (s.pole < 2) s.pole = u8(1 - s.pole);
  return move.moved;
}

Done done(Kmp& k, const char* what, const Transform& t) {
  return std::string(what) + " " + format_count(transform_course(k, t), "element");
}

scene::Point parse_point(Arguments& a, const char* name, size_t count) {
  const auto list = a.list(name, count, -k_farthest, k_farthest);
  if (list.size() < count) return {};
  return count == 2 ? scene::Point{list[0], 0, list[1]} : scene::Point{list[0], list[1], list[2]};
}

Done shift(Kmp& k, Arguments a) {
  Transform t{.by = parse_point(a, "by", 3)};
  if (!a.done()) return refuse(std::move(*a.problem));
  return done(k, "shifted", t);
}
Done rotate_about_y(Kmp& k, Arguments a) {
  Transform t{.degrees = a.number("degrees", -360, 360)};
  if (a.has("around")) t.around = parse_point(a, "around", 2);
  if (!a.done()) return refuse(std::move(*a.problem));
  return done(k, "turned", t);
}
Done scale(Kmp& k, Arguments a) {
  Transform t{.size = a.number("by", 1 / k_largest, k_largest)};
  if (a.has("around")) t.around = parse_point(a, "around", 3);
  if (!a.done()) return refuse(std::move(*a.problem));
  return done(k, "scaled", t);
}
Done mirror(Kmp& k, Arguments a) {
  Transform t{.mirrors = true};
  if (a.has("x")) t.around[0] = a.number("x", -k_farthest, k_farthest);
  if (!a.done()) return refuse(std::move(*a.problem));
  return done(k, "mirrored", t);
}

constexpr Parameter k_shift_parameters[] = {required("by", "X,Y,Z", ParameterKind::vector)};
constexpr Parameter k_turn_parameters[] = {required("degrees", "N", ParameterKind::number),
                                           optional("around", "X,Z", ParameterKind::vector)};
constexpr Parameter k_scale_parameters[] = {required("by", "N", ParameterKind::number),
                                            optional("around", "X,Y,Z", ParameterKind::vector)};
constexpr Parameter k_mirror_parameters[] = {optional("x", "N", ParameterKind::number)};

}  // namespace

std::span<const Edit> whole_course_edits() {
  static constexpr Edit k_edits[] = {
      {"shift", k_shift_parameters, "Moves the whole course by X, Y and Z units.", apply_course_edit<shift>},
      {"turn", k_turn_parameters,
       "Turns the course about a vertical axis at X,Z (default 0,0), counterclockwise as seen from above.",
       apply_course_edit<rotate_about_y>},
      {"scale", k_scale_parameters,
       "Scales all distances and the size of areas around X,Y,Z (default 0,0,0); objects keep their size.",
       apply_course_edit<scale>},
      {"mirror", k_mirror_parameters,
       "Mirrors the course at the plane x=N (default 0): swaps left and right of positions, directions, checkpoints "
       "and the start grid.",
       apply_course_edit<mirror>},
  };
  return k_edits;
}

std::span<const Edit> course_edits() {
  static const std::vector<Edit> k_edits = [] {
    std::vector<Edit> all;
    for (const auto edits : {whole_course_edits(), group_edits()}) all.insert(all.end(), edits.begin(), edits.end());
    return all;
  }();
  return k_edits;
}

}  // namespace dio::kmp
