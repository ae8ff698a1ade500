// land.cpp: land data: sizes, tiles, props, doors.
#include "formats/platinum/check/land.hpp"

#include <algorithm>
#include <array>

#include "formats/contract/findings.hpp"
#include "formats/nitro/parts.hpp"

namespace dio::platinum {

namespace {

using enum Severity;
constexpr Rule k_land_rule_table[] = {
    {"platinum.attribute-size", error, "the attributes of the tiles take 2048 bytes",
     "The game reads as many as the file says into a buffer of 2048.", "specification 17, LND-1"},
    {"platinum.land-size", error, "the sizes of the parts add up to that of the file",
     "The game reads the parts one after another with these sizes.", "specification 17, LND-2"},
    {"platinum.prop-bytes", warning, "props take a multiple of 48 bytes",
     "The game passes over what makes no whole prop.", "specification 17, LND-3"},
    {"platinum.prop-count", warning, "a map has at most 32 props", "The game passes over the rest.",
     "specification 17, LND-4"},
    {"platinum.model-size", error, "the model takes at most 61,440 bytes, as many as it says itself",
     "The game reads it into a buffer of that size without looking.", "specification 17, LND-5"},
    {"platinum.model-count", error, "there is one model", "The game shows the first and expects no other.",
     "specification 17, LND-5"},
    {"platinum.model-textures", warning, "the model brings no textures",
     "The game takes those of the area; others only take space.", "specification 17, LND-6"},
    {"platinum.model-align", hint, "the model starts at a multiple of 4", "The game copies it to one.",
     "specification 17, LND-8"},
    {"platinum.tile-bits", warning, "bits 8 to 14 of a tile are 0", "Nothing is known to read them in Platinum.",
     "specification 17, LND-9"},
    {"platinum.tile-not-loaded", warning, "no tile has the behaviour 255",
     "The game takes it for a place where no map is loaded.", "specification 17, LND-9"},
    {"platinum.no-ground", hint, "there is a plate over every tile where one can walk",
     "The height there is 0: who comes from elsewhere is blocked, or falls. Rooms that do not fill their map have such "
     "tiles outside their walls.",
     "specification 17, LND-10"},
    {"platinum.height-step", hint, "one can walk between neighbouring tiles where nothing blocks the way",
     "Where their heights differ by 20 units or more, the way is blocked though it looks free.",
     "specification 17, LND-11"},
    {"platinum.prop-model", error, "prop models have numbers below 768",
     "The game looks into an array of that size before it knows whether it has the model.", "specification 17, PRP-1"},
    {"platinum.prop-rotation", warning, "props are not turned",
     "The game passes over the rotation unless it is patched.", "specification 17, PRP-3"},
    {"platinum.prop-scale", warning, "props have a scale of 1",
     "One of 0 is not seen, a negative one is inside out; others are as they are meant.", "specification 17, PRP-4",
     Severities{hint}},
    {"platinum.prop-twice", hint, "no prop is there twice", "Their faces flicker, and one of them is for nothing.",
     "specification 17, PRP-5"},
    {"platinum.prop-outside", hint, "props stand on the map",
     "The game shows one that stands outside, as long as this map is loaded.", "specification 17, PRP-5"},
    {"platinum.door-prop", warning, "a door tile has the prop of a door in its row, at most a tile to the side",
     "Without one the door does not open before the player.", "specification 17, PRP-6"},
    {"platinum.door-tile", warning, "the prop of a door has a door tile in its row, at most a tile to the side",
     "The door leads nowhere, and does not open.", "specification 17, PRP-6"},
    {"platinum.prop-dummy", hint, "the last numbers of a prop are 0", "The game does not read them.",
     "specification 17, PRP-7"},
};

constexpr u64 k_model_buffer = 0xF000;
constexpr u32 k_most_prop_models = 768;
constexpr i32 k_one = 4096;

std::string prop_path(size_t i) { return text("props[", i, "]"); }
std::string tile_path(u32 x, u32 z) { return text("attributes[", z, "][", x, "]"); }

/// Where the model starts.
u64 model_start(const LandData& land) {
  return 16 + u64(land.attributes_size) + land.props_size + (land.sounds ? 4 + u64(land.sounds->size) : 0);
}

void check_sizes(Reporter& r, const LandData& land) {
  if (land.attributes.size() != k_tiles || !land.attributes_rest.empty())
    r.report("platinum.attribute-size", "attributes_size", {.expected = "2048", .found = text(land.attributes_size)});
  u64 sum = 16 + u64(land.attributes_size) + land.props_size + land.model_size + land.bdhc_size;
  if (land.sounds) sum += 4 + u64(land.sounds->size);
  if (r.findings.file_size && sum != r.findings.file_size)
    r.report("platinum.land-size", "attributes_size",
             {.expected = text("one of ", sum, " bytes, as the sizes of its parts say"),
              .found = text("a file of ", r.findings.file_size, " bytes")});
  if (!land.props_rest.empty())
    r.report("platinum.prop-bytes", "props_rest",
             {.expected = "a multiple of 48",
              .found = text(land.props_size, " bytes, ", land.props_rest.size(), " too many")});
  if (land.model_size > k_model_buffer)
    r.report("platinum.model-size", "model_size",
             {.expected = text("at most ", k_model_buffer), .found = text(land.model_size, " bytes")});
  if (land.model.header.size != land.model_size)
    r.report("platinum.model-size", "model_size",
             {.expected = text("the ", land.model.header.size, " bytes that the model itself says"),
              .found = text(land.model_size, " bytes")});
  if (land.model.models.size() != 1)
    r.report("platinum.model-count", "model.models", {.expected = "1", .found = text(land.model.models.size())});
  if (land.model.textures)
    r.report("platinum.model-textures", "model.textures",
             {.expected = "none: they belong to the area", .found = "textures"});
  if (model_start(land) % 4)
    r.report("platinum.model-align", "model",
             {.expected = "a multiple of 4", .found = text("offset ", model_start(land))});
}

void check_tiles(Reporter& r, const LandData& land) {
  size_t bare = 0;
  std::pair<u32, u32> first;
  for (u32 z = 0; z < land.attributes.size(); ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      const u16 tile = land.attributes[z][x];
      // HeartGold and SoulSilver use one of these bits.
      if (!land.sounds && tile & k_unused_bits)
        r.report("platinum.tile-bits", tile_path(x, z), {.expected = "bits 8 to 14 of 0", .found = hex_number(tile)});
      if (behavior_in(tile) == k_not_loaded)
        r.report("platinum.tile-not-loaded", tile_path(x, z), {.expected = "another one", .found = "behaviour 255"});
      if (land.bdhc.dp || z >= k_tiles || is_blocked(tile)) continue;
      if (!height_at(land.bdhc, tile_middle(x), tile_middle(z)) && bare++ == 0) first = {x, z};
    }
  if (bare)
    r.report("platinum.no-ground", tile_path(first.first, first.second),
             {.expected = "a plate over every tile where one can walk",
              .found = text(bare, bare == 1 ? " tile" : " tiles", " without a plate")});
}

/// Whether heights may differ from those of the neighbours: something else takes the player across, or it is a slope or
/// stairs, which have sides.
bool is_crossing(const Bdhc& b, u16 tile, const std::vector<Ground>& ground) {
  for (const Ground& g : ground)
    if (const auto shape = shape_of(b, g.plate); shape && (shape->normal.x.raw != 0 || shape->normal.z.raw != 0))
      return true;
  const Behavior* known = behavior_of(behavior_in(tile));
  return known &&
         (known->group == TileGroup::ledge || known->group == TileGroup::climb || known->group == TileGroup::bridge ||
          known->group == TileGroup::bike || known->group == TileGroup::warp || known->group == TileGroup::dynamic);
}
void check_steps(Reporter& r, const LandData& land) {
  const u32 rows = u32(std::min<size_t>(land.attributes.size(), k_tiles));
  std::array<std::array<std::vector<Ground>, k_tiles>, k_tiles> grounds;  // empty: not to be judged
  for (u32 z = 0; z < rows; ++z)
    for (u32 x = 0; x < k_tiles; ++x)
      if (const u16 tile = land.attributes[z][x]; !is_blocked(tile)) {
        auto ground = candidates_at(land.bdhc, tile_middle(x), tile_middle(z));
        if (!is_crossing(land.bdhc, tile, ground)) grounds[z][x] = std::move(ground);
      }
  size_t steps = 0;
  std::string first, found;
  const auto between = [&](u32 x, u32 z, u32 next_x, u32 next_z) {
    std::optional<i64> least;
    for (const Ground& here : grounds[z][x])
      for (const Ground& there : grounds[next_z][next_x]) {
        const i64 step = std::abs(i64(here.height) - there.height);
        least = std::min(least.value_or(step), step);
      }
    if (!least || *least < k_blocking_step || steps++) return;
    first = tile_path(x, z);
    found = text(f64(*least) / 4096, " units to tile ", next_x, ",", next_z);
  };
  for (u32 z = 0; z < rows; ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      if (x + 1 < k_tiles) between(x, z, x + 1, z);
      if (z + 1 < rows) between(x, z, x, z + 1);
    }
  if (steps)
    r.report(
        "platinum.height-step", first,
        {.expected = "less than 20 units", .found = found + (steps > 1 ? text(", and ", steps - 1, " more") : "")});
}

void check_props(Reporter& r, const LandData& land) {
  const auto& props = land.props;
  if (props.size() > k_most_props)
    r.report("platinum.prop-count", prop_path(k_most_props),
             {.expected = text("at most ", k_most_props), .found = text(props.size(), " props")});
  for (size_t i = 0; i < props.size(); ++i) {
    const Prop& p = props[i];
    if (p.model_id >= k_most_prop_models)
      r.report("platinum.prop-model", prop_path(i) + ".model_id",
               {.expected = text("below ", k_most_prop_models), .found = text(p.model_id)});
    if (p.rotation != std::array<u32, 3>{})
      r.report("platinum.prop-rotation", prop_path(i) + ".rotation", {.expected = "none", .found = "a rotation"});
    const std::array<i32, 3> scale = {p.scale.x.raw, p.scale.y.raw, p.scale.z.raw};
    if (std::ranges::any_of(scale, [](i32 s) { return s != k_one; }))
      r.report(
          std::ranges::any_of(scale, [](i32 s) { return s <= 0; }) ? warning : hint, "platinum.prop-scale",
          prop_path(i) + ".scale",
          {.expected = "1, 1, 1", .found = text(p.scale.x.value(), ", ", p.scale.y.value(), ", ", p.scale.z.value())});
    const auto here = props.begin() + std::ptrdiff_t(i);
    if (i < k_most_props && std::find(props.begin(), here, p) != here)
      r.report("platinum.prop-twice", prop_path(i),
               {.expected = "a prop of its own", .found = "the same as one before"});
    const auto outside = [](fx32 x) { return std::abs(i64(x.raw)) > i64(k_half_map) * k_one; };
    if (outside(p.position.x) || outside(p.position.z))
      r.report("platinum.prop-outside", prop_path(i) + ".position",
               {.expected = "256 units at most", .found = text(p.position.x.value(), ", ", p.position.z.value())});
    if (p.dummy != std::array<u32, 2>{})
      r.report("platinum.prop-dummy", prop_path(i) + ".dummy",
               {.expected = "0, 0", .found = text(p.dummy[0], ", ", p.dummy[1])});
  }
}

/// Whether the origin of a prop lies where the game looks for a door: in the row of the door tile, at most a tile to
/// the side, edges included.
bool is_at_door(const Prop& p, u32 x, u32 z) {
  const auto edge = [](i64 tile) { return (tile * k_tile_units - k_half_map) * k_one; };
  return edge(i64(x) - 1) <= p.position.x.raw && p.position.x.raw <= edge(i64(x) + 2) && edge(z) <= p.position.z.raw &&
         p.position.z.raw <= edge(i64(z) + 1);
}

/// Whether the row of three tiles around it lies on this map. Where it does not, the other half of a door may be the
/// neighbour's.
bool is_inside(i64 x, i64 z) { return x > 0 && x < k_tiles - 1 && z > 0 && z < k_tiles - 1; }

void check_doors(Reporter& r, const LandData& land) {
  const size_t props = std::min(land.props.size(), k_most_props);  // those the game has
  std::vector<bool> has_tile(props);
  for (u32 z = 0; z < land.attributes.size(); ++z)
    for (u32 x = 0; x < k_tiles; ++x) {
      if (behavior_in(land.attributes[z][x]) != k_door) continue;
      bool has_prop = false;
      for (size_t i = 0; i < props; ++i)
        if (is_door_model(land.props[i].model_id) && is_at_door(land.props[i], x, z)) has_prop = has_tile[i] = true;
      if (!has_prop && is_inside(x, z))
        r.report("platinum.door-prop", tile_path(x, z),
                 {.expected = "a prop of a door in its row", .found = "a door tile without the prop of a door"});
    }
  for (size_t i = 0; i < props; ++i)
    if (const Vector& at = land.props[i].position;
        is_door_model(land.props[i].model_id) && !has_tile[i] && is_inside(tile_of(at.x), tile_of(at.z)))
      r.report("platinum.door-tile", prop_path(i),
               {.expected = "a door tile (behaviour 105) in its row",
                .found = text("door model ", land.props[i].model_id, " without a door tile")});
}

/// What is wrong with the model as a file of its own.
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
  check_sizes(r, land);
  check_tiles(r, land);
  check_steps(r, land);
  check_props(r, land);
  check_doors(r, land);
  check_bdhc(r, land.bdhc, "bdhc.", land.attributes);
  check_model(findings, land);
}

}  // namespace dio::platinum
