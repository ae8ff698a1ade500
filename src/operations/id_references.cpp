#include "operations/id_references.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "layout/references.hpp"
#include "operations/changes.hpp"

namespace dio {

namespace {

constexpr std::string_view k_id = "@id", k_value = "@value", k_self = "@self";

/// What has a member of this name beside the value at a path.
std::string sibling_path(const std::string& path, std::string_view name) {
  const size_t dot = path.rfind('.');
  return dot == path.npos ? std::string(name) : path.substr(0, dot + 1) + std::string(name);
}
void remove_member(Value& object, std::string_view name) {
  std::erase_if(object.members(), [&](const Value::Member& m) { return m.first == name; });
}
std::string_view chain_name(Reference::Chain chain) {
  constexpr std::string_view k_names[] = {"", "previous", "next", "self"};
  return k_names[size_t(chain)];
}
bool is_reference(const Value& v) { return v.is(Value::Kind::text) && v.text().starts_with('@'); }
bool is_run(const Value& v) {
  return v.is(Value::Kind::list) &&
         std::ranges::all_of(v.members(), [](const Value::Member& m) { return is_reference(m.second); });
}

}  // namespace

// ---- to ids ----

void replace_indices_with_ids(Value& whole, const Spans& spans) {
  Value* document = whole.find("document");
  if (!document) return;
  const References references(spans);
  Value table = Value::object();
  std::set<u32> targets;
  std::set<std::string> counts;
  for (const ResolvedReference& r : references.all()) {
    // Names and numbers of parts of a game mean the same wherever elements are.
    if (!r.count || !r.list || r.is_by_name() || !references.exists(r)) continue;
    const Span& field = spans[r.from.span];
    const std::string path = spans.path({r.from.span, {}, 0, 0}), list = spans.path(r.list);
    Value* at = value_at(*document, path);
    if (!at || !value_at(*document, list)) continue;
    const bool is_self = r.reference->chain == Reference::Chain::self;
    const auto target = [&](u64 i) { return "@" + element_path(list, i); };
    if (is_self && !path.starts_with(element_path(list, r.first) + ".")) continue;  // it is another number

    const bool is_bytes = field.kind == Span::Kind::bytes;
    if (is_bytes && at->is(Value::Kind::text)) {
      const auto bytes = decode_hex(at->text());
      if (!bytes) continue;
      *at = Value::list();
      for (const u8 b : *bytes) at->push(u64(b));
    }
    Value& spot = r.from.element ? at->members()[size_t(*r.from.element)].second : *at;
    if (r.is_run()) {
      counts.insert(sibling_path(path, r.reference->count));
      spot = Value::list();
      for (u64 i = r.first; i < r.first + r.count; ++i) spot.push(target(i));
    } else
      spot = is_self ? Value(k_self) : Value(target(r.first));
    if (!is_self) targets.insert(r.list);

    const std::string pattern = strip_list_indices(path) + (r.from.element ? "[]" : "");
    if (Value* known = table.find(pattern)) {
      // Lists of several lengths have none of their own.
      const Value* size = known->find("size");
      if (size && size->bits() != spans.count(field)) remove_member(*known, "size");
      continue;
    }
    Value& entry = table.add(pattern, Value::object());
    entry.add("to", strip_list_indices(list));
    if (r.reference->base) entry.add("base", r.reference->base);
    const EnumNames& words = *field.key.vocabulary;
    if (!words.words.empty()) entry.add("none", words.words.front().value);
    if (r.is_run()) entry.add("count", r.reference->count);
    if (r.reference->chain != Reference::Chain::none) entry.add("chain", chain_name(r.reference->chain));
    if (is_bytes)
      entry.add("bytes", true);
    else if (r.from.element && !words.words.empty())
      entry.add("size", spans.count(field));
  }
  for (const std::string& path : counts) {
    const size_t dot = path.rfind('.');
    if (Value* around = dot == path.npos ? document : value_at(*document, path.substr(0, dot)))
      remove_member(*around, dot == path.npos ? path : path.substr(dot + 1));
  }
  for (const u32 list : targets) {
    const std::string path = spans.path(list);
    u64 i = 0;
    for (auto& [name, element] : value_at(*document, path)->members()) {
      const std::string id = element_path(path, i++);
      Value with_id = Value::object();
      with_id.add(std::string(k_id), id);
      if (element.is(Value::Kind::object))
        for (auto& member : element.members()) with_id.members().push_back(std::move(member));
      else
        with_id.add(std::string(k_value), std::move(element));
      element = std::move(with_id);
    }
  }
  if (!table.size()) return;
  // Before the document, which is long.
  auto& members = whole.members();
  const auto before = std::ranges::find(members, "document", &Value::Member::first);
  members.insert(before, {"references", std::move(table)});
}

// ---- to numbers ----

namespace {

class ToNumbers {
 public:
  explicit ToNumbers(const Value& table) : table_(table) {}

  Result<bool> run(Value& document) {
    collect_element_ids(document, "");
    if (!problem_) resolve_references(document, "", nullptr);
    if (!problem_) relink_neighbours();
    if (problem_) return refuse(std::move(*problem_));
    return true;
  }

 private:
  struct Element {
    std::string list;  // the pattern of its list
    u64 index = 0;
  };
  /// A link to a neighbour that is gone.
  struct DanglingLink {
    Value* link;
    u64 index;  // of the element that it is in
    bool is_next;
    std::string gone, path;
    const Value* entry;
  };
  const Value& table_;
  std::unordered_map<std::string, Element> elements_;  // by id
  std::vector<DanglingLink> loose_;
  std::optional<Diagnostic> problem_;

  void report_reference_error(const Value& at, const std::string& path, std::string message, std::string hint = {}) {
    if (problem_) return;
    std::string line;
    if (at.line) line = "line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
    if (!hint.empty()) line += (line.empty() ? "" : "; ") + hint;
    problem_ = make_diagnostic("json.reference", path, {.message = std::move(message), .hint = std::move(line)});
  }

  /// Learns the ids, and takes them out of the elements.
  void collect_element_ids(Value& v, const std::string& path) {
    if (v.is(Value::Kind::object)) {
      for (auto& [name, member] : v.members()) collect_element_ids(member, member_path(path, name));
      return;
    }
    if (!v.is(Value::Kind::list)) return;
    for (u64 i = 0; i < v.size(); ++i) {
      Value& element = v.members()[size_t(i)].second;
      const std::string own = element_path(path, i);
      if (const Value* id = element.find(k_id)) {
        if (!id->is(Value::Kind::text)) return report_reference_error(*id, own, "\"@id\" must be text");
        const auto [known, is_new] = elements_.try_emplace(id->text(), Element{strip_list_indices(path), i});
        if (!is_new)
          return report_reference_error(*id, own, "another element has the id " + in_quotes(id->text()),
                                        "remove the \"@id\" of the copy, or give the copy a new one");
        remove_member(element, k_id);
        if (Value* value = element.find(k_value); value && element.size() == 1) {
          Value inner = std::move(*value);
          element = std::move(inner);
        }
      }
      collect_element_ids(element, own);
    }
  }

  const Element* find(const Value& reference, const Value& entry, const std::string& path) {
    const auto found = elements_.find(reference.text().substr(1));
    if (found == elements_.end()) return nullptr;
    if (const Value* to = entry.find("to"); to && to->text() != found->second.list) {
      report_reference_error(
          reference, path, "the field can refer only to elements of " + to->text() + ", not of " + found->second.list);
      return nullptr;
    }
    return &found->second;
  }
  static u64 number_in(const Value& entry, std::string_view name) {
    const Value* v = entry.find(name);
    return v ? v->bits() : 0;
  }
  void set_null_reference(Value& v, const Value& entry, const std::string& path) {
    const Value* none = entry.find("none");
    if (!none) return report_reference_error(v, path, "the field cannot be null; it must refer to an element");
    v = *none;
  }

  void resolve_reference(Value& v, const Value& entry, const std::string& path, const u64* index) {
    if (v.is(Value::Kind::null)) return set_null_reference(v, entry, path);
    if (!is_reference(v)) return;
    const u64 base = number_in(entry, "base");
    const Value* chain = entry.find("chain");
    if (v.text() == k_self) {
      v = Value(base + (index ? *index : 0));
      return;
    }
    if (const Element* to = find(v, entry, path)) {
      v = Value(base + to->index);
    } else if (chain && index) {
      loose_.push_back({&v, *index, chain->text() == "next", v.text(), path, &entry});
    } else {
      const std::string none = entry.find("none") ? "; null means no reference" : "";
      report_reference_error(v, path, "no element has the id " + in_quotes(v.text().substr(1)),
                             "use the id of an existing element" + none);
    }
  }

  /// The first element of a run; how many there are becomes a member beside it.
  std::optional<u64> resolve_reference_run(Value& v, const Value& entry, const std::string& path) {
    std::vector<u64> places;
    std::string list;
    for (const auto& [name, reference] : v.members())
      if (const Element* to = find(reference, entry, path)) places.push_back(to->index), list = to->list;
    sort_stably(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.empty()) {
      v = entry.find("none") ? *entry.find("none") : Value(u64(0));
      return 0;
    }
    const u64 first = places.front(), count = places.back() - first + 1;
    if (count != places.size())
      for (const auto& [id, element] : elements_)
        if (element.list == list && element.index > first && element.index < places.back() &&
            !std::ranges::binary_search(places, element.index)) {
          report_reference_error(
              v, path, "the elements of this group are no longer consecutive: " + in_quotes(id) + " is between them",
              "keep the elements of each group next to each other in the list");
          return {};
        }
    v = Value(number_in(entry, "base") + first);
    return count;
  }

  /// `index`: of the nearest element around.
  void resolve_references(Value& v, const std::string& path, const u64* index) {
    if (problem_) return;
    const std::string pattern = strip_list_indices(path);
    if (v.is(Value::Kind::object)) {
      std::vector<std::pair<std::string, u64>> counts;
      for (auto& [name, member] : v.members()) {
        const std::string own = member_path(path, name);
        const Value* entry = table_.find(strip_list_indices(own));
        const Value* count = entry ? entry->find("count") : nullptr;
        if (count && member.is(Value::Kind::list) && is_run(member)) {
          if (const auto n = resolve_reference_run(member, *entry, own)) counts.push_back({count->text(), *n});
        } else if (entry)
          resolve_reference(member, *entry, own, index);
        else
          resolve_references(member, own, index);
      }
      for (const auto& [name, count] : counts) {
        if (Value* known = v.find(name))
          *known = Value(count);
        else
          v.add(name, Value(count));
      }
    } else if (v.is(Value::Kind::list)) {
      const Value* entry = table_.find(pattern + "[]");
      if (entry) return resolve_reference_list(v, *entry, path, index);
      u64 i = 0;
      for (auto& [name, element] : v.members()) {
        resolve_references(element, element_path(path, i), &i);
        ++i;
      }
    }
  }

  /// A list of references. If it has a value for none, its length is fixed: those that lead nowhere are at its end.
  void resolve_reference_list(Value& v, const Value& entry, const std::string& path, const u64* index) {
    const Value *size = entry.find("size"), *none = entry.find("none");
    constexpr u64 k_most = 256;  // references in a list of fixed length; the formats have up to 6
    if (size && none) {
      if (size->bits() > k_most)
        return report_reference_error(*size, path, "a list of references can have at most 256 entries");
      std::erase_if(v.members(), [](const Value::Member& m) { return m.second.is(Value::Kind::null); });
      while (v.size() < size->bits()) v.push(*none);
    }
    u64 i = 0;
    for (auto& [name, element] : v.members()) resolve_reference(element, entry, element_path(path, i++), index);
    const Value* is_bytes = entry.find("bytes");
    if (!is_bytes || problem_) return;
    Bytes bytes;
    for (const auto& [name, element] : v.members()) {
      if (element.bits() > 255)
        return report_reference_error(element, path, "the index of the element is too large for this field");
      bytes.push_back(u8(element.bits()));
    }
    v = Value(encode_hex(bytes));
  }

  /// Where one element of a chain is gone, its neighbours are linked.
  void relink_neighbours() {
    for (const DanglingLink& a : loose_) {
      const auto partner = [&](const auto& fits) {
        return std::ranges::find_if(loose_, [&](const DanglingLink& b) { return b.is_next != a.is_next && fits(b); });
      };
      auto other = partner([&](const DanglingLink& b) { return b.gone == a.gone; });
      if (other == loose_.end())  // several that followed each other are gone
        other =
            partner([&](const DanglingLink& b) { return a.is_next ? b.index == a.index + 1 : b.index + 1 == a.index; });
      if (other != loose_.end())
        *a.link = Value(number_in(*a.entry, "base") + other->index);
      else
        set_null_reference(*a.link, *a.entry, a.path);
    }
  }
};

}  // namespace

Result<bool> replace_ids_with_indices(Value& whole) {
  const Value* table = whole.find("references");
  Value* document = whole.find("document");
  if (!table || !document) return false;
  if (auto done = ToNumbers(Value(*table)).run(*document); !done) return done;
  remove_member(whole, "references");
  return true;
}

}  // namespace dio
