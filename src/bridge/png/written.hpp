// written.hpp: a cache of written PNG files. In one run, a thousand models may share the same textures.
#pragma once
#include <unordered_map>

#include "bridge/png/png.hpp"

namespace dio::png {

/// Files of pictures as write_png returns them, as long as they and the pictures take at most `k_most` bytes together;
/// later ones are not kept. Callers that share a cache between threads must lock it.
class Written {
 public:
  static constexpr size_t k_most = size_t(64) << 20;

  /// Null if the picture is not cached. Pictures that differ only in their name count as equal.
  const Bytes* find(const scene::Image&) const;
  void keep(const scene::Image&, const Bytes& file);

 private:
  struct Known {
    scene::Image image;  // without the name, which is not stored in the file
    Bytes file;
  };
  std::unordered_multimap<u64, Known> known_;  // by a hash of the picture
  size_t size_ = 0;
};

}  // namespace dio::png
