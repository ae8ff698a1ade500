// checks.hpp: what the files of checks share: where findings go, rules of one topic, words for places.
#pragma once
#include <algorithm>
#include <cmath>

#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "scene/affine.hpp"

namespace dio::nitro {

/// How many slots the matrix stack of the DS has that can be stored to and restored.
inline constexpr u32 k_usable_slots = 31;

/// `models[3]`, `models[3].nodes[1]`: paths are made only for what is found.
inline std::string at(std::string_view list, u64 index) { return text(list, "[", index, "]"); }
inline std::string in(const std::string& outer, std::string_view field) { return outer + "." + std::string(field); }
inline std::string in(const std::string& outer, std::string_view list, u64 index) {
  return outer + "." + at(list, index);
}

void check_header(Reporter&, const FileHeader&, u16 version);
void check_names(Reporter&, const std::string& own, const Dictionary&, const std::string& list,
                 const std::vector<std::string_view>& names, bool sorted);
/// Names and tree of a dictionary whose entries are the list at `list`; `sorted`: the games' own tools sort these.
template <class Entries>
void check_dictionary(Reporter& r, const std::string& own, const Dictionary& d, const std::string& list,
                      const Entries& entries, bool sorted = false) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const auto& e : entries) names.push_back(e.name);
  check_names(r, own, d, list, names, sorted);
}

/// Commands, nodes and what a model's header says of them.
void check_model(Reporter&, const Model&, const std::string& path);
/// The box around it.
void check_box(Reporter&, const Model&, const std::string& path);
/// Display lists.
void check_shapes(Reporter&, const Model&, const std::string& path);
/// One display list; the slots of the matrix stack that it takes from go into `restored`.
void check_display_list(Reporter&, ByteView list, const std::string& path, std::vector<u32>& restored);
/// Materials, and the names of their textures: `textures` are those of the file, or null.
void check_materials(Reporter&, const Model&, const std::string& path, const Textures* textures);
void check_textures(Reporter&, const Textures&);

/// Whether it is a rotation: axes of length 1 at right angles, not mirrored; as nearly as 1/4096 allows.
bool is_rotation(const scene::Linear&);
/// Whether these are a number and 1 / that number, both in 1/4096 and rounded in any way; 0 goes with 0.
bool are_inverse(i32 scale, i32 inverse);
/// Whether the two numbers of a pivot matrix are sine and cosine of something.
bool is_pivot(fx16 a, fx16 b);

extern const std::span<const Rule> k_container_rules, k_model_rules, k_box_rules, k_shape_rules, k_material_rules,
    k_texture_rules, k_animation_rules;

}  // namespace dio::nitro
