// Textures of a TEX0 block as a folder of pictures, and back.
#include "formats/contract/pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bridge/png/png.hpp"
#include "bridge/report/json.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/pictures/pictures.hpp"

namespace {

using namespace dio;
using namespace dio::nitro;
using testing::ElementsAre;

Texture texture(std::string name, TexelFormat format, u8 fill, bool color0_clear = false) {
  Texture t{};
  t.name = std::move(name);
  t.format = u8(format);
  t.color0_clear = color0_clear;
  t.original_width = t.original_height = 8;
  t.same_size = 1;
  t.texels.assign(t.texel_size(), fill);
  if (format == TexelFormat::block4x4) t.blocks.assign(t.texel_size() / 2, 0x80);
  return t;
}
Palette palette(std::string name, std::vector<u16> colors, bool four = false) {
  Palette p{};
  p.name = std::move(name);
  p.four_colors = four;
  p.colors = std::move(colors);
  return p;
}
std::vector<u16> ramp(size_t count, u16 first) {
  std::vector<u16> colors;
  for (size_t i = 0; i < count; ++i) colors.push_back(u16(first + i));
  return colors;
}
Textures block() {
  Textures all{};
  all.textures = {texture("grass", TexelFormat::palette16, 0x21), texture("Grass", TexelFormat::palette4, 0xe4, true),
                  texture("a b/1", TexelFormat::a3i5, 0x85), texture("rocks2", TexelFormat::palette16, 0xfe),
                  texture("sky", TexelFormat::direct, 0x80)};
  all.palettes = {palette("Grass_pl", {1, 2, 3, 4, 0, 0, 0, 0}, true), palette("a b/1", ramp(32, 100)),
                  palette("grass", ramp(16, 200)), palette("rocks", ramp(16, 300)), palette("roc", ramp(8, 400))};
  return all;
}
Bytes file_of(const Textures& all) {
  Document<Nsbtx> d;
  d.edit().textures = all;
  auto bytes = save(d);
  EXPECT_TRUE(bytes) << to_line(bytes.error());
  return bytes ? *bytes : Bytes();
}
std::vector<NamedImage> images_of(const Textures& all, std::span<const TexturePicture> pictures) {
  std::vector<NamedImage> images;
  for (const TexturePicture& p : pictures) images.push_back({p.file, image_of(all, p)});
  return images;
}

TEST(NitroPictures, EachTextureHasAPaletteAndAFile) {
  const Textures all = block();
  const std::vector<TexturePair> pairs = {{"grass", "grass"}, {"grass", "rocks"}, {"none", "rocks"}, {"grass", "none"}};
  const auto pictures = pictures_of(all, pairs);
  std::vector<std::string> files, palettes, ways;
  for (const TexturePicture& p : pictures) {
    files.push_back(p.file);
    palettes.push_back(p.palette ? all.palettes[*p.palette].name : "");
    ways.emplace_back(to_string(p.paired_by));
  }
  EXPECT_THAT(files,
              ElementsAre("grass.png", "grass.rocks.png", "Grass~2.png", "a%20b%2f1.png", "rocks2.png", "sky.png"));
  EXPECT_THAT(palettes, ElementsAre("grass", "rocks", "Grass_pl", "a b/1", "rocks", ""));
  EXPECT_THAT(ways, ElementsAre("material", "material", "name", "name", "guess", "nothing"));
  EXPECT_EQ(image_of(all, pictures[0]).palette.size(), 16u);
  EXPECT_EQ(image_of(all, pictures[0]).name, "grass");
}

TEST(NitroPictures, AGuessHasEnoughColors) {
  Textures all = block();
  all.palettes[3].name = "xyz";  // "roc" starts more alike, but has 8 colours for indices 14 and 15
  EXPECT_NE(all.palettes[*pictures_of(all, {})[3].palette].name, "roc");
}

TEST(NitroPictures, MaterialsSayWhatGoesTogether) {
  Model m{};
  m.materials.resize(3);
  m.textures = {{"a", 0, 0, {0, 2}}, {"b", 0, 0, {1, 9}}};
  m.palettes = {{"p", 0, 0, {0, 2}}, {"q", 0, 0, {1}}};
  EXPECT_EQ(pairs_of(std::span(&m, 1)), (std::vector<TexturePair>{{"a", "p"}, {"b", "q"}}));
}

TEST(NitroPictures, TheManifestIsForPeople) {
  Textures all = block();
  all.textures[0].same_size = 0;
  all.textures[0].original_height = 6;
  all.textures.resize(1);
  all.palettes[2].colors.resize(1);
  EXPECT_EQ(json::write(manifest_of(all, pictures_of(all, {}))), R"({
  "pictures": [
    {
      "file": "grass.png",
      "texture": "grass",
      "format": "palette16",
      "width": 8,
      "height": 8,
      "original_width": 8,
      "original_height": 6,
      "color0_clear": false,
      "palette": "grass",
      "paired_by": "name",
      "colors": 1,
      "texels_without_color": 64
    }
  ]
})");
}

TEST(NitroPictures, AFolderThatNobodyEditedChangesNothing) {
  const Textures all = block();
  const Bytes file = file_of(all);
  const auto pictures = pictures_of(all, {});
  std::vector<NamedImage> images;
  for (const NamedImage& i : images_of(all, pictures)) {
    auto read = png::read_png(png::write_png(i.image));
    ASSERT_TRUE(read);
    images.push_back({i.file, std::move(*read)});
  }
  for (const bool editor_drops_palettes : {false, true}) {
    if (editor_drops_palettes)
      for (NamedImage& i : images) i.image = to_rgba(i.image);
    Textures again = all;
    const auto taken = take_pictures(again, manifest_of(all, pictures), images);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->changed, 0u);
    EXPECT_EQ(taken->unchanged, 5u);
    EXPECT_TRUE(taken->notes.empty());
    EXPECT_EQ(file_of(again), file);
  }
}

TEST(NitroPictures, AnEditIsInTheFile) {
  Textures all = block();
  const auto pictures = pictures_of(all, {});
  auto images = images_of(all, pictures);
  images[0].image.palette[1] = {255, 0, 0, 255};  // all odd pixels of "grass"
  images.resize(1);
  const auto taken = take_pictures(all, manifest_of(all, pictures), images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->changed, 1u);
  EXPECT_TRUE(taken->notes.empty());
  EXPECT_EQ(all.textures[0].texels, block().textures[0].texels);
  EXPECT_EQ(all.palettes[2].colors[1], 31);
  EXPECT_EQ(all.palettes[2].colors[2], 202);

  const Bytes file = file_of(all);
  const auto loaded = load<Nsbtx>(file);
  ASSERT_TRUE(loaded);
  const Textures& read = loaded->document.value().textures;
  EXPECT_EQ(image_of(read, pictures_of(read, {})[0]).pixels, images[0].image.pixels);
  EXPECT_EQ(image_of(read, pictures_of(read, {})[0]).palette, images[0].image.palette);
}

TEST(NitroPictures, OtherSizesAndMoreColors) {
  Textures all = block();
  const auto pictures = pictures_of(all, {});
  scene::Image image{"", 16, 32, 8, {}, {}};
  for (u32 i = 0; i < 16 * 32; ++i) image.pixels.insert(image.pixels.end(), {u8(i * 8), u8(i / 2), u8(i % 40), 255});
  const std::vector<NamedImage> images{{"grass.png", image}};
  const auto taken = take_pictures(all, manifest_of(all, pictures), images);
  ASSERT_TRUE(taken);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "nitro.texel-changed");
  EXPECT_EQ(taken->notes[0].place.file, "grass.png");
  EXPECT_EQ(all.textures[0].width(), 16u);
  EXPECT_EQ(all.textures[0].height(), 32u);
  EXPECT_EQ(all.textures[0].original_height, 32u);
  EXPECT_EQ(all.textures[0].texels.size(), 16u * 32 / 2);
  EXPECT_EQ(all.palettes[2].colors.size(), 16u);
  const auto loaded = load<Nsbtx>(file_of(all));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->document.value().textures.textures[0].texels, all.textures[0].texels);
}

TEST(NitroPictures, WhatIsSharedIsKeptOrMissed) {
  Textures all = block();
  const std::vector<TexturePair> pairs = {{"grass", "grass"}, {"grass", "rocks"}, {"rocks2", "rocks"}};
  const auto pictures = pictures_of(all, pairs);
  auto images = images_of(all, pictures);
  // "rocks" is for two pictures: a new colour becomes the nearest one of it.
  images[4].image = to_rgba(images[4].image);
  std::copy_n(std::array<u8, 4>{255, 255, 255, 255}.begin(), 4, images[4].image.pixels.begin());
  const auto taken = take_pictures(all, manifest_of(all, pictures), images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(all.palettes[3].colors, ramp(16, 300));
  EXPECT_EQ(taken->changed, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].place.path, "pictures[4]");
  EXPECT_EQ(taken->notes[0].message, "1 of 64 pixels changed their colour");
  // Texels of "grass" are for two pictures: the edit of one is seen in the other.
  Textures other = block();
  images = images_of(other, pictures);
  images[0].image.pixels[0] = 5;
  const auto both = take_pictures(other, manifest_of(other, pictures), images);
  ASSERT_TRUE(both);
  EXPECT_EQ(other.textures[0].texels[0] & 15, 5);
  ASSERT_EQ(both->notes.size(), 1u);
  EXPECT_EQ(both->notes[0].place.file, "grass.rocks.png");
}

TEST(NitroPictures, RefusesManifestsOfOtherFiles) {
  const auto refused = [](const char* manifest, std::vector<NamedImage> images = {}) {
    Textures all = block();
    const auto taken = take_pictures(all, *json::read(manifest), images);
    return taken ? std::string() : taken.error().id + " " + taken.error().place.path;
  };
  EXPECT_EQ(refused(R"({"pictures": []})"), "");
  EXPECT_EQ(refused("{}"), "nitro.manifest pictures");
  EXPECT_EQ(refused(R"({"pictures": [1]})"), "nitro.manifest pictures[0]");
  EXPECT_EQ(refused(R"({"pictures": [{"file": "a.png"}]})"), "nitro.manifest pictures[0]");
  EXPECT_EQ(refused(R"({"pictures": [{"file": "a.png", "texture": "x"}]})"), "nitro.manifest pictures[0].texture");
  EXPECT_EQ(refused(R"({"pictures": [{"file": "a.png", "texture": "grass"}]})"), "nitro.manifest pictures[0]");
  EXPECT_EQ(refused(R"({"pictures": [{"file": "a.png", "texture": "grass", "palette": "x"}]})"),
            "nitro.manifest pictures[0].palette");
  EXPECT_EQ(refused(R"({"pictures": [{"file": "a.png", "texture": "sky"}]})"), "");
  EXPECT_EQ(
      refused(R"({"pictures": [{"file": "a.png", "texture": "sky"}]})", {{"a.png", {"", 9, 9, 8, {}, Bytes(324)}}}),
      "nitro.texel-size pictures[0]");
}

}  // namespace
