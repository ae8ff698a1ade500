// format.cpp: what the registry knows of the maps of Final Fantasy Tactics.
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
      .load = {},
      .trace = {},
      .encode = {},
      .follow = {},
      .rules = rules,
      .check = [](const AnyDocument& d, Findings& f) { check(value_of<T>(d), f); },
      .info = [](const AnyDocument& d) { return info(value_of<T>(d)); },
      .to_scene = nullptr,
  });
}

Format with_mesh(Format f) {
  f.to_scene = [](const AnyDocument& d, const SceneOptions& o) { return to_scene(value_of<Mesh>(d), o); };
  static constexpr std::string_view k_options[] = {"lamps", "tick-rate"};
  f.scene_options = k_options;
  f.pictures = mesh_pictures;
  f.take_pictures = take_mesh_pictures;
  f.from_scene = [](AnyDocument& d, const scene::Scene& s) { return from_scene(edit_of<Mesh>(d), s); };
  f.edits = mesh_edits();
  f.questions = mesh_questions();
  return f;
}

/// A texture has no palettes: it is shown with those of a mesh.
Format with_texture(Format f) {
  f.goes_with = "fft-mesh";
  f.fits = [](const AnyDocument& texture, const AnyDocument&) { return value_of<Texture>(texture).pages.size() > 0; };
  f.pictures = texture_pictures;
  f.take_pictures = take_texture_pictures;
  return f;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 3> all = {
      record<Gns>("fft-gns", "Final Fantasy Tactics list of map files", ".GNS .gns", sniff_gns),
      with_mesh(record<Mesh>("fft-mesh", "Final Fantasy Tactics map", ".fft-mesh", sniff_mesh)),
      with_texture(record<Texture>("fft-texture", "Final Fantasy Tactics texture", ".fft-texture", sniff_texture)),
  };
  return all;
}

}  // namespace dio::fft
