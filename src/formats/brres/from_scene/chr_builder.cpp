#include "formats/brres/from_scene/chr_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "formats/brres/from_scene/clips.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "formats/brres/layout/animation_placement.hpp"
#include "scene/channels.hpp"
#include "scene/transforms.hpp"

namespace dio::brres {

namespace {

using scene::Channel;
using Target = Channel::Target;
using Samples = std::array<std::vector<f64>, 9>;

constexpr size_t k_rotation = 1;                              // of the three kinds of numbers
constexpr std::array<f64, 3> k_tolerances{1e-4, 1e-2, 1e-2};  // of scale, rotation (degrees), translation

/// A factor and a number to add, with which whole numbers up to `most` store all values.
void set_scale(ChrTrack& t, f64 least, f64 largest, f64 most) {
  t.value_offset = f32(least);
  t.value_scale = f32((largest - least) / most);
  if (!(t.value_scale > 0)) t.value_scale = std::numeric_limits<f32>::min();
}
f64 quantize(const ChrTrack& t, f64 value, f64 most) {
  return std::clamp(std::round((value - t.value_offset) / t.value_scale), 0.0, most);
}

/// The curve in a format; nothing if the format has no room for it.
std::optional<ChrTrack> encode_keys(const std::vector<SrtKey>& keys, u8 format) {
  ChrTrack t;
  t.frame_scale = compute_frame_scale(keys.back().frame - keys.front().frame);
  if (format == curve_format::keys_96) {
    t.keys_96 = keys;
    return t;
  }
  const bool is_small = format == curve_format::keys_32;
  const f64 most_value = is_small ? 4095 : 65535, slope_unit = is_small ? 32 : 256,
            most_slope = is_small ? 2047 : 32767;
  if (keys.back().frame > (is_small ? 255 : 1023)) return {};
  const auto [least, largest] = std::ranges::minmax_element(keys, {}, &SrtKey::value);
  set_scale(t, least->value, largest->value, most_value);
  for (const SrtKey& k : keys) {
    const f64 slope = std::round(f64(k.tangent) * slope_unit);
    if (!(std::fabs(slope) <= most_slope)) return {};
    const auto value = u16(quantize(t, k.value, most_value));
    if (is_small)
      t.keys_32.push_back({u8(k.frame), value, i16(slope)});
    else
      t.keys_48.push_back({{i16(k.frame * 32)}, value, {i16(slope)}});
  }
  return t;
}

ChrTrack encode_samples(std::span<const f64> samples, u8 format) {
  ChrTrack t;
  if (format == curve_format::samples_32) {
    for (const f64 x : samples) t.samples_32.push_back(f32(x));
    return t;
  }
  const bool is_small = format == curve_format::samples_8;
  const f64 most = is_small ? 255 : 65535;
  const auto [least, largest] = std::ranges::minmax_element(samples);
  set_scale(t, *least, *largest, most);
  for (const f64 x : samples) {
    const f64 number = quantize(t, x, most);
    is_small ? t.samples_8.push_back(u8(number)) : t.samples_16.push_back(u16(number));
  }
  return t;
}

bool is_near(const ChrTrack& t, u8 format, std::span<const f64> samples, f64 tolerance) {
  const ChrCurve curve(t, format);
  for (size_t i = 0; i < samples.size(); ++i)
    if (!(std::fabs(curve.at(f64(i)) - samples[i]) <= tolerance)) return false;
  return true;
}

/// The curve in a format, at most `tolerance` away from the samples; nothing if that is not possible.
std::optional<ChrTrack> fit_curve(std::span<const f64> samples, u8 format, f64 tolerance) {
  if (format >= curve_format::samples_8) {
    ChrTrack t = encode_samples(samples, format);
    return is_near(t, format, samples, tolerance) ? std::optional(std::move(t)) : std::nullopt;
  }
  // Rounded numbers need keys that are nearer, and often more of them.
  for (const f64 part : {1.0, 0.5, 0.1}) {
    auto t = encode_keys(fit_hermite_curve(samples, tolerance * part), format);
    if (t && is_near(*t, format, samples, tolerance)) return t;
    if (format == curve_format::keys_96) return t;
  }
  return {};
}

/// Fits three numbers in the format that needs the fewest bytes. Returns the format.
u8 fit_numbers(std::span<const std::vector<f64>> samples, std::span<const bool> is_constant, std::span<ChrTrack> out,
               bool is_rotation, f64 tolerance) {
  u8 best = curve_format::constant;
  u64 least = ~u64(0);
  for (u8 format = curve_format::keys_32; format <= (is_rotation ? curve_format::samples_32 : curve_format::keys_96);
       ++format) {
    std::array<ChrTrack, 3> tracks;
    u64 size = 0;
    for (size_t i = 0; i < 3 && size != ~u64(0); ++i) {
      if (is_constant[i]) continue;
      auto t = fit_curve(samples[i], format, widen_tolerance(samples[i], tolerance));
      size = t ? size + size_of_curve(*t) : ~u64(0);
      if (t) tracks[i] = std::move(*t);
    }
    if (size >= least) continue;
    least = size, best = format;
    for (size_t i = 0; i < 3; ++i)
      if (!is_constant[i]) out[i] = std::move(tracks[i]);
  }
  return best;
}

/// The flags that leave out numbers of 0 and 1.
u32 find_flags(const ChrBone& b, std::span<const bool> is_constant) {
  u32 flags = chr_flag::enabled;
  for (u32 i = 0; i < 9; ++i)
    if (is_constant[i]) flags |= chr_flag::first_constant << i;
  const auto are = [&](size_t first, f32 value) {
    for (size_t i = first; i < first + 3; ++i)
      if (!is_constant[i] || b.tracks[i].value != value) return false;
    return true;
  };
  const auto equals_x = [&](size_t i) { return is_constant[i] == is_constant[0] && b.tracks[i] == b.tracks[0]; };
  if (equals_x(1) && equals_x(2)) flags |= chr_flag::uniform_scale;
  const bool scale_is_one = are(0, 1), rotation_is_zero = are(3, 0), translation_is_zero = are(6, 0);
  flags |= scale_is_one ? chr_flag::scale_is_one : chr_flag::has_scale;
  flags |= rotation_is_zero ? chr_flag::rotation_is_zero : chr_flag::has_rotation;
  flags |= translation_is_zero ? chr_flag::translation_is_zero : chr_flag::has_translation;
  if (rotation_is_zero && translation_is_zero) {
    flags |= chr_flag::no_rotation_and_translation;
    if (scale_is_one) flags |= chr_flag::is_identity;
  }
  return flags;
}

/// The channels of each node.
using ChannelsByNode = std::map<scene::Index, std::vector<const Channel*>>;

scene::Pose pose_at(const scene::Scene& s, scene::Index node, const ChannelsByNode& moving, f64 seconds) {
  scene::Pose pose = scene::decompose_trs(s.nodes[node]);
  const auto channels = moving.find(node);
  if (channels == moving.end()) return pose;
  for (const Channel* c : channels->second) {
    const scene::Vec4 v = scene::value_at(*c, seconds, k_near_key);
    if (c->target == Target::translation) pose.translation = {v[0], v[1], v[2]};
    if (c->target == Target::scale) pose.scale = {v[0], v[1], v[2]};
    if (c->target == Target::rotation) pose.rotation = v;
  }
  return pose;
}

/// The pose of a bone in its parent bone, in game units; nothing if it is skewed.
std::optional<scene::Pose> pose_of_bone(const scene::Scene& s, const MadeBone& b, const ChannelsByNode& moving,
                                        f64 seconds, bool is_direct) {
  std::optional<scene::Pose> out;
  if (is_direct) {
    out = pose_at(s, b.nodes[0], moving, seconds);
  } else {
    scene::Affine place = b.base;
    for (const scene::Index node : b.nodes) place = place * scene::local_transform(pose_at(s, node, moving, seconds));
    out = scene::decompose_trs(place);
  }
  if (out)
    for (f32& x : out->translation) x = f32(x * b.units);
  return out;
}

class ChrFilesBuilder {
 public:
  ChrFilesBuilder(const scene::Scene& s, std::span<const MadeBone> bones) : s_(s), bones_(bones) {}

  BuiltChrFiles run() {
    for (const scene::Animation& a : s_.animations) add_animation(a);
    out_.skewed = skewed_.size();
    return std::move(out_);
  }

 private:
  void add_animation(const scene::Animation& from) {
    ChannelsByNode moving;
    for (const Channel& c : from.channels) moving[c.node].push_back(&c);
    std::set<scene::Index> taken;
    const Clip clip = read_clip(from);
    ChrAnimation a;
    a.header.version = k_bone_animation_version;
    a.frame_count = clip.frames;
    a.loop = clip.is_loop;
    for (const MadeBone& b : bones_) {
      const auto moves = [&](scene::Index node) { return moving.contains(node); };
      if (std::ranges::none_of(b.nodes, moves)) continue;
      std::ranges::copy_if(b.nodes, std::inserter(taken, taken.end()), moves);
      ChrBone made = build_chr_bone(sample_bone(b, moving, clip));
      made.name = b.name;
      const auto known = std::ranges::find(a.bones, b.name, &ChrBone::name);
      if (known == a.bones.end())
        a.bones.push_back(std::move(made));
      else if (known->flags != made.flags || known->tracks != made.tracks)
        out_.clashing.insert(b.name);
    }
    size_t& count = out_.taken.emplace_back();
    for (const scene::Index node : taken) count += moving[node].size();
    if (a.bones.empty()) return;
    a.name = names_(from.name, "course");
    out_.files.push_back({std::move(a), {}});
  }

  Samples sample_bone(const MadeBone& b, const ChannelsByNode& moving, const Clip& clip) {
    const bool is_direct = b.nodes.size() == 1 && b.base.linear.columns == scene::Affine{}.linear.columns &&
                           b.base.origin == scene::Affine{}.origin;
    Samples out;
    scene::Pose pose;
    scene::Vec3 degrees{0, 0, 0};
    for (u32 f = 0; f <= clip.frames; ++f) {
      if (const auto now = pose_of_bone(s_, b, moving, clip.seconds(f), is_direct))
        pose = *now;
      else
        skewed_.insert(b.nodes.back());
      degrees = scene::nearest_euler_degrees(pose.rotation, degrees);
      for (size_t i = 0; i < 3; ++i) {
        out[i].push_back(pose.scale[i]);
        out[3 + i].push_back(degrees[i]);
        out[6 + i].push_back(pose.translation[i]);
      }
    }
    return out;
  }

  const scene::Scene& s_;
  const std::span<const MadeBone> bones_;
  BuiltChrFiles out_;
  UniqueNames names_;
  std::set<scene::Index> skewed_;
};

}  // namespace

ChrBone build_chr_bone(const Samples& samples) {
  ChrBone out;
  std::array<bool, 9> is_constant{};
  u8* const formats[] = {&out.scale_format, &out.rotation_format, &out.translation_format};
  for (size_t i = 0; i < 9; ++i)
    if (const auto value = find_constant(samples[i], widen_tolerance(samples[i], k_tolerances[i / 3])))
      is_constant[i] = true, out.tracks[i].value = *value;
  for (size_t kind = 0; kind < 3; ++kind) {
    const std::span<const bool> constant = std::span(is_constant).subspan(3 * kind, 3);
    if (std::ranges::all_of(constant, [](bool x) { return x; })) continue;
    *formats[kind] = fit_numbers(std::span(samples).subspan(3 * kind, 3), constant,
                                 std::span(out.tracks).subspan(3 * kind, 3), kind == k_rotation, k_tolerances[kind]);
  }
  out.flags = find_flags(out, is_constant);
  return out;
}

BuiltChrFiles build_chr_files(const scene::Scene& s, std::span<const MadeBone> bones) {
  return ChrFilesBuilder(s, bones).run();
}

}  // namespace dio::brres
