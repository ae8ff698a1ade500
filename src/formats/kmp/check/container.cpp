// container.cpp: the header, the table of sections, and the bytes between them.
#include "core/sorting.hpp"
#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_container_rules[] = {
    {"kmp.hdr-size", error, "the header has 16 bytes (12 in files without a version), plus 4 for each section",
     "The game finds the section offsets and the version by counting back from the end of the header.",
     "Save the course with {--canonical}, which rewrites the header.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt", Severities{hint}},
    {"kmp.hdr-len", error, "the length in the header is the file size",
     "The game does not read the length in the header, but tools do.",
     "Get a complete copy of the file. If no data is missing, save the course with {--canonical}.", "Wiimm's wkmpt",
     Severities{warning}},
    {"kmp.ver", hint, "the version is 2520",
     "All files of the final game have version 2520, and tools always write this version.",
     "No action is needed; set `version` to 2520 to match the final game.", "RiiStudio; 320 real courses"},
    {"kmp.sec-offset", error, "every section starts inside the file",
     "The game reads a section from the stored offset, even if the file contains no section at this offset.",
     "Get an undamaged copy, or correct the offset with a hex editor.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt"},
    {"kmp.sec-count", error,
     "the entries of a section end where the next section starts, and POTI.point_total is the number of route points",
     "The game trusts the entry count of a section. If the count is too large, the game reads other data as entries.",
     "Correct the entry count of the section, or restore the missing entries.",
     "decompiled game (riidefi/mkw, Kinoko); Wiimm's wkmpt; RiiStudio for POTI.point_total", Severities{warning}},
    {"kmp.sec-missing", warning, "all 15 sections exist",
     "If a section is missing, editors reject the file, and the game follows a null pointer when it needs the section.",
     "Save the course with a KMP editor that writes all sections.",
     "Lorenzi's kmp-editor; Wiimm's wkmpt; 320 real courses"},
    {"kmp.sec-order", warning, "sections are in the usual order",
     "Some editors find a section by its position in the table.", "Save the course with {--canonical}.",
     "Lorenzi's kmp-editor; 320 real courses"},
    {"kmp.sec-unknown", warning, "every section has a known name",
     "The game ignores sections with unknown names, and editors drop these sections.",
     "Keep the section if a mod needs it, but note that other programs may remove the section.",
     "Lorenzi's kmp-editor; Wiimm's wkmpt"},
    {"kmp.sec-double", warning, "each section occurs once",
     "If two sections have the same name, the game uses the first section, but tools may use the second.",
     "Remove one of the two sections with the same name.", "decompiled game (riidefi/mkw, Kinoko)"},
    {"kmp.sec-overlap", hint, "sections follow each other without gaps or shared bytes",
     "Other programs drop the bytes between sections. If two sections share bytes, other programs write these bytes "
     "twice.",
     "Save the course with {--canonical}, which stores each section separately and drops the bytes between sections.",
     "320 real courses"},
    {"kmp.trailing", hint, "only zeros follow the last section",
     "If bytes other than zeros follow the last section, other programs drop these bytes. Courses that wkmpt builds "
     "from text always have four bytes after the last section.",
     "No action is needed; saving with {--canonical} drops all bytes after the last section.",
     "60 of 320 real courses"},
};

/// The number of known sections.
constexpr size_t k_known = std::tuple_size_v<decltype(Kmp::typed(std::declval<const Kmp&>()))>;

constexpr std::array<std::string_view, k_known> k_names =
    []<class... S>(std::type_identity<std::tuple<const std::optional<S>&...>>) {
      return std::array<std::string_view, k_known>{std::string_view(S::k_name, 4)...};
    }(std::type_identity<decltype(Kmp::typed(std::declval<const Kmp&>()))>{});

/// Position in the usual order; `k_known` for unknown names.
size_t canonical_rank(const Slot& s) {
  if (!s.name) return k_known;
  return size_t(std::find(k_names.begin(), k_names.end(), s.name->view()) - k_names.begin());
}

std::string offset_field_path(size_t slot) { return text("sections[", slot, "].offset"); }

void check_header(Check& c) {
  const Kmp& k = c.course;
  const u64 table = 4 * k.sections.size(), size = c.findings.file_size;
  if (k.header_size % 4 || (k.header_size > 0x0C + table && k.header_size < 0x10 + table))
    c.report("kmp.hdr-size", "header_size",
             {.message = text("the header size is ", k.header_size, "; it must be ", 0x10 + table, ", or ",
                              0x0C + table, " without a version")});
  else if (k.header_size > 0x10 + table)
    c.report(hint, "kmp.hdr-size", "header_size",
             {.message = text("the header size is ", k.header_size, " instead of ", 0x10 + table),
              .hint = "the game reads this file, but tools may not"});
  if (size && k.length != size)
    c.report(k.length > size ? error : warning, "kmp.hdr-len", "length",
             {.message = text("the header states a length of ", k.length, " bytes, but the file has ", size, " bytes"),
              .hint = k.length > size ? "the end of the file is missing" : ""});
  if (k.version != k_final)
    c.report("kmp.ver", k.version ? "version" : "header_size",
             {.message = k.version ? text("the version is ", *k.version, " instead of ", k_final)
                                   : text("the file has no version; files of the final game have ", k_final)});
}

/// Size of a section with its header; 0 if the section is outside the file.
u64 section_size(const Check& c, const Slot& slot) {
  if (slot.raw) return slot.raw->size();
  u64 size = 0;
  const auto add_section_size = [&](const auto& section) {
    using S = typename std::remove_cvref_t<decltype(section)>::value_type;
    if (!section || slot.name != fourcc(S::k_name)) return;
    if constexpr (std::is_same_v<S, Poti>) {
      size = 8;
      for (const Route& r : section->entries) size += 4 + wire_size<RoutePoint>() * u64(r.points.size());
    } else {
      const bool uncounted = std::is_same_v<S, Ktpt> && c.version < k_start_count;
      size = (uncounted ? 4 : 8) +
             section->entries.size() * wire_size<typename S::Entry>(Kmp::entry_version(slot, c.version));
    }
  };
  std::apply([&](const auto&... section) { (add_section_size(section), ...); }, Kmp::typed(c.course));
  return size;
}

/// The bytes of a section, counted from the end of the header.
struct Extent {
  u64 from, to;
  size_t slot;
};

void check_extents(Check& c) {
  const Kmp& k = c.course;
  const u64 file_size = c.findings.file_size;
  if (file_size <= k.header_size) return;
  const u64 size = file_size - k.header_size;
  std::vector<Extent> extents;
  extents.reserve(k.sections.size());
  for (size_t i = 0; i < k.sections.size(); ++i) {
    const u64 from = k.sections[i].offset;
    if (from < size) extents.push_back({from, from + section_size(c, k.sections[i]), i});
  }
  sort_stably(extents,
              [](const Extent& a, const Extent& b) { return a.from != b.from ? a.from < b.from : a.slot < b.slot; });
  const auto report_gap = [&](u64 from, u64 to, std::string_view id, std::string found) {
    c.report(id, Location::of_bytes(k.header_size + from, to - from), {.message = std::move(found)});
  };
  u64 end = 0;
  for (size_t i = 0, next = 0; i < extents.size(); ++i) {
    const Extent& e = extents[i];
    if (e.from > end)
      report_gap(end, e.from, "kmp.sec-overlap",
                 text(format_count(e.from - end, "unreferenced byte"), " between sections"));
    if (i && e.from == extents[i - 1].from)
      c.report("kmp.sec-overlap", offset_field_path(e.slot),
               {.message = text("the section shares bytes with sections[", extents[i - 1].slot, "]")});
    while (next < extents.size() && extents[next].from == e.from) ++next;
    if (next < extents.size() && e.to > extents[next].from && !k.sections[e.slot].raw)
      c.report("kmp.sec-count", text(k_names[canonical_rank(k.sections[e.slot])], ".count"),
               {.message = text("the entries reach ", format_count(e.to - extents[next].from, "byte"),
                                " into the next section")});
    end = std::max(end, std::min(e.to, size));
  }
  if (end < size && !c.ends_in_zeros)
    report_gap(end, size, "kmp.trailing",
               text(format_count(size - end, "unreferenced byte"), " after the last section"));
}

void check_table(Check& c) {
  const Kmp& k = c.course;
  std::array<const Slot*, k_known> first{};
  size_t last_rank = 0;
  u64 last_offset = 0;
  bool in_order = c.version >= k_all_sections, complete = in_order;
  for (size_t i = 0; i < k.sections.size(); ++i) {
    const Slot& s = k.sections[i];
    const u64 size = c.findings.file_size;
    if (!s.name || (size && u64(k.header_size) + s.offset + 8 > size)) {
      c.report("kmp.sec-offset", offset_field_path(i),
               {.message = text("offset ", format_hex(s.offset),
                                " is past the end of the file, or too close to the end for a section")});
      complete = false;  // it may be any of the missing sections
      continue;
    }
    const size_t rank = canonical_rank(s);
    if (rank == k_known) {
      const bool prints =
          std::all_of(s.name->chars.begin(), s.name->chars.end(), [](char ch) { return ch >= 0x20 && ch < 0x7F; });
      c.report(
          "kmp.sec-unknown", offset_field_path(i),
          {.message = prints ? text("unknown section ", s.name->view()) : "there is no section name at this offset"});
      continue;
    }
    if (first[rank]) {
      c.report("kmp.sec-double", offset_field_path(i), {.message = text("duplicate ", k_names[rank], " section")});
      continue;
    }
    first[rank] = &s;
    if (s.raw)
      c.report("kmp.sec-count", text("sections[", i, "].raw"),
               {.message = text(k_names[rank], " states more entries than fit in the file")});
    if (in_order && (rank < last_rank || s.offset < last_offset)) {
      in_order = false;  // one finding is enough
      c.report("kmp.sec-order", offset_field_path(i),
               {.message = rank < last_rank
                               ? text(k_names[rank], " comes after ", k_names[last_rank], " in the section table")
                               : text("the data of ", k_names[rank], " comes before the data of ", k_names[last_rank]),
                .hint = "saving with {--canonical} puts the sections in order"});
    }
    last_rank = rank;
    last_offset = s.offset;
  }
  std::vector<std::string_view> missing;
  for (size_t rank = 0; rank < k_known && complete; ++rank)
    if (!first[rank]) missing.push_back(k_names[rank]);
  if (missing.empty()) return;
  std::string names(missing[0]);
  for (size_t i = 1; i < missing.size(); ++i) names += text(i + 1 < missing.size() ? ", " : " and ", missing[i]);
  c.report("kmp.sec-missing", "section_count",
           {.message = missing.size() == 1
                           ? text("the ", names,
                                  " section is missing; a file needs every section, even if the section is empty")
                           : text("the sections ", names,
                                  " are missing; a file needs every section, even if the section is empty")});
}

void check_container(Check& c) {
  check_header(c);
  check_table(c);
  check_extents(c);
  if (c.course.poti) {
    u64 points = 0;
    for (const Route& r : c.course.poti->entries) points += r.points.size();
    if (points != c.course.poti->header.point_total)
      c.report(warning, "kmp.sec-count", "POTI.point_total",
               {.message = text("point_total is ", c.course.poti->header.point_total, ", but the routes have ",
                                format_count(points, "point"))});
  }
}

}  // namespace

constinit const Topic k_container_checks{k_container_rules, check_container};

}  // namespace dio::kmp
