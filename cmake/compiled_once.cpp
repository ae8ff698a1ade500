#include "compiled_once.hpp"

DIORAMA_COMPILED_ONCE()
