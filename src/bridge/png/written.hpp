// written.hpp: PNG files of pictures that were there before. A thousand models with the same textures are one run.
#pragma once
#include <mutex>
#include <unordered_map>

#include "bridge/png/png.hpp"

namespace dio::png {

/// Gives what write_png gives, and compresses equal pictures once, as long as they take no more than `k_most` bytes
/// together; what comes after them is compressed each time. Several threads may share one.
class Written {
 public:
  static constexpr size_t k_most = size_t(64) << 20;

  Bytes file_of(const scene::Image&);

 private:
  struct Known {
    scene::Image image;  // without a name, which is not in the file
    Bytes file;
  };
  std::mutex guard_;
  std::unordered_multimap<u64, Known> known_;  // by a hash of the picture
  size_t size_ = 0;
};

}  // namespace dio::png
