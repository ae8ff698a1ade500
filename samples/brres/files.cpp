// files.cpp: small files made from nothing, and what can be different in one.
#include "samples/brres/files.hpp"

#include "console/wii/texels.hpp"
#include "samples/samples.hpp"

namespace dio::brres {

namespace {

using wii::TexelFormat;

/// A picture as texels; of formats with a palette its colours are the nearest.
Bytes texels_of(TexelFormat f, const scene::Image& image, u32 levels, std::span<const scene::Rgba> palette = {}) {
  const Bytes before(size_t(wii::texture_size_bytes(f, image.width, image.height, levels)), 0x5A);
  return wii::encode(f, image, levels, before, palette).texels;
}
scene::Image picture(u32 width, u32 height, auto color) {
  scene::Image image;
  image.width = width, image.height = height;
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x)
      for (const u8 c : color(x, y)) image.pixels.push_back(c);
  return image;
}
scene::Rgba grass(u32 x, u32 y) {
  const u8 shade = u8((x * 7 + y * 13 + x * y) % 48);
  return {u8(40 + shade), u8(120 + shade), 40, 255};
}
scene::Rgba road(u32 x, u32 y) {
  if (x == 7 || x == 8) return y / 4 % 2 ? scene::Rgba{230, 220, 90, 255} : scene::Rgba{96, 96, 100, 255};
  return {u8(88 + (x + y) % 3 * 8), u8(88 + (x + y) % 3 * 8), 96, 255};
}
scene::Rgba sign(u32 x, u32 y) {  // an arrow; the rest is transparent
  const u32 from_middle = y < 8 ? 7 - y : y - 8;
  const bool arrow = (x >= 8 && x - 8 + from_middle < 8) || (x < 8 && from_middle < 3);
  return arrow ? scene::Rgba{222, 41, 33, 255} : scene::Rgba{0, 0, 0, 0};
}
scene::Rgba water(u32 x, u32 y) {
  const u8 light = u8((x * x + y * y) % 16 * 6 + 130);
  return {light, light, light, 150};
}

}  // namespace

SampleBrres hill() {
  SampleBrres d;
  Model m = empty_model("course");
  add_bone(m, "hill", {0, 0, 0}, -1);
  add_bone(m, "posLD", {-2000, 0, 2000}, 0);
  add_bone(m, "posRU", {2000, 0, -2000}, 0);
  add_material(m, "grass", {.texture = "grass", .srt = {{4, 4}, 0, {0, 0}}});
  add_material(m, "road", {.texture = "road", .srt = {{4, 2}, 0, {0.5f, 0}}});
  add_material(m, "sign", {.texture = "sign", .cull = 0, .wrap = 0, .masked = true});
  add_material(m, "water", {.texture = "water", .wrap = 2, .translucent = true});
  // a grid of 5 x 5, 1000 units apart: the third column is the road
  Writing positions, colors, uvs;
  constexpr f32 k_heights[] = {0, 300, 450, 300, 0};
  for (u32 z = 0; z < 5; ++z)
    for (u32 x = 0; x < 5; ++x) {
      const f32 height = x == 2 || x == 3 ? 200 : k_heights[x] + k_heights[z];
      positions.real(f32(x) * 1000 - 2000).real(height).real(f32(z) * 1000 - 2000);
      const u32 light = 0x80 + 24 * ((x + 2 * z) % 5);
      colors.n32(light << 24 | light << 16 | light << 8 | 0xFF);
      uvs.n16(x * 256).n16(z * 256);
    }
  m.positions.push_back(attributes<Positions>("ground", 1, 4, 0, 12, positions.bytes));
  m.positions[0].min = {-2000, 0, -2000}, m.positions[0].max = {2000, 900, 2000};
  m.colors.push_back(attributes<Colors>("ground", 1, 5, 0, 4, colors.bytes));
  m.texcoords.push_back(attributes<Texcoords>("ground", 1, 3, 10, 4, uvs.bytes));
  const auto strips = [](std::vector<u32> columns) {
    Writing w;
    for (const u32 x : columns) {
      w.n8(0x98).n16(10);
      for (u32 z = 0; z < 5; ++z)
        for (const u32 i : {5 * z + x, 5 * z + x + 1}) w.n8(i).n8(i).n8(i);
    }
    return w.bytes;
  };
  const VertexFormat indexed{.position = 2, .color = 2, .texcoord = 2};
  add_shape(m, "grass", indexed, {0, -1, 0, 0}, 0, strips({0, 1, 3}), 30, 24);
  add_shape(m, "road", indexed, {0, -1, 0, 0}, 0, strips({2}), 10, 8);
  // a sign with values in its vertices, below a bone
  Writing quad;
  quad.n8(0x80).n16(4);
  constexpr f32 k_corners[4][4] = {{0, 900, 0, 0}, {600, 900, 1, 0}, {600, 400, 1, 1}, {0, 400, 0, 1}};
  for (const auto& [x, y, u, v] : k_corners) quad.real(x).real(y).real(0).n32(0xFFFFFFFF).real(u).real(v);
  add_shape(m, "sign", {.position = 1, .color = 1, .texcoord = 1}, {-1, -1, -1, -1}, 1, quad.bytes, 4, 2);
  Writing pond;
  pond.n8(0xA0).n16(4);
  constexpr f32 k_shore[4][4] = {{1000, -1000, 0, 0}, {2000, -1000, 2, 0}, {2000, 1000, 2, 2}, {1000, 1000, 0, 2}};
  for (const auto& [x, z, u, v] : k_shore) pond.real(x).real(650).real(z).n32(0x60A0FFC0).real(u).real(v);
  add_shape(m, "water", {.position = 1, .color = 1, .texcoord = 1}, {-1, -1, -1, -1}, 0, pond.bytes, 4, 2);
  for (u16 i = 0; i < 3; ++i) add_command(m, k_draw_opaque, {.code = code::draw, .material = i, .shape = i});
  add_command(m, k_draw_translucent, {.code = code::draw, .material = 3, .shape = 3});
  d.file.models.push_back(std::move(m));
  d.file.textures.push_back(texture("grass", 14, 16, 16, 2, texels_of(TexelFormat::cmpr, picture(16, 16, grass), 2)));
  d.file.textures.push_back(texture("road", 4, 16, 8, 1, texels_of(TexelFormat::rgb565, picture(16, 8, road), 1)));
  d.file.textures.push_back(texture("sign", 5, 16, 16, 1, texels_of(TexelFormat::rgb5a3, picture(16, 16, sign), 1)));
  d.file.textures.push_back(texture("water", 3, 8, 8, 1, texels_of(TexelFormat::ia8, picture(8, 8, water), 1)));
  return d;
}

SampleBrres bending() {
  SampleBrres d;
  Model m = empty_model("bending");
  add_bone(m, "foot", {0, 0, 0}, -1);
  add_bone(m, "head", {0, 200, 0}, 0);
  // a third matrix: half of each
  m.matrix_bones.push_back(-1);
  m.programs.insert(m.programs.begin() + 1,
                    Program{{{.code = code::matrix, .bone = 1, .matrix = 1},
                             {.code = code::mix, .matrix = 2, .weights = {{0, 0.5f}, {1, 0.5f}}},
                             {.code = code::end}}});
  m.program_dictionary.entries.insert(m.program_dictionary.entries.begin() + 1, DictionaryEntry{{.name = "NodeMix"}});
  m.info.matrix_count = 3;
  add_material(m, "skin", {.texture = "skin", .palette = "warm"});
  add_material(m, "edges", {});
  // three squares, one above the other: of the foot, of both, of the head (around it)
  Writing positions, normals, colors, uvs;
  constexpr i32 k_heights[] = {0, 100, 0};
  for (const i32 height : k_heights)
    for (u32 i = 0; i < 4; ++i) {
      const i32 x = i == 1 || i == 2 ? 60 : -60, z = i >= 2 ? 60 : -60;
      positions.n16(u32(x * 4)).n16(u32(height * 4)).n16(u32(z * 4));
    }
  for (u32 i = 0; i < 4; ++i) normals.n8(u32(i == 1 || i == 2 ? 45 : -45)).n8(0).n8(u32(i >= 2 ? 45 : -45));
  colors.n16(0xFFFF).n16(0x8C71);
  for (u32 i = 0; i < 4; ++i) uvs.n8(i % 2 * 64).n8(i / 2 * 64);
  m.positions.push_back(attributes<Positions>("box", 1, 3, 2, 6, positions.bytes));
  m.positions[0].min = {-60, 0, -60}, m.positions[0].max = {60, 100, 60};
  m.normals.push_back(attributes<Normals>("box", 0, 1, 6, 3, normals.bytes));
  m.colors.push_back(attributes<Colors>("two", 0, 0, 0, 2, colors.bytes));
  m.texcoords.push_back(attributes<Texcoords>("box", 1, 0, 6, 2, uvs.bytes));
  Writing w;
  for (u32 slot = 0; slot < 3; ++slot) w.n8(0x20).n16(slot).n16(0xB000 | slot * 12);
  constexpr u32 k_order[] = {0, 2, 1};  // of the matrices: the mix is the third
  const auto at = [&](u32 floor, u32 i) {
    w.n8(k_order[floor] * 3).n16(floor * 4 + i % 4).n8(i % 4).n8(floor == 1).n8(i % 4);
  };
  w.n8(0x80).n16(32);
  for (u32 floor = 0; floor < 2; ++floor)
    for (u32 i = 0; i < 4; ++i) at(floor, i), at(floor, i + 1), at(floor + 1, i + 1), at(floor + 1, i);
  w.n8(0x90).n16(6);
  for (const u32 i : {0u, 1u, 2u, 0u, 2u, 3u}) at(2, i);
  add_shape(m, "box", {.matrix = 1, .position = 3, .normal = 2, .color = 2, .texcoord = 2}, {0, 0, 0, 0}, -1, w.bytes,
            38, 18);
  m.shapes.back().matrices = {0, 1, 2};
  Writing edges;
  edges.n8(0xB0).n16(5);
  for (const u32 i : {0u, 1u, 2u, 3u, 0u}) edges.n8(i);
  edges.n8(0xA8).n16(2).n8(4).n8(6).n8(0xB8).n16(4).n8(8).n8(9).n8(10).n8(11);
  add_shape(m, "edges", {.position = 2}, {0, -1, -1, -1}, 0, edges.bytes, 11, 0);
  add_command(m, 2, {.code = code::draw, .material = 0, .shape = 0});
  add_command(m, 2, {.code = code::draw, .material = 1, .shape = 1});
  d.file.models.push_back(std::move(m));
  d.file.models.push_back(empty_model("bending-shadow"));
  add_bone(d.file.models.back(), "shadow", {0, 0, 0}, -1);
  d.file.palettes.push_back(palette("warm", 1, {0xF800, 0xFBE0, 0xFFE0, 0x8200}));
  std::vector<scene::Rgba> warm;
  for (const u16 c : d.file.palettes[0].colors) warm.push_back(wii::expand_color(wii::ColorFormat::rgb565, c));
  d.file.textures.push_back(texture(
      "skin", 8, 8, 8, 1,
      texels_of(TexelFormat::c4, picture(8, 8, [&](u32 x, u32 y) { return warm[(x / 2 + y / 2) % 4]; }), 1, warm)));
  OtherFile animation;
  animation.magic = fourcc("SHP0");
  animation.header.version = 4;
  animation.content = Writing().n32(0x28).n32(0).n32(0).n32(0).n16(60).n16(0).bytes;
  d.others.push_back({"AnmShp(NW4R)", {{"bend", std::move(animation)}}});
  return d;
}

SampleBrres river() {
  SampleBrres d;
  Model m = empty_model("river");
  add_bone(m, "bank", {0, 0, 0}, -1);
  add_material(m, "water", {.texture = "water"});
  add_material(m, "wheel", {.texture = "sign", .cull = 0, .wrap = 0, .masked = true});
  const auto square = [&](const char* name, f32 y, f32 size) {
    Writing w;
    w.n8(0x80).n16(4);
    constexpr f32 k_corners[4][4] = {{-1, -1, 0, 0}, {1, -1, 1, 0}, {1, 1, 1, 1}, {-1, 1, 0, 1}};
    for (const auto& [x, z, u, v] : k_corners) w.real(x * size).real(y).real(z * size).n32(0xFFFFFFFF).real(u).real(v);
    add_shape(m, name, {.position = 1, .color = 1, .texcoord = 1}, {-1, -1, -1, -1}, 0, w.bytes, 4, 2);
  };
  square("water", 0, 1000);
  square("wheel", 200, 300);
  for (u16 i = 0; i < 2; ++i) add_command(m, k_draw_opaque, {.code = code::draw, .material = i, .shape = i});
  d.file.models.push_back(std::move(m));
  d.file.textures.push_back(texture("sign", 5, 16, 16, 1, texels_of(TexelFormat::rgb5a3, picture(16, 16, sign), 1)));
  d.file.textures.push_back(texture("water", 3, 8, 8, 1, texels_of(TexelFormat::ia8, picture(8, 8, water), 1)));

  SrtAnimation flow, turn;
  flow.name = "river", flow.frame_count = 120;
  SrtTexture down;
  down.flags = 0x1F7;  // only the second translation changes
  down.translation_y.frame_scale = 1.0f / 121, down.translation_y.keys = {{0, 0, 1.0f / 60}, {120, 2, 1.0f / 60}};
  flow.materials.push_back({{.name = "water"}, 1, 0, {down}});
  turn.name = "turn", turn.frame_count = 60, turn.loop = 0;
  SrtTexture wheel;
  wheel.flags = 0x319;  // the scale is uniform, and there is no translation
  wheel.scale_x.frame_scale = wheel.rotation.frame_scale = 1.0f / 61;
  wheel.scale_x.keys = {{0, 1, 0}, {30, 1.5f, 0}, {60, 1, 0}};
  wheel.rotation.keys = {{0, 0, 6}, {60, 360, 6}};
  turn.materials.push_back({{.name = "wheel"}, 1, 0, {wheel}});
  d.file.srt_files.push_back({std::move(flow), {}});
  d.file.srt_files.push_back({std::move(turn), {}});
  return d;
}

SampleBrres formats_of_textures() {
  SampleBrres d;
  const auto colors = [](u32 x, u32 y) {
    return scene::Rgba{u8(x * 23), u8(y * 31), u8((x + y) * 13), u8(255 - x * y)};
  };
  const scene::Image image = picture(10, 6, colors);
  d.file.palettes.push_back(palette("C4", 2, {0x0000, 0x7F00, 0x80FF, 0xFFFF, 0x9C42, 0x1234}));
  d.file.palettes.push_back(palette("C8", 0, {0xFF00, 0xFF40, 0xFF80, 0xFFC0, 0xFFFF, 0x80FF}));
  d.file.palettes.push_back(palette("C14X2", 1, {0x0000, 0xF800, 0x07E0, 0x001F, 0xFFFF}));
  for (const EnumName& format : k_texture_formats.words) {
    const auto f = TexelFormat(format.value);
    std::vector<scene::Rgba> palette;
    for (const Palette& p : d.file.palettes)
      if (p.name == format.word)
        for (const u16 c : p.colors) palette.push_back(wii::expand_color(wii::ColorFormat(p.format), c));
    d.file.textures.push_back(texture(std::string(format.word), u32(f), 10, 6, 1, texels_of(f, image, 1, palette),
                                      format.value == 1 ? 1 : 3));
  }
  return d;
}

SampleBrres signals() {
  const auto info = [](u32 frames) { return Writing().n16(frames).n16(1).n32(1).bytes; };
  SampleBrres d;
  // two registers: a colour for each frame, after the entries, and a constant
  const Bytes colors = Writing()
                           .n32(0x500 | 0x800)
                           .n32(0xFF)
                           .n32(12)
                           .n32(0xFF)
                           .n32(0x20FF40FF)
                           .n32(0xFF000000)
                           .n32(0x80000000)
                           .n32(0)
                           .n32(0)
                           .bytes;
  d.others.push_back({"AnmClr(NW4R)",
                      {{"blink", animation_of({.magic = "CLR0",
                                               .name = "blink",
                                               .part = "lamp",
                                               .offsets = {0},
                                               .info = info(3),
                                               .content = colors})}}});
  Writing keys;
  keys.n32(0x53).n16(0).n16(0).n32(0x10).n16(2).n16(0).real(0.1f).real(0).n16(0).n16(0).real(5).n16(1).n16(0);
  d.others.push_back({"AnmTexPat(NW4R)",
                      {{"blink", animation_of({.magic = "PAT0",
                                               .name = "blink",
                                               .part = "lamp",
                                               .offsets = {0, 0, 0, 0, 0},
                                               .info = Writing().n16(10).n16(1).n16(2).n16(0).n32(1).bytes,
                                               .content = keys.bytes,
                                               .names = {"dark", "light"}})}}});
  d.others.push_back({"AnmVis(NW4R)",
                      {{"blink", animation_of({.magic = "VIS0",
                                               .name = "blink",
                                               .part = "lamp",
                                               .offsets = {0},
                                               .info = info(40),
                                               .content = Writing().n32(0).n32(0xFFFF0000).n32(0xFF800000).bytes})}}});
  // turns about x with keys of 4 bytes, and rises with keys of 6
  Writing bone;
  bone.n32(2u << 30 | 1u << 27 | 0x1 | 0x8 | 0x10 | 0x20000 | 0x40000 | 0x80000 | 0x200000)
      .n32(28 + 4)
      .real(90)
      .real(-90)
      .real(0)
      .n32(56)
      .real(0);
  bone.n16(2).n16(0).real(0.1f).real(0.5f).real(0).n32(0x00'000'020).n32(0x0A'0B4'FE0);
  bone.n16(2).n16(0).real(0.1f).real(1).real(0).n16(0).n16(0).n16(256).n16(10 * 32).n16(10).n16(256);
  d.others.push_back({"AnmChr(NW4R)",
                      {{"swing", animation_of({.magic = "CHR0",
                                               .name = "swing",
                                               .part = "lamp",
                                               .offsets = {0},
                                               .info = Writing().n16(10).n16(1).n32(1).n32(0).bytes,
                                               .content = bone.bytes,
                                               .version = 5})}}});
  return d;
}

namespace {

/// A triangle of version 9: without room for fur.
SampleBrres old() {
  SampleBrres d;
  Model m = empty_model("old", 9);
  add_bone(m, "all", {0, 0, 0}, -1);
  add_material(m, "plain", {.cull = 1});
  Writing positions;
  for (const u32 n : {0, 0, 100, 0, 0, 100}) positions.n8(n);
  m.positions.push_back(attributes<Positions>("triangle", 0, 0, 0, 2, positions.bytes));
  add_shape(m, "triangle", {.position = 2}, {0, -1, -1, -1}, 0, Writing().n8(0x90).n16(3).n8(0).n8(1).n8(2).bytes, 3,
            1);
  add_command(m, k_draw_opaque, {.code = code::draw});
  d.file.models.push_back(std::move(m));
  return d;
}

std::vector<Sample> files() {
  return {
      {"hill.brres", "a hill with a road, a sign and water; the bones of a small map", bytes_of(placed(hill()))},
      {"bending.brres", "two bones, vertices that follow both; a palette, an animation", bytes_of(placed(bending()))},
      {"river.brres", "water that flows and a wheel that turns: animations of textures", bytes_of(placed(river()))},
      {"formats.brres", "a texture of each format, without models", bytes_of(placed(formats_of_textures()))},
      {"signals.brres", "animations of bones, colours, textures and visibility", bytes_of(placed(signals()))},
      {"old.brres", "a model of version 9", bytes_of(placed(old()))},
  };
}

}  // namespace

std::span<const SampleList> samples() {
  static constexpr SampleList k_lists[] = {{"brres", files}};
  return k_lists;
}

}  // namespace dio::brres
