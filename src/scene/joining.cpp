#include "scene/joining.hpp"

#include <iterator>

namespace dio::scene {

namespace {

void shift(Index& i, size_t by) {
  if (i != k_none) i += Index(by);
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Index add_scene(Scene& to, Scene&& other, Node below) {
  const Index top = Index(to.nodes.size());
  to.nodes.push_back(std::move(below));
  const size_t first = to.nodes.size();
  for (Texture& t : other.textures) shift(t.image, to.images.size());
  for (Material& m : other.materials) shift(m.texture, to.textures.size());
  for (Mesh& m : other.meshes)
    for (Primitive& p : m.primitives) shift(p.material, to.materials.size());
  for (Skin& s : other.skins)
    for (Index& joint : s.joints) shift(joint, first);
  for (Node& n : other.nodes) {
    if (n.parent == k_none)
      n.parent = top;
    else
      shift(n.parent, first);
    shift(n.mesh, to.meshes.size()), shift(n.camera, to.cameras.size());
    shift(n.skin, to.skins.size()), shift(n.light, to.lights.size());
  }
  for (Animation& a : other.animations) {
    for (Channel& c : a.channels) shift(c.node, first);
    for (VisibilityChannel& c : a.visibility_channels) shift(c.node, first);
    for (FovChannel& c : a.fov_channels) shift(c.camera, to.cameras.size());
    for (MaterialChannel& c : a.material_channels) shift(c.material, to.materials.size());
  }
  append(to.images, other.images), append(to.textures, other.textures), append(to.materials, other.materials);
  append(to.meshes, other.meshes), append(to.skins, other.skins), append(to.cameras, other.cameras);
  append(to.lights, other.lights), append(to.nodes, other.nodes), append(to.animations, other.animations);
  return top;
}

}  // namespace dio::scene
