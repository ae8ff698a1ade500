// edit_notes.hpp: the notes on an edited scene applied to the polygons of a file.
#pragma once
#include <string>

#include "formats/contract/scenes.hpp"

namespace dio::fft {

struct EditNotes {
  /// A number of polygons, and the first of them.
  struct Places {
    u64 number = 0;
    std::string first = {};
    void count(const std::string& place) {
      if (!number++) first = place;
    }
  };
  u64 missing = 0;         // polygons of meshes missing from the scene
  Places posed;            // polygons of such meshes at animated positions
  Places kept;             // polygons without an area
  Places removed, added;   // polygons
  Places halves;           // triangles that were parts of quads
  Places torn;             // polygons that an animated texture cuts
  Places unsure, moved;    // polygons whose match is uncertain
  Places untaken;          // new polygons without texels
  Places other_materials;  // polygons
  Places tinted;           // vertices
  u64 in_place = 0;        // copies
  u64 between = 0, edges = 0;

  /// `rows`: texture animation rows that refer to polygons by number.
  void add_to(SceneImportResult&, const std::string& rows) const;
};

}  // namespace dio::fft
