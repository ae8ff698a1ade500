#include "containers/disc/cue_sheet.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/text_format.hpp"

namespace dio {
namespace {

/// The words of a line; a quoted string is one word.
std::vector<std::string> split_cue_words(std::string_view line) {
  std::vector<std::string> words;
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty()) {
    if (is_space(line[0])) {
      line.remove_prefix(1);
      continue;
    }
    const bool quoted = line[0] == '"';
    if (quoted) line.remove_prefix(1);
    size_t end = 0;
    while (end < line.size() && (quoted ? line[end] != '"' : !is_space(line[end]))) ++end;
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(line.size(), end + quoted));
  }
  return words;
}

}  // namespace

Result<std::string> find_cue_data_file(std::string_view sheet) {
  constexpr std::array<std::string_view, 5> k_modes = {"MODE1/2048", "MODE1/2352", "MODE2/2048", "MODE2/2336",
                                                       "MODE2/2352"};
  if (sheet.starts_with("\xEF\xBB\xBF")) sheet.remove_prefix(3);
  std::string file, type;
  size_t tracks = 0;  // of that file
  while (!sheet.empty()) {
    const size_t end = std::min(sheet.find('\n'), sheet.size());
    const auto words = split_cue_words(sheet.substr(0, end));
    sheet.remove_prefix(std::min(sheet.size(), end + 1));
    const std::string verb = words.empty() ? "" : upper_case(words[0]);
    if (verb == "FILE" && words.size() >= 3) {
      file = words[1];
      type = upper_case(words.back());
      tracks = 0;
    } else if (verb == "TRACK" && words.size() >= 3) {
      const std::string mode = upper_case(words[2]);
      ++tracks;
      if (mode == "AUDIO") continue;
      if (file.empty())
        return refuse("archive.cue", {}, {.message = "the cue sheet has no FILE line before its first TRACK line"});
      if (type != "BINARY")
        return refuse("archive.cue", {},
                      {.message = "the data track is in a file of type " + type + "; only BINARY is supported"});
      if (std::find(k_modes.begin(), k_modes.end(), mode) == k_modes.end())
        return refuse(make_diagnostic("archive.cue", {},
                                      {.message = "unsupported track mode " + mode,
                                       .hint = "MODE1/2048, MODE1/2352, MODE2/2336 and MODE2/2352 are supported"}));
      if (tracks > 1)
        return refuse("archive.cue", {}, {.message = "the data track is not the first track in its file"});
      return file;
    }
  }
  return refuse(
      make_diagnostic("archive.cue", {},
                      {.message = tracks ? "the cue sheet has only audio tracks" : "the cue sheet has no data track"}));
}

}  // namespace dio
