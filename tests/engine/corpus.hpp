// corpus.hpp: files of games, where they are at hand (DIORAMA_CORPUS, or ~/.cache/diorama-corpus), in folders by
// console.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/bytes.hpp"

namespace dio::test {

/// All below a folder ("wii") that have an extension (".kcl"), in order.
inline std::vector<std::filesystem::path> corpus_files(const char* console, const char* extension) {
  namespace fs = std::filesystem;
  const char *folder = std::getenv("DIORAMA_CORPUS"), *home = std::getenv("HOME");
  const fs::path root = folder ? fs::path(folder) / console
                        : home ? fs::path(home) / ".cache/diorama-corpus" / console
                               : fs::path();
  std::vector<fs::path> found;
  if (!fs::is_directory(root)) return found;
  for (const auto& file : fs::recursive_directory_iterator(root))
    if (file.path().extension() == extension) found.push_back(file.path());
  std::sort(found.begin(), found.end());
  return found;
}
inline Bytes read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace dio::test
