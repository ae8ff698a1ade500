// placer.hpp: gives every offset and derived field its canonical value. The order in which a layout visits things is
// the canonical order of the file: what an offset points to goes behind the furthest byte so far.
//
// Rules for a layout: own fields before own `at`s; `derive` of a list before visiting it; bases from `here` or from
// fields that are already placed.
#pragma once
#include <map>
#include <utility>

#include "layout/trail.hpp"
#include "layout/walk.hpp"

namespace dio {

struct Placer : Walk<Placer> {
  static constexpr bool reads = false, grows = false;
  enum class Mode : u8 {
    place,    // sets offsets and derived fields
    inspect,  // leaves everything where it is; notes which derived fields are as derived
    follow    // leaves everything where it is; sets the derived fields that were as derived when inspected
  };

  Mode mode;
  u64 rest;  // placing: how many bytes stay behind the end; else: the size of the file, or of the one inside it
  u64 cursor = 0, high = 0, origin = 0;
  Trail trail;
  std::vector<bool> as_derived;
  size_t derived = 0;
  Marks marks;

  Placer(Mode m, u64 tail_or_size) : mode(m), rest(tail_or_size) {}

  bool placing() const { return mode == Mode::place; }
  u64 here() { return cursor - origin; }
  u64 end() { return high - origin; }
  u64 total() { return placing() ? end() + rest : rest; }
  bool good() { return !trail.refused(); }
  void open(Key k, Span::Kind) { trail.open(k); }
  void close(Key) { trail.close(); }
  void fail(const char* expected) { trail.refuse("layout.requires", expected); }
  void overflow(Key k) { trail.refuse("layout.overflow", "a value that fits its field", k); }
  void set(auto& field, u64 n) {
    field = std::remove_cvref_t<decltype(field)>(n);
    if (u64(field) != n) trail.refuse("layout.overflow", "offsets and sizes that fit their fields");
  }
  u64 jump(u64 base, auto o) {
    const u64 from = here(), start = origin + base;
    if (!placing()) {
      cursor = start + u64(o.field) * o.unit_;
      return from;
    }
    if (!shared_.empty()) fail("nothing that points elsewhere inside what is shared");
    if (o.shared_) shared_.push_back({high, {}});
    high = std::max(high, start);
    round(base, o.align_);
    set(o.field, (high - start) / o.unit_);
    cursor = high;
    return from;
  }
  void back(u64 to, u64 base, auto o) {
    cursor = origin + to;
    if (o.shared_ && placing()) {
      const u64 start = origin + base, at = start + u64(o.field) * o.unit_;
      const Shared target = std::move(shared_.back());
      shared_.pop_back();
      const auto [i, fresh] = pools_.try_emplace({origin + o.pool_, target.content}, at);
      if (!fresh) {
        set(o.field, (i->second - start) / o.unit_);
        high = target.high;
        return;
      }
    }
    round(base, o.pad_);
  }
  u64 jump(u64 position) { return std::exchange(cursor, origin + position) - origin; }
  void back(u64 to) { cursor = origin + to; }
  bool pointed(auto& field, Key, auto& x) {
    if (!x && placing()) field = 0;
    return x.has_value() && (placing() || field != 0);
  }
  void derive(auto&& field, auto&& value, const char* needs = nullptr) {
    if constexpr (requires { *value(); }) {
      const auto made = value();
      derive_as([&] { made ? void(field = *made) : fail(needs); }, [&] { return made && field == *made; });
    } else if constexpr (requires { value(); })
      derive_as([&] { field = value(); }, [&] { return field == value(); });
    else
      derive_as([&] { set(field, u64(value)); }, [&] { return u64(field) == u64(value); });
  }
  void round(u64 base, u64 a) { high += (a - (end() - base) % a) % a; }
  void align(u64 a, u64 base = 0) {
    cursor += (a - (here() - base) % a) % a;
    high = std::max(high, cursor);
  }
  void take(const void* x, size_t n) {
    cursor += n;
    high = std::max(high, cursor);
    for (Shared& s : shared_) s.content.append(static_cast<const char*>(x), n);
  }
  void leaf(Key, const auto& x) { take(&x, sizeof x); }
  void raw(Key, const Bytes& x) { take(x.data(), x.size()); }
  void sized_text(Key, const std::string& x) { take(x.data(), x.size()); }
  void text(u64 n, Key, const std::string& x) {
    std::string s = x;
    s.resize(size_t(std::min(n, k_max_file_size)));
    take(s.data(), s.size());
  }
  void cstring(Key, const std::string& x) { take(x.c_str(), x.size() + 1); }
  void decimal(Key, auto x, const char* end) {
    const std::string s = std::to_string(x) + end;
    take(s.data(), s.size());
  }
  void fixed(const char* m, size_t n) { take(m, n); }
  template <class W>
  void counted(W n, Key k, auto&&) {
    leaf(k, n);
  }
  struct Window {
    u64 origin, high, rest, start, n;
  };
  Window enter(Key, u64 n, std::optional<std::endian>) {
    const Window outer{origin, high, rest, cursor, n};
    origin = cursor;
    high = cursor;
    rest = placing() ? 0 : n;
    return outer;
  }
  void leave(Window outer) {
    cursor = placing() ? high : outer.start + outer.n;
    origin = outer.origin;
    rest = outer.rest;
    high = std::max(outer.high, cursor);
  }
  void all(auto& xs) {
    using T = std::ranges::range_value_t<decltype(xs)>;
    if constexpr (FixedSize<T>)
      if (shared_.empty()) {
        cursor += u64(std::ranges::size(xs)) * wire_size<T>(version_);
        high = std::max(high, cursor);
        return;
      }
    Walk::all(xs);
  }

 private:
  void derive_as(auto assign, auto same) {
    if (mode == Mode::place)
      assign();
    else if (mode == Mode::inspect)
      as_derived.push_back(same());
    else if (const size_t i = derived++; i < as_derived.size() && as_derived[i])
      assign();
  }
  struct Shared {
    u64 high;
    std::string content;
  };
  std::vector<Shared> shared_;  // the shared targets the walk is in: how far it was before, and their bytes so far
  std::map<std::pair<u64, std::string>, u64> pools_;
};

}  // namespace dio
