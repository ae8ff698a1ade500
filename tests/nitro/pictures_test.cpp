// Exports the textures of a TEX0 block as a folder of pictures and imports them again.
#include "formats/contract/pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "bridge/png/png.hpp"
#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/pictures/coordinates.hpp"
#include "formats/nitro/pictures/pictures.hpp"
#include "formats/nitro/scene/sbc_run.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/registry.hpp"
#include "samples/nitro/models.hpp"

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
  EXPECT_TRUE(bytes) << format_one_line(bytes.error());
  return bytes ? *bytes : Bytes();
}
std::vector<NamedImage> images_of(const Textures& all, std::span<const TexturePicture> pictures) {
  std::vector<NamedImage> images;
  for (const TexturePicture& p : pictures) images.push_back({p.file, decode_picture(all, p)});
  return images;
}

TEST(NitroPictures, PairsEachTextureWithPaletteAndFile) {
  const Textures all = block();
  const std::vector<TexturePair> pairs = {{"grass", "grass"}, {"grass", "rocks"}, {"none", "rocks"}, {"grass", "none"}};
  const auto pictures = list_texture_pictures(all, pairs);
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
  EXPECT_EQ(decode_picture(all, pictures[0]).palette.size(), 16u);
  EXPECT_EQ(decode_picture(all, pictures[0]).name, "grass");
}

TEST(NitroPictures, GuessedPaletteHasEnoughColors) {
  Textures all = block();
  all.palettes[3].name = "xyz";  // "roc" starts more alike, but has 8 colours for indices 14 and 15
  EXPECT_NE(all.palettes[*list_texture_pictures(all, {})[3].palette].name, "roc");
}

TEST(NitroPictures, PairsTexturesAndPalettesFromMaterials) {
  Model m{};
  m.materials.resize(3);
  m.textures = {{"a", 0, 0, {0, 2}}, {"b", 0, 0, {1, 9}}};
  m.palettes = {{"p", 0, 0, {0, 2}}, {"q", 0, 0, {1}}};
  EXPECT_EQ(collect_texture_pairs(std::span(&m, 1)), (std::vector<TexturePair>{{"a", "p"}, {"b", "q"}}));
}

TEST(NitroPictures, WritesAReadableManifest) {
  Textures all = block();
  all.textures[0].same_size = 0;
  all.textures[0].original_height = 6;
  all.textures.resize(1);
  all.palettes[2].colors.resize(1);
  EXPECT_EQ(json::write(build_manifest(all, list_texture_pictures(all, {}))), R"({
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

TEST(NitroPictures, UneditedPicturesChangeNothing) {
  const Textures all = block();
  const Bytes file = file_of(all);
  const auto pictures = list_texture_pictures(all, {});
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
    const auto taken = import_pictures(again, build_manifest(all, pictures), images);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->changed, 0u);
    EXPECT_EQ(taken->unchanged, 5u);
    EXPECT_TRUE(taken->notes.empty());
    EXPECT_EQ(file_of(again), file);
  }
}

TEST(NitroPictures, EditedPictureChangesTheFile) {
  Textures all = block();
  const auto pictures = list_texture_pictures(all, {});
  auto images = images_of(all, pictures);
  images[0].image.palette[1] = {255, 0, 0, 255};  // all odd pixels of "grass"
  images.resize(1);
  const auto taken = import_pictures(all, build_manifest(all, pictures), images);
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
  EXPECT_EQ(decode_picture(read, list_texture_pictures(read, {})[0]).pixels, images[0].image.pixels);
  EXPECT_EQ(decode_picture(read, list_texture_pictures(read, {})[0]).palette, images[0].image.palette);
}

TEST(NitroPictures, ImportsPicturesOfAnotherSize) {
  Textures all = block();
  const auto pictures = list_texture_pictures(all, {});
  scene::Image image{"", 16, 32, 8, {}, {}};
  for (u32 i = 0; i < 16 * 32; ++i) image.pixels.insert(image.pixels.end(), {u8(i * 8), u8(i / 2), u8(i % 40), 255});
  const std::vector<NamedImage> images{{"grass.png", image}};
  const auto taken = import_pictures(all, build_manifest(all, pictures), images);
  ASSERT_TRUE(taken);
  ASSERT_EQ(taken->notes.size(), 2u);
  EXPECT_EQ(taken->notes[0].id, "nitro.size-changed") << "texture coordinates count texels";
  EXPECT_EQ(taken->notes[0].place.file, "grass.png");
  EXPECT_EQ(taken->notes[0].message, "the picture is 16 x 32 pixels, but the texture was 8 x 8");
  EXPECT_EQ(taken->notes[1].id, "nitro.texel-changed");
  EXPECT_EQ(taken->notes[1].place.file, "grass.png");
  EXPECT_EQ(all.textures[0].width(), 16u);
  EXPECT_EQ(all.textures[0].height(), 32u);
  EXPECT_EQ(all.textures[0].original_height, 32u);
  EXPECT_EQ(all.textures[0].texels.size(), 16u * 32 / 2);
  EXPECT_EQ(all.palettes[2].colors.size(), 16u);
  const auto loaded = load<Nsbtx>(file_of(all));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->document.value().textures.textures[0].texels, all.textures[0].texels);
}

namespace {

/// Texture coordinates of each draw in a model, by material, in 1/16 texel.
std::map<std::string, std::vector<std::array<i16, 2>>> coordinates_of(const Model& m) {
  std::map<std::string, std::vector<std::array<i16, 2>>> out;
  const Program program = nitro::run_sbc(m);
  for (const Draw& d : program.draws)
    for_each_gx_command(*d.list, [&](u8 code, const u8* p) {
      if (code == gx::texcoord)
        out[m.materials[d.material].name].push_back({i16(gx_read_word(p)), i16(gx_read_word(p) >> 16)});
    });
  return out;
}

}  // namespace

TEST(NitroPictures, RescalesCoordinatesWithTheTextureSize) {
  Nsbmd file = windmill();
  const auto was = coordinates_of(file.models[0]);
  const TextureSizes sizes = list_texture_sizes(*file.textures);
  const auto planks = std::ranges::find(file.textures->textures, "planks", &Texture::name);
  ASSERT_NE(planks, file.textures->textures.end());
  planks->width_code += 1;   // twice as wide
  planks->height_code -= 1;  // half as high
  const auto changed = rescale_texcoords(file, sizes);
  ASSERT_TRUE(changed);
  EXPECT_GE(*changed, 1u);
  const auto is = coordinates_of(file.models[0]);
  for (const auto& [material, list] : was) {
    std::vector<std::array<i16, 2>> wanted = list;
    if (material == "wall")
      for (auto& [s, t] : wanted) s = i16(2 * s), t = i16(t / 2);
    EXPECT_EQ(is.at(material), wanted) << material;
  }
  const auto wall = std::ranges::find(file.models[0].materials, "wall", &Material::name);
  EXPECT_EQ(wall->original_width, 32);
  EXPECT_EQ(wall->original_height, 8);
}

TEST(NitroPictures, RejectsCoordinatesThatCannotBeRescaled) {
  const auto id_of = [](const Result<u64>& r) { return r ? std::string("done") : r.error().id; };
  Nsbmd file = windmill();
  TextureSizes sizes = list_texture_sizes(*file.textures);
  sizes["planks"] = {8, 1};  // 16 texels of 16 would be 4096
  Nsbmd far = file;
  far.textures->textures[0].height_code = 7;
  EXPECT_EQ(id_of(rescale_texcoords(far, sizes)), "nitro.rescale");
  // One shape drawn with two materials; the texture of one grows.
  Nsbmd shared = file;
  Model& m = shared.models[0];
  const auto shape = std::ranges::find(m.sbc, sbc::shp, &SbcCommand::code);
  SbcCommand other{};
  other.code = sbc::mat;
  for (u8 i = 0; i < m.materials.size(); ++i)
    if (m.materials[i].name == "water") other.index = i;
  const SbcCommand again = *shape;
  const auto at = m.sbc.insert(shape + 1, other);
  m.sbc.insert(at + 1, again);
  sizes = list_texture_sizes(*shared.textures);
  for (nitro::Texture& t : shared.textures->textures) t.width_code += t.name == "planks";
  EXPECT_EQ(id_of(rescale_texcoords(shared, sizes)), "nitro.rescale");
}

TEST(NitroPictures, AddsPicturesAsNewTextures) {
  Textures all = block();
  scene::Image image{"", 16, 8, 8, {}, {}};
  for (u32 i = 0; i < 16 * 8; ++i) image.pixels.insert(image.pixels.end(), {u8(i % 3 * 100), 0, 0, 255});
  const auto manifest = [](std::string_view more) {
    return *json::read(std::string(R"({"pictures": [{"file": "roof.png", "texture": "roof", "add": true)") +
                       std::string(more) + "}]}");
  };
  const std::vector<NamedImage> images{{"roof.png", image}};
  Textures plain = all;
  const auto taken = import_pictures(plain, manifest(""), images);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->added, 1u);
  EXPECT_TRUE(taken->notes.empty());
  const Texture& t = plain.textures.back();
  EXPECT_EQ(t.name, "roof");
  EXPECT_EQ(t.format, u8(TexelFormat::palette4));
  EXPECT_EQ(plain.palettes.back().name, "roof_pl");
  EXPECT_EQ(count_changed_texels(texel_view(t, &plain.palettes.back()), image), 0u);
  // With an existing palette, whose colours stay.
  Textures shares = all;
  const auto other = import_pictures(shares, manifest(R"(, "palette": "grass", "format": "palette16")"), images);
  ASSERT_TRUE(other);
  EXPECT_EQ(shares.palettes.size(), all.palettes.size());
  EXPECT_EQ(shares.palettes[2].colors, all.palettes[2].colors);
  ASSERT_EQ(other->notes.size(), 1u);
  EXPECT_EQ(other->notes[0].id, "nitro.texel-changed");
  const auto id_of = [&](std::string_view more) {
    Textures copy = all;
    const auto r = import_pictures(copy, manifest(more), images);
    return r ? std::string("done") : r.error().id;
  };
  EXPECT_EQ(id_of(R"(, "format": "palette8")"), "nitro.manifest");
  Textures twice = plain;
  EXPECT_FALSE(import_pictures(twice, manifest(""), images));
  EXPECT_FALSE(import_pictures(all, manifest(""), {}));
}

TEST(NitroPictures, NotesConflictsBetweenPicturesSharingData) {
  Textures all = block();
  const std::vector<TexturePair> pairs = {{"grass", "grass"}, {"grass", "rocks"}, {"rocks2", "rocks"}};
  const auto pictures = list_texture_pictures(all, pairs);
  auto images = images_of(all, pictures);
  // Two pictures use the palette "rocks": a new colour becomes the nearest existing one.
  images[4].image = to_rgba(images[4].image);
  std::copy_n(std::array<u8, 4>{255, 255, 255, 255}.begin(), 4, images[4].image.pixels.begin());
  const auto taken = import_pictures(all, build_manifest(all, pictures), images);
  ASSERT_TRUE(taken);
  EXPECT_EQ(all.palettes[3].colors, ramp(16, 300));
  EXPECT_EQ(taken->changed, 1u);
  ASSERT_EQ(taken->notes.size(), 1u);
  EXPECT_EQ(taken->notes[0].place.path, "pictures[4]");
  EXPECT_EQ(taken->notes[0].message, "the texture differs from the picture in 1 of 64 pixels");
  // Two pictures share the texels of "grass": an edit in one also changes the other.
  Textures other = block();
  images = images_of(other, pictures);
  images[0].image.pixels[0] = 5;
  const auto both = import_pictures(other, build_manifest(other, pictures), images);
  ASSERT_TRUE(both);
  EXPECT_EQ(other.textures[0].texels[0] & 15, 5);
  ASSERT_EQ(both->notes.size(), 1u);
  EXPECT_EQ(both->notes[0].place.file, "grass.rocks.png");
}

/// Two textures with one palette: "left" uses its colours 1 and 2, "right" uses 2 and 3.
Textures pair_of_one_palette() {
  Textures all{};
  all.textures = {texture("left", TexelFormat::palette16, 0x21), texture("right", TexelFormat::palette16, 0x32)};
  all.palettes = {palette("both", ramp(16, 200))};
  return all;
}
constexpr u16 k_red = 31;
constexpr scene::Rgba k_red_pixel{255, 0, 0, 255};

TEST(NitroPictures, WritesPaletteChangedByAllItsPictures) {
  const Textures before = pair_of_one_palette();
  const std::vector<TexturePair> pairs = {{"left", "both"}, {"right", "both"}};
  const auto pictures = list_texture_pictures(before, pairs);
  for (const bool editor_drops_palettes : {false, true}) {
    Textures all = before;
    auto images = images_of(all, pictures);
    for (NamedImage& i : images) {
      i.image.palette[2] = k_red_pixel;
      if (editor_drops_palettes) i.image = to_rgba(i.image);
    }
    const auto taken = import_pictures(all, build_manifest(all, pictures), images);
    ASSERT_TRUE(taken) << format_one_line(taken.error());
    EXPECT_EQ(taken->changed, 2u);
    EXPECT_THAT(taken->notes, testing::IsEmpty());
    EXPECT_EQ(all.palettes[0].colors[2], k_red);
    EXPECT_EQ(all.palettes[0].colors[1], before.palettes[0].colors[1]);
    for (size_t t : {0u, 1u}) EXPECT_EQ(all.textures[t].texels, before.textures[t].texels);
  }
}

TEST(NitroPictures, ReportsConflictingPaletteEdits) {
  const Textures before = pair_of_one_palette();
  const std::vector<TexturePair> pairs = {{"left", "both"}, {"right", "both"}};
  const auto pictures = list_texture_pictures(before, pairs);
  Textures all = before;
  auto images = images_of(all, pictures);
  images[0].image.palette[2] = k_red_pixel;  // "right" shows it as well
  const auto taken = import_pictures(all, build_manifest(all, pictures), images);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().id, "nitro.palette-conflict");
  EXPECT_THAT(taken.error().message,
              testing::StartsWith("colour 2 of the palette \"both\" is #ff0000 in left.png, but #"));
  EXPECT_THAT(taken.error().message, testing::EndsWith("in right.png"));
  // A missing picture does not conflict.
  images.resize(1);
  all = before;
  ASSERT_TRUE(import_pictures(all, build_manifest(all, pictures), images));
  EXPECT_EQ(all.palettes[0].colors[2], k_red);
  // Colours that no other picture uses may change.
  all = before;
  images = images_of(all, pictures);
  images[0].image.palette[1] = k_red_pixel;
  const auto free = import_pictures(all, build_manifest(all, pictures), images);
  ASSERT_TRUE(free) << format_one_line(free.error());
  EXPECT_THAT(free->notes, testing::IsEmpty());
  EXPECT_EQ(all.palettes[0].colors[1], k_red);
}

TEST(NitroPictures, VariantEditsDoNotChangeTheFirstPicture) {
  Textures before{};
  before.textures = {texture("sprite", TexelFormat::palette16, 0x21)};
  before.palettes = {palette("sprite", ramp(16, 200)), palette("shiny", ramp(16, 300))};
  const auto pictures = list_texture_pictures(before, {}, true);
  ASSERT_EQ(pictures.size(), 2u);
  for (const bool editor_drops_palettes : {false, true}) {
    Textures all = before;
    auto images = images_of(all, pictures);
    images[1].image.palette[1] = k_red_pixel;
    if (editor_drops_palettes) images[1].image = to_rgba(images[1].image);
    const auto taken = import_pictures(all, build_manifest(all, pictures), images);
    ASSERT_TRUE(taken) << format_one_line(taken.error());
    EXPECT_THAT(taken->notes, testing::IsEmpty());
    EXPECT_EQ(all.palettes[1].colors[1], k_red);
    EXPECT_EQ(all.palettes[0].colors, before.palettes[0].colors);
    EXPECT_EQ(all.textures[0].texels, before.textures[0].texels);
  }
  // New pixels would appear in both pictures.
  Textures all = before;
  auto images = images_of(all, pictures);
  images[1].image.pixels[0] = 5;
  const auto taken = import_pictures(all, build_manifest(all, pictures), images);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().id, "nitro.shared-texels");
  EXPECT_EQ(taken.error().place.file, "sprite.shiny.png");
  EXPECT_EQ(taken.error().message, "1 pixel changed, but sprite.png shows the same texture and was not edited");
}

TEST(NitroPictures, GuessPrefersUnusedPalettesWithSimilarNames) {
  Textures all{};
  all.textures = {texture("nectgrass", TexelFormat::palette16, 0x21), texture("ngrass", TexelFormat::palette16, 0x21)};
  all.palettes = {palette("nectgrass", ramp(16, 200)), palette("sand", ramp(16, 300)), palette("grass", ramp(16, 1))};
  const auto pictures = list_texture_pictures(all, {});
  EXPECT_EQ(pictures[1].paired_by, PairedBy::guess);
  EXPECT_EQ(all.palettes[*pictures[1].palette].name, "grass");
}

TEST(NitroPictures, PairsPalettesFromSiblingModelsAndPatterns) {
  PatternAnimation a{};
  a.texture_names = {{"flag_0"}, {"flag_1"}};
  a.palette_names = {{"flag_pl"}};
  a.materials.resize(1);
  a.materials[0].keys = {{0, 0, 0}, {4, 1, 0}, {8, 0, 0}, {9, 1, k_no_palette}};
  EXPECT_EQ(collect_texture_pairs(std::span(&a, 1)),
            (std::vector<TexturePair>{{"flag_0", "flag_pl"}, {"flag_1", "flag_pl"}}));

  Nsbtx textures{};
  textures.textures = pair_of_one_palette();
  textures.textures.palettes.push_back(palette("left", ramp(16, 300)));
  Nsbmd model{};
  model.models.resize(1);
  model.models[0].materials.resize(1);
  model.models[0].textures = {{"left", 0, 0, {0}}};
  model.models[0].palettes = {{"both", 0, 0, {0}}};
  const DocumentOf<Nsbtx> file(Document<Nsbtx>::make_unedited(textures, 0, {}));
  const DocumentOf<Nsbmd> beside(Document<Nsbmd>::make_unedited(model, 0, {}));
  const Companion companion{"a.nsbmd", find_format("nsbmd"), &beside};
  const auto palette_of = [](const Result<PictureSet>& set) {
    return set->manifest.find("pictures")->at(0)->find("palette")->text();
  };
  const PictureOps& ops = *find_format("nsbtx")->pictures;
  EXPECT_EQ(palette_of(ops.pictures(file, {})), "left");
  EXPECT_EQ(palette_of(ops.pictures(file, {.companions = std::span(&companion, 1)})), "both");
  const TexturePair of_game{"left", "both"};
  EXPECT_EQ(palette_of(ops.pictures(file, {.pairs = std::span(&of_game, 1)})), "both");
}

TEST(NitroPictures, RejectsManifestsForOtherFiles) {
  const auto refused = [](const char* manifest, std::vector<NamedImage> images = {}) {
    Textures all = block();
    const auto taken = import_pictures(all, *json::read(manifest), images);
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
