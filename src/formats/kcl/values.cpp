// values.cpp: a collision file as spans, and from JSON.
#include "formats/kcl/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, kcl::Kcl)
DIORAMA_VALUES(, kcl::DsKcl)
