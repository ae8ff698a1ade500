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
              " missing from the scene, like the rest of the mesh; nothing is removed from the file"),
         "{edit ORIGINAL remove-polygons} removes polygons");
  if (posed.number)
    note(Severity::warning, "fft.scene-missing", posed.first,
         text(format_count(posed.number, "polygon"), " of a missing mesh", is_or_are(posed.number),
              " not imported because an animation moved ", posed.number == 1 ? "it" : "them"),
         "before joining meshes, return animated meshes to the start of the animation");
  if (kept.number)
    note(Severity::warning, "fft.scene-missing", kept.first,
         text(format_count(kept.number, "polygon"), " without an area", is_or_are(kept.number),
              " not in the scene but kept in the file, because many programs drop such polygons"),
         "{edit ORIGINAL remove-polygons} removes polygons");
  if (removed.number)
    note(Severity::hint, "fft.scene-removed", removed.first,
         text(format_count(removed.number, "polygon"), " deleted in the scene and removed from the file"));
  if (!rows.empty() && (removed.number || out.added))
    note(Severity::warning, "fft.scene-removed", "texture_animations",
         text("texture animation rows that refer to polygons by number were not updated: ", rows));
  if (added.number)
    note(Severity::hint, "fft.scene-copy", added.first,
         text(format_count(added.number, "polygon"), is_or_are(added.number), " added after the others of ",
              added.number == 1 ? "its kind" : "their kinds"));
  if (halves.number)
    note(Severity::hint, "fft.scene-torn", halves.first,
         text(format_count(halves.number, "triangle"), is_or_are(halves.number),
              " left of quads whose halves were deleted or separated"));
  if (torn.number)
    note(Severity::warning, "fft.scene-torn", torn.first,
         text(format_count(torn.number, "polygon"), is_or_are(torn.number),
              " not imported as edited: an animated texture cuts each of these polygons, and the pieces no longer fit "
              "together"),
         "move or delete all pieces of such a polygon together");
  if (unsure.number)
    note(
        Severity::warning, "fft.scene-copy", unsure.first,
        text(format_count(unsure.number, "new polygon"),
             " may be a copy of more than one polygon: the candidates look the same but differ in tile or render word"),
        "the copy is bound to no tile and uses the default render word; {edit ORIGINAL set-polygons} sets both");
  if (moved.number)
    note(Severity::hint, "fft.scene-moved", moved.first,
         text(format_count(moved.number, "polygon"),
              " moved as a whole; a deleted polygon and a copy of another one would look the same"),
         "if the polygon is a copy, check its tile and render word with {explain ORIGINAL#polygon@...}");
  if (in_place)
    note(Severity::hint, "fft.scene-new", {},
         text(format_count(in_place, "copied polygon"), is_or_are(in_place),
              " ignored: a copy must not stay at the position of its original"),
         "move copies away from their originals");
  if (untaken.number)
    note(Severity::warning, "fft.scene-new", untaken.first,
         text(format_count(untaken.number, "new polygon"), is_or_are(untaken.number),
              " not imported: the scene does not show which texels of the map",
              untaken.number == 1 ? " it uses" : " they use"),
         "give each textured polygon one of the materials \"palette 0\" to \"palette 15\", and every other polygon the "
         "material \"untextured\"");
  if (other_materials.number)
    note(Severity::warning, "fft.scene-material", other_materials.first,
         text(format_count(other_materials.number, "polygon"), other_materials.number == 1 ? " does" : " do",
              " not have a matching material of the file"),
         "such polygons keep their palettes; give each textured polygon one of the materials \"palette 0\" to "
         "\"palette 15\"");
  if (tinted.number)
    note(Severity::warning, "fft.scene-colors", tinted.first,
         text(tinted.number == 1 ? "1 vertex has a colour" : text(tinted.number, " vertices have colours"),
              " that the lights of the file do not produce; the colours are ignored"),
         "the file stores no vertex colours: edit its lights ({ls ORIGINAL lights}) or its normals");
  if (between)
    note(Severity::warning, "fft.scene-rounded", {},
         text(format_count(between, "coordinate"), " rounded to whole units or texels"));
  if (edges)
    note(Severity::warning, "fft.scene-rounded", {},
         text(edges == 1 ? "1 vertex" : text(edges, " vertices"),
              " moved from texel 256 to 255, the last one of a page"));
}

}  // namespace dio::fft
