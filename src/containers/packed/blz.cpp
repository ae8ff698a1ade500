#include "containers/packed/blz.hpp"

#include "containers/packed/flag_groups.hpp"
#include "containers/packed/matcher.hpp"
#include "core/little_endian.hpp"
#include "core/text_format.hpp"

namespace dio {
namespace {

u32 word(ByteView b, size_t at) { return read_u32_le(b.data() + at); }
Diagnostic bad_blz(u64 offset, DiagnosticText said) {
  return make_diagnostic("archives.blz", Location::of_bytes(offset, 0), std::move(said));
}

/// The offset in arm9 of the word with that end: 8 bytes before two consecutive marks.
std::optional<size_t> find_packed_end(ByteView arm9) {
  for (size_t i = 8; i + 8 <= arm9.size(); i += 4)
    if (word(arm9, i) == 0xDEC00621 && word(arm9, i + 4) == 0x2106C0DE) return i - 8;
  return {};
}

}  // namespace

Result<Bytes> blz_decode(ByteView b) {
  const size_t size = b.size();
  if (size < 8) return refuse(bad_blz(0, {.expected = "an 8-byte footer", .found = format_count(size, "byte")}));
  const u32 lengths = word(b, size - 8), growth = word(b, size - 4);
  const size_t packed = lengths & 0xFFFFFF, footer = lengths >> 24;
  if (packed > size || footer < 8 || footer > packed)
    return refuse(bad_blz(size - 8, {.expected = "a compressed size of at most " + std::to_string(size) +
                                                 " and a footer size of at least 8",
                                     .found = "a compressed size of " + std::to_string(packed) +
                                              " and a footer size of " + std::to_string(footer)}));
  // Two bytes expand to at most 18.
  if (growth > 9 * u64(packed) || size + u64(growth) > k_most_unpacked)
    return refuse(bad_blz(size - 4, {.message = "the footer states that " + format_count(packed, "compressed byte") +
                                                " grow by " + format_count(growth, "byte") + ", which is impossible"}));
  Bytes out(b.begin(), b.end());
  out.resize(size + growth);
  const size_t stop = size - packed;
  size_t from = size - footer, to = out.size();
  while (from > stop) {
    u8 flags = b[--from];
    for (int i = 0; i < 8 && from > stop; ++i, flags = u8(flags << 1)) {
      if (to <= stop)
        return refuse(bad_blz(from, {.expected = "the end of the compressed data", .found = "more bytes"}));
      if (!(flags & 0x80)) {
        out[--to] = b[--from];
        continue;
      }
      if (from - stop < 2) return refuse(bad_blz(from, {.expected = "a copy command of 2 bytes", .found = "1 byte"}));
      const u8 high = b[--from], low = b[--from];
      const size_t length = (high >> 4) + 3u, distance = (size_t(high & 15) << 8 | low) + 3;
      if (distance > out.size() - to)
        return refuse(bad_blz(from, {.message = "a copy command refers " + format_count(distance, "byte") +
                                                " ahead, but the decompressed data so far has only " +
                                                format_count(out.size() - to, "byte")}));
      if (length > to - stop)
        return refuse(bad_blz(
            from, {.message = "a copy command writes " + format_count(length, "byte") +
                              ", but the stated size leaves room for only " + format_count(to - stop, "byte")}));
      for (size_t n = 0; n < length; ++n, --to) out[to - 1] = out[to - 1 + distance];
    }
  }
  if (to != stop)
    return refuse(bad_blz(stop, {.expected = format_count(to - stop, "more decompressed byte"),
                                 .found = "the end of the compressed data"}));
  return out;
}

std::optional<Bytes> blz_encode(ByteView bytes, size_t keep) {
  if (bytes.size() <= keep || bytes.size() > 0xFFFFFF) return {};
  const Bytes reversed(bytes.rbegin(), bytes.rend() - std::ptrdiff_t(keep));
  Bytes packed;
  FlagGroups groups;
  // In-place decompression must not overwrite data that is still packed. This is safe if the packed part ends where the
  // savings are largest; the bytes before it stay uncompressed.
  struct {
    size_t taken = 0, packed = 0;
  } best;
  const auto emit_token = [&](size_t taken, std::initializer_list<u8> token, bool is_match) {
    groups.begin_step(packed, is_match);
    packed.insert(packed.end(), token);
    if (taken + best.packed > best.taken + packed.size()) best = {taken, packed.size()};
  };
  for_each_lz_step(
      reversed, 3, 0x1002, 18, [&](size_t i) { emit_token(i + 1, {reversed[i]}, false); },
      [&](size_t i, Match m) {
        emit_token(i + m.length, {u8((m.length - 3) << 4 | (m.distance - 3) >> 8), u8(m.distance - 3)}, true);
      });
  const size_t raw = bytes.size() - best.taken;
  Bytes out(bytes.begin(), bytes.begin() + std::ptrdiff_t(raw));
  out.insert(out.end(), packed.rend() - std::ptrdiff_t(best.packed), packed.rend());
  size_t footer = 8;
  for (; out.size() % 4; ++footer) out.push_back(0xFF);
  const size_t size = out.size() + 8;
  if (size >= bytes.size()) return {};
  const auto put = [&](u64 n) {
    for (int i = 0; i < 4; ++i) out.push_back(u8(n >> 8 * i));
  };
  put((best.packed + footer) | u64(footer) << 24);
  put(bytes.size() - size);
  return out;
}

u32 packed_arm9_end(ByteView arm9) {
  const auto at = find_packed_end(arm9);
  return at ? word(arm9, *at) : 0;
}

Result<Bytes> decompress_arm9(ByteView arm9, u32 address) {
  const auto at = find_packed_end(arm9);
  const u32 end = at ? word(arm9, *at) : 0;
  if (!end) return Bytes(arm9.begin(), arm9.end());
  if (end < address || end - address > arm9.size())
    return refuse(bad_blz(*at, {.expected = "an end address inside arm9", .found = format_hex(end)}));
  auto out = blz_decode(arm9.first(end - address));
  if (!out) return out;
  out->insert(out->end(), arm9.begin() + std::ptrdiff_t(end - address), arm9.end());
  if (*at + 4 <= out->size()) std::fill_n(out->begin() + std::ptrdiff_t(*at), 4, u8(0));
  return out;
}

Bytes compress_arm9(const Bytes& plain, ByteView original, u32 address) {
  constexpr size_t k_secure_area = 0x4000;  // stays uncompressed
  const auto at = find_packed_end(original);
  const u32 end = at ? word(original, *at) : 0;
  if (!end || end < address || end - address > original.size()) return plain;
  const size_t rest = original.size() - (end - address);  // bytes after the compressed part
  if (rest > plain.size()) return plain;
  auto packed = blz_encode(ByteView(plain).first(plain.size() - rest), k_secure_area);
  if (!packed || *at + 4 > packed->size()) return plain;
  const u32 new_end = address + u32(packed->size());
  for (int i = 0; i < 4; ++i) (*packed)[*at + size_t(i)] = u8(new_end >> 8 * i);
  packed->insert(packed->end(), plain.end() - std::ptrdiff_t(rest), plain.end());
  return std::move(*packed);
}

}  // namespace dio
