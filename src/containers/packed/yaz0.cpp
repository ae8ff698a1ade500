#include "containers/packed/yaz0.hpp"

#include <cstring>

#include "containers/packed/flag_groups.hpp"
#include "containers/packed/optimal_parse.hpp"
#include "containers/packed/repack.hpp"
#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio {
namespace {

constexpr u64 k_header_size = containers::Yaz0File::k_header_size;
constexpr u32 k_window = 0x1000, k_short = 17, k_longest = 0x111;
constexpr u64 k_most_growth = 88;  // a group of 25 bytes makes at most 8 * 273

Diagnostic bad_yaz0(u64 offset, DiagnosticText said) {
  return make_diagnostic("archives.yaz0", Location::of_bytes(offset, 0), std::move(said));
}

/// Walks through packed data: calls begin(size), then literal(byte) and copy(distance, length). Returns the number of
/// bytes read.
Result<u64> for_each_token(ByteView b, auto begin, auto literal, auto copy) {
  if (b.size() < 4 || std::memcmp(b.data(), "Yaz0", 4))
    return refuse(bad_yaz0(
        0, {.expected = "data that starts with Yaz0", .found = encode_hex(b.first(std::min<size_t>(b.size(), 4)))}));
  if (b.size() < k_header_size)
    return refuse(bad_yaz0(0, {.expected = "a 16-byte header", .found = format_count(b.size(), "byte")}));
  const u64 all = u64(b[4]) << 24 | u64(b[5]) << 16 | u64(b[6]) << 8 | b[7];
  if (all > k_most_unpacked)
    return refuse(
        bad_yaz0(4, {.expected = "a decompressed size of at most 64 MiB", .found = format_count(all, "byte")}));
  size_t at = k_header_size;
  u64 left = all;
  const auto ends = [&] {
    return refuse(
        bad_yaz0(b.size(), {.expected = format_count(left, "more decompressed byte"), .found = "the end of the data"}));
  };
  if (all > (b.size() - k_header_size) * k_most_growth)
    return refuse(bad_yaz0(
        4, {.message = text("the data has ", format_count(b.size() - k_header_size, "byte"),
                            ", too few to decompress to the ", format_count(all, "byte"), " that its header states")}));
  begin(all);
  while (left) {
    if (at == b.size()) return ends();
    u8 flags = b[at++];
    for (int i = 0; i < 8 && left; ++i, flags = u8(flags << 1)) {
      if (flags & 0x80) {
        if (at == b.size()) return ends();
        literal(b[at++]);
        --left;
        continue;
      }
      const size_t start = at;
      if (b.size() - at < 2) return ends();
      const u32 distance = (u32(b[at] & 15) << 8 | b[at + 1]) + 1;
      u32 length = b[at] >> 4;
      at += 2;
      if (length)
        length += 2;
      else if (at == b.size())
        return ends();
      else
        length = b[at++] + 0x12u;
      if (distance > all - left)
        return refuse(bad_yaz0(start, {.message = "a copy command refers " + format_count(distance, "byte") +
                                                  " back, but the decompressed data so far has only " +
                                                  format_count(all - left, "byte")}));
      if (length > left)
        return refuse(
            bad_yaz0(start, {.message = "a copy command writes " + format_count(length, "byte") +
                                        ", but the stated size leaves room for only " + format_count(left, "byte")}));
      copy(distance, length);
      left -= length;
    }
  }
  return at;
}

}  // namespace

Result<u64> yaz0_packed_size(ByteView b) {
  return for_each_token(b, [](u64) {}, [](u8) {}, [](u32, u32) {});
}

Result<Unpacked> yaz0_decode(ByteView b) {
  Unpacked out;
  u8* to = nullptr;
  auto size = for_each_token(
      b,
      [&](u64 all) {
        out.bytes.resize(size_t(all));
        to = out.bytes.data();
      },
      [&](u8 byte) { *to++ = byte; },
      [&](u32 distance, u32 length) {
        const u8* from = to - distance;
        if (distance >= length) {
          std::memcpy(to, from, length);
          to += length;
        } else
          while (length--) *to++ = *from++;
      });
  if (!size) return refuse(std::move(size.error()));
  out.packed_size = *size;
  return out;
}

namespace {

constexpr MatchCost k_costs[] = {{k_short, 17}, {k_longest, 25}};

std::vector<Match> cheapest_yaz0_steps(ByteView bytes, u32 first) {
  return find_cheapest_steps(bytes, {9, k_costs, k_window}, first);
}

/// Writes compressed data step by step.
class Yaz0Writer {
 public:
  explicit Yaz0Writer(ByteView bytes) : bytes_(bytes) {
    const u32 n = u32(bytes.size());
    out = {'Y', 'a', 'z', '0', u8(n >> 24), u8(n >> 16), u8(n >> 8), u8(n), 0, 0, 0, 0, 0, 0, 0, 0};
  }
  void put(std::span<const Match> steps) {
    for (const Match& step : steps) {
      const u32 length = step.length, back = step.distance - 1;
      groups_.begin_step(out, length == 1);
      if (length == 1) {
        out.push_back(bytes_[at_]);
      } else {
        const bool is_short = length <= k_short;
        out.push_back(u8((is_short ? (length - 2) << 4 : 0) | back >> 8));
        out.push_back(u8(back));
        if (!is_short) out.push_back(u8(length - 0x12));
      }
      at_ += length;
    }
  }
  Bytes out;

 private:
  ByteView bytes_;
  FlagGroups groups_;
  size_t at_ = 0;
};

}  // namespace

Result<Bytes> yaz0_encode(ByteView bytes) {
  if (bytes.size() > k_most_unpacked)
    return refuse(
        bad_yaz0(0, {.message = format_count(bytes.size(), "byte") + " cannot be compressed; the limit is 64 MiB"}));
  Yaz0Writer writer(bytes);
  writer.put(cheapest_yaz0_steps(bytes, 0));
  return std::move(writer.out);
}

Result<Bytes> yaz0_repack(ByteView packed, ByteView bytes) {
  const auto before = yaz0_decode(packed);
  if (!before) return refuse(before.error());
  if (std::ranges::equal(before->bytes, bytes)) return Bytes(packed.begin(), packed.end());
  if (bytes.size() > k_most_unpacked) return yaz0_encode(bytes);
  std::vector<Match> steps;
  steps.reserve(packed.size());
  const auto size = for_each_token(
      packed, [](u64) {}, [&](u8) { steps.push_back({1, 0}); },
      [&](u32 distance, u32 length) { steps.push_back({length, distance}); });
  if (!size) return refuse(size.error());
  Yaz0Writer writer(bytes);
  writer.out.reserve(packed.size() + packed.size() / 64);
  if (!repack_steps(before->bytes, steps, bytes, k_window, cheapest_yaz0_steps,
                    [&](std::span<const Match> kept) { writer.put(kept); }))
    writer.put(cheapest_yaz0_steps(bytes, 0));
  std::copy_n(packed.begin() + 8, 8, writer.out.begin() + 8);
  append_trailing_bytes(writer.out, packed, *size, 1);
  return std::move(writer.out);
}

}  // namespace dio
