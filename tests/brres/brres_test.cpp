// brres_test.cpp: tests specific to BRRES. every_format_test.cpp covers the properties that all formats share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "brres/damaged.hpp"
#include "console/wii/texels.hpp"
#include "engine/broken_rules.hpp"
#include "engine/corpus.hpp"
#include "formats/brres/pictures/pictures.hpp"
#include "formats/brres/scene/combiner.hpp"
#include "formats/brres/scene/vertices.hpp"
#include "formats/brres/semantics.hpp"
#include "formats/registry.hpp"
#include "operations/operations.hpp"
#include "scene/scene.hpp"

namespace dio::brres {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Format& format() { return *find_format("brres"); }

Brres loaded(const Bytes& bytes) {
  auto d = load<Brres>(bytes);
  EXPECT_TRUE(d) << (d ? "" : format_one_line(d.error()));
  return d ? d->document.value() : Brres{};
}
Bytes sample(std::string_view name) {
  for (Sample& s : samples_of(format()))
    if (s.name == name) return std::move(s.bytes);
  ADD_FAILURE() << "no sample " << name;
  return {};
}
scene::Scene scene_of(const Brres& f, bool sources = false) {
  auto staged = to_scene(f, sources);
  EXPECT_TRUE(staged);
  return staged ? std::move(staged->scene) : scene::Scene{};
}
const scene::Node& node_of(const scene::Scene& s, std::string_view name) {
  for (const scene::Node& n : s.nodes)
    if (n.name == name) return n;
  ADD_FAILURE() << "no node " << name;
  return s.nodes[0];
}

const std::vector<test::BrokenFile>& broken_files() {
  static const std::vector<test::BrokenFile> all = broken::files();
  return all;
}

// ---- reading and writing

TEST(Brres, IdentifiesFoldersByTheirContents) {
  const Brres f = loaded(sample("bending.brres"));
  ASSERT_EQ(f.folders.size(), 4u);
  EXPECT_EQ(f.folders[0].kind, Kind::models);
  EXPECT_EQ(f.folders[1].kind, Kind::textures);
  EXPECT_EQ(f.folders[2].kind, Kind::palettes);
  EXPECT_EQ(f.folders[3].kind, Kind::others);
  ASSERT_EQ(f.folders[3].files.size(), 1u);
  EXPECT_EQ(f.folders[3].files[0].magic.view(), "SHP0");
  EXPECT_EQ(f.folders[3].files[0].content.size(), 20u);
  EXPECT_EQ(f.models[0].bones[1].name, "head");
  EXPECT_EQ(f.models[0].matrix_bones, (std::vector<i32>{0, 1, -1}));
}

/// As in files of BrawlBox with a folder of texts.
TEST(Brres, KeepsFilesWithoutHeadersAsBytes) {
  Bytes b = sample("bending.brres");
  const Brres before = loaded(b);
  const size_t at = size_t(-before.folders[3].files[0].header.brres_offset);
  std::ranges::copy(std::string_view("Some text."), b.begin() + i64(at));
  const Brres after = loaded(b);
  EXPECT_EQ(after.folders[3].kind, Kind::plain_files);
  EXPECT_THAT(after.folders[3].files, IsEmpty());
  EXPECT_EQ(after.models.size(), before.models.size());
  auto d = load<Brres>(b);
  ASSERT_TRUE(d);
  EXPECT_EQ(test::as_hex(*save(d->document)), test::as_hex(b));
  const auto opened = dio::open(b, "text.brres");
  ASSERT_TRUE(opened);
  const Diagnostics findings = dio::check(*opened);
  EXPECT_TRUE(std::ranges::find(findings, "brres.plain-file", &Diagnostic::id) != findings.end());
}

TEST(Brres, KeepsModelsOfUnknownVersionsAsBytes) {
  Bytes b = sample("hill.brres");
  const Brres before = loaded(b);
  const size_t at = size_t(-before.models[0].header.brres_offset);
  b[at + 11] = 12;
  const Brres after = loaded(b);
  EXPECT_THAT(after.models, IsEmpty());
  ASSERT_EQ(after.folders[0].files.size(), 1u);
  EXPECT_EQ(after.folders[0].files[0].magic.view(), "MDL0");
  auto d = load<Brres>(b);
  ASSERT_TRUE(d);
  EXPECT_EQ(test::as_hex(*save(d->document)), test::as_hex(b));
}

TEST(Brres, EditsChangeOnlyTheEditedBytes) {
  const Bytes before = sample("hill.brres");
  auto d = load<Brres>(before);
  ASSERT_TRUE(d);
  d->document.edit().models[0].bones[1].translation.x = -1900;
  const auto saved = save(d->document);
  ASSERT_TRUE(saved);
  ASSERT_EQ(saved->size(), before.size());
  size_t changed = 0;
  for (size_t i = 0; i < before.size(); ++i) changed += before[i] != (*saved)[i];
  EXPECT_GE(changed, 1u);
  EXPECT_LE(changed, 4u);
  // a longer name moves others
  d->document.edit().models[0].bones[1].name = "posLowerLeft";
  const auto moved = save(d->document);
  ASSERT_TRUE(moved);
  const Brres f = loaded(*moved);
  EXPECT_EQ(f.models[0].bones[1].name, "posLowerLeft");
  EXPECT_EQ(f.models[0].bone_dictionary.entries[1].name, "posLowerLeft");
  EXPECT_EQ(f.models[0].bones[1].translation.x, -1900);
}

// ---- dictionaries

TEST(BrresDictionary, FindsOnlyStoredNames) {
  Dictionary d;
  for (const char* name : {"course", "course2", "a", "aa", "posLD", "posRU", "Zzz", "_"})
    d.entries.emplace_back().name = name;
  ASSERT_TRUE(build_dictionary_tree(d));
  for (const DictionaryEntry& e : d.entries) EXPECT_EQ(find(d, e.name), &e) << e.name;
  for (const char* name : {"", "b", "course3", "pos", "posLDx", "AAAA"}) EXPECT_EQ(find(d, name), nullptr) << name;
  d.entries.emplace_back().name = "aa";
  EXPECT_FALSE(build_dictionary_tree(d)) << "one name twice";
}

// ---- texels

TEST(WiiTexels, ExpandsColorsByRepeatingHighBits) {
  using wii::ColorFormat;
  EXPECT_EQ(wii::expand_color(ColorFormat::rgb565, 0x18E3), (scene::Rgba{24, 28, 24, 255}));
  EXPECT_EQ(wii::expand_color(ColorFormat::rgb5a3, 0x8C63), (scene::Rgba{24, 24, 24, 255}));
  EXPECT_EQ(wii::expand_color(ColorFormat::rgb5a3, 0x3123), (scene::Rgba{17, 34, 51, 109}));
  EXPECT_EQ(wii::expand_color(ColorFormat::ia8, 0x80FE), (scene::Rgba{254, 254, 254, 128}));
}

TEST(WiiTexels, CmprBlendsColorsByThreeEighths) {
  const u8 block[8] = {0xF8, 0x00, 0x00, 0x1F, 0x1B, 0, 0, 0};  // red over blue: four colors
  const auto c = wii::decode_cmpr_colors(block);
  EXPECT_EQ(c[2], (scene::Rgba{159, 0, 95, 255}));
  EXPECT_EQ(c[3], (scene::Rgba{95, 0, 159, 255}));
  const u8 other[8] = {0x00, 0x1F, 0xF8, 0x00, 0, 0, 0, 0};
  EXPECT_EQ(wii::decode_cmpr_colors(other)[3], (scene::Rgba{127, 0, 127, 0}));
}

TEST(WiiTexels, ReencodingTexturesKeepsTheirBytes) {
  const Brres f = loaded(sample("formats.brres"));
  ASSERT_EQ(f.textures.size(), 11u);
  for (const Texture& t : f.textures) {
    const Palette* palette = find_palette(f, t);
    const auto image = decode_texture(t, palette);
    ASSERT_TRUE(image) << t.name;
    std::vector<scene::Rgba> colors;
    if (palette)
      for (const u16 c : palette->colors) colors.push_back(wii::expand_color(wii::ColorFormat(palette->format), c));
    // encode over different texels, so that every block is encoded
    Bytes other = t.texels;
    for (u8& x : other) x ^= 0xFF;
    const auto format = wii::TexelFormat(t.format);
    const auto made = wii::encode(format, *image, 1, other, colors);
    EXPECT_GT(made.changed, 0u) << t.name;
    EXPECT_EQ(made.unlike, 0u) << t.name;
    const scene::Image back = wii::decode(format, t.width, t.height, made.texels, colors);
    for (u32 y = 0; y < t.height; ++y)
      for (u32 x = 0; x < t.width; ++x)
        EXPECT_EQ(scene::color_of(back, x, y), scene::color_of(*image, x, y)) << t.name << " " << x << " " << y;
    // without edits, no byte changes
    EXPECT_EQ(test::as_hex(wii::encode(format, *image, 1, t.texels, colors).texels), test::as_hex(t.texels)) << t.name;
  }
}

TEST(WiiTexels, ReencodesOnlyChangedBlocksAndTheirMipmaps) {
  const Brres f = loaded(sample("hill.brres"));
  const Texture& t = f.textures[0];
  ASSERT_EQ(t.level_count, 2u);
  auto image = *decode_texture(t, nullptr);
  image.pixels[0] = 255;  // the upper left pixel: the first block of the first level
  const auto made = wii::encode(wii::TexelFormat::cmpr, image, 2, t.texels);
  EXPECT_EQ(made.changed, 1u);
  ASSERT_EQ(made.texels.size(), t.texels.size());
  for (size_t i = 0; i < t.texels.size(); ++i)
    if (i >= 32 && i < 128) EXPECT_EQ(made.texels[i], t.texels[i]) << i;
}

TEST(BrresPictures, ExportsAndImportsTextures) {
  Brres f = loaded(sample("bending.brres"));
  PictureSet set = export_pictures(f);
  ASSERT_EQ(set.images.size(), 1u);
  EXPECT_EQ(set.images[0].file, "skin.png");
  bool is_placed_anew = true;
  const auto same = import_pictures(f, set.manifest, set.images, is_placed_anew);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->unchanged, 1u);
  EXPECT_EQ(same->changed, 0u);
  scene::Image red = set.images[0].image;
  std::fill(red.pixels.begin(), red.pixels.end(), u8(0));
  const std::vector<NamedImage> edited{{"skin.png", red}};
  const auto taken = import_pictures(f, set.manifest, edited, is_placed_anew);
  EXPECT_FALSE(is_placed_anew);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->changed, 1u);
  EXPECT_EQ(scene::color_of(*decode_texture(f.textures[0], &f.palettes[0]), 5, 5), (scene::Rgba{255, 0, 0, 255}));
  scene::Image wide = red;
  wide.width = 16, wide.pixels.resize(128);
  const std::vector<NamedImage> wrong{{"skin.png", wide}};
  const auto refused = import_pictures(f, set.manifest, wrong, is_placed_anew);
  ASSERT_FALSE(refused);  // it has a palette
  EXPECT_EQ(refused.error().id, "brres.picture-size");
}

TEST(BrresPictures, TexturesGetAnotherSizeAndFormat) {
  Brres f = loaded(sample("hill.brres"));
  const auto size_of = [](const Texture& t) { return std::tuple(t.width, t.height, t.format, t.level_count); };
  PictureSet set = export_pictures(f);
  const auto at =
      size_t(std::ranges::find_if(f.textures, [](const Texture& t) { return t.format < 8; }) - f.textures.begin());
  ASSERT_LT(at, f.textures.size());
  Value manifest = set.manifest;
  Value& entry = *const_cast<Value*>(manifest.find("pictures")->at(at));
  *entry.find("format") = Value("RGBA32"), *entry.find("levels") = Value(u64(2));
  NamedImage big = set.images[at];
  big.image.width *= 2, big.image.pixels.clear();
  for (u32 i = 0; i < big.image.width * big.image.height; ++i)
    for (const u8 c : {u8(i), u8(i >> 4), u8(7), u8(255)}) big.image.pixels.push_back(c);
  big.image.palette.clear(), big.image.depth = 8;
  const Brres before = f;
  bool is_placed_anew = false;
  const auto taken = import_pictures(f, manifest, {&big, 1}, is_placed_anew);
  ASSERT_TRUE(taken) << format_one_line(taken.error());
  EXPECT_TRUE(is_placed_anew);
  Document<Brres> d;
  d.edit() = f;
  const auto bytes = save(d);
  ASSERT_TRUE(bytes);
  const Brres now = load<Brres>(*bytes)->document.value();
  EXPECT_EQ(size_of(now.textures[at]), std::tuple(big.image.width, big.image.height, 6u, 2u));
  EXPECT_EQ(decode_texture(now.textures[at], nullptr)->pixels, big.image.pixels);
  for (size_t i = 0; i < before.textures.size(); ++i)
    if (i != at) EXPECT_EQ(now.textures[i].texels, before.textures[i].texels);
  ASSERT_EQ(now.models.size(), before.models.size());
  for (size_t m = 0; m < now.models.size(); ++m) {
    EXPECT_EQ(now.models[m].info.triangle_count, before.models[m].info.triangle_count);
    for (size_t i = 0; i < now.models[m].positions.size(); ++i)
      EXPECT_EQ(now.models[m].positions[i].data, before.models[m].positions[i].data);
    for (size_t i = 0; i < now.models[m].materials.size(); ++i)
      EXPECT_EQ(now.models[m].materials[i].commands, before.models[m].materials[i].commands);
  }
  for (const char* wrong : {"none", "C8"}) {
    *entry.find("format") = Value(wrong);
    Brres again = before;
    EXPECT_FALSE(import_pictures(again, manifest, {&big, 1}, is_placed_anew)) << wrong;
  }
}

// ---- scenes

TEST(BrresScene, AttachesShapesToTheirBones) {
  const scene::Scene s = scene_of(loaded(sample("hill.brres")));
  EXPECT_THAT(scene::verify(s), IsEmpty());
  const scene::Node& sign = node_of(s, "sign");
  EXPECT_EQ(s.nodes[sign.parent].name, "posLD");
  EXPECT_EQ(s.nodes[sign.parent].translation, (scene::Vec3{-2000, 0, 2000}));
  const scene::Primitive& p = s.meshes[sign.mesh].primitives[0];
  EXPECT_EQ(p.positions[2], (scene::Vec3{600, 400, 0}));
  EXPECT_EQ(p.uvs[2], (scene::Vec2{1, 1}));
  // front faces are clockwise on the console and counterclockwise here
  EXPECT_THAT(p.indices, ElementsAre(0, 2, 1, 0, 3, 2));
  const scene::Material& m = s.materials[p.material];
  EXPECT_TRUE(m.double_sided);
  EXPECT_EQ(m.alpha, scene::Material::Alpha::mask);
  EXPECT_FLOAT_EQ(m.alpha_cutoff, 128 / 255.0f);
}

TEST(BrresScene, MaterialsUseTheirFirstTexture) {
  const scene::Scene s = scene_of(loaded(sample("hill.brres")));
  const auto material = [&](std::string_view name) {
    return s.materials[s.meshes[node_of(s, name).mesh].primitives[0].material];
  };
  EXPECT_EQ(s.textures[material("grass").texture].name, "grass");
  EXPECT_EQ(material("grass").transform.scale, (scene::Vec2{4, 4}));
  EXPECT_EQ(material("grass").transform.offset, (scene::Vec2{0, -3}));
  EXPECT_EQ(material("grass").alpha, scene::Material::Alpha::opaque);
  EXPECT_EQ(material("water").alpha, scene::Material::Alpha::blend);
  EXPECT_EQ(s.textures[material("water").texture].wrap_u, scene::Texture::Wrap::mirror);
  EXPECT_EQ(s.textures[material("sign").texture].wrap_v, scene::Texture::Wrap::clamp);
}

TEST(BrresScene, TurnsBlendedMatricesIntoASkin) {
  const scene::Scene s = scene_of(loaded(sample("bending.brres")));
  EXPECT_THAT(scene::verify(s), IsEmpty());
  ASSERT_EQ(s.skins.size(), 1u);
  EXPECT_EQ(s.skins[0].joints.size(), 2u);
  const scene::Node& box = node_of(s, "skin");
  const scene::Primitive& p = s.meshes[box.mesh].primitives[0];
  // the first square follows the foot and the second follows both; the third is in head space, 200 units higher
  EXPECT_EQ(p.positions[0], (scene::Vec3{-60, 0, -60}));
  EXPECT_EQ(p.weights[0], (scene::Vec4{1, 0, 0, 0}));
  EXPECT_EQ(p.positions[2][1], 100);
  EXPECT_EQ(p.weights[2], (scene::Vec4{0.5f, 0.5f, 0, 0}));
  EXPECT_EQ(p.positions.back()[1], 200);
  EXPECT_EQ(p.joints.back()[0], 1);
  EXPECT_FALSE(node_of(s, "bending-shadow").visible);
  // one shape with lines and points
  EXPECT_EQ(s.meshes[node_of(s, "edges").mesh].primitives.size(), 2u);
}

TEST(BrresScene, ModelsWithoutBonesHaveNoSkin) {
  Brres f = loaded(sample("bending.brres"));
  for (Model& m : f.models) m.bones.clear();
  const scene::Scene s = scene_of(f);
  EXPECT_THAT(scene::verify(s), IsEmpty());
  EXPECT_TRUE(s.skins.empty());
}

TEST(BrresScene, TracesVerticesBackToTheirCommands) {
  const Brres f = loaded(sample("hill.brres"));
  const scene::Scene s = scene_of(f, true);
  const scene::Node& grass = node_of(s, "grass");
  const std::string path = grass.extras.find("path")->text();
  EXPECT_EQ(path, "models[0].shapes[0]");
  const auto part = value_of_source(f, path, s.meshes[grass.mesh].primitives[0].sources[1]);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->path, "models[0].shapes[0].polygons.commands");
  EXPECT_EQ(part->offset, 6u);
  EXPECT_EQ(part->size, 3u);
  EXPECT_FALSE(value_of_source(f, path, 30));
  const auto runs = [&](std::string_view of) { return sources_of_value(f, path, of).size(); };
  EXPECT_EQ(runs("models[0].shapes[0].polygons"), 1u);
  EXPECT_EQ(runs("models[0].positions[0].data"), 1u);
  EXPECT_EQ(runs("models[0].shapes[1]"), 0u);
  EXPECT_EQ(runs("models[0].materials[0]"), 0u);
}

TEST(BrresCombiner, StagesComputeTheConsoleColors) {
  // texture times vertex color, twice, as courses use it
  Combiner c;
  c.run_commands(Writing().bp(0x28, 0x40).bp(0xC0, 0x18F8AF).bp(0xC1, 0x08F2F0).bytes);
  c.decode_stages(1);
  EXPECT_EQ(c.map(), 0u);
  const scene::Vec4 half = c.color({0.25f, 0.5f, 0.75f, 1});
  EXPECT_FLOAT_EQ(half[0], 0.5f);
  EXPECT_FLOAT_EQ(half[1], 1);
  EXPECT_FLOAT_EQ(half[2], 1);
  // a shadow map over a base texture: the base texture shows, the shadow map is white
  Combiner two;
  two.run_commands(Writing().bp(0xE2, 0x4C).bp(0xE3, 0x4C056).bytes);
  two.run_commands(Writing()
                       .bp(0x28, 0x049 | 0x040 << 12)
                       .bp(0xC0, 0x082A8F)
                       .bp(0xC1, 0x08F2F0)
                       .bp(0xC2, 0x18F80F)
                       .bp(0xC3, 0x081FF0)
                       .bytes);
  two.decode_stages(2);
  EXPECT_EQ(two.map(), 0u);
  EXPECT_FLOAT_EQ(two.color({0.5f, 0.25f, 0, 1})[1], 0.5f);
  two.set_texture(1, {0, 0, 0, 1});
  EXPECT_FLOAT_EQ(two.color({0.5f, 0.25f, 0, 1})[0], 2 * 76 / 255.0f) << "in the shadow: the colour of register 0";
}

// ---- checks

TEST(BrresRules, EveryRuleHasTextsAndABrokenFile) {
  test::expect_said_in_full(rules(), "brres.");
  test::expect_one_for_each(rules(), broken_files());
}
TEST(BrresRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_files()); }
TEST(BrresRules, FindingsMatchTheRecordedText) { test::expect_said_as_before(broken_files(), "brres/damaged.txt"); }

TEST(BrresRules, SamplesBreakOnlyTheVersionRule) {
  for (const Sample& s : samples_of(format())) {
    auto o = open(s.bytes, s.name, &format());
    ASSERT_TRUE(o);
    for (const Diagnostic& d : check(*o)) EXPECT_EQ(d.id, "brres.version") << s.name << ": " << format_one_line(d);
  }
}

TEST(Brres, FindsMinimapBonesByName) {
  const Brres f = loaded(sample("hill.brres"));
  EXPECT_TRUE(has_bone(f, "posLD"));
  EXPECT_TRUE(has_bone(f, "posRU"));
  EXPECT_FALSE(has_bone(f, "posXX"));
}

// ---- files of games

TEST(BrresCorpus, RealFilesRoundTripAndPassChecks) {
  const auto files = test::corpus_files("wii", ".brres");
  if (files.empty()) GTEST_SKIP() << "no corpus";
  u64 dictionaries = 0, models = 0, vertices = 0;
  for (const auto& path : files) {
    const Bytes bytes = test::read_file(path);
    auto d = load<Brres>(bytes);
    ASSERT_TRUE(d) << path << format_one_line(d.error());
    EXPECT_TRUE(*save(d->document) == bytes) << path;
    const Brres& f = d->document.value();
    const auto is_built_so = [&](Dictionary dictionary, auto&&) {
      Dictionary made = dictionary;
      ASSERT_TRUE(build_dictionary_tree(made)) << path;
      EXPECT_EQ(made.root.left, dictionary.root.left) << path;
      for (size_t i = 0; i < made.entries.size(); ++i) {
        const DictionaryEntry &is = dictionary.entries[i], &must = made.entries[i];
        EXPECT_TRUE(is.bit == must.bit && is.left == must.left && is.right == must.right) << path << " " << is.name;
        EXPECT_EQ(find(dictionary, is.name), &dictionary.entries[i]) << path << " " << is.name;
      }
      ++dictionaries;
    };
    is_built_so(f.root, 0);
    for (const Folder& folder : f.folders) is_built_so(folder.dictionary, 0);
    for (const Model& m : f.models) {
      ++models;
      for (const Dictionary* x :
           {&m.program_dictionary, &m.bone_dictionary, &m.material_dictionary, &m.shape_dictionary})
        if (!x->entries.empty()) is_built_so(*x, 0);
      for (const Shape& s : m.shapes) {
        const VertexReader reader(m, s);
        EXPECT_EQ(reader.for_each_primitive([&](u8, std::span<const Vertex> v) { vertices += v.size(); }).end,
                  VertexReader::End::good);
      }
    }
    auto o = open(bytes, path.filename().string(), &format());
    ASSERT_TRUE(o);
    for (const Diagnostic& x : check(*o)) EXPECT_EQ(x.severity, Severity::hint) << path << format_one_line(x);
    if (!f.models.empty()) EXPECT_THAT(scene::verify(scene_of(f)), IsEmpty()) << path;
  }
  EXPECT_GT(dictionaries, 100u);
  EXPECT_GT(models, 10u);
  EXPECT_GT(vertices, 50'000u);
}

}  // namespace
}  // namespace dio::brres
