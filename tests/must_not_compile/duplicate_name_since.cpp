// The same in a record that is read at once, where the second field exists only from some version on.
// expect: two fields of one structure have the same name
#include "layout/walks.hpp"

struct File {
  static constexpr std::endian k_order = std::endian::big;
  dio::u16 x, y;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
#ifdef MUST_NOT_COMPILE
    if (v.since(3)) v("x", s.y);
#else
    if (v.since(3)) v("y", s.y);
#endif
  }
};

int main() { return dio::load<File>({}) ? 1 : 0; }
