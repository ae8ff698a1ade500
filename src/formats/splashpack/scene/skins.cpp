// skins.cpp: objects whose corners follow bones. A clip has a matrix for each bone and frame, which moves a corner from
// the object's file to the object: joints with that matrix, and unchanged meshes.
#include "formats/splashpack/scene/builder.hpp"

namespace dio::splashpack {

using scene::Index;
using scene::Vec3;
using scene::Vec4;

namespace {

Vec4 wide(const Vec3& v) { return {v[0], v[1], v[2], 0}; }

Pose decompose_bone_matrix(const BoneMatrix& m) {
  std::array<fx32, 9> wider;
  for (size_t i = 0; i < wider.size(); ++i) wider[i].raw = m.rotation[i].raw;
  return decompose_rotation_scale(wider);
}

}  // namespace

/// The bones of a skin below the node of its object, in the pose before a clip plays: the first frame of the first
/// clip.
void SceneBuilder::add_skin(size_t number) {
  const Skin& skin = pack_.skins[number];
  const scene::Node& object = s_.nodes[object_nodes_[skin.object]];
  const std::string name = object.name;
  scene::Skin joints;
  joints.name = name;
  for (size_t b = 0; b < skin.bone_count; ++b) {
    const Index node = add_node(text(name, "_bone_", b), "ignore");
    s_.nodes[node].parent = object_nodes_[skin.object];
    if (!skin.clips.empty() && b < skin.clips[0].frames.size()) {
      const BoneMatrix& m = skin.clips[0].frames[b];
      const Pose pose = decompose_bone_matrix(m);
      s_.nodes[node].translation = to_scene_position(m.translation);
      s_.nodes[node].rotation = pose.rotation;
      s_.nodes[node].scale = pose.scale;
    }
    joints.joints.push_back(node);
    joints.inverse_bind.push_back({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  }
  joints_[number] = joints.joints;
  s_.nodes[object_nodes_[skin.object]].skin = Index(s_.skins.size());
  s_.skins.push_back(std::move(joints));
}

std::string clip_name(const SkinClip& clip, size_t number) {
  return clip.name.empty() ? text("clip_", number) : escape_control_chars(clip.name);
}

void SceneBuilder::add_clips(size_t number) {
  const Skin& skin = pack_.skins[number];
  for (size_t c = 0; c < skin.clips.size(); ++c) {
    const SkinClip& clip = skin.clips[c];
    const size_t bones = joints_[number].size(), frames = bones ? clip.frames.size() / bones : 0;
    if (!frames) continue;
    scene::Animation animation;
    animation.name = text(s_.nodes[object_nodes_[skin.object]].name, ".", clip_name(clip, c));
    animation.extras = Value::object();
    animation.extras.add("kind", "clip");
    animation.extras.add("skin", u64(number));
    animation.extras.add("clip", u64(c));
    animation.extras.add("fps", clip.fps);
    animation.extras.add("flags", clip.flags);
    // At 0 frames per second, the clip stays at its first frame. In a looping clip, the engine interpolates between the
    // last and the first frame like between any two.
    const bool moves = clip.fps != 0, again = clip.flags & 1;
    const size_t keys = moves ? frames + again : 1;
    Value matrices = Value::list();
    for (size_t b = 0; b < bones; ++b) {
      scene::Channel place, turn, size;
      place.node = turn.node = size.node = joints_[number][b];
      turn.target = scene::Channel::Target::rotation;
      size.target = scene::Channel::Target::scale;
      bool any_scale = false;
      for (size_t k = 0; k < keys; ++k) {
        const BoneMatrix& m = clip.frames[k % frames * bones + b];
        const Pose pose = decompose_bone_matrix(m);
        bent_ += pose.error > 16 / 4096.0;
        if (!pose.is_exact && k < frames) {
          Value& entry = matrices.push(Value::list());
          entry.push(u64(k)), entry.push(u64(b));
          for (const fx16 n : m.rotation) entry.push(n.raw);
        }
        any_scale |= pose.scale != Vec3{1, 1, 1};
        const f32 time = moves ? f32(f64(k) / clip.fps) : 0;
        for (scene::Channel* channel : {&place, &turn, &size}) channel->times.push_back(time);
        place.values.push_back(wide(to_scene_position(m.translation)));
        turn.values.push_back(pose.rotation);
        size.values.push_back(wide(pose.scale));
      }
      animation.channels.push_back(std::move(place));
      animation.channels.push_back(std::move(turn));
      // If one clip scales a bone, all do: otherwise the scale of one would stay in the next.
      any_scale |= s_.nodes[size.node].scale != Vec3{1, 1, 1};
      if (any_scale) animation.channels.push_back(std::move(size));
    }
    if (matrices.size()) animation.extras.add("matrices", std::move(matrices));
    s_.animations.push_back(std::move(animation));
  }
}

}  // namespace dio::splashpack
