// key_path_tracker.hpp: the current path of a walk, and why it stopped there. For walks over a document, which have no
// spans.
#pragma once
#include <string>
#include <vector>

#include "layout/key.hpp"

namespace dio {

class KeyPathTracker {
 public:
  // What could not be written or placed; meaningful if refused().
  const char* id = nullptr;        // layout.overflow
  const char* expected = nullptr;  // a text of the program
  std::string found, path;

  bool refused() const { return id; }
  void open(const Key& k) { way_.push_back(k); }
  void close() { way_.pop_back(); }
  /// Keeps the first refusal; `k` is the field at fault.
  void refuse(const char* why, const char* wanted, const Key& k = k_the_structure) {
    if (id) return;
    id = why, expected = wanted;
    way_.push_back(k);
    for (const Key& step : way_) {
      if (step.name)
        path += (path.empty() ? "" : ".") + std::string(step.name);
      else if (step.index != k_the_structure.index)
        path += "[" + std::to_string(step.index) + "]";
    }
    way_.pop_back();
  }
  /// A list without as many elements as other fields give it.
  void refuse_length(u64 wanted, u64 given) {
    if (id) return;
    found = std::to_string(given) + " instead of " + std::to_string(wanted);
    refuse("layout.requires", "as many elements as other fields require");
  }

 private:
  std::vector<Key> way_;
};

}  // namespace dio
