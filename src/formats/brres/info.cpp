// info.cpp: summarizes a BRRES file in a few lines, plus one for each model.
#include "formats/brres/parts.hpp"
#include "formats/contract/enum_names.hpp"

namespace dio::brres {

Value info(const Brres& file) {
  Value v = Value::object();
  Value& models = v.add("models", Value::list());
  for (const Model& m : file.models) {
    Value& out = models.push(Value::object());
    out.add("name", m.name);
    out.add("version", m.header.version);
    out.add("bones", u64(m.bones.size()));
    out.add("materials", u64(m.materials.size()));
    out.add("shapes", u64(m.shapes.size()));
    out.add("vertices", m.info.vertex_count);
    out.add("triangles", m.info.triangle_count);
  }
  Value& textures = v.add("textures", Value::list());
  for (const Texture& t : file.textures) {
    Value& out = textures.push(Value::object());
    out.add("name", t.name);
    out.add("format", enum_name_or_number(k_texture_formats, t.format));
    out.add("size", std::to_string(t.width) + " x " + std::to_string(t.height));
    out.add("levels", t.level_count);
  }
  if (!file.palettes.empty()) v.add("palettes", u64(file.palettes.size()));
  if (!file.srt_files.empty()) {
    Value& animations = v.add("srt_animations", Value::list());
    for (const SrtFile& x : file.srt_files) {
      Value& out = animations.push(Value::object());
      if (!x.animation) continue;
      out.add("name", x.animation->name);
      out.add("version", x.animation->header.version);
      out.add("frames", x.animation->frame_count);
      out.add("materials", u64(x.animation->materials.size()));
    }
  }
  Value& others = v.add("others", Value::list());
  const auto add_animations = [&](const auto& files, const char* type) {
    for (const auto& f : files) {
      Value& out = others.push(Value::object());
      if (!f.animation) continue;
      out.add("name", f.animation->name);
      out.add("type", type);
      out.add("version", f.animation->header.version);
    }
  };
  add_animations(file.chr_files, "CHR0");
  add_animations(file.clr_files, "CLR0");
  add_animations(file.pat_files, "PAT0");
  add_animations(file.vis_files, "VIS0");
  for (const Folder& f : file.folders)
    for (size_t i = 0; i < f.files.size() && i < f.dictionary.entries.size(); ++i) {
      Value& out = others.push(Value::object());
      out.add("name", f.dictionary.entries[i].name);
      out.add("type", std::string(f.files[i].magic.view()));
      out.add("version", f.files[i].header.version);
    }
  return v;
}

}  // namespace dio::brres
