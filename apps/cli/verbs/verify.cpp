// dio verify: whether files come back byte for byte.
#include <map>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/games.hpp"
#include "../input/open.hpp"
#include "../output/members.hpp"
#include "core/json.hpp"
#include "formats/contract/format.hpp"
#include "operations/describe_json.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

/// Of the files of one format, or of all.
struct ReportCounts {
  u64 files = 0, identical = 0, differing = 0, damaged = 0;
  std::map<std::string, u64> findings = {};  // by rule
};

/// --report: counts that tell how dio reads somebody's files, without anything of their contents.
ExitCode report_files(Request request) {
  request.recursive = true;
  const std::vector<Input> inputs = resolve_request_inputs(request);
  std::vector<std::pair<std::string, ReportCounts>> each(inputs.size());
  const Summary summary = process_inputs(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    Report problems;  // of single files: the report only counts them
    const auto o = open_input(request, input, problems);
    report.skipped = problems.skipped;
    if (problems.exit == ExitCode::system) return problems;  // there is no such file
    if (!o) {
      if (!problems.skipped) each[index] = {"unreadable", {.files = 1}};
      return report;
    }
    auto& [format, counts] = each[index];
    format = o->format_id();
    counts.files = 1;
    const RoundTripResult v = dio::verify(*o, json::round_trip_as_json());
    ++(v.identical() ? counts.identical : v.decodes ? counts.differing : counts.damaged);
    if (!v.identical()) report.raise(ExitCode::no);
    for (const Diagnostic& d : dio::check(*o)) ++counts.findings[d.id];
    return report;
  });
  std::map<std::string, ReportCounts> formats;
  for (const auto& [format, one] : each) {
    if (!one.files) continue;
    ReportCounts& all = formats[format];
    all.files += one.files, all.identical += one.identical;
    all.differing += one.differing, all.damaged += one.damaged;
    for (const auto& [rule, count] : one.findings) all.findings[rule] += count;
  }
  Report end;
  end.exit = summary.exit;
  if (formats.empty()) return finish(end);
  end.out = "dio " DIORAMA_VERSION ", report of " + format_count(summary.files, "file", "files") + "\n";
  for (const auto& [format, counts] : formats) {
    end.out += format + ": " + format_count(counts.files, "file", "files") + ", " +
               format_with_commas(counts.identical) + " identical";
    if (counts.differing) end.out += ", " + format_with_commas(counts.differing) + " differ";
    if (counts.damaged) end.out += ", " + format_with_commas(counts.damaged) + " damaged";
    end.out += "\n";
    for (const auto& [rule, count] : counts.findings) end.out += "  " + rule + " " + format_with_commas(count) + "\n";
  }
  Report none;
  if (request.inputs.size() == 1)
    if (const auto played = open_game(request, request.inputs[0], none)) {
      Value about = Value::object();
      about.add("game", played->kind->title);
      if (const Value info = played->game->info(); const Value* edition = info.find("edition"))
        about.add("edition", *edition);
      const Value unproven = played->game->count_unproven_values();
      for (const auto& [name, value] : unproven.members()) about.add(name, value);
      end.out += members_text(about, 0);
    }
  return finish(end);
}

}  // namespace

ExitCode run_verify(const Request& request) {
  if (request.report) return report_files(request);
  const std::vector<Input> inputs = resolve_request_inputs(request);
  size_t widest = 6;
  for (const Format* f : formats()) widest = std::max(widest, f->id.size());
  const auto format_row = [widest](std::string_view result, std::string_view format, const std::string& size,
                                   const std::string& file) {
    const auto padded = [](std::string_view s, size_t n) {
      return std::string(s) + std::string(n - std::min(n, s.size()), ' ');
    };
    return padded(result, 9) + "  " + padded(format, widest) + "  " +
           std::string(9 - std::min<size_t>(9, size.size()), ' ') + size + "  " + file + "\n";
  };
  if (inputs.size() > 1 && !request.json) {
    Report head;
    head.out = format_row("result", "format", "size", "file");
    print_report(head);
  }
  const Summary summary = process_inputs(request, inputs, [&](const Input& input, size_t) {
    Report report;
    const auto o = open_input(request, input, report);
    if (!o) {
      if (!report.skipped && !request.json) report.out = format_row("unread", "", "", input.name);
      return report;
    }
    const RoundTripResult v = dio::verify(*o, json::round_trip_as_json());
    if (!v.identical()) report.raise(ExitCode::no);
    if (request.json) {
      report.out = json_text(verified_json(*o, v), true);
    } else {
      report.out = format_row(v.identical() ? "identical"
                              : v.decodes   ? "DIFFERS"
                                            : "DAMAGED",
                              o->format_id(), std::to_string(o->bytes.size()), o->name);
      if (!v.problem.empty()) report.out += "           " + v.problem + "\n";
    }
    return report;
  });
  Report end;
  end.exit = summary.exit;
  if (inputs.size() > 1 && summary.files && !request.json)
    end.out = format_with_commas(summary.files - summary.negative - summary.failed) + " of " +
              format_count(summary.files, "file", "files") + " identical\n";
  report_unknown_formats(request, summary, end);
  report_no_inputs(request, summary, end);
  return finish(end);
}

}  // namespace dio::cli
