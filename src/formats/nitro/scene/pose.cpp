#include "formats/nitro/scene/pose.hpp"

#include <algorithm>

#include "formats/nitro/layout/curves.hpp"

namespace dio::nitro {
namespace {

Point point_of(const Vec3& v) { return {v.x.value(), v.y.value(), v.z.value()}; }

/// The sample at an index; the last one if a damaged file has too few, 0 if it has none.
f64 sample_at(const auto& samples, u64 i) {
  return samples.empty() ? 0 : f64(samples[size_t(std::min<u64>(i, samples.size() - 1))]);
}
f64 interpolate_samples(const auto& samples, const CurvePlace& p, u64 width = 1, u64 part = 0) {
  const f64 a = sample_at(samples, p.first * width + part);
  return p.weight == 0 ? a : a + (sample_at(samples, p.second * width + part) - a) * p.weight;
}

CurvePlace locate_curve_frame(const JointAnimation& a, const Curve& c, f64 frame) {
  if (a.interpolate) return locate_fractional_frame(c.step, c.last, a.frames, a.interpolate_last, frame);
  return locate_whole_frame(c.step, c.last, u32(frame));
}

struct TableRotation {
  Mat3d matrix;
  bool is_basis = false;
};
TableRotation rotation_at(const JointAnimation& a, u16 index) {
  const size_t i = index & 0x7FFF;
  if (index & 0x8000) return {i < a.pivots.size() ? rotation_matrix(a.pivots[i]) : Mat3d(), false};
  return {i < a.bases.size() ? rotation_matrix(a.bases[i]) : Mat3d(), true};
}
Mat3d blend_rotations(const TableRotation& a, const TableRotation& b, f64 weight) {
  if (weight == 0) return a.matrix;
  Mat3d m;
  for (size_t c = 0; c < 3; ++c)
    for (size_t i = 0; i < 3; ++i)
      m.columns[c][i] = a.matrix.columns[c][i] * (1 - weight) + b.matrix.columns[c][i] * weight;
  m.columns[0] = scene::unit(m.columns[0]);
  m.columns[1] = scene::unit(m.columns[1]);
  m.columns[2] = a.is_basis || b.is_basis ? scene::cross(m.columns[0], m.columns[1]) : scene::unit(m.columns[2]);
  return m;
}

}  // namespace

Mat3d pivot_matrix(u8 index, bool negative, bool c_negative, bool d_negative, fx16 a, fx16 b) {
  const u8 pivot = std::min<u8>(index, 8);
  const size_t row = pivot / 3, column = pivot % 3;
  const f64 va = a.value(), vb = b.value();
  const f64 rest[4] = {va, vb, c_negative ? -vb : vb, d_negative ? -va : va};
  Mat3d m;
  size_t next = 0;
  for (size_t i = 0; i < 9; ++i) {
    f64& e = m.columns[i / 3][i % 3];
    if (i == pivot)
      e = negative ? -1 : 1;
    else
      e = i / 3 == row || i % 3 == column ? 0 : rest[next++];
  }
  return m;
}

Mat3d rotation_matrix(const PivotRotation& p) {
  return pivot_matrix(p.pivot_index, p.pivot_negative, p.c_negative, p.d_negative, p.a, p.b);
}

Mat3d rotation_matrix(const BasisRotation& r) {
  const auto& w = r.words;
  const auto high = [&](size_t i) { return (i16(w[i]) >> 3) / 4096.0; };
  const u32 low = (w[4] & 7u) << 12 | (w[0] & 7u) << 9 | (w[1] & 7u) << 6 | (w[2] & 7u) << 3 | (w[3] & 7u);
  Mat3d m;
  m.columns[0] = {high(0), high(1), high(2)};
  m.columns[1] = {high(3), high(4), (i16(u16(low << 3)) >> 3) / 4096.0};
  m.columns[2] = scene::cross(m.columns[0], m.columns[1]);
  return m;
}

Mat3d rotation_matrix(const Node& n) {
  if (n.no_rotation) return {};
  if (n.is_pivot)
    return pivot_matrix(n.pivot_index, n.pivot_negative, n.c_negative, n.d_negative, n.pivot[0], n.pivot[1]);
  Mat3d m;
  m.columns[0][0] = n.m00.value();
  for (size_t i = 0; i < 8; ++i) m.columns[(i + 1) / 3][(i + 1) % 3] = n.rotation[i].value();
  return m;
}

NodePose rest_pose(const Node& n) {
  NodePose p;
  if (!n.no_translation) p.translation = point_of(n.translation);
  p.rotation = rotation_matrix(n);
  if (!n.no_scale) p.scale = point_of(n.scale), p.inverse_scale = point_of(n.inverse_scale);
  return p;
}

Pose rest_pose(const Model& m) {
  Pose pose;
  pose.reserve(m.nodes.size());
  for (const Node& n : m.nodes) pose.push_back(rest_pose(n));
  return pose;
}

NodePose pose_at(const Node& n, const JointAnimation& a, size_t track, f64 frame) {
  const NodePose rest = rest_pose(n);
  if (track >= a.tracks.size()) return rest;
  const Track& t = a.tracks[track];
  frame = std::clamp(frame, 0.0, std::max(0.0, a.interpolate_last ? a.frames - 1e-9 : f64(a.frames) - 1));
  NodePose p;
  if (t.identity) return p;
  if (t.translation_model && !t.translation_identity) p.translation = rest.translation;
  if (t.rotation_model && !t.rotation_identity) p.rotation = rest.rotation;
  if (t.scale_model && !t.scale_identity) p.scale = rest.scale, p.inverse_scale = rest.inverse_scale;
  if (t.translates())
    for (size_t i = 0; i < 3; ++i) {
      const TranslationChannel& c = t.translation[i];
      p.translation[i] =
          c.constant ? c.value.value() : interpolate_samples(c.samples, locate_curve_frame(a, c.curve, frame)) / 4096;
    }
  if (t.rotates()) {
    const RotationChannel& c = t.rotation;
    if (c.constant)
      p.rotation = rotation_at(a, c.index).matrix;
    else {
      const CurvePlace place = locate_curve_frame(a, c.curve, frame);
      const auto index = [&](u64 i) { return u16(sample_at(c.samples, i)); };
      p.rotation =
          blend_rotations(rotation_at(a, index(place.first)), rotation_at(a, index(place.second)), place.weight);
    }
  }
  if (t.scales())
    for (size_t i = 0; i < 3; ++i) {
      const ScaleChannel& c = t.scale[i];
      if (c.constant) {
        p.scale[i] = c.value.value();
        p.inverse_scale[i] = c.inverse.value();
      } else {
        const CurvePlace place = locate_curve_frame(a, c.curve, frame);
        p.scale[i] = interpolate_samples(c.samples, place, 2, 0) / 4096;
        p.inverse_scale[i] = interpolate_samples(c.samples, place, 2, 1) / 4096;
      }
    }
  return p;
}

Pose pose_at(const Model& m, const JointAnimation& a, f64 frame) {
  Pose pose;
  pose.reserve(m.nodes.size());
  for (size_t i = 0; i < m.nodes.size(); ++i) pose.push_back(pose_at(m.nodes[i], a, i, frame));
  return pose;
}

Affine envelope_matrix(const Envelope& e) {
  const auto column = [&](size_t i) {
    return Point{e.inverse_bind[3 * i].value(), e.inverse_bind[3 * i + 1].value(), e.inverse_bind[3 * i + 2].value()};
  };
  return {{{column(0), column(1), column(2)}}, column(3)};
}

std::vector<Point> cumulative_scales(const Model& m, const Pose& pose, bool inverse) {
  std::vector<Point> out(pose.size(), Point{1, 1, 1});
  for (const SbcCommand& c : m.sbc) {
    if (c.code != sbc::nodedesc || c.index >= out.size()) continue;
    const Point own = inverse ? pose[c.index].inverse_scale : pose[c.index].scale;
    const bool has_parent = c.parent != c.index && c.parent < out.size();
    out[c.index] = has_parent ? product(out[c.parent], own) : own;
  }
  return out;
}

std::vector<Affine> compute_matrices(const Program& program, const Model& m, const Pose& pose) {
  std::vector<Point> scales, inverses;  // for scaling rule 2
  if (m.scaling_rule == 2) {
    scales = cumulative_scales(m, pose, false);
    inverses = cumulative_scales(m, pose, true);
  }
  std::vector<Affine> all;
  all.reserve(program.matrices.size());
  for (const MatrixStep& s : program.matrices) {
    Affine out;
    switch (s.kind) {
      case MatrixStep::Kind::identity:
        break;
      case MatrixStep::Kind::billboard:
      case MatrixStep::Kind::billboard_y:
        out = all[s.base];
        break;
      case MatrixStep::Kind::mix: {
        out = {scene::scaling({0, 0, 0}), {0, 0, 0}};
        for (const MatrixStep::Part& part : s.mix) {
          const Affine one = all[part.matrix] * envelope_matrix(m.envelopes[part.node]);
          for (size_t i = 0; i < 3; ++i) {
            for (size_t c = 0; c < 3; ++c) out.linear.columns[c][i] += one.linear.columns[c][i] * part.weight;
            out.origin[i] += one.origin[i] * part.weight;
          }
        }
        break;
      }
      case MatrixStep::Kind::node: {
        const NodePose& n = pose[s.node];
        const bool has_parent = s.parent != s.node && s.parent < pose.size();
        const Affine& base = all[s.base];
        if (m.scaling_rule == 2) {
          const Point one{1, 1, 1};
          const Point& p = has_parent ? scales[s.parent] : one;
          const Point& inverse = has_parent ? inverses[s.parent] : one;
          out = base * Affine{scene::scaling(inverse), {0, 0, 0}} * scene::shift(product(n.translation, p)) *
                Affine{n.rotation * scene::scaling(product(p, n.scale)), {0, 0, 0}};
        } else {
          Mat3d linear = n.rotation * scene::scaling(n.scale);
          if (m.scaling_rule == 1 && s.undo_parent_scale && has_parent)
            linear = scene::scaling(pose[s.parent].inverse_scale) * linear;
          out = base * Affine{linear, n.translation};
        }
        break;
      }
    }
    if (s.scale != 1) out = out * Affine{scene::scaling({s.scale, s.scale, s.scale}), {0, 0, 0}};
    all.push_back(out);
  }
  return all;
}

}  // namespace dio::nitro
