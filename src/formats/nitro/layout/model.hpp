// model.hpp: block MDL0: models with their nodes, the commands that draw them (SBC), materials, shapes and envelopes.
// Specification: README.md, "Models".
#pragma once
#include "formats/nitro/layout/dictionary.hpp"
#include "formats/nitro/layout/display_list.hpp"
#include "layout/reference.hpp"
#include "layout/xyz.hpp"

namespace dio::nitro {

using Vec3 = Xyz<fx32>;

// ---- nodes ----

/// The transform of a node relative to its parent. The file leaves out members that the flags omit; they then have no
/// meaning.
struct Node {
  u32 offset;
  std::string name;
  u8 no_translation, no_rotation, no_scale, is_pivot;
  u8 pivot_index, pivot_negative, c_negative, d_negative, stack;
  fx16 m00;
  Vec3 translation;
  std::array<fx16, 2> pivot;
  std::array<fx16, 8> rotation;
  Vec3 scale, inverse_scale;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    v.bits(
        u16{}, bit<5>(Key("stack").doc("31 in all files; the render commands (SBC) choose the matrix slots"), s.stack),
        bit<1>(Key("d_negative").doc("pivot matrix: 1 if D is -A, 0 if D is A"), s.d_negative),
        bit<1>(Key("c_negative").doc("pivot matrix: 1 if C is -B, 0 if C is B"), s.c_negative),
        bit<1>(Key("pivot_negative").doc("pivot matrix: 1 if the pivot element is -1, 0 if it is 1"), s.pivot_negative),
        bit<4>(
            Key("pivot_index")
                .doc("pivot matrix: index of the pivot element, which is 1 or -1; the rest of its row and column is 0"),
            s.pivot_index),
        bit<1>(Key("is_pivot").doc("the rotation is stored as a pivot matrix: two numbers"), s.is_pivot),
        bit<1>("no_scale", s.no_scale), bit<1>("no_rotation", s.no_rotation),
        bit<1>("no_translation", s.no_translation));
    v(Key("m00").doc("element 0 of the rotation matrix; 1 without a rotation"), s.m00);
    if (!s.no_translation) v(Key("translation").unit("model units"), s.translation);
    if (!s.no_rotation) {
      if (s.is_pivot)
        v(Key("pivot").doc("elements A and B of the pivot matrix"), s.pivot);
      else
        v(Key("rotation").doc("elements 1 to 8 of the rotation matrix, column by column"), s.rotation);
    }
    if (!s.no_scale) {
      v("scale", s.scale);
      v(Key("inverse_scale").doc("1 / scale, or 0 where the scale is 0"), s.inverse_scale);
    }
  }
};

// ---- SBC: the commands that draw a model ----

namespace sbc {
enum Code : u8 {
  nop = 0x00,
  ret = 0x01,
  node = 0x02,
  mtx = 0x03,
  mat = 0x04,
  shp = 0x05,
  nodedesc = 0x06,
  bb = 0x07,
  bby = 0x08,
  nodemix = 0x09,
  calldl = 0x0A,
  posscale = 0x0B,
  envmap = 0x0C,
  prjmap = 0x0D,
};
// Options of nodedesc, bb and bby; posscale with k_store scales by the inverse.
inline constexpr u8 k_store = 1, k_load = 2;
}  // namespace sbc

inline constexpr EnumName k_sbc_code_words[] = {
    {0x00, "nop"},    {0x01, "ret"},      {0x02, "node"},   {0x03, "mtx"},   {0x04, "mat"},
    {0x05, "shp"},    {0x06, "nodedesc"}, {0x07, "bb"},     {0x08, "bby"},   {0x09, "nodemix"},
    {0x0A, "calldl"}, {0x0B, "posscale"}, {0x0C, "envmap"}, {0x0D, "prjmap"}};
inline constexpr EnumNames k_sbc_codes{k_sbc_code_words};

/// One matrix of a blend.
struct Mix {
  u8 slot, node, weight;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("slot").doc("matrix stack slot"), s.slot);
    v(Key("node")
          .doc("node whose envelope (inverse bind matrix) is applied before the matrix in the slot")
          .words(k_index_into<"nodes">),
      s.node);
    v(Key("weight").unit("1/256"), s.weight);
  }
};
static_assert(wire_size<Mix>() == 3);

struct SbcCommand {
  u8 options, code;
  u8 index;  // node, material, shape or slot
  u8 parent, flags, visible, store, load, unused;
  u32 offset;
  std::vector<Mix> mix;
  Bytes list;  // calldl: its own display list
  static constexpr u64 k_least_size = 1;
  constexpr bool stores() const { return options & sbc::k_store; }
  constexpr bool loads() const { return options & sbc::k_load; }
  static constexpr void layout(auto& v, auto& s) {
    constexpr Key store = Key("store").doc("slot to store the matrix in"),
                  load = Key("load").doc("slot to load instead of starting from the current matrix");
    constexpr Key node = Key("node").words(k_index_into<"nodes">),
                  material = Key("material").words(k_index_into<"materials">),
                  shape = Key("shape").words(k_index_into<"shapes">), slot = "slot";
    v.mark(s);
    v.bits(u8{},
           bit<3>(Key("options").doc("nodedesc, bb, bby: 1 stores, 2 loads; mat: 0 used once, 1 used again later, 2 "
                                     "last use; posscale: 1 scales by the inverse"),
                  s.options),
           bit<5>(Key("code").words(k_sbc_codes), s.code));
    v.require(s.code <= sbc::prjmap, "an SBC command, 0 to 13");
    const auto slots = [&] {
      if (s.stores()) v(store, s.store);
      if (s.loads()) v(load, s.load);
    };
    switch (s.code) {
      case sbc::node:
        v(node, s.index);
        return v(Key("visible").doc("bit 0: visible; a visibility animation overrides it"), s.visible);
      case sbc::mtx:
        return v(slot, s.index);
      case sbc::mat:
        return v(material, s.index);
      case sbc::shp:
        return v(shape, s.index);
      case sbc::nodedesc:
        v(node, s.index);
        v(Key("parent").words(k_index_into<"nodes">), s.parent);
        v(Key("flags").doc("1: compensates for the scale of the parent; 2: child nodes compensate for the scale of "
                           "this node (scaling rule 1)"),
          s.flags);
        return slots();
      case sbc::bb:
      case sbc::bby:
        v(node, s.index);
        return slots();
      case sbc::nodemix:
        v(store, s.store);
        v.count(u8{}, "count", s.mix);
        return v("mix", s.mix);
      case sbc::calldl:
        v(Key("offset").doc("offset from this command").placement(), s.offset);
        return v.count(u32{}, "list_size", s.list);
      case sbc::envmap:
      case sbc::prjmap:
        v(material, s.index);
        return v("unused", s.unused);
      default:
        return;
    }
  }
};

// ---- materials ----

/// The materials that use a texture or a palette.
struct Pairing {
  std::string name;
  u16 offset;
  u8 bound;
  Bytes materials;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) {
    v(Key("offset").doc("offset of the list from the start of the material section").placement(), s.offset);
    v.count(u8{}, "count", s.materials);
    v(Key("bound").doc("0 in files; the game sets it when it binds the texture"), s.bound);
  }
};

inline constexpr EnumName k_polygon_mode_words[] = {{0, "modulation"}, {1, "decal"}, {2, "toon"}, {3, "shadow"}};
inline constexpr EnumNames k_polygon_modes{k_polygon_mode_words};
inline constexpr EnumName k_texgen_words[] = {{0, "none"}, {1, "texcoord"}, {2, "normal"}, {3, "vertex"}};
inline constexpr EnumNames k_texgens{k_texgen_words};

struct Material {
  u32 offset;
  std::string name;
  u16 tag, size;
  u16 diffuse, ambient, specular, emission;
  u8 vertex_color, unused_dif, shininess_table, unused_spe;
  // POLYGON_ATTR
  u8 light_0, light_1, light_2, light_3, polygon_mode, show_back, show_front, unused_8, translucent_depth, far_plane,
      one_dot, depth_equal, fog, alpha, unused_21, polygon_id, unused_30;
  u32 polygon_mask;
  // TEXIMAGE_PARAM
  u16 texture_address;
  u8 repeat_s, repeat_t, flip_s, flip_t, texture_width, texture_height, texture_format, color0_clear, texgen;
  u32 texture_mask;
  u16 palette_base;
  u8 use_matrix, scale_one, rotation_zero, translation_zero, same_size, wireframe, own_diffuse, own_ambient,
      own_vertex_color, own_specular, own_emission, own_shininess, own_palette_base, has_effect, unused_14;
  u16 original_width, original_height;
  fx32 mag_width, mag_height;
  std::array<fx32, 2> scale, translation;
  fx16 sin, cos;
  std::array<fx32, 16> effect;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v("tag", s.tag);
    v(Key("size").unit("bytes").placement(), s.size);
    v.bits(u32{}, bit<1>("unused_dif", s.unused_dif), bit<15>(Key("ambient").unit("RGB555"), s.ambient),
           bit<1>(Key("vertex_color").doc("the diffuse colour is the vertex colour until a command sets another"),
                  s.vertex_color),
           bit<15>(Key("diffuse").unit("RGB555"), s.diffuse));
    v.bits(u32{}, bit<1>("unused_spe", s.unused_spe), bit<15>(Key("emission").unit("RGB555"), s.emission),
           bit<1>("shininess_table", s.shininess_table), bit<15>(Key("specular").unit("RGB555"), s.specular));
    v.bits(u32{}, bit<2>("unused_30", s.unused_30), bit<6>("polygon_id", s.polygon_id),
           bit<3>("unused_21", s.unused_21),
           bit<5>(Key("alpha").doc("31: opaque; 0: nothing is drawn").unit("1/31"), s.alpha), bit<1>("fog", s.fog),
           bit<1>("depth_equal", s.depth_equal), bit<1>("one_dot", s.one_dot), bit<1>("far_plane", s.far_plane),
           bit<1>(Key("translucent_depth").doc("translucent pixels also write depth"), s.translucent_depth),
           bit<3>("unused_8", s.unused_8), bit<1>("show_front", s.show_front), bit<1>("show_back", s.show_back),
           bit<2>(Key("polygon_mode").words(k_polygon_modes), s.polygon_mode), bit<1>("light_3", s.light_3),
           bit<1>("light_2", s.light_2), bit<1>("light_1", s.light_1), bit<1>("light_0", s.light_0));
    v(Key("polygon_mask").doc("bits of the polygon attributes that come from the file; the game sets the rest"),
      s.polygon_mask);
    v.bits(u32{}, bit<2>(Key("texgen").doc("source of the texture coordinates").words(k_texgens), s.texgen),
           bit<1>("color0_clear", s.color0_clear), bit<3>("texture_format", s.texture_format),
           bit<3>("texture_height", s.texture_height), bit<3>("texture_width", s.texture_width),
           bit<1>("flip_t", s.flip_t), bit<1>("flip_s", s.flip_s), bit<1>("repeat_t", s.repeat_t),
           bit<1>("repeat_s", s.repeat_s),
           bit<16>(Key("texture_address").doc("0 in files, like all texture parameters except flip, repeat and texgen"),
                   s.texture_address));
    v(Key("texture_mask").doc("bits of the texture parameters that come from the file"), s.texture_mask);
    v(Key("palette_base").doc("0 in files; the game sets it when it binds a texture"), s.palette_base);
    v.bits(
        u16{}, bit<2>("unused_14", s.unused_14),
        bit<1>(Key("has_effect").doc("a matrix for environment and projection maps follows"), s.has_effect),
        bit<1>("own_palette_base", s.own_palette_base), bit<1>("own_shininess", s.own_shininess),
        bit<1>("own_emission", s.own_emission), bit<1>("own_specular", s.own_specular),
        bit<1>("own_vertex_color", s.own_vertex_color), bit<1>("own_ambient", s.own_ambient),
        bit<1>(
            Key("own_diffuse")
                .doc("1: the file sets the diffuse colour; 0: the game does; the other own_ flags work the same way"),
            s.own_diffuse),
        bit<1>("wireframe", s.wireframe), bit<1>("same_size", s.same_size),
        bit<1>("translation_zero", s.translation_zero), bit<1>("rotation_zero", s.rotation_zero),
        bit<1>("scale_one", s.scale_one), bit<1>("use_matrix", s.use_matrix));
    v(Key("original_width").doc("width of the texture; 0: no texture").unit("texels"), s.original_width);
    v(Key("original_height").unit("texels"), s.original_height);
    v(Key("mag_width").doc("1 in files; the game sets it when it binds a texture"), s.mag_width);
    v("mag_height", s.mag_height);
    if (!s.scale_one) v(Key("scale").doc("scale of texture coordinates"), s.scale);
    if (!s.rotation_zero) {
      v("sin", s.sin);
      v("cos", s.cos);
    }
    if (!s.translation_zero) v(Key("translation").unit("texture widths and heights"), s.translation);
    if (s.has_effect) v("effect", s.effect);
    v.derive(s.size, v.end() - start);
  }
};

struct MaterialSection {
  u16 textures_offset, palettes_offset;
  Dictionary dictionary, texture_dictionary, palette_dictionary;
};

// ---- shapes ----

struct Shape {
  u32 offset;
  std::string name;
  u16 tag, size;
  u8 has_normal, has_color, has_texcoord, has_matrix;
  u32 unused_4, list_offset;
  Bytes list;
  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    v("tag", s.tag);
    v.derive(s.size, 16);
    v(Key("size").unit("bytes").placement(), s.size);
    v.bits(u32{}, bit<28>("unused_4", s.unused_4), bit<1>("has_matrix", s.has_matrix),
           bit<1>("has_texcoord", s.has_texcoord), bit<1>("has_color", s.has_color),
           bit<1>("has_normal", s.has_normal));
    v(Key("list_offset").doc("offset of the display list from this header").placement(), s.list_offset);
    v.count(u32{}, "list_size", s.list);
  }
};

// ---- envelopes ----

/// Transforms a vertex of the model into the space of a node, for blended matrices.
struct Envelope {
  std::array<fx32, 12> inverse_bind;
  std::array<fx32, 9> inverse_normal;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("inverse_bind").doc("inverse bind matrix: 4 rows of 3, for row vectors"), s.inverse_bind);
    v(Key("inverse_normal").doc("inverse bind matrix for normals: 3 rows of 3"), s.inverse_normal);
  }
};
static_assert(wire_size<Envelope>() == 84);

// ---- the model ----

inline constexpr EnumName k_scaling_rule_words[] = {{0, "standard"}, {1, "maya"}, {2, "softimage"}};
inline constexpr EnumNames k_scaling_rules{k_scaling_rule_words};
inline constexpr EnumName k_texture_matrix_mode_words[] = {{0, "maya"}, {1, "si3d"}, {2, "3ds_max"}, {3, "xsi"}};
inline constexpr EnumNames k_texture_matrix_modes{k_texture_matrix_mode_words};

struct Box {
  fx16 x, y, z, width, height, depth;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
    v("z", s.z);
    v("width", s.width);
    v("height", s.height);
    v("depth", s.depth);
  }
};
static_assert(wire_size<Box>() == 12);

struct Model {
  u32 offset;
  std::string name;
  u32 size, sbc_offset, materials_offset, shapes_offset, envelopes_offset;
  u8 sbc_type, scaling_rule, texture_matrix_mode, node_count, material_count, shape_count, first_unused_slot, pad_1b;
  fx32 pos_scale, inverse_pos_scale;
  u16 vertex_count, polygon_count, triangle_count, quad_count;
  Box box;
  fx32 box_scale, inverse_box_scale;
  Dictionary node_dictionary;
  std::vector<Node> nodes;
  std::vector<SbcCommand> sbc;
  MaterialSection material_section;
  std::vector<Material> materials;
  std::vector<Pairing> textures, palettes;
  Dictionary shape_dictionary;
  std::vector<Shape> shapes;
  std::vector<Envelope> envelopes;

  static constexpr u64 k_unit = 4, k_least_size = 4;
  static constexpr void entry(auto& v, auto& s) { v(k_offset, s.offset); }
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(Key("size").unit("bytes").placement(), s.size);
    v(Key("sbc_offset").placement(), s.sbc_offset);
    v(Key("materials_offset").placement(), s.materials_offset);
    v(Key("shapes_offset").placement(), s.shapes_offset);
    v(Key("envelopes_offset").doc("equals size if there are no envelopes").placement(), s.envelopes_offset);
    v("sbc_type", s.sbc_type);
    v(Key("scaling_rule").words(k_scaling_rules), s.scaling_rule);
    v(Key("texture_matrix_mode").words(k_texture_matrix_modes), s.texture_matrix_mode);
    v.derive(s.node_count, s.nodes.size());
    v(Key("node_count").placement(), s.node_count);
    v.derive(s.material_count, s.materials.size());
    v(Key("material_count").placement(), s.material_count);
    v.derive(s.shape_count, s.shapes.size());
    v(Key("shape_count").placement(), s.shape_count);
    v(Key("first_unused_slot")
          .doc("matrix stack slot: one more than the highest that the render commands (SBC) store to"),
      s.first_unused_slot);
    v("pad_1b", s.pad_1b);
    v(Key("pos_scale").doc("scale of vertex positions"), s.pos_scale);
    v("inverse_pos_scale", s.inverse_pos_scale);
    v("vertex_count", s.vertex_count);
    v("polygon_count", s.polygon_count);
    v("triangle_count", s.triangle_count);
    v("quad_count", s.quad_count);
    v(Key("box").doc("bounding box of the model at rest: minimum and size, to be multiplied by box_scale"), s.box);
    v("box_scale", s.box_scale);
    v("inverse_box_scale", s.inverse_box_scale);

    const u64 node_start = v.here();
    dictionary_layout<Node>(v, "node_dictionary", s.node_dictionary, "nodes", s.nodes);
    v.each("nodes", s.nodes, [&](auto& n) { v.at(node_start, n.offset, [&] { Node::layout(v, n); }); });
    v.at(start, s.sbc_offset, [&] { v.until("sbc", s.sbc, [](auto& c) { return c.code == sbc::ret; }); });
    v.each("sbc", s.sbc, [&](auto& c) {
      if (c.code == sbc::calldl) v.at(v.base(c), to(c.offset), [&] { v.template coded<DisplayList>("list", c.list); });
    });
    v.at(start, to(s.materials_offset).align(4), [&] { materials_layout(v, s); });
    v.at(start, to(s.shapes_offset).align(4), [&] { shapes_layout(v, s); });
    v.implied(s.envelopes_offset == s.size ? 0 : s.nodes.size(), s.envelopes);
    v.at(start, s.envelopes_offset, "envelopes", s.envelopes);
    v.derive(s.size, v.end() - start);
  }

 private:
  static constexpr void materials_layout(auto& v, auto& s) {
    auto& m = s.material_section;
    const u64 start = v.here();
    v(Key("material_section.textures_offset").placement(), m.textures_offset);
    v(Key("material_section.palettes_offset").placement(), m.palettes_offset);
    dictionary_layout<Material>(v, "material_section.dictionary", m.dictionary, "materials", s.materials,
                                k_material_name);
    v.at(start, m.textures_offset, [&] {
      dictionary_layout<Pairing>(v, "material_section.texture_dictionary", m.texture_dictionary, "textures", s.textures,
                                 k_used_texture);
    });
    v.at(start, m.palettes_offset, [&] {
      dictionary_layout<Pairing>(v, "material_section.palette_dictionary", m.palette_dictionary, "palettes", s.palettes,
                                 k_used_palette);
    });
    const auto lists = [&](Key list, auto& pairings) {
      v.each(list, pairings,
             [&](auto& p) { v.at(start, p.offset, Key("materials").words(k_index_into<"materials">), p.materials); });
    };
    lists("textures", s.textures);
    lists("palettes", s.palettes);
    v.each("materials", s.materials,
           [&](auto& x) { v.at(start, to(x.offset).align(4), [&] { Material::layout(v, x); }); });
  }
  static constexpr void shapes_layout(auto& v, auto& s) {
    const u64 start = v.here();
    dictionary_layout<Shape>(v, "shape_dictionary", s.shape_dictionary, "shapes", s.shapes);
    v.each("shapes", s.shapes, [&](auto& x) { v.at(start, x.offset, [&] { Shape::layout(v, x); }); });
    v.each("shapes", s.shapes, [&](auto& x) {
      v.at(start + x.offset, to(x.list_offset).align(4), [&] { v.template coded<DisplayList>("list", x.list); });
    });
  }
};

/// Block MDL0.
struct Models {
  u32 offset, size;
  Dictionary dictionary;
};

}  // namespace dio::nitro
