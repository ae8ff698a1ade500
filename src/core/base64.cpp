#include "core/base64.hpp"

#include <algorithm>

namespace dio {

std::string encode_base64(ByteView bytes) {
  static constexpr char k_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    const u32 three = u32(bytes[i]) << 16 | (n > 1 ? u32(bytes[i + 1]) << 8 : 0) | (n > 2 ? u32(bytes[i + 2]) : 0);
    out += k_digits[three >> 18];
    out += k_digits[three >> 12 & 63];
    out += n > 1 ? k_digits[three >> 6 & 63] : '=';
    out += n > 2 ? k_digits[three & 63] : '=';
  }
  return out;
}

std::optional<Bytes> decode_base64(std::string_view digits) {
  while (digits.ends_with('=')) digits.remove_suffix(1);
  Bytes out;
  out.reserve(digits.size() / 4 * 3 + 3);
  u32 bits = 0;
  int count = 0;
  for (const char c : digits) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) return {};
    bits = bits << 6 | u32(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    out.push_back(u8(bits >> count));
  }
  if (count >= 6) return {};  // one digit alone
  return out;
}

}  // namespace dio
