// patch.hpp: values (from JSON) to a document: finds each value by its name. Lists take their lengths from the values.
#pragma once
#include <cmath>

#include "core/diagnostic.hpp"
#include "core/value.hpp"
#include "layout/walk.hpp"
#include "layout/writer.hpp"

namespace dio {

struct Patch : Walk<Patch> {
  static constexpr bool reads = true, grows = false;

  Diagnostic stop;  // meaningful if !good()
  Marks marks;

  explicit Patch(const Value& root) { descend({}, root); }

  bool good() { return stop.id.empty(); }
  /// Call after the walk: a member that no layout asked for is a mistake, most likely a misspelt name.
  void finish() {
    if (good()) report_unused(*stack_.front().value, "");
  }

  void open(Key k, Span::Kind kind) {
    if (!k.name) return push(k, kind);
    each_segment(k.name, [&](std::string_view part, bool last) { push(part, last ? kind : Span::Kind::object); });
  }
  void close(Key k) {
    if (!k.name) return stack_.pop_back();
    each_segment(k.name, [&](std::string_view, bool) { stack_.pop_back(); });
  }
  void fit(auto& xs) {
    const size_t n = top().value->size();
    if constexpr (Resizable<decltype(xs)>)
      xs.resize(n);
    else if (good() && xs.size() != n)
      refuse("layout.count", std::to_string(xs.size()) + " elements", std::to_string(n), {}, top().value);
  }
  void leaf(Key k, auto& x) {
    if (const Value* v = need(k)) number(k, *v, x);
  }
  void raw(Key k, Bytes& x) {
    if (const Value* v = need(k)) from_hex(k, *v, x);
  }
  void sized_text(Key k, std::string& x) { text(0, k, x); }
  void cstring(Key k, std::string& x) { text(0, k, x); }
  void decimal(Key k, auto& x, const char*) { leaf(k, x); }
  void text(u64, Key k, std::string& x) {
    const Value* v = need(k);
    if (!v) return;
    if (v->is(Value::Kind::text)) {
      x = v->text();
      return;
    }
    const Value* hex = v->is(Value::Kind::object) ? v->find("hex") : nullptr;
    if (!hex) return refuse("layout.type", "a text, or {\"hex\": \"...\"}", describe(*v), k, v);
    Bytes b;
    from_hex(k, *hex, b);
    x.assign(b.begin(), b.end());
  }
  void fixed(const char*, size_t) {}
  void unit(auto&) {}
  template <class U>
  void bit_field(Key k, unsigned, unsigned width, auto& x, auto value) {
    const Value* v = need(k);
    if (!v) return;
    i64 n = 0;
    if (!whole(k, *v, n)) return;
    constexpr bool is_signed = std::is_signed_v<decltype(value)>;
    const i64 low = is_signed ? -(i64(1) << (width - 1)) : 0;
    const i64 high = width >= 63 ? INT64_MAX : is_signed ? (i64(1) << (width - 1)) - 1 : (i64(1) << width) - 1;
    if (n < low || n > high) return out_of_range(k, *v, low, high);
    x = std::remove_cvref_t<decltype(x)>(n);
  }
  template <class W>
  void counted(W, Key, auto&&) {}
  bool pointed(auto&, Key k, auto& x) { return is_there(k, x); }
  bool there_is(auto&, Key k, auto& x) { return is_there(k, x); }
  void infer(Key k, auto& x, auto&&) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (k_is_optional<T>) {
      if (is_there(k, x)) leaf(k, *x);
    } else
      leaf(k, x);
  }
  template <class T>
  void coded(Key k, Bytes& x) {
    const Value* v = good() ? find(k) : nullptr;
    if (!v || !v->is(Value::Kind::object)) return raw(k, x);
    T value{};
    (*this)(k, value);
    if (!good()) return;
    if constexpr (requires { value.settle(); }) value.settle();
    Writer writer(T::k_order, k_max_file_size, fill_of<T>());
    T::layout(writer, value);
    if (!writer.good()) return refuse("layout.requires", writer.trail.expected, "other values", k, v);
    x = std::move(writer.out);
  }
  void or_raw(Key k, auto& x, bool, auto place, auto& raw, auto&&) {
    x.reset();
    raw.reset();
    bool kept_raw = false;
    inside(place, [&] { kept_raw = find("raw") != nullptr; });
    if (kept_raw) {
      raw.emplace();
      inside(place, [&] { (*this)("raw", *raw); });
    } else if (find(k)) {
      x.emplace();
      (*this)(k, *x);
    } else
      need(k);
  }
  void fail(const char* expected) {
    if (good()) refuse("layout.requires", expected, "something else", {}, top().value);
  }

 private:
  /// The name of a member, or the place of an element.
  struct Part {
    std::string_view name;
    u64 index = ~u64(0);
    Part() = default;
    Part(std::string_view n) : name(n) {}
    Part(const char* n) : name(n) {}
    Part(Key k) : name(k.name ? std::string_view(k.name) : std::string_view()), index(k.index) {}
  };
  struct Level {
    Part part;
    const Value* value;
    std::vector<bool>* used;  // which members a layout asked for
    size_t next = 0;          // where the next member is expected: JSON mostly has them in the order of the layout
  };
  std::vector<Level> stack_;
  std::map<const Value*, std::vector<bool>> used_;

  Level& top() { return stack_.back(); }
  void descend(Part part, const Value& v) {
    auto& used = used_[&v];
    used.resize(v.is(Value::Kind::object) ? v.size() : 0);
    stack_.push_back({part, &v, &used});
  }
  const Value* find(Part p) {
    const size_t dot = p.name.find('.');
    if (dot == p.name.npos) return find_here(p);
    const Value* around = find_here(p.name.substr(0, dot));
    if (!around) return nullptr;
    descend(p.name.substr(0, dot), *around);
    const Value* v = find(p.name.substr(dot + 1));
    stack_.pop_back();
    return v;
  }
  const Value* find_here(Part p) {
    Level& l = top();
    if (p.name.empty()) return l.value->is(Value::Kind::list) ? l.value->at(size_t(p.index)) : nullptr;
    if (!l.value->is(Value::Kind::object)) return nullptr;
    const auto& members = l.value->members();
    for (size_t n = members.size(), i = 0; i < n; ++i) {
      const size_t j = l.next + i < n ? l.next + i : l.next + i - n;
      if (members[j].first != p.name) continue;
      (*l.used)[j] = true;
      l.next = j + 1 < n ? j + 1 : 0;
      return &members[j].second;
    }
    return nullptr;
  }
  const Value* need(Part p) {
    if (!good()) return nullptr;
    const Value* v = find(p);
    if (!v) refuse("layout.missing-key", "a value", "none", p, top().value);
    return v;
  }
  void push(Part p, Span::Kind kind) {
    static const Value none;
    const Value* v = need(p);
    const bool list = kind == Span::Kind::list;
    if (v && !v->is(list ? Value::Kind::list : Value::Kind::object)) {
      refuse("layout.type", list ? "a list" : "an object", describe(*v), p, v);
      v = nullptr;
    }
    descend(p, v ? *v : none);
  }
  bool is_there(Key k, auto& x) {
    const Value* v = good() ? find(k) : nullptr;
    if (v && !v->is(Value::Kind::null))
      x.emplace();
    else
      x.reset();
    return x.has_value();
  }
  template <Leaf T>
  void number(Key k, const Value& v, T& x) {
    if constexpr (std::is_same_v<T, FourCc>) {
      u64 bits = 0;
      if (v.is(Value::Kind::text) && v.text().size() == 4)
        std::memcpy(x.chars.data(), v.text().data(), 4);
      else if (pattern(v, 8, bits))
        x.chars = {char(bits >> 24), char(bits >> 16), char(bits >> 8), char(bits)};
      else
        refuse("layout.type", "four characters", describe(v), k, &v);
    } else if constexpr (std::is_floating_point_v<T>) {
      u64 bits = 0;
      if (v.is(Value::Kind::text) && pattern(v, 2 * sizeof(T), bits)) {
        if constexpr (sizeof(T) == 4)
          x = std::bit_cast<f32>(u32(bits));
        else
          x = std::bit_cast<f64>(bits);
      } else if (v.is(Value::Kind::integer) || v.is(Value::Kind::real)) {
        x = T(v.number());
        if (!std::isfinite(x))
          refuse("layout.type", "a number that fits 32 bits, or its bits as \"0x7fc00000\"", "a larger one", k, &v);
      } else
        refuse("layout.type", "a number, or its bits as \"0x7fc00000\"", describe(v), k, &v);
    } else if constexpr (k_is_fixed_point<T>) {
      if (!v.is(Value::Kind::integer) && !v.is(Value::Kind::real))
        return refuse("layout.type", "a number", describe(v), k, &v);
      const f64 scaled = std::round(v.number() * f64(u64(1) << T::k_fraction));
      using R = typename T::Raw;
      if (!(scaled >= f64(std::numeric_limits<R>::min()) && scaled <= f64(std::numeric_limits<R>::max())))
        return refuse("layout.overflow", "a number that fits its field", describe(v), k, &v);
      x.raw = R(scaled);
    } else {
      using R = std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>, std::type_identity<T>>::type;
      if constexpr (std::is_same_v<R, u64>) {
        if (!v.is(Value::Kind::integer) || v.negative())
          return refuse("layout.type", "a whole number, 0 or more", describe(v), k, &v);
        x = T(v.bits());
      } else {
        i64 n = 0;
        if (!whole(k, v, n)) return;
        if (n < i64(std::numeric_limits<R>::min()) || n > i64(std::numeric_limits<R>::max()))
          return out_of_range(k, v, i64(std::numeric_limits<R>::min()), i64(std::numeric_limits<R>::max()));
        x = T(R(n));
      }
    }
  }
  bool whole(Part, const Value&, i64&);
  void from_hex(Part, const Value&, Bytes&);
  static bool pattern(const Value&, size_t digits, u64&);
  void refuse(const char* id, std::string expected, std::string found, Part, const Value*);
  void out_of_range(Part, const Value&, i64 low, i64 high);
  static std::string describe(const Value&);
  void report_unused(const Value&, const std::string& path);
};

}  // namespace dio
