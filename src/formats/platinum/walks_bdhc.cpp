// walks_bdhc.cpp: the walks over Bdhc, compiled once.
#include "formats/platinum/parts_land.hpp"

DIORAMA_LAND_BYTES(, platinum::Bdhc)
DIORAMA_LAND_VALUES(, platinum::Bdhc)
