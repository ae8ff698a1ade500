// enum_names.hpp: the words of enumerated values, for display.
#pragma once
#include <string>

#include "layout/key.hpp"

namespace dio {

/// The word of a number, or its digits if it has none.
inline std::string enum_name_or_number(const EnumNames& words, i64 n) {
  const auto word = words.of(n);
  return word.empty() ? std::to_string(n) : std::string(word);
}

}  // namespace dio
