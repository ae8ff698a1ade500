#include "operations/arrangement.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "core/printing.hpp"
#include "core/sorting.hpp"
#include "layout/leaf.hpp"
#include "layout/path_steps.hpp"

namespace dio {

namespace {

using Chain = Reference::Chain;
using NewIndices = std::vector<std::optional<u64>>;  // by old index; nothing for a removed element

/// The nearest list of structures around a span, and the element of it.
std::optional<std::pair<u32, u64>> nearest_element(const Spans& spans, u32 span) {
  for (; span; span = spans[span].parent)
    if (!spans[span].key.name && spans[spans[span].parent].kind == Span::Kind::list)
      return std::pair{spans[span].parent, u64(spans[span].key.index)};
  return {};
}

u64 bits_of(const Span& s) {
  if (s.kind == Span::Kind::bytes) return 8;
  return s.kind == Span::Kind::bits ? s.bits : 8 * size_of(s.wire);
}

/// Whether a reference can have this value and lead somewhere.
bool can_lead(const Span& s, const Reference& r, u64 value) {
  const bool is_signed_field = s.kind == Span::Kind::bits ? s.two_complement : is_signed(s.wire);
  return value <= r.most && value <= low_bits(unsigned(bits_of(s) - is_signed_field)) &&
         s.key.vocabulary->of(i64(value)).empty();
}

Value as_number(i64 value) { return value < 0 ? Value(value) : Value(u64(value)); }
/// The value that leads nowhere.
Value none_of(const Span& s) { return as_number(nowhere_of(s).value_or(0)); }

/// Whether a value is in an element that is removed, or is one.
bool goes(const Spans& spans, const RemovedElements& removed, const Spot& spot) {
  for (const auto& [list, those] : removed) {
    if (spot.element && list == spot.span && those[size_t(*spot.element)]) return true;
    if (const auto i = element_around(spans, spot.span, list); i && those[size_t(*i)]) return true;
  }
  return false;
}

NewIndices new_indices(const ListOrder& order, u64 length) {
  NewIndices out(size_t(length + order.added.size()));
  for (u64 p = 0; p < order.from.size(); ++p) out[size_t(order.from[size_t(p)])] = p;
  return out;
}

/// Elements that are linked to the one before and the one after. Links are indices, or nothing.
struct Links {
  NewIndices previous, next;
  explicit Links(u64 n) : previous(size_t(n)), next(size_t(n)) {}
  NewIndices& of(Chain chain) { return chain == Chain::previous ? previous : next; }
  static bool leads(const std::optional<u64>& link, u64 to) { return link && *link == to; }
  void take_out(u64 e) {
    const auto before = previous[size_t(e)], after = next[size_t(e)];
    if (before && *before < next.size() && leads(next[size_t(*before)], e)) next[size_t(*before)] = after;
    if (after && *after < previous.size() && leads(previous[size_t(*after)], e)) previous[size_t(*after)] = before;
    previous[size_t(e)] = next[size_t(e)] = {};
  }
  void put_after(u64 e, u64 anchor) {
    const auto after = next[size_t(anchor)];
    previous[size_t(e)] = anchor, next[size_t(e)] = after;
    next[size_t(anchor)] = e;
    if (after && *after < previous.size() && leads(previous[size_t(*after)], anchor)) previous[size_t(*after)] = e;
  }
  void put_before(u64 e, u64 anchor) {
    const auto before = previous[size_t(anchor)];
    next[size_t(e)] = anchor, previous[size_t(e)] = before;
    previous[size_t(anchor)] = e;
    if (before && *before < next.size() && leads(next[size_t(*before)], anchor)) next[size_t(*before)] = e;
  }
};

class Arrangement {
 public:
  Arrangement(const Spans& spans, const Value& document, const ListOrders& orders, const RemovedElements& removed,
              Referrers how)
      : s_(spans), document_(document), orders_(orders), removed_(removed), how_(how), references_(spans) {
    for (const auto& [list, order] : orders) {
      indices_.emplace(list, new_indices(order, s_.length(list)));
      if (s_[list].kind == Span::Kind::bytes && !is_gone({list, {}, 0, 0})) bytes_of(list);
    }
  }

  Result<Changes> run() {
    if (auto why = held_numbers()) return refuse(std::move(*why));
    insert_added();
    follow_references();
    shorten_lists_of_references();
    follow_indices_of_themselves();
    for (const auto& [list, order] : orders_) follow_links(list, order);
    if (limit_) return refuse(std::move(*limit_));
    set_bytes();
    for (auto& c : sets_) changes_.push_back(std::move(c));
    change_lists();
    return std::move(changes_);
  }

 private:
  bool is_gone(const Spot& spot) const { return goes(s_, removed_, spot); }
  u64 length(u32 list) const { return s_.length(list); }
  const ListOrder* order_of(u32 list) const {
    const auto found = orders_.find(list);
    return found == orders_.end() ? nullptr : &found->second;
  }
  std::optional<u64> index_of(u32 list, u64 element) const {
    const NewIndices& all = indices_.at(list);
    return element < all.size() ? all[size_t(element)] : std::nullopt;
  }

  /// The first part that is kept as bytes and may hold numbers of elements that change theirs.
  std::optional<Diagnostic> held_numbers() const {
    for (const OpaqueReferrer& o : references_.opaque()) {
      const ListOrder* order = order_of(o.list);
      if (!order || is_gone({o.span, {}, 0, 0})) continue;
      const NewIndices& indices = indices_.at(o.list);
      u64 e = 0;
      while (e < length(o.list) && indices[size_t(e)] == e) ++e;
      if (e == length(o.list)) continue;
      return make_diagnostic("edit.opaque", element_path(s_, o.list, e),
                             {.message = "the element would get another number, or none, and " + s_.path(o.span) +
                                         ", which is kept as bytes, may refer to it by the one it has",
                              .hint = "elements can be added at the end of the list, and their values can be set"});
    }
    return {};
  }

  void insert_added() {
    for (const auto& [list, order] : orders_) {
      const std::string path = s_.path(list);
      u64 at = length(list);
      for (const AddedElement& added : order.added)
        changes_.push_back({.kind = Change::Kind::insert, .path = path, .index = at++, .after = added.value});
    }
  }

  // ---- values ----

  /// A value before all of this, also one in an element that is added; null if there is none.
  const Value* before(const std::string& path) const {
    if (const Value* v = value_at(const_cast<Value&>(document_), path)) return v;
    for (const auto& [list, order] : orders_) {
      if (order.added.empty()) continue;
      const std::string list_path = s_.path(list);
      if (!path.starts_with(list_path)) continue;
      std::string_view rest = std::string_view(path).substr(list_path.size());
      const auto index = take_index(rest);
      if (!index || *index < length(list) || *index - length(list) >= order.added.size()) continue;
      if (rest.starts_with('.')) rest.remove_prefix(1);
      return value_at(const_cast<Value&>(order.added[size_t(*index - length(list))].value), rest);
    }
    return nullptr;
  }
  void set(const std::string& path, Value after) {
    const Value* was = before(path);
    if (!was) return;
    const auto [known, is_new] = set_at_.try_emplace(path, sets_.size());
    if (!is_new) return void(sets_[known->second].after = std::move(after));
    if (*was == after) return void(set_at_.erase(known));
    sets_.push_back({.kind = Change::Kind::set, .path = path, .before = *was, .after = std::move(after)});
  }
  /// References that are bytes of a text of hex digits.
  Bytes& bytes_of(u32 span) {
    const auto [at, is_new] = bytes_.try_emplace(span);
    if (is_new) {
      const ByteView was = s_.file.subspan(size_t(s_[span].offset), size_t(s_[span].size));
      at->second.assign(was.begin(), was.end());
    }
    return at->second;
  }
  void lead(const Referral& r, u64 to) {
    const Span& field = s_[r.from.span];
    const u64 value = to + r.reference->base;
    if (!can_lead(field, *r.reference, value) && !limit_)
      limit_ = make_diagnostic(
          "edit.limit", s_.path(r.from),
          {.message = "the field cannot refer to element " + std::to_string(to) + " of " + s_.path(r.list),
           .hint = "its largest number is below that"});
    if (field.kind == Span::Kind::bytes)
      bytes_of(r.from.span)[size_t(*r.from.element)] = u8(value);
    else
      set_with_copies(r.from, Value(value));
  }
  /// Sets a value of an element, and the same value of those that were added as copies of it.
  void set_with_copies(const Spot& spot, const Value& value) {
    const std::string path = s_.path(spot);
    for (const auto& [list, order] : orders_) {
      if (order.added.empty()) continue;
      const auto own = element_around(s_, spot.span, list);
      if (!own) continue;
      const std::string inside = path.substr(element_path(s_, list, *own).size());
      for (u64 k = 0; k < order.added.size(); ++k)
        if (order.added[size_t(k)].copy_of == own) set(element_path(s_, list, length(list) + k) + inside, value);
    }
    set(path, value);
  }

  // ---- references ----

  void follow_references() {
    for (const Referral& r : references_.all()) {
      const ListOrder* order = order_of(r.list);
      if (!order || !r.count || r.is_by_name() || r.reference->chain != Chain::none || is_gone(r.from)) continue;
      if (r.is_run()) {
        follow_run(r, *order);
        continue;
      }
      if (r.first >= length(r.list)) continue;  // it led outside of the list before
      const auto to = index_of(r.list, r.first);
      if (r.from.element && nowhere_of(s_[r.from.span]))
        lists_[r.from.span].push_back({*r.from.element, to ? std::optional(*to + r.reference->base) : std::nullopt});
      if (to)
        lead(r, *to);
      else if (how_ != Referrers::refuse && !r.from.element)
        set_with_copies(r.from, none_of(s_[r.from.span]));
    }
  }

  void follow_run(const Referral& r, const ListOrder& order) {
    u64 first = 0, count = 0;
    for (u64 p = 0; p < order.from.size(); ++p) {
      if (!r.leads_to(order.joins[size_t(p)])) continue;
      if (!count++) first = p;  // they follow each other: what joins a group goes beside one of it
    }
    if (count)
      lead(r, first);
    else
      set_with_copies(r.from, none_of(s_[r.from.span]));
    const Span& number = s_[r.count_span];
    if (count > low_bits(unsigned(bits_of(number))) && !limit_)
      limit_ = make_diagnostic("edit.limit", s_.path(r.count_span),
                               {.message = "the field cannot hold a count of " + counted(count, "element")});
    set_with_copies({r.count_span, {}, 0, 0}, Value(count));
  }

  /// Lists of references lose those that lead nowhere: the others move up.
  void shorten_lists_of_references() {
    for (const auto& [span, those] : lists_) {
      if (std::ranges::none_of(those, [](const auto& x) { return !x.second; })) continue;
      std::vector<Value> kept;
      for (u64 e = 0; e < s_.count(s_[span]); ++e) {
        const auto own = std::ranges::find(those, e, &std::pair<u64, std::optional<u64>>::first);
        if (own != those.end() && !own->second) continue;
        kept.push_back(own != those.end() ? Value(*own->second) : s_.element(s_[span], e));
      }
      for (u64 e = 0; e < s_.count(s_[span]); ++e)
        set(element_path(s_.path(span), e), e < kept.size() ? kept[size_t(e)] : none_of(s_[span]));
    }
  }

  void follow_indices_of_themselves() {
    for (const Referral& r : references_.all()) {
      const ListOrder* order = order_of(r.list);
      if (r.reference->chain != Chain::self || !order) continue;
      const auto own = element_around(s_, r.from.span, r.list);
      if (!own) continue;
      const std::string inside = s_.path(r.from).substr(element_path(s_, r.list, *own).size());
      for (u64 k = 0; k < order->added.size(); ++k)
        if (const u64 e = length(r.list) + k; order->added[size_t(k)].copy_of.value_or(*own) == *own)
          set(element_path(s_, r.list, e) + inside, Value(*index_of(r.list, e) + r.reference->base));
      if (r.first != *own) continue;  // it was something else before
      if (const auto to = index_of(r.list, *own)) {
        if (!can_lead(s_[r.from.span], *r.reference, *to + r.reference->base)) lead(r, *to);  // says that it cannot
        set(s_.path(r.from), Value(*to + r.reference->base));
      }
    }
  }

  /// Chains: what moves is taken out of its place and linked beside its new neighbour.
  void follow_links(u32 list, const ListOrder& order) {
    const u64 n = length(list);
    Links links(n + order.added.size());
    std::vector<const Referral*> fields;
    for (const Referral& r : references_.all()) {
      if (r.reference->chain != Chain::previous && r.reference->chain != Chain::next) continue;
      if (r.list != list) continue;
      const auto own = element_around(s_, r.from.span, list);
      if (!own) continue;
      fields.push_back(&r);
      if (r.count) links.of(r.reference->chain)[size_t(*own)] = r.first;
    }
    if (fields.empty()) return;
    if (order.keeps_places) return keep_links_of_places(list, order, fields);
    for (u64 i = 0; i < n; ++i)
      if (!index_of(list, i)) links.take_out(i);
    for (u64 p = 0; p < order.from.size(); ++p)
      if (order.joins[size_t(p)] != order.from[size_t(p)]) links.take_out(order.from[size_t(p)]);
    for (u64 p = 0; p < order.from.size(); ++p) {
      const u64 e = order.from[size_t(p)], anchor = order.joins[size_t(p)];
      if (anchor == e) continue;
      const auto around = index_of(list, anchor);
      if (around && *around > p)
        links.put_before(e, anchor);
      else
        links.put_after(e, p ? order.from[size_t(p) - 1] : anchor);
    }
    for (const Referral* r : fields) {
      const u64 own = *element_around(s_, r->from.span, list);
      if (index_of(list, own)) set_link(*r, own, links);
    }
    set_links_of_added(list, order, fields, links);
  }

  void keep_links_of_places(u32 list, const ListOrder& order, const std::vector<const Referral*>& fields) {
    for (const Referral* r : fields) {
      const u64 place = *element_around(s_, r->from.span, list), own = order.from[size_t(place)];
      if (own == place) continue;
      const std::string here = element_path(s_, list, place), there = element_path(s_, list, own);
      const std::string field = s_.path(r->from).substr(here.size());
      set(there + field, *before(here + field));
    }
  }

  void set_link(const Referral& r, u64 own, Links& links) {
    const auto link = links.of(r.reference->chain)[size_t(own)];
    if (link && *link >= indices_.at(r.list).size()) return;  // it led outside of the list before
    const auto to = link ? index_of(r.list, *link) : std::nullopt;
    if (to)
      link_to(r, s_.path(r.from), *to);
    else if (const auto none = nowhere_of(s_[r.from.span]); r.count && none)
      set(s_.path(r.from), as_number(*none));
  }
  void link_to(const Referral& r, const std::string& path, u64 to) {
    const u64 value = to + r.reference->base;
    if (!can_lead(s_[r.from.span], *r.reference, value)) lead(r, to);  // says that it cannot
    set(path, Value(value));
  }

  /// Added elements have the same links as the others of their list.
  void set_links_of_added(u32 list, const ListOrder& order, const std::vector<const Referral*>& fields, Links& links) {
    const u64 like = *element_around(s_, fields.front()->from.span, list);
    for (const Referral* r : fields) {
      if (element_around(s_, r->from.span, list) != like) continue;
      const std::string inside = s_.path(r->from).substr(element_path(s_, list, like).size());
      for (u64 e = length(list); e < length(list) + order.added.size(); ++e) {
        const std::string path = element_path(s_, list, e) + inside;
        const auto link = links.of(r->reference->chain)[size_t(e)];
        const auto to = link ? index_of(list, *link) : std::nullopt;
        if (to)
          link_to(*r, path, *to);
        else if (const auto none = nowhere_of(s_[r->from.span]))
          set(path, as_number(*none));
      }
    }
  }

  // ---- the lists themselves ----

  void set_bytes() {
    for (auto& [span, content] : bytes_) {
      if (const ListOrder* order = order_of(span)) {
        Bytes ordered;
        for (const u64 from : order->from) ordered.push_back(content[size_t(from)]);
        content = std::move(ordered);
      }
      set(s_.path(span), Value(hex_digits(content)));
    }
  }

  /// Those inside others first, as paths count from the outside.
  void change_lists() {
    std::vector<u32> lists;
    for (const auto& [list, order] : orders_)
      if (!is_gone({list, {}, 0, 0}) && s_[list].kind != Span::Kind::bytes) lists.push_back(list);
    sort_stably(lists, std::greater(), [&](u32 l) {
      u32 depth = 0;
      for (u32 i = l; i; i = s_[i].parent) ++depth;
      return depth;
    });
    for (const u32 list : lists) change_list(list, orders_.at(list));
  }

  void change_list(u32 list, const ListOrder& order) {
    const u64 n = length(list) + order.added.size();
    const std::string path = s_.path(list);
    std::vector<u64> left(static_cast<size_t>(n));
    std::iota(left.begin(), left.end(), 0);
    for (u64 i = n; i-- > 0;) {
      if (index_of(list, i)) continue;
      const Value* gone = before(element_path(path, i));
      if (!gone) return;  // computed from the rest
      changes_.push_back({.kind = Change::Kind::remove, .path = path, .index = i, .before = *gone});
      left.erase(left.begin() + std::ptrdiff_t(i));
    }
    std::vector<u32> permutation;
    for (const u64 from : order.from) permutation.push_back(u32(std::ranges::lower_bound(left, from) - left.begin()));
    if (!std::ranges::is_sorted(permutation))
      changes_.push_back({.kind = Change::Kind::order, .path = path, .order = permutation});
  }

  const Spans& s_;
  const Value& document_;
  const ListOrders& orders_;
  const RemovedElements& removed_;
  Referrers how_;
  References references_;
  std::map<u32, NewIndices> indices_;
  std::map<u32, Bytes> bytes_;
  std::map<u32, std::vector<std::pair<u64, std::optional<u64>>>> lists_;  // of references: by element, its new value
  Changes changes_, sets_;
  std::unordered_map<std::string, size_t> set_at_;  // of sets_, by path
  std::optional<Diagnostic> limit_;
};

}  // namespace

ListOrder ListOrder::unchanged(u64 n) {
  ListOrder order;
  order.from.resize(size_t(n));
  std::iota(order.from.begin(), order.from.end(), 0);
  order.joins = order.from;
  return order;
}

std::optional<u64> element_around(const Spans& spans, u32 span, u32 list) {
  for (; span; span = spans[span].parent)
    if (spans[span].parent == list && !spans[span].key.name) return spans[span].key.index;
  return {};
}

std::optional<Diagnostic> derived_list(const Spans& spans, u32 list) {
  for (u32 i = list; i; i = spans[i].parent)
    if (spans[i].key.is_derived)
      return make_diagnostic("layout.derived", spans.path(list),
                             {.message = "the list is computed from the content of the file and cannot be edited"});
  return {};
}

Result<RemovedElements> removed_with(const Spans& spans, const std::map<u32, std::vector<u64>>& elements, Referrers how,
                                     const std::function<bool(const std::string&)>& is_made) {
  const References references(spans);
  RemovedElements removed;
  std::vector<std::pair<u32, u64>> next;
  const auto take = [&](u32 l, u64 i) {
    auto& those = removed[l];
    those.resize(size_t(spans.length(l)), false);
    if (!those[size_t(i)]) next.push_back({l, i});
    those[size_t(i)] = true;
  };
  for (const auto& [list, those] : elements)
    for (const u64 e : those) take(list, e);
  std::vector<std::string> referrers;
  std::string first_target;
  const auto see = [&](const Referral& r, u32 l, u64 i) {
    if (r.reference->chain != Chain::none || goes(spans, removed, r.from)) return;
    if (r.is_run()) {
      // A group without elements leads nowhere; before that it only becomes smaller.
      for (u64 k = r.first; k < std::min(r.first + r.count, u64(removed[l].size())); ++k)
        if (!removed[l][size_t(k)]) return;
    }
    const bool can_unlink = r.is_run() || nowhere_of(spans[r.from.span]);
    if (how != Referrers::refuse && r.from.element && !can_unlink)
      return take(r.from.span, *r.from.element);  // a list without a value for none becomes shorter
    const auto around = nearest_element(spans, r.from.span);
    const bool comes_again = is_made(spans.path(r.from));
    if ((how == Referrers::cascade || comes_again) && !r.from.element && around)
      return take(around->first, around->second);
    if (comes_again || (how != Referrers::refuse && can_unlink)) return;
    if (referrers.empty()) first_target = element_path(spans, l, i);
    referrers.push_back(spans.path(r.from));
  };
  while (!next.empty()) {
    const auto [l, i] = next.back();
    next.pop_back();
    for (const Referral* r : references.to(l, i)) see(*r, l, i);
  }
  if (referrers.empty()) return removed;
  sort_stably(referrers);
  referrers.erase(std::unique(referrers.begin(), referrers.end()), referrers.end());
  return refuse("edit.referred", first_target,
                {.message = "the element is still referred to by " + first_few(referrers),
                 .hint = how == Referrers::refuse
                             ? "--unlink clears these references; --cascade also removes what refers to the element"
                             : "these references cannot be cleared: let them refer to another element first"});
}

Result<Changes> arranged(const Spans& spans, const Value& document, const ListOrders& orders,
                         const RemovedElements& removed, Referrers how) {
  return Arrangement(spans, document, orders, removed, how).run();
}

}  // namespace dio
