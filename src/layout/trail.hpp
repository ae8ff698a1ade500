// trail.hpp: the way to where a walk stands, and why it could not go on there. For walks over a document, which know no
// spans.
#pragma once
#include <string>
#include <vector>

#include "layout/key.hpp"

namespace dio {

class Trail {
 public:
  // What could not be written or placed; meaningful if refused().
  const char* id = nullptr;        // layout.overflow
  const char* expected = nullptr;  // a text of the program
  u64 at = 0;                      // offset in the file
  std::string path;

  bool refused() const { return id; }
  void open(Key k) { way_.push_back(k); }
  void close() { way_.pop_back(); }
  /// Keeps the first refusal. `k` is the field at fault; an element of no list: the structure the walk is in.
  void refuse(const char* why, const char* wanted, u64 offset, Key k = Key::element(~u64(0))) {
    if (id) return;
    id = why, expected = wanted, at = offset;
    way_.push_back(k);
    for (const Key& step : way_) {
      if (step.name) path += (path.empty() ? "" : ".") + std::string(step.name);
      else if (step.index != ~u64(0)) path += "[" + std::to_string(step.index) + "]";
    }
    way_.pop_back();
  }

 private:
  std::vector<Key> way_;
};

}  // namespace dio
