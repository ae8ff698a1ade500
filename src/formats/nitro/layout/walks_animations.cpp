// walks_animations.cpp: the walks over the small animations, compiled once.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_BYTES(, nitro::Nsbtp)
DIORAMA_BYTES(, nitro::Nsbta)
DIORAMA_BYTES(, nitro::Nsbma)
DIORAMA_BYTES(, nitro::Nsbva)
