// fast_walks_nsbtx.cpp: compiles reading and writing of Nsbtx, optimised for speed.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_FAST_BYTES(, nitro::Nsbtx)
