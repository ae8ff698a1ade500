#include "formats/platinum/game/check/checks.hpp"

#include <algorithm>
#include <set>

#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

std::span<const Rule> game_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"platinum.counts", error, "files that are looked up with one number have the same number of members",
       "The game reads a member that is not there: whatever lies behind the archive.", "NARC-4"},
      {"platinum.header-range", error, "what a map header names exists",
       "The game seeks in the archive without looking whether there is such a member.", "HDR-1"},
      {"platinum.header-objects", error, "the list of preloaded objects that a map header names exists",
       "It is read when the map is entered. On a map that nothing leads to it does no harm.", "HDR-2",
       Severities{hint}},
      {"platinum.header-cell", warning, "a header of a matrix with headers has a cell in it",
       "Whoever is taken to this map walks under the header of the cell instead.", "HDR-4"},
      {"platinum.matrix-main", error, "matrix 0 is 30 cells wide and has headers",
       "The town map, roaming Pokémon and others read its headers in rows of 30, whatever it says.", "MTX-3"},
      {"platinum.matrix-range", error, "cells name lands and headers that exist",
       "The game reads outside of the archive.", "MTX-4"},
      {"platinum.matrix-foreign", warning, "the header of a cell is one of this matrix",
       "When the player steps on it, the game takes this header's matrix for the one that is loaded.", "MTX-5"},
      {"platinum.matrix-low-byte", hint, "no matrix looks like matrix 0 in its low byte",
       "The game keeps the number in a byte where it patches the paths of matrix 0.", "MTX-6"},
      {"platinum.matrix-underground", error, "matrix 2 has at most 225 cells, 16 different lands, and no empty cell",
       "The Underground is read into arrays of this size.", "MTX-7"},
      {"platinum.matrix-altitude", warning,
       "a land that is raised by its matrix has no props, slopes or tiles to walk on",
       "The altitude moves the model of the land; its props and heights stay where they are.", "MTX-8"},
      {"platinum.area-border", warning, "one does not walk from one area into another",
       "Textures and light stay those of the area that was entered: the other side is drawn without.", "MTX-9"},
      {"platinum.ground-missing", warning, "every tile that can be reached has a height",
       "Where there is none, the game takes height 0.", "LND-10"},
      {"platinum.land-seam", warning, "tiles on both sides of the edge of a land have heights one can walk between",
       "Steps of 20 units and more block: an invisible wall.", "LND-12"},
      {"platinum.prop-range", error, "props are of models that exist", "The game looks the model up without a test.",
       "PRP-1"},
      {"platinum.prop-not-in-set", warning, "the model of a prop is in the set of the area",
       "The game shows model 0 in its place: a box.", "PRP-2"},
      {"platinum.area-range", error, "what an area names exists", "The game reads outside of the archive.", "ARE-1"},
      {"platinum.set-range", error, "a set of props holds models that exist", "The game reads outside of the archive.",
       "ARE-2"},
      {"platinum.prop-texture", warning, "a prop finds its textures among those of its set",
       "What is missing is drawn without a texture: white.", "ARE-3"},
      {"platinum.map-texture", warning, "a land finds its textures among those of the area",
       "What is missing is drawn without a texture: white.", "ARE-4", Severities{hint}},
      {"platinum.texture-memory", error, "the textures of an area fit into the texture memory",
       "256 KiB for textures, 64 KiB for palettes; of textures of 4x4 blocks, 128 KiB. The upload fails.", "ARE-5"},
      {"platinum.prop-memory", warning, "the models of a set fit into the memory of the field",
       "The heap has 0xC4000 bytes, and much else lies in it.", "ARE-6"},
      {"platinum.animations-alive", error, "a set has at most 16 animations that start with the map",
       "The game has a table of 16.", "ARE-7"},
      {"platinum.texture-unused", hint, "every texture of a set is used",
       "It takes texture memory on every map of the area.", "ARE-8"},
      {"platinum.motion-size", error, "the pictures of an animated texture have the size and format of the texture",
       "They are copied over it: too large ones overwrite what lies behind it in texture memory.", "ARE-8"},
      {"platinum.palette-alignment", warning, "palettes of more than 4 colours start at a multiple of 16 bytes",
       "The hardware cannot address others: colours are wrong.", "ARE-9"},
      {"platinum.anime-range", error, "the animations of a prop exist", "The game reads outside of the archive.",
       "ANI-1"},
      {"platinum.animation-fits", warning, "an animation is for the model of its prop",
       "Joints are matched by number, materials by name: others move, or nothing.", "ANI-2"},
      {"platinum.animation-texture", warning, "textures that an animation changes to are among those of the set",
       "What is missing is drawn without a texture: white.", "ANI-3"},
      {"platinum.bicycle-slopes", warning, "a land has at most two bicycle slopes", "The game has a table of two.",
       "ANI-4"},
      {"platinum.draw-model-range", error, "draw lists name materials and shapes of the model, and lie in the file",
       "The game reads outside of the model.", "MSH-1"},
      {"platinum.draw-animated", warning, "a prop has a draw list if it has no animation, and only then",
       "With a list an animated prop stands still.", "MSH-2"},
      {"platinum.draw-cover", warning, "a draw list has every draw of its model once, sorted by material",
       "What is missing is not shown; another order than by material costs time and changes what is drawn over what.",
       "MSH-3", Severities{hint}},
      {"platinum.draw-nodes", hint, "models with a draw list have one node",
       "The list draws shapes without the transforms of nodes.", "MSH-4"},
      {"platinum.event-place", warning, "events lie on cells of their header",
       "The player never stands there while the header holds: nothing happens.", "EVT-2"},
      {"platinum.warp-target", error, "warps lead to warps that exist", "The player ends at a place of other data.",
       "EVT-3"},
      {"platinum.warp-tile", hint, "warps lie on tiles that warp", "Only behaviours 0x5E to 0x6F start them.", "EVT-4"},
      {"platinum.polygons", warning, "what can be seen at once has at most 2048 polygons and 6144 vertices",
       "The hardware has room for no more: the rest is not drawn. Counted is what may be in view of the default "
       "camera.",
       "POL-1"},
  };
  return k_rules;
}

std::string some_of(const std::vector<std::string>& names, size_t most) {
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), most); ++i) out += (i ? ", " : "") + names[i];
  if (names.size() > most) out += text(" and ", names.size() - most, " more");
  return out;
}

std::string GameCheck::header_text(u32 header) const {
  const std::string name = t.name_of_header(header);
  return text("header ", header) + (name.empty() ? "" : " (" + name + ")");
}

void GameCheck::about_header(Severity severity, std::string_view id, u32 header, std::string_view field, Said said) {
  auto place = dio::Place::of_bytes(t.headers_offset + u64(header) * k_header_size, k_header_size,
                                    text("headers[", header, "].", field));
  place.file = t.files().path(FileRole::headers);
  out.report(severity, id, std::move(place), std::move(said));
}

void GameCheck::counts() {
  const auto same = [&](FileRole role, u64 count, FileRole other, u64 wanted) {
    if (!wanted || !count || count == wanted) return;
    out.report("platinum.counts", dio::Place::in_file(t.files().path(role)),
               {.expected = text(wanted), .found = text(count, " for ", wanted, " of ", t.files().path(other))});
  };
  const auto count = [&](FileRole r) { return u64(t.files().of(r).count()); };
  same(FileRole::anime_lists, count(FileRole::anime_lists), FileRole::props, count(FileRole::props));
  if (t.draw_lists) same(FileRole::matshp, t.draw_lists->models.size(), FileRole::props, count(FileRole::props));
  same(FileRole::prop_textures, count(FileRole::prop_textures), FileRole::prop_sets, count(FileRole::prop_sets));
  if (t.texture_motions)
    same(FileRole::texture_motions, count(FileRole::texture_motions), FileRole::texture_motions,
         t.texture_motions->textures.size() + 1);
}

void GameCheck::headers() {
  // Maps that a cell or a warp leads to.
  std::set<u32> led_to;
  for (const auto& m : t.matrices)
    if (m) led_to.insert(m->headers.begin(), m->headers.end());
  for (const auto& e : t.events)
    if (e)
      for (const WarpEvent& w : e->warp_events) led_to.insert(w.dest_header_id);

  const auto in_range = [&](u32 header, std::string_view field, u32 value, FileRole role) {
    const u32 n = t.files().of(role).count();
    if (!n || value < n) return true;
    about_header(Severity::error, "platinum.header-range", header, field,
                 {.expected = text("less than ", n, ", the number of members of ", t.files().path(role)),
                  .found = text(value),
                  .hint = header_text(header)});
    return false;
  };
  for (u32 i = 0; i < t.headers.size(); ++i) {
    const Header& h = t.headers[i];
    in_range(i, "area_data_archive_id", h.area, FileRole::areas);
    in_range(i, "scripts_archive_id", h.scripts, FileRole::scripts);
    in_range(i, "init_scripts_archive_id", h.init_scripts, FileRole::scripts);
    in_range(i, "msg_archive_id", h.messages, FileRole::messages);
    in_range(i, "events_archive_id", h.events, FileRole::events);
    if (h.encounters != k_no_encounters) in_range(i, "wild_encounters_archive_id", h.encounters, FileRole::encounters);
    if (const u32 n = t.files().of(FileRole::objects).count(); n && h.objects >= n)
      about_header(led_to.contains(i) ? Severity::error : Severity::hint, "platinum.header-objects", i,
                   "preloaded_map_objects_archive_id",
                   {.expected = text("less than ", n),
                    .found = text(h.objects),
                    .hint = header_text(i) + (led_to.contains(i) ? "" : ", to which no cell and no warp leads")});
    if (!in_range(i, "map_matrix_id", h.matrix, FileRole::matrices) || h.matrix >= t.matrices.size()) continue;
    const auto& m = t.matrices[h.matrix];
    if (i != k_everywhere && m && !m->headers.empty() &&
        std::find(m->headers.begin(), m->headers.end(), i) == m->headers.end())
      about_header(Severity::warning, "platinum.header-cell", i, "map_matrix_id",
                   {.expected = "a cell with this header",
                    .found = text("matrix ", h.matrix, " has no cell of header ", i),
                    .hint = header_text(i)});
  }
}

Diagnostics check_game(const GameTables& t) {
  GameCheck c{t, t.uses()};
  c.counts();
  c.headers();
  c.matrices();
  c.seams();
  c.ground();
  c.areas();
  c.sets();
  c.motions();
  c.props();
  c.events();
  c.polygons();
  Diagnostics all;
  for (const std::string& path : t.files().missing()) all.push_back(missing_file(path));
  all.insert(all.end(), t.notes().begin(), t.notes().end());  // what was damaged, by now
  for (Diagnostic& d : all) d.severity = Severity::error;
  std::move(c.findings.list.begin(), c.findings.list.end(), std::back_inserter(all));
  return all;
}

}  // namespace dio::platinum
