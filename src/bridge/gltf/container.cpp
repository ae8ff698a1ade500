#include "bridge/gltf/container.hpp"

#include "core/base64.hpp"

namespace dio::gltf {
namespace {

void put_u32(Bytes& to, u32 number) {
  for (int shift = 0; shift < 32; shift += 8) to.push_back(u8(number >> shift));
}

u64 padded(u64 size) { return (size + 3) / 4 * 4; }

/// The length of a chunk includes its padding.
void put_chunk_header(Bytes& to, u64 size, std::string_view type) {
  put_u32(to, u32(padded(size)));
  to.insert(to.end(), type.begin(), type.end());
}

}  // namespace

Result<Bytes> start_glb(std::string_view json, u64 binary_size, u64 largest) {
  const u64 size = 12 + 8 + padded(json.size()) + (binary_size ? 8 + padded(binary_size) : 0);
  if (size > largest)
    return refuse("gltf.size", {},
                  {.message = "the file would have " + std::to_string(size) + " bytes; a .glb has at most " +
                              std::to_string(largest),
                   .hint = "convert fewer files at a time"});
  Bytes glb;
  glb.reserve(size_t(size));
  constexpr std::string_view magic = "glTF";
  glb.insert(glb.end(), magic.begin(), magic.end());
  put_u32(glb, 2);  // version
  put_u32(glb, u32(size));
  put_chunk_header(glb, json.size(), "JSON");
  const u8* text = reinterpret_cast<const u8*>(json.data());
  glb.insert(glb.end(), text, text + json.size());
  glb.resize(size_t(padded(glb.size())), ' ');  // padded with spaces, it stays JSON
  if (binary_size) put_chunk_header(glb, binary_size, std::string_view("BIN\0", 4));
  return glb;
}

std::string data_uri(ByteView bytes) { return "data:application/octet-stream;base64," + encode_base64(bytes); }

}  // namespace dio::gltf
