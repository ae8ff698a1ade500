#include "words.hpp"

#include <algorithm>

namespace dio::cli::suggest {

std::vector<size_t> CommandLine::operands() const {
  std::vector<size_t> out;
  for (size_t i = 0; i < words.size(); ++i)
    if (!words[i].is_option) out.push_back(i);
  return out;
}

std::string CommandLine::operand(size_t n) const {
  const auto all = operands();
  return n < all.size() ? words[all[n]].text : std::string();
}

void CommandLine::set_operand(size_t n, std::string text) {
  const auto all = operands();
  if (n < all.size()) words[all[n]].text = std::move(text);
}

void CommandLine::insert_operand(size_t n, std::string text) {
  const auto all = operands();
  const size_t at = n < all.size() ? all[n] : all.empty() ? 0 : all.back() + 1;
  words.insert(words.begin() + std::ptrdiff_t(at), Word{std::move(text)});
}

void CommandLine::remove_operand(size_t n) {
  const auto all = operands();
  if (n < all.size()) words.erase(words.begin() + std::ptrdiff_t(all[n]));
}

Word* CommandLine::option(std::initializer_list<const char*> names) {
  const auto is_named = [&](const Word& w) {
    return w.is_option && std::ranges::any_of(names, [&](const char* n) { return w.text == n; });
  };
  const auto found = std::ranges::find_if(words, is_named);
  return found == words.end() ? nullptr : &*found;
}

const Word* CommandLine::option(std::initializer_list<const char*> names) const {
  return const_cast<CommandLine*>(this)->option(names);
}

void CommandLine::remove_option(std::initializer_list<const char*> names) {
  while (const Word* w = option(names)) words.erase(words.begin() + (w - words.data()));
}

void CommandLine::add_option(std::string name, std::string value) {
  const bool has_value = !value.empty();
  words.push_back({std::move(name), true, has_value, std::move(value)});
}

std::vector<std::string> CommandLine::arguments() const {
  std::vector<std::string> out;
  if (!verb.empty()) out.push_back(verb);
  for (const Word& w : words) {
    out.push_back(w.text);
    if (w.has_value) out.push_back(w.value);
  }
  return out;
}

std::string CommandLine::text() const {
  std::string out = "dio";
  for (const std::string& word : arguments()) {
    const bool is_plain = !word.empty() && word.find_first_of(" \t*?'\"$&|;<>(){}#~\\`!") == word.npos;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    out += " " + (is_plain ? word : quoted + "'");
  }
  return out;
}

namespace {

/// The option of a verb, or of all verbs; null if there is none.
const OptionText* find_option(const Manual& m, const VerbText* verb, const std::string& name) {
  const auto in = [&](const std::vector<OptionText>& options) -> const OptionText* {
    for (const OptionText& o : options)
      if (std::ranges::find(o.names, name) != o.names.end()) return &o;
    return nullptr;
  };
  if (verb)
    if (const OptionText* o = in(verb->options)) return o;
  if (const OptionText* o = in(m.common)) return o;
  for (const VerbText& v : m.verbs)
    if (const OptionText* o = in(v.options)) return o;
  return nullptr;
}

/// Whether an option that no verb has takes a value, by the habits of other programs.
bool foreign_option_takes_value(const std::string& name) {
  static constexpr const char* k_names[] = {"--format",
                                            "--in",
                                            "--type",
                                            "--from",
                                            "--threads",
                                            "--offset",
                                            "--start",
                                            "--length",
                                            "--count",
                                            "--width",
                                            "--height",
                                            "--map",
                                            "--import",
                                            "--laps",
                                            "-s",
                                            "--level",
                                            "-L",
                                            "-d",
                                            "-C",
                                            "-n",
                                            "-name",
                                            "--name",
                                            "--output-dir",
                                            "--outdir",
                                            "--out",
                                            "--output-format",
                                            "--file",
                                            "--seek",
                                            "--skip",
                                            "--palette",
                                            "--texture",
                                            "--frame-rate",
                                            "--fps",
                                            "-l",
                                            "--severity",
                                            "--min-severity",
                                            "--disable",
                                            "--exclude",
                                            "--skip",
                                            "--suppress",
                                            "--only",
                                            "--select",
                                            "--enable",
                                            "--id",
                                            "--output-format",
                                            "--fields",
                                            "--column",
                                            "--layers",
                                            "--layer",
                                            "--overlay",
                                            "--bg",
                                            "--bgcolor",
                                            "--angle",
                                            "--resolution",
                                            "--dimensions",
                                            "--directory",
                                            "--target",
                                            "--apply",
                                            "--base",
                                            "--into",
                                            "--original",
                                            "--prefer",
                                            "--strategy",
                                            "--favour",
                                            "--parallel",
                                            "--workers",
                                            "--cores",
                                            "--file-list",
                                            "-T",
                                            "--anim",
                                            "--add",
                                            "--against",
                                            "--put",
                                            "--update",
                                            "--base",
                                            "--to",
                                            "--of",
                                            "--element",
                                            "--path",
                                            "--delete",
                                            "--remove",
                                            "--max-warnings",
                                            "--level",
                                            "--weather",
                                            "--scale",
                                            "--unit-scale",
                                            "--name",
                                            "--texture",
                                            "--textures",
                                            "--filter",
                                            "--kcl",
                                            "--collision"};
  return std::ranges::any_of(k_names, [&](const char* n) { return name == n; });
}

}  // namespace

CommandLine split_words(const std::vector<std::string>& arguments, const Manual& m) {
  CommandLine out;
  size_t verb_at = arguments.size();
  for (size_t i = 0; i < arguments.size() && verb_at == arguments.size(); ++i)
    if (!arguments[i].starts_with('-') && m.find(arguments[i])) verb_at = i;
  // Only the first word that is none of the options can be the verb.
  for (size_t i = 0; i < verb_at && verb_at < arguments.size(); ++i)
    if (!arguments[i].starts_with('-')) verb_at = arguments.size();
  const VerbText* verb = verb_at < arguments.size() ? m.find(arguments[verb_at]) : nullptr;
  if (verb) out.verb = verb->name;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i == verb_at) continue;
    const std::string& a = arguments[i];
    if (a.size() < 2 || a[0] != '-') {
      out.words.push_back({a});
      continue;
    }
    Word w{a.substr(0, a.find('=')), true};
    const OptionText* known = find_option(m, verb, w.text);
    const bool is_own = verb && known &&
                        (std::ranges::any_of(verb->options, [&](const OptionText& o) { return &o == known; }) ||
                         std::ranges::any_of(m.common, [&](const OptionText& o) { return &o == known; }));
    // hex -s 0x100 -n 64
    const bool is_length = out.verb == "hex" && w.text == "-n" && i + 1 < arguments.size() &&
                           arguments[i + 1].find_first_not_of("0123456789abcdefx") == std::string::npos;
    const bool takes =
        is_length ? true
        : is_own  ? !known->value.empty() && !known->optional_value
                  : foreign_option_takes_value(w.text) || (known && !known->value.empty() && !known->optional_value);
    if (a.find('=') != a.npos) {
      w.has_value = true;
      w.value = a.substr(a.find('=') + 1);
    } else if (takes && i + 1 < arguments.size() && (is_own || !arguments[i + 1].starts_with('-'))) {
      w.has_value = true;
      w.value = arguments[++i];
    }
    out.words.push_back(std::move(w));
  }
  return out;
}

}  // namespace dio::cli::suggest
