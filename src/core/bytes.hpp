// bytes.hpp: the names that all other files use for numbers and byte ranges.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dio {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;
using std::size_t;  // 32 bits wide in WebAssembly: file sizes and offsets are u64

using Bytes = std::vector<u8>;
using ByteView = std::span<const u8>;

inline Bytes copy_of(ByteView bytes) { return Bytes(bytes.begin(), bytes.end()); }
inline ByteView as_bytes(std::string_view text) { return {reinterpret_cast<const u8*>(text.data()), text.size()}; }

}  // namespace dio
