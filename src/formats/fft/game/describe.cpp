// describe.cpp: describes a map: its states, their changes, and the source file of each part.
#include <algorithm>

#include "core/sorting.hpp"
#include "formats/fft/game/compare.hpp"
#include "formats/fft/game/parts.hpp"

namespace dio::fft {

namespace {

/// A short summary of the differences of one part.
std::string summarize_differences(std::span<const Difference> all) {
  constexpr size_t k_most = 4;
  const size_t slot = all[0].slot;
  u64 count = 0;
  for (const Difference& d : all) count += d.count;
  const bool there = std::all_of(all.begin(), all.end(), [](const Difference& d) { return !d.what.empty(); });
  const auto is = [&](std::initializer_list<size_t> slots) { return std::ranges::find(slots, slot) != slots.end(); };
  if (there && is({Mesh::k_palettes_slot, Mesh::k_palette_frames_slot, Mesh::k_gray_palettes_slot}))
    return text(count, count == 1 ? " colour" : " colours");
  if (there && slot >= Mesh::k_page_slot && slot < Mesh::k_page_slot + k_pages)
    return text(count, count == 1 ? " texel" : " texels");
  std::string out;
  for (size_t i = 0; i < std::min(all.size(), all.size() > k_most + 1 ? k_most : all.size()); ++i)
    out += (i ? "; " : "") + (all.size() == 1 || slot != Mesh::k_lights_slot ? to_string(all[i]) : all[i].what);
  if (all.size() > k_most + 1) out += text("; and ", all.size() - k_most, " more");
  return out;
}

/// The differences, part by part.
Value describe_changes(const MergedMap& was, const MergedMap& is) {
  Value out = Value::object();
  const std::vector<Difference> all = compare(collect_map_parts(was), collect_map_parts(is));
  for (size_t i = 0; i < all.size();) {
    const size_t first = i;
    while (i < all.size() && all[i].slot == all[first].slot) ++i;
    out.add(part_name(all[first].slot), summarize_differences(std::span(all).subspan(first, i - first)));
  }
  return out;
}

Value describe_files(const GameMap& map, const MergedMap& merged) {
  Value out = Value::list();
  for (const MapFile& f : merged.files) {
    Value& one = out.push(Value::object());
    one.add("file", file_name(f.path));
    one.add("type", k_resources.of(f.type));
    one.add("row", f.row);
    const GnsRow& row = map.gns().rows[f.row];
    if (!is_default(row)) {
      one.add("for", map.state_name(named_state(row)));
      if (row.comparison != 1) one.add("comparison", k_comparisons.of(row.comparison));
    }
  }
  return out;
}

/// Names of files as one line.
Value list_file_names(const MergedMap& merged) {
  Value out = Value::list();
  for (const MapFile& f : merged.files) out.push(file_name(f.path));
  return out;
}

void add_part_suppliers(Value& out, const MergedMap& merged) {
  Value& parts = out.add("parts", Value::object());
  for (size_t i = 0; i < merged.supplies.size();) {
    const u32 slot = merged.supplies[i].slot;
    std::string from;
    for (; i < merged.supplies.size() && merged.supplies[i].slot == slot; ++i)
      from += (from.empty() ? "" : " + ") + std::string(file_name(merged.files[merged.supplies[i].file].path));
    parts.add(part_name(slot), std::move(from));
  }
  Value& dropped = out.add("replaced", Value::list());
  for (const ReplacedPart& d : merged.dropped)
    dropped.push(text(part_name(d.slot), " of ", file_name(merged.files[d.file].path), " by ",
                      file_name(merged.files[d.by].path), d.lost ? ", which has none" : ""));
}

}  // namespace

Value describe_map(const GameMap& map, const MapState* state) {
  Value out = Value::object();
  out.add("part", text("map/", map.files().number));
  out.add("file", map.files().gns);
  Diagnostics notes;
  const MergedMap base = map.merge_for_state({}, &notes);
  if (state) {
    const MergedMap merged = map.merge_for_state(*state, &notes);
    out.add("state", map.state_name(*state));
    add_part_suppliers(out, merged);
    if (!(*state == MapState{})) out.add("changes", describe_changes(base, merged));
    out.add("files", describe_files(map, merged));
  } else {
    add_part_suppliers(out, base);
    Value& states = out.add("states", Value::list());
    for (const MapState& s : map.states()) {
      const MergedMap merged = map.merge_for_state(s, &notes);
      Value& one = states.push(Value::object());
      one.add("state", map.state_name(s));
      one.add("files", list_file_names(merged));
      if (!(s == MapState{})) one.add("changes", describe_changes(base, merged));
    }
  }
  const std::vector<std::string> unused = map.unreferenced_files();
  if (!unused.empty()) {
    Value& list = out.add("files_without_row", Value::list());
    for (const std::string& path : unused) list.push(file_name(path));
  }
  // A file of several states is read once but is missing in each.
  const auto key = [](const Diagnostic& d) { return std::tie(d.place.file, d.place.path, d.id); };
  sort_stably(notes, [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  notes.erase(std::unique(notes.begin(), notes.end(),
                          [&](const Diagnostic& a, const Diagnostic& b) { return key(a) == key(b); }),
              notes.end());
  if (notes.empty()) return out;
  Value& problems = out.add("problems", Value::list());
  for (const Diagnostic& d : notes) problems.push(format_one_line(d));
  return out;
}

}  // namespace dio::fft
