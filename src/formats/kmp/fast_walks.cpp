// fast_walks.cpp: a course from bytes and to bytes.
#include "formats/kmp/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_FAST_BYTES(, kmp::Kmp)
