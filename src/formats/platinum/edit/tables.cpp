// tables.cpp: named edits of the small tables.
#include "formats/contract/arguments.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {
namespace {

Result<std::string> set_matrix_cell(AnyDocument& d, std::span<const Argument> arguments) {
  MapMatrix& m = edit_of<MapMatrix>(d);
  Arguments a(arguments);
  const i64 height = i64(m.land_data_ids.size()), width = height ? i64(m.land_data_ids[0].size()) : 0;
  const size_t x = size_t(a.whole("x", 0, width - 1)), z = size_t(a.whole("z", 0, height - 1));
  std::string done;
  const auto set_cell_field = [&](const char* name, auto& rows, i64 most) {
    if (!a.has(name)) return;
    const i64 value = a.whole(name, 0, most);
    if (rows.empty()) a.refuse({.message = text("cannot set ", name, ": the matrix has no ", name, "s")});
    if (a.problem) return;
    done += text(done.empty() ? "" : ", ", name, " ", rows[z][x], " to ", value);
    rows[z][x] = u16(value);
  };
  set_cell_field("land", m.land_data_ids, 0xFFFF);
  set_cell_field("header", m.map_header_ids, 0xFFFF);
  set_cell_field("altitude", m.altitudes, 0xFF);
  if (!a.done()) return refuse(std::move(*a.problem));
  if (done.empty())
    return refuse("edit.argument", {}, {.message = "nothing to change: give land=..., header=... or altitude=..."});
  return text("cell ", x, ",", z, ": ", done);
}

/// Resizes a matrix. New cells are empty; the summary counts removed cells.
Result<std::string> resize_matrix(AnyDocument& d, std::span<const Argument> arguments) {
  constexpr i64 k_most_side = 255;
  const MapMatrix& was = value_of<MapMatrix>(d);
  Arguments a(arguments);
  const i64 old_height = i64(was.land_data_ids.size()), old_width = old_height ? i64(was.land_data_ids[0].size()) : 0;
  const auto new_side_length = [&](const char* name, i64 otherwise) {
    return a.has(name) ? a.whole(name, 1, k_most_side) : otherwise;
  };
  const auto added_cells = [&](const char* name) {
    return a.has(name) ? a.whole(name, -k_most_side, k_most_side) : i64(0);
  };
  const i64 west = added_cells("west"), north = added_cells("north");
  const i64 width = new_side_length("width", old_width + west), height = new_side_length("height", old_height + north);
  if (!a.done()) return refuse(std::move(*a.problem));
  if (width < 1 || height < 1 || width * height > i64(k_most_cells))
    return refuse("edit.argument", {},
                  {.message = text("the matrix would have ", width, " x ", height,
                                   " cells; the number of cells must be 1 to ", k_most_cells)});
  u64 lost = 0;
  const auto resize_rows = [&](const auto& rows, u16 nothing) {
    auto now = rows;
    if (rows.empty()) return now;
    now.assign(size_t(height), std::vector<u16>(size_t(width), nothing));
    for (i64 z = 0; z < old_height; ++z)
      for (i64 x = 0; x < old_width; ++x) {
        const u16 cell = rows[size_t(z)][size_t(x)];
        if (const i64 to_x = x + west, to_z = z + north; to_x >= 0 && to_x < width && to_z >= 0 && to_z < height)
          now[size_t(to_z)][size_t(to_x)] = cell;
        else
          lost += &rows == &was.land_data_ids && cell != nothing;
      }
    return now;
  };
  MapMatrix m = was;
  m.map_header_ids = resize_rows(was.map_header_ids, 0);
  m.altitudes = resize_rows(was.altitudes, 0);
  m.land_data_ids = resize_rows(was.land_data_ids, k_no_land);
  edit_of<MapMatrix>(d) = std::move(m);
  std::string done = text("the matrix has ", width, " x ", height, " cells (was ", old_width, " x ", old_height, ")");
  if (west || north)
    done +=
        "; events did not move with the lands, because their positions count from the north-west corner of the matrix";
  if (lost) done += text("; ", format_count(lost, "cell"), " with land removed");
  return done;
}

constexpr Parameter k_set_cell_parameters[] = {
    required("x", "N", ParameterKind::integer), required("z", "N", ParameterKind::integer),
    optional("land", "N", ParameterKind::integer), optional("header", "N", ParameterKind::integer),
    optional("altitude", "N", ParameterKind::integer)};
constexpr Parameter k_resize_parameters[] = {
    optional("width", "N", ParameterKind::integer), optional("height", "N", ParameterKind::integer),
    optional("west", "N", ParameterKind::integer), optional("north", "N", ParameterKind::integer)};

}  // namespace

Format add_matrix_edits(Format f) {
  static constexpr Edit k_edits[] = {
      {"set-cell", k_set_cell_parameters, "Sets a cell, counted from the north-west; land 65535 makes it empty.",
       set_matrix_cell},
      {"resize", k_resize_parameters,
       "Resizes the matrix. west=N and north=N add N columns or rows on that side, or remove them if N is negative; "
       "width and height then set the size by changing the east and south sides. New cells have no land, header 0 and "
       "altitude 0.",
       resize_matrix},
  };
  f.edits = [] { return std::span<const Edit>(k_edits); };
  return f;
}

}  // namespace dio::platinum
