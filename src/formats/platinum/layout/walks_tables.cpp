// walks_tables.cpp: the tables from bytes and to bytes, as spans, and from JSON.
#include "formats/platinum/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_PLATINUM_TABLES(DIORAMA_WALKS, )
