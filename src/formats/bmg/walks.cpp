// walks.cpp: messages from bytes and to bytes.
#include "layout/walks.hpp"

#include "formats/bmg/parts.hpp"

DIORAMA_BYTES(, bmg::Bmg)
