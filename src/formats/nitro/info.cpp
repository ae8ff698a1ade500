// info.cpp: a summary of a file.
#include "formats/contract/enum_names.hpp"
#include "formats/nitro/parts.hpp"

namespace dio::nitro {

namespace {

/// The games show 60 frames per second. Some animations run at half that rate, but only the games' code knows which.
constexpr f64 k_frames_per_second = 60;

f64 round_to_thousandths(f64 x) { return f64(i64(x * 1000 + (x < 0 ? -0.5 : 0.5))) / 1000; }

/// Damaged files may have duplicate names; the members of an object must not.
void add_unique(Value& v, std::string name, Value x) {
  while (v.find(name)) name += " again";
  v.add(std::move(name), std::move(x));
}

Value list_names(const auto& list) {
  Value v = Value::list();
  for (const auto& x : list) v.push(x.name);
  return v;
}

Value describe_box(const Model& m) {
  const f64 scale = m.box_scale.value();
  Value v = Value::object();
  const auto add = [&](const char* name, fx16 low, fx16 size) {
    Value& range = v.add(name, Value::list());
    range.push(round_to_thousandths(low.value() * scale));
    range.push(round_to_thousandths((low.value() + size.value()) * scale));
  };
  add("x", m.box.x, m.box.width);
  add("y", m.box.y, m.box.height);
  add("z", m.box.z, m.box.depth);
  return v;
}

Value describe_model(const Model& m) {
  Value v = Value::object();
  v.add("name", m.name);
  v.add("nodes", list_names(m.nodes));
  v.add("materials", list_names(m.materials));
  v.add("shapes", u64(m.shapes.size()));
  v.add("vertices", m.vertex_count);
  v.add("polygons", m.polygon_count);
  v.add("box", describe_box(m));
  v.add("scaling_rule", enum_name_or_number(k_scaling_rules, m.scaling_rule));
  v.add("texture_matrices", enum_name_or_number(k_texture_matrix_modes, m.texture_matrix_mode));
  if (!m.envelopes.empty()) v.add("skinned", true);
  return v;
}

void add_textures(Value& v, const Textures& t) {
  Value& textures = v.add("textures", Value::object());
  for (const Texture& x : t.textures)
    add_unique(textures, x.name,
               enum_name_or_number(k_texture_formats, x.format) + ", " + std::to_string(x.width()) + " x " +
                   std::to_string(x.height()) + (x.color0_clear ? ", colour 0 transparent" : ""));
  Value& palettes = v.add("palettes", Value::object());
  for (const Palette& p : t.palettes) add_unique(palettes, p.name, std::to_string(p.colors.size()) + " colours");
  Value& memory = v.add("video_memory", Value::object());
  memory.add("textures", u64(t.texels_size) * 8 + u64(t.texels_4x4_size) * 12);
  memory.add("palettes", u64(t.colors_size) * 8);
}

/// Describes name, frames and seconds of each animation; `more` adds details of one kind.
Value describe_animations(const auto& animations, auto more) {
  Value v = Value::object();
  Value& list = v.add("animations", Value::list());
  for (const auto& a : animations) {
    Value& one = list.push(Value::object());
    one.add("name", a.name);
    one.add("frames", a.frames);
    one.add("seconds", round_to_thousandths(a.frames / k_frames_per_second));
    more(one, a);
  }
  return v;
}

}  // namespace

Value info(const Nsbmd& f) {
  Value v = Value::object();
  v.add("version", f.header.version);
  Value& models = v.add("models", Value::list());
  for (const Model& m : f.models) models.push(describe_model(m));
  if (f.textures) add_textures(v, *f.textures);
  return v;
}
Value info(const Nsbtx& f) {
  Value v = Value::object();
  add_textures(v, f.textures);
  return v;
}
Value info(const Nsbca& f) {
  return describe_animations(f.animations, [](Value& v, const JointAnimation& a) {
    u64 moving = 0, curves = 0;
    for (const Track& t : a.tracks) {
      moving += t.translates() || t.rotates() || t.scales();
      if (t.rotates()) curves += !t.rotation.constant;
      for (size_t i = 0; i < 3; ++i)
        curves += (t.translates() && !t.translation[i].constant) + (t.scales() && !t.scale[i].constant);
    }
    v.add("nodes", u64(a.tracks.size()));
    v.add("nodes_with_values", moving);
    v.add("curves", curves);
    v.add("between_frames", a.interpolate != 0);
  });
}
Value info(const Nsbtp& f) {
  return describe_animations(f.animations, [](Value& v, const PatternAnimation& a) {
    Value& keys = v.add("keys", Value::object());
    for (const PatternTrack& m : a.materials) add_unique(keys, m.name, u64(m.keys.size()));
    v.add("textures", list_names(a.texture_names));
    v.add("palettes", list_names(a.palette_names));
  });
}
Value info(const Nsbta& f) {
  return describe_animations(f.animations,
                             [](Value& v, const TextureAnimation& a) { v.add("materials", list_names(a.materials)); });
}
Value info(const Nsbma& f) {
  return describe_animations(f.animations,
                             [](Value& v, const ColorAnimation& a) { v.add("materials", list_names(a.materials)); });
}
Value info(const Nsbva& f) {
  return describe_animations(f.animations,
                             [](Value& v, const VisibilityAnimation& a) { v.add("nodes", a.node_count); });
}

}  // namespace dio::nitro
