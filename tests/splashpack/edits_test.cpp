// edits_test.cpp: moved and copied parts of packs: checks of derived data find nothing new, and moving a part back
// restores it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/contract/format.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::splashpack {
namespace {

using testing::HasSubstr;

const Format& format() { return *find_format("splashpack"); }
Result<Editing> edited(const Bytes& file, std::string_view text) {
  auto editing = Editing::begin(file, ReadAs{&format()});
  if (!editing) return refuse(editing.error());
  const auto steps = parse_edit_steps(tokenize_edit_script(text));
  EXPECT_TRUE(steps) << text;
  const auto done = editing->run(*steps);
  if (!done) return refuse(done.error());
  return editing;
}
Pack pack_in(const Bytes& bytes) {
  auto loaded = load<Pack>(bytes);
  EXPECT_TRUE(loaded);
  return loaded ? loaded->document.value() : Pack{};
}
/// Rules and paths of findings, without numbers that an edit may change.
std::vector<std::string> findings_of(const Bytes& bytes) {
  const auto opened = open(bytes, "scene.splashpack", ReadAs{&format()});
  EXPECT_TRUE(opened);
  std::vector<std::string> out;
  for (const Diagnostic& d : check(*opened))
    if (d.id != "splashpack.files-missing") out.push_back(d.id + " " + d.place.path);
  std::ranges::sort(out);
  return out;
}
/// Samples that can be rewritten; parts of unknown structure cannot.
std::vector<Bytes> packs() {
  std::vector<Bytes> out;
  for (const Sample& s : samples_of(format()))
    if (const auto e = edited(s.bytes, "duplicate objects[0]"); e) out.push_back(s.bytes);
  EXPECT_GT(out.size(), 6u);
  return out;
}
bool is_inside(const Box& a, const Box& b) {
  return b.min.x.raw <= a.min.x.raw && a.max.x.raw <= b.max.x.raw && b.min.y.raw <= a.min.y.raw &&
         a.max.y.raw <= b.max.y.raw && b.min.z.raw <= a.min.z.raw && a.max.z.raw <= b.max.z.raw;
}

TEST(PackEdits, BvhFollowsAddedRemovedAndReorderedObjects) {
  size_t done = 0, trees = 0;
  for (const Bytes& file : packs()) {
    const Pack was = pack_in(file);
    const auto before = findings_of(file);
    for (size_t i = 0; i < std::min<size_t>(was.objects.size(), 4); ++i) {
      const std::string object = "objects[" + std::to_string(i) + "]";
      for (const std::string& edit : {"duplicate " + object, "remove " + object,
                                      "remove " + object + " duplicate objects[0]", "move " + object + " before=0"}) {
        const auto e = edited(file, edit);
        if (!e) continue;  // somebody else refers to it
        ++done, trees += !was.bvh_nodes.empty();
        for (const std::string& f : findings_of(e->bytes()))
          if (f.starts_with("splashpack.bvh")) EXPECT_THAT(before, testing::Contains(f)) << edit;
      }
    }
  }
  EXPECT_GT(done, 40u);
  EXPECT_GT(trees, 20u);
}

TEST(PackEdits, RejectsPositionsTheEngineCannotRead) {
  for (const Bytes& file : packs()) {
    if (pack_in(file).objects.empty()) continue;
    const auto e = edited(file, "move-object object=0 by=0,0,100");
    ASSERT_FALSE(e);
    EXPECT_THAT(e.error().message, HasSubstr("leave the coordinate range"));
  }
}

TEST(PackEdits, MovedObjectsMoveTheirBoxes) {
  size_t trees = 0, cells = 0, colliders = 0;
  for (const Bytes& file : packs()) {
    const Pack was = pack_in(file);
    for (size_t i = 0; i < was.objects.size(); ++i) {
      SCOPED_TRACE(was.objects[i].name + " " + std::to_string(i));
      const std::string object = "move-object object=" + std::to_string(i);
      const auto moved = edited(file, object + " by=0.25,-0.5,1");
      ASSERT_TRUE(moved) << format_one_line(moved.error());
      const Pack now = pack_in(moved->bytes());
      // Triangles of the moved object moved by that distance; all others stay.
      const std::array<i64, 3> by = {1024 * 4096, -2048 * 4096, 4096 * 4096};
      for (size_t o = 0; o < was.objects.size(); ++o)
        for (size_t t = 0; t < was.objects[o].triangles.size(); ++t)
          for (size_t k = 0; k < 3; ++k) {
            const Object &a = was.objects[o], &b = now.objects[o];
            if (!uses_object_transform(was, a)) {
              EXPECT_EQ(b.triangles[t].positions[k].z.raw - a.triangles[t].positions[k].z.raw, o == i ? 4096 : 0);
              continue;
            }
            auto expected = transform_vertex_exact(a, a.triangles[t].positions[k]);
            if (o == i)
              for (size_t axis = 0; axis < 3; ++axis) expected[axis] += by[axis];
            EXPECT_EQ(transform_vertex_exact(b, b.triangles[t].positions[k]), expected);
          }
      EXPECT_EQ(findings_of(moved->bytes()), findings_of(file));
      // A node without triangles of the object keeps its box; leaves enclose their triangles.
      ASSERT_EQ(now.bvh_refs, was.bvh_refs);
      for (size_t n = 0; n < now.bvh_nodes.size(); ++n) {
        const BvhNode& node = now.bvh_nodes[n];
        if (!node.is_leaf()) {
          for (const u16 child : {node.left, node.right}) EXPECT_TRUE(is_inside(now.bvh_nodes[child].box, node.box));
          continue;
        }
        bool has = false;
        for (u16 r = node.first_ref; r < node.first_ref + node.ref_count; ++r) has |= now.bvh_refs[r].object == i;
        if (!has) {
          EXPECT_EQ(node.box, was.bvh_nodes[n].box) << n;
        }
        ++trees;
      }
      for (size_t c = 0; c < now.room_cells.size(); ++c) cells += !(now.room_cells[c].box == was.room_cells[c].box);
      for (size_t c = 0; c < now.colliders.size(); ++c) {
        const bool moves = now.colliders[c].object == i;
        EXPECT_EQ(now.colliders[c].box.max.z.raw - was.colliders[c].box.max.z.raw, moves ? 4096 : 0);
        colliders += moves;
      }
      const auto back = edited(moved->bytes(), object + " by=-0.25,0.5,-1");
      ASSERT_TRUE(back);
      EXPECT_EQ(findings_of(back->bytes()), findings_of(file));
      EXPECT_EQ(pack_in(back->bytes()).objects[i].position.x.raw, was.objects[i].position.x.raw);
      Editing undone = std::move(*edited(file, object + " by=0.25,-0.5,1"));
      undone.undo();
      EXPECT_EQ(undone.bytes(), file);
    }
  }
  EXPECT_GT(trees, 0u);
  EXPECT_GT(cells, 0u);
  EXPECT_GT(colliders, 0u);
}

TEST(PackEdits, StreamedObjectsCanMoveButNotBeCopied) {
  const Bytes file = bytes_of(sample_scene(Layout::v25).pack);
  const Pack was = pack_in(file);
  const u16 object = was.stream->refs[0].object;
  const std::string name = std::to_string(object);
  const auto copied = edited(file, "copy-object object=" + name + " by=0.25,0,0");
  ASSERT_FALSE(copied);
  EXPECT_THAT(copied.error().message, HasSubstr("streamed"));
  const auto moved = edited(file, "move-object object=" + name + " by=2,0,0");
  ASSERT_TRUE(moved) << format_one_line(moved.error());
  const Pack now = pack_in(moved->bytes());
  EXPECT_EQ(now.objects[object].box.max.x.raw, was.objects[object].box.max.x.raw + 8192);
  EXPECT_EQ(now.stream->regions[0].max_x.raw, was.stream->regions[0].max_x.raw + 8192);
  EXPECT_EQ(now.stream->regions[0].min_x.raw, was.stream->regions[0].min_x.raw);
  // All its triangles stay in the BVH.
  const auto rebuilt = edited(file, "rebuild-bvh");
  ASSERT_TRUE(rebuilt) << format_one_line(rebuilt.error());
  EXPECT_EQ(pack_in(rebuilt->bytes()).bvh_refs.size(), was.bvh_refs.size());
  EXPECT_EQ(findings_of(rebuilt->bytes()), findings_of(file));
}

TEST(PackEdits, CopiesAreDrawnLikeTheOriginal) {
  size_t copies = 0;
  for (const Bytes& file : packs()) {
    const Pack was = pack_in(file);
    const auto copied = edited(file, "copy-object object=0 by=0.25,0,0");
    if (!was.rooms.empty()) {
      ASSERT_FALSE(copied);
      EXPECT_THAT(copied.error().message, HasSubstr("rooms"));
      continue;
    }
    ASSERT_TRUE(copied) << format_one_line(copied.error());
    const Pack now = pack_in(copied->bytes());
    ASSERT_EQ(now.objects.size(), was.objects.size() + 1);
    EXPECT_EQ(now.objects.back().triangles.size(), was.objects[0].triangles.size());
    // The copy may repeat findings of the original; the BVH, boxes and colliders are intact.
    for (const std::string& f : findings_of(copied->bytes()))
      if (f.find("objects[" + std::to_string(was.objects.size()) + "]") == f.npos) {
        EXPECT_THAT(findings_of(file), testing::Contains(f));
      }
    if (!was.bvh_nodes.empty()) {
      EXPECT_GT(now.bvh_refs.size(), was.bvh_refs.size());
      EXPECT_FALSE(edited(copied->bytes(), "copy-object object=0 by=1,0,0"));  // the name is taken
      EXPECT_TRUE(edited(copied->bytes(), "copy-object object=0 by=1,0,0 name=third"));
    }
    ++copies;
  }
  EXPECT_GT(copies, 5u);
}

TEST(PackEdits, MovesTriggersAndRejectsInvalidEdits) {
  for (const Bytes& file : packs()) {
    const Pack was = pack_in(file);
    if (was.triggers.empty()) continue;
    const auto moved = edited(file, "move-trigger trigger=0 by=1,2,-0.5");
    ASSERT_TRUE(moved) << format_one_line(moved.error());
    const Box &a = was.triggers[0].box, b = pack_in(moved->bytes()).triggers[0].box;
    EXPECT_EQ(b.min.x.raw - a.min.x.raw, 4096);
    EXPECT_EQ(b.max.y.raw - a.max.y.raw, 8192);
    EXPECT_EQ(b.max.z.raw - a.max.z.raw, -2048);
    const auto refused = [&](std::string_view text) {
      const auto e = edited(file, text);
      EXPECT_FALSE(e) << text;
      return e ? std::string() : e.error().message;
    };
    EXPECT_THAT(refused("move-trigger trigger=9 by=0,0,0"), HasSubstr("9"));
    EXPECT_THAT(refused("move-object object=nobody by=0,0,0"), HasSubstr("nobody"));
    EXPECT_THAT(refused("move-object object=0"), HasSubstr("by"));
    EXPECT_THAT(refused("move-object object=0 by=600000,0,0"), HasSubstr("600000"));
    EXPECT_THAT(refused("move-object object=0 by=0,0,0 color=1"), HasSubstr("color"));
    const std::string name = was.objects[0].name;
    EXPECT_TRUE(edited(file, "move-object object=" + name + " by=0,0,1")) << name;
    return;
  }
  FAIL() << "no sample has a trigger";
}

}  // namespace
}  // namespace dio::splashpack
