#include "formats/platinum/sources/c_text.hpp"

#include <charconv>
#include <unordered_map>

namespace dio::platinum {

namespace {

bool is_identifier_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::optional<i64> parse_c_integer(std::string_view digits) {
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  }
  while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'U' || digits.back() == 'L'))
    digits.remove_suffix(1);
  u32 n = 0;  // no map number is larger
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), n, base);
  if (digits.empty() || end.ec != std::errc() || end.ptr != digits.data() + digits.size()) return {};
  return i64(n);
}

/// Scanning functions; each returns the position after the item that starts at `i`.
size_t skip_comment(std::string_view text, size_t i) {
  const bool is_line = text[i + 1] == '/';
  const size_t end = text.find(is_line ? "\n" : "*/", i + 2);
  return end == text.npos ? text.size() : end + (is_line ? 0 : 2);
}
bool is_comment(std::string_view text, size_t i) {
  return text[i] == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*');
}
size_t skip_line(std::string_view text, size_t i) {
  for (; i < text.size(); ++i)
    if (text[i] == '\n' && (!i || text[i - 1] != '\\')) return i;
  return i;
}
/// Whether the `#` at `i` is the first character of its line.
bool is_first_in_line(std::string_view text, size_t i) {
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) --i;
  return i == 0 || text[i - 1] == '\n';
}

/// Evaluates an expression.
class Sum {
 public:
  Sum(std::vector<CToken> tokens, const std::function<std::optional<i64>(std::string_view)>& named)
      : tokens_(std::move(tokens)), named_(named) {}
  std::optional<i64> evaluate() {
    const auto out = parse_sum(0);
    return at_ == tokens_.size() ? out : std::nullopt;
  }

 private:
  std::optional<i64> parse_sum(int depth) {
    auto out = parse_term(depth);
    while (out && at_ < tokens_.size() && (tokens_[at_].is("+") || tokens_[at_].is("-"))) {
      const i64 sign = tokens_[at_++].is("+") ? 1 : -1;
      const auto more = parse_term(depth);
      if (!more || *out > k_most || *out < -k_most) return {};
      *out += sign * *more;
    }
    return out;
  }
  std::optional<i64> parse_term(int depth) {
    if (at_ >= tokens_.size() || depth > 16) return {};
    const CToken& t = tokens_[at_++];
    if (t.is("(")) {
      const auto inside = parse_sum(depth + 1);
      if (at_ >= tokens_.size() || !tokens_[at_++].is(")")) return {};
      return inside;
    }
    if (t.text[0] >= '0' && t.text[0] <= '9') return parse_c_integer(t.text);
    return t.is_word() ? named_(t.text) : std::nullopt;
  }
  static constexpr i64 k_most = i64(1) << 40;
  std::vector<CToken> tokens_;
  const std::function<std::optional<i64>(std::string_view)>& named_;
  size_t at_ = 0;
};

}  // namespace

bool CToken::is_word() const {
  return !text.empty() && is_identifier_char(text[0]) && !(text[0] >= '0' && text[0] <= '9');
}

std::vector<CToken> tokenize_c(std::string_view text) {
  std::vector<CToken> out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (is_space(text[i])) {
      i = end;
      continue;
    }
    if (is_comment(text, i)) {
      i = skip_comment(text, i);
      continue;
    }
    if (text[i] == '#' && is_first_in_line(text, i)) {
      i = skip_line(text, i);
      continue;
    }
    if (is_identifier_char(text[i])) {
      while (end < text.size() && is_identifier_char(text[end])) ++end;
    } else if (text[i] == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    }
    out.push_back({text.substr(i, end - i), i});
    i = end;
  }
  return out;
}

std::optional<size_t> find_c_conditional(std::string_view text, size_t begin, size_t end) {
  for (size_t i = text.find('#', begin); i < end && i != text.npos; i = text.find('#', i + 1))
    if (is_first_in_line(text, i)) return i;
  return {};
}

std::optional<i64> evaluate_c_expression(std::string_view expression,
                                         const std::function<std::optional<i64>(std::string_view)>& named) {
  return Sum(tokenize_c(expression), named).evaluate();
}

std::vector<std::pair<std::string_view, i64>> parse_c_constants(std::string_view text) {
  std::vector<std::pair<std::string_view, i64>> out;
  std::unordered_map<std::string_view, i64> known;
  const auto named = [&](std::string_view name) -> std::optional<i64> {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  const auto add = [&](std::string_view name, std::optional<i64> value) {
    if (value && known.emplace(name, *value).second) out.emplace_back(name, *value);
  };
  for (size_t i = text.find('#'); i != text.npos; i = text.find('#', i)) {
    const size_t end = skip_line(text, i);
    if (is_first_in_line(text, i)) {
      std::string_view line = text.substr(i + 1, end - i - 1);
      const auto tokens = tokenize_c(line);
      if (tokens.size() > 2 && tokens[0].is("define") && tokens[2].at > tokens[1].end())
        add(tokens[1].text, evaluate_c_expression(line.substr(tokens[2].at), named));
    }
    i = std::max(end, i + 1);
  }
  const auto tokens = tokenize_c(text);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is("enum")) continue;
    size_t at = i + 1 + tokens[i + 1].is_word();
    if (at >= tokens.size() || !tokens[at].is("{")) continue;
    i64 next = 0;
    for (++at; at < tokens.size() && tokens[at].is_word(); ++at) {
      const std::string_view name = tokens[at++].text;
      if (at < tokens.size() && tokens[at].is("=")) {
        const size_t start = ++at;
        while (at < tokens.size() && !tokens[at].is(",") && !tokens[at].is("}")) ++at;
        if (start == at || at >= tokens.size()) break;
        const auto value =
            evaluate_c_expression(text.substr(tokens[start].at, tokens[at - 1].end() - tokens[start].at), named);
        if (!value) break;
        next = *value;
      }
      add(name, next++);
      if (at >= tokens.size() || !tokens[at].is(",")) break;
    }
    i = at;
  }
  return out;
}

}  // namespace dio::platinum
