// load_options.hpp: options for reading a file.
#pragma once
#include <optional>

#include "core/bytes.hpp"

namespace dio {

class PathTree;

struct LoadOptions {
  /// The layout of the file, for formats that do not record it: a value of `Format::layouts`. It overrides detection.
  std::optional<i64> layout = {};
  /// For a trace: creates spans only for these paths. Null: for everything.
  const PathTree* only = nullptr;
  /// The bytes outlive the document, so that large contents need no copies (FileBytes).
  bool stays = false;
};

}  // namespace dio
