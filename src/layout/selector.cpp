#include "layout/selector.hpp"

#include <charconv>

#include "core/text_format.hpp"
#include "layout/write_value.hpp"

namespace dio {

namespace {

using Found = std::vector<SpanRef>;

/// The content of brackets, or the name of a member.
struct Step {
  std::string_view text;
  bool in_brackets = false;
};

/// The steps of a path; nothing if the path is invalid. Brackets may contain quotes, and brackets inside them.
std::optional<std::vector<Step>> parse_path_steps(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      bool quoted = false;
      size_t end = 1;
      for (; end < path.size() && (quoted || path[end] != ']'); ++end) quoted ^= path[end] == '"';
      if (end == path.size() || end == 1) return {};
      steps.push_back({path.substr(1, end - 1), true});
      path.remove_prefix(end + 1);
    } else {
      if (!steps.empty()) {
        if (path.front() != '.') return {};
        path.remove_prefix(1);
      }
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      if (name.empty()) return {};
      steps.push_back({name, false});
      path.remove_prefix(name.size());
    }
  }
  return steps;
}

std::optional<u64> parse_index(std::string_view text) {
  u64 n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return n;
}

struct Condition {
  std::string_view path, comparison, value;
};

std::optional<std::vector<Condition>> parse_conditions(std::string_view text) {
  std::vector<Condition> out;
  while (!text.empty()) {
    bool quoted = false;
    size_t end = 0;
    for (; end < text.size() && (quoted || text[end] != ','); ++end) quoted ^= text[end] == '"';
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t at = one.find_first_of("=<>!");
    if (at == 0 || at == one.npos) return {};
    const size_t length = at + 1 < one.size() && one[at + 1] == '=' ? 2 : 1;
    if (one[at] == '!' && length == 1) return {};
    out.push_back({one.substr(0, at), one.substr(at, length), one.substr(at + length)});
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

bool satisfies_condition(const Spans& spans, const SpanRef& spot, const Condition& c) {
  const Span& s = spans[spot.span];
  const Value is = spans.value(spot);
  const bool equals = c.comparison == "=", differs = c.comparison == "!=";
  if (s.key.vocabulary && !spot.element)
    if (const auto meant = parse_vocabulary_words(*s.key.vocabulary, c.value)) {
      const bool same = i64(s.raw) == *meant;
      return equals ? same : differs && !same;
    }
  const Value typed = parse_typed(c.value);
  if (is.is(Value::Kind::text) || typed.is(Value::Kind::text)) {
    const bool same = is.is(Value::Kind::text) && is.text() == (typed.is(Value::Kind::text) ? typed.text() : c.value);
    return equals ? same : differs && !same;
  }
  const f64 a = is.number(), b = typed.number();
  if (equals) return a == b;
  if (differs) return a != b;
  if (c.comparison == "<") return a < b;
  if (c.comparison == ">") return a > b;
  return c.comparison == "<=" ? a <= b : a >= b;
}

/// The only list of structures in an object; 0 if there is none or more than one.
u32 find_only_list(const Spans& spans, u32 object) {
  u32 found = 0, count = 0;
  spans.for_each_child(object, [&](u32 i) {
    if (spans[i].kind == Span::Kind::list) found = i, ++count;
  });
  return count == 1 ? found : 0;
}

/// The list that brackets after this value select from.
u32 resolve_list(const Spans& spans, const SpanRef& spot) {
  if (spot.element) return 0;
  const Span& s = spans[spot.span];
  if (s.kind == Span::Kind::list || s.kind == Span::Kind::numbers) return spot.span;
  return s.kind == Span::Kind::object ? find_only_list(spans, spot.span) : 0;
}

void add_element(const Spans& spans, u32 list, u64 index, Found& to) {
  if (auto spot = spans.find("[" + std::to_string(index) + "]", list)) to.push_back(*spot);
}

/// The elements that brackets select. False if the brackets are not understood.
bool select_elements(const Spans& spans, u32 list, std::string_view text, Found& to) {
  const u64 size = spans.length(list);
  u64 first = 0, last = size;
  if (text == "*") {
    if (size == 0) return true;
    last = size - 1;
  } else if (const auto one = parse_index(text)) {
    first = last = *one;
  } else if (const size_t dash = text.find('-');
             dash != text.npos && parse_index(text.substr(0, dash)) && parse_index(text.substr(dash + 1))) {
    first = *parse_index(text.substr(0, dash)), last = *parse_index(text.substr(dash + 1));
    if (first > last) return false;
  } else {
    const auto conditions = parse_conditions(text);
    if (!conditions) return false;
    for (u64 i = 0; i < size; ++i) {
      Found element;
      add_element(spans, list, i, element);
      const bool all = !element.empty() && std::ranges::all_of(*conditions, [&](const Condition& c) {
        const auto spot = spans.find(c.path, element[0].span);
        return spot && satisfies_condition(spans, *spot, c);
      });
      if (all) to.push_back(element[0]);
    }
    return true;
  }
  if (last >= size) return true;  // not there
  for (u64 i = first; i <= last; ++i) add_element(spans, list, i, to);
  return true;
}

std::string path_up_to_step(std::string_view typed, const Step& step) {
  return std::string(typed.substr(0, size_t(step.text.data() + step.text.size() - typed.data()) + step.in_brackets));
}

}  // namespace

Result<std::vector<SpanRef>> select(const Spans& spans, std::string_view typed) {
  const auto steps = parse_path_steps(typed);
  const auto path_syntax_error = [&](const std::string& what) {
    return refuse("path.syntax", std::string(typed),
                  {.message = what, .hint = "paths look like GOBJ[3].route, GOBJ[2-5], GOBJ[*], GOBJ[id=itembox]"});
  };
  if (!steps) return path_syntax_error("the path is invalid");
  Found now{*spans.find("")};
  for (const Step& step : *steps) {
    Found next;
    bool has_list = false;
    for (const SpanRef& spot : now) {
      if (!step.in_brackets) {
        if (spot.element) continue;
        if (auto member = spans.find(step.text, spot.span)) next.push_back(*member);
        continue;
      }
      const u32 list = resolve_list(spans, spot);
      if (!list) continue;
      has_list = true;
      if (!select_elements(spans, list, step.text, next))
        return path_syntax_error("[" + std::string(step.text) + "] is not an index or a condition");
    }
    if (next.empty()) {
      const std::string path = path_up_to_step(typed, step);
      std::string why = "no value has this path";
      if (step.in_brackets && !has_list)
        why = "the value before [" + std::string(step.text) + "] is not a list";
      else if (step.in_brackets && (parse_index(step.text) || step.text.find('-') != step.text.npos) && now.size() == 1)
        why = "no such element: the list has " + format_count(spans.length(resolve_list(spans, now[0])), "element") +
              ", counted from 0";
      else if (step.in_brackets)
        why = "no element matches this condition";
      return refuse("path.unknown", path, {.message = why, .hint = "{tree FILE} lists the values"});
    }
    now = std::move(next);
  }
  return now;
}

Result<u32> select_list(const Spans& spans, std::string_view typed) {
  auto found = select(spans, typed);
  if (!found) return refuse(std::move(found.error()));
  const u32 list = found->size() == 1 ? resolve_list(spans, found->front()) : 0;
  if (list) return list;
  return refuse("layout.type", std::string(typed),
                {.message = found->size() > 1 ? "the path matches several values, not a single list"
                                              : "the value is not a list"});
}

/// The first path below another path with the same last part, for users who omit the steps between: STGI.laps.
static std::string find_path_ending_like(const Spans& spans, const std::string& below, const std::string& path) {
  const std::string end = path.substr(path.find_last_of(".]") + 1);
  if (end.empty()) return {};
  for (u32 i = 0; i < spans.all.size(); ++i) {
    if (!spans[i].key.name || spans[i].key.name != end) continue;
    std::string whole = spans.path(i);
    if (whole.starts_with(below) && whole != path) return whole;
  }
  return {};
}

Diagnostic explain_unknown_path(const Spans& spans, const std::string& path) {
  const auto chosen_error = [&] {
    const auto chosen = select(spans, path);
    return chosen ? Diagnostic() : chosen.error();
  };
  // The longest existing start of the path, and its members.
  std::string known = path, next;
  std::optional<SpanRef> spot;
  while (!spot) {
    const size_t cut = known.find_last_of(".[");
    const size_t start = cut == known.npos ? 0 : cut + (known[cut] == '.');
    next = known.substr(start, known.find_first_of(".[", start + 1) - start);
    known.resize(cut == known.npos ? 0 : cut);
    spot = spans.find(known);
    if (spot) break;
    if (const auto part = select(spans, known); part && part->size() == 1) {
      spot = part->front();
      known = spans.path(*spot);
    }
  }
  DiagnosticText said;
  const std::string where = known.empty() ? "the file" : known;
  const Span& s = spans[spot->span];
  if (s.kind == Span::Kind::object && !spot->element) {
    if (next.starts_with('[')) return chosen_error();  // in the only list of the object
    std::vector<std::string> names;
    spans.for_each_child(spot->span, [&](u32 i) {
      if (spans[i].is_value() && spans[i].key.name) names.emplace_back(spans[i].key.name);
    });
    said.message = where + " has no field " + in_quotes(next);
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    const std::string like = closest_match(next, names);
    const std::string below = like.empty() ? find_path_ending_like(spans, known, path) : "";
    said.hint = !like.empty()    ? "did you mean " + (known.empty() ? "" : known + ".") + like + "?"
                : !below.empty() ? "did you mean " + below + "?"
                                 : "its fields are " + all;
  } else if ((s.kind == Span::Kind::list || s.kind == Span::Kind::numbers) && !spot->element) {
    u64 n = 0;
    if (s.kind == Span::Kind::numbers)
      n = spans.count(s);
    else
      spans.for_each_child(spot->span, [&](u32) { ++n; });
    said.message = "no such element: " + where + " has " + format_count(n, "element") +
                   (n ? ", [0] to [" + std::to_string(n - 1) + "]" : "");
    if (next.find_first_not_of("0123456789") == next.npos && next.size() < 10 && std::stoul(next) < n)
      said.hint = "write indices in brackets: " + known + "[" + next + "]";
  } else {
    said.message = where + " is a single value (" + spans.type(spot->span) + ") and has no fields";
  }
  return make_diagnostic("path.unknown", path, std::move(said));
}

}  // namespace dio
