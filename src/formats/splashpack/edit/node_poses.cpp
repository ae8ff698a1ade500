// node_poses.cpp: moves what the nodes of an edited scene stand for.
#include <cmath>

#include "formats/contract/node_transform_edit.hpp"
#include "formats/splashpack/edit/placement.hpp"
#include "formats/splashpack/edit/scene_edits.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"
#include "formats/splashpack/scene/builder.hpp"
#include "layout/path_steps.hpp"
#include "scene/affine.hpp"

namespace dio::splashpack {

namespace {

using Shift = std::array<i32, 3>;
constexpr std::array<i32, 3> k_signs{1, -1, -1};  // of the axes

/// The whole part of a path: objects[3], with nothing behind it.
std::optional<u64> index_in(std::string_view path, std::string_view list, size_t count) {
  const auto i = take_element(path, list);
  return i && path.empty() && *i < count ? i : std::nullopt;
}

class NodeMover {
 public:
  NodeMover(Pack& p, const NodeTransformChange& change) : p_(p), change_(change), edit_(change) {}

  bool move() {
    if (edit_.scales()) return false;
    const scene::Vec3 by = scene::sub(change_.after.translation, change_.before.translation);
    for (size_t i = 0; i < 3; ++i) {
      const f64 raw = std::round(by[i] * k_signs[i] / k_world_per_raw);
      if (!(std::fabs(raw) < 1e8)) return false;
      by_[i] = i32(raw);
    }
    const std::string_view path = path_from_extras(change_.extras);
    if (const auto i = index_in(path, "objects", p_.objects.size())) return move_object(*i);
    if (edit_.turns()) return false;
    if (path == "start") return translate(p_.start, by_);
    if (const auto i = index_in(path, "triggers", p_.triggers.size())) return translate_box(p_.triggers[*i].box, by_);
    if (const auto i = index_in(path, "colliders", p_.colliders.size())) return move_collider(p_.colliders[*i].box);
    if (const auto i = index_in(path, "room_portals", p_.room_portals.size()))
      return translate(p_.room_portals[*i].center, by_);
    if (p_.lights)
      if (const auto i = index_in(path, "lights.entries", p_.lights->entries.size()))
        return translate(p_.lights->entries[*i].position, by_);
    return move_waypoint(path);
  }

 private:
  bool move_waypoint(std::string_view path) {
    const auto agent = take_element(path, "agents");
    if (!agent || *agent >= p_.agents.size() || !path.starts_with('.')) return false;
    path.remove_prefix(1);
    auto& waypoints = p_.agents[*agent].waypoints;
    const auto i = index_in(path, "waypoints", waypoints.size());
    return i && translate(waypoints[*i], by_);
  }

  /// To where the node is: the collider may have moved with its object.
  bool move_collider(Box& box) {
    const fx32 low[] = {box.min.x, box.min.y, box.min.z}, high[] = {box.max.x, box.max.y, box.max.z};
    for (size_t i = 0; i < 3; ++i) {
      const f64 was = change_.before.translation[i] * k_signs[i] / k_world_per_raw;
      by_[i] -= i32(std::lround((f64(low[i].raw) + high[i].raw) / 2 - was));
    }
    return translate_box(box, by_);
  }
  bool move_object(size_t i) {
    Object& o = p_.objects[i];
    const Box before = o.box;
    if (edit_.turns() && !turn_object(o)) return false;
    if (!move_object_by(p_, i, by_)) return false;
    if (is_old(p_)) return true;
    for (Collider& c : p_.colliders) {
      if (c.object != i) continue;
      if (c.box == before)
        c.box = o.box;
      else if (edit_.turns() || !translate_box(c.box, by_))
        return false;
    }
    update_boxes_around(p_, i);
    return true;
  }
  bool turn_object(Object& o) const {
    if (!uses_object_transform(p_, o) || change_.extras.find("rotation")) return false;
    const scene::Mat3 turn = scene::to_matrix(change_.after.rotation);
    for (size_t row = 0; row < 3; ++row)
      for (size_t column = 0; column < 3; ++column)
        o.rotation[3 * row + column].raw = i32(
            std::lround(f64(turn[column][row]) * change_.before.scale[column] * k_signs[row] * k_signs[column] * 4096));
    return true;
  }

  Pack& p_;
  const NodeTransformChange& change_;
  const NodeTransformEdit edit_;
  Shift by_{};
};

}  // namespace

bool move_node(Pack& pack, const NodeTransformChange& change) {
  Pack moved = pack;
  if (!NodeMover(moved, change).move()) return false;
  pack = std::move(moved);
  return true;
}

}  // namespace dio::splashpack
