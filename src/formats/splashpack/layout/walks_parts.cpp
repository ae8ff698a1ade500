// walks_parts.cpp: compiles the walks for companion files and separate parts of packs: bytes, spans and JSON.
#include "formats/splashpack/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_WALKS(, splashpack::Vram)
DIORAMA_WALKS(, splashpack::Spu)
DIORAMA_WALKS(, splashpack::Geo)
DIORAMA_WALKS(, splashpack::GeoTriangles)
DIORAMA_PART(, splashpack::UiFont)
DIORAMA_PART(, splashpack::UiCanvas)
DIORAMA_PART(, splashpack::UiElement)
