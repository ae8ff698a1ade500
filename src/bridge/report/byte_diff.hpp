// byte_diff.hpp: compares two files byte by byte.
#pragma once
#include <string>
#include <vector>

#include "core/value.hpp"
#include "layout/spans.hpp"

namespace dio::report {

/// A run of different bytes; equal bytes inside it are fewer than four in a row. At the end, one side may be shorter.
struct ByteRun {
  u64 offset = 0;
  Bytes before, after;
  std::string path;  // of the value at its start; empty if unknown
};
/// `spans`: of the first file, for the paths; may be null.
std::vector<ByteRun> byte_diff(ByteView a, ByteView b, const Spans* spans);

/// Same, with each run extended to whole values.
std::vector<ByteRun> value_diff(ByteView a, ByteView b, const Spans& spans);

/// {"schema": "diorama.diff-bytes/1", "changes": [{"offset", "old", "new", "path"?}]}
Value byte_diff_json(const std::vector<ByteRun>&);

}  // namespace dio::report
