// edits.cpp: any bytes as a file of any format whose lists and numbers are edited, undone, and merged with other edits.
// What was asked for is there, and everything undone gives the file again. DIORAMA_FUZZ_FORMAT=id takes all inputs for
// files of that format.
#include <cstdlib>
#include <cstring>

#include "engine/random_edits.hpp"
#include "fuzz/require.hpp"
#include "operations/merging.hpp"
#include "operations/operations.hpp"

using namespace dio;

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  if (size < 8 || size > 16384) return 0;  // larger ones take seconds
  const Bytes file(data, data + size);
  const char* id = std::getenv("DIORAMA_FUZZ_FORMAT");
  ReadAs as = id && *id ? find_format_and_layout(id) : ReadAs();
  if (!as) {
    const auto found = detect(file, "file");
    if (!found) return 0;
    as.format = found->format;
  }
  u64 seed;
  std::memcpy(&seed, data + size - 8, 8);
  auto begun = Editing::begin(file, as);
  if (!begun) {
    require(!format_one_line(begun.error()).empty(), "a refusal says why");
    return 0;
  }
  for (u64 k = 0; k < 2; ++k) {
    const std::string broken = test::broken_promise(*begun, seed + 7 * k);
    require(broken.empty(), broken.c_str());
  }
  test::random_edits(*begun, seed, 3);
  const Bytes ours = begun->bytes();
  while (begun->can_undo()) begun->undo();
  require(begun->bytes() == file, "what is undone is the file again");
  while (begun->can_redo()) begun->redo();
  require(begun->bytes() == ours, "what is done again is the same");
  const auto merged = merge(file, ours, test::edited_at_random(file, as, seed + 1, 2), "file", as);
  if (merged && merged->collisions.empty())
    require(bool(open(Bytes(merged->bytes), "file", as)), "what is merged can be read");
  return 0;
}
