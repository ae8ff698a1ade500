// walks_nsbtx.cpp: Nsbtx as spans, and from JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, nitro::Nsbtx)
