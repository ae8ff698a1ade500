// sample_brres_builder.hpp: BRRES files made from nothing: gives the parts of a file their places, as the games' tools
// do.
#pragma once
#include "formats/brres/parts.hpp"
#include "formats/brres/semantics.hpp"

namespace dio::brres {

/// Another folder, with the names of its files.
struct SampleFolder {
  std::string name;
  std::vector<std::pair<std::string, OtherFile>> files;
};
/// Names of parts; those of folders follow from what is in them. Sizes, offsets, dictionaries and names are filled in.
struct SampleBrres {
  Brres file;
  std::vector<SampleFolder> others = {};
};
Brres placed(SampleBrres);

/// A model without anything but a bone, a table of one matrix, and the programs that place it.
Model empty_model(std::string name, u32 version = 11);
/// Its programs: placing bones, and two that draw.
inline constexpr size_t k_node_tree = 0, k_draw_opaque = 1, k_draw_translucent = 2;
void add_bone(Model&, std::string name, Vec3 translation, i32 parent);
void add_command(Model&, size_t program, Command);
/// A material with a shader: its texture, if any, times the colour of vertices.
struct SampleMaterial {
  std::string texture = {}, palette = {};
  u32 cull = 2, wrap = 1;
  bool translucent = false, masked = false;
  TextureSrt srt{{1, 1}, 0, {0, 0}};
};
void add_material(Model&, std::string name, const SampleMaterial&);

/// Attributes with these bytes; `count` of them.
template <class List>
List attributes(std::string name, u32 kind, u32 type, u8 divisor, u8 stride, Bytes data) {
  List l;
  l.name = std::move(name);
  l.kind = kind, l.type = type, l.divisor = divisor, l.stride = stride;
  l.count = u16(data.size() / stride);
  l.data = std::move(data);
  return l;
}

/// Bytes, most significant first.
struct Writing {
  Bytes bytes;
  Writing& n8(u32 x) { return bytes.push_back(u8(x)), *this; }
  Writing& n16(u32 x) { return n8(x >> 8).n8(x); }
  Writing& n32(u32 x) { return n16(x >> 16).n16(x); }
  Writing& real(f32 x);
  Writing& bp(u32 address, u32 value) { return n8(0x61).n8(address).n8(value >> 16).n16(value); }
  Writing& cp(u32 address, u32 value) { return n8(0x08).n8(address).n32(value); }
  Writing& xf(u32 address, u32 value) { return n8(0x10).n16(0).n16(address).n32(value); }
  Writing& pad(size_t to) {
    while (bytes.size() % to) bytes.push_back(0);
    return *this;
  }
};

/// An animation as bytes, of one part (a material or bone) with that name.
struct SampleAnimation {
  const char* magic;
  std::string name, part;
  std::vector<u32> offsets = {};  // of the header, after that of the dictionary
  Bytes info = {};                // of the header, after the offsets of names
  Bytes content = {};             // of the part, after its name
  u32 version = k_animation_version;
  std::vector<std::string> names = {};  // a list of name offsets behind the part; the first of the offsets leads to it
};
OtherFile animation_of(const SampleAnimation&);

/// How vertices of a shape have an attribute: 0 not, 1 as a value, 2 and 3 as an index of one or two bytes.
struct VertexFormat {
  u32 matrix = 0, position = 2, normal = 0, color = 0, texcoord = 0;
};
/// A shape of the lists of the model with these numbers. `polygons`: its display list, padded here.
void add_shape(Model&, std::string name, const VertexFormat&, std::array<i16, 4> lists, i32 matrix, Bytes polygons,
               u32 vertices, u32 triangles);

Texture texture(std::string name, u32 format, u32 width, u32 height, u32 levels, Bytes texels, u32 version = 3);
Palette palette(std::string name, u32 format, std::vector<u16> colors);

}  // namespace dio::brres
