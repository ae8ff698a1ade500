// numbers.cpp: numbers that are not finite, in any section.
#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

constexpr Rule k_number_rules[] = {
    {"kmp.float", Severity::error, "every number is finite",
     "Everything that the game computes from an infinite or invalid number becomes invalid.",
     "Set the value to a finite number.", "diorama's own rule"},
};

/// Visits the numbers of an entry by its layout.
template <class D>
struct NumberWalk {
  D& self() { return static_cast<D&>(*this); }
  constexpr bool since(u32) { return true; }  // fields that a version lacks are 0
  void count(auto&&...) {}
  void as(auto&&...) {}  // only whole numbers are
  void operator()(Key k, const auto& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_floating_point_v<T>)
      self().number(k, x);
    else if constexpr (Leaf<T>)
      return;
    else if constexpr (Range<T>) {
      if constexpr (!Leaf<typename T::value_type>)
        self().inside(k, [&] {
          for (size_t i = 0; i < x.size(); ++i) (*this)(Key::element(i), x[i]);
        });
    } else
      self().inside(k, [&] { T::layout(self(), x); });
  }
};
constexpr bool finite(f32 x) { return (std::bit_cast<u32>(x) & 0x7F800000) != 0x7F800000; }

/// Whether all numbers are finite, as in most courses.
struct AllFinite : NumberWalk<AllFinite> {
  bool good = true;
  void number(Key, f32 x) { good &= finite(x); }
  void inside(Key, auto body) { body(); }
};
/// Reports the numbers that are not finite.
struct NotFinite : NumberWalk<NotFinite> {
  Check& c;
  std::string path;
  NotFinite(Check& check, std::string at) : c(check), path(std::move(at)) {}
  static std::string segment(Key k) { return k.name ? text(".", k.name) : text("[", k.index, "]"); }
  void number(Key k, f32 x) {
    if (!finite(x))
      c.report("kmp.float", path + segment(k),
               {.message = text("the value is ", std::isnan(x) ? "not a number"
                                                 : x < 0       ? "minus infinity"
                                                               : "infinity")});
  }
  void inside(Key k, auto body) {
    const size_t length = path.size();
    path += segment(k);
    body();
    path.resize(length);
  }
};

void check_numbers(Check& c) {
  const auto check_section = [&c](const auto& section) {
    if (!section) return;
    AllFinite quick;
    for (const auto& e : section->entries) quick(Key::element(0), e);
    if (quick.good) return;
    NotFinite slow(c, text(section->k_name, ".entries"));
    for (size_t i = 0; i < section->entries.size(); ++i) slow(Key::element(i), section->entries[i]);
  };
  std::apply([&](const auto&... section) { (check_section(section), ...); }, Kmp::typed(c.course));
}

}  // namespace

constinit const Topic k_number_checks{k_number_rules, check_numbers};

}  // namespace dio::kmp
