#include "operations/changes.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "layout/path_steps.hpp"

namespace dio {

Change Change::inverse() const {
  Change c = *this;
  switch (kind) {
    case Kind::set:
      std::swap(c.before, c.after);
      break;
    case Kind::put:
    case Kind::drop:
      c.kind = kind == Kind::put ? Kind::drop : Kind::put;
      std::swap(c.before, c.after);
      break;
    case Kind::insert:
    case Kind::remove:
      c.kind = kind == Kind::insert ? Kind::remove : Kind::insert;
      std::swap(c.before, c.after);
      break;
    case Kind::order:
      for (size_t i = 0; i < order.size(); ++i) c.order[order[i]] = u32(i);
      break;
  }
  return c;
}

Changes inverse(const Changes& changes) {
  Changes out;
  for (size_t i = changes.size(); i-- > 0;) out.push_back(changes[i].inverse());
  return out;
}

std::string strip_list_indices(std::string_view path) {
  std::string out;
  bool is_index = false;
  for (const char c : path) {
    if (c == ']') is_index = false;
    if (!is_index) out += c;
    if (c == '[') is_index = true;
  }
  return out;
}

Value* value_at(Value& document, std::string_view path) {
  Value* now = &document;
  while (now && !path.empty()) {
    if (const auto index = take_index(path)) {
      now = now->is(Value::Kind::list) && *index < now->size() ? &now->members()[size_t(*index)].second : nullptr;
    } else {
      if (now != &document) {
        if (!path.starts_with('.')) return nullptr;
        path.remove_prefix(1);
      }
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      if (name.empty()) return nullptr;
      now = now->find(name);
      path.remove_prefix(name.size());
    }
  }
  return now;
}

Result<bool> apply_change(Value& document, const Change& c) {
  const auto stale = [&](const char* why) { return refuse("edit.stale", c.path, {.message = why}); };
  if (c.kind == Change::Kind::put || c.kind == Change::Kind::drop) {
    if (bool(document.find(c.path)) != (c.kind == Change::Kind::drop))
      return stale("the parts of the document have changed");
    if (c.kind == Change::Kind::put)
      document.add(c.path, c.after);
    else
      std::erase_if(document.members(), [&](const Value::Member& m) { return m.first == c.path; });
    return true;
  }
  Value* at = value_at(document, c.path);
  if (!at) return stale("the document no longer has this value");
  if (c.kind == Change::Kind::set) {
    if (!(*at == c.before)) return stale("the value has changed in the meantime");
    *at = c.after;
    return true;
  }
  if (!at->is(Value::Kind::list)) return stale("the value is not a list");
  auto& elements = at->members();
  const auto place = [&](u64 i) { return elements.begin() + std::ptrdiff_t(i); };
  const bool has_index = c.kind == Change::Kind::insert || c.kind == Change::Kind::remove;
  if (has_index && c.index >= elements.size() + (c.kind == Change::Kind::insert))
    return stale("the list has become shorter");
  switch (c.kind) {
    case Change::Kind::set:
    case Change::Kind::put:
    case Change::Kind::drop:
      break;
    case Change::Kind::insert:
      elements.emplace(place(c.index), std::string(), c.after);
      break;
    case Change::Kind::remove:
      if (!(elements[size_t(c.index)].second == c.before)) return stale("the element has changed in the meantime");
      elements.erase(place(c.index));
      break;
    case Change::Kind::order: {
      if (c.order.size() != elements.size()) return stale("the list has a different length");
      std::vector<Value::Member> ordered;
      ordered.reserve(elements.size());
      for (const u32 from : c.order) ordered.push_back(std::move(elements[from]));
      elements = std::move(ordered);
      break;
    }
  }
  return true;
}

Result<bool> apply_changes(Value& document, const Changes& changes) {
  for (size_t i = 0; i < changes.size(); ++i)
    if (auto done = apply_change(document, changes[i]); !done) {
      while (i-- > 0) (void)apply_change(document, changes[i].inverse());
      return done;
    }
  return true;
}

static std::string format_value(const Value& v) {
  constexpr size_t k_shown = 100;  // characters of a text
  switch (v.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return v.boolean() ? "true" : "false";
    case Value::Kind::integer:
      return v.negative() ? std::to_string(i64(v.bits())) : std::to_string(v.bits());
    case Value::Kind::real:
      return format_real(v.number(), v.is_single());
    case Value::Kind::text:
      return "\"" + truncate_utf8(v.text(), k_shown) + "\"";
    case Value::Kind::list:
      return "[...]";
    case Value::Kind::object:
      return "{...}";
  }
  return {};
}

std::string format_one_line(const Change& c) {
  const std::string at = "[" + std::to_string(c.index) + "]";
  switch (c.kind) {
    case Change::Kind::set:
      if (c.is_rebuilt)
        return "~ " + c.path + ": rebuilt, " + std::to_string(c.before.size()) + " -> " +
               format_count(c.after.size(), "element");
      return "~ " + c.path + ": " + format_value(c.before) + " -> " + format_value(c.after);
    case Change::Kind::put:
      return "+ " + c.path;
    case Change::Kind::drop:
      return "- " + c.path;
    case Change::Kind::insert:
      return "+ " + c.path + at;
    case Change::Kind::remove:
      return "- " + c.path + at;
    case Change::Kind::order: {
      // One that moved alone.
      size_t first = 0, last = c.order.size();
      while (first < last && c.order[first] == first) ++first;
      while (last > first && c.order[last - 1] == last - 1) --last;
      const auto moved = [&](size_t from, size_t to) {
        return "> " + c.path + "[" + std::to_string(from) + "] -> [" + std::to_string(to) + "]";
      };
      bool up = last > first, down = up;
      for (size_t i = first; i + 1 < last; ++i) down &= c.order[i] == i + 1, up &= c.order[i + 1] == i;
      if (down && last > first && c.order[last - 1] == first) return moved(first, last - 1);
      if (up && last > first && c.order[first] == last - 1) return moved(last - 1, first);
      return "> " + c.path + ": reordered";
    }
  }
  return {};
}

}  // namespace dio
