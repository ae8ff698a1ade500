// names.hpp: names as dictionaries hold them.
#pragma once
#include <set>
#include <string>

#include "core/bytes.hpp"

namespace dio::nitro {

/// A name as a dictionary can hold it: at most 16 printable ASCII characters.
std::string truncate_name(std::string_view wanted);

/// Names that are unique in a dictionary: at most 16 ASCII characters. What does not fit is cut, and numbered where it
/// is there already.
class Names {
 public:
  std::string operator()(std::string_view wanted, std::string_view otherwise);
  u32 changed() const { return changed_; }

 private:
  std::set<std::string, std::less<>> used_;
  u32 changed_ = 0;  // names that are not as they were wanted
};

}  // namespace dio::nitro
