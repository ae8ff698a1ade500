// wire.hpp: how a number lies in a file.
#pragma once
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// How a number lies in the file; `decimal`: as text.
enum class Wire : u8 { none, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, fourcc, decimal };
std::string_view to_string(Wire);
/// In bytes; 0 of what has no size of its own.
size_t size_of(Wire);
bool is_signed(Wire);

}  // namespace dio
