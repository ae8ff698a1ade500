// values.cpp: the files as spans, and from JSON.
#include "formats/egg/parts.hpp"
#include "layout/walks.hpp"

DIORAMA_VALUES(, egg::Blight)
DIORAMA_VALUES(, egg::Blmap)
DIORAMA_VALUES(, egg::Bfg)
DIORAMA_VALUES(, egg::Bblm)
DIORAMA_VALUES(, egg::Bdof)
