// nitro_test.cpp: details of Nitro files, with bytes computed by hand. Tests that apply to every format run through the
// registry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/broken_rules.hpp"
#include "formats/contract/format.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/shape_facts.hpp"
#include "invented/expect_laws.hpp"
#include "nitro/damaged.hpp"
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"
#include "samples/samples.hpp"

namespace dio::nitro {

namespace {

using test::as_hex;
using test::hex;
using testing::ElementsAre;
using testing::IsEmpty;

/// Reads one structure from bytes that contain nothing else.
template <class T>
T read(const Bytes& bytes) {
  Reader r(bytes, std::endian::little);
  T x{};
  T::layout(r, x);
  EXPECT_FALSE(r.failure);
  EXPECT_EQ(r.here(), bytes.size());
  return x;
}
template <class T>
T loaded(const Bytes& bytes) {
  auto d = load<T>(bytes);
  EXPECT_TRUE(d) << format_one_line(d.error());
  return d ? d->document.value() : T{};
}
Bytes part(const Bytes& b, u64 from, u64 size) {
  EXPECT_LE(from + size, b.size());
  return Bytes(b.begin() + std::ptrdiff_t(from), b.begin() + std::ptrdiff_t(from + size));
}
std::string tree_of(const std::vector<std::string_view>& names) {
  const auto tree = build_tree_nodes(names);
  if (!tree) return "none";
  Bytes b;
  for (const TreeNode& n : *tree) b.insert(b.end(), {n.bit, n.left, n.right, n.entry});
  return as_hex(b);
}

// ---- rules ----

TEST(NitroRules, RuleTextsAreComplete) { test::expect_said_in_full(rules(), "nitro."); }
TEST(NitroRules, EveryRuleHasABrokenFile) { test::expect_one_for_each(check_rules(), broken_files()); }
TEST(NitroRules, FindsEachFaultAtItsPath) { test::expect_found_where_broken(broken_files()); }
TEST(NitroRules, FindingsMatchTheRecordedText) { test::expect_said_as_before(broken_files(), "nitro/damaged.txt"); }

TEST(NitroRules, SamplesHaveOnlyExpectedFindings) {
  std::string found;
  for (const Format* f : dio::formats()) {
    if (f->rules != rules) continue;
    for (Sample& s : samples_of(*f)) {
      auto o = open(std::move(s.bytes), s.name, f);
      ASSERT_TRUE(o) << format_one_line(o.error());
      for (const Diagnostic& d : check(*o)) found += s.name + " " + d.id + " " + d.place.path + "\n";
    }
  }
  EXPECT_EQ(found, R"(windmill.nsbmd nitro.texture-unnamed textures.textures[2].name
fountain.nsbmd nitro.invisible-node models[0].sbc[7].visible
shop_window.nsbmd nitro.alpha-zero models[0].materials[4].alpha
old_crate.nsbmd nitro.file-version header.version
posters.nsbtx nitro.unsorted-names textures.textures[1].name
posters.nsbtx nitro.unsorted-names textures.palettes[1].name
)");
}

TEST(NitroDetection, RejectsSimilarFormatsByName) {
  const auto refusal = [](Bytes b, const char* name) {
    b.resize(std::max<size_t>(b.size(), 0x60));
    auto d = detect(b, name);
    return d ? "detected" : d.error().id + ": " + d.error().message;
  };
  EXPECT_EQ(refusal(hex("'J3D2bmd3'"), "kart.bmd"),
            "detect.unknown: unsupported format: a GameCube or Wii model (J3D BMD3)");
  EXPECT_EQ(refusal(hex("'J3D2bdl4'"), "link.bdl"),
            "detect.unknown: unsupported format: a GameCube or Wii model (J3D BDL4)");
  EXPECT_EQ(refusal(hex("'J3D1bmd1'"), "test.bmd"),
            "detect.unknown: unsupported format: an old GameCube model (J3D BMD)");
  EXPECT_EQ(refusal(hex("'BDL0'"), "map"), "detect.unknown: unsupported format: a DS model of another library (BDL0)");
  // a header of counts and offsets: 1 bone, 1 list, no texture, no palette, 1 material
  const Bytes mario =
      hex("03000000 01000000 3c000000 01000000 3c000000 00000000 00000000 00000000 00000000"
          "01000000 40000000 44000000 00000000 00000000 00000000");
  EXPECT_EQ(refusal(mario, "castle.bmd"), "detect.unknown: unsupported format: a Super Mario 64 DS model");
  EXPECT_EQ(refusal(mario, "castle.bin"), "detect.unknown: unknown format (starts with 03000000)");
  Bytes other = make::bytes_of(crate());
  other[0] = 'X';
  EXPECT_EQ(refusal(other, "crate"),
            "detect.unknown: unsupported format: a file that contains the block MDL0 but does not start with BMD0");
}

// ---- dictionaries ----

TEST(NitroDictionary, BuildsTheExpectedNameTrees) {
  EXPECT_EQ(tree_of({}), as_hex(hex("7f000000")));
  // a is 0110 0001: its first difference from the empty name is bit 6, so it goes right there
  EXPECT_EQ(tree_of({"a"}), as_hex(hex("7f010000 06000100")));
  // b differs from a in bit 1, c from b in bit 0; leaves are the numbers of the nodes added with them
  EXPECT_EQ(tree_of({"a", "b", "c"}), as_hex(hex("7f010000 06000200 01010301 00020302")));
  // the same names with the middle one first: node 1 is b's; a and c hang below bits 1 and 0
  EXPECT_EQ(tree_of({"b", "a", "c"}), as_hex(hex("7f010000 06000200 01020301 00010302")));
}
TEST(NitroDictionary, SupportsSixteenCharacterNames) {
  // the last byte holds the highest bits, 120 to 127
  EXPECT_EQ(tree_of({"aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaab"}), as_hex(hex("7f010000 7e000200 79010201")));
  Nsbmd f = crate();
  f.models[0].nodes[0].name = "sixteen letters.";
  EXPECT_EQ(loaded<Nsbmd>(make::bytes_of(f)).models[0].nodes[0].name, "sixteen letters.");
}
TEST(NitroDictionary, RejectsDuplicateAndEmptyNames) {
  EXPECT_EQ(tree_of({"a", "b", "a"}), "none");
  EXPECT_EQ(tree_of({""}), "none");  // it is what the tree starts with
  Nsbmd f = windmill();
  f.models[0].nodes[1].name = f.models[0].nodes[2].name;
  Document<Nsbmd> d;
  d.edit() = f;
  const auto bytes = save(d);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().expected, "unique names");
}

// ---- nodes ----

TEST(NitroNode, DecodesPivotRotation) {
  // no translation, no scale; element 4 is 1; C is -B. A is cos 60, B is -sin 60: a turn about y
  const Node n = read<Node>(hex("4dfa 0008 0008 25f2"));
  EXPECT_EQ(n.stack, 31);
  EXPECT_EQ(n.pivot_index, 4);
  EXPECT_EQ(n.c_negative, 1);
  EXPECT_EQ(n.d_negative, 0);
  const Mat3d m = rotation_matrix(n);
  EXPECT_THAT(m.columns[0], ElementsAre(0.5, 0, -3547 / 4096.0));
  EXPECT_THAT(m.columns[1], ElementsAre(0, 1, 0));
  EXPECT_THAT(m.columns[2], ElementsAre(3547 / 4096.0, 0, 0.5));
}
TEST(NitroNode, PivotFillsTheRemainingFourElements) {
  constexpr int k_places[9][4] = {{4, 5, 7, 8}, {3, 5, 6, 8}, {3, 4, 6, 7}, {1, 2, 7, 8}, {0, 2, 6, 8},
                                  {0, 1, 6, 7}, {1, 2, 4, 5}, {0, 2, 3, 5}, {0, 1, 3, 4}};
  for (u8 p = 0; p < 9; ++p) {
    const Mat3d m = pivot_matrix(p, true, false, true, {1024}, {2048});
    std::array<f64, 9> expected{};
    expected[p] = -1;
    const f64 four[] = {0.25, 0.5, 0.5, -0.25};
    for (size_t i = 0; i < 4; ++i) expected[size_t(k_places[p][i])] = four[i];
    for (size_t i = 0; i < 9; ++i) EXPECT_EQ(m.columns[i / 3][i % 3], expected[i]) << int(p) << ", element " << i;
  }
}
TEST(NitroNode, FlagsMarkOmittedParts) {
  EXPECT_EQ(read<Node>(hex("07f8 0010")).m00.raw, 4096);
  const Node n =
      read<Node>(hex("02f8 0010  00100000 00200000 00f0ffff  00200000 00100000 00080000"
                     "00080000 00100000 00200000"));
  EXPECT_EQ(n.translation.z.raw, -4096);
  EXPECT_EQ(n.scale.x.raw, 8192);
  EXPECT_EQ(n.inverse_scale.z.raw, 8192);
  EXPECT_EQ(read<Node>(hex("05f8 0000  0010 0000 00f0 0000 0000 0000 0000 0010")).rotation[7].raw, 4096);
}

// ---- SBC ----

TEST(NitroSbc, StoreSlotPrecedesLoadSlot) {
  const SbcCommand both = read<SbcCommand>(hex("66 05 03 01 0a 02"));
  EXPECT_EQ(both.code, sbc::nodedesc);
  EXPECT_EQ(both.index, 5);
  EXPECT_EQ(both.parent, 3);
  EXPECT_EQ(both.flags, 1);
  EXPECT_EQ(both.store, 10);
  EXPECT_EQ(both.load, 2);
  EXPECT_EQ(read<SbcCommand>(hex("46 05 03 01 02")).load, 2);
  EXPECT_EQ(read<SbcCommand>(hex("26 05 03 01 02")).store, 2);
  EXPECT_EQ(read<SbcCommand>(hex("67 05 09 08")).load, 8);
}
TEST(NitroSbc, ReadsCommandsOfEveryLength) {
  const SbcCommand mix = read<SbcCommand>(hex("09 04 02  00 01 80  03 02 7f"));
  EXPECT_EQ(mix.store, 4);
  ASSERT_EQ(mix.mix.size(), 2u);
  EXPECT_EQ(mix.mix[1].slot, 3);
  EXPECT_EQ(mix.mix[1].node, 2);
  EXPECT_EQ(mix.mix[1].weight, 127);
  for (const char* command : {"00", "01", "02 0101", "03 01", "44 01", "05 01", "06 010000", "07 01", "28 0102", "0b",
                              "2b", "0c 0100", "0d 0100"})
    read<SbcCommand>(hex(command));
}
TEST(NitroSbc, RejectsUnknownSbcCommands) {
  Bytes b = make::bytes_of(crate());
  const Nsbmd f = loaded<Nsbmd>(b);
  b[f.block.offset + f.models[0].offset + f.models[0].sbc_offset + 5] = 0x0E;
  auto r = load<Nsbmd>(b);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().expected, "an SBC command, 0 to 13");
}

// ---- materials ----

const char* const k_material = "0000 2c00 ff7fff7f 00000000 81001f00 fff81f3f 00000300 ffffffff 0000";
TEST(NitroMaterial, FlagBitsSelectOptionalParts) {
  const std::string rest = "0800 1000 00100000 00100000";
  const auto material = [&](std::string flag, std::string parts) {
    return read<Material>(hex(k_material + flag + rest + parts));
  };
  const Material plain = material("ce1f", "");
  EXPECT_EQ(plain.diffuse, 0x7FFF);
  EXPECT_EQ(plain.vertex_color, 0);
  EXPECT_EQ(plain.light_0, 1);
  EXPECT_EQ(plain.show_front, 1);
  EXPECT_EQ(plain.show_back, 0);
  EXPECT_EQ(plain.alpha, 31);
  EXPECT_EQ(plain.repeat_s, 1);
  EXPECT_EQ(plain.repeat_t, 1);
  EXPECT_EQ(plain.flip_s, 0);
  EXPECT_EQ(plain.original_width, 8);
  EXPECT_EQ(plain.original_height, 16);
  const Material scaled = material("cc1f", "00200000 00080000");  // though no matrix is used
  EXPECT_EQ(scaled.use_matrix, 0);
  EXPECT_EQ(scaled.scale[1].raw, 2048);
  const Material all = material("c11f", "00200000 00080000 0008 db0d 00040000 00fcffff");
  EXPECT_EQ(all.use_matrix, 1);
  EXPECT_EQ(all.sin.raw, 2048);
  EXPECT_EQ(all.cos.raw, 3547);
  EXPECT_EQ(all.translation[1].raw, -1024);
  std::string matrix;
  for (int i = 0; i < 16; ++i) matrix += i % 5 ? "00000000" : "00100000";
  EXPECT_EQ(material("cf3f", matrix).effect[15].raw, 4096);
}
TEST(NitroMaterial, WritesTheSizeOfEachMaterial) {
  const Nsbmd f = loaded<Nsbmd>(make::bytes_of(banners()));
  EXPECT_EQ(f.models[0].materials[0].size, 44 + 8 + 4 + 8);
  EXPECT_EQ(loaded<Nsbmd>(make::bytes_of(fountain())).models[0].materials[0].size, 44 + 8);
  EXPECT_EQ(loaded<Nsbmd>(make::bytes_of(teapot())).models[0].materials[0].size, 44 + 64);
}
TEST(NitroMaterial, PairingOffsetsCountFromTheSectionStart) {
  const Bytes b = make::bytes_of(windmill());
  const Nsbmd f = loaded<Nsbmd>(b);
  const Model& m = f.models[0];
  const u64 section = f.block.offset + m.offset + m.materials_offset;
  ASSERT_EQ(m.textures.size(), 3u);
  EXPECT_EQ(m.textures[0].name, "planks");
  EXPECT_THAT(m.textures[0].materials, ElementsAre(2));
  EXPECT_EQ(b[section + m.textures[0].offset], 2);
  // texture lists, directly followed by palette lists
  EXPECT_EQ(m.palettes[0].offset, m.textures[2].offset + 1);
}

// ---- display lists ----

TEST(NitroDisplayList, PacksFourCommandsIntoAWord) {
  using make::Drawing;
  Drawing d;
  d.begin(make::Primitive::triangles).vtx_10({1, -1, 0}).vtx_16({0.5, 0, -2}).vtx_diff({1 / 4096.0, 0, -1 / 4096.0});
  d.end();
  EXPECT_BYTES(d.packed(), hex("40242328  00000000  4000 0f00  0008 0000 00e0 0000  0100 f03f"
                               "41000000 00000000"));
  // three commands before END, which is the fourth; a word of zeros follows it
  EXPECT_BYTES(Drawing().begin(make::Primitive::quads).color(0x7FFF).texcoord(1, -1).end().packed(),
               hex("40202241 01000000 ff7f0000 1000f0ff 00000000"));
}
TEST(NitroDisplayList, RepackingDropsPaddingCommands) {
  EXPECT_BYTES(repack_display_list(hex("00000000 20000000 ff7f0000 00200000 1f000000")),
               hex("20200000 ff7f0000 1f000000"));
  EXPECT_TRUE(repack_display_list(hex("ff000000")).empty());
  EXPECT_TRUE(repack_display_list(hex("20000000")).empty());
}
TEST(NitroDisplayList, RepacksCommandsFromJson) {
  auto o = open(make::bytes_of(crate()), "crate.nsbmd");
  ASSERT_TRUE(o);
  Value v = decode(*o);
  Value& list =
      *v.find("document")->find("models")->members()[0].second.find("shapes")->members()[1].second.find("list");
  ASSERT_TRUE(list.find("packets"));
  auto plain = json::read(R"({"packets": [{"commands": [{"code": 64, "primitive": 0},
      {"code": 32, "unused_15": 0, "blue": 31, "green": 0, "red": 1}, {"code": 37, "x": 1.0, "y": -1.0},
      {"code": 37, "x": 0.0, "y": 0.5}, {"code": 37, "x": 0.0, "y": 0.0}, {"code": 65}]}]})");
  ASSERT_TRUE(plain);
  list = *plain;
  std::erase_if(v.members(), [](const Value::Member& m) { return m.first == "digest"; });
  const auto bytes = encode(v);
  ASSERT_TRUE(bytes) << format_one_line(bytes.error());
  EXPECT_BYTES(loaded<Nsbmd>(*bytes).models[0].shapes[1].list,
               hex("40202525 00000000 017c0000 001000f0 00000008  25410000 00000000 00000000"));
}
TEST(NitroDisplayList, CountsPrimitivesAndVertices) {
  using make::Drawing;
  using make::Primitive;
  const auto strip = [](Primitive p, int n) {
    Drawing d;
    d.begin(p);
    for (int i = 0; i < n; ++i) d.vtx_10({});
    return analyze_display_list(d.end().packed());
  };
  EXPECT_EQ(strip(Primitive::triangles, 6).triangles, 2u);
  EXPECT_EQ(strip(Primitive::triangle_strip, 6).triangles, 4u);
  EXPECT_EQ(strip(Primitive::quads, 8).quads, 2u);
  EXPECT_EQ(strip(Primitive::quad_strip, 8).quads, 3u);
  EXPECT_EQ(strip(Primitive::quad_strip, 8).vertices, 8u);
  const Nsbmd f = loaded<Nsbmd>(make::bytes_of(crate()));
  EXPECT_EQ(f.models[0].vertex_count, 4 + 4 + 4 + 6 + 4 + 3);
  EXPECT_EQ(f.models[0].triangle_count, 2 + 2 + 1);
  EXPECT_EQ(f.models[0].quad_count, 2 + 1);
  EXPECT_EQ(f.models[0].polygon_count, 8);
  EXPECT_EQ(f.models[0].shapes[0].has_color, 1);
  EXPECT_EQ(f.models[0].shapes[1].has_texcoord, 0);
}
TEST(NitroDisplayList, SamplesUseEveryCommand) {
  std::set<u8> seen;
  for (const Nsbmd& f : {crate(), eel()})
    for (const Shape& s : f.models[0].shapes)
      for_each_gx_command(s.list, [&](u8 code, const u8*) { seen.insert(code); });
  EXPECT_THAT(seen, ElementsAre(0x00, 0x14, 0x1B, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x40, 0x41));
  seen.clear();
  for (const Nsbmd& f : {crate(), windmill(), eel(), meadow(), fountain(), teapot()})
    for (const SbcCommand& c : f.models[0].sbc) seen.insert(c.code);
  EXPECT_EQ(seen.size(), size_t(sbc::prjmap) + 1);
}

/// Samples compute their box when they are built; this test recomputes it by drawing the model.
TEST(NitroSamples, BoxesEncloseTheDrawnGeometry) {
  for (const Nsbmd& f : {crate(), windmill(), eel(), crane(), meadow(), fountain(), teapot(), banners(), shop_window()})
    for (const Model& m : loaded<Nsbmd>(make::bytes_of(f)).models) {
      const Program p = run_sbc(m);
      EXPECT_TRUE(p.faults.empty()) << m.name << ": " << (p.faults.empty() ? "" : p.faults[0].second);
      const auto matrices = compute_matrices(p, m, rest_pose(m));
      std::array<f64, 3> low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
      Geometry g;
      for (const Draw& d : p.draws) {
        run_display_list(d, p, 0x7FFF, g);
        for (const GxVertex& c : g.corners) {
          const Point at =
              matrices[c.matrix] * Point{c.position[0] * c.scale, c.position[1] * c.scale, c.position[2] * c.scale};
          for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], at[i]), high[i] = std::max(high[i], at[i]);
        }
      }
      const f64 scale = m.box_scale.value(), loose = scale / 512;
      const fx16 corner[] = {m.box.x, m.box.y, m.box.z}, size[] = {m.box.width, m.box.height, m.box.depth};
      for (size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(low[i], corner[i].value() * scale, loose) << m.name << ", axis " << i;
        EXPECT_NEAR(high[i] - low[i], size[i].value() * scale, loose) << m.name << ", axis " << i;
      }
    }
}

// ---- textures ----

TEST(NitroTextures, PaletteEndsWhereTheNextStarts) {
  const Bytes b = make::bytes_of(posters());
  const Nsbtx f = loaded<Nsbtx>(b);
  const Textures& t = f.textures;
  ASSERT_EQ(t.palettes.size(), 3u);
  EXPECT_EQ(t.palettes[0].offset, 0);
  EXPECT_EQ(t.palettes[1].offset, 0);  // the same colours, stored once
  EXPECT_EQ(t.palettes[2].offset, 2);
  EXPECT_EQ(t.palettes[0].colors.size(), 8u);  // four, and up to 16 bytes
  EXPECT_EQ(t.palettes[1].colors.size(), 8u);
  EXPECT_EQ(t.palettes[2].colors.size(), 16u);
  EXPECT_EQ(t.colors_size, (16 + 32) / 8);
  EXPECT_EQ(t.flag_32, 0x8000);
  EXPECT_EQ(t.textures[0].offset, t.textures[2].offset);
  EXPECT_EQ(t.texels_size, 2 * 16 / 8);
  EXPECT_EQ(t.textures_offset, 60);
}
TEST(NitroTextures, BlockOffsetsAreHalfTheTexelOffsets) {
  Nsbtx f = swatches_textures();
  Texture other = f.textures.textures[6];
  other.name = "stone_wet";
  other.blocks[0] ^= 1;  // the same texels, other colours
  f.textures.textures.push_back(other);
  const Bytes b = make::bytes_of(f);
  const Nsbtx g = loaded<Nsbtx>(b);
  const Textures& t = g.textures;
  const Texture &first = t.textures[6], &second = t.textures[8];
  EXPECT_EQ(first.offset, 0);
  EXPECT_EQ(second.offset, 16 * 8 / 4 / 8);  // not shared, or the blocks would have no room
  EXPECT_EQ(t.blocks_4x4_offset, t.texels_4x4_offset + 64);
  EXPECT_BYTES(part(b, g.block_offset + t.blocks_4x4_offset + second.offset * 4, 16), other.blocks);
  EXPECT_EQ(t.texels_4x4_size, 64 / 8);
}

// ---- animations ----

TEST(NitroCurves, CountsSamplesForEachStep) {
  EXPECT_EQ(sample_count(0, 10, 10), 10u);
  EXPECT_EQ(sample_count(1, 8, 10), 6u);  // 0 2 4 6 8, then 9
  EXPECT_EQ(sample_count(1, 10, 11), 6u);
  EXPECT_EQ(sample_count(2, 8, 10), 4u);   // 0 4 8, then 9
  EXPECT_EQ(sample_count(2, 8, 12), 6u);   // 0 4 8, then 9 10 11
  EXPECT_EQ(sample_count(2, 12, 13), 4u);  // no tail
  EXPECT_EQ(sample_count(1, 0, 1), 1u);
  for (const u8 step : {0, 1, 2})
    for (u32 frames = 1; frames < 40; ++frames)
      EXPECT_EQ(sample_count(step, make::last_of(step, frames), frames), make::sampled_frames(step, frames).size());
}

TEST(NitroJoints, AnimationsShareEqualTablesAndCurves) {
  Nsbca f = windmill_joints();
  f.animations[1] = f.animations[0];
  f.animations[1].name = "again";
  const Nsbca g = loaded<Nsbca>(make::bytes_of(f));
  const JointAnimation &a = g.animations[0], &b = g.animations[1];
  // equal tables and equal curves are stored once, although each animation has its own offsets to them
  EXPECT_EQ(a.offset + a.pivots_offset, b.offset + b.pivots_offset);
  EXPECT_EQ(a.offset + a.tracks[2].rotation.curve.offset, b.offset + b.tracks[2].rotation.curve.offset);
  EXPECT_EQ(a.tracks[2].rotation.samples, f.animations[0].tracks[2].rotation.samples);
}
TEST(NitroJoints, TableEndsWhereTheNextStarts) {
  const Nsbca f = windmill_joints(), g = loaded<Nsbca>(make::bytes_of(f));
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(g.animations[i].pivots.size(), f.animations[i].pivots.size()) << i;
  EXPECT_EQ(g.animations[1].bases.size(), f.animations[1].bases.size());
  // an empty table starts where the next one starts, and is indistinguishable from it
  EXPECT_EQ(f.animations[0].bases.size(), 0u);
  EXPECT_EQ(g.animations[0].offset + g.animations[0].bases_offset,
            g.animations[1].offset + g.animations[1].bases_offset);
  EXPECT_EQ(make::bytes_of(g), make::bytes_of(f));
}
TEST(NitroJoints, DecodesBasisRotations) {
  // x axis (0, 1/2, -1), y axis (-1/2, 0, 1/4): high 13 bits each; 1/4 is 0x400: its bits are 000 010 000 000 000
  const BasisRotation b = read<BasisRotation>(hex("1000 0040 0080 00c0 0000"));
  const Mat3d m = rotation_matrix(b);
  EXPECT_THAT(m.columns[0], ElementsAre(2 / 4096.0, 0.5, -1));
  EXPECT_THAT(m.columns[1], ElementsAre(-0.5, 0, 0));
  const Mat3d third = rotation_matrix(read<BasisRotation>(hex("0200 0000 0000 0000 0000")));
  EXPECT_EQ(third.columns[1][2], 0x400 / 4096.0);
  const Mat3d negative = rotation_matrix(read<BasisRotation>(hex("0700 0700 0700 0700 0700")));
  EXPECT_EQ(negative.columns[1][2], -1 / 4096.0);
  make::Rotations r;
  const make::Frame f = make::turned(0, 20) * make::turned(1, 50) * make::turned(2, -110);
  ASSERT_EQ(r.basis(f), 0);
  EXPECT_NEAR(rotation_matrix(r.bases[0]).columns[1][2], f.y.z, 1 / 4096.0);
  EXPECT_NEAR(rotation_matrix(r.bases[0]).columns[2][0], f.z.x, 1 / 1024.0);
}

TEST(NitroTextureMotion, CopiesConstantChannelsIntoTheSampleData) {
  const Bytes b = make::bytes_of(windmill_textures());
  const Nsbta f = loaded<Nsbta>(b);
  const u64 start = f.block.offset + f.animations[0].offset, data = start + 8 + f.animations[0].dictionary.size;
  EXPECT_BYTES(part(b, data, 12), hex("00100000 00100000 0000 0010"));  // scales, sine and cosine
  EXPECT_EQ(f.animations[0].materials[0].translation_s.data, 8u + f.animations[0].dictionary.size + 12);
  EXPECT_BYTES(part(b, data + 12, 8), hex("0000 8000 0001 8001"));  // 1/32 a frame
  EXPECT_BYTES(part(b, data + 12 + 64, 4), hex("00000000"));
  EXPECT_EQ(b.size(), data + 12 + 64 + 4);
  // narrow constants use two bytes, followed by two zero bytes
  const Bytes n = make::bytes_of(banners_textures());
  const Nsbta g = loaded<Nsbta>(n);
  const TextureTrack& m = g.animations[0].materials[0];
  EXPECT_TRUE(m.scale_t.narrow_copy);
  const u64 samples = g.block.offset + g.animations[0].offset + m.scale_s.data;
  EXPECT_BYTES(part(n, samples + 2 * 10, 4), hex("0010 0000"));
}

TEST(NitroVisibility, ReadsVisibilityBitsFromWords) {
  const VisibilityAnimation a = read<VisibilityAnimation>(hex("'V' 00 'AV' 0300 0c00 1400 0000  01000000 08000000"));
  EXPECT_EQ(a.words.size(), 2u);  // 36 bits
  EXPECT_TRUE(a.visible(0, 0));
  EXPECT_FALSE(a.visible(0, 1));
  EXPECT_TRUE(a.visible(2, 11));  // bit 35
  EXPECT_FALSE(a.visible(2, 10));
}

TEST(NitroPatterns, ComputesTheKeysPerFrameRatio) {
  const Nsbtp f = loaded<Nsbtp>(make::bytes_of(windmill_patterns()));
  EXPECT_EQ(f.animations[0].materials[0].ratio.raw, 4 * 4096 / 40);
}

TEST(NitroColors, StoresAlphaSamplesAfterColors) {
  const Bytes b = make::bytes_of(windmill_colors());
  const Nsbma f = loaded<Nsbma>(b);
  const ColorAnimation& a = f.animations[0];
  const ColorTrack &sail = a.materials[0], &water = a.materials[1];
  EXPECT_EQ(sail.diffuse.data, 8u + a.dictionary.size);
  EXPECT_EQ(sail.ambient.data, sail.diffuse.data + 2 * 11);  // every 2nd of 21 frames
  EXPECT_EQ(sail.emission.data, sail.ambient.data + 2 * 6);  // every 4th
  EXPECT_EQ(water.alpha.data, (sail.emission.data + 2 * 21 + 3) / 4 * 4);
  EXPECT_EQ(b[f.block.offset + a.offset + water.alpha.data], 20);
}

}  // namespace

}  // namespace dio::nitro
