// walks.cpp: the walks from bytes and to bytes, compiled once.
#include "formats/fft/parts.hpp"

DIORAMA_FFT_BYTES(, fft::Gns)
DIORAMA_FFT_BYTES(, fft::Mesh)
DIORAMA_FFT_BYTES(, fft::Texture)
