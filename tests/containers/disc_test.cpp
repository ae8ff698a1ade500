// disc_test.cpp: sectors checked against published values, valid and hostile directories, replaced files, cue sheets,
// and comparisons with xorriso.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "containers/disc/cue_sheet.hpp"
#include "containers/disc/iso9660.hpp"
#include "formats/contract/format.hpp"
#include "operations/archive_folders.hpp"
#include "operations/archive_tree.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio {
namespace {

namespace fs = std::filesystem;
using enum SectorForm;
constexpr SectorForm k_all_forms[] = {plain, headless, mode1, mode2};

Bytes text_bytes(std::string_view s) { return Bytes(s.begin(), s.end()); }
Bytes image_of(std::span<const DiscFile> files, SectorForm form, u32 sectors = 0) {
  auto image = make_disc_image(files, {form, "TEST", sectors});
  EXPECT_TRUE(image) << format_one_line(image.error());
  return image ? std::move(*image) : Bytes();
}
/// Content that differs in every sector.
Bytes content_of(size_t n, u8 seed) {
  Bytes b(n);
  for (size_t i = 0; i < n; ++i) b[i] = u8(seed + i / 7 + i / 2048);
  return b;
}
std::vector<DiscFile> a_tree() {
  return {{"README.TXT", text_bytes("read me")}, {"MAP/TOWN.LST", content_of(2388, 1)},
          {"MAP/TOWN.A", content_of(4096, 2)},   {"MAP/TOWN.B", content_of(5000, 3)},
          {"A/B/C.D", content_of(1, 4)},         {"EMPTY", {}}};
}
Result<Bytes> content(const Bytes& image, std::string_view path) {
  const auto form = detect_sector_form(image);
  auto e = find_disc_file(image, path);
  if (!e) return refuse(e.error());
  return read_disc_file(image, *form, *e);
}
Result<Bytes> changed(const Bytes& image, std::string path, Bytes bytes) {
  const DiscChange c{std::move(path), std::move(bytes)};
  return replace_disc_files(image, {&c, 1});
}
ByteView sector_of(const Bytes& image, SectorForm form, u64 lba) {
  return ByteView(image).subspan(size_t(lba * sector_size(form)), size_t(sector_size(form)));
}
/// Lists the sectors that differ.
std::vector<u64> differing(const Bytes& a, const Bytes& b, SectorForm form) {
  std::vector<u64> out;
  EXPECT_EQ(a.size(), b.size());
  for (u64 lba = 0; lba < a.size() / sector_size(form); ++lba)
    if (!std::ranges::equal(sector_of(a, form, lba), sector_of(b, form, lba))) out.push_back(lba);
  return out;
}
/// Counts the sectors with wrong check bytes.
u64 unsealed(const Bytes& image, SectorForm form) {
  u64 n = 0;
  for (u64 lba = 0; lba < image.size() / sector_size(form); ++lba) {
    const SectorChecks c = check_sector(sector_of(image, form, lba), form);
    n += !c.edc || !c.ecc;
  }
  return n;
}

// ---- sectors ----

TEST(DiscSectors, ChecksumMatchesThePublishedValue) {
  // checksum of "123456789" from published tables (CRC-32/CD-ROM-EDC)
  EXPECT_EQ(compute_edc(text_bytes("123456789")), 0x6EC2EDC4u);
  EXPECT_EQ(compute_edc({}), 0u);
  const Bytes all = content_of(100, 5);  // the same when computed in pieces
  EXPECT_EQ(compute_edc(ByteView(all).subspan(37), compute_edc(ByteView(all).first(37))), compute_edc(all));
}

TEST(DiscSectors, AddressesAreDecimalAndIncludeTheLeadIn) {
  EXPECT_EQ(sector_address_bcd(0), (std::array<u8, 3>{0x00, 0x02, 0x00}));
  EXPECT_EQ(sector_address_bcd(16), (std::array<u8, 3>{0x00, 0x02, 0x16}));
  EXPECT_EQ(sector_address_bcd(4350), (std::array<u8, 3>{0x01, 0x00, 0x00}));
  EXPECT_EQ(sector_address_bcd(332849), (std::array<u8, 3>{0x73, 0x59, 0x74}));
}

/// Multiplication in the field of the error correction code, without tables.
u8 times(u8 a, u8 b) {
  unsigned p = 0;
  for (unsigned x = a, y = b; y; y >>= 1, x <<= 1) {
    if (x & 0x100) x ^= 0x11D;
    if (y & 1) p ^= x;
  }
  return u8(p);
}

/// Annex A of ECMA-130: the product of each P and Q word with the two rows of its check matrix is zero.
void expect_words_of_the_code(ByteView sector, bool header_counts) {
  Bytes block(sector.begin() + 12, sector.end());
  if (!header_counts) std::fill_n(block.begin(), 4, u8(0));
  const auto is_word = [&](const std::vector<size_t>& places) {
    u8 sum = 0, weighted = 0, weight = 1;
    for (size_t i = places.size(); i-- > 0; weight = times(weight, 2)) {
      sum ^= block[places[i]];
      weighted ^= times(block[places[i]], weight);
    }
    return sum == 0 && weighted == 0;
  };
  for (size_t plane = 0; plane < 2; ++plane) {
    for (size_t np = 0; np < 43; ++np) {
      std::vector<size_t> places;
      for (size_t mp = 0; mp < 26; ++mp) places.push_back(2 * (43 * mp + np) + plane);
      EXPECT_TRUE(is_word(places)) << "P " << np;
    }
    for (size_t nq = 0; nq < 26; ++nq) {
      std::vector<size_t> places;
      for (size_t mq = 0; mq < 43; ++mq) places.push_back(2 * ((44 * mq + 43 * nq) % 1118) + plane);
      places.push_back(2 * (43 * 26 + nq) + plane);
      places.push_back(2 * (44 * 26 + nq) + plane);
      EXPECT_TRUE(is_word(places)) << "Q " << nq;
    }
  }
}

TEST(DiscSectors, ErrorCorrectionMatchesTheStandard) {
  for (const SectorForm form : {mode1, mode2}) {
    Bytes sector(2352);
    init_sector(sector, form, 1234);
    const Bytes data = content_of(2048, 77);
    std::copy(data.begin(), data.end(), sector.begin() + std::ptrdiff_t(data_in_sector(form)));
    seal_sector(sector, form);
    expect_words_of_the_code(sector, form == mode1);
    EXPECT_TRUE(check_sector(sector, form).edc && check_sector(sector, form).ecc);
    Bytes again = sector;
    seal_sector(again, form);
    EXPECT_EQ(again, sector);
    sector[600] ^= 4;
    EXPECT_FALSE(check_sector(sector, form).edc || check_sector(sector, form).ecc);
  }
  // in a Mode 2 sector the address may change; a sector without header has the same check bytes
  Bytes here(2352), there(2352);
  init_sector(here, mode2, 1);
  init_sector(there, mode2, 99999);
  seal_sector(here, mode2);
  seal_sector(there, mode2);
  EXPECT_TRUE(std::equal(here.begin() + 16, here.end(), there.begin() + 16));
  Bytes headless_one(here.begin() + 16, here.end());
  EXPECT_TRUE(check_sector(headless_one, headless).edc && check_sector(headless_one, headless).ecc);
}

TEST(DiscSectors, LeavesForm2AndAudioSectorsUnchanged) {
  Bytes sound = content_of(2352, 1), form2(2352);
  init_sector(form2, mode2, 5, k_submode_form2 | 4);
  for (Bytes* s : {&sound, &form2}) {
    const Bytes before = *s;
    EXPECT_FALSE(has_data(*s, mode2));
    seal_sector(*s, mode2);
    EXPECT_EQ(*s, before);
    EXPECT_TRUE(check_sector(*s, mode2).edc);
  }
  EXPECT_TRUE(is_form2(form2, mode2));
  EXPECT_FALSE(is_form2(sound, mode2));
}

// ---- new images ----

TEST(DiscImages, ReadsImagesInEverySectorForm) {
  const auto files = a_tree();
  for (const SectorForm form : k_all_forms) {
    const Bytes image = image_of(files, form);
    EXPECT_EQ(detect_sector_form(image), form);
    EXPECT_EQ(image.size() % sector_size(form), 0u);
    EXPECT_EQ(unsealed(image, form), 0u);
    const auto disc = read_disc(image);
    ASSERT_TRUE(disc);
    EXPECT_TRUE(disc->faults.empty());
    EXPECT_EQ(disc->volume, "TEST");
    EXPECT_EQ(disc->volume_sectors, disc->sectors);
    size_t found = 0;
    for (const DiscEntry& e : disc->entries) found += !e.is_folder;
    EXPECT_EQ(found, files.size());
    for (const DiscFile& f : files) {
      const auto bytes = content(image, f.path);
      ASSERT_TRUE(bytes) << f.path;
      EXPECT_EQ(*bytes, f.bytes) << f.path;
    }
    EXPECT_EQ(find_disc_file(image, "map/town.lst")->lba, find_disc_file(image, "MAP/TOWN.LST")->lba);
    EXPECT_EQ(find_disc_file(image, "MAP").error().id, "file.missing");
    // checking the image finds nothing
    auto opened = open(image, "disc");
    ASSERT_TRUE(opened) << format_one_line(opened.error());
    EXPECT_EQ(opened->format->id, "iso");
    for (const Diagnostic& d : check(*opened)) ADD_FAILURE() << format_one_line(d);
  }
}

TEST(DiscImages, DetectsImagesOnlyAtTheFirstSector) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = image_of(a_tree(), form);
    for (size_t from = 1; from < 6000; ++from)
      EXPECT_EQ(detect_sector_form(ByteView(image).subspan(from)), std::nullopt) << from;
  }
}

TEST(DiscImages, PlacesFilesAtRequestedSectors) {
  const std::vector<DiscFile> files = {
      {"MAP/A.1", content_of(3000, 1), 100}, {"MAP/A.2", content_of(10, 2)}, {"B.BIN", content_of(10, 3), 60}};
  const Bytes image = image_of(files, mode2, 200);
  EXPECT_EQ(image.size(), 200u * 2352);
  EXPECT_EQ(find_disc_file(image, "MAP/A.1")->lba, 100u);
  EXPECT_EQ(find_disc_file(image, "MAP/A.2")->lba, 102u);
  EXPECT_EQ(find_disc_file(image, "B.BIN")->lba, 60u);
  // sector 100 is at 00:03:25
  EXPECT_EQ(image[100 * 2352 + 12], 0x00);
  EXPECT_EQ(image[100 * 2352 + 13], 0x03);
  EXPECT_EQ(image[100 * 2352 + 14], 0x25);
  EXPECT_EQ(image[100 * 2352 + 15], 2);
  EXPECT_EQ(image[100 * 2352 + 24], files[0].bytes[0]);
  // the last sector of a file is marked
  EXPECT_EQ(image[100 * 2352 + 18], 0x08);
  EXPECT_EQ(image[101 * 2352 + 18], 0x89);
  auto opened = Archive::open(image, "game.bin");
  ASSERT_TRUE(opened);
  const ArchiveTree tree(std::move(*opened), "game.bin");
  const FileTree& any = tree;
  EXPECT_EQ(any.place("MAP/A.2"), 102u);
  EXPECT_EQ(any.place("MAP/NONE"), std::nullopt);
  EXPECT_EQ(any.place("MAP"), std::nullopt);
  EXPECT_EQ(MemoryTree().place("MAP/A.2"), std::nullopt);
}

TEST(DiscImages, WritesXaMarksAndBothByteOrders) {
  const Bytes image = image_of(a_tree(), mode2);
  const size_t d = size_t(disc_offset(mode2, 16));
  EXPECT_EQ(std::memcmp(&image[d + 1024], "CD-XA001", 8), 0);
  EXPECT_EQ(std::memcmp(&image[d + 8], "PLAYSTATION  ", 13), 0);
  const auto e = find_disc_file(image, "README.TXT");
  ASSERT_TRUE(e);
  const u8* r = &image[size_t(e->record)];
  EXPECT_EQ(std::memcmp(r + 33, "README.TXT;1", 12), 0);
  EXPECT_EQ(r[10], 7);
  EXPECT_EQ(r[17], 7);
  EXPECT_EQ(r[5], 0);
  EXPECT_EQ(r[9], r[2]);
  EXPECT_EQ(std::memcmp(r + 46 + 6, "XA", 2), 0);
  const Bytes bare = image_of(a_tree(), plain);
  EXPECT_NE(std::memcmp(&bare[size_t(disc_offset(plain, 16)) + 1024], "CD-XA001", 8), 0);
}

TEST(DiscImages, LargeDirectoriesSpanSeveralSectors) {
  std::vector<DiscFile> files;
  for (int i = 0; i < 300; ++i) files.push_back({"MAP/M" + std::to_string(1000 + i) + ".BIN", content_of(3, u8(i))});
  const Bytes image = image_of(files, mode2);
  const auto disc = read_disc(image);
  ASSERT_TRUE(disc);
  EXPECT_TRUE(disc->faults.empty());
  for (const DiscFile& f : files) ASSERT_EQ(*content(image, f.path), f.bytes);
  for (const DiscEntry& e : disc->entries)  // no record crosses the end of a sector
    EXPECT_EQ(sector_at(mode2, e.record), sector_at(mode2, e.next_record - 1));
  const auto opened = open(image, "disc.bin");
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened->document->save({}) == image);
}

TEST(DiscImages, SortsNamesIgnoringTheirVersions) {
  const std::vector<DiscFile> files = {
      {"MAP001.93", {}}, {"MAP001.9", {}}, {"MAP001.GNS", {}}, {"MAP00.Z", {}}, {"MAP001", {}}};
  const auto disc = read_disc(image_of(files, plain));
  ASSERT_TRUE(disc);
  std::vector<std::string> names;
  for (const DiscEntry& e : disc->entries) names.push_back(e.path);
  EXPECT_EQ(names, (std::vector<std::string>{"MAP00.Z", "MAP001", "MAP001.9", "MAP001.93", "MAP001.GNS"}));
}

TEST(DiscImages, RejectsFilesThatDiscsCannotHold) {
  const auto refused = [](std::vector<DiscFile> files) {
    const auto image = make_disc_image(files);
    return image ? "made" : std::string(image.error().id);
  };
  EXPECT_EQ(refused({{"a name.txt", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"LONGNAME9.TXT", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"A.LONG", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"A..B", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"/A", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"A", {}}, {"a", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"A", {}}, {"A/B", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"1/2/3/4/5/6/7/8/A", {}}}), "archive.pack");
  EXPECT_EQ(refused({{"1/2/3/4/5/6/7/A", {}}}), "made");
  EXPECT_EQ(refused({{"A", Bytes(1), 10}}), "archive.full");
  EXPECT_EQ(refused({{"A", Bytes(5000), 50}, {"B", Bytes(1), 52}}), "archive.full");
  EXPECT_EQ(refused({{"A", Bytes(1), 600'000}}), "archive.full");
}

// ---- replaced files ----

TEST(DiscReplace, ReplacingInPlaceChangesNothingElse) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = image_of(a_tree(), form);
    const auto e = find_disc_file(image, "MAP/TOWN.B");
    ASSERT_TRUE(e);
    ASSERT_EQ(e->sectors(), 3u);
    Bytes other = content_of(5000, 3);
    other[2100] ^= 0x40;  // in its second sector
    auto b = changed(image, "MAP/TOWN.B", other);
    ASSERT_TRUE(b) << format_one_line(b.error());
    EXPECT_EQ(*content(*b, "MAP/TOWN.B"), other);
    EXPECT_EQ(differing(image, *b, form), (std::vector<u64>{e->lba + 1}));
    EXPECT_EQ(unsealed(*b, form), 0u);
    EXPECT_EQ(*changed(*b, "MAP/TOWN.B", content_of(5000, 3)), image);
  }
}

TEST(DiscReplace, WritesNewSizesInBothByteOrders) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = image_of(a_tree(), form);
    const auto e = find_disc_file(image, "MAP/TOWN.B");
    auto b = changed(image, "MAP/TOWN.B", Bytes(0x1010, 0xAA));  // three sectors as before
    ASSERT_TRUE(b) << format_one_line(b.error());
    EXPECT_EQ(*content(*b, "MAP/TOWN.B"), Bytes(0x1010, 0xAA));
    const u8 size[] = {0x10, 0x10, 0, 0, 0, 0, 0x10, 0x10};
    EXPECT_TRUE(std::equal(size, size + 8, &(*b)[size_t(e->record) + 10]));
    EXPECT_EQ(differing(image, *b, form),
              (std::vector<u64>{sector_at(form, e->record), e->lba, e->lba + 1, e->lba + 2}));
    EXPECT_EQ(unsealed(*b, form), 0u);
    // the rest of the last sector is zero
    const ByteView last = disc_sector(*b, form, e->lba + 2);
    EXPECT_EQ(last[0x0F], 0xAA);
    EXPECT_TRUE(std::all_of(last.begin() + 0x10, last.end(), [](u8 x) { return x == 0; }));
  }
}

TEST(DiscReplace, RejectionNamesTheFollowingFile) {
  const Bytes image = image_of(a_tree(), mode2);
  auto b = changed(image, "MAP/TOWN.A", Bytes(4097));
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "archive.full");
  EXPECT_EQ(b.error().message,
            "the new content has 4097 bytes (3 sectors), but there is room for only 4096 bytes (2 sectors) before "
            "MAP/TOWN.B");
  b = changed(image, "EMPTY", Bytes(1));
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "archive.full");
  EXPECT_EQ(changed(image, "NONE", {}).error().id, "file.missing");
  EXPECT_EQ(changed(Bytes(100), "NONE", {}).error().id, "archive.disc");
}

TEST(DiscReplace, GrowsFilesIntoBlankSectors) {
  const std::vector<DiscFile> files = {{"A", content_of(2000, 1), 50}, {"B", content_of(10, 2), 53}};
  for (const SectorForm form : k_all_forms) {
    const Bytes image = image_of(files, form, 60);
    const Bytes longer = content_of(3 * 2048, 9);
    auto b = changed(image, "A", longer);
    ASSERT_TRUE(b) << format_one_line(b.error());
    EXPECT_EQ(*content(*b, "A"), longer);
    EXPECT_EQ(*content(*b, "B"), files[1].bytes);
    EXPECT_EQ(unsealed(*b, form), 0u);
    if (form == mode2) {
      EXPECT_EQ((*b)[50 * 2352 + 18], 0x08);
      EXPECT_EQ((*b)[52 * 2352 + 18], 0x89);
      EXPECT_EQ((*b)[52 * 2352 + 22], 0x89);
    }
    EXPECT_EQ(changed(image, "A", Bytes(3 * 2048 + 1)).error().id, "archive.full");
    // shrinking the file again blanks the sectors it no longer uses
    auto back = changed(*b, "A", files[0].bytes);
    ASSERT_TRUE(back) << format_one_line(back.error());
    EXPECT_EQ(*back, image);
    // grows to the end of the volume, but not beyond it
    EXPECT_TRUE(changed(image, "B", Bytes(7 * 2048)));
    EXPECT_NE(changed(image, "B", Bytes(7 * 2048 + 1)).error().message.find("14337 bytes (8 sectors)"),
              std::string::npos);
    // does not overwrite data that belongs to no file
    Bytes hidden = image;
    hidden[size_t(disc_offset(form, 51)) + 5] = 1;
    auto refused = changed(hidden, "A", longer);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("before unreferenced data"), std::string::npos);
  }
}

TEST(DiscReplace, MovesFilesToTheFirstSufficientGap) {
  const std::vector<DiscFile> files = {{"D", content_of(26 * 2048, 4), 24},
                                       {"A", content_of(2048, 1), 50},
                                       {"B", content_of(10, 2), 51},
                                       {"C", content_of(5000, 3), 56}};
  for (const SectorForm form : k_all_forms) {
    Bytes image = image_of(files, form, 80);
    image[size_t(disc_offset(form, 62)) + 5] = 1;  // belongs to no file
    seal_sector(std::span(image).subspan(size_t(62 * sector_size(form)), size_t(sector_size(form))), form);
    const auto put = [&](const Bytes& in, std::string path, Bytes bytes) {
      const DiscChange c{std::move(path), std::move(bytes), true};
      return replace_disc_files(in, {&c, 1});
    };
    // Sectors 52 to 55, 59 to 61 and 63 to 79 are empty.
    for (const auto& [sectors, lba] : {std::pair(1, 50), {4, 52}, {5, 63}, {17, 63}}) {
      const Bytes bytes = content_of(size_t(sectors) * 2048 - 3, 9);
      const auto b = put(image, "A", bytes);
      ASSERT_TRUE(b) << format_one_line(b.error());
      EXPECT_EQ(find_disc_file(*b, "A")->lba, u32(lba)) << sectors;
      EXPECT_EQ(*content(*b, "A"), bytes);
      for (const DiscFile& f : files)
        if (f.path != "A") {
          EXPECT_EQ(*content(*b, f.path), f.bytes);
        }
      EXPECT_EQ(unsealed(*b, form), 0u);
      // The record changes only in both copies of its location and size.
      const auto before = find_disc_file(image, "A"), after = find_disc_file(*b, "A");
      ASSERT_EQ(before->record, after->record);
      for (size_t i = 0; i < 8; ++i)
        EXPECT_EQ((*b)[size_t(after->record) + 2 + (i < 4 ? i : 11 - i)], u8(u32(lba) >> 8 * (i % 4)));
      const auto whole = [&](u64 at) { return Bytes(sector_of(*b, form, at).begin(), sector_of(*b, form, at).end()); };
      if (lba != 50) {
        EXPECT_TRUE(std::ranges::equal(disc_sector(*b, form, 50), Bytes(2048)));
      }
      if (form == mode2) {  // the mark of the last sector moves with the file
        EXPECT_EQ(whole(u64(lba) + u64(sectors) - 1)[18], 0x89);
        if (sectors > 1) {
          EXPECT_EQ(whole(u64(lba))[18], 0x08);
        }
      }
    }
    // A file that fits nowhere gets new sectors at the end.
    const Bytes large = content_of(18 * 2048 - 3, 9);
    const auto grown = put(image, "A", large);
    ASSERT_TRUE(grown) << format_one_line(grown.error());
    EXPECT_EQ(grown->size(), image.size() + 18 * sector_size(form));
    EXPECT_EQ(find_disc_file(*grown, "A")->lba, 80u);
    EXPECT_EQ(*content(*grown, "A"), large);
    EXPECT_EQ(read_disc(*grown)->volume_sectors, 98u);
    EXPECT_EQ(unsealed(*grown, form), 0u);
    for (const DiscFile& f : files)
      if (f.path != "A") {
        EXPECT_EQ(*content(*grown, f.path), f.bytes);
      }
    if (form == mode2) {
      EXPECT_TRUE(std::ranges::equal(sector_of(*grown, form, 80).subspan(12, 3), sector_address_bcd(80)));
      EXPECT_EQ(sector_of(*grown, form, 97)[18], 0x89);
    }
    if (form == mode1 || form == mode2) {  // an audio track follows
      Bytes with_audio = image;
      with_audio.insert(with_audio.end(), 2352, 0x55);
      const auto refused = put(with_audio, "A", large);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().id, "archive.full");
      EXPECT_NE(refused.error().message.find("no sectors can be added"), std::string::npos);
    }
    // Without the option to move, the file stays in place.
    EXPECT_EQ(changed(image, "A", Bytes(4096)).error().id, "archive.full");
  }
}

TEST(DiscReplace, Form2FilesKeepTheirSize) {
  const std::vector<DiscFile> files = {{"MOVIE.STR", content_of(4096, 1), 50}, {"B", content_of(10, 2), 53}};
  Bytes image = image_of(files, mode2, 60);
  image[51 * 2352 + 18] = image[51 * 2352 + 22] = 0x64;
  const auto all = content(image, "MOVIE.STR");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 2u * 2336);
  EXPECT_EQ((*all)[2], 0x08);
  EXPECT_EQ((*all)[2336 + 2], 0x64);
  Bytes other = *all;
  other[3000] ^= 1;
  const auto b = changed(image, "MOVIE.STR", other);
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_EQ(*content(*b, "MOVIE.STR"), other);
  EXPECT_EQ(differing(image, *b, mode2), (std::vector<u64>{51}));
  EXPECT_EQ(changed(image, "MOVIE.STR", Bytes(4096)).error().id, "archive.full");
}

TEST(DiscReplace, RejectsChangesToSharedFiles) {
  Bytes image = image_of(a_tree(), plain);
  const auto a = find_disc_file(image, "MAP/TOWN.A"), b = find_disc_file(image, "MAP/TOWN.B");
  for (size_t i = 0; i < 4; ++i)
    image[size_t(b->record) + 2 + i] = image[size_t(b->record) + 9 - i] = u8(a->lba >> 8 * i);
  const auto r = changed(image, "MAP/TOWN.A", content_of(4096, 7));
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().id, "archive.shared");
}

// ---- hostile directories ----

/// The image with a changed location and size in an entry's record.
Bytes redirected(Bytes image, std::string_view path, u32 lba, u32 size) {
  const auto disc = read_disc(image);
  for (const DiscEntry& e : disc->entries)
    if (e.path == path)
      for (size_t i = 0; i < 4; ++i) {
        image[size_t(e.record) + 2 + i] = image[size_t(e.record) + 9 - i] = u8(lba >> 8 * i);
        image[size_t(e.record) + 10 + i] = image[size_t(e.record) + 17 - i] = u8(size >> 8 * i);
      }
  return image;
}

/// The image as a source read in parts; `read` counts the bytes.
std::shared_ptr<const ByteSource> in_parts(const Bytes& image, u64& read) {
  return std::make_shared<ChunkedByteSource>(image.size(), [&](u64 offset, std::span<u8> to) {
    read += to.size();
    std::copy_n(image.begin() + std::ptrdiff_t(offset), to.size(), to.begin());
    return to.size();
  });
}

TEST(DiscReplace, PartialReadsChangeTheSameSectors) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = image_of(a_tree(), form, 4000);
    for (const size_t size : {size_t(4096), size_t(4095), size_t(1), size_t(0), size_t(200'000)}) {
      const DiscChange change{"MAP/TOWN.A", content_of(size, 9)};
      u64 read = 0;
      PatchedSource parts(in_parts(image, read));
      const auto done = replace_disc_files(parts, {&change, 1});
      const auto whole = replace_disc_files(image, {&change, 1});
      ASSERT_EQ(bool(done), bool(whole)) << size;
      EXPECT_LT(read, image.size() / 10);
      if (!whole) {
        EXPECT_EQ(format_one_line(done.error()), format_one_line(whole.error()));
        continue;
      }
      Bytes patched = image;
      parts.apply_to(patched);
      EXPECT_TRUE(patched == *whole) << size;
      EXPECT_EQ(parts.blocks().size(), differing(image, *whole, form).size());
      EXPECT_TRUE(*parts.read(0, parts.size()) == *whole);
      EXPECT_TRUE(*content(patched, "MAP/TOWN.A") == change.bytes);
    }
  }
}

TEST(DiscReplace, ReadsPatchedImagesAcrossBlockEdges) {
  Bytes file(100);
  for (size_t i = 0; i < file.size(); ++i) file[i] = u8(i);
  u64 read = 0;
  PatchedSource parts(in_parts(file, read));
  for (const u64 at : {20, 30, 60}) {
    auto block = parts.block(at, 10);
    ASSERT_TRUE(block);
    std::ranges::fill(*block, u8(200 + at / 10));
  }
  Bytes expected = file;
  parts.apply_to(expected);
  EXPECT_EQ(expected[19], 19);
  EXPECT_EQ(expected[20], 202);
  EXPECT_EQ(expected[69], 206);
  for (u64 from = 0; from <= 100; ++from)
    for (u64 n = 0; from + n <= 100; ++n) {
      const auto seen = parts.read(from, n);
      ASSERT_TRUE(seen);
      ASSERT_TRUE(std::ranges::equal(*seen, ByteView(expected).subspan(from, n))) << from << ", " << n;
    }
  EXPECT_EQ(parts.block(95, 10).error().id, "layout.truncated");
}

TEST(DiscDirectories, ReportsLoopsAndSectorsOutsideTheImage) {
  const Bytes image = image_of(a_tree(), mode2);
  const u32 root = 22;
  for (const auto& [lba, size] :
       {std::pair<u32, u32>{root, 2048}, {1'000'000, 2048}, {root, 0xFFFFFFFF}, {23, 0}, {0xFFFFFFFF, 0xFFFFFFFF}}) {
    const auto disc = read_disc(redirected(image, "A/B", lba, size));
    ASSERT_TRUE(disc);
    EXPECT_EQ(disc->faults.size(), 1u) << lba;
    EXPECT_EQ(disc->faults[0].id, "archives.disc-directory");
    EXPECT_TRUE(content(redirected(image, "A/B", lba, size), "MAP/TOWN.A"));  // the rest is usable
    EXPECT_FALSE(content(redirected(image, "A/B", lba, size), "A/B/C.D"));
  }
  const Bytes outside = redirected(image, "MAP/TOWN.A", 1'000'000, 4096);
  EXPECT_EQ(content(outside, "MAP/TOWN.A").error().id, "layout.truncated");
  EXPECT_EQ(changed(outside, "MAP/TOWN.A", Bytes(1)).error().id, "layout.truncated");
  EXPECT_TRUE(unpack(image, "disc.bin"));
  EXPECT_FALSE(unpack(outside, "disc.bin"));
}

TEST(DiscDirectories, ReportsRecordsThatDoNotFit) {
  const Bytes image = image_of(a_tree(), plain);
  const auto e = find_disc_file(image, "MAP/TOWN.A");
  for (const u8 length : {u8(1), u8(33), u8(34), u8(255)}) {
    Bytes b = image;
    b[size_t(e->record)] = length;
    const auto disc = read_disc(b);
    ASSERT_TRUE(disc);
    // a record of 255 bytes covers the following records, which are then ignored
    EXPECT_EQ(disc->faults.size(), length == 255 ? 0u : 1u) << int(length);
    const auto opened = open(b, "disc.iso");
    ASSERT_TRUE(opened) << format_one_line(opened.error());
    EXPECT_TRUE(opened->document->save({}) == b);
  }
  // a length of 0 ends the sector; records continue in the next one
  Bytes none = image;
  none[size_t(find_disc_file(image, "MAP/TOWN.A")->record)] = 0;
  EXPECT_TRUE(read_disc(none)->faults.empty());
  EXPECT_FALSE(content(none, "MAP/TOWN.A"));
  // a record that would cross the end of its sector
  Bytes crossing = image;
  const size_t dir = size_t(disc_offset(plain, sector_at(plain, e->record)));
  std::fill(crossing.begin() + std::ptrdiff_t(dir), crossing.begin() + std::ptrdiff_t(dir + 2048), u8(0));
  for (size_t at = 0; at + 100 < 2048; at += 100) crossing[dir + at] = 100, crossing[dir + at + 32] = 1;
  crossing[dir + 2000] = 100;
  EXPECT_EQ(read_disc(crossing)->faults.size(), 1u);
}

TEST(DiscDirectories, ReadsSharedFoldersOnlyOnce) {
  // All 50 folders point to the same directory, which is read once.
  std::vector<DiscFile> files;
  for (int i = 0; i < 50; ++i) files.push_back({"D" + std::to_string(i) + "/A.B", {}});
  Bytes image = image_of(files, plain);
  const u32 shared = 23;
  for (int i = 0; i < 50; ++i) image = redirected(std::move(image), "D" + std::to_string(i), shared, 2048);
  const auto disc = read_disc(image);
  ASSERT_TRUE(disc);
  EXPECT_EQ(disc->faults.size(), 49u);
  EXPECT_EQ(disc->entries.size(), 51u);
}

TEST(DiscDirectories, SkipsFilesInAudioTracks) {
  Bytes image = redirected(image_of(a_tree(), mode2), "MAP/TOWN.A", 300'000, 50'000'000);
  EXPECT_FALSE(unpack(image, "disc.bin"));
  const auto e = find_disc_file(image, "MAP/TOWN.A");
  ASSERT_TRUE(e);
  const size_t attributes = size_t(e->next_record) - 10;
  ASSERT_EQ(image[attributes], 0x0D);
  ASSERT_EQ(image[attributes + 2], 'X');
  image[attributes] = 0x45;
  EXPECT_EQ(find_disc_file(image, "MAP/TOWN.A").error().id, "file.missing");
  const auto files = unpack(image, "disc.bin");
  ASSERT_TRUE(files) << format_one_line(files.error());
  EXPECT_EQ(files->files.size(), a_tree().size() - 1 + 2);  // two in _system
  const auto again = pack(*files);
  ASSERT_TRUE(again) << format_one_line(again.error());
  EXPECT_EQ(*again, image);
}

TEST(DiscDirectories, OmitsFilesThatOverlapTooMuch) {
  std::vector<DiscFile> files;
  for (int i = 0; i < 200; ++i) files.push_back({"F" + std::to_string(i), Bytes(1, 1)});
  Bytes image = image_of(files, plain);
  const u32 sectors = u32(image.size() / 2048);
  for (int i = 0; i < 200; ++i) image = redirected(std::move(image), "F" + std::to_string(i), 0, sectors * 2048);
  const auto disc = read_disc(image);
  ASSERT_TRUE(disc);
  EXPECT_EQ(disc->entries.size(), 64u);
  EXPECT_GE(disc->faults.size(), 100u);
}

TEST(DiscDirectories, LimitsMemoryForLongNestedNames) {
  // 20 trees, each with 14 nested folders whose names have 200 letters; the innermost folder has 40 sectors full of
  // files.
  constexpr u32 k_trees = 20, k_deep = 14, k_wide = 40, k_first = k_first_descriptor + k_trees + 1;
  Bytes image(size_t(k_first + k_deep + k_wide) * 2048);
  const auto put = [&](size_t at, std::string_view name, u32 lba, u32 sectors, u8 flags) {
    image[at] = u8(33 + name.size() + (33 + name.size()) % 2);
    for (u32 i = 0; i < 4; ++i) image[at + 2 + i] = u8(lba >> 8 * i), image[at + 10 + i] = u8(sectors * 2048 >> 8 * i);
    image[at + 25] = flags;
    image[at + 32] = u8(name.size());
    std::copy(name.begin(), name.end(), image.begin() + std::ptrdiff_t(at + 33));
    return size_t(image[at]);
  };
  const auto sectors_of = [&](u32 depth) { return depth == k_deep ? k_wide : 1; };
  for (u32 tree = 0; tree <= k_trees; ++tree) {
    const size_t at = size_t(k_first_descriptor + tree) * 2048;
    image[at] = tree == k_trees ? 255 : tree ? 2 : 1;
    std::memcpy(&image[at + 1], "CD001\1", 6);
    put(at + 156, std::string_view("\0", 1), k_first, 1, 2);
  }
  for (u32 i = 0; i < k_deep; ++i)
    put(size_t(k_first + i) * 2048, std::string(200, 'A'), k_first + i + 1, sectors_of(i + 1), 2);
  for (u32 i = 0; i < k_wide; ++i)
    for (size_t at = 0; at + 36 <= 2048;)
      at += put(size_t(k_first + k_deep + i) * 2048 + at, std::to_string(100 + at / 36), 0, 0, 0);

  const auto disc = read_disc(image);
  ASSERT_TRUE(disc);
  size_t names = 0;
  for (const DiscEntry& e : disc->entries) names += sizeof e + e.path.size();
  EXPECT_LE(names, 17 * image.size());
  EXPECT_GT(disc->entries.size(), 500u);
  EXPECT_GE(disc->faults.size(), 100u);
}

TEST(DiscDirectories, ReadsOrRejectsEveryTruncation) {
  const Bytes image = image_of(a_tree(), mode2);
  for (size_t n = 0; n < image.size(); n += 611) {
    const Bytes cut(image.begin(), image.begin() + std::ptrdiff_t(n));
    const auto disc = read_disc(cut);
    if (!disc) {
      EXPECT_EQ(disc.error().id, "archive.disc");
      continue;
    }
    for (const DiscEntry& e : disc->entries)
      if (!e.is_folder) (void)read_disc_file(cut, disc->form, e);
  }
}

// ---- as archives ----

TEST(DiscArchive, ReplacesMembersByPath) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = image_of(a_tree(), form);
    EXPECT_EQ(*read_nested_member(image, "game.bin", "MAP/TOWN.A"), content_of(4096, 2));
    auto b = replace_nested_member(image, "game.bin", "MAP/TOWN.A", content_of(4000, 8));
    ASSERT_TRUE(b) << format_one_line(b.error());
    EXPECT_EQ(*read_nested_member(*b, "game.bin", "MAP/TOWN.A"), content_of(4000, 8));
    EXPECT_EQ(unsealed(*b, form), 0u);
    b = replace_nested_member(image, "game.bin", "MAP/TOWN.A", Bytes(5000));
    ASSERT_FALSE(b);
    EXPECT_EQ(b.error().id, "archive.full");
    EXPECT_EQ(b.error().place.file, "game.bin");
  }
}

TEST(DiscArchive, SettingAValueUpdatesItsCopyAndChecksum) {
  const Bytes image = image_of(a_tree(), mode2);
  auto opened = open(image, "game.bin");
  ASSERT_TRUE(opened);
  const auto e = find_disc_file(image, "README.TXT");
  const Spans spans = opened->format->trace(image, {}).spans;
  std::string path;
  for (u32 i = 1; i < spans.all.size(); ++i)
    if (spans[i].offset == e->record + 10 && spans.path(i).ends_with(".size")) path = spans.path(i);
  ASSERT_FALSE(path.empty());
  const auto b = set_values(*opened, {{path, "5"}});
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_EQ(*content(*b, "README.TXT"), text_bytes("read "));
  EXPECT_EQ((*b)[size_t(e->record) + 17], 5);
  EXPECT_EQ(unsealed(*b, mode2), 0u);
  EXPECT_EQ(differing(image, *b, mode2), (std::vector<u64>{sector_at(mode2, e->record)}));
}

TEST(DiscArchive, UnpacksAndRepacksFiles) {
  const Bytes image = image_of(a_tree(), mode2);
  auto files = unpack(image, "game.bin");
  ASSERT_TRUE(files) << format_one_line(files.error());
  std::erase_if(files->files, [](const auto& file) { return file.first.starts_with("_system/"); });
  EXPECT_EQ(files->files.size(), a_tree().size());
  EXPECT_FALSE(is_unpacked_archive(*files));
  auto again = pack(*files, {.disc = plain});
  ASSERT_TRUE(again) << format_one_line(again.error());
  for (const DiscFile& f : a_tree()) EXPECT_EQ(*content(*again, f.path), f.bytes) << f.path;
}

/// An image with everything that a folder of its files does not tell: a license in the system area, wrong check bytes,
/// unusual subheaders, bytes after the end of a file, a Form 2 file, sectors of no file, and an incomplete last sector.
Bytes odd_image(SectorForm form, u32 seed) {
  Bytes image = image_of(a_tree(), form, 60);
  std::mt19937 random(seed);
  const u64 size = sector_size(form);
  const auto scribble = [&](u64 lba, u64 from, u64 n) {
    for (u64 i = 0; i < n; ++i) image[size_t(lba * size + from + i)] = u8(random());
  };
  const auto seal = [&](u64 lba) { seal_sector(std::span(image).subspan(size_t(lba * size), size_t(size)), form); };
  for (const u64 lba : {0, 4, 5, 15, 55, 58}) scribble(lba, data_in_sector(form), 1 + random() % 2048), seal(lba);
  scribble(57, 0, size);
  const DiscEntry town = *find_disc_file(image, "MAP/TOWN.B"), readme = *find_disc_file(image, "README.TXT"),
                  list = *find_disc_file(image, "MAP/TOWN.LST");
  scribble(readme.lba, data_in_sector(form) + 100, 50), seal(readme.lba);
  scribble(list.lba, size - 3, 3);  // plain: a part of the file
  if (has_subheaders(form)) {
    const auto submode = [&](u64 lba, u8 mode) {
      for (const u64 at : {2, 6}) image[size_t(lba * size + subheader_in_sector(form) + at)] = mode;
    };
    submode(list.lba + 1, 0x48), seal(list.lba + 1);
    submode(town.lba + 1, k_submode_form2 | 0x44);
    scribble(town.lba + 1, subheader_in_sector(form) + 8, 2324);
  }
  for (u32 i = 0; i < random() % 2000; ++i) image.push_back(u8(random()));
  return image;
}

TEST(DiscArchive, UnpackingAndPackingKeepsEveryByte) {
  for (const SectorForm form : k_all_forms)
    for (u32 seed = 0; seed < 20; ++seed) {
      const Bytes image = odd_image(form, seed);
      auto files = unpack(image, "game.bin");
      ASSERT_TRUE(files) << format_one_line(files.error());
      EXPECT_EQ(files->files.size(), a_tree().size() + 2);
      EXPECT_TRUE(is_unpacked_archive(*files));
      Diagnostics notes;
      auto again = pack(*files, {}, &notes);
      ASSERT_TRUE(again) << format_one_line(again.error());
      EXPECT_EQ(*again, image) << int(form) << ", " << seed;
      EXPECT_TRUE(notes.empty());
    }
  for (const Sample& s : samples_of(*find_format("iso"))) {
    auto again = pack(*unpack(s.bytes, s.name));
    ASSERT_TRUE(again) << s.name;
    EXPECT_EQ(*again, s.bytes) << s.name;
  }
}

TEST(DiscArchive, PackingAnEditedFolderChangesOnlyTheEditedFile) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = odd_image(form, 7);
    auto files = unpack(image, "game.bin");
    ASSERT_TRUE(files);
    const DiscEntry town = *find_disc_file(image, "MAP/TOWN.A");
    files->files["MAP/TOWN.A"][3000] ^= 1;
    auto again = pack(*files);
    ASSERT_TRUE(again) << format_one_line(again.error());
    EXPECT_EQ(differing(image, *again, form), (std::vector<u64>{town.lba + 1}));
    EXPECT_EQ(*content(*again, "MAP/TOWN.A"), files->files["MAP/TOWN.A"]);
    EXPECT_TRUE(check_sector(sector_of(*again, form, town.lba + 1), form).ecc);
    files->files["MAP/TOWN.A"].resize(4000);
    again = pack(*files);
    ASSERT_TRUE(again) << format_one_line(again.error());
    EXPECT_EQ(*content(*again, "MAP/TOWN.A"), files->files["MAP/TOWN.A"]);
    EXPECT_EQ(differing(image, *again, form).size(), 2u);  // the directory, and the sector
  }
}

TEST(DiscArchive, PacksNewFilesIntoTheOldImage) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = odd_image(form, 3);
    auto files = unpack(image, "game.bin");
    ASSERT_TRUE(files);
    files->files["NEW.TXT"] = text_bytes("new");
    Diagnostics notes;
    auto again = pack(*files, {}, &notes);
    ASSERT_TRUE(again) << format_one_line(again.error());
    for (const Diagnostic& d : notes) ADD_FAILURE() << format_one_line(d);
    EXPECT_EQ(*content(*again, "NEW.TXT"), text_bytes("new"));
    const auto disc = read_disc(image);
    ASSERT_TRUE(disc);
    for (const DiscEntry& e : disc->entries) {
      if (!e.is_file()) continue;
      EXPECT_EQ(find_disc_file(*again, e.path)->lba, e.lba) << e.path;
      EXPECT_EQ(*content(*again, e.path), *content(image, e.path)) << e.path;
    }
  }
}

TEST(DiscArchive, PacksANewImageWithTheSystemAreaIfTheOldOneDoesNotFit) {
  for (const SectorForm form : k_all_forms) {
    const Bytes image = odd_image(form, 3);
    const auto files = unpack(image, "game.bin");
    ASSERT_TRUE(files);
    auto fewer = *files, larger = *files;
    ASSERT_TRUE(fewer.files.erase("MAP/TOWN.A"));
    larger.files["MAP/TOWN.A"].resize(60 * 2048);
    for (const MemoryTree& tree : {fewer, larger}) {
      Diagnostics notes;
      auto again = pack(tree, {}, &notes);
      ASSERT_TRUE(again) << format_one_line(again.error());
      ASSERT_EQ(notes.size(), 1u);
      EXPECT_EQ(notes[0].id, "archive.repacked");
      EXPECT_EQ(*detect_sector_form(*again), form);
      const size_t system = size_t(16 * sector_size(form));
      EXPECT_TRUE(std::ranges::equal(ByteView(*again).first(system), ByteView(image).first(system)));
      for (const auto& [path, bytes] : tree.files)
        if (!path.starts_with("_system/") && path != "MAP/TOWN.B") EXPECT_EQ(*content(*again, path), bytes) << path;
    }
  }
}

TEST(DiscAdd, AddsFilesUntilDirectoriesMove) {
  for (const SectorForm form : k_all_forms) {
    const std::vector<DiscFile> files = {
        {"A/B/DEEP.BIN", content_of(300, 1)}, {"A/FIRST.BIN", content_of(5000, 2)}, {"ROOT.TXT", content_of(20, 3)}};
    auto image = make_disc_image(files, {.form = form, .sectors = 60});
    ASSERT_TRUE(image);
    const Bytes before = *image;
    PatchedSource changed(std::make_shared<BorrowedByteSource>(before));
    std::map<std::string, Bytes> expected;
    for (const DiscFile& f : files) expected[f.path] = f.bytes;
    for (u32 i = 0; i < 150; ++i) {
      const std::string path = (i % 3 == 0 ? "A/N" : i % 3 == 1 ? "A/B/N" : "N") + std::to_string(1000 - i) + ".DAT";
      expected[path] = content_of(100 + 700 * (i % 7), u8(i));
      const DiscChange one{path, expected[path], true};
      const auto added = add_disc_files(changed, {&one, 1});
      ASSERT_TRUE(added) << format_one_line(added.error());
    }
    const Bytes now = *changed.read(0, changed.size());
    const auto disc = read_disc(now);
    ASSERT_TRUE(disc);
    EXPECT_TRUE(disc->faults.empty());
    EXPECT_EQ(disc->volume_sectors, now.size() / sector_size(form));
    EXPECT_EQ(unsealed(now, form), 0u);
    for (const auto& [path, bytes] : expected) EXPECT_EQ(*content(now, path), bytes) << path;
    std::set<u32> directories;
    for (const DiscTable& t : disc->tables)
      if (t.kind == DiscTable::Kind::directory) {
        EXPECT_GT(t.size, k_sector_data) << t.path;
        directories.insert(t.lba);
      }
    EXPECT_EQ(directories.size(), 3u);
    for (const DiscTable& t : disc->tables) {
      if (t.kind != DiscTable::Kind::path_table) continue;
      const ByteView data = disc_sector(now, form, t.lba);
      std::set<u32> listed;
      for (size_t at = 0; at < t.size; at += 8 + data[at] + data[at] % 2)
        listed.insert(t.big ? u32(data[at + 4]) << 8 | data[at + 5] : u32(data[at + 2]) | u32(data[at + 3]) << 8);
      EXPECT_EQ(listed, directories);
    }
    std::vector<std::string> names;
    for (const DiscEntry& e : disc->entries)
      if (e.path.starts_with("A/N")) names.push_back(e.path);
    EXPECT_TRUE(std::ranges::is_sorted(names));
  }
}

TEST(DiscAdd, RefusesInvalidNamesAndMissingFolders) {
  const std::vector<DiscFile> files = {{"A/FIRST.BIN", content_of(5000, 2)}};
  const auto image = make_disc_image(files);
  ASSERT_TRUE(image);
  for (const auto& [path, id] : {std::pair("A/FIRST.BIN", "archive.pack"),
                                 {"A/a name that is too long", "archive.pack"},
                                 {"B/NEW.BIN", "file.missing"}}) {
    PatchedSource changed(std::make_shared<BorrowedByteSource>(*image));
    const DiscChange one{path, content_of(10, 1), true};
    const auto added = add_disc_files(changed, {&one, 1});
    ASSERT_FALSE(added) << path;
    EXPECT_EQ(added.error().id, id) << path;
    EXPECT_TRUE(changed.blocks().empty());
  }
}

// ---- cue sheets ----

TEST(CueSheets, FindsTheFileOfTheFirstDataTrack) {
  const auto named = [](std::string_view sheet) {
    const auto r = find_cue_data_file(sheet);
    return r ? *r : std::string(r.error().id) + ": " + r.error().message;
  };
  EXPECT_EQ(named("FILE \"my game.bin\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n"), "my game.bin");
  EXPECT_EQ(named("\xEF\xBB\xBF"
                  "file game.iso binary\ntrack 01 mode1/2048\n"),
            "game.iso");
  EXPECT_EQ(named("REM x\nFILE a.wav WAVE\nTRACK 01 AUDIO\nFILE b.bin BINARY\nTRACK 02 MODE2/2336\n"), "b.bin");
  EXPECT_EQ(named("FILE a.wav WAVE\nTRACK 01 AUDIO\n"), "archive.cue: the cue sheet has only audio tracks");
  EXPECT_EQ(named("FILE a.bin MOTOROLA\nTRACK 01 MODE1/2352\n"),
            "archive.cue: the data track is in a file of type MOTOROLA; only BINARY is supported");
  EXPECT_EQ(named("FILE a.bin BINARY\nTRACK 01 CDI/2336\n"), "archive.cue: unsupported track mode CDI/2336");
  EXPECT_EQ(named("FILE a.bin BINARY\nTRACK 01 AUDIO\nTRACK 02 MODE1/2352\n"),
            "archive.cue: the data track is not the first track in its file");
  EXPECT_EQ(named("TRACK 01 MODE1/2352\n"), "archive.cue: the cue sheet has no FILE line before its first TRACK line");
  EXPECT_EQ(named(""), "archive.cue: the cue sheet has no data track");
  EXPECT_EQ(named("FILE \"open BINARY"), "archive.cue: the cue sheet has no data track");
}

// ---- comparison with xorriso ----

class DiscsWithXorriso : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v xorriso >/dev/null 2>&1") != 0) GTEST_SKIP() << "xorriso is not there";
    std::string name = testing::TempDir() + "dio_disc_XXXXXX";
    ASSERT_TRUE(::mkdtemp(name.data()));
    folder_ = name;
  }
  void TearDown() override {
    std::error_code error;
    if (!folder_.empty()) fs::remove_all(folder_, error);
  }
  void write(const fs::path& name, const Bytes& b) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(b.data()), std::streamsize(b.size()));
  }
  Bytes read(const fs::path& name) {
    std::ifstream file(folder_ / name, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
  }
  int run(const std::string& command) {
    return std::system(("cd " + folder_.string() + " && " + command + " >log 2>&1").c_str());
  }
  fs::path folder_;
};

TEST_F(DiscsWithXorriso, UpdatesImagesMadeByXorriso) {
  std::map<std::string, Bytes> files = {{"MAP/TOWN.LST", content_of(2388, 1)},
                                        {"MAP/TOWN.A", content_of(70'000, 2)},
                                        {"MAP/SUB/X.Y", content_of(1, 3)},
                                        {"README.TXT", text_bytes("hello")}};
  for (int i = 0; i < 120; ++i) files["MANY/F" + std::to_string(100 + i) + ".BIN"] = content_of(size_t(i) * 100, u8(i));
  for (const auto& [path, bytes] : files) write("in/" + path, bytes);
  // plain, with Rock Ridge records, and with a Joliet tree
  for (const char* options : {"-iso-level 1", "-R", "-J -R"}) {
    ASSERT_EQ(run(std::string("xorriso -as mkisofs -quiet ") + options + " -o made.iso in"), 0);
    Bytes image = read("made.iso");
    const auto disc = read_disc(image);
    ASSERT_TRUE(disc) << options;
    EXPECT_TRUE(disc->faults.empty()) << options;
    EXPECT_EQ(disc->form, plain);
    for (const auto& [path, bytes] : files) {
      const auto found = content(image, path);
      ASSERT_TRUE(found) << path;
      ASSERT_EQ(*found, bytes) << path;
    }
    const auto opened = open(image, "made.iso");
    ASSERT_TRUE(opened);
    EXPECT_TRUE(opened->document->save({}) == image);
    for (const Diagnostic& d : check(*opened)) ADD_FAILURE() << options << ": " << format_one_line(d);
    // one file of the same number of sectors, one shorter file
    auto b = changed(image, "MAP/TOWN.LST", content_of(4096, 50));
    ASSERT_TRUE(b) << format_one_line(b.error());
    b = changed(*b, "MAP/TOWN.A", content_of(60'000, 51));
    ASSERT_TRUE(b) << format_one_line(b.error());
    auto too_long = changed(*b, "README.TXT", Bytes(1 << 20));
    ASSERT_FALSE(too_long);
    EXPECT_EQ(too_long.error().id, "archive.full");
    write("updated.iso", *b);
    ASSERT_EQ(run("rm -rf out && xorriso -osirrox on -indev updated.iso -extract / out"), 0);
    for (const auto& [path, bytes] : files) {
      const Bytes expected = path == "MAP/TOWN.LST" ? content_of(4096, 50)
                             : path == "MAP/TOWN.A" ? content_of(60'000, 51)
                                                    : bytes;
      ASSERT_EQ(read("out/" + path), expected) << options << " " << path;
    }
    fs::remove(folder_ / "made.iso");
    ASSERT_EQ(run("chmod -R u+w out"), 0);
  }
}

TEST_F(DiscsWithXorriso, XorrisoReadsGeneratedImages) {
  const auto files = a_tree();
  write("made.iso", image_of(files, plain));
  ASSERT_EQ(run("xorriso -osirrox on -indev made.iso -extract / out"), 0);
  for (const DiscFile& f : files) EXPECT_EQ(read("out/" + f.path), f.bytes) << f.path;
  ASSERT_EQ(run("chmod -R u+w out"), 0);
  // raw sectors contain the same data as plain sectors
  const Bytes raw = image_of(files, mode1), bare = image_of(files, plain);
  for (u64 lba = 0; lba < bare.size() / 2048; ++lba)
    EXPECT_TRUE(std::ranges::equal(disc_sector(raw, mode1, lba), disc_sector(bare, plain, lba))) << lba;
}

}  // namespace
}  // namespace dio
