#include "formats/kmp/race/race_overlay.hpp"

#include "formats/kmp/ground/ground.hpp"
#include "formats/kmp/plan/footprint.hpp"
#include "formats/kmp/scene/heights.hpp"
#include "formats/kmp/scene/route.hpp"
#include "scene/shapes.hpp"

namespace dio::kmp {

namespace {

using scene::Index;
using scene::Primitive;
using scene::Rgba;
using Way = RaceEvent::Way;

enum class RaceLineStyle : u8 { flown, driven, in_vain, respawned, uncovered };
struct Style {
  RaceLineStyle look;
  const char *name, *what;
  Rgba in_scene, on_plan;
  f32 width;  // on the plan
  f32 dash = 0;
};
constexpr Style k_styles[] = {
    {RaceLineStyle::flown, "race-flown", "jump", {255, 255, 77, 255}, {255, 176, 0, 255}, 4.5f},
    {RaceLineStyle::driven, "race-driven", "lap with the jump (counts)", {255, 217, 0, 255}, {208, 144, 0, 255}, 2},
    {RaceLineStyle::in_vain, "race-in-vain", "lap that does not count", {255, 26, 26, 255}, {208, 16, 16, 255}, 2.4f},
    {RaceLineStyle::respawned,
     "race-respawn",
     "respawn after a fall",
     {204, 77, 255, 255},
     {128, 48, 208, 255},
     2.4f,
     5},
    {RaceLineStyle::uncovered, "race-uncovered", "road in no sector", {255, 0, 77, 153}, {255, 0, 72, 112}, 0},
};

RaceLineStyle choose_line_style(const RaceEvent& e, const Way& way) {
  if (way.kind == Way::Kind::flown) return RaceLineStyle::flown;
  if (way.kind == Way::Kind::respawned) return RaceLineStyle::respawned;
  return e.rule == "kmp.race-shortcut" ? RaceLineStyle::driven : RaceLineStyle::in_vain;
}

/// Heights just above the road if the collision is known, else above the enemy path.
class Heights {
 public:
  Heights(const Kmp& course, const kcl::Kcl* collision) : course_(course) {
    if (collision) ground_.emplace(*collision);
  }
  scene::Vec3 raise_above_road(Vec2 place) const {
    constexpr f32 k_over_road = 250;
    constexpr f64 k_over_path = 1500;  // anything higher is another road
    scene::Vec3 at = to_finite_position({place.x, 0, place.z});
    at[1] = nearest_path_height(course_, at);
    if (const auto road = ground_ ? ground_->find_surface_below({at[0], at[1], at[2]}, k_over_path) : std::nullopt)
      at[1] = f32(road->height);
    at[1] += k_over_road;
    return at;
  }

 private:
  const Kmp& course_;
  std::optional<Ground> ground_;
};

void add_path_arrow(Primitive& to, const std::vector<scene::Vec3>& line, f32 radius) {
  constexpr f32 k_head = 600, k_head_radius = 300;
  constexpr int k_sides = 4;
  if (line.size() < 2) return;
  scene::add_tube(to, line, radius, {}, k_sides);
  const scene::Vec3 &from = line[line.size() - 2], &tip = line.back();
  const f32 length = f32(scene::distance(from, tip));
  if (length > k_head)
    scene::add_cone(to, scene::lerp(from, tip, 1 - k_head / length), tip, k_head_radius, {}, k_sides);
}

void add_road_triangles(Primitive& to, std::span<const kcl::Triangle> roads) {
  constexpr f32 k_above = 20;  // to be visible on the road
  for (const kcl::Triangle& t : roads)
    for (const kcl::Point& c : t) {
      to.indices.push_back(u32(to.positions.size()));
      to.positions.push_back({f32(c[0]), f32(c[1]) + k_above, f32(c[2])});
    }
}

scene::PlanPoint flat(const kcl::Point& p) { return {p[0], p[2]}; }

}  // namespace

void draw_race(scene::Scene& s, const Kmp& course, const kcl::Kcl* collision) {
  const Heights heights(course, collision);
  std::array<Index, std::size(k_styles)> materials;
  for (const Style& style : k_styles) {
    materials[size_t(style.look)] = Index(s.materials.size());
    scene::Material m;
    m.name = style.name;
    const auto part = [&](size_t i) { return f32(style.in_scene[i]) / 255; };
    m.color = scene::srgb_to_linear(scene::Vec4{part(0), part(1), part(2), part(3)});
    if (style.in_scene[3] < 255) m.double_sided = true, m.alpha = scene::Material::Alpha::blend;
    s.materials.push_back(std::move(m));
  }
  const Index top = Index(s.nodes.size());
  s.nodes.emplace_back().name = "race";
  s.nodes.back().extras = Value::object();
  s.nodes.back().extras.add("kind", "race");
  for (const RaceEvent& e : find_race_events(course, collision)) {
    scene::Mesh mesh{e.name, {}};
    for (const Way& way : e.ways) {
      const RaceLineStyle look = choose_line_style(e, way);
      std::vector<scene::Vec3> line;
      for (const Vec2 place : way.places) line.push_back(heights.raise_above_road(place));
      Primitive& p = mesh.primitives.emplace_back();
      p.material = materials[size_t(look)];
      add_path_arrow(p, line, look == RaceLineStyle::driven || look == RaceLineStyle::in_vain ? 60 : 120);
    }
    if (!e.roads.empty()) {
      Primitive& p = mesh.primitives.emplace_back();
      p.material = materials[size_t(RaceLineStyle::uncovered)];
      add_road_triangles(p, e.roads);
    }
    std::erase_if(mesh.primitives, [](const Primitive& p) { return p.positions.empty(); });
    scene::Node& n = s.nodes.emplace_back();
    n.name = e.name;
    n.parent = top;
    if (!mesh.primitives.empty()) {
      n.mesh = Index(s.meshes.size());
      s.meshes.push_back(std::move(mesh));
    }
    n.extras = Value::object();
    n.extras.add("kind", "race event");
    n.extras.add("path", e.path);
    n.extras.add("rule", e.rule);
    n.extras.add("message", e.message);
  }
}

void draw_race(scene::Plan& plan, const Kmp& course, const kcl::Kcl* collision) {
  const Index first_ink = Index(plan.inks.size());
  const auto ink_of = [&](RaceLineStyle look) { return first_ink + Index(look); };
  for (const Style& style : k_styles) {
    scene::PlanStyle& ink = plan.inks.emplace_back();
    ink.name = style.name;
    (style.width > 0 ? ink.stroke : ink.fill) = style.on_plan;
    ink.width = style.width, ink.dash = style.dash;
  }
  const Index name_ink = Index(plan.inks.size());
  plan.inks.push_back({.name = "race-name", .stroke = Rgba{160, 16, 16, 255}, .fill = {}});

  const auto events = find_race_events(course, collision);
  scene::PlanLayer layer{
      .id = "RACE", .name = "race", .count = std::to_string(events.size()), .items = {}, .legend = {}};
  std::array<size_t, std::size(k_styles)> counts{};
  for (size_t i = 0; i < events.size(); ++i) {
    const RaceEvent& e = events[i];
    scene::PlanItem item{.id = "RACE-" + std::to_string(i)};
    item.title = e.message + "\n" + std::string(e.rule) + ", " + e.path;
    std::optional<scene::PlanPoint> named;
    const auto add = [&](RaceLineStyle look, std::vector<std::vector<scene::PlanPoint>> runs, bool is_field) {
      ++counts[size_t(look)];
      item.shapes.push_back(
          {.ink = ink_of(look), .runs = std::move(runs), .is_closed = is_field, .has_arrows = !is_field});
    };
    if (!e.roads.empty()) {
      std::vector<std::vector<scene::PlanPoint>> runs;
      for (const kcl::Triangle& t : e.roads) runs.push_back({flat(t[0]), flat(t[1]), flat(t[2])});
      named = runs[runs.size() / 2][0];
      add(RaceLineStyle::uncovered, std::move(runs), true);
    }
    for (const Way& way : e.ways) {
      std::vector<scene::PlanPoint> run;
      for (const Vec2 place : way.places) run.push_back(plan_point({place.x, 0, place.z}));
      if ((way.kind != Way::Kind::driven || !named) && !run.empty()) named = run[run.size() / 2];
      add(choose_line_style(e, way), {std::move(run)}, false);
    }
    if (named)
      item.names.push_back({.text = e.name,
                            .ink = name_ink,
                            .places = {{.at = *named, .gap = 8}},
                            .size = 11,
                            .rank = 80,
                            .is_bold = true});
    layer.items.push_back(std::move(item));
  }
  for (const Style& style : k_styles)
    if (const size_t n = counts[size_t(style.look)])
      layer.legend.push_back({style.width > 0 ? scene::LegendRow::Sample::line : scene::LegendRow::Sample::field,
                              ink_of(style.look), style.what, std::to_string(n)});
  plan.legend.push_back(Index(plan.layers.size()));
  plan.layers.push_back(std::move(layer));
}

}  // namespace dio::kmp
