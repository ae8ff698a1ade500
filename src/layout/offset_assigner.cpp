#include "layout/offset_assigner.hpp"

namespace dio {

void OffsetAssigner::set(const OffsetField& o, u64 n) {
  o.field.set(n);
  if (o.value() != n) too_large();
}

u64 OffsetAssigner::jump_to(u64 base, const OffsetField& o) {
  const u64 from = here(), start = origin + base;
  if (!placing()) {
    cursor = start + o.value() * o.unit;
    return from;
  }
  if (!shared_.empty()) fail("shared data that contains no offsets");
  if (o.shared) {
    shared_.push_back({high, content_end, {}});
    skips_records_ = false;
  }
  high = std::max(high, start);
  round(base, o.align);
  set(o, (high - start) / o.unit);
  cursor = high;
  return from;
}

void OffsetAssigner::return_from_offset(u64 to, u64 base, const OffsetField& o) {
  cursor = origin + to;
  if (o.shared && placing()) {
    const u64 start = origin + base, at = start + o.value() * o.unit;
    const Shared target = std::move(shared_.back());
    shared_.pop_back();
    skips_records_ = shared_.empty();
    const auto [i, fresh] = pools_.try_emplace({origin + o.pool, target.content}, at);
    if (!fresh) {
      set(o, (i->second - start) / o.unit);
      high = target.high, content_end = target.content_end;
      return;
    }
  }
  round(base, o.pad);
}

bool OffsetAssigner::is_pointed(const Key&, const OffsetField& o, bool has) {
  if (!has && placing()) o.field.set(0);
  return has && (placing() || o.value() != 0);
}

Visitor::Derive OffsetAssigner::next_derived() {
  if (mode == Mode::place) return Derive::assign;
  if (mode == Mode::inspect) return Derive::compare;
  const size_t i = derived++;
  return i < as_derived.size() && as_derived[i] ? Derive::assign : Derive::leave;
}

void OffsetAssigner::align(u64 a, u64 base) {
  cursor += (a - (here() - base) % a) % a;
  high = std::max(high, cursor);
}

void OffsetAssigner::add_content(const void* x, size_t n) {
  advance(n);
  for (Shared& s : shared_) s.content.append(static_cast<const char*>(x), n);
}

bool OffsetAssigner::numbers(const Key&, List xs, Wire wire, u8) {
  add_content(xs.type->data(xs.at), xs.size() * size_of(wire));
  return true;
}

void OffsetAssigner::characters(const Key& k, std::string& x, TextForm form, u64 n) {
  if (const TextEncoding* e = encoding_of(k)) {
    const auto all = terminate_text(*e, x);
    return all ? add_content(all->data(), all->size())
               : trail.refuse("layout.overflow", "text without NUL characters", k);
  }
  if (form == TextForm::terminated) return add_content(x.c_str(), x.size() + 1);
  if (form == TextForm::sized) return add_content(x.data(), x.size());
  std::string s = x;
  s.resize(size_t(std::min(n, k_max_file_size)));
  add_content(s.data(), s.size());
}

void OffsetAssigner::decimal_number(const Key&, Number n, const char* end) {
  const u64 raw = n.raw();
  const std::string s = (is_signed(n.wire) ? std::to_string(i64(raw)) : std::to_string(raw)) + end;
  add_content(s.data(), s.size());
}

void OffsetAssigner::enter_file(const Key&, u64 n, std::optional<std::endian>) {
  files_.push_back({origin, high, rest, cursor, n});
  origin = cursor;
  high = cursor;
  rest = placing() ? 0 : n;
}

void OffsetAssigner::leave_file() {
  const Window outer = files_.back();
  files_.pop_back();
  cursor = placing() ? high : outer.start + outer.n;
  origin = outer.origin;
  rest = outer.rest;
  high = std::max(outer.high, cursor);
}

}  // namespace dio
