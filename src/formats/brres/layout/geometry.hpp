// geometry.hpp: the vertices and shapes of a model.
#pragma once
#include <array>

#include "formats/brres/layout/dictionary.hpp"
#include "layout/sizer.hpp"
#include "layout/xyz.hpp"

namespace dio::brres {

inline constexpr u32 k_with_fur = 10;  // the first version of models that has it

using Vec3 = Xyz<f32>;
struct Vec2 {
  f32 x, y;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
  }
  bool operator==(const Vec2&) const = default;
};

inline constexpr EnumName k_number_type_words[] = {{0, "u8"}, {1, "i8"}, {2, "u16"}, {3, "i16"}, {4, "f32"}};
inline constexpr EnumNames k_number_types{k_number_type_words};
inline constexpr EnumName k_color_type_words[] = {{0, "RGB565"}, {1, "RGB8"},  {2, "RGBX8"},
                                                  {3, "RGBA4"},  {4, "RGBA6"}, {5, "RGBA8"}};
inline constexpr EnumNames k_color_types{k_color_type_words};
inline constexpr EnumName k_position_kind_words[] = {{0, "xy"}, {1, "xyz"}};
inline constexpr EnumNames k_position_kinds{k_position_kind_words};
inline constexpr EnumName k_normal_kind_words[] = {
    {0, "normal"}, {1, "normal, binormal, tangent"}, {2, "normal, binormal or tangent"}};
inline constexpr EnumNames k_normal_kinds{k_normal_kind_words};
inline constexpr EnumName k_color_kind_words[] = {{0, "rgb"}, {1, "rgba"}};
inline constexpr EnumNames k_color_kinds{k_color_kind_words};
inline constexpr EnumName k_texcoord_kind_words[] = {{0, "s"}, {1, "st"}};
inline constexpr EnumNames k_texcoord_kinds{k_texcoord_kind_words};

inline constexpr EnumName k_texture_matrix_mode_words[] = {{0, "maya"}, {1, "xsi"}, {2, "3ds_max"}};
inline constexpr EnumNames k_texture_matrix_modes{k_texture_matrix_mode_words};

/// The header of a vertex attribute list. Display lists refer to its elements by index.
struct AttributeList : Named {
  u32 size = 0;
  i32 model_offset = 0, data_offset = 0;
  u32 index = 0, kind = 0, type = 0;
  u8 divisor = 0, stride = 0;
  u16 count = 0;
  Bytes data;
  static constexpr void visit_list_header(auto& v, auto& s, const Key& kind, const Key& type) {
    v(k_size, s.size);
    v(k_model_offset, s.model_offset);
    v(Key("data_offset").placement(), s.data_offset);
    v(k_name_offset, s.name_offset);
    v(Key("index").doc("own index in the list"), s.index);
    v(kind, s.kind);
    v(type, s.type);
  }
  static constexpr void visit_number_list_header(auto& v, auto& s, const Key& kind) {
    visit_list_header(v, s, kind, Key("type").words(k_number_types));
    v(Key("divisor").doc("whole numbers are divided by 2 to this power"), s.divisor);
    v(Key("stride").unit("bytes"), s.stride);
    v("count", s.count);
  }
  static constexpr void visit_remaining_fields(auto& v, auto& s, u64 start) {
    visit_name(v, start, s);
    v.implied(u64(s.count) * s.stride, s.data);
    v.there(from(start, s.data_offset), "data", s.data);
  }
};
struct Positions : AttributeList {
  Vec3 min{}, max{};
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    visit_number_list_header(v, s, Key("kind").words(k_position_kinds));
    v("min", s.min);
    v("max", s.max);
    visit_remaining_fields(v, s, start);
  }
};
struct Normals : AttributeList {
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    visit_number_list_header(v, s, Key("kind").words(k_normal_kinds));
    visit_remaining_fields(v, s, start);
  }
};
struct Colors : AttributeList {
  u8 unused = 0;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    visit_list_header(v, s, Key("kind").words(k_color_kinds), Key("type").words(k_color_types));
    v(Key("stride").unit("bytes"), s.stride);
    v("unused", s.unused);
    v("count", s.count);
    visit_remaining_fields(v, s, start);
  }
};
struct Texcoords : AttributeList {
  Vec2 min{}, max{};
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    visit_number_list_header(v, s, Key("kind").words(k_texcoord_kinds));
    v("min", s.min);
    v("max", s.max);
    visit_remaining_fields(v, s, start);
  }
};

/// GPU commands. The offset counts from the start of this structure.
struct CommandList {
  u32 buffer_size = 0, size = 0;
  i32 offset = 0;
  Bytes commands;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("buffer_size").unit("bytes").placement(), s.buffer_size);
    v(Key("size").unit("bytes").doc("size of the commands; the rest of the buffer is empty"), s.size);
    v(Key("offset").placement(), s.offset);
  }
  static constexpr void visit_remaining_fields(auto& v, auto& s, u64 start, const Key& k) {
    v.implied(s.buffer_size, s.commands);
    v.there(from(start, s.offset), k, s.commands);
  }
};

/// A mesh with one material: its vertex format, the lists that its vertices refer to, and its polygons.
struct Shape : Named {
  u32 size = 0;
  i32 model_offset = 0, matrix = 0;
  std::array<u32, 3> vertex_descriptor{};
  CommandList setup, polygons;
  u32 attributes = 0, flags = 0, index = 0, vertex_count = 0, triangle_count = 0;
  i16 positions = -1, normals = -1;
  std::array<i16, 2> colors{-1, -1};
  std::array<i16, 8> texcoords{-1, -1, -1, -1, -1, -1, -1, -1};
  i16 fur_vectors = -1, fur_layers = -1;
  i32 matrices_offset = 0;
  std::vector<u16> matrices;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(k_size, s.size);
    v(k_model_offset, s.model_offset);
    v(Key("matrix")
          .doc("the matrix that places all vertices; -1: each vertex has its own")
          .words(k_index_or<"matrix_bones", k_minus_one>),
      s.matrix);
    v(Key("vertex_descriptor").doc("the GPU's VCD_LO, VCD_HI and XF vertex specification"), s.vertex_descriptor);
    const u64 setup = v.here();
    v("setup", s.setup);
    const u64 polygons = v.here();
    v("polygons", s.polygons);
    v(Key("attributes")
          .doc("a bit for each vertex attribute: 0 position matrix, 1-8 texture matrices, 9 position, 10 normal, 11-12 "
               "colours, 13-20 texture coordinates"),
      s.attributes);
    v(Key("flags").doc("1: has a matrix; 2: hidden"), s.flags);
    v(k_name_offset, s.name_offset);
    v(Key("index").doc("own index in the list"), s.index);
    v("vertex_count", s.vertex_count);
    v("triangle_count", s.triangle_count);
    v(Key("positions").words(k_index_or<"positions", k_minus_one>), s.positions);
    v(Key("normals").words(k_index_or<"normals", k_minus_one>), s.normals);
    v(Key("colors").words(k_index_or<"colors", k_minus_one>), s.colors);
    v(Key("texcoords").words(k_index_or<"texcoords", k_minus_one>), s.texcoords);
    if (v.since(k_with_fur)) {
      v("fur_vectors", s.fur_vectors);
      v("fur_layers", s.fur_layers);
    }
    v(Key("matrices_offset").placement(), s.matrices_offset);
    visit_name(v, start, s);
    if (s.matrices_offset)
      v.there(from(start, s.matrices_offset), [&] {
        v.count(u32{}, "matrices_count", s.matrices);
        v(Key("matrices").doc("the matrices that vertices use").words(k_index_into<"matrix_bones">), s.matrices);
      });
    else
      v.implied(0, s.matrices);
    v.inside("setup", [&] {
      CommandList::visit_remaining_fields(v, s.setup, setup,
                                          Key("commands").doc("commands that set the vertex format"));
    });
    v.inside("polygons", [&] { CommandList::visit_remaining_fields(v, s.polygons, polygons, "commands"); });
  }
};

}  // namespace dio::brres
