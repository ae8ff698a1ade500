// area_volume.hpp: the volume of an area.
#pragma once
#include "formats/kmp/layout.hpp"
#include "scene/math.hpp"

namespace dio::kmp {

/// The box or cylinder of an area, as drawn. Source: README.md, "Picture".
class AreaVolume {
 public:
  explicit AreaVolume(const Area&);
  bool has(const scene::Vec3&) const;

 private:
  scene::Vec3 position_;
  scene::Mat3 back_;  // undoes its turn
  Vec3 scale_;
  bool is_cylinder_;
};

}  // namespace dio::kmp
