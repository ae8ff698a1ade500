// manual.hpp: the description of the command line, as plain data, for help, the manual page and completions.
#pragma once
#include <string>
#include <vector>

namespace dio::cli {

struct OptionText {
  std::vector<std::string> names;  // -o, --output; one without dashes for an argument
  std::string value;               // FILE; empty: it takes none
  std::string about;
  std::vector<std::string> choices;       // all values it takes; empty: any
  bool optional_value = false;            // --backup[=SUFFIX]
  bool required = true, several = false;  // of an argument
};

struct VerbText {
  std::string name, group, about;
  std::string details;                // paragraphs, separated by empty lines
  std::vector<std::string> examples;  // command lines
  std::vector<OptionText> arguments, options;
};

struct Manual {
  std::vector<VerbText> verbs;     // in the order of help
  std::vector<OptionText> common;  // of every verb
  const VerbText* find(const std::string& verb) const;
  std::vector<std::string> names() const;
};

/// One page: the verbs in groups.
std::string help_overview(const Manual&);
/// The full description of a verb.
std::string help_of(const Manual&, const VerbText&);
/// `dio get FILE PATH [options]`
std::string usage_line(const VerbText&);
/// Source of the manual page dio(1), in roff.
std::string man_page(const Manual&);
/// A completion script for bash, zsh or fish; empty for other shells.
std::string completion_script(const Manual&, const std::string& shell);

}  // namespace dio::cli
