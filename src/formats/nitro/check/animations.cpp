// animations.cpp: animations of all five kinds.
#include "formats/contract/findings.hpp"
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/pose.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_animation_rule_table[] = {
    {"nitro.frames-zero", error, "an animation has frames", "The game divides by their number, or never ends.",
     "README, Joint animations"},
    {"nitro.track-node", error, "the tracks of a joint animation are numbered as they stand",
     "The game writes the result of a track to the node that it names.", "README, Joint animations"},
    {"nitro.curve-last", error,
     "the last frame between samples is a multiple of the step inside of the animation; with "
     "a sample for each frame it is their number",
     "The game takes samples from behind the curve.", "README, Joint animations", Severities{hint}},
    {"nitro.curve-step", warning, "curves have samples every 1, 2 or 4 frames", "The game takes step 3 for 4.",
     "README, Joint animations"},
    {"nitro.rotation-index", error, "rotations are in the animation's tables",
     "The game takes what lies behind the table for a matrix.", "README, Joint animations"},
    {"nitro.table-rotation", warning, "the axes of rotations in tables have length 1 and are at right angles",
     "The node is bent or scaled.", "41,108 real pivots, 19,578 real bases"},
    {"nitro.animated-zero-scale", hint, "no animation scales a node to nothing",
     "Children that undo the scale vanish with it.", "674 real constants"},
    {"nitro.animated-scale", warning, "scales have the inverse beside them that belongs to them",
     "Children that undo the scale come out too large or too small.", "real files; README, Joint animations"},
    {"nitro.pattern-keys", error, "a pattern has keys, and their frames rise from one to the next",
     "The game looks for the last key before a frame, and passes over others.", "521 real tracks"},
    {"nitro.pattern-first", hint, "the first key of a pattern is at frame 0",
     "Before it the game takes the first key all the same.", "521 real tracks"},
    {"nitro.pattern-frame", hint, "keys lie inside of the animation", "They are never reached.", "521 real tracks"},
    {"nitro.pattern-index", error, "keys name textures and palettes that are in the animation's lists",
     "The game takes what lies behind the list for a name.", "README, Animations of materials"},
    {"nitro.pattern-ratio", warning, "the ratio of a pattern is its keys for each frame",
     "The game starts to look for the key in the wrong place.", "521 real tracks"},
    {"nitro.pattern-unused", hint, "every name of a pattern animation is used", "The game looks it up for nothing.",
     "219 real files"},
    {"nitro.matrix-mode", hint, "the texture matrix mode of an animation is 0 to 3",
     "Old tools left what was in memory; the game uses the model's.", "28 of 319 real files"},
    {"nitro.sine-cosine", warning, "rotations of textures are sines and cosines", "The texture is scaled as well.",
     "319 real files"},
    {"nitro.color-range", error, "colours have 15 bits, alphas are 0 to 31",
     "The bits above belong to other settings of the hardware.", "README, Animations of materials"},
    {"nitro.nodes-zero", warning, "a visibility animation has nodes", "It shows and hides nothing.",
     "README, Visibility"},
};

/// What is wrong with where a curve has its samples; `count` is how many were read.
void check_curve(Reporter& r, const std::string& path, std::string_view field, u8 step, u32 last, u32 frames) {
  if (step == 3) r.report("nitro.curve-step", in(path, "step"), {.expected = "0, 1 or 2", .found = "3"});
  const u32 n = frames_of_step(step);
  if (n == 1) {
    if (last != frames)  // nobody looks at it
      r.report(hint, "nitro.curve-last", in(path, field), {.expected = text(frames), .found = text("frame ", last)});
    return;
  }
  if (last % n || last >= frames)
    r.report("nitro.curve-last", in(path, field),
             {.expected = text("a multiple of ", n, " below ", frames), .found = text("frame ", last)});
}

void check_frames(Reporter& r, const std::string& path, u16 frames) {
  if (!frames) r.report("nitro.frames-zero", in(path, "frames"), {.expected = "1 or more", .found = "0"});
}

/// A scale and its inverse; false where it is nothing.
bool check_scale(Reporter& r, const std::string& path, std::string_view field, i32 value, i32 inverse) {
  if (!are_inverse(value, inverse))
    r.report("nitro.animated-scale", in(path, field),
             {.expected = text("1 / ", f64(value) / 4096), .found = text(f64(inverse) / 4096)});
  if (value) return true;
  r.report("nitro.animated-zero-scale", in(path, field), {.expected = "a scale above 0", .found = "0"});
  return false;
}

void check_joints(Reporter& r, const JointAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  for (size_t i = 0; i < a.pivots.size(); ++i) {
    const PivotRotation& p = a.pivots[i];
    if (p.pivot_index > 8)
      r.report("nitro.pivot-index", in(in(path, "pivots", i), "pivot_index"),
               {.expected = "0 to 8", .found = text(p.pivot_index)});
    else if (!is_pivot(p.a, p.b))
      r.report("nitro.table-rotation", in(path, "pivots", i),
               {.expected = "A^2 + B^2 = 1", .found = "numbers that are no sine and cosine"});
  }
  for (size_t i = 0; i < a.bases.size(); ++i)
    if (!is_rotation(rotation_of(a.bases[i])))
      r.report("nitro.table-rotation", in(path, "bases", i),
               {.expected = "axes of length 1 at right angles", .found = "axes of other lengths or angles"});
  const auto index = [&](const std::string& where, u16 n) {
    const size_t count = n & 0x8000 ? a.pivots.size() : a.bases.size();
    if (size_t(n & 0x7FFF) >= count)
      r.report("nitro.rotation-index", where,
               {.expected = text("one below ", count), .found = text(n & 0x8000 ? "pivot " : "basis ", n & 0x7FFF)});
  };
  for (size_t i = 0; i < a.tracks.size(); ++i) {
    const Track& t = a.tracks[i];
    const std::string track = in(path, "tracks", i);
    if (t.node != (i & 0xFF))
      r.report("nitro.track-node", in(track, "node"), {.expected = text(i), .found = text("node ", t.node)});
    const auto curve = [&](const std::string& channel, const Curve& c) {
      check_curve(r, in(channel, "curve"), "last", c.step, c.last, a.frames);
    };
    for (size_t k = 0; k < 3; ++k) {
      if (t.translates() && !t.translation[k].constant) curve(in(track, "translation", k), t.translation[k].curve);
      if (!t.scales()) continue;
      const ScaleChannel& s = t.scale[k];
      const std::string channel = in(track, "scale", k);
      if (s.constant) {
        check_scale(r, channel, "value", s.value.raw, s.inverse.raw);
        continue;
      }
      curve(channel, s.curve);
      bool is_seen = true;  // once for a curve
      for (size_t n = 0; is_seen && n + 1 < s.samples.size(); n += 2)
        is_seen = check_scale(r, channel, text("curve.samples[", n, "]"), s.samples[n], s.samples[n + 1]);
    }
    if (!t.rotates()) continue;
    if (t.rotation.constant) {
      index(in(track, "rotation.index"), t.rotation.index);
      continue;
    }
    curve(in(track, "rotation"), t.rotation.curve);
    for (size_t n = 0; n < t.rotation.samples.size(); ++n)
      index(in(track, "rotation.curve.samples", n), t.rotation.samples[n]);
  }
}

void check_patterns(Reporter& r, const PatternAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  check_dictionary(r, in(path, "dictionary"), a.dictionary, in(path, "materials"), a.materials);
  std::vector<u8> textures(a.texture_names.size(), 0), palettes(a.palette_names.size(), 0);
  for (size_t i = 0; i < a.materials.size(); ++i) {
    const PatternTrack& m = a.materials[i];
    const std::string track = in(path, "materials", i);
    if (m.keys.empty())
      r.report("nitro.pattern-keys", in(track, "count"), {.expected = "at least one", .found = "no keys"});
    if (a.frames && m.ratio.raw != i16(m.keys.size() * 4096 / a.frames))
      r.report("nitro.pattern-ratio", in(track, "ratio"),
               {.expected = text(m.keys.size(), " keys in ", a.frames, " frames"), .found = text(m.ratio.value())});
    for (size_t k = 0; k < m.keys.size(); ++k) {
      const PatternKey& key = m.keys[k];
      const std::string where = in(track, "keys", k);
      if (k == 0 && key.frame != 0)
        r.report("nitro.pattern-first", in(where, "frame"), {.expected = "0", .found = text(key.frame)});
      if (k && key.frame <= m.keys[k - 1].frame)
        r.report("nitro.pattern-keys", in(where, "frame"),
                 {.expected = text("a frame behind ", m.keys[k - 1].frame), .found = text("frame ", key.frame)});
      if (a.frames && key.frame >= a.frames)
        r.report("nitro.pattern-frame", in(where, "frame"),
                 {.expected = text("below ", a.frames), .found = text("frame ", key.frame)});
      if (key.texture >= textures.size())
        r.report("nitro.pattern-index", in(where, "texture"),
                 {.expected = text("one below ", textures.size()), .found = text("texture ", key.texture)});
      else
        textures[key.texture] = 1;
      if (key.palette == k_no_palette) continue;
      if (key.palette >= palettes.size())
        r.report("nitro.pattern-index", in(where, "palette"),
                 {.expected = text("one below ", palettes.size(), ", or 255"), .found = text("palette ", key.palette)});
      else
        palettes[key.palette] = 1;
    }
  }
  const auto unused = [&](const char* list, const std::vector<u8>& used, const auto& names) {
    for (size_t i = 0; i < used.size(); ++i)
      if (!used[i])
        r.report("nitro.pattern-unused", in(in(path, list, i), "name"),
                 {.expected = "names that keys use", .found = text("\"", names[i].name, "\", in no key")});
  };
  unused("texture_names", textures, a.texture_names);
  unused("palette_names", palettes, a.palette_names);
}

void check_texture_motion(Reporter& r, const TextureAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  check_dictionary(r, in(path, "dictionary"), a.dictionary, in(path, "materials"), a.materials);
  if (a.texture_matrix_mode > 3)
    r.report("nitro.matrix-mode", in(path, "texture_matrix_mode"),
             {.expected = "0 to 3", .found = text(a.texture_matrix_mode)});
  for (size_t i = 0; i < a.materials.size(); ++i) {
    const TextureTrack& m = a.materials[i];
    const std::string track = in(path, "materials", i);
    const auto channel = [&](const char* name, const TextureChannel& c) {
      if (!c.constant) check_curve(r, in(track, name), "last", c.step, c.last, a.frames);
    };
    channel("scale_s", m.scale_s);
    channel("scale_t", m.scale_t);
    channel("rotation", m.rotation);
    channel("translation_s", m.translation_s);
    channel("translation_t", m.translation_t);
    const auto angle = [&](std::string_view field, i16 sine, i16 cosine) {
      if (!is_pivot({sine}, {cosine}))
        r.report("nitro.sine-cosine", in(in(track, "rotation"), field),
                 {.expected = "two whose squares sum to 1", .found = "numbers that are no sine and cosine"});
    };
    if (m.rotation.constant) angle("value", i16(m.rotation.data), i16(m.rotation.data >> 16));
    for (size_t n = 0; n + 1 < m.rotation.samples.size(); n += 2)
      angle(text("samples[", n, "]"), i16(m.rotation.samples[n]), i16(m.rotation.samples[n + 1]));
  }
}

void check_colors(Reporter& r, const ColorAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  check_dictionary(r, in(path, "dictionary"), a.dictionary, in(path, "materials"), a.materials);
  for (size_t i = 0; i < a.materials.size(); ++i) {
    const ColorTrack& m = a.materials[i];
    const auto channel = [&](const char* name, const ColorChannel& c, u16 most) {
      const std::string where = in(in(path, "materials", i), name);
      const auto range = [&](std::string_view field, u16 x) {
        if (x > most)
          r.report("nitro.color-range", in(where, field), {.expected = text("at most ", most), .found = text(x)});
      };
      if (c.constant) return range("data", c.data);
      check_curve(r, where, "last", c.step, c.last, a.frames);
      for (size_t n = 0; n < c.samples.size(); ++n) range(text("samples[", n, "]"), c.samples[n]);
    };
    channel("diffuse", m.diffuse, 0x7FFF);
    channel("ambient", m.ambient, 0x7FFF);
    channel("specular", m.specular, 0x7FFF);
    channel("emission", m.emission, 0x7FFF);
    channel("alpha", m.alpha, 31);
  }
}

void check_visibility(Reporter& r, const VisibilityAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  if (!a.node_count)
    r.report("nitro.nodes-zero", in(path, "node_count"), {.expected = "the number of the model's nodes", .found = "0"});
}

template <class File, class Animation>
void check_set(const File& f, Findings& findings, void (*one)(Reporter&, const Animation&, const std::string&)) {
  Reporter r(findings);
  check_header(r, f.header, 1);
  check_dictionary(r, "block.dictionary", f.block.dictionary, "animations", f.animations);
  for (size_t i = 0; i < f.animations.size(); ++i) one(r, f.animations[i], at("animations", i));
}

}  // namespace

constinit const std::span<const Rule> k_animation_rules = k_animation_rule_table;

void check(const Nsbca& f, Findings& findings) { check_set(f, findings, check_joints); }
void check(const Nsbtp& f, Findings& findings) { check_set(f, findings, check_patterns); }
void check(const Nsbta& f, Findings& findings) { check_set(f, findings, check_texture_motion); }
void check(const Nsbma& f, Findings& findings) { check_set(f, findings, check_colors); }
void check(const Nsbva& f, Findings& findings) { check_set(f, findings, check_visibility); }

}  // namespace dio::nitro
