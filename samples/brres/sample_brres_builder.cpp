#include "samples/brres/sample_brres_builder.hpp"

#include <bit>
#include <map>

namespace dio::brres {

namespace {

constexpr u32 aligned(u32 n, u32 to) { return (n + to - 1) / to * to; }

/// Places and names; names go to the end of the file.
class OffsetAllocator {
 public:
  u32 at = 0;
  void align(u32 n) { at = aligned(at, n); }
  u32 take(u64 n) { return std::exchange(at, u32(at + n)); }

  /// The names of dictionaries and parts; where they are is known at the end.
  void name(Named& n, u32 base) {
    n.name_length = u32(n.name.size());
    if (!n.name.empty()) names_.push_back({&n.name, &n.name_offset, base});
  }
  void text(std::string& s, i32& offset, u32 base) {
    if (!s.empty()) names_.push_back({&s, &offset, base});
  }
  void dictionary(Dictionary& d, u32 start) {
    d.size = dictionary_size(d.entries.size());
    build_dictionary_tree(d);
    for (DictionaryEntry& e : d.entries) name(e, start);
  }
  void finish_names() {
    std::map<std::string, u32> places;
    for (const Pending& p : names_) {
      const auto [known, fresh] = places.try_emplace(*p.name, 0);
      if (fresh) {
        align(4);
        take(4);
        known->second = take(p.name->size() + 1);
      }
      *p.offset = i32(known->second - p.base);
    }
  }

 private:
  struct Pending {
    std::string* name;
    i32* offset;
    u32 base;
  };
  std::vector<Pending> names_;
};

/// A list of parts of a model: its dictionary is at `dictionary`.
template <class T>
void list(OffsetAllocator& p, u32 dictionary, Dictionary& d, std::vector<T>& xs, u32 alignment, auto place) {
  for (size_t i = 0; i < xs.size(); ++i) {
    p.align(alignment);
    d.entries[i].data_offset = i32(p.at - dictionary);
    place(xs[i], i);
  }
}

u64 size_of(const Command& c) {
  switch (c.code) {
    case code::node:
    case code::matrix:
    case code::copy:
      return 5;
    case code::mix:
      return 4 + 6 * c.weights.size();
    case code::draw:
      return 8;
    default:
      return 1;
  }
}

void place_attributes(OffsetAllocator& p, AttributeList& l, size_t i, u32 header, u32 model) {
  const u32 start = p.take(header);
  p.align(32);
  l.index = u32(i);
  l.data_offset = i32(p.at - start);
  p.take(l.data.size());
  p.align(32);
  l.size = p.at - start;
  l.model_offset = i32(model - start);
  p.name(l, start);
}

void place_model(OffsetAllocator& p, Model& m) {
  const u32 start = p.at;
  const bool is_new = m.header.version >= k_with_fur;
  p.take(is_new ? 0x4C : 0x40);
  const u32 info = p.take(0x40);
  m.info.size = 0x40;
  m.info.model_offset = i32(start - info);
  m.info.table_offset = 0x40;
  p.take(4 + 4 * m.matrix_bones.size());
  p.name(m, start);

  // the dictionaries, one after the other
  std::map<const Dictionary*, u32> places;
  const auto reserve = [&](i32& offset, Dictionary& d, auto& xs, auto name_of) {
    if (xs.empty()) return;
    if constexpr (requires { xs[0].name; }) d.entries.resize(xs.size());
    for (size_t i = 0; i < xs.size(); ++i)
      if (const std::string name = name_of(i); !name.empty()) d.entries[i].name = name;
    places[&d] = p.at;
    offset = i32(p.at - start);
    p.take(dictionary_size(d.entries.size()));
  };
  const auto kept = [](size_t) { return std::string(); };
  const auto own = [](auto& xs) { return [&xs](size_t i) { return xs[i].name; }; };
  reserve(m.programs_offset, m.program_dictionary, m.programs, kept);
  reserve(m.bones_offset, m.bone_dictionary, m.bones, own(m.bones));
  reserve(m.positions_offset, m.position_dictionary, m.positions, own(m.positions));
  reserve(m.normals_offset, m.normal_dictionary, m.normals, own(m.normals));
  reserve(m.colors_offset, m.color_dictionary, m.colors, own(m.colors));
  reserve(m.texcoords_offset, m.texcoord_dictionary, m.texcoords, own(m.texcoords));
  reserve(m.materials_offset, m.material_dictionary, m.materials, own(m.materials));
  m.shader_dictionary.entries.resize(m.shaders.size());
  reserve(m.shaders_offset, m.shader_dictionary, m.shaders, own(m.materials));
  reserve(m.shapes_offset, m.shape_dictionary, m.shapes, own(m.shapes));
  // which samplers have which texture, in the order of the names
  std::map<std::string, std::vector<std::pair<size_t, size_t>>> users;
  for (size_t i = 0; i < m.materials.size(); ++i)
    for (size_t k = 0; k < m.materials[i].samplers.size(); ++k)
      users[m.materials[i].samplers[k].texture].push_back({i, k});
  for (const auto& [name, uses] : users) {
    m.texture_link_dictionary.entries.emplace_back().name = name;
    m.texture_links.push_back({std::vector<Use>(uses.size())});
  }
  reserve(m.texture_links_offset, m.texture_link_dictionary, m.texture_links, kept);

  list(p, places[&m.texture_link_dictionary], m.texture_link_dictionary, m.texture_links, 4,
       [&](Link& l, size_t) { p.take(4 + 8 * l.uses.size()); });
  list(p, places[&m.program_dictionary], m.program_dictionary, m.programs, 1, [&](Program& x, size_t) {
    for (const Command& c : x.commands) p.take(size_of(c));
  });
  list(p, places[&m.bone_dictionary], m.bone_dictionary, m.bones, 4, [&](Bone& b, size_t i) {
    const u32 at = p.take(Bone::k_size_in_file);
    b.size = Bone::k_size_in_file;
    b.index = u32(i);
    b.model_offset = i32(start - at);
    p.name(b, at);
  });
  list(p, places[&m.material_dictionary], m.material_dictionary, m.materials, 4, [&](Material& x, size_t i) {
    const u32 at = p.take(is_new ? 0x418 : 0x414);
    x.index = u32(i);
    x.model_offset = i32(start - at);
    x.samplers_offset = x.samplers.empty() ? 0 : i32(p.at - at);
    for (Sampler& s : x.samplers) {
      const u32 sampler = p.take(Sampler::k_least_size);
      p.text(s.texture, s.texture_offset, sampler);
      p.text(s.palette, s.palette_offset, sampler);
    }
    p.align(32);
    x.commands_offset = i32(p.at - at);
    p.take(x.commands.size());
    x.size = p.at - at;
    p.name(x, at);
  });
  list(p, places[&m.shader_dictionary], m.shader_dictionary, m.shaders, 32, [&](Shader& x, size_t i) {
    const u32 at = p.take(Shader::k_least_size + x.commands.size());
    x.size = p.at - at;
    x.index = u32(i);
    x.model_offset = i32(start - at);
    m.materials[i].shader_offset =
        i32(at - (start + u32(offset_in_model(m.materials_offset, m.material_dictionary, i))));
  });
  list(p, places[&m.shape_dictionary], m.shape_dictionary, m.shapes, 32, [&](Shape& s, size_t i) {
    const u32 at = p.take(is_new ? 0x68 : 0x64);
    s.index = u32(i);
    s.model_offset = i32(start - at);
    s.matrices_offset = i32(p.at - at);
    p.take(4 + 2 * s.matrices.size());
    const auto commands = [&](CommandList& l, u32 from) {
      p.align(32);
      l.offset = i32(p.at - (at + from));
      l.buffer_size = u32(l.commands.size());
      if (!l.size) l.size = l.buffer_size;
      p.take(l.commands.size());
    };
    commands(s.setup, 0x18);
    commands(s.polygons, 0x24);
    s.size = p.at - at;
    p.name(s, at);
  });
  list(p, places[&m.position_dictionary], m.position_dictionary, m.positions, 32,
       [&](Positions& l, size_t i) { place_attributes(p, l, i, 0x38, start); });
  list(p, places[&m.normal_dictionary], m.normal_dictionary, m.normals, 32,
       [&](Normals& l, size_t i) { place_attributes(p, l, i, 0x20, start); });
  list(p, places[&m.color_dictionary], m.color_dictionary, m.colors, 32,
       [&](Colors& l, size_t i) { place_attributes(p, l, i, 0x20, start); });
  list(p, places[&m.texcoord_dictionary], m.texcoord_dictionary, m.texcoords, 32,
       [&](Texcoords& l, size_t i) { place_attributes(p, l, i, 0x30, start); });
  size_t link = 0;
  for (const auto& [name, uses] : users) {
    const i64 at = offset_in_model(m.texture_links_offset, m.texture_link_dictionary, link);
    for (size_t k = 0; k < uses.size(); ++k) {
      const i64 material = offset_in_model(m.materials_offset, m.material_dictionary, uses[k].first);
      const i64 sampler =
          material + m.materials[uses[k].first].samplers_offset + i64(Sampler::k_least_size) * i64(uses[k].second);
      m.texture_links[link].uses[k] = {i32(material - at), i32(sampler - at)};
    }
    ++link;
  }
  for (const auto& [d, place] : places) p.dictionary(*const_cast<Dictionary*>(d), place);
  p.align(32);
  m.header.size = p.at - start;
}

}  // namespace

Brres placed(SampleBrres draft) {
  Brres& f = draft.file;
  const auto add_folder = [&](Kind kind, std::string name, auto& xs, auto name_of) {
    if (xs.empty()) return;
    Folder folder;
    folder.kind = kind;
    for (size_t i = 0; i < xs.size(); ++i) folder.dictionary.entries.emplace_back().name = name_of(xs[i]);
    f.folders.push_back(std::move(folder));
    f.root.entries.emplace_back().name = std::move(name);
  };
  const auto own = [](const auto& x) { return x.name; };
  add_folder(Kind::models, "3DModels(NW4R)", f.models, own);
  add_folder(Kind::textures, "Textures(NW4R)", f.textures, own);
  add_folder(Kind::palettes, "Palettes(NW4R)", f.palettes, own);
  add_folder(Kind::others, draft.other_folder, draft.others, [](const auto& x) { return x.first; });
  for (auto& [name, file] : draft.others) f.folders.back().files.push_back(std::move(file));

  OffsetAllocator p;
  f.root_offset = 16;
  p.take(16 + 8);
  const u32 root = p.take(dictionary_size(f.root.entries.size()));
  std::vector<u32> dictionaries;
  for (size_t i = 0; i < f.folders.size(); ++i) {
    dictionaries.push_back(p.take(dictionary_size(f.folders[i].dictionary.entries.size())));
    f.root.entries[i].data_offset = i32(dictionaries[i] - root);
  }
  f.root_size = p.at - f.root_offset;
  f.section_count = 1;
  for (size_t i = 0; i < f.folders.size(); ++i) {
    Folder& folder = f.folders[i];
    const auto each = [&](auto& xs, auto place) {
      for (size_t k = 0; k < xs.size(); ++k) {
        p.align(32);
        folder.dictionary.entries[k].data_offset = i32(p.at - dictionaries[i]);
        xs[k].header.brres_offset = -i32(p.at);
        place(xs[k]);
      }
      f.section_count = u16(f.section_count + xs.size());
    };
    const auto with_data = [&](auto& x, u64 bytes) {
      const u32 start = p.take(0x40);
      x.data_offset = 0x40;
      p.take(bytes);
      x.header.size = p.at - start;
      p.name(x, start);
    };
    switch (folder.kind) {
      case Kind::models:
        each(f.models, [&](Model& m) { place_model(p, m); });
        break;
      case Kind::textures:
        each(f.textures, [&](Texture& t) { with_data(t, t.texels.size()); });
        break;
      case Kind::palettes:
        each(f.palettes, [&](Palette& t) { with_data(t, 2 * t.colors.size()); });
        break;
      default:
        each(folder.files, [&](OtherFile& x) {
          x.header.size = u32(OtherFile::k_least_size + x.content.size()), p.take(x.header.size);
        });
    }
  }
  p.dictionary(f.root, root);
  for (size_t i = 0; i < f.folders.size(); ++i) p.dictionary(f.folders[i].dictionary, dictionaries[i]);
  p.align(4);
  p.finish_names();
  f.size = p.at;
  return std::move(f);
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
