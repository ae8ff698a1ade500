// values.cpp: the files as spans, and from JSON.
#include "formats/splashpack/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, splashpack::Pack)
DIORAMA_VALUES(, splashpack::Vram)
DIORAMA_VALUES(, splashpack::Spu)
