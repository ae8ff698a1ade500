#include "formats/contract/node_transform_edit.hpp"

#include <algorithm>

#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "scene/transforms.hpp"

namespace dio {

namespace {

// Programs keep 32-bit reals but compute matrices from them and decompose these again.
constexpr f64 k_relative = 4e-6, k_of_others = 4e-7, k_least_length = 1e-5, k_least_turn = 2e-5;  // radians

/// Which components differ. A large component makes the others less exact if programs rotate axes.
std::array<bool, 3> differing_components(const scene::Vec3& a, const scene::Vec3& b) {
  f64 size = 0;
  for (size_t i = 0; i < 3; ++i) size = std::max({size, std::fabs(f64(a[i])), std::fabs(f64(b[i]))});
  std::array<bool, 3> out{};
  for (size_t i = 0; i < 3; ++i)
    out[i] = !(std::fabs(f64(a[i]) - b[i]) <=
               std::max({k_least_length, k_relative * std::fabs(f64(a[i])), k_of_others * size}));
  return out;
}
bool nearly_equal(const scene::Vec3& a, const scene::Vec3& b) {
  return differing_components(a, b) == std::array<bool, 3>{};
}
bool nearly_equal(const scene::Vec4& a, const scene::Vec4& b) {
  // The angle of the rotation between the two; the sine of half the angle is precise for small angles.
  const scene::Vec4 back{-a[0], -a[1], -a[2], a[3]}, way = scene::multiply(back, b);
  const f64 sine = std::sqrt(f64(way[0]) * way[0] + f64(way[1]) * way[1] + f64(way[2]) * way[2]);
  return 2 * elementary::asin(std::min(1.0, sine)) < k_least_turn;
}

}  // namespace

bool is_same_pose(const scene::Pose& a, const scene::Pose& b) {
  return nearly_equal(a.translation, b.translation) && nearly_equal(a.rotation, b.rotation) &&
         nearly_equal(a.scale, b.scale);
}

NodeTransformEdit::NodeTransformEdit(const NodeTransformChange& move)
    : move_(move), path_(path_from_extras(move.extras)) {
  if (const Value* kind = move.extras.find("kind")) kind_ = kind->text();
  moves_ = !nearly_equal(move.before.translation, move.after.translation);
  turns_ = !nearly_equal(move.before.rotation, move.after.rotation);
  scales_ = !nearly_equal(move.before.scale, move.after.scale);
}

void NodeTransformEdit::set(std::string_view member, f64 value) {
  values_.push_back({std::string(path_) + "." + std::string(member), format_real(value, true)});
}

void NodeTransformEdit::set_changed(std::string_view member, const scene::Vec3& before, const scene::Vec3& after) {
  const auto changed = differing_components(before, after);
  for (size_t i = 0; i < 3; ++i)  // unchanged values keep their bits
    if (changed[i]) set(std::string(member) + "." + "xyz"[i], f64(after[i]));
}

void NodeTransformEdit::write_translation(std::string_view member) {
  if (moves_) set_changed(member, move_.before.translation, move_.after.translation);
  moves_ = false;
}
void NodeTransformEdit::write_euler_degrees(std::string_view member, const scene::Vec3& now) {
  if (turns_) {
    scene::Vec3 after = scene::nearest_euler_degrees(move_.after.rotation, now);
    for (f32& angle : after) angle = f32(std::round(f64(angle) * 1e4) / 1e4);  // 90, not 90.00001
    for (size_t i = 0; i < 3; ++i)
      if (!(std::fabs(f64(after[i]) - now[i]) < 1e-3)) set(std::string(member) + "." + "xyz"[i], f64(after[i]));
  }
  turns_ = false;
}
void NodeTransformEdit::write_scale(std::string_view member) {
  if (scales_) set_changed(member, move_.before.scale, move_.after.scale);
  scales_ = false;
}

Result<std::vector<Argument>> NodeTransformEdit::values(std::string_view why_not) const {
  if (!moves_ && !turns_ && !scales_) return values_;
  const std::string what = moves_ ? "moved" : turns_ ? "turned" : "scaled";
  std::string message = "the element cannot be " + what;
  if (!why_not.empty())
    message += ": " + std::string(why_not);
  else
    message += ": the file stores no " +
               std::string(moves_   ? "position"
                           : turns_ ? "rotation"
                                    : "size") +
               " for this element";
  return refuse("scene.place", std::string(path_), {.message = std::move(message)});
}

}  // namespace dio
