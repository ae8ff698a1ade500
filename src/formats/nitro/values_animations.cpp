// values_animations.cpp: the small animations as spans, and from JSON.
#include "formats/nitro/parts.hpp"

DIORAMA_NITRO_VALUES(, nitro::Nsbtp)
DIORAMA_NITRO_VALUES(, nitro::Nsbta)
DIORAMA_NITRO_VALUES(, nitro::Nsbma)
DIORAMA_NITRO_VALUES(, nitro::Nsbva)
