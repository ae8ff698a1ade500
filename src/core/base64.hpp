// base64.hpp: Base64 (RFC 4648), as in data URIs and JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// Encodes three bytes as four characters, padded with `=`.
std::string encode_base64(ByteView bytes);
/// Decodes Base64; padding is optional. Returns nothing if there are other characters or a character is missing.
std::optional<Bytes> decode_base64(std::string_view digits);

}  // namespace dio
