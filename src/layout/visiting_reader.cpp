#include "layout/visiting_reader.hpp"

namespace dio {

void VisitingReader::decimal_number(const Key& k, Number n, const char* end) {
  const auto read = [&]<class T>(T x) {
    r.decimal(k, x, end);
    n.set(raw_bits(x));
  };
  switch (n.wire) {
    case Wire::u8:
      return read(u8());
    case Wire::u16:
      return read(u16());
    case Wire::i16:
      return read(i16());
    case Wire::u32:
      return read(u32());
    default:
      return read(i32());
  }
}

bool VisitingReader::numbers(const Key&, List xs, Wire wire, u8) {
  r.numbers(xs.type->data(xs.at), xs.size(), size_of(wire), wire != Wire::fourcc);
  return true;
}

void VisitingReader::visit_implied_length(u64 n, List xs, u64 least) {
  if (xs.type->resize)
    xs.type->resize(xs.at, r.checked_count(n, least, xs.type->element_size));
  else if (n != xs.size())
    r.fail(Failure::Kind::count, nullptr, n);
}

void VisitingReader::visit_count(const Key&, Number n, List xs, u64 least) {
  r.number(n.at, n.size(), true);
  if (good()) apply_count(n, xs, least);
}

void VisitingReader::apply_count(Number n, List xs, u64 least) {
  if (is_signed(n.wire) && i64(n.raw()) < 0)
    r.fail(Failure::Kind::count, nullptr, n.raw());
  else
    VisitingReader::visit_implied_length(n.raw(), xs, least);
}

void VisitingReader::begin_attempt() { attempts_.push_back({r.save(), version_}); }

bool VisitingReader::end_attempt(const Element*) {
  const Attempt before = attempts_.back();
  attempts_.pop_back();
  if (good() || r.failure.kind == Failure::Kind::budget) return true;
  r.doubted = true;
  r.restore(before.reader);
  version_ = before.version;
  return false;
}

void VisitingReader::leave_file() {
  r.leave(files_.back());
  files_.pop_back();
}

}  // namespace dio
