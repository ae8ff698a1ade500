#include "formats/nitro/from_scene/model_box.hpp"

#include <algorithm>
#include <cmath>

#include "formats/nitro/from_scene/skeleton.hpp"

namespace dio::nitro {

void set_model_box(Model& m, const Extent& extent) {
  const auto& [low, high] = extent;
  f64 largest = 0;
  for (size_t i = 0; i < 3; ++i) largest = std::max({largest, std::fabs(low[i]), high[i] - low[i]});
  f64 scale = 1;
  while (largest / scale * 4096 > 32767 && scale < 65536) scale *= 2;
  m.box_scale = to_fx32(scale), m.inverse_box_scale = to_fx32(1 / scale);
  const auto narrow = [&](f64 x) { return fx16{i16(std::clamp(std::round(x / scale * 4096), -32768.0, 32767.0))}; };
  m.box = {narrow(low[0]),           narrow(low[1]),           narrow(low[2]),
           narrow(high[0] - low[0]), narrow(high[1] - low[1]), narrow(high[2] - low[2])};
}

void enlarge_model_box(Model& m, const std::optional<Extent>& before) {
  const auto now = compute_extent(m);
  if (!now) return;
  const f64 scale = m.box_scale.value(), step = scale / 2048;
  const scene::Point low{m.box.x.value() * scale, m.box.y.value() * scale, m.box.z.value() * scale};
  const scene::Point size{m.box.width.value() * scale, m.box.height.value() * scale, m.box.depth.value() * scale};
  bool is_out = false;
  Extent all = *now;
  for (size_t i = 0; i < 3; ++i) {
    const f64 high = low[i] + size[i];
    // If the model reached out of the box before, the box does not describe its extent.
    is_out = is_out || (now->low[i] < low[i] - step && !(before && before->low[i] < low[i] - step));
    is_out = is_out || (now->high[i] > high + step && !(before && before->high[i] > high + step));
    all.low[i] = std::min(all.low[i], low[i]), all.high[i] = std::max(all.high[i], high);
  }
  if (is_out) set_model_box(m, all);
}

}  // namespace dio::nitro
