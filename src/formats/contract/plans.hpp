// plans.hpp: formats whose files are maps that can be drawn as plans.
#pragma once
#include "formats/contract/companions.hpp"
#include "scene/plan.hpp"

namespace dio {

struct PlanOptions {
  std::span<const Companion> companions = {};
  bool race = false;  // as in SceneOptions
};

struct Plans {
  scene::Plan (*plan)(const AnyDocument&, const PlanOptions&);
  /// The layers of its plans, by the names for `--show`.
  std::span<const scene::PlanLayerName> layers;
};

}  // namespace dio
