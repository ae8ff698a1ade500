// walks.cpp: the files from bytes and to bytes.
#include "layout/walks.hpp"

#include "formats/egg/parts.hpp"

DIORAMA_BYTES(, egg::Blight)
DIORAMA_BYTES(, egg::Blmap)
DIORAMA_BYTES(, egg::Bfg)
DIORAMA_BYTES(, egg::Bblm)
DIORAMA_BYTES(, egg::Bdof)
