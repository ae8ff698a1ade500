// budget.cpp: how much of the DS frame and memory limits a model uses. Limits: GBATEK.
#include "formats/contract/budgets.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {

namespace {

constexpr u64 k_texture_memory = 512 << 10, k_palette_memory = 96 << 10;  // bytes
constexpr u64 k_matrix_slots = 31;
constexpr u64 k_frame_cycles = 560190;  // 263 lines of 355 dots of 6 cycles

struct Memory {
  u64 texels = 0, colors = 0;  // bytes
  void add(const Textures& t) {
    texels += u64(t.texels_size) * 8 + u64(t.texels_4x4_size) * 8 * 3 / 2;  // 4x4 texels with their blocks
    colors += u64(t.colors_size) * 8;
  }
};

}  // namespace

void add_budgets(Budgets& budgets, const Nsbmd& file, std::span<const Companion> companions) {
  ShapeFacts sum;
  u64 slots = 0, cycles = 0;
  for (const Model& m : file.models) {
    for (const SbcCommand& c : m.sbc)
      if (c.code == sbc::shp && c.index < m.shapes.size()) sum += analyze_display_list(m.shapes[c.index].list);
    cycles += geometry_cycles(m);
    slots = std::max<u64>(slots, first_unused_slot(m.sbc));
  }
  budgets.add("polygons", sum.triangles + sum.quads, k_frame_polygons, "polygons",
              "per frame, if the whole model is in view");
  budgets.add("vertices", sum.vertices, k_frame_vertices, "vertices",
              "per frame; vertices shared within a strip count once");
  budgets.add("geometry cycles", cycles, k_frame_cycles, "cycles",
              "per frame: time the geometry engine needs for the display lists if it never waits");
  Memory memory;
  if (file.textures) memory.add(*file.textures);
  bool beside = false;
  for (const Companion& c : companions)
    if (c.format_id() == "nsbtx") memory.add(value_of<Nsbtx>(*c.document).textures), beside = true;
  const std::string_view whose =
      beside ? "used by the model and the texture files next to it" : "used by the model alone";
  budgets.add("texture memory", memory.texels, k_texture_memory, "bytes", whose);
  budgets.add("palette memory", memory.colors, k_palette_memory, "bytes", whose);
  budgets.add("matrix stack", slots, k_matrix_slots, "slots",
              "used to store the matrices of nodes and blended matrices");
}

Value budget(const Nsbmd& file, std::span<const Companion> companions) {
  Value v = Value::object();
  Budgets budgets(v);
  add_budgets(budgets, file, companions);
  return v;
}

}  // namespace dio::nitro
