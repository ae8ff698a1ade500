// text_format.hpp: numbers, bytes and texts as text, the same in JSON, hex, diagnostics and the trace.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

/// The fewest digits that read back as the same number; a single's are those 32 bits need. Always has a '.' or an 'e',
/// so that it reads back as a real: `100.0`, `-0.0`, `1e+30`. One that is not finite gives its bits: `0x7fc00000`.
std::string format_real(f64 x, bool single);
/// The same, to where there is room for the longest; how many characters they are.
size_t format_real(char* to, f64 x, bool single);
inline constexpr size_t k_most_real_digits = 64;
/// A number as JSON has it, rounded to the nearest double: infinite if it is none, no number if there are no digits.
f64 parse_real(std::string_view digits);

/// `0x26`, with at least `digits` digits.
std::string format_hex(u64 n, int digits = 1);

/// Two lowercase digits a byte, nothing between them.
std::string encode_hex(ByteView bytes);
/// The inverse, in either case; nothing if these are not whole bytes in hex digits.
std::optional<Bytes> decode_hex(std::string_view digits);

/// How many bytes the well-formed UTF-8 sequence at `i` has, 1 to 4; 0 if there is none.
size_t utf8_sequence_length(std::string_view text, size_t i);
bool is_utf8(std::string_view text);
void append_utf8(std::string&, u32 character);
/// The character of a sequence of that length.
u32 decode_utf8(std::string_view text, size_t i, size_t length);

/// A text escaped for HTML or SVG, also for attributes. What is no UTF-8, or no character of XML, becomes U+FFFD.
std::string escape_markup(std::string_view text);

/// Appends the text in quotes with the escapes of JSON. What is not UTF-8 becomes U+FFFD: the result always is.
void append_json_string(std::string& out, std::string_view text);

/// The text with control characters and bytes that are not UTF-8 as `\x1b`: safe to show on a terminal, one line.
std::string escape_control_chars(std::string_view text);

/// The text, or its first `most` bytes, up to the end of a character, and "...".
std::string truncate_utf8(std::string text, size_t most);

/// Only A to Z and a to z change, whatever the locale. Games' tools and many file systems compare names so.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);

/// The word most like `text`, if it is so alike that it was probably meant; else empty.
std::string closest_match(std::string_view text, const std::vector<std::string>& words);

/// "text", as it was typed.
inline std::string in_quotes(std::string_view typed) { return '"' + std::string(typed) + '"'; }

/// `1,234,567`: for display only.
std::string format_with_commas(u64);
/// `1 element`, `12 elements`.
std::string format_count(u64 n, std::string_view one);
/// `a, b, c, d and 3 more`.
std::string join_first_few(const std::vector<std::string>& names);

}  // namespace dio
