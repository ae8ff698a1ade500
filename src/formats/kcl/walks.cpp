// walks.cpp: a collision file from bytes and to bytes.
#include "layout/walks.hpp"

#include "formats/kcl/parts.hpp"

DIORAMA_BYTES(, kcl::Kcl)
DIORAMA_BYTES(, kcl::DsKcl)
