#include "formats/platinum/game/exported_lands.hpp"

#include <algorithm>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/game/parts.hpp"
#include "scene/append_scene.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"

namespace dio::platinum {

using scene::Index;

std::vector<ExportedLand> find_exported_lands(const GameTables& t, const scene::Scene& s, f64 units) {
  std::vector<ExportedLand> out;
  const auto places = scene::world_transforms(s);
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    if (scene::read_text_extra(n.extras, "kind") != "platinum.land") continue;
    const auto number = scene::read_number_extra(n.extras, "land");
    const Value* list = n.extras.find("cell");
    const auto cell = list ? scene::parse_number_list(*list, 2) : std::nullopt;
    if (!number || *number < 0 || *number >= k_no_land || !cell) continue;
    ExportedLand land{.node = i, .land = u32(*number), .matrix = {}};
    for (size_t k = 0; k < 2; ++k) land.cell[k] = u32(std::clamp((*cell)[k], 0.0, 255.0));
    land.is_filler = scene::read_flag_extra(n.extras, "borrowed_area").value_or(false);
    land.x = places[i].origin[0] * units, land.z = places[i].origin[2] * units;
    for (Index up = n.parent; up != scene::k_none; up = s.nodes[up].parent)
      if (const auto file = scene::read_text_extra(s.nodes[up].extras, "file");
          file && scene::read_text_extra(s.nodes[up].extras, "kind") == "platinum.matrix")
        if (const auto matrix = t.files().of(FileRole::matrices).find_number_by_name(*file)) land.matrix = matrix;
    out.push_back(land);
  }
  return out;
}

bool replaces_exported_land(const GameTables& t, std::span<const ExportedLand> lands, const MapTarget& wanted) {
  if (lands.empty() || wanted.new_matrix || wanted.new_area || wanted.area) return false;
  const auto matrix = lands[0].matrix;
  std::array<u32, 2> first = lands[0].cell;
  for (const ExportedLand& l : lands) {
    if (!matrix || l.matrix != matrix || *matrix >= t.matrices.size() || !t.matrices[*matrix]) return false;
    const Matrix& m = *t.matrices[*matrix];
    const size_t cell = size_t(l.cell[1]) * m.width + l.cell[0];
    if (l.cell[0] >= m.width || cell >= m.cells() || m.lands[cell] != l.land) return false;
    for (size_t k = 0; k < 2; ++k) first[k] = std::min(first[k], l.cell[k]);
  }
  if (wanted.matrix) return wanted.matrix == matrix && wanted.at.value_or(std::array<u32, 2>{}) == first;
  if (!wanted.header) return true;
  return t.headers[*wanted.header].matrix == *matrix && first == std::array<u32, 2>{} &&
         t.matrices[*matrix]->headers.empty() && std::ranges::count(t.headers, *matrix, &Header::matrix) == 1;
}

u64 count_cells_with_land(const GameTables& t, u32 land) {
  u64 count = 0;
  for (const auto& m : t.matrices)
    if (m) count += u64(std::ranges::count(m->lands, u16(land)));
  return count;
}

namespace {

/// Adds a part of the game to a scene, at the positions its lands have in the edited scene; skips missing lands.
void append_world_part(scene::Scene& to, const GameTables& t, const std::string& part, const WorldOptions& shown,
                       std::span<const ExportedLand> lands) {
  auto staged = build_world_scene(t, part, shown);
  if (!staged) return;
  scene::Scene& world = staged->scene;
  std::optional<std::array<f64, 2>> shift;
  std::vector<bool> is_out(world.nodes.size());
  for (const ExportedLand& here : find_exported_lands(t, world, 1)) {
    const auto there = std::ranges::find_if(lands, [&](const ExportedLand& l) {
      return l.land == here.land && (l.cell == here.cell || lands.size() == 1);
    });
    if (there == lands.end())
      is_out[here.node] = true;
    else if (!shift)
      shift = {there->x - here.x, there->z - here.z};
  }
  if (!shift) return;
  for (Index i = 0; i < world.nodes.size(); ++i) {
    scene::Node& n = world.nodes[i];
    if (n.parent != scene::k_none && is_out[n.parent]) is_out[i] = true;
    if (is_out[i]) n.mesh = n.skin = scene::k_none, n.extras = Value();
  }
  scene::Node at;
  at.translation = {f32((*shift)[0]), 0, f32((*shift)[1])};
  scene::append_scene(to, std::move(world), at);
}

}  // namespace

BuiltLandMaps build_original_maps(const GameTables& t, const scene::Scene& s, const MapOptions& as,
                                  std::span<const ExportedLand> lands) {
  scene::Scene was;
  WorldOptions shown;
  for (const scene::Node& n : s.nodes)
    if (scene::read_text_extra(n.extras, "kind") == "platinum.heights") shown.show = {"heights"};
  // Matrices to export as a whole: the area of filler depends on its neighbours, and cells with the same land may have
  // different altitudes.
  std::set<u32> whole;
  for (const ExportedLand& land : lands)
    if (land.matrix && (land.is_filler || count_cells_with_land(t, land.land) > 1)) whole.insert(*land.matrix);
  for (const ExportedLand& land : lands) {
    if (land.land >= t.files().of(FileRole::lands).count() || (land.matrix && whole.contains(*land.matrix))) continue;
    append_world_part(was, t, text("land/", land.land), shown, {&land, 1});
  }
  for (const u32 matrix : whole) append_world_part(was, t, text("matrix/", matrix), shown, lands);
  if (was.nodes.empty()) return {};
  MapOptions options;
  options.middle = as.middle, options.only = as.only;
  options.wants_model = [](const BuiltLandMap&) { return false; };
  auto made = build_land_maps(was, options);
  return made ? std::move(*made) : BuiltLandMaps{};
}

}  // namespace dio::platinum
