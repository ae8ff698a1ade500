#include "layout/write_value.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

#include "core/text_format.hpp"
#include "layout/leaf.hpp"
#include "layout/text_encoding.hpp"

namespace dio {

namespace {

Diagnostic spot_error(const Spans& spans, const SpanRef& spot, const char* id, DiagnosticText said) {
  return make_diagnostic(id, Location::of_bytes(spot.offset, spot.size, spans.path(spot)), std::move(said));
}

std::string describe(const Value& v) {
  if (v.is(Value::Kind::text)) return "\"" + v.text() + "\"";
  if (v.is(Value::Kind::integer)) return v.negative() ? std::to_string(i64(v.bits())) : std::to_string(v.bits());
  if (v.is(Value::Kind::real)) return std::to_string(v.number());
  return v.is(Value::Kind::list)     ? "a list"
         : v.is(Value::Kind::object) ? "an object"
         : v.is(Value::Kind::null)   ? "null"
                                     : "true or false";
}

std::string list_words(const EnumNames& words) {
  std::string s;
  for (size_t i = 0; i < words.words.size() && i < 12; ++i) s += (i ? ", " : "") + std::string(words.words[i].word);
  return s + (words.words.size() > 12 ? ", ..." : "");
}

void store(u8* to, u64 raw, size_t n, bool big) {
  for (size_t i = 0; i < n; ++i) to[big ? n - 1 - i : i] = u8(raw >> (8 * i));
}
u64 fetch(const u8* from, size_t n, bool big) {
  u64 raw = 0;
  for (size_t i = 0; i < n; ++i) raw |= u64(from[big ? n - 1 - i : i]) << (8 * i);
  return raw;
}

std::optional<Bytes> parse_hex_bytes(const Value& v) {
  return v.is(Value::Kind::text) ? decode_hex(v.text()) : std::nullopt;
}
/// "0x7fc00000"; with exactly `digits` digits, unless 0.
std::optional<u64> parse_hex_pattern(const Value& v, size_t digits = 0) {
  if (!v.is(Value::Kind::text) || !v.text().starts_with("0x") || (digits && v.text().size() != digits + 2)) return {};
  const std::string& t = v.text();
  u64 n = 0;
  const auto r = std::from_chars(t.data() + 2, t.data() + t.size(), n, 16);
  return r.ec == std::errc() && r.ptr == t.data() + t.size() ? std::optional(n) : std::nullopt;
}

}  // namespace

std::string describe_range(unsigned bits, bool has_sign, unsigned fraction) {
  const u64 high = low_bits(bits - has_sign), low = has_sign ? high + 1 : 0;  // -low is the lowest value
  const auto whole = [](u64 n, bool is_negative) { return (is_negative && n ? "-" : "") + std::to_string(n); };
  if (!fraction) return whole(low, true) + " to " + whole(high, false);
  // The digits needed to round to the last number that fits.
  const int digits = int(std::ceil(fraction * std::numbers::ln2 / std::numbers::ln10));
  const auto fixed = [&](u64 n) {
    const f64 x = std::ldexp(f64(n), -int(fraction));
    char s[64];
    const auto end = std::to_chars(s, s + sizeof s, x, std::chars_format::fixed, x == std::floor(x) ? 0 : digits).ptr;
    return std::string(s, end);
  };
  return std::string(low ? "-" : "") + fixed(low) + " to " + fixed(high);
}

std::optional<i64> parse_vocabulary_words(const EnumNames& words, std::string_view text) {
  i64 sum = 0;
  bool has_value = false;  // among the bits that hold one number
  for (bool more = true; more;) {
    const size_t plus = words.flags ? text.find('+') : text.npos;
    const std::string_view word = text.substr(0, plus);
    bool found = false;
    for (const EnumName& w : words.words)
      if (w.word == word) {
        if (words.values && !words.is_mask(w) && std::exchange(has_value, true)) return {};
        sum = words.flags ? sum | w.value : w.value, found = true;
      }
    if (!found) return {};
    more = plus != text.npos;
    if (more) text.remove_prefix(plus + 1);
  }
  return sum;
}

std::string format_vocabulary_words(const EnumNames& words, u64 value) {
  std::string meaning(words.of(i64(value)));
  if (!meaning.empty() || !words.flags) return meaning;
  u64 rest = value;
  for (const EnumName& w : words.words) {
    const u64 mask = words.is_mask(w) ? u64(w.value) : words.values;
    if (w.value == 0 || (value & mask) != u64(w.value)) continue;
    rest &= ~mask;
    if (!meaning.empty()) meaning += ", ";
    meaning += w.word;
  }
  if (!meaning.empty() && rest != 0) meaning += ", " + format_hex(rest);
  return meaning;
}

namespace {

/// Encodes one value as the bytes of a span.
class ValueEncoder {
 public:
  ValueEncoder(ByteView file, const Spans& spans, const SpanRef& spot, const Value& value)
      : spans_(spans), spot_(spot), span_(spans[spot.span]), value_(value) {
    const ByteView before = file.subspan(size_t(spot.offset), size_t(spot.size));
    bytes_.assign(before.begin(), before.end());
  }

  Result<Bytes> encode() {
    Problem problem = encode_by_kind();
    if (problem) return refuse(std::move(*problem));
    return std::move(bytes_);
  }

 private:
  using Problem = std::optional<Diagnostic>;

  Problem encode_by_kind() {
    if (span_.kind == Span::Kind::text) return encode_text();
    if (span_.kind == Span::Kind::bytes) return encode_bytes();
    const bool is_number = span_.kind == Span::Kind::number || span_.kind == Span::Kind::bits || spot_.element;
    if (!is_number) return not_settable_error();
    if (span_.wire == Wire::fourcc) return encode_fourcc();
    return span_.wire == Wire::f32 || span_.wire == Wire::f64 ? encode_float() : encode_number();
  }

  Diagnostic type_error(std::string expected) const {
    return spot_error(spans_, spot_, "layout.type", {.expected = std::move(expected), .found = describe(value_)});
  }
  Diagnostic unknown_word_error(const EnumNames& words) const {
    std::vector<std::string> all;
    for (const EnumName& w : words.words) all.emplace_back(w.word);
    const std::string like = closest_match(value_.text(), all);
    return spot_error(
        spans_, spot_, "layout.type",
        {.expected = words.words.empty() ? "a number" : "a number or a word (" + list_words(words) + ")",
         .found = describe(value_),
         .hint = like.empty() ? "" : "did you mean " + (like.find(' ') == like.npos ? like : in_quotes(like)) + "?"});
  }
  Diagnostic out_of_range_error(const std::string& range) const {
    return spot_error(spans_, spot_, "layout.overflow",
                      {.message = describe(value_) + " is out of range (" + range + ")"});
  }
  Diagnostic text_length_error(size_t found, const std::string& allowed, std::string hint) const {
    return spot_error(spans_, spot_, "layout.text-too-long",
                      {.message = "the text has " + format_count(found, "byte") + "; the field holds " + allowed,
                       .hint = std::move(hint)});
  }
  Diagnostic not_settable_error() const {
    std::string why;
    if (span_.kind == Span::Kind::object || span_.kind == Span::Kind::list || span_.kind == Span::Kind::numbers)
      why = "the path refers to a" + std::string(span_.kind == Span::Kind::object ? "n object" : " list") +
            "; set the values inside it instead";
    else if (span_.kind == Span::Kind::unit)
      why = "the value consists of bit fields; set the bit fields instead";
    else if (span_.kind == Span::Kind::count)
      why = "the count is computed from the list and cannot be set";
    else
      why = "the value is fixed by the format and cannot be set";
    return spot_error(spans_, spot_, "layout.type", {.message = std::move(why)});
  }

  Problem encode_text() {
    const Value* hex = value_.find("hex");  // a text that is not UTF-8
    const auto bytes_of_hex = hex ? parse_hex_bytes(*hex) : std::nullopt;
    if (!bytes_of_hex && !value_.is(Value::Kind::text)) return type_error("text");
    const TextEncoding* encoding = encoding_of(span_.key);
    const auto stored = bytes_of_hex ? std::string(bytes_of_hex->begin(), bytes_of_hex->end())
                        : encoding   ? encoding->stored(value_.text())
                                     : std::optional(value_.text());
    if (!stored) return type_error(encoding->expected);
    const std::string& t = *stored;
    const std::string capacity = format_count(span_.padded ? span_.size : span_.raw, "byte");
    if (!span_.padded && t.size() != span_.raw)  // later bytes would have to move
      return text_length_error(t.size(), "exactly " + capacity, "{edit FILE set} can change the length of the text");
    if (t.size() > span_.size) return text_length_error(t.size(), "at most " + capacity, {});
    if (!span_.padded && span_.size > span_.raw && (encoding ? !terminate_text(*encoding, t) : t.find('\0') != t.npos))
      return type_error("text without NUL characters");
    std::fill(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(span_.size), 0);
    std::copy(t.begin(), t.end(), bytes_.begin());
    return {};
  }

  Problem encode_bytes() {
    const auto raw = parse_hex_bytes(value_);
    if (!raw || raw->size() != span_.size) return type_error(std::to_string(2 * span_.size) + " hex digits");
    std::copy(raw->begin(), raw->end(), bytes_.begin());
    return {};
  }

  Problem encode_fourcc() {
    if (const auto raw = parse_hex_pattern(value_, 8))
      store(bytes_.data(), *raw, 4, true);
    else if (value_.is(Value::Kind::text) && value_.text().size() == 4)
      std::copy(value_.text().begin(), value_.text().end(), bytes_.begin());
    else
      return type_error("four characters, or their bytes as \"0x00010203\"");
    return {};
  }

  Problem encode_float() {
    const size_t n = size_of(span_.wire);
    u64 raw = 0;
    if (const auto bits = parse_hex_pattern(value_, 2 * n))
      raw = *bits;
    else if (value_.is(Value::Kind::integer) || value_.is(Value::Kind::real)) {
      const f64 x = value_.number();
      if (!std::isfinite(n == 4 ? f64(f32(x)) : x))
        return spot_error(
            spans_, spot_, "layout.overflow",
            {.message = describe(value_) + " does not fit in a float of " + std::to_string(8 * n) + " bits"});
      raw = n == 4 ? std::bit_cast<u32>(f32(x)) : std::bit_cast<u64>(x);
    } else
      return type_error("a number, or its bits as \"" + format_hex(0, int(2 * n)) + '"');
    store(bytes_.data(), raw, n, span_.big);
    return {};
  }

  /// A fixed-point number, decimal text, an integer or a bit field; typed as a number, hex digits or a word.
  Problem encode_number() {
    Value number = value_;
    if (value_.is(Value::Kind::text)) {
      const auto word =
          span_.key.vocabulary ? parse_vocabulary_words(*span_.key.vocabulary, value_.text()) : std::nullopt;
      const auto hex = parse_hex_pattern(value_);
      if (!word && !hex)
        return span_.key.vocabulary ? unknown_word_error(*span_.key.vocabulary) : type_error("a number");
      number = word ? Value(*word) : Value(*hex);
    }
    if (span_.fraction) return encode_fixed_point(number);
    if (!number.is(Value::Kind::integer)) return type_error("a whole number");
    return span_.wire == Wire::decimal ? encode_decimal(number) : encode_integer(number);
  }

  Problem encode_fixed_point(const Value& number) {
    if (!number.is(Value::Kind::integer) && !number.is(Value::Kind::real)) return type_error("a number");
    const size_t n = size_of(span_.wire);
    const bool has_sign = is_signed(span_.wire);
    const f64 scaled = std::round(number.number() * f64(u64(1) << span_.fraction));
    const f64 limit = std::ldexp(1.0, int(8 * n - (has_sign ? 1 : 0)));
    if (!(scaled < limit && scaled >= (has_sign ? -limit : 0)))
      return out_of_range_error(describe_range(unsigned(8 * n), has_sign, span_.fraction));
    store(bytes_.data(), u64(i64(scaled)), n, span_.big);
    return {};
  }

  Problem encode_decimal(const Value& number) {
    const i64 high = i64(low_bits(span_.bits - 1u)), whole = i64(number.bits());
    if (number.negative() ? whole < -high - 1 : number.bits() > u64(high))
      return out_of_range_error(describe_range(span_.bits, true));
    const auto end = std::find_if(bytes_.begin(), bytes_.end(), [](u8 c) { return c != '-' && (c < '0' || c > '9'); });
    const std::string digits = std::to_string(whole);
    bytes_.insert(bytes_.erase(bytes_.begin(), end), digits.begin(), digits.end());
    return {};
  }

  Problem encode_integer(const Value& number) {
    const size_t n = size_of(span_.wire);
    const bool is_bit_field = span_.kind == Span::Kind::bits;
    const unsigned width = is_bit_field ? span_.bits : unsigned(8 * n);
    // A signed field accepts -1 by value, an unsigned field 0..2^width-1; hex digits such as 0xFFFF are the bits of
    // either.
    const bool has_sign = is_bit_field ? span_.two_complement : is_signed(span_.wire);
    const bool fits = number.negative()
                          ? has_sign && i64(number.bits()) >= i64(~u64(0) << (width - 1))
                          : number.bits() <= low_bits(width - (has_sign && !value_.is(Value::Kind::text)));
    if (!fits) return out_of_range_error(describe_range(width, has_sign));
    u64 raw = number.bits() & low_bits(width);
    if (is_bit_field) raw = (fetch(bytes_.data(), n, span_.big) & ~(low_bits(width) << span_.bit)) | raw << span_.bit;
    store(bytes_.data(), raw, n, span_.big);
    return {};
  }

  const Spans& spans_;
  const SpanRef& spot_;
  const Span& span_;
  const Value& value_;
  Bytes bytes_;
};

}  // namespace

Result<Bytes> encoded_value(ByteView file, const Spans& spans, const SpanRef& spot, const Value& value) {
  return ValueEncoder(file, spans, spot, value).encode();
}

Result<bool> write_value(Bytes& file, const Spans& spans, const SpanRef& spot, const Value& value) {
  const auto now = encoded_value(file, spans, spot, value);
  if (!now) return refuse(now.error());
  const auto from = file.begin() + std::ptrdiff_t(spot.offset);
  file.insert(file.erase(from, from + std::ptrdiff_t(spot.size)), now->begin(), now->end());
  return true;
}

Value parse_typed(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return Value(text.substr(1, text.size() - 2));
  const bool minus = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(minus || (!text.empty() && text[0] == '+'));
  const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (hex && !minus)
    return Value("0x" + std::string(digits.substr(2)));  // the field determines whether these are a number or bits
  u64 n = 0;
  const char* from = digits.data() + (hex ? 2 : 0);
  const auto r = std::from_chars(from, digits.data() + digits.size(), n, hex ? 16 : 10);
  if (!digits.empty() && r.ec == std::errc() && r.ptr == digits.data() + digits.size() && (!minus || n <= u64(1) << 63))
    return minus ? Value(i64(~n + 1)) : Value(n);
  char* end = nullptr;
  const std::string copy(text);
  const f64 x = std::strtod(copy.c_str(), &end);
  if (!copy.empty() && end == copy.c_str() + copy.size() && (std::isdigit(u8(digits[0])) || digits[0] == '.'))
    return Value(x);
  return Value(text);
}

}  // namespace dio
