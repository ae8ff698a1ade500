// walks_nsbtx.cpp: compiles the walks over Nsbtx for spans and JSON.
#include "formats/nitro/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, nitro::Nsbtx)
