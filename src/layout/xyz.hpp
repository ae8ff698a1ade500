// xyz.hpp: three numbers of a position or a direction, as nearly every format has them; each format has its own axes.
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
