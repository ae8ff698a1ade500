// values.cpp: archives and discs as spans, and from JSON.
#include "containers/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, Narc)
DIORAMA_VALUES(, NdsRom)
DIORAMA_VALUES(, U8Archive)
DIORAMA_VALUES(, containers::LzFile)
DIORAMA_VALUES(, containers::Yaz0File)
DIORAMA_VALUES(, containers::DiscImage)
