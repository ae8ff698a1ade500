#include "formats/nitro/from_scene/skeleton.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "scene/channels.hpp"
#include "scene/extras.hpp"

namespace dio::nitro {

using scene::Affine;
using scene::Index;
using scene::k_none;

namespace {

Bone::Turns parse_billboard_mode(const scene::Node& n) {
  const auto kind = scene::read_text_extra(n.extras, "kind");
  const auto turns = scene::read_text_extra(n.extras, kind == "nitro.billboard" ? "turns" : "billboard");
  if (!turns) return Bone::Turns::no;
  return *turns == "about its y axis" || *turns == "y" ? Bone::Turns::about_y : Bone::Turns::fully;
}

bool are_nearly_equal(const Affine& a, const Affine& b) {
  const auto close = [](const scene::Point& p, const scene::Point& q) {
    return std::fabs(p[0] - q[0]) + std::fabs(p[1] - q[1]) + std::fabs(p[2] - q[2]) < 1e-4;
  };
  for (size_t c = 0; c < 3; ++c)
    if (!close(a.linear.columns[c], b.linear.columns[c])) return false;
  return close(a.origin, b.origin);
}

/// The number that a node had in its model, and the path of that model.
struct StatedNumber {
  std::string_view model;
  u32 number = 0;
};
std::optional<StatedNumber> parse_stated_number(const scene::Node& n) {
  constexpr std::string_view k_nodes = ".nodes[";
  const auto path = scene::read_text_extra(n.extras, "path");
  const size_t at = path ? path->rfind(k_nodes) : std::string_view::npos;
  if (at == std::string_view::npos || !path->ends_with(']')) return {};
  const std::string_view digits = path->substr(at + k_nodes.size());
  StatedNumber out{path->substr(0, at)};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.number);
  if (error != std::errc() || end + 1 != digits.data() + digits.size()) return {};
  return out;
}

}  // namespace

Skeleton::Skeleton(const scene::Scene& s)
    : s_(s), places_(scene::world_transforms(s)), bone_of_(s.nodes.size(), 0), is_turned_(s.nodes.size()) {
  std::vector<bool> kept(s.nodes.size()), shown(s.nodes.size());  // `shown`: visible only at times
  for (const scene::Animation& a : s.animations) {
    for (const scene::Channel& c : a.channels) kept[c.node] = true;
    for (const scene::VisibilityChannel& c : a.visibility_channels) shown[c.node] = true;
  }
  for (const scene::Skin& skin : s.skins)
    for (const Index joint : skin.joints) kept[joint] = true;
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    const auto path = scene::read_text_extra(n.extras, "path");
    kept[i] = kept[i] || parse_billboard_mode(n) != Bone::Turns::no ||
              scene::read_flag_extra(n.extras, "bone").value_or(false) || (path && path->find(".nodes[") != path->npos);
  }
  // A billboard node of an exported model is a part of its parent node.
  std::vector<bool> is_part(s.nodes.size());
  std::vector<u8> children(s.nodes.size());
  const auto is_part_of_parent = [](const scene::Node& n) {
    const auto kind = scene::read_text_extra(n.extras, "kind");
    return kind == "nitro.picture" || kind == "nitro.part";
  };
  for (const scene::Node& n : s.nodes)
    if (n.parent != k_none && !is_part_of_parent(n)) children[n.parent] = u8(std::min(children[n.parent] + 1, 2));
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    if (n.parent == k_none || children[i] || children[n.parent] != 1 || !kept[n.parent]) continue;
    is_part[i] = parse_billboard_mode(n) != Bone::Turns::no &&
                 parse_billboard_mode(s.nodes[n.parent]) == Bone::Turns::no &&
                 scene::read_text_extra(n.extras, "kind") == "nitro.billboard" && scene::local_transform(n) == Affine();
    if (is_part[i]) kept[i] = false;
  }
  // A node that is visible only at times needs its own bone, unless it is everything that a bone draws.
  std::vector<bool> is_all(s.nodes.size());
  std::vector<u8> drawing(s.nodes.size());  // children with meshes
  for (const scene::Node& n : s.nodes)
    if (n.parent != k_none && n.mesh != k_none) drawing[n.parent] = u8(std::min(drawing[n.parent] + 1, 2));
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    if (!shown[i] || kept[i]) continue;
    is_all[i] = n.parent != k_none && kept[n.parent] && s.nodes[n.parent].mesh == k_none && drawing[n.parent] == 1 &&
                !children[i] && scene::local_transform(n) == Affine();
    kept[i] = !is_all[i];
  }
  for (size_t i = s.nodes.size(); i-- > 0;)
    if (kept[i] && s.nodes[i].parent != k_none) {
      const Index parent = s.nodes[i].parent;
      // The root node of an exported model has no transform.
      const bool is_root =
          scene::read_text_extra(s.nodes[parent].extras, "kind") == "nitro.model" && s.nodes[parent].parent == k_none;
      kept[parent] = kept[parent] || !is_root;
    }
  // A Maya node was exported as two nodes; the outer one compensates for the scale of the parent.
  std::vector<Index> inner(s.nodes.size(), k_none);
  std::vector<bool> is_inner(s.nodes.size());
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Index outer = s.nodes[i].parent;
    if (outer == k_none || !kept[outer] || inner[outer] != k_none || children[outer] != 1 ||
        scene::read_text_extra(s.nodes[i].extras, "kind") != "nitro.inner" || s.nodes[outer].mesh != k_none)
      continue;
    const Index above = s.nodes[outer].parent;
    if (above == k_none || !(kept[above] || is_inner[above])) continue;
    bool undoes = s.nodes[outer].rotation == scene::k_no_rotation && s.nodes[i].translation == scene::Vec3{0, 0, 0};
    for (size_t k = 0; k < 3; ++k)
      undoes = undoes && std::fabs(s.nodes[outer].scale[k] * s.nodes[above].scale[k] - 1) < 1e-3f;
    if (undoes) inner[outer] = i, is_inner[i] = true, kept[i] = false;
  }
  // Everything has one root node.
  size_t roots = 0;
  std::vector<bool> has_kept(s.nodes.size());  // the node itself or an ancestor
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Index parent = s.nodes[i].parent;
    const bool above = parent != k_none && has_kept[parent];
    has_kept[i] = above || kept[i];
    roots += kept[i] && !above;
    const bool is_placed = s.nodes[i].mesh != k_none && s.nodes[i].skin == k_none;
    if (is_placed && !has_kept[i]) roots += 2;  // drawn without a bone
  }
  if (roots != 1) bones_.emplace_back();
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Index parent = s.nodes[i].parent;
    const u32 above = parent == k_none ? 0 : bone_of_[parent];
    bone_of_[i] = kept[i] ? add_bone(i, above) : above;
    if (kept[i] && inner[i] != k_none) {
      bones_.back().inner = inner[i];
      bones_.back().place = places_[inner[i]];
    }
    if (is_part[i]) bones_[above].turns = parse_billboard_mode(s.nodes[i]);
    shows_.resize(bones_.size(), k_none);
    if (kept[i] || is_all[i]) shows_[bone_of_[i]] = i;
    is_turned_[i] =
        kept[i] ? bones_[bone_of_[i]].turns != Bone::Turns::no : is_part[i] || (parent != k_none && is_turned_[parent]);
  }
  restore_order();
}

/// For each bone, the number of its node in the exported model; nothing for new nodes, for copies, and if the scene has
/// several models.
static std::vector<std::optional<u32>> find_stated_numbers(const scene::Scene& s, const std::vector<Bone>& bones) {
  std::vector<std::optional<u32>> out(bones.size());
  std::set<u32> known;
  std::optional<std::string_view> model;
  for (size_t i = 0; i < bones.size(); ++i) {
    if (bones[i].node == k_none) continue;
    const auto stated = parse_stated_number(s.nodes[bones[i].node]);
    if (!stated) continue;
    if (model && model != stated->model) return std::vector<std::optional<u32>>(bones.size());
    model = stated->model;
    if (known.insert(stated->number).second) out[i] = stated->number;
  }
  return out;
}

/// Sorts bones in the order of the exported model, new ones last, each after its parent. Programs sort objects by name,
/// but animations of games refer to node numbers.
void Skeleton::restore_order() {
  const u32 count = u32(bones_.size());
  const auto stated = find_stated_numbers(s_, bones_);
  std::vector<std::vector<u32>> children(count);
  for (u32 i = 1; i < count; ++i) children[bones_[i].parent].push_back(i);
  std::vector<u32> order, place(count);
  std::set<std::pair<u32, u32>> ready;  // number, bone
  const auto add = [&](u32 i) { ready.insert({stated[i].value_or(~u32(0)), i}); };
  if (count) add(0);
  while (!ready.empty()) {
    const u32 next = ready.begin()->second;
    ready.erase(ready.begin());
    place[next] = u32(order.size());
    order.push_back(next);
    for (const u32 child : children[next]) add(child);
  }
  std::vector<Bone> bones;
  std::vector<Index> shows;
  shows_.resize(count, k_none);
  for (const u32 i : order) {
    bones.push_back(std::move(bones_[i]));
    bones.back().parent = place[bones.back().parent];
    shows.push_back(shows_[i]);
  }
  bones_ = std::move(bones), shows_ = std::move(shows);
  for (u32& bone : bone_of_)
    if (bone < count) bone = place[bone];
}

std::vector<Skeleton::RenumberedBone> Skeleton::list_renumbered_bones() const {
  const auto stated = find_stated_numbers(s_, bones_);
  std::vector<RenumberedBone> out;
  for (u32 i = 0; i < bones_.size(); ++i)
    if (stated[i] && *stated[i] != i) out.push_back({i, *stated[i]});
  return out;
}

u32 Skeleton::add_bone(Index node, u32 parent) {
  Bone b;
  b.node = node, b.parent = bones_.empty() ? 0 : parent;
  b.place = places_[node];
  b.turns = parse_billboard_mode(s_.nodes[node]);
  bones_.push_back(std::move(b));
  return u32(bones_.size() - 1);
}

bool Skeleton::inherits_parent_transform(u32 bone) const {
  const Index parent = s_.nodes[bones_[bone].node].parent;
  const Bone& above = bones_[bones_[bone].parent];
  return parent != k_none && (parent == above.node ? above.inner == k_none : parent == above.inner);
}
bool Skeleton::is_visible(u32 bone, const std::function<bool(Index)>& is) const {
  for (Index i = bone < shows_.size() ? shows_[bone] : bones_[bone].node; i != k_none; i = s_.nodes[i].parent)
    if (!is(i)) return false;
  return true;
}
bool Skeleton::is_visible(u32 bone) const {
  return is_visible(bone, [&](Index i) { return s_.nodes[i].visible; });
}
bool Skeleton::is_visible(u32 bone, const scene::Animation& a, f64 time) const {
  return is_visible(bone, [&](Index i) {
    const auto c = std::ranges::find(a.visibility_channels, i, &scene::VisibilityChannel::node);
    return c == a.visibility_channels.end() ? s_.nodes[i].visible : scene::value_at(*c, time, s_.nodes[i].visible);
  });
}

Affine Skeleton::to_bone(Index node) const {
  const Index own = rotation_node(bone_of_[node]);
  Affine out;
  for (Index i = node; i != own && i != k_none; i = s_.nodes[i].parent) out = scene::local_transform(s_.nodes[i]) * out;
  return out;
}

u32 Skeleton::find_or_add_joint(Index node, const Affine& bind) {
  for (u32 i = 0; i < bones_.size(); ++i) {
    Bone& b = bones_[i];
    if (b.node != node || (b.bind && !are_nearly_equal(*b.bind, bind))) continue;
    b.bind = bind, b.is_joint = true;
    return i;
  }
  const u32 own = bone_of_[node];
  Bone extra = bones_[own];
  extra.parent = own, extra.bind = bind, extra.is_joint = true, extra.turns = Bone::Turns::no;
  extra.node = node;
  bones_.push_back(std::move(extra));
  return u32(bones_.size() - 1);
}

fx32 to_fx32(f64 x) { return {i32(std::clamp(std::round(x * 4096), -2147483648.0, 2147483647.0))}; }

std::array<i16, 9> to_rotation_elements(const scene::Vec4& q) {
  const scene::Mat3 m = scene::to_matrix(q);
  std::array<i16, 9> out;
  for (size_t i = 0; i < 9; ++i) out[i] = i16(std::lround(f64(m[i / 3][i % 3]) * 4096));
  return out;
}

std::optional<Pivot> find_pivot(const std::array<i16, 9>& e) {
  for (u8 p = 0; p < 9; ++p) {
    if (std::abs(e[p]) != 4096) continue;
    std::array<i16, 4> rest;
    size_t n = 0;
    bool alone = true;
    for (u8 i = 0; i < 9; ++i) {
      if (i == p) continue;
      if (i / 3 == p / 3 || i % 3 == p % 3)
        alone &= e[i] == 0;
      else
        rest[n++] = e[i];
    }
    if (!alone) continue;
    const auto [a, b, c, d] = rest;
    if (std::abs(c) != std::abs(b) || std::abs(d) != std::abs(a)) continue;
    return Pivot{p, e[p] < 0, c != b, d != a, {a}, {b}};
  }
  return {};
}

Node build_node(const std::string& name, const scene::Pose& pose) {
  Node n{};
  n.name = name;
  n.stack = 31;
  n.m00.raw = 4096;
  n.translation = {to_fx32(pose.translation[0]), to_fx32(pose.translation[1]), to_fx32(pose.translation[2])};
  n.no_translation = !n.translation.x.raw && !n.translation.y.raw && !n.translation.z.raw;
  const std::array<i16, 9> e = to_rotation_elements(pose.rotation);
  n.no_rotation = e == std::array<i16, 9>{4096, 0, 0, 0, 4096, 0, 0, 0, 4096};
  if (!n.no_rotation) {
    n.m00.raw = e[0];
    if (const auto p = find_pivot(e)) {
      n.is_pivot = 1;
      n.pivot_index = p->index, n.pivot_negative = p->negative, n.c_negative = p->c_negative,
      n.d_negative = p->d_negative;
      n.pivot = {p->a, p->b};
    } else {
      for (size_t i = 0; i < 8; ++i) n.rotation[i].raw = e[i + 1];
    }
  }
  n.scale = {to_fx32(pose.scale[0]), to_fx32(pose.scale[1]), to_fx32(pose.scale[2])};
  n.no_scale = n.scale.x.raw == 4096 && n.scale.y.raw == 4096 && n.scale.z.raw == 4096;
  const auto inverse = [](fx32 s) { return s.raw ? to_fx32(1 / s.value()) : fx32{0}; };
  n.inverse_scale = {inverse(n.scale.x), inverse(n.scale.y), inverse(n.scale.z)};
  return n;
}

}  // namespace dio::nitro
