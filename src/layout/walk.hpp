// walk.hpp: the vocabulary of a layout. A structure is described once, by `static constexpr void layout(auto& v, auto&
// s)`; Reader, Writer, Trace, Patch and Placer are the walks `v` that visit it. docs/guide/add-a-format.md shows it in
// use.
//
// The line: a layout may compute sizes from fields and offsets, never from decoded content.
#pragma once
#include <bit>
#include <map>

#include "layout/field_types.hpp"
#include "layout/load_options.hpp"
#include "layout/sizer.hpp"
#include "layout/spans.hpp"

namespace dio {

/// Identifies parts by their address in the document and their type: a structure and its first member share an address.
using Marks = std::map<std::pair<const void*, const void*>, u64>;
template <class T>
inline constexpr char k_type_mark = 0;  // the address stands for the type
template <class T>
std::pair<const void*, const void*> mark_of(const T& x) {
  return {&x, &k_type_mark<T>};
}

template <class T>
constexpr bool k_is_ambiguous = false;  // has two fields with the same name; below

/// A file inside a file, as a separate function: a family compiles it once for its own files and for embedded ones
/// (DIORAMA_EMBEDDED_BYTES and _VALUES in walks.hpp).
template <class W, class T>
void walk_file(W& walk, const Key& k, T& x) {
  walk(k, x);
}

/// The common base of all walks. `D` is the walk itself; it overrides the functions that it needs. A walk that `reads`
/// assigns the document; one that `grows` also decides the length of lists.
template <class D>
struct Walk {
  // Besides its layout, a structure may define the values of a new element that must not be zero: `static constexpr
  // void make_new(auto& s) { s.scale = {1, 1, 1}; }`.
  static constexpr bool checks_names = false;  // one walk is enough
  constexpr explicit Walk(u32 version = 0) : version_(version) {}

  /// Whether the walk assigns the document, and whether it also decides the length of lists.
  constexpr bool reading() const { return D::reads; }
  constexpr bool growing() const { return D::grows; }
  /// Whether the walk is about values, not bytes: to JSON, or from it.
  constexpr bool is_about_values() const { return false; }

  // ---- called by layouts ----

  /// A leaf, raw bytes, a text of known length, a structure, or a range of these.
  constexpr void operator()(const Key& k, auto&& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    static_assert(!std::is_same_v<T, bool>, "a byte may be neither 0 nor 1: keep it as u8");
    if constexpr (Leaf<T>)
      self().leaf(k, x);
    else if constexpr (k_is_bytes<T>)
      self().raw(k, x);
    else if constexpr (std::is_same_v<T, std::string>)
      self().sized_text(k, x);
    else if constexpr (Range<T>)
      self().range(k, x);
    else {
      if constexpr (D::checks_names)
        static_assert(!k_is_ambiguous<T>, "two fields of one structure have the same name");
      self().open(k, Span::Kind::object);
      T::layout(self(), x);
      self().close(k);
    }
  }
  /// Visits the elements again, another part of each: parallel arrays, targets of descriptors, names after values.
  constexpr void each(const Key& k, auto&& xs, auto body) {
    self().open(k, Span::Kind::list);
    self().fit(xs);
    u64 i = 0;
    for (auto& x : xs) {
      const Key e = Key::element(i++);
      self().open(e, Span::Kind::object);
      body(x);
      self().close(e);
    }
    self().close(k);
  }
  /// Same, in another order: `order` contains the indices of all elements.
  constexpr void each_in(const Key& k, auto&& xs, const std::vector<u32>& order, auto body) {
    self().open(k, Span::Kind::list);
    self().fit(xs);
    for (const u32 i : order) {
      if (i >= xs.size()) break;  // the lists differ in length: a damaged file
      const Key e = Key::element(i);
      self().open(e, Span::Kind::object);
      body(xs[i]);
      self().close(e);
    }
    self().close(k);
  }
  /// A list whose last element is marked.
  constexpr void until(const Key& k, auto&& xs, auto last) {
    self().open(k, Span::Kind::list);
    self().fit(xs);
    if constexpr (D::grows) {
      xs.clear();
      std::vector<u64> starts;  // for elements that mark theirs: the list moves as it grows
      u64 i = 0, at;
      do {
        at = self().here();
        xs.emplace_back();
        self()(Key::element(i++), xs.back());
        if (self().here() == at) self().fail("elements of at least one byte");
        if constexpr (requires { self().marks; })
          if (auto m = self().marks.find(mark_of(xs.back())); m != self().marks.end()) {
            starts.push_back(m->second);
            self().marks.erase(m);
          }
      } while (self().good() && !last(xs.back()));
      if constexpr (requires { self().marks; })
        for (size_t e = 0; e < starts.size() && e < xs.size(); ++e) self().marks[mark_of(xs[e])] = starts[e];
    } else {
      self().all(xs);
      if (xs.empty() || !last(xs.back())) self().fail("a last element that ends the list");
    }
    self().close(k);
  }
  /// A path without bytes.
  constexpr void inside(const Key& k, auto body) {
    self().open(k, Span::Kind::object);
    body();
    self().close(k);
  }
  constexpr void inside(AtCursor, auto body) { body(); }
  constexpr void inside(Element e, auto body) {
    const Key i = Key::element(e.index);
    self().open(e.list, Span::Kind::list);
    self().open(i, Span::Kind::object);
    body();
    self().close(i);
    self().close(e.list);
  }
  /// A number that is wider in memory than in the file; also for a range.
  template <Leaf W>
  constexpr void as(W wire, const Key& k, auto& x) {
    if constexpr (Range<decltype(x)>)
      self().range_as(wire, k, x);
    else {
      if constexpr (!D::reads) {
        wire = W(x);
        if (std::remove_cvref_t<decltype(x)>(wire) != x && x == x) self().overflow(k);
      }
      self().leaf(k, wire);
      if constexpr (D::reads) x = std::remove_cvref_t<decltype(x)>(wire);
    }
  }
  /// Bit fields, the most significant first; together they fill the unit, so unknown bits have names and are kept. A
  /// field kept in a signed type is two's complement.
  template <Integer U, class... B>
  constexpr void bits(U unit, B... b) {
    static_assert((B::width + ...) == 8 * sizeof(U), "the bit fields must fill their unit");
    u64 all = 0;
    if constexpr (!D::reads) ((all = all << B::width | pack(b), fits(b) ? void() : self().overflow(b.key)), ...);
    unit = U(all);
    self().unit(unit);
    unsigned at = 8 * sizeof(U);
    ((at -= B::width, self().template bit_field<U>(b.key, at, B::width, b.ref, unpack(b, u64(unit) >> at))), ...);
  }
  /// Bytes that are always the same.
  template <size_t N>
  constexpr void magic(const char (&m)[N]) {
    self().fixed(m, N - 1);
  }
  /// The number of elements of a list or bytes visited later. `v.count(u16{}, "count", s.points)`
  template <Integer W>
  constexpr void count(W n, const Key& k, auto&& xs) {
    if constexpr (!D::reads) {
      n = W(xs.size());
      if (u64(n) != xs.size()) self().overflow(k);
    }
    self().visit_counted(n, k, xs);
  }
  /// A length given by other fields. Writing rejects a list of another length.
  constexpr void implied(u64, auto&&) {}
  /// A length determined by the geometry of the file (`n` is called only while reading): up to the next part or the
  /// end.
  constexpr void upto(auto&&, auto&&) {}
  /// Whether a part exists from a version on; thresholds have names: `v.since(k_route_in_area)`.
  constexpr bool since(u32 first) { return version_ >= first; }
  constexpr void version(u32 v) { version_ = v; }
  constexpr u32 version() const { return version_; }
  /// Advances to a multiple of `n` from `base`; the skipped bytes are residue.
  constexpr void align(u64, u64 = 0) {}
  /// A text in a field of `n` bytes, padded with NULs. Bytes after a NUL are kept.
  constexpr void text(u64, Key, auto&) {}
  /// A text terminated by a NUL.
  constexpr void cstring(const Key&, auto&) {}
  /// A whole number as decimal text, followed by `end`: "-466,". Only the shortest form is valid: no plus, no leading
  /// zeros. Its length changes with its value, so it is only for files in which no offset points beyond it.
  constexpr void decimal(const Key&, auto&, const char* end) { static_cast<void>(end); }
  /// Visits the target of an offset field, then returns.
  template <class T>
  constexpr void at(u64 base, Offset<T> o, auto body) {
    const u64 back = self().jump(base, o);
    body();
    self().back(back, base, o);
  }
  template <class T, class X>
  constexpr void at(u64 base, Offset<T> o, const Key& k, X& x) {
    if constexpr (k_is_optional<std::remove_const_t<X>>) {  // 0 points nowhere
      if (self().pointed(o.field, k, x)) at(base, o, [&] { self()(k, *x); });
    } else
      at(base, o, [&] { self()(k, x); });
  }
  template <Integer T>
  constexpr void at(u64 base, T& field, auto&&... rest) {
    at(base, Offset<T>{field}, rest...);
  }
  /// Visits a computed position, then returns: followed, never assigned.
  constexpr void there(u64 position, auto body) {
    const u64 back = self().jump(position);
    body();
    self().back(back);
  }
  constexpr void there(u64 position, const Key& k, auto& x) {
    there(position, [&] { self()(k, x); });
  }
  /// The current position of the walk, as an offset base.
  constexpr u64 here() { return 0; }
  /// The furthest position so far.
  constexpr u64 end() { return 0; }
  /// The end of the file, including bytes after the last described one.
  constexpr u64 total() { return 0; }
  /// Stores where `x` starts; `base` returns it in a later pass over other parts of x.
  constexpr void mark(const auto& x) {
    if constexpr (requires { self().marks; }) self().marks[mark_of(x)] = self().here();
  }
  constexpr u64 base(const auto& x) {
    if constexpr (requires { self().marks; })
      if (auto i = self().marks.find(mark_of(x)); i != self().marks.end()) return i->second;
    return 0;
  }
  /// The value of this field in a well-formed file (a value, or a function that makes it). Only placement assigns it. A
  /// function may return nothing if the document lacks the required data: placement then fails and names `needs`.
  constexpr void derive(auto&&, auto&&, const char* needs = nullptr) { static_cast<void>(needs); }
  /// Rounds the end up; only placement does this.
  constexpr void round(u64, u64) {}
  /// An optional part; `present` is derived from fields of the file and called only while reading.
  constexpr void maybe(auto&& present, const Key& k, auto& x) {
    if (self().read_presence(present, k, x)) self()(k, *x);
  }
  /// A value without its own bytes, determined by the geometry of the file; `f` is called only while reading.
  constexpr void infer(const Key&, auto&, auto&&) {}
  /// The leaf at the current position, without advancing. Only while reading.
  template <Leaf T>
  constexpr T peek() {
    return {};
  }
  /// The bytes from the current position to the end of the file, for searches. Only while reading.
  constexpr ByteView ahead() { return {}; }
  /// The options for reading the file.
  constexpr LoadOptions options() { return {}; }
  /// A structure, or `n()` raw bytes as `place.raw`: with a warning if the bytes do not form the structure, without one
  /// if `possible` is false.
  constexpr void or_raw(const Key& k, auto& x, bool, auto place, auto& raw, auto&&) {
    if (raw)
      inside(place, [&] { self()("raw", *raw); });
    else if (x)
      self()(k, *x);
    else
      self().fail("a part, or its raw bytes");
  }
  /// A relation between fields that the following parts depend on. `expected` completes "expected ...".
  constexpr void require(bool holds, const char* expected) {
    if (!holds) self().fail(expected);
  }
  /// A structure that is kept as bytes because it is large and rarely inspected: reading and writing copy the bytes;
  /// people (spans, JSON) see the structure if it survives reading and writing unchanged, otherwise the bytes.
  template <class T>
  constexpr void coded(const Key& k, Bytes& x) {
    self().raw(k, x);
  }
  template <class T>
  constexpr void coded(const Key& k, const Bytes& x) {
    self().raw(k, x);
  }
  /// A file inside the file: `n` bytes; its offsets count from its start. `n` is used only while reading.
  constexpr void nested(u64 n, const Key& k, auto& x) {
    const auto outer = self().enter(k, n, order_of<std::remove_cvref_t<decltype(x)>>());
    with_version(0, [&] { walk_file(self(), k, x); });
    self().leave(outer);
  }
  /// Another version inside.
  constexpr void with_version(u32 v, auto body) {
    const u32 outer = version_;
    self().version(v);
    body();
    self().version(outer);
  }

  // ---- overridden by walks ----

  constexpr void open(const Key&, Span::Kind) {}
  constexpr void close(const Key&) {}
  constexpr void fit(auto&) {}
  constexpr void fail(const char*) {}
  constexpr void overflow(const Key&) { self().fail("a value that fits in its field"); }
  constexpr bool good() { return true; }
  constexpr u64 jump(auto...) { return 0; }
  constexpr void back(auto...) {}
  constexpr void range(const Key& k, auto& xs) {
    self().open(k, Span::Kind::list);
    self().fit(xs);
    self().all(xs);
    self().close(k);
  }
  template <Leaf W>
  constexpr void range_as(W wire, const Key& k, auto& xs) {
    self().open(k, Span::Kind::list);
    self().fit(xs);
    u64 i = 0;
    for (auto& x : xs) as(wire, Key::element(i++), x);
    self().close(k);
  }
  constexpr void all(auto& xs) {
    u64 i = 0;
    for (auto& x : xs) self()(Key::element(i++), x);
  }
  template <class U>
  constexpr void bit_field(const Key&, unsigned, unsigned, auto& x, auto value) {
    if constexpr (D::reads) x = std::remove_cvref_t<decltype(x)>(value);
  }
  constexpr void unit(auto& u) { self().leaf("", u); }
  constexpr bool pointed(auto& field, Key, auto& x) {
    if constexpr (D::reads) {
      if (field != 0)
        x.emplace();
      else
        x.reset();
    }
    return x.has_value();
  }
  constexpr bool read_presence(auto& present, Key, auto& x) {
    if constexpr (D::reads) {
      if (evaluate_condition(present))
        x.emplace();
      else
        x.reset();
    }
    return x.has_value();
  }
  constexpr int enter(const Key&, u64, std::optional<std::endian>) { return 0; }
  constexpr void leave(auto) {}

 protected:
  constexpr D& self() { return static_cast<D&>(*this); }
  static constexpr bool evaluate_condition(auto& f) {
    if constexpr (requires { f(); })
      return f();
    else
      return f;
  }
  template <class T>
  static constexpr std::optional<std::endian> order_of() {
    if constexpr (requires { T::k_order; })
      return T::k_order;
    else
      return {};
  }
  template <unsigned N, class T>
  static constexpr u64 pack(const Bit<N, T>& b) {
    return u64(b.ref) & low_bits(N);
  }
  template <unsigned N, class T>
  static constexpr auto unpack(const Bit<N, T>&, u64 v) {
    if constexpr (std::is_signed_v<std::remove_const_t<T>>)
      return i64(v << (64 - N)) >> (64 - N);
    else
      return v & low_bits(N);
  }
  template <unsigned N, class T>
  static constexpr bool fits(const Bit<N, T>& b) {
    return std::remove_const_t<T>(unpack(b, pack(b))) == b.ref;
  }
  u32 version_;
};

/// Looks for two fields with the same name in one structure, in every version that makes a difference, in an empty
/// document. Tests (every_format_test) find the cases that are no constant expressions or depend on the content of the
/// document.
struct Names : Sizer {
  std::array<std::string_view, 256> seen{};
  size_t count_of_names = 0;
  bool twice = false;
  constexpr void name(const Key& k) {
    if (!k.name) return;
    for (size_t i = 0; i < count_of_names; ++i) twice |= seen[i] == k.name;
    if (count_of_names < seen.size()) seen[count_of_names++] = k.name;
  }
  constexpr void operator()(const Key& k, auto&&) { name(k); }
  constexpr void as(auto, const Key& k, auto&) { name(k); }
  constexpr void bits(auto, auto... b) { (name(b.key), ...); }
  constexpr void text(u64, const Key& k, auto&) { name(k); }
  constexpr void cstring(const Key& k, auto&) { name(k); }
  constexpr void decimal(const Key& k, auto&, const char*) { name(k); }
  constexpr void at(auto&&, auto&&, const Key& k, auto&) { name(k); }
  constexpr void at(auto&&, auto&&, auto body) { body(); }
  constexpr void there(u64, const Key& k, auto&) { name(k); }
  constexpr void there(u64, auto body) { body(); }
  constexpr void maybe(auto&&, const Key& k, auto&) { name(k); }
  constexpr void infer(const Key& k, auto&&...) { name(k); }
  constexpr void nested(u64, const Key& k, auto&) { name(k); }
  template <class T>
  constexpr void coded(const Key& k, auto&) {
    name(k);
  }
  constexpr void with_version(u32, auto body) { body(); }
};
template <class T>
constexpr bool has_duplicate_names() {
  for (u32 version = 0;;) {
    Names v;
    v.version_ = version;
    v.proving = true;
    T t{};
    T::layout(v, t);
    if (v.twice) return true;
    if (v.next_version == Names::k_last_version) return false;
    version = v.next_version;
  }
}
template <class T>
  requires requires { requires std::bool_constant<has_duplicate_names<T>()>::value; }
constexpr bool k_is_ambiguous<T> = true;

}  // namespace dio
