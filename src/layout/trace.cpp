#include "layout/trace.hpp"

#include <charconv>
#include <cstring>

#include "core/text_format.hpp"

namespace dio {

/// A magic as text, "RKMD", or as hex if a character is not printable.
static std::string quote_magic_bytes(const u8* p, size_t n) {
  std::string text = "\"", digits;
  bool prints = true;
  for (size_t i = 0; i < n; ++i) {
    prints &= p[i] >= 32 && p[i] < 127;
    text += char(p[i]);
    digits += "0123456789abcdef"[p[i] >> 4];
    digits += "0123456789abcdef"[p[i] & 15];
  }
  return prints ? text + "\"" : "the bytes " + digits;
}

static std::string describe_magic(const u8* p, size_t n) {
  const std::string text = quote_magic_bytes(p, n);
  return text.starts_with('"') ? "magic " + text : text;
}

Diagnostic Trace::describe_failure(const Failure& f, ByteView file) {
  using enum Failure::Kind;
  const u64 left = file.size() > f.at ? file.size() - f.at : 0, missing = f.number - std::min(f.number, left);
  const std::string end = format_hex(file.size());
  const auto failed = [&](std::string_view id, u64 size, DiagnosticText said) {
    return make_diagnostic(id, Location::of_bytes(f.at, size), std::move(said));
  };
  switch (f.kind) {
    case none:
      break;
    case truncated:
      return failed("layout.truncated", left,
                    {.expected = missing ? format_count(missing, "more byte") : format_count(f.number, "byte"),
                     .found = missing ? "the end of the file at " + end : "the end of the enclosing part"});
    case magic:
      return failed("layout.magic", f.number,
                    {.expected = describe_magic(reinterpret_cast<const u8*>(f.expected), size_t(f.number)),
                     .found = quote_magic_bytes(file.data() + f.at, size_t(std::min(left, f.number)))});
    case offset:
      return failed("layout.offset", 0,
                    {.expected = "an offset inside the file",
                     .found = "offset " + format_hex(f.number) + " (the file ends at " + end + ")"});
    case count: {
      const bool negative = f.number > u64(INT64_MAX);
      return failed(
          "layout.count", 0,
          {.message = "the count is " + (negative ? std::to_string(i64(f.number)) : std::to_string(f.number)) +
                      ", but only " + format_count(left, "byte") + (left == 1 ? " remains" : " remain")});
    }
    case requires_:
      return failed("layout.requires", 0, {.expected = f.expected});
    case depth:
      return failed(
          "layout.depth", 0,
          {.message = "structures are nested more than " + std::to_string(Reader::k_max_depth) + " levels deep"});
    case budget:
      return failed("layout.budget", 0,
                    {.message = "the total size of overlapping blocks "
                                "exceeds 64 times the file size"});
  }
  return failed({}, 0, {});
}

void Trace::open(const Key& k, Span::Kind kind) {
  VisitingReader::open(k, kind);
  if (!k.name) return enter_child(k, kind, {}, r.offset());
  for_each_segment(k.name, [&](std::string_view part, bool last) {
    enter_child(k, last ? kind : Span::Kind::object, part, r.offset());
  });
}
void Trace::close(const Key& k) {
  VisitingReader::close(k);
  if (!k.name) return leave_child();
  for_each_segment(k.name, [&](std::string_view, bool) { leave_child(); });
}
bool Trace::may_enter(const Key& k) {
  if (VisitingReader::may_enter(k)) return true;
  set_failure(k);
  return false;
}
void Trace::number(const Key& k, Number n) {
  const u64 from = r.offset();
  VisitingReader::number(k, n);
  if (numbers_from_) return;
  if (Span* s = add_span(k, Span::Kind::number, from, n.at)) set_number_type(*s, n);
}
void Trace::bytes(const Key& k, Raw x) {
  const u64 from = r.offset();
  VisitingReader::bytes(k, x);
  add_span(k, Span::Kind::bytes, from);
}
void Trace::characters(const Key& k, std::string& x, TextForm form, u64 n) {
  const u64 from = r.offset();
  VisitingReader::characters(k, x, form, n);
  if (Span* s = add_span(k, Span::Kind::text, from)) s->raw = x.size(), s->padded = form == TextForm::padded;
}
void Trace::decimal_number(const Key& k, Number n, const char* end) {
  const u64 from = r.offset();
  VisitingReader::decimal_number(k, n, end);
  if (Span* s = add_span(k, Span::Kind::number, from)) {
    s->wire = Wire::decimal;
    s->raw = n.raw();
    s->bits = u8(8 * n.size());
  }
}
void Trace::fixed(const char* m, size_t n) {
  const u64 from = r.offset();
  VisitingReader::fixed(m, n);
  add_span("magic", Span::Kind::magic, from);
}
void Trace::bits_unit(Number n) {
  const u64 from = r.offset();
  VisitingReader::bits_unit(n);
  if (Span* s = add_span("(bits)", Span::Kind::unit, from)) set_number_type(*s, n);
}
bool Trace::bits_field(BitsField& f) {
  if (!good()) return true;
  Span* s = add_span(f.key, Span::Kind::bits, r.offset() - size_of(f.unit), f.home);
  if (!s) return true;
  s->raw = f.value;
  s->bit = u8(f.at);
  s->bits = u8(f.width);
  s->two_complement = f.is_signed;
  s->wire = f.unit;
  s->big = big();
  return true;
}
bool Trace::numbers(const Key& k, List xs, Wire wire, u8 fraction) {
  const u64 from = r.offset();
  VisitingReader::numbers(k, xs, wire, fraction);
  if (Span* s = add_span(k, Span::Kind::numbers, from, xs.size() ? xs.type->data(xs.at) : nullptr))
    set_number_type(*s, wire, fraction);
  return true;
}
void Trace::open_numbers(const Key&, List, Number) { numbers_from_ = r.offset(); }
void Trace::close_numbers(const Key& k, Number n) {
  const u64 from = *numbers_from_;
  numbers_from_.reset();
  if (Span* s = add_span(k, Span::Kind::numbers, from)) set_number_type(*s, n.wire, n.fraction);
}
void Trace::visit_implied_length(u64 n, List xs, u64 least) {
  VisitingReader::visit_implied_length(n, xs, least);
  set_failure(nullptr);
}
void Trace::visit_count(const Key& k, Number n, List xs, u64 least) {
  const u64 from = r.offset();
  r.number(n.at, n.size(), true);
  Span* s = add_span(k, Span::Kind::count, from);
  if (s) set_number_type(*s, n);
  if (!good()) return;
  const u32 span = s ? u32(s - spans.all.data()) : now_;
  apply_count(n, xs, least);
  set_failure_at(span);
}
void Trace::fail(const char* expected) {
  VisitingReader::fail(expected);
  set_failure(nullptr);
}
u64 Trace::jump_to(u64 base, const OffsetField& o) {
  const bool before = good();
  const u64 from = VisitingReader::jump_to(base, o);
  if (before && !good()) {  // the field itself is at fault, if it has the same form in file and memory
    for (u32 i = u32(homes_.size()); i-- > 0 && stop.id.empty();) {
      if (homes_[i] == o.field.at && spans[i].kind != Span::Kind::numbers) {
        set_failure_at(i);
      } else if (const Span& s = spans[i]; s.kind == Span::Kind::numbers && homes_[i]) {  // an element of a number list
        const u64 width = size_of(s.wire);
        const u64 past = reinterpret_cast<uintptr_t>(o.field.at) - reinterpret_cast<uintptr_t>(homes_[i]);
        if (width != o.field.size() || past >= s.size || past % width) continue;
        set_failure_at(i);
        stop.place.path += "[" + std::to_string(past / width) + "]";
        stop.place.offset += past;
        stop.place.size = width;
      }
    }
  }
  set_failure(nullptr);
  return from;
}
u64 Trace::jump(u64 position) {
  const u64 from = VisitingReader::jump(position);
  set_failure(nullptr);
  return from;
}
void Trace::back(u64 to) {
  VisitingReader::back(to);
  set_failure(nullptr);
}
void Trace::inferred(const Key& k, Number n) {
  if (Span* s = add_span(k, Span::Kind::inferred, r.offset())) set_number_type(*s, n);
}
void Trace::begin_attempt() {
  VisitingReader::begin_attempt();
  attempts_.push_back({spans.all.size(), notes.size(), levels_});
}
bool Trace::end_attempt(const Element* place) {
  Attempt before = std::move(attempts_.back());
  attempts_.pop_back();
  if (VisitingReader::end_attempt(place)) return true;
  std::string path = spans.path(now_);
  if (!path.empty()) path += '.';
  if (place) path += place->list.name + ("[" + std::to_string(place->index) + "].");
  stop.severity = Severity::warning;
  stop.id = "layout.raw";
  stop.hint = "the part is kept unparsed, as bytes in the field `" + path + "raw`";
  notes.erase(notes.begin() + std::ptrdiff_t(before.notes),
              notes.end());  // notes of inner parts, which are also raw now
  notes.push_back(std::move(stop));
  stop = {};
  levels_ = std::move(before.levels);
  truncate_spans(before.spans);
  return false;
}
std::optional<ByteView> Trace::peek_bytes(const Key& k, u64 n) {
  if (r.has(n)) return ByteView(r.p, size_t(n));
  set_failure(k);
  return {};
}
void Trace::enter_file(const Key& k, u64 n, std::optional<std::endian> order) {
  VisitingReader::enter_file(k, n, order);
  set_failure(k);
}

bool Trace::is_child(u32 span, const Key& k, std::string_view part) const {
  const Key& child = spans[span].key;
  if (spans[span].kind != Span::Kind::object && spans[span].kind != Span::Kind::list)
    return false;  // the count of a list may have the name of the list
  if (!k.name || !child.name) return !k.name && !child.name && k.index == child.index;
  return child.name == k.name || child.name == part;
}
/// Whether a list may already have that element; lists grow at the end.
bool Trace::may_have_element(const Key& k) const {
  const u32 last = spans[now_].last;
  return last && !k.name && k.index <= spans[last].key.index;
}
u32 Trace::append(Key k, Span::Kind kind, u64 at, const void* home) {
  const u32 id = u32(spans.all.size());
  Span& s = spans.all.emplace_back();
  s.key = k;
  s.kind = kind;
  s.offset = at;
  s.parent = now_;
  homes_.push_back(home);
  link_to_parent(id);
  return id;
}
/// Makes a span the last child of its parent.
void Trace::link_to_parent(u32 id) {
  Span& parent = spans[spans[id].parent];
  if (parent.last)
    spans[parent.last].next = id;
  else
    parent.first = id;
  parent.last = id;
}
void Trace::truncate_spans(size_t n) {
  spans.all.resize(n);
  homes_.resize(n);
  for (Span& s : spans.all) s.first = s.last = s.next = 0;
  for (u32 i = 1; i < n; ++i) link_to_parent(i);
}
/// The path node of a member or an element of the open part.
u32 Trace::find_wanted_node(const Key& k, std::string_view part) const {
  if (unwanted_) return PathTree::k_none;
  return k.name ? only_->child(wanted_.back(), part) : only_->child(wanted_.back(), u64(k.index));
}
bool Trace::wants(const Key& k) {
  if (unwanted_) return false;
  return find_wanted_node(k, std::string_view(k.name, k.name ? std::strcspn(k.name, ".") : 0)) != PathTree::k_none;
}
void Trace::enter_child(Key k, Span::Kind kind, std::string_view part, u64 at) {
  if (only_) {
    const u32 node = find_wanted_node(k, part);
    if (!node) {
      ++unwanted_;
      return;
    }
    wanted_.push_back(node);
  }
  const u32 visited = levels_.back().visited;
  u32 child = visited ? spans[visited].next : spans[now_].first;
  if (child && !is_child(child, k, part))
    for (child = spans[now_].first; child && !is_child(child, k, part);) child = spans[child].next;
  else if (!child && (spans[now_].kind == Span::Kind::object || may_have_element(k)))
    for (child = spans[now_].first; child && !is_child(child, k, part);) child = spans[child].next;
  if (!child) {
    if (k.name) {  // the last segment of a dotted name ends at the end of the name
      if (part.data() + part.size() == k.name + std::strlen(k.name))
        k.name = part.data();
      else
        k = spans.intern(part);
    }
    child = append(k, kind, at);
  }
  Span& s = spans[child];
  if (!s.size) s.offset = at;
  levels_.back().visited = child;
  levels_.push_back({0, !s.size});
  now_ = child;
}
void Trace::leave_child() {
  if (unwanted_) {
    --unwanted_;
    return;
  }
  if (only_) wanted_.pop_back();
  Span& s = spans[now_];
  const u64 to = r.offset();
  if (levels_.back().fresh && s.offset <= to && good()) s.size = to - s.offset;
  now_ = s.parent;
  levels_.pop_back();
}
Span* Trace::add_span(Key k, Span::Kind kind, u64 from, const void* home) {
  if (!good()) {
    set_failure(k);
    return nullptr;
  }
  unsigned around = 0;
  if (k.name && std::strchr(k.name, '.'))
    for_each_segment(k.name, [&](std::string_view part, bool last) {
      if (last)
        k.name = part.data();
      else
        enter_child(k, Span::Kind::object, part, from), ++around;
    });
  if (only_ && !find_wanted_node(k, k.name ? std::string_view(k.name) : std::string_view())) {
    while (around--) leave_child();
    return nullptr;
  }
  Span& s = spans[append(k, kind, from, home)];
  while (around--) leave_child();
  s.size = kind == Span::Kind::bits || kind == Span::Kind::inferred ? 0 : r.offset() - from;
  return &s;
}
void Trace::set_number_type(Span& s, Wire wire, u8 fraction) const {
  s.wire = wire;
  s.fraction = fraction;
  s.big = big();
}
/// Creates the diagnostic of a failure, once, at its position.
void Trace::set_failure(const Key& k) {
  if (good() || !stop.id.empty()) return;
  stop = describe_failure(r.failure, spans.file);
  std::string p = spans.path(now_);
  if (k.name)
    p += (p.empty() ? "" : ".") + std::string(k.name);
  else if (!k.name && k.index != k_the_structure.index)
    p += "[" + std::to_string(k.index) + "]";
  stop.place.path = std::move(p);
}
void Trace::set_failure(std::nullptr_t) { set_failure(k_the_structure); }
/// Same, for a fault of a value that was read earlier.
void Trace::set_failure_at(u32 span) {
  if (good() || !stop.id.empty()) return;
  const Span& s = spans[span];
  stop = describe_failure(r.failure, spans.file);
  stop.place.path = spans.path(span);
  stop.place.offset = s.offset;
  stop.place.size = s.kind == Span::Kind::bits ? size_of(s.wire) : s.size;
  if (s.kind == Span::Kind::bits) stop.place.bit = s.bit, stop.place.bits = s.bits;
}

}  // namespace dio
