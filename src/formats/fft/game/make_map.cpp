#include "formats/fft/game/make_map.hpp"

#include <algorithm>
#include <map>

#include "containers/disc/cd_sector.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/layout/states.hpp"
#include "formats/fft/make/map_builder.hpp"
#include "formats/fft/scene/light.hpp"

namespace dio::fft {

namespace {

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
                   : i == u32(primary - rows.begin()) ? save_new(built_.mesh)
                                                      : mesh_of_state(i);
      if (!bytes) return refuse(std::move(bytes.error()));
      files_.insert_or_assign(map_.path(i), std::move(*bytes));
    }
    GameEdited out;
    for (auto& [path, bytes] : files_) out.files.push_back({path, std::move(bytes)});
    out.notes = std::move(built_.notes);
    out.lost = built_.lost;
    if (has_textures_ == 0) {
      ++out.lost;
      out.notes.push_back(
          make_diagnostic(Severity::warning, "fft.make-texture", {},
                          {.message = text(map_.files().gns, " names no texture file, so the map has no texels"),
                           .hint = "use the list of a map with a texture"}));
    }
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
    if (type == k_texture_type) return save_new(built_.texture);
    return built_.texture.pages[size_t(type - k_page_type)].texels;
  }
  /// A mesh file of another state: without the parts that would replace those of the new map.
  Result<Bytes> mesh_of_state(u32 row) {
    Mesh out{};
    const ReadFile& file = map_.read(row);
    if (file.mesh && file.mesh->lights && !normals_are_colors(*built_.mesh.lights)) out.lights = file.mesh->lights;
    ++kept_lights_;
    return save_new(std::move(out));
  }

  const GameMap& map_;
  BuiltMap built_;
  std::map<std::string, Bytes> files_;
  u64 has_textures_ = 0, kept_lights_ = 0;
};

/// Writes the sector of the list of a new map into the table of BATTLE.BIN, which the game finds lists by.
Result<std::optional<DependentFile>> add_to_map_table(const FileTree& files, const MapFiles& like, u32 number,
                                                      const std::string& gns) {
  const std::string path = find_in_parent_folder(files, like, "BATTLE.BIN");
  if (path.empty()) return std::optional<DependentFile>();
  auto table = files.read(path);
  if (!table) return refuse(std::move(table.error()));
  if (table->size() < k_table_offset + 4 * k_table_size) return std::optional<DependentFile>();
  const u32 lba = u32(provisional_sector(gns));
  for (size_t i = 0; i < 4; ++i) (*table)[size_t(k_table_offset + 4 * number) + i] = u8(lba >> 8 * i);
  return std::optional(DependentFile{path, std::move(*table)});
}

/// A list with a texture and a mesh, and the commands of another list.
Gns make_list(const Gns& like, const std::string& texture, u64 texture_size, const std::string& mesh, u64 mesh_size) {
  Gns out = like;
  const auto row = [](u8 type, const std::string& path, u64 size) {
    return GnsRow{k_weather_variable,
                  {},
                  1,
                  type,
                  k_row_mark,
                  u32(provisional_sector(path)),
                  u32(sectors_for(size) * k_sector_data),
                  k_row_end};
  };
  insert_row(out, 0, row(k_texture_type, texture, texture_size));
  insert_row(out, 1, row(k_primary_type, mesh, mesh_size));
  for (size_t i = out.rows.size(); i-- > 2;)
    if (out.rows[i].is_file()) erase_row(out, i);
  return out;
}

/// A map with a number that the game does not have yet: its list, a texture, a mesh, and an entry in the table of
/// lists.
Result<GameEdited> add_map(const FileTree& files, u32 number, BuiltMap built) {
  const auto maps = find_maps(files);
  if (maps.empty() || number >= k_table_size)
    return refuse("edit.argument", {}, {.message = text("the game has room for maps 0 to ", k_table_size - 1)});
  const auto like = files.read(maps[0].gns);
  if (!like) return refuse(like.error());
  auto list = load<Gns>(*like);
  if (!list) return refuse(std::move(list.error()));
  const std::string digits = std::to_string(number);
  const std::string_view folder = parent_folder(maps[0].gns);
  const std::string name = text(folder, folder.empty() ? "" : "/", "MAP", std::string(3 - digits.size(), '0'), digits);
  const std::string gns = name + ".GNS", texture = name + ".8", mesh = name + ".9";
  const u64 polygons = built.mesh.primary->textured_triangles.size() + built.mesh.primary->textured_quads.size();
  auto mesh_bytes = save_new(std::move(built.mesh));
  if (!mesh_bytes) return refuse(std::move(mesh_bytes.error()));
  auto texture_bytes = save_new(std::move(built.texture));
  if (!texture_bytes) return refuse(std::move(texture_bytes.error()));
  auto list_bytes =
      save_new(make_list(list->document.value(), texture, texture_bytes->size(), mesh, mesh_bytes->size()));
  if (!list_bytes) return refuse(std::move(list_bytes.error()));
  auto table = add_to_map_table(files, maps[0], number, gns);
  if (!table) return refuse(std::move(table.error()));
  GameEdited out;
  out.notes = std::move(built.notes);
  out.lost = built.lost;
  if (*table)
    out.files.push_back(*std::move(*table));
  else
    out.notes.push_back(make_diagnostic(
        Severity::warning, "fft.make-table", {},
        {.message = "there is no BATTLE.BIN with a table of maps, so the game does not find the list of the new map",
         .hint = "make the map in a disc image with the whole game"}));
  out.files.push_back({gns, std::move(*list_bytes)});
  out.files.push_back({texture, std::move(*texture_bytes)});
  out.files.push_back({mesh, std::move(*mesh_bytes)});
  out.done = text("map ", number, ": new, with ", polygons, " textured polygons");
  return out;
}

}  // namespace

Result<GameEdited> make_map(const Game& game, const scene::Scene& s, std::span<const Argument> all) {
  Arguments a(all);
  a.text("scene");
  const u32 number = u32(a.whole("map", 0, 999));
  const MapBuildOptions options = parse_build_options(a);
  if (a.problem) return refuse(*std::move(a.problem));
  auto built = build_map(s, options);
  if (!built) return refuse(std::move(built.error()));
  const auto maps = find_maps(tree_of(game));
  if (std::ranges::find(maps, number, &MapFiles::number) == maps.end())
    return add_map(tree_of(game), number, std::move(*built));
  const auto map = open_complete_map(tree_of(game), number);
  if (!map) return refuse(map.error());
  return MapReplacer(**map, std::move(*built)).replace();
}

}  // namespace dio::fft
