// The parts of land data: out as files, in from files, and what must not change.
#include <gtest/gtest.h>

#include "formats/contract/format.hpp"
#include "operations/archive_folders.hpp"
#include "operations/editing.hpp"
#include "operations/file_parts.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

std::vector<Sample> lands() { return samples_of(*find_format("land-data")); }
Bytes land(std::string_view name) {
  for (Sample& s : lands())
    if (s.name == name) return std::move(s.bytes);
  ADD_FAILURE() << name;
  return {};
}
Bytes part_of(const Bytes& file, std::string_view part) { return *read_part(*find_format("land-data"), file, part); }

Argument file_argument(std::string name, Bytes content) {
  return {std::move(name), "a file", std::make_shared<const Bytes>(std::move(content))};
}
Result<Bytes> with_parts(const Bytes& file, std::vector<Argument> parts) {
  auto editing = Editing::begin(file, ReadAs{find_format("land-data"), {}});
  const EditStep step{"set-part", {}, std::move(parts)};
  const auto done = editing->run({&step, 1});
  if (!done) return refuse(done.error());
  return editing->bytes();
}

TEST(LandParts, AFolderOfThemGivesTheSameFile) {
  for (const Sample& s : lands()) {
    const auto tree = unpack(s.bytes, s.name);
    ASSERT_TRUE(tree) << s.name;
    EXPECT_GE(tree->files.size(), 4u);
    EXPECT_EQ(*pack(*tree), s.bytes) << s.name;
  }
}

TEST(LandParts, CutFilesAreRefused) {
  const Bytes town = land("town.bin");
  for (size_t size = 0; size < town.size(); size += 7)
    EXPECT_FALSE(unpack_parts(*find_format("land-data"), ByteView(town).first(size), "town")) << size;
}

TEST(LandParts, ReplaceOnlyWhatIsGiven) {
  const Bytes town = land("town.bin"), meadow = land("meadow.bin");
  constexpr std::string_view k_names[] = {"tiles", "props", "model", "bdhc"};
  for (const std::string_view name : k_names) {
    const auto changed = with_parts(town, {file_argument(std::string(name), part_of(meadow, name))});
    ASSERT_TRUE(changed) << format_one_line(changed.error());
    for (const std::string_view other : k_names)
      EXPECT_EQ(part_of(*changed, other), part_of(other == name ? meadow : town, other)) << name << " " << other;
  }
  // All of them: the other file.
  std::vector<Argument> all;
  for (const std::string_view name : k_names) all.push_back(file_argument(std::string(name), part_of(meadow, name)));
  EXPECT_EQ(*with_parts(town, all), meadow);
}

TEST(LandParts, SoundsMakeALandOfHeartGold) {
  const Bytes sounds = part_of(land("sounds.bin"), "sounds"), town = land("town.bin");
  const auto changed = with_parts(town, {file_argument("sounds", sounds)});
  ASSERT_TRUE(changed);
  EXPECT_EQ(part_of(*changed, "sounds"), sounds);
  EXPECT_EQ(part_of(*changed, "model"), part_of(town, "model"));
  EXPECT_FALSE(read_part(*find_format("land-data"), town, "sounds"));
}

TEST(LandParts, RefuseOtherFiles) {
  const Bytes town = land("town.bin");
  for (const auto& [part, content] : {std::pair("model", part_of(town, "tiles")),
                                      {"bdhc", part_of(town, "model")},
                                      {"sounds", part_of(town, "props")},
                                      {"tiles", Bytes(100)},
                                      {"props", Bytes(47)},
                                      {"nothing", Bytes()}}) {
    const auto changed = with_parts(town, {file_argument(part, content)});
    ASSERT_FALSE(changed) << part;
    EXPECT_EQ(changed.error().id, "edit.argument") << part;
  }
  EXPECT_EQ(with_parts(town, {{"model", "not read"}}).error().id, "edit.argument");
}

/// Pokemon DS Map Studio writes heights with cameras beside those without.
TEST(LandParts, PackTakesHeightsWithCameras) {
  const Bytes cameras = land("cameras.bin");
  MemoryTree folder = *unpack(cameras, "town_00_00.bin");
  const Bytes heights = folder.files.at("town_00_00.bdhc");
  folder.files["town_00_00.bdhcam"] = heights;
  folder.files["town_00_00.bdhc"] = part_of(land("stray.bin"), "bdhc");
  ASSERT_LT(folder.files["town_00_00.bdhc"].size(), heights.size());
  EXPECT_EQ(*pack(folder), cameras);
  Diagnostics notes;
  EXPECT_EQ(*pack(folder, {}, &notes), cameras);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].place.file, "town_00_00.bdhc");
}

TEST(LandParts, PackNeedsTheFilesOfOneMap) {
  const MemoryTree whole = *unpack(land("town.bin"), "town.bin");
  for (const char* more : {"again.per", "notes.txt", "sub/town.per", "town.PER"}) {
    MemoryTree folder = whole;
    folder.files[more] = folder.files["town.per"];
    EXPECT_EQ(pack(folder).error().id, "archive.pack") << more;
  }
  for (const auto& [path, bytes] : whole.files) {
    MemoryTree folder = whole;
    folder.files.erase(path);
    EXPECT_EQ(pack(folder).error().id, "archive.pack") << path;
  }
}

}  // namespace
}  // namespace dio::test
