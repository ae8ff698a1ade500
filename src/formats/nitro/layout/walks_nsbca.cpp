// walks_nsbca.cpp: compiles the walks over Nsbca: reading, writing, spans and JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_WALKS(, nitro::Nsbca)
