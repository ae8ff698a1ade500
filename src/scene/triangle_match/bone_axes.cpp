#include "scene/triangle_match/bone_axes.hpp"

#include <algorithm>
#include <map>

namespace dio::scene {

namespace {

class BoneAxes {
 public:
  BoneAxes(const OriginalTriangles& own, const PosedNodes& posed) : own_(own), s_(own.scenes), posed_(posed) {}

  std::vector<std::optional<Affine>> run() {
    for (Index i = 0; i < s_.edited.nodes.size(); ++i) add_vote(i);
    std::vector<std::optional<Affine>> parents(s_.edited.nodes.size()), out(s_.edited.nodes.size());
    for (const auto& [parent, votes] : votes_) parents[parent] = choose_vote(parent, votes);
    for (Index i = 0; i < s_.edited.nodes.size(); ++i) {
      const Node& n = s_.edited.nodes[i];
      if (n.parent == k_none || posed_.is_posed(i) || !posed_.is_below_joint(i)) continue;
      const std::optional<Affine>& above = parents[n.parent] ? parents[n.parent] : out[n.parent];
      if (above)
        out[i] = *above * local_transform(n);
      else if (is_at_rest(i))
        out[i] = s_.edited_places[i];
    }
    return out;
  }

 private:
  struct Vote {
    Affine place;
    u32 count;
    bool is_at_rest;  // no animation moves the bone
  };

  /// The place of a bone that most meshes show. If no animation moves the bone, it is that of the scene; a mesh gives
  /// the same place without rounding, unless it was turned or scaled itself.
  Affine choose_vote(Index bone, const std::vector<Vote>& votes) const {
    const auto best = std::ranges::max_element(votes, {}, &Vote::count);
    if (!votes[0].is_at_rest) return best->place;
    const auto same =
        std::ranges::find_if(votes, [&](const Vote& v) { return is_alike(v.place, s_.edited_places[bone]); });
    return same == votes.end() ? s_.edited_places[bone] : same->place;
  }
  /// Whether no animation of the original moves the bones above a node.
  bool is_at_rest(Index node) const {
    const Index own = s_.original_nodes[node];
    const Index bone = own == k_none ? s_.original_nodes[s_.edited.nodes[node].parent] : s_.original.nodes[own].parent;
    return bone != k_none && !is_below_animated(s_.original, bone);
  }
  /// A mesh that has its original vertices below the same bone shows where the bone is in the edited scene.
  void add_vote(Index node) {
    const Node& n = s_.edited.nodes[node];
    const Index own = s_.original_nodes[node];
    if (n.mesh == k_none || n.skin != k_none || n.parent == k_none || own == k_none || !s_.edited_parts[node]) return;
    const Index bone = s_.original.nodes[own].parent;
    if (!posed_.is_posed(n.parent) || bone == k_none || posed_.is_posed(node)) return;
    const auto to_parent = inverse(local_transform(n));
    if (!to_parent || !has_original_vertices(n.mesh, s_.original_places[own])) return;
    const Affine place = s_.original_places[own] * *to_parent;
    // Axes are turned about the position of the bone; elsewhere, the mesh itself was moved.
    if (!own_.is_same_point(place.origin, s_.original_places[bone].origin)) return;
    std::vector<Vote>& votes = votes_[n.parent];
    const auto known = std::ranges::find_if(votes, [&](const Vote& v) { return is_alike(v.place, place); });
    if (known == votes.end())
      votes.push_back({place, 1, is_at_rest(node)});
    else
      ++known->count;
  }
  bool has_original_vertices(Index mesh, const Affine& place) const {
    size_t known = 0, all = 0;
    for (const Primitive& p : s_.edited.meshes[mesh].primitives) {
      std::vector<Point> at;
      for (const Vec3& v : p.positions) at.push_back(place * to_point(v));
      known += own_.count_known(at), all += at.size();
    }
    return 2 * known > all;
  }
  static bool is_alike(const Affine& a, const Affine& b) {
    constexpr f64 k_same = 1e-3;
    for (size_t i = 0; i < 3; ++i)
      for (size_t k = 0; k < 3; ++k)
        if (std::fabs(a.linear.columns[i][k] - b.linear.columns[i][k]) > k_same) return false;
    return true;
  }

  const OriginalTriangles& own_;
  const ScenePair& s_;
  const PosedNodes& posed_;
  std::map<Index, std::vector<Vote>> votes_;  // by bone in the edited scene
};

}  // namespace

std::vector<std::optional<Affine>> infer_places_below_bones(const OriginalTriangles& own, const PosedNodes& posed) {
  return BoneAxes(own, posed).run();
}

}  // namespace dio::scene
