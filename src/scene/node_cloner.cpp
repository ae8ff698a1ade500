#include "scene/node_cloner.hpp"

#include <unordered_map>

namespace dio::scene {
namespace {

using NodeIndexMap = std::unordered_map<Index, Index>;  // maps a node to its index in the list

Index find_node_index(const NodeIndexMap& places, Index node) {
  const auto found = places.find(node);
  return found == places.end() ? k_none : found->second;
}

}  // namespace

NodeCloner::NodeCloner(Scene& scene, Index original) : scene_(scene), nodes_{original}, parents_{k_none} {
  NodeIndexMap places{{original, 0}};
  for (Index i = original + 1; i < scene.nodes.size(); ++i) {  // parents come before their children
    const Index parent = find_node_index(places, scene.nodes[i].parent);
    if (parent == k_none) continue;
    places.emplace(i, Index(nodes_.size()));
    nodes_.push_back(i);
    parents_.push_back(parent);
  }
  std::vector<bool> seen(scene.skins.size());
  for (const Index n : nodes_) {
    const Index skin = scene.nodes[n].skin;
    if (skin == k_none || seen[skin]) continue;
    seen[skin] = true;
    skins_.push_back(skin);
  }
  for (Index a = 0; a < scene.animations.size(); ++a) {
    const auto find = [&](const auto& channels, std::vector<AnimatedChannel>& to) {
      for (size_t c = 0; c < channels.size(); ++c)
        if (const Index place = find_node_index(places, channels[c].node); place != k_none) to.push_back({a, c, place});
    };
    find(scene.animations[a].channels, channels_);
    find(scene.animations[a].visibility_channels, visibility_channels_);
  }
}

Index NodeCloner::place(Index parent) {
  const Index first = Index(scene_.nodes.size()), first_skin = Index(scene_.skins.size());
  NodeIndexMap places;
  for (Index i = 0; i < nodes_.size(); ++i) {
    Node copy = scene_.nodes[nodes_[i]];
    copy.parent = i == 0 ? parent : first + parents_[i];
    for (Index s = 0; s < skins_.size(); ++s)
      if (copy.skin == skins_[s]) {
        copy.skin = first_skin + s;
        break;
      }
    scene_.nodes.push_back(std::move(copy));
    if (!skins_.empty()) places.emplace(nodes_[i], first + i);
  }
  for (const Index s : skins_) {
    Skin copy = scene_.skins[s];
    for (Index& joint : copy.joints)  // joints outside the original are kept
      if (const Index own = find_node_index(places, joint); own != k_none) joint = own;
    scene_.skins.push_back(std::move(copy));
  }
  const auto add = [&](auto&& list_of, const std::vector<AnimatedChannel>& moved) {
    for (const AnimatedChannel& m : moved) {
      auto& list = list_of(scene_.animations[m.animation]);
      auto copy = list[m.channel];
      copy.node = first + m.node;
      list.push_back(std::move(copy));
    }
  };
  add([](Animation& a) -> auto& { return a.channels; }, channels_);
  add([](Animation& a) -> auto& { return a.visibility_channels; }, visibility_channels_);
  return first;
}

}  // namespace dio::scene
