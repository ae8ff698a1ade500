// walks_land_data.cpp: the walks over LandData, compiled once.
#include "formats/platinum/parts_land.hpp"
#include "layout/walks.hpp"

DIORAMA_EMBEDDED_BYTES(extern, nitro::Nsbmd)
DIORAMA_BYTES(, platinum::LandData)
