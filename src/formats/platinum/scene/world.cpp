// world.cpp: the maps of a game as a scene. Specification: README.md, "The world".
#include "formats/platinum/scene/world.hpp"

#include <algorithm>

#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/platinum/layout/enum_names.hpp"
#include "formats/platinum/scene/cameras.hpp"
#include "formats/platinum/scene/fog.hpp"
#include "formats/platinum/scene/world_builder.hpp"
#include "scene/tile_grid.hpp"

namespace dio::platinum {

using scene::Index;

std::span<const std::string_view> overlay_names() {
  static constexpr std::string_view k_names[] = {"tiles", "collision", "heights", "events", "warps"};
  return k_names;
}

WorldBuilder::WorldBuilder(const GameTables& tables, const WorldOptions& options, SceneResult& out)
    : t_(tables), options_(options), s_(out.scene), notes_(out.notes) {
  const auto shows = [&](std::string_view name) {
    return std::find(options.show.begin(), options.show.end(), name) != options.show.end();
  };
  show_ = {.tiles = shows("tiles"),
           .collision = shows("collision"),
           .heights = shows("heights"),
           .events = shows("events"),
           .warps = shows("warps")};
}

/// Adds a note unless it was added before.
void WorldBuilder::add_note_once(Severity severity, const char* id, dio::Location place, DiagnosticText said) {
  if (!noted_.insert(text(id, "\n", place.file, "\n", place.path)).second) return;
  notes_.push_back(make_diagnostic(severity, id, std::move(place), std::move(said)));
}

Index WorldBuilder::add_node(std::string name, Index parent, const scene::Vec3& at) {
  scene::Node n;
  n.name = std::move(name);
  n.parent = parent;
  n.translation = at;
  s_.nodes.push_back(std::move(n));
  return Index(s_.nodes.size() - 1);
}

/// Sets the extras of a node: its kind, and its source in the game files.
Value& WorldBuilder::set_node_extras(Index node, const char* kind, FileRole role, u32 number, std::string path) {
  Value& extras = s_.nodes[node].extras = Value::object();
  extras.add("kind", kind);
  extras.add("file", path_of(role, number));
  if (!path.empty()) extras.add("path", std::move(path));
  return extras;
}

const Area* WorldBuilder::area_of(const LandInstance& p) const {
  return p.area && *p.area < t_.areas.size() && t_.areas[*p.area] ? &*t_.areas[*p.area] : nullptr;
}

void WorldBuilder::build(const MatrixGroup& places) {
  s_.name = places.name;
  s_.extras = Value::object();
  s_.extras.add("kind", "platinum.world");
  s_.extras.add("time", text(options_.time / 3600, options_.time / 60 % 60 < 10 ? ":0" : ":", options_.time / 60 % 60));
  if (places.left_out)
    add_note_once(
        Severity::warning, "platinum.many-maps", dio::Location::in_file({}),
        {.message = text("only the first ", k_most_maps, " of ", k_most_maps + places.left_out, " maps are converted"),
         .hint = "convert a part: land/N, header/N, matrix/N or area/N"});
  const Index root = add_node(places.name, k_none);
  f32 east = 0;  // position of the next matrix
  std::vector<scene::Vec3> starts;
  for (const MatrixInstance& m : places.matrices) {
    u32 least_x = ~0u, least_z = ~0u, most_x = 0;
    for (const LandInstance& p : m.lands) {
      least_x = std::min(least_x, p.x), least_z = std::min(least_z, p.z);
      most_x = std::max(most_x, p.x);
    }
    scene::Vec3 at{0, 0, 0};
    if (places.centred)
      at = {-(f32(m.lands[0].x) * k_land_size + k_land_size / 2), 0,
            -(f32(m.lands[0].z) * k_land_size + k_land_size / 2)};
    else if (places.matrices.size() > 1)
      at = {east - f32(least_x * k_land_size), 0, -f32(least_z * k_land_size)};
    add_matrix(m, root, at);
    starts.push_back(at);
    east += f32((most_x - least_x + 2) * k_land_size);
  }
  add_tile_grid(places, starts);
  add_edge_colors(places);
  add_fog(places);
  merge_repeated_notes();
}

/// The game uses the area of the player; the scene uses the first area.
void WorldBuilder::add_edge_colors(const MatrixGroup& places) {
  for (const MatrixInstance& m : places.matrices)
    for (const LandInstance& p : m.lands)
      if (const Area* area = area_of(p)) {
        Value& list = s_.extras.add("edge_colors", Value::list());
        for (const u16 color : edge_colors(area->light)) list.push(color);
        return;
      }
}

/// Adds the fog if all maps have the same weather; the game uses the weather at the player.
void WorldBuilder::add_fog(const MatrixGroup& places) {
  std::optional<u32> weather;
  for (const MatrixInstance& m : places.matrices)
    for (const u32 h : m.headers) {
      if (h >= t_.headers.size() || weather.value_or(t_.headers[h].weather) != t_.headers[h].weather) return;
      weather = t_.headers[h].weather;
    }
  const auto fog = weather ? find_weather_fog(*weather) : std::nullopt;
  if (!fog) return;
  Value& table = s_.extras.add("fog_table", Value::object());
  table.add("color", fog->color);
  table.add("alpha", 31);
  table.add("offset", fog->offset);
  table.add("step", fog->step);
  Value& densities = table.add("densities", Value::list());
  for (const u8 density : fog_densities()) densities.push(density);
}

/// Adds the tile grid of the shown cells, or of a whole matrix, with the maps by name.
void WorldBuilder::add_tile_grid(const MatrixGroup& places, const std::vector<scene::Vec3>& starts) {
  struct Box {
    i64 west, north, east, south;  // tiles of the scene
    void extend(const Box& b) {
      west = std::min(west, b.west), north = std::min(north, b.north);
      east = std::max(east, b.east), south = std::max(south, b.south);
    }
  };
  std::optional<Box> all;
  std::map<std::pair<size_t, u32>, Box> named;  // by matrix and header
  for (size_t i = 0; i < places.matrices.size(); ++i) {
    const MatrixInstance& m = places.matrices[i];
    const i64 x = i64(starts[i][0]) / k_tile_units, z = i64(starts[i][2]) / k_tile_units;
    const auto cell_box = [&](u32 left, u32 top, u32 across, u32 down) {
      return Box{x + i64(left) * k_tiles, z + i64(top) * k_tiles, x + (i64(left) + across) * k_tiles,
                 z + (i64(top) + down) * k_tiles};
    };
    const auto extend_grid = [&](const Box& b) { all ? all->extend(b) : void(all = b); };
    if (m.whole && m.matrix && t_.matrices[*m.matrix])
      extend_grid(cell_box(0, 0, t_.matrices[*m.matrix]->width, t_.matrices[*m.matrix]->height));
    for (const LandInstance& p : m.lands) {
      const Box box = cell_box(p.x, p.z, 1, 1);
      extend_grid(box);
      if (p.header == k_everywhere || places.centred) continue;
      if (const auto [at, is_new] = named.try_emplace({i, p.header}, box); !is_new) at->second.extend(box);
    }
  }
  if (!all) return;
  scene::TileGrid grid;
  grid.tile = k_tile_units;
  grid.west = f64(all->west * k_tile_units), grid.north = f64(all->north * k_tile_units);
  grid.across = u32(all->east - all->west), grid.down = u32(all->south - all->north);
  if (places.matrices.size() == 1 && !places.centred) grid.first_x = i32(all->west), grid.first_z = i32(all->north);
  for (const auto& [key, box] : named)
    if (std::string name = t_.header_name(key.second); !name.empty())
      grid.places.push_back({std::move(name), u32(box.west - all->west), u32(box.north - all->north),
                             u32(box.east - box.west), u32(box.south - box.north)});
  if (std::max(grid.across, grid.down) <= scene::k_most_tiles_across) scene::set_tile_grid(s_, grid);
}

/// Keeps the first of several notes of one kind about a file, with the number of the others.
void WorldBuilder::merge_repeated_notes() {
  std::map<std::pair<std::string, std::string>, std::pair<size_t, size_t>> known;  // index of the first note, count
  Diagnostics kept;
  for (Diagnostic& d : notes_) {
    const auto [entry, fresh] = known.try_emplace({d.id, d.place.file}, kept.size(), 1);
    if (fresh)
      kept.push_back(std::move(d));
    else
      ++entry->second.second;
  }
  for (const auto& [key, first] : known)
    if (const auto [at, count] = first; count > 1)
      kept[at].message += text(" (and ", count - 1, " more like this in the file)");
  notes_ = std::move(kept);
}

void WorldBuilder::add_matrix(const MatrixInstance& m, Index parent, const scene::Vec3& at) {
  const Index node = add_node(m.matrix ? text("matrix ", *m.matrix) : "no matrix", parent, at);
  if (m.matrix) set_node_extras(node, "platinum.matrix", FileRole::matrices, *m.matrix);
  size_t borrowed = 0, guessed = 0;
  for (const LandInstance& p : m.lands) {
    add_land(p, node);
    borrowed += p.borrowed;
    guessed += p.guessed && p.area;
  }
  if (guessed)
    add_note_once(
        Severity::hint, "platinum.guessed-area", dio::Location::in_file(path_of(FileRole::lands, m.lands[0].land)),
        {.message = text(format_count(guessed, "map"), guessed == 1 ? " is" : " are",
                         " used by no header; the scene shows ", guessed == 1 ? "it" : "them",
                         " with the textures of area ", *m.lands[0].area, m.lands.size() > 1 ? " and others" : "")});
  if (borrowed && m.matrix)
    add_note_once(Severity::hint, "platinum.borrowed-area",
                  dio::Location::in_file(path_of(FileRole::matrices, *m.matrix)),
                  {.message = text(format_count(borrowed, "map"), borrowed == 1 ? " has" : " have", " no header and ",
                                   borrowed == 1 ? "is" : "are", " shown with the area of a neighbour")});
  if (show_.events || show_.warps) add_events(m, node);
  add_cameras(m, node);
}

void WorldBuilder::add_land(const LandInstance& p, Index parent) {
  const auto middle = [](u32 cell) { return f32(cell) * k_land_size + k_land_size / 2; };
  const Index node = add_node(text("land ", p.land), parent, {middle(p.x), 0, middle(p.z)});
  Value& extras = set_node_extras(node, "platinum.land", FileRole::lands, p.land);
  extras.add("land", p.land);
  extras.add("cell", [&] {
    Value cell = Value::list();
    cell.push(p.x);
    cell.push(p.z);
    return cell;
  }());
  extras.add("header", p.header);
  if (const std::string name = t_.header_name(p.header); !name.empty()) extras.add("header_name", name);
  // Filler has the weather of the map the player comes from. The names are those of Platinum.
  if (p.header != k_everywhere && p.header < t_.headers.size() && t_.files().edition() == Edition::platinum)
    extras.add("weather", enum_name_or_number(k_weathers, t_.headers[p.header].weather));
  if (p.area) extras.add("area", *p.area);
  if (p.borrowed) extras.add("borrowed_area", true);
  if (p.guessed) extras.add("guessed_area", true);
  const auto land = t_.land(p.land);
  if (!land)
    return add_note_once(Severity::warning, "platinum.missing-file",
                         dio::Location::in_file(path_of(FileRole::lands, p.land)),
                         {.message = "the land data cannot be read"});
  add_land_model(p, *land, node);
  add_props(p, *land, node);
  add_overlays(p, *land, node);
}

/// Adds the camera of each header, looking at the middle of its maps.
void WorldBuilder::add_cameras(const MatrixInstance& m, Index parent) {
  for (const u32 h : m.headers) {
    if (h >= t_.headers.size() || (h == k_everywhere && m.headers.size() > 1)) continue;
    const u32 type = t_.headers[h].camera;
    if (type >= camera_types().size()) continue;
    f64 x = 0, z = 0, count = 0;
    for (const LandInstance& p : m.lands)
      if (p.header == h) x += p.x + 0.5, z += p.z + 0.5, ++count;
    const f32 middle_x = f32(x / count * k_land_size), middle_z = f32(z / count * k_land_size);
    const f32 ground = tile_ground_height(m, i64(middle_x) / k_tile_units, i64(middle_z) / k_tile_units);
    scene::Node node = make_camera_node(camera_types()[type], {middle_x, ground, middle_z});
    node.name = text("camera of ", t_.header_name(h).empty() ? text("header ", h) : t_.header_name(h));
    node.parent = parent;
    const auto [known, fresh] = cameras_.try_emplace(type, Index(s_.cameras.size()));
    if (fresh) s_.cameras.push_back(make_camera(camera_types()[type]));
    node.camera = known->second;
    node.extras = Value::object();
    node.extras.add("kind", "platinum.camera");
    node.extras.add("header", h);
    node.extras.add("type", type);
    s_.nodes.push_back(std::move(node));
  }
}

// ---- the world ----

std::span<const Rule> world_rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"platinum.many-maps", warning, "a scene has at most 4096 maps",
       "The largest matrix of the games has 900 cells, so a scene with more maps comes from a damaged file.",
       "Export a part of the game, such as one matrix.", "diorama's own rule"},
      {"platinum.missing-file", warning, "every file that a map needs can be read",
       "The scene shows the map without the data from the missing file.",
       "Add the missing file, or use the complete game.", "src/formats/platinum/README.md#the-world"},
      {"platinum.guessed-area", hint, "every map in the scene is used by a header",
       "Maps that the game never loads, or loads only by special code, have no area. The scene gives such a map the "
       "first area that has all textures of the map, or otherwise the area that has most of them.",
       "No action is needed; to choose the area, add a header that uses the map.",
       "src/formats/platinum/README.md#the-world"},
      {"platinum.borrowed-area", hint, "every map in the scene has a header of its own",
       "Cells of header 0 are filler: the game shows them with the textures of the map the player came from. The scene "
       "uses the area of the nearest map that has all textures of the cell.",
       "No action is needed; to choose the area, give the map a header of its own.",
       "src/formats/platinum/README.md#the-world"},
      {"platinum.dummy-prop", hint, "the model of a prop is in the prop set of the area",
       "If a model is not in the prop set, the game shows model 0 instead.",
       "Add the model to the prop set of the area, or choose a model that is already in the prop set.",
       "pret/pokeplatinum, map_prop.c; src/formats/platinum/README.md#the-world"},
      {"platinum.hidden-props", warning, "a map has at most 32 props", "The game ignores props after the 32nd.",
       "Remove props with {edit LAND remove-prop}.",
       "pret/pokeplatinum, map_prop.c; src/formats/platinum/README.md#the-world"},
      {"platinum.unfit-picture", hint, "the pictures of an animated texture have the size of the texture",
       "The game copies as many bytes as the texture has, so it truncates a larger picture and reads past the end of a "
       "smaller picture. The scene omits smaller pictures.",
       "Give the pictures the size of the texture.", "pret/pokeplatinum, texture_resource_manager.c"},
  };
  return k_rules;
}

Result<SceneResult> build_world_scene(const GameTables& tables, std::string_view part, const WorldOptions& options) {
  const auto places = find_part_lands(tables, part);
  if (!places) return refuse(places.error());
  SceneResult out;
  WorldBuilder(tables, options, out).build(*places);
  return out;
}

}  // namespace dio::platinum
