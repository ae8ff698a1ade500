#include "layout/visitor.hpp"

#include <cstring>

namespace dio {

u64 Number::raw() const {
  const auto as = [&]<class T>(T x) {
    std::memcpy(&x, at, sizeof x);
    return raw_bits(x);
  };
  switch (wire) {
    case Wire::fourcc:
      return as(FourCc());
    case Wire::u8:
      return as(u8());
    case Wire::u16:
      return as(u16());
    case Wire::u32:
    case Wire::f32:
      return as(u32());
    case Wire::i8:
      return as(i8());
    case Wire::i16:
      return as(i16());
    case Wire::i32:
      return as(i32());
    case Wire::u64:
    case Wire::i64:
    case Wire::f64:
      return as(u64());
    case Wire::none:
    case Wire::decimal:
      return 0;
  }
  return 0;
}

void Number::set(u64 raw) const {
  if (wire == Wire::fourcc)
    for (int i = 0; i < 4; ++i) static_cast<char*>(at)[i] = char(raw >> (24 - 8 * i));
  else {
    if constexpr (std::endian::native == std::endian::big) raw <<= 64 - 8 * size();
    std::memcpy(at, &raw, size());
  }
}

void Visitor::visit_number_at(const Key& k, void* x, Number::Type type) { number(k, {x, type}); }
void Visitor::resize_list_at(void* xs, const List::Type* type) { resize_list({xs, type}); }
void Visitor::visit_count_at(const Key& k, Number::Type type, void* xs, const List::Type* list, u64 least) {
  u64 n = 0;
  const Number count(&n, type);
  if (!reading()) {
    const size_t size = list->size(xs);
    count.set(size);
    if (count.raw() != size) overflow(k);
  }
  visit_count(k, count, {xs, list}, least);
}

static u64 sign_extend(u64 n, unsigned bits, bool is_signed) {
  return is_signed ? u64(i64(n << (64 - bits)) >> (64 - bits)) : n & low_bits(bits);
}

void Visitor::visit_bits_at(Number unit, const BitsType* types, const BitsHome* homes, size_t n) {
  const auto home = [&](size_t i) { return Number(homes[i].at, types[i].type); };
  if (!reading()) {
    u64 all = 0;
    for (size_t i = 0; i < n; ++i) {
      const unsigned width = types[i].width;
      const u64 x = home(i).raw();
      all = all << width | (x & low_bits(width));
      if (sign_extend(x, width, is_signed(home(i).wire)) != x) overflow(*homes[i].key);
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
    BitsField f{*homes[i].key, at, width, with_sign, unit.wire, sign_extend(all >> at, width, with_sign), homes[i].at};
    if (bits_field(f)) home(i).set(f.value);
  }
}

}  // namespace dio
