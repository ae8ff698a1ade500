#include "bridge/report/diff.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/json.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "core/tree_matcher.hpp"
#include "layout/path_steps.hpp"
#include "layout/references.hpp"

namespace dio::report {

std::string_view to_string(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::added:
      return "added";
    case Change::Kind::removed:
      return "removed";
    case Change::Kind::changed:
      return "changed";
    case Change::Kind::moved:
      return "moved";
  }
  return "changed";
}

namespace {

// --------------------------------------------------------------------------------------------------------- comparing

class Comparison {
 public:
  Changes compare_documents(const Value& a, const Value& b) { return compare_documents(a, b, a, b); }
  /// `like_a`, `like_b`: the same values, reduced to the members that identify elements.
  Changes compare_documents(const Value& a, const Value& b, const Value& like_a, const Value& like_b) {
    for (const Value* v : {&a, &b, &like_a, &like_b}) matching_.compute_digests(*v);
    compare(a, b, like_a, like_b, {}, {});
    return std::move(changes_);
  }
  /// The path in the second document of an element of the first; nothing if it was removed.
  std::optional<std::string> path_in_second(std::string_view path) const {
    return remap_path(path, [&](const std::string& in, u64 index) -> std::optional<u64> {
      const auto list = partners_.find(in);
      if (list == partners_.end()) return index;
      const auto& partner = list->second;
      if (index >= partner.size() || partner[size_t(index)] == TreeMatcher::k_unmatched) return {};
      return partner[size_t(index)];
    });
  }

 private:
  void add_change(Change::Kind kind, std::string path_a, std::string path_b, Value before = {}, Value after = {}) {
    changes_.push_back({kind, std::move(path_a), std::move(path_b), std::move(before), std::move(after), {}, {}});
  }

  static std::string member_path(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + '.' + name;
  }
  static std::string element(const std::string& path, size_t i) { return path + '[' + std::to_string(i) + ']'; }

  /// A text that is not UTF-8 is one value.
  static bool is_hex(const Value& v) { return v.size() == 1 && v.members()[0].first == "hex"; }

  void compare(const Value& a, const Value& b, const Value& like_a, const Value& like_b, const std::string& path_a,
               const std::string& path_b) {
    if (matching_.same(a, b)) return;
    if (a.kind() != b.kind() || !TreeMatcher::is_tree(a) || (is_hex(a) && is_hex(b)))
      return add_change(Change::Kind::changed, path_a, path_b, a, b);
    if (a.is(Value::Kind::object)) return compare_objects(a, b, like_a, like_b, path_a, path_b);
    compare_lists(a, b, like_a, like_b, path_a, path_b);
  }

  void compare_objects(const Value& a, const Value& b, const Value& like_a, const Value& like_b,
                       const std::string& path_a, const std::string& path_b) {
    for (size_t i = 0; i < a.size(); ++i) {
      const auto& [name, value] = a.members()[i];
      const Value* other = TreeMatcher::find(b, name, i);
      if (other)
        compare(value, *other, *TreeMatcher::find(like_a, name, i), *TreeMatcher::find(like_b, name, i),
                member_path(path_a, name), member_path(path_b, name));
      else
        add_change(Change::Kind::removed, member_path(path_a, name), {}, value);
    }
    for (size_t i = 0; i < b.size(); ++i) {
      const auto& [name, value] = b.members()[i];
      if (!TreeMatcher::find(a, name, i)) add_change(Change::Kind::added, {}, member_path(path_b, name), {}, value);
    }
  }

  void compare_lists(const Value& a, const Value& b, const Value& like_a, const Value& like_b,
                     const std::string& path_a, const std::string& path_b) {
    const std::vector<u32> partner = partners_[path_a] = matching_.match_elements(like_a, like_b);

    // Matched elements that keep their relative order stay; the others moved.
    std::vector<std::pair<u32, u32>> pairs;
    for (u32 i = 0; i < partner.size(); ++i)
      if (partner[i] != TreeMatcher::k_unmatched) pairs.emplace_back(i, partner[i]);
    std::vector<bool> stays(a.size()), has_partner(b.size());
    for (const u32 k : TreeMatcher::longest_increasing_run(pairs)) stays[pairs[k].first] = true;
    for (const auto& [i, j] : pairs) has_partner[j] = true;

    // In the order of both lists, as far as they agree.
    size_t next_b = 0;
    const auto record_added_before = [&](size_t end) {
      for (; next_b < end; ++next_b)
        if (!has_partner[next_b]) add_change(Change::Kind::added, {}, element(path_b, next_b), {}, *b.at(next_b));
    };
    for (size_t i = 0; i < a.size(); ++i) {
      const u32 j = partner[i];
      if (j == TreeMatcher::k_unmatched) {
        add_change(Change::Kind::removed, element(path_a, i), {}, *a.at(i));
        continue;
      }
      if (stays[i])
        record_added_before(j);
      else
        add_change(Change::Kind::moved, element(path_a, i), element(path_b, j));
      compare(*a.at(i), *b.at(j), *like_a.at(i), *like_b.at(j), element(path_a, i), element(path_b, j));
    }
    record_added_before(b.size());
  }

  TreeMatcher matching_;
  Changes changes_;
  std::unordered_map<std::string, std::vector<u32>>
      partners_;  // for lists that differ, by their path in the first document
};

/// Numbers that changed because their target elements were renumbered: they still refer to the same elements.
class RenumberedReferences {
 public:
  RenumberedReferences(const Spans& a, const Spans& b, const Comparison& compared)
      : a_(a),
        b_(b),
        compared_(compared),
        of_a_(a),
        of_b_(b),
        by_path_a_(index_by_path(a, of_a_)),
        by_path_b_(index_by_path(b, of_b_)) {}

  bool operator()(const Change& c) const {
    const auto was = by_path_a_.find(c.path_a), is = by_path_b_.find(c.path_b);
    if (was == by_path_a_.end() || is == by_path_b_.end()) return false;
    const ResolvedReference &from = *was->second, &to = *is->second;
    if (from.is_run()) return has_same_elements(from, to, c.path_b == b_.path(to.count_span));
    if (!from.count || !to.count) return false;
    const auto now = compared_.path_in_second(element(a_, from, from.first));
    if (now && *now == element(b_, to, to.first)) return true;
    // The links of an element depend on the existing elements.
    if (from.reference->chain == Reference::Chain::none) return false;
    return !now || !kept_element_paths(from).contains(element(b_, to, to.first));
  }

 private:
  using ByPath = std::unordered_map<std::string, const ResolvedReference*>;
  static ByPath index_by_path(const Spans& spans, const References& references) {
    ByPath out;
    for (const ResolvedReference& r : references.all()) {
      if (!r.list) continue;
      out.emplace(spans.path(r.from), &r);
      if (r.count_span) out.emplace(spans.path(r.count_span), &r);
    }
    return out;
  }
  static std::string element(const Spans& spans, const ResolvedReference& r, u64 index) {
    return spans.path(r.list) + '[' + std::to_string(index) + ']';
  }
  /// Whether two runs have the same elements, apart from removed and new ones. `is_count`: only the number of elements
  /// decides to which run a new element belongs.
  bool has_same_elements(const ResolvedReference& from, const ResolvedReference& to, bool is_count) const {
    std::vector<std::string> kept;
    for (u64 i = from.first; i < std::min(from.first + from.count, a_.length(from.list)); ++i)
      if (auto now = compared_.path_in_second(element(a_, from, i))) kept.push_back(std::move(*now));
    sort_stably(kept);
    const std::unordered_set<std::string>& old = kept_element_paths(from);
    std::vector<std::string> there;
    for (u64 i = to.first; i < std::min(to.first + to.count, b_.length(to.list)); ++i) {
      std::string path = element(b_, to, i);
      if (old.contains(path)) there.push_back(std::move(path));
    }
    sort_stably(there);
    return kept == there && !(is_count && there.size() < to.count);
  }

  /// The paths in the second file of all kept elements of a list.
  const std::unordered_set<std::string>& kept_element_paths(const ResolvedReference& from) const {
    const auto [known, is_new] = kept_.try_emplace(from.list);
    if (is_new)
      for (u64 i = 0, n = a_.length(from.list); i < n; ++i)
        if (auto now = compared_.path_in_second(element(a_, from, i))) known->second.insert(std::move(*now));
    return known->second;
  }

  const Spans &a_, &b_;
  const Comparison& compared_;
  mutable std::unordered_map<u32, std::unordered_set<std::string>> kept_;
  const References of_a_, of_b_;
  const ByPath by_path_a_, by_path_b_;
};

/// Shows a value on part of a line.
std::string brief(const Value& v) { return truncate_utf8(json::write(v, {.indent = 0}), 100); }

}  // namespace

namespace {

Changes fill_change_texts(Changes changes) {
  for (Change& c : changes) {
    if (!c.path_a.empty() || c.path_b.empty()) c.was = brief(c.before);
    if (!c.path_b.empty() || c.path_a.empty()) c.is = brief(c.after);
    if (c.kind == Change::Kind::moved) c.was.clear(), c.is.clear();
  }
  return changes;
}

}  // namespace

Changes diff(const Value& a, const Value& b) { return fill_change_texts(Comparison().compare_documents(a, b)); }

namespace {

/// The path in the file of a path in the document whose lists were reordered.
std::string original_path(const std::string& path, const Value& places) {
  for (const auto& [list, numbers] : places.members()) {
    if (!path.starts_with(list + "[")) continue;
    const size_t end = path.find(']', list.size());
    u64 n = 0;
    for (size_t i = list.size() + 1; i < end; ++i) n = n * 10 + u64(path[i] - '0');
    const Value* place = numbers.at(size_t(n));
    return place ? list + "[" + std::to_string(place->bits()) + path.substr(end) : path;
  }
  return path;
}

/// A text with several lines: a script.
std::optional<std::string_view> find_text_value(const Spans& spans, const std::string& path) {
  const auto spot = spans.find(path);
  if (!spot || spot->element || !spot->size) return {};
  const Span::Kind kind = spans[spot->span].kind;
  if (kind != Span::Kind::bytes && kind != Span::Kind::text) return {};
  const std::string_view text(reinterpret_cast<const char*>(spans.file.data() + spot->offset), size_t(spot->size));
  for (size_t i = 0; i < text.size();) {
    const size_t n = utf8_sequence_length(text, i);
    if (!n || (u8(text[i]) < ' ' && text[i] != '\n' && text[i] != '\t' && text[i] != '\r')) return {};
    i += n;
  }
  return kind == Span::Kind::text && text.find('\n') == text.npos ? std::nullopt : std::optional(text);
}

}  // namespace

namespace {

/// The values without links to neighbours; nothing if there are none. Links do not identify an element: removing one
/// element changes the links of all later ones.
std::optional<Value> remove_chain_links(const Spans& spans, const Value& values) {
  const References references(spans);
  const auto is_link = [](const ResolvedReference& r) { return r.reference->chain != Reference::Chain::none; };
  if (std::ranges::none_of(references.all(), is_link)) return {};
  Value all = values;
  const std::function<Value*(u32)> at = [&](u32 span) -> Value* {
    if (!span) return &all;
    Value* around = at(spans[span].parent);
    const Key& key = spans[span].key;
    if (!around) return nullptr;
    return key.name ? around->find(key.name) : const_cast<Value*>(around->at(key.index));
  };
  for (const ResolvedReference& r : references.all())
    if (Value* link = is_link(r) ? at(r.from.span) : nullptr) *link = Value();
  return all;
}

}  // namespace

Changes diff(const Spans& a, const Spans& b, const std::function<Value(const Value&, const Value&)>& matched) {
  const Value was = a.value(0), is = b.value(0);
  const Value other = matched ? matched(was, is) : Value();
  Comparison comparison;
  const auto like_a = matched ? std::nullopt : remove_chain_links(a, was), like_b = remove_chain_links(b, is);
  Changes changes = like_a && like_b ? comparison.compare_documents(was, is, *like_a, *like_b)
                                     : comparison.compare_documents(was, matched ? *other.find("document") : is);
  const bool may_follow =
      !matched && std::ranges::any_of(changes, [](const Change& c) { return c.kind != Change::Kind::changed; });
  if (may_follow) std::erase_if(changes, RenumberedReferences(a, b, comparison));
  changes = fill_change_texts(std::move(changes));
  if (matched)
    for (Change& c : changes) c.path_b = original_path(c.path_b, *other.find("places"));
  std::erase_if(changes, [&](const Change& c) {
    const auto spot = c.kind == Change::Kind::changed ? a.find(c.path_a) : std::nullopt;
    return spot && a[spot->span].key.is_placement;
  });
  // Single values are shown with the words and units of their fields; for bytes and parts, the JSON is more
  // informative.
  const auto describe_line_change = [&](Change& c) {
    if (c.kind != Change::Kind::changed) return false;
    const auto was = find_text_value(a, c.path_a), is = find_text_value(b, c.path_b);
    if (!was || !is) return false;
    size_t number = 1, at_a = 0, at_b = 0;
    const auto line = [](std::string_view text, size_t at) { return text.substr(at, text.find('\n', at) - at); };
    while (line(*was, at_a) == line(*is, at_b)) {
      at_a += line(*was, at_a).size() + 1, at_b += line(*is, at_b).size() + 1, ++number;
      if (at_a > was->size() || at_b > is->size()) return false;
    }
    const std::string where = "line " + std::to_string(number) + ": ";
    c.was = where + brief(Value(line(*was, at_a))), c.is = brief(Value(line(*is, at_b)));
    return true;
  };
  const auto format_scalar = [](const Spans& spans, const std::string& path, std::string& text) {
    if (text.empty()) return;
    const std::optional<SpanRef> spot = spans.find(path);
    if (!spot) return;
    const Span& s = spans[spot->span];
    const bool number = s.kind == Span::Kind::number || s.kind == Span::Kind::bits || s.kind == Span::Kind::inferred;
    if (spot->element || (number && s.wire != Wire::fourcc)) text = spans.show(*spot);
  };
  // Long runs of bytes start alike: shows the first difference and the number of different bytes.
  const auto bytes = [&](Change& c) {
    if (c.kind != Change::Kind::changed) return false;
    const auto was = a.find(c.path_a), is = b.find(c.path_b);
    if (!was || !is || a[was->span].kind != Span::Kind::bytes || b[is->span].kind != Span::Kind::bytes) return false;
    constexpr u64 k_short = 32, k_shown = 8;
    if (was->size != is->size || was->size <= k_short) return false;
    const ByteView x = a.file.subspan(size_t(was->offset), size_t(was->size)),
                   y = b.file.subspan(size_t(is->offset), size_t(is->size));
    size_t differ = 0, first = x.size();
    for (size_t i = x.size(); i-- > 0;)
      if (x[i] != y[i]) ++differ, first = i;
    const auto shown = [&](ByteView all) {
      return encode_hex(all.subspan(first, std::min<size_t>(k_shown, all.size() - first)));
    };
    c.was = "from " + format_hex(first) + " on: " + shown(x);
    c.is = shown(y) + " (" + std::to_string(differ) + " of " + format_count(x.size(), "byte") + " differ)";
    return true;
  };
  for (Change& c : changes) {
    if (describe_line_change(c) || bytes(c)) continue;
    format_scalar(a, c.path_a, c.was);
    format_scalar(b, c.path_b, c.is);
  }
  return changes;
}

std::string diff_text(const Changes& changes, bool color) {
  std::string out;
  for (const Change& c : changes) {
    static constexpr const char* k_marks[] = {"+", "-", "~", ">"};
    static constexpr const char* k_colors[] = {"\033[32m", "\033[31m", "\033[33m", "\033[36m"};
    if (color) out += k_colors[size_t(c.kind)];
    out += k_marks[size_t(c.kind)];
    if (color) out += "\033[0m";
    out += ' ';
    const std::string& path = c.kind == Change::Kind::added ? c.path_b : c.path_a;
    out += path.empty() ? "(the whole document)" : path;
    switch (c.kind) {
      case Change::Kind::added:
        out += ": " + c.is;
        break;
      case Change::Kind::removed:
        out += ": " + c.was;
        break;
      case Change::Kind::moved:
        out += " moved to " + c.path_b;
        break;
      case Change::Kind::changed:
        if (c.path_a != c.path_b) out += " (now " + c.path_b + ")";
        out += ": " + c.was + " -> " + c.is;
        break;
    }
    out += '\n';
  }
  return out;
}

Value diff_json(const Changes& changes) {
  Value root = Value::object();
  root.add("schema", "diorama.diff/1");
  Value& list = root.add("changes", Value::list());
  for (const Change& c : changes) {
    Value& entry = list.push(Value::object());
    entry.add("kind", to_string(c.kind));
    if (c.kind != Change::Kind::added) entry.add("a", c.path_a);
    if (c.kind != Change::Kind::removed) entry.add("b", c.path_b);
    if (c.kind == Change::Kind::removed || c.kind == Change::Kind::changed) entry.add("old", c.before);
    if (c.kind == Change::Kind::added || c.kind == Change::Kind::changed) entry.add("new", c.after);
  }
  return root;
}

}  // namespace dio::report
