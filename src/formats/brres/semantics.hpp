// semantics.hpp: facts about a BRRES file, for checks and other formats.
#pragma once
#include "formats/brres/layout/file.hpp"

namespace dio::brres {

/// Whether a model has a bone with this name: the game places the minimap by the bones posLD and posRU in
/// map_model.brres.
bool has_bone(const Brres&, std::string_view name);

/// Whether a model with this name has a material with this name, ignoring case.
bool has_material(const Brres&, std::string_view model, std::string_view name);

/// The names by which the game finds the models: those of the dictionary.
std::vector<std::string_view> model_names(const Brres&);

/// The most animations of one kind that Mario Kart Wii plays on the model of a course.
inline constexpr size_t k_most_animations = 8;
/// The number of animations of one kind, such as SRT0.
size_t count_animations(const Brres&, std::string_view magic);

/// The number of positions in all models together.
u64 count_vertices(const Brres&);

/// The index of a bone's parent; -1 if there is none, or if it comes later.
i32 find_parent_bone(const Model&, size_t bone);

/// The shader of a material, found by its offset; null if there is none.
const Shader* find_shader(const Model&, size_t material);

/// The offset of the part that a dictionary entry leads to, from the start of the model.
constexpr i64 offset_in_model(i32 dictionary_offset, const Dictionary& d, size_t i) {
  return i < d.entries.size() ? i64(dictionary_offset) + d.entries[i].data_offset : -1;
}

}  // namespace dio::brres
