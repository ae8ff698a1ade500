// samples.cpp: small packs made from nothing.
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

std::vector<Sample> pack_samples() {
  std::vector<Sample> all;
  for (const Word& w : k_layouts.words) {
    if (w.value >= u32(k_sections)) continue;
    Pack p;
    p.form = Layout(w.value);
    p.objects.resize(1);
    if (p.form == Layout::d) p.scripts.push_back({0, {'-', '-', ' ', 'x'}});
    p.objects[0].triangles.resize(2);
    Document<Pack> d;
    d.edit() = p;
    if (auto bytes = save(d))
      all.push_back({"scene_" + std::string(w.word) + ".bin", "layout " + std::string(w.word), *bytes});
  }
  return all;
}

std::vector<Sample> vram_samples() {
  Document<Vram> d;
  d.edit().atlases.push_back({64, 0, 2, 2, Bytes(8)});
  d.edit().cluts.push_back({0, 240, 0, {1, 2}});
  const auto bytes = save(d);
  return {{"scene.vram", "an atlas and a palette", bytes ? *bytes : Bytes()}};
}

std::vector<Sample> spu_samples() {
  Document<Spu> d;
  d.edit().clips.push_back({22050, 0, 0, Bytes(16)});
  const auto bytes = save(d);
  return {{"scene.spu", "a sound", bytes ? *bytes : Bytes()}};
}

}  // namespace dio::splashpack
