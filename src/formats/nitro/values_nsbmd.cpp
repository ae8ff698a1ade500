// values_nsbmd.cpp: Nsbmd as spans, and from JSON.
#include "formats/nitro/parts.hpp"

DIORAMA_VALUES(, nitro::Nsbmd)
