#include "formats/fft/scene/light.hpp"

#include <algorithm>
#include <cmath>

namespace dio::fft {

LightRig light_rig(const Lights& l) {
  LightRig rig;
  const std::array channels{&l.red, &l.green, &l.blue};
  for (size_t i = 0; i < 3; ++i) {
    rig.directions[i] = {l.directions[i].x.raw, l.directions[i].y.raw, l.directions[i].z.raw};
    for (size_t c = 0; c < 3; ++c) rig.colors[c][i] = (*channels[c])[i].raw;
  }
  rig.ambient = {l.ambient.red, l.ambient.green, l.ambient.blue};
  return rig;
}

bool normals_are_colors(const Lights& l) {
  const LightRig rig = light_rig(l);
  constexpr i16 k_one = 4096;
  constexpr std::array<std::array<i16, 3>, 3> k_axes{{{k_one, 0, 0}, {0, k_one, 0}, {0, 0, k_one}}};
  return rig.directions == k_axes && rig.colors == k_axes && rig.ambient == std::array<u8, 3>{};
}

LightRig rotate_light_rig(const LightRig& rig, const scene::Mat3d& rotation) {
  const auto stored = [](f64 x) { return i16(std::clamp(std::round(x), -32768.0, 32767.0)); };
  LightRig out = rig;
  for (auto& d : out.directions) {
    const scene::Point towards{f64(d[0]), f64(d[1]), f64(d[2])};
    for (size_t k = 0; k < 3; ++k) d[k] = stored(scene::dot(towards, rotation.columns[k]));
  }
  return out;
}

Intensity compute_vertex_intensity(const LightRig& rig, const Normal& n) {
  constexpr int k_fraction = 12;
  constexpr i64 k_most = 32767;  // of a 16-bit register that must not be negative
  const std::array<i64, 3> normal{n.x.raw, n.y.raw, n.z.raw};
  const auto product = [](const std::array<i16, 3>& row, const std::array<i64, 3>& v) {
    return (row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
  };
  std::array<i64, 3> towards{};
  for (size_t i = 0; i < 3; ++i)
    towards[i] = std::clamp<i64>(product(rig.directions[i], normal) >> k_fraction, 0, k_most);
  Intensity out{};
  for (size_t c = 0; c < 3; ++c) {
    const i64 sum = i64(rig.ambient[c]) * 16 + (product(rig.colors[c], towards) >> k_fraction);
    out[c] = u8(std::clamp<i64>(sum >> 4, 0, 255));
  }
  return out;
}

}  // namespace dio::fft
