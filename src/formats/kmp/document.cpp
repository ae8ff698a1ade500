// document.cpp: a course from bytes and back, and what it settles by itself before it is placed.
#include <algorithm>

#include "formats/kmp/parts.hpp"

namespace dio::kmp {

template <class S>
static FourCc name_of(const std::optional<S>&) { return fourcc(S::k_name); }

void Kmp::settle() {
  // a place whose section is gone goes too
  const auto holds = [&](size_t i) {
    const Slot& slot = sections[i];
    if (!slot.name || slot.raw) return slot.raw.has_value();
    bool present = false;
    std::apply([&](const auto&... x) { ((present |= x.has_value() && name_of(x) == *slot.name), ...); }, typed(*this));
    return present && is_first(*this, i);
  };
  std::vector<Slot> kept;
  for (size_t i = 0; i < sections.size(); ++i)
    if (holds(i)) kept.push_back(sections[i]);
  sections = std::move(kept);
  // a new section gets a place before the first that follows it in the usual order
  std::vector<FourCc> order;
  std::apply([&](const auto&... x) { (order.push_back(name_of(x)), ...); }, typed(*this));
  const auto rank = [&](const Slot& s) { return s.name ? size_t(std::find(order.begin(), order.end(), *s.name) - order.begin()) : order.size(); };
  const auto add = [&](const auto& x) {
    if (!x) return;
    const FourCc name = name_of(x);
    if (std::any_of(sections.begin(), sections.end(), [&](const Slot& s) { return s.name == name && !s.raw; })) return;
    Slot slot{0, name, {}, {}};
    const auto before = std::find_if(sections.begin(), sections.end(), [&](const Slot& s) { return rank(s) > rank(slot); });
    sections.insert(before, std::move(slot));
  };
  std::apply([&](const auto&... x) { (add(x), ...); }, typed(*this));
}

void Kmp::normalise() {
  std::vector<FourCc> order;
  std::apply([&](const auto&... x) { (order.push_back(name_of(x)), ...); }, typed(*this));
  const auto rank = [&](const Slot& s) {
    return s.raw ? order.size() : size_t(std::find(order.begin(), order.end(), *s.name) - order.begin());
  };
  std::stable_sort(sections.begin(), sections.end(), [&](const Slot& a, const Slot& b) { return rank(a) < rank(b); });
}

}  // namespace dio::kmp

namespace dio {

template Result<Loaded<Document<kmp::Kmp>>> load<kmp::Kmp>(ByteView);
template Result<Bytes> write<kmp::Kmp>(const kmp::Kmp&, const std::vector<Residue>&, u64);
template Result<Bytes> save<kmp::Kmp>(const Document<kmp::Kmp>&, SaveOptions);
template Result<Bytes> follow<kmp::Kmp>(ByteView, ByteView);

}  // namespace dio
