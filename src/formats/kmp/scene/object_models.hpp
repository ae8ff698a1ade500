// object_models.hpp: adds the models of a course's objects, from companion files.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

inline constexpr const char* k_object_model_node = "object model";

/// Adds each object's model below the object's node, if a companion file has it; `nodes`: the nodes of `objects`, in
/// the same order. Objects with the same model share its meshes, but each has its own nodes. Returns the nodes of the
/// objects that have models.
std::vector<scene::Index> add_object_models(scene::Scene&, std::span<const Object> objects,
                                            std::span<const scene::Index> nodes, const SceneOptions&);

}  // namespace dio::kmp
