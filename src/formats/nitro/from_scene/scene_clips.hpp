// scene_clips.hpp: frame rates of scene animations, and the files they are written to.
#pragma once
#include <map>
#include <optional>

#include "formats/contract/findings.hpp"
#include "scene/scene.hpp"

namespace dio::nitro {

inline constexpr u32 k_usual_rate = 60;  // frames per second, in exports and most games

/// Converts key times of scene animations to frames. Exported animations state their frame count (`frames` in their
/// extras, or `animation_frames` in the extras of the model, if a program drops the former). If keys come back at
/// another rate than the export had, they keep their frame numbers.
class SceneClips {
 public:
  /// `rate`: frames per second, if given.
  SceneClips(const scene::Scene&, std::optional<u32> rate, bool together, Diagnostics& notes);
  /// The frames per second at which the scene is sampled.
  u32 rate(const scene::Animation& a) const { return timings_.at(&a).rate; }
  /// The frame count of an animation with its last key at this time.
  u32 count_frames(const scene::Animation&, f64 last) const;
  /// The file that an animation shares with others; empty: its own file.
  std::string file_of(const scene::Animation&) const;
  /// The name of an animation in its original file, or else in the scene.
  static std::string name_of(const scene::Animation&);
  void mark_used(const scene::Animation& a) { timings_.at(&a).is_used = true; }
  void add_changed_names(u32 count) { changed_names_ += count; }
  /// Adds notes about animations that are in no file and about changed names.
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
