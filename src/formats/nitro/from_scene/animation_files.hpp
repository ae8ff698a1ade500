// animation_files.hpp: what files of animations of materials have in common.
#pragma once
#include <cmath>
#include <vector>

#include "core/sorting.hpp"
#include "formats/nitro/from_scene/curve_fit.hpp"
#include "formats/nitro/parts.hpp"
#include "layout/document.hpp"

namespace dio::nitro {

/// Tracks in the order of their names, as dictionaries of materials have them.
template <class A>
void sort_tracks_by_name(A& animation) {
  sort_stably(animation.materials, {}, [](const auto& m) { return m.name; });
}

/// The bytes of a file with these animations; none if there are none.
template <class T>
Result<Bytes> save_animations(std::vector<std::decay_t<decltype(T{}.animations[0])>> animations) {
  if (animations.empty()) return Bytes();
  Document<T> d;
  T& file = d.edit() = T{};
  file.header.version = 1;
  file.animations = std::move(animations);
  if constexpr (requires { file.normalise(); }) file.normalise();
  return save(d);
}

}  // namespace dio::nitro
