// Archives unpacked to folders and packed again, and paths into archives.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>

#include "containers/nitro_fs/name_table.hpp"
#include "containers/nitro_fs/narc.hpp"
#include "containers/nitro_fs/nds_rom.hpp"
#include "containers/packed/yaz0.hpp"
#include "containers/u8/u8_archive.hpp"
#include "core/safe_path.hpp"
#include "formats/registry.hpp"
#include "invented/laws.hpp"
#include "operations/archive_folders.hpp"
#include "operations/archive_tree.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

Bytes text_bytes(std::string_view s) { return Bytes(s.begin(), s.end()); }
std::string as_text(const Bytes& b) { return std::string(b.begin(), b.end()); }

/// Returns a format's sample by file name.
Bytes sample(std::string_view format, std::string_view name) {
  for (Sample& s : samples_of(*find_format(format)))
    if (s.name == name) return std::move(s.bytes);
  ADD_FAILURE() << name;
  return {};
}
MemoryTree folder_of(const std::string& name, Bytes file) {
  MemoryTree tree;
  tree.files[name] = std::move(file);
  return tree;
}
MemoryTree unpacked(const Bytes& archive, std::string_view folder = {}) {
  auto tree = unpack(archive, "archive", folder);
  EXPECT_TRUE(tree) << format_one_line(tree.error());
  return tree ? std::move(*tree) : MemoryTree();
}

// ---- names ----

using Paths = std::vector<std::string>;

TEST(SafePaths, KeepsOrdinaryPaths) {
  const Paths paths = {"a/b.narc", "a/c d.bin", "fielddata/land_data/land_data.narc", "0000.bin"};
  EXPECT_EQ(*escape_archive_paths(paths), paths);
}

TEST(SafePaths, ResolvesOnlyPathsBelowTheFolder) {
  for (const char* inside : {"disc.bin", "a/b/c.bin", "a..b", "..."}) EXPECT_EQ(resolve_relative_path(inside), inside);
  EXPECT_EQ(resolve_relative_path("./a/./b"), "a/b");
  for (const char* elsewhere :
       {"", ".", "/etc/passwd", "..", "../a", "a/../b", "a//b", "C:a", "C:\\a", "..\\a", "a\nb"})
    EXPECT_FALSE(resolve_relative_path(elsewhere)) << elsewhere;
}

TEST(SafePaths, EscapesUnsafePathParts) {
  const std::pair<std::string, std::string> cases[] = {
      {"../x", "%2E%2E/x"},
      {"a/../../b", "a/%2E%2E/%2E%2E/b"},
      {"/etc/passwd", "%/etc/passwd"},
      {"..", "%2E%2E"},
      {".", "%2E"},
      {"...", "%2E%2E%2E"},
      {"c:\\x", "c%3A%5Cx"},
      {"a\\..\\b", "a%5C..%5Cb"},
      {"nul", "%6Eul"},
      {"Con.txt", "%43on.txt"},
      {"lpt1", "%6Cpt1"},
      {"dot.", "dot%2E"},
      {"sp ", "sp%20"},
      {"a//b", "a/%/b"},
      {"", "%"},
      {"_system/header.bin", "%5Fsystem/header.bin"},
      {"_SYSTEM", "%5FSYSTEM"},
      {"50%", "50%25"},
      {"\x01\x7f\xff", "%01%7F%FF"},
      {std::string("n\0l", 3), "n%00l"},
  };
  for (const auto& [path, expected] : cases) {
    const auto safe = escape_archive_paths({path});
    ASSERT_TRUE(safe) << path;
    EXPECT_EQ(safe->front(), expected);
  }
}

TEST(SafePaths, EscapesPathsThatDifferOnlyInCase) {
  auto safe = escape_archive_paths({"Maps/a.bin", "maps/A.bin", "maps/b.bin", "MAPS", "x/Y", "x/y", "X/z"});
  ASSERT_TRUE(safe) << format_one_line(safe.error());
  std::set<std::string> folded;
  for (std::string s : *safe) {
    for (char& c : s)
      if (c >= 'A' && c <= 'Z') c = char(c + 32);
    EXPECT_TRUE(folded.insert(s).second) << s;
  }
  EXPECT_EQ((*safe)[0], "Maps/a.bin");
  EXPECT_EQ((*safe)[1], "%6Daps/A.bin");
  EXPECT_EQ((*safe)[2], "%6Daps/b.bin");
  for (const std::string& s : *safe) EXPECT_EQ(unescape_path(s).find('%'), std::string::npos) << s;
  EXPECT_EQ(unescape_path((*safe)[1]), "maps/A.bin");
}

TEST(SafePaths, RejectsDuplicatePaths) {
  EXPECT_FALSE(escape_archive_paths({"a", "a"}));
  EXPECT_FALSE(escape_archive_paths({"a", "a/b"}));
  EXPECT_FALSE(escape_archive_paths({"a/b", "a"}));
}

TEST(NameTables, ConvertsPathsInBothDirections) {
  const Paths paths = {"z.bin", "b/x", "B.bin", "b/a/deep", "a/x"};
  std::vector<u16> numbers;
  auto table = build_name_table(paths, 3, numbers);
  ASSERT_TRUE(table);
  auto back = build_paths(*table, 8);
  ASSERT_TRUE(back) << format_one_line(back.error());
  for (size_t i = 0; i < paths.size(); ++i) EXPECT_EQ((*back)[numbers[i]], paths[i]);
  EXPECT_EQ((*back)[3], "B.bin");  // files first, regardless of case
  EXPECT_EQ((*back)[4], "z.bin");
  EXPECT_TRUE((*back)[2].empty());
}

TEST(NameTables, RejectsInvalidPathsAndTables) {
  std::vector<u16> numbers;
  EXPECT_FALSE(build_name_table({"a", "a"}, 0, numbers));
  EXPECT_FALSE(build_name_table({"a", "a/b"}, 0, numbers));
  EXPECT_FALSE(build_name_table({"a//b"}, 0, numbers));
  EXPECT_FALSE(build_name_table({std::string(128, 'x')}, 0, numbers));
  auto table = build_name_table({"a/b"}, 0, numbers);
  ASSERT_TRUE(table);
  EXPECT_FALSE(build_paths(*table, 0));  // a file number beyond the last file
  NameTable loop = *table;
  loop.folders[1].entries.insert(loop.folders[1].entries.begin(), {1, 1, "l", 0xF000});
  EXPECT_FALSE(build_paths(loop, 1));
}

// ---- unpack and pack ----

TEST(UnpackedArchives, RepackingSamplesKeepsTheirBytes) {
  for (const char* format : {"narc", "nds", "u8", "lz", "yaz0"})
    for (const Sample& s : samples_of(*find_format(format))) {
      auto again = pack(unpacked(s.bytes), {.u8 = format == std::string_view("u8")});
      ASSERT_TRUE(again) << s.name << ": " << format_one_line(again.error());
      EXPECT_EQ(*again, s.bytes) << s.name;
    }
}

TEST(UnpackedArchives, RecompressesCompressedData) {
  const Bytes original = sample("lz", "short.lz");
  MemoryTree tree = unpacked(original);
  ASSERT_EQ(tree.list(), (std::vector<std::string>{"_system/packed.lz", "data"}));
  tree.files["data"] = text_bytes("other data, other data");
  auto changed = pack(tree);
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  EXPECT_EQ(changed->front(), original.front());
  EXPECT_EQ(unpacked(*changed).files["data"], tree.files["data"]);
  for (const LzKind kind : {LzKind::lz10, LzKind::lz11}) {
    auto asked = pack(tree, {.lz = kind});
    ASSERT_TRUE(asked) << format_one_line(asked.error());
    EXPECT_EQ(asked->front(), u8(kind));
    EXPECT_EQ(*pack(folder_of("any name", tree.files["data"]), {.lz = kind}), *asked);
  }
  tree.files["more"] = {};
  EXPECT_EQ(pack(tree).error().id, "archive.pack");
  EXPECT_EQ(pack(MemoryTree(), {.lz = LzKind::lz10}).error().id, "archive.pack");
}

TEST(UnpackedArchives, UnpacksCompressedArchivesAsFolders) {
  const Bytes original = sample("yaz0", "folders.szs");
  MemoryTree tree = unpacked(original);
  EXPECT_EQ(tree.list(), (std::vector<std::string>{"Course.bin", "_system/packed.yaz0", "effect/fire/flame.bin",
                                                   "effect/smoke.bin", "empty.bin", "readme.txt"}));
  tree.files["effect/smoke.bin"] = Bytes(1000, 3);
  auto changed = pack(tree);
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  EXPECT_EQ(changed->front(), 'Y');
  EXPECT_EQ(unpacked(*changed).files["effect/smoke.bin"], Bytes(1000, 3));
  // Packs without compression on request.
  auto plain = pack(tree, {.u8 = true});
  ASSERT_TRUE(plain) << format_one_line(plain.error());
  EXPECT_EQ(plain->front(), 'U');
  tree.files.erase("_system/packed.yaz0");
  EXPECT_EQ(*pack(tree, {.u8 = true}), *plain);
  EXPECT_EQ(yaz0_decode(*pack(tree, {.yaz0 = true}))->bytes, *plain);
  // A single file is compressed without an archive.
  EXPECT_EQ(yaz0_decode(*pack(folder_of("any name", Bytes(50, 1)), {.yaz0 = true, .one_file = true}))->bytes,
            Bytes(50, 1));
}

TEST(UnpackedArchives, OmitsTablesThatPackingRecreates) {
  EXPECT_FALSE(unpacked(sample("u8", "folders.arc")).has("_system/u8.bin"));
  EXPECT_TRUE(unpacked(sample("u8", "odd.arc")).has("_system/u8.bin"));
}

TEST(UnpackedArchives, SuffixesRepeatedPathsInU8Archives) {
  U8Archive twice = make_u8({{"a.b/x", Bytes(3, 1)},
                             {"course.kmp", Bytes(5, 2)},
                             {"course_2.kmp", Bytes(7, 3)},
                             {"other.kmp", Bytes(9, 4)},
                             {"z", Bytes(11, 5)}});
  for (U8Node& n : twice.nodes) {
    if (n.name == "other.kmp") n.name = "course.kmp";
    if (n.name == "z") n.name = "a.b";  // also a folder
  }
  Document<U8Archive> document;
  document.edit() = twice;
  const Bytes original = save(document).value();

  MemoryTree tree = unpacked(original);
  std::erase_if(tree.files, [](const auto& f) { return f.first.starts_with("_system/"); });
  EXPECT_EQ(tree.list(), (Paths{"a.b/x", "a_2.b", "course.kmp", "course_2.kmp", "course_3.kmp"}));
  EXPECT_EQ(tree.files["course.kmp"], Bytes(5, 2));
  EXPECT_EQ(tree.files["course_3.kmp"], Bytes(9, 4));
  EXPECT_EQ(pack(unpacked(original)).value(), original);

  const Archive archive = Archive::open(original, "twice.arc").value();
  const size_t second = archive.find("course_3.kmp").value();
  EXPECT_EQ(archive.read(second).value(), Bytes(9, 4));
  const NewContent news{second, Bytes(100, 6)};
  MemoryTree changed = unpacked(archive.replace({&news, 1}).value());
  EXPECT_EQ(changed.files["course.kmp"], Bytes(5, 2));
  EXPECT_EQ(changed.files["course_3.kmp"], Bytes(100, 6));

  tree = unpacked(original);
  tree.files["course_3.kmp"] = Bytes(200, 7);
  EXPECT_EQ(unpacked(pack(tree).value()).files["course_3.kmp"], Bytes(200, 7));
}

TEST(UnpackedArchives, LimitsThePackedImageSize) {
  for (const char* format : {"narc", "nds"})
    for (const Sample& s : samples_of(*find_format(format))) {
      MemoryTree tree = unpacked(s.bytes);
      if (!tree.has("_system/image.txt")) continue;
      EXPECT_TRUE(pack(tree, {.limit = s.bytes.size()})) << s.name;
      auto refused = pack(tree, {.limit = s.bytes.size() - 1});
      ASSERT_FALSE(refused) << s.name;
      EXPECT_EQ(refused.error().id, "layout.limit");
    }
}

TEST(UnpackedArchives, PlainNarcContainsOnlyItsMembers) {
  EXPECT_EQ(unpacked(sample("narc", "shelf.narc")).list(), (Paths{"0000.bin", "0001.bin", "0002.bin", "0003.bin"}));
  EXPECT_TRUE(unpacked(sample("narc", "named.narc")).has("_system/narc.bin"));
}

TEST(UnpackedArchives, PacksNumberedOrOrderedFolders) {
  MemoryTree tree;
  tree.files = {{"0000.bin", text_bytes("one")}, {"0001.bin", text_bytes("!")}};
  const Bytes numbers = *pack(tree);
  EXPECT_EQ(as_text(Bytes(numbers.begin() + 4, numbers.begin() + 8)), std::string("\xFE\xFF\0\1", 4));
  MemoryTree ordered;
  ordered.files = {{"b.bin", text_bytes("one")},
                   {"a.bin", text_bytes("!")},
                   {"other.txt", text_bytes("not a member")},
                   {"all.order", text_bytes("b.bin\r\na\n\n")}};
  auto packed = pack(ordered);
  ASSERT_TRUE(packed) << format_one_line(packed.error());
  EXPECT_EQ(*packed, numbers);
  ordered.files["all.order"] = text_bytes("c\n");
  EXPECT_FALSE(pack(ordered));
  tree.files["0003.bin"] = {};
  ASSERT_FALSE(pack(tree));
  EXPECT_EQ(pack(tree).error().place.file, "0002.bin");
  tree.files.erase("0003.bin");
  tree.files["notes.txt"] = {};
  EXPECT_EQ(pack(tree).error().place.file, "notes.txt");
  EXPECT_FALSE(pack(MemoryTree()));
  auto other = pack(unpacked(numbers), {.other_order = true});
  ASSERT_TRUE(other);
  EXPECT_EQ((*other)[4], 0xFF);
}

TEST(UnpackedArchives, KeepsMemberNames) {
  MemoryTree tree;
  tree.files = {{"maps/a.bin", text_bytes("A")}, {"b%2E", text_bytes("B")}};
  auto narc = pack(tree, {.named = true});
  ASSERT_TRUE(narc) << format_one_line(narc.error());
  auto archive = Archive::open(*narc, "x.narc");
  ASSERT_TRUE(archive);
  EXPECT_TRUE(archive->find("b."));
  EXPECT_EQ(as_text(*archive->read(*archive->find("maps/a.bin"))), "A");
  MemoryTree again = unpacked(*narc);
  EXPECT_EQ(again.files["b%2E"], text_bytes("B"));
}

TEST(UnpackedArchives, PacksMembersOfAnotherSize) {
  for (const char* name : {"cartridge.nds", "filled.nds"}) {
    MemoryTree tree = unpacked(sample("nds", name));
    tree.files["readme.txt"] = Bytes(3000, 'x');
    auto rom = pack(tree);
    ASSERT_TRUE(rom) << format_one_line(rom.error());
    EXPECT_EQ(unpacked(*rom).files["readme.txt"], Bytes(3000, 'x'));
    EXPECT_EQ(unpacked(*rom).files["data/shelf.narc"], tree.files["data/shelf.narc"]);
    EXPECT_EQ(detect(*rom, "")->sniff.certainty, Sniff::Certainty::certain);  // its checksum is valid
  }
  MemoryTree named = unpacked(sample("narc", "named.narc"));
  named.files["readme.txt"] = text_bytes("much longer than before");
  auto narc = pack(named);
  ASSERT_TRUE(narc) << format_one_line(narc.error());
  EXPECT_EQ(unpacked(*narc).files["readme.txt"], named.files["readme.txt"]);
}

TEST(UnpackedArchives, FixesChecksumsOfEditedHeadersOnly) {
  const Bytes rom = sample("nds", "cartridge.nds");
  MemoryTree tree = unpacked(rom);
  tree.files["_system/header.bin"][0] = 'X';
  auto changed = pack(tree);
  ASSERT_TRUE(changed);
  Bytes sealed = *changed;
  NdsRom::seal(sealed);
  EXPECT_EQ(*changed, sealed);
  EXPECT_NE(*changed, rom);
  Bytes wrong = rom;
  wrong[0x15E] ^= 1;
  auto kept = unpack(wrong, "wrong.nds");
  ASSERT_TRUE(kept) << format_one_line(kept.error());
  EXPECT_EQ(*pack(*kept), wrong);
}

TEST(UnpackedArchives, KeepsBytesBetweenParts) {
  Bytes rom = sample("nds", "filled.nds");
  auto loaded = load<NdsRom>(rom);
  ASSERT_TRUE(loaded);
  ASSERT_FALSE(loaded->document.residue.empty());
  rom[size_t(loaded->document.residue[0].offset)] = 0x55;
  rom[0x3FF0] = 0;
  MemoryTree tree = unpacked(rom);
  EXPECT_TRUE(tree.has("_system/gaps.bin"));
  EXPECT_EQ(*pack(tree), rom);
  Bytes narc = sample("narc", "shelf.narc");
  narc[0x54 + 3] = 0x77;
  tree = unpacked(narc);
  EXPECT_EQ(*pack(tree), narc);
  auto lost = replace_nested_member(narc, "x.narc", "0", text_bytes("longer"));
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().hint.find("_system/gaps.bin"), std::string::npos);
  // Gap bytes have no place after members change size: packing rejects them until the gap file is removed.
  tree.files["0000.bin"] = text_bytes("longer");
  auto refused = pack(tree);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "layout.loses");
  EXPECT_EQ(refused.error().place.file, "_system/gaps.bin");
  tree.files.erase("_system/gaps.bin");
  EXPECT_TRUE(pack(tree));
}

TEST(UnpackedArchives, PacksRomsWithoutArm7OrFiles) {
  MemoryTree tree = unpacked(sample("nds", "bare.nds"));
  EXPECT_FALSE(tree.has("_system/arm7.bin"));
  EXPECT_TRUE(pack(tree));
}

TEST(UnpackedArchives, AcceptsNewFilesOnlyWithNewTables) {
  MemoryTree tree = unpacked(sample("nds", "cartridge.nds"));
  tree.files["data/new.bin"] = text_bytes("new");
  auto refused = pack(tree);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "archive.pack");
  EXPECT_EQ(refused.error().place.file, "data/new.bin");
  tree.files.erase("_system/fnt.bin");
  tree.files.erase("_system/fat.bin");
  auto anew = pack(tree);
  ASSERT_TRUE(anew) << format_one_line(anew.error());
  MemoryTree again = unpacked(*anew);
  EXPECT_EQ(again.files["data/new.bin"], text_bytes("new"));
  EXPECT_EQ(again.files["readme.txt"], tree.files["readme.txt"]);
  EXPECT_EQ(again.files["_system/overlays/0001.bin"], tree.files["_system/overlays/0001.bin"]);
  tree = unpacked(sample("nds", "cartridge.nds"));
  tree.files.erase("readme.txt");
  refused = pack(tree);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "file.missing");
}

TEST(UnpackedArchives, UnpacksASingleFolder) {
  EXPECT_EQ(unpacked(sample("nds", "cartridge.nds"), "data").list(),
            (Paths{"empty.bin", "maps/town.lz", "shelf.narc"}));
  EXPECT_FALSE(unpack(sample("nds", "cartridge.nds"), "x.nds", "dat"));
}

TEST(UnpackedArchives, EscapesNamesThatLeaveTheFolder) {
  Narc n = make_narc({text_bytes("evil")});
  std::vector<u16> numbers;
  n.names = *build_name_table({"xxxxxxxxxxxxx"}, 0, numbers);
  n.names.folders[0].entries[0].name = "../../etc/cron";
  n.names.folders[0].entries[0].length = 14;
  Document<Narc> d;
  d.edit() = n;
  auto bytes = save(d);
  ASSERT_TRUE(bytes) << format_one_line(bytes.error());
  MemoryTree tree = unpacked(*bytes);
  EXPECT_TRUE(tree.has("%2E%2E/%2E%2E/etc/cron"));
  for (const std::string& path : tree.list()) {
    EXPECT_FALSE(path.starts_with("/"));
    EXPECT_EQ(path.find(".."), path.npos) << path;
  }
  EXPECT_EQ(*pack(tree), *bytes);
}

// ---- paths into archives ----

TEST(NestedArchives, ReadsMembersOfNestedArchives) {
  const Bytes rom = sample("nds", "cartridge.nds");
  EXPECT_EQ(as_text(*read_nested_member(rom, "game.nds", "data/shelf.narc/1")), "twelve");
  EXPECT_EQ(as_text(*read_nested_member(rom, "game.nds", "data/shelf.narc/0001.bin")), "twelve");
  EXPECT_EQ(read_nested_member(rom, "game.nds", "data/maps/town.lz/data")->size(), 200u);
  auto none = read_nested_member(rom, "game.nds", "data/shelf.narc/9");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().id, "file.missing");
  EXPECT_EQ(none.error().place.file, "game.nds/data/shelf.narc/9");
  none = read_nested_member(rom, "game.nds", "readme.txt/1");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().id, "archive.none");
  EXPECT_FALSE(read_nested_member(text_bytes("text"), "x", "1"));
}

TEST(NestedArchives, PresentsAnArchiveAsAFileTree) {
  auto archive = Archive::open(sample("nds", "cartridge.nds"), "game.nds");
  ASSERT_TRUE(archive);
  EXPECT_TRUE(archive->has_folder("data"));
  EXPECT_TRUE(archive->has_folder("data/maps"));
  EXPECT_FALSE(archive->has_folder("dat"));
  const ArchiveTree tree(std::move(*archive), "game.nds");
  EXPECT_TRUE(tree.has("data/shelf.narc/2"));
  EXPECT_FALSE(tree.has("data/shelf.narc/4"));
  EXPECT_FALSE(tree.has("data"));
  EXPECT_EQ(tree.read("readme.txt")->size(), 31u);
  EXPECT_EQ(tree.list().size(), tree.archive().members().size());
}

TEST(NestedArchives, ReplacesMembersOfNestedArchives) {
  const Bytes rom = sample("nds", "cartridge.nds");
  for (const std::string text : {"TWELVE", "longer than it was", ""}) {
    auto changed = replace_nested_member(rom, "game.nds", "data/shelf.narc/1", text_bytes(text));
    ASSERT_TRUE(changed) << format_one_line(changed.error());
    EXPECT_EQ(as_text(*read_nested_member(*changed, "game.nds", "data/shelf.narc/1")), text);
    EXPECT_EQ(as_text(*read_nested_member(*changed, "game.nds", "data/shelf.narc/3")), "!");
  }
  Bytes town = *read_nested_member(rom, "game.nds", "data/maps/town.lz/data");
  EXPECT_EQ(*replace_nested_member(rom, "game.nds", "data/maps/town.lz/data", town), rom);  // nothing is recompressed
  town.insert(town.end(), 5, 0x77);
  auto changed = replace_nested_member(rom, "game.nds", "data/maps/town.lz/data", town);
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  EXPECT_EQ(*read_nested_member(*changed, "game.nds", "data/maps/town.lz/data"), town);
}

TEST(NestedArchives, LimitsNestingDepth) {
  Bytes b = text_bytes("the innermost");
  std::string path;
  for (int i = 0; i < 12; ++i) {
    Document<Narc> d;
    d.edit() = make_narc({b});
    b = *save(d);
    path += i ? "/0" : "0";
  }
  auto none = read_nested_member(b, "x.narc", path);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().id, "archive.limit");
  EXPECT_TRUE(read_nested_member(b, "x.narc", "0/0/0/0/0/0/0"));
  EXPECT_FALSE(replace_nested_member(b, "x.narc", path, {}));
}

/// Counts the archives in an archive, at every depth.
size_t archives_below(const ArchiveTree& tree) {
  size_t n = 0;
  for (size_t i = 0; i < tree.archive().members().size(); ++i)
    if (const auto inner = tree.open_nested_archive(i)) n += 1 + archives_below(**inner);
  return n;
}

TEST(NestedArchives, ReportsArchivesNestedTooDeep) {
  for (const int deep : {8, 9}) {
    Bytes b = text_bytes("the innermost");
    for (int i = 0; i < deep; ++i) b = *pack(folder_of("0000.bin", b));
    const ArchiveTree tree(*Archive::open(b, "x.narc"), "x.narc");
    EXPECT_EQ(archives_below(tree), 7u);
    const auto reached = tree.limit_reached();
    ASSERT_EQ(reached.has_value(), deep == 9);
    if (reached) {
      EXPECT_EQ(reached->id, "archive.limit");
      EXPECT_EQ(reached->place.file, "x.narc/0/0/0/0/0/0/0/0");
    }
  }
}

TEST(NestedArchives, LimitsExponentialNesting) {
  Bytes b = text_bytes("the innermost");
  for (int i = 0; i < 7; ++i) {  // 20 members that share their bytes: 20^7 archives in 1.5 kB
    Document<Narc> d;
    d.edit() = make_narc(std::vector<Bytes>(20, b));
    Bytes full = *save(d);
    const u64 data = data_offset(load<Narc>(full)->document.value());
    full.resize(size_t(data) + (b.size() + 3) / 4 * 4);
    for (size_t m = 0; m < 20; ++m) {
      const size_t entry = 28 + 8 * m;
      std::fill_n(full.begin() + std::ptrdiff_t(entry), 8, u8(0));
      full[entry + 4] = u8(b.size());
      full[entry + 5] = u8(b.size() >> 8);
    }
    b = std::move(full);
  }
  ASSERT_LT(b.size(), 2000u);
  auto archive = Archive::open(b, "x.narc");
  ASSERT_TRUE(archive) << format_one_line(archive.error());
  const ArchiveTree tree(std::move(*archive), "x.narc");
  EXPECT_FALSE(tree.limit_reached());
  const size_t n = archives_below(tree);
  EXPECT_GT(n, 300u);
  EXPECT_LT(n, 10000u);
  ASSERT_TRUE(tree.limit_reached());
  EXPECT_EQ(tree.limit_reached()->id, "archive.limit");
  EXPECT_FALSE(tree.read("19/19/19"));
  const auto with_limit = [&](u64 limit) {
    return archives_below(ArchiveTree(*Archive::open(b, "x.narc"), "x.narc", limit));
  };
  EXPECT_EQ(with_limit(0), 0u);
  EXPECT_GT(with_limit(160 << 10), 5u);
  EXPECT_LT(with_limit(160 << 10), 11u);  // each takes 16 KiB of the limit
}

TEST(NestedArchives, CountsSharedMembersSeparately) {
  Bytes rom = sample("nds", "cartridge.nds");
  u32 table, size;  // the table of member start and end offsets
  std::memcpy(&table, rom.data() + 0x48, 4);
  std::memcpy(&size, rom.data() + 0x4C, 4);
  const std::array<u32, 2> whole = {0, u32(rom.size())};
  for (size_t at = table; at < table + size; at += 8) std::memcpy(rom.data() + at, whole.data(), 8);
  const auto archive = Archive::open(rom, "x.nds");
  ASSERT_TRUE(archive) << format_one_line(archive.error());
  u64 each = 0;
  for (const Member& m : archive->members()) each += m.size;
  ASSERT_GT(each, 4 * rom.size());
  const auto opened = [&](u64 limit) { return archives_below(ArchiveTree(*archive, "x.nds", limit)); };
  EXPECT_EQ(opened(each), 0u);
  EXPECT_GT(opened(4 * each), 0u);
  EXPECT_LT(opened(4 * each), 4u);
}

TEST(NestedArchives, PrefersFolderNamesToMemberNumbers) {
  std::vector<u16> numbers;
  Narc n = make_narc({text_bytes("x"), text_bytes("y")});
  n.names = *build_name_table({"1/a", "b"}, 0, numbers);
  Document<Narc> d;
  d.edit() = n;
  auto archive = Archive::open(*save(d), "x.narc");
  ASSERT_TRUE(archive);
  EXPECT_FALSE(archive->find("1"));
  EXPECT_TRUE(archive->find("0"));
  const ArchiveTree tree(std::move(*archive), "x.narc");
  EXPECT_TRUE(tree.has("1/a"));
  EXPECT_EQ(tree.resolve_path("1")->folder, "1");
}

}  // namespace
}  // namespace dio::test
