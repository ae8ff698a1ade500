// Maps seen from above: tiles align with pixels, and windows and pyramid tiles match the whole image.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "bridge/raster/tile_pyramid.hpp"
#include "bridge/report/map_page.hpp"
#include "formats/contract/game.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/parts.hpp"
#include "formats/platinum/layout/land_data.hpp"
#include "operations/operations.hpp"
#include "samples/platinum/games.hpp"
#include "samples/samples.hpp"
#include "scene/shapes.hpp"

namespace {

using namespace dio;
using namespace dio::scene;
using namespace dio::raster;

Rgba pixel(const Image& i, u32 x, u32 y) { return color_of(i, x, y); }

/// A ground quad for each tile of a grid, with different neighbours; the last tile is missing.
Scene checkered(const TileGrid& grid) {
  Scene s;
  for (u32 k = 0; k < 5; ++k) {
    Material m;
    m.color = {k % 2 ? 1.f : 0.f, k / 2 % 2 ? 1.f : 0.f, k == 4 ? 0.f : 1.f, 1};
    s.materials.push_back(m);
  }
  s.meshes.push_back({"tiles", {}});
  std::map<u32, Primitive> primitives;
  for (u32 z = 0; z < grid.down; ++z)
    for (u32 x = 0; x < grid.across; ++x) {
      if (x + 1 == grid.across && z + 1 == grid.down) continue;
      const f32 west = f32(grid.west + x * grid.tile), north = f32(grid.north + z * grid.tile);
      const f32 east = f32(grid.west + (x + 1) * grid.tile), south = f32(grid.north + (z + 1) * grid.tile);
      const f32 y = f32(x * 7 % 3);
      add_quad(primitives[(x + 2 * z) % 5], {{{west, y, south}, {east, y, south}, {east, y, north}, {west, y, north}}},
               {});
    }
  // Geometry beyond the border must not appear in the picture.
  const f32 edge = f32(grid.west), far = 1e4f;
  add_quad(primitives[0], {{{-far, -5, far}, {edge, -5, far}, {edge, -5, -far}, {-far, -5, -far}}}, {});
  for (auto& [material, p] : primitives) {
    p.material = material;
    s.meshes[0].primitives.push_back(std::move(p));
  }
  s.nodes.push_back({.name = "tiles", .mesh = 0, .extras = {}});
  set_tile_grid(s, grid);
  EXPECT_TRUE(verify(s).empty());
  return s;
}

/// Triangles, lines and points, opaque and translucent, all over a map of 40 x 24 tiles of 10 units and beyond it.
Scene heap() {
  std::mt19937 random(11);
  const auto from = [&](f32 low, f32 high) { return low + f32(random() % 100000) / 100000 * (high - low); };
  Scene s;
  for (u32 k = 0; k < 4; ++k) {
    Material m;
    m.color = {from(0, 1), from(0, 1), from(0, 1), k % 2 ? 0.6f : 1.f};
    m.alpha = k % 2 ? Material::Alpha::blend : Material::Alpha::opaque;
    m.unlit = k < 2;
    m.double_sided = true;
    s.materials.push_back(m);
  }
  for (u32 k = 0; k < 60; ++k) {
    Primitive p;
    p.material = k % 4;
    p.shape = k % 10 == 8   ? Primitive::Shape::lines
              : k % 10 == 9 ? Primitive::Shape::points
                            : Primitive::Shape::triangles;
    const Vec3 middle{from(-20, 420), from(-30, 30), from(-20, 260)};
    for (u32 i = 0; i < 12; ++i) {
      p.positions.push_back({middle[0] + from(-30, 30), middle[1] + from(-5, 5), middle[2] + from(-30, 30)});
      p.colors.push_back({from(0, 1), from(0, 1), from(0, 1), 1});
    }
    s.meshes.push_back({"heap", {std::move(p)}});
    s.nodes.push_back({.name = "heap", .mesh = k, .extras = {}});
  }
  set_tile_grid(s, {.tile = 10, .across = 40, .down = 24});
  EXPECT_TRUE(verify(s).empty());
  return s;
}

RenderOptions shot_at(f64 pixels, u32 samples = 1, Scale::ScaleUnit per = Scale::ScaleUnit::tile) {
  RenderOptions shot;
  shot.scale = Scale{pixels, per};
  shot.options.samples = samples;
  return shot;
}
Image whole(const Scene& s, const RenderOptions& shot) {
  auto taken = render_picture(s, shot);
  EXPECT_TRUE(taken) << (taken ? "" : format_one_line(taken.error()));
  return taken ? std::move(taken->image) : Image{};
}

TEST(TileGrid, RoundTripsThroughSceneExtras) {
  const TileGrid grid{.tile = 28,
                      .west = -3.5,
                      .north = -224,
                      .across = 17,
                      .down = 8,
                      .first_x = -4,
                      .first_z = 7,
                      .counts_north = true,
                      .places = {{"town", 0, 1, 3, 2}, {"<b>", 16, 7, 1, 1}}};
  Scene s;
  set_tile_grid(s, grid);
  EXPECT_EQ(read_tile_grid(s), grid);
  EXPECT_TRUE(verify(s).empty());
  EXPECT_FALSE(read_tile_grid({}));
}

TEST(TileGrid, RejectsInvalidGridsInExtras) {
  const auto without = [](auto change) {
    Scene s;
    set_tile_grid(s, {.across = 4, .down = 3, .places = {{"a", 1, 1, 2, 2}}});
    change(*s.extras.find("tile_grid"));
    return !read_tile_grid(s);
  };
  EXPECT_FALSE(without([](Value&) {}));
  EXPECT_TRUE(without([](Value& v) { *v.find("tile") = Value(0.0); }));
  EXPECT_TRUE(without([](Value& v) { *v.find("tile") = Value("1"); }));
  EXPECT_TRUE(without([](Value& v) { v.find("tiles")->members()[0].second = Value(0); }));
  EXPECT_TRUE(without([](Value& v) { v.find("tiles")->members()[1].second = Value(1e9); }));
  EXPECT_TRUE(without([](Value& v) { v.find("tiles")->members()[1].second = Value(2.5); }));
  EXPECT_TRUE(without([](Value& v) { v.find("corner")->push(1); }));
  EXPECT_TRUE(without([](Value& v) { *v.find("first") = Value(); }));
  EXPECT_TRUE(without([](Value& v) { *v.find("rows") = Value(); }));
  EXPECT_TRUE(without([](Value& v) { v.find("tiles")->members()[0].second = Value(2); }));
}

TEST(MapScale, ParsesPixelsPerTileUnitOrMetre) {
  const auto read = [](const char* text) {
    const auto s = parse_map_scale(text);
    return s ? std::to_string(int(s->per)) + ' ' + std::to_string(s->pixels) : std::string();
  };
  EXPECT_EQ(read("16"), "0 16.000000");
  EXPECT_EQ(read("16/tile"), "0 16.000000");
  EXPECT_EQ(read("0.05/unit"), "1 0.050000");
  EXPECT_EQ(read("2e1/m"), "2 20.000000");
  for (const char* bad :
       {"", "/", "/m", "0", "-3", "1.5", "1025", "16/", "16/km", "16px", "inf/m", "1e999/m", "0x10/m", "-1/m"})
    EXPECT_EQ(read(bad), "") << bad;
}

TEST(MapFromAbove, EachTileCoversExactlyItsPixels) {
  for (const TileGrid& grid : {TileGrid{.tile = 16, .across = 7, .down = 5},
                               TileGrid{.tile = 28, .west = -1234.5, .north = 77.25, .across = 13, .down = 3},
                               TileGrid{.tile = 0.7, .west = 100.1, .north = -9, .across = 3, .down = 11}}) {
    const Scene s = checkered(grid);
    for (const u32 n : {1u, 3u, 16u, 17u, 28u, 30u})
      for (const u32 samples : {1u, 3u}) {
        const Image image = whole(s, shot_at(n, samples));
        ASSERT_EQ(image.width, grid.across * n);
        ASSERT_EQ(image.height, grid.down * n);
        for (u32 y = 0; y < image.height; ++y)
          for (u32 x = 0; x < image.width; ++x) {
            const u32 i = x / n, j = y / n, k = (i + 2 * j) % 5;
            const bool none = i + 1 == grid.across && j + 1 == grid.down;
            const Rgba expected =
                none ? Rgba{0, 0, 0, 0} : Rgba{u8(k % 2 * 255), u8(k / 2 % 2 * 255), u8(k == 4 ? 0 : 255), 255};
            ASSERT_EQ(pixel(image, x, y), expected) << grid.tile << ' ' << n << ' ' << samples << ": " << x << ' ' << y;
          }
      }
  }
}

TEST(MapFromAbove, ReportsItsCornerAndScale) {
  const Scene s = checkered({.tile = 16, .west = -32, .north = 48, .across = 6, .down = 4});
  auto taken = render_picture(s, shot_at(8));
  ASSERT_TRUE(taken && taken->map);
  EXPECT_EQ(taken->map->pixels_per_tile, 8u);
  EXPECT_EQ(taken->map->pixels_per_unit, 0.5);
  EXPECT_EQ(taken->map->west, -32);
  EXPECT_EQ(taken->map->north, 48);
  // A scale per unit or metre still covers all tiles, rounded up to whole pixels.
  taken = render_picture(s, shot_at(0.3, 1, Scale::ScaleUnit::unit));
  ASSERT_TRUE(taken && taken->map);
  EXPECT_EQ(taken->map->pixels_per_tile, 0u);
  EXPECT_EQ(taken->image.width, 29u);   // 28.8
  EXPECT_EQ(taken->image.height, 20u);  // 19.2
}

TEST(MapFromAbove, AlignsPixelsToTheOriginWithoutTiles) {
  Scene s = checkered({.tile = 10, .west = 3, .north = -14, .across = 2, .down = 2});
  s.extras = {};
  s.meshes[0].primitives[0].positions.resize(4);  // without the part beyond the border
  s.meshes[0].primitives[0].indices.resize(6);
  s.metres_per_unit = 0.5f;
  EXPECT_EQ(render_picture(s, shot_at(16)).error().id, "render.scale");
  const auto taken = render_picture(s, shot_at(0.5, 1, Scale::ScaleUnit::metre));
  ASSERT_TRUE(taken && taken->map);
  EXPECT_EQ(taken->map->pixels_per_unit, 0.25);
  EXPECT_EQ(taken->map->west, 0);     // 3 rounded down to a multiple of 4
  EXPECT_EQ(taken->map->north, -16);  // -14 rounded down
  EXPECT_EQ(taken->image.width, 6u);
  EXPECT_EQ(taken->image.height, 6u);
  EXPECT_EQ(render_picture(s, shot_at(1e9, 1, Scale::ScaleUnit::unit)).error().id, "render.size");
  RenderOptions shot = shot_at(1, 1, Scale::ScaleUnit::unit);
  shot.camera = "iso";
  EXPECT_EQ(render_picture(s, shot).error().id, "render.camera");
  EXPECT_TRUE(render_picture({}, shot_at(1, 1, Scale::ScaleUnit::unit)));
}

TEST(MapFromAbove, HandlesExtremeTileGrids) {
  // Other programs' files can contain any grid.
  for (const f64 tile : {1e-300, 1e-9, 3.7, 1e30, 1e300})
    for (const f64 corner : {0.0, -1e-300, 5e8, -1e40, 1e300}) {
      Scene s = heap();
      s.extras = {};
      set_tile_grid(s, {.tile = tile, .west = corner, .north = -corner, .across = 3, .down = 2});
      const Image image = whole(s, shot_at(8));
      EXPECT_EQ(image.width, 24u);
      EXPECT_EQ(image.height, 16u);
      const auto pyramid = Pyramid::create(s, shot_at(40), 64);
      ASSERT_TRUE(pyramid);
      EXPECT_TRUE(pyramid->draw([](u32, u32, u32, const Image&) { return true; })) << tile << ' ' << corner;
    }
}

TEST(RenderWindow, MatchesTheWholeImage) {
  const Scene s = heap();
  for (const u32 samples : {1u, 2u, 3u}) {
    const auto frame = prepare_frame(s, shot_at(11, samples));
    ASSERT_TRUE(frame);
    const auto all = render(s, frame->pose, frame->view, frame->options);
    ASSERT_TRUE(all);
    for (const Window& w : {Window{0, 0, 440, 264}, Window{64, 64, 64, 128}, Window{1, 2, 3, 4}, Window{63, 65, 130, 1},
                            Window{300, 190, 140, 74}, Window{439, 263, 1, 1}}) {
      Options options = frame->options;
      options.window = w;
      const auto part = render(s, frame->pose, frame->view, options);
      ASSERT_TRUE(part);
      ASSERT_EQ(part->width, w.width);
      ASSERT_EQ(part->height, w.height);
      for (u32 y = 0; y < w.height; ++y)
        for (u32 x = 0; x < w.width; ++x)
          ASSERT_EQ(pixel(*part, x, y), pixel(*all, w.left + x, w.top + y))
              << samples << ' ' << w.left << ' ' << x << ' ' << y;
    }
    for (const Window& w :
         {Window{0, 0, 441, 1}, Window{440, 0, 1, 1}, Window{0, 0, 0, 1}, Window{0xFFFFFFFF, 0, 2, 1}}) {
      Options options = frame->options;
      options.window = w;
      EXPECT_EQ(render(s, frame->pose, frame->view, options).error().id, "render.size");
    }
  }
}

TEST(RenderWindow, DrawsPartsOfOversizedImages) {
  const Scene s = checkered({.tile = 16, .across = 1310, .down = 2});
  auto frame = prepare_frame(s, shot_at(100));
  ASSERT_TRUE(frame);
  EXPECT_EQ(render(s, frame->pose, frame->view, frame->options).error().id, "render.size");
  const auto color = [](u32 x, u32 z) {
    const u32 k = (x + 2 * z) % 5;
    return Rgba{u8(k % 2 * 255), u8(k / 2 % 2 * 255), u8(k == 4 ? 0 : 255), 255};
  };
  for (const ShadingStyle look : {ShadingStyle::plain, ShadingStyle::ds, ShadingStyle::psx})
    for (const u32 tile : {696u, 820u, 1307u}) {  // also beyond pixel 81,920
      frame->options.look = look;
      frame->options.window = Window{tile * 100 + 99, 99, 2, 2};  // where this tile and the next meet, in both rows
      const auto image = render(s, frame->pose, frame->view, frame->options);
      ASSERT_TRUE(image);
      for (u32 j = 0; j < 2; ++j)
        for (u32 i = 0; i < 2; ++i)
          EXPECT_EQ(pixel(*image, i, j), color(tile + i, j)) << int(look) << ' ' << tile << ' ' << i << ' ' << j;
    }
}

/// Pyramid tiles by level, x and y.
using Tiles = std::map<std::array<u32, 3>, Image>;
Tiles tiles_of(const Pyramid& p) {
  Tiles out;
  std::mutex mutex;
  const auto drawn = p.draw([&](u32 level, u32 x, u32 y, const Image& image) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(out.emplace(std::array{level, x, y}, image).second) << level << ' ' << x << ' ' << y;
    return true;
  });
  EXPECT_TRUE(drawn && *drawn);
  return out;
}
/// Joins all tiles of a level into one image.
Image joined(const Tiles& tiles, const PyramidShape& shape, u32 level) {
  Image out;
  out.width = shape.across(level) * shape.tile, out.height = shape.down(level) * shape.tile;
  out.pixels.resize(size_t(out.width) * out.height * 4);
  for (const auto& [key, image] : tiles) {
    if (key[0] != level) continue;
    EXPECT_EQ(image.width, shape.tile);
    EXPECT_EQ(image.height, shape.tile);
    for (u32 y = 0; y < shape.tile; ++y)
      std::copy_n(image.pixels.begin() + i64(y) * shape.tile * 4, shape.tile * 4,
                  out.pixels.begin() + (i64(key[2] * shape.tile + y) * out.width + key[1] * shape.tile) * 4);
  }
  return out;
}

void expect_made_of_the_whole(const Scene& s, RenderOptions shot, u32 tile) {
  const Image all = whole(s, shot);
  auto pyramid = Pyramid::create(s, shot, tile);
  ASSERT_TRUE(pyramid);
  const PyramidShape& shape = pyramid->shape();
  EXPECT_EQ(shape.across(0), 1u);
  EXPECT_EQ(shape.down(0), 1u);
  const Tiles tiles = tiles_of(*pyramid);
  for (const auto& [key, image] : tiles) {
    bool seen = false;
    for (size_t i = 3; i < image.pixels.size(); i += 4) seen |= image.pixels[i] != 0;
    EXPECT_TRUE(seen) << "an empty tile at " << key[0] << ' ' << key[1] << ' ' << key[2];
  }
  Image below = joined(tiles, shape, shape.deepest);
  for (u32 y = 0; y < below.height; ++y)
    for (u32 x = 0; x < below.width; ++x) {
      const bool inside = x < all.width && y < all.height;
      ASSERT_EQ(pixel(below, x, y), inside ? pixel(all, x, y) : Rgba({0, 0, 0, 0})) << tile << ": " << x << ' ' << y;
    }
  for (u32 level = shape.deepest; level-- > 0;) {
    const Image is = joined(tiles, shape, level);
    Image padded;  // the level below, padded to whole tiles of this level
    padded.width = is.width * 2, padded.height = is.height * 2;
    padded.pixels.resize(size_t(padded.width) * padded.height * 4);
    for (u32 y = 0; y < below.height; ++y)
      std::copy_n(below.pixels.begin() + i64(y) * below.width * 4, below.width * 4,
                  padded.pixels.begin() + i64(y) * padded.width * 4);
    ASSERT_EQ(is.pixels, downsample(padded, 2).pixels) << level;
    below = is;
  }
  // Several threads give the same result.
  shot.options.each = [](size_t count, const std::function<void(size_t)>& work) {
    std::atomic<size_t> next = 0;
    std::vector<std::jthread> threads;
    for (u32 t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        for (size_t i; (i = next++) < count;) work(i);
      });
  };
  const auto again = Pyramid::create(s, shot, tile);
  ASSERT_TRUE(again);
  const Tiles others = tiles_of(*again);
  ASSERT_EQ(tiles.size(), others.size());
  for (const auto& [key, image] : tiles) EXPECT_EQ(image.pixels, others.at(key).pixels);
}

TEST(Pyramid, TilesMatchTheWholeImage) {
  const Scene s = heap();
  expect_made_of_the_whole(s, shot_at(11, 2), 64);  // 440 x 264
  expect_made_of_the_whole(s, shot_at(64), 64);     // 2560 x 1536: several groups of tiles
  expect_made_of_the_whole(s, shot_at(5), 256);     // all in one tile
  RenderOptions shot = shot_at(13);
  shot.background = Rgba{40, 80, 120, 255};
  expect_made_of_the_whole(s, shot, 128);
  expect_made_of_the_whole(s, shot_at(0.7, 1, Scale::ScaleUnit::unit), 64);
}

TEST(Pyramid, SampleGameTilesMatchTheWholeImage) {
  const MemoryTree files = platinum::game_sample().files();
  const auto game = open_game(files);
  ASSERT_TRUE(game);
  const auto staged = game->game->world("", {});
  ASSERT_TRUE(staged);
  expect_made_of_the_whole(staged->scene, shot_at(2, 3), 64);
}

TEST(Pyramid, StopsWhenTheCallbackReturnsFalse) {
  const Scene s = heap();
  const auto pyramid = Pyramid::create(s, shot_at(20), 64);
  ASSERT_TRUE(pyramid);
  u32 given = 0;
  const auto drawn = pyramid->draw([&](u32, u32, u32, const Image&) { return ++given < 3; });
  ASSERT_TRUE(drawn);
  EXPECT_FALSE(*drawn);
  EXPECT_EQ(given, 3u);
}

// ---- maps of games ----

TEST(MapFromAbove, PlatinumBlockedTilesCoverTheirPixels) {
  const platinum::GameSample sample = platinum::game_sample();
  const MemoryTree files = sample.files();
  const auto game = open_game(files);
  ASSERT_TRUE(game);
  constexpr u32 n = 16;
  // The town and the road, adjacent in the matrix, without and with blocked tiles shown.
  WorldOptions shown;
  shown.show = {"collision"};
  const auto plain = game->game->world("", {}), marked = game->game->world("", shown);
  ASSERT_TRUE(plain && marked);
  const auto grid = read_tile_grid(plain->scene);
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->across, 30u * 32);
  EXPECT_EQ(grid->down, 2u * 32);
  ASSERT_EQ(grid->places.size(), 2u);
  EXPECT_EQ(grid->places[1], (TileGrid::NamedMapArea{"ROAD", 32, 0, 32, 32}));
  const auto part = [&](const Scene& s) {
    auto frame = prepare_frame(s, shot_at(n, 2));
    EXPECT_TRUE(frame);
    frame->options.window = Window{0, 0, 64 * n, 32 * n};
    auto image = render(s, frame->pose, frame->view, frame->options);
    EXPECT_TRUE(image);
    return std::move(*image);
  };
  const Image before = part(plain->scene), after = part(marked->scene);
  u32 blocked = 0, covered = 0;
  for (u32 z = 0; z < 32; ++z)
    for (u32 x = 0; x < 64; ++x) {
      const bool is_blocked = sample.lands[x / 32].attributes[z][x % 32] & 0x8000;
      u32 differ = 0, inside = 0;
      for (u32 j = 0; j < n; ++j)
        for (u32 i = 0; i < n; ++i) {
          const bool is = pixel(before, x * n + i, z * n + j) != pixel(after, x * n + i, z * n + j);
          differ += is;
          inside += is && i > 0 && j > 0 && i + 1 < n && j + 1 < n;  // the neighbours' outlines cover the borders
        }
      ASSERT_TRUE(is_blocked || inside == 0) << "tile " << x << ' ' << z;
      blocked += is_blocked;
      covered += differ == n * n;
    }
  EXPECT_GT(covered, 20u);
  EXPECT_GT(covered * 2, blocked) << "of " << blocked;  // trees and roofs hide others
}

TEST(MapFromAbove, TacticsTerrainRowsCountFromTheSouth) {
  fft::Mesh m;
  fft::Terrain& t = m.terrain.emplace();
  t.size_x = 5, t.size_z = 3;
  for (u32 z = 0; z < 3; ++z)
    for (u32 x = 0; x < 5; ++x) {
      fft::TerrainTile& tile = *fft::Terrain::tile(t, 0, x, z);
      tile.height = u8(x + z);
      tile.surface = u8((x + 3 * z) % 7);
    }
  fft::Terrain::tile(t, 0, 3, 0)->absent = true;  // in the southernmost row
  const auto staged = fft::to_scene(m, {});
  ASSERT_TRUE(staged);
  const auto grid = read_tile_grid(staged->scene);
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->first_z, 2);
  EXPECT_TRUE(grid->counts_north);
  constexpr u32 n = 28;
  RenderOptions shot = shot_at(n, 3);
  shot.background = Rgba{0, 0, 0, 0};
  const Image image = whole(staged->scene, shot);
  ASSERT_EQ(image.width, 5 * n);
  ASSERT_EQ(image.height, 3 * n);
  for (u32 row = 0; row < 3; ++row)
    for (u32 x = 0; x < 5; ++x) {
      const u32 z = 2 - row;
      for (u32 j = 0; j < n; ++j)
        for (u32 i = 0; i < n; ++i) {
          const Rgba c = pixel(image, x * n + i, row * n + j);
          ASSERT_EQ(c[3], x == 3 && z == 0 ? 0 : 255) << x << ' ' << z << ": " << i << ' ' << j;
          ASSERT_EQ(c, pixel(image, x * n, row * n)) << x << ' ' << z << ": " << i << ' ' << j;
        }
      if (x && z) {
        EXPECT_NE(pixel(image, x * n, row * n), pixel(image, x * n - 1, row * n)) << x << ' ' << z;
      }
    }
}

TEST(MapPage, EscapesNamesAndStaysSmall) {
  Value about = Value::object();
  about.add("name", "a </script><b> & \"c\"");
  const std::string page = report::map_page(about);
  EXPECT_EQ(page.find("</script><b>"), page.npos);
  EXPECT_NE(page.find("<title>a &lt;/script&gt;&lt;b&gt; &amp; &quot;c&quot;</title>"), page.npos)
      << page.substr(0, 300);
  EXPECT_LT(page.size(), 7000u);  // without the data
  EXPECT_EQ(page.find("http"), page.npos);
}

}  // namespace
