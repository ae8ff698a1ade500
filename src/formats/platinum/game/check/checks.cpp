#include "formats/platinum/game/check/checks.hpp"

#include <algorithm>
#include <set>

#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

std::span<const Rule> game_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"platinum.counts", error, "archives that are indexed by the same number have the same number of members",
       "The game reads past the end of the archive.", "Add the missing members to the shorter archive.", "NARC-4"},
      {"platinum.header-range", error, "everything that a map header names exists",
       "The game reads the archive without checking that the member exists.",
       "Name an existing member, or add the missing one.", "HDR-1"},
      {"platinum.header-objects", error, "the list of preloaded objects that a map header names exists",
       "The game reads it when the player enters the map. It does no harm on a map that cannot be entered.",
       "Name an existing list, or add the missing one.", "HDR-2", Severities{hint}},
      {"platinum.header-cell", warning,
       "if the matrix of a header names headers in its cells, this header is one of them",
       "A player who warps to this map gets the header of the cell instead.",
       "Put the header into a cell with `dio edit MATRIX set-cell header=N`, or give it another matrix.", "HDR-4"},
      {"platinum.matrix-main", error, "matrix 0 is 30 cells wide and has headers",
       "The town map, roaming Pokémon and other code read its headers in rows of 30, whatever its width.",
       "Keep matrix 0 at 30 cells wide, with headers.", "MTX-3"},
      {"platinum.matrix-range", error, "the cells of a matrix name lands and headers that exist",
       "The game reads past the end of the archive.",
       "Correct the cell with `dio edit MATRIX set-cell`, or add the missing land or header.", "MTX-4"},
      {"platinum.matrix-foreign", warning, "the headers in the cells of a matrix belong to this matrix",
       "When the player steps on the cell, the game treats the matrix of its header as the loaded one.",
       "Set the matrix of the header to this one, or put another header into the cell.", "MTX-5"},
      {"platinum.matrix-low-byte", hint, "only matrix 0 has a number whose low byte is 0",
       "The code that changes the paths of matrix 0 keeps the number of the matrix in one byte, so it takes matrix 256 "
       "for matrix 0.",
       "Use another number for the matrix.", "MTX-6"},
      {"platinum.matrix-underground", error, "matrix 2 has at most 225 cells, 16 different lands, and no empty cells",
       "The game reads the Underground into arrays of this size.",
       "Keep matrix 2 within these limits, and fill its empty cells.", "MTX-7"},
      {"platinum.matrix-altitude", warning, "a land with an altitude has no props, slopes or walkable tiles",
       "The altitude moves only the model of the land; its props and heights stay where they are.",
       "Set the altitude to 0 with `dio edit MATRIX set-cell altitude=0`, or use a land without props, slopes and "
       "walkable tiles.",
       "MTX-8"},
      {"platinum.area-border", warning, "the player cannot walk from one area into another",
       "The textures and the light of the first area stay loaded, so the other side is drawn without its own.",
       "Block the border, put a warp there, or give both sides the same area.", "MTX-9"},
      {"platinum.ground-missing", warning, "every tile that the player can reach has a height",
       "The game uses height 0 instead.", "Add a plate with `dio edit LAND add-plate`, or block the tiles.", "LND-10"},
      {"platinum.land-seam", warning, "the player can walk between the tiles on both sides of a land's edge",
       "A height difference of 20 units or more blocks the player like an invisible wall.",
       "Make the heights on both sides equal with `dio edit LAND raise-plate`, or block the tiles.", "LND-12"},
      {"platinum.prop-range", error, "the model of every prop exists", "The game looks the model up without a check.",
       "Choose an existing model, or add it to the archive.", "PRP-1"},
      {"platinum.prop-not-in-set", warning, "the model of a prop is in the prop set of the area",
       "The game shows model 0, a box, in its place.",
       "Add the model to the prop set of the area, or choose one that is in it.", "PRP-2"},
      {"platinum.area-range", error, "everything that an area names exists",
       "The game reads past the end of the archive.", "Name an existing member, or add the missing one.", "ARE-1"},
      {"platinum.set-range", error, "every model of a prop set exists", "The game reads past the end of the archive.",
       "Name an existing model, or add it to the archive.", "ARE-2"},
      {"platinum.prop-texture", warning, "the textures of a prop are in the texture file of its prop set",
       "The prop is drawn white, without the missing texture.", "Add the texture to the texture file of the prop set.",
       "ARE-3"},
      {"platinum.map-texture", warning, "the textures of a land are in the texture set of the area",
       "The land is drawn white, without the missing texture.",
       "Add the texture to the texture set of the area, or give the map another area.", "ARE-4", Severities{hint}},
      {"platinum.texture-memory", error, "the textures of an area fit texture memory",
       "256 KiB are for textures, of which 128 KiB can hold 4x4 blocks, and 64 KiB for palettes. If they do not fit, "
       "they are not loaded.",
       "Remove unused textures (platinum.texture-unused), or make some smaller.", "ARE-5"},
      {"platinum.prop-memory", warning, "the models of a prop set fit the memory of the field",
       "The heap has 0xC4000 bytes (784 KiB), which also hold much else.",
       "Remove models from the prop set, or simplify them.", "ARE-6"},
      {"platinum.animations-alive", error, "a prop set has at most 16 animations that start with the map",
       "The game has a table of 16 for them.", "Remove animations, or let some start later.", "ARE-7"},
      {"platinum.texture-unused", hint, "every texture of a set is used",
       "An unused texture takes up texture memory on every map of the area.",
       "Remove the texture, or leave it if the memory suffices.", "ARE-8"},
      {"platinum.motion-size", error, "the pictures of an animated texture have its size and format",
       "The game copies them over the texture: a larger picture overwrites what follows it in texture memory.",
       "Give the pictures the size and the format of the texture.", "ARE-8"},
      {"platinum.palette-alignment", warning, "palettes of more than 4 colours start at a multiple of 16 bytes",
       "The hardware cannot address them otherwise: the colours are wrong.",
       "Move the palette to a multiple of 16 bytes.", "ARE-9"},
      {"platinum.anime-range", error, "every animation of a prop exists", "The game reads past the end of the archive.",
       "Name an existing animation, or add it to the archive.", "ANI-1"},
      {"platinum.animation-fits", warning, "an animation matches the model of its prop",
       "The game matches joints by number and materials by name: other parts move, or none.",
       "Use an animation that was made for this model.", "ANI-2"},
      {"platinum.animation-texture", warning,
       "textures that an animation switches to are in the textures of the prop set",
       "The prop is drawn white, without the missing texture.", "Add the texture to the texture file of the prop set.",
       "ANI-3"},
      {"platinum.bicycle-slopes", warning, "a land has at most two bicycle slopes", "The game has a table of two.",
       "Remove bicycle slopes until two are left.", "ANI-4"},
      {"platinum.draw-model-range", error,
       "draw lists name materials and shapes of their model, and lie inside the file",
       "The game reads past the end of the model.", "Build the draw lists again: `dio maps GAME --make matshp`.",
       "MSH-1"},
      {"platinum.draw-animated", warning, "a prop has a draw list if it has no animation, and only then",
       "An animated prop with a draw list does not move.", "Build the draw lists again: `dio maps GAME --make matshp`.",
       "MSH-2"},
      {"platinum.draw-cover", warning, "a draw list has every draw of its model once, sorted by material",
       "Missing draws are not shown; another order costs time and changes which surfaces cover others.",
       "Build the draw lists again: `dio maps GAME --make matshp`.", "MSH-3", Severities{hint}},
      {"platinum.draw-nodes", hint, "models with a draw list have one node",
       "The game draws the shapes of a list without the transforms of the nodes.",
       "Join the nodes of the model into one, or remove its draw list.", "MSH-4"},
      {"platinum.event-place", warning, "events lie on cells of their header",
       "The player never stands there while the header is active: nothing happens.",
       "Move the event onto a cell of its header.", "EVT-2"},
      {"platinum.warp-target", error, "warps lead to warps that exist",
       "The player ends up at a position read from other data.", "Correct the header and the number of the warp.",
       "EVT-3"},
      {"platinum.warp-tile", hint, "warps lie on warp tiles", "Only behaviours 0x5E to 0x6F trigger a warp.",
       "Give the tile a warp behaviour, or move the warp onto such a tile.", "EVT-4"},
      {"platinum.polygons", warning, "the visible part of a map has at most 2048 polygons and 6144 vertices",
       "The hardware has no room for more: the rest is not drawn. The count is of what the default camera may have in "
       "view.",
       "Simplify the lands and props in this part of the map, or remove props.", "POL-1"},
  };
  return k_rules;
}

std::string join_first_names(const std::vector<std::string>& names, size_t most) {
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), most); ++i) out += (i ? ", " : "") + names[i];
  if (names.size() > most) out += text(" and ", names.size() - most, " more");
  return out;
}

std::string GameCheck::header_text(u32 header) const {
  const std::string name = t.header_name(header);
  return text("header ", header) + (name.empty() ? "" : " (" + name + ")");
}

dio::Location GameCheck::cell_location(u32 matrix, std::string_view list, size_t cell) const {
  const Matrix& m = *t.matrices[matrix];
  // What is known of one cell does not depend on the others.
  const u64 headers = 5 + m.prefix.size(), altitudes = headers + m.headers.size() * 2,
            lands = altitudes + m.altitudes.size();
  const bool is_byte = list == "altitudes";
  const u64 start = list == "map_header_ids" ? headers : is_byte ? altitudes : lands, size = is_byte ? 1 : 2;
  dio::Location place = dio::Location::of_bytes(start + cell * size, size, cell_path(list, m, cell));
  place.file = path(FileRole::matrices, matrix);
  return place;
}

void GameCheck::report_header_field(Severity severity, std::string_view id, u32 header, std::string_view field,
                                    DiagnosticText said) {
  auto place = dio::Location::of_bytes(t.headers_offset + u64(header) * k_header_size, k_header_size,
                                       text("headers[", header, "].", field));
  place.file = t.files().path(FileRole::headers);
  out.report(severity, id, std::move(place), std::move(said));
}

void GameCheck::check_member_counts() {
  const auto check_equal_count = [&](FileRole role, u64 count, FileRole other, u64 wanted) {
    if (!wanted || !count || count == wanted) return;
    out.report("platinum.counts", dio::Location::in_file(t.files().path(role)),
               {.message = text(
                    "there are ", count, " entries; there must be ", wanted,
                    role == other ? ", one more than the animated textures" : ", as in " + t.files().path(other))});
  };
  const auto count = [&](FileRole r) { return u64(t.files().of(r).count()); };
  check_equal_count(FileRole::anime_lists, count(FileRole::anime_lists), FileRole::props, count(FileRole::props));
  check_equal_count(FileRole::room_anime_lists, count(FileRole::room_anime_lists), FileRole::room_props,
                    count(FileRole::room_props));
  if (t.room_draw_lists)
    check_equal_count(FileRole::room_matshp, t.room_draw_lists->models.size(), FileRole::room_props,
                      count(FileRole::room_props));
  if (t.draw_lists)
    check_equal_count(FileRole::matshp, t.draw_lists->models.size(), FileRole::props, count(FileRole::props));
  check_equal_count(FileRole::prop_textures, count(FileRole::prop_textures), FileRole::prop_sets,
                    count(FileRole::prop_sets));
  if (t.texture_motions)
    check_equal_count(FileRole::texture_motions, count(FileRole::texture_motions), FileRole::texture_motions,
                      t.texture_motions->textures.size() + 1);
}

void GameCheck::check_headers() {
  // Maps that a cell or a warp leads to.
  std::set<u32> led_to;
  for (const auto& m : t.matrices)
    if (m) led_to.insert(m->headers.begin(), m->headers.end());
  for (const auto& e : t.events)
    if (e)
      for (const WarpEvent& w : e->warp_events) led_to.insert(w.dest_header_id);

  const auto check_index_range = [&](u32 header, std::string_view field, u32 value, FileRole role) {
    const u32 n = t.files().of(role).count();
    if (!n || value < n) return true;
    report_header_field(Severity::error, "platinum.header-range", header, field,
                        {.message = text(field, " of ", header_text(header), " is ", value, ", but ",
                                         t.files().path(role), " has only ", format_count(n, "member"))});
    return false;
  };
  for (u32 i = 0; i < t.headers.size(); ++i) {
    const Header& h = t.headers[i];
    check_index_range(i, "area_data_archive_id", h.area, FileRole::areas);
    check_index_range(i, "scripts_archive_id", h.scripts, FileRole::scripts);
    check_index_range(i, "init_scripts_archive_id", h.init_scripts, FileRole::scripts);
    check_index_range(i, "msg_archive_id", h.messages, FileRole::messages);
    check_index_range(i, "events_archive_id", h.events, FileRole::events);
    if (h.encounters != k_no_encounters)
      check_index_range(i, "wild_encounters_archive_id", h.encounters, FileRole::encounters);
    if (const u32 n = t.files().of(FileRole::objects).count(); n && h.objects >= n)
      report_header_field(led_to.contains(i) ? Severity::error : Severity::hint, "platinum.header-objects", i,
                          "preloaded_map_objects_archive_id",
                          {.message = text(header_text(i), " refers to list ", h.objects,
                                           " of preloaded objects, but there are only ", format_count(n, "list")),
                           .hint = led_to.contains(i) ? "" : "harmless unless a cell or warp leads to this header"});
    if (!check_index_range(i, "map_matrix_id", h.matrix, FileRole::matrices) || h.matrix >= t.matrices.size()) continue;
    const auto& m = t.matrices[h.matrix];
    if (i != k_everywhere && m && !m->headers.empty() &&
        std::find(m->headers.begin(), m->headers.end(), i) == m->headers.end())
      report_header_field(Severity::warning, "platinum.header-cell", i, "map_matrix_id",
                          {.message = text("matrix ", h.matrix, " has no cell with ", header_text(i))});
  }
}

Diagnostics check_game(const GameTables& t) {
  GameCheck c{t, t.list_land_uses()};
  c.check_member_counts();
  c.check_headers();
  c.check_matrices();
  c.check_land_seams();
  c.check_reachable_ground();
  c.check_areas();
  c.check_prop_sets();
  c.check_unused_land_textures();
  c.check_palette_alignments();
  c.check_bicycle_slopes();
  c.check_texture_animations();
  c.check_props();
  c.check_events();
  c.check_polygon_counts();
  Diagnostics all;
  for (const std::string& path : t.files().missing()) all.push_back(missing_file(path));
  all.insert(all.end(), t.notes().begin(), t.notes().end());  // damaged files found so far
  for (Diagnostic& d : all) d.severity = Severity::error;
  std::move(c.findings.list.begin(), c.findings.list.end(), std::back_inserter(all));
  return all;
}

}  // namespace dio::platinum
