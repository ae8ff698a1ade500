// tree_matcher.hpp: finds which elements of two lists of values are the same. Comparisons and merges use it.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/value.hpp"

namespace dio {

class TreeMatcher {
 public:
  static constexpr u32 k_unmatched = ~u32(0);

  /// Caches the content of a tree, so that its parts can be compared quickly. The tree must not change.
  void compute_digests(const Value& tree) { compute_digest(tree); }

  /// Whether two parts of cached trees are equal.
  bool same(const Value& a, const Value& b) const { return digest_of(a).hash == digest_of(b).hash && a == b; }

  /// For each element of list `a`, its partner in list `b`, or k_unmatched. Equal elements are matched first, then the
  /// most similar ones, then elements left over between the same neighbours. Numbers and texts have no identity: two at
  /// the same position are one changed value. The time grows with the size of the lists, not with its square.
  std::vector<u32> match_elements(const Value& a, const Value& b) const;

  /// The longest run of pairs, sorted by first, whose second values rise; returns their indices. These elements did not
  /// move.
  static std::vector<u32> longest_increasing_run(const std::vector<std::pair<u32, u32>>& pairs);

  /// A list or an object.
  static bool is_tree(const Value& v) { return v.is(Value::Kind::list) || v.is(Value::Kind::object); }
  /// The member with that name; `i` is its probable index.
  static const Value* find(const Value& object, const std::string& name, size_t i) {
    if (i < object.size() && object.members()[i].first == name) return object.at(i);
    return object.find(name);
  }

 private:
  struct Digest {
    u64 hash = 0;
    u64 leaves = 0;  // the number of values without parts, including itself; an empty list or object counts as one
  };
  static Digest leaf_digest(const Value&);
  Digest compute_digest(const Value&);
  Digest digest_of(const Value& v) const { return is_tree(v) ? digests_.find(&v)->second : leaf_digest(v); }
  std::vector<u64> element_hashes(const Value& list) const;
  std::vector<u32> match_scalars(const Value& a, const Value& b) const;
  std::vector<u32> match_trees(const Value& a, const Value& b) const;
  void match_similar(const Value& a, const Value& b, std::vector<u32>& partner, std::vector<bool>& taken) const;
  f64 similarity(const Value& a, const Value& b) const;
  u64 count_common_values(const Value& a, const Value& b, u64& budget) const;

  std::unordered_map<const Value*, Digest> digests_;  // for values with parts; most values have none
};

}  // namespace dio
