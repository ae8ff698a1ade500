// places.hpp: which lands are shown, where, and under which area. Specification: README.md, "The world".
#pragma once
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

inline constexpr size_t k_most_maps = 4096;  // of a scene

/// A land on a cell of a matrix.
struct PlacedLand {
  u32 land = 0;
  u32 x = 0, z = 0;  // cell: to the east, to the south
  u32 altitude = 0;  // of the model, in steps of 8 units
  u32 header = 0;    // whose cell it is
  std::optional<u32> area;
  bool borrowed = false;  // the area is that of a neighbour
  bool guessed = false;   // no header leads here: the area is the first that has the textures
};

/// What is shown of a matrix.
struct PlacedMatrix {
  std::optional<u32> matrix;  // a land that no matrix has is shown without one
  std::vector<PlacedLand> lands;
  std::vector<u32> headers;  // of these lands, sorted
};

/// What is shown: one matrix or several, side by side.
struct Places {
  std::string name;
  bool centred = false;  // one land: its middle is the origin, as in its file
  std::vector<PlacedMatrix> matrices;
  size_t left_out = 0;  // lands beyond the limit
};

/// The lands of a part: a land, a header, a matrix, an area; of the largest matrix with headers if the id is empty.
/// Ids: game.part, scene.none (nothing of it is there).
Result<Places> find_places(const GameTables&, std::string_view part);

/// The area whose textures a land is likely made for, where nothing says so: the first whose set has all it names, or
/// else most of it.
std::optional<u32> guess_area(const GameTables&, u32 land);

}  // namespace dio::platinum
