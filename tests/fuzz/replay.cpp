// replay.cpp: runs a fuzz target, without libFuzzer, on the files of folders: the inputs that are kept.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Of libFuzzer: custom mutators call it, which nothing calls here.
extern "C" size_t LLVMFuzzerMutate(uint8_t*, size_t, size_t) { return 0; }

int main(int argc, char** argv) {
  size_t count = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const dio::Bytes bytes{std::istreambuf_iterator<char>(file), {}};
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      ++count;
    }
  std::printf("%zu passed, %d failed\n", count, count ? 0 : 1);
  return count == 0;
}
