// land.hpp: small maps made from nothing.
#pragma once
#include "formats/platinum/parts_land.hpp"
#include "samples/samples.hpp"

namespace dio::platinum {

LandData meadow_land();
LandData town_land();
LandData stray_land();
LandData sounds_land();
LandData cameras_land();
LandData diamond_land();
std::vector<Sample> land_data_samples();
/// Maps with the models of all nsbmd samples.
std::vector<Sample> land_data_with_each_model();
std::vector<Sample> bdhc_samples();

}  // namespace dio::platinum
