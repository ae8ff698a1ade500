// model.hpp: MDL0: a model.
#pragma once
#include "formats/brres/layout/materials.hpp"
#include "formats/brres/layout/textures.hpp"

namespace dio::brres {

inline constexpr u32 k_oldest_model = 8, k_newest_model = 11, k_with_user_data_of_models = 11;

// ---- the commands that draw a model ----

namespace code {
inline constexpr u8 nothing = 0, end = 1, node = 2, mix = 3, draw = 4, matrix = 5, copy = 6;
}
inline constexpr EnumName k_code_words[] = {{0, "nothing"}, {1, "end"},    {2, "node"}, {3, "mix"},
                                            {4, "draw"},    {5, "matrix"}, {6, "copy"}};
inline constexpr EnumNames k_codes{k_code_words};

struct Weight {
  u16 matrix;
  f32 weight;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("matrix").words(k_index_into<"matrix_bones">), s.matrix);
    v("weight", s.weight);
  }
};
static_assert(FixedSize<Weight> && wire_size<Weight>() == 6);

struct Command {
  u8 code = code::nothing;
  u16 bone = 0, matrix = 0, from = 0, material = 0, shape = 0;
  u8 priority = 0;
  std::vector<Weight> weights = {};
  static constexpr u64 k_least_size = 1;
  static constexpr void layout(auto& v, auto& s) {
    constexpr Key bone = Key("bone").words(k_index_into<"bones">),
                  matrix = Key("matrix").words(k_index_into<"matrix_bones">),
                  from = Key("from").words(k_index_into<"matrix_bones">);
    v(Key("code").words(k_codes), s.code);
    v.require(s.code <= code::copy, "a command, 0 to 6");
    switch (s.code) {
      case code::node:
        v(bone, s.bone);
        return v(Key("parent").doc("matrix of the parent bone").words(k_index_into<"matrix_bones">), s.from);
      case code::mix:
        v(matrix, s.matrix);
        v.count(u8{}, "count", s.weights);
        return v("weights", s.weights);
      case code::draw:
        v(Key("material").words(k_index_into<"materials">), s.material);
        v(Key("shape").words(k_index_into<"shapes">), s.shape);
        v(Key("bone").doc("the bone that shows and hides the shape").words(k_index_into<"bones">), s.bone);
        return v(Key("priority").doc("smaller numbers are drawn earlier"), s.priority);
      case code::matrix:
        v(matrix, s.matrix);
        return v(bone, s.bone);
      case code::copy:
        v(matrix, s.matrix);
        return v(from, s.from);
      default:
        return;
    }
  }
};
/// One of NodeTree, NodeMix, DrawOpa, DrawXlu, depending on its name in the dictionary.
struct Program {
  std::vector<Command> commands;
  static constexpr u64 k_least_size = 1;
  static constexpr void layout(auto& v, auto& s) {
    v.until("commands", s.commands, [](auto& c) { return c.code == code::end; });
  }
};

// ---- bones ----

inline constexpr EnumName k_bone_flag_words[] = {{0x1, "no transform"},
                                                 {0x2, "no translation"},
                                                 {0x4, "no rotation"},
                                                 {0x8, "no scale"},
                                                 {0x10, "uniform scale"},
                                                 {0x20, "compensates scale of parent"},
                                                 {0x40, "children compensate"},
                                                 {0x80, "softimage scale"},
                                                 {0x100, "visible"},
                                                 {0x200, "has geometry"},
                                                 {0x400, "has billboard above"}};
inline constexpr EnumNames k_bone_flags{k_bone_flag_words, true};
inline constexpr EnumName k_billboard_words[] = {{0, "none"},
                                                 {1, "standard"},
                                                 {2, "standard, perspective"},
                                                 {3, "rotation"},
                                                 {4, "rotation, perspective"},
                                                 {5, "y axis"},
                                                 {6, "y axis, perspective"}};
inline constexpr EnumNames k_billboards{k_billboard_words};

struct Bone : Named {
  u32 size = 0;
  i32 model_offset = 0;
  u32 index = 0, matrix = 0, flags = 0, billboard = 0, billboard_bone = 0;
  Vec3 scale{1, 1, 1}, rotation{}, translation{}, min{}, max{};
  i32 parent_offset = 0, child_offset = 0, next_offset = 0, previous_offset = 0, user_data_offset = 0;
  std::array<f32, 12> to_model{}, from_model{};
  static constexpr u32 k_size_in_file = 0xD0;
  static constexpr u32 k_compensates = 0x20, k_visible = 0x100;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(k_size, s.size);
    v(k_model_offset, s.model_offset);
    v(k_name_offset, s.name_offset);
    v(Key("index").doc("own index in the list"), s.index);
    v(Key("matrix").words(k_index_into<"matrix_bones">), s.matrix);
    v(Key("flags").words(k_bone_flags), s.flags);
    v(Key("billboard").words(k_billboards), s.billboard);
    v("billboard_bone", s.billboard_bone);
    v("scale", s.scale);
    v(Key("rotation").unit("degrees").doc("rotation about x, then y, then z"), s.rotation);
    v("translation", s.translation);
    v(Key("min").doc("smallest corner of the bounding box of the bone's geometry"), s.min);
    v("max", s.max);
    v(Key("parent_offset").doc("offset of another bone; 0: none; also for the next three fields").placement(),
      s.parent_offset);
    v(Key("child_offset").placement(), s.child_offset);
    v(Key("next_offset").placement(), s.next_offset);
    v(Key("previous_offset").placement(), s.previous_offset);
    v(Key("user_data_offset").doc("0: none").placement(), s.user_data_offset);
    v(Key("to_model").doc("3 rows of 4: from bone space to model space, at rest"), s.to_model);
    v(Key("from_model").doc("inverse of to_model"), s.from_model);
    visit_name(v, start, s);
  }
};

// ---- texture links: the materials that use a texture ----

struct Use {
  i32 material_offset, sampler_offset;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("material_offset").placement(), s.material_offset);
    v(Key("sampler_offset").placement(), s.sampler_offset);
  }
};
struct Link {
  std::vector<Use> uses;
  static constexpr u64 k_least_size = 4;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u32{}, "count", s.uses);
    v(Key("uses").doc("offsets from the start of this list"), s.uses);
  }
};

// ---- the model ----

inline constexpr EnumName k_scaling_rule_words[] = {{0, "standard"}, {1, "softimage"}, {2, "maya"}};
inline constexpr EnumNames k_scaling_rules{k_scaling_rule_words};

struct ModelInfo {
  u32 size = 0;
  i32 model_offset = 0;
  u32 scaling_rule = 0, texture_matrix_mode = 0, vertex_count = 0, triangle_count = 0;
  i32 source_path_offset = 0;
  u32 matrix_count = 0;
  u8 needs_normal_matrices = 0, needs_texture_matrices = 0, has_box = 0, envelope_mode = 0;
  i32 table_offset = 0;
  Vec3 min{}, max{};
  static constexpr void layout(auto& v, auto& s) {
    v(k_size, s.size);
    v(k_model_offset, s.model_offset);
    v(Key("scaling_rule").words(k_scaling_rules), s.scaling_rule);
    v(Key("texture_matrix_mode").words(k_texture_matrix_modes), s.texture_matrix_mode);
    v("vertex_count", s.vertex_count);
    v("triangle_count", s.triangle_count);
    v(k_source_path, s.source_path_offset);
    v(Key("matrix_count").doc("number of matrices that geometry uses; they come first in matrix_bones"),
      s.matrix_count);
    v("needs_normal_matrices", s.needs_normal_matrices);
    v("needs_texture_matrices", s.needs_texture_matrices);
    v(Key("has_box").doc("1: the model has a bounding box"), s.has_box);
    v("envelope_mode", s.envelope_mode);
    v(Key("table_offset").placement(), s.table_offset);
    v("min", s.min);
    v("max", s.max);
  }
};

struct Model : Named {
  FileHeader header;
  i32 programs_offset = 0, bones_offset = 0, positions_offset = 0, normals_offset = 0, colors_offset = 0,
      texcoords_offset = 0, fur_vectors_offset = 0, fur_layers_offset = 0, materials_offset = 0, shaders_offset = 0,
      shapes_offset = 0, texture_links_offset = 0, palette_links_offset = 0, user_data_offset = 0;
  ModelInfo info;
  std::vector<i32> matrix_bones;
  Dictionary program_dictionary, bone_dictionary, position_dictionary, normal_dictionary, color_dictionary,
      texcoord_dictionary, material_dictionary, shader_dictionary, shape_dictionary, texture_link_dictionary,
      palette_link_dictionary;
  std::vector<Program> programs;
  std::vector<Bone> bones;
  std::vector<Positions> positions;
  std::vector<Normals> normals;
  std::vector<Colors> colors;
  std::vector<Texcoords> texcoords;
  std::vector<Material> materials;
  std::vector<Shader> shaders;
  std::vector<Shape> shapes;
  std::vector<Link> texture_links, palette_links;

  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    file_header(v, s.header, "MDL0");
    v.require(s.header.version >= k_oldest_model && s.header.version <= k_newest_model, "version 8 to 11");
    v.with_version(s.header.version, [&] { visit_body(v, s, start); });
  }

 private:
  static constexpr void visit_body(auto& v, auto& s, u64 start) {
    const auto offset = [&](const char* name, auto& field) {
      v(Key(name).doc("offset of a dictionary; 0: none").placement(), field);
    };
    offset("programs_offset", s.programs_offset);
    offset("bones_offset", s.bones_offset);
    offset("positions_offset", s.positions_offset);
    offset("normals_offset", s.normals_offset);
    offset("colors_offset", s.colors_offset);
    offset("texcoords_offset", s.texcoords_offset);
    if (v.since(k_with_fur)) {
      offset("fur_vectors_offset", s.fur_vectors_offset);
      offset("fur_layers_offset", s.fur_layers_offset);
    }
    offset("materials_offset", s.materials_offset);
    offset("shaders_offset", s.shaders_offset);
    offset("shapes_offset", s.shapes_offset);
    offset("texture_links_offset", s.texture_links_offset);
    offset("palette_links_offset", s.palette_links_offset);
    if (v.since(k_with_user_data_of_models)) v(k_user_data, s.user_data_offset);
    v(k_name_offset, s.name_offset);
    const u64 info = v.here();
    v("info", s.info);
    visit_name(v, start, s);
    v.there(from(info, s.info.table_offset), [&] {
      v.count(u32{}, "matrix_bones_count", s.matrix_bones);
      v(Key("matrix_bones")
            .doc("the bone of each matrix; -1: a mix of several")
            .words(k_index_or<"bones", k_minus_one>),
        s.matrix_bones);
    });
    visit_section(v, start, s.programs_offset, "program_dictionary", s.program_dictionary, "programs", s.programs);
    visit_section(v, start, s.bones_offset, "bone_dictionary", s.bone_dictionary, "bones", s.bones);
    visit_section(v, start, s.positions_offset, "position_dictionary", s.position_dictionary, "positions", s.positions);
    visit_section(v, start, s.normals_offset, "normal_dictionary", s.normal_dictionary, "normals", s.normals);
    visit_section(v, start, s.colors_offset, "color_dictionary", s.color_dictionary, "colors", s.colors);
    visit_section(v, start, s.texcoords_offset, "texcoord_dictionary", s.texcoord_dictionary, "texcoords", s.texcoords);
    visit_section(v, start, s.materials_offset, "material_dictionary", s.material_dictionary, "materials", s.materials);
    visit_section(v, start, s.shaders_offset, "shader_dictionary", s.shader_dictionary, "shaders", s.shaders);
    visit_section(v, start, s.shapes_offset, "shape_dictionary", s.shape_dictionary, "shapes", s.shapes);
    visit_section(v, start, s.texture_links_offset, "texture_link_dictionary", s.texture_link_dictionary,
                  "texture_links", s.texture_links);
    visit_section(v, start, s.palette_links_offset, "palette_link_dictionary", s.palette_link_dictionary,
                  "palette_links", s.palette_links);
  }
  static constexpr void visit_section(auto& v, u64 start, i32 offset, const Key& own, auto& d, const Key& list,
                                      auto& xs) {
    if (!offset) return v.implied(0, xs);
    const u64 at = from(start, offset);
    v.there(at, own, d);
    visit_entries(v, at, d, list, xs, [&](auto& x) { std::remove_cvref_t<decltype(x)>::layout(v, x); });
  }
};

}  // namespace dio::brres
