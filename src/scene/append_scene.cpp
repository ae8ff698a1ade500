#include "scene/append_scene.hpp"

#include <iterator>

namespace dio::scene {

namespace {

void offset_index(Index& i, size_t by) {
  if (i != k_none) i += Index(by);
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Index append_scene(Scene& to, Scene&& other, Node below) {
  const Index top = Index(to.nodes.size());
  to.nodes.push_back(std::move(below));
  const size_t first = to.nodes.size();
  for (Texture& t : other.textures) offset_index(t.image, to.images.size());
  for (Material& m : other.materials) offset_index(m.texture, to.textures.size());
  for (Mesh& m : other.meshes)
    for (Primitive& p : m.primitives) offset_index(p.material, to.materials.size());
  for (Skin& s : other.skins)
    for (Index& joint : s.joints) offset_index(joint, first);
  for (Node& n : other.nodes) {
    if (n.parent == k_none)
      n.parent = top;
    else
      offset_index(n.parent, first);
    offset_index(n.mesh, to.meshes.size()), offset_index(n.camera, to.cameras.size());
    offset_index(n.skin, to.skins.size()), offset_index(n.light, to.lights.size());
  }
  for (Animation& a : other.animations) {
    for (Channel& c : a.channels) offset_index(c.node, first);
    for (VisibilityChannel& c : a.visibility_channels) offset_index(c.node, first);
    for (FovChannel& c : a.fov_channels) offset_index(c.camera, to.cameras.size());
    for (MaterialChannel& c : a.material_channels) offset_index(c.material, to.materials.size());
  }
  append(to.images, other.images), append(to.textures, other.textures), append(to.materials, other.materials);
  append(to.meshes, other.meshes), append(to.skins, other.skins), append(to.cameras, other.cameras);
  append(to.lights, other.lights), append(to.nodes, other.nodes), append(to.animations, other.animations);
  return top;
}

Index append_copy(Scene& s, Index first, Index end, Index parent) {
  const Index top = Index(s.nodes.size()), by = top - first;
  for (Index i = first; i < end; ++i) {
    Node copy = s.nodes[i];
    copy.parent = i == first ? parent : copy.parent + by;
    if (copy.skin != k_none) {
      Skin skin = s.skins[copy.skin];
      for (Index& joint : skin.joints) offset_index(joint, by);
      copy.skin = Index(s.skins.size());
      s.skins.push_back(std::move(skin));
    }
    s.nodes.push_back(std::move(copy));
  }
  return top;
}

}  // namespace dio::scene
