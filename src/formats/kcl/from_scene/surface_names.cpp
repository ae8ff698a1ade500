#include "formats/kcl/from_scene/surface_names.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/kcl/geometry.hpp"
#include "scene/extras.hpp"

namespace dio::kcl {

namespace {

constexpr bool is_digit(char c) { return '0' <= c && c <= '9'; }
constexpr int hex_digit(char c) {
  return is_digit(c) ? c - '0' : 'a' <= c && c <= 'f' ? c - 'a' + 10 : 'A' <= c && c <= 'F' ? c - 'A' + 10 : -1;
}
constexpr bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

/// Exactly four hex digits at the start.
std::optional<u16> parse_four_hex_digits(std::string_view text) {
  if (text.size() < 4 || (text.size() > 4 && (hex_digit(text[4]) >= 0 || is_letter(text[4])))) return {};
  u32 n = 0;
  for (size_t i = 0; i < 4; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return {};
    n = n << 4 | u32(digit);
  }
  return u16(n);
}

/// Lower case, with single spaces for runs of spaces, `_` or `-`; without a suffix like .001.
std::string normalize_name(std::string_view name) {
  if (const size_t dot = name.rfind('.'); dot != name.npos && dot + 1 < name.size())
    if (std::ranges::all_of(name.substr(dot + 1), is_digit)) name = name.substr(0, dot);
  std::string out;
  for (const char c : lower_case(name)) {
    const bool space = c == ' ' || c == '_' || c == '-';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// The longest word that starts the text and ends at its end or before a character that is no letter or digit.
const EnumName* find_leading_word(const EnumNames& words, std::string_view text) {
  const EnumName* best = nullptr;
  size_t longest = 0;
  for (const EnumName& w : words.words) {
    const std::string word = normalize_name(w.word);
    if (word.size() <= longest || !text.starts_with(word)) continue;
    if (text.size() > word.size() && (is_letter(text[word.size()]) || is_digit(text[word.size()]))) continue;
    best = &w;
    longest = word.size();
  }
  return best;
}

/// The value of a number, or of a text that is a number or a word.
std::optional<u32> parse_number_or_word(const Value& extras, std::string_view name, const EnumNames& words, u32 most) {
  std::optional<f64> n = scene::read_number_extra(extras, name);
  if (const auto flag = scene::read_flag_extra(extras, name); flag && !n) n = *flag ? 1 : 0;
  if (const auto text = scene::read_text_extra(extras, name)) {
    const std::string typed = normalize_name(*text);
    if (const auto whole = parse_whole_number(typed)) n = f64(*whole);
    for (const EnumName& w : words.words)
      if (normalize_name(w.word) == typed) n = f64(w.value);
  }
  if (!n || *n < 0 || *n > most || *n != f64(u32(*n))) return {};
  return u32(*n);
}

/// Flags other than the type.
struct FlagPart {
  std::string_view name;
  u32 most, shift;
};
constexpr FlagPart k_flag_parts[] = {{"variant", 7, 5},    {"light", 7, 8},        {"wheel_depth", 3, 11},
                                     {"trickable", 1, 13}, {"reject_road", 1, 14}, {"soft_wall", 1, 15}};
const EnumNames& words_of(const FlagPart& part, u32 type) {
  return part.name == "variant" ? k_variants[type] : k_no_words;
}

}  // namespace

std::optional<u16> parse_flags_from_name(std::string_view name) {
  for (size_t i = 0; i + 2 < name.size(); ++i) {
    const std::string_view mark = name.substr(i, 2);
    if (mark != "_F" && mark != "0x") continue;
    if (const auto flags = parse_four_hex_digits(name.substr(i + 2))) return flags;
  }
  const std::string text = normalize_name(name);
  const EnumName* type = find_leading_word(k_types, text);
  if (!type) return {};
  const std::string_view rest = std::string_view(text).substr(normalize_name(type->word).size());
  const size_t colon = rest.find_first_not_of(": ");
  const EnumName* variant =
      colon == rest.npos ? nullptr : find_leading_word(k_variants[size_t(type->value)], rest.substr(colon));
  return u16(type->value | (variant ? variant->value << 5 : 0));
}

std::optional<u16> parse_flags_from_extras(const Value& extras) {
  if (!extras.is(Value::Kind::object)) return {};
  if (const auto flags = parse_number_or_word(extras, "flags", k_no_words, 0xFFFF)) return u16(*flags);
  const auto type = parse_number_or_word(extras, "type", k_types, 31);
  if (!type) return {};
  u32 out = *type;
  for (const FlagPart& part : k_flag_parts)
    out |= parse_number_or_word(extras, part.name, words_of(part, *type), part.most).value_or(0) << part.shift;
  return u16(out);
}
u16 default_flags(const FlaggedTriangle& t, std::string_view material, f64 units_per_metre) {
  constexpr f64 k_steepest_road = 0.5;  // the cosine of 60 degrees
  constexpr f64 k_highest_kerb = 0.5;   // metres
  constexpr u8 k_wall = 0x0C, k_off_road = 0x03;
  const Point a = point_of(t.corners[0]), b = point_of(t.corners[1]), c = point_of(t.corners[2]);
  const Point across = cross(b - a, c - a);
  const f64 rise = std::max({a[1], b[1], c[1]}) - std::min({a[1], b[1], c[1]});
  const f64 up = across[1] / length(across);  // NaN without an area: a road
  constexpr f64 k_down = -0.01;               // vertical faces lean by rounding; as for kcl.face-down
  if (up < k_down || (up < k_steepest_road && rise > k_highest_kerb * units_per_metre)) return k_wall;
  constexpr std::string_view k_off_roads[] = {"grass", "sand", "mud", "gravel"};
  const EnumName* variant = find_leading_word(k_variants[k_off_road], normalize_name(material));
  if (!variant || std::ranges::find(k_off_roads, variant->word) == std::end(k_off_roads)) return 0;
  return u16(k_off_road | variant->value << 5);
}
bool states_flags(const Value& extras, std::string_view name) {
  if (!extras.is(Value::Kind::object)) return false;
  if (name == "flags") return parse_number_or_word(extras, name, k_no_words, 0xFFFF).has_value();
  const auto type = parse_number_or_word(extras, "type", k_types, 31);
  if (!type || name == "type") return type && name == "type";
  const auto part = std::ranges::find(k_flag_parts, name, &FlagPart::name);
  return part != std::end(k_flag_parts) &&
         parse_number_or_word(extras, name, words_of(*part, *type), part->most).has_value();
}

}  // namespace dio::kcl
