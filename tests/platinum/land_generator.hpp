// land_generator.hpp: maps no tool would make: any tile, any number, plates that refer to nothing, strips in no order,
// sounds, cameras and the triangles of other games. The same seed gives the same map.
#pragma once
#include <random>

#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"
#include "nitro/generator.hpp"

namespace dio::test {

class LandGenerator {
 public:
  explicit LandGenerator(u32 seed) : seed_(seed), rng_(seed) {}

  /// A document of that kind as one edits it: not placed, so that what follows from the rest may be wrong.
  platinum::LandData land() {
    platinum::LandData land{};
    land.attributes.resize(one_in(8) ? below(40) : platinum::k_tiles);
    for (auto& row : land.attributes)
      for (u16& tile : row) tile = one_in(4) ? any<u16>() : u16(one_in(2) << 15);
    if (one_in(6)) land.attributes_rest = bytes(63);
    land.props.resize(below(4) ? below(6) : below(40));
    for (auto& p : land.props) {
      p = {any<u32>(), {any_fixed(), any_fixed(), any_fixed()}, {}, {any_fixed(), any_fixed(), any_fixed()}, {}};
      for (u32& angle : p.rotation) angle = any<u32>();
      for (u32& n : p.dummy) n = below(2);
    }
    if (one_in(4)) land.props_rest = bytes(47);
    if (one_in(4)) {
      land.sounds = platinum::Sounds{platinum::k_sounds_mark, 0, {}, one_in(3) ? bytes(7) : Bytes()};
      land.sounds->plates.resize(below(5));
    } else if (!land.attributes.empty() && land.attributes[0][0] == platinum::k_sounds_mark)
      land.attributes[0][0] = 0;  // it would be taken for the mark of sounds
    const auto model = NitroGenerator(seed_).file("nsbmd");
    if (auto d = model ? load<nitro::Nsbmd>(*model) : refuse({})) land.model = d->document.value();
    land.bdhc = heights();
    return land;
  }

  platinum::Bdhc heights() {
    platinum::Bdhc b{};
    if (one_in(5)) {
      b.dp = triangles();
      return b;
    }
    b.magic = one_in(4) ? fourcc("Bdhc") : fourcc("BDHC");
    b.points.resize(1 + below(9));
    for (auto& p : b.points) p = {any_fixed(), any_fixed()};
    b.normals.resize(1 + below(4));
    for (auto& n : b.normals) n = {any_fixed(), any_fixed(), any_fixed()};
    b.constants.resize(1 + below(4));
    for (auto& c : b.constants) c = any_fixed();
    const bool wild = one_in(4);  // indices that lead nowhere
    const auto index = [&](size_t n) { return u16(wild && one_in(3) ? any<u16>() : below(u32(n))); };
    b.plates.resize(below(12));
    for (auto& p : b.plates)
      p = {index(b.points.size()), index(b.points.size()), index(b.normals.size()), index(b.constants.size())};
    b.strips.resize(below(6));
    for (auto& s : b.strips) s = {any_fixed(), u16(below(5)), u16(below(5))};
    b.access_list.resize(below(12));
    for (u16& i : b.access_list) i = index(12);
    if (one_in(3)) {
      b.sizes.emplace();
      b.cameras.emplace();
      b.cameras->plates.resize(below(4));
      for (auto& p : b.cameras->plates) {
        p.x0 = any<u8>(), p.y1 = any<u8>(), p.z = any<u8>(), p.type = u8(below(3));
        p.parameters.resize(below(4));
        for (auto& c : p.parameters) c = {any<u32>(), {any<i32>()}, {any<i32>()}};
      }
    }
    return b;
  }

  platinum::BdhcDp triangles() {
    platinum::BdhcDp b = platinum::make_empty_bdhc_dp();
    const bool wild = one_in(4);  // indices that lead nowhere, and tables of another floor
    const auto index = [&](u32 n) { return u16(wild && one_in(3) ? any<u16>() : below(n)); };
    b.points.resize(3 + below(9));
    for (auto& p : b.points) p = {any_fixed(), any_fixed(), any_fixed()};
    b.normals.resize(1 + below(4));
    for (auto& n : b.normals) n = {any_fixed(), any_fixed(), any_fixed()};
    b.triangles.resize(below(60));
    for (auto& t : b.triangles)
      t = {{index(u32(b.points.size())), index(u32(b.points.size())), index(u32(b.points.size()))},
           index(u32(b.normals.size())),
           any_fixed()};
    if (!wild) {
      platinum::rebuild_cells(b);
      return b;
    }
    b.grid = {u16(below(4)), u16(below(4)), any_fixed(), any_fixed(),
              any_fixed(),   any_fixed(),   any_fixed(), any_fixed()};
    b.cells.resize(below(17));
    for (auto& c : b.cells) c = {u16(below(5)), u16(below(5))};
    b.strips.resize(below(6));
    for (auto& s : b.strips) s = {u16(below(5)), any_fixed(), below(5)};
    b.access_list.resize(below(12));
    for (u16& i : b.access_list) i = index(60);
    return b;
  }

 private:
  u32 seed_;
  std::mt19937 rng_;
  u32 below(u32 n) { return n ? rng_() % n : 0; }
  bool one_in(u32 n) { return below(n) == 0; }
  template <class T>
  T any() {
    return T(rng_());
  }
  fx32 any_fixed() { return {one_in(4) ? any<i32>() : i32(below(64)) * 16 * 4096 - 512 * 4096}; }
  Bytes bytes(u32 most) {
    Bytes b(1 + below(most));
    for (u8& x : b) x = any<u8>();
    return b;
  }
};

}  // namespace dio::test
