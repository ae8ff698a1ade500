// walks_nsbmd.cpp: Nsbmd as spans, and from JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, nitro::Nsbmd)
DIORAMA_EMBEDDED_VALUES(, nitro::Nsbmd)
