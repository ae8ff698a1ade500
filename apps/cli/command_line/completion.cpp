// completion.cpp: scripts with which shells complete verbs, options and their values.
#include "manual.hpp"
#include "text.hpp"

namespace dio::cli {

namespace {

std::string long_option_names(const std::vector<OptionText>& options) {
  std::string out;
  for (const OptionText& o : options)
    for (const std::string& n : o.names)
      if (n.starts_with("--")) out += (out.empty() ? "" : " ") + n;
  return out;
}

/// Text inside '...' of a shell.
std::string shell_quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash_script(const Manual& m) {
  std::string out = R"(# completion of dio for bash
_dio() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ")" +
                    join_texts(m.names(), " ") + R"(" -- "$word"))
    return
  fi
  case $verb:$before in
)";
  const auto values = [&](const std::string& verb, const OptionText& o) {
    if (o.choices.empty() || !o.names[0].starts_with('-')) return;
    for (const std::string& n : o.names)
      out += "    " + verb + ":" + n + ") words=\"" + join_texts(o.choices, " ") + "\" ;;\n";
  };
  for (const OptionText& o : m.common) values("*", o);
  for (const VerbText& v : m.verbs)
    for (const OptionText& o : v.options) values(v.name, o);
  out += "  esac\n  if [[ -z $words ]]; then\n    case $verb:$word in\n";
  const std::string common = long_option_names(m.common);
  for (const VerbText& v : m.verbs) {
    const std::string own = long_option_names(v.options);
    out += "      " + v.name + ":-*) words=\"" + own + (own.empty() ? "" : " ") + common + "\" ;;\n";
    for (const OptionText& a : v.arguments)
      if (!a.choices.empty()) out += "      " + v.name + ":*) words=\"" + join_texts(a.choices, " ") + "\" ;;\n";
    if (v.name == "help") out += "      help:*) words=\"" + join_texts(m.names(), " ") + "\" ;;\n";
  }
  out += R"(    esac
  fi
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _dio dio
)";
  return out;
}

std::string zsh_script(const Manual& m) {
  // In a description, brackets and colons would end it.
  const auto escape_description = [](const OptionText& o) {
    std::string about;
    for (const char c : o.about) about += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
    return about;
  };
  const auto arguments = [&](const std::vector<OptionText>& options) {
    std::string out;
    for (const OptionText& o : options) {
      const std::string value =
          o.value.empty()
              ? ""
              : ":" + o.value + ":" + (o.choices.empty() ? "_files" : "(" + join_texts(o.choices, " ") + ")");
      for (const std::string& n : o.names) {
        const std::string equals = o.value.empty() || !n.starts_with("--") ? "" : o.optional_value ? "=-" : "=";
        out += " \\\n        " + shell_quote("*" + n + equals + "[" + escape_description(o) + "]" +
                                             (o.optional_value && equals.empty() ? "" : value));
      }
    }
    return out;
  };
  std::string out = "#compdef dio\n# completion of dio for zsh\n_dio() {\n  local -a verbs=(\n";
  for (const VerbText& v : m.verbs) out += "    " + shell_quote(v.name + ":" + v.about) + "\n";
  out +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n  local verb=$words[2]\n  shift "
      "words\n  ((CURRENT--))\n  case $verb in\n";
  for (const VerbText& v : m.verbs) {
    std::string what = "_files";
    for (const OptionText& a : v.arguments)
      if (!a.choices.empty()) what = "(" + join_texts(a.choices, " ") + ")";
    if (v.name == "help") what = "(" + join_texts(m.names(), " ") + ")";
    out += "    " + v.name + ")\n      _arguments" + arguments(v.options) + arguments(m.common) + " \\\n        " +
           shell_quote("*:" + std::string(what == "_files" ? "file" : "choice") + ":" + what) + " ;;\n";
  }
  return out + "  esac\n}\nif [[ $funcstack[1] == _dio ]]; then _dio \"$@\"; else compdef _dio dio; fi\n";
}

std::string fish_script(const Manual& m) {
  std::string out = "# completion of dio for fish\ncomplete -c dio -n __fish_use_subcommand -f\n";
  const auto add_option_line = [&](const std::string& condition, const OptionText& o) {
    std::string line = "complete -c dio" + condition;
    for (const std::string& n : o.names) line += n.starts_with("--") ? " -l " + n.substr(2) : " -s " + n.substr(1);
    if (!o.value.empty() && !o.optional_value)
      line += o.choices.empty() ? " -r" : " -x -a " + shell_quote(join_texts(o.choices, " "));
    out += line + " -d " + shell_quote(o.about) + "\n";
  };
  for (const OptionText& o : m.common) add_option_line("", o);
  for (const VerbText& v : m.verbs) {
    out += "complete -c dio -n __fish_use_subcommand -a " + v.name + " -d " + shell_quote(v.about) + "\n";
    const std::string condition = " -n '__fish_seen_subcommand_from " + v.name + "'";
    for (const OptionText& o : v.options) add_option_line(condition, o);
    for (const OptionText& a : v.arguments)
      if (!a.choices.empty())
        out += "complete -c dio" + condition + " -f -a " + shell_quote(join_texts(a.choices, " ")) + "\n";
    if (v.name == "help")
      out += "complete -c dio" + condition + " -f -a " + shell_quote(join_texts(m.names(), " ")) + "\n";
  }
  return out;
}

}  // namespace

std::string completion_script(const Manual& m, const std::string& shell) {
  return shell == "bash" ? bash_script(m) : shell == "zsh" ? zsh_script(m) : shell == "fish" ? fish_script(m) : "";
}

}  // namespace dio::cli
