// walks.cpp: a collision file as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/kcl/parts.hpp"

DIORAMA_VALUES(, kcl::Kcl)
DIORAMA_VALUES(, kcl::DsKcl)
