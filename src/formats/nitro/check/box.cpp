// box.cpp: the bounding box of a model.
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_box_rule_table[] = {
    {"nitro.box", warning, "the bounding box encloses the model at rest",
     "Games draw a model only while its box is in view: with a wrong box, it vanishes too early, or is drawn although "
     "it cannot be seen.",
     "Set the box to the extent of the model that the message gives.", "3,865 of 3,886 real models; README, Models",
     Severities{hint}},
};

/// Files made to draw large lists many times must not take forever.
constexpr u64 k_most_bytes = 64 << 20;

struct Extremes {
  Point low{}, high{};
  bool empty = true;
  void add(const Point& p) {
    if (empty) low = high = p;
    empty = false;
    for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  }
};

std::optional<Extremes> extremes_of(const Model& m) {
  const Program program = run(m);
  if (!program.faults.empty()) return {};  // they have findings of their own
  const auto matrices = matrices_of(program, m, rest_pose(m));
  Extremes all;
  Geometry g;
  u64 bytes = 0;
  for (const Draw& d : program.draws) {
    if (d.list) bytes += d.list->size();
    if (bytes > k_most_bytes) return {};
    run_list(d, program, 0, g);
    if (!g.whole) return {};
    for (const Corner& c : g.corners) {
      if (c.matrix >= matrices.size()) return {};
      const f64 s = c.scale;
      all.add(matrices[c.matrix] * Point{c.position[0] * s, c.position[1] * s, c.position[2] * s});
    }
  }
  if (all.empty) return {};
  return all;
}

}  // namespace

constinit const std::span<const Rule> k_box_rules = k_box_rule_table;

void check_box(Reporter& r, const Model& m, const std::string& path) {
  const auto is = extremes_of(m);
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
    // some models of games have the other corner of a box of the right size
    r.report(right_size ? hint : warning, "nitro.box", in(in(path, "box"), axes[i]),
             {.message = text("along ", axes[i], ", the bounding box reaches from ", rounded(corner[i]), " to ",
                              rounded(corner[i] + size[i]), ", but the model from ", rounded(is->low[i]), " to ",
                              rounded(is->high[i]))});
  }
}

}  // namespace dio::nitro
