// scenes.hpp: formats that can be exported as scenes, and to which edited scenes can be applied.
#pragma once
#include "formats/contract/companions.hpp"
#include "scene/scene.hpp"

namespace dio {

struct SceneOptions {
  std::span<const Companion> companions = {};
  /// Bake the light of the game into vertex colours; else the colours are those of the file.
  bool lit = false;
  /// Export lights instead of baking them: the scene has lights, and materials that they affect.
  bool lamps = false;
  /// Ticks per second, for formats that count time in ticks of unknown length.
  f32 tick_rate = 60;
};

/// A scene, and notes on what is missing from it or differs from the game.
struct Staged {
  scene::Scene scene;
  Diagnostics notes;
};

/// The result of applying an edited scene.
struct TakenScene {
  u32 unchanged = 0, changed = 0;  // polygons
  Diagnostics notes;               // what cannot be represented exactly
};

struct Scenes {
  Result<Staged> (*to_scene)(const AnyDocument&, const SceneOptions&);
  /// The members of SceneOptions that `to_scene` uses, by their command-line names: lit, lamps, tick-rate.
  std::span<const std::string_view> options = {};
  /// Applies an edited scene that `to_scene` made from this file, matching vertices by `Primitive::sources`. Ids:
  /// scene.source, and those of the format. Null: not supported.
  Result<TakenScene> (*from_scene)(AnyDocument&, const scene::Scene&) = nullptr;
};

}  // namespace dio
