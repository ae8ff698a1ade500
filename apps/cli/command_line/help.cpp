// help.cpp: help and the manual page.
#include <algorithm>

#include "core/text_format.hpp"
#include "manual.hpp"
#include "text.hpp"

namespace dio::cli {

const VerbText* Manual::find(const std::string& verb) const {
  for (const VerbText& v : verbs)
    if (v.name == verb) return &v;
  return nullptr;
}

std::vector<std::string> Manual::names() const {
  std::vector<std::string> out;
  for (const VerbText& v : verbs) out.push_back(v.name);
  return out;
}

namespace {

constexpr std::string_view k_summary =
    "reads, checks, explains, compares, changes and converts map files of classic console games";

struct ExitText {
  int code;
  std::string_view meaning;
};
constexpr ExitText k_exits[] = {{0, "done"},
                                {1, "findings, differences, no such path, nothing found, or nothing to show"},
                                {2, "invalid command line"},
                                {3, "an input is damaged, or its format is unknown"},
                                {4, "refused, because data would be lost or a limit was exceeded"},
                                {5, "a file cannot be read or written, or already exists (-f overwrites it)"},
                                {70, "a bug in dio"}};

std::string option_synopsis(const OptionText& o) {
  std::string s = join_texts(o.names, ", ");
  if (o.value.empty() || !s.starts_with('-')) return s;
  return s + (o.optional_value ? "[=" + o.value + "]" : " " + o.value);
}

std::string wrap_paragraphs(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find("\n\n"), text.size());
    if (!out.empty()) out += '\n';
    out += wrap_text(text.substr(0, end), indent);
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string option_lines(const std::vector<OptionText>& options) {
  size_t width = 0;
  for (const OptionText& o : options) width = std::max(width, std::min<size_t>(option_synopsis(o).size(), 24));
  std::string out;
  const std::string indent(width + 4, ' ');
  for (const OptionText& o : options) {
    std::string about = wrap_text(o.about, indent), names = "  " + option_synopsis(o);
    if (names.size() + 2 > indent.size())
      names += '\n';
    else
      about.erase(0, names.size());
    out += names + about;
  }
  return out;
}

}  // namespace

std::string help_overview(const Manual& m) {
  std::string out = "dio " + std::string(k_summary) + "\n\n  dio VERB FILE... [options]\n";
  std::string group;
  for (const VerbText& v : m.verbs) {
    if (v.group != group) out += "\n" + (group = v.group) + "\n";
    out += "  " + v.name + std::string(12 - v.name.size(), ' ') + v.about + "\n";
  }
  return out + "\n`dio help VERB` describes a verb in full, with examples.\n";
}

std::string usage_line(const VerbText& v) {
  std::string out = "dio " + v.name;
  for (const OptionText& a : v.arguments) {
    const std::string name = a.names[0] + (a.several ? "..." : "");
    out += ' ' + (a.required ? name : "[" + name + "]");
  }
  return v.options.empty() ? out : out + " [options]";
}

std::string help_of(const Manual& m, const VerbText& v) {
  std::string out = "dio " + v.name + ": " + v.about + "\n\n  " + usage_line(v) + "\n";
  if (!v.details.empty()) out += "\n" + wrap_paragraphs(v.details, "");
  if (!v.arguments.empty()) out += "\n" + option_lines(v.arguments);
  if (!v.options.empty()) out += "\nOptions\n" + option_lines(v.options);
  out += "\nOptions for every verb\n" + option_lines(m.common);
  if (!v.examples.empty()) {
    out += "\nExamples\n";
    for (const std::string& e : v.examples) out += "  " + e + "\n";
  }
  return out;
}

// ---- the manual page
// -------------------------------------------------------------------------------------------------

namespace {

/// Text for roff: a backslash, a dash and a dot at the start of a line mean something there.
std::string escape_roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string roff_options(const std::vector<OptionText>& options) {
  std::string out;
  for (const OptionText& o : options) {
    out += ".TP\n";
    for (size_t i = 0; i < o.names.size(); ++i) out += (i ? ", " : "") + ("\\fB" + escape_roff(o.names[i]) + "\\fR");
    if (!o.value.empty() && o.names[0].starts_with('-')) {
      const std::string value = "\\fI" + escape_roff(o.value) + "\\fR";
      out += o.optional_value ? "[=" + value + "]" : " " + value;
    }
    out += "\n" + escape_roff(o.about) + "\n";
  }
  return out;
}

}  // namespace

std::string man_page(const Manual& m) {
  std::string out = ".TH DIO 1 \"\" \"diorama " DIORAMA_VERSION "\" \"User Commands\"\n";
  out += ".SH NAME\ndio \\- " + escape_roff(k_summary) + "\n";
  out += ".SH SYNOPSIS\n.B dio\n.I VERB FILE...\n[\\fIoptions\\fR]\n";
  out +=
      ".SH DESCRIPTION\nThe format of each file is detected automatically; \\fB\\-\\-as\\fR overrides the detection. "
      "Data goes to standard output, everything else to standard error. An input is never changed without "
      "\\fB\\-i\\fR, and no file is overwritten without \\fB\\-f\\fR. Where a file is expected, \\fB\\-\\fR is "
      "standard input or output.\n";
  out += ".SH OPTIONS FOR EVERY VERB\n" + roff_options(m.common);
  std::string group;
  for (const VerbText& v : m.verbs) {
    if (v.group != group) {
      group = v.group;
      out += ".SH " + escape_roff(upper_case(group)) + "\n";
    }
    out += ".SS " + escape_roff(usage_line(v)) + "\n" + escape_roff(v.about) + "\n";
    if (!v.details.empty()) out += ".PP\n" + escape_roff(v.details) + "\n";
    out += roff_options(v.arguments) + roff_options(v.options);
    if (!v.examples.empty()) {
      out += ".PP\n.nf\n";
      for (const std::string& e : v.examples) out += "  " + escape_roff(e) + "\n";
      out += ".fi\n";
    }
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitText& e : k_exits)
    out += ".TP\n\\fB" + std::to_string(e.code) + "\\fR\n" + escape_roff(e.meaning) + "\n";
  out += ".PP\nIf several files are given, all are processed, and the highest exit code is returned.\n";
  out +=
      ".PP\nA signal (Ctrl\\-C) ends dio as it ends any program: the shell reports 128 plus the signal number. Every "
      "file is then either unchanged or complete, and temporary files (\\fI.dio\\-\\fR and six letters) are removed; "
      "only SIGKILL can leave one behind. If the reader of standard output stops early (\\fBhead\\fR), SIGPIPE ends "
      "dio; if SIGPIPE is ignored, the exit code is 5.\n";
  out += ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nif set to any value, no colours are used\n";
  return out;
}

}  // namespace dio::cli
