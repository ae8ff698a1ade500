// c_text.hpp: the subset of C used for tables and constants.
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
  size_t at = 0;  // position of its first byte
  size_t end() const { return at + text.size(); }
  bool is(std::string_view what) const { return text == what; }
  bool is_word() const;
};
/// The tokens of a text, without comments and preprocessor lines. A string is one token.
std::vector<CToken> tokenize_c(std::string_view text);
/// The first `#if` or `#else` between two positions, or nothing.
std::optional<size_t> find_c_conditional(std::string_view text, size_t begin, size_t end);

/// The value of a number, name or sum: `0x10`, `(START + 2)`. Nothing for anything else.
std::optional<i64> evaluate_c_expression(std::string_view expression,
                                         const std::function<std::optional<i64>(std::string_view name)>& named);

/// The constants of `#define` and of enums, in order; other forms are skipped.
std::vector<std::pair<std::string_view, i64>> parse_c_constants(std::string_view text);

}  // namespace dio::platinum
