// walks.cpp: the files from bytes and to bytes, as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/egg/parts.hpp"

DIORAMA_WALKS(, egg::Blight)
DIORAMA_WALKS(, egg::Blmap)
DIORAMA_WALKS(, egg::Bfg)
DIORAMA_WALKS(, egg::Bblm)
DIORAMA_WALKS(, egg::Bdof)
