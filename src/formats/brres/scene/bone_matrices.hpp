// bone_matrices.hpp: the matrices that files store for the bones of a model, bit for bit as the games' own tools
// compute them (README.md, Models).
#pragma once
#include <array>
#include <span>
#include <vector>

#include "formats/brres/layout/model.hpp"

namespace dio::brres {

struct BoneMatrices {
  std::array<f32, 12> to_model{}, from_model{};  // 3 rows of 4; from_model is 0 if there is no inverse
};
/// `parents`: the parent of each bone, which comes before it; -1: none.
std::vector<BoneMatrices> compute_bone_matrices(std::span<const Bone>, std::span<const i32> parents, u32 scaling_rule);

}  // namespace dio::brres
