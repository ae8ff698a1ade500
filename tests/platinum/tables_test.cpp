// tables_test.cpp: the small files of the real cartridge, if they are available.
#include <gtest/gtest.h>

#include <random>

#include "bridge/report/findings.hpp"
#include "containers/nitro_fs/narc.hpp"
#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/layout/matshp.hpp"
#include "formats/platinum/parts.hpp"
#include "operations/operations.hpp"
#include "platinum/corpus.hpp"

namespace dio::test {
namespace {

using namespace platinum;

/// Recognized by path, identical in every round trip, and without findings.
std::string wrong_with(const Bytes& bytes, const std::string& path, std::string_view format) {
  auto o = open(bytes, path);
  if (!o) return format_one_line(o.error());
  if (o->format->id != format || o->sniff.certainty != Sniff::Certainty::certain)
    return "taken for " + std::string(o->format->id) + ": " + o->sniff.reason;
  if (const RoundTripResult v = verify(*o, json::round_trip_as_json()); !v.identical()) return v.problem;
  const auto canonical = o->document->save({.canonical = true});
  if (!canonical || *canonical != bytes) return "not the same when it is laid out anew";
  Value edited = decode(*o);
  std::erase_if(edited.members(), [](const Value::Member& m) { return m.first == "digest"; });
  const auto placed = encode(edited);
  if (!placed || *placed != bytes) return "not the same when it is placed";
  const Diagnostics found = check(*o);
  return found.empty() ? "" : found[0].id + ": " + format_one_line(found[0]);
}

std::vector<Bytes> members_of(std::string_view path) {
  std::vector<Bytes> all;
  const Bytes bytes = real_file(path);
  if (bytes.empty()) return all;
  auto narc = load<Narc>(bytes);
  EXPECT_TRUE(narc) << format_one_line(narc.error());
  if (narc)
    for (const NarcFile& f : narc->document.value().files) all.emplace_back(f.content.begin(), f.content.end());
  return all;
}

TEST(PlatinumCorpus, RealTablesRoundTripByteForByte) {
  struct Archive {
    const char *here, *path, *format;
    size_t members;
  };
  for (const Archive& a :
       {Archive{"tables/map_matrix.narc", "fielddata/mapmatrix/map_matrix.narc", "map-matrix", 289},
        Archive{"tables/area_data.narc", "fielddata/areadata/area_data.narc", "area-data", 75},
        Archive{"tables/area_build.narc", "fielddata/areadata/area_build_model/area_build.narc", "area-build", 71},
        Archive{"tables/arealight.narc", "data/arealight.narc", "area-light", 4},
        Archive{"res/prebuilt/arc/bm_anime_list.narc", "arc/bm_anime_list.narc", "bm-anime-list", 590},
        Archive{"res/prebuilt/fielddata/mm_list/move_model_list.narc", "fielddata/mm_list/move_model_list.narc",
                "mm-list", 16}}) {
    const auto members = members_of(a.here);
    if (members.empty()) GTEST_SKIP() << "no file " << a.here;
    EXPECT_EQ(members.size(), a.members);
    for (size_t i = 0; i < members.size(); ++i)
      EXPECT_EQ(wrong_with(members[i], std::string(a.path) + "/" + std::to_string(i), a.format), "") << a.path << i;
  }
  const auto moving = members_of("res/prebuilt/data/fldtanime.narc");
  ASSERT_EQ(moving.size(), 53u);
  EXPECT_EQ(wrong_with(moving[0], "data/fldtanime.narc/0", "fldtanime"), "");
  const Bytes first = real_file("res/prebuilt/fielddata/maptable/mapname.bin");
  EXPECT_EQ(wrong_with(first, "fielddata/maptable/mapname.bin", "map-names"), "");
  EXPECT_EQ(wrong_with(real_file("tables/map_headers.bin"), "map_headers.bin", "map-headers"), "");
  EXPECT_EQ(wrong_with(real_file("res/prebuilt/fielddata/build_model/build_model_matshp.dat"),
                       "fielddata/build_model/build_model_matshp.dat", "matshp"),
            "");
}

TEST(PlatinumCorpus, FindsTheHeaderTableInAProgram) {
  const Bytes table = real_file("tables/map_headers.bin");
  if (table.empty()) GTEST_SKIP() << "no header table";
  std::mt19937 random(4);
  Bytes program(0x100000);
  for (u8& b : program) b = u8(random());
  for (const size_t at : {0xE601Cu, 0xE6074u, 0x5554u}) {
    Bytes with = program;
    std::copy(table.begin(), table.end(), with.begin() + std::ptrdiff_t(at));
    for (const u64 count : {0u, 593u}) {
      const auto found = find_header_table(with, {}, count);
      ASSERT_TRUE(found) << at;
      EXPECT_EQ(found->offset, at);
      EXPECT_EQ(found->count, 593u);
    }
    EXPECT_EQ(wrong_with(with, "arm9.bin", "arm9"), "");
  }
}

TEST(PlatinumCorpus, DerivesDrawListsFromModels) {
  const Bytes file = real_file("res/prebuilt/fielddata/build_model/build_model_matshp.dat");
  const auto models = real_list("res/field/props/models", "map_prop_models.order");
  const auto motions = members_of("res/prebuilt/arc/bm_anime_list.narc");
  if (file.empty() || models.empty() || motions.empty()) GTEST_SKIP() << "no prop files";
  auto loaded = load<Matshp>(file);
  ASSERT_TRUE(loaded);
  const Matshp& table = loaded->document.value();
  ASSERT_EQ(models.size(), 590u);
  ASSERT_EQ(motions.size(), 590u);
  ASSERT_EQ(table.models.size(), 590u);
  std::vector<std::vector<Draw>> lists;
  std::vector<size_t> otherwise;
  size_t animated = 0, equal = 0;
  for (size_t i = 0; i < models.size(); ++i) {
    auto model = load<nitro::Nsbmd>(models[i].bytes);
    auto motion = load<BmAnimeList>(motions[i]);
    ASSERT_TRUE(model && motion) << models[i].name;
    if (motion->document.value().anime_ids[0] != k_no_anime) {
      EXPECT_TRUE(find_model_draws(table, i).empty()) << models[i].name;
      lists.emplace_back();
      ++animated;
      continue;
    }
    const auto before = find_model_draws(table, i);
    const auto derived = derive_sbc_draws(model->document.value().models.at(0));
    std::ranges::equal(before, derived) ? void(++equal) : otherwise.push_back(i);
    lists.push_back(prefer_existing_order(before, derived));
  }
  EXPECT_EQ(animated, 112u);
  EXPECT_EQ(equal, 475u);
  EXPECT_EQ(otherwise, (std::vector<size_t>{22, 23, 236}));
  const auto made = build_matshp(lists);
  ASSERT_TRUE(made);
  Document<Matshp> d;
  d.edit() = *made;
  EXPECT_EQ(save(d).value(), file) << "the table of the cartridge";
}

}  // namespace
}  // namespace dio::test
