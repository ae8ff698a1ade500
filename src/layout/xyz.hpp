// xyz.hpp: three numbers of a place or a direction, as nearly every format has them; which way they point is its own.
#pragma once

namespace dio {

template <class Number>
struct Xyz {
  Number x, y, z;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
    v("z", s.z);
  }
  constexpr bool operator==(const Xyz&) const = default;
};

}  // namespace dio
