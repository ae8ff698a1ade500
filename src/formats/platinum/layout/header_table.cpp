#include "formats/platinum/layout/header_table.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace dio::platinum {

namespace {

using enum HeaderForm;

u32 u16_at(const u8* p) { return u32(p[0]) | u32(p[1]) << 8; }

struct Known {
  HeaderForm form;
  std::string_view code;
  u64 offset;
};
constexpr Known k_known[] = {
    {platinum, "CPUE", 0xE601C},
    {platinum, "CPUS", 0xE60B0},
    {platinum, "CPUI", 0xE6038},
    {platinum, "CPUF", 0xE60A4},
    {platinum, "CPUD", 0xE6074},
    {platinum, "CPUJ", 0xE56F0},
    {diamond_pearl, "ADAE", 0xEEDBC},
    {diamond_pearl, "APAE", 0xEEDBC},
    {diamond_pearl, "ADAS", 0xEEE08},
    {diamond_pearl, "APAS", 0xEEE08},
    {diamond_pearl, "ADAI", 0xEED70},
    {diamond_pearl, "APAI", 0xEED70},
    {diamond_pearl, "ADAF", 0xEEDFC},
    {diamond_pearl, "APAF", 0xEEDFC},
    {diamond_pearl, "ADAD", 0xEEDCC},
    {diamond_pearl, "APAD", 0xEEDCC},
    {diamond_pearl, "ADAJ", 0xF0D68},
    {diamond_pearl, "APAJ", 0xF0D6C},
    {heartgold_soulsilver, "IPKE", 0xF6BE0},
    {heartgold_soulsilver, "IPGE", 0xF6BE0},
    {heartgold_soulsilver, "IPKS", 0xF6BC8},
    {heartgold_soulsilver, "IPGS", 0xF6BD0},
    {heartgold_soulsilver, "IPKI", 0xF6B58},
    {heartgold_soulsilver, "IPGI", 0xF6B58},
    {heartgold_soulsilver, "IPKF", 0xF6BC4},
    {heartgold_soulsilver, "IPGF", 0xF6BC4},
    {heartgold_soulsilver, "IPKD", 0xF6B94},
    {heartgold_soulsilver, "IPGD", 0xF6B94},
    {heartgold_soulsilver, "IPKJ", 0xF6390},
    {heartgold_soulsilver, "IPGJ", 0xF6390},
};
constexpr u64 k_fewest = 4;  // shorter runs may be coincidence

u64 count_headers_at(ByteView arm9, u64 offset, HeaderForm form) {
  u64 n = 0;
  while (offset < arm9.size() && can_be_header(arm9.subspan(size_t(offset)), form)) ++n, offset += k_header_size;
  return n;
}

}  // namespace

bool can_be_header(ByteView b, HeaderForm form) {
  if (b.size() < k_header_size) return false;
  const u8* p = b.data();
  constexpr u32 k_first_music = 1000, k_most_members = 4096;
  const auto are_music_ids = [&](std::initializer_list<size_t> places) {
    return std::all_of(places.begin(), places.end(),
                       [&](size_t at) { return u16_at(p + at) >= k_first_music && u16_at(p + at) < k_most_members; });
  };
  const auto are_member_ids = [&](std::initializer_list<size_t> places) {
    return std::all_of(places.begin(), places.end(), [&](size_t at) { return u16_at(p + at) < k_most_members; });
  };
  if (form == heartgold_soulsilver) return are_music_ids({12, 14}) && are_member_ids({4, 6, 8, 10, 16});
  const u32 encounters = u16_at(p + 14), bits = u16_at(p + 22);
  if (!are_music_ids({10, 12}) || !are_member_ids({2, 4, 6, 8, 16}) ||
      (encounters >= k_most_members && encounters != 0xFFFF))
    return false;
  if (form == diamond_pearl) return u16_at(p + 18) < 256 && p[22] <= 6;
  return p[19] <= 9 && p[20] <= 36 && p[21] <= 16 && (bits & 127) <= 6 && (bits >> 7 & 31) <= 22;
}

std::optional<HeaderTable> find_header_table(ByteView arm9, std::string_view game_code, u64 count, HeaderForm form) {
  const u64 least = count ? count : k_fewest;
  HeaderTable best;
  const auto found = [&] { return HeaderTable{best.offset, count ? count : best.count}; };
  for (const Known& k :
       k_known)  // use the longest run: at the offset of one language, another may have part of the table
    if (k.form == form && (game_code.empty() || game_code == k.code))
      if (const u64 n = count_headers_at(arm9, k.offset, form); n > best.count) best = {k.offset, n};
  if (best.count >= least) return found();

  // the length of the run that starts at each offset, from the end
  best = {};
  std::vector<u32> runs(arm9.size() / 4);
  for (size_t i = runs.size(); i-- > 0;) {
    if (!can_be_header(arm9.subspan(i * 4), form)) continue;
    const size_t next = i + k_header_size / 4;
    runs[i] = 1 + (next < runs.size() ? runs[next] : 0);
    if (runs[i] >= best.count) best = {i * 4, runs[i]};
  }
  if (best.count < least) return {};
  return found();
}

}  // namespace dio::platinum
