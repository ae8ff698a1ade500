// arguments.hpp: what is typed behind the name of an edit or of a question: x=3..9, behavior=sand, 8,24.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "formats/contract/edits.hpp"

namespace dio {

/// 3, -3, 0x1F; nothing if it is anything else.
std::optional<i64> whole_of(std::string_view);
/// 1.5 as well.
std::optional<f64> number_of(std::string_view);
std::vector<std::string_view> split(std::string_view, char separator);
/// What was typed, to stand in a message.
std::string given(std::string_view);

/// The arguments of one edit. Each is asked for by its name; the first that is wrong or missing makes `problem`, and
/// everything asked for then is 0. At the end `done` says if there are others.
class Arguments {
 public:
  explicit Arguments(std::span<const Argument> all) : all_(all), asked_(all.size()) {}

  template <class T>
  struct Range {
    T from, to;
  };
  bool has(std::string_view name) const;
  i64 whole(std::string_view name, i64 low, i64 high);
  f64 number(std::string_view name, f64 low, f64 high);
  /// 3..9, or 3 for 3..3; the first is not above the second.
  Range<i64> wholes(std::string_view name, i64 low, i64 high);
  Range<f64> numbers(std::string_view name, f64 low, f64 high);
  /// So many, separated by commas.
  std::vector<f64> list(std::string_view name, size_t count, f64 low, f64 high);
  std::string_view text(std::string_view name);
  /// A word of a field, or its number; of flags also several words: NW top+SW top.
  i64 word(std::string_view name, const Words&, i64 high);
  /// What was expected of the argument of that name, and found.
  void refuse(std::string_view name, Said);

  /// Whether all went well, and nothing is left that nobody asked for.
  bool done();
  std::optional<Diagnostic> problem;

 private:
  const Argument* find(std::string_view name);
  std::span<const Argument> all_;
  std::vector<bool> asked_;
};

}  // namespace dio
