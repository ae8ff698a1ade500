// base64.hpp: Base64 (RFC 4648), as in data URIs and JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// Four characters for three bytes, padded with `=`.
std::string base64_digits(ByteView bytes);
/// The inverse; padding is optional. Nothing if there are other characters, or one too few.
std::optional<Bytes> from_base64_digits(std::string_view digits);

}  // namespace dio
