// map_names.hpp: what the names of files say: MAP001.GNS is the list of map 1, MAP001.9 one of its files.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio::fft {

/// A path by its folder and its name, in the form in which names are compared.
struct PathParts {
  std::string_view folder;  // with its slash
  std::string name;         // in capitals, without the version that names on discs have (;1)
};
PathParts path_parts(std::string_view path);

struct MapName {
  std::string map;          // MAP001
  u32 number = 0;           // 1
  std::optional<u32> file;  // 9 of MAP001.9; nothing: it is the list (MAP001.GNS)
};
/// Of a path whose name is one of these, in any case and with or without a version.
std::optional<MapName> map_name(std::string_view path);

}  // namespace dio::fft
