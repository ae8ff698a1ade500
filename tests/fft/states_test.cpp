// The game's selection of files, rule by rule with hand-made rows, and the merged result of several files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "containers/disc/cd_sector.hpp"
#include "formats/fft/game/merged.hpp"

namespace dio::fft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

GnsRow row(u8 type, StateWord state = {}, u16 variable = k_weather_variable, u8 comparison = 1) {
  return {variable, state, comparison, type, k_row_mark, 0, u32(k_sector_data), k_row_end};
}
Gns gns(std::vector<GnsRow> rows) {
  rows.push_back(row(k_first_command));
  return {std::move(rows), {{}}};
}
std::vector<u32> rows(std::vector<GnsRow> list, std::string_view state = {}) {
  const auto s = parse_state(state);
  EXPECT_TRUE(s) << state;
  return find_loaded_rows(gns(std::move(list)), s.value_or(MapState{}));
}
constexpr StateWord k_night{true, 0, 0}, k_heavy{false, 4, 0}, k_heavy_night{true, 4, 0}, k_second{false, 0, 1};

// ---- typed states ----

TEST(FftState, ParsesStateWords) {
  const auto state = [](std::string_view s) { return *parse_state(s); };
  EXPECT_EQ(state(""), (MapState{}));
  EXPECT_EQ(state("default"), (MapState{}));
  EXPECT_EQ(state("day,no-weather"), (MapState{}));
  EXPECT_EQ(state("night,heavy-rain,arrangement=1"), (MapState{1, 4, true, 0}));
  EXPECT_EQ(state("arrangement=4095,weather=7"), (MapState{4095, 7, false, 0}));
  EXPECT_EQ(state("light-snow"), state("light-rain"));
  EXPECT_EQ(state("weather-alternate"), (MapState{0, 1, false, 0}));
  EXPECT_EQ(state("normal-rain,crystals=3"), (MapState{0, 3, false, 3}));
}

TEST(FftState, PrintedStatesMatchTheParsedText) {
  for (const std::string s : {"default", "night", "light-rain", "night,heavy-rain,arrangement=1", "weather=5",
                              "weather-alternate,arrangement=2,crystals=12"})
    EXPECT_EQ(to_string(*parse_state(s)), s);
  EXPECT_EQ(to_string(MapState{0, 4, false, 0}, true), "heavy-snow");
  EXPECT_EQ(to_string(MapState{0, 1, false, 0}, true), "weather-alternate");
}

TEST(FftState, IgnoresLetterCase) { EXPECT_EQ(to_string(*parse_state("Night,Heavy-Rain")), "night,heavy-rain"); }

TEST(FftState, RejectsUnknownWords) {
  for (const std::string_view s : {"dusk", "night,day", "weather=8", "weather", "arrangement=4096", "arrangement",
                                   "arrangement=1x", "heavy-rain,no-weather", "crystals=-1"}) {
    const auto state = parse_state(s);
    ASSERT_FALSE(state) << s;
    EXPECT_EQ(state.error().id, "game.state");
    EXPECT_THAT(state.error().hint, HasSubstr("heavy-rain"));
    EXPECT_EQ(state.error().place.path, s);
  }
}

// ---- matching rows ----

TEST(FftRows, RowsTestTheVariableTheyName) {
  const MapState state{1, 4, true, 7};  // arrangement 1, heavy rain, night, 7 crystals
  // 0x8000 + 4 << 12 + variable
  EXPECT_TRUE(row_matches_state(row(k_alternate_type, {true, 4, 1}, k_arrangement_variable), state));
  EXPECT_FALSE(row_matches_state(row(k_alternate_type, {true, 4, 7}, k_arrangement_variable), state));
  EXPECT_TRUE(row_matches_state(row(k_alternate_type, {true, 4, 7}, k_crystals_variable), state));
  // The weather and time word has no arrangement: its rows load in every arrangement.
  EXPECT_TRUE(row_matches_state(row(k_alternate_type, {true, 4, 0}, k_weather_variable), state));
  EXPECT_FALSE(row_matches_state(row(k_alternate_type, {true, 4, 0}, k_arrangement_variable), state));
  // Except rows that require an arrangement.
  EXPECT_TRUE(row_matches_state(row(k_alternate_type, {true, 4, 1}, k_weather_variable), state));
  EXPECT_FALSE(row_matches_state(row(k_alternate_type, {true, 4, 2}, k_weather_variable), state));
  // Unknown variables are 0.
  EXPECT_TRUE(row_matches_state(row(k_alternate_type, {true, 4, 0}, 0x99), state));
  EXPECT_FALSE(row_matches_state(row(k_alternate_type, {true, 4, 1}, 0x99), state));
}

TEST(FftRows, SupportsEqualBelowAndAboveComparisons) {
  const auto crystals = [](u16 of, u8 comparison, u16 found) {
    return row_matches_state(row(k_alternate_type, {false, 0, of}, k_crystals_variable, comparison),
                             {0, 0, false, found});
  };
  EXPECT_TRUE(crystals(4, 1, 4));
  EXPECT_FALSE(crystals(4, 1, 3));
  EXPECT_TRUE(crystals(4, 2, 3));  // 3 < 4
  EXPECT_FALSE(crystals(4, 2, 4));
  EXPECT_TRUE(crystals(4, 3, 5));  // 5 > 4
  EXPECT_FALSE(crystals(4, 3, 4));
  EXPECT_FALSE(crystals(4, 0, 4));  // unknown comparison
  EXPECT_FALSE(crystals(4, 4, 4));
  // Words are signed: night is below day. 0x8000 as i16 is -32768.
  EXPECT_TRUE(row_matches_state(row(k_alternate_type, {false, 0, 4}, k_crystals_variable, 2), {0, 0, true, 9}));
}

// ---- rules 1 to 5 ----

TEST(FftRows, LastPrimaryAndOverrideRowsAlwaysLoad) {
  EXPECT_THAT(rows({row(k_primary_type), row(k_primary_type, k_night)}), ElementsAre(1));
  EXPECT_THAT(rows({row(k_override_type, k_heavy), row(k_override_type, k_second, k_arrangement_variable)}),
              ElementsAre(1));
}

TEST(FftRows, MatchingPrimaryRowBeatsTheLast) {
  EXPECT_THAT(rows({row(k_primary_type, k_night), row(k_primary_type, k_heavy)}, "night"), ElementsAre(0));
  EXPECT_THAT(rows({row(k_primary_type, k_night), row(k_primary_type, k_heavy)}, "normal-rain"), ElementsAre(1));
}

TEST(FftRows, DefaultTextureIsTheLastWithStateZero) {
  const std::vector<GnsRow> list = {row(k_texture_type), row(k_texture_type, {}, k_arrangement_variable),
                                    row(k_texture_type, {}, k_crystals_variable), row(k_texture_type, k_night)};
  EXPECT_THAT(rows(list, "light-rain"), ElementsAre(1));
  EXPECT_THAT(rows(list, "night"), ElementsAre(3));
  // State 0 of the crystals is not a default: it requires no crystals.
  EXPECT_THAT(rows(list), ElementsAre(2));
  EXPECT_THAT(rows(list, "crystals=1"), ElementsAre(1));
}

TEST(FftRows, AlternateRowsLoadOnlyIfTheyMatch) {
  const std::vector<GnsRow> list = {row(k_alternate_type), row(k_alternate_type, k_night),
                                    row(k_alternate_type, k_second, k_arrangement_variable)};
  EXPECT_THAT(rows(list), IsEmpty());  // an alternate row with state 0 is no default
  EXPECT_THAT(rows(list, "night"), ElementsAre(1));
  EXPECT_THAT(rows(list, "arrangement=1"), ElementsAre(2));
  EXPECT_THAT(rows(list, "night,arrangement=1"), ElementsAre(1));
}

TEST(FftRows, LastMatchingRowWins) {
  EXPECT_THAT(rows({row(k_alternate_type, k_night), row(k_alternate_type, k_night)}, "night"), ElementsAre(1));
  EXPECT_THAT(rows({row(k_texture_type, k_heavy_night), row(k_texture_type, {}),
                    row(k_texture_type, k_heavy_night, k_arrangement_variable)},
                   "night,heavy-rain"),
              ElementsAre(2));
  // A range that also matches, after an equality.
  EXPECT_THAT(rows({row(k_alternate_type, {false, 0, 4}, k_crystals_variable),
                    row(k_alternate_type, {false, 0, 2}, k_crystals_variable, 3)},
                   "crystals=4"),
              ElementsAre(1));
}

TEST(FftRows, AppliesRowsInTypeOrder) {
  EXPECT_THAT(rows({row(0x15, k_night), row(k_texture_type), row(k_alternate_type, k_night), row(k_override_type),
                    row(k_primary_type), row(0x13, k_night)},
                   "night"),
              ElementsAre(4, 3, 2, 1, 5, 0));
}

TEST(FftRows, FillerAndUnmarkedRowsLoadNothing) {
  GnsRow unmarked = row(k_primary_type);
  unmarked.end[3] = 0;
  EXPECT_THAT(rows({row(k_filler), unmarked, row(0x12), row(0x2D, k_night)}, "night"), IsEmpty());
}

TEST(FftStates, ListsEveryStateUsedByRows) {
  std::vector<std::string> names;
  for (const MapState& s : list_row_states(
           gns({row(k_texture_type), row(k_primary_type), row(k_alternate_type, k_heavy_night),
                row(k_texture_type, k_heavy_night), row(k_alternate_type, k_second, k_arrangement_variable),
                row(k_alternate_type, k_night), row(k_alternate_type, {false, 0, 3}, k_crystals_variable, 2),
                row(k_alternate_type, {false, 0, 3}, k_crystals_variable, 3),
                row(k_filler, {false, 0, 9}, k_arrangement_variable)})))
    names.push_back(to_string(s));
  EXPECT_THAT(names, ElementsAre("default", "night", "night,heavy-rain", "crystals=2", "crystals=4", "arrangement=1"));
}

TEST(FftStates, EachListedStateLoadsItsRow) {
  for (const u8 comparison : {1, 2, 3})
    for (const u16 variable : {k_weather_variable, k_arrangement_variable, k_crystals_variable})
      for (const StateWord word : {StateWord{}, k_night, k_heavy, k_second, StateWord{true, 7, 4095},
                                   StateWord{false, 7, 4095}, StateWord{false, 1, 0}}) {
        const GnsRow r = row(k_alternate_type, word, variable, comparison);
        const auto states = list_row_states(gns({r}));
        if (is_default(r) || (comparison == 2 && word == k_night) ||
            (comparison == 3 && word == StateWord{false, 7, 4095})) {
          EXPECT_EQ(states.size(), 1u);  // nothing is below the lowest word or above the highest
          continue;
        }
        EXPECT_TRUE(
            std::any_of(states.begin(), states.end(), [&](const MapState& s) { return row_matches_state(r, s); }))
            << variable << ' ' << word.word() << ' ' << int(comparison);
      }
}

TEST(FftStates, LastCommandDecidesAboutSnow) {
  Gns g = gns({});
  EXPECT_FALSE(has_snow(g));
  g.commands = {{k_weather_variable, {}, 1, 0x88, k_row_mark, 20, {}, Bytes(8)},
                {k_weather_variable, {}, 1, 0x89, k_row_mark, 20, {}, Bytes(8)},
                {}};
  EXPECT_TRUE(has_snow(g));
}

// ---- merged files ----

Geometry triangles(size_t n, i16 x, u8 lit = 1) {
  Geometry g;
  g.textured_triangles.resize(n);
  for (auto& t : g.textured_triangles) t.positions[0].x = x, t.render = {lit, 0, 0, 0, 0};
  return g;
}
MapFile file(Mesh m, u8 type) {
  return {"MAP001." + std::to_string(type), 0, type, std::make_shared<const Mesh>(std::move(m)), nullptr};
}
MapFile texels(std::vector<u8> pages, u8 type = k_texture_type) {
  Texture t;
  for (const u8 fill : pages) t.pages.push_back({Bytes(size_t(k_page_size), fill)});
  return {"MAP001.T", 0, type, nullptr, std::make_shared<const Texture>(std::move(t))};
}
Mesh whole(i16 x) {
  Mesh m{};
  m.primary = triangles(2, x);
  m.palettes.emplace();
  m.lights.emplace();
  m.terrain.emplace();
  m.texture_animations.emplace();
  m.palette_frames.emplace();
  m.gray_palettes.emplace();
  m.mesh_animations.emplace();
  m.animated[0] = triangles(3, x);
  m.animated[7] = triangles(4, x);
  return m;
}

TEST(FftMerge, LaterFilesReplaceOnlyTheirParts) {
  Mesh night{};
  night.palettes.emplace().rows[3][4].red = 9;
  night.lights.emplace().ambient = {1, 2, 3};
  const MergedMap m = merge_map_files({file(whole(1), k_primary_type), file(night, k_alternate_type)});
  EXPECT_EQ(m.palettes->rows[3][4].red, 9);
  EXPECT_EQ(m.lights->ambient.blue, 3);
  EXPECT_EQ(m.primary->textured_triangles.size(), 2u);
  EXPECT_EQ(m.supplier(Mesh::k_palettes_slot), &m.files[1]);
  for (const size_t slot :
       {Mesh::k_primary_slot, Mesh::k_terrain_slot, Mesh::k_texture_animations_slot, Mesh::k_palette_frames_slot,
        Mesh::k_mesh_animations_slot, Mesh::k_gray_palettes_slot, Mesh::k_animated_slot, Mesh::k_animated_slot + 7})
    EXPECT_EQ(m.supplier(slot), &m.files[0]) << part_name(slot);
  EXPECT_EQ(m.supplier(Mesh::k_page_slot), nullptr);
  EXPECT_THAT(m.dropped, ElementsAre(ReplacedPart{Mesh::k_palettes_slot, 0, 1, false},
                                     ReplacedPart{Mesh::k_lights_slot, 0, 1, false}));
}

TEST(FftMerge, PrimaryMeshReplacesAllNineMeshes) {
  Mesh other{};
  other.primary = triangles(5, 2);
  other.animated[0] = triangles(1, 2);
  const MergedMap m = merge_map_files({file(whole(1), k_primary_type), file(other, k_alternate_type)});
  EXPECT_EQ(m.primary->textured_triangles.size(), 5u);
  ASSERT_TRUE(m.animated[0]);
  EXPECT_EQ(m.animated[0]->textured_triangles.size(), 1u);  // not 3 + 1
  EXPECT_FALSE(m.animated[7]);                              // lost
  EXPECT_NE(m.mesh_animations, nullptr);                    // its animation stays
  EXPECT_EQ(m.supplier(Mesh::k_animated_slot + 7), nullptr);
  EXPECT_THAT(m.dropped, ElementsAre(ReplacedPart{Mesh::k_primary_slot, 0, 1, false},
                                     ReplacedPart{Mesh::k_animated_slot, 0, 1, false},
                                     ReplacedPart{Mesh::k_animated_slot + 7, 0, 1, true}));
}

TEST(FftMerge, AddsAnimatedMeshesWithoutAPrimaryMesh) {
  Mesh more{};
  more.animated[0] = triangles(1, 2);
  more.animated[4] = triangles(6, 2);
  const MergedMap m = merge_map_files({file(whole(1), k_primary_type), file(more, k_alternate_type)});
  ASSERT_EQ(m.animated[0]->textured_triangles.size(), 4u);
  EXPECT_EQ(m.animated[0]->textured_triangles[2].positions[0].x, 1);
  EXPECT_EQ(m.animated[0]->textured_triangles[3].positions[0].x, 2);
  EXPECT_EQ(m.animated[4]->textured_triangles.size(), 6u);
  EXPECT_THAT(m.dropped, IsEmpty());
  EXPECT_EQ(std::count_if(m.supplies.begin(), m.supplies.end(),
                          [](const PartSource& s) { return s.slot == Mesh::k_animated_slot; }),
            2);
}

RenderProperties table(const Mesh& m) {
  RenderProperties r;
  r.head.resize(RenderProperties::k_head_size);
  const size_t used = m.primary ? m.primary->textured_triangles.size() : 0;
  for (size_t i = used; i < RenderProperties::k_textured_triangles; ++i)
    r.unused_textured_triangles.push_back({1, 0, u16(i), 0, 0});
  return r;
}

TEST(FftMerge, LastTableSuppliesTheRenderWords) {
  Mesh first = whole(1);
  first.primary = triangles(2, 1, 0);
  first.render_properties = table(first);
  const auto words = [](const MergedMap& m) {
    std::vector<int> out;
    for (const auto& t : m.primary->textured_triangles) out.push_back(t.render.lit ? t.render.hidden_from : -1);
    return out;
  };
  EXPECT_THAT(words(merge_map_files({file(first, k_primary_type)})), ElementsAre(-1, -1));
  // Other polygons without a table: the earlier table stays, including slots beyond its own polygons.
  Mesh other{};
  other.primary = triangles(4, 2);
  MergedMap m = merge_map_files({file(first, k_primary_type), file(other, k_alternate_type)});
  EXPECT_THAT(words(m), ElementsAre(-1, -1, 2, 3));
  EXPECT_FALSE(m.render_unknown);
  // Only a table, for another file's polygons.
  Mesh words_alone{};
  words_alone.render_properties = table(words_alone);
  m = merge_map_files({file(first, k_primary_type), file(words_alone, k_alternate_type)});
  EXPECT_THAT(words(m), ElementsAre(0, 1));
  EXPECT_EQ(m.supplier(Mesh::k_render_slot), &m.files[1]);
  // No table at all: render words stored in polygons are ignored.
  Mesh bare{};
  bare.primary = triangles(1, 1, 0);
  m = merge_map_files({file(bare, k_primary_type)});
  EXPECT_TRUE(m.render_unknown);
  EXPECT_EQ(m.primary->textured_triangles[0].render, k_plain_render);
}

TEST(FftMerge, PolygonsBeyondTheTableUsePlainRendering) {
  Mesh m{};
  m.primary = triangles(514, 1, 0);
  m.render_properties = table(m);
  const MergedMap merged = merge_map_files({file(m, k_primary_type)});
  EXPECT_EQ(merged.primary->textured_triangles[511].render.lit, 0);
  EXPECT_EQ(merged.primary->textured_triangles[512].render, k_plain_render);
}

TEST(FftMerge, TextureFilesReplaceMeshPages) {
  Mesh mesh{};
  mesh.pages[0].emplace().texels.assign(size_t(k_page_size), 1);
  const MergedMap alone = merge_map_files({file(mesh, k_primary_type)});
  ASSERT_NE(alone.pages[0], nullptr);
  EXPECT_EQ(alone.pages[1], nullptr);
  const MergedMap m = merge_map_files({file(mesh, k_primary_type), texels({2, 3, 4, 5}), texels({6, 7}, 0x15)});
  EXPECT_EQ(m.pages[0]->texels[0], 2);
  EXPECT_EQ(m.pages[1]->texels[0], 3);
  EXPECT_EQ(m.pages[2]->texels[0], 6);  // a file with one page replaces only that page
  EXPECT_EQ(m.pages[3]->texels[0], 5);
  EXPECT_EQ(m.supplier(Mesh::k_page_slot + 2), &m.files[2]);
  const MergedMap short_file = merge_map_files({texels({8})});  // missing pages stay unchanged
  EXPECT_EQ(short_file.pages[0]->texels[0], 8);
  EXPECT_EQ(short_file.pages[1], nullptr);
}

TEST(FftMerge, SingleMeshIsACompleteMap) {
  const Mesh mesh = whole(3);
  const MergedMap m = merge_mesh_and_texture(mesh);
  EXPECT_EQ(m.terrain, &*mesh.terrain);
  EXPECT_EQ(m.primary->textured_triangles[0].positions[0].x, 3);
  EXPECT_EQ(m.files.size(), 1u);
}

}  // namespace
}  // namespace dio::fft
