// materials.cpp: checks of materials and the textures they name.
#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_material_rule_table[] = {
    {"nitro.pairing-index", error, "textures and palettes are assigned to materials that exist",
     "If the material does not exist, the game writes past the end of the material list.",
     "Assign the texture or palette to an existing material, or add the material.",
     "src/formats/nitro/README.md#models"},
    {"nitro.pairing-twice", warning, "a material has at most one texture and one palette",
     "If a material has two textures or palettes, the game combines the bits of both assignments and shows a texture "
     "that does not exist.",
     "Assign only one texture and one palette to the material.", "measured on 3,886 game models"},
    {"nitro.texture-missing", warning,
     "a file with textures contains every texture and palette that its materials name",
     "If a texture is missing, the game draws plain vertex colours. If a palette is missing, the texture has wrong "
     "colours.",
     "Add the texture or palette to the file, correct its name, or use the model with a texture file that contains it.",
     "measured on 3,886 game models; src/formats/nitro/README.md#textures"},
    {"nitro.texture-unnamed", hint, "every texture in the file is used by a material",
     "An unused texture wastes video memory, unless a texture pattern animation shows it.",
     "Remove the texture, unless a texture pattern animation (NSBTP) uses it.",
     "206 of 3,886 game models break this rule"},
    {"nitro.texture-size", warning, "the texture size stored in a material equals the actual size of the texture",
     "The game uses the texture size in the material to scale texture coordinates. If the size is wrong, the texture "
     "has the wrong scale.",
     "Set the texture size in the material to the actual size of the texture.", "measured on 3,886 game models"},
    {"nitro.alpha-zero", hint, "every material has an alpha value above 0",
     "The DS does not draw polygons whose material has alpha 0.",
     "Set the alpha value of the material above 0, or let a material animation raise the value.",
     "57 materials in game models have alpha 0; src/formats/nitro/README.md#models"},
    {"nitro.flip-without-repeat", hint, "mirrored textures are also repeated",
     "The hardware mirrors only textures that repeat.",
     "Set repeat_s (or repeat_t) to 1, or set flip_s (or flip_t) to 0.", "GBATEK, DS 3D Texture Attributes"},
    {"nitro.culled", hint, "a material shows the front of its polygons, the back, or both",
     "The DS does not draw polygons whose material shows neither the front nor the back.",
     "Set show_front or show_back to 1.", "GBATEK, DS 3D Polygon Attributes"},
    {"nitro.material-bits", hint,
     "the material fields that the game fills in when it binds a texture are 0 in the file",
     "The game does not clear the texture fields of a material before it fills them in, so leftover bits make it show "
     "the wrong texture.",
     "Set the material field given in the message to 0.", "measured on 21,268 materials in game models"},
    {"nitro.polygon-id", warning, "the mask of a shadow volume has polygon ID 0",
     "The hardware draws the mask itself as a shadow if its polygon ID is not 0.",
     "Set the polygon ID of the mask to 0.", "GBATEK, DS 3D Shadow Polygons"},
};

}  // namespace

constinit const std::span<const Rule> k_material_rules = k_material_rule_table;

static void check_material(Reporter& r, const Material& m, const std::string& path) {
  if (m.alpha == 0)
    r.report("nitro.alpha-zero", field_path(path, "alpha"),
             {.message = "alpha is 0, so nothing is drawn with this material",
              .hint = "this is harmless if an animation changes the alpha"});
  if (m.flip_s && !m.repeat_s)
    r.report("nitro.flip-without-repeat", field_path(path, "flip_s"),
             {.message = "flip_s has no effect without repeat_s", .hint = "set repeat_s to 1"});
  if (m.flip_t && !m.repeat_t)
    r.report("nitro.flip-without-repeat", field_path(path, "flip_t"),
             {.message = "flip_t has no effect without repeat_t", .hint = "set repeat_t to 1"});
  if (!m.show_front && !m.show_back)
    r.report("nitro.culled", field_path(path, "show_front"),
             {.message = "the material shows neither side, so nothing is drawn with it"});
  if (m.texture_address || m.texture_width || m.texture_height || m.texture_format || m.color0_clear)
    r.report("nitro.material-bits", field_path(path, "texture_address"),
             {.message = "the texture's address, size, format or transparency is not 0; the game fills in these fields "
                         "when it binds a texture"});
  if (m.palette_base)
    r.report("nitro.material-bits", field_path(path, "palette_base"),
             {.message = text("palette_base is ", m.palette_base,
                              "; it must be 0, because the game fills in this field when it binds a texture")});
}

static void check_pairings(Reporter& r, const Model& m, const std::string& path, const char* list,
                           const std::vector<Pairing>& pairings) {
  std::vector<u8> seen(m.materials.size(), 0);
  for (size_t i = 0; i < pairings.size(); ++i)
    for (size_t k = 0; k < pairings[i].materials.size(); ++k) {
      const u8 index = pairings[i].materials[k];
      const std::string where = field_path(field_path(path, list, i), "materials");
      if (index >= m.materials.size())
        r.report("nitro.pairing-index", where,
                 {.message = text("material ", index, " does not exist; the model has ",
                                  format_count(m.materials.size(), "material"), ", counted from 0")});
      else if (seen[index]++)
        r.report("nitro.pairing-twice", where,
                 {.message = text("material ", index, " is listed more than once in ", list)});
    }
}

void check_materials(Reporter& r, const Model& m, const std::string& path, const Textures* textures) {
  const std::string section = field_path(path, "material_section");
  check_dictionary(r, section + ".dictionary", m.material_section.dictionary, field_path(path, "materials"),
                   m.materials, true);
  check_dictionary(r, section + ".texture_dictionary", m.material_section.texture_dictionary,
                   field_path(path, "textures"), m.textures, true);
  check_dictionary(r, section + ".palette_dictionary", m.material_section.palette_dictionary,
                   field_path(path, "palettes"), m.palettes, true);
  for (size_t i = 0; i < m.materials.size(); ++i) check_material(r, m.materials[i], field_path(path, "materials", i));
  check_pairings(r, m, path, "textures", m.textures);
  check_pairings(r, m, path, "palettes", m.palettes);

  for (size_t i = 0; i < m.sbc.size(); ++i) {  // a mask, then the shadow
    const SbcCommand& c = m.sbc[i];
    if (c.code != sbc::mat || c.index >= m.materials.size()) continue;
    const Material& x = m.materials[c.index];
    if (x.polygon_mode == 3 && x.polygon_id != 0 && !x.show_front && x.show_back)
      r.report("nitro.polygon-id", field_path(field_path(path, "materials", c.index), "polygon_id"),
               {.message = text("the polygon ID of the shadow mask is ", x.polygon_id, "; it must be 0")});
  }
  if (!textures) return;
  const auto find = [](const auto& list, const std::string& name) {
    return std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.name == name; });
  };
  for (size_t i = 0; i < m.textures.size(); ++i) {
    const Pairing& p = m.textures[i];
    const auto t = find(textures->textures, p.name);
    if (t == textures->textures.end()) {
      if (!textures->textures.empty())
        r.report("nitro.texture-missing", field_path(field_path(path, "textures", i), "name"),
                 {.message = text("the texture \"", p.name, "\" is not in this file"),
                  .hint = "another file may contain it"});
      continue;
    }
    for (const u8 index : p.materials) {
      if (index >= m.materials.size()) continue;
      const Material& x = m.materials[index];
      if (x.original_width != t->original_width || x.original_height != t->original_height)
        r.report("nitro.texture-size", field_path(field_path(path, "materials", index), "original_width"),
                 {.message = text("the material gives a texture size of ", x.original_width, " x ", x.original_height,
                                  ", but \"", t->name, "\" is ", t->original_width, " x ", t->original_height)});
    }
  }
  for (size_t i = 0; i < m.palettes.size(); ++i)
    if (!textures->palettes.empty() && find(textures->palettes, m.palettes[i].name) == textures->palettes.end())
      r.report("nitro.texture-missing", field_path(field_path(path, "palettes", i), "name"),
               {.message = text("the palette \"", m.palettes[i].name, "\" is not in this file"),
                .hint = "another file may contain it"});
}

}  // namespace dio::nitro
