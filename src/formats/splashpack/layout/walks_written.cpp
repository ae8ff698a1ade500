// The walk of packs to bytes: the largest of all, so it is not compiled along with the one from bytes.
#include "formats/splashpack/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_WRITING(, splashpack::Pack)
