// gltf.cpp: any bytes as a glTF file, or as an OBJ file with itself as its material file. What is read is a scene that
// can be written and read again; from then on it stays the same. What is not gives a diagnostic.
#include "bridge/gltf/gltf.hpp"

#include "bridge/gltf/reader.hpp"
#include "bridge/jpeg/jpeg.hpp"
#include "bridge/obj/obj.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/require.hpp"

using namespace dio;

namespace {

void explained(const Diagnostic& d) { require(!d.id.empty() && !format_one_line(d).empty(), "a refusal says why"); }

Bytes written(const scene::Scene& scene) {
  auto glb = gltf::write_glb(scene);
  require(glb.has_value(), "what was read can be written");
  return *std::move(glb);
}

Bytes again(ByteView glb) {
  const auto read = gltf::read(glb);
  require(read.has_value(), "what was written can be read");
  return written(read->document);
}

void check_scene(const Result<LoadResult<scene::Scene>>& read) {
  if (!read) return explained(read.error());
  for (const Diagnostic& note : read->notes) explained(note);
  require(scene::verify(read->document).empty(), "what was read is a scene");
  draw_all_sides(read->document);
  const Bytes once = again(written(read->document));
  require(again(once) == once, "what was written stays the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  const ByteView input(data, size);
  if (auto image = jpeg::read_jpeg(input, 1 << 16); !image) explained(image.error());
  // Any name of another file leads to the input itself.
  const auto resolve = [&](const std::string& name) -> Result<Bytes> {
    require(!name.empty() && name.front() != '/' && ("/" + name + "/").find("/../") == name.npos, "no path leads out");
    return Bytes(data, data + size);
  };
  check_scene(gltf::read(input, resolve));
  check_scene(obj::read(input, resolve));
  return 0;
}
