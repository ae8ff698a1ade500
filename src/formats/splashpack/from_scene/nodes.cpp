// nodes.cpp: the roles of scene nodes in a pack.
#include <algorithm>
#include <cmath>
#include <map>

#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/splashpack/from_scene/parts.hpp"
#include "scene/node_name_suffixes.hpp"

namespace dio::splashpack {
Role classify_node(const scene::Scene& scene, const scene::Node& node) {
  // The same marks as in scene::k_marks.
  constexpr Role k_roles[] = {Role::object,   Role::navmesh,    Role::player_start, Role::collider,
                              Role::trigger,  Role::nav_region, Role::room,         Role::portal,
                              Role::waypoint, Role::ignore,     Role::ignore};
  static_assert(std::size(k_roles) == std::size(scene::k_marks));
  const std::string_view mark = scene::node_mark_kind(scene, node);
  if (mark.empty()) return node.mesh == k_none ? Role::nothing : Role::object;
  return k_roles[std::ranges::find(scene::k_marks, mark) - std::begin(scene::k_marks)];
}

std::vector<Role> classify_nodes(const scene::Scene& scene) {
  std::vector<Role> out;
  for (const scene::Node& node : scene.nodes) {
    const bool below = node.parent != k_none && out[node.parent] == Role::ignore;
    out.push_back(below ? Role::ignore : classify_node(scene, node));
  }
  return out;
}

void note_lost(Diagnostics& notes, std::string path, std::string message, std::string hint) {
  notes.push_back(make_diagnostic(Severity::warning, "splashpack.make-lost", std::move(path),
                                  {.message = std::move(message), .hint = std::move(hint)}));
}

bool is_color(std::span<const f64> channels) {
  return std::ranges::all_of(channels, [](f64 x) { return x >= 0 && x <= 1; });
}

std::string Names::make_unique_name(std::string name) {
  constexpr size_t k_longest = 24;  // source: src/formats/splashpack/README.md, Budgets
  for (char& c : name)
    if (c < 0x20 || c > 0x7E) c = '_';
  if (name.size() > k_longest) name.resize(k_longest);
  const std::string whole = name;
  while (!taken_.insert(name).second) {
    const std::string end = text("_", ++last_.try_emplace(whole, 1).first->second);
    name = whole.substr(0, k_longest - end.size()) + end;
  }
  return name;
}

DiagnosticText describe_changed_names(std::string counted, size_t changed, std::string_view first) {
  return {.message = text(counted, changed == 1 ? " was" : " were",
                          " not ASCII, too long (limit: 24 characters) or not unique"),
          .hint = text("such names are changed, for example ", first, "; also update scripts that use these names")};
}

namespace {

/// A known property and its valid values.
struct Property {
  std::string_view name;
  Role role;  // of the nodes with it; nothing: any node, or not a node
  std::string_view expected;
  bool (*is_good)(const Value& extras, std::string_view name);
};
bool is_text(const Value& extras, std::string_view name) { return read_text_extra(extras, name).has_value(); }
bool is_flag(const Value& extras, std::string_view name) { return read_flag_extra(extras, name).has_value(); }
bool is_object(const Value& extras, std::string_view name) { return extras.find(name)->is(Value::Kind::object); }
bool is_flag_or_object(const Value& extras, std::string_view name) {
  return is_flag(extras, name) || is_object(extras, name);
}
template <u32 most>
bool is_number_up_to(const Value& extras, std::string_view name) {
  const f64 n = read_number_extra(extras, name).value_or(-1);
  return n >= 0 && n <= most;
}
bool is_size(const Value& extras, std::string_view name) { return read_number_extra(extras, name).value_or(-1) >= 0; }
bool is_texel_depth(const Value& extras, std::string_view name) {
  const f64 n = read_number_extra(extras, name).value_or(0);
  return n == 4 || n == 8 || n == 16;
}
bool is_flag_or_vertices(const Value& extras, std::string_view name) {
  return is_flag(extras, name) || read_text_extra(extras, name) == k_lit_by_vertex;
}
bool is_color_property(const Value& extras, std::string_view name) {
  const auto color = read_number_list_extra(extras, name, 3);
  return color && is_color(*color);
}
template <size_t n>
bool is_list_of(const Value& extras, std::string_view name) {
  return read_number_list_extra(extras, name, n).has_value();
}
bool takes_number(const Property& p) { return p.expected.starts_with("a number") || p.is_good == is_texel_depth; }
constexpr Property k_properties[] = {
    {"lua", Role::nothing, "text", is_text},
    {"lua_file", Role::nothing, "text", is_text},
    {"active", Role::object, "true or false", is_flag},
    {"height", Role::player_start, "a number of at least 0", is_size},
    {"uv_offset", Role::object, "two numbers", is_list_of<2>},
    {"interactable", Role::object, "true, false or a JSON object", is_flag_or_object},
    {"radius", Role::object, "a number of at least 0", is_size},
    {"button", Role::object, "a number from 0 to 255", is_number_up_to<255>},
    {"cooldown", Role::object, "a number from 0 to 65535", is_number_up_to<65535>},
    {"prompt_canvas", Role::object, "text", is_text},
    {"agent", Role::object, "true, false or a JSON object", is_flag_or_object},
    {"agent_speed", Role::object, "a number of at least 0", is_size},
    {"agent_stop", Role::object, "a number of at least 0", is_size},
    {"agent_sight", Role::object, "a number of at least 0", is_size},
    {"agent_hearing", Role::object, "a number of at least 0", is_size},
    {"agent_view", Role::object, "a number from 0 to 360", is_number_up_to<360>},
    {"agent_timeout", Role::object, "a number from 0 to 65535", is_number_up_to<65535>},
    {"streamed", Role::object, "true or false", is_flag},
    {"lit", Role::object, "true, false or \"vertices\"", is_flag_or_vertices},
    {"runtime", Role::nothing, "true or false", is_flag},
    {"range", Role::nothing, "a number of at least 0", is_size},
    {"intensity", Role::nothing, "a number from 0 to 16", is_number_up_to<16>},
};
constexpr Property k_scene_properties[] = {
    {"lua", Role::nothing, "text", is_text},
    {"lua_file", Role::nothing, "text", is_text},
    {"sound_files", Role::nothing, "text", is_text},
    {"looping_sound_files", Role::nothing, "text", is_text},
    {"canvases_file", Role::nothing, "text", is_text},
    {"movement", Role::nothing, "a JSON object", is_object},
    {"fog", Role::nothing, "a JSON object", is_object},
    {"sprite_sheets_file", Role::nothing, "text", is_text},
    {"tilemap_file", Role::nothing, "text", is_text},
    {"cutscenes_file", Role::nothing, "text", is_text},
    {"animations_file", Role::nothing, "text", is_text},
    {"memory_card_file", Role::nothing, "text", is_text},
    {"move_speed", Role::nothing, "a number of at least 0", is_size},
    {"sprint_speed", Role::nothing, "a number of at least 0", is_size},
    {"jump_height", Role::nothing, "a number of at least 0", is_size},
    {"gravity", Role::nothing, "a number of at least 0", is_size},
    {"player_radius", Role::nothing, "a number of at least 0", is_size},
    {"fog_color", Role::nothing, "three numbers from 0 to 1", is_color_property},
    {"fog_density", Role::nothing, "a number from 0 to 10", is_number_up_to<10>},
};
constexpr Property k_material_properties[] = {
    {"depth", Role::nothing, "4, 8 or 16", is_texel_depth},
    {"both_sides", Role::nothing, "true or false", is_flag},
    {"emission", Role::nothing, "three numbers", is_list_of<3>},
};
constexpr Property k_animation_properties[] = {
    {"fps", Role::nothing, "a number from 0 to 255", is_number_up_to<255>},
    {"loop", Role::nothing, "true or false", is_flag},
};

/// Properties that only objects can have; for other nodes, a warning says that they are ignored.
constexpr std::string_view k_object_properties[] = {"interactable", "agent", "streamed"};

/// Other known names, of the parts that packs keep in extras (kept.cpp, screen.cpp, rooms.cpp).
constexpr std::string_view k_more_names[] = {"ordering_table_size",
                                             "primitive_buffer_size",
                                             "scene_hash",
                                             "sheet_pictures",
                                             "sprite_animations",
                                             "sprite_sheets",
                                             "tilemap",
                                             "bright",
                                             "canvas_pictures",
                                             "canvases",
                                             "clips",
                                             "colors",
                                             "corners",
                                             "cutscenes",
                                             "enabled",
                                             "flags",
                                             "fonts",
                                             "half_height",
                                             "half_width",
                                             "matrices",
                                             "memory_card",
                                             "normal",
                                             "object",
                                             "plane",
                                             "portals",
                                             "radius_squared",
                                             "right",
                                             "rotation",
                                             "samples",
                                             "scene_type",
                                             "scripts",
                                             "sound",
                                             "sounds",
                                             "start_region",
                                             "subdivide",
                                             "visible",
                                             "was_hidden",
                                             "width"};

std::string describe_value(const Value& v) {
  if (v.is(Value::Kind::text)) return text("\"", v.text(), "\"");
  if (v.is(Value::Kind::integer) || v.is(Value::Kind::real)) {
    const f64 n = v.number();
    return n == std::floor(n) && std::fabs(n) < 1e15 ? text(i64(n)) : text(n);
  }
  return v.is(Value::Kind::list)      ? "a list"
         : v.is(Value::Kind::boolean) ? v.boolean() ? "true" : "false"
         : v.is(Value::Kind::object)  ? "a JSON object"
                                      : "null";
}

/// Whether extras show a value of a file of another format, and so have names of that format.
bool is_of_other_format(const Value& extras) {
  static constexpr std::string_view k_own[] = {"objects[", "navmeshes[", "start",   "triggers[",     "colliders[",
                                               "nav.",     "rooms[",     "agents[", "room_portals[", "lights."};
  const std::string_view path = path_from_extras(extras);
  return !path.empty() && std::ranges::none_of(k_own, [&](std::string_view own) { return path.starts_with(own); });
}

}  // namespace

void add_property_notes(const scene::Scene& scene, Diagnostics& notes) {
  const auto warn_property = [&](std::string path, DiagnosticText said) {
    notes.push_back(make_diagnostic(Severity::warning, "splashpack.make-property", std::move(path), std::move(said)));
  };
  const auto check_properties = [&](std::span<const Property> known, const Value& extras, Role role, const auto& path) {
    for (const Property& p : known) {
      const Value* v = extras.find(p.name);
      if (v && (p.role == Role::nothing || p.role == role) && !p.is_good(extras, p.name))
        warn_property(path(),
                      {.message = text(p.name, " is ", describe_value(*v), "; it must be ", p.expected),
                       .hint = takes_number(p) && read_number_extra(extras, p.name) ? "a valid number is used instead"
                                                                                    : "the property is ignored"});
    }
    for (const std::string_view name : k_object_properties)
      if (role != Role::object && role != Role::ignore && known.data() == k_properties && extras.find(name) &&
          read_flag_extra(extras, name) != false)
        warn_property(path(),
                      {.message = text(name, " works only on objects with a mesh"), .hint = "the property is ignored"});
    std::vector<std::string> names;
    for (const Property& p : known) names.emplace_back(p.name);
    for (const auto& [name, value] : extras.members()) {
      constexpr size_t k_telling = 5;  // shorter names are similar by chance
      if (name.size() < k_telling || is_of_other_format(extras) || std::ranges::find(names, name) != names.end() ||
          std::ranges::find(k_more_names, name) != std::end(k_more_names))
        continue;
      if (const std::string meant = closest_match(name, names); !meant.empty() && !extras.find(meant))
        warn_property(path(), {.message = text("unknown property \"", escape_control_chars(name), "\" is ignored"),
                               .hint = text("did you mean ", meant, "?")});
    }
  };
  const auto check_all_properties = [&](std::span<const Property> known, const auto& all, std::string_view what) {
    for (const auto& one : all)
      check_properties(known, one.extras, Role::nothing,
                       [&] { return text(what, " ", escape_control_chars(one.name)); });
  };
  check_properties(k_scene_properties, scene.extras, Role::nothing,
                   [] { return std::string("properties of the scene"); });
  check_all_properties(k_material_properties, scene.materials, "material");
  check_all_properties(k_animation_properties, scene.animations, "animation");
  // Scenes of other files have their own kinds, on many nodes: each is noted once. Users do not edit the kinds of other
  // families ("nitro.model").
  std::map<std::string, std::pair<size_t, size_t>> strangers;  // the first node, and the number of nodes
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    const scene::Node& node = scene.nodes[i];
    if (const Value* kind = node.extras.find("kind")) {
      const auto is_kind = [&](std::string_view mark) { return kind->is(Value::Kind::text) && kind->text() == mark; };
      const bool is_of_family = kind->is(Value::Kind::text) && kind->text().find('.') != std::string::npos;
      if (!is_of_family && std::ranges::none_of(scene::k_marks, is_kind))
        ++strangers.try_emplace(describe_value(*kind), i, 0).first->second.second;
    }
    check_properties(k_properties, node.extras, classify_node(scene, node), [&] { return node_label(scene, i); });
  }
  const auto has_extras = [](const auto& one) { return one.extras.is(Value::Kind::object) && one.extras.size() > 0; };
  if (!has_extras(scene) && std::ranges::none_of(scene.nodes, has_extras) &&
      std::ranges::none_of(scene.materials, has_extras))
    notes.push_back(make_diagnostic(
        Severity::hint, "splashpack.make-property", {},
        {.message = "the scene has no custom properties",
         .hint = "if properties are missing, turn on Include, Custom Properties in the Blender export"}));
  std::string kinds;
  for (const std::string_view mark : scene::k_marks) kinds += text(kinds.empty() ? "" : ", ", mark);
  for (const auto& [kind, where] : strangers)
    warn_property(node_label(scene, where.first),
                  {.message = text("unknown kind ", kind, where.second > 1 ? text(" on ", where.second, " nodes") : ""),
                   .hint = text(where.second > 1 ? "the names and meshes of these nodes decide what they become"
                                                 : "the name and mesh of the node decide what it becomes",
                                "; known kinds: ", kinds)});
}

std::string node_label(const scene::Scene& scene, size_t node) {
  const std::string& name = scene.nodes[node].name;
  return name.empty() ? text("node ", node) : text("node ", node, " (", escape_control_chars(name), ")");
}

}  // namespace dio::splashpack
