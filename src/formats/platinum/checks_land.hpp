// checks_land.hpp: what the checks of land data and heights share.
#pragma once
#include "formats/platinum/heights.hpp"
#include "formats/platinum/parts_land.hpp"
#include "formats/reporter.hpp"

namespace dio::platinum {

/// `prefix`: "bdhc." inside land data. `attributes` says where one can walk; empty: anywhere.
void check_bdhc(Reporter&, const Bdhc&, const std::string& prefix, std::span<const TileRow> attributes);

}  // namespace dio::platinum
