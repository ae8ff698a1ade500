// walks_bdhc.cpp: the walks over Bdhc, compiled once.
#include "formats/platinum/parts_land.hpp"
#include "layout/walks.hpp"

DIORAMA_BYTES(, platinum::Bdhc)
