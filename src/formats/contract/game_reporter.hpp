// game_reporter.hpp: where checks of whole games put what they find.
#pragma once
#include "formats/contract/reporter.hpp"

namespace dio {

/// Findings of files of a game, so many of a rule at most.
class GameReporter {
 public:
  explicit GameReporter(std::span<const Rule> rules) : findings_(rules), reporter_(findings_) {}
  void report(std::string_view id, std::string file, std::string path, std::string found, std::string expected = {},
              std::string hint = {}) {
    const size_t before = findings_.list.size();
    reporter_.report(id, std::move(path), std::move(found), std::move(expected), std::move(hint));
    in_file(before, std::move(file));
  }
  void report_as(Severity s, std::string_view id, std::string file, std::string path, std::string found,
                 std::string expected = {}, std::string hint = {}) {
    const size_t before = findings_.list.size();
    reporter_.report_as(s, id, std::move(path), std::move(found), std::move(expected), std::move(hint));
    in_file(before, std::move(file));
  }
  /// About bytes of the file.
  void report_at(std::string_view id, std::string file, u64 offset, u64 size, std::string found,
                 std::string expected = {}, std::string hint = {}) {
    const size_t before = findings_.list.size();
    reporter_.report_at(offset, size, id, std::move(found), std::move(expected), std::move(hint));
    in_file(before, std::move(file));
  }
  Diagnostics& list() { return findings_.list; }

 private:
  void in_file(size_t before, std::string file) {
    if (findings_.list.size() > before) findings_.list.back().place.file = std::move(file);
  }
  Findings findings_;
  Reporter reporter_;
};

}  // namespace dio
