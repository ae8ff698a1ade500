// semantics.hpp: what follows from a BRRES file, for checks and for other families.
#pragma once
#include "formats/brres/layout/file.hpp"

namespace dio::brres {

/// Whether a model has a bone of that name: the game places the small map of a course by the bones posLD and posRU of
/// map_model.brres.
bool has_bone(const Brres&, std::string_view name);

/// Whether one of the models of that name has a material of that name, in capitals or not.
bool has_material(const Brres&, std::string_view model, std::string_view name);

/// The positions of all models together.
u64 count_vertices(const Brres&);

/// A bone's parent, by where it is; -1: none, or it comes later, or there is no bone.
i32 find_parent_bone(const Model&, size_t bone);

/// The shader of a material, by where it is; null if there is none.
const Shader* find_shader(const Model&, size_t material);

/// Where what an entry of a dictionary leads to is, from the start of the model.
constexpr i64 offset_in_model(i32 dictionary_offset, const Dictionary& d, size_t i) {
  return i < d.entries.size() ? i64(dictionary_offset) + d.entries[i].data_offset : -1;
}

}  // namespace dio::brres
