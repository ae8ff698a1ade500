// walks_nsbca.cpp: the walks over Nsbca, compiled once.
#include "formats/nitro/parts.hpp"

DIORAMA_BYTES(, nitro::Nsbca)
