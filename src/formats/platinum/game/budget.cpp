// budget.cpp: how much of the console's and game's limits areas, maps, lands and props use.
#include <algorithm>

#include "formats/contract/budgets.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/game/memory_limits.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/game/view_load.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

namespace {

void add_area_budgets(Budgets& to, const GameTables& t, const Area& area) {
  const TextureMemory memory = compute_texture_memory(t, area);
  const std::string files = text("map textures ", area.texture_set, " and prop textures ", area.prop_set);
  to.add("texture memory", memory.texels, TextureMemory::k_most_texels, "bytes", "used by " + files);
  to.add("palette memory", memory.palettes, TextureMemory::k_most_palettes, "bytes", "used by " + files);
  to.add("4x4 textures", memory.blocks, TextureMemory::k_most_blocks, "bytes", "used by the 4x4 textures in " + files);
  const PropSetLoad load = compute_prop_set_load(t, area.prop_set);
  to.add("prop models", load.bytes, PropSetLoad::k_most_bytes, "bytes",
         text("model files of prop set ", area.prop_set, ", in the overworld heap"));
  to.add("animations", load.animations.size(), PropSetLoad::k_most_animations, "animations",
         "prop animations that start with the map");
}

/// The highest use of a limit, and the land with that use.
struct PeakUse {
  u64 used = 0;
  std::string whose = {};
  void update_peak(u64 other, std::string_view from) {
    if (other > used || whose.empty()) used = other, whose = from;
  }
};

/// The highest use among the lands and views of matrix cells.
class CellBudgets {
 public:
  explicit CellBudgets(const GameTables& t) : t_(t), loads_(t) {}

  void add_cell(const Matrix& m, size_t cell) {
    const auto land = t_.land(m.lands[cell]);
    if (!land) return;
    const std::string name = text("land ", m.lands[cell]);
    model_.update_peak(land->model_size, name);
    heights_.update_peak(bdhc_arrays_size(land->bdhc), name);
    props_.update_peak(land->props.size(), name);
    slopes_.update_peak(count_bicycle_slopes(t_, *land), name);
    if (m.cells() > k_most_cells) return;
    const ViewLoad load = loads_.compute_cell_load(m, cell);
    const std::string place = text(name, " at ", cell % m.width, ",", cell / m.width);
    polygons_.update_peak(u64(load.polygons), place), vertices_.update_peak(u64(load.vertices), place);
  }
  void add_view_budgets(Budgets& to) const {
    to.add("polygons in view", polygons_.used, k_most_polygons, "polygons",
           text("estimate for the default camera over ", polygons_.whose));
    to.add("vertices in view", vertices_.used, k_most_vertices, "vertices",
           text("estimate for the default camera over ", vertices_.whose));
  }
  void add_peak_land_budgets(Budgets& to) const {
    to.add("model", model_.used, k_model_buffer, "bytes",
           text("size of the model of ", model_.whose, ", which the game reads into a buffer for one map"));
    to.add("heights", heights_.used, k_bdhc_buffer, "bytes", text("size of the heights of ", heights_.whose));
    to.add("props", props_.used, k_most_props, "props",
           text("props of ", props_.whose, "; the game ignores props beyond the limit"));
    add_slope_budget(to);
  }
  void add_slope_budget(Budgets& to) const {
    to.add("bicycle slopes", slopes_.used, k_most_slopes, "props", text("bicycle slopes of ", slopes_.whose));
  }
  bool empty() const { return model_.whose.empty(); }

 private:
  const GameTables& t_;
  ViewLoads loads_;
  PeakUse model_, heights_, props_, slopes_, polygons_, vertices_;
};

void add_header_budgets(Budgets& to, const GameTables& t, u32 number) {
  const Header& h = t.headers[number];
  if (h.matrix < t.matrices.size() && t.matrices[h.matrix]) {
    const Matrix& m = *t.matrices[h.matrix];
    CellBudgets cells(t);
    for (size_t c = 0; c < m.cells(); ++c)
      if (m.lands[c] != k_no_land && (m.headers.empty() || m.headers[c] == number)) cells.add_cell(m, c);
    if (!cells.empty()) cells.add_view_budgets(to), cells.add_peak_land_budgets(to);
  }
  if (h.area < t.areas.size() && t.areas[h.area]) add_area_budgets(to, t, *t.areas[h.area]);
  if (const auto bytes = t.files().of(FileRole::events).read(h.events))
    to.add("events", bytes->size(), k_events_room, "bytes", text("size of events file ", h.events));
}

void add_land_budgets(Budgets& to, const GameTables& t, u32 number, const LandData& land) {
  CellBudgets cells(t);
  for (const auto& m : t.matrices)
    for (size_t c = 0; m && c < m->cells(); ++c)
      if (m->lands[c] == number) cells.add_cell(*m, c);
  if (!cells.empty()) cells.add_view_budgets(to);
  add_budgets(to, land);
  if (!cells.empty()) cells.add_slope_budget(to);
}

}  // namespace

std::span<const std::string_view> budget_kinds() {
  static const std::string_view k_kinds[] = {kind_of(FileRole::headers), kind_of(FileRole::areas)};
  return k_kinds;
}

std::optional<Value> compute_budget(const GameTables& t, const GamePart& part) {
  Value out = Value::object();
  out.add("part", part.id());
  if (!part.name.empty()) out.add("name", part.name);
  Budgets budgets(out);
  const auto is = [&](FileRole role) { return part.kind == kind_of(role); };
  const u32 n = part.number;
  if (is(FileRole::headers) && n < t.headers.size()) {
    add_header_budgets(budgets, t, n);
  } else if (is(FileRole::areas) && n < t.areas.size() && t.areas[n]) {
    add_area_budgets(budgets, t, *t.areas[n]);
  } else if (is(FileRole::matrices) && n < t.matrices.size() && t.matrices[n]) {
    const Matrix& m = *t.matrices[n];
    CellBudgets cells(t);
    for (size_t c = 0; c < m.cells(); ++c) cells.add_cell(m, c);
    if (!cells.empty()) cells.add_view_budgets(budgets), cells.add_peak_land_budgets(budgets);
    budgets.add("cells", m.cells(), k_most_cells, "cells", "cells of the matrix");
  } else if (is(FileRole::lands)) {
    const auto land = t.land(n);
    if (!land) return {};
    add_land_budgets(budgets, t, n, *land);
  } else if (is(FileRole::props) || is(FileRole::room_props)) {
    const auto prop = t.prop(n, is(FileRole::props) ? FileRole::props : FileRole::room_props);
    if (!prop) return {};
    nitro::add_budgets(budgets, *prop, {});
  } else {
    return {};
  }
  return out;
}

}  // namespace dio::platinum
