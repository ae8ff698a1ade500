#include "operations/merging.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/byte_source.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "core/tree_matcher.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/format.hpp"
#include "layout/references.hpp"
#include "operations/archive_merging.hpp"
#include "operations/changes.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"

namespace dio {

namespace {

/// The ids of the elements of a list: those of the base have the same id in all three files.
struct ListIds {
  std::string list;  // its path, with ids in place of indices
  std::vector<u32> ids;
};
using IdsByPath = std::unordered_map<std::string, ListIds>;

struct MergeInput {
  OpenedFile opened;
  TraceResult traced;
  Value document;  // numbers as the file has them, not as JSON writes them
  IdsByPath names;
  const std::vector<UnreferencedBytes>& residue() const { return opened.document->residue(); }
};

Result<MergeInput> load_merge_input(ByteView file, std::string_view name, const ReadAs& as) {
  MergeInput side;
  auto opened = open(Bytes(file.begin(), file.end()), std::string(name), as);
  if (!opened) return refuse(std::move(opened.error()));
  side.opened = std::move(*opened);
  side.traced = side.opened.trace();
  if (side.traced.stop) return refuse(std::move(*side.traced.stop));
  side.document = side.traced.spans.value(0);
  return side;
}

/// The bytes of a file that nothing describes, but for zeros; wherever they are.
std::vector<Bytes> nonzero_residue(const std::vector<UnreferencedBytes>& residue) {
  std::vector<Bytes> out;
  for (const UnreferencedBytes& r : residue)
    if (std::ranges::any_of(r.bytes, [](u8 b) { return b != 0; })) out.emplace_back(r.bytes.begin(), r.bytes.end());
  return out;
}

// ---- references by identity ----

// A number that refers to an element is a text while files are merged, so that it is equal in two files if it means the
// same element. Its first character says so; texts of a file that begin with one of these get another in front.
constexpr char k_refers = 1, k_run = 2, k_counts = 3, k_bytes = 4, k_text = 5;

/// What a symbol says.
struct Symbol {
  bool is_self = false;
  bool is_link = false;  // to a neighbour in a chain
  u64 base = 0;          // the value that leads to the first element
  std::string nowhere;   // the value that leads nowhere; empty: there is none
  std::string count;     // of a run: the member beside it with the number of elements
  std::string list;      // ListIds::list
  u32 id = 0;

  std::string text(char kind) const {
    std::string out(1, kind);
    out += is_self ? "s" : is_link ? "l" : "-";
    for (const std::string& part : {std::to_string(base), nowhere, count, list, std::to_string(id)})
      out += part, out += kind;
    return out;
  }
  static Symbol parse(const std::string& text) {
    Symbol s;
    s.is_self = text[1] == 's', s.is_link = text[1] == 'l';
    std::vector<std::string> parts{""};
    for (size_t i = 2; i < text.size(); ++i) {
      if (text[i] == text[0])
        parts.emplace_back();
      else
        parts.back() += text[i];
    }
    s.base = std::stoull(parts[0]);
    s.nowhere = parts[1], s.count = parts[2], s.list = parts[3];
    s.id = u32(std::stoul(parts[4]));
    return s;
  }
};
bool is_symbol(const Value& v, char kind) {
  return v.is(Value::Kind::text) && !v.text().empty() && v.text()[0] == kind;
}
bool is_link(const Value& v) { return is_symbol(v, k_refers) && v.text()[1] == 'l'; }
/// Whether two elements differ at most in who their neighbours are.
bool equal_ignoring_links(const Value& a, const Value& b) {
  if (is_link(a) || is_link(b)) return true;
  if (!TreeMatcher::is_tree(a) || !TreeMatcher::is_tree(b) || a.kind() != b.kind() || a.size() != b.size())
    return a == b;
  for (size_t i = 0; i < a.size(); ++i)
    if (a.members()[i].first != b.members()[i].first ||
        !equal_ignoring_links(a.members()[i].second, b.members()[i].second))
      return false;
  return true;
}
bool starts_with_symbol(const Value& list, char kind) {
  return list.is(Value::Kind::list) && list.size() && is_symbol(*list.at(0), kind);
}

void escape_symbol_like_texts(Value& v) {
  if (v.is(Value::Kind::text) && !v.text().empty() && v.text()[0] >= k_refers && v.text()[0] <= k_text) {
    const u32 line = v.line;
    v = Value(std::string(1, k_text) + v.text());
    v.line = line;
  }
  if (TreeMatcher::is_tree(v))
    for (auto& [name, member] : v.members()) escape_symbol_like_texts(member);
}

/// Replaces the numbers of a side that refer to elements.
void replace_indices_with_symbols(MergeInput& side) {
  const Spans& spans = side.traced.spans;
  const References references(spans);
  std::set<std::string> counts;
  for (const ResolvedReference& r : references.all()) {
    if (!r.count || !r.list || r.is_by_name() || !references.exists(r)) continue;
    const auto names = side.names.find(spans.path(r.list));
    const std::string path = spans.path({r.from.span, {}, 0, 0});
    Value* at = value_at(side.document, path);
    if (names == side.names.end() || !at || names->second.ids.size() < r.first + r.count) continue;
    const EnumNames& words = *spans[r.from.span].key.vocabulary;
    using enum Reference::Chain;
    // What is not the index of its own element is only a number.
    if (r.reference->chain == self && enclosing_element(spans, r.from.span, r.list) != r.first) continue;
    Symbol symbol{.is_self = r.reference->chain == self,
                  .is_link = r.reference->chain == previous || r.reference->chain == next,
                  .base = r.reference->base,
                  .nowhere = words.words.empty() ? "" : std::to_string(words.words.front().value),
                  .count = std::string(r.reference->count),
                  .list = names->second.list};
    if (symbol.is_self) symbol.list.clear();
    if (spans[r.from.span].kind == Span::Kind::bytes) {
      if (at->is(Value::Kind::text)) {
        const auto bytes = decode_hex(at->text());
        if (!bytes) continue;
        *at = Value::list();
        at->push(std::string(1, k_bytes));
        for (const u8 b : *bytes) at->push(u64(b));
      }
      at = &at->members()[size_t(*r.from.element) + 1].second;
    } else if (r.from.element)
      at = &at->members()[size_t(*r.from.element)].second;
    const u32 line = at->line;
    if (r.is_run()) {
      *at = Value::list();
      at->push(symbol.text(k_run));
      for (u64 i = r.first; i < r.first + r.count; ++i) at->push(u64(names->second.ids[size_t(i)]));
      counts.insert(member_path(path.substr(0, path.rfind('.') == path.npos ? 0 : path.rfind('.')), symbol.count));
    } else {
      symbol.id = symbol.is_self ? 0 : names->second.ids[size_t(r.first)];
      *at = symbol.text(k_refers);
    }
    at->line = line;
  }
  for (const std::string& path : counts)
    if (Value* at = value_at(side.document, path)) *at = std::string(1, k_counts);
}

// ---- merging ----

class ThreeWayMerger {
 public:
  ThreeWayMerger(MergeInput& base, MergeInput& ours, MergeInput& theirs, ConflictPreference favor) : favor_(favor) {
    for (MergeInput* side : {&base, &ours, &theirs}) {
      matching_.compute_digests(side->document);
      const Spans& spans = side->traced.spans;
      for (u32 i = 1; i < spans.all.size(); ++i)
        if (spans[i].key.is_derived) derived_.insert(strip_list_indices(spans.path(i)));
    }
    for (MergeInput* side : {&base, &ours, &theirs})
      assign_element_ids(&base.document, side->document, "", "", side->names);
    for (MergeInput* side : {&base, &ours, &theirs}) {
      store_ids_in_lines(side->document, "", side->names);
      escape_symbol_like_texts(side->document);
      replace_indices_with_symbols(*side);
    }
    for (const MergeInput* side : {&ours, &theirs})
      for (const auto& [path, list] : side->names)
        for (const u32 id : list.ids) ++sides_with_[list.list][id];
    record_chain_links(base.document, "", nullptr);
  }

  Value run(const Value& base, const Value& ours, const Value& theirs) {
    Value merged = run(base, ours, theirs, false);
    if (collisions.empty()) return merged;
    // At the border of two groups, what one side added to the first goes before what the other added to the second.
    std::vector<MergeConflict> first = std::move(collisions);
    Value other = run(base, ours, theirs, true);
    if (collisions.size() < first.size()) return other;
    collisions = std::move(first);
    return merged;
  }
  std::vector<MergeConflict> collisions;

 private:
  Value run(const Value& base, const Value& ours, const Value& theirs, bool theirs_first) {
    theirs_first_ = theirs_first;
    collisions.clear();
    places_.clear();
    Value merged = *merge(&base, &ours, &theirs, "");
    record_merged_positions(merged, "");
    resolve_symbols(merged, "", nullptr);
    return merged;
  }

  ConflictPreference favor_;
  bool theirs_first_ = false;  // of what both added in one place
  TreeMatcher matching_;
  std::set<std::string> derived_;  // patterns of paths
  static constexpr u32 k_first_new = u32(1) << 30;
  u32 next_id_ = k_first_new;
  std::unordered_map<std::string, std::unordered_map<u32, u32>> sides_with_;  // by list: on how many sides an id is
  std::map<std::tuple<std::string, u32, std::string>, u32> links_;  // before: by list, id and member, the neighbour
  std::unordered_map<std::string, std::unordered_map<u32, u64>> places_;  // in the merged file: of each id in its list

  /// Remembers the neighbours that elements had before.
  void record_chain_links(const Value& v, const std::string& by_id, const Value* element) {
    if (!TreeMatcher::is_tree(v)) return;
    const bool is_list = v.is(Value::Kind::list);
    for (const auto& [name, member] : v.members()) {
      if (is_link(member) && element) {
        const Symbol s = Symbol::parse(member.text());
        links_[{s.list, element->line, name}] = s.id;
      }
      record_chain_links(member, is_list ? element_path(by_id, member.line) : member_path(by_id, name),
                         is_list && member.is(Value::Kind::object) ? &member : element);
    }
  }
  /// The nearest neighbour that is still there, from one that may be gone; nothing if the chain ends before.
  std::optional<u64> nearest_kept_neighbour(const Symbol& s, const std::string& path) const {
    const std::string member = path.substr(path.rfind('.') + 1);
    u32 id = s.id;
    for (size_t steps = 0; steps <= links_.size(); ++steps) {
      if (const auto place = merged_position_of(s.list, id)) return place;
      const auto link = links_.find({s.list, id, member});
      if (link == links_.end()) return {};
      id = link->second;
    }
    return {};
  }
  /// Both sides have another neighbour: that which neither has removed, first one that is new. Null if both are as
  /// good.
  const Value* choose_chain_link(const Value& o, const Value& t) const {
    const auto link_priority = [&](const Value& v) {
      if (!is_link(v)) return 0;
      const Symbol s = Symbol::parse(v.text());
      if (s.id >= k_first_new) return 3;
      const auto list = sides_with_.find(s.list);
      const auto there = list == sides_with_.end() ? 0 : list->second.contains(s.id) ? list->second.at(s.id) : 0;
      return there == 2 ? 2 : 1;
    };
    const int of_o = link_priority(o), of_t = link_priority(t);
    return of_o > of_t ? &o : of_t > of_o ? &t : of_o == 1 ? &o : nullptr;
  }

  /// Gives each element of each list its id.
  void assign_element_ids(const Value* base, const Value& side, const std::string& path, const std::string& by_id,
                          IdsByPath& out) {
    if (side.is(Value::Kind::object)) {
      for (const auto& [name, member] : side.members())
        if (TreeMatcher::is_tree(member))
          assign_element_ids(base ? base->find(name) : nullptr, member, member_path(path, name),
                             member_path(by_id, name), out);
      return;
    }
    std::vector<u32> ids;
    ids.resize(side.size(), 0);
    if (base && base->is(Value::Kind::list)) {
      const bool same = base == &side || matching_.same(*base, side);
      const auto partner = same ? std::vector<u32>() : matching_.match_elements(*base, side);
      for (u32 i = 0; i < base->size(); ++i)
        if (const u32 j = same ? i : partner[i]; j != TreeMatcher::k_unmatched) ids[j] = i + 1;
    }
    for (u32& id : ids)
      if (!id) id = next_id_++;
    for (size_t j = 0; j < side.size() && TreeMatcher::is_tree(*side.at(j)); ++j) {
      const Value* was = base && ids[j] <= base->size() ? base->at(ids[j] - 1) : nullptr;
      assign_element_ids(was, *side.at(j), element_path(path, j), element_path(by_id, ids[j]), out);
    }
    out.emplace(path, ListIds{by_id, std::move(ids)});
  }

  /// Writes the ids beside the elements: values do not differ by their lines.
  static void store_ids_in_lines(Value& v, const std::string& path, const IdsByPath& names) {
    if (!TreeMatcher::is_tree(v)) return;
    const bool is_list = v.is(Value::Kind::list);
    const auto own = is_list ? names.find(path) : names.end();
    size_t i = 0;
    for (auto& [name, member] : v.members()) {
      store_ids_in_lines(member, is_list ? element_path(path, i) : member_path(path, name), names);
      if (own != names.end()) member.line = own->second.ids[i];
      ++i;
    }
  }

  static bool equal(const Value* a, const Value* b) { return a && b ? *a == *b : !a && !b; }
  static std::string format_value(const Value* v) {
    if (!v) return "removed";
    if (is_symbol(*v, k_refers)) {
      const Symbol s = Symbol::parse(v->text());
      return s.list + "[" + std::to_string(s.id - 1) + "]";
    }
    switch (v->kind()) {
      case Value::Kind::integer:
        return v->negative() ? std::to_string(i64(v->bits())) : std::to_string(v->bits());
      case Value::Kind::real:
        return format_real(v->number(), v->is_single());
      case Value::Kind::text:
        return "\"" + truncate_utf8(v->text(), 40) + "\"";
      default:
        return "a list or object";
    }
  }
  std::optional<Value> add_conflict(const std::string& path, const Value* b, const Value* o, const Value* t) {
    const std::string before = b ? "; before: " + format_value(b) : "";
    if (o && t && TreeMatcher::is_tree(*o) && TreeMatcher::is_tree(*t))
      collisions.push_back({path, "both sides changed this value"});
    else
      collisions.push_back({path, "ours: " + format_value(o) + "; theirs: " + format_value(t) + before});
    const Value* right = favor_ == ConflictPreference::theirs ? t : o;
    return right ? std::optional(*right) : std::nullopt;
  }

  /// Null: not there. `path`: with the indices of ours, where ours has it.
  std::optional<Value> merge(const Value* b, const Value* o, const Value* t, const std::string& path) {
    const auto taken = [](const Value* v) { return v ? std::optional(*v) : std::nullopt; };
    if (equal(o, t) || equal(b, t)) return taken(o);
    if (equal(b, o)) return taken(t);
    if (derived_.contains(strip_list_indices(path))) return taken(o ? o : t);  // computed again
    if (o && t && (is_link(*o) || is_link(*t)))
      if (const Value* better = choose_chain_link(*o, *t)) return *better;
    if (!o || !t || o->kind() != t->kind()) return add_conflict(path, b, o, t);
    if (o->is(Value::Kind::object)) return merge_objects(b, *o, *t, path);
    if (starts_with_symbol(*o, k_run) && starts_with_symbol(*t, k_run)) return merge_runs(b, *o, *t);
    if (o->is(Value::Kind::list)) return merge_lists(b, *o, *t, path);
    if (o->is(Value::Kind::text) && b && b->is(Value::Kind::text))
      if (auto file = merge_embedded_files(b->text(), o->text(), t->text(), path)) return file;
    return add_conflict(path, b, o, t);
  }

  Value merge_objects(const Value* b, const Value& o, const Value& t, const std::string& path) {
    Value out = Value::object();
    const auto before = [&](const std::string& name) { return b ? b->find(name) : nullptr; };
    for (const auto& [name, member] : o.members())
      if (auto m = merge(before(name), &member, t.find(name), member_path(path, name))) out.add(name, std::move(*m));
    for (const auto& [name, member] : t.members())
      if (!o.find(name))
        if (auto m = merge(before(name), nullptr, &member, member_path(path, name))) out.add(name, std::move(*m));
    return out;
  }

  /// A group has what either side has of it, without what either side took out.
  static Value merge_runs(const Value* b, const Value& o, const Value& t) {
    std::set<u64> was, in_o, in_t;
    const auto collect_ids = [](std::set<u64>& ids, const Value& run) {
      for (size_t i = 1; i < run.size(); ++i) ids.insert(run.at(i)->bits());
    };
    if (b && starts_with_symbol(*b, k_run)) collect_ids(was, *b);
    collect_ids(in_o, o);
    collect_ids(in_t, t);
    Value out = Value::list();
    out.push(*o.at(0));
    for (const u64 id : in_o)
      if (in_t.contains(id) || !was.contains(id)) out.push(id);
    for (const u64 id : in_t)
      if (!in_o.contains(id) && !was.contains(id)) out.push(id);
    return out;
  }

  static std::unordered_map<u32, size_t> index_by_id(const Value& list) {
    std::unordered_map<u32, size_t> out;
    for (size_t i = 0; i < list.size(); ++i) out.emplace(list.at(i)->line, i);
    return out;
  }

  std::optional<Value> merge_lists(const Value* b, const Value& o, const Value& t, const std::string& path) {
    static const Value none = Value::list();
    const Value& was = b && b->is(Value::Kind::list) ? *b : none;
    if (starts_with_symbol(o, k_bytes) || starts_with_symbol(t, k_bytes)) {
      if (was.size() != o.size() || was.size() != t.size()) return add_conflict(path, b, &o, &t);
      Value out = Value::list();
      for (size_t i = 0; i < o.size(); ++i) out.push(*merge(was.at(i), o.at(i), t.at(i), element_path(path, i)));
      return out;
    }
    const auto in_b = index_by_id(was), in_o = index_by_id(o), in_t = index_by_id(t);
    const auto find = [](const auto& ids, const Value& list, u32 id) -> const Value* {
      const auto at = ids.find(id);
      return at == ids.end() ? nullptr : list.at(at->second);
    };
    // The order of those that all three have.
    const auto common_element_order = [&](const Value& list) {
      std::vector<u32> ids;
      for (const auto& [name, v] : list.members())
        if (in_b.contains(v.line) && in_o.contains(v.line) && in_t.contains(v.line)) ids.push_back(v.line);
      return ids;
    };
    const auto order_b = common_element_order(was), order_o = common_element_order(o),
               order_t = common_element_order(t);
    bool leads_theirs = order_t != order_b && order_o == order_b;
    if (order_t != order_b && order_o != order_b && order_t != order_o) {
      collisions.push_back({path, "both sides changed the order of the elements"});
      leads_theirs = favor_ == ConflictPreference::theirs;
    }
    const Value &main = leads_theirs ? t : o, &other = leads_theirs ? o : t;
    const auto &in_main = leads_theirs ? in_t : in_o, &in_other = leads_theirs ? in_o : in_t;

    // An element that only one of them has and that was there before was removed by the other one.
    std::vector<u32> ids;
    std::set<u32> kept;
    const auto survives_merge = [&](u32 id) {
      const Value *bv = find(in_b, was, id), *ov = find(in_o, o, id), *tv = find(in_t, t, id);
      if (!bv || (ov && tv)) return true;
      const Value* left = ov ? ov : tv;
      if (equal_ignoring_links(*left, *bv)) return false;
      collisions.push_back(
          {element_path(path, (ov ? in_o : in_t).at(id)),
           std::string(ov ? "theirs removed the element, but ours" : "ours removed the element, but theirs") +
               " changed it"});
      return (favor_ == ConflictPreference::theirs) == (tv != nullptr);
    };
    for (const auto& [name, v] : main.members())
      if (survives_merge(v.line)) ids.push_back(v.line), kept.insert(v.line);
    std::optional<u32> before;  // what stands before it on the other side
    for (const auto& [name, v] : other.members()) {
      const u32 id = v.line;
      if (!in_main.contains(id) && survives_merge(id)) {
        auto at = ids.begin();
        if (before) {
          at = std::ranges::find(ids, *before) + 1;
          // What both added in one place: either order, but one throughout.
          while (leads_theirs == theirs_first_ && at != ids.end() && !in_b.contains(*at) && !in_other.contains(*at))
            ++at;
        }
        ids.insert(at, id);
        kept.insert(id);
      }
      if (kept.contains(id)) before = id;
    }

    Value out = Value::list();
    for (const u32 id : ids) {
      const Value *bv = find(in_b, was, id), *ov = find(in_o, o, id), *tv = find(in_t, t, id);
      const std::string own = element_path(path, ov ? in_o.at(id) : in_t.at(id));
      std::optional<Value> merged;
      if (ov && tv)
        merged = merge(bv, ov, tv, own);
      else
        merged = ov ? *ov : *tv;
      if (!merged) continue;
      out.push(std::move(*merged)).line = id;
    }
    return out;
  }

  /// Files inside a file, as hex digits: of an archive, or a model in a map.
  std::optional<Value> merge_embedded_files(const std::string& b, const std::string& o, const std::string& t,
                                            const std::string& path) {
    constexpr size_t k_least = 32;  // digits: what is shorter is no file
    if (std::min({b.size(), o.size(), t.size()}) < k_least) return {};
    const auto base = decode_hex(b), ours = decode_hex(o), theirs = decode_hex(t);
    if (!base || !ours || !theirs) return {};
    auto merged = dio::merge(*base, *ours, *theirs, {}, {}, favor_);
    if (!merged) return {};
    const bool is_made = merged->collisions.empty() || favor_ != ConflictPreference::none;
    for (MergeConflict& c : merged->collisions) collisions.push_back({path + "/" + c.path, std::move(c.what)});
    return Value(is_made ? encode_hex(merged->bytes) : o);
  }

  // ---- numbers again ----

  void record_merged_positions(const Value& v, const std::string& by_id) {
    if (!TreeMatcher::is_tree(v) || starts_with_symbol(v, k_run) || starts_with_symbol(v, k_bytes)) return;
    const bool is_list = v.is(Value::Kind::list);
    u64 i = 0;
    for (const auto& [name, member] : v.members()) {
      if (is_list) places_[by_id].emplace(member.line, i++);
      record_merged_positions(member, is_list ? element_path(by_id, member.line) : member_path(by_id, name));
    }
  }
  std::optional<u64> merged_position_of(const std::string& list, u32 id) const {
    const auto places = places_.find(list);
    if (places == places_.end()) return {};
    const auto place = places->second.find(id);
    return place == places->second.end() ? std::nullopt : std::optional(place->second);
  }
  static Value number(const std::string& text) {
    return text[0] == '-' ? Value(i64(std::stoll(text))) : Value(u64(std::stoull(text)));
  }

  /// `index`: of the nearest element around. `is_new`: one side has added it. Then it has been put between two others,
  /// and both have to be there.
  void resolve_symbols(Value& v, const std::string& path, const u64* index, bool is_new = false) {
    v.line = 0;
    if (is_symbol(v, k_text))
      v = Value(v.text().substr(1));
    else if (is_symbol(v, k_refers)) {
      const Symbol s = Symbol::parse(v.text());
      if (s.is_self)
        v = Value(s.base + (index ? *index : 0));
      else if (const auto place =
                   s.is_link && !is_new ? nearest_kept_neighbour(s, path) : merged_position_of(s.list, s.id))
        v = Value(s.base + *place);
      else if (s.is_link && !is_new)
        v = s.nowhere.empty() ? Value(u64(0)) : number(s.nowhere);
      else {
        collisions.push_back({path, "one side refers to an element that the other side removed"});
        v = s.nowhere.empty() ? Value(u64(0)) : number(s.nowhere);
      }
      return;
    }
    if (starts_with_symbol(v, k_bytes)) {
      Bytes bytes;
      for (size_t i = 1; i < v.size(); ++i) {
        Value& byte = v.members()[i].second;
        resolve_symbols(byte, element_path(path, i - 1), index, is_new);
        bytes.push_back(u8(byte.bits()));
      }
      v = Value(encode_hex(bytes));
      return;
    }
    if (v.is(Value::Kind::object)) {
      std::vector<std::pair<std::string, u64>> counts;
      for (auto& [name, member] : v.members()) {
        if (starts_with_symbol(member, k_run))
          counts.push_back(resolve_symbol_run(member, member_path(path, name)));
        else
          resolve_symbols(member, member_path(path, name), index, is_new);
      }
      for (const auto& [name, count] : counts)
        if (Value* at = v.find(name)) *at = Value(count);
    } else if (v.is(Value::Kind::list)) {
      u64 i = 0;
      for (auto& [name, member] : v.members()) {
        const bool is_element = member.is(Value::Kind::object);
        resolve_symbols(member, element_path(path, i), &i, is_element ? member.line >= k_first_new : is_new);
        ++i;
      }
    }
  }
  std::pair<std::string, u64> resolve_symbol_run(Value& run, const std::string& path) {
    const Symbol s = Symbol::parse(run.at(0)->text());
    std::vector<u64> places;
    for (size_t i = 1; i < run.size(); ++i)
      if (const auto place = merged_position_of(s.list, u32(run.at(i)->bits()))) places.push_back(*place);
    sort_stably(places);
    if (!places.empty() && places.back() - places.front() + 1 != places.size())
      collisions.push_back({path, "the elements of this group would not be consecutive in the merged list"});
    if (places.empty())
      run = s.nowhere.empty() ? Value(u64(0)) : number(s.nowhere);
    else
      run = Value(s.base + places.front());
    return {s.count, places.size()};
  }
};

/// What one edit makes fits together, and not with what it made on the other side: all of it is of one side.
void take_generated_from_one_side(const Format& format, const MergeInput& base, const MergeInput& ours,
                                  const MergeInput& theirs, ConflictPreference favor, Value& merged,
                                  std::vector<MergeConflict>& collisions) {
  for (const Edit& edit : edits_of(format)) {
    if (edit.makes.empty()) continue;
    // As the files have them: those of a Merger say whom they refer to.
    const auto made = [&](const MergeInput& side) {
      const Value document = side.traced.spans.value(0);
      std::vector<Value> all;
      for (const std::string_view member : edit.makes) {
        const Value* value = document.find(member);
        all.push_back(value ? *value : Value());
      }
      return all;
    };
    const auto of_base = made(base);
    auto of_ours = made(ours), of_theirs = made(theirs);
    if (of_ours == of_base || of_theirs == of_base) continue;
    std::erase_if(collisions, [&](const MergeConflict& c) { return edit.is_generated_path(c.path); });
    if (of_ours != of_theirs)
      collisions.push_back(
          {std::string(edit.makes.front()), "both sides regenerated this part, with different results"});
    auto& taken = favor == ConflictPreference::theirs ? of_theirs : of_ours;
    for (size_t i = 0; i < taken.size(); ++i)
      if (Value* value = merged.find(edit.makes[i])) *value = std::move(taken[i]);
  }
}

/// Without what two sides changed of it making an edit of the format due.
Result<MergeResult> merge_values(ByteView base, ByteView ours, ByteView theirs, std::string_view name,
                                 const ReadAs& read, ConflictPreference favor) {
  auto b = load_merge_input(base, name, read), o = load_merge_input(ours, name, read),
       t = load_merge_input(theirs, name, read);
  for (auto* side : {&b, &o, &t})
    if (!*side) return refuse(std::move(side->error()));
  ThreeWayMerger merger(*b, *o, *t, favor);
  Value document = merger.run(b->document, o->document, t->document);
  // Bytes that nothing describes: those of the side that changed them.
  const auto of_b = nonzero_residue(b->residue()), of_o = nonzero_residue(o->residue()),
             of_t = nonzero_residue(t->residue());
  if (of_b != of_o && of_b != of_t && of_o != of_t)
    merger.collisions.push_back({"residue", "both sides changed unreferenced bytes"});
  const bool of_theirs = of_o == of_b ? of_t != of_b : of_t != of_b && favor == ConflictPreference::theirs;
  take_generated_from_one_side(*read.format, *b, *o, *t, favor, document, merger.collisions);
  MergeResult out;
  out.collisions = std::move(merger.collisions);
  if (!out.collisions.empty() && favor == ConflictPreference::none) return out;
  // Where neither side changed the size of the file, nothing has to move.
  const MergeInput& rest = of_theirs ? *t : of_o == of_b ? *b : *o;
  auto editing = Editing::begin(b->opened, {.may_be_unknown = true});
  if (!editing) return refuse(std::move(editing.error()));
  const auto made = editing->replace_values(
      document, {rest.opened.bytes.size(), rest.residue(), {}, false, rest.opened.document->tail()});
  if (!made)
    return refuse("edit.result", Location::in_file(std::string(name)),
                  {.message = "the two edits cannot be combined into a valid file: " + format_one_line(made.error()),
                   .hint = "repeat the edits of one side on the file of the other side"});
  out.bytes = editing->bytes();
  return out;
}

/// A file with the edits of its format made that have become due since it was the base.
struct ResolvedConflict {
  Bytes file;
  std::vector<const Edit*> made;
};
Result<ResolvedConflict> rerun_stale_edits(ByteView base, Bytes file, const ReadAs& read) {
  auto editing = Editing::begin(base, read, {.lossy = true, .may_be_unknown = true});
  if (!editing) return refuse(std::move(editing.error()));
  ResolvedConflict out;
  if (auto made = editing->run_as_transaction([&] { return editing->replace(std::move(file)); },
                                              [&](const Edit& edit, const std::string&) { out.made.push_back(&edit); });
      !made)
    return refuse(std::move(made.error()));
  out.file = editing->bytes();
  return out;
}

/// Two edits that only set values, so that each element of a list is still the one it was: what both set.
class SetValues {
 public:
  explicit SetValues(const OpenedFile& base) : base_(base) { base.document->show(of_base_, 0); }

  /// Adds what a side has set. False if it has done anything else, or collides with the other one.
  bool add(const OpenedFile& side) {
    Dom dom;
    side.document->show(dom, 0);
    checked_.clear();
    return collect_value_changes(side, dom);
  }
  std::vector<Assignment> all() const {
    std::vector<Assignment> out;
    for (const auto& [path, value] : values_) out.push_back({path, value});
    return out;
  }

 private:
  bool collect_value_changes(const OpenedFile& side, const Dom& dom) {
    const bool is_stale = std::ranges::any_of(edits_of(*base_.format), [&](const Edit& e) {
      return e.is_stale && e.is_stale(*base_.document, *side.document);
    });
    if (!is_stale && side.bytes.size() != base_.bytes.size()) return false;
    if (nonzero_residue(side.document->residue()) != nonzero_residue(base_.document->residue())) return false;
    std::vector<Assignment> set;
    bool has_followers = false;  // values that are others because of those that were set
    for (const ValueChange& c : compare_values(of_base_, 0, dom, 0)) {
      if (is_stale && is_regenerated(c.path)) continue;
      const bool is_leaf = c.kind == ValueChange::Kind::value && !of_base_.is_tree(c.before) && !dom.is_tree(c.after);
      const bool has_size = !is_leaf || !of_base_.is_bytes(c.before) || !dom.is_bytes(c.after) ||
                            of_base_.bytes(c.before).size() == dom.bytes(c.after).size();
      has_followers |= !is_leaf || !has_size;
      if (is_leaf) set.push_back({c.path, dom.value(c.after)});
    }
    if (has_followers && (is_stale || !reproduces(side, set))) return false;
    for (Assignment& a : set) {
      const auto [known, is_new] = values_.try_emplace(a.path, a.value);
      if (!is_new && !(known->second == a.value)) return false;
      if (!keeps_element_identity(dom, a.path)) return false;
    }
    return true;
  }

  /// Reduces the values that differ to those whose own bytes do. Returns whether these, set in the base, give the side.
  bool reproduces(const OpenedFile& side, std::vector<Assignment>& set) {
    const TraceResult traced = base_.trace();
    if (traced.stop) return false;
    std::erase_if(set, [&](const Assignment& a) {
      const auto spot = traced.spans.find(a.path);
      return !spot || std::ranges::equal(base_.bytes.subspan(size_t(spot->offset), size_t(spot->size)),
                                         side.bytes.subspan(size_t(spot->offset), size_t(spot->size)));
    });
    auto editing = Editing::begin(base_, {.may_be_unknown = true});
    return editing && editing->set(set) && std::ranges::equal(editing->bytes(), side.bytes);
  }

  /// Whether a value is made by an edit of the format that others make due.
  bool is_regenerated(const std::string& path) const {
    return std::ranges::any_of(edits_of(*base_.format),
                               [&](const Edit& e) { return e.is_stale && e.is_generated_path(path); });
  }

  /// Whether the elements around a value are still those that they were: none is equal to another one of the base.
  bool keeps_element_identity(const Dom& dom, const std::string& path) {
    for (size_t end = path.rfind(']'); end != path.npos && end; end = path.rfind(']', end - 1)) {
      const std::string element = path.substr(0, end + 1);
      if (!checked_.insert(element).second) return true;
      const Dom::Id is = find_path(dom, 0, element);
      if (!is || !dom.is(is, Dom::Kind::object)) continue;
      const Dom::Id list = find_path(of_base_, 0, element.substr(0, element.rfind('[')));
      for (Dom::Id i = of_base_.first(list); i; i = of_base_.next(i))
        if (same_content(of_base_, i, dom, is)) return false;
    }
    return true;
  }

  const OpenedFile& base_;
  Dom of_base_;
  std::map<std::string, Value> values_;
  std::set<std::string> checked_;  // elements
};

std::optional<Bytes> merge_value_edits(ByteView base, ByteView ours, ByteView theirs, std::string_view name,
                                       const ReadAs& as) {
  const auto read = [&](ByteView file) {
    return open(std::make_shared<BorrowedByteSource>(file), std::string(name), as);
  };
  const auto opened = read(base);
  if (!opened) return {};
  std::vector<Assignment> all;
  {
    SetValues values(*opened);
    for (const ByteView file : {ours, theirs})
      if (const auto side = read(file); !side || !values.add(*side)) return {};
    all = values.all();
  }
  auto editing = Editing::begin(*opened, {.may_be_unknown = true});
  if (!editing || !editing->set(all)) return {};
  return editing->bytes();
}

/// What compressed files hold, merged, and compressed as ours is. Nothing if they are none of the format.
std::optional<Result<MergeResult>> merge_compressed_contents(ByteView base, ByteView ours, ByteView theirs,
                                                             std::string_view name, const Format& format,
                                                             ConflictPreference favor) {
  if (!format.archive || !format.archive->is_wrapping) return {};
  std::vector<Bytes> contents;
  for (const ByteView file : {base, ours, theirs}) {
    const BorrowedByteSource source(file);
    const auto members = format.archive->members(source);
    auto content = members && !members->empty() ? format.archive->content(source, members->front())
                                                : Result<Bytes>(refuse("archive.none", Location(), {}));
    if (!content) return {};
    contents.push_back(std::move(*content));
  }
  // The same content under another compression is no change.
  const auto taken = [](ByteView v) { return MergeResult{Bytes(v.begin(), v.end()), {}}; };
  if (contents[1] == contents[2] || contents[0] == contents[2]) return taken(ours);
  if (contents[0] == contents[1]) return taken(theirs);
  auto merged = dio::merge(contents[0], contents[1], contents[2], name, {}, favor);
  if (!merged || merged->bytes.empty()) return merged;
  const NewContent all{0, std::move(merged->bytes)};
  auto packed = format.archive->replace(ours, {&all, 1});
  if (!packed) return refuse(std::move(packed.error()));
  merged->bytes = std::move(*packed);
  return merged;
}

/// Merges three files of one format, whose members, if they have any, are merged.
Result<MergeResult> merge_documents(ByteView base, ByteView ours, ByteView theirs, std::string_view name,
                                    const ReadAs& read, ConflictPreference favor) {
  if (auto bytes = merge_value_edits(base, ours, theirs, name, read)) return MergeResult{std::move(*bytes), {}};
  auto merged = merge_values(base, ours, theirs, name, read, favor);
  if (!merged || std::ranges::none_of(edits_of(*read.format), [](const Edit& e) { return bool(e.is_stale); }))
    return merged;
  // Where two sides collide in what is made again after both, nobody has to say who is right.
  auto whole = merged->bytes.empty() ? merge_values(base, ours, theirs, name, read, ConflictPreference::ours) : *merged;
  if (!whole) return merged;
  auto settled = rerun_stale_edits(base, std::move(whole->bytes), read);
  // Those who have said who is right see what cannot be made.
  if (!settled && favor == ConflictPreference::none && !merged->collisions.empty()) return merged;
  if (!settled) return refuse(std::move(settled.error()));
  std::erase_if(merged->collisions, [&](const MergeConflict& c) {
    return std::ranges::any_of(settled->made, [&](const Edit* edit) { return edit->is_generated_path(c.path); });
  });
  if (favor != ConflictPreference::none || merged->collisions.empty()) merged->bytes = std::move(settled->file);
  return merged;
}

}  // namespace

Result<MergeResult> merge(ByteView base, ByteView ours, ByteView theirs, std::string_view name, const ReadAs& as,
                          ConflictPreference favor) {
  const auto equal = [](ByteView a, ByteView b) { return std::ranges::equal(a, b); };
  const auto taken = [](ByteView v) { return Result<MergeResult>(MergeResult{Bytes(v.begin(), v.end()), {}}); };
  if (equal(ours, theirs) || equal(base, theirs)) return taken(ours);
  if (equal(base, ours)) return taken(theirs);
  ReadAs read = as;
  if (!read) {
    std::vector<const Format*> formats;
    for (const ByteView file : {base, ours, theirs}) {
      auto found = detect(file, name);
      if (!found) return refuse(std::move(found.error()));
      formats.push_back(found->format);
    }
    read.format = formats[0];
    if (formats[1] != read.format || formats[2] != read.format) {
      return refuse(
          "merge.format", Location::in_file(std::string(name)),
          {.message = "the three files have different formats: base is " + std::string(formats[0]->id) + ", ours is " +
                      std::string(formats[1]->id) + ", theirs is " + std::string(formats[2]->id),
           .hint = "{--as FORMAT} reads all three as one format"});
    }
  }
  if (!as)
    if (auto merged = merge_compressed_contents(base, ours, theirs, name, *read.format, favor))
      return std::move(*merged);
  const auto members =
      merge_common_members(base, ours, theirs, *read.format, favor,
                           [&](ByteView b, ByteView o, ByteView t) { return merge(b, o, t, {}, {}, favor); });
  if (!members) return merge_documents(base, ours, theirs, name, read, favor);
  auto merged = equal(members->base, members->theirs) || equal(members->ours, members->theirs) ? taken(members->ours)
                : equal(members->base, members->ours)
                    ? taken(members->theirs)
                    : merge_documents(members->base, members->ours, members->theirs, name, read, favor);
  if (!merged) return merged;
  merged->collisions.insert(merged->collisions.begin(), members->conflicts.begin(), members->conflicts.end());
  if (!merged->collisions.empty() && favor == ConflictPreference::none) merged->bytes.clear();
  return merged;
}

}  // namespace dio
