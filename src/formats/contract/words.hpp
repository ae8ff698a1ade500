// words.hpp: numbers that have words, as people read them.
#pragma once
#include <string>

#include "layout/key.hpp"

namespace dio {

/// The word of a number; its digits where it has none.
inline std::string word_or_number(const Words& words, i64 n) {
  const auto word = words.of(n);
  return word.empty() ? std::to_string(n) : std::string(word);
}

}  // namespace dio
