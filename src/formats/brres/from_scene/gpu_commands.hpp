// gpu_commands.hpp: writes GPU commands and lists of numbers, big-endian.
#pragma once
#include <bit>

#include "core/bytes.hpp"

namespace dio::brres {

struct GpuCommandWriter {
  Bytes bytes;

  GpuCommandWriter& n8(u32 x) { return bytes.push_back(u8(x)), *this; }
  GpuCommandWriter& n16(u32 x) { return n8(x >> 8).n8(x); }
  GpuCommandWriter& n32(u32 x) { return n16(x >> 16).n16(x); }
  GpuCommandWriter& real(f32 x) { return n32(std::bit_cast<u32>(x)); }
  /// A register of the blitting processor; only the bits of `mask`.
  GpuCommandWriter& bp(u32 address, u32 value) { return n8(0x61).n8(address).n8(value >> 16).n16(value); }
  GpuCommandWriter& bp(u32 address, u32 value, u32 mask) { return bp(0xFE, mask).bp(address, value); }
  /// A register of the command processor, and one of the transform unit.
  GpuCommandWriter& cp(u32 address, u32 value) { return n8(0x08).n8(address).n32(value); }
  GpuCommandWriter& xf(u32 address, u32 value) { return n8(0x10).n16(0).n16(address).n32(value); }
  GpuCommandWriter& no_operations(size_t count) { return bytes.resize(bytes.size() + count), *this; }
  /// No operations up to a size.
  GpuCommandWriter& pad_to(size_t size) { return bytes.resize(std::max(bytes.size(), size)), *this; }
  GpuCommandWriter& align(size_t to) { return pad_to((bytes.size() + to - 1) / to * to); }
};

}  // namespace dio::brres
