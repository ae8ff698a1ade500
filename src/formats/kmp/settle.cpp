// settle.cpp: what a course settles by itself before it is placed.
#include <algorithm>

#include "core/printing.hpp"
#include "formats/kmp/parts.hpp"

namespace dio::kmp {

template <class S>
static FourCc name_of(const std::optional<S>&) {
  return fourcc(S::k_name);
}

std::optional<Diagnostic> Kmp::loses() const {
  const auto outside = [](const Slot& slot) { return !slot.name && !slot.raw; };
  const auto first = std::ranges::find_if(sections, outside);
  if (first == sections.end()) return {};
  return make_diagnostic(
      "layout.loses", "sections[" + std::to_string(first - sections.begin()) + "]",
      {.message = counted(u64(std::ranges::count_if(sections, outside)), "section") +
                  " beyond the end of the file would be lost from the table: the edit changes the layout",
       .hint = "the end of the file is missing: `dio set` changes values and keeps the table; --lossy writes it "
               "without them"});
}

void Kmp::settle() {
  // a place whose section is gone goes too, and so does a second place of one section
  Taken taken{};
  const auto holds = [&](const Slot& slot) {
    if (!slot.name || slot.raw) return slot.raw.has_value();
    bool present = false;
    size_t kind = 0;
    const auto look = [&](const auto& x) {
      const size_t k = kind++;
      if (!x || !(name_of(x) == *slot.name) || taken[k]) return;
      present = taken[k] = true;
    };
    std::apply([&](const auto&... x) { (look(x), ...); }, typed(*this));
    return present;
  };
  std::vector<Slot> kept;
  for (Slot& slot : sections)
    if (holds(slot)) kept.push_back(std::move(slot));
  sections = std::move(kept);
  // a new section gets a place before the first that follows it in the usual order
  std::vector<FourCc> order;
  std::apply([&](const auto&... x) { (order.push_back(name_of(x)), ...); }, typed(*this));
  const auto rank = [&](const Slot& s) {
    return s.name ? size_t(std::find(order.begin(), order.end(), *s.name) - order.begin()) : order.size();
  };
  const auto add = [&](const auto& x) {
    if (!x) return;
    const FourCc name = name_of(x);
    if (std::any_of(sections.begin(), sections.end(), [&](const Slot& s) { return s.name == name && !s.raw; })) return;
    Slot slot{0, name, {}, {}};
    const auto before =
        std::find_if(sections.begin(), sections.end(), [&](const Slot& s) { return rank(s) > rank(slot); });
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
  std::vector<Slot> sorted;
  for (size_t r = 0; r <= order.size(); ++r)
    for (Slot& slot : sections)
      if (rank(slot) == r) sorted.push_back(std::move(slot));
  sections = std::move(sorted);
}

}  // namespace dio::kmp
