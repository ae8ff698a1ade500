// walks_tables.cpp: compiles the walks over the tables: reading, writing, spans and JSON.
#include "formats/platinum/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_PLATINUM_TABLES(DIORAMA_WALKS, )
