// fast_walks_nsbmd.cpp: compiles reading and writing of Nsbmd, optimised for speed.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_FAST_BYTES(, nitro::Nsbmd)
DIORAMA_EMBEDDED_BYTES(, nitro::Nsbmd)
