// c_text.hpp: as much of C as tables and constants are written in.
#pragma once
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"

namespace dio::platinum {

/// A word, a number, or a single other character.
struct CToken {
  std::string_view text;
  size_t at = 0;  // its first byte
  size_t end() const { return at + text.size(); }
  bool is(std::string_view what) const { return text == what; }
  bool is_word() const;
};
/// The tokens of a text, without comments and without lines of the preprocessor. Texts in quotes are one token.
std::vector<CToken> tokenize_c(std::string_view text);
/// The first `#if` or `#else` between two places, or nothing.
std::optional<size_t> find_c_conditional(std::string_view text, size_t begin, size_t end);

/// The value of numbers, names and sums: `0x10`, `(START + 2)`. Nothing for all else.
std::optional<i64> evaluate_c_expression(std::string_view expression,
                                         const std::function<std::optional<i64>(std::string_view name)>& named);

/// The constants of `#define` and of enums, in their order; those of other forms are left out.
std::vector<std::pair<std::string_view, i64>> parse_c_constants(std::string_view text);

}  // namespace dio::platinum
