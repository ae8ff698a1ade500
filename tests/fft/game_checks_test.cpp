// game_checks_test.cpp: faults that involve several files of a map, planted in the valley.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/expect_by_rule.hpp"
#include "formats/contract/findings.hpp"
#include "formats/fft/game/parts.hpp"
#include "samples/fft/maps.hpp"

namespace dio::fft {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The valley as loose files, some of them changed. MAP001.8 and .11 are texels, .9 is the primary mesh, .10 the night,
/// .12 the rain, .13 the broken bridge.
class FftMapChecks : public testing::Test {
 protected:
  FftMapChecks() {
    for (SampleFile& f : valley_files()) tree_.files["MAP/" + f.name] = std::move(f.bytes);
  }
  void put(const char* name, const Bytes& bytes) { tree_.files[std::string("MAP/") + name] = bytes; }

  /// The findings that the unchanged valley does not have, one per line.
  std::vector<std::string> found(bool all = false) {
    std::vector<std::string> lines;
    for (const MapFiles& files : find_maps(tree_)) {
      auto map = GameMap::open(tree_, files);
      EXPECT_TRUE(map) << format_one_line(map.error());
      if (!map) continue;
      Findings findings(map_rules());
      Reporter out(findings);
      check_map(**map, out);
      for (const Diagnostic& d : findings.list) test::expect_by_rule(d);
      for (const Diagnostic& d : findings.list)
        if (all || d.id != "fft.state-anim-loss")
          lines.push_back(std::string(to_string(d.severity)) + " " + d.id + " " + format_one_line(d));
    }
    return lines;
  }

  MemoryTree tree_;
};

TEST_F(FftMapChecks, ReportsAnAnimatedMeshHiddenInAState) {
  EXPECT_THAT(found(true), ElementsAre("warning fft.state-anim-loss MAP/MAP001.13: primary: animated mesh 3 of "
                                       "MAP001.9 is not shown (state arrangement=1)"));
}

TEST_F(FftMapChecks, FilesWithoutAPrimaryMeshHideNothing) {
  Mesh m = broken_bridge_mesh();
  for (auto& mesh : m.animated) mesh.reset();
  put("MAP001.13", bytes_of(m));
  EXPECT_THAT(found(true),
              ElementsAre(HasSubstr("animated meshes 1, 2, 3 of MAP001.9 are not shown (state arrangement=1)")));
  m.primary.reset();  // a file without a primary mesh hides nothing
  m.terrain.reset();
  m.lights = rain_mesh().lights;
  put("MAP001.13", bytes_of(m));
  EXPECT_THAT(found(true), IsEmpty());
}

TEST_F(FftMapChecks, ReportsPartsMissingInTheDefaultState) {
  Mesh m = valley_mesh();
  m.gray_palettes.reset();
  m.lights.reset();
  put("MAP001.9", bytes_of(m));
  EXPECT_THAT(found(),
              ElementsAre("error fft.required MAP/MAP001.GNS: rows: the default state has no lights, gray palettes"));
}

TEST_F(FftMapChecks, IgnoresMissingPartsOfUnreadableFiles) {
  Mesh m = valley_mesh();
  m.gray_palettes.reset();
  Bytes b = bytes_of(m);
  b.resize(300);
  put("MAP001.9", b);
  EXPECT_THAT(found(), Not(Contains(HasSubstr("fft.required"))));
}

TEST_F(FftMapChecks, ReportsAMissingDefaultTexture) {
  Gns g = valley_gns(k_valley_lba);
  g.rows[0].state.weather = 1;
  put("MAP001.GNS", bytes_of(g));
  EXPECT_THAT(found(), ElementsAre(HasSubstr("error fft.gns-default MAP/MAP001.GNS: rows: ")));
  Mesh m = valley_mesh();  // its own texture page is enough
  m.pages[0] = valley_texture().pages[0];
  put("MAP001.9", bytes_of(m));
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(FftMapChecks, CountsPolygonsAcrossFiles) {
  const Mesh valley = valley_mesh();
  size_t quads = valley.primary->textured_quads.size();
  for (const auto& g : valley.animated)
    if (g) quads += g->textured_quads.size();
  Mesh night = night_mesh();
  night.animated[4].emplace();  // without a primary mesh it is added
  night.animated[4]->textured_quads.resize(683 - quads, valley.animated[2]->textured_quads[0]);
  put("MAP001.10", bytes_of(night));
  const auto counts = [&] {
    std::vector<std::string> lines;
    for (std::string& line : found())
      if (line.find("poly-count") != line.npos) lines.push_back(std::move(line));
    return lines;
  };
  EXPECT_THAT(counts(), IsEmpty());
  night.animated[4]->textured_quads.push_back(night.animated[4]->textured_quads[0]);
  put("MAP001.10", bytes_of(night));
  EXPECT_THAT(counts(), ElementsAre("warning fft.poly-count-high MAP/MAP001.10: animated_5.textured_quads: all meshes "
                                    "together have 684 textured quads; no map of the game has more than 683 "
                                    "(state night)"));
  night.animated[4]->textured_quads.resize(711 - quads, night.animated[4]->textured_quads[0]);
  put("MAP001.10", bytes_of(night));
  EXPECT_THAT(counts(),
              ElementsAre("error fft.poly-count MAP/MAP001.10: animated_5.textured_quads: all meshes together have "
                          "711 textured quads; the game has room for 710 (state night)"));
  // and it is never shown, because no animation moves it
  EXPECT_THAT(found(),
              Contains(HasSubstr("warning fft.meshanim-next MAP/MAP001.9: mesh_animations.records[1].states[0]."
                                 "meshes[4][0].next")));
}

TEST_F(FftMapChecks, ChecksPolygonsAgainstTerrainOfOtherFiles) {
  Mesh m = broken_bridge_mesh();
  m.terrain.reset();  // the terrain of the primary mesh file stays, with a bridge tile
  m.primary->textured_quads[0].tile.x = 8;
  put("MAP001.13", bytes_of(m));
  EXPECT_THAT(found(),
              ElementsAre("warning fft.tile-binding MAP/MAP001.13: primary.textured_quads[0].tile: the polygon is "
                          "bound to tile 8, 0, which does not exist; the terrain has 8 x 8 tiles (state arrangement=1)",
                          "warning fft.terrain-hole MAP/MAP001.9: terrain.levels[1][27]: tile 3, 3 of the "
                          "upper level can be entered but has no polygons (state arrangement=1)"));
}

TEST_F(FftMapChecks, UsesMeshAnimationsFromOtherFiles) {
  Mesh night = night_mesh();
  night.mesh_animations = valley_mesh().mesh_animations;
  put("MAP001.10", bytes_of(night));
  EXPECT_THAT(found(), IsEmpty());
  night.mesh_animations->records[1].states[0].meshes[7][0] = {1, 1, 60};
  put("MAP001.10", bytes_of(night));
  EXPECT_THAT(found(), ElementsAre(HasSubstr("warning fft.meshanim-next MAP/MAP001.10: mesh_animations.records[1]."
                                             "states[0].meshes[7][0].next: ")));
}

TEST_F(FftMapChecks, ReportsAnimatedMeshesThatNeverAppear) {
  Mesh m = valley_mesh();
  m.mesh_animations.reset();
  put("MAP001.9", bytes_of(m));
  EXPECT_THAT(found(), Contains("warning fft.meshanim-next MAP/MAP001.9: animated_1: animated mesh 1 is never shown; "
                                "2 more places have the same problem: animated_2, animated_3"));
}

TEST_F(FftMapChecks, ReportsPaletteAnimationsWithoutFrames) {
  Mesh m = valley_mesh();
  m.palette_frames.reset();
  put("MAP001.9", bytes_of(m));
  EXPECT_THAT(found(), ElementsAre(HasSubstr("error fft.texanim-palette MAP/MAP001.9: texture_animations.rows[3]: "),
                                   HasSubstr("error fft.texanim-palette MAP/MAP001.9: texture_animations.rows[4]: ")));
}

}  // namespace
}  // namespace dio::fft
