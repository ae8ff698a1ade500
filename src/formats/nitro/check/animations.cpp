// animations.cpp: checks of all five kinds of animation.
#include "formats/contract/findings.hpp"
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/pose.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_animation_rule_table[] = {
    {"nitro.frames-zero", error, "every animation has at least one frame",
     "If an animation has no frames, the game divides by 0 or loops forever.", "Set the frame count to at least 1.",
     "src/formats/nitro/README.md#joint-animations"},
    {"nitro.track-node", error, "each track of a joint animation stores its own index as its node number",
     "The game applies a track to the node whose number the track stores. If the number is wrong, the wrong node "
     "moves.",
     "Set the node number stored in the track to the index of the track.",
     "src/formats/nitro/README.md#joint-animations"},
    {"nitro.curve-last", error,
     "the last interpolated frame of a curve is less than the frame count and is a multiple of 2 or 4 (the number of "
     "frames per sample)",
     "If the last interpolated frame is too high, the game reads samples past the end of the curve. If every frame has "
     "a sample, the game ignores the field `last`.",
     "If every frame has a sample, set the field `last` to the frame count. Otherwise, set the field `last` to the "
     "greatest multiple "
     "of 2 or 4 (the number of frames per sample) that is less than the frame count.",
     "src/formats/nitro/README.md#curves", Severities{hint}},
    {"nitro.curve-step", warning, "every curve has a sample every 1, 2 or 4 frames",
     "The game reads step 3 as one sample every 4 frames.", "Set step to 0, 1 or 2 (a sample every 1, 2 or 4 frames).",
     "src/formats/nitro/README.md#curves"},
    {"nitro.rotation-index", error, "every rotation index refers to an entry in the animation's rotation tables",
     "If the index is too high, the game reads a matrix past the end of the rotation table.",
     "Use the index of an existing rotation, or add the rotation to the table.",
     "src/formats/nitro/README.md#joint-animations"},
    {"nitro.table-rotation", warning, "the axes of each rotation in the animation's tables are orthonormal",
     "If the axes of a rotation are not orthonormal, the rotation skews or scales the node.",
     "Make the axes of the rotation orthonormal, or export the animation again.",
     "measured on 41,108 pivot and 19,578 basis rotations"},
    {"nitro.animated-zero-scale", hint, "no animation scales a node to 0",
     "A node with scale 0 vanishes. Child nodes that compensate for the scale of the node also vanish.",
     "No action is needed if the node should vanish; otherwise, use a small scale such as 0.001.",
     "674 constant scales in game animations are 0"},
    {"nitro.animated-scale", warning, "every scale in an animation is stored with its inverse",
     "If the inverse is wrong, child nodes that compensate for the scale of the node become too large or too small.",
     "Set the stored inverse to 1 divided by the scale.", "src/formats/nitro/README.md#joint-animations"},
    {"nitro.pattern-keys", error, "a texture pattern has at least one key, and its keys are sorted by frame",
     "The game searches for the last key at or before the current frame and skips keys that are out of order.",
     "Sort the keys by frame, and keep at most one key per frame. If the pattern has no keys, add one.",
     "measured on 521 texture pattern tracks"},
    {"nitro.pattern-first", hint, "the first key of a texture pattern is at frame 0",
     "The game also uses the first key for all frames before that key.",
     "Move the first key to frame 0. The animation will look the same.", "measured on 521 texture pattern tracks"},
    {"nitro.pattern-frame", hint, "every key of a texture pattern is at a frame within the animation",
     "The game never reaches a key after the last frame.",
     "Move the key to an earlier frame, remove it, or make the animation longer.",
     "measured on 521 texture pattern tracks"},
    {"nitro.pattern-index", error,
     "the texture and palette numbers of a key refer to entries in the animation's name lists",
     "If a texture or palette number is too high, the game reads past the end of the name list.",
     "Use the number of an existing name, or add the name to the list.",
     "src/formats/nitro/README.md#animations-of-materials"},
    {"nitro.pattern-ratio", warning,
     "the ratio stored for a texture pattern is its key count divided by its frame count",
     "The game uses the ratio to choose the key where its search starts. If the ratio is wrong, the game may show the "
     "wrong texture.",
     "Set the ratio to the key count divided by the frame count.", "measured on 521 texture pattern tracks"},
    {"nitro.pattern-unused", hint, "every name listed in a texture pattern animation is used by a key",
     "The game looks up every listed name, even if no key uses the name.",
     "No action is needed, but you can remove the unused name from the list.", "measured on 219 texture pattern files"},
    {"nitro.matrix-mode", hint, "the texture matrix mode stored in an animation is 0 to 3",
     "Old tools stored uninitialised memory as the texture matrix mode. The game ignores this field and uses the mode "
     "of the model.",
     "No action is needed, but you can set the mode in the animation to the mode in the model.",
     "28 of 319 texture SRT files from games break this rule"},
    {"nitro.sine-cosine", warning, "a texture rotation is stored as the sine and cosine of one angle",
     "If the two numbers are not the sine and cosine of one angle, the game also scales or skews the texture.",
     "Store the sine and the cosine of the same angle.", "measured on 319 texture SRT files"},
    {"nitro.color-range", error, "animated colours fit in 15 bits, and alpha values are 0 to 31",
     "If a colour or alpha value is too large, the game writes its extra bits over other hardware settings.",
     "Set alpha to at most 31; in a colour, set red, green and blue to at most 31 each.",
     "src/formats/nitro/README.md#animations-of-materials"},
    {"nitro.nodes-zero", warning, "a visibility animation covers at least one node",
     "An animation without nodes has no effect.", "Set node_count to the number of nodes in the model.",
     "src/formats/nitro/README.md#visibility"},
};

/// Reports a curve whose samples do not fit an animation of `frames` frames.
void check_curve(Reporter& r, const std::string& path, std::string_view field, u8 step, u32 last, u32 frames) {
  if (step == 3)
    r.report("nitro.curve-step", field_path(path, "step"),
             {.message = "step is 3, which is undefined; step must be 0, 1 or 2 (a sample every 1, 2 or 4 frames)"});
  const u32 n = frames_per_sample(step);
  if (n == 1) {
    if (last != frames)  // the games ignore it
      r.report(hint, "nitro.curve-last", field_path(path, field),
               {.message = text("the field last is ", last, "; it must equal the frame count, ", frames)});
    return;
  }
  if (last % n || last >= frames)
    r.report("nitro.curve-last", field_path(path, field),
             {.message = text("the last interpolated frame is ", last, "; it must be a multiple of ", n,
                              " that is less than the frame count, ", frames)});
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
               {.message = "a and b of the pivot rotation are not the sine and cosine of the same angle"});
  }
  for (size_t i = 0; i < a.bases.size(); ++i)
    if (!is_rotation(rotation_matrix(a.bases[i])))
      r.report("nitro.table-rotation", field_path(path, "bases", i),
               {.message = "the axes of the rotation are not orthonormal"});
  const auto index = [&](const std::string& where, u16 n) {
    const size_t count = n & 0x8000 ? a.pivots.size() : a.bases.size();
    if (size_t(n & 0x7FFF) >= count)
      r.report("nitro.rotation-index", where,
               {.message = text(n & 0x8000 ? "pivot " : "basis ", n & 0x7FFF, " does not exist; the table has ", count,
                                count == 1 ? " entry" : " entries", ", counted from 0")});
  };
  for (size_t i = 0; i < a.tracks.size(); ++i) {
    const Track& t = a.tracks[i];
    const std::string track = field_path(path, "tracks", i);
    if (t.node != (i & 0xFF))
      r.report("nitro.track-node", field_path(track, "node"),
               {.message = text("the node number is ", t.node, "; it must equal the index of the track, ", i & 0xFF)});
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
      bool is_seen = true;  // report once per curve
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
               {.message =
                    text("the ratio is ", m.ratio.value(), "; it must be ", f64(m.keys.size() * 4096 / a.frames) / 4096,
                         " (", format_count(m.keys.size(), "key"), " in ", format_count(a.frames, "frame"), ")")});
    for (size_t k = 0; k < m.keys.size(); ++k) {
      const PatternKey& key = m.keys[k];
      const std::string where = field_path(track, "keys", k);
      if (k == 0 && key.frame != 0)
        r.report("nitro.pattern-first", field_path(where, "frame"),
                 {.message = text("the first key is at frame ", key.frame, " instead of 0")});
      if (k && key.frame <= m.keys[k - 1].frame)
        r.report("nitro.pattern-keys", field_path(where, "frame"),
                 {.message = text("key ", k, " is at frame ", key.frame, ", but key ", k - 1, " is at frame ",
                                  m.keys[k - 1].frame, "; the keys must be sorted by frame")});
      if (a.frames && key.frame >= a.frames)
        r.report("nitro.pattern-frame", field_path(where, "frame"),
                 {.message = text("the key is at frame ", key.frame, ", but the last frame of the animation is ",
                                  a.frames - 1)});
      if (key.texture >= textures.size())
        r.report("nitro.pattern-index", field_path(where, "texture"),
                 {.message = text("texture ", key.texture, " does not exist; the animation lists ",
                                  format_count(textures.size(), "texture"), ", counted from 0")});
      else
        textures[key.texture] = 1;
      if (key.palette == k_no_palette) continue;
      if (key.palette >= palettes.size())
        r.report("nitro.pattern-index", field_path(where, "palette"),
                 {.message = text("palette ", key.palette, " does not exist; the animation lists ",
                                  format_count(palettes.size(), "palette"), ", counted from 0"),
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
                 {.message = "the two numbers of the texture rotation are not the sine and cosine of the same angle"});
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
                   {.message = text("the colour channel or alpha value is ", x, "; it must be 0 to ", most)});
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
