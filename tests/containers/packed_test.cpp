// LZ10, LZ11, Yaz0 and BLZ: compressed data decompresses to the same bytes, and damaged data is never read out of
// bounds.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "containers/packed/blz.hpp"
#include "containers/packed/lz.hpp"
#include "containers/packed/yaz0.hpp"
#include "invented/laws.hpp"

namespace dio::test {
namespace {

/// Different kinds of data: noise, runs, near and distant repetitions.
std::vector<Bytes> contents() {
  std::mt19937 random(7);
  std::vector<Bytes> all = {{}, {1}, {1, 2}, Bytes(3, 9), Bytes(18, 0), Bytes(70000, 5)};
  for (const size_t size : {33, 500, 5000, 20000}) {
    Bytes noise(size), text(size), mixed(size);
    for (u8& b : noise) b = u8(random());
    for (size_t i = 0; i < size; ++i) text[i] = "the quick brown fox "[(i * i / 97 + i) % 20];
    for (size_t i = 0; i < size; ++i) mixed[i] = i / 300 % 2 ? u8(random() % 3) : u8(i);
    all.insert(all.end(), {noise, text, mixed});
    Bytes far = noise;  // again, at the maximum distance
    far.insert(far.end(), noise.begin(), noise.end());
    all.push_back(far);
  }
  return all;
}

TEST(ArchivesLz, DecompressingRestoresTheContent) {
  for (const LzKind kind : {LzKind::lz10, LzKind::lz11})
    for (const Bytes& b : contents()) {
      auto packed = lz_encode(b, kind);
      ASSERT_TRUE(packed);
      EXPECT_EQ(packed->size() % 4, 0u);
      auto unpacked = lz_decode(*packed);
      ASSERT_TRUE(unpacked) << format_one_line(unpacked.error());
      EXPECT_EQ(unpacked->bytes, b);
      EXPECT_LE(packed->size() - unpacked->packed_size, 3u);
    }
}

TEST(ArchivesLz, DecodesHandWrittenExamples) {
  // flags 0100 0000: one byte, then three of them from one back
  EXPECT_EQ(lz_decode(hex("10 040000 40 41 0000"))->bytes, hex("41414141"));
  // LZ11: copies from one byte back: 4 bytes encoded in two bytes, 0x11 in three, 0x111 in four
  EXPECT_EQ(lz_decode(hex("11 050000 40 41 3000"))->bytes, hex("4141414141"));
  EXPECT_EQ(lz_decode(hex("11 120000 40 41 000000"))->bytes, Bytes(0x12, 0x41));
  EXPECT_EQ(lz_decode(hex("11 120100 40 41 10000000"))->bytes, Bytes(0x112, 0x41));
  // an extended size field
  EXPECT_EQ(lz_decode(hex("10 000000 02000000 00 4142"))->bytes, hex("4142"));
}

TEST(ArchivesLz, CompressesLongRunsWell) {
  EXPECT_LT(lz_encode(Bytes(70000, 5), LzKind::lz11)->size(), 24u);
  EXPECT_LT(lz_encode(Bytes(70000, 5), LzKind::lz10)->size(), 9000u);
}

TEST(ArchivesLz, RejectsCopiesOutsideTheData) {
  const std::pair<const char*, const char*> damaged[] = {
      {"", "expected LZ data, which starts with the byte 0x10 or 0x11"},
      {"12 040000 00", "expected LZ data, which starts with the byte 0x10 or 0x11"},
      {"10 040000 80 0000", "a copy command refers 1 byte back, but the decompressed data so far has only 0 bytes"},
      {"10 040000 40 41 0001", "a copy command refers 2 bytes back, but the decompressed data so far has only 1 byte"},
      {"10 030000 40 41 0000", "but the stated size leaves room for only 2 bytes"},
      {"10 040000 40 41", "expected 3 more decompressed bytes"},
      {"10 040000", "expected 4 more decompressed bytes"},
      {"10 000000 ffffffff 00", "expected a decompressed size of at most 64 MiB"},
  };
  for (const auto& [bytes, expected] : damaged) {
    const auto r = lz_decode(Exact(hex(bytes)).view());
    ASSERT_FALSE(r) << bytes;
    EXPECT_EQ(r.error().id, "archives.lz");
    EXPECT_NE(format_one_line(r.error()).find(expected), std::string::npos)
        << bytes << ": " << format_one_line(r.error());
  }
}

TEST(ArchivesLz, DamagedDataIsRejectedOrKeepsItsSize) {
  const Bytes content = contents()[15];
  auto packed = lz_encode(content, LzKind::lz11);
  ASSERT_TRUE(packed);
  const auto unpacks_to_its_size = [&](const Bytes& b) {
    const auto r = lz_decode(Exact(b).view());
    EXPECT_TRUE(!r || r->bytes.size() == content.size());
  };
  for (size_t i = 4; i < packed->size(); ++i) {
    Bytes b = *packed;
    b[i] ^= u8(0x80 >> i % 8);
    unpacks_to_its_size(b);
    b.resize(i);
    unpacks_to_its_size(b);
  }
}

TEST(ArchivesYaz0, DecompressingRestoresTheContent) {
  for (const Bytes& b : contents()) {
    auto packed = yaz0_encode(b);
    ASSERT_TRUE(packed);
    auto unpacked = yaz0_decode(*packed);
    ASSERT_TRUE(unpacked) << format_one_line(unpacked.error());
    EXPECT_EQ(unpacked->bytes, b);
    EXPECT_EQ(unpacked->packed_size, packed->size());
    EXPECT_EQ(*yaz0_packed_size(*packed), packed->size());
  }
}

/// Edited contents: in place, with bytes inserted or removed, or both, including at both ends.
std::vector<Bytes> edits_of(const Bytes& b, std::mt19937& random) {
  std::vector<Bytes> all;
  for (int i = 0; i < 12; ++i) {
    Bytes& e = all.emplace_back(b);
    const auto place = [&] { return std::ptrdiff_t(random() % (e.size() + 1)); };
    if (i % 3 == 1) e.insert(e.begin() + place(), 1 + random() % 40, u8(random()));
    if (i % 3 == 2 && !e.empty()) {
      const auto at = std::min<std::ptrdiff_t>(place(), std::ptrdiff_t(e.size()) - 1);
      e.erase(e.begin() + at, e.begin() + std::min<std::ptrdiff_t>(at + 30, std::ptrdiff_t(e.size())));
    }
    for (size_t n = i % 4; n && !e.empty(); --n) e[random() % e.size()] ^= u8(1 + random() % 255);
  }
  all.push_back({});
  return all;
}

TEST(ArchivesYaz0, RecompressedEditsDecompressCorrectly) {
  std::mt19937 random(11);
  for (const Bytes& b : contents()) {
    Bytes packed = *yaz0_encode(b);
    packed[9] = 32;  // an alignment
    for (const Bytes& e : edits_of(b, random)) {
      const auto again = yaz0_repack(packed, e);
      ASSERT_TRUE(again);
      EXPECT_EQ(yaz0_decode(*again)->bytes, e);
      EXPECT_EQ((*again)[9], 32);
      EXPECT_LE(again->size(), yaz0_encode(e)->size() + 60 + e.size() / 50);
    }
    EXPECT_EQ(*yaz0_repack(packed, b), packed);
  }
}

TEST(ArchivesLz, RecompressedEditsDecompressCorrectly) {
  std::mt19937 random(12);
  for (const LzKind kind : {LzKind::lz10, LzKind::lz11})
    for (const Bytes& b : contents()) {
      const Bytes packed = *lz_encode(b, kind);
      for (const Bytes& e : edits_of(b, random)) {
        const auto again = lz_repack(packed, e);
        ASSERT_TRUE(again);
        EXPECT_EQ(lz_decode(*again)->bytes, e);
      }
      EXPECT_EQ(*lz_repack(packed, b), packed);
    }
}

TEST(ArchivesYaz0, UnchangedBytesKeepTheirCompressedForm) {
  // Encoded with literals only, as a poor encoder would.
  Bytes content(40000);
  for (size_t i = 0; i < content.size(); ++i) content[i] = u8(i / 7);
  Bytes packed = hex("59617a30 00009c40 00000000 00000000");
  for (size_t i = 0; i < content.size(); ++i) {
    if (i % 8 == 0) packed.push_back(0xFF);
    packed.push_back(content[i]);
  }
  ASSERT_EQ(yaz0_decode(packed)->bytes, content);
  Bytes edited = content;
  edited[20000] ^= 1;
  const Bytes again = *yaz0_repack(packed, edited);
  ASSERT_EQ(again.size(), packed.size());
  size_t different = 0;
  for (size_t i = 0; i < packed.size(); ++i) different += again[i] != packed[i];
  EXPECT_EQ(different, 1u);
  // Five bytes longer; unchanged before and after the insertion.
  edited.insert(edited.begin() + 20000, 5, 0xEE);
  const Bytes longer = *yaz0_repack(packed, edited);
  EXPECT_EQ(yaz0_decode(longer)->bytes, edited);
  EXPECT_GT(longer.size(), packed.size() - 20);
  EXPECT_TRUE(std::equal(packed.begin() + 8, packed.begin() + 20000, longer.begin() + 8));
}

TEST(ArchivesYaz0, KeepsBytesAfterTheData) {
  const Bytes content(100, 7);
  Bytes padded = *yaz0_encode(content), noted = padded;
  padded.resize((padded.size() + 31) / 32 * 32);
  for (const char c : std::string("made by hand")) noted.push_back(u8(c));
  Bytes edited = content;
  for (size_t i = 0; i < 40; ++i) edited[i] = u8(i * i);
  EXPECT_EQ(yaz0_repack(padded, edited)->size() % 32, 0u);
  const Bytes kept = *yaz0_repack(noted, edited);
  EXPECT_EQ(std::string(kept.end() - 12, kept.end()), "made by hand");
}

TEST(ArchivesYaz0, DecodesHandWrittenExamples) {
  const std::string head = "59617a30 00000004 00000000 00000000";
  // flags 1000 0000: one byte, then three of them from one back
  EXPECT_EQ(yaz0_decode(hex(head + "80 41 1000"))->bytes, hex("41414141"));
  // 0x12 and one more in three bytes
  EXPECT_EQ(yaz0_decode(hex("59617a30 00000014 0000000000000000 80 41 000001"))->bytes, Bytes(0x14, 0x41));
  EXPECT_EQ(yaz0_decode(hex("59617a30 00000000 0000000000000000"))->bytes, Bytes());
}

/// The size of the steps in bits, without the header; a partial group still has a full byte of flags.
u64 bits_of(ByteView packed) { return 8 * (packed.size() - 16); }

/// The size of the best encoding, found by trying every match at every byte: slow, but obviously correct.
u64 least_bits(const Bytes& b) {
  std::vector<u64> least(b.size() + 1, 0);
  for (size_t i = b.size(); i-- > 0;) {
    least[i] = 9 + least[i + 1];
    for (size_t from = i < 0x1000 ? 0 : i - 0x1000; from < i; ++from)
      for (size_t n = 1; n <= 0x111 && i + n <= b.size() && b[from + n - 1] == b[i + n - 1]; ++n)
        if (n >= 3) least[i] = std::min(least[i], (n < 18 ? 17 : 25) + least[i + n]);
  }
  return least[0];
}

TEST(ArchivesYaz0, FindsTheSmallestEncoding) {
  std::vector<Bytes> all = contents();
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {  // few symbols, so that there are many choices
    Bytes& b = all.emplace_back(20 + random() % 900);
    const u32 symbols = 1 + random() % 4;
    for (u8& x : b) x = u8(random() % symbols);
  }
  for (const Bytes& b : all) {
    if (b.size() > 1500) continue;  // trying every encoding takes long
    const u64 bits = bits_of(*yaz0_encode(b));
    // Flags are stored in whole bytes.
    EXPECT_LE(bits, least_bits(b) + 7) << b.size();
    EXPECT_GE(bits, least_bits(b)) << b.size();
  }
}

TEST(ArchivesYaz0, RejectsCopiesOutsideTheData) {
  const std::pair<const char*, const char*> damaged[] = {
      {"", "expected data that starts with Yaz0"},
      {"59617a31 00000004 0000000000000000 80 41 1000", "expected data that starts with Yaz0"},
      {"59617a30 00000004 0000000000000000 00 1000 00",
       "a copy command refers 1 byte back, but the decompressed data so far has only 0"},
      {"59617a30 00000003 0000000000000000 80 41 1000", "but the stated size leaves room for only 2 bytes"},
      {"59617a30 00000004 0000000000000000 80 41", "expected 3 more decompressed bytes"},
      {"59617a30 00000014 0000000000000000 80 41 0000", "expected 19 more decompressed bytes"},
      {"59617a30 00100000 0000000000000000 80 41 1000", "too few to decompress to the 1048576 bytes"},
      {"59617a30 ffffffff 0000000000000000 00", "expected a decompressed size of at most 64 MiB"},
  };
  for (const auto& [bytes, expected] : damaged) {
    const auto r = yaz0_decode(Exact(hex(bytes)).view());
    ASSERT_FALSE(r) << bytes;
    EXPECT_EQ(r.error().id, "archives.yaz0");
    EXPECT_NE(format_one_line(r.error()).find(expected), std::string::npos)
        << bytes << ": " << format_one_line(r.error());
  }
}

TEST(ArchivesBlz, DecompressingRestoresTheContent) {
  size_t packed_ones = 0;
  for (const Bytes& b : contents())
    for (const size_t keep : {size_t(0), size_t(100)}) {
      const auto packed = blz_encode(b, keep);
      if (!packed) continue;
      ++packed_ones;
      EXPECT_LT(packed->size(), b.size());
      EXPECT_EQ(packed->size() % 4, 0u);
      EXPECT_TRUE(std::equal(b.begin(), b.begin() + std::ptrdiff_t(keep), packed->begin()));
      auto unpacked = blz_decode(*packed);
      ASSERT_TRUE(unpacked) << format_one_line(unpacked.error());
      EXPECT_EQ(*unpacked, b);
    }
  EXPECT_GT(packed_ones, 15u);
}

/// Decompresses in one buffer, as the console does: the output must not overtake the input that is still to be read.
TEST(ArchivesBlz, CanBeDecompressedInPlace) {
  for (const Bytes& b : contents()) {
    const auto packed = blz_encode(b);
    if (!packed) continue;
    Bytes memory = *packed;
    const auto word = [&](size_t at) {
      return u32(memory[at]) | u32(memory[at + 1]) << 8 | u32(memory[at + 2]) << 16 | u32(memory[at + 3]) << 24;
    };
    const size_t size = memory.size(), stop = size - (word(size - 8) & 0xFFFFFF);
    size_t from = size - (word(size - 8) >> 24), to = size + word(size - 4);
    memory.resize(to);
    while (from > stop) {
      u8 flags = memory[--from];
      for (int i = 0; i < 8 && from > stop; ++i, flags = u8(flags << 1)) {
        if (!(flags & 0x80)) {
          memory[--to] = memory[--from];
        } else {
          const u8 high = memory[--from], low = memory[--from];
          const size_t distance = (size_t(high & 15) << 8 | low) + 3;
          for (int n = (high >> 4) + 3; n > 0; --n, --to) memory[to - 1] = memory[to - 1 + distance];
        }
        ASSERT_GE(to, from);
      }
    }
    EXPECT_EQ(memory, b);
  }
}

TEST(ArchivesBlz, DamagedDataIsRejectedOrKeepsItsSize) {
  const Bytes b = contents()[15];
  const auto packed = blz_encode(b);
  ASSERT_TRUE(packed);
  for (size_t i = 0; i < packed->size(); ++i) {
    Bytes damaged = *packed;
    damaged[i] ^= u8(0x80 >> i % 8);
    const auto r = blz_decode(Exact(damaged).view());
    EXPECT_TRUE(r || r.error().id == "archives.blz");
    EXPECT_TRUE(!r || i + 8 >= packed->size() || r->size() == b.size());
    damaged = *packed;
    damaged.resize(i);
    static_cast<void>(blz_decode(Exact(damaged).view()));
  }
}

TEST(ArchivesBlz, UnpacksArm9IfFlagged) {
  constexpr u32 k_address = 0x02000000;
  Bytes arm9(0x8000);
  for (size_t i = 0; i < arm9.size(); ++i) arm9[i] = u8(i / 64);
  const auto put = [](Bytes& to, size_t at, u32 n) {
    for (int i = 0; i < 4; ++i) to[at + size_t(i)] = u8(n >> 8 * i);
  };
  put(arm9, 0xBB4, 0);
  put(arm9, 0xBBC, 0xDEC00621);
  put(arm9, 0xBC0, 0x2106C0DE);
  EXPECT_EQ(packed_arm9_end(arm9), 0u);
  EXPECT_EQ(*decompress_arm9(arm9, k_address), arm9);
  auto packed = blz_encode(arm9, 0x4000);
  ASSERT_TRUE(packed);
  put(*packed, 0xBB4, k_address + u32(packed->size()));
  EXPECT_EQ(packed_arm9_end(*packed), k_address + packed->size());
  auto unpacked = decompress_arm9(*packed, k_address);
  ASSERT_TRUE(unpacked) << format_one_line(unpacked.error());
  EXPECT_EQ(*unpacked, arm9);
  put(*packed, 0xBB4, k_address + 0x100000);
  EXPECT_FALSE(decompress_arm9(*packed, k_address));
}

}  // namespace
}  // namespace dio::test
