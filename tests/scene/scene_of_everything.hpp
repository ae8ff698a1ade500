// scene_of_everything.hpp: a scene in which every part of a scene occurs, for those who judge what is written of it.
// Seen from the front (+Z) there are, from left to right and 3 units apart:
//   a flag of two joints that bends, another that blinks, four boards (a picture repeated, clamped, mirrored and
//   turned), a board whose picture runs, one whose colour fades, a board that blinks, one that only the animation
//   shows, and one that is lit and has other materials in two variants.
#pragma once
#include "scene/math.hpp"

namespace dio::scene {

class SceneOfEverything {
 public:
  static Scene make() { return SceneOfEverything().run(); }

 private:
  Scene run() {
    scene_.name = "everything";
    scene_.metres_per_unit = 0.5f;
    scene_.extras = Value::object();
    scene_.extras.add("format", "none");
    pictures();
    const Index root = node("root", k_none, {0, 0, 0});
    scene_.animations.resize(1);
    scene_.animations[0].name = "all that moves";
    scene_.animations[0].extras = Value::object();
    scene_.animations[0].extras.add("frames", 120);
    flag("bending flag", root, -3, false);
    flag("blinking flag", root, 0, true);
    boards(root);
    lines_and_points(root);
    camera(root);
    variants(root);
    lamp(root);
    return std::move(scene_);
  }

  Animation& animation() { return scene_.animations[0]; }

  Index node(const char* name, Index parent, const Vec3& at) {
    scene_.nodes.push_back({.name = name, .parent = parent, .translation = at, .extras = {}});
    return Index(scene_.nodes.size() - 1);
  }

  /// Four by four texels, the first of them (upper left) white, the first row red, the first column green.
  void pictures() {
    Image picture{
        "sixteen", 4, 4, 4, {{60, 60, 160, 255}, {220, 40, 40, 255}, {40, 200, 40, 255}, {255, 255, 255, 255}}, {}};
    for (u8 y = 0; y < 4; ++y)
      for (u8 x = 0; x < 4; ++x) picture.pixels.push_back(x == 0 && y == 0 ? 3 : y == 0 ? 1 : x == 0 ? 2 : 0);
    scene_.images = {
        picture, {"holes", 2, 2, 8, {}, {255, 255, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 255}}, picture};
    using enum Texture::Wrap;
    scene_.textures = {{"repeated", 0},
                       {"clamped", 0, clamp, clamp},
                       {"mirrored", 0, mirror, repeat},
                       {"again", 2},  // the same as the first
                       {"holes", 1, repeat, mirror},
                       {"smooth", 0, repeat, repeat, false}};
  }

  Index material(Material m) {
    scene_.materials.push_back(std::move(m));
    return Index(scene_.materials.size() - 1);
  }

  /// A board of 2 by 2 whose texture coordinates go from -0.5 to 1.5.
  static Primitive board_of(Index material) {
    return {.material = material,
            .positions = {{-1, 0, 0}, {1, 0, 0}, {1, 2, 0}, {-1, 2, 0}},
            .normals = {k_axis_z, k_axis_z, k_axis_z, k_axis_z},
            .uvs = {{-0.5f, 1.5f}, {1.5f, 1.5f}, {1.5f, -0.5f}, {-0.5f, -0.5f}},
            .indices = {0, 1, 2, 0, 2, 3}};
  }
  Index board(const char* name, Index parent, f32 x, Material m) {
    const Index n = node(name, parent, {x, 0, 0});
    scene_.nodes[n].mesh = Index(scene_.meshes.size());
    scene_.meshes.push_back({name, {board_of(material(std::move(m)))}});
    return n;
  }

  /// Two units wide, three high; the lower third follows the pole, the upper one the second joint, what is between
  /// both.
  void flag(const char* name, Index parent, f32 x, bool blinks) {
    const Index pole = node("pole", parent, {x, 0, 0}), top = node("top", pole, {0, 1.5f, 0});
    Primitive p{.material = material({.name = name, .double_sided = true, .texture = 0})};
    for (u32 row = 0; row < 4; ++row)
      for (const f32 side : {-1.0f, 1.0f}) {
        p.positions.push_back({side, f32(row), 0});
        p.normals.push_back(k_axis_z);
        p.colors.push_back({1, f32(row) / 3, 1, 1});
        p.uvs.push_back({(side + 1) / 2, 3 - f32(row)});
        const f32 upper = f32(row) / 3;
        if (blinks) {  // stiff: bytes will do
          p.joints.push_back({u16(row / 2), 0, 0, 0});
          p.weights.push_back({1, 0, 0, 0});
        } else {
          p.joints.push_back({0, 1, 1, 7});  // one joint twice, and one that does not count
          p.weights.push_back({1 - upper, upper / 2, upper - upper / 2, 0});
        }
      }
    for (u32 row = 0; row < 3; ++row)
      for (const u32 i : {0, 1, 3, 0, 3, 2}) p.indices.push_back(2 * row + i);
    const Index n = node(name, blinks ? pole : parent, {100, 100, 100});  // does not count
    scene_.nodes[n].mesh = Index(scene_.meshes.size());
    scene_.nodes[n].skin = Index(scene_.skins.size());
    scene_.nodes[n].extras = Value::object();
    scene_.nodes[n].extras.add("kind", "flag");
    scene_.meshes.push_back({name, {std::move(p)}});
    scene_.skins.push_back({name,
                            {pole, top},
                            {Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                             Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1.5f, 0, 1}}});
    const Vec4 bent = from_axis_degrees(k_axis_z, 60);
    animation().channels.push_back({.node = top,
                                    .target = Channel::Target::rotation,
                                    .times = {0, 1, 2},
                                    .values = {k_no_rotation, bent, k_no_rotation}});
    if (!blinks) return;
    animation().visibility_channels.push_back({pole, {0, 0.5f, 1}, {1, 0, 1}});
    animation().visibility_channels.push_back({n, {0, 1.5f}, {1, 0}});
  }

  void boards(Index parent) {
    using Target = MaterialChannel::Target;
    board("repeated", parent, 3, {.name = "repeated", .texture = 0});
    board("clamped", parent, 6, {.name = "clamped", .texture = 1});
    board("mirrored", parent, 9, {.name = "mirrored", .texture = 2});
    const Index turned = board(
        "turned", parent, 12,
        {.name = "turned", .texture = 3, .transform = {{0.25f, 0}, std::numbers::pi_v<f32> / 4, {2, 2}}, .extras = {}});
    scene_.materials[scene_.meshes[scene_.nodes[turned].mesh].primitives[0].material].extras = Value::object();
    const Index runs = Index(scene_.materials.size());
    board("running", parent, 15, {.name = "running", .texture = 5});
    const Index fades = Index(scene_.materials.size());
    board("fading", parent, 18,
          {.name = "fading", .color = {1, 1, 1, 0.75f}, .double_sided = true, .alpha = Material::Alpha::blend});
    animation().material_channels = {
        {.material = runs, .target = Target::offset, .times = {0, 2}, .values = {{0, 0}, {1, 0.5f}}},
        {.material = runs, .target = Target::rotation, .times = {0, 2}, .values = {{0}, {1}}},
        {.material = runs,
         .target = Target::scale,
         .interpolation = Channel::Interpolation::step,
         .times = {0, 1},
         .values = {{1, 1}, {2, 2}}},
        {.material = fades, .target = Target::color, .times = {0, 2}, .values = {{1, 1, 1, 0.75f}, {1, 0, 0, 0}}}};
    const Index blinks = board("blinking", parent, 21,
                               {.name = "holes", .alpha = Material::Alpha::mask, .alpha_cutoff = 0.25f, .texture = 4});
    animation().visibility_channels.push_back({blinks, {0, 1}, {1, 0}});
    const Index appears = board("appearing", parent, 24, {.name = "lit", .color = {0.5f, 1, 0.5f, 1}, .unlit = false});
    scene_.nodes[appears].visible = false;
    scene_.nodes[appears].scale = {1, 1.5f, 1};
    animation().visibility_channels.push_back({appears, {1}, {1}});
  }

  void lines_and_points(Index parent) {
    const Index n = node("ground", parent, {0, 0, 0});
    scene_.nodes[n].mesh = Index(scene_.meshes.size());
    const Index dark = material({.name = "dark", .color = {0.1f, 0.1f, 0.1f, 1}});
    scene_.meshes.push_back(
        {"ground",
         {{.shape = Primitive::Shape::lines, .material = dark, .positions = {{-4, 0, 0}, {25, 0, 0}}},
          {.shape = Primitive::Shape::points, .positions = {{-4, 0, 1}, {25, 0, 1}}}}});
  }

  void camera(Index parent) {
    const Index n = node("front", parent, {10.5f, 1.5f, 27});
    scene_.nodes[n].camera = 0;
    scene_.cameras = {{.name = "front", .vertical_fov = 0.7f, .near = 1, .far = 100}};
    animation().fov_channels = {{.camera = 0, .times = {0, 2}, .values = {0.7f, 0.75f}}};
  }

  /// Variants out of order, one that nothing uses, and two with one material, which moves; it is like that of the board
  /// otherwise. Its vertices know where they come from.
  void variants(Index parent) {
    const Material plain{.name = "changing", .unlit = false, .texture = 0};
    const Index n = board("changing", parent, 27, plain);
    const Index running = material(plain);
    const Index other = material({.name = "changed", .color = {0.25f, 0.25f, 0.5f, 1}, .texture = 1});
    const Index same = material(plain);
    scene_.variants = {"unused", "night", "rain", "snow", "day"};
    Primitive& p = scene_.meshes[scene_.nodes[n].mesh].primitives[0];
    p.in_variants = {{3, running}, {1, other}, {2, running}, {4, same}};
    p.sources = {0, 7, (1 << 24) - 1, 1 << 23};
    animation().material_channels.push_back({.material = running,
                                             .target = MaterialChannel::Target::offset,
                                             .interpolation = Channel::Interpolation::step,
                                             .times = {0, 0.5f, 1},
                                             .values = {{0, 0}, {0.25f, 0}, {0.5f, 0}}});
  }

  void lamp(Index parent) {
    scene_.lights = {{"unused"}, {"sun", {1, 0.75f, 0.5f}, 2}};
    for (const bool visible : {true, false}) {
      const Index n = node(visible ? "sun" : "hidden sun", parent, {0, 10, 0});
      scene_.nodes[n].rotation = from_axis_degrees(k_axis_x, -90);  // straight down
      scene_.nodes[n].light = 1;
      scene_.nodes[n].visible = visible;
    }
  }

  Scene scene_;
};

}  // namespace dio::scene
