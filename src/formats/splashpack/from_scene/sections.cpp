#include "formats/splashpack/from_scene/sections.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/rooms.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"

namespace dio::splashpack {
namespace {

constexpr u8 k_solid = 1;  // a collider's type
// Defaults of interactables. Source: splashedit-ng, defaults.
constexpr u8 k_can_repeat = 1, k_shows_prompt = 2;         // of an interactable. Source: engine, interactable.hh
constexpr f64 k_usual_button = 14, k_usual_cooldown = 30;  // cross; frames
constexpr f64 k_usual_radius = 2;  // of an interactable, in world units (SplashEdit, PSXInteractable)

class PackSectionBuilder {
 public:
  PackSectionBuilder(const MakeSource& source, Pack& pack, Scripts& scripts, Diagnostics& notes)
      : in_(source), pack_(pack), scripts_(scripts), notes_(notes) {}

  std::optional<Diagnostic> build() {
    index_objects();
    assign_object_names();
    if (!add_derived_sections(pack_, in_.settings.scaling))
      note("splashpack.make-lost", {},
           {.message = "a BVH holds at most 65535 triangles",
            .hint = "the pack has no BVH, so the engine draws all objects"});
    build_floor_regions();
    fault_ = add_rooms(in_, is_floor_made_, pack_, notes_);
    for (size_t i = 0; i < in_.scene.nodes.size() && !fault_; ++i) {
      if (in_.roles[i] == Role::collider) add_collider(i);
      if (in_.roles[i] == Role::trigger) add_trigger(i);
    }
    add_interactables();
    read_scene_settings();
    return std::move(fault_);
  }

 private:
  void note(std::string_view id, std::string path, DiagnosticText said) {
    notes_.push_back(make_diagnostic(Severity::warning, id, std::move(path), std::move(said)));
  }

  /// By their numbers in the original pack; otherwise by their order.
  void index_objects() {
    for (size_t i = 0; i < in_.objects.size(); ++i) {
      const auto index = read_number_extra(in_.scene.nodes[in_.objects[i]].extras, "index");
      if (index && *index >= 0 && *index < 65535) by_index_.try_emplace(u32(*index), u16(i));
      by_node_.emplace(in_.objects[i], u16(i));
    }
  }

  // ---- names

  void assign_object_names() {
    Names names;
    size_t changed = 0;
    std::string first;
    for (size_t i = 0; i < in_.objects.size(); ++i) {
      const scene::Node& node = in_.scene.nodes[in_.objects[i]];
      std::string name = names.make_unique_name(node.name.empty() ? text("object_", i) : node.name);
      if (!node.name.empty() && name != node.name && !changed++)
        first = text(in_quotes(escape_control_chars(node.name)), " to ", in_quotes(name));
      pack_.objects[i].name = std::move(name);
    }
    if (changed)
      note("splashpack.make-names", {}, describe_changed_names(format_count(changed, "name"), changed, first));
  }

  // ---- floor

  void build_floor_regions() {
    std::vector<NavTriangle> floor;
    for (Navmesh& mesh : pack_.navmeshes) floor.insert(floor.end(), mesh.triangles.begin(), mesh.triangles.end());
    pack_.navmeshes.clear();
    is_floor_made_ = !floor.empty();
    if (!is_floor_made_) return restore_regions();
    const Vec32 start{{pack_.start.x.raw}, {pack_.start.y.raw}, {pack_.start.z.raw}};
    std::vector<Box> rooms;
    for (size_t i = 0; i < in_.scene.nodes.size(); ++i)
      if (in_.roles[i] == Role::room)
        if (const auto box = compute_node_box(in_, i); box && *box) rooms.push_back(**box);
    BuiltNavmesh made = build_nav_regions(floor, start, rooms);
    pack_.nav = std::move(made.nav);
    if (made.degenerate || made.steep)
      note("splashpack.make-floor", {},
           {.message = text("the floor has ", format_count(made.degenerate, "triangle"),
                            " without an area (seen from above) and ", format_count(made.steep, "wall")),
            .hint = "these triangles are omitted from the floor"});
    if (made.far)
      note("splashpack.make-floor", {},
           {.message = text(format_count(made.far, "triangle"), " of the floor ", made.far == 1 ? "is" : "are",
                            " farther from the origin than 131,072 times the scaling"),
            .hint = "these triangles are omitted from the floor"});
    if (made.too_many)
      note("splashpack.make-floor", {},
           {.message = "the floor needs more than 65534 regions", .hint = "the pack has no floor"});
  }

  /// Regions as in the original pack: their numbers are in the extras. For another floor, add a navmesh.
  void restore_regions() {
    Nav nav;
    const auto raw = [](f64 x) { return fx32{i32(std::clamp(x, -2147483648.0, 2147483647.0))}; };
    for (size_t i = 0; i < in_.scene.nodes.size(); ++i) {
      const Value& extras = in_.scene.nodes[i].extras;
      const Value *corners = extras.find("corners"), *portals = extras.find("portals");
      const auto plane = read_number_list_extra(extras, "plane", 3);
      if (in_.roles[i] != Role::nav_region || !corners || !plane) continue;
      const auto outline = read_number_list_extra(extras, "corners", corners->size());
      if (!outline || outline->size() % 2 || outline->size() > 16 || nav.regions.size() == 65534) continue;
      NavRegion& r = nav.regions.emplace_back();
      r = {};
      for (size_t k = 0; k < outline->size(); k += 2)
        r.xs[k / 2] = raw((*outline)[k]), r.zs[k / 2] = raw((*outline)[k + 1]);
      r.plane_a = raw((*plane)[0]), r.plane_b = raw((*plane)[1]), r.plane_d = raw((*plane)[2]);
      r.corner_count = u8(outline->size() / 2);
      r.surface = byte_in(extras, "surface", 0);
      r.room = byte_in(extras, "room", k_no_room);
      r.flags = byte_in(extras, "flags", 0);
      r.walk_off = byte_in(extras, "walk_off", 0);
      r.first_portal = u16(nav.portals.size());
      if (!portals || !portals->is(Value::Kind::list)) continue;
      for (size_t k = 0; k < portals->size() && r.portal_count < 255 && nav.portals.size() < 65535; ++k) {
        const auto n = parse_number_list(*portals->at(k), 6);
        if (!n || !((*n)[4] >= 0 && (*n)[4] < 65535)) continue;
        nav.portals.push_back({raw((*n)[0]), raw((*n)[1]), raw((*n)[2]), raw((*n)[3]), u16((*n)[4]),
                               fx16{i16(std::clamp((*n)[5], -32768.0, 32767.0))}});
        ++r.portal_count;
      }
    }
    if (nav.regions.empty()) return;
    const f64 start = read_number_extra(in_.scene.extras, "start_region").value_or(0);
    nav.start_region = start >= 0 && start < f64(nav.regions.size()) ? u16(start) : u16(0);
    if (std::ranges::any_of(nav.portals, [&](const NavPortal& p) { return p.region >= nav.regions.size(); }))
      return note("splashpack.make-floor", {},
                  {.message = "some nav_region nodes are missing, but portals of other regions lead to them",
                   .hint = "the pack has no floor; add a navmesh"});
    pack_.nav = std::move(nav);
  }

  // ---- boxes

  std::optional<Box> box_at(size_t node) {
    auto box = compute_node_box(in_, node);
    if (box) return *box;
    fault_ = std::move(box.error());
    return {};
  }

  /// The object of a collider or interactable node: the one that it names or numbers, otherwise its ancestor.
  u16 resolve_object(size_t node) const {
    const Value& extras = in_.scene.nodes[node].extras;
    if (const auto number = read_number_extra(extras, "object")) {
      const auto known = *number >= 0 && *number < 65535 ? by_index_.find(u32(*number)) : by_index_.end();
      if (known != by_index_.end()) return known->second;
      if (*number != k_no_index) warn_no_object(node, text(*number));
    }
    if (const auto name = read_text_extra(extras, "object")) {
      for (size_t i = 0; i < in_.objects.size(); ++i)
        if (in_.scene.nodes[in_.objects[i]].name == *name) return u16(i);
      warn_no_object(node, text("\"", *name, "\""));
    }
    for (Index n = in_.scene.nodes[node].parent; n != k_none; n = in_.scene.nodes[n].parent)
      if (const auto known = by_node_.find(n); known != by_node_.end()) return known->second;
    return k_no_index;
  }

  void warn_no_object(size_t node, const std::string& found) const {
    notes_.push_back(make_diagnostic(Severity::warning, "splashpack.make-property", node_label(in_.scene, node),
                                     {.message = text("object = ", found, " matches no object"),
                                      .hint = "use the name of an object, or its index"}));
  }

  /// The object for a standalone collider: the engine ignores colliders without an active object, so it is assigned to
  /// an object that no script changes. Source: engine, collision.cpp.
  u16 find_collider_owner() const {
    const auto find = [&](auto&& fits) {
      const auto at = std::ranges::find_if(pack_.objects, fits);
      return at == pack_.objects.end() ? k_no_index : u16(at - pack_.objects.begin());
    };
    const u16 still = find([](const Object& o) { return (o.flags & 1) && o.script < 0; });
    return still != k_no_index ? still : find([](const Object& o) { return (o.flags & 1) != 0; });
  }

  u8 byte_in(const Value& extras, std::string_view name, u8 otherwise) const {
    const auto n = read_number_extra(extras, name);
    return n && *n >= 0 && *n <= 255 ? u8(*n) : otherwise;
  }

  void add_collider(size_t node) {
    const auto box = box_at(node);
    if (!box) return;
    const Value& extras = in_.scene.nodes[node].extras;
    const u16 object = resolve_object(node);
    pack_.colliders.push_back({*box, byte_in(extras, "type", k_solid), byte_in(extras, "mask", 0xFF),
                               object == k_no_index && !extras.find("object") ? find_collider_owner() : object, 0});
  }

  void add_trigger(size_t node) {
    const auto box = box_at(node);
    if (!box) return;
    auto script = scripts_.find_or_add(in_.scene.nodes[node].extras, node_label(in_.scene, node));
    if (!script)
      fault_ = std::move(script.error());
    else
      pack_.triggers.push_back({*box, *script, 0, 0});
  }

  // ---- fields as in the pack

  void add_interactables() {
    for (size_t i = 0; i < in_.objects.size(); ++i) {
      // Its fields or, flat as in Blender, true and neighbouring properties; these replace the fields of a pack.
      const Value& all = in_.scene.nodes[in_.objects[i]].extras;
      const Value* extras = all.find("interactable");
      if (extras && !extras->is(Value::Kind::object))
        extras = read_flag_extra(all, "interactable") == true ? &all : nullptr;
      if (!extras) continue;
      const auto whole = [&](std::string_view name, f64 most, f64 otherwise) {
        const auto flat = read_number_extra(all, name), own = read_number_extra(*extras, name);
        return std::clamp(std::floor(flat ? *flat : own.value_or(otherwise)), 0.0, most);
      };
      const auto own_radius = read_number_extra(all, "radius");
      Interactable& out = pack_.interactables.emplace_back();
      const f64 radius = in_.settings.to_pack_units(
          own_radius ? *own_radius : read_number_extra(*extras, "radius").value_or(k_usual_radius));
      const auto kept_radius = own_radius ? std::nullopt : read_number_extra(*extras, "radius_squared");
      const f64 squared = kept_radius.value_or(radius * radius / 4096 / 4096);
      const f64 least = squared > 0 ? 1 : 0;
      out.radius_squared.raw = i32(std::clamp(std::floor(squared * 4096 + 0.5), least, 2147483647.0));
      out.button = u8(whole("button", 255, k_usual_button));
      out.flags =
          u8(extras == &all ? k_can_repeat : std::clamp(read_number_extra(*extras, "flags").value_or(1), 0.0, 255.0));
      out.cooldown = u16(whole("cooldown", 65535, k_usual_cooldown));
      out.object = u16(i);
      const auto flat_canvas = read_text_extra(all, "prompt_canvas");
      out.prompt_canvas = flat_canvas ? *flat_canvas : read_text_extra(*extras, "prompt_canvas").value_or("");
      if (flat_canvas) out.flags = u8(flat_canvas->empty() ? out.flags & ~k_shows_prompt : out.flags | k_shows_prompt);
      pack_.objects[i].interactable = u16(pack_.interactables.size() - 1);
    }
  }

  void read_scene_settings() {
    const Value& extras = in_.scene.extras;
    if (const Value* movement = extras.find("movement"))
      for (const auto& [name, field] :
           {std::pair("move_speed", &pack_.move_speed), std::pair("sprint_speed", &pack_.sprint_speed),
            std::pair("jump_velocity", &pack_.jump_velocity), std::pair("gravity", &pack_.gravity),
            std::pair("player_radius", &pack_.player_radius)})
        if (const auto n = read_number_extra(*movement, name)) field->raw = u16(std::clamp(*n, 0.0, 65535.0));
    if (const Value* fog = extras.find("fog"); fog && fog->is(Value::Kind::object)) {
      pack_.fog = read_flag_extra(*fog, "enabled").value_or(true) ? 1 : 0;
      pack_.fog_red = byte_in(*fog, "red", 0);
      pack_.fog_green = byte_in(*fog, "green", 0);
      pack_.fog_blue = byte_in(*fog, "blue", 0);
      pack_.fog_density = byte_in(*fog, "density", pack_.fog_density);
    }
    read_flat_settings(extras);
    if (!pack_.rooms.empty()) pack_.scene_type = 1;
    if (const auto type = read_number_extra(extras, "scene_type")) pack_.scene_type = *type == 1 ? 1 : 0;
    if (const auto type = read_text_extra(extras, "scene_type"))
      pack_.scene_type = *type == k_scene_types.of(1) ? 1 : 0;
  }

  /// Movement in scene units and seconds, and fog, as properties in Blender: one number each.
  void read_flat_settings(const Value& extras) {
    const auto set = [&](const char* name, ufx16& field, f64 frames) {
      if (const auto n = read_number_extra(extras, name))
        field.raw = store_length(in_.settings, *n / frames, name, "scene", notes_);
    };
    constexpr f64 k_frames = 30;  // a second
    set("move_speed", pack_.move_speed, k_frames);
    set("sprint_speed", pack_.sprint_speed, k_frames);
    set("player_radius", pack_.player_radius, 1);
    set("gravity", pack_.gravity, 1);
    if (const auto height = read_number_extra(extras, "jump_height")) {
      constexpr f64 k_gravity = 20;  // of SplashEdit, units per second squared
      const f64 gravity = std::max(read_number_extra(extras, "gravity").value_or(k_gravity), 0.0);
      // The engine adds the velocity once per frame, gravity per second. Source: engine since de6c841, run.
      const f64 velocity = std::sqrt(2 * gravity / k_frames * std::max(*height, 0.0));
      pack_.jump_velocity.raw = store_length(in_.settings, velocity, "jump_height", "scene", notes_);
    }
    if (const auto density = read_number_extra(extras, "fog_density"); density) {
      pack_.fog = *density > 0;
      pack_.fog_density = u8(std::clamp(std::round(*density), 1.0, 10.0));
    }
    if (const auto color = read_number_list_extra(extras, "fog_color", 3); color && is_color(*color)) {
      const auto channel = [&](size_t k) { return u8(std::lround(std::clamp((*color)[k], 0.0, 1.0) * 255)); };
      pack_.fog_red = channel(0), pack_.fog_green = channel(1), pack_.fog_blue = channel(2);
    }
  }

  const MakeSource& in_;
  Pack& pack_;
  Scripts& scripts_;
  Diagnostics& notes_;
  std::map<u32, u16> by_index_;
  std::map<Index, u16> by_node_;
  bool is_floor_made_ = false;  // from a navmesh, not from the regions of a pack
  std::optional<Diagnostic> fault_;
};

}  // namespace

Result<std::optional<Box>> compute_node_box(const MakeSource& in, size_t node) {
  const scene::Node& n = in.scene.nodes[node];
  std::array<f64, 3> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const auto extend_box = [&](const Point& p) {
    const Point raw = in.settings.to_pack_units(in.places[node] * p);
    for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], raw[k]), high[k] = std::max(high[k], raw[k]);
  };
  if (n.mesh == k_none)
    for (u32 corner = 0; corner < 8; ++corner)
      extend_box({corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0});
  else
    for (const scene::Primitive& p : in.scene.meshes[n.mesh].primitives)
      for (const scene::Vec3& v : p.positions) extend_box({v[0], v[1], v[2]});
  if (!(low[0] <= high[0])) return std::optional<Box>();
  Box out;
  for (const auto& [from, to] : {std::pair(low, &out.min), std::pair(high, &out.max)}) {
    std::array<i32, 3> whole{};
    for (size_t k = 0; k < 3; ++k) {
      if (!(std::fabs(from[k]) <= 2147483000.0))
        return refuse(
            "splashpack.make-range", node_label(in.scene, node),
            {.message = "the box extends beyond 2147483647 units of the pack", .hint = "use a larger scaling"});
      whole[k] = i32(std::floor(from[k] + 0.5));
    }
    *to = {{whole[0]}, {whole[1]}, {whole[2]}};
  }
  return std::optional(out);
}

std::optional<Diagnostic> add_sections(const MakeSource& source, Pack& pack, Scripts& scripts, Diagnostics& notes) {
  return PackSectionBuilder(source, pack, scripts, notes).build();
}

Vram extract_vram(Pack& pack) {
  Vram out;
  for (Atlas& a : pack.atlases) out.atlases.push_back({a.x, a.y, a.width, a.height, std::exchange(a.texels, {})});
  for (Clut& c : pack.cluts) {
    VramClut& to = out.cluts.emplace_back();
    to.x = c.x, to.y = c.y;
    to.colors = std::exchange(c.colors, {});
    c.length = u16(to.colors.size());
  }
  return out;
}

}  // namespace dio::splashpack
