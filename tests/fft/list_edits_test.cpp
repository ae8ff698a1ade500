// list_edits_test.cpp: adding states to a map's list and removing them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/fft/layout/states.hpp"
#include "formats/fft/parts.hpp"
#include "operations/archive_tree.hpp"
#include "operations/editing.hpp"
#include "operations/game_editing.hpp"
#include "samples/fft/games.hpp"
#include "samples/fft/maps.hpp"

namespace dio::fft {
namespace {

using testing::HasSubstr;

Bytes valley_list() { return valley_files(1000)[0].bytes; }
Gns list_of(const Bytes& bytes) {
  auto loaded = load<Gns>(bytes);
  EXPECT_TRUE(loaded);
  return loaded ? loaded->document.value() : Gns{};
}
Result<Bytes> edited(const Bytes& file, std::string_view text) {
  auto editing = Editing::begin(file, ReadAs{find_format("fft-gns")}, {.may_be_unknown = true});
  EXPECT_TRUE(editing);
  const auto steps = parse_edit_steps(tokenize_edit_script(text));
  EXPECT_TRUE(steps) << text;
  const auto done = editing->run(*steps);
  if (!done) return refuse(done.error());
  return editing->bytes();
}
/// The files that a state loads.
std::vector<u32> loaded_in(const Gns& list, std::string_view state) {
  std::vector<u32> out;
  for (const u32 row : find_loaded_rows(list, *parse_state(state))) out.push_back(list.rows[row].lba);
  return out;
}

TEST(FftListEdits, NewStateLoadsTheFilesOfAnother) {
  const Bytes before = valley_list();
  const Gns was = list_of(before);
  for (const char* state : {"night,heavy-rain", "arrangement=3", "night,arrangement=2,light-rain", "crystals=5"}) {
    SCOPED_TRACE(state);
    EXPECT_NE(loaded_in(was, state), loaded_in(was, "night"));
    const auto bytes = edited(before, std::string("add-state state=") + state + " like=night");
    ASSERT_TRUE(bytes) << format_one_line(bytes.error());
    const Gns now = list_of(*bytes);
    EXPECT_EQ(loaded_in(now, state), loaded_in(was, "night"));
    for (const MapState& other : list_row_states(was))
      EXPECT_EQ(loaded_in(now, to_string(other)), loaded_in(was, to_string(other))) << to_string(other);
    // Removing the state restores the file.
    const auto back = edited(*bytes, std::string("remove-state state=") + state);
    ASSERT_TRUE(back) << format_one_line(back.error());
    EXPECT_EQ(*back, before);
  }
}

TEST(FftListEdits, FillerRepeatsTheLastFile) {
  const Gns was = list_of(valley_list());
  std::optional<size_t> filler, last;
  for (size_t i = 0; i < was.rows.size(); ++i) {
    if (was.rows[i].type == k_filler) filler = i;
    if (was.rows[i].is_file()) last = i;
  }
  ASSERT_TRUE(filler && last);
  Gns now = was;
  GnsRow row = was.rows[0];
  row.lba = 7777, row.length = 4096;
  insert_row(now, *last + 1, row);
  EXPECT_EQ(now.rows[*filler + 1].lba, 7777u);
  EXPECT_EQ(now.rows[*filler + 1].length, 4096u);
  erase_row(now, *last + 1);
  EXPECT_EQ(now.rows, was.rows);
  insert_row(now, 0, row);  // the last file stays
  EXPECT_EQ(now.rows[*filler + 1], was.rows[*filler]);
}

TEST(FftListEdits, RejectsInvalidStateEdits) {
  const Bytes list = valley_list();
  const auto refused = [&](std::string_view text) {
    const auto bytes = edited(list, text);
    EXPECT_FALSE(bytes) << text;
    return bytes ? std::string() : format_one_line(bytes.error());
  };
  EXPECT_THAT(refused("add-state state=default like=night"), HasSubstr("every list already has the default state"));
  EXPECT_THAT(refused("add-state state=night like=normal-rain"), HasSubstr("already has rows for the state night"));
  EXPECT_THAT(refused("add-state state=arrangement=9 like=default"),
              HasSubstr("no row belongs to the state default alone"));
  EXPECT_THAT(refused("add-state state=hail like=night"), HasSubstr("unknown word"));
  EXPECT_THAT(refused("add-state state=arrangement=9"), HasSubstr("like"));
  EXPECT_THAT(refused("remove-state state=arrangement=9"), HasSubstr("no row belongs to the state"));
}

// ---- elements before the one that ends a list ----

TEST(FftListEdits, AddsRowsAndCommandsBeforeTheEnd) {
  const Bytes before = valley_list();
  const Gns was = list_of(before);
  const auto copied = edited(before, "duplicate rows[2] set rows[3].state.weather=2");
  ASSERT_TRUE(copied) << format_one_line(copied.error());
  Gns expected = was;
  expected.rows.insert(expected.rows.begin() + 3, was.rows[2]);
  expected.rows[3].state.weather = 2;
  EXPECT_EQ(list_of(*copied).rows, expected.rows);
  const auto several = edited(before, "duplicate commands[0-1] after=2");
  ASSERT_TRUE(several) << format_one_line(several.error());
  EXPECT_EQ(list_of(*several).commands.size(), was.commands.size() + 2);
  EXPECT_EQ(list_of(*several).commands[3].type, was.commands[0].type);
  EXPECT_EQ(list_of(*several).commands.back().type, 0);
  const auto added = edited(before, "add rows before=0 type=texture lba=5 length=2048 end=0x55,0x66,0x77,0x88");
  ASSERT_TRUE(added) << format_one_line(added.error());
  EXPECT_EQ(list_of(*added).rows[0].lba, 5u);
  EXPECT_EQ(list_of(*added).rows[1], was.rows[0]);
  EXPECT_FALSE(edited(before, "add commands"));  // an empty one would end the list
  EXPECT_FALSE(edited(before, "duplicate rows[" + std::to_string(was.rows.size() - 1) + "]"));
}

// ---- files of a disc ----

TEST(FftListEdits, AssignsADiscFileToAState) {
  const auto image = make_disc_image(game_files());
  ASSERT_TRUE(image);
  const ArchiveTree tree(std::move(*Archive::open(*image, "game.bin")), "game.bin");
  auto editing = GameEditing::begin(tree);
  ASSERT_TRUE(editing) << format_one_line(editing.error());
  const auto run = [&](std::string_view text) {
    return editing->run((*parse_edit_steps(tokenize_edit_script(text)))[0]);
  };
  ASSERT_TRUE(run("add-file map=1 file=MAP001.12 as=mesh state=arrangement=4"));
  const auto list = [&] { return list_of(editing->changed().at("MAP/MAP001.GNS")); };
  const u32 lba = find_disc_file(*image, "MAP/MAP001.12")->lba;
  EXPECT_THAT(loaded_in(list(), "arrangement=4"), testing::Contains(lba));
  ASSERT_TRUE(run("set-file map=1 row=2 file=MAP/MAP001.12"));
  EXPECT_EQ(list().rows[2].lba, lba);
  EXPECT_EQ(list().rows[2].length, sectors_for(find_disc_file(*image, "MAP/MAP001.12")->size) * k_sector_data);
  const Gns before = list();
  for (const char* wrong :
       {"add-file map=7 file=MAP001.12 as=mesh state=night", "add-file map=1 file=X as=mesh state=night",
        "add-file map=1 file=MAP001.12 as=9 state=night", "set-file map=1 row=99 file=MAP001.12",
        "set-file map=1 row=0", "add-file map=1 file=MAP001.12 as=mesh state=hail"})
    EXPECT_FALSE(run(wrong)) << wrong;
  EXPECT_EQ(list().rows, before.rows);
  // Loose files have no sectors.
  MemoryTree loose;
  for (const DiscFile& f : game_files()) loose.files[f.path] = f.bytes;
  auto of_folder = GameEditing::begin(loose);
  ASSERT_TRUE(of_folder);
  const auto refused =
      of_folder->run((*parse_edit_steps(tokenize_edit_script("set-file map=1 row=2 file=MAP001.12")))[0]);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("no sectors"));
}

}  // namespace
}  // namespace dio::fft
