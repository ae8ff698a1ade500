// newer_parts.hpp: agents, sprites, tile maps, runtime lights and streamed objects, from a scene.
#pragma once
#include "formats/splashpack/from_scene/media.hpp"
#include "formats/splashpack/from_scene/sections.hpp"
#include "formats/splashpack/layout/geo.hpp"

namespace dio::splashpack {

/// The lowest layout that supports these parts of the scene, if it is above v21. Source: README.md, Layouts.
std::optional<Layout> find_layout_for(const scene::Scene&);

/// Sprite sheets and their pictures, sprite animations, and the tile map.
class SpriteSections {
 public:
  /// `sprite_sheets`, `sprite_animations`, `tilemap` and `sheet_pictures` of the extras. Ids: splashpack.make-picture;
  /// of notes: splashpack.make-lost, splashpack.make-property.
  static Result<SpriteSections> from_extras(const scene::Scene&, const MakeSettings&, Diagnostics& notes);
  /// The pictures of the sheets, to pack with the textures.
  const std::vector<TextureRequest>& wishes() const { return wishes_; }
  /// `placed`: one for each wish.
  void add_to_pack(std::span<const PlacedTexture> placed, Pack&) &&;

 private:
  friend class SpriteSectionsBuilder;
  std::vector<SpriteSheet> sheets_;
  std::vector<SpriteAnimation> animations_;
  std::optional<Tilemap> tilemap_;
  std::deque<Texels> texels_;  // wishes point to them
  std::vector<TextureRequest> wishes_;
  std::vector<std::pair<size_t, size_t>> pictures_;  // of a sheet: a wish
};

/// Adds agents, lights and the sizes of buffers. `pack` has its objects.
void add_newer_sections(const MakeSource&, Pack&, Diagnostics& notes);

/// Moves the triangles of objects with the property `streamed` to the .geo file, region by region. `pack` has its boxes
/// and its BVH.
Geo extract_streamed_triangles(const MakeSource&, Pack&, Diagnostics& notes);

}  // namespace dio::splashpack
