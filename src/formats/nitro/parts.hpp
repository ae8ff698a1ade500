// parts.hpp: declarations shared by the files of this folder and the tests.
#pragma once
#include "formats/contract/any_document.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/nitro/layout/files.hpp"
#include "layout/document.hpp"

namespace dio {
class Budgets;
struct NodeTransformChange;
}  // namespace dio

namespace dio::nitro {

// checks.cpp
std::span<const Rule> rules();
std::span<const Rule> check_rules();  // rules that need only one file
void check(const Nsbmd&, Findings&);
void check(const Nsbtx&, Findings&);
void check(const Nsbca&, Findings&);
void check(const Nsbtp&, Findings&);
void check(const Nsbta&, Findings&);
void check(const Nsbma&, Findings&);
void check(const Nsbva&, Findings&);

// from_scene/nsbtp_builder.cpp
/// Exports show each picture of a pattern animation on its own mesh. Returns the scene with only the mesh of the
/// material itself.
scene::Scene without_alternate_pictures(const scene::Scene&);

/// Key in the extras of a model: an object with the frame count of each animation of the scene, by name.
inline constexpr std::string_view k_animation_frames = "animation_frames";
/// The names of textures of the file that its materials do not use, in extras of the first model.
inline constexpr std::string_view k_unshown_textures = "unshown_textures";

// from_scene/make.cpp
Result<Made> make_model(const scene::Scene&, std::span<const Argument>);
std::span<const MakeOption> make_options();
std::span<const Rule> make_rules();

// edit/edits.cpp
std::span<const Edit> model_edits();
std::span<const Edit> texture_set_edits();
std::span<const Rule> edit_rules();

// from_scene/node_positions.cpp
/// Moves a node at rest. False: the file cannot store that, or the node was not only moved.
bool move_node(Nsbmd&, const NodeTransformChange&);

// budget.cpp
Value budget(const Nsbmd&, std::span<const Companion>);
void add_budgets(Budgets&, const Nsbmd&, std::span<const Companion>);

// info.cpp
Value info(const Nsbmd&);
Value info(const Nsbtx&);
Value info(const Nsbca&);
Value info(const Nsbtp&);
Value info(const Nsbta&);
Value info(const Nsbma&);
Value info(const Nsbva&);

// scene.cpp
Result<SceneResult> to_scene(const Nsbmd&, const SceneOptions&);
std::span<const Rule> scene_rules();  // rules about several files used together
// sources.cpp, for Scenes; `node` is a path in the extras of a node: models[0].nodes[3]
std::optional<ValuePart> value_of_source(const Nsbmd&, std::string_view node, u32 source);
std::vector<SourceRun> sources_of_value(const Nsbmd&, std::string_view node, std::string_view path);
/// Whether a file is likely to belong to a model: textures by the names of its pairings, joint animations and
/// visibility by the number of nodes and the names of both files, the rest by the names of all materials.
bool matches_model(const Nsbtx&, const Nsbmd&);
bool matches_model(const Nsbca&, const Nsbmd&);
bool matches_model(const Nsbtp&, const Nsbmd&);
bool matches_model(const Nsbta&, const Nsbmd&);
bool matches_model(const Nsbma&, const Nsbmd&);
bool matches_model(const Nsbva&, const Nsbmd&);
/// Names that two files must share to fit each other; see CompanionOps.
std::vector<std::string> companion_match_names(const Nsbmd&);
std::vector<std::string> companion_match_names(const Nsbtx&);
std::vector<std::string> companion_match_names(const Nsbca&);
std::vector<std::string> companion_match_names(const Nsbtp&);
std::vector<std::string> companion_match_names(const Nsbta&);
std::vector<std::string> companion_match_names(const Nsbma&);
std::vector<std::string> companion_match_names(const Nsbva&);

}  // namespace dio::nitro

// The document walks are compiled once, in walks*.cpp and, optimised for speed, in fast_walks*.cpp.
DIORAMA_WALKS(extern, nitro::Nsbmd)
DIORAMA_WALKS(extern, nitro::Nsbtx)
DIORAMA_WALKS(extern, nitro::Nsbca)
DIORAMA_WALKS(extern, nitro::Nsbtp)
DIORAMA_WALKS(extern, nitro::Nsbta)
DIORAMA_WALKS(extern, nitro::Nsbma)
DIORAMA_WALKS(extern, nitro::Nsbva)
