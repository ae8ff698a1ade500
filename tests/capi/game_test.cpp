// Files read in parts, and games, through the C interface.
#include "formats/contract/game.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>

#include "capi/owned.hpp"
#include "containers/disc/iso9660.hpp"
#include "formats/contract/format.hpp"
#include "operations/archive_tree.hpp"
#include "samples/fft/games.hpp"
#include "samples/samples.hpp"

namespace {

using dio::Bytes;
using dio::u32;
using dio::u64;
using dio::u8;
using dio::Value;

using namespace capi_test;

Value json(const std::string& text) {
  auto v = dio::json::read(text);
  EXPECT_TRUE(v) << text;
  return v ? std::move(*v) : Value();
}
/// A caller's file on disk that counts the bytes read and may fail.
struct Disk {
  Bytes bytes;
  u64 read = 0, calls = 0;
  u64 fails_after = ~u64(0);  // in calls
  size_t short_by = 0;        // per call

  static size_t reader(void* user, uint64_t offset, void* to, size_t size) {
    Disk& disk = *static_cast<Disk*>(user);
    EXPECT_LE(offset, disk.bytes.size());
    EXPECT_LE(size, disk.bytes.size() - offset);
    if (disk.calls++ >= disk.fails_after || size <= disk.short_by) return 0;
    disk.read += size;
    std::memcpy(to, disk.bytes.data() + offset, size - disk.short_by);
    return size - disk.short_by;
  }
  File open(const char* name, uint32_t flags = 0) {
    return File(dio_open_parts(bytes.size(), name, reader, this, flags));
  }
};

/// Samples that can be read in parts: cartridges, discs, and games on them.
std::vector<dio::Sample> images() {
  std::vector<dio::Sample> all;
  for (const char* format : {"nds", "iso"})
    for (dio::Sample& s : samples_of(*dio::find_format(format))) all.push_back(std::move(s));
  for (const dio::GameKind* kind : dio::game_kinds())
    for (dio::Sample& s : samples_of(*kind)) all.push_back(std::move(s));
  return all;
}

File whole(const Bytes& bytes, const char* name) {
  return File(dio_open(bytes.data(), bytes.size(), name, nullptr, 0));
}

/// The `members` of dio_members, without the fields that are omitted when reading in parts.
std::vector<std::tuple<std::string, u64, u64>> members_of(const dio_file* file) {
  std::vector<std::tuple<std::string, u64, u64>> out;
  const Value v = parsed(good(dio_members(file)));
  const Value& list = *v.find("members");
  for (size_t i = 0; i < list.size(); ++i)
    out.emplace_back(list.at(i)->find("path")->text(), list.at(i)->find("offset")->bits(),
                     list.at(i)->find("size")->bits());
  return out;
}

TEST(CapiOpenParts, FindsTheSameMembersAsAWholeFile) {
  for (dio::Sample& sample : images()) {
    SCOPED_TRACE(sample.name);
    Disk disk{sample.bytes};
    const File parts = disk.open(sample.name.c_str()), all = whole(sample.bytes, sample.name.c_str());
    ASSERT_EQ(dio_file_ok(parts.get()), 1u);
    EXPECT_EQ(dio_error(parts.get()), nullptr);
    EXPECT_STREQ(dio_file_format(parts.get()), dio_file_format(all.get()));
    const auto members = members_of(parts.get());
    EXPECT_EQ(members, members_of(all.get()));
    for (const auto& [path, offset, size] : members)
      EXPECT_EQ(good_text(dio_member(parts.get(), path.c_str())), good_text(dio_member(all.get(), path.c_str())))
          << path;
    EXPECT_EQ(good_text(dio_bytes(parts.get(), 100, 50)), good_text(dio_bytes(all.get(), 100, 50)));
    EXPECT_EQ(good_text(dio_bytes(parts.get(), sample.bytes.size() - 3, 50)).size(), 3u);
    const Value info = parsed(good(dio_info(parts.get()))), told = parsed(good(dio_info(all.get())));
    for (const char* name : {"file", "format", "size", "certainty", "reason"})
      EXPECT_EQ(*info.find(name), *told.find(name)) << name;
    EXPECT_EQ(info.find("info")->find("members")->bits(), members.size());
    // Functions that need all bytes report an error.
    for (dio_buffer* b :
         {dio_trace(parts.get()), dio_tree(parts.get()), dio_decode(parts.get()), dio_save(parts.get(), 0),
          dio_convert(parts.get(), "glb"), dio_check(parts.get()), dio_spans(parts.get(), 0, 1),
          dio_branch(parts.get(), "", 0, 1), dio_render(parts.get(), nullptr, 0), dio_replace(parts.get(), "x", "", 0),
          dio_questions(parts.get())})
      EXPECT_EQ(error_id(b), "capi.argument");
    EXPECT_EQ(dio_scene_ok(Scene(dio_scene_of(parts.get(), nullptr, 0)).get()), 0u);
    const dio_file* other = parts.get();
    (void)File(dio_together(all.get(), &other, 1));
    EXPECT_EQ(dio_file_ok(File(dio_together(parts.get(), nullptr, 0)).get()), 0u);
  }
}

/// The sample followed by much data that is never read.
Bytes padded(Bytes cartridge) {
  cartridge.resize(cartridge.size() + (8 << 20), 0xff);
  return cartridge;
}

TEST(CapiOpenParts, ReadsOnlyPartsOfLargeImages) {
  for (const dio::GameKind* kind : dio::game_kinds())
    for (dio::Sample& sample : samples_of(*kind)) {
      SCOPED_TRACE(sample.name);
      const u64 size = sample.bytes.size();
      Disk disk{padded(sample.bytes)};
      const File file = disk.open(sample.name.c_str());
      ASSERT_EQ(dio_file_ok(file.get()), 1u);
      EXPECT_LE(disk.read, 192u << 10);
      const Game game(dio_game_open(file.get()));
      ASSERT_EQ(dio_game_ok(game.get()), 1u) << text(Buffer(dio_game_info(game.get())));
      good_text(dio_game_maps(game.get()));
      EXPECT_LE(disk.read, (512u << 10) + 3 * size);
      EXPECT_LT(disk.read, disk.bytes.size() / 2);
    }
}

/// The JSON and the arrays of a scene.
std::string scene_of(const dio_game* game, const char* part, std::vector<const char*> options = {}) {
  const Scene scene(dio_game_world(game, part, options.data(), options.size()));
  EXPECT_EQ(dio_scene_ok(scene.get()), 1u) << part;
  return good_text(dio_scene_data(scene.get()));
}

TEST(CapiGame, ReadingInPartsGivesTheSameGame) {
  for (const dio::GameKind* kind : dio::game_kinds())
    for (dio::Sample& sample : samples_of(*kind)) {
      SCOPED_TRACE(sample.name);
      Disk disk{sample.bytes};
      const char* name = sample.name.c_str();
      const Game parts(dio_game_open(disk.open(name).get()));  // the file is closed; the game stays open
      const Game all(dio_game_open(whole(sample.bytes, name).get()));
      ASSERT_EQ(dio_game_ok(parts.get()), 1u);
      ASSERT_EQ(dio_game_ok(all.get()), 1u);
      EXPECT_EQ(good_text(dio_game_info(parts.get())), good_text(dio_game_info(all.get())));
      EXPECT_EQ(good_text(dio_game_maps(parts.get())), good_text(dio_game_maps(all.get())));
      EXPECT_EQ(good_text(dio_game_check(parts.get())), good_text(dio_game_check(all.get())));
      EXPECT_NE(good_text(dio_game_check(all.get())).find("\"games\": 1"), std::string::npos);
      const std::string listed = good_text(dio_game_parts(parts.get()));
      EXPECT_EQ(listed, good_text(dio_game_parts(all.get())));
      const Value v = json(listed);
      const Value& list = *v.find("parts");
      ASSERT_GT(list.size(), 0u);
      size_t scenes = 0, described = 0;
      for (size_t i = 0; i < list.size(); ++i) {
        const std::string id = list.at(i)->find("id")->text();
        EXPECT_EQ(good_text(dio_game_part(parts.get(), id.c_str(), nullptr, 0)),
                  good_text(dio_game_part(all.get(), id.c_str(), nullptr, 0)));
        const Value budget = parsed(Buffer(dio_game_budget(all.get(), id.c_str())));
        const Value* limits = budget.find("budgets");
        EXPECT_TRUE(limits ? limits->size() > 0 : budget.find("id")->text() == "game.budget") << id;
        EXPECT_EQ(good_text(dio_game_shown_with(parts.get(), id.c_str())),
                  good_text(dio_game_shown_with(all.get(), id.c_str())));
        ++described;
        if (dio_scene_ok(Scene(dio_game_world(all.get(), id.c_str(), nullptr, 0)).get())) {
          EXPECT_EQ(scene_of(parts.get(), id.c_str()), scene_of(all.get(), id.c_str())) << id;
          ++scenes;
        }
      }
      EXPECT_GT(scenes, 1u);
      EXPECT_GT(described, scenes);
    }
}

TEST(CapiGame, EditsChangeSeveralFiles) {
  for (const dio::Sample& sample : images()) {
    if (sample.name != "small_game.nds") continue;
    const Game game(dio_game_open(whole(sample.bytes, sample.name.c_str()).get()));
    EXPECT_NE(good_text(dio_game_edits(game.get())).find("add-prop"), std::string::npos);
    const auto run = [&](std::vector<const char*> words, uint32_t flags = 0) {
      return dio_game_edit(game.get(), words.data(), words.size(), flags, nullptr);
    };
    const auto maps_of = [](const Game& g) { return *parsed(good(dio_game_maps(g.get()))).find("maps"); };
    const Value before = maps_of(game);
    EXPECT_EQ(bytes(Buffer(dio_game_file(game.get(), ""))), sample.bytes);
    const Value done = parsed(good(run({"duplicate", "land/0", "add-prop", "land=3", "model=2", "x=8", "z=24"})));
    EXPECT_EQ(done.find("done")->size(), 2u);
    EXPECT_EQ(done.find("files")->size(), 3u);
    EXPECT_TRUE(maps_of(game) == before);
    EXPECT_NE(good_text(dio_game_parts(game.get())).find("land/4"), std::string::npos);
    // A rejected edit also discards the edits before it in the same call.
    EXPECT_EQ(error_id(run({"move", "land/4", "before=0", "remove", "land/1"})), "edit.referred");
    EXPECT_EQ(error_id(run({"remove", "land/77"})), "game.part");
    EXPECT_EQ(error_id(run({"remove", "land/1"}, 1u << 30)), "capi.argument");
    const Value moved = parsed(good(run({"move", "land/4", "before=0"})));
    EXPECT_GT(moved.find("changes")->size(), 0u);
    good_text(run({"remove", "land/0"}));
    // The image contains the edited game; the program file is unchanged.
    const auto image = bytes(Buffer(dio_game_file(game.get(), "")));
    const Game again(dio_game_open(whole(image, "game.nds").get()));
    EXPECT_TRUE(maps_of(again) == before);
    EXPECT_EQ(bytes(Buffer(dio_game_file(game.get(), "_system/arm9.bin"))),
              bytes(Buffer(dio_game_file(again.get(), "_system/arm9.bin"))));
    EXPECT_EQ(bytes(Buffer(dio_game_file(game.get(), "fielddata/land_data/land_data.narc/3"))),
              bytes(Buffer(dio_game_file(again.get(), "fielddata/land_data/land_data.narc/3"))));
    EXPECT_EQ(error_id(dio_game_file(game.get(), "nothing")), "file.missing");
    EXPECT_EQ(good_text(dio_game_check(again.get())), good_text(dio_game_check(game.get())));
    return;
  }
  FAIL() << "no small game";
}

TEST(CapiGame, MakesAMapFromAScene) {
  for (const dio::Sample& sample : images()) {
    if (sample.name != "small_game.nds") continue;
    const Game game(dio_game_open(whole(sample.bytes, sample.name.c_str()).get()));
    const auto make = [&](const dio_file* scene) {
      const char* words[] = {"make-map", "header=HOUSE"};
      return dio_game_edit(game.get(), words, 2, 0, scene);
    };
    // The scene of the house becomes a map again.
    const Scene house(dio_game_world(game.get(), "land/3", nullptr, 0));
    const auto glb = bytes(Buffer(dio_scene_convert(house.get(), "glb", nullptr, 0)));
    const File scene = whole(glb, "house.glb");
    const Value done = parsed(good(make(scene.get())));
    EXPECT_NE(done.find("done")->at(0)->text().find("header/3 HOUSE now shows the scene"), std::string::npos);
    EXPECT_NE(done.find("notes"), nullptr);
    EXPECT_EQ(error_id(make(nullptr)), "edit.argument");
    EXPECT_EQ(error_id(make(whole(sample.bytes, "game.nds").get())), "capi.argument");
    const File broken = whole({1, 2, 3}, "broken.glb");
    EXPECT_EQ(good_text(dio_game_check(game.get())).find("\"severity\": \"error\""), std::string::npos);
    EXPECT_NE(error_id(make(broken.get())), "");
    return;
  }
  FAIL() << "no small game";
}

TEST(CapiGame, OpensAGameFromItsFiles) {
  for (const dio::GameKind* kind : dio::game_kinds())
    for (dio::Sample& sample : samples_of(*kind)) {
      SCOPED_TRACE(sample.name);
      const Game whole_game(dio_game_open(whole(sample.bytes, sample.name.c_str()).get()));
      auto archive = dio::Archive::open(sample.bytes, sample.name);
      ASSERT_TRUE(archive);
      const dio::ArchiveTree tree(std::move(*archive), sample.name);
      std::vector<std::string> paths = tree.list();
      std::vector<Disk> disks;
      disks.reserve(paths.size());
      std::vector<dio_source> files;
      for (std::string& path : paths) {
        disks.push_back({*tree.read(path)});
        path.insert(0, "game/");
        files.push_back({path.c_str(), disks.back().bytes.size(), &disks.back()});
      }
      const Game game(dio_game_open_files("game", files.data(), files.size(), Disk::reader, 0));
      ASSERT_EQ(dio_game_ok(game.get()), 1u) << text(Buffer(dio_game_info(game.get())));
      const Value a = parsed(good(dio_game_maps(game.get()))), b = parsed(good(dio_game_maps(whole_game.get())));
      EXPECT_EQ(a.find("maps")->size(), b.find("maps")->size());
      const Scene scene(dio_game_world(game.get(), "map/1", nullptr, 0));
      // Vertex sources are resolved through the folder and the archives in it.
      const Scene world(dio_game_world(game.get(), kind->id == "fft" ? "map/1" : "", nullptr, 0));
      ASSERT_EQ(dio_scene_ok(world.get()), 1u);
      const std::string data = good_text(dio_scene_data(world.get()));
      u32 size = 0;
      std::memcpy(&size, data.data(), 4);
      const Value v = json(data.substr(4, size));
      size_t placed = 0;
      for (u32 node = 0; node < v.find("nodes")->size(); ++node) {
        const Value place = parsed(good(dio_scene_source(world.get(), node, DIO_NO_SOURCE)));
        if (const Value* file = place.find("file")) placed += file->text().starts_with("game/") && place.find("size");
      }
      EXPECT_GT(placed, 0u);
    }
}

TEST(CapiGame, AppliesAndChecksWorldOptions) {
  for (const dio::GameKind* kind : dio::game_kinds()) {
    const dio::Sample sample = samples_of(*kind)[0];
    SCOPED_TRACE(sample.name);
    const Game game(dio_game_open(whole(sample.bytes, sample.name.c_str()).get()));
    const bool is_fft = kind->id == "fft";
    const char* part = is_fft ? "map/1" : "";
    const std::string plain = scene_of(game.get(), part);
    if (is_fft) {
      EXPECT_NE(scene_of(game.get(), part, {"state=night"}), plain);
      EXPECT_NE(scene_of(game.get(), part, {"all-states=yes"}), plain);
      EXPECT_NE(scene_of(game.get(), part, {"lamps=yes"}), plain);
      EXPECT_NE(good_text(dio_game_part(game.get(), part, nullptr, 0)), "");
    } else {
      EXPECT_NE(scene_of(game.get(), part, {"time=23:30"}), plain);
      EXPECT_NE(scene_of(game.get(), part, {"show=tiles,events"}), plain);
    }
    const auto refused = [&](const char* option) {
      const Scene scene(dio_game_world(game.get(), part, &option, 1));
      EXPECT_EQ(dio_scene_ok(scene.get()), 0u) << option;
      return error_id(dio_scene_data(scene.get()));
    };
    for (const char* option : is_fft ? std::vector{"time=10:00", "lamps=maybe", "tick-rate=0", "show=tiles", "state"}
                                     : std::vector{"time=24:00", "time=1", "show=clouds", "state=night", "", "=1"})
      EXPECT_EQ(refused(option), "capi.argument") << option;
    if (is_fft) {
      EXPECT_EQ(refused("state=sunny"), "game.state");
    }
    EXPECT_EQ(error_id(dio_game_part(game.get(), "land/9999", nullptr, 0)), "game.part");
    EXPECT_EQ(error_id(dio_game_shown_with(game.get(), "none")), "game.part");
    const Scene none(dio_game_world(game.get(), "none/7", nullptr, 0));
    EXPECT_EQ(error_id(dio_scene_data(none.get())), "game.part");
  }
}

TEST(CapiOpenParts, ReportsFailingReaders) {
  for (dio::Sample& sample : images()) {
    SCOPED_TRACE(sample.name);
    {
      Disk disk{.bytes = sample.bytes, .fails_after = 0};
      const File file = disk.open(sample.name.c_str());
      EXPECT_EQ(dio_file_ok(file.get()), 0u);
      EXPECT_EQ(error_id(dio_error(file.get())), "io.read");
    }
    {
      Disk disk{.bytes = sample.bytes, .short_by = 1};
      EXPECT_EQ(error_id(dio_error(disk.open(sample.name.c_str()).get())), "io.read");
    }
    // Calls every function with a disk that fails after a number of reads.
    Disk good_disk{.bytes = sample.bytes};
    const auto use = [&](Disk& disk) {
      const File file = disk.open(sample.name.c_str());
      if (!dio_file_ok(file.get())) return error_id(dio_error(file.get()));
      const Value listed = parsed(good(dio_members(file.get())));
      for (size_t i = 0; i < listed.find("members")->size(); ++i) {
        const Buffer b(dio_member(file.get(), listed.find("members")->at(i)->find("path")->text().c_str()));
        if (!dio_buffer_ok(b.get())) return json(text(b)).find("id")->text();
      }
      const Game game(dio_game_open(file.get()));
      if (!dio_game_ok(game.get())) return error_id(dio_game_info(game.get()));
      (void)Buffer(dio_game_maps(game.get()));
      (void)Buffer(dio_game_check(game.get()));
      const Scene scene(dio_game_world(game.get(), "", nullptr, 0));
      return std::string();
    };
    const std::string end = use(good_disk);
    EXPECT_TRUE(end.empty() || end == "game.unknown") << end;
    std::set<std::string> ends;
    for (u64 after = 1; after <= good_disk.calls; after += 1 + after / 8) {
      Disk disk{.bytes = sample.bytes, .fails_after = after};
      ends.insert(use(disk));
    }
    if (good_disk.calls > 2) {
      EXPECT_TRUE(ends.contains("io.read"));
    }
    for (const std::string& id : ends) EXPECT_TRUE(id.empty() || id == "io.read" || id == "game.unknown") << id;
  }
}

TEST(CapiOpenParts, SurvivesDamagedImages) {
  // Truncated anywhere, or with each of the first bytes changed: gives an error or a result, like the whole file.
  for (dio::Sample& sample : images()) {
    SCOPED_TRACE(sample.name);
    const auto look = [&](Bytes bytes) {
      Disk disk{std::move(bytes)};
      const File file = disk.open(sample.name.c_str());
      if (!dio_file_ok(file.get())) {
        (void)error_id(dio_error(file.get()));
        return;
      }
      const Buffer members(dio_members(file.get()));
      if (!dio_buffer_ok(members.get())) return;
      const Value listed = json(text(members));
      for (size_t i = 0; i < std::min<size_t>(40, listed.find("members")->size()); ++i)
        (void)Buffer(dio_member(file.get(), listed.find("members")->at(i)->find("path")->text().c_str()));
    };
    for (size_t cut = 0; cut < sample.bytes.size(); cut += 1 + sample.bytes.size() / 25)
      look(Bytes(sample.bytes.begin(), sample.bytes.begin() + std::ptrdiff_t(cut)));
    const size_t from = std::string_view(dio_file_format(whole(sample.bytes, sample.name.c_str()).get())) == "nds"
                            ? 0x20
                            : 16 * 2048 + 156;
    constexpr u8 k_values[] = {0x00, 0x7f, 0xff};
    for (size_t at = from; at < from + 0x60; ++at) {
      Bytes changed = sample.bytes;
      changed[at] = k_values[at % 3];
      look(std::move(changed));
    }
  }
}

TEST(CapiOpenParts, ReadsFilesThatAreNotImages) {
  const dio::Sample course = samples_of(*dio::find_format("kmp"))[0];
  Disk disk{course.bytes};
  const File file = disk.open("course.kmp"), all = whole(course.bytes, "course.kmp");
  ASSERT_EQ(dio_file_ok(file.get()), 1u);  // small: read completely
  EXPECT_EQ(good_text(dio_tree(file.get())), good_text(dio_tree(all.get())));
  EXPECT_EQ(dio_game_ok(Game(dio_game_open(file.get())).get()), 0u);
  EXPECT_EQ(error_id(dio_game_info(Game(dio_game_open(file.get())).get())), "archive.none");

  // A file that is a cartridge by name only, and an empty file.
  Disk text{Bytes(3, '?')}, empty{};
  EXPECT_EQ(error_id(dio_error(text.open("notes").get())), "detect.unknown");
  EXPECT_EQ(dio_file_ok(empty.open("notes").get()), 0u);
  EXPECT_EQ(dio_file_ok(text.open("notes.nds").get()), 0u);
  EXPECT_EQ(dio_file_ok(empty.open("notes.iso").get()), 0u);

  // A file that is too large for any other format.
  struct Zeros {
    static size_t reader(void*, uint64_t, void* to, size_t size) {
      std::memset(to, 0, size);
      return size;
    }
  };
  const File large(dio_open_parts(u64(5) << 30, "film.mp4", Zeros::reader, nullptr, 0));
  EXPECT_EQ(error_id(dio_error(large.get())), "detect.unknown");
  // A name alone does not make a cartridge or disc.
  for (const char* name : {"film.iso", "film.nds"}) {
    const File named(dio_open_parts(u64(5) << 30, name, Zeros::reader, nullptr, 0));
    EXPECT_EQ(error_id(dio_error(named.get())), "detect.unknown") << name;
  }

  EXPECT_EQ(error_id(dio_error(File(dio_open_parts(1, "x", nullptr, nullptr, 0)).get())), "capi.argument");
  EXPECT_EQ(error_id(dio_error(File(dio_open_parts(1, "x", Zeros::reader, nullptr, 1u << 20)).get())), "capi.argument");
  EXPECT_EQ(error_id(dio_error(File(dio_open_parts(~u64(0), "x", Zeros::reader, nullptr, 0)).get())), "capi.argument");
}

TEST(CapiGame, RejectsInvalidArguments) {
  for (dio_game* none : {static_cast<dio_game*>(nullptr), reinterpret_cast<dio_game*>(dio_formats())}) {
    EXPECT_EQ(dio_game_ok(none), 0u);
    for (dio_buffer* b :
         {dio_game_info(none), dio_game_parts(none), dio_game_maps(none), dio_game_check(none),
          dio_game_part(none, "", nullptr, 0), dio_game_shown_with(none, ""), dio_game_budget(none, "")})
      EXPECT_EQ(error_id(b), "capi.argument");
    EXPECT_EQ(dio_scene_ok(Scene(dio_game_world(none, "", nullptr, 0)).get()), 0u);
    dio_game_close(none);
    dio_buffer_free(reinterpret_cast<dio_buffer*>(none));
  }
  EXPECT_EQ(error_id(dio_game_info(Game(dio_game_open(nullptr)).get())), "capi.argument");
  EXPECT_EQ(error_id(dio_game_info(Game(dio_game_open_files("x", nullptr, 1, Disk::reader, 0)).get())),
            "capi.argument");
  EXPECT_EQ(error_id(dio_game_info(Game(dio_game_open_files("x", nullptr, 0, Disk::reader, 0)).get())), "game.unknown");
  Disk disk{Bytes(10)};
  const dio_source twice[] = {{"a", 10, &disk}, {"a", 10, &disk}};
  EXPECT_EQ(error_id(dio_game_info(Game(dio_game_open_files("x", twice, 2, Disk::reader, 0)).get())), "capi.argument");
}

TEST(CapiQuestions, ListsAndAnswersFormatQuestions) {
  size_t answered = 0;
  for (const dio::Format* format : dio::formats())
    for (const dio::Sample& sample : samples_of(*format)) {
      SCOPED_TRACE(sample.name);
      const File file = whole(sample.bytes, sample.name.c_str());
      if (!dio_file_ok(file.get())) continue;
      const Value v = parsed(good(dio_questions(file.get())));
      const Value& list = *v.find("questions");
      for (size_t i = 0; i < list.size(); ++i) {
        const std::string name = list.at(i)->find("question")->text();
        EXPECT_FALSE(list.at(i)->find("usage")->text().empty());
        EXPECT_EQ(error_id(dio_ask(file.get(), name.c_str(), "x")), "question.argument") << name;
        const Buffer answer(dio_ask(file.get(), name.c_str(), "1,1"));
        if (!dio_buffer_ok(answer.get())) continue;
        ++answered;
        EXPECT_NE(json(text(answer)).find("answer"), nullptr);
      }
      EXPECT_EQ(error_id(dio_ask(file.get(), "no-such-question", "")), "capi.argument");
    }
  EXPECT_GT(answered, 2u);
}

}  // namespace
