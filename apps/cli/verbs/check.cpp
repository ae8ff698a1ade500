// dio check: what is wrong with files. dio simulate: what is wrong when they are played.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/files.hpp"
#include "../input/batch.hpp"
#include "../input/companions.hpp"
#include "../input/games.hpp"
#include "../output/results.hpp"
#include "bridge/report/selection.hpp"
#include "core/glob.hpp"
#include "core/json.hpp"
#include "explain.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

std::vector<std::string> all_rule_ids() {
  std::vector<std::string> ids;
  for (const Rule& r : rules_of_formats()) ids.emplace_back(r.id);
  for (const Rule& r : library_rules()) ids.emplace_back(r.id);
  return ids;
}

/// A rule that --rule names but nobody knows would never find anything.
bool validate_rule_options(const Request& request, Report& report) {
  const std::vector<std::string> ids = all_rule_ids();
  for (const std::string& wanted : request.rules) {
    if (std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return id.starts_with(wanted); })) continue;
    const std::string like = nearest_id(wanted, ids);
    report_usage_error(report, request,
                       "no rule has an id that starts with " + in_quotes(wanted) +
                           (like.empty() ? "; `dio explain` lists all ids" : "; did you mean " + like + "?"));
    return false;
  }
  return true;
}

/// What --ignore and --baseline leave out. Nothing if that cannot be; the report says why.
std::optional<report::Selection> parse_selection(const Request& request, Report& report) {
  report::Selection out;
  const std::vector<std::string> ids = all_rule_ids();
  for (const std::string& wanted : request.ignored) {
    const auto is_meant = [&](const std::string& id) { return matches_wildcard(wanted, id); };
    const auto begins = [&](const std::string& id) { return id.starts_with(wanted); };
    if (std::ranges::none_of(ids, is_meant)) {
      const std::string like = std::ranges::any_of(ids, begins) ? wanted + "*" : nearest_id(wanted, ids);
      report_usage_error(report, request,
                         "--ignore: there is no rule " + in_quotes(wanted) +
                             (like.empty() ? "; `dio explain` lists all ids" : "; did you mean " + like + "?"));
      return {};
    }
    out.ignored.push_back(wanted);
  }
  if (request.baseline.empty()) return out;
  const auto refused = [&](Diagnostic d) {
    report_error(report, request, in_file(std::move(d), request.baseline));
    return std::nullopt;
  };
  const auto bytes = read_file(request.baseline);
  if (!bytes) return refused(bytes.error());
  const auto json = json::read({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!json) return refused(json.error());
  auto baseline = report::Baseline::parse(*json);
  if (!baseline) return refused(baseline.error());
  out.baseline = std::move(*baseline);
  return out;
}

/// The findings of a file. Of many of one rule the first few stand for all; with -v each rule says once why it matters.
std::string format_findings(const Request& request, const report::FindingList& findings, ByteView file,
                            const std::string& name) {
  constexpr size_t k_many = 4, k_shown = 3;
  const bool color = request.output.empty() && detect_colors(request).out;
  std::map<std::string_view, size_t> total, seen;
  for (const report::Finding& f : findings) ++total[f.said.id];
  report::FindingList shown;
  std::vector<std::string> folded;
  for (const report::Finding& f : findings) {
    const Diagnostic& d = f.said;
    const size_t n = ++seen[d.id], all = total[d.id];
    if (request.all || !request.rules.empty() || all <= k_many || n <= k_shown) {
      shown.push_back(f);
      const Rule* rule = n == 1 && request.verbose ? find_rule(d.id) : nullptr;
      if (rule && !rule->why.empty()) shown.back().said.hint += (d.hint.empty() ? "" : ". ") + std::string(rule->why);
    } else if (n == all) {
      folded.push_back(format_with_commas(all - k_shown) + " more [" + d.id + "]");
    }
  }
  const std::string rest =
      folded.empty() ? "" : "... " + join_texts(folded, ", ") + " in " + name + ": --all shows them\n";
  if (request.compact) return report::findings_lines(shown, color) + rest;
  // The bytes are those of the file itself, not of what lies beside it.
  const auto beside =
      std::ranges::stable_partition(shown, [&](const report::Finding& f) { return f.said.place.file == name; }).begin();
  return report::findings_text({shown.begin(), beside}, file, color) +
         report::findings_text({beside, shown.end()}, {}, color) + (rest.empty() ? "" : "\n") + rest;
}

/// The end of a text: how much was found, and what was left out. `of`: what it was looked for in.
std::string format_findings_total(const report::FindingList& findings, const report::Run& run, const std::string& of) {
  const bool is_one = !of.empty();
  std::string out = (is_one ? of + ": " : "") + report::findings_summary(findings);
  const std::string_view one = std::string_view(run.things).substr(0, std::string_view(run.things).size() - 1);
  if (!is_one)
    out += " in " + (findings.empty() ? "" : format_with_commas(run.with_findings) + " of ") +
           format_count(run.all, one, run.things);
  out += '\n';
  std::vector<std::string> hidden;
  if (run.ignored) hidden.push_back(format_count(run.ignored, "ignored finding", "ignored findings"));
  if (run.known) hidden.push_back(format_count(run.known, "known finding", "known findings"));
  if (run.milder) hidden.push_back(format_count(run.milder, "less severe finding", "less severe findings"));
  return hidden.empty() ? out : out + join_texts(hidden, " and ") + " not shown\n";
}

/// --summary: how often each rule was broken.
std::string rule_counts_table(const report::FindingList& findings) {
  Table table("  >>");
  if (!findings.empty()) table.add_row({"rule", "severity", "findings", "files"});
  for (const report::RuleCount& c : report::rule_counts(findings))
    table.add_row({c.id, std::string(shown(c.severity)), format_with_commas(c.findings), format_with_commas(c.files)});
  return table.text();
}

Severity severity_named(const std::string& name) {
  return name == "hint" ? Severity::hint : name == "warning" ? Severity::warning : Severity::error;
}

/// --show: those that are severe enough. Returns how many are not.
u64 filter_by_severity(const Request& request, report::FindingList& findings) {
  const Severity least = severity_named(request.show_from);
  return std::erase_if(findings, [&](const report::Finding& f) { return f.said.severity < least; });
}

/// Those of the rules that --rule names.
void filter_by_rule(const Request& request, Diagnostics& findings) {
  if (request.rules.empty()) return;
  std::erase_if(findings, [&](const Diagnostic& d) {
    return std::none_of(request.rules.begin(), request.rules.end(),
                        [&](const std::string& r) { return d.id.starts_with(r); });
  });
}

/// One file: its findings, or why it could not be read.
struct Checked {
  std::shared_ptr<const ByteSource> file;  // null: there is nothing to show of it
  Diagnostics found;
  bool unreadable = false;
};
Checked check_file(const Request& request, const Input& input, const Companions& companions, Report& report) {
  Checked out;
  const auto record_failure = [&](Diagnostic d) {
    report.skipped = input.walked && d.id == "detect.unknown";
    if (!report.skipped) note_error(d.id);
    out.unreadable = !report.skipped;
    if (out.unreadable) out.found = {std::move(d)};
  };
  const auto file = open_input_source(input);
  if (!file) {
    record_failure(file.error());
    return out;
  }
  out.file = *file;
  auto opened = dio::open(*file, input.name, request.as, request.strict);
  if (!opened) {
    record_failure(with_format_hint(opened.error(), input.name, *out.file->whole()));
    return out;
  }
  note_files_inside(request, input, *opened->format, *out.file, report);
  if (request.verb == "simulate") {
    report.skipped = !opened->format->simulate;
    if (opened->format->simulate) {
      open_sibling_companions(request, input, *opened, nullptr);
      out.found = simulate(*opened);
    } else if (!input.walked && !opened->format->archive) {  // what is in an archive has its own turn
      report.err += input.name + ": this format (" + std::string(opened->format->title) + ") cannot be simulated\n";
      report.raise(ExitCode::no);
    }
  } else {
    open_sibling_companions(request, input, *opened, nullptr);
    out.found = dio::check(*opened, request.known);
    Diagnostics others = find_companion_mismatches(*opened, companions.companions_for(*opened));
    out.found.insert(out.found.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  }
  filter_by_rule(request, out.found);
  return out;
}

/// Makes the exit code 1 if a finding is severe enough.
void raise_exit_by_severity(const Request& request, const report::FindingList& findings, Report& report) {
  if (request.fail_on == "never") return;
  const Severity least = severity_named(request.fail_on);
  if (std::ranges::any_of(findings, [&](const report::Finding& f) { return f.said.severity >= least; }))
    report.raise(ExitCode::no);
}

/// How findings are asked for: text, json or sarif.
std::string output_format(const Request& request) { return request.json ? "json" : request.format; }

/// What all of the findings are shown as, where that is not the text of each file.
std::string format_all_findings(const Request& request, const report::FindingList& all, const report::Run& run) {
  const std::string form = output_format(request);
  if (form == "sarif") return json_text(report::findings_sarif(all, run, rules_of_formats(), DIORAMA_VERSION));
  if (form == "json")
    return json_text(request.summary ? report::rule_counts_json(all, run) : report::findings_json(all, run));
  return request.summary ? rule_counts_table(all) : "";
}

ExitCode check_inputs(const Request& request, const report::Selection& selection) {
  const std::vector<Input> inputs = resolve_request_inputs(request);
  std::vector<Input> shown = inputs;
  Report of_companions;  // what is wrong with one is said where it is checked itself
  const Companions companions = Companions::extract_from(request, shown, of_companions).value_or(Companions());
  const bool is_text = output_format(request) == "text", has_texts = is_text && !request.summary;
  std::vector<report::Selected> found(inputs.size());
  std::vector<std::string> texts(inputs.size());
  std::vector<u64> hidden(inputs.size());
  const bool prints_at_once = (inputs.size() == 1 || !request.manifest.empty()) && request.output.empty();
  const ManifestTime records = prints_at_once && has_texts ? ManifestTime::after_each_file : ManifestTime::at_end;
  const Summary summary = process_inputs(
      request, inputs,
      [&](const Input& input, size_t index) {
        Report report;
        Checked checked = check_file(request, input, companions, report);
        // A file that cannot be opened is no finding.
        const ExitCode refused = checked.unreadable ? exit_code_for(checked.found.front()) : ExitCode::done;
        report::Selected& selected = found[index] = report::filter_findings(
            std::move(checked.found), refused == ExitCode::system ? report::Selection() : selection);
        if (selected.findings.empty()) return report;
        checked.unreadable ? report.raise(refused) : raise_exit_by_severity(request, selected.findings, report);
        hidden[index] = filter_by_severity(request, selected.findings);
        if (!has_texts || selected.findings.empty()) return report;
        std::string& text = prints_at_once ? report.out : texts[index];
        const ByteView bytes = checked.file ? *checked.file->whole() : ByteView();
        text = format_findings(request, selected.findings, bytes, input.name);
        if (inputs.size() > 1 && !request.compact) text += '\n';
        return report;
      },
      records);

  Report end;
  end.exit = summary.exit;
  report::FindingList all;
  report::Run run{.all = summary.files};
  // The worst first, over all files.
  const auto worst = [&](size_t i) {
    const auto by_severity = [](const report::Finding& f) { return f.said.severity; };
    const auto& list = found[i].findings;
    return list.empty() ? -1 : int(std::ranges::max(list, {}, by_severity).said.severity);
  };
  std::vector<size_t> order(inputs.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(order, std::greater(), worst);
  std::string out;
  for (const size_t i : order) out += texts[i];
  for (report::Selected& s : found) {
    run.with_findings += !s.findings.empty();
    run.ignored += s.ignored;
    run.known += s.known;
    std::move(s.findings.begin(), s.findings.end(), std::back_inserter(all));
  }
  for (const u64 n : hidden) run.milder += n;
  out += format_all_findings(request, all, run);
  const bool is_one = inputs.size() == 1;
  const bool is_refused = is_one && summary.exit == ExitCode::system;  // its line is all there is to say
  if (is_text && !request.quiet && summary.files && !is_refused)
    out += format_findings_total(all, run, is_one ? inputs[0].name : "");
  write_output(request, inputs, request.output, as_bytes(out), end);
  if (request.verb == "check") report_unknown_formats(request, summary, end);
  report_no_inputs(request, summary, end);
  if (is_one) escape_line_breaks(end, inputs[0].name);
  ExitCode exit = finish(end);
  if (exit < ExitCode::system) record_inputs(request, summary, exit);
  return exit;
}

/// --maps: what needs more than one file of a game to be seen.
ExitCode check_games(const Request& request, const report::Selection& selection) {
  const bool is_text = output_format(request) == "text", is_one = request.inputs.size() == 1;
  Report report;
  report::FindingList all;
  report::Run run{.things = "games", .all = request.inputs.size()};
  std::string out;
  for (const std::string& name : request.inputs) {
    const auto played = open_game(request, name, report);
    if (!played) {
      --run.all;
      continue;
    }
    Diagnostics found = played->game->check(request.known);
    filter_by_rule(request, found);
    if (!is_one)
      for (Diagnostic& d : found) d.place.file = name + '/' + d.place.file;
    report::Selected selected = report::filter_findings(std::move(found), selection);
    raise_exit_by_severity(request, selected.findings, report);
    run.milder += filter_by_severity(request, selected.findings);
    run.with_findings += !selected.findings.empty();
    run.ignored += selected.ignored;
    run.known += selected.known;
    if (is_text && !request.summary && !selected.findings.empty())
      out += format_findings(request, selected.findings, {}, name) + (is_one || request.compact ? "" : "\n");
    std::move(selected.findings.begin(), selected.findings.end(), std::back_inserter(all));
  }
  out += format_all_findings(request, all, run);
  if (is_text && !request.quiet && run.all) out += format_findings_total(all, run, is_one ? request.inputs[0] : "");
  write_output(request, {}, request.output, as_bytes(out), report);
  return finish(report);
}

/// --fix: repairs what has one safe repair, writes a new file and says what remains.
Report repair_file(const Request& request, const Input& input, const report::Selection& selection) {
  Report report;
  auto opened = open_input(request, input, report);
  if (!opened) return report;
  if (!opened->format->repair) {
    report.err += input.name + ": --fix has no repairs for this format (" + std::string(opened->format->title) + ")\n";
    report.raise(ExitCode::usage);
    return report;
  }
  const std::vector<Repair> done = opened->format->repair(*opened->document);
  std::string out;
  for (const Repair& r : done) out += "repaired " + r.path + ": " + r.about + " [" + r.id + "]\n";
  auto saved = done.empty() ? opened->file->read(0, opened->bytes.size()) : opened->document->save({});
  if (!saved) {
    report_error(report, request, in_file(saved.error(), input.name));
    return report;
  }
  // What remains, with what lies beside the file.
  auto now = dio::open(*saved, input.name, {opened->format, opened->options});
  if (!now) {
    report_error(report, request, now.error(), *saved);
    return report;
  }
  // A copy all the same: whoever asked for the file finds it.
  if (done.empty()) out += input.name + ": nothing to repair; the new file is a copy of the old one\n";
  write_output(request, {input}, request.output, *saved, report);
  report_uncopied_companions(request, input, *opened->format, request.output, report);
  if (report.exit != ExitCode::done) return report;
  open_sibling_companions(request, input, *now, nullptr);
  Diagnostics left = dio::check(*now, request.known);
  filter_by_rule(request, left);
  report::Selected selected = report::filter_findings(std::move(left), selection);
  raise_exit_by_severity(request, selected.findings, report);
  const u64 milder = filter_by_severity(request, selected.findings);
  Request shown = request;
  shown.output.clear();
  out +=
      format_findings(shown, selected.findings, *saved, input.name) +
      format_findings_total(selected.findings, {.ignored = selected.ignored, .known = selected.known, .milder = milder},
                            "after the repair");
  // A file on standard output stands alone there.
  (request.output == "-" ? report.err : report.out) += out;
  return report;
}

}  // namespace

ExitCode run_check(const Request& request) {
  Report wrong;
  const bool is_text = output_format(request) == "text";
  static constexpr std::string_view k_drawn[] = {".svg", ".png", ".apng", ".gif", ".glb", ".gltf"};
  if (request.verb == "simulate" && std::ranges::count(k_drawn, file_extension(request.output)))
    report_usage_error(wrong, request,
                       "-o writes the findings as text; `dio render FILE --race -o plan.svg` (or .png) and `dio "
                       "convert FILE --race -o race.glb` draw them");
  else if (request.fix && request.output.empty())
    report_usage_error(wrong, request, "no output given for the repaired file: use -o NEW");
  else if (request.fix && (request.maps || !is_text || request.summary || !request.topic.empty()))
    report_usage_error(wrong, request,
                       "--fix cannot be combined with --maps, --json, --format, --summary or --explain");
  else if (request.topic.empty() && request.inputs.empty())
    report_usage_error(wrong, request, "the argument FILE is missing");
  else if (request.compact && (!is_text || request.summary))
    report_usage_error(wrong, request, "--compact cannot be combined with --json, --format or --summary");
  else if (request.summary && output_format(request) == "sarif")
    report_usage_error(wrong, request, "--summary cannot be combined with --format sarif, which has its own counts");
  else if (!request.topic.empty())
    explain_topic(request, request.topic, wrong);
  else if (validate_rule_options(request, wrong))
    if (const auto selection = parse_selection(request, wrong)) {
      if (request.fix)
        return for_one_input(request,
                             [&](const Input& input, size_t) { return repair_file(request, input, *selection); });
      return request.maps ? check_games(request, *selection) : check_inputs(request, *selection);
    }
  return finish(wrong);
}

}  // namespace dio::cli
