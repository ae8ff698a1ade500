#include "console/psx/adpcm.hpp"

#include <algorithm>
#include <array>

namespace dio::psx::adpcm {
namespace {

/// The weights of the two previous samples, in 64ths.
struct Filter {
  i32 last, before;
};
constexpr std::array<Filter, 5> k_filters = {{{0, 0}, {60, 0}, {115, -52}, {98, -55}, {122, -60}}};
constexpr u32 k_most_shift = 12;

struct Memory {
  i32 last = 0, before = 0;
  i32 predict_sample(const Filter& f) const { return (last * f.last + before * f.before + 32) >> 6; }
  i32 decode_sample(i32 digit, u32 shift, const Filter& f) {
    const i32 sample = std::clamp(((digit * 4096) >> shift) + predict_sample(f), -32768, 32767);
    before = last;
    return last = sample;
  }
};

struct Block {
  std::array<i32, k_block_samples> digits{};
  u32 filter = 0, shift = 0;
  Memory after;
  u64 error = ~u64(0);
};

/// Encodes with one filter and shift; stops when the error reaches `most`.
Block encode_block(std::span<const i32, k_block_samples> samples, Memory memory, u32 filter, u32 shift, u64 most) {
  Block b{{}, filter, shift, {}, 0};
  const i32 step = 4096 >> shift;
  for (size_t i = 0; i < k_block_samples && b.error < most; ++i) {
    const i32 rest = samples[i] - memory.predict_sample(k_filters[filter]);
    b.digits[i] = std::clamp((rest + step / 2) >> (k_most_shift - shift), -8, 7);
    const i64 off = samples[i] - memory.decode_sample(b.digits[i], shift, k_filters[filter]);
    b.error += u64(off * off);
  }
  b.after = memory;
  return b;
}

/// Writes the blocks, the first with the given previous samples, and returns the samples after the last.
Memory encode_blocks(std::span<const i16> samples, Memory memory, bool is_looping, Bytes& out) {
  const size_t blocks = whole_blocks(samples.size());
  out.clear();
  out.reserve(blocks * k_block_bytes);
  for (size_t n = 0; n < blocks; ++n) {
    std::array<i32, k_block_samples> here{};  // the remaining samples are silent
    const auto part =
        samples.subspan(n * k_block_samples).first(std::min(k_block_samples, samples.size() - n * k_block_samples));
    std::ranges::copy(part, here.begin());
    Block best;
    for (u32 filter = 0; filter < k_filters.size(); ++filter)
      for (u32 shift = 0; shift <= k_most_shift; ++shift)
        if (const Block b = encode_block(here, memory, filter, shift, best.error); b.error < best.error) best = b;
    memory = best.after;
    u8 flags = is_looping && n == 0 ? k_loop_start : 0;
    if (n + 1 == blocks) flags |= is_looping ? k_end | k_repeat : k_end;
    out.push_back(u8(best.filter << 4 | best.shift));
    out.push_back(flags);
    for (size_t i = 0; i < k_block_samples; i += 2)
      out.push_back(u8((best.digits[i] & 15) | (best.digits[i + 1] & 15) << 4));
  }
  return memory;
}

}  // namespace

Bytes encode_adpcm(std::span<const i16> samples, bool is_looping) {
  Bytes out;
  const Memory at_end = encode_blocks(samples, {}, is_looping, out);
  // When a loop restarts, the previous samples are those at its end; that happens more often than the first start.
  if (is_looping) encode_blocks(samples, at_end, is_looping, out);
  return out;
}

std::vector<i16> decode_adpcm(ByteView blocks) {
  std::vector<i16> out;
  out.reserve(blocks.size() / k_block_bytes * k_block_samples);
  Memory memory;
  for (size_t at = 0; at + k_block_bytes <= blocks.size(); at += k_block_bytes) {
    // Shifts of 13 and more act as 9; filters that do not exist act as none.
    const u32 told_shift = blocks[at] & 15, told_filter = blocks[at] >> 4;
    const u32 shift = told_shift > k_most_shift ? 9 : told_shift;
    const Filter& filter = k_filters[told_filter < k_filters.size() ? told_filter : 0];
    for (size_t i = 0; i < k_block_samples; ++i) {
      const i32 digit = blocks[at + 2 + i / 2] >> (i % 2 * 4) & 15;
      out.push_back(i16(memory.decode_sample(digit < 8 ? digit : digit - 16, shift, filter)));
    }
  }
  return out;
}

}  // namespace dio::psx::adpcm
