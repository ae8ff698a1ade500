#include "formats/kmp/from_scene/placed_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/kmp/from_scene/curves.hpp"
#include "formats/kmp/objects.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"

namespace dio::kmp {

using scene::Index;
using scene::k_none;
using scene::Point;

namespace {

constexpr f64 k_area_size = 10000;  // units of an area with scale 1
class PlacedNodeWriter {
 public:
  PlacedNodeWriter(Kmp& k, const CourseNodes& nodes, Diagnostics& notes, u64& lost)
      : k_(k), n_(nodes), notes_(notes), lost_(lost) {}

  void run() {
    const auto make = [](auto&... sections) { ((sections ? void() : void(sections.emplace())), ...); };
    make(k_.gobj, k_.poti, k_.area, k_.cnpt);
    for (Index i = 0; i < n_.scene.nodes.size(); ++i)
      if (is_route(i) && !is_exported(i)) add_route(i);
    for (Index i = 0; i < n_.scene.nodes.size(); ++i) {
      const scene::Node& node = n_.scene.nodes[i];
      if (is_exported(i)) continue;
      const std::string name = name_of(i);
      if (starts_with_word(name, "area"))
        add_area(i, name);
      else if (const ObjectKind* kind = find_object(i, name))
        add_object(i, *kind);
      else if (node.mesh == k_none && starts_with_word(name, "cannon"))
        add_cannon(i);
      else if (node.mesh == k_none && starts_with_word(name, "respawn"))
        add_respawn(i);
    }
  }

 private:
  /// Exported nodes have their kind as a property.
  bool is_exported(Index i) const { return scene::read_text_extra(n_.scene.nodes[i].extras, "kind").has_value(); }
  /// The empties below a route are its points.
  bool is_route(Index i) const {
    const scene::Node& node = n_.scene.nodes[i];
    const bool is_point = node.mesh == k_none && node.parent != k_none && is_route(node.parent);
    return starts_with_word(name_of(i), "route") && !is_point;
  }
  std::string name_of(Index i) const { return normalize_node_name(n_.scene.nodes[i].name); }
  void note(std::string_view id, Index node, std::string message) {
    notes_.push_back(make_diagnostic(Severity::warning, id, "node " + escape_control_chars(n_.scene.nodes[node].name),
                                     {.message = std::move(message)}));
    ++lost_;
  }
  /// A number; programs also store switches and texts.
  f64 number(Index i, std::string_view name, f64 otherwise, f64 most) const {
    const Value& extras = n_.scene.nodes[i].extras;
    std::optional<f64> n = scene::read_number_extra(extras, name);
    if (const auto flag = scene::read_flag_extra(extras, name); flag && !n) n = *flag;
    if (const auto text = scene::read_text_extra(extras, name)) n = parse_number(*text);
    return n ? std::clamp(*n, 0.0, most) : otherwise;
  }
  /// A setting has 16 bits; -1 is 65535.
  u16 setting(Index i, std::string_view name, u16 otherwise) const {
    const auto n = scene::read_number_extra(n_.scene.nodes[i].extras, name);
    return n && *n < 0 ? to_setting(*n) : u16(number(i, name, otherwise, 65535));
  }
  static u16 to_setting(f64 n) { return n < 0 ? u16(i16(std::max(n, -32768.0))) : u16(std::min(n, 65535.0)); }

  void add_route(Index i) {
    std::vector<Curve> curves = find_curves(n_.scene, i, n_.places, n_.units);
    if (curves.size() != 1)
      return note("kmp.make-curve", i,
                  curves.empty() ? "the route has no lines, no bevel and no empties below it"
                                 : "the route consists of " + format_count(curves.size(), "curve") + " instead of one");
    Route r{};
    // Exported tubes and curves have many points, the file has room for few.
    constexpr size_t k_most_points = 64;
    Curve c = std::move(curves[0]);
    if (c.points.size() > k_most_points) c = resample(c, c.length() / f64(k_most_points));
    r.smooth = number(i, "smooth", c.points.size() > 2, 1) != 0;
    r.back_and_forth = number(i, "back_and_forth", !c.is_closed, 1) != 0;
    for (const Point& p : c.points)
      r.points.push_back({to_vec3(p), u16(number(i, "speed", 20, 65535)), u16(number(i, "extra", 0, 65535))});
    const u16 index = u16(k_.poti->entries.size());
    exact_routes_.try_emplace(n_.scene.nodes[i].name, index), routes_.try_emplace(name_of(i), index);
    k_.poti->entries.push_back(std::move(r));
  }
  /// The route that the property `route` names; none without it.
  u16 route_of(Index i) {
    const Value& extras = n_.scene.nodes[i].extras;
    std::optional<std::string> name;
    if (const auto text = scene::read_text_extra(extras, "route")) name = std::string(*text);
    if (const auto n = scene::read_number_extra(extras, "route"))
      name = std::to_string(std::llround(std::clamp(*n, 0.0, 1e6)));
    if (name) {
      for (const std::string& key : {*name, "route " + *name})
        if (const auto found = exact_routes_.find(key); found != exact_routes_.end()) return found->second;
      const std::string wanted = normalize_node_name(*name);
      for (const std::string& key : {wanted, "route " + wanted})
        if (const auto found = routes_.find(key); found != routes_.end()) return found->second;
      note("kmp.make-route", i, "there is no route with the name " + in_quotes(*name));
    }
    return k_no_route;
  }

  /// By the property `object`, a name or a number; or by the name of a node without a mesh.
  const ObjectKind* find_object(Index i, const std::string& name) {
    const scene::Node& node = n_.scene.nodes[i];
    const auto find = [](std::string_view wanted) -> const ObjectKind* {
      const ObjectKind* best = nullptr;
      size_t longest = 0;
      for (const ObjectKind& kind : object_kinds()) {
        const std::string word = normalize_node_name(kind.name);
        if (word.size() > longest && starts_with_word(wanted, word)) best = &kind, longest = word.size();
      }
      return best;
    };
    if (const auto id = scene::read_number_extra(node.extras, "object")) {
      const ObjectKind* const kind = *id >= 0 && *id < 65536 ? object_kind(u16(*id)) : nullptr;
      if (!kind) note("kmp.make-object", i, "there is no object with this number");
      return kind;
    }
    if (const auto text = scene::read_text_extra(node.extras, "object")) {
      if (const ObjectKind* kind = find(normalize_node_name(*text))) return kind;
      note("kmp.make-object", i, "there is no object with the name " + in_quotes(*text));
      return nullptr;
    }
    const bool is_plain = node.mesh == k_none && node.skin == k_none && node.camera == k_none && node.light == k_none;
    // The lamp of new scenes is named Sun; exporters leave it as a plain node.
    return is_plain && name != "sun" ? find(name) : nullptr;
  }
  void add_object(Index i, const ObjectKind& kind) {
    const Value& extras = n_.scene.nodes[i].extras;
    Object o{};
    o.id = kind.id;
    o.position = to_vec3(n_.position(i)), o.rotation = n_.rotation(i);
    o.scale = scale_of(i);
    o.route = route_of(i);
    o.presence = u16(number(i, "presence", 0x3F, 65535));
    for (size_t count = 1; count <= o.settings.size(); ++count)
      if (const auto all = scene::read_number_list_extra(extras, "settings", count))
        for (size_t n = 0; n < count; ++n) o.settings[n] = to_setting((*all)[n]);
    for (size_t n = 0; n < o.settings.size(); ++n)
      o.settings[n] = setting(i, "setting_" + std::to_string(n + 1), o.settings[n]);
    k_.gobj->entries.push_back(o);
  }
  Vec3 scale_of(Index i) const {
    const scene::Affine& place = n_.places[i];
    Vec3 out{1, 1, 1};
    f32* const axes[] = {&out.x, &out.y, &out.z};
    for (size_t c = 0; c < 3; ++c) {
      // without the scale of the scene: 1 for a node that is not scaled
      const f64 size = scene::length(place.linear.columns[c]);
      if (size > 1e-6 && std::isfinite(size)) *axes[c] = f32(std::round(size * 1e4) / 1e4);
    }
    return out;
  }

  /// A box or a cylinder: the bounds of a mesh, or the cube of an empty, which reaches one metre to each side.
  void add_area(Index i, const std::string& name) {
    const scene::Node& node = n_.scene.nodes[i];
    Area a{};
    const std::string rest = name.size() > 5 ? name.substr(5) : "";
    bool is_known = false;
    for (const EnumName& w : k_area_types.words)
      if (starts_with_word(rest, normalize_node_name(w.word))) a.type = u8(w.value), is_known = true;
    if (!is_known)
      return note("kmp.make-area", i,
                  rest.empty() ? "its name does not contain a type, as in `area fall boundary`"
                               : "there is no area type with the name " + in_quotes(rest));
    Point low{-1, -1, -1}, high{1, 1, 1};
    for (f64& x : low) x *= 100 / n_.units;
    for (f64& x : high) x *= 100 / n_.units;
    if (node.mesh != k_none) {
      bool is_first = true;
      for (const scene::Primitive& p : n_.scene.meshes[node.mesh].primitives)
        for (const scene::Vec3& v : p.positions) {
          for (size_t c = 0; c < 3; ++c) {
            low[c] = is_first ? v[c] : std::min<f64>(low[c], v[c]);
            high[c] = is_first ? v[c] : std::max<f64>(high[c], v[c]);
          }
          is_first = false;
        }
    }
    Point floor = n_.places[i] * Point{(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2};
    for (f64& x : floor) x *= n_.units;
    a.position = to_vec3(floor), a.rotation = n_.rotation(i);
    f32* const axes[] = {&a.scale.x, &a.scale.y, &a.scale.z};
    for (size_t c = 0; c < 3; ++c)
      *axes[c] = f32((high[c] - low[c]) * scene::length(n_.places[i].linear.columns[c]) * n_.units / k_area_size);
    if (const auto shape = scene::read_text_extra(node.extras, "shape"))
      a.shape = lower_case(std::string(*shape)) == "cylinder";
    a.camera = k_no_link;
    a.priority = u8(number(i, "priority", 1, 255));
    a.setting_1 = setting(i, "setting_1", 0), a.setting_2 = setting(i, "setting_2", 0);
    const u16 route = route_of(i);
    if (route != k_no_route && route >= k_no_link)
      note("kmp.make-route", i, "an area can use only the first 255 routes");
    a.route = route >= k_no_link ? k_no_link : u8(route);
    a.enemy_point = u8(number(i, "enemy_point", k_no_link, 255));
    k_.area->entries.push_back(a);
  }

  void add_cannon(Index i) {
    Cannon c{};
    c.position = to_vec3(n_.position(i)), c.rotation = n_.rotation(i);
    c.id = u16(k_.cnpt->entries.size());
    c.effect = i16(number(i, "effect", 0, 2));
    k_.cnpt->entries.push_back(c);
  }
  void add_respawn(Index i) {
    if (!k_.jgpt) k_.jgpt.emplace();
    Respawn r{};
    r.position = to_vec3(n_.position(i)), r.rotation = n_.rotation(i);
    r.id = u16(k_.jgpt->entries.size());
    r.sound_trigger = -1;
    k_.jgpt->entries.push_back(r);
  }

  Kmp& k_;
  const CourseNodes& n_;
  Diagnostics& notes_;
  u64& lost_;
  std::map<std::string, u16> exact_routes_, routes_;  // by name, and without the suffix of copies
};

}  // namespace

Point CourseNodes::position(Index i) const {
  Point p = places[i].origin;
  for (f64& x : p) x *= units;
  return p;
}

Vec3 CourseNodes::rotation(Index i) const {
  const scene::Vec4 q = scene::quaternion_of(scene::decompose_rotation([&] {
    scene::Mat3d m = places[i].linear;
    for (Point& c : m.columns) c = scene::unit(c);
    if (scene::determinant(m) < 0)
      for (f64& x : m.columns[0]) x = -x;  // entries cannot be mirrored: up and ahead stay
    return m;
  }()));
  const scene::Vec3 angles = scene::nearest_euler_degrees(q, {0, 0, 0});
  const auto round = [](f32 x) { return f32(std::round(f64(x) * 1e4) / 1e4 + 0.0); };
  return {round(angles[0]), round(angles[1]), round(angles[2])};
}

void write_placed_nodes(Kmp& k, const CourseNodes& nodes, Diagnostics& notes, u64& lost) {
  PlacedNodeWriter(k, nodes, notes, lost).run();
}

}  // namespace dio::kmp
