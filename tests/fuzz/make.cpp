// make.cpp: any bytes as a glTF scene that files are made of, in the way that the last byte picks. What is made can
// be loaded, checked and shown; what cannot be made says why.
#include "bridge/gltf/reader.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/making.hpp"
#include "fuzz/require.hpp"
#include "operations/operations.hpp"

using namespace dio;

namespace {

constexpr const char* k_layouts[] = {"d", "e", "v20", "v21", "v24"};
constexpr const char* k_scalings[] = {"100", "1", "10000", "1000000"};

void make(const Format& format, const scene::Scene& scene, u8 way) {
  std::vector<Argument> told = {{"layout", k_layouts[way % 5]}, {"scaling", k_scalings[way / 5 % 4]}};
  if (way & 0x80) told.push_back({"subdivide", "none"});
  const auto made = format.making->make(scene, told);
  if (!made) {
    require(!made.error().id.empty() && !to_line(made.error()).empty(), "a refusal says why");
    return;
  }
  require(!made->files.empty(), "something was made");
  for (const MadeFile& file : made->files) {
    const auto opened = open(file.bytes, "made" + file.extension);
    require(opened.has_value(), "what was made is a file of its format");
    const auto again = opened->document->save({});
    require(again && *again == file.bytes, "what was made comes back byte for byte");
    (void)check(*opened);
    if (opened->format->scenes) (void)to_scene(*opened);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  if (size < 1) return 0;
  const auto read = gltf::read(ByteView(data, size));
  if (!read) return 0;
  for (const Format* format : formats())
    if (format->making) make(*format, read->document, data[size - 1]);
  return 0;
}
