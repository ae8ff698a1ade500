#include "containers/packed/optimal_parse.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/parallel.hpp"

namespace dio {

namespace {

/// The number of equal bytes at the two places, up to `most`, if the first `n` are equal.
u32 common_length(const u8* a, const u8* b, u32 n, u32 most) {
  if constexpr (std::endian::native == std::endian::little)
    for (u64 x, y; most - n >= sizeof x; n += sizeof x) {
      std::memcpy(&x, a + n, sizeof x);
      std::memcpy(&y, b + n, sizeof y);
      if (x != y) return n + u32(std::countr_zero(x ^ y)) / 8;
    }
  while (n < most && a[n] == b[n]) ++n;
  return n;
}

/// The places before a byte, in binary search trees by the bytes that follow them: one tree for each three-byte prefix.
/// The latest place is the root.
class MatchTrees {
 public:
  MatchTrees(ByteView bytes, u32 window, u32 longest)
      : bytes_(bytes),
        window_(window),
        longest_(longest),
        mask_(std::bit_ceil(window + 1) - 1),
        roots_(k_roots, k_none),
        less_(mask_ + 1, k_none),
        more_(mask_ + 1, k_none) {}

  /// Finds the longest match at a place and adds the place to the trees; call it for each place in order.
  Match find_longest_match(u32 at, u32 end) {
    Match best;
    const u32 most = std::min(longest_, end - at);
    if (bytes_.size() - at < 3) return best;
    u32 place = std::exchange(roots_[hash_3_bytes(at)], at);
    // The subtrees with smaller and larger bytes than here, filled in during the search.
    u32 *less = &less_[at & mask_], *more = &more_[at & mask_];
    u32 same_as_less = 0, same_as_more = 0;
    for (u32 steps = k_most_steps; place != k_none && at - place <= window_ && steps; --steps) {
      const u32 reach = std::min<u32>(longest_, u32(bytes_.size()) - at);
      const u32 n = common_length(&bytes_[place], &bytes_[at], std::min(same_as_less, same_as_more), reach);
      if (const u32 length = std::min(n, most); length > best.length) best = {length, at - place};
      if (n == reach) {  // equal as far as it matters: this place is no longer needed
        *less = less_[place & mask_];
        *more = more_[place & mask_];
        return enough(best);
      }
      if (bytes_[place + n] < bytes_[at + n]) {
        *less = place;
        less = &more_[place & mask_];
        place = *less;
        same_as_less = n;
      } else {
        *more = place;
        more = &less_[place & mask_];
        place = *more;
        same_as_more = n;
      }
    }
    *less = *more = k_none;
    return enough(best);
  }

 private:
  static constexpr u32 k_roots = 1 << 15, k_none = ~u32(0), k_most_steps = 1024;
  static Match enough(Match m) { return m.length < 3 ? Match{} : m; }
  u32 hash_3_bytes(u32 at) const {
    const u32 three = u32(bytes_[at]) | u32(bytes_[at + 1]) << 8 | u32(bytes_[at + 2]) << 16;
    return three * 2654435761u >> 17;
  }
  ByteView bytes_;
  u32 window_, longest_, mask_;
  std::vector<u32> roots_, less_, more_;
};

/// The cheapest steps over bytes[start, start + size).
std::vector<Match> parse_block(ByteView bytes, const StepCosts& costs, u32 start, u32 size) {
  constexpr u32 k_shortest = 3;
  // The places that can be copied from, plus one copy length: their common prefixes with later places decide which are
  // kept.
  const u32 longest_copy = costs.matches.back().longest;
  MatchTrees trees(bytes, costs.window, longest_copy);
  for (u32 i = start - std::min(start, costs.window + longest_copy); i < start; ++i)
    trees.find_longest_match(i, u32(bytes.size()));
  std::vector<Match> found;
  for (u32 i = 0; i < size; ++i) found.push_back(trees.find_longest_match(start + i, start + size));
  // From the end: the cost of the rest from each byte on, and the length of its first step.
  std::vector<u32> bits(size + 1, 0), lengths(size, 1);
  for (u32 i = size; i-- > 0;) {
    u32 least = bits[i + 1] + costs.literal_bits;
    u32 shortest = k_shortest;
    for (const MatchCost& cost : costs.matches) {
      const u32 longest = std::min(cost.longest, found[i].length);
      if (longest < shortest) break;
      const u32* const from = &bits[i + shortest];
      const u32* const to = &bits[i + longest] + 1;
      u32 rest = ~u32(0);
      for (const u32* b = from; b != to; ++b) rest = std::min(rest, *b);
      if (rest + cost.bits < least) {
        least = rest + cost.bits;
        u32 length = longest;
        while (bits[i + length] != rest) --length;
        lengths[i] = length;
      }
      shortest = longest + 1;
    }
    bits[i] = least;
  }
  std::vector<Match> steps;
  for (u32 i = 0; i < size; i += lengths[i])
    steps.push_back(lengths[i] == 1 ? Match{1, 0} : Match{lengths[i], found[i].distance});
  return steps;
}

}  // namespace

std::vector<Match> find_cheapest_steps(ByteView bytes, const StepCosts& costs, u32 first) {
  constexpr u32 k_block = 1 << 20;
  const u32 end = u32(bytes.size()), count = (end - first + k_block - 1) / k_block;
  std::vector<std::vector<Match>> blocks(count);
  parallel_for(count, [&](size_t i) {
    const u32 start = first + u32(i) * k_block;
    blocks[i] = parse_block(bytes, costs, start, std::min(k_block, end - start));
  });
  std::vector<Match> steps;
  for (std::vector<Match>& block : blocks) {
    steps.insert(steps.end(), block.begin(), block.end());
    block = {};
  }
  return steps;
}

}  // namespace dio
