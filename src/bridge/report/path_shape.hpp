// path_shape.hpp: paths without their indices, for findings with the same message in many places.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostic.hpp"

namespace dio::report {

/// The positions of the indices of a path: `POTI.entries[3].points[17]` has two. The path must outlive it.
class PathShape {
 public:
  explicit PathShape(std::string_view path);
  size_t size() const { return indices_.size(); }
  u64 index_value(size_t index) const;
  /// The path with another text in the brackets of this index.
  std::string replace_index(size_t index, std::string_view instead) const;
  /// The path with # in its brackets: `POTI.entries[#].points[#]`.
  std::string with_index_placeholders() const;

 private:
  std::string_view path_;
  std::vector<std::pair<size_t, size_t>> indices_;  // first digit, number of digits
};

/// File, id, shape of the path, and message: diagnostics with the same key have the same message about locations of the
/// same kind. A diagnostic read back from JSON has the same key.
std::string diagnostic_key(const Diagnostic&);

}  // namespace dio::report
