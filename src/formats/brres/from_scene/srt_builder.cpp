#include "formats/brres/from_scene/srt_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/text_format.hpp"
#include "formats/brres/from_scene/clips.hpp"
#include "formats/brres/from_scene/material_builder.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "formats/brres/scene/curves.hpp"
#include "formats/brres/semantics.hpp"
#include "scene/channels.hpp"
#include "scene/extras.hpp"

namespace dio::brres {

namespace {

using scene::MaterialChannel;
using Target = MaterialChannel::Target;
using Samples = std::array<std::vector<f64>, 5>;

constexpr std::string_view k_scroll = "scroll";
constexpr u32 k_longest_loop = 36000;  // frames: ten minutes
constexpr f64 k_fastest = 1000;        // widths per second

void append_srt(Samples& samples, const TextureSrt& srt) {
  const f32 values[] = {srt.scale.x, srt.scale.y, srt.rotation, srt.translation.x, srt.translation.y};
  for (size_t i = 0; i < samples.size(); ++i) samples[i].push_back(values[i]);
}

/// The channels that move the texture of a material.
using ChannelsByMaterial = std::map<scene::Index, std::vector<const MaterialChannel*>>;
ChannelsByMaterial group_texture_channels(const scene::Animation& a) {
  ChannelsByMaterial out;
  for (const MaterialChannel& c : a.material_channels)
    if (c.target != Target::color) out[c.material].push_back(&c);
  return out;
}

Samples sample_transform(const scene::TextureTransform& rest, const std::vector<const MaterialChannel*>& channels,
                         u32 frames) {
  Samples out;
  for (u32 f = 0; f <= frames; ++f) {
    scene::TextureTransform t = rest;
    for (const MaterialChannel* c : channels) {
      const scene::Vec4 v = scene::value_at(*c, f / k_frames_per_second, k_near_key);
      if (c->target == Target::offset) t.offset = {v[0], v[1]};
      if (c->target == Target::scale) t.scale = {v[0], v[1]};
      if (c->target == Target::rotation) t.rotation = v[0];
    }
    append_srt(out, to_texture_srt(t));
  }
  return out;
}

constexpr f64 k_exact = 1e-9, k_invisible = 1e-3;  // deviations of a speed, as a part of it

/// With its sign; at least one if the texture moves at all.
f64 count_repetitions(f64 speed, u32 frames) {
  const f64 wanted = std::fabs(speed) * frames / k_frames_per_second;
  return std::copysign(speed == 0 ? 0 : std::max(1.0, std::round(wanted)), speed);
}
f64 compute_scroll_deviation(std::span<const f64> speeds, u32 frames) {
  f64 out = 0;
  for (const f64 speed : speeds)
    if (speed != 0)
      out = std::max(out, std::fabs(count_repetitions(speed, frames) * k_frames_per_second / (speed * frames) - 1));
  return out;
}
std::string format_percent(f64 part) { return format_real(std::ceil(part * 1e4 - 0.01) / 100, true) + " %"; }

/// Without the rounding of programs that store 0.3 as 0.300000012.
f64 round_speed(f64 x) {
  const f64 rounded = std::round(x * 1e6) / 1e6;
  return std::fabs(x - rounded) < 1e-6 * std::fabs(x) ? rounded : x;
}

/// A material with the property `scroll`.
struct ScrollingMaterial {
  const MadeMaterial* material;
  std::array<f64, 2> speed{};   // in widths and heights of the texture per second
  std::array<f64, 2> period{};  // in widths and heights: mirrored textures repeat after two
};

class SrtFilesBuilder {
 public:
  SrtFilesBuilder(const scene::Scene& s, std::span<const MadeMaterial> materials) : s_(s), materials_(materials) {}

  BuiltSrtFiles run() {
    for (const scene::Animation& a : s_.animations) add_animation(a);
    std::map<std::string, std::vector<ScrollingMaterial>> scrolling;
    for (const MadeMaterial& m : materials_)
      if (auto x = read_scroll(m)) scrolling[m.model].push_back(*x);
    for (scene::Index i = 0; i < s_.materials.size(); ++i)
      if (has_scroll(s_.materials[i]) && std::ranges::find(materials_, i, &MadeMaterial::in_scene) == materials_.end())
        note_ignored_scroll(s_.materials[i].name, "it has no texture in the model");
    for (const auto& [model, all] : scrolling) add_scrolling(model, all);
    return std::move(out_);
  }

 private:
  void note(Severity severity, std::string_view id, std::string message, std::string hint = {}) {
    out_.notes.push_back(make_diagnostic(severity, id, {}, {.message = std::move(message), .hint = std::move(hint)}));
  }

  static void add_material(SrtAnimation& a, const std::string& name, SrtTexture texture) {
    SrtMaterial& m = a.materials.emplace_back();
    m.name = name;
    m.texture_bits = 1;
    m.textures.push_back(std::move(texture));
  }
  static bool has_material(const SrtAnimation& a, const std::string& name) {
    return std::ranges::find(a.materials, name, &SrtMaterial::name) != a.materials.end();
  }

  void add_animation(const scene::Animation& from) {
    const ChannelsByMaterial moving = group_texture_channels(from);
    const Clip clip = read_clip(from);
    SrtAnimation a;
    a.frame_count = clip.frames;
    a.loop = clip.is_loop;
    size_t& taken = out_.taken.emplace_back();
    for (const MadeMaterial& m : materials_) {
      const auto channels = moving.find(m.in_scene);
      if (channels == moving.end()) continue;
      taken += channels->second.size();
      if (has_material(a, m.name)) continue;
      const Samples samples = sample_transform(s_.materials[m.in_scene].transform, channels->second, a.frame_count);
      add_material(a, m.name, build_srt_texture(samples));
    }
    if (a.materials.empty()) return;
    a.name = names_(from.name, "course");
    out_.files.push_back({std::move(a), {}});
  }

  static bool has_scroll(const scene::Material& m) {
    return m.extras.is(Value::Kind::object) && m.extras.find(k_scroll);
  }
  void note_ignored_scroll(const std::string& material, std::string_view why) {
    note(Severity::warning, "brres.make-scroll",
         text("the property scroll of the material ", in_quotes(material), " is ignored: ", why));
  }
  std::optional<ScrollingMaterial> read_scroll(const MadeMaterial& m) {
    const scene::Material& from = s_.materials[m.in_scene];
    if (!has_scroll(from)) return {};
    const auto speed = scene::read_number_list_extra(from.extras, k_scroll, 2);
    if (!speed || std::max(std::fabs((*speed)[0]), std::fabs((*speed)[1])) > k_fastest) {
      note_ignored_scroll(from.name, "it must be two numbers from -1,000 to 1,000");
      return {};
    }
    if ((*speed)[0] == 0 && (*speed)[1] == 0) return {};
    const auto is_moved = [&](const SrtFile& f) {
      return f.animation->name == m.model && has_material(*f.animation, m.name);
    };
    if (std::ranges::any_of(out_.files, is_moved)) {
      note_ignored_scroll(from.name, text("the animation ", in_quotes(m.model), " moves the texture"));
      return {};
    }
    const scene::Texture& t = s_.textures[from.texture];
    const auto period = [](scene::Texture::Wrap w) { return w == scene::Texture::Wrap::mirror ? 2.0 : 1.0; };
    return ScrollingMaterial{
        &m, {round_speed((*speed)[0]), round_speed((*speed)[1])}, {period(t.wrap_u), period(t.wrap_v)}};
  }

  void add_scrolling(const std::string& model, const std::vector<ScrollingMaterial>& all) {
    std::vector<f64> speeds;
    for (const ScrollingMaterial& x : all)
      for (size_t i = 0; i < 2; ++i) speeds.push_back(x.speed[i] / x.period[i]);
    auto known = std::ranges::find_if(out_.files, [&](const SrtFile& f) { return f.animation->name == model; });
    ScrollLoop loop = find_scroll_loop(speeds);
    if (known == out_.files.end()) {
      SrtAnimation a;
      a.name = names_(model, "course");
      a.frame_count = loop.frames;
      known = out_.files.insert(known, {std::move(a), {}});
    } else {
      loop = {known->animation->frame_count, compute_scroll_deviation(speeds, known->animation->frame_count)};
    }
    SrtAnimation& a = *known->animation;
    for (const ScrollingMaterial& x : all) add_material(a, x.material->name, build_scrolling_texture(x, a.frame_count));
    if (loop.deviation > k_exact)
      note(Severity::hint, "brres.make-scroll-speed",
           text("textures of the model ", in_quotes(model), " scroll up to ", format_percent(loop.deviation),
                " faster or slower, because they move by whole widths in the loop of ", a.frame_count, " frames"),
           "speeds with a common divisor have shorter and exact loops, such as 0.5 and 0.75");
  }
  SrtTexture build_scrolling_texture(const ScrollingMaterial& x, u16 frames) const {
    const TextureSrt rest = to_texture_srt(s_.materials[x.material->in_scene].transform);
    Samples samples;
    for (u32 f = 0; f <= frames; f += frames) append_srt(samples, rest);
    const f64 scales[] = {rest.scale.x, rest.scale.y};
    SrtTexture out = build_srt_texture(samples);
    for (size_t i = 0; i < 2; ++i) {
      const f64 repetitions = count_repetitions(x.speed[i] / x.period[i], frames);
      SrtTrack& track = i ? out.translation_y : out.translation_x;
      track.value = i ? rest.translation.y : rest.translation.x;
      if (repetitions == 0 || scales[i] == 0) continue;
      const f64 distance = repetitions * x.period[i] / scales[i];
      out.flags &= ~(srt_flag::translation_is_zero | srt_flag::first_constant << (3 + i));
      const f32 slope = f32(distance / frames);
      track.keys = {{0, track.value, slope}, {f32(frames), f32(track.value + distance), slope}};
      track.frame_scale = compute_frame_scale(frames);
    }
    return out;
  }

  const scene::Scene& s_;
  const std::span<const MadeMaterial> materials_;
  BuiltSrtFiles out_;
  UniqueNames names_;
};

}  // namespace

SrtTexture build_srt_texture(const Samples& samples) {
  constexpr f64 k_tolerances[] = {1e-4, 1e-4, 1e-2, 1e-4, 1e-4};
  SrtTexture out;
  out.flags = srt_flag::enabled;
  SrtTrack* const tracks[] = {&out.scale_x, &out.scale_y, &out.rotation, &out.translation_x, &out.translation_y};
  for (size_t i = 0; i < samples.size(); ++i) {
    const f64 tolerance = widen_tolerance(samples[i], k_tolerances[i]);
    SrtTrack& t = *tracks[i];
    if (const auto value = find_constant(samples[i], tolerance)) {  // 0 and 1 are not stored
      t.value = *value;
      out.flags |= srt_flag::first_constant << i;
      continue;
    }
    t.keys = fit_hermite_curve(samples[i], tolerance);
    t.frame_scale = compute_frame_scale(t.keys.back().frame - t.keys.front().frame);
  }
  const auto is_constant = [&](size_t i) { return (out.flags & srt_flag::first_constant << i) != 0; };
  const auto is = [&](size_t i, f32 value) { return is_constant(i) && tracks[i]->value == value; };
  if (is_constant(0) == is_constant(1) && out.scale_x.value == out.scale_y.value &&
      out.scale_x.keys == out.scale_y.keys)
    out.flags |= srt_flag::uniform_scale;
  if (is(0, 1) && is(1, 1)) out.flags |= srt_flag::scale_is_one;
  if (is(2, 0)) out.flags |= srt_flag::rotation_is_zero;
  if (is(3, 0) && is(4, 0)) out.flags |= srt_flag::translation_is_zero;
  return out;
}

ScrollLoop find_scroll_loop(std::span<const f64> speeds) {
  ScrollLoop nearest{1, 2};
  std::optional<ScrollLoop> near;
  for (u32 frames = 1; frames <= k_longest_loop; ++frames) {
    const ScrollLoop loop{u16(frames), compute_scroll_deviation(speeds, frames)};
    if (loop.deviation <= k_exact) return loop;
    if (loop.deviation <= k_invisible && !near) near = loop;
    if (frames == 1 || loop.deviation < nearest.deviation) nearest = loop;
  }
  return near.value_or(nearest);
}

BuiltSrtFiles build_srt_files(const scene::Scene& s, std::span<const MadeMaterial> materials) {
  return SrtFilesBuilder(s, materials).run();
}

}  // namespace dio::brres
