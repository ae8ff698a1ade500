// checks_test.cpp: rules for map files, with edits that break them and edits that do not.
#include <gtest/gtest.h>

#include "engine/broken_rules.hpp"
#include "fft/damaged.hpp"
#include "formats/contract/findings.hpp"
#include "samples/fft/maps.hpp"

namespace dio::fft {
namespace {

const std::vector<test::BrokenFile>& files_that_break_rules() {
  static const std::vector<test::BrokenFile> files = broken_files();
  return files;
}
TEST(FftRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "fft."); }
TEST(FftRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(check_rules(), files_that_break_rules()); }
TEST(FftRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(files_that_break_rules()); }
TEST(FftRules, FindingsMatchTheRecordedText) {
  test::expect_said_as_before(files_that_break_rules(), "fft/damaged.txt");
}

TEST(FftRules, SampleMapHasNoFindings) {
  for (const SampleFile& f : valley_files()) {
    const auto o = open(f.bytes, f.name);
    ASSERT_TRUE(o) << format_one_line(o.error());
    if (f.name == "MAP001.13") continue;  // shares most parts with the others
    EXPECT_EQ(test::listing(check(*o)), "") << f.name;
  }
}

// ---- rules with two severities, and accepted values ----

/// The findings in a mesh, one `severity id path` per line.
std::string said_of(const Mesh& m) {
  Findings f(rules());
  check(m, f);
  std::string lines;
  for (const Diagnostic& d : f.list)
    lines += std::string(to_string(d.severity)) + " " + d.id + " " + d.place.path + "\n";
  return lines;
}
std::string said_of(const Gns& g) {
  Findings f(rules());
  check(g, f);
  std::string lines;
  for (const Diagnostic& d : f.list)
    lines += std::string(to_string(d.severity)) + " " + d.id + " " + d.place.path + "\n";
  return lines;
}
std::string said_with(auto edit) {
  Mesh m = valley_mesh();
  edit(m);
  return said_of(m);
}

TEST(FftChecks, ChecksRowsOfGnsFiles) {
  const auto with = [](auto edit) {
    Gns g = valley_gns(k_valley_lba);
    edit(g);
    return said_of(g);
  };
  EXPECT_EQ(with([](Gns& g) { g.rows[1].end[0] = 0; }), "warning fft.gns-row-const rows[1].end\n");
  EXPECT_EQ(with([](Gns& g) { g.rows[1].end[3] = 0; }), "error fft.gns-row-const rows[1].end\n");
  EXPECT_EQ(with([](Gns& g) { g.rows[3].type = 0x13; }), "warning fft.gns-type rows[3].type\n");
  EXPECT_EQ(with([](Gns& g) { g.rows[3].type = 0x12; }), "error fft.gns-type rows[3].type\n");
  EXPECT_EQ(with([](Gns& g) { g.rows[3].type = 0x18; }), "error fft.gns-type rows[3].type\n");
  EXPECT_EQ(with([](Gns& g) { g.rows[3].type = 0x2F; }), "");
  // rows for crystals store a count in the arrangement field
  EXPECT_EQ(with([](Gns& g) { g.rows[5].state.arrangement = 6; }),
            "hint fft.gns-unreachable rows[5].state.arrangement\n");
  EXPECT_EQ(with([](Gns& g) { g.rows[5].variable = 0x70, g.rows[5].state.arrangement = 10; }), "");
  // a second default row is a fault whichever variable it names
  EXPECT_EQ(with([](Gns& g) { g.rows[3].state = {}, g.rows[3].variable = 0x30; }),
            "warning fft.gns-dup-state rows[0]\n");
  EXPECT_EQ(with([](Gns& g) { g.rows[2].comparison = 3, g.rows[4].state = g.rows[2].state; }), "");
  EXPECT_EQ(with([](Gns& g) { std::swap(g.rows[5], g.rows[6]); }),
            "warning fft.gns-filler rows[5].lba\n"
            "warning fft.gns-filler rows[6]\n");
  EXPECT_EQ(with([](Gns& g) { g.commands[0].payload.resize(16); }), "");
  EXPECT_EQ(with([](Gns& g) { g.commands[0].payload.resize(12); }), "error fft.gns-command commands[0].length\n");
  // 10 rows and commands of 20, 20, 28 and 8 bytes take 276 bytes; 3,000 bytes have room for 136 more rows
  EXPECT_EQ(with([](Gns& g) { g.rows.insert(g.rows.end() - 1, 136, g.rows[6]); }), "");
  EXPECT_EQ(with([](Gns& g) { g.rows.insert(g.rows.end() - 1, 137, g.rows[6]); }), "error fft.gns-size \n");
}

TEST(FftChecks, ChecksMeshPointers) {
  Mesh m = load<Mesh>(bytes_of(valley_mesh()))->document.value();
  EXPECT_EQ(said_of(m), "");
  for (const size_t slot : {0x00u, 0x0Fu, 0x14u, 0x18u, 0x1Du, 0x20u, 0x22u, 0x2Du}) {
    Mesh other = m;
    other.slots[slot] = 0x100;
    EXPECT_EQ(said_of(other), "warning fft.ptr-reserved slots[" + std::to_string(slot) + "]\n");
  }
  for (const size_t slot : {0x12u, 0x2Eu, 0x2Fu, 0x30u}) {
    Mesh other = m;
    other.slots[slot] = 0x100;
    EXPECT_EQ(said_of(other), "error fft.ptr-reserved slots[" + std::to_string(slot) + "]\n");
  }
  ++m.slots[Mesh::k_render_slot];
  EXPECT_EQ(said_of(m), "warning fft.ptr-align slots[44]\n");
  --m.slots[Mesh::k_render_slot];
  m.slots[Mesh::k_mesh_animations_slot] += 1;  // so its last byte is inside the mesh after it
  EXPECT_EQ(said_of(m), "error fft.ptr-align slots[35]\nwarning fft.ptr-overlap slots[36]\n");
}

TEST(FftChecks, ChecksNormalsOfLitPolygons) {
  const auto dark = [](Mesh& m) { m.primary->textured_quads[3].normals[0] = {}; };
  EXPECT_EQ(said_with(dark), "error fft.normal-length primary.textured_quads[3].normals[0]\n");
  EXPECT_EQ(said_with([&](Mesh& m) { dark(m), m.primary->textured_quads[3].render.lit = 0; }), "");
  EXPECT_EQ(said_with([&](Mesh& m) { dark(m), m.render_properties.reset(); }),
            "warning fft.normal-length primary.textured_quads[3].normals[0]\nwarning fft.render-missing primary\n");
  EXPECT_EQ(said_with([](Mesh& m) { m.animated[1]->textured_quads[1].normals[2] = {}; }),
            "error fft.normal-length animated_2.textured_quads[1].normals[2]\n");
  EXPECT_EQ(said_with([](Mesh& m) { m.primary->textured_quads[0].normals[0].y.raw /= 2; }),
            "warning fft.normal-length primary.textured_quads[0].normals[0]\n");
  EXPECT_EQ(said_with([](Mesh& m) { m.primary->textured_quads[0].normals[0].y.raw += 100; }), "");
}

TEST(FftChecks, MergesRepeatedFindings) {
  Findings f(rules());
  Mesh m = valley_mesh();
  for (size_t i = 0; i < 6; ++i) m.primary->textured_quads[i].palette = u8(16 + i);
  check(m, f);
  ASSERT_EQ(f.list.size(), 1u);
  EXPECT_EQ(f.list[0].place.path, "primary.textured_quads[0].palette");
  EXPECT_EQ(
      f.list[0].message,
      "palette is 16; it must be 0 to 15; 5 more places have the same problem: primary.textured_quads[1].palette, "
      "primary.textured_quads[2].palette, "
      "primary.textured_quads[3].palette, ...");
}

TEST(FftChecks, ChecksPalettesAndLights) {
  EXPECT_EQ(said_with([](Mesh& m) { m.palettes->rows[15][0].red = 1; }), "") << "no polygon has palette 15";
  EXPECT_EQ(said_with([](Mesh& m) { m.palettes->rows[15][3] = {1, 0, 0, 0}; }),
            "hint fft.palette-transparent palettes.rows[15][3]\n");
  EXPECT_EQ(said_with([](Mesh& m) { m.lights->blue[1].raw = 2047; }), "");
  EXPECT_EQ(said_with([](Mesh& m) { m.lights->blue[1].raw = -1; }), "warning fft.lights lights.blue[1]\n");
  EXPECT_EQ(said_with([](Mesh& m) { m.lights->directions[1] = {}; }), "warning fft.lights lights.directions[1]\n");
  const auto black = [](Mesh& m) { m.lights->red[1].raw = m.lights->green[1].raw = m.lights->blue[1].raw = 0; };
  EXPECT_EQ(said_with(black), "hint fft.lights lights.directions[1]\n");
  EXPECT_EQ(said_with([&](Mesh& m) { black(m), m.lights->directions[1] = {}; }), "");
}

TEST(FftChecks, ChecksTerrainTiles) {
  // on a hillside in the valley, the ground is as steep as its tile
  EXPECT_EQ(said_with([](Mesh& m) { m.terrain->levels[1][200].slope = 0x55; }), "") << "behind the last tile";
  EXPECT_EQ(said_with([](Mesh& m) { m.terrain->levels[1][0].slope = 0x55; }),
            "hint fft.terrain-slope terrain.levels[1][0].slope\n")
      << "of a tile that is absent";
  EXPECT_EQ(said_with([](Mesh& m) { m.terrain->levels[0][0].slope_height = 1; }), "");
  EXPECT_EQ(said_with([](Mesh& m) { m.terrain->levels[1][0].absent = m.terrain->levels[1][0].untargetable = false; }),
            "warning fft.terrain-hole terrain.levels[1][0]\n");
  EXPECT_EQ(said_with([](Mesh& m) { m.terrain->levels[1][0].absent = false; }), "") << "nobody gets there";
  // ground 12 units too high, with water at the right height
  EXPECT_EQ(said_with([](Mesh& m) { ++m.terrain->levels[0][0].height; }),
            "hint fft.terrain-fit primary.textured_quads[0].positions\n");
  EXPECT_EQ(said_with([](Mesh& m) { ++m.terrain->levels[0][0].depth, --m.terrain->levels[0][0].height; }), "");

  Mesh m = odd_mesh();  // 17 x 16: tile (16, 15) is in the upper level
  m.primary->textured_quads.resize(1);
  EXPECT_NE(said_of(m).find("warning fft.terrain-size terrain.size_x\n"), std::string::npos);
  EXPECT_EQ(said_of(m).find("fft.terrain-slope"), std::string::npos);
  m.terrain->levels[1][15].slope = 0x55;
  EXPECT_NE(said_of(m).find("error fft.terrain-slope terrain.levels[1][15].slope\n"), std::string::npos);
  m.terrain->levels[1][15].slope = 0;
  m.primary->textured_quads[0].tile = {15, 1, 16};  // 256 + 271: beyond both levels
  EXPECT_NE(said_of(m).find("warning fft.tile-binding primary.textured_quads[0].tile\n"), std::string::npos);
}

TEST(FftChecks, ChecksTextureAnimations) {
  const auto with = [](size_t row, auto edit) {
    return said_with([&](Mesh& m) { edit(m.texture_animations->rows[row]); });
  };
  EXPECT_EQ(with(0, [](auto& a) { a.mode = 0x80; }), "warning fft.texanim-mode texture_animations.rows[0].mode\n");
  EXPECT_EQ(with(0, [](auto& a) { a.mode = 0; }), "");
  // a row of MAP062: 28 x 70 texels at (68, 58) of page 1, three frames starting at (36, 178) of page 0
  EXPECT_EQ(with(1, [](auto& a) { a = {0x351, 58, 7, 70, 0x309, 178, 0, 0, 1, 3, 0, 15, 0, 0}; }), "");
  EXPECT_EQ(with(0, [](auto& a) { a.duration = 0; }),
            "warning fft.texanim-count texture_animations.rows[0].duration\n");
  EXPECT_EQ(with(1, [](auto& a) { a.frame_count = 1; }), "") << "once";
  EXPECT_EQ(with(1, [](auto& a) { a.frame_count = 0; }),
            "error fft.texanim-count texture_animations.rows[1].frame_count\n");
  // on page 3, three frames of 8 units extend from 0x3C0 + 2 to + 26; seven would wrap below the texture
  EXPECT_EQ(with(1, [](auto& a) { a.frame_x = 0x3C2, a.frame_y = 200; }), "");
  EXPECT_EQ(with(1, [](auto& a) { a.frame_x = 0x3C2, a.frame_y = 200, a.frame_count = 8; }),
            "error fft.texanim-rect texture_animations.rows[1].frame_x\n");
  EXPECT_EQ(with(1, [](auto& a) { a.frame_x = a.canvas_x, a.frame_y = i16(a.canvas_y + 31); }),
            "warning fft.texanim-rect texture_animations.rows[1].frame_x\n");
  EXPECT_EQ(with(1, [](auto& a) { a.width = 0; }), "error fft.texanim-rect texture_animations.rows[1].canvas_x\n");
  EXPECT_EQ(with(3, [](auto& a) { a.canvas_x = 0x340; }),
            "error fft.texanim-kind texture_animations.rows[3].canvas_x\n");
  EXPECT_EQ(with(3, [](auto& a) { a.canvas_x = 256; }),
            "error fft.texanim-palette texture_animations.rows[3].canvas_x\n");
  EXPECT_EQ(with(3, [](auto& a) { a.frame_x = 12; }), "");
}

TEST(FftChecks, ChecksMeshAnimations) {
  const auto with = [](size_t record, auto edit) {
    return said_with([&](Mesh& m) { edit(m.mesh_animations->records[record]); });
  };
  const std::string first = "mesh_animations.records[1].states[0].meshes";
  EXPECT_EQ(with(1, [](auto& r) { r.states[0].meshes[2][0].next = 0; }),
            "warning fft.meshanim-next " + first + "[2][0].next\n");
  EXPECT_EQ(with(1, [](auto& r) { r.states[0].meshes[6][0] = {1, 1, 5}; }),
            "warning fft.meshanim-next " + first + "[6][0].next\n");
  // the animation may stop there, but not within a loop
  EXPECT_EQ(with(1, [](auto& r) { r.states[0].meshes[1][1] = {3, 3, 60}, r.states[0].meshes[1][2] = {3, 0, 0}; }), "");
  EXPECT_EQ(with(1, [](auto& r) { r.states[0].meshes[1][0].duration = 0; }), "") << "before the loop";
  EXPECT_EQ(with(2, [](auto& r) { r.links[0].parent = 3, r.links[1].parent = 0; }),
            "warning fft.meshanim-parent mesh_animations.records[2].links[0].parent\n");
  EXPECT_EQ(with(2, [](auto& r) { r.links[2].parent = 3; }),
            "error fft.meshanim-parent mesh_animations.records[2].links[2].parent\n");
  EXPECT_EQ(with(2, [](auto& r) { r.links[2].parent = 9; }),
            "error fft.meshanim-parent mesh_animations.records[2].links[2].parent\n");
  EXPECT_EQ(with(2, [](auto& r) { r.links[8].parent = 9; }), "") << "only eight are read";
  const std::string keys = "mesh_animations.records[0].keyframes";
  for (const u16 good : {0x05, 0x06, 0x09, 0x0A, 0x11, 0x12})
    EXPECT_EQ(with(0, [&](auto& r) { r.keyframes[4].modes[4] = good; }), "") << good;
  for (const u16 bad : {0x00, 0x01, 0x07, 0x0C, 0x0D, 0x25})
    EXPECT_EQ(with(0, [&](auto& r) { r.keyframes[4].modes[4] = bad; }),
              "error fft.meshanim-mode " + keys + "[4].modes[4]\n")
        << bad;
  EXPECT_EQ(with(0, [](auto& r) { r.keyframes[100].scale.x = 1; }), "hint fft.meshanim-keyframe " + keys + "[100]\n");
  EXPECT_EQ(said_with([](Mesh& m) { std::swap(m.mesh_animations->records[0], m.mesh_animations->records[1]); }),
            "error fft.meshanim-records mesh_animations.records[0].type\n");
  // a file that only animates other files' meshes
  Mesh m = night_mesh();
  m.mesh_animations = valley_mesh().mesh_animations;
  EXPECT_EQ(said_of(m), "");
}

TEST(FftChecks, HandlesTheMaximumPolygonCount) {
  Mesh m = valley_mesh();
  const TexturedQuad quad = m.primary->textured_quads[0];
  const UntexturedQuad black = m.primary->untextured_quads[0];
  m.primary->textured_quads.assign(0xFFFF, quad);
  m.primary->untextured_quads.assign(0xFFFF, black);
  for (auto& mesh : m.animated) mesh = m.primary;
  for (size_t i = 0; i < 0xFFFF; ++i)
    m.primary->textured_quads[i].palette = 40, m.primary->textured_quads[i].tile.x = 200;
  Findings f(rules());
  check(m, f);
  EXPECT_LT(f.list.size(), 100u);
  EXPECT_TRUE(std::ranges::any_of(f.list, [](const Diagnostic& d) {
    return d.id == "fft.clut-row" &&
           d.message.starts_with("palette is 40; it must be 0 to 15; 65534 more places have the same problem: ");
  }));
}

}  // namespace
}  // namespace dio::fft
