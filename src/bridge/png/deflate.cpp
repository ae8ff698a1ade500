#include "bridge/png/deflate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/checksums.hpp"

namespace dio::png {
namespace {

constexpr size_t k_window = 32768;  // the maximum distance of a match
constexpr u32 k_shortest = 3, k_longest = 258;
constexpr int k_deepest_chain = 32;      // candidates compared for a match
constexpr u32 k_good_length = 32;        // do not look for a longer match at the next byte
constexpr size_t k_block = 32768;        // tokens that share a code
constexpr size_t k_most_stored = 65535;  // bytes of a stored block
constexpr u32 k_end_of_block = 256;

// ---- symbols --------------------------------------------------------------------------------------------------------

struct Symbol {
  u32 code, extra_bits, extra;
};

/// Lengths and distances grow by powers of two, each divided into 2^cuts codes.
constexpr Symbol make_symbol(u32 number, u32 cuts) {
  if (number < 2u << cuts) return {number, 0, 0};
  const u32 extra_bits = u32(std::bit_width(number)) - 1 - cuts;
  const u32 code = (extra_bits << cuts) + (number >> extra_bits);
  return {code, extra_bits, number & ((1u << extra_bits) - 1)};
}
constexpr auto k_length_symbols = [] {
  std::array<Symbol, k_longest + 1> symbols{};
  for (u32 length = k_shortest; length < k_longest; ++length) {
    symbols[length] = make_symbol(length - k_shortest, 2);
    symbols[length].code += 257;
  }
  symbols[k_longest] = {285, 0, 0};
  return symbols;
}();
Symbol distance_symbol(u32 distance) { return make_symbol(distance - 1, 1); }

/// A byte (length 0), or a copy of `length` bytes from `distance` bytes before.
struct Token {
  u16 length, value;  // the byte, or the distance - 1
};

// ---- matches --------------------------------------------------------------------------------------------------------

class Matches {
 public:
  explicit Matches(ByteView bytes)
      : bytes_(bytes),
        shift_(32 - std::clamp(int(std::bit_width(bytes.size())), 8, 15)),
        newest_(size_t(1) << (32 - shift_)),
        older_(std::min(k_window, std::bit_ceil(bytes.size() + 1))) {}

  /// From now on, the bytes at a position can be matched.
  void add(size_t at) {
    if (at + k_shortest > bytes_.size()) return;
    u32& newest = newest_[hash(at)];
    older_[at & (older_.size() - 1)] = newest;
    newest = u32(at) + 1;
  }

  /// The longest match of more than `shortest` bytes, the nearest of equal ones; length 0 if there is none.
  Token find_longest_match(size_t at, u32 shortest) const {
    Token best{0, 0};
    const u32 limit = u32(std::min<size_t>(k_longest, bytes_.size() - at));
    if (limit < k_shortest) return best;
    u32 length = std::max(shortest, k_shortest - 1);
    if (length >= limit) return best;
    u32 next = newest_[hash(at)];
    for (int left = k_deepest_chain; next && left; --left) {
      const size_t from = next - 1;
      if (at - from > k_window) break;
      if (bytes_[from + length] == bytes_[at + length]) {
        const u32 same = match_length(from, at, limit);
        if (same > length) {
          best = {u16(same), u16(at - from - 1)};
          length = same;
          if (same == limit) break;
        }
      }
      const u32 older = older_[from & (older_.size() - 1)];
      if (older >= next) break;  // the entry was replaced by a newer one
      next = older;
    }
    return best;
  }

 private:
  u32 hash(size_t at) const {
    const u32 three = u32(bytes_[at]) | u32(bytes_[at + 1]) << 8 | u32(bytes_[at + 2]) << 16;
    return three * 0x9e3779b1u >> shift_;
  }
  u32 match_length(size_t a, size_t b, u32 limit) const {
    u32 n = 0;
    if constexpr (std::endian::native == std::endian::little)
      for (; n + 8 <= limit; n += 8) {
        u64 left, right;
        std::memcpy(&left, bytes_.data() + a + n, 8);
        std::memcpy(&right, bytes_.data() + b + n, 8);
        if (left != right) return n + u32(std::countr_zero(left ^ right)) / 8;
      }
    while (n < limit && bytes_[a + n] == bytes_[b + n]) ++n;
    return n;
  }

  ByteView bytes_;
  int shift_;
  std::vector<u32> newest_, older_;  // positions + 1, so that 0 means none
};

std::vector<Token> compress_lz77(ByteView bytes) {
  std::vector<Token> tokens;
  tokens.reserve(bytes.size() / 4 + 16);
  Matches matches(bytes);
  Token match{0, 0};  // the best match at `i`, if known
  bool known = false;
  for (size_t i = 0; i < bytes.size();) {
    if (!known) match = matches.find_longest_match(i, 0);
    known = false;
    matches.add(i);
    // A longer match at the next byte is worth a single byte now.
    if (match.length && match.length < k_good_length) {
      const Token next = i + 1 < bytes.size() ? matches.find_longest_match(i + 1, match.length) : Token{0, 0};
      if (next.length) {
        tokens.push_back({0, bytes[i++]});
        match = next;
        known = true;
        continue;
      }
    }
    if (!match.length) {
      tokens.push_back({0, bytes[i++]});
      continue;
    }
    tokens.push_back(match);
    for (const size_t end = i + match.length; ++i < end;) matches.add(i);
  }
  return tokens;
}

// ---- codes ----------------------------------------------------------------------------------------------------------

template <size_t n>
struct Code {
  std::array<u8, n> lengths{};
  std::array<u16, n> bits{};  // the first bit of the code is the lowest

  void assign_canonical_codes() {
    std::array<u16, 17> count{}, next{};
    for (const u8 length : lengths) ++count[length];
    count[0] = 0;
    for (size_t length = 1; length < 17; ++length) next[length] = u16((next[length - 1] + count[length - 1]) << 1);
    for (size_t i = 0; i < n; ++i) {
      const u32 code = lengths[i] ? next[lengths[i]]++ : 0;
      u32 reversed = 0;
      for (u32 bit = 0; bit < lengths[i]; ++bit) reversed |= (code >> bit & 1) << (lengths[i] - 1 - bit);
      bits[i] = u16(reversed);
    }
  }
};

/// The Huffman code for these counts, with no code longer than `longest`. At least two symbols get a code, because a
/// decoder may reject an incomplete code.
template <size_t n>
Code<n> build_huffman_code(std::array<u32, n> counts, u32 longest) {
  for (size_t used = size_t(std::count_if(counts.begin(), counts.end(), [](u32 c) { return c > 0; })), i = 0; used < 2;
       ++i)
    if (!counts[i]) counts[i] = 1, ++used;

  std::array<u64, n> leaves;  // by count, then by symbol: an order without ties
  size_t used = 0;
  for (size_t i = 0; i < n; ++i)
    if (counts[i]) leaves[used++] = u64(counts[i]) << 16 | i;
  std::sort(leaves.begin(), leaves.begin() + used);

  // Joins the two rarest until one is left: leaves come before joined ones, and joined ones have rising counts.
  std::array<u32, 2 * n> weight;
  std::array<u16, 2 * n> parent;
  for (size_t i = 0; i < used; ++i) weight[i] = u32(leaves[i] >> 16);
  size_t leaf = 0, joined = used;
  const size_t root = 2 * used - 2;
  for (size_t made = used; made <= root; ++made) {
    const auto rarest = [&] {
      return leaf < used && (joined >= made || weight[leaf] <= weight[joined]) ? leaf++ : joined++;
    };
    const size_t a = rarest(), b = rarest();
    weight[made] = weight[a] + weight[b];
    parent[a] = parent[b] = u16(made);
  }
  std::array<u8, 2 * n> depth;
  std::array<u32, 64> of_length{};
  depth[root] = 0;
  for (size_t i = root; i-- > 0;) {
    depth[i] = u8(std::min<u32>(depth[parent[i]] + 1u, 63));
    if (i < used) ++of_length[std::min<u32>(depth[i], longest)];
  }

  // Codes cut to the longest length exceed the code space: lengthen others until all fit.
  u64 room = 0;
  for (u32 length = 1; length <= longest; ++length) room += u64(of_length[length]) << (longest - length);
  for (; room > u64(1) << longest; --room) {
    u32 length = longest - 1;
    while (!of_length[length]) --length;
    --of_length[length];
    of_length[length + 1] += 2;
    --of_length[longest];
  }

  Code<n> code;
  size_t i = 0;
  for (u32 length = longest; length > 0; --length)
    for (u32 left = of_length[length]; left > 0; --left) code.lengths[leaves[i++] & 0xffff] = u8(length);
  code.assign_canonical_codes();
  return code;
}

using LengthCode = Code<288>;
using DistanceCode = Code<30>;

const std::pair<LengthCode, DistanceCode>& fixed_huffman_codes() {
  static const auto codes = [] {
    std::pair<LengthCode, DistanceCode> both;
    for (size_t i = 0; i < 288; ++i) both.first.lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    both.second.lengths.fill(5);
    both.first.assign_canonical_codes();
    both.second.assign_canonical_codes();
    return both;
  }();
  return codes;
}

// ---- bits -----------------------------------------------------------------------------------------------------------

class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}
  /// At most 32 bits, the lowest first.
  void put(u64 bits, u32 count) {
    held_ |= bits << held_count_;
    held_count_ += count;
    if (held_count_ < 32) return;
    const u8 four[] = {u8(held_), u8(held_ >> 8), u8(held_ >> 16), u8(held_ >> 24)};
    out_.insert(out_.end(), std::begin(four), std::end(four));
    held_ >>= 32;
    held_count_ -= 32;
  }
  /// Pads with 0 to the next whole byte.
  void align_to_byte() {
    for (; held_count_ > 0; held_count_ -= std::min(held_count_, 8u), held_ >>= 8) out_.push_back(u8(held_));
  }

 private:
  Bytes& out_;
  u64 held_ = 0;
  u32 held_count_ = 0;
};

// ---- blocks ---------------------------------------------------------------------------------------------------------

/// The lengths of both codes, with runs encoded: 16 repeats the last length, 17 and 18 are runs of zeros.
struct BlockHeader {
  struct Item {
    u8 symbol, extra_bits, extra;
  };
  static constexpr u8 k_order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  u32 length_codes, distance_codes, header_codes = 19;
  std::vector<Item> items;
  Code<19> code;

  BlockHeader(const LengthCode& lengths, const DistanceCode& distances) : length_codes(286), distance_codes(30) {
    while (length_codes > 257 && !lengths.lengths[length_codes - 1]) --length_codes;
    while (distance_codes > 1 && !distances.lengths[distance_codes - 1]) --distance_codes;
    std::array<u8, 316> all;
    const auto end = std::copy_n(distances.lengths.begin(), distance_codes,
                                 std::copy_n(lengths.lengths.begin(), length_codes, all.begin()));
    std::array<u32, 19> counts{};
    items.reserve(316);
    const auto add = [&](u32 symbol, u32 extra_bits, size_t extra) {
      items.push_back({u8(symbol), u8(extra_bits), u8(extra)});
      ++counts[symbol];
    };
    for (auto i = all.begin(); i != end;) {
      const u8 length = *i;
      size_t run = size_t(std::find_if(i, end, [&](u8 other) { return other != length; }) - i);
      i += std::ptrdiff_t(run);
      if (length) add(length, 0, 0), --run;
      while (run >= 3) {
        const size_t step = std::min<size_t>(run, length ? 6 : 138);
        if (length)
          add(16, 2, step - 3);
        else if (step <= 10)
          add(17, 3, step - 3);
        else
          add(18, 7, step - 11);
        run -= step;
      }
      for (; run > 0; --run) add(length, 0, 0);
    }
    code = build_huffman_code(counts, 7);
    while (header_codes > 4 && !code.lengths[k_order[header_codes - 1]]) --header_codes;
  }

  u64 size() const {
    u64 bits = 14 + 3 * header_codes;
    for (const Item& item : items) bits += code.lengths[item.symbol] + item.extra_bits;
    return bits;
  }
  void put(BitWriter& to) const {
    to.put(length_codes - 257, 5);
    to.put(distance_codes - 1, 5);
    to.put(header_codes - 4, 4);
    for (u32 i = 0; i < header_codes; ++i) to.put(code.lengths[k_order[i]], 3);
    for (const Item& item : items) {
      to.put(code.bits[item.symbol], code.lengths[item.symbol]);
      to.put(item.extra, item.extra_bits);
    }
  }
};

void put_tokens(BitWriter& to, std::span<const Token> tokens, const LengthCode& lengths,
                const DistanceCode& distances) {
  for (const Token& token : tokens) {
    if (!token.length) {
      to.put(lengths.bits[token.value], lengths.lengths[token.value]);
      continue;
    }
    const Symbol &length = k_length_symbols[token.length], distance = distance_symbol(token.value + 1u);
    const u32 length_size = lengths.lengths[length.code], distance_size = distances.lengths[distance.code];
    to.put(lengths.bits[length.code] | length.extra << length_size, length_size + length.extra_bits);
    to.put(distances.bits[distance.code] | distance.extra << distance_size, distance_size + distance.extra_bits);
  }
  to.put(lengths.bits[k_end_of_block], lengths.lengths[k_end_of_block]);
}

void put_stored_blocks(BitWriter& to, Bytes& out, ByteView bytes, bool last) {
  do {
    const size_t size = std::min(bytes.size(), k_most_stored);
    to.put(last && size == bytes.size(), 3);
    to.align_to_byte();
    to.put(size, 16);
    to.put(size ^ 0xffff, 16);
    to.align_to_byte();
    out.insert(out.end(), bytes.begin(), bytes.begin() + std::ptrdiff_t(size));
    bytes = bytes.subspan(size);
  } while (!bytes.empty());
}

/// Writes the shortest of the three kinds of block.
void put_block(BitWriter& to, Bytes& out, std::span<const Token> tokens, ByteView bytes, bool last) {
  std::array<u32, 288> length_counts{};
  std::array<u32, 30> distance_counts{};
  u64 extra_bits = 0;
  for (const Token& token : tokens) {
    if (!token.length) {
      ++length_counts[token.value];
      continue;
    }
    const Symbol &length = k_length_symbols[token.length], distance = distance_symbol(token.value + 1u);
    ++length_counts[length.code];
    ++distance_counts[distance.code];
    extra_bits += length.extra_bits + distance.extra_bits;
  }
  length_counts[k_end_of_block] = 1;
  const auto coded_size = [&](const LengthCode& lengths, const DistanceCode& distances) {
    u64 bits = 3 + extra_bits;
    for (size_t i = 0; i < 288; ++i) bits += u64(length_counts[i]) * lengths.lengths[i];
    for (size_t i = 0; i < 30; ++i) bits += u64(distance_counts[i]) * distances.lengths[i];
    return bits;
  };

  const auto& [fixed_lengths, fixed_distances] = fixed_huffman_codes();
  const u64 fixed = coded_size(fixed_lengths, fixed_distances);
  const auto lengths = build_huffman_code(length_counts, 15);
  const auto distances = build_huffman_code(distance_counts, 15);
  const BlockHeader header(lengths, distances);
  const u64 dynamic = coded_size(lengths, distances) + header.size();
  const u64 stored = 8 * (bytes.size() + 5 * (bytes.size() / k_most_stored + 1));
  if (stored < std::min(fixed, dynamic)) {
    put_stored_blocks(to, out, bytes, last);
  } else if (fixed <= dynamic) {
    to.put(u32(last) | 1 << 1, 3);
    put_tokens(to, tokens, fixed_lengths, fixed_distances);
  } else {
    to.put(u32(last) | 2 << 1, 3);
    header.put(to);
    put_tokens(to, tokens, lengths, distances);
  }
}

}  // namespace

Bytes deflate(ByteView bytes) {
  const u32 sum = adler32(bytes);
  Bytes out;
  out.reserve(bytes.size() / 2 + 64);
  out.push_back(0x78);  // deflate, a window of 32 KiB
  out.push_back(0x9c);  // default effort; makes the two bytes a multiple of 31
  BitWriter bits(out);
  const std::vector<Token> all = compress_lz77(bytes);
  std::span<const Token> tokens = all;
  do {
    const auto block = tokens.first(std::min(k_block, tokens.size()));
    tokens = tokens.subspan(block.size());
    size_t size = 0;
    for (const Token& token : block) size += token.length ? token.length : 1;
    put_block(bits, out, block, bytes.first(size), tokens.empty());
    bytes = bytes.subspan(size);
  } while (!tokens.empty());
  bits.align_to_byte();
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(u8(sum >> shift));
  return out;
}

}  // namespace dio::png
