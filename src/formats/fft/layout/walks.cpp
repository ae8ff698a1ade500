// walks.cpp: compiles the walks: bytes, spans and JSON.
#include "layout/walks.hpp"

#include "formats/fft/parts.hpp"

DIORAMA_WALKS(, fft::Gns)
DIORAMA_WALKS(, fft::Mesh)
DIORAMA_WALKS(, fft::Texture)
