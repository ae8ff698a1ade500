// matcher.hpp: finds earlier matches of the following bytes, for both compressors.
#pragma once
#include <algorithm>
#include <vector>

#include "containers/packed/unpacked.hpp"

namespace dio {

/// Looks back at most `window` bytes and at least `nearest`, over chains of positions with the same three bytes.
class Matcher {
 public:
  Matcher(ByteView bytes, u32 nearest, u32 window)
      : bytes_(bytes), nearest_(nearest), window_(window), heads_(k_heads, k_none), before_(bytes.size(), k_none) {}

  /// The longest match of 3 to `longest` bytes at `at`; length 0 if there is none.
  Match find_match(size_t at, u32 longest) const {
    Match best;
    longest = u32(std::min<size_t>(longest, bytes_.size() - at));
    if (longest < 3) return best;
    u32 steps = k_most_steps;
    for (u32 i = heads_[hash_3_bytes(at)]; i != k_none && at - i <= window_ && steps; i = before_[i], --steps) {
      if (at - i < nearest_) continue;
      u32 n = 0;
      while (n < longest && bytes_[i + n] == bytes_[at + n]) ++n;
      if (n > best.length && n >= 3) best = {n, u32(at - i)};
      if (n == longest) break;
    }
    return best;
  }
  /// Adds the bytes at a position; call it in order.
  void insert_position(size_t at) {
    if (bytes_.size() - at < 3) return;
    u32& head = heads_[hash_3_bytes(at)];
    before_[at] = head;
    head = u32(at);
  }

 private:
  static constexpr u32 k_heads = 1 << 14, k_none = ~u32(0), k_most_steps = 512;
  u32 hash_3_bytes(size_t at) const {
    const u32 three = u32(bytes_[at]) | u32(bytes_[at + 1]) << 8 | u32(bytes_[at + 2]) << 16;
    return three * 2654435761u >> 18;
  }
  ByteView bytes_;
  u32 nearest_, window_;
  std::vector<u32> heads_, before_;
};

/// Calls literal(i) or match(i, Match) for each step over the bytes from `first` on; a match is delayed if a longer one
/// starts at the next byte.
void for_each_lz_step(ByteView bytes, u32 nearest, u32 window, u32 longest, auto literal, auto match,
                      size_t first = 0) {
  Matcher m(bytes, nearest, window);
  for (size_t i = 0; i < first; ++i) m.insert_position(i);
  for (size_t i = first; i < bytes.size();) {
    const Match here = m.find_match(i, longest);
    m.insert_position(i);
    const Match next =
        here.length && here.length < longest && i + 1 < bytes.size() ? m.find_match(i + 1, longest) : Match{};
    if (!here.length || next.length > here.length) {
      literal(i++);
      continue;
    }
    match(i, here);
    for (const size_t end = i++ + here.length; i < end; ++i) m.insert_position(i);
  }
}

}  // namespace dio
