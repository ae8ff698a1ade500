// editing_lists.cpp: elements of lists are added, removed, copied and moved, and what a scene shows for them is placed.
#include <algorithm>
#include <numeric>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "layout/path_steps.hpp"
#include "layout/selector.hpp"
#include "operations/editing.hpp"
#include "scene/transforms.hpp"

namespace dio {

// ---- which elements, and where to ----

Result<std::pair<u32, std::vector<u64>>> Editing::select_elements(std::string_view typed) const {
  auto spots = select(spans(), typed);
  if (!spots) return refuse(std::move(spots.error()));
  u32 list = 0;
  std::vector<u64> out;
  for (const SpanRef& spot : *spots) {
    const u32 own = spot.element ? spot.span : spans()[spot.span].parent;
    const bool is_element = spot.element || (spot.span && !spans()[spot.span].key.name);
    if (!is_element)
      return refuse(
          "layout.type", std::string(typed),
          {.message = "the path does not refer to a list element", .hint = "elements have an index, as in GOBJ[3]"});
    if (list && list != own)
      return refuse("layout.type", std::string(typed), {.message = "the elements belong to different lists"});
    list = own;
    out.push_back(spot.element ? *spot.element : spans()[spot.span].key.index);
  }
  if (auto why = derived_list_error(spans(), list)) return refuse(std::move(*why));
  sort_stably(out);
  return std::pair{list, std::move(out)};
}

/// The order of a list of `n` elements, in which some go beside another: `elements` are those, with indices that may
/// count on for elements that are added.
static ListOrder make_list_order(u64 n, const std::vector<u64>& elements, const Destination& to) {
  const u64 anchor = to.before ? *to.before : *to.after;
  ListOrder out;
  // Moved beside one of themselves, they gather there.
  const auto append_moved_elements = [&] {
    for (const u64 e : elements) {
      out.from.push_back(e);
      out.joins.push_back(anchor);
    }
  };
  for (u64 i = 0; i < n; ++i) {
    if (i == anchor && to.before) append_moved_elements();
    if (!std::ranges::binary_search(elements, i)) {
      out.from.push_back(i);
      out.joins.push_back(i);
    }
    if (i == anchor && !to.before) append_moved_elements();
  }
  return out;
}

Result<ListOrder> Editing::compute_list_order(u32 list, const std::vector<u64>& elements, const Destination& to,
                                              u64 size) const {
  if (const u64 anchor = to.before ? *to.before : *to.after; anchor >= size)
    return refuse("path.unknown", element_path(spans(), list, anchor),
                  {.message = "no such element: the list has " + format_count(size, "element") + ", counted from 0"});
  return make_list_order(spans().length(list), elements, to);
}

bool Editing::is_generated_by_edit(const std::string& path) const {
  return std::ranges::any_of(edits_of(*as_.format),
                             [&](const Edit& e) { return e.is_stale && e.is_generated_path(path); });
}

// ---- what was done ----

std::string Editing::describe_with_updates(std::string what) const {
  u64 followed = 0;
  std::vector<std::string> added;  // their own values are not references that follow
  for (const Change& c : step_) {
    if (c.kind == Change::Kind::insert) added.push_back(dio::element_path(c.path, c.index) + ".");
    const auto is_path_within = [&](const std::string& element) { return c.path.starts_with(element); };
    followed += c.kind == Change::Kind::set && std::ranges::none_of(added, is_path_within);
  }
  if (followed) what += "; " + format_count(followed, "reference") + " updated";
  for (const std::string& list : rebuilt_) what += "; rebuilt " + list;
  return what;
}

std::string Editing::format_element_ranges(const std::string& list, const std::vector<u64>& elements) const {
  std::string out = list + "[";
  for (size_t i = 0; i < elements.size();) {
    size_t last = i;
    while (last + 1 < elements.size() && elements[last + 1] == elements[last] + 1) ++last;
    out += (i ? "," : "") + std::to_string(elements[i]);
    if (last > i) out += "-" + std::to_string(elements[last]);
    i = last + 1;
  }
  return out + "]";
}
std::string Editing::format_element_ranges(u32 list, const std::vector<u64>& elements) const {
  return format_element_ranges(spans().path(list), elements);
}

Result<bool> Editing::apply_list_orders(const ListOrders& orders, const RemovedElements& removed, Referrers how,
                                        const std::set<std::string>& asked) {
  // Elements that stay where they are: not even the layout of the file may change.
  const auto stays = [&](const auto& order) {
    return order.second.from == ListOrder::unchanged(spans().length(order.first)).from;
  };
  if (removed.empty() && std::ranges::all_of(orders, stays)) return true;
  auto changes = compute_list_changes(spans(), values(), orders, removed, how);
  if (!changes) return refuse(std::move(changes.error()));
  return apply_changes_and_reload(*changes, asked);
}

// ---- removing and moving ----

Result<std::string> Editing::remove(std::string_view typed, Referrers how) {
  return remove(std::vector{std::string(typed)}, how);
}

Result<std::string> Editing::remove(const std::vector<std::string>& typed, Referrers how) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    std::map<u32, std::vector<u64>> all;
    for (const std::string& t : typed) {
      const auto found = select_elements(t);
      if (!found) return refuse(found.error());
      asked_.insert(spans().path(found->first));
      auto& those = all[found->first];
      those.insert(those.end(), found->second.begin(), found->second.end());
    }
    return remove(all, how);
  });
}

Result<std::string> Editing::remove(const std::map<u32, std::vector<u64>>& elements, Referrers how) {
  const auto removed = collect_removed_elements(spans(), elements, how,
                                                [&](const std::string& path) { return is_generated_by_edit(path); });
  if (!removed) return refuse(removed.error());
  std::string what;
  ListOrders orders;
  for (const auto& [list, those] : *removed) {
    ListOrder& order = orders[list];
    std::vector<u64> gone;
    for (u64 i = 0; i < those.size(); ++i) {
      if (those[size_t(i)])
        gone.push_back(i);
      else
        order.from.push_back(i);
    }
    order.joins = order.from;
    if (elements.contains(list) || !is_generated_by_edit(spans().path(list)))
      what += (what.empty() ? "removed " : ", ") + format_element_ranges(list, gone);
  }
  if (auto made = apply_list_orders(orders, *removed, how == Referrers::refuse ? how : Referrers::unlink); !made)
    return refuse(std::move(made.error()));
  return describe_with_updates(std::move(what));
}

Result<std::string> Editing::move(std::string_view typed, Destination to) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    const auto found = select_elements(typed);
    if (!found) return refuse(found.error());
    const auto& [list, elements] = *found;
    asked_.insert(spans().path(list));
    const auto order = compute_list_order(list, elements, to, spans().length(list));
    if (!order) return refuse(order.error());
    std::vector<u64> places;
    for (u64 p = 0; p < order->from.size(); ++p)
      if (std::ranges::binary_search(elements, order->from[size_t(p)])) places.push_back(p);
    if (places == elements) return format_element_ranges(list, elements) + ": already at this position";
    const std::string what =
        "moved " + format_element_ranges(list, elements) + " to " + format_element_ranges(list, places);
    if (auto made = apply_list_orders({{list, *order}}, {}, Referrers::refuse); !made)
      return refuse(std::move(made.error()));
    return describe_with_updates(what);
  });
}

Result<std::string> Editing::swap(std::string_view one, std::string_view other) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    const auto a = select_elements(one), b = select_elements(other);
    if (!a) return refuse(a.error());
    if (!b) return refuse(b.error());
    if (a->first != b->first || a->second.size() != 1 || b->second.size() != 1)
      return refuse("layout.type", std::string(other),
                    {.message = "only two elements of the same list can be swapped"});
    asked_.insert(spans().path(a->first));
    ListOrder order = ListOrder::unchanged(spans().length(a->first));
    order.keeps_places = true;
    std::swap(order.from[size_t(a->second[0])], order.from[size_t(b->second[0])]);
    const std::string what =
        "swapped " + format_element_ranges(a->first, a->second) + " and " + format_element_ranges(b->first, b->second);
    if (auto made = apply_list_orders({{a->first, order}}, {}, Referrers::refuse); !made)
      return refuse(std::move(made.error()));
    return describe_with_updates(what);
  });
}

/// Whether one value comes before another: numbers by size, texts by their bytes.
static bool is_value_less(const Value& a, const Value& b) {
  if (a.is(Value::Kind::text) || b.is(Value::Kind::text)) return a.text() < b.text();
  return a.number() < b.number();
}

Result<std::string> Editing::sort(std::string_view typed, const std::vector<std::string>& by) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    const auto list = select_list(spans(), typed);
    if (!list) return refuse(list.error());
    if (auto why = derived_list_error(spans(), *list)) return refuse(std::move(*why));
    asked_.insert(spans().path(*list));
    const u64 n = spans().length(*list);
    std::vector<std::vector<Value>> keys(static_cast<size_t>(n));
    for (u64 i = 0; i < n; ++i)
      for (std::string_view path : by) {
        if (path.starts_with('-')) path.remove_prefix(1);
        const std::string full = element_path(spans(), *list, i) + "." + std::string(path);
        const auto spot = spans().find(full);
        if (!spot)
          return refuse("path.unknown", full, {.message = "no value has this path, so it cannot be used for sorting"});
        keys[size_t(i)].push_back(spans().value(*spot));
      }
    ListOrder order = ListOrder::unchanged(n);
    order.keeps_places = true;
    sort_stably(order.from, [&](u64 a, u64 b) {
      for (size_t k = 0; k < by.size(); ++k) {
        const bool falls = by[k].starts_with('-');
        const Value &x = keys[size_t(falls ? b : a)][k], &y = keys[size_t(falls ? a : b)][k];
        if (is_value_less(x, y)) return true;
        if (is_value_less(y, x)) return false;
      }
      return a < b;  // equal ones stay in their order
    });
    const std::string what = "sorted " + spans().path(*list);
    if (auto made = apply_list_orders({{*list, order}}, {}, Referrers::refuse); !made)
      return refuse(std::move(made.error()));
    return describe_with_updates(what);
  });
}

// ---- new elements ----

Result<std::optional<std::vector<u64>>> Editing::insert(u32 list, const std::vector<AddedElement>& added,
                                                        Destination to, u64 beside,
                                                        const std::set<std::string>& fields) {
  const u64 n = spans().length(list);
  const std::string path = spans().path(list);
  asked_.insert(path);
  if (!to.before && !to.after) to.after = beside;
  std::vector<u64> news(added.size());
  std::iota(news.begin(), news.end(), n);
  const auto put = [&](u64 size) -> Result<std::vector<u64>> {
    auto order = compute_list_order(list, news, to, size);
    if (!order) return refuse(order.error());
    order->added = added;
    std::vector<u64> places;
    std::set<std::string> asked;
    for (u64 p = 0; p < order->from.size(); ++p)
      if (order->from[size_t(p)] >= n) {
        places.push_back(p);
        for (const std::string& field : fields) asked.insert(dio::element_path(path, p) + field);
      }
    if (auto made = apply_list_orders({{list, *order}}, {}, Referrers::refuse, asked); !made)
      return refuse(made.error());
    return places;
  };
  auto places = put(n);
  // The last element may be the one that ends the list.
  if (!places && places.error().id == "layout.requires" && n > 1 && to.after == n - 1) {
    to = {.before = n - 1, .after = {}};
    if (auto before_last = put(n)) places = std::move(before_last);
  }
  if (!places) {
    Diagnostic why = places.error();
    if (why.id == "layout.derived" && why.place.path == path)
      why =
          make_diagnostic("edit.argument", path,
                          {.message = "a new element would not be part of this list: " + why.message,
                           .hint = "copy an existing element with {edit FILE duplicate ELEMENT}, then set its values"});
    return refuse(std::move(why));
  }
  // Unless the format has an order of its own.
  for (const u64 place : *places)
    if (!value_at(const_cast<Value&>(values()), dio::element_path(path, place)))
      return std::optional<std::vector<u64>>();
  return std::optional(std::move(*places));
}

/// A name that no element of a list has: roof, roof_2. At most as long as the longest there, if `is_short`.
static std::string make_unique_name(const Value& list, const std::string& name, bool is_short) {
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

Result<std::vector<AddedElement>> Editing::copy_elements(u32 list, const std::vector<u64>& elements) const {
  std::vector<AddedElement> copies;
  for (const References references(spans()); const u64 e : elements) {
    const std::string path = element_path(spans(), list, e);
    const Value* element = value_at(const_cast<Value&>(values()), path);
    if (!element) return refuse("path.unknown", path, {.message = "the document has no value for this element"});
    AddedElement& copy = copies.emplace_back(AddedElement{*element, e});
    // Links to neighbours are those of its new place.
    for (const ResolvedReference& r : references.all()) {
      if (r.reference->chain == Reference::Chain::none || r.reference->chain == Reference::Chain::self) continue;
      if (r.list != list || enclosing_element(spans(), r.from.span, list) != e) continue;
      const auto none = none_value_of(spans()[r.from.span]);
      Value* link = value_at(copy.value, spans().path(r.from).substr(path.size() + 1));
      if (link && none) *link = Value(u64(*none));
    }
  }
  return copies;
}

Result<std::string> Editing::duplicate(std::string_view typed, Destination to) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    const auto found = select_elements(typed);
    if (!found) return refuse(found.error());
    const auto& [list, elements] = *found;
    const std::string path = spans().path(list), what = "duplicated " + format_element_ranges(list, elements) + " as ";
    auto copies = copy_elements(list, elements);
    if (!copies) return refuse(copies.error());
    std::vector<std::string> names;
    for (const AddedElement& copy : *copies) {
      const Value* name = copy.value.find("name");
      names.push_back(name && name->is(Value::Kind::text) ? name->text() : std::string());
    }
    const Value own = *value_at(const_cast<Value&>(values()), path);
    const auto name_copies = [&](bool is_short) {
      Value all = own;
      for (size_t i = 0; i < copies->size(); ++i) {
        if (Value* name = (*copies)[i].value.find("name"); name && !names[i].empty())
          *name = Value(make_unique_name(all, names[i], is_short));
        all.push((*copies)[i].value);
      }
    };
    // Some lists must have unique names, in others they are if nobody says otherwise, and are known by them.
    const bool are_unique = has_unique_names(own);
    if (are_unique) name_copies(false);
    auto inserted = insert(list, *copies, to, elements.back());
    for (const bool is_short : {false, true}) {
      if (inserted || inserted.error().id != "layout.requires") break;
      name_copies(is_short);
      inserted = insert(list, *copies, to, elements.back());
    }
    if (!inserted && are_unique) {  // there is no room for a longer name
      for (size_t i = 0; i < copies->size(); ++i)
        if (Value* name = (*copies)[i].value.find("name")) *name = Value(names[i]);
      inserted = insert(list, *copies, to, elements.back());
    }
    if (!inserted) return refuse(inserted.error());
    return describe_with_updates(what + (*inserted ? format_element_ranges(path, **inserted) : path));
  });
}

/// An element like that one, with nothing in it: what it has in fields is added later.
static Value make_blank_value(const Value& other) {
  switch (other.kind()) {
    case Value::Kind::list: {
      Value v = Value::list();
      for (const Value::Member& m : other.members()) v.push(make_blank_value(m.second));
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

/// Inserts an element without values into a list, which may be in a part that is not there yet.
static Result<bool> insert_blank_element(Value& document, const std::string& path, u64 at, bool is_of_numbers) {
  const auto unknown = [&] {
    return refuse("path.unknown", path,
                  {.message = "the file has no such list", .hint = "{tree FILE} lists the values"});
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
  Value blank = like ? make_blank_value(*like) : is_of_numbers ? Value(u64(0)) : Value::object();
  auto& elements = list->members();
  elements.insert(elements.begin() + std::ptrdiff_t(std::min<u64>(at, elements.size())), {{}, std::move(blank)});
  return true;
}

Result<Value> Editing::make_new_element(const std::string& path, u64 at, const std::vector<Assignment>& fields,
                                        bool is_of_numbers) const {
  Value longer = values();
  if (auto grown = insert_blank_element(longer, path, at, is_of_numbers); !grown)
    return refuse(std::move(grown.error()));
  // Names from the start: some lists have unique ones.
  Value* made = value_at(longer, dio::element_path(path, at));
  const Value* like = value_at(const_cast<Value&>(values()), dio::element_path(path, 0));
  if (made && made->is(Value::Kind::object) && like)
    for (const Assignment& f : fields)
      if (const Value* text = like->find(f.path);
          text && text->is(Value::Kind::text) && f.value.is(Value::Kind::text) && !made->find(f.path))
        made->add(f.path, f.value);
  auto complete = as_.format->complete(longer);
  if (!complete) return complete;
  const Value* element = value_at(*complete, dio::element_path(path, at));
  if (!element)
    return refuse("edit.argument", path,
                  {.message = "a new element of this list cannot be created from its fields alone",
                   .hint = "copy an existing element with {edit FILE duplicate ELEMENT}, then set its values"});
  if (!element->is(Value::Kind::object))
    for (const Assignment& f : fields)
      if (f.path != "value")
        return refuse("edit.argument", path,
                      {.message = "elements of this list have no field " + in_quotes(f.path),
                       .hint = "give the whole element as value=VALUE"});
  if (!value_at(const_cast<Value&>(values()), path)) return complete;  // with the part that the list is in
  return *element;
}

/// The value that an assignment gives a field, as the field of another element takes it.
static Result<Value> convert_to_field_value(const Spans& spans, const SpanRef& like, const Value& typed) {
  const Span& s = spans[like.span];
  if (s.kind == Span::Kind::text || s.kind == Span::Kind::bytes) {
    if (typed.is(Value::Kind::text) || typed.find("hex")) return typed;
  }
  const auto bytes = encoded_value(spans.file, spans, like, typed);
  if (!bytes) return refuse(bytes.error());
  Spans one;
  one.file = *bytes;
  one.all.push_back(s);
  one.all[1].parent = 0, one.all[1].first = one.all[1].last = one.all[1].next = 0;
  one.all[1].offset = 0;
  one.all[1].size = s.kind == Span::Kind::bits ? 0 : bytes->size();
  if (like.element) one.all[1].kind = Span::Kind::number;
  if (s.wire != Wire::decimal) one.refresh(1);
  return s.wire == Wire::decimal ? typed : one.value(1);
}

Result<std::string> Editing::add(std::string_view typed, const std::vector<Assignment>& fields, Destination to) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    const auto list = select_list(spans(), typed);
    if (!list && list.error().id != "path.unknown") return refuse(list.error());
    // A list in a part that the file does not have yet comes with the part.
    if (!list) return add_first_element(std::string(typed), fields);
    if (auto why = derived_list_error(spans(), *list)) return refuse(std::move(*why));
    const std::string path = spans().path(*list);
    const u64 n = spans().length(*list);
    if (!n) return add_first_element(path, fields);
    const bool is_of_numbers = spans()[*list].kind == Span::Kind::numbers;
    auto element = make_new_element(path, n, fields, is_of_numbers);
    if (!element && element.error().id == "layout.requires")  // the last element ends the list
      element = make_new_element(path, n - 1, fields, is_of_numbers);
    if (!element) return refuse(std::move(element.error()));
    const std::string like = dio::element_path(path, 0);
    std::set<std::string> asked;
    for (const Assignment& f : fields) {
      const std::string in = f.path == "value" && !element->is(Value::Kind::object) ? "" : "." + f.path;
      const auto all = expand_assignment(spans(), {like + in, f.value});
      if (!all) {
        Diagnostic why = all.error();
        why.place = Location::in_file(why.place.file, f.path);
        // The field is that of the new element, not of the one that it was looked up in.
        for (size_t at = why.hint.find(like + "."); at != why.hint.npos; at = why.hint.find(like + "."))
          why.hint.erase(at, like.size() + 1);
        return refuse(std::move(why));
      }
      for (const Assignment& one : *all) {
        const std::string inside = one.path.substr(like.size());
        Value* field =
            inside.empty() ? &*element : value_at(*element, std::string_view(inside).substr(inside[0] == '.'));
        auto value = convert_to_field_value(spans(), *spans().find(one.path), one.value);
        if (!value || !field) {
          Diagnostic why = value ? make_diagnostic("path.unknown", {}, {.message = "new elements have no such field"})
                                 : value.error();
          why.place = Location::in_file(why.place.file, dio::element_path(path, n) + inside);
          return refuse(std::move(why));
        }
        *field = std::move(*value);
        asked.insert(inside);
      }
    }
    const auto places = insert(*list, {{std::move(*element)}}, to, n - 1, asked);
    if (!places) return refuse(places.error());
    return describe_with_updates("added " + (*places ? format_element_ranges(path, **places) : path));
  });
}

Result<std::string> Editing::add_first_element(const std::string& path, const std::vector<Assignment>& fields) {
  const auto spot = spans().find(path);
  const bool is_of_numbers = spot && spans()[spot->span].kind == Span::Kind::numbers;
  const bool is_new_part = !value_at(const_cast<Value&>(values()), path);
  auto element = make_new_element(path, 0, fields, is_of_numbers);
  if (!element) return refuse(std::move(element.error()));
  const bool has_fields = value_at(*element, dio::element_path(path, 0))
                              ? value_at(*element, dio::element_path(path, 0))->is(Value::Kind::object)
                              : element->is(Value::Kind::object);
  Changes changes;
  if (is_new_part) {
    const std::string part = path.substr(0, path.find_first_of(".["));
    changes.push_back({.kind = Change::Kind::put, .path = part, .after = *value_at(*element, part)});
  } else
    changes.push_back({.kind = Change::Kind::insert, .path = path, .index = 0, .after = *element});
  if (auto made = apply_changes_and_reload(changes); !made) return refuse(std::move(made.error()));
  const std::string made = dio::element_path(path, 0);
  if (!spans().find(made))
    return refuse("edit.argument", path,
                  {.message = "a new element would not be part of this list",
                   .hint = "copy an existing element with {edit FILE duplicate ELEMENT}, then set its values"});
  std::vector<Assignment> there;
  for (const Assignment& f : fields) there.push_back({has_fields ? made + "." + f.path : made, f.value});
  if (auto assigned = assign_values(there); !assigned) {
    Diagnostic& why = assigned.error();
    why.place = Location::in_file(why.place.file, why.place.path);  // no file has the element at an offset yet
    return refuse(std::move(why));
  }
  return describe_with_updates("added " + made);
}

// ---- places in a scene ----

Result<std::string> Editing::place(std::string_view element, std::span<const Argument> pose) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    return set_element_pose(element, pose);
  });
}

Result<std::string> Editing::set_element_pose(std::string_view typed, std::span<const Argument> pose) {
  const Scenes* scenes = as_.format->scenes;
  if (!scenes || !scenes->place)
    return refuse("scene.place", std::string(typed),
                  {.message = "files of this format have no elements that can be placed in a scene",
                   .hint = "{set FILE PATH=VALUE} changes values, and {edit FILE} lists other edits"});
  const auto found = select_elements(typed);
  if (!found) return refuse(found.error());
  if (found->second.size() != 1)
    return refuse("layout.type", std::string(typed), {.message = "only one element can be placed at a time"});
  const std::string path = element_path(spans(), found->first, found->second[0]);
  const auto staged = scenes->to_scene(*document_, {});
  if (!staged) return refuse(staged.error());
  const auto node = std::ranges::find_if(staged->scene.nodes, [&](const scene::Node& n) {
    return path_from_extras(n.extras) == path && is_placed(*scenes, n);
  });
  if (node == staged->scene.nodes.end())
    return refuse("scene.place", path, {.message = "this element has no position in a scene"});
  const scene::Pose before = scene::decompose_trs(*node);
  scene::Pose after = before;
  Arguments arguments(pose);
  const auto parse_pose_component = [&](const char* name, auto& to) {
    if (!arguments.has(name)) return;
    const auto numbers = arguments.list(name, to.size(), -1e9, 1e9);
    for (size_t i = 0; i < std::min(to.size(), numbers.size()); ++i) to[i] = f32(numbers[i]);
  };
  parse_pose_component("translation", after.translation);
  parse_pose_component("rotation", after.rotation);
  parse_pose_component("scale", after.scale);
  if (!arguments.done()) return refuse(std::move(*arguments.problem));
  const auto& q = after.rotation;
  after.rotation = scene::unit_quaternion(q[0], q[1], q[2], q[3]);
  const auto values = scenes->place(*document_, {node->extras, before, after});
  if (!values) return refuse(values.error());
  std::vector<Assignment> assignments;
  for (const Argument& a : *values) assignments.push_back({a.name, a.value});
  if (auto made = assign_values(assignments); !made) return refuse(std::move(made.error()));
  return "placed " + path;
}

}  // namespace dio
