// json.cpp: any text as JSON, and as a decoded document: read, write, encode. What encodes must load again.
// Samples of the formats, which are among the seeds, count as their decoded text.
#include "core/json.hpp"

#include "formats/contract/format.hpp"
#include "fuzz/require.hpp"
#include "operations/operations.hpp"

using namespace dio;

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = json::read(text);
  if (!value) return 0;
  const auto again = json::read(json::write(*value));
  require(again && *again == *value, "what was written reads the same");
  if (const auto bytes = encode(*value, {.canonical = false, .lossy = size % 2 == 0})) {
    const Format* format = find_format(value->find("format")->text());
    require(bool(open(*bytes, "encoded", format)), "what encodes loads");
  }
  return 0;
}

/// A mutated sample becomes the text it decodes to, now and then, so that the fuzzer finds its way into documents.
extern "C" size_t LLVMFuzzerMutate(u8* data, size_t size, size_t most);
extern "C" size_t LLVMFuzzerCustomMutator(u8* data, size_t size, size_t most, unsigned seed) {
  if (size && data[0] != '{' && seed % 4 == 0)
    if (auto opened = open(Bytes(data, data + size), "seed")) {
      const std::string text = json::write(decode(*opened), {.indent = 0});
      if (text.size() <= most) return std::copy(text.begin(), text.end(), data), text.size();
    }
  return LLVMFuzzerMutate(data, size, most);
}
