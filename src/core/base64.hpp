// base64.hpp: Base64 (RFC 4648), as in data URIs and JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// Four characters for three bytes, padded with `=`.
std::string encode_base64(ByteView bytes);
/// The inverse; padding is optional. Nothing if there are other characters, or one too few.
std::optional<Bytes> decode_base64(std::string_view digits);

}  // namespace dio
