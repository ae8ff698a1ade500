// values.cpp: archives and discs as spans, and from JSON.
#include "layout/walks.hpp"

#include "containers/parts.hpp"

DIORAMA_VALUES(, Narc)
DIORAMA_VALUES(, NdsRom)
DIORAMA_VALUES(, containers::LzFile)
DIORAMA_VALUES(, containers::DiscImage)
