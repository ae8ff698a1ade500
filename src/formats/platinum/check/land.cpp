// land.cpp: checks of land data: sizes, tiles, props and doors.
#include "formats/platinum/check/land.hpp"

#include <algorithm>
#include <array>

#include "formats/contract/findings.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/layout/tables.hpp"

namespace dio::platinum {

namespace {

using enum Severity;
constexpr Rule k_land_rule_table[] = {
    {"platinum.attribute-size", error, "the tile attributes of a map take exactly 2,048 bytes",
     "The game copies the tile attributes into a 2,048-byte buffer without checking their size.",
     "Keep exactly 32 x 32 tiles, and set attributes_size to 2048.", "pret/pokeplatinum, land_data.c"},
    {"platinum.land-size", error, "the sizes of the parts of a land file add up to the size of the file",
     "If a size is wrong, the game reads the parts of the file at wrong positions.",
     "Get a complete copy of the file, or correct the sizes at its start.",
     "pret/pokeplatinum, land_data.c; src/formats/platinum/README.md#land-data"},
    {"platinum.prop-bytes", warning, "the size of the props is a multiple of 48 bytes",
     "The game ignores the bytes after the last whole prop.",
     "Remove the incomplete prop, and set props_size to a multiple of 48.", "src/formats/platinum/README.md#land-data"},
    {"platinum.prop-count", warning, "a map has at most 32 props", "The game ignores props after the 32nd.",
     "Remove props with {edit FILE remove-prop}, or move some of the props to a neighbouring map.",
     "pret/pokeplatinum, map_prop.c; src/formats/platinum/README.md#land-data"},
    {"platinum.model-size", error,
     "the model of a map takes at most 61,440 bytes, and model_size equals the size in the model's own header",
     "The game reads the model into a 61,440-byte buffer without checking its size.",
     "Simplify the model, or set model_size and the size in the model's header to the actual size of the model.",
     "pret/pokeplatinum, land_data.c"},
    {"platinum.model-count", error, "a map contains exactly one model", "The game shows only the first model of a map.",
     "Join the models into one, or remove all models except the first.", "pret/pokeplatinum, land_data.c"},
    {"platinum.model-textures", warning, "the model of a map has no textures of its own",
     "The game uses the textures of the area, so textures in the model only waste space.",
     "Move the textures from the model to the texture set of the area.",
     "measured on 666 maps; src/formats/platinum/README.md#the-world"},
    {"platinum.model-align", hint, "the model of a map starts at a multiple of 4 bytes",
     "The game copies the model to an aligned address, so a misaligned model is harmless.",
     "Make the total size of the parts before the model a multiple of 4.", "pret/pokeplatinum, land_data.c"},
    {"platinum.tile-bits", warning, "bits 8 to 14 of a tile are 0", "Bits 8 to 14 have no known meaning in Platinum.",
     "Set bits 8 to 14 of the tile to 0, unless a patch uses these bits.",
     "measured on 681,984 tiles; src/formats/platinum/README.md#land-data"},
    {"platinum.tile-not-loaded", warning, "no tile has behaviour 255",
     "To the game, behaviour 255 means that the map of the tile is not loaded.",
     "Give the tile another behaviour with {edit FILE set-tiles}.", "pret/pokeplatinum, map.h"},
    {"platinum.no-ground", hint, "every walkable tile has a plate or triangle",
     "The game uses height 0 for a walkable tile without a plate or triangle, so a player who comes from another "
     "height is blocked or falls. Maps of small rooms have such tiles outside the walls.",
     "Add a plate with {edit FILE add-plate}, or block the tiles with {edit FILE set-tiles collision=1}.",
     "pret/pokeplatinum, bdhc.c; src/formats/platinum/README.md#heights"},
    {"platinum.height-step", hint, "neighbouring walkable tiles differ in height by less than 20 units",
     "A step of 20 units or more blocks the player, although nothing seems to be in the way.",
     "Lower the step with {edit FILE raise-plate}, or block the tiles with {edit FILE set-tiles collision=1}.",
     "src/formats/platinum/README.md#what-checks-do-not-report"},
    {"platinum.prop-model", error, "every prop uses a model number below 768",
     "The game uses the model number as an index into an array of 768 entries without checking it.",
     "Choose a model number below 768.", "pret/pokeplatinum, area_data.c"},
    {"platinum.prop-rotation", warning, "props are not rotated", "An unpatched game ignores the rotation of props.",
     "Set the rotation to 0, or patch the game.",
     "pret/pokeplatinum, map_prop.c; src/formats/platinum/README.md#land-data"},
    {"platinum.prop-scale", warning, "props have a scale of 1",
     "A prop with scale 0 is invisible, and a prop with a negative scale is inside out. Any other positive scale is "
     "fine if it is intended.",
     "Set the scale to 1 unless another scale is intended.", "pret/pokeplatinum, map_prop.c", Severities{hint}},
    {"platinum.prop-twice", hint, "no prop is a duplicate of another prop",
     "If two props are identical, their surfaces flicker, and one of the props is wasted.",
     "Remove the duplicate prop with {edit FILE remove-prop}.", "diorama's own rule"},
    {"platinum.prop-outside", hint, "every prop is on its map",
     "The game shows a prop only while its map is loaded, so a prop outside its map may be missing.",
     "Move the prop onto the map with {edit FILE move-prop}.", "diorama's own rule"},
    {"platinum.door-prop", warning, "every door tile has a door prop on it or one tile to its left or right",
     "If there is no door prop at a door tile, no door opens when the player enters.",
     "Add a door with {edit FILE add-prop}, or give the tile another behaviour.", "pret/pokeplatinum, ov5_021D431C.c"},
    {"platinum.door-tile", warning, "every door prop is on a door tile or one tile to the left or right of one",
     "If the door prop is not at a door tile, the door leads nowhere and does not open.",
     "Give a tile at the door behaviour 105 (door) with {edit FILE set-tiles}, and add a warp there.",
     "pret/pokeplatinum, ov5_021D431C.c"},
    {"platinum.prop-dummy", hint, "the last two numbers of a prop are 0",
     "The game does not read the last two numbers of a prop.", "No action is needed.",
     "src/formats/platinum/README.md#land-data"},
};

constexpr i32 k_one = 4096;

std::string prop_path(size_t i) { return text("props[", i, "]"); }
std::string tile_path(u32 x, u32 z) { return text("attributes[", z, "][", x, "]"); }

/// The offset of the model.
u64 model_start(const LandData& land) {
  return 16 + u64(land.attributes_size) + land.props_size + (land.sounds ? 4 + u64(land.sounds->size) : 0);
}

void check_section_sizes(Reporter& r, const LandData& land) {
  if (land.attributes.size() != k_tiles || !land.attributes_rest.empty())
    r.report("platinum.attribute-size", "attributes_size",
             {.message = text("the tile attributes take ", format_count(land.attributes_size, "byte"),
                              "; they must take 2048")});
  u64 sum = 16 + u64(land.attributes_size) + land.props_size + land.model_size + land.bdhc_size;
  if (land.sounds) sum += 4 + u64(land.sounds->size);
  if (r.findings.file_size && sum != r.findings.file_size)
    r.report(
        "platinum.land-size", "attributes_size",
        {.message = text("the sizes of the parts add up to ", sum, " bytes, but the file has ", r.findings.file_size)});
  if (!land.props_rest.empty())
    r.report("platinum.prop-bytes", "props_rest",
             {.message = text("the props take ", format_count(land.props_size, "byte"), ", ", land.props_rest.size(),
                              " more than a multiple of 48")});
  if (land.model_size > k_model_buffer)
    r.report("platinum.model-size", "model_size",
             {.message = text("the model takes ", land.model_size, " bytes (at most ", k_model_buffer, ")")});
  if (land.model.header.size != land.model_size)
    r.report("platinum.model-size", "model_size",
             {.message = text("model_size is ", format_count(land.model_size, "byte"),
                              "; the header of the model gives ", land.model.header.size)});
  if (land.model.models.size() != 1)
    r.report("platinum.model-count", "model.models",
             {.message = text("the map has ", format_count(land.model.models.size(), "model"), " instead of one")});
  if (land.model.textures)
    r.report("platinum.model-textures", "model.textures",
             {.message = "the model has textures of its own, but the game uses those of the area"});
  if (model_start(land) % 4)
    r.report("platinum.model-align", "model",
             {.message = text("the model starts at offset ", model_start(land), ", which is not a multiple of 4")});
}

void check_tiles(Reporter& r, const LandData& land) {
  size_t bare = 0;
  std::pair<u32, u32> first;
  for (u32 z = 0; z < land.attributes.size(); ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      const u16 tile = land.attributes[z][x];
      // HeartGold and SoulSilver use one of these bits.
      if (!land.sounds && tile & k_unused_bits)
        r.report("platinum.tile-bits", tile_path(x, z),
                 {.message = text("the tile is ", format_hex(tile), "; bits 8 to 14 must be 0")});
      if (behavior_in(tile) == k_not_loaded)
        r.report("platinum.tile-not-loaded", tile_path(x, z),
                 {.message = "the tile has behaviour 255, which the game reads as \"map not loaded\""});
      if (is_truncated(land.bdhc) || z >= k_tiles || is_blocked(tile)) continue;
      if (!ground_height_at(land.bdhc, tile_middle(x), tile_middle(z)) && bare++ == 0) first = {x, z};
    }
  if (bare)
    r.report("platinum.no-ground", tile_path(first.first, first.second),
             {.message = text(format_count(bare, "walkable tile"), bare == 1 ? " has" : " have", " no ",
                              name_of_plates(land.bdhc))});
}

/// Whether the height may differ from that of neighbours: the player crosses differently (ledge, bridge, warp), or the
/// tile is a slope or stairs with sides.
bool allows_height_step(const Bdhc& b, u16 tile, const std::vector<Ground>& ground) {
  for (const Ground& g : ground)
    if (const auto shape = find_plate_shape(b, g.plate);
        shape && (shape->normal.x.raw != 0 || shape->normal.z.raw != 0))
      return true;
  const Behavior* known = find_behavior(behavior_in(tile));
  return known &&
         (known->group == TileGroup::ledge || known->group == TileGroup::climb || known->group == TileGroup::bridge ||
          known->group == TileGroup::bike || known->group == TileGroup::warp || known->group == TileGroup::dynamic);
}
void check_height_steps(Reporter& r, const LandData& land) {
  const u32 rows = u32(std::min<size_t>(land.attributes.size(), k_tiles));
  std::array<std::array<std::vector<Ground>, k_tiles>, k_tiles> grounds;  // empty: not checked
  for (u32 z = 0; z < rows; ++z)
    for (u32 x = 0; x < k_tiles; ++x)
      if (const u16 tile = land.attributes[z][x]; !is_blocked(tile)) {
        auto ground = find_listed_grounds(land.bdhc, tile_middle(x), tile_middle(z));
        if (!allows_height_step(land.bdhc, tile, ground)) grounds[z][x] = std::move(ground);
      }
  size_t steps = 0;
  std::string first, found;
  const auto find_blocking_step = [&](u32 x, u32 z, u32 next_x, u32 next_z) {
    std::optional<i64> least;
    for (const Ground& here : grounds[z][x])
      for (const Ground& there : grounds[next_z][next_x]) {
        const i64 step = std::abs(i64(here.height) - there.height);
        least = std::min(least.value_or(step), step);
      }
    if (!least || *least < k_blocking_step || steps++) return;
    first = tile_path(x, z);
    found = text("the step to tile ", next_x, ",", next_z, " is ", f64(*least) / 4096, " units high");
  };
  for (u32 z = 0; z < rows; ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      if (x + 1 < k_tiles) find_blocking_step(x, z, x + 1, z);
      if (z + 1 < rows) find_blocking_step(x, z, x, z + 1);
    }
  if (steps)
    r.report("platinum.height-step", first,
             {.message = text(
                  found, "; a step of 20 or more blocks the player",
                  steps > 1 ? text(" (and ", steps - 1, steps == 2 ? " more such step)" : " more such steps)") : "")});
}

void check_props(Reporter& r, const LandData& land) {
  const auto& props = land.props;
  if (props.size() > k_most_props)
    r.report("platinum.prop-count", prop_path(k_most_props),
             {.message = text("the map has ", props.size(), " props; the game shows only the first ", k_most_props)});
  for (size_t i = 0; i < props.size(); ++i) {
    const Prop& p = props[i];
    if (p.model_id >= k_most_prop_models)
      r.report("platinum.prop-model", prop_path(i) + ".model_id",
               {.message = text("prop model ", p.model_id, " is out of range (0 to ", k_most_prop_models - 1, ")")});
    if (p.rotation != std::array<u32, 3>{})
      r.report("platinum.prop-rotation", prop_path(i) + ".rotation",
               {.message = "the prop has a rotation, which the game ignores"});
    const std::array<i32, 3> scale = {p.scale.x.raw, p.scale.y.raw, p.scale.z.raw};
    if (std::ranges::any_of(scale, [](i32 s) { return s != k_one; }))
      r.report(std::ranges::any_of(scale, [](i32 s) { return s <= 0; }) ? warning : hint, "platinum.prop-scale",
               prop_path(i) + ".scale",
               {.message = text("the scale is ", p.scale.x.value(), ", ", p.scale.y.value(), ", ", p.scale.z.value(),
                                " instead of 1, 1, 1")});
    const auto here = props.begin() + std::ptrdiff_t(i);
    if (i < k_most_props && std::find(props.begin(), here, p) != here)
      r.report(
          "platinum.prop-twice", prop_path(i),
          {.message = text("the prop is a duplicate of prop ", std::find(props.begin(), here, p) - props.begin())});
    const auto outside = [](fx32 x) { return std::abs(i64(x.raw)) > i64(k_half_map) * k_one; };
    if (outside(p.position.x) || outside(p.position.z))
      r.report("platinum.prop-outside", prop_path(i) + ".position",
               {.message = text("the prop is at ", p.position.x.value(), ", ", p.position.z.value(),
                                ", outside the map (-256 to 256)")});
    if (p.dummy != std::array<u32, 2>{})
      r.report("platinum.prop-dummy", prop_path(i) + ".dummy",
               {.message = text("the last two numbers are ", p.dummy[0], ", ", p.dummy[1], "; they must be 0, 0")});
  }
}

/// Whether the origin of a prop is where the game looks for a door: on the door tile or one tile to its left or right,
/// edges included.
bool is_at_door_tile(const Prop& p, u32 x, u32 z) {
  const auto edge = [](i64 tile) { return (tile * k_tile_units - k_half_map) * k_one; };
  return edge(i64(x) - 1) <= p.position.x.raw && p.position.x.raw <= edge(i64(x) + 2) && edge(z) <= p.position.z.raw &&
         p.position.z.raw <= edge(i64(z) + 1);
}

/// Whether the tiles around this one are on this map. Otherwise the other half of a door may be on the neighbouring
/// map.
bool has_all_neighbor_tiles(i64 x, i64 z) { return x > 0 && x < k_tiles - 1 && z > 0 && z < k_tiles - 1; }

void check_doors(Reporter& r, const LandData& land) {
  const size_t props = std::min(land.props.size(), k_most_props);  // the props that the game shows
  std::vector<bool> has_tile(props);
  for (u32 z = 0; z < land.attributes.size(); ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      if (behavior_in(land.attributes[z][x]) != k_door) continue;
      bool has_prop = false;
      for (size_t i = 0; i < props; ++i)
        if (is_door_model(land.props[i].model_id) && is_at_door_tile(land.props[i], x, z))
          has_prop = has_tile[i] = true;
      if (!has_prop && has_all_neighbor_tiles(x, z))
        r.report("platinum.door-prop", tile_path(x, z),
                 {.message = "no door prop is on this door tile or one tile to its left or right"});
    }
  for (size_t i = 0; i < props; ++i)
    if (const Vector& at = land.props[i].position;
        is_door_model(land.props[i].model_id) && !has_tile[i] && has_all_neighbor_tiles(tile_of(at.x), tile_of(at.z)))
      r.report(
          "platinum.door-tile", prop_path(i),
          {.message = text("this door prop (model ", land.props[i].model_id,
                           ") is neither on a door tile (behaviour 105) nor one tile to the left or right of one")});
}

/// Adds the findings of the model as a Nitro file.
void check_model(Findings& findings, const LandData& land) {
  Findings own(nitro::rules());
  own.file_size = land.model_size;
  nitro::check(land.model, own);
  for (Diagnostic& d : own.list) {
    if (!d.place.path.empty()) d.place.path = "model." + d.place.path;
    if (d.place.known()) d.place.offset += model_start(land);
    findings.list.push_back(std::move(d));
  }
}

}  // namespace
const std::span<const Rule> k_land_rules = k_land_rule_table;

bool is_door_model(u32 id) {
  static constexpr std::array<u32, 20> k_doors = {66,  67,  68,  69,  70,  75,  128, 246, 260, 298,
                                                  312, 313, 427, 438, 441, 442, 444, 456, 484, 527};
  return std::ranges::binary_search(k_doors, id);
}

void check(const LandData& land, Findings& findings) {
  Reporter r(findings);
  check_section_sizes(r, land);
  check_tiles(r, land);
  check_height_steps(r, land);
  check_props(r, land);
  check_doors(r, land);
  check_bdhc(r, land.bdhc, "bdhc.", land.attributes);
  check_model(findings, land);
}

}  // namespace dio::platinum
