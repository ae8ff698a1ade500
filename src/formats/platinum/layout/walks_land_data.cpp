// walks_land_data.cpp: compiles the walks over LandData for spans and JSON.
#include "formats/platinum/parts_land.hpp"
#include "layout/walks.hpp"

DIORAMA_EMBEDDED_VALUES(extern, nitro::Nsbmd)
DIORAMA_VALUES(, platinum::LandData)
DIORAMA_WALKS(, platinum::Bdhc)
