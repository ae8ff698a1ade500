// walks.cpp: a course from bytes and to bytes.
#include "layout/walks.hpp"

#include "formats/kmp/parts.hpp"

DIORAMA_BYTES(, kmp::Kmp)
