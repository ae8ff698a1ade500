// values_animations.cpp: the small animations as spans, and from JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, nitro::Nsbtp)
DIORAMA_VALUES(, nitro::Nsbta)
DIORAMA_VALUES(, nitro::Nsbma)
DIORAMA_VALUES(, nitro::Nsbva)
