// format.cpp: the registry records of the Final Fantasy Tactics map formats.
#include "formats/contract/format.hpp"

#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/pictures.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/from_scene/compared_scenes.hpp"
#include "formats/fft/from_scene/polygon_editor.hpp"
#include "formats/fft/from_scene/terrain_importer.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {
namespace {

template <class T>
Format make_format_record(std::string_view id, std::string_view title, std::string_view extensions,
                          Sniff (*sniff)(ByteView, std::string_view)) {
  return make_document_format<T>({
      .id = id,
      .title = title,
      .platform = "PlayStation",
      .extensions = extensions,
      .sniff = sniff,
      .rules = rules,
      .check = [](const AnyDocument& d, std::optional<std::span<const Companion>>,
                  Findings& f) { check(value_of<T>(d), f); },
      .info = [](const AnyDocument& d) { return info(value_of<T>(d)); },
  });
}

Format add_gns_edits(Format f) {
  f.edits = gns_edits;
  return f;
}

/// The terrain.
Result<SceneImportResult> write_overlays(AnyDocument& d, const scene::Scene& s) {
  Mesh& file = edit_of<Mesh>(d);
  return file.terrain ? import_terrain(*file.terrain, s) : SceneImportResult{};
}

Format add_mesh_features(Format f) {
  static constexpr std::string_view k_options[] = {"lamps", "tick-rate"};
  static constexpr NodeKind k_kinds[] = {
      {.kind = "fft.state", .is_state = true, .has_label = false},
      {.kind = "fft.animated", .layer = "Moving parts", .is_content = true},
      {.kind = "fft.terrain", .layer = "Terrain", .has_tiles = true},
      {.kind = "fft.depth", .layer = "Depth of water"},
      {.kind = "fft.camera", .hides_as_game = true},
  };
  static constexpr Scenes k_scenes = {
      .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Mesh>(d), o); },
      .options = k_options,
      .kinds = k_kinds,
      .value_of_source =
          [](const AnyDocument& d, const Value& extras, u32 source) {
            return value_of_source(value_of<Mesh>(d), path_from_extras(extras), source);
          },
      .sources_of_value =
          [](const AnyDocument& d, const Value& extras, std::string_view path) {
            return sources_of_value(value_of<Mesh>(d), path_from_extras(extras), path);
          },
      .write_triangles = [](AnyDocument& d, const scene::TriangleDifferences& t) -> Result<SceneImportResult> {
        return write_triangles(edit_of<Mesh>(d), t);
      },
      .flips_triangles = true,
      .counted = "polygon",
      .prepare_comparison = [](const AnyDocument& d,
                               const scene::Scene& s) { return prepare_comparison(value_of<Mesh>(d), s); },
      .reads_property = [](const AnyDocument&, const Value& extras,
                           std::string_view name) { return name == "palette" && palette_from_extras(extras); },
      .write_overlays = write_overlays,
      .overlays_counted = "tile",
  };
  static constexpr PictureOps k_pictures = {mesh_pictures, import_mesh_pictures};
  static const Making k_making = {.make = make_mesh, .options = make_mesh_options()};
  f.making = &k_making;
  f.scenes = &k_scenes;
  f.pictures = &k_pictures;
  f.edits = mesh_edits;
  f.questions = mesh_questions;
  return f;
}

/// A texture has no palettes: it is shown with those of a mesh file.
Format add_texture_features(Format f) {
  static constexpr CompanionOps k_belonging = {
      .goes_with = "fft-mesh",
      .fits = [](const AnyDocument& texture,
                 const AnyDocument&) { return value_of<Texture>(texture).pages.size() > 0; },
  };
  static constexpr PictureOps k_pictures = {texture_pictures, import_texture_pictures};
  f.needs_name = true;
  f.belonging = &k_belonging;
  f.pictures = &k_pictures;
  return f;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 3> all = {
      add_gns_edits(
          make_format_record<Gns>("fft-gns", "Final Fantasy Tactics list of map files", ".GNS .gns", sniff_gns)),
      add_mesh_features(make_format_record<Mesh>("fft-mesh", "Final Fantasy Tactics map", ".fft-mesh", sniff_mesh)),
      add_texture_features(
          make_format_record<Texture>("fft-texture", "Final Fantasy Tactics texture", ".fft-texture", sniff_texture)),
  };
  return all;
}

}  // namespace dio::fft
