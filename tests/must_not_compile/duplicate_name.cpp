// Two fields of one name would have one path and one key in JSON: one of them would be lost.
// expect: two fields of one structure have the same name
#include "layout/walks.hpp"

struct Point {
  dio::u16 x, y;
  std::vector<dio::u8> rest;
  static constexpr void layout(auto& v, auto& s) {
#ifdef MUST_NOT_COMPILE
    v("x", s.x);
    v("x", s.y);
#else
    v("x", s.x);
    v("y", s.y);
#endif
    v.count(dio::u8{}, "rest", s.rest);  // a count may have the name of its list
    v("rest", s.rest);
  }
};
struct File {
  static constexpr std::endian k_order = std::endian::little;
  Point point;
  static constexpr void layout(auto& v, auto& s) { v("point", s.point); }
};

int main() { return dio::load<File>({}) ? 1 : 0; }
