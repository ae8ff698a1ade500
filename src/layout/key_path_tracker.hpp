// key_path_tracker.hpp: the current path of a walk and the reason why it stopped, for walks over a document, which have
// no spans.
#pragma once
#include <string>
#include <vector>

#include "layout/key.hpp"

namespace dio {

class KeyPathTracker {
 public:
  // The part that could not be written or placed; valid if refused().
  const char* id = nullptr;        // layout.overflow
  const char* expected = nullptr;  // a static text
  std::string found, path;

  bool refused() const { return id; }
  void open(const Key& k) { way_.push_back(k); }
  void close() { way_.pop_back(); }
  /// Keeps the first error; `k` is the field at fault.
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
  /// Reports a list whose length differs from the length given by other fields.
  void refuse_length(u64 wanted, u64 given) {
    if (id) return;
    found = std::to_string(given) + (given == 1 ? " element" : " elements") + " instead of " + std::to_string(wanted);
    refuse("layout.requires", "the length given by other fields");
  }

 private:
  std::vector<Key> way_;
};

}  // namespace dio
