// Questions about Final Fantasy Tactics maps and edits of them.
#include "formats/contract/edits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "formats/fft/scene/slopes.hpp"
#include "operations/operations.hpp"
#include "samples/fft/maps.hpp"
#include "samples/samples.hpp"

namespace {

using namespace dio;
using namespace dio::fft;
using testing::ElementsAre;
using testing::HasSubstr;

const Format& mesh_format() { return *find_format("fft-mesh"); }

Mesh loaded(const Bytes& bytes) {
  auto d = load<Mesh>(bytes);
  EXPECT_TRUE(d) << format_one_line(d.error());
  return d ? d->document.value() : Mesh{};
}
std::unique_ptr<AnyDocument> document_of(const Mesh& m) {
  return std::move(mesh_format().load(bytes_of(m), {})->document);
}

/// 3 x 2 tiles at height 4, each with a quad on it; tile (1, 1) also has a wall behind it.
Mesh field() {
  Mesh m{};
  Terrain& t = m.terrain.emplace();
  t.size_x = 3, t.size_z = 2;
  Geometry& g = m.primary.emplace();
  for (u8 z = 0; z < 2; ++z)
    for (u8 x = 0; x < 3; ++x) {
      TerrainTile& tile = *Terrain::tile(t, 0, x, z);
      tile.height = 4;
      tile.surface = 3;
      TexturedQuad q{};
      const i16 west = i16(28 * x), south = i16(28 * z);
      // Seen from above, A, B, C is clockwise.
      q.positions = {Position{west, -48, south}, Position{west, -48, i16(south + 28)},
                     Position{i16(west + 28), -48, south}, Position{i16(west + 28), -48, i16(south + 28)}};
      q.normals.fill({{0}, {-4096}, {0}});
      q.uvs = {Uv{0, 28}, Uv{0, 0}, Uv{28, 28}, Uv{28, 0}};
      q.clut_y = 480, q.image = 3, q.page = 1, q.palette = u8(x + 3 * z);
      q.tile = {z, 0, x};
      q.render = {1, 0, u16(x + 3 * z), 0, 0};
      g.textured_quads.push_back(q);
    }
  TexturedQuad wall = g.textured_quads.back();
  wall.positions = {Position{28, 0, 56}, Position{28, -48, 56}, Position{56, 0, 56}, Position{56, -48, 56}};
  wall.normals.fill({{0}, {0}, {-4096}});
  wall.tile = {1, 0, 1};
  g.textured_quads.push_back(wall);
  TexturedTriangle lone{};
  lone.positions = {Position{0, 0, 0}, Position{0, 0, 28}, Position{28, 0, 0}};
  lone.normals.fill({{0}, {-4096}, {0}});
  lone.clut_y = 480, lone.image = 3, lone.tile = {127, 0, 255}, lone.render = k_plain_render;
  g.textured_triangles.push_back(lone);
  UntexturedQuad black{};
  black.positions = {Position{0, 12, 0}, Position{0, 12, 28}, Position{28, 12, 0}, Position{28, 12, 28}};
  black.unread = {1, 0, 0, 0};
  black.render = k_plain_render;
  g.untextured_quads.push_back(black);
  m.render_properties.emplace();
  m.render_properties->head.resize(RenderProperties::k_head_size);
  m.settle();
  return m;
}

Result<std::string> edit(AnyDocument& d, std::string_view name, std::vector<Argument> arguments) {
  for (const Edit& e : edits_of(mesh_format()))
    if (e.name == name) return e.apply(d, arguments);
  ADD_FAILURE() << "no edit " << name;
  return std::string();
}
/// The file after an edit, saved and read again.
struct Edited {
  Mesh mesh;
  std::string told;
};
Edited edited(const Mesh& m, std::string_view name, std::vector<Argument> arguments) {
  const auto d = document_of(m);
  const auto done = edit(*d, name, std::move(arguments));
  EXPECT_TRUE(done) << format_one_line(done.error());
  if (!done) return {};
  const auto bytes = d->save({});
  EXPECT_TRUE(bytes) << format_one_line(bytes.error());
  return bytes ? Edited{loaded(*bytes), *done} : Edited{};
}
/// The error of a rejected edit; the document must be unchanged.
std::string refused(const Mesh& m, std::string_view name, std::vector<Argument> arguments) {
  const auto d = document_of(m);
  const auto done = edit(*d, name, std::move(arguments));
  EXPECT_FALSE(done) << *done;
  if (done) return "";
  EXPECT_EQ(done.error().id, "edit.argument");
  EXPECT_EQ(*d->save({}), bytes_of(m));
  return format_one_line(done.error()) + "\n" + done.error().hint;
}

Value answer(const Mesh& m, std::string_view name, std::string_view argument) {
  const auto d = document_of(m);
  for (const Question& q : questions_of(mesh_format()))
    if (q.name == name) {
      auto v = q.answer(*d, argument);
      EXPECT_TRUE(v) << format_one_line(v.error());
      return v ? *v : Value();
    }
  ADD_FAILURE() << "no question " << name;
  return {};
}
std::string no_answer(const Mesh& m, std::string_view name, std::string_view argument) {
  const auto d = document_of(m);
  for (const Question& q : questions_of(mesh_format()))
    if (q.name == name) {
      const auto v = q.answer(*d, argument);
      EXPECT_FALSE(v) << json::write(*v);
      if (!v) {
        EXPECT_EQ(v.error().id, "question.argument");
      }
      return v ? "" : format_one_line(v.error());
    }
  return "";
}
u64 offset_of(const Mesh& m, const std::string& path) {
  static Bytes bytes;  // the spans point into it
  bytes = bytes_of(m);
  const Spans spans = trace<Mesh>(bytes).spans;
  const auto spot = spans.find(path);
  EXPECT_TRUE(spot) << path;
  return spot ? spot->offset : 0;
}

// ---- questions ----

TEST(FftQuestions, DescribesATileInWordsAndNumbers) {
  Mesh m = field();
  TerrainTile& t = *Terrain::tile(*m.terrain, 0, 2, 1);
  t = {};
  t.surface = 0x0F, t.height = 5, t.depth = 2, t.slope = 0x85, t.slope_height = 3, t.thickness = 7;
  t.shading = 2, t.pass_only = true, t.cameras = 0x81;
  const Value v = answer(m, "tile", "2,1");
  EXPECT_EQ(v.find("surface")->text(), "river");
  EXPECT_EQ(v.find("surface_value")->bits(), 0x0Fu);
  EXPECT_EQ(v.find("slope")->text(), "incline N");
  EXPECT_EQ(v.find("slope_value")->bits(), 0x85u);
  EXPECT_EQ(json::write(*v.find("raised_corners"), {}), json::write(*json::read(R"(["NE","NW"])"), {}));
  // One step is 12 units and up is negative: the northern corners are 3 steps above 5.
  std::vector<std::string> ys;
  for (const auto& [corner, y] : v.find("corner_y")->members()) ys.push_back(corner + std::to_string(i64(y.bits())));
  EXPECT_THAT(ys, ElementsAre("SW-60", "SE-60", "NE-96", "NW-96"));
  EXPECT_EQ(v.find("displayed_half_steps")->bits(), 2u * 5 + 2 * 2 + 3);
  EXPECT_EQ(v.find("thickness")->bits(), 7u);
  EXPECT_EQ(v.find("shading")->bits(), 2u);
  EXPECT_EQ(v.find("flags")->size(), 1u);
  EXPECT_EQ(v.find("cameras")->text(), "NW top, NE bottom");
  EXPECT_THAT(v.find("cameras_note")->text(), HasSubstr("swaps east and west"));
  EXPECT_EQ(v.find("path")->text(), "terrain.levels[0][5]");
  EXPECT_EQ(v.find("offset")->bits(), offset_of(m, "terrain.levels[0][5]"));
  ASSERT_EQ(v.find("polygons")->size(), 1u);
  EXPECT_EQ(v.find("polygons")->at(0)->text(), "primary.textured_quads[5]");
  EXPECT_EQ(answer(m, "tile", "1,1").find("polygons")->size(), 2u);
  EXPECT_EQ(answer(m, "tile", "2,1,1").find("path")->text(), "terrain.levels[1][5]");
}

TEST(FftQuestions, ReportsContradictorySlopes) {
  Mesh m = field();
  Terrain::tile(*m.terrain, 0, 0, 0)->slope = 0x77;
  const Value v = answer(m, "tile", "0,0");
  EXPECT_TRUE(v.find("slope")->is(Value::Kind::null));
  EXPECT_THAT(v.find("slope_note")->text(), HasSubstr("contradict"));
}

TEST(FftQuestions, RejectsTilesOutsideTheTerrain) {
  const Mesh m = field();
  for (const char* outside : {"3,0", "0,2", "0,0,2", "-1,0", "0", "a,b", "0,0,0,0", "", "1.5,0", "256,0"})
    EXPECT_THAT(no_answer(m, "tile", outside), HasSubstr("3 x 2 tiles")) << outside;
  EXPECT_THAT(no_answer(night_mesh(), "tile", "0,0"), HasSubstr("the file has no terrain"));
}

TEST(FftQuestions, LargeMapsContinueIntoLevel1) {
  const Mesh m = odd_mesh();  // 17 x 16
  // 15 * 17 + 16 = 271 = 256 + 15
  const Value last = answer(m, "tile", "16,15");
  EXPECT_EQ(last.find("path")->text(), "terrain.levels[1][15]");
  EXPECT_EQ(last.find("offset")->bits(), offset_of(m, "terrain.levels[1][15]"));
  EXPECT_TRUE(last.find("note"));
  EXPECT_EQ(last.find("surface_value")->bits(), 31u);  // (16 + 15) % 0x2F
  // 256 + 15 * 17 + 1 = 512: beyond the last tile of the file
  EXPECT_EQ(answer(m, "tile", "0,15,1").find("path")->text(), "terrain.levels[1][255]");
  EXPECT_THAT(no_answer(m, "tile", "1,15,1"), HasSubstr("the first 256 tiles of that level"));
}

TEST(FftQuestions, LocatesEveryPartOfAPolygon) {
  for (const Sample& s : samples_of(mesh_format())) {
    const Mesh m = loaded(s.bytes);
    const Spans spans = trace<Mesh>(s.bytes).spans;
    u64 polygons = 0;
    for_each_polygon(m, [&](const PolygonRef& r, const auto& p) {
      if (++polygons > 200) return;
      const std::string path = polygon_path(r);
      const Value v = answer(m, "polygon", path);
      EXPECT_EQ(v.find("path")->text(), path);
      EXPECT_EQ(v.find("corners")->size(), p.positions.size());
      for (const auto& [part, offset] : v.find("offsets")->members()) {
        const std::string name = part == "texture" ? ".uvs[0]" : "." + part;
        const auto spot = spans.find(path + name);
        ASSERT_TRUE(spot) << s.name << " " << path << name;
        u64 expected = spot->offset;
        if (spot->size == 0 || spans[spot->span].kind == Span::Kind::object) {  // its first part that has an offset
          const auto inner = spans.find(path + name + (part == "tile" ? ".z" : part == "render" ? ".lit" : ""));
          ASSERT_TRUE(inner);
          expected = inner->offset;
        }
        EXPECT_EQ(offset.bits(), expected) << s.name << " " << path << " " << part;
      }
    });
  }
}

TEST(FftQuestions, FindsPolygonsByPath) {
  const Mesh m = field();
  const Value v = answer(m, "polygon", "textured_quads[4]");
  EXPECT_EQ(v.find("palette")->bits(), 4u);
  EXPECT_EQ(v.find("tile")->find("x")->bits(), 1u);
  EXPECT_EQ(v.find("hidden_from")->text(), "ENE");
  EXPECT_EQ(v.find("face_normal")->find("y")->number(), -1);
  EXPECT_TRUE(answer(m, "polygon", "textured_triangles[0]").find("tile")->is(Value::Kind::null));
  EXPECT_THAT(no_answer(m, "polygon", "textured_quads[7]"),
              HasSubstr("the file has only 7 primary.textured_quads ([0] to [6])"));
  EXPECT_THAT(no_answer(m, "polygon", "textured_quads"), HasSubstr("7 polygons match"));
  EXPECT_THAT(no_answer(m, "polygon", "animated_1.textured_quads[0]"), HasSubstr("the file has no mesh animated_1"));
  for (const char* odd : {"", "quads[0]", "textured_quads[", "textured_quads[]", "textured_quads[x]", "primary.",
                          "textured_quads[2..1]", "textured_quads[-1]", "primary[0]", ".", "[0]"})
    EXPECT_NE(no_answer(m, "polygon", odd), "") << odd;
}

// ---- polygons by name ----

TEST(FftPolygons, SortsReferencesWithoutDuplicates) {
  const Mesh m = field();
  const auto found =
      parse_polygon_refs(m, "untextured_quads,primary.textured_quads[5..6],textured_quads[1],textured_quads[5]");
  ASSERT_TRUE(found);
  std::vector<std::string> paths;
  for (const PolygonRef& r : *found) paths.push_back(polygon_path(r));
  EXPECT_THAT(paths, ElementsAre("primary.textured_quads[1]", "primary.textured_quads[5]", "primary.textured_quads[6]",
                                 "primary.untextured_quads[0]"));
  EXPECT_EQ(parse_polygon_refs(m, "primary")->size(), 9u);
}

TEST(FftPolygons, FaceNormalsPointOutOfTheFront) {
  // The example in the specification: clockwise from the front, normal (0, 0, -4096).
  const std::array<Position, 4> wall = {Position{252, -96, 280}, Position{252, -144, 280}, Position{266, -96, 280},
                                        Position{266, -144, 280}};
  EXPECT_EQ(face_normal(wall), (Normal{{0}, {0}, {-4096}}));
  EXPECT_EQ(face_normal(std::span(wall).first(3)), (Normal{{0}, {0}, {-4096}}));
  const std::array<Position, 3> line = {Position{0, 0, 0}, Position{1, 1, 1}, Position{2, 2, 2}};
  EXPECT_FALSE(face_normal(line));
}

// ---- terrain ----

TEST(FftEdits, SetsTilesInARectangle) {
  const Mesh m = field();
  const Edited e = edited(m, "set-tiles",
                          {{"x", "1..2"},
                           {"z", "0"},
                           {"height", "7"},
                           {"depth", "1"},
                           {"slope", "incline E"},
                           {"slope-height", "2"},
                           {"surface", "lava"},
                           {"shading", "3"},
                           {"thickness", "4"},
                           {"absent", "yes"},
                           {"untargetable", "1"},
                           {"pass-only", "yes"},
                           {"cameras", "NW top+SE bottom"}});
  Mesh expected = m;
  for (const u32 x : {1, 2}) {
    TerrainTile& t = *Terrain::tile(*expected.terrain, 0, x, 0);
    t.height = 7, t.depth = 1, t.slope = 0x52, t.slope_height = 2, t.surface = 0x12, t.shading = 3, t.thickness = 4;
    t.absent = t.untargetable = t.pass_only = true, t.cameras = 0x82;
  }
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));  // the floor does not follow
  EXPECT_EQ(e.told, "2 of 2 tiles changed");
  const Edited upper = edited(m, "set-tiles", {{"x", "0"}, {"z", "1"}, {"level", "1"}, {"surface", "0x23"}});
  expected = m;
  expected.terrain->levels[1][3].surface = 0x23;
  EXPECT_EQ(bytes_of(upper.mesh), bytes_of(expected));
}

TEST(FftEdits, FloorPolygonsFollowRaisedTiles) {
  const Mesh m = field();
  const Edited e = edited(m, "raise-tiles", {{"x", "1"}, {"z", "1"}, {"by", "2"}, {"floor", "follow"}});
  Mesh expected = m;
  Terrain::tile(*expected.terrain, 0, 1, 1)->height = 6;
  for (Position& p : expected.primary->textured_quads[4].positions) p.y = -72;  // 6 steps of 12
  expected.primary->textured_quads[6].positions[1].y = -72;                     // the top of the wall; its bottom stays
  expected.primary->textured_quads[6].positions[3].y = -72;
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
  EXPECT_EQ(e.told,
            "1 of 1 tile changed; 2 polygons follow with 6 vertices; 2 vertices of these polygons stay in place (not "
            "on the floor)");
}

TEST(FftEdits, SlopingTilesTurnFlatFloorNormals) {
  Mesh m = field();
  m.primary->textured_quads[1].normals[2].x.raw = 1000;  // smoothed
  const Edited e = edited(m, "set-tiles",
                          {{"x", "0..1"}, {"z", "0"}, {"slope", "0x85"}, {"slope-height", "1"}, {"floor", "follow"}});
  const auto& quads = e.mesh.primary->textured_quads;
  // The northern corners, B and D, are one step higher.
  EXPECT_EQ(quads[0].positions[0].y, -48);
  EXPECT_EQ(quads[0].positions[1].y, -60);
  EXPECT_EQ(quads[0].positions[3].y, -60);
  // The normal of (0, -12, 28) and (28, 0, 0) is (0, -28, -12), with length sqrt(928): -3764.8 and -1613.5 of 4096.
  for (const Normal& n : quads[0].normals) EXPECT_EQ(n, (Normal{{0}, {-3765}, {-1613}}));
  EXPECT_EQ(quads[1].positions[1].y, -60);
  EXPECT_EQ(quads[1].normals, m.primary->textured_quads[1].normals);
  EXPECT_THAT(e.told, HasSubstr("1 polygon keeps its smoothed normals"));
}

TEST(FftEdits, WaterSurfaceFollowsTheDepth) {
  Mesh m = field();
  Terrain::tile(*m.terrain, 0, 0, 0)->depth = 1;
  TexturedQuad water = m.primary->textured_quads[0];
  for (Position& p : water.positions) p.y = -60;
  m.primary->textured_quads.push_back(water);
  const Edited e =
      edited(m, "set-tiles", {{"x", "0"}, {"z", "0"}, {"height", "3"}, {"depth", "3"}, {"floor", "follow"}});
  for (const Position& p : e.mesh.primary->textured_quads[0].positions) EXPECT_EQ(p.y, -36);
  for (const Position& p : e.mesh.primary->textured_quads[7].positions) EXPECT_EQ(p.y, -72);
}

TEST(FftEdits, OnlyBoundPolygonsFollowTiles) {
  Mesh m = field();
  m.primary->textured_quads[0].tile = {127, 0, 255};
  m.primary->textured_quads[1].tile.level = 1;
  const Edited e = edited(m, "raise-tiles", {{"x", "0..2"}, {"z", "0"}, {"by", "-4"}, {"floor", "follow"}});
  const auto& quads = e.mesh.primary->textured_quads;
  EXPECT_EQ(quads[0].positions, m.primary->textured_quads[0].positions);
  EXPECT_EQ(quads[1].positions, m.primary->textured_quads[1].positions);
  EXPECT_EQ(quads[2].positions[0].y, 0);
}

TEST(FftEdits, MovesTextureCoordinatesWithinTheirPage) {
  const Mesh m = field();
  const Edited e = edited(m, "move-uvs", {{"of", "textured_quads[0..1]"}, {"by", "16,-0"}});
  Mesh expected = m;
  for (size_t i : {0u, 1u})
    for (Uv& uv : expected.primary->textured_quads[i].uvs) uv.u = u8(uv.u + 16);
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
  EXPECT_EQ(bytes_of(edited(e.mesh, "move-uvs", {{"of", "textured_quads[0..1]"}, {"by", "-16,0"}}).mesh), bytes_of(m));
  EXPECT_THAT(refused(m, "move-uvs", {{"of", "textured_quads[0]"}, {"by", "0,-1"}}), HasSubstr("outside its page"));
  EXPECT_THAT(refused(m, "move-uvs", {{"of", "untextured_quads[0]"}, {"by", "1,1"}}), HasSubstr("untextured"));
  EXPECT_THAT(refused(m, "move-uvs", {{"of", "textured_quads[0]"}, {"by", "0.5,1"}}), HasSubstr("whole"));
}

TEST(FftEdits, SetsFlatSmoothOrUniformNormals) {
  Mesh m = field();
  auto& quads = m.primary->textured_quads;
  // A roof: two quads meet at an edge, and each falls by one step on its other side.
  quads[0].positions = {Position{0, -36, 0}, Position{0, -36, 28}, Position{28, -48, 0}, Position{28, -48, 28}};
  quads[1].positions = {Position{28, -48, 0}, Position{28, -48, 28}, Position{56, -36, 0}, Position{56, -36, 28}};
  m.settle();
  const Edited flat = edited(m, "set-normals", {{"of", "textured_quads[0..1]"}, {"shape", "flat"}});
  // Along (28, -12, 0), of length sqrt(928): the normal is (-12, -28, 0) / sqrt(928).
  const Normal west{{-1614}, {-3765}, {0}}, east{{1614}, {-3765}, {0}};
  for (const Normal& n : flat.mesh.primary->textured_quads[0].normals) {
    EXPECT_NEAR(n.x.raw, west.x.raw, 1);
    EXPECT_NEAR(n.y.raw, west.y.raw, 1);
  }
  EXPECT_NEAR(flat.mesh.primary->textured_quads[1].normals[0].x.raw, east.x.raw, 1);
  EXPECT_EQ(flat.mesh.primary->textured_quads[2].normals, m.primary->textured_quads[2].normals);
  const Edited smooth = edited(m, "set-normals", {{"of", "textured_quads[0..1]"}, {"shape", "smooth"}});
  const auto& left = smooth.mesh.primary->textured_quads[0].normals;
  EXPECT_NEAR(left[0].x.raw, west.x.raw, 1);
  EXPECT_NEAR(left[2].x.raw, 0, 1);  // at the ridge, the mean of both
  EXPECT_NEAR(left[2].y.raw, -4096, 1);
  const Edited one = edited(m, "set-normals", {{"of", "textured_quads[0]"}, {"normal", "0,0,-0.5"}});
  for (const Normal& n : one.mesh.primary->textured_quads[0].normals) EXPECT_EQ(n, (Normal{{0}, {0}, {-4096}}));
  EXPECT_THAT(refused(m, "set-normals", {{"of", "textured_quads[0]"}}), HasSubstr("nothing to set"));
  EXPECT_THAT(refused(m, "set-normals", {{"of", "textured_quads[0]"}, {"normal", "0,0,0"}}), HasSubstr("direction"));
  EXPECT_THAT(refused(m, "set-normals", {{"of", "untextured_quads[0]"}, {"shape", "flat"}}),
              HasSubstr("no selected polygon"));
}

TEST(FftEdits, WallsFollowTheTilesOnBothSides) {
  Mesh m = field();
  auto& quads = m.primary->textured_quads;
  // Tile (1, 0) is a pit of three steps, with walls to the north and, across two tiles, to the south.
  Terrain::tile(*m.terrain, 0, 1, 0)->height = 1;
  for (Position& p : quads[1].positions) p.y = -12;
  TexturedQuad wall = quads[6];
  wall.tile = {127, 0, 255};
  wall.positions = {Position{28, -12, 28}, Position{28, -48, 28}, Position{56, -12, 28}, Position{56, -48, 28}};
  quads.push_back(wall);  // 7: between the pit and tile (1, 1)
  wall.positions = {Position{0, 0, 0}, Position{0, -48, 0}, Position{56, 0, 0}, Position{56, -12, 0}};
  quads.push_back(wall);  // 8: the rim of the map
  wall.positions = {Position{42, -12, 28}, Position{42, -48, 28}, Position{56, -12, 28}, Position{56, -48, 28}};
  quads.push_back(wall);  // 9: half an edge
  UntexturedQuad black = m.primary->untextured_quads[0];
  black.positions = {Position{56, -12, 0}, Position{56, -48, 0}, Position{56, -12, 28}, Position{56, -48, 28}};
  m.primary->untextured_quads.push_back(black);  // between the pit and tile (2, 0)
  m.settle();
  const auto raised = [&](std::vector<Argument> a) { return edited(m, "raise-tiles", std::move(a)); };
  const Edited pit = raised({{"x", "1"}, {"z", "0"}, {"by", "1"}, {"walls", "follow"}});
  const auto ys = [](const auto& p) {
    std::vector<int> out;
    for (const Position& q : p.positions) out.push_back(q.y);
    return out;
  };
  const auto quad = [&](const Edited& e, size_t i) { return ys(e.mesh.primary->textured_quads[i]); };
  EXPECT_EQ(quad(pit, 1), (std::vector<int>{-12, -12, -12, -12}));  // without floor=follow
  EXPECT_EQ(quad(pit, 7), (std::vector<int>{-24, -48, -24, -48}));
  EXPECT_EQ(quad(pit, 8), (std::vector<int>{0, -48, 0, -24}));
  EXPECT_EQ(quad(pit, 9), (std::vector<int>{-12, -48, -12, -48}));  // it does not cover a whole edge
  EXPECT_EQ(ys(pit.mesh.primary->untextured_quads[1]), (std::vector<int>{-24, -48, -24, -48}));
  EXPECT_EQ(pit.told, "1 of 1 tile changed; 3 walls follow with 5 vertices");
  // Raise the tile above it: the top follows; to the west and east nothing closes the new steps.
  const Edited top = raised({{"x", "1"}, {"z", "1"}, {"by", "2"}, {"floor", "follow"}, {"walls", "follow"}});
  EXPECT_EQ(quad(top, 4), (std::vector<int>{-72, -72, -72, -72}));
  EXPECT_EQ(quad(top, 7), (std::vector<int>{-12, -72, -12, -72}));
  EXPECT_EQ(quad(top, 6), (std::vector<int>{0, -72, 0, -72}));  // it is bound to the tile, so it is floor
  EXPECT_EQ(quad(top, 8), quad(pit, 8).size() ? (std::vector<int>{0, -48, 0, -12}) : std::vector<int>());
  EXPECT_EQ(top.told,
            "1 of 1 tile changed; 2 polygons follow with 6 vertices; 1 wall follows with 2 vertices; 2 edges are now "
            "a step without a wall");
  // Raise both tiles at once: the wall between them rises as a whole.
  const Edited both = raised({{"x", "1"}, {"z", "0..1"}, {"by", "1"}, {"walls", "follow"}});
  EXPECT_EQ(quad(both, 7), (std::vector<int>{-24, -60, -24, -60}));
  // Raising and lowering again restores the file.
  Edited back = top;
  back =
      edited(top.mesh, "raise-tiles", {{"x", "1"}, {"z", "1"}, {"by", "-2"}, {"floor", "follow"}, {"walls", "follow"}});
  EXPECT_EQ(bytes_of(back.mesh), bytes_of(m));
}

TEST(FftEdits, RejectsMissingTilesAndInvalidValues) {
  const Mesh m = field();
  EXPECT_THAT(refused(m, "set-tiles", {{"x", "0..3"}, {"z", "0"}, {"height", "1"}}),
              HasSubstr("out of range (0 to 2)"));
  EXPECT_THAT(refused(m, "set-tiles", {{"x", "0"}, {"z", "0"}}), HasSubstr("nothing"));
  EXPECT_THAT(refused(m, "set-tiles", {{"x", "0"}, {"z", "0"}, {"surface", "custard"}}), HasSubstr("custard"));
  EXPECT_THAT(refused(m, "set-tiles", {{"x", "0"}, {"z", "0"}, {"heigth", "1"}, {"height", "1"}}), HasSubstr("heigth"));
  EXPECT_THAT(refused(m, "raise-tiles", {{"x", "0..2"}, {"z", "0"}, {"by", "252"}}),
              HasSubstr("tile 0,0 would have height 256"));
  EXPECT_THAT(refused(night_mesh(), "raise-tiles", {{"x", "0"}, {"z", "0"}, {"by", "1"}}), HasSubstr("no terrain"));
  EXPECT_THAT(refused(odd_mesh(), "raise-tiles", {{"x", "0..16"}, {"z", "15"}, {"level", "1"}, {"by", "1"}}),
              HasSubstr("512"));
}

TEST(FftEdits, IndexesWideMapsLikeTheGame) {
  const Mesh m = odd_mesh();
  const Edited e = edited(m, "set-tiles", {{"x", "16"}, {"z", "15"}, {"height", "9"}});
  Mesh expected = m;
  expected.terrain->levels[1][15].height = 9;
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
}

TEST(FftEdits, ResizingTerrainKeepsExistingTiles) {
  Mesh m = field();
  m.terrain->levels[0][200].unk_1 = 77;  // after the tiles
  const Edited e = edited(m, "resize-terrain", {{"x", "2"}, {"z", "3"}});
  const Terrain& t = *e.mesh.terrain;
  EXPECT_EQ(t.size_x, 2);
  EXPECT_EQ(t.size_z, 3);
  for (u32 z = 0; z < 2; ++z)
    for (u32 x = 0; x < 2; ++x) EXPECT_EQ(*Terrain::tile(t, 0, x, z), *Terrain::tile(*m.terrain, 0, x, z));
  EXPECT_TRUE(Terrain::tile(t, 0, 1, 2)->absent);
  EXPECT_EQ(t.levels[0][200].unk_1, 77);
  EXPECT_THAT(e.told, HasSubstr("2 polygons are bound to tiles that do not exist"));
  EXPECT_THAT(refused(m, "resize-terrain", {{"x", "17"}, {"z", "16"}}), HasSubstr("272"));
  EXPECT_THAT(refused(odd_mesh(), "resize-terrain", {{"x", "16"}, {"z", "16"}}), HasSubstr("272"));
}

// ---- polygons ----

TEST(FftEdits, MovesPolygonsAndTheirTiles) {
  const Mesh m = field();
  const Edited e = edited(m, "move-polygons",
                          {{"of", "textured_quads[0],untextured_quads"}, {"by", "28,-12,56"}, {"tiles", "follow"}});
  Mesh expected = m;
  for (auto* positions :
       {&expected.primary->textured_quads[0].positions, &expected.primary->untextured_quads[0].positions})
    for (Position& p : *positions) p.x += 28, p.y -= 12, p.z += 56;
  expected.primary->textured_quads[0].tile = {2, 0, 1};
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
  EXPECT_EQ(e.told, "2 polygons moved by 28, -12, 56");
  EXPECT_THAT(refused(m, "move-polygons", {{"of", "textured_quads[0..2]"}, {"by", "32700,0,0"}}),
              HasSubstr("primary.textured_quads[2]: coordinate 32784 is out of range"));
  EXPECT_THAT(refused(m, "move-polygons", {{"of", "textured_quads[0]"}, {"by", "10,0,0"}, {"tiles", "follow"}}),
              HasSubstr("whole tiles"));
  EXPECT_THAT(refused(m, "move-polygons", {{"of", "textured_quads[0]"}, {"by", "-28,0,0"}, {"tiles", "follow"}}),
              HasSubstr("tile -1,0"));
  EXPECT_THAT(refused(m, "move-polygons", {{"of", "textured_quads[0]"}, {"by", "1.5,0,0"}}), HasSubstr("whole"));
  EXPECT_THAT(refused(m, "move-polygons", {{"of", "textured_quads[9]"}, {"by", "1,0,0"}}),
              HasSubstr("the file has only 7"));
  EXPECT_THAT(refused(m, "move-polygons", {{"by", "1,0,0"}}), HasSubstr("the argument \"of\" is missing"));
}

TEST(FftEdits, MovesPolygonsOfSelectedTiles) {
  const Mesh m = field();
  const Edited e = edited(m, "move-polygons", {{"x", "1"}, {"z", "0..1"}, {"by", "0,1,0"}});
  EXPECT_EQ(e.told, "3 polygons moved by 0, 1, 0");
  EXPECT_EQ(e.mesh.primary->textured_quads[6].positions[0].y, 1);
  EXPECT_THAT(refused(m, "move-polygons", {{"x", "9"}, {"z", "0"}, {"by", "0,1,0"}}),
              HasSubstr("no polygon is bound to these tiles"));
  EXPECT_THAT(refused(m, "move-polygons", {{"x", "1"}, {"z", "0"}, {"of", "primary"}, {"by", "0,1,0"}}),
              HasSubstr("cannot be combined"));
}

TEST(FftEdits, RemovesPolygonsWithTheirProperties) {
  const Mesh m = field();
  const Edited e =
      edited(m, "remove-polygons", {{"of", "textured_quads[1..2],textured_quads[4],textured_triangles[0]"}});
  Mesh expected = m;
  auto& quads = expected.primary->textured_quads;
  quads = {quads[0], quads[3], quads[5], quads[6]};
  expected.primary->textured_triangles.clear();
  expected.settle();
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
  // Palette, tile and hidden_from were made equal, so that they show misaligned properties.
  EXPECT_EQ(e.mesh.primary->textured_quads[1].palette, 3);
  EXPECT_EQ(e.mesh.primary->textured_quads[1].render.hidden_from, 3);
  EXPECT_EQ(e.mesh.primary->textured_quads[1].tile, (TileBinding{1, 0, 0}));
  EXPECT_EQ(e.mesh.render_properties->unused_textured_quads.size(), 768u - 4);
  EXPECT_EQ(e.mesh.render_properties->unused_textured_quads[0], k_plain_render);
}

TEST(FftEdits, AppendsCopiesAtTheEnd) {
  const Mesh m = field();
  const Edited e = edited(m, "copy-polygons", {{"of", "textured_quads[2..3]"}, {"by", "0,-24,0"}});
  Mesh expected = m;
  for (const size_t i : {2, 3}) {
    TexturedQuad q = m.primary->textured_quads[i];
    for (Position& p : q.positions) p.y -= 24;
    expected.primary->textured_quads.push_back(q);
  }
  expected.settle();
  expected.render_properties->unused_textured_quads.resize(768 - 9);
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
  EXPECT_EQ(e.mesh.primary->textured_quads[7].render.hidden_from, 2);
  EXPECT_EQ(e.told, "2 polygons copied; the first is primary.textured_quads[7]");
}

TEST(FftEdits, RejectsCopiesBeyondTheGameLimit) {
  Mesh m = field();
  m.animated[3].emplace().untextured_quads.resize(254, m.primary->untextured_quads[0]);
  const Edited fits = edited(m, "copy-polygons", {{"of", "untextured_quads"}, {"by", "0,0,0"}});
  EXPECT_EQ(count_all_polygons(fits.mesh)[3], 256u);
  const std::string why = refused(fits.mesh, "copy-polygons", {{"of", "untextured_quads[0]"}, {"by", "0,0,0"}});
  EXPECT_THAT(why, HasSubstr("257 untextured quads; the game has room for 256"));
  EXPECT_THAT(why, HasSubstr("force=yes"));
  const Edited forced =
      edited(fits.mesh, "copy-polygons", {{"of", "untextured_quads[0]"}, {"by", "0,0,0"}, {"force", "yes"}});
  EXPECT_EQ(count_all_polygons(forced.mesh)[3], 257u);
}

TEST(FftEdits, SetsPolygonDrawingProperties) {
  const Mesh m = field();
  const Edited e = edited(m, "set-polygons",
                          {{"of", "textured_quads[1],untextured_quads[0]"},
                           {"palette", "15"},
                           {"page", "2"},
                           {"tile", "2,1,1"},
                           {"lit", "no"},
                           {"hidden-from", "SW+SSE"}});
  Mesh expected = m;
  TexturedQuad& q = expected.primary->textured_quads[1];
  q.palette = 15, q.page = 2, q.tile = {1, 1, 2}, q.render.lit = 0, q.render.hidden_from = 0x801;
  expected.primary->untextured_quads[0].render.lit = 0;
  expected.primary->untextured_quads[0].render.hidden_from = 0x801;
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
  EXPECT_TRUE(edited(m, "set-polygons", {{"of", "textured_quads[1]"}, {"tile", "none"}})
                  .mesh.primary->textured_quads[1]
                  .tile.is_none());
  EXPECT_THAT(refused(m, "set-polygons", {{"of", "primary"}, {"tile", "1"}}), HasSubstr("none"));
  EXPECT_THAT(refused(broken_bridge_mesh(), "set-polygons", {{"of", "textured_quads[0]"}, {"lit", "no"}}),
              HasSubstr("render properties"));
}

/// The document converted to JSON, changed, and converted back.
Mesh through_json(const Mesh& m, const std::function<void(Value& document)>& change) {
  const auto o = dio::open(bytes_of(m), "MAP001.8", &mesh_format());
  EXPECT_TRUE(o) << format_one_line(o.error());
  Value v = decode(*o);
  change(*v.find("document"));
  const auto read = json::read(json::write(v));
  EXPECT_TRUE(read);
  const auto bytes = encode(*read);
  EXPECT_TRUE(bytes) << format_one_line(bytes.error());
  return bytes ? loaded(*bytes) : Mesh{};
}
Value& member(Value& v, std::initializer_list<const char*> names) {
  Value* at = &v;
  for (const char* n : names) at = at->find(n);
  return *at;
}

TEST(FftEdits, JsonEditsKeepPolygonPropertiesInStep) {
  const Mesh m = field();
  const Mesh removed = through_json(m, [](Value& d) {
    auto& quads = member(d, {"primary", "textured_quads"}).members();
    quads.erase(quads.begin() + 1);
  });
  EXPECT_EQ(bytes_of(removed), bytes_of(edited(m, "remove-polygons", {{"of", "textured_quads[1]"}}).mesh));
  const Mesh added = through_json(m, [](Value& d) {
    auto& quads = member(d, {"primary", "textured_quads"}).members();
    quads.push_back(quads[2]);
  });
  EXPECT_EQ(bytes_of(added), bytes_of(edited(m, "copy-polygons", {{"of", "textured_quads[2]"}, {"by", "0,0,0"}}).mesh));
  const Mesh moved = through_json(m, [](Value& d) {
    Value& p = *d.find("primary")->find("textured_triangles");
    for (auto& [name, corner] : p.members()[0].second.find("positions")->members())
      *corner.find("x") = Value(corner.find("x")->number() + 5 == 5 ? 5 : 33);
  });
  EXPECT_EQ(bytes_of(moved),
            bytes_of(edited(m, "move-polygons", {{"of", "textured_triangles[0]"}, {"by", "5,0,0"}}).mesh));
  const Mesh reordered = through_json(m, [](Value& d) {
    auto& quads = member(d, {"primary", "textured_quads"}).members();
    std::rotate(quads.begin(), quads.begin() + 1, quads.end());
  });
  for (size_t i = 0; i < 6; ++i) {
    const TexturedQuad &a = reordered.primary->textured_quads[i], &b = m.primary->textured_quads[i + 1];
    EXPECT_EQ(a.render, b.render);
    EXPECT_EQ(a.tile, b.tile);
    EXPECT_EQ(a.positions, b.positions);
  }
}

// ---- lights, palettes, texture animation ----

TEST(FftEdits, SetsLightColorsAndDirections) {
  const Mesh m = valley_mesh();
  const Edited e = edited(m, "set-light",
                          {{"light", "2"},
                           {"color", "1.5,0.25,-1"},
                           {"direction", "0,-1,0.5"},
                           {"ambient", "10,20,30"},
                           {"bottom", "1,2,3"}});
  Mesh expected = m;
  Lights& l = *expected.lights;
  l.red[1].raw = 6144, l.green[1].raw = 1024, l.blue[1].raw = -4096;
  l.directions[1] = {{0}, {-4096}, {2048}};
  l.ambient = {10, 20, 30}, l.bottom = {1, 2, 3};
  EXPECT_EQ(bytes_of(e.mesh), bytes_of(expected));
  EXPECT_THAT(refused(m, "set-light", {{"light", "4"}, {"color", "1,1,1"}}), HasSubstr("out of range (1 to 3)"));
  EXPECT_THAT(refused(m, "set-light", {{"light", "1"}, {"color", "9,0,0"}}), HasSubstr("color must be 3 numbers"));
  EXPECT_THAT(refused(m, "set-light", {{"color", "1,0,0"}}), HasSubstr("the argument \"light\" is missing"));
  EXPECT_THAT(refused(m, "set-light", {{"ambient", "256,0,0"}}), HasSubstr("255"));
  EXPECT_THAT(refused(m, "set-light", {}), HasSubstr("nothing to set"));
  EXPECT_THAT(refused(field(), "set-light", {{"ambient", "1,1,1"}}), HasSubstr("the file has no lights"));
}

TEST(FftEdits, SetsPaletteColors) {
  Mesh m = valley_mesh();
  m.palettes->rows[3][5].stp = 1;
  const Edited e = edited(m, "set-palette", {{"row", "3"}, {"index", "4..5"}, {"color", "31,0,16"}});
  EXPECT_EQ(e.mesh.palettes->rows[3][4], (Color{m.palettes->rows[3][4].stp, 16, 0, 31}));
  EXPECT_EQ(e.mesh.palettes->rows[3][5], (Color{1, 16, 0, 31}));
  EXPECT_EQ(e.mesh.palettes->rows[3][6], m.palettes->rows[3][6]);
  EXPECT_EQ(e.mesh.palettes->rows[4], m.palettes->rows[4]);
  const Edited gray = edited(
      m, "set-palette", {{"of", "gray_palettes"}, {"row", "0"}, {"index", "1"}, {"color", "#ff8810"}, {"stp", "1"}});
  EXPECT_EQ(gray.mesh.gray_palettes->rows[0][1], (Color{1, 2, 17, 31}));
  const Edited clear = edited(m, "set-palette", {{"row", "3"}, {"index", "5"}, {"color", "clear"}});
  EXPECT_TRUE(clear.mesh.palettes->rows[3][5].is_clear());
  EXPECT_THAT(refused(m, "set-palette", {{"row", "0"}, {"index", "1"}, {"color", "0,0,0"}, {"stp", "0"}}),
              HasSubstr("transparent"));
  EXPECT_THAT(refused(m, "set-palette", {{"row", "0"}, {"index", "1"}, {"color", "32,0,0"}}), HasSubstr("color="));
  EXPECT_THAT(refused(m, "set-palette", {{"row", "16"}, {"index", "1"}, {"color", "1,0,0"}}), HasSubstr("15"));
  EXPECT_THAT(refused(field(), "set-palette", {{"row", "1"}, {"index", "1"}, {"color", "1,0,0"}}),
              HasSubstr("the file has no palettes"));
}

TEST(FftEdits, SetsTextureAnimationRows) {
  const Mesh m = valley_mesh();
  const Edited texels = edited(m, "set-animation",
                               {{"row", "30"},
                                {"mode", "texels, ping-pong"},
                                {"canvas", "1,68,58"},
                                {"size", "28,70"},
                                {"frames", "0,36,178"},
                                {"count", "3"},
                                {"duration", "15"}});
  // The row of MAP062.8 in the specification: 51 03 3a 00 07 00 46 00 09 03 b2 00.
  const TextureAnimation& t = texels.mesh.texture_animations->rows[30];
  EXPECT_EQ(t.canvas_x, 0x351);
  EXPECT_EQ(t.canvas_y, 0x3A);
  EXPECT_EQ(t.width, 7);
  EXPECT_EQ(t.height, 0x46);
  EXPECT_EQ(t.frame_x, 0x309);
  EXPECT_EQ(t.frame_y, 0xB2);
  EXPECT_EQ(t.mode, 2);
  EXPECT_EQ(t.frame_count, 3);
  EXPECT_EQ(t.duration, 15);
  EXPECT_EQ(texels.mesh.texture_animations->rows[29], m.texture_animations->rows[29]);
  const Edited palette =
      edited(m, "set-animation", {{"row", "31"}, {"mode", "3"}, {"palette", "5"}, {"first", "2"}, {"count", "4"}});
  const TextureAnimation& p = palette.mesh.texture_animations->rows[31];
  EXPECT_EQ(p.canvas_x, 80);
  EXPECT_EQ(p.canvas_y, 480);
  EXPECT_EQ(p.frame_x, 2);
  EXPECT_THAT(refused(m, "set-animation", {{"row", "32"}}), HasSubstr("31"));
  EXPECT_THAT(refused(m, "set-animation", {{"row", "1"}, {"canvas", "0,3,0"}}), HasSubstr("multiple of 4"));
  EXPECT_THAT(refused(m, "set-animation", {{"row", "1"}, {"canvas", "4,0,0"}}), HasSubstr("PAGE is 0 to 3"));
  EXPECT_THAT(refused(m, "set-animation", {{"row", "1"}, {"size", "6,2"}}), HasSubstr("multiple of 4"));
  EXPECT_THAT(refused(m, "set-animation", {{"row", "1"}, {"canvas", "0,0,0"}, {"palette", "1"}}),
              HasSubstr("one kind"));
  EXPECT_THAT(refused(field(), "set-animation", {{"row", "1"}, {"mode", "1"}}), HasSubstr("texture animations"));
}

}  // namespace
