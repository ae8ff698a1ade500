// sniff_land.cpp: recognises land data and heights by their bytes.
#include <array>
#include <cstring>

#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {
namespace {

using enum Sniff::Certainty;

template <class T>
T read_le(ByteView bytes, u64 at) {
  T x = 0;
  for (size_t i = 0; i < sizeof(T); ++i) x = T(x | u64(bytes[size_t(at) + i]) << 8 * i);
  return x;
}
bool has_magic_at(ByteView bytes, u64 at, std::string_view magic) {
  return at + magic.size() <= bytes.size() && !std::memcmp(bytes.data() + at, magic.data(), magic.size());
}

}  // namespace

Sniff sniff_land_data(ByteView bytes, std::string_view) {
  if (bytes.size() < 20) return {};
  std::array<u64, 4> sizes;
  for (size_t i = 0; i < 4; ++i) sizes[i] = read_le<u32>(bytes, 4 * i);
  const u64 sum = 16 + sizes[0] + sizes[1] + sizes[2] + sizes[3];
  const u64 sounds = read_le<u16>(bytes, 16) == k_sounds_mark ? 4 + read_le<u16>(bytes, 18) : 0;
  const bool has_sounds = sounds && sum + sounds == bytes.size();
  const u64 model = 16 + sizes[0] + sizes[1] + (has_sounds ? sounds : 0);
  if (!has_magic_at(bytes, model, "BMD0")) return {};
  if ((sum == bytes.size() || has_sounds) && sizes[0] == k_tiles * sizeof(TileRow))
    return {certain, "four sizes that add up to the file size, 2048 bytes of tiles, and a model after the props"};
  return {likely, "four sizes, and a model where the third part starts"};
}

Sniff sniff_bdhc(ByteView bytes, std::string_view name) {
  if (has_magic_at(bytes, 0, "BDHC")) return {certain, "starts with BDHC"};
  if (bytes.size() >= Bdhc::k_header_size && has_magic_at(bytes, Bdhc::k_header_size + read_le<u16>(bytes, 2), "DCAM"))
    return {certain, "two sizes, and the magic DCAM where the first part ends"};
  if (name.ends_with(".bdhc")) return {possible, "has the extension .bdhc"};
  return {};
}

}  // namespace dio::platinum
