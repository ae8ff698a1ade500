// walks_nsbmd.cpp: compiles the walks over Nsbmd for spans and JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, nitro::Nsbmd)
DIORAMA_EMBEDDED_VALUES(, nitro::Nsbmd)
