// walks.cpp: a BRRES file from bytes and to bytes, as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/brres/parts.hpp"

DIORAMA_WALKS(, brres::Brres)
