// corpus.hpp: the maps of the game, for tests that compare with them where somebody has them. The folder is
// named by DIORAMA_CORPUS, or ~/.cache/diorama-corpus; it has `platinum` in it.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/bytes.hpp"

namespace dio::test {

struct RealFile {
  std::string name;
  Bytes bytes;
};

inline std::filesystem::path real_path(std::string_view path) {
  namespace fs = std::filesystem;
  const char *folder = std::getenv("DIORAMA_CORPUS"), *home = std::getenv("HOME");
  const fs::path root = folder ? fs::path(folder) : fs::path(home ? home : ".") / ".cache/diorama-corpus";
  return root / "platinum" / path;
}
/// A file of the game; empty if it does not exist.
inline Bytes real_file(std::string_view path) {
  std::ifstream in(real_path(path), std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}
/// The files in a folder with this extension, sorted by name; empty if there are none.
inline std::vector<RealFile> real_folder(std::string_view folder, std::string_view extension) {
  std::vector<RealFile> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(real_path(folder), error)) {
    if (entry.path().extension() != extension) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files.push_back({entry.path().filename().string(), Bytes(std::istreambuf_iterator<char>(in), {})});
  }
  std::sort(files.begin(), files.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return files;
}
/// The files that a list names, one each line.
inline std::vector<RealFile> real_list(const std::string& folder, const std::string& list) {
  std::vector<RealFile> files;
  std::ifstream names(real_path(folder + "/" + list));
  for (std::string name; std::getline(names, name);) files.push_back({name, real_file(folder + "/" + name)});
  return files;
}
/// All land data, in the order of their numbers.
inline std::vector<RealFile> real_lands() { return real_folder("res/field/maps/data", ".bin"); }

}  // namespace dio::test
