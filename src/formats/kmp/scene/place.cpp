// place.cpp: applies moves in the scene to the entries of a course.
#include "formats/contract/node_transform_edit.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/scene/moving_objects.hpp"
#include "formats/kmp/scene/object_models.hpp"
#include "formats/kmp/scene/route.hpp"
#include "formats/kmp/semantics.hpp"
#include "layout/path_steps.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {

namespace {

constexpr std::string_view k_check_point_node = "checkpoint", k_camera_node = "camera";
// The kinds that have a rotation, and the kinds that have a scale.
constexpr std::string_view k_turned[] = {"start point", "object", "area", "respawn", "cannon target", "end point"},
                           k_scaled[] = {"object", "area"};
constexpr std::string_view k_placed[] = {"start point", "enemy point",   "item point", k_check_point_node,
                                         "object",      "route point",   "area",       k_camera_node,
                                         "respawn",     "cannon target", "end point"};

constexpr std::string_view k_beside[] = {k_moving_object, k_object_model_node};

bool is_in(std::span<const std::string_view> kinds, std::string_view kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

/// The rotation of an entry. `path`: GOBJ.entries[3].
std::optional<Vec3> find_entry_rotation(const Kmp& k, std::string_view path) {
  std::optional<Vec3> found;
  const auto read_rotation_from = [&](const auto& section) {
    using Entry = typename std::remove_cvref_t<decltype(*section)>::Entry;
    if constexpr (requires(Entry e) { e.rotation; }) {
      std::string_view rest = path;
      if (!take_name(rest, std::remove_cvref_t<decltype(*section)>::k_name)) return;
      const auto i = take_element(rest, "entries");
      if (i && *i < entries(section).size()) found = entries(section)[size_t(*i)].rotation;
    }
  };
  read_rotation_from(k.ktpt), read_rotation_from(k.gobj), read_rotation_from(k.area), read_rotation_from(k.jgpt),
      read_rotation_from(k.cnpt), read_rotation_from(k.mspt);
  return found;
}

template <class S>
const typename S::Entry* find_entry(const std::optional<S>& section, std::string_view path) {
  if (!take_name(path, S::k_name)) return nullptr;
  const auto i = take_element(path, "entries");
  return i && *i < entries(section).size() ? &entries(section)[size_t(*i)] : nullptr;
}

}  // namespace

std::span<const std::string_view> placed_kinds() { return k_placed; }
std::span<const std::string_view> kinds_beside() { return k_beside; }

std::span<const NodeKind> node_kinds() {
  using enum NodeKind::Shown;
  // Group sections have a title, but no nodes of their own.
  static constexpr auto section = [](std::string_view name, std::string_view title, NodeKind::Shown shown = fully) {
    return NodeKind{.kind = "section", .path = name, .layer = title, .shown = shown, .has_label = false};
  };
  static constexpr NodeKind k_kinds[] = {
      section("KTPT", "Start points"),
      section("ENPT", "Enemy paths"),
      section("ENPH", "Enemy path groups"),
      section("ITPT", "Item paths"),
      section("ITPH", "Item path groups"),
      section("CKPT", "Checkpoints", faintly),
      section("CKPH", "Checkpoint groups"),
      section("GOBJ", "Objects"),
      section("POTI", "Routes", hidden),
      section("AREA", "Areas", hidden),
      section("CAME", "Cameras"),
      section("JGPT", "Respawns"),
      section("CNPT", "Cannon targets"),
      section("MSPT", "End points"),
      section("STGI", "Stage settings"),
      {.kind = "stage", .layer = "Stage settings", .has_label = false},
      {.kind = "race", .layer = "Race", .overlay = "race"},
      {.kind = "collision file", .layer = "Collision", .has_label = false},
      {.kind = "model file", .layer = "Model", .is_content = true, .has_label = false},
      {.kind = k_object_model_node, .layer = "Object models", .is_content = true, .has_label = false},
      {.kind = "enemy point", .is_point = true},
      {.kind = "item point", .is_point = true},
      {.kind = "route point", .is_point = true},
      {.kind = k_check_point_node,
       .label = k_label_extra,
       .is_point = true,
       .added_with = "type=-1"}};  // no second key checkpoint
  return k_kinds;
}

Result<std::vector<Argument>> place(const Kmp& k, const NodeTransformChange& move) {
  NodeTransformEdit moved(move);
  const std::string_view path = path_from_extras(move.extras);
  if (moved.kind() == k_check_point_node) {
    // The mesh is at the checkpoint, so the change of the node's pose also applies to both ends. They have no height.
    const CheckPoint* c = find_entry(k.ckpt, path);
    const auto back = inverse(local_transform(move.before));
    if (!c || !back) return moved.values();
    const scene::Affine change = local_transform(move.after) * *back;
    const auto end = [&](const char* name, const Vec2& now) {
      const scene::Vec3 shown = to_finite_position({now.x, 0, now.z});
      const scene::Point to = change * scene::Point{shown[0], 0, shown[2]};
      if (std::isfinite(now.x) && f32(to[0]) != now.x) moved.set(std::string(name) + ".x", to[0]);
      if (std::isfinite(now.z) && f32(to[2]) != now.z) moved.set(std::string(name) + ".z", to[2]);
    };
    end("left", c->left), end("right", c->right);
    moved.states_position(), moved.states_rotation(), moved.states_scale();
    return moved.values();
  }
  moved.write_translation("position");
  if (moved.kind() == k_camera_node) {
    const Camera* c = find_entry(k.came, path);
    if (c && has_view(*c) && moved.turns()) {
      // The camera looks at a point: moves the point in front of it, at the same distance as before.
      const scene::Vec3 eye = move.after.translation;
      const f64 far = scene::distance(move.before.translation, to_finite_position(c->view_begin));
      const scene::Vec3 to = scene::add(eye, scene::mul(scene::rotate(move.after.rotation, {0, 0, -1}), f32(far)));
      for (size_t i = 0; i < 3; ++i) moved.set(std::string("view_begin.") + "xyz"[i], f64(to[i]));
      moved.states_rotation();
    }
    return moved.values(moved.turns() ? "the camera looks at the kart" : "");
  }
  if (is_in(k_turned, moved.kind()))
    if (const auto r = find_entry_rotation(k, path)) moved.write_euler_degrees("rotation", {r->x, r->y, r->z});
  if (is_in(k_scaled, moved.kind())) moved.write_scale("scale");
  return moved.values();
}

}  // namespace dio::kmp
