// value_encoder.hpp: the values of vertex attributes as the lists and display lists of a shape store them.
#pragma once
#include <optional>

#include "formats/brres/scene/vertices.hpp"

namespace dio::brres {

/// Up to four numbers; for colours, displayed red, green, blue and alpha in 0..1. Numbers are rounded to the steps of
/// the type; nothing, with the number in `unstorable`, if one is out of its range or the type is unknown.
std::optional<Bytes> encode_value(const AttributeSource&, const std::array<f64, 4>&, f64& unstorable);
inline constexpr f64 k_visible_rounding = 1.0 / 512;  // of texture coordinates
/// The greatest difference that rounding makes to one of the numbers; 0 for colours.
f64 rounding_error(const AttributeSource&, const std::array<f64, 4>&);

}  // namespace dio::brres
