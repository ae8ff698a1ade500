// settle.cpp: keeps the section table and the sections consistent before a course is placed.
#include <algorithm>

#include "core/text_format.hpp"
#include "formats/kmp/parts.hpp"

namespace dio::kmp {

template <class S>
static FourCc name_of(const std::optional<S>&) {
  return fourcc(S::k_name);
}

static bool is_outside(const Slot& slot) { return !slot.name && !slot.raw; }

std::optional<Diagnostic> Kmp::data_loss_error(u64 size) const {
  const auto is_in = [&](const Slot& slot) { return is_outside(slot) && u64(header_size) + slot.offset + 4 <= size; };
  const auto first = std::ranges::find_if(sections, is_in);
  if (first == sections.end()) return {};
  return make_diagnostic("layout.loses", "sections[" + std::to_string(first - sections.begin()) + "]",
                         {.message = "the file is cut off and lacks " +
                                     format_count(u64(std::ranges::count_if(sections, is_outside)), "section") +
                                     "; the edit would put new data where the section table expects these sections",
                          .hint = "{--lossy} drops these sections from the table"});
}

void Kmp::lose() { std::erase_if(sections, is_outside); }

void Kmp::settle() {
  // remove table entries without a section, and second entries for one section
  SeenSections taken{};
  const auto has_section = [&](const Slot& slot) {
    if (!slot.name || slot.raw) return true;
    bool present = false;
    size_t kind = 0;
    const auto mark_if_present = [&](const auto& x) {
      const size_t k = kind++;
      if (!x || !(name_of(x) == *slot.name) || taken[k]) return;
      present = taken[k] = true;
    };
    std::apply([&](const auto&... x) { (mark_if_present(x), ...); }, typed(*this));
    return present;
  };
  std::vector<Slot> kept;
  for (Slot& slot : sections)
    if (has_section(slot)) kept.push_back(std::move(slot));
  sections = std::move(kept);
  // insert a new section before the first section that follows it in the usual order
  std::vector<FourCc> order;
  std::apply([&](const auto&... x) { (order.push_back(name_of(x)), ...); }, typed(*this));
  const auto rank = [&](const Slot& s) {
    return s.name ? size_t(std::find(order.begin(), order.end(), *s.name) - order.begin()) : order.size();
  };
  const auto add_missing_slot = [&](const auto& x) {
    if (!x) return;
    const FourCc name = name_of(x);
    if (std::any_of(sections.begin(), sections.end(), [&](const Slot& s) { return s.name == name && !s.raw; })) return;
    Slot slot{0, name, {}, {}};
    const auto before =
        std::find_if(sections.begin(), sections.end(), [&](const Slot& s) { return rank(s) > rank(slot); });
    sections.insert(before, std::move(slot));
  };
  std::apply([&](const auto&... x) { (add_missing_slot(x), ...); }, typed(*this));
}

void Kmp::normalise() {
  lose();
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
