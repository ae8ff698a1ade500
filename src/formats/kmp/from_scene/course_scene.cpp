#include "formats/kmp/from_scene/course_scene.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/kmp/objects.hpp"
#include "scene/extras.hpp"
#include "scene/node_name_suffixes.hpp"

namespace dio::kmp {

using scene::Index;
using scene::k_none;

namespace {

/// Names of groups: `collision walls`.
constexpr std::pair<std::string_view, NodeRole> k_group_names[] = {
    {"collision", NodeRole::collision}, {"kcl", NodeRole::collision}, {"no collision", NodeRole::model},
    {"course path", NodeRole::data},    {"route", NodeRole::data},    {"area", NodeRole::data}};
/// Whole names, except for a number.
constexpr std::pair<std::string_view, NodeRole> k_names[] = {
    {"sky", NodeRole::sky},          {"skybox", NodeRole::sky},       {"skydome", NodeRole::sky},
    {"vrcorn", NodeRole::sky},       {"vrcorn model", NodeRole::sky}, {"minimap", NodeRole::minimap},
    {"map model", NodeRole::minimap}};
/// The kinds of nodes in exported courses.
constexpr std::pair<std::string_view, NodeRole> k_kinds[] = {{"collision file", NodeRole::collision},
                                                             {"model file", NodeRole::course},
                                                             {"model", NodeRole::course},
                                                             {"section", NodeRole::data},
                                                             {"stage", NodeRole::data},
                                                             {"opening pan", NodeRole::data},
                                                             {"replay", NodeRole::data},
                                                             {"kart", NodeRole::data},
                                                             {"moving object", NodeRole::data},
                                                             {"object model", NodeRole::data},
                                                             {"race", NodeRole::data}};

std::optional<NodeRole> own_role(const scene::Node& n) {
  if (const auto kind = scene::read_text_extra(n.extras, "kind")) {
    for (const auto& [word, role] : k_kinds)
      if (*kind == word) return role;
    if (*kind == "shape" || *kind == "bone") return {};  // of an exported model, with the names of its materials
  }
  const std::string name = normalize_node_name(n.name);
  for (const auto& [word, role] : k_group_names)
    if (starts_with_word(name, word)) return role;
  for (const auto& [word, role] : k_names)
    if (starts_with_word(name, word) && name.find_first_not_of(" 0123456789", word.size()) == name.npos) return role;
  return {};
}

/// Materials that no node shows have no properties and animations, which would be reported as not used.
void forget_unused_materials(scene::Scene& s) {
  std::vector<bool> used(s.materials.size());
  for (const scene::Node& n : s.nodes)
    if (n.mesh != k_none)
      for (const scene::Primitive& p : s.meshes[n.mesh].primitives)
        if (p.material != k_none) used[p.material] = true;
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i]) s.materials[i].extras = {};
  for (scene::Animation& a : s.animations)
    std::erase_if(a.material_channels, [&](const scene::MaterialChannel& c) { return !used[c.material]; });
  std::erase_if(s.animations, [](const scene::Animation& a) {
    return a.channels.empty() && a.visibility_channels.empty() && a.material_channels.empty();
  });
}

Index remap(const std::vector<Index>& to, Index i) { return i == k_none ? k_none : to[i]; }

void remap_animations(scene::Scene& s, const std::vector<Index>& to) {
  for (scene::Animation& a : s.animations) {
    std::erase_if(a.channels, [&](const scene::Channel& c) { return to[c.node] == k_none; });
    std::erase_if(a.visibility_channels, [&](const scene::VisibilityChannel& c) { return to[c.node] == k_none; });
    for (scene::Channel& c : a.channels) c.node = to[c.node];
    for (scene::VisibilityChannel& c : a.visibility_channels) c.node = to[c.node];
    a.fov_channels.clear();
  }
}

}  // namespace

std::string normalize_node_name(std::string_view name) {
  std::string out;
  for (const char c : lower_case(scene::strip_copy_suffix(name))) {
    if (c != ' ' && c != '_' && c != '-')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

bool starts_with_word(std::string_view name, std::string_view word) {
  return name.starts_with(word) && (name.size() == word.size() || name[word.size()] == ' ');
}

std::vector<NodeRole> classify_nodes(const scene::Scene& s) {
  std::vector<NodeRole> out;
  for (const scene::Node& n : s.nodes) {
    NodeRole above = n.parent == k_none ? NodeRole::course : out[n.parent];
    // A mesh below a curve is not a part of the curve.
    if (above == NodeRole::data && n.mesh != k_none && !scene::read_text_extra(s.nodes[n.parent].extras, "kind") &&
        !scene::read_text_extra(n.extras, "kind"))
      above = NodeRole::course;
    out.push_back(above == NodeRole::course ? own_role(n).value_or(above) : above);
  }
  return out;
}

scene::Scene extract_nodes(const scene::Scene& s, const std::vector<bool>& keep) {
  scene::Scene out = s;
  std::vector<bool> remains = keep;
  for (Index i = 0; i < s.nodes.size(); ++i)
    if (keep[i] && s.nodes[i].skin != k_none)
      for (const Index joint : s.skins[s.nodes[i].skin].joints) remains[joint] = true;
  for (Index i = Index(s.nodes.size()); i-- > 0;)
    if (remains[i] && s.nodes[i].parent != k_none) remains[s.nodes[i].parent] = true;
  std::vector<Index> to(s.nodes.size(), k_none);
  out.nodes.clear(), out.skins.clear(), out.cameras.clear(), out.lights.clear();
  for (Index i = 0; i < s.nodes.size(); ++i) {
    if (!remains[i]) continue;
    to[i] = Index(out.nodes.size());
    scene::Node n = s.nodes[i];
    n.parent = remap(to, n.parent);
    n.camera = n.light = k_none;
    if (!keep[i]) n.mesh = n.skin = k_none;
    out.nodes.push_back(std::move(n));
  }
  std::vector<Index> skin_to(s.skins.size(), k_none);
  for (scene::Node& n : out.nodes) {
    if (n.skin == k_none) continue;
    if (skin_to[n.skin] == k_none) {
      scene::Skin skin = s.skins[n.skin];
      for (Index& joint : skin.joints) joint = to[joint];
      skin_to[n.skin] = Index(out.skins.size());
      out.skins.push_back(std::move(skin));
    }
    n.skin = skin_to[n.skin];
  }
  remap_animations(out, to);
  forget_unused_materials(out);
  return out;
}

namespace {

/// The nodes with meshes for which `is_wanted` holds.
scene::Scene extract_if(const scene::Scene& s, auto is_wanted) {
  std::vector<bool> keep(s.nodes.size());
  for (Index i = 0; i < s.nodes.size(); ++i) keep[i] = s.nodes[i].mesh != k_none && is_wanted(i);
  return extract_nodes(s, keep);
}

bool is_solid(const Value& extras) { return scene::read_flag_extra(extras, "collision").value_or(true); }

}  // namespace

scene::Scene extract_role(const scene::Scene& s, const std::vector<NodeRole>& roles, NodeRole role) {
  std::vector<bool> keep(s.nodes.size());
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const bool is_corner = s.nodes[i].name == "posLD" || s.nodes[i].name == "posRU";
    keep[i] = roles[i] == role && (s.nodes[i].mesh != k_none || is_corner);
  }
  return extract_nodes(s, keep);
}

scene::Scene extract_model(const scene::Scene& s, const std::vector<NodeRole>& roles) {
  return extract_if(s, [&](Index i) { return roles[i] == NodeRole::course || roles[i] == NodeRole::model; });
}

scene::Scene extract_collision(const scene::Scene& s, const std::vector<NodeRole>& roles) {
  bool has_own = false;
  for (Index i = 0; i < s.nodes.size(); ++i) has_own |= roles[i] == NodeRole::collision && s.nodes[i].mesh != k_none;
  if (has_own) return extract_role(s, roles, NodeRole::collision);
  scene::Scene out = extract_if(s, [&](Index i) {
    for (Index n = i; n != k_none; n = s.nodes[n].parent)
      if (!is_solid(s.nodes[n].extras)) return false;
    return roles[i] == NodeRole::course;
  });
  for (scene::Mesh& m : out.meshes)
    std::erase_if(m.primitives, [&](const scene::Primitive& p) {
      return p.material != k_none && !is_solid(out.materials[p.material].extras);
    });
  for (scene::Node& n : out.nodes)
    if (n.mesh != k_none && out.meshes[n.mesh].primitives.empty()) n.mesh = k_none;
  return out;
}

}  // namespace dio::kmp
