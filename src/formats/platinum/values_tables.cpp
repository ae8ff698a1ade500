// values_tables.cpp: the tables as spans, and from JSON.
#include "formats/platinum/parts.hpp"

DIORAMA_PLATINUM_TABLES(DIORAMA_VALUES, )
