// text.hpp: the encodings of messages, and the notation of escapes: \c{red1}, \u{f067}, \z{900,1}. Sources: README.md.
#pragma once
#include <array>

#include "layout/text_encoding.hpp"

namespace dio::bmg {

inline constexpr u8 k_legacy = 0, k_cp1252 = 1, k_utf16 = 2, k_shift_jis = 3, k_utf8 = 4;
inline constexpr EnumName k_encoding_words[] = {{k_legacy, "Windows-1252 (GameCube)"},
                                                {k_cp1252, "Windows-1252"},
                                                {k_utf16, "UTF-16"},
                                                {k_shift_jis, "Shift JIS"},
                                                {k_utf8, "UTF-8"}};
inline constexpr EnumNames k_encodings{k_encoding_words};

extern const TextEncoding k_cp1252_text, k_utf16_text, k_shift_jis_text, k_utf8_text;
/// Text converters, by the encoding of the file.
constexpr EnumNames words_in(const TextEncoding& e) {
  EnumNames w;
  w.encoding = &e;
  return w;
}
inline constexpr std::array<EnumNames, 5> k_text_words{words_in(k_cp1252_text), words_in(k_cp1252_text),
                                                       words_in(k_utf16_text), words_in(k_shift_jis_text),
                                                       words_in(k_utf8_text)};

/// Converts two Shift JIS bytes to a character and back; 0: none.
u16 shift_jis_to_unicode(u8 first, u8 second);  // shift_jis.cpp
u16 unicode_to_shift_jis(u16);

}  // namespace dio::bmg
