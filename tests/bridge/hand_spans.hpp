// hand_spans.hpp: spans made by hand, so that what is done with them is tested without any walk or format.
#pragma once
#include <bit>
#include <string>
#include <string_view>

#include "layout/spans.hpp"

namespace dio::test {

/// Appends values to a file and the spans that describe them, in one go.
class HandSpans {
 public:
  explicit HandSpans(bool big = false) : big_(big) {}

  HandSpans& open(Key key, Span::Kind kind = Span::Kind::object) {
    const u32 id = append(key, kind, 0);
    now_ = id;
    return *this;
  }
  HandSpans& close() {
    Span& s = spans_[now_];
    s.size = bytes_.size() - s.offset;
    now_ = s.parent;
    return *this;
  }
  HandSpans& number(Key key, Wire wire, u64 raw, int fraction = 0, Span::Kind kind = Span::Kind::number) {
    const size_t size = size_of(wire);
    Span& s = spans_[append(key, kind, size)];
    s.wire = wire;
    s.raw = raw;
    s.fraction = u8(fraction);
    s.big = big_;
    put(raw, size, big_ || wire == Wire::fourcc);
    return *this;
  }
  HandSpans& single(Key key, f32 x) { return number(key, Wire::f32, std::bit_cast<u32>(x)); }
  HandSpans& count(Key key, u32 n) { return number(key, Wire::u16, n, 0, Span::Kind::count); }
  HandSpans& numbers(Key key, Wire wire, const std::vector<u64>& raw) {
    Span& s = spans_[append(key, Span::Kind::numbers, size_of(wire) * raw.size())];
    s.wire = wire;
    s.big = big_;
    for (const u64 n : raw) put(n, size_of(wire), big_);
    return *this;
  }
  HandSpans& magic(std::string_view m) {
    append("magic", Span::Kind::magic, m.size());
    bytes_.insert(bytes_.end(), m.begin(), m.end());
    return *this;
  }
  HandSpans& text(Key key, std::string_view t, size_t field) {
    Span& s = spans_[append(key, Span::Kind::text, field)];
    s.raw = t.size();
    bytes_.insert(bytes_.end(), t.begin(), t.end());
    bytes_.resize(bytes_.size() + field - t.size());
    return *this;
  }
  HandSpans& raw(Key key, const Bytes& b) {
    append(key, Span::Kind::bytes, b.size());
    bytes_.insert(bytes_.end(), b.begin(), b.end());
    return *this;
  }
  HandSpans& unit(Wire wire, u64 raw) { return number("(bits)", wire, raw, 0, Span::Kind::unit); }
  /// Bits of the unit before.
  HandSpans& bits(Key key, Wire wire, int bit, int bits, u64 raw) {
    Span& s = spans_[append(key, Span::Kind::bits, 0)];
    s.offset -= size_of(wire);
    s.wire = wire;
    s.bit = u8(bit);
    s.bits = u8(bits);
    s.raw = raw;
    s.big = big_;
    return *this;
  }
  HandSpans& inferred(Key key, Wire wire, u64 raw) {
    Span& s = spans_[append(key, Span::Kind::inferred, 0)];
    s.wire = wire;
    s.raw = raw;
    return *this;
  }
  /// Bytes that no span describes.
  HandSpans& gap(const Bytes& b) {
    bytes_.insert(bytes_.end(), b.begin(), b.end());
    return *this;
  }

  /// The spans, over bytes that live as long as this object.
  const Spans& done() {
    spans_.file = bytes_;
    return spans_;
  }

 private:
  u32 append(Key key, Span::Kind kind, u64 size) {
    const u32 id = u32(spans_.all.size());
    Span s;
    s.key = key;
    s.kind = kind;
    s.offset = bytes_.size();
    s.size = size;
    s.parent = now_;
    spans_.all.push_back(s);
    Span& parent = spans_[now_];
    (parent.last ? spans_[parent.last].next : parent.first) = id;
    parent.last = id;
    return id;
  }
  void put(u64 raw, size_t size, bool big) {
    for (size_t i = 0; i < size; ++i) bytes_.push_back(u8(raw >> 8 * (big ? size - 1 - i : i)));
  }

  Spans spans_;
  Bytes bytes_;
  u32 now_ = 0;
  bool big_;
};

inline constexpr EnumName k_kind_words[] = {{3, "moving road"}, {4, "camera"}};
inline constexpr EnumNames k_kinds{k_kind_words};
inline constexpr EnumName k_player_words[] = {{1, "one player"}, {2, "two players"}, {4, "3-4 players"}};
inline constexpr EnumNames k_players{k_player_words, true};

}  // namespace dio::test
