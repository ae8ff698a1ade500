// Scene pack textures: placed from pictures into video memory and compared with what the console would read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "console/psx/palette_sharing.hpp"
#include "engine/seeds.hpp"
#include "formats/splashpack/from_scene/texture_packing.hpp"
#include "scene/palette_rivals.hpp"

namespace {

using namespace dio;
using namespace dio::splashpack;
using scene::Image;
using scene::Rgba;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// ---- pictures -------------------------------------------------------------------------------------------------------

constexpr u8 shown(u32 value) { return u8(value << 3 | value >> 2); }

/// A picture with the pixels f(x, y).
Image picture(std::string name, u32 width, u32 height, auto&& f) {
  Image image{std::move(name), width, height, 8, {}, {}};
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x) {
      const Rgba c = f(x, y);
      image.pixels.insert(image.pixels.end(), c.begin(), c.end());
    }
  return image;
}
Image plain(u32 width, u32 height, const Rgba& color) {
  return picture({}, width, height, [&](u32, u32) { return color; });
}

/// A random picture with at most that many 15-bit colours, some of them transparent.
Image random_picture(std::mt19937& random, u32 most_side, u32 colors) {
  std::vector<Rgba> all;
  for (u32 i = 0; i < colors; ++i)
    all.push_back({shown(random() % 32), shown(random() % 32), shown(random() % 32), u8(random() % 8 ? 255 : 0)});
  return picture({}, 1 + random() % most_side, 1 + random() % most_side,
                 [&](u32, u32) { return all[random() % all.size()]; });
}

// ---- what the console reads -----------------------------------------------------------------------------------------

VideoMemory memory_of(const PlacedTextures& placed) {
  Pack pack;
  pack.atlases = placed.atlases;
  pack.cluts = placed.cluts;
  return build_video_memory(pack, nullptr);
}
/// The word that specification 4 requires for a pixel.
u16 word_of(const Rgba& c) {
  if (c[3] < 128) return 0;
  const auto five = [](u8 x) { return u16((x * 31 + 127) / 255); };
  const u16 word = u16(five(c[0]) | five(c[1]) << 5 | five(c[2]) << 10);
  return word ? word : u16(0x8000);
}
u16 read(const VideoMemory& memory, const PlacedTexture& t, u32 x, u32 y) {
  return texel_at(memory, t.source, u8(t.u + x), u8(t.v + y));
}
size_t unlike(const VideoMemory& memory, const PlacedTexture& t, const Image& image) {
  size_t count = 0;
  for (u32 y = 0; y < image.height; ++y)
    for (u32 x = 0; x < image.width; ++x) count += read(memory, t, x, y) != word_of(scene::color_of(image, x, y));
  return count;
}

/// Invariants of every result.
void expect_sound(const PlacedTextures& placed, const PackingOptions& options) {
  std::vector<Rect> rects;
  for (const Atlas& a : placed.atlases) {
    EXPECT_THAT(a.width, testing::AnyOf(64, 128, 256));
    EXPECT_EQ(a.height, 256);
    EXPECT_EQ(a.x % 64, 0);
    EXPECT_EQ(a.y % 256, 0);
    EXPECT_EQ(a.texels.size(), size_t(a.width) * a.height * 2);
    rects.push_back({a.x, a.y, a.width, a.height});
  }
  for (const Clut& c : placed.cluts) {
    EXPECT_TRUE(c.length == 16 || c.length == 256) << c.length;
    EXPECT_EQ(c.colors.size(), c.length);
    rects.push_back({c.x * 16u, c.y, c.length, 1});
  }
  for (size_t i = 0; i < rects.size(); ++i) {
    const Rect& r = rects[i];
    EXPECT_TRUE(r.x + r.width <= k_video_width && r.y + r.height <= k_video_height);
    for (const Rect& reserved : options.reserved) EXPECT_FALSE(r.overlaps(reserved)) << r.x << ", " << r.y;
    for (size_t k = 0; k < i; ++k) EXPECT_FALSE(r.overlaps(rects[k])) << r.x << ", " << r.y;
  }
  // A texture is in an atlas of the width for its depth, and its palette exists.
  for (const PlacedTexture& t : placed.textures) {
    const TexturePage page = TexturePage::from_word(t.source.page);
    EXPECT_LE(t.u + t.width, 256u);
    EXPECT_LE(t.v + t.height, 256u);
    EXPECT_EQ(std::ranges::count_if(placed.atlases,
                                    [&](const Atlas& a) {
                                      return a.x == page.x && a.y == page.y && a.width == 256 / page.texels_per_word();
                                    }),
              1);
    if (page.depth == 2) continue;
    EXPECT_EQ(std::ranges::count_if(placed.cluts,
                                    [&](const Clut& c) {
                                      return c.x == t.source.clut_x && c.y == t.source.clut_y &&
                                             c.length == (page.depth == 0 ? 16 : 256);
                                    }),
              1);
  }
  // Two textures are at the same position or share no texel.
  for (size_t i = 0; i < placed.textures.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      const PlacedTexture &a = placed.textures[i], &b = placed.textures[k];
      if (TexturePage::from_word(a.source.page).word() != TexturePage::from_word(b.source.page).word()) continue;
      const Rect one{a.u, a.v, a.width, a.height}, other{b.u, b.v, b.width, b.height};
      EXPECT_TRUE(one == other || !one.overlaps(other));
    }
}

PackingOptions options_of(Layout layout) { return {.reserved = reserved_areas(layout)}; }

// ---- by hand --------------------------------------------------------------------------------------------------------

TEST(SplashpackTextures, ReservesVideoMemoryForTheEngine) {
  EXPECT_THAT(reserved_areas(Layout::d),
              ElementsAre(Rect{0, 0, 320, 240}, Rect{0, 256, 320, 240}, Rect{960, 464, 64, 48}));
  EXPECT_THAT(reserved_areas(Layout::v21),
              ElementsAre(Rect{0, 0, 320, 240}, Rect{0, 256, 320, 240}, Rect{960, 0, 64, 512}));
}

TEST(SplashpackTextures, TwoColorTextureUsesFourBitsAndFirstPage) {
  const Image image =
      picture("tile", 4, 2, [](u32 x, u32) -> Rgba { return x % 2 ? Rgba{255, 255, 255, 255} : Rgba{255, 0, 0, 255}; });
  const TextureRequest wish{&image};
  const auto placed = place_textures({&wish, 1}, options_of(Layout::d));
  ASSERT_TRUE(placed);
  EXPECT_THAT(placed->notes, IsEmpty());
  ASSERT_THAT(placed->textures, SizeIs(1));
  // Page (320, 0) is 5, 4 bits a texel, dithered.
  EXPECT_EQ(placed->textures[0].source, (TextureSource{0x205, 0, 240}));
  EXPECT_EQ(placed->textures[0].u, 0);
  EXPECT_EQ(placed->textures[0].v, 0);
  ASSERT_THAT(placed->atlases, SizeIs(1));
  const Atlas& atlas = placed->atlases[0];
  EXPECT_EQ((Rect{atlas.x, atlas.y, atlas.width, atlas.height}), (Rect{320, 0, 64, 256}));
  // Red is 0x001F, white 0x7FFF; the left texel is in the low half.
  EXPECT_EQ(atlas.texels[0], 0x10);
  EXPECT_EQ(atlas.texels[1], 0x10);
  EXPECT_EQ(atlas.texels[2], 0);
  EXPECT_EQ(atlas.texels[128], 0x10);
  ASSERT_THAT(placed->cluts, SizeIs(1));
  EXPECT_EQ(placed->cluts[0].x, 0);
  EXPECT_EQ(placed->cluts[0].y, 240);
  EXPECT_EQ(placed->cluts[0].length, 16);
  EXPECT_EQ(placed->cluts[0].colors[0], 0x001F);
  EXPECT_EQ(placed->cluts[0].colors[1], 0x7FFF);
}

TEST(SplashpackTextures, StoresOnlyTransparentColorsAsZero) {
  const Image image = picture("black", 4, 1, [](u32 x, u32) -> Rgba {
    static constexpr Rgba k_colors[] = {{9, 9, 9, 0}, {0, 0, 0, 255}, {3, 2, 1, 200}, {255, 255, 255, 127}};
    return k_colors[x];
  });
  for (const u8 depth : {4, 8, 16}) {
    const TextureRequest wish{&image, depth};
    const auto placed = place_textures({&wish, 1}, options_of(Layout::v20));
    ASSERT_TRUE(placed);
    const VideoMemory memory = memory_of(*placed);
    const u16 expected[] = {0, 0x8000, 0x8000, 0};
    for (u32 x = 0; x < 4; ++x) EXPECT_EQ(read(memory, placed->textures[0], x, 0), expected[x]) << x;
    ASSERT_THAT(placed->notes, SizeIs(1));
    EXPECT_EQ(placed->notes[0].id, "splashpack.texture-alpha");
    EXPECT_EQ(placed->notes[0].place.path, "black");
    EXPECT_EQ(placed->notes[0].message, "2 pixels are partially transparent");
  }
}

TEST(SplashpackTextures, UsesTheSmallestDepthKeepingAllColors) {
  const auto stripes = [](u32 colors) {
    return picture("stripes", colors, 1, [](u32 x, u32) -> Rgba { return {shown(x % 32), shown(x / 32), 255, 255}; });
  };
  const auto depth_of = [&](const Image& image, PackingOptions options) {
    const TextureRequest wish{&image};
    const auto placed = place_textures({&wish, 1}, options);
    return 4 << TexturePage::from_word(placed->textures[0].source.page).depth;
  };
  EXPECT_EQ(depth_of(stripes(16), options_of(Layout::d)), 4);
  EXPECT_EQ(depth_of(stripes(17), options_of(Layout::d)), 8);
  EXPECT_EQ(depth_of(stripes(256), options_of(Layout::d)), 8);
  const Image many = picture("many", 32, 32, [](u32 x, u32 y) -> Rgba { return {shown(x), shown(y), 0, 255}; });
  PackingOptions options = options_of(Layout::d);
  EXPECT_EQ(depth_of(many, options), 8);
  options.most_depth = 16;
  EXPECT_EQ(depth_of(many, options), 16);
  options.most_depth = 4;
  EXPECT_EQ(depth_of(many, options), 4);
  EXPECT_EQ(depth_of(stripes(256), options), 8);
}

TEST(SplashpackTextures, ReportsReducedColors) {
  const Image many = picture("many", 32, 32, [](u32 x, u32 y) -> Rgba { return {shown(x), shown(y), 0, 255}; });
  const TextureRequest wishes[] = {{&many}, {&many, 4}, {&many, 16}, {&many}};
  const auto placed = place_textures(wishes, options_of(Layout::d));
  ASSERT_TRUE(placed);
  ASSERT_THAT(placed->notes, SizeIs(2));
  EXPECT_EQ(placed->notes[0].id, "splashpack.texture-colors");
  EXPECT_EQ(format_one_line(placed->notes[0]), "many: the picture has 1024 15-bit colours; 8 bits per texel allow 256");
  EXPECT_EQ(format_one_line(placed->notes[1]), "many: the picture has 1024 15-bit colours; 4 bits per texel allow 16");
  EXPECT_EQ(placed->textures[0].source, placed->textures[3].source);
  const VideoMemory memory = memory_of(*placed);
  EXPECT_EQ(unlike(memory, placed->textures[2], many), 0u);
  std::set<u16> seen;
  for (u32 y = 0; y < 32; ++y)
    for (u32 x = 0; x < 32; ++x) seen.insert(read(memory, placed->textures[1], x, y));
  EXPECT_THAT(seen, SizeIs(testing::AllOf(testing::Le(16u), testing::Ge(14u))));
}

TEST(SplashpackTextures, ShrinksPicturesLargerThanAPage) {
  // Rows of black and white: their mean in linear light is brighter than the mean of the display values.
  const Image image = picture("wall", 300, 512,
                              [](u32, u32 y) -> Rgba { return y % 2 ? Rgba{255, 255, 255, 255} : Rgba{0, 0, 0, 255}; });
  const TextureRequest wish{&image};
  const auto placed = place_textures({&wish, 1}, options_of(Layout::d));
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->textures[0].width, 256u);
  EXPECT_EQ(placed->textures[0].height, 256u);
  ASSERT_THAT(placed->notes, SizeIs(1));
  EXPECT_EQ(placed->notes[0].id, "splashpack.texture-size");
  EXPECT_EQ(placed->notes[0].hint, "the picture is scaled to 256 x 256");
  const VideoMemory memory = memory_of(*placed);
  const u16 gray = word_of({188, 188, 188, 255});
  for (u32 y = 0; y < 256; y += 17)
    for (u32 x = 0; x < 256; x += 17) EXPECT_EQ(read(memory, placed->textures[0], x, y), gray);
}

TEST(SplashpackTextures, StoresEqualTexturesOnce) {
  const Image a = plain(40, 30, {255, 0, 0, 255}), b = a, wider = plain(30, 40, {255, 0, 0, 255});
  const TextureRequest wishes[] = {{&a}, {&b}, {&wider}, {&a, 8}};
  const auto placed = place_textures(wishes, options_of(Layout::d));
  ASSERT_TRUE(placed);
  const auto place = [&](size_t i) {
    const PlacedTexture& t = placed->textures[i];
    return std::tuple(t.source, t.u, t.v);
  };
  EXPECT_EQ(place(0), place(1));
  EXPECT_NE(place(0), place(2));
  EXPECT_NE(place(0), place(3));
  EXPECT_THAT(placed->atlases, SizeIs(2));
  EXPECT_THAT(placed->cluts, SizeIs(2));
}

TEST(SplashpackTextures, RejectsInvalidPictures) {
  Image no_rows = plain(4, 4, {}), short_rows = plain(4, 4, {}), no_color{"n", 1, 1, 8, {{1, 2, 3, 4}}, {1}};
  no_rows.height = 0;
  short_rows.pixels.pop_back();
  for (const Image* image : {static_cast<const Image*>(nullptr), static_cast<const Image*>(&no_rows),
                             static_cast<const Image*>(&short_rows), static_cast<const Image*>(&no_color)}) {
    const TextureRequest wish{image};
    const auto placed = place_textures({&wish, 1}, options_of(Layout::d));
    ASSERT_FALSE(placed);
    EXPECT_EQ(placed.error().id, "splashpack.texture-picture");
  }
  const auto nothing = place_textures({}, options_of(Layout::d));
  ASSERT_TRUE(nothing);
  EXPECT_THAT(nothing->atlases, IsEmpty());
}

TEST(SplashpackTextures, ReportsTheVideoMemoryNeeded) {
  std::vector<Image> images;
  for (u32 i = 0; i < 11; ++i)
    images.push_back(picture({}, 256, 256, [&](u32 x, u32 y) -> Rgba {
      return {u8(x & 0xF0), u8(y & 0xF0), u8(i * 24 + 8), 255};  // 256 colours, which nothing has to choose
    }));
  std::vector<TextureRequest> wishes;
  for (const Image& i : images) wishes.push_back({&i, 8});
  const auto placed = place_textures(wishes, options_of(Layout::d));
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().id, "splashpack.vram-full");
  EXPECT_EQ(placed.error().message,
            "VRAM has no room: the pictures need 360448 words, but only 344064 are free (11 pictures with 8 bits per "
            "texel: 360448 words)");
  // With one picture less, ten wide pages and one narrow page fit.
  const Image narrow = plain(256, 256, {0, 255, 0, 255});
  wishes.back() = {&narrow, 4};
  EXPECT_TRUE(place_textures(wishes, options_of(Layout::d)));
}

TEST(SplashpackTextures, PlacesPalettesBelowTheFrameBuffersFirst) {
  std::vector<Image> images;
  for (u32 i = 0; i < 40; ++i)
    images.push_back(
        picture({}, 16, 16, [&](u32 x, u32 y) -> Rgba { return {shown(x), shown(y), shown(i % 32), 255}; }));
  std::vector<TextureRequest> wishes;
  for (const Image& i : images) wishes.push_back({&i});
  const auto placed = place_textures(wishes, options_of(Layout::d));
  ASSERT_TRUE(placed);
  ASSERT_THAT(placed->cluts, SizeIs(32));  // eight pictures are there twice
  for (const Clut& c : placed->cluts) EXPECT_TRUE(c.y % 256 >= 240 && c.x == 0) << c.x << ", " << c.y;
}

TEST(SplashpackTextures, PlacesFurtherPalettesInFreePages) {
  std::vector<Image> images;
  for (u32 i = 0; i < 60; ++i)
    images.push_back(picture(
        {}, 16, 16, [&](u32 x, u32 y) -> Rgba { return {shown(x), shown(y + i % 2 * 16), shown(i / 2), 255}; }));
  std::vector<TextureRequest> wishes;
  for (const Image& i : images) wishes.push_back({&i});
  PackingOptions options = options_of(Layout::v21);
  const auto placed = place_textures(wishes, options);
  ASSERT_TRUE(placed);
  expect_sound(*placed, options);
  ASSERT_THAT(placed->cluts, SizeIs(60));
  EXPECT_EQ(std::ranges::count_if(placed->cluts, [](const Clut& c) { return c.x == 0; }), 32);
  for (u32 x = 320; x < 1024; x += 128)  // all but one page
    if (x != 576) options.reserved.push_back({x, 0, 128, 512});
  const auto refused = place_textures(wishes, options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("VRAM has no room for 256-colour palette 33: the textures need 2 pages"));
  EXPECT_THAT(refused.error().message,
              HasSubstr("(60 textures with 8 bits per texel: 15360 texels, 2 pages, 60 palettes)"));
}

TEST(SplashpackTextures, PlacesTexturesIdenticallyOnEveryPlatform) {
  std::vector<Image> images;
  for (const auto& p : test::k_pictures) {
    images.push_back({p.name, 64, 64, 8, {}, {}});
    for (const auto& c : test::pixels_of(p, 64))
      images.back().pixels.insert(images.back().pixels.end(), {c[0], c[1], c[2], 255});
  }
  std::vector<TextureRequest> wishes;
  for (size_t i = 0; i < images.size(); ++i) wishes.push_back({&images[i], u8(i % 2 ? 4 : 8)});
  PackingOptions options = options_of(Layout::d);
  options.dither = true;
  const auto placed = place_textures(wishes, options);
  ASSERT_TRUE(placed);
  u32 sum = 0;
  for (const u16 word : memory_of(*placed).words) sum = sum * 31 + word;
  EXPECT_EQ(sum, 701700316u);
}

// ---- generated ------------------------------------------------------------------------------------------------------

struct Task {
  std::vector<Image> images;
  std::vector<u8> depths;
  PackingOptions options;
  std::vector<TextureRequest> wishes() const {
    std::vector<TextureRequest> all;
    for (size_t i = 0; i < images.size(); ++i) all.push_back({&images[i], depths[i]});
    return all;
  }
};
/// Pictures with no more colours than their depth allows.
Task exact_task(u64 seed) {
  std::mt19937 random{u32(seed)};
  Task task;
  task.options.reserved = reserved_areas(random() % 2 ? Layout::d : Layout::v21);
  for (u32 i = random() % 5; i; --i)
    task.options.reserved.push_back({u32(random() % 1024), u32(random() % 512), u32(1 + random() % 99), 1});
  const u32 count = 1 + random() % 12;
  for (u32 i = 0; i < count; ++i) {
    if (random() % 5 == 0 && i) {  // one that was there already
      const size_t k = random() % i;
      task.images.push_back(Image(task.images[k]));
      task.depths.push_back(random() % 2 ? 16 : task.depths[k]);
      continue;
    }
    static constexpr u8 k_depths[] = {0, 4, 8, 16};
    const u8 depth = k_depths[random() % 4];
    const u32 colors = depth == 4 ? 16 : depth == 16 ? 900 : 256;
    task.depths.push_back(depth);
    task.images.push_back(random_picture(random, random() % 3 ? 40 : 200, 1 + random() % colors));
  }
  return task;
}

TEST(SplashpackTextures, KeepsEveryTexelIfColorsAllow) {
  u64 placed_count = 0, texels = 0;
  test::each_seed(300, [&](u64 seed) {
    const Task task = exact_task(seed);
    const auto placed = place_textures(task.wishes(), task.options);
    if (!placed) {
      EXPECT_EQ(placed.error().id, "splashpack.vram-full");
      return;
    }
    ++placed_count;
    expect_sound(*placed, task.options);
    EXPECT_THAT(placed->notes, IsEmpty());
    const VideoMemory memory = memory_of(*placed);
    for (size_t i = 0; i < task.images.size(); ++i) {
      const Image& image = task.images[i];
      EXPECT_EQ(placed->textures[i].width, image.width);
      EXPECT_EQ(placed->textures[i].height, image.height);
      EXPECT_EQ(unlike(memory, placed->textures[i], image), 0u);
      texels += image.width * image.height;
    }
  });
  EXPECT_GT(placed_count, 250u);
  EXPECT_GT(texels, 1'000'000u);
}

TEST(SplashpackTextures, ResultDoesNotDependOnRequestOrder) {
  test::each_seed(60, [&](u64 seed) {
    Task task = exact_task(seed);
    std::mt19937 random{u32(seed + 1)};
    task.options.dither = seed % 2;
    // Some pictures must lose colours.
    for (u8& depth : task.depths)
      if (random() % 3 == 0) depth = 4;
    const auto wishes = task.wishes();
    std::vector<size_t> order(wishes.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<TextureRequest> shuffled;
    for (const size_t i : order) shuffled.push_back(wishes[i]);
    const auto one = place_textures(wishes, task.options), other = place_textures(shuffled, task.options);
    ASSERT_EQ(bool(one), bool(other));
    if (!one) return;
    expect_sound(*one, task.options);
    ASSERT_EQ(one->atlases.size(), other->atlases.size());
    for (size_t i = 0; i < one->atlases.size(); ++i) EXPECT_EQ(one->atlases[i].texels, other->atlases[i].texels);
    EXPECT_EQ(memory_of(*one).words, memory_of(*other).words);
    for (size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(one->textures[order[i]].source, other->textures[i].source);
      EXPECT_EQ(one->textures[order[i]].u, other->textures[i].u);
      EXPECT_EQ(one->textures[order[i]].v, other->textures[i].v);
    }
  });
}

TEST(SplashpackTextures, SharingPalettesLosesNoColors) {
  u64 sets_before = 0, palettes_after = 0;
  test::each_seed(200, [&](u64 seed) {
    std::mt19937 random{u32(seed)};
    const size_t most = random() % 2 ? 16 : 256;
    // Colour sets from a few families, like the textures of one scene.
    std::vector<std::vector<u16>> sets;
    for (u32 i = 1 + random() % 30; i; --i) {
      std::set<u16> set;
      const u32 family = random() % 4 * 1000;
      for (size_t k = 1 + random() % most; k; --k) set.insert(u16(family + random() % (2 * most)));
      sets.emplace_back(set.begin(), set.end());
    }
    const psx::SharedPalettes shared = psx::share_palettes(sets, most);
    ASSERT_EQ(shared.palette_of.size(), sets.size());
    std::set<size_t> used;
    for (size_t i = 0; i < sets.size(); ++i) {
      const auto& palette = shared.palettes.at(shared.palette_of[i]);
      used.insert(shared.palette_of[i]);
      EXPECT_LE(palette.size(), most);
      EXPECT_TRUE(std::ranges::includes(palette, sets[i]));
    }
    EXPECT_EQ(used.size(), shared.palettes.size());
    EXPECT_LE(shared.palettes.size(), sets.size());
    sets_before += sets.size();
    palettes_after += shared.palettes.size();

    std::vector<std::vector<u16>> shuffled = sets;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    EXPECT_EQ(psx::share_palettes(shuffled, most).palettes, shared.palettes);
  });
  EXPECT_LT(palettes_after * 10, sets_before * 9);
}

TEST(SplashpackTextures, SharesPalettesThatFitTogether) {
  using Sets = std::vector<std::vector<u16>>;
  EXPECT_EQ(psx::share_palettes(Sets{{1, 2}, {2, 3}, {1, 2, 3, 4}}, 4).palettes, (Sets{{1, 2, 3, 4}}));
  // The large set and one of the small ones, not both.
  const auto two = psx::share_palettes(Sets{{5, 6}, {1, 2, 3}, {4}}, 4);
  EXPECT_EQ(two.palettes, (Sets{{1, 2, 3, 4}, {5, 6}}));
  EXPECT_THAT(two.palette_of, ElementsAre(1, 0, 0));
  EXPECT_THAT(psx::share_palettes(Sets{}, 16).palettes, IsEmpty());
}

TEST(SplashpackTextures, PacksPagesBetterThanRowByRow) {
  // Random sizes that fill 85 % of two pages.
  u64 pages = 0;
  for (u32 seed = 0; seed < 10; ++seed) {
    std::mt19937 random(seed);
    std::vector<Image> images;
    for (u64 area = 0; area < 256 * 256 * 170 / 100;) {
      const u32 side = u32(images.size());
      images.push_back(plain(16 + random() % 80, 16 + random() % 80, {shown(side % 32), shown(side / 32), 255, 255}));
      area += images.back().width * images.back().height;
    }
    std::vector<TextureRequest> wishes;
    for (const Image& i : images) wishes.push_back({&i, 8});
    const auto placed = place_textures(wishes, options_of(Layout::d));
    ASSERT_TRUE(placed);
    expect_sound(*placed, options_of(Layout::d));
    pages += placed->atlases.size();
  }
  EXPECT_EQ(pages, 20u);
}

TEST(SplashpackTextures, DitheringKeepsTheMeanAndTheColors) {
  const Image ramp = picture("ramp", 128, 64, [](u32 x, u32) -> Rgba {
    const u8 gray = u8(40 + x);
    return {gray, gray, gray, 255};
  });
  for (const u8 depth : {4, 16}) {
    const TextureRequest wish{&ramp, depth};
    PackingOptions options = options_of(Layout::d);
    const auto flat = place_textures({&wish, 1}, options);
    options.dither = true;
    const auto dithered = place_textures({&wish, 1}, options);
    ASSERT_TRUE(flat && dithered);
    const auto error = [&](const PlacedTextures& p) {  // of the means of columns of 64 texels
      const VideoMemory memory = memory_of(p);
      f64 sum = 0;
      for (u32 x = 1; x < 127; ++x) {
        f64 mean = 0, wanted = 0;
        for (u32 y = 0; y < 64; ++y)
          for (u32 k = x - 1; k <= x + 1; ++k) {
            const u16 word = read(memory, p.textures[0], k, y);
            mean += (0.3 * shown(word & 31) + 0.6 * shown(word >> 5 & 31) + 0.1 * shown(word >> 10 & 31)) / 192.0;
            wanted += (40 + k) / 192.0;
          }
        sum += std::abs(mean - wanted);
      }
      return sum;
    };
    EXPECT_LT(error(*dithered) * 2, error(*flat)) << int(depth);
  }
  // A picture that needs no reduction stays unchanged.
  const Image gray = plain(16, 16, {shown(9), shown(9), shown(9), 255});
  const TextureRequest wish{&gray, 16};
  PackingOptions options = options_of(Layout::d);
  options.dither = true;
  const auto placed = place_textures({&wish, 1}, options);
  ASSERT_TRUE(placed);
  EXPECT_EQ(unlike(memory_of(*placed), placed->textures[0], gray), 0u);
}

TEST(SplashpackTextures, PlacesManySmallTexturesQuickly) {
  std::mt19937 random(1);
  std::vector<Image> images;
  for (u32 i = 0; i < 3000; ++i) images.push_back(random_picture(random, 8, 12));
  std::vector<TextureRequest> wishes;
  for (const Image& i : images) wishes.push_back({&i, 4});
  const auto placed = place_textures(wishes, options_of(Layout::d));
  ASSERT_TRUE(placed);
  EXPECT_THAT(placed->atlases, SizeIs(1));
  expect_sound({{}, placed->atlases, placed->cluts, {}}, options_of(Layout::d));
  EXPECT_GT(placed->cluts.size(), 800u);  // more than the strips below the frame buffers have room for
}

}  // namespace
