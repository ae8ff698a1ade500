// shift_jis.cpp: converts two Shift JIS bytes to a JIS X 0208 character and back.
#include <algorithm>
#include <vector>

#include "formats/bmg/text.hpp"

namespace dio::bmg {

namespace {

constexpr u16 k_characters[] = {
#include "core/sorting.hpp"
#include "formats/bmg/jis_x_0208.inc"
};
constexpr u32 k_cells = 94, k_rows = 84, k_none_from = 8, k_none_to = 15;  // rows 9 to 15 are empty and left out
constexpr u32 k_left_out = k_none_to - k_none_from;
static_assert(std::size(k_characters) == (k_rows - k_left_out) * k_cells);

}  // namespace

u16 shift_jis_to_unicode(u8 first, u8 second) {
  if (first < 0x81 || (first > 0x9f && first < 0xe0) || first > 0xfc) return 0;
  if (second < 0x40 || second == 0x7f || second > 0xfc) return 0;
  // a first byte covers two rows; the second byte continues from the first row into the second
  const u32 cell = second - (second > 0x7f ? 0x41u : 0x40u);
  u32 row = 2u * (first - (first > 0x9f ? 0xc1u : 0x81u)) + cell / k_cells;
  if (row >= k_rows || (row >= k_none_from && row < k_none_to)) return 0;
  if (row >= k_none_to) row -= k_left_out;
  return k_characters[row * k_cells + cell % k_cells];
}

u16 unicode_to_shift_jis(u16 character) {
  static const std::vector<u16> k_places = [] {
    std::vector<u16> all;
    for (u16 i = 0; i < std::size(k_characters); ++i)
      if (k_characters[i]) all.push_back(i);
    sort_stably(all, {}, [](u16 i) { return k_characters[i]; });
    return all;
  }();
  const auto at = std::ranges::lower_bound(k_places, character, {}, [](u16 i) { return k_characters[i]; });
  if (at == k_places.end() || k_characters[*at] != character) return 0;
  u32 row = *at / k_cells;
  if (row >= k_none_from) row += k_left_out;
  const u32 first = row / 2 + 0x81, second = *at % k_cells + row % 2 * k_cells + 0x40;
  return u16((first > 0x9f ? first + 0x40 : first) << 8 | (second >= 0x7f ? second + 1 : second));
}

}  // namespace dio::bmg
