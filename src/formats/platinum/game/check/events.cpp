// events.cpp: checks that events can be triggered and that warps lead to existing warps.
#include "formats/platinum/game/check/checks.hpp"
#include "formats/platinum/layout/behaviors.hpp"

namespace dio::platinum {

namespace {

constexpr u32 k_dynamic_header = 0xFFF, k_special_warp = 0x100;
constexpr u8 k_first_warp = 0x5E, k_last_warp = 0x6F;
constexpr i64 k_view =
    16;  // tiles that can be seen from the player; those of the game are at most 10 from their header

/// Whether a cell of a header is at most so many tiles away.
bool is_near_header(const Matrix& m, u32 header, i64 x, i64 z, i64 tiles) {
  if (m.headers.empty())
    return x >= -tiles && z >= -tiles && x < i64(m.width) * k_tiles + tiles && z < i64(m.height) * k_tiles + tiles;
  const auto cell_of = [](i64 tile, i64 count) { return std::clamp<i64>(tile / i64(k_tiles), 0, count - 1); };
  for (i64 cz = cell_of(z - tiles, m.height); cz <= cell_of(z + tiles, m.height); ++cz)
    for (i64 cx = cell_of(x - tiles, m.width); cx <= cell_of(x + tiles, m.width); ++cx)
      if (m.headers[size_t(cz) * m.width + size_t(cx)] == header) return true;
  return false;
}

}  // namespace

void GameCheck::check_events() {
  for (u32 h = 0; h < t.headers.size(); ++h) {
    const Header& header = t.headers[h];
    if (header.events >= t.events.size() || !t.events[header.events]) continue;
    const ZoneEvent& events = *t.events[header.events];
    const std::string file = path(FileRole::events, header.events);
    const Matrix* m =
        header.matrix < t.matrices.size() && t.matrices[header.matrix] ? &*t.matrices[header.matrix] : nullptr;
    // The cell of a tile; nothing if the cell belongs to another header.
    const auto find_cell = [&](i64 x, i64 z) -> std::optional<size_t> {
      if (x < 0 || z < 0) return {};
      const u64 cx = u64(x) / k_tiles, cz = u64(z) / k_tiles;
      if (cx >= m->width || cz >= m->height) return {};
      const size_t cell = size_t(cz) * m->width + size_t(cx);
      if (!m->headers.empty() && m->headers[cell] != h) return {};
      return cell;
    };
    const auto check_event_position = [&](std::string_view list, size_t i, i64 x, i64 z) {
      if (!m || !m->width || !m->height || is_near_header(*m, h, x, z, list == "warp_events" ? 0 : k_view)) return;
      out.report("platinum.event-place", dio::Location::in_file(file, text(list, "[", i, "]")),
                 {.message = text("the event is at tile ", x, ", ", z, ", which is not in a cell of ", header_text(h),
                                  " in matrix ", header.matrix)});
    };
    for (size_t i = 0; i < events.bg_events.size(); ++i)
      check_event_position("bg_events", i, events.bg_events[i].x, events.bg_events[i].z);
    for (size_t i = 0; i < events.object_events.size(); ++i)
      check_event_position("object_events", i, events.object_events[i].x, events.object_events[i].z);
    for (size_t i = 0; i < events.coord_events.size(); ++i)
      check_event_position("coord_events", i, events.coord_events[i].x, events.coord_events[i].z);
    for (size_t i = 0; i < events.warp_events.size(); ++i) {
      const WarpEvent& w = events.warp_events[i];
      const std::string at = text("warp_events[", i, "]");
      check_event_position("warp_events", i, w.x, w.z);
      if (m)
        if (const auto cell = find_cell(w.x, w.z); cell && m->lands[*cell] != k_no_land)
          if (const auto land = t.land(m->lands[*cell]); land && land->attributes.size() == k_tiles) {
            const u8 behavior = behavior_in(land->attributes[w.z % k_tiles][w.x % k_tiles]);
            if (behavior < k_first_warp || behavior > k_last_warp)
              out.report("platinum.warp-tile", dio::Location::in_file(file, at),
                         {.message = text("the warp of ", header_text(h), " is on tile ", w.x, ", ", w.z,
                                          ", whose behaviour is ", behavior_name(behavior)),
                          .hint = "change the tile in " + path(FileRole::lands, m->lands[*cell])});
          }
      if (w.dest_header_id == k_dynamic_header) continue;
      if (w.dest_header_id >= t.headers.size()) {
        out.report("platinum.warp-target", dio::Location::in_file(file, at + ".dest_header_id"),
                   {.message = text("a warp of ", header_text(h), " leads to header ", w.dest_header_id,
                                    ", which does not exist; there are ", format_count(t.headers.size(), "header"),
                                    ", counted from 0"),
                    .hint = "4095 lets the game choose"});
        continue;
      }
      const u32 target = t.headers[w.dest_header_id].events;
      if (w.dest_warp_id == k_special_warp || target >= t.events.size() || !t.events[target]) continue;
      if (w.dest_warp_id >= t.events[target]->warp_events.size())
        out.report("platinum.warp-target", dio::Location::in_file(file, at + ".dest_warp_id"),
                   {.message = text("a warp of ", header_text(h), " leads to warp ", w.dest_warp_id, " of ",
                                    header_text(w.dest_header_id), ", which does not exist; that header has ",
                                    format_count(t.events[target]->warp_events.size(), "warp"), ", counted from 0")});
    }
  }
}

}  // namespace dio::platinum
