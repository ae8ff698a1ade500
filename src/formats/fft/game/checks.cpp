// checks.cpp: faults that appear only when the files of a map are combined, state by state, as in the game. The check
// of a single file finds faults of that file.
#include "formats/fft/check/checks.hpp"

#include <map>
#include <set>
#include <tuple>

#include "formats/contract/findings.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/scene/texture_animation_player.hpp"

namespace dio::fft {

std::span<const Rule> map_rules() {
  static constexpr Rule k_rules[] = {
      {"fft.state-anim-loss", Severity::warning,
       "a file that replaces the primary mesh of a map also contains the animated meshes",
       "When the game loads a file with a primary mesh, it clears all nine meshes of the map. The animated meshes of "
       "earlier files disappear unless the new file contains animated meshes.",
       "Copy the animated meshes into the file that replaces the primary mesh.", "a decompilation of the game"},
  };
  return k_rules;
}

namespace {

using enum Severity;

/// The slot of a part, by the start of a path in it.
size_t slot_of_path_prefix(std::string_view path) {
  const std::string_view part = path.substr(0, path.find('.'));
  if (part == "terrain") return Mesh::k_terrain_slot;
  if (part == "mesh_animations") return Mesh::k_mesh_animations_slot;
  for (size_t i = 0; i < k_animated_meshes; ++i)
    if (part == Mesh::k_animated_names[i]) return Mesh::k_animated_slot + i;
  return Mesh::k_primary_slot;
}
constexpr bool is_mesh_slot(size_t slot) {
  return slot == Mesh::k_primary_slot ||
         (slot >= Mesh::k_animated_slot && slot < Mesh::k_animated_slot + k_animated_meshes);
}

/// A map under check, state by state. A fault that several states share is reported for the first of them.
class MapCheck {
 public:
  MapCheck(const GameMap& map, Reporter& out) : map_(map), out_(out) {}

  void check() {
    check_textures();
    for (const MapState& state : map_.states()) {
      MergedMap m = map_.merge_meshes_for_state(state);
      const bool is_default = state == MapState{};
      where_ = is_default ? "" : text(" (state ", map_.state_name(state), ")");
      const bool complete = are_all_meshes_readable(state);
      if (is_default && complete) check_required_parts(m);
      if (m.texture_animations && !m.palette_frames && complete) check_palette_animations(m);
      check_lost_animated_meshes(m);
      check_meshes(m);
      check_mesh_motion(m);
    }
  }

 private:
  /// Whether all mesh files of a state could be read: otherwise missing parts cannot be determined.
  bool are_all_meshes_readable(const MapState& state) const {
    return std::ranges::none_of(find_loaded_rows(map_.gns(), state), [&](u32 row) {
      return map_.gns().rows[row].type >= k_primary_type && map_.read(row).problem;
    });
  }
  void report(Severity severity, std::string_view id, const dio::Location& place, DiagnosticText said) {
    said.message += where_;
    if (said_.emplace(id, place.file, place.path).second) out_.report(severity, id, place, std::move(said));
  }

  void check_textures() {
    const auto is_texture = [](const GnsRow& r) {
      return r.type == k_texture_type || (r.type >= k_page_type && r.type < k_page_type + k_pages);
    };
    if (std::ranges::any_of(map_.gns().rows, [&](const GnsRow& r) { return is_texture(r) && is_default(r); })) return;
    const MergedMap m = map_.merge_meshes_for_state({});
    const bool has_pages = std::ranges::any_of(m.pages, [](const TexturePage* p) { return p != nullptr; });
    if (!has_pages && are_all_meshes_readable({}))
      report(error, "fft.gns-default", dio::Location::in_file(map_.files().gns, "rows"),
             {.message = "the default state has no texture",
              .hint = "add a row of type 0x17 with variable 0x22 or 0x30 and state 0, or add a texture page to the "
                      "mesh file"});
  }

  void check_required_parts(const MergedMap& m) {
    std::string missing;
    const auto need = [&](bool there, std::string_view name) {
      if (!there) missing += (missing.empty() ? "" : ", ") + std::string(name);
    };
    need(m.primary.has_value(), "polygons");
    need(m.palettes, "palettes");
    need(m.lights, "lights");
    need(m.terrain, "terrain");
    need(m.gray_palettes, "gray palettes");
    if (!missing.empty())
      report(error, "fft.required", dio::Location::in_file(map_.files().gns, "rows"),
             {.message = "the default state has no " + missing});
  }

  void check_palette_animations(const MergedMap& m) {
    const auto& rows = m.texture_animations->rows;
    for (size_t i = 0; i < rows.size(); ++i)
      if (decode_texture_motion(rows[i]).what == TextureMotionKind::TextureMotionTarget::palette)
        report(error, "fft.texanim-palette",
               dio::Location::in_file(m.supplier(Mesh::k_texture_animations_slot)->path,
                                      text("texture_animations.rows[", i, "]")),
               {.message = "the row animates a palette, but no file has palette frames (pointer at 0x70)"});
  }

  void check_lost_animated_meshes(const MergedMap& m) {
    std::map<u32, std::pair<u32, std::string>> lost;  // by the file that clears them: the source file, and the meshes
    for (const ReplacedPart& d : m.dropped)
      if (d.lost) {
        auto& [file, names] = lost[d.by];
        file = d.file;
        names += (names.empty() ? "" : ", ") + std::to_string(d.slot - Mesh::k_animated_slot + 1);
      }
    for (const auto& [by, what] : lost) {
      const bool one = what.second.find(',') == what.second.npos;
      report(warning, "fft.state-anim-loss", dio::Location::in_file(m.files[by].path, "primary"),
             {.message = text(one ? "animated mesh " : "animated meshes ", what.second, " of ",
                              file_name(m.files[what.first].path), one ? " is" : " are", " not shown"),
              .hint = one ? "to show the mesh in this state, add it to this file as well"
                          : "to show the meshes in this state, add them to this file as well"});
    }
  }

  /// Reports findings in parts from several files. If several files add to a mesh, polygon numbers fit none of them and
  /// are left out of the path.
  void report_merged_findings(const MergedMap& m, const Findings& findings) {
    for (const Diagnostic& d : findings.list) {
      const size_t slot = slot_of_path_prefix(d.place.path);
      const MapFile* file = m.supplier(slot);
      const auto suppliers = std::ranges::count(m.supplies, slot, &PartSource::slot);
      const std::string& path = d.place.path;
      report(d.severity, d.id,
             dio::Location::in_file(file ? file->path : map_.files().gns,
                                    suppliers > 1 && is_mesh_slot(slot) ? path.substr(0, path.find('.')) : path),
             {.message = d.message, .hint = d.hint});
    }
  }
  /// The source files of the parts for whose slots `wanted` holds.
  std::set<u32> find_supplying_files(const MergedMap& m, auto wanted) const {
    std::set<u32> files;
    for (const PartSource& s : m.supplies)
      if (wanted(s.slot)) files.insert(s.file);
    return files;
  }

  void check_meshes(const MergedMap& m) {
    const auto meshes = list_present_meshes(m.primary, m.animated);
    const auto files = find_supplying_files(m, is_mesh_slot);
    Findings findings(rules());
    Reporter r(findings);
    if (files.size() > 1) check_polygon_counts(r, meshes);
    if (m.terrain && (files.size() > 1 || find_supplying_files(m, [](size_t slot) {
                                            return is_mesh_slot(slot) || slot == Mesh::k_terrain_slot;
                                          }).size() > 1))
      check_polygon_placement(r, meshes, *m.terrain);
    report_merged_findings(m, findings);
  }

  void check_mesh_motion(const MergedMap& m) {
    const auto files =
        find_supplying_files(m, [](size_t slot) { return is_mesh_slot(slot) || slot == Mesh::k_mesh_animations_slot; });
    if (files.size() < 2 && m.mesh_animations) return;  // found by the check of the file
    std::array<bool, k_animated_meshes> there{}, lost{};
    for (size_t i = 0; i < k_animated_meshes; ++i) there[i] = m.animated[i].has_value();
    for (const ReplacedPart& d : m.dropped)
      if (d.lost) lost[d.slot - Mesh::k_animated_slot] = true;
    Findings findings(rules());
    Reporter r(findings);
    check_animated_mesh_visibility(r, m.mesh_animations, there, lost);
    report_merged_findings(m, findings);
  }

  const GameMap& map_;
  Reporter& out_;
  std::string where_;  // " (state night)", empty for the default
  std::set<std::tuple<std::string, std::string, std::string>> said_;
};

}  // namespace

void check_map(const GameMap& map, Reporter& out) { MapCheck(map, out).check(); }

}  // namespace dio::fft
