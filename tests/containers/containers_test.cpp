// containers_test.cpp: tests specific to archives, with hand-computed bytes. every_format_test.cpp covers the
// properties that all formats share.
#include <gtest/gtest.h>

#include "containers/damaged.hpp"
#include "containers/packed/blz.hpp"
#include "core/crc16.hpp"
#include "engine/broken_rules.hpp"
#include "formats/contract/archive.hpp"
#include "invented/expect_laws.hpp"
#include "operations/operations.hpp"
#include "samples/containers/archives.hpp"

namespace dio::containers {

namespace {

using test::as_hex;
using test::hex;

Result<Bytes> replaced(const ArchiveOps& ops, const Bytes& archive, size_t member, Bytes content) {
  const NewContent one{member, std::move(content)};
  return ops.replace(archive, {&one, 1});
}

// ---- rules ----

TEST(ArchiveRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "archives."); }
TEST(ArchiveRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(rules(), broken_files()); }
TEST(ArchiveRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_files()); }
TEST(ArchiveRules, FindingsMatchTheRecordedText) {
  test::expect_said_as_before(broken_files(), "containers/damaged.txt");
}

// ---- contents ----

/// A file that stays in memory is not copied, and edits do not change it.
TEST(FileBytes, BorrowsFromFilesThatStayInMemory) {
  const Bytes file = bytes_of(shelf());
  const auto is_inside = [&](const FileBytes& b) { return b.data() >= file.data() && b.end() <= &file.back() + 1; };
  auto lent = load<Narc>(file, {.stays = true}), own = load<Narc>(file);
  ASSERT_TRUE(lent && own);
  for (size_t i = 0; i < own->document.value().files.size(); ++i) {
    const FileBytes &a = lent->document.value().files[i].content, &b = own->document.value().files[i].content;
    EXPECT_EQ(a, b);
    EXPECT_TRUE(is_inside(a) || a.empty());
    EXPECT_FALSE(is_inside(b) && !b.empty());
  }
  const Bytes before = file;
  lent->document.edit().files[0].content = Bytes{1, 2, 3};
  own->document.edit().files[0].content = Bytes{1, 2, 3};
  const auto a = save(lent->document), b = save(own->document);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
  EXPECT_NE(*a, file);
  EXPECT_EQ(file, before);
}

// ---- NARC ----

const Bytes k_two =
    hex("'NARC' fe ff 00 01 4c000000 1000 0300"
        "'BTAF' 1c000000 0200 0000  00000000 03000000  04000000 05000000"
        "'BTNF' 10000000 04000000 0000 0100"
        "'GMIF' 10000000 'one' ff '!' ffffff");

TEST(ArchivesNarc, WritesTheLayoutUsedByGames) { EXPECT_BYTES(bytes_of(make_narc({{'o', 'n', 'e'}, {'!'}})), k_two); }

TEST(ArchivesNarc, PlacesEmptyMembersBetweenTheirNeighbours) {
  auto n = load<Narc>(bytes_of(make_narc({{'o', 'n', 'e'}, {}, {'!'}})));
  ASSERT_TRUE(n);
  const auto& files = n->document.value().files;
  EXPECT_EQ(files[1].start, 4u);
  EXPECT_EQ(files[1].end, 4u);
  EXPECT_EQ(files[2].start, 4u);
}

TEST(ArchivesNarc, ObeysAllLayoutLaws) { test::Laws<Narc>::hold_for(k_two, 3); }

TEST(ArchivesNarc, ListsFilesBeforeSubfolders) {
  const Bytes named = bytes_of(named_shelf());
  EXPECT_EQ(test::Laws<Narc>::broken(named, true), "");
  auto loaded = load<Narc>(named);
  ASSERT_TRUE(loaded);
  const Narc& n = loaded->document.value();
  auto paths = build_paths(n.names, n.files.size());
  ASSERT_TRUE(paths);
  EXPECT_EQ(*paths, (std::vector<std::string>{"Maps.lst", "readme.txt", "maps/town.bin", "maps/route/1.bin"}));
  EXPECT_EQ(std::string(n.files[3].content.begin(), n.files[3].content.end()), "the way to the town");
  EXPECT_EQ(named[4], 0xFF);
  EXPECT_EQ(named[5], 0xFE);
}

TEST(ArchivesNarc, ResizingAMemberMovesLaterMembers) {
  auto b = replaced(k_narc_ops, k_two, 0, {'t', 'h', 'r', 'e', 'e'});
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_BYTES(*b, bytes_of(make_narc({{'t', 'h', 'r', 'e', 'e'}, {'!'}})));
  b = replaced(k_narc_ops, k_two, 1, {'?'});
  ASSERT_TRUE(b);
  Bytes expected = k_two;
  expected[0x48] = '?';
  EXPECT_BYTES(*b, expected);
}

// ---- U8 ----

/// Two files, one of them in a folder, below the root folder `.` that Nintendo's tools write.
const Bytes k_course =
    hex("'U' aa '8-' 00000020 0000004d 00000080  00000000 00000000 00000000 00000000"
        "01000000 00000000 00000005"  // the root
        "01000001 00000000 00000005"  // .
        "00000003 00000080 00000003"  // a.bin
        "01000009 00000001 00000005"  // b
        "0000000b 000000a0 00000001"  // b/c.bin
        "00 2e00 'a.bin' 00 'b' 00 'c.bin' 00"
        "00000000000000 000000000000 000000000000"
        "'one' 00 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        "'!' 000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000");

TEST(ArchivesU8, WritesTheLayoutUsedByGames) {
  EXPECT_BYTES(bytes_of(make_u8({{"b/c.bin", {'!'}}, {"a.bin", {'o', 'n', 'e'}}})), k_course);
}

TEST(ArchivesU8, ObeysAllLayoutLaws) { test::Laws<U8Archive>::hold_for(k_course, 3); }

TEST(ArchivesU8, BuildsPathsFromFolders) {
  const auto a = load<U8Archive>(k_course);
  ASSERT_TRUE(a) << format_one_line(a.error());
  const auto paths = build_paths(a->document.value());
  ASSERT_TRUE(paths);
  EXPECT_EQ(*paths, (std::vector<std::string>{".", "a.bin", "b", "b/c.bin"}));
  const auto members = k_u8_ops.members(BorrowedByteSource(k_course));
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 2u);
  EXPECT_EQ((*members)[1].path, "b/c.bin");
  EXPECT_EQ((*members)[1].offset, 0xA0u);
}

TEST(ArchivesU8, ResizingAMemberMovesLaterMembers) {
  auto b = replaced(k_u8_ops, k_course, 0, Bytes(33, 'x'));
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_BYTES(*b, bytes_of(make_u8({{"a.bin", Bytes(33, 'x')}, {"b/c.bin", {'!'}}})));
  b = replaced(k_u8_ops, k_course, 1, {'?'});
  ASSERT_TRUE(b);
  Bytes expected = k_course;
  expected[0xA0] = '?';
  EXPECT_BYTES(*b, expected);
}

/// Other tools store members in a different order than their nodes.
TEST(ArchivesU8, KeepsTheStoredMemberOrder) {
  Bytes b = k_course;
  const auto corrupt_at = [&](size_t at, u8 value) { b[at] = value; };
  corrupt_at(0x3F, 0xA0), corrupt_at(0x43, 1);  // a.bin is at 0xA0
  corrupt_at(0x57, 0x80), corrupt_at(0x5B, 3);  // b/c.bin at 0x80
  EXPECT_EQ(test::Laws<U8Archive>::broken(b, true), "");
  const auto changed = replaced(k_u8_ops, b, 1, Bytes(50, 'x'));
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  const auto members = k_u8_ops.members(BorrowedByteSource(*changed));
  ASSERT_TRUE(members);
  EXPECT_LT((*members)[1].offset, (*members)[0].offset);
  EXPECT_EQ((*changed)[(*members)[0].offset], '!');
}

TEST(ArchivesU8, ReplacingASharedMemberKeepsTheOther) {
  Bytes b = k_course;
  b[0x57] = 0x80, b[0x5B] = 3;  // the second member has the bytes of the first
  const auto changed = replaced(k_u8_ops, b, 1, {'t', 'w', 'o'});
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  const auto a = load<U8Archive>(*changed);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->document.value().nodes[1].content, (Bytes{'o', 'n', 'e'}));
  EXPECT_EQ(a->document.value().nodes[3].content, (Bytes{'t', 'w', 'o'}));
}

TEST(ArchivesU8, ReadsAndReportsWronglyNestedFolders) {
  const std::pair<size_t, u8> damages[] = {{0x4B, 0},   // a folder in the root instead of `.`
                                           {0x4F, 6}};  // a folder that ends after its parent
  const auto expected = k_u8_ops.members(BorrowedByteSource(k_course));
  ASSERT_TRUE(expected);
  for (const auto& [at, value] : damages) {
    Bytes b = k_course;
    b[at] = value;
    const auto members = k_u8_ops.members(BorrowedByteSource(b));
    ASSERT_TRUE(members) << at;
    ASSERT_EQ(members->size(), expected->size());
    for (size_t i = 0; i < members->size(); ++i) EXPECT_EQ((*members)[i].path, (*expected)[i].path);
    const auto nested = check_nesting(load<U8Archive>(b)->document.value());
    ASSERT_FALSE(nested) << at;
    EXPECT_EQ(nested.error().id, "archives.u8-tree");
  }
}

TEST(ArchivesU8, RejectsNodesThatFormNoTree) {
  const std::pair<size_t, u8> damages[] = {{0x38, 2},   // an unknown type
                                           {0x4F, 3}};  // a folder that ends before its start
  for (const auto& [at, value] : damages) {
    Bytes b = k_course;
    b[at] = value;
    const auto members = k_u8_ops.members(BorrowedByteSource(b));
    ASSERT_FALSE(members) << at;
    EXPECT_EQ(members.error().id, "archives.u8-tree") << format_one_line(members.error());
  }
}

TEST(ArchivesU8, RejectsMembersThatShareTooManyBytes) {
  std::vector<std::pair<std::string, Bytes>> files{{"a", Bytes(10000, 1)}};
  for (int i = 0; i < 200; ++i) files.emplace_back("b" + std::to_string(i), Bytes());
  Bytes b = bytes_of(make_u8(files));
  for (size_t node = 3; node < 203; ++node)
    std::copy_n(b.begin() + 0x20 + 24 + 4, 8, b.begin() + 0x20 + 12 * std::ptrdiff_t(node) + 4);
  const auto r = load<U8Archive>(b);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().expected, "members with a total size of at most 64 times the file size");
}

// ---- cartridges ----

TEST(ArchivesRom, ChecksumMatchesPublishedCrc16) {
  // checksum of "123456789" from published tables (CRC-16/MODBUS)
  const Bytes digits = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(crc16(digits), 0x4B37);
}

std::vector<Member> members_of(ByteView rom) {
  auto m = k_nds_ops.members(BorrowedByteSource(rom));
  EXPECT_TRUE(m) << format_one_line(m.error());
  return m ? *m : std::vector<Member>{};
}
size_t number_of(const std::vector<Member>& members, std::string_view path) {
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i].path == path) return i;
  ADD_FAILURE() << path;
  return 0;
}

TEST(ArchivesRom, ListsAllPartsWithPaths) {
  const Bytes rom = bytes_of(cartridge());
  std::vector<std::string> paths;
  for (const Member& m : members_of(rom)) paths.push_back(m.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"_system/overlays/0000.bin", "_system/overlays/0001.bin", "readme.txt",
                                             "data/empty.bin", "data/shelf.narc", "data/maps/town.lz",
                                             "_system/header.bin", "_system/arm9.bin", "_system/arm9_footer.bin",
                                             "_system/arm7.bin", "_system/arm9_overlays.bin", "_system/fnt.bin",
                                             "_system/fat.bin", "_system/banner.bin"}));
}

TEST(ArchivesRom, FittingReplacementsKeepAllOffsets) {
  const Bytes rom = bytes_of(cartridge());
  const auto before = members_of(rom);
  const size_t readme = number_of(before, "readme.txt");
  auto b = replaced(k_nds_ops, rom, readme, Bytes(0x1F0, 'x'));
  ASSERT_TRUE(b) << format_one_line(b.error());
  const auto after = members_of(*b);
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].offset, before[i].offset) << before[i].path;
    if (i == readme)
      EXPECT_EQ(after[i].size, 0x1F0u);
    else
      EXPECT_EQ(after[i].size, before[i].size) << before[i].path;
  }
  Bytes sealed = *b;
  NdsRom::seal(sealed);
  EXPECT_EQ(sealed, *b);
}

TEST(ArchivesRom, LargerReplacementsMoveLaterMembers) {
  const Bytes rom = bytes_of(cartridge());
  const auto before = members_of(rom);
  const size_t readme = number_of(before, "readme.txt"), shelf = number_of(before, "data/shelf.narc");
  ASSERT_LT(before[readme].offset, before[shelf].offset);
  auto b = replaced(k_nds_ops, rom, readme, Bytes(0x201, 'x'));
  ASSERT_TRUE(b) << format_one_line(b.error());
  const auto after = members_of(*b);
  EXPECT_EQ(after[readme].offset, before[readme].offset);
  EXPECT_EQ(after[shelf].offset, before[shelf].offset + 0x200);
  EXPECT_EQ(*k_nds_ops.content(BorrowedByteSource(*b), after[shelf]),
            *k_nds_ops.content(BorrowedByteSource(rom), before[shelf]));
  EXPECT_EQ(*k_nds_ops.content(BorrowedByteSource(*b), after[readme]), Bytes(0x201, 'x'));
  auto loaded = load<NdsRom>(*b);
  ASSERT_TRUE(loaded);
  EXPECT_GE(loaded->document.value().header.used_size, after.back().offset);
}

TEST(ArchivesRom, PaddedImagesKeepTheirSizeIfPossible) {
  const Bytes rom = nds_samples()[1].bytes;
  ASSERT_EQ(rom.size(), 0x4000u);
  const size_t readme = number_of(members_of(rom), "readme.txt");
  auto b = replaced(k_nds_ops, rom, readme, Bytes(0x400, 'x'));
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_EQ(b->size(), 0x4000u);
  EXPECT_EQ(b->back(), 0xFF);
  // the signature stays at the end
  auto loaded = load<NdsRom>(*b);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->document.value().signature.size(), 0x88u);
  b = replaced(k_nds_ops, rom, readme, Bytes(0x8000, 'x'));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->size(), 128u << 10);
}

// The banner would start inside the header, and header bytes would be read as its length.
TEST(ArchivesRom, RejectsValuesThatMakeTheFileUnreadable) {
  const auto opened = open(nds_samples()[2].bytes, "bare.nds");
  ASSERT_TRUE(opened) << format_one_line(opened.error());
  Value v = decode(*opened);
  Value& offset = *v.find("document")->find("header")->find("banner_offset");
  offset = Value(u64(1));
  const auto bytes = encode(v);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().id, "layout.count") << format_one_line(bytes.error());
  offset = Value(u64(0));
  EXPECT_TRUE(encode(v));
}

TEST(ArchivesNarc, ReplacingASharedMemberKeepsTheOther) {
  Bytes b = k_two;
  b[0x24] = 0, b[0x28] = 3;  // the second member has the bytes of the first
  auto changed = replaced(k_narc_ops, b, 1, {'t', 'w', 'o'});
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  const auto n = load<Narc>(*changed);
  ASSERT_TRUE(n);
  EXPECT_EQ(n->document.value().files[0].content, (Bytes{'o', 'n', 'e'}));
  EXPECT_EQ(n->document.value().files[1].content, (Bytes{'t', 'w', 'o'}));
}

TEST(ArchivesNarc, RejectsMembersThatShareTooManyBytes) {
  const Bytes block(10000, 1);
  std::vector<Bytes> contents(200);
  contents[0] = block;
  Bytes b = bytes_of(make_narc(contents));
  for (size_t i = 0; i < 200; ++i) {
    const size_t entry = 28 + 8 * i;
    std::fill_n(b.begin() + std::ptrdiff_t(entry), 8, u8(0));
    b[entry + 4] = u8(block.size()), b[entry + 5] = u8(block.size() >> 8);
  }
  const auto r = load<Narc>(b);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().expected, "members with a total size of at most 64 times the file size");
}

TEST(ArchivesRom, UpdatesSizesOfReplacedOverlays) {
  const Bytes rom = bytes_of(cartridge());
  const auto members = members_of(rom);
  const auto overlays = [](const Result<Bytes>& b) {
    return b ? load<NdsRom>(*b)->document.value().arm9_overlays : std::vector<RomOverlay>(2);
  };
  const auto plain = overlays(replaced(k_nds_ops, rom, number_of(members, "_system/overlays/0000.bin"), Bytes(777, 1)));
  EXPECT_EQ(plain[0].size, 777u);
  EXPECT_EQ(plain[0].packed_size, 0u);
  const auto program = blz_encode(Bytes(9000, 3));
  ASSERT_TRUE(program);
  const auto packed = overlays(replaced(k_nds_ops, rom, number_of(members, "_system/overlays/0001.bin"), *program));
  EXPECT_EQ(packed[1].size, 9000u);
  EXPECT_EQ(packed[1].packed_size, program->size());
}

TEST(ArchivesRom, TreatsTrailingZerosAsPadding) {
  Bytes rom = nds_samples()[0].bytes;
  rom.resize(0x8000);
  auto b = replaced(k_nds_ops, rom, number_of(members_of(rom), "readme.txt"), Bytes(0x400, 'x'));
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_EQ(b->size(), 0x8000u);
}

TEST(ArchivesRom, RejectsResizedTables) {
  const Bytes rom = bytes_of(cartridge());
  const size_t fat = number_of(members_of(rom), "_system/fat.bin");
  EXPECT_FALSE(replaced(k_nds_ops, rom, fat, Bytes(100)));
}

TEST(ArchivesRom, UpdatesTheChecksumOfAReplacedHeader) {
  const Bytes rom = bytes_of(cartridge());
  const auto members = members_of(rom);
  const size_t header = number_of(members, "_system/header.bin");
  Bytes other = *k_nds_ops.content(BorrowedByteSource(rom), members[header]);
  other[0] = 'X';
  auto b = replaced(k_nds_ops, rom, header, other);
  ASSERT_TRUE(b);
  EXPECT_EQ((*b)[0], 'X');
  EXPECT_NE((*b)[0x15E], rom[0x15E]);
  Bytes sealed = *b;
  NdsRom::seal(sealed);
  EXPECT_EQ(sealed, *b);
}

}  // namespace
}  // namespace dio::containers
