// fast_walks_nsbtx.cpp: Nsbtx from bytes and to bytes.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_FAST_BYTES(, nitro::Nsbtx)
