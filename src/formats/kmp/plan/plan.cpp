// plan.cpp: draws a course from above, section by section. Facts and their sources: README.md.
#include "core/text_format.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/plan/footprint.hpp"
#include "formats/kmp/plan/plan_styles.hpp"
#include "formats/kmp/scene/start_grid.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

namespace {

using namespace scene;
using Sample = LegendRow::Sample;
using Form = PlanMarker::Form;

constexpr f64 k_deviation = 50, k_range = 10;  // units a step
constexpr size_t k_most_groups = 255;          // that can be linked; more could each name all points
constexpr size_t k_most_steps = 4000;          // of a route, in the search for the step nearest to an object

std::string id_of(std::string_view section, size_t i) { return std::string(section) + "-" + std::to_string(i); }
/// CKPT[3]
std::string path_of(std::string_view section, size_t i) { return std::string(section) + "[" + std::to_string(i) + "]"; }
std::string format_rounded(f32 x) {
  return std::isfinite(x) ? std::to_string(std::llround(std::clamp(x, -1e9f, 1e9f))) : format_real(f64(x), true);
}
std::string where(const Vec3& v) {
  return "\nx " + format_rounded(v.x) + ", y " + format_rounded(v.y) + ", z " + format_rounded(v.z);
}
std::string format_group_list(const std::array<u8, 6>& groups) {
  std::string out;
  for (const u8 g : groups)
    if (g != k_no_link) out += (out.empty() ? "" : ", ") + std::to_string(g);
  return out.empty() ? "none" : out;
}
f64 steps(f32 x) { return std::isfinite(x) ? std::clamp(f64(x), 0.0, 1000.0) : 0; }
f64 squared(const PlanPoint& a, const PlanPoint& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}
PlanPoint between(const PlanPoint& a, const PlanPoint& b) { return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}; }

PlanShape line(PlanStyleOf ink, std::vector<PlanPoint> run, bool has_arrows = false) {
  return {index_of(ink), {std::move(run)}, false, has_arrows};
}
PlanShape field(PlanStyleOf ink, std::vector<PlanPoint> run) { return {index_of(ink), {std::move(run)}, true, false}; }
PlanMarker make_sign(PlanStyleOf ink, Form form, const PlanPoint& at, f32 radius) {
  return {.ink = index_of(ink), .form = form, .at = at, .radius = radius};
}
PlanMarker make_pointer_sign(PlanStyleOf ink, Form form, const PlanPoint& at, f32 radius, const Vec3& rotation,
                             f32 length) {
  return {index_of(ink), form, at, radius, plan_heading(rotation), length};
}
PlanName make_name(PlanStyleOf ink, std::string text, const PlanPoint& at, int rank, f32 size = 10, f32 gap = 6) {
  return {
      .text = std::move(text), .ink = index_of(ink), .places = {{.at = at, .gap = gap}}, .size = size, .rank = rank};
}
LegendRow make_legend_row(Sample sample, PlanStyleOf ink, std::string text, size_t count) {
  return {sample, index_of(ink), std::move(text), std::to_string(count)};
}
LegendRow make_legend_row(Sample sample, PlanStyleOf ink, std::string text) {
  return {sample, index_of(ink), std::move(text), {}};
}

class Drawing {
 public:
  Drawing(const Kmp& k, const PlanOptions& options) : k_(k), options_(options), kind_(guess_course_kind(k)) {}
  Plan draw() &&;

 private:
  const Kmp& k_;
  const PlanOptions& options_;
  const CourseKind kind_;
  Plan plan_;

  template <class S>
  PlanLayer& add_layer(const std::optional<S>& section, const char* what) {
    PlanLayer& l = plan_.layers.emplace_back();
    l.id = S::k_name;
    l.name = what;
    l.count = std::to_string(entries(section).size());
    return l;
  }
  void include_in_bounds(const PlanPoint& p) { plan_.matters.push_back(p); }

  std::string summarize_course() const;
  void draw_starts();
  template <class S, class D>
  void draw_paths(const std::optional<S>& points, const std::vector<Group>& groups, const D&);
  void draw_enemies();
  void draw_items();
  void draw_checkpoints();
  void draw_respawns();
  void draw_objects();
  void draw_routes();
  void draw_areas();
  void draw_cameras();
  void draw_cannons();
  void draw_end_points();
  void draw_roads();
};

// ---- areas ----

void Drawing::draw_areas() {
  PlanLayer& l = add_layer(k_.area, "areas");
  std::array<size_t, 256> counts{};
  const auto& list = entries(k_.area);
  // Many areas overlap; together they must not hide the course.
  const u8 alpha = u8(std::clamp<size_t>(80 / std::max<size_t>(list.size(), 1), 3, 12));
  for (const PlanStyleOf i : {PlanStyleOf::area, PlanStyleOf::area_fall}) (*plan_.inks[index_of(i)].fill)[3] = alpha;
  for (size_t i = 0; i < list.size(); ++i) {
    const Area& a = list[i];
    ++counts[a.type];
    const PlanStyleOf ink = a.type == 10 ? PlanStyleOf::area_fall : PlanStyleOf::area;
    const std::string type = enum_name_or_number(k_area_types, a.type);
    PlanItem item{.id = id_of("AREA", i)};
    item.title = path_of("AREA", i) + " " + type + ", " + enum_name_or_number(k_area_shapes, a.shape) + ", priority " +
                 std::to_string(a.priority);
    if (a.type == 0 && a.camera != k_no_link) item.title += ", camera " + std::to_string(a.camera);
    if (a.route != k_no_link && a.type == 3) item.title += ", route " + std::to_string(a.route);
    if (a.type == 4) item.title += ", enemy point " + std::to_string(a.enemy_point);
    item.title += ", settings " + std::to_string(a.setting_1) + " " + std::to_string(a.setting_2);
    if (const std::string condition = fall_condition(a); !condition.empty())
      item.title += ", with LE-CODE or Pulsar active " + condition;
    item.title += where(a.position);
    std::vector<PlanPoint> outline = area_outline(a);
    PlanName n{.text = type + " " + std::to_string(i),
               .ink = index_of(PlanStyleOf::area_name),
               .places = {},
               .size = 8.5f,
               .rank = 4};
    const PlanPoint middle = plan_point(a.position);
    const size_t every = std::max<size_t>(1, outline.size() / 4);
    for (size_t p = 0; p < outline.size(); p += every) {  // at a corner, inside
      const PlanPoint& corner = outline[p];
      n.places.push_back({corner, {middle[0] - corner[0], middle[1] - corner[1]}, 3});
    }
    item.names.push_back(std::move(n));
    item.shapes.push_back(field(ink, std::move(outline)));
    l.items.push_back(std::move(item));
  }
  for (size_t type = 0; type < counts.size(); ++type)
    if (counts[type])
      l.legend.push_back(make_legend_row(Sample::field, type == 10 ? PlanStyleOf::area_fall : PlanStyleOf::area,
                                         enum_name_or_number(k_area_types, i64(type)), counts[type]));
}

// ---- checkpoints ----

void Drawing::draw_checkpoints() {
  PlanLayer& l = add_layer(k_.ckpt, "checkpoints");
  const auto& points = entries(k_.ckpt);
  const auto& groups = entries(k_.ckph);
  const auto left = [&](size_t i) { return plan_point({points[i].left.x, 0, points[i].left.z}); };
  const auto right = [&](size_t i) { return plan_point({points[i].right.x, 0, points[i].right.z}); };
  const std::vector<LapPart> parts = compute_lap_parts(k_);
  std::array<size_t, 4> counts{};  // normal, key, lap, neither
  const auto drawn = [&](size_t i) {
    const CheckPoint& c = points[i];
    const CheckKind kind = kind_of(c);
    const auto what = size_t(kind);
    const bool is_lap = kind == CheckKind::lap_line, is_key = kind == CheckKind::key;
    ++counts[what];
    constexpr PlanStyleOf inks[] = {PlanStyleOf::checkpoint, PlanStyleOf::checkpoint_key, PlanStyleOf::checkpoint_lap,
                                    PlanStyleOf::checkpoint_neither};
    const PlanPoint a = left(i), b = right(i), middle = between(a, b);
    include_in_bounds(a), include_in_bounds(b);
    PlanItem item{.id = id_of("CKPT", i)};
    const std::string key = std::to_string(c.type);
    item.title = path_of("CKPT", i) + (is_lap                       ? " lap line"
                                       : is_key                     ? " key " + key
                                       : kind == CheckKind::neither ? " type " + key + ", neither key nor normal"
                                                                    : "");
    item.title += names_respawn(c) ? ", respawn " + std::to_string(c.respawn) : ", keeps the last respawn";
    if (parts[i].group)
      item.title += "\nat " + percent(parts[i].before) + " of the lap, " + percent(parts[i].size) + " long";
    item.title += "\nleft " + format_rounded(c.left.x) + ", " + format_rounded(c.left.z) + "; right " +
                  format_rounded(c.right.x) + ", " + format_rounded(c.right.z);
    item.shapes.push_back(line(inks[what], {a, b}));
    if (is_lap) item.shapes.push_back(line(PlanStyleOf::checkpoint_lap_checks, {a, b}));
    // Forward is on the right of the direction from right to left.
    const f64 x = b[1] - a[1], z = a[0] - b[0], length = std::sqrt(x * x + z * z);
    if (length > 0) {
      PlanMarker ahead{.ink = index_of(inks[what]),
                       .form = Form::arrow,
                       .at = middle,
                       .radius = kind == CheckKind::normal ? 2.4f : 4};
      ahead.heading = PlanPoint{x / length, z / length};
      item.signs.push_back(ahead);
    }
    PlanName n{.text = std::to_string(i),
               .ink = index_of(PlanStyleOf::checkpoint_name),
               .places = {},
               .size = 9.5f,
               .rank = 24};
    if (is_lap) n.text += " lap", n.ink = index_of(PlanStyleOf::lap_name), n.rank = 60;
    if (is_key) n.text += " key " + key, n.ink = index_of(PlanStyleOf::key_name), n.rank = 50;
    if (is_key || is_lap) n.size = 11, n.is_bold = true;
    n.places = {{a, {a[0] - b[0], a[1] - b[1]}, 3}, {b, {b[0] - a[0], b[1] - a[1]}, 3}};
    item.names.push_back(std::move(n));
    return item;
  };
  std::vector<bool> grouped(points.size());
  for (size_t g = 0; g < std::min(groups.size(), k_most_groups); ++g) {
    const auto [first, end] = group_point_range(groups[g], points.size());
    PlanItem group{.id = id_of("CKPH", g)};
    group.title = path_of("CKPH", g) + " previous " + format_group_list(groups[g].previous) + "; next " +
                  format_group_list(groups[g].next);
    PlanShape quads{
        .ink = index_of(PlanStyleOf::quad_0) + Index(g % 6), .runs = {}, .is_closed = true, .has_arrows = false};
    const auto quad = [&](size_t from, size_t to) {
      quads.runs.push_back({left(from), right(from), right(to), left(to)});
    };
    for (size_t i = first; i + 1 < end; ++i) quad(i, i + 1);
    if (first < end)
      for (const u8 group_after : groups[g].next)
        if (const auto to = find_group_entrance(groups, group_after, points.size())) quad(end - 1, *to);
    if (!quads.runs.empty()) group.shapes.push_back(std::move(quads));
    for (size_t i = first; i < end; ++i) {
      if (!grouped[i]) group.items.push_back(drawn(i));
      grouped[i] = true;
    }
    l.items.push_back(std::move(group));
  }
  for (size_t i = 0; i < points.size(); ++i)
    if (!grouped[i]) l.items.push_back(drawn(i));
  if (counts[2]) l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::checkpoint_lap, "lap line", counts[2]));
  if (counts[1]) l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::checkpoint_key, "key", counts[1]));
  if (counts[0]) l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::checkpoint, "normal", counts[0]));
  if (counts[3])
    l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::checkpoint_neither, "neither", counts[3]));
  if (!groups.empty())
    l.legend.push_back(make_legend_row(Sample::field, PlanStyleOf::quad_0, "groups (CKPH)", groups.size()));
}

// ---- enemy and item paths ----

/// `d`: the style of this kind of path. Names of groups and links start with the names of the points.
template <class S, class D>
void Drawing::draw_paths(const std::optional<S>& section, const std::vector<Group>& groups, const D& d) {
  PlanLayer& l = add_layer(section, d.what);
  const auto& points = entries(section);
  const auto at = [&](size_t i) { return plan_point(points[i].position); };
  const auto drawn = [&](size_t i, bool is_first) {
    include_in_bounds(at(i));
    PlanItem item{.id = id_of(S::k_name, i)};
    item.title = path_of(S::k_name, i) + d.describe_point(points[i]) + where(points[i].position);
    item.signs.push_back(
        make_sign(d.point_ink(points[i], is_first), Form::disc, at(i), is_first ? d.radius + 1 : d.radius));
    item.names.push_back(
        make_name(d.name_ink, std::to_string(i), at(i), is_first ? d.rank + 8 : d.rank, is_first ? 9.5f : 8, 4));
    item.names.back().is_bold = is_first;
    return item;
  };
  std::vector<bool> grouped(points.size());
  for (size_t g = 0; g < std::min(groups.size(), k_most_groups); ++g) {
    const auto [first, end] = group_point_range(groups[g], points.size());
    PlanItem group{.id = id_of(d.groups, g)};
    group.title = path_of(d.groups, g) + " previous " + format_group_list(groups[g].previous) + "; next " +
                  format_group_list(groups[g].next);
    if (groups[g].dispatch != std::array<u8, 2>{})
      group.title +=
          "; dispatch " + std::to_string(groups[g].dispatch[0]) + " " + std::to_string(groups[g].dispatch[1]);
    std::vector<std::pair<PlanPoint, f64>> wide;
    for (size_t i = first; i < end; ++i) wide.emplace_back(at(i), d.half_width(points[i]));
    PlanShape width{
        .ink = index_of(d.width_ink), .runs = make_ribbon_polygons(wide), .is_closed = true, .has_arrows = false};
    if (!width.runs.empty()) group.shapes.push_back(std::move(width));
    for (size_t i = first; i + 1 < end; ++i) {  // one line for each run of the same colour
      const PlanStyleOf ink = d.line_ink(points[i + 1]);
      std::vector<PlanPoint> run{at(i)};
      for (; i + 1 < end && d.line_ink(points[i + 1]) == ink; ++i) run.push_back(at(i + 1));
      --i;
      group.shapes.push_back(line(ink, std::move(run), true));
    }
    if (first < end)
      for (const u8 group_after : groups[g].next)
        if (const auto to = find_group_entrance(groups, group_after, points.size()))
          group.shapes.push_back(line(d.link_ink, {at(end - 1), at(*to)}, true));
    for (size_t i = first; i < end; ++i) {
      if (!grouped[i]) group.items.push_back(drawn(i, i == first));
      grouped[i] = true;
    }
    if (first < end) {
      const size_t middle = first + (end - first) / 2;
      group.names.push_back(
          make_name(d.name_ink, std::string(d.groups) + " " + std::to_string(g), at(middle), d.rank + 4, 9, 9));
    }
    l.items.push_back(std::move(group));
  }
  for (size_t i = 0; i < points.size(); ++i)
    if (!grouped[i]) l.items.push_back(drawn(i, false));
  d.add_legend_rows(l, points);
  if (!groups.empty())
    l.legend.push_back(
        make_legend_row(Sample::line, d.link_ink, "group links (" + std::string(d.groups) + ")", groups.size()));
}

struct EnemyStyle {
  const char *what = "enemy paths", *groups = "ENPH";
  PlanStyleOf name_ink = PlanStyleOf::enemy_name, width_ink = PlanStyleOf::enemy_width,
              link_ink = PlanStyleOf::enemy_link;
  int rank = 10;
  f32 radius = 2.6f;
  static f64 half_width(const EnemyPoint& p) { return k_deviation * steps(p.deviation); }
  static PlanStyleOf point_ink(const EnemyPoint& p, bool is_first) {
    return uses_mushroom(p) ? PlanStyleOf::enemy_mushroom
           : is_first       ? PlanStyleOf::enemy_first
                            : PlanStyleOf::enemy_point;
  }
  static PlanStyleOf line_ink(const EnemyPoint& to) {
    return is_entered_with_mushroom(to) ? PlanStyleOf::enemy_short_cut : PlanStyleOf::enemy_path;
  }
  static std::string describe_point(const EnemyPoint& p) {
    std::string out = " deviation " + format_rounded(p.deviation);
    if (p.mode) out += ", " + enum_name_or_number(k_enemy_modes, p.mode);
    if (p.drift) out += ", " + enum_name_or_number(k_enemy_drift, p.drift);
    return out;
  }
  static void add_legend_rows(PlanLayer& l, const std::vector<EnemyPoint>& points) {
    if (points.empty()) return;
    size_t entered = 0, boosted = 0;
    for (const EnemyPoint& p : points) entered += is_entered_with_mushroom(p), boosted += uses_mushroom(p);
    l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::enemy_path, "path"));
    l.legend.push_back(make_legend_row(Sample::field, PlanStyleOf::enemy_width, "deviation"));
    if (entered)
      l.legend.push_back(
          make_legend_row(Sample::line, PlanStyleOf::enemy_short_cut, "enter with mushroom only", entered));
    if (boosted)
      l.legend.push_back(make_legend_row(Sample::disc, PlanStyleOf::enemy_mushroom, "use mushroom", boosted));
  }
};

struct ItemStyle {
  const char *what = "item paths", *groups = "ITPH";
  PlanStyleOf name_ink = PlanStyleOf::item_name, width_ink = PlanStyleOf::item_width, link_ink = PlanStyleOf::item_link;
  int rank = 6;
  f32 radius = 1.7f;
  static f64 half_width(const ItemPoint& p) { return k_range * steps(p.range); }
  static PlanStyleOf point_ink(const ItemPoint& p, bool is_first) {
    return holds_bullets(p) ? PlanStyleOf::item_no_stop : is_first ? PlanStyleOf::item_first : PlanStyleOf::item_point;
  }
  static PlanStyleOf line_ink(const ItemPoint& to) {
    return has_low_priority(to) ? PlanStyleOf::item_low : PlanStyleOf::item_path;
  }
  static std::string describe_point(const ItemPoint& p) {
    std::string out = " range " + format_rounded(p.range) + ", " + enum_name_or_number(k_item_height, p.height);
    if (holds_bullets(p)) out += ", Bullet Bill cannot stop";
    if (has_low_priority(p)) out += ", low priority for shells";
    return out;
  }
  static void add_legend_rows(PlanLayer& l, const std::vector<ItemPoint>& points) {
    if (points.empty()) return;
    size_t held = 0, low = 0;
    for (const ItemPoint& p : points) held += holds_bullets(p), low += has_low_priority(p);
    l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::item_path, "path"));
    l.legend.push_back(make_legend_row(Sample::field, PlanStyleOf::item_width, "range of a Bullet Bill"));
    if (held)
      l.legend.push_back(make_legend_row(Sample::disc, PlanStyleOf::item_no_stop, "Bullet Bill cannot stop", held));
    if (low) l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::item_low, "low priority for shells", low));
  }
};

void Drawing::draw_enemies() { draw_paths(k_.enpt, entries(k_.enph), EnemyStyle{}); }
void Drawing::draw_items() { draw_paths(k_.itpt, entries(k_.itph), ItemStyle{}); }

// ---- routes and objects ----

void Drawing::draw_routes() {
  PlanLayer& l = add_layer(k_.poti, "routes");
  const auto& list = entries(k_.poti);
  struct Users {
    std::string text;
    size_t count = 0;
    bool only_cameras = true;
  };
  std::vector<Users> users(list.size());
  const auto record_user = [&](size_t route, const std::string& by, bool is_camera) {
    if (route >= list.size()) return;
    Users& u = users[route];
    constexpr size_t k_most_named = 12;
    if (u.count++ < k_most_named) u.text += (u.text.empty() ? "" : ", ") + by;
    u.only_cameras &= is_camera;
  };
  const auto& objects = entries(k_.gobj);
  for (size_t i = 0; i < objects.size(); ++i)
    if (objects[i].route != k_no_route)
      record_user(objects[i].route, path_of("GOBJ", i) + " " + object_label(objects[i].id), false);
  for (size_t i = 0; i < entries(k_.area).size(); ++i)
    if (entries(k_.area)[i].type == 3)
      record_user(entries(k_.area)[i].route, path_of("AREA", i) + " moving road", false);
  for (size_t i = 0; i < entries(k_.came).size(); ++i)
    if (entries(k_.came)[i].route != k_no_link)
      record_user(entries(k_.came)[i].route, path_of("CAME", i) + " camera", true);
  size_t of_objects = 0, of_cameras = 0, unused = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const Route& r = list[i];
    const Users& u = users[i];
    const PlanStyleOf ink = !u.count         ? PlanStyleOf::route_unused
                            : u.only_cameras ? PlanStyleOf::route_camera
                                             : PlanStyleOf::route;
    ++(!u.count ? unused : u.only_cameras ? of_cameras : of_objects);
    PlanItem item{.id = id_of("POTI", i)};
    item.title = path_of("POTI", i) + " " + enum_name_or_number(k_smooth, r.smooth) + ", " +
                 enum_name_or_number(k_back_and_forth, r.back_and_forth) + ", " +
                 format_count(r.points.size(), "point") + "\n" + (u.count ? "used by " + u.text : "not used");
    std::vector<PlanPoint> run;
    for (const scene::Vec3& p : build_route_curve(r).points) run.push_back({f64(p[0]), f64(p[2])});
    if (run.size() > 1) item.shapes.push_back(line(ink, std::move(run), true));
    for (size_t p = 0; p < r.points.size(); ++p) {
      const PlanPoint at = plan_point(r.points[p].position);
      PlanItem point{.id = id_of("POTI", i) + "-" + std::to_string(p)};
      point.title = path_of("POTI", i) + " point " + std::to_string(p) + ", speed " +
                    std::to_string(r.points[p].speed) + ", extra " + std::to_string(r.points[p].extra) +
                    where(r.points[p].position);
      point.signs.push_back(make_sign(PlanStyleOf::route_point, Form::disc, at, 1.7f));
      item.items.push_back(std::move(point));
    }
    if (!r.points.empty()) {
      PlanName n{.text = "POTI " + std::to_string(i),
                 .ink = index_of(u.count && u.only_cameras ? PlanStyleOf::camera_name : PlanStyleOf::route_name),
                 .places = {},
                 .size = 8.5f,
                 .rank = 14};
      for (const size_t p : {size_t(0), r.points.size() / 2, r.points.size() - 1})
        n.places.push_back({.at = plan_point(r.points[p].position), .gap = 4});
      item.names.push_back(std::move(n));
    }
    l.items.push_back(std::move(item));
  }
  if (of_objects)
    l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::route, "used by objects and areas", of_objects));
  if (of_cameras)
    l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::route_camera, "used by cameras", of_cameras));
  if (unused) l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::route_unused, "not used", unused));
}

void Drawing::draw_objects() {
  PlanLayer& l = add_layer(k_.gobj, "objects");
  const auto& list = entries(k_.gobj);
  const auto& routes = entries(k_.poti);
  std::vector<std::vector<PlanPoint>> ways(routes.size());  // made for the routes that objects follow
  size_t off = 0, moving = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const Object& o = list[i];
    constexpr u16 k_present = 7;  // one, two, three or four players: README.md
    const bool is_off = !(o.presence & k_present);
    off += is_off;
    const PlanPoint at = plan_point(o.position);
    plan_.more.push_back(at);
    PlanItem item{.id = id_of("GOBJ", i)};
    item.title = path_of("GOBJ", i) + " " + object_label(o.id) + " (" + format_hex(o.id, 3) + ")";
    if (is_off) item.title += ", switched off";
    if (o.route != k_no_route) item.title += ", route " + std::to_string(o.route);
    item.title += "\nsettings";
    for (const u16 s : o.settings) item.title += " " + std::to_string(s);
    item.title += where(o.position) + "; rotation " + format_rounded(o.rotation.x) + ", " +
                  format_rounded(o.rotation.y) + ", " + format_rounded(o.rotation.z);
    if (o.route < routes.size()) {
      ++moving;
      auto& way = ways[o.route];
      if (way.empty())
        for (const scene::Vec3& p : build_route_curve(routes[o.route]).points)
          if (way.size() < k_most_steps) way.push_back({f64(p[0]), f64(p[2])});
      if (!way.empty()) {
        const PlanPoint nearest =
            *std::min_element(way.begin(), way.end(),
                              [&](const PlanPoint& a, const PlanPoint& b) { return squared(a, at) < squared(b, at); });
        if (squared(nearest, at) > 0) item.shapes.push_back(line(PlanStyleOf::object_route, {at, nearest}));
      }
    }
    item.signs.push_back(make_pointer_sign(is_off ? PlanStyleOf::object_off : PlanStyleOf::object, Form::diamond, at,
                                           3.6f, o.rotation, 9));
    item.names.push_back(make_name(PlanStyleOf::object_name, object_label(o.id), at, 20, 9, 5));
    item.names.back().is_shared = true;
    l.items.push_back(std::move(item));
  }
  if (!list.empty())
    l.legend.push_back(make_legend_row(Sample::diamond, PlanStyleOf::object, "object and its direction"));
  if (moving)
    l.legend.push_back(
        make_legend_row(Sample::line, PlanStyleOf::object_route, "line to the route it follows", moving));
  if (off) l.legend.push_back(make_legend_row(Sample::diamond, PlanStyleOf::object_off, "switched off", off));
}

// ---- start, respawns, cannons, ends ----

void Drawing::draw_starts() {
  PlanLayer& l = add_layer(k_.ktpt, "start positions");
  const auto& points = entries(k_.ktpt);
  for (size_t i = 0; i < points.size(); ++i) {
    const StartPoint& s = points[i];
    const PlanPoint at = plan_point(s.position);
    include_in_bounds(at);
    PlanItem item{.id = id_of("KTPT", i)};
    item.title = path_of("KTPT", i) + (s.player < 0 ? " start" : " start of player " + std::to_string(s.player)) +
                 where(s.position) + "; rotation " + format_rounded(s.rotation.y);
    item.signs.push_back(make_pointer_sign(PlanStyleOf::start, Form::disc, at, 4.2f, s.rotation, 20));
    item.names.push_back(
        make_name(PlanStyleOf::start_name, kind_.arena ? "start " + std::to_string(i) : "start", at, 70, 11, 8));
    item.names.back().is_bold = !kind_.arena;
    l.items.push_back(std::move(item));
  }
  if (points.empty()) return;
  l.legend.push_back(make_legend_row(Sample::disc, PlanStyleOf::start, "start position"));
  if (kind_.arena) return;
  const auto [right, narrow] = grid_shape(k_);
  PlanItem grid{.id = "KTPT-grid"};
  grid.title =
      std::string("start grid: pole on the ") + (right ? "right" : "left") + ", " + (narrow ? "narrow" : "wide");
  const PlanPoint ahead = plan_heading(points[0].rotation).value_or(PlanPoint{0, 1}), side{-ahead[1], ahead[0]};
  constexpr f64 k_half_length = 150, k_half_width = 100;  // of a kart
  size_t rank = 0;
  for (const scene::Vec3& p : start_grid(points[0], right, narrow)) {
    const PlanPoint at{f64(p[0]), f64(p[2])};
    include_in_bounds(at);
    const auto corner = [&](f64 along, f64 across) {
      return PlanPoint{at[0] + ahead[0] * along * k_half_length + side[0] * across * k_half_width,
                       at[1] + ahead[1] * along * k_half_length + side[1] * across * k_half_width};
    };
    PlanItem place{.id = id_of("KTPT-grid", ++rank)};
    place.title = "place " + std::to_string(rank) + " of the grid" + (rank == 1 ? ", the pole position" : "");
    place.shapes.push_back(field(rank == 1 ? PlanStyleOf::start_pole : PlanStyleOf::start_grid,
                                 {corner(1, 1), corner(1, -1), corner(-1, -1), corner(-1, 1)}));
    if (rank == 1) place.names.push_back(make_name(PlanStyleOf::start_name, "pole", at, 40, 9, 7));
    grid.items.push_back(std::move(place));
  }
  l.items.insert(l.items.begin(), std::move(grid));
  l.legend.push_back(
      make_legend_row(Sample::field, PlanStyleOf::start_pole, right ? "pole position, right" : "pole position, left"));
  l.legend.push_back(
      make_legend_row(Sample::field, PlanStyleOf::start_grid, narrow ? "grid of 12, narrow" : "grid of 12, wide"));
}

void Drawing::draw_respawns() {
  PlanLayer& l = add_layer(k_.jgpt, "respawn points");
  const auto& points = entries(k_.jgpt);
  const auto& checks = entries(k_.ckpt);
  PlanItem links{.id = "JGPT-links"};
  links.title = "from checkpoints to their respawn points";
  for (size_t i = 0; i < checks.size(); ++i) {
    if (!names_respawn(checks[i]) || checks[i].respawn >= points.size()) continue;
    const PlanPoint middle = between(plan_point({checks[i].left.x, 0, checks[i].left.z}),
                                     plan_point({checks[i].right.x, 0, checks[i].right.z}));
    PlanItem link{.id = id_of("JGPT-of-CKPT", i)};
    link.title = path_of("CKPT", i) + " respawns at " + path_of("JGPT", checks[i].respawn);
    link.shapes.push_back(line(PlanStyleOf::respawn_link, {middle, plan_point(points[checks[i].respawn].position)}));
    links.items.push_back(std::move(link));
  }
  const size_t linked = links.items.size();
  if (linked) l.items.push_back(std::move(links));
  for (size_t i = 0; i < points.size(); ++i) {
    const Respawn& r = points[i];
    const PlanPoint at = plan_point(r.position);
    include_in_bounds(at);
    PlanItem item{.id = id_of("JGPT", i)};
    item.title = path_of("JGPT", i) + " respawn";
    if (r.sound_trigger != -1) item.title += ", sound trigger " + std::to_string(r.sound_trigger);
    item.title += where(r.position) + "; rotation " + format_rounded(r.rotation.y);
    // Only the rotation about Y counts.
    item.signs.push_back(make_pointer_sign(PlanStyleOf::respawn, Form::disc, at, 4.2f, {0, r.rotation.y, 0}, 15));
    item.names.push_back(make_name(PlanStyleOf::respawn_name, "R" + std::to_string(i), at, 35, 10.5f, 7));
    item.names.back().is_bold = true;
    l.items.push_back(std::move(item));
  }
  if (!points.empty())
    l.legend.push_back(make_legend_row(Sample::disc, PlanStyleOf::respawn, "R0: JGPT[0] and the direction of karts"));
  if (linked)
    l.legend.push_back(make_legend_row(Sample::line, PlanStyleOf::respawn_link, "line from its checkpoints", linked));
}

void Drawing::draw_cannons() {
  PlanLayer& l = add_layer(k_.cnpt, "cannon targets");
  const auto& list = entries(k_.cnpt);
  for (size_t i = 0; i < list.size(); ++i) {
    const Cannon& c = list[i];
    const PlanPoint at = plan_point(c.position);
    include_in_bounds(at);
    PlanItem item{.id = id_of("CNPT", i)};
    item.title =
        path_of("CNPT", i) + " cannon target, " + enum_name_or_number(k_cannon_effects, c.effect) + where(c.position);
    item.signs.push_back(make_pointer_sign(PlanStyleOf::cannon, Form::square, at, 4.4f, c.rotation, 20));
    item.names.push_back(make_name(PlanStyleOf::cannon_name, "cannon " + std::to_string(i), at, 45, 10.5f, 8));
    item.names.back().is_bold = true;
    l.items.push_back(std::move(item));
  }
  if (!list.empty()) l.legend.push_back(make_legend_row(Sample::square, PlanStyleOf::cannon, "cannon target"));
}

void Drawing::draw_end_points() {
  PlanLayer& l = add_layer(k_.mspt, "end positions");
  const auto& list = entries(k_.mspt);
  for (size_t i = 0; i < list.size(); ++i) {
    const PlanPoint at = plan_point(list[i].position);
    include_in_bounds(at);
    PlanItem item{.id = id_of("MSPT", i)};
    item.title = path_of("MSPT", i) + " end position" + where(list[i].position);
    item.signs.push_back(make_pointer_sign(PlanStyleOf::end_point, Form::square, at, 3.8f, list[i].rotation, 14));
    item.names.push_back(make_name(PlanStyleOf::end_name, "end " + std::to_string(i), at, 42, 10, 7));
    l.items.push_back(std::move(item));
  }
  if (!list.empty())
    l.legend.push_back(
        make_legend_row(Sample::square, PlanStyleOf::end_point, "position after a battle or competition"));
}

// ---- cameras ----

void Drawing::draw_cameras() {
  PlanLayer& l = add_layer(k_.came, "cameras");
  const auto& list = entries(k_.came);
  const auto& routes = entries(k_.poti);
  size_t placed = 0, views = 0, followers = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const Camera& c = list[i];
    PlanItem item{.id = id_of("CAME", i)};
    item.title = path_of("CAME", i) + " " + enum_name_or_number(k_camera_types, c.type);
    if (c.route != k_no_link) item.title += ", route " + std::to_string(c.route);
    if (c.next != k_no_link) item.title += ", next camera " + std::to_string(c.next);
    item.title +=
        ", field of view " + format_rounded(c.zoom_begin) + " to " + format_rounded(c.zoom_end) + where(c.position);
    const bool stands = c.type == 1 || c.type == 2 || has_view(c);
    if (!stands) {  // its position is relative to the kart
      ++followers;
      l.items.push_back(std::move(item));
      continue;
    }
    ++placed;
    const bool on_route = (c.type == 2 || c.type == 5) && c.route < routes.size() && !routes[c.route].points.empty();
    const PlanPoint at = plan_point(on_route ? routes[c.route].points[0].position : c.position);
    plan_.more.push_back(at);
    PlanMarker body = make_sign(PlanStyleOf::camera, Form::camera, at, 5);
    if (has_view(c)) {
      ++views;
      const PlanPoint from = plan_point(c.view_begin), to = plan_point(c.view_end);
      item.shapes.push_back(line(PlanStyleOf::camera_view, {at, from}));
      if (squared(from, to) > 0) item.shapes.push_back(line(PlanStyleOf::camera_view, {from, to}, true));
      item.signs.push_back(make_sign(PlanStyleOf::camera, Form::disc, from, 2));
      const f64 length = std::sqrt(squared(from, at));
      if (length > 0) body.heading = PlanPoint{(from[0] - at[0]) / length, (from[1] - at[1]) / length};
    }
    item.signs.push_back(body);
    item.names.push_back(make_name(PlanStyleOf::camera_name, "cam " + std::to_string(i), at, 12, 9, 8));
    l.items.push_back(std::move(item));
  }
  if (placed) l.legend.push_back(make_legend_row(Sample::camera, PlanStyleOf::camera, "camera", placed));
  if (views)
    l.legend.push_back(
        make_legend_row(Sample::line, PlanStyleOf::camera_view, "line to its view point, and the pan", views));
  if (followers)
    l.legend.push_back(
        {.sample = Sample::none, .text = "follows the kart (not shown)", .count = std::to_string(followers)});
}

// ---- the collision below the course ----

void Drawing::draw_roads() {
  const kcl::Kcl* collision = find_collision(options_.companions);
  if (!collision) return;
  PlanLayer& l = plan_.layers.emplace_back();
  l.id = "KCL";
  l.name = "roads";
  PlanShape road = field(PlanStyleOf::road, {}), off_road = field(PlanStyleOf::off_road, {});
  road.runs.clear(), off_road.runs.clear();
  for (const kcl::Prism& p : collision->prisms) {
    if (!kcl::is_drivable(p.type)) continue;
    const auto corners = kcl::compute_prism_triangle(*collision, p);
    if (!corners) continue;
    std::vector<PlanPoint> run;
    for (const kcl::Point& c : *corners) run.push_back({c[0], c[2]});
    (kcl::is_off_road(p.type) ? off_road : road).runs.push_back(std::move(run));
  }
  l.count = std::to_string(road.runs.size() + off_road.runs.size());
  PlanItem item{.id = "KCL-roads"};
  item.title = "roads of the collision file, " + format_count(road.runs.size() + off_road.runs.size(), "triangle");
  for (PlanShape* shape : {&off_road, &road})
    if (!shape->runs.empty()) {
      const bool is_road = shape == &road;
      l.legend.push_back(make_legend_row(Sample::field, is_road ? PlanStyleOf::road : PlanStyleOf::off_road,
                                         is_road ? "road" : "off-road", shape->runs.size()));
      item.shapes.push_back(std::move(*shape));
    }
  l.items.push_back(std::move(item));
}

std::string Drawing::summarize_course() const {
  std::string out = kind_.arena ? "arena" : "race";
  if (!entries(k_.stgi).empty()) {
    const Stage& s = entries(k_.stgi)[0];
    if (!kind_.arena)
      out += ", " + format_count(s.laps, "lap") + ", pole on the " + enum_name_or_number(k_pole, s.pole) + ", grid " +
             enum_name_or_number(k_spacing, s.spacing);
  }
  if (k_.version != k_final) out += k_.version ? ", version " + std::to_string(*k_.version) : ", no version";
  return out;
}

Plan Drawing::draw() && {
  plan_.about = summarize_course();
  plan_.metres_per_unit = k_metres;
  plan_.inks = make_plan_inks();
  draw_roads();
  draw_areas();
  draw_checkpoints();
  draw_routes();
  draw_enemies();
  draw_items();  // thinner and on top: both often follow the same path
  draw_respawns();
  draw_starts();
  draw_end_points();
  draw_cannons();
  draw_cameras();
  draw_objects();
  if (plan_.matters.empty() && plan_.more.empty())  // they may be far away
    for (const Route& r : entries(k_.poti))
      for (const RoutePoint& p : r.points) plan_.more.push_back(plan_point(p.position));
  for (const std::string_view id :
       {"KTPT", "ENPT", "ITPT", "CKPT", "GOBJ", "POTI", "AREA", "CAME", "JGPT", "CNPT", "MSPT", "KCL"})
    for (size_t l = 0; l < plan_.layers.size(); ++l)
      if (plan_.layers[l].id == id) plan_.legend.push_back(Index(l));
  return std::move(plan_);
}

}  // namespace

Plan to_plan(const Kmp& k, const PlanOptions& options) { return Drawing(k, options).draw(); }

}  // namespace dio::kmp
