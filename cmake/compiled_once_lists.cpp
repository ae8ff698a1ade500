#include "compiled_once.hpp"

DIORAMA_LISTS_COMPILED_ONCE()
