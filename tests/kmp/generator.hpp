// generator.hpp: KMP files no tool would make, byte by byte and without the library: any version, any order, gaps
// with something in them, sections twice, shared, unknown or cut, floats that are none. The same seed gives the same
// file.
#pragma once
#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "formats/kmp/layout.hpp"

namespace dio::test {

class KmpGenerator {
 public:
  explicit KmpGenerator(u64 seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}

  Bytes file() {
    const u32 versions[] = {kmp::k_final, kmp::k_final, 2510, 2320, 2319, 2200, 2199,
                            1831,         1830,         1601, 1600, 1,    2521, 0xffffffff};
    version_ = pick(versions);
    has_version_ = !one_in(8);
    if (!has_version_) version_ = 0;
    std::vector<Section> sections;
    for (const char* name : {"KTPT", "ENPT", "ENPH", "ITPT", "ITPH", "CKPT", "CKPH", "GOBJ", "POTI", "AREA", "CAME",
                             "JGPT", "CNPT", "MSPT", "STGI"})
      if (!one_in(12)) sections.push_back({section(name)});
    if (one_in(6)) sections.push_back({section("XPND")});
    if (one_in(6) && !sections.empty()) sections.push_back({sections[below(sections.size())].bytes});  // twice
    if (one_in(3))
      std::rotate(sections.begin(), sections.begin() + std::ptrdiff_t(below(sections.size() + 1)), sections.end());
    if (one_in(4)) shuffle(sections);

    // where they lie: in another order than the table has, now and then
    std::vector<size_t> order(sections.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (one_in(4)) shuffle(order);
    const bool gaps = one_in(4);
    Bytes body;
    for (const size_t i : order) {
      if (gaps && one_in(2)) junk(body, 1 + below(9));
      if (one_in(40) && i) {  // at a place with another
        sections[i].offset = sections[i - 1].offset;
        continue;
      }
      sections[i].offset = u32(body.size());
      body.insert(body.end(), sections[i].bytes.begin(), sections[i].bytes.end());
    }
    if (one_in(5)) junk(body, 1 + below(20));
    if (one_in(9)) body.resize(body.size() + below(8));
    if (one_in(12)) body.resize(body.size() - below(body.size() / 2 + 1));                       // cut
    if (one_in(30) && !sections.empty()) sections[below(sections.size())].offset = u32(next());  // leads anywhere

    Bytes out;
    text(out, "RKMD");
    const u32 spare = one_in(20) ? 4 * u32(1 + below(3)) : 0;  // a header with more room than it needs
    const u32 header = 12 + 4 * u32(sections.size()) + (has_version_ ? 4 : 0) + (has_version_ ? spare : 0);
    number(out, one_in(6) ? u32(next()) : header + u32(body.size()), 4);
    number(out, sections.size(), 2);
    number(out, header, 2);
    if (has_version_) {
      junk(out, spare);
      number(out, version_, 4);
    }
    for (const Section& s : sections) number(out, s.offset, 4);
    out.insert(out.end(), body.begin(), body.end());
    return out;
  }

 private:
  struct Section {
    Bytes bytes;
    u32 offset = 0;
  };
  u64 state_;
  u32 version_ = 0;
  bool has_version_ = true;

  u64 next() {
    u64 z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  u64 below(u64 n) { return n ? next() % n : 0; }
  bool one_in(u64 n) { return below(n) == 0; }
  template <class T, size_t N>
  T pick(const T (&of)[N]) {
    return of[below(N)];
  }
  void shuffle(auto& xs) {
    for (size_t i = xs.size(); i > 1; --i) std::swap(xs[i - 1], xs[below(i)]);
  }

  static void text(Bytes& b, std::string_view s) { b.insert(b.end(), s.begin(), s.end()); }
  static void number(Bytes& b, u64 n, int size) {
    for (int i = size; i-- > 0;) b.push_back(u8(n >> 8 * i));
  }
  void junk(Bytes& b, u64 n) {
    while (n--) b.push_back(u8(next()));
  }
  void single(Bytes& b) {
    const u32 odd[] = {0,          0x80000000, 1,          0x807fffff, 0x7f800000, 0xff800000,
                       0x7fc00000, 0x7f800001, 0xffc12345, 0x7f7fffff, 0x15ae43fd, 0x3dcccccd};
    number(b,
           one_in(10)   ? pick(odd)
           : one_in(10) ? u32(next())
                        : std::bit_cast<u32>(f32(i32(below(60000)) - 30000) / 4),
           4);
  }
  void singles(Bytes& b, int n) {
    while (n--) single(b);
  }
  void small(Bytes& b, int n) {  // bytes that are mostly what such fields hold
    while (n--) b.push_back(one_in(3) ? 0xff : one_in(8) ? u8(next()) : u8(below(6)));
  }

  /// Where a size changed, now and then that of the other side of the version.
  bool at_least(u32 since) {
    const bool is = version_ >= since;
    return one_in(60) ? !is : is;
  }
  Bytes section(std::string_view name) {
    Bytes b;
    text(b, name);
    const auto entries = [&](u64 most, auto entry) {
      const u64 n = one_in(6) ? 0 : below(most + 1);
      number(b, one_in(60) ? n + below(3) : n, 2);  // now and then more than there are
      small(b, 2);
      for (u64 i = 0; i < n; ++i) entry();
    };
    if (name == "KTPT") {
      const auto start = [&](bool player) {
        singles(b, 6);
        if (player) small(b, 4);
      };
      if (version_ < kmp::k_start_count)
        start(at_least(kmp::k_start_player));
      else
        entries(3, [&] { start(true); });
    } else if (name == "ENPT") {
      const bool settings = at_least(kmp::k_point_settings);
      entries(5, [&] {
        singles(b, settings ? 4 : 3);
        if (settings) small(b, 4);
      });
    } else if (name == "ITPT") {
      entries(5, [&] {
        singles(b, 4);
        small(b, 4);
      });
    } else if (name == "CKPT") {
      entries(6, [&] {
        singles(b, 4);
        small(b, 4);
      });
    } else if (name.ends_with("PH")) {
      entries(3, [&] { small(b, 16); });
    } else if (name == "GOBJ") {
      entries(4, [&] {
        number(b, one_in(4) ? next() : 1 + below(700), 2);
        number(b, 0, 2);
        singles(b, 9);
        small(b, 20);
      });
    } else if (name == "POTI") {
      const u64 routes = below(4);
      number(b, routes, 2);
      number(b, below(20), 2);
      for (u64 r = 0; r < routes; ++r) {
        const u64 points = below(5);
        number(b, points, 2);
        small(b, 2);
        for (u64 p = 0; p < points; ++p) singles(b, 3), small(b, 4);
      }
    } else if (name == "AREA") {
      const bool route = at_least(kmp::k_route_in_area);
      entries(3, [&] {
        small(b, 4);
        singles(b, 9);
        small(b, route ? 8 : 4);
      });
    } else if (name == "CAME") {
      const bool time = at_least(kmp::k_camera_time);
      entries(3, [&] {
        small(b, 12);
        singles(b, time ? 15 : 14);
      });
    } else if (name == "STGI") {
      const bool alpha = at_least(kmp::k_flare_alpha);
      entries(1, [&] { small(b, alpha ? 12 : 8); });
    } else if (name == "XPND") {
      junk(b, below(12));
    } else {  // JGPT, CNPT, MSPT
      entries(3, [&] {
        singles(b, 6);
        small(b, 4);
      });
    }
    return b;
  }
};

}  // namespace dio::test
