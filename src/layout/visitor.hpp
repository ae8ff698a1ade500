// visitor.hpp: the walk for everything that need not be fast: spans, values, positions. A layout is compiled once for
// it; the work on each part is done by virtual functions in the derived walks: Trace, Patch, Placer and DomVisitor.
// Reader and Writer are separate templates, for speed; VisitingReader and VisitingWriter replace them where size
// matters more.
#pragma once
#include <map>
#include <utility>

#include "layout/reader.hpp"
#include "layout/walk.hpp"
#include "layout/writer.hpp"

namespace dio {

/// A leaf of a document, by its address; its type is a run-time value.
struct Number {
  void* at;
  Wire wire;
  u8 fraction = 0;
  /// The type in one word, which is passed in a register.
  using Type = u32;
  Number(void* x, Wire w, u8 f = 0) : at(x), wire(w), fraction(f) {}
  Number(void* x, Type t) : at(x), wire(Wire(t & 255)), fraction(u8(t >> 8)) {}
  size_t size() const { return size_of(wire); }
  /// As stored in `Span::raw`.
  u64 raw() const;
  void set(u64 raw) const;
};
template <Leaf T>
inline constexpr Number::Type k_number_type = Number::Type(wire_of<T>()) | Number::Type(fraction_of<T>()) << 8;
template <Leaf T>
Number number_ref(T& x) {
  return {&x, k_number_type<T>};
}

/// Bytes of a document of either kind, by their address.
class Raw {
 public:
  Raw(Bytes& x) : own_(&x) {}
  Raw(FileBytes& x) : of_file_(&x) {}
  ByteView view() const { return own_ ? ByteView(*own_) : ByteView(*of_file_); }
  void set(Bytes x) const {
    if (own_)
      *own_ = std::move(x);
    else
      *of_file_ = std::move(x);
  }
  /// `stays`: the bytes outlive the document.
  void set(ByteView x, bool stays) const {
    if (of_file_ && stays)
      *of_file_ = FileBytes::borrow(x);
    else
      set(Bytes(x.begin(), x.end()));
  }
  void visit(auto f) const { own_ ? f(*own_) : f(*of_file_); }

 private:
  Bytes* own_ = nullptr;
  FileBytes* of_file_ = nullptr;
};

/// A list of a document, by its address.
struct List {
  struct Type {
    size_t (*size)(const void*);
    void (*resize)(void*, size_t);  // null if the length is fixed
    void* (*data)(void*);
    size_t element_size;  // in memory
  };
  void* at;
  const Type* type;
  size_t size() const { return type->size(at); }
};
template <class T>
inline constexpr List::Type k_list_type = {
    [](const void* x) -> size_t { return std::ranges::size(*static_cast<const T*>(x)); },
    [] {
      if constexpr (std::is_same_v<T, FileBytes>)
        return +[](void* x, size_t n) { static_cast<T*>(x)->expect(n); };
      else if constexpr (Resizable<T>)
        return +[](void* x, size_t n) { static_cast<T*>(x)->resize(n); };
      else
        return static_cast<void (*)(void*, size_t)>(nullptr);
    }(),
    [](void* x) -> void* {
      return const_cast<void*>(static_cast<const void*>(std::ranges::data(*static_cast<T*>(x))));
    },
    sizeof(std::ranges::range_value_t<T>)};
template <class T>
List list_ref(T& xs) {
  return {&xs, &k_list_type<T>};
}

/// An offset field and its description in the layout.
struct OffsetField {
  Number field;
  u64 unit, align, pad, pool;
  bool shared;
  u64 value() const { return field.raw(); }
};
template <class T>
OffsetField offset_field(Offset<T> o) {
  return {number_ref(o.field), o.unit_, o.align_, o.pad_, o.pool_, o.shared_};
}

/// Some bits of a unit; `value` is the content of the unit, extended to 64 bits.
struct BitsField {
  Key key;
  unsigned at, width;
  bool is_signed;
  Wire unit;
  u64 value;
  const void* home;
};

enum class TextForm : u8 { sized, padded, terminated };
/// Passes a text to the function that a walk has for its form.
void visit_text(auto& walk, const Key& k, auto& x, TextForm form, u64 n) {
  if (form == TextForm::sized)
    walk.sized_text(k, x);
  else if (form == TextForm::padded)
    walk.text(n, k, x);
  else
    walk.cstring(k, x);
}

class Visitor : public Walk<Visitor> {
 public:
  enum class Job : u8 {
    read,   // bytes to a document
    trace,  // same, for people, including parts kept as bytes
    patch,  // values to a document
    place,  // a document gets its offsets
    write,  // a document to bytes
    show    // a document to values
  };
  static constexpr bool reads = true, grows = true;  // a walk may read; the job decides whether it does
  static constexpr bool checks_names = true;

  Marks marks;

  virtual ~Visitor() = default;
  bool reading() const { return growing() || job_ == Job::patch; }
  bool growing() const { return job_ == Job::read || job_ == Job::trace; }
  bool is_about_values() const { return job_ == Job::patch || job_ == Job::show; }

  // ---- the work on the parts; by default nothing ----

  virtual void open(const Key&, Span::Kind) {}
  virtual void close(const Key&) {}
  virtual void number(const Key&, Number) {}
  virtual void bytes(const Key&, Raw) {}
  /// `n` is the size of the field of a padded text.
  virtual void characters(const Key&, std::string&, TextForm, u64 n) { static_cast<void>(n); }
  virtual void decimal_number(const Key&, Number, const char* end) { static_cast<void>(end); }
  virtual void fixed(const char*, size_t) {}
  virtual void bits_unit(Number) {}
  /// True if the document takes `value`.
  virtual bool bits_field(BitsField&) { return false; }
  /// A list of plain numbers, all at once; false: each number by itself.
  virtual bool numbers(const Key&, List, Wire, u8 fraction) { return static_cast<void>(fraction), false; }
  /// A list of numbers that are narrower in the file; each number is visited between these two calls.
  virtual void open_numbers(const Key& k, List xs, Number) {
    open(k, Span::Kind::list);
    resize_list(xs);
  }
  virtual void close_numbers(const Key& k, Number) { close(k); }
  /// The length of a list, before its elements.
  virtual void resize_list(List) {}
  /// `least` is the smallest size of an element.
  virtual void visit_count(const Key&, Number, List, u64 least) { static_cast<void>(least); }
  virtual void visit_implied_length(u64 n, List, u64 least) { static_cast<void>(n), static_cast<void>(least); }
  virtual void fail(const char*) {}
  virtual bool good() { return true; }
  virtual void overflow(const Key&) { fail("a value that fits in its field"); }
  virtual void align(u64, u64 = 0) {}
  virtual u64 jump_to(u64 base, const OffsetField&) { return static_cast<void>(base), 0; }
  virtual void return_from_offset(u64 to, u64 base, const OffsetField&) {
    static_cast<void>(to), static_cast<void>(base);
  }
  virtual u64 jump(u64 position) { return static_cast<void>(position), 0; }
  virtual void back(u64 to) { static_cast<void>(to); }
  virtual u64 here() { return 0; }
  virtual u64 end() { return 0; }
  virtual u64 total() { return 0; }
  virtual void round(u64, u64) {}
  /// Whether a part exists; `has` states whether the document has it.
  virtual bool is_present(const Key&, bool has) { return has; }
  virtual bool is_pointed(const Key& k, const OffsetField&, bool has) { return is_present(k, has); }
  virtual void inferred(const Key&, Number) {}
  virtual void peek_at(Number) {}
  virtual ByteView ahead() { return {}; }
  virtual const LoadOptions& options() {
    static constexpr LoadOptions none;
    return none;
  }
  virtual void version_changed(u32) {}
  /// A fixed-size record is no deeper than its type.
  virtual unsigned enter_record() { return 0; }
  virtual void leave_record(unsigned) {}
  virtual bool may_enter(const Key&) { return true; }
  virtual void enter_file(const Key&, u64 size, std::optional<std::endian>) { static_cast<void>(size); }
  virtual void leave_file() {}

  // reading: a part that may turn out to be invalid, and is kept raw then
  virtual void begin_attempt() {}
  virtual bool end_attempt(const Element* place) { return static_cast<void>(place), true; }
  virtual u64 at_most_left(u64 n) { return n; }
  /// The next `n` bytes; nothing, with a failure, if there are fewer.
  virtual std::optional<ByteView> peek_bytes(const Key&, u64 n) { return static_cast<void>(n), std::nullopt; }
  // patching
  virtual bool is_object(const Key&) { return false; }
  virtual void report_missing(const Key&) {}
  virtual void refuse_coded(const Key&, const char* expected) { static_cast<void>(expected); }

  enum class Derive : u8 { leave, assign, compare };
  virtual Derive next_derived() { return Derive::leave; }
  virtual void record_comparison(bool same) { static_cast<void>(same); }

  // ---- called by layouts: see Walk ----

  void operator()(const Key& k, auto&& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (requires { T::make_new(x); })
      if (makes_new_) T::make_new(x);
    if constexpr (k_no_parts<T>)
      Walk::operator()(k, x);
    else if constexpr (!Range<T> && FixedSize<T>) {
      if (knows_records_ && !wants(k)) return skip(wire_size<T>(version_));
      const unsigned depth = enter_record();
      Walk::operator()(k, x);
      leave_record(depth);
    } else if (may_enter(k))
      Walk::operator()(k, x);
  }
  void leaf(const Key& k, auto& x) { visit_number_at(k, &x, k_number_type<std::remove_cvref_t<decltype(x)>>); }
  void raw(const Key& k, auto& x) { bytes(k, x); }
  void sized_text(const Key& k, std::string& x) { characters(k, x, TextForm::sized, 0); }
  void text(u64 n, const Key& k, std::string& x) { characters(k, x, TextForm::padded, n); }
  void cstring(const Key& k, std::string& x) { characters(k, x, TextForm::terminated, 0); }
  void decimal(const Key& k, auto& x, const char* end) { decimal_number(k, number_ref(x), end); }
  void range(const Key& k, auto& xs) {
    using T = std::ranges::range_value_t<decltype(xs)>;
    if constexpr (Leaf<T>)
      if (numbers(k, list_ref(xs), wire_of<T>(), fraction_of<T>())) return;
    open(k, Span::Kind::list);
    fit(xs);
    all(xs, k.vocabulary);
    close(k);
  }
  template <Leaf W>
  void range_as(W wire, const Key& k, auto& xs) {
    if constexpr (Range<std::ranges::range_value_t<decltype(xs)>>)
      Walk::range_as(wire, k, xs);
    else {
      open_numbers(k, list_ref(xs), number_ref(wire));
      u64 i = 0;
      for (auto& x : xs) as(wire, Key::element(i++), x);
      close_numbers(k, number_ref(wire));
    }
  }
  /// `words`: for the numbers of a nested list.
  void all(auto& xs, const EnumNames* words = nullptr) {
    using T = std::ranges::range_value_t<decltype(xs)>;
    if constexpr (FixedSize<T>)
      if (skips_records_) return skip(u64(std::ranges::size(xs)) * wire_size<T>(version_));
    if constexpr (Range<T>) {
      u64 i = 0;
      for (auto& x : xs) {
        Key e = Key::element(i++);
        e.vocabulary = words;
        (*this)(e, x);
      }
    } else
      Walk::all(xs);
  }
  void fit(auto& xs) { resize_list_at(&xs, &k_list_type<std::remove_cvref_t<decltype(xs)>>); }
  template <Leaf W>
  void as(W wire, const Key& k, auto& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (Range<T>)
      range_as(wire, k, x);
    else {
      wire = W(x);
      if (!reading() && T(wire) != x && x == x) overflow(k);
      leaf(k, wire);
      if (reading()) x = T(wire);
    }
  }
  template <dio::Integer U, class... B>
  void bits(U unit, B... b) {
    static_assert((B::width + ...) == 8 * sizeof(U), "the bit fields must fill their unit");
    static constexpr BitsType types[] = {{u8(B::width), k_number_type<std::remove_cvref_t<decltype(b.ref)>>}...};
    const BitsHome homes[] = {{&b.key, &b.ref}...};
    unit = 0;
    visit_bits_at(number_ref(unit), types, homes, sizeof...(B));
  }
  template <dio::Integer W>
  void count(W n, const Key& k, auto&& xs) {
    static_cast<void>(n);
    visit_count_at(k, k_number_type<W>, &xs, &k_list_type<std::remove_cvref_t<decltype(xs)>>, min_element_size(xs));
  }
  void implied(u64 n, auto&& xs) {
    if (growing() || job_ == Job::write) visit_implied_length(n, list_ref(xs), min_element_size(xs));
  }
  void upto(auto&& n, auto&& xs) {
    if (growing()) implied(n(), xs);
  }
  void until(const Key& k, auto&& xs, auto last) {
    if (growing()) {
      const bool knew = std::exchange(knows_records_, false);  // its elements are created anew
      Walk::until(k, xs, last);
      knows_records_ = knew;
    } else {
      open(k, Span::Kind::list);
      fit(xs);
      all(xs);
      if (xs.empty() || !last(xs.back())) fail("a last element that ends the list");
      close(k);
    }
  }
  void version(u32 v) {
    version_ = v;
    version_changed(v);
  }
  using Walk::version;
  template <class T>
  u64 jump(u64 base, Offset<T> o) {
    return jump_to(base, offset_field(o));
  }
  template <class T>
  void back(u64 to, u64 base, Offset<T> o) {
    return_from_offset(to, base, offset_field(o));
  }
  void derive(auto&& field, auto&& value, const char* needs = nullptr) {
    const Derive step = next_derived();
    if (step == Derive::leave) return;
    using T = std::remove_cvref_t<decltype(field)>;
    if constexpr (requires { *value(); }) {
      const auto made = value();
      if (step == Derive::compare)
        record_comparison(made && field == *made);
      else if (made)
        field = *made;
      else
        fail(needs);
    } else if constexpr (requires { value(); }) {
      if (step == Derive::compare)
        record_comparison(field == value());
      else
        field = value();
    } else if (step == Derive::compare)
      record_comparison(u64(field) == u64(value));
    else {
      field = T(u64(value));
      if (u64(field) != u64(value)) too_large();
    }
  }
  bool pointed(auto& field, const Key& k, auto& x) {
    return set_part_presence(is_pointed(k, offset_field(to(field)), x.has_value()), x);
  }
  bool read_presence(auto& present, const Key& k, auto& x) {
    return set_part_presence(growing() ? evaluate_condition(present) : is_present(k, x.has_value()), x);
  }
  void infer(const Key& k, auto& x, auto&& f) {
    if (growing()) x = f();
    if constexpr (k_is_optional<std::remove_cvref_t<decltype(x)>>) {
      if (growing() ? x.has_value() : set_part_presence(is_present(k, x.has_value()), x)) inferred(k, number_ref(*x));
    } else
      inferred(k, number_ref(x));
  }
  template <Leaf T>
  T peek() {
    T x{};
    if (growing()) peek_at(number_ref(x));
    return x;
  }
  void or_raw(const Key& k, auto& x, bool possible, auto place, auto& raw, auto&& n) {
    if (!reading()) return Walk::or_raw(k, x, possible, place, raw, n);
    raw.reset();
    const bool is_known = knows_records_ && possible && x.has_value();
    if (!is_known) x.reset();
    if (!good()) return;  // an earlier failure: it stays
    bool is_raw = false;
    if (growing()) {
      if (possible) {
        const bool knew = std::exchange(knows_records_, is_known);
        begin_attempt();
        if (!x) x.emplace();
        (*this)(k, *x);
        knows_records_ = knew;
        if constexpr (std::is_same_v<decltype(place), Element>) {
          if (end_attempt(&place)) return;
        } else if (end_attempt(nullptr))
          return;
        x.reset();
      }
      is_raw = true;
    } else
      inside(place, [&] { is_raw = is_present("raw", false); });
    if (is_raw) {
      raw.emplace();
      inside(place, [&] {
        if (growing()) raw->resize(size_t(at_most_left(n())));
        (*this)("raw", *raw);
      });
    } else if (is_present(k, false)) {
      x.emplace();
      (*this)(k, *x);
    } else
      report_missing(k);
  }
  template <class T>
  void coded(const Key& k, Bytes& x) {
    switch (job_) {
      case Job::trace: {
        const auto next = peek_bytes(k, x.size());
        if (!next) return;
        if (next->empty() || !decodes_losslessly<T>(*next)) break;
        const u64 n = x.size();
        x.assign(next->begin(), next->end());
        T value{};
        const bool knew = std::exchange(knows_records_, false);
        nested(n, k, value);
        knows_records_ = knew;
        return;
      }
      case Job::patch: {
        if (!is_object(k)) break;
        T value{};
        (*this)(k, value);
        if (!good()) return;
        if constexpr (requires { value.settle(); }) value.settle();
        Writer writer(T::k_order, k_max_file_size, fill_of<T>());
        T::layout(writer, value);
        if (!writer.good()) return refuse_coded(k, writer.trail.expected);
        x = std::move(writer.out);
        return;
      }
      case Job::read:
      case Job::place:
      case Job::write:
        break;
      case Job::show: {
        T value{};
        if (x.empty() || !decodes_losslessly<T>(x, &value)) break;
        ++temporary_;
        nested(x.size(), k, value);
        --temporary_;
        return;
      }
    }
    bytes(k, x);
  }
  int enter(const Key& k, u64 n, std::optional<std::endian> order) {
    enter_file(k, n, order);
    return 0;
  }
  void leave(int) { leave_file(); }

 protected:
  explicit Visitor(Job job, u32 version = 0) : Walk<Visitor>(version), job_(job) {}
  bool makes_new_ = false;      // patching: structures start with the values of a new one (`make_new(auto& s)`)
  bool skips_records_ = false;  // lists of fixed-size records are skipped by their size
  bool knows_records_ = false;  // unwanted records are skipped as well, because the document has them already
  virtual bool wants(const Key&) { return true; }
  virtual void skip(u64 size) { static_cast<void>(size); }
  virtual void too_large() {}
  /// Whether the visited values are destroyed after the walk.
  bool is_temporary() const { return temporary_ != 0; }

 private:
  Job job_;
  unsigned temporary_ = 0;

  // Layouts are compiled to functions that take addresses and types, instead of inlining the templates around them.
  void visit_number_at(const Key&, void* x, Number::Type);
  void resize_list_at(void* xs, const List::Type*);
  void visit_count_at(const Key&, Number::Type, void* xs, const List::Type*, u64 least);
  struct BitsType {
    u8 width;  // in the file
    Number::Type type;
  };
  struct BitsHome {
    const Key* key;
    void* at;
  };
  void visit_bits_at(Number unit, const BitsType*, const BitsHome*, size_t n);
  u64 min_element_size(const auto& xs) const {
    using T = std::ranges::range_value_t<decltype(xs)>;
    if constexpr (Leaf<T>)
      return 1;
    else
      return growing() ? least_size<T>(version_) : 1;
  }
  bool set_part_presence(bool is, auto& x) const {
    if (!reading()) return is;
    if (!is)
      x.reset();
    else if (!knows_records_ || !x)
      x.emplace();
    return is;
  }
  /// Whether all bytes form a T, and writing it gives the same bytes.
  template <class T>
  static bool decodes_losslessly(ByteView bytes, T* out = nullptr) {
    Reader reader(bytes, T::k_order);
    T value{};
    T::layout(reader, value);
    if (!reader.good() || reader.left()) return false;
    Writer writer(T::k_order, bytes.size(), fill_of<T>());
    T::layout(writer, value);
    if (!writer.good() || !std::ranges::equal(writer.out, bytes)) return false;
    if (out) *out = std::move(value);
    return true;
  }
};

/// Calls a layout on a walk that knows no type.
template <class T>
void visit(Visitor& v, T& x) {
  static_assert(!k_is_ambiguous<T>, "two fields of one structure have the same name");
  T::layout(v, x);
}

}  // namespace dio
