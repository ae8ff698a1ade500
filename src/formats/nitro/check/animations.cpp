// animations.cpp: animations of all five kinds.
#include "formats/contract/findings.hpp"
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/pose.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_animation_rule_table[] = {
    {"nitro.frames-zero", error, "every animation has frames",
     "The game divides by the number of frames, or loops forever.", "Set the number of frames to at least 1.",
     "README, Joint animations"},
    {"nitro.track-node", error, "the tracks of a joint animation are numbered in order",
     "The game writes the result of a track to the node that the track names.",
     "Set the node of the track to the number of the track.", "README, Joint animations"},
    {"nitro.curve-last", error,
     "the last interpolated frame of a curve is a multiple of its step, inside the animation",
     "The game reads samples past the end of the curve. A curve with a sample for each frame stores the number of "
     "frames there.",
     "Set last to the greatest multiple of the step below the number of frames, or to the number of frames if each "
     "frame has a sample.",
     "README, Joint animations", Severities{hint}},
    {"nitro.curve-step", warning, "curves have a sample every 1, 2 or 4 frames",
     "The game treats step 3 as every 4 frames.", "Set step to 0, 1 or 2.", "README, Joint animations"},
    {"nitro.rotation-index", error, "every rotation index is inside the animation's tables",
     "The game reads a matrix from past the end of the table.", "Use an index of the table, or add the rotation to it.",
     "README, Joint animations"},
    {"nitro.table-rotation", warning, "the axes of rotations in the tables have length 1 and are at right angles",
     "The node is skewed or scaled.", "Normalise the axes of the rotation, or export the animation again.",
     "41,108 real pivots, 19,578 real bases"},
    {"nitro.animated-zero-scale", hint, "no animation scales a node to 0",
     "Child nodes that compensate for the scale of the node vanish with it.",
     "Nothing has to be done if the node should vanish; otherwise use a small scale such as 0.001.",
     "674 real constants"},
    {"nitro.animated-scale", warning, "every scale is stored with its inverse",
     "Child nodes that compensate for the scale of the node come out too large or too small.",
     "Store 1 divided by the scale as its inverse.", "real files; README, Joint animations"},
    {"nitro.pattern-keys", error, "a texture pattern has keys, in order of their frames",
     "The game searches for the last key before a frame, and skips keys that are out of order.",
     "Sort the keys by frame, with one key for a frame.", "521 real tracks"},
    {"nitro.pattern-first", hint, "the first key of a texture pattern is at frame 0",
     "Before its frame, the game uses the first key as well.",
     "Move the first key to frame 0; the animation looks the same.", "521 real tracks"},
    {"nitro.pattern-frame", hint, "keys lie inside the animation", "Keys after the last frame are never reached.",
     "Move the key inside the animation, remove it, or make the animation longer.", "521 real tracks"},
    {"nitro.pattern-index", error, "keys name textures and palettes that are in the animation's lists",
     "The game reads a name from past the end of the list.", "Use an index of the list, or add the name to it.",
     "README, Animations of materials"},
    {"nitro.pattern-ratio", warning,
     "the ratio of a texture pattern is its number of keys divided by its number of frames",
     "The game starts its search for a key at the wrong place, and may show the wrong texture.",
     "Set the ratio to the number of keys divided by the number of frames.", "521 real tracks"},
    {"nitro.pattern-unused", hint, "every name in a texture pattern animation is used by a key",
     "The game looks the name up although no key needs it.", "Remove the name, or leave it: it does little harm.",
     "219 real files"},
    {"nitro.matrix-mode", hint, "the texture matrix mode of an animation is 0 to 3",
     "Old tools wrote uninitialised memory here; the game uses the model's mode.",
     "Nothing has to be done; set the mode to that of the model if you like.", "28 of 319 real files"},
    {"nitro.sine-cosine", warning, "texture rotations are a sine and a cosine",
     "The texture is scaled or skewed as well as rotated.", "Store the sine and the cosine of one angle.",
     "319 real files"},
    {"nitro.color-range", error, "colours have 15 bits and alphas are 0 to 31",
     "The higher bits overwrite other settings of the hardware.",
     "Set the value to at most 31; for a colour, each channel.", "README, Animations of materials"},
    {"nitro.nodes-zero", warning, "a visibility animation has nodes", "An animation without nodes has no effect.",
     "Set node_count to the number of nodes in the model.", "README, Visibility"},
};

/// Reports a curve whose samples do not fit an animation of `frames` frames.
void check_curve(Reporter& r, const std::string& path, std::string_view field, u8 step, u32 last, u32 frames) {
  if (step == 3)
    r.report("nitro.curve-step", field_path(path, "step"),
             {.message = "step 3 is undefined; must be 0, 1 or 2, for a sample every 1, 2 or 4 frames"});
  const u32 n = frames_per_sample(step);
  if (n == 1) {
    if (last != frames)  // the games ignore it
      r.report(hint, "nitro.curve-last", field_path(path, field),
               {.message = text("last is ", last, "; must be ", frames, ", the number of frames")});
    return;
  }
  if (last % n || last >= frames)
    r.report(
        "nitro.curve-last", field_path(path, field),
        {.message = text("the last interpolated frame is ", last, "; must be a multiple of ", n, " below ", frames)});
}

void check_frames(Reporter& r, const std::string& path, u16 frames) {
  if (!frames) r.report("nitro.frames-zero", field_path(path, "frames"), {.message = "the animation has no frames"});
}

/// Checks a scale and its inverse; false if the scale is 0.
bool check_scale(Reporter& r, const std::string& path, std::string_view field, i32 value, i32 inverse) {
  if (!are_inverse(value, inverse))
    r.report(
        "nitro.animated-scale", field_path(path, field),
        {.message = text("the scale is ", f64(value) / 4096, ", but its inverse is stored as ", f64(inverse) / 4096)});
  if (value) return true;
  r.report("nitro.animated-zero-scale", field_path(path, field), {.message = "the scale is 0"});
  return false;
}

void check_joints(Reporter& r, const JointAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  for (size_t i = 0; i < a.pivots.size(); ++i) {
    const PivotRotation& p = a.pivots[i];
    if (p.pivot_index > 8)
      r.report("nitro.pivot-index", field_path(field_path(path, "pivots", i), "pivot_index"),
               {.message = text("pivot index ", p.pivot_index, " is out of range (0 to 8)")});
    else if (!is_sine_cosine_pair(p.a, p.b))
      r.report("nitro.table-rotation", field_path(path, "pivots", i),
               {.message = "a and b are not the sine and cosine of an angle"});
  }
  for (size_t i = 0; i < a.bases.size(); ++i)
    if (!is_rotation(rotation_matrix(a.bases[i])))
      r.report("nitro.table-rotation", field_path(path, "bases", i),
               {.message = "the axes do not have length 1, or are not at right angles"});
  const auto index = [&](const std::string& where, u16 n) {
    const size_t count = n & 0x8000 ? a.pivots.size() : a.bases.size();
    if (size_t(n & 0x7FFF) >= count)
      r.report("nitro.rotation-index", where,
               {.message = text(n & 0x8000 ? "pivot " : "basis ", n & 0x7FFF, " does not exist; the table has ", count,
                                count == 1 ? " entry" : " entries")});
  };
  for (size_t i = 0; i < a.tracks.size(); ++i) {
    const Track& t = a.tracks[i];
    const std::string track = field_path(path, "tracks", i);
    if (t.node != (i & 0xFF))
      r.report("nitro.track-node", field_path(track, "node"),
               {.message = text("node is ", t.node, "; must be ", i & 0xFF, ", the number of the track")});
    const auto curve = [&](const std::string& channel, const Curve& c) {
      check_curve(r, field_path(channel, "curve"), "last", c.step, c.last, a.frames);
    };
    for (size_t k = 0; k < 3; ++k) {
      if (t.translates() && !t.translation[k].constant)
        curve(field_path(track, "translation", k), t.translation[k].curve);
      if (!t.scales()) continue;
      const ScaleChannel& s = t.scale[k];
      const std::string channel = field_path(track, "scale", k);
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
      index(field_path(track, "rotation.index"), t.rotation.index);
      continue;
    }
    curve(field_path(track, "rotation"), t.rotation.curve);
    for (size_t n = 0; n < t.rotation.samples.size(); ++n)
      index(field_path(track, "rotation.curve.samples", n), t.rotation.samples[n]);
  }
}

void check_patterns(Reporter& r, const PatternAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  check_dictionary(r, field_path(path, "dictionary"), a.dictionary, field_path(path, "materials"), a.materials);
  std::vector<u8> textures(a.texture_names.size(), 0), palettes(a.palette_names.size(), 0);
  for (size_t i = 0; i < a.materials.size(); ++i) {
    const PatternTrack& m = a.materials[i];
    const std::string track = field_path(path, "materials", i);
    if (m.keys.empty())
      r.report("nitro.pattern-keys", field_path(track, "count"), {.message = "the texture pattern has no keys"});
    if (a.frames && m.ratio.raw != i16(m.keys.size() * 4096 / a.frames))
      r.report("nitro.pattern-ratio", field_path(track, "ratio"),
               {.message = text("the ratio is ", m.ratio.value(), "; it should be ",
                                f64(m.keys.size() * 4096 / a.frames) / 4096, ", for ",
                                format_count(m.keys.size(), "key"), " in ", format_count(a.frames, "frame"))});
    for (size_t k = 0; k < m.keys.size(); ++k) {
      const PatternKey& key = m.keys[k];
      const std::string where = field_path(track, "keys", k);
      if (k == 0 && key.frame != 0)
        r.report("nitro.pattern-first", field_path(where, "frame"),
                 {.message = text("the first key is at frame ", key.frame, " instead of 0")});
      if (k && key.frame <= m.keys[k - 1].frame)
        r.report("nitro.pattern-keys", field_path(where, "frame"),
                 {.message = text("key ", k, " at frame ", key.frame, " does not come after key ", k - 1, " at frame ",
                                  m.keys[k - 1].frame)});
      if (a.frames && key.frame >= a.frames)
        r.report("nitro.pattern-frame", field_path(where, "frame"),
                 {.message = text("the key is at frame ", key.frame, "; the last frame is ", a.frames - 1)});
      if (key.texture >= textures.size())
        r.report("nitro.pattern-index", field_path(where, "texture"),
                 {.message = text("texture ", key.texture, " does not exist; the animation names ",
                                  format_count(textures.size(), "texture"))});
      else
        textures[key.texture] = 1;
      if (key.palette == k_no_palette) continue;
      if (key.palette >= palettes.size())
        r.report("nitro.pattern-index", field_path(where, "palette"),
                 {.message = text("palette ", key.palette, " does not exist; the animation names ",
                                  format_count(palettes.size(), "palette")),
                  .hint = "255 keeps the current palette"});
      else
        palettes[key.palette] = 1;
    }
  }
  const auto report_unused = [&](const char* list, std::string_view what, const std::vector<u8>& used,
                                 const auto& names) {
    for (size_t i = 0; i < used.size(); ++i)
      if (!used[i])
        r.report("nitro.pattern-unused", field_path(field_path(path, list, i), "name"),
                 {.message = text("no key uses the ", what, " \"", names[i].name, "\"")});
  };
  report_unused("texture_names", "texture", textures, a.texture_names);
  report_unused("palette_names", "palette", palettes, a.palette_names);
}

void check_texture_motion(Reporter& r, const TextureAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  check_dictionary(r, field_path(path, "dictionary"), a.dictionary, field_path(path, "materials"), a.materials);
  if (a.texture_matrix_mode > 3)
    r.report("nitro.matrix-mode", field_path(path, "texture_matrix_mode"),
             {.message = text("texture matrix mode ", a.texture_matrix_mode, " is out of range (0 to 3)")});
  for (size_t i = 0; i < a.materials.size(); ++i) {
    const TextureTrack& m = a.materials[i];
    const std::string track = field_path(path, "materials", i);
    const auto channel = [&](const char* name, const TextureChannel& c) {
      if (!c.constant) check_curve(r, field_path(track, name), "last", c.step, c.last, a.frames);
    };
    channel("scale_s", m.scale_s);
    channel("scale_t", m.scale_t);
    channel("rotation", m.rotation);
    channel("translation_s", m.translation_s);
    channel("translation_t", m.translation_t);
    const auto check_angle = [&](std::string_view field, i16 sine, i16 cosine) {
      if (!is_sine_cosine_pair({sine}, {cosine}))
        r.report("nitro.sine-cosine", field_path(field_path(track, "rotation"), field),
                 {.message = "the two numbers are not the sine and cosine of an angle"});
    };
    if (m.rotation.constant) check_angle("value", i16(m.rotation.data), i16(m.rotation.data >> 16));
    for (size_t n = 0; n + 1 < m.rotation.samples.size(); n += 2)
      check_angle(text("samples[", n, "]"), i16(m.rotation.samples[n]), i16(m.rotation.samples[n + 1]));
  }
}

void check_colors(Reporter& r, const ColorAnimation& a, const std::string& path) {
  check_frames(r, path, a.frames);
  check_dictionary(r, field_path(path, "dictionary"), a.dictionary, field_path(path, "materials"), a.materials);
  for (size_t i = 0; i < a.materials.size(); ++i) {
    const ColorTrack& m = a.materials[i];
    const auto channel = [&](const char* name, const ColorChannel& c, u16 most) {
      const std::string where = field_path(field_path(path, "materials", i), name);
      const auto range = [&](std::string_view field, u16 x) {
        if (x > most)
          r.report("nitro.color-range", field_path(where, field),
                   {.message = text(x, " is out of range (0 to ", most, ")")});
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
    r.report("nitro.nodes-zero", field_path(path, "node_count"),
             {.message = "the animation has no nodes", .hint = "set node_count to the number of nodes in the model"});
}

template <class File, class Animation>
void check_animation_file(const File& f, Findings& findings,
                          void (*one)(Reporter&, const Animation&, const std::string&)) {
  Reporter r(findings);
  check_header(r, f.header, 1);
  check_dictionary(r, "block.dictionary", f.block.dictionary, "animations", f.animations);
  for (size_t i = 0; i < f.animations.size(); ++i) one(r, f.animations[i], element_path("animations", i));
}

}  // namespace

constinit const std::span<const Rule> k_animation_rules = k_animation_rule_table;

void check(const Nsbca& f, Findings& findings) { check_animation_file(f, findings, check_joints); }
void check(const Nsbtp& f, Findings& findings) { check_animation_file(f, findings, check_patterns); }
void check(const Nsbta& f, Findings& findings) { check_animation_file(f, findings, check_texture_motion); }
void check(const Nsbma& f, Findings& findings) { check_animation_file(f, findings, check_colors); }
void check(const Nsbva& f, Findings& findings) { check_animation_file(f, findings, check_visibility); }

}  // namespace dio::nitro
