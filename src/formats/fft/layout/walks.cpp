// walks.cpp: the walks from bytes and to bytes, compiled once.
#include "layout/walks.hpp"

#include "formats/fft/parts.hpp"

DIORAMA_BYTES(, fft::Gns)
DIORAMA_BYTES(, fft::Mesh)
DIORAMA_BYTES(, fft::Texture)
