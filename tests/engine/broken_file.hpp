// broken_file.hpp: a file that breaks a rule, as the damaged.hpp of the families make them.
#pragma once
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace dio::test {

/// A file that breaks a rule, by as little as possible.
struct BrokenFile {
  std::string_view id;                      // of the rule
  std::string_view path;                    // where the finding must be; empty: bytes without a path
  std::string_view format;                  // of the file
  Bytes bytes;                              // empty: it could not be made
  std::vector<std::string_view> also = {};  // other rules that cannot but see it as well
  bool alone = false;                       // somebody has looked for what belongs to it, and nothing is there
};

}  // namespace dio::test
