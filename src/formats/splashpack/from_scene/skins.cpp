// skins.cpp: skinned meshes as objects whose vertices follow one bone each, and joint animations as clips: a matrix for
// each frame and bone that moves a vertex from the object's file to the object in the scene. Sources: psxsplash,
// skinmesh.hh and renderer.cpp; SplashEdit, PSXSkinnedMeshExporter.cs.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/elementary.hpp"
#include "core/sorting.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/motion.hpp"
#include "scene/transforms.hpp"

namespace dio::splashpack {
namespace {

// Source: engine, skinmesh.hh.
constexpr size_t k_most_skins = 16, k_most_bones = 64, k_most_clips_of_skin = 16;
constexpr size_t k_most_frames = 65535;        // of a clip: a u16
constexpr u64 k_most_matrices = 1 << 19;       // for all clips: twelve megabytes, six times the memory of the console
constexpr u64 k_most_skin_steps = 1 << 24;     // nodes times frames, for all clips
constexpr f64 k_usual_fps = 30;                // of clips, if not specified
constexpr f64 k_near = 0.02;                   // of a frame: times this close to a key use the key
constexpr f64 k_most_skew = 0.25;              // between a given matrix and that of its node
constexpr std::array<f64, 2> k_sizes{0.5, 2};  // the accepted size of a mesh after its bones

Affine affine_from_mat4(const scene::Mat4& m) {
  return {{{Point{m[0], m[1], m[2]}, Point{m[4], m[5], m[6]}, Point{m[8], m[9], m[10]}}}, {m[12], m[13], m[14]}};
}

/// The joint with the largest weight of a vertex.
size_t strongest_joint(const scene::Vec4& weights) {
  return size_t(std::ranges::max_element(weights) - weights.begin());
}

f64 clamped(f64 x, f64 low, f64 high) { return x >= low ? std::min(x, high) : low; }

}  // namespace

void SkinCounts::add_notes(Diagnostics& notes) const {
  const auto told = [&](u64 n, Severity severity, std::string_view id, DiagnosticText said) {
    if (n) notes.push_back(make_diagnostic(severity, id, {}, std::move(said)));
  };
  using enum Severity;
  constexpr std::string_view k_lost = "splashpack.make-lost", k_bones = "splashpack.make-bones";
  told(at_rest, warning, k_lost,
       {.message = text(at_rest, at_rest == 1 ? " skinned mesh is" : " skinned meshes are", " over the limit of ",
                        k_most_skins),
        .hint = "meshes over the limit are stored in the rest pose"});
  told(shared, hint, k_bones,
       {.message = text(shared, shared == 1 ? " vertex follows" : " vertices follow",
                        " several joints; the engine supports only one"),
        .hint = "each vertex follows the joint with the largest weight"});
  told(beyond, warning, k_bones,
       {.message = text(format_count(beyond, "joint"), beyond == 1 ? " is" : " are", " over the limit of ",
                        k_most_bones, " for a mesh"),
        .hint = "the vertices of these joints follow the nearest parent joint within the limit"});
  told(scaled, warning, k_bones,
       {.message = text("joints scale a mesh by 8 or more in ", format_count(scaled, "frame")),
        .hint = "the scale is limited to 8"});
  told(more_clips, warning, k_lost,
       {.message = text(format_count(more_clips, "clip"), more_clips == 1 ? " is" : " are", " over the limit of ",
                        k_most_clips_of_skin, " for a mesh"),
        .hint = "clips over the limit are omitted from the pack"});
  told(too_long, warning, k_lost,
       {.message = text(format_count(too_long, "clip"), too_long == 1 ? " is" : " are", " too long (limit: ",
                        k_most_frames, " frames, and ", k_most_matrices, " bone matrices in all clips)"),
        .hint =
            "these clips are omitted from the pack; a lower fps, set on the animation or the object, shortens clips"});
  told(renamed, warning, "splashpack.make-names",
       describe_changed_names(format_count(renamed, "clip name"), renamed, first_renamed));
}

SkinSectionBuilder::SkinSectionBuilder(const scene::Scene& s, std::span<const Affine> places,
                                       const MakeSettings& settings, CoordinateRange& reach)
    : s_(s), places_(places), settings_(settings), reach_(reach) {
  used_.resize(s.animations.size());
  moved_by_.resize(s.nodes.size());
  for (size_t a = 0; a < s.animations.size(); ++a)
    for (const scene::Channel& c : s.animations[a].channels) {
      std::vector<Index>& list = moved_by_[c.node];
      if (list.empty() || list.back() != a) list.push_back(Index(a));
    }
}

Index SkinSectionBuilder::find_object_frame(size_t mesh_node) const {
  const scene::Node& n = s_.nodes[mesh_node];
  if (n.parent != k_none || places_[mesh_node] != Affine()) return Index(mesh_node);
  return s_.nodes[s_.skins[n.skin].joints.front()].parent;
}

bool SkinSectionBuilder::bind_skin(size_t mesh_node, Index frame, bool is_ours, MeshInstance& placed) {
  const scene::Node& node = s_.nodes[mesh_node];
  const scene::Skin& skin = s_.skins[node.skin];
  const scene::Mesh& mesh = s_.meshes[node.mesh];
  now_ = {};
  now_.name = node_label(s_, mesh_node);
  now_.nodes = with_ancestors(s_, skin.joints);
  // Ancestors of the whole object move the object, not its bones.
  std::set<Index> motions;
  const std::vector<Index> above = frame == k_none ? std::vector<Index>() : with_ancestors(s_, std::array{frame});
  for (const Index n : now_.nodes)
    if (!std::ranges::binary_search(above, n)) motions.insert(moved_by_[n].begin(), moved_by_[n].end());
  if (motions.empty()) return false;
  const auto to_object = inverse(placed.object);
  if (!to_object || made_.size() == k_most_skins) {
    ++counts_.at_rest;
    return false;
  }
  now_.to_object = *to_object;
  now_.motions.assign(motions.begin(), motions.end());

  // Bones: all joints in a scene from a pack, otherwise joints that corners follow.
  std::vector<bool> follows(skin.joints.size(), is_ours && skin.joints.size() <= k_most_bones);
  for (const scene::Primitive& p : mesh.primitives)
    for (const u32 v : triangle_indices(p)) {
      follows[p.joints[v][strongest_joint(p.weights[v])]] = true;
      counts_.shared += std::ranges::count_if(p.weights[v], [](f32 w) { return w > 0; }) > 1;
    }
  std::map<Index, u8> bone_of;  // by the node
  std::vector<u8> bones(skin.joints.size());
  for (size_t j = 0; j < bones.size(); ++j) {
    if (!follows[j] || now_.joints.size() == k_most_bones) continue;
    bone_of[skin.joints[j]] = bones[j] = u8(now_.joints.size());
    now_.joints.push_back(skin.joints[j]);
    now_.binds.push_back(affine_from_mat4(skin.inverse_bind[j]));
  }
  // Joints over the limit are replaced by their nearest parent.
  for (size_t j = 0; j < bones.size(); ++j) {
    if (!follows[j] || bone_of.contains(skin.joints[j])) continue;
    ++counts_.beyond;
    Index above_it = s_.nodes[skin.joints[j]].parent;
    while (above_it != k_none && !bone_of.contains(above_it)) above_it = s_.nodes[above_it].parent;
    bones[j] = above_it == k_none ? u8(0) : bone_of[above_it];
  }
  for (const Index joint : now_.joints)
    now_.places.push_back(Index(std::ranges::lower_bound(now_.nodes, joint) - now_.nodes.begin()));

  // Meshes may be stored in other units than displayed; numbers then have their displayed size.
  f64 sizes = 0, counted = 0;
  for (size_t b = 0; b < now_.joints.size(); ++b) {
    const Affine rest = now_.to_object * places_[now_.joints[b]] * now_.binds[b];
    const f64 size = elementary::cbrt(std::fabs(determinant(rest.linear)));
    if (size > 0 && std::isfinite(size)) sizes += elementary::log(size), ++counted;
  }
  const f64 size = counted > 0 ? elementary::exp(sizes / counted) : 1;
  const bool is_sized = !is_ours && (size < k_sizes[0] || size > k_sizes[1]);
  placed.own = {};
  if (is_sized) placed.own.linear = scene::scaling({size, size, size});
  placed.rest.clear();
  for (size_t b = 0; b < now_.joints.size(); ++b) {
    if (is_sized) now_.binds[b].linear = now_.binds[b].linear * scene::scaling({1 / size, 1 / size, 1 / size});
    placed.rest.push_back(now_.to_object * places_[now_.joints[b]] * now_.binds[b]);
  }
  placed.bones.clear();
  for (const scene::Primitive& p : mesh.primitives) {
    std::vector<u8>& list = placed.bones.emplace_back();
    for (size_t v = 0; v < p.positions.size(); ++v) list.push_back(bones[p.joints[v][strongest_joint(p.weights[v])]]);
  }
  return true;
}

BoneMatrix SkinSectionBuilder::to_bone_matrix(const Affine& bone, const std::string& where) {
  BoneMatrix out{};
  const Mat3d turn = settings_.convert_axes(bone.linear);
  bool is_beyond = false;
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 3; ++column) {
      const f64 x = std::floor(turn.columns[column][row] * 4096 + 0.5);
      is_beyond |= !(std::fabs(x) <= 32767);
      out.rotation[row * 3 + column].raw = i16(clamped(x, -32767, 32767));
    }
  counts_.scaled += is_beyond;
  const Point at = settings_.to_pack_units(bone.origin);
  const auto here = [&] { return where; };
  out.translation = {
      {reach_.round_to_i16(at[0], here)}, {reach_.round_to_i16(at[1], here)}, {reach_.round_to_i16(at[2], here)}};
  return out;
}

/// Matrices that no node can express are restored from the original pack, if the nodes are still close to them.
void SkinSectionBuilder::restore_kept_matrices(const scene::Animation& a, size_t bones,
                                               std::vector<BoneMatrix>& frames) {
  const Value* list = a.extras.find("matrices");
  if (!list || !list->is(Value::Kind::list)) return;
  for (const auto& [unused, item] : list->members()) {
    const auto n = parse_number_list(item, 11);
    if (!n || !((*n)[0] >= 0 && (*n)[0] < f64(frames.size() / bones) && (*n)[1] >= 0 && (*n)[1] < f64(bones))) continue;
    BoneMatrix& m = frames[size_t((*n)[0]) * bones + size_t((*n)[1])];
    BoneMatrix told = m;
    bool is_near = true;
    for (size_t i = 0; i < 9; ++i) {
      is_near &= std::fabs((*n)[i + 2] - m.rotation[i].raw) < k_most_skew * 4096;
      told.rotation[i].raw = i16(clamped((*n)[i + 2], -32768, 32767));
    }
    if (is_near) m = told;
  }
}

/// The clips of an object of the original pack: programs that drop the extras of animations keep those of nodes.
static std::pair<const Value*, size_t> find_kept_clip(const Value& extras, std::string_view name) {
  const Value* all = extras.find("clips");
  if (all && all->is(Value::Kind::list))
    for (size_t i = 0; i < all->size(); ++i)
      if (read_text_extra(*all->at(i), "name") == name) return {all->at(i), i};
  return {};
}

/// Samples the effect of an animation on the bones at this frame rate. A looping clip omits a last frame that equals
/// the first.
void SkinSectionBuilder::add_clip(const scene::Animation& a, const scene::Node& object, BuiltSkin& made) {
  const AnimationPlayer playing(s_, a, now_.nodes);
  SkinClip clip;
  const std::string prefix = object.name + ".";  // as in scenes from packs
  clip.name = a.name.starts_with(prefix) ? a.name.substr(prefix.size()) : a.name;
  const auto [was, was_number] = find_kept_clip(object.extras, clip.name);
  auto told_fps = read_number_extra(a.extras, "fps");
  if (!told_fps) told_fps = read_number_extra(object.extras, "fps");
  if (!told_fps && was) told_fps = read_number_extra(*was, "fps");
  const f64 fps = std::floor(clamped(told_fps.value_or(k_usual_fps), 0, 255));
  const f64 frames = std::ceil((playing.last - playing.first) * fps - k_near) + 1;
  const size_t bones = now_.joints.size();
  if (!(frames >= 1 && frames <= k_most_frames) || matrices_ + u64(frames) * bones > k_most_matrices ||
      steps_ + u64(frames) * now_.nodes.size() > k_most_skin_steps) {
    ++counts_.too_long;
    return;
  }
  matrices_ += u64(frames) * bones;
  steps_ += u64(frames) * now_.nodes.size();
  clip.fps = u8(fps);
  auto told_flags = read_number_extra(a.extras, "flags");
  if (!told_flags && was) told_flags = read_number_extra(*was, "flags");
  clip.flags = u8(clamped(told_flags.value_or(0), 0, 255));
  if (const auto again = read_flag_extra(a.extras, "loop")) clip.flags = u8((clip.flags & ~1u) | (*again ? 1 : 0));
  const std::string where = text("animation ", escape_control_chars(a.name), " of ", now_.name);
  std::vector<Affine> places;
  for (u32 f = 0; f < u32(frames); ++f) {
    const f64 time = fps > 0 ? std::min(playing.first + f / fps, playing.last) : playing.first;
    playing.transforms_at(time, fps > 0 ? k_near / fps : 0, places);
    for (u32 b = 0; b < bones; ++b)
      clip.frames.push_back(to_bone_matrix(now_.to_object * places[now_.places[b]] * now_.binds[b], where));
  }
  const auto matrix_components = [](const BoneMatrix& m) {
    std::array<i16, 12> out{};
    for (size_t i = 0; i < 9; ++i) out[i] = m.rotation[i].raw;
    out[9] = m.translation.x.raw, out[10] = m.translation.y.raw, out[11] = m.translation.z.raw;
    return out;
  };
  if ((clip.flags & 1) && frames > 1 &&
      std::ranges::equal(std::span(clip.frames).first(bones), std::span(clip.frames).last(bones), {}, matrix_components,
                         matrix_components))
    clip.frames.resize(clip.frames.size() - bones);
  restore_kept_matrices(a, bones, clip.frames);
  made.skin.clips.push_back(std::move(clip));
  const auto number = read_number_extra(a.extras, "clip");
  made.clips.push_back(!number && was ? std::optional(f64(was_number)) : number);
}

void SkinSectionBuilder::add_skin(u16 object, const scene::Node& node, std::vector<std::array<u8, 3>> corner_bones) {
  BuiltSkin made;
  made.number = read_number_extra(node.extras, "skin");
  made.skin.object = object;
  made.skin.bone_count = u8(now_.joints.size());
  made.skin.corner_bones = std::move(corner_bones);
  for (const Index a : now_.motions) {
    used_[a] = true;
    of_object_.emplace(object, a);
    if (made.skin.clips.size() == k_most_clips_of_skin)
      ++counts_.more_clips;
    else
      add_clip(s_.animations[a], node, made);
  }
  if (made.skin.clips.empty()) {  // the engine draws no skin without clips
    SkinClip rest{"rest", 0, 0, u8(k_usual_fps), 0, {}};
    for (size_t b = 0; b < now_.joints.size(); ++b)
      rest.frames.push_back(to_bone_matrix(now_.to_object * places_[now_.joints[b]] * now_.binds[b], now_.name));
    made.skin.clips.push_back(std::move(rest));
    made.clips.push_back({});
  }
  made_.push_back(std::move(made));
}

std::vector<Skin> SkinSectionBuilder::take_skins(Diagnostics& notes) {
  const auto number = [](const std::optional<f64>& n) { return n ? *n : HUGE_VAL; };
  sort_stably(made_, {}, [&](const BuiltSkin& m) { return number(m.number); });
  std::vector<Skin> out;
  for (BuiltSkin& m : made_) {
    std::vector<size_t> order(m.clips.size());
    std::iota(order.begin(), order.end(), size_t(0));
    sort_stably(order, {}, [&](size_t c) { return number(m.clips[c]); });
    std::vector<SkinClip> clips;
    Names names;
    for (const size_t c : order) {
      if (m.number && m.clips[c])
        clips_.try_emplace({u32(clamped(*m.number, 0, 65535)), u32(clamped(*m.clips[c], 0, 65535))},
                           std::array{u32(out.size()), u32(clips.size())});
      SkinClip& clip = clips.emplace_back(std::move(m.skin.clips[c]));
      std::string name = names.make_unique_name(clip.name.empty() ? text("clip_", clips.size() - 1) : clip.name);
      if (!clip.name.empty() && name != clip.name && !counts_.renamed++)
        counts_.first_renamed = text(in_quotes(escape_control_chars(clip.name)), " to ", in_quotes(name));
      clip.name = std::move(name);
    }
    m.skin.clips = std::move(clips);
    out.push_back(std::move(m.skin));
  }
  counts_.add_notes(notes);
  return out;
}

}  // namespace dio::splashpack
