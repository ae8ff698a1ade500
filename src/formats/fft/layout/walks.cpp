// walks.cpp: the files from bytes and to bytes, as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/fft/parts.hpp"

DIORAMA_WALKS(, fft::Gns)
DIORAMA_WALKS(, fft::Mesh)
DIORAMA_WALKS(, fft::Texture)
