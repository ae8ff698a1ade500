// map_names.hpp: the names of map files: MAP001.GNS is the list of map 1, MAP001.9 one of its files.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio::fft {

/// The folder and the name of a path, the name in comparable form.
struct PathParts {
  std::string_view folder;  // with its slash
  std::string name;         // in capitals, without the version in names on discs (;1)
};
PathParts split_map_path(std::string_view path);

struct MapName {
  std::string map;          // MAP001
  u32 number = 0;           // 1
  std::optional<u32> file;  // 9 of MAP001.9; nothing for the list (MAP001.GNS)
};
/// Nothing for other names. Ignores case and a version (;1).
std::optional<MapName> parse_map_name(std::string_view path);

}  // namespace dio::fft
