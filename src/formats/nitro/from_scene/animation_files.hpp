// animation_files.hpp: code shared by all kinds of material animation files.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "core/sorting.hpp"
#include "formats/contract/building.hpp"
#include "formats/nitro/from_scene/curve_fit.hpp"
#include "formats/nitro/parts.hpp"
#include "layout/document.hpp"

namespace dio::nitro {

/// Sorts tracks by name, as in material dictionaries.
template <class A>
void sort_tracks_by_name(A& animation) {
  sort_stably(animation.materials, {}, [](const auto& m) { return m.name; });
}

/// An animation, and the file that the scene names for it; empty if unknown.
template <class A>
struct Clip {
  A animation;
  std::string file;
};
template <class T>
using ClipsOf = std::vector<Clip<std::decay_t<decltype(T{}.animations[0])>>>;

template <class T>
Result<Bytes> save_animations(std::vector<std::decay_t<decltype(T{}.animations[0])>> animations) {
  Document<T> d;
  T& file = d.edit() = T{};
  file.header.version = 1;
  file.animations = std::move(animations);
  if constexpr (requires { file.normalise(); }) file.normalise();
  if constexpr (requires { file.settle(); }) file.settle();
  return save(d);
}

/// The file name suffix of one of several clips: `.open` in door.open.nsbca.
std::string clip_suffix(std::string_view name, std::vector<std::string>& known);

/// Saves one file per clip; clips from one file stay together. Games play the first animation of a file.
template <class T>
Result<std::vector<BuiltFile>> save_clips(ClipsOf<T> clips, const std::string& extension) {
  std::vector<BuiltFile> out;
  std::vector<std::string> known;
  const auto is_with = [](const auto& one, const auto& other) { return !one.file.empty() && one.file == other.file; };
  const bool are_one = std::ranges::all_of(clips, [&](const auto& c) { return is_with(c, clips.front()); });
  for (size_t i = 0; i < clips.size(); ++i) {
    std::vector<std::decay_t<decltype(T{}.animations[0])>> together;
    const auto is_same = [&](const auto& c) { return &c == &clips[i] || is_with(c, clips[i]); };
    if (std::ranges::any_of(clips.begin(), clips.begin() + std::ptrdiff_t(i), is_same)) continue;
    for (const auto& c : clips)
      if (is_same(c)) together.push_back(c.animation);
    std::string name =
        together.size() > 1 ? clips[i].file.substr(0, clips[i].file.find_last_of('.')) : together[0].name;
    auto bytes = save_animations<T>(std::move(together));
    if (!bytes) return refuse(std::move(bytes.error()));
    out.push_back({(are_one || clips.size() == 1 ? "" : clip_suffix(name, known)) + extension, std::move(*bytes)});
  }
  return out;
}

}  // namespace dio::nitro
