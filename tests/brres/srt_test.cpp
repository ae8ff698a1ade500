// srt_test.cpp: animations of texture transforms (SRT0): in files, in scenes, and made from scenes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "brres/read_and_build.hpp"
#include "core/json.hpp"
#include "engine/corpus.hpp"
#include "formats/brres/from_scene/srt_builder.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/scene/curves.hpp"
#include "formats/contract/building.hpp"
#include "layout/document.hpp"
#include "operations/operations.hpp"
#include "samples/brres/files.hpp"

namespace dio::brres {
namespace {

using scene::MaterialChannel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Bytes bytes_of_river() { return *save_new(placed(river())); }
void set_material_extra(scene::Material& m, const char* name, std::string_view json) {
  if (!m.extras.is(Value::Kind::object)) m.extras = Value::object();
  m.extras.add(name, *json::read(json));
}
scene::Material& scene_material_of(scene::Scene& s, std::string_view name) {
  return *std::ranges::find(s.materials, name, &scene::Material::name);
}
const SrtTexture& srt_texture_of(const Brres& f, size_t file, size_t material = 0) {
  return f.srt_files.at(file).animation->materials.at(material).textures.at(0);
}

// ---- files

TEST(BrresSrt, ReadsConstantsAndCurves) {
  const Brres f = read_brres(bytes_of_river());
  ASSERT_THAT(f.srt_files, SizeIs(2));
  const SrtAnimation &flow = *f.srt_files[0].animation, &turn = *f.srt_files[1].animation;
  EXPECT_EQ(flow.name, "river");
  EXPECT_EQ(flow.frame_count, 120);
  EXPECT_EQ(flow.material_count, 1);
  EXPECT_EQ(flow.materials[0].name, "water");
  EXPECT_THAT(srt_texture_of(f, 0).translation_y.keys, ElementsAre(SrtKey{0, 0, 1.0f / 60}, SrtKey{120, 2, 1.0f / 60}));
  EXPECT_THAT(srt_texture_of(f, 0).scale_x.keys, IsEmpty());
  EXPECT_EQ(turn.loop, 0u);
  EXPECT_THAT(srt_texture_of(f, 1).scale_x.keys, SizeIs(3));
  EXPECT_THAT(srt_texture_of(f, 1).rotation.keys, SizeIs(2));
}

TEST(BrresSrt, ReadsVersion4WithoutUserData) {
  SampleBrres draft = river();
  for (SrtFile& x : draft.file.srt_files) x.animation->header.version = 4;
  const Brres f = read_brres(*save_new(placed(std::move(draft))));
  ASSERT_THAT(f.srt_files, SizeIs(2));
  EXPECT_EQ(f.srt_files[0].animation->data_offset, 0x28);
  EXPECT_THAT(srt_texture_of(f, 0).translation_y.keys, SizeIs(2));
}

TEST(BrresSrt, KeepsOnlyDamagedFilesAsBytes) {
  Bytes b = bytes_of_river();
  const Brres before = read_brres(b);
  const size_t start = size_t(-before.srt_files[0].animation->header.brres_offset);
  const size_t material = start + 0x2C + dictionary_size(1);
  b[material + 6] = 1;  // texture_bits: a ninth texture
  auto d = load<Brres>(b);
  ASSERT_TRUE(d);
  EXPECT_THAT(d->notes, SizeIs(1));
  const Brres& after = d->document.value();
  ASSERT_THAT(after.srt_files, SizeIs(2));
  EXPECT_FALSE(after.srt_files[0].animation);
  EXPECT_EQ(after.srt_files[0].raw->size(), before.srt_files[0].animation->header.size);
  EXPECT_TRUE(after.srt_files[1].animation);
  EXPECT_EQ(test::as_hex(*save(d->document)), test::as_hex(b));
  EXPECT_THAT(scene_of_brres(after).animations, SizeIs(1));
}

TEST(BrresSrt, StoresEqualCurvesOnceAndSeparatesThemWhenOneChanges) {
  SampleBrres draft = river();
  SrtTexture& t = draft.file.srt_files[0].animation->materials[0].textures[0];
  t.flags &= ~(srt_flag::first_constant << 3);
  t.translation_x.keys = t.translation_y.keys;
  const Bytes b = *save_new(placed(std::move(draft)));
  auto d = load<Brres>(b);
  ASSERT_TRUE(d);
  const SrtTexture& both = srt_texture_of(d->document.value(), 0);
  EXPECT_EQ(both.translation_x.curve_offset, both.translation_y.curve_offset + 4);
  const auto edit = [&]() -> SrtTexture& {
    return d->document.edit().srt_files[0].animation->materials[0].textures[0];
  };
  const f32 before = both.translation_y.keys[1].value;
  edit().translation_x.keys[1].value = 3;
  const auto parted = save(d->document);
  ASSERT_TRUE(parted);
  const Brres separate = read_brres(*parted);
  EXPECT_EQ(srt_texture_of(separate, 0).translation_x.keys[1].value, 3);
  EXPECT_EQ(srt_texture_of(separate, 0).translation_y.keys[1].value, before);
  edit().translation_y.keys[1].value = 3;
  const auto saved = save(d->document);
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->size(), b.size());
}

// ---- curves

TEST(BrresCurves, FollowTangents) {
  const SrtKey keys[] = {{0, 1, 0}, {10, 3, 0}, {20, 3, 1}};
  EXPECT_EQ(value_at(keys, -5), 1);
  EXPECT_EQ(value_at(keys, 5), 2);
  EXPECT_EQ(value_at(keys, 10), 3);
  EXPECT_NEAR(value_at(keys, 15), 3 - 10.0 / 8, 1e-9);
  EXPECT_EQ(value_at(keys, 25), 3);
  EXPECT_EQ(value_at({}, 0), 0);
}

f64 largest_error(std::span<const SrtKey> keys, std::span<const f64> samples) {
  f64 out = 0;
  for (size_t i = 0; i < samples.size(); ++i) out = std::max(out, std::fabs(value_at(keys, f64(i)) - samples[i]));
  return out;
}

TEST(BrresCurves, FitSamplesWithFewKeys) {
  std::vector<f64> line, corner, wave, steps;
  for (int i = 0; i <= 600; ++i) {
    line.push_back(0.01 * i - 7);
    corner.push_back(i < 200 ? 0.01 * i : 2 - 0.02 * (i - 200));
    wave.push_back(std::sin(i / 30.0));
    steps.push_back(i / 100);
  }
  for (const auto& [samples, most] : {std::pair(&line, 2u), {&corner, 5u}, {&wave, 40u}, {&steps, 38u}}) {
    const auto keys = fit_hermite_curve(*samples, 1e-3);
    EXPECT_LE(keys.size(), most);
    EXPECT_LE(largest_error(keys, *samples), 1e-3 + 1e-6);
    EXPECT_TRUE(std::ranges::is_sorted(keys, std::less_equal(), &SrtKey::frame));
  }
  EXPECT_THAT(fit_hermite_curve(std::vector<f64>{5}, 1e-3), ElementsAre(SrtKey{0, 5, 0}));
}

TEST(BrresCurves, PolylinesHaveCornersOnly) {
  const std::vector<f64> samples{0, 0, 1, 2, 2, 4, 3, 3, 4, 2, 5, 1};  // pairs
  EXPECT_THAT(find_polyline_keys(samples, 2, 1e-6), ElementsAre(0, 2, 5));
  EXPECT_THAT(find_polyline_keys(samples, 2, 3), ElementsAre(0, 2, 5));
  EXPECT_THAT(find_polyline_keys(samples, 2, 4), ElementsAre(0, 5));
}

// ---- scenes

TEST(BrresSrt, MovesTexturesOfScenes) {
  const scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  EXPECT_THAT(scene::verify(s), IsEmpty());
  ASSERT_THAT(s.animations, SizeIs(2));
  ASSERT_THAT(s.animations[0].material_channels, SizeIs(1));
  const MaterialChannel& flow = s.animations[0].material_channels[0];
  EXPECT_EQ(s.materials[flow.material].name, "water");
  EXPECT_EQ(flow.target, MaterialChannel::Target::offset);
  EXPECT_THAT(flow.times, ElementsAre(0, 2));
  EXPECT_THAT(flow.values, ElementsAre(scene::Vec4{0, 0, 0, 0}, scene::Vec4{0, 2, 0, 0}));
  // turned about the middle of the texture, so the offset moves as well
  ASSERT_THAT(s.animations[1].material_channels, SizeIs(3));
  const MaterialChannel& turn = s.animations[1].material_channels[1];
  EXPECT_EQ(turn.target, MaterialChannel::Target::rotation);
  EXPECT_THAT(turn.times, ElementsAre(0, 1));
  EXPECT_NEAR(turn.values[1][0], 2 * 3.14159265, 1e-5);
}

TEST(BrresSrt, AnimatesTheModelOfItsNameOnly) {
  SampleBrres draft = river();
  Model other = draft.file.models[0];
  other.name = "lake";
  draft.file.models.push_back(std::move(other));
  const scene::Scene s = scene_of_brres(read_brres(*save_new(placed(std::move(draft)))));
  ASSERT_THAT(s.animations, SizeIs(2));
  EXPECT_THAT(s.animations[0].material_channels, SizeIs(1));
  EXPECT_THAT(s.animations[1].material_channels, SizeIs(6));
}

TEST(BrresSrt, SkipsCurvesWithoutNumbers) {
  SampleBrres draft = river();
  draft.file.srt_files[0].animation->materials[0].textures[0].translation_y.keys[1].value = std::nanf("");
  const auto staged = to_scene(read_brres(*save_new(placed(std::move(draft)))), false);
  ASSERT_TRUE(staged);
  EXPECT_THAT(staged->scene.animations, SizeIs(1));
  ASSERT_THAT(staged->notes, SizeIs(1));
  EXPECT_EQ(staged->notes[0].id, "brres.scene-motion");
}

// ---- made from scenes

TEST(BrresMakeSrt, ExportsComeBack) {
  const scene::Scene before = scene_of_brres(read_brres(bytes_of_river()));
  std::string said;
  const Brres f = build_brres(before, &said);
  EXPECT_THAT(said, testing::Not(HasSubstr("make-motion")));
  ASSERT_THAT(f.srt_files, SizeIs(2));
  EXPECT_EQ(f.srt_files[0].animation->frame_count, 120);
  EXPECT_EQ(f.srt_files[1].animation->loop, 0u);
  const SrtTexture& flow = srt_texture_of(f, 0);
  EXPECT_EQ(flow.flags, 0x1F7u);
  ASSERT_THAT(flow.translation_y.keys, SizeIs(2));
  EXPECT_NEAR(flow.translation_y.keys[1].value, 2, 1e-5);
  EXPECT_NEAR(flow.translation_y.keys[0].tangent, 1.0 / 60, 1e-6);
  EXPECT_LT(flow.translation_y.frame_scale * 120, 1);
  const SrtTexture& wheel = srt_texture_of(f, 1);
  EXPECT_TRUE(wheel.flags & srt_flag::uniform_scale);
  for (f64 frame = 0; frame <= 60; ++frame) {
    EXPECT_NEAR(value_at(wheel.rotation.keys, frame), 6 * frame, 0.02);
    EXPECT_NEAR(value_at(wheel.scale_x.keys, frame),
                value_at(srt_texture_of(read_brres(bytes_of_river()), 1).scale_x.keys, frame), 1e-3);
  }
}

TEST(BrresMakeSrt, ScrollingTexturesShareTheLoopOfTheirModel) {
  scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  s.animations.clear();
  set_material_extra(scene_material_of(s, "water"), "scroll", "[0.5, -0.25]");
  set_material_extra(scene_material_of(s, "wheel"), "scroll", "[0, 0.75]");
  const Brres f = build_brres(s);
  ASSERT_THAT(f.srt_files, SizeIs(1));
  const SrtAnimation& a = *f.srt_files[0].animation;
  EXPECT_EQ(a.name, "river");
  EXPECT_EQ(a.frame_count, 240);
  EXPECT_EQ(a.loop, 1u);
  ASSERT_THAT(a.materials, SizeIs(2));
  EXPECT_EQ(srt_texture_of(f, 0).translation_x.keys.back().value, 2);
  EXPECT_EQ(srt_texture_of(f, 0).translation_y.keys.back().value, -1);
  EXPECT_THAT(srt_texture_of(f, 0, 1).translation_x.keys, IsEmpty());
  EXPECT_EQ(srt_texture_of(f, 0, 1).translation_y.keys.back().value, 3);
  // the picture moves to the right and down: to the left of it is what comes next
  const scene::Scene shown = scene_of_brres(f);
  EXPECT_EQ(shown.animations[0].material_channels[0].values[1], (scene::Vec4{-2, -1, 0, 0}));
}

TEST(BrresMakeSrt, ScrollingRespectsScaleAndMirroring) {
  scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  s.animations.clear();
  scene::Material& water = scene_material_of(s, "water");
  water.transform.scale = {4, 2};
  s.textures[water.texture].wrap_u = scene::Texture::Wrap::mirror;
  set_material_extra(water, "scroll", "[1, 0]");
  const Brres f = build_brres(s);
  EXPECT_EQ(f.srt_files.at(0).animation->frame_count, 120);  // two widths
  const auto& keys = srt_texture_of(f, 0).translation_x.keys;
  EXPECT_NEAR(keys[1].value - keys[0].value, 2.0 / 4, 1e-6);
  EXPECT_EQ(srt_texture_of(f, 0).scale_x.value, 4);
}

TEST(BrresMakeSrt, LoopsAreExactOrNear) {
  const auto loop = [](std::vector<f64> speeds) { return find_scroll_loop(speeds); };
  EXPECT_EQ(loop({1}).frames, 60);
  EXPECT_EQ(loop({0.5, 0.75, -0.2}).frames, 1200);
  EXPECT_EQ(loop({0, 0.37}).frames, 6000);
  EXPECT_EQ(loop({0.3333}).frames, 180);
  EXPECT_NEAR(loop({0.3333}).deviation, 1e-4, 1e-6);
  EXPECT_EQ(loop({0.001}).frames, 36000);  // too slow for the longest loop
  EXPECT_NEAR(loop({0.001}).deviation, 2.0 / 3, 1e-6);
}

TEST(BrresMakeSrt, SaysWhatIsNotMade) {
  scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  s.animations[0].channels.push_back({.node = 0, .times = {0}, .values = {{0, 0, 0, 0}}});
  s.animations[1].material_channels = {{.material = 0, .times = {0}, .values = {{1, 1, 1, 1}}}};
  set_material_extra(scene_material_of(s, "water"), "scroll", "[1, 0]");
  set_material_extra(scene_material_of(s, "wheel"), "scroll", "\"fast\"");
  std::string said;
  const Brres f = build_brres(s, &said);
  EXPECT_THAT(f.srt_files, SizeIs(1));
  EXPECT_THAT(said,
              HasSubstr("animated colours of materials whose vertices have colours are not converted: \"water\""));
  EXPECT_THAT(said, HasSubstr("scroll of the material \"water\" is ignored: the animation \"river\" moves"));
  EXPECT_THAT(said, HasSubstr("scroll of the material \"wheel\" is ignored: it must be two numbers"));
}

TEST(BrresMakeSrt, CutsLongAnimations) {
  scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  s.animations.resize(1);
  s.animations[0].material_channels[0].times[1] = 2000;
  std::string said;
  const Brres f = build_brres(s, &said);
  EXPECT_EQ(f.srt_files.at(0).animation->frame_count, 65534);
  EXPECT_THAT(said, HasSubstr("cut off after 65534 frames: \"river\""));
}

TEST(BrresMakeSrt, ScrollingNeedsATextureAndASaneSpeed) {
  scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  s.animations.clear();
  scene_material_of(s, "water").texture = scene::k_none;
  for (scene::Mesh& m : s.meshes)
    for (scene::Primitive& p : m.primitives)
      if (s.materials[p.material].name == "water") p.uvs.clear();
  set_material_extra(scene_material_of(s, "water"), "scroll", "[1, 0]");
  set_material_extra(scene_material_of(s, "wheel"), "scroll", "[1e300, 0]");
  std::string said;
  EXPECT_THAT(build_brres(s, &said).srt_files, IsEmpty());
  EXPECT_THAT(said, HasSubstr("\"water\" is ignored: it has no texture"));
  EXPECT_THAT(said, HasSubstr("\"wheel\" is ignored: it must be two numbers"));
}

TEST(BrresMakeSrt, WarnsOfMoreThanEightAnimations) {
  scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  for (int i = 0; i < 8; ++i) s.animations.push_back(s.animations[0]);
  std::string said;
  const Brres f = build_brres(s, &said);
  EXPECT_THAT(f.srt_files, SizeIs(10));
  EXPECT_EQ(f.srt_files[2].animation->name, "river_1");
  EXPECT_THAT(said, HasSubstr("10 animations of texture transforms"));
}

TEST(BrresMakeSrt, ScrollingJoinsTheAnimationOfTheModel) {
  scene::Scene s = scene_of_brres(read_brres(bytes_of_river()));
  set_material_extra(scene_material_of(s, "wheel"), "scroll", "[0.26, 0]");
  std::string said;
  const Brres f = build_brres(s, &said);
  ASSERT_THAT(f.srt_files, SizeIs(2));
  EXPECT_THAT(f.srt_files[0].animation->materials, SizeIs(2));
  EXPECT_EQ(f.srt_files[0].animation->frame_count, 120);
  EXPECT_EQ(srt_texture_of(f, 0, 1).translation_x.keys.back().value, 1);
  EXPECT_THAT(said, HasSubstr("scroll up to 92.31 % faster or slower"));
}

}  // namespace
}  // namespace dio::brres
