// walks_animations.cpp: the walks over the small animations, compiled once.
#include "formats/nitro/parts.hpp"

DIORAMA_NITRO_BYTES(, nitro::Nsbtp)
DIORAMA_NITRO_BYTES(, nitro::Nsbta)
DIORAMA_NITRO_BYTES(, nitro::Nsbma)
DIORAMA_NITRO_BYTES(, nitro::Nsbva)
