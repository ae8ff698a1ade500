// walks_nsbmd.cpp: the walks over Nsbmd, compiled once.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_BYTES(, nitro::Nsbmd)
DIORAMA_EMBEDDED_BYTES(, nitro::Nsbmd)
