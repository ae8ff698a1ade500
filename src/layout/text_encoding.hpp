// text_encoding.hpp: texts that lie in a file as something else than UTF-8 with a NUL behind it. A document keeps their
// bytes, so that nothing is lost; people see them as UTF-8, and as bytes where that does not lead back to the same.
#pragma once
#include <optional>
#include <string>

#include "core/bytes.hpp"
#include "core/text_format.hpp"
#include "layout/key.hpp"

namespace dio {

struct TextEncoding {
  size_t end;  // how many NULs end a text
  /// How many bytes come before the end of the text that starts there; nothing if it does not end.
  std::optional<size_t> (*size)(ByteView);
  /// The bytes of a text as UTF-8, and back; nothing where they are not as they should be.
  std::optional<std::string> (*shown)(std::string_view bytes);
  std::optional<std::string> (*stored)(std::string_view text);
  const char* expected;  // "a text with ...", for refusals
};

inline const TextEncoding* encoding_of(const Key& k) { return k.vocabulary ? k.vocabulary->encoding : nullptr; }

/// The bytes of a text as people see them; nothing if they would not come back the same.
inline std::optional<std::string> decode_text_field(const Key& k, std::string_view bytes) {
  if (const TextEncoding* e = encoding_of(k)) {
    auto text = e->shown(bytes);
    return text && e->stored(*text) == bytes ? std::move(text) : std::nullopt;
  }
  return is_utf8(bytes) ? std::optional<std::string>(bytes) : std::nullopt;
}

/// A text with its end, as the file has it; nothing if the end comes earlier.
inline std::optional<std::string> terminate_text(const TextEncoding& e, std::string_view bytes) {
  std::string all(bytes);
  all.append(e.end, '\0');
  const auto size = e.size({reinterpret_cast<const u8*>(all.data()), all.size()});
  return size == bytes.size() ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace dio
