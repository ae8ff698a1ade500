#include "operations/editing.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/printing.hpp"
#include "core/sorting.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"
#include "layout/leaf.hpp"
#include "layout/poke.hpp"
#include "layout/selector.hpp"
#include "layout/text_encoding.hpp"
#include "operations/operations.hpp"
#include "scene/placing.hpp"

namespace dio {

namespace {

std::string element_path(const Spans& spans, u32 list, u64 index) { return dio::element_path(spans.path(list), index); }

/// The element of a list that a span is in or is; nothing if it is not inside that list.
std::optional<u64> element_around(const Spans& spans, u32 span, u32 list) {
  for (; span; span = spans[span].parent)
    if (spans[span].parent == list && !spans[span].key.name) return spans[span].key.index;
  return {};
}

/// The nearest list of structures around a span, and the element of it.
std::optional<std::pair<u32, u64>> nearest_element(const Spans& spans, u32 span) {
  for (; span; span = spans[span].parent)
    if (!spans[span].key.name && spans[spans[span].parent].kind == Span::Kind::list)
      return std::pair{spans[span].parent, u64(spans[span].key.index)};
  return {};
}

/// Why a list cannot be edited, if it cannot: what is computed from the content of the file follows from other edits.
std::optional<Diagnostic> derived(const Spans& spans, u32 list) {
  for (u32 i = list; i; i = spans[i].parent)
    if (spans[i].key.is_derived)
      return make_diagnostic("layout.derived", spans.path(list),
                             {.message = "the list is computed from the content of the file and cannot be edited"});
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

/// Whether a value is in an element that is removed, or is one.
bool goes(const Spans& spans, const std::map<u32, std::vector<bool>>& removed, const Spot& spot) {
  for (const auto& [list, those] : removed) {
    if (spot.element && list == spot.span && those[size_t(*spot.element)]) return true;
    if (const auto i = element_around(spans, spot.span, list); i && those[size_t(*i)]) return true;
  }
  return false;
}

}  // namespace

// ---- the document ----

Result<Editing> Editing::begin(ByteView file, const ReadAs& as, bool lossy) {
  Editing e;
  e.as_ = as;
  e.lossy_ = lossy;
  if (auto taken = e.take(Bytes(file.begin(), file.end())); !taken) return refuse(std::move(taken.error()));
  return e;
}

Result<bool> Editing::take(Bytes file) {
  Traced traced = as_.format->trace(file, as_.options);
  if (traced.stop) return refuse(std::move(*traced.stop));
  const auto opened = open(file, {}, as_);
  if (!opened) return refuse(opened.error());
  value_ = decode(*opened);
  bytes_ = std::move(file);
  traced_ = std::move(traced);
  traced_.spans.file = bytes_;
  document() = spans().value(0);  // numbers as the file has them, not as JSON writes them
  return true;
}

Result<bool> Editing::renew() {
  auto bytes = encode(value_, {.lossy = lossy_});
  if (!bytes) return refuse(std::move(bytes.error()));
  Traced traced = as_.format->trace(*bytes, as_.options);
  if (traced.stop) return refuse(std::move(*traced.stop));
  bytes_ = std::move(*bytes);
  traced_ = std::move(traced);
  traced_.spans.file = bytes_;
  return true;
}

Result<Bytes> Editing::save(SaveOptions options) const {
  if (options.canonical) return encode(value_, options);
  return bytes_;
}

Result<bool> Editing::make(Changes changes, bool is_part) {
  if (auto done = apply_changes(document(), changes); !done) return done;
  if (auto done = renew(); !done) {
    (void)apply_changes(document(), inverse(changes));
    return done;
  }
  // What the format settled by itself: an end of a list, an order, a table of what is where. Then the values are those
  // of the file, and give its bytes again.
  for (int tries = 0;; ++tries) {
    Changes settled;
    settle(0, document(), {}, settled);
    if (settled.empty()) break;
    (void)apply_changes(document(), settled);
    changes.insert(changes.end(), std::make_move_iterator(settled.begin()), std::make_move_iterator(settled.end()));
    auto renewed = tries < 4
                       ? renew()
                       : refuse("layout.requires", {}, {.message = "the file would not be read as it was written"});
    if (renewed) continue;
    (void)apply_changes(document(), inverse(changes));
    (void)renew();
    return renewed;
  }
  log_.resize(done_);
  if (is_part && done_) {
    Changes& all = log_.back().changes;
    all.insert(all.end(), std::make_move_iterator(changes.begin()), std::make_move_iterator(changes.end()));
  } else {
    log_.push_back({.changes = std::move(changes)});
    ++done_;
  }
  return true;
}

void Editing::settle(u32 span, const Value& value, const std::string& path, Changes& changes) const {
  const Span& s = spans()[span];
  if (s.key.is_derived) return;  // computed again for each file
  const auto replace = [&] {
    Value now = spans().value(span);
    if (!(now == value))
      changes.push_back({.kind = Change::Kind::set, .path = path, .before = value, .after = std::move(now)});
  };
  const bool is_tree = s.kind == Span::Kind::object || s.kind == Span::Kind::list;
  if (!is_tree || !value.is(s.kind == Span::Kind::list ? Value::Kind::list : Value::Kind::object)) return replace();
  std::vector<std::pair<u32, const Value*>> parts;
  bool same = true;
  spans().each_child(span, [&](u32 i) {
    if (!spans()[i].is_value()) return;
    const Key& k = spans()[i].key;
    parts.push_back({i, k.name ? value.find(k.name) : value.at(k.index)});
    same &= parts.back().second != nullptr;
  });
  if (!same || parts.size() != value.size()) return replace();
  for (const auto& [i, part] : parts) {
    const Key& k = spans()[i].key;
    settle(i, *part, k.name ? path + (path.empty() ? "" : ".") + k.name : path + "[" + std::to_string(k.index) + "]",
           changes);
  }
}

void Editing::go(const Made& made, bool back) {
  if (made.is_whole) {
    (void)take(back ? made.before : made.after);
    return;
  }
  (void)apply_changes(document(), back ? inverse(made.changes) : made.changes);
  (void)renew();
}
void Editing::undo() {
  if (can_undo()) go(log_[--done_], true);
}
void Editing::redo() {
  if (can_redo()) go(log_[done_++], false);
}
void Editing::give_up() {
  undo();
  log_.resize(done_);
}

// ---- which elements, and where to ----

Result<std::pair<u32, std::vector<u64>>> Editing::elements_of(std::string_view typed) const {
  auto spots = select(spans(), typed);
  if (!spots) return refuse(std::move(spots.error()));
  u32 list = 0;
  std::vector<u64> out;
  for (const Spot& spot : *spots) {
    const u32 own = spot.element ? spot.span : spans()[spot.span].parent;
    const bool is_element = spot.element || (spot.span && !spans()[spot.span].key.name);
    if (!is_element)
      return refuse("layout.type", std::string(typed),
                    {.message = "the path leads to no element of a list", .hint = "elements have an index: GOBJ[3]"});
    if (list && list != own)
      return refuse("layout.type", std::string(typed), {.message = "the elements are in several lists"});
    list = own;
    out.push_back(spot.element ? *spot.element : spans()[spot.span].key.index);
  }
  if (auto why = derived(spans(), list)) return refuse(std::move(*why));
  sort_stably(out);
  return std::pair{list, std::move(out)};
}

Result<Editing::Order> Editing::order_to(u32 list, const std::vector<u64>& elements, const Destination& to,
                                         u64 size) const {
  const u64 n = spans().length(list), anchor = to.before ? *to.before : *to.after;
  if (anchor >= size)
    return refuse("path.unknown", element_path(spans(), list, anchor),
                  {.message = "the list has " + counted(size, "element")});
  std::vector<bool> moves(size_t(n), false);
  for (const u64 e : elements) moves[size_t(e)] = true;
  // Moved beside one of themselves, they gather there.
  Order out;
  const auto put_moved = [&] {
    for (const u64 e : elements) {
      out.from.push_back(e);
      out.joins.push_back(anchor);
    }
  };
  for (u64 i = 0; i < n; ++i) {
    if (i == anchor && to.before) put_moved();
    if (!moves[size_t(i)]) {
      out.from.push_back(i);
      out.joins.push_back(i);
    }
    if (i == anchor && !to.before) put_moved();
  }
  return out;
}

// ---- references ----

/// Whether something is made again once other things have changed.
static bool comes_due(const Format& format, const std::string& path) {
  return std::ranges::any_of(edits_of(format), [&](const Edit& e) { return e.is_due && e.is_made(path); });
}

Result<Editing::Removed> Editing::removed_with(const std::map<u32, std::vector<u64>>& elements, Referrers how) const {
  const References references(spans());
  Removed removed;
  std::vector<std::pair<u32, u64>> next;
  const auto take = [&](u32 l, u64 i) {
    auto& those = removed[l];
    those.resize(size_t(spans().length(l)), false);
    if (!those[size_t(i)]) next.push_back({l, i});
    those[size_t(i)] = true;
  };
  const auto goes_along = [&](const Spot& spot) { return goes(spans(), removed, spot); };
  for (const auto& [list, those] : elements)
    for (const u64 e : those) take(list, e);
  std::vector<std::string> referrers;
  std::string first_target;
  while (!next.empty()) {
    const auto [l, i] = next.back();
    next.pop_back();
    for (const Referral* r : references.to(l, i)) {
      if (r->reference->chain != Reference::Chain::none || goes_along(r->from)) continue;
      if (r->is_run()) {
        // A group without elements leads nowhere; before that it only becomes smaller.
        bool is_empty = true;
        for (u64 k = r->first; k < std::min(r->first + r->count, u64(removed[l].size())); ++k)
          is_empty &= removed[l][size_t(k)];
        if (!is_empty) continue;
      }
      const bool can_unlink = r->is_run() || nowhere_of(spans()[r->from.span]);
      if (how != Referrers::refuse && r->from.element &&
          !can_unlink) {  // a list without a value for none becomes shorter
        take(r->from.span, *r->from.element);
        continue;
      }
      const auto around = nearest_element(spans(), r->from.span);
      const bool comes_again = comes_due(*as_.format, spans().path(r->from));
      if ((how == Referrers::cascade || comes_again) && !r->from.element && around) {
        take(around->first, around->second);
        continue;
      }
      if (comes_again) continue;
      if (how != Referrers::refuse && can_unlink) continue;
      if (referrers.empty()) first_target = element_path(spans(), l, i);
      referrers.push_back(spans().path(r->from));
    }
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

namespace {

/// The new place of each element of a list; nothing for those that are gone.
std::vector<std::optional<u64>> places_of(const std::vector<u64>& from, u64 length) {
  std::vector<std::optional<u64>> out;
  out.resize(size_t(length));
  for (u64 p = 0; p < from.size(); ++p) out[size_t(from[size_t(p)])] = p;
  return out;
}

/// Elements that are linked to the one before and the one after. Links are indices, or nothing.
struct Chain {
  std::vector<std::optional<u64>> previous, next;
  explicit Chain(u64 n) : previous(size_t(n)), next(size_t(n)) {}
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

}  // namespace

Editing::Order Editing::unchanged(u64 n) {
  Order order;
  order.from.resize(size_t(n));
  std::iota(order.from.begin(), order.from.end(), 0);
  order.joins = order.from;
  return order;
}

Result<bool> Editing::arrange(const std::map<u32, Order>& orders, const Removed& removed, Referrers how, bool is_part) {
  const Spans& s = spans();
  const References references(s);
  Changes sets;
  const auto set = [&](const std::string& path, Value after) {
    const Value* before = value_at(document(), path);
    if (!before || *before == after) return;
    for (Change& c : sets)
      if (c.path == path) return void(c.after = std::move(after));
    sets.push_back({.kind = Change::Kind::set, .path = path, .before = *before, .after = std::move(after)});
  };
  const auto is_gone = [&](const Spot& spot) { return goes(s, removed, spot); };
  std::optional<Diagnostic> limit;
  std::map<u32, Bytes> bytes;  // references that are bytes of a text of hex digits
  const auto bytes_of = [&](u32 span) -> Bytes& {
    const auto [at, is_new] = bytes.try_emplace(span);
    if (is_new) {
      const ByteView was = s.file.subspan(size_t(s[span].offset), size_t(s[span].size));
      at->second.assign(was.begin(), was.end());
    }
    return at->second;
  };
  const auto lead = [&](const Referral& r, u64 to) {
    const Span& field = s[r.from.span];
    const u64 value = to + r.reference->base;
    if (!can_lead(field, *r.reference, value) && !limit)
      limit = make_diagnostic(
          "edit.limit", s.path(r.from),
          {.message = "the field cannot refer to element " + std::to_string(to) + " of " + s.path(r.list),
           .hint = "its largest number is below that"});
    if (field.kind == Span::Kind::bytes)
      bytes_of(r.from.span)[size_t(*r.from.element)] = u8(value);
    else
      set(s.path(r.from), Value(value));
  };

  std::map<u32, std::vector<std::optional<u64>>> places;
  for (const auto& [list, order] : orders) {
    places.emplace(list, places_of(order.from, s.length(list)));
    if (s[list].kind == Span::Kind::bytes && !is_gone({list, {}, 0, 0})) bytes_of(list);
  }

  // Lists of references lose those that lead nowhere: the others move up.
  std::map<u32, std::vector<std::pair<u64, std::optional<u64>>>> lists;

  for (const Referral& r : references.all()) {
    const auto found = orders.find(r.list);
    if (found == orders.end() || !r.count || r.is_by_name() || is_gone(r.from)) continue;
    const auto& place = places.at(r.list);
    const Order& order = found->second;
    if (r.reference->chain != Reference::Chain::none) continue;
    if (r.is_run()) {
      u64 first = 0, count = 0;
      for (u64 p = 0; p < order.from.size(); ++p) {
        if (!r.leads_to(order.joins[size_t(p)])) continue;
        if (!count++) first = p;  // they follow each other: what joins a group goes beside one of it
      }
      if (count)
        lead(r, first);
      else
        set(s.path(r.from), as_number(nowhere_of(s[r.from.span]).value_or(0)));
      const Span& number = s[r.count_span];
      if (count > low_bits(unsigned(bits_of(number))))
        return refuse("edit.limit", s.path(r.count_span),
                      {.message = "the field cannot hold a count of " + counted(count, "element")});
      set(s.path(r.count_span), Value(count));
      continue;
    }
    if (r.first >= place.size()) continue;  // it led outside of the list before
    const auto to = place[size_t(r.first)];
    if (r.from.element && nowhere_of(s[r.from.span]))
      lists[r.from.span].push_back({*r.from.element, to ? std::optional(*to + r.reference->base) : std::nullopt});
    if (to)
      lead(r, *to);
    else if (how != Referrers::refuse && !r.from.element)
      set(s.path(r.from), as_number(*nowhere_of(s[r.from.span])));
  }
  if (limit) return refuse(std::move(*limit));

  for (const auto& [span, those] : lists) {
    if (std::ranges::none_of(those, [](const auto& x) { return !x.second; })) continue;
    std::vector<Value> kept;
    for (u64 e = 0; e < s.count(s[span]); ++e) {
      const auto own = std::ranges::find(those, e, &std::pair<u64, std::optional<u64>>::first);
      if (own != those.end() && !own->second) continue;
      kept.push_back(own != those.end() ? Value(*own->second) : s.element(s[span], e));
    }
    const Value none = as_number(nowhere_of(s[span]).value_or(0));
    for (u64 e = 0; e < s.count(s[span]); ++e)
      set(s.path(span) + "[" + std::to_string(e) + "]", e < kept.size() ? kept[size_t(e)] : none);
  }

  // Indices of elements in themselves.
  for (const Referral& r : references.all()) {
    const auto found = orders.find(r.list);
    if (r.reference->chain != Reference::Chain::self || found == orders.end()) continue;
    const auto own = element_around(s, r.from.span, r.list);
    if (!own || r.first != *own) continue;  // it was something else before
    if (const auto to = places.at(r.list)[size_t(*own)]) lead(r, *to);
  }

  // Chains: what moves is taken out of its place and linked beside its new neighbour.
  for (const auto& [list, order] : orders) {
    const u64 n = s.length(list);
    Chain chain(n);
    std::vector<const Referral*> links;
    for (const Referral& r : references.all()) {
      if (r.reference->chain != Reference::Chain::previous && r.reference->chain != Reference::Chain::next) continue;
      if (r.list != list) continue;
      const auto own = element_around(s, r.from.span, list);
      if (!own) continue;
      links.push_back(&r);
      auto& to = r.reference->chain == Reference::Chain::previous ? chain.previous : chain.next;
      if (r.count) to[size_t(*own)] = r.first;
    }
    if (links.empty()) continue;
    if (order.keeps_places) {  // links are those of the places
      for (const Referral* r : links) {
        const u64 place = *element_around(s, r->from.span, list), own = order.from[size_t(place)];
        if (own == place) continue;
        const std::string here = element_path(s, list, place), there = element_path(s, list, own);
        const std::string field = s.path(r->from).substr(here.size());
        set(there + field, *value_at(document(), here + field));
      }
      continue;
    }
    for (u64 i = 0; i < n; ++i)
      if (!places.at(list)[size_t(i)]) chain.take_out(i);
    for (u64 p = 0; p < order.from.size(); ++p)
      if (order.joins[size_t(p)] != order.from[size_t(p)]) chain.take_out(order.from[size_t(p)]);
    for (u64 p = 0; p < order.from.size(); ++p) {
      const u64 e = order.from[size_t(p)], anchor = order.joins[size_t(p)];
      if (anchor == e) continue;
      const auto around = places.at(list)[size_t(anchor)];
      if (around && *around > p)
        chain.put_before(e, anchor);
      else
        chain.put_after(e, p ? order.from[size_t(p) - 1] : anchor);
    }
    for (const Referral* r : links) {
      const u64 own = *element_around(s, r->from.span, list);
      if (!places.at(list)[size_t(own)]) continue;
      const auto link = (r->reference->chain == Reference::Chain::previous ? chain.previous : chain.next)[size_t(own)];
      if (link && *link >= n) continue;  // it led outside of the list before
      const auto to = link ? places.at(list)[size_t(*link)] : std::nullopt;
      if (to)
        lead(*r, *to);
      else if (const auto none = nowhere_of(s[r->from.span]); r->count && none)
        set(s.path(r->from), as_number(*none));
    }
    if (limit) return refuse(std::move(*limit));
  }

  // The lists themselves: those inside others first, as paths count from the outside.
  std::vector<u32> lists_to_change;
  for (const auto& [list, order] : orders)
    if (!is_gone({list, {}, 0, 0})) lists_to_change.push_back(list);
  sort_stably(lists_to_change, std::greater(), [&](u32 l) {
    u32 depth = 0;
    for (u32 i = l; i; i = s[i].parent) ++depth;
    return depth;
  });
  for (auto& [span, content] : bytes) {
    if (const auto order = orders.find(span); order != orders.end()) {
      Bytes ordered;
      for (const u64 from : order->second.from) ordered.push_back(content[size_t(from)]);
      content = std::move(ordered);
    }
    set(s.path(span), Value(hex_digits(content)));
  }
  Changes changes = std::move(sets);
  for (const u32 list : lists_to_change) {
    if (s[list].kind == Span::Kind::bytes) continue;
    const Order& order = orders.at(list);
    const auto& place = places.at(list);
    const std::string path = s.path(list);
    // What is removed is kept as it is then, with its references.
    Value* now = value_at(document(), path);
    if (!now || now->size() != s.length(list)) continue;  // computed from the rest
    std::vector<u64> left(size_t(s.length(list)));
    std::iota(left.begin(), left.end(), 0);
    for (u64 i = place.size(); i-- > 0;) {
      if (place[size_t(i)]) continue;
      changes.push_back({.kind = Change::Kind::remove, .path = path, .index = i, .before = *now->at(size_t(i))});
      left.erase(left.begin() + std::ptrdiff_t(i));
    }
    std::vector<u32> permutation;
    for (const u64 from : order.from) permutation.push_back(u32(std::ranges::lower_bound(left, from) - left.begin()));
    if (!std::ranges::is_sorted(permutation))
      changes.push_back({.kind = Change::Kind::order, .path = path, .order = permutation});
  }
  return make(std::move(changes), is_part);
}

// ---- the edits ----

std::string Editing::told(std::string what) const {
  u64 followed = 0;
  std::vector<std::string> added;  // their own values are not references that follow
  for (const Change& c : last()) {
    if (c.kind == Change::Kind::insert) added.push_back(dio::element_path(c.path, c.index) + ".");
    const auto is_in = [&](const std::string& element) { return c.path.starts_with(element); };
    followed += c.kind == Change::Kind::set && std::ranges::none_of(added, is_in);
  }
  if (followed) what += "; " + counted(followed, "reference") + " updated";
  return what;
}

std::string Editing::names_of(u32 list, const std::vector<u64>& elements) const {
  std::string out = spans().path(list) + "[";
  for (size_t i = 0; i < elements.size();) {
    size_t last = i;
    while (last + 1 < elements.size() && elements[last + 1] == elements[last] + 1) ++last;
    out += (i ? "," : "") + std::to_string(elements[i]);
    if (last > i) out += "-" + std::to_string(elements[last]);
    i = last + 1;
  }
  return out + "]";
}

Result<std::string> Editing::remove(std::string_view typed, Referrers how) {
  const auto found = elements_of(typed);
  if (!found) return refuse(found.error());
  return remove(std::map{*found}, how);
}

Result<std::string> Editing::remove(const std::vector<std::string>& typed, Referrers how) {
  std::map<u32, std::vector<u64>> all;
  for (const std::string& t : typed) {
    const auto found = elements_of(t);
    if (!found) return refuse(found.error());
    auto& those = all[found->first];
    those.insert(those.end(), found->second.begin(), found->second.end());
  }
  return remove(all, how);
}

Result<std::string> Editing::remove(const std::map<u32, std::vector<u64>>& elements, Referrers how) {
  const auto removed = removed_with(elements, how);
  if (!removed) return refuse(removed.error());
  std::string what;
  std::map<u32, Order> orders;
  for (const auto& [list, those] : *removed) {
    Order& order = orders[list];
    std::vector<u64> gone;
    for (u64 i = 0; i < those.size(); ++i) {
      if (those[size_t(i)])
        gone.push_back(i);
      else
        order.from.push_back(i);
    }
    order.joins = order.from;
    if (elements.contains(list) || !comes_due(*as_.format, spans().path(list)))
      what += (what.empty() ? "removed " : ", ") + names_of(list, gone);
  }
  if (auto made = arrange(orders, *removed, how == Referrers::refuse ? how : Referrers::unlink, false); !made)
    return refuse(std::move(made.error()));
  return told(std::move(what));
}

Result<std::string> Editing::move(std::string_view typed, Destination to) {
  const auto found = elements_of(typed);
  if (!found) return refuse(found.error());
  const auto& [list, elements] = *found;
  const auto order = order_to(list, elements, to, spans().length(list));
  if (!order) return refuse(order.error());
  const std::string what = "moved " + names_of(list, elements) + " to ";
  std::vector<u64> places;
  for (u64 p = 0; p < order->from.size(); ++p)
    if (std::ranges::binary_search(elements, order->from[size_t(p)])) places.push_back(p);
  const std::string there = names_of(list, places);
  if (auto made = arrange({{list, *order}}, {}, Referrers::refuse, false); !made)
    return refuse(std::move(made.error()));
  return told(what + there);
}

Result<std::string> Editing::swap(std::string_view one, std::string_view other) {
  const auto a = elements_of(one), b = elements_of(other);
  if (!a) return refuse(a.error());
  if (!b) return refuse(b.error());
  if (a->first != b->first || a->second.size() != 1 || b->second.size() != 1)
    return refuse("layout.type", std::string(other), {.message = "only two elements of one list can change places"});
  Order order = unchanged(spans().length(a->first));
  order.keeps_places = true;
  std::swap(order.from[size_t(a->second[0])], order.from[size_t(b->second[0])]);
  const std::string what = "swapped " + names_of(a->first, a->second) + " and " + names_of(b->first, b->second);
  if (auto made = arrange({{a->first, order}}, {}, Referrers::refuse, false); !made)
    return refuse(std::move(made.error()));
  return told(what);
}

/// Whether one value comes before another: numbers by size, texts by their bytes.
static bool comes_before(const Value& a, const Value& b) {
  if (a.is(Value::Kind::text) || b.is(Value::Kind::text)) return a.text() < b.text();
  return a.number() < b.number();
}

Result<std::string> Editing::sort(std::string_view typed, const std::vector<std::string>& by) {
  const auto list = select_list(spans(), typed);
  if (!list) return refuse(list.error());
  if (auto why = derived(spans(), *list)) return refuse(std::move(*why));
  const u64 n = spans().length(*list);
  std::vector<std::vector<Value>> keys;
  keys.resize(size_t(n));
  for (u64 i = 0; i < n; ++i)
    for (std::string_view path : by) {
      if (path.starts_with('-')) path.remove_prefix(1);
      const std::string element = element_path(spans(), *list, i), full = element + "." + std::string(path);
      const auto spot = spans().find(full);
      if (!spot)
        return refuse("path.unknown", full, {.message = "no value has this path, so the list cannot be sorted by it"});
      keys[size_t(i)].push_back(spans().value(*spot));
    }
  Order order = unchanged(n);
  order.keeps_places = true;
  const auto is_before = [&](u64 a, u64 b) {
    for (size_t k = 0; k < by.size(); ++k) {
      const bool falls = by[k].starts_with('-');
      const Value &x = keys[size_t(falls ? b : a)][k], &y = keys[size_t(falls ? a : b)][k];
      if (comes_before(x, y)) return true;
      if (comes_before(y, x)) return false;
    }
    return a < b;  // equal ones stay in their order
  };
  sort_stably(order.from, is_before);
  const std::string what = "sorted " + spans().path(*list);
  if (auto made = arrange({{*list, order}}, {}, Referrers::refuse, false); !made)
    return refuse(std::move(made.error()));
  return told(what);
}

Result<u64> Editing::insert(u64 n, const std::function<Changes(u64)>& at) {
  auto made = make(at(n), false);
  if (made) return n;
  if (n == 0 || made.error().id != "layout.requires") return refuse(std::move(made.error()));
  if (make(at(n - 1), false)) return n - 1;
  return refuse(std::move(made.error()));
}

/// A name that no element of a list has: roof, roof_2. At most as long as the longest there, if `is_short`.
static std::string free_name(const Value& list, const std::string& name, bool is_short) {
  size_t longest = 0;
  std::vector<std::string> taken;
  for (const Value::Member& m : list.members())
    if (const Value* other = m.second.find("name"); other && other->is(Value::Kind::text)) {
      longest = std::max(longest, other->text().size());
      taken.push_back(other->text());
    }
  for (u64 n = 2;; ++n) {
    const std::string end = "_" + std::to_string(n);
    if (is_short && end.size() > longest) return name;
    const std::string made = name.substr(0, is_short ? std::min(name.size(), longest - end.size()) : name.size()) + end;
    if (std::ranges::find(taken, made) == taken.end()) return made;
  }
}

static bool has_unique_names(const Value& list) {
  std::set<std::string_view> seen;
  return std::ranges::all_of(list.members(), [&](const Value::Member& m) {
    const Value* name = m.second.is(Value::Kind::object) ? m.second.find("name") : nullptr;
    return name && name->is(Value::Kind::text) && !name->text().empty() && seen.insert(name->text()).second;
  });
}

Result<std::string> Editing::duplicate(std::string_view typed, Destination to) {
  const auto found = elements_of(typed);
  if (!found) return refuse(found.error());
  const auto& [list, elements] = *found;
  const u64 n = spans().length(list);
  const std::string list_path = spans().path(list), what = "duplicated " + names_of(list, elements) + " as ";
  struct Copy {
    Value element;
    std::vector<std::string> to_itself;  // the paths of links in it that lead to itself
    std::string name = {};
  };
  std::vector<Copy> copies;
  for (const References references(spans()); const u64 e : elements) {
    const std::string path = element_path(spans(), list, e);
    Copy& copy = copies.emplace_back(Copy{*value_at(document(), path), {}});
    if (const Value* name = copy.element.find("name"); name && name->is(Value::Kind::text)) copy.name = name->text();
    // Links to neighbours are those of its new place.
    for (const Referral& r : references.all()) {
      if (r.reference->chain == Reference::Chain::none || element_around(spans(), r.from.span, list) != e) continue;
      const auto none = nowhere_of(spans()[r.from.span]);
      const std::string inside = spans().path(r.from).substr(path.size() + 1);
      Value* link = value_at(copy.element, inside);
      if (link && r.reference->chain == Reference::Chain::self)
        copy.to_itself.push_back(inside);
      else if (link && none)
        *link = Value(u64(*none));
    }
  }
  const auto put_copies = [&](u64 at) {
    Changes changes;
    for (const Copy& copy : copies) {
      Value element = copy.element;
      for (const std::string& link : copy.to_itself) *value_at(element, link) = Value(at + changes.size());
      changes.push_back(
          {.kind = Change::Kind::insert, .path = list_path, .index = at + changes.size(), .after = std::move(element)});
    }
    return changes;
  };
  const auto name_copies = [&](bool is_short) {
    Value all = *value_at(document(), list_path);
    for (Copy& copy : copies) {
      if (Value* name = copy.element.find("name"); name && !copy.name.empty())
        *name = Value(free_name(all, copy.name, is_short));
      all.push(copy.element);
    }
  };
  // Some lists must have unique names, in others they are if nobody says otherwise, and are known by them.
  const bool are_unique = has_unique_names(*value_at(document(), list_path));
  if (are_unique) name_copies(false);
  auto inserted = insert(n, put_copies);
  for (const bool is_short : {false, true}) {
    if (inserted || inserted.error().id != "layout.requires") break;
    name_copies(is_short);
    inserted = insert(n, put_copies);
  }
  if (!inserted && are_unique) {  // there is no room for a longer name
    for (Copy& copy : copies)
      if (Value* name = copy.element.find("name")) *name = Value(copy.name);
    inserted = insert(n, put_copies);
  }
  if (!inserted) return refuse(inserted.error());
  return place_new(list_path, *inserted, n, elements.size(), to, elements.back(), what);
}

Result<std::string> Editing::place_new(const std::string& path, u64 at, u64 n, u64 count, Destination to, u64 beside,
                                       std::string what) {
  if (!to.before && !to.after) to.after = beside;
  const auto added = spans().find(path);
  if (added && spans().length(added->span) == n) {  // the list ends before it, or with it
    give_up();
    return refuse("edit.argument", path,
                  {.message = "a new element would not be part of this list",
                   .hint = "`duplicate` copies one that is there; then set its values"});
  }
  if (!added || spans().length(added->span) != n + count)
    return told(what + path);  // the format has an order of its own
  std::vector<u64> places{};
  places.resize(size_t(count));
  std::iota(places.begin(), places.end(), at);
  if (at) {
    const u32 list = spans().find(path)->span;
    const auto order = order_to(list, places, to, at);
    const auto arranged = order ? arrange({{list, *order}}, {}, Referrers::refuse, true) : refuse(order.error());
    if (!arranged) {
      give_up();
      return refuse(arranged.error());
    }
    places.clear();
    for (u64 p = 0; p < order->from.size(); ++p)
      if (const u64 from = order->from[size_t(p)]; from >= at && from - at < count) places.push_back(p);
  }
  return told(what + names_of(spans().find(path)->span, places));
}

Result<std::string> Editing::add(std::string_view typed, const std::vector<Assignment>& fields, Destination to) {
  // A list in a part that the file does not have yet comes with the part.
  std::string path(typed);
  u64 n = 0;
  bool is_of_numbers = false;
  if (const auto list = select_list(spans(), typed)) {
    if (auto why = derived(spans(), *list)) return refuse(std::move(*why));
    path = spans().path(*list);
    n = spans().length(*list);
    is_of_numbers = spans()[*list].kind == Span::Kind::numbers;
  } else if (list.error().id != "path.unknown")
    return refuse(list.error());
  const auto with_element = [&](u64 at) -> Result<Value> {
    Value longer = document();
    if (auto grown = grow(longer, path, at, is_of_numbers); !grown) return refuse(std::move(grown.error()));
    // Names from the start: some lists have unique ones.
    Value* made = value_at(longer, dio::element_path(path, at));
    const Value* like = value_at(document(), dio::element_path(path, 0));
    if (made && made->is(Value::Kind::object) && like)
      for (const Assignment& f : fields)
        if (const Value* text = like->find(f.path); text && text->is(Value::Kind::text) && !made->find(f.path))
          made->add(f.path, f.value);
    return as_.format->complete(longer);
  };
  u64 blank = n;
  auto complete = with_element(blank);
  if (!complete && n && complete.error().id == "layout.requires")  // the last element ends the list
    if (auto before_last = with_element(n - 1)) complete = std::move(before_last), blank = n - 1;
  if (!complete) return refuse(std::move(complete.error()));
  const bool is_new_part = !value_at(document(), path);
  Value* made_list = value_at(*complete, path);
  const Value* element = made_list ? made_list->at(size_t(blank)) : nullptr;
  if (!element)
    return refuse("edit.argument", path,
                  {.message = "a new element of this list cannot be made from nothing but its fields",
                   .hint = "`duplicate` copies an existing one"});
  const bool has_fields = element->is(Value::Kind::object);
  if (!has_fields)
    for (const Assignment& f : fields)
      if (f.path != "value")
        return refuse("edit.argument", path,
                      {.message = "elements of this list have no field " + in_quotes(f.path),
                       .hint = "value=... is the element itself"});
  const auto inserted = insert(n, [&](u64 at) {
    Changes changes;
    if (is_new_part) {
      const std::string part = path.substr(0, path.find_first_of(".["));
      changes.push_back({.kind = Change::Kind::put, .path = part, .after = *value_at(*complete, part)});
    } else
      changes.push_back({.kind = Change::Kind::insert, .path = path, .index = at, .after = *element});
    return changes;
  });
  if (!inserted) return refuse(inserted.error());
  const u64 at = *inserted;
  std::vector<Assignment> there;
  for (const References references(spans()); const Referral& r : references.all())
    if (r.reference->chain == Reference::Chain::self && spans().path(r.list) == path &&
        element_around(spans(), r.from.span, r.list) == at)
      there.push_back({spans().path(r.from), std::to_string(at)});
  if (!fields.empty() || !there.empty()) {
    const std::string made = path + "[" + std::to_string(at) + "]";
    for (const Assignment& f : fields) there.push_back({has_fields ? made + "." + f.path : made, f.value});
    if (auto assigned = assign(there, true); !assigned) {
      give_up();
      Diagnostic& why = assigned.error();
      why.place = Place::in_file(why.place.file, why.place.path);  // no file has the element at an offset yet
      return refuse(std::move(why));
    }
  }
  return place_new(path, at, n, 1, to, at ? at - 1 : 0, "added ");
}

/// An element like that one, with nothing in it: what it has in fields is added later.
static Value blank_like(const Value& other) {
  switch (other.kind()) {
    case Value::Kind::list: {
      Value v = Value::list();
      for (const Value::Member& m : other.members()) v.push(blank_like(m.second));
      return v;
    }
    case Value::Kind::integer:
      return Value(u64(0));
    case Value::Kind::real:
      return Value(0.0);
    case Value::Kind::text:
      return Value("");
    case Value::Kind::boolean:
      return Value(false);
    default:
      return Value::object();
  }
}

Result<bool> Editing::grow(Value& document, const std::string& path, u64 at, bool is_of_numbers) {
  const auto unknown = [&] {
    return refuse("path.unknown", path,
                  {.message = "the file has no such list", .hint = "`dio tree` lists the values"});
  };
  if (path.find('[') != path.npos && !value_at(document, path)) return unknown();
  Value* list = value_at(document, path);
  if (!list) {
    const size_t dot = path.find('.');
    if (dot == path.npos || path.find('.', dot + 1) != path.npos || document.find(path.substr(0, dot)))
      return unknown();
    list = &document.add(path.substr(0, dot), Value::object()).add(path.substr(dot + 1), Value::list());
  }
  const Value* like = list->at(0);
  Value blank = like ? blank_like(*like) : is_of_numbers ? Value(u64(0)) : Value::object();
  auto& elements = list->members();
  elements.insert(elements.begin() + std::ptrdiff_t(std::min<u64>(at, elements.size())), {{}, std::move(blank)});
  return true;
}

Result<bool> Editing::assign(const std::vector<Assignment>& typed, bool is_part) {
  std::vector<Assignment> all;
  for (const Assignment& t : typed) {
    auto expanded = expand(spans(), t);
    if (!expanded) return refuse(std::move(expanded.error()));
    all.insert(all.end(), std::make_move_iterator(expanded->begin()), std::make_move_iterator(expanded->end()));
  }
  // Who says the name of an element says its new one.
  const size_t typed_ones = all.size();
  for (const References references(spans()); const Referral& r : references.all()) {
    if (!r.is_by_name() || !references.exists(r)) continue;
    const std::string name = element_path(spans(), r.list, r.first) + "." + std::string(r.reference->name);
    for (size_t i = 0; i < typed_ones; ++i) {
      if (all[i].path != name) continue;
      std::string text = spans().value(r.from.span).text();
      const size_t slash = r.reference->inner.empty() ? text.npos : text.find('/');
      const bool is_inner = slash != text.npos;
      all.push_back({spans().path(r.from), (is_inner ? text.substr(0, slash + 1) : "") + all[i].value});
    }
  }
  // So does who says a name that files have in common, here and (operations/shared_names.hpp) in others.
  for (size_t i = 0; i < typed_ones; ++i) {
    const auto spot = spans().find(all[i].path);
    const Reference* defined = spot ? shared_name_of(spans()[spot->span]) : nullptr;
    if (!defined || !defined->defines) continue;
    const std::string was = spans().value(spot->span).text();
    for (u32 s = 1; s < spans().all.size(); ++s)
      if (const Reference* used = shared_name_of(spans()[s]);
          used && !used->defines && used->shared == defined->shared && spans().value(s).text() == was)
        all.push_back({spans().path(s), all[i].value});
  }
  // Texts that become longer or shorter move what follows; all else is set where it is.
  Changes changes;
  std::erase_if(all, [&](const Assignment& a) {
    const auto spot = spans().find(a.path);
    const Value is = parse_typed(a.value), *was = value_at(document(), a.path);
    if (!spot || !was || !was->is(Value::Kind::text) || !is.is(Value::Kind::text)) return false;
    const Span& s = spans()[spot->span];
    if (s.kind != Span::Kind::text || s.padded) return false;
    const TextEncoding* encoding = encoding_of(s.key);
    const auto stored = encoding ? encoding->stored(is.text()) : std::optional(is.text());
    if (!stored || stored->size() == s.raw) return false;
    changes.push_back({.kind = Change::Kind::set, .path = a.path, .before = *was, .after = is});
    return true;
  });
  const auto changed = set_values(as_, spans(), BytesInMemory(bytes_), all);
  if (!changed) return refuse(changed.error());
  const Traced now = as_.format->trace(changed->bytes(), as_.options);
  for (const Assignment& a : all) {
    const Value* before = value_at(document(), a.path);
    const auto there = now.spans.find(a.path);
    if (!before || !there || now.stop)
      return refuse("layout.requires", a.path,
                    {.message = "with this value, the file would no longer have this field"});
    const Value after = now.spans.value(*there);
    if (!(*before == after))
      changes.push_back({.kind = Change::Kind::set, .path = a.path, .before = *before, .after = after});
  }
  return make(std::move(changes), is_part);
}

Result<std::string> Editing::set(const std::vector<Assignment>& typed) {
  if (auto made = assign(typed, false); !made) return refuse(std::move(made.error()));
  return "set " + counted(last().size(), "value");
}

Result<std::string> Editing::place(std::string_view typed, std::span<const Argument> pose) {
  const Scenes* scenes = as_.format->scenes;
  if (!scenes || !scenes->place)
    return refuse("scene.place", std::string(typed),
                  {.message = "nothing in a file of this format can be placed",
                   .hint = "`dio set` changes values, `dio edit FILE` lists other edits"});
  const auto found = elements_of(typed);
  if (!found) return refuse(found.error());
  if (found->second.size() != 1)
    return refuse("layout.type", std::string(typed), {.message = "only one element can be placed at a time"});
  const std::string path = element_path(spans(), found->first, found->second[0]);
  const auto opened = open(bytes_, {}, as_);
  if (!opened) return refuse(opened.error());
  const auto staged = scenes->to_scene(*opened->document, {});
  if (!staged) return refuse(staged.error());
  const auto node = std::ranges::find_if(
      staged->scene.nodes, [&](const scene::Node& n) { return path_in(n.extras) == path && is_placed(*scenes, n); });
  if (node == staged->scene.nodes.end())
    return refuse("scene.place", path, {.message = "the element is not something that has a place"});
  const scene::Pose before = scene::pose_of(*node);
  scene::Pose after = before;
  Arguments arguments(pose);
  const auto take = [&](const char* name, auto& to) {
    if (!arguments.has(name)) return;
    const auto numbers = arguments.list(name, to.size(), -1e9, 1e9);
    for (size_t i = 0; i < std::min(to.size(), numbers.size()); ++i) to[i] = f32(numbers[i]);
  };
  take("translation", after.translation);
  take("rotation", after.rotation);
  take("scale", after.scale);
  if (!arguments.done()) return refuse(std::move(*arguments.problem));
  const auto& q = after.rotation;
  after.rotation = scene::unit_quaternion(q[0], q[1], q[2], q[3]);
  const auto values = scenes->place(*opened->document, {node->extras, before, after});
  if (!values) return refuse(values.error());
  std::vector<Assignment> assignments;
  for (const Argument& a : *values) assignments.push_back({a.name, a.value});
  if (auto made = assign(assignments, false); !made) return refuse(std::move(made.error()));
  return "placed " + path;
}

Result<bool> Editing::together(const std::function<Result<bool>()>& edits, const TellDue& due) {
  const size_t first = done_;
  Bytes before = bytes_;
  // What was undone can be made again if these edits are refused.
  std::vector<Made> undone(std::make_move_iterator(log_.begin() + std::ptrdiff_t(first)),
                           std::make_move_iterator(log_.end()));
  log_.resize(first);
  const bool is_inner = !fresh_.empty();  // what is due comes at the end of all
  for (const Edit& edit : edits_of(*as_.format))
    if (edit.is_due && !is_inner) fresh_[&edit] = {bytes_};
  auto made = edits();
  if (made && !is_inner) made = run_due(due);
  if (!is_inner) fresh_.clear();
  if (!made) {
    while (done_ > first) give_up();
    log_.insert(log_.end(), std::make_move_iterator(undone.begin()), std::make_move_iterator(undone.end()));
    return made;
  }
  while (done_ > first + 1) {
    Made last = std::move(log_.back());
    log_.pop_back();
    --done_;
    Made& all = log_.back();
    all.changes.insert(all.changes.end(), std::make_move_iterator(last.changes.begin()),
                       std::make_move_iterator(last.changes.end()));
    all.is_whole |= last.is_whole;
  }
  if (done_ > first && log_.back().is_whole) log_.back().before = std::move(before), log_.back().after = bytes_;
  return true;
}

// ---- edits by name ----

Result<std::vector<std::string>> Editing::run(std::span<const EditStep> steps, Referrers referrers, const Tell& each) {
  std::vector<std::string> lines;
  const auto tell = [&](const std::string& line) {
    lines.push_back(line);
    if (each) each(line);
  };
  const auto run_steps = [&]() -> Result<bool> {
    for (const EditStep& step : steps) {
      const auto line = run_step(step, referrers);
      if (!line) return refuse(line.error());
      tell(*line);
    }
    return true;
  };
  if (const auto made = together(run_steps, [&](const Edit&, const std::string& line) { tell(line); }); !made)
    return refuse(made.error());
  return lines;
}

/// What can be wrong with a file after lists in it were changed.
static bool is_of_result(std::string_view id) {
  return id == "layout.requires" || id == "layout.overlap" || id == "layout.overflow" || id == "layout.unknown-key";
}

Result<std::string> Editing::run_step(const EditStep& step, Referrers referrers) {
  const ListEdit* list_edit = find_list_edit(step.name);
  const Edit* named = list_edit ? nullptr : find_edit(*as_.format, step.name);
  if (!list_edit && !named) return refuse("edit.argument", {}, {.message = unknown_edit(*as_.format, step.name)});
  auto done = list_edit ? run_list_edit(step, referrers) : run_named(*named, step.arguments);
  if (!done) {
    Diagnostic& d = done.error();
    // Of the file as it would be: not what is wrong with the one that is there.
    if (list_edit && step.name != "set" && is_of_result(d.id))
      d = make_diagnostic("edit.result", {}, {.message = "the changed file would not be valid: " + to_line(d)});
    else if (d.hint.empty())
      d.hint = step.name + " " + std::string(list_edit ? list_edit->usage : named->usage);
    if (d.place.path.empty() || named) d.place.path = step.name;
  }
  return done;
}

Result<std::string> Editing::run_list_edit(const EditStep& step, Referrers referrers) {
  const auto wrong = [](std::string message) { return refuse("edit.argument", {}, {.message = std::move(message)}); };
  Destination to;
  std::vector<Assignment> fields;
  std::vector<std::string> by;
  for (const Argument& a : step.arguments) {
    if (step.name == "place") break;  // it reads them itself
    const bool is_place = step.name != "set" && step.name != "sort" && (a.name == "before" || a.name == "after");
    if (is_place) {
      const auto n = whole_of(a.value);
      if (!n || *n < 0) return wrong(a.name + " must be the index of an element, not " + in_quotes(a.value));
      (a.name == "before" ? to.before : to.after) = u64(*n);
    } else if (step.name == "sort" && a.name == "by") {
      by.push_back(a.value);
    } else if (step.name == "add" || step.name == "set") {
      fields.push_back({a.name, a.value});
    } else {
      return wrong(step.name + " has no argument " + in_quotes(a.name));
    }
  }
  if (to.before && to.after) return wrong("before and after cannot be given together");
  const auto& paths = step.operands;
  if (paths.size() < find_list_edit(step.name)->operands) return wrong("the path is missing");
  if (step.name == "place") return place(paths[0], step.arguments);
  if (step.name == "add") return add(paths[0], fields, to);
  if (step.name == "remove") return remove(paths[0], referrers);
  if (step.name == "duplicate") return duplicate(paths[0], to);
  if (step.name == "move") {
    if (!to.before && !to.after) return wrong("where to (before=N or after=N) is missing");
    return move(paths[0], to);
  }
  if (step.name == "swap") return swap(paths[0], paths[1]);
  if (step.name == "sort") {
    if (by.empty()) return wrong("the field to sort by (by=FIELD) is missing");
    return sort(paths[0], by);
  }
  if (fields.empty()) return wrong("a value to set (PATH=VALUE) is missing");
  return set(fields);
}

Result<bool> Editing::is_due(const Edit& edit, const Bytes& was) const {
  if (was == bytes_) return false;
  const auto before = open(was, {}, as_), after = open(bytes_, {}, as_);
  if (!before) return refuse(before.error());
  if (!after) return refuse(after.error());
  return edit.is_due(*before->document, *after->document);
}

Result<bool> Editing::run_due(const TellDue& tell) {
  for (const auto& [edit, fresh] : fresh_) {
    const auto due = is_due(*edit, fresh.file);
    if (!due) return due;
    if (!*due) continue;
    auto line = run_named(*edit, std::vector(fresh.arguments));
    if (!line) {
      Diagnostic& d = line.error();
      if (d.place.path.empty()) d.place.path = edit->name;
      if (d.hint.empty()) d.hint = "it is due after these edits; `dio set` changes values and nothing else";
      return refuse(std::move(d));
    }
    if (tell) tell(*edit, *line);
  }
  return true;
}

Result<std::string> Editing::run_named(const Edit& edit, std::span<const Argument> arguments) {
  auto opened = open(bytes_, {}, as_);
  if (!opened) return refuse(std::move(opened.error()));
  if (auto unknown = unknown_argument(edit.usage, arguments)) return refuse(std::move(*unknown));
  auto what = edit.apply(*opened->document, arguments);
  if (!what) return what;
  auto after = opened->document->save({.lossy = lossy_});
  if (!after) return refuse(std::move(after.error()));
  if (auto replaced = replace(std::move(*after)); !replaced) return refuse(std::move(replaced.error()));
  if (const auto own = fresh_.find(&edit); own != fresh_.end())
    own->second = {bytes_, {arguments.begin(), arguments.end()}};
  return what;
}

Result<bool> Editing::replace(Bytes file) {
  Made made{.is_whole = true, .before = bytes_, .after = std::move(file)};
  const Value before = document();
  if (auto taken = take(made.after); !taken) return taken;
  settle(0, before, {}, made.changes);
  log_.resize(done_);
  log_.push_back(std::move(made));
  ++done_;
  return true;
}

}  // namespace dio
