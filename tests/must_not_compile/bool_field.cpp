// A byte of a file may be neither 0 nor 1; a bool cannot keep it.
// expect: a byte may be neither 0 nor 1
#include "layout/walks.hpp"

struct File {
  static constexpr std::endian k_order = std::endian::little;
#ifdef MUST_NOT_COMPILE
  bool open;
#else
  dio::u8 open;
#endif
  static constexpr void layout(auto& v, auto& s) { v("open", s.open); }
};

int main() { return dio::load<File>({}) ? 1 : 0; }
