#include "members.hpp"

#include <algorithm>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "core/text_format.hpp"

namespace dio::cli {

namespace {

std::string plain_value_text(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::text:
      return escape_control_chars(v.text());
    case Value::Kind::boolean:
      return v.boolean() ? "yes" : "no";
    case Value::Kind::null:
      return "none";
    default: {
      std::string s = json_text(v, true);
      s.pop_back();
      return s;
    }
  }
}

bool is_plain(const Value& v) { return !v.is(Value::Kind::object) && !v.is(Value::Kind::list); }

/// Members as `KTPT 1`, elements as they are.
std::vector<std::string> member_texts(const Value& v) {
  std::vector<std::string> out;
  for (const auto& [name, value] : v.members())
    out.push_back((name.empty() ? "" : escape_control_chars(name) + " ") +
                  (is_plain(value) ? plain_value_text(value) : "(" + join_texts(member_texts(value), ", ") + ")"));
  return out;
}

/// On one line, or on several with the indent. Names with commas need another separator.
std::string wrap_value(const Value& v, const std::string& indent) {
  if (is_plain(v)) return wrap_text(plain_value_text(v), indent, 100);
  const std::vector<std::string> items = member_texts(v);
  const bool commas =
      std::any_of(items.begin(), items.end(), [](const std::string& s) { return s.find(',') != s.npos; });
  return items.empty() ? indent + "none\n" : wrap_text(items, commas ? ";" : ",", indent, 100);
}

/// Whether the elements of a list are rows of a table: plain members of the same names.
bool has_rows(const Value& list) {
  const auto& first = list.members().front().second;
  return std::ranges::all_of(list.members(), [&](const auto& row) {
    return row.second.is(Value::Kind::object) &&
           std::ranges::equal(row.second.members(), first.members(),
                              [](const auto& a, const auto& b) { return a.first == b.first && is_plain(a.second); });
  });
}

std::string rows_text(const Value& list, size_t margin) {
  const auto& first = list.members().front().second;
  std::string right;
  std::vector<std::string> head;
  for (const auto& [name, value] : first.members()) {
    head.push_back(escape_control_chars(name));
    std::replace(head.back().begin(), head.back().end(), '_', ' ');
    right += value.is(Value::Kind::text) ? ' ' : '>';
  }
  Table table(right);
  table.add_row(std::move(head));
  for (const auto& row : list.members()) {
    std::vector<std::string> cells;
    for (const auto& [name, value] : row.second.members()) cells.push_back(plain_value_text(value));
    table.add_row(std::move(cells));
  }
  return table.text(std::string(margin, ' '));
}

/// Members below each other; what is a list of objects gets a heading for each of them, or is a table.
void append_members(std::string& out, const Value& object, size_t margin, bool with_tables) {
  const auto is_table = [](const Value& v) {
    return v.is(Value::Kind::list) && v.size() && v.members().front().second.is(Value::Kind::object);
  };
  size_t width = 0;
  for (const auto& [name, value] : object.members())
    if (!is_table(value)) width = std::max(width, display_width(name));
  const std::string indent(margin + width + 2, ' ');
  for (const auto& [name, value] : object.members()) {
    std::string label = escape_control_chars(name);
    std::replace(label.begin(), label.end(), '_', ' ');
    if (is_table(value)) {
      constexpr size_t k_least_rows = 8;  // fewer are easier to read below each other
      if (with_tables && value.size() >= k_least_rows && has_rows(value)) {
        out += rows_text(value, margin);
        continue;
      }
      size_t i = 0;
      for (const auto& element : value.members()) {
        out += std::string(margin, ' ') + name + "[" + std::to_string(i++) + "]\n";
        append_members(out, element.second, margin + 2, with_tables);
      }
      continue;
    }
    std::string text = wrap_value(value, indent);
    if (!text.empty()) text.erase(0, margin + display_width(label));
    out += std::string(margin, ' ') + label + (text.empty() ? "\n" : text);
  }
}

}  // namespace

std::string members_text(const Value& object, size_t margin, bool with_tables) {
  std::string out;
  append_members(out, object, margin, with_tables);
  return out;
}

}  // namespace dio::cli
