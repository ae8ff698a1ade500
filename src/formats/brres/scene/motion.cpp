#include "formats/brres/scene/motion.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "formats/brres/scene/curves.hpp"
#include "formats/brres/scene/surfaces.hpp"

namespace dio::brres {

namespace {

using scene::MaterialChannel;
using Target = MaterialChannel::Target;

constexpr u64 k_most_samples = u64(1) << 21;  // of all animations; crafted files get fewer

/// The animation of a texture transform of a material; null if it is not animated.
const SrtTexture* find_texture(const SrtMaterial& m, u32 transform) {
  if (!(m.texture_bits >> transform & 1)) return nullptr;
  const auto before = size_t(std::popcount(m.texture_bits & ((1u << transform) - 1)));
  return before < m.textures.size() ? &m.textures[before] : nullptr;
}

TextureSrt srt_at(const SrtTexture& t, f64 frame) {
  std::array<f32, 5> values{1, 1, 0, 0, 0};
  const SrtTrack* const tracks[] = {&t.scale_x, &t.scale_y, &t.rotation, &t.translation_x, &t.translation_y};
  SrtTexture::for_each_track(t, [&](const Key&, const SrtTrack& track, bool is_constant) {
    const size_t i = size_t(std::ranges::find(tracks, &track) - tracks);
    values[i] = is_constant ? track.value : f32(value_at(track.keys, frame));
  });
  if (t.flags & srt_flag::uniform_scale) values[1] = values[0];
  return {{values[0], values[1]}, values[2], {values[3], values[4]}};
}

/// Adds a channel with the keys that the samples need, unless it would only repeat the value of the material.
void add_channel(scene::Animation& out, scene::Index material, Target target, const Sampling& sampling,
                 const std::vector<f64>& samples, size_t width, const scene::Vec2& rest) {
  f64 largest = 1;
  for (const f64 x : samples) largest = std::max(largest, std::fabs(x));
  constexpr f64 k_near = 1e-4, k_rounding = 1e-6;
  MaterialChannel c{.material = material, .target = target, .times = {}, .values = {}};
  for (const size_t i : find_polyline_keys(samples, width, std::max(k_near, k_rounding * largest))) {
    c.times.push_back(sampling.seconds(i));
    c.values.push_back({f32(samples[i * width]), width > 1 ? f32(samples[i * width + 1]) : 0, 0, 0});
  }
  const bool is_still = c.values.size() == 1 || (c.values.size() == 2 && c.values[0] == c.values[1]);
  if (is_still) {
    c.times.resize(1), c.values.resize(1);
    if (c.values[0] == scene::Vec4{rest[0], rest[1], 0, 0}) return;
  }
  out.material_channels.push_back(std::move(c));
}

void animate_material(const SrtTexture& t, u32 mode, const SceneMaterial& m, const Sampling& sampling,
                      const scene::TextureTransform& rest, scene::Animation& out) {
  std::vector<f64> offsets, rotations, scales;
  for (size_t i = 0; i < sampling.count(); ++i) {
    const scene::TextureTransform at = compute_texture_transform(srt_at(t, sampling.frame(i)), mode);
    offsets.insert(offsets.end(), {at.offset[0], at.offset[1]});
    rotations.push_back(at.rotation);
    scales.insert(scales.end(), {at.scale[0], at.scale[1]});
  }
  const auto finite = [](const std::vector<f64>& all) {
    return std::ranges::all_of(all, [](f64 x) { return std::isfinite(x); });
  };
  if (!finite(offsets) || !finite(rotations) || !finite(scales)) return;
  add_channel(out, m.in_scene, Target::offset, sampling, offsets, 2, rest.offset);
  add_channel(out, m.in_scene, Target::rotation, sampling, rotations, 1, {rest.rotation, 0});
  add_channel(out, m.in_scene, Target::scale, sampling, scales, 2, rest.scale);
}

}  // namespace

std::vector<size_t> add_srt_animations(const Brres& file, std::span<const SceneMaterial> materials, scene::Scene& s) {
  struct Moving {
    const SrtTexture* texture;
    const SceneMaterial* material;
  };
  std::vector<std::vector<Moving>> all;
  u64 samples = 0;
  for (const SrtFile& f : file.srt_files) {
    std::vector<Moving>& moving = all.emplace_back();
    if (!f.animation) continue;
    for (const SrtMaterial& track : f.animation->materials)
      for (const SceneMaterial& m : materials)
        if (m.sampler && m.source().name == track.name && is_played_on(file, *f.animation, *m.model))
          if (const SrtTexture* t = find_texture(track, m.surface.coordinate);
              t && std::ranges::find(moving, &m, &Moving::material) == moving.end())
            moving.push_back({t, &m}), samples += f.animation->frame_count + 1u;
  }
  std::vector<size_t> others;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!file.srt_files[i].animation) continue;
    const SrtAnimation& a = *file.srt_files[i].animation;
    const Sampling sampling{a.frame_count, u32(samples / k_most_samples + 1)};
    scene::Animation out = start_animation(a, "srt_animation", "srt_files", i);
    for (const auto& [texture, m] : all[i])
      animate_material(*texture, a.texture_matrix_mode, *m, sampling, s.materials[m->in_scene].transform, out);
    if (out.material_channels.empty()) {
      others.push_back(i);
      continue;
    }
    s.animations.push_back(std::move(out));
  }
  return others;
}

}  // namespace dio::brres
