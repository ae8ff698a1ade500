// walks.cpp: the walks over archives and discs, compiled once.
#include "layout/walks.hpp"

#include "containers/parts.hpp"

DIORAMA_WALKS(, Narc)
DIORAMA_WALKS(, NdsRom)
DIORAMA_WALKS(, containers::LzFile)
DIORAMA_WALKS(, containers::DiscImage)
