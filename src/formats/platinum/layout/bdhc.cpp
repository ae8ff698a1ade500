// bdhc.cpp: builds the tables of BDHC from its plates; edits of plates.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include "core/sorting.hpp"
#include "formats/platinum/layout/heights.hpp"

namespace dio::platinum {
namespace {

constexpr size_t k_most_entries = 0xFFFF;  // entries of a table

auto key_of(const BdhcPoint& p) { return std::tuple(p.x.raw, p.z.raw); }
auto key_of(const BdhcNormal& n) { return std::tuple(n.x.raw, n.y.raw, n.z.raw); }
auto key_of(fx32 constant) { return constant.raw; }

/// Drops entries that no plate refers to, and orders the others by first use. `same`: also merges equal entries.
template <class T, class... Field>
void compact_table(std::vector<T>& table, std::vector<Plate>& plates, bool same, Field... fields) {
  constexpr u32 k_unused = ~u32(0);
  std::vector<u32> first(table.size());  // first entry equal to this one
  std::map<decltype(key_of(table.front())), u32> seen;
  for (u32 i = 0; i < table.size(); ++i) first[i] = same ? seen.try_emplace(key_of(table[i]), i).first->second : i;
  std::vector<u32> place(table.size(), k_unused);
  std::vector<T> used;
  const auto remap_index = [&](u16& index) {
    if (index >= table.size()) return;
    u32& to = place[first[index]];
    if (to == k_unused) {
      to = u32(used.size());
      used.push_back(table[index]);
    }
    index = u16(to);
  };
  for (Plate& p : plates) (remap_index(p.*fields), ...);
  table = std::move(used);
}
void compact_tables(Bdhc& b, bool same) {
  // An invalid index could become valid once the tables are shorter.
  for (size_t i = 0; i < b.plates.size(); ++i)
    if (!find_plate_shape(b, i)) return;
  compact_table(b.points, b.plates, same, &Plate::first_point, &Plate::second_point);
  compact_table(b.normals, b.plates, same, &Plate::normal);
  compact_table(b.constants, b.plates, same, &Plate::constant);
}

/// The index of an equal or newly added entry.
template <class T>
std::optional<u16> find_or_add_entry(std::vector<T>& table, const T& x) {
  const auto i = std::find(table.begin(), table.end(), x);
  const size_t place = size_t(i - table.begin());
  if (i == table.end()) {
    if (table.size() >= k_most_entries) return {};
    table.push_back(x);
  }
  return u16(place);
}
bool set_plate(Bdhc& b, size_t plate, const PlateShape& shape) {
  const auto first = find_or_add_entry(b.points, shape.low), second = find_or_add_entry(b.points, shape.high);
  const auto normal = find_or_add_entry(b.normals, shape.normal),
             constant = find_or_add_entry(b.constants, shape.constant);
  if (!first || !second || !normal || !constant) return false;
  b.plates[plate] = {*first, *second, *normal, *constant};
  return true;
}
/// Restores the order of the tables and strips after an edit.
bool rebuild_tables(Bdhc& b) {
  compact_tables(b, false);
  rebuild_strips(b);
  return b.strips.size() <= k_most_entries && b.access_list.size() <= k_most_entries;
}

}  // namespace

/// Appends the triangles of a plate; false if a table is full.
static bool add_triangles(BdhcDp& dp, PlateShape shape) {
  if (shape.normal.y.raw < 0) {  // the same plane
    shape.constant.raw = i32(0 - u32(shape.constant.raw));
    for (fx32* n : {&shape.normal.x, &shape.normal.y, &shape.normal.z}) n->raw = i32(0 - u32(n->raw));
  }
  const auto normal = find_or_add_entry(dp.normals, shape.normal);
  if (!normal) return false;
  std::vector<u16> points;
  for (const BdhcPoint& p : plate_outline(shape)) {
    const auto place = find_or_add_entry(dp.points, DpPoint{p.x, {shape.height(p.x.raw, p.z.raw)}, p.z});
    if (!place) return false;
    points.push_back(*place);
  }
  for (size_t i = 2; i < points.size(); ++i) {
    if (dp.triangles.size() >= k_most_entries) return false;
    dp.triangles.push_back({{points[0], points[i - 1], points[i]}, *normal, shape.constant});
  }
  return true;
}

void rebuild_strips(Bdhc& b) {
  struct PlateExtent {
    u16 plate;
    i32 north, south;
  };
  std::vector<PlateExtent> plates;
  std::vector<i32> lines;
  for (size_t i = 0; i < b.plates.size() && i <= k_most_entries; ++i)
    if (const auto shape = find_plate_shape(b, i)) {
      plates.push_back({u16(i), shape->low.z.raw, shape->high.z.raw});
      lines.push_back(shape->low.z.raw);
      lines.push_back(shape->high.z.raw);
    }
  sort_stably(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  if (lines.size() > 1) lines.erase(lines.begin());  // the smallest z ends no strip
  std::vector<std::vector<u16>> lists(lines.size());
  size_t entries = 0;
  for (const PlateExtent& p : plates) {
    // The first strip also lists plates that only touch the northern edge.
    size_t i = size_t(std::lower_bound(lines.begin(), lines.end(), p.north) - lines.begin());
    for (; i < lines.size() && (i == 0 || lines[i] <= p.south) && entries <= k_most_entries; ++i, ++entries)
      lists[i].push_back(p.plate);
  }
  b.strips.clear();
  b.access_list.clear();
  for (size_t i = 0; i < lines.size(); ++i) {  // too many entries: keep the first; writing refuses the rest
    b.strips.push_back({{lines[i]}, u16(lists[i].size()), u16(b.access_list.size())});
    b.access_list.insert(b.access_list.end(), lists[i].begin(), lists[i].end());
  }
}

std::optional<StripFault> find_strip_fault(const Bdhc& b) {
  using enum StripFault::Kind;
  const auto& strips = b.strips;
  size_t entries = 0;
  for (size_t i = 0; i < strips.size(); ++i) {
    if (i && strips[i].scanline.raw <= strips[i - 1].scanline.raw) return StripFault{order, i};
    entries += strips[i].count;
    // Limits the work for crafted files whose strips share nearly all entries.
    if (size_t(strips[i].first) + strips[i].count > b.access_list.size() || entries > 16 * k_most_entries)
      return StripFault{range, i};
    for (size_t e = 0; e < strips[i].count; ++e)
      if (b.access_list[strips[i].first + e] >= b.plates.size()) return StripFault{plate, i};
  }
  // A strip reaches from the previous scanline to its own; the first and the last are unbounded. A plate must be in
  // every strip that it crosses.
  struct PlateExtent {
    size_t first = 1, last = 0, seen = 0;
    size_t next = 0;  // the strip after the last one known to list the plate
  };
  std::vector<PlateExtent> reaches(b.plates.size());
  i32 south = std::numeric_limits<i32>::min();
  for (size_t p = 0; p < b.plates.size(); ++p) {
    const auto shape = find_plate_shape(b, p);
    if (!shape) continue;
    south = std::max(south, shape->high.z.raw);
    if (strips.empty()) return StripFault{missing, 0, p};
    if (shape->low.z.raw == shape->high.z.raw) continue;  // the plate has no area
    const auto find_strip_after = [&](i32 z, auto is_before) {
      const auto i = std::partition_point(strips.begin(), strips.end() - 1,
                                          [&](const Strip& s) { return is_before(s.scanline.raw, z); });
      return size_t(i - strips.begin());
    };
    reaches[p].first = find_strip_after(shape->low.z.raw, std::less_equal<i32>());
    reaches[p].last = find_strip_after(shape->high.z.raw, std::less<i32>());
  }
  for (size_t i = 0; i < strips.size(); ++i)
    for (size_t e = 0; e < strips[i].count; ++e) {
      PlateExtent& r = reaches[b.access_list[strips[i].first + e]];
      if (i < r.first || i > r.last || r.next == i + 1) continue;
      if (r.seen == i - r.first) ++r.seen;  // otherwise an earlier strip lacks the plate
      r.next = i + 1;
    }
  for (size_t p = 0; p < reaches.size(); ++p)
    if (reaches[p].first + reaches[p].seen <= reaches[p].last)
      return StripFault{missing, reaches[p].first + reaches[p].seen, p};
  if (!strips.empty() && south > strips.back().scanline.raw) return StripFault{end, strips.size() - 1};
  return {};
}

bool add_plates(Bdhc& b, std::span<const PlateShape> shapes) {
  if (b.dp) {
    for (const PlateShape& shape : shapes)
      if (!add_triangles(*b.dp, shape)) return false;
    compact_tables(*b.dp);
    rebuild_cells(*b.dp);
    return b.dp->strips.size() <= k_most_entries;
  }
  for (const PlateShape& shape : shapes) {
    if (b.plates.size() >= k_most_entries) return false;
    b.plates.emplace_back();
    if (!set_plate(b, b.plates.size() - 1, shape)) return false;
  }
  return rebuild_tables(b);
}
bool add_plate(Bdhc& b, const PlateShape& shape) { return add_plates(b, {&shape, 1}); }

BdhcDp make_empty_bdhc_dp() {
  BdhcDp dp{};
  dp.head_size = DpHead::k_head_size;
  dp.point_size = u16(wire_size<DpPoint>()), dp.normal_size = u16(wire_size<Xyz<fx32>>());
  dp.triangle_size = u16(wire_size<DpTriangle>()), dp.grid_size = u16(wire_size<DpGrid>());
  dp.unk_16 = 2;
  dp.strip_size = u16(wire_size<DpStrip>());
  return dp;
}

Bdhc convert_to_triangles(const Bdhc& b) {
  if (b.dp) return b;
  Bdhc out{};
  out.dp = make_empty_bdhc_dp();
  std::vector<PlateShape> plates;
  for (size_t i = 0; i < b.plates.size(); ++i)
    if (const auto shape = find_plate_shape(b, i)) plates.push_back(*shape);
  add_plates(out, plates);
  return out;
}

bool replace_plate(Bdhc& b, size_t plate, const PlateShape& shape) {
  return set_plate(b, plate, shape) && rebuild_tables(b);
}

void remove_plate(Bdhc& b, size_t plate) {
  b.plates.erase(b.plates.begin() + std::ptrdiff_t(plate));
  rebuild_tables(b);
}

std::optional<fx32> to_fx32(f64 units) {
  const f64 raw = std::round(units * 4096);
  if (!(raw >= std::numeric_limits<i32>::min() && raw <= std::numeric_limits<i32>::max())) return {};
  return fx32{i32(raw)};
}

std::optional<PlateShape> make_plate_through(BdhcPoint low, BdhcPoint high, f64 north_west, f64 north_east,
                                             f64 south_west) {
  const f64 width = high.x.value() - low.x.value(), depth = high.z.value() - low.z.value();
  if (!(width > 0 && depth > 0)) return {};
  const f64 x = -(north_east - north_west) / width, z = -(south_west - north_west) / depth;
  const f64 length = std::sqrt(x * x + 1 + z * z);
  const auto nx = to_fx32(x / length), ny = to_fx32(1 / length), nz = to_fx32(z / length);
  if (!nx || !ny || !nz || ny->raw == 0) return {};
  // Use the rounded normal, so that the corner gets the right height.
  const auto constant =
      to_fx32(-(nx->value() * low.x.value() + ny->value() * north_west + nz->value() * low.z.value()));
  if (!constant) return {};
  return PlateShape{low, high, {*nx, *ny, *nz}, *constant};
}

std::optional<fx32> raise_plane_constant(const PlateShape& p, f64 units) {
  const auto by = to_fx32(units * p.normal.y.value());
  if (!by) return {};
  const i64 raw = i64(p.constant.raw) - by->raw;
  if (raw != i32(raw)) return {};
  return fx32{i32(raw)};
}

void Bdhc::settle() {
  if (dp) {
    if (!dp->cut && find_cell_fault(*dp)) rebuild_cells(*dp);
    return;
  }
  if (find_strip_fault(*this)) rebuild_strips(*this);
  if (!sizes) {
    magic = fourcc("BDHC");  // another magic could be mistaken for sizes
    return;
  }
  const u64 size = k_header_size + wire_size<BdhcPoint>() * points.size() + wire_size<BdhcNormal>() * normals.size() +
                   sizeof(fx32) * constants.size() + wire_size<Plate>() * plates.size() +
                   wire_size<Strip>() * strips.size() + sizeof(u16) * access_list.size();
  cameras_pad.resize(size_t((4 - size % 4) % 4), 0xFF);
}

void Bdhc::normalise() {
  if (dp) {
    if (dp->cut) return;
    compact_tables(*dp);
    return rebuild_cells(*dp);
  }
  compact_tables(*this, true);
  rebuild_strips(*this);
  settle();
}

}  // namespace dio::platinum
