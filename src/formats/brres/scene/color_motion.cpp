#include "formats/brres/scene/color_motion.hpp"

#include <cmath>

#include "scene/math.hpp"

namespace dio::brres {

namespace {

using scene::MaterialChannel;
using scene::Vec4;

constexpr u64 k_most_colors = u64(1) << 17;  // of all materials and animations; crafted files get fewer
constexpr f64 k_near_color = 1.0 / 2048;

// Numbers of tracks; ambient colours are those of lights, which are not shown.
constexpr size_t k_first_register = 4, k_first_constant = 7;

/// Replaces the bits of a colour that are not in the mask.
void mix(Vec4& color, const ClrColor& mask, const ClrColor& now) {
  const u8 masks[] = {mask.r, mask.g, mask.b, mask.a}, values[] = {now.r, now.g, now.b, now.a};
  for (size_t i = 0; i < 4; ++i) {
    if (masks[i] == 255) continue;  // also keeps colours above 1
    const u8 rest = u8(std::clamp(color[i], 0.0f, 1.0f) * 255 + 0.5f);
    color[i] = f32((rest & masks[i]) | (values[i] & ~masks[i] & 255)) / 255;
  }
}

/// The material at a frame.
Surface surface_at(const SceneMaterial& m, const ClrMaterial& moves, u32 frame) {
  Surface out = m.surface;
  for (size_t i = 0; i < moves.tracks.size(); ++i) {
    const u32 flags = moves.flags >> 2 * i & 3;
    if (!(flags & 1)) continue;
    const ClrTrack& t = moves.tracks[i];
    if (!(flags & 2) && t.colors.empty()) continue;
    const ClrColor& now = flags & 2 ? t.color : t.colors[std::min<size_t>(frame, t.colors.size() - 1)];
    if (i == 0) mix(out.material, t.mask, now);
    if (i >= k_first_register && i < k_first_constant)
      mix(out.combiner.register_color(1 + i - k_first_register), t.mask, now);
    if (i >= k_first_constant) mix(out.combiner.constant(i - k_first_constant), t.mask, now);
  }
  return out;
}

/// The colour of the material in the scene. Colours of vertices have the colour at rest, so they are multiplied with
/// the change of a white vertex.
Vec4 color_in_scene(const SceneMaterial& m, const Surface& now) {
  if (!m.has_vertex_colors) return scene::srgb_to_linear(now.color());
  constexpr std::array<f32, 4> k_white{1, 1, 1, 1};
  const Vec4 rest = scene::srgb_to_linear(m.surface.color(k_white)),
             changed = scene::srgb_to_linear(now.color(k_white));
  Vec4 out{1, 1, 1, 1};
  for (size_t i = 0; i < 4; ++i)
    if (rest[i] > 0) out[i] = std::min(1.0f, changed[i] / rest[i]);
  return out;
}

void animate_material(const SceneMaterial& m, const ClrMaterial& moves, const Sampling& sampling, const Vec4& rest,
                      scene::Animation& out) {
  std::vector<f64> samples;
  for (size_t i = 0; i < sampling.count(); ++i) {
    const Vec4 color = color_in_scene(m, surface_at(m, moves, u32(sampling.frame(i))));
    if (!std::ranges::all_of(color, [](f32 x) { return std::isfinite(x); })) return;
    samples.insert(samples.end(), color.begin(), color.end());
  }
  MaterialChannel c{.material = m.in_scene, .times = {}, .values = {}};
  for (const size_t i : find_polyline_keys(samples, 4, k_near_color)) {
    c.times.push_back(sampling.seconds(i));
    c.values.push_back(
        {f32(samples[4 * i]), f32(samples[4 * i + 1]), f32(samples[4 * i + 2]), f32(samples[4 * i + 3])});
  }
  if (c.values.size() == 2 && c.values[0] == c.values[1]) c.times.resize(1), c.values.resize(1);
  if (c.values.size() == 1 && c.values[0] == rest) return;
  out.material_channels.push_back(std::move(c));
}

}  // namespace

std::vector<size_t> add_clr_animations(const Brres& file, std::span<const SceneMaterial> materials, scene::Scene& s) {
  const auto each_moved = [&](const ClrAnimation& a, auto visit) {
    const EntriesByName entries(a.materials);
    for (const SceneMaterial& m : materials)
      if (const ClrMaterial* moves = entries.find(m.source().name); moves && is_played_on(file, a, *m.model))
        visit(m, *moves);
  };
  u64 colors = 0;
  for (const ClrFile& f : file.clr_files)
    if (f.animation) each_moved(*f.animation, [&](auto&, auto&) { colors += f.animation->frame_count + 1u; });
  std::vector<size_t> others;
  for (size_t i = 0; i < file.clr_files.size(); ++i) {
    if (!file.clr_files[i].animation) continue;
    const ClrAnimation& a = *file.clr_files[i].animation;
    const Sampling sampling{a.frame_count, u32(colors / k_most_colors + 1)};
    scene::Animation out = start_animation(a, "clr_animation", "clr_files", i);
    each_moved(a, [&](const SceneMaterial& m, const ClrMaterial& moves) {
      animate_material(m, moves, sampling, s.materials[m.in_scene].color, out);
    });
    if (out.material_channels.empty())
      others.push_back(i);
    else
      s.animations.push_back(std::move(out));
  }
  return others;
}

}  // namespace dio::brres
