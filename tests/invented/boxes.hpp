// boxes.hpp: an invented archive with files of another byte order in it, which have offsets, versions and archives of
// their own.
#pragma once
#include "layout/walks.hpp"

namespace dio::test {

struct Card {
  static constexpr std::endian k_order = std::endian::little;
  u16 version, size, text_offset;
  u32 value;
  std::vector<u16> more;
  std::string text;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.magic("CARD");
    v("version", s.version);
    v.version(s.version);
    v("size", s.size);
    v("text_offset", s.text_offset);
    v("value", s.value);
    if (v.since(2)) {
      v.count(u8{}, "more", s.more);
      v("more", s.more);
    }
    v.at(start, to(s.text_offset).align(4), [&] { v.cstring("text", s.text); });
    v.derive(s.size, v.total());
  }
};

struct Box;
struct Member {
  u32 offset, size;
  FourCc kind;
  Card card;             // if it is one
  std::vector<Box> box;  // one, if it is one
  Bytes bytes;           // else
  static constexpr u64 k_least_size = 8;
  static constexpr void layout(auto& v, auto& s) {
    v("offset", s.offset);
    v("size", s.size);
  }
};
/// An archive: what a member is, its first four bytes tell.
struct Box {
  static constexpr std::endian k_order = std::endian::big;
  u8 mark;
  std::vector<Member> members;
  static constexpr void layout(auto& v, auto& s) {
    v.magic("BOX");
    v.count(u8{}, "count", s.members);
    v("members", s.members);
    v("mark", s.mark);
    v.each("members", s.members, [&](auto& m) {
      v.at(0, to(m.offset).align(4).pad(4), [&] {
        const u64 start = v.here();
        v.infer("kind", m.kind, [&] { return m.size < 4 ? FourCc{} : v.template peek<FourCc>(); });
        if (m.kind == fourcc("CARD"))
          v.nested(m.size, "card", m.card);
        else if (m.kind.view().starts_with("BOX")) {
          v.implied(1, m.box);
          v.each("box", m.box, [&](auto& b) { v.nested(m.size, "file", b); });
        } else {
          v.implied(m.size, m.bytes);
          v("bytes", m.bytes);
        }
        v.derive(m.size, v.here() - start);
      });
    });
  }
};

}  // namespace dio::test
