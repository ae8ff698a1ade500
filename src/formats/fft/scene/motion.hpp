// motion.hpp: animations of a map for its scene. A scene is built in this order: `TextureMotion` determines the parts
// of polygons that move together and the images that their materials need; the materials are created;
// `add_texture_animations` then animates them. For the animated meshes, `add_animated_nodes` creates the nodes, and
// `add_mesh_animations` animates these.
#pragma once
#include <span>

#include "formats/contract/any_document.hpp"
#include "formats/fft/scene/mesh_animation_player.hpp"
#include "formats/fft/scene/texture_animation_player.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

/// The rows of texture animations that move a part of a polygon, one bit each; 0 if it does not move.
using MotionRows = u32;

/// A part of a polygon moved by the same rows.
struct MovingFragment {
  MotionRows rows = 0;
  /// Its vertices, clockwise like A, B, C of the polygon: for each, the weights of A, B, C and D, with a sum of 1, by
  /// which all vertex attributes are interpolated. The piece is convex and flat, a part of the triangle A, B, C or of
  /// B, D, C. Empty: the piece is the whole polygon.
  std::vector<std::array<f64, 4>> corners = {};
  /// The polygon vertex that equals a vertex of the piece; 4 for none (its source is `k_no_source`).
  static size_t find_corner(const std::array<f64, 4>& weights);
};

/// The texture animations of a map in one state.
class TextureMotion {
 public:
  TextureMotion() = default;
  /// Null: the map has none.
  TextureMotion(const TextureAnimations*, const Palettes* frames);

  /// Cuts a polygon at the canvases: pieces inside a canvas move with it, others do not. Usually there is one piece.
  /// Rows that animate its palette also count. Not const: files made to have millions of pieces are cut less, with a
  /// note.
  template <size_t N>
  std::vector<MovingFragment> split_by_canvases(const Textured<N>& p) {
    if (p.image != k_map_image || p.page_y != 0) return {MovingFragment{}};
    return split_by_canvases(p.uvs, p.page, p.palette);
  }

  /// The palette frames that materials moved by these rows show besides their own palette, without duplicates.
  std::vector<u8> list_palette_frames(MotionRows) const;
  /// The rows that are not shown, and why.
  const Diagnostics& notes() const { return notes_; }

  /// A row that is shown.
  struct Row {
    u8 number = 0;
    TextureMotionKind kind = {};
    FrameWalk walk = {};
    TexelRect canvas = {};                // of texels
    std::vector<TexelRect> texels = {};   // its frames
    u8 palette = 0;                       // for palettes: the palette that it replaces
    std::vector<u8> palette_frames = {};  // its frames
  };
  const std::vector<Row>& rows() const { return rows_; }
  /// All rows of the file that are not empty, for extras; null if there are none.
  const Value& row_extras() const { return described_; }

 private:
  static constexpr u32 k_most_pieces = 1u << 17;  // more than any map has polygons, in total
  std::vector<MovingFragment> split_by_canvases(std::span<const Uv> uvs, u8 page, u8 palette);
  void add_texel_row(Row, const TextureAnimation&, const std::string& path);
  void add_palette_row(Row, const TextureAnimation&, const std::string& path, bool has_frames);
  void note_overlaps();
  std::vector<Row> rows_;
  Value described_ = {};
  u32 pieces_left_ = k_most_pieces;
  Diagnostics notes_;
};

/// The image of a material with an animated palette: copies of the texture next to each other, each with another
/// palette. Its material must have `cell` 0 as its transform; texture coordinates are unchanged.
struct PaletteCells {
  u32 columns = 1, rows = 1;  // powers of 2
  explicit PaletteCells(size_t palettes);
  scene::TextureTransform cell_transform(size_t i) const;
};
/// `texture`: with the palette of the material, for cell 0; the palettes of `TextureMotion::frames` follow.
scene::Image make_palette_cell_image(const scene::Image& texture, std::span<const std::vector<scene::Rgba>> frames);

/// A material and the rows that move it. If `frames(rows)` is not empty, its image comes from
/// `make_palette_cell_image`.
struct MovingMaterial {
  scene::Index material = scene::k_none;
  MotionRows rows = 0;
};
/// Looping rows form one animation, "texture animation"; each row that runs once has its own, "field object N", in
/// which looping rows of the same materials continue. `suffix` is appended to the names: the state, if a scene has
/// several.
void add_texture_animations(scene::Scene&, const TextureMotion&, std::span<const MovingMaterial>, f32 tick_rate,
                            Diagnostics& notes, std::string_view suffix = {});

/// The nodes of the animated meshes; k_none if not needed.
struct AnimatedNodes {
  std::array<scene::Index, k_animated_meshes> places;  // nodes that move; parents of other meshes' nodes
  std::array<scene::Index, k_animated_meshes> meshes;  // their children with the meshes: visible or not
};
/// `there`: the animated meshes of the map. Nodes have their position in the game after loading the map; if `motion` is
/// null (the map has no mesh animation), the position of their polygons.
AnimatedNodes add_animated_nodes(scene::Scene&, scene::Index parent, const MeshMotion* motion,
                                 const std::array<bool, k_animated_meshes>& there, Diagnostics& notes);
/// The rotation of an animated mesh after loading the map, for its light: without its parents, as in the game.
scene::Mat3d light_rotation(const MeshMotion*, size_t mesh);
/// One animation for each state with movement or other visible meshes than state 0: "state 0" ...
void add_mesh_animations(scene::Scene&, const MeshMotion&, const AnimatedNodes&, f32 tick_rate, Diagnostics& notes,
                         std::string_view suffix = {});

/// Ids of the notes.
std::span<const Rule> motion_rules();
/// With the severity of the rule.
void add_motion_note(Diagnostics&, std::string_view id, std::string path, DiagnosticText said);

}  // namespace dio::fft
