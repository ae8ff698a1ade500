// fast_walks_nsbmd.cpp: Nsbmd from bytes and to bytes.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_FAST_BYTES(, nitro::Nsbmd)
DIORAMA_EMBEDDED_BYTES(, nitro::Nsbmd)
