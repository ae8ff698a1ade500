// model.cpp: checks of the render commands, nodes and header of a model.
#include "core/elementary.hpp"
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_model_rule_table[] = {
    {"nitro.sbc-index", error, "the render commands of a model (SBC) refer to nodes, materials and shapes that exist",
     "If a number is too high, the game reads past the end of the list of nodes, materials or shapes.",
     "Use the number of an existing node, material or shape.", "src/formats/nitro/README.md#sbc"},
    {"nitro.slot-range", error, "every matrix stack slot is 0 to 30",
     "The hardware's matrix stack has only slots 0 to 30 and overflows beyond them.", "Use a slot from 0 to 30.",
     "GBATEK, DS 3D Matrix Stack; src/formats/nitro/README.md#sbc"},
    {"nitro.slot-unset", error, "a matrix is stored in a slot of the matrix stack before the slot is loaded",
     "If no matrix is stored first, the game uses the matrix that the previous model left in the slot.",
     "Add a command that stores a matrix in the slot before the slot is loaded, or load another slot.",
     "measured on 3,886 game models; src/formats/nitro/README.md#sbc"},
    {"nitro.node-order", error,
     "every node has one parent, and its NODEDESC command follows that of the parent; node 0 comes first and is its "
     "own parent",
     "The game computes the matrix of a node from the matrix of its parent. A node without a NODEDESC command keeps a "
     "matrix of the previous model.",
     "Move the NODEDESC command of the node after the NODEDESC command of its parent.",
     "measured on 3,886 game models; src/formats/nitro/README.md#sbc", Severities{warning}},
    {"nitro.weights", warning, "the weights of a blended matrix add up to 256",
     "If the weights add up to less than 256, the game pulls vertices towards the origin. If they add up to more, the "
     "game pushes vertices away from the origin.",
     "Change the weights so that their sum is 256.",
     "measured on 114 blended matrices; src/formats/nitro/README.md#sbc", Severities{hint}},
    {"nitro.envelope-missing", error, "a model that blends matrices has envelopes (inverse bind matrices)",
     "If the envelopes are missing, the game reads a matrix past the end of the model.",
     "Export the model again with its envelopes.", "src/formats/nitro/README.md#sbc"},
    {"nitro.material-unset", error, "a material is set before a shape is drawn",
     "If no material is set, the game draws the shape with a material of the previous model.",
     "Add a command that sets the material before the shape.", "src/formats/nitro/README.md#sbc"},
    {"nitro.material-never-drawn", hint, "every material is used to draw a shape",
     "An unused material takes up memory.", "Remove the material, or draw a shape with it.",
     "measured on 3,886 game models"},
    {"nitro.shape-never-drawn", hint, "every shape is drawn", "An unused shape takes up memory.",
     "Remove the shape, or add a command that draws it.", "measured on 3,886 game models"},
    {"nitro.material-use", hint, "the options of a MAT command state correctly whether the material is used again",
     "The game keeps the values that it computes for a material only if the options say that the material is used "
     "again.",
     "Set the options of the MAT command to the value in the message. The model will look the same.",
     "measured on 22,930 commands; src/formats/nitro/README.md#sbc"},
    {"nitro.invisible-node", hint, "a model hides none of its nodes",
     "A hidden node appears only if a visibility animation shows it.",
     "No action is needed if a visibility animation (NSBVA) shows the node; otherwise, set visible to 1.",
     "7 of 3,886 game models break this rule"},
    {"nitro.map-material", warning,
     "an ENVMAP or PRJMAP command names the current material, whose texgen is normal for ENVMAP and vertex for PRJMAP",
     "If the material or its texgen does not match, the command sets a texture matrix that the material does not use.",
     "Change the command so that it names the current material, and set the texgen of this material to the value in "
     "the message.",
     "src/formats/nitro/README.md#sbc"},
    {"nitro.first-unused-slot", warning,
     "first_unused_slot is one more than the highest slot that the render commands (SBC) store to",
     "If first_unused_slot is too low, a game that uses the free slots overwrites matrices of the model.",
     "Set first_unused_slot to the value in the message.", "measured on 3,886 game models"},
    {"nitro.counts", warning, "vertex and polygon counts match the display lists",
     "Games and tools that rely on the vertex and polygon counts get wrong results.",
     "Set the count to the number in the message.", "measured on 3,886 game models"},
    {"nitro.gx-budget", warning, "a model has at most 2,048 polygons and 6,144 vertices",
     "The geometry engine holds at most 2,048 polygons and 6,144 vertices per frame, and does not draw the rest.",
     "Simplify the model, or split it so that the camera never sees all of it.",
     "GBATEK, DS 3D Overview; src/formats/nitro/README.md#budget"},
    {"nitro.scale", warning, "every scale in a model is stored with its inverse",
     "If the inverse is wrong, child nodes that compensate for the scale of the node become too large or too small.",
     "Set the stored inverse to 1 divided by the scale.", "measured on 3,886 game models"},
    {"nitro.scaling-rule", error, "the scaling rule of a model is 0 to 2, and its texture matrix mode is 0 to 3",
     "If the scaling rule or the texture matrix mode is too high, the game calls a function past the end of its "
     "function table.",
     "Use a number in the range given in the message.", "src/formats/nitro/README.md#models"},
    {"nitro.pivot-index", error, "the pivot index of a rotation is 0 to 8",
     "A rotation matrix has nine elements. If the index is above 8, the game reads past the end of its table of "
     "elements.",
     "Use an index from 0 to 8.", "src/formats/nitro/README.md#models"},
    {"nitro.rotation", warning, "the axes of a rotation are orthonormal",
     "If the axes are not orthonormal, the game skews or scales the node and lights it incorrectly.",
     "Make the axes of the rotation orthonormal, or export the model again.",
     "measured on 41,670 pivot and 19,578 basis rotations"},
    {"nitro.node-stack", hint, "the stack field of every node is 31",
     "The stack field has no effect, because the render commands (SBC) choose the matrix slots.",
     "No action is needed.", "measured on 6,550 nodes in game models"},
    {"nitro.zero-scale", hint, "no node has a scale of 0",
     "A node with scale 0 is invisible until an animation enlarges it.",
     "No action is needed if an animation scales the node; otherwise, set the scale above 0.",
     "166 nodes in game models have scale 0"},
};

constexpr f64 k_loose = 1.0 / 64;  // real files, rounded to 1/4096, are much closer

struct Run {
  Reporter& r;
  const Model& m;
  const std::string& path;
  u32 stored = 0;  // slots, as bits
  bool has_material = false, has_blended = false;
  size_t material = 0;
  std::vector<u8> described = std::vector<u8>(m.nodes.size(), 0), parents = described,
                  drawn = std::vector<u8>(m.shapes.size(), 0), dressed = std::vector<u8>(m.materials.size(), 0);

  std::string command_path(size_t i) const { return field_path(path, "sbc", i); }
  bool check_index(size_t i, std::string_view what, u8 index, size_t count) {
    if (index < count) return true;
    r.report("nitro.sbc-index", field_path(command_path(i), what),
             {.message = text(what, " ", index, " does not exist; the model has ", format_count(count, what),
                              ", counted from 0")});
    return false;
  }
  void check_slot_store(const std::string& field, u8 slot) {
    if (slot >= k_usable_slots)
      r.report("nitro.slot-range", field,
               {.message = text("matrix slot ", slot, " is out of range (0 to ", k_usable_slots - 1, ")")});
    else
      stored |= 1u << slot;
  }
  void check_slot_load(const std::string& field, u32 slot) {
    if (slot >= k_usable_slots)
      r.report("nitro.slot-range", field,
               {.message = text("matrix slot ", slot, " is out of range (0 to ", k_usable_slots - 1, ")")});
    else if (!(stored >> slot & 1))
      r.report("nitro.slot-unset", field,
               {.message = text("matrix slot ", slot, " is loaded before a matrix is stored in it")});
  }
  void check_command_slots(size_t i, const SbcCommand& c) {
    if (c.loads()) check_slot_load(field_path(command_path(i), "load"), c.load);
    if (c.stores()) check_slot_store(field_path(command_path(i), "store"), c.store);
  }
  void check_list_restores(ByteView list, const std::string& where) {
    u32 seen = 0;
    for_each_gx_command(list, [&](u8 code, const u8* p) {
      if (code != gx::mtx_restore) return;
      const u32 slot = gx_read_word(p) & 31, bit = 1u << slot;
      if (slot < k_usable_slots && !(seen & bit) && !(stored & bit)) {
        seen |= bit;
        check_slot_load(where, slot);
      }
    });
  }
  void check_node_description(size_t i, const SbcCommand& c) {
    if (!check_index(i, "node", c.index, m.nodes.size())) return;
    const bool first = std::none_of(described.begin(), described.end(), [](u8 d) { return d; });
    // A second command is allowed, because another matrix may have replaced this one. Another parent would move the
    // node.
    if (described[c.index] && parents[c.index] != c.parent)
      r.report("nitro.node-order", field_path(command_path(i), "parent"),
               {.message = text("node ", c.index, " has a second NODEDESC command, with a different parent")});
    if (first && (c.index != 0 || c.parent != 0))
      r.report(warning, "nitro.node-order", field_path(command_path(i), "node"),
               {.message = text("the first NODEDESC command is for node ", c.index, " with parent ", c.parent,
                                "; it must be for node 0 with parent 0")});
    else if (!first && (c.parent >= m.nodes.size() || !described[c.parent]))
      r.report("nitro.node-order", field_path(command_path(i), "parent"),
               {.message = text("the NODEDESC command of node ", c.index, " comes before that of its parent, node ",
                                c.parent)});
    described[c.index] = 1, parents[c.index] = c.parent;
  }
  void check_blend(size_t i, const SbcCommand& c) {
    u32 sum = 0;
    for (size_t k = 0; k < c.mix.size(); ++k) {
      const std::string one = field_path(command_path(i), "mix", k);
      check_slot_load(field_path(one, "slot"), c.mix[k].slot);
      if (c.mix[k].node >= m.nodes.size())
        r.report("nitro.sbc-index", field_path(one, "node"),
                 {.message = text("node ", c.mix[k].node, " does not exist; the model has ",
                                  format_count(m.nodes.size(), "node"), ", counted from 0")});
      sum += c.mix[k].weight;
    }
    if (sum != 256)  // one real file is off by a rounding
      r.report(sum + 1 == 256 || sum == 257 ? hint : warning, "nitro.weights", field_path(command_path(i), "mix"),
               {.message = text("the weights add up to ", sum, "; the sum must be 256")});
    if (m.envelopes.empty() && !has_blended)
      r.report("nitro.envelope-missing", field_path(path, "envelopes_offset"),
               {.message = text("the model blends matrices but has no envelopes; it needs ", m.nodes.size(),
                                ", one for each node")});
    has_blended = true;
    check_slot_store(field_path(command_path(i), "store"), c.store);
  }
  void check_map_command(size_t i, const SbcCommand& c) {
    if (!check_index(i, "material", c.index, m.materials.size())) return;
    const u8 texgen = m.materials[c.index].texgen, wanted = c.code == sbc::envmap ? 2 : 3;
    if (!has_material || material != c.index)
      r.report(
          "nitro.map-material", field_path(command_path(i), "material"),
          {.message = has_material
                          ? text("the command names material ", c.index, ", but the current material is ", material)
                          : text("the command names material ", c.index, ", but no material is set yet")});
    else if (texgen != wanted)
      r.report("nitro.map-material", field_path(field_path(path, "materials", c.index), "texgen"),
               {.message = text("texgen is \"", k_texgens.of(texgen), "\", but ",
                                c.code == sbc::envmap ? "ENVMAP" : "PRJMAP", " needs \"", k_texgens.of(wanted), "\"")});
  }
  void check_command(size_t i, const SbcCommand& c) {
    switch (c.code) {
      case sbc::node:
        if (check_index(i, "node", c.index, m.nodes.size()) && !(c.visible & 1))
          r.report("nitro.invisible-node", field_path(command_path(i), "visible"),
                   {.message = text("node ", c.index, " is hidden")});
        return;
      case sbc::mtx:
        return check_slot_load(field_path(command_path(i), "slot"), c.index);
      case sbc::mat:
        has_material = check_index(i, "material", c.index, m.materials.size());
        material = c.index;
        return;
      case sbc::shp:
        if (!check_index(i, "shape", c.index, m.shapes.size())) return;
        if (!has_material)
          r.report("nitro.material-unset", field_path(command_path(i), "shape"),
                   {.message = text("no material is set before shape ", c.index, " is drawn")});
        else
          dressed[material] = 1;
        if (drawn[c.index]++ == 0)
          check_list_restores(m.shapes[c.index].list, field_path(field_path(path, "shapes", c.index), "list"));
        return;
      case sbc::nodedesc:
        check_node_description(i, c);
        return check_command_slots(i, c);
      case sbc::bb:
      case sbc::bby:
        check_index(i, "node", c.index, m.nodes.size());
        return check_command_slots(i, c);
      case sbc::nodemix:
        return check_blend(i, c);
      case sbc::calldl: {
        std::vector<u32> restored;
        check_display_list(r, c.list, field_path(command_path(i), "list"), restored);
        return check_list_restores(c.list, field_path(command_path(i), "list"));
      }
      case sbc::envmap:
      case sbc::prjmap:
        return check_map_command(i, c);
      default:
        return;
    }
  }
  void check_material_uses() {
    for (size_t i = 0; i < m.sbc.size(); ++i) {
      const SbcCommand& c = m.sbc[i];
      if (c.code != sbc::mat) continue;
      const auto is_it = [&](const SbcCommand& o) { return o.code == sbc::mat && o.index == c.index; };
      const auto here = m.sbc.begin() + std::ptrdiff_t(i);
      const bool before = std::any_of(m.sbc.begin(), here, is_it), after = std::any_of(here + 1, m.sbc.end(), is_it);
      const u8 wanted = after ? 1 : before ? 2 : 0;
      if (c.options != wanted)
        r.report("nitro.material-use", field_path(command_path(i), "options"),
                 {.message = text("the options field is ", c.options, "; it must be ", wanted,
                                  after    ? ", because the material is used again"
                                  : before ? ", because this is the last use of the material"
                                           : ", because the material is used only once")});
    }
  }
  void check_all_commands() {
    for (size_t i = 0; i < m.sbc.size(); ++i) check_command(i, m.sbc[i]);
    check_material_uses();
    for (size_t i = 0; i < described.size(); ++i)
      if (!described[i])
        r.report("nitro.node-order", field_path(path, "nodes", i),
                 {.message = text("node ", i, " has no NODEDESC command")});
    for (size_t i = 0; i < drawn.size(); ++i)
      if (!drawn[i])
        r.report("nitro.shape-never-drawn", field_path(path, "shapes", i),
                 {.message = text("shape ", i, " is never drawn")});
    for (size_t i = 0; i < dressed.size(); ++i)
      if (!dressed[i])
        r.report("nitro.material-never-drawn", field_path(path, "materials", i),
                 {.message = text("no shape is drawn with material ", i)});
  }
};

void check_node(Reporter& r, const Node& n, const std::string& path) {
  if (n.stack != 31)
    r.report("nitro.node-stack", field_path(path, "stack"),
             {.message = text("the stack field is ", n.stack, "; it must be 31")});
  if (!n.no_rotation && n.is_pivot) {
    if (n.pivot_index > 8)
      r.report("nitro.pivot-index", field_path(path, "pivot_index"),
               {.message = text("pivot index ", n.pivot_index, " is out of range (0 to 8)")});
    else if (!is_sine_cosine_pair(n.pivot[0], n.pivot[1]))
      r.report("nitro.rotation", field_path(path, "pivot"),
               {.message = "A and B of the pivot matrix are not the sine and cosine of the same angle"});
  } else if (!n.no_rotation) {
    if (!is_rotation(rotation_matrix(n)))
      r.report("nitro.rotation", field_path(path, "rotation"),
               {.message = "the axes of the rotation are not orthonormal"});
  }
  if (n.no_scale) return;
  const fx32 Vec3::* axes[] = {&Vec3::x, &Vec3::y, &Vec3::z};
  const char* names[] = {"x", "y", "z"};
  for (size_t i = 0; i < 3; ++i) {
    const fx32 scale = n.scale.*axes[i], inverse = n.inverse_scale.*axes[i];
    if (scale.raw == 0)
      r.report("nitro.zero-scale", field_path(field_path(path, "scale"), names[i]),
               {.message = text("the scale along ", names[i], " is 0")});
    if (!are_inverse(scale.raw, inverse.raw))
      r.report("nitro.scale", field_path(field_path(path, "inverse_scale"), names[i]),
               {.message = text("the scale is ", scale.value(), ", but its inverse is stored as ", inverse.value())});
  }
}

void check_header_numbers(Reporter& r, const Model& m, const std::string& path) {
  if (m.scaling_rule > 2)
    r.report("nitro.scaling-rule", field_path(path, "scaling_rule"),
             {.message = text("scaling rule ", m.scaling_rule, " is out of range (0 to 2)")});
  if (m.texture_matrix_mode > 3)
    r.report("nitro.scaling-rule", field_path(path, "texture_matrix_mode"),
             {.message = text("texture matrix mode ", m.texture_matrix_mode, " is out of range (0 to 3)")});
  if (m.pos_scale.raw <= 0 || !are_inverse(m.pos_scale.raw, m.inverse_pos_scale.raw))
    r.report("nitro.scale", field_path(path, "inverse_pos_scale"),
             {.message = m.pos_scale.raw <= 0 ? text("pos_scale is ", m.pos_scale.value(), "; it must be above 0")
                                              : text("pos_scale is ", m.pos_scale.value(),
                                                     ", but its inverse is stored as ", m.inverse_pos_scale.value())});
  if (m.box_scale.raw <= 0 || !are_inverse(m.box_scale.raw, m.inverse_box_scale.raw))
    r.report("nitro.scale", field_path(path, "inverse_box_scale"),
             {.message = m.box_scale.raw <= 0 ? text("box_scale is ", m.box_scale.value(), "; it must be above 0")
                                              : text("box_scale is ", m.box_scale.value(),
                                                     ", but its inverse is stored as ", m.inverse_box_scale.value())});
  if (const u8 first = first_unused_slot(m.sbc); first != m.first_unused_slot)
    r.report("nitro.first-unused-slot", field_path(path, "first_unused_slot"),
             {.message = text("first_unused_slot is ", m.first_unused_slot, ", but the first free slot is ", first)});

  ShapeFacts sum;
  for (const Shape& s : m.shapes) sum += analyze_display_list(s.list);
  const auto count = [&](const char* field, u16 said, u64 is) {
    if (sum.whole && said != is)
      r.report("nitro.counts", field_path(path, field),
               {.message = text(field, " is ", said, ", but the count in the display lists is ", is)});
  };
  count("vertex_count", m.vertex_count, sum.vertices);
  count("polygon_count", m.polygon_count, sum.triangles + sum.quads);
  count("triangle_count", m.triangle_count, sum.triangles);
  count("quad_count", m.quad_count, sum.quads);
  if (sum.triangles + sum.quads > 2048)
    r.report("nitro.gx-budget", field_path(path, "polygon_count"),
             {.message = text(sum.triangles + sum.quads, " polygons are too many for one frame (at most 2048)"),
              .hint = "this is harmless if the camera never sees the whole model"});
  if (sum.vertices > 6144)
    r.report("nitro.gx-budget", field_path(path, "vertex_count"),
             {.message = text(sum.vertices, " vertices are too many for one frame (at most 6144)"),
              .hint = "this is harmless if the camera never sees the whole model"});
}

}  // namespace

constinit const std::span<const Rule> k_model_rules = k_model_rule_table;

bool are_inverse(i32 scale, i32 inverse) {
  if (scale == 0) return inverse == 0;
  const f64 is = f64(1 << 24) / scale;
  return std::abs(is - inverse) <= 1 + std::abs(is / scale);  // both were rounded
}

bool is_sine_cosine_pair(fx16 a, fx16 b) { return std::abs(elementary::hypot(a.value(), b.value()) - 1) < k_loose; }

bool is_rotation(const scene::Mat3d& m) {
  for (size_t a = 0; a < 3; ++a) {
    const auto &axis = m.columns[a], &next = m.columns[(a + 1) % 3];
    if (std::abs(scene::dot(axis, axis) - 1) > k_loose || std::abs(scene::dot(axis, next)) > k_loose) return false;
  }
  return std::abs(scene::determinant(m) - 1) < 2 * k_loose;
}

void check_model(Reporter& r, const Model& m, const std::string& path) {
  check_dictionary(r, field_path(path, "node_dictionary"), m.node_dictionary, field_path(path, "nodes"), m.nodes);
  for (size_t i = 0; i < m.nodes.size(); ++i) check_node(r, m.nodes[i], field_path(path, "nodes", i));
  Run{r, m, path}.check_all_commands();
  check_header_numbers(r, m, path);
}

}  // namespace dio::nitro
