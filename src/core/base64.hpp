// base64.hpp: bytes in 64 characters, as data URIs and texts in JSON have them (RFC 4648).
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// Four characters for three bytes, `=` where the last ones are fewer.
std::string base64_digits(ByteView bytes);
/// The inverse, also without `=`; nothing if there are other characters, or one too few.
std::optional<Bytes> from_base64_digits(std::string_view digits);

}  // namespace dio
