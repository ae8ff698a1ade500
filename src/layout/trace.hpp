// trace.hpp: the slow reader: it knows where every value lies. It reads through a Reader and leaves a tree of spans.
#pragma once
#include "core/diagnostic.hpp"
#include "layout/reader.hpp"
#include "layout/spans.hpp"
#include "layout/writer.hpp"

namespace dio {

struct Trace : Walk<Trace> {
  static constexpr bool reads = true, grows = true;

  Reader r;
  Spans spans;
  Diagnostics notes;  // doubts
  Diagnostic stop;    // meaningful if !good()
  Marks marks;

  Trace(ByteView bytes, std::endian order, const LoadOptions& options = {}) : r(bytes, order, options) {
    spans.file = bytes;
  }

  u64 here() { return r.here(); }
  u64 total() { return r.total(); }
  bool good() { return r.good(); }
  constexpr void version(u32 v) {
    version_ = v;
    r.version(v);
  }
  using Walk::version;

  void open(Key k, Span::Kind kind) {
    r.open(k, kind);
    if (!k.name) return enter_child(k, kind, {}, r.offset());
    each_segment(k.name, [&](std::string_view part, bool last) {
      enter_child(k, last ? kind : Span::Kind::object, part, r.offset());
    });
  }
  void close(Key k) {
    r.close(k);
    if (!k.name) return leave_child();
    each_segment(k.name, [&](std::string_view, bool) { leave_child(); });
  }
  void operator()(Key k, auto&& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (k_no_parts<T>)
      Walk::operator()(k, x);
    else if constexpr (!Range<T> && FixedSize<T>) {  // as deep as its type says: the reader does not count it either
      const unsigned depth = std::exchange(r.depth, 0);
      Walk::operator()(k, x);
      r.depth = depth;
    } else if (r.shallow())
      Walk::operator()(k, x);
    else
      explain(k);
  }
  void leaf(Key k, auto& x) {
    const u64 from = r.offset();
    r.leaf(k, x);
    if (Span* s = add(k, Span::Kind::number, from, &x)) number(*s, x);
  }
  void raw(Key k, Bytes& x) {
    const u64 from = r.offset();
    r.raw(k, x);
    add(k, Span::Kind::bytes, from);
  }
  void sized_text(Key k, std::string& x) {
    const u64 from = r.offset();
    r.sized_text(k, x);
    if (Span* s = add(k, Span::Kind::text, from)) s->raw = x.size();
  }
  void text(u64 n, Key k, std::string& x) {
    const u64 from = r.offset();
    r.text(n, k, x);
    if (Span* s = add(k, Span::Kind::text, from)) s->raw = x.size(), s->padded = true;
  }
  void cstring(Key k, std::string& x) {
    const u64 from = r.offset();
    r.cstring(k, x);
    if (Span* s = add(k, Span::Kind::text, from)) s->raw = x.size();
  }
  void decimal(Key k, auto& x, const char* end) {
    const u64 from = r.offset();
    r.decimal(k, x, end);
    if (Span* s = add(k, Span::Kind::number, from)) {
      s->wire = Wire::decimal;
      s->raw = raw_bits(x);
      s->bits = 8 * sizeof x;
    }
  }
  void fixed(const char* m, size_t n) {
    const u64 from = r.offset();
    r.fixed(m, n);
    add("magic", Span::Kind::magic, from);
  }
  void unit(auto& u) {
    const u64 from = r.offset();
    r.leaf("", u);
    if (Span* s = add("(bits)", Span::Kind::unit, from)) number(*s, u);
  }
  template <class U>
  void bit_field(Key k, unsigned at, unsigned width, auto& x, auto value) {
    x = std::remove_cvref_t<decltype(x)>(value);
    if (!good()) return;
    Span* s = add(k, Span::Kind::bits, r.offset() - sizeof(U), &x);
    s->raw = u64(value);
    s->bit = u8(at);
    s->bits = u8(width);
    s->two_complement = std::is_signed_v<decltype(value)>;
    s->wire = wire_of<U>();
    s->big = big();
  }
  void range(Key k, auto& xs) {
    using T = std::ranges::range_value_t<decltype(xs)>;
    if constexpr (Leaf<T>) {
      const u64 from = r.offset();
      r.all(xs);
      if (Span* s = add(k, Span::Kind::numbers, from)) plain<T>(*s);
    } else
      Walk::range(k, xs);
  }
  template <Leaf W>
  void range_as(W wire, Key k, auto& xs) {
    if constexpr (Range<std::ranges::range_value_t<decltype(xs)>>) return Walk::range_as(wire, k, xs);  // of lists
    const u64 from = r.offset();
    for (auto& x : xs) {
      r.leaf(k, wire);
      x = std::remove_cvref_t<decltype(x)>(wire);
    }
    if (Span* s = add(k, Span::Kind::numbers, from)) plain<W>(*s);
  }
  void implied(u64 n, auto&& xs) {
    r.implied(n, xs);
    explain(nullptr);
  }
  void upto(auto&& n, auto&& xs) { implied(n(), xs); }
  template <class W>
  void counted(W n, Key k, auto&& xs) {
    const u64 from = r.offset();
    r.leaf(k, n);
    if (Span* s = add(k, Span::Kind::count, from)) number(*s, n);
    if (!good()) return;
    const u32 span = u32(spans.all.size() - 1);
    if (std::is_signed_v<W> && n < W(0))
      r.fail(Failure::Kind::count, nullptr, u64(i64(n)));
    else
      r.implied(u64(n), xs);
    explain_at(span);
  }
  void fail(const char* expected) {
    r.fail(expected);
    explain(nullptr);
  }
  void align(u64 a, u64 base = 0) { r.align(a, base); }
  u64 jump(u64 base, auto o) {
    const bool before = good();
    const u64 from = r.jump(base, o);
    if (before && !good())  // the field itself is at fault, if it is in the file as it is in memory
      for (u32 i = u32(homes_.size()); i-- > 0;)
        if (homes_[i] == &o.field) {
          explain_at(i);
          break;
        }
    explain(nullptr);
    return from;
  }
  u64 jump(u64 position) {
    const u64 from = r.jump(position);
    explain(nullptr);
    return from;
  }
  void back(u64 to, auto...) {
    r.back(to);
    explain(nullptr);
  }
  void infer(Key k, auto& x, auto&& f) {
    x = f();
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (k_is_optional<T>) {
      if (x) note_inferred(k, *x);
    } else
      note_inferred(k, x);
  }
  template <Leaf T>
  T peek() {
    return r.template peek<T>();
  }
  ByteView ahead() { return r.ahead(); }
  const LoadOptions& options() { return r.options(); }
  void or_raw(Key k, auto& x, bool possible, auto place, auto& raw, auto&& n) {
    raw.reset();
    x.reset();
    if (!good()) return;  // of something before: it stays
    if (possible) {
      const Reader::State before = r.save();
      const u32 version = version_;
      const size_t spans_before = spans.all.size(), notes_before = notes.size();
      const auto levels = levels_;
      x.emplace();
      (*this)(k, *x);
      if (good() || r.failure.kind == Failure::Kind::budget) return;
      stop.severity = Severity::warning;
      stop.id = "layout.raw";
      stop.hint = "its bytes are kept raw: " + path(place) + "raw";
      notes.erase(notes.begin() + std::ptrdiff_t(notes_before),
                  notes.end());  // of parts inside, which are raw now, too
      notes.push_back(std::move(stop));
      stop = {};
      r.restore(before);
      version_ = version;
      levels_ = levels;
      forget_from(spans_before);
      x.reset();
    }
    raw.emplace();
    inside(place, [&] {
      raw->resize(size_t(std::min<u64>(n(), r.left())));
      (*this)("raw", *raw);
    });
  }
  template <class T>
  void coded(Key k, Bytes& x) {
    const u64 n = x.size();
    if (!r.has(n)) return explain(k);
    const ByteView bytes(r.p, size_t(n));
    if (!n || !is_coded<T>(bytes)) return raw(k, x);
    x.assign(bytes.begin(), bytes.end());
    T value{};
    nested(n, k, value);
  }
  auto enter(Key k, u64 n, std::optional<std::endian> order) {
    auto outer = r.enter(k, n, order);
    explain(k);
    return outer;
  }
  void leave(Reader::Window outer) { r.leave(outer); }

 private:
  /// Whether bytes are a T, all of them, and what is read writes the same.
  template <class T>
  static bool is_coded(ByteView bytes) {
    Reader reader(bytes, T::k_order);
    T value{};
    T::layout(reader, value);
    if (!reader.good() || reader.left()) return false;
    Writer writer(T::k_order, bytes.size(), fill_of<T>());
    T::layout(writer, value);
    return writer.good() && std::ranges::equal(writer.out, bytes);
  }

  u32 now_ = 0;
  struct Level {
    u32 visited = 0;     // the child visited last, so that a second pass over a list finds the next at once
    bool fresh = false;  // has no bytes yet
  };
  std::vector<Level> levels_{{}};            // of the open spans
  std::vector<const void*> homes_{nullptr};  // for each span: where its number is in the document

  bool big() const { return r.swap == (std::endian::native == std::endian::little); }
  bool is_child(u32 span, const Key& k, std::string_view part) const {
    const Key& child = spans[span].key;
    if (spans[span].kind != Span::Kind::object && spans[span].kind != Span::Kind::list)
      return false;  // the count of a list may have its name
    if (!k.name || !child.name) return !k.name && !child.name && k.index == child.index;
    return child.name == k.name || child.name == part;
  }
  /// Whether a list may have that element already; a list grows at its end.
  bool may_have(const Key& k) const {
    const u32 last = spans[now_].last;
    return last && !k.name && k.index <= spans[last].key.index;
  }
  u32 append(Key k, Span::Kind kind, u64 at, const void* home = nullptr) {
    const u32 id = u32(spans.all.size());
    Span s;
    s.key = k;
    s.kind = kind;
    s.offset = at;
    s.parent = now_;
    spans.all.push_back(s);
    homes_.push_back(home);
    link(id);
    return id;
  }
  /// Makes a span the last child of its parent.
  void link(u32 id) {
    Span& parent = spans[spans[id].parent];
    if (parent.last)
      spans[parent.last].next = id;
    else
      parent.first = id;
    parent.last = id;
  }
  void forget_from(size_t n) {
    spans.all.resize(n);
    homes_.resize(n);
    for (Span& s : spans.all) s.first = s.last = s.next = 0;
    for (u32 i = 1; i < n; ++i) link(i);
  }
  void enter_child(Key k, Span::Kind kind, std::string_view part, u64 at) {
    const u32 visited = levels_.back().visited;
    u32 child = visited ? spans[visited].next : spans[now_].first;
    if (child && !is_child(child, k, part))
      for (child = spans[now_].first; child && !is_child(child, k, part);) child = spans[child].next;
    else if (!child && (spans[now_].kind == Span::Kind::object || may_have(k)))
      for (child = spans[now_].first; child && !is_child(child, k, part);) child = spans[child].next;
    if (!child) {
      if (k.name) {  // the last segment of a dotted name ends where the name ends
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
  void leave_child() {
    Span& s = spans[now_];
    const u64 to = r.offset();
    if (levels_.back().fresh && s.offset <= to && good()) s.size = to - s.offset;
    now_ = s.parent;
    levels_.pop_back();
  }
  Span* add(Key k, Span::Kind kind, u64 from, const void* home = nullptr) {
    if (!good()) {
      explain(k);
      return nullptr;
    }
    unsigned around = 0;
    if (k.name && std::strchr(k.name, '.'))
      each_segment(k.name, [&](std::string_view part, bool last) {
        if (last)
          k.name = part.data();
        else
          enter_child(k, Span::Kind::object, part, from), ++around;
      });
    Span& s = spans[append(k, kind, from, home)];
    while (around--) leave_child();
    s.size = kind == Span::Kind::bits || kind == Span::Kind::inferred ? 0 : r.offset() - from;
    return &s;
  }
  template <Leaf T>
  void plain(Span& s) {
    s.wire = wire_of<T>();
    s.fraction = fraction_of<T>();
    s.big = big();
  }
  template <Leaf T>
  void number(Span& s, const T& x) {
    plain<T>(s);
    s.raw = raw_bits(x);
  }
  template <Leaf T>
  void note_inferred(Key k, const T& x) {
    if (Span* s = add(k, Span::Kind::inferred, r.offset())) number(*s, x);
  }
  std::string path(Element e) const {
    std::string p = path(Beside{});
    return p + e.list.name + "[" + std::to_string(e.index) + "].";
  }
  std::string path(Beside) const {
    std::string p = spans.path(now_);
    return p.empty() ? p : p + ".";
  }
  /// Makes the diagnostic of a failure, once, where it happened.
  void explain(Key k) {
    if (good() || !stop.id.empty()) return;
    stop = describe_failure(r.failure, spans.file);
    std::string p = spans.path(now_);
    if (k.name)
      p += (p.empty() ? "" : ".") + std::string(k.name);
    else if (!k.name && k.index != ~u64(0))
      p += "[" + std::to_string(k.index) + "]";
    stop.place.path = std::move(p);
  }
  void explain(std::nullptr_t) {
    Key none = Key::element(~u64(0));
    explain(none);
  }
  /// The same, for a fault of a value that was read before.
  void explain_at(u32 span) {
    if (good() || !stop.id.empty()) return;
    const Span& s = spans[span];
    stop = describe_failure(r.failure, spans.file);
    stop.place.path = spans.path(span);
    stop.place.offset = s.offset;
    stop.place.size = s.kind == Span::Kind::bits ? size_of(s.wire) : s.size;
    if (s.kind == Span::Kind::bits) stop.place.bit = s.bit, stop.place.bits = s.bits;
  }

 public:
  static Diagnostic describe_failure(const Failure&, ByteView file);
};

}  // namespace dio
