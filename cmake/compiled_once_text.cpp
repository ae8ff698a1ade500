#include "compiled_once.hpp"

DIORAMA_TEXT_COMPILED_ONCE()
