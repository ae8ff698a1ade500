// mesh_motion_played.hpp: where the animated meshes are when: keyframes, instructions, states and links as the game
// runs them. Axes and units are those of the file. Sources: README.md, "Mesh animation".
#pragma once
#include <span>
#include <vector>

#include "formats/fft/layout/mesh.hpp"
#include "scene/affine.hpp"

namespace dio::fft {

inline constexpr i32 k_turn = 4096;      // a full turn of an angle
inline constexpr i32 k_one = 4096;       // a scale of 1, a sine of 1
inline constexpr u32 k_keyframes = 128;  // that the game has room for
/// Longest run that is followed, in ticks; loops that never come back to where they were are cut there.
inline constexpr u32 k_most_motion_ticks = 7200;

/// Nine numbers in the order of Keyframe's nines: rotation x, y, z (4096 a turn), position x, y, z (units), scale x, y,
/// z (4096 is 1).
using MeshValues = std::array<f64, Keyframe::k_channels>;
/// The same where the game has stored them.
using StoredMeshValues = std::array<i16, Keyframe::k_channels>;
inline constexpr StoredMeshValues k_rest_values = {0, 0, 0, 0, 0, 0, k_one, k_one, k_one};
MeshValues values_of(const StoredMeshValues&);
StoredMeshValues values_of(const Keyframe&);

/// Bits of a mode. Where several of a kind are set, the later line wins.
enum TweenBit : u16 { k_tween_to = 1, k_tween_by = 2, k_tween_linear = 4, k_tween_sine = 8, k_tween_sine_plus_1 = 16 };
inline constexpr u16 k_tween_ways = k_tween_linear | k_tween_sine | k_tween_sine_plus_1;

/// What becomes of channels that a keyframe gives no way to move (no bit of `k_tween_ways`). By the decompilation of
/// the game, `start` is added to the value at every tick, which only a start of 0 survives; nobody has seen it happen,
/// and the files of the game never do it.
enum class Wayless : u8 {
  run_away,  // so it does, in 16 bits
  hold       // it keeps its value: for pictures
};

/// How one channel goes through an instruction.
struct Tween {
  u16 mode;
  i16 start, target;  // the value when the instruction begins, the number of the keyframe
  i16 start_angle, end_angle;
  u32 duration;  // ticks, above 0
  Wayless wayless = Wayless::run_away;

  /// The value after so many ticks, at most `duration`: linear ones at any moment, sines and those that run away at
  /// whole ticks, which others are rounded down to. The angle of a sine is a whole number of 4096 steps, and so is the
  /// sine.
  f64 at(f64 ticks) const;
  /// What the next instruction starts with: 16 bits, fractions rounded down.
  i16 end() const;
  /// Between two ticks it is on the line between their values.
  bool is_linear() const;
  bool is_still() const;  // never leaves `start`
};

/// The sine of an angle of 4096 steps a turn, as the game's table has it: 4096 is 1.
i32 sine(i32 angle);

/// The tables of the game after it has loaded the records: a later record of a type goes over an earlier one. Keyframes
/// and links that no record has are 0.
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
  /// Whether any instruction of the state says anything.
  bool is_used(size_t state) const;
  /// What a mesh takes on when the map is loaded: the first keyframe of state 0; at rest where there is none.
  StoredMeshValues first_values(size_t mesh) const;

  /// What a mesh hangs on.
  struct Parent {
    static constexpr u8 k_none = 255;
    u8 mesh = k_none;      // from 0
    bool refused = false;  // the file names one above 8, or one that hangs on this mesh itself: it gets none
    bool late = false;     // its number is higher: the game takes its place of the tick before
    bool operator==(const Parent&) const = default;
  };
  const Parent& parent(size_t mesh) const { return parents_[mesh]; }

 private:
  void find_parents();
  std::vector<Keyframe> keyframes_;  // k_keyframes
  std::vector<MeshState> states_;    // k_states
  std::array<u8, k_animated_meshes> links_{};
  std::array<Parent, k_animated_meshes> parents_{};
};

/// What a mesh does in a state from the moment on when the state becomes its own.
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
  StoredMeshValues first{}, last{};  // before the first step, behind the last one
  u32 ticks = 0;                     // until the last step ends
  bool loops = false;                // from the end it goes on at `loop_from`, turned by whole turns at most
  u32 loop_from = 0;
  bool is_cut = false;  // it would go on differently, but nobody knows for how long

  /// The values at a moment.
  MeshValues at(f64 tick) const;
  /// Only some of them, from `channel` on, as many as there is room for.
  void at(f64 tick, size_t channel, std::span<f64>) const;
  bool moves() const;
};
/// In state 0, a mesh starts with the first values; in others too, for it has been in state 0 before (where state 0
/// has no keyframe for it: with the first keyframe of the state). Then it does instruction after instruction, the first
/// included; one with a duration of 0 is not begun, and ends it, as do `next` 0 and above 16. During one without
/// keyframe nothing moves.
MeshTrack track_of(const MeshMotion&, size_t state, size_t mesh, Wayless = Wayless::run_away,
                   u32 most_ticks = k_most_motion_ticks);

/// The game's matrix of three angles, Rx * Ry * Rz: a vertex is turned about z first. With sx the sine of x and so on:
///
///     cy*cz               -cy*sz               sy
///     cx*sz + sx*sy*cz     cx*cz - sx*sy*sz   -sx*cy
///     sx*sz - cx*sy*cz     sx*cz + cx*sy*sz    cx*cy
scene::Linear rotation_of(const MeshValues&);
/// From a mesh to what it hangs on: scaled first, then turned, then moved. The place of a mesh in the map is that of
/// its parent times this.
scene::Affine transform_of(const MeshValues&);

}  // namespace dio::fft
