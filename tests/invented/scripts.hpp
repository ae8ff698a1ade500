// scripts.hpp: an invented format of commands whose length depends on their code, up to the one that ends them, and of
// actors that have only the parts their flags say.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Command {
  u8 code;
  u16 target;
  std::array<u8, 3> color;
  std::string text;
  static constexpr void layout(auto& v, auto& s) {
    v("code", s.code);
    if (s.code == 1)
      v("target", s.target);
    else if (s.code == 2)
      v("color", s.color);
    else if (s.code == 3)
      v.cstring("text", s.text);
  }
};

struct Actor {
  u8 has_place, has_script, solid, unk_3;
  std::array<fx16, 3> place;
  u16 script_offset;
  std::vector<Command> script;
  static constexpr void layout(auto& v, auto& s) {
    v.bits(u8{}, bit<1>("has_place", s.has_place), bit<1>("has_script", s.has_script), bit<1>("solid", s.solid),
           bit<5>("unk_3", s.unk_3));
    if (s.has_place) v("place", s.place);
    if (s.has_script) v("script_offset", s.script_offset);
  }
};

struct Scripts {
  static constexpr std::endian k_order = std::endian::big;
  std::vector<Actor> actors;
  std::vector<u16> order;  // ends with 0xFFFF
  static constexpr void layout(auto& v, auto& s) {
    v.magic("SCR");
    v.count(u8{}, "count", s.actors);
    v("actors", s.actors);
    v.until("order", s.order, [](u16 n) { return n == 0xFFFF; });
    v.each("actors", s.actors, [&](auto& a) {
      if (a.has_script)
        v.at(0, to(a.script_offset).shared(0),
             [&] { v.until("script", a.script, [](const Command& c) { return c.code == 0; }); });
    });
  }
};

}  // namespace dio::test
