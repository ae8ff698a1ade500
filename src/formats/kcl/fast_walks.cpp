// fast_walks.cpp: a collision file from bytes and to bytes.
#include "formats/kcl/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_FAST_BYTES(, kcl::Kcl)
DIORAMA_FAST_BYTES(, kcl::DsKcl)
