// extras.hpp: values in extras, which other programs may have changed.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/value.hpp"

namespace dio::scene {

// Members of extras. Nothing if there is no member of this name and type.
std::optional<std::string_view> text_in(const Value& extras, std::string_view name);
/// Finite.
std::optional<f64> number_in(const Value& extras, std::string_view name);
/// Also a number: older Blenders have no other flags.
std::optional<bool> flag_in(const Value& extras, std::string_view name);
/// A list of `count` numbers.
std::optional<std::vector<f64>> numbers_of(const Value& list, size_t count);
std::optional<std::vector<f64>> numbers_in(const Value& extras, std::string_view name, size_t count);
/// Words of 16 bits, each as four hex digits; empty if there are none.
std::vector<u16> words_in(const Value& extras, std::string_view name);

}  // namespace dio::scene
