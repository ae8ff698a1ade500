// land.hpp: declarations shared by the checks of land data and heights.
#pragma once
#include "formats/contract/reporter.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

/// Checks heights at points. `prefix`: "bdhc." inside land data. `attributes`: defines the walkable tiles; empty: all
/// are walkable.
void check_points(Reporter&, const Bdhc&, const std::string& prefix, std::span<const TileRow> attributes);
/// Checks the triangles of Diamond and Pearl.
void check_triangles(Reporter&, const BdhcDp&, const std::string& prefix);
void check_bdhc(Reporter&, const Bdhc&, const std::string& prefix, std::span<const TileRow> attributes);

}  // namespace dio::platinum
