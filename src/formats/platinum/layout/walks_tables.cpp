// walks_tables.cpp: the walks over the tables as bytes, compiled once.
#include "formats/platinum/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_PLATINUM_TABLES(DIORAMA_BYTES, )
