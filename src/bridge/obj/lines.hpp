// lines.hpp: the statements of OBJ and MTL files.
#pragma once
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "core/text_format.hpp"

namespace dio::obj {

inline constexpr std::string_view k_blanks = " \t\r\f\v";

inline std::string_view trim_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(k_blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(k_blanks) + 1 - first);
}

/// A line, or several that are joined by a backslash at their end.
struct Statement {
  size_t line = 0;  // from 1
  std::string_view keyword, rest;
  /// The next word of `rest`, which is removed from it; empty at the end.
  std::string_view next_word() {
    const size_t end = std::min(rest.find_first_of(k_blanks), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest = trim_blanks(rest.substr(end));
    return word;
  }
};

/// Reads one statement after another, without empty lines and comments.
class Statements {
 public:
  explicit Statements(ByteView file) : left_(reinterpret_cast<const char*>(file.data()), file.size()) {
    if (left_.starts_with("\xEF\xBB\xBF")) left_.remove_prefix(3);
  }

  std::optional<Statement> next() {
    while (!left_.empty()) {
      Statement out;
      out.line = line_ + 1;
      out.rest = trim_blanks(next_line());
      if (out.rest.ends_with('\\') && !out.rest.starts_with('#')) out.rest = join_lines(out.rest);
      if (out.rest.empty() || out.rest.starts_with('#')) continue;
      out.keyword = out.next_word();
      return out;
    }
    return {};
  }

 private:
  std::string_view next_line() {
    const size_t end = left_.find('\n');
    const std::string_view line = left_.substr(0, end);
    left_.remove_prefix(end == left_.npos ? left_.size() : end + 1);
    ++line_;
    return line;
  }
  std::string_view join_lines(std::string_view first) {
    joined_.assign(first);
    while (joined_.ends_with('\\')) {
      joined_.back() = ' ';
      if (left_.empty()) break;
      joined_ += trim_blanks(next_line());
    }
    return trim_blanks(joined_);
  }

  std::string_view left_;
  std::string joined_;
  size_t line_ = 0;
};

/// A finite number of 32 bits; nothing for another text.
inline std::optional<f32> parse_number(std::string_view word) {
  if (word.empty() || word.find_first_not_of("0123456789+-.eE") != word.npos) return {};
  const f64 x = parse_real(word.starts_with('+') ? word.substr(1) : word);
  return std::isfinite(x) && std::isfinite(f32(x)) ? std::optional(f32(x)) : std::nullopt;
}

}  // namespace dio::obj
