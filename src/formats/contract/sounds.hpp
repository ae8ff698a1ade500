// sounds.hpp: decodes sounds in files.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/companions.hpp"

namespace dio {

struct Sound {
  std::string name;  // or its number, if it has no name
  std::string path;  // of its record in the file
  u32 rate = 0;      // samples per second
  bool loops = false;
  std::vector<i16> samples;  // of one channel; empty if they are missing
};

/// Formats whose files contain sounds.
struct Sounds {
  /// All sounds, in file order.
  std::vector<Sound> (*sounds)(const AnyDocument&, std::span<const Companion>);
};

}  // namespace dio
