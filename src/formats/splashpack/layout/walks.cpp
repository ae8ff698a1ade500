// walks.cpp: the walks from bytes and to bytes, compiled once.
#include "layout/walks.hpp"

#include "formats/splashpack/parts.hpp"

DIORAMA_WRITING(extern, splashpack::Pack)
DIORAMA_BYTES(, splashpack::Pack)
DIORAMA_BYTES(, splashpack::Vram)
DIORAMA_BYTES(, splashpack::Spu)
