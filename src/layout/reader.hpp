// reader.hpp: reads bytes to a document. Every field is checked; on failure, the reader records only the position, and
// Trace walks again to describe the fault.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "layout/text_encoding.hpp"
#include "layout/walk.hpp"

namespace dio {

/// The reason why a walk over bytes stopped.
struct Failure {
  enum class Kind : u8 { none, truncated, magic, offset, count, requires_, depth, budget } kind = Kind::none;
  const char* expected = nullptr;  // a static text; for magic, the bytes
  u64 at = 0;                      // offset in the file
  u64 number = 0;                  // bytes wanted, or the offset or count that was found
  explicit operator bool() const { return kind != Kind::none; }
};

/// Reads fixed-size records after one size check for all of them.
template <bool Swap>
struct FastReader : Walk<FastReader<Swap>> {
  static constexpr bool reads = true, grows = false;
  const u8* p;
  const char* wrong = nullptr;  // the first wrong magic
  const u8* wrong_at = nullptr;
  size_t wrong_size = 0;
  FastReader(const u8* at, u32 version) : Walk<FastReader>(version), p(at) {}
  void leaf(const Key&, auto& x) {
    std::memcpy(&x, p, sizeof x);
    if constexpr (Swap) x = byte_swapped(x);
    p += sizeof x;
  }
  void fixed(const char* m, size_t n) {
    if (!wrong && std::memcmp(p, m, n)) wrong = m, wrong_at = p, wrong_size = n;
    p += n;
  }
};

struct Reader : Walk<Reader> {
  static constexpr bool reads = true, grows = true;
  static constexpr unsigned k_max_depth = 64;
  static constexpr const char* k_too_much = "blocks that share fewer bytes";

  const u8 *file, *p, *last;  // the whole file; the current position; the end of the file or of the embedded file
  u64 origin = 0;             // start of the embedded file
  bool swap;
  unsigned depth = 0;  // nesting of objects and lists
  u64 run = 0;         // start of the current range of described bytes
  u64 budget;          // bytes that may still be read: shared blocks are read as copies
  u64 memory;          // bytes of lists that may still be allocated: elements are larger in memory than in the file
  bool doubted = false;
  Failure failure;
  std::vector<std::pair<u64, u64>> described;
  Marks marks;
  LoadOptions options_;

  Reader(ByteView bytes, std::endian order, const LoadOptions& options = {})
      : file(bytes.data()),
        p(file),
        last(file + bytes.size()),
        swap(order != std::endian::native),
        budget(64 * u64(bytes.size()) + 65536),
        memory(256 * u64(bytes.size()) + (u64(1) << 20)),
        options_(options) {
    described.reserve(32);
  }

  u64 offset() const { return u64(p - file); }
  u64 here() { return offset() - origin; }
  u64 total() { return u64(last - file) - origin; }
  u64 left() const { return u64(last - p); }
  bool good() { return !failure; }

  void fail(Failure::Kind kind, const char* expected, u64 number = 0) {
    if (failure) return;
    failure = {kind, expected, offset(), number};
    last = p;  // all later reads fail as well
  }
  void fail(const char* expected) { fail(Failure::Kind::requires_, expected); }
  bool has(u64 n) {
    if (left() >= n) [[likely]]
      return true;
    fail(Failure::Kind::truncated, nullptr, n);
    return false;
  }
  void operator()(const Key& k, auto&& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (k_no_parts<T>)
      Walk::operator()(k, x);
    else if constexpr (!Range<T> && FixedSize<T>) {
      const u64 n = wire_size<T>(version_);
      if (!has(n)) {
        x = {};
        return;
      }
      read_fixed_size([&](auto& f) { f("", x); });
    } else if (check_depth())
      Walk::operator()(k, x);
  }
  void open(const Key&, Span::Kind) { ++depth; }
  void close(const Key&) { --depth; }
  bool check_depth() {
    if (depth < k_max_depth) return true;
    fail(Failure::Kind::depth, "fewer nested structures");
    return false;
  }
  void leaf(const Key&, auto& x) {
    if (!has(sizeof x)) {
      x = {};
      return;
    }
    std::memcpy(&x, p, sizeof x);
    if (swap) x = byte_swapped(x);
    p += sizeof x;
  }
  /// A number with that many bytes, for walks that know its type only at run time.
  void number(void* x, size_t n, bool swaps) {
    if (!has(n)) {
      std::memset(x, 0, n);
      return;
    }
    copy_number(x, n, swaps);
    p += n;
  }
  void numbers(void* xs, size_t count, size_t n, bool swaps) {
    if (!has(u64(count) * n)) return;
    for (u8* x = static_cast<u8*>(xs); count--; x += n, p += n) copy_number(x, n, swaps);
  }
  void peek_at(void* x, size_t n, bool swaps) {
    if (!failure && left() >= n) copy_number(x, n, swaps);
  }
  void skip(u64 n) {
    if (has(n)) p += n;
  }
  void raw(const Key&, Bytes& x) {
    if (!has(x.size()) || x.empty()) return;
    std::memcpy(x.data(), p, x.size());
    p += x.size();
  }
  void raw(const Key&, FileBytes& x) {
    const size_t n = x.size();
    x = {};
    if (!has(n)) return;
    x = options_.stays ? FileBytes::borrow({p, n}) : FileBytes(Bytes(p, p + n));
    p += n;
  }
  void sized_text(const Key&, std::string& x) {
    if (!has(x.size())) return;
    x.assign(reinterpret_cast<const char*>(p), x.size());
    p += x.size();
  }
  void text(u64 n, Key, std::string& x) {
    if (!has(n)) return;
    x.assign(reinterpret_cast<const char*>(p), n);
    p += n;
    while (!x.empty() && !x.back()) x.pop_back();
  }
  void cstring(const Key& k, std::string& x) {
    if (const TextEncoding* e = encoding_of(k)) {
      const auto n = e->size(ahead());
      if (!n || left() < *n + e->end) return static_cast<void>(has(left() + 1));
      x.assign(reinterpret_cast<const char*>(p), *n);
      p += *n + e->end;
      return;
    }
    const void* nul = left() ? std::memchr(p, 0, left()) : nullptr;
    if (!nul) {
      has(left() + 1);
      return;
    }
    x.assign(reinterpret_cast<const char*>(p));
    p += x.size() + 1;
  }
  void decimal(const Key&, auto& x, const char* end) {
    const char* from = reinterpret_cast<const char*>(p);
    const auto [stop, error] = std::from_chars(from, from + left(), x);
    const size_t n = size_t(stop - from), digits = n - (n && *from == '-');
    const char first = digits ? stop[-std::ptrdiff_t(digits)] : '0';
    if (error != std::errc() || (first == '0' && n > 1)) {
      x = 0;
      return fail("a whole number in decimal digits, without leading zeros");
    }
    p += n;
    fixed(end, std::strlen(end));
  }
  void fixed(const char* m, size_t n) {
    if (!has(n)) return;
    if (std::memcmp(p, m, n)) return fail(Failure::Kind::magic, m, n);
    p += n;
  }
  /// The length of a list whose file states `n` elements: none, with a failure, if there cannot be that many. `least`
  /// is the smallest size of an element in the file, `size` its size in memory.
  size_t checked_count(u64 n, u64 least, u64 size) {
    if (failure) return 0;
    if (n > left() / least)
      fail(Failure::Kind::count, nullptr, n);
    else if (n > memory / size)
      fail(Failure::Kind::budget, k_too_much);
    else {
      memory -= n * size;
      return size_t(n);
    }
    return 0;
  }
  void upto(auto&& n, auto&& xs) { implied(n(), xs); }
  void implied(u64 n, auto&& xs) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(xs)>, FileBytes>) {
      xs.expect(checked_count(n, 1, 1));
    } else if constexpr (Resizable<decltype(xs)>) {
      using T = std::ranges::range_value_t<decltype(xs)>;
      xs.resize(checked_count(n, least_size<T>(version_), sizeof(T)));
    } else if (n != xs.size())
      fail(Failure::Kind::count, nullptr, n);
  }
  template <class W>
  void visit_counted(W n, const Key& k, auto&& xs) {
    leaf(k, n);
    if constexpr (std::is_signed_v<W>) {
      if (n < 0) return fail(Failure::Kind::count, nullptr, u64(i64(n)));
    }
    implied(u64(n), xs);
  }
  void align(u64 a, u64 base = 0) {
    const u64 pad = (a - (here() - base) % a) % a;
    if (!pad) return;
    close_described_run();
    p += std::min(pad, left());
    run = offset();
  }
  u64 jump(u64 base, auto o) { return jump(base + u64(o.field) * o.unit_); }
  u64 jump(u64 position) {
    const u64 from = here();
    if (failure) return from;
    close_described_run();
    if (position > total())
      fail(Failure::Kind::offset, nullptr, position);
    else
      p = file + (run = origin + position);
    return from;
  }
  void back(u64 to, auto...) {
    if (failure) return;
    close_described_run();
    p = file + (run = origin + to);
  }
  void infer(const Key&, auto& x, auto&& f) { x = f(); }
  template <Leaf T>
  T peek() {
    T x{};
    if (failure || left() < sizeof x) return x;
    std::memcpy(&x, p, sizeof x);
    return swap ? byte_swapped(x) : x;
  }
  ByteView ahead() { return {p, size_t(left())}; }
  const LoadOptions& options() { return options_; }
  void or_raw(const Key& k, auto& x, bool possible, auto place, auto& raw, auto&& n) {
    raw.reset();
    x.reset();
    if (failure) return;  // a failure of an earlier part: it stays
    if (possible) {
      const State before = save();
      x.emplace();
      (*this)(k, *x);
      if (!failure || failure.kind == Failure::Kind::budget) return;
      doubted = true;
      restore(before);
      x.reset();
    }
    raw.emplace();
    inside(place, [&] { read_raw_part(*raw, n()); });
  }
  void read_raw_part(Bytes& raw, u64 n) {
    raw.resize(size_t(std::min(n, left())));
    (*this)("raw", raw);
  }
  struct Window {
    u64 origin;
    const u8* last;
    bool swap;
    u64 start;
  };
  Window enter(const Key&, u64 n, std::optional<std::endian> order) {
    const Window outer{origin, last, swap, offset()};
    if (has(n)) last = p + n;
    origin = offset();
    if (order) swap = *order != std::endian::native;
    return outer;
  }
  void leave(Window outer) {
    swap = outer.swap;
    origin = outer.origin;
    if (failure) return;
    close_described_run();
    p = last;
    run = offset();
    last = outer.last;
  }
  void all(auto& xs) {
    using T = std::ranges::range_value_t<decltype(xs)>;
    if constexpr (FixedSize<T>) {
      if (!has(u64(std::ranges::size(xs)) * wire_size<T>(version_))) return;
      read_fixed_size([&](auto& f) {
        for (auto& x : xs) f("", x);
      });
    } else
      Walk::all(xs);
  }

  /// The state that or_raw restores. Budget spent in an attempt is not restored.
  struct State {
    const u8 *p, *last;
    u64 origin, run;
    bool swap;
    unsigned depth;
    size_t described;
    u32 version;
  };
  State save() {
    close_described_run();  // closes the range, so that going back cannot change earlier descriptions
    run = offset();
    return {p, last, origin, run, swap, depth, described.size(), version_};
  }
  void restore(const State& s) {
    budget -= std::min(budget, offset() - run);
    p = s.p, last = s.last, origin = s.origin, run = s.run, swap = s.swap, depth = s.depth;
    version_ = s.version;
    described.resize(s.described);
    failure = {};
  }
  /// Closes the current range of described bytes.
  void close_described_run() {
    const u64 to = offset();
    if (run == to) return;
    const u64 n = to - run;
    if (budget < n) return fail(Failure::Kind::budget, k_too_much);
    budget -= n;
    described.emplace_back(run, to);
    run = to;
  }

 private:
  void copy_number(void* x, size_t n, bool swaps) const {
    u8* to = static_cast<u8*>(x);
    if (swap && swaps)
      std::reverse_copy(p, p + n, to);
    else
      std::memcpy(to, p, n);
  }
  void read_fixed_size(auto body) {
    const auto read = [&](auto f) {
      body(f);
      p = f.p;
      if (!f.wrong) return;
      p = f.wrong_at;
      fail(Failure::Kind::magic, f.wrong, f.wrong_size);
    };
    if (swap)
      read(FastReader<true>(p, version_));
    else
      read(FastReader<false>(p, version_));
  }
};

}  // namespace dio
