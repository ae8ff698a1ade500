// scene_clips.hpp: the frames of the animations of a scene, and the files that they become.
#pragma once
#include <map>
#include <optional>

#include "formats/contract/findings.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

inline constexpr u32 k_usual_rate = 60;  // frames of a second: of exports, and of most games

/// How animations of a scene are counted in frames. Those of an export state how many they had (`frames` in their
/// extras, or `animation_frames` in those of the model, where a program drops the former): where keys came back at
/// another rate than the export had, they keep their numbers.
class SceneClips {
 public:
  /// `rate`: frames of a second, if that is stated.
  SceneClips(const scene::Scene&, std::optional<u32> rate, bool together, Diagnostics& notes);
  /// The frames of a second of the scene that become frames of the file.
  u32 rate(const scene::Animation& a) const { return timings_.at(&a).rate; }
  /// How many frames an animation has, whose last key is at this time.
  u32 count_frames(const scene::Animation&, f64 last) const;
  /// The file that an animation is in together with those of the same name; empty: one of its own.
  std::string file_of(const scene::Animation&) const;
  /// The name that an animation had in its file, or has in the scene.
  static std::string name_of(const scene::Animation&);
  void mark_used(const scene::Animation& a) { timings_.at(&a).is_used = true; }
  void add_changed_names(u32 count) { changed_names_ += count; }
  /// Names the animations that are in no file, and counts those whose names do not fit.
  void report();

 private:
  struct Timing {
    u32 rate = k_usual_rate;
    std::optional<u32> frames;
    bool is_used = false;
  };
  Timing find_timing(const scene::Animation&);
  std::optional<u32> stated_frames(const scene::Animation&) const;
  void add_note(const scene::Animation&, std::string message, std::string hint);
  const scene::Scene& s_;
  const std::optional<u32> rate_;
  const bool together_;
  Diagnostics& notes_;
  std::map<const scene::Animation*, Timing> timings_;
  u32 changed_names_ = 0;
};

}  // namespace dio::nitro
