// A file as glTF.
#include "../../input/build_scene.hpp"
#include "bridge/gltf/gltf.hpp"
#include "convert.hpp"

namespace dio::cli {

Bytes Pictures::encode_png(const scene::Image& image) {
  {
    const std::lock_guard lock(guard_);
    if (const Bytes* file = written_.find(image)) return *file;
  }
  Bytes file = png::write_png(image);
  const std::lock_guard lock(guard_);
  written_.keep(image, file);
  return file;
}

std::optional<ConversionResult> convert_to_gltf(const Conversion& c, const OpenedFile& opened) {
  const auto staged = build_input_scene(c.request, c.input, opened, c.companions.of(opened), c.report);
  if (!staged) return {};
  const auto png = [&](const scene::Image& i) { return c.pictures.encode_png(i); };
  if (c.target.name == "glb") {
    auto glb = gltf::write_glb(staged->scene, {.png = png});
    return glb ? std::optional<ConversionResult>(std::move(*glb)) : c.report_failure(glb.error());
  }
  const auto text = gltf::write_gltf(staged->scene, {.png = png});
  return text ? std::optional<ConversionResult>(Bytes(text->begin(), text->end())) : c.report_failure(text.error());
}

}  // namespace dio::cli
