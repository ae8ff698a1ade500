// values.cpp: messages as spans, and from JSON.
#include "formats/bmg/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, bmg::Bmg)
