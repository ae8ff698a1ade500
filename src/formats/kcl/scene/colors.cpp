#include "formats/kcl/scene/colors.hpp"

namespace dio::kcl {

scene::Vec4 color_of_type(u8 type) {
  static constexpr scene::Vec4 k_colors[32] = {
      {.8f, .8f, .85f, 1},  {1, .9f, .8f, 1}, {0, .8f, 0, 1},     {0, .6f, 0, 1},      {0, .4f, 0, 1},
      {.8f, .9f, 1, 1},     {1, .5f, 0, 1},   {1, .6f, 0, 1},     {1, .8f, 0, 1},      {.9f, .9f, 1, .5f},
      {.7f, .1f, .1f, 1},   {0, .5f, 1, 1},   {.6f, .6f, .6f, 1}, {0, 0, .6f, .8f},    {.6f, .6f, .7f, .5f},
      {.6f, .6f, .6f, 1},   {.8f, 0, 0, .8f}, {1, 0, .5f, .8f},   {.5f, 0, 1, .5f},    {0, .3f, 1, 1},
      {.8f, .4f, 0, .8f},   {.9f, .9f, 1, 1}, {.9f, .7f, 1, 1},   {.7f, .7f, .75f, 1}, {1, 0, 1, .8f},
      {.4f, .6f, .4f, .8f}, {.8f, 0, 1, .8f}, {1, 0, 1, .5f},     {0, .6f, 0, .8f},    {.9f, .9f, 1, 1},
      {.8f, .7f, .8f, 1},   {0, 0, .6f, .8f}};
  return k_colors[type & 31];
}

scene::Vec4 color_of_attribute(u16 attribute) {
  // steps of the golden ratio around the circle of hues, which is cut into six
  const f32 turn = f32((u32(attribute) * 40503u) & 0xFFFF) / 65536 * 6;
  const auto channel = [&](f32 shift) {
    f32 x = turn + shift;
    if (x >= 6) x -= 6;
    const f32 high = x < 1 ? x : x < 3 ? 1 : x < 4 ? 4 - x : 0;
    return .4f + .6f * high;
  };
  return {channel(2), channel(0), channel(4), 1};
}

}  // namespace dio::kcl
