// extras.hpp: values in extras, which other programs may have changed.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/value.hpp"

namespace dio::scene {

/// The member of nodes that, with all their descendants, pictures are fitted to: the playable area, not the sky around
/// it. If no node has it, pictures show the whole scene.
constexpr std::string_view k_framed = "framed";

// Members of extras. Nothing if there is no member with this name and type.
std::optional<std::string_view> read_text_extra(const Value& extras, std::string_view name);
/// Finite.
std::optional<f64> read_number_extra(const Value& extras, std::string_view name);
/// Also accepts a number, because older Blender versions have no booleans.
std::optional<bool> read_flag_extra(const Value& extras, std::string_view name);
/// A list of `count` numbers.
std::optional<std::vector<f64>> parse_number_list(const Value& list, size_t count);
std::optional<std::vector<f64>> read_number_list_extra(const Value& extras, std::string_view name, size_t count);
/// 16-bit words, each as four hex digits; empty if there are none.
std::vector<u16> read_u16_list_extra(const Value& extras, std::string_view name);

}  // namespace dio::scene
