// sbc_run.hpp: runs the SBC like the game, but with symbolic matrices. The result lists the draws, their materials and
// the nodes that each matrix follows. A pose (pose.hpp) then supplies the values. Specification: README.md, "SBC".
#pragma once
#include <span>

#include "formats/nitro/layout/model.hpp"

namespace dio::nitro {

inline constexpr u32 k_identity = 0;  // the matrix that the SBC starts with
inline constexpr u32 k_unset = ~u32(0);
inline constexpr size_t k_slots = 32;  // slots of the matrix stack; the hardware cannot store to the last one
using Slots = std::array<u32, k_slots>;

/// How a matrix is computed. It refers to others by their index in Program::matrices.
struct MatrixStep {
  enum class Kind : u8 {
    identity,
    node,         // base, then the node's own
    billboard,    // base turned to the camera, keeping position and size
    billboard_y,  // like billboard, but only about its own Y axis
    mix           // the weighted sum of others, each after its envelope
  } kind = Kind::identity;
  u32 base = k_identity;
  u8 node = 0, parent = 0;
  bool undo_parent_scale = false;
  f64 scale = 1;              // factor of the pos scale commands since
  u32 scaled_from = ~u32(0);  // the matrix before that; k_unset: none
  struct Part {
    u32 matrix;
    u8 node;     // whose envelope
    f64 weight;  // 0..1
  };
  std::vector<Part> mix;
};

/// One display list that is sent.
struct Draw {
  enum class Texgen : u8 { material, sphere, projection };
  u16 shape = 0;  // shape of the model; k_called if `list` belongs to a command
  const Bytes* list = nullptr;
  u32 material = k_unset;
  u32 matrix = k_identity;
  u8 node = 0;          // node whose visibility applies
  bool visible = true;  // at rest
  Texgen texgen = Texgen::material;
  u32 slots = 0;  // into Program::stacks
};
inline constexpr u16 k_called = 0xFFFF;

struct Program {
  std::vector<MatrixStep> matrices;  // each after those it is computed from
  std::vector<Slots> stacks;         // the matrix stack at the time of each draw
  std::vector<Draw> draws;
  std::vector<std::pair<u32, std::string>> faults;  // by command: errors in the SBC
};

/// Never fails: wrong commands (indices out of range, slots that were not stored) are skipped, with a fault.
Program run_sbc(const Model&);

/// A shape drawn with a material.
struct MaterialShape {
  u16 material, shape;
};
/// The program of a game that sends shapes directly, in this order and without nodes, instead of running the SBC.
/// Missing shapes and materials are skipped, with a fault; faults are numbered by position in the list.
Program build_program(const Model&, std::span<const MaterialShape>);

}  // namespace dio::nitro
