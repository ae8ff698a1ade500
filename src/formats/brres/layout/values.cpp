// values.cpp: a BRRES file as spans, and from JSON.
#include "formats/brres/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, brres::Brres)
