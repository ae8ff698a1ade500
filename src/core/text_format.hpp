// text_format.hpp: formats numbers, bytes and texts in the same way for JSON, hex, diagnostics and traces.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

/// The fewest digits that read back as the same number; for a float, the digits that 32 bits need. Contains a '.' or an
/// 'e', so that it reads back as a real: `100.0`, `-0.0`, `1e+30`. A non-finite number gives its bits: `0x7fc00000`.
std::string format_real(f64 x, bool single);
/// Same, into a buffer with room for the longest number; returns the number of characters.
size_t format_real(char* to, f64 x, bool single);
inline constexpr size_t k_most_real_digits = 64;
/// Parses a JSON number, rounded to the nearest double: infinite if it is too large, NaN if there are no digits.
f64 parse_real(std::string_view digits);

/// `0x26`, with at least `digits` digits.
std::string format_hex(u64 n, int digits = 1);

/// Two lowercase digits per byte, without separators.
std::string encode_hex(ByteView bytes);
/// The inverse, in either case; nothing if the text is not whole bytes in hex digits.
std::optional<Bytes> decode_hex(std::string_view digits);

/// The length of the well-formed UTF-8 sequence at `i`, 1 to 4 bytes; 0 if there is none.
size_t utf8_sequence_length(std::string_view text, size_t i);
bool is_utf8(std::string_view text);
void append_utf8(std::string&, u32 character);
/// The character of a sequence of that length.
u32 decode_utf8(std::string_view text, size_t i, size_t length);

/// Escapes a text for HTML or SVG, including attributes. Invalid UTF-8 and characters not allowed in XML become U+FFFD.
std::string escape_markup(std::string_view text);

/// Appends the text in quotes with JSON escapes. Invalid UTF-8 becomes U+FFFD, so the result is always valid.
void append_json_string(std::string& out, std::string_view text);

/// The text with control characters and invalid UTF-8 written as `\x1b`, and invisible characters that reverse text,
/// break lines or hide in names as `\u202e`: safe on a terminal, in one line.
std::string escape_control_chars(std::string_view text);

/// The text, or its first `most` bytes up to a character boundary, followed by "...".
std::string truncate_utf8(std::string text, size_t most);

/// Changes only A to Z and a to z, whatever the locale. Game tools and many file systems compare names this way.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);

/// The word most similar to `text` if it is probably meant; otherwise empty.
std::string closest_match(std::string_view text, const std::vector<std::string>& words);

/// The text in quotes, as typed.
inline std::string in_quotes(std::string_view typed) { return '"' + std::string(typed) + '"'; }

/// `1,234,567`: for display only.
std::string format_with_commas(u64);
/// `1 element`, `12 elements`.
std::string format_count(u64 n, std::string_view one);
/// `a, b, c, d and 3 more`.
std::string join_first_few(const std::vector<std::string>& names);

}  // namespace dio
