#include "formats/splashpack/from_scene/rooms.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/motion.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {
namespace {

// As in the exporter (SplashEdit, PSXRoom.cs).
constexpr f64 k_margin = 0.5;       // world units: objects this close to a room are in it
constexpr f64 k_rest_reach = 1000;  // world units to each side: the box of everything outside the rooms
constexpr i64 k_cells = 2;          // of a room along each axis
// As in the format and the engine.
constexpr size_t k_most_rooms = 255;  // floor regions store the room in a byte, and 255 means none
constexpr size_t k_most_seen = 32;    // drawn rooms that the engine remembers, including the rest (renderer.cpp)
constexpr size_t k_most_doors = 255;  // portals of a room, counted in a byte
constexpr size_t k_most_refs = 65535;

using RoomPoint = std::array<i64, 3>;  // in the units of `transform_vertex_exact`
using RoomTriangle = std::array<RoomPoint, 3>;

/// A room, or the rest.
struct Area {
  Box box{};
  Bounds near{};  // with the margin
  std::set<TriangleRef> triangles{};
  std::vector<RoomPortalRef> doors{};

  Point middle() const {  // raw
    Point out;
    for (size_t k = 0; k < 3; ++k) out[k] = (f64(near.low[k]) + f64(near.high[k])) / 2 / 4096;
    return out;
  }
  f64 volume() const {
    f64 out = 1;
    for (size_t k = 0; k < 3; ++k) out *= f64(near.high[k] - near.low[k]);
    return out;
  }
  f64 distance(const Point& raw) const {
    Point off;
    for (size_t k = 0; k < 3; ++k)
      off[k] = std::max({0.0, f64(near.low[k]) / 4096 - raw[k], raw[k] - f64(near.high[k]) / 4096});
    return scene::length(off);
  }
};

/// Of a portal, in raw units.
struct Rectangle {
  Point center, normal, right, up;
  f64 half_width, half_height;
  Point half_extents() const {
    Point out;
    for (size_t k = 0; k < 3; ++k) out[k] = std::fabs(right[k]) * half_width + std::fabs(up[k]) * half_height;
    return out;
  }
};

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point add_scaled(const Point& a, const Point& b, f64 times) {
  return {a[0] + b[0] * times, a[1] + b[1] * times, a[2] + b[2] * times};
}
Point back(const Point& p) { return {-p[0], -p[1], -p[2]}; }

Bounds exact_bounds(const Box& box) {
  const auto place = [](const Vec32& v) {
    return RoomPoint{i64(v.x.raw) * 4096, i64(v.y.raw) * 4096, i64(v.z.raw) * 4096};
  };
  return {place(box.min), place(box.max)};
}

class RoomSectionBuilder {
 public:
  RoomSectionBuilder(const MakeSource& source, bool is_floor_made, Pack& pack, Diagnostics& notes)
      : in_(source), is_floor_made_(is_floor_made), pack_(pack), notes_(notes) {}

  std::optional<Diagnostic> build() {
    collect_rooms();
    if (fault_) return std::move(fault_);
    for (size_t i = 0; i < in_.scene.nodes.size() && !fault_; ++i)
      if (in_.roles[i] == Role::portal) add_portal(i);
    if (fault_ || rooms_.empty()) return std::move(fault_);
    if (!assign_triangles_to_rooms()) {
      note({}, {.message = text("the rooms have more than ", k_most_refs, " triangles in total"),
                .hint = "the pack is built without rooms, and the engine draws the triangles in the BVH"});
      pack_.room_portals.clear();
      return {};
    }
    write_rooms();
    assign_floor_rooms();
    if (rest_index() > 1 && pack_.room_portals.empty())
      note({}, {.message = "no portal connects the rooms", .hint = "no room is visible from another room"});
    if (rooms_.size() > k_most_seen)
      note({},
           {.message = text("the scene has ", rest_index(), " rooms; the engine keeps track of only ", k_most_seen - 1),
            .hint = "the engine may draw the other rooms several times"});
    return {};
  }

 private:
  void note(std::string path, DiagnosticText said) {
    notes_.push_back(make_diagnostic(Severity::warning, "splashpack.make-rooms", std::move(path), std::move(said)));
  }
  size_t rest_index() const { return rooms_.size() - 1; }

  // ---- rooms

  void collect_rooms() {
    std::vector<Index> nodes;
    for (size_t i = 0; i < in_.scene.nodes.size(); ++i)
      if (in_.roles[i] == Role::room) nodes.push_back(Index(i));
    if (nodes.empty()) return;
    // In the order of the original pack; new rooms last.
    sort_stably(nodes, {}, [&](Index i) {
      const auto index = read_number_extra(in_.scene.nodes[i].extras, "index");
      return index && *index >= 0 ? *index : HUGE_VAL;
    });
    // The rest comes last.
    const auto is_rest = [&](Index i) { return read_flag_extra(in_.scene.nodes[i].extras, "rest").value_or(false); };
    const auto given = std::ranges::find_if(nodes, is_rest);
    const Index rest_node = given == nodes.end() ? k_none : *given;
    if (given != nodes.end()) nodes.erase(given);
    if (nodes.size() > k_most_rooms) {
      note({}, {.message = text("the scene has ", nodes.size(), " rooms (limit: ", k_most_rooms, ")"),
                .hint = "the contents of the other rooms are always drawn"});
      nodes.resize(k_most_rooms);
    }
    nodes.push_back(rest_node);
    const f64 reach = std::min(in_.settings.to_pack_units(k_rest_reach), 2147483647.0);
    const fx32 low{i32(-reach)}, high{i32(reach)};
    for (const Index i : nodes) {
      Area room{.box = {{low, low, low}, {high, high, high}}};
      if (i != k_none) {
        auto box = compute_node_box(in_, i);
        if (!box) {
          fault_ = std::move(box.error());
          return;
        }
        if (!*box && i != rest_node) {
          note(node_label(in_.scene, i),
               {.message = "the mesh of the room has no vertices", .hint = "the room is omitted"});
          continue;
        }
        if (*box) room.box = **box;
        const auto index = read_number_extra(in_.scene.nodes[i].extras, "index");
        if (index && *index >= 0) by_index_.try_emplace(*index, rooms_.size());
        by_name_.try_emplace(in_.scene.nodes[i].name, rooms_.size());
      }
      const i64 margin = i64(std::min(in_.settings.to_pack_units(k_margin), 2147483647.0) * 4096);
      room.near = exact_bounds(room.box);
      for (size_t k = 0; k < 3; ++k) room.near.low[k] -= margin, room.near.high[k] += margin;
      rooms_.push_back(std::move(room));
    }
  }

  /// The room with a number in the original pack; in a scene without an original pack, the room with that index.
  std::optional<size_t> find_room(f64 number) const {
    if (const auto known = by_index_.find(number); known != by_index_.end()) return known->second;
    if (!by_index_.empty() || !(number >= 0 && number < f64(rooms_.size())) || number != std::floor(number)) return {};
    return size_t(number);
  }
  std::optional<size_t> find_room(const Value& extras, std::string_view name) const {
    if (const auto number = read_number_extra(extras, name)) return find_room(*number);
    const auto told = read_text_extra(extras, name);
    const auto known = told ? by_name_.find(*told) : by_name_.end();
    return known == by_name_.end() ? std::nullopt : std::optional(known->second);
  }

  // ---- portals

  void add_portal(size_t node) {
    const auto warn_portal_left_out = [&](DiagnosticText said) {
      said.hint = "the portal is omitted";
      note(node_label(in_.scene, node), std::move(said));
    };
    const std::vector<Point> corners = portal_triangle_vertices(node);
    for (const Point& p : corners)
      for (const f64 x : p)
        if (!(std::fabs(x) <= 2147483000.0)) {
          fault_ = make_diagnostic(
              "splashpack.make-range", node_label(in_.scene, node),
              {.message = "the portal extends beyond 2147483647 units of the pack", .hint = "use a larger scaling"});
          return;
        }
    const auto kept = rectangle_from_extras(node, corners);
    const auto shape = kept ? kept : fit_portal_rectangle(node, corners);
    if (!shape) return warn_portal_left_out({.message = "the mesh of the portal has no area"});
    const Value& extras = in_.scene.nodes[node].extras;
    std::array<std::optional<size_t>, 2> sides;
    for (const auto& [name, side] : {std::pair("room_a", &sides[0]), std::pair("room_b", &sides[1])}) {
      if (!extras.find(name)) continue;
      *side = find_room(extras, name);
      if (!*side) return warn_portal_left_out({.message = text(name, " is neither the number nor the name of a room")});
    }
    const bool is_found = !sides[0] && !sides[1];
    for (size_t k = 0; k < 2; ++k)
      if (!sides[k]) sides[k] = find_touching_room(*shape, sides[1 - k]);
    if (!sides[0] || !sides[1])
      return warn_portal_left_out(
          {.message =
               text("the portal has ", sides[0] || sides[1] ? "a room on one side only" : "no room on either side")});
    if (*sides[0] == *sides[1]) return warn_portal_left_out({.message = "the portal connects a room to itself"});
    if (is_found && *sides[0] > *sides[1]) std::swap(sides[0], sides[1]);
    Area &a = rooms_[*sides[0]], &b = rooms_[*sides[1]];
    if (a.doors.size() == k_most_doors || b.doors.size() == k_most_doors)
      return warn_portal_left_out({.message = text("the room has more than ", k_most_doors, " portals")});
    // The engine skips portals that face away: the normal points from the first room to the second.
    Rectangle out = *shape;
    if (!kept && scene::dot(out.normal, minus(b.middle(), a.middle())) < 0)
      out.normal = back(out.normal), out.right = back(out.right);
    const auto whole = [](f64 x) { return i32(std::floor(x + 0.5)); };
    const auto to_fixed_vector = [&](const Point& p) {
      const auto one = [&](f64 x) { return fx16{i16(whole(std::clamp(x * 4096, -32768.0, 32767.0)))}; };
      return Vec16{one(p[0]), one(p[1]), one(p[2])};
    };
    const f64 largest_half = std::max(out.half_width, out.half_height);
    if (largest_half > 32767)
      note(node_label(in_.scene, node),
           {.message = text("the portal has a side of ", i64(2 * largest_half), " units of the pack (limit: 65534)"),
            .hint = text("the portal is shortened; ",
                         fitting_scaling(in_.settings, largest_half / 32767, "the whole portal"))});
    const auto half = [&](f64 x) { return fx16{i16(whole(std::clamp(x, 1.0, 32767.0)))}; };
    const u16 number = u16(pack_.room_portals.size());
    a.doors.push_back({number, u16(*sides[1])});
    b.doors.push_back({number, u16(*sides[0])});
    pack_.room_portals.push_back({u16(*sides[0]),
                                  u16(*sides[1]),
                                  {{whole(out.center[0])}, {whole(out.center[1])}, {whole(out.center[2])}},
                                  half(out.half_width),
                                  half(out.half_height),
                                  to_fixed_vector(out.normal),
                                  0,
                                  to_fixed_vector(out.right),
                                  to_fixed_vector(out.up)});
  }

  /// The triangles of a portal as corners; for a node without a mesh, those of an upright square on it, 1 to each side.
  std::vector<Point> portal_triangle_vertices(size_t node) const {
    const scene::Node& n = in_.scene.nodes[node];
    std::vector<Point> out;
    const auto add = [&](const Point& p) { out.push_back(in_.settings.to_pack_units(in_.places[node] * p)); };
    if (n.mesh == k_none) {
      for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}})
        add({f64(x), f64(y), 0});
      return out;
    }
    for (const scene::Primitive& p : in_.scene.meshes[n.mesh].primitives)
      for (const u32 v : triangle_indices(p)) add({p.positions[v][0], p.positions[v][1], p.positions[v][2]});
    return out;
  }

  /// The upright rectangle around a mesh in its plane; for one that is not flat, across its thinnest side.
  std::optional<Rectangle> fit_portal_rectangle(size_t node, std::span<const Point> corners) const {
    Point sum{};
    f64 area = 0;
    for (size_t i = 0; i + 3 <= corners.size(); i += 3) {
      const Point side = scene::cross(minus(corners[i + 1], corners[i]), minus(corners[i + 2], corners[i]));
      // The mesh may contain both sides of a plane.
      sum = add_scaled(sum, side, scene::dot(side, sum) < 0 ? -1 : 1);
      area += scene::length(side);
    }
    Rectangle out;
    constexpr f64 k_flat = 0.9999;
    out.normal = scene::length(sum) >= k_flat * area ? scene::unit(sum) : thinnest_axis(node);
    if (!(area > 0) || !(scene::length(out.normal) > 0.5)) return {};
    constexpr f64 k_lying = 0.99;
    const Point above = std::fabs(out.normal[1]) > k_lying ? Point{0, 0, 1} : Point{0, -1, 0};
    out.up = scene::unit(add_scaled(above, out.normal, -scene::dot(above, out.normal)));
    out.right = scene::cross(out.normal, out.up);
    const auto project_extent = [&](const Point& axis) {
      f64 low = HUGE_VAL, high = -HUGE_VAL;
      for (const Point& p : corners)
        low = std::min(low, scene::dot(p, axis)), high = std::max(high, scene::dot(p, axis));
      return std::pair((low + high) / 2, (high - low) / 2);
    };
    const auto [across, half_width] = project_extent(out.right);
    const auto [along, half_height] = project_extent(out.up);
    out.half_width = half_width, out.half_height = half_height;
    out.center = add_scaled(add_scaled(add_scaled({}, out.right, across), out.up, along), out.normal,
                            project_extent(out.normal).first);
    return out;
  }

  /// Across the shortest side of the bounding box of a mesh.
  Point thinnest_axis(size_t node) const {
    std::array<f64, 3> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const scene::Primitive& p : in_.scene.meshes[in_.scene.nodes[node].mesh].primitives)
      for (const scene::Vec3& v : p.positions)
        for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], f64(v[k])), high[k] = std::max(high[k], f64(v[k]));
    const auto axis = [&](size_t k) { return in_.settings.convert_axes(in_.places[node].linear.columns[k % 3]); };
    size_t thin = 0;
    const auto size = [&](size_t k) { return scene::length(axis(k)) * (high[k] - low[k]); };
    for (size_t k = 1; k < 3; ++k)
      if (size(k) < size(thin)) thin = k;
    return scene::unit(scene::cross(axis(thin + 1), axis(thin + 2)));
  }

  /// The original numbers of a pack, if the mesh still matches them.
  std::optional<Rectangle> rectangle_from_extras(size_t node, std::span<const Point> corners) const {
    const Value& extras = in_.scene.nodes[node].extras;
    const auto normal = read_number_list_extra(extras, "normal", 3), right = read_number_list_extra(extras, "right", 3),
               up = read_number_list_extra(extras, "up", 3);
    const auto width = read_number_extra(extras, "half_width"), height = read_number_extra(extras, "half_height");
    if (!normal || !right || !up || !width || !height || in_.scene.nodes[node].mesh == k_none) return {};
    const auto axis = [](const std::vector<f64>& n) { return Point{n[0] / 4096, n[1] / 4096, n[2] / 4096}; };
    const Rectangle out{
        in_.settings.to_pack_units(in_.places[node].origin), axis(*normal), axis(*right), axis(*up), *width, *height};
    std::array<bool, 4> is_there{};
    for (const Point& p : corners) {
      bool is_corner = false;
      for (size_t k = 0; k < 4; ++k) {
        const Point at =
            add_scaled(add_scaled(out.center, out.right, k & 1 ? *width : -*width), out.up, k & 2 ? *height : -*height);
        constexpr f64 k_near = 1;  // raw: tolerance for rounding in programs
        if (!(scene::length(minus(p, at)) <= k_near)) continue;
        is_corner = is_there[k] = true;
      }
      if (!is_corner) return {};
    }
    return std::ranges::all_of(is_there, std::identity()) ? std::optional(out) : std::nullopt;
  }

  /// The nearest room among those that touch a portal; on the other side of `other`, if that is given.
  std::optional<size_t> find_touching_room(const Rectangle& portal, std::optional<size_t> other) const {
    const auto side = [&](size_t r) { return scene::dot(minus(rooms_[r].middle(), portal.center), portal.normal); };
    std::optional<size_t> best;
    std::pair<f64, f64> least{HUGE_VAL, HUGE_VAL};
    for (size_t r = 0; r + 1 < rooms_.size(); ++r) {
      const Area& room = rooms_[r];
      bool is_near = true;
      for (size_t k = 0; k < 3; ++k)
        is_near = is_near && portal.center[k] + portal.half_extents()[k] >= f64(room.near.low[k]) / 4096 &&
                  portal.center[k] - portal.half_extents()[k] <= f64(room.near.high[k]) / 4096;
      if (!is_near || (other && (r == *other || side(r) * side(*other) > 0))) continue;
      const std::pair distance(room.distance(portal.center), room.volume());
      if (!best || distance < least) best = r, least = distance;
    }
    return best;
  }

  // ---- triangles

  RoomTriangle scene_triangle(const TriangleRef& r) const {
    const Object& o = pack_.objects[r.object];
    const auto& p = o.triangles[r.triangle].positions;
    return {transform_vertex_exact(o, p[0]), transform_vertex_exact(o, p[1]), transform_vertex_exact(o, p[2])};
  }

  /// The room with most of its corners; of several, the one with the nearest middle.
  size_t find_room(const RoomTriangle& corners) const {
    Point middle{};
    for (const RoomPoint& p : corners)
      for (size_t k = 0; k < 3; ++k) middle[k] += f64(p[k]) / 3 / 4096;
    size_t best = rest_index();
    std::ptrdiff_t most = 0;
    f64 nearest = HUGE_VAL;
    for (size_t r = 0; r < rest_index(); ++r) {
      const auto inside =
          std::ranges::count_if(corners, [&](const RoomPoint& p) { return rooms_[r].near.contains(p); });
      if (inside == 0 || inside < most) continue;
      const f64 away = scene::length(minus(rooms_[r].middle(), middle));
      if (inside > most || away < nearest) best = r, most = inside, nearest = away;
    }
    return best;
  }

  static Point to_raw_units(const RoomPoint& p) { return {f64(p[0]) / 4096, f64(p[1]) / 4096, f64(p[2]) / 4096}; }

  /// Whether a triangle shows its front to a part of a room.
  static bool faces_room(const Area& room, const std::array<Point, 3>& corners) {
    const Point behind = scene::cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    const Bounds box = exact_bounds(room.box);
    const Point low = to_raw_units(box.low), high = to_raw_units(box.high);
    f64 deepest = 0;
    for (size_t k = 0; k < 3; ++k) deepest -= behind[k] * ((behind[k] > 0 ? low : high)[k] - corners[0][k]);
    constexpr f64 k_near = 2;  // raw: boxes are rounded
    return deepest > k_near * scene::length(behind);
  }

  /// Whether a triangle extends into a room, wherever its corners are: along its plane, farther than the margin or a
  /// quarter of the room; across it, no farther away than the margin, because floors are on the borders of rooms.
  static bool extends_into_room(const Area& room, const std::array<Point, 3>& corners) {
    const Point side = scene::cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    size_t across = 0;
    for (size_t k = 1; k < 3; ++k)
      if (std::fabs(side[k]) > std::fabs(side[across])) across = k;
    const Bounds box = exact_bounds(room.box);
    const Point low = to_raw_units(box.low), high = to_raw_units(box.high);
    const Point near_low = to_raw_units(room.near.low), near_high = to_raw_units(room.near.high);
    // The part of it inside the box, border by border.
    std::vector<Point> rest(corners.begin(), corners.end());
    for (size_t border = 0; border < 6 && !rest.empty(); ++border) {
      const size_t k = border / 2;
      const bool is_low = border % 2 == 0;
      const f64 margin = is_low ? low[k] - near_low[k] : near_high[k] - high[k];
      const f64 inwards = (k == across ? -margin : std::min(margin, (high[k] - low[k]) / 4)) * (is_low ? 1 : -1);
      const f64 at = (is_low ? low : high)[k] + inwards;
      const auto depth = [&](const Point& p) { return is_low ? p[k] - at : at - p[k]; };
      std::vector<Point> left;
      for (size_t i = 0; i < rest.size(); ++i) {
        const Point &from = rest[i], &to = rest[(i + 1) % rest.size()];
        const f64 d0 = depth(from), d1 = depth(to);
        if (d0 >= 0) left.push_back(from);
        if ((d0 >= 0) != (d1 >= 0)) left.push_back(add_scaled(from, minus(to, from), d0 / (d0 - d1)));
      }
      rest = std::move(left);
    }
    return !rest.empty();
  }

  /// Whether a triangle belongs to a room besides the one with most of its corners: a wall shared by both, or a floor
  /// that continues there.
  static bool is_shared_with(const Area& room, const RoomTriangle& places) {
    Bounds around;
    for (const RoomPoint& p : places) around.add(p);
    for (size_t k = 0; k < 3; ++k)
      if (around.high[k] < room.near.low[k] || around.low[k] > room.near.high[k]) return false;
    const std::array<Point, 3> corners{to_raw_units(places[0]), to_raw_units(places[1]), to_raw_units(places[2])};
    const bool is_near = room.near.contains(around.low) && room.near.contains(around.high);
    return (is_near || extends_into_room(room, corners)) && faces_room(room, corners);
  }

  /// Each triangle of an object without bones is in a room, and in all others whose wall or floor it is. The exporter
  /// leaves these out, but walls are thinner than the margin, and floors of several rooms may be one polygon. Triangles
  /// that extend through a portal are also in the room beyond. Triangles outside all rooms are always drawn. False if
  /// there are more than the file can count. The exporter leaves out objects that are initially inactive, which the
  /// engine would then never draw, so here they are included.
  bool assign_triangles_to_rooms() {
    size_t count = 0;
    for (size_t o = 0; o < pack_.objects.size(); ++o) {
      // Bones move these elsewhere, and the engine draws them separately.
      if (pack_.objects[o].flags & k_skinned) continue;
      for (size_t t = 0; t < pack_.objects[o].triangles.size(); ++t) {
        if (++count > k_most_refs) return false;
        const TriangleRef ref{u16(o), u16(t)};
        const RoomTriangle corners = scene_triangle(ref);
        const size_t home = find_room(corners);
        rooms_[home].triangles.insert(ref);
        for (size_t r = 0; home != rest_index() && r < rest_index(); ++r)
          if (r != home && is_shared_with(rooms_[r], corners) && rooms_[r].triangles.insert(ref).second &&
              ++count > k_most_refs)
            return false;
      }
    }
    for (const RoomPortal& p : pack_.room_portals) {
      if (p.room_a == rest_index() || p.room_b == rest_index()) continue;
      for (const auto& [from, to] : {std::pair(p.room_a, p.room_b), std::pair(p.room_b, p.room_a)})
        for (const TriangleRef& ref : rooms_[from].triangles) {
          const Bounds& near = rooms_[to].near;
          if (std::ranges::none_of(scene_triangle(ref), [&](const RoomPoint& c) { return near.contains(c); })) continue;
          if (rooms_[to].triangles.insert(ref).second && ++count > k_most_refs) return false;
        }
    }
    return true;
  }

  /// Eight cells per room, by the middles of triangles: in the exporter's order, from the left, the bottom and the
  /// front.
  size_t cell_index(const Bounds& room, const RoomTriangle& corners) const {
    size_t out = 0;
    for (size_t k = 0; k < 3; ++k) {
      const i64 size = std::max<i64>(room.high[k] - room.low[k], 1);
      const i64 from_low = corners[0][k] + corners[1][k] + corners[2][k] - 3 * room.low[k];
      const i64 from = k == 1 ? 3 * size - from_low : from_low;  // Y points down
      out += size_t(std::clamp<i64>(from * k_cells / (3 * size), 0, k_cells - 1)) << k;
    }
    return out;
  }

  void write_rooms() {
    for (size_t i = 0; i < rooms_.size(); ++i) {
      const Area& room = rooms_[i];
      Bounds all;
      if (i != rest_index())
        all = exact_bounds(room.box);
      else
        for (const TriangleRef& ref : room.triangles)
          for (const RoomPoint& p : scene_triangle(ref)) all.add(p);
      std::array<std::vector<TriangleRef>, k_cells * k_cells * k_cells> cells;
      std::array<Bounds, std::tuple_size_v<decltype(cells)>> around;
      for (const TriangleRef& ref : room.triangles) {
        const RoomTriangle corners = scene_triangle(ref);
        const size_t cell = cell_index(all, corners);
        cells[cell].push_back(ref);
        for (const RoomPoint& p : corners) around[cell].add(p);
      }
      Room out{room.box, u16(pack_.room_refs.size()), u16(room.triangles.size()),         u16(pack_.room_cells.size()),
               0,        u8(room.doors.size()),       u16(pack_.room_portal_refs.size()), 0};
      for (size_t c = 0; c < cells.size(); ++c) {
        if (cells[c].empty()) continue;
        pack_.room_cells.push_back({around[c].to_box(), u16(pack_.room_refs.size()), u16(cells[c].size())});
        pack_.room_refs.insert(pack_.room_refs.end(), cells[c].begin(), cells[c].end());
        ++out.cell_count;
      }
      pack_.room_portal_refs.insert(pack_.room_portal_refs.end(), room.doors.begin(), room.doors.end());
      pack_.rooms.push_back(out);
    }
  }

  // ---- floor

  /// The engine assumes that the camera is in the room of the player's region.
  void assign_floor_rooms() {
    if (!pack_.nav) return;
    for (NavRegion& region : pack_.nav->regions) {
      if (!is_floor_made_) {
        if (region.room == k_no_room) continue;
        if (const auto known = find_room(f64(region.room)); known && *known < k_no_room) {
          region.room = u8(*known);
          continue;
        }
      }
      region.room = find_room_under(region);
    }
  }

  /// The smallest room that contains the middle of a region.
  u8 find_room_under(const NavRegion& r) const {
    Point middle{};
    const size_t corners = std::clamp<size_t>(r.corner_count, 1, r.xs.size());
    for (size_t k = 0; k < corners; ++k)
      middle[0] += r.xs[k].raw / f64(corners), middle[2] += r.zs[k].raw / f64(corners);
    middle[1] = r.plane_a.value() * middle[0] + r.plane_b.value() * middle[2] + r.plane_d.raw;
    u8 best = k_no_room;
    f64 least = HUGE_VAL;
    for (size_t room = 0; room < rest_index(); ++room)
      if (rooms_[room].distance(middle) == 0 && rooms_[room].volume() < least)
        best = u8(room), least = rooms_[room].volume();
    return best;
  }

  const MakeSource& in_;
  const bool is_floor_made_;
  Pack& pack_;
  Diagnostics& notes_;
  std::vector<Area> rooms_;  // the last one is the rest
  std::map<f64, size_t> by_index_;
  std::map<std::string, size_t, std::less<>> by_name_;
  std::optional<Diagnostic> fault_;
};

}  // namespace

std::optional<Diagnostic> add_rooms(const MakeSource& source, bool is_floor_made, Pack& pack, Diagnostics& notes) {
  return RoomSectionBuilder(source, is_floor_made, pack, notes).build();
}

}  // namespace dio::splashpack
