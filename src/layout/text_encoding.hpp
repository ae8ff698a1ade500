// text_encoding.hpp: texts stored in other encodings than NUL-terminated UTF-8. A document keeps the original bytes, so
// that nothing is lost; people see UTF-8, or bytes if the conversion is not reversible.
#pragma once
#include <optional>
#include <string>

#include "core/bytes.hpp"
#include "core/text_format.hpp"
#include "layout/key.hpp"

namespace dio {

struct TextEncoding {
  size_t end;  // the number of NULs at the end of a text
  /// The number of bytes before the end of the text that starts there; nothing if the text does not end.
  std::optional<size_t> (*size)(ByteView);
  /// Converts the bytes of a text to UTF-8, and back; nothing if they are invalid.
  std::optional<std::string> (*shown)(std::string_view bytes);
  std::optional<std::string> (*stored)(std::string_view text);
  const char* expected;  // "a text with ...", for errors
};

inline const TextEncoding* encoding_of(const Key& k) { return k.vocabulary ? k.vocabulary->encoding : nullptr; }

/// The bytes of a text as UTF-8; nothing if converting back would change them.
inline std::optional<std::string> decode_text_field(const Key& k, std::string_view bytes) {
  if (const TextEncoding* e = encoding_of(k)) {
    auto text = e->shown(bytes);
    return text && e->stored(*text) == bytes ? std::move(text) : std::nullopt;
  }
  return is_utf8(bytes) ? std::optional<std::string>(bytes) : std::nullopt;
}

/// A text with its terminator, as stored in the file; nothing if it contains the terminator.
inline std::optional<std::string> terminate_text(const TextEncoding& e, std::string_view bytes) {
  std::string all(bytes);
  all.append(e.end, '\0');
  const auto size = e.size({reinterpret_cast<const u8*>(all.data()), all.size()});
  return size == bytes.size() ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace dio
