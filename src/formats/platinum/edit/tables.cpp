// tables.cpp: named edits of the small tables.
#include "formats/contract/arguments.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/parts.hpp"

namespace dio::platinum {
namespace {

Result<std::string> set_cell(AnyDocument& d, std::span<const Argument> arguments) {
  MapMatrix& m = edit_of<MapMatrix>(d);
  Arguments a(arguments);
  const i64 height = i64(m.land_data_ids.size()), width = height ? i64(m.land_data_ids[0].size()) : 0;
  const size_t x = size_t(a.whole("x", 0, width - 1)), z = size_t(a.whole("z", 0, height - 1));
  std::string done;
  const auto set = [&](const char* name, auto& rows, i64 most) {
    if (!a.has(name)) return;
    const i64 value = a.whole(name, 0, most);
    if (rows.empty()) a.refuse({.message = text("cannot set ", name, ": the matrix has no ", name, "s")});
    if (a.problem) return;
    done += text(done.empty() ? "" : ", ", name, " ", rows[z][x], " to ", value);
    rows[z][x] = u16(value);
  };
  set("land", m.land_data_ids, 0xFFFF);
  set("header", m.map_header_ids, 0xFFFF);
  set("altitude", m.altitudes, 0xFF);
  if (!a.done()) return refuse(std::move(*a.problem));
  if (done.empty())
    return refuse("edit.argument", {}, {.message = "nothing to change: give land=..., header=... or altitude=..."});
  return text("cell ", x, ",", z, ": ", done);
}

}  // namespace

Format with_cells(Format f) {
  static constexpr Edit k_edits[] = {
      {"set-cell", "x=N z=N [land=N] [header=N] [altitude=N]",
       "sets a cell, counted from the north-west; land 65535 leaves it empty", set_cell},
  };
  f.edits = [] { return std::span<const Edit>(k_edits); };
  return f;
}

}  // namespace dio::platinum
