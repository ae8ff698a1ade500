// animations_test.cpp: animations of bones, colours, textures and visibility (CHR0, CLR0, PAT0, VIS0).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/corpus.hpp"
#include "formats/brres/layout/placement.hpp"
#include "formats/brres/parts.hpp"
#include "layout/document.hpp"
#include "samples/brres/files.hpp"

namespace dio::brres {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

Bytes bytes_of_signals() { return *save_new(placed(signals())); }
Document<Brres> loaded_signals(const Bytes& bytes, size_t notes = 0) {
  auto d = load<Brres>(bytes);
  EXPECT_TRUE(d) << (d ? "" : format_one_line(d.error()));
  if (!d) return {};
  EXPECT_THAT(d->notes, SizeIs(notes));
  return std::move(d->document);
}

TEST(BrresAnimations, ReadsColors) {
  const Document<Brres> d = loaded_signals(bytes_of_signals());
  ASSERT_THAT(d.value().clr_files, SizeIs(1));
  const ClrMaterial& lamp = d.value().clr_files[0].animation->materials.at(0);
  EXPECT_EQ(lamp.name, "lamp");
  const ClrTrack &moving = lamp.tracks[4], &still = lamp.tracks[5];
  ASSERT_THAT(moving.colors, SizeIs(4));
  EXPECT_EQ(moving.colors[1].r, 128);
  EXPECT_THAT(still.colors, SizeIs(0));
  EXPECT_EQ(still.color.g, 255);
}

TEST(BrresAnimations, ReadsPatternsOfTextures) {
  const Document<Brres> d = loaded_signals(bytes_of_signals());
  ASSERT_THAT(d.value().pat_files, SizeIs(1));
  const PatAnimation& a = *d.value().pat_files[0].animation;
  ASSERT_THAT(a.texture_names, SizeIs(2));
  EXPECT_EQ(a.texture_names[1].name, "light");
  const auto& keys = a.materials.at(0).tracks[1].keys;
  ASSERT_THAT(keys, SizeIs(2));
  EXPECT_EQ(keys[1].frame, 5);
  EXPECT_EQ(keys[1].texture, 1);
}

TEST(BrresAnimations, ReadsBones) {
  const Document<Brres> d = loaded_signals(bytes_of_signals());
  ASSERT_THAT(d.value().chr_files, SizeIs(1));
  const ChrBone& lamp = d.value().chr_files[0].animation->bones.at(0);
  const ChrTrack &turn = lamp.tracks[3], &rise = lamp.tracks[7];
  EXPECT_EQ(lamp.tracks[4].value, 90);
  EXPECT_EQ(lamp.tracks[5].value, -90);
  ASSERT_THAT(turn.keys_32, SizeIs(2));
  EXPECT_EQ(turn.keys_32[0].tangent, 32);
  EXPECT_EQ(turn.keys_32[1].frame, 10);
  EXPECT_EQ(turn.keys_32[1].value, 180);
  EXPECT_EQ(turn.keys_32[1].tangent, -32);
  EXPECT_EQ(turn.value_scale, 0.5f);
  ASSERT_THAT(rise.keys_48, SizeIs(2));
  EXPECT_EQ(rise.keys_48[1].frame.value(), 10);
  EXPECT_EQ(rise.keys_48[1].tangent.value(), 1);
}

TEST(BrresAnimations, ReadsVisibility) {
  const Document<Brres> d = loaded_signals(bytes_of_signals());
  ASSERT_THAT(d.value().vis_files, SizeIs(1));
  EXPECT_THAT(d.value().vis_files[0].animation->bones.at(0).visible, ElementsAre(0xFFFF0000u, 0xFF800000u));
}

TEST(BrresAnimations, KeepsOnlyDamagedFilesAsBytes) {
  Bytes b = bytes_of_signals();
  const Brres before = loaded_signals(b).value();
  const size_t start = size_t(-before.clr_files[0].animation->header.brres_offset);
  b[start + 0x20] = 0xFF;  // frame_count: more colours than the file has room for
  const Document<Brres> after = loaded_signals(b, 1);
  ASSERT_THAT(after.value().clr_files, SizeIs(1));
  EXPECT_TRUE(after.value().clr_files[0].raw);
  EXPECT_TRUE(after.value().pat_files[0].animation);
  EXPECT_TRUE(after.value().vis_files[0].animation);
  EXPECT_EQ(test::as_hex(*save(after)), test::as_hex(b));
}

TEST(BrresAnimations, EditsStayInPlace) {
  const Bytes b = bytes_of_signals();
  Document<Brres> d = loaded_signals(b);
  d.edit().vis_files[0].animation->bones[0].visible[1] = 0;
  const auto saved = save(d);
  ASSERT_TRUE(saved);
  size_t changed = 0;
  for (size_t i = 0; i < b.size(); ++i) changed += b[i] != (*saved)[i];
  EXPECT_EQ(changed, 2u);
}

/// All parts of animations, with their offsets except those to names.
std::string describe_places(const Brres& f) {
  std::string out;
  const auto add = [&](auto... numbers) { ((out += std::to_string(numbers) + " "), ...); };
  const auto each = [&](const auto& files, auto describe) {
    for (const auto& x : files) {
      add(x.animation->header.size, x.animation->data_offset);
      for (const DictionaryEntry& e : x.animation->dictionary.entries) add(e.data_offset, e.left, e.right, e.bit);
      describe(*x.animation);
      out += "\n";
    }
  };
  each(f.chr_files, [&](const ChrAnimation& a) {
    for (const ChrBone& b : a.bones) {
      out += b.name + " ";
      for (const ChrTrack& t : b.tracks) add(t.curve_offset);
    }
  });
  each(f.clr_files, [&](const ClrAnimation& a) {
    for (const ClrMaterial& m : a.materials)
      for (const ClrTrack& t : m.tracks) add(t.colors_offset);
  });
  each(f.pat_files, [&](const PatAnimation& a) {
    add(a.texture_names_offset, a.palette_names_offset, a.textures_offset, a.palettes_offset);
    for (const PatName& n : a.texture_names) out += n.name + " ";
    for (const PatMaterial& m : a.materials)
      for (const PatTrack& t : m.tracks) add(t.keys_offset);
  });
  each(f.vis_files, [&](const VisAnimation& a) {
    for (const VisBone& b : a.bones) add(b.flags, b.visible.size());
  });
  return out;
}

TEST(BrresAnimations, ArePlacedAgain) {
  Brres f = loaded_signals(bytes_of_signals()).value();
  EXPECT_EQ(find_unplaceable_parts(f), "");
  place_parts(f);
  const Brres again = loaded_signals(*save_new(f)).value();
  EXPECT_EQ(again.clr_files[0].animation->materials[0].tracks[4].colors.size(), 4u);
  EXPECT_EQ(again.pat_files[0].animation->texture_names[1].name, "light");
  EXPECT_EQ(again.chr_files[0].animation->bones[0].tracks[7].keys_48[1].value, 10);
  EXPECT_EQ(again.vis_files[0].animation->bones[0].visible, f.vis_files[0].animation->bones[0].visible);
  EXPECT_EQ(describe_places(again), describe_places(f));
}

TEST(BrresAnimations, AreInTheirPlacesInFilesOfGames) {
  const auto files = test::corpus_files("wii", ".brres");
  if (files.empty()) GTEST_SKIP() << "no corpus";
  for (const auto& path : files) {
    auto d = load<Brres>(test::read_file(path));
    if (!d || !find_unplaceable_parts(d->document.value()).empty()) continue;
    Brres f = d->document.value();
    const std::string before = describe_places(f);
    if (before.empty()) continue;
    place_parts(f);
    EXPECT_EQ(describe_places(f), before) << path;
  }
}

}  // namespace
}  // namespace dio::brres
