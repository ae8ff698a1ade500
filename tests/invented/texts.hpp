// texts.hpp: an invented format with every way a text can lie in a file.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Line {
  std::string words;
  static constexpr void layout(auto& v, auto& s) { v.cstring("words", s.words); }
};

struct Texts {
  static constexpr std::endian k_order = std::endian::big;
  std::string name, motto, said, odd;
  Bytes blob;
  std::vector<Line> lines;
  u16 length;
  std::string measured, rest;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("TXT");
    v.text(8, "name", s.name);
    v.cstring("motto", s.motto);
    v.count(u8{}, "said", s.said);
    v("said", s.said);
    v.text(4, "odd", s.odd);
    v.count(u16{}, "blob", s.blob);
    v("blob", s.blob);
    v.count(u8{}, "lines", s.lines);
    v("lines", s.lines);
    v.derive(s.length, s.measured.size());
    v("length", s.length);
    v.implied(s.length, s.measured);
    v("measured", s.measured);
    v.upto([&] { return v.total() - v.here(); }, s.rest);
    v("rest", s.rest);
  }
};

}  // namespace dio::test
