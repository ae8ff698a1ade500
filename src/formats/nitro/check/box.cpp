// box.cpp: the bounding box of a model.
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/extent.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_box_rule_table[] = {
    {"nitro.box", warning, "the bounding box encloses the model in its rest pose",
     "Games draw a model only while its box is in view. If the box is wrong, the model vanishes too early, or the game "
     "draws the model although it is out of view.",
     "Set the bounding box to the extent of the model, which is given in the message.",
     "3,865 of 3,886 game models follow this rule; src/formats/nitro/README.md#models", Severities{hint}},
};

}  // namespace

constinit const std::span<const Rule> k_box_rules = k_box_rule_table;

void check_box(Reporter& r, const Model& m, const std::string& path) {
  const auto is = compute_extent(m);
  if (!is) return;
  const f64 scale = m.box_scale.value();
  const f64 corner[] = {m.box.x.value() * scale, m.box.y.value() * scale, m.box.z.value() * scale};
  const f64 size[] = {m.box.width.value() * scale, m.box.height.value() * scale, m.box.depth.value() * scale};
  const char* axes[] = {"x", "y", "z"};
  bool right_size = true;
  const auto near = [&](size_t i, f64 a, f64 b) {
    return std::abs(a - b) <= std::abs(scale) / 512 + (is->high[i] - is->low[i]) / 1024;
  };
  for (size_t i = 0; i < 3; ++i) right_size &= near(i, size[i], is->high[i] - is->low[i]);
  for (size_t i = 0; i < 3; ++i) {
    if (near(i, corner[i], is->low[i]) && near(i, corner[i] + size[i], is->high[i])) continue;
    const auto rounded = [](f64 x) { return std::round(x * 1000) / 1000; };
    // some game models have a box of the right size with the opposite corner
    r.report(right_size ? hint : warning, "nitro.box", field_path(field_path(path, "box"), axes[i]),
             {.message = text("along ", axes[i], ", the bounding box spans ", rounded(corner[i]), " to ",
                              rounded(corner[i] + size[i]), ", but the model spans ", rounded(is->low[i]), " to ",
                              rounded(is->high[i]))});
  }
}

}  // namespace dio::nitro
