// walks_nsbca.cpp: the walks over Nsbca, compiled once.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_BYTES(, nitro::Nsbca)
