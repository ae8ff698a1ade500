// values.cpp: the files as spans, and from JSON.
#include "formats/fft/parts.hpp"

DIORAMA_FFT_VALUES(, fft::Gns)
DIORAMA_FFT_VALUES(, fft::Mesh)
DIORAMA_FFT_VALUES(, fft::Texture)
