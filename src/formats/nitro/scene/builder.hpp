// builder.hpp: a model becomes a scene: nodes, meshes, skins, materials (scene.cpp), and its animations
// (animations.cpp).
#pragma once
#include <set>

#include "formats/contract/scenes.hpp"
#include "formats/nitro/scene/geometry.hpp"
#include "formats/nitro/scene/pose.hpp"
#include "formats/nitro/scene/sources.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "scene/maths.hpp"

namespace dio::nitro {

/// All animations of a model.
struct Motions {
  template <class T>
  struct From {
    const T* animation;
    const std::string* file;
  };
  std::vector<From<JointAnimation>> joints;
  std::vector<From<PatternAnimation>> patterns;
  std::vector<From<TextureAnimation>> textures;
  std::vector<From<ColorAnimation>> colors;
  std::vector<From<VisibilityAnimation>> visibilities;
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
Lighting plain_lighting();

/// What a model is built into, and how.
struct Setting {
  const Motions& motions;
  Surfaces& surfaces;  // with the materials of the scene
  scene::Scene& scene;
  Diagnostics& notes;
  std::string path = "models[0]";       // of the model in its file
  const Lighting* lighting = nullptr;   // baked into the vertex colours; null: light of full strength
  scene::Index parent = scene::k_none;  // its parent node
  f64 frames_per_second = 60;           // of all animations; the rate of most games
  bool sources = false;                 // as in SceneOptions
};

/// One model.
class ModelBuilder {
 public:
  ModelBuilder(const Model& model, const Setting& setting) : ModelBuilder(model, setting, nitro::run(model)) {}
  /// Draws this program instead of the model's SBC.
  ModelBuilder(const Model&, const Setting&, Program);
  /// Adds nodes, meshes, skins and animations to the scene and returns the topmost node.
  scene::Index build();

 private:
  using Index = scene::Index;
  static constexpr Index k_none = scene::k_none;

  /// A matrix as nodes of the scene. Where scales are undone for children, two nodes are needed: `draw` has the meshes
  /// and is a child of `outer`; `hang`, one of the two, is the parent of the node's children.
  struct Anchor {
    Index outer = k_none, draw = k_none, hang = k_none;
    f64 scale = 1;  // an additional factor of the vertices
  };
  /// Their local transforms in a pose.
  struct Local {
    Point translation{0, 0, 0}, scale{1, 1, 1};  // of `outer`
    Linear rotation;                             // of `outer`; of `draw` where `turns_inside`
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
  struct Look {
    BoundTexture texture;
    Index material = k_none;
  };

  // scene.cpp
  Index add_node(std::string name, Index parent);
  void make_nodes();
  Index hang_on(u32 matrix);
  Local local_of(const MatrixStep&, const Pose&, const std::vector<Point>& scales) const;
  void apply(const Anchor&, const Local&);
  bool is_drawn(const Draw&) const;
  void add_draw(const Draw&);
  bool is_rigid(const Draw&) const;
  scene::Primitive primitive_of(const Draw&, const Material*, bool skinned);
  void add_colors(scene::Primitive&, const Draw&, const Material&);
  void add_uvs(scene::Primitive&, const Draw&, const Material&, const Texture*, bool moves);
  void place_rigid(scene::Primitive&, const Draw&);
  void place_skinned(scene::Primitive&);
  Binding& binding_of(u32 matrix);
  void expand(u32 matrix, const Affine& behind, f64 weight, int depth, std::vector<std::pair<Joint, f64>>& out) const;
  u16 joint_of(const Joint&);
  Index look_of(u32 material, const BoundTexture&);
  Index host_of(const Draw&, bool skinned);
  void put(scene::Primitive, Index node);

  // animations.cpp
  void find_moves();
  TextureMatrix matrix_of(const Material&, const Texture*, const TextureSrt&) const;
  void set_rest_transform(const Material&, const Look&);
  void animate();
  void keep_still(scene::Animation&, u32 frames);
  void animate_joints(const Motions::From<JointAnimation>&);
  void animate_textures(const Motions::From<TextureAnimation>&);
  void animate_patterns(const Motions::From<PatternAnimation>&);
  void list_pictures(const std::vector<Look>&, const std::vector<BoundTexture>& shown);
  void animate_colors(const Motions::From<ColorAnimation>&);
  void animate_visibility(const Motions::From<VisibilityAnimation>&);
  scene::Animation& add_animation(const std::string& name, const std::string& file, const char* kind, u32 frames);
  u32 bounded(u32 frames, const std::string& name);
  f32 seconds(u32 frame) const { return f32(frame / setting_.frames_per_second); }
  std::vector<f32> times_of(u32 frames) const;
  std::vector<BoundTexture> textures_at(const PatternTrack&, const PatternAnimation&, const BoundTexture& rest);
  void note(const char* id, const std::string& path, Said said);

  const Model& m_;
  const Setting setting_;
  const std::string& path_;  // models[0]
  const Motions& motions_;
  Surfaces& surfaces_;
  scene::Scene& s_;

  Program program_;
  Pose rest_;
  std::vector<Affine> matrices_;  // of the program, at rest
  Index root_ = k_none;
  std::vector<Anchor> anchors_;  // one for each matrix of the program
  std::vector<BoundTexture> bound_;
  std::vector<TexturePair> names_;        // that materials look up
  std::vector<std::vector<Look>> looks_;  // for each material; the first is that at rest
  // For each material: is there an animation for it?
  std::vector<bool> texture_moves_, color_moves_, alpha_moves_, changes_;
  std::vector<bool> only_lit_;  // for each material: all that is drawn with it has its colours from the lights
  bool visibility_moves_ = false;

  // Nodes that are visible only at times.
  struct Variant {
    u32 material;
    BoundTexture texture;
    Index node;
  };
  std::vector<Variant> variants_;  // one for each look of a material with a texture pattern
  struct Shown {
    Index parent;
    u8 node;  // of the model: its visibility applies
    bool visible;
    Index made;
  };
  std::vector<Shown> shown_;
  std::map<Index, Index> skinned_hosts_;  // by their parent nodes

  std::optional<CommandNumbers> numbers_;  // if sources are wanted
  u64 corners_ = 0;
  bool overflowed_ = false, cut_ = false;
  std::set<u32> left_out_;  // materials of which nothing is drawn, once they are noted
  Index skin_ = k_none;
  std::vector<Joint> joints_;
  std::vector<Binding> bindings_;  // one for each matrix of the program
  Geometry geometry_;
};

}  // namespace dio::nitro
