#include "layout/visitor.hpp"

#include <cstring>

namespace dio {

u64 Number::raw() const {
  u64 bits = 0;
  std::memcpy(&bits, at, size());
  if constexpr (std::endian::native == std::endian::big) bits >>= 64 - 8 * size();
  switch (wire) {
    case Wire::fourcc: {
      FourCc name;
      std::memcpy(&name, at, sizeof name);
      return raw_bits(name);
    }
    case Wire::i8:
      return u64(i64(i8(bits)));
    case Wire::i16:
      return u64(i64(i16(bits)));
    case Wire::i32:
      return u64(i64(i32(bits)));
    default:
      return bits;
  }
}

void Number::set(u64 raw) const {
  if (wire == Wire::fourcc)
    for (int i = 0; i < 4; ++i) static_cast<char*>(at)[i] = char(raw >> (24 - 8 * i));
  else {
    if constexpr (std::endian::native == std::endian::big) raw <<= 64 - 8 * size();
    std::memcpy(at, &raw, size());
  }
}

void Visitor::number_at(const Key& k, void* x, Number::Type type) { number(k, {x, type}); }
void Visitor::fit_at(void* xs, const List::Type* type) { fit_list({xs, type}); }
void Visitor::counted_at(const Key& k, Number::Type type, void* xs, const List::Type* list, u64 least) {
  u64 n = 0;
  const Number count(&n, type);
  if (!reading()) {
    const size_t size = list->size(xs);
    count.set(size);
    if (count.raw() != size) overflow(k);
  }
  counted_by(k, count, {xs, list}, least);
}

static u64 extended(u64 n, unsigned bits, bool is_signed) {
  return is_signed ? u64(i64(n << (64 - bits)) >> (64 - bits)) : n & low_bits(bits);
}

void Visitor::bits_at(Number unit, const BitsType* types, const BitsHome* homes, size_t n) {
  const auto home = [&](size_t i) { return Number(homes[i].at, types[i].type); };
  if (!reading()) {
    u64 all = 0;
    for (size_t i = 0; i < n; ++i) {
      const unsigned width = types[i].width;
      const u64 x = home(i).raw();
      all = all << width | (x & low_bits(width));
      if (extended(x, width, is_signed(home(i).wire)) != x) overflow(*homes[i].key);
    }
    unit.set(all);
  }
  bits_unit(unit);
  const u64 all = unit.raw();
  unsigned at = unsigned(8 * unit.size());
  for (size_t i = 0; i < n; ++i) {
    const unsigned width = types[i].width;
    const bool with_sign = is_signed(home(i).wire);
    at -= width;
    BitsField f{*homes[i].key, at, width, with_sign, unit.wire, extended(all >> at, width, with_sign), homes[i].at};
    if (bits_field(f)) home(i).set(f.value);
  }
}

}  // namespace dio
