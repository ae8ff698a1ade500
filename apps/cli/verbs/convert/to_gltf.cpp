// A file as glTF.
#include "../../input/stage.hpp"
#include "bridge/gltf/gltf.hpp"
#include "convert.hpp"

namespace dio::cli {

Bytes Pictures::png_of(const scene::Image& image) {
  {
    const std::lock_guard lock(guard_);
    if (const Bytes* file = written_.find(image)) return *file;
  }
  Bytes file = png::write_png(image);
  const std::lock_guard lock(guard_);
  written_.keep(image, file);
  return file;
}

std::optional<Converted> to_gltf(const Conversion& c, const Opened& opened) {
  const auto staged = stage_input(c.request, c.input, opened, c.companions.of(opened), c.report);
  if (!staged) return {};
  const auto png = [&](const scene::Image& i) { return c.pictures.png_of(i); };
  if (c.target.name == "glb") {
    auto glb = gltf::write_glb(staged->scene, {.png = png});
    return glb ? std::optional<Converted>(std::move(*glb)) : c.stop(glb.error());
  }
  const auto text = gltf::write_gltf(staged->scene, {.png = png});
  return text ? std::optional<Converted>(Bytes(text->begin(), text->end())) : c.stop(text.error());
}

}  // namespace dio::cli
