// values_nsbca.cpp: Nsbca as spans, and from JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, nitro::Nsbca)
