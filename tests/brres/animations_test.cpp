// animations_test.cpp: animations of bones, colours, textures and visibility (CHR0, CLR0, PAT0, VIS0).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/corpus.hpp"
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

}  // namespace
}  // namespace dio::brres
