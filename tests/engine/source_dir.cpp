#include "engine/source_dir.hpp"

namespace dio {

std::filesystem::path source_dir() { return DIORAMA_SOURCE_DIR; }

}  // namespace dio
