// vertices.hpp: reads the vertices of a shape from its display list and the lists it refers to.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <span>

#include "formats/brres/layout/model.hpp"

namespace dio::brres {

/// The value attributes of a vertex. The matrix indices come before them.
enum Attribute : u8 { k_position, k_normal, k_color_0, k_color_1, k_texcoord_0, k_attributes = k_texcoord_0 + 8 };

/// How vertices store an attribute.
struct AttributeSource {
  enum class AttributeMode : u8 { absent, direct, index8, index16 } how = AttributeMode::absent;
  bool is_color = false;
  u32 components = 0, type = 0, indices = 1;
  u32 shift = 0;                        // whole numbers are divided by 2 to this power
  const AttributeList* list = nullptr;  // of indices; null: there is none
  /// The size of a value in bytes; 0 if the type is unknown.
  u32 size() const;
  u32 size_in_vertex() const;
};

/// A vertex in a display list.
struct Vertex {
  u32 at = 0, size = 0;  // in the bytes of the list
  i32 matrix = -1;       // -1: not stated
  /// An index, or the position of the value in the bytes of the list.
  std::array<u32, k_attributes> where{};
};

namespace gx {
inline constexpr u8 quads = 0x80, quads_2 = 0x88, triangles = 0x90, strip = 0x98, fan = 0xA0, lines = 0xA8,
                    line_strip = 0xB0, points = 0xB8;
}

/// Calls the function for the registers of the command processor that these commands set: with the register, its value,
/// and the position of the value in the bytes.
void for_each_command_register(const Bytes& commands, const std::function<void(u8, u32, u64)>&);

class VertexReader {
 public:
  VertexReader(const Model&, const Shape&);
  const AttributeSource& source(Attribute a) const { return sources_[a]; }
  bool has(Attribute a) const { return sources_[a].how != AttributeSource::AttributeMode::absent; }
  /// Whether vertices select matrices, of their own or of their texture coordinates.
  bool selects_matrices() const { return (descriptor_[0] & k_matrix_bits) != 0; }
  /// Up to four numbers; for colours, displayed red, green, blue and alpha in 0..1. Nothing if the index is outside its
  /// list.
  std::optional<std::array<f32, 4>> value(Attribute, const Vertex&) const;

  enum class End : u8 { good, cut_off, unknown_command };
  struct Result {
    End end = End::good;
    u64 at = 0;  // in the bytes of the list
  };
  /// Calls the function for each primitive of the display list.
  Result for_each_primitive(const std::function<void(u8 primitive, std::span<const Vertex>)>&) const;

 private:
  static constexpr u32 k_matrix_bits = 0x1FF;  // of the vertex descriptor
  void read_setup();
  bool read_vertex(u64& at, const std::array<i32, 10>& matrices, Vertex&) const;
  const Shape& shape_;
  const Bytes& bytes_;
  std::array<u32, 2> descriptor_;
  std::array<u32, 3> formats_{};
  std::array<AttributeSource, k_attributes> sources_;
  u32 vertex_size_ = 0;
};

}  // namespace dio::brres
