// text.hpp: small helpers for texts: tables, numbers, lines of some width.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "core/text_format.hpp"

namespace dio::cli {

/// The line which says that the files in archives were not looked at. `first`: the only archive or one of several.
std::string format_skipped_members(const std::string& first, size_t archives);

/// The id (family.name) most like a text, or one of that name without its family; empty if there is none.
std::string nearest_id(std::string_view text, const std::vector<std::string>& ids);

/// How many columns a text takes on a terminal (UTF-8, no wide characters).
size_t display_width(std::string_view);

/// Rows in columns, two spaces between them. Nothing follows the last cell of a row.
class Table {
 public:
  /// `right` names the columns whose cells end at the right, such as sizes: "  >" is the third one.
  explicit Table(std::string_view right = {}) : right_(right) {}
  /// Control characters are shown as `\x1b`.
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Every line starts with `indent` and ends with a newline.
  std::string text(std::string_view indent = {}) const;

 private:
  std::string right_;
  std::vector<std::vector<std::string>> rows_;
};

/// `1 file`, `12 files`.
std::string format_count(u64 n, std::string_view one, std::string_view many);
std::string join_texts(const std::vector<std::string>&, std::string_view between);
/// Words in lines of at most so many columns, each after the indent.
std::string wrap_text(std::string_view text, std::string_view indent, size_t columns = 80);
/// The same for items that are not broken, with a separator after each but the last.
std::string wrap_text(const std::vector<std::string>& items, std::string_view between, std::string_view indent,
                      size_t columns = 80);

}  // namespace dio::cli
