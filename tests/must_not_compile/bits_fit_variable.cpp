// So would those that the variable has no room for.
// expect: a variable that holds all the bits of its field
#include "layout/walks.hpp"

using namespace dio;

struct File {
  static constexpr std::endian k_order = std::endian::little;
#ifdef MUST_NOT_COMPILE
  u8 last;
#else
  u16 last;
#endif
  u8 step;
  static constexpr void layout(auto& v, auto& s) { v.bits(u16{}, bit<13>("last", s.last), bit<3>("step", s.step)); }
};

int main() { return load<File>({}) ? 1 : 0; }
