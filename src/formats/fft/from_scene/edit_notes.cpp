#include "formats/fft/from_scene/edit_notes.hpp"

#include "formats/contract/reporter.hpp"

namespace dio::fft {

void EditNotes::add_to(SceneImportResult& out, const std::string& rows) const {
  const auto note = [&](Severity severity, const char* id, const std::string& path, std::string message,
                        std::string hint = {}) {
    out.notes.push_back(make_diagnostic(severity, id, path, {.message = std::move(message), .hint = std::move(hint)}));
  };
  const auto is_or_are = [](u64 n) { return n == 1 ? " is" : " are"; };
  out.lost += posed.number + torn.number + untaken.number + other_materials.number + tinted.number + in_place;
  if (missing)
    note(Severity::hint, "fft.scene-missing", {},
         text(format_count(missing, "polygon"), is_or_are(missing),
              " not in the scene and unchanged in the file, with the rest of their meshes"),
         "`dio edit FILE remove-polygons` removes polygons");
  if (posed.number)
    note(Severity::warning, "fft.scene-missing", posed.first,
         text(format_count(posed.number, "polygon"), " of a mesh that is not in the scene", is_or_are(posed.number),
              " not taken where an animation has put ", posed.number == 1 ? "it" : "them"),
         "join meshes that move only with animations at their start");
  if (kept.number)
    note(Severity::warning, "fft.scene-missing", kept.first,
         text(format_count(kept.number, "polygon"), " without an area", is_or_are(kept.number),
              " not in the scene: unchanged in the file, as programs drop such"),
         "`dio edit FILE remove-polygons` removes polygons");
  if (removed.number)
    note(Severity::hint, "fft.scene-removed", removed.first,
         text(format_count(removed.number, "polygon"), " deleted in the scene and removed from the file"));
  if (!rows.empty() && (removed.number || out.added))
    note(Severity::warning, "fft.scene-removed", "texture_animations",
         text("unchanged: rows of the texture animation that refer to polygons by number: ", rows));
  if (added.number)
    note(Severity::hint, "fft.scene-copy", added.first,
         text(format_count(added.number, "polygon"), " added after the others of ",
              added.number == 1 ? "its kind" : "their kinds"));
  if (halves.number)
    note(Severity::hint, "fft.scene-torn", halves.first,
         text(format_count(halves.number, "triangle"), is_or_are(halves.number),
              " left of quads whose halves were deleted or torn apart"));
  if (torn.number)
    note(
        Severity::warning, "fft.scene-torn", torn.first,
        text(
            format_count(torn.number, "polygon"),
            " not taken as the scene has them: an animated texture cuts them, and their pieces no longer fit together"),
        "move all pieces of such a polygon together, or delete all of them");
  if (unsure.number)
    note(Severity::warning, "fft.scene-copy", unsure.first,
         text(format_count(unsure.number, "new polygon"),
              " may be a copy of any of several that look the same, but differ in tile or render word"),
         "the copy is bound to no tile, and drawn as most polygons are; `dio edit FILE set-polygons` sets both");
  if (moved.number)
    note(Severity::hint, "fft.scene-moved", moved.first,
         text(format_count(moved.number, "polygon"),
              " moved as a whole; a polygon that was deleted and a copy of another one look the same"),
         "if it is a copy: check its tile and its render word (dio explain FILE#polygon@...)");
  if (in_place)
    note(Severity::hint, "fft.scene-new", {},
         text(format_count(in_place, "copied polygon"), " ignored: still where the original is"),
         "move copies away from what they are copies of");
  if (untaken.number)
    note(Severity::warning, "fft.scene-new", untaken.first,
         text(format_count(untaken.number, "new polygon"), is_or_are(untaken.number),
              " not taken: the scene does not say which texels of the map",
              untaken.number == 1 ? " it has" : " they have"),
         "give each textured polygon one of the materials palette 0 to palette 15, and others the material untextured");
  if (other_materials.number)
    note(Severity::warning, "fft.scene-material", other_materials.first,
         text(format_count(other_materials.number, "polygon"), other_materials.number == 1 ? " does" : " do",
              " not have a fitting material of the file"),
         "they keep their palettes; give each textured polygon one of the materials palette 0 to palette 15");
  if (tinted.number)
    note(Severity::warning, "fft.scene-colors", tinted.first,
         text(tinted.number == 1 ? "1 vertex has a colour" : text(tinted.number, " vertices have colours"),
              " that the lights of the file do not produce; the colours are ignored"),
         "the file has no vertex colours: edit its lights (dio ls FILE lights) or its normals");
  if (between)
    note(Severity::warning, "fft.scene-rounded", {},
         text(format_count(between, "coordinate"), " rounded to whole units or texels"));
  if (edges)
    note(Severity::warning, "fft.scene-rounded", {},
         text(edges == 1 ? "1 vertex" : text(edges, " vertices"),
              " moved from texel 256 to 255, the last one of a page"));
}

}  // namespace dio::fft
