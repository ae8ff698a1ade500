// land.hpp: what the checks of land data and heights share.
#pragma once
#include "formats/contract/reporter.hpp"
#include "formats/platinum/layout/heights.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

/// `prefix`: "bdhc." inside land data. `attributes` gives the walkable tiles; empty: all are.
void check_points(Reporter&, const Bdhc&, const std::string& prefix, std::span<const TileRow> attributes);
/// The same of Diamond and Pearl.
void check_triangles(Reporter&, const BdhcDp&, const std::string& prefix);
void check_bdhc(Reporter&, const Bdhc&, const std::string& prefix, std::span<const TileRow> attributes);

}  // namespace dio::platinum
