// parts.hpp: the functions that the files in this folder provide to format.cpp, each other and the tests.
#pragma once
#include "formats/contract/building.hpp"
#include "formats/contract/plans.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/kcl/layout.hpp"
#include "formats/kmp/layout.hpp"
#include "layout/document.hpp"

namespace dio::kmp {

// format.cpp
std::span<const Rule> rules();
/// The first Mario Kart Wii collision file among the companions; null if there is none.
const Companion* find_collision_companion(std::span<const Companion>);
const kcl::Kcl* find_collision(std::span<const Companion>);
/// The models that every course needs.
inline constexpr std::string_view k_course_model = "course_model.brres", k_map_model = "map_model.brres",
                                  k_sky_model = "vrcorn_model.brres";
/// The course model among the companions; null if there is none.
const Companion* find_course_model(std::span<const Companion>);

// check/checks.cpp
std::span<const Rule> check_rules();
/// `ends_in_zeros`: whether only zeros follow the last section.
void check(const Kmp&, Findings&, bool ends_in_zeros = false);

// info.cpp
Value info(const Kmp&);

// scene/scene.cpp
/// Includes the collision, if it is a companion.
scene::Scene to_scene(const Kmp&, const SceneOptions& = {});

/// In the extras of checkpoints: their label in the viewer.
inline constexpr std::string_view k_label_extra = "label";

// scene/place.cpp
std::span<const std::string_view> placed_kinds();
std::span<const std::string_view> kinds_beside();
std::span<const NodeKind> node_kinds();
Result<std::vector<Argument>> place(const Kmp&, const NodeTransformChange&);

// edit/course.cpp
std::span<const Edit> course_edits();

// from_scene/kmp_builder.cpp
Result<Made> make(const scene::Scene&, std::span<const Argument>);
std::span<const MakeOption> make_options();
std::span<const Rule> make_rules();

// from_scene/course_builder.cpp
Result<Made> make_archive(const scene::Scene&, std::span<const Argument>, const FileTree& own,
                          const UpdateFile& update);
std::span<const MakeOption> make_archive_options();
std::span<const Rule> make_archive_rules();

// race/questions.cpp
std::span<const Question> questions();

// plan/plan.cpp
/// Includes the roads of the collision, if it is a companion.
scene::Plan to_plan(const Kmp&, const PlanOptions& = {});

}  // namespace dio::kmp

// The walks over Kmp are compiled once: fast_walks.cpp for bytes, walks.cpp for the rest.
DIORAMA_WALKS(extern, kmp::Kmp)
