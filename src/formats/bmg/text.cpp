// text.cpp: converts message texts to readable text and back. An escape is 0x1A, its length, a group, a tag and
// arguments. Only the length tells where the text continues.
#include "formats/bmg/text.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace dio::bmg {

namespace {

constexpr u32 k_escape = 0x1a;
constexpr EnumName k_colors[] = {{0x00, "off"},   {0x01, "red4"}, {0x02, "white"}, {0x08, "transp"}, {0x10, "yor0"},
                                 {0x11, "yor1"},  {0x12, "yor2"}, {0x13, "yor3"},  {0x14, "yor4"},   {0x15, "yor5"},
                                 {0x16, "yor6"},  {0x17, "yor7"}, {0x20, "red2"},  {0x21, "blue1"},  {0x30, "yellow"},
                                 {0x31, "blue2"}, {0x32, "red3"}, {0x33, "green"}, {0x40, "red1"}};
constexpr EnumNames k_color_words{k_colors};
constexpr u16 k_color_escape = 0x0800, k_picture_escape = 0x0801;  // the length in UTF-16, and the group

/// The next unit of a text.
struct TextToken {
  enum class Kind : u8 { character, unit, escape } kind = Kind::character;
  size_t size = 0;  // bytes; 0: too few are left
  u32 value = 0;    // the character, or the value of a unit that is no character
};

/// The characters of an encoding; everything else is the same in all encodings.
struct Characters {
  size_t unit;  // bytes
  TextToken (*next)(std::string_view);
  bool (*append)(std::string&, u32 character);  // false: it has no such character
};

u8 byte_at(std::string_view s, size_t i) { return u8(s[i]); }
u32 unit_at(std::string_view s, size_t i, size_t unit) {
  return unit == 1 ? byte_at(s, i) : u32(byte_at(s, i) << 8 | byte_at(s, i + 1));
}
void append_unit(std::string& out, u32 n, size_t unit) {
  if (unit == 2) out += char(n >> 8);
  out += char(n);
}

// ---- characters

TextToken next_utf16(std::string_view s) {
  using enum TextToken::Kind;
  if (s.size() < 2) return {};
  const u32 n = unit_at(s, 0, 2);
  if (n >= 0xd800 && n < 0xdc00 && s.size() >= 4)
    if (const u32 low = unit_at(s, 2, 2); low >= 0xdc00 && low < 0xe000)
      return {character, 4, 0x10000 + ((n - 0xd800) << 10 | (low - 0xdc00))};
  // icons in the game's fonts are private characters, which would be invisible
  const bool is_shown = n < 0xd800 || (n > 0xf8ff && n < 0xfffe);
  return {is_shown ? character : unit, 2, n};
}
bool append_utf16(std::string& out, u32 c) {
  if (c > 0xffff) {
    append_unit(out, 0xd800 + ((c - 0x10000) >> 10), 2);
    c = 0xdc00 + ((c - 0x10000) & 0x3ff);
  }
  append_unit(out, c, 2);
  return true;
}

/// The characters of the bytes 0x80 to 0x9f; 0: none.
constexpr u16 k_cp1252[32] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
                              0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
                              0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};
TextToken next_cp1252(std::string_view s) {
  using enum TextToken::Kind;
  const u8 n = byte_at(s, 0);
  if (n < 0x80 || n >= 0xa0) return {character, 1, n};
  return k_cp1252[n - 0x80] ? TextToken{character, 1, k_cp1252[n - 0x80]} : TextToken{unit, 1, n};
}
bool append_cp1252(std::string& out, u32 c) {
  if (c < 0x80 || (c >= 0xa0 && c < 0x100)) return out += char(c), true;
  const auto at = std::ranges::find(k_cp1252, c);
  if (at == std::end(k_cp1252)) return false;
  out += char(0x80 + (at - k_cp1252));
  return true;
}

// One byte is JIS X 0201: ASCII but for two characters, and half-width katakana.
constexpr u32 k_yen = 0xa5, k_overline = 0x203e, k_katakana = 0xff61;
TextToken next_shift_jis(std::string_view s) {
  using enum TextToken::Kind;
  const u8 n = byte_at(s, 0);
  if (n < 0x80) return {character, 1, n == '\\' ? k_yen : n == '~' ? k_overline : n};
  if (n > 0xa0 && n < 0xe0) return {character, 1, k_katakana + n - 0xa1};
  const u16 c = s.size() > 1 ? shift_jis_to_unicode(n, byte_at(s, 1)) : 0;
  return c ? TextToken{character, 2, c} : TextToken{unit, 1, n};
}
bool append_shift_jis(std::string& out, u32 c) {
  if (c == k_yen) return out += '\\', true;
  if (c == k_overline) return out += '~', true;
  if (c < 0x80) return c != '\\' && c != '~' ? out += char(c), true : false;
  if (c >= k_katakana && c < k_katakana + 0x3f) return out += char(c - k_katakana + 0xa1), true;
  const u16 n = c <= 0xffff ? unicode_to_shift_jis(u16(c)) : 0;
  if (n) append_unit(out, n, 2);
  return n != 0;
}

TextToken next_utf8(std::string_view s) {
  using enum TextToken::Kind;
  const size_t n = utf8_sequence_length(s, 0);
  return n ? TextToken{character, n, decode_utf8(s, 0, n)} : TextToken{unit, 1, byte_at(s, 0)};
}

constexpr Characters k_utf16_characters{2, next_utf16, append_utf16},
    k_cp1252_characters{1, next_cp1252, append_cp1252}, k_shift_jis_characters{1, next_shift_jis, append_shift_jis},
    k_utf8_characters{1, next_utf8, [](std::string& out, u32 c) { return append_utf8(out, c), true; }};

TextToken next_piece(const Characters& in, std::string_view s) {
  if (s.size() < in.unit || unit_at(s, 0, in.unit) != k_escape) return s.empty() ? TextToken{} : in.next(s);
  if (s.size() <= in.unit) return {};
  const size_t length = byte_at(s, in.unit), whole = std::max((length + in.unit - 1) / in.unit, size_t(2)) * in.unit;
  return {TextToken::Kind::escape, s.size() < whole ? 0 : whole, 0};
}

std::optional<size_t> find_terminated_size(const Characters& in, ByteView bytes) {
  const std::string_view s(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (size_t i = 0;;) {
    const TextToken p = next_piece(in, s.substr(i));
    if (!p.size) return {};
    if (p.kind == TextToken::Kind::character && !p.value) return i;
    i += p.size;
  }
}

// ---- to UTF-8

void append_hex(std::string& out, u64 n) {
  char digits[16];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, n, 16).ptr);
}
u64 number_at(std::string_view s, size_t at, size_t size) {
  u64 n = 0;
  for (size_t i = 0; i < size; ++i) n = n << 8 | (at + i < s.size() ? byte_at(s, at + i) : 0);
  return n;
}
/// The number of argument half-words in a UTF-16 escape of this length.
size_t arguments_of(size_t length) { return (length + 1) / 2 - 2; }

/// False for an escape without arguments, which does not exist.
bool format_escape(const Characters& in, std::string_view s, std::string& out, size_t& last_picture) {
  const size_t length = size_t(byte_at(s, in.unit)) + 2 - in.unit;  // as if it were UTF-16
  if (length < 5 || length > 0xff) return false;
  const std::string_view arguments = s.substr(in.unit + 2);
  const size_t words = arguments_of(length);
  if (2 * words > arguments.size() + 1 || 2 * words < arguments.size()) return false;
  const u32 code = u32(length << 8 | byte_at(s, in.unit + 1));
  if (code == k_color_escape && number_at(arguments, 0, 2) == 1) {
    const u64 color = number_at(arguments, 2, 2);
    out += "\\c{";
    if (const auto word = k_color_words.of(i64(color)); !word.empty())
      out += word;
    else
      append_hex(out, color);
  } else if (code == k_picture_escape) {
    if (last_picture == out.size() && !out.empty())
      out.back() = ',';
    else
      out += "\\u{";
    append_hex(out, number_at(arguments, 0, 4));
    last_picture = out.size() + 1;
  } else {
    out += "\\z{";
    append_hex(out, code);
    for (size_t i = 0; i < words;) {  // four at a time; the remainder comes first
      const size_t n = (words - i - 1) % 4 + 1;
      out += ',';
      append_hex(out, number_at(arguments, 2 * i, 2 * n));
      i += n;
    }
  }
  out += '}';
  return true;
}

std::optional<std::string> decode_for_display(const Characters& in, std::string_view s) {
  std::string out;
  size_t last_picture = 0;
  while (!s.empty()) {
    const TextToken p = next_piece(in, s);
    if (!p.size) return {};
    if (p.kind == TextToken::Kind::escape) {
      if (!format_escape(in, s.substr(0, p.size), out, last_picture)) return {};
    } else if (p.kind == TextToken::Kind::unit || (p.value < ' ' && p.value != '\n') || p.value == 0x7f) {
      out += "\\x{";
      append_hex(out, p.value);
      out += '}';
    } else if (p.value == '\\') {
      out += "\\\\";
    } else {
      append_utf8(out, p.value);
    }
    s.remove_prefix(p.size);
  }
  return out;
}

// ---- from UTF-8

/// Parses `{1a,f067}` at the start, in hex; nothing if it is missing. A colour may have a name.
std::optional<std::vector<u64>> parse_number_list(std::string_view& s, bool colors) {
  const size_t end = s.find('}');
  if (!s.starts_with('{') || end == s.npos) return {};
  std::string_view list = s.substr(1, end - 1);
  s.remove_prefix(end + 1);
  std::vector<u64> out;
  for (bool more = true; more;) {
    const size_t comma = list.find(',');
    const std::string_view one = list.substr(0, comma);
    more = comma != list.npos;
    if (more) list.remove_prefix(comma + 1);
    const auto color = std::ranges::find(k_colors, one, &EnumName::word);
    u64 n = colors && color != std::end(k_colors) ? u64(color->value) : 0;
    if (!colors || color == std::end(k_colors)) {
      const auto r = std::from_chars(one.data(), one.data() + one.size(), n, 16);
      if (r.ec != std::errc() || r.ptr != one.data() + one.size()) return {};
    }
    out.push_back(n);
  }
  return out;
}

/// False if the numbers do not fit an escape of that length.
bool encode_escape(const Characters& in, std::string& out, u64 code, std::span<const u64> numbers) {
  const size_t length = size_t(code >> 8);
  if (length < 5 || length > 0xff) return false;
  size_t words = arguments_of(length);
  append_unit(out, k_escape, in.unit);
  out += char(length - (2 - in.unit));
  out += char(code);
  for (const u64 n : numbers) {
    if (!words) return false;
    const size_t size = 2 * ((words - 1) % 4 + 1);
    if (size < 8 && n >> (8 * size)) return false;
    for (size_t i = size; i-- > 0;) out += char(n >> (8 * i));
    words -= size / 2;
  }
  if (words) return false;
  if (in.unit == 1 && length % 2) {  // one byte less than whole half-words
    if (out.back()) return false;
    out.pop_back();
  }
  return true;
}

/// Parses the text after a backslash.
bool parse_escape(const Characters& in, std::string_view& s, std::string& out) {
  if (s.empty()) return false;
  const char kind = s[0];
  s.remove_prefix(1);
  if (kind == '\\') return in.append(out, '\\');
  if (kind == 'n') return in.append(out, '\n');
  if (kind != 'x' && kind != 'c' && kind != 'u' && kind != 'z') return false;
  const auto numbers = parse_number_list(s, kind == 'c');
  if (!numbers) return false;
  if (kind == 'z') return encode_escape(in, out, numbers->front(), std::span(*numbers).subspan(1));
  for (const u64 n : *numbers) {
    if (kind == 'x') {
      if (!n || n == k_escape || n >> (8 * in.unit)) return false;
      append_unit(out, u32(n), in.unit);
    } else {
      const u64 whole = kind == 'c' ? 0x10000 | n : n;
      if (kind == 'c' && n > 0xffff) return false;
      if (!encode_escape(in, out, kind == 'c' ? k_color_escape : k_picture_escape, {&whole, 1})) return false;
    }
  }
  return true;
}

std::optional<std::string> encode_from_display(const Characters& in, std::string_view s) {
  std::string out;
  while (!s.empty()) {
    const size_t n = utf8_sequence_length(s, 0);
    if (!n) return {};
    const u32 c = decode_utf8(s, 0, n);
    s.remove_prefix(n);
    if (c == '\\' ? !parse_escape(in, s, out) : c == 0 || c == k_escape || !in.append(out, c)) return {};
  }
  return out;
}

template <const Characters& In>
constexpr TextEncoding encoding(const char* expected) {
  return {In.unit, [](ByteView b) { return find_terminated_size(In, b); },
          [](std::string_view s) { return decode_for_display(In, s); },
          [](std::string_view s) { return encode_from_display(In, s); }, expected};
}

}  // namespace

constexpr TextEncoding k_cp1252_text =
    encoding<k_cp1252_characters>("Windows-1252 text with valid escapes, such as \\c{red1}");
constexpr TextEncoding k_utf16_text =
    encoding<k_utf16_characters>("text with valid escapes, such as \\c{red1} or \\\\");
constexpr TextEncoding k_shift_jis_text =
    encoding<k_shift_jis_characters>("Shift JIS text with valid escapes, such as \\c{red1}");
constexpr TextEncoding k_utf8_text = encoding<k_utf8_characters>("text with valid escapes, such as \\c{red1} or \\\\");

}  // namespace dio::bmg
