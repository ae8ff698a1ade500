// Project folders of other tools, laid out by their rules: packed, edited and packed again.
#include <gtest/gtest.h>

#include "containers/nitro_fs/nds_rom.hpp"
#include "containers/packed/blz.hpp"
#include "core/little_endian.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "operations/archive_folders.hpp"
#include "operations/archive_tree.hpp"
#include "operations/cartridge_projects.hpp"
#include "operations/game_editing.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

constexpr u32 k_address = 0x02000000;

std::vector<Sample> cartridges() {
  std::vector<Sample> out;
  for (Sample& s : samples_of(*find_format("nds")))
    if (s.name == "cartridge.nds" || s.name == "filled.nds") out.push_back(std::move(s));
  for (const GameKind* kind : game_kinds())
    for (Sample& s : samples_of(*kind))
      if (s.name.ends_with(".nds")) out.push_back(std::move(s));
  EXPECT_GE(out.size(), 4u);
  return out;
}
Bytes small_game() {
  for (Sample& s : cartridges())
    if (s.name == "small_game.nds") return std::move(s.bytes);
  return {};
}

std::string numbered(std::string_view before, u64 n, size_t digits, std::string_view after) {
  std::string text = std::to_string(n);
  return std::string(before) + std::string(digits - text.size(), '0') + text + std::string(after);
}

/// Every file that is not in _system, below a folder.
void add_files(const MemoryTree& unpacked, const std::string& folder, MemoryTree& to) {
  for (const auto& [path, bytes] : unpacked.files)
    if (!path.starts_with("_system/")) to.files[folder + path] = bytes;
}

/// As `ndstool -x` writes it.
MemoryTree ndstool_folder(const Bytes& image) {
  const MemoryTree from = *unpack(image, "game.nds");
  const auto part = [&](const char* name) {
    const auto found = from.files.find("_system/" + std::string(name));
    return found == from.files.end() ? Bytes() : found->second;
  };
  MemoryTree out;
  Bytes header = part("header.bin");
  header.resize(0x200);
  out.files["header.bin"] = std::move(header);
  Bytes arm9 = part("arm9.bin");
  const Bytes footer = part("arm9_footer.bin");
  arm9.insert(arm9.end(), footer.begin(), footer.end());
  out.files["arm9.bin"] = std::move(arm9);
  out.files["arm7.bin"] = part("arm7.bin");
  out.files["banner.bin"] = part("banner.bin");
  out.files["y9.bin"] = part("arm9_overlays.bin");
  out.files["y7.bin"] = part("arm7_overlays.bin");
  for (u64 i = 0; i < out.files["y9.bin"].size() / 32; ++i)
    out.files[numbered("overlay/overlay_", i, 4, ".bin")] = part(numbered("overlays/", i, 4, ".bin").c_str());
  add_files(from, "data/", out);
  return out;
}

/// As `dsrom extract` writes it, as far as it is read: programs decompressed, with `cut` bytes in a block of their own.
MemoryTree ds_rom_folder(const Bytes& image, size_t cut = 0) {
  const MemoryTree from = *unpack(image, "game.nds");
  MemoryTree out;
  const std::string config =
      "header: header.yaml\narm9_bin: arm9/arm9.bin\narm7_bin: arm7/arm7.bin\nfiles_dir: files/\n";
  out.files["config.yaml"] = Bytes(config.begin(), config.end());
  Bytes arm9 = *decompress_arm9(from.files.at("_system/arm9.bin"), k_address);
  if (cut) out.files["arm9/itcm.bin"] = Bytes(arm9.end() - i64(cut), arm9.end());
  arm9.resize(arm9.size() - cut);
  out.files["arm9/arm9.bin"] = std::move(arm9);
  out.files["arm7/arm7.bin"] = from.files.at("_system/arm7.bin");
  for (u64 i = 0; from.has(numbered("_system/overlays/", i, 4, ".bin")); ++i) {
    const Bytes& stored = from.files.at(numbered("_system/overlays/", i, 4, ".bin"));
    const bool is_packed = from.files.at("_system/arm9_overlays.bin")[32 * i + 31] & 1;
    out.files[numbered("arm9_overlays/ov", i, 3, ".bin")] = is_packed ? *blz_decode(stored) : stored;
  }
  add_files(from, "files/", out);
  return out;
}

/// The archives of a project that DSPRE has unpacked.
void unpack_as_dspre(MemoryTree& project, const std::string& archive, const std::string& folder) {
  const MemoryTree members = *unpack(project.files.at(archive), archive);
  u64 n = 0;
  for (const auto& [path, bytes] : members.files)
    project.files[numbered("unpacked/" + folder + "/", n++, 4, "")] = bytes;
}

Bytes packed(const MemoryTree& project, std::optional<ByteView> base = {}, Diagnostics* notes = nullptr) {
  auto out = pack(project, {.base = base}, notes);
  EXPECT_TRUE(out) << format_one_line(out.error());
  return out ? std::move(*out) : Bytes();
}

/// A project after an edit of its game.
MemoryTree edited(const MemoryTree& project, const EditStep& step) {
  auto editing = GameEditing::begin(project);
  EXPECT_TRUE(editing) << format_one_line(editing.error());
  const auto done = editing->run(step);
  EXPECT_TRUE(done) << format_one_line(done.error());
  MemoryTree out = project;
  EXPECT_FALSE(editing->changed().empty());
  for (const auto& [path, bytes] : editing->changed()) out.files[path] = bytes;
  return out;
}
Bytes edited(const Bytes& image, const EditStep& step) {
  const ArchiveTree tree(*Archive::open(Bytes(image), "game.nds"));
  auto editing = GameEditing::begin(tree);
  EXPECT_TRUE(editing->run(step));
  std::vector<DependentFile> files;
  for (const auto& [path, bytes] : editing->changed()) files.push_back({path, bytes});
  return *replace_files(tree, std::move(files));
}

const EditStep k_add_prop = {"add-prop", {}, {{"land", "1"}, {"model", "2"}, {"x", "8"}, {"z", "24"}}};

TEST(CartridgeProjects, UneditedOnesGiveTheSameCartridge) {
  for (const Sample& s : cartridges()) {
    EXPECT_EQ(packed(ndstool_folder(s.bytes), s.bytes), s.bytes) << s.name;
    EXPECT_EQ(packed(ds_rom_folder(s.bytes), s.bytes), s.bytes) << s.name;
    EXPECT_EQ(packed(ds_rom_folder(s.bytes, 16), s.bytes), s.bytes) << s.name;
    // Without the original, only its padding is not known.
    const Bytes alone = packed(ndstool_folder(s.bytes));
    ASSERT_LE(alone.size(), s.bytes.size()) << s.name;
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), s.bytes.begin())) << s.name;
  }
}

TEST(CartridgeProjects, AreGames) {
  const Bytes image = small_game();
  const auto maps = [](const FileTree& tree) { return open_game(tree)->game->maps().rows.size(); };
  EXPECT_EQ(maps(ndstool_folder(image)), 4u);
  EXPECT_EQ(maps(ds_rom_folder(image)), 4u);
}

TEST(CartridgeProjects, AnEditGivesTheCartridgeWithThisEdit) {
  const Bytes image = small_game(), expected = edited(image, k_add_prop);
  ASSERT_NE(expected, image);
  EXPECT_EQ(packed(edited(ndstool_folder(image), k_add_prop), image), expected);
  EXPECT_EQ(packed(edited(ndstool_folder(image), k_add_prop)), expected);
  EXPECT_EQ(packed(edited(ds_rom_folder(image), k_add_prop), image), expected);
}

TEST(CartridgeProjects, FoldersOfDspreReplaceTheirArchives) {
  const Bytes image = small_game(), expected = edited(image, k_add_prop);
  for (MemoryTree project : {ndstool_folder(image), ds_rom_folder(image)}) {
    const std::string files = project.has("config.yaml") ? "files/" : "data/";
    for (const auto& [archive, folder] : {std::pair("land_data/land_data.narc", "maps"),
                                          {"areadata/area_build_model/area_build.narc", "buildingConfigFiles"},
                                          {"areadata/area_build_model/areabm_texset.narc", "buildingTextures"}})
      unpack_as_dspre(project, files + "fielddata/" + archive, folder);
    project.files["unpacked/maps/0001.bak"] = {1, 2, 3};  // DSPRE ignores it
    EXPECT_EQ(packed(project, image), image);
    const MemoryTree changed = edited(project, k_add_prop);
    EXPECT_NE(changed.files.at("unpacked/maps/0001"), project.files.at("unpacked/maps/0001"));
    EXPECT_EQ(changed.files.at(files + "fielddata/land_data/land_data.narc"),
              project.files.at(files + "fielddata/land_data/land_data.narc"));
    EXPECT_EQ(packed(changed, image), expected);
  }
}

TEST(CartridgeProjects, MembersOfUnpackedFoldersMustBeNumbered) {
  const Bytes image = small_game();
  MemoryTree project = ndstool_folder(image);
  unpack_as_dspre(project, "data/fielddata/land_data/land_data.narc", "maps");
  for (const char* stray : {".DS_Store", "0000~", "0001.old", "0001.bin", "readme.txt", "backup/0000", "99999"}) {
    MemoryTree other = project;
    other.files["unpacked/maps/" + std::string(stray)] = {1};
    const auto out = pack(other, {.base = image});
    ASSERT_FALSE(out) << stray;
    EXPECT_EQ(out.error().id, "archive.pack") << stray;
  }
  MemoryTree gap = project;
  gap.files.erase("unpacked/maps/0002");
  EXPECT_EQ(pack(gap, {.base = image}).error().id, "archive.pack");
  // An archive that was edited although its folder counts is named.
  MemoryTree both = edited(project, k_add_prop);
  both.files["data/fielddata/land_data/land_data.narc"] =
      edited(ndstool_folder(image), k_add_prop).files["data/fielddata/land_data/land_data.narc"];
  both.files["unpacked/maps/0001"] = project.files["unpacked/maps/0001"];
  Diagnostics notes;
  packed(both, image, &notes);
  EXPECT_FALSE(notes.empty());
}

TEST(CartridgeProjects, BackupsAreNotPacked) {
  const Bytes image = small_game();
  MemoryTree project = ndstool_folder(image);
  project.files["data/fielddata/land_data/land_data.narc.bak"] = {1, 2, 3};
  for (const std::optional<ByteView> base : {std::optional<ByteView>(image), std::optional<ByteView>()}) {
    Diagnostics notes;
    EXPECT_EQ(packed(project, base, &notes), image);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].place.file, "data/fielddata/land_data/land_data.narc.bak");
  }
}

TEST(CartridgeProjects, NeedTheBaseOfTheSameGame) {
  const Bytes image = small_game();
  MemoryTree project = ndstool_folder(image);
  project.files["header.bin"][0x0C] = 'X';
  EXPECT_EQ(pack(project, {.base = image}).error().id, "archive.pack");
  MemoryTree ds_rom = ds_rom_folder(image);
  const std::string header = "title: X\ngamecode: XDIE\n";
  ds_rom.files["header.yaml"] = Bytes(header.begin(), header.end());
  EXPECT_EQ(pack(ds_rom, {.base = image}).error().id, "archive.pack");
}

TEST(CartridgeProjects, SayWhatIsNotPacked) {
  const Bytes image = small_game();
  MemoryTree project = ndstool_folder(image);
  project.files["unpacked/nobodyKnows/0000"] = {1};
  Diagnostics notes;
  EXPECT_EQ(packed(project, image, &notes), image);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "archive.unpacked");
  EXPECT_EQ(pack(ds_rom_folder(image)).error().id, "archive.pack");  // needs the original
  MemoryTree longer = ds_rom_folder(image);
  longer.files["arm9/arm9.bin"].resize(1 << 16);
  EXPECT_EQ(pack(longer, {.base = image}).error().id, "archive.pack");
  MemoryTree other = ds_rom_folder(image, 16);
  other.files["arm9/itcm.bin"][3] ^= 0x55;
  EXPECT_EQ(pack(other, {.base = image}).error().id, "archive.pack");
  EXPECT_EQ(pack(ndstool_folder(image), {.base = Bytes{1, 2, 3}}).error().id, "layout.truncated");
}

TEST(CartridgeProjects, SomeFilesReplaceThoseOfTheBase) {
  const Bytes image = small_game(), expected = edited(image, k_add_prop);
  MemoryTree some;
  const MemoryTree all = *unpack(expected, "game.nds");
  for (const auto& [path, bytes] : all.files)
    if (path.starts_with("fielddata/")) some.files[path] = bytes;
  EXPECT_EQ(packed(some, image), expected);
  some.files["fielddata/other.bin"] = {1};
  EXPECT_EQ(pack(some, {.base = image}).error().id, "archive.pack");
  EXPECT_EQ(pack(*unpack(image, "game.nds"), {.base = image}).error().id, "archive.pack");  // is complete
}

/// The small game as the source tree of a decompilation.
MemoryTree decompilation() {
  for (const Sample& s : samples_of(*find_format("u8")))
    if (s.name == "small_sources.arc") return *unpack(s.bytes, s.name);
  return {};
}

TEST(CartridgeProjects, DecompilationsReplaceTheMapsOfTheBase) {
  const Bytes image = small_game();
  EXPECT_EQ(packed(decompilation(), image), image);
  EXPECT_EQ(packed(edited(decompilation(), k_add_prop), image), edited(image, k_add_prop));
  // The table of headers is part of the program.
  MemoryTree weather = decompilation();
  Bytes& headers = weather.files.at("include/data/map_headers.h");
  std::string source(headers.begin(), headers.end());
  source.replace(source.rfind("OVERWORLD_WEATHER_CLEAR + "), 27, "OVERWORLD_WEATHER_CLEAR + 5");
  headers.assign(source.begin(), source.end());
  MemoryTree expected = *unpack(image, "game.nds");
  const MemoryTree found = *unpack(packed(weather, image), "game.nds");
  size_t changed = 0;
  for (const auto& [path, bytes] : expected.files) {
    if (found.files.at(path) == bytes) continue;
    EXPECT_EQ(path, "_system/arm9.bin");
    for (size_t i = 0; i < bytes.size(); ++i) changed += found.files.at(path)[i] != bytes[i];
  }
  EXPECT_EQ(changed, 1u);
}

TEST(CartridgeProjects, DecompilationsSayWhatIsNotTaken) {
  const Bytes image = small_game();
  EXPECT_EQ(pack(decompilation()).error().id, "archive.pack");  // needs the original
  Diagnostics notes;
  packed(decompilation(), image, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].severity, Severity::hint);
  // A land that cannot be read is an error, not the land of the base.
  MemoryTree damaged = decompilation();
  damaged.files.erase("res/field/maps/data/map_data_001.bin");
  EXPECT_FALSE(pack(damaged, {.base = image}));
}

TEST(CartridgeProjects, FilesAreAddedAndRemoved) {
  const Bytes image = small_game();
  MemoryTree project = ndstool_folder(image);
  project.files["data/arc/new.bin"] = {7, 7, 7};
  project.files.erase("data/fielddata/maptable/mapname.bin");
  Diagnostics notes;
  const MemoryTree again = *unpack(packed(project, image, &notes), "game.nds");
  EXPECT_EQ(again.files.at("arc/new.bin"), (Bytes{7, 7, 7}));
  EXPECT_FALSE(again.has("fielddata/maptable/mapname.bin"));
  EXPECT_EQ(again.files.at("_system/arm9.bin"), unpack(image, "game.nds")->files.at("_system/arm9.bin"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "archive.base");
}

/// A cartridge whose program is compressed, as those of HeartGold and SoulSilver are.
Bytes with_packed_program(const Bytes& image, const Bytes& program) {
  const auto put = [](Bytes& to, size_t at, u32 n) {
    for (int i = 0; i < 4; ++i) to[at + size_t(i)] = u8(n >> 8 * i);
  };
  Bytes arm9 = *blz_encode(program, 0x4000);
  put(arm9, 0xBB4, k_address + u32(arm9.size()));
  MemoryTree tree = *unpack(image, "game.nds");
  tree.files["_system/arm9.bin"] = arm9;
  put(tree.files["_system/header.bin"], 0x28, k_address);
  return *pack(tree);
}

TEST(CartridgeProjects, ProgramsAreCompressedAgain) {
  Bytes program(0x8000);
  for (size_t i = 0; i < program.size(); ++i) program[i] = u8(i / 64);
  const u8 mark[] = {0x21, 0x06, 0xC0, 0xDE, 0xDE, 0xC0, 0x06, 0x21};
  std::fill_n(program.begin() + 0xBB4, 8, u8(0));
  std::copy(std::begin(mark), std::end(mark), program.begin() + 0xBBC);
  const Bytes image = with_packed_program(small_game(), program);
  MemoryTree project = ds_rom_folder(image);
  EXPECT_EQ(project.files.at("arm9/arm9.bin"), program);
  EXPECT_EQ(packed(project, image), image);
  project.files["arm9/arm9.bin"][0x6123] ^= 0xFF;
  program[0x6123] ^= 0xFF;
  const Bytes changed = packed(project, image);
  const MemoryTree again = *unpack(changed, "game.nds");
  EXPECT_NE(packed_arm9_end(again.files.at("_system/arm9.bin")), 0u);
  EXPECT_EQ(*decompress_arm9(again.files.at("_system/arm9.bin"), k_address), program);
  // What DSPRE makes of a project of ndstool: a plain program without its mark.
  MemoryTree plain = ndstool_folder(image);
  plain.files["arm9.bin"] = program;
  EXPECT_EQ(unpack(packed(plain, image), "game.nds")->files.at("_system/arm9.bin"), program);
}

}  // namespace
}  // namespace dio::test
