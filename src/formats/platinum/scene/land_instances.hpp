// land_instances.hpp: which lands are shown, where, and with which area. Specification: README.md, "The world".
#pragma once
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

inline constexpr size_t k_most_maps = 4096;  // of a scene

/// A land on a cell of a matrix.
struct LandInstance {
  u32 land = 0;
  u32 x = 0, z = 0;  // cell: to the east, to the south
  u32 altitude = 0;  // of the model, in steps of 8 units
  u32 header = 0;    // of the cell
  std::optional<u32> area;
  bool borrowed = false;  // the area of a neighbour
  bool guessed = false;   // no header leads here: the area is the first that has the textures
};

/// The lands of a matrix that are shown.
struct MatrixInstance {
  std::optional<u32> matrix;  // none for a land that is in no matrix
  std::vector<LandInstance> lands;
  bool whole = false;        // all cells of the matrix, with those that are empty
  std::vector<u32> headers;  // of these lands, sorted
};

/// One or more matrices, shown side by side.
struct MatrixGroup {
  std::string name;
  bool centred = false;  // one land: its middle is the origin, as in its file
  std::vector<MatrixInstance> matrices;
  size_t left_out = 0;  // lands beyond the limit
};

/// The lands of a part: of a land, header, matrix or area; of the largest matrix with headers if `part` is empty.
/// Ids: game.part, scene.none (it has no lands).
Result<MatrixGroup> find_part_lands(const GameTables&, std::string_view part);

/// The likely area of a land that no header uses: the first whose set has all its textures, or else most of them.
std::optional<u32> guess_area(const GameTables&, u32 land);

}  // namespace dio::platinum
