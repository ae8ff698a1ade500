// writer.hpp: writes a document to bytes, each part at its offset. Parts that share bytes must agree.
#pragma once
#include <cstring>
#include <utility>

#include "core/editable_copy.hpp"
#include "layout/key_path_tracker.hpp"
#include "layout/text_encoding.hpp"
#include "layout/walk.hpp"

namespace dio {

template <bool Swap>
struct FastWriter : Walk<FastWriter<Swap>> {
  static constexpr bool reads = false, grows = false;
  u8* p;
  bool overflowed = false;
  FastWriter(u8* at, u32 version) : Walk<FastWriter>(version), p(at) {}
  void leaf(const Key&, auto x) {
    if constexpr (Swap) x = byte_swapped(x);
    std::memcpy(p, &x, sizeof x);
    p += sizeof x;
  }
  void fixed(const char* m, size_t n) {
    std::memcpy(p, m, n);
    p += n;
  }
  void fail(const char*) { overflowed = true; }
};

struct Writer : Walk<Writer> {
  static constexpr bool reads = false, grows = false;
  static constexpr u64 k_max_size = k_max_file_size;

  Bytes out;
  Bytes written;  // 1 where a byte was written; used only after the first step out of order
  /// Compares with these bytes instead of writing; `out` then stays empty.
  struct Comparison {
    ByteView with;
    std::vector<std::pair<u64, u64>> same = {};  // runs that were put
    bool differs = false;
    Blocks* changes = nullptr;  // takes what differs
  };
  std::optional<Comparison> comparison;
  u64 cursor = 0, origin = 0;
  u64 size;  // of the file: the limit for writing
  u8 fill;   // the byte of unwritten positions
  bool swap, ordered = true;
  KeyPathTracker trail;
  Marks marks;

  Writer(std::endian order, u64 file_size, u8 filled_with = 0)
      : size(std::min(file_size, k_max_size)), fill(filled_with), swap(order != std::endian::native) {}

  u64 here() { return cursor - origin; }
  bool good() { return !trail.refused(); }
  void open(const Key& k, Span::Kind) { trail.open(k); }
  void close(const Key&) { trail.close(); }
  void fail(const char* expected) { trail.refuse("layout.requires", expected); }
  void overflow(const Key& k) { trail.refuse("layout.overflow", "a value that fits in its field", k); }
  u64 jump(u64 base, auto o) { return jump(base + u64(o.field) * o.unit_); }
  u64 jump(u64 position) { return std::exchange(cursor, origin + position) - origin; }
  void back(u64 to, auto...) { cursor = origin + to; }
  void align(u64 a, u64 base = 0) { cursor += (a - (here() - base) % a) % a; }
  void leaf(const Key& k, auto x) {
    if (swap) x = byte_swapped(x);
    put(&x, sizeof x, k);
  }
  void raw(const Key& k, ByteView x) { put(x.data(), x.size(), k); }
  void sized_text(const Key& k, const std::string& x) { put(x.data(), x.size(), k); }
  void text(u64 n, const Key& k, const std::string& x) {
    if (x.size() > n) return trail.refuse("layout.text-too-long", "a text that fits in its field", k);
    if (n > size) return too_long();
    std::string s = x;
    s.resize(size_t(n));
    put(s.data(), s.size(), k);
  }
  void cstring(const Key& k, const std::string& x) {
    if (const TextEncoding* e = encoding_of(k)) {
      const auto all = terminate_text(*e, x);
      return all ? put(all->data(), all->size(), k) : trail.refuse("layout.overflow", "text without NUL characters", k);
    }
    if (x.find('\0') != x.npos) return trail.refuse("layout.overflow", "text without NUL characters", k);
    put(x.c_str(), x.size() + 1, k);
  }
  void decimal(const Key& k, auto x, const char* end) {
    const std::string s = std::to_string(x) + end;
    put(s.data(), s.size(), k);
  }
  void fixed(const char* m, size_t n) { put(m, n, "magic"); }
  void implied(u64 n, auto&& xs) {
    if (xs.size() != n) trail.refuse_length(n, xs.size());
  }
  template <class W>
  void visit_counted(W n, const Key& k, auto&&) {
    leaf(k, n);
  }
  struct Window {
    u64 origin;
    bool swap;
    u64 start, n;
  };
  Window enter(const Key&, u64 n, std::optional<std::endian> order) {
    const Window outer{origin, swap, cursor, n};
    origin = cursor;
    if (order) swap = *order != std::endian::native;
    return outer;
  }
  void leave(Window outer) { origin = outer.origin, swap = outer.swap, cursor = outer.start + outer.n; }
  void all(auto& xs) {
    using T = std::ranges::range_value_t<decltype(xs)>;
    if constexpr (FixedSize<T>) {
      const u64 n = u64(std::ranges::size(xs)) * wire_size<T>(version_);
      if (!n || !good()) return;
      bool fits;
      if (cursor == out.size() && ordered && cursor + n <= size) {
        out.resize(size_t(cursor + n));
        fits = write_fixed_size(&out[size_t(cursor)], xs);
        cursor += n;
      } else {
        Bytes block(static_cast<size_t>(n));
        fits = write_fixed_size(block.data(), xs);
        put(block.data(), block.size(), k_the_structure);
      }
      if (fits) return;
      cursor -= n;  // again, to report which one
    }
    Walk::all(xs);
  }
  void put(const void* x, size_t n, const Key& k) {
    if (!n || !good()) return;
    if (cursor + n > size) return too_long();
    const u8* from = static_cast<const u8*>(x);
    if (cursor == out.size() && ordered) {
      out.insert(out.end(), from, from + n);
      cursor += n;
      return;
    }
    if (comparison) return compare(from, n);
    if (ordered) {  // the first step out of order: from here on, the used bytes are recorded
      ordered = false;
      written.assign(out.size(), 1);
    }
    if (out.size() < cursor + n) {
      out.resize(size_t(cursor + n), fill);
      written.resize(out.size());
    }
    u8 *to = &out[size_t(cursor)], *taken = &written[size_t(cursor)];
    if (std::memchr(taken, 1, n))
      for (size_t i = 0; i < n; ++i)
        if (taken[i] && to[i] != from[i])
          return trail.refuse("layout.overlap",
                              "equal values in the bytes that this field "
                              "shares with another structure",
                              k);
    std::memcpy(to, from, n);
    std::memset(taken, 1, n);
    cursor += n;
  }
  void compare_with(ByteView bytes, Blocks* changes = nullptr) {
    comparison = {.with = bytes, .changes = changes};
    ordered = false;
  }
  /// Whether all bytes are as expected: the written ones, and the fill elsewhere.
  bool matches_expected() {
    if (!good() || comparison->differs) return false;
    auto& runs = comparison->same;
    std::sort(runs.begin(), runs.end());
    u64 at = 0;
    const auto is_fill = [&](u64 to) {
      return at >= to || std::ranges::all_of(comparison->with.subspan(size_t(at), size_t(to - at)),
                                             [&](u8 b) { return b == fill; });
    };
    for (const auto& [from, to] : runs) {
      if (!is_fill(from)) return false;
      at = std::max(at, to);
    }
    return is_fill(comparison->with.size());
  }

 private:
  void compare(const u8* from, size_t n) {
    auto& [with, same, differs, changes] = *comparison;
    const u8* there = &with[size_t(cursor)];  // the content may be at this position already
    if (from != there && !std::equal(from, from + n, there)) {
      differs = true;
      if (changes) (*changes)[cursor] = Bytes(from, from + n);
    }
    if (!same.empty() && same.back().second == cursor)
      same.back().second += n;
    else
      same.emplace_back(cursor, cursor + n);
    cursor += n;
  }
  void too_long() {
    trail.refuse("layout.overflow", size < k_max_size ? "all data inside the file" : "a file below 1 GiB");
  }
  /// False if a value does not fit in its field.
  bool write_fixed_size(u8* at, auto& xs) {
    const auto write = [&](auto f) {
      for (auto& x : xs) f("", x);
      return !f.overflowed;
    };
    return swap ? write(FastWriter<true>(at, version_)) : write(FastWriter<false>(at, version_));
  }
};

}  // namespace dio
