#include "bridge/report/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/printing.hpp"

// The only file that sees the JSON library.
#ifdef __clang__  // its stack adds to the null pointer before it has any memory
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/reader.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

namespace dio::json {

namespace {

constexpr size_t k_depth = 128;

// ---------------------------------------------------------------------------------------------------------- writing

class Writer {
  using Id = Dom::Id;

 public:
  Writer(const Dom& dom, Style style) : dom_(dom), style_(style) {}

  std::string run() {
    out_.resize(16 * dom_.count() + 64);
    if (style_.indent > 0) {
      block(0, 0, 0);
    } else {
      flat(0);
    }
    out_.resize(size_);
    return std::move(out_);
  }

 private:
  // The text grows by what is put at `at`, once there is room for it.
  char* room(size_t n) {
    if (out_.size() - size_ < n) out_.resize(std::max(2 * out_.size(), size_ + n));
    return out_.data() + size_;
  }
  void end_at(const char* at) { size_ = size_t(at - out_.data()); }
  static char* put(char* at, char c) {
    *at = c;
    return at + 1;
  }
  static char* put(char* at, std::string_view text) {
    // Most are names and numbers, for which a call of memcpy takes longer than what it does.
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
  void put(char c) { end_at(put(room(1), c)); }

  static bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
  }
  void quoted(std::string_view text) {
    if (is_plain(text)) {
      char* at = room(text.size() + 2);
      at = put(at, '"');
      at = put(at, text);
      return end_at(put(at, '"'));
    }
    out_.resize(size_);
    quote(out_, text);
    size_ = out_.size();
  }
  static size_t quoted_size(std::string_view text) {
    if (is_plain(text)) return text.size() + 2;
    std::string all;
    quote(all, text);
    return all.size();
  }
  void name(Id i) {
    const std::string_view text = dom_.name(i);
    if (is_plain(text)) {
      char* at = room(text.size() + 4);
      at = put(at, '"');
      at = put(at, text);
      at = put(at, '"');
      at = put(at, ':');
      return end_at(put(at, ' '));
    }
    quoted(text);
    put(':');
    put(' ');
  }

  void leaf(Id i) {
    if (dom_.is_bytes(i)) {
      const ByteView bytes = dom_.bytes(i);
      char* at = room(2 * bytes.size() + 2);
      at = put(at, '"');
      for (const u8 b : bytes) {
        *at++ = "0123456789abcdef"[b >> 4];
        *at++ = "0123456789abcdef"[b & 15];
      }
      return end_at(put(at, '"'));
    }
    if (dom_.is(i, Value::Kind::text)) return quoted(dom_.text(i));
    if (dom_.is(i, Value::Kind::null)) return end_at(put(room(4), "null"));
    const std::string_view token = dom_.token(i);
    end_at(put(room(token.size()), token));
  }

  /// Everything on one line.
  void flat(Id i) {
    if (!dom_.is_tree(i)) return leaf(i);
    const bool object = dom_.is(i, Value::Kind::object);
    put(object ? '{' : '[');
    for (Id child = dom_.first(i), next; child; child = next) {
      next = dom_.next(child);
      if (object) name(child);
      flat(child);
      if (next) end_at(put(room(2), ", "));
    }
    put(object ? '}' : ']');
  }

  /// How many characters that takes; something larger than `most` if it is more.
  size_t flat_size(Id i, size_t most) const {
    if (!dom_.is_tree(i)) {
      if (dom_.is_bytes(i)) return 2 * dom_.bytes(i).size() + 2;
      if (dom_.is(i, Value::Kind::null)) return 4;
      const std::string_view token = dom_.token(i);
      return !dom_.is(i, Value::Kind::text) || token.size() > most ? token.size() : quoted_size(token);
    }
    const bool object = dom_.is(i, Value::Kind::object);
    size_t size = 2;
    for (Id child = dom_.first(i), next; child && size <= most; child = next) {
      next = dom_.next(child);
      size += next ? 2 : 0;
      if (object) size += quoted_size(dom_.name(child)) + 2;
      if (size <= most) size += flat_size(child, most - size);
    }
    return size;
  }

  /// How many values are in it, if they are few and none is long itself: then Style::by_count writes it on one line. A
  /// list that gets another element must not take other lines with it, so no list of objects is short, unless it is one
  /// of corners or the like.
  std::optional<size_t> few(Id i) const {
    if (!dom_.is_tree(i)) return dom_.is_bytes(i) && dom_.bytes(i).size() > k_few ? std::nullopt : std::optional<size_t>(1);
    const bool object = dom_.is(i, Value::Kind::object);
    size_t values = 0, elements = 0;
    bool has_trees = false;
    for (Id child = dom_.first(i); child; child = dom_.next(child)) {
      const auto more = few(child);
      const bool is_tree = dom_.is_tree(child) && !is_text(child);
      if (!more || (!object && is_tree && *more > k_corner)) return {};
      has_trees |= is_tree;
      values += *more, ++elements;
      if (values > (object || has_trees ? k_few : k_row)) return {};
    }
    if (!object && has_trees && elements > k_corner) return {};
    return values;
  }

  /// Of one that is not UTF-8.
  bool is_text(Id i) const {
    const Id only = dom_.first(i);
    return dom_.is(i, Value::Kind::object) && only && !dom_.next(only) && dom_.name(only) == "hex";
  }

  void new_line(int level) {
    const size_t n = size_t(level) * size_t(style_.indent);
    char* at = room(n + 1);
    *at = '\n';
    std::memset(at + 1, ' ', n);
    line_ = size_ + 1;
    size_ += n + 1;
  }

  size_t limit() const { return line_ + size_t(std::max(style_.width, 0)); }

  /// One line if the value and what follows it (`after` characters) fit, else one line a member.
  void block(Id i, int level, size_t after) {
    if (!dom_.is_tree(i)) return leaf(i);
    const bool object = dom_.is(i, Value::Kind::object);
    if (!dom_.first(i)) return end_at(put(room(2), object ? "{}" : "[]"));
    if (fits(i, after)) return flat(i);
    bool numbers = !object;
    for (Id child = dom_.first(i); child && numbers; child = dom_.next(child)) numbers = dom_.is_number(child);
    put(object ? '{' : '[');
    if (numbers) {
      fill(i, level + 1);
    } else {
      for (Id child = dom_.first(i), next; child; child = next) {
        next = dom_.next(child);
        new_line(level + 1);
        if (object) name(child);
        block(child, level + 1, next ? 1 : 0);
        if (next) put(',');
      }
    }
    new_line(level);
    put(object ? '}' : ']');
  }
  bool fits(Id i, size_t after) const {
    if (style_.by_count) return few(i).has_value();
    const size_t used = size_ + after;
    return used <= limit() && flat_size(i, limit() - used) <= limit() - used;
  }

  /// A long list of numbers: as many on a line as fit. One a line would make a page of each table.
  void fill(Id list, int level) {
    new_line(level);
    bool first_on_line = true;
    size_t i = 0;
    for (Id child = dom_.first(list), next; child; child = next) {
      next = dom_.next(child);
      const std::string_view digits = dom_.token(child);
      const bool is_full = style_.by_count ? i && i % k_row == 0
                                           : !first_on_line && size_ + 1 + digits.size() + (next ? 1 : 0) > limit();
      if (is_full) new_line(level);
      char* at = room(digits.size() + 2);
      if (!first_on_line && !is_full) at = put(at, ' ');
      at = put(at, digits);
      end_at(next ? put(at, ',') : at);
      first_on_line = false;
      ++i;
    }
  }

  // Of Style::by_count: the most values of an object on one line, of a row of numbers, and of a corner.
  static constexpr size_t k_few = 16, k_row = 32, k_corner = 4;
  const Dom& dom_;
  Style style_;
  std::string out_;  // with room at its end
  size_t size_ = 0;  // of the text
  size_t line_ = 0;  // where the line begins that is being written
};

// ---------------------------------------------------------------------------------------------------------- reading

/// What the parser reads from. It ends with a NUL for the parser; the text itself has none.
class Input {
 public:
  using Ch = char;
  explicit Input(std::string_view text) : first_(text.data()), at_(first_), last_(first_ + text.size()) {}

  char Peek() const { return at_ < last_ ? *at_ : '\0'; }
  char Take() { return at_ < last_ ? *at_++ : '\0'; }
  size_t Tell() const { return size_t(at_ - first_); }
  void skip_whitespace() {
    while (at_ < last_ && is_space(*at_)) ++at_;
  }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

  // For parsers that write where they read: this one does not.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  size_t PutEnd(char*) { return 0; }

 private:
  const char *first_, *at_, *last_;
};

}  // namespace
}  // namespace dio::json

namespace rapidjson {
template <>
inline void SkipWhitespace(dio::json::Input& in) {
  in.skip_whitespace();
}
}  // namespace rapidjson

namespace dio::json {
namespace {

std::string to_string(Dom::Place p) {
  return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column);
}

/// Text from the input, short enough to stand in a message.
std::string cited(std::string_view token) {
  constexpr size_t k_most = 40;
  size_t end = 0;
  while (end < token.size() && end < k_most) end += std::max<size_t>(utf8_length(token, end), 1);
  std::string text = "'";
  text += token.substr(0, end);
  return text += end < token.size() ? "...'" : "'";
}

/// Builds the values. Its member functions are what the parser calls.
class Builder {
 public:
  Builder(std::string_view text, const Input& input) : text_(text), input_(input) {
    dom.read_from(text);
    dom.expect(text.size() / 12);
  }

  Dom dom;
  Diagnostic why;  // of what is refused here

  bool Null() { return put(Kind::null); }
  bool Bool(bool) { return put(Kind::boolean); }
  bool Int(int) { return false; }  // numbers come as their digits
  bool Uint(unsigned) { return false; }
  bool Int64(int64_t) { return false; }
  bool Uint64(uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char*, rapidjson::SizeType, bool) {
    const size_t start = begin_token();
    const std::string_view digits = text_.substr(start, input_.Tell() - start);
    if (digits.find_first_of(".eE") != digits.npos) {
      constexpr size_t k_always_finite = 300;
      if (digits.size() > k_always_finite || digits.find_first_of("eE") != digits.npos)
        if (!std::isfinite(to_real(digits)))
          return stop("json.syntax", start,
                      {.expected = "a number in the range of 64-bit floats", .found = cited(digits)});
      return put(Kind::real, digits);
    }
    if (digits == "-0") return put(Kind::real, digits);  // what other programs make of -0.0
    const bool negative = digits[0] == '-';
    constexpr size_t k_always_fits = 18;
    if (digits.size() > k_always_fits) {
      u64 n = 0;
      const char* const last = digits.data() + digits.size();
      const bool fits = std::from_chars(digits.data() + negative, last, n).ec == std::errc();
      if (!fits || (negative && n > u64(1) << 63))
        return stop("json.syntax", start, {.expected = "a whole number of at most 64 bits", .found = cited(digits)});
    }
    return put(Kind::integer, digits);
  }
  bool String(const char* s, rapidjson::SizeType size, bool) {
    const size_t start = begin_token();
    std::string_view text(s, size);
    return take(text, start) && put(Kind::text, text, start);
  }
  bool StartObject() { return open(Kind::object); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool StartArray() { return open(Kind::list); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  bool Key(const char* s, rapidjson::SizeType size, bool) {
    const size_t start = begin_token();
    name_ = {s, size};
    if (!take(name_, start)) return false;
    if (is_taken(levels_.back(), name_))
      return stop("json.duplicate-key", start, {.message = "duplicate name " + cited(name_)});
    return true;
  }

  /// What the parser refused, at that byte.
  Diagnostic fault(rapidjson::ParseErrorCode code, size_t at) {
    using namespace rapidjson;
    at = std::min(at, text_.size());
    const char* what = nullptr;  // is wrong inside a text or a number; the rest is about what stands where
    std::string expected = "a value";
    switch (code) {
      case kParseErrorDocumentRootNotSingular:
        expected = "the end of the text";
        break;
      case kParseErrorObjectMissName:
        expected = "a name in quotes";
        break;
      case kParseErrorObjectMissColon:
        expected = "':'";
        break;
      case kParseErrorObjectMissCommaOrCurlyBracket:
        expected = "',' or '}'";
        break;
      case kParseErrorArrayMissCommaOrSquareBracket:
        expected = "',' or ']'";
        break;
      case kParseErrorStringUnicodeEscapeInvalidHex:
        what = "invalid string: '\\u' must be followed by 4 hex digits";
        break;
      case kParseErrorStringUnicodeSurrogateInvalid:
        what = k_half_a_pair;
        break;
      case kParseErrorStringMissQuotationMark:
        what = "invalid string: missing closing quote";
        break;
      case kParseErrorStringEscapeInvalid:
      case kParseErrorStringInvalidEncoding:
        what = "invalid string: unescaped control character, or unknown escape after '\\'";
        break;
      case kParseErrorNumberTooBig:
        return syntax(begin_token(),
                      {.expected = "a number in the range of 64-bit floats", .found = cited(word_at(next_token()))});
      case kParseErrorNumberMissFraction:
        what = "invalid number: no digit after '.'";
        break;
      case kParseErrorNumberMissExponent:
        what = "invalid number: no digit in the exponent";
        break;
      default:
        break;
    }
    if (what) return syntax(next_token(), {.message = what});
    // The whole word that does not belong there: the parser stops where it is no longer what it could have been.
    while (at > 0 && at > end_ && !ends_word(text_[at - 1])) --at;
    while (at > 0 && at == end_ && at < text_.size() && !ends_word(text_[at]) && !ends_word(text_[at - 1])) --at;
    while (at < text_.size() && Input::is_space(text_[at])) ++at;
    if (at == text_.size()) return syntax(at, {.expected = std::move(expected), .found = "the end of the text"});
    return syntax(at, {.expected = std::move(expected), .found = cited(word_at(at))});
  }

  Diagnostic syntax(size_t at, Said said, std::string id = "json.syntax") {
    return make_diagnostic(std::move(id), to_string(Dom::Places(text_).of(at)), std::move(said));
  }

 private:
  using Kind = Value::Kind;
  static constexpr const char* k_half_a_pair = "invalid string: half of a surrogate pair";
  /// A text as the parser has it, which is gone soon: as it lies in the input, or, if it has escapes, as a copy.
  bool take(std::string_view& text, size_t start) {
    const std::string_view as_written = text_.substr(start + 1, input_.Tell() - start - 2);
    if (text.size() == as_written.size()) {
      text = as_written;
      return true;
    }
    // The parser makes bytes of the second half of a pair without its first, which are then the only ones that are not
    // UTF-8.
    if (text.find('\xed') != text.npos && !is_utf8(text)) return stop("json.syntax", start, {.message = k_half_a_pair});
    text = dom.keep(text);
    return true;
  }

  struct Level {
    Dom::Id tree;
    size_t members = 0;
    u64 filter = 0;                                   // a bit for each name: where it is not set, the name is new
    std::unordered_set<std::string_view> names = {};  // filled only when there are many
  };

  bool is_taken(Level& level, std::string_view name) const {
    constexpr size_t k_many = 256;
    const size_t n = name.size();
    const u64 bit = u64(1) << ((n ? 7 * u8(name[0]) + 31 * u8(name[n / 2]) + 3 * u8(name[n - 1]) + n : 0) & 63);
    const bool may_be = level.filter & bit;
    level.filter |= bit;
    if (level.members++ < k_many) return may_be && dom.find(level.tree, name);
    if (level.names.empty())
      for (Dom::Id i = dom.first(level.tree); i; i = dom.next(i)) level.names.insert(dom.name(i));
    return !level.names.insert(name).second;
  }

  /// The first byte of what comes next behind the last token that was taken.
  size_t next_token() const {
    size_t at = end_;
    while (at < text_.size() && (Input::is_space(text_[at]) || text_[at] == ',' || text_[at] == ':')) ++at;
    return at;
  }
  /// That of what the parser has just taken.
  size_t begin_token() {
    const size_t at = next_token();
    end_ = input_.Tell();
    return at;
  }

  bool put(Kind kind) {
    const size_t start = begin_token();
    return put(kind, text_.substr(start, input_.Tell() - start), start);
  }
  bool put(Kind kind, std::string_view token, size_t start = 0) {
    const Dom::Id i = add();
    dom.set_token(i, kind, token);
    if (kind == Kind::text) dom.set_place(i, start);
    return true;
  }
  Dom::Id add() { return levels_.empty() ? 0 : dom.add(levels_.back().tree, std::exchange(name_, {})); }

  bool open(Kind kind) {
    const size_t start = begin_token();
    if (levels_.size() == k_depth)
      return stop("json.depth", start, {.message = "lists and objects are nested more than 128 deep"});
    const Dom::Id i = add();
    dom.set_tree(i, kind);
    dom.set_place(i, start);
    levels_.push_back({i});
    return true;
  }

  bool close() {
    end_ = input_.Tell();
    levels_.pop_back();
    return true;
  }

  static bool ends_word(char c) { return std::string_view(" \t\r\n,:[]{}\"").find(c) != std::string_view::npos; }
  /// The word or number, or the one character that begins there; of a text all of it.
  std::string_view word_at(size_t at) const {
    size_t end = at + 1;
    if (at < text_.size() && text_[at] == '"') {
      while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text_.size());
    } else if (at < text_.size() && !ends_word(text_[at])) {
      while (end < text_.size() && !ends_word(text_[end])) ++end;
    }
    return text_.substr(std::min(at, text_.size()), end - at);
  }

  bool stop(std::string id, size_t at, Said said) {
    why = syntax(at, std::move(said), std::move(id));
    return false;
  }

  std::string_view text_;
  const Input& input_;
  size_t end_ = 0;  // of the last token taken
  std::vector<Level> levels_;
  std::string_view name_;
};

}  // namespace

std::string write(const Dom& dom, Style style) { return Writer(dom, style).run(); }
std::string write(const Value& v, Style style) { return write(Dom(v), style); }

Result<Dom> read_dom(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Input input(text);
  Builder builder(text, input);

  // Before parsing: the parser takes a NUL for the end of the text, and does not say where bad UTF-8 stands.
  for (size_t i = 0; i < text.size();) {
    if (u8(text[i]) - 1u < 0x7f) {
      ++i;
      continue;
    }
    const size_t length = utf8_length(text, i);
    if (length == 0 || text[i] == '\0') {
      const std::string byte = "the byte " + hex_number(u8(text[i]), 2);
      if (length != 0) return refuse(builder.syntax(i, {.expected = "text", .found = byte}));
      return refuse(builder.syntax(i, {.expected = "UTF-8 text", .found = byte}, "json.utf8"));
    }
    i += length;
  }

  rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>> reader;
  const rapidjson::ParseResult result = reader.Parse<rapidjson::kParseNumbersAsStringsFlag>(input, builder);
  if (!result) {
    if (!builder.why.id.empty()) return refuse(std::move(builder.why));
    return refuse(builder.fault(result.Code(), result.Offset()));
  }
  return std::move(builder.dom);
}

Result<Value> read(std::string_view text) {
  const auto dom = read_dom(text);
  if (!dom) return refuse(std::move(dom.error()));
  return dom->value();
}

std::string write_for_script(const Value& v) {
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
