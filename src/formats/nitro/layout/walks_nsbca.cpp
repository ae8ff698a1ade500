// walks_nsbca.cpp: Nsbca from bytes and to bytes, as spans, and from JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_WALKS(, nitro::Nsbca)
