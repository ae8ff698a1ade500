#include "core/tree_matcher.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace dio {
namespace {

constexpr u32 k_unmatched = TreeMatcher::k_unmatched;

// ----------------------------------------------------------------------------------------------------- what is equal

u64 mix_hashes(u64 a, u64 b) {
  u64 x = (a ^ std::rotl(b, 29)) * 0x9e3779b97f4a7c15;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

u64 hash_text(std::string_view text) {
  u64 hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ u8(c)) * 0x100000001b3;
  return hash;
}

// ------------------------------------------------------------------------------------------------- aligning two lists

/// Matches equal hashes of two runs in order: `partner[i]` is the index in b of element i of a, or k_unmatched.
class Alignment {
 public:
  Alignment(const std::vector<u64>& a, const std::vector<u64>& b) : partner(a.size(), k_unmatched), a_(a), b_(b) {
    open_.push_back({0, u32(a.size()), 0, u32(b.size()), 0});
    while (!open_.empty()) {
      const Range r = open_.back();
      open_.pop_back();
      align(r);
    }
  }

  std::vector<u32> partner;

 private:
  struct Range {
    u32 a0, a1, b0, b1;
    int depth;
  };

  void align(Range r) {
    while (r.a0 < r.a1 && r.b0 < r.b1 && a_[r.a0] == b_[r.b0]) partner[r.a0++] = r.b0++;
    while (r.a0 < r.a1 && r.b0 < r.b1 && a_[r.a1 - 1] == b_[r.b1 - 1]) partner[--r.a1] = --r.b1;
    if (r.a0 == r.a1 || r.b0 == r.b1) return;
    if (!split_at_unique(r)) align_by_shortest_edit(r);
  }

  /// An element that occurs once on both sides is surely the same: splits the range at a rising run of such elements.
  bool split_at_unique(const Range& r) {
    constexpr int k_depth = 32;  // protects against inputs made to be split one element at a time
    if (r.depth == k_depth) return false;
    struct Seen {
      u32 in_a = 0, in_b = 0, at_a = 0, at_b = 0;
    };
    std::unordered_map<u64, Seen> seen;
    for (u32 i = r.a0; i < r.a1; ++i) {
      Seen& s = seen[a_[i]];
      ++s.in_a;
      s.at_a = i;
    }
    for (u32 j = r.b0; j < r.b1; ++j) {
      const auto s = seen.find(b_[j]);
      if (s == seen.end()) continue;
      ++s->second.in_b;
      s->second.at_b = j;
    }
    std::vector<std::pair<u32, u32>> pairs;
    for (u32 i = r.a0; i < r.a1; ++i) {
      const Seen& s = seen[a_[i]];
      if (s.in_a == 1 && s.in_b == 1) pairs.emplace_back(i, s.at_b);
    }
    if (pairs.empty()) return false;
    Range rest = r;
    ++rest.depth;
    for (const u32 k : TreeMatcher::longest_increasing_run(pairs)) {
      const auto [i, j] = pairs[k];
      partner[i] = j;
      open_.push_back({rest.a0, i, rest.b0, j, rest.depth});
      rest.a0 = i + 1;
      rest.b0 = j + 1;
    }
    open_.push_back(rest);
    return true;
  }

  /// Myers' shortest edit script. Gives up if the runs have too little in common to be fast.
  void align_by_shortest_edit(const Range& r) {
    const i64 n = r.a1 - r.a0, m = r.b1 - r.b0;
    const i64 most = std::min<i64>(n + m, 1024);
    std::vector<i64> reach(size_t(2 * most + 2), 0);
    std::vector<std::vector<i64>> history;
    const auto at = [&](i64 k) { return size_t(k + most); };
    for (i64 d = 0; d <= most; ++d) {
      history.emplace_back(reach.begin() + i64(at(-d)), reach.begin() + i64(at(d)) + 1);
      for (i64 k = -d; k <= d; k += 2) {
        const bool down = k == -d || (k != d && reach[at(k - 1)] < reach[at(k + 1)]);
        i64 x = d == 0 ? 0 : down ? reach[at(k + 1)] : reach[at(k - 1)] + 1;
        while (x < n && x - k < m && a_[size_t(r.a0 + x)] == b_[size_t(r.b0 + x - k)]) ++x;
        reach[at(k)] = x;
        if (x >= n && x - k >= m) return backtrack_edit_path(r, history, d, k, n);
      }
    }
  }

  void backtrack_edit_path(const Range& r, const std::vector<std::vector<i64>>& history, i64 d, i64 k, i64 x) {
    for (; d >= 0; --d) {
      // Positions reached with one edit less; the entries of the diagonals -d to d.
      const auto before = [&](i64 diagonal) { return history[size_t(d)][size_t(diagonal + d)]; };
      const bool down = d > 0 && (k == -d || (k != d && before(k - 1) < before(k + 1)));
      const i64 from = d == 0 ? 0 : down ? before(k + 1) : before(k - 1) + 1;
      for (; x > from; --x) partner[size_t(r.a0 + x - 1)] = u32(r.b0 + x - 1 - k);
      if (d == 0) return;
      x = down ? from : from - 1;
      k += down ? 1 : -1;
    }
  }

  const std::vector<u64>&a_, &b_;
  std::vector<Range> open_;
};

/// Calls f for each pair of unmatched runs between the same neighbours.
void for_each_unmatched_gap(const std::vector<u32>& partner, u32 size_b, auto&& f) {
  u32 a0 = 0, b0 = 0;
  for (u32 i = 0; i <= partner.size(); ++i) {
    if (i < partner.size() && partner[i] == k_unmatched) continue;
    const u32 j = i < partner.size() ? partner[i] : size_b;
    if (i > a0 && j > b0) f(a0, i, b0, j);
    a0 = i + 1;
    b0 = j + 1;
  }
}

/// Whether these are the corners of a polygon or their texture coordinates, which are identified by position.
bool are_polygon_vertices(const Value& list) {
  const auto is_axis = [](const Value::Member& m) {
    return m.first.size() == 1 && std::string_view("xyzuv").find(m.first) != std::string_view::npos &&
           !TreeMatcher::is_tree(m.second);
  };
  return (list.size() == 3 || list.size() == 4) &&
         std::all_of(list.members().begin(), list.members().end(), [&](const Value::Member& m) {
           return m.second.is(Value::Kind::object) && m.second.size() >= 2 &&
                  std::all_of(m.second.members().begin(), m.second.members().end(), is_axis);
         });
}

}  // namespace

/// The digest of a value without parts.
TreeMatcher::Digest TreeMatcher::leaf_digest(const Value& v) {
  const u64 kind = mix_hashes(u64(v.kind()) + 1, 0);
  switch (v.kind()) {
    case Value::Kind::boolean:
    case Value::Kind::integer:
      return {mix_hashes(kind, mix_hashes(v.bits(), v.negative())), 1};
    case Value::Kind::real:
      return {mix_hashes(kind, std::bit_cast<u64>(v.number())), 1};
    case Value::Kind::text:
      return {mix_hashes(kind, hash_text(v.text())), 1};
    default:
      return {kind, 1};
  }
}

/// Caches the digest of values with parts; other digests are faster to compute than to look up.
TreeMatcher::Digest TreeMatcher::compute_digest(const Value& v) {
  if (!is_tree(v)) return leaf_digest(v);
  Digest d{mix_hashes(u64(v.kind()) + 1, 0), 0};
  for (const auto& [name, member] : v.members()) {
    const Digest part = compute_digest(member);
    d.hash = mix_hashes(d.hash, mix_hashes(hash_text(name), part.hash));
    d.leaves += part.leaves;
  }
  d.leaves = std::max<u64>(d.leaves, 1);
  digests_.emplace(&v, d);
  return d;
}

std::vector<u32> TreeMatcher::longest_increasing_run(const std::vector<std::pair<u32, u32>>& pairs) {
  std::vector<u32> tails, before(pairs.size(), k_unmatched);
  for (u32 k = 0; k < pairs.size(); ++k) {
    const auto less = [&](u32 t, u32 second) { return pairs[t].second < second; };
    const auto t = std::lower_bound(tails.begin(), tails.end(), pairs[k].second, less);
    if (t != tails.begin()) before[k] = *(t - 1);
    if (t == tails.end())
      tails.push_back(k);
    else
      *t = k;
  }
  std::vector<u32> run;
  for (u32 k = tails.empty() ? k_unmatched : tails.back(); k != k_unmatched; k = before[k]) run.push_back(k);
  std::reverse(run.begin(), run.end());
  return run;
}

std::vector<u32> TreeMatcher::match_elements(const Value& a, const Value& b) const {
  const auto is_plain = [](const Value::Member& m) { return !is_tree(m.second); };
  const bool plain = std::all_of(a.members().begin(), a.members().end(), is_plain) &&
                     std::all_of(b.members().begin(), b.members().end(), is_plain);
  return plain ? match_scalars(a, b) : match_trees(a, b);
}

std::vector<u64> TreeMatcher::element_hashes(const Value& list) const {
  std::vector<u64> all;
  all.reserve(list.size());
  for (const Value::Member& m : list.members()) all.push_back(digest_of(m.second).hash);
  return all;
}

/// Numbers and texts have no identity: two at the same position are one changed value.
std::vector<u32> TreeMatcher::match_scalars(const Value& a, const Value& b) const {
  const std::vector<u64> ha = element_hashes(a), hb = element_hashes(b);
  std::vector<u32> partner = Alignment(ha, hb).partner;
  std::vector<std::array<u32, 4>> holes;
  for_each_unmatched_gap(partner, u32(hb.size()),
                         [&](u32 a0, u32 a1, u32 b0, u32 b1) { holes.push_back({a0, a1, b0, b1}); });
  for (const auto& [a0, a1, b0, b1] : holes)
    for (u32 k = 0; k < std::min(a1 - a0, b1 - b0); ++k) partner[a0 + k] = b0 + k;
  if (ha.size() != hb.size()) return partner;

  // Lists of the same length may be tables, whose elements keep their positions.
  size_t by_content = 0, by_place = 0;
  for (size_t i = 0; i < ha.size(); ++i) {
    by_place += ha[i] != hb[i];
    by_content += partner[i] == k_unmatched ? 2 : ha[i] != hb[partner[i]];
  }
  if (by_place <= by_content)
    for (u32 i = 0; i < partner.size(); ++i) partner[i] = i;
  return partner;
}

/// Whether these are the rows of a table of tiles or of a picture.
static bool are_table_rows(const Value& list) {
  return std::all_of(list.members().begin(), list.members().end(),
                     [](const Value::Member& m) { return m.second.is(Value::Kind::list); });
}

std::vector<u32> TreeMatcher::match_trees(const Value& a, const Value& b) const {
  if (a.size() == b.size() &&
      ((are_polygon_vertices(a) && are_polygon_vertices(b)) || (are_table_rows(a) && are_table_rows(b)))) {
    std::vector<u32> same(a.size());
    std::iota(same.begin(), same.end(), 0u);
    return same;
  }
  const std::vector<u64> ha = element_hashes(a), hb = element_hashes(b);
  std::vector<u32> partner = Alignment(ha, hb).partner;
  std::vector<bool> taken(hb.size());
  for (const u32 j : partner)
    if (j != k_unmatched) taken[j] = true;

  // Equal elements that moved.
  std::unordered_map<u64, std::vector<u32>> free;
  for (u32 j = u32(hb.size()); j-- > 0;)
    if (!taken[j]) free[hb[j]].push_back(j);
  for (u32 i = 0; i < partner.size(); ++i) {
    if (partner[i] != k_unmatched) continue;
    const auto f = free.find(ha[i]);
    if (f == free.end() || f->second.empty()) continue;
    partner[i] = f->second.back();
    taken[f->second.back()] = true;
    f->second.pop_back();
  }

  match_similar(a, b, partner, taken);

  // Equal numbers of elements left between the same neighbours are the same elements, completely changed. Elements that
  // moved do not count as neighbours.
  std::vector<std::pair<u32, u32>> pairs;
  for (u32 i = 0; i < partner.size(); ++i)
    if (partner[i] != k_unmatched) pairs.emplace_back(i, partner[i]);
  std::vector<u32> fixed(partner.size(), k_unmatched);
  for (const u32 k : TreeMatcher::longest_increasing_run(pairs)) fixed[pairs[k].first] = pairs[k].second;
  for_each_unmatched_gap(fixed, u32(hb.size()), [&](u32 a0, u32 a1, u32 b0, u32 b1) {
    std::vector<u32> left_a, left_b;
    for (u32 i = a0; i < a1; ++i)
      if (partner[i] == k_unmatched) left_a.push_back(i);
    for (u32 j = b0; j < b1; ++j)
      if (!taken[j]) left_b.push_back(j);
    if (left_a.size() != left_b.size()) return;
    for (size_t k = 0; k < left_a.size(); ++k) {
      if (a.at(left_a[k])->kind() == b.at(left_b[k])->kind()) partner[left_a[k]] = left_b[k];
    }
  });
  return partner;
}

/// Pairs the most similar elements first. For very many elements, only those at about the same position are compared.
void TreeMatcher::match_similar(const Value& a, const Value& b, std::vector<u32>& partner,
                                std::vector<bool>& taken) const {
  constexpr u64 k_tries = 200000;
  std::vector<u32> left_a, left_b;
  for (u32 i = 0; i < partner.size(); ++i)
    if (partner[i] == k_unmatched) left_a.push_back(i);
  for (u32 j = 0; j < taken.size(); ++j)
    if (!taken[j]) left_b.push_back(j);
  if (left_a.empty() || left_b.empty()) return;
  const u64 band = std::max<u64>(k_tries / left_a.size() / 2, 2);

  struct Pair {
    f64 alike;
    u32 i, j;
    u32 shift;
  };
  std::vector<Pair> pairs;
  for (u64 x = 0; x < left_a.size(); ++x) {
    const u64 middle = x * left_b.size() / left_a.size();
    const u64 first = middle > band ? middle - band : 0, last = std::min<u64>(left_b.size(), middle + band + 1);
    for (u64 y = first; y < last; ++y) {
      const f64 alike = similarity(*a.at(left_a[x]), *b.at(left_b[y]));
      const u32 shift = u32(x > y ? x - y : y - x);
      if (alike >= 0.5) pairs.push_back({alike, left_a[x], left_b[y], shift});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) {
    if (p.alike != q.alike) return p.alike > q.alike;
    if (p.shift != q.shift) return p.shift < q.shift;
    return p.i != q.i ? p.i < q.i : p.j < q.j;
  });
  for (const Pair& p : pairs) {
    if (partner[p.i] != k_unmatched || taken[p.j]) continue;
    partner[p.i] = p.j;
    taken[p.j] = true;
  }
}

/// The fraction of values that two elements have in common, 0 to 1.
f64 TreeMatcher::similarity(const Value& a, const Value& b) const {
  u64 budget = 64;
  return f64(count_common_values(a, b, budget)) / f64(std::max(digest_of(a).leaves, digest_of(b).leaves));
}

/// The number of equal values without parts. The budget limits how closely large values are compared.
u64 TreeMatcher::count_common_values(const Value& a, const Value& b, u64& budget) const {
  if (digest_of(a).hash == digest_of(b).hash) return digest_of(a).leaves;
  if (a.kind() != b.kind() || !is_tree(a) || budget == 0) return 0;
  u64 sum = 0;
  for (size_t i = 0; i < a.size() && budget > 0; ++i) {
    --budget;
    const auto& [name, value] = a.members()[i];
    const Value* other = a.is(Value::Kind::list) ? b.at(i) : find(b, name, i);
    if (other) sum += count_common_values(value, *other, budget);
  }
  return sum;
}

}  // namespace dio
