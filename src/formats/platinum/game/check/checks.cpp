#include "formats/platinum/game/check/checks.hpp"

#include <algorithm>
#include <set>

#include "core/join_rules.hpp"
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

namespace {

/// Rules about tables, matrices, lands and areas.
std::span<const Rule> table_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"platinum.counts", error, "archives with the same numbering have the same number of members",
       "If the archives have different numbers of members, the game reads past the end of the shorter archive.",
       "Add the missing members to the shorter archive.", "src/formats/platinum/README.md#games"},
      {"platinum.header-range", error, "every archive member that a map header names exists",
       "The game reads the archive member named by a map header without checking that the member exists.",
       "Name an existing member, or add the missing one.",
       "pret/pokeplatinum, map_header.c; src/formats/platinum/README.md#games"},
      {"platinum.header-objects", error, "the list of preloaded objects that a map header names exists",
       "The game reads the list when the player enters the map. If the player cannot enter the map, a missing list is "
       "harmless.",
       "Use the number of an existing list, or add the missing list.", "pret/pokeplatinum, map_header.h",
       Severities{hint}},
      {"platinum.header-cell", warning,
       "if the cells of a matrix name headers, every header with this matrix is in one of the cells",
       "If a header is in no cell, a player who warps to its map gets the header of the cell at the destination "
       "instead.",
       "Put the header into a cell with {edit MATRIX set-cell header=N}, or give the header another matrix.",
       "src/formats/platinum/README.md#map-matrix"},
      {"platinum.matrix-main", error, "matrix 0 is 30 cells wide and has headers",
       "The town map, roaming Pokémon and other code always read the headers of matrix 0 in rows of 30.",
       "Give matrix 0 a width of 30 cells, and add its headers.", "pret/pokeplatinum, map_matrix.c"},
      {"platinum.matrix-range", error, "the cells of a matrix name lands and headers that exist",
       "If a land or header does not exist, the game reads past the end of its archive or table.",
       "Correct the cell with {edit MATRIX set-cell}, or add the missing land or header.",
       "src/formats/platinum/README.md#map-matrix"},
      {"platinum.matrix-foreign", warning, "the headers in the cells of a matrix belong to this matrix",
       "When the player steps onto a cell, the game assumes that the matrix of the cell's header is loaded.",
       "Set the matrix of the header to this matrix, or put another header into the cell.",
       "src/formats/platinum/README.md#games"},
      {"platinum.matrix-low-byte", hint, "matrix 0 is the only matrix whose number is a multiple of 256",
       "Code that changes paths in matrix 0 stores the matrix number in one byte, so it treats matrix 256 as matrix 0.",
       "Give the matrix another number.", "pret/pokeplatinum, map_matrix.c"},
      {"platinum.matrix-underground", error,
       "matrix 2 has at most 225 cells and exactly 16 different lands, and no cell is empty",
       "The game reads the Underground (matrix 2) into arrays that hold 225 cells and 16 lands.",
       "In matrix 2, use at most 225 cells and exactly 16 different lands, and fill all empty cells.",
       "pret/pokeplatinum, terrain_attributes.c"},
      {"platinum.matrix-altitude", warning,
       "a land that is raised by an altitude has no props, slopes or walkable tiles",
       "The altitude moves only the model of the land; its props and heights stay where they are.",
       "Set the altitude to 0 with {edit MATRIX set-cell altitude=0}, or use a land without props, slopes and "
       "walkable tiles.",
       "pret/pokeplatinum, land_data.c"},
      {"platinum.area-border", warning, "the player cannot walk from one area into another",
       "If the player walks into another area, the game keeps the textures and light of the first area, so the second "
       "area looks wrong.",
       "Block the border between the areas, put a warp on the border, or give both sides the same area.",
       "src/formats/platinum/README.md#the-world"},
      {"platinum.ground-missing", warning, "every tile that the player can reach has a height",
       "If the game finds no plate or triangle on a tile, it uses height 0.",
       "Add a plate with {edit LAND add-plate}, or block the tiles without a height.", "pret/pokeplatinum, bdhc.c"},
      {"platinum.land-seam", warning,
       "walkable tiles on both sides of a border between lands differ in height by less than 20 units",
       "A step of 20 units or more blocks the player like an invisible wall.",
       "Make the heights on both sides equal with {edit LAND raise-plate}, or block the tiles.",
       "src/formats/platinum/README.md#what-checks-do-not-report"},
      {"platinum.prop-range", error, "the model of every prop exists",
       "The game looks up the model without checking that it exists.",
       "Choose an existing model, or add the missing model to the archive.", "pret/pokeplatinum, map_prop.c"},
      {"platinum.prop-not-in-set", warning, "the model of a prop is in the prop set of the area",
       "If the model is not in the prop set, the game shows model 0 (a box) instead of the prop.",
       "Add the model to the prop set of the area, or choose a model that is already in the prop set.",
       "pret/pokeplatinum, area_data.c"},
      {"platinum.area-range", error, "every prop set, texture set and light file that an area names exists",
       "If a file does not exist, the game reads past the end of the archive.",
       "Name an existing file, or add the missing file to the archive.", "pret/pokeplatinum, area_data.c"},
      {"platinum.set-range", error, "every model of a prop set exists",
       "If a model does not exist, the game reads past the end of the archive.",
       "Name an existing model, or add the missing model to the archive.", "pret/pokeplatinum, area_data.c"},
      {"platinum.prop-texture", warning, "the textures of a prop are in the texture file of its prop set",
       "If a texture is missing, the game draws the prop white.",
       "Add the missing texture to the texture file of the prop set.", "src/formats/platinum/README.md#the-world"},
  };
  return k_rules;
}

/// Rules about textures, props, events and memory.
std::span<const Rule> content_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"platinum.map-texture", warning, "the textures of a land are in the texture set of the area",
       "If a texture is missing, the game draws the land white.",
       "Add the missing texture to the texture set of the area, or give the map another area.",
       "src/formats/platinum/README.md#the-world", Severities{hint}},
      {"platinum.texture-memory", error, "the textures of an area fit in texture memory",
       "The game has 256 KiB for textures, of which 128 KiB can hold 4x4 textures, and 64 KiB for palettes. It does "
       "not load data that does not fit.",
       "Remove unused textures (see the rule platinum.texture-unused), or make some textures smaller.",
       "pret/pokeplatinum, area_data.c"},
      {"platinum.prop-memory", warning, "the models of a prop set fit in the overworld heap",
       "The overworld heap has 784 KiB (0xC4000 bytes) and also holds much other data.",
       "Remove models from the prop set, or simplify them.", "pret/pokeplatinum"},
      {"platinum.animations-alive", error, "at most 16 animations of a prop set start with the map",
       "The game's animation table holds 16 entries.", "Remove some animations, or make some of them start later.",
       "pret/pokeplatinum, map_prop_animation.c"},
      {"platinum.texture-unused", hint, "every texture in a texture set or in the texture file of a prop set is used",
       "An unused texture takes up texture memory on every map of the areas that use the set.",
       "Remove the unused texture, or keep it if there is enough texture memory.", "diorama's own rule"},
      {"platinum.motion-size", error, "the pictures of an animated texture have the size and format of the texture",
       "The game copies the pictures over the texture, so a larger picture overwrites the textures after it in memory.",
       "Give the pictures the size and the format of the texture.", "src/formats/platinum/README.md#animated-textures"},
      {"platinum.palette-alignment", warning, "palettes of more than 4 colours start at a multiple of 16 bytes",
       "If a palette does not start at a multiple of 16 bytes, the hardware cannot address the palette and shows wrong "
       "colours.",
       "Move the palette to a multiple of 16 bytes.", "GBATEK, DS 3D Texture Attributes"},
      {"platinum.anime-range", error, "every animation of a prop exists",
       "If an animation does not exist, the game reads past the end of the archive.",
       "Name an existing animation, or add the missing animation to the archive.",
       "pret/pokeplatinum, map_prop_animation.c"},
      {"platinum.animation-fits", warning, "an animation matches the model of its prop",
       "The game matches joints by number and materials by name, so an animation for another model moves the wrong "
       "parts, or no parts.",
       "Use an animation that was made for this model.", "src/formats/nitro/README.md#joint-animations"},
      {"platinum.animation-texture", warning,
       "every texture that a prop animation shows is in the texture file of the prop set",
       "If a texture is missing, the game draws the prop white.",
       "Add the missing texture to the texture file of the prop set.", "src/formats/platinum/README.md#the-world"},
      {"platinum.bicycle-slopes", warning, "a land has at most two bicycle slopes",
       "The game's table holds only two bicycle slopes.", "Remove bicycle slopes until two are left.",
       "pret/pokeplatinum, map_prop_animation.c"},
      {"platinum.draw-model-range", error,
       "a draw list is inside the file and names only materials and shapes of its model",
       "If a material or shape does not exist, the game reads past the end of the model.",
       "Build the draw lists again with {maps GAME --make matshp}.",
       "src/formats/platinum/README.md#preloaded-objects-props"},
      {"platinum.draw-animated", warning, "a prop has either an animation or a draw list",
       "An animated prop with a draw list does not move.", "Build the draw lists again with {maps GAME --make matshp}.",
       "src/formats/platinum/README.md#preloaded-objects-props"},
      {"platinum.draw-cover", warning, "a draw list contains every draw of its model once, sorted by material",
       "The game does not show draws that are missing from the list. If the draws are in another order, drawing takes "
       "longer, and surfaces may cover each other differently.",
       "Build the draw lists again with {maps GAME --make matshp}.",
       "src/formats/platinum/README.md#preloaded-objects-props", Severities{hint}},
      {"platinum.draw-nodes", hint, "a model with a draw list has only one node",
       "The game draws the shapes in a draw list without the transforms of the nodes.",
       "Join the nodes of the model into one, or remove its draw list.",
       "src/formats/platinum/README.md#preloaded-objects-props"},
      {"platinum.event-place", warning, "every event is in or near a cell of its header",
       "An event more than 16 tiles outside the cells of its header does nothing, because it is out of view while the "
       "header is active. A warp only works inside the cells.",
       "Move the event into a cell of its header.", "src/formats/platinum/README.md#events"},
      {"platinum.warp-target", error, "every warp leads to an existing warp",
       "If the target warp does not exist, the game reads a position from unrelated data and moves the player to this "
       "position.",
       "Correct the numbers of the target header and the target warp.", "src/formats/platinum/README.md#events"},
      {"platinum.warp-tile", hint, "every warp is on a warp tile",
       "Only tiles with behaviour 0x5E to 0x6F trigger a warp.",
       "Give the tile under the warp a warp behaviour, or move the warp onto a warp tile.", "pret/pokeplatinum, map.h"},
      {"platinum.polygons", warning, "at most 2,048 polygons and 6,144 vertices of a map are in view at once",
       "The hardware draws at most 2,048 polygons and 6,144 vertices per frame. The count is an estimate for the "
       "default camera.",
       "Simplify the lands and props near the land that the message names, or remove props.",
       "src/formats/platinum/README.md#games"},
  };
  return k_rules;
}

}  // namespace

std::span<const Rule> game_rules() {
  static const std::vector<Rule> all = concat_rules({table_rules(), content_rules()});
  return all;
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
  // Locate only the cell, so that a known finding does not depend on other cells.
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
               {.message = text("the file has ", count, " entries; it must have ", wanted,
                                role == other ? ", one more than the number of animated textures"
                                              : ", as many as " + t.files().path(other))});
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
      report_header_field(
          led_to.contains(i) ? Severity::error : Severity::hint, "platinum.header-objects", i,
          "preloaded_map_objects_archive_id",
          {.message = text(header_text(i), " refers to list ", h.objects, " of preloaded objects, but there are only ",
                           format_count(n, "list")),
           .hint = led_to.contains(i) ? "" : "this is harmless unless a cell or warp leads to this header"});
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
