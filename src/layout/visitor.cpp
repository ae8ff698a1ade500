#include "layout/visitor.hpp"

#include <cstring>

namespace dio {

u64 Number::raw() const {
  u64 bits = 0;
  std::memcpy(&bits, at, size());
  if constexpr (std::endian::native == std::endian::big) bits >>= 64 - 8 * size();
  switch (wire) {
    case Wire::fourcc: {
      FourCc name;
      std::memcpy(&name, at, sizeof name);
      return raw_bits(name);
    }
    case Wire::i8:
      return u64(i64(i8(bits)));
    case Wire::i16:
      return u64(i64(i16(bits)));
    case Wire::i32:
      return u64(i64(i32(bits)));
    default:
      return bits;
  }
}

void Number::set(u64 raw) const {
  if (wire == Wire::fourcc)
    for (int i = 0; i < 4; ++i) static_cast<char*>(at)[i] = char(raw >> (24 - 8 * i));
  else {
    if constexpr (std::endian::native == std::endian::big) raw <<= 64 - 8 * size();
    std::memcpy(at, &raw, size());
  }
}

}  // namespace dio
