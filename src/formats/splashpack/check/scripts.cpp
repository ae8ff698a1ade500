// scripts.cpp: rules about scripts. There is no Lua parser here: only the words and brackets of texts are checked.
#include <algorithm>

#include "formats/splashpack/check/checks.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_script_rule_table[] = {
    {"splashpack.lua-index", error, "every script number in a pack is -1 or the index of a script in the pack",
     "The engine does not check script numbers. The first engine version for layout e crashed in scenes without "
     "scripts.",
     "Set the script number to the index of a script in the pack, or to -1 for no script.",
     "psxsplash, lua.cpp (7e4532d, 8151f38)", Severities{warning, hint}},
    {"splashpack.lua-length", warning, "a script is complete, and its stored length is correct",
     "The exporter stored the number of characters as the number of bytes, so the end of a script with non-ASCII "
     "characters is lost. Lua does "
     "not expect zero bytes in a script.",
     "Use only ASCII characters in the script, and export the scene again.",
     "SplashEdit, LuaFileExporter and PSXSceneExporter"},
    {"splashpack.lua-syntax", warning, "all strings, comments, brackets and blocks of a script are closed",
     "The engine reports script errors only on the serial port of the console. diorama does not check the whole Lua "
     "grammar, only strings, comments, brackets and blocks. If a script is bytecode, diorama checks only its header.",
     "Correct the script at the line that the message names, and export the scene again.", "psxlua, which is Lua 5.2"},
    {"splashpack.lua-unused", hint, "every script in a pack is used",
     "An unused script takes up memory and never runs.",
     "Remove the unused script from the scene, or assign the script to an object.",
     "src/formats/splashpack/README.md#checks"},
};

/// The position where the text stops being valid UTF-8.
std::optional<size_t> find_invalid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t n = utf8_sequence_length(text, i);
    if (!n) return i;
    i += n;
  }
  return {};
}

/// Scans a text word by word.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<LuaProblem> scan() {
    if (text_.starts_with('#')) skip_line();
    while (at_ < text_.size() && !problem_) scan_token();
    if (!problem_ && !open_.empty())
      fail(open_.back().line,
           text("\"", open_.back().word, "\" is not closed by \"", closing_token(open_.back().word), "\""));
    return problem_;
  }

 private:
  struct Open {
    std::string_view word;
    size_t line;
  };
  static std::string closing_token(std::string_view word) {
    return word == "(" ? ")" : word == "[" ? "]" : word == "{" ? "}" : word == "repeat" ? "until" : "end";
  }
  static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void next() { line_ += text_[at_++] == '\n'; }
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  void fail(size_t line, std::string message) {
    if (!problem_) problem_ = {line, std::move(message)};
  }

  void scan_token() {
    const char c = peek();
    if (c == '-' && peek(1) == '-') {
      at_ += 2;
      if (!(peek() == '[' && skip_long_brackets("comment"))) skip_line();
    } else if (c == '"' || c == '\'') {
      skip_quoted_string(c);
    } else if (c == '[' && skip_long_brackets("string")) {
      return;
    } else if (is_letter(c) || c == '_') {
      scan_word();
    } else if (is_digit(c)) {
      while (is_digit(peek()) || is_letter(peek()) || (peek() == '.' && peek(1) != '.')) ++at_;
    } else {
      if (c == '(' || c == '[' || c == '{') open_.push_back({text_.substr(at_, 1), line_});
      if (c == ')' || c == ']' || c == '}') close_block(text_.substr(at_, 1), std::string(1, c));
      next();
    }
  }
  /// [[...]], [==[...]==]. False if the text does not start that way.
  bool skip_long_brackets(const char* what) {
    size_t level = 0;
    while (peek(1 + level) == '=') ++level;
    if (peek(1 + level) != '[') return false;
    const size_t from = line_;
    const std::string end = "]" + std::string(level, '=') + "]";
    const size_t found = text_.find(end, at_ + 2 + level);
    if (found == text_.npos) fail(from, text("the long ", what, " has no closing ", end));
    const size_t stop = found == text_.npos ? text_.size() : found + end.size();
    while (at_ < stop) next();
    return true;
  }
  void skip_quoted_string(char quote) {
    const size_t from = line_;
    for (next(); at_ < text_.size() && peek() != quote; next()) {
      if (peek() == '\n') break;
      if (peek() != '\\') continue;
      next();
      if (peek() == 'z')  // \z skips the following white space, including lines
        while (peek(1) == ' ' || peek(1) == '\n' || peek(1) == '\t' || peek(1) == '\r') next();
      if (at_ >= text_.size()) break;
    }
    if (peek() != quote) return fail(from, text("the string has no closing ", quote));
    next();
  }
  void scan_word() {
    const size_t from = at_;
    while (is_letter(peek()) || is_digit(peek()) || peek() == '_') ++at_;
    const std::string_view w = text_.substr(from, at_ - from);
    if (w == "function" || w == "if" || w == "do" || w == "repeat")
      open_.push_back({w, line_});
    else if (w == "end" || w == "until")
      close_block(w, std::string(w));
  }
  void close_block(std::string_view, const std::string& with) {
    if (open_.empty()) return fail(line_, text("\"", with, "\" has nothing to close"));
    const Open o = open_.back();
    if (closing_token(o.word) != with)
      return fail(line_, text("expected \"", closing_token(o.word), "\" to close \"", o.word, "\" from line ", o.line,
                              ", found \"", with, "\""));
    open_.pop_back();
  }

  std::string_view text_;
  size_t at_ = 0, line_ = 1;
  std::vector<Open> open_;
  std::optional<LuaProblem> problem_;
};

void check_bytecode(Reporter& r, std::string_view code, const std::string& path) {
  // Lua 5.2: signature, version, format, little-endian, sizes of int, size_t, instructions.
  static constexpr u8 k_header[] = {0x1B, 'L', 'u', 'a', 0x52, 0, 1, 4, 4, 4};
  const std::string_view header(reinterpret_cast<const char*>(k_header), sizeof k_header);
  if (code.starts_with(header)) return;
  const std::string_view begin = code.substr(0, header.size());
  r.report(
      "splashpack.lua-syntax", path,
      {.message = text("bytecode starts with ", encode_hex({reinterpret_cast<const u8*>(begin.data()), begin.size()}),
                       " instead of ", encode_hex(k_header))});
}

void check_script_text(Reporter& r, const Script& s, size_t i, const Document<Pack>& d) {
  const std::string path = text("scripts[", i, "].text");
  if (s.is_bytecode()) return check_bytecode(r, s.text, path);
  // Text left out by the length follows it directly.
  for (const UnreferencedBytes& run : d.residue) {
    const auto zero =
        std::find_if(run.bytes.begin(), run.bytes.end(), [](u8 c) { return c < '\t'; }) - run.bytes.begin();
    if (!d.edited() && run.offset == s.offset + s.text.size() && zero > 0 && !s.text.empty())
      return r.report("splashpack.lua-length", text("scripts[", i, "].length"),
                      {.message = text("length is ", s.text.size(), ", but the script continues for ",
                                       format_count(u64(zero), "byte")),
                       .hint = text("the whole text probably has ", s.text.size() + size_t(zero), " bytes")});
  }
  if (const auto bad = find_invalid_utf8(s.text))
    return r.report("splashpack.lua-length", path,
                    {.message = text(s.text.size() - *bad < 4 ? "the script text ends within a character, at byte "
                                                              : "invalid UTF-8 at byte ",
                                     *bad)});
  if (const size_t nul = s.text.find('\0'); nul != s.text.npos)
    return r.report("splashpack.lua-length", path, {.message = text("the text contains a zero byte at byte ", nul)});
  if (const auto problem = lua_problem(s.text))
    r.report("splashpack.lua-syntax", path, {.message = text("line ", problem->line, ": ", problem->message)});
}

}  // namespace
const std::span<const Rule> k_script_rules = k_script_rule_table;

std::optional<LuaProblem> lua_problem(std::string_view text) { return Scanner(text).scan(); }

void check_scripts(Reporter& r, const Document<Pack>& d) {
  const Pack& p = d.value();
  if (u32(p.form) < k_scripts) return;
  std::vector<bool> used(p.scripts.size());
  const auto check_script_index = [&](i64 n, std::string path) {
    if (n < -1 || n >= i64(p.scripts.size()))
      r.report(
          "splashpack.lua-index", std::move(path),
          {.message = text("script ", n, " does not exist; the pack has ", format_count(p.scripts.size(), "script"))});
    else if (n >= 0)
      used[size_t(n)] = true;
  };
  for (size_t i = 0; i < p.objects.size(); ++i) check_script_index(p.objects[i].script, object_path(i, ".script"));
  if (u32(p.form) >= k_flags) check_script_index(p.script, "script");
  if (p.form == Layout::e && p.script == -1)
    r.report(hint, "splashpack.lua-index", "script",
             {.message = "the scene has no script",
              .hint = "the 17 April 2025 version of the engine crashes if there is no scene script"});
  for (size_t i = 0; i < p.triggers.size(); ++i)
    check_script_index(p.triggers[i].script, text("triggers[", i, "].script"));
  for (size_t i = 0; i < p.scripts.size(); ++i) {
    check_script_text(r, p.scripts[i], i, d);
    if (!used[i]) r.report("splashpack.lua-unused", text("scripts[", i, "]"), {.message = "the script is not used"});
  }
}

}  // namespace dio::splashpack
