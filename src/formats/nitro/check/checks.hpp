// checks.hpp: declarations shared by the checks: rules by topic, and helpers for paths.
#pragma once
#include <algorithm>
#include <cmath>

#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "scene/affine.hpp"

namespace dio::nitro {

/// The number of usable slots of the DS matrix stack.
inline constexpr u32 k_usable_slots = 31;

/// Builds paths such as `models[3]` and `models[3].nodes[1]`; only for findings.
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
/// Checks the names and tree of a dictionary whose entries are at `list`; `sorted`: the game developers' tools sort
/// them.
template <class Entries>
void check_dictionary(Reporter& r, const std::string& own, const Dictionary& d, const std::string& list,
                      const Entries& entries, bool sorted = false) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const auto& e : entries) names.push_back(e.name);
  check_names(r, own, d, list, names, sorted);
}

/// Checks the commands, nodes and header of a model.
void check_model(Reporter&, const Model&, const std::string& path);
/// Checks the bounding box.
void check_box(Reporter&, const Model&, const std::string& path);
/// Checks the display lists.
void check_shapes(Reporter&, const Model&, const std::string& path);
/// Checks one display list; adds the matrix stack slots that it restores to `restored`.
void check_display_list(Reporter&, ByteView list, const std::string& path, std::vector<u32>& restored);
/// Checks materials and the names of their textures; `textures`: the textures in the file, or null.
void check_materials(Reporter&, const Model&, const std::string& path, const Textures* textures);
void check_textures(Reporter&, const Textures&);

/// Whether a matrix is a rotation (perpendicular axes of length 1, not mirrored) within the precision of 1/4096.
bool is_rotation(const scene::Mat3d&);
/// Whether `inverse` is 1 / `scale`, both in 1/4096 with any rounding; the inverse of 0 is 0.
bool are_inverse(i32 scale, i32 inverse);
/// Whether the two numbers of a pivot matrix are the sine and cosine of an angle.
bool is_sine_cosine_pair(fx16 a, fx16 b);

extern const std::span<const Rule> k_container_rules, k_model_rules, k_box_rules, k_shape_rules, k_material_rules,
    k_texture_rules, k_animation_rules;

}  // namespace dio::nitro
