#include "formats/brres/from_scene/skeleton_builder.hpp"

#include <algorithm>

#include "formats/brres/scene/bone_matrices.hpp"
#include "formats/brres/scene/rest_pose.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"

namespace dio::brres {

using scene::Affine;
using scene::Index;
using scene::k_none;
using scene::Point;

namespace {

bool is_exported_bone(const scene::Node& n) { return scene::read_text_extra(n.extras, "kind") == "bone"; }
Vec3 to_vec3(const scene::Vec3& v) { return {v[0], v[1], v[2]}; }

}  // namespace

void SkeletonBuilder::Box::add(const Point& p) {
  for (size_t i = 0; i < 3; ++i) {
    least[i] = is_empty ? p[i] : std::min(least[i], p[i]);
    most[i] = is_empty ? p[i] : std::max(most[i], p[i]);
  }
  is_empty = false;
}

SkeletonBuilder::SkeletonBuilder(const scene::Scene& s, const ModelNodes& nodes, f64 units)
    : s_(s),
      nodes_(nodes),
      units_(units),
      is_loose_top_(s.nodes.size()),
      is_bone_(s.nodes.size()),
      has_mesh_below_(s.nodes.size()) {
  const bool has_root = nodes.root != k_none;
  if (has_root) to_model_ = scene::inverse(scene::world_transforms(s)[nodes.root]).value_or(Affine{});
  std::vector<bool> is_below_root(s.nodes.size());
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const Index parent = s.nodes[i].parent;
    is_below_root[i] = has_root && (i == nodes.root || (parent != k_none && is_below_root[parent]));
    is_loose_top_[i] = has_root && !is_below_root[i] && parent == k_none;
    places_.push_back(i == nodes.root ? Affine{} : parent == k_none ? local(i) : places_[parent] * local(i));
  }
  for (Index i = Index(s.nodes.size()); i-- > 0;) {
    if (s.nodes[i].mesh != k_none) has_mesh_below_[i] = true;
    if (has_mesh_below_[i] && s.nodes[i].parent != k_none) has_mesh_below_[s.nodes[i].parent] = true;
  }
  mark_bones();
}

Affine SkeletonBuilder::local(Index node) const {
  Affine own = scene::local_transform(s_.nodes[node]);
  if (is_loose_top_[node]) own = to_model_ * own;
  for (f64& x : own.origin) x *= units_;
  return own;
}

void SkeletonBuilder::mark_bones() {
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    const scene::Node& n = s_.nodes[i];
    if (!nodes_.is_part[i] || i == nodes_.root) continue;
    const bool is_empty = !has_mesh_below_[i] && n.camera == k_none && n.light == k_none;
    is_bone_[i] = is_exported_bone(n) || is_empty;
    if (n.skin != k_none)
      for (const Index joint : s_.skins[n.skin].joints)
        if (nodes_.is_part[joint] && joint != nodes_.root) is_bone_[joint] = true;
  }
  // A bone moves, shows and hides the geometry below it. Exported shapes are shown by a bone of the export.
  const auto mark = [&](Index node) {
    if (nodes_.is_part[node] && node != nodes_.root && has_mesh_below_[node]) is_bone_[node] = true;
  };
  for (const scene::Animation& a : s_.animations) {
    for (const scene::Channel& c : a.channels) mark(c.node);
    for (const scene::VisibilityChannel& c : a.visibility_channels)
      if (const auto kind = scene::read_text_extra(s_.nodes[c.node].extras, "kind");
          kind != "shape" && kind != "picture")
        mark(c.node);
  }
}

std::vector<MadeBone> SkeletonBuilder::list_bones(const Model& m) const {
  std::vector<MadeBone> out;
  for (const auto& [node, bone] : bones_) {
    MadeBone made{.name = m.bones[bone].name, .nodes = {}, .base = {}, .units = units_};
    for (Index i = node; i != k_none && nodes_.is_part[i] && i != nodes_.root; i = s_.nodes[i].parent) {
      if (i != node && bones_.contains(i)) break;
      made.nodes.insert(made.nodes.begin(), i);
    }
    if (is_loose_top_[made.nodes[0]]) made.base = to_model_;
    out.push_back(std::move(made));
  }
  return out;
}

void SkeletonBuilder::add_bones(Model& m) {
  // Geometry outside all bones, or several bones at the top, need one above.
  u64 at_top = 0;
  bool has_loose_geometry = false;
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    if (!nodes_.is_part[i]) continue;
    Index above = i;
    while (above != k_none && nodes_.is_part[above] && !is_bone_[above]) above = s_.nodes[above].parent;
    const bool is_loose = above == k_none || !nodes_.is_part[above];
    has_loose_geometry |= is_loose && s_.nodes[i].mesh != k_none;
    if (!is_bone_[i]) continue;
    Index parent = s_.nodes[i].parent;
    while (parent != k_none && nodes_.is_part[parent] && !is_bone_[parent]) parent = s_.nodes[parent].parent;
    at_top += parent == k_none || !nodes_.is_part[parent];
  }
  bool is_root_joint = false;  // or the joint of another model
  for (Index i = 0; i < s_.nodes.size(); ++i)
    if (nodes_.is_part[i] && s_.nodes[i].skin != k_none)
      for (const Index joint : s_.skins[s_.nodes[i].skin].joints)
        is_root_joint |= joint == nodes_.root || !nodes_.is_part[joint];
  has_own_root_ = has_loose_geometry || is_root_joint || at_top != 1;
  const auto add = [&](std::string name, i32 parent, const scene::Pose& pose) {
    Bone b;
    b.name = std::move(name);
    b.scale = to_vec3(pose.scale), b.translation = to_vec3(pose.translation);
    b.rotation = to_vec3(scene::nearest_euler_degrees(pose.rotation, {0, 0, 0}));
    parents_.push_back(parent);
    if (parent >= 0) b.parent_offset = (parent - i32(m.bones.size())) * i32(Bone::k_size_in_file);
    m.bones.push_back(std::move(b));
  };
  if (has_own_root_) add(m.name, -1, {});
  std::vector<Affine> rests = {Affine{}};
  if (!has_own_root_) rests.clear();
  for (Index i = 0; i < s_.nodes.size(); ++i) {
    if (!is_bone_[i] || !nodes_.is_part[i]) continue;
    i32 parent = has_own_root_ ? 0 : -1;
    Index above = s_.nodes[i].parent;
    for (; above != k_none && nodes_.is_part[above]; above = s_.nodes[above].parent)
      if (is_bone_[above]) {
        parent = i32(bones_.at(above));
        break;
      }
    // A bone directly below another one keeps its numbers.
    scene::Pose pose = scene::decompose_trs(s_.nodes[i]);
    for (f32& x : pose.translation) x = f32(x * units_);
    const bool is_direct = !is_loose_top_[i] && (above == s_.nodes[i].parent || s_.nodes[i].parent == nodes_.root);
    if (!is_direct) {
      const Affine base = parent < 0 ? Affine{} : rests[size_t(parent)];
      const Affine relative = scene::inverse(base).value_or(Affine{}) * places_[i];
      const auto decomposed = scene::decompose_trs(relative);
      skewed_ += !decomposed;
      pose = decomposed.value_or(pose);
      if (!decomposed)
        for (size_t k = 0; k < 3; ++k) pose.translation[k] = f32(relative.origin[k]);
    }
    bones_[i] = u32(m.bones.size());
    add(s_.nodes[i].name, parent, pose);
    rests.push_back((parent < 0 ? Affine{} : rests[size_t(parent)]) * scene::local_transform(pose));
  }
  rests_ = std::move(rests);
  boxes_.resize(m.bones.size());
  // children and siblings, as offsets between bones
  std::map<i32, size_t> last;
  for (size_t i = 0; i < m.bones.size(); ++i) {
    const i32 size = i32(Bone::k_size_in_file);
    if (parents_[i] >= 0 && !m.bones[size_t(parents_[i])].child_offset)
      m.bones[size_t(parents_[i])].child_offset = (i32(i) - parents_[i]) * size;
    if (const auto before = last.find(parents_[i]); before != last.end()) {
      m.bones[before->second].next_offset = i32(i - before->second) * size;
      m.bones[i].previous_offset = -m.bones[before->second].next_offset;
    }
    last[parents_[i]] = i;
  }
}

u32 SkeletonBuilder::find_bone(Index node) const {
  for (Index i = node; i != k_none && nodes_.is_part[i]; i = s_.nodes[i].parent)
    if (const auto bone = bones_.find(i); bone != bones_.end()) return bone->second;
  return 0;
}

Affine SkeletonBuilder::to_bone(Index node) const {
  // The product of the transforms below the bone is exact if they are.
  Affine out;
  for (Index i = node; i != k_none && nodes_.is_part[i] && i != nodes_.root && !bones_.contains(i);
       i = s_.nodes[i].parent)
    out = local(i) * out;
  return out;
}

bool SkeletonBuilder::is_exact_bone(Index node) const {
  const auto bone = bones_.find(node);
  if (bone == bones_.end()) return false;
  return matches_matrix(to_matrix_rows(rests_[bone->second]), places_[node]);
}
Point SkeletonBuilder::from_model(u32 bone, const Point& at) const {
  return scene::inverse(rests_[bone]).value_or(Affine{}) * at;
}

u16 SkeletonBuilder::get_matrix(u32 bone) { return get_matrix(std::vector<std::pair<u32, f32>>{{bone, 1.0f}}); }
u16 SkeletonBuilder::get_matrix(std::vector<std::pair<u32, f32>> weights) {
  const auto [known, is_new] = matrices_.try_emplace(weights, u16(in_order_.size()));
  if (is_new) in_order_.push_back(std::move(weights));
  return known->second;
}

void SkeletonBuilder::add_to_box(u32 bone, const Point& p) {
  boxes_[bone].add(p);
  whole_.add(rests_[bone] * p);
}

std::vector<u16> SkeletonBuilder::finish(Model& m) const {
  // Matrices that geometry uses come first: of bones, then mixes; then those of the other bones.
  std::vector<u16> numbers(in_order_.size());
  std::vector<i32> of_bone(m.bones.size(), -1);
  for (const bool mixes : {false, true})
    for (size_t i = 0; i < in_order_.size(); ++i) {
      if ((in_order_[i].size() > 1) != mixes) continue;
      numbers[i] = u16(m.matrix_bones.size());
      if (!mixes) of_bone[in_order_[i][0].first] = numbers[i];
      m.matrix_bones.push_back(mixes ? -1 : i32(in_order_[i][0].first));
    }
  m.info.matrix_count = u32(m.matrix_bones.size());
  for (size_t i = 0; i < m.bones.size(); ++i)
    if (of_bone[i] < 0) of_bone[i] = i32(m.matrix_bones.size()), m.matrix_bones.push_back(i32(i));

  Program tree, mix;
  for (size_t i = 0; i < m.bones.size(); ++i) {
    m.bones[i].matrix = u32(of_bone[i]);
    const u16 above = parents_[i] < 0 ? u16(0) : u16(of_bone[size_t(parents_[i])]);
    tree.commands.push_back({.code = code::node, .bone = u16(i), .from = above});
    mix.commands.push_back({.code = code::matrix, .bone = u16(i), .matrix = u16(of_bone[i])});
  }
  bool has_mixes = false;
  for (size_t i = 0; i < in_order_.size(); ++i) {
    if (in_order_[i].size() == 1) continue;
    has_mixes = true;
    Command c{.code = code::mix, .matrix = numbers[i]};
    for (const auto& [bone, weight] : in_order_[i]) c.weights.push_back({u16(of_bone[bone]), weight});
    mix.commands.push_back(std::move(c));
  }
  const auto add_program = [&](const char* name, Program p) {
    p.commands.push_back({.code = code::end});
    m.program_dictionary.entries.emplace_back().name = name;
    m.programs.push_back(std::move(p));
  };
  add_program("NodeTree", std::move(tree));
  if (has_mixes) add_program("NodeMix", std::move(mix));

  const auto to_vec = [](const Point& p) { return Vec3{f32(p[0]), f32(p[1]), f32(p[2])}; };
  for (size_t i = 0; i < m.bones.size(); ++i) {
    Bone& b = m.bones[i];
    b.min = to_vec(boxes_[i].least), b.max = to_vec(boxes_[i].most);
    const bool no_translation = b.translation == Vec3{}, no_rotation = b.rotation == Vec3{},
               no_scale = b.scale == Vec3{1, 1, 1};
    b.flags = Bone::k_visible | (no_translation ? 2u : 0) | (no_rotation ? 4u : 0) | (no_scale ? 8u : 0);
    if (no_translation && no_rotation && no_scale) b.flags |= 1;
    if (b.scale.x == b.scale.y && b.scale.y == b.scale.z) b.flags |= 0x10;
    if (!boxes_[i].is_empty) b.flags |= 0x200;
  }
  const std::vector<BoneMatrices> matrices = compute_bone_matrices(m.bones, parents_, m.info.scaling_rule);
  for (size_t i = 0; i < m.bones.size(); ++i)
    m.bones[i].to_model = matrices[i].to_model, m.bones[i].from_model = matrices[i].from_model;
  m.info.min = to_vec(whole_.least), m.info.max = to_vec(whole_.most);
  return numbers;
}

}  // namespace dio::brres
