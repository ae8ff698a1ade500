// sounds.hpp: sounds in files, decoded.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/companions.hpp"

namespace dio {

struct Sound {
  std::string name;  // without a name, its number
  std::string path;  // of its record in the file
  u32 rate = 0;      // samples per second
  bool loops = false;
  std::vector<i16> samples;  // of one channel; empty: they are missing
};

/// Formats whose files have sounds.
struct Sounds {
  /// All of them, in the order of the file.
  std::vector<Sound> (*sounds)(const AnyDocument&, std::span<const Companion>);
};

}  // namespace dio
