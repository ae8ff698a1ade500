// file_roles.hpp: the role of a game file by its path in the cartridge, in an unpacked folder, or in the decompilation.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio::platinum {

/// A kind of file, and its path in each game, or the path of its archive.
struct FileRolePath {
  std::string_view id;           // land_data: the stem of the archive's name, without a version
  std::string_view title;        // "land data"
  std::string_view format;       // format of the files; empty: unknown
  std::string_view platinum;     // fielddata/land_data/land_data.narc
  std::string_view hgss = {};    // a/0/6/5
  std::string_view folder = {};  // folder of the loose files in the decompilation: res/field/maps/data
  std::string_view stem = {};    // start of their names there, before the number: map_data
  bool archive = true;
  std::string_view hgss_format = {};  // format in HeartGold and SoulSilver, if different
};
std::span<const FileRolePath> file_role_paths();
/// Finds a role by id; null if there is none.
const FileRolePath* find_file_role_path(std::string_view id);

struct RoleMatch {
  const FileRolePath* place = nullptr;
  std::optional<u32> number;  // member number; empty for the file itself, or a member without a number in its name
  bool hgss = false;
  std::string_view format() const { return hgss && !place->hgss_format.empty() ? place->hgss_format : place->format; }
  /// "land data 12"
  std::string title() const;
};
/// The file at a path: "fielddata/mapmatrix/map_matrix.narc/12", ".../map_matrix/0012.bin", "map_matrix_0012.bin",
/// "a/0/4/1/12". Nothing if the path is not known.
std::optional<RoleMatch> match_file_role(std::string_view path);
/// The role of an archive member in the game: "land data 12"; empty if its path is not known.
std::string describe_member_role(std::string_view archive_path, u64 member);

}  // namespace dio::platinum
