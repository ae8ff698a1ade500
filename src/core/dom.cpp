#include "core/dom.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/text_format.hpp"

namespace dio {

char* Dom::ensure_capacity(size_t n) {
  constexpr size_t k_piece = size_t(1) << 16;
  if (size_t(end_of_free_ - free_) < n) {
    const size_t size = std::max(n, k_piece);
    kept_.emplace_back(new char[size]);
    free_ = kept_.back().get();
    end_of_free_ = free_ + size;
  }
  return free_;
}

std::string_view Dom::keep(std::string_view text) {
  char* to = ensure_capacity(text.size());
  std::copy(text.begin(), text.end(), to);
  free_ = to + text.size();
  return {to, text.size()};
}

Dom::Id Dom::add(Id parent, std::string_view name) {
  const Id i = Id(nodes_.size());
  Node& n = nodes_.emplace_back();
  n.name = name.data();
  n.name_size = u32(name.size());
  Children& all = nodes_[parent].children;
  (all.last ? nodes_[all.last].next : all.first) = i;
  all.last = i;
  return i;
}

void Dom::set_integer(Id i, u64 bits, bool negative) {
  constexpr size_t k_most = 20;
  char* const to = ensure_capacity(k_most);
  free_ = negative ? std::to_chars(to, to + k_most, i64(bits)).ptr : std::to_chars(to, to + k_most, bits).ptr;
  set_token(i, Kind::integer, {to, size_t(free_ - to)});
}

void Dom::set(Id i, const Value& v) {
  switch (v.kind()) {
    case Kind::null:
      return set_token(i, Kind::null, "null");
    case Kind::boolean:
      return set_token(i, Kind::boolean, v.boolean() ? "true" : "false");
    case Kind::integer:
      return set_integer(i, v.bits(), v.negative());
    case Kind::real: {
      // JSON cannot express numbers that are not finite. Such values from files are already texts here; this keeps any
      // others readable.
      if (!std::isfinite(v.number()))
        return set_token(i, Kind::real, keep('"' + format_real(v.number(), v.is_single()) + '"'));
      char* const to = ensure_capacity(k_most_real_digits);
      free_ = to + format_real(to, v.number(), v.is_single());
      return set_token(i, Kind::real, {to, size_t(free_ - to)});
    }
    case Kind::text:
      return set_text(i, v.text());
    case Kind::list:
    case Kind::object:
      set_tree(i, v.kind());
      for (const Value::Member& m : v.members()) set(add(i, m.first), m.second);
      return;
  }
}

size_t Dom::size(Id i) const {
  size_t n = 0;
  for (Id child = first(i); child; child = next(child)) ++n;
  return n;
}

Dom::Id Dom::find(Id object, std::string_view name) const {
  if (!is(object, Kind::object)) return 0;
  for (Id child = first(object); child; child = next(child))
    if (this->name(child) == name) return child;
  return 0;
}

Value Dom::number(Id i) const {
  const std::string_view digits = token(i);
  if (is(i, Kind::boolean)) return Value(digits == "true");
  if (is(i, Kind::real)) return Value(parse_real(digits));
  if (!is(i, Kind::integer)) return Value();
  const bool negative = digits[0] == '-';
  u64 n = 0;
  for (const char c : digits.substr(negative)) n = 10 * n + u64(c - '0');
  return negative ? Value(i64(0 - n)) : Value(n);
}

Value Dom::value(Id i) const {
  TextPositionScanner places(text_);
  return value(i, places);
}

Value Dom::value(Id i, TextPositionScanner& places) const {
  Value v;
  switch (kind(i)) {
    case Kind::null:
      break;
    case Kind::boolean:
    case Kind::integer:
    case Kind::real:
      v = number(i);
      break;
    case Kind::text:
      v = is_bytes(i) ? Value(encode_hex(bytes(i))) : Value(text(i));
      break;
    case Kind::list:
    case Kind::object:
      v = is(i, Kind::list) ? Value::list() : Value::object();
      break;
  }
  if (!text_.empty()) {
    const TextPosition p = places.of(text_offset_of(i));
    v.line = p.line;
    v.column = p.column;
  }
  if (first(i)) v.members().reserve(size(i));
  for (Id child = first(i); child; child = next(child))
    v.members().emplace_back(std::string(name(child)), value(child, places));
  return v;
}

void Dom::set_place(Id i, size_t byte) {
  const u32 at = u32(std::min<size_t>(byte, ~u32(0)));
  if (is_tree(i))
    nodes_[i].size = at;
  else if (nodes_[i].token < text_.data() || nodes_[i].token > text_.data() + text_.size())
    copied_.push_back({i, at});
}

size_t Dom::text_offset_of(Id i) const {
  const Node& n = nodes_[i];
  if (is_tree(i)) return n.size;
  const auto c =
      std::lower_bound(copied_.begin(), copied_.end(), i, [](const Copied& a, Id id) { return a.text < id; });
  if (c != copied_.end() && c->text == i) return c->byte;
  return size_t(n.token - text_.data()) - is(i, Kind::text);  // its quote
}

Dom::TextPosition Dom::TextPositionScanner::of(size_t byte) {
  for (; at_ < std::min(byte, text_.size()); ++at_) {
    if (text_[at_] == '\n') {
      ++here_.line;
      here_.column = 1;
    } else if ((u8(text_[at_]) & 0xc0) != 0x80) {  // columns count characters, not bytes
      ++here_.column;
    }
  }
  return here_;
}

Dom::TextPosition Dom::place(Id i) const {
  return text_.empty() ? TextPosition() : TextPositionScanner(text_).of(text_offset_of(i));
}

}  // namespace dio
