// format.cpp: the registry entry of BRRES.
#include <cstring>

#include "core/join_rules.hpp"
#include "formats/brres/from_scene/vertex_editor.hpp"
#include "formats/brres/parts.hpp"
#include "formats/brres/pictures/pictures.hpp"

namespace dio::brres {

namespace {

Sniff sniff(ByteView bytes, std::string_view name) {
  using enum Sniff::Certainty;
  const bool has_magic = bytes.size() >= 16 && !std::memcmp(bytes.data(), "bres", 4);
  if (has_magic && bytes[4] == 0xFE && bytes[5] == 0xFF) return {certain, "starts with bres"};
  if (has_magic) return {likely, "starts with bres, but has no byte order mark"};
  if (name.ends_with(".brres")) return {possible, "has the extension .brres"};
  return {};
}

/// The rules of checks, scenes, pictures, edits and of making files.
std::span<const Rule> all_rules() {
  static const std::vector<Rule> all =
      concat_rules({rules(), scene_rules(), picture_rules(), edit_rules(), make_rules()});
  return all;
}

/// Shapes with the other textures of a pattern animation (PAT0).
constexpr std::string_view k_illustrating_kinds[] = {"picture"};

const Scenes k_scenes = {
    .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Brres>(d), o.sources); },
    .beside = k_illustrating_kinds,
    .value_of_source = [](const AnyDocument& d, const Value& extras,
                          u32 s) { return value_of_source(value_of<Brres>(d), path_from_extras(extras), s); },
    .sources_of_value =
        [](const AnyDocument& d, const Value& extras, std::string_view path) {
          return sources_of_value(value_of<Brres>(d), path_from_extras(extras), path);
        },
    .write_triangles = [](AnyDocument& d,
                          const scene::TriangleDifferences& t) { return write_triangles(edit_of<Brres>(d), t); },
    .adds_materials = true,
};

const PictureOps k_pictures = {
    .pictures = [](const AnyDocument& d, const PictureOptions&) -> Result<PictureSet> {
      return export_pictures(value_of<Brres>(d));
    },
    .take = [](AnyDocument& d, const Value& manifest,
               std::span<const NamedImage> images) -> Result<PictureImportResult> {
      Brres now = value_of<Brres>(d);  // refused pictures change nothing
      bool is_placed_anew = false;
      auto taken = import_pictures(now, manifest, images, is_placed_anew);
      if (!taken || !(taken->changed || taken->added)) return taken;
      if (is_placed_anew) static_cast<DocumentOf<Brres>&>(d).document = Document<Brres>();  // without the old bytes
      edit_of<Brres>(d) = std::move(now);
      return taken;
    },
    .extends = true,
};

const Making k_making = {.make = make_model, .options = make_options()};

const Format k_format = make_document_format<Brres>({
    .id = "brres",
    .title = "Wii models and textures",
    .platform = "Wii",
    .extensions = ".brres",
    .sniff = sniff,
    .magic = "bres",
    .rules = all_rules,
    .check = [](const AnyDocument& d, std::optional<std::span<const Companion>>,
                Findings& f) { check(value_of<Brres>(d), f); },
    .info = [](const AnyDocument& d) { return info(value_of<Brres>(d)); },
    .scenes = &k_scenes,
    .pictures = &k_pictures,
    .making = &k_making,
    .edits = edits,
    .size_path = "size",
});

}  // namespace

std::span<const Format> formats() { return {&k_format, 1}; }

}  // namespace dio::brres
