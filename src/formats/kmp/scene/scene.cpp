// scene.cpp: builds a scene from a course. Shapes and colours are those that users know from kmp-editor (README.md,
// "Picture").
#include "scene/scene.hpp"

#include <map>

#include "formats/brres/parts.hpp"
#include "formats/kcl/parts.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/scene/heights.hpp"
#include "formats/kmp/scene/moving_objects.hpp"
#include "formats/kmp/scene/object_models.hpp"
#include "formats/kmp/scene/opening_cameras.hpp"
#include "formats/kmp/scene/start_grid.hpp"
#include "formats/kmp/semantics.hpp"
#include "scene/append_scene.hpp"
#include "scene/extras.hpp"
#include "scene/shapes.hpp"

namespace dio::kmp {

namespace {

using scene::Index;
using scene::k_none;
using scene::Material;
using scene::Node;
using scene::Primitive;
using scene::ShapeTransform;

constexpr f32 k_point = 150, k_line = 60, k_cone_radius = 200, k_cone_length = 500;
constexpr scene::ArrowSize k_pointer{1300, 40, 400, 120};
constexpr int k_line_sides = 3, k_cone_sides = 4, k_curve_steps = 6;  // few, because they make up most of a file
constexpr f32 k_panel_below = 500, k_panel_above = 2000;  // checkpoints have no height: relative to the respawn point
constexpr f32 k_area_half = 5000, k_area_high = 10000;    // before scale

struct Color {
  const char* name;
  f32 r, g, b, a = 1;
};
constexpr Color k_start_color{"start", 0, 0, 1}, k_start_arrow{"start direction", .25f, .25f, 1},
    k_grid_color{"grid", .25f, .25f, 1, .5f};
constexpr Color k_enemy{"enemy point", 1, 0, 0}, k_enemy_first{"enemy point, first", .6f, 0, 0},
    k_enemy_mushroom{"enemy point, mushroom", 1, .5f, .95f};
constexpr Color k_enemy_line{"enemy path", 1, .5f, 0}, k_enemy_short_cut{"enemy path, mushroom", 1, .5f, .75f};
constexpr Color k_item{"item point", 0, .8f, 0}, k_item_first{"item point, first", 0, .4f, 0},
    k_item_no_stop{"item point, cannot stop", .75f, .75f, .75f};
constexpr Color k_item_line{"item path", .5f, 1, 0}, k_item_branch{"item path, branch", .8f, 1, .5f},
    k_item_low{"item path, low priority", .5f, 1, .8f};
constexpr Color k_check{"checkpoint", 0, 0, 1}, k_check_key{"checkpoint, key", 1, 0, 1},
    k_check_lap{"checkpoint, lap line", 1, .5f, 1};
constexpr Color k_respawn{"respawn", .55f, .55f, 0}, k_respawn_arrow{"respawn direction", .75f, .75f, 0};
constexpr Color k_object{"object", 1, 0, 1}, k_route{"route point", 0, .75f, .75f}, k_route_line{"route", .5f, 1, 1};
constexpr Color k_area_edge{"area edge", 1, .7f, 0};
constexpr Color k_camera{"camera", .5f, .1f, .7f}, k_cannon{"cannon target", 1, 0, 0}, k_end{"end point", .5f, 0, 1},
    k_kart{"kart", 1, .9f, .2f};

Value number(f32 x) { return number_value(Wire::f32, 0, std::bit_cast<u32>(x)); }
Value vector_to_json(const Vec3& v) {
  Value out = Value::list();
  for (f32 x : {v.x, v.y, v.z}) out.push(number(x));
  return out;
}
Value links_to_json(const std::array<u8, 6>& groups) {
  Value out = Value::list();
  for (u8 g : groups)
    if (g != k_no_link) out.push(g);
  return out;
}
Value enum_to_json(const EnumNames& words, i64 n) {
  const auto w = words.of(n);
  return w.empty() ? Value(n) : Value(w);
}
scene::Vec3 clamp_scale(const Vec3& v) {
  const auto axis = [](f32 x) { return std::isfinite(x) ? std::clamp(x, -1e4f, 1e4f) : 1.0f; };
  return {axis(v.x), axis(v.y), axis(v.z)};
}

class Builder {
 public:
  Builder(const Kmp& k, const SceneOptions& options) : k_(k), options_(options) {}
  scene::Scene build() &&;

 private:
  const Kmp& k_;
  const SceneOptions& options_;
  scene::Scene s_;
  std::map<std::string_view, Index> materials_;
  std::map<std::string, Index> shared_meshes_;
  std::vector<Index> object_nodes_;

  Index get_or_add_material(const Color& c) {
    const auto [i, fresh] = materials_.try_emplace(c.name, Index(s_.materials.size()));
    if (fresh) {
      Material m;
      m.name = c.name;
      m.color = scene::srgb_to_linear(scene::Vec4{c.r, c.g, c.b, c.a});
      m.double_sided = c.a < 1;
      m.alpha = c.a < 1 ? Material::Alpha::blend : Material::Alpha::opaque;
      s_.materials.push_back(std::move(m));
    }
    return i->second;
  }
  /// A primitive with one colour, filled by `f`.
  Primitive make_primitive(const Color& c, auto f) {
    Primitive p;
    p.material = get_or_add_material(c);
    f(p);
    return p;
  }
  Index add_mesh(std::string name, std::vector<Primitive> parts) {
    std::erase_if(parts, [](const Primitive& p) { return p.positions.empty(); });
    if (parts.empty()) return k_none;
    s_.meshes.push_back({std::move(name), std::move(parts)});
    return Index(s_.meshes.size() - 1);
  }
  /// A mesh that many nodes share, created once.
  Index get_or_add_mesh(const std::string& name, auto make) {
    const auto [i, fresh] = shared_meshes_.try_emplace(name, 0);
    if (fresh) i->second = add_mesh(name, make());
    return i->second;
  }
  Index sphere_mesh(const Color& c, f32 radius = k_point) {
    return get_or_add_mesh(
        c.name, [&] { return std::vector{make_primitive(c, [&](Primitive& p) { scene::add_sphere(p, radius); })}; });
  }
  /// A sphere with an arrow along +Z, for things that have a direction.
  Index pointer_mesh(const Color& ball, const Color& arrow) {
    return get_or_add_mesh(ball.name, [&] {
      return std::vector{make_primitive(ball, [&](Primitive& p) { scene::add_sphere(p, k_point); }),
                         make_primitive(arrow, [&](Primitive& p) { scene::add_arrow(p, k_pointer); })};
    });
  }
  Index add_node(std::string name, Index parent, const char* kind, std::string path, Index mesh = k_none) {
    Node n;
    n.name = std::move(name);
    n.parent = parent;
    n.mesh = mesh;
    n.extras = Value::object();
    n.extras.add("kind", kind);
    if (!path.empty()) n.extras.add("path", std::move(path));
    s_.nodes.push_back(std::move(n));
    return Index(s_.nodes.size() - 1);
  }
  void set_node_pose(Index i, const Vec3& position, const Vec3* rotation = nullptr) {
    Node& n = s_.nodes[i];
    n.translation = to_finite_position(position);
    if (rotation) n.rotation = rotation_from_degrees(*rotation);
    if (!is_finite(position)) n.extras.add("position", vector_to_json(position));
    if (rotation) n.extras.add("rotation", vector_to_json(*rotation));
  }
  Value& extra(Index i, std::string_view name, Value v) {
    return s_.nodes[i].extras.add(std::string(name), std::move(v));
  }
  void add_group_properties(Index n, const Group& g) {
    extra(n, "previous", links_to_json(g.previous));
    extra(n, "next", links_to_json(g.next));
    if (g.dispatch == std::array<u8, 2>{}) return;
    Value& dispatch = extra(n, "dispatch", Value::list());
    for (const u8 x : g.dispatch) dispatch.push(x);
  }
  static std::string entry(const char* section, size_t i) {
    return std::string(section) + ".entries[" + std::to_string(i) + "]";
  }
  static std::string numbered(const char* what, size_t i) { return std::string(what) + " " + std::to_string(i); }

  void add_start_points();
  void add_stage();
  template <class S>
  void add_paths(const char* kind, const std::optional<S>& points, const std::vector<Group>& groups,
                 const char* group_section, auto point_color, auto line_color, auto describe);
  void add_checkpoints();
  void add_objects();
  void add_object_animation(Index top, Index shape);
  void add_routes();
  void add_areas();
  void add_cameras();
  /// Adds a camera and the animation that moves it.
  void add_camera_animation(const char* name, const char* path, Index parent, PlayedCamera);
  void add_posed_entries();
  f32 checkpoint_height(const CheckPoint&) const;
  void add_ground_models();
};

// ---- start points, stage settings ----

void Builder::add_stage() {
  for (size_t i = 0; i < entries(k_.stgi).size(); ++i) {
    const Stage& s = k_.stgi->entries[i];
    const Index n = add_node("stage settings", k_none, "stage", entry("STGI", i));
    extra(n, "laps", s.laps);
    extra(n, "pole", enum_to_json(k_pole, s.pole));
    extra(n, "spacing", enum_to_json(k_spacing, s.spacing));
    extra(n, "flare_flash", enum_to_json(k_flare_flash, s.flare_flash));
    extra(n, "flare_color", s.flare_color);
    extra(n, "flare_alpha", s.flare_alpha);
    extra(n, "speed_modifier", s.speed_modifier);
  }
}

void Builder::add_start_points() {
  const auto& points = entries(k_.ktpt);
  if (points.empty()) return;
  const Index group = add_node("start points", k_none, "section", "KTPT");
  extra(group, scene::k_framed, true);
  const Index shape = pointer_mesh(k_start_color, k_start_arrow);
  for (size_t i = 0; i < points.size(); ++i) {
    const Index n = add_node(numbered("start", i), group, "start point", entry("KTPT", i), shape);
    set_node_pose(n, points[i].position, &points[i].rotation);
    extra(n, "player", points[i].player);
  }
  if (guess_course_kind(k_).arena) return;
  const auto [right, narrow] = grid_shape(k_);
  const Index grid = add_node("start grid", group, "start grid", entry("KTPT", 0));
  extra(grid, "pole", right ? "right" : "left");
  extra(grid, "spacing", narrow ? "narrow" : "wide");
  const Index marker = get_or_add_mesh(k_grid_color.name, [&] {
    return std::vector{make_primitive(k_grid_color, [&](Primitive& p) { scene::add_arrow(p, {400, 60, 200, 140}); })};
  });
  size_t rank = 0;
  for (const scene::Vec3& at : start_grid(points[0], right, narrow)) {
    const Index n = add_node(numbered("grid place", ++rank), grid, "grid place", "", marker);
    s_.nodes[n].translation = at;
    s_.nodes[n].rotation = rotation_from_degrees(points[0].rotation);
    extra(n, "rank", u64(rank));
  }
}

// ---- enemy and item paths ----

template <class S>
void Builder::add_paths(const char* kind, const std::optional<S>& section, const std::vector<Group>& groups,
                        const char* group_section, auto point_color, auto line_color, auto describe) {
  const auto& points = entries(section);
  if (points.empty()) return;
  const std::string point_kind = std::string(kind) + " point";
  const Index top = add_node(std::string(kind) + " paths", k_none, "section", S::k_name);
  extra(top, scene::k_framed, true);
  const auto at = [&](size_t i) { return to_finite_position(points[i].position); };
  const auto add_point = [&](size_t i, Index parent) {
    const Index n = add_node(numbered(point_kind.c_str(), i), parent,
                             std::string_view(kind) == "enemy" ? "enemy point" : "item point", entry(S::k_name, i),
                             sphere_mesh(point_color(points[i], i)));
    set_node_pose(n, points[i].position);
    describe(n, points[i]);
  };
  std::vector<bool> grouped(points.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    const PointRun run = group_point_range(groups[g], points.size());
    const Index n = add_node(numbered((std::string(kind) + " path").c_str(), g), top,
                             std::string_view(kind) == "enemy" ? "enemy path" : "item path", entry(group_section, g));
    add_group_properties(n, groups[g]);
    std::map<std::string_view, Primitive> lines;  // by name: the order must not depend on addresses
    std::vector<scene::Vec3> way;                 // the current run of one colour
    const Color* way_color = nullptr;
    const auto get_or_add_line_primitive = [&](const Color& c) -> Primitive& {
      const auto [i, fresh] = lines.try_emplace(c.name);
      if (fresh) i->second.material = get_or_add_material(c);
      return i->second;
    };
    const auto flush_line_segment = [&](f32 radius) {
      if (!way.empty()) scene::add_tube(get_or_add_line_primitive(*way_color), way, radius, {}, k_line_sides);
      way.clear();
    };
    const auto line = [&](size_t from, size_t to, const Color& c, bool link) {
      if (link || way_color != &c) flush_line_segment(k_line);
      way_color = &c;
      if (way.empty()) way.push_back(at(from));
      way.push_back(at(to));
      if (link) flush_line_segment(k_line / 2);
      const f32 length = f32(scene::distance(at(from), at(to)));
      if (length > k_cone_length)
        scene::add_cone(get_or_add_line_primitive(c), scene::lerp(at(from), at(to), 1 - k_cone_length / length), at(to),
                        k_cone_radius, {}, k_cone_sides);
    };
    for (size_t i = run.first; i < run.end; ++i) {
      if (!grouped[i]) add_point(i, n);
      grouped[i] = true;
      if (i + 1 < run.end) line(i, i + 1, line_color(points[i + 1], groups[g], false), false);
    }
    if (!run.is_empty())
      for (size_t l = 0; l < groups[g].next.size(); ++l) {
        const u8 group = groups[g].next[l];
        const auto to = find_group_entrance(groups, group, points.size());
        if (to && groups[group].count) line(run.end - 1, *to, line_color(points[*to], groups[group], l > 0), true);
      }
    flush_line_segment(k_line);
    std::vector<Primitive> parts;
    for (auto& [name, l] : lines) parts.push_back(std::move(l));
    s_.nodes[n].mesh = add_mesh(numbered((std::string(kind) + " path").c_str(), g), std::move(parts));
  }
  for (size_t i = 0; i < points.size(); ++i)
    if (!grouped[i]) add_point(i, top);
}

// ---- checkpoints ----

/// Checkpoints have no height, so they take that of their respawn point, else of the nearest enemy point.
f32 Builder::checkpoint_height(const CheckPoint& c) const {
  const auto& respawns = entries(k_.jgpt);
  if (c.respawn < respawns.size()) return to_finite_position(respawns[c.respawn].position)[1];
  const scene::Vec3 left = to_finite_position({c.left.x, 0, c.left.z}),
                    right = to_finite_position({c.right.x, 0, c.right.z});
  return nearest_path_height(k_, scene::lerp(left, right, 0.5f));
}

void Builder::add_checkpoints() {
  const auto& points = entries(k_.ckpt);
  if (points.empty()) return;
  const auto& groups = entries(k_.ckph);
  const Index top = add_node("checkpoints", k_none, "section", "CKPT");
  extra(top, scene::k_framed, true);
  std::vector<f32> heights;
  for (const CheckPoint& c : points) heights.push_back(checkpoint_height(c));
  const auto left = [&](size_t i) { return to_finite_position({points[i].left.x, heights[i], points[i].left.z}); };
  const auto right = [&](size_t i) { return to_finite_position({points[i].right.x, heights[i], points[i].right.z}); };
  const auto raised = [](scene::Vec3 v, f32 y) {
    v[1] += y;
    return v;
  };
  const auto color = [&](size_t i) -> const Color& {
    const CheckKind kind = kind_of(points[i]);
    return kind == CheckKind::lap_line ? k_check_lap : kind == CheckKind::key ? k_check_key : k_check;
  };
  std::vector<std::vector<size_t>> next(points.size());
  std::vector<Index> parent(points.size(), top);
  for (size_t g = 0; g < groups.size(); ++g) {
    const Index n = add_node(numbered("check path", g), top, "check path", entry("CKPH", g));
    add_group_properties(n, groups[g]);
    const PointRun run = group_point_range(groups[g], points.size());
    for (size_t i = run.first; i < run.end; ++i) {
      parent[i] = n;
      if (i + 1 < run.end) next[i].push_back(i + 1);
    }
    if (!run.is_empty())
      for (const u8 group : groups[g].next)
        if (const auto to = find_group_entrance(groups, group, points.size())) next[run.end - 1].push_back(*to);
  }
  const std::vector<LapPart> parts_of_lap = compute_lap_parts(k_);
  for (size_t i = 0; i < points.size(); ++i) {
    const Color& c = color(i);
    const CheckKind kind = kind_of(points[i]);
    const bool is_lap = kind == CheckKind::lap_line, is_key = kind == CheckKind::key;
    const char* what = is_lap ? "lap line" : is_key ? "key checkpoint" : "checkpoint";
    const Index n = add_node(numbered(what, i), parent[i], "checkpoint", entry("CKPT", i));
    extra(n, "type", k_check_kind_names[size_t(kind)]);
    if (is_key) extra(n, "key", points[i].type);
    if (const LapPart& part = parts_of_lap[i]; part.group) {
      extra(n, "part_of_lap", part.before);
      extra(n, k_label_extra, numbered(what, i) + ", " + percent(part.before));
    }
    Value handles = Value::list();  // its values that are positions
    handles.push("left"), handles.push("right");
    extra(n, "handles", std::move(handles));
    for (const auto& [name, end] : {std::pair("left", points[i].left), {"right", points[i].right}}) {
      Value& at = extra(n, name, Value::list());
      at.push(number(end.x)), at.push(number(end.z));
    }
    if (names_respawn(points[i])) extra(n, "respawn", points[i].respawn);
    const scene::Vec3 a = left(i), b = right(i);
    // All three colours share one vertex list, and all checkpoints share the triangles, so a file contains both once.
    Primitive bar;
    scene::add_sphere(bar, k_point, {.at = a}, -1);
    scene::add_sphere(bar, k_point, {.at = b}, -1);
    scene::add_tube(bar, std::array{a, b}, k_line, {}, k_line_sides);
    // the forward direction: facing it, "left" is on the left
    const scene::Vec3 ahead = scene::unit(f64(b[2]) - a[2], 0, f64(a[0]) - b[0], scene::k_axis_z);
    const scene::Vec3 middle = scene::lerp(a, b, 0.5f);
    scene::add_cone(bar, middle, scene::add(middle, scene::mul(ahead, k_cone_length)), k_cone_radius, {}, k_cone_sides);
    const size_t panel_from = bar.indices.size();
    scene::add_quad(bar, {raised(a, -k_panel_below), raised(b, -k_panel_below), raised(b, k_panel_above),
                          raised(a, k_panel_above)});
    const size_t floor_from = bar.indices.size();
    for (size_t to : next[i]) scene::add_quad(bar, {a, b, right(to), left(to)});
    Color panel = c;
    panel.a = .4f;
    panel.name = is_lap ? "lap line panel" : is_key ? "key panel" : "checkpoint panel";
    Color floor = c;
    floor.a = .2f;
    floor.name = is_lap ? "lap line quad" : is_key ? "key quad" : "checkpoint quad";
    std::vector<Primitive> parts;
    const auto add_part = [&](const Color& color, size_t from, size_t end) {
      if (from == end) return;
      Primitive& p = parts.emplace_back();
      p.material = get_or_add_material(color);
      p.positions = bar.positions;
      p.indices.assign(bar.indices.begin() + i64(from), bar.indices.begin() + i64(end));
    };
    add_part(c, 0, panel_from);
    add_part(panel, panel_from, floor_from);
    add_part(floor, floor_from, bar.indices.size());
    s_.nodes[n].mesh = add_mesh(numbered("checkpoint", i), std::move(parts));
  }
}

// ---- objects, routes, areas ----

void Builder::add_objects() {
  const auto& list = entries(k_.gobj);
  if (list.empty()) return;
  const Index top = add_node("objects", k_none, "section", "GOBJ");
  const Index shape = pointer_mesh(k_object, k_object);
  for (size_t i = 0; i < list.size(); ++i) {
    const Object& o = list[i];
    const ObjectKind* kind = object_kind(o.id);
    const bool is_named = kind || is_lecode_object(o.id) || is_lecode_definition(o.id);
    const Index n = add_node((is_named ? object_label(o.id) : numbered("object", o.id)) + " " + std::to_string(i), top,
                             "object", entry("GOBJ", i), shape);
    object_nodes_.push_back(n);
    set_node_pose(n, o.position, &o.rotation);
    s_.nodes[n].scale = clamp_scale(o.scale);
    extra(n, "id", o.id);
    if (o.reference) extra(n, "reference", o.reference);
    if (kind && !kind->model.empty()) extra(n, "model", kind->model);
    extra(n, "scale", vector_to_json(o.scale));
    if (o.route != k_no_route) extra(n, "route", o.route);
    Value& settings = extra(n, "settings", Value::list());
    for (u16 x : o.settings) settings.push(x);
    extra(n, "presence", o.presence);
  }
  add_object_animation(top, shape);
}

/// Adds copies of moving objects, visible only during the animation; the objects themselves stay at their positions.
void Builder::add_object_animation(Index top, Index shape) {
  auto moving = animate_moving_objects(k_);
  if (moving.empty()) return;
  scene::Animation a;
  a.name = "objects on routes";
  for (MovingObject& m : moving) {
    const Index n = add_node("moving " + s_.nodes[top + 1 + m.object].name, top, k_moving_object, "", shape);
    s_.nodes[n].translation = m.places[0];
    s_.nodes[n].scale = clamp_scale(entries(k_.gobj)[m.object].scale);
    s_.nodes[n].visible = false;
    extra(n, "object", u64(m.object));
    std::vector<scene::Vec4> values;
    for (const scene::Vec3& at : m.places) values.push_back({at[0], at[1], at[2], 0});
    a.channels.push_back({.node = n,
                          .target = scene::Channel::Target::translation,
                          .interpolation = scene::Channel::Interpolation::linear,
                          .times = std::move(m.times),
                          .values = std::move(values)});
    a.visibility_channels.push_back({.node = n, .times = {0}, .visible = {1}});
  }
  s_.animations.push_back(std::move(a));
}

void Builder::add_routes() {
  const auto& list = entries(k_.poti);
  if (list.empty()) return;
  const Index top = add_node("routes", k_none, "section", "POTI");
  for (size_t i = 0; i < list.size(); ++i) {
    const Route& r = list[i];
    const RouteCurve curve = build_route_curve(r, k_curve_steps);
    const Index n = add_node(numbered("route", i), top, "route", entry("POTI", i));
    extra(n, "smooth", r.smooth != 0);
    extra(n, "back_and_forth", r.back_and_forth != 0);
    s_.nodes[n].mesh = add_mesh(numbered("route", i), {make_primitive(k_route_line, [&](Primitive& p) {
                                  scene::add_tube(p, curve.points, k_line / 2, {}, k_line_sides);
                                })});
    for (size_t j = 0; j < r.points.size(); ++j) {
      const Index point = add_node(numbered("route", i) + " " + numbered("point", j), n, "route point",
                                   entry("POTI", i) + ".points[" + std::to_string(j) + "]", sphere_mesh(k_route, 100));
      set_node_pose(point, r.points[j].position);
      extra(point, "speed", r.points[j].speed);
      extra(point, "extra", r.points[j].extra);
    }
  }
}

void Builder::add_areas() {
  const auto& list = entries(k_.area);
  if (list.empty()) return;
  const Index top = add_node("areas", k_none, "section", "AREA");
  for (size_t i = 0; i < list.size(); ++i) {
    const Area& a = list[i];
    const bool cylinder = a.shape == 1;
    const auto word = k_area_types.of(a.type);
    const Index shape = get_or_add_mesh(cylinder ? "area cylinder" : "area box", [&] {
      // As edges: areas are larger than the course, and faces would hide it.
      return std::vector{make_primitive(k_area_edge, [&](Primitive& p) {
        p.shape = Primitive::Shape::lines;
        if (cylinder)
          scene::add_cylinder_edges(p, k_area_half, k_area_half, 0, k_area_high);
        else
          scene::add_box_edges(p, {-k_area_half, 0, -k_area_half}, {k_area_half, k_area_high, k_area_half});
      })};
    });
    // Some type names are also names of other parts of a course, such as camera.
    const Index n = add_node(numbered("area", i) + " " + (word.empty() ? numbered("type", a.type) : std::string(word)),
                             top, "area", entry("AREA", i), shape);
    set_node_pose(n, a.position, &a.rotation);
    s_.nodes[n].scale = clamp_scale(a.scale);
    extra(n, "shape", enum_to_json(k_area_shapes, a.shape));
    extra(n, "type", enum_to_json(k_area_types, a.type));
    extra(n, "priority", a.priority);
    extra(n, "scale", vector_to_json(a.scale));
    if (a.type == 0 || a.camera != k_no_link) extra(n, "camera", a.camera);
    extra(n, "setting_1", a.setting_1);
    extra(n, "setting_2", a.setting_2);
    if (a.route != k_no_link) extra(n, "route", a.route);
    if (a.enemy_point != k_no_link) extra(n, "enemy_point", a.enemy_point);
  }
}

// ---- cameras ----

void Builder::add_cameras() {
  const auto& list = entries(k_.came);
  if (list.empty()) return;
  const Index top = add_node("cameras", k_none, "section", "CAME");
  extra(top, "opening", k_.came->header.opening);
  extra(top, "selection", k_.came->header.selection);
  const scene::Vec3 start =
      entries(k_.ktpt).empty() ? scene::Vec3{0, 0, 0} : to_finite_position(entries(k_.ktpt)[0].position);
  for (size_t i = 0; i < list.size(); ++i) {
    const Camera& c = list[i];
    const Index n = add_node(numbered("camera", i), top, "camera", entry("CAME", i));
    set_node_pose(n, c.position);
    // Cameras that look at the kart are turned to the start.
    const scene::Vec3 target = has_view(c) ? to_finite_position(c.view_begin) : start;
    s_.nodes[n].rotation = scene::look_at(s_.nodes[n].translation, target);
    s_.nodes[n].camera = Index(s_.cameras.size());
    s_.cameras.push_back(
        {.name = numbered("camera", i), .vertical_fov = fov_in_radians(c.zoom_begin), .near = 10, .far = 500000});
    extra(n, "type", enum_to_json(k_camera_types, c.type));
    extra(n, "rotation", vector_to_json(c.rotation));
    if (c.next != k_no_link) extra(n, "next", c.next);
    if (c.route != k_no_link) extra(n, "route", c.route);
    extra(n, "zoom", [&] {
      Value v = Value::list();
      v.push(number(c.zoom_begin));
      v.push(number(c.zoom_end));
      v.push(c.zoom_speed);
      return v;
    }());
    extra(n, "view_begin", vector_to_json(c.view_begin));
    extra(n, "view_end", vector_to_json(c.view_end));
    extra(n, "view_speed", c.view_speed);
    for (const auto& [name, value] :
         {std::pair("route_speed", u32(c.route_speed)), {"shake", c.shake}, {"start", c.start}, {"movie", c.movie}})
      if (value) extra(n, name, value);
    extra(n, "frames", number(c.time));
    add_node(numbered("camera", i) + " body", n, "camera body", "", get_or_add_mesh(k_camera.name, [&] {
               return std::vector{
                   make_primitive(k_camera, [&](Primitive& p) {  // next to the lens, so that the camera does not see it
                     scene::add_box(p, {-100, -100, 60}, {100, 100, 400});
                     scene::add_cone(p, scene::Vec3{0, 0, 60}, scene::Vec3{0, 0, 10}, 90);
                   })};
             }));
  }
  add_camera_animation("opening pan", "CAME.opening", top, build_opening_pan(k_));
  add_camera_animation("replay", "", top, build_replay(k_));
}

void Builder::add_camera_animation(const char* name, const char* path, Index parent, PlayedCamera played) {
  if (played.times.size() < 2) return;
  const Index n = add_node(name, parent, name, path);
  s_.nodes[n].translation = played.eyes[0];
  s_.nodes[n].rotation = played.rotations[0];
  s_.nodes[n].camera = Index(s_.cameras.size());
  s_.cameras.push_back({.name = name, .vertical_fov = played.fovs[0], .near = 10, .far = 500000});
  Value& cuts = extra(n, "cuts", Value::list());
  for (const PlayedCamera::Cut& c : played.cuts) {
    Value& cut = cuts.push(Value::object());
    cut.add("camera", u64(c.camera));
    cut.add("seconds", c.seconds);
  }
  using Target = scene::Channel::Target;
  const auto channel = [&](Target target) {
    return scene::Channel{.node = n,
                          .target = target,
                          .interpolation = scene::Channel::Interpolation::linear,
                          .times = played.times,
                          .values = {}};
  };
  scene::Animation& a = s_.animations.emplace_back();
  a.name = name;
  a.channels = {channel(Target::translation), channel(Target::rotation)};
  for (const scene::Vec3& eye : played.eyes) a.channels[0].values.push_back({eye[0], eye[1], eye[2], 0});
  a.channels[1].values = std::move(played.rotations);
  scene::FovChannel& zoom = a.fov_channels.emplace_back();
  zoom.camera = s_.nodes[n].camera;
  zoom.times = std::move(played.times);
  zoom.values = std::move(played.fovs);
  if (played.karts.empty()) return;
  const Index kart = add_node("kart", parent, "kart", "", sphere_mesh(k_kart));
  s_.nodes[kart].visible = false;
  scene::Animation& b = s_.animations.back();
  b.channels.push_back(b.channels[0]);
  b.channels.back().node = kart;
  b.channels.back().values.clear();
  for (const scene::Vec3& at : played.karts) b.channels.back().values.push_back({at[0], at[1], at[2], 0});
  b.visibility_channels.push_back({.node = kart, .times = {0}, .visible = {1}});
}

// ---- respawns, cannons, end points ----

void Builder::add_posed_entries() {
  const auto all = [&](const auto& section, const char* title, const char* kind, Index shape, auto describe) {
    const auto& list = entries(section);
    if (list.empty()) return;
    const char* name = std::remove_cvref_t<decltype(*section)>::k_name;
    const Index top = add_node(title, k_none, "section", name);
    for (size_t i = 0; i < list.size(); ++i) {
      const Index n = add_node(numbered(kind, i), top, kind, entry(name, i), shape);
      set_node_pose(n, list[i].position, &list[i].rotation);
      describe(n, list[i]);
    }
  };
  if (!entries(k_.jgpt).empty())
    all(k_.jgpt, "respawns", "respawn",
        get_or_add_mesh(k_respawn.name,
                        [&] {
                          return std::vector{
                              make_primitive(k_respawn, [&](Primitive& p) { scene::add_sphere(p, k_point); }),
                              make_primitive(k_respawn_arrow, [&](Primitive& p) {
                                scene::add_arrow(p, k_pointer);
                                scene::add_sphere_grid(
                                    p, 4, 3, 300, 50, {.at = {0, 550, 0}});  // the position of the karts in a full room
                              })};
                        }),
        [&](Index n, const Respawn& r) {
          if (r.sound_trigger != -1) extra(n, "sound_trigger", r.sound_trigger);
        });
  if (!entries(k_.cnpt).empty())
    all(k_.cnpt, "cannon targets", "cannon target", pointer_mesh(k_cannon, k_cannon),
        [&](Index n, const Cannon& c) { extra(n, "effect", enum_to_json(k_cannon_effects, c.effect)); });
  if (!entries(k_.mspt).empty())
    all(k_.mspt, "end points", "end point", pointer_mesh(k_end, k_end), [&](Index n, const EndPoint& e) {
      if (e.unk_1a) extra(n, "unk_1a", e.unk_1a);
    });
}

// ---- the course model and its collision ----

void Builder::add_ground_models() {
  const auto add = [&](const Companion& file, Result<SceneResult> staged, const char* name, const char* kind,
                       bool visible) {
    if (!staged) return false;
    Node below;
    below.name = name;
    below.visible = visible;
    below.extras = Value::object();
    below.extras.add("kind", kind);
    below.extras.add("file", file.name);
    scene::append_scene(s_, std::move(staged->scene), std::move(below));
    return true;
  };
  const auto scene_of = [&](const Companion& file, auto make) {
    return options_.companion_scenes ? options_.companion_scenes->get(*file.document, make) : make();
  };
  const Companion* const model = find_course_model(options_.companions);
  const bool has_model =
      model &&
      add(*model,
          scene_of(*model, [&] { return brres::to_scene(value_of<brres::Brres>(*model->document), options_.sources); }),
          "model", "model file", true);
  if (const Companion* const c = find_collision_companion(options_.companions))
    add(*c,
        scene_of(*c,
                 [&]() -> Result<SceneResult> {
                   return kcl::to_scene(value_of<kcl::Kcl>(*c->document), options_.sources, kcl::Drawn::visible);
                 }),
        "collision", "collision file", !has_model);
}

scene::Scene Builder::build() && {
  s_.name = "course";
  s_.metres_per_unit = f32(k_metres);
  s_.extras = Value::object();
  s_.extras.add("format", "kmp");
  s_.extras.add("info", info(k_));
  add_start_points();
  add_paths(
      "enemy", k_.enpt, entries(k_.enph), "ENPH",
      [](const EnemyPoint& p, size_t i) -> const Color& {
        return uses_mushroom(p) ? k_enemy_mushroom : i == 0 ? k_enemy_first : k_enemy;
      },
      [](const EnemyPoint& to, const Group&, bool) -> const Color& {
        return is_entered_with_mushroom(to) ? k_enemy_short_cut : k_enemy_line;
      },
      [&](Index n, const EnemyPoint& p) {
        extra(n, "deviation", number(p.deviation));
        extra(n, "mode", enum_to_json(k_enemy_modes, p.mode));
        extra(n, "drift", enum_to_json(k_enemy_drift, p.drift));
        if (p.flags) extra(n, "flags", p.flags);
      });
  add_paths(
      "item", k_.itpt, entries(k_.itph), "ITPH",
      [](const ItemPoint& p, size_t i) -> const Color& {
        return holds_bullets(p) ? k_item_no_stop : i == 0 ? k_item_first : k_item;
      },
      [](const ItemPoint& to, const Group&, bool branch) -> const Color& {
        return has_low_priority(to) ? k_item_low : branch ? k_item_branch : k_item_line;
      },
      [&](Index n, const ItemPoint& p) {
        extra(n, "range", number(p.range));
        extra(n, "height", enum_to_json(k_item_height, p.height));
        if (p.flags) extra(n, "flags", p.flags);
      });
  add_checkpoints();
  add_objects();
  add_routes();
  add_areas();
  add_cameras();
  add_posed_entries();
  add_stage();
  add_ground_models();
  // The model replaces the ball of other objects; an arrow shows its direction.
  for (const Index n : add_object_models(s_, entries(k_.gobj), object_nodes_, options_))
    s_.nodes[n].mesh = get_or_add_mesh("object direction", [&] {
      return std::vector{make_primitive(k_object, [&](Primitive& p) { scene::add_arrow(p, k_pointer); })};
    });
  return std::move(s_);
}

}  // namespace

scene::Scene to_scene(const Kmp& k, const SceneOptions& options) { return Builder(k, options).build(); }

}  // namespace dio::kmp
