#include "compiled_once.hpp"

DIORAMA_SCENES_COMPILED_ONCE()
