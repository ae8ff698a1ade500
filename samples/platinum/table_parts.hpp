// table_parts.hpp: the tables of the samples, for the samples and for tests.
#pragma once
#include "formats/platinum/parts.hpp"
#include "samples/platinum/land.hpp"
#include "samples/samples.hpp"

namespace dio::platinum::make {

using dio::bytes_of;

MapHeader header(u8 area, u16 matrix, u8 map_type);
/// A town, a cave and ten houses.
MapHeaders headers();
Arm9 program();
/// 3 x 2 cells with headers and altitudes, one without a map.
MapMatrix island();
/// One cell.
MapMatrix house();
/// From night to night in three blocks.
AreaLight daylight();
Matshp draws();
Fldtanime water();
ZoneEvent village();

}  // namespace dio::platinum::make
