// Texels and palettes of Final Fantasy Tactics, exported as pictures and imported again.
#include "formats/contract/pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bridge/png/png.hpp"
#include "core/json.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/fft/pictures/texels.hpp"
#include "operations/operations.hpp"
#include "samples/fft/maps.hpp"
#include "samples/samples.hpp"

namespace {

using namespace dio;
using namespace dio::fft;
using testing::ElementsAre;
using testing::HasSubstr;

const Format& fft_mesh() { return *find_format("fft-mesh"); }
const Format& texture_format() { return *find_format("fft-texture"); }

std::unique_ptr<AnyDocument> opened(const Format& f, const Bytes& bytes) {
  return std::move(f.load(bytes, {})->document);
}
std::unique_ptr<AnyDocument> opened(const Mesh& m) { return opened(fft_mesh(), bytes_of(m)); }
std::unique_ptr<AnyDocument> opened(const Texture& t) { return opened(texture_format(), bytes_of(t)); }

/// The pictures after a round trip through PNG and JSON files.
PictureSet through_files(const PictureSet& set) {
  PictureSet out;
  for (const NamedImage& i : set.images) out.images.push_back({i.file, *png::read_png(png::write_png(i.image))});
  out.manifest = *json::read(json::write(set.manifest));
  return out;
}
std::vector<std::string> files_of(const PictureSet& set) {
  std::vector<std::string> out;
  for (const NamedImage& i : set.images) out.push_back(i.file);
  return out;
}
scene::Image& image_of(PictureSet& set, std::string_view file) {
  for (NamedImage& i : set.images)
    if (i.file == file) return i.image;
  ADD_FAILURE() << "no picture " << file;
  return set.images.front().image;
}
const Value& entry_of(const PictureSet& set, size_t i) { return *set.manifest.find("pictures")->at(i); }

/// The texture of the valley with the palettes of its mesh.
PictureSet valley_pictures(const AnyDocument& texture, const AnyDocument& mesh, bool every = false) {
  const Companion with{"MAP001.9", &fft_mesh(), &mesh};
  auto set = texture_format().pictures->pictures(texture, {.every_palette = every, .companions = {&with, 1}});
  EXPECT_TRUE(set);
  return *set;
}

TEST(FftPictures, UneditedPicturesChangeNothing) {
  for (const Format* f : {&fft_mesh(), &texture_format()})
    for (const Sample& s : samples_of(*f))
      for (const bool every : {false, true}) {
        auto d = opened(*f, s.bytes);
        const auto set = f->pictures->pictures(*d, {.every_palette = every});
        ASSERT_TRUE(set);
        ASSERT_EQ(set->images.size(), set->manifest.find("pictures")->size());
        const PictureSet files = through_files(*set);
        for (size_t i = 0; i < set->images.size(); ++i) {
          EXPECT_EQ(files.images[i].image.pixels, set->images[i].image.pixels) << s.name;
          EXPECT_EQ(entry_of(*set, i).find("file")->text(), set->images[i].file);
        }
        const auto taken = f->pictures->take(*d, files.manifest, files.images);
        ASSERT_TRUE(taken) << format_one_line(taken.error());
        EXPECT_EQ(taken->changed, 0u) << s.name;
        EXPECT_EQ(taken->unchanged, set->images.size());
        EXPECT_TRUE(taken->notes.empty());
        EXPECT_EQ(*d->save({}), s.bytes) << s.name;
      }
}

TEST(FftPictures, ShowsTexturesWithoutPalettesInGray) {
  const Texture t = valley_texture();
  const auto d = opened(t);
  const auto set = texture_format().pictures->pictures(*d, {});
  ASSERT_TRUE(set);
  EXPECT_THAT(files_of(*set), ElementsAre("texture.png"));
  const scene::Image& image = set->images[0].image;
  EXPECT_EQ(image.width, 256u);
  EXPECT_EQ(image.height, 1024u);
  EXPECT_EQ(image.depth, 4);
  ASSERT_EQ(image.palette.size(), 16u);
  for (u8 i = 0; i < 16; ++i) EXPECT_EQ(image.palette[i], (scene::Rgba{u8(17 * i), u8(17 * i), u8(17 * i), 255}));
  // The left texel of two is in the low half of the byte; page 2 starts at row 512.
  for (const u32 at : {0u, 100u, 32767u}) {
    const size_t pixel = 512 * 256 + 2 * at;
    EXPECT_EQ(image.pixels[pixel], t.pages[2].texels[at] & 15);
    EXPECT_EQ(image.pixels[pixel + 1], t.pages[2].texels[at] >> 4);
  }
}

TEST(FftPictures, UsesThePalettesOfTheMesh) {
  const Mesh m = valley_mesh();
  const auto texture = opened(valley_texture()), mesh = opened(m);
  std::array<u32, 16> uses{};
  for (const auto& p : m.primary->textured_triangles) ++uses[p.palette];
  for (const auto& p : m.primary->textured_quads) ++uses[p.palette];
  for (const auto& g : m.animated)
    if (g) {
      for (const auto& p : g->textured_triangles) ++uses[p.palette];
      for (const auto& p : g->textured_quads) ++uses[p.palette];
    }
  const size_t most = size_t(std::max_element(uses.begin(), uses.end()) - uses.begin());
  const PictureSet one = valley_pictures(*texture, *mesh);
  EXPECT_THAT(files_of(one), ElementsAre("texture.png"));
  EXPECT_EQ(entry_of(one, 0).find("palette")->bits(), most);
  EXPECT_EQ(entry_of(one, 0).find("paired_by")->text(), "polygons");
  EXPECT_EQ(one.images[0].image.palette, rgba_of(m.palettes->rows[most]));
  EXPECT_EQ(one.images[0].image.palette[0][3], m.palettes->rows[most][0].is_clear() ? 0 : 255);
  const PictureSet every = valley_pictures(*texture, *mesh, true);
  std::vector<std::string> expected;
  for (size_t row = 0; row < 16; ++row)
    if (uses[row]) expected.push_back("texture.palette_" + std::to_string(row) + ".png");
  ASSERT_GT(expected.size(), 1u);
  EXPECT_EQ(files_of(every), expected);
}

TEST(FftPictures, ChangesOnlyEditedTexels) {
  const Texture t = valley_texture();
  const auto texture = opened(t), mesh = opened(valley_mesh());
  PictureSet set = through_files(valley_pictures(*texture, *mesh, true));
  ASSERT_GE(set.images.size(), 2u);
  // One picture has an edited texel on page 1 and another on page 3: both edits apply.
  scene::Image &first = set.images[0].image, &second = set.images[1].image;
  const u8 a = first.pixels[300 * 256 + 7] ^ 5, b = second.pixels[1023 * 256 + 254] ^ 1;
  first.pixels[300 * 256 + 7] = a;
  second.pixels[1023 * 256 + 254] = b;
  const auto taken = texture_format().pictures->take(*texture, set.manifest, set.images);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->changed, 2u);
  EXPECT_EQ(taken->unchanged, set.images.size() - 2);
  Texture expected = t;
  u8 &two = expected.pages[1].texels[44 * 128 + 3], &other = expected.pages[3].texels[255 * 128 + 127];
  two = u8((two & 0x0F) | a << 4);  // 7 is odd: the high half
  other = u8((other & 0xF0) | b);
  EXPECT_EQ(*texture->save({}), bytes_of(expected));
}

/// One page with every index, and a palette in which 2 and 3 look alike and 0 is transparent.
struct Swatch {
  Mesh mesh{};
  Swatch() {
    mesh.palettes.emplace();
    for (Palette& row : mesh.palettes->rows)
      for (u8 i = 1; i < 16; ++i) row[i] = {0, u8(2 * i), u8(i), u8(31 - i)};
    Palette& row = mesh.palettes->rows[0];
    row[3] = row[2];
    row[5].stp = 1;
    TexturePage& page = mesh.pages[0].emplace();
    for (u64 i = 0; i < k_page_size; ++i) page.texels.push_back(u8((2 * i % 16) | (2 * i + 1) % 16 << 4));
  }
};
/// The picture as saved by a program without palette support.
void flatten(scene::Image& image) { image = scene::to_rgba(image); }

TEST(FftPictures, AcceptsReorderedOrMissingPalettes) {
  const Mesh m = Swatch().mesh;
  const Bytes before = bytes_of(m);
  for (const bool reversed : {false, true}) {
    const auto d = opened(m);
    PictureSet set = through_files(*fft_mesh().pictures->pictures(*d, {}));
    scene::Image& image = image_of(set, "page_0.png");
    if (reversed) {
      std::reverse(image.palette.begin(), image.palette.end());
      for (u8& i : image.pixels) i = u8(15 - i);
    } else {
      flatten(image);
    }
    auto taken = fft_mesh().pictures->take(*d, set.manifest, set.images);
    ASSERT_TRUE(taken) << format_one_line(taken.error());
    EXPECT_EQ(taken->changed, 0u);  // even if two indices have the same color
    EXPECT_EQ(*d->save({}), before);
  }
}

TEST(FftPictures, ReplacesUnknownColorsWithTheNearest) {
  const auto d = opened(Swatch().mesh);
  PictureSet set = through_files(*fft_mesh().pictures->pictures(*d, {}));
  scene::Image& image = image_of(set, "page_0.png");
  flatten(image);
  const auto put = [&](size_t pixel, scene::Rgba c) {
    std::copy(c.begin(), c.end(), image.pixels.begin() + std::ptrdiff_t(4 * pixel));
  };
  put(0, {255, 0, 0, 255});              // was transparent: red is nearest to 1
  put(1, {0, 0, 0, 0});                  // was 1: becomes transparent
  put(2, rgba_of(Color{0, 14, 7, 24}));  // was 2: becomes 7
  const auto taken = fft_mesh().pictures->take(*d, set.manifest, set.images);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->changed, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "fft.picture-color");
  EXPECT_EQ(taken->notes[0].severity, Severity::warning);
  EXPECT_THAT(taken->notes[0].message, HasSubstr("1 pixel "));
  const TexturePage& page = *value_of<Mesh>(*d).pages[0];
  EXPECT_EQ(page.texels[0], 0x01);
  EXPECT_EQ(page.texels[1], 0x37);
  EXPECT_EQ(page.texels[2], 0x54);
}

TEST(FftPictures, EditedPalettesKeepTheStpBit) {
  const Mesh m = Swatch().mesh;
  const auto d = opened(m);
  PictureSet set = through_files(*fft_mesh().pictures->pictures(*d, {}));
  EXPECT_THAT(files_of(set), ElementsAre("page_0.png", "palettes.png"));
  scene::Image& image = image_of(set, "palettes.png");
  ASSERT_EQ(image.width, 16u);
  ASSERT_EQ(image.height, 16u);
  flatten(image);
  const auto put = [&](u32 row, u32 i, scene::Rgba c) {
    std::copy(c.begin(), c.end(), image.pixels.begin() + 4 * (16 * row + i));
  };
  put(0, 5, {0, 0, 0, 255});  // black with the STP bit: it is drawn
  put(0, 6, {255, 136, 16, 255});
  put(1, 0, {8, 0, 0, 255});  // was transparent
  put(1, 1, {1, 2, 3, 0});    // transparent now
  put(2, 1, {3, 7, 1, 255});  // black, which needs the STP bit to be drawn
  const auto taken = fft_mesh().pictures->take(*d, set.manifest, set.images);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_EQ(taken->changed, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].id, "fft.picture-black");
  Mesh expected = m;
  auto& rows = expected.palettes->rows;
  rows[0][5] = {1, 0, 0, 0};
  rows[0][6] = {0, 2, 17, 31};
  rows[1][0] = {0, 0, 0, 1};
  rows[1][1] = {};
  rows[2][1] = {0, 1, 0, 0};
  EXPECT_EQ(*d->save({}), bytes_of(expected));
}

TEST(FftPictures, RejectsPicturesThatDoNotFit) {
  const auto refusal = [](auto change) {
    const auto d = opened(Swatch().mesh);
    PictureSet set = through_files(*fft_mesh().pictures->pictures(*d, {}));
    change(set);
    const auto taken = fft_mesh().pictures->take(*d, set.manifest, set.images);
    EXPECT_FALSE(taken);
    EXPECT_EQ(*d->save({}), bytes_of(Swatch().mesh));
    return taken ? std::string() : taken.error().id + ": " + format_one_line(taken.error());
  };
  EXPECT_THAT(refusal([](PictureSet& s) { s.manifest = Value::object(); }), HasSubstr("fft.manifest"));
  EXPECT_THAT(refusal([](PictureSet& s) { *s.manifest.find("pictures")->members()[0].second.find("part") = "page_1"; }),
              HasSubstr("the file has no part \"page_1\""));
  EXPECT_THAT(refusal([](PictureSet& s) { *s.manifest.find("pictures")->members()[0].second.find("shown_with") = 3; }),
              HasSubstr("16 colours"));
  EXPECT_THAT(
      refusal([](PictureSet& s) { s.images[0].image.height = 255, s.images[0].image.pixels.resize(255 * 256); }),
      HasSubstr("fft.picture-size: page_0.png: pictures[0]: the picture has 256 x 255 pixels; it must have 256 x 256"));
  EXPECT_THAT(refusal([](PictureSet& s) {
                s.images[0].image.pixels[5] ^= 1;
                s.images[1].image = s.images[0].image;
              }),
              HasSubstr("16 x 16"));
}

}  // namespace
