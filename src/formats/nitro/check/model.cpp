// model.cpp: the commands that draw a model, its nodes, and what its header says of them.
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_model_rule_table[] = {
    {"nitro.sbc-index", error, "SBC commands name nodes, materials and shapes that exist",
     "The game reads behind the table.", "NITRO-System; README, Models"},
    {"nitro.slot-range", error, "matrix slots are 0 to 30", "The hardware's stack has no others: it overflows.",
     "GBATEK; README, Models"},
    {"nitro.slot-unset", error, "a slot of the matrix stack is stored before it is loaded",
     "The game takes whatever the model before it left there.", "3,886 real models; README, Models"},
    {"nitro.node-order", error, "every node is described once, after its parent, and the first is its own parent",
     "The matrix of a node starts from its parent's; what is not described stays where the last model left it.",
     "3,886 real models; README, Models", Severities{warning}},
    {"nitro.weights", warning, "the weights of a blended matrix sum to 256/256",
     "Vertices are drawn towards the origin, or pushed away from it.", "114 real blends; README, Models",
     Severities{hint}},
    {"nitro.envelope-missing", error, "a model that blends matrices has envelopes",
     "The game takes what lies behind the model for a matrix.", "NITRO-System; README, Models"},
    {"nitro.material-unset", error, "a material is set before a shape is drawn",
     "It is drawn with the material of the model before it.", "README, Models"},
    {"nitro.material-never-drawn", hint, "every material is on a shape that is drawn", "It takes memory for nothing.",
     "3,886 real models"},
    {"nitro.shape-never-drawn", hint, "every shape is drawn", "It takes memory for nothing.", "3,886 real models"},
    {"nitro.material-use", hint, "MAT says whether the material is used again",
     "The game keeps what it worked out for a material only where the command says that it comes again, and lets it go "
     "where the command says that it does not.",
     "22,930 real commands; README, Models"},
    {"nitro.invisible-node", hint, "nodes are not hidden in the model itself",
     "Nothing of them is seen unless a visibility animation shows them.", "7 of 3,886 real models"},
    {"nitro.map-material", warning,
     "environment and projection maps are of the material that was set, which takes its "
     "texture coordinates from normals or vertices",
     "The matrix is set for coordinates that are not used.", "README, Models"},
    {"nitro.first-unused-slot", warning, "the first unused slot is behind the highest that the SBC stores",
     "A game that draws something of its own into free slots overwrites the model's.", "3,886 real models"},
    {"nitro.counts", warning, "vertex and polygon counts are those of the display lists",
     "Games and tools that reckon with them reckon wrongly.", "3,886 real models"},
    {"nitro.gx-budget", warning, "a model has at most 2048 polygons and 6144 vertices",
     "The geometry engine holds no more in a frame: what comes later is not drawn.", "GBATEK; README, Display lists"},
    {"nitro.scale", warning, "scales have the inverse beside them that belongs to them",
     "Positions of one pass are scaled otherwise than those of the next.", "3,886 real models"},
    {"nitro.scaling-rule", error, "the scaling rule is 0, 1 or 2, the texture matrix mode 0 to 3",
     "The game calls a function behind the end of its table.", "NITRO-System; README, Models"},
    {"nitro.pivot-index", error, "the pivot of a rotation is one of nine elements",
     "The game takes the places of the others from behind its table.", "README, Models"},
    {"nitro.rotation", warning, "the axes of a rotation have length 1 and are at right angles",
     "The node is bent or scaled, and light falls wrongly on it.", "41,670 real pivots, 19,578 real bases"},
    {"nitro.node-stack", hint, "the stack field of nodes is 31", "Nothing reads it: the SBC chooses slots.",
     "6,550 real nodes"},
    {"nitro.zero-scale", hint, "no node is scaled to nothing",
     "Nothing of it is seen; meant where an animation lets it grow.", "166 real nodes"},
};

constexpr f64 k_loose = 1.0 / 64;  // rotations of real files, rounded to 1/4096, are much nearer

struct Run {
  Reporter& r;
  const Model& m;
  const std::string& path;
  u32 stored = 0;  // slots, as bits
  bool has_material = false, has_blended = false;
  size_t material = 0;
  std::vector<u8> described = std::vector<u8>(m.nodes.size(), 0), drawn = std::vector<u8>(m.shapes.size(), 0),
                  dressed = std::vector<u8>(m.materials.size(), 0);

  std::string command(size_t i) const { return in(path, "sbc", i); }
  bool exists(size_t i, std::string_view what, u8 index, size_t count) {
    if (index < count) return true;
    r.report("nitro.sbc-index", in(command(i), what),
             {.expected = text("one below ", count), .found = text(what, " ", index)});
    return false;
  }
  void store(const std::string& field, u8 slot) {
    if (slot >= k_usable_slots)
      r.report("nitro.slot-range", field,
               {.expected = text("a slot below ", k_usable_slots), .found = text("slot ", slot)});
    else
      stored |= 1u << slot;
  }
  void load(const std::string& field, u32 slot) {
    if (slot >= k_usable_slots)
      r.report("nitro.slot-range", field,
               {.expected = text("a slot below ", k_usable_slots), .found = text("slot ", slot)});
    else if (!(stored >> slot & 1))
      r.report("nitro.slot-unset", field,
               {.expected = "one that is stored before", .found = text("slot ", slot, ", which nothing stored")});
  }
  void slots(size_t i, const SbcCommand& c) {
    if (c.loads()) load(in(command(i), "load"), c.load);
    if (c.stores()) store(in(command(i), "store"), c.store);
  }
  void list(ByteView list, const std::string& where) {
    u32 seen = 0;
    each_gx_command(list, [&](u8 code, const u8* p) {
      if (code != gx::mtx_restore) return;
      const u32 slot = gx_word(p) & 31, bit = 1u << slot;
      if (slot < k_usable_slots && !(seen & bit) && !(stored & bit)) {
        seen |= bit;
        load(where, slot);
      }
    });
  }
  void describe(size_t i, const SbcCommand& c) {
    if (!exists(i, "node", c.index, m.nodes.size())) return;
    const bool first = std::none_of(described.begin(), described.end(), [](u8 d) { return d; });
    if (described[c.index])
      r.report("nitro.node-order", in(command(i), "node"),
               {.expected = "each node once", .found = text("node ", c.index, " once more")});
    if (first && (c.index != 0 || c.parent != 0))
      r.report(warning, "nitro.node-order", in(command(i), "node"),
               {.expected = "node 0 first, its own parent", .found = text("node ", c.index, " below node ", c.parent)});
    else if (!first && (c.parent >= m.nodes.size() || !described[c.parent]))
      r.report(
          "nitro.node-order", in(command(i), "parent"),
          {.expected = "a node that is described before", .found = text("node ", c.parent, ", not described so far")});
    described[c.index] = 1;
  }
  void mix(size_t i, const SbcCommand& c) {
    u32 sum = 0;
    for (size_t k = 0; k < c.mix.size(); ++k) {
      const std::string one = in(command(i), "mix", k);
      load(in(one, "slot"), c.mix[k].slot);
      if (c.mix[k].node >= m.nodes.size())
        r.report("nitro.sbc-index", in(one, "node"),
                 {.expected = text("one below ", m.nodes.size()), .found = text("node ", c.mix[k].node)});
      sum += c.mix[k].weight;
    }
    if (sum != 256)  // one real file is off by a rounding
      r.report(sum + 1 == 256 || sum == 257 ? hint : warning, "nitro.weights", in(command(i), "mix"),
               {.expected = "256", .found = text("weights that sum to ", sum)});
    if (m.envelopes.empty() && !has_blended)
      r.report("nitro.envelope-missing", in(path, "envelopes_offset"),
               {.expected = text(m.nodes.size(), ", one for each node"), .found = "no envelopes"});
    has_blended = true;
    store(in(command(i), "store"), c.store);
  }
  void map(size_t i, const SbcCommand& c) {
    if (!exists(i, "material", c.index, m.materials.size())) return;
    const u8 texgen = m.materials[c.index].texgen, wanted = c.code == sbc::envmap ? 2 : 3;
    if (!has_material || material != c.index)
      r.report("nitro.map-material", in(command(i), "material"),
               {.expected = "the material of the MAT before", .found = text("material ", c.index)});
    else if (texgen != wanted)
      r.report("nitro.map-material", in(in(path, "materials", c.index), "texgen"),
               {.expected = text("texgen ", wanted), .found = text("texgen ", texgen)});
  }
  void one(size_t i, const SbcCommand& c) {
    switch (c.code) {
      case sbc::node:
        if (exists(i, "node", c.index, m.nodes.size()) && !(c.visible & 1))
          r.report("nitro.invisible-node", in(command(i), "visible"),
                   {.expected = "1", .found = text("node ", c.index, " hidden")});
        return;
      case sbc::mtx:
        return load(in(command(i), "slot"), c.index);
      case sbc::mat:
        has_material = exists(i, "material", c.index, m.materials.size());
        material = c.index;
        return;
      case sbc::shp:
        if (!exists(i, "shape", c.index, m.shapes.size())) return;
        if (!has_material)
          r.report("nitro.material-unset", in(command(i), "shape"),
                   {.expected = "a MAT before it", .found = text("shape ", c.index, " without a material")});
        else
          dressed[material] = 1;
        if (drawn[c.index]++ == 0) list(m.shapes[c.index].list, in(in(path, "shapes", c.index), "list"));
        return;
      case sbc::nodedesc:
        describe(i, c);
        return slots(i, c);
      case sbc::bb:
      case sbc::bby:
        exists(i, "node", c.index, m.nodes.size());
        return slots(i, c);
      case sbc::nodemix:
        return mix(i, c);
      case sbc::calldl: {
        std::vector<u32> restored;
        check_display_list(r, c.list, in(command(i), "list"), restored);
        return list(c.list, in(command(i), "list"));
      }
      case sbc::envmap:
      case sbc::prjmap:
        return map(i, c);
      default:
        return;
    }
  }
  void material_uses() {
    for (size_t i = 0; i < m.sbc.size(); ++i) {
      const SbcCommand& c = m.sbc[i];
      if (c.code != sbc::mat) continue;
      const auto is_it = [&](const SbcCommand& o) { return o.code == sbc::mat && o.index == c.index; };
      const auto here = m.sbc.begin() + std::ptrdiff_t(i);
      const bool before = std::any_of(m.sbc.begin(), here, is_it), after = std::any_of(here + 1, m.sbc.end(), is_it);
      const u8 wanted = after ? 1 : before ? 2 : 0;
      if (c.options != wanted)
        r.report("nitro.material-use", in(command(i), "options"), {.expected = text(wanted), .found = text(c.options)});
    }
  }
  void all() {
    for (size_t i = 0; i < m.sbc.size(); ++i) one(i, m.sbc[i]);
    material_uses();
    for (size_t i = 0; i < described.size(); ++i)
      if (!described[i])
        r.report("nitro.node-order", in(path, "nodes", i),
                 {.expected = "every node described once", .found = text("node ", i, ", which no command describes")});
    for (size_t i = 0; i < drawn.size(); ++i)
      if (!drawn[i])
        r.report("nitro.shape-never-drawn", in(path, "shapes", i),
                 {.expected = "every shape drawn", .found = text("shape ", i, ", never drawn")});
    for (size_t i = 0; i < dressed.size(); ++i)
      if (!dressed[i])
        r.report("nitro.material-never-drawn", in(path, "materials", i),
                 {.expected = "every material used", .found = text("material ", i, ", on no shape")});
  }
};

void check_node(Reporter& r, const Node& n, const std::string& path) {
  if (n.stack != 31) r.report("nitro.node-stack", in(path, "stack"), {.expected = "31", .found = text(n.stack)});
  if (!n.no_rotation && n.is_pivot) {
    if (n.pivot_index > 8)
      r.report("nitro.pivot-index", in(path, "pivot_index"), {.expected = "0 to 8", .found = text(n.pivot_index)});
    else if (!is_pivot(n.pivot[0], n.pivot[1]))
      r.report("nitro.rotation", in(path, "pivot"),
               {.expected = "A^2 + B^2 = 1", .found = "numbers that are no sine and cosine"});
  } else if (!n.no_rotation) {
    if (!is_rotation(rotation_of(n)))
      r.report("nitro.rotation", in(path, "rotation"),
               {.expected = "axes of length 1 at right angles", .found = "axes of other lengths or angles"});
  }
  if (n.no_scale) return;
  const fx32 Vec3::* axes[] = {&Vec3::x, &Vec3::y, &Vec3::z};
  const char* names[] = {"x", "y", "z"};
  for (size_t i = 0; i < 3; ++i) {
    const fx32 scale = n.scale.*axes[i], inverse = n.inverse_scale.*axes[i];
    if (scale.raw == 0)
      r.report("nitro.zero-scale", in(in(path, "scale"), names[i]), {.expected = "a scale above 0", .found = "0"});
    if (!are_inverse(scale.raw, inverse.raw))
      r.report("nitro.scale", in(in(path, "inverse_scale"), names[i]),
               {.expected = text("1 / ", scale.value()), .found = text(inverse.value())});
  }
}

void check_numbers(Reporter& r, const Model& m, const std::string& path) {
  if (m.scaling_rule > 2)
    r.report("nitro.scaling-rule", in(path, "scaling_rule"), {.expected = "0, 1 or 2", .found = text(m.scaling_rule)});
  if (m.texture_matrix_mode > 3)
    r.report("nitro.scaling-rule", in(path, "texture_matrix_mode"),
             {.expected = "0 to 3", .found = text(m.texture_matrix_mode)});
  if (m.pos_scale.raw <= 0 || !are_inverse(m.pos_scale.raw, m.inverse_pos_scale.raw))
    r.report("nitro.scale", in(path, "inverse_pos_scale"),
             {.expected = text("1 / ", m.pos_scale.value()), .found = text(m.inverse_pos_scale.value())});
  if (m.box_scale.raw <= 0 || !are_inverse(m.box_scale.raw, m.inverse_box_scale.raw))
    r.report("nitro.scale", in(path, "inverse_box_scale"),
             {.expected = text("1 / ", m.box_scale.value()), .found = text(m.inverse_box_scale.value())});
  if (const u8 first = first_unused_slot(m.sbc); first != m.first_unused_slot)
    r.report("nitro.first-unused-slot", in(path, "first_unused_slot"),
             {.expected = text(first), .found = text(m.first_unused_slot)});

  ShapeFacts sum;
  for (const Shape& s : m.shapes) sum += facts_of(s.list);
  const auto count = [&](const char* field, u16 said, u64 is) {
    if (sum.whole && said != is) r.report("nitro.counts", in(path, field), {.expected = text(is), .found = text(said)});
  };
  count("vertex_count", m.vertex_count, sum.vertices);
  count("polygon_count", m.polygon_count, sum.triangles + sum.quads);
  count("triangle_count", m.triangle_count, sum.triangles);
  count("quad_count", m.quad_count, sum.quads);
  if (sum.triangles + sum.quads > 2048)
    r.report("nitro.gx-budget", in(path, "polygon_count"),
             {.expected = "at most 2048", .found = text(sum.triangles + sum.quads, " polygons")});
  if (sum.vertices > 6144)
    r.report("nitro.gx-budget", in(path, "vertex_count"),
             {.expected = "at most 6144",
              .found = text(sum.vertices, " vertices"),
              .hint = "fine where the camera never sees all of it"});
}

}  // namespace

constinit const std::span<const Rule> k_model_rules = k_model_rule_table;

bool are_inverse(i32 scale, i32 inverse) {
  if (scale == 0) return inverse == 0;
  const f64 is = f64(1 << 24) / scale;
  return std::abs(is - inverse) <= 1 + std::abs(is / scale);  // both were rounded
}

bool is_pivot(fx16 a, fx16 b) { return std::abs(std::hypot(a.value(), b.value()) - 1) < k_loose; }

bool is_rotation(const scene::Linear& m) {
  for (size_t a = 0; a < 3; ++a) {
    const auto &axis = m.columns[a], &next = m.columns[(a + 1) % 3];
    if (std::abs(scene::dot(axis, axis) - 1) > k_loose || std::abs(scene::dot(axis, next)) > k_loose) return false;
  }
  return std::abs(scene::determinant(m) - 1) < 2 * k_loose;
}

void check_model(Reporter& r, const Model& m, const std::string& path) {
  check_dictionary(r, in(path, "node_dictionary"), m.node_dictionary, in(path, "nodes"), m.nodes);
  for (size_t i = 0; i < m.nodes.size(); ++i) check_node(r, m.nodes[i], in(path, "nodes", i));
  Run{r, m, path}.all();
  check_numbers(r, m, path);
}

}  // namespace dio::nitro
