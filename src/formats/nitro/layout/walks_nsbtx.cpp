// walks_nsbtx.cpp: the walks over Nsbtx, compiled once.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_BYTES(, nitro::Nsbtx)
