// make_motion.cpp: what animations of a scene move.
#include "formats/splashpack/make_motion.hpp"

#include <algorithm>

#include "scene/placing.hpp"

namespace dio::splashpack {
namespace {

using scene::Channel;
using scene::Vec4;

/// On the shorter way from one rotation to another.
Vec4 turned(const Vec4& a, const Vec4& b, f64 t) {
  f64 along = 0;
  for (size_t i = 0; i < 4; ++i) along += f64(a[i]) * b[i];
  const f64 sign = along < 0 ? -1 : 1, angle = std::acos(std::min(std::fabs(along), 1.0));
  f64 from = 1 - t, to = t;
  if (angle > 1e-4) from = std::sin((1 - t) * angle) / std::sin(angle), to = std::sin(t * angle) / std::sin(angle);
  std::array<f64, 4> q{};
  for (size_t i = 0; i < 4; ++i) q[i] = from * a[i] + to * sign * b[i];
  return scene::unit_quaternion(q[0], q[1], q[2], q[3]);
}

Vec4 value_at(const Channel& c, f64 time, f64 near) {
  const size_t next = size_t(std::ranges::upper_bound(c.times, time + near) - c.times.begin());
  if (next == 0) return c.values.front();
  const size_t last = next - 1;
  if (next == c.times.size() || c.interpolation == Channel::Interpolation::step || time - c.times[last] <= near)
    return c.values[last];
  const f64 t = (time - c.times[last]) / (f64(c.times[next]) - c.times[last]);
  if (c.target == Channel::Target::rotation) return turned(c.values[last], c.values[next], t);
  Vec4 out{};
  for (size_t i = 0; i < 3; ++i) out[i] = f32((1 - t) * c.values[last][i] + t * c.values[next][i]);
  return out;
}

}  // namespace

std::vector<Index> with_ancestors(const scene::Scene& s, std::span<const Index> nodes) {
  std::set<Index> all;
  for (Index n : nodes)
    for (; n != k_none && all.insert(n).second;) n = s.nodes[n].parent;
  return {all.begin(), all.end()};
}

Playing::Playing(const scene::Scene& s, const scene::Animation& animation, std::span<const Index> nodes) {
  std::map<Index, size_t> where;
  for (const Index n : nodes) {
    const auto parent = where.find(s.nodes[n].parent);
    where.emplace(n, moving_.size());
    moving_.push_back({&s.nodes[n], parent == where.end() ? nodes.size() : parent->second});
  }
  for (const Channel& c : animation.channels) {
    const auto known = where.find(c.node);
    if (known == where.end()) continue;
    moving_[known->second].channels[size_t(c.target)] = &c;
    first = std::min(first, f64(c.times.front()));
    last = std::max(last, f64(c.times.back()));
  }
}

void Playing::places_at(f64 time, f64 near, std::vector<Affine>& out) const {
  out.resize(moving_.size());
  for (size_t i = 0; i < moving_.size(); ++i) {
    const Moving& m = moving_[i];
    scene::Node node;
    node.translation = m.node->translation, node.rotation = m.node->rotation, node.scale = m.node->scale;
    const auto& [place, turn, size] = m.channels;
    if (place) std::ranges::copy_n(value_at(*place, time, near).begin(), 3, node.translation.begin());
    if (turn) node.rotation = value_at(*turn, time, near);
    if (size) std::ranges::copy_n(value_at(*size, time, near).begin(), 3, node.scale.begin());
    const Affine own = scene::affine_of(node);
    out[i] = m.parent == moving_.size() ? own : out[m.parent] * own;
  }
}

}  // namespace dio::splashpack
