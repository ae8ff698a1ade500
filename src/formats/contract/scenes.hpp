// scenes.hpp: formats whose files can be shown, and take an edited scene back.
#pragma once
#include "formats/contract/companions.hpp"
#include "scene/scene.hpp"

namespace dio {

struct SceneOptions {
  std::span<const Companion> companions = {};
  /// Light as the game computes it goes into the vertex colours; else colours are those of the file.
  bool lit = false;
  /// Light stays light: the scene has lamps, and materials that they shine on.
  bool lamps = false;
  /// How often a second the game counts, for formats that count time in ticks of unknown length.
  f32 tick_rate = 60;
};

/// A scene, and what of the files is not in it or not as the game shows it.
struct Staged {
  scene::Scene scene;
  Diagnostics notes;
};

/// What has become of a scene that was put back.
struct TakenScene {
  u32 unchanged = 0, changed = 0;  // polygons
  Diagnostics notes;               // what cannot be kept exactly
};

struct Scenes {
  Result<Staged> (*to_scene)(const AnyDocument&, const SceneOptions&);
  /// What `to_scene` reads of SceneOptions, as the command line calls it: lit, lamps, tick-rate.
  std::span<const std::string_view> options = {};
  /// Puts a scene back that `to_scene` made of this file and that was edited: what still says where it comes from
  /// (`Primitive::sources`). Ids: scene.source, and those of the format. Null: it cannot.
  Result<TakenScene> (*from_scene)(AnyDocument&, const scene::Scene&) = nullptr;
};

}  // namespace dio
