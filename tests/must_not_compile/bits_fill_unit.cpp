// Bits without a name would be lost on the way through memory.
// expect: the bit fields must fill their unit
#include "layout/walks.hpp"

using namespace dio;

struct File {
  static constexpr std::endian k_order = std::endian::little;
  u8 kind, flags;
  static constexpr void layout(auto& v, auto& s) {
#ifdef MUST_NOT_COMPILE
    v.bits(u8{}, bit<3>("kind", s.kind), bit<4>("flags", s.flags));
#else
    v.bits(u8{}, bit<3>("kind", s.kind), bit<5>("flags", s.flags));
#endif
  }
};

int main() { return load<File>({}) ? 1 : 0; }
