// walks.cpp: a collision file from bytes and to bytes, as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/kcl/parts.hpp"

DIORAMA_WALKS(, kcl::Kcl)
DIORAMA_WALKS(, kcl::DsKcl)
