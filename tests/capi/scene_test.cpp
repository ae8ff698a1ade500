// Scenes and parts of traces through the C interface, and the file values behind the vertices of whole games.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "capi/owned.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "operations/archive_tree.hpp"
#include "operations/scene_sources.hpp"
#include "samples/samples.hpp"

namespace {

using dio::Bytes;
using dio::u32;
using dio::u8;
using dio::Value;

using namespace capi_test;

Value json(dio_buffer* raw) { return parsed(good(raw)); }

TEST(CapiScene, DataContainsJsonAndArrays) {
  File file = open_sample("kmp", "race.kmp");
  const Scene scene(dio_scene_of(file.get(), nullptr, 0));
  file.reset();  // the scene does not need the file
  ASSERT_EQ(dio_scene_ok(scene.get()), 1u);
  const Buffer data(dio_scene_data(scene.get()));
  ASSERT_EQ(dio_buffer_ok(data.get()), 1u);
  const std::string all = text(data);
  u32 size = 0;
  for (size_t i = 0; i < 4; ++i) size |= u32(u8(all[i])) << 8 * i;
  EXPECT_EQ(size % 4, 0u);
  const auto head = dio::json::read(std::string_view(all).substr(4, size));
  ASSERT_TRUE(head);
  const std::string_view arrays = std::string_view(all).substr(4 + size);
  const auto opened = dio::open(bytes(good(dio_sample("kmp", "race.kmp"))), "race.kmp");
  ASSERT_TRUE(opened);
  const auto staged = dio::to_scene(*opened);
  ASSERT_TRUE(staged);
  const dio::scene::Scene& s = staged->scene;
  ASSERT_EQ(head->find("nodes")->size(), s.nodes.size());
  ASSERT_EQ(head->find("meshes")->size(), s.meshes.size());
  size_t last = 0;
  for (size_t m = 0; m < s.meshes.size(); ++m)
    for (size_t p = 0; p < s.meshes[m].primitives.size(); ++p) {
      const Value& one = *head->find("meshes")->at(m)->find("primitives")->at(p);
      const auto& positions = s.meshes[m].primitives[p].positions;
      const Value& there = *one.find("positions");
      ASSERT_EQ(there.find("count")->bits(), 3 * positions.size());
      const size_t at = size_t(there.find("at")->bits());
      EXPECT_EQ(at % 4, 0u);
      ASSERT_LE(at + 12 * positions.size(), arrays.size());
      EXPECT_EQ(std::memcmp(arrays.data() + at, positions.data(), 12 * positions.size()), 0);
      last = std::max(last, at);
    }
  EXPECT_GT(last, 0u);
}

TEST(CapiScene, RejectsInvalidScenesAndOptions) {
  const File file = open_sample("kmp", "race.kmp");
  const Buffer buffer(dio_formats());
  for (const void* handle : {static_cast<const void*>(nullptr), static_cast<const void*>(file.get())}) {
    auto* s = const_cast<dio_scene*>(static_cast<const dio_scene*>(handle));
    EXPECT_EQ(dio_scene_ok(s), 0u);
    for (dio_buffer* b : {dio_scene_data(s), dio_scene_source(s, 0, 0), dio_scene_shows(s, "", ""),
                          dio_scene_convert(s, "glb", nullptr, 0)})
      EXPECT_EQ(error_id(b), "capi.argument");
    dio_scene_close(s);
  }
  EXPECT_EQ(dio_file_ok(file.get()), 1u);
  const auto refused = [&](const dio_file* f, const char* option) {
    const Scene scene(dio_scene_of(f, &option, option ? 1 : 0));
    EXPECT_EQ(dio_scene_ok(scene.get()), 0u);
    return error_id(dio_scene_data(scene.get()));
  };
  EXPECT_EQ(refused(nullptr, nullptr), "capi.argument");
  EXPECT_EQ(refused(reinterpret_cast<const dio_file*>(buffer.get()), nullptr), "capi.argument");
  EXPECT_EQ(refused(file.get(), "lit"), "capi.argument");
  EXPECT_EQ(refused(file.get(), "lit=yes"), "capi.argument");
  const File model = open_sample("fft-mesh", dio::samples_of(*dio::find_format("fft-mesh"))[0].name.c_str());
  EXPECT_EQ(refused(model.get(), "lamps=perhaps"), "capi.argument");
  EXPECT_EQ(refused(model.get(), "tick-rate=0"), "capi.argument");
  const char* option = "tick-rate=30";
  EXPECT_EQ(dio_scene_ok(Scene(dio_scene_of(model.get(), &option, 1)).get()), 1u);
  EXPECT_EQ(refused(File(dio_open("???", 3, "none", nullptr, 0)).get(), nullptr), "detect.unknown");
  const File textures = open_sample("nsbtx", dio::samples_of(*dio::find_format("nsbtx"))[0].name.c_str());
  EXPECT_EQ(refused(textures.get(), nullptr), "scene.none");
}

TEST(CapiScene, LinksCoursePointsToSceneNodes) {
  const File file = open_sample("kmp", "race.kmp");
  const Scene scene(dio_scene_of(file.get(), nullptr, 0));
  const Value shown = json(dio_scene_shows(scene.get(), "race.kmp", "ENPT.entries[1].position.x"));
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown.at(0)->find("sources"), nullptr);
  const Value place = json(dio_scene_source(scene.get(), u32(shown.at(0)->find("node")->bits()), DIO_NO_SOURCE));
  EXPECT_EQ(place.find("file")->text(), "race.kmp");
  EXPECT_EQ(place.find("path")->text(), "ENPT.entries[1]");
  const Value range = json(dio_place(file.get(), "ENPT.entries[1]"));
  EXPECT_EQ(*place.find("offset"), *range.find("offset"));
  EXPECT_EQ(*place.find("size"), *range.find("size"));
  // A section shows its node and its points; a missing entry shows nothing.
  const auto points = size_t(json(dio_branch(file.get(), "ENPT.entries", 0, 1)).find("total")->bits());
  EXPECT_EQ(json(dio_scene_shows(scene.get(), "race.kmp", "ENPT.entries")).size(), points);
  EXPECT_EQ(json(dio_scene_shows(scene.get(), "race.kmp", "ENPT")).size(), points + 1);
  EXPECT_EQ(json(dio_scene_shows(scene.get(), "race.kmp", "ENPT.entries[1000]")).size(), 0u);
  EXPECT_EQ(json(dio_scene_shows(scene.get(), "race.kmp", "header.size")).size(), 0u);
  EXPECT_EQ(json(dio_scene_shows(scene.get(), "other.kmp", "")).size(), 0u);
}

TEST(CapiScene, ReturnsPartsOfATrace) {
  const File file = open_sample("kmp", "race.kmp");
  const Value all = json(dio_trace(file.get()));
  const Value window = json(dio_spans(file.get(), 0, size_t(all.find("size")->bits())));
  EXPECT_EQ(*window.find("spans"), *all.find("spans"));
  EXPECT_EQ(*window.find("gaps"), *all.find("gaps"));
  const Value branch = json(dio_branch(file.get(), "ENPT.entries", 1, 2));
  EXPECT_EQ(branch.find("members")->size(), 2u);
  EXPECT_EQ(branch.find("members")->at(0)->find("path")->text(), "ENPT.entries[1]");
  EXPECT_EQ(branch.find("members")->at(0)->find("name")->text(), "[1]");
  EXPECT_GT(branch.find("total")->bits(), 2u);
  EXPECT_EQ(json(dio_branch(file.get(), "ENPT.entries", 1000, 2)).find("members")->size(), 0u);
  EXPECT_EQ(json(dio_branch(file.get(), "ENPT.entries", 0, SIZE_MAX)).find("members")->size(),
            branch.find("total")->bits());
  EXPECT_EQ(error_id(dio_branch(file.get(), "none", 0, 1)), "path.unknown");
  EXPECT_EQ(json(dio_place(file.get(), "none")), Value());
  // Typed paths: a path to one value is found, a path to several is not.
  EXPECT_EQ(json(dio_place(file.get(), "ENPT[1]")), json(dio_place(file.get(), "ENPT.entries[1]")));
  EXPECT_EQ(json(dio_branch(file.get(), "ENPT[1]", 0, 9)), json(dio_branch(file.get(), "ENPT.entries[1]", 0, 9)));
  EXPECT_EQ(json(dio_place(file.get(), "ENPT[*]")), Value());
  EXPECT_EQ(error_id(dio_branch(file.get(), "ENPT[*]", 0, 9)), "path.unknown");
  const Value place = json(dio_place(file.get(), "ENPT.entries[1].position.y"));
  const auto offset = size_t(place.find("offset")->bits());
  EXPECT_EQ(json(dio_path_at(file.get(), offset)).text(), "ENPT.entries[1].position.y");
  EXPECT_EQ(json(dio_path_at(file.get(), SIZE_MAX)), Value());
  const Buffer sample_bytes(dio_sample("kmp", "race.kmp")), bytes(dio_bytes(file.get(), offset, 4));
  EXPECT_EQ(text(bytes), text(sample_bytes).substr(offset, 4));
  EXPECT_EQ(dio_buffer_size(Buffer(dio_bytes(file.get(), SIZE_MAX, SIZE_MAX)).get()), 0u);
  for (dio_buffer* b : {dio_branch(nullptr, "", 0, 1), dio_spans(nullptr, 0, 1), dio_place(nullptr, ""),
                        dio_path_at(nullptr, 0), dio_bytes(nullptr, 0, 1)})
    EXPECT_EQ(error_id(b), "capi.argument");

  // An unreadable file has a trace up to the damage.
  const std::string whole = text(sample_bytes);
  const File cut(dio_open(whole.data(), 0x40, "cut.kmp", nullptr, 0));
  EXPECT_EQ(dio_file_ok(cut.get()), 0u);
  EXPECT_GT(json(dio_spans(cut.get(), 0, 0x40)).find("spans")->size(), 3u);
  EXPECT_EQ(error_id(dio_spans(File(dio_open("???", 3, "none", nullptr, 0)).get(), 0, 3)), "detect.unknown");
}

// ---- whole games ----

/// Checks that every vertex of a world comes from a value in a game file and that the value shows the vertex. Returns
/// the file names without their numbers.
std::set<std::string> follow(const dio::Game& game, const dio::FileTree& tree, std::string_view part,
                             dio::WorldOptions options) {
  options.sources = true;
  const auto staged = game.world(part, options);
  EXPECT_TRUE(staged) << part;
  if (!staged) return {};
  const dio::scene::Scene& s = staged->scene;
  EXPECT_TRUE(dio::scene::verify(s).empty());
  std::map<std::string, std::shared_ptr<const dio::OpenedFile>> files;
  const auto open = [&](const std::string& name) {
    auto& file = files[name];
    if (file) return file;
    auto bytes = tree.read(name);
    EXPECT_TRUE(bytes) << name;
    if (bytes)
      if (auto opened = dio::open(std::move(*bytes), name))
        file = std::make_shared<const dio::OpenedFile>(std::move(*opened));
    return file;
  };
  const dio::SceneSources sources(s, {}, open);
  std::set<std::string> seen;
  std::set<std::pair<std::string, std::string>> asked;
  size_t vertices = 0;
  for (dio::scene::Index i = 0; i < s.nodes.size(); ++i) {
    if (s.nodes[i].mesh == dio::scene::k_none) continue;
    for (const auto& p : s.meshes[s.nodes[i].mesh].primitives)
      for (size_t v = 0; v < p.positions.size(); v += 7) {
        const auto source = p.sources.empty() ? std::nullopt : std::optional(p.sources[v]);
        const auto found = sources.find_value_source(i, source);
        EXPECT_TRUE(found) << s.nodes[i].name;
        if (!found) return {};
        ++vertices;
        const auto file = files[found->file];
        EXPECT_TRUE(file) << s.nodes[i].name << ": " << found->file;
        if (!file) return {};
        seen.insert(std::string(file->format->id) + (source ? " by sources" : ""));
        if (!asked.insert({found->file, found->path}).second || asked.size() % 5) continue;
        EXPECT_GT(found->size, 0u) << found->file << ' ' << found->path;
        EXPECT_LE(found->offset + found->size, file->bytes.size());
        bool shown = false;
        for (const dio::ShownSource& one : sources.find_nodes_showing(found->file, found->path)) {
          if (one.node != i) continue;
          shown |= one.sources.empty();
          for (const dio::SourceRun& r : one.sources) shown |= *source >= r.first && *source - r.first < r.count;
        }
        EXPECT_TRUE(shown) << found->file << ' ' << found->path << " does not show " << s.nodes[i].name;
      }
  }
  EXPECT_GT(vertices, 0u);
  return seen;
}

TEST(SceneSources, IdentifiesSourceFilesInGameWorlds) {
  std::set<std::string> seen;
  for (const dio::GameKind* kind : dio::game_kinds())
    for (const dio::Sample& sample : samples_of(*kind)) {
      SCOPED_TRACE(sample.name);
      auto archive = dio::Archive::open(sample.bytes, sample.name);
      ASSERT_TRUE(archive);
      const dio::ArchiveTree tree(std::move(*archive), sample.name);
      const auto opened = dio::open_game(tree);
      ASSERT_TRUE(opened);
      dio::WorldOptions options;
      for (const std::string_view name : opened->game->overlays()) options.show.emplace_back(name);
      size_t worlds = 0;
      for (const dio::GamePart& part : opened->game->graph().parts)
        if (part.kind == "map" || part.kind == "land") {
          options.every_state = part.kind == "map";
          if (!opened->game->world(part.id(), options)) continue;  // nothing to show
          seen.merge(follow(*opened->game, tree, part.id(), options));
          ++worlds;
        }
      EXPECT_GT(worlds, 1u);
    }
  // Prop and land models, tiles and heights, events, meshes and terrain.
  EXPECT_TRUE(seen.contains("nsbmd by sources"));
  EXPECT_TRUE(seen.contains("land-data by sources"));
  EXPECT_TRUE(seen.contains("fft-mesh by sources"));
  std::string all;
  for (const std::string& one : seen) all += one + '\n';
  EXPECT_GE(seen.size(), 4u) << all;
}

TEST(SceneSources, SourcesDoNotChangeTheGlb) {
  for (const dio::Format* format : dio::formats())
    for (const dio::Sample& sample : samples_of(*format)) {
      if (!format->scenes) continue;
      SCOPED_TRACE(sample.name);
      const auto opened = dio::open(sample.bytes, sample.name);
      ASSERT_TRUE(opened);
      const auto plain = dio::to_scene(*opened), numbered = dio::to_scene(*opened, {.sources = true});
      ASSERT_EQ(plain.has_value(), numbered.has_value());
      if (!plain) continue;
      EXPECT_TRUE(dio::scene::verify(numbered->scene).empty());
      ASSERT_EQ(plain->scene.nodes.size(), numbered->scene.nodes.size());
      // Source numbers that match edited scenes stay unchanged, and no others are added.
      const bool goes_back = format->scenes->prepare_comparison || format->making;
      for (size_t m = 0; m < plain->scene.meshes.size(); ++m)
        for (size_t p = 0; p < plain->scene.meshes[m].primitives.size(); ++p)
          if (!goes_back) {
            EXPECT_TRUE(plain->scene.meshes[m].primitives[p].sources.empty());
          }
    }
}

}  // namespace
