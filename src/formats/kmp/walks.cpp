// walks.cpp: a course as spans, and from JSON.
#include "layout/walks.hpp"

#include "formats/kmp/parts.hpp"

DIORAMA_VALUES(, kmp::Kmp)
