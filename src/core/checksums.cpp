#include "core/checksums.hpp"

#include <algorithm>
#include <array>

#include "core/little_endian.hpp"

namespace dio::png {
namespace {

// Processes eight bytes at a time: table n gives the effect of a byte on the sum when n more bytes follow.
using Tables = std::array<std::array<u32, 256>, 8>;
constexpr Tables k_tables = [] {
  Tables tables{};
  for (u32 i = 0; i < 256; ++i) {
    u32 sum = i;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    tables[0][i] = sum;
  }
  for (size_t n = 1; n < 8; ++n)
    for (size_t i = 0; i < 256; ++i) tables[n][i] = tables[n - 1][i] >> 8 ^ tables[0][tables[n - 1][i] & 255];
  return tables;
}();

}  // namespace

u32 crc32(ByteView bytes) {
  u32 sum = ~u32(0);
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const u8* b = bytes.data() + i;
    const u32 low = sum ^ read_u32_le(b);
    sum = k_tables[7][low & 255] ^ k_tables[6][low >> 8 & 255] ^ k_tables[5][low >> 16 & 255] ^ k_tables[4][low >> 24] ^
          k_tables[3][b[4]] ^ k_tables[2][b[5]] ^ k_tables[1][b[6]] ^ k_tables[0][b[7]];
  }
  for (; i < bytes.size(); ++i) sum = sum >> 8 ^ k_tables[0][(sum ^ bytes[i]) & 255];
  return ~sum;
}

u32 adler32(ByteView bytes) {
  constexpr u32 modulus = 65521;
  constexpr size_t longest_run = 5552;  // with longer runs, the second sum could exceed 32 bits
  u32 first = 1, second = 0;
  for (size_t start = 0; start < bytes.size(); start += longest_run) {
    for (const u8 byte : bytes.subspan(start, std::min(longest_run, bytes.size() - start))) second += first += byte;
    first %= modulus;
    second %= modulus;
  }
  return second << 16 | first;
}

}  // namespace dio::png
