#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/png/png.hpp"
#include "bridge/report/findings.hpp"
#include "capi/owned.hpp"
#include "engine/source_dir.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/pictures.hpp"
#include "operations/describe_json.hpp"
#include "operations/operations.hpp"
#include "platinum/corpus.hpp"
#include "samples/samples.hpp"

extern "C" int capi_from_c(void);
extern "C" int capi_guide_example(int, char**);  // the example of docs/guide/c-interface.md

namespace {

using dio::Bytes;
using dio::ByteView;
using dio::u8;
using dio::Value;

using namespace capi_test;

Bytes sample(const char* name) { return bytes(good(dio_sample("kmp", name))); }

TEST(Capi, WorksInAPlainC99Program) { EXPECT_EQ(capi_from_c(), 0) << "line of capi_c.c"; }

TEST(Capi, ListsFormatsAndRules) {
  const Value known = parsed(good(dio_formats()));
  EXPECT_EQ(member(known, "schema"), "diorama.formats/1");
  ASSERT_EQ(known.find("formats")->size(), dio::formats().size());
  for (size_t i = 0; i < dio::formats().size(); ++i) {
    const dio::Format& f = *dio::formats()[i];
    EXPECT_EQ(member(*known.find("formats")->at(i), "id"), f.id);
    for (const dio::Rule& r : f.rules())
      EXPECT_EQ(member(parsed(good(dio_explain(std::string(r.id).c_str()))), "sentence"), r.sentence);
  }
  for (const dio::Rule& r : dio::library_rules())
    EXPECT_EQ(member(parsed(good(dio_explain(std::string(r.id).c_str()))), "rule"), r.id);
  EXPECT_EQ(error_id(dio_explain("kmp.none")), "capi.argument");
  EXPECT_EQ(error_id(dio_explain(nullptr)), "capi.argument");
}

TEST(Capi, ListsAndReadsArchiveMembers) {
  const Bytes rom = bytes(good(dio_sample("nds", "cartridge.nds")));
  const File file = open(rom, "game.nds");
  const Value list = parsed(good(dio_members(file.get())));
  EXPECT_EQ(member(list, "schema"), "diorama.members/1");
  EXPECT_EQ(member(list, "format"), "nds");
  const Value& shelf = *list.find("members")->at(4);
  EXPECT_EQ(member(shelf, "path"), "data/shelf.narc");
  EXPECT_EQ(member(shelf, "what"), "narc");
  const Bytes narc = bytes(good(dio_member(file.get(), "data/shelf.narc")));
  EXPECT_EQ(narc.size(), shelf.find("size")->bits());
  EXPECT_EQ(text(good(dio_member(file.get(), "data/shelf.narc/1"))), "twelve");
  const Bytes changed = bytes(good(dio_replace(file.get(), "data/shelf.narc/1", "thirteen", 8)));
  EXPECT_EQ(text(good(dio_member(open(changed, "game.nds").get(), "data/shelf.narc/1"))), "thirteen");
  EXPECT_EQ(bytes(good(dio_save(file.get(), 0))), rom);

  EXPECT_EQ(error_id(dio_member(file.get(), "data/none")), "file.missing");
  EXPECT_EQ(error_id(dio_member(file.get(), nullptr)), "file.missing");
  EXPECT_EQ(error_id(dio_member(file.get(), "readme.txt/0")), "archive.none");
  EXPECT_EQ(error_id(dio_replace(file.get(), "data/none", "x", 1)), "file.missing");
  EXPECT_EQ(error_id(dio_replace(file.get(), "readme.txt", nullptr, 1)), "capi.argument");
  EXPECT_EQ(error_id(dio_members(nullptr)), "capi.argument");
  const File course = open(sample("race.kmp"), "race.kmp");
  EXPECT_EQ(error_id(dio_members(course.get())), "archive.none");
}

TEST(Capi, ChecksArchiveMembers) {
  const File cartridge = open(bytes(good(dio_sample("nds", "cartridge.nds"))), "game.nds");
  const Bytes course = sample("version_1600.kmp");
  const File file =
      open(bytes(good(dio_replace(cartridge.get(), "data/shelf.narc/1", course.data(), course.size()))), "game.nds");
  const Value inside = parsed(good(dio_check_member(file.get(), "data/shelf.narc/1", nullptr, 0))),
              alone = parsed(good(dio_check(open(course, "version_1600.kmp").get())));
  ASSERT_GT(alone.find("findings")->size(), 0u);
  ASSERT_EQ(inside.find("findings")->size(), alone.find("findings")->size());
  for (size_t i = 0; i < alone.find("findings")->size(); ++i)
    EXPECT_EQ(member(*inside.find("findings")->at(i), "id"), member(*alone.find("findings")->at(i), "id"));
  // The same, with the course replaced in a cartridge and in an archive that is read completely.
  const dio_named edit{"data/shelf.narc/1", course.data(), course.size()};
  EXPECT_EQ(parsed(good(dio_check_member(cartridge.get(), "data/shelf.narc/1", &edit, 1))).find("findings")->size(),
            alone.find("findings")->size());
  const File narc = open(bytes(good(dio_member(file.get(), "data/shelf.narc"))), "shelf.narc");
  EXPECT_EQ(parsed(good(dio_check_member(narc.get(), "1", nullptr, 0))).find("findings")->size(),
            alone.find("findings")->size());
  const dio_named none{"data/none/x", course.data(), course.size()};
  EXPECT_EQ(error_id(dio_check_member(file.get(), "data/shelf.narc/1", &none, 1)), "file.missing");
  EXPECT_EQ(error_id(dio_check_member(file.get(), "data/none", nullptr, 0)), "file.missing");
  EXPECT_EQ(error_id(dio_check_member(open(course, "version_1600.kmp").get(), "x", nullptr, 0)), "archive.none");
}

TEST(Capi, ReadsAndReplacesCompressedContent) {
  const File file = open(bytes(good(dio_sample("yaz0", "folders.szs"))), "folders.szs");
  EXPECT_EQ(parsed(good(dio_members(file.get()))).find("first"), nullptr);  // nothing in it can be shown
  const Bytes content = bytes(good(dio_member(file.get(), "")));
  const File archive = open(content, "folders.szs");
  EXPECT_STREQ(dio_file_format(archive.get()), "u8");
  const Bytes changed = bytes(good(dio_replace(archive.get(), "readme.txt", "other", 5)));
  const Bytes packed = bytes(good(dio_replace(file.get(), "", changed.data(), changed.size())));
  const File again = open(packed, "folders.szs");
  EXPECT_STREQ(dio_file_format(again.get()), "yaz0");
  EXPECT_EQ(text(good(dio_member(again.get(), "readme.txt"))), "other");
  EXPECT_EQ(bytes(good(dio_member(again.get(), ""))), changed);
}

TEST(Capi, ShowsTheMemberWithMostCompanionsFirst) {
  const Bytes course = sample("race.kmp"), collision = bytes(good(dio_sample("kcl", "hills.kcl")));
  const dio_named files[] = {{"course.kcl", collision.data(), collision.size()},
                             {"course.kmp", course.data(), course.size()}};
  const char* as = "as=yaz0";
  const File archive = open(bytes(good(dio_pack(files, 2, &as, 1))), "a.szs");
  EXPECT_EQ(member(parsed(good(dio_members(archive.get()))), "first"), "course.kmp");
}

// ---- several files ----

File together(const File& file, std::vector<const dio_file*> others) {
  return File(dio_together(file.get(), others.data(), others.size()));
}
std::vector<std::string> ids_of(const Buffer& found) {
  std::vector<std::string> ids;
  const Value list = parsed(found);
  for (const auto& [none, finding] : list.find("findings")->members()) ids.push_back(member(finding, "id"));
  return ids;
}
bool has(const std::vector<std::string>& ids, const char* id) { return std::ranges::count(ids, id) > 0; }
/// Names and contents of several files.
std::map<std::string, Bytes> files_of(const Buffer& b) {
  const Value list = parsed(b);
  EXPECT_EQ(member(list, "schema"), "diorama.files/1");
  std::map<std::string, Bytes> out;
  for (size_t i = 0; i < list.find("files")->size(); ++i) {
    const Value& one = *list.find("files")->at(i);
    const Bytes content = bytes(good(dio_buffer_file(b.get(), i)));
    EXPECT_EQ(content.size(), one.find("size")->bits());
    EXPECT_TRUE(out.emplace(member(one, "name"), content).second);
  }
  EXPECT_EQ(error_id(dio_buffer_file(b.get(), out.size())), "capi.argument");
  return out;
}

TEST(Capi, CombinesASplashpackWithSiblingFiles) {
  const File pack = open_sample("splashpack", "scene_v21.splashpack", "maps/room.splashpack");
  File vram = open_sample("splashpack-vram", "scene_v21.vram", "maps/room.vram");
  File spu = open_sample("splashpack-spu", "scene_v21.spu", "maps/room.spu");
  const Value names = *parsed(good(dio_beside(pack.get()))).find("names");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names.at(0)->text(), "maps/room.vram");
  EXPECT_EQ(names.at(1)->text(), "maps/room.spu");
  EXPECT_EQ(names.at(2)->text(), "maps/room.geo");
  const File alone_in_its_folder = open_sample("narc", "shelf.narc", "maps/shelf.narc");
  EXPECT_EQ(parsed(good(dio_beside(alone_in_its_folder.get()))).find("names")->size(), 0u);
  EXPECT_EQ(parsed(good(dio_beside(open(sample("race.kmp"), "race.kmp").get()))).find("names")->at(0)->text(),
            "race.kcl");

  const File alone = together(pack, {});
  EXPECT_FALSE(has(ids_of(good(dio_check(pack.get()))), "splashpack.files-missing"));
  EXPECT_TRUE(has(ids_of(good(dio_check(alone.get()))), "splashpack.files-missing"));

  const File with_vram = together(pack, {vram.get()});
  EXPECT_TRUE(has(ids_of(good(dio_check(with_vram.get()))), "splashpack.files-missing"));  // the sounds are missing
  const File both = together(with_vram, {spu.get()});
  vram.reset();
  spu.reset();
  ASSERT_TRUE(dio_file_ok(both.get()));
  EXPECT_STREQ(dio_file_format(both.get()), "splashpack");

  auto opened = dio::open(bytes(good(dio_save(pack.get(), 0))), "maps/room.splashpack");
  ASSERT_TRUE(opened);
  dio::open_sibling_files(*opened, [](const std::string& name) -> std::optional<Bytes> {
    if (name == "room.geo") return {};
    const bool is_vram = name == "room.vram";
    return std::optional(bytes(good(
        dio_sample(is_vram ? "splashpack-vram" : "splashpack-spu", is_vram ? "scene_v21.vram" : "scene_v21.spu"))));
  });
  const auto companions = dio::collect_companions(*opened);
  ASSERT_EQ(companions.size(), 2u);
  const std::vector<std::string> found = ids_of(good(dio_check(both.get())));
  EXPECT_FALSE(has(found, "splashpack.files-missing"));
  EXPECT_EQ(found.size(), dio::check(*opened).size() + dio::find_companion_mismatches(*opened, companions).size());
  EXPECT_EQ(bytes(good(dio_convert(both.get(), "glb"))),
            *dio::gltf::write_glb(dio::to_scene(*opened, {.companions = companions})->scene));
  EXPECT_EQ(parsed(good(dio_convert(pack.get(), "gltf"))).find("images"), nullptr);

  const Value budget = parsed(good(dio_budget(both.get())));
  EXPECT_EQ(member(budget, "schema"), "diorama.budget/1");
  EXPECT_EQ(*budget.find("budgets"),
            *dio::json::read(dio::json::write(opened->format->budget(*opened->document, companions)))->find("budgets"));
  EXPECT_NE(text(good(dio_budget(pack.get()))), text(good(dio_budget(both.get()))));

  const auto textures = files_of(good(dio_textures(both.get(), nullptr, 0)));
  EXPECT_EQ(textures.size(),
            opened->format->pictures->pictures(*opened->document, {.companions = companions})->images.size() + 1);
  ASSERT_TRUE(textures.contains("textures.json") && textures.contains("video_memory.png"));
  const auto picture = dio::png::read_png(textures.at("video_memory.png"));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 2048u);
  // The reverse: a texture file together with the splashpack that describes it.
  const File first = open_sample("splashpack-vram", "scene_v21.vram", "room.vram");
  EXPECT_EQ(files_of(good(dio_textures(together(first, {pack.get()}).get(), nullptr, 0))).size(), textures.size());
}

TEST(Capi, ListsKnownRetailFaultsOnRequest) {
  const Bytes land = dio::test::real_file("res/field/maps/data/map_data_016.bin");
  if (land.empty()) GTEST_SKIP() << "the game is not here";
  const auto ids = [&](dio::u32 flags) {
    const File file(dio_open(land.data(), land.size(), "map_data_016.bin", "land-data", flags));
    return ids_of(good(dio_check(together(file, {}).get())));
  };
  EXPECT_FALSE(has(ids(0), "platinum.prop-outside"));
  EXPECT_TRUE(has(ids(DIO_KNOWN), "platinum.prop-outside"));
}

TEST(Capi, RejectsUnrelatedFiles) {
  const File pack = open_sample("splashpack", "scene_v21.splashpack", "room.splashpack");
  const File course = open(sample("race.kmp"), "race.kmp");
  const File wrong = together(pack, {course.get()});
  EXPECT_FALSE(dio_file_ok(wrong.get()));
  EXPECT_EQ(error_id(dio_error(wrong.get())), "capi.argument");
  EXPECT_EQ(error_id(dio_check(nullptr)), "capi.argument");
  EXPECT_EQ(error_id(dio_convert(wrong.get(), "glb")), "capi.argument");
  EXPECT_EQ(error_id(dio_make(wrong.get(), "splashpack", nullptr, 0)), "capi.argument");
  EXPECT_EQ(error_id(dio_error(File(dio_together(nullptr, nullptr, 0)).get())), "capi.argument");
  EXPECT_EQ(error_id(dio_error(File(dio_together(pack.get(), nullptr, 1)).get())), "capi.argument");
  EXPECT_EQ(error_id(dio_error(together(pack, {nullptr}).get())), "capi.argument");

  Bytes cut = bytes(good(dio_sample("splashpack-vram", "scene_v21.vram")));
  cut.resize(100);
  const File damaged = open(cut, "room.vram"), with_damaged = together(pack, {damaged.get()});
  ASSERT_FALSE(dio_file_ok(damaged.get()));
  ASSERT_TRUE(dio_file_ok(with_damaged.get()));
  EXPECT_TRUE(has(ids_of(good(dio_check(with_damaged.get()))), "layout.count"));
  // An unreadable file stays unreadable with any companions.
  EXPECT_EQ(text(Buffer(dio_error(together(damaged, {pack.get()}).get()))), text(Buffer(dio_error(damaged.get()))));

  EXPECT_EQ(error_id(dio_budget(course.get())), "capi.argument");
  EXPECT_EQ(error_id(dio_textures(course.get(), nullptr, 0)), "capi.argument");
  EXPECT_EQ(error_id(dio_budget(damaged.get())), "layout.count");
  EXPECT_EQ(error_id(dio_buffer_file(good(dio_info(pack.get())).get(), 0)), "capi.argument");
  EXPECT_EQ(error_id(dio_buffer_file(nullptr, 0)), "capi.argument");
}

TEST(Capi, CombinesAModelWithTexturesAndAnimations) {
  const File model = open_sample("nsbmd", "swatches.nsbmd", "swatches.nsbmd");
  const File textures = open_sample("nsbtx", "swatches.nsbtx", "swatches.nsbtx");
  const File motion = open_sample("nsbtp", "swatches.nsbtp", "swatches.nsbtp");
  const Value alone = parsed(good(dio_convert(model.get(), "gltf")));
  const Value all = parsed(good(dio_convert(together(model, {textures.get(), motion.get()}).get(), "gltf")));
  EXPECT_FALSE(alone.find("images") || alone.find("animations"));
  EXPECT_TRUE(all.find("images") && all.find("animations"));
}

TEST(Capi, MakesSplashpacksFromScenes) {
  const File pack = open_sample("splashpack", "scene_d.bin", "room.bin");
  const Bytes glb = bytes(good(dio_convert(pack.get(), "glb")));
  const File scene = open(glb, "maps/room.glb");
  EXPECT_FALSE(dio_file_ok(scene.get()));
  const char* v21[] = {"layout=v21", "depth=4"};
  const Buffer made = good(dio_make(scene.get(), "splashpack", v21, 2));
  const auto files = files_of(made);
  const dio::Format& format = *dio::find_format("splashpack");
  const std::vector<dio::Argument> told = {{"layout", "v21"}, {"depth", "4"}};
  const auto expected = format.making->make(dio::gltf::read(glb)->document, told);
  ASSERT_TRUE(expected);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files.at("room.splashpack"), expected->files[0].bytes);
  EXPECT_EQ(files.at("room.vram"), expected->files[1].bytes);
  EXPECT_EQ(files.at("room.spu"), expected->files[2].bytes);
  const Value notes = *parsed(made).find("notes");
  EXPECT_EQ(notes.size(), expected->notes.size());
  for (size_t i = 0; i < notes.size(); ++i) EXPECT_EQ(member(*notes.at(i), "file"), "maps/room.glb");

  // Another splashpack layout.
  const auto newer = files_of(good(dio_make(pack.get(), "splashpack", v21, 1)));
  const auto opened = dio::open(bytes(good(dio_save(pack.get(), 0))), "room.bin");
  EXPECT_EQ(newer.at("room.splashpack"),
            format.making->remake(*opened->document, {}, {told.data(), 1})->files[0].bytes);

  const auto refused = [&](const File& file, const char* format, const char* option) {
    return error_id(dio_make(file.get(), format, &option, 1));
  };
  EXPECT_EQ(refused(scene, "splashpack", "layout=v5"), "make.argument");
  EXPECT_EQ(refused(scene, "splashpack", "no-such=1"), "make.argument");
  for (const char* wrong : {"", "=1", "layout", static_cast<const char*>(nullptr)})
    EXPECT_EQ(refused(scene, "splashpack", wrong), "capi.argument");
  for (const char* wrong : {"", "bmg", "none", "splashpack-d", static_cast<const char*>(nullptr)})
    EXPECT_EQ(refused(scene, wrong, "layout=v21"), "capi.argument");
  EXPECT_EQ(error_id(dio_make(scene.get(), "splashpack", nullptr, 1)), "capi.argument");
  EXPECT_EQ(refused(open(sample("race.kmp"), "race.kmp"), "splashpack", "layout=v21"), "capi.argument");
  EXPECT_EQ(refused(open({}, "room.glb"), "splashpack", "layout=v21"), "json.syntax");
  const Bytes text{'h', 'e', 'l', 'l', 'o'};
  EXPECT_NE(refused(open(text, "letter.txt"), "splashpack", "layout=v21"), "");
}

TEST(Capi, MakesSplashpacksFromScenesInSeveralFiles) {
  const std::string gltf = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"name": "floor", "mesh": 0, "extras": {"lua_file": "door.lua"}}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "buffers": [{"uri": "parts/floor.bin", "byteLength": 36}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3,
    "type": "VEC3", "min": [0, 0, 0], "max": [1, 0, 1]}]})";
  const float corners[] = {0, 0, 0, 0, 0, 1, 1, 0, 0};
  const auto view = [](const void* at, size_t size) { return ByteView(static_cast<const u8*>(at), size); };
  const File scene = open(view(gltf.data(), gltf.size()), "maps/room.gltf");
  const File buffer = open(view(corners, sizeof corners), "maps/parts/floor.bin");
  const std::string script = "function onUse() end";
  const File lua = open(view(script.data(), script.size()), "maps/door.lua");

  EXPECT_EQ(error_id(dio_make(scene.get(), "splashpack", nullptr, 0)), "file.missing");
  const char* layout = "layout=d";
  const File without_lua = together(scene, {buffer.get()}), all = together(without_lua, {lua.get()});
  EXPECT_EQ(error_id(dio_make(without_lua.get(), "splashpack", &layout, 1)), "splashpack.make-script");
  const auto files = files_of(good(dio_make(all.get(), "splashpack", &layout, 1)));
  ASSERT_EQ(files.size(), 1u);
  const Bytes& pack = files.at("room.splashpack");
  EXPECT_FALSE(std::ranges::search(pack, script).empty());
}

TEST(Capi, EveryFunctionAcceptsEverySample) {
  const Value list = parsed(good(dio_samples()));
  size_t n = 0;
  for (const dio::Format* format : dio::formats())
    for (const dio::Sample& s : samples_of(*format)) {
      SCOPED_TRACE(s.name);
      const Value* listed = list.find("samples")->at(n++);
      ASSERT_TRUE(listed);
      EXPECT_EQ(member(*listed, "name"), s.name);
      EXPECT_EQ(listed->find("size")->bits(), s.bytes.size());
      const std::string id(format->id);
      EXPECT_EQ(bytes(good(dio_sample(id.c_str(), s.name.c_str()))), s.bytes);

      const auto opened = dio::open(s.bytes, s.name);
      ASSERT_TRUE(opened);
      const File file = open(s.bytes, s.name.c_str());
      EXPECT_EQ(dio_file_ok(file.get()), 1u);
      EXPECT_EQ(dio_error(file.get()), nullptr);
      EXPECT_EQ(dio_file_format(file.get()), id);

      EXPECT_EQ(*parsed(good(dio_info(file.get()))).find("info"),
                *dio::json::read(dio::json::write(dio::info_with_companions(*opened))));
      EXPECT_EQ(parsed(good(dio_check(file.get()))).find("findings")->size(),
                dio::report::group_findings(dio::check(*opened)).size());
      EXPECT_EQ(member(parsed(good(dio_trace(file.get()))), "schema"), "diorama.hex/1");
      EXPECT_EQ(member(parsed(good(dio_tree(file.get()))), "format"), id);
      const Buffer decoded = good(dio_decode(file.get()));
      EXPECT_EQ(text(decoded), dio::json::write(dio::decode(*opened)) + "\n");
      EXPECT_EQ(text(good(dio_convert(file.get(), "json"))), text(decoded));
      EXPECT_EQ(std::strlen(static_cast<const char*>(dio_buffer_data(decoded.get()))), dio_buffer_size(decoded.get()));
      EXPECT_EQ(bytes(good(dio_encode(text(decoded).data(), text(decoded).size(), 0))), s.bytes);
      EXPECT_EQ(bytes(good(dio_save(file.get(), 0))), s.bytes);
      if (const auto canonical = opened->document->save({true, true})) {
        EXPECT_EQ(bytes(good(dio_save(file.get(), DIO_CANONICAL | DIO_LOSSY))), *canonical);
      } else {
        EXPECT_EQ(canonical.error().id, "brres.placement");
      }
      EXPECT_EQ(bytes(good(dio_set(file.get(), nullptr, 0))), s.bytes);
      if (!format->scenes) continue;
      if (const Buffer glb(dio_convert(file.get(), "glb")); !dio_buffer_ok(glb.get())) {  // nothing to show
        EXPECT_EQ(member(parsed(glb), "id"), "scene.none");
        continue;
      } else {
        EXPECT_EQ(text(glb).substr(0, 4), "glTF");
      }
      EXPECT_EQ(member(*parsed(good(dio_convert(file.get(), "gltf"))).find("asset"), "version"), "2.0");
    }
  EXPECT_EQ(list.find("samples")->size(), n);
  EXPECT_EQ(error_id(dio_sample("none", "race.kmp")), "capi.argument");
  EXPECT_EQ(error_id(dio_sample("kmp", nullptr)), "capi.argument");
  EXPECT_EQ(error_id(dio_sample(nullptr, nullptr)), "capi.argument");
}

TEST(Capi, TracesDamagedFilesUpToTheFault) {
  Bytes b = sample("race.kmp");
  b.resize(0x40);
  const File file = open(b, "cut.kmp");
  EXPECT_EQ(dio_file_ok(file.get()), 0u);
  EXPECT_STREQ(dio_file_format(file.get()), "kmp");
  const Value error = parsed(Buffer(dio_error(file.get())));
  EXPECT_EQ(member(error, "id"), "layout.truncated");
  EXPECT_EQ(member(error, "file"), "cut.kmp");
  ASSERT_TRUE(error.find("offset"));
  EXPECT_LE(error.find("offset")->bits(), 0x40u);
  const Value found = parsed(good(dio_check(file.get())));
  ASSERT_EQ(found.find("findings")->size(), 1u);
  EXPECT_EQ(*found.find("findings")->at(0), error);
  EXPECT_GT(parsed(good(dio_trace(file.get()))).find("spans")->size(), 0u);
  EXPECT_TRUE(parsed(good(dio_tree(file.get()))).find("tree"));
  const char* set[] = {"STGI.entries[0].laps=3"};
  for (dio_buffer* b : {dio_info(file.get()), dio_decode(file.get()), dio_save(file.get(), 0),
                        dio_set(file.get(), set, 1), dio_convert(file.get(), "glb")})
    EXPECT_EQ(error_id(b), "layout.truncated");
}

TEST(Capi, RejectsFilesOfUnknownFormat) {
  const Bytes b{'h', 'e', 'l', 'l', 'o'};
  for (const File& file :
       {open(b, "letter.txt"), open({}, "nothing"), File(dio_open(nullptr, 0, nullptr, nullptr, 0))}) {
    EXPECT_EQ(dio_file_ok(file.get()), 0u);
    EXPECT_EQ(dio_file_format(file.get()), nullptr);
    EXPECT_EQ(error_id(dio_error(file.get())), "detect.unknown");
    EXPECT_EQ(error_id(dio_trace(file.get())), "detect.unknown");
    EXPECT_EQ(error_id(dio_tree(file.get())), "detect.unknown");
    EXPECT_EQ(parsed(good(dio_check(file.get()))).find("findings")->size(), 1u);
  }
  EXPECT_EQ(error_id(dio_error(open(b, "", "kmp").get())), "layout.magic");
  const File none = open(b, "", "none");
  EXPECT_EQ(error_id(dio_error(none.get())), "capi.argument");
  EXPECT_EQ(dio_buffer_size(Buffer(dio_bytes(none.get(), 0, b.size())).get()), b.size());
}

TEST(Capi, StrictModeRejectsDoubtfulFiles) {
  const Bytes b = sample("truncated.kmp");
  EXPECT_TRUE(dio_file_ok(open(b).get()));
  const File strict = open(b, "t.kmp", "", DIO_STRICT);
  EXPECT_FALSE(dio_file_ok(strict.get()));
  EXPECT_NE(error_id(dio_error(strict.get())), "");
}

TEST(Capi, SetsValuesByPath) {
  const Bytes b = sample("race.kmp");
  const File file = open(b, "race.kmp");
  const char* both[] = {"STGI.entries[0].laps=5", "KTPT.entries[0].position.x=12.5"};
  const Bytes changed = bytes(good(dio_set(file.get(), both, 2)));
  EXPECT_EQ(changed.size(), b.size());
  EXPECT_NE(changed, b);
  EXPECT_EQ(bytes(good(dio_save(file.get(), 0))), b) << "the file itself stays as it is";
  const auto refused = [&](const char* assignment) { return error_id(dio_set(file.get(), &assignment, 1)); };
  EXPECT_EQ(refused("no.such=1"), "path.unknown");
  EXPECT_EQ(refused("STGI.entries[0].laps=many"), "layout.type");
  EXPECT_EQ(refused("STGI.entries[0].laps=256"), "layout.overflow");
  for (const char* wrong : {"", "=1", "STGI", static_cast<const char*>(nullptr)})
    EXPECT_EQ(refused(wrong), "capi.argument");
  EXPECT_EQ(error_id(dio_set(file.get(), nullptr, 1)), "capi.argument");
}

TEST(Capi, RejectsJsonThatIsNotADocument) {
  const auto refused = [](std::string_view s) { return error_id(dio_encode(s.data(), s.size(), 0)); };
  EXPECT_EQ(refused("{"), "json.syntax");
  EXPECT_EQ(refused(R"({"a":1,"a":2})"), "json.duplicate-key");
  EXPECT_EQ(refused("\"\xff\""), "json.utf8");
  EXPECT_EQ(refused("[]"), "layout.type");
  EXPECT_EQ(refused(R"({"schema": "diorama.document/1", "format": "none"})"), "layout.type");
  EXPECT_EQ(error_id(dio_encode(nullptr, 0, 0)), "json.syntax");
}

TEST(Capi, RejectsInvalidArguments) {
  const File file = open(sample("race.kmp"), "race.kmp");
  EXPECT_EQ(error_id(dio_convert(file.get(), "obj")), "capi.argument");
  EXPECT_EQ(error_id(dio_convert(file.get(), nullptr)), "capi.argument");
  EXPECT_EQ(error_id(dio_save(file.get(), DIO_STRICT)), "capi.argument");
  EXPECT_EQ(error_id(dio_encode("{}", 2, 1u << 31)), "capi.argument");
  EXPECT_EQ(error_id(dio_encode(nullptr, 2, 0)), "capi.argument");
  EXPECT_EQ(error_id(dio_encode("{}", SIZE_MAX, 0)), "capi.argument");
  EXPECT_EQ(error_id(dio_error(File(dio_open(nullptr, 4, "", "", 0)).get())), "capi.argument");
  EXPECT_EQ(error_id(dio_error(File(dio_open("RKMD", SIZE_MAX, "", "", 0)).get())), "capi.argument");
  EXPECT_EQ(error_id(dio_error(File(dio_open("RKMD", 4, "", "", DIO_LOSSY)).get())), "capi.argument");
}

TEST(Capi, DrawsCoursePlans) {
  const File course = open(bytes(good(dio_sample("kmp", "race.kmp"))), "tracks/<race>.kmp");
  const std::string plan = text(good(dio_plan(course.get(), nullptr, 0)));
  EXPECT_TRUE(plan.starts_with("<?xml"));
  EXPECT_NE(plan.find("<title>&lt;race&gt;.kmp</title>"), std::string::npos);
  EXPECT_EQ(plan.find("display:none"), std::string::npos);
  const char* some[] = {"show=ckpt,enpt", "size=800x600"};
  const std::string chosen = text(good(dio_plan(course.get(), some, 2)));
  EXPECT_NE(chosen.find("width=\"800\" height=\"600\""), std::string::npos);
  EXPECT_NE(chosen.find("display:none"), std::string::npos);
  for (const char* bad : {"show=walls", "size=0x1", "camera=top", "show"}) {
    const char* options[] = {bad};
    EXPECT_EQ(error_id(dio_plan(course.get(), options, 1)), "capi.argument") << bad;
  }
  const File model = open(bytes(good(dio_sample("nsbmd", "crate.nsbmd"))), "crate.nsbmd");
  EXPECT_EQ(error_id(dio_plan(model.get(), nullptr, 0)), "capi.argument");
}

TEST(Capi, RejectsNullAndMismatchedHandles) {
  const Buffer buffer = good(dio_formats());
  for (const void* handle : {static_cast<const void*>(nullptr), static_cast<const void*>(buffer.get())}) {
    const auto* f = static_cast<const dio_file*>(handle);
    for (dio_buffer* b : {dio_info(f), dio_check(f), dio_trace(f), dio_tree(f), dio_decode(f), dio_save(f, 0),
                          dio_set(f, nullptr, 0), dio_convert(f, "glb"), dio_error(f), dio_beside(f), dio_budget(f),
                          dio_plan(f, nullptr, 0), dio_textures(f, nullptr, 0), dio_make(f, "splashpack", nullptr, 0)})
      EXPECT_EQ(error_id(b), "capi.argument");
    EXPECT_EQ(dio_file_ok(f), 0u);
    EXPECT_EQ(dio_file_format(f), nullptr);
    dio_close(const_cast<dio_file*>(f));
  }
  const File file = open(sample("race.kmp"));
  for (void* handle : {static_cast<void*>(nullptr), static_cast<void*>(file.get())}) {
    auto* b = static_cast<dio_buffer*>(handle);
    EXPECT_EQ(dio_buffer_ok(b), 0u);
    EXPECT_EQ(dio_buffer_data(b), nullptr);
    EXPECT_EQ(dio_buffer_size(b), 0u);
    dio_buffer_free(b);
  }
  EXPECT_EQ(dio_file_ok(file.get()), 1u);
  EXPECT_EQ(dio_buffer_ok(buffer.get()), 1u);
}

TEST(Capi, NamesThatAreNotUtf8GiveValidJson) {
  const File file = open(sample("race.kmp"), "\xff\"\n.kmp");
  EXPECT_EQ(member(parsed(good(dio_info(file.get()))), "file"), "\xef\xbf\xbd\"\n.kmp");
  const File none = open({}, "\xff");
  EXPECT_EQ(member(parsed(Buffer(dio_error(none.get()))), "file"), "\xef\xbf\xbd");
}

TEST(Capi, EmptyResultsAreNotNull) {
  EXPECT_NE(dio_buffer_data(Buffer(dio_error(open({}).get())).get()), nullptr);
  void* nothing = dio_alloc(0);
  EXPECT_NE(nothing, nullptr);
  dio_free(nothing);
  dio_free(nullptr);
}

TEST(Capi, ThreadsCanShareOneFile) {
  const File file = open(sample("race.kmp"), "race.kmp");
  std::vector<std::string> out(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& s : out)
      threads.emplace_back([&] {
        s = text(good(dio_decode(file.get()))) + text(good(dio_convert(file.get(), "glb"))) +
            text(good(dio_check(file.get())));
      });
  }
  for (const std::string& s : out) EXPECT_EQ(s, out[0]);
}

TEST(Capi, EveryTruncationGivesAResultOrError) {
  const Bytes b = sample("few_sections.kmp");
  for (size_t n = 0; n < b.size(); ++n) {
    const File file = open(ByteView(b).first(n), "few.kmp", "kmp");
    if (dio_file_ok(file.get()))
      EXPECT_EQ(bytes(good(dio_save(file.get(), 0))), Bytes(b.begin(), b.begin() + std::ptrdiff_t(n)));
    else
      EXPECT_NE(error_id(dio_error(file.get())), "");
    good(dio_check(file.get()));
    good(dio_trace(file.get()));
  }
}

/// The guide's code block in `language`, and the text block below it.
std::pair<std::string, std::string> example_of(const std::string& language) {
  std::ostringstream all;
  all << std::ifstream(dio::source_dir() / "docs/guide/c-interface.md").rdbuf();
  const std::string guide = all.str();
  const auto block = [&](size_t from, const std::string& fence) -> std::pair<size_t, std::string> {
    const size_t start = guide.find("\n" + fence + "\n", from), first = start + fence.size() + 2;
    if (start == guide.npos) return {guide.size(), ""};
    const size_t end = guide.find("```\n", first);
    return {end, guide.substr(first, end - first)};
  };
  const auto [end, code] = block(0, "```" + language);
  return {code, block(end, "```text").second};
}

TEST(Capi, GuideExamplePrintsTheDocumentedOutput) {
  const std::string path = testing::TempDir() + "capi_guide_race.kmp";
  const Bytes b = sample("race.kmp");
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(b.data()), std::streamsize(b.size()));
  std::string program = "example", file = path;
  char* arguments[] = {program.data(), file.data(), nullptr};
  testing::internal::CaptureStdout();
  const int status = capi_guide_example(2, arguments);
  std::string printed = testing::internal::GetCapturedStdout();
  for (size_t at; (at = printed.find(path)) != printed.npos;) printed.replace(at, path.size(), "race.kmp");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(printed, example_of("c").second);
  std::remove(path.c_str());
}

}  // namespace
