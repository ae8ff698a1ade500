// walks_animations.cpp: compiles the walks over the small animation files: reading, writing, spans and JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_WALKS(, nitro::Nsbtp)
DIORAMA_WALKS(, nitro::Nsbta)
DIORAMA_WALKS(, nitro::Nsbma)
DIORAMA_WALKS(, nitro::Nsbva)
