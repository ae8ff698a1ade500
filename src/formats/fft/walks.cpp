// walks.cpp: the walks from bytes and to bytes, compiled once.
#include "formats/fft/parts.hpp"

DIORAMA_BYTES(, fft::Gns)
DIORAMA_BYTES(, fft::Mesh)
DIORAMA_BYTES(, fft::Texture)
