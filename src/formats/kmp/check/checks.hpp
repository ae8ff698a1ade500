// checks.hpp: shared by all checks: the course, its findings, and helpers for messages.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "formats/contract/reporter.hpp"
#include "formats/kmp/course_kind.hpp"
#include "formats/kmp/parts.hpp"

namespace dio::kmp {

/// `CKPT.entries[3].type`; without a field the entry itself.
template <class... Part>
std::string entry(std::string_view section, u64 index, const Part&... field) {
  return text(section, ".entries[", index, "]", sizeof...(field) ? "." : "", field...);
}
/// A computed length, rounded for display.
std::string units(f64 length);
std::string degrees(f64 angle);

/// From this version on, files have all sections in the usual order.
inline constexpr u32 k_all_sections = 2320;

/// Indices of points and groups are bytes, and 0xFF means none.
inline constexpr size_t k_most_indices = 255;
/// The groups that links can reach. Having more is a separate finding, and each could name all points.
inline std::span<const Group> linkable(const std::vector<Group>& groups) {
  return std::span(groups).first(std::min(groups.size(), k_most_indices));
}

/// A course under check. Texts and paths are built only for findings, so a sound course allocates nothing for them.
struct Check : Reporter {
  Check(const Kmp& k, Findings& f, bool zeros) : Reporter(f), course(k), ends_in_zeros(zeros) {}

  const Kmp& course;
  const bool ends_in_zeros;  // whether only zeros follow the last section
  const CourseKind kind = guess_course_kind(course);
  const u32 version = course.version.value_or(0);

  /// Whether entries missing from a section are really missing. A damaged section, or one outside the file, has its own
  /// finding; old files lack some sections.
  template <class S>
  bool is_reliable(const std::optional<S>& section) const {
    if (section) return true;
    return version >= k_all_sections && std::none_of(course.sections.begin(), course.sections.end(), [](const Slot& s) {
             return !s.name || s.name == fourcc(S::k_name);
           });
  }
  /// Path of the entry count; for a missing section, path of the section count.
  template <class S>
  static std::string count_field_path(const std::optional<S>& section) {
    return section ? text(S::k_name, ".count") : "section_count";
  }
  /// Whether areas have a route and an enemy point.
  bool has_area_links() const { return entry_size(course.area) > wire_size<Area>(k_route_in_area - 1); }
  /// Bytes of an entry in this file.
  template <class S>
  u64 entry_size(const std::optional<S>&) const {
    for (const Slot& s : course.sections)
      if (s.entry_size && s.name == fourcc(S::k_name)) return *s.entry_size;
    return wire_size<typename S::Entry>(version);
  }
};

/// Whether a camera moves along its route.
constexpr bool travels(const Camera& a) { return a.type == 2 || a.type == 5 || a.type == 6; }

/// Rules and the function that checks them; one topic per file.
struct Topic {
  std::span<const Rule> rules;
  void (*check)(Check&);
};
extern const Topic k_container_checks, k_number_checks, k_path_checks, k_lap_checks, k_quad_checks, k_object_checks,
    k_camera_checks, k_place_checks;

/// Calls report(first, last) for each run of matching numbers from `from` to below `to`. One finding per run: identical
/// findings for neighbours would hide the rest.
void for_each_run(size_t from, size_t to, auto is_meant, auto report) {
  for (size_t i = from; i < to; ++i) {
    if (!is_meant(i)) continue;
    const size_t first = i;
    while (i + 1 < to && is_meant(i + 1)) ++i;
    report(first, i);
  }
}
/// `point 3`, `points 3 to 7`.
inline std::string describe_index_range(u64 first, u64 last, std::string_view one) {
  return first == last ? text(one, " ", first) : text(one, "s ", first, " to ", last);
}

}  // namespace dio::kmp
