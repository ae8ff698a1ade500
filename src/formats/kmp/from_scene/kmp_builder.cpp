#include "formats/kmp/from_scene/kmp_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/parts.hpp"
#include "formats/kmp/course_kind.hpp"
#include "formats/kmp/from_scene/cameras.hpp"
#include "formats/kmp/from_scene/exported_nodes.hpp"
#include "formats/kmp/from_scene/paths.hpp"
#include "formats/kmp/from_scene/placed_nodes.hpp"
#include "formats/kmp/from_scene/start.hpp"
#include "formats/kmp/parts.hpp"
#include "formats/kmp/race/shortcuts.hpp"
#include "formats/kmp/race/uncovered.hpp"
#include "formats/kmp/scene/start_grid.hpp"
#include "layout/document.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {

using scene::Index;
using scene::k_none;

std::span<const Rule> make_rules() {
  using enum Severity;
  constexpr const char* k_where = "src/formats/kmp/README.md, From glTF";
  static constexpr Rule k_rules[] = {
      {"kmp.make-path", stop, "the scene has a closed curve with the name `course path`",
       "Enemy and item paths, checkpoints, respawn points and the start follow from this curve.",
       "Add a closed curve along the middle of the road, in the driving direction, and give it a bevel, because most "
       "exporters omit bare curves.",
       k_where},
      {"kmp.make-branch", warning, "a further course path leaves the closed one and comes back to it further ahead",
       "Other branches have no place in the order of a lap.",
       "Move the ends of the curve close to the closed curve, and keep them away from the lap line.", k_where},
      {"kmp.make-curve", warning, "a route is one curve, or a row of empties", "A route without points moves nothing.",
       "Give the curve a bevel, or add empties below its node.", k_where},
      {"kmp.make-route", warning, "the property `route` names a route of the scene",
       "Without its route, an object stays where it is, or the game stops.", "Correct the name.", k_where},
      {"kmp.make-object", warning, "the property `object` is the name or the number of an object",
       "The game knows only its own objects.", "Correct the name; {explain kmp#GOBJ.entries[0].id} lists them.",
       k_where},
      {"kmp.make-area", warning, "the name of an area ends with the name of its type",
       "An area without a type has no effect.", "Name it after its type, such as `area fall boundary`.", k_where},
      {"kmp.make-exported", hint, "an exported course is applied to its file",
       "Without the file, the course is rebuilt from the properties of its nodes.",
       "Use {--onto} to keep everything that the scene does not show.", k_where},
      {"kmp.make-omitted", warning, "all nodes of an exported course can be entries",
       "Numbers of points and groups have 8 bits, and a point belongs to a group.",
       "Keep the parents of points, and remove points.", k_where},
      {"kmp.make-road", warning, "the course path is over a road", "Where there is no road, karts fall.",
       "Move the curve to the road, at most 20 metres below and 40 metres above it.", k_where},
      {"kmp.make-scale", warning, "the scene is in metres, or {--units-per-metre} says how large it is",
       "Karts are about 3 metres long, and laps of the game's courses 500 to 1,500 metres.",
       "Scale the scene, or give {--units-per-metre}.", k_where},
      {"kmp.make-low", warning, "the road is above height 0",
       "In online races, positions of items are sent in a form without negative heights.",
       "Move everything up in the scene.", "Wiimm's wkmpt"},
      {"kmp.make-reference", warning, "nodes of an exported course refer to nodes that are in the scene",
       "The reference is omitted, so a path loses a link, or an object its route.",
       "Connect the remaining nodes, or put the removed node back.", k_where},
      {"kmp.make-respawn", warning, "each sector has at most one respawn point",
       "A checkpoint has one respawn point; a second one in its sector has no effect.",
       "Move the respawn point to another sector, or remove it.", k_where},
      {"kmp.make-start", warning, "the properties of the start have values that the game knows",
       "Other values are ignored.",
       "Set `laps` to a number from 1 to 9, `pole` to left or right, `spacing` to wide or "
       "narrow.",
       k_where},
      {"kmp.make-grid", warning, "the 12 places behind the start are over a road",
       "The grid is straight and about 52 metres long; karts that start beside the road fall.",
       "Move the start to a straight part of the road.", k_where},
      {"kmp.make-uncovered", hint, "the sectors between the checkpoints cover the road",
       "On a road outside all sectors, a kart stays assigned to its last sector.",
       "Move the curve to the middle of the road, add a curve for a second road, or edit the checkpoints.", k_where},
  };
  return k_rules;
}

std::span<const MakeOption> make_options() {
  static constexpr MakeOption k_options[] = {
      {"units-per-metre", "N", "game units per metre of the scene; default 100"},
  };
  return k_options;
}

namespace {

constexpr f64 k_line_ahead = 350;  // units from the start to the lap line

class CourseBuilder {
 public:
  CourseBuilder(const scene::Scene& s, const std::vector<NodeRole>& roles, const kcl::Kcl& collision, f64 units)
      : s_(s), nodes_{s, roles, scene::world_transforms(s), units}, collision_(collision), ground_(collision) {}

  Result<BuiltCourse> run() {
    Kmp& k = out_.course;
    k.version = k_final;
    const bool is_exported = has_exported_course(s_);
    if (is_exported) note_exported(write_exported_nodes(k, nodes_));
    std::vector<Curve> branches;
    auto main = find_course_path(branches);
    if (!main && is_exported) return finish_exported();
    if (!main) return refuse(std::move(main.error()));
    const Road road = build_road_from_start(*main, branches);
    if (auto problem = check_road(road)) return refuse(std::move(*problem));
    note_narrow_road(road);
    for (const std::string& why : road.unused)
      note(Severity::warning, "kmp.make-branch", "a branch of the course path is omitted: " + why), ++out_.lost;
    if (is_exported)
      k.jgpt.reset();  // these follow from the new path
    else
      k.mspt.emplace();
    if (entries(k.came).empty()) write_cameras(k, road);  // their routes come first: cameras can use only 255
    write_placed_nodes(k, nodes_, out_.notes, out_.lost);
    if (entries(k.stgi).empty()) write_stage();  // before the start grid, whose shape it has
    const std::vector<RoadCheckpoint> checkpoints = write_best_checkpoints(road);
    note_unused_respawns(write_respawns(k, road, checkpoints));
    write_paths(k, road);
    update_recalculation_areas();
    note_low_road();
    return std::move(out_);
  }

 private:
  /// The start is where the scene says, or at the first point of the curve, or near it if the grid does not fit there.
  Road build_road_from_start(const Curve& main, const std::vector<Curve>& branches) {
    Road road = build_road(main, branches, find_start(), k_line_ahead, ground_);
    if (find_start_node()) return road;
    const auto place = choose_start(main, k_line_ahead, ground_, grid_shape(out_.course));
    if (!place) return road;
    Road moved = build_road(main, branches, place->pose, k_line_ahead, ground_);
    // Branches cannot contain the lap line, nor lie close to it.
    constexpr f64 k_margin = 300;
    const auto concave = [&](const Road& r) { return count_concave_sectors(r, place_checkpoints(r, k_margin)); };
    if (moved.unused.size() > road.unused.size() || concave(moved) > concave(road)) return road;
    note(Severity::hint, "kmp.make-grid",
         text("the start is ", std::llround(std::abs(place->along) * kcl::k_metres), " metres ",
              place->along < 0 ? "before" : "behind",
              " the first point of the course path, because the start grid does not fit there"));
    return moved;
  }

  /// Scenes in other units than metres.
  void note_narrow_road(const Road& road) {
    std::vector<f64> widths;
    for (const RoadSection& section : road.sections)
      for (const RoadSample& s : section.samples)
        if (s.has_road) widths.push_back(s.left + s.right);
    if (widths.empty()) return;
    const auto middle = widths.begin() + std::ptrdiff_t(widths.size() / 2);
    std::ranges::nth_element(widths, middle);
    constexpr f64 k_narrow = 400, k_measured = 100, k_usual_width = 1500, k_usual_lap = 100'000;  // units
    if (*middle >= k_narrow) return;
    const f64 factor = *middle >= k_measured ? k_usual_width / *middle : k_usual_lap / road.length;
    if (factor < 2) return;
    note(Severity::warning, "kmp.make-scale",
         text("the road is small for karts, which are 3 metres long: a lap has ",
              std::llround(road.length * kcl::k_metres),
              " metres; if the scene is not in metres, scale it, for example with {--units-per-metre ",
              std::llround(round_to_one_digit(nodes_.units / f64(s_.metres_per_unit) * factor)), "}"));
  }
  static f64 round_to_one_digit(f64 x) {
    f64 power = 1;
    while (x >= 10 * power) power *= 10;
    return std::max(1.0, std::round(x / power)) * power;
  }

  /// An exported course without a new course path; new nodes add to it.
  Result<BuiltCourse> finish_exported() {
    write_placed_nodes(out_.course, nodes_, out_.notes, out_.lost);
    if (entries(out_.course.stgi).empty()) write_stage();
    out_.notes.push_back(make_diagnostic(
        Severity::hint, "kmp.make-exported", {},
        {.message = "the course is rebuilt from the nodes of an exported course",
         .hint = "to edit the file that the scene was made from, give it with {--onto}, which changes nothing else"}));
    return std::move(out_);
  }

  void note(Severity severity, std::string_view id, std::string message) {
    out_.notes.push_back(make_diagnostic(severity, id, {}, {.message = std::move(message)}));
  }

  void note_exported(const ExportedNodesResult& read) {
    if (read.omitted) {
      note(
          Severity::warning, "kmp.make-omitted",
          format_count(read.omitted, "node") + " of the exported course omitted: points outside groups, or beyond 255");
      ++out_.lost;
    }
    if (!read.dropped.empty())
      note(Severity::warning, "kmp.make-reference",
           "references to entries that are not in the scene are omitted: " + list_first(read.dropped));
  }
  void note_unused_respawns(const std::vector<size_t>& unused) {
    if (unused.empty()) return;
    std::vector<std::string> numbers;
    for (const size_t i : unused) numbers.push_back(std::to_string(i));
    note(Severity::warning, "kmp.make-respawn",
         "no checkpoint uses these respawn points, because another one is in their sector: " + list_first(numbers));
  }
  /// The first of many texts.
  static std::string list_first(const std::vector<std::string>& all) {
    constexpr size_t k_most = 3;
    std::string out;
    for (size_t i = 0; i < std::min(all.size(), k_most); ++i) out += (i ? ", " : "") + all[i];
    return all.size() > k_most ? text(out, " and ", all.size() - k_most, " more") : out;
  }

  /// Notes that parts of the path have no road; refused if all have none.
  std::optional<Diagnostic> check_road(const Road& road) {
    u64 all = 0, without = 0;
    for (const RoadSection& section : road.sections)
      for (const RoadSample& s : section.samples) ++all, without += !s.has_road;
    if (without == all)
      return make_diagnostic("kmp.make-road", {},
                             {.message = "there is no road below the course path",
                              .hint = "move the curve to the road, at most 20 metres below and 40 metres above it"});
    constexpr f64 k_jumps = 0.1;  // of the path
    if (f64(without) > k_jumps * f64(all))
      note(Severity::warning, "kmp.make-road",
           text("there is no road below ", 100 * without / all, " % of the course path"));
    return {};
  }

  /// The first closed curve; open ones are branches.
  Result<Curve> find_course_path(std::vector<Curve>& branches) const {
    std::optional<Curve> main;
    bool has_node = false;
    std::vector<Curve> rows;  // of empties, which do not say whether they are closed
    const auto is_path = [&](Index n) {
      return starts_with_word(normalize_node_name(s_.nodes[n].name), "course path");
    };
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const Index parent = s_.nodes[i].parent;
      if (!is_path(i) || (parent != k_none && is_path(parent) && s_.nodes[i].mesh == k_none)) continue;
      has_node = true;
      for (Curve& c : find_curves(s_, i, nodes_.places, nodes_.units)) {
        if (!is_in_reach(c))
          return refuse("kmp.make-path", {}, {.message = "the course path leaves the area of a course"});
        if (s_.nodes[i].mesh == k_none) {
          rows.push_back(std::move(c));
          continue;
        }
        if (c.is_closed && (!main || c.length() > main->length())) std::swap(c, main ? *main : main.emplace());
        if (c.points.size() >= 2) branches.push_back(std::move(c));
      }
    }
    for (Curve& c : rows) {
      if (main || c.points.size() < 3) {
        branches.push_back(std::move(c));
        continue;
      }
      c.is_closed = true;
      main = std::move(c);
    }
    if (main) return std::move(*main);
    if (!branches.empty())
      return refuse("kmp.make-path", {},
                    {.message = "the course path is not closed", .hint = "close the curve (Blender: Toggle Cyclic)"});
    if (has_node)
      return refuse("kmp.make-path", {},
                    {.message = "the course path has no lines and no faces",
                     .hint = "give the curve a bevel (Blender: Object Data > Geometry > Bevel > Depth 0.5 m), or "
                             "export its edges"});
    return refuse("kmp.make-path", {},
                  {.message = "the scene has no curve with the name `course path`",
                   .hint = "add a closed curve along the middle of the road, in the driving direction, and give it a "
                           "bevel, because Blender does not export bare curves"});
  }
  static bool is_in_reach(const Curve& c) {
    return std::ranges::all_of(c.points, [](const Point& p) {
      return std::ranges::all_of(p, [](f64 x) { return std::abs(x) <= kcl::k_farthest; });
    });
  }

  std::optional<Index> find_start_node() const {
    std::optional<Index> best;
    for (Index i = 0; i < s_.nodes.size(); ++i) {
      const scene::Node& n = s_.nodes[i];
      if (const auto kind = scene::read_text_extra(n.extras, "kind")) {  // of an exported course
        if (*kind == "start point") return i;
        continue;
      }
      const std::string name = normalize_node_name(n.name);
      if (n.mesh != k_none || n.camera != k_none || n.light != k_none || !starts_with_word(name, "start")) continue;
      if (!best || name == "start") best = i;
    }
    return best;
  }
  std::optional<StartPose> find_start() const {
    const auto node = find_start_node();
    if (!node) return {};
    StartPose start{nodes_.position(*node), {}};
    const Point ahead = nodes_.places[*node].linear.columns[2];
    const f64 size = elementary::hypot(ahead[0], ahead[2]);
    const bool is_level = size > 0.5 * scene::length(ahead);
    if (scene::is_rotated(s_, *node) && is_level) start.ahead = {ahead[0] / size, ahead[2] / size};
    return start;
  }

  /// Tries wider checkpoints as long as roads are outside them.
  std::vector<RoadCheckpoint> write_best_checkpoints(const Road& road) {
    std::vector<RoadCheckpoint> best;
    f64 least = std::numeric_limits<f64>::infinity();
    size_t fewest_concave = std::numeric_limits<size_t>::max();
    for (const f64 margin : {300.0, 600.0, 1200.0, 2400.0, 4800.0, 9600.0}) {
      Kmp attempt = out_.course;
      std::vector<RoadCheckpoint> checkpoints = place_checkpoints(road, margin);
      const size_t concave = count_concave_sectors(road, checkpoints);
      if (concave > fewest_concave) continue;
      write_checkpoints(attempt, road, checkpoints, 0);
      f64 area = 0;
      for (const UncoveredRoad& u : find_uncovered_roads(Sectors(attempt), collision_)) area += u.area;
      if (area >= least && concave == fewest_concave) continue;
      least = area, fewest_concave = concave, best = std::move(checkpoints);
      if (area == 0 && concave == 0) break;
    }
    if (least > 0)
      note(Severity::hint, "kmp.make-uncovered",
           text(std::llround(least * kcl::k_metres * kcl::k_metres),
                " square metres of road are in no checkpoint sector"));
    Kmp& k = out_.course;
    std::optional<Point> at;
    if (const auto node = find_start_node()) {
      at = nodes_.position(*node);
      if (const auto hit = ground_.find_surface_below(*at, 500)) (*at)[1] = hit->height;
    }
    write_start(k, road, best, at, k_line_ahead);
    const StartPoint& start = k.ktpt->entries[0];
    f64 grid = 0;
    const auto [right, narrow] = grid_shape(k);
    const std::vector<scene::Vec3> places = start_grid(start, right, narrow);
    for (const scene::Vec3& place : places)
      grid = std::max(grid, elementary::hypot(f64(place[0]) - start.position.x, f64(place[2]) - start.position.z));
    if (const size_t off_road = find_grid_places_off_road(ground_, places).size())
      note(Severity::warning, "kmp.make-grid",
           text(off_road, " of the 12 places of the start grid ", off_road == 1 ? "is" : "are", " not over a road"));
    // The game searches for karts no further than a key, so the last one is behind the grid. On a short course, a jump
    // back over the lap line may then count as a lap: more than 95 % of a lap count as backwards.
    constexpr f64 k_kart = 300;
    write_checkpoints(k, road, best, grid + k_line_ahead + k_kart);
    constexpr int k_most_keys = 8;
    for (int n = 0; n < k_most_keys; ++n) {  // more keys where a kart could jump from one part of the road to another
      const auto cuts = find_lap_shortcuts(Sectors(k));
      if (cuts.empty() || !add_key_between(k, road, best, cuts[0].from, cuts[0].to)) break;
    }
    for (f64 part = 0.04; part > 0.01 && !find_lap_shortcuts(Sectors(k)).empty(); part -= 0.01)
      write_checkpoints(k, road, best, part * road.length);
    return best;
  }

  /// Areas of exported courses that refer to an enemy point, which is now the nearest of the new path.
  void update_recalculation_areas() {
    constexpr u8 k_recalculation = 4;
    const auto& points = out_.course.enpt->entries;
    for (Area& a : out_.course.area->entries) {
      if (a.type != k_recalculation || points.empty()) continue;
      const auto away = [&](const EnemyPoint& p) {
        return elementary::hypot(f64(p.position.x) - a.position.x, f64(p.position.y) - a.position.y,
                                 f64(p.position.z) - a.position.z);
      };
      a.enemy_point = u8(std::ranges::min_element(points, {}, away) - points.begin());
    }
  }

  /// Online races cannot send positions below height 0.
  void note_low_road() {
    out_.lowest = std::numeric_limits<f64>::infinity();
    for (const EnemyPoint& p : out_.course.enpt->entries) out_.lowest = std::min(out_.lowest, f64(p.position.y));
    if (out_.lowest < 0)
      note(Severity::warning, "kmp.make-low", "the road is below height 0, which online races cannot send");
  }

  void write_stage() {
    Stage s{};
    s.laps = 3;
    s.flare_flash = 1, s.flare_color = 0xE6E6E6, s.flare_alpha = 75;  // as in most courses
    if (const auto node = find_start_node()) {
      const Value& extras = s_.nodes[*node].extras;
      const auto laps = scene::read_number_extra(extras, "laps");
      if (laps && *laps >= 1 && *laps <= 9)
        s.laps = u8(*laps);
      else
        note_ignored_start_property(extras, "laps", "a number from 1 to 9");
      s.pole = read_start_word(extras, "pole", k_pole, "left or right");
      s.spacing = read_start_word(extras, "spacing", k_spacing, "wide or narrow");
    }
    out_.course.stgi.emplace().entries.push_back(s);
  }
  u8 read_start_word(const Value& extras, std::string_view name, const EnumNames& words, std::string_view expected) {
    if (const auto text = scene::read_text_extra(extras, name))
      for (const EnumName& w : words.words)
        if (w.word == *text) return u8(w.value);
    note_ignored_start_property(extras, name, expected);
    return 0;
  }
  void note_ignored_start_property(const Value& extras, std::string_view name, std::string_view expected) {
    if (!extras.is(Value::Kind::object) || !extras.find(name)) return;
    note(Severity::warning, "kmp.make-start",
         text("the property ", name, " of the start is ignored: it must be ", expected));
    ++out_.lost;
  }

  const scene::Scene& s_;
  CourseNodes nodes_;
  const kcl::Kcl& collision_;
  Ground ground_;
  BuiltCourse out_;
};

}  // namespace

f64 units_of_scene(const scene::Scene& s, f64 units_per_metre) {
  // 1 except for rounding: an exported scene, whose numbers stay unchanged
  const f64 factor = units_per_metre * f64(s.metres_per_unit);
  return std::abs(factor - 1) < 1e-6 ? 1 : factor;
}

Result<BuiltCourse> build_course(const scene::Scene& s, const std::vector<NodeRole>& roles, const kcl::Kcl& collision,
                                 f64 units) {
  return CourseBuilder(s, roles, collision, units).run();
}

Result<BuiltCollision> build_course_collision(const scene::Scene& s, const std::vector<NodeRole>& roles,
                                              std::span<const Argument> options) {
  auto made = kcl::make(extract_collision(s, roles), options);
  if (!made) return refuse(std::move(made.error()));
  BuiltCollision out{std::move(made->files.at(0).bytes), {}, std::move(made->notes)};
  auto loaded = load<kcl::Kcl>(out.bytes);
  if (!loaded) return refuse(std::move(loaded.error()));
  out.collision = loaded->document.value();
  return out;
}

Result<Made> make(const scene::Scene& given, std::span<const Argument> all) {
  Arguments a(all);
  const f64 units = a.has("units-per-metre") ? a.number("units-per-metre", 1e-3, 1e6) : k_units_per_metre;
  if (!a.done()) {
    a.problem->id = "make.argument";
    return refuse(*std::move(a.problem));
  }
  if (auto fault = scene::validation_error(given)) return refuse(std::move(*fault));
  const std::vector<NodeRole> roles = classify_nodes(given);
  auto collision = build_course_collision(given, roles, all);
  if (!collision && has_exported_course(given)) collision = BuiltCollision{};  // its paths do not depend on the road
  if (!collision) return refuse(std::move(collision.error()));
  auto built = build_course(given, roles, collision->collision, units_of_scene(given, units));
  if (!built) return refuse(std::move(built.error()));
  Document<Kmp> d;
  d.edit() = std::move(built->course);
  auto bytes = save(d);
  if (!bytes) return refuse(std::move(bytes.error()));
  Made made;
  made.files.push_back({".kmp", std::move(*bytes)});
  made.notes = std::move(built->notes), made.lost = built->lost;
  return made;
}

}  // namespace dio::kmp
