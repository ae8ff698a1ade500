// source_dir.hpp: where the tree is that the tests were built from.
#pragma once
#include <filesystem>

namespace dio {

std::filesystem::path source_dir();

}  // namespace dio
