// path_shape.hpp: paths without regard to their indices, for findings that say the same in many places.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostic.hpp"

namespace dio::report {

/// Where the indices of a path are: `POTI.entries[3].points[17]` has two. The path has to stay.
class PathShape {
 public:
  explicit PathShape(std::string_view path);
  size_t size() const { return indices_.size(); }
  u64 index_value(size_t index) const;
  /// The path with something else in the brackets of this index.
  std::string replace_index(size_t index, std::string_view instead) const;
  /// The path with # in its brackets: `POTI.entries[#].points[#]`.
  std::string with_index_placeholders() const;

 private:
  std::string_view path_;
  std::vector<std::pair<size_t, size_t>> indices_;  // first digit, number of digits
};

/// File, id, shape of the path, and words: diagnostics with the same key say the same of places of the same kind. The
/// key of what JSON has kept of a diagnostic is that of the diagnostic.
std::string diagnostic_key(const Diagnostic&);

}  // namespace dio::report
