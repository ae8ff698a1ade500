// values_nsbtx.cpp: Nsbtx as spans, and from JSON.
#include "formats/nitro/parts.hpp"

DIORAMA_VALUES(, nitro::Nsbtx)
