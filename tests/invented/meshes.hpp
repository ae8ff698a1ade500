// meshes.hpp: an invented mesh file: places for chunks, any of them empty, and geometry as parallel arrays on disc that
// is one list of polygons in memory.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Position {
  i16 x, y, z;
  static constexpr void layout(auto& v, auto& s) {
    v("x", s.x);
    v("y", s.y);
    v("z", s.z);
  }
};
/// A polygon is only ever described in parts: it has no layout of its own.
template <size_t N>
struct Polygon {
  struct Look {
    std::array<std::array<u8, 2>, N> uv;
    u16 palette, page;
  };
  std::array<Position, N> positions;
  Look look;
  u8 x, z, level;
};
struct Geometry {
  std::vector<Polygon<3>> triangles;
  std::vector<Polygon<4>> quads;
  static constexpr void layout(auto& v, auto& s) {
    v.count(u16{}, "triangles", s.triangles);
    v.count(u16{}, "quads", s.quads);
    const auto both = [&](auto part) {
      v.each("triangles", s.triangles, part);
      v.each("quads", s.quads, part);
    };
    both([&](auto& p) { v("positions", p.positions); });
    both([&](auto& p) {  // the parts of `look` lie among each other, so each is named by its way
      v("look.a", p.look.uv[0]);
      v("look.palette", p.look.palette);
      v("look.b", p.look.uv[1]);
      v("look.page", p.look.page);
      v("look.c", p.look.uv[2]);
      if constexpr (std::tuple_size_v<decltype(p.look.uv)> == 4) v("look.d", p.look.uv[3]);
    });
    both([&](auto& p) {
      v.bits(u8{}, bit<7>("z", p.z), bit<1>("level", p.level));
      v("x", p.x);
    });
  }
};
struct Raster {
  Bytes pixels;
  static constexpr void layout(auto& v, auto& s) {
    v.implied(16, s.pixels);
    v("pixels", s.pixels);
  }
};
struct Meshes {
  static constexpr std::endian k_order = std::endian::little;
  std::array<u32, 8> slots;
  std::optional<Geometry> primary;
  std::array<std::optional<Raster>, 2> pages;
  std::optional<Geometry> alternate;
  static constexpr void layout(auto& v, auto& s) {
    const auto chunk = [&](size_t slot, Key k, auto& x) { v.at(0, to(s.slots[slot]).align(4), k, x); };
    v("slots", s.slots);
    chunk(2, "primary", s.primary);
    chunk(3, "pages.left", s.pages[0]);
    chunk(4, "pages.right", s.pages[1]);
    chunk(6, "alternate", s.alternate);
  }
};

}  // namespace dio::test
