// wire.hpp: how numbers are stored in files.
#pragma once
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// The stored form of a number; `decimal` is text.
enum class Wire : u8 { none, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, fourcc, decimal };
std::string_view to_string(Wire);
/// The size in bytes; 0 for a form without a fixed size.
size_t size_of(Wire);
bool is_signed(Wire);

}  // namespace dio
