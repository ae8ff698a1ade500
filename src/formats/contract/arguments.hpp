// arguments.hpp: the arguments of an edit or a question, as typed: x=3..9, behavior=sand, 8,24.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "formats/contract/edits.hpp"

namespace dio {

/// Parses 3, -3 or 0x1F; nothing for any other text.
std::optional<i64> parse_whole_number(std::string_view);
/// The same, and 1.5.
std::optional<f64> parse_number(std::string_view);
std::vector<std::string_view> split(std::string_view, char separator);
/// A typed value for a message, in quotes; "nothing" if it is empty.
std::string given(std::string_view);

/// The arguments of one edit, read by name. The first invalid or missing argument sets `problem`; from then on, every
/// value is 0. At the end, `done` checks that there are no other arguments.
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
  /// 3..9, or 3 for 3..3; the first number is not above the second.
  Range<i64> integer_range(std::string_view name, i64 low, i64 high);
  Range<f64> number_range(std::string_view name, f64 low, f64 high);
  /// `count` numbers, separated by commas.
  std::vector<f64> list(std::string_view name, size_t count, f64 low, f64 high);
  std::string_view text(std::string_view name);
  /// The contents of files, which may be given several times; a file that was not read sets `problem`.
  std::vector<ByteView> files(std::string_view name);
  /// A word of a field, or its number; for flags also several words: NW top+SW top.
  i64 word(std::string_view name, const EnumNames&, i64 high);
  /// Sets `problem` if it is not set yet.
  void refuse(DiagnosticText);

  /// Whether there is no problem and no unknown argument; an unknown argument sets `problem`.
  bool done();
  std::optional<Diagnostic> problem;

 private:
  const Argument* find(std::string_view name);
  std::span<const Argument> all_;
  std::vector<bool> asked_;
};

}  // namespace dio
