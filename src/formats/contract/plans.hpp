// plans.hpp: formats whose files are maps that can be drawn as plans.
#pragma once
#include "formats/contract/any_document.hpp"
#include "scene/plan.hpp"

namespace dio {

struct Plans {
  scene::Plan (*plan)(const AnyDocument&);
  /// The layers of its plans, by the names that `--show` takes.
  std::span<const scene::PlanLayerName> layers;
};

}  // namespace dio
