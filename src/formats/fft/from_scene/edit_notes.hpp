// edit_notes.hpp: the notes on an edited scene that was applied to the polygons of a file.
#pragma once
#include <string>

#include "formats/contract/scenes.hpp"

namespace dio::fft {

struct EditNotes {
  /// How many there are, and the first of them.
  struct Places {
    u64 number = 0;
    std::string first = {};
    void count(const std::string& place) {
      if (!number++) first = place;
    }
  };
  u64 missing = 0;         // polygons of meshes that the scene does not have
  Places posed;            // those of such meshes, where an animation has put them
  Places kept;             // polygons without an area
  Places removed, added;   // polygons
  Places halves;           // triangles that were parts of quads
  Places torn;             // polygons that an animated texture cuts
  Places unsure, moved;    // polygons that may be others
  Places untaken;          // new polygons without texels
  Places other_materials;  // polygons
  Places tinted;           // vertices
  u64 in_place = 0;        // copies
  u64 between = 0, edges = 0;

  /// `rows`: those of texture animations that refer to polygons by number.
  void add_to(SceneImportResult&, const std::string& rows) const;
};

}  // namespace dio::fft
