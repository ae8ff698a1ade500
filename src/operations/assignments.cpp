#include "operations/assignments.hpp"

#include "core/text_format.hpp"
#include "layout/selector.hpp"

namespace dio {

namespace {

bool is_single(const Spans& spans, const SpanRef& spot) {
  const Span::Kind k = spans[spot.span].kind;
  return spot.element || (k != Span::Kind::object && k != Span::Kind::list && k != Span::Kind::numbers);
}

/// The single values of a structure or a list, in order.
std::vector<SpanRef> collect_single_values(const Spans& spans, const SpanRef& spot) {
  std::vector<SpanRef> out;
  const Span& s = spans[spot.span];
  if (s.kind == Span::Kind::numbers)
    for (u64 i = 0; i < spans.count(s); ++i) out.push_back(*spans.find("[" + std::to_string(i) + "]", spot.span));
  else
    spans.for_each_child(spot.span, [&](u32 i) {
      if (spans[i].is_value()) out.push_back({i, {}, spans[i].offset, spans[i].size});
    });
  return out;
}

/// Splits at commas that are not in quotes.
std::vector<Value> parse_value_list(std::string_view text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    quoted ^= c == '"';
    if (c == ',' && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  std::vector<Value> out;
  for (const std::string& part : parts) out.push_back(parse_typed(part));
  return out;
}

/// The value after `+=`, `-=` or `*=`; nothing if it is not a number.
std::optional<Value> compute_assigned_value(const Value& is, char sign, const Value& by) {
  const auto is_number = [](const Value& v) { return v.is(Value::Kind::integer) || v.is(Value::Kind::real); };
  if (!is_number(is) || !is_number(by)) return {};
  if (is.is(Value::Kind::integer) && by.is(Value::Kind::integer)) {
    const i64 a = i64(is.bits()), b = i64(by.bits());
    i64 out = 0;
    const bool overflows = sign == '+'   ? __builtin_add_overflow(a, b, &out)
                           : sign == '-' ? __builtin_sub_overflow(a, b, &out)
                                         : __builtin_mul_overflow(a, b, &out);
    return overflows ? std::nullopt : std::optional(Value(out));
  }
  const f64 a = is.number(), b = by.number(), out = sign == '+' ? a + b : sign == '-' ? a - b : a * b;
  // A product of a whole number is one again: speed *= 1.5.
  if (is.is(Value::Kind::integer)) return Value(i64(out < 0 ? out - 0.5 : out + 0.5));
  return is.is_single() ? Value(f32(out)) : Value(out);
}

}  // namespace

Result<std::vector<Assignment>> expand_assignment(const Spans& spans, const Assignment& typed) {
  std::string_view path = typed.path;
  char sign = 0;
  if (path.ends_with('+') || path.ends_with('-') || path.ends_with('*')) {
    sign = path.back();
    path.remove_suffix(1);
  }
  const auto spots = select(spans, path);
  if (!spots) {
    // A single path: what is there, and what was probably meant.
    const bool is_single_path = path.find_first_of("*=<>!") == path.npos;
    return refuse(spots.error().id == "path.unknown" && is_single_path ? explain_unknown_path(spans, std::string(path))
                                                                       : spots.error());
  }
  std::vector<Assignment> out;
  for (const SpanRef& spot : *spots) {
    std::vector<SpanRef> parts{spot};
    std::vector<Value> values{typed.value};
    if (!is_single(spans, spot)) {
      parts = collect_single_values(spans, spot);
      if (typed.value.is(Value::Kind::text)) values = parse_value_list(typed.value.text());
      const bool are_single = std::ranges::all_of(parts, [&](const SpanRef& p) { return is_single(spans, p); });
      if (!are_single || parts.empty() || values.size() != parts.size()) {
        const Span::Kind kind = spans[spot.span].kind;
        const std::string what = kind == Span::Kind::object ? "an object" : "a list";
        return refuse("layout.type", spans.path(spot),
                      {.message = !are_single || parts.empty()
                                      ? what + " cannot be set as a whole; set the values inside it instead"
                                      : what + " of " + format_count(parts.size(), "value") + " cannot be set to " +
                                            format_count(values.size(), "value"),
                       .hint = are_single && !parts.empty() ? "separate the values by commas: 1,2,3" : ""});
      }
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      Value value = values[i];
      if (sign) {
        const auto result = compute_assigned_value(spans.value(parts[i]), sign, value);
        if (!result)
          return refuse("layout.type", spans.path(parts[i]),
                        {.message = std::string("only numbers can be changed by ") + sign + "="});
        value = std::move(*result);
      }
      out.push_back({spans.path(parts[i]), std::move(value)});
    }
  }
  return out;
}

}  // namespace dio
