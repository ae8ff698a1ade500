// optimal_parse.hpp: packs bytes into the fewest bits, if the cost of a step depends only on its length.
#pragma once
#include <span>
#include <vector>

#include "containers/packed/unpacked.hpp"

namespace dio {

/// The cost of copies up to some length.
struct MatchCost {
  u32 longest, bits;
};
/// How steps are written: single bytes, and copies of at least three from at most `window` bytes back.
struct StepCosts {
  u32 literal_bits;
  std::span<const MatchCost> matches;  // from the shortest to the longest
  u32 window;
};

/// The cheapest steps over the bytes: a length of 1 is the byte itself. Matches do not cross multiples of
/// 1 MiB after `first`, so blocks of this size are parsed in parallel (core/parallel.hpp), with the same result for any
/// number of threads. The longest match at each byte is found in a binary tree of the places before it, of
/// which at most 1,024 are compared; a shorter match can have the same distance, so nothing else has to be known.
/// `first`: the first byte that needs steps; earlier bytes can be copied from.
std::vector<Match> find_cheapest_steps(ByteView, const StepCosts&, u32 first = 0);

}  // namespace dio
