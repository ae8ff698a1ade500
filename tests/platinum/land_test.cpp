// land_test.cpp: Platinum maps: rules, edits, queries, and heights that follow their plates; with all real files if
// they are available.
#include "samples/platinum/land.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "engine/broken_rules.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/layout/behaviors.hpp"
#include "layout/write_value.hpp"
#include "platinum/corpus.hpp"
#include "platinum/damaged_land.hpp"
#include "samples/nitro/models.hpp"
#include "samples/samples.hpp"
#include "scene/scene.hpp"
#include "scene/transforms.hpp"

namespace dio::platinum {
namespace {

// ---- rules ----

std::vector<Rule> land_rules() {
  std::vector<Rule> all(k_land_rules.begin(), k_land_rules.end());
  all.insert(all.end(), k_bdhc_rules.begin(), k_bdhc_rules.end());
  return all;
}
TEST(LandRules, RuleTextsAreComplete) { test::expect_said_in_full(land_rules(), "platinum."); }
TEST(LandRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(land_rules(), broken_lands()); }
TEST(LandRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_lands()); }
TEST(LandRules, FindingsMatchTheRecordedText) {
  test::expect_said_as_before(broken_lands(), "platinum/damaged_land.txt");
}

TEST(LandTiles, FormatsAndParsesTileWords) {
  EXPECT_EQ(format_vocabulary_words(k_tile_words, 0), "none");
  EXPECT_EQ(format_vocabulary_words(k_tile_words, 0x8000), "collision");
  EXPECT_EQ(format_vocabulary_words(k_tile_words, 0x0002), "tall grass");
  EXPECT_EQ(format_vocabulary_words(k_tile_words, 0x8003), "collision, very tall grass")
      << "a number, not a sum of masks";
  EXPECT_EQ(format_vocabulary_words(k_tile_words, 0x8102), "collision, tall grass, 0x100");
  EXPECT_EQ(parse_vocabulary_words(k_tile_words, "collision+tall grass"), 0x8002);
  EXPECT_EQ(parse_vocabulary_words(k_tile_words, "ice"), 0x20);
  EXPECT_FALSE(parse_vocabulary_words(k_tile_words, "tall grass+ice")) << "a tile has one behaviour";
}

TEST(LandRules, SampleMapsHaveOnlyExpectedFindings) {
  EXPECT_EQ(test::listing(test::findings_of({"", "", "land-data", bytes_of(meadow_land())})), "");
  // the only finding: doors in the game also have a second number
  const auto found = test::findings_of({"", "", "land-data", bytes_of(town_land())});
  ASSERT_EQ(found.size(), 1u) << test::listing(found);
  EXPECT_EQ(found[0].id, "platinum.prop-dummy");
}

// ---- heights with cameras ----

TEST(LandHeights, IgnoresMisplacedCameraData) {
  Bytes b;
  for (const Sample& s : samples_of(*find_format("bdhc")))
    if (auto d = load<Bdhc>(s.bytes); d && d->document.value().cameras) b = s.bytes;
  ASSERT_FALSE(b.empty());
  ASSERT_GT(b[8], 0);
  --b[8];  // one constant less: the arrays end before the place that the sizes say
  const auto d = load<Bdhc>(b);
  ASSERT_TRUE(d) << format_one_line(d.error());
  EXPECT_FALSE(d->document.value().cameras);
  auto again = save(d->document);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, b);
  // After an edit, invalid sizes are not kept.
  Document<Bdhc> edited = d->document;
  (void)edited.edit();
  again = save(edited, {.lossy = true});
  ASSERT_TRUE(again);
  EXPECT_EQ(std::string(again->begin(), again->begin() + 4), "BDHC");
}

// ---- behaviours ----

TEST(Behaviors, BehaviorTableMatchesTheSpecification) {
  ASSERT_NE(find_behavior(0x02), nullptr);
  EXPECT_EQ(find_behavior(0x02)->name, "tall grass");
  EXPECT_TRUE(find_behavior(0x02)->encounters);
  EXPECT_FALSE(find_behavior(0x02)->surfable);
  EXPECT_TRUE(find_behavior(0x15)->surfable && find_behavior(0x15)->encounters);
  EXPECT_EQ(find_behavior(0x01), nullptr);
  EXPECT_EQ(find_behavior(0xFF), nullptr);
  EXPECT_EQ(find_behavior_by_name("door"), 0x69);
  EXPECT_EQ(find_behavior_by_name("Door"), std::nullopt);
  u32 encounters = 0, surfable = 0;
  for (const Behavior& b : behaviors()) {
    EXPECT_EQ(find_behavior_by_name(b.name), b.value);
    encounters += b.encounters, surfable += b.surfable;
  }
  EXPECT_EQ(behaviors().size(), 121u);
  EXPECT_EQ(encounters, 19u);
  EXPECT_EQ(surfable, 16u);
}

// ---- edits ----

struct Edited {
  std::string said, id;
  LandData land;
};
Edited edit(LandData land, std::string_view name, std::vector<Argument> arguments) {
  Document<LandData> d;
  d.edit() = std::move(land);
  DocumentOf<LandData> any(std::move(d));
  for (const Edit& e : land_edits()) {
    if (e.name != name) continue;
    auto said = e.apply(any, arguments);
    return {said ? *said : "", said ? "" : said.error().id, any.document.value()};
  }
  return {"", "no edit of that name", {}};
}

TEST(LandEdits, SetsTilesInARectangle) {
  const auto e =
      edit(meadow_land(), "set-tiles", {{"x", "3..4"}, {"z", "5"}, {"behavior", "sand"}, {"collision", "1"}});
  EXPECT_EQ(e.said, "changed 2 of 2 tiles");
  EXPECT_EQ(e.land.attributes[5][3], 0x8021);
  EXPECT_EQ(e.land.attributes[5][4], 0x8021);
  EXPECT_EQ(e.land.attributes[5][5], 0);
  // omitted properties stay
  const auto open = edit(e.land, "set-tiles", {{"x", "3"}, {"z", "5"}, {"collision", "0"}});
  EXPECT_EQ(open.land.attributes[5][3], 0x0021);
  EXPECT_EQ(edit(meadow_land(), "set-tiles", {{"x", "0..31"}, {"z", "0..31"}, {"behavior", "0x15"}}).said,
            "changed 1024 of 1024 tiles");
}

TEST(LandEdits, RejectsInvalidEdits) {
  const std::pair<std::string_view, std::vector<Argument>> wrong[] = {
      {"set-tiles", {{"x", "3..32"}, {"z", "5"}, {"behavior", "sand"}}},
      {"set-tiles", {{"x", "4..3"}, {"z", "5"}, {"behavior", "sand"}}},
      {"set-tiles", {{"x", "3"}, {"z", "5"}}},
      {"set-tiles", {{"x", "3"}, {"z", "5"}, {"behavior", "lava"}}},
      {"set-tiles", {{"x", "3"}, {"z", "5"}, {"behavior", "256"}}},
      {"set-tiles", {{"x", "3"}, {"x", "4"}, {"z", "5"}, {"behavior", "1"}}},
      {"set-tiles", {{"x", "3"}, {"z", "5"}, {"behaviour", "1"}, {"collision", "1"}}},
      {"set-tiles", {{"x", "1.5"}, {"z", "5"}, {"behavior", "1"}}},
      {"add-prop", {{"model", "3"}, {"x", "0"}}},
      {"add-prop", {{"model", "3"}, {"x", "0"}, {"z", "nan"}}},
      {"add-prop", {{"model", "3"}, {"x", "0"}, {"z", "1e30"}}},
      {"move-prop", {{"prop", "1"}, {"x", "0"}}},
      {"remove-prop", {{"prop", "-1"}}},
      {"raise-plate", {{"plate", "1"}, {"by", "16"}}},
      {"raise-plate", {{"plate", "0"}}},
      {"add-plate", {{"x", "0..0"}, {"z", "0..16"}, {"y", "0"}}},
      {"add-plate", {{"x", "0..16"}, {"z", "0..16"}, {"y", "0"}, {"normal", "1,0,0"}}},
      {"add-plate", {{"x", "0..16"}, {"z", "0..16"}, {"heights", "1,2"}}},
      {"remove-plate", {{"plate", "9"}}},
  };
  for (const auto& [name, arguments] : wrong) {
    const auto e = edit(meadow_land(), name, arguments);
    EXPECT_EQ(e.id, "edit.argument") << name << " " << (arguments.empty() ? "" : arguments[0].value) << ": " << e.said;
  }
  // Diamond and Pearl heights have no plates
  EXPECT_EQ(edit(diamond_land(), "raise-plate", {{"plate", "0"}, {"by", "1"}}).id, "edit.argument");
}

TEST(LandEdits, AddsMovesAndRemovesProps) {
  // without y it is placed on the ground: the terrace at 48 units
  const auto added = edit(town_land(), "add-prop", {{"model", "26"}, {"x", "-100"}, {"z", "-100"}});
  ASSERT_EQ(added.land.props.size(), 4u) << added.id;
  EXPECT_EQ(added.land.props[3].position, (Vector{{-100 * 4096}, {48 * 4096}, {-100 * 4096}}));
  EXPECT_EQ(added.land.props[3].scale, (Vector{{4096}, {4096}, {4096}}));
  const auto moved = edit(added.land, "move-prop", {{"prop", "3"}, {"y", "-2.5"}});
  EXPECT_EQ(moved.land.props[3].position, (Vector{{-100 * 4096}, {-10240}, {-100 * 4096}}));
  const auto removed = edit(moved.land, "remove-prop", {{"prop", "3"}});
  EXPECT_EQ(bytes_of(removed.land), bytes_of(town_land()));
}

TEST(LandEdits, LoweringARaisedPlateRestoresTheFile) {
  const Bytes before = bytes_of(town_land());
  for (const char* plate : {"0", "1", "2", "3", "4", "5"}) {
    const auto up = edit(town_land(), "raise-plate", {{"plate", plate}, {"by", "16"}});
    ASSERT_EQ(up.id, "");
    EXPECT_NE(bytes_of(up.land), before);
    const auto down = edit(up.land, "raise-plate", {{"plate", plate}, {"by", "-16"}});
    EXPECT_EQ(bytes_of(down.land), before) << plate;
  }
}

/// Vertex positions of the model in a scene, which is independent of the edits.
std::vector<scene::Vec3> shown(const LandData& land) {
  const auto staged = to_scene(land, {});
  EXPECT_TRUE(staged);
  std::vector<scene::Vec3> out;
  if (!staged) return out;
  const auto places = scene::world_transforms(staged->scene);
  for (size_t n = 0; n < staged->scene.nodes.size(); ++n) {
    const scene::Node& node = staged->scene.nodes[n];
    const Value* kind = node.extras.find("kind");
    if (node.mesh == scene::k_none || (kind && kind->is(Value::Kind::text) && kind->text().starts_with("platinum")))
      continue;
    for (const scene::Primitive& p : staged->scene.meshes[node.mesh].primitives)
      for (const u32 i : p.indices) {
        const auto at = places[n] * scene::Point{p.positions[i][0], p.positions[i][1], p.positions[i][2]};
        out.push_back({f32(at[0]), f32(at[1]), f32(at[2])});
      }
  }
  return out;
}

TEST(LandEdits, MeshFollowsTheRaisedPlate) {
  std::vector<std::pair<std::string, LandData>> lands = {{"town", town_land()}, {"meadow", meadow_land()}};
  for (const test::RealFile& f : test::real_folder("res/field/maps/data", ".bin"))
    if (lands.size() < 40 && (f.name.find("00.") != f.name.npos || f.name.find("7.") != f.name.npos))
      if (auto loaded = load<LandData>(f.bytes)) lands.push_back({f.name, loaded->document.value()});
  u64 vertices = 0, widened = 0;
  for (const auto& [name, land] : lands)
    for (size_t plate = 0; plate < std::min<size_t>(land.bdhc.plates.size(), 3); ++plate) {
      const std::string number = std::to_string(plate);
      SCOPED_TRACE(name + " plate " + number);
      const auto shape = find_plate_shape(land.bdhc, plate);
      if (!shape || shape->normal.y.raw == 0) continue;
      constexpr f32 by = 13.25f;
      const auto up = edit(land, "raise-plate", {{"plate", number}, {"by", "13.25"}, {"mesh", "follow"}});
      ASSERT_EQ(up.id, "");
      const auto was = shown(land), is = shown(up.land);
      ASSERT_EQ(was.size(), is.size());
      for (size_t i = 0; i < was.size(); ++i) {
        EXPECT_NEAR(is[i][0], was[i][0], 0.01);
        EXPECT_NEAR(is[i][2], was[i][2], 0.01);
        // Each vertex stays or moves as far as the plate. Vertices well inside the plate and on it move; vertices well
        // outside or below it stay.
        const f32 moved = is[i][1] - was[i][1];
        EXPECT_TRUE(std::fabs(moved) < 0.02f || std::fabs(moved - by) < 0.02f) << moved;
        constexpr i32 k_margin = 64 * 4096;
        const i32 x = i32(std::lround(was[i][0] * 4096)), z = i32(std::lround(was[i][2] * 4096));
        const auto is_in = [&](i32 margin) {
          return shape->low.x.raw - margin < x && x < shape->high.x.raw + margin && shape->low.z.raw - margin < z &&
                 z < shape->high.z.raw + margin;
        };
        const f32 ground = f32(shape->height(x, z)) / 4096;
        if (!is_in(k_margin)) {
          EXPECT_LT(moved, 1) << was[i][0] << ", " << was[i][2];
        }
        if (is_in(-k_margin) && std::fabs(was[i][1] - ground) < 0.5f) {
          EXPECT_GT(moved, 1) << was[i][0] << ", " << was[i][2];
        }
        vertices += moved > 1;
      }
      widened += bytes_of(up.land).size() > bytes_of(land).size();
      // The box of the model is as accurate as before.
      const auto findings = [](const LandData& l) {
        std::string out;
        for (const Diagnostic& d : test::findings_of({"", "", "land-data", bytes_of(l)}))
          out += d.id.starts_with("nitro.") ? d.id + " " + d.place.path + "\n" : "";
        return out;
      };
      EXPECT_EQ(findings(up.land), findings(land));
    }
  EXPECT_GT(vertices, 20u);
  if (lands.size() > 2) {
    EXPECT_GT(widened, 0u) << "no vertex needed another command";
  }
}

TEST(LandEdits, PropsFollowTheRaisedPlate) {
  const LandData town = town_land();
  const auto up = edit(town, "raise-plate", {{"plate", "0"}, {"by", "8"}, {"props", "follow"}});
  ASSERT_EQ(up.id, "");
  u64 followed = 0;
  for (size_t i = 0; i < town.props.size(); ++i) {
    const i32 by = up.land.props[i].position.y.raw - town.props[i].position.y.raw;
    EXPECT_TRUE(by == 0 || by == 8 * 4096);
    followed += by != 0;
  }
  EXPECT_EQ(followed, 1u);
  EXPECT_EQ(edit(town, "raise-plate", {{"plate", "0"}, {"by", "8"}, {"mesh", "custard"}}).id, "edit.argument");
  LandData far = town;  // a vertex that cannot be so high
  EXPECT_EQ(edit(far, "raise-plate", {{"plate", "0"}, {"by", "9999"}, {"mesh", "follow"}}).id, "edit.argument");
}

TEST(LandEdits, HeightLookupFindsAddedPlates) {
  const auto flat = edit(meadow_land(), "add-plate", {{"x", "-32..32"}, {"z", "16..48"}, {"y", "24"}});
  ASSERT_EQ(flat.land.bdhc.plates.size(), 2u) << flat.id;
  EXPECT_EQ(ground_height_at(flat.land.bdhc, 0, 32 * 4096, 20 * 4096), 24 * 4096);
  EXPECT_EQ(ground_height_at(flat.land.bdhc, 0, 32 * 4096, 0), 0);
  EXPECT_EQ(ground_height_at(flat.land.bdhc, 0, 0, 20 * 4096), 0);
  // a slope through the heights of three corners; the fourth is on their plane
  const auto slope = edit(meadow_land(), "add-plate", {{"x", "0..64"}, {"z", "0..64"}, {"heights", "16,16,80"}});
  EXPECT_NEAR(ground_height_at(slope.land.bdhc, 32 * 4096, 32 * 4096, 40 * 4096).value_or(0), 48 * 4096, 40);
  EXPECT_NEAR(ground_height_at(slope.land.bdhc, 63 * 4096, 63 * 4096, 80 * 4096).value_or(0), 79 * 4096, 60);
  // the same plate given by its normal
  const auto normal =
      edit(meadow_land(), "add-plate", {{"x", "0..64"}, {"z", "0..64"}, {"y", "16"}, {"normal", "0,1,-1"}});
  EXPECT_EQ(bytes_of(normal.land), bytes_of(slope.land));
  const auto removed = edit(slope.land, "remove-plate", {{"plate", "1"}});
  EXPECT_EQ(bytes_of(removed.land), bytes_of(meadow_land()));
}

TEST(LandEdits, EncodingRebuildsStripsForEditedPlates) {
  auto o = open(bytes_of(town_land()), "town.bin", find_format("land-data"));
  ASSERT_TRUE(o);
  Value decoded = decode(*o);
  // extend the bridge to the south, beyond the existing strips
  Value* points = decoded.find("document")->find("bdhc")->find("points");
  const u16 corner = town_land().bdhc.plates[5].second_point;
  *points->members()[corner].second.find("z") = Value(240.0);
  auto bytes = encode(decoded);
  ASSERT_TRUE(bytes) << format_one_line(bytes.error());
  const auto land = load<LandData>(*bytes);
  ASSERT_TRUE(land);
  const Bdhc& b = land->document.value().bdhc;
  EXPECT_EQ(find_strip_fault(b), std::nullopt);
  Bdhc anew = b;
  rebuild_strips(anew);
  EXPECT_EQ(b.strips, anew.strips);
  EXPECT_EQ(b.access_list, anew.access_list);
  EXPECT_NE(b.strips, town_land().bdhc.strips);
}

TEST(LandEdits, ErrorsNameTheWrongArgument) {
  const auto said = [](std::string_view name, std::vector<Argument> arguments) {
    Document<LandData> d;
    d.edit() = town_land();
    DocumentOf<LandData> any(std::move(d));
    for (const Edit& e : land_edits())
      if (e.name == name)
        if (const auto done = e.apply(any, arguments); !done) return format_one_line(done.error());
    return std::string();
  };
  EXPECT_EQ(said("move-prop", {{"prop", "0"}}), "nothing to change: give x=..., y=... or z=...");
  EXPECT_THAT(said("move-prop", {{"prop", "0"}, {"x", "1"}, {"color", "3"}}), testing::HasSubstr("color=3"));
  EXPECT_THAT(said("set-tiles", {{"x", "5..3"}, {"z", "0"}, {"collision", "1"}}), testing::HasSubstr("5..3"));
  EXPECT_EQ(said("set-tiles", {{"x", "3"}, {"z", "0"}, {"behavior", "gras"}}),
            "behavior must be a number from 0 to 255 or a name, not \"gras\"");
  EXPECT_EQ(said("add-plate", {{"x", "0..16"}, {"z", "0..16"}, {"y", "0"}, {"heights", "0,0,0"}}),
            "heights=... cannot be combined with y=... or normal=...");
  EXPECT_EQ(said("add-plate", {{"x", "0..16"}, {"z", "8"}, {"y", "0"}}),
            "the plate has no area: it is 16.0 x 0.0 units");
  EXPECT_EQ(said("add-plate", {{"x", "0..0.001"}, {"z", "0..16"}, {"heights", "0,8192,0"}}),
            "the slope is too steep: the y of its normal is below 1/4096");
}

TEST(LandEdits, KeepsValidStripsFromOtherTools) {
  // A single strip, as another tool may write it: valid, but unlike the strips in the game.
  LandData land = town_land();
  Bdhc& b = land.bdhc;
  b.strips = {{b.strips.back().scanline, u16(b.plates.size()), 0}};
  b.access_list = {0, 1, 2, 3, 4, 5};
  const auto moved = edit(land, "move-prop", {{"prop", "0"}, {"x", "0"}});
  const auto again = load<LandData>(bytes_of(moved.land));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->document.value().bdhc.strips, b.strips);
}

// ---- questions ----

Result<Value> ask(const LandData& land, std::string_view name, std::string_view argument) {
  Document<LandData> d;
  d.edit() = land;
  const DocumentOf<LandData> any(std::move(d));
  for (const Question& q : land_questions())
    if (q.name == name) return q.answer(any, argument);
  return Value();
}
f64 height(const LandData& land, std::string_view argument) {
  const auto answer = ask(land, "height", argument);
  EXPECT_TRUE(answer) << format_one_line(answer.error());
  const Value* h = answer ? answer->find("height") : nullptr;
  EXPECT_TRUE(h && h->is(Value::Kind::real));
  return h ? h->number() : 1e9;
}

TEST(LandQuestions, AnswersHeightQueries) {
  EXPECT_EQ(height(town_land(), "4,4"), 48);
  EXPECT_EQ(height(town_land(), "4,20"), 0);
  EXPECT_EQ(height(town_land(), "14,17"), 24);     // half way down the stairs
  EXPECT_EQ(height(town_land(), "-184u,72u"), 0);  // the same as tile 4,20
  EXPECT_EQ(height(town_land(), "26,20"), 0);      // under the bridge
  EXPECT_EQ(height(town_land(), "26,20,40"), 48);  // on it
  EXPECT_EQ(height(town_land(), "-184.5u,0.25u"), 0);
  EXPECT_EQ(height(town_land(), "-184.5u,-0.25u"), 48);
  const auto off = ask(town_land(), "height", "-300u,0u");
  ASSERT_TRUE(off);
  EXPECT_TRUE(off->find("height")->is(Value::Kind::null));
  EXPECT_EQ(off->find("note")->text(), "no plate here: the game uses 0");
  EXPECT_EQ(ask(town_land(), "height", "4,4")->find("note"), nullptr);
  for (const char* wrong : {"", "4", "4,", "a,b", "1,2,3,4", "4,4x", "1e9,0", "inf,0", "32,0", "0,32", "-1,0", "1.5,2",
                            "1e9u,0u", "0,0,x"}) {
    const auto answer = ask(town_land(), "height", wrong);
    EXPECT_FALSE(answer) << wrong;
    if (!answer) {
      EXPECT_EQ(answer.error().id, "question.argument");
    }
  }
  const auto triangles = ask(diamond_land(), "height", "26,20,48");  // on the bridge
  ASSERT_TRUE(triangles);
  EXPECT_EQ(triangles->find("height")->number(), 48);
  EXPECT_EQ(triangles->find("triangles")->size(), 2u);
}

TEST(LandQuestions, AnswersTileQueries) {
  const auto door = ask(town_land(), "tile", "6,24");
  ASSERT_TRUE(door);
  EXPECT_EQ(door->find("name")->text(), "door");
  EXPECT_TRUE(door->find("collision")->boolean());
  ASSERT_EQ(door->find("props")->size(), 1u);
  EXPECT_EQ(door->find("props")->at(0)->find("model_id")->number(), 70);
  const auto bridge = ask(town_land(), "tile", "26,20");
  EXPECT_EQ(bridge->find("plates")->size(), 2u);
  const auto sea = ask(town_land(), "tile", "0,31");
  EXPECT_TRUE(sea->find("surfable")->boolean() && sea->find("encounters")->boolean());
  for (const char* wrong : {"", "32,0", "0,32", "-1,0", "1", "1,2,3", "1.5,2"})
    EXPECT_FALSE(ask(town_land(), "tile", wrong)) << wrong;
}

// ---- scene ----

TEST(LandScene, SceneIncludesPropsAndHiddenHeights) {
  const auto staged = to_scene(town_land(), {});
  ASSERT_TRUE(staged);
  EXPECT_EQ(scene::verify(staged->scene), std::vector<std::string>());
  size_t props = 0, heights = 0;
  for (const scene::Node& n : staged->scene.nodes) {
    const Value* kind = n.extras.find("kind");
    props += kind && kind->text() == "platinum.prop";
    if (kind && kind->text() == "platinum.heights") {
      ++heights;
      EXPECT_FALSE(n.visible);
      EXPECT_EQ(staged->scene.meshes[n.mesh].primitives[0].positions.size(), 6 * 4u);
    }
  }
  EXPECT_EQ(props, 3u);
  EXPECT_EQ(heights, 1u);
}

TEST(LandScene, UsesTexturesMatchingItsModel) {
  const Format* land_format = find_format("land-data");
  const auto any = [](LandData land) {
    Document<LandData> d;
    d.edit() = std::move(land);
    return DocumentOf<LandData>(std::move(d));
  };
  LandData dressed = meadow_land();
  dressed.model = nitro::swatches();
  dressed.model.textures.reset();
  Document<nitro::Nsbtx> textures;
  textures.edit() = nitro::swatches_textures();
  const DocumentOf<nitro::Nsbtx> file(std::move(textures));
  const Companion companion{"swatches.nsbtx", find_format("nsbtx"), &file};
  EXPECT_TRUE(companion_ops_of(*land_format).takes(any(dressed), companion));
  EXPECT_FALSE(companion_ops_of(*land_format).takes(any(meadow_land()), companion));
  const auto bare = to_scene(dressed, {}), shown = to_scene(dressed, {.companions = {&companion, 1}});
  ASSERT_TRUE(bare && shown);
  EXPECT_TRUE(bare->scene.images.empty());
  EXPECT_FALSE(shown->scene.images.empty());
  EXPECT_FALSE(bare->notes.empty());
  for (const Diagnostic& d : bare->notes) EXPECT_TRUE(d.place.path.starts_with("model.models[0]")) << d.place.path;
}

// ---- the real files ----

TEST(RealLands, RealMapsRoundTripByteForByte) {
  const auto files = test::real_lands();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  size_t looked_at = 0, canonical = 0, strips = 0;
  for (const auto& [name, bytes] : files) {
    auto o = open(bytes, name);
    ASSERT_TRUE(o) << format_one_line(o.error());
    EXPECT_EQ(o->format->id, "land-data") << name;
    EXPECT_EQ(o->sniff.certainty, Sniff::Certainty::certain);
    if (looked_at++ % 8 == 0) {  // of the slowest law; the other laws see them all
      const auto v = verify(*o, json::round_trip_as_json());
      EXPECT_TRUE(v.identical()) << name << ": " << v.problem;
    }
    (void)edit_of<LandData>(*o->document);
    const auto placed = o->document->save({});
    EXPECT_TRUE(placed && *placed == bytes) << name;
    const auto anew = o->document->save({.canonical = true});
    canonical += anew && *anew == bytes;
    Bdhc b = value_of<LandData>(*o->document).bdhc;
    EXPECT_EQ(find_strip_fault(b), std::nullopt) << name;
    const auto old_strips = b.strips;
    const auto old_list = b.access_list;
    rebuild_strips(b);
    strips += b.strips == old_strips && b.access_list == old_list;
  }
  if (files.size() == 666) {
    EXPECT_EQ(canonical, 608u);  // the others have normals or constants twice
    EXPECT_EQ(strips, 666u);
  }
}

}  // namespace
}  // namespace dio::platinum
