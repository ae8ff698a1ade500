// values.cpp: a course as spans, and from JSON.
#include "formats/kmp/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, kmp::Kmp)
