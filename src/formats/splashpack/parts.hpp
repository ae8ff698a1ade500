// parts.hpp: functions of the files in this folder for format.cpp, each other and the tests.
#pragma once
#include "formats/contract/any_document.hpp"
#include "formats/splashpack/layout/geo.hpp"
#include "formats/splashpack/layout/pack.hpp"
#include "formats/splashpack/layout/spu.hpp"
#include "formats/splashpack/layout/vram.hpp"
#include "layout/document.hpp"

namespace dio::splashpack {

// sniff.cpp
Sniff sniff_pack(ByteView, std::string_view name);
Sniff sniff_vram(ByteView, std::string_view name);
Sniff sniff_spu(ByteView, std::string_view name);
Sniff sniff_geo(ByteView, std::string_view name);

// checks.cpp
std::span<const Rule> rules();
struct PackCompanions;
void check(const Document<Pack>&, const PackCompanions&, Findings&);

// edit/edits.cpp
std::span<const Edit> pack_edits();

// matched.cpp
Value match_packs(const Value& a, std::span<const Companion> beside_a, const Value& b,
                  std::span<const Companion> beside_b);

// budget.cpp
Value compute_pack_budget(const Pack&, const PackCompanions&, u64 file_size);

// repair.cpp
std::vector<Repair> repair(Document<Pack>&);

// walks.cpp
/// Places all parts, as saving does.
std::optional<Diagnostic> assign_offsets(Pack&);

// info.cpp
Value info(const Pack&);
Value info(const Vram&);
Value info(const Spu&);
Value info(const Geo&);

// scene.cpp
Result<SceneResult> to_scene(const Pack&, const SceneOptions&);
// sources.cpp, for Scenes; `node` is a path in the extras of a node
std::optional<ValuePart> value_of_source(const Pack&, std::string_view node, u32 source);
std::vector<SourceRun> sources_of_value(const Pack&, std::string_view node, std::string_view path);
std::span<const Rule> scene_rules();  // of the ids of notes

// sounds.cpp. `file`: the bytes of the pack, in which older packs store their samples
std::vector<Sound> decode_sounds(const Pack&, ByteView file, const Spu*);
std::vector<Sound> decode_sounds(const Spu&);

// pictures.cpp
Result<PictureSet> pack_pictures(const AnyDocument&, const PictureOptions&);
Result<PictureSet> vram_pictures(const AnyDocument&, const PictureOptions&);
Result<PictureImportResult> import_pack_pictures(AnyDocument&, const Value& manifest, std::span<const NamedImage>);
Result<PictureImportResult> import_vram_pictures(AnyDocument&, const Value& manifest, std::span<const NamedImage>);
std::span<const Rule> picture_rules();  // splashpack.manifest, splashpack.picture-*

// companions.cpp
/// Texels and sounds, from v20 on, and the triangles of streamed objects, from v21 on: scene.vram, scene.spu and
/// scene.geo. On a disc, the engine looks for SCENE_0.SPK, SCENE_0.VRM, SCENE_0.SPU and SCENE_0.GEO.
std::vector<std::string> companion_file_names(std::string_view name);
/// Whether they belong to the pack.
bool matches_pack(const Vram&, const Pack&);
bool matches_pack(const Spu&, const Pack&);
bool matches_pack(const Geo&, const Pack&);
/// The pack with the triangles of its streamed objects, as far as the file contains them.
Pack load_streamed_triangles(const Pack&, const Geo&);

}  // namespace dio::splashpack

// The walks over the documents are compiled once: walks.cpp.
DIORAMA_WALKS(extern, splashpack::Pack)
DIORAMA_WALKS(extern, splashpack::Vram)
DIORAMA_WALKS(extern, splashpack::Spu)
DIORAMA_WALKS(extern, splashpack::Geo)
DIORAMA_WALKS(extern, splashpack::GeoTriangles)
DIORAMA_PART(extern, splashpack::UiFont)
DIORAMA_PART(extern, splashpack::UiCanvas)
DIORAMA_PART(extern, splashpack::UiElement)
