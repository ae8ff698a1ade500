// walks.cpp: archives and discs from bytes and to bytes.
#include "layout/walks.hpp"

#include "containers/parts.hpp"

DIORAMA_BYTES(, Narc)
DIORAMA_BYTES(, NdsRom)
DIORAMA_BYTES(, U8Archive)
DIORAMA_BYTES(, containers::LzFile)
DIORAMA_BYTES(, containers::Yaz0File)
DIORAMA_BYTES(, containers::DiscImage)
