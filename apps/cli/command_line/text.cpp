#include "text.hpp"

#include <algorithm>
#include <numeric>

#include "core/text_format.hpp"

namespace dio::cli {

std::string nearest_id(std::string_view text, const std::vector<std::string>& ids) {
  if (std::string like = closest_match(text, ids); !like.empty()) return like;
  std::vector<std::string> names;
  for (const std::string& id : ids) names.push_back(id.substr(id.find('.') + 1));
  const auto found = std::find(names.begin(), names.end(), closest_match(text, names));
  return found == names.end() ? std::string() : ids[size_t(found - names.begin())];
}

std::string format_skipped_members(const std::string& first, size_t archives) {
  const bool is_one = archives == 1;
  return (is_one ? first + ": the files in this archive"
                 : "the files in " + format_count(archives, "archive", "archives")) +
         " were skipped; -r includes them\n";
}

size_t display_width(std::string_view s) {
  return size_t(std::count_if(s.begin(), s.end(), [](char c) { return (u8(c) & 0xC0) != 0x80; }));
}

void Table::add_row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = escape_control_chars(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::string_view indent) const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent);
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - display_width(row[i]), ' ');
      const bool right = i < right_.size() && right_[i] == '>';
      if (i) line += "  ";
      line += right ? space + row[i] : row[i] + space;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string format_count(u64 n, std::string_view one, std::string_view many) {
  return format_with_commas(n) + ' ' + std::string(n == 1 ? one : many);
}

std::string join_texts(const std::vector<std::string>& parts, std::string_view between) {
  std::string s;
  for (const std::string& p : parts) {
    if (!s.empty()) s += between;
    s += p;
  }
  return s;
}

std::string wrap_text(const std::vector<std::string>& items, std::string_view between, std::string_view indent,
                      size_t columns) {
  std::string out, line;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? std::string(between) : "");
    if (!line.empty() && indent.size() + display_width(line) + 1 + display_width(item) > columns) {
      out += std::string(indent) + line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + item;
  }
  if (!line.empty()) out += std::string(indent) + line + '\n';
  return out;
}

std::string wrap_text(std::string_view text, std::string_view indent, size_t columns) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t space = std::min(text.find(' '), text.size());
    if (space) words.emplace_back(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return wrap_text(words, "", indent, columns);
}

}  // namespace dio::cli
