// format.cpp: the registry records of scene packs.
#include "formats/contract/format.hpp"

#include "core/join_rules.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/pictures.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/contract/sounds.hpp"
#include "formats/splashpack/companions.hpp"
#include "formats/splashpack/edit/scene_edits.hpp"
#include "formats/splashpack/from_scene/splashpack_builder.hpp"
#include "formats/splashpack/from_scene/texture_packing.hpp"
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/versions/pack_converter.hpp"

namespace dio::splashpack {

namespace {

/// The rules of checks, and the rules of notes on building a pack.
std::span<const Rule> all_rules() {
  static const std::vector<Rule> all =
      concat_rules({rules(), scene_rules(), picture_rules(), packing_rules(), make_rules(), remake_rules()});
  return all;
}

const Document<Pack>& document_of(const AnyDocument& d) { return static_cast<const DocumentOf<Pack>&>(d).document; }

constexpr NodeKind k_node_kinds[] = {
    {.kind = "object", .layer = "Objects", .is_content = true},
    {.kind = "navmesh", .layer = "Navigation", .shows_values = true},
    {.kind = "nav_region", .layer = "Navigation", .shows_values = true},
    {.kind = "room", .layer = "Rooms", .shows_values = true},
    {.kind = "portal", .layer = "Portals", .shows_values = true},
    {.kind = "collider", .layer = "Colliders", .shows_values = true},
    {.kind = "trigger", .layer = "Triggers", .shows_values = true},
    {.kind = "interactable", .layer = "Interactables"},
    {.kind = "waypoint", .layer = "Agents"},
    {.kind = "runtime_light", .layer = "Lights"},
};
constexpr Scenes k_scenes = {
    .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Pack>(d), o); },
    .kinds = k_node_kinds,
    .needs_companions = true,
    .has_separate_nodes = true,
    .value_of_source = [](const AnyDocument& d, const Value& extras,
                          u32 source) { return value_of_source(value_of<Pack>(d), path_from_extras(extras), source); },
    .sources_of_value =
        [](const AnyDocument& d, const Value& extras, std::string_view path) {
          return sources_of_value(value_of<Pack>(d), path_from_extras(extras), path);
        },
    .write_triangles = [](AnyDocument& d, const scene::TriangleDifferences& differences) -> Result<SceneImportResult> {
      return write_triangles(edit_of<Pack>(d), differences);
    },
    .move_node = [](AnyDocument& d, const NodeTransformChange& change) { return move_node(edit_of<Pack>(d), change); },
    .encode_triangle_values = [](const AnyDocument& d, ComparedScenes& s) { match_colors(value_of<Pack>(d), s); },
};
constexpr CompanionOps k_belonging = {.beside = companion_file_names};
constexpr Making k_making = {
    .make = make_pack_from_scene,
    .remake =
        [](const AnyDocument& d, std::span<const Companion> c, std::span<const Argument> told) {
          return convert_pack_layout(value_of<Pack>(d), pack_companions(c), told);
        },
    .options = k_make_options,
};
constexpr Sounds k_pack_sounds = {[](const AnyDocument& d, std::span<const Companion> c) {
  return decode_sounds(value_of<Pack>(d), d.source ? *d.source->whole() : ByteView(), pack_companions(c).spu);
}};
constexpr Sounds k_spu_sounds = {
    [](const AnyDocument& d, std::span<const Companion>) { return decode_sounds(value_of<Spu>(d)); }};
constexpr PictureOps k_pack_pictures = {pack_pictures, import_pack_pictures};
constexpr PictureOps k_vram_pictures = {vram_pictures, import_vram_pictures};

Format pack_format() {
  return make_document_format<Pack>({
      .id = "splashpack",
      .title = "scene pack",
      .platform = "PlayStation",
      .extensions = ".splashpack .bin",
      .sniff = sniff_pack,
      .magic = "SP",
      .rules = all_rules,
      .check = [](const AnyDocument& d, std::optional<std::span<const Companion>> c,
                  Findings& f) { check(document_of(d), c ? pack_companions(*c) : PackCompanions(), f); },
      .info = [](const AnyDocument& d) { return info(value_of<Pack>(d)); },
      .looks_for_references = true,
      .scenes = &k_scenes,
      .pictures = &k_pack_pictures,
      .sounds = &k_pack_sounds,
      .making = &k_making,
      .belonging = &k_belonging,
      .edits = pack_edits,
      .repair = [](AnyDocument& d) { return repair(static_cast<DocumentOf<Pack>&>(d).document); },
      .budget =
          [](const AnyDocument& d, std::span<const Companion> c) {
            // The size when written: an edited pack has none yet.
            const auto bytes = d.save({});
            return compute_pack_budget(value_of<Pack>(d), pack_companions(c), bytes ? bytes->size() : 0);
          },
      .matched = match_packs,
      .layouts = &k_layouts,
  });
}

/// The record of files next to a pack.
template <class T>
Format companion_format(std::string_view id, std::string_view title, std::string_view extension, std::string_view magic,
                        Sniff (*sniff)(ByteView, std::string_view), std::span<const Rule> (*rules)()) {
  static constexpr CompanionOps k_part = {
      .goes_with = "splashpack",
      .fits = [](const AnyDocument& a,
                 const AnyDocument& b) { return matches_pack(value_of<T>(a), value_of<Pack>(b)); },
  };
  return make_document_format<T>({
      .id = id,
      .title = title,
      .platform = "PlayStation",
      .extensions = extension,
      .sniff = sniff,
      .magic = magic,
      .rules = rules,
      .check = [](const AnyDocument&, std::optional<std::span<const Companion>>, Findings&) {},
      .info = [](const AnyDocument& d) { return info(value_of<T>(d)); },
      .belonging = &k_part,
  });
}
Format vram_format() {
  Format f = companion_format<Vram>("splashpack-vram", "scene pack textures", ".vram", "VR", sniff_vram, picture_rules);
  f.pictures = &k_vram_pictures;
  return f;
}

Format spu_format() {
  Format f = companion_format<Spu>("splashpack-spu", "scene pack sounds", ".spu", "SA", sniff_spu,
                                   [] { return std::span<const Rule>(); });
  f.sounds = &k_spu_sounds;
  return f;
}

Format geo_format() {
  Format f = companion_format<Geo>("splashpack-geo", "scene pack streamed triangles", ".geo", "", sniff_geo,
                                   [] { return std::span<const Rule>(); });
  f.needs_name = true;
  return f;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 4> all = {pack_format(), vram_format(), spu_format(), geo_format()};
  return all;
}

}  // namespace dio::splashpack
