// follow_test.cpp: map lists on a disc after files change size.
#include <gtest/gtest.h>

#include "core/text_format.hpp"
#include "fft/map_scenes.hpp"
#include "formats/fft/game/parts.hpp"
#include "operations/archive_folders.hpp"
#include "operations/archive_tree.hpp"
#include "operations/game_editing.hpp"
#include "samples/fft/games.hpp"

namespace dio::fft {
namespace {

Gns list_on(const Bytes& image, std::string_view path) {
  auto bytes = read_nested_member(image, "game.bin", path);
  EXPECT_TRUE(bytes);
  auto list = load<Gns>(*bytes);
  EXPECT_TRUE(list);
  return list ? list->document.value() : Gns{};
}

Result<std::vector<DependentFile>> follow_on(const Bytes& image, std::vector<std::string> changed) {
  auto archive = Archive::open(image, "game.bin");
  if (!archive) return refuse(archive.error());
  std::vector<ChangedFile> files;
  for (std::string& path : changed) files.push_back({std::move(path), {}});
  return follow(ArchiveTree(std::move(*archive), "game.bin"), files);
}

/// The image with a resized file, as replace_disc_files writes it, before any list is updated.
Bytes with_size(const Bytes& image, std::string path, size_t size) {
  const DiscChange change{std::move(path), Bytes(size, 1)};
  auto b = replace_disc_files(image, {&change, 1});
  EXPECT_TRUE(b) << format_one_line(b.error());
  return b ? std::move(*b) : Bytes();
}

TEST(FftDiscUpdates, UnchangedSectorsNeedNoUpdates) {
  auto image = make_disc_image(game_files());
  ASSERT_TRUE(image);
  for (const DiscFile& f : game_files()) {
    const auto files = follow_on(*image, {f.path});
    ASSERT_TRUE(files) << format_one_line(files.error());
    EXPECT_TRUE(files->empty()) << f.path;
  }
  EXPECT_TRUE(follow_on(*image, {"NOT/THERE"})->empty());
}

TEST(FftDiscUpdates, PartialReadsGiveTheSameImage) {
  auto image = make_disc_image(game_files());
  ASSERT_TRUE(image);
  for (const DiscFile& f : game_files()) {
    if (f.path.ends_with(".GNS") || f.bytes.size() <= k_sector_data) continue;
    const Bytes shorter(f.bytes.size() - k_sector_data, 7);
    const auto source = std::make_shared<ChunkedByteSource>(image->size(), [&](u64 offset, std::span<u8> to) {
      std::copy_n(image->begin() + std::ptrdiff_t(offset), to.size(), to.begin());
      return to.size();
    });
    auto archive = Archive::open(source, "game.bin");
    ASSERT_TRUE(archive) << format_one_line(archive.error());
    const ArchiveTree tree(std::move(*archive), "game.bin");
    ASSERT_TRUE(can_patch_in_place(tree));
    const auto changed = patch_nested_member(tree, f.path, shorter);
    ASSERT_TRUE(changed) << format_one_line(changed.error());
    const auto whole = replace_nested_member(*image, "game.bin", f.path, shorter);
    ASSERT_TRUE(whole);
    Bytes patched = *image;
    (*changed)->apply_to(patched);
    EXPECT_TRUE(patched == *whole) << f.path;
    EXPECT_LT((*changed)->blocks().size(), f.bytes.size() / k_sector_data + 8);
  }
}

TEST(FftDiscUpdates, UpdatesLengthsInRowsAndFiller) {
  auto image = make_disc_image(game_files());
  ASSERT_TRUE(image);
  for (const DiscFile& f : game_files()) {
    if (f.path.ends_with(".GNS") || f.bytes.size() <= k_sector_data) continue;
    const std::string list_path = f.path.substr(0, f.path.find('.')) + ".GNS";
    const u64 lba = *f.lba;
    const Bytes shorter = with_size(*image, f.path, f.bytes.size() - k_sector_data);
    const auto files = follow_on(shorter, {f.path});
    ASSERT_TRUE(files) << format_one_line(files.error());
    ASSERT_EQ(files->size(), 1u) << f.path;
    EXPECT_EQ((*files)[0].path, list_path);
    const auto list = load<Gns>((*files)[0].bytes);
    ASSERT_TRUE(list);
    const Gns before = list_on(*image, list_path);
    const GnsRow* last = nullptr;
    for (const GnsRow& row : before.rows)
      if (row.is_file()) last = &row;
    ASSERT_TRUE(last);
    size_t changed = 0;
    for (size_t i = 0; i < before.rows.size(); ++i) {
      GnsRow expected = before.rows[i];
      const bool means_it = expected.is_file() && expected.lba == lba;
      const bool fills = expected.type == k_filler && last->lba == lba;
      if (means_it || fills) expected.length -= k_sector_data, ++changed;
      EXPECT_EQ(list->document.value().rows[i], expected) << f.path << " row " << i;
    }
    EXPECT_GT(changed, 0u) << f.path;
    // the rest of the list keeps its bytes
    EXPECT_EQ((*files)[0].bytes.size(), read_nested_member(*image, "game.bin", list_path)->size());
    EXPECT_EQ(list->document.value().commands.size(), before.commands.size());
  }
}

TEST(FftDiscUpdates, KeepsFillerThatRepeatsNoRow) {
  std::vector<DiscFile> files = game_files();
  std::string list_path, file_path;
  size_t filler = 0;
  for (DiscFile& f : files) {
    if (!f.path.ends_with("1.GNS")) continue;
    auto list = load<Gns>(f.bytes);
    ASSERT_TRUE(list);
    const auto& rows = list->document.value().rows;
    u32 lba = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].is_file()) lba = rows[i].lba;
      if (rows[i].type == k_filler) filler = i;
    }
    ASSERT_GT(filler, 0u);
    f.bytes[filler * k_row_size + 12] ^= 0xFF;  // its length
    list_path = f.path;
    for (const DiscFile& other : files)
      if (other.lba == lba && !other.bytes.empty()) file_path = other.path;
  }
  auto image = make_disc_image(files);
  ASSERT_TRUE(image);
  const Gns before = list_on(*image, list_path);
  const auto size = find_disc_file(*image, file_path)->size;
  ASSERT_GT(size, 0u);
  const auto followed =
      follow_on(with_size(*image, file_path, size > k_sector_data ? size_t(size - k_sector_data) : 0), {file_path});
  ASSERT_TRUE(followed) << format_one_line(followed.error());
  ASSERT_EQ(followed->size(), 1u);
  EXPECT_EQ(load<Gns>((*followed)[0].bytes)->document.value().rows[filler], before.rows[filler]);
}

TEST(FftDiscUpdates, ReportsUnreadableLists) {
  std::vector<DiscFile> files = game_files();
  for (DiscFile& f : files)
    if (f.path == "MAP/MAP001.GNS") f.bytes.resize(30);
  auto image = make_disc_image(files);
  ASSERT_TRUE(image);
  for (const DiscFile& f : files) {
    if (f.path.ends_with(".GNS")) continue;
    const auto followed = follow_on(*image, {f.path});
    const bool its_own = f.path.starts_with("MAP/MAP001.");
    EXPECT_EQ(followed.has_value(), !its_own) << f.path;
    if (!followed) {
      EXPECT_EQ(followed.error().place.file, "MAP/MAP001.GNS");
    }
  }
}

TEST(FftDiscUpdates, ReplacingAFileUpdatesItsList) {
  auto image = make_disc_image(game_files());
  ASSERT_TRUE(image);
  const DiscFile last = game_files().back();
  ASSERT_GT(last.bytes.size(), 2 * k_sector_data);
  const Bytes shorter(last.bytes.begin(), last.bytes.end() - std::ptrdiff_t(2 * k_sector_data));
  const auto b = replace_nested_member(*image, "game.bin", last.path, shorter);
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_EQ(*read_nested_member(*b, "game.bin", last.path), shorter);
  const std::string list_path = last.path.substr(0, last.path.find('.')) + ".GNS";
  const Gns before = list_on(*image, list_path), after = list_on(*b, list_path);
  size_t changed = 0;
  for (size_t i = 0; i < before.rows.size(); ++i) {
    if (before.rows[i] == after.rows[i]) continue;
    ++changed;
    EXPECT_EQ(after.rows[i].lba, *last.lba);
    EXPECT_EQ(after.rows[i].length, sectors_for(shorter.size()) * k_sector_data);
  }
  EXPECT_GT(changed, 0u);
  for (u64 lba = 0; lba < b->size() / 2352; ++lba) {
    const SectorChecks c = check_sector(ByteView(*b).subspan(size_t(lba * 2352), 2352), SectorForm::mode2);
    EXPECT_TRUE(c.edc && c.ecc) << lba;
  }
  // restoring the file restores the image
  const auto back = replace_nested_member(*b, "game.bin", last.path, last.bytes);
  ASSERT_TRUE(back) << format_one_line(back.error());
  EXPECT_TRUE(*back == *image);
}

TEST(FftDiscUpdates, GrowingAFileUpdatesItsList) {
  // after the last file of the disc, the volume has unused sectors
  auto image = make_disc_image(game_files(), {SectorForm::mode2, "ROOM", 4000});
  ASSERT_TRUE(image);
  const DiscFile last = game_files().back();
  const Bytes longer = with_size(*image, last.path, last.bytes.size() + 2 * k_sector_data);
  const auto followed = follow_on(longer, {last.path});
  ASSERT_TRUE(followed) << format_one_line(followed.error());
  ASSERT_EQ(followed->size(), 1u);
  const u32 length = u32(sectors_for(last.bytes.size() + 2 * k_sector_data) * k_sector_data);
  const auto list = load<Gns>((*followed)[0].bytes);
  ASSERT_TRUE(list) << format_one_line(list.error());
  for (const GnsRow& row : list->document.value().rows)
    if (row.lba == *last.lba && row.type < k_first_command) {
      EXPECT_EQ(row.length, length);
    }
}

// ---- files that move ----

/// The small disc with a program that stores the locations of the lists, and free space at the end.
Bytes disc_with_table() {
  std::vector<DiscFile> files = game_files();
  Bytes program(size_t(k_table_offset) + 4 * k_table_size + 100);
  for (size_t i = 0; i < program.size(); ++i) program[i] = u8(i / 2048);
  std::fill_n(program.begin() + std::ptrdiff_t(k_table_offset), 4 * k_table_size, u8(0));
  for (const DiscFile& f : files)
    if (f.path.ends_with(".GNS"))
      for (size_t i = 0; i < 4; ++i)
        program[size_t(k_table_offset) + 4 * size_t(f.path[9] - '0') + i] = u8(*f.lba >> 8 * i);
  files.push_back({"BATTLE.BIN", std::move(program), 1000});
  auto image = make_disc_image(files, {SectorForm::mode2, "ROOM", 2000});
  EXPECT_TRUE(image);
  return image ? std::move(*image) : Bytes();
}

std::string findings_of(const Bytes& image) {
  auto archive = Archive::open(image, "game.bin");
  EXPECT_TRUE(archive);
  const ArchiveTree tree(std::move(*archive), "game.bin");
  const auto game = open_game(tree);
  EXPECT_TRUE(game) << format_one_line(game.error());
  std::string out;
  for (const Diagnostic& d : game->game->check(true)) out += format_one_line(d) + "\n";
  return out;
}

TEST(FftDiscUpdates, ListsFollowMovedFiles) {
  const Bytes image = disc_with_table();
  const std::string before = findings_of(image);
  for (const DiscFile& f : game_files()) {
    if (f.path.ends_with(".GNS") || f.bytes.empty()) continue;
    Bytes larger = f.bytes;
    larger.resize(f.bytes.size() + 5 * k_sector_data);
    const auto b = replace_nested_member(image, "game.bin", f.path, larger);
    ASSERT_TRUE(b) << f.path << ": " << format_one_line(b.error());
    const u32 now = find_disc_file(*b, f.path)->lba;
    const std::string list_path = f.path.substr(0, f.path.find('.')) + ".GNS";
    const Gns was = list_on(image, list_path), is = list_on(*b, list_path);
    size_t rows = 0;
    for (size_t i = 0; i < was.rows.size(); ++i) {
      if (was.rows[i].lba != *f.lba || was.rows[i].type >= k_first_command) {
        EXPECT_EQ(is.rows[i], was.rows[i]) << f.path << " row " << i;
        continue;
      }
      ++rows;
      EXPECT_EQ(is.rows[i].lba, now);
      EXPECT_EQ(is.rows[i].length, sectors_for(larger.size()) * k_sector_data);
    }
    EXPECT_GT(rows, 0u) << f.path;
    // All other files except the list keep their bytes.
    for (const DiscFile& other : game_files())
      if (other.path != f.path && other.path != list_path) {
        EXPECT_EQ(*read_nested_member(*b, "game.bin", other.path), other.bytes) << f.path << ": " << other.path;
      }
    // The game still finds every file; a texture of another size is reported.
    if (f.bytes.size() != k_texture_size) {
      EXPECT_EQ(findings_of(*b), before) << f.path;
    }
  }
}

TEST(FftDiscUpdates, ProgramTableFollowsMovedLists) {
  const Bytes image = disc_with_table();
  Bytes list = *read_nested_member(image, "game.bin", "MAP/MAP001.GNS");
  list.resize(2 * k_sector_data + 1);
  const auto b = replace_nested_member(image, "game.bin", "MAP/MAP001.GNS", list);
  ASSERT_TRUE(b) << format_one_line(b.error());
  const u32 was = find_disc_file(image, "MAP/MAP001.GNS")->lba, now = find_disc_file(*b, "MAP/MAP001.GNS")->lba;
  EXPECT_NE(was, now);
  const Bytes before = *read_nested_member(image, "game.bin", "BATTLE.BIN"),
              after = *read_nested_member(*b, "game.bin", "BATTLE.BIN");
  Bytes expected = before;
  for (size_t i = 0; i < 4; ++i) expected[size_t(k_table_offset) + 4 + i] = u8(now >> 8 * i);
  EXPECT_TRUE(after == expected);
  // Without a table, the program could not find the list.
  auto bare = make_disc_image(game_files(), {SectorForm::mode2, "ROOM", 2000});
  ASSERT_TRUE(bare);
  const auto refused = replace_nested_member(*bare, "game.bin", "MAP/MAP001.GNS", list);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "archive.full");
}

TEST(FftDiscUpdates, DoesNotMoveFilesWithFixedSectors) {
  const Bytes image = disc_with_table();
  const Bytes program = *read_nested_member(image, "game.bin", "BATTLE.BIN");
  // The file may grow in place up to the end of the volume, but does not move.
  EXPECT_TRUE(replace_nested_member(image, "game.bin", "BATTLE.BIN", Bytes(program.size() + k_sector_data)));
  const auto refused = replace_nested_member(image, "game.bin", "BATTLE.BIN", Bytes(1100 * size_t(k_sector_data)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "archive.full");
  EXPECT_EQ(refused.error().message.find("no run"), std::string::npos);
}

/// A folder with the game's maps and a BATTLE.BIN whose table has other locations.
MemoryTree folder_of_game() {
  MemoryTree folder;
  for (const DiscFile& f : game_files()) folder.files[f.path] = f.bytes;
  Bytes table(size_t(k_table_offset + 4 * k_table_size));
  for (u32 i = 0; i < k_table_size; ++i) table[size_t(k_table_offset + 4 * i)] = 7;
  folder.files["BATTLE.BIN"] = table;
  return folder;
}

ArchiveTree disc_of(const FileTree& folder, Diagnostics* notes = nullptr) {
  auto image = pack(folder, {.disc = SectorForm::mode2}, notes);
  EXPECT_TRUE(image) << format_one_line(image.error());
  return ArchiveTree(*Archive::open(*image, "game.bin"), "game.bin");
}

/// The file names of each row of each map.
std::vector<std::string> files_of_rows(const FileTree& tree) {
  std::vector<std::string> out;
  for (const MapFiles& m : find_maps(tree)) {
    const auto map = GameMap::open(tree, m);
    EXPECT_TRUE(map);
    if (!map || (*map)->unpaired()) continue;
    for (u32 row = 0; row < (*map)->gns().rows.size(); ++row) {
      EXPECT_EQ((*map)->path(row).empty(), !(*map)->gns().rows[row].is_file()) << m.name << " row " << row;
      out.push_back(upper_case((*map)->path(row)));
    }
  }
  EXPECT_FALSE(out.empty());
  return out;
}

void expect_no_findings(const FileTree& disc) {
  const auto game = game_kind().open(disc);
  ASSERT_TRUE(game);
  for (const Diagnostic& d : (*game)->check(true))
    if (d.id != "fft.state-anim-loss") ADD_FAILURE() << format_one_line(d);
}

TEST(FftDiscUpdates, PackingAFolderKeepsItsMaps) {
  const MemoryTree folder = folder_of_game();
  Diagnostics notes;
  const ArchiveTree disc = disc_of(folder, &notes);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(files_of_rows(disc), files_of_rows(folder));
  expect_no_findings(disc);
  // Repacking is stable: files without locations are sorted by number, 9 before 10.
  const auto unpacked = unpack(disc.archive(), "game.bin");
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(files_of_rows(*unpacked), files_of_rows(folder));
  expect_no_findings(disc_of(*unpacked));
}

TEST(FftDiscUpdates, PacksFoldersWithLowercaseNames) {
  MemoryTree folder;
  for (const bool all : {true, false}) {  // or only every second file
    bool is_small = false;
    folder.files.clear();
    for (const auto& [path, bytes] : folder_of_game().files) {
      is_small = all || !is_small;
      const std::string name(file_name(path));
      folder.files[path.substr(0, path.size() - name.size()) + (is_small ? lower_case(name) : name)] = bytes;
    }
    const ArchiveTree disc = disc_of(folder);
    EXPECT_EQ(files_of_rows(disc), files_of_rows(folder));
    expect_no_findings(disc);
    const auto unpacked = unpack(disc.archive(), "game.bin");
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(files_of_rows(*unpacked), files_of_rows(folder));
  }
}

TEST(FftDiscUpdates, ProgramTableOmitsDeletedMaps) {
  MemoryTree folder = folder_of_game();
  std::erase_if(folder.files, [](const auto& f) { return f.first.starts_with("MAP/MAP000"); });
  ASSERT_FALSE(find_maps(folder).empty());
  expect_no_findings(disc_of(folder));
}

TEST(FftDiscUpdates, PackingRefusesListsWhoseFilesAreMissing) {
  MemoryTree folder = folder_of_game();
  const std::string list = find_maps(folder).front().gns;
  std::erase_if(folder.files,
                [&](const auto& f) { return f.first != list && f.first.starts_with(list.substr(0, list.find('.'))); });
  // Its row would load whatever is at the old sector.
  const auto image = pack(folder, {.disc = SectorForm::mode2});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().id, "fft.file-count");
  EXPECT_EQ(image.error().place.file, list);
}

TEST(FftDiscUpdates, FindsMovedFilesByLengthAfterUnpacking) {
  auto image = make_disc_image(game_files());
  ASSERT_TRUE(image);
  size_t moved = 0;
  for (const DiscFile& f : game_files()) {
    if (f.path.ends_with(".GNS") || f.path.ends_with(".8")) continue;  // .8 is a texture with a fixed length
    const auto longer =
        replace_nested_member(*image, "game.bin", f.path, Bytes(f.bytes.size() + 9 * size_t(k_sector_data)));
    if (!longer) continue;
    const ArchiveTree disc(*Archive::open(*longer, "game.bin"), "game.bin");
    if (disc.place(f.path) == *f.lba) continue;
    ++moved;
    const auto unpacked = unpack(disc.archive(), "game.bin");
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(files_of_rows(*unpacked), files_of_rows(disc)) << f.path;
  }
  EXPECT_GT(moved, 0u);
}

TEST(FftDiscUpdates, DoesNotGuessBetweenEqualLengths) {
  auto image = make_disc_image(game_files());
  ASSERT_TRUE(image);
  // Two meshes with the same number of sectors, moved one after the other: their lengths do not distinguish them.
  std::vector<std::string> meshes;
  for (const DiscFile& f : game_files())
    if (f.path.starts_with("MAP/MAP001.1")) meshes.push_back(f.path);
  ASSERT_GE(meshes.size(), 3u);
  for (const std::string& path : {meshes[2], meshes[0]}) {
    image = replace_nested_member(*image, "game.bin", path, Bytes(2 * size_t(k_sector_data)));
    ASSERT_TRUE(image) << format_one_line(image.error());
  }
  const ArchiveTree disc(*Archive::open(*image, "game.bin"), "game.bin");
  ASSERT_LT(*disc.place(meshes[2]), *disc.place(meshes[0]));
  auto unpacked = unpack(disc.archive(), "game.bin");
  ASSERT_TRUE(unpacked);
  std::erase_if(unpacked->files, [](const auto& file) { return file.first.starts_with("_system/"); });  // a new image
  const auto map = GameMap::open(*unpacked, find_maps(*unpacked)[1]);
  ASSERT_TRUE(map);
  ASSERT_TRUE((*map)->unpaired());
  EXPECT_EQ((*map)->unpaired()->id, "fft.file-length");
  // A guess would make rows load other files.
  const auto refused = pack(*unpacked, {.disc = SectorForm::mode2});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "fft.file-length");
}

/// A mesh file with an ambient colour of its own.
Bytes small_mesh(u8 ambient) {
  Mesh m{};
  m.lights.emplace();
  m.lights->ambient = {ambient, 0, 0};
  return bytes_of(m);
}
/// The content of the file that a row loads, by its arrangement.
std::map<u16, Bytes> contents_by_arrangement(const FileTree& tree) {
  std::map<u16, Bytes> out;
  const auto map = GameMap::open(tree, find_maps(tree)[1]);
  EXPECT_TRUE(map);
  if (!map || (*map)->unpaired()) return out;
  for (u32 row = 0; row < (*map)->gns().rows.size(); ++row)
    if ((*map)->gns().rows[row].is_file())
      out[(*map)->gns().rows[row].state.arrangement] = *tree.read((*map)->path(row));
  return out;
}
Result<EditedTree::Changed> add_file(const FileTree& tree, const std::string& arrangement, const Bytes& content) {
  auto editing = GameEditing::begin(tree);
  if (!editing) return refuse(std::move(editing.error()));
  const auto steps = parse_edit_steps(
      std::vector<std::string>{"add-file", "map=1", "source=new.mesh", "as=mesh", "state=arrangement=" + arrangement});
  const auto done = editing->run(steps->front(), Referrers::refuse, nullptr, ByteView(content));
  if (!done) return refuse(done.error());
  return editing->changed();
}

TEST(FftNewFiles, AreOnTheDiscWhereTheirRowsSay) {
  const Bytes image = disc_with_table();
  const ArchiveTree disc(*Archive::open(Bytes(image), "game.bin"), "game.bin");
  const auto changed = add_file(disc, "77", small_mesh(7));
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  std::vector<DependentFile> files;
  for (const auto& [path, bytes] : *changed) files.push_back({path, bytes});
  const auto written = replace_files(disc, std::move(files));
  ASSERT_TRUE(written) << format_one_line(written.error());
  const ArchiveTree now(*Archive::open(Bytes(*written), "game.bin"), "game.bin");
  const auto before = contents_by_arrangement(disc);
  auto after = contents_by_arrangement(now);
  EXPECT_EQ(after[77], small_mesh(7));
  after.erase(77);
  EXPECT_TRUE(after == before);
  expect_no_findings(now);
}

TEST(FftNewFiles, KeepTheirRowsInFoldersAndWhenPacked) {
  MemoryTree folder = folder_of_game();
  const auto before = contents_by_arrangement(folder);
  for (const u8 n : {91, 92, 93}) {
    const auto changed = add_file(folder, std::to_string(n), small_mesh(n));
    ASSERT_TRUE(changed) << format_one_line(changed.error());
    for (const auto& [path, bytes] : *changed) folder.files[path] = bytes;
  }
  const ArchiveTree disc = disc_of(folder);
  for (const FileTree* tree : std::initializer_list<const FileTree*>{&folder, &disc}) {
    auto after = contents_by_arrangement(*tree);
    for (const u8 n : {91, 92, 93}) {
      EXPECT_EQ(after[n], small_mesh(n));
      after.erase(n);
    }
    EXPECT_TRUE(after == before);
  }
  expect_no_findings(disc);
}

/// The files of a game after make-map.
Result<EditedTree::Changed> make_map(const FileTree& tree, const std::string& number, const scene::Scene& scene) {
  auto editing = GameEditing::begin(tree);
  if (!editing) return refuse(std::move(editing.error()));
  const auto steps = parse_edit_steps(std::vector<std::string>{"make-map", "map=" + number, "scene=hut.glb"});
  const auto done = editing->run(steps->front(), Referrers::refuse, &scene);
  if (!done) return refuse(done.error());
  return editing->changed();
}
ArchiveTree written(const ArchiveTree& disc, const EditedTree::Changed& changed) {
  std::vector<DependentFile> files;
  for (const auto& [path, bytes] : changed) files.push_back({path, bytes});
  auto image = replace_files(disc, std::move(files));
  EXPECT_TRUE(image) << format_one_line(image.error());
  return ArchiveTree(*Archive::open(std::move(*image), "game.bin"), "game.bin");
}
size_t count_polygons(const FileTree& tree, size_t map) {
  const auto opened = GameMap::open(tree, find_maps(tree)[map]);
  EXPECT_TRUE(opened && !(*opened)->unpaired());
  const MergedMap merged = (*opened)->merge_for_state({});
  return merged.primary->textured_quads.size() + merged.primary->textured_triangles.size();
}

TEST(FftNewFiles, ANewMapIsInTheTableOfTheProgram) {
  const ArchiveTree disc(*Archive::open(disc_with_table(), "game.bin"), "game.bin");
  const auto changed = make_map(disc, "7", test::hut().scene);
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  const ArchiveTree now = written(disc, *changed);
  expect_no_findings(now);  // the table of BATTLE.BIN is that of the directory
  ASSERT_EQ(find_maps(now).size(), find_maps(disc).size() + 1);
  EXPECT_EQ(find_maps(now).back().number, 7u);
  EXPECT_EQ(count_polygons(now, find_maps(now).size() - 1), 142u);
  for (const std::string& path : disc.list())
    if (path != "BATTLE.BIN") EXPECT_EQ(*now.read(path), *disc.read(path)) << path;
}

TEST(FftNewFiles, AReplacedMapIsTheSameInAllStates) {
  const ArchiveTree disc(*Archive::open(disc_with_table(), "game.bin"), "game.bin");
  const auto changed = make_map(disc, "1", test::hut().scene);
  ASSERT_TRUE(changed) << format_one_line(changed.error());
  const ArchiveTree now = written(disc, *changed);
  expect_no_findings(now);
  const auto map = GameMap::open(now, find_maps(now)[1]);
  ASSERT_TRUE(map);
  const MergedMap day = (*map)->merge_for_state({});
  for (const MapState& state : (*map)->states()) {
    const MergedMap merged = (*map)->merge_for_state(state);
    EXPECT_EQ(merged.primary->textured_quads.size(), day.primary->textured_quads.size());
    for (size_t page = 0; page < k_pages; ++page) EXPECT_EQ(merged.pages[page]->texels, day.pages[page]->texels);
  }
}

}  // namespace
}  // namespace dio::fft
