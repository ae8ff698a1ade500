#include "operations/value_changes.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "layout/path_steps.hpp"

namespace dio {

namespace {

bool equal_leaf_values(const Dom& a, Dom::Id x, const Dom& b, Dom::Id y) {
  if (a.kind(x) == b.kind(y) && a.is_bytes(x) == b.is_bytes(y) && a.token(x) == b.token(y)) return true;
  if (a.is_number(x) && b.is_number(y)) return a.number(x) == b.number(y);
  return a.value(x) == b.value(y);  // bytes, and the same as hex digits
}

/// Two files of which one is a changed copy of the other.
struct Copy {
  ByteView original;
  const EditableCopy* draft = nullptr;

  static std::optional<u64> offset_within(ByteView file, ByteView part) {
    const std::less_equal<const u8*> not_after;
    if (part.empty() || !not_after(file.data(), part.data()) ||
        !not_after(part.data() + part.size(), file.data() + file.size()))
      return {};
    return u64(part.data() - file.data());
  }
  /// Whether two runs lie at one place, and nothing there has been replaced.
  bool is_unchanged(ByteView a, ByteView b) const {
    if (!draft || a.size() != b.size()) return false;
    const auto at = offset_within(original, a);
    if (!at || at != offset_within(draft->bytes(), b)) return false;
    const auto after = draft->changed().lower_bound(*at + a.size());
    return after == draft->changed().begin() || std::prev(after)->first + std::prev(after)->second <= *at;
  }
};

/// Walks two trees at once. `found` returns whether to go on.
template <class F>
class Comparison {
 public:
  Comparison(const Dom& a, const Dom& b, F found, Copy copy = {})
      : a_(a), b_(b), found_(std::move(found)), copy_(copy) {}

  bool compare(Dom::Id x, Dom::Id y) {
    if (a_.is_derived(x) || b_.is_derived(y))
      return a_.kind(x) != Dom::Kind::list || b_.kind(y) != Dom::Kind::list || a_.size(x) == b_.size(y) ||
             report_change(ValueChange::Kind::rebuilt, x, y);
    const bool is_tree = a_.is_tree(x) && a_.kind(x) == b_.kind(y);
    if (!is_tree && a_.is_bytes(x) && b_.is_bytes(y) && copy_.is_unchanged(a_.bytes(x), b_.bytes(y))) return true;
    if (!is_tree) return equal_leaf_values(a_, x, b_, y) || report_change(ValueChange::Kind::value, x, y);
    return a_.is(x, Dom::Kind::list) ? compare_lists(x, y) : compare_objects(x, y);
  }

 private:
  bool compare_lists(Dom::Id x, Dom::Id y) {
    if (a_.size(x) != b_.size(y)) return report_change(ValueChange::Kind::length, x, y);
    u64 index = 0;
    for (Dom::Id i = a_.first(x), j = b_.first(y); i && j; i = a_.next(i), j = b_.next(j), ++index) {
      const size_t size = path_.size();
      path_ += '[' + std::to_string(index) + ']';
      if (!compare(i, j)) return false;
      path_.resize(size);
    }
    return true;
  }

  bool compare_objects(Dom::Id x, Dom::Id y) {
    Dom::Id i = a_.first(x);
    for (Dom::Id j = b_.first(y); j; j = b_.next(j)) {
      const std::string_view name = b_.name(j);
      Dom::Id own = i && a_.name(i) == name ? i : a_.find(x, name);
      if (own) i = a_.next(own);
      if (!compare_member(name, [&] {
            return own ? compare(own, j) : b_.is_derived(j) || report_change(ValueChange::Kind::added, 0, j);
          }))
        return false;
    }
    for (Dom::Id own = a_.first(x); own; own = a_.next(own))
      if (!b_.find(y, a_.name(own)) && !a_.is_derived(own))
        if (!compare_member(a_.name(own), [&] { return report_change(ValueChange::Kind::gone, own, 0); })) return false;
    return true;
  }

  template <class G>
  bool compare_member(std::string_view member, G compare_it) {
    const size_t size = path_.size();
    if (size) path_ += '.';
    path_ += member;
    const bool goes_on = compare_it();
    path_.resize(size);
    return goes_on;
  }

  bool report_change(ValueChange::Kind kind, Dom::Id x, Dom::Id y) { return found_(ValueChange{kind, path_, x, y}); }

  const Dom &a_, &b_;
  F found_;
  Copy copy_;
  std::string path_;
};

template <class F>
void for_each_change(const Dom& a, Dom::Id x, const Dom& b, Dom::Id y, F found) {
  Comparison<F>(a, b, std::move(found)).compare(x, y);
}

}  // namespace

std::vector<ValueChange> compare_values(const Dom& a, Dom::Id in_a, const Dom& b, Dom::Id in_b) {
  std::vector<ValueChange> out;
  for_each_change(a, in_a, b, in_b, [&](ValueChange&& c) {
    out.push_back(std::move(c));
    return true;
  });
  return out;
}

std::vector<ValueChange> compare_values(const Dom& a, ByteView original, const Dom& b, const EditableCopy& copy) {
  std::vector<ValueChange> out;
  const auto add = [&](ValueChange&& c) {
    out.push_back(std::move(c));
    return true;
  };
  Comparison<decltype(add)>(a, b, add, {original, &copy}).compare(0, 0);
  return out;
}

bool same_content(const Dom& a, Dom::Id in_a, const Dom& b, Dom::Id in_b) {
  bool same = true;
  for_each_change(a, in_a, b, in_b, [&](const ValueChange& c) { return same = c.kind == ValueChange::Kind::rebuilt; });
  return same;
}

bool same_elements(const Dom& a, Dom::Id in_a, const Dom& b, Dom::Id in_b) {
  if (a.size(in_a) != b.size(in_b)) return false;
  std::vector<Dom::Id> left;
  for (Dom::Id j = b.first(in_b); j; j = b.next(j)) left.push_back(j);
  for (Dom::Id i = a.first(in_a); i; i = a.next(i)) {
    const auto same = std::ranges::find_if(left, [&](Dom::Id j) { return same_content(a, i, b, j); });
    if (same == left.end()) return false;
    left.erase(same);
  }
  return true;
}

Dom::Id find_path(const Dom& dom, Dom::Id tree, std::string_view path) {
  Dom::Id now = tree;
  while (!path.empty()) {
    if (const auto index = take_index(path)) {
      if (!dom.is(now, Dom::Kind::list)) return 0;
      Dom::Id element = dom.first(now);
      for (u64 i = 0; element && i < *index; ++i) element = dom.next(element);
      now = element;
    } else {
      if (path.starts_with('.')) path.remove_prefix(1);
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      if (name.empty() || !dom.is(now, Dom::Kind::object)) return 0;
      now = dom.find(now, name);
      path.remove_prefix(name.size());
    }
    if (!now) return 0;
  }
  return now;
}

}  // namespace dio
