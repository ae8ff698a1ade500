#include "operations/list_reordering.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "layout/leaf.hpp"
#include "layout/path_steps.hpp"

namespace dio {

namespace {

using Chain = Reference::Chain;
using NewIndices = std::vector<std::optional<u64>>;  // by old index; nothing for a removed element

/// The nearest list of structures around a span, and the element of it.
std::optional<std::pair<u32, u64>> enclosing_list_element(const Spans& spans, u32 span) {
  for (; span; span = spans[span].parent)
    if (!spans[span].key.name && spans[spans[span].parent].kind == Span::Kind::list)
      return std::pair{spans[span].parent, u64(spans[span].key.index)};
  return {};
}

u64 field_bit_width(const Span& s) {
  if (s.kind == Span::Kind::bytes) return 8;
  return s.kind == Span::Kind::bits ? s.bits : 8 * size_of(s.wire);
}

/// Whether a reference can have this value and lead somewhere.
bool can_hold_reference(const Span& s, const Reference& r, u64 value) {
  const bool is_signed_field = s.kind == Span::Kind::bits ? s.two_complement : is_signed(s.wire);
  return value <= r.most && value <= low_bits(unsigned(field_bit_width(s) - is_signed_field)) &&
         s.key.vocabulary->of(i64(value)).empty();
}

Value as_number(i64 value) { return value < 0 ? Value(value) : Value(u64(value)); }
/// The value that leads nowhere.
Value none_of(const Span& s) { return as_number(none_value_of(s).value_or(0)); }

/// Whether a value is in an element that is removed, or is one.
bool is_in_removed_element(const Spans& spans, const RemovedElements& removed, const SpanRef& spot) {
  for (const auto& [list, those] : removed) {
    if (spot.element && list == spot.span && those[size_t(*spot.element)]) return true;
    if (const auto i = enclosing_element(spans, spot.span, list); i && those[size_t(*i)]) return true;
  }
  return false;
}

NewIndices invert_order(const ListOrder& order, u64 length) {
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
  void unlink_element(u64 e) {
    const auto before = previous[size_t(e)], after = next[size_t(e)];
    if (before && *before < next.size() && leads(next[size_t(*before)], e)) next[size_t(*before)] = after;
    if (after && *after < previous.size() && leads(previous[size_t(*after)], e)) previous[size_t(*after)] = before;
    previous[size_t(e)] = next[size_t(e)] = {};
  }
  void link_after(u64 e, u64 anchor) {
    const auto after = next[size_t(anchor)];
    previous[size_t(e)] = anchor, next[size_t(e)] = after;
    next[size_t(anchor)] = e;
    if (after && *after < previous.size() && leads(previous[size_t(*after)], anchor)) previous[size_t(*after)] = e;
  }
  void link_before(u64 e, u64 anchor) {
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
      indices_.emplace(list, invert_order(order, s_.length(list)));
      if (s_[list].kind == Span::Kind::bytes && !is_removed({list, {}, 0, 0})) edited_bytes_of(list);
    }
  }

  Result<Changes> run() {
    if (auto why = find_opaque_references()) return refuse(std::move(*why));
    record_insertions();
    update_references();
    compact_reference_lists();
    update_self_indices();
    for (const auto& [list, order] : orders_) update_chain_links(list, order);
    if (limit_) return refuse(std::move(*limit_));
    record_byte_changes();
    for (auto& c : sets_) changes_.push_back(std::move(c));
    record_list_changes();
    return std::move(changes_);
  }

 private:
  bool is_removed(const SpanRef& spot) const { return is_in_removed_element(s_, removed_, spot); }
  u64 length(u32 list) const { return s_.length(list); }
  const ListOrder* find_list_order(u32 list) const {
    const auto found = orders_.find(list);
    return found == orders_.end() ? nullptr : &found->second;
  }
  std::optional<u64> new_index_of(u32 list, u64 element) const {
    const NewIndices& all = indices_.at(list);
    return element < all.size() ? all[size_t(element)] : std::nullopt;
  }

  /// The first part that is kept as bytes and may hold numbers of elements that change theirs.
  std::optional<Diagnostic> find_opaque_references() const {
    for (const OpaqueReferrer& o : references_.opaque()) {
      const ListOrder* order = find_list_order(o.list);
      if (!order || is_removed({o.span, {}, 0, 0})) continue;
      const NewIndices& indices = indices_.at(o.list);
      u64 e = 0;
      while (e < length(o.list) && indices[size_t(e)] == e) ++e;
      if (e == length(o.list)) continue;
      return make_diagnostic("edit.opaque", element_path(s_, o.list, e),
                             {.message = "the element would be renumbered or removed, but " + s_.path(o.span) +
                                         ", which is kept unparsed, may refer to its current number",
                              .hint = "you can still add elements at the end of the list and set values"});
    }
    return {};
  }

  void record_insertions() {
    for (const auto& [list, order] : orders_) {
      const std::string path = s_.path(list);
      u64 at = length(list);
      for (const AddedElement& added : order.added)
        changes_.push_back({.kind = Change::Kind::insert, .path = path, .index = at++, .after = added.value});
    }
  }

  // ---- values ----

  /// A value before all of this, also one in an element that is added; null if there is none.
  const Value* value_before_edit(const std::string& path) const {
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
    const Value* was = value_before_edit(path);
    if (!was) return;
    const auto [known, is_new] = set_at_.try_emplace(path, sets_.size());
    if (!is_new) return void(sets_[known->second].after = std::move(after));
    if (*was == after) return void(set_at_.erase(known));
    sets_.push_back({.kind = Change::Kind::set, .path = path, .before = *was, .after = std::move(after)});
  }
  /// References that are bytes of a text of hex digits.
  Bytes& edited_bytes_of(u32 span) {
    const auto [at, is_new] = bytes_.try_emplace(span);
    if (is_new) {
      const ByteView was = s_.file.subspan(size_t(s_[span].offset), size_t(s_[span].size));
      at->second.assign(was.begin(), was.end());
    }
    return at->second;
  }
  void set_reference_target(const ResolvedReference& r, u64 to) {
    const Span& field = s_[r.from.span];
    const u64 value = to + r.reference->base;
    if (!can_hold_reference(field, *r.reference, value) && !limit_)
      limit_ = make_diagnostic(
          "edit.limit", s_.path(r.from),
          {.message = "the field cannot refer to element " + std::to_string(to) + " of " + s_.path(r.list),
           .hint = "the number of the element is too large for the field"});
    if (field.kind == Span::Kind::bytes)
      edited_bytes_of(r.from.span)[size_t(*r.from.element)] = u8(value);
    else
      set_value_in_copies_too(r.from, Value(value));
  }
  /// Sets a value of an element, and the same value of those that were added as copies of it.
  void set_value_in_copies_too(const SpanRef& spot, const Value& value) {
    const std::string path = s_.path(spot);
    for (const auto& [list, order] : orders_) {
      if (order.added.empty()) continue;
      const auto own = enclosing_element(s_, spot.span, list);
      if (!own) continue;
      const std::string inside = path.substr(element_path(s_, list, *own).size());
      for (u64 k = 0; k < order.added.size(); ++k)
        if (order.added[size_t(k)].copy_of == own) set(element_path(s_, list, length(list) + k) + inside, value);
    }
    set(path, value);
  }

  // ---- references ----

  void update_references() {
    for (const ResolvedReference& r : references_.all()) {
      const ListOrder* order = find_list_order(r.list);
      if (!order || !r.count || r.is_by_name() || r.reference->chain != Chain::none || is_removed(r.from)) continue;
      if (r.is_run()) {
        update_run_reference(r, *order);
        continue;
      }
      if (r.first >= length(r.list)) continue;  // it led outside of the list before
      const auto to = new_index_of(r.list, r.first);
      if (r.from.element && none_value_of(s_[r.from.span]))
        lists_[r.from.span].push_back({*r.from.element, to ? std::optional(*to + r.reference->base) : std::nullopt});
      if (to)
        set_reference_target(r, *to);
      else if (how_ != Referrers::refuse && !r.from.element)
        set_value_in_copies_too(r.from, none_of(s_[r.from.span]));
    }
  }

  void update_run_reference(const ResolvedReference& r, const ListOrder& order) {
    u64 first = 0, count = 0;
    for (u64 p = 0; p < order.from.size(); ++p) {
      if (!r.leads_to(order.joins[size_t(p)])) continue;
      if (!count++) first = p;  // they follow each other: what joins a group goes beside one of it
    }
    if (count)
      set_reference_target(r, first);
    else
      set_value_in_copies_too(r.from, none_of(s_[r.from.span]));
    const Span& number = s_[r.count_span];
    if (count > low_bits(unsigned(field_bit_width(number))) && !limit_)
      limit_ = make_diagnostic("edit.limit", s_.path(r.count_span),
                               {.message = "the field cannot hold a count of " + format_count(count, "element")});
    set_value_in_copies_too({r.count_span, {}, 0, 0}, Value(count));
  }

  /// Lists of references lose those that lead nowhere: the others move up.
  void compact_reference_lists() {
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

  void update_self_indices() {
    for (const ResolvedReference& r : references_.all()) {
      const ListOrder* order = find_list_order(r.list);
      if (r.reference->chain != Chain::self || !order) continue;
      const auto own = enclosing_element(s_, r.from.span, r.list);
      if (!own) continue;
      const std::string inside = s_.path(r.from).substr(element_path(s_, r.list, *own).size());
      for (u64 k = 0; k < order->added.size(); ++k)
        if (const u64 e = length(r.list) + k; order->added[size_t(k)].copy_of.value_or(*own) == *own)
          set(element_path(s_, r.list, e) + inside, Value(*new_index_of(r.list, e) + r.reference->base));
      if (r.first != *own) continue;  // it was something else before
      if (const auto to = new_index_of(r.list, *own)) {
        if (!can_hold_reference(s_[r.from.span], *r.reference, *to + r.reference->base))
          set_reference_target(r, *to);  // says that it cannot
        set(s_.path(r.from), Value(*to + r.reference->base));
      }
    }
  }

  /// Chains: what moves is taken out of its place and linked beside its new neighbour.
  void update_chain_links(u32 list, const ListOrder& order) {
    const u64 n = length(list);
    Links links(n + order.added.size());
    std::vector<const ResolvedReference*> fields;
    for (const ResolvedReference& r : references_.all()) {
      if (r.reference->chain != Chain::previous && r.reference->chain != Chain::next) continue;
      if (r.list != list) continue;
      const auto own = enclosing_element(s_, r.from.span, list);
      if (!own) continue;
      fields.push_back(&r);
      if (r.count) links.of(r.reference->chain)[size_t(*own)] = r.first;
    }
    if (fields.empty()) return;
    if (order.keeps_places) return keep_positional_links(list, order, fields);
    for (u64 i = 0; i < n; ++i)
      if (!new_index_of(list, i)) links.unlink_element(i);
    for (u64 p = 0; p < order.from.size(); ++p)
      if (order.joins[size_t(p)] != order.from[size_t(p)]) links.unlink_element(order.from[size_t(p)]);
    for (u64 p = 0; p < order.from.size(); ++p) {
      const u64 e = order.from[size_t(p)], anchor = order.joins[size_t(p)];
      if (anchor == e) continue;
      const auto around = new_index_of(list, anchor);
      if (around && *around > p)
        links.link_before(e, anchor);
      else
        links.link_after(e, p ? order.from[size_t(p) - 1] : anchor);
    }
    for (const ResolvedReference* r : fields) {
      const u64 own = *enclosing_element(s_, r->from.span, list);
      if (new_index_of(list, own)) set_link(*r, own, links);
    }
    set_links_of_added(list, order, fields, links);
  }

  void keep_positional_links(u32 list, const ListOrder& order, const std::vector<const ResolvedReference*>& fields) {
    for (const ResolvedReference* r : fields) {
      const u64 place = *enclosing_element(s_, r->from.span, list), own = order.from[size_t(place)];
      if (own == place) continue;
      const std::string here = element_path(s_, list, place), there = element_path(s_, list, own);
      const std::string field = s_.path(r->from).substr(here.size());
      set(there + field, *value_before_edit(here + field));
    }
  }

  void set_link(const ResolvedReference& r, u64 own, Links& links) {
    const auto link = links.of(r.reference->chain)[size_t(own)];
    if (link && *link >= indices_.at(r.list).size()) return;  // it led outside of the list before
    const auto to = link ? new_index_of(r.list, *link) : std::nullopt;
    if (to)
      set_link_target(r, s_.path(r.from), *to);
    else if (const auto none = none_value_of(s_[r.from.span]); r.count && none)
      set(s_.path(r.from), as_number(*none));
  }
  void set_link_target(const ResolvedReference& r, const std::string& path, u64 to) {
    const u64 value = to + r.reference->base;
    if (!can_hold_reference(s_[r.from.span], *r.reference, value)) set_reference_target(r, to);  // says that it cannot
    set(path, Value(value));
  }

  /// Added elements have the same links as the others of their list.
  void set_links_of_added(u32 list, const ListOrder& order, const std::vector<const ResolvedReference*>& fields,
                          Links& links) {
    const u64 like = *enclosing_element(s_, fields.front()->from.span, list);
    for (const ResolvedReference* r : fields) {
      if (enclosing_element(s_, r->from.span, list) != like) continue;
      const std::string inside = s_.path(r->from).substr(element_path(s_, list, like).size());
      for (u64 e = length(list); e < length(list) + order.added.size(); ++e) {
        const std::string path = element_path(s_, list, e) + inside;
        const auto link = links.of(r->reference->chain)[size_t(e)];
        const auto to = link ? new_index_of(list, *link) : std::nullopt;
        if (to)
          set_link_target(*r, path, *to);
        else if (const auto none = none_value_of(s_[r->from.span]))
          set(path, as_number(*none));
      }
    }
  }

  // ---- the lists themselves ----

  void record_byte_changes() {
    for (auto& [span, content] : bytes_) {
      if (const ListOrder* order = find_list_order(span)) {
        Bytes ordered;
        for (const u64 from : order->from) ordered.push_back(content[size_t(from)]);
        content = std::move(ordered);
      }
      set(s_.path(span), Value(encode_hex(content)));
    }
  }

  /// Those inside others first, as paths count from the outside.
  void record_list_changes() {
    std::vector<u32> lists;
    for (const auto& [list, order] : orders_)
      if (!is_removed({list, {}, 0, 0}) && s_[list].kind != Span::Kind::bytes) lists.push_back(list);
    sort_stably(lists, std::greater(), [&](u32 l) {
      u32 depth = 0;
      for (u32 i = l; i; i = s_[i].parent) ++depth;
      return depth;
    });
    for (const u32 list : lists) record_list_change(list, orders_.at(list));
  }

  void record_list_change(u32 list, const ListOrder& order) {
    const u64 n = length(list) + order.added.size();
    const std::string path = s_.path(list);
    std::vector<u64> left(static_cast<size_t>(n));
    std::iota(left.begin(), left.end(), 0);
    for (u64 i = n; i-- > 0;) {
      if (new_index_of(list, i)) continue;
      const Value* gone = value_before_edit(element_path(path, i));
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

std::optional<u64> enclosing_element(const Spans& spans, u32 span, u32 list) {
  for (; span; span = spans[span].parent)
    if (spans[span].parent == list && !spans[span].key.name) return spans[span].key.index;
  return {};
}

std::optional<Diagnostic> derived_list_error(const Spans& spans, u32 list) {
  for (u32 i = list; i; i = spans[i].parent)
    if (spans[i].key.is_derived)
      return make_diagnostic("layout.derived", spans.path(list),
                             {.message = "the list is computed from the content of the file and cannot be edited"});
  return {};
}

Result<RemovedElements> collect_removed_elements(const Spans& spans, const std::map<u32, std::vector<u64>>& elements,
                                                 Referrers how,
                                                 const std::function<bool(const std::string&)>& is_made) {
  const References references(spans);
  RemovedElements removed;
  std::vector<std::pair<u32, u64>> next;
  const auto mark_removed = [&](u32 l, u64 i) {
    auto& those = removed[l];
    those.resize(size_t(spans.length(l)), false);
    if (!those[size_t(i)]) next.push_back({l, i});
    those[size_t(i)] = true;
  };
  for (const auto& [list, those] : elements)
    for (const u64 e : those) mark_removed(list, e);
  std::vector<std::string> referrers;
  std::string first_target;
  const auto process_referrer = [&](const ResolvedReference& r, u32 l, u64 i) {
    if (r.reference->chain != Chain::none || is_in_removed_element(spans, removed, r.from)) return;
    if (r.is_run()) {
      // A group without elements leads nowhere; before that it only becomes smaller.
      for (u64 k = r.first; k < std::min(r.first + r.count, u64(removed[l].size())); ++k)
        if (!removed[l][size_t(k)]) return;
    }
    const bool can_unlink = r.is_run() || none_value_of(spans[r.from.span]);
    if (how != Referrers::refuse && r.from.element && !can_unlink)
      return mark_removed(r.from.span, *r.from.element);  // a list without a value for none becomes shorter
    const auto around = enclosing_list_element(spans, r.from.span);
    const bool comes_again = is_made(spans.path(r.from));
    if ((how == Referrers::cascade || comes_again) && !r.from.element && around)
      return mark_removed(around->first, around->second);
    if (comes_again || (how != Referrers::refuse && can_unlink)) return;
    if (referrers.empty()) first_target = element_path(spans, l, i);
    referrers.push_back(spans.path(r.from));
  };
  while (!next.empty()) {
    const auto [l, i] = next.back();
    next.pop_back();
    for (const ResolvedReference* r : references.to(l, i)) process_referrer(*r, l, i);
  }
  if (referrers.empty()) return removed;
  sort_stably(referrers);
  referrers.erase(std::unique(referrers.begin(), referrers.end()), referrers.end());
  return refuse(
      "edit.referred", first_target,
      {.message = "the element is still referred to by " + join_first_few(referrers),
       .hint = how == Referrers::refuse
                   ? "{--unlink} clears these references; {--cascade} also removes the elements that contain them"
                   : "these references cannot be cleared; change them to refer to other elements first"});
}

Result<Changes> compute_list_changes(const Spans& spans, const Value& document, const ListOrders& orders,
                                     const RemovedElements& removed, Referrers how) {
  return Arrangement(spans, document, orders, removed, how).run();
}

}  // namespace dio
