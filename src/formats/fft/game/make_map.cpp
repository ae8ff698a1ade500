#include "formats/fft/game/make_map.hpp"

#include <algorithm>
#include <map>

#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/layout/states.hpp"
#include "formats/fft/make/map_builder.hpp"
#include "formats/fft/scene/light.hpp"

namespace dio::fft {

namespace {

template <class T>
Result<Bytes> write_file(T value) {
  Document<T> d;
  d.edit() = std::move(value);
  return save(d);
}

/// A map of which every row has a file.
Result<std::shared_ptr<const GameMap>> open_complete_map(const FileTree& files, u32 number) {
  const auto maps = find_maps(files);
  const auto found = std::ranges::find(maps, number, &MapFiles::number);
  if (found == maps.end())
    return refuse("edit.argument", {},
                  {.message = text("the game has no map ", number), .hint = "{maps GAME} lists the maps"});
  auto map = GameMap::open(files, *found);
  if (!map) return map;
  if ((*map)->unpaired()) return refuse(Diagnostic(*(*map)->unpaired()));
  return map;
}

class MapReplacer {
 public:
  MapReplacer(const GameMap& map, BuiltMap built) : map_(map), built_(std::move(built)) {}

  Result<GameEdited> replace() {
    const auto& rows = map_.gns().rows;
    const auto primary = std::ranges::find_if(
        rows, [](const GnsRow& r) { return r.is_file() && r.type == k_primary_type && is_default(r); });
    if (primary == rows.end())
      return refuse("edit.argument", {}, {.message = text(map_.files().gns, " names no mesh for the default state")});
    for (u32 i = 0; i < rows.size(); ++i) {
      if (!rows[i].is_file() || map_.path(i).empty()) continue;
      auto bytes = is_texels(rows[i].type)            ? texture_of(rows[i].type)
                   : i == u32(primary - rows.begin()) ? write_file(built_.mesh)
                                                      : mesh_of_state(i);
      if (!bytes) return refuse(std::move(bytes.error()));
      files_.insert_or_assign(map_.path(i), std::move(*bytes));
    }
    GameEdited out;
    for (auto& [path, bytes] : files_) out.files.push_back({path, std::move(bytes)});
    out.notes = std::move(built_.notes);
    if (has_textures_ == 0)
      out.notes.push_back(
          make_diagnostic(Severity::warning, "fft.make-texture", {},
                          {.message = text(map_.files().gns, " names no texture file, so the map has no texels"),
                           .hint = "use the list of a map with a texture"}));
    out.done =
        text("map ", map_.files().number, ": ", count_polygons(), " polygons, terrain of ", built_.mesh.terrain->size_x,
             " x ", built_.mesh.terrain->size_z, " tiles; ", format_count(files_.size(), "file"), " replaced");
    if (kept_lights_) out.done += text("; ", format_count(kept_lights_, "state file"), " kept only their lights");
    return out;
  }

 private:
  size_t count_polygons() const {
    const Geometry& g = *built_.mesh.primary;
    return g.textured_triangles.size() + g.textured_quads.size() + g.untextured_triangles.size() +
           g.untextured_quads.size();
  }
  /// The texels of a row: the whole texture, or one of its pages.
  Result<Bytes> texture_of(u8 type) {
    ++has_textures_;
    if (type == k_texture_type) return write_file(built_.texture);
    return built_.texture.pages[size_t(type - k_page_type)].texels;
  }
  /// A mesh file of another state: without the parts that would replace those of the new map.
  Result<Bytes> mesh_of_state(u32 row) {
    Mesh out{};
    const ReadFile& file = map_.read(row);
    if (file.mesh && file.mesh->lights && !normals_are_colors(*built_.mesh.lights)) out.lights = file.mesh->lights;
    ++kept_lights_;
    return write_file(std::move(out));
  }

  const GameMap& map_;
  BuiltMap built_;
  std::map<std::string, Bytes> files_;
  u64 has_textures_ = 0, kept_lights_ = 0;
};

}  // namespace

Result<GameEdited> make_map(const Game& game, const scene::Scene& s, std::span<const Argument> all) {
  Arguments a(all);
  a.text("scene");
  const u32 number = u32(a.whole("map", 0, 999));
  const MapBuildOptions options = parse_build_options(a);
  if (a.problem) return refuse(*std::move(a.problem));
  const auto map = open_complete_map(tree_of(game), number);
  if (!map) return refuse(map.error());
  auto built = build_map(s, options);
  if (!built) return refuse(std::move(built.error()));
  return MapReplacer(**map, std::move(*built)).replace();
}

}  // namespace dio::fft
