// Hundreds of random map files with every oddity: unedited scenes and pictures change nothing, and random edits leave
// readable files. DIORAMA_SEED=n sets the first seed, DIORAMA_FILES=n the number of files.
#include <gtest/gtest.h>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/png/png.hpp"
#include "engine/seeds.hpp"
#include "fft/edited_scenes.hpp"
#include "fft/generator.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/pictures.hpp"
#include "formats/fft/scene/polygons.hpp"
#include "operations/operations.hpp"
#include "samples/fft/maps.hpp"

namespace {

using namespace dio;
using namespace dio::fft;

const Format& format_of_meshes() { return *find_format("fft-mesh"); }

void each_mesh(u64 files, auto f) {
  test::each_seed(files, [&](u64 seed) {
    auto loaded = format_of_meshes().load(test::FftGenerator(seed).mesh_file(), {});
    ASSERT_TRUE(loaded);
    f(seed, *loaded->document);
  });
}

TEST(GeneratedFftEdits, UneditedScenesChangeNothing) {
  u64 shown = 0, polygons = 0;
  const DocumentOf<Texture> texture(Document<Texture>::make_unedited(valley_texture(), 0, {}));
  const Companion with{"MAP001.8", find_format("fft-texture"), &texture};  // needed for texture coordinates
  each_mesh(300, [&](u64 seed, AnyDocument& d) {
    const Mesh before = value_of<Mesh>(d);
    auto staged = to_scene(before, {.companions = {&with, 1}, .lamps = seed % 2 == 1});
    if (!staged) return;
    ++shown;
    scene::Scene s = std::move(staged->scene);
    if (seed % 8 == 0) {
      const auto glb = gltf::write_glb(s);
      ASSERT_TRUE(glb) << format_one_line(glb.error());
      auto read = gltf::read(*glb);
      ASSERT_TRUE(read) << format_one_line(read.error());
      s = std::move(read->document);
    }
    Mesh now = before;
    const auto taken = test::apply_edited_scene(now, s);
    const auto counts = count_all_polygons(before);
    const u64 all = counts[0] + counts[1] + counts[2] + counts[3];
    polygons += all;
    if (all == 0) return;
    ASSERT_TRUE(taken) << format_one_line(taken.error());
    ASSERT_EQ(taken->changed, 0u);
    ASSERT_EQ(taken->unchanged, all);
    ASSERT_EQ(bytes_of(now), bytes_of(before));
  });
  if (test::from_environment("DIORAMA_FILES", 300) >= 300) {
    EXPECT_GT(shown, 200u);
    EXPECT_GT(polygons, 10000u);
  }
}

TEST(GeneratedFftEdits, UneditedPicturesChangeNothing) {
  each_mesh(100, [&](u64 seed, AnyDocument& d) {
    const auto set = format_of_meshes().pictures->pictures(d, {.every_palette = seed % 2 == 1});
    ASSERT_TRUE(set);
    std::vector<NamedImage> files;
    for (const NamedImage& i : set->images) files.push_back({i.file, *png::read_png(png::write_png(i.image))});
    const Bytes before = *d.save({});
    const auto taken = format_of_meshes().pictures->take(d, set->manifest, files);
    ASSERT_TRUE(taken) << format_one_line(taken.error());
    ASSERT_EQ(taken->changed, 0u);
    ASSERT_EQ(*d.save({}), before);
  });
}

TEST(GeneratedFftEdits, EditsLeaveReadableFiles) {
  u64 done = 0, refused = 0;
  each_mesh(400, [&](u64 seed, AnyDocument& d) {
    std::mt19937_64 rng(seed);
    const Bytes original = *d.save({});
    bool edited = false;
    const auto number = [&](i64 low, i64 high) { return std::to_string(low + i64(rng() % u64(high - low + 1))); };
    const auto range = [&](i64 high) {
      const i64 from = i64(rng() % u64(high + 1)), to = from + i64(rng() % u64(high - from + 1));
      return std::to_string(from) + ".." + std::to_string(to);
    };
    constexpr const char* k_polygons[] = {"textured_triangles",
                                          "textured_quads[0]",
                                          "untextured_quads[0..1]",
                                          "primary",
                                          "animated_3",
                                          "untextured_triangles,animated_1.textured_quads",
                                          "nothing"};
    const auto polygons = [&] { return std::string(k_polygons[rng() % std::size(k_polygons)]); };
    const auto three = [&](i64 low, i64 high) {
      return number(low, high) + "," + number(low, high) + "," + number(low, high);
    };
    for (int i = 0; i < 8; ++i) {
      std::string_view name;
      std::vector<Argument> a;
      switch (rng() % 9) {
        case 0:
          name = "set-tiles";
          a = {{"x", range(9)},
               {"z", range(9)},
               {"height", number(0, 255)},
               {"slope", number(0, 255)},
               {"slope-height", number(0, 31)},
               {"level", number(0, 1)},
               {"floor", "follow"}};
          break;
        case 1:
          name = "raise-tiles",
          a = {{"x", range(16)}, {"z", range(15)}, {"by", number(-30, 30)}, {"floor", "follow"}, {"walls", "follow"}};
          break;
        case 2:
          name = "resize-terrain", a = {{"x", number(1, 17)}, {"z", number(1, 17)}};
          break;
        case 3:
          name = "move-polygons", a = {{"of", polygons()}, {"by", three(-300, 300)}};
          break;
        case 4:
          name = "copy-polygons", a = {{"of", polygons()}, {"by", three(-3, 3)}, {"force", number(0, 1)}};
          break;
        case 5:
          name = "remove-polygons", a = {{"of", polygons()}};
          break;
        case 6:
          name = "set-polygons",
          a = {{"x", range(254)}, {"z", range(126)}, {"palette", number(0, 15)}, {"tile", "1,2"}};
          break;
        case 7:
          name = "set-palette", a = {{"row", range(15)}, {"index", range(15)}, {"color", three(0, 31)}};
          break;
        default:
          name = "set-animation", a = {{"row", number(0, 31)}, {"canvas", "1,4,9"}, {"count", number(0, 255)}};
      }
      const Edit* edit = nullptr;
      for (const Edit& e : edits_of(format_of_meshes()))
        if (e.name == name) edit = &e;
      ASSERT_TRUE(edit) << name;
      const auto told = edit->apply(d, a);
      ++(told ? done : refused);
      edited |= told.has_value();
      if (!told) {
        ASSERT_EQ(told.error().id, "edit.argument");
        ASSERT_FALSE(told.error().message.empty() && told.error().expected.empty());
      }
    }
    const auto bytes = d.save({.lossy = true});
    ASSERT_TRUE(bytes) << format_one_line(bytes.error());
    if (!edited) {
      ASSERT_EQ(*bytes, original);
      return;
    }
    const auto again = format_of_meshes().load(*bytes, {});
    ASSERT_TRUE(again) << format_one_line(again.error());
    // Saving the edited file again gives the same bytes.
    (void)edit_of<Mesh>(*again->document);
    const auto twice = again->document->save({.lossy = true});
    ASSERT_TRUE(twice);
    ASSERT_EQ(*twice, *bytes);
    for (const char* place : {"0,0", "3,2,1", "16,15", "254,254,1"})
      for (const Question& q : questions_of(format_of_meshes())) (void)q.answer(*again->document, place);
  });
  if (test::from_environment("DIORAMA_FILES", 400) >= 400) {
    EXPECT_GT(done, 800u);
    EXPECT_GT(refused, 500u);
  }
}

}  // namespace
