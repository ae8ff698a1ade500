// media.hpp: sounds, fonts and canvases from the extras of a scene, for packs of v20 and later.
#pragma once
#include <deque>
#include <optional>

#include "formats/splashpack/from_scene/parts.hpp"
#include "formats/splashpack/layout/spu.hpp"
#include "formats/splashpack/layout/vram.hpp"
#include "formats/splashpack/pictures/texels_encode.hpp"

namespace dio::splashpack {

// ---- sounds.cpp

struct BuiltSounds {
  std::vector<AudioClip> clips;
  Spu spu;  // as many
};
/// `audio_clips` in the extras of the scene, then the files named there (`sound`, `looping_sound`). Sounds from a pack
/// have `samples`; files have their bytes, read by the creator of the scene. Id: splashpack.make-sound.
Result<BuiltSounds> build_sounds(const scene::Scene&, const MakeSettings&, Diagnostics& notes);

// ---- screen.cpp

/// The overlay drawn by the engine: canvases, their pictures, and fonts.
class Screen {
 public:
  /// `fonts`, `canvases` and `canvas_pictures` in the extras of the scene. Ids: splashpack.make-picture,
  /// splashpack.make-many.
  static Result<Screen> from_extras(const scene::Scene&, const MakeSettings&, Diagnostics& notes);
  /// The pictures to pack with the textures, and the areas of fonts.
  OtherTextures textures() const;
  /// `placed`: one for each wish.
  void add_to_pack(std::span<const PlacedTexture> placed, Pack&, std::vector<VramFont>&) &&;

 private:
  friend class UiCanvasBuilder;
  struct CanvasImageUse {
    size_t canvas, element, wish;
    bool is_part = false;  // `from` and `to` are texels of the picture; otherwise it is shown whole
  };
  std::vector<UiFont> fonts_;
  std::vector<VramFont> letters_;  // as many
  std::vector<UiCanvas> canvases_;
  std::vector<CanvasImageUse> shown_;
  std::deque<Texels> texels_;  // wishes point to them
  std::vector<TextureRequest> wishes_;
};

// ---- kept.cpp

/// `given`, with missing members from `usual` and no others; numbers are integers if they are integers in `usual`,
/// because some programs write 4 as 4.0.
Value fill_missing_members(const Value& given, const Value& usual);
/// A pack of the layout, v20 or later, that contains only this list. Id of notes: splashpack.make-lost.
std::optional<Pack> parse_pack_list(Layout, std::string_view name, Value list, Diagnostics& notes);

}  // namespace dio::splashpack
