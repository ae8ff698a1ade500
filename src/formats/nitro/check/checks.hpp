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

/// `models[3]`, `models[3].nodes[1]`: paths are built only for findings.
inline std::string element_path(std::string_view list, u64 index) { return text(list, "[", index, "]"); }
inline std::string field_path(const std::string& outer, std::string_view field) {
  return outer + "." + std::string(field);
}
inline std::string field_path(const std::string& outer, std::string_view list, u64 index) {
  return outer + "." + element_path(list, index);
}

void check_header(Reporter&, const FileHeader&, u16 version);
void check_names(Reporter&, const std::string& own, const Dictionary&, const std::string& list,
                 const std::vector<std::string_view>& names, bool sorted);
/// Checks the names and tree of a dictionary whose entries are the list at `list`; `sorted`: the games' own tools sort
/// them.
template <class Entries>
void check_dictionary(Reporter& r, const std::string& own, const Dictionary& d, const std::string& list,
                      const Entries& entries, bool sorted = false) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const auto& e : entries) names.push_back(e.name);
  check_names(r, own, d, list, names, sorted);
}

/// Commands and nodes of a model, and its header.
void check_model(Reporter&, const Model&, const std::string& path);
/// The bounding box.
void check_box(Reporter&, const Model&, const std::string& path);
/// Display lists.
void check_shapes(Reporter&, const Model&, const std::string& path);
/// One display list; the slots of the matrix stack that it restores are added to `restored`.
void check_display_list(Reporter&, ByteView list, const std::string& path, std::vector<u32>& restored);
/// Materials, and the names of their textures; `textures` are those in the file, or null.
void check_materials(Reporter&, const Model&, const std::string& path, const Textures* textures);
void check_textures(Reporter&, const Textures&);

/// Whether this is a rotation: axes of length 1 at right angles, not mirrored, within the precision of 1/4096.
bool is_rotation(const scene::Mat3d&);
/// Whether `inverse` is 1 / `scale`, both in 1/4096 and rounded in any way; the inverse of 0 is 0.
bool are_inverse(i32 scale, i32 inverse);
/// Whether the two numbers of a pivot matrix are the sine and cosine of an angle.
bool is_sine_cosine_pair(fx16 a, fx16 b);

extern const std::span<const Rule> k_container_rules, k_model_rules, k_box_rules, k_shape_rules, k_material_rules,
    k_texture_rules, k_animation_rules;

}  // namespace dio::nitro
