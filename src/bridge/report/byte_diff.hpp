// byte_diff.hpp: where two files differ, byte for byte.
#pragma once
#include <string>
#include <vector>

#include "core/value.hpp"
#include "layout/spans.hpp"

namespace dio::report {

/// A run of bytes that differ; equal bytes in it are fewer than four in a row. At the end, one side may be shorter.
struct ByteRun {
  u64 offset = 0;
  Bytes before, after;
  std::string path;  // of the value at its start; empty if that is not known
};
/// `spans`: of the first file, for the paths; may be null.
std::vector<ByteRun> byte_diff(ByteView a, ByteView b, const Spans* spans);

/// The same with each run grown to the whole values it touches: for people who think in values.
std::vector<ByteRun> value_diff(ByteView a, ByteView b, const Spans& spans);

/// {"schema": "diorama.diff-bytes/1", "changes": [{"offset", "old", "new", "path"?}]}
Value byte_diff_json(const std::vector<ByteRun>&);

}  // namespace dio::report
