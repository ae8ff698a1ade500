#include "containers/packed/lz.hpp"

#include "containers/packed/flag_groups.hpp"
#include "containers/packed/matcher.hpp"
#include "containers/packed/repack.hpp"
#include "core/little_endian.hpp"
#include "core/text_format.hpp"

namespace dio {
namespace {

Diagnostic bad_lz(u64 offset, DiagnosticText said) {
  return make_diagnostic("archives.lz", Location::of_bytes(offset, 0), std::move(said));
}

}  // namespace

std::optional<LzHeader> parse_lz_header(ByteView b) {
  if (b.size() < 4 || (b[0] != 0x10 && b[0] != 0x11)) return {};
  const u64 size = u64(b[1]) | u64(b[2]) << 8 | u64(b[3]) << 16;
  if (size) return LzHeader{LzKind(b[0]), size, 4};
  if (b.size() < 8) return {};
  return LzHeader{LzKind(b[0]), read_u32_le(b.data() + 4), 8};
}

namespace {

/// Walks through packed data: calls literal(byte) and copy(distance, length). Returns the number of bytes read.
Result<u64> for_each_token(ByteView b, auto literal, auto copy) {
  const auto header = parse_lz_header(b);
  if (!header)
    return refuse(bad_lz(0, {.expected = "LZ data, which starts with the byte 0x10 or 0x11 and the decompressed size",
                             .found = encode_hex(b.first(std::min<size_t>(b.size(), 4)))}));
  if (header->size > k_most_unpacked)
    return refuse(
        bad_lz(1, {.expected = "a decompressed size of at most 64 MiB", .found = format_count(header->size, "byte")}));
  size_t at = size_t(header->data_at);
  u64 size = 0;  // unpacked so far
  const auto ends = [&] {
    return refuse(bad_lz(b.size(), {.expected = format_count(header->size - size, "more decompressed byte"),
                                    .found = "the end of the data"}));
  };
  while (size < header->size) {
    if (at == b.size()) return ends();
    u8 flags = b[at++];
    for (int i = 0; i < 8 && size < header->size; ++i, flags = u8(flags << 1)) {
      if (!(flags & 0x80)) {
        if (at == b.size()) return ends();
        literal(b[at++]);
        ++size;
        continue;
      }
      const size_t start = at, left = b.size() - at;
      const u8 kind = left ? b[at] >> 4 : 0;
      const size_t needed = header->kind == LzKind::lz10 || kind > 1 ? 2 : kind == 0 ? 3 : 4;
      if (left < needed) return ends();
      u64 length;
      if (header->kind == LzKind::lz10)
        length = kind + 3u;
      else if (kind == 0)
        length = (u64(b[at] & 15) << 4 | b[at + 1] >> 4) + 0x11;
      else if (kind == 1)
        length = (u64(b[at] & 15) << 12 | u64(b[at + 1]) << 4 | b[at + 2] >> 4) + 0x111;
      else
        length = kind + 1u;
      at += needed;
      const size_t distance = (size_t(b[at - 2] & 15) << 8 | b[at - 1]) + 1;
      if (distance > size)
        return refuse(bad_lz(
            start, {.message = "a copy command refers " + format_count(distance, "byte") +
                               " back, but the decompressed data so far has only " + format_count(size, "byte")}));
      if (length > header->size - size)
        return refuse(bad_lz(start, {.message = "a copy command writes " + format_count(length, "byte") +
                                                ", but the stated size leaves room for only " +
                                                format_count(header->size - size, "byte")}));
      copy(distance, length);
      size += length;
    }
  }
  return at;
}

}  // namespace

Result<u64> lz_packed_size(ByteView b) {
  return for_each_token(b, [](u8) {}, [](size_t, u64) {});
}

Result<Unpacked> lz_decode(ByteView b) {
  Unpacked out;  // not reserved: the stated size can be arbitrary, and the data may end early
  auto size = for_each_token(
      b, [&](u8 byte) { out.bytes.push_back(byte); },
      [&](size_t distance, u64 length) {
        for (u64 n = 0; n < length; ++n) out.bytes.push_back(out.bytes[out.bytes.size() - distance]);
      });
  if (!size) return refuse(std::move(size.error()));
  out.packed_size = *size;
  return out;
}

namespace {

constexpr u32 k_lz_window = 0x1000;
u32 longest_copy(LzKind kind) { return kind == LzKind::lz10 ? 18 : 0x10110; }

std::vector<Match> find_lz_steps(ByteView bytes, u32 first, LzKind kind) {
  std::vector<Match> steps;
  // With 16-bit memory writes, a distance of 1 would read a byte that is not written yet.
  for_each_lz_step(
      bytes, 2, k_lz_window, longest_copy(kind), [&](size_t) { steps.push_back({1, 0}); },
      [&](size_t, Match m) { steps.push_back(m); }, first);
  return steps;
}

void put_copy(Bytes& out, LzKind kind, u32 n, u32 d) {
  if (kind == LzKind::lz10)
    out.push_back(u8((n - 3) << 4 | d >> 8));
  else if (n < 0x11)
    out.push_back(u8((n - 1) << 4 | d >> 8));
  else if (n < 0x111) {
    out.push_back(u8((n - 0x11) >> 4));
    out.push_back(u8((n - 0x11) << 4 | d >> 8));
  } else {
    out.push_back(u8(0x10 | (n - 0x111) >> 12));
    out.push_back(u8((n - 0x111) >> 4));
    out.push_back(u8((n - 0x111) << 4 | d >> 8));
  }
  out.push_back(u8(d));
}

/// Writes compressed data step by step. `is_long`: uses the 8-byte header even if the size fits in 3 bytes.
class LzWriter {
 public:
  LzWriter(ByteView bytes, LzKind kind, bool is_long = false) : bytes_(bytes), kind_(kind) {
    out.push_back(u8(kind));
    const auto put_number = [&](u64 n, int count) {
      for (int i = 0; i < count; ++i) out.push_back(u8(n >> 8 * i));
    };
    const bool is_short = !is_long && !bytes.empty() && bytes.size() < 1 << 24;
    put_number(is_short ? bytes.size() : 0, 3);
    if (!is_short) put_number(bytes.size(), 4);
  }
  void put(std::span<const Match> steps) {
    for (const Match& step : steps) {
      groups_.begin_step(out, step.length > 1);
      if (step.length == 1)
        out.push_back(bytes_[at_]);
      else
        put_copy(out, kind_, step.length, step.distance - 1);
      at_ += step.length;
    }
  }
  Bytes out;

 private:
  ByteView bytes_;
  LzKind kind_;
  FlagGroups groups_;
  size_t at_ = 0;
};

Diagnostic lz_size_error(ByteView bytes) {
  return bad_lz(0, {.message = format_count(bytes.size(), "byte") + " cannot be compressed; the limit is 64 MiB"});
}

}  // namespace

Result<Bytes> lz_encode(ByteView bytes, LzKind kind) {
  if (bytes.size() > k_most_unpacked) return refuse(lz_size_error(bytes));
  LzWriter writer(bytes, kind);
  writer.put(find_lz_steps(bytes, 0, kind));
  while (writer.out.size() % 4) writer.out.push_back(0);
  return std::move(writer.out);
}

Result<Bytes> lz_repack(ByteView packed, ByteView bytes) {
  const auto before = lz_decode(packed);
  if (!before) return refuse(before.error());
  if (std::ranges::equal(before->bytes, bytes)) return Bytes(packed.begin(), packed.end());
  if (bytes.size() > k_most_unpacked) return refuse(lz_size_error(bytes));
  const auto header = parse_lz_header(packed);
  std::vector<Match> steps;
  const auto size = for_each_token(
      packed, [&](u8) { steps.push_back({1, 0}); },
      [&](size_t distance, u64 length) { steps.push_back({u32(length), u32(distance)}); });
  if (!size) return refuse(size.error());
  LzWriter writer(bytes, header->kind, header->data_at == 8);
  const auto find_steps = [&](ByteView run, u32 first) { return find_lz_steps(run, first, header->kind); };
  if (!repack_steps(before->bytes, steps, bytes, k_lz_window, find_steps,
                    [&](std::span<const Match> kept) { writer.put(kept); }))
    writer.put(find_steps(bytes, 0));
  append_trailing_bytes(writer.out, packed, *size, 4);
  return std::move(writer.out);
}

}  // namespace dio
