// values.cpp: the files as spans, and from JSON.
#include "formats/fft/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, fft::Gns)
DIORAMA_VALUES(, fft::Mesh)
DIORAMA_VALUES(, fft::Texture)
