#include "samples/brres/sample_brres_builder.hpp"

#include <bit>

#include "formats/brres/layout/placement.hpp"

namespace dio::brres {

static constexpr u32 aligned(u32 n, u32 to) { return (n + to - 1) / to * to; }

Brres placed(SampleBrres draft) {
  Brres& f = draft.file;
  add_missing_folders(f);
  for (SampleFolder& other : draft.others) {
    Folder& folder = f.folders.emplace_back();
    f.root.entries.emplace_back().name = other.name;
    for (auto& [name, file] : other.files) {
      folder.dictionary.entries.emplace_back().name = name;
      folder.files.push_back(std::move(file));
    }
  }
  place_parts(f);
  return std::move(f);
}

OtherFile animation_of(const SampleAnimation& a) {
  const u32 dictionary = u32(0x10 + 4 + 4 * a.offsets.size() + 8 + a.info.size());
  const u32 part = dictionary + dictionary_size(1), list = u32(part + 4 + a.content.size());
  Writing names;
  u32 at = u32(list + 4 * a.names.size());
  const auto add_name = [&](const std::string& name) {
    const u32 place = at + 4;
    names.n32(u32(name.size()));
    for (const char c : name + '\0') names.n8(u8(c));
    names.pad(4);
    at = u32(list + 4 * a.names.size() + names.bytes.size());
    return place;
  };
  const u32 own_name = add_name(a.name), part_name = add_name(a.part);
  Dictionary d;
  d.entries.emplace_back().name = a.part;
  build_dictionary_tree(d);
  const DictionaryEntry& e = d.entries[0];

  Writing w;
  w.n32(dictionary);
  for (size_t i = 0; i < a.offsets.size(); ++i) w.n32(i == 0 && !a.names.empty() ? list : a.offsets[i]);
  w.n32(own_name).n32(0);
  w.bytes.insert(w.bytes.end(), a.info.begin(), a.info.end());
  w.n32(dictionary_size(1)).n32(1).n16(d.root.bit).n16(0).n16(d.root.left).n16(d.root.right).n32(0).n32(0);
  w.n16(e.bit).n16(0).n16(e.left).n16(e.right).n32(part_name - dictionary).n32(part - dictionary);
  w.n32(part_name - part);
  w.bytes.insert(w.bytes.end(), a.content.begin(), a.content.end());
  for (const std::string& name : a.names) w.n32(add_name(name) - list);
  w.bytes.insert(w.bytes.end(), names.bytes.begin(), names.bytes.end());
  OtherFile out;
  for (size_t i = 0; i < 4; ++i) out.magic.chars[i] = a.magic[i];
  out.header.version = a.version;
  out.content = std::move(w.bytes);
  return out;
}

Writing& Writing::real(f32 x) { return n32(std::bit_cast<u32>(x)); }

Model empty_model(std::string name, u32 version) {
  Model m;
  m.name = std::move(name);
  m.header.version = version;
  m.programs.resize(3);
  for (const char* program : {"NodeTree", "DrawOpa", "DrawXlu"})
    m.program_dictionary.entries.emplace_back().name = program;
  for (Program& p : m.programs) p.commands.push_back({.code = code::end});
  return m;
}

void add_command(Model& m, size_t program, Command c) {
  auto& commands = m.programs[program].commands;
  commands.insert(commands.end() - 1, std::move(c));
}

void add_bone(Model& m, std::string name, Vec3 translation, i32 parent) {
  Bone b;
  b.name = std::move(name);
  b.matrix = u32(m.matrix_bones.size());
  b.flags = 0x31C | Bone::k_visible;
  b.translation = translation;
  Vec3 at = translation;
  if (parent >= 0) {
    b.parent_offset = (parent - i32(m.bones.size())) * i32(Bone::k_size_in_file);
    const auto& above = m.bones[size_t(parent)].to_model;
    at = {at.x + above[3], at.y + above[7], at.z + above[11]};
  }
  b.to_model = {1, 0, 0, at.x, 0, 1, 0, at.y, 0, 0, 1, at.z};
  b.from_model = {1, 0, 0, -at.x, 0, 1, 0, -at.y, 0, 0, 1, -at.z};
  add_command(m, k_node_tree,
              {.code = code::node,
               .bone = u16(m.bones.size()),
               .from = parent < 0 ? u16(0) : u16(m.bones[size_t(parent)].matrix)});
  m.matrix_bones.push_back(i32(m.bones.size()));
  m.info.matrix_count = u32(m.matrix_bones.size());
  m.bones.push_back(std::move(b));
}

void add_material(Model& m, std::string name, const SampleMaterial& look) {
  Material x;
  x.name = std::move(name);
  x.flags = look.translucent ? Material::k_translucent : 0;
  const bool has_texture = !look.texture.empty();
  x.texgen_count = has_texture;
  x.channel_count = x.stage_count = 1;
  x.cull = look.cull;
  x.early_depth = !look.masked;
  x.indirect_lights.fill(-1);
  x.runtime = Bytes(Material::k_runtime_size);
  const bool moves =
      look.srt.scale.x != 1 || look.srt.scale.y != 1 || look.srt.translation.x != 0 || look.srt.translation.y != 0;
  x.srt_flags = has_texture ? moves ? 5 : 15 : 0;
  for (size_t i = 0; i < 8; ++i) {
    x.srts[i] = i == 0 ? look.srt : TextureSrt{{1, 1}, 0, {0, 0}};
    x.effects[i] = {-1, -1, 0, 1, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  }
  x.channels[0] = {63, {255, 255, 255, 255}, {0, 0, 0, 255}, 0x701, 0x701};
  if (has_texture) {
    Sampler s;
    s.texture = look.texture, s.palette = look.palette;
    s.wrap_u = s.wrap_v = look.wrap;
    s.min_filter = 5;
    x.samplers.push_back(std::move(s));
  }
  Writing w;
  w.bp(0xF3, look.masked ? 0x1EFF80 : 0x3F0000).bp(0x40, look.translucent ? 0x07 : 0x17).bp(0xFE, 0xFFE3);
  w.bp(0x41, look.translucent ? 0x34A1 : 0x34A0).bp(0x42, 0).pad(32);
  w.bytes.resize(0xE0);
  if (has_texture) w.xf(0x1040, 5 << 7).xf(0x1050, 0);
  w.bytes.resize(0x180);
  x.commands = std::move(w.bytes);
  m.materials.push_back(std::move(x));

  Shader s;
  s.stage_count = 1;
  s.texture_slots.fill(255);
  if (has_texture) s.texture_slots[0] = 0;
  Writing stages;  // texture times raster colour; or that alone
  stages.bp(0x28, has_texture ? 0x40 : 0x3F)
      .bp(0xC0, has_texture ? 0x08F8AF : 0x08AFFF)
      .bp(0xC1, has_texture ? 0x08F2F0 : 0x08BFF0);
  stages.bytes.resize(0x1E0);
  s.commands = std::move(stages.bytes);
  m.shaders.push_back(std::move(s));
}

void add_shape(Model& m, std::string name, const VertexFormat& f, std::array<i16, 4> lists, i32 matrix, Bytes polygons,
               u32 vertices, u32 triangles) {
  Shape s;
  s.name = std::move(name);
  s.matrix = matrix;
  const u32 low = f.matrix | f.position << 9 | f.normal << 11 | f.color << 13, high = f.texcoord;
  s.vertex_descriptor = {low, high, 0};
  s.attributes = (f.matrix ? 1 : 0) | (f.position ? 1u << 9 : 0) | (f.normal ? 1u << 10 : 0) |
                 (f.color ? 1u << 11 : 0) | (f.texcoord ? 1u << 13 : 0);
  s.positions = lists[0], s.normals = lists[1], s.colors[0] = lists[2], s.texcoords[0] = lists[3];
  s.vertex_count = vertices, s.triangle_count = triangles;
  Writing w;
  // direct values: positions of three reals, colours RGBA8, texture coordinates of two reals
  w.cp(0x50, low)
      .cp(0x60, high)
      .cp(0x70, 1 | 4 << 1 | 4 << 10 | 1 << 13 | 5 << 14 | 1 << 21 | 4 << 22)
      .cp(0x80, 0)
      .cp(0x90, 0);
  s.setup.size = u32(w.bytes.size());
  w.bytes.resize(0xE0);
  s.setup.commands = std::move(w.bytes);
  s.polygons.commands = std::move(polygons);
  s.polygons.commands.resize(aligned(u32(s.polygons.commands.size()), 32));
  m.info.vertex_count += vertices, m.info.triangle_count += triangles;
  m.shapes.push_back(std::move(s));
}

Texture texture(std::string name, u32 format, u32 width, u32 height, u32 levels, Bytes texels, u32 version) {
  Texture t;
  t.name = std::move(name);
  t.header.version = version;
  t.flags = format >= 8 && format <= 10;
  t.width = u16(width), t.height = u16(height);
  t.format = format, t.level_count = levels, t.max_lod = f32(levels) - 1;
  t.texels = std::move(texels);
  return t;
}
Palette palette(std::string name, u32 format, std::vector<u16> colors) {
  Palette p;
  p.name = std::move(name);
  p.header.version = 3;
  p.format = format;
  p.colors = std::move(colors);
  return p;
}

}  // namespace dio::brres
