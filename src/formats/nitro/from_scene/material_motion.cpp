#include "formats/nitro/from_scene/material_motion.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "formats/contract/reporter.hpp"
#include "formats/nitro/from_scene/animation_files.hpp"
#include "formats/nitro/from_scene/curve_fit.hpp"
#include "formats/nitro/from_scene/names.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/texture_matrix.hpp"
#include "scene/channels.hpp"

namespace dio::nitro {

using scene::Index;
using scene::k_none;
using Target = scene::MaterialChannel::Target;

namespace {

f64 find_end_time(const std::vector<scene::MaterialChannel>& channels) {
  f64 last = 0;
  for (const scene::MaterialChannel& c : channels) last = std::max(last, f64(c.times.back()));
  return last;
}

/// The channels of an animation with a given target, by material.
std::map<Index, std::vector<const scene::MaterialChannel*>> group_channels_by_material(const scene::Animation& a,
                                                                                       bool colors) {
  std::map<Index, std::vector<const scene::MaterialChannel*>> out;
  for (const scene::MaterialChannel& c : a.material_channels)
    if ((c.target == Target::color) == colors) out[c.material].push_back(&c);
  return out;
}

/// Raises `error` to the error of the curve if that is larger.
void set_channel_values(TextureChannel& c, const std::vector<i32>& values, u32 frames, f64& error) {
  c.constant = std::ranges::all_of(values, [&](i32 x) { return x == values[0]; });
  c.last = u16(frames);
  if (c.constant) {
    c.data = u32(values[0]);
    return;
  }
  FittedCurve curve = fit_curve(values, k_near_texture * 4096);
  error = std::max(error, curve.error / 4096);
  c.step = curve.step, c.last = curve.last, c.narrow = curve.narrow;
  c.samples = std::move(curve.samples);
}

/// Alternating sines and cosines at every frame, because they cannot be interpolated separately.
void set_rotation_values(TextureChannel& c, const std::vector<std::array<i16, 2>>& values, u32 frames) {
  c.constant = std::ranges::all_of(values, [&](const auto& x) { return x == values[0]; });
  c.last = u16(frames);
  c.data = c.constant ? u32(u16(values[0][0]) | u32(u16(values[0][1])) << 16) : 0;
  if (c.constant) return;
  for (const auto& [sin, cos] : values) c.samples.insert(c.samples.end(), {sin, cos});
}

void set_channel_values(ColorChannel& c, const std::vector<u16>& values, u32 frames) {
  c.constant = std::ranges::all_of(values, [&](u16 x) { return x == values[0]; });
  c.last = u16(frames);
  c.data = c.constant ? values[0] : u16(0);
  if (!c.constant) c.samples = values;
}

}  // namespace

bool is_material_animated(const scene::Scene& s, Index material, bool color) {
  return std::ranges::any_of(s.animations, [&](const scene::Animation& a) {
    return std::ranges::any_of(a.material_channels, [&](const scene::MaterialChannel& c) {
      return c.material == material && (c.target == Target::color) == color;
    });
  });
}

Result<std::vector<BuiltFile>> build_nsbta(const scene::Scene& s, std::span<const BuiltMaterial> materials, u8 mode,
                                           SceneClips& clips, Diagnostics& notes) {
  ClipsOf<Nsbta> all;
  Names names;
  bool all_exact = true;
  f64 error = 0;  // of curves, in texture widths
  for (const scene::Animation& from : s.animations) {
    const auto moving = group_channels_by_material(from, false);
    TextureAnimation a{};
    const u32 rate = clips.rate(from), frames = clips.count_frames(from, find_end_time(from.material_channels));
    a.frames = u16(frames), a.texture_matrix_mode = mode;
    for (const BuiltMaterial& made : materials) {
      const auto channels = moving.find(made.scene);
      if (channels == moving.end()) continue;
      const Material& m = *made.material;
      const f64 aspect = m.original_height ? f64(m.original_width) / m.original_height : 1;
      std::array<std::vector<i32>, 4> values;  // scales, translations
      std::vector<std::array<i16, 2>> turns;
      for (u32 f = 0; f < frames; ++f) {
        scene::TextureTransform t = s.materials[made.scene].transform;
        for (const scene::MaterialChannel* c : channels->second) {
          const scene::Vec4 v = scene::value_at(*c, f64(f) / rate, 0.02 / rate);
          if (c->target == Target::offset) t.offset = {v[0], v[1]};
          if (c->target == Target::scale) t.scale = {v[0], v[1]};
          if (c->target == Target::rotation) t.rotation = v[0];
        }
        TextureSrt srt;
        all_exact &= to_texture_srt(mode, t, aspect, srt);
        const f64 numbers[] = {srt.scale_s, srt.scale_t, srt.translation_s, srt.translation_t};
        for (size_t i = 0; i < 4; ++i) values[i].push_back(to_fx32(numbers[i]).raw);
        turns.push_back({i16(std::lround(srt.sin * 4096)), i16(std::lround(srt.cos * 4096))});
      }
      TextureTrack track{};
      track.name = m.name;
      set_channel_values(track.scale_s, values[0], frames, error),
          set_channel_values(track.scale_t, values[1], frames, error);
      set_channel_values(track.translation_s, values[2], frames, error),
          set_channel_values(track.translation_t, values[3], frames, error);
      set_rotation_values(track.rotation, turns, frames);
      a.materials.push_back(std::move(track));
    }
    if (a.materials.empty()) continue;
    sort_tracks_by_name(a);
    a.name = names(SceneClips::name_of(from), "animation");
    clips.mark_used(from);
    all.push_back({std::move(a), clips.file_of(from)});
  }
  clips.add_changed_names(names.changed());
  if (error > 0)
    notes.push_back(
        make_diagnostic(Severity::hint, "nitro.make-motion", {},
                        {.message = text("between the kept frames, texture movement differs from the scene by at most ",
                                         std::ceil(error * 1e4) / 1e4, " of the texture width")}));
  if (!all_exact)
    notes.push_back(make_diagnostic(Severity::hint, "nitro.make-motion", {},
                                    {.message = "a texture is rotated, and scaled by two different factors; the DS "
                                                "rotates and scales in another order, so the result is approximate"}));
  return save_clips<Nsbta>(std::move(all), ".nsbta");
}

Result<std::vector<BuiltFile>> build_nsbma(const scene::Scene& s, std::span<const BuiltMaterial> materials,
                                           SceneClips& clips) {
  ClipsOf<Nsbma> all;
  Names names;
  for (const scene::Animation& from : s.animations) {
    const auto moving = group_channels_by_material(from, true);
    ColorAnimation a{};
    const u32 rate = clips.rate(from), frames = clips.count_frames(from, find_end_time(from.material_channels));
    a.frames = u16(frames);
    for (const BuiltMaterial& made : materials) {
      const auto channels = moving.find(made.scene);
      if (channels == moving.end()) continue;
      std::vector<u16> diffuse, alpha;
      for (u32 f = 0; f < frames; ++f) {
        const scene::Vec4 v = scene::value_at(*channels->second[0], f64(f) / rate, 0.02 / rate);
        diffuse.push_back(to_ds_color(v));
        alpha.push_back(u16(std::lround(std::clamp(v[3], 0.0f, 1.0f) * 31)));
      }
      // Constant colours come from the material, which may split them between two light components.
      const Material& m = *made.material;
      const bool stays = std::ranges::all_of(diffuse, [&](u16 x) { return x == diffuse[0]; });
      ColorTrack track{};
      track.name = m.name;
      set_channel_values(track.diffuse, stays ? std::vector<u16>{m.diffuse} : diffuse, frames);
      set_channel_values(track.ambient, {stays || !made.lit ? m.ambient : u16(0)}, frames);
      set_channel_values(track.specular, {m.specular}, frames);
      set_channel_values(track.emission, {stays ? m.emission : u16(0)}, frames);
      set_channel_values(track.alpha, alpha, frames);
      a.materials.push_back(std::move(track));
    }
    if (a.materials.empty()) continue;
    sort_tracks_by_name(a);
    a.name = names(SceneClips::name_of(from), "animation");
    clips.mark_used(from);
    all.push_back({std::move(a), clips.file_of(from)});
  }
  clips.add_changed_names(names.changed());
  return save_clips<Nsbma>(std::move(all), ".nsbma");
}

Result<std::vector<BuiltFile>> build_nsbva(const scene::Scene& s, const Skeleton& skeleton, SceneClips& clips) {
  ClipsOf<Nsbva> all;
  Names names;
  const auto& bones = skeleton.bones();
  for (const scene::Animation& from : s.animations) {
    if (from.visibility_channels.empty()) continue;
    f64 last = 0;
    for (const scene::VisibilityChannel& c : from.visibility_channels) last = std::max(last, f64(c.times.back()));
    VisibilityAnimation a{};
    const u32 rate = clips.rate(from), frames = clips.count_frames(from, last);
    a.frames = u16(frames), a.node_count = u16(bones.size());
    a.words.resize((u64(frames) * bones.size() + 31) / 32);
    for (u32 f = 0; f < frames; ++f)
      for (u32 b = 0; b < bones.size(); ++b) {
        if (!skeleton.is_visible(b, from, f64(f) / rate + 0.02 / rate)) continue;
        const u64 bit = u64(f) * bones.size() + b;
        a.words[size_t(bit / 32)] |= 1u << bit % 32;
      }
    a.name = names(SceneClips::name_of(from), "animation");
    clips.mark_used(from);
    all.push_back({std::move(a), clips.file_of(from)});
  }
  clips.add_changed_names(names.changed());
  return save_clips<Nsbva>(std::move(all), ".nsbva");
}

}  // namespace dio::nitro
