// animation_file.hpp: shared by all kinds of animations.
#pragma once
#include <optional>

#include "formats/brres/layout/textures.hpp"

namespace dio::brres {

inline constexpr EnumName k_animation_loop_words[] = {{0, "once"}, {1, "repeat"}};
inline constexpr EnumNames k_animation_loops{k_animation_loop_words};
inline constexpr Key k_frame_count =
    Key("frame_count").doc("length of the animation; there are 60 frames a second").unit("frames");

/// A file with an animation. One that is damaged keeps its bytes.
template <class T>
struct AnimationFile {
  std::optional<T> animation;
  std::optional<Bytes> raw;
  static constexpr u64 k_least_size = 12;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v.or_raw("animation", s.animation, true, AtCursor{}, s.raw, [&] {
      u32 size = 0;
      v.there(start + 4, [&] { size = v.template peek<u32>(); });
      return start + size <= v.total() ? std::max<u64>(size, k_least_size) : k_least_size;
    });
  }
};

}  // namespace dio::brres
