// walks.cpp: a BRRES file from bytes and to bytes.
#include "layout/walks.hpp"

#include "formats/brres/parts.hpp"

DIORAMA_BYTES(, brres::Brres)
