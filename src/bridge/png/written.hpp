// written.hpp: PNG files of pictures that were there before. A thousand models with the same textures are one run.
#pragma once
#include <unordered_map>

#include "bridge/png/png.hpp"

namespace dio::png {

/// Files of pictures, as write_png gives them, as long as they and the pictures take no more than `k_most` bytes
/// together; what comes after that is not kept. Who shares one between threads guards it.
class Written {
 public:
  static constexpr size_t k_most = size_t(64) << 20;

  /// Null: it is not here. Pictures that differ by their name alone are the same.
  const Bytes* find(const scene::Image&) const;
  void keep(const scene::Image&, const Bytes& file);

 private:
  struct Known {
    scene::Image image;  // without a name, which is not in the file
    Bytes file;
  };
  std::unordered_multimap<u64, Known> known_;  // by a hash of the picture
  size_t size_ = 0;
};

}  // namespace dio::png
