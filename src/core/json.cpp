#include "core/json.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/byte_source.hpp"
#include "core/text_format.hpp"

namespace dio::json {

namespace {

constexpr size_t k_depth = 128;

/// Eight characters at a time; the first is the lowest byte.
u64 load_8_chars(const char* at) {
  u64 w;
  std::memcpy(&w, at, 8);
  return std::endian::native == std::endian::little ? w : __builtin_bswap64(w);
}
constexpr u64 k_each = 0x0101010101010101, k_high = 0x80 * k_each;
/// Sets the highest bit of the first byte below `n` (at most 0x80), and of no earlier byte.
constexpr u64 find_byte_below(u64 w, u64 n) { return (w - n * k_each) & ~w & k_high; }
constexpr u64 equal(u64 w, char c) { return find_byte_below(w ^ (k_each * u8(c)), 1); }

// ---------------------------------------------------------------------------------------------------------- writing

class Writer {
  using Id = Dom::Id;

 public:
  /// Collects long byte runs: their position in the text, where an empty text is written instead.
  using ExtractedRun = std::function<void(size_t at, ByteView)>;
  Writer(const Dom& dom, Style style, ExtractedRun aside = {}) : dom_(dom), style_(style), aside_(std::move(aside)) {}

  std::string run() {
    size_t expected = 64;
    for (Id i = 0; i < dom_.count(); ++i)
      expected += 24 + (dom_.is_bytes(i) && !is_aside(dom_.bytes(i)) ? 2 * dom_.bytes(i).size() : 0);
    out_.resize(expected);
    if (style_.indent > 0) {
      write_indented(0, 0, 0);
    } else {
      write_on_one_line(0);
    }
    out_.resize(size_);
    return std::move(out_);
  }

 private:
  // The text grows by the bytes written at `at`, after room is reserved.
  char* ensure_capacity(size_t n) {
    if (out_.size() - size_ < n) out_.resize(std::max(2 * out_.size(), size_ + n));
    return out_.data() + size_;
  }
  void set_end(const char* at) { size_ = size_t(at - out_.data()); }
  static char* append_at(char* at, char c) {
    *at = c;
    return at + 1;
  }
  static char* append_at(char* at, std::string_view text) {
    // Most pieces are short names and numbers, for which a call to memcpy would take longer than the copy.
    const char* from = text.data();
    const size_t n = text.size();
    if (n > 16) {
      std::memcpy(at, from, n);
    } else if (n >= 8) {
      std::memcpy(at, from, 8);
      std::memcpy(at + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
      std::memcpy(at, from, 4);
      std::memcpy(at + n - 4, from + n - 4, 4);
    } else {
      for (size_t i = 0; i < n; ++i) at[i] = from[i];
    }
    return at + n;
  }
  void append_at(char c) { set_end(append_at(ensure_capacity(1), c)); }

  /// Whether the text contains no character that JSON escapes.
  static bool is_plain(std::string_view text) {
    const char* at = text.data();
    size_t n = text.size();
    const auto other = [](u64 w) {
      return find_byte_below(w, ' ') | equal(w, '"') | equal(w, '\\') | equal(w, '\x7f') | (w & k_high);
    };
    for (; n >= 8; at += 8, n -= 8)
      if (other(load_8_chars(at))) return false;
    if (!n) return true;
    u64 w = k_each * '-';  // behind the end
    for (size_t i = 0; i < n; ++i) w = w << 8 | u8(at[i]);
    return !other(w);
  }
  void write_string(std::string_view text) {
    if (is_plain(text)) {
      char* at = ensure_capacity(text.size() + 2);
      at = append_at(at, '"');
      at = append_at(at, text);
      return set_end(append_at(at, '"'));
    }
    out_.resize(size_);
    append_json_string(out_, text);
    size_ = out_.size();
  }
  void name(Id i) {
    const std::string_view text = dom_.name(i);
    if (is_plain(text)) {
      char* at = ensure_capacity(text.size() + 4);
      at = append_at(at, '"');
      at = append_at(at, text);
      at = append_at(at, '"');
      at = append_at(at, ':');
      return set_end(style_.spaces ? append_at(at, ' ') : at);
    }
    write_string(text);
    append_at(':');
    if (style_.spaces) append_at(' ');
  }

  void write_scalar(Id i) {
    if (dom_.is_bytes(i)) {
      const ByteView bytes = dom_.bytes(i);
      if (is_aside(bytes)) {
        aside_(size_ + 1, bytes);
        return set_end(append_at(ensure_capacity(2), "\"\""));
      }
      char* at = ensure_capacity(2 * bytes.size() + 2);
      at = append_at(at, '"');
      // Without a table, so that the compiler can vectorise the loop.
      const auto digit = [](u8 n) { return char(n + (n < 10 ? '0' : 'a' - 10)); };
      for (size_t k = 0; k < bytes.size(); ++k) {
        at[2 * k] = digit(bytes[k] >> 4);
        at[2 * k + 1] = digit(bytes[k] & 15);
      }
      at += 2 * bytes.size();
      return set_end(append_at(at, '"'));
    }
    if (dom_.is(i, Value::Kind::text)) return write_string(dom_.text(i));
    if (dom_.is(i, Value::Kind::null)) return set_end(append_at(ensure_capacity(4), "null"));
    const std::string_view token = dom_.token(i);
    set_end(append_at(ensure_capacity(token.size()), token));
  }

  /// Writes everything on one line.
  void write_on_one_line(Id i) {
    if (!dom_.is_tree(i)) return write_scalar(i);
    const bool object = dom_.is(i, Value::Kind::object);
    append_at(object ? '{' : '[');
    for (Id child = dom_.first(i), next; child; child = next) {
      next = dom_.next(child);
      if (object) name(child);
      write_on_one_line(child);
      if (next) set_end(append_at(ensure_capacity(2), style_.spaces ? ", " : ","));
    }
    append_at(object ? '}' : ']');
  }

  /// A lower bound for the number of characters (escapes take more). Any value above `most` means more than `most`.
  size_t min_text_size(Id i, size_t most) const {
    if (!dom_.is_tree(i)) {
      if (dom_.is_bytes(i)) return 2 * dom_.bytes(i).size() + 2;
      if (dom_.is(i, Value::Kind::null)) return 4;
      return dom_.token(i).size() + (dom_.is(i, Value::Kind::text) ? 2 : 0);
    }
    const bool object = dom_.is(i, Value::Kind::object);
    size_t size = 2;
    for (Id child = dom_.first(i), next; child && size <= most; child = next) {
      next = dom_.next(child);
      size += (next ? 2 : 0) + (object ? dom_.name(child).size() + 4 : 0);
      if (size <= most) size += min_text_size(child, most - size);
    }
    return size;
  }

  /// The number of values inside, if they are few and none is long: then Style::by_count writes the list on one line.
  /// Adding an element must not change other lines, so a list of objects is never short, except for corners and the
  /// like.
  std::optional<size_t> count_if_few_values(Id i) const {
    if (!dom_.is_tree(i))
      return dom_.is_bytes(i) && dom_.bytes(i).size() > k_few ? std::nullopt : std::optional<size_t>(1);
    const bool object = dom_.is(i, Value::Kind::object);
    size_t values = 0, elements = 0;
    bool has_trees = false;
    for (Id child = dom_.first(i); child; child = dom_.next(child)) {
      const auto more = count_if_few_values(child);
      const bool is_tree = dom_.is_tree(child) && !is_text(child);
      if (!more || (!object && is_tree && *more > k_corner)) return {};
      has_trees |= is_tree;
      values += *more, ++elements;
      if (values > (object || has_trees ? k_few : k_row)) return {};
    }
    if (!object && has_trees && elements > k_corner) return {};
    return values;
  }

  /// Writes a text that is not UTF-8.
  bool is_text(Id i) const {
    const Id only = dom_.first(i);
    return dom_.is(i, Value::Kind::object) && only && !dom_.next(only) && dom_.name(only) == "hex";
  }

  void write_line_break(int level) {
    const size_t n = size_t(level) * size_t(style_.indent);
    char* at = ensure_capacity(n + 1);
    *at = '\n';
    std::memset(at + 1, ' ', n);
    line_ = size_ + 1;
    size_ += n + 1;
  }

  size_t limit() const { return line_ + size_t(std::max(style_.width, 0)); }

  /// Uses one line if the value and the text after it (`after` characters) fit, otherwise one line for each member.
  void write_indented(Id i, int level, size_t after) {
    if (!dom_.is_tree(i)) return write_scalar(i);
    const bool object = dom_.is(i, Value::Kind::object);
    if (!dom_.first(i)) return set_end(append_at(ensure_capacity(2), object ? "{}" : "[]"));
    if (write_on_one_line_if_fits(i, after)) return;
    bool numbers = !object;
    for (Id child = dom_.first(i); child && numbers; child = dom_.next(child)) numbers = dom_.is_number(child);
    append_at(object ? '{' : '[');
    if (numbers) {
      write_number_rows(i, level + 1);
    } else {
      for (Id child = dom_.first(i), next; child; child = next) {
        next = dom_.next(child);
        write_line_break(level + 1);
        if (object) name(child);
        write_indented(child, level + 1, next ? 1 : 0);
        if (next) append_at(',');
      }
    }
    write_line_break(level);
    append_at(object ? '}' : ']');
  }
  /// Writes the value on one line if it belongs on one.
  bool write_on_one_line_if_fits(Id i, size_t after) {
    const size_t start = size_, most = limit() - std::min(limit(), after);
    const bool may_fit = style_.by_count ? count_if_few_values(i).has_value()
                                         : start <= most && min_text_size(i, most - start) <= most - start;
    if (!may_fit) return false;
    write_on_one_line(i);
    if (style_.by_count || size_ <= most) return true;
    size_ = start;
    return false;
  }

  /// Writes a long list of numbers with as many on each line as fit. One number per line would fill pages with tables.
  void write_number_rows(Id list, int level) {
    write_line_break(level);
    bool first_on_line = true;
    size_t i = 0;
    for (Id child = dom_.first(list), next; child; child = next) {
      next = dom_.next(child);
      const std::string_view digits = dom_.token(child);
      const bool is_full = style_.by_count ? i && i % k_row == 0
                                           : !first_on_line && size_ + 1 + digits.size() + (next ? 1 : 0) > limit();
      if (is_full) write_line_break(level);
      char* at = ensure_capacity(digits.size() + 2);
      if (!first_on_line && !is_full) at = append_at(at, ' ');
      at = append_at(at, digits);
      set_end(next ? append_at(at, ',') : at);
      first_on_line = false;
      ++i;
    }
  }

  // Limits for Style::by_count: values of an object on one line, numbers in a row, and numbers in a corner.
  static constexpr size_t k_few = 16, k_row = 32, k_corner = 4;
  static constexpr size_t k_long =
      4096;  // byte runs of this length are collected and never share a line with other values
  bool is_aside(ByteView bytes) const { return aside_ && bytes.size() > k_long; }
  const Dom& dom_;
  Style style_;
  ExtractedRun aside_;
  std::string out_;  // with room at its end
  size_t size_ = 0;  // of the text
  size_t line_ = 0;  // start of the current line
};

// ---------------------------------------------------------------------------------------------------------- reading

std::string to_string(Dom::TextPosition p) {
  return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column);
}

/// Text from the input, shortened for messages.
std::string quote_excerpt(std::string_view token) {
  constexpr size_t k_most = 40;
  size_t end = 0;
  while (end < token.size() && end < k_most) end += std::max<size_t>(utf8_sequence_length(token, end), 1);
  std::string text = "'";
  text += token.substr(0, end);
  return text += end < token.size() ? "...'" : "'";
}

/// Parses text to values. Each token is visited once; lines and columns are counted on demand.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), at_(text.data()), last_(at_ + text.size()) {
    dom_.set_source_text(text);
    dom_.expect(std::min(text.size() / 12, size_t(1) << 18));
  }

  Result<Dom> run() {
    if (!is_text()) return refuse(std::move(why_));
    skip_space();
    if (!value(0)) return refuse(std::move(why_));
    skip_space();
    if (at_ != last_ && !set_unexpected_token_error("the end of the text")) return refuse(std::move(why_));
    return std::move(dom_);
  }

 private:
  using Id = Dom::Id;
  using Kind = Value::Kind;

  // ---- characters ----

  char peek() const { return at_ < last_ ? *at_ : '\0'; }
  size_t here() const { return size_t(at_ - text_.data()); }
  size_t left() const { return size_t(last_ - at_); }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_delimiter(char c) { return std::string_view(" \t\r\n,:[]{}\"").find(c) != std::string_view::npos; }
  void skip_space() {
    if (at_ < last_ && *at_ > ' ') return;
    while (at_ < last_ && is_space(*at_)) {
      ++at_;
      for (u64 other = 0; left() >= 8 && !other;) {  // lines begin with many spaces
        other = load_8_chars(at_) ^ (k_each * ' ');
        at_ += other ? std::countr_zero(other) / 8 : 8;
      }
    }
  }
  void skip_digits() {
    while (is_digit(peek())) ++at_;
  }

  /// UTF-8 without a NUL.
  bool is_text() {
    for (size_t i = 0; i < text_.size();) {
      if (text_.size() - i >= 8) {
        const u64 w = load_8_chars(&text_[i]);
        if (!((w & k_high) | find_byte_below(w, 1))) {
          i += 8;
          continue;
        }
      }
      const size_t length = utf8_sequence_length(text_, i);
      if (length == 0 || text_[i] == '\0') {
        const std::string byte = "the byte " + format_hex(u8(text_[i]), 2);
        if (length != 0) return set_error("json.syntax", i, {.expected = "text", .found = byte});
        return set_error("json.utf8", i, {.expected = "UTF-8 text", .found = byte});
      }
      i += length;
    }
    return true;
  }

  // ---- values ----

  bool value(Id i) {
    switch (peek()) {
      case '{':
        return parse_container(i, Kind::object);
      case '[':
        return parse_container(i, Kind::list);
      case '"': {
        const size_t start = here();
        std::string_view text;
        if (!string(text)) return false;
        dom_.set_text(i, text);
        dom_.set_place(i, start);
        return true;
      }
      case 't':
        return parse_literal(i, Kind::boolean, "true");
      case 'f':
        return parse_literal(i, Kind::boolean, "false");
      case 'n':
        return parse_literal(i, Kind::null, "null");
      default:
        return parse_number(i);
    }
  }

  bool parse_literal(Id i, Kind kind, std::string_view is) {
    if (!text_.substr(here()).starts_with(is)) return set_unexpected_token_error("a value");
    return token(i, kind, is.size());
  }

  /// Ends a token that is a value.
  bool token(Id i, Kind kind, size_t size) {
    dom_.set_token(i, kind, {at_, size});
    at_ += size;
    end_ = here();
    return true;
  }

  bool parse_number(Id i) {
    const char* const first = at_;
    const size_t start = here();
    bool is_real = false;
    if (peek() == '-') ++at_;
    if (peek() == '0')
      ++at_;
    else if (is_digit(peek()))
      skip_digits();
    else
      return set_unexpected_token_error("a value");
    if (peek() == '.') {
      ++at_, is_real = true;
      if (!is_digit(peek())) return set_error(start, "invalid number: no digit after '.'");
      skip_digits();
    }
    const bool has_exponent = peek() == 'e' || peek() == 'E';
    if (has_exponent) {
      ++at_, is_real = true;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!is_digit(peek())) return set_error(start, "invalid number: no digit in the exponent");
      skip_digits();
    }
    const std::string_view digits(first, size_t(at_ - first));
    at_ = first;
    constexpr size_t k_always_fits = 18, k_always_finite = 300;
    if (is_real) {
      if ((has_exponent || digits.size() > k_always_finite) && !std::isfinite(parse_real(digits)))
        return set_error(
            "json.syntax", start,
            {.expected = "a number in the range of 64-bit floats", .found = quote_excerpt(token_text_at(start))});
    } else if (digits.size() > k_always_fits) {
      const bool negative = digits[0] == '-';
      u64 n = 0;
      const bool fits = std::from_chars(first + negative, first + digits.size(), n).ec == std::errc();
      if (!fits || (negative && n > u64(1) << 63))
        return set_error("json.syntax", start,
                         {.expected = "a whole number of at most 64 bits", .found = quote_excerpt(digits)});
    }
    // other programs read -0 as -0.0
    return token(i, is_real || digits == "-0" ? Kind::real : Kind::integer, digits.size());
  }

  /// The content of a text: a view or, if it has escapes, a copy.
  bool string(std::string_view& content) {
    const char* const first = ++at_;
    for (u64 special = 0; left() >= 8; at_ += 8) {
      const u64 w = load_8_chars(at_);
      special = equal(w, '"') | equal(w, '\\') | find_byte_below(w, ' ');
      if (!special) continue;
      at_ += std::countr_zero(special) / 8;
      break;
    }
    while (at_ < last_ && *at_ != '"' && *at_ != '\\' && u8(*at_) >= ' ') ++at_;
    content = {first, size_t(at_ - first)};
    if (peek() != '"' && !parse_escaped_string(content)) return false;
    ++at_;
    end_ = here();
    return true;
  }

  /// The rest of the text from the first escape to the closing quote.
  bool parse_escaped_string(std::string_view& content) {
    const size_t start = size_t(content.data() - text_.data()) - 1;
    std::string text(content);
    bool is_half = false;  // the second half of a pair without its first; other errors take precedence
    for (; at_ < last_ && *at_ != '"'; ++at_) {
      if (u8(*at_) < ' ') return set_error(start, k_not_a_string);
      if (*at_ != '\\') {
        text += *at_;
        continue;
      }
      ++at_;
      constexpr std::string_view k_escapes = "\"\\/bfnrt", k_meant = "\"\\/\b\f\n\r\t";
      if (const size_t which = k_escapes.find(peek()); which != k_escapes.npos) {
        text += k_meant[which];
        continue;
      }
      if (peek() != 'u') return set_error(start, k_not_a_string);
      auto code = parse_4_hex_digits();
      if (!code) return set_error(start, k_not_hex);
      if (*code >= 0xd800 && *code < 0xdc00) {
        if (left() < 3 || at_[1] != '\\' || at_[2] != 'u') return set_error(start, k_half_a_pair);
        at_ += 2;
        const auto low = parse_4_hex_digits();
        if (!low) return set_error(start, k_not_hex);
        if (*low < 0xdc00 || *low > 0xdfff) return set_error(start, k_half_a_pair);
        code = 0x10000 + ((*code - 0xd800) << 10 | (*low - 0xdc00));
      } else if (*code >= 0xdc00 && *code < 0xe000) {
        is_half = true;
      }
      append_utf8(text, *code);
    }
    if (at_ == last_) return set_error(start, "invalid string: missing closing quote");
    if (is_half) return set_error(start, k_half_a_pair);
    content = dom_.keep(text);
    return true;
  }
  /// Reads four digits after a 'u'; the parser then points to the last digit.
  std::optional<u32> parse_4_hex_digits() {
    u32 code = 0;
    for (int i = 0; i < 4; ++i) {
      ++at_;
      const char c = peek(), letter = char(c | 32);
      if (!is_digit(c) && (letter < 'a' || letter > 'f')) return {};
      code = code << 4 | u32(is_digit(c) ? c - '0' : letter - 'a' + 10);
    }
    return code;
  }

  bool parse_container(Id i, Kind kind) {
    if (depth_ == k_depth)
      return set_error("json.depth", here(), {.message = "lists and objects are nested more than 128 deep"});
    ++depth_;
    dom_.set_tree(i, kind);
    dom_.set_place(i, here());
    const bool object = kind == Kind::object;
    const char last = object ? '}' : ']';
    Names names{i};
    ++at_;
    end_ = here();
    skip_space();
    for (bool more = peek() != last; more;) {
      std::string_view name;
      if (object && !parse_member_name(names, name)) return false;
      if (!value(dom_.add(i, name))) return false;
      skip_space();
      more = peek() == ',';
      if (!more && peek() != last) return set_unexpected_token_error(object ? "',' or '}'" : "',' or ']'");
      if (!more) break;
      ++at_;
      skip_space();
    }
    ++at_;
    end_ = here();
    --depth_;
    return true;
  }

  struct Names {
    Id object;
    size_t count = 0;
    u64 filter = 0;  // one bit for each name hash: if the bit is clear, the name is new
    std::optional<std::unordered_set<std::string_view>> all = {};  // when there are many
  };
  bool parse_member_name(Names& names, std::string_view& name) {
    if (peek() != '"') return set_unexpected_token_error("a name in quotes");
    const size_t start = here();
    if (!string(name)) return false;
    if (is_duplicate_name(names, name))
      return set_error("json.duplicate-key", start, {.message = "duplicate name " + quote_excerpt(name)});
    skip_space();
    if (peek() != ':') return set_unexpected_token_error("':'");
    ++at_;
    skip_space();
    return true;
  }
  bool is_duplicate_name(Names& names, std::string_view name) const {
    constexpr size_t k_many = 256;
    const size_t n = name.size();
    const u64 bit = u64(1) << ((n ? 7 * u8(name[0]) + 31 * u8(name[n / 2]) + 3 * u8(name[n - 1]) + n : 0) & 63);
    const bool may_be = names.filter & bit;
    names.filter |= bit;
    if (names.count++ < k_many) return may_be && dom_.find(names.object, name);
    if (!names.all) {
      names.all.emplace();
      for (Id i = dom_.first(names.object); i; i = dom_.next(i)) names.all->insert(dom_.name(i));
    }
    return !names.all->insert(name).second;
  }

  // ---- what is wrong ----

  static constexpr const char* k_half_a_pair = "invalid string: half of a surrogate pair";
  static constexpr const char* k_not_hex = "invalid string: '\\u' must be followed by 4 hex digits";
  static constexpr const char* k_not_a_string =
      "invalid string: unescaped control character, or unknown escape after '\\'";

  bool set_error(std::string id, size_t at, DiagnosticText said) {
    why_ = make_diagnostic(std::move(id), to_string(Dom::TextPositionScanner(text_).of(at)), std::move(said));
    return false;
  }
  bool set_error(size_t at, const char* what) { return set_error("json.syntax", at, {.message = what}); }

  /// Reports an unexpected token and quotes the whole word.
  bool set_unexpected_token_error(const char* expected) {
    size_t at = here();
    while (at > end_ && !is_delimiter(text_[at - 1])) --at;
    if (at > 0 && at == end_ && at < text_.size() && !is_delimiter(text_[at]) && !is_delimiter(text_[at - 1])) --at;
    while (at < text_.size() && is_space(text_[at])) ++at;
    return set_error(
        "json.syntax", at,
        {.expected = expected, .found = at == text_.size() ? "the end of the text" : quote_excerpt(token_text_at(at))});
  }
  /// The word, number, text or single character that starts there.
  std::string_view token_text_at(size_t at) const {
    size_t end = at + 1;
    if (text_[at] == '"') {
      while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text_.size());
    } else if (!is_delimiter(text_[at])) {
      while (end < text_.size() && !is_delimiter(text_[end])) ++end;
    }
    return text_.substr(at, end - at);
  }

  std::string_view text_;
  const char *at_, *last_;
  size_t end_ = 0;  // of the last token
  size_t depth_ = 0;
  Dom dom_;
  Diagnostic why_;
};

}  // namespace

std::string write(const Dom& dom, Style style) { return Writer(dom, style).run(); }
std::string write(const Value& v, Style style) { return write(Dom(v), style); }

std::string LongRuns::write_without_long_runs(const Dom& dom, Style style) {
  file_ = dom.file();
  const auto aside = [&](size_t at, ByteView bytes) {
    while (!runs_.empty() && runs_.back().at >= at)
      runs_.pop_back();  // text that did not fit on a line is written again
    runs_.push_back({at, bytes});
  };
  return Writer(dom, style, aside).run();
}

Result<bool> LongRuns::restore_runs(Dom& others, std::string_view text) const {
  constexpr size_t k_piece = 1 << 16;
  const auto round_trips = [](ByteView piece) {
    Dom dom;
    dom.set_bytes(0, piece);
    const std::string written = write(dom);
    const auto read = read_dom(written);
    const auto again = read ? decode_hex(read->text(0)) : std::nullopt;
    return again && std::ranges::equal(*again, piece);
  };
  Bytes room;
  const auto read_piece = [&](ByteView piece) {
    return file_ ? file_->view_uncached(piece, room) : Result<ByteView>(piece);
  };
  Dom::Id i = 0;
  for (const Run& run : runs_) {
    while (i < others.count() && others.text(i).data() != text.data() + run.at) ++i;
    bool is_same = i < others.count();
    for (size_t at = 0; at < run.bytes.size() && is_same; at += k_piece) {
      const auto piece = read_piece(run.bytes.subspan(at, std::min(k_piece, run.bytes.size() - at)));
      if (!piece) return refuse(piece.error());
      is_same = round_trips(*piece);
    }
    if (!is_same)
      return refuse("json.syntax", {},
                    {.message = "some bytes of the document would change when they are converted to JSON and back"});
    others.set_bytes(i, run.bytes);
  }
  others.set_bytes_persistent();
  return true;
}

Result<Dom> read_dom(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return Parser(text).run();
}

Result<Value> read(std::string_view text) {
  const auto dom = read_dom(text);
  if (!dom) return refuse(std::move(dom.error()));
  return dom->value();
}

std::string write_script_safe(const Value& v) {
  std::string out;
  for (const char c : write(v, {.indent = 0})) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace dio::json
