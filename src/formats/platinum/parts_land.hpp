// parts_land.hpp: declarations for land data and heights, shared by the files of this folder and the tests.
#pragma once
#include "formats/contract/building.hpp"
#include "formats/platinum/layout/land_data.hpp"
#include "layout/document.hpp"

namespace dio {
class Arguments;
class Budgets;
struct FileParts;
struct NodeTransformChange;
}  // namespace dio

namespace dio::platinum {

// format_land.cpp: registry record parts of land data and heights
Sniff sniff_land_data(ByteView, std::string_view name);
Sniff sniff_bdhc(ByteView, std::string_view name);
Format add_land_operations(Format);
Format add_bdhc_operations(Format);
/// Adds the limits of a land other than those of its model.
void add_budgets(Budgets&, const LandData&);

// check/land.cpp, check/bdhc.cpp, check/bdhc_dp.cpp
extern const std::span<const Rule> k_land_rules, k_bdhc_rules, k_bdhc_dp_rules;
void check(const LandData&, Findings&);
void check(const Bdhc&, Findings&);
/// The bytes of heights that the game keeps in memory.
u64 bdhc_arrays_size(const Bdhc&);
/// Whether the prop model is a door that the game opens for the player.
bool is_door_model(u32 id);

// from_scene/make.cpp
Result<Made> make_land(const scene::Scene&, std::span<const Argument>);
std::span<const MakeOption> make_land_options();
std::span<const Rule> make_land_rules();

// info_land.cpp
Value info(const LandData&);
Value info(const Bdhc&);

// edit/land.cpp
/// model=N x=UNITS z=UNITS [y=UNITS] [scale=N]. Id: edit.argument.
Result<std::string> add_prop(LandData&, Arguments);
std::span<const Edit> land_edits();
std::span<const Edit> bdhc_edits();

// land_parts.cpp
const FileParts& land_parts();

// questions_land.cpp
std::span<const Question> land_questions();
std::span<const Question> bdhc_questions();

// scene/land.cpp: a scene of the map with the given textures, props as empty nodes, and heights
Result<SceneResult> to_scene(const LandData&, const SceneOptions&);
/// The node kind of props.
inline constexpr std::string_view k_prop_node = "platinum.prop", k_land_node = "platinum.land";
inline constexpr const char *k_event_node = "platinum.event", *k_warp_node = "platinum.warp";
Result<std::vector<Argument>> prop_transform_arguments(const NodeTransformChange&);
/// For Scenes; `node` is a path in the extras of a node. Tiles are numbered row by row, plates in file order.
std::optional<ValuePart> value_of_source(const LandData&, std::string_view node, u32 source);
std::vector<SourceRun> sources_of_value(const LandData&, std::string_view node, std::string_view path);

}  // namespace dio::platinum

// The document walks are compiled once, in walks*.cpp and, optimised for speed, in fast_walks*.cpp.
DIORAMA_WALKS(extern, platinum::LandData)
DIORAMA_WALKS(extern, platinum::Bdhc)
