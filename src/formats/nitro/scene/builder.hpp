// builder.hpp: converts a model to a scene: nodes, meshes, skins and materials (scene.cpp), and animations
// (animations.cpp).
#pragma once
#include <set>

#include "formats/contract/scenes.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/sources.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/nitro/scene/texture_matrix.hpp"
#include "scene/math.hpp"

namespace dio::nitro {

/// All animations of a model.
struct ModelAnimations {
  template <class T>
  struct AnimationSource {
    const T* animation;
    const std::string* file;
  };
  std::vector<AnimationSource<JointAnimation>> joints;
  std::vector<AnimationSource<PatternAnimation>> patterns;
  std::vector<AnimationSource<TextureAnimation>> textures;
  std::vector<AnimationSource<ColorAnimation>> colors;
  std::vector<AnimationSource<VisibilityAnimation>> visibilities;
};

/// The lights that a game turns on.
struct Lighting {
  struct Light {
    bool on = false;
    Point direction{0, 0, 0};  // the direction the light travels in, about unit length
    u16 color = 0x7FFF;        // RGB555
  };
  std::array<Light, 4> lights;
  Point sight{0, 0, -1};  // where the camera looks, unit length; for specular light
};
/// White lights from above and behind the viewer, if the game does not specify any.
Lighting default_lighting();

/// A primitive of a scene, and the draw it was made from.
struct DrawnPrimitive {
  scene::Index node = scene::k_none;
  u32 primitive = 0;  // in the mesh of the node
  Draw draw;
  u16 first_color = 0;               // colour of vertices before the first COLOR
  Geometry geometry;                 // vertices in the order of the primitive
  std::map<u32, Affine> transforms;  // by matrix: from its vertices to the vertices of the primitive, without MTX_SCALE
  bool is_skinned = false;
  bool is_reversed = false;  // triangles show their backs in the file
  // Maps texture coordinates of the file, in sixteenths of a texel, to coordinates of the primitive.
  bool has_uvs = false;  // false: it has none, or the game computes them
  f64 width = 0, height = 0;
  TextureMatrix texture_matrix;
};

/// Target and options of a conversion.
struct Setting {
  const ModelAnimations& motions;
  Surfaces& surfaces;  // with the materials of the scene
  scene::Scene& scene;
  Diagnostics& notes;
  std::string path = "models[0]";                // path of the model in its file
  const Lighting* lighting = nullptr;            // baked into the vertex colours; null: light of full strength
  scene::Index parent = scene::k_none;           // its parent node
  f64 frames_per_second = 60;                    // of all animations; the rate of most games
  bool sources = false;                          // as in SceneOptions
  bool parts_lit = false;                        // lit and painted polygons become separate meshes
  std::vector<DrawnPrimitive>* drawn = nullptr;  // receives all primitives, if not null
};

/// Converts one model.
class ModelBuilder {
 public:
  ModelBuilder(const Model& model, const Setting& setting) : ModelBuilder(model, setting, nitro::run_sbc(model)) {}
  /// Draws this program instead of the model's SBC.
  ModelBuilder(const Model&, const Setting&, Program);
  /// Adds nodes, meshes, skins and animations to the scene and returns the topmost node.
  scene::Index build();

 private:
  using Index = scene::Index;
  static constexpr Index k_none = scene::k_none;

  /// The scene nodes of one matrix. If children compensate for its scale, two nodes are needed: `draw` has the meshes
  /// and is a child of `outer`; `hang`, one of the two, is the parent of the child nodes.
  struct NodeChain {
    Index outer = k_none, draw = k_none, hang = k_none;
    f64 scale = 1;  // an additional factor of the vertices
  };
  /// Their local transforms in a pose.
  struct LocalTransforms {
    Point translation{0, 0, 0}, scale{1, 1, 1};  // of `outer`
    Mat3d rotation;                              // of `outer`, or of `draw` if `turns_inside`
    Point inner_scale{1, 1, 1};                  // of `draw`, if that is a separate node
    bool turns_inside = false;
  };
  struct Joint {
    Index node;
    Affine inverse_bind;
  };
  struct Influence {
    u16 joint;
    f64 weight;
  };
  /// The joint of vertices that follow a matrix, and the transform of the vertices into its space.
  struct Binding {
    std::vector<Influence> influences;
    Affine to_bind;
    bool known = false;
  };
  /// The looks of a material, at rest and in texture pattern animations.
  struct MaterialVariant {
    BoundTexture texture;
    Index material = k_none;
  };

  // scene.cpp
  Index add_node(std::string name, Index parent);
  void build_nodes();
  Index find_attachment_node(u32 matrix);
  LocalTransforms compute_local_transforms(const MatrixStep&, const Pose&, const std::vector<Point>& scales) const;
  void apply_transforms(const NodeChain&, const LocalTransforms&);
  bool is_drawn(const Draw&) const;
  void add_draw(const Draw&);
  bool is_rigid(const Draw&) const;
  scene::Primitive build_primitive(const Draw&, const Material*, bool skinned);
  void add_colors(scene::Primitive&, const Draw&, const Material&);
  void add_uvs(scene::Primitive&, const Draw&, const Material&, const Texture*, bool moves);
  void add_rigid_vertices(scene::Primitive&, const Draw&);
  void add_skinned_vertices(scene::Primitive&);
  Binding& find_or_build_binding(u32 matrix);
  void flatten_blend(u32 matrix, const Affine& behind, f64 weight, int depth,
                     std::vector<std::pair<Joint, f64>>& out) const;
  u16 find_or_add_joint(const Joint&);
  Index find_or_build_material(u32 material, const BoundTexture&);
  Index find_or_add_host_node(const Draw&, bool skinned);
  Index find_or_add_part_node(Index host, u32 material);
  void add_primitive_to_node(scene::Primitive, Index node);
  void record_draw(const Draw&, bool skinned, Index node);

  // animations.cpp
  void find_animated_materials();
  TextureMatrix bound_texture_matrix(const Material&, const Texture*, const TextureSrt&) const;
  void set_rest_transform(const Material&, const MaterialVariant&);
  void add_animations();
  void add_still_channel(scene::Animation&, u32 frames);
  void animate_joints(const ModelAnimations::AnimationSource<JointAnimation>&);
  void animate_textures(const ModelAnimations::AnimationSource<TextureAnimation>&);
  void animate_patterns(const ModelAnimations::AnimationSource<PatternAnimation>&);
  void add_picture_list(const std::vector<MaterialVariant>&, const std::vector<BoundTexture>& shown);
  void animate_colors(const ModelAnimations::AnimationSource<ColorAnimation>&);
  void animate_visibility(const ModelAnimations::AnimationSource<VisibilityAnimation>&);
  scene::Animation& add_animation(const std::string& name, const std::string& file, const char* kind, u32 frames);
  u32 limit_frames(u32 frames, const std::string& name);
  f32 seconds(u32 frame) const { return f32(frame / setting_.frames_per_second); }
  std::vector<f32> key_times(u32 frames) const;
  std::vector<BoundTexture> sample_pattern_textures(const PatternTrack&, const PatternAnimation&,
                                                    const BoundTexture& rest);
  void add_note(const char* id, const std::string& path, DiagnosticText said);

  const Model& m_;
  const Setting setting_;
  const std::string& path_;  // models[0]
  const ModelAnimations& motions_;
  Surfaces& surfaces_;
  scene::Scene& s_;

  Program program_;
  Pose rest_;
  std::vector<Affine> matrices_;  // of the program, at rest
  Index root_ = k_none;
  std::vector<NodeChain> anchors_;  // one for each matrix of the program
  std::vector<BoundTexture> bound_;
  std::vector<TexturePair> names_;                   // texture and palette names that materials look up
  std::vector<std::vector<MaterialVariant>> looks_;  // for each material; the first variant is the one at rest
  // For each material: whether an animation changes it.
  std::vector<bool> texture_moves_, color_moves_, alpha_moves_, changes_;
  std::vector<bool> only_lit_;  // for each material: whether lights colour everything drawn with it
  bool visibility_moves_ = false;

  // Nodes that are visible only at times.
  struct Variant {
    u32 material;
    BoundTexture texture;
    Index node;
  };
  std::vector<Variant> variants_;  // one for each look of a material with a texture pattern
  struct ShapeDraw {
    Index parent;
    u8 node;  // node of the model whose visibility applies
    bool visible;
    Index made;
  };
  std::vector<ShapeDraw> shown_;
  std::map<Index, Index> skinned_hosts_;  // by their parent nodes
  std::map<Index, bool> is_lit_;          // for each host, whether its own mesh is lit
  std::map<Index, Index> other_parts_;    // nodes with the other part of a host
  std::map<Index, bool>
      are_clear_lit_;  // for each host, whether its translucent polygons are in the lit part: their order matters

  std::optional<CommandNumbers> numbers_;  // if sources are wanted
  u64 corners_ = 0;
  bool overflowed_ = false, cut_ = false;
  std::set<u32> left_out_;  // undrawn materials that already have a note
  Index skin_ = k_none;
  std::vector<Joint> joints_;
  std::vector<Binding> bindings_;  // one for each matrix of the program
  Geometry geometry_;
};

}  // namespace dio::nitro
