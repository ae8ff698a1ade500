#include "bridge/report/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/printing.hpp"
#include "layout/spans.hpp"

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

/// What is written: a value, or a span that would become one. No tree of values is made of spans: that would take most
/// of the time of writing a file.
struct Node {
  static constexpr u64 k_whole = ~u64(0);
  const Value* value = nullptr;
  const Spans* spans = nullptr;
  u32 span = 0;
  u64 element = k_whole;  // of a span of numbers

  explicit Node(const Value& v) : value(&v) {}
  Node(const Spans& s, u32 i, u64 e = k_whole) : spans(&s), span(i), element(e) {}

  const Span& of() const { return (*spans)[span]; }
  bool is_object() const { return value ? value->is(Value::Kind::object) : of().kind == Span::Kind::object; }
  bool is_tree() const {
    if (value) return value->is(Value::Kind::list) || value->is(Value::Kind::object);
    return element == k_whole &&
           (of().kind == Span::Kind::object || of().kind == Span::Kind::list || of().kind == Span::Kind::numbers);
  }
  bool is_bytes() const { return spans && element == k_whole && of().kind == Span::Kind::bytes; }
  /// Of a span that is no tree. That of a text may be one nevertheless, if it is none in UTF-8.
  Value made() const { return element == k_whole ? spans->value(span) : spans->element(of(), element); }
};

class Writer {
 public:
  explicit Writer(Style style) : style_(style) {}

  std::string run(const Value& v) {
    if (style_.indent > 0) {
      block(Node(v), 0, 0);
    } else {
      flat(Node(v), ~size_t(0));
    }
    return std::move(out_);
  }
  /// `head` with one more member at its end.
  std::string run(const Value& head, const char* name, const Spans& spans, const std::vector<bool>& left_out) {
    left_out_ = &left_out;
    head_ = &head;
    last_name_ = name;
    last_ = &spans;
    return run(head);
  }

 private:
  void scalar(const Value& v) {
    switch (v.kind()) {
      case Value::Kind::boolean:
        out_ += v.boolean() ? "true" : "false";
        break;
      case Value::Kind::integer:
        if (v.negative()) {
          digits(i64(v.bits()));
        } else {
          digits(v.bits());
        }
        break;
      case Value::Kind::real:
        // JSON has no such numbers. Values that come from files are texts by now; this keeps the rest readable.
        if (std::isfinite(v.number())) {
          out_ += real_digits(v.number(), v.is_single());
        } else {
          quote(out_, real_digits(v.number(), v.is_single()));
        }
        break;
      case Value::Kind::text:
        quote(out_, v.text());
        break;
      default:
        out_ += "null";
        break;
    }
  }
  void digits(auto n) {
    char text[20];
    out_.append(text, std::to_chars(text, text + sizeof text, n).ptr);
  }

  static bool is_number(const Value& v) { return v.is(Value::Kind::integer) || v.is(Value::Kind::real); }
  static bool is_number(const Node& n) { return n.value ? is_number(*n.value) : !n.is_tree() && is_number(n.made()); }

  /// A run of bytes, without the text of its digits by itself: it may be most of a large file.
  void hex(const Span& s, ByteView file) {
    const ByteView all = file.subspan(size_t(std::min<u64>(s.offset, file.size())));
    const ByteView bytes = all.first(size_t(std::min<u64>(s.size, all.size())));
    const size_t start = out_.size();
    out_.resize(start + 2 * bytes.size() + 2, '"');
    char* to = out_.data() + start + 1;
    for (const u8 b : bytes) {
      *to++ = "0123456789abcdef"[b >> 4];
      *to++ = "0123456789abcdef"[b & 15];
    }
  }

  /// f(name, member, is it the last) for each, as long as it returns true.
  bool each(const Node& n, auto&& f) const {
    if (n.value) {
      const auto& members = n.value->members();
      const bool is_head = n.value == head_;
      for (size_t i = 0; i < members.size(); ++i)
        if (!f(std::string_view(members[i].first), Node(members[i].second), !is_head && i + 1 == members.size()))
          return false;
      return !is_head || f(std::string_view(last_name_), Node(*last_, 0), true);
    }
    const Spans& spans = *n.spans;
    if (n.of().kind == Span::Kind::numbers) {
      const u64 count = spans.count(n.of());
      for (u64 i = 0; i < count; ++i)
        if (!f(std::string_view(), Node(spans, n.span, i), i + 1 == count)) return false;
      return true;
    }
    const auto value_from = [&](u32 i) {
      while (i && (!spans[i].is_value() || is_left_out(i))) i = spans[i].next;
      return i;
    };
    for (u32 i = value_from(n.of().first); i;) {
      const u32 next = value_from(spans[i].next);
      const char* name = spans[i].key.name;
      if (!f(name ? std::string_view(name) : std::string_view(), Node(spans, i), !next)) return false;
      i = next;
    }
    return true;
  }
  bool is_left_out(u32 span) const { return left_out_ && span < left_out_->size() && (*left_out_)[span]; }
  bool is_empty(const Node& n) const {
    return each(n, [](std::string_view, const Node&, bool) { return false; });
  }

  void name(std::string_view text, bool object) {
    if (!object) return;
    quote(out_, text);
    out_ += ": ";
  }

  /// Everything on one line; gives up as soon as that reaches beyond `limit`.
  bool flat(const Node& n, size_t limit) {
    if (!n.is_tree()) {
      if (!n.value) {
        if (n.is_bytes()) {
          if (out_.size() + 2 * n.of().size + 2 > limit) return false;
          hex(n.of(), n.spans->file);
          return true;
        }
        const Value v = n.made();
        return flat(Node(v), limit);
      }
      const Value& v = *n.value;
      if (v.is(Value::Kind::text) && v.text().size() > limit - std::min(limit, out_.size())) return false;
      scalar(v);
      return out_.size() <= limit;
    }
    const bool object = n.is_object();
    out_ += object ? '{' : '[';
    const bool fits = each(n, [&](std::string_view text, const Node& member, bool last) {
      name(text, object);
      if (!flat(member, limit)) return false;
      if (!last) out_ += ", ";
      return true;
    });
    if (!fits) return false;
    out_ += object ? '}' : ']';
    return out_.size() <= limit;
  }

  /// False if one line does not do, whatever the values are.
  bool may_fit(const Node& n, size_t limit) const {
    const bool object = n.is_object();
    size_t least = out_.size() + 2;
    return each(n, [&](std::string_view text, const Node&, bool last) {
      least += (object ? text.size() + 4 : 0) + (last ? 1 : 3);  // "name": 1, and what is between two
      return least <= limit;
    });
  }

  /// How many values are in it, if they are few and none is long itself: then Style::by_count writes it on one line. A
  /// list that gets another element must not take other lines with it, so no list of objects is short, unless it is one
  /// of corners or the like.
  std::optional<size_t> few(const Node& n) const {
    if (!n.is_tree()) return n.is_bytes() && n.of().size > k_few ? std::nullopt : std::optional<size_t>(1);
    size_t values = 0, elements = 0;
    bool has_trees = false;
    const bool are_few = each(n, [&](std::string_view, const Node& member, bool) {
      const auto more = few(member);
      const bool is_short = more && (n.is_object() || !member.is_tree() || *more <= k_corner);
      has_trees |= member.is_tree();
      values += more.value_or(0), ++elements;
      return is_short && values <= (n.is_object() || has_trees ? k_few : k_row);
    });
    if (!are_few || (!n.is_object() && has_trees && elements > k_corner)) return {};
    return values;
  }

  void new_line(int level) {
    out_ += '\n';
    line_ = out_.size();
    out_.append(size_t(level) * size_t(style_.indent), ' ');
  }

  size_t limit() const { return line_ + size_t(std::max(style_.width, 0)); }

  /// One line if the value and what follows it (`after` characters) fit, else one line a member.
  void block(const Node& n, int level, size_t after) {
    if (!n.is_tree()) {
      if (n.value) return scalar(*n.value);
      if (n.is_bytes()) return hex(n.of(), n.spans->file);
      const Value v = n.made();
      return v.is(Value::Kind::object) ? block(Node(v), level, after) : scalar(v);
    }
    const size_t start = out_.size();
    const size_t end = limit() - std::min(limit(), after);
    const bool object = n.is_object();
    if (is_empty(n)) {
      out_ += object ? "{}" : "[]";
      return;
    }
    if (style_.by_count) {
      if (few(n)) return void(flat(n, ~size_t(0)));
    } else if (may_fit(n, end) && flat(n, end)) {
      return;
    }
    out_.resize(start);
    const bool numbers =
        !object && each(n, [](std::string_view, const Node& member, bool) { return is_number(member); });
    out_ += object ? '{' : '[';
    if (numbers) {
      fill(n, level + 1);
    } else {
      each(n, [&](std::string_view text, const Node& member, bool last) {
        new_line(level + 1);
        name(text, object);
        block(member, level + 1, last ? 0 : 1);
        if (!last) out_ += ',';
        return true;
      });
    }
    new_line(level);
    out_ += object ? '}' : ']';
  }

  /// A long list of numbers: as many on a line as fit. One a line would make a page of each table.
  void fill(const Node& n, int level) {
    new_line(level);
    bool first_on_line = true;
    size_t i = 0;
    each(n, [&](std::string_view, const Node& member, bool last) {
      const size_t start = out_.size();
      const auto put = [&] {
        if (member.value) {
          scalar(*member.value);
        } else {
          scalar(member.made());
        }
        if (!last) out_ += ',';
      };
      if (style_.by_count && i++ && i % k_row == 1) {
        new_line(level);
        first_on_line = true;
      }
      if (!first_on_line) out_ += ' ';
      put();
      if (!style_.by_count && !first_on_line && out_.size() > limit()) {
        out_.resize(start);
        new_line(level);
        put();
      }
      first_on_line = false;
      return true;
    });
  }

  // Of Style::by_count: the most values of an object on one line, of a row of numbers, and of a corner.
  static constexpr size_t k_few = 16, k_row = 32, k_corner = 4;
  Style style_;
  std::string out_;
  size_t line_ = 0;  // where the line begins that is being written
  const Value* head_ = nullptr;
  const char* last_name_ = nullptr;  // of one more member of the head
  const Spans* last_ = nullptr;
  const std::vector<bool>* left_out_ = nullptr;  // of its spans
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

struct Position {
  u32 line = 1, column = 1;
};

/// Line and column of bytes in increasing order.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  Position of(size_t byte) {
    for (; at_ < byte; ++at_) {
      if (text_[at_] == '\n') {
        ++here_.line;
        here_.column = 1;
      } else if ((u8(text_[at_]) & 0xc0) != 0x80) {  // columns count characters, not bytes
        ++here_.column;
      }
    }
    return here_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  Position here_;
};

std::string to_string(Position p) { return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column); }

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
  Builder(std::string_view text, const Input& input) : text_(text), input_(input), lines_(text) {}

  Value root;
  Diagnostic why;  // of what is refused here

  bool Null() { return put(Value()); }
  bool Bool(bool b) { return put(Value(b)); }
  bool Int(int n) { return put(Value(n)); }
  bool Uint(unsigned n) { return put(Value(n)); }
  bool Int64(int64_t n) { return put(Value(n)); }
  bool Uint64(uint64_t n) { return put(Value(n)); }
  bool Double(double) { return false; }  // numbers come as their digits
  bool RawNumber(const char*, rapidjson::SizeType, bool) {
    const size_t start = begin_token();
    const std::string_view digits = text_.substr(start, input_.Tell() - start);
    const char *first = digits.data(), *last = first + digits.size();
    if (digits.find_first_of(".eE") != digits.npos) {
      const f64 x = real_of(digits);
      if (!std::isfinite(x))
        return stop("json.syntax", start,
                    {.expected = "a number in the range of 64-bit floats", .found = cited(digits)});
      return put(Value(x), start);
    }
    const bool negative = digits[0] == '-';
    u64 n = 0;
    const bool fits = std::from_chars(first + negative, last, n).ec == std::errc();
    if (!fits || (negative && n > u64(1) << 63))
      return stop("json.syntax", start, {.expected = "a whole number of at most 64 bits", .found = cited(digits)});
    if (negative && !n) return put(Value(-0.0), start);  // what other programs make of -0.0
    return put(negative ? Value(i64(0 - n)) : Value(n), start);
  }
  bool String(const char* s, rapidjson::SizeType size, bool) {
    std::string text(s, size);
    const size_t start = begin_token();
    return is_sound(text, start) && put(Value(std::move(text)), start);
  }
  bool StartObject() { return open(Value::object()); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool StartArray() { return open(Value::list()); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  bool Key(const char* s, rapidjson::SizeType size, bool) {
    const size_t start = begin_token();
    name_.assign(s, size);
    if (!is_sound(name_, start)) return false;
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
    Lines lines(text_);
    return make_diagnostic(std::move(id), to_string(lines.of(at)), std::move(said));
  }

 private:
  static constexpr const char* k_half_a_pair = "invalid string: half of a surrogate pair";
  /// The parser makes bytes of the second half of a pair without its first, which are then the only ones that are not
  /// UTF-8.
  bool is_sound(const std::string& s, size_t start) {
    if (s.find('\xed') == s.npos || is_utf8(s)) return true;
    return stop("json.syntax", start, {.message = k_half_a_pair});
  }

  struct Level {
    Value* value;
    u64 filter = 0;                              // a bit for each name: where it is not set, the name is new
    std::unordered_set<std::string> names = {};  // filled only when there are many
  };

  static bool is_taken(Level& level, const std::string& name) {
    constexpr size_t k_many = 256;
    const auto& members = level.value->members();
    const u64 bit = u64(1) << (std::hash<std::string_view>()(name) & 63);
    const bool may_be = level.filter & bit;
    level.filter |= bit;
    if (members.size() < k_many) return may_be && level.value->find(name) != nullptr;
    if (level.names.empty()) {
      for (const Value::Member& m : members) level.names.insert(m.first);
    }
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

  /// Rounded to the nearest double; infinite if it is none.
  f64 real_of(std::string_view digits) {
#ifdef __cpp_lib_to_chars  // not every standard library has it for doubles
    f64 x = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), x).ec == std::errc()) return x;
#endif
    real_.assign(digits);
    return std::strtod(real_.c_str(), nullptr);
  }

  bool put(Value v) { return put(std::move(v), begin_token()); }
  bool put(Value v, size_t start) {
    add(std::move(v), start);
    return true;
  }
  Value* add(Value v, size_t start) {
    const Position p = lines_.of(start);
    v.line = p.line;
    v.column = p.column;
    if (levels_.empty()) {
      root = std::move(v);
      return &root;
    }
    Value& parent = *levels_.back().value;
    return parent.is(Value::Kind::object) ? &parent.add(std::move(name_), std::move(v)) : &parent.push(std::move(v));
  }

  bool open(Value v) {
    const size_t start = begin_token();
    if (levels_.size() == k_depth)
      return stop("json.depth", start, {.message = "lists and objects are nested more than 128 deep"});
    // A list grows only while no list inside it is open, so the address stays good for as long as it is used.
    levels_.push_back({add(std::move(v), start)});
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
  Lines lines_;
  size_t end_ = 0;  // of the last token taken
  std::vector<Level> levels_;
  std::string name_, real_;
};

}  // namespace

std::string write(const Value& v, Style style) { return Writer(style).run(v); }
std::string write_document(const Value& head, const Spans& spans, Style style, const std::vector<bool>& left_out) {
  return Writer(style).run(head, "document", spans, left_out);
}

Result<Value> read(std::string_view text) {
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
  return std::move(builder.root);
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
