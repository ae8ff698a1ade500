// layout.hpp: describes every structure of a BMG message file once. Facts and their sources: README.md next to this
// file.
#pragma once
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/sorting.hpp"
#include "formats/bmg/text.hpp"
#include "layout/sizer.hpp"

namespace dio::bmg {

inline constexpr u64 k_header_size = 0x20, k_section_header = 8, k_block = 32;

inline constexpr FourCc k_inf = fourcc("INF1"), k_dat = fourcc("DAT1"), k_mid = fourcc("MID1");

/// A message. Its parts are in three sections.
struct Message {
  u32 offset;                       // into the texts
  Bytes attributes;                 // the same number of bytes in each message
  std::optional<std::string> text;  // as in the file; none if the offset is 0
  u32 id;                           // only files with MID1 have ids
  static constexpr u64 k_least_size = 4;
};

/// A section. The contents of INF1, DAT1 and MID1 are stored in the messages.
struct Section {
  FourCc name;
  u32 size;
  std::optional<Bytes> raw;  // of other sections, and of second sections with the same name
  static constexpr u64 k_least_size = k_section_header;
};

/// A whole file.
struct Bmg {
  static constexpr std::endian k_order = std::endian::big;

  u32 size;
  u8 encoding;
  std::array<u8, 15> unk_11;
  std::vector<Section> sections;
  u16 entry_size, group;
  u8 default_color, unk_inf_0f;
  std::string empty_text;
  u8 is_ordered, id_form, unk_mid_0b;
  u32 unk_mid_0c;
  std::vector<Message> messages;

  static constexpr void layout(auto& v, auto& s) {
    v.magic("MESGbmg1");
    v(Key("size").placement().doc("size of the file; in blocks of 32 bytes if the encoding is 0").unit("bytes"),
      s.size);
    v.count(u32{}, "section_count", s.sections);
    v(Key("encoding").doc("encoding of all texts").words(k_encodings), s.encoding);
    v("unk_11", s.unk_11);
    v.require(s.encoding <= k_utf8, "an encoding from 0 to 4");
    v.each("sections", s.sections, [](auto&) {});
    SeenSections taken;
    u64 at = k_header_size;
    for (size_t i = 0; i < s.sections.size(); ++i) {
      auto& x = s.sections[i];
      v.there(at, [&] {
        v.inside(Element{"sections", i}, [&] {
          v("name", x.name);
          v(Key("size").placement().doc("size of the section with its header").unit("bytes"), x.size);
        });
        v.require(!v.growing() || x.size >= k_section_header, "a section that is larger than its header");
        visit_section(v, s, i, at + x.size, taken);
        v.round(at, k_block);
        v.derive(x.size, v.end() - at);
      });
      at += x.size;
    }
    v.derive(s.size, [&] { return u32(s.encoding == k_legacy ? v.total() / k_block : v.total()); });
  }

  const Section* find(FourCc name) const {
    const auto i = std::ranges::find(sections, name, &Section::name);
    return i == sections.end() ? nullptr : &*i;
  }

 private:
  /// The sections seen so far; only the first section with each name counts.
  struct SeenSections {
    bool inf = false, dat = false, mid = false;
  };
  struct Nothing {
    static constexpr void layout(auto&, auto&) {}
  };
  static constexpr void visit_section(auto& v, auto& s, size_t i, u64 end, SeenSections& taken) {
    const FourCc name = s.sections[i].name;
    if (name == k_inf && !std::exchange(taken.inf, true)) return visit_message_entries(v, s);
    if (name == k_dat && taken.inf && !std::exchange(taken.dat, true)) return visit_texts(v, s, end);
    if (name == k_mid && taken.inf && !std::exchange(taken.mid, true)) return visit_ids(v, s);
    std::optional<Nothing> none;
    v.or_raw("", none, false, Element{"sections", i}, s.sections[i].raw, [&] { return end - v.here(); });
  }
  static constexpr void visit_message_entries(auto& v, auto& s) {
    v.count(u16{}, "message_count", s.messages);
    v(Key("entry_size")
          .doc("size of a message's entry in INF1: 4 for the offset, the rest for the attributes")
          .unit("bytes"),
      s.entry_size);
    v(Key("group").doc("number of this message file"), s.group);
    v("default_color", s.default_color);
    v("unk_inf_0f", s.unk_inf_0f);
    v.require(s.entry_size >= 4, "entries of 4 bytes or more");
    v.each("messages", s.messages, [&](auto& m) {
      v(Key("offset").placement().doc("offset of the text in DAT1, after its header; 0: no text").unit("bytes"),
        m.offset);
      v.implied(s.entry_size - 4u, m.attributes);
      v(Key("attributes").doc("in Mario Kart Wii the first byte is the font, usually 1"), m.attributes);
    });
  }
  static constexpr void visit_texts(auto& v, auto& s, u64 end) {
    const EnumNames& encoding = k_text_words[s.encoding % k_text_words.size()];
    const u64 pool = v.here();
    v.cstring(Key("empty_text").doc("text at offset 0; normally empty").words(encoding), s.empty_text);
    const auto ends_inside = [&] { v.require(!v.growing() || v.here() <= end, "a text that ends inside DAT1"); };
    ends_inside();
    v.each_in("messages", s.messages, order_by_offset(s.messages), [&](auto& m) {
      const Key text =
          Key("text").doc("text with escapes in wbmgt's notation; none if the offset is 0").words(encoding);
      if (!is_pointed(v, m.offset, text, m.text)) return;
      v.at(pool, to(m.offset).align(encoding.encoding->end).shared(pool), [&] {
        v.cstring(text, *m.text);
        ends_inside();
      });
    });
  }
  static constexpr void visit_ids(auto& v, auto& s) {
    if (v.growing()) v.require(v.template peek<u16>() == s.messages.size(), "as many ids as messages");
    v.count(u16{}, "id_count", s.messages);
    v.bits(u8{}, bit<4>(Key("is_ordered").doc("not 0: ids ascend, and games use a binary search"), s.is_ordered),
           bit<4>(Key("id_form").doc("0: an id is one number"), s.id_form));
    v("unk_mid_0b", s.unk_mid_0b);
    v("unk_mid_0c", s.unk_mid_0c);
    v.each("messages", s.messages, [&](auto& m) { v("id", m.id); });
  }
  static constexpr bool is_pointed(auto& v, auto& offset, Key k, auto& part) {
    if constexpr (requires { v.pointed(offset, k, part); })
      return v.pointed(offset, k, part);
    else
      return part.has_value();
  }
  /// Texts keep the order that the author of the file chose; new texts come last.
  static std::vector<u32> order_by_offset(const auto& messages) {
    std::vector<u32> order(messages.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_stably(order, {}, [&](u32 i) { return std::pair(messages[i].offset - 1, i); });
    return order;
  }
};

}  // namespace dio::bmg
