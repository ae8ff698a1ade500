// format.cpp: the registry entries of KCL.
#include "formats/contract/format.hpp"

#include "core/join_rules.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/kcl/from_scene/surface_names.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

/// The rules of checks, scenes and scene imports.
std::span<const Rule> all_rules() {
  static const std::vector<Rule> all = concat_rules({rules(), scene_rules(), build_rules(), make_rules()});
  return all;
}

const Scenes k_scenes = {
    .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Kcl>(d), o.sources); },
    .value_of_source = [](const AnyDocument& d, const Value&, u32 s) { return value_of_source(value_of<Kcl>(d), s); },
    .sources_of_value = [](const AnyDocument& d, const Value&,
                           std::string_view path) { return sources_of_value(value_of<Kcl>(d), path); },
    .write_triangles = [](AnyDocument& d,
                          const scene::TriangleDifferences& t) { return write_triangles(edit_of<Kcl>(d), t); },
    .encode_triangle_values = [](const AnyDocument& d, ComparedScenes& s) { encode_flags_as_uvs(value_of<Kcl>(d), s); },
    .reads_property =
        [](const AnyDocument& d, const Value& extras, std::string_view name) {
          return value_of<Kcl>(d).is_mario_kart_wii() && states_flags(extras, name);
        },
};

const Making k_making = {.make = make, .options = make_options()};

const Format k_format = make_document_format<Kcl>({
    .id = "kcl",
    .title = "Mario Kart Wii collision",
    .platform = "Wii",
    .extensions = ".kcl",
    .sniff = sniff,
    .rules = all_rules,
    .check = [](const AnyDocument& d, std::optional<std::span<const Companion>>,
                Findings& f) { check(value_of<Kcl>(d), f); },
    .info = [](const AnyDocument& d) { return info(value_of<Kcl>(d)); },
    .scenes = &k_scenes,
    .making = &k_making,
    .edits = edits,
    .questions = questions,
});

std::span<const Rule> ds_rules() {
  static const std::vector<Rule> all = concat_rules({rules(), scene_rules(), build_rules()});
  return all;
}

const Scenes k_ds_scenes = {
    .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<DsKcl>(d), o.sources); },
    .value_of_source = [](const AnyDocument& d, const Value&,
                          u32 s) { return value_of_source(to_wii_units(value_of<DsKcl>(d)), s); },
    .sources_of_value = [](const AnyDocument& d, const Value&,
                           std::string_view path) { return sources_of_value(to_wii_units(value_of<DsKcl>(d)), path); }};

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 2> k_formats = {
      k_format, make_document_format<DsKcl>({
                    .id = "kcl-ds",
                    .title = "Mario Kart DS collision",
                    .platform = "DS",
                    .extensions = ".kcl",
                    .sniff = sniff_ds,
                    .rules = ds_rules,
                    .check = [](const AnyDocument& d, std::optional<std::span<const Companion>>,
                                Findings& f) { check(value_of<DsKcl>(d), f); },
                    .info = [](const AnyDocument& d) { return info(value_of<DsKcl>(d)); },
                    .scenes = &k_ds_scenes,
                    .edits = ds_edits,
                })};
  return k_formats;
}

}  // namespace dio::kcl
