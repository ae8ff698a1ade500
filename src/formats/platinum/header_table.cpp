#include "formats/platinum/header_table.hpp"

#include <algorithm>
#include <vector>

namespace dio::platinum {

namespace {

u32 u16_at(const u8* p) { return u32(p[0]) | u32(p[1]) << 8; }

struct Known {
  std::string_view code;
  u64 offset;
};
constexpr Known k_known[] = {{"CPUE", 0xE601C}, {"CPUS", 0xE60B0}, {"CPUI", 0xE6038},
                             {"CPUF", 0xE60A4}, {"CPUD", 0xE6074}, {"CPUJ", 0xE56F0}};
constexpr u64 k_fewest = 8;  // shorter runs are chance

u64 run_at(ByteView arm9, u64 offset) {
  u64 n = 0;
  while (offset < arm9.size() && can_be_header(arm9.subspan(size_t(offset)))) ++n, offset += k_header_size;
  return n;
}

}  // namespace

bool can_be_header(ByteView b) {
  if (b.size() < k_header_size) return false;
  const u8* p = b.data();
  constexpr u32 k_first_music = 1000, k_most_members = 4096;
  for (const size_t music : {10u, 12u})
    if (u16_at(p + music) < k_first_music || u16_at(p + music) >= k_most_members) return false;
  for (const size_t member : {2u, 4u, 6u, 8u, 16u})
    if (u16_at(p + member) >= k_most_members) return false;
  const u32 bits = u16_at(p + 22), encounters = u16_at(p + 14);
  return (encounters < k_most_members || encounters == 0xFFFF) && p[19] <= 9 && p[20] <= 36 && p[21] <= 16 &&
         (bits & 127) <= 6 && (bits >> 7 & 31) <= 22;
}

std::optional<HeaderTable> find_header_table(ByteView arm9, std::string_view game_code, u64 count) {
  const u64 least = count ? count : k_fewest;
  HeaderTable best;
  const auto found = [&] { return HeaderTable{best.offset, count ? count : best.count}; };
  for (const Known& k : k_known)  // the longest: where one language has the table, another has a part of it
    if (game_code.empty() || game_code == k.code)
      if (const u64 n = run_at(arm9, k.offset); n > best.count) best = {k.offset, n};
  if (best.count >= least) return found();

  // how long the run is that starts at each offset, from the end
  best = {};
  std::vector<u32> runs(arm9.size() / 4);
  for (size_t i = runs.size(); i-- > 0;) {
    if (!can_be_header(arm9.subspan(i * 4))) continue;
    const size_t next = i + k_header_size / 4;
    runs[i] = 1 + (next < runs.size() ? runs[next] : 0);
    if (runs[i] >= best.count) best = {i * 4, runs[i]};
  }
  if (best.count < least) return {};
  return found();
}

}  // namespace dio::platinum
