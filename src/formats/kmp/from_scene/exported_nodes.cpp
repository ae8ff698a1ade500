#include "formats/kmp/from_scene/exported_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kmp/from_scene/curves.hpp"
#include "formats/kmp/scene/start_grid.hpp"
#include "formats/kmp/semantics.hpp"
#include "layout/path_steps.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {

using scene::Index;
using scene::k_none;

namespace {

std::string_view kind_of_node(const scene::Node& n) {
  return scene::read_text_extra(n.extras, "kind").value_or(std::string_view());
}

/// The index in a path of a section: 3 of ENPT.entries[3].
std::optional<u32> entry_index(const scene::Node& n, std::string_view section) {
  const auto path = scene::read_text_extra(n.extras, "path");
  if (!path) return {};
  std::string_view rest = *path;
  if (!take_name(rest, section)) return {};
  const auto i = take_element(rest, "entries");
  return i ? std::optional(u32(*i)) : std::nullopt;
}

/// The nearest number of an integer type.
template <class T>
T whole(f64 x) {
  return T(std::clamp(x, f64(std::numeric_limits<T>::min()), f64(std::numeric_limits<T>::max())));
}

class ExportedCourseReader {
 public:
  ExportedCourseReader(Kmp& k, const CourseNodes& nodes) : k_(k), n_(nodes) {}
  ExportedNodesResult take_result() { return std::move(result_); }

  void run() {
    // Entries that others refer to come first.
    read_all(k_.jgpt, "respawn", respawns_, [&](Index i, Respawn& r) {
      read_pose(i, r), r.id = u16(k_.jgpt->entries.size());
      r.sound_trigger = whole<i16>(number(i, "sound_trigger", -1));
    });
    read_routes();
    read_paths(k_.enph, k_.enpt, "enemy path", "enemy point", enemy_points_, [&](Index i, EnemyPoint& p) {
      p.position = to_vec3(n_.position(i));
      p.deviation = f32(number(i, "deviation", 10)), p.flags = whole<u8>(number(i, "flags", 0));
      p.mode = whole<u16>(f64(word(i, "mode", k_enemy_modes, 0))),
      p.drift = whole<u8>(f64(word(i, "drift", k_enemy_drift, 0)));
    });
    std::map<u32, u32> unused;
    read_paths(k_.itph, k_.itpt, "item path", "item point", unused, [&](Index i, ItemPoint& p) {
      p.position = to_vec3(n_.position(i));
      p.range = f32(number(i, "range", 10)), p.flags = whole<u16>(number(i, "flags", 0));
      p.height = whole<u16>(f64(word(i, "height", k_item_height, 0)));
    });
    read_paths(k_.ckph, k_.ckpt, "check path", "checkpoint", unused, [&](Index i, CheckPoint& c) { read(i, c); });
    link_checkpoints();
    read_cameras();
    read_all(k_.ktpt, "start point", unused,
             [&](Index i, StartPoint& s) { read_pose(i, s), s.player = whole<i16>(number(i, "player", -1)); });
    read_all(k_.gobj, "object", unused, [&](Index i, Object& o) { read(i, o); });
    read_all(k_.area, "area", unused, [&](Index i, Area& a) { read(i, a); });
    read_all(k_.cnpt, "cannon target", unused, [&](Index i, Cannon& c) {
      read_pose(i, c), c.id = u16(k_.cnpt->entries.size());
      c.effect = whole<i16>(f64(word(i, "effect", k_cannon_effects, 0)));
    });
    read_all(k_.mspt, "end point", unused, [&](Index i, EndPoint& e) {
      read_pose(i, e), e.id = u16(k_.mspt->entries.size()), e.unk_1a = whole<u16>(number(i, "unk_1a", 0));
    });
    read_stage();
  }

 private:
  const Value& extras(Index i) const { return n_.scene.nodes[i].extras; }
  f64 number(Index i, std::string_view name, f64 otherwise) const {
    const auto n = scene::read_number_extra(extras(i), name);
    if (const auto flag = scene::read_flag_extra(extras(i), name); flag && !n) return *flag;
    return n.value_or(otherwise);
  }
  i64 word(Index i, std::string_view name, const EnumNames& words, i64 otherwise) const {
    if (const auto text = scene::read_text_extra(extras(i), name))
      for (const EnumName& w : words.words)
        if (w.word == *text) return w.value;
    return whole<i32>(number(i, name, f64(otherwise)));
  }
  std::optional<Vec3> vector(Index i, std::string_view name) const {
    const auto v = scene::read_number_list_extra(extras(i), name, 3);
    return v ? std::optional(Vec3{f32((*v)[0]), f32((*v)[1]), f32((*v)[2])}) : std::nullopt;
  }
  /// The number of an entry now, from its number in the exported file.
  u32 renumber(Index node, std::string_view name, const std::map<u32, u32>& now, f64 then, u32 none) {
    const auto found = then >= 0 && then < 65536 ? now.find(u32(then)) : now.end();
    if (found != now.end()) return found->second;
    if (then >= 0 && then != none) result_.dropped.push_back(text(name, " of ", in_quotes(n_.scene.nodes[node].name)));
    return none;
  }
  /// The same, of a property; without it, there is no reference.
  u32 renumber_property(Index node, std::string_view name, const std::map<u32, u32>& now, u32 none) {
    return renumber(node, name, now, number(node, name, -1), none);
  }

  /// The stored angles, unless the node was turned since.
  Vec3 read_rotation(Index i) const {
    const auto stored = vector(i, "rotation");
    if (!stored) return n_.rotation(i);
    const scene::Mat3 then = scene::to_matrix(rotation_from_degrees(*stored));
    for (size_t c = 0; c < 3; ++c) {
      const Point axis = scene::unit(n_.places[i].linear.columns[c]);
      for (size_t r = 0; r < 3; ++r)
        if (std::abs(axis[r] - f64(then[c][r])) > 1e-3) return n_.rotation(i);
    }
    return *stored;
  }
  void read_pose(Index i, auto& entry) const {
    entry.position = to_vec3(n_.position(i)), entry.rotation = read_rotation(i);
  }
  Vec3 read_scale(Index i) const {
    Vec3 out{1, 1, 1};
    const auto stored = vector(i, "scale").value_or(out);
    const f32 then[] = {stored.x, stored.y, stored.z};
    f32* const axes[] = {&out.x, &out.y, &out.z};
    for (size_t c = 0; c < 3; ++c) {
      const f64 size = scene::length(n_.places[i].linear.columns[c]);
      *axes[c] = std::abs(size - std::abs(f64(then[c]))) <= 1e-3 * size ? then[c] : f32(size);
    }
    return out;
  }

  /// The nodes of a kind, in the order of their entries; copies follow their originals.
  std::vector<Index> find_nodes(std::string_view kind, std::string_view section, Index parent = k_none) const {
    std::vector<Index> out;
    for (Index i = 0; i < n_.scene.nodes.size(); ++i)
      if (kind_of_node(n_.scene.nodes[i]) == kind && (parent == k_none || n_.scene.nodes[i].parent == parent))
        out.push_back(i);
    sort_stably(out, [&](Index a, Index b) {
      return entry_index(n_.scene.nodes[a], section).value_or(~0u) <
             entry_index(n_.scene.nodes[b], section).value_or(~0u);
    });
    return out;
  }
  void remember(std::map<u32, u32>& numbers, Index i, std::string_view section, size_t now) const {
    if (const auto then = entry_index(n_.scene.nodes[i], section)) numbers.try_emplace(*then, u32(now));
  }
  template <class S>
  void read_all(std::optional<S>& section, std::string_view kind, std::map<u32, u32>& numbers, auto read_entry) {
    section.emplace();
    for (const Index i : find_nodes(kind, S::k_name)) {
      typename S::Entry entry{};
      read_entry(i, entry);
      remember(numbers, i, S::k_name, section->entries.size());
      section->entries.push_back(entry);
    }
  }

  template <class Groups, class Points>
  void read_paths(std::optional<Groups>& groups, std::optional<Points>& points, std::string_view group_kind,
                  std::string_view point_kind, std::map<u32, u32>& numbers, auto read_point) {
    groups.emplace(), points.emplace();
    std::map<u32, u32> group_numbers;
    const std::vector<Index> nodes = find_nodes(group_kind, Groups::k_name);
    for (size_t g = 0; g < nodes.size(); ++g) remember(group_numbers, nodes[g], Groups::k_name, g);
    for (Index i = 0; i < n_.scene.nodes.size(); ++i)  // points outside groups
      if (kind_of_node(n_.scene.nodes[i]) == point_kind &&
          std::ranges::find(nodes, n_.scene.nodes[i].parent) == nodes.end())
        ++result_.omitted;
    constexpr size_t k_most = 255;  // numbers of groups and points have 8 bits, and 255 means none
    for (const Index node : nodes) {
      if (groups->entries.size() == k_most) {
        ++result_.omitted;
        continue;
      }
      Group g{};
      g.first = u8(points->entries.size());
      for (const Index i : find_nodes(point_kind, Points::k_name, node)) {
        if (points->entries.size() == k_most) {
          ++result_.omitted;
          continue;
        }
        typename Points::Entry p{};
        read_point(i, p);
        remember(numbers, i, Points::k_name, points->entries.size());
        points->entries.push_back(p);
        ++g.count;
      }
      read_links(node, "previous", g.previous, group_numbers), read_links(node, "next", g.next, group_numbers);
      if (const auto d = scene::read_number_list_extra(extras(node), "dispatch", 2))
        g.dispatch = {whole<u8>((*d)[0]), whole<u8>((*d)[1])};
      groups->entries.push_back(g);
    }
  }
  void read_links(Index node, std::string_view name, std::array<u8, 6>& links, const std::map<u32, u32>& numbers) {
    links.fill(k_no_link);
    size_t n = 0;
    const Value* list = extras(node).find(name);
    if (!list || !list->is(Value::Kind::list)) return;
    for (size_t count = 0; count <= links.size(); ++count)
      if (const auto all = scene::parse_number_list(*list, count)) {
        for (const f64 then : *all)
          if (const u32 now = renumber(node, name, numbers, then, k_no_link); now != k_no_link) links[n++] = u8(now);
        return;
      }
  }

  void read(Index i, CheckPoint& c) {
    // The node is at the origin until it is moved; its ends are properties.
    const auto end = [&](const char* name) {
      const auto v = scene::read_number_list_extra(extras(i), name, 2);
      if (!v) return Vec2{};
      const Point at = n_.places[i] * Point{(*v)[0] / n_.units, 0, (*v)[1] / n_.units};
      return Vec2{f32(at[0] * n_.units), f32(at[2] * n_.units)};
    };
    c.left = end("left"), c.right = end("right");
    const auto type = scene::read_text_extra(extras(i), "type").value_or("normal");
    c.type = type == "lap line" ? 0 : type == "key" ? whole<i8>(number(i, "key", 1)) : whole<i8>(number(i, "key", -1));
    c.respawn = whole<u8>(renumber_property(i, "respawn", respawns_, k_no_link));
  }
  void link_checkpoints() {
    for (const Group& g : k_.ckph->entries)
      for (u32 i = 0; i < g.count; ++i) {
        CheckPoint& c = k_.ckpt->entries[g.first + i];
        c.previous = i ? u8(g.first + i - 1) : k_no_link, c.next = i + 1u < g.count ? u8(g.first + i + 1) : k_no_link;
      }
  }

  void read(Index i, Object& o) {
    read_pose(i, o), o.scale = read_scale(i);
    o.id = whole<u16>(number(i, "id", 0));
    o.reference = whole<u16>(number(i, "reference", 0));
    o.route = whole<u16>(renumber_property(i, "route", routes_, k_no_route));
    o.presence = whole<u16>(number(i, "presence", 0x3F));
    if (const auto all = scene::read_number_list_extra(extras(i), "settings", o.settings.size()))
      for (size_t n = 0; n < o.settings.size(); ++n) o.settings[n] = whole<u16>((*all)[n]);
  }
  void read(Index i, Area& a) {
    read_pose(i, a), a.scale = read_scale(i);
    a.shape = whole<u8>(f64(word(i, "shape", k_area_shapes, 0))),
    a.type = whole<u8>(f64(word(i, "type", k_area_types, 0)));
    a.priority = whole<u8>(number(i, "priority", 0));
    a.setting_1 = whole<u16>(number(i, "setting_1", 0)), a.setting_2 = whole<u16>(number(i, "setting_2", 0));
    // An area refers only to the entries of its type; otherwise the values are numbers, or unused.
    const auto refer = [&](std::string_view name, u8 type, const std::map<u32, u32>& numbers) {
      return a.type == type ? whole<u8>(renumber_property(i, name, numbers, k_no_link))
                            : whole<u8>(number(i, name, k_no_link));
    };
    a.camera = refer("camera", 0, cameras_), a.route = refer("route", 3, routes_);
    a.enemy_point = refer("enemy_point", 4, enemy_points_);
  }

  void read_routes() {
    k_.poti.emplace();
    for (const Index node : find_nodes("route", "POTI")) {
      Route r{};
      r.smooth = number(node, "smooth", 0) != 0, r.back_and_forth = number(node, "back_and_forth", 0) != 0;
      std::vector<Index> points;
      for (Index i = 0; i < n_.scene.nodes.size(); ++i)
        if (n_.scene.nodes[i].parent == node && kind_of_node(n_.scene.nodes[i]) == "route point") points.push_back(i);
      sort_stably(points, [&](Index a, Index b) { return point_index(a) < point_index(b); });
      for (const Index i : points)
        r.points.push_back(
            {to_vec3(n_.position(i)), whole<u16>(number(i, "speed", 0)), whole<u16>(number(i, "extra", 0))});
      remember(routes_, node, "POTI", k_.poti->entries.size());
      k_.poti->entries.push_back(std::move(r));
    }
  }
  /// 4 of POTI.entries[3].points[4].
  u32 point_index(Index i) const {
    const auto path = scene::read_text_extra(extras(i), "path").value_or(std::string_view());
    std::string_view rest = path;
    if (!take_name(rest, "POTI") || !take_element(rest, "entries")) return ~0u;
    const auto n = take_element(rest, "points");
    return n ? u32(*n) : ~0u;
  }

  void read_cameras() {
    const std::vector<Index> nodes = find_nodes("camera", "CAME");
    for (size_t i = 0; i < nodes.size(); ++i) remember(cameras_, nodes[i], "CAME", i);
    std::map<u32, u32> unused;
    read_all(k_.came, "camera", unused, [&](Index i, Camera& c) {
      c.position = to_vec3(n_.position(i)), c.rotation = vector(i, "rotation").value_or(Vec3{});
      c.type = whole<u8>(f64(word(i, "type", k_camera_types, 0)));
      c.next = whole<u8>(renumber_property(i, "next", cameras_, k_no_link));
      c.route = whole<u8>(renumber_property(i, "route", routes_, k_no_link));
      c.shake = whole<u8>(number(i, "shake", 0)), c.start = whole<u8>(number(i, "start", 0)),
      c.movie = whole<u8>(number(i, "movie", 0));
      c.route_speed = whole<u16>(number(i, "route_speed", 0)), c.view_speed = whole<u16>(number(i, "view_speed", 0));
      c.zoom_begin = c.zoom_end = 85;
      if (const auto zoom = scene::read_number_list_extra(extras(i), "zoom", 3))
        c.zoom_begin = f32((*zoom)[0]), c.zoom_end = f32((*zoom)[1]), c.zoom_speed = whole<u16>((*zoom)[2]);
      c.view_begin = vector(i, "view_begin").value_or(Vec3{}), c.view_end = vector(i, "view_end").value_or(Vec3{});
      c.time = f32(number(i, "frames", 0));
    });
    if (const auto section = find_section("CAME")) {
      k_.came->header.opening = whole<u8>(renumber_property(*section, "opening", cameras_, 0));
      k_.came->header.selection = whole<u8>(renumber_property(*section, "selection", cameras_, 0));
    }
  }

  std::optional<Index> find_section(std::string_view name) const {
    for (Index i = 0; i < n_.scene.nodes.size(); ++i)
      if (kind_of_node(n_.scene.nodes[i]) == "section" && scene::read_text_extra(extras(i), "path") == name) return i;
    return {};
  }
  void read_stage() {
    std::map<u32, u32> unused;
    read_all(k_.stgi, "stage", unused, [&](Index i, Stage& s) {
      s.laps = whole<u8>(number(i, "laps", 3));
      s.pole = whole<u8>(f64(word(i, "pole", k_pole, 0))), s.spacing = whole<u8>(f64(word(i, "spacing", k_spacing, 0)));
      s.flare_flash = whole<u8>(f64(word(i, "flare_flash", k_flare_flash, 1)));
      s.flare_color = whole<u32>(number(i, "flare_color", 0xE6E6E6));
      s.flare_alpha = whole<u8>(number(i, "flare_alpha", 75));
      s.speed_modifier = whole<u16>(number(i, "speed_modifier", 0));
    });
  }

  Kmp& k_;
  const CourseNodes& n_;
  ExportedNodesResult result_;
  std::map<u32, u32> respawns_, routes_, cameras_, enemy_points_;
};

}  // namespace

bool has_exported_course(const scene::Scene& s) {
  return std::ranges::any_of(s.nodes, [](const scene::Node& n) {
    const std::string_view kind = kind_of_node(n);
    return kind == "checkpoint" || kind == "enemy point" || kind == "start point";
  });
}

ExportedNodesResult write_exported_nodes(Kmp& k, const CourseNodes& nodes) {
  ExportedCourseReader reader(k, nodes);
  reader.run();
  return reader.take_result();
}

}  // namespace dio::kmp
