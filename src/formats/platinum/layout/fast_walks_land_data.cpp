// fast_walks_land_data.cpp: compiles reading and writing of LandData, optimised for speed.
#include "formats/platinum/parts_land.hpp"
#include "layout/walks.hpp"

DIORAMA_EMBEDDED_BYTES(extern, nitro::Nsbmd)
DIORAMA_FAST_BYTES(, platinum::LandData)
