// container.hpp: the containers for both parts of a glTF file.
#pragma once
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace dio::gltf {

/// A GLB stores its length in 32 bits.
inline constexpr u64 k_largest_file = 0xFFFFFFFF;

/// Header, JSON chunk and, unless it is empty, the header of a binary chunk. The caller appends `binary_size` bytes and
/// zeros up to a multiple of four; memory is reserved for them. Id: gltf.size.
Result<Bytes> start_glb(std::string_view json, u64 binary_size, u64 largest = k_largest_file);

/// `data:application/octet-stream;base64,...`
std::string data_uri(ByteView);

}  // namespace dio::gltf
