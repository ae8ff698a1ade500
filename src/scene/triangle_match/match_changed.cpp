#include <algorithm>

#include "scene/triangle_match/matching_steps.hpp"

namespace dio::scene {
namespace {

/// Finds the primitives that receive new triangles.
class PrimitiveChooser {
 public:
  explicit PrimitiveChooser(const TrianglePairs& pairs) : pairs_(pairs), s_(pairs.scenes) {
    for (const OriginalPrimitive& o : pairs.own.primitives)
      candidates_.push_back(
          {&o, find_root(s_.original, o.node), 2 * !o.is_hidden + !is_below_animated(s_.original, o.node)});
  }

  /// The primitive with the material of a triangle: of its node or a nearby node; otherwise rather one that is visible
  /// and stays in place. With `adds_materials`, other models of the file do not count: theirs are other materials.
  u32 choose(const SeenTriangle& e) const {
    const Index root = s_.options.adds_materials ? find_original_root(s_, e.node) : k_none;
    const Index parent = s_.edited.nodes[e.node].parent;
    u32 best = k_none;
    int most = -1;
    for (u32 i = 0; i < candidates_.size(); ++i) {
      const auto& [o, own_root, preference] = candidates_[i];
      if (o->material != e.material || o->is_skinned != !e.place) continue;
      if (root != k_none && own_root != root) continue;
      const bool is_of_parent = parent != k_none && s_.original_nodes[parent] == o->node;
      const int nearness = pairs_.is_of_node(e, *o) ? 2 : is_of_parent ? 1 : 0;
      if (s_.options.has_separate_nodes && nearness == 0) continue;
      if (const int fit = 4 * nearness + preference; fit > most) most = fit, best = i;
    }
    return best;
  }

 private:
  struct Candidate {
    const OriginalPrimitive* primitive;
    Index root;
    int preference;
  };
  const TrianglePairs& pairs_;
  const ScenePair& s_;
  std::vector<Candidate> candidates_;
};

/// Pairs the remaining triangles of one primitive: `seen` of the edited scene, `left` of the original.
class RemainingTriangles {
 public:
  RemainingTriangles(TrianglePairs& pairs, const std::vector<u32>& seen, const std::vector<u32>& left)
      : pairs_(pairs), seen_(seen), left_(left) {}

  /// Assumes that the program kept the order of triangles and vertices. False: unmoved vertices contradict this.
  bool pair_in_order() {
    if (seen_.size() != left_.size() || left_.empty() || has_more_edges_elsewhere()) return false;
    for (size_t i = 0; i < seen_.size(); ++i) {
      const SeenTriangle& e = seen(i);
      const OriginalTriangle& t = left(i);
      for (size_t k = 0; k < 3; ++k) {
        const bool is_own = std::ranges::find(t.ids, e.ids[k]) != t.ids.end();
        if (is_own && e.ids[k] != t.ids[k]) return false;
      }
      if (!pairs_.has_same_uvs(e, t, 0) && !count_shared(e, t, 0)) return false;
    }
    for (size_t i = 0; i < seen_.size(); ++i) pairs_.pair(seen_[i], left_[i], 0);
    return true;
  }
  void pair_by_edges() {
    // Of the original: to a triangle, and the start of the edge in it.
    std::multimap<std::array<u32, 2>, std::pair<u32, u8>> edges;
    for (size_t i = 0; i < left_.size(); ++i)
      for (u8 k = 0; k < 3; ++k) edges.emplace(edge(left(i).ids, k), std::pair(left_[i], k));
    for (size_t i = 0; i < seen_.size(); ++i)
      for (u8 k = 0; k < 3 && seen(i).original == k_none; ++k) {
        const std::array wanted = edge(seen(i).ids, k);
        if (wanted[0] == PointIndex::k_unknown || wanted[1] == PointIndex::k_unknown) continue;
        const auto [from, to] = edges.equal_range(wanted);
        for (auto one = from; one != to; ++one)
          if (const auto& [t, at] = one->second; pairs_.own.triangles[t].seen == k_none) {
            pairs_.pair(seen_[i], t, size_t(k + 3 - at) % 3);
            break;
          }
      }
  }
  /// For triangles without area, of which other programs keep at most a few.
  void pair_by_vertex() {
    for (size_t i = 0; i < seen_.size(); ++i)
      for (size_t c = 0; c < 3 * left_.size() && seen(i).original == k_none; ++c)
        if (left(c / 3).seen == k_none && count_shared(seen(i), left(c / 3), c % 3))
          pairs_.pair(seen_[i], left_[c / 3], c % 3);
  }

 private:
  const SeenTriangle& seen(size_t i) const { return pairs_.seen[seen_[i]]; }
  const OriginalTriangle& left(size_t i) const { return pairs_.own.triangles[left_[i]]; }
  static std::array<u32, 2> edge(const PointIds& ids, size_t k) { return {ids[k], ids[(k + 1) % 3]}; }

  /// Whether more triangles share an edge with some remaining triangle than with the one in order: then the order has
  /// changed.
  bool has_more_edges_elsewhere() const {
    std::set<std::array<u32, 2>> edges;
    for (size_t i = 0; i < left_.size(); ++i)
      for (size_t k = 0; k < 3; ++k) edges.insert(edge(left(i).ids, k));
    size_t in_order = 0, anywhere = 0;
    for (size_t i = 0; i < seen_.size(); ++i) {
      in_order += count_shared(seen(i), left(i), 0) >= 2;
      bool has_edge = false;
      for (size_t k = 0; k < 3; ++k) has_edge |= edges.contains(edge(seen(i).ids, k));
      anywhere += has_edge;
    }
    return anywhere > in_order;
  }

  TrianglePairs& pairs_;
  const std::vector<u32>&seen_, &left_;
};

}  // namespace

void match_changed(TrianglePairs& pairs) {
  const PrimitiveChooser chooser(pairs);
  for (SeenTriangle& e : pairs.seen)
    if (e.original == k_none) e.target = chooser.choose(e);
  const size_t count = pairs.own.primitives.size();
  std::vector<std::vector<u32>> seen_of(count), left_of(count), flat_of(count);
  for (u32 e = 0; e < pairs.seen.size(); ++e)
    if (const SeenTriangle& t = pairs.seen[e]; t.original == k_none && t.target != k_none && !t.has_no_area())
      seen_of[t.target].push_back(e);
  for (u32 i = 0; i < pairs.own.triangles.size(); ++i)
    if (const OriginalTriangle& t = pairs.own.triangles[i]; t.seen == k_none)
      (t.is_flat ? flat_of : left_of)[t.primitive].push_back(i);
  for (u32 i = 0; i < count; ++i) {
    if (seen_of[i].empty()) continue;
    // First in order, otherwise those that share two positions.
    RemainingTriangles remaining(pairs, seen_of[i], left_of[i]);
    if (remaining.pair_in_order()) continue;
    remaining.pair_by_edges();
    RemainingTriangles(pairs, seen_of[i], flat_of[i]).pair_by_vertex();
  }
}

}  // namespace dio::scene
