// Pack pictures exported and imported after edits: only the changed words change, and only where the file stores them.
#include "formats/contract/pictures.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/picture_importer.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/pictures/texels.hpp"
#include "formats/splashpack/pictures/video_picture.hpp"
#include "splashpack/generator.hpp"

using namespace dio;
using namespace dio::splashpack;

namespace {

constexpr u8 k_seven = 7;

/// Layout d: a 4-bit page at (640, 256) filled with the index 7, and one triangle that uses 4 x 2 of its texels.
Pack small_pack() {
  Pack p;
  Atlas a;
  a.x = 640;
  a.y = 256;
  a.width = 64;
  a.height = 256;
  a.texels.assign(64 * 256 * 2, u8(k_seven | k_seven << 4));
  p.atlases.push_back(std::move(a));
  Clut c;
  c.x = 1;
  c.y = 500;
  c.length = 16;
  for (u16 i = 0; i < 16; ++i) c.colors.push_back(u16(2 * i));  // reds; 0 is clear
  c.colors[15] = 0x8000;                                        // black that is drawn
  p.cluts.push_back(std::move(c));
  Object o;
  Triangle t{};
  t.uvs = {{{8, 3}, {11, 3}, {8, 4}}};
  t.page = TexturePage{640, 256, 0, 0, true}.word();
  t.clut_x = 1, t.clut_y = 500;
  o.triangles.push_back(t);
  p.objects.push_back(std::move(o));
  return p;
}

template <class T>
DocumentOf<T> document_of(T value) {
  Document<T> d;
  d.edit() = std::move(value);
  return DocumentOf<T>(std::move(d));
}

PictureSet out_of(const AnyDocument& d) {
  auto set = pack_pictures(d, {});
  EXPECT_TRUE(set);
  return set ? std::move(*set) : PictureSet();
}
scene::Image& image_of(PictureSet& set, std::string_view file) {
  for (NamedImage& i : set.images)
    if (i.file == file) return i.image;
  ADD_FAILURE() << file;
  return set.images.front().image;
}

}  // namespace

TEST(SplashpackPictures, ExportsTexturesPalettesAndVideoMemory) {
  const auto d = document_of(small_pack());
  PictureSet set = out_of(d);
  ASSERT_EQ(set.images.size(), 3u);
  const scene::Image& texture = image_of(set, "texture_0.png");
  EXPECT_EQ(texture.width, 4u);
  EXPECT_EQ(texture.height, 2u);
  EXPECT_EQ(texture.depth, 4);
  EXPECT_EQ(texture.pixels, std::vector<u8>(8, k_seven));
  EXPECT_EQ(texture.palette[15], (scene::Rgba{0, 0, 0, 255}));
  const scene::Image& palette = image_of(set, "palette_0.png");
  EXPECT_EQ(palette.width, 16u);
  EXPECT_EQ(palette.height, 1u);
  const Value& entry = *set.manifest.find("pictures")->at(0);
  EXPECT_EQ(entry.find("format")->text(), "4 bits");
  EXPECT_EQ(entry.find("u")->bits(), 8u);
  EXPECT_EQ(entry.find("clut_y")->bits(), 500u);
}

TEST(SplashpackPictures, UneditedPicturesChangeNothing) {
  auto d = document_of(small_pack());
  const PictureSet set = out_of(d);
  const auto taken = import_pack_pictures(d, set.manifest, set.images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->changed, 0u);
  EXPECT_EQ(taken->unchanged, 2u);
}

TEST(SplashpackPictures, EditedTexelChangesFourBits) {
  auto d = document_of(small_pack());
  PictureSet set = out_of(d);
  image_of(set, "texture_0.png").pixels[4 + 1] = 2;  // texel (9, 4)
  const auto taken = import_pack_pictures(d, set.manifest, set.images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->changed, 1u);
  Pack expected = small_pack();
  expected.atlases[0].texels[(4 * 64 + 2) * 2] = u8(k_seven | 2 << 4);
  EXPECT_EQ(value_of<Pack>(d).atlases[0].texels, expected.atlases[0].texels);
  EXPECT_EQ(value_of<Pack>(d).cluts[0].colors, expected.cluts[0].colors);
}

TEST(SplashpackPictures, MatchesColorsToPaletteIndices) {
  auto d = document_of(small_pack());
  PictureSet set = out_of(d);
  scene::Image& texture = image_of(set, "texture_0.png");
  texture = to_rgba(texture);
  const auto put = [&](size_t i, scene::Rgba c) { std::copy(c.begin(), c.end(), texture.pixels.begin() + 4 * i); };
  put(0, {psx::to_8_bits(10), 0, 0, 255});  // index 5
  put(1, {0, 0, 0, 0});                     // clear: index 0
  put(2, {0, 0, 0, 255});                   // black: index 15
  put(3, {250, 20, 20, 255});               // of no index; red 28 is nearest
  const auto taken = import_pack_pictures(d, set.manifest, set.images);
  ASSERT_TRUE(taken);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "splashpack.picture-color");
  const Bytes& texels = value_of<Pack>(d).atlases[0].texels;
  EXPECT_EQ(texels[(3 * 64 + 2) * 2], 5 | 0 << 4);
  EXPECT_EQ(texels[(3 * 64 + 2) * 2 + 1], 15 | 14 << 4);
}

TEST(SplashpackPictures, ImportsNewPaletteColors) {
  auto d = document_of(small_pack());
  PictureSet set = out_of(d);
  scene::Image& palette = image_of(set, "palette_0.png");
  const auto put = [&](size_t i, scene::Rgba c) { std::copy(c.begin(), c.end(), palette.pixels.begin() + 4 * i); };
  put(3, {0, 255, 8, 255});
  put(4, {0, 0, 0, 255});
  put(5, {0, 0, 0, 0});
  const auto taken = import_pack_pictures(d, set.manifest, set.images);
  ASSERT_TRUE(taken);
  Pack expected = small_pack();
  expected.cluts[0].colors[3] = 31 << 5 | 1 << 10;
  expected.cluts[0].colors[4] = 0x8000;
  expected.cluts[0].colors[5] = 0;
  EXPECT_EQ(value_of<Pack>(d).cluts[0].colors, expected.cluts[0].colors);
  EXPECT_EQ(value_of<Pack>(d).atlases[0].texels, expected.atlases[0].texels);
}

TEST(SplashpackPictures, ImportsPalettesStoredInObjects) {
  Pack p = small_pack();
  p.form = Layout::a2;
  p.objects[0].page = p.objects[0].triangles[0].page;
  p.objects[0].clut_x = 1, p.objects[0].clut_y = 500;
  p.objects[0].colors.fill(0x1234);
  p.cluts.clear();
  auto d = document_of(std::move(p));
  PictureSet set = out_of(d);
  scene::Image& palette = image_of(set, "palette_0.png");
  const scene::Rgba white{255, 255, 255, 255};
  std::copy(white.begin(), white.end(), palette.pixels.begin() + 4 * 9);
  ASSERT_TRUE(import_pack_pictures(d, set.manifest, set.images));
  EXPECT_EQ(value_of<Pack>(d).objects[0].colors[9], 0x7FFF);
  EXPECT_EQ(value_of<Pack>(d).objects[0].colors[8], 0x1234);
}

TEST(SplashpackPictures, LaterPacksImportIntoTheVramFile) {
  const Pack old = small_pack();
  Vram vram;
  vram.atlases.push_back({640, 256, 64, 256, old.atlases[0].texels});
  vram.cluts.push_back({1, 500, 0, old.cluts[0].colors});
  Pack pack = old;
  pack.form = Layout::v21;
  pack.version = 21;
  pack.atlases.clear(), pack.cluts.clear();
  auto d = document_of(std::move(vram));
  auto scene = document_of(std::move(pack));
  Format format{};
  format.id = "splashpack";
  const Companion with{"scene.splashpack", &format, &scene};
  auto set = vram_pictures(d, {.companions = {&with, 1}});
  ASSERT_TRUE(set);
  image_of(*set, "texture_0.png").pixels[0] = 1;
  const auto refused = import_pack_pictures(scene, set->manifest, set->images);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "splashpack.manifest");
  const auto taken = import_vram_pictures(d, set->manifest, set->images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->changed, 1u);
  EXPECT_EQ(value_of<Vram>(d).atlases[0].texels[(3 * 64 + 2) * 2], 1 | k_seven << 4);
}

namespace {

/// small_pack as v21, with two canvases: two images show the same 6 x 3 texels, one of them mirrored; one shows 16-bit
/// texels, one shows texels that no atlas provides.
Pack pack_with_canvases() {
  Pack p = small_pack();
  p.form = Layout::v21;
  p.version = 21;
  UiElement title;
  title.name = "title";
  title.page_x = 640 / k_page_width, title.page_y = 1;
  title.clut_x = 1, title.clut_y = 500;
  title.from = {41, 20}, title.to_uv = {46, 22};
  UiElement mirrored = title;
  mirrored.name = "Title";
  std::swap(mirrored.from, mirrored.to_uv);
  UiElement direct = title;
  direct.name.reset();
  direct.depth = 2;
  direct.from = {30, 100}, direct.to_uv = {31, 100};
  UiElement nothing = title;
  nothing.page_x = 0;
  UiElement other = title;
  other.name = "TITLE", other.from = {60, 60}, other.to_uv = {60, 60};
  UiElement words;
  words.type = UiType::text;
  UiCanvas hud, unnamed;
  hud.name = "hud/1";
  hud.elements = {words, title, nothing, mirrored};
  unnamed.elements = {direct};
  p.canvases = {hud, unnamed, hud};
  p.canvases[2].elements = {other};
  return p;
}
Vram extract_vram(Pack& p) {
  Vram v;
  const Atlas& a = p.atlases[0];
  v.atlases.push_back({a.x, a.y, a.width, a.height, a.texels});
  v.cluts.push_back({1, 500, 0, p.cluts[0].colors});
  p.atlases.clear(), p.cluts.clear();
  return v;
}

}  // namespace

TEST(SplashpackPictures, NamesPicturesAfterCanvasElements) {
  Pack p = pack_with_canvases();
  auto d = document_of(extract_vram(p));
  const auto pack = document_of(std::move(p));
  Format format{};
  format.id = "splashpack";
  const Companion with{"scene.splashpack", &format, &pack};
  auto set = vram_pictures(d, {.companions = {&with, 1}});
  ASSERT_TRUE(set);
  std::vector<std::string> files;
  for (const NamedImage& i : set->images) files.push_back(i.file);
  EXPECT_EQ(files, (std::vector<std::string>{"texture_0.png", "canvas_hud%2f1_title.png", "canvas_1_0.png",
                                             "canvas_hud%2f1_TITLE~2.png", "palette_0.png", "video_memory.png"}));
  scene::Image& title = image_of(*set, "canvas_hud%2f1_title.png");
  EXPECT_EQ(title.width, 6u);
  EXPECT_EQ(title.height, 3u);
  EXPECT_EQ(title.palette.size(), 16u);
  const Value& entry = *set->manifest.find("pictures")->at(1);
  EXPECT_EQ(entry.find("paired_by")->text(), "canvases");
  ASSERT_EQ(entry.find("elements")->size(), 2u);
  EXPECT_EQ(entry.find("elements")->at(0)->text(), "canvases[0].elements[1]");
  EXPECT_EQ(entry.find("elements")->at(1)->text(), "canvases[0].elements[3]");
  const scene::Image& direct = image_of(*set, "canvas_1_0.png");
  EXPECT_EQ(direct.width, 2u);
  EXPECT_TRUE(direct.palette.empty());
  // In the picture of the whole memory, texels are drawn with their depth: texel 44 of line 21 is red 14 of 31.
  EXPECT_EQ(color_of(image_of(*set, "video_memory.png"), 2 * 651, 2 * (256 + 21)),
            (scene::Rgba{psx::to_8_bits(14), 0, 0, 255}));

  // Import: nothing changes at first, then exactly the edited texels.
  auto taken = import_vram_pictures(d, set->manifest, set->images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->changed, 0u);
  EXPECT_EQ(taken->unchanged, 5u);
  Bytes expected = value_of<Vram>(d).atlases[0].texels;
  title.pixels[6 + 1] = 3;  // texel (42, 21)
  image_of(*set, "canvas_1_0.png").pixels = {255, 0, 0, 255, 0, 0, 0, 0};
  taken = import_vram_pictures(d, set->manifest, set->images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->changed, 2u);
  expected[(21 * 64 + 10) * 2 + 1] = u8(k_seven << 4 | 3);
  const size_t at = (100 * 64 + 30) * 2;
  expected[at] = 0x1F, expected[at + 1] = 0, expected[at + 2] = 0, expected[at + 3] = 0;
  EXPECT_EQ(value_of<Vram>(d).atlases[0].texels, expected);
}

TEST(SplashpackPictures, UneditedPicturesOfAnyPackChangeNothing) {
  std::mt19937_64 random(1);
  Vram vram;  // full of atlases and, over them, of palettes
  for (u32 i = 0; i < 8; ++i) {
    VramAtlas& a = vram.atlases.emplace_back(VramAtlas{u16(i % 4 * 256), u16(i / 4 * 256), 256, 256, {}});
    while (a.texels.size() < 256 * 256 * 2) a.texels.push_back(u8(random()));
  }
  for (u16 y = 0; y < k_video_height; y = u16(y + 2)) {
    VramClut& c = vram.cluts.emplace_back(VramClut{0, y, 0, {}});
    while (c.colors.size() < k_video_width) c.colors.push_back(u16(random()));
  }
  auto d = document_of(vram);
  Format format{};
  format.id = "splashpack";
  size_t of_canvases = 0;
  for (const Layout l : {Layout::v20, Layout::v24})
    for (u64 seed = 0; seed < 20; ++seed) {
      auto pack = load<Pack>(test::SplashpackGenerator(seed, l).placed_file());
      ASSERT_TRUE(pack);
      UiCanvas& canvas = pack->document.edit().canvases.emplace_back();
      for (u32 i = 0; i < 20; ++i) {
        const auto byte = [&] { return u8(random()); };
        UiElement& e = canvas.elements.emplace_back();
        if (i % 4) e.name = std::string{char(byte()), char(byte() % 4)};
        e.page_x = byte(), e.page_y = byte(), e.depth = u8(byte() % 4);
        e.clut_x = u16(random()), e.clut_y = u16(random());
        e.from = {byte(), byte()}, e.to_uv = {byte(), byte()};
      }
      const DocumentOf<Pack> any(std::move(pack->document));
      const Companion with{"scene.splashpack", &format, &any};
      const auto set = vram_pictures(d, {.companions = {&with, 1}});
      ASSERT_TRUE(set);
      std::set<std::string> files;
      for (const NamedImage& i : set->images) {
        EXPECT_TRUE(files.insert(i.file).second) << i.file;
        EXPECT_EQ(i.file.find('/'), std::string::npos) << i.file;
        of_canvases += i.file.starts_with("canvas_");
      }
      const auto taken = import_vram_pictures(d, set->manifest, set->images);
      ASSERT_TRUE(taken) << format_one_line(taken.error());
      EXPECT_EQ(taken->changed, 0u) << seed;
      EXPECT_EQ(taken->unchanged + 1, set->images.size());
    }
  EXPECT_GT(of_canvases, 400u);  // of 800, half of which have a palette
}

TEST(SplashpackPictures, PictureFileNamesAreUnique) {
  PictureNames names;
  EXPECT_EQ(names.unique_png_name("a~2"), "a~2.png");
  EXPECT_EQ(names.unique_png_name("a"), "a.png");
  EXPECT_EQ(names.unique_png_name("A"), "A~3.png");
  EXPECT_EQ(names.unique_png_name("a"), "a~4.png");
  EXPECT_EQ(names.unique_png_name(""), "%.png");
  EXPECT_EQ(names.unique_png_name(std::string(300, 'x')), std::string(120, 'x') + ".png");
  EXPECT_EQ(PictureNames::escape_file_name("../\xC3\xA4.b"), "%2e.%2f%c3%a4.b");
}

TEST(SplashpackPictures, RejectedPicturesChangeNothing) {
  auto d = document_of(small_pack());
  const PictureSet good = out_of(d);
  const auto refused = [&](auto edit) {
    PictureSet set = good;
    image_of(set, "texture_0.png").pixels[0] = 1;
    edit(set);
    const auto taken = import_pack_pictures(d, set.manifest, set.images);
    EXPECT_EQ(value_of<Pack>(d).atlases[0].texels, small_pack().atlases[0].texels);
    return taken ? std::string() : taken.error().id + " " + taken.error().place.path;
  };
  const auto set_number = [](PictureSet& set, const char* name, u64 n) {
    Value& entry = set.manifest.find("pictures")->members()[0].second;
    *entry.find(name) = n;
  };
  EXPECT_EQ(refused([](PictureSet& s) {
              s.images[0].image.height = 1;
              s.images[0].image.pixels.resize(4);
            }),
            "splashpack.picture-size pictures[0]");
  EXPECT_EQ(refused([&](PictureSet& s) { set_number(s, "page", 0x10000); }), "splashpack.manifest pictures[0].page");
  EXPECT_EQ(refused([&](PictureSet& s) { set_number(s, "page", 5); }), "splashpack.manifest pictures[0].page");
  EXPECT_EQ(refused([&](PictureSet& s) { set_number(s, "u", 253); }), "splashpack.manifest pictures[0].width");
  EXPECT_EQ(refused([&](PictureSet& s) { set_number(s, "clut_y", 1000); }), "splashpack.manifest pictures[0].page");
  EXPECT_EQ(refused([](PictureSet& s) { s.manifest.find("pictures")->members()[1].second = Value::object(); }),
            "splashpack.manifest pictures[1]");
  EXPECT_EQ(refused([](PictureSet& s) { s.manifest = Value(); }), "splashpack.manifest pictures");
}

TEST(SplashpackPictures, DrawsVideoMemoryByTexelDepth) {
  Pack p = small_pack();
  for (Uv& uv : p.objects[0].triangles[0].uvs) uv.v = u8(uv.v + 100);  // not below the name of the atlas
  const VideoMemory memory = build_video_memory(p, nullptr);
  const scene::Image image = render_video_memory(p, memory, TexelRegions(p).all());
  EXPECT_EQ(image.width, 2048u);
  EXPECT_GT(image.height, 1024u);
  // Two pixels a word: texels 8 and 10 of line 103, red 14 of 31.
  EXPECT_EQ(color_of(image, 2 * 642, 2 * (256 + 103)), (scene::Rgba{psx::to_8_bits(14), 0, 0, 255}));
  // An unused word, drawn as a colour.
  EXPECT_EQ(color_of(image, 2 * 660 + 1, 2 * 300), rgb555_to_rgba(0x7777));
  // Colour 9 of the palette.
  EXPECT_EQ(color_of(image, 2 * 25, 2 * 500), (scene::Rgba{psx::to_8_bits(18), 0, 0, 255}));
}
