// platinum_corpus.hpp: the maps of the game, for tests that compare with them where somebody has them. The folder is
// named by DIORAMA_CORPUS, or ~/.cache/diorama-corpus; it has `platinum` in it.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "layout/bytes.hpp"

namespace dio::test {

struct RealFile {
  std::string name;
  Bytes bytes;
};

/// All land data, in the order of their numbers; empty: nobody has them here.
inline std::vector<RealFile> real_lands() {
  namespace fs = std::filesystem;
  const char *folder = std::getenv("DIORAMA_CORPUS"), *home = std::getenv("HOME");
  const fs::path root = folder ? fs::path(folder) : fs::path(home ? home : ".") / ".cache/diorama-corpus";
  std::vector<RealFile> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "platinum/res/field/maps/data", error)) {
    if (entry.path().extension() != ".bin") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files.push_back({entry.path().filename().string(), Bytes(std::istreambuf_iterator<char>(in), {})});
  }
  std::sort(files.begin(), files.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return files;
}

}  // namespace dio::test
