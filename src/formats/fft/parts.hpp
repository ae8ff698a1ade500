// parts.hpp: functions of the files in this folder for format.cpp, each other and the tests.
#pragma once
#include "formats/contract/any_document.hpp"
#include "formats/contract/building.hpp"
#include "formats/fft/layout/gns.hpp"
#include "formats/fft/layout/mesh.hpp"
#include "layout/document.hpp"

namespace dio::fft {

// sniff.cpp: recognises files by their names and bytes
Sniff sniff_gns(ByteView, std::string_view name);
Sniff sniff_mesh(ByteView, std::string_view name);
Sniff sniff_texture(ByteView, std::string_view name);

// checks.cpp: the rules of all topics
std::span<const Rule> check_rules();  // of findings in a single file
std::span<const Rule> rules();        // and of notes about scenes and pictures
void check(const Gns&, Findings&);
void check(const Mesh&, Findings&);
void check(const Texture&, Findings&);

// info.cpp
Value info(const Gns&);
Value info(const Mesh&);
Value info(const Texture&);

// edit/list.cpp
std::span<const Edit> gns_edits();
// edit/edits.cpp
std::span<const Edit> mesh_edits();

// questions.cpp
std::span<const Question> mesh_questions();

// pictures.cpp: texels and palettes as pictures
Result<PictureSet> mesh_pictures(const AnyDocument&, const PictureOptions&);
Result<PictureSet> texture_pictures(const AnyDocument&, const PictureOptions&);
Result<PictureImportResult> import_mesh_pictures(AnyDocument&, const Value& manifest, std::span<const NamedImage>);
Result<PictureImportResult> import_texture_pictures(AnyDocument&, const Value& manifest, std::span<const NamedImage>);
std::span<const Rule> picture_rules();  // of the ids of imports

// scene/scene.cpp
Result<SceneResult> to_scene(const Mesh&, const SceneOptions&);
// scene/sources.cpp, for Scenes; `node` is the path in the extras of a node
std::optional<ValuePart> value_of_source(const Mesh&, std::string_view node, u32 source);
std::vector<SourceRun> sources_of_value(const Mesh&, std::string_view node, std::string_view path);
std::span<const Rule> scene_rules();  // of the ids of notes
std::span<const Rule> motion_rules();
// from_scene/rules.cpp
std::span<const Rule> from_scene_rules();

// make/make.cpp: maps from any scene
Result<Made> make_mesh(const scene::Scene&, std::span<const Argument>);
std::span<const MakeOption> make_mesh_options();
std::span<const Rule> make_rules();

}  // namespace dio::fft

// The walks over the documents are compiled once: walks.cpp.
DIORAMA_WALKS(extern, fft::Gns)
DIORAMA_WALKS(extern, fft::Mesh)
DIORAMA_WALKS(extern, fft::Texture)
