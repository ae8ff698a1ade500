// motion.hpp: what moves a map, for the parts that make its scene. A scene is made in this order: `TextureMotion` says
// which parts of the polygons move alike and what pictures their materials need; the materials are made; then
// `add_texture_animations` moves them. For the animated meshes, `add_animated_nodes` makes nodes to hang the meshes on,
// and `add_mesh_animations` moves these.
#pragma once
#include <span>

#include "formats/contract/any_document.hpp"
#include "formats/fft/scene/mesh_motion_played.hpp"
#include "formats/fft/scene/texture_motion_played.hpp"
#include "scene/scene.hpp"

namespace dio::fft {

/// Rows of texture animations, a bit each: those that move a part of a polygon. 0: nothing does.
using MotionRows = u32;

/// A part of a polygon that the same rows move.
struct Piece {
  MotionRows rows = 0;
  /// Its corners, clockwise as A, B, C of the polygon: what each takes of A, B, C and D, 1 in sum. All that polygons
  /// have at their corners is to be mixed so: place, texture coordinates, normals, colours. It is convex and flat, a
  /// part of the triangle A, B, C or of B, D, C. Empty: the piece is the whole polygon.
  std::vector<std::array<f64, 4>> corners = {};
  /// Which corner of the polygon a corner of the piece is; 4: none, it lies between (its source is `k_no_source`).
  static size_t corner_of(const std::array<f64, 4>& weights);
};

/// What moves the texture of a map in one state.
class TextureMotion {
 public:
  TextureMotion() = default;
  /// Null: the map has none.
  TextureMotion(const TextureAnimations*, const Palettes* frames);

  /// How a polygon falls apart: pieces inside a canvas move with it, others do not. Mostly it is one piece. Rows of its
  /// palette count, too. Not const: files made to have millions of pieces are cut less, and get a note.
  template <size_t N>
  std::vector<Piece> pieces(const Textured<N>& p) {
    if (p.image != k_map_image || p.page_y != 0) return {Piece{}};
    return pieces(p.uvs, p.page, p.palette);
  }

  /// The numbers of the palette frames that materials moved by these rows show besides their own palette, each once.
  std::vector<u8> frames(MotionRows) const;
  /// What of the rows is not shown, and why.
  const Diagnostics& notes() const { return notes_; }

  /// A row that is shown.
  struct Row {
    u8 number = 0;
    TextureMotionKind kind = {};
    FrameWalk walk = {};
    TexelRect canvas = {};                // of texels
    std::vector<TexelRect> texels = {};   // its frames
    u8 palette = 0;                       // of palettes: the one it replaces
    std::vector<u8> palette_frames = {};  // its frames
  };
  const std::vector<Row>& rows() const { return rows_; }
  /// All rows of the file that are not empty, for extras. Null: there are none.
  const Value& described() const { return described_; }

 private:
  static constexpr u32 k_most_pieces = 1u << 17;  // more than polygons, of all
  std::vector<Piece> pieces(std::span<const Uv> uvs, u8 page, u8 palette);
  void add_texels(Row, const TextureAnimation&, const std::string& path);
  void add_palettes(Row, const TextureAnimation&, const std::string& path, bool has_frames);
  void note_overlaps();
  std::vector<Row> rows_;
  Value described_ = {};
  u32 pieces_left_ = k_most_pieces;
  Diagnostics notes_;
};

/// The picture of a material whose palette moves: the texture several times beside each other, with another palette
/// each. A material with it is to have `cell` 0 as its transform; the texture coordinates stay as they are.
struct PaletteCells {
  u32 columns = 1, rows = 1;  // powers of 2
  explicit PaletteCells(size_t palettes);
  scene::TextureTransform cell(size_t i) const;
};
/// `texture`: with the material's own palette, which is cell 0; the palettes of `TextureMotion::frames` follow.
scene::Image palette_cells(const scene::Image& texture, std::span<const std::vector<scene::Rgba>> frames);

/// A material and what moves it. With `frames(rows)` not empty it has a picture of `palette_cells` of these.
struct MovingMaterial {
  scene::Index material = scene::k_none;
  MotionRows rows = 0;
};
/// Rows that loop make one animation, "texture animation"; each that runs once has its own, "field object N", in which
/// those that loop over the same materials go on. `suffix` goes behind the names: of states, where a scene has several.
void add_texture_animations(scene::Scene&, const TextureMotion&, std::span<const MovingMaterial>, f32 tick_rate,
                            Diagnostics& notes, std::string_view suffix = {});

/// Nodes of the animated meshes, as far as they are needed; k_none else.
struct AnimatedNodes {
  std::array<scene::Index, k_animated_meshes> places;  // what moves; children hang on them
  std::array<scene::Index, k_animated_meshes> meshes;  // below them, what a mesh hangs on: seen or not
};
/// `there`: which animated meshes the map has. Nodes are where the game puts them when the map is loaded. `motion`
/// null: the map has no mesh animation; the meshes are shown where their polygons are.
AnimatedNodes add_animated_nodes(scene::Scene&, scene::Index parent, const MeshMotion* motion,
                                 const std::array<bool, k_animated_meshes>& there, Diagnostics& notes);
/// How an animated mesh stands when the map is loaded, for its light: without its parent, as the game does it.
scene::Linear light_rotation(const MeshMotion*, size_t mesh);
/// One animation a state in which something moves, or is seen or not other than in state 0: "state 0" and so on.
void add_mesh_animations(scene::Scene&, const MeshMotion&, const AnimatedNodes&, f32 tick_rate, Diagnostics& notes,
                         std::string_view suffix = {});

/// Ids of the notes.
std::span<const Rule> motion_rules();
/// With the severity of the rule.
void add_motion_note(Diagnostics&, std::string_view id, std::string path, Said said);

}  // namespace dio::fft
