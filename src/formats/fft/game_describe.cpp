// A map in words: its states, what each of them changes, and which file gives what.
#include <algorithm>

#include "formats/fft/game_compare.hpp"
#include "formats/fft/game_parts.hpp"

namespace dio::fft {

namespace {

/// What is different, by parts: the first few differences of each.
Value changes_of(const MergedMap& was, const MergedMap& is) {
  constexpr u32 k_most = 4;
  Value out = Value::object();
  const std::vector<Difference> all = compare(parts_of(was), parts_of(is));
  for (size_t i = 0; i < all.size();) {
    std::string said;
    u32 n = 0;
    const size_t slot = all[i].slot;
    for (; i < all.size() && all[i].slot == slot; ++i, ++n)
      if (n < k_most) said += (n ? "; " : "") + to_string(all[i]);
    if (n > k_most) said += text("; and ", n - k_most, " more");
    out.add(part_name(slot), std::move(said));
  }
  return out;
}

Value files_of(const GameMap& map, const MergedMap& merged) {
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
Value names_of(const MergedMap& merged) {
  Value out = Value::list();
  for (const MapFile& f : merged.files) out.push(file_name(f.path));
  return out;
}

void add_suppliers(Value& out, const MergedMap& merged) {
  Value& parts = out.add("parts", Value::object());
  for (size_t i = 0; i < merged.supplies.size();) {
    const u32 slot = merged.supplies[i].slot;
    std::string from;
    for (; i < merged.supplies.size() && merged.supplies[i].slot == slot; ++i)
      from += (from.empty() ? "" : " + ") + std::string(file_name(merged.files[merged.supplies[i].file].path));
    parts.add(part_name(slot), std::move(from));
  }
  Value& dropped = out.add("replaced", Value::list());
  for (const Dropped& d : merged.dropped)
    dropped.push(text(part_name(d.slot), " of ", file_name(merged.files[d.file].path), d.lost ? " is lost by " : " by ",
                      file_name(merged.files[d.by].path)));
}

void add_problems(Value& out, const GameMap& map, const Diagnostics& notes) {
  if (notes.empty() && !map.unpaired()) return;
  Value& list = out.add("problems", Value::list());
  if (map.unpaired()) list.push(to_line(*map.unpaired()));
  for (const Diagnostic& d : notes) list.push(to_line(d));
}

}  // namespace

Value describe_map(const GameMap& map, const MapState* state) {
  Value out = Value::object();
  out.add("part", text("map/", map.files().number));
  out.add("file", map.files().gns);
  Diagnostics notes;
  const MergedMap base = map.merged({}, &notes);
  if (state) {
    const MergedMap merged = map.merged(*state, &notes);
    out.add("state", map.state_name(*state));
    add_suppliers(out, merged);
    if (!(*state == MapState{})) out.add("changes", changes_of(base, merged));
    out.add("files", files_of(map, merged));
  } else {
    add_suppliers(out, base);
    Value& states = out.add("states", Value::list());
    for (const MapState& s : map.states()) {
      const MergedMap merged = map.merged(s, &notes);
      Value& one = states.push(Value::object());
      one.add("state", map.state_name(s));
      one.add("files", names_of(merged));
      if (!(s == MapState{})) one.add("changes", changes_of(base, merged));
    }
  }
  const std::vector<std::string> unused = map.unused();
  if (!unused.empty() && !map.unpaired()) {
    Value& list = out.add("files_without_row", Value::list());
    for (const std::string& path : unused) list.push(file_name(path));
  }
  // A file of several states is read once, but missing in each.
  const auto key = [](const Diagnostic& d) { return std::tie(d.place.file, d.place.path, d.id); };
  std::sort(notes.begin(), notes.end(), [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  notes.erase(std::unique(notes.begin(), notes.end(),
                          [&](const Diagnostic& a, const Diagnostic& b) { return key(a) == key(b); }),
              notes.end());
  add_problems(out, map, notes);
  return out;
}

}  // namespace dio::fft
