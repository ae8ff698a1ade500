// values_tables.cpp: the tables as spans, and from JSON.
#include "formats/platinum/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_PLATINUM_TABLES(DIORAMA_VALUES, )
