// motion.cpp: cutscenes and animations, with the interpolation of the engine.
#include <numbers>

#include "core/elementary.hpp"
#include "formats/splashpack/scene/builder.hpp"

namespace dio::splashpack {

using scene::Index;
using scene::k_none;
using scene::Vec4;

namespace {

enum class TrackType : u8 {
  camera_position,
  camera_rotation,
  object_position,
  object_rotation,
  object_active,
  camera_h = 10,
};
enum class Easing : u8 { linear, step, in, out, in_out };

constexpr f64 k_frames_a_second = 30;
constexpr size_t k_most_keys = size_t(1) << 20;  // for all animations: lists of keys may overlap
constexpr i32 k_turn = 2048;                     // of angles; 1024 is half a turn

f32 time_of(f64 frame) { return f32(frame / k_frames_a_second); }

/// The fraction of the way from one key to the next, 4096 for the whole way, after the fraction `t` of the time.
i32 easing_progress(i32 t, u8 easing) {
  const i64 wide = t;
  switch (Easing(easing)) {
    case Easing::step:
      return 0;
    case Easing::in:
      return i32(wide * t >> 12);
    case Easing::out:
      return i32(wide * (8192 - t) >> 12);
    case Easing::in_out:
      return i32((3 * wide * t - 2 * (wide * t * t >> 12)) >> 12);
    default:
      return t;
  }
}

using Values = std::array<i16, 3>;
i16 between(i16 from, i32 delta, i32 t) { return i16(from + (delta * t >> 12)); }
/// Angles also change linearly from one number to the other, in whatever direction.
Values interpolate_values(const Values& from, const Values& end, i32 t) {
  Values out;
  for (size_t i = 0; i < 3; ++i) out[i] = between(from[i], i32(end[i]) - from[i], t);
  return out;
}

struct Key {
  f64 frame;
  Values values;
};

/// The keys of a track, converted to linear interpolation. `start`: the initial value in the engine. `each_frame`: for
/// values whose use makes straight lines curved.
std::vector<Key> linearize_keys(const std::vector<Keyframe>& track, const std::optional<Values>& start, bool each_frame,
                                size_t& unordered) {
  std::vector<Key> keys;
  if (track.empty()) return keys;
  if (track[0].frame > 0) keys.push_back({0, start.value_or(track[0].values)});
  for (const Keyframe& k : track) {
    if (keys.empty()) {
      keys.push_back({f64(k.frame), k.values});
      continue;
    }
    const Key from = keys.back();
    const u32 first = u32(from.frame), span = k.frame - first;
    if (k.frame <= first) {
      ++unordered;
      continue;
    }
    if (Easing(k.interpolation) == Easing::step) {
      keys.push_back({k.frame - 1 / 256.0, from.values});
    } else if (each_frame || k.interpolation) {
      for (u32 i = 1; i < span; ++i)
        keys.push_back({f64(first + i), interpolate_values(from.values, k.values,
                                                           easing_progress(i32((i << 12) / span), k.interpolation))});
    }
    keys.push_back({f64(k.frame), k.values});
  }
  return keys;
}

Values low_bits(const Vec32& v) { return {i16(v.x.raw), i16(v.y.raw), i16(v.z.raw)}; }

}  // namespace

Index SceneBuilder::find_or_add_cutscene_camera() {
  if (cutscene_camera_ != k_none) return cutscene_camera_;
  cutscene_camera_ = add_node("cutscene_camera", "ignore");
  s_.nodes[cutscene_camera_].camera = Index(s_.cameras.size());
  scene::Camera camera = s_.cameras.front();
  camera.name = "cutscene";
  s_.cameras.push_back(std::move(camera));
  return cutscene_camera_;
}

template <class Motion>
void SceneBuilder::add_animation_tracks(const Motion& motion, const char* kind, size_t number) {
  scene::Animation animation;
  animation.name = motion.name && !motion.name->empty() ? escape_control_chars(*motion.name) : text(kind, "_", number);
  animation.extras = Value::object();
  animation.extras.add("kind", kind);
  animation.extras.add("index", u64(number));
  animation.extras.add("frame_count", motion.frame_count);
  // A later track with the same target overrides an earlier one.
  std::map<std::pair<Index, scene::Channel::Target>, scene::Channel> channels;
  std::map<Index, scene::VisibilityChannel> visibility;
  std::optional<scene::FovChannel> fov;
  for (const Track& track : motion.tracks) {
    const auto type = TrackType(track.type);
    const bool is_camera =
        type == TrackType::camera_position || type == TrackType::camera_rotation || type == TrackType::camera_h;
    const bool is_object =
        type == TrackType::object_position || type == TrackType::object_rotation || type == TrackType::object_active;
    if (!is_camera && !is_object) {
      ++unshown_tracks_;
      continue;
    }
    if (track.keys.empty()) continue;
    size_t object = pack_.objects.size();
    if (is_object && track.target)
      object = size_t(std::ranges::find(pack_.objects, *track.target, &Object::name) - pack_.objects.begin());
    if (is_object && object == pack_.objects.size()) {
      ++lost_tracks_;
      continue;
    }
    if (keys_ >= k_most_keys) {
      ++too_many_keys_;
      continue;
    }
    const Index node = is_camera ? find_or_add_cutscene_camera() : object_nodes_[object];
    std::optional<Values> start;
    if (type == TrackType::object_position) start = low_bits(pack_.objects[object].position);
    if (type == TrackType::object_rotation) start = Values{};
    if (type == TrackType::object_active) {
      scene::VisibilityChannel channel;
      channel.node = node;
      if (track.keys[0].frame > 0) channel.times = {0}, channel.visible = {u8(s_.nodes[node].visible)};
      for (const Keyframe& k : track.keys) {
        if (!channel.times.empty() && time_of(k.frame) <= channel.times.back()) {
          ++unordered_;
          continue;
        }
        channel.times.push_back(time_of(k.frame));
        channel.visible.push_back(k.values[0] != 0);
      }
      keys_ += channel.times.size();
      visibility[node] = std::move(channel);
      continue;
    }
    const bool is_turn = type == TrackType::camera_rotation || type == TrackType::object_rotation;
    const auto keys = linearize_keys(track.keys, start, is_turn || type == TrackType::camera_h, unordered_);
    keys_ += keys.size();
    if (type == TrackType::camera_h) {
      fov.emplace();
      fov->camera = s_.nodes[node].camera;
      for (const Key& k : keys) {
        fov->times.push_back(time_of(k.frame));
        fov->values.push_back(f32(2 * elementary::atan(120.0 / std::clamp<i16>(k.values[0], 1, 1024))));
      }
      continue;
    }
    scene::Channel channel;
    channel.node = node;
    channel.target = is_turn ? scene::Channel::Target::rotation : scene::Channel::Target::translation;
    for (const Key& k : keys) {
      channel.times.push_back(time_of(k.frame));
      const auto& [x, y, z] = k.values;
      constexpr f64 k_radians = 2 * std::numbers::pi / k_turn;
      const scene::Vec3 at = to_scene_axes(x * k_world_per_raw, y * k_world_per_raw, z * k_world_per_raw);
      channel.values.push_back(is_turn ? rotation_from_angles(x * k_radians, y * k_radians, z * k_radians)
                                       : Vec4{at[0], at[1], at[2], 0});
    }
    channels[{node, channel.target}] = std::move(channel);
  }
  for (auto& [what, channel] : channels) animation.channels.push_back(std::move(channel));
  for (auto& [node, channel] : visibility) animation.visibility_channels.push_back(std::move(channel));
  if (fov) animation.fov_channels.push_back(std::move(*fov));
  if (animation.channels.empty() && animation.visibility_channels.empty() && animation.fov_channels.empty()) return;
  s_.animations.push_back(std::move(animation));
}

void SceneBuilder::add_animations() {
  for (size_t i = 0; i < pack_.cutscenes.size(); ++i) add_animation_tracks(pack_.cutscenes[i], "cutscene", i);
  for (size_t i = 0; i < pack_.animations.size(); ++i) add_animation_tracks(pack_.animations[i], "animation", i);
}

}  // namespace dio::splashpack
