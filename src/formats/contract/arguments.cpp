// arguments.cpp: parses typed arguments.
#include "formats/contract/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text_format.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/reporter.hpp"
#include "layout/write_value.hpp"

namespace dio {

std::optional<i64> parse_whole_number(std::string_view s) {
  const bool negative = s.starts_with('-');
  if (negative) s.remove_prefix(1);
  const bool is_hex = s.starts_with("0x") || s.starts_with("0X");
  if (is_hex) s.remove_prefix(2);
  u64 n = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n, is_hex ? 16 : 10);
  if (s.empty() || error != std::errc() || end != s.data() + s.size() || n > u64(INT64_MAX)) return {};
  return negative ? -i64(n) : i64(n);
}

std::optional<f64> parse_number(std::string_view s) {
  if (const auto n = parse_whole_number(s)) return f64(*n);
  const Value typed = parse_typed(s);
  if (typed.is(Value::Kind::text) || !std::isfinite(typed.number())) return {};
  return typed.number();
}

std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at; (at = s.find(separator)) != s.npos; s.remove_prefix(at + 1)) parts.push_back(s.substr(0, at));
  parts.push_back(s);
  return parts;
}

std::string given(std::string_view typed) { return typed.empty() ? "nothing" : "\"" + std::string(typed) + "\""; }

static std::string no_valid_value_message(std::string_view name) {
  return dio::text(name, " has no valid value in this file");
}

/// Formats whole numbers as 31, not 31.0.
static std::string format_number_briefly(f64 x) {
  return std::trunc(x) == x && std::abs(x) < 1e15 ? std::to_string(i64(x)) : dio::text(x);
}

bool Arguments::has(std::string_view name) const {
  return std::ranges::any_of(all_, [&](const Argument& a) { return a.name == name; });
}

void Arguments::refuse(DiagnosticText said) {
  if (!problem) problem = make_diagnostic("edit.argument", {}, std::move(said));
}

const Argument* Arguments::find(std::string_view name) {
  const Argument* found = nullptr;
  for (size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].name != name) continue;
    if (found) refuse({.message = dio::text("the argument \"", name, "\" is given twice")});
    asked_[i] = true;
    found = &all_[i];
  }
  if (!found) refuse({.message = dio::text("the argument \"", name, "\" is missing")});
  return problem ? nullptr : found;
}

std::string_view Arguments::text(std::string_view name) {
  const Argument* a = find(name);
  return a ? std::string_view(a->value) : std::string_view();
}

std::vector<ByteView> Arguments::files(std::string_view name) {
  std::vector<ByteView> out;
  for (size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].name != name) continue;
    asked_[i] = true;
    if (all_[i].content)
      out.emplace_back(*all_[i].content);
    else
      refuse({.message = dio::text("the content of the file that ", name, "=FILE names is missing")});
  }
  return out;
}

i64 Arguments::whole(std::string_view name, i64 low, i64 high) {
  const Argument* a = find(name);
  if (!a) return 0;
  const auto n = parse_whole_number(a->value);
  if (n && low <= *n && *n <= high) return *n;
  refuse(
      {.message = high < low ? no_valid_value_message(name)
                  : n        ? dio::text(name, "=", *n, " is out of range (", low, " to ", high, ")")
                      : dio::text(name, " must be a whole number (", low, " to ", high, "), not ", given(a->value))});
  return 0;
}

f64 Arguments::number(std::string_view name, f64 low, f64 high) {
  const std::vector<f64> one = list(name, 1, low, high);
  return one.empty() ? 0 : one.front();
}

std::vector<f64> Arguments::list(std::string_view name, size_t count, f64 low, f64 high) {
  const Argument* a = find(name);
  if (!a) return {};
  std::vector<f64> out;
  for (const std::string_view part : split(a->value, ',')) {
    const auto x = parse_number(part);
    if (!x || *x < low || *x > high) break;
    out.push_back(*x);
  }
  if (out.size() == count && split(a->value, ',').size() == count) return out;
  refuse({.message = dio::text(name, " must be ", count == 1 ? std::string("a number") : dio::text(count, " numbers"),
                               " from ", format_number_briefly(low), " to ", format_number_briefly(high), ", not ",
                               given(a->value))});
  return {};
}

Arguments::Range<f64> Arguments::number_range(std::string_view name, f64 low, f64 high) {
  const Argument* a = find(name);
  if (!a) return {};
  const std::string_view s = a->value;
  const size_t dots = s.find("..");
  const auto from = parse_number(s.substr(0, dots)), to = dots == s.npos ? from : parse_number(s.substr(dots + 2));
  if (from && to && low <= *from && *from <= *to && *to <= high) return {*from, *to};
  refuse({.message =
              high < low                  ? no_valid_value_message(name)
              : from && to && *from > *to ? dio::text("the range ", name, "=", s, " must start with the smaller number")
              : from && to ? dio::text(name, "=", s, " is out of range (", format_number_briefly(low), " to ",
                                       format_number_briefly(high), ")")
                           : dio::text(name, " must be a number or a range FROM..TO (", format_number_briefly(low),
                                       " to ", format_number_briefly(high), "), not ", given(s))});
  return {};
}

Arguments::Range<i64> Arguments::integer_range(std::string_view name, i64 low, i64 high) {
  const Range<f64> r = number_range(name, f64(low), f64(high));
  if (std::trunc(r.from) != r.from || std::trunc(r.to) != r.to) {
    refuse({.message = dio::text(name, " must be whole numbers, not ", given(text(name)))});
    return {};
  }
  return {i64(r.from), i64(r.to)};
}

i64 Arguments::word(std::string_view name, const EnumNames& words, i64 high) {
  const Argument* a = find(name);
  if (!a) return 0;
  if (const auto value = parse_vocabulary_words(words, a->value)) return *value;
  if (const auto n = parse_whole_number(a->value); n && 0 <= *n && *n <= high) return *n;
  refuse({.message = dio::text(name, " must be a number from 0 to ", high,
                               words.flags ? " or words joined by +" : " or a word", ", not ", given(a->value))});
  std::vector<std::string> known;
  for (const EnumName& w : words.words) known.emplace_back(w.word);
  if (const std::string like = closest_match(a->value, known); !like.empty()) {
    problem->hint = "did you mean " + like + "?";
    return 0;
  }
  problem->hint = "the known words are";
  const bool commas = std::any_of(words.words.begin(), words.words.end(),
                                  [](const EnumName& w) { return w.word.find(',') != w.word.npos; });
  for (const EnumName& w : words.words)
    problem->hint += (&w == words.words.data() ? " " : commas ? "; " : ", ") + std::string(w.word);
  return 0;
}

bool Arguments::done() {
  for (size_t i = 0; i < all_.size() && !problem; ++i)
    if (!asked_[i])
      problem = make_diagnostic("edit.argument", {},
                                {.message = dio::text("unknown argument ", all_[i].name, "=", all_[i].value)});
  return !problem;
}

}  // namespace dio
