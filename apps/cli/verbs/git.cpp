// dio git install: a git repository in which files are compared and merged by what they mean.
#include <algorithm>
#include <optional>
#include <set>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/files.hpp"
#include "../system/filesystem.hpp"
#include "../system/process.hpp"
#include "formats/contract/format.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

struct Setting {
  const char *name, *value;
};
constexpr Setting k_settings[] = {
    {"diff.dio.textconv", "dio decode --lean"},
    {"merge.dio.name", "merge game files by their values"},
    {"merge.dio.driver", "dio merge %O %A %B -i -q --name %P"},
    {"difftool.dio.cmd", "dio diff \"$LOCAL\" \"$REMOTE\" --render \"$(echo \"$MERGED\" | tr / -).png\" -f"},
    {"difftool.prompt", "false"}};

/// What a command prints, without the end of the line; nothing if it fails.
std::optional<std::string> command_output(const std::string& command) {
  auto out = os::run_shell_command(command);
  while (out && !out->empty() && (out->back() == '\n' || out->back() == '\r')) out->pop_back();
  return out;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out{""};
  for (const char c : text) {
    if (c == at)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

/// Extensions that say what is in a file: .bin, .txt and the like are used for everything.
std::vector<std::string> distinctive_extensions() {
  static constexpr std::string_view k_common[] = {".bin", ".txt", ".dat", ".img", ".iso", ".nds", ".srl"};
  std::set<std::string> out;
  for (const Format* f : formats())
    for (const std::string& e : split(std::string(f->extensions), ' '))
      if (!e.empty() && std::ranges::find(k_common, e) == std::end(k_common)) out.insert(e);
  return {out.begin(), out.end()};
}

}  // namespace

ExitCode run_git(const Request& request) {
  Report report;
  const auto report_git_error = [&](const std::string& problem, const std::string& hint) {
    report_error(report, request, make_diagnostic("io.git", {}, {.message = problem, .hint = hint}));
    return finish(report);
  };
  if (request.topic != "install") {
    report_usage_error(report, request, "unknown action " + in_quotes(request.topic) + "; the only action is install");
    return finish(report);
  }
  const auto top = command_output("git rev-parse --show-toplevel");
  if (!top || top->empty())
    return report_git_error("this folder is not in a git repository",
                            "`git init` creates a repository; git must be installed");

  // What is there stays, and what is missing is added: the same twice changes nothing.
  for (const Setting& s : k_settings) {
    if (command_output(std::string("git config --local --get ") + s.name) == s.value) continue;
    report.out += std::string("git config ") + s.name + " " + os::quote_for_shell(s.value) + "\n";
    if (request.dry_run) continue;
    if (!os::run_shell_command(std::string("git config --local ") + s.name + " " + os::quote_for_shell(s.value)))
      return report_git_error(std::string("git could not change the setting ") + s.name, "");
  }
  const fs::path attributes = fs::path(*top) / ".gitattributes";
  std::string text;
  if (const auto bytes = read_regular_file(attributes.string())) text.assign(bytes->begin(), bytes->end());
  std::set<std::string> lines;
  for (const std::string& line : split(text, '\n')) lines.insert(line);
  std::string added;
  for (const std::string& e : distinctive_extensions()) {
    const std::string line = "*" + e + " diff=dio merge=dio";
    if (!lines.contains(line)) added += line + "\n";
  }
  if (!added.empty()) {
    report.out += (request.dry_run ? "would add to " : "added to ") + attributes.string() + ":\n" + added;
    if (!text.empty() && text.back() != '\n') added.insert(0, "\n");
    if (!request.dry_run) {
      const std::string all = text + added;
      if (!write_file(attributes.string(), as_bytes(all), {.overwrite = true}))
        return report_git_error("cannot write " + attributes.string(), "");
    }
  }
  if (report.out.empty()) report.out = "everything is set up already\n";
  if (request.quiet) report.out.clear();
  return finish(report);
}

}  // namespace dio::cli
