#include "formats/fft/game/merged.hpp"

#include <algorithm>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::fft {

namespace {

constexpr size_t k_page = Mesh::k_page_slot, k_animated = Mesh::k_animated_slot;

/// The word in a slot of the table of render properties: the first slots belong to the polygons of the same file.
template <class Polygon>
RenderWord render_word_at(const std::vector<Polygon>* polygons, const std::vector<RenderWord>& unused, size_t slots,
                          size_t i) {
  const size_t used = std::min(slots, polygons ? polygons->size() : 0);
  if (i < used) return (*polygons)[i].render;
  return i - used < unused.size() && i < slots ? unused[i - used] : k_plain_render;
}

/// Gives polygons of any file the words of a file's table, or plain ones if there is no table.
void apply_render_words(Geometry& g, const Mesh* of) {
  using R = RenderProperties;
  const auto assign_words = [&](auto kind, auto unused, size_t slots) {
    for (size_t i = 0; i < (g.*kind).size(); ++i)
      (g.*kind)[i].render = of ? render_word_at(of->primary ? &((*of->primary).*kind) : nullptr,
                                                (*of->render_properties).*unused, slots, i)
                               : k_plain_render;
  };
  assign_words(&Geometry::textured_triangles, &R::unused_textured_triangles, R::k_textured_triangles);
  assign_words(&Geometry::textured_quads, &R::unused_textured_quads, R::k_textured_quads);
  assign_words(&Geometry::untextured_triangles, &R::unused_untextured_triangles, R::k_untextured_triangles);
  assign_words(&Geometry::untextured_quads, &R::unused_untextured_quads, R::k_untextured_quads);
}

void append_geometry(Geometry& to, const Geometry& from) {
  const auto all = [&](auto kind) { (to.*kind).insert((to.*kind).end(), (from.*kind).begin(), (from.*kind).end()); };
  all(&Geometry::textured_triangles);
  all(&Geometry::textured_quads);
  all(&Geometry::untextured_triangles);
  all(&Geometry::untextured_quads);
}

/// Applies files one after the other, as the game loads them.
class MapStateMerger {
 public:
  explicit MapStateMerger(MergedMap& map) : map_(map) {}

  void apply_file(u32 file) {
    file_ = file;
    const MapFile& f = map_.files[file];
    if (f.mesh) add_mesh(*f.mesh);
    if (f.texture) add_texture(*f.texture, f.type);
  }
  void finalize_merge() {
    map_.render_unknown = map_.primary && !words_;
    if (map_.primary) apply_render_words(*map_.primary, words_);
    sort_stably(map_.supplies, [](const PartSource& a, const PartSource& b) { return a.slot < b.slot; });
  }

 private:
  void add_mesh(const Mesh& m) {
    if (m.primary) {
      replace_supplier(Mesh::k_primary_slot);
      for (size_t i = 0; i < k_animated_meshes; ++i) {
        drop_suppliers(u32(k_animated + i), !m.animated[i]);
        map_.animated[i].reset();
      }
      map_.primary = m.primary;
    }
    set_part(Mesh::k_palettes_slot, m.palettes, map_.palettes);
    for (size_t i = 0; i < k_pages; ++i) set_part(k_page + i, m.pages[i], map_.pages[i]);
    set_part(Mesh::k_lights_slot, m.lights, map_.lights);
    set_part(Mesh::k_terrain_slot, m.terrain, map_.terrain);
    set_part(Mesh::k_texture_animations_slot, m.texture_animations, map_.texture_animations);
    set_part(Mesh::k_palette_frames_slot, m.palette_frames, map_.palette_frames);
    set_part(Mesh::k_gray_palettes_slot, m.gray_palettes, map_.gray_palettes);
    set_part(Mesh::k_mesh_animations_slot, m.mesh_animations, map_.mesh_animations);
    for (size_t i = 0; i < k_animated_meshes; ++i) {
      if (!m.animated[i]) continue;
      if (!map_.animated[i]) map_.animated[i].emplace();
      append_geometry(*map_.animated[i], *m.animated[i]);
      map_.supplies.push_back({u32(k_animated + i), file_});
    }
    if (m.render_properties) {
      replace_supplier(Mesh::k_render_slot);
      words_ = &m;
    }
  }
  void add_texture(const Texture& t, u8 type) {
    const auto page = [&](size_t i, const TexturePage& p) {
      replace_supplier(k_page + i);
      map_.pages[i] = &p;
    };
    if (type >= k_page && type < k_page + k_pages) {
      if (!t.pages.empty()) page(type - k_page, t.pages[0]);
    } else {
      for (size_t i = 0; i < std::min<size_t>(k_pages, t.pages.size()); ++i) page(i, t.pages[i]);
    }
  }
  template <class T>
  void set_part(size_t slot, const std::optional<T>& from, const T*& to) {
    if (!from) return;
    replace_supplier(slot);
    to = &*from;
  }
  void replace_supplier(size_t slot) {
    drop_suppliers(u32(slot), false);
    map_.supplies.push_back({u32(slot), file_});
  }
  void drop_suppliers(u32 slot, bool lost) {
    std::erase_if(map_.supplies, [&](const PartSource& s) {
      if (s.slot != slot) return false;
      map_.dropped.push_back({slot, s.file, file_, lost});
      return true;
    });
  }

  MergedMap& map_;
  u32 file_ = 0;
  const Mesh* words_ = nullptr;  // whose render properties are in effect
};

}  // namespace

const MapFile* MergedMap::supplier(size_t slot) const {
  const MapFile* last = nullptr;
  for (const PartSource& s : supplies)
    if (s.slot == slot) last = &files[s.file];
  return last;
}

MergedMap merge_map_files(std::vector<MapFile> files, const MapState& state, std::string name) {
  MergedMap map;
  map.name = std::move(name);
  map.state = state;
  map.state_name = to_string(state);
  map.files = std::move(files);
  MapStateMerger merger(map);
  for (u32 i = 0; i < map.files.size(); ++i) merger.apply_file(i);
  merger.finalize_merge();
  return map;
}

MergedMap merge_mesh_and_texture(const Mesh& mesh, const Texture* texture) {
  const auto borrowed = []<class T>(const T& x) { return std::shared_ptr<const T>(std::shared_ptr<const T>(), &x); };
  std::vector<MapFile> files;
  files.push_back({{}, MapFile::k_no_row, k_primary_type, borrowed(mesh), nullptr});
  if (texture) files.push_back({{}, MapFile::k_no_row, k_texture_type, nullptr, borrowed(*texture)});
  return merge_map_files(std::move(files));
}

std::optional<size_t> find_slot_by_path(std::string_view path) {
  constexpr std::pair<std::string_view, size_t> k_parts[] = {{"primary", Mesh::k_primary_slot},
                                                             {"palettes", Mesh::k_palettes_slot},
                                                             {"lights", Mesh::k_lights_slot},
                                                             {"terrain", Mesh::k_terrain_slot},
                                                             {"texture_animations", Mesh::k_texture_animations_slot},
                                                             {"palette_frames", Mesh::k_palette_frames_slot},
                                                             {"gray_palettes", Mesh::k_gray_palettes_slot},
                                                             {"mesh_animations", Mesh::k_mesh_animations_slot},
                                                             {"render_properties", Mesh::k_render_slot}};
  const std::string_view name = path.substr(0, path.find_first_of(".[ "));
  for (const auto& [part, slot] : k_parts)
    if (part == name) return slot;
  for (size_t i = 0; i < k_pages; ++i)
    if (name == Mesh::k_page_names[i]) return k_page + i;
  for (size_t i = 0; i < k_animated_meshes; ++i)
    if (name == Mesh::k_animated_names[i]) return k_animated + i;
  return {};
}

std::string part_name(size_t slot) {
  if (slot >= k_page && slot < k_page + k_pages) return text("texture page ", slot - k_page);
  if (slot >= k_animated && slot < k_animated + k_animated_meshes) return text("animated mesh ", slot - k_animated + 1);
  switch (slot) {
    case Mesh::k_primary_slot:
      return "primary mesh";
    case Mesh::k_palettes_slot:
      return "palettes";
    case Mesh::k_lights_slot:
      return "lights";
    case Mesh::k_terrain_slot:
      return "terrain";
    case Mesh::k_texture_animations_slot:
      return "texture animations";
    case Mesh::k_palette_frames_slot:
      return "palette frames";
    case Mesh::k_gray_palettes_slot:
      return "gray palettes";
    case Mesh::k_mesh_animations_slot:
      return "mesh animations";
    case Mesh::k_render_slot:
      return "render properties";
    default:
      return text("part ", slot);
  }
}

}  // namespace dio::fft
