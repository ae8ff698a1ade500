// land_instances.hpp: the lands of a scene, with their positions and areas. Specification: README.md, "The world".
#pragma once
#include "formats/platinum/game/parts.hpp"

namespace dio::platinum {

inline constexpr size_t k_most_maps = 4096;  // limit of a scene

/// A land in a cell of a matrix.
struct LandInstance {
  u32 land = 0;
  u32 x = 0, z = 0;  // cell: to the east, to the south
  u32 altitude = 0;  // of the model, in steps of 8 units
  u32 header = 0;    // of the cell
  std::optional<u32> area;
  bool borrowed = false;  // whether the area comes from a neighbour
  bool guessed = false;   // no header uses the land: the area is the first that has the textures
};

/// The shown lands of a matrix.
struct MatrixInstance {
  std::optional<u32> matrix;  // empty for a land that is in no matrix
  std::vector<LandInstance> lands;
  bool whole = false;        // all cells of the matrix, including empty ones
  std::vector<u32> headers;  // headers of these lands, sorted
};

/// One or more matrices, shown side by side.
struct MatrixGroup {
  std::string name;
  bool centred = false;  // one land: its middle is the origin, as in its file
  std::vector<MatrixInstance> matrices;
  size_t left_out = 0;  // lands beyond the limit
};

/// The lands of a part (land, header, matrix or area), or of the largest matrix with headers if `part` is empty. Error
/// ids: game.part, scene.none (the part has no lands).
Result<MatrixGroup> find_part_lands(const GameTables&, std::string_view part);

/// The likely area of a land that no header uses: the first area whose texture set has all its textures, or else the
/// most.
std::optional<u32> guess_area(const GameTables&, u32 land);

}  // namespace dio::platinum
