#include "formats/fft/scene/mesh_animation_player.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

#include "core/elementary.hpp"

namespace dio::fft {

using scene::Affine;
using scene::Mat3d;

MeshValues mesh_values_from(const StoredMeshValues& v) {
  MeshValues out;
  std::copy(v.begin(), v.end(), out.begin());
  return out;
}
StoredMeshValues mesh_values_from(const Keyframe& k) {
  return {k.rotation.x, k.rotation.y, k.rotation.z, k.position.x, k.position.y,
          k.position.z, k.scale.x,    k.scale.y,    k.scale.z};
}

// ---- one channel ----

i32 sine(i32 angle) {
  // One quadrant is enough, and makes all four equal to the last digit on every machine.
  constexpr i32 k_quarter = k_turn / 4;
  static const std::array<i32, k_quarter + 1> k_table = [] {
    std::array<i32, k_quarter + 1> out{};
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = i32(std::lround(k_one * elementary::sin(f64(i) * (2 * std::numbers::pi / k_turn))));
    return out;
  }();
  const i32 a = angle & (k_turn - 1), quarter = a / k_quarter, in = a % k_quarter;
  const i32 s = k_table[size_t(quarter % 2 ? k_quarter - in : in)];
  return quarter < 2 ? s : -s;
}

bool Tween::is_linear() const {
  if (is_still()) return true;
  return (mode & k_tween_ways) == k_tween_linear;
}

bool Tween::is_still() const {
  if (!(mode & k_tween_ways)) return wayless == UndefinedTween::hold || start == 0;
  if (mode & k_tween_by) return target == 0;
  if (mode & k_tween_to) return target == start;
  return true;
}

f64 Tween::at(f64 ticks) const {
  if (is_still()) return start;
  const i64 tick = i64(std::floor(ticks));
  if (!(mode & k_tween_ways)) return i16(u16(start * (tick + 1)));
  const i32 delta = mode & k_tween_by ? target : target - start;
  if (!(mode & (k_tween_sine | k_tween_sine_plus_1))) return start + delta * (ticks / duration);
  const i64 angle = start_angle + (i64(end_angle) - start_angle) * tick / duration;
  const i32 s = sine(i32(angle)) + (mode & k_tween_sine_plus_1 ? k_one : 0);
  return start + f64(i64(delta) * s) / k_one;
}

i16 Tween::end() const { return i16(u16(i64(std::floor(at(duration))))); }

// ---- the tables ----

MeshMotion::MeshMotion() : keyframes_(k_keyframes), states_(k_states) {}

MeshMotion::MeshMotion(const MeshAnimations& m) : MeshMotion() {
  const auto load = [](const auto& from, auto& into) {
    std::copy_n(from.begin(), std::min(from.size(), into.size()), into.begin());
  };
  for (const MeshAnimationRecord& r : m.records) {
    load(r.keyframes, keyframes_);
    load(r.states, states_);
    for (size_t i = 0; i < std::min(r.links.size(), links_.size()); ++i) links_[i] = r.links[i].parent;
  }
  resolve_parents();
}

const Keyframe* MeshMotion::keyframe(u8 id) const {
  return id == 0 || id > keyframes_.size() ? nullptr : &keyframes_[id - 1];
}

bool MeshMotion::is_used(size_t state) const {
  const auto& meshes = states_[state].meshes;
  return std::any_of(meshes.begin(), meshes.end(), [](const auto& instructions) {
    return std::any_of(instructions.begin(), instructions.end(),
                       [](const MeshInstruction& i) { return i != MeshInstruction{}; });
  });
}

StoredMeshValues MeshMotion::initial_values(size_t mesh) const {
  const Keyframe* k = keyframe(instruction(0, mesh, 0).keyframe);
  return k ? mesh_values_from(*k) : k_rest_values;
}

void MeshMotion::resolve_parents() {
  for (size_t mesh = 0; mesh < links_.size(); ++mesh) {
    Parent& p = parents_[mesh] = {};
    if (links_[mesh] == 0) continue;
    size_t above = mesh;  // a cycle if the parents lead back to it
    for (size_t i = 0; i < links_.size(); ++i) {
      const u8 link = links_[above];
      if (link == 0) break;
      p.refused = link > links_.size() ? above == mesh : link - 1u == mesh;
      if (p.refused || link > links_.size()) break;
      above = link - 1u;
    }
    if (p.refused) continue;
    p.mesh = u8(links_[mesh] - 1);
    p.late = p.mesh > mesh;
  }
}

// ---- tracks ----

MeshValues MeshTrack::at(f64 tick) const {
  MeshValues out;
  at(tick, 0, out);
  return out;
}

void MeshTrack::at(f64 tick, size_t channel, std::span<f64> out) const {
  const StoredMeshValues* still = steps.empty() ? &first : nullptr;
  if (!still && tick >= ticks) {
    if (loops)
      tick = loop_from + std::fmod(tick - loop_from, f64(ticks - loop_from));
    else
      still = &last;
  }
  if (still) {
    std::copy_n(still->begin() + i64(channel), out.size(), out.begin());
    return;
  }
  const auto behind = std::ranges::upper_bound(steps, tick, {}, [](const Step& s) { return f64(s.tick); });
  const Step& s = *std::prev(behind);
  for (size_t c = 0; c < out.size(); ++c) out[c] = s.tweens[channel + c].at(tick - s.tick);
}

bool MeshTrack::has_motion() const {
  return std::any_of(steps.begin(), steps.end(), [](const Step& s) {
    return std::any_of(s.tweens.begin(), s.tweens.end(), [](const Tween& t) { return !t.is_still(); });
  });
}

namespace {

MeshTrack::Step make_track_step(const MeshMotion& m, const MeshInstruction& instruction, const StoredMeshValues& start,
                                UndefinedTween wayless) {
  MeshTrack::Step out{};
  out.duration = instruction.duration;
  out.keyframe = instruction.keyframe;
  out.start = start;
  const Keyframe* k = m.keyframe(instruction.keyframe);
  const StoredMeshValues targets = k ? mesh_values_from(*k) : start;
  for (size_t c = 0; c < start.size(); ++c) {
    Tween& t = out.tweens[c] = {0, start[c], targets[c], 0, 0, instruction.duration, wayless};
    if (k)
      t.mode = k->modes[c], t.start_angle = k->start_angles[c], t.end_angle = k->end_angles[c];
    else
      t.wayless = UndefinedTween::hold;
  }
  return out;
}

/// Rotations without whole turns.
StoredMeshValues wrap_full_turns(StoredMeshValues v) {
  for (size_t c = 0; c < 3; ++c) v[c] = i16(v[c] & (k_turn - 1));
  return v;
}

/// Whether the rest of the walk would repeat with values that are whole turns further.
bool repeats_with_full_turns(const MeshTrack& t, size_t from, const StoredMeshValues& now) {
  for (size_t c = 0; c < 3; ++c) {
    if (t.steps[from].start[c] == now[c]) continue;
    for (size_t i = from; i < t.steps.size(); ++i) {
      const Tween& tween = t.steps[i].tweens[c];
      const bool way = tween.mode & k_tween_ways;
      if (way ? (tween.mode & k_tween_to) && !(tween.mode & k_tween_by) : tween.wayless == UndefinedTween::run_away)
        return false;
    }
  }
  return true;
}

}  // namespace

MeshTrack build_mesh_track(const MeshMotion& m, size_t state, size_t mesh, UndefinedTween wayless, u32 most_ticks) {
  using InstructionState = std::pair<u8, StoredMeshValues>;  // an instruction and its initial values
  std::map<InstructionState, size_t> known, known_turned;
  MeshTrack out;
  out.first = m.initial_values(mesh);
  if (!m.keyframe(m.instruction(0, mesh, 0).keyframe))
    if (const Keyframe* k = m.keyframe(m.instruction(state, mesh, 0).keyframe)) out.first = mesh_values_from(*k);
  out.last = out.first;
  for (u8 next = 1; next != 0 && next <= MeshState::k_instructions;) {
    const u8 i = u8(next - 1);
    const MeshInstruction& instruction = m.instruction(state, mesh, i);
    if (instruction.duration == 0) break;
    const auto find_loop = [&](const auto& found, bool is_new) {
      if (is_new || !repeats_with_full_turns(out, found->second, out.last)) return false;
      out.loops = true;
      out.loop_from = out.steps[found->second].tick;
      return true;
    };
    const auto [same, is_new] = known.try_emplace({i, out.last}, out.steps.size());
    if (find_loop(same, is_new)) break;
    const auto [alike, is_new_turn] = known_turned.try_emplace({i, wrap_full_turns(out.last)}, out.steps.size());
    if (find_loop(alike, is_new_turn)) break;
    if (out.ticks >= most_ticks) {
      out.is_cut = true;
      break;
    }
    MeshTrack::Step step = make_track_step(m, instruction, out.last, wayless);
    step.tick = out.ticks;
    step.instruction = i;
    for (size_t c = 0; c < out.last.size(); ++c) out.last[c] = step.tweens[c].end();
    out.ticks += step.duration;
    out.steps.push_back(step);
    next = instruction.next;
  }
  return out;
}

// ---- places ----

Mat3d mesh_rotation_matrix(const MeshValues& v) {
  const auto rotation_about_axis = [](f64 angle, size_t axis) {
    const f64 a = std::fmod(angle, f64(k_turn)) * (2 * std::numbers::pi / k_turn), s = elementary::sin(a),
              c = elementary::cos(a);
    const size_t j = (axis + 1) % 3, k = (axis + 2) % 3;  // the axis rotates j towards k
    Mat3d m;
    m.columns[j][j] = c, m.columns[j][k] = s;
    m.columns[k][k] = c, m.columns[k][j] = -s;
    return m;
  };
  return rotation_about_axis(v[0], 0) * rotation_about_axis(v[1], 1) * rotation_about_axis(v[2], 2);
}

Affine mesh_transform_matrix(const MeshValues& v) {
  return {mesh_rotation_matrix(v) * scene::scaling({v[6] / k_one, v[7] / k_one, v[8] / k_one}), {v[3], v[4], v[5]}};
}

}  // namespace dio::fft
