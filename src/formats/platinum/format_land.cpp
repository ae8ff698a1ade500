// format_land.cpp: the registry records of land data and heights.
#include "formats/contract/budgets.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/nitro/from_scene/shape_editor.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

void add_budgets(Budgets& budgets, const LandData& land) {
  budgets.add("model", land.model_size, k_model_buffer, "bytes",
              "size of the model, which the game reads into a buffer for one map");
  budgets.add("tiles", land.attributes_size, k_tiles_buffer, "bytes", "collision and behaviours");
  budgets.add("heights", bdhc_arrays_size(land.bdhc), k_bdhc_buffer, "bytes",
              "points, normals, constants, plates, strips and lists of plates");
  budgets.add("props", land.props.size(), k_most_props, "props", "the game ignores props beyond the limit");
}

static Value budget(const LandData& land, std::span<const Companion> companions) {
  Value v = Value::object();
  Budgets budgets(v);
  nitro::add_budgets(budgets, land.model, companions);
  add_budgets(budgets, land);
  return v;
}

/// Node kinds in scenes of lands and worlds.
constexpr NodeKind k_node_kinds[] = {
    {.kind = "platinum.matrix", .has_label = false},
    {.kind = k_land_node,
     .label = "header_name",
     .has_tiles = true,
     .tile_grid = scene::TileGrid{.tile = 16, .west = -256, .north = -256, .across = k_tiles, .down = k_tiles},
     .has_height = true},
    {.kind = k_prop_node, .layer = "Props", .is_content = true},
    {.kind = "platinum.tiles", .layer = "Tile behaviours", .overlay = "tiles"},
    {.kind = "platinum.collision", .layer = "Collision", .overlay = "collision"},
    {.kind = "platinum.heights", .layer = "Height plates", .overlay = "heights"},
    {.kind = "platinum.events", .layer = "Events", .overlay = "events"},
    {.kind = k_event_node, .cell = 16},
    {.kind = k_warp_node, .layer = "Warps", .overlay = "warps", .cell = 16},
};

Format add_land_operations(Format f) {
  static constexpr std::string_view k_options[] = {"lit"}, k_placed[] = {k_prop_node},
                                    k_companion_properties[] = {"model"};
  static constexpr Scenes k_scenes = {
      .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<LandData>(d), o); },
      .options = k_options,
      .placed = k_placed,
      .companion_properties = k_companion_properties,
      .kinds = k_node_kinds,
      .place = [](const AnyDocument&, const NodeTransformChange& move) { return prop_transform_arguments(move); },
      .value_of_source =
          [](const AnyDocument& d, const Value& extras, u32 source) {
            return value_of_source(value_of<LandData>(d), path_from_extras(extras), source);
          },
      .sources_of_value =
          [](const AnyDocument& d, const Value& extras, std::string_view path) {
            return sources_of_value(value_of<LandData>(d), path_from_extras(extras), path);
          },
      .write_triangles = [](AnyDocument& d, const scene::TriangleDifferences& differences)
          -> Result<SceneImportResult> { return nitro::write_triangles(edit_of<LandData>(d).model, differences); },
      .without_alternates = nitro::without_alternate_pictures,
  };
  // Companion files: textures of the area and animations of the model.
  static constexpr CompanionOps k_belonging = {
      .names = [](const AnyDocument& d) { return nitro::companion_match_names(value_of<LandData>(d).model); },
      .pairs = [](const AnyDocument& d) { return nitro::collect_texture_pairs(value_of<LandData>(d).model.models); },
      .takes =
          [](const AnyDocument& d, const Companion& c) {
            const CompanionOps& b = companion_ops_of(*c.format);
            if (b.goes_with != "nsbmd" || !b.fits) return false;
            const DocumentOf<nitro::Nsbmd> model(
                Document<nitro::Nsbmd>::make_unedited(value_of<LandData>(d).model, 0, {}));
            return b.fits(*c.document, model);
          },
  };
  static const Making k_making = {.make = make_land, .options = make_land_options()};
  f.making = &k_making;
  f.needs_name = false;  // unlike the tables, they are recognised by their bytes
  f.scenes = &k_scenes;
  f.belonging = &k_belonging;
  f.budget = [](const AnyDocument& d, std::span<const Companion> c) { return budget(value_of<LandData>(d), c); };
  f.parts = &land_parts();
  f.edits = land_edits;
  f.questions = land_questions;
  return f;
}

Format add_bdhc_operations(Format f) {
  f.needs_name = false;
  f.edits = bdhc_edits;
  f.questions = bdhc_questions;
  return f;
}

}  // namespace dio::platinum
