// info.cpp: a short summary of the files of a map.
#include <algorithm>

#include "core/sorting.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {
namespace {

/// The state of a row: "night, weather heavy, arrangement 1".
std::string describe_row_state(const GnsRow& r) {
  std::string out = r.state.night ? "night" : "day";
  if (r.state.weather) out += ", weather " + enum_name_or_number(k_weathers, r.state.weather);
  if (r.state.arrangement) out += ", arrangement " + std::to_string(r.state.arrangement);
  if (r.comparison != 1) out += ", " + enum_name_or_number(k_comparisons, r.comparison);
  return out;
}

Value describe_polygon_counts(const Geometry& g) {
  Value v = Value::object();
  v.add("textured_triangles", u64(g.textured_triangles.size()));
  v.add("textured_quads", u64(g.textured_quads.size()));
  v.add("untextured_triangles", u64(g.untextured_triangles.size()));
  v.add("untextured_quads", u64(g.untextured_quads.size()));
  return v;
}

void add_terrain_summary(Value& v, const Terrain& t) {
  Value& terrain = v.add("terrain", Value::object());
  terrain.add("size", std::to_string(t.size_x) + " x " + std::to_string(t.size_z));
  std::vector<std::pair<u8, u64>> surfaces;
  u64 there = 0;
  for (u32 level = 0; level < Terrain::k_levels; ++level)
    for (u32 z = 0; z < t.size_z; ++z)
      for (u32 x = 0; x < t.size_x; ++x) {
        const TerrainTile* tile = Terrain::tile(t, level, x, z);
        if (!tile || tile->absent) continue;
        ++there;
        const auto i = std::ranges::find(surfaces, tile->surface, &std::pair<u8, u64>::first);
        if (i == surfaces.end())
          surfaces.push_back({tile->surface, 1});
        else
          ++i->second;
      }
  terrain.add("tiles", there);
  sort_stably(surfaces, std::greater(), &std::pair<u8, u64>::second);
  Value& list = terrain.add("surfaces", Value::object());
  for (const auto& [surface, n] : surfaces) list.add(enum_name_or_number(k_surfaces, surface), n);
}

}  // namespace

Value info(const Gns& gns) {
  Value v = Value::object();
  Value& files = v.add("files", Value::list());
  u64 fillers = 0;
  for (const GnsRow& r : gns.rows) {
    fillers += r.type == k_filler;
    if (!r.is_file()) continue;
    Value& file = files.push(Value::object());
    file.add("type", enum_name_or_number(k_resources, r.type));
    file.add("state", describe_row_state(r));
    file.add("variable", enum_name_or_number(k_variables, r.variable));
    file.add("lba", r.lba);
    file.add("length", r.length);
  }
  v.add("fillers", fillers);
  Value& commands = v.add("commands", Value::list());
  for (const GnsCommand& c : gns.commands)
    if (c.type) commands.push(enum_name_or_number(k_commands, c.type));
  return v;
}

Value info(const Mesh& m) {
  Value v = Value::object();
  if (m.primary) v.add("polygons", describe_polygon_counts(*m.primary));
  u64 animated = 0;
  for (const auto& g : m.animated) animated += g.has_value();
  if (animated) {
    Value& meshes = v.add("animated_meshes", Value::object());
    for (size_t i = 0; i < k_animated_meshes; ++i)
      if (m.animated[i]) meshes.add(std::to_string(i + 1), describe_polygon_counts(*m.animated[i]));
  }
  Value& parts = v.add("parts", Value::list());
  const auto part = [&](bool there, const char* name) { there ? void(parts.push(name)) : void(); };
  part(m.primary.has_value(), "primary mesh");
  part(m.palettes.has_value(), "palettes");
  for (size_t i = 0; i < k_pages; ++i)
    if (m.pages[i]) parts.push("texture page " + std::to_string(i));
  part(m.lights.has_value(), "lights");
  part(m.terrain.has_value(), "terrain");
  part(m.texture_animations.has_value(), "texture animations");
  part(m.palette_frames.has_value(), "palette frames");
  part(m.gray_palettes.has_value(), "gray palettes");
  part(m.mesh_animations.has_value(), "mesh animations");
  part(animated > 0, "animated meshes");
  part(m.render_properties.has_value(), "render properties");
  if (m.terrain) add_terrain_summary(v, *m.terrain);
  if (m.texture_animations) {
    Value& rows = v.add("texture_animations", Value::object());
    for (size_t i = 0; i < m.texture_animations->rows.size(); ++i)
      if (const u8 mode = m.texture_animations->rows[i].mode)
        rows.add(std::to_string(i), enum_name_or_number(k_texture_modes, mode));
  }
  return v;
}

Value info(const Texture& t) {
  Value v = Value::object();
  v.add("width", k_page_texels);
  v.add("height", u64(k_page_texels * t.pages.size()));
  v.add("pages", u64(t.pages.size()));
  return v;
}

}  // namespace dio::fft
