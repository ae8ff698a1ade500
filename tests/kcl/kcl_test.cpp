// kcl_test.cpp: tests specific to KCL. every_format_test.cpp covers the properties that all formats share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "core/json.hpp"
#include "engine/broken_rules.hpp"
#include "engine/corpus.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/registry.hpp"
#include "kcl/damaged.hpp"
#include "operations/editing.hpp"
#include "operations/merging.hpp"
#include "operations/operations.hpp"

namespace dio::kcl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Format& format() { return *find_format("kcl"); }

Kcl loaded(const Bytes& bytes) {
  auto d = load<Kcl>(bytes);
  EXPECT_TRUE(d) << (d ? "" : format_one_line(d.error()));
  return d ? d->document.value() : Kcl{};
}
Bytes sample(std::string_view name) {
  for (Sample& s : samples_of(format()))
    if (s.name == name) return std::move(s.bytes);
  ADD_FAILURE() << "no sample " << name;
  return {};
}
Diagnostics findings_of(const Bytes& bytes) {
  auto o = open(bytes, "course.kcl", &format());
  return o ? check(*o) : Diagnostics{o.error()};
}

const std::vector<test::BrokenFile>& broken_files() {
  static const std::vector<test::BrokenFile> all = broken::files();
  return all;
}

// ---- reading

TEST(Kcl, MarioKartWiiHeadersContainARadius) {
  const Kcl k = loaded(sample("box.kcl"));
  EXPECT_EQ(k.positions_offset, 0x3Cu);
  EXPECT_EQ(k.sphere_radius, 250.0f);
  EXPECT_EQ(k.thickness, 300.0f);
  EXPECT_EQ(k.prisms_offset + 16, 0x3Cu + 12 * (k.positions.size() + k.normals.size()));
  const Kcl other = loaded(sample("short_header.kcl"));
  EXPECT_EQ(other.positions_offset, 0x38u);
  EXPECT_FALSE(other.sphere_radius);
  EXPECT_EQ(other.prisms[7].attribute, 7);
}

TEST(Kcl, FlagsMatchTheBitsOfOtherTools) {
  Prism p{};
  set_flags(p, 0xF8C5, true);
  EXPECT_EQ(p.type, 5);
  EXPECT_EQ(p.variant, 6);
  EXPECT_EQ(p.light, 0);
  EXPECT_EQ(p.wheel_depth, 3);
  EXPECT_EQ(p.trickable, 1);
  EXPECT_EQ(p.reject_road, 1);
  EXPECT_EQ(p.soft_wall, 1);
  for (u32 flags = 0; flags < 0x10000; flags += 0x101) {
    set_flags(p, u16(flags), true);
    EXPECT_EQ(flags_of(p, true), flags);
  }
  // the same bits in the file
  Kcl k = built(box());
  set_flags(k.prisms[0], 0xA0C5, true);
  const Bytes b = bytes_of(k);
  const size_t at = loaded(b).prisms_offset + 16 + 14;
  EXPECT_EQ(b[at], 0xA0);
  EXPECT_EQ(b[at + 1], 0xC5);
}

TEST(Kcl, NamesVariantsByType) {
  const TraceResult t = format().trace(sample("types.kcl"), {});
  const auto shown = [&](const std::string& path) {
    const auto spot = t.spans.find(path);
    return spot ? t.spans.show(spot->span) : "no " + path;
  };
  EXPECT_EQ(shown("prisms[24].type"), "12 (wall)");
  EXPECT_EQ(shown("prisms[24].variant"), "4 (ice)");
  EXPECT_EQ(shown("prisms[34].type"), "17 (cannon trigger)");
  EXPECT_EQ(shown("prisms[34].variant"), "1 (cannon 1)");
}

TEST(Kcl, ClassifiesEveryTypeLikeTheGame) {
  size_t roads = 0, walls = 0;
  for (u8 type = 0; type < 32; ++type) {
    roads += use_of(type) == SurfaceUse::road;
    walls += use_of(type) == SurfaceUse::wall;
    EXPECT_FALSE(k_types.of(type).empty());
  }
  EXPECT_EQ(roads, 17u);
  EXPECT_EQ(walls, 9u);
  EXPECT_EQ(use_of(k_fall_boundary), SurfaceUse::trigger);
}

TEST(Kcl, KeepsListsThatShareTheirEnds) {
  const Bytes bytes = sample("hills.kcl");
  const Kcl k = loaded(bytes);
  size_t empty_cells = 0, empty_lists = 0;
  OctreeView(k).for_each_cell([&](const Cell&, std::span<const u16> list) { empty_cells += list.empty(); });
  for (const PrismList& l : k.octree.lists) empty_lists += l.prisms.size() == 1;
  EXPECT_GT(empty_cells, 0u);
  EXPECT_EQ(empty_lists, 0u) << "an empty list is the end of another one";
  EXPECT_EQ(test::as_hex(bytes_of(k)), test::as_hex(bytes));
}

TEST(Kcl, DetectsFilesByHeaderAlone) {
  for (const Sample& s : samples_of(format()))
    EXPECT_EQ(format().sniff(s.bytes, "").certainty, Sniff::Certainty::certain) << s.name;
  const Bytes box = sample("box.kcl");
  for (const size_t word : {0, 1, 2, 3, 8, 9, 10, 11, 12, 13}) {  // offsets, masks, shifts
    Bytes b = box;
    b[4 * word] ^= 0x7F;
    EXPECT_EQ(format().sniff(b, "").certainty, Sniff::Certainty::no) << word;
    EXPECT_EQ(format().sniff(b, "a.kcl").certainty, Sniff::Certainty::possible) << word;
  }
}

TEST(Kcl, DoesNotClaimOtherFormats) {
  for (const Format* f : formats())
    for (const Sample& s : samples_of(*f))
      if (f != &format()) {
        EXPECT_EQ(format().sniff(s.bytes, "").certainty, Sniff::Certainty::no) << s.name;
      }
}

// ---- triangles

TEST(Kcl, BuiltTrianglesReadBackAccurately) {
  for (const auto& triangles : {box(), hills(), types()}) {
    const Kcl k = loaded(bytes_of(built(triangles)));
    ASSERT_EQ(k.prisms.size(), triangles.size());
    for (size_t i = 0; i < triangles.size(); ++i) {
      const auto t = compute_prism_triangle(k, k.prisms[i]);
      ASSERT_TRUE(t);
      EXPECT_EQ(flags_of(k.prisms[i], true), triangles[i].flags);
      for (size_t c = 0; c < 3; ++c) {
        const Point p = point_of(triangles[i].corners[c]);
        EXPECT_LT(length((*t)[c] - p), 0.01) << i << " corner " << c;
      }
    }
  }
}

TEST(Kcl, StoresPositionsAndNormalsOnce) {
  const Kcl k = built(box());
  EXPECT_EQ(k.positions.size(), 4u);  // the first corners of five squares
  EXPECT_THAT(findings_of(bytes_of(k)), IsEmpty());
}

TEST(Kcl, RejectsTooManyTriangles) {
  const auto t = box();
  const std::vector<FlaggedTriangle> many(70'000, t[0]);
  const auto b = build_collision(many);
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "kcl.build-prisms");
  EXPECT_THAT(b.error().message, testing::HasSubstr("70,000"));
}

TEST(Kcl, RejectsTooManyDifferentNormals) {
  // a bowl in which all triangles have different normals
  std::vector<FlaggedTriangle> t;
  constexpr int n = 105;
  const auto at = [](int x, int z) { return Vec3{f32(x) * 100, f32(x * x + z * z + x * z / 3), f32(z) * 100}; };
  for (int z = 0; z < n; ++z)
    for (int x = 0; x < n; ++x) {
      t.push_back({{at(x, z), at(x, z + 1), at(x + 1, z + 1)}});
      t.push_back({{at(x, z), at(x + 1, z + 1), at(x + 1, z)}});
    }
  const auto b = build_collision(t);
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().id, "kcl.build-numbers");
  EXPECT_THAT(b.error().message, testing::HasSubstr("22,050 triangles"));
}

TEST(Kcl, MergesSimilarNormalsIfTooMany) {
  // level ground with tiny differences in height
  std::vector<FlaggedTriangle> t;
  constexpr int n = 120;
  const auto at = [](int x, int z) {
    return Vec3{f32(x) * 500, f32((x * 7919 + z * 104729) % 997) / 1000, f32(z) * 500};
  };
  for (int z = 0; z < n; ++z)
    for (int x = 0; x < n; ++x) {
      t.push_back({{at(x, z), at(x, z + 1), at(x + 1, z + 1)}});
      t.push_back({{at(x, z), at(x + 1, z + 1), at(x + 1, z)}});
    }
  const auto b = build_collision(t);
  ASSERT_TRUE(b) << format_one_line(b.error());
  EXPECT_LE(b->kcl.normals.size(), 65536u);
  f64 worst = 0;
  for (size_t i = 0; i < t.size(); ++i) {
    const auto made = compute_prism_triangle(b->kcl, b->kcl.prisms[i]);
    ASSERT_TRUE(made);
    for (size_t c = 0; c < 3; ++c) worst = std::max(worst, length((*made)[c] - point_of(t[i].corners[c])));
  }
  EXPECT_LT(worst, 0.2);
}

TEST(Kcl, DropsTrianglesWithoutArea) {
  auto t = box();
  t[3].corners[1] = t[3].corners[0];
  t[4].corners[2] = {t[4].corners[0].x, std::numeric_limits<f32>::infinity(), 0};
  const auto b = build_collision(t);
  ASSERT_TRUE(b);
  EXPECT_EQ(b->dropped, 2u);
  EXPECT_EQ(b->kcl.prisms.size(), t.size() - 2);
}

TEST(Kcl, DetectsHitsLikeTheGame) {
  const Kcl k = built(box());
  const auto floor = resolve_prism_shape(k, k.prisms[0]);
  ASSERT_TRUE(floor);
  const auto hit = [&](Point p, f64 radius) { return is_hit(*floor, 300, p, radius); };
  EXPECT_TRUE(hit({-500, 0.1, 500}, 1));
  EXPECT_FALSE(hit({-500, 1.1, 500}, 1));
  EXPECT_TRUE(hit({-500, -299, 500}, 1));
  EXPECT_FALSE(hit({-500, -301, 500}, 1));
  EXPECT_TRUE(hit({-2099, 0, 0}, 100)) << "beside an edge";
  EXPECT_FALSE(hit({-2101, 0, 0}, 100));
  EXPECT_TRUE(hit({-2060, 0, 2060}, 100)) << "beside a corner";
  EXPECT_FALSE(hit({-2080, 0, 2080}, 100));
}

// ---- octrees

/// Positions on triangles, near them, and anywhere.
std::vector<Point> probes(const Kcl& k, size_t count, u32 seed) {
  std::mt19937 random(seed);
  const auto part = [&] { return f64(random()) / 4294967296.0; };
  std::vector<Point> out;
  while (out.size() < count && !k.prisms.empty()) {
    const auto t = compute_prism_triangle(k, k.prisms[random() % k.prisms.size()]);
    if (!t) continue;
    f64 u = part(), v = part();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    Point p;
    for (size_t i = 0; i < 3; ++i)
      p[i] = (*t)[0][i] + u * ((*t)[1][i] - (*t)[0][i]) + v * ((*t)[2][i] - (*t)[0][i]) + (part() - 0.5) * 700;
    out.push_back(p);
  }
  return out;
}
/// Counts prisms that a position can hit although its cell does not list them. At sharp corners the game tests beyond
/// the radius; Nintendo's octrees omit those places, and so do ours.
size_t missing(const Kcl& k, size_t count, u32 seed) {
  const OctreeView octree(k);
  const Depths depths = hit_depths(k);
  size_t n = 0;
  for (const Point& p : probes(k, count, seed)) {
    const auto cell = octree.at(p);
    for (size_t i = 0; i < k.prisms.size(); ++i) {
      const auto shape = resolve_prism_shape(k, k.prisms[i]);
      const auto triangle = compute_prism_triangle(k, k.prisms[i]);
      if (!triangle) continue;
      const bool solid = is_hit(*shape, depths.thickness, p, 0.01);
      const bool near = is_hit(*shape, depths.thickness, p, depths.distance) &&
                        length(p - nearest_point_on_triangle(*triangle, p)) < depths.distance;
      if (!solid && !near) continue;
      n += !cell || std::ranges::find(cell->prisms, u16(i + 1)) == cell->prisms.end();
    }
  }
  return n;
}

TEST(KclOctree, ListsEveryPrismThatCanBeHit) {
  constexpr std::array<u32, 2> k_options[] = {{1, 512}, {5, 64}, {30, 512}, {1000, 4096}};
  for (const auto& [most, cell] : k_options)
    for (const auto& triangles : {box(), hills(), types()}) {
      const Kcl k = built(triangles, {.most_prisms = most, .smallest_cell = cell});
      EXPECT_EQ(missing(k, 50, most + cell), 0u) << most << " " << cell;
    }
}

TEST(KclOctree, HandlesPrismsInAnyDirection) {
  std::mt19937 random(7);
  const auto number = [&](f32 size) { return (f32(random()) / 4294967296.0f - 0.5f) * size; };
  for (int round = 0; round < 20; ++round) {
    std::vector<FlaggedTriangle> t;
    for (int i = 0; i < 60; ++i) {
      const Vec3 a{number(9000), number(3000), number(9000)};
      const f32 size = i % 3 ? 800 : 6000;
      t.push_back({{a, Vec3{a.x + number(size), a.y + number(size), a.z + number(size)},
                    Vec3{a.x + number(size), a.y + number(size), a.z + number(size)}},
                   u16(i)});
    }
    const Kcl k = built(t, {.most_prisms = 4, .smallest_cell = 128});
    EXPECT_EQ(missing(k, 150, u32(round)), 0u);
    for (const Diagnostic& d : findings_of(bytes_of(k)))
      EXPECT_FALSE(d.id.starts_with("kcl.oct")) << format_one_line(d);
  }
}

TEST(KclOctree, FindsTheSameCellAsTheGame) {
  const Kcl k = built(hills(), {.most_prisms = 4, .smallest_cell = 128});
  const OctreeView octree(k);
  size_t cells = 0;
  EXPECT_TRUE(octree.for_each_cell([&](const Cell& c, std::span<const u16> list) {
    ++cells;
    for (const f64 inside : {0.0, c.size / 2, c.size - 1}) {
      const auto found = octree.at({c.min[0] + inside, c.min[1] + inside, c.min[2] + inside});
      ASSERT_TRUE(found);
      EXPECT_EQ(found->node, c.node);
      EXPECT_TRUE(std::ranges::equal(found->prisms, list));
    }
  }));
  EXPECT_GT(cells, 500u);
  const Point low = point_of(k.area_min);
  EXPECT_FALSE(octree.at({low[0] - 1, low[1], low[2]}));
  EXPECT_TRUE(octree.at({low[0] - 0.5, low[1], low[2]})) << "the game cuts towards 0";
}

TEST(KclOctree, SplitsCellsByTheGivenLimits) {
  const auto most_in = [](const Kcl& k, f64& smallest) {
    size_t most = 0;
    smallest = 1e9;
    OctreeView(k).for_each_cell([&](const Cell& c, std::span<const u16> list) {
      smallest = std::min(smallest, c.size);
      most = std::max(most, list.size());
    });
    return most;
  };
  f64 smallest = 0;
  EXPECT_LE(most_in(built(hills(), {.most_prisms = 20, .smallest_cell = 1}), smallest), 20u);
  most_in(built(hills(), {.most_prisms = 1, .smallest_cell = 1024}), smallest);
  EXPECT_EQ(smallest, 1024);
}

TEST(KclOctree, RebuildEditRepairsTheOctree) {
  Bytes bytes = broken::box_with([](Kcl& k) { k.octree.nodes[5].offset += 0x10000; });
  EXPECT_FALSE(findings_of(bytes).empty());
  auto o = open(bytes, "course.kcl", &format());
  ASSERT_TRUE(o);
  const std::vector<Argument> arguments = {{"triangles", "4"}, {"cell", "256"}};
  const auto said = edits()[0].apply(*o->document, arguments);
  ASSERT_TRUE(said) << format_one_line(said.error());
  const auto saved = o->document->save({});
  ASSERT_TRUE(saved);
  EXPECT_THAT(findings_of(*saved), IsEmpty());
  const std::vector<Argument> odd = {{"cell", "300"}};
  const auto refused = edits()[0].apply(*o->document, odd);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("512"));
}

/// The edited file, or nothing if an edit is rejected.
std::optional<Bytes> edited(const Format& of, const Bytes& file, std::string_view text) {
  auto editing = Editing::begin(file, ReadAs{&of});
  EXPECT_TRUE(editing);
  const auto steps = parse_edit_steps(tokenize_edit_script(text));
  EXPECT_TRUE(steps) << text;
  size_t told = 0;
  const auto done = editing->run(*steps, Referrers::refuse, [&](const std::string& line) { told += !line.empty(); });
  if (!done) {
    EXPECT_FALSE(editing->can_undo());
    EXPECT_EQ(editing->bytes(), file) << text;
    return {};
  }
  EXPECT_EQ(told, done->size());
  Bytes after = editing->bytes();
  editing->undo();
  EXPECT_FALSE(editing->can_undo()) << "one edit";
  EXPECT_EQ(editing->bytes(), file);
  editing->redo();
  EXPECT_EQ(editing->bytes(), after);
  return after;
}

TEST(KclOctree, UpdatesAfterTriangleEdits) {
  const Bytes hills = sample("hills.kcl");
  for (const std::string_view edit :
       {"remove prisms[3]", "remove prisms[0-100]", "duplicate prisms[8]", "swap prisms[2] prisms[200]",
        "move prisms[3] before=0", "sort prisms by=height", "set positions[5].y+=40", "set thickness=600",
        "set normals[0].x=0.5", "remove prisms[3] rebuild-octree triangles=4 duplicate prisms[1]"}) {
    const auto after = edited(format(), hills, edit);
    ASSERT_TRUE(after) << edit;
    for (const Diagnostic& d : findings_of(*after))
      EXPECT_FALSE(d.id.starts_with("kcl.oct")) << edit << format_one_line(d);
    EXPECT_EQ(missing(loaded(*after), 20, 3), 0u) << edit;
  }
}
TEST(KclOctree, StaysUnchangedIfTrianglesDo) {
  const Bytes hills = sample("hills.kcl");
  const Kcl was = loaded(hills);
  const u64 octree = was.octree_offset;
  for (const std::string_view edit :
       {"set prisms[3-9].variant=2", "remove prisms[3] rebuild-octree triangles=4 set prisms[0].variant=3"}) {
    const auto after = edited(format(), hills, edit);
    ASSERT_TRUE(after) << edit;
    if (edit.starts_with("set prisms"))
      EXPECT_TRUE(std::ranges::equal(ByteView(*after).subspan(octree), ByteView(hills).subspan(octree))) << edit;
    else
      EXPECT_EQ(*edited(format(), hills, "remove prisms[3] set prisms[0].variant=3 rebuild-octree triangles=4"), *after)
          << "as it was asked for";
  }
}
TEST(KclOctree, OctreeCannotBeSetDirectly) {
  EXPECT_FALSE(edited(format(), sample("hills.kcl"), "set octree.nodes[9].offset=4"));
}
TEST(KclOctree, UpdatesOnceForSeveralEdits) {
  const Bytes hills = sample("hills.kcl");
  auto editing = Editing::begin(hills, ReadAs{&format()});
  ASSERT_TRUE(editing);
  std::vector<std::string> due;
  const auto tell = [&](const Edit&, const std::string& line) { due.push_back(line); };
  const auto remove = [&](std::string_view path) -> Result<bool> {
    const auto done = editing->remove(path);
    if (!done) return refuse(done.error());
    return true;
  };
  const auto made = editing->run_as_transaction(
      [&]() -> Result<bool> {
        if (auto inner = editing->run_as_transaction([&] { return remove("prisms[3]"); }, tell); !inner) return inner;
        EXPECT_THAT(due, IsEmpty()) << "the end of all edits is meant";
        return remove("prisms[0-100]");
      },
      tell);
  ASSERT_TRUE(made) << format_one_line(made.error());
  EXPECT_THAT(due, testing::ElementsAre(testing::HasSubstr("octree")));
  EXPECT_EQ(editing->bytes(), *edited(format(), hills, "remove prisms[3] remove prisms[0-100]"));
  editing->undo();
  EXPECT_EQ(editing->bytes(), hills);
}
TEST(KclOctree, UpdatesWithTheLastGivenArguments) {
  const Bytes hills = sample("hills.kcl");
  EXPECT_EQ(*edited(format(), hills, "rebuild-octree triangles=4 remove prisms[3]"),
            *edited(format(), hills, "remove prisms[3] rebuild-octree triangles=4"));
}
TEST(KclOctree, MergeRebuildsFromBothSides) {
  const Bytes hills = sample("hills.kcl");
  const ReadAs read{&format()};
  const auto made = [&](std::string_view edits) { return *edited(format(), hills, edits); };
  const auto merged = [&](const Bytes& ours, const Bytes& theirs, ConflictPreference favor) {
    auto both = merge(hills, ours, theirs, "hills.kcl", read, favor);
    EXPECT_TRUE(both) << format_one_line(both.error());
    return std::move(*both);
  };
  const MergeResult clean = merged(made("remove prisms[3]"), made("remove prisms[100]"), ConflictPreference::none);
  EXPECT_THAT(clean.collisions, IsEmpty()) << "the octree is made again";
  EXPECT_EQ(clean.bytes, made("remove prisms[100] remove prisms[3]"));
  // Unknown bytes at the end are kept from either side.
  Bytes longer = hills;
  for (const char c : std::string_view("made by hand")) longer.push_back(u8(c));
  const MergeResult kept = merged(longer, made("set prisms[3].variant=2"), ConflictPreference::none);
  ASSERT_EQ(kept.bytes.size(), longer.size());
  EXPECT_EQ(kept.bytes.back(), u8('d'));
  const MergeResult moved =
      merged(made("set positions[5].y+=40"), made("set positions[9].y+=40"), ConflictPreference::none);
  EXPECT_THAT(moved.collisions, IsEmpty());
  EXPECT_EQ(missing(loaded(moved.bytes), 20, 3), 0u);

  const Bytes ours = made("remove prisms[3] set prisms[7].height=9"),
              theirs = made("remove prisms[100] set prisms[8].height=11");
  for (const ConflictPreference favor :
       {ConflictPreference::none, ConflictPreference::ours, ConflictPreference::theirs}) {
    const MergeResult both = merged(ours, theirs, favor);
    ASSERT_EQ(both.collisions.size(), 1u);
    EXPECT_EQ(both.collisions[0].path, "prisms[7].height");
    ASSERT_EQ(both.bytes.empty(), favor == ConflictPreference::none);
    if (favor == ConflictPreference::none) continue;
    EXPECT_EQ(loaded(both.bytes).prisms[7].height, favor == ConflictPreference::ours ? 9.0f : 11.0f);
    for (const Diagnostic& d : findings_of(both.bytes)) EXPECT_FALSE(d.id.starts_with("kcl.oct")) << format_one_line(d);
  }
}
TEST(KclOctree, RejectsEditsItCannotFollow) {
  EXPECT_FALSE(edited(format(), sample("hills.kcl"), "set positions[5].y=5e6"));
}

TEST(KclOctree, RejectsTooManyNodes) {
  Kcl k = built(hills());
  const auto refused = build_octree(k, {.most_prisms = 1, .smallest_cell = 1, .most_nodes = 5000});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "kcl.build-octree");
}

TEST(KclOctree, AnswersQuestionsAboutHits) {
  auto o = open(sample("box.kcl"), "box.kcl", &format());
  ASSERT_TRUE(o);
  const auto answer = [&](std::string_view at) {
    auto v = questions()[0].answer(*o->document, at);
    return v ? json::write(*v) : v.error().id;
  };
  EXPECT_THAT(answer("0,-5,0"), testing::AllOf(testing::HasSubstr("road: normal"), testing::HasSubstr("-5")));
  EXPECT_THAT(answer("-1950,20,0,100"),
              testing::AllOf(testing::HasSubstr("road: normal"), testing::HasSubstr("wall: wood")));
  EXPECT_THAT(answer("0,500,0"), testing::HasSubstr("\"hit\": []"));
  EXPECT_THAT(answer("0,90000,0"), testing::HasSubstr("outside"));
  for (const char* wrong : {"", "1,2", "1,2,x", "1,2,3,-4", "1,2,3,4,5", "1e30,0,0"})
    EXPECT_EQ(answer(wrong), "question.argument") << wrong;
}

TEST(KclOctree, SearchTerminatesInCyclicOctrees) {
  for (const test::BrokenFile& b : broken_files()) {
    const Kcl k = loaded(b.bytes);
    const OctreeView octree(k);
    (void)octree.at(point_of(k.area_min));
    u64 visits = 1000;
    (void)octree.for_each_cell([](const Cell&, std::span<const u16>) {}, {}, nullptr, visits);
  }
}

// ---- the DS

TEST(KclDs, StoresTheSameCollisionAsWiiFiles) {
  const Kcl wii = built(box());
  const auto d = load<DsKcl>(bytes_of(on_ds(wii)));
  ASSERT_TRUE(d) << format_one_line(d.error());
  const DsKcl& ds = d->document.value();
  EXPECT_EQ(ds.positions_offset, 0x3Cu);
  EXPECT_EQ(ds.prisms_offset + 16, 0x3Cu + 12 * ds.positions.size() + 6 * ds.normals.size());
  const Kcl back = to_wii_units(ds);
  ASSERT_EQ(back.prisms.size(), wii.prisms.size());
  for (size_t i = 0; i < wii.prisms.size(); ++i) {
    const auto a = compute_prism_triangle(wii, wii.prisms[i]), b = compute_prism_triangle(back, back.prisms[i]);
    ASSERT_TRUE(a && b);
    for (size_t corner = 0; corner < 3; ++corner)
      EXPECT_LT(length((*a)[corner] - (*b)[corner]), 4000.0 / 1024) << "normals have 16 bits";
  }
  EXPECT_EQ(missing(back, 100, 5), 0u) << "the octree counts the same units";
}

TEST(KclDs, OctreeUpdatesAfterTriangleEdits) {
  const Format& ds = *find_format("kcl-ds");
  const Bytes file = bytes_of(on_ds(built(hills())));
  for (const std::string_view edit :
       {"remove prisms[3]", "duplicate prisms[8]", "set positions[5].y+=40", "rebuild-octree"}) {
    const auto after = edited(ds, file, edit);
    ASSERT_TRUE(after) << edit;
    const auto d = load<DsKcl>(*after);
    ASSERT_TRUE(d);
    EXPECT_EQ(missing(to_wii_units(d->document.value()), 20, 3), 0u) << edit;
  }
  EXPECT_FALSE(edited(ds, file, "set positions[5].y=-524287")) << "a file of the DS cannot state where the area begins";
}

TEST(KclDs, FlagsMatchTheBitsOfOtherTools) {
  DsPrism p{};
  set_flags(p, 0xA8F6, true);
  EXPECT_EQ(p.floor, 1);
  EXPECT_EQ(p.wall, 0);
  EXPECT_EQ(p.ignored_by_items, 1);
  EXPECT_EQ(p.type, 8);
  EXPECT_EQ(p.variant, 7);
  EXPECT_EQ(p.ignored_by_drivers, 1);
  EXPECT_EQ(p.light, 1);
  EXPECT_EQ(p.map_shadow, 1);
  for (u32 flags = 0; flags < 0x10000; flags += 0x101) {
    set_flags(p, u16(flags), true);
    EXPECT_EQ(flags_of(p, true), flags);
  }
  DsKcl ds = on_ds(built(box()));
  set_flags(ds.prisms[0], 0xA8F6, true);
  const Bytes b = bytes_of(ds);
  const size_t at = load<DsKcl>(b)->document.value().prisms_offset + 16 + 14;
  EXPECT_EQ(b[at], 0xF6);
  EXPECT_EQ(b[at + 1], 0xA8);
}

TEST(KclDs, IsDistinguishedFromWiiFiles) {
  for (const Sample& s : samples_of(*find_format("kcl-ds"))) {
    const auto o = open(s.bytes, s.name);
    ASSERT_TRUE(o) << s.name;
    EXPECT_EQ(o->format->id, "kcl-ds") << s.name;
    EXPECT_EQ(format().sniff(s.bytes, "").certainty, Sniff::Certainty::no) << s.name;
  }
}

TEST(KclDs, NamesVariantsByType) {
  const Format& ds = *find_format("kcl-ds");
  const Bytes file = samples_of(ds)[1].bytes;  // spans point into it
  const TraceResult t = ds.trace(file, {});
  const auto shown = [&](const std::string& path) {
    const auto spot = t.spans.find(path);
    return spot ? t.spans.show(spot->span) : "no " + path;
  };
  EXPECT_EQ(shown("prisms[16].type"), "8 (wall)");
  EXPECT_EQ(shown("prisms[16].variant"), "0 (concrete)");
  EXPECT_EQ(shown("prisms[30].type"), "15 (cannon trigger)");
}

TEST(KclDs, SceneHasANodeForEachType) {
  const Format& ds = *find_format("kcl-ds");
  const auto d = load<DsKcl>(samples_of(ds)[1].bytes);
  const auto s = to_scene(d->document.value(), true);
  ASSERT_TRUE(s);
  std::set<std::string> names;
  for (const scene::Node& n : s->scene.nodes)
    if (n.mesh == scene::k_none) names.insert(n.name);
  EXPECT_EQ(names.size(), 23u);
  EXPECT_TRUE(names.contains("waterfall"));
}

// ---- real files

TEST(KclCorpus, RealFilesRoundTripWithOnlyHints) {
  const auto files = test::corpus_files("wii", ".kcl");
  if (files.empty()) GTEST_SKIP() << "no collision files of games";
  for (const auto& path : files) {
    const Bytes bytes = test::read_file(path);
    auto o = open(bytes, path.filename().string());
    ASSERT_TRUE(o) << path;
    EXPECT_EQ(o->format, &format()) << path;
    EXPECT_TRUE(verify(*o, json::round_trip_as_json()).identical()) << path;
    EXPECT_TRUE(o->document->residue().empty()) << path << ": everything is described";
    for (const Diagnostic& d : check(*o)) EXPECT_EQ(d.severity, Severity::hint) << format_one_line(d);
  }
}

TEST(KclCorpus, RebuiltOctreesListEveryPossibleHit) {
  const auto files = test::corpus_files("wii", ".kcl");
  if (files.empty()) GTEST_SKIP() << "no collision files of games";
  for (const auto& path : files) {
    Kcl k = loaded(test::read_file(path));
    if (k.prisms.size() > 7000) continue;
    const size_t before = k.octree.nodes.size();
    ASSERT_TRUE(build_octree(k)) << path;
    EXPECT_EQ(missing(k, 40, 3), 0u) << path;
    if (k.is_mario_kart_wii()) {
      EXPECT_LT(k.octree.nodes.size(), before);
    }
  }
}

// ---- findings

TEST(KclRules, RuleTextsAreComplete) { test::expect_said_in_full(format().rules(), "kcl."); }

TEST(KclRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(rules(), broken_files()); }
TEST(KclRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_files()); }
TEST(KclRules, FindingsMatchTheRecordedText) { test::expect_said_as_before(broken_files(), "kcl/damaged.txt"); }

// ---- scenes

TEST(KclScene, HasATriangleForEachPrism) {
  const Kcl k = loaded(sample("types.kcl"));
  const auto s = to_scene(k, true);
  ASSERT_TRUE(s);
  std::vector<int> seen(k.prisms.size());
  for (const scene::Node& n : s->scene.nodes) {
    if (n.mesh == scene::k_none) continue;
    for (const scene::Primitive& p : s->scene.meshes[n.mesh].primitives)
      for (size_t i = 0; i < p.positions.size(); ++i) {
        ASSERT_LT(p.sources[i], k.prisms.size());
        ++seen[p.sources[i]];
        EXPECT_EQ(value_of_source(k, p.sources[i])->path, text("prisms[", p.sources[i], "]"));
      }
  }
  EXPECT_THAT(seen, testing::Each(3));
  EXPECT_EQ(s->scene.nodes[0].name, "road");
  EXPECT_TRUE(to_scene(k, false)->scene.meshes[0].primitives[0].sources.empty());
}

TEST(KclScene, FindsTrianglesThatUseAPosition) {
  const Kcl k = loaded(sample("box.kcl"));
  const auto count = [&](std::string_view path) {
    u32 n = 0;
    for (const SourceRun& r : sources_of_value(k, path)) n += r.count;
    return n;
  };
  EXPECT_EQ(count("prisms"), 10u);
  EXPECT_EQ(count("prisms[3]"), 1u);
  EXPECT_EQ(count("prisms[3].height"), 1u);
  EXPECT_EQ(count("prisms[10]"), 0u);
  u32 all = 0;
  for (size_t i = 0; i < k.positions.size(); ++i) all += count(text("positions[", i, "].x"));
  EXPECT_EQ(all, 10u);
  EXPECT_EQ(count("thickness"), 0u);
}

TEST(KclScene, UsesOneMaterialForManyAttributes) {
  Kcl k = loaded(sample("short_header.kcl"));
  EXPECT_EQ(to_scene(k, false)->scene.materials.size(), 10u);
  while (k.prisms.size() < 70) {
    k.prisms.push_back(k.prisms[0]);
    k.prisms.back().attribute = u16(k.prisms.size());
  }
  const auto s = to_scene(k, false);
  ASSERT_EQ(s->scene.materials.size(), 1u);
  EXPECT_EQ(s->scene.meshes[0].primitives[0].positions.size(), 3 * k.prisms.size());
  EXPECT_TRUE(scene::verify(s->scene).empty());
}

TEST(KclScene, OmitsPrismsWithoutATriangle) {
  const auto s = to_scene(loaded(sample("degenerate.kcl")), false);
  ASSERT_TRUE(s);
  ASSERT_EQ(s->notes.size(), 1u);
  EXPECT_EQ(s->notes[0].message, "2 prisms form no triangle and are not drawn");
}

}  // namespace
}  // namespace dio::kcl
