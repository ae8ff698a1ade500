// parts.hpp: the functions that the files in this folder provide to format.cpp, each other, other formats, samples and
// tests.
#pragma once
#include "formats/brres/layout/file.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"

namespace dio::brres {

// check/checks.cpp
std::span<const Rule> rules();
void check(const Brres&, Findings&);

// edit/edits.cpp
std::span<const Edit> edits();
std::span<const Rule> edit_rules();

// from_scene/brres_builder.cpp
Result<Made> make_model(const scene::Scene&, std::span<const Argument>);
std::span<const MakeOption> make_options();
std::span<const Rule> make_rules();

// info.cpp
Value info(const Brres&);

// scene/scene.cpp
std::span<const Rule> scene_rules();
Result<SceneResult> to_scene(const Brres&, bool sources);
std::optional<ValuePart> value_of_source(const Brres&, std::string_view node, u32 source);
std::vector<SourceRun> sources_of_value(const Brres&, std::string_view node, std::string_view path);

}  // namespace dio::brres

// The walks over the document are compiled once: walks.cpp.
DIORAMA_WALKS(extern, brres::Brres)
