// values.cpp: the files as spans, and from JSON.
#include "formats/splashpack/parts.hpp"

DIORAMA_VALUES(, splashpack::Pack)
DIORAMA_VALUES(, splashpack::Vram)
DIORAMA_VALUES(, splashpack::Spu)
