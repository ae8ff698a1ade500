// animations.cpp: converts the animations of a model (joints, texture SRT, texture patterns, colours, visibility) to
// scene channels. Channels have a key at every game frame where a value changes; raw game values go to the extras.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/elementary.hpp"
#include "core/text_format.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/builder.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {
namespace {

using scene::Channel;
using scene::Index;
using scene::MaterialChannel;

constexpr u64 k_most_keys = u64(1) << 18;  // over all nodes or materials

/// Drops keys that their neighbours imply. The last one is kept: it gives the length of the animation.
template <class V>
void remove_redundant_keys(std::vector<f32>& times, std::vector<V>& values, bool stepped) {
  size_t kept = 0;
  const size_t n = values.size();
  for (size_t i = 0; i < n; ++i) {
    const bool same_before = kept && values[i] == values[kept - 1];
    const bool same_behind = i + 1 < n && values[i] == values[i + 1];
    // Of equal keys, a stepped curve needs only the first.
    if (same_before && (stepped ? i + 1 < n : same_behind)) continue;
    times[kept] = times[i];
    values[kept] = values[i];
    ++kept;
  }
  if (kept == 2 && values[0] == values[1]) kept = 1;
  times.resize(kept);
  values.resize(kept);
}

/// The nearest transform of glTF; `error` is raised to the deviation, if that is larger.
scene::TextureTransform nearest_texture_transform(const TextureMatrix& t, f64& error) {
  const auto [uu, uv, u0, vu, vv, v0] = t;
  scene::TextureTransform out;
  out.offset = {f32(u0), f32(v0)};
  if (uv == 0 && vu == 0) {
    out.scale = {f32(uu), f32(vv)};
    return out;
  }
  const f64 sx = std::sqrt(uu * uu + vu * vu);
  const f64 angle = sx > 0 ? elementary::atan2(-vu, uu) : elementary::atan2(uv, vv);
  const f64 sin = elementary::sin(angle), cos = elementary::cos(angle), sy = cos * vv + sin * uv;
  out.rotation = f32(angle);
  out.scale = {f32(sx), f32(sy)};
  error = std::max({error, std::fabs(uv - sin * sy), std::fabs(vv - cos * sy)});
  return out;
}

}  // namespace

std::vector<f32> ModelBuilder::key_times(u32 frames) const {
  std::vector<f32> times(frames);
  for (u32 f = 0; f < frames; ++f) times[f] = seconds(f);
  return times;
}

/// The number of frames to convert: all, except in files crafted to exhaust memory.
u32 ModelBuilder::limit_frames(u32 frames, const std::string& name) {
  const u64 moved = std::max<u64>({1, m_.nodes.size() + m_.materials.size(), program_.matrices.size()});
  const u32 most = u32(std::max<u64>(1, k_most_keys / moved));
  if (frames > most && !std::exchange(cut_, true))
    add_note("nitro.too-long", {},
             {.message = "the animation \"" + name + "\" has " + std::to_string(frames) + " frames; only the first " +
                         std::to_string(most) + " are converted"});
  return std::clamp<u32>(frames, 1, most);
}

/// Determines which materials are animated, before any of them is built.
void ModelBuilder::find_animated_materials() {
  const size_t n = m_.materials.size();
  texture_moves_.assign(n, false), color_moves_.assign(n, false), changes_.assign(n, false);
  only_lit_.assign(n, true);
  for (const Draw& d : program_.draws)
    if (d.material < n) {
      const ShapeFacts f = analyze_display_list(*d.list);
      if (!f.has_normal || f.has_color) only_lit_[d.material] = false;
    }
  const auto each = [&](const auto& motions, auto body) {
    for (const auto& from : motions)
      for (const auto& track : from.animation->materials) {
        bool found = false;
        for (size_t i = 0; i < n; ++i)
          if (m_.materials[i].name == track.name) found = true, body(from, track, i);
        if (!found)
          add_note("nitro.unfit-animation", {},
                   {.message = "the animation \"" + from.animation->name + "\" animates the material \"" + track.name +
                               "\", which the model does not have"});
      }
  };
  each(motions_.textures, [&](auto&, auto&, size_t i) { texture_moves_[i] = true; });
  alpha_moves_.assign(n, false);
  each(motions_.colors, [&](auto& from, const ColorTrack& track, size_t i) {
    color_moves_[i] = true;
    const u32 frames = limit_frames(from.animation->frames, from.animation->name);
    for (u32 f = 0; f < frames; ++f)
      if (sample_colors(track, from.animation->frames, f).alpha < 31) alpha_moves_[i] = true;
  });
  each(motions_.patterns, [&](auto& from, const PatternTrack& track, size_t i) {
    const PatternAnimation& a = *from.animation;
    constexpr size_t k_most_looks = 256;
    auto& looks = looks_[i];
    if (looks.empty()) looks.push_back({bound_[i], scene::k_none});
    for (const PatternKey& k : track.keys) {
      static const std::string k_no_name;
      const bool has_palette = k.palette != k_no_palette && k.palette < a.palette_names.size();
      if (k.texture >= a.texture_names.size() || looks.size() >= k_most_looks) continue;
      const BoundTexture found = surfaces_.find(a.texture_names[k.texture].name,
                                                has_palette ? a.palette_names[k.palette].name : k_no_name, bound_[i]);
      if (std::none_of(looks.begin(), looks.end(), [&](const MaterialVariant& l) { return l.texture == found; }))
        looks.push_back({found, scene::k_none});
    }
    changes_[i] = looks.size() > 1;
  });
  visibility_moves_ = !motions_.visibilities.empty();
  for (const auto& from : motions_.visibilities)
    if (from.animation->node_count != m_.nodes.size())
      add_note("nitro.unfit-animation", {},
               {.message = "the animation \"" + from.animation->name + "\" has " +
                           format_count(from.animation->node_count, "node") + ", but the model has " +
                           std::to_string(m_.nodes.size())});
}

/// The texture matrix of an animated material is not applied to its texture coordinates.
void ModelBuilder::set_rest_transform(const Material& m, const MaterialVariant& look) {
  if (!look.texture.texture || m.texgen != 1 || !m.use_matrix) return;
  f64 error = 0;
  s_.materials[look.material].transform =
      nearest_texture_transform(bound_texture_matrix(m, look.texture.texture, texture_srt(m)), error);
}

void ModelBuilder::add_animations() {
  const auto all = [&](const auto& motions, auto animate_one) {
    for (const auto& from : motions) {
      animate_one(from);
      add_still_channel(s_.animations.back(), from.animation->frames);
    }
  };
  all(motions_.joints, [&](auto& a) { animate_joints(a); });
  all(motions_.patterns, [&](auto& a) { animate_patterns(a); });
  all(motions_.textures, [&](auto& a) { animate_textures(a); });
  all(motions_.colors, [&](auto& a) { animate_colors(a); });
  all(motions_.visibilities, [&](auto& a) { animate_visibility(a); });
}

/// An animation without motion is also kept: it gets a channel that keeps the model in place.
void ModelBuilder::add_still_channel(scene::Animation& a, u32 frames) {
  if (!a.channels.empty() || !a.material_channels.empty() || !a.visibility_channels.empty()) return;
  Channel c;
  c.node = root_;
  c.times = {0};
  c.values = {{0, 0, 0, 0}};
  if (frames > 1) c.times.push_back(seconds(frames - 1)), c.values.push_back({0, 0, 0, 0});
  a.channels.push_back(std::move(c));
}

scene::Animation& ModelBuilder::add_animation(const std::string& name, const std::string& file, const char* kind,
                                              u32 frames) {
  std::string unique = name;
  const auto is_taken = [&](const std::string& wanted) {
    return std::any_of(s_.animations.begin(), s_.animations.end(), [&](const auto& a) { return a.name == wanted; });
  };
  if (is_taken(unique)) unique += std::string(" (") + kind + ")";
  for (int i = 2; is_taken(unique); ++i) unique = name + " (" + kind + " " + std::to_string(i) + ")";
  scene::Animation& a = s_.animations.emplace_back();
  a.name = std::move(unique);
  a.extras = Value::object();
  a.extras.add("kind", std::string("nitro.") + kind);
  a.extras.add("name", name);
  if (!file.empty()) a.extras.add("file", file.substr(file.find_last_of('/') + 1));
  a.extras.add("frames", frames);
  return a;
}

void ModelBuilder::animate_joints(const ModelAnimations::AnimationSource<JointAnimation>& from) {
  const JointAnimation& a = *from.animation;
  if (a.tracks.size() > m_.nodes.size())
    add_note("nitro.unfit-animation", {},
             {.message = "the animation \"" + a.name + "\" has tracks for " + format_count(a.tracks.size(), "node") +
                         ", but the model has " + std::to_string(m_.nodes.size())});
  const u32 frames = limit_frames(a.frames, a.name);
  scene::Animation& out = add_animation(a.name, *from.file, "joints", a.frames);
  out.extras.add("interpolate", a.interpolate != 0);

  struct Keys {
    std::vector<scene::Vec4> translation, scale, rotation, inner_scale;
    bool turns_inside = false;
  };
  std::vector<Keys> keys(program_.matrices.size());
  for (u32 f = 0; f < frames; ++f) {
    const Pose pose = pose_at(m_, a, f);
    std::vector<Point> scales;
    if (m_.scaling_rule == 2) scales = cumulative_scales(m_, pose, false);
    for (size_t i = 0; i < keys.size(); ++i) {
      const MatrixStep& s = program_.matrices[i];
      if (s.kind != MatrixStep::Kind::node || s.scaled_from != k_unset) continue;
      const LocalTransforms local = compute_local_transforms(s, pose, scales);
      const scene::SignedRotation turn = scene::decompose_rotation(local.rotation);
      const auto vector = [](const Point& p, f64 sign) {
        return scene::Vec4{f32(p[0] * sign), f32(p[1] * sign), f32(p[2] * sign), 0};
      };
      Keys& k = keys[i];
      k.turns_inside = local.turns_inside;
      k.translation.push_back(vector(local.translation, 1));
      k.scale.push_back(vector(local.scale, local.turns_inside ? 1 : turn.sign));
      k.inner_scale.push_back(vector(local.inner_scale, local.turns_inside ? turn.sign : 1));
      scene::Vec4 q = scene::quaternion_of(turn);
      if (!k.rotation.empty()) {  // the nearer of the two quaternions of a rotation
        const scene::Vec4& before = k.rotation.back();
        const f64 along = f64(q[0]) * before[0] + f64(q[1]) * before[1] + f64(q[2]) * before[2] + f64(q[3]) * before[3];
        if (along < 0) q = {-q[0], -q[1], -q[2], -q[3]};
      }
      k.rotation.push_back(q);
    }
  }
  const std::vector<f32> times = key_times(frames);
  const auto add = [&](Index node, Channel::Target target, std::vector<scene::Vec4> values, const scene::Vec4& rest) {
    if (values.empty() || node == scene::k_none) return;
    Channel c;
    c.node = node, c.target = target;
    c.times = times;
    c.values = std::move(values);
    remove_redundant_keys(c.times, c.values, false);
    if (c.values.size() == 1 && c.values[0] == rest) return;
    if (c.values.size() == 1) c.times[0] = 0;
    out.channels.push_back(std::move(c));
  };
  const auto wide = [](const scene::Vec3& v) { return scene::Vec4{v[0], v[1], v[2], 0}; };
  for (size_t i = 0; i < keys.size(); ++i) {
    Keys& k = keys[i];
    if (k.translation.empty()) continue;
    const NodeChain& at = anchors_[i];
    const scene::Node outer = s_.nodes[at.outer], inner = s_.nodes[at.draw];
    add(at.outer, Channel::Target::translation, std::move(k.translation), wide(outer.translation));
    if (k.turns_inside)
      add(at.draw, Channel::Target::rotation, std::move(k.rotation), inner.rotation);
    else
      add(at.outer, Channel::Target::rotation, std::move(k.rotation), outer.rotation);
    add(at.outer, Channel::Target::scale, std::move(k.scale), wide(outer.scale));
    if (at.draw != at.outer) add(at.draw, Channel::Target::scale, std::move(k.inner_scale), wide(inner.scale));
  }
}

void ModelBuilder::animate_textures(const ModelAnimations::AnimationSource<TextureAnimation>& from) {
  const TextureAnimation& a = *from.animation;
  const u32 frames = limit_frames(a.frames, a.name);
  scene::Animation& out = add_animation(a.name, *from.file, "texture_motion", a.frames);
  f64 error = 0;
  for (const TextureTrack& track : a.materials)
    for (size_t i = 0; i < m_.materials.size(); ++i) {
      if (m_.materials[i].name != track.name) continue;
      for (const MaterialVariant& look : looks_[i]) {
        if (look.material == scene::k_none || !look.texture.texture) continue;
        MaterialChannel offset, rotation, scale;
        offset.target = MaterialChannel::Target::offset;
        rotation.target = MaterialChannel::Target::rotation;
        scale.target = MaterialChannel::Target::scale;
        for (u32 f = 0; f < frames; ++f) {
          const scene::TextureTransform x = nearest_texture_transform(
              bound_texture_matrix(m_.materials[i], look.texture.texture, texture_srt(track, a.frames, f)), error);
          offset.values.push_back({x.offset[0], x.offset[1], 0, 0});
          rotation.values.push_back({x.rotation, 0, 0, 0});
          scale.values.push_back({x.scale[0], x.scale[1], 0, 0});
        }
        const scene::TextureTransform& rest = s_.materials[look.material].transform;
        const auto add = [&](MaterialChannel& c, const scene::Vec4& still) {
          c.material = look.material;
          c.interpolation = Channel::Interpolation::step;  // the game does not interpolate
          c.times = key_times(frames);
          remove_redundant_keys(c.times, c.values, true);
          if (c.values.size() > 1 || !(c.values[0] == still)) out.material_channels.push_back(std::move(c));
        };
        add(offset, {rest.offset[0], rest.offset[1], 0, 0});
        add(rotation, {rest.rotation, 0, 0, 0});
        add(scale, {rest.scale[0], rest.scale[1], 0, 0});
      }
    }
  if (error > 1e-4)
    add_note(
        "nitro.sheared-texture", {},
        {.message = "the animation \"" + a.name +
                    "\" rotates a texture, then scales it by two different factors; glTF can only approximate this"});
}

void ModelBuilder::animate_patterns(const ModelAnimations::AnimationSource<PatternAnimation>& from) {
  const PatternAnimation& a = *from.animation;
  scene::Animation& out = add_animation(a.name, *from.file, "patterns", a.frames);
  Value& list = out.extras.add("materials", Value::list());
  for (const PatternTrack& track : a.materials) {
    Value& one = list.push(Value::object());
    one.add("material", track.name);
    Value& keys = one.add("keys", Value::list());
    for (const PatternKey& k : track.keys) {
      Value& key = keys.push(Value::object());
      key.add("frame", k.frame);
      if (k.texture < a.texture_names.size()) key.add("texture", a.texture_names[k.texture].name);
      if (k.palette < a.palette_names.size()) key.add("palette", a.palette_names[k.palette].name);
    }
    std::vector<BoundTexture> shown;  // at each frame
    for (size_t i = 0; i < m_.materials.size(); ++i) {
      if (m_.materials[i].name != track.name || !changes_[i]) continue;
      shown = sample_pattern_textures(track, a, bound_[i]);
      add_picture_list(looks_[i], shown);
      for (const Variant& v : variants_) {
        if (v.material != i) continue;
        scene::VisibilityChannel c;
        c.node = v.node;
        c.times = key_times(u32(shown.size()));
        for (const BoundTexture& now : shown) c.visible.push_back(now == v.texture);
        remove_redundant_keys(c.times, c.visible, true);
        out.visibility_channels.push_back(std::move(c));
      }
    }
  }
}

/// Lists the pictures of a material in its extras, each with the number of frames it is shown, because programs without
/// visibility animations keep extras. Does nothing if a picture is missing.
void ModelBuilder::add_picture_list(const std::vector<MaterialVariant>& looks, const std::vector<BoundTexture>& shown) {
  std::string pictures;
  for (size_t f = 0; f < shown.size();) {
    const size_t first = f;
    while (f < shown.size() && shown[f] == shown[first]) ++f;
    const auto look = std::ranges::find(looks, shown[first], &MaterialVariant::texture);
    if (look == looks.end() || look->material == scene::k_none) return;
    const Index texture = s_.materials[look->material].texture;
    if (texture == scene::k_none) return;
    const std::string& name = s_.images[s_.textures[texture].image].name;
    pictures += (first ? ", " : "") + name + " " + std::to_string(f - first);
  }
  const Index at_rest = looks.front().material;
  if (at_rest == scene::k_none || s_.materials[at_rest].extras.find("pictures")) return;
  s_.materials[at_rest].extras.add("pictures", std::move(pictures));
}

/// The textures of a texture pattern at each frame, from the last key at or before the frame.
std::vector<BoundTexture> ModelBuilder::sample_pattern_textures(const PatternTrack& track, const PatternAnimation& a,
                                                                const BoundTexture& rest) {
  static const std::string k_no_name;
  std::vector<size_t> key(limit_frames(a.frames, a.name), track.keys.size());
  const size_t none = track.keys.size();
  for (size_t k = 0; k < track.keys.size(); ++k)
    if (track.keys[k].frame < key.size()) key[track.keys[k].frame] = k;
  std::map<std::pair<u8, u8>, BoundTexture> known;
  std::vector<BoundTexture> out;
  size_t now = none;
  for (const size_t k : key) {
    if (k != none && (now == none || k > now)) now = k;
    const PatternKey* const at = now == none ? nullptr : &track.keys[now];
    if (!at || at->texture >= a.texture_names.size()) {
      out.push_back(rest);
      continue;
    }
    const auto [i, fresh] = known.try_emplace({at->texture, at->palette});
    if (fresh)
      i->second =
          surfaces_.find(a.texture_names[at->texture].name,
                         at->palette < a.palette_names.size() ? a.palette_names[at->palette].name : k_no_name, rest);
    out.push_back(i->second);
  }
  return out;
}

void ModelBuilder::animate_colors(const ModelAnimations::AnimationSource<ColorAnimation>& from) {
  const ColorAnimation& a = *from.animation;
  const u32 frames = limit_frames(a.frames, a.name);
  scene::Animation& out = add_animation(a.name, *from.file, "colors", a.frames);
  for (const ColorTrack& track : a.materials)
    for (size_t i = 0; i < m_.materials.size(); ++i) {
      if (m_.materials[i].name != track.name) continue;
      for (const MaterialVariant& look : looks_[i]) {
        if (look.material == scene::k_none) continue;
        const scene::Vec4 rest = s_.materials[look.material].color;
        MaterialChannel c;
        c.material = look.material;
        c.interpolation = Channel::Interpolation::step;
        c.times = key_times(frames);
        for (u32 f = 0; f < frames; ++f) {
          const MaterialColors now = sample_colors(track, a.frames, f);
          scene::Vec4 color = rest;
          if (only_lit_[i]) color = to_linear_color(full_light_color(now.diffuse, now.ambient, now.emission));
          color[3] = f32(std::min<u16>(now.alpha, 31)) / 31;
          c.values.push_back(color);
        }
        remove_redundant_keys(c.times, c.values, true);
        if (c.values.size() > 1 || !(c.values[0] == rest)) out.material_channels.push_back(std::move(c));
      }
    }
}

void ModelBuilder::animate_visibility(const ModelAnimations::AnimationSource<VisibilityAnimation>& from) {
  const VisibilityAnimation& a = *from.animation;
  const u32 frames = limit_frames(a.frames, a.name);
  scene::Animation& out = add_animation(a.name, *from.file, "visibility", a.frames);
  Value& list = out.extras.add("nodes", Value::list());
  for (u32 n = 0; n < std::min<size_t>(a.node_count, m_.nodes.size()); ++n) {
    Value& one = list.push(Value::object());
    one.add("node", m_.nodes[n].name);
    Value& runs = one.add("visible_from", Value::list());  // frame, then 1 or 0
    bool before = true;
    for (u32 f = 0; f < frames; ++f) {
      const bool now = a.visible(f, n);
      if (f && now == before) continue;
      Value& run = runs.push(Value::list());
      run.push(f);
      run.push(now ? 1 : 0);
      before = now;
    }
  }
  for (const ShapeDraw& s : shown_) {
    scene::VisibilityChannel c;
    c.node = s.made;
    for (u32 f = 0; f < frames; ++f) {
      c.times.push_back(seconds(f));
      c.visible.push_back(s.node < a.node_count ? a.visible(f, s.node) : s.visible);
    }
    remove_redundant_keys(c.times, c.visible, true);
    out.visibility_channels.push_back(std::move(c));
  }
}

// ---- which files belong together ----

bool matches_model(const Nsbtx& textures, const Nsbmd& file) {
  std::set<std::string_view> names;
  for (const Texture& t : textures.textures.textures) names.insert(t.name);
  for (const Model& m : file.models)
    for (const Pairing& p : m.textures)
      if (names.contains(p.name)) return true;
  return false;
}
static bool does_any_model_match(const Nsbmd& file, auto&& animations, auto&& is_right) {
  for (const Model& m : file.models)
    for (const auto& a : animations)
      if (is_right(m, a)) return true;
  return false;
}
static bool matches_materials(const Nsbmd& file, const auto& animations) {
  return does_any_model_match(file, animations, [](const Model& m, const auto& a) {
    return !a.materials.empty() && std::all_of(a.materials.begin(), a.materials.end(), [&](const auto& track) {
      return std::any_of(m.materials.begin(), m.materials.end(),
                         [&](const Material& x) { return x.name == track.name; });
    });
  });
}
/// Many models have the same number of nodes, so one name must also be the start of the other.
static bool matches_nodes(const Model& m, const std::string& name, size_t nodes) {
  return nodes == m.nodes.size() && (name.starts_with(m.name) || m.name.starts_with(name));
}
bool matches_model(const Nsbca& f, const Nsbmd& file) {
  return does_any_model_match(file, f.animations, [](const Model& m, const JointAnimation& a) {
    return matches_nodes(m, a.name, a.tracks.size());
  });
}
bool matches_model(const Nsbva& f, const Nsbmd& file) {
  return does_any_model_match(file, f.animations, [](const Model& m, const VisibilityAnimation& a) {
    return matches_nodes(m, a.name, a.node_count);
  });
}
bool matches_model(const Nsbtp& f, const Nsbmd& file) { return matches_materials(file, f.animations); }
bool matches_model(const Nsbta& f, const Nsbmd& file) { return matches_materials(file, f.animations); }
bool matches_model(const Nsbma& f, const Nsbmd& file) { return matches_materials(file, f.animations); }

// Names that must match for the checks above: textures, materials, node counts.
static std::string texture_match_name(const std::string& name) { return "t:" + name; }
static std::string material_match_name(const std::string& name) { return "m:" + name; }
static std::string node_count_match_name(size_t n) { return "n:" + std::to_string(n); }

std::vector<std::string> companion_match_names(const Nsbmd& file) {
  std::vector<std::string> names;
  for (const Model& m : file.models) {
    for (const Pairing& p : m.textures) names.push_back(texture_match_name(p.name));
    for (const Material& x : m.materials) names.push_back(material_match_name(x.name));
    names.push_back(node_count_match_name(m.nodes.size()));
  }
  return names;
}
std::vector<std::string> companion_match_names(const Nsbtx& f) {
  std::vector<std::string> names;
  for (const Texture& t : f.textures.textures) names.push_back(texture_match_name(t.name));
  return names;
}
std::vector<std::string> companion_match_names(const Nsbca& f) {
  std::vector<std::string> names;
  for (const JointAnimation& a : f.animations) names.push_back(node_count_match_name(a.tracks.size()));
  return names;
}
std::vector<std::string> companion_match_names(const Nsbva& f) {
  std::vector<std::string> names;
  for (const VisibilityAnimation& a : f.animations) names.push_back(node_count_match_name(a.node_count));
  return names;
}
/// All materials of an animation must exist, so the first one suffices.
static std::vector<std::string> list_first_materials(const auto& animations) {
  std::vector<std::string> names;
  for (const auto& a : animations)
    if (!a.materials.empty()) names.push_back(material_match_name(a.materials.front().name));
  return names;
}
std::vector<std::string> companion_match_names(const Nsbtp& f) { return list_first_materials(f.animations); }
std::vector<std::string> companion_match_names(const Nsbta& f) { return list_first_materials(f.animations); }
std::vector<std::string> companion_match_names(const Nsbma& f) { return list_first_materials(f.animations); }

}  // namespace dio::nitro
