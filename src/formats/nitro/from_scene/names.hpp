// names.hpp: names that fit in dictionaries.
#pragma once
#include <set>
#include <string>

#include "core/bytes.hpp"

namespace dio::nitro {

/// Shortens a name to at most 16 printable ASCII characters, for a dictionary.
std::string truncate_name(std::string_view wanted);

/// Makes names unique within a dictionary, with at most 16 ASCII characters. Longer names are cut; duplicates are
/// numbered.
class Names {
 public:
  std::string operator()(std::string_view wanted, std::string_view otherwise);
  u32 changed() const { return changed_; }

 private:
  std::set<std::string, std::less<>> used_;
  u32 changed_ = 0;  // names that differ from the requested ones
};

}  // namespace dio::nitro
