// walks.cpp: archives and discs from bytes and to bytes, as spans, and from JSON.
#include "layout/walks.hpp"

#include "containers/parts.hpp"

DIORAMA_WALKS(, Narc)
DIORAMA_WALKS(, NdsRom)
DIORAMA_WALKS(, U8Archive)
DIORAMA_WALKS(, containers::LzFile)
DIORAMA_WALKS(, containers::Yaz0File)
DIORAMA_WALKS(, containers::DiscImage)
