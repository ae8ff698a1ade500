// load_options.hpp: what is said of a file that is read.
#pragma once
#include <optional>

#include "core/bytes.hpp"

namespace dio {

class PathTree;

struct LoadOptions {
  /// How the file is laid out, for formats whose files do not say it: a value of `Format::layouts`. What the user says
  /// goes before what the file looks like.
  std::optional<i64> layout = {};
  /// Of a trace: spans are made only of what these paths lead to. Null: of all.
  const PathTree* only = nullptr;
};

}  // namespace dio
