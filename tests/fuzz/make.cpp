// make.cpp: any bytes as a glTF scene that files are made of, in the way that the last byte picks. What is made can
// be loaded, checked and shown; what cannot be made says why.
#include <algorithm>
#include <cstdlib>

#include "bridge/gltf/reader.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "fuzz/require.hpp"
#include "operations/operations.hpp"

using namespace dio;

namespace {

/// What options may say; those that a format does not know are not told.
struct Told {
  std::string_view option;
  std::initializer_list<const char*> values;  // the first: nothing is said
  std::string_view format = {};               // of the values; empty: all that have the option
};
const Told k_told[] = {{"layout", {"d", "e", "v20", "v21", "v24"}},
                       {"scaling", {"100", "1", "10000", "1000000"}},
                       {"subdivide", {"", "none"}},
                       {"units-per-metre", {"", "16", "0.01", "5000"}},
                       {"textures", {"", "apart"}},
                       {"texture-format", {"", "palette4", "block4x4", "a5i3", "direct"}, "nsbmd"},
                       {"texture-format", {"", "i4", "ia8", "rgb5a3", "rgba32", "cmpr"}, "brres"},
                       {"mipmaps", {"", "no"}},
                       {"largest-texture", {"", "8", "64"}},
                       {"quads", {"", "no"}},
                       {"frames", {"", "30", "1000"}}};

void make(const Format& format, const scene::Scene& scene, u8 way) {
  std::vector<Argument> told;
  for (const Told& t : k_told) {
    if (!t.format.empty() && t.format != format.id) continue;
    if (std::ranges::find(format.making->options, t.option, &MakeOption::name) == format.making->options.end())
      continue;
    const char* value = t.values.begin()[way % t.values.size()];
    if (*value) told.push_back({std::string(t.option), value});
    way = u8(way * 5 + 3);
  }
  const auto made = format.making->make(scene, told);
  if (!made) {
    require(made.error().id != "make.argument", "an option is used as it should be");
    require(!made.error().id.empty() && !format_one_line(made.error()).empty(), "a refusal says why");
    return;
  }
  require(!made->files.empty(), "something was made");
  if (format.making->make_archive && way % 4 == 0) {
    const auto archive = format.making->make_archive(scene, {}, MemoryTree(), {});
    require(!archive || open(archive->files.at(0).bytes, "made" + archive->files[0].extension).has_value(),
            "an archive that was made is one");
  }
  for (const BuiltFile& file : made->files) {
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
  const char* only = std::getenv("DIORAMA_FUZZ_FORMAT");
  for (const Format* format : formats())
    if (format->making && (!only || !*only || format->id == only)) make(*format, read->document, data[size - 1]);
  return 0;
}
