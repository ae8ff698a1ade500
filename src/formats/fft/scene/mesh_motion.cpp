// mesh_motion.cpp: the animated meshes of a scene: nodes with the parents given in the file, and an animation for each
// state. Converts the axes of the game (Y down) to those of a scene: (x, -y, -z).
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/sorting.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/scene/motion.hpp"
#include "formats/fft/scene/sources.hpp"
#include "scene/math.hpp"

namespace dio::fft {

using scene::Channel;
using scene::Index;

std::span<const Rule> motion_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"fft.motion-row", warning,
       "each texture animation row has frames, and all its frames are in the texture or palettes of the map",
       "A texture animation can copy from any position in VRAM. The VRAM contents outside the map are unknown, so the "
       "scene does not show an animation that copies from there.",
       "To show the texture animation in the scene, correct its row. The file keeps the row in any case.",
       "src/formats/fft/README.md#texture-animation"},
      {"fft.motion-polygons", hint, "every texture animation row has a known effect",
       "Texture animation mode 29 acts on a range of polygons, but the effect of this mode is not documented.",
       "No action is needed: the file keeps the texture animation row.", "src/formats/fft/README.md#texture-animation"},
      {"fft.motion-overlap", hint,
       "the canvas of a texture animation does not overlap the frames of any texture animation",
       "In the game, drawing the canvas overwrites the frames that it overlaps. The scene shows the frames as the file "
       "stores them.",
       "Check the texture animation in the game, or move its canvas.", "src/formats/fft/README.md#texture-animation"},
      {"fft.motion-pieces", hint, "the canvases of texture animations do not split polygons into too many pieces",
       "To show texture animations, diorama splits polygons at the edges of the animated areas (canvases). If a "
       "polygon would have too many pieces, it stays whole, and its texture does not move.",
       "No action is needed for the game. To see the texture animation in the scene, use fewer canvases.",
       "diorama's own rule"},
      {"fft.motion-cut", hint,
       "all loops of a map animation return to their starting points together within the tick limit",
       "Loops of different lengths are exported as one animation. The animation lasts until all loops start at the "
       "same time again. If the animation would exceed the tick limit, it is truncated and does not loop seamlessly.",
       "For a seamless animation, choose loop durations with a small least common multiple.", "diorama's own rule"},
      {"fft.motion-parent", warning, "the parent of an animated mesh has a lower number than the mesh",
       "The game moves meshes in the order of their numbers, so a mesh whose parent has a higher number is one tick "
       "late. diorama ignores parents that form a cycle and parent numbers above 8.",
       "Give the parent mesh a lower number than its children.", "src/formats/fft/README.md#mesh-animation"},
      {"fft.motion-wayless", warning, "the mode of each used keyframe is linear, sine, or sine + 1",
       "If a keyframe has another mode, the game probably adds the value of the keyframe again at every tick. diorama "
       "keeps the value constant.",
       "Set the mode of the keyframe to linear, sine, or sine + 1.", "src/formats/fft/README.md#mesh-animation"},
      {"fft.motion-unplaced", hint, "a map with animated meshes has mesh animations",
       "The game does not draw animated meshes without instructions. diorama shows animated meshes without "
       "instructions at the positions of their polygons.",
       "Add mesh animations to the map, or remove the animated meshes.", "src/formats/fft/README.md#mesh-animation"},
  };
  return k_rules;
}

void add_motion_note(Diagnostics& notes, std::string_view id, std::string path, DiagnosticText said) {
  Findings findings(motion_rules());
  findings.add(id, std::move(path), std::move(said));
  notes.push_back(std::move(findings.list.front()));
}

namespace {

constexpr u64 k_most_ticks = 16384;        // of an animation
constexpr u64 k_most_keys = u64(1) << 19;  // in total: more than any map needs, fewer than would slow a browser down

using AxisTriple = std::array<f64, 3>;
AxisTriple three_values_from(const MeshValues& v, size_t first) { return {v[first], v[first + 1], v[first + 2]}; }

scene::Vec4 to_scene_translation(const AxisTriple& v) { return {f32(v[0]), f32(-v[1]), f32(-v[2]), 0}; }
scene::Vec4 to_scene_scale(const AxisTriple& v) { return {f32(v[0] / k_one), f32(v[1] / k_one), f32(v[2] / k_one), 0}; }
/// Rotating all axes by diag(1, -1, -1), half a turn about x, negates the angles about y and z.
scene::Vec4 to_scene_rotation(const AxisTriple& v) {
  return scene::quaternion_of(scene::decompose_rotation(mesh_rotation_matrix({v[0], -v[1], -v[2]})));
}

bool are_quaternions_opposed(const scene::Vec4& a, const scene::Vec4& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0;
}

/// The target of a channel: three of the nine numbers.
struct Target {
  Channel::Target target;
  size_t first;
  scene::Vec4 (*value)(const AxisTriple&);
};
constexpr Target k_targets[] = {
    {Channel::Target::rotation, 0, to_scene_rotation},
    {Channel::Target::translation, 3, to_scene_translation},
    {Channel::Target::scale, 6, to_scene_scale},
};

/// The number of ticks covered by a key: between two keys, programs interpolate in a straight line, or rotate about one
/// axis.
u32 max_ticks_between_keys(const MeshTrack::Step& step, const Target& target) {
  constexpr f64 k_most_about_one_axis = k_turn / 4, k_most_about_several = k_turn / 128;
  const std::span<const Tween> tweens = std::span(step.tweens).subspan(target.first, 3);
  size_t moving = 0;
  f64 fastest = 0;
  for (const Tween& t : tweens) {
    if (t.is_still()) continue;
    if (!t.is_linear()) return 1;
    ++moving;
    fastest = std::max(fastest, std::fabs(t.at(1) - t.at(0)));
  }
  if (target.target != Channel::Target::rotation || moving == 0) return step.duration;
  const f64 most = moving == 1 ? k_most_about_one_axis : k_most_about_several;
  return u32(std::clamp<f64>(most / fastest * (1 + 1e-9), 1, step.duration));
}

/// One mesh in one state, from its own start tick.
class MeshChannels {
 public:
  MeshChannels(const MeshTrack& track, u64 from, u64 ticks, f32 tick_rate)
      : track_(track), from_(from), ticks_(ticks), tick_rate_(tick_rate) {}

  /// Nothing if the channel keeps the value of the node.
  std::optional<Channel> make_channel(const Target& target, Index node, const scene::Vec4& at_rest) const {
    std::vector<u64> keys = {0, ticks_};  // counted from `from_`
    for_each_step([&](const MeshTrack::Step& step, u64 start) {
      const u32 apart = max_ticks_between_keys(step, target);
      for (u64 t = 0; t < step.duration; t += apart) add(keys, start + t);
      add(keys, start + step.duration);
      if (jumps_after_step(step, start, target)) add(keys, start + step.duration - 1);
    });
    sort_stably(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    Channel out{.node = node, .target = target.target, .times = {}, .values = {}};
    for (const u64 key : keys) {
      scene::Vec4 value = value_at(from_ + key, target);
      const size_t n = out.values.size();
      if (n && target.target == Channel::Target::rotation && are_quaternions_opposed(value, out.values.back()))
        for (f32& x : value)
          x = -x;  // the same rotation; avoids a detour in programs that do not choose the shorter way
      if (n > 1 && value == out.values[n - 1] && value == out.values[n - 2]) {  // still still
        out.times.back() = seconds(key);
        continue;
      }
      out.times.push_back(seconds(key));
      out.values.push_back(value);
    }
    const bool rests =
        std::all_of(out.values.begin(), out.values.end(), [&](const scene::Vec4& v) { return v == at_rest; });
    if (rests) return {};
    return out;
  }

 private:
  f32 seconds(u64 tick) const { return f32(f64(tick) / tick_rate_); }
  void add(std::vector<u64>& keys, u64 tick) const {
    if (tick >= from_ && tick < from_ + ticks_) keys.push_back(tick - from_);
  }
  /// Every run of every step, with its time.
  void for_each_step(auto f) const {
    u64 start = 0;
    for (size_t i = 0; i < track_.steps.size() && start < from_ + ticks_;) {
      const MeshTrack::Step& step = track_.steps[i];
      f(step, start);
      start += step.duration;
      if (++i < track_.steps.size() || !track_.loops) continue;
      while (i && track_.steps[i - 1].tick >= track_.loop_from) --i;
    }
  }
  /// Whether the next step starts at another value, as after sines.
  bool jumps_after_step(const MeshTrack::Step& step, u64 start, const Target& target) const {
    AxisTriple end;
    for (size_t c = 0; c < end.size(); ++c) end[c] = step.tweens[target.first + c].at(step.duration);
    return value_at(start + step.duration, target) != target.value(end);
  }
  scene::Vec4 value_at(u64 tick, const Target& target) const {
    AxisTriple v;
    track_.at(f64(tick), target.first, v);
    return target.value(v);
  }

  const MeshTrack& track_;
  u64 from_, ticks_;
  f32 tick_rate_;
};

/// The movement of the meshes in a state.
struct StateMotion {
  std::array<std::optional<MeshTrack>, k_animated_meshes> tracks;  // of those that move
  u64 from = 0;   // a tick: the still part before the loops is left out
  u64 ticks = 0;  // from then on
  u64 loop_from = 0;
  bool loops = false;
};

/// `keys_left`: the number of keys that its channels may have.
StateMotion compute_state_motion(const MeshMotion& m, size_t state, const AnimatedNodes& nodes, u64 keys_left,
                                 Diagnostics& notes) {
  StateMotion out;
  const auto add_cut_note = [&](u64 most, std::string what) {
    add_motion_note(notes, "fft.motion-cut", "mesh_animations",
                    {.message = text("the animation of state ", state, " is truncated at ", most, " ticks: ", what)});
  };
  u64 start_up = 0, period = 1, longest = 1, still = ~u64(0), cut_tracks = 0;
  bool wayless = false;
  for (size_t i = 0; i < k_animated_meshes; ++i) {
    if (nodes.places[i] == scene::k_none || !m.is_drawn(state, i)) continue;
    MeshTrack track = build_mesh_track(m, state, i, UndefinedTween::hold);
    for (const MeshTrack::Step& s : track.steps)
      for (const Tween& t : s.tweens) wayless |= m.keyframe(s.keyframe) && !(t.mode & k_tween_ways) && t.start != 0;
    if (track.is_cut) {
      add_cut_note(k_most_motion_ticks, text("mesh ", i + 1, " never repeats"));
      cut_tracks = std::max<u64>(cut_tracks, track.ticks);
    } else {
      start_up = std::max<u64>(start_up, track.loops ? track.loop_from : track.ticks);
    }
    if (track.loops) {
      const u64 own = track.ticks - track.loop_from;
      longest = std::max(longest, own);
      if (period <= k_most_ticks) period = std::lcm(period, own);
      out.loops = true;
    }
    for (const MeshTrack::Step& s : track.steps)
      if (std::any_of(s.tweens.begin(), s.tweens.end(), [](const Tween& t) { return !t.is_still(); })) {
        still = std::min<u64>(still, s.tick);
        break;
      }
    out.tracks[i] = std::move(track);
  }
  if (wayless)
    add_motion_note(
        notes, "fft.motion-wayless", "mesh_animations",
        {.message = text("keyframes of state ", state, " have modes without any of the bits 0x04, 0x08 and 0x10"),
         .hint = "the scene keeps their values constant; the game may add them at every tick"});
  if (out.loops) out.from = std::min(still, start_up);
  out.loop_from = start_up - out.from;
  if (period > std::max(longest, k_most_ticks)) {
    add_cut_note(k_most_ticks, text("its loops take at least ", period, " ticks to start together again"));
    period = std::max(longest, k_most_ticks / longest * longest);
  }
  out.ticks = out.loop_from + (out.loops ? period : 0);
  out.ticks = std::max(out.ticks, cut_tracks - std::min(cut_tracks, out.from));
  // Three channels per mesh, with one key per tick if all of them are sines.
  const auto moving = u64(std::ranges::count_if(out.tracks, [](const auto& t) { return t && t->has_motion(); }));
  const u64 most = std::min(k_most_ticks, keys_left / (3 * std::max<u64>(1, moving)));
  if (out.ticks > most) {
    add_cut_note(most, text("it lasts ", out.ticks, " ticks"));
    out.ticks = most;
  }
  return out;
}

}  // namespace

AnimatedNodes add_animated_nodes(scene::Scene& s, Index parent, const MeshMotion* motion,
                                 const std::array<bool, k_animated_meshes>& there, Diagnostics& notes) {
  AnimatedNodes out;
  out.places.fill(scene::k_none);
  out.meshes.fill(scene::k_none);
  const auto parent_of = [&](size_t i) { return motion ? motion->parent(i) : MeshMotion::Parent{}; };
  const auto add = [&](std::string name, Index on) {
    scene::Node& n = s.nodes.emplace_back();
    n.name = std::move(name);
    n.parent = on;
    return Index(s.nodes.size() - 1);
  };
  const auto place = [&](size_t i, Index on) {
    out.places[i] = add(text("animated ", i + 1), on);
    scene::Node& n = s.nodes.back();
    n.extras = Value::object();
    n.extras.add("kind", k_animated_node);
    n.extras.add("mesh", u64(i + 1));
    if (!motion) return;
    const MeshValues v = mesh_values_from(motion->initial_values(i));
    const scene::Vec4 translation = to_scene_translation(three_values_from(v, 3)),
                      scale = to_scene_scale(three_values_from(v, 6));
    n.translation = {translation[0], translation[1], translation[2]};
    n.rotation = to_scene_rotation(three_values_from(v, 0));
    n.scale = {scale[0], scale[1], scale[2]};
  };
  // Parents first, whatever their number; there are no cycles.
  const auto add_after_parent = [&](auto& self, size_t i) -> Index {
    if (out.places[i] != scene::k_none) return out.places[i];
    const MeshMotion::Parent p = parent_of(i);
    if (p.refused || p.late)
      add_motion_note(
          notes, "fft.motion-parent", "mesh_animations",
          {.message = text("mesh ", i + 1,
                           p.late ? " has a parent with a higher number"
                                  : " is its own parent, is part of a cycle, or has a parent number above 8"),
           .hint = p.late ? "the game moves the mesh one tick late" : "the scene shows the mesh without a parent"});
    place(i, p.mesh == MeshMotion::Parent::k_none ? parent : self(self, p.mesh));
    return out.places[i];
  };
  for (size_t i = 0; i < k_animated_meshes; ++i) {
    if (!there[i]) continue;
    add_after_parent(add_after_parent, i);
    out.meshes[i] = add(text("animated ", i + 1, " mesh"), out.places[i]);
    s.nodes.back().visible = !motion || motion->is_drawn(0, i);
  }
  if (!motion && std::any_of(there.begin(), there.end(), [](bool b) { return b; }))
    add_motion_note(notes, "fft.motion-unplaced", "mesh_animations",
                    {.message = "the map has animated meshes but no mesh animations",
                     .hint = "the scene shows the meshes at the positions of their polygons"});
  return out;
}

scene::Mat3d light_rotation(const MeshMotion* motion, size_t mesh) {
  return motion ? mesh_rotation_matrix(mesh_values_from(motion->initial_values(mesh))) : scene::Mat3d{};
}

void add_mesh_animations(scene::Scene& s, const MeshMotion& m, const AnimatedNodes& nodes, f32 tick_rate,
                         Diagnostics& notes, std::string_view suffix) {
  u64 keys_left = k_most_keys;
  for (size_t state = 0; state < MeshMotion::k_states; ++state) {
    if (!m.is_used(state)) continue;
    const StateMotion motion = compute_state_motion(m, state, nodes, keys_left, notes);
    scene::Animation a{.name = text("state ", state) + std::string(suffix)};
    for (size_t i = 0; i < k_animated_meshes; ++i) {
      const Index place = nodes.places[i], mesh = nodes.meshes[i];
      if (motion.tracks[i]) {
        const MeshChannels channels(*motion.tracks[i], motion.from, motion.ticks, tick_rate);
        const MeshValues rest = mesh_values_from(m.initial_values(i));
        for (const Target& t : k_targets)
          if (auto c = channels.make_channel(t, place, t.value(three_values_from(rest, t.first))))
            a.channels.push_back(std::move(*c));
      }
      const bool is_drawn = m.is_drawn(state, i);
      if (mesh == scene::k_none || is_drawn == s.nodes[mesh].visible) continue;
      a.visibility_channels.push_back({mesh, {0}, {u8(is_drawn)}});
    }
    if (a.channels.empty() && a.visibility_channels.empty()) continue;
    for (const Channel& c : a.channels) keys_left -= std::min<u64>(keys_left, c.times.size());
    a.extras = Value::object();
    a.extras.add("kind", "fft.mesh_state");
    a.extras.add("state", u64(state));
    a.extras.add("ticks", motion.ticks);
    a.extras.add("loops", motion.loops);
    if (motion.loops && motion.loop_from) a.extras.add("loop_from_tick", motion.loop_from);
    a.extras.add("tick_rate", tick_rate);
    s.animations.push_back(std::move(a));
  }
}

}  // namespace dio::fft
