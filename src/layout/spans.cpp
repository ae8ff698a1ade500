#include "layout/spans.hpp"

#include <algorithm>
#include <bit>

#include "core/text_format.hpp"
#include "layout/path_steps.hpp"
#include "layout/text_encoding.hpp"
#include "layout/write_value.hpp"

namespace dio {

std::string_view to_string(Wire wire) {
  switch (wire) {
    case Wire::none:
      return "none";
    case Wire::u8:
      return "u8";
    case Wire::u16:
      return "u16";
    case Wire::u32:
      return "u32";
    case Wire::u64:
      return "u64";
    case Wire::i8:
      return "i8";
    case Wire::i16:
      return "i16";
    case Wire::i32:
      return "i32";
    case Wire::i64:
      return "i64";
    case Wire::f32:
      return "f32";
    case Wire::f64:
      return "f64";
    case Wire::fourcc:
      return "fourcc";
    case Wire::decimal:
      return "decimal";
  }
  return "none";
}

size_t size_of(Wire wire) {
  switch (wire) {
    case Wire::none:
    case Wire::decimal:
      return 0;
    case Wire::u8:
    case Wire::i8:
      return 1;
    case Wire::u16:
    case Wire::i16:
      return 2;
    case Wire::u32:
    case Wire::i32:
    case Wire::f32:
    case Wire::fourcc:
      return 4;
    case Wire::u64:
    case Wire::i64:
    case Wire::f64:
      return 8;
  }
  return 0;
}

bool is_signed(Wire wire) {
  return wire == Wire::i8 || wire == Wire::i16 || wire == Wire::i32 || wire == Wire::i64 || wire == Wire::decimal;
}

namespace {

using Kind = Span::Kind;

/// The part of a range that is inside the file.
ByteView bytes_at(ByteView file, u64 offset, u64 size) {
  if (offset >= file.size()) return {};
  return file.subspan(size_t(offset), size_t(std::min<u64>(size, file.size() - offset)));
}

/// The number at an offset as `Span::raw` stores it; 0 if the file ends before it does.
u64 read_raw_at(ByteView file, const Span& s, u64 offset) {
  const size_t size = size_of(s.wire);
  const ByteView bytes = bytes_at(file, offset, size);
  if (bytes.size() < size) return 0;
  // The characters of a code are never swapped: the first one is the highest byte.
  const bool big = s.big || s.wire == Wire::fourcc;
  u64 raw = 0;
  for (size_t i = 0; i < size; ++i) raw = raw << 8 | bytes[big ? i : size - 1 - i];
  if (is_signed(s.wire) && size < 8) {
    const u64 sign = u64(1) << (8 * size - 1);
    raw = (raw ^ sign) - sign;
  }
  return raw;
}

/// Whether `raw` is negative. Bits have the wire type of their unit, so only the extended sign shows it.
bool is_negative(const Span& s, u64 raw) {
  if (s.kind == Kind::bits) return s.bits < 64 && raw >> s.bits != 0;
  return is_signed(s.wire) && i64(raw) < 0;
}

Value number_value(const Span& s, u64 raw) {
  if (s.kind == Kind::bits) return is_negative(s, raw) ? Value(i64(raw)) : Value(raw);
  return dio::number_value(s.wire, s.fraction, raw);
}

/// `3 (moving road)`, `5 (one player, 3-4 players)`, `1200.0 units`.
std::string format_number(const Span& s, u64 raw) {
  const Value v = number_value(s, raw);
  std::string text;
  if (v.is(Value::Kind::text) && s.wire == Wire::fourcc && v.text().size() == 4)
    append_json_string(text, v.text());
  else if (v.is(Value::Kind::text))
    text = v.text();
  else if (v.is(Value::Kind::real))
    text = format_real(v.number(), v.is_single());
  else
    text = v.negative() ? std::to_string(i64(v.bits())) : std::to_string(v.bits());
  if (s.key.measure) {
    text += ' ';
    text += s.key.measure;
  }
  if (!s.key.vocabulary || !v.is(Value::Kind::integer)) return text;

  const std::string meaning = format_vocabulary_words(*s.key.vocabulary, v.bits());
  return meaning.empty() ? text : text + " (" + meaning + ")";
}

bool has_bytes(const Span& s) {
  switch (s.kind) {
    case Kind::object:
    case Kind::list:
    case Kind::bits:
    case Kind::inferred:
      return false;
    default:
      return s.size > 0;
  }
}

}  // namespace

Value number_value(Wire wire, u8 fraction, u64 raw) {
  if (wire == Wire::f32 || wire == Wire::f64) {
    const bool single = wire == Wire::f32;
    const f64 x = single ? f64(std::bit_cast<f32>(u32(raw))) : std::bit_cast<f64>(raw);
    // Uses the bits: converting a float NaN to a double may change its bits.
    if (x - x != 0) return Value(format_hex(single ? u32(raw) : raw, single ? 8 : 16));
    return single ? Value(f32(x)) : Value(x);
  }
  if (wire == Wire::fourcc) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += char(u8(raw >> shift));
    const bool prints = std::all_of(text.begin(), text.end(), [](char x) { return x >= 0x20 && x < 0x7f; });
    return Value(prints ? text : format_hex(u32(raw), 8));
  }
  const bool negative = is_signed(wire) && i64(raw) < 0;
  if (fraction > 0) return Value((negative ? f64(i64(raw)) : f64(raw)) / f64(u64(1) << fraction));
  return negative ? Value(i64(raw)) : Value(raw);
}

Value text_value(const Key& k, ByteView bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (auto shown = decode_text_field(k, text)) return Value(std::move(*shown));
  Value v = Value::object();
  v.add("hex", encode_hex(bytes));
  return v;
}

std::string Spans::path(u32 span) const {
  std::vector<u32> chain;
  for (u32 i = span; i != 0; i = all[i].parent) chain.push_back(i);
  std::string text;
  for (size_t i = chain.size(); i-- > 0;) {
    const Key& key = all[chain[i]].key;
    if (!key.name) {
      text += '[' + std::to_string(key.index) + ']';
    } else if (*key.name) {
      if (!text.empty()) text += '.';
      text += key.name;
    }
  }
  return text;
}

std::string Spans::path(const SpanRef& spot) const {
  std::string text = path(spot.span);
  if (spot.element) text += '[' + std::to_string(*spot.element) + ']';
  return text;
}

void Spans::index_lists() {
  constexpr size_t k_long = 32;
  long_lists_.clear();
  elements_.clear();
  std::vector<u32> elements;
  for (u32 i = 0; i < all.size(); ++i) {
    if (all[i].kind != Kind::list) continue;
    elements.clear();
    for_each_child(i, [&](u32 child) {
      if (!all[child].key.name && all[child].key.index == elements.size()) elements.push_back(child);
    });
    if (elements.size() < k_long) continue;
    long_lists_.push_back({i, u32(elements_.size()), u32(elements.size())});
    elements_.insert(elements_.end(), elements.begin(), elements.end());
  }
}

u32 Spans::element(u32 list, u64 index) const {
  const auto known = std::lower_bound(long_lists_.begin(), long_lists_.end(), list,
                                      [](const LongList& l, u32 span) { return l.list < span; });
  if (known != long_lists_.end() && known->list == list && index < known->length)
    return elements_[size_t(known->first + index)];
  u32 child = all[list].first;
  while (child && (all[child].key.name || all[child].key.index != index)) child = all[child].next;
  return child;
}

std::optional<SpanRef> Spans::find(std::string_view path, u32 from) const {
  const auto make_spot = [this](u32 i) {
    const Span& s = all[i];
    SpanRef spot{i, {}, s.offset, s.kind == Kind::bits ? size_of(s.wire) : s.size};
    if (i == 0) spot.offset = 0, spot.size = file.size();
    return spot;
  };
  u32 now = from;
  while (!path.empty()) {
    if (const auto taken = take_index(path)) {
      const u64 index = *taken;
      const Span& s = all[now];
      if (s.kind == Kind::numbers) {
        if (!path.empty() || index >= count(s)) return {};
        const u64 size = size_of(s.wire);
        return SpanRef{now, index, s.offset + index * size, size};
      }
      now = element(now, index);
      if (!now) return {};
    } else {
      if (now != from) {
        if (!path.starts_with('.')) return {};
        path.remove_prefix(1);
      }
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      if (name.empty()) return {};
      // A count has the name of its list; the list takes precedence.
      u32 found = 0;
      for (u32 child = all[now].first; child; child = all[child].next) {
        const Span& s = all[child];
        if (!s.key.name || s.key.name != name || (found && !s.is_value())) continue;
        found = child;
        if (s.is_value()) break;
      }
      if (!found) return {};
      now = found;
      path.remove_prefix(name.size());
    }
  }
  return make_spot(now);
}

u64 Spans::length(u32 list) const {
  if (all[list].kind == Span::Kind::numbers) return count(all[list]);
  if (all[list].kind == Span::Kind::bytes) return all[list].size;
  const auto known = std::ranges::lower_bound(long_lists_, list, {}, &LongList::list);
  if (known != long_lists_.end() && known->list == list) return known->length;
  u64 n = 0;
  for_each_child(list, [&](u32 i) { n += all[i].is_value(); });
  return n;
}

void Spans::refresh(u32 span) {
  Span& s = all[span];
  switch (s.kind) {
    case Kind::number:
    case Kind::unit:
    case Kind::count:
      if (s.wire != Wire::decimal) s.raw = read_raw_at(file, s, s.offset);
      break;
    case Kind::bits: {
      const u64 width = low_bits(s.bits), raw = read_raw_at(file, s, s.offset) >> s.bit & width;
      const bool negative = s.two_complement && raw >> (s.bits - 1u);
      s.raw = negative ? raw | ~width : raw;
      break;
    }
    case Kind::text:
      if (s.padded) {
        const ByteView field = bytes_at(file, s.offset, s.size);
        // Bytes after a NUL are part of the value, except for the NULs that fill the field.
        u64 size = field.size();
        while (size && field[size_t(size - 1)] == 0) --size;
        s.raw = size;
      }
      break;
    default:
      break;
  }
}

void Spans::refresh(const std::map<u64, u64>& runs) {
  if (runs.empty()) return;
  for (u32 i = 1; i < all.size(); ++i) {
    const u64 size = all[i].kind == Kind::bits ? size_of(all[i].wire) : all[i].size;
    const auto after = runs.lower_bound(all[i].offset + size);
    if (after != runs.begin() && std::prev(after)->first + std::prev(after)->second > all[i].offset) refresh(i);
  }
}

std::optional<SpanRef> Spans::at(u64 offset) const {
  u32 best = 0;
  for (u32 i = 1; i < all.size(); ++i) {
    const Span& s = all[i];
    if (!has_bytes(s) || offset < s.offset || offset - s.offset >= s.size) continue;
    if (!best || s.size < all[best].size) best = i;
  }
  if (!best) return {};
  const Span& s = all[best];
  if (s.kind != Kind::numbers) return SpanRef{best, {}, s.offset, s.size};
  const u64 size = size_of(s.wire), element = (offset - s.offset) / size;
  return SpanRef{best, element, s.offset + element * size, size};
}

Value Spans::value(u32 span) const {
  const Span& s = all[span];
  switch (s.kind) {
    case Kind::object: {
      Value v = Value::object();
      for_each_child(span, [&](u32 i) {
        if (all[i].is_value()) v.add(all[i].key.name ? all[i].key.name : "", value(i));
      });
      return v;
    }
    case Kind::list: {
      Value v = Value::list();
      for_each_child(span, [&](u32 i) {
        if (all[i].is_value()) v.push(value(i));
      });
      return v;
    }
    case Kind::numbers: {
      Value v = Value::list();
      v.members().reserve(size_t(count(s)));
      for (u64 i = 0; i < count(s); ++i) v.push(element(s, i));
      return v;
    }
    case Kind::text:
      return text_value(s.key, bytes_at(file, s.offset, std::min(s.raw, s.size)));
    case Kind::bytes:
      return Value(encode_hex(bytes_at(file, s.offset, s.size)));
    case Kind::magic:
      return text_value(s.key, bytes_at(file, s.offset, s.size));
    case Kind::number:
    case Kind::bits:
    case Kind::unit:
    case Kind::count:
    case Kind::inferred:
      return number_value(s, s.raw);
  }
  return Value();
}

Value Spans::element(const Span& numbers, u64 index) const {
  return number_value(numbers, read_raw_at(file, numbers, numbers.offset + index * size_of(numbers.wire)));
}

Value Spans::value(const SpanRef& spot) const {
  const Span& s = all[spot.span];
  return spot.element ? number_value(s, read_raw_at(file, s, spot.offset)) : value(spot.span);
}

std::string Spans::show(u32 span) const {
  const Span& s = all[span];
  switch (s.kind) {
    case Kind::object:
    case Kind::list: {
      u64 n = 0;
      for_each_child(span, [&](u32 i) { n += all[i].is_value(); });
      return format_count(n, s.kind == Kind::object ? "member" : "element");
    }
    case Kind::numbers: {
      constexpr u64 k_few = 4;  // a point, a rotation
      if (count(s) > k_few) return format_count(count(s), "element");
      Span plain = s;  // the unit is printed once, after the list
      plain.key.measure = nullptr;
      std::string text = "[";
      for (u64 i = 0; i < count(s); ++i) {
        if (i) text += ", ";
        text += format_number(plain, read_raw_at(file, s, s.offset + i * size_of(s.wire)));
      }
      text += ']';
      if (s.key.measure) text += std::string(" ") + s.key.measure;
      return text;
    }
    case Kind::text:
    case Kind::magic: {
      const Value v = value(span);
      if (!v.is(Value::Kind::text)) return v.find("hex")->text();
      std::string text;
      append_json_string(text, v.text());
      return text;
    }
    case Kind::bytes:
      return format_count(s.size, "byte");
    case Kind::number:
    case Kind::bits:
    case Kind::unit:
    case Kind::count:
    case Kind::inferred:
      return format_number(s, s.raw);
  }
  return {};
}

std::string Spans::show(const SpanRef& spot) const {
  const Span& s = all[spot.span];
  return spot.element ? format_number(s, read_raw_at(file, s, spot.offset)) : show(spot.span);
}

std::string Spans::type(u32 span) const {
  const Span& s = all[span];
  std::string number;
  if (s.fraction > 0) {
    number = is_signed(s.wire) ? "fx" : "ufx";
    number += std::to_string(8 * size_of(s.wire)) + '.' + std::to_string(s.fraction);
  } else {
    number = to_string(s.wire);
  }
  switch (s.kind) {
    case Kind::object:
      return "object";
    case Kind::list:
      return "list";
    case Kind::numbers:
      return number + '[' + std::to_string(count(s)) + ']';
    case Kind::text:
      return "text";
    case Kind::bytes:
      return "bytes";
    case Kind::bits:
      return format_count(s.bits, "bit");
    case Kind::magic:
      return "magic";
    case Kind::inferred:
      return "inferred";
    case Kind::number:
    case Kind::unit:
    case Kind::count:
      return number;
  }
  return number;
}

std::vector<u32> Spans::leaves() const {
  std::vector<u32> order;
  for (u32 i = 1; i < all.size(); ++i)
    if (has_bytes(all[i])) order.push_back(i);
  const auto before = [this](u32 a, u32 b) {
    return all[a].offset != all[b].offset ? all[a].offset < all[b].offset : a < b;
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::sort(order.begin(), order.end(), before);
  return order;
}

std::vector<Gap> Spans::gaps() const {
  std::vector<Gap> runs;
  u64 end = 0;
  for (const u32 i : leaves()) {
    const u64 offset = std::min<u64>(all[i].offset, file.size());
    if (offset > end) runs.push_back({end, offset - end});
    end = std::max(end, offset + std::min<u64>(all[i].size, file.size() - offset));
  }
  if (end < file.size()) runs.push_back({end, file.size() - end});
  return runs;
}

}  // namespace dio
