// walks.cpp: messages from bytes and to bytes, as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/bmg/parts.hpp"

DIORAMA_WALKS(, bmg::Bmg)
