// srt_builder.hpp: SRT0 files from animated and scrolling textures of a scene.
#pragma once
#include <span>

#include "formats/brres/layout/srt.hpp"
#include "formats/contract/reporter.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

/// A material in a made file.
struct MadeMaterial {
  std::string model, name;
  scene::Index in_scene = scene::k_none;
  bool has_texture = true, has_vertex_colors = false;
};

struct BuiltSrtFiles {
  std::vector<SrtFile> files;
  Diagnostics notes;
  std::vector<size_t> taken;  // by animation of the scene: the number of its channels that are in the files
};

/// Each animation of texture transforms becomes a file of its name. The property `scroll` of materials moves their
/// textures steadily, in a file with the name of the model, which the game plays by itself in a course.
BuiltSrtFiles build_srt_files(const scene::Scene&, std::span<const MadeMaterial>);

/// A loop in which textures move by whole widths.
struct ScrollLoop {
  u16 frames = 1;
  f64 deviation = 0;  // of the speed that differs most, as a part of it
};
/// `speeds`: in repetitions of a texture per second. The shortest loop that is exact, of at most ten minutes; otherwise
/// the shortest whose deviation nobody sees, or the nearest.
ScrollLoop find_scroll_loop(std::span<const f64> speeds);

/// The Maya transform of the texture, from samples at the frames 0, 1, 2 and so on: scale x, scale y, rotation,
/// translation x, translation y.
SrtTexture build_srt_texture(const std::array<std::vector<f64>, 5>& samples);

}  // namespace dio::brres
