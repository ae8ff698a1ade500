// walks_animations.cpp: the small animations from bytes and to bytes, as spans, and from JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_WALKS(, nitro::Nsbtp)
DIORAMA_WALKS(, nitro::Nsbta)
DIORAMA_WALKS(, nitro::Nsbma)
DIORAMA_WALKS(, nitro::Nsbva)
