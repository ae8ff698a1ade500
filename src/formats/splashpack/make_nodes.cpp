// make_nodes.cpp: what the nodes of a scene are in a pack.
#include <algorithm>
#include <cmath>

#include "formats/reporter.hpp"
#include "formats/splashpack/make_parts.hpp"

namespace dio::splashpack {
namespace {

struct RoleName {
  std::string_view name;
  Role role;
  bool in_names;  // a name that begins with it says it, too
};
constexpr RoleName k_roles[] = {
    {"object", Role::object, false},    {"navmesh", Role::navmesh, true}, {"player_start", Role::player_start, true},
    {"collider", Role::collider, true}, {"trigger", Role::trigger, true}, {"nav_region", Role::nav_region, false},
    {"room", Role::room, true},         {"portal", Role::portal, true},   {"ignore", Role::ignore, true},
};

}  // namespace

std::optional<std::string_view> text_in(const Value& extras, std::string_view name) {
  const Value* v = extras.find(name);
  if (!v || !v->is(Value::Kind::text)) return {};
  return v->text();
}
std::optional<f64> number_in(const Value& extras, std::string_view name) {
  const Value* v = extras.find(name);
  if (!v || !(v->is(Value::Kind::integer) || v->is(Value::Kind::real)) || !std::isfinite(v->number())) return {};
  return v->number();
}
std::optional<bool> flag_in(const Value& extras, std::string_view name) {
  const Value* v = extras.find(name);
  if (v && v->is(Value::Kind::boolean)) return v->boolean();
  if (const auto n = number_in(extras, name)) return *n != 0;  // older Blenders have no other flags
  return {};
}
std::optional<std::vector<f64>> numbers_in(const Value& extras, std::string_view name, size_t count) {
  const Value* v = extras.find(name);
  if (!v || !v->is(Value::Kind::list) || v->size() != count) return {};
  std::vector<f64> out;
  for (const auto& [unused, x] : v->members()) {
    if (!(x.is(Value::Kind::integer) || x.is(Value::Kind::real)) || !std::isfinite(x.number())) return {};
    out.push_back(x.number());
  }
  return out;
}

Role role_of(const scene::Scene& scene, const scene::Node& node) {
  if (const auto kind = text_in(node.extras, "kind"))
    for (const RoleName& r : k_roles)
      if (r.name == *kind) return r.role;
  const std::string name = lower_case(node.name);
  for (const RoleName& r : k_roles) {
    if (!r.in_names || !name.starts_with(r.name)) continue;
    // What people call a room may be walls that are to be seen: those have materials, boxes that nobody sees have none.
    const bool is_place = r.role == Role::room || r.role == Role::portal;
    if (is_place && node.mesh != k_none &&
        std::ranges::any_of(scene.meshes[node.mesh].primitives,
                            [](const scene::Primitive& p) { return p.material != k_none; }))
      continue;
    const char next = name.size() > r.name.size() ? name[r.name.size()] : '.';
    if (next == '.' || next == '_' || next == '-' || ('0' <= next && next <= '9')) return r.role;
  }
  return node.mesh == k_none ? Role::nothing : Role::object;
}

std::vector<Role> roles_of(const scene::Scene& scene) {
  std::vector<Role> out;
  for (const scene::Node& node : scene.nodes) {
    const bool below = node.parent != k_none && out[node.parent] == Role::ignore;
    out.push_back(below ? Role::ignore : role_of(scene, node));
  }
  return out;
}

std::string Names::take(std::string name) {
  constexpr size_t k_longest = 24;  // source: specification 1.4, engine limits
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

std::string name_of(const scene::Scene& scene, size_t node) {
  const std::string& name = scene.nodes[node].name;
  return name.empty() ? text("node ", node) : text("node ", node, " (", printable(name), ")");
}

}  // namespace dio::splashpack
