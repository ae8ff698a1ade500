// values_nsbca.cpp: Nsbca as spans, and from JSON.
#include "formats/nitro/parts.hpp"

DIORAMA_VALUES(, nitro::Nsbca)
