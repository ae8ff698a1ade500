// shared_names.hpp: names that several files have in common (layout/reference.hpp): where an element is renamed, files
// that mean it follow. In the file itself, they follow by themselves (Editing::set).
#pragma once
#include <string>
#include <vector>

#include "operations/editing.hpp"

namespace dio {

class SharedNames {
 public:
  /// Notes what the last edit of a file has renamed.
  void record_renames(const Editing&);
  /// Has the names in another file follow all that was noted, as one edit. Returns how many do. Ids: those of
  /// Editing::set.
  Result<u64> follow(Editing& other) const;
  bool is_empty() const { return renamed_.empty(); }

 private:
  struct SharedRename {
    std::string kind, was, is;  // material, wall, stone
  };
  std::vector<std::vector<SharedRename>> renamed_;  // by edit: in one, names may be exchanged
};

}  // namespace dio
