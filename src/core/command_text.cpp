#include "core/command_text.hpp"

#include <algorithm>

namespace dio {

namespace {

CommandWording g_wording = nullptr;

/// Returns `words` with `file` in place of the word FILE.
std::string name_file(std::string_view words, std::string_view file) {
  constexpr std::string_view k_file = "FILE";
  std::string out(words);
  const bool has_spaces = file.find_first_of(" '\"$\\") != file.npos;
  const std::string name = has_spaces ? '"' + std::string(file) + '"' : std::string(file);
  for (size_t at = 0; !file.empty() && (at = out.find(k_file, at)) != out.npos;) {
    const size_t end = at + k_file.size();
    const bool is_word = (at == 0 || out[at - 1] == ' ') && (end == out.size() || out[end] == ' ' || out[end] == '#');
    if (is_word) out.replace(at, k_file.size(), name);
    at += is_word ? name.size() : k_file.size();
  }
  return out;
}

}  // namespace

std::span<const std::string_view> command_names() {
  static constexpr std::string_view k_names[] = {
      "budget",    "check",   "completion", "convert", "decode", "diff", "edit", "encode",   "explain",
      "find",      "formats", "get",        "git",     "help",   "hex",  "info", "ls",       "maps",
      "merge",     "pack",    "refs",       "render",  "schema", "set",  "show", "simulate", "textures",
      "thumbnail", "tree",    "unpack",     "verify",  "view",   "world"};
  return k_names;
}

void set_command_wording(CommandWording wording) { g_wording = wording; }

std::string word_commands(std::string_view text, std::string_view file) { return word_commands(text, file, g_wording); }

std::string word_commands(std::string_view text, std::string_view file, CommandWording wording) {
  std::string out;
  for (size_t open = text.find('{'); wording && open != text.npos; open = text.find('{')) {
    out += text.substr(0, open);
    text.remove_prefix(open);
    const size_t close = text.find('}');
    if (close == text.npos) break;
    const std::string_view inside = text.substr(1, close - 1);
    const size_t space = std::min(inside.find(' '), inside.size());
    const std::string_view name = inside.substr(0, space);
    const bool is_command = name.starts_with("--") || std::ranges::find(command_names(), name) != command_names().end();
    if (is_command)
      out += wording(name, name_file(inside.substr(std::min(space + 1, inside.size())), file));
    else
      out += text[0];
    text.remove_prefix(is_command ? close + 1 : 1);
  }
  out += text;
  return out;
}

}  // namespace dio
