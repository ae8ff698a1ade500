// checks.hpp: declarations shared by the checks across files. Each group of checks has its own file.
#pragma once
#include "formats/contract/game.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/game/tables.hpp"

namespace dio::platinum {

struct GameCheck {
  const GameTables& t;
  const std::vector<Use> uses;
  Findings findings = Findings(game_rules());
  Reporter out = Reporter(findings);

  void check_headers();  // checks.cpp
  void check_member_counts();
  void check_matrices();  // matrices.cpp
  void check_land_seams();
  void check_reachable_ground();
  void check_areas();  // areas.cpp
  void check_prop_sets();
  void check_prop_set(u32 i);
  void check_unused_land_textures();
  void check_palette_alignments();
  void check_bicycle_slopes();
  void check_texture_animations();
  void check_props();           // props.cpp
  void check_events();          // events.cpp
  void check_polygon_counts();  // polygons.cpp

  std::string path(FileRole role, u32 number) const { return t.files().of(role).path(number); }
  /// `header 3 (T01)`
  std::string header_text(u32 header) const;
  /// The location of a cell in one of the lists of a matrix.
  dio::Location cell_location(u32 matrix, std::string_view list, size_t cell) const;
  /// Reports a finding about a field of a header.
  void report_header_field(Severity, std::string_view id, u32 header, std::string_view field, DiagnosticText);
};

/// The first few of many names, and the number of the others.
std::string join_first_names(const std::vector<std::string>& names, size_t most = 4);

/// `land_data_ids[2][5]`: a cell of a matrix.
inline std::string cell_path(std::string_view list, const Matrix& m, size_t cell) {
  return text(list, "[", cell / m.width, "][", cell % m.width, "]");
}

/// Like nitro::missing_names, for one set.
std::vector<std::string> missing_names(const nitro::Model&, const nitro::Textures&);

}  // namespace dio::platinum
