#include "bridge/report/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/printing.hpp"

// The only file that sees the JSON library: its header alone takes seconds to compile.
#define JSON_NOEXCEPTION
#define JSON_NO_IO
#include <nlohmann/json.hpp>

namespace dio::json {

namespace {

constexpr size_t k_depth = 128;

// ---------------------------------------------------------------------------------------------------------- writing

class Writer {
 public:
  explicit Writer(Style style) : style_(style) {}

  std::string run(const Value& v) {
    if (style_.indent > 0) {
      block(v, 0, 0);
    } else {
      flat(v, ~size_t(0));
    }
    return std::move(out_);
  }

 private:
  void scalar(const Value& v) {
    switch (v.kind()) {
      case Value::Kind::boolean:
        out_ += v.boolean() ? "true" : "false";
        break;
      case Value::Kind::integer:
        out_ += v.negative() ? std::to_string(i64(v.bits())) : std::to_string(v.bits());
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

  static bool is_tree(const Value& v) { return v.is(Value::Kind::list) || v.is(Value::Kind::object); }
  static bool is_number(const Value& v) { return v.is(Value::Kind::integer) || v.is(Value::Kind::real); }

  void name(const Value::Member& m, bool object) {
    if (!object) return;
    quote(out_, m.first);
    out_ += ": ";
  }

  /// Everything on one line; gives up as soon as that reaches beyond `limit`.
  bool flat(const Value& v, size_t limit) {
    if (!is_tree(v)) {
      if (v.is(Value::Kind::text) && v.text().size() > limit - std::min(limit, out_.size())) return false;
      scalar(v);
      return out_.size() <= limit;
    }
    const bool object = v.is(Value::Kind::object);
    out_ += object ? '{' : '[';
    bool first = true;
    for (const Value::Member& m : v.members()) {
      if (!first) out_ += ", ";
      first = false;
      name(m, object);
      if (!flat(m.second, limit)) return false;
    }
    out_ += object ? '}' : ']';
    return out_.size() <= limit;
  }

  void new_line(int level) {
    out_ += '\n';
    line_ = out_.size();
    out_.append(size_t(level) * size_t(style_.indent), ' ');
  }

  size_t limit() const { return line_ + size_t(std::max(style_.width, 0)); }

  /// One line if the value and what follows it (`after` characters) fit, else one line a member.
  void block(const Value& v, int level, size_t after) {
    const size_t start = out_.size();
    const size_t end = limit() - std::min(limit(), after);
    if (!is_tree(v)) return scalar(v);
    if (v.size() == 0 || flat(v, end)) {
      if (v.size() == 0) out_ += v.is(Value::Kind::object) ? "{}" : "[]";
      return;
    }
    out_.resize(start);
    const bool object = v.is(Value::Kind::object);
    const bool numbers = !object && std::all_of(v.members().begin(), v.members().end(),
                                                [](const Value::Member& m) { return is_number(m.second); });
    out_ += object ? '{' : '[';
    if (numbers) {
      fill(v, level + 1);
    } else {
      for (size_t i = 0; i < v.size(); ++i) {
        const bool last = i + 1 == v.size();
        new_line(level + 1);
        name(v.members()[i], object);
        block(v.members()[i].second, level + 1, last ? 0 : 1);
        if (!last) out_ += ',';
      }
    }
    new_line(level);
    out_ += object ? '}' : ']';
  }

  /// A long list of numbers: as many on a line as fit. One a line would make a page of each table.
  void fill(const Value& v, int level) {
    new_line(level);
    bool first_on_line = true;
    for (size_t i = 0; i < v.size(); ++i) {
      const size_t start = out_.size();
      const bool last = i + 1 == v.size();
      if (!first_on_line) out_ += ' ';
      scalar(v.members()[i].second);
      if (!last) out_ += ',';
      if (!first_on_line && out_.size() > limit()) {
        out_.resize(start);
        new_line(level);
        scalar(v.members()[i].second);
        if (!last) out_ += ',';
      }
      first_on_line = false;
    }
  }

  Style style_;
  std::string out_;
  size_t line_ = 0;  // where the line begins that is being written
};

// ---------------------------------------------------------------------------------------------------------- reading

struct Position {
  u32 line = 1, column = 0;  // column 0: no character yet on this line
  size_t byte = 0;
};

std::string to_string(Position p) {
  return "line " + std::to_string(p.line) + ", column " + std::to_string(std::max(p.column, 1u));
}

/// Follows the characters as the parser takes them, to know where the token it is at began. The parser itself counts
/// only up to the end of a token, and one character further where a number ends.
class Tracker {
 public:
  Position here;   // the last character taken
  Position token;  // where the last name, text, number, word, list or object began

  void take(char c) {
    if (newline_) {
      newline_ = false;
      ++here.line;
      here.column = 0;
    }
    here.byte = taken_++;
    // Columns count characters, not bytes.
    if ((u8(c) & 0xc0) != 0x80) ++here.column;
    if (c == '\n') newline_ = true;
    if (in_text_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_text_ = false;
      }
      return;
    }
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
      case ',':
      case ':':
      case ']':
      case '}':
        in_word_ = false;
        return;
      case '{':
      case '[':
        in_word_ = false;
        token = here;
        return;
      case '"':
        in_word_ = false;
        in_text_ = true;
        token = here;
        return;
      default:
        if (!in_word_) token = here;
        in_word_ = true;
    }
  }

 private:
  size_t taken_ = 0;
  bool in_text_ = false, escaped_ = false, in_word_ = false, newline_ = false;
};

/// What the parser reads through.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, Tracker* tracker) : at_(at), tracker_(tracker) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    tracker_->take(*at_++);
    return *this;
  }
  Cursor operator++(int) {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator!=(const Cursor& a, const Cursor& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  Tracker* tracker_;
};

Diagnostic fault(std::string id, Position at, Said said) {
  return make_diagnostic(std::move(id), to_string(at), std::move(said));
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
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Builder(std::string_view text, const Tracker& tracker) : text_(text), tracker_(tracker) {}

  Value root;
  Diagnostic why;

  bool null() { return put(Value()); }
  bool boolean(bool b) { return put(Value(b)); }
  bool number_integer(number_integer_t n) { return put(Value(n)); }
  bool number_unsigned(number_unsigned_t n) { return put(Value(n)); }
  bool number_float(number_float_t x, const string_t& digits) {
    if (digits.find_first_of(".eE") != string_t::npos) return put(Value(f64(x)));
    // The parser turns whole numbers of more than 64 bits into floats, which would round them.
    return stop("json.syntax", {.expected = "a whole number of at most 64 bits", .found = cited(digits)});
  }
  bool string(string_t& s) { return put(Value(std::move(s))); }
  bool binary(binary_t&) { return false; }  // only in other encodings
  bool start_object(size_t) { return open(Value::object()); }
  bool end_object() { return close(); }
  bool start_array(size_t) { return open(Value::list()); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    Level& level = levels_.back();
    if (is_taken(level, name))
      return stop("json.duplicate-key", {.expected = "each name once in an object", .found = cited(name) + " again"});
    name_ = std::move(name);
    return true;
  }

  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& e) {
    // "[...] parse error at line 1, column 2: syntax error while parsing value - <what>; last read: '...'; expected
    // ..."
    struct Words {
      std::string_view theirs, ours;
    };
    static constexpr Words k_expected[] = {
        {"; expected '[', '{', or a literal", "a value"},
        {"; expected string literal", "a name in quotes"},
        {"; expected end of input", "the end of the text"},
        {"; expected ':'", "':'"},
        {"; expected ']'", "',' or ']'"},
        {"; expected '}'", "',' or '}'"},
    };
    std::string_view what = e.what();
    if (const size_t dash = what.find(" - "); dash != what.npos) what.remove_prefix(dash + 3);
    std::string expected = "a value";
    for (const Words& w : k_expected) {
      if (!what.ends_with(w.theirs)) continue;
      expected = w.ours;
      what.remove_suffix(w.theirs.size());
      break;
    }
    what = what.substr(0, what.find("; last read: "));

    if (what == "unexpected end of input") {
      Tracker behind = tracker_;
      behind.take(' ');
      return stop_at(behind.here, {.expected = std::move(expected), .found = "the end of the text"});
    }
    const Position at = what.starts_with("unexpected '") ? tracker_.here : tracker_.token;
    if (what.starts_with("unexpected ") || what == "invalid literal") {
      return stop_at(at, {.expected = std::move(expected), .found = cited(token_at(at))});
    }
    if (what.find("number overflow") != what.npos) {
      return stop_at(at, {.expected = "a number that 64 bits can hold", .found = cited(token_at(at))});
    }
    return stop_at(at, {.expected = "valid JSON", .found = std::string(what)});
  }

 private:
  struct Level {
    Value* value;
    std::unordered_set<std::string> names = {};  // filled only when there are many: looking at each is quicker before
  };

  static bool is_taken(Level& level, const std::string& name) {
    constexpr size_t k_many = 16;
    const auto& members = level.value->members();
    if (members.size() < k_many) return level.value->find(name) != nullptr;
    if (level.names.empty()) {
      for (const Value::Member& m : members) level.names.insert(m.first);
    }
    return !level.names.insert(name).second;
  }

  Value* add(Value v) {
    v.line = tracker_.token.line;
    v.column = tracker_.token.column;
    if (levels_.empty()) {
      root = std::move(v);
      return &root;
    }
    Value& parent = *levels_.back().value;
    return parent.is(Value::Kind::object) ? &parent.add(std::move(name_), std::move(v)) : &parent.push(std::move(v));
  }

  bool put(Value v) {
    add(std::move(v));
    return true;
  }

  bool open(Value v) {
    if (levels_.size() == k_depth)
      return stop("json.depth", {.expected = "at most 128 levels of lists and objects", .found = "one more"});
    // A list grows only while no list inside it is open, so the address stays good for as long as it is used.
    levels_.push_back({add(std::move(v))});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  /// The text, or the word or number, or the one character that begins there.
  std::string_view token_at(Position at) const {
    const auto ends_word = [](char c) { return std::string_view(" \t\r\n,:[]{}\"").find(c) != std::string_view::npos; };
    size_t end = at.byte;
    if (end < text_.size() && text_[end] == '"') {
      end = tracker_.here.byte + 1;
    } else {
      while (end < text_.size() && !ends_word(text_[end])) ++end;
      end = std::max(end, at.byte + 1);
    }
    return text_.substr(std::min(at.byte, text_.size()), end - at.byte);
  }

  bool stop(std::string id, Said said) {
    why = fault(std::move(id), tracker_.token, std::move(said));
    return false;
  }
  bool stop_at(Position at, Said said) {
    why = fault("json.syntax", at, std::move(said));
    return false;
  }

  std::string_view text_;
  const Tracker& tracker_;
  std::vector<Level> levels_;
  std::string name_;
};

}  // namespace

std::string write(const Value& v, Style style) { return Writer(style).run(v); }

Result<Value> read(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);

  // Before parsing: the parser takes a NUL for the end of the text, and does not say where bad UTF-8 stands.
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(text, i);
    if (length == 0 || text[i] == '\0') {
      Tracker before;
      for (const char c : text.substr(0, i)) before.take(c);
      before.take(' ');
      const std::string byte = "the byte " + hex_number(u8(text[i]), 2);
      if (length != 0) return refuse(fault("json.syntax", before.here, {.expected = "text", .found = byte}));
      return refuse(fault("json.utf8", before.here, {.expected = "text in UTF-8", .found = byte}));
    }
    i += length;
  }

  Tracker tracker;
  Builder builder(text, tracker);
  const Cursor first(text.data(), &tracker), last(text.data() + text.size(), &tracker);
  if (!nlohmann::json::sax_parse(first, last, &builder)) return refuse(std::move(builder.why));
  return std::move(builder.root);
}

}  // namespace dio::json
