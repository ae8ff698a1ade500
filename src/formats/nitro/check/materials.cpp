// materials.cpp: materials, and which textures they name.
#include "formats/nitro/check/checks.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_material_rule_table[] = {
    {"nitro.pairing-index", error, "textures and palettes go to materials that exist",
     "The game writes behind the last material.", "README, Models"},
    {"nitro.pairing-twice", warning, "a material has one texture and one palette",
     "The bits of both are put together: a texture that does not exist.", "3,886 real models"},
    {"nitro.texture-missing", warning,
     "the textures and palettes that materials name are in the file, where it has any",
     "The material is drawn with what the game finds at address 0.", "3,886 real models; README, Textures"},
    {"nitro.texture-unnamed", hint, "every texture of the file is on a material",
     "It takes video memory for nothing, unless a pattern animation brings it.", "206 of 3,886 real models"},
    {"nitro.texture-size", warning, "a material has the size of its texture",
     "Texture coordinates are scaled by the ratio of the two.", "3,886 real models"},
    {"nitro.alpha-zero", hint, "materials have an alpha above 0", "Nothing is drawn with it.",
     "57 real materials; README, Models"},
    {"nitro.flip-without-repeat", hint, "textures that are mirrored are repeated", "The hardware mirrors no others.",
     "GBATEK"},
    {"nitro.culled", hint, "a material is shown from one side at least", "Nothing is drawn with it.", "GBATEK"},
    {"nitro.material-bits", hint, "what the game fills in when it binds a texture is 0 in the file",
     "The bits of the file stay in it: the wrong texture is shown.", "21,268 real materials"},
    {"nitro.polygon-id", warning, "the polygon id of a shadow volume's mask is 0",
     "The hardware draws it as a shadow instead.", "GBATEK"},
};

}  // namespace

constinit const std::span<const Rule> k_material_rules = k_material_rule_table;

static void check_material(Reporter& r, const Material& m, const std::string& path) {
  if (m.alpha == 0)
    r.report("nitro.alpha-zero", in(path, "alpha"),
             {.expected = "1 to 31", .found = "0", .hint = "meant where it is animated"});
  if (m.flip_s && !m.repeat_s)
    r.report("nitro.flip-without-repeat", in(path, "flip_s"), {.expected = "both", .found = "1 without repeat_s"});
  if (m.flip_t && !m.repeat_t)
    r.report("nitro.flip-without-repeat", in(path, "flip_t"), {.expected = "both", .found = "1 without repeat_t"});
  if (!m.show_front && !m.show_back)
    r.report("nitro.culled", in(path, "show_front"), {.expected = "one", .found = "neither side shown"});
  if (m.texture_address || m.texture_width || m.texture_height || m.texture_format || m.color0_clear)
    r.report("nitro.material-bits", in(path, "texture_address"), {.expected = "0", .found = "bits of a texture"});
  if (m.palette_base)
    r.report("nitro.material-bits", in(path, "palette_base"), {.expected = "0", .found = text(m.palette_base)});
}

static void check_pairings(Reporter& r, const Model& m, const std::string& path, const char* list,
                           const std::vector<Pairing>& pairings) {
  std::vector<u8> seen(m.materials.size(), 0);
  for (size_t i = 0; i < pairings.size(); ++i)
    for (size_t k = 0; k < pairings[i].materials.size(); ++k) {
      const u8 index = pairings[i].materials[k];
      const std::string where = in(in(path, list, i), "materials");
      if (index >= m.materials.size())
        r.report("nitro.pairing-index", where,
                 {.expected = text("one below ", m.materials.size()), .found = text("material ", index)});
      else if (seen[index]++)
        r.report("nitro.pairing-twice", where,
                 {.expected = "each material once", .found = text("material ", index, " once more")});
    }
}

void check_materials(Reporter& r, const Model& m, const std::string& path, const Textures* textures) {
  const std::string section = in(path, "material_section");
  check_dictionary(r, section + ".dictionary", m.material_section.dictionary, in(path, "materials"), m.materials, true);
  check_dictionary(r, section + ".texture_dictionary", m.material_section.texture_dictionary, in(path, "textures"),
                   m.textures, true);
  check_dictionary(r, section + ".palette_dictionary", m.material_section.palette_dictionary, in(path, "palettes"),
                   m.palettes, true);
  for (size_t i = 0; i < m.materials.size(); ++i) check_material(r, m.materials[i], in(path, "materials", i));
  check_pairings(r, m, path, "textures", m.textures);
  check_pairings(r, m, path, "palettes", m.palettes);

  for (size_t i = 0; i < m.sbc.size(); ++i) {  // a mask, then the shadow
    const SbcCommand& c = m.sbc[i];
    if (c.code != sbc::mat || c.index >= m.materials.size()) continue;
    const Material& x = m.materials[c.index];
    if (x.polygon_mode == 3 && x.polygon_id != 0 && !x.show_front && x.show_back)
      r.report("nitro.polygon-id", in(in(path, "materials", c.index), "polygon_id"),
               {.expected = "0", .found = text(x.polygon_id)});
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
        r.report("nitro.texture-missing", in(in(path, "textures", i), "name"),
                 {.expected = "a texture of this file",
                  .found = text("\"", p.name, "\", not in this file"),
                  .hint = "another file may have it"});
      continue;
    }
    for (const u8 index : p.materials) {
      if (index >= m.materials.size()) continue;
      const Material& x = m.materials[index];
      if (x.original_width != t->original_width || x.original_height != t->original_height)
        r.report("nitro.texture-size", in(in(path, "materials", index), "original_width"),
                 {.expected = text(t->original_width, " x ", t->original_height, ", the size of \"", t->name, "\""),
                  .found = text(x.original_width, " x ", x.original_height)});
    }
  }
  for (size_t i = 0; i < m.palettes.size(); ++i)
    if (!textures->palettes.empty() && find(textures->palettes, m.palettes[i].name) == textures->palettes.end())
      r.report("nitro.texture-missing", in(in(path, "palettes", i), "name"),
               {.expected = "a palette of this file",
                .found = text("\"", m.palettes[i].name, "\", not in this file"),
                .hint = "another file may have it"});
}

}  // namespace dio::nitro
