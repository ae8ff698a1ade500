#include "core/text_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace dio {

namespace {

constexpr char k_hex[] = "0123456789abcdef";

constexpr std::array<u64, 13> k_powers_of_5 = [] {
  std::array<u64, 13> p{1};
  for (size_t i = 1; i < p.size(); ++i) p[i] = 5 * p[i - 1];
  return p;
}();

constexpr std::array<char, 200> k_pairs = [] {  // 00, 01, ...
  std::array<char, 200> digits{};
  for (size_t i = 0; i < 100; ++i) digits[2 * i] = char('0' + i / 10), digits[2 * i + 1] = char('0' + i % 10);
  return digits;
}();

/// Formats fixed-point numbers and small whole numbers with all their digits, if no digit can be missing. Two numbers
/// that differ in their first digits10 digits are different values of F, so a number without more digits cannot be
/// written with fewer. Returns 0 for other numbers.
template <class F>
size_t format_short_decimal(char* to, F x) {
  constexpr unsigned k_bits = unsigned(k_powers_of_5.size()) - 1;  // bits after the point; each adds one decimal
  const F size = std::abs(x), scaled = size * F(1 << k_bits);
  if (!(size < F(1e9)) || scaled != std::floor(scaled)) return 0;
  const u64 n = u64(scaled), whole = n >> k_bits, bits = n & ((1 << k_bits) - 1);
  const unsigned decimals = bits ? k_bits - unsigned(std::countr_zero(bits)) : 0;
  char* p = to;
  if (std::signbit(x)) *p++ = '-';
  char* const first = p;
  p = std::to_chars(p, p + 10, whole).ptr;
  if (unsigned(p - first) + decimals > unsigned(std::numeric_limits<F>::digits10)) return 0;
  *p++ = '.';
  if (!decimals) *p++ = '0';
  u64 rest = (bits >> (k_bits - decimals)) * k_powers_of_5[decimals];
  unsigned i = decimals;
  for (; i > 1; rest /= 100) std::memcpy(p + (i -= 2), &k_pairs[2 * (rest % 100)], 2);
  if (i) *p = char('0' + rest);
  return size_t(p + decimals - to);
}

template <class F>
size_t format_decimal(char* to, F x) {
  if (const size_t n = format_short_decimal(to, x)) return n;
  // to_chars alone prefers the shorter 1e+05 to 100000. Coordinates are easier to read written out.
  const F size = std::abs(x);
  const bool plain = size == 0 || (size >= F(1e-5) && size < F(1e9));
  char* end = plain ? std::to_chars(to, to + k_most_real_digits, x, std::chars_format::fixed).ptr
                    : std::to_chars(to, to + k_most_real_digits, x).ptr;
  if (std::find_if(to, end, [](char c) { return c == '.' || c == 'e'; }) == end) *end++ = '.', *end++ = '0';
  return size_t(end - to);
}

}  // namespace

size_t format_real(char* to, f64 x, bool single) {
  if (!std::isfinite(x)) {
    const std::string bits =
        single ? format_hex(std::bit_cast<u32>(static_cast<f32>(x)), 8) : format_hex(std::bit_cast<u64>(x), 16);
    std::copy(bits.begin(), bits.end(), to);
    return bits.size();
  }
  const f32 f = static_cast<f32>(x);
  // Among all 2^32 floats, only this number and its negative have shortest digits (7.038531e-26) that become another
  // float if read as a double first, as in JSON. All floats were tested.
  const bool as_double = !single || (std::bit_cast<u32>(f) & 0x7fffffff) == 0x15ae43fd;
  return as_double ? format_decimal(to, x) : format_decimal(to, f);
}

std::string format_real(f64 x, bool single) {
  char text[k_most_real_digits];
  return std::string(text, format_real(text, x, single));
}

/// Parses a number with few digits and no exponent, which is one division of two exact numbers; otherwise returns
/// nothing.
static std::optional<f64> parse_short_decimal(std::string_view digits) {
  constexpr size_t k_most = 16;  // 10^15 is below 2^53
  constexpr std::array<f64, 16> k_powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  if (digits.empty() || digits.size() > k_most) return {};
  u64 n = 0;
  size_t point = digits.size();
  for (size_t i = 0; i < digits.size(); ++i) {
    const unsigned digit = unsigned(u8(digits[i])) - '0';
    if (digit < 10)
      n = 10 * n + digit;
    else if (digits[i] == '.' && point == digits.size())
      point = i;
    else
      return {};
  }
  const size_t behind = digits.size() - std::min(point + 1, digits.size());
  if (digits.size() == k_most && point == digits.size()) return {};
  const f64 x = f64(n) / k_powers[behind];
  return negative ? -x : x;
}

f64 parse_real(std::string_view digits) {
  if (const auto x = parse_short_decimal(digits)) return *x;
#ifdef __cpp_lib_to_chars  // some standard libraries lack it for doubles
  f64 x = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), x).ec == std::errc()) return x;
#endif
  const std::string text(digits);
  char* end = nullptr;
  const f64 y = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? std::numeric_limits<f64>::quiet_NaN() : y;
}

std::string format_hex(u64 n, int digits) {
  char text[18] = "0x";
  int length = digits;
  while (length < 16 && n >> (4 * length)) ++length;
  for (int i = 0; i < length; ++i) text[2 + i] = k_hex[n >> (4 * (length - 1 - i)) & 15];
  return std::string(text, size_t(2 + length));
}

std::string encode_hex(ByteView bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const u8 b : bytes) {
    text += k_hex[b >> 4];
    text += k_hex[b & 15];
  }
  return text;
}

std::optional<Bytes> decode_hex(std::string_view digits) {
  constexpr u8 k_none = 0x80;
  // Without a table, so that the compiler can vectorise the loop.
  const auto value = [](char c) -> u8 {
    const u8 number = u8(c - '0'), letter = u8((c | 0x20) - 'a');
    return number < 10 ? number : letter < 6 ? u8(letter + 10) : k_none;
  };
  if (digits.size() % 2) return {};
  Bytes bytes(digits.size() / 2);
  u8 wrong = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const u8 high = value(digits[2 * i]), low = value(digits[2 * i + 1]);
    wrong |= high | low;
    bytes[i] = u8(high << 4 | low);
  }
  if (wrong & k_none) return {};
  return bytes;
}

size_t utf8_sequence_length(std::string_view text, size_t i) {
  const auto byte = [&](size_t at) { return at < text.size() ? u8(text[at]) : u8(0); };
  const auto follows = [&](size_t at, u8 low = 0x80, u8 high = 0xbf) { return byte(at) >= low && byte(at) <= high; };
  if (i >= text.size()) return 0;
  const u8 lead = byte(i);
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;  // a continuation byte, or an overlong form
  if (lead < 0xe0) return follows(i + 1) ? 2 : 0;
  if (lead < 0xf0) {
    // e0: no overlong forms; ed: no surrogates.
    const bool second = follows(i + 1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && follows(i + 2) ? 3 : 0;
  }
  if (lead < 0xf5) {
    // f0: no overlong forms; f4: nothing above U+10FFFF.
    const bool second = follows(i + 1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && follows(i + 2) && follows(i + 3) ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_sequence_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

void append_utf8(std::string& text, u32 code) {
  const auto rest = [&](unsigned shift) { text += char(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    text += char(0xc0 | code >> 6), rest(0);
  } else if (code < 0x10000) {
    text += char(0xe0 | code >> 12), rest(6), rest(0);
  } else {
    text += char(0xf0 | code >> 18), rest(12), rest(6), rest(0);
  }
}

u32 decode_utf8(std::string_view text, size_t i, size_t length) {
  if (length < 2) return u8(text[i]);
  u32 code = u8(text[i]) & (0x7fu >> length);
  for (size_t n = 1; n < length; ++n) code = code << 6 | (u8(text[i + n]) & 0x3f);
  return code;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_sequence_length(text, i);
    const char c = text[i];
    const bool is_control = u8(c) < 0x20 && c != '\n' && c != '\t';
    // U+FFFE and U+FFFF are still well-formed UTF-8.
    const std::string_view whole = text.substr(i, length);
    if (length == 0 || is_control || whole == "\xef\xbf\xbe" || whole == "\xef\xbf\xbf")
      out += "\xef\xbf\xbd";
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += whole;
    i += std::max<size_t>(length, 1);
  }
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; };
  out += '"';
  for (size_t i = 0; i < text.size();) {
    const auto start = text.begin() + std::ptrdiff_t(i), end = std::find_if_not(start, text.end(), is_plain);
    out.append(start, end);
    i += size_t(end - start);
    if (i == text.size()) break;
    const size_t length = utf8_sequence_length(text, i);
    const char c = text[i];
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++i;
      continue;
    }
    if (length > 1) {
      out += text.substr(i, length);
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {  // a control character
      out += "\\u00";
      out += k_hex[u8(c) >> 4];
      out += k_hex[c & 15];
    }
    i += length;
  }
  out += '"';
}

namespace {

/// Characters that are not displayed, but change how others are: they reverse them (U+202E), break lines (U+2028), or
/// make different names look the same (U+200B). U+200C and U+200D are not among them: Persian, Hindi and emoji need
/// them.
bool is_misleading(u32 character) {
  constexpr std::pair<u32, u32> k_ranges[] = {{0x61c, 0x61c},   {0x200b, 0x200b}, {0x200e, 0x200f},  {0x2028, 0x202e},
                                              {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};
  return std::ranges::any_of(k_ranges, [&](const auto& r) { return r.first <= character && character <= r.second; });
}

}  // namespace

std::string escape_control_chars(std::string_view text) {
  const auto is_plain = [](char c) { return u8(c) >= 0x20 && u8(c) < 0x7f; };
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_sequence_length(text, i);
    const u8 c = u8(text[i]);
    // c2 80 to c2 9f are also control characters.
    const bool control = length == 1 ? c < 0x20 || c == 0x7f : length == 2 && c == 0xc2 && u8(text[i + 1]) < 0xa0;
    if (length == 0 || control) {
      const u8 code = length == 2 ? u8(text[i + 1]) : c;
      out += "\\x";
      out += k_hex[code >> 4];
      out += k_hex[code & 15];
    } else if (const u32 character = decode_utf8(text, i, length); is_misleading(character)) {
      out += "\\u";
      if (character > 0xffff) out += '{';
      out += format_hex(character, 4).substr(2);
      if (character > 0xffff) out += '}';
    } else {
      out += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::string truncate_utf8(std::string text, size_t most) {
  if (text.size() <= most) return text;
  size_t end = 0;
  while (end < most) end += std::max<size_t>(utf8_sequence_length(text, end), 1);
  text.resize(std::min(end, text.size()));
  return text + "...";
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return out;
}

std::string upper_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return out;
}

std::string format_with_commas(u64 n) {
  std::string s = std::to_string(n);
  for (size_t i = s.size(); i > 3;) s.insert(i -= 3, ",");
  return s;
}

std::string format_count(u64 n, std::string_view one) {
  std::string text = std::to_string(n) + ' ';
  text += one;
  if (n != 1) text += 's';
  return text;
}

std::string join_first_few(const std::vector<std::string>& names) {
  constexpr size_t k_few = 4;
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), k_few); ++i) out += (i ? ", " : "") + names[i];
  return out + (names.size() > k_few ? " and " + std::to_string(names.size() - k_few) + " more" : "");
}

/// The number of letters to insert, delete, replace or swap with a neighbour.
static size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t(0));
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = now;
  }
  return last[b.size()];
}

std::string closest_match(std::string_view text, const std::vector<std::string>& words) {
  const std::string wanted = lower_case(text);
  std::string best;
  size_t least = std::max<size_t>(text.size() / 3, 1) + 1;
  for (const std::string& word : words) {
    // A prefix counts like one wrong letter, and so does a common start with another ending: scale for scaling.
    constexpr size_t k_telling = 5;
    const std::string w = lower_case(word);
    const bool is_start = wanted.size() >= 2 && w.starts_with(wanted),
               is_stem = wanted.size() > k_telling && w.starts_with(wanted.substr(0, wanted.size() - 1));
    size_t d = edit_distance(wanted, w);
    if (is_start || is_stem) d = std::min<size_t>(d, 1);
    if (d < least) {
      least = d;
      best = word;
    }
  }
  return best;
}

}  // namespace dio
