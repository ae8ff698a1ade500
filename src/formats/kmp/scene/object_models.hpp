// object_models.hpp: the models of the objects of a course, from the files beside it.
#pragma once
#include "formats/contract/scenes.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

inline constexpr const char* k_object_model_node = "object model";

/// Puts the model of each object below its node, where the companions have it; `nodes`: those of the objects, in their
/// order. A model that several objects have is in the scene once; each has nodes of its own. Returns the nodes of the
/// objects that have models.
std::vector<scene::Index> add_object_models(scene::Scene&, std::span<const Object> objects,
                                            std::span<const scene::Index> nodes, const SceneOptions&);

}  // namespace dio::kmp
