#include "layout/write_value.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/text_format.hpp"
#include "layout/leaf.hpp"
#include "layout/text_encoding.hpp"

namespace dio {

namespace {

tl::unexpected<Diagnostic> spot_error(const Spans& spans, const SpanRef& spot, const char* id, DiagnosticText said) {
  return refuse(id, Location::of_bytes(spot.offset, spot.size, spans.path(spot)), std::move(said));
}

std::string describe(const Value& v) {
  if (v.is(Value::Kind::text)) return "\"" + v.text() + "\"";
  if (v.is(Value::Kind::integer)) return v.negative() ? std::to_string(i64(v.bits())) : std::to_string(v.bits());
  if (v.is(Value::Kind::real)) return std::to_string(v.number());
  return v.is(Value::Kind::list) ? "a list" : v.is(Value::Kind::object) ? "an object" : "no number or text";
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
  // As many digits as it takes to round to the last number that fits.
  const int digits = int(std::ceil(fraction * std::log10(2.0)));
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
  bool has_value = false;  // of the bits that hold one number
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

Result<Bytes> encoded_value(ByteView file, const Spans& spans, const SpanRef& spot, const Value& value) {
  const Span& s = spans[spot.span];
  const ByteView before = file.subspan(size_t(spot.offset), size_t(spot.size));
  Bytes bytes(before.begin(), before.end());
  u8* at = bytes.data();
  const auto type_error = [&](std::string expected) {
    return spot_error(spans, spot, "layout.type", {.expected = std::move(expected), .found = describe(value)});
  };
  const auto unknown_word_error = [&](const EnumNames& words) {
    std::vector<std::string> all;
    for (const EnumName& w : words.words) all.emplace_back(w.word);
    const std::string like = closest_match(value.text(), all);
    return spot_error(
        spans, spot, "layout.type",
        {.expected = "a number or a word (" + list_words(words) + ")",
         .found = describe(value),
         .hint = like.empty() ? "" : "did you mean " + (like.find(' ') == like.npos ? like : in_quotes(like)) + "?"});
  };
  const auto out_of_range_error = [&](const std::string& range) {
    return spot_error(spans, spot, "layout.overflow",
                      {.message = describe(value) + " is out of range (" + range + ")"});
  };
  const auto text_length_error = [&](size_t found, const std::string& allowed, std::string hint) {
    return spot_error(spans, spot, "layout.text-too-long",
                      {.message = "the text has " + format_count(found, "byte") + "; the field holds " + allowed,
                       .hint = std::move(hint)});
  };
  const auto not_settable_error = [&] {
    std::string why;
    if (s.kind == Span::Kind::object || s.kind == Span::Kind::list || s.kind == Span::Kind::numbers)
      why = "this is a" + std::string(s.kind == Span::Kind::object ? "n object" : " list") +
            "; only the values in it can be set";
    else if (s.kind == Span::Kind::unit)
      why = "this consists of bit fields; only they can be set";
    else if (s.kind == Span::Kind::count)
      why = "this count follows from the list and cannot be set";
    else
      why = "this value follows from the format and cannot be set";
    return spot_error(spans, spot, "layout.type", {.message = std::move(why)});
  };
  if (s.kind == Span::Kind::text) {
    const Value* hex = value.find("hex");  // one that is not UTF-8
    const auto bytes_of_hex = hex ? parse_hex_bytes(*hex) : std::nullopt;
    if (!bytes_of_hex && !value.is(Value::Kind::text)) return type_error("text");
    const TextEncoding* encoding = encoding_of(s.key);
    const auto stored = bytes_of_hex ? std::string(bytes_of_hex->begin(), bytes_of_hex->end())
                        : encoding   ? encoding->stored(value.text())
                                     : std::optional(value.text());
    if (!stored) return type_error(encoding->expected);
    const std::string& t = *stored;
    const std::string room = format_count(s.padded ? s.size : s.raw, "byte");
    if (!s.padded && t.size() != s.raw)  // what follows would have to move
      return text_length_error(t.size(), "exactly " + room, "`dio edit FILE set` can change its length");
    if (t.size() > s.size) return text_length_error(t.size(), "at most " + room, {});
    if (!s.padded && s.size > s.raw && (encoding ? !terminate_text(*encoding, t) : t.find('\0') != t.npos))
      return type_error("text without NUL");
    std::fill(at, at + s.size, 0);
    std::copy(t.begin(), t.end(), at);
    return bytes;
  }
  if (s.kind == Span::Kind::bytes) {
    const auto raw = parse_hex_bytes(value);
    if (!raw || raw->size() != s.size) return type_error(std::to_string(2 * s.size) + " hex digits");
    std::copy(raw->begin(), raw->end(), at);
    return bytes;
  }
  const bool element = spot.element.has_value();
  if (s.kind != Span::Kind::number && s.kind != Span::Kind::bits && !element) return not_settable_error();
  const size_t n = size_of(s.wire);
  if (s.wire == Wire::fourcc) {
    if (const auto raw = parse_hex_pattern(value, 8))
      store(at, *raw, 4, true);
    else if (value.is(Value::Kind::text) && value.text().size() == 4)
      std::copy(value.text().begin(), value.text().end(), at);
    else
      return type_error("four characters, or their bytes as \"0x00010203\"");
    return bytes;
  }
  if (s.wire == Wire::f32 || s.wire == Wire::f64) {
    u64 raw = 0;
    if (const auto bits = parse_hex_pattern(value, 2 * n))
      raw = *bits;
    else if (value.is(Value::Kind::integer) || value.is(Value::Kind::real)) {
      const f64 x = value.number();
      if (!std::isfinite(n == 4 ? f64(f32(x)) : x))
        return spot_error(
            spans, spot, "layout.overflow",
            {.message = describe(value) + " does not fit in a float of " + std::to_string(8 * n) + " bits"});
      raw = n == 4 ? std::bit_cast<u32>(f32(x)) : std::bit_cast<u64>(x);
    } else
      return type_error("a number, or its bits as \"" + format_hex(0, int(2 * n)) + '"');
    store(at, raw, n, s.big);
    return bytes;
  }
  Value number = value;
  if (value.is(Value::Kind::text)) {
    const auto word = s.key.vocabulary ? parse_vocabulary_words(*s.key.vocabulary, value.text()) : std::nullopt;
    const auto hex = parse_hex_pattern(value);
    if (!word && !hex) return s.key.vocabulary ? unknown_word_error(*s.key.vocabulary) : type_error("a number");
    number = word ? Value(*word) : Value(*hex);
  }
  if (s.fraction) {
    if (!number.is(Value::Kind::integer) && !number.is(Value::Kind::real)) return type_error("a number");
    const f64 scaled = std::round(number.number() * f64(u64(1) << s.fraction));
    const f64 limit = std::ldexp(1.0, int(8 * n - (is_signed(s.wire) ? 1 : 0)));
    if (!(scaled < limit && scaled >= (is_signed(s.wire) ? -limit : 0)))
      return out_of_range_error(describe_range(unsigned(8 * n), is_signed(s.wire), s.fraction));
    store(at, u64(i64(scaled)), n, s.big);
    return bytes;
  }
  if (!number.is(Value::Kind::integer)) return type_error("a whole number");
  if (s.wire == Wire::decimal) {
    const i64 high = i64(low_bits(s.bits - 1u)), whole = i64(number.bits());
    if (number.negative() ? whole < -high - 1 : number.bits() > u64(high))
      return out_of_range_error(describe_range(s.bits, true));
    const auto end = std::find_if(bytes.begin(), bytes.end(), [](u8 c) { return c != '-' && (c < '0' || c > '9'); });
    const std::string digits = std::to_string(whole);
    bytes.insert(bytes.erase(bytes.begin(), end), digits.begin(), digits.end());
    return bytes;
  }
  const unsigned width = s.kind == Span::Kind::bits ? s.bits : unsigned(8 * n);
  // a field that is signed takes -1 by its value, one that is not takes 0..2^width-1; 0xFFFF for a signed field means
  // its bits
  const bool minus = s.kind == Span::Kind::bits ? s.two_complement : is_signed(s.wire);
  const bool fits = number.negative() ? minus && i64(number.bits()) >= i64(~u64(0) << (width - 1))
                                      : number.bits() <= low_bits(width - (minus && !value.is(Value::Kind::text)));
  if (!fits) return out_of_range_error(describe_range(width, minus));
  u64 raw = number.bits() & low_bits(width);
  if (s.kind == Span::Kind::bits) raw = (fetch(at, n, s.big) & ~(low_bits(width) << s.bit)) | raw << s.bit;
  store(at, raw, n, s.big);
  return bytes;
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
    return Value("0x" + std::string(digits.substr(2)));  // whether these are a number or bits, the field knows
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
