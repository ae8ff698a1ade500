// walks_parts.cpp: the files beside packs, and parts of packs by themselves, from bytes and to bytes, as spans, and
// from JSON.
#include "formats/splashpack/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_WALKS(, splashpack::Vram)
DIORAMA_WALKS(, splashpack::Spu)
DIORAMA_WALKS(, splashpack::Geo)
DIORAMA_WALKS(, splashpack::GeoTriangles)
DIORAMA_PART(, splashpack::UiFont)
DIORAMA_PART(, splashpack::UiCanvas)
DIORAMA_PART(, splashpack::UiElement)
