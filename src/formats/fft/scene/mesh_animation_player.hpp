// mesh_animation_player.hpp: the positions of the animated meshes at a time: keyframes, instructions, states and links
// as the game runs them. Axes and units are those of the file. Sources: README.md, "Mesh animation".
#pragma once
#include <span>
#include <vector>

#include "formats/fft/layout/mesh.hpp"
#include "scene/affine.hpp"

namespace dio::fft {

inline constexpr i32 k_turn = 4096;      // a full turn of an angle
inline constexpr i32 k_one = 4096;       // a scale of 1, a sine of 1
inline constexpr u32 k_keyframes = 128;  // the room for keyframes in the game
/// The longest run in ticks; loops that never return to an earlier pose are cut there.
inline constexpr u32 k_most_motion_ticks = 7200;

/// Nine numbers in the order of the Keyframe arrays: rotation x, y, z (4096 per turn), position x, y, z (units), scale
/// x, y, z (4096 is 1).
using MeshValues = std::array<f64, Keyframe::k_channels>;
/// Same, as 16-bit numbers as stored in the game.
using StoredMeshValues = std::array<i16, Keyframe::k_channels>;
inline constexpr StoredMeshValues k_rest_values = {0, 0, 0, 0, 0, 0, k_one, k_one, k_one};
MeshValues mesh_values_from(const StoredMeshValues&);
StoredMeshValues mesh_values_from(const Keyframe&);

/// Bits of a mode. If several of a kind are set, the highest wins.
enum TweenBit : u16 { k_tween_to = 1, k_tween_by = 2, k_tween_linear = 4, k_tween_sine = 8, k_tween_sine_plus_1 = 16 };
inline constexpr u16 k_tween_ways = k_tween_linear | k_tween_sine | k_tween_sine_plus_1;

/// The behaviour of channels whose mode has no bit of `k_tween_ways`. According to the decompilation of the game,
/// `start` is added to the value at every tick, which has no effect only for 0; this was never observed, and the files
/// of the game never do it.
enum class UndefinedTween : u8 {
  run_away,  // as in the game, in 16 bits
  hold       // the value stays constant: for scenes
};

/// How one channel changes during an instruction.
struct Tween {
  u16 mode;
  i16 start, target;  // the value at the start of the instruction; the number in the keyframe
  i16 start_angle, end_angle;
  u32 duration;  // ticks, above 0
  UndefinedTween wayless = UndefinedTween::run_away;

  /// The value after `ticks`, at most `duration`. Sines and values that run away change only at whole ticks: `ticks` is
  /// rounded down for them. Angles are whole numbers, 4096 per turn, and sines are whole numbers, 4096 for 1.
  f64 at(f64 ticks) const;
  /// The initial value for the next instruction: 16 bits, fractions rounded down.
  i16 end() const;
  /// Whether values between two ticks are on a straight line.
  bool is_linear() const;
  bool is_still() const;  // never leaves `start`
};

/// The sine of an angle of 4096 steps per turn, as in the game's table: 4096 is 1.
i32 sine(i32 angle);

/// The tables of the game after loading the records: a later record of a type overwrites an earlier one. Keyframes and
/// links without a record are 0.
class MeshMotion {
 public:
  static constexpr size_t k_states = MeshAnimationRecord::k_states;
  MeshMotion();  // of a map without mesh animation: nothing moves, nothing is drawn
  explicit MeshMotion(const MeshAnimations&);

  const MeshInstruction& instruction(size_t state, size_t mesh, size_t i) const {
    return states_[state].meshes[mesh][i];
  }
  /// Null for 0 and for numbers above 128.
  const Keyframe* keyframe(u8 id) const;
  /// Whether the game would move and draw the mesh if this state was its state 0.
  bool is_drawn(size_t state, size_t mesh) const { return instruction(state, mesh, 0).next != 0; }
  /// Whether the state has any instruction.
  bool is_used(size_t state) const;
  /// The pose of a mesh when the map is loaded: the first keyframe of state 0, or at rest if it has none.
  StoredMeshValues initial_values(size_t mesh) const;

  /// The parent of a mesh.
  struct Parent {
    static constexpr u8 k_none = 255;
    u8 mesh = k_none;      // from 0
    bool refused = false;  // the file names a parent above 8, or a cycle: the mesh has no parent
    bool late = false;     // its number is higher: the game uses its position of the previous tick
    bool operator==(const Parent&) const = default;
  };
  const Parent& parent(size_t mesh) const { return parents_[mesh]; }

 private:
  void resolve_parents();
  std::vector<Keyframe> keyframes_;  // k_keyframes
  std::vector<MeshState> states_;    // k_states
  std::array<u8, k_animated_meshes> links_{};
  std::array<Parent, k_animated_meshes> parents_{};
};

/// The movement of a mesh in a state, from the moment it enters the state.
struct MeshTrack {
  /// An instruction as it runs.
  struct Step {
    u32 tick;  // when it begins
    u32 duration;
    u8 instruction, keyframe;  // instruction counted from 0
    StoredMeshValues start;
    std::array<Tween, Keyframe::k_channels> tweens;
  };
  std::vector<Step> steps;
  StoredMeshValues first{}, last{};  // before the first step, after the last one
  u32 ticks = 0;                     // until the last step ends
  bool loops = false;                // at the end it continues at `loop_from`, up to whole turns
  u32 loop_from = 0;
  bool is_cut = false;  // it would continue without repeating, beyond the limit

  /// The values at a moment.
  MeshValues at(f64 tick) const;
  /// The values of the channels from `channel` on, as many as fit in the span.
  void at(f64 tick, size_t channel, std::span<f64>) const;
  bool has_motion() const;
};
/// In every state, a mesh starts with the first values of state 0 or, if state 0 has no keyframe for it, with the first
/// keyframe of the state. Then it runs the instructions, including the first. A duration of 0 ends the run before the
/// instruction, a `next` of 0 or above 16 after it. Nothing moves during an instruction without a keyframe.
MeshTrack build_mesh_track(const MeshMotion&, size_t state, size_t mesh, UndefinedTween = UndefinedTween::run_away,
                           u32 most_ticks = k_most_motion_ticks);

/// The game's rotation matrix, Rx * Ry * Rz: a vertex is rotated about z first. With sx the sine of x and so on:
///
///     cy*cz               -cy*sz               sy
///     cx*sz + sx*sy*cz     cx*cz - sx*sy*sz   -sx*cy
///     sx*sz - cx*sy*cz     sx*cz + cx*sy*sz    cx*cy
scene::Mat3d mesh_rotation_matrix(const MeshValues&);
/// From a mesh to its parent: scaled first, then rotated, then moved. The transform of a mesh in the map is that of its
/// parent times this one.
scene::Affine mesh_transform_matrix(const MeshValues&);

}  // namespace dio::fft
