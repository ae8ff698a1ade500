// format.cpp: what the registry knows of the maps of Final Fantasy Tactics.
#include "formats/contract/format.hpp"

#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/pictures.hpp"
#include "formats/contract/scenes.hpp"
#include "formats/fft/parts.hpp"

namespace dio::fft {
namespace {

template <class T>
Format record(std::string_view id, std::string_view title, std::string_view extensions,
              Sniff (*sniff)(ByteView, std::string_view)) {
  return format_of<T>({
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

Format with_rows(Format f) {
  f.edits = gns_edits;
  return f;
}

Format with_mesh(Format f) {
  static constexpr std::string_view k_options[] = {"lamps", "tick-rate"};
  static constexpr Scenes k_scenes = {
      .to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Mesh>(d), o); },
      .options = k_options,
      .from_scene = [](AnyDocument& d, const scene::Scene& s) { return from_scene(edit_of<Mesh>(d), s); },
      .value_of_source = [](const AnyDocument& d, const Value& extras,
                            u32 source) { return value_of_source(value_of<Mesh>(d), path_in(extras), source); },
      .sources_of_value =
          [](const AnyDocument& d, const Value& extras, std::string_view path) {
            return sources_of_value(value_of<Mesh>(d), path_in(extras), path);
          },
  };
  static constexpr PictureOps k_pictures = {mesh_pictures, take_mesh_pictures};
  f.scenes = &k_scenes;
  f.pictures = &k_pictures;
  f.edits = mesh_edits;
  f.questions = mesh_questions;
  return f;
}

/// A texture has no palettes: it is shown with those of a mesh file.
Format with_texture(Format f) {
  static constexpr Belonging k_belonging = {
      .goes_with = "fft-mesh",
      .fits = [](const AnyDocument& texture,
                 const AnyDocument&) { return value_of<Texture>(texture).pages.size() > 0; },
  };
  static constexpr PictureOps k_pictures = {texture_pictures, take_texture_pictures};
  f.needs_name = true;
  f.belonging = &k_belonging;
  f.pictures = &k_pictures;
  return f;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 3> all = {
      with_rows(record<Gns>("fft-gns", "Final Fantasy Tactics list of map files", ".GNS .gns", sniff_gns)),
      with_mesh(record<Mesh>("fft-mesh", "Final Fantasy Tactics map", ".fft-mesh", sniff_mesh)),
      with_texture(record<Texture>("fft-texture", "Final Fantasy Tactics texture", ".fft-texture", sniff_texture)),
  };
  return all;
}

}  // namespace dio::fft
