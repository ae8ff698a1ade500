// game_edits_test.cpp: game edits that change several files: files added with them, and references that must follow
// renumbered parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>

#include "engine/seeds.hpp"
#include "formats/contract/format.hpp"
#include "formats/platinum/game/parts.hpp"
#include "operations/game_editing.hpp"
#include "operations/operations.hpp"
#include "operations/source_tree.hpp"
#include "samples/platinum/games.hpp"

namespace dio::platinum {
namespace {

using testing::HasSubstr;

std::vector<EditStep> steps_of(std::string_view text) {
  auto steps = parse_edit_steps(tokenize_edit_script(text));
  EXPECT_TRUE(steps) << text;
  return steps ? std::move(*steps) : std::vector<EditStep>();
}
GameEditing begin(const FileTree& files) {
  auto editing = GameEditing::begin(files);
  EXPECT_TRUE(editing) << format_one_line(editing.error());
  return std::move(*editing);
}
Result<std::string> run(GameEditing& editing, std::string_view text, Referrers referrers = Referrers::refuse) {
  return editing.run(steps_of(text)[0], referrers);
}
/// All files, with the changes applied.
MemoryTree after(const MemoryTree& files, const GameEditing& editing) {
  MemoryTree out = files;
  for (const auto& [path, bytes] : editing.changed()) out.files[path] = bytes;
  return out;
}
std::string findings_of(const MemoryTree& files) {
  const auto game = open_game(files);
  EXPECT_TRUE(game);
  std::string out;
  for (const Diagnostic& d : game->game->check(true)) out += format_one_line(d) + "\n";
  return out;
}

/// The meaning of a part regardless of its number: its bytes without part numbers, plus the meaning of the parts they
/// refer to.
class Meanings {
 public:
  explicit Meanings(const MemoryTree& files) : files_(files), game_(std::move(*open_game(files))) {
    for (const GamePart& p : game_.game->graph().parts) paths_[p.id()] = p.path;
  }
  /// The meaning of every part of a map.
  std::string of_header(u32 header) {
    std::string out;
    for (const auto& [path, to] : references("_system/arm9.bin"))
      if (path.starts_with("headers[" + std::to_string(header) + "]"))
        out += path + "=" + of(to) + (to.starts_with("prop-set/") ? of("prop-textures" + to.substr(8)) : "") + "\n";
    return out;
  }
  std::string of(const std::string& id) {
    if (id.starts_with("header/")) return id;  // headers keep their numbers
    const auto path = paths_.find(id);
    if (path == paths_.end()) return "no such part";
    const auto [known, is_new] = known_.try_emplace(id);
    if (!is_new) return known->second;
    std::string out = digest_of(blanked(path->second));
    for (const auto& [where, to] : references(path->second)) out += " " + where + "=(" + of(to) + ")";
    if (id.starts_with("prop-set/")) out += of("prop-textures" + id.substr(8));
    if (id.starts_with("prop/")) {
      const u32 n = u32(std::stoul(id.substr(5)));
      const auto opened = load<Matshp>(files_.files.at("fielddata/build_model/build_model_matshp.dat"));
      const Matshp& lists = opened->document.value();
      out += " draws";
      if (n < lists.models.size())
        for (u32 i = 0; i < lists.models[n].count; ++i) {
          const Draw& d = lists.draws[lists.models[n].first + i];
          out += " " + std::to_string(d.material_id) + "," + std::to_string(d.shape_id);
        }
      out += " moves " + digest_of(*read_file_or_member(files_, "arc/bm_anime_list.narc/" + std::to_string(n)));
    }
    return known_[id] = out;
  }

 private:
  using Found = std::vector<std::pair<std::string, std::string>>;
  const TraceResult& traced(const std::string& path) {
    const auto [at, is_new] = traced_.try_emplace(path);
    if (!is_new) return at->second.second;
    at->second.first = *read_file_or_member(files_, path);
    at->second.second = detect(at->second.first, path)->format->trace(at->second.first, {});
    return at->second.second;
  }
  Found references(const std::string& path) {
    if (path.ends_with(".nsbmd") || !detects(path)) return {};
    Found out;
    const TraceResult& t = traced(path);
    for (const References all(t.spans); const ResolvedReference& r : all.all())
      if (r.is_part() && r.count) out.push_back({t.spans.path(r.from), all.target(r)});
    return out;
  }
  bool detects(const std::string& path) { return bool(detect(*read_file_or_member(files_, path), path)); }
  Bytes blanked(const std::string& path) {
    Bytes bytes = *read_file_or_member(files_, path);
    if (!detects(path)) return bytes;
    const TraceResult& t = traced(path);
    for (const References all(t.spans); const ResolvedReference& r : all.all())
      if (r.is_part() && r.count)
        std::fill_n(bytes.begin() + std::ptrdiff_t(r.from.offset), size_t(r.from.size), u8(0));
    return bytes;
  }

  const MemoryTree& files_;
  OpenedGame game_;
  std::map<std::string, std::string> paths_, known_;
  std::map<std::string, std::pair<Bytes, TraceResult>> traced_;
};

TEST(GameEdits, RenumberedPartsKeepTheirReferences) {
  const GameSample sample = game_sample();
  const MemoryTree files = sample.files();
  const std::string before = findings_of(files);
  Meanings was(files);
  std::vector<std::string> meant;
  for (u32 h = 0; h < sample.headers.size(); ++h) {
    meant.push_back(was.of_header(h));
    EXPECT_THAT(meant.back(), HasSubstr("area_data_archive_id"));
  }
  const std::pair<const char*, size_t> kinds[] = {{"land", 4}, {"matrix", 2},      {"area", 3},  {"prop-set", 2},
                                                  {"prop", 5}, {"texture-set", 2}, {"light", 2}, {"events", 2}};
  std::set<std::string> renumbered;
  test::each_seed(30, [&](u64 seed) {
    std::mt19937 random{u32(seed)};
    GameEditing editing = begin(files);
    std::string log;
    for (int i = 0; i < 4; ++i) {
      const auto& [kind, count] = kinds[random() % std::size(kinds)];
      const auto part = [&] { return std::string(kind) + "/" + std::to_string(random() % count); };
      const std::string edit = random() % 3 == 0   ? "swap " + part() + " " + part()
                               : random() % 2 == 0 ? "move " + part() + " before=" + part()
                                                   : "duplicate " + part() + " after=" + part();
      log += edit + "; ";
      if (const auto done = run(editing, edit)) {
        if (done->find("updated") != done->npos) renumbered.insert(kind);
      } else {
        EXPECT_EQ(done.error().id, "edit.argument") << log << format_one_line(done.error());  // swapped with itself
      }
    }
    SCOPED_TRACE(log);
    const MemoryTree now = after(files, editing);
    Meanings is(now);
    for (u32 h = 0; h < sample.headers.size(); ++h) EXPECT_EQ(is.of_header(h), meant[h]) << h;
    // The number of findings is unchanged. The program refers to some matrices by number, and each header to its
    // matrix.
    const std::string found = log.find("matrix") == log.npos ? findings_of(now) : before;
    EXPECT_EQ(std::ranges::count(found, '\n'), std::ranges::count(before, '\n')) << found;
  });
  if (test::from_environment("DIORAMA_FILES", 30) >= 30) {
    EXPECT_EQ(renumbered.size(), std::size(kinds)) << "a kind was never referred to";
  }
}

TEST(GameEdits, MovingBackRestoresTheBytes) {
  const MemoryTree files = game_sample().files();
  for (const auto& [there, back] : {std::pair("move land/0 after=land/2", "move land/2 before=land/0"),
                                    {"swap prop/1 prop/3", "swap prop/3 prop/1"},
                                    {"duplicate matrix/0 before=0", "remove matrix/0"},
                                    {"move prop-set/1 before=0", "move prop-set/0 after=1"}}) {
    GameEditing editing = begin(files);
    ASSERT_TRUE(run(editing, there)) << there;
    EXPECT_FALSE(after(files, editing).files == files.files);
    const auto done = run(editing, back);
    ASSERT_TRUE(done) << back << ": " << format_one_line(done.error());
    EXPECT_TRUE(after(files, editing).files == files.files) << there;
  }
}

TEST(GameEdits, KeepsReferencedParts) {
  const MemoryTree files = game_sample().files();
  GameEditing editing = begin(files);
  const auto refused = [&](std::string_view edit, Referrers referrers = Referrers::refuse) {
    const auto done = run(editing, edit, referrers);
    EXPECT_FALSE(done) << edit;
    EXPECT_TRUE(editing.changed().empty());
    return done ? std::string() : done.error().id + ": " + done.error().message;
  };
  EXPECT_THAT(refused("remove land/0"), HasSubstr("edit.referred: the part is still referred to by fielddata/mapmatrix/"
                                                  "map_matrix.narc/0: land_data_ids[0][0]"));
  EXPECT_THAT(refused("remove area/1", Referrers::unlink), HasSubstr("edit.referred"));  // 0 is an area, too
  EXPECT_THAT(refused("move header/1 before=0"),
              HasSubstr("edit.argument: parts of the kind header cannot be renumbered"));
  EXPECT_THAT(refused("swap prop-textures/0 1"), HasSubstr("or are shared with other parts"));
  EXPECT_THAT(refused("move land/0"), HasSubstr("before=... or after=..."));
  EXPECT_THAT(refused("move land/0 before=area/1"), HasSubstr("different kinds"));
  EXPECT_THAT(refused("swap land/0 land/9"), HasSubstr("game.part"));
  EXPECT_THAT(refused("swap land/1 1"), HasSubstr("the same"));
  EXPECT_THAT(refused("sort land/0 by=x"), HasSubstr("the game has no edit"));
  const auto unlinked = run(editing, "remove land/0", Referrers::unlink);
  ASSERT_TRUE(unlinked) << format_one_line(unlinked.error());
  const auto matrix =
      load<MapMatrix>(*read_file_or_member(after(files, editing), "fielddata/mapmatrix/map_matrix.narc/0"));
  EXPECT_EQ(matrix->document.value().land_data_ids[0][0], 0xFFFF);
  EXPECT_EQ(matrix->document.value().land_data_ids[0][1], 0);
}

TEST(GameEdits, LooseFilesKeepTheirNumbers) {
  MemoryTree loose;
  const MemoryTree files = game_sample().files();
  for (const auto& [path, bytes] : files.files) {
    if (!path.ends_with("land_data.narc")) loose.files[path] = bytes;
  }
  for (u32 i = 0; i < 4; ++i)
    loose.files["fielddata/land_data/land_data/000" + std::to_string(i) + ".bin"] =
        *read_file_or_member(files, "fielddata/land_data/land_data.narc/" + std::to_string(i));
  GameEditing editing = begin(loose);
  const auto moved = run(editing, "swap land/0 land/1");
  ASSERT_FALSE(moved);
  EXPECT_THAT(moved.error().message, HasSubstr("not positions in an archive"));
  // Other edits work and change the loose file.
  const auto added = run(editing, "add-prop land=3 model=1 x=8 z=8");
  ASSERT_TRUE(added) << format_one_line(added.error());
  EXPECT_TRUE(editing.changed().contains("fielddata/land_data/land_data/0003.bin"));
}

// ---- add-prop ----

TEST(GameEdits, AddedPropBringsItsModelAndTextures) {
  const GameSample sample = game_sample();
  const MemoryTree files = sample.files();
  const std::string before = findings_of(files);
  // The mill has textures and a pattern animation that the house lacks.
  GameEditing editing = begin(files);
  const auto done = run(editing, "add-prop land=3 model=2 x=8 z=24 y=0");
  ASSERT_TRUE(done) << format_one_line(done.error());
  EXPECT_THAT(*done, HasSubstr("model added to 1 prop set"));
  const MemoryTree now = after(files, editing);
  const auto land = load<LandData>(*read_file_or_member(now, "fielddata/land_data/land_data.narc/3"));
  ASSERT_TRUE(land);
  ASSERT_EQ(land->document.value().props.size(), sample.lands[3].props.size() + 1);
  EXPECT_EQ(land->document.value().props.back().model_id, 2u);
  const auto set = load<AreaBuild>(*read_file_or_member(now, "fielddata/areadata/area_build_model/area_build.narc/1"));
  EXPECT_EQ(set->document.value().map_prop_model_ids, (std::vector<u16>{4, 2}));
  const auto textures =
      load<nitro::Nsbtx>(*read_file_or_member(now, "fielddata/areadata/area_build_model/areabm_texset.narc/1"));
  ASSERT_TRUE(textures);
  // Everything the other set has for the mill: its own textures and both pictures of its flag. The house keeps its own.
  const auto names = [](const auto& list) {
    std::set<std::string> out;
    for (const auto& x : list) out.insert(x.name);
    return out;
  };
  const auto has = names(textures->document.value().textures.textures);
  for (const auto& x : sample.prop_textures[1].textures.textures) EXPECT_TRUE(has.contains(x.name)) << x.name;
  EXPECT_TRUE(has.contains("wood") && has.contains("flag_0")) << testing::PrintToString(has);
  for (const auto& x : textures->document.value().textures.textures)
    for (const auto& y : sample.prop_textures[0].textures.textures)
      if (x.name == y.name) {
        EXPECT_EQ(x.texels, y.texels) << x.name;
      }
  // There is no new finding; a missing model or texture would cause one.
  EXPECT_EQ(findings_of(now), before);
  MemoryTree half = now;
  half.files["fielddata/areadata/area_build_model/areabm_texset.narc"] =
      files.files.at("fielddata/areadata/area_build_model/areabm_texset.narc");
  EXPECT_NE(findings_of(half), before);
  // The scene shows it with its textures.
  const auto world = open_game(now)->game->world("land/3", {});
  ASSERT_TRUE(world);
  EXPECT_TRUE(std::ranges::none_of(world->notes, [](const Diagnostic& d) { return d.severity != Severity::hint; }));
  // A second prop copies nothing again.
  const auto again = run(editing, "add-prop land=3 model=2 x=8 z=8");
  ASSERT_TRUE(again) << format_one_line(again.error());
  EXPECT_EQ(again->find("copied"), again->npos) << *again;
}

TEST(GameEdits, RejectsPropsTheGameCannotShow) {
  GameSample sample = game_sample();
  const auto refused = [&](std::string_view edit) {
    const MemoryTree files = sample.files();
    GameEditing editing = begin(files);
    const auto done = run(editing, edit);
    EXPECT_FALSE(done) << edit;
    EXPECT_TRUE(editing.changed().empty());
    return done ? std::string() : done.error().id + ": " + done.error().message;
  };
  EXPECT_THAT(refused("add-prop land=4 model=1 x=0 z=0"), HasSubstr("edit.argument"));
  EXPECT_THAT(refused("add-prop land=0 model=5 x=0 z=0"), HasSubstr("edit.argument"));
  EXPECT_THAT(refused("add-prop land=0 model=1 z=0"), HasSubstr("x"));
  EXPECT_THAT(refused("add-prop land=0 model=1 x=0 z=0 color=3"), HasSubstr("color"));
  // A texture missing from every set.
  for (auto& set : sample.prop_textures) std::erase_if(set.textures.textures, [](auto& x) { return x.name == "wood"; });
  EXPECT_THAT(refused("add-prop land=3 model=2 x=0 z=0"), HasSubstr("lacks the texture \"wood\" of model 2"));
  sample = game_sample();
  // More texels than fit into memory: 64 textures of 4 kB in the map leave no room for others.
  auto& map = sample.map_textures[1].textures.textures;
  for (u32 i = 0; map.size() < 70; ++i) {
    auto one = map[0];
    one.name = "large_" + std::to_string(i);
    one.width_code = one.height_code = 3, one.format = 4;  // 64 x 64, a byte each
    one.original_width = one.original_height = 64;
    one.texels.assign(4096, u8(i));
    map.push_back(std::move(one));
  }
  EXPECT_THAT(refused("add-prop land=3 model=2 x=0 z=0"), HasSubstr("edit.limit: the textures of area 2 would take"));
  sample = game_sample();
  sample.lands[0].props.resize(k_most_props, sample.lands[0].props[0]);
  EXPECT_THAT(refused("add-prop land=0 model=1 x=0 z=0"), HasSubstr("edit.limit: land 0 already has 32 props"));
}

// ---- replace-prop ----

using Files = std::vector<std::pair<std::string, Bytes>>;

/// The edit with the contents of files as arguments.
Result<std::string> replace_prop(GameEditing& editing, std::string_view numbers, const Files& contents) {
  EditStep step = steps_of("replace-prop " + std::string(numbers))[0];
  for (const auto& [name, bytes] : contents)
    step.arguments.push_back({name, name + ".bin", std::make_shared<const Bytes>(bytes)});
  return editing.run(step, Referrers::refuse);
}
template <class T>
Bytes bytes_of_file(T value) {
  Document<T> d;
  d.edit() = std::move(value);
  return *save(d);
}
template <class T>
T member(const MemoryTree& files, std::string path) {
  const auto bytes = read_file_or_member(files, path);
  EXPECT_TRUE(bytes) << path;
  auto file = load<T>(*bytes);
  EXPECT_TRUE(file) << path;
  return std::move(file->document.edit());
}
std::set<std::string> texture_names(const MemoryTree& files, u32 set) {
  std::set<std::string> out;
  const auto file =
      member<nitro::Nsbtx>(files, "fielddata/areadata/area_build_model/areabm_texset.narc/" + std::to_string(set));
  for (const auto& x : file.textures.textures) out.insert(x.name);
  for (const auto& x : file.textures.palettes) out.insert(x.name);
  return out;
}

TEST(GameEdits, ReplacedPropBringsItsFiles) {
  const GameSample sample = game_sample();
  const MemoryTree files = sample.files();
  GameEditing editing = begin(files);
  // The table instead of the tree: its textures come, those of the tree go.
  const auto done =
      replace_prop(editing, "prop=1",
                   {{"model", bytes_of_file(sample.props[4])}, {"textures", bytes_of_file(sample.prop_textures[1])}});
  ASSERT_TRUE(done) << format_one_line(done.error());
  const MemoryTree now = after(files, editing);
  EXPECT_EQ(*read_file_or_member(now, "fielddata/build_model/build_model.narc/1"), bytes_of_file(sample.props[4]));
  std::set<std::string> expected = texture_names(files, 0);
  for (const char* gone : {"leaves", "leaves_pl"}) expected.erase(gone);
  for (const char* come : {"table_t", "table_t_pl"}) expected.insert(come);
  EXPECT_EQ(texture_names(now, 0), expected);
  EXPECT_EQ(texture_names(now, 1), texture_names(files, 1));
  EXPECT_EQ(findings_of(now), findings_of(files));
  // Nothing else changed: one model, one texture set. The draw list of one box is that of another.
  for (const char* path : {"arc/bm_anime.narc", "arc/bm_anime_list.narc", "fielddata/land_data/land_data.narc",
                           "fielddata/areadata/area_build_model/area_build.narc"})
    EXPECT_EQ(now.files.at(path), files.files.at(path)) << path;
  for (const u32 other : {0u, 2u, 3u, 4u})
    EXPECT_EQ(*read_file_or_member(now, "fielddata/build_model/build_model.narc/" + std::to_string(other)),
              *read_file_or_member(files, "fielddata/build_model/build_model.narc/" + std::to_string(other)));
}

TEST(GameEdits, ReplacedPropGetsAnimations) {
  const GameSample sample = game_sample();
  const MemoryTree files = sample.files();
  GameEditing editing = begin(files);
  // The tree becomes a second mill. Its animations are new members: those of the first mill stay.
  const auto done = replace_prop(editing, "prop=1 start=on-demand",
                                 {{"model", bytes_of_file(sample.props[2])},
                                  {"animation", sample.animations[0]},
                                  {"animation", sample.animations[1]}});
  ASSERT_TRUE(done) << format_one_line(done.error());
  const MemoryTree now = after(files, editing);
  const auto list = member<BmAnimeList>(now, "arc/bm_anime_list.narc/1");
  EXPECT_EQ(list.anime_ids, (std::array<i32, 4>{3, 4, -1, -1}));
  EXPECT_EQ(*read_file_or_member(now, "arc/bm_anime.narc/4"), sample.animations[1]);
  EXPECT_EQ(*read_file_or_member(now, "arc/bm_anime.narc/0"), sample.animations[0]);
  const auto draws = member<Matshp>(now, "fielddata/build_model/build_model_matshp.dat");
  EXPECT_EQ(draws.models[1].count, 0u);
  EXPECT_FALSE(texture_names(now, 0).contains("leaves"));
  EXPECT_EQ(findings_of(now), findings_of(files));
  // With other animations, the numbers that only this prop has are used again; without, the list is empty.
  ASSERT_TRUE(replace_prop(editing, "prop=1",
                           {{"model", bytes_of_file(sample.props[2])}, {"animation", sample.animations[1]}}));
  EXPECT_EQ(member<BmAnimeList>(after(files, editing), "arc/bm_anime_list.narc/1").anime_ids,
            (std::array<i32, 4>{3, -1, -1, -1}));
  ASSERT_TRUE(replace_prop(editing, "prop=1 animations=none", {{"model", bytes_of_file(sample.props[2])}}));
  const MemoryTree still = after(files, editing);
  EXPECT_EQ(member<BmAnimeList>(still, "arc/bm_anime_list.narc/1").anime_ids, (std::array<i32, 4>{-1, -1, -1, -1}));
  EXPECT_NE(member<Matshp>(still, "fielddata/build_model/build_model_matshp.dat").models[1].count, 0u);
}

TEST(GameEdits, ReplacedPropKeepsAnimationsAndSaysWhatDoesNotFit) {
  const GameSample sample = game_sample();
  const MemoryTree files = sample.files();
  GameEditing editing = begin(files);
  const auto done =
      replace_prop(editing, "prop=2",
                   {{"model", bytes_of_file(sample.props[4])}, {"textures", bytes_of_file(sample.prop_textures[1])}});
  ASSERT_TRUE(done) << format_one_line(done.error());
  EXPECT_EQ(editing.notes().size(), 2u);  // neither the wheel nor the flag
  EXPECT_EQ(member<BmAnimeList>(after(files, editing), "arc/bm_anime_list.narc/2").anime_ids,
            sample.anime_lists[2].anime_ids);
}

TEST(GameEdits, RejectsPropFilesThatTheGameCannotShow) {
  const GameSample sample = game_sample();
  const MemoryTree files = sample.files();
  const auto refused = [&](std::string_view numbers, const Files& contents) {
    GameEditing editing = begin(files);
    const auto done = replace_prop(editing, numbers, contents);
    EXPECT_FALSE(done) << numbers;
    EXPECT_TRUE(editing.changed().empty());
    return done ? std::string() : done.error().message;
  };
  const std::pair<std::string, Bytes> table{"model", bytes_of_file(sample.props[4])};
  EXPECT_THAT(refused("prop=1", {table}), HasSubstr("\"table_t\", which is neither in its file nor in prop set 0"));
  EXPECT_THAT(refused("prop=9", {table}), HasSubstr("prop"));
  EXPECT_THAT(refused("prop=1", {}), HasSubstr("model"));
  EXPECT_THAT(refused("prop=1", {{"model", sample.animations[0]}}), HasSubstr("model=: "));
  EXPECT_THAT(refused("prop=4", {table, {"animation", table.second}}), HasSubstr("not an NSBCA"));
  EXPECT_THAT(refused("prop=4 animations=none", {table, {"animation", sample.animations[0]}}), HasSubstr("either"));
  EXPECT_THAT(refused("prop=1 model=table.nsbmd", {}), HasSubstr("content"));
}

}  // namespace
}  // namespace dio::platinum
